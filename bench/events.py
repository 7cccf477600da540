"""Events: 1e5 of the thermostat beside the same model without them, and what it takes to find one.
usage: events.py BUILD [--quick]"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

EVENTS = """param outside = 10, tau = 10, power = 2
state on = 1, T0 = 15, t0 = 0
var   T = 15
T' = -(T - outside)/tau + power*on
when "off" T > 21 { on = 0; T0 = 21; t0 = t }
when "on"  T < 19 { on = 1; T0 = 19; t0 = t }
over t = 0 .. 1
"""
SMOOTH = re.sub("when.*\n", "", EVENTS).replace("power*on", "power*on*(1 + sin(t))/2")
BETWEEN = 2.00671  # events: 10 log(11/9) apart
METHODS = ("radau", "bdf", "gauss", "dopri")
TIMES = 3  # the least of so many
LOOKS = 3.0
RATIO = 3.0


def words(program, model, end, *more):
    return [program, "solve", model, "--to", str(end), "--no-estimate", "--points", "2", "--native", "off",
            "--max_events", "1000000", *more]


def steps_of(command):
    done = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    return answer["statistics"]["steps"] if "statistics" in answer else answer["steps"], answer


def seconds(command):
    """Processor time."""
    best = float("inf")
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime)
    return best


def instructions(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          check=True, capture_output=True, text=True)
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))


def per_step(count, program, model, method, end):
    """What a step costs beyond the start-up of the program."""
    brief, whole = (words(program, model, t, "--method", method) for t in (10, end))
    return (count(whole) - count(brief)) / (steps_of(whole)[0] - steps_of(brief)[0])


def looks(program, method, end):
    """Conditions evaluated only to locate an event."""
    done = subprocess.run(words(program, "events.rg", end, "--method", method, "--verbose"), check=True,
                          capture_output=True, text=True)
    lines = re.findall(r"event at t = \S+, (\d+) looks so far", done.stderr)
    return int(lines[-1]) / len(lines)


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "regula")
    quick = "--quick" in sys.argv
    end = BETWEEN * (1e4 if quick else 1e5) + 4
    has_counter = shutil.which("valgrind") is not None
    ratio = {}
    print("| method | looks per event | processor time per step, us: events, smooth | ratio | instructions: ratio |")
    print("|---|---|---|---|---|")
    found = {}
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, text in (("events.rg", EVENTS), ("smooth.rg", SMOOTH)):
            with open(name, "w") as f:
                f.write(text)
        for method in METHODS:
            found[method] = looks(program, method, 4000)
            cost = [1e6 * per_step(seconds, program, m, method, end) for m in ("events.rg", "smooth.rg")]
            count = "-"
            ratio[method] = cost[0] / cost[1]
            if has_counter:
                both = [per_step(instructions, program, m, method, 2000) for m in ("events.rg", "smooth.rg")]
                ratio[method] = both[0] / both[1]
                count = f"{ratio[method]:.2f}"
            print(f"| {method} | {found[method]:.2f} | {cost[0]:.2f}, {cost[1]:.2f} | {cost[0] / cost[1]:.2f} | {count} |",
                  flush=True)
        total = steps_of(words(program, "events.rg", end, "--method", "radau"))[1]["events_total"]
        os.chdir("/")
    print("-- summary --")
    most = max(ratio, key=ratio.get)
    word = "met" if ratio[most] <= RATIO else "missed"
    print(f"target {word}: {total} events at most {RATIO:g} times the cost per step of the smooth model: "
          f"{ratio[most]:.2f} ({most})")
    worst = max(found, key=found.get)
    word = "met" if found[worst] <= LOOKS else "missed"
    print(f"target {word}: an event is located by at most {LOOKS:g} evaluations: {found[worst]:.2f} ({worst})")


main()
