"""Reports over the number of rows: processor time beyond the solve, and size of the file; one and thirty outputs.
usage: report.py BUILD [--quick]"""
import os
import resource
import subprocess
import sys
import tempfile

ROWS = (10**3, 10**4, 10**5, 10**6)
MODEL = """title "Waves"
var x = 1, y = 0
x' = y
y' = -x
over t = 0 .. 1000
"""
OUTPUTS = (3, 30)
TIMES = 3  # the least of so many


def seconds(words):
    """Processor time of a command."""
    best = float("inf")
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "regula")
    rows = ROWS[:2] if "--quick" in sys.argv else ROWS
    missed = []
    print("| rows | outputs | solve, s | with report, s | report, s | size, kB |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for outputs in OUTPUTS:
            with open("m.rg", "w") as f:
                names = [f"s{k} = sin({k}.3*t)*x" for k in range(1, outputs - 1)]
                f.write(MODEL + "output x, y, " + ",\n  ".join(names) + "\n")
            for n in rows:
                words = [program, "solve", "m.rg", "--points", str(n), "--no-estimate", "--quiet"]
                alone, both = seconds(words), seconds([*words, "--report", "m.html"])
                size = os.path.getsize("m.html")
                print(f"| {n} | {outputs} | {alone:.3f} | {both:.3f} | {both - alone:.3f} | {size / 1e3:.0f} |", flush=True)
                if size > 2e6:
                    missed.append(f"{size / 1e6:.2f} MB at {n} rows of {outputs} outputs")
                if n == 10**4 and outputs == OUTPUTS[0] and both - alone > 0.2:
                    missed.append(f"{both - alone:.2f} s at {n} rows")
        os.chdir("/")
    what = "reports take at most 0.2 s beyond the solve at 1e4 rows, and 2 MB at 1e6"
    print("-- summary --")
    print(f"target {'missed' if missed else 'met'}: {what}" + (": " + ", ".join(missed) if missed else ""))


main()
