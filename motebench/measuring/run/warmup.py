"""Warming up what a just-in-time compiler makes faster: batches until they no longer change, all of them kept.

The rule is that of `motebench.stats.steady`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from motebench.stats.steady import BLOCK, agree
from motebench.targets.wire.messages import Clock, Timing

LEAST_SECONDS = 0.5
"""Least seconds of work before a warm-up ends, by the median batch. Compilers need a while to begin, and on a busy
machine they get as little of the processors as the work does: the wall clock would not show that."""
AGAIN_SECONDS = 0.3
"""The same for a case that was warm before the process worked on others. Compiled code that was discarded meanwhile is
compiled again in steps, and blocks agree on each step: with only three blocks, AES of 1 KiB was now and then taken for
steady at 985 ns on its way back to 618 ns."""


@dataclass
class Warmup:
    """The result of a warm-up: its blocks with the batch length of each, whether it reached a steady state, seconds per
    operation."""

    blocks: list[tuple[Timing, int]] = field(default_factory=list)
    steady: bool = False
    seconds: float = 0.0


def warm_up(
    measure: Callable[[int, int], Timing],
    clock: Clock,
    batch: int,
    batch_seconds: float,
    limit: float,
    least: float = LEAST_SECONDS,
) -> Warmup:
    """Call ``measure(batch, count)`` until times are steady and ``least`` seconds of work are done, or for ``limit``
    seconds.

    ``batch`` is the first batch length; it follows the falling time so that a batch lasts about ``batch_seconds``.
    """
    result = Warmup()
    medians: list[float] = []
    begun = time.monotonic()
    lasted: list[float] = []
    while not result.steady:
        timing = measure(batch, BLOCK)
        result.blocks.append((timing, batch))
        result.seconds = max(median(timing.ticks) - clock.overhead, 1.0) / clock.hz / batch
        medians.append(result.seconds)
        lasted.append(median(timing.ticks) / clock.hz)
        spent = time.monotonic() - begun
        # By the median block: a block of slow code would otherwise count as many.
        result.steady = agree(medians) and BLOCK * len(lasted) * median(lasted) >= least
        if spent >= limit:
            break
        batch = max(1, round(batch_seconds / result.seconds))
    return result
