"""Whether a reading is quotable: did the process have the processor while it was timed?

Clock and processor time are read around the same batch, one inside the other. Their difference is the time that the
process waited, mostly for the processor. The criterion is never how long the operation took, so that leaving out such
readings does not select results (``docs/methods.md``, "A busy machine").
"""

from __future__ import annotations

from motebench.targets.machine.cores import TICK
from motebench.targets.wire.messages import Hello, Timing

AWAY = 0.01
"""A batch is disturbed if it was without the processor for more than this share of its time. An interruption by the
kernel's timer takes some microseconds of a batch of milliseconds, far less; a turn of another process takes a
millisecond and more. This is also the precision that a run has by default."""
STEPS = 2
"""Steps of the clock of processor time that do not count as waiting: the readings at both ends may be one step off.
Kernels that account processor time by ticks have steps of milliseconds, which would otherwise look like waiting."""
TICKS = 1
"""Ticks of ``/proc/stat`` that do not count as stolen: the first may have begun long before."""


def away(time: float, cpu: float) -> float:
    """The share of ``time`` that is not in ``cpu``, both in the same unit; 0 if there is none."""
    return max(0.0, 1 - cpu / time) if time > 0 else 0.0


def marks(timing: Timing, hello: Hello, stolen: float = 0.0, elapsed: float = 0.0) -> list[str]:
    """For each batch why it is disturbed, in words; empty where it is not.

    ``stolen``: seconds that a hypervisor took of a core that the process could be on during the request, which took
    ``elapsed`` seconds.
    """
    taken = theft(stolen, elapsed)
    return [_batch(timing, hello, at) or taken for at in range(len(timing.ticks))]


def theft(stolen: float, elapsed: float) -> str:
    """Whether a hypervisor took too much of a request, in words; empty if it did not."""
    beyond = stolen - TICKS * TICK
    if elapsed <= 0 or beyond <= AWAY * elapsed:
        return ""
    return f"the hypervisor took the core away for up to {stolen * 1e3:.0f} ms meanwhile"


def _batch(timing: Timing, hello: Hello, at: int) -> str:
    lost = timing.preempted[at] if timing.preempted is not None else 0
    if timing.cpu is None or hello.cpu is None:
        return f"lost the processor {_times(lost)}" if lost else ""
    time = timing.ticks[at] / hello.clock.hz
    cpu = (timing.cpu[at] + STEPS * max(1, hello.cpu.resolution)) / hello.cpu.hz
    share = away(time, cpu)
    if share <= AWAY:
        return ""
    if hello.jit and timing.preempted is not None and not lost:
        return ""  # it waited for its own garbage collector, which is part of its cost
    share = away(time, timing.cpu[at] / hello.cpu.hz)
    how = f" ({_times(lost)})" if lost else ""
    return f"without the processor for {_percent(share)} of the time{how}"


def _times(lost: int) -> str:
    return "once" if lost == 1 else f"{lost} times"


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %") if share >= 0.1 else f"{share:.1%}".replace("%", " %")
