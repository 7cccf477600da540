"""Tests of the Python package: python3 tests/python/test_regula.py BUILD

Prints "N passed, N failed" last, as all tests here do.
"""

import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build").resolve()
os.environ["REGULA_LIBRARY"] = str(BUILD / "libregula.so")
sys.path.insert(0, str(TOP / "python"))

import regula  # noqa: E402
from regula import _library  # noqa: E402

COMMAND = str(BUILD / "regula")
PENDULUM = TOP / "examples/ivp/pendulum.rg"
ARRAY = """title "a chain of three cells"
param k = 2
var u[i=1..3] = 1, s[i=1..2,j=0..1] ~ 1
for i = 1..3 { u[i]' = -k*i*u[i] }
for i = 1..2 { for j = 0..1 { s[i,j] = 10*i + j + u[1] } }
over t = 0 .. 1
"""
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def command(*words):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def raises(kind, function, *arguments, **more):
    try:
        function(*arguments, **more)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


@test
def events_of_functions():
    """A ball with 0.8 of its speed behind each bounce: times of free fall; SciPy's events."""
    fall, up = np.sqrt(2 / 9.81), lambda k: 2 * np.sqrt(2 / 9.81) * sum(0.8 ** i for i in range(1, k))
    bounce = (lambda t, y: -y[0], lambda t, y: [0.0, -0.8 * y[1]])
    ball = regula.Problem(lambda t, y: [y[1], -9.81], [1.0, 0.0], (0, 2), mass="identity",
                          events=[bounce, (lambda t, y: t - 1.9, "stop")])
    s = ball.solve(rtol=1e-10, atol=1e-10, estimate=True)
    times = [event["t"] for event in s.events]
    exact = [fall + up(k) for k in (1, 2, 3)] + [1.9]
    assert len(times) == 4 and np.allclose(times, exact, rtol=0, atol=1e-10), times
    assert abs(s.t_end - 1.9) < 1e-12, s.t_end

    def ground(t, y):
        return y[0]
    ground.terminal, ground.direction = True, -1
    top = lambda t, y: y[1]  # noqa: E731
    r = regula.solve_ivp(lambda t, y: [y[1], -9.81], (0, 5), [1.0, 3.0], events=[ground, top],
                         rtol=1e-9, atol=1e-9)
    end = (3 + np.sqrt(9 + 2 * 9.81)) / 9.81
    assert r.status == 1 and r.success and abs(r.t[-1] - end) < 1e-8, r
    assert abs(r.t_events[0][0] - end) < 1e-8 and abs(r.t_events[1][0] - 3 / 9.81) < 1e-8
    assert abs(r.y_events[0][0][0]) < 1e-8 and len(r.t_events[1]) == 1

    class Own(Exception):
        pass

    def bad(t, y):
        raise Own
    for events in ([(bad, None)], [(lambda t, y: t - 0.5, bad)]):
        try:
            regula.Problem(lambda t, y: -y, [1.0], mass="identity", events=events).solve()
            raise AssertionError("nothing was raised")
        except Own:
            pass


@test
def versions_agree():
    printed = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert regula.__version__ in printed.stdout.split()
    text = (TOP / "python/regula/_version.py").read_text()
    assert f'"{regula.__version__}"' in text


@test
def every_function_is_exported():
    header = (TOP / "include/regula.h").read_text()
    for name in _library.FUNCTIONS:
        assert f"{name}(" in header, name


@test
def rows_are_those_of_the_command():
    model = regula.Model(PENDULUM)
    s = model.solve(points=5, tol=1e-7, native="off")
    told = command("solve", PENDULUM, "--points", 5, "--tol", "1e-7", "--native", "off", "--json")
    for row, point in enumerate(told["points"]):
        assert s.t[row] == point["t"]
        for name, value in point["values"].items():
            assert s[name][row] == value
    assert s.end == told["values"]
    mine = s.to_dict()
    assert [k for k in told if k not in mine] == []
    for key in ("index", "dof", "method", "steps", "estimate", "drift", "singular", "warnings"):
        assert mine[key] == told[key], key


@test
def check_is_that_of_the_command():
    found = regula.Model(PENDULUM).check()
    told = command("check", PENDULUM, "--json")
    assert (found.index, found.dof, found.unknowns) == (3, 2, 5)
    assert found.start == told["start"] and found.computed == told["computed"]
    printed = subprocess.run([COMMAND, "check", PENDULUM], capture_output=True, text=True, check=True)
    assert repr(found) == printed.stdout.rstrip()


@test
def arrays_come_as_arrays():
    s = regula.Model(text=ARRAY).solve(points=11)
    assert s["u"].shape == (11, 3) and s.u.shape == (11, 3)
    assert s["s"].shape == (11, 2, 2)
    assert np.allclose(s["u"][-1], np.exp(-2 * np.array([1, 2, 3])), atol=1e-5)
    assert np.array_equal(s["s"][:, 1, 0], s["s[2,0]"])
    assert "u" in s and "u[2]" in s and "v" not in s
    assert "u[1]" in str(raises(KeyError, lambda: s["v"]))
    raises(AttributeError, lambda: s.v)


@test
def parameters_and_interval():
    m = regula.Model(text=ARRAY)
    s = m.solve(set={"k": 3}, to=2, tol=1e-8)
    assert s.t[-1] == 2 and abs(s.end["u[1]"] - np.exp(-6)) < 1e-7
    assert m.interval == (0.0, 1.0)
    back = m.solve(from_=1, to=0, at=[0.25, 0.75])
    assert list(back.t) == [0.75, 0.25]
    raises(regula.OptionError, m.solve, set={"kk": 3})
    raises(regula.OptionError, m.solve, at=[3])
    raises(regula.OptionError, m.solve, points=1)


@test
def other_times_are_as_good_as_rows():
    m = regula.Model(text="var x = 1, y ~ 0\nx' = -0.1*x\ny = sin(20*t)\nover t = 0 .. 5\n")
    s = m.solve(tol=1e-9)
    t = np.linspace(0, 5, 51)
    assert np.abs(s(t)["y"] - np.sin(20 * t)).max() < 1e-9
    assert abs(s(3.7)["x"] - np.exp(-0.37)) < 1e-8 and np.ndim(s(3.7)["x"]) == 0
    assert s(s.t[3])["x"] == s["x"][3]


@test
def compare_and_order():
    m = regula.Model(PENDULUM)
    rows = m.compare(["radau", "srm:eps=1e-3"], to=1).rows
    assert [row["status"] for row in rows] == ["ok", "ok"]
    found = regula.Model(text="var x = 1\nx' = -x\nexact x = exp(-t)\nover t = 0 .. 1\n").order(
        "gauss", stages=2)
    assert found.theory == {"x": 4} and found.verdict["x"] in ("ok", "rounding")
    layers = regula.Model("examples/singpert/repulsive.rg")
    found = layers.order("turning-point", intervals=[32, 64], set={"eps": [1e-2, 1e-4]})
    assert abs(found.errors["u"][0] - 0.1265) < 1e-3 and found.eps == [1e-2, 1e-4]
    raises(regula.OptionError, layers.order, "turning-point", intervals=[32, 64.5])


@test
def sweeps():
    m = regula.Model(PENDULUM)
    s = m.sweep({"g": [9, 9.5], "m": "1,2"}, to=1, jobs=2)
    assert len(s) == s.ok == 4 and s.columns[:3] == ["run", "g", "m"]
    assert s["g"].tolist() == [9, 9, 9.5, 9.5] and s["m"].tolist() == [1, 2, 1, 2]
    one = m.solve(set={"g": 9.5, "m": 2}, to=1, at=[1])
    assert m.sweep({"g": [9, 9.5], "m": [1, 2]}, zip=True, to=1, at=[1])["p(1)"][1] == one["p"][-1]
    s = m.sweep({"l": [1, 2]}, to=1)
    assert s.status == ["ok", "failed"] and s.messages[1] and np.isnan(s["p"][1])
    assert s.statistics["p"]["mean"] == s["p"][0]
    raises(regula.OptionError, m.sweep, {"x": [1]})


@test
def errors_have_a_place_and_a_remedy():
    e = raises(regula.ModelError, regula.Model, text="var x = 1\nx' = -y\nover t = 0 .. 1\n")
    assert e.line == 2 and e.column == 7 and e.remedy and "y" in e.message
    raises(regula.ModelError, regula.Model, "no-such-file.rg")
    raises(regula.StructureError, regula.Model(text="var x, y\nx = 1\nx = 2\nover t = 0 .. 1\n").solve)
    raises(regula.InconsistentError,
           regula.Model(text="var x = 1, y = 2\nx' = -x\ny = x\nover t = 0 .. 1\n").solve)
    e = raises(regula.OptionError, regula.Model(PENDULUM).solve, tool=1e-3)
    assert "tol" in e.remedy
    raises(regula.MethodError, regula.Model(PENDULUM).solve, method="collocation")
    e = raises(regula.ConvergenceError,
               regula.Model(text="var x = 1\nx' = x^2\nover t = 0 .. 2\n").solve)
    assert 0.99 < e.t < 1.01 and e.partial.t[-1] > 0.9 and len(e.partial["x"]) == len(e.partial.t)


@test
def warnings_are_warnings():
    text = "var p ~ 0.9, q ~ -0.6, u ~ 0, v ~ 0, l ~ 0\np'' = -l*p\nq'' = -l*q - 9.81\n" \
           "u = p'\nv = q'\np^2 + q^2 = 1\nover t = 0 .. 0.1\n"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        regula.Model(text=text).solve()
    assert any(issubclass(w.category, regula.RegulaWarning) for w in told)


@test
def functions_as_models():
    def F(t, y, yp):
        return [yp[0] + y[0], y[1] - y[0] ** 2]

    for more in ({}, {"sparsity": [[1, 0], [1, 1]]},
                 {"jac": lambda t, y, yp, c: [[c + 1, 0], [-2 * y[0], 1]]},
                 {"jac": lambda t, y, yp, c: [[c + 1, 0], [-2 * y[0], 1]],
                  "sparsity": [[1, 0], [1, 1]]},
                 {"index": 1}, {"index": [1, 1]}, {"yp0": [-1, -2]}):
        r = regula.solve_dae(F, (0, 1), [1, np.nan], t_eval=[0.5, 1], rtol=1e-9, atol=1e-9, **more)
        assert r.success and np.allclose(r.y[:, 1], [np.exp(-1), np.exp(-2)], atol=1e-8), more
        assert r.y.shape == (2, 2) and r.yp.shape == (2, 2) and r.nfev > 0
        assert np.allclose(r.yp[0], -r.y[0], atol=1e-7)
    s = regula.Problem(F, [1, 1], (0, 1)).solve(tol=1e-8, points=3)
    assert s.columns == ["y[1]", "y[2]"] and s["y"].shape == (3, 2)


@test
def mass_matrix_and_drop_in():
    f = lambda t, y: [-y[0], y[1] - y[0] ** 2]  # noqa: E731
    r = regula.solve_dae(f, (0, 1), [1, 1], mass=[[1, 0], [0, 0]], rtol=1e-8, atol=1e-8)
    assert abs(r.y[1, -1] - np.exp(-2)) < 1e-7
    r = regula.solve_ivp(lambda t, y, a: -a * y, (0, 2), [1.0, 2.0], args=(3,), rtol=1e-8,
                         atol=1e-10, t_eval=np.linspace(0, 2, 5))
    assert np.allclose(r.y, np.outer([1, 2], np.exp(-3 * r.t)), rtol=1e-6)
    assert abs(regula.solve_ivp(lambda t, y: -y, (0, 1), [1.0]).sol(0.5)[0] - np.exp(-0.5)) < 1e-3
    raises(regula.OptionError, regula.Problem, f, [1, 1], mass="identity", events=[(f, "no")])


@test
def tolerances_of_single_unknowns():
    def f(t, y):
        return [-y[0], -1e-9 * y[1] + 1e-9 * np.cos(5 * t)]

    loose = regula.solve_ivp(f, (0, 5), [1.0, 0.0], rtol=1e-6, atol=1e-6)
    tight = regula.solve_ivp(f, (0, 5), [1.0, 0.0], rtol=1e-6, atol=[1e-6, 1e-17])
    assert tight.nfev > loose.nfev
    exact = 1e-9 * np.sin(5 * 5.0) / 5
    assert abs(tight.y[1, -1] - exact) < 1e-5 * abs(exact)


@test
def one_end_turns_nothing():
    m = regula.Model(text="var x = 1\nx' = -x\nover t = 0 .. 1\n")
    raises(regula.OptionError, m.solve, to=-1)
    raises(regula.OptionError, m.solve, from_=2)
    assert abs(m.solve(from_=0, to=-1).end["x"] - np.e) < 1e-5
    raises(regula.OptionError, regula.Model, text="var x = 1\nx' = -x\nover t = 0 .. 1\n\0")
    raises(regula.OptionError, regula.Model, text=b"var x = 1")


@test
def failures_in_functions():
    class Mine(Exception):
        pass

    def late(t, y, yp):
        if t > 0.5:
            raise Mine("late")
        return yp + y

    raises(Mine, regula.solve_dae, late, (0, 1), [1.0])
    raises(ValueError, regula.solve_dae, lambda t, y, yp: [1, 2, 3], (0, 1), [1.0])
    # one number is not repeated
    raises(ValueError, regula.solve_dae, lambda t, y, yp: [yp[0]], (0, 1), [1.0, 2.0])
    raises(ValueError, regula.solve_ivp, lambda t, y: -y[0], (0, 1), [1.0, 2.0])
    raises(ValueError, regula.Problem(lambda t, y: -y, [1.0, 2.0], (0, 1), mass="identity",
                                      events=[(lambda t, y: t - 0.5, lambda t, y: 3.0)]).solve)
    raises(TypeError, regula.solve_dae, lambda t, y: y, (0, 1), [1.0])
    raises((TypeError, ValueError), regula.solve_dae, lambda t, y, yp: "text", (0, 1), [1.0])
    raises((TypeError, ValueError), regula.solve_dae, lambda t, y, yp: None, (0, 1), [1.0])
    raises(regula.Error, regula.solve_dae, lambda t, y, yp: yp * np.nan, (0, 1), [1.0])
    raises(regula.OptionError, regula.solve_dae, late, (0, 1), [1.0], jac=lambda *a: [1, 2])
    raises(regula.OptionError, regula.solve_dae, late, (0, 1), [1.0], yp0=[1, 2])
    raises(ValueError, regula.solve_dae, lambda t, y, yp: y.__setitem__(0, 1), (0, 1), [1.0])
    half = regula.solve_dae(lambda t, y, yp: yp - y ** 2, (0, 2), [1.0])
    assert not half.success and 0.99 < half.t[-1] < 1.01 and half.message


@test
def a_solve_inside_a_function():
    inner = regula.Model(text="var x = 1\nx' = -x\nover t = 0 .. 1\n")

    def f(t, y, yp):
        return yp + y * inner.solve(estimate=False, to=0.5).end["x"]

    r = regula.solve_dae(f, (0, 0.1), [1.0], rtol=1e-3, atol=1e-3)
    assert abs(r.y[0, -1] - np.exp(-0.1 * np.exp(-0.5))) < 1e-3


@test
def threads_do_not_meet():
    m = regula.Model(PENDULUM)
    alone = m.solve(tol=1e-8, native="off").end
    ends = []
    workers = [threading.Thread(target=lambda: ends.append(m.solve(tol=1e-8, native="off").end))
               for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert ends == [alone] * 4


@test
def interrupts():
    long = "var x = 1, y = 0\nx' = y\ny' = -x\nover t = 0 .. 1e9\nsolve max_steps = 1e12\n"
    m = regula.Model(text=long)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    stop = raises(KeyboardInterrupt, m.solve, estimate=False, points=100)
    assert time.monotonic() - start < 5
    assert stop.partial is not None and stop.partial.t_end > 0

    def slow(t, y):
        return -y

    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    raises(KeyboardInterrupt, regula.solve_ivp, slow, (0, 1e9), [1.0], max_step=1e-3,
           max_steps=1e12)


@test
def objects_in_any_order():
    m = regula.Model(PENDULUM)
    s = m.solve(to=0.1, points=2)
    del m
    gc.collect()
    assert s.end["p"] < 1 and abs(s(0.05)["p"]) <= 1
    for _ in range(20):  # cycles through user functions, collected in any order
        box = []
        p = regula.Problem(lambda t, y, yp, b=box: yp + y, [1.0], (0, 0.1))
        box += [p, p.solve(tol=1e-3)]
        del p, box
    gc.collect()


@test
def no_leak():
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    m = regula.Model(text="var x = 1\nx' = -x\nover t = 0 .. 1\n")
    for _ in range(100):
        m.solve(estimate=False, tol=1e-3)
    gc.collect()
    before = resident()
    for _ in range(400):
        m.solve(estimate=False, tol=1e-3)
    gc.collect()
    assert resident() - before < 2e6, (resident() - before)


@test
def shows_itself():
    from xml.dom.minidom import parseString
    s = regula.Model(PENDULUM).solve(points=50, to=1)
    assert repr(s).count("\n") == 2
    parseString(s._repr_svg_())
    parseString(s._repr_html_())
    constant = regula.Model(text="title \"a < b & c\"\nvar x = 1\nx' = 0\nover t = 0 .. 1\n").solve()
    parseString(constant._repr_svg_())
    parseString(constant._repr_html_())
    assert parseString(s.svg(show="q:p", size=(80, 60))).documentElement.getAttribute("width") == "80mm"
    assert "tol" in regula.Model.solve.__doc__ and "h_max" in regula.Model.solve.__doc__


@test
def pages():
    m = regula.Model(PENDULUM)
    decay = regula.Model(text="var x = 1\nx' = -x\nover t = 0 .. 1\nexact x = exp(-t)\n")
    s = m.solve(points=50, to=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        for thing in (s, m.check(), decay.compare(["radau", "gauss"]), decay.order("gauss", stages=2)):
            thing.report(path)
            text = path.read_text()
            assert text.rstrip().endswith("</html>") and "http:" not in text.replace("http://www.w3.org", "")
            path.unlink()
        s.report(path)
        data = path.read_text().split('id="regula-data">')[1].split("</script>")[0]
        assert abs(json.loads(data)["series"]["p"][-1] - s.p[-1]) < 1e-5
        s.svg(path)
        assert path.read_text() == s.svg()
        try:
            s.report(Path(folder) / "missing" / "page.html")
            assert False
        except regula.Error as error:
            assert "missing" in error.message and error.remedy
        try:
            s.svg(show="nothing")
            assert False
        except regula.OptionError as error:
            assert "nothing" in error.message


@test
def files():
    s = regula.Model(PENDULUM).solve(points=5, native="off")
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = Path(folder) / "a.csv", Path(folder) / "b.csv"
        s.to_csv(mine)
        subprocess.run([COMMAND, "solve", PENDULUM, "--points", "5", "--native", "off", "--csv",
                        theirs], check=True, capture_output=True)
        assert mine.read_bytes() == theirs.read_bytes()
        raises(regula.Error, s.to_csv, Path(folder) / "no" / "a.csv")


@test
def boundary_values():
    text = "var y\ny'' = -y\nboundary y(0) = 0\nboundary y(1) = 1\nover t = 0 .. 1\n"
    s = regula.Model(text=text).solve(tol=1e-8, points=5)
    assert np.allclose(s["y"], np.sin(s.t) / np.sin(1), atol=1e-7)
    regula.Model(text=text).check()


@test
def recipes():
    """Every block of doc/python.md runs, in the order of the page, in one namespace."""
    blocks = (TOP / "doc/python.md").read_text().split("```python\n")[1:]
    assert len(blocks) >= 10
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pendulum.rg").write_text(PENDULUM.read_text())
        os.chdir(folder)
        try:
            space = {}
            for block in blocks:
                exec(compile(block.split("```")[0], "doc/python.md", "exec"), space)
        finally:
            os.chdir(here)


@test
def scripts():
    for script in sorted((TOP / "examples/python").glob("*.py")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, script], cwd=folder, check=True, capture_output=True,
                           env={**os.environ, "PYTHONPATH": str(TOP / "python")})


@test
def examples_to_the_last_bit():
    """All shipped models but those on grids with EXAMPLES=all (make test-all), else a few."""
    wanted = [f for f in sorted(TOP.glob("examples/*/*.rg")) if f.parent.name != "grids"]
    if os.environ.get("EXAMPLES") != "all":
        wanted = [f for f in wanted if f.parent.name in ("ivp", "bvp")][::6]
    for path in wanted:
        told = command("solve", path, "--json", "--no-estimate", "--native", "off")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                end = regula.Model(path).solve(estimate=False, native="off").end
        except regula.Error as error:
            assert told["status"] == "failed" and told["message"] == error.message, path
            continue
        for name, value in told["values"].items():
            assert end[name] == value or (value is None and np.isnan(end[name])), (path, name)


def main():
    bad = 0
    for function in TESTS:
        try:
            function()
        except BaseException as error:  # noqa: B902
            bad += 1
            where = error.__traceback__
            while where.tb_next is not None and where.tb_next.tb_frame.f_code.co_filename == __file__:
                where = where.tb_next
            print(f"{function.__name__}, line {where.tb_lineno}: {type(error).__name__}: {error}")
    print(f"{len(TESTS) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
