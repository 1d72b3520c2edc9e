"""The clocks of a probe, the time of reading them, and the batch between two readings."""

from __future__ import annotations

import gc
import resource
import time
from functools import partial
from itertools import pairwise

from motebench_probe.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_HZ = 10**9
_PAIRS = 201
_EMPTY, _LOOPS = 21, 1000
_NAME = "CLOCK_MONOTONIC_RAW" if hasattr(time, "CLOCK_MONOTONIC_RAW") else "CLOCK_MONOTONIC"

wall: Callable[[], int] = partial(time.clock_gettime_ns, getattr(time, _NAME))
"""Nanoseconds of a clock that nothing adjusts."""
cpu: Callable[[], int] = partial(time.clock_gettime_ns, time.CLOCK_THREAD_CPUTIME_ID)
"""Nanoseconds that this thread has run."""


def preemptions() -> int:
    """Number of times that this thread lost the processor to another while it still wanted it."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw


def time_batch(run: Callable[[int], None], n: int) -> tuple[int, int, int]:
    """Wall and processor nanoseconds of ``run(n)``, and preemptions meanwhile. The garbage
    collector rests.
    """
    lost = preemptions()
    gc.disable()
    try:
        begin_cpu = cpu()
        begin = wall()
        run(n)
        end = wall()
        end_cpu = cpu()
    finally:
        gc.enable()
    return end - begin, end_cpu - begin_cpu, preemptions() - lost


_STEPS = 40
_MASK = 0xFFFFFFFF


def reference_loop() -> int:
    """Nanoseconds of a fixed loop of integer operations, about 15 microseconds: the present speed
    of machine and interpreter. The work is that of the C probe's loop, with fewer steps.
    """
    first, second = 0x9E3779B9, 0x85EBCA6B
    begin = wall()
    for _ in range(_STEPS):
        first ^= first << 13 & _MASK
        second ^= second << 13 & _MASK
        first ^= first >> 17
        second ^= second >> 17
        first ^= first << 5 & _MASK
        second ^= second << 5 & _MASK
    return wall() - begin


def _nothing(n: int) -> None:
    """Empty operation: called like one, does nothing."""


def _resolution(clock: Callable[[], int]) -> int:
    """Smallest step between two readings that differ."""
    readings = [clock() for _ in range(_PAIRS)]
    steps = [after - before for before, after in pairwise(readings) if after > before]
    return min(steps, default=1)


def _per_iteration() -> float:
    """Time of an iteration that calls a built-in with nothing to do, in nanoseconds: the median
    of some batches.
    """
    task = Task(bytes)
    return float(
        sorted(time_batch(task.run, _LOOPS)[0] for _ in range(_EMPTY))[_EMPTY // 2] / _LOOPS
    )


def describe() -> dict[str, Any]:
    """``clock``, ``counter``, ``cpu`` and ``loop`` of the reply to hello; overheads are medians of
    empty batches.
    """
    pairs = [time_batch(_nothing, 1) for _ in range(_PAIRS)]
    walls, cpus = (sorted(pair[which] for pair in pairs) for which in (0, 1))
    return {
        "clock": {
            "name": _NAME,
            "hz": _HZ,
            "resolution": _resolution(wall),
            "overhead": float(walls[_PAIRS // 2]),
        },
        "counter": None,
        "cpu": {
            "name": "CLOCK_THREAD_CPUTIME_ID",
            "hz": _HZ,
            "resolution": _resolution(cpu),
            "overhead": float(cpus[_PAIRS // 2]),
        },
        "loop": _per_iteration(),
    }
