"""Reports in a browser: no errors, nothing requested outside of the file, plots that are not empty, values under the
pointer, lines switched off, zoom, keyboard, motion, paper.  usage: test_reports.py PROGRAM [CHROMIUM]"""
import os
import subprocess
import sys
import tempfile

from browser import Browser

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1])
examples = os.path.join(here, "../../examples")
passed, failed = 0, 0


def check(what, is_true, seen=""):
    global passed, failed
    if is_true:
        passed += 1
    else:
        failed += 1
        print(f"{what}: {seen}")


COMMANDS = {  # name: words of the command; plots
    "pendulum": (["solve", "ivp/pendulum.rg"], 5),
    "governor": (["solve", "ivp/governor.rg", "--to", "1"], 1),
    "layer": (["solve", "bvp/cash-20.rg"], 3),
    "cavity": (["solve", "grids/cavity.rg", "--set", "N=8", "--to", "1"], 2),
    "analysis": (["check", "ivp/andrews.rg"], 0),
    "methods": (["compare", "ivp/pendulum.rg", "--methods", "radau,baumgarte:step=1e-2", "--to", "1"], 1),
    "orders": (["order", "../tests/order/rk/order-index2.rg", "--method", "gauss", "--steps", "0.1,0.05,0.025"], 1),
    "sweep": (["sweep", "ivp/pendulum.rg", "--over", "g=1.62,3.7,9.81", "--to", "1"], 1),
}


def write_reports():
    for name, (words, _) in COMMANDS.items():
        words = [os.path.join(examples, w) if w.endswith(".rg") else w for w in words]
        done = subprocess.run([program, *words, "--quiet", "--report", name + ".html"], capture_output=True, text=True)
        check(f"{name}: written", done.returncode == 0, done.stderr)


def look(b, work, name, plots):
    b.open(name + ".html")
    count = b.value("regula.plots.length")
    check(f"{name}: plots", count >= plots, f"{count} of {plots}")
    empty = b.value("""regula.plots.filter(p => !p.lines.some(l => p.path(l).length > 3)).map(p => p.element.id)""")
    check(f"{name}: a plot is empty", empty == [], empty)
    wide = b.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(f"{name}: wider than the screen", wide <= 0, wide)
    sheets = b.pages()
    check(f"{name}: an empty sheet of paper", sheets and min(sheets) > 0, sheets)
    b.open(name + ".html", width=360, dark=True)
    wide = b.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(f"{name}: wider than a phone", wide <= 0, wide)
    dark = b.value("getComputedStyle(document.body).backgroundColor")
    check(f"{name}: not dark", dark != "rgb(255, 255, 255)", dark)
    outside = [u[:60] for u in b.requests() if not u.startswith("data:") and not u.endswith(work + f"/{name}.html")]
    check(f"{name}: requests", outside == [], outside)
    check(f"{name}: errors", b.errors() == [], b.errors())


def use_plot(b):
    b.open("pendulum.html")
    b.move("#f0 svg", .5)
    text = b.value("document.querySelector('#f0 output').textContent")
    check("values under the pointer", "t = " in text and "p = " in text and "q = " in text, text)
    b.click("#f0 .keys button")
    state = b.value("[document.querySelector('#f0 .keys button').getAttribute('aria-pressed'), "
                    "document.querySelectorAll('#f0 svg .line').length]")
    check("a line switched off", state == ["false", 1], state)
    b.click("#f0 .keys button")
    check("and on again", b.value("document.querySelectorAll('#f0 svg .line').length") == 2)
    b.drag("#f0 svg", .3, .6)
    view = b.value("regula.plots[0].view")
    check("zoom by dragging", view is not None and view[0] > 1 and view[1] < 8, view)
    b.value("document.querySelector('#f0 svg').focus()")
    b.key("Escape")
    check("all of it again", b.value("regula.plots[0].view") is None)
    b.value("regula.plots[0].cursor = 10")
    b.key("ArrowRight")
    check("by keyboard", b.value("regula.plots[0].cursor") == 11)
    labels = b.value("[...document.querySelectorAll('svg')].filter(e => !e.getAttribute('aria-label') && "
                     "e.getAttribute('aria-hidden') !== 'true').length")
    check("pictures without a label", labels == 0, labels)
    check("errors of using plots", b.errors() == [], b.errors())


def use_speed(b, name):
    """Sixteen times the speed goes at least twice as far in the same time, in time of the model."""
    far = []
    for speed in ("0.25", "4"):
        b.value(f"""(() => {{ const s = document.querySelector('#stage [data-do=speed]'); s.value = '{speed}';
                s.dispatchEvent(new Event('change')); regula.motion.go(0); regula.motion.play(); return s.value; }})()""")
        far.append(b.value("""new Promise(done => setTimeout(() => { regula.motion.pause();
                              done(regula.data.draw.t[regula.motion.frame]); }, 800))"""))
    check(f"{name}: speed", far[1] > 2 * far[0], far)


def use_motion(b, name):
    b.open(name + ".html")
    frames = b.value("regula.data.draw.t.length")
    first = b.value("document.querySelector('#stage svg').innerHTML")
    b.click("#stage input[type=range]", .5)
    frame = b.value("regula.motion.frame")
    check(f"{name}: scrubbing", frames * .4 < frame < frames * .6, frame)
    check(f"{name}: another picture", b.value("document.querySelector('#stage svg').innerHTML") != first)
    b.click("#stage [data-do=traces]")
    check(f"{name}: traces off", b.value("document.querySelectorAll('#stage .trace').length") == 0)
    b.click("#stage [data-do=play]")
    moved = b.value("new Promise(done => setTimeout(() => done(regula.motion.frame), 700))")
    check(f"{name}: playing", moved > frame, [frame, moved])
    b.click("#stage [data-do=play]")
    stopped = b.value("regula.motion.frame")
    after = b.value("new Promise(done => setTimeout(() => done(regula.motion.frame), 300))")
    check(f"{name}: paused", after == stopped, [stopped, after])
    use_speed(b, name)
    check(f"{name}: errors of the motion", b.errors() == [], b.errors())


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    write_reports()
    browser = Browser(sys.argv[2] if len(sys.argv) > 2 else "chromium")
    try:
        for name, (_, plots) in COMMANDS.items():
            look(browser, work, name, plots)
        use_plot(browser)
        use_motion(browser, "pendulum")
        use_motion(browser, "governor")
    finally:
        browser.close()
        os.chdir(here)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
