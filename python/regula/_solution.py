"""Solutions: rows as arrays, what the command reports, and values at any other time."""

import ctypes
import os
import tempfile
from html import escape

import numpy as np

from ._errors import Error, check
from ._library import json_of, library, text_of
from ._tables import Table


def column_names(pointer):
    names = []
    buffer = ctypes.create_string_buffer(512)
    for k in range(library.rg_solution_columns(pointer)):
        library.rg_solution_column_name(pointer, k, buffer, len(buffer))
        names.append(buffer.value.decode())
    return names


class Solution(Table):
    """What a run leaves: s.t, s["p"], s.p, s(3.7), s.end, s.estimate, s.errors, s.drift, ...

    Rows are the chosen times (points, at), or the steps.  s.columns and s.array (rows x columns)
    make a DataFrame: pandas.DataFrame(s.array, s.t, s.columns).
    """

    def __init__(self, handle, problem, context, name, error, again):
        self._handle, self._problem, self._context = handle, problem, context
        self._name, self._again, self._facts = name, again, None
        self._time = library.rg_problem_time_name(problem.pointer).decode()
        pointer = handle.pointer
        columns = column_names(pointer)
        rows = library.rg_solution_rows(pointer)
        self.t = np.empty(rows)
        array = np.empty((rows, len(columns)))
        if error is not None:  # before the context forgets it
            self._facts = self._report(error)
        library.rg_solution_times_into(pointer, self.t.ctypes.data)
        check(context, library.rg_solution_rows_into(pointer, 0, len(columns), array.ctypes.data))
        super().__init__(columns, array)

    def _report(self, error):
        return json_of(library.rg_report_solution_json_text, os.fsencode(self._name),
                       self._problem.pointer, self._handle.pointer, error)

    def to_dict(self):
        """The object that `regula solve --json` prints."""
        if self._facts is None:
            self._facts = self._report(None)
        return self._facts

    def _fact(self, key, missing=None):
        value = self.to_dict().get(key)
        return missing if value is None else value

    @property
    def end(self):
        """The values at the time reached, by name."""
        values = np.empty(len(self.columns))
        check(self._context, library.rg_solution_end_values(
            self._handle.pointer, values.ctypes.data))
        return dict(zip(self.columns, values.tolist()))

    @property
    def t_end(self):
        return library.rg_solution_end(self._handle.pointer)

    method = property(lambda self: self._fact("method", ""))
    why = property(lambda self: self._fact("why", ""))
    title = property(lambda self: self._fact("title", ""))
    index = property(lambda self: self._fact("index"))
    estimate = property(lambda self: self._fact("estimate", np.nan))
    estimate_end = property(lambda self: self._fact("estimate_end", np.nan))
    errors = property(lambda self: self._fact("errors", {}))
    drift = property(lambda self: self._fact("drift", []))
    singular = property(lambda self: self._fact("singular", []))
    events = property(lambda self: self._fact("events", []))

    @property
    def warnings(self):
        """What was decided or repaired on the way."""
        pointer = self._handle.pointer
        return [library.rg_solution_warning(pointer, k).decode()
                for k in range(library.rg_solution_warning_count(pointer))]

    @property
    def stats(self):
        """Steps, rejected, evaluations, jacobians, factorizations and seconds of the run."""
        keys = ("steps", "rejected", "evaluations", "jacobians", "factorizations", "seconds")
        return {key: self._fact(key) for key in keys}

    @property
    def text(self):
        """The summary that `regula solve` prints."""
        return text_of(library.rg_report_solution_text, self._handle.pointer)

    def to_csv(self, path):
        """Writes the rows as the command does with --csv; the file appears whole."""
        check(self._context, library.rg_solution_write_csv(
            self._handle.pointer, os.fsencode(os.fspath(path))))

    def report(self, path):
        """Writes one HTML file with the model, plots and data; as the command with --report."""
        check(self._context, library.rg_report_html(
            self._handle.pointer, self._problem.pointer, os.fsencode(os.fspath(path))))

    def svg(self, path=None, *, show=None, log=None, size=(0, 0)):
        """A figure: written to a file, or given as text.

        show="p,q" chooses columns, show="q:p" draws p over q; log="y"; size=(160, 100) in mm.
        """
        if path is None:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "figure.svg")
                self.svg(path, show=show, log=log, size=size)
                with open(path, encoding="utf-8") as file:
                    return file.read()
        if show is not None and not isinstance(show, str):
            show = ",".join(show)
        check(self._context, library.rg_report_svg_of(
            self._handle.pointer, self._problem.pointer, show and show.encode(),
            log and log.encode(), *map(float, size), os.fsencode(os.fspath(path))))
        return None

    def __call__(self, t):
        """Values at one time or at many, all columns by name.

        As good as rows: the run is made again with these output times, so ask for many times in
        one call.  Times that are rows already cost nothing.
        """
        wanted = np.atleast_1d(np.asarray(t, dtype=float))
        sign = 1 if len(self.t) < 2 or self.t[-1] >= self.t[0] else -1
        times, back = np.unique(wanted, return_inverse=True)
        if sign < 0:
            times, back = times[::-1].copy(), len(times) - 1 - back
        rows = self._rows_at(times)
        array = rows[back].reshape(np.shape(t) + (len(self.columns),))
        return Table(self.columns, array)

    def _rows_at(self, times):
        place = {value: k for k, value in enumerate(self.t.tolist())}
        known = [place.get(value) for value in times.tolist()]
        if None not in known:
            return self.array[known]
        if self._again is None:
            raise Error("the solution has no values at a time that is no row",
                        "solve with at=[...] or points=N")
        return self._again(times).array

    def __repr__(self):
        facts = self.to_dict()
        estimate = facts.get("estimate")
        return (f"<regula.Solution {facts.get('title') or self._name}\n"
                f" {len(self.t)} rows, {self._time} = {self.t[0] if len(self.t) else np.nan:g} .. "
                f"{self.t_end:g}, columns {', '.join(self.columns[:8])}"
                f"{', ...' if len(self.columns) > 8 else ''}\n"
                f" {facts.get('method')}, {facts.get('steps')} steps, estimated error "
                f"{estimate if estimate is None else format(estimate, '.2g')}>")

    def __len__(self):
        return len(self.t)

    def _repr_svg_(self):
        return self.svg() if len(self.t) else None

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{value:.10g}</td></tr>"
                       for name, value in list(self.end.items())[:20])
        return (f"<div>{self._repr_svg_() or ''}<table><tr><th>at the end</th><th></th></tr>{rows}"
                f"</table><details><summary>summary</summary><pre>{escape(self.text)}</pre></details>"
                "</div>")


