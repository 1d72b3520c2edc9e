"""Ctrl-C and the other signals that ask for an end during a run, so that they are not lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that ask a program to end."""


def end_in_order() -> None:
    """Take every signal of `ENDING` for Ctrl-C, which ends probes and keeps the run.

    A signal that is ignored when the program starts stays ignored (``nohup``). SIGQUIT does not: shells ignore it for
    what they start in the background, together with SIGINT, and this program could hardly be ended then.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if number == signal.SIGQUIT or signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


class Interrupt:
    """Remembers that Ctrl-C came, or another signal that the program takes for one.

    Python raises KeyboardInterrupt wherever the program happens to be. In a finaliser or a callback it is printed and
    forgotten; `check` raises it again at a place where it is not.
    """

    def __init__(self) -> None:
        self._came = False

    @property
    def came(self) -> bool:
        """For other threads, which no signal reaches."""
        return self._came

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside, each signal that raises KeyboardInterrupt is noted as well; what is ignored stays ignored."""
        main = threading.current_thread() is threading.main_thread()
        raising = [number for number in ENDING if main and signal.getsignal(number) is signal.default_int_handler]
        for number in raising:
            signal.signal(number, self._note)
        try:
            yield
        finally:
            for number in raising:
                signal.signal(number, signal.default_int_handler)

    def check(self) -> None:
        """Raise KeyboardInterrupt if it came."""
        if self._came:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._came = True
        raise KeyboardInterrupt
