"""Runs the peers' programs and writes one row per run, as in peers.csv:  collect.py FOLDER OUTPUT.csv [--quick]"""
import csv
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from problems import LARGE, SMALL, digits  # noqa: E402

COLUMNS = ["problem", "formulation", "solver", "n", "rtol", "status", "scd", "mescd", "steps", "rejected", "fevals", "jacs",
           "lus", "milliseconds", "instructions"]
DENSE = ("chemakzo", "transamp", "robertson", "vdpol", "hires", "pendulum", "ringmod", "fekete")
KEYS = ("n", "steps", "rejected", "fevals", "jacs", "lus", "milliseconds")


def make_row(problem, solver, rtol, words):
    """words: status n steps rejected evaluations jacobians factorizations milliseconds values ..."""
    row = {"problem": problem.name, "formulation": problem.form, "solver": solver, "rtol": f"{rtol:.0e}", "status": "failed"}
    if len(words) < 8 or words[0] != "ok":
        if len(words) > 1:
            row["n"] = words[1]
        return row
    row.update({k: w for k, w in zip(KEYS, words[1:8]) if w != "nan"})
    values = dict(zip(problem.names, (float(w) for w in words[8:])))
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
    limits = {("pendulum", "index3"): 0.9e-5, ("transamp", "index1"): 0.9e-8}
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


def run_desolve(folder, problems, tols, quick):
    """R starts once per problem; a crash or a time limit costs that problem only."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "desolve.R")
    for problem in problems:
        args = ["Rscript", script, os.path.join(folder, "peermodels.so"), ",".join(map(repr, tols)), problem.name, problem.form]
        try:
            out = subprocess.run(args, capture_output=True, text=True, timeout=60 if quick else 600, check=False).stdout
        except subprocess.TimeoutExpired as e:
            out = (e.stdout or b"").decode()
        for line in out.splitlines():
            words = line.split()
            if len(words) > 4 and words[0] in ("radau5", "daspk"):
                yield make_row(problem, words[0], float(words[3]), words[4:])


def main():
    folder, output, quick = sys.argv[1], sys.argv[2], "--quick" in sys.argv
    wanted = ("chemakzo", "transamp", "fekete") if quick else DENSE  # the short mode: where milliseconds count
    dense = [p for p in SMALL + LARGE if p.name in wanted]
    sparse = [p for p in LARGE if p.name.startswith("brus")]
    tols = [1e-4, 1e-6, 1e-8] if quick else [10.0**-k for k in range(4, 11)]
    rows = []

    def keep(row):
        if row is not None:
            rows.append(row)
            say(row)

    if os.path.exists(os.path.join(folder, "ida")):
        for p in dense + sparse:
            if quick and p.settings in (("N=33333",), ("N=183",)):
                continue
            for rtol in tols:
                if rtol >= tightest(p, quick):
                    keep(run_ida(folder, p, rtol, quick))
    if os.path.exists(os.path.join(folder, "has_desolve")):
        for row in run_desolve(folder, dense, tols, quick):
            keep(row)
    with open(output, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for row in rows:
            out.writerow({k: (f"{v:.6g}" if isinstance(v, float) else v) for k, v in row.items()})


if __name__ == "__main__":
    main()
