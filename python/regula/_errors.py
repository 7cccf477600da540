"""What can go wrong, as exceptions with the message, the remedy and the place."""

import warnings

from ._library import json_of, library


class Error(Exception):
    """A failure of regula: .message .remedy .file .line .column .t .partial (or None each)."""

    def __init__(self, message, remedy=None, file=None, line=None, column=None, t=None):
        self.message, self.remedy, self.file = message, remedy, file
        self.line, self.column, self.t, self.partial = line, column, t, None
        self.others = []  # further errors of the same model text
        super().__init__(message)

    def __str__(self):
        text = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        text += self.message
        if self.remedy:
            text += f"\n  remedy: {self.remedy}"
        return "\n".join([text, *map(str, self.others)])


class ModelError(Error):
    """The model text, or its file, cannot be read."""


class StructureError(Error):
    """Not square, structurally singular, or of too high an index."""


class InconsistentError(Error):
    """Start or boundary values violate the constraints."""


class ConvergenceError(Error):
    """Newton's method or the control of the step gave up; .partial has the solution up to .t."""


class MethodError(Error):
    """The chosen method does not fit the model."""


class OptionError(Error, ValueError):
    """An option, a parameter or an argument that there is not, or a value out of range."""


class RegulaWarning(UserWarning):
    """What was decided or repaired on the way."""


CALLBACK, INTERRUPTED = -8, -10
_CLASSES = {-1: OptionError, -3: ModelError, -4: ModelError, -5: StructureError,
            -6: InconsistentError, -7: ConvergenceError, -9: MethodError}


def _one(status, pointer):
    facts = json_of(library.rg_report_solution_json_text, b"", None, None, pointer)
    return _CLASSES.get(status, Error)(
        facts.get("message") or "failed", facts.get("remedy"), facts.get("file"),
        facts.get("line"), facts.get("column"), facts.get("t"))


def error_of(context, status):
    """The failure that a context remembers, as an exception that can be raised."""
    error = _one(status, library.rg_last_error(context.pointer))
    for k in range(library.rg_error_count(context.pointer)):
        other = _one(status, library.rg_error_at(context.pointer, k))
        if (other.message, other.line) != (error.message, error.line):
            error.others.append(other)
    return error


def check(context, status):
    if status < 0:
        raise error_of(context, status)
    return status


def tell(texts):
    for text in texts:
        warnings.warn(text, RegulaWarning, stacklevel=4)
