"""Functions as models: F(t, y, y') = 0 or M y' = f(t, y) from Python functions on arrays."""

import ctypes

import numpy as np

from ._errors import Error, OptionError, check
from ._library import (EVENT, JACOBIAN, RESET, RESIDUAL, RIGHT_SIDE, Handle, c_double, c_void_p,
                       library, new_context)
from ._model import KEEP_ROWS, KEEP_STEPS, chosen_times, solve_problem
from ._solution import Solution


class Views:
    """Arrays over the memory of the solver, by address: it hands over the same few again and
    again.  The functions must not keep them."""

    def __init__(self, size, writable):
        self._size, self._writable, self._known = size, writable, {}

    def __call__(self, address):
        view = self._known.get(address)
        if view is None:
            if len(self._known) > 256:
                self._known.clear()
            view = np.frombuffer((c_double * self._size).from_address(address), dtype=float)
            view.flags.writeable = self._writable
            self._known[address] = view
        return view


def fill(view, found, what):
    """Numbers of a function into the memory of the solver: as many as there are, never repeated."""
    found = np.asarray(found, dtype=float)
    if found.size != view.size:
        raise OptionError(f"{what} returned the shape {found.shape}", f"return {view.size} numbers")
    view[...] = found.reshape(view.shape)


def sparsity_of(pattern, n):
    """Compressed columns (start, rows) of a pattern: dense array, sparse matrix, or the pair."""
    if isinstance(pattern, tuple):
        start, rows = (np.ascontiguousarray(part, dtype=np.int64) for part in pattern)
        return start, rows
    if hasattr(pattern, "tocsc"):
        matrix = pattern.tocsc()
        matrix.sort_indices()
        return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    dense = np.asarray(pattern) != 0
    if dense.shape != (n, n):
        raise OptionError(f"the sparsity has the shape {dense.shape}", f"give {n} x {n}")
    start = np.concatenate([[0], np.cumsum(dense.sum(axis=0))]).astype(np.int64)
    return start, np.ascontiguousarray(np.nonzero(dense.T)[1], dtype=np.int64)


class Problem:
    """F(t, y, yp) = 0 by a function that returns n numbers; solve() integrates it.

    y0 is kept, yp0 (if any) is a guess; NaN in either means: to be computed.  With `mass` the
    function is f(t, y) of mass @ y' = f; mass = "identity" for y' = f(t, y).
    jac(t, y, yp, shift) returns dF/dy + shift*dF/dyp (n x n; with `sparsity` also the values in
    the order of its columns).  index: of all unknowns, or one for each.
    events: pairs (g, reset).  Where g(t, y) > 0 becomes true reset(t, y) returns the values behind
    the event, or None: nothing changes; "stop" in its place ends the run as solved.
    y and yp are the solver's memory: read them, do not keep them.
    """

    def __init__(self, F, y0, t=(0.0, 1.0), jac=None, sparsity=None, mass=None, index=None,
                 yp0=None, events=()):
        self.y0 = np.ascontiguousarray(np.atleast_1d(y0), dtype=float)
        self.n = len(self.y0)
        if self.y0.ndim != 1 or self.n == 0:
            raise OptionError(f"y0 has the shape {self.y0.shape}", "give a list of numbers")
        self.t = (float(t[0]), float(t[1]))
        self.F, self.jac = F, jac
        self.raised = []  # the exception that ended a run
        self.calls = 0
        self._context = new_context()
        self._pattern = None if sparsity is None else sparsity_of(sparsity, self.n)
        self._read = Views(self.n, False)
        self._write = Views(self.n, True)
        self._base = self._create(mass)
        self._describe(index, yp0)
        self.events = [(event, None) if callable(event) else tuple(event) for event in events]
        if self.events:
            self._set_events()

    # ---- callbacks: 0 done, -1 ends the run, and the exception is kept
    def _residual(self, t, y, yp, out, _user):
        try:
            self.calls += 1
            found = self.F(t, self._read(y), self._read(yp))
            if found is None:
                raise TypeError("the function returned nothing: return the residuals")
            fill(self._write(out), found, "the function")
            return 0
        except BaseException as error:  # noqa: B902: raised again behind the run
            self.raised.append(error)
            return -1

    def _right_side(self, t, y, out, _user):
        try:
            self.calls += 1
            found = self.F(t, self._read(y))
            if found is None:
                raise TypeError("the function returned nothing: return the right-hand sides")
            fill(self._write(out), found, "the function")
            return 0
        except BaseException as error:  # noqa: B902
            self.raised.append(error)
            return -1

    def _jacobian(self, t, y, yp, shift, out, _user):
        try:
            found = self.jac(t, self._read(y), self._read(yp), shift)
            fill(self._places(out), self._in_order(found), "jac")
            return 0
        except BaseException as error:  # noqa: B902
            self.raised.append(error)
            return -1

    def _conditions(self, t, y, out, _user):
        try:
            here = self._read(y)
            self._truths(out)[...] = [g(t, here) for g, _ in self.events]
            return 0
        except BaseException as error:  # noqa: B902
            self.raised.append(error)
            return -1

    def _behind(self, t, number, y, _user):
        try:
            reset = self.events[number][1]
            if isinstance(reset, str):
                return 1
            found = None if reset is None else reset(t, self._write(y))
            if found is not None:
                fill(self._write(y), found, "the reset of an event")
            return 0
        except BaseException as error:  # noqa: B902
            self.raised.append(error)
            return -1

    def _set_events(self):
        for _, reset in self.events:
            if not (reset is None or callable(reset) or reset == "stop"):
                raise OptionError(f"{reset!r} is no reset of an event",
                                  'give a function, None or "stop"')
        self._truths = Views(len(self.events), True)
        self._event, self._reset = EVENT(self._conditions), RESET(self._behind)
        check(self._context, library.rg_problem_set_event(
            self._base.pointer, len(self.events), self._event, self._reset))

    def _in_order(self, found):
        if hasattr(found, "toarray"):
            found = found.toarray()
        found = np.asarray(found, dtype=float)
        if self._pattern is None:
            if found.shape != (self.n, self.n):
                raise OptionError(f"jac returned the shape {found.shape}",
                                  f"return {self.n} x {self.n} numbers")
            return found.T.ravel()
        if found.ndim == 2:
            start, rows = self._pattern
            columns = np.repeat(np.arange(self.n), np.diff(start))
            return found[rows, columns]
        return found

    def _create(self, mass):
        out = c_void_p()
        if mass is None:
            self._function = RESIDUAL(self._residual)
            status = library.rg_problem_create(
                self._context.pointer, self.n, self._function, None, ctypes.byref(out))
        else:
            matrix = None
            if not isinstance(mass, str):
                matrix = np.asfortranarray(mass, dtype=float)
                if matrix.shape != (self.n, self.n):
                    raise OptionError(f"mass has the shape {matrix.shape}",
                                      f"give {self.n} x {self.n} numbers")
            self._function = RIGHT_SIDE(self._right_side)
            status = library.rg_problem_create_mass(
                self._context.pointer, self.n, None if matrix is None else matrix.ctypes.data,
                self._function, None, ctypes.byref(out))
        check(self._context, status)
        return Handle(out, library.rg_problem_destroy, self._context)

    def _describe(self, index, yp0):
        pointer, context = self._base.pointer, self._context
        if self._pattern is not None:
            start, rows = self._pattern
            check(context, library.rg_problem_set_pattern(
                pointer, start.ctypes.data, rows.ctypes.data))
        if self.jac is not None:
            self._places = Views(self.n * self.n if self._pattern is None
                                 else len(self._pattern[1]), True)
            self._derivative = JACOBIAN(self._jacobian)
            check(context, library.rg_problem_set_jacobian(pointer, self._derivative))
        if index is not None:
            every = np.ascontiguousarray(np.broadcast_to(index, self.n), dtype=np.int32)
            check(context, library.rg_problem_set_indices(pointer, every.ctypes.data))
        slopes = None if yp0 is None else np.ascontiguousarray(yp0, dtype=float)
        if slopes is not None and slopes.shape != self.y0.shape:
            raise OptionError(f"yp0 has the shape {slopes.shape}", f"give {self.n} numbers")
        check(context, library.rg_problem_set_initial(
            pointer, self.t[0], self.y0.ctypes.data, None if slopes is None else slopes.ctypes.data))
        check(context, library.rg_problem_set_interval(pointer, *self.t))

    def solve(self, *, points=None, at=None, estimate=False, **options):
        """Solves it; the options are those of Model.solve.  An exception in a function is raised."""
        times = chosen_times(points, at, *self.t)
        keep = KEEP_ROWS if len(times) else KEEP_STEPS
        self.raised.clear()
        solution = solve_problem(self._base, options, self.t[1], times, keep, estimate,
                                 "functions", None, self.raised)
        solution._functions = self  # they must outlive it
        return solution


def eval_solution(solution, n, t):
    """y and y' at one time, from the polynomial of its step."""
    y, yp = np.empty(n), np.empty(n)
    check(solution._context, library.rg_solution_eval(
        solution._handle.pointer, float(t), y.ctypes.data, yp.ctypes.data))
    return y, yp


class Dense:
    """sol(t): y at one time (n numbers) or at many (n x times), between the steps too."""

    def __init__(self, solution, n):
        self._solution, self._n = solution, n

    def __call__(self, t):
        if np.ndim(t) == 0:
            return eval_solution(self._solution, self._n, t)[0]
        return np.array([eval_solution(self._solution, self._n, x)[0] for x in t]).T


class Result:
    """t, y, yp, success, message, nfev, njev, nlu, sol, as SciPy's solve_ivp has them."""

    def __init__(self, **facts):
        self.__dict__.update(facts)

    def __getitem__(self, name):
        return self.__dict__[name]

    def __repr__(self):
        return "\n".join(f"{name:>9}: {value!r}" for name, value in self.__dict__.items())


def _scipy_events(events, args):
    """Functions with `terminal` and `direction` as pairs of Problem, and whose each pair is."""
    events = [] if events is None else [events] if callable(events) else list(events)
    pairs, owners = [], []
    for k, event in enumerate(events):
        way = getattr(event, "direction", 0)
        reset = "stop" if getattr(event, "terminal", False) else None
        for sign in (1, -1):
            if sign * way >= 0:
                pairs.append((lambda t, y, e=event, s=sign: s * e(t, y, *args), reset))
                owners.append(k)
    return pairs, owners, len(events)


def _event_times(solution, problem, owners, count):
    """t_events and y_events as SciPy has them, and whether one ended the run."""
    times, stopped = [[] for _ in range(count)], False
    for event in solution.events:
        number = int(event["name"].split()[-1])
        times[owners[number]].append(event["t"])
        stopped = stopped or problem.events[number][1] == "stop"
    values = [np.array([eval_solution(solution, problem.n, t)[0] for t in each]) for each in times]
    return [np.array(each) for each in times], values, stopped


def _result(problem, options, owners=(), count=0):
    """SciPy reports a failure in the result; so does this, for failures of the run."""
    try:
        solution, message, success = problem.solve(**options), "", True
    except Error as error:
        if not isinstance(error.partial, Solution):
            raise
        solution, message, success = error.partial, str(error), False
    solution._functions = problem
    pairs = [eval_solution(solution, problem.n, t) for t in solution.t]
    empty = np.empty((0, problem.n))
    stats = solution.stats
    t_events, y_events, stopped = _event_times(solution, problem, owners, count)
    return Result(
        t=solution.t, y=np.array([p[0] for p in pairs] or empty).T,
        yp=np.array([p[1] for p in pairs] or empty).T, success=success,
        status=-1 if not success else 1 if stopped else 0,
        t_events=t_events if count else None, y_events=y_events if count else None,
        message=message or f"solved up to t = {solution.t_end:g}",
        nfev=problem.calls, njev=stats["jacobians"], nlu=stats["factorizations"],
        sol=Dense(solution, problem.n), solution=solution)


def _tolerances(rtol, atol, options):
    """One number, or a list with a number for every unknown."""
    options = {key: value for key, value in options.items() if value is not None}
    options["rtol"] = rtol
    if np.ndim(atol) == 0:
        options["atol"] = float(atol)
    else:
        options["atol"] = {f"y[{k + 1}]": float(value) for k, value in enumerate(atol)}
    return options


def solve_dae(F, t_span, y0, yp0=None, t_eval=None, *, rtol=1e-6, atol=1e-6, jac=None,
              sparsity=None, mass=None, index=None, args=(), **options):
    """F(t, y, yp, *args) = 0 from t_span[0] to t_span[1]; the result is like solve_ivp's."""
    function = (lambda t, y, yp: F(t, y, yp, *args)) if args else F
    problem = Problem(function, y0, t_span, jac, sparsity, mass, index, yp0)
    return _result(problem, {"at": t_eval, **_tolerances(rtol, atol, options)})


def solve_ivp(fun, t_span, y0, method="auto", t_eval=None, dense_output=True, events=None,
              args=(), rtol=1e-3, atol=1e-6, max_step=None, first_step=None, **options):
    """y' = fun(t, y, *args): takes the place of scipy.integrate.solve_ivp (methods of regula).
    events: functions whose zeros are found; `terminal` (ends the run) and `direction` count."""
    del dense_output  # there always is one
    if max_step is not None and np.isfinite(max_step):
        options["h_max"] = max_step
    options["h_first"] = first_step
    known = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
    options["method"] = "auto" if method in known else method
    function = (lambda t, y: fun(t, y, *args)) if args else fun
    pairs, owners, count = _scipy_events(events, args)
    problem = Problem(function, y0, t_span, mass="identity", events=pairs)
    return _result(problem, {"at": t_eval, **_tolerances(rtol, atol, options)}, owners, count)
