"""Readings of a probe as values of the store's series, with marks on the disturbed ones."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from motebench.base.model import Case, Evidence, FailureKind, Scheme, Series
from motebench.targets.base import Session
from motebench.targets.machine.cores import TICK
from motebench.targets.wire.messages import Clock, FileTiming, Hello, Memory, Timing

if TYPE_CHECKING:
    from motebench.targets.board.board import CallProfile

CONSTANT_RATE = ("tsc", "cntvct_el0")
"""Counters with a constant rate, independent of the core's clock: they do not count cycles."""

Reading = tuple[Series, float, int]
"""A series without samples, a raw value in its unit, and the number of iterations of that value."""


@dataclass(frozen=True)
class CaseEnergy:
    """Energy of a case: a reading of each batch, notes for readers, and the failure if something is
    missing.
    """

    readings: list[Reading]
    notes: list[str]
    failure: tuple[FailureKind, str] | None = None


class Meter(Protocol):
    """Power meter of a target; `motebench.measuring.instruments.metering` has that of a run."""

    def measure(self, session: Session, case: Case, scheme: Scheme) -> CaseEnergy:
        """Energy of a case. Raises only interrupts: a failure is in the answer, with the results so
        far.
        """
        ...


def _series(metric: str, clock: Clock, evidence: Evidence) -> Series:
    if clock.hz:
        return Series(metric, "tick", 1e9 / clock.hz, clock.overhead, clock.name, evidence)
    return _counted(metric, clock, evidence)


def _counted(metric: str, counter: Clock, evidence: Evidence) -> Series:
    """Counts stay counts: a rate of the counter is recorded, not applied."""
    return Series(metric, "count", 1.0, counter.overhead, counter.name, evidence)


def of_timing(
    timing: Timing, batch: int, hello: Hello, evidence: Evidence, tolerance: float = 0.0
) -> list[Reading]:
    """Time, cycles or ticks, and processor time of each batch that was timed, one batch after the
    other. A clock without a rate counts instructions.

    ``tolerance``: how far the clock may be from its rate, as a part of it. Anywhere within is
    equally likely, which is a standard uncertainty of that part over the root of 3 (GUM 4.3.7).
    """
    readings: list[Reading] = []
    for at, ticks in enumerate(timing.ticks):
        time = _series("time" if hello.clock.hz else "instructions", hello.clock, evidence)
        if tolerance:
            time = replace(
                time, type_b=(ticks - time.overhead) * time.scale / batch * tolerance / math.sqrt(3)
            )
        readings.append((time, ticks, batch))
        if timing.counts is not None and hello.counter is not None:
            metric = "ticks" if hello.counter.name in CONSTANT_RATE else "cycles"
            counts = _counted(metric, hello.counter, evidence)
            readings.append((counts, timing.counts[at], batch))
        if timing.cpu is not None and hello.cpu is not None:
            readings.append((_series("cpu_time", hello.cpu, evidence), timing.cpu[at], batch))
        if timing.reference_loop is not None:
            loop = _series("reference_loop", hello.clock, evidence)
            readings.append((loop, timing.reference_loop[at], 1))
        if timing.alloc is not None:
            readings.append(
                (Series("allocated", "B", 1.0, 0.0, "runtime", evidence), timing.alloc[at], batch)
            )
    if timing.process is not None and timing.process[1]:
        load = timing.process[0] / timing.process[1]
        readings.append(
            (
                Series("process_load", "1", 1.0, 0.0, "processor time of all threads", evidence),
                load,
                1,
            )
        )
    return readings


def of_input(timing: Timing, hello: Hello, evidence: Evidence) -> list[Reading]:
    """Cycles of one execution with another input; nothing of a board without a counter."""
    if timing.counts is None or hello.counter is None or hello.counter.name in CONSTANT_RATE:
        return []
    return [(_counted("input_cycles", hello.counter, evidence), timing.counts[0], 1)]


def of_warmup(timing: Timing, batch: int, hello: Hello, evidence: Evidence) -> list[Reading]:
    """The time of every batch of a warm-up."""
    series = _series("warmup_time", hello.clock, evidence)
    return [(series, ticks, batch) for ticks in timing.ticks]


def of_memory(memory: Memory, evidence: Evidence) -> list[Reading]:
    """Memory of a fresh process or board."""
    runtime = memory.total is not None
    code = [size for size in (memory.text, memory.data, memory.bss) if size is not None]
    values = (
        ("peak_rss", "VmHWM", memory.peak),
        ("peak_rss_floor", "VmHWM", memory.floor),
        ("heap", "runtime", memory.heap if runtime else None),
        ("heap_total", "runtime", memory.total),
        ("stack", "painted stack", memory.stack),
        ("state", "probe", memory.state),
        ("static_ram", "linker", memory.static),
        ("flash", "linker", memory.flash),
        ("static_ram_net", "linker", memory.static_net),
        ("flash_net", "linker", memory.flash_net),
        ("code_text", "objects", memory.text),
        ("code_data", "objects", memory.data),
        ("code_bss", "objects", memory.bss),
        ("code_total", "objects", sum(code) if code else None),
    )
    return [
        (Series(metric, "B", 1.0, 0.0, source, evidence), value, 1)
        for metric, source, value in values
        if value is not None
    ]


_HASHES = re.compile(r"keccak|c?shake\d*|sha\d|aes(\d|$)")
"""Beginnings of parts of a name, by which it is that of a hash function or of AES."""


def hashes(function: str) -> bool:
    """True if a part of a function's name begins with that of SHA-1, SHA-2, SHA-3, SHAKE, Keccak or
    AES. A namespace before it says nothing: ``PQCLEAN_SPHINCSSHAKE128SSIMPLE_CLEAN_crypto_sign``.
    """
    return any(_HASHES.match(part) for part in re.split(r"_+", function.lower()))


def of_profile(profile: CallProfile, evidence: Evidence) -> list[Reading]:
    """The part of the cycles in hash functions and AES, with what they call."""
    series = Series("hash_share", "1", 1.0, 0.0, "functions by name", evidence)
    return [(series, profile.share(hashes), 1)]


def of_file(timing: FileTiming, hello: Hello, evidence: Evidence) -> list[Reading]:
    """Elapsed, user and system time and peak memory of one whole-file operation."""
    clock, cpu = hello.clock.name, timing.cpu_source
    return [
        (Series("time", "ns", 1.0, 0.0, clock, evidence), timing.elapsed, 1),
        (Series("cpu_time", "ns", 1.0, 0.0, cpu, evidence), timing.user + timing.system, 1),
        (Series("user_time", "ns", 1.0, 0.0, cpu, evidence), timing.user, 1),
        (Series("system_time", "ns", 1.0, 0.0, cpu, evidence), timing.system, 1),
        (Series("peak_rss", "B", 1.0, 0.0, timing.peak_source, evidence), timing.peak, 1),
    ]


AWAY = 0.01
"""A batch is disturbed if it was without the processor for more than this share of its time. An
interruption by the kernel's timer takes some microseconds of a batch of milliseconds, far less; a
turn of another process takes a millisecond and more. This is also the precision that a run has by
default."""
STEPS = 2
"""Steps of the clock of processor time that do not count as waiting: the readings at both ends may
be one step off. Kernels that account processor time by ticks have steps of milliseconds, which
would otherwise look like waiting.
"""
TICKS = 1
"""Ticks of ``/proc/stat`` that do not count as stolen: the first may have begun long before."""


def away(time: float, cpu: float) -> float:
    """Share of ``time`` that is not in ``cpu``, both in the same unit; 0 if all of it is."""
    return max(0.0, 1 - cpu / time) if time > 0 else 0.0


def marks(timing: Timing, hello: Hello, stolen: float = 0.0, elapsed: float = 0.0) -> list[str]:
    """For each batch why it is disturbed, in words; empty where it is not: did the process have the
    processor?

    Clock and processor time are read around the same batch, one inside the other. Their difference
    is the time that the process waited, mostly for the processor. The criterion is never how long
    the operation took, so that leaving out such readings does not select results
    (``docs/explain/methods.md``, "A busy machine").

    ``stolen``: seconds that a hypervisor took of a core that the process could be on during the
    request, which took ``elapsed`` seconds.
    """
    taken = theft(stolen, elapsed)
    return [_batch(timing, hello, at) or taken for at in range(len(timing.ticks))]


def theft(stolen: float, elapsed: float) -> str:
    """Words for a request of which a hypervisor took too much time; empty otherwise."""
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
