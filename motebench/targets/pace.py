"""The clock of a probe, compared from outside with this machine's.

A request cannot take the probe longer than it takes in all, frames and waiting included. A program of this machine that
says so has no clock that could be believed. The clock of a board is its own: it is told how far off it is.
"""

from __future__ import annotations

import math

from motebench.model import FailureKind
from motebench.targets.base import Session
from motebench.wire.messages import Job, ProbeFailure, Timing

CLOCKS, STEP = 0.01, 5e-3
"""By how much, as a part and in seconds, clocks of one machine may differ."""
LEAST = 0.02
"""Difference of a board's clock, as a part of it, that is told: this machine's clock and the line allow as much."""
_LONG = 1.0
"""Seconds of the longer request that a board's clock is compared in; the line's delays are some milliseconds."""
_TRIES = 3
_MAX_BATCH = 2**30


def said(timing: Timing, hz: int) -> float:
    """Seconds that a request took by the probe's clock, as far as it says."""
    return ((timing.before or 0) + sum(timing.ticks) + (timing.after or 0)) / hz


def check_in_time(timing: Timing, hz: int) -> None:
    """ProbeFailure of kind ``lost`` if a program of this machine says that a request took longer than there was."""
    if timing.span is None:
        return
    passed = timing.span[1] - timing.span[0]
    seconds = said(timing, hz)
    if seconds > passed * (1 + CLOCKS) + STEP:
        raise ProbeFailure(
            FailureKind.LOST,
            f"invalid reply from the probe: it reports {seconds:.4g} s for a request that took {passed:.4g} s",
            ended=True,
        )


def pace(session: Session, job: Job, hz: int, *, seconds: float, timeout: float) -> float | None:
    """Seconds by a board's clock in a second by this machine's; None where that cannot be told.

    Compared are a short request and one of a second or more, so that what the line takes of both cancels. Delays in one
    of them are taken out by repeating: the pace that is closest to 1 counts. ``seconds``: what one iteration takes. A
    request takes at most ``timeout``. ProbeFailure as `Session.measure`.
    """
    batch = max(1, min(_MAX_BATCH, math.ceil(_LONG / max(seconds, 1e-9))))
    if 4 * batch * seconds > timeout:
        return None
    found: list[float] = []
    for _ in range(_TRIES):
        short = _one(session, job, hz, 1, timeout) if batch > 1 else (0.0, 0.0)
        long = _one(session, job, hz, batch, timeout)
        if short is None or long is None or long[1] <= short[1]:
            return None
        found.append((long[0] - short[0]) / (long[1] - short[1]))
        if abs(found[-1] - 1) < LEAST / 2:
            break
    return min(found, key=lambda one: abs(one - 1))


def _one(session: Session, job: Job, hz: int, batch: int, timeout: float) -> tuple[float, float] | None:
    """Seconds by the clock of the board, and by this machine's."""
    timing = session.measure(job, batch=batch, count=1, warm=0, timeout=timeout)
    return None if timing.span is None else (said(timing, hz), timing.span[1] - timing.span[0])


def remark(pace: float, tolerance: float) -> str:
    """A note on the numbers of a board whose clock is further off than ``tolerance`` and `LEAST` allow; else empty."""
    if abs(pace - 1) <= max(LEAST, 2 * tolerance):
        return ""
    return (
        f"the clock of the board does not run at its nominal rate: it counted {pace:.3g} s in 1 s of this machine, "
        "and time is off by as much; cycles are not"
    )
