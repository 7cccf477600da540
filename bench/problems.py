"""The problems that are measured: model file, tolerances, and the components whose end values count."""
import csv
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)


class Problem:
    """One formulation of one problem; `names` are the components used for the digits, in the order of reference.csv."""

    def __init__(self, name, form, model, names, atol_factor=1.0, settings=(), reference=None, floor=1e-10, first=4):
        self.name, self.form, self.model, self.names = name, form, model, names
        self.atol_factor, self.settings, self.floor = atol_factor, settings, floor
        self.first = first  # loosest tolerance 10^-first
        self.reference = reference or name

    def label(self):
        return f"{self.name} {self.form}" + "".join(f" {s}" for s in self.settings)


def numbered(count):
    return [f"y{i}" for i in range(1, count + 1)]


def cells(n, dims):
    """The cells with reference values: the first, one inside, the last."""
    if dims == 1:
        places = [f"[{i}]" for i in (1, (n + 1) // 2, n)]
    else:
        inside = f"[{n // 2 + 1},{n // 4 + 1}]"
        places = ["[1,1]", inside, f"[{n},{n}]"]
    return [f"{u}{p}" for p in places for u in "uvw"]


def brus(dims, n):
    count = 3 * n**dims
    return Problem(f"brus{dims}d", "index1", f"examples/ivp/brus{dims}d.rg", cells(n, dims),
                   settings=(f"N={n}",), reference=f"brus{dims}d_{n}", floor=1e-6 if count > 90000 else 1e-8 if count > 9000 else 1e-9)


ANDREWS = ["bt", "th", "ga", "ph", "de", "om", "ep"]
AXIS = ["xl", "yl", "xr", "yr"]
FEKETE = [f"p[{i},{k}]" for i in range(1, 21) for k in range(1, 4)]

SMALL = [
    Problem("chemakzo", "index1", "examples/ivp/chemakzo.rg", numbered(6), first=3),
    Problem("transamp", "index1", "examples/ivp/transistor-amplifier.rg", numbered(8)),
    Problem("robertson", "index1", "examples/ivp/robertson.rg", numbered(3), atol_factor=1e-8, first=3),
    Problem("vdpol", "ode", "examples/ivp/vdpol.rg", numbered(2), first=3),
    Problem("hires", "ode", "examples/ivp/hires.rg", numbered(8), first=3),
    Problem("pendulum", "index3", "bench/models/pendulum-index3.rg", ["p", "q"]),
    Problem("pendulum", "index2", "examples/ivp/pendulum-index2.rg", ["p", "q"]),
    Problem("pendulum", "ggl", "examples/ivp/pendulum-ggl.rg", ["p", "q"]),
    Problem("pendulum", "index1", "examples/ivp/pendulum-index1.rg", ["p", "q"]),
    Problem("caraxis", "index3", "examples/ivp/caraxis.rg", AXIS),
    Problem("caraxis", "index2", "bench/models/caraxis-index2.rg", AXIS),
    Problem("caraxis", "ggl", "bench/models/caraxis-ggl.rg", AXIS),
    Problem("caraxis", "index1", "bench/models/caraxis-index1.rg", AXIS),
    Problem("andrews", "index3", "examples/ivp/andrews.rg", ANDREWS),
    Problem("andrews", "index2", "bench/models/andrews-index2.rg", ANDREWS),
    Problem("andrews", "ggl", "bench/models/andrews-ggl.rg", ANDREWS),
    Problem("andrews", "index1", "bench/models/andrews-index1.rg", ANDREWS),
    Problem("ringmod", "ode", "examples/ivp/ringmod.rg", numbered(15)),
    Problem("ringmod_cs0", "index2", "examples/ivp/ringmod-cs0.rg", numbered(15)),
]
LARGE = [
    Problem("fekete", "index2", "examples/ivp/fekete.rg", FEKETE, first=3),
    brus(1, 333), brus(1, 3333), brus(1, 33333),
    brus(2, 18), brus(2, 58), brus(2, 183),
]


def references():
    table = {}
    with open(os.path.join(HERE, "reference.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            table.setdefault(row["problem"], {})[int(row["component"])] = float(row["value"])
    return table


REFERENCES = references()


def reference_values(problem):
    table = REFERENCES[problem.reference]
    return [table[k] for k in sorted(table)][:len(problem.names)]


def digits(problem, values, shift):
    """-log10 max |y - r| / (shift + |r|): shift atol/rtol gives mescd, 0 gives scd."""
    worst = 1e-16
    for name, r in zip(problem.names, reference_values(problem)):
        y = values.get(name, math.nan)
        if not math.isfinite(y):
            return math.nan
        worst = max(worst, abs(y - r) / (shift + abs(r)))
    return -math.log10(worst)
