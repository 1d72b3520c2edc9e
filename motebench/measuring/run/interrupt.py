"""Ctrl-C and other signals that end a run, remembered so that none is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from motebench.base import process
from motebench.base.process import ENDING

_RAISE = (signal.default_int_handler, process.interrupt)
"""Handlers that raise KeyboardInterrupt."""


class Interrupt:
    """Remembers that Ctrl-C, or a signal that is treated like it, arrived.

    Python raises KeyboardInterrupt wherever the program is. In a finaliser or a callback it is printed and forgotten;
    `check` raises it again at a safe place.
    """

    def __init__(self) -> None:
        self._came = False

    @property
    def came(self) -> bool:
        """For other threads, which get no signals."""
        return self._came

    def end(self) -> None:
        """The run ends as if a signal had arrived."""
        self._came = True

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within the context, each signal that raises KeyboardInterrupt is also recorded; ignored signals
        stay ignored."""
        main = threading.current_thread() is threading.main_thread()
        handlers = {number: signal.getsignal(number) for number in ENDING if main}
        raising = {number: handler for number, handler in handlers.items() if handler in _RAISE}
        for number in raising:
            signal.signal(number, self._note)
        try:
            yield
        finally:
            for number, handler in raising.items():
                signal.signal(number, handler)

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal arrived."""
        if self.came:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        process.interrupt(number, frame)
