"""Initial value problems: regula and its peers, work and digits; called by bench/run.

    python3 bench/ivp.py BUILD [--quick] [--resume] [--live FILE] [--only NAME]

Writes bench/results/ivp.csv (after every problem) and one diagram per problem and form; prints the ratios regula / best peer at 4, 6 and
8 digits.  --resume: rows of an interrupted run are kept."""
import argparse
import os

import ratios
import rows as tables
import svg
from problems import HERE, LARGE, SMALL
from regula_runs import measure, say

COLUMNS = ["problem", "formulation", "solver", "source", "n", "rtol", "status", "scd", "mescd", "steps", "rejected", "fevals",
           "jacs", "lus", "milliseconds", "instructions", "kilobytes", "label"]
RESULTS = os.path.join(HERE, "results")
WANTED = (4, 6, 8)
UNWATCHED, PROJECTED = "regula-unwatched", "regula-projected"
TARGETS = {6: 0.8, 8: 0.6}
WORST = 1.5
LARGE_TARGETS = [("fekete", "160", 4, "daspk", 1.0), ("fekete", "160", 6, "daspk", 1.0), ("fekete", "160", 8, "daspk", 1.0),
                 ("brus2d", "10092", 5, "ida_klu", 0.7), ("brus2d", "100467", 5, "ida_klu", 0.7)]


def tolerances(problem, quick):
    if quick:
        tight = [1e-10] if problem in SMALL and problem.name != "ringmod" else []
        return [1e-4, 1e-6, 1e-8] + tight
    return [10.0**-k for k in range(problem.first, 11) if 10.0**-k >= 0.9 * problem.floor]


def is_skipped(problem, quick):
    """About two minutes in the short mode: no solve of many seconds."""
    return quick and (problem.settings in (("N=33333",), ("N=183",)))


def variants(problem):
    """Beside the default, for index 2 and 3: without the watch for singular positions, as written and projected."""
    if problem.form in ("ode", "index1") or problem in LARGE:
        return []
    return [(UNWATCHED, ("native=on",), ("-u",)), (PROJECTED, ("native=on", "formulation=projected"), ())]


def measure_problem(build, problem, quick, kept):
    """Rows of one problem; kept: those of an earlier run, by solver and tolerance."""
    budget, limit = (0.05, 60) if quick else (0.3, 600)
    for rtol in tolerances(problem, quick):
        if quick and problem.name == "brus2d" and problem.settings == ("N=58",) and rtol < 1e-6:
            continue
        for solver, options, flags in [("regula", ("native=on",), ())] + variants(problem):
            row = kept.get((problem.label(), solver, f"{rtol:.0e}"))
            if row is None:
                row = measure(build, problem, rtol, solver, options, flags, budget=budget, limit=limit if solver == "regula" else 60)
                say(row)
            row["label"] = problem.label()
            yield row
            if solver == "regula" and row["status"] == "time":
                return


def measure_all(build, quick, only, kept, live):
    """All rows; the file is written after every problem.  Stopped: what there is."""
    rows = []
    try:
        for problem in SMALL + LARGE:
            if is_skipped(problem, quick) or (only and only not in problem.label()):
                continue
            for row in measure_problem(build, problem, quick, kept):
                rows.append(row)
            tables.write(os.path.join(RESULTS, "ivp.csv"), COLUMNS, rows + live)
    except tables.Stopped:
        print("The time is over: the other problems were not measured.", flush=True)
        tables.write(os.path.join(RESULTS, "ivp.csv"), COLUMNS, rows + live)
    return rows


def draw(rows):
    table = {}
    for row in rows:
        if ratios.is_usable(row):
            table.setdefault(ratios.key(row)[:2] + (str(row["n"]),), {}).setdefault(
                (row["solver"], row["source"]), []).append(row)
    merged = {}
    for (name, form, n), curves in table.items():  # second-order forms have other counts of states
        place = (name, form, n if name.startswith("brus") else "")
        merged.setdefault(place, {}).update(curves)
    for (name, form, n), curves in merged.items():
        if not any(solver == "regula" for solver, _ in curves):
            continue
        lines = []
        for (solver, source), runs in sorted(curves.items()):
            if source != "here" and (solver, "here") in curves:
                continue
            runs.sort(key=lambda r: -ratios.number(r, "rtol"))
            points = [(ratios.number(r, "mescd"), ratios.number(r, "milliseconds")) for r in runs]
            lines.append((solver, source, [p for p in points if p[1] > 0]))
        file = f"{name}-{form}{'-' + n if n else ''}.svg"
        svg.draw(os.path.join(RESULTS, file), f"{name} {form} {n}", lines)


def rows_of(rows, problem, n):
    same = [r for r in rows if r["problem"] == problem.name and r["formulation"] == problem.form]
    return [r for r in same if not problem.name.startswith("brus") or str(r.get("n", n)) == str(n)]


def ratio_table(mine, live, peers, factor, solver, missing):
    """Prints one line per problem; the ratios of the small ones, per number of digits."""
    small = {d: [] for d in WANTED}
    print(f"{'problem':24s}" + "".join(f"{str(d) + ' digits':>26s}" for d in WANTED))
    for problem in SMALL + LARGE:
        ours = [r for r in mine if r["label"] == problem.label()]
        if solver not in {r["solver"] for r in ours}:
            continue
        n = next((r["n"] for r in ours if "n" in r), "")
        rate = ratios.instruction_rate(peers, problem.name)
        cells = [ratios.compare(ours, rows_of(live, problem, n), rows_of(peers, problem, n), d, factor or 1.0, rate, solver)
                 for d in WANTED]
        label = f"{problem.name} {problem.form}" + (f" {n}" if problem.name.startswith("brus") else "")
        print(f"{label:24s}" + "".join(f"{c.text():>26s}" for c in cells))
        for d, cell in zip(WANTED, cells):
            if cell.ratio is None:
                missing.append(f"{label}, {d} digits, {solver}: {cell.best}")
            elif problem in SMALL:
                small[d].append((cell.ratio, label))
    return small


def means(small, with_targets):
    for d in WANTED:
        values = [r for r, _ in small[d]]
        if not values:
            continue
        worst, mean = max(small[d]), ratios.geometric_mean(values)
        above = [f"{label} {r:.2f}" for r, label in sorted(small[d], reverse=True) if r > WORST]
        print(f"{d} digits, n < 100: geometric mean {mean:.2f} over {len(values)}; largest {worst[0]:.2f} ({worst[1]});"
              f" {len(above)} above {WORST}")
        if with_targets and d in TARGETS:
            target(mean <= TARGETS[d], f"geometric mean at {d} digits {mean:.2f} over {len(values)} problems, at most {TARGETS[d]}")
            target(not above, f"{d} digits, none above {WORST}" + (": " + ", ".join(above) if above else ""))


def target(is_met, text):
    print(f"target {'open' if is_met is None else 'met' if is_met else 'missed'}: {text}")


def large_targets(mine, live, peers, factor):
    for name, n, digits, solver, most in LARGE_TARGETS:
        same = [[r for r in rows if r["problem"] == name and str(r.get("n")) == n] for rows in (mine, live, peers)]
        ratio = ratios.against(*same, digits, factor or 1.0, solver)
        shown = "not measured" if ratio is None else f"{ratio:.2f}"
        target(None if ratio is None else ratio <= most,
               f"{name}, n = {n}, {digits} digits: regula / {solver} {shown} (milliseconds), at most {most}")


def report(mine, live, peers):
    factor = ratios.machine_factor(live, peers)
    missing = []
    print("\n-- summary --")
    print("Regula / best peer: work for 4, 6 and 8 digits.  Instructions, where a solve takes less than 3 ms; else (ms).")
    print("~: the peer's figure is estimated, see bench/ratios.py.  Times on a machine with other load are noisy: trust counts first.")
    print(f"Speed of this machine for codes that do not run here: {factor or 1.0:.2f} times the milliseconds in peers.csv"
          f"{'' if factor else ' (not measured: no peer ran)'}.\n")
    small = ratio_table(mine, live, peers, factor, "regula", missing)
    print()
    means(small, True)
    large_targets(mine, live, peers, factor)
    for solver, text in ((UNWATCHED, "nobody watches for singular positions"), (PROJECTED, "--formulation projected")):
        print(f"\nIndex 2 and 3, {text}:")
        means(ratio_table(mine, live, peers, factor, solver, missing), False)
    if missing:
        print("\nMissing cells:")
        for line in missing:
            print("  " + line)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build")
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--resume", action="store_true")
    arguments.add_argument("--live", default="")
    arguments.add_argument("--only", default="")
    a = arguments.parse_args()
    tables.stop_on_limit()
    earlier = tables.read(os.path.join(RESULTS, "ivp.csv"), "here") if a.resume else []
    kept = {(r["label"], r["solver"], r["rtol"]): r for r in earlier if r.get("label")}
    live = tables.read(a.live, "here")
    mine = measure_all(a.build, a.quick, a.only, kept, live)
    peers = tables.read(os.path.join(HERE, "peers.csv"), "peers.csv")
    draw(mine + live + peers)
    report(mine, live, peers)


if __name__ == "__main__":
    main()
