"""Finds the number of iterations of a batch, so that the clock can measure it."""

from __future__ import annotations

import math
from collections.abc import Callable

from motebench.measuring.work.readings import Reading
from motebench.targets.wire.messages import Clock

MOST_ITERATIONS = 2**30
"""Of a batch."""


def calibrate(read: Callable[[int], tuple[list[Reading], bool]], clock: Clock, batch_seconds: float) -> int:
    """Iterations that last about ``batch_seconds``, and at least 1000 clock steps and 200 clock overheads.

    ``read``: times one batch of so many iterations; its readings, and whether the batch was disturbed.
    """
    aim = max(batch_seconds, 1000 * clock.resolution / clock.hz, 200 * clock.overhead / clock.hz)
    batch = 1
    while True:
        taken, disturbed = read(batch)
        found = {series.metric: (series, raw) for series, raw, _ in taken}
        # On a busy machine, elapsed time includes waiting, and would make batches too short.
        series, raw = found.get("cpu_time", found["time"]) if disturbed else found["time"]
        seconds = max(raw - series.overhead, 1.0) * series.scale * 1e-9
        if seconds >= aim / 2 or batch >= MOST_ITERATIONS:
            return max(1, min(MOST_ITERATIONS, math.ceil(batch * aim / seconds)))
        # Growth is bounded, because a first reading of very few ticks says little.
        batch = min(MOST_ITERATIONS, batch * 64, math.ceil(batch * aim / seconds))
