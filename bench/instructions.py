"""Instructions of regula's small initial value problems, before and after a change; callgrind alone, no times.

    python3 bench/instructions.py BUILD RESULT.json [PROBLEM ...]   counts (2 runs at a time, about two minutes)
    python3 bench/instructions.py --show AFTER.json [BEFORE.json]   per run and tolerance, then ratios to the best peer

The ring modulators, which take minutes under callgrind, are left out."""
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import ivp
import ratios
import rows as tables
from problems import HERE, SMALL, digits
from regula_runs import command, run

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
COUNTED = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=bench_integrate",
           "--callgrind-out-file=/dev/null"]


def count(build, problem, tol):
    done = run(COUNTED + command(build, problem, tol, ["-o", "native=on", "-1"]), 600)
    words = done.stdout.split() if done else []
    row = {"problem": problem.name, "formulation": problem.form, "label": problem.label(), "solver": "regula",
           "rtol": f"{tol:.0e}", "status": "failed"}
    if not words or words[0] != "ok":
        return row
    values = {k: float(v) for k, v in (w.split("=") for w in words[9:])}
    row.update({k: int(w) for k, w in zip(("n", "steps", "rejected", "fevals", "jacs", "lus"), words[1:7])})
    row["instructions"] = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
    row["milliseconds"] = 1e-3  # compare() takes instructions then
    row["mescd"], row["status"] = digits(problem, values, problem.atol_factor), "ok"
    return row


def count_all(build, file, only):
    jobs = [(build, p, tol) for p in SMALL for tol in TOLERANCES
            if not p.name.startswith("ringmod") and (not only or any(o in p.label() for o in only))]
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda job: count(*job), jobs))
    with open(file, "w", encoding="utf-8") as out:
        json.dump(rows, out)


def read(file):
    with open(file, encoding="utf-8") as source:
        return json.load(source)


def show_runs(after, before):
    known = {(r["label"], r["rtol"]): r for r in before}
    for r in after:
        q = known.get((r["label"], r["rtol"]), r)
        if "failed" in (r["status"], q["status"]):
            print(f"{r['label']:18s} {r['rtol']} before {q['status']}, after {r['status']}")
            continue
        print(f"{r['label']:18s} {r['rtol']} digits {q['mescd']:4.1f} {r['mescd']:4.1f}  steps {q['steps']}+{q['rejected']}"
              f" {r['steps']}+{r['rejected']}  evaluations {q['fevals']} {r['fevals']}  M instructions"
              f" {q['instructions'] / 1e6:.3f} {r['instructions'] / 1e6:.3f} {r['instructions'] / q['instructions']:.3f}")


def show_ratios(after, before):
    peers = tables.read(os.path.join(HERE, "peers.csv"), "peers.csv")
    found = {d: [] for d in ivp.WANTED}
    for p in SMALL:
        pair = [[r for r in rows if r["label"] == p.label() and r["status"] == "ok"] for rows in (before, after)]
        if not all(pair):
            continue
        line, rate = f"{p.label():18s}", ratios.instruction_rate(peers, p.name)
        for d in ivp.WANTED:
            cells = [ratios.compare(rows, [], ivp.rows_of(peers, p, rows[0]["n"]), d, 1.0, rate) for rows in pair]
            if all(c.ratio for c in cells):
                found[d].append([c.ratio for c in cells])
                line += f"  {d}: {cells[0].ratio:.2f} -> {cells[1].ratio:.2f} {cells[1].best}"
        print(line)
    for d, pairs in found.items():
        means = [ratios.geometric_mean([pair[k] for pair in pairs]) for k in (0, 1)]
        print(f"{d} digits: geometric mean {means[0]:.3f} -> {means[1]:.3f} over {len(pairs)}")


if __name__ == "__main__":
    if sys.argv[1] == "--show":
        rows_after = read(sys.argv[2])
        rows_before = read(sys.argv[3]) if len(sys.argv) > 3 else rows_after
        show_runs(rows_after, rows_before)
        show_ratios(rows_after, rows_before)
    else:
        count_all(sys.argv[1], sys.argv[2], sys.argv[3:])
