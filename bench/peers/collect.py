"""Runs the peers' programs and writes one row per run, as in peers.csv:  collect.py FOLDER OUTPUT.csv [--quick] [--resume]

The file is written after every problem; --resume keeps the rows of an interrupted run."""
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import rows as tables  # noqa: E402
from problems import LARGE, SMALL, digits  # noqa: E402

COLUMNS = ["problem", "formulation", "solver", "n", "rtol", "status", "scd", "mescd", "steps", "rejected", "fevals", "jacs",
           "lus", "milliseconds", "instructions", "label"]
# The order of the values that the programs print, where it is not that of the problem.
ORDER = {"ringmod_cs0": [f"y{i}" for i in (1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3, 4, 5, 6)]}
KEYS = ("n", "steps", "rejected", "fevals", "jacs", "lus", "milliseconds")


def make_row(problem, solver, rtol, words):
    """words: status n steps rejected evaluations jacobians factorizations milliseconds values ..."""
    row = {"problem": problem.name, "formulation": problem.form, "solver": solver, "rtol": f"{rtol:.0e}", "status": "failed",
           "label": problem.label()}
    if len(words) < 8 or words[0] != "ok":
        if len(words) > 1:
            row["n"] = words[1]
        return row
    row.update({k: w for k, w in zip(KEYS, words[1:8]) if w != "nan"})
    values = dict(zip(ORDER.get(problem.name, problem.names), (float(w) for w in words[8:])))
    row["mescd"], row["scd"] = digits(problem, values, problem.atol_factor), digits(problem, values, 0.0)
    row["status"] = "ok" if math.isfinite(row["mescd"]) and row["mescd"] > 0.5 else "wrong"
    return row


def say(row):
    found = f"{row['mescd']:5.1f} digits {row['steps']:>8} steps {row['fevals']:>9} evaluations {float(row['milliseconds']):10.4g} ms" \
        if row["status"] in ("ok", "wrong") else row["status"]
    label = f"{row['problem']} {row['formulation']} {row.get('n', '')}"
    print(f"{label:26s} {row['solver']:12s} {row['rtol']} {found}", flush=True)


def tightest(problem, quick):
    """Beyond, IDA needs minutes or fails (peers.csv)."""
    if quick and problem.settings == ("N=58",):
        return 0.9e-6
    limits = {("pendulum", "index3"): 0.9e-5, ("caraxis", "index3"): 0.9e-5, ("transamp", "index1"): 0.9e-8,
              ("ringmod", "ode"): 0.9e-9}
    return limits.get((problem.name, problem.form), 0.9 * problem.floor)


def run_ida(folder, problem, rtol, quick):
    is_sparse = problem.name.startswith("brus")
    form = problem.settings[0][2:] if is_sparse else problem.form
    args = [os.path.join(folder, "ida"), problem.name, form, repr(rtol), "0.05" if quick else "0.3"]
    try:
        done = subprocess.run(args, capture_output=True, text=True, timeout=60 if quick else 600, check=False)
    except subprocess.TimeoutExpired:
        return None
    return make_row(problem, "ida_klu" if is_sparse else "ida", rtol, done.stdout.split())


def run_desolve(folder, problem, tols, quick):
    """R starts once per problem; a crash or a time limit costs that problem only."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "desolve.R")
    args = ["Rscript", script, os.path.join(folder, "peermodels.so"), ",".join(map(repr, tols)), problem.name, problem.form]
    try:
        out = subprocess.run(args, capture_output=True, text=True, timeout=60 if quick else 300, check=False).stdout
    except subprocess.TimeoutExpired as e:
        out = (e.stdout or b"").decode()
    for line in out.splitlines():
        words = line.split()
        if len(words) > 4 and words[0] in ("radau5", "daspk"):
            yield make_row(problem, words[0], float(words[3]), words[4:])


def runs_of(folder, problem, quick):
    """All peers that are here, on one problem."""
    tols = [10.0**-k for k in (range(4, 9, 2) if quick else range(problem.first, 11))]
    is_sparse = problem.name.startswith("brus")
    if os.path.exists(os.path.join(folder, "ida")):
        for rtol in tols:
            row = run_ida(folder, problem, rtol, quick) if rtol >= tightest(problem, quick) else None
            if row is not None:
                yield row
    if not is_sparse and os.path.exists(os.path.join(folder, "has_desolve")):
        yield from run_desolve(folder, problem, tols, quick)


def is_wanted(problem, quick):
    """The short mode: where milliseconds count."""
    if not quick:
        return True
    return problem.name in ("chemakzo", "transamp", "fekete") or problem.settings in (("N=333",), ("N=3333",), ("N=18",), ("N=58",))


def main():
    folder, output, quick = sys.argv[1], sys.argv[2], "--quick" in sys.argv
    rows = tables.read(output, "here") if "--resume" in sys.argv else []
    finished = {row.get("label") for row in rows}
    tables.stop_on_limit()
    try:
        for problem in SMALL + LARGE:
            if not is_wanted(problem, quick) or problem.label() in finished:
                continue
            for row in runs_of(folder, problem, quick):
                rows.append(row)
                say(row)
            tables.write(output, COLUMNS, rows)
    except tables.Stopped:
        print("The time is over: the other problems were not run.", flush=True)


if __name__ == "__main__":
    main()
