"""Cost over the tolerance: no tolerance should cost more than the next tighter one.

    python3 bench/tolerances.py BUILD [--quick]      all models of examples/ivp at 1e-3 .. 1e-10, a minute

Evaluations of `regula solve --no-estimate`, rows included, and the pairs of neighbouring tolerances where the looser one
costs more, with the cause as far as a run tells it: another method (an evaluation of a Rosenbrock step comes with its
Jacobian; such pairs are compared by the instructions of the integration, without rows) or a run that was repeated with a
smaller atol.  --quick: evaluations alone."""
import glob
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from problems import TOP, Problem
from regula_runs import command, count_instructions

TOLERANCES = ("1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10")
ALLOWED = 1.1  # of the next tighter tolerance


def solve(build, model, tol):
    """The JSON object of a run; None where it fails."""
    args = [os.path.join(build, "regula"), "solve", model, "--tol", tol, "--json", "--no-estimate"]
    done = subprocess.run(args, cwd=TOP, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return found if found.get("status") == "ok" else None


def proportion(model):
    """atol/rtol of the model's solve line, or 1."""
    with open(model, encoding="utf-8") as file:
        text = "".join(line for line in file if line.startswith("solve "))
    given = [re.search(name + r" *= *([0-9.eE+-]+)", text) for name in ("atol", "rtol")]
    return float(given[0].group(1)) / float(given[1].group(1)) if all(given) else 1.0


def instructions(build, model, tol):
    problem = Problem(os.path.basename(model), "", model, [], atol_factor=proportion(model))
    args = command(build, problem, float(tol), ["-o", "native=on", "-1"])
    at = args.index("-v")
    return count_instructions(args[:at] + args[at + 2:], 600)


def cause(looser, tighter):
    if looser["method"] != tighter["method"]:
        return f"{looser['method']}, then {tighter['method']}"
    repeated = [any("repeated with atol" in w for w in r["warnings"]) for r in (looser, tighter)]
    return "repeated with a smaller atol" if repeated[0] and not repeated[1] else "orders and steps"


def judge(build, model, runs, quick):
    """(ratio, text) of every pair whose looser tolerance costs more."""
    found = []
    for k in range(len(TOLERANCES) - 1):
        looser, tighter = runs[k], runs[k + 1]
        if looser is None or tighter is None:
            continue
        ratio, why = looser["evaluations"] / tighter["evaluations"], cause(looser, tighter)
        if ratio > 1.0 and looser["method"] != tighter["method"] and not quick:
            counts = [instructions(build, model, tol) for tol in TOLERANCES[k:k + 2]]
            if all(counts):
                why += f"; {ratio:.2f} in evaluations, here in instructions"
                ratio = counts[0] / counts[1]
        if ratio > 1.0 or "here in" in why:
            found.append((ratio, f"{os.path.basename(model)[:-3]} at {TOLERANCES[k]}: {ratio:.2f} ({why})"))
    return found


def main():
    build, quick = os.path.abspath(sys.argv[1]), "--quick" in sys.argv
    models = sorted(glob.glob(os.path.join(TOP, "examples/ivp/*.rg")))
    jobs = [(build, model, tol) for model in models for tol in TOLERANCES]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda job: solve(*job), jobs))
    count, found, n = 0, [], len(TOLERANCES)
    print("| model | " + " | ".join(TOLERANCES) + " |\n|---" + "|---" * n + "|")
    for k, model in enumerate(models):
        runs = done[n * k:n * (k + 1)]
        cells = ["-" if r is None else str(r["evaluations"]) for r in runs]
        print(f"| {os.path.basename(model)[:-3]} | " + " | ".join(cells) + " |", flush=True)
        count += sum(a is not None and b is not None for a, b in zip(runs, runs[1:]))
        found += judge(build, model, runs, quick)
    print("-- summary --")
    for _, text in sorted(found, reverse=True):
        print(text)
    above = [sum(ratio > limit for ratio, _ in found) for limit in (1.0, ALLOWED)]
    print(f"target {'missed' if above[1] else 'met'}: of {count} pairs of tolerances the looser one costs more than the tighter"
          f" one in {above[0]}, more than {ALLOWED} of it in {above[1]}")


main()
