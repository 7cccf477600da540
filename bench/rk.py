"""Half-explicit, extrapolation and Rosenbrock methods beside radau: instructions at 4, 6 and 8 digits.

Digits are mescd at the end of the interval.  Problems without a stored reference are measured against radau with a tight
tolerance.  Targets: half-explicit at most 0.8 of radau's instructions on Andrews and N-four-bar (N = 40) at 4 and 6 digits, linear in n on the chain;
rosenbrock at 4 digits on index 1 at most RODAS of peers.csv."""
import csv
import os
import sys

import problems
import ratios
from problems import HERE, Problem
from regula_runs import command, measure, run, say

WANTED = (4, 6, 8)
MECHANICS = (("radau", ()), ("half-explicit 4", ("method=half-explicit", "order=4")),
             ("half-explicit 5", ("method=half-explicit",)), ("extrapolation", ("method=extrapolation",)))
STIFF = (("radau", ()), ("rosenbrock", ("method=rosenbrock",)), ("extrapolation", ("method=extrapolation",)))


def stored(name, form):
    return next(p for p in problems.SMALL if p.name == name and p.form == form)


def with_reference(build, problem):
    """Takes the reference from a run of radau at 1e-11."""
    done = run(command(build, problem, 1e-11, ["-1"]), 300)
    words = done.stdout.split() if done else []
    if not words or words[0] != "ok":
        return None
    values = dict(w.split("=") for w in words[9:])
    problems.REFERENCES[problem.reference] = {k: float(values[name]) for k, name in enumerate(problem.names)}
    return problem


def chain(n):
    return Problem(f"chain{n}", "index3", "examples/ivp/chain.rg", [f"x[{n}]", f"y[{n}]"], settings=(f"N={n}",))


def measure_all(build, problem, methods, quick):
    rows = []
    for solver, options in methods:
        for k in range(3, 8 if quick else 12):
            row = measure(build, problem, 10.0 ** -k, solver=solver, options=options, limit=60.0)
            say(row)
            rows.append(row)
            if row["status"] == "time" or row.get("mescd", 0) > WANTED[-1] + 1:
                break
    return rows


def work(rows, solver, wanted):
    runs = [r for r in rows if r["solver"] == solver and ratios.is_usable(r)]
    unit = "instructions" if all(r.get("instructions") for r in runs) else "milliseconds"
    return ratios.work_at([(r["mescd"], ratios.number(r, unit)) for r in runs], wanted), unit


def table(problem, rows, methods):
    found = {}
    for solver, _ in methods[1:]:
        cells = []
        for d in WANTED:
            mine, base = work(rows, solver, d), work(rows, "radau", d)
            ratio = mine[0] / base[0] if mine[0] and base[0] and mine[1] == base[1] else None
            found[solver, d] = ratio
            cells.append("-" if ratio is None else f"{ratio:.2f}")
        print(f"{problem.name:14s} {solver:16s}" + "".join(f"{c:>10s}" for c in cells))
    return found


def target(value, most, text):
    word = "open" if value is None else "met" if value <= most else "missed"
    print(f"target {word}: {text} {'not measured' if value is None else f'{value:.2f}'}, at most {most}")


def rodas_target(problem, rows):
    with open(os.path.join(HERE, "peers.csv"), encoding="utf-8") as file:
        peers = list(csv.DictReader(file))
    rate = ratios.instruction_rate(peers, problem.name)
    theirs = [r for r in peers if r["problem"] == problem.name and r["solver"] == "rodas" and ratios.is_usable(r)]
    points = [(ratios.number(r, "mescd"), ratios.number(r, "milliseconds") * rate) for r in theirs] if rate else []
    other, mine = ratios.work_at(points, 4), work(rows, "rosenbrock", 4)
    ratio = mine[0] / other if mine[0] and other and mine[1] == "instructions" else None
    target(ratio, 1.0, f"{problem.name}, 4 digits: rosenbrock / RODAS of peers.csv (instructions, those estimated)")


def main():
    build, quick = sys.argv[1], "--quick" in sys.argv
    lines = []
    list_of = [stored("andrews", "index3"), stored("caraxis", "index3"),
               with_reference(build, Problem("n-four-bar", "index3", "examples/singular/four-bar.rg", ["x[0]", "y[0]"],
                                             settings=("N=40",))),
               with_reference(build, Problem("slider-crank", "index3", "examples/ivp/slider-crank.rg", ["x1", "y1"]))]
    for problem in filter(None, list_of):
        rows = measure_all(build, problem, MECHANICS, quick)
        lines.append((problem, rows, MECHANICS))
    chains = [] if quick else [p for p in (with_reference(build, chain(n)) for n in (250, 1000)) if p]
    for problem in chains:
        lines.append((problem, measure_all(build, problem, MECHANICS[:1] + MECHANICS[2:3], True), MECHANICS[:1] + MECHANICS[2:3]))
    stiff = [stored("transamp", "index1"), stored("robertson", "index1")]
    for problem in stiff:
        lines.append((problem, measure_all(build, problem, STIFF, quick), STIFF))
    print("\n-- summary --\nwork beside radau at equal digits" + " " * 8 + "".join(f"{d:>3d} digits" for d in WANTED))
    for problem, rows, methods in lines:
        found = table(problem, rows, methods)
        if problem.name in ("andrews", "n-four-bar"):
            for d in (4, 6):
                best = min((found[s, d] for s in ("half-explicit 4", "half-explicit 5") if found[s, d]), default=None)
                target(best, 0.8, f"{problem.name}, {d} digits: half-explicit / radau (instructions)")
        if problem in stiff:
            rodas_target(problem, rows)
    if len(chains) == 2:
        a, b = (work(rows, "half-explicit 5", 4)[0] for p, rows, _ in lines if p in chains)
        target(b / a / 4 if a and b else None, 1.5, "chain, n = 1000 beside 250: half-explicit per element")


main()
