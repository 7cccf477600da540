"""Models: a text or a file, with everything that the command does with one."""

import ctypes
import os
import threading
from html import escape

import numpy as np

from ._errors import INTERRUPTED, MethodError, OptionError, check, error_of, tell
from ._library import Handle, c_char_p, c_void_p, json_of, library, new_context, text_of
from ._running import run
from ._solution import Solution
from ._sweep import sweep_problem

KEEP_ROWS, KEEP_STEPS = 1, 2
_tables = None


def tables():
    """The tables of options and methods, as the library has them."""
    global _tables
    if _tables is None:
        _tables = json_of(library.rg_report_tables_json_text)
    return _tables


def options_help():
    lines = []
    for row in tables()["options"]:
        lines.append(f"    {row['name']:<14}{row['text']} ({row['range']}; {row['default']})")
    return "\n".join(lines)


def text_value(value):
    """A value as the text that the option table reads."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, dict):
        return ",".join(f"{name}={text_value(entry)}" for name, entry in value.items())
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def new_options(context, problem, chosen):
    """Defaults, then the model's solve line, then what the caller has chosen."""
    out = c_void_p()
    check(context, library.rg_options_create(context.pointer, ctypes.byref(out)))
    handle = Handle(out, library.rg_options_destroy, context)
    if problem is not None:
        check(context, library.rg_problem_options(problem.pointer, out))
    for name, value in chosen.items():
        if value is not None:
            check(context, library.rg_options_set(
                out, name.encode(), text_value(value).encode()))
    return handle


def chosen_times(points, at, a, b):
    if points is not None and at is not None:
        raise OptionError("points and at are both given", "give one of them")
    if points is not None:
        if int(points) != points or not 2 <= points <= 1e7:
            raise OptionError(f"points = {points} is not accepted",
                              "give a whole number from 2 to 1e7")
        k = np.arange(int(points), dtype=float)
        times = a + (b - a) * (k / (points - 1.0))
        times[-1] = b
        return times
    if at is None:
        return np.empty(0)
    times = np.sort(np.atleast_1d(np.asarray(at, dtype=float)).ravel())
    if not np.all((times >= min(a, b)) & (times <= max(a, b))):
        raise OptionError(f"a time of at lies outside the interval {a:g} .. {b:g}",
                          "choose times inside, or move the interval with from_ and to")
    return np.ascontiguousarray(times if a < b else times[::-1])


def interval_of(problem):
    ends = np.empty(2)
    library.rg_problem_interval(problem.pointer, ends.ctypes.data, ends.ctypes.data + 8)
    return float(ends[0]), float(ends[1])


def moved_interval(ends, a, b):
    """Another interval; one end alone is no wish to run the other way."""
    start, end = float(ends[0] if a is None else a), float(ends[1] if b is None else b)
    if (a is None) != (b is None) and start != end and (start < end) != (ends[0] < ends[1]):
        given, value, other = ("to", end, "from_") if a is None else ("from_", start, "to")
        raise OptionError(f"{given} = {value:.10g} lies behind the other end of the interval "
                          f"{ends[0]:.10g} .. {ends[1]:.10g}",
                          f"give {other} as well; from_={start:.10g}, to={end:.10g} runs the other "
                          "way")
    return start, end


def share(problem, context=None):
    """The problem with a context of its own, so that threads do not meet; or with a given one."""
    context = context or new_context()
    out = c_void_p()
    check(context, library.rg_problem_share(context.pointer, problem.pointer, ctypes.byref(out)))
    return context, Handle(out, library.rg_problem_destroy, context, problem)


def solve_problem(base, chosen, t_end, times, keep, estimate, name, again, raised=None):
    """One run; raises what went wrong, with the part that was computed."""
    context, problem = share(base)
    options = new_options(context, problem, chosen)
    out = c_void_p()
    status, interrupt = run(
        context, library.rg_solve_rows, problem.pointer, t_end, options.pointer, keep, len(times),
        times.ctypes.data if len(times) else None, int(bool(estimate)), ctypes.byref(out))
    failure = error_of(context, status) if status < 0 else None  # before the context forgets it
    solution = None
    if out.value:
        handle = Handle(out, library.rg_solution_destroy, problem)
        error = library.rg_last_error(context.pointer) if status < 0 else None
        solution = Solution(handle, problem, context, name, error, again)
    if raised:
        raise raised.pop()
    if interrupt is not None or status == INTERRUPTED:
        stop = interrupt if interrupt is not None else KeyboardInterrupt()
        stop.partial = solution
        raise stop
    if failure is not None:
        failure.partial = solution
        raise failure
    tell(solution.warnings)
    return solution


class Page:
    """What can be written as one HTML file: an object of the library, and the function for it."""

    def _keep(self, context, handle, write):
        self._context, self._handle, self._write = context, handle, write

    def report(self, path):
        """Writes one HTML file that needs nothing else; as the command with --report."""
        check(self._context, self._write(
            self._handle.pointer, None, os.fsencode(os.fspath(path))))


class Check(Page):
    """What `regula check` finds: .index .dof .unknowns .equations .start .computed .warnings."""

    def __init__(self, facts, text, context, problem):
        self._facts, self.text = facts, text
        self._keep(context, problem, library.rg_report_check_html)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._facts:
            raise AttributeError(f"check has no '{name}'; it has {', '.join(self._facts)}")
        return self._facts[name]

    def to_dict(self):
        return dict(self._facts)

    def __repr__(self):
        return self.text.rstrip()

    def _repr_html_(self):
        return f"<pre>{escape(self.text)}</pre>"


class Comparison(Page):
    """Several methods side by side: .rows as in `regula compare --json`."""

    def __init__(self, facts, text, context, handle, write=library.rg_comparison_write_html):
        self._facts, self.text = facts, text
        self.rows = facts.get("rows", [])
        self._keep(context, handle, write)

    def to_dict(self):
        return self._facts

    def __repr__(self):
        return self.text.rstrip()


class Orders(Comparison):
    """Observed orders: .orders .theory .verdict .errors .steps as in `regula order --json`."""

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._facts:
            raise AttributeError(name)
        return self._facts[name]


class Model:
    """A model in the language of regula: Model("pendulum.rg") or Model(text="...")."""

    def __init__(self, path=None, *, text=None):
        if (path is None) == (text is None):
            raise OptionError("a model needs a file or a text", 'Model("x.rg") or Model(text="...")')
        if text is not None and (not isinstance(text, str) or "\0" in text):
            raise OptionError("the text of a model is a str without zero characters",
                              'a file: Model("x.rg")')
        self.path = os.fspath(path) if path is not None else None
        self.text = text
        self._lock = threading.Lock()
        self._variants = {}
        self._base = self._variant({}, None, None)

    @property
    def name(self):
        return self.path or "text"

    @property
    def title(self):
        return library.rg_problem_title(self._base.pointer).decode()

    @property
    def interval(self):
        return interval_of(self._base)

    def _load(self, settings, a, b):
        context = new_context()
        out = c_void_p()
        names = (c_char_p * len(settings))(*(str(n).encode() for n in settings))
        values = np.array([float(v) for v in settings.values()])
        check(context, library.rg_problem_load(
            context.pointer, os.fsencode(self.path) if self.path is not None else None,
            self.text.encode() if self.path is None else None, len(settings), names,
            values.ctypes.data, ctypes.byref(out)))
        problem = Handle(out, library.rg_problem_destroy, context)
        if a is not None or b is not None:
            start, end = moved_interval(interval_of(problem), a, b)
            check(context, library.rg_problem_set_interval(out, start, end))
        return problem

    def _variant(self, settings, a, b):
        """The problem with other parameters or another interval; the last few are kept."""
        key = (tuple(sorted(settings.items())), a, b)
        with self._lock:
            if key not in self._variants:
                problem = self._load(settings, a, b)
                if len(self._variants) > 8:
                    self._variants.pop(next(k for k in self._variants if k != ((), None, None)))
                self._variants[key] = problem
            return self._variants[key]

    def check(self, *, set=None, from_=None, to=None, **options):
        """Unknowns, index, degrees of freedom, consistent start values; prints like the command."""
        context, problem = share(self._variant(set or {}, from_, to))
        chosen = new_options(context, problem, options)
        check(context, library.rg_analyze(problem.pointer, None))
        number = np.empty(1)
        if library.rg_problem_is_boundary(problem.pointer):
            status, interrupt = run(context, library.rg_conditioning, problem.pointer,
                                    chosen.pointer, number.ctypes.data)
        else:
            status, interrupt = run(context, library.rg_make_consistent, problem.pointer, None)
        if interrupt is not None:
            raise interrupt
        check(context, status)
        facts = json_of(library.rg_report_check_json_text, os.fsencode(self.name), problem.pointer,
                        None)
        return Check(facts, text_of(library.rg_report_check_text, problem.pointer), context, problem)

    def solve(self, *, points=None, at=None, from_=None, to=None, set=None, estimate=True,
              **options):
        base = self._variant(set or {}, from_, to)
        a, b = interval_of(base)
        times = chosen_times(points, at, a, b)
        has_fields = library.rg_problem_has_fields(base.pointer)

        def again(more):
            """The same run, with output at other times."""
            if has_fields:
                raise MethodError("a grid model has values at the chosen times only",
                                  "give the times to solve, as in at=[0.5, 1]")
            return solve_problem(base, options, b, more, KEEP_ROWS, False, self.name, None)

        return solve_problem(base, options, b, times, KEEP_ROWS if len(times) else KEEP_STEPS,
                             estimate, self.name, again)

    def compare(self, methods, *, set=None, from_=None, to=None, **options):
        """The same problem by several methods: compare(["radau", "srm:eps=1e-3"])."""
        base = self._variant(set or {}, from_, to)
        context, problem = share(base)
        chosen = new_options(context, problem, options)
        out = c_void_p()
        text = methods if isinstance(methods, str) else ",".join(methods)
        status, interrupt = run(context, library.rg_compare, problem.pointer, interval_of(base)[1],
                                chosen.pointer, text.encode(), ctypes.byref(out))
        if interrupt is not None:
            raise interrupt
        check(context, status)
        handle = Handle(out, library.rg_comparison_destroy, problem)
        return Comparison(
            json_of(library.rg_report_comparison_json_text, os.fsencode(self.name), handle.pointer),
            text_of(library.rg_report_comparison_text, handle.pointer), context, handle)

    def sweep(self, over, *, zip=False, seed=1, jobs=None, points=None, at=None, set=None,
              from_=None, to=None, estimate=True, **options):
        """Many runs on all cores: sweep({"l": [1, 2, 3], "m": "normal(1,0.1):3"}, jobs=2).

        All combinations, the last name varies fastest; zip=True pairs the values.  Texts are those
        of `regula sweep --over`.  A run that fails is a row like the others."""
        base = self._variant(set or {}, from_, to)
        times = chosen_times(points, at, *interval_of(base))
        shared = share(base)
        return sweep_problem(self.name, shared, new_options(*shared, options), over, zip, seed, jobs,
                             times, estimate)

    def order(self, method, *, steps=(), intervals=(), set=None, from_=None, to=None, **options):
        """Observed orders of convergence with fixed steps: order("gauss", stages=3).

        intervals: numbers of mesh intervals of a boundary value method; one value of `set` may be a
        list then, and errors are the largest over its values: order("turning-point",
        intervals=[32, 64], set={"eps": [1e-2, 1e-4]}).
        """
        if len(intervals):
            context, problems, out, status, interrupt = self._order_intervals(
                method, intervals, dict(set or {}), from_, to, options)
        else:
            base = self._variant(set or {}, from_, to)
            context, problem = share(base)
            chosen = new_options(context, problem, {"formulation": "direct", **options,
                                                    "method": method})
            problems = [problem]
            out = c_void_p()
            sizes = np.asarray(steps, dtype=float)
            status, interrupt = run(
                context, library.rg_order_measure, problem.pointer, interval_of(base)[1],
                chosen.pointer, len(sizes), sizes.ctypes.data if len(sizes) else None,
                ctypes.byref(out))
        if interrupt is not None:
            raise interrupt
        if not out.value:
            check(context, status)
        handle = Handle(out, library.rg_orders_destroy, *problems)
        error = library.rg_last_error(context.pointer) if status < 0 else None
        facts = json_of(library.rg_report_orders_json_text, os.fsencode(self.name), handle.pointer,
                        error)
        if status < 0 and not facts.get("verdict"):  # a run failed; orders below theory are a result
            check(context, status)
        return Orders(facts, text_of(library.rg_report_orders_text, handle.pointer), context, handle,
                      library.rg_orders_write_html)

    def _order_intervals(self, method, intervals, settings, from_, to, options):
        lists = [name for name, value in settings.items() if np.ndim(value)]
        if len(lists) > 1:
            raise OptionError(f"{lists[0]} and {lists[1]} are both lists", "give one list")
        if any(int(n) != n for n in intervals):
            raise OptionError(f"intervals = {list(intervals)} are not whole numbers",
                              "give whole numbers, rising: intervals=[32, 64, 128]")
        values = [float(value) for value in settings[lists[0]]] if lists else []
        context = new_context()
        problems = []
        for value in values or [None]:
            chosen = {**settings, lists[0]: value} if lists else settings
            problems.append(share(self._variant(chosen, from_, to), context)[1])
        row = new_options(context, problems[0], {**options, "method": method})
        pointers = (c_void_p * len(problems))(*(p.pointer for p in problems))
        eps = np.asarray(values)
        counts = np.asarray(intervals, dtype=np.intc)
        out = c_void_p()
        status, interrupt = run(
            context, library.rg_order_intervals, len(problems), pointers,
            eps.ctypes.data if len(eps) else None, row.pointer, len(counts), counts.ctypes.data,
            ctypes.byref(out))
        return context, problems, out, status, interrupt

    def __repr__(self):
        a, b = self.interval
        time = library.rg_problem_time_name(self._base.pointer).decode()
        return f"<regula.Model {self.name}: {self.title or 'no title'}, {time} = {a:g} .. {b:g}>"




def _document():
    Model.solve.__doc__ = f"""Solves the model; gives a Solution, or raises regula.Error.

    points=N or at=[...]   output times (without them: the steps)
    from_=A, to=B          another interval
    set={{"l": 2}}           other parameter values
    estimate=False         leave out the second run that estimates the error

    and the options of the table by name, with their range and default:

{options_help()}
    """


_document()

