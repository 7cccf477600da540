"""Start-up, loading and growth: called by bench/run as  python3 bench/growth.py BUILD [--quick].

Prints each figure with its target, and writes bench/results/growth.csv."""
import os
import subprocess
import sys
import time

import rows as tables
from problems import HERE, TOP

RESULTS = os.path.join(HERE, "results")
LINEAR = 2.0  # caches end somewhere: a factor of two over three decades counts as linear


def once(args, text=None):
    """Seconds, kilobytes and output of one run."""
    begin = time.perf_counter()
    with subprocess.Popen(args, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        if text is not None:
            p.stdin.write(text.encode())
        p.stdin.close()
        output = p.stdout.read().decode()
        _, status, use = os.wait4(p.pid, 0)
        p.returncode = status
    return time.perf_counter() - begin, use.ru_maxrss, output, status


def show(what, value, unit, most):
    kind = "missed" if value is None or value > most else "met"
    print(f"target {kind}: {what} {'failed' if value is None else f'{value:.3g} {unit}'}, at most {most:g} {unit}", flush=True)


def start_to_exit(build):
    args = [os.path.join(build, "regula"), "solve", "examples/ivp/pendulum.rg", "--no-estimate"]
    if once(args)[3] != 0:
        args.pop()
    best = min(once(args)[0] for _ in range(20))
    show("regula solve, pendulum, start to exit", 1e3 * best, "ms", 15)


HEAT = """param N = 1e6, c = N^2
var u[i=1..N] = sin(pi*(i - 1)/(N - 1))
u[1] = 0
for i = 2..N-1 { u[i]' = c*(u[i-1] - 2*u[i] + u[i+1]) - u[i]^3 }
u[N] = 0
over t = 0 .. 1
output u[1]
"""


def load(build):
    seconds, kilobytes, _, status = once([os.path.join(build, "regula"), "check", "-"], HEAT)
    if status != 0:
        show("check of a 1-D model with 1e6 cells", None, "s", 3)
        return
    show("check of a 1-D model with 1e6 cells (start values too)", seconds, "s", 3)
    show("its memory", kilobytes / 1e6, "GB", 1)


def grow(build, quick):
    """1-D Brusselator, tolerance 1e-4: time and memory per step over the number of unknowns."""
    rows = []
    print("\nGrowth, 1-D Brusselator, tol 1e-4: per step and unknown, to be constant")
    for cells in (333, 3333, 33333) + (() if quick else (333333,)):
        args = [os.path.join(build, "bench/bench_ivp"), "-r", "1e-4", "-a", "1e-4", "-s", f"N={cells}", "-v", "u[1]",
                "-o", "native=on", "-k", "0.1", "examples/ivp/brus1d.rg"]
        words = once(args)[2].split()
        if not words or words[0] != "ok":
            print(f"  n = {3 * cells}: failed")
            continue
        n, steps, ms, kilobytes = int(words[1]), int(words[2]), float(words[7]), int(words[8])
        rows.append({"n": n, "steps": steps, "milliseconds": ms, "kilobytes": kilobytes,
                     "ns_per_step_and_unknown": f"{1e6 * ms / steps / n:.0f}", "bytes_per_unknown": f"{1e3 * kilobytes / n:.0f}"})
        print(f"  n = {n:8d}: {steps} steps, {ms:10.1f} ms, {1e6 * ms / steps / n:6.0f} ns per step and unknown,"
              f" {kilobytes / 1e3:8.1f} MB, {1e3 * kilobytes / n:6.0f} bytes per unknown", flush=True)
    if not rows:
        return
    tables.write(os.path.join(RESULTS, "growth.csv"), list(rows[0]), rows)
    for name, what in (("ns_per_step_and_unknown", "ns per step and unknown"), ("bytes_per_unknown", "bytes per unknown")):
        values = [float(row[name]) for row in rows[1:]]
        show(f"growth from n = {rows[1]['n']} to {rows[-1]['n']}, {what}: largest / smallest", max(values) / min(values), "", LINEAR)


def main():
    build, quick = sys.argv[1], "--quick" in sys.argv
    start_to_exit(build)
    load(build)
    grow(build, quick)


if __name__ == "__main__":
    main()
