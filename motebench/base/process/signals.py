"""Signals that end the program, kept back while something must not be cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that ask a program to end."""


class Hold:
    """Whether a signal has to wait: it does while ``depth`` is not 0. ``late``: one is waiting."""

    def __init__(self) -> None:
        self.depth, self.late = 0, False

    def raise_late(self) -> None:
        """KeyboardInterrupt for a signal that has waited."""
        late, self.late = self.late, False
        if late:
            raise KeyboardInterrupt

    @contextmanager
    def released(self) -> Iterator[None]:
        """Within the context signals do not wait."""
        depth, self.depth = self.depth, 0
        try:
            self.raise_late()
            yield
        finally:
            self.depth = depth


_hold = Hold()


def interrupt(number: int, frame: FrameType | None) -> None:
    """A handler: KeyboardInterrupt where the program is, or where nothing holds it any more."""
    del number, frame
    if _hold.depth:
        _hold.late = True
        return
    raise KeyboardInterrupt


def end_in_order() -> None:
    """Treat every signal of `ENDING` like Ctrl-C, which ends probes and keeps the run.

    A signal that is ignored when the program starts stays ignored (``nohup``). SIGQUIT does not: shells ignore it,
    together with SIGINT, for programs in the background, and this program could hardly be ended then.
    """
    for number in ENDING:
        if number == signal.SIGQUIT or signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, interrupt)


@contextmanager
def held() -> Iterator[Hold]:
    """Within the context, signals whose handler is `interrupt` wait for its end. Other threads get no signals."""
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    _hold.depth += 1
    try:
        yield _hold
    finally:
        _hold.depth -= 1
        if not _hold.depth:
            _hold.raise_late()
