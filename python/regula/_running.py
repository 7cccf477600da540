"""Long calls of the library: without Python's lock, and ended by Ctrl-C.

Python handles signals in the main thread, and only between its own instructions.  So the main
thread waits, where a signal can reach it, and the call is made by another one, which stays for the
calls to come: to start a thread takes longer than to solve a small model.
"""

import _thread
import os
import signal
import threading

from ._library import library


class Worker:
    """A thread that makes one call after the other for the main thread."""

    def __init__(self):
        self.process = os.getpid()  # a child process has no threads of its parent
        self._wanted, self._done = _thread.allocate_lock(), _thread.allocate_lock()
        self._wanted.acquire()
        self._done.acquire()
        self._call = self._result = self._error = None
        self.is_busy = False
        _thread.start_new_thread(self._work, ())

    def _work(self):
        while True:
            self._wanted.acquire()
            function, arguments = self._call
            try:
                self._result = function(*arguments)
            except BaseException as error:  # noqa: B902: raised in the main thread
                self._error = error
            function = arguments = self._call = None
            self._done.release()

    def run(self, function, arguments):
        self._call, self._error, self.is_busy = (function, arguments), None, True
        self._wanted.release()
        self._done.acquire()  # handlers of signals run meanwhile
        self.is_busy = False
        if self._error is not None:
            raise self._error
        return self._result


class Interrupts:
    """While it is entered Ctrl-C ends the call of a context; .stop is what the caller's own handler
    raises for it, asked behind the call, so that nothing is left half done."""

    def __init__(self, context):
        self._context, self._caught, self._before, self.stop = context, None, None, None

    def __enter__(self):
        self._before = signal.getsignal(signal.SIGINT)
        if callable(self._before):
            signal.signal(signal.SIGINT, self._catch)
        return self

    def _catch(self, number, frame):
        self._caught = (number, frame)
        library.rg_context_interrupt(self._context.pointer)

    def __exit__(self, *_):
        if not callable(self._before):
            return
        signal.signal(signal.SIGINT, self._before)
        if self._caught is not None:
            try:
                self._before(*self._caught)
            except BaseException as stop:  # noqa: B902: raised by the caller of run()
                self.stop = stop


_worker = None


def run(context, function, *arguments):
    """function(*arguments), and what Ctrl-C raises, or None."""
    global _worker
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments), None
    if _worker is None or _worker.process != os.getpid():
        _worker = Worker()
    if _worker.is_busy:  # called by a handler of a signal
        return function(*arguments), None
    with Interrupts(context) as interrupts:
        result = _worker.run(function, arguments)
    return result, interrupts.stop
