"""Sweeps: 1000 pendulums on one and two cores beside the pure solves, and the memory of many runs; the cost of checkpoints.
usage: sweeps.py BUILD [--quick]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

TIMES = 3  # the least of so many
SMALL = "param k = 1\nvar x = 1\nx' = -k*x\nover t = 0 .. 1\n"
# A driven chain that is stiff: a few hundred steps, so several pauses for checkpoints.
CHAIN = """param N = 1e5
var u[i=1..N] = 0
u[1]' = 100*(sin(20*t) - u[1])
for i = 2..N-1 { u[i]' = 1000*(u[i-1] - 2*u[i] + u[i+1]) - 0.1*u[i]^3 }
u[N]' = -u[N]
over t = 0 .. 24
output u[1]
"""


def wall(command):
    best = float("inf")
    for _ in range(TIMES):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - begin)
    return best


def instructions(command):
    """Of a whole run."""
    told = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=cg", *command], check=True,
                          capture_output=True, text=True).stderr
    return int(re.search(r"refs:\s*([\d,]+)", told)[1].replace(",", ""))


def callgrind(command, functions):
    """Instructions inside some functions."""
    instructions(command)
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "cg"], check=True,
                          capture_output=True, text=True).stdout
    counts = {}
    for line in text.splitlines():
        found = re.match(r"\s*([\d,]+) \([^)]*\)\s+\S*:(\w+)", line)
        if found and found[2] in functions:
            counts[found[2]] = int(found[1].replace(",", ""))
    return counts


def processor(command):
    """Seconds of processor time."""
    pid = os.spawnvp(os.P_NOWAIT, "sh", ["sh", "-c", 'exec "$@" > /dev/null 2>&1', "sh", *command])
    status, usage = os.wait4(pid, 0)[1:]
    assert status == 0
    return usage.ru_utime + usage.ru_stime


def checkpoints(program, is_quick):
    """What pauses and files take of a run, all of them written; then 1e5 unknowns with and without --checkpoint, side by
    side.  Behind a pause the steps are not quite the same ones: single runs differ by some per cent either way."""
    with open("chain.rg", "w") as f:
        f.write(CHAIN)
    run = [program, "solve", "chain.rg", "--no-estimate", "-q", "--csv", "chain.csv"]
    kept = [*run, "--checkpoint", "chain.ck"]
    lines = []
    if shutil.which("valgrind"):
        small = ["--set", "N=1e3" if is_quick else "N=5e3"]
        count = callgrind([*kept, *small, "--checkpoint-every", "0"],
                          ("rg_integration_put_down", "rg_integration_take_up", "rg_run_once"))
        part = 100 * (count["rg_integration_put_down"] + count["rg_integration_take_up"]) / count["rg_run_once"]
        print(f"checkpoints at every pause: {part:.2f} % of the instructions ({small[1]})")
        lines.append((part <= 2, f"checkpoints below 2 % of the instructions of a run: {part:.2f} %"))
    if not is_quick:
        plain, with_them = (min(times) for times in zip(*((processor(run), processor(kept)) for _ in range(TIMES))))
        print(f"1e5 unknowns: {plain:.1f} s of processor time, {with_them:.1f} s with checkpoints")
    return lines


def memory(command):
    """Largest resident size in MB."""
    pid = os.spawnvp(os.P_NOWAIT, "sh", ["sh", "-c", 'exec "$@" > /dev/null 2>&1', "sh", *command])
    status, usage = os.wait4(pid, 0)[1:]
    assert status == 0
    return usage.ru_maxrss / 1024


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "regula")
    runs, many = (200, 10**4) if "--quick" in sys.argv else (1000, 10**5)
    print_lines = []
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("p.rg", "w") as f:
            subprocess.run([program, "example", "pendulum"], check=True, stdout=f)
        with open("s.rg", "w") as f:
            f.write(SMALL)
        sweep = [program, "sweep", "p.rg", "--over", f"g=9..10:{runs}", "--csv", "p.csv"]
        one, two = (wall([*sweep, "--jobs", n]) for n in ("1", "2"))
        print(f"{runs} pendulums: {1e3 * one / runs:.3f} ms each on one core, {one / two:.2f} times as fast on two")
        print_lines.append((one / two >= 1.8, f"two cores at least 1.8 times as fast as one: {one / two:.2f}"))
        if shutil.which("valgrind"):
            few = [program, "sweep", "p.rg", "--over", "g=9..10:40", "--csv", "p.csv", "--jobs", "1"]
            count = callgrind(few, ("rg_sweep_one", "rg_solve_request", "rg_event_integrate"))
            ratio = count["rg_sweep_one"] / count["rg_solve_request"]
            steps = count["rg_sweep_one"] / count["rg_event_integrate"]
            print(f"instructions of a run: {ratio:.3f} of the solve, {steps:.3f} of the integration and its second run alone")
            print_lines.append((steps <= 1.2, f"a run at most 1.2 times its integration: {steps:.3f}"))
        sizes = [memory([program, "sweep", "s.rg", "--over", f"k=1..2:{n}", "--csv", "s.csv"]) for n in (many // 10, many)]
        print(f"{many // 10} and {many} runs: {sizes[0]:.1f} and {sizes[1]:.1f} MB")
        print_lines.append((sizes[1] <= sizes[0] + 8, f"{many} runs with bounded memory: {sizes[1]:.1f} MB, "
                            f"{many // 10} runs {sizes[0]:.1f} MB"))
        print_lines += checkpoints(program, "--quick" in sys.argv)
        os.chdir("/")
    print("-- summary --")
    for is_met, text in print_lines:
        print(f"target {'met' if is_met else 'missed'}: {text}")


main()
