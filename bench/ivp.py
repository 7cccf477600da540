"""Initial value problems: regula and its peers, work and digits; called by bench/run.

    python3 bench/ivp.py BUILD [--quick] [--live FILE] [--only NAME]

Writes bench/results/ivp.csv and one diagram per problem and form; prints the ratios regula / best peer at 4, 6 and 8 digits."""
import argparse
import csv
import os

import ratios
import svg
from problems import HERE, LARGE, SMALL
from regula_runs import measure, say

COLUMNS = ["problem", "formulation", "solver", "source", "n", "rtol", "status", "scd", "mescd", "steps", "rejected", "fevals",
           "jacs", "lus", "milliseconds", "instructions", "kilobytes"]
RESULTS = os.path.join(HERE, "results")
WANTED = (4, 6, 8)
UNWATCHED, PROJECTED = "regula-unwatched", "regula-projected"
TARGETS = {6: 0.8, 8: 0.6}
WORST = 1.5
LARGE_TARGETS = [("fekete", "160", 6, "daspk", 1.0), ("brus2d", "10092", 5, "ida_klu", 0.7), ("brus2d", "100467", 5, "ida_klu", 0.7)]


def read(path, source):
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["source"] = source
    return rows


def tolerances(problem, quick):
    if quick:
        tight = [1e-10] if problem in SMALL and problem.name != "ringmod" else []
        return [1e-4, 1e-6, 1e-8] + tight if problem.name != "ringmod_cs0" else [1e-8, 1e-10]
    return [10.0**-k for k in range(4, 11) if 10.0**-k >= 0.9 * problem.floor]


def is_skipped(problem, quick):
    """About two minutes in the short mode: no solve of many seconds."""
    return quick and (problem.settings in (("N=33333",), ("N=183",)))


def variants(problem):
    """Beside the default, for index 2 and 3: without the watch for singular positions, as written and projected."""
    if problem.form in ("ode", "index1") or problem in LARGE:
        return []
    return [(UNWATCHED, ("native=on",), ("-u",)), (PROJECTED, ("native=on", "formulation=projected"), ())]


def measure_all(build, quick, only):
    rows = []
    for problem in SMALL + LARGE:
        if is_skipped(problem, quick) or (only and only not in problem.label()):
            continue
        for rtol in tolerances(problem, quick):
            if quick and problem.name == "brus2d" and problem.settings == ("N=58",) and rtol < 1e-6:
                continue
            row = measure(build, problem, rtol, options=("native=on",), budget=0.05 if quick else 0.3,
                          limit=60 if quick else 600)
            rows.append(row)
            say(row)
            for solver, options, flags in variants(problem):
                other = measure(build, problem, rtol, solver, options, flags, budget=0.05 if quick else 0.3, limit=60)
                rows.append(other)
                say(other)
            if row["status"] == "time":
                break
    return rows


def write(rows):
    os.makedirs(RESULTS, exist_ok=True)
    with open(os.path.join(RESULTS, "ivp.csv"), "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for row in rows:
            shown = {k: (f"{v:.6g}" if isinstance(v, float) else v) for k, v in row.items()}
            out.writerow(shown)


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


def means(small, targets):
    for d in WANTED:
        values = [r for r, _ in small[d]]
        if not values:
            continue
        worst = max(small[d])
        target = f", target {TARGETS[d]}" if targets and d in TARGETS else ""
        above = sum(1 for v in values if v > WORST)
        print(f"{d} digits, n < 100: geometric mean {ratios.geometric_mean(values):.2f} over {len(values)}{target};"
              f" largest {worst[0]:.2f} ({worst[1]}); {above} above {WORST}")


def report(mine, live, peers):
    factor = ratios.machine_factor(live, peers)
    missing = []
    print("\nRegula / best peer: work for 4, 6 and 8 digits.  Instructions, where a solve takes less than 3 ms; else (ms).")
    print("~: the peer's figure is estimated, see bench/ratios.py.  Times on a machine with other load are noisy: trust counts first.")
    print(f"Speed of this machine for codes that do not run here: {factor or 1.0:.2f} times the milliseconds in peers.csv"
          f"{'' if factor else ' (not measured: no peer ran)'}.\n")
    small = ratio_table(mine, live, peers, factor, "regula", missing)
    print()
    means(small, True)
    for name, n, digits, solver, target in LARGE_TARGETS:
        same = [[r for r in rows if r["problem"] == name and str(r.get("n")) == n] for rows in (mine, live, peers)]
        ratio = ratios.against(*same, digits, factor or 1.0, solver)
        shown = "not measured" if ratio is None else f"{ratio:.2f}"
        print(f"{name}, n = {n}, {digits} digits: regula / {solver} {shown} (milliseconds), target {target}")
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
    arguments.add_argument("--live", default="")
    arguments.add_argument("--only", default="")
    a = arguments.parse_args()
    labels = {}
    for problem in SMALL + LARGE:
        labels.setdefault((problem.name, problem.form), []).append(problem)
    mine = measure_all(a.build, a.quick, a.only)
    for row in mine:
        same = labels[(row["problem"], row["formulation"])]
        row["label"] = same[0].label() if len(same) == 1 else next(
            (p.label() for p in same if str(row.get("n")) == str(3 * int(p.settings[0][2:])**int(p.name[4]))), "")
    live = read(a.live, "here")
    peers = read(os.path.join(HERE, "peers.csv"), "peers.csv")
    write(mine + live)
    draw(mine + live + peers)
    report(mine, live, peers)


if __name__ == "__main__":
    main()
