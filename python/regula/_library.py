"""The shared library: where it is, and the functions of regula.h that are used, by ctypes.

No struct of the header is mirrored here: what may grow comes as JSON, everything else as handles
and plain numbers.
"""

import ctypes
import json
import os
import threading

c_int, c_int64, c_double, c_char_p, c_void_p = (
    ctypes.c_int, ctypes.c_int64, ctypes.c_double, ctypes.c_char_p, ctypes.c_void_p)
_handle = ctypes.POINTER(c_void_p)
_doubles = ctypes.c_void_p  # the address of an array

RESIDUAL = ctypes.CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_void_p, c_void_p)
JACOBIAN = ctypes.CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_double, c_void_p, c_void_p)
RIGHT_SIDE = ctypes.CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_void_p)
EVENT = RIGHT_SIDE
RESET = ctypes.CFUNCTYPE(c_int, c_double, c_int, c_void_p, c_void_p)

FUNCTIONS = {
    # name: (result, arguments)
    "rg_version": (c_char_p, []),
    "rg_context_create": (c_int, [_handle]),
    "rg_context_interrupt": (None, [c_void_p]),
    "rg_context_destroy": (None, [_handle]),
    "rg_last_error": (c_void_p, [c_void_p]),
    "rg_error_count": (c_int, [c_void_p]),
    "rg_error_at": (c_void_p, [c_void_p, c_int]),
    "rg_options_create": (c_int, [c_void_p, _handle]),
    "rg_options_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "rg_options_destroy": (None, [_handle]),
    "rg_problem_load": (c_int, [c_void_p, c_char_p, c_char_p, c_int, c_void_p, _doubles, _handle]),
    "rg_problem_create": (c_int, [c_void_p, c_int64, RESIDUAL, c_void_p, _handle]),
    "rg_problem_create_mass": (c_int, [c_void_p, c_int64, _doubles, RIGHT_SIDE, c_void_p, _handle]),
    "rg_problem_set_jacobian": (c_int, [c_void_p, JACOBIAN]),
    "rg_problem_set_event": (c_int, [c_void_p, c_int, EVENT, RESET]),
    "rg_problem_set_pattern": (c_int, [c_void_p, c_void_p, c_void_p]),
    "rg_problem_set_indices": (c_int, [c_void_p, c_void_p]),
    "rg_problem_set_initial": (c_int, [c_void_p, c_double, _doubles, _doubles]),
    "rg_problem_set_interval": (c_int, [c_void_p, c_double, c_double]),
    "rg_problem_interval": (None, [c_void_p, _doubles, _doubles]),
    "rg_problem_title": (c_char_p, [c_void_p]),
    "rg_problem_time_name": (c_char_p, [c_void_p]),
    "rg_problem_is_boundary": (c_int, [c_void_p]),
    "rg_problem_has_fields": (c_int, [c_void_p]),
    "rg_problem_options": (c_int, [c_void_p, c_void_p]),
    "rg_problem_share": (c_int, [c_void_p, c_void_p, _handle]),
    "rg_problem_destroy": (None, [_handle]),
    "rg_analyze": (c_int, [c_void_p, c_void_p]),
    "rg_make_consistent": (c_int, [c_void_p, c_void_p]),
    "rg_conditioning": (c_int, [c_void_p, c_void_p, _doubles]),
    "rg_solve_rows": (
        c_int, [c_void_p, c_double, c_void_p, c_int, c_int64, _doubles, c_int, _handle]),
    "rg_solution_eval": (c_int, [c_void_p, c_double, _doubles, _doubles]),
    "rg_solution_warning_count": (c_int, [c_void_p]),
    "rg_solution_warning": (c_char_p, [c_void_p, c_int]),
    "rg_solution_rows": (c_int64, [c_void_p]),
    "rg_solution_columns": (c_int64, [c_void_p]),
    "rg_solution_column_name": (c_int, [c_void_p, c_int64, c_char_p, c_int]),
    "rg_solution_times_into": (c_int, [c_void_p, _doubles]),
    "rg_solution_rows_into": (c_int, [c_void_p, c_int64, c_int64, _doubles]),
    "rg_solution_end_values": (c_int, [c_void_p, _doubles]),
    "rg_solution_end": (c_double, [c_void_p]),
    "rg_solution_write_csv": (c_int, [c_void_p, c_char_p]),
    "rg_solution_destroy": (None, [_handle]),
    "rg_compare": (c_int, [c_void_p, c_double, c_void_p, c_char_p, _handle]),
    "rg_comparison_destroy": (None, [_handle]),
    "rg_sweep_table_create": (c_int, [c_void_p, _handle]),
    "rg_sweep_table_destroy": (None, [_handle]),
    "rg_sweep_into": (
        c_int, [c_void_p, c_void_p, c_int, c_void_p, c_int, c_int64, c_int, c_int64, _doubles,
                c_int, c_void_p]),
    "rg_report_sweep_json_text": (c_int, [c_char_p, c_void_p, c_void_p, _handle]),
    "rg_order_measure": (c_int, [c_void_p, c_double, c_void_p, c_int, _doubles, _handle]),
    "rg_order_intervals": (c_int, [c_int, c_void_p, _doubles, c_void_p, c_int, c_void_p, _handle]),
    "rg_orders_destroy": (None, [_handle]),
    "rg_report_check_text": (c_int, [c_void_p, _handle]),
    "rg_report_check_json_text": (c_int, [c_char_p, c_void_p, c_void_p, _handle]),
    "rg_report_solution_text": (c_int, [c_void_p, _handle]),
    "rg_report_solution_json_text": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, _handle]),
    "rg_report_comparison_text": (c_int, [c_void_p, _handle]),
    "rg_report_comparison_json_text": (c_int, [c_char_p, c_void_p, _handle]),
    "rg_report_orders_text": (c_int, [c_void_p, _handle]),
    "rg_report_orders_json_text": (c_int, [c_char_p, c_void_p, c_void_p, _handle]),
    "rg_report_tables_json_text": (c_int, [_handle]),
    "rg_report_svg_of": (
        c_int, [c_void_p, c_void_p, c_char_p, c_char_p, c_double, c_double, c_char_p]),
    "rg_report_html": (c_int, [c_void_p, c_void_p, c_char_p]),
    "rg_report_check_html": (c_int, [c_void_p, c_void_p, c_char_p]),
    "rg_comparison_write_html": (c_int, [c_void_p, c_void_p, c_char_p]),
    "rg_orders_write_html": (c_int, [c_void_p, c_void_p, c_char_p]),
    "rg_free_text": (None, [_handle]),
}


def _path():
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("REGULA_LIBRARY"), os.path.join(here, "libregula.so"),
              os.path.join(here, "..", "..", "build", "libregula.so")]
    for place in places:
        if place and os.path.exists(place):
            return place
    return "libregula.so.0"


def _load():
    path = _path()
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"cannot load the library of regula: {error}; build it with `make all` and install "
            "the package again, or name the file in REGULA_LIBRARY") from None
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise ImportError(f"{path} has no function {name}: it is of another version") from None
        function.restype = result
        function.argtypes = arguments
    return loaded


library = _load()


def text_of(function, *arguments):
    """The text that a function hands over through its last argument."""
    out = c_void_p()
    if function(*arguments, ctypes.byref(out)) < 0 or not out.value:
        raise MemoryError("out of memory")
    try:
        return ctypes.string_at(out.value).decode("utf-8", "replace")
    finally:
        library.rg_free_text(ctypes.byref(out))


def json_of(function, *arguments):
    return json.loads(text_of(function, *arguments))


_counting = threading.RLock()  # the collector may come in the middle of it


class Handle:
    """An object of the library, destroyed when nobody needs it any more, and after its children:
    the collector of cycles has no order of its own."""

    __slots__ = ("pointer", "_destroy", "_parents", "_children", "_unused", "__weakref__")

    def __init__(self, pointer, destroy, *parents):
        self.pointer, self._destroy, self._parents = pointer, destroy, parents
        self._children, self._unused = 0, False
        with _counting:
            for parent in parents:
                parent._children += 1

    def __del__(self):
        with _counting:
            self._unused = True
            self._end()

    def _end(self):
        if not self._unused or self._children > 0 or self.pointer is None:
            return
        pointer, self.pointer = self.pointer, None
        self._destroy(ctypes.byref(pointer))
        for parent in self._parents:
            parent._children -= 1
            parent._end()


def new_context():
    out = c_void_p()
    if library.rg_context_create(ctypes.byref(out)) < 0:
        raise MemoryError("out of memory")
    return Handle(out, library.rg_context_destroy)
