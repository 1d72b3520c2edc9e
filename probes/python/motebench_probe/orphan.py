"""The end of a probe whose orchestrator is gone, in the middle of a computation too."""

from __future__ import annotations

import _thread
import os
import select
import time

_LOOK_SECONDS = 0.05
_ORPHANED = 1
"""Exit status of an orphaned probe; nobody reads it."""


def end_with_parent(source: int) -> None:
    """Watch the stream of requests from a thread that only waits: it takes no time from what is
    measured.

    At the end of the stream, requests that came before it are still answered while the process that
    sent them lives. A call that keeps the interpreter to itself is over first.
    """
    _thread.start_new_thread(_watch, (source, os.getppid()))


def _watch(source: int, parent: int) -> None:
    ended = select.poll()
    ended.register(source, 0)  # nothing but its end
    ended.poll()
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(_ORPHANED)
