"""Compares the clock of a probe with this machine's, from outside.

A request cannot take the probe longer than its whole duration, including frames and waiting. If a program of this
machine reports more, its clock is wrong. A board has its own clock: its deviation is reported.
"""

from __future__ import annotations

import math

from motebench.base.model import FailureKind
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure, Timing

CLOCKS, STEP = 0.01, 5e-3
"""Relative and absolute (seconds) difference that is allowed between clocks of one machine."""
LEAST = 0.02
"""Smallest relative difference of a board's clock that is reported: this machine's clock and the line cause as much."""
_LONG = 1.0
"""Seconds of the longer request for comparing a board's clock; the line's delays are some milliseconds."""
_TRIES = 3
_MAX_BATCH = 2**30


def said(timing: Timing, hz: int) -> float:
    """Seconds that a request took by the probe's clock, as far as it reports them."""
    return ((timing.before or 0) + sum(timing.ticks) + (timing.after or 0)) / hz


def check_in_time(timing: Timing, hz: int) -> None:
    """ProbeFailure of kind ``lost`` if a program of this machine reports a longer time than the whole request took."""
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
    """Seconds of a request by the clock of the board, and by this machine's."""
    timing = session.measure(job, batch=batch, count=1, warm=0, timeout=timeout)
    return None if timing.span is None else (said(timing, hz), timing.span[1] - timing.span[0])


def remark(pace: float, tolerance: float) -> str:
    """A note on a board whose clock deviates by more than ``tolerance`` and `LEAST` allow; else empty."""
    if abs(pace - 1) <= max(LEAST, 2 * tolerance):
        return ""
    return (
        f"the clock of the board does not run at its nominal rate: it counted {pace:.3g} s in 1 s of this machine, "
        "and time is off by as much; cycles are not"
    )
