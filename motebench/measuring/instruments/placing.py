"""Finds the time of a batch within its request, so that only energy of the batch is counted.

A request computes more than its batch: the probe checks the operation before and after. Its reply says in ticks how
long it worked before the first batch and after the last (``docs/protocol.md``, measure), and how long the batch took.
The rest of the time on this machine's clock is the transport of request and reply. The batch may be anywhere within it,
so it is placed in the middle, and its ends may be off by half of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from motebench.base.model import FailureKind
from motebench.targets.wire.messages import ProbeFailure, Timing


@dataclass(frozen=True, slots=True)
class Placed:
    """A batch from ``t0`` to ``t1`` in seconds of the clock of the stream; each end may be off by ``edge_s``.

    ``beside_s``: how long the same request computed something other than the batch.
    """

    t0: float
    t1: float
    edge_s: float
    beside_s: float

    @property
    def seconds(self) -> float:
        """Duration of the batch."""
        return self.t1 - self.t0


def place(timing: Timing, hz: int) -> Placed:
    """The only batch of a request to a probe whose clock has ``hz`` ticks per second.

    ProbeFailure of kind ``unsupported`` if the probe does not report when its batch ran: then no energy is known.
    """
    if timing.before is None or timing.after is None or timing.span is None:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            "the probe does not report when its batch began and ended ('before' and 'after' of measure): "
            "its checks would count as energy of the operation",
        )
    if len(timing.ticks) != 1:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, "an instrument needs one batch per request, because gaps would count too"
        )
    before, seconds, after = timing.before / hz, timing.ticks[0] / hz, timing.after / hz
    if seconds <= 0:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the batch is shorter than a tick of the probe's clock")
    there, left = timing.span
    spare = (left - after) - (there + before) - seconds
    t0 = there + before + spare / 2
    return Placed(t0, t0 + seconds, abs(spare) / 2, before + after)
