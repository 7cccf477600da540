"""Long calls of the library: without Python's lock, and ended by Ctrl-C.

Python handles signals in the main thread, and only between its own instructions.  So the main
thread waits, where a signal can reach it, and the call is made by another one.
"""

import _thread
import threading

from ._library import library


def run(context, function, *arguments):
    """function(*arguments); KeyboardInterrupt ends it soon, and is raised behind it."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments), None
    result = []
    done = _thread.allocate_lock()
    done.acquire()

    def call():
        try:
            result.append(function(*arguments))
        finally:
            done.release()

    _thread.start_new_thread(call, ())
    interrupt = None
    while True:
        try:
            done.acquire()
            return result[0], interrupt
        except KeyboardInterrupt as stop:
            interrupt = stop
            library.rg_context_interrupt(context.pointer)
