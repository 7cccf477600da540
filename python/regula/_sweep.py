"""Many runs of one model: what `regula sweep` does."""

import ctypes
import os

import numpy as np

from ._errors import check
from ._library import Handle, c_char_p, c_void_p, json_of, library
from ._running import run


def over_texts(over):
    """{"l": [1, 2, 3], "m": "normal(1,0.1):3"} as the command writes it; a text is taken as it is."""
    if isinstance(over, str):
        return [over]
    if not hasattr(over, "items"):
        return [str(text) for text in over]
    texts = []
    for name, values in over.items():
        if not isinstance(values, str):
            values = ",".join(repr(float(v)) for v in np.atleast_1d(values).ravel())
        texts.append(f"{name}={values}")
    return texts


class Sweep:
    """Rows of a sweep: s["p"] and s["l"] are arrays with an entry per run, NaN after a failure."""

    def __init__(self, facts):
        self.facts = facts
        self.rows, self.statistics = facts["rows"], facts["statistics"]
        self.runs, self.ok, self.failed = facts["runs"], facts["ok"], facts["failed"]
        first = self.rows[0] if self.rows else {"set": {}, "values": {}}
        self.columns = ["run", *first["set"], "t", *first.get("values", {}), "estimate"]
        self.status = [row["status"] for row in self.rows]
        self.messages = [row["message"] for row in self.rows]
        self.array = np.array(
            [[row["run"], *row["set"].values(), row["t"], *row.get("values", {}).values(),
              row["estimate"]] for row in self.rows], dtype=float).reshape(-1, len(self.columns))

    def __getitem__(self, name):
        if name not in self.columns:
            raise KeyError(f"there is no column '{name}': there are {', '.join(self.columns[:20])}")
        return self.array[:, self.columns.index(name)]

    def __len__(self):
        return len(self.rows)

    def to_dict(self):
        return self.facts

    def __repr__(self):
        return f"<regula.Sweep: {len(self.rows)} runs, {self.ok} ok, {self.failed} failed>"


def sweep_problem(name, shared, options, over, zip_, seed, jobs, times, estimate):
    context, problem = shared
    texts = [text.encode() for text in over_texts(over)]
    words = (c_char_p * (len(texts) + 1))(*texts)
    out = c_void_p()
    check(context, library.rg_sweep_table_create(context.pointer, ctypes.byref(out)))
    table = Handle(out, library.rg_sweep_table_destroy, context)
    status, interrupt = run(
        context, library.rg_sweep_into, problem.pointer, options.pointer, len(texts),
        ctypes.cast(words, c_void_p), int(zip_), int(seed), int(jobs or 0), len(times),
        times.ctypes.data if len(times) else None, int(estimate), table.pointer)
    if interrupt is not None:
        raise interrupt
    check(context, status)
    return Sweep(json_of(library.rg_report_sweep_json_text, os.fsencode(name), table.pointer, None))
