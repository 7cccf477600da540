"""Half-explicit, extrapolation and Rosenbrock methods beside radau: instructions at 4, 6 and 8 digits.

Digits are mescd at the end of the interval.  Problems without a stored reference are measured against radau with a tight
tolerance.  Mechanics run as loaded; stiff problems with compiled equations (native=on), which is what the peers had.
A second table has the best stored peer of the same form (peers.csv), where instructions were counted.
Targets: half-explicit at most 0.8 of radau's instructions on Andrews and N-four-bar (N = 40) at 4 and 6 digits; on the
chain the time of a step linear in n; rosenbrock at 4 digits on index 1 at most RODAS of peers.csv, auto at most 0.9 of it
on Robertson, van der Pol, HIRES and Chemical Akzo; where the loosest run of either has more digits, at these.

    python3 bench/rk.py BUILD [--quick] [PROBLEM ...]     all of them, or those named"""
import csv
import os
import sys

import problems
import ratios
from problems import HERE, Problem
from regula_runs import command, measure, run, say

WANTED = (4, 6, 8)
MECHANICS = (("radau", ()), ("half-explicit 4", ("method=half-explicit", "order=4")),
             ("half-explicit 5", ("method=half-explicit",)), ("extrapolation", ("method=extrapolation",)),
             ("rosenbrock", ("method=rosenbrock",)))
STIFF = (("radau", ("method=radau", "native=on")), ("rosenbrock", ("method=rosenbrock", "native=on")),
         ("extrapolation", ("method=extrapolation", "native=on")))
LOOSE = (("radau", ("method=radau", "native=on")), ("auto", ("native=on",)))
LONG_MS = {"chain": 20000.0}  # no tighter tolerance behind a run of this length ...
LONG = 2000.0  # ... of any other problem
COUNTED_MS = 2000.0  # N-four-bar: instructions are counted up to this length, which takes a minute


def stored(name, form):
    return next(p for p in problems.SMALL if p.name == name and p.form == form)


def with_reference(build, problem, rtol=1e-11):
    """Takes the reference from a run of radau at this tolerance."""
    done = run(command(build, problem, rtol, ["-1", "-o", "method=radau"]), 600)
    words = done.stdout.split() if done else []
    if not words or words[0] != "ok":
        return None
    values = dict(w.split("=") for w in words[9:])
    problems.REFERENCES[problem.reference] = {k: float(values[name]) for k, name in enumerate(problem.names)}
    return problem


def links(n):
    return Problem("chain", "index3", "examples/ivp/chain.rg", [f"x[{n}]", f"y[{n}]"], settings=(f"N={n}",))


def chain(build, method):
    """Milliseconds per attempted step with 250 and 1000 links at 1e-4, per link; None where a run fails."""
    found = []
    for n in (250, 1000):
        done = run(command(build, links(n), 1e-4, ["-1", "-o", f"method={method}"]), 300)
        words = done.stdout.split() if done else []
        if not words or words[0] != "ok":
            return None
        steps = int(words[2]) + int(words[3])
        print(f"chain, N = {n:4d}, {method}: {steps} steps of {float(words[7]) / steps:.3g} ms, {words[4]} evaluations", flush=True)
        found.append(float(words[7]) / steps / n)
    return found[1] / found[0]


def measure_all(build, problem, methods, quick):
    rows = []
    long = LONG_MS.get(problem.name, LONG)
    counted = {"few": COUNTED_MS} if problem.name == "n-four-bar" and not quick else {}
    for solver, options in methods:
        for k in range(3, 8 if quick else 12):
            row = measure(build, problem, 10.0 ** -k, solver=solver, options=options, budget=0.05,
                          limit=max(30.0, 3e-3 * long), **counted)
            say(row)
            rows.append(row)
            done = row["status"] == "time" or row.get("mescd", 0) > WANTED[-1]
            if done or row.get("milliseconds", 0) > long:
                break
    return rows


def work(rows, solver, wanted, unit):
    runs = [r for r in rows if r["solver"] == solver and ratios.is_usable(r)]
    return ratios.work_at([(r["mescd"], ratios.number(r, unit)) for r in runs], wanted)


def beside_radau(rows, solver, wanted):
    """By instructions, where both have been counted, or by time."""
    for unit in ("instructions", "milliseconds"):
        mine, base = work(rows, solver, wanted, unit), work(rows, "radau", wanted, unit)
        if mine and base:
            return mine / base
    return None


def table(problem, rows, methods):
    found = {}
    for solver, _ in methods[1:]:
        for d in WANTED:
            found[solver, d] = beside_radau(rows, solver, d)
        cells = ["-" if found[solver, d] is None else f"{found[solver, d]:.2f}" for d in WANTED]
        print(f"{problem.name:14s} {solver:16s}" + "".join(f"{c:>10s}" for c in cells))
    return found


def read_peers():
    with open(os.path.join(HERE, "peers.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def beside_peers(problem, rows, methods, peers):
    """Instructions beside those of the best stored peer of the same form; ~: its count is estimated."""
    there = [r for r in peers if (r["problem"], r["formulation"]) == (problem.name, problem.form)]
    rate = ratios.instruction_rate(peers, problem.name)
    for solver, _ in methods if there else ():
        cells = []
        for d in WANTED:
            mine = work(rows, solver, d, "instructions")
            found = []
            for name, runs in ratios.by_solver(there).items():
                points, is_estimated = ratios.fill_instructions(runs, rate)
                theirs = ratios.work_at(points, d)
                if theirs:
                    found.append((theirs, name, "~" if is_estimated else ""))
            cells.append(f"{min(found)[2]}{mine / min(found)[0]:.2f} {min(found)[1]}" if mine and found else "-")
        print(f"{problem.name:14s} {solver:16s}" + "".join(f"{c:>16s}" for c in cells))


def target(value, most, text):
    word = "open" if value is None else "met" if value <= most else "missed"
    print(f"target {word}: {text} {'not measured' if value is None else f'{value:.2f}'}, at most {most}")


def rodas_target(problem, rows, solver, most):
    peers = read_peers()
    rate = ratios.instruction_rate(peers, problem.name)
    theirs = [r for r in peers if r["problem"] == problem.name and r["solver"] == "rodas" and ratios.is_usable(r)]
    points = [(ratios.number(r, "mescd"), ratios.number(r, "milliseconds") * rate) for r in theirs] if rate else []
    ours = [ratios.number(r, "mescd") for r in rows if r["solver"] == solver and ratios.is_usable(r)]
    wanted = max(4.0, min((d for d, _ in points), default=4.0), min(ours, default=4.0))
    other, mine = ratios.work_at(points, wanted), work(rows, solver, wanted, "instructions")
    ratio = mine / other if mine and other else None
    target(ratio, most, f"{problem.name}, {wanted:.1f} digits: {solver} / RODAS of peers.csv (instructions, those estimated)")


def mechanics(build, quick, is_asked):
    four_bar = Problem("n-four-bar", "index3", "examples/singular/four-bar.rg", ["x[0]", "y[0]"], settings=("N=40",))
    crank = Problem("slider-crank", "index3", "examples/ivp/slider-crank.rg", ["x1", "y1"])
    known = [(p, 1e-11) for p in (four_bar, crank) if is_asked(p)]
    if not quick and is_asked(links(1000)):
        known.append((links(1000), 1e-9))
    found = [with_reference(build, p, rtol) for p, rtol in known]
    return [p for p in (stored("andrews", "index3"), stored("caraxis", "index3")) if is_asked(p)] + [p for p in found if p]


def main():
    build, quick = sys.argv[1], "--quick" in sys.argv
    only = [a for a in sys.argv[2:] if not a.startswith("-")]

    def is_asked(problem):
        return not only or problem.name in only

    stiff = [stored("transamp", "index1"), stored("robertson", "index1"), stored("chemakzo", "index1")]
    loose = [stored("robertson", "index1"), stored("vdpol", "ode"), stored("hires", "ode"), stored("chemakzo", "index1")]
    lines = [(p, measure_all(build, p, MECHANICS, quick), MECHANICS) for p in mechanics(build, quick, is_asked)]
    lines += [(p, measure_all(build, p, STIFF, quick), STIFF) for p in stiff if is_asked(p)]
    few = [(p, measure_all(build, p, LOOSE, True)) for p in loose if is_asked(p)]
    is_chain = not quick and is_asked(links(1000))
    per_step = chain(build, "half-explicit") if is_chain else None
    print("\n-- summary --\nwork beside radau at equal digits" + " " * 8 + "".join(f"{d:>3d} digits" for d in WANTED))
    for problem, rows, methods in lines:
        found = table(problem, rows, methods)
        if problem.name in ("andrews", "n-four-bar"):
            for d in (4, 6):
                best = min((found[s, d] for s in ("half-explicit 4", "half-explicit 5") if found[s, d]), default=None)
                target(best, 0.8, f"{problem.name}, {d} digits: half-explicit / radau (work)")
        if problem in stiff:
            rodas_target(problem, rows, "rosenbrock", 1.0)
    print("\nbeside the best stored peer" + " " * 4 + "".join(f"{d:>9d} digits" for d in WANTED))
    for problem, rows, methods in lines:
        beside_peers(problem, rows, methods, read_peers())
    for problem, rows in few:
        rodas_target(problem, rows, "auto", 0.9)
    if is_chain:
        target(per_step, 1.2, "chain, 1000 links beside 250: time of a half-explicit step per link")


main()
