"""Runs of regula: one row per problem, method and tolerance, as in peers.csv."""
import math
import os
import re
import subprocess
import sys

from problems import TOP, digits

FEW_MS = 3.0  # below, instructions are counted


def command(build, problem, rtol, extra):
    args = [os.path.join(build, "bench/bench_ivp"), "-r", repr(rtol), "-a", repr(rtol * problem.atol_factor),
            "-v", " ".join(problem.names)]
    for setting in problem.settings:
        args += ["-s", setting]
    return args + extra + [problem.model]


def run(args, limit):
    try:
        return subprocess.run(args, cwd=TOP, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None


def count_instructions(args, limit):
    """Instructions inside bench_integrate, by callgrind; None where it cannot be had."""
    done = run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=bench_integrate",
                "--callgrind-out-file=/dev/null"] + args, limit)
    found = done and re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found else None


def measure(build, problem, rtol, solver="regula", options=(), flags=(), budget=0.2, limit=120.0, few=4 * FEW_MS):
    """One row; status 'failed' or 'time' has no figures.  Instructions are counted below `few` milliseconds."""
    extra = [x for option in options for x in ("-o", option)] + list(flags)
    row = {"problem": problem.name, "formulation": problem.form, "solver": solver, "rtol": f"{rtol:.0e}",
           "status": "time", "source": "here"}
    done = run(command(build, problem, rtol, extra + ["-k", str(budget)]), limit)
    if done is None:
        return row
    words = done.stdout.split()
    if not words or words[0] != "ok":
        row["status"] = "failed"
        row["message"] = (done.stderr.strip().splitlines() or [""])[0]
        return row
    values = dict(w.split("=") for w in words[9:])
    values = {k: float(v) for k, v in values.items()}
    keys = ("n", "steps", "rejected", "fevals", "jacs", "lus")
    row.update({k: int(w) for k, w in zip(keys, words[1:7])})
    row["milliseconds"], row["kilobytes"] = float(words[7]), int(words[8])
    row["mescd"] = digits(problem, values, problem.atol_factor)
    row["scd"] = digits(problem, values, 0.0)
    row["status"] = "ok" if math.isfinite(row["mescd"]) and row["mescd"] > 0.5 else "wrong"
    if row["milliseconds"] < few:
        row["instructions"] = count_instructions(command(build, problem, rtol, extra + ["-1"]), max(limit, 0.5 * few))
    return row


def say(row):
    counted = f" {row['instructions'] / 1e6:9.3f} M" if row.get("instructions") else ""
    if row["status"] in ("ok", "wrong"):
        text = (f"{row['mescd']:5.1f} digits {row['steps']:7d} steps {row['fevals']:8d} evaluations"
                f" {row['lus']:6d} factorizations {row['milliseconds']:10.4g} ms{counted}")
    else:
        text = row["status"] + " " + row.get("message", "")
    label = f"{row['problem']} {row['formulation']} {row.get('n', '')}"
    print(f"{label:26s} {row['solver']:12s} {row['rtol']} {text}", flush=True)
    sys.stdout.flush()
