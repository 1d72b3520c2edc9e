"""Ctrl-C during a run, so that it is not lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Remembers that Ctrl-C came.

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
        """Inside, Ctrl-C is noted as well as raised: where Python would raise it, and nobody chose to ignore it."""
        main = threading.current_thread() is threading.main_thread()
        if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def check(self) -> None:
        """Raise KeyboardInterrupt if it came."""
        if self._came:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._came = True
        raise KeyboardInterrupt
