"""Work at equal accuracy: regula against the best peer.

Digits are mescd.  The work for D digits is interpolated (log work over digits) between the first run that reaches D and
the one before; where the loosest run has more than D digits already, its work counts.  Solves below 3 ms are compared by
instructions, the others by milliseconds.

What peers.csv lacks is estimated, and marked with ~:
  instructions at tolerances without a count: evaluations times instructions per evaluation of the nearest tolerance;
  instructions of codes without any count (RODAS, some GGL forms): milliseconds times the rate (instructions per
      millisecond) of RADAU5 on the same problem;
  milliseconds of codes that do not run here: those in peers.csv times the speed of this machine on this problem, which
      is the ratio of RADAU5, DASPK or IDA here and there (the median of them)."""
import math
from statistics import median

def key(row):
    return row["problem"], row["formulation"], str(row.get("n", ""))


def number(row, name):
    try:
        return float(row.get(name) or "nan")
    except ValueError:
        return math.nan


def is_usable(row):
    return row["status"] == "ok" and number(row, "mescd") > 0.5


def work_at(points, wanted):
    """points: (digits, work) from loose to tight; None: not reached."""
    before = None
    for d, w in points:
        if not (math.isfinite(d) and math.isfinite(w) and w > 0):
            continue
        if d >= wanted:
            if before is None or d == before[0]:
                return w
            part = (wanted - before[0]) / (d - before[0])
            return math.exp(math.log(before[1]) + part * (math.log(w) - math.log(before[1])))
        if before is None or d > before[0]:
            before = (d, w)
    return None


def by_solver(rows):
    table = {}
    for row in rows:
        if is_usable(row):
            table.setdefault(row["solver"], []).append(row)
    for runs in table.values():
        runs.sort(key=lambda r: -number(r, "rtol"))
    return table


def fill_instructions(runs, rate):
    """(digits, instructions) with estimates where there is no count; second value: estimated?"""
    known = [(number(r, "rtol"), number(r, "instructions") / number(r, "fevals")) for r in runs
             if number(r, "instructions") > 0]
    points = []
    for r in runs:
        exact = number(r, "instructions")
        if exact > 0:
            points.append((number(r, "mescd"), exact))
        elif known:
            nearest = min(known, key=lambda k: abs(math.log(k[0] / number(r, "rtol"))))
            points.append((number(r, "mescd"), nearest[1] * number(r, "fevals")))
        elif rate:
            points.append((number(r, "mescd"), rate * number(r, "milliseconds")))
    return points, not known


def instruction_rate(peers, problem):
    """Instructions per millisecond of RADAU5 (or any code) on this problem, over all its forms."""
    rates = [number(r, "instructions") / number(r, "milliseconds") for r in peers
             if r["problem"] == problem and number(r, "instructions") > 0 and number(r, "milliseconds") > 0
             and r["solver"] in ("radau5", "radau", "daspk")]
    return median(rates) if rates else None


def machine_factor(here, there):
    """Milliseconds here over milliseconds in peers.csv, same code, problem and tolerance."""
    known = {(key(r), r["solver"], r["rtol"]): number(r, "milliseconds") for r in there if is_usable(r)}
    factors = []
    for r in here:
        other = known.get((key(r), r["solver"], r["rtol"]), math.nan)
        if is_usable(r) and other > 1.0:
            factors.append(number(r, "milliseconds") / other)
    factors = [f for f in factors if math.isfinite(f)]
    return median(factors) if factors else None


class Cell:
    def __init__(self, ratio=None, best="", unit="", ours=None, theirs=None, estimated=False):
        self.ratio, self.best, self.unit = ratio, best, unit
        self.ours, self.theirs, self.estimated = ours, theirs, estimated

    def text(self):
        if self.ratio is None:
            return self.best
        return f"{'~' if self.estimated else ''}{self.ratio:.2f} {self.best}{'' if self.unit == 'I' else ' (ms)'}"


def times(runs, wanted):
    return work_at([(number(r, "mescd"), number(r, "milliseconds")) for r in runs], wanted)


def milliseconds(here, there, wanted, factor):
    """(milliseconds, solver, estimated?) of every peer that reaches the digits: here, or else scaled from peers.csv."""
    found, live = [], by_solver(here)
    for solver, runs in live.items():
        if times(runs, wanted):
            found.append((times(runs, wanted), solver, False))
    known = {solver for _, solver, _ in found}
    for solver, runs in by_solver(there).items():
        if solver not in known and times(runs, wanted):
            found.append((times(runs, wanted) * factor, solver, True))
    return found


def against(ours, here, there, wanted, factor, solver):
    """Milliseconds of regula over those of one peer."""
    mine = times(by_solver(ours).get("regula", []), wanted)
    theirs = [w for w, s, _ in milliseconds(here, there, wanted, machine_factor(here, there) or factor) if s == solver]
    return mine / theirs[0] if mine and theirs else None


def compare(ours, here, there, wanted, overall_factor, rate, solver="regula"):
    """ours, here, there: rows of one problem and form by regula, by peers on this machine, from peers.csv."""
    mine = by_solver(ours).get(solver, [])
    my_ms = times(mine, wanted)
    if my_ms is None:
        return Cell(best="not reached")
    counted = [(number(r, "mescd"), number(r, "instructions")) for r in mine]
    my_count = work_at(counted, wanted)
    small = my_ms < 3.0 and my_count is not None
    found = []
    if small:
        for name, runs in by_solver(there).items():
            points, estimated = fill_instructions(runs, rate)
            work = work_at(points, wanted)
            if work:
                found.append((work, name, estimated))
    else:
        found = milliseconds(here, there, wanted, machine_factor(here, there) or overall_factor)
    if not found:
        return Cell(best="no peer")
    theirs, best, estimated = min(found)
    mine_work = my_count if small else my_ms
    return Cell(mine_work / theirs, best, "I" if small else "ms", mine_work, theirs, estimated)


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else math.nan
