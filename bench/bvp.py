#!/usr/bin/env python3
"""Boundary value problems: regula's collocation beside solve_bvp of SciPy at equal true error, and the growth of its cost.

Usage: bench/bvp.py BUILD [--quick].  Processor time of one call, the shortest of repeated ones.  For every wanted error each code
has the loosest tolerance that reaches it: max |e| / (1 + max |y|) of the first unknown over 201 points (dense at the ends, where layers are), against regula with seven stages
and tolerance 1e-12 (compared with the exact solution where the model has one).  solve_bvp starts from the same guess on 11 points, and has the better of
its own differences and exact Jacobians.  Writes bench/results/bvp.csv and bvp-growth.csv.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = (1e-4, 1e-6, 1e-8)
WANTED_RATIO = 0.2
PATIENCE = 3.0
LADDER = [10.0 ** (-k / 2) for k in range(4, 25)]


def regula(build, model, tolerances, settings=(), options=(), budget=0.05):
    """Rows of bench_bvp as dictionaries."""
    args = [os.path.join(build, "bench/bench_bvp"), "-k", str(budget), "-t", ",".join(f"{t:.3g}" for t in tolerances)]
    for s in settings:
        args += ["-s", s]
    for o in options:
        args += ["-o", o]
    done = subprocess.run(args + [model], cwd=TOP, capture_output=True, text=True, check=False)
    keys = ("tol", "ms", "intervals", "meshes", "kilobytes", "error", "estimate")
    rows = []
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] != "ok":
            continue
        row = dict(zip(keys, map(float, words[1:8])))
        row["values"] = [float(w) for w in words[8:]]
        rows.append(row)
    return rows


def distance(values, reference):
    size = 1 + max(abs(r) for r in reference)
    return max(abs(v - r) for v, r in zip(values, reference)) / size


# ---- the problems for SciPy: y' = f(x, y) with its Jacobian ------------------------------------------------------------------

def second_order(g, g_y, g_s):
    """y'' = g(x, y, s), s = y'."""
    import numpy as np

    def f(x, y):
        return np.vstack((y[1], g(x, y[0], y[1]) + 0 * x))

    def jacobian(x, y):
        J = np.zeros((2, 2, x.size))
        J[0, 1] = 1
        J[1, 0] = g_y(x, y[0], y[1]) + 0 * x
        J[1, 1] = g_s(x, y[0], y[1]) + 0 * x
        return J
    return f, jacobian


def ends(left, right):
    """y(a) = left, y(b) = right."""
    import numpy as np

    def bc(ya, yb):
        return np.array([ya[0] - left, yb[0] - right])

    def jacobian(ya, yb):
        return np.array([[1.0, 0], [0, 0]]), np.array([[0.0, 0], [1, 0]])
    return bc, jacobian


def linear(e, p, q, f, a, b, left, right):
    """e y'' + p(x) y' + q(x) y = f(x)."""
    return (second_order(lambda x, y, s: (f(x) - p(x) * s - q(x) * y) / e, lambda x, y, s: -q(x) / e,
                         lambda x, y, s: -p(x) / e), ends(left, right), a, b, None)


def problems(e):
    """Cash's problems (35 answers to rounding, and has no reference) with small parameter e: number -> (f and Jacobian, conditions, a, b, guess of (y, y'))."""
    import numpy as np
    pi, cos, sin, exp, sqrt = np.pi, np.cos, np.sin, np.exp, np.sqrt
    zero, one = (lambda x: 0 * x), (lambda x: 1 + 0 * x)
    r = sqrt(e)
    wave = lambda x: -(e * pi ** 2 + 1) * cos(pi * x)
    slow = lambda c: (second_order(lambda x, y, s: (y - y * s) / e, lambda x, y, s: (1 - s) / e,
                                   lambda x, y, s: -y / e), ends(*c), 0, 1, None)
    A = lambda x: 1 + x * x
    k = 1.4

    def nozzle(x, y, s):
        return (((1 + k) / 2 - e * 2 * x) * y * s - s / y - (2 * x / A(x)) * (1 - (k - 1) * y * y / 2)) / (e * A(x) * y)

    def nozzle_y(x, y, s):
        top = ((1 + k) / 2 - e * 2 * x) * y * s - s / y - (2 * x / A(x)) * (1 - (k - 1) * y * y / 2)
        slope = ((1 + k) / 2 - e * 2 * x) * s + s / y ** 2 + (2 * x / A(x)) * (k - 1) * y
        return (slope - top / y) / (e * A(x) * y)

    def nozzle_s(x, y, s):
        return (((1 + k) / 2 - e * 2 * x) * y - 1 / y) / (e * A(x) * y)

    lncosh = lambda z: abs(z) + np.log1p(exp(-2 * abs(z))) - math.log(2)
    return {
        1: linear(e, zero, lambda x: -one(x), zero, 0, 1, 1, 0),
        2: linear(e, lambda x: -one(x), zero, zero, 0, 1, 1, 0),
        3: linear(e, lambda x: 2 + cos(pi * x), lambda x: -one(x),
                  lambda x: wave(x) - (2 + cos(pi * x)) * pi * sin(pi * x), -1, 1, -1, -1),
        4: linear(e, one, lambda x: -(1 + e) * one(x), zero, -1, 1, 1 + exp(-2), 1 + exp(-2 * (1 + e) / e)),
        5: linear(e, lambda x: -x, lambda x: -one(x), lambda x: wave(x) + pi * x * sin(pi * x), -1, 1, -1, -1),
        6: linear(e, lambda x: x, zero, lambda x: -e * pi ** 2 * cos(pi * x) - pi * x * sin(pi * x), -1, 1, -2, 0),
        7: linear(e, lambda x: x, lambda x: -one(x), lambda x: wave(x) - pi * x * sin(pi * x), -1, 1, -1, 1),
        8: linear(e, one, zero, zero, 0, 1, 1, 2),
        9: (second_order(lambda x, y, s: -(4 * x * s + 2 * y) / (e + x * x), lambda x, y, s: -2 / (e + x * x),
                         lambda x, y, s: -4 * x / (e + x * x)), ends(1 / (1 + e), 1 / (1 + e)), -1, 1, None),
        10: linear(e, lambda x: x, zero, zero, -1, 1, 0, 2),
        11: linear(e, zero, lambda x: -one(x), wave, -1, 1, -1, -1),
        12: linear(e, zero, lambda x: -one(x), wave, -1, 1, -1, 0),
        13: linear(e, zero, lambda x: -one(x), wave, -1, 1, 0, -1),
        14: linear(e, zero, lambda x: -one(x), wave, -1, 1, 0, 0),
        15: linear(e, zero, lambda x: -x, zero, -1, 1, 1, 1),
        16: linear(e * e, zero, lambda x: pi ** 2 / 4 * one(x), zero, 0, 1, 0, sin(pi / (2 * e))),
        17: (second_order(lambda x, y, s: -3 * e * y / (e + x * x) ** 2, lambda x, y, s: -3 * e / (e + x * x) ** 2,
                          lambda x, y, s: 0 * x), ends(-0.1 / sqrt(e + 0.01), 0.1 / sqrt(e + 0.01)), -0.1, 0.1, None),
        18: linear(e, one, zero, zero, 0, 1, 1, exp(-1 / e)),
        19: (second_order(lambda x, y, s: (pi / 2 * sin(pi * x / 2) * exp(2 * y) - exp(y) * s) / e,
                          lambda x, y, s: (pi * sin(pi * x / 2) * exp(2 * y) - exp(y) * s) / e,
                          lambda x, y, s: -exp(y) / e), ends(0, 0), 0, 1, None),
        20: (second_order(lambda x, y, s: (1 - s * s) / e, lambda x, y, s: 0 * x, lambda x, y, s: -2 * s / e),
             ends(1 + e * lncosh(0.745 / e), 1 + e * lncosh(0.255 / e)), 0, 1, None),
        21: (second_order(lambda x, y, s: (y + y * y - exp(-2 * x / r)) / e, lambda x, y, s: (1 + 2 * y) / e,
                          lambda x, y, s: 0 * x), ends(1, exp(-1 / r)), 0, 1, None),
        22: (second_order(lambda x, y, s: -(s + y * y) / e, lambda x, y, s: -2 * y / e, lambda x, y, s: -1 / e),
             ends(0, 0.5), 0, 1, None),
        23: (second_order(lambda x, y, s: 5 * np.sinh(5 * y), lambda x, y, s: 25 * np.cosh(5 * y),
                          lambda x, y, s: 0 * x), ends(0, 1), 0, 1, lambda x: np.vstack((x, 1 + 0 * x))),
        24: (second_order(nozzle, nozzle_y, nozzle_s), ends(0.9129, 0.375), 0, 1,
             lambda x: np.vstack((0.9129 + (0.375 - 0.9129) * x, (0.375 - 0.9129) + 0 * x))),
        25: slow((-1 / 3, 1 / 3)),
        26: slow((1, -1 / 3)),
        27: slow((1, 1 / 3)),
        28: slow((1, 1.5)),
        29: slow((0, 1.5)),
        30: slow((-7 / 6, 1.5)),
        34: (second_order(lambda x, y, s: -0.1 * exp(y), lambda x, y, s: -0.1 * exp(y), lambda x, y, s: 0 * x),
             ends(0, 0), 0, 1, None),
    }


SHIPPED = {16: 0.11, 19: 0.05, 20: 0.06, 22: 0.1, 24: 0.05, **{k: 0.1 for k in range(25, 31)}}


def scipy_rows(problem, points, reference, tolerances, budget=0.05):
    """One row per tolerance, until the smallest of the wanted errors is reached or a call takes PATIENCE seconds."""
    import numpy as np
    from scipy.integrate import solve_bvp
    (f, f_jacobian), (bc, bc_jacobian), a, b, guess = problem
    x = np.linspace(a, b, 11)
    y = guess(x) if guess else np.zeros((2, x.size))
    rows = []
    with np.errstate(all="ignore"):
        for tol in tolerances:
            best = None
            for extra in ({}, {"fun_jac": f_jacobian, "bc_jac": bc_jacobian}):
                begin = time.process_time()
                while True:
                    start = time.process_time()
                    s = solve_bvp(f, bc, x, y, tol=tol, max_nodes=100000, **extra)
                    spent = 1e3 * (time.process_time() - start)
                    if s.status != 0:
                        break
                    if best is None or spent < best["ms"]:
                        best = {"tol": tol, "ms": spent, "intervals": s.x.size - 1, "values": s.sol(points)[0].tolist()}
                    if time.process_time() - begin > budget:
                        break
            if best:
                rows.append(best)
            if best and (distance(best["values"], reference) <= min(TARGETS) or best["ms"] > 1e3 * PATIENCE):
                break
    return rows


def loosest(rows, reference, target):
    for row in rows:
        if distance(row["values"], reference) <= target:
            return row
    return None


def compare(build, number, e, out, quick):
    """One problem at all targets; returns the ratios."""
    import numpy as np
    problem = problems(e)[number]
    points = problem[2] + (problem[3] - problem[2]) * 0.5 * (1 - np.cos(np.pi * np.linspace(0, 1, 201)))
    points[-1] = problem[3]
    model = f"examples/bvp/cash-{number:02d}.rg"
    settings = [] if number in (23, 34) else [f"eps={e!r}"]
    tight = []
    for tol in (1e-12, 1e-10):
        tight = tight or regula(build, model, [tol], settings, ["stages=7"], 0.0)
    if not tight:
        print(f"problem {number:2d}, eps {e:g}: no reference solution")
        return []
    reference = tight[0]["values"]
    if tight[0]["error"] > 1e-9:
        print(f"problem {number:2d}, eps {e:g}: the reference is wrong by {tight[0]['error']:.1e}")
    budget = 0.01 if quick else 0.05
    ours = []
    for tol in LADDER:
        ours += regula(build, model, [tol], settings, budget=budget)
        if ours and distance(ours[-1]["values"], reference) <= min(TARGETS):
            break
    theirs = scipy_rows(problem, points, reference, LADDER[:17], budget)
    ratios = []
    text = ""
    for target in (t for t in TARGETS if t >= 10 * tight[0]["tol"]):
        a, b = loosest(ours, reference, target), loosest(theirs, reference, target)
        row = {"problem": number, "eps": e, "target": target}
        for name, found in (("regula", a), ("scipy", b)):
            if found:
                row.update({f"{name}_ms": f"{found['ms']:.4g}", f"{name}_intervals": int(found["intervals"])})
        if a and b:
            ratios.append(a["ms"] / b["ms"])
            row["ratio"] = f"{ratios[-1]:.3g}"
        text += f"   {a['ms']:8.3f} {b['ms']:9.2f} {a['ms'] / b['ms']:6.3f}" if a and b else \
            f"   {a['ms'] if a else math.nan:8.3f} {b['ms'] if b else math.nan:9.2f}      -"
        out.writerow(row)
    print(f"problem {number:2d}, eps {e:<7g}{text}", flush=True)
    return ratios


def against_scipy(build, quick):
    try:
        import scipy
    except ImportError:
        print("python3-scipy is missing: no comparison with solve_bvp")
        return
    print(f"milliseconds of regula and of solve_bvp (SciPy {scipy.__version__}) and their ratio, for errors of 1e-4, 1e-6, 1e-8")
    ratios = []
    with open(os.path.join(TOP, "bench/results/bvp.csv"), "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, ["problem", "eps", "target", "regula_ms", "regula_intervals", "scipy_ms", "scipy_intervals",
                                    "ratio"])
        out.writeheader()
        for number in sorted(problems(0.02)):
            e = SHIPPED.get(number, 0.02)
            ratios += compare(build, number, e, out, quick)
            if not quick and number not in (16, 23, 34, 9, 19, 24) and number < 19:
                ratios += compare(build, number, 1e-4, out, quick)
                ratios += compare(build, number, 1e-6, out, quick)
    ratios.sort()
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    missed = sum(r > WANTED_RATIO for r in ratios)
    print(f"ratio: geometric mean {mean:.3f}, median {ratios[len(ratios) // 2]:.3f}, worst {ratios[-1]:.3f},"
          f" {missed} of {len(ratios)} above {WANTED_RATIO}")
    print(f"target {'met' if mean <= WANTED_RATIO else 'missed'}: at most {WANTED_RATIO} of the time of solve_bvp at equal error:"
          f" {mean:.3f} (geometric mean of {len(ratios)}, worst {ratios[-1]:.2f})")


# ---- growth ---------------------------------------------------------------------------------------------------------------------

CHAIN = """param n = 4
var y[i=1..n]
fun e(i, t) = sin(i + t)
for i = 1..n {
 y[i]'' = 9*y[i] + if(i > 1, y[i-1] - e(i - 1, t), 0) + if(i < n, y[i+1] - e(i + 1, t), 0) - 10*e(i, t)
 boundary y[i](0) = e(i, 0)
 boundary y[i](2) = e(i, 2)
 exact y[i] = e(i, t)
}
over t = 0 .. 2
"""


def growth(build, quick):
    """Equal intervals: time and memory over their number N and over the number n of second order equations."""
    with tempfile.NamedTemporaryFile("w", suffix=".rg") as model, \
            open(os.path.join(TOP, "bench/results/bvp-growth.csv"), "w", encoding="utf-8", newline="") as file:
        model.write(CHAIN)
        model.flush()
        out = csv.writer(file)
        out.writerow(["n", "N", "milliseconds", "kilobytes", "microseconds per interval"])
        most, least = 0.0, math.inf
        lists = ([(4, N) for N in (50, 200, 800, 3200, 12800)] + [(n, 50) for n in (1, 2, 8, 16, 32, 64)])
        for n, N in lists[:3] + lists[5:8] if quick else lists:
            row = regula(build, model.name, [1e-6], [f"n={n}"], [f"step={2 / N!r}"], 0.05)
            if not row:
                print(f"n = {n}, N = {N}: failed")
                continue
            row = row[0]
            each = 1e3 * row["ms"] / row["intervals"]
            if n == 4:
                most, least = max(most, each), min(least, each)
            out.writerow([n, N, f"{row['ms']:.4g}", int(row["kilobytes"]), f"{each:.4g}"])
            print(f"n = {n:3d}, N = {N:6d}: {row['ms']:9.3f} ms, {each:8.2f} us per interval, {row['kilobytes'] / 1024:7.1f} MB,"
                  f" error {row['error']:.0e}", flush=True)


        print(f"target {'met' if most <= 2 * least else 'missed'}: linear in N: {least:.0f} to {most:.0f} us per interval")


def main():
    build, quick = sys.argv[1], "--quick" in sys.argv
    os.makedirs(os.path.join(TOP, "bench/results"), exist_ok=True)
    against_scipy(build, quick)
    print("cost of a fixed mesh of N intervals for n second order equations")
    growth(build, quick)


if __name__ == "__main__":
    main()
