"""Choice of the core for the probes of a round, and their memory layout.

A pinned probe keeps its caches and never moves to a slower core, but it cannot leave a core that
gets busy. So the least busy core is chosen for each round, and all probes of the round share it:
what is compared ran on the same core. If all are busy, none is chosen.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Collection, Mapping

from motebench.base.errors import InputError
from motebench.targets.base import Conditions
from motebench.targets.machine.clock import ClockWatch
from motebench.targets.machine.cores import (
    TICK,
    CoreTimes,
    busy_shares,
    core_times,
    kinds,
    listed,
    siblings,
    stolen_seconds,
)
from motebench.targets.machine.description import describe
from motebench.targets.machine.system import LinuxSystem

AUTO, NONE = "auto", "none"
CLEARLY = 0.15
"""The core changes only if another one was less busy by more than this share of the time: the ticks
of ``/proc/stat`` are coarse, and moving costs warm caches."""
BUSY = 0.5
"""Share of the time above which a core counts as busy. If even the least busy core is above it,
probes are not pinned in that round: the system can move them to a free core."""
FIRST_LOOK = 0.1
"""Seconds in which the cores are observed before the first round."""
SIBLING_BUSY = 0.1
"""Share of the time from which on a busy sibling thread gets a note."""
LOOK_AGAIN = 5.0
"""Seconds until the cores of another machine are looked at again: the time of its probes cannot be
subtracted, so they are watched for `FIRST_LOOK` between two rounds."""
PADDING = 4096
"""Number of possible lengths of the padding in a probe's environment, in bytes."""


def check_core(cpu: str | int, allowed: frozenset[int]) -> None:
    """InputError if that core may not be used; where no core is known, every one may be tried."""
    if isinstance(cpu, int) and allowed and cpu not in allowed:
        raise InputError(
            f"this process is not allowed to use core {cpu}",
            where="--cpu",
            valid=f"one of the cores {listed(allowed)}",
        )


def in_order(machine: LinuxSystem) -> list[int]:
    """The cores that may be used, in the order in which processes that work at once take them: the
    fastest kind first, one thread of each core before any second one, and of equals core 0 last,
    which serves most interrupts."""
    allowed, beside = machine.allowed_cores(), siblings(machine)
    kind = {core: rank for rank, other in enumerate(kinds(machine)) for core in other}

    def rank(core: int) -> tuple[int, int, bool, int]:
        threads = sorted(
            ({core} | beside.get(core, frozenset())) & allowed,
            key=lambda other: (other == 0, other),
        )
        return kind.get(core, 0), threads.index(core), core == 0, core

    return sorted(allowed, key=rank)


def shared(machine: LinuxSystem, count: int) -> str:
    """A note for readers on the first ``count`` of `cores`: that some are threads of one physical
    core.
    """
    taken, beside = frozenset(in_order(machine)[:count]), siblings(machine)
    physical = {beside.get(core, frozenset()) & taken | {core} for core in taken}
    if len(physical) == len(taken):
        return ""
    return f"these {len(taken)} logical processors are threads of {len(physical)} physical cores"


def _own_seconds() -> float:
    """Processor time of the probes that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class CoreChooser:
    """Chooses a core for each round. ``cpu``: ``auto``, ``none``, or the number of the core.

    ``own``: the processor time of the probes that have ended; None where that is unknown, on
    another machine.
    """

    def __init__(
        self,
        cpu: str | int,
        machine: LinuxSystem | None = None,
        *,
        allowed: frozenset[int],
        sleep: Callable[[float], None] = time.sleep,
        own: Callable[[], float] | None = _own_seconds,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """InputError if this process may not use the core."""
        check_core(cpu, allowed)
        self._cpu, self._machine, self._sleep, self._own, self._now = (
            cpu,
            machine or LinuxSystem(),
            sleep,
            own,
            now,
        )
        self._looked: float | None = None
        best = [kind & allowed for kind in kinds(self._machine) if kind & allowed]
        self._candidates = best[0] if best else allowed
        self._siblings = siblings(self._machine)
        self._times: Mapping[int, CoreTimes] = {}
        self._used = 0.0
        self.core: int | None = None
        self.rounds: dict[int, int] = {}
        """Number of rounds that were pinned to each core."""
        self.free_rounds = 0
        """Number of rounds that were not pinned, because every core was busy."""
        self.busiest_sibling = 0.0
        """The largest share of a round in which a sibling of the chosen core was busy."""

    def next_round(self) -> int | None:
        """The core for the next round; None if probes are not pinned."""
        if self._cpu == NONE:
            return None
        if isinstance(self._cpu, int):
            self.core = self._cpu
            if self._own is not None:
                self._busy(self._own)
        elif self._own is not None:
            self.core = self._choose(self._busy(self._own))
        elif self._looked is None or self._now() - self._looked >= LOOK_AGAIN:
            self.core = self._choose(self._watched())
            self._looked = self._now()
        if self.core is None:
            self.free_rounds += 1
        else:
            self.rounds[self.core] = self.rounds.get(self.core, 0) + 1
        return self.core

    def _watched(self) -> dict[int, float]:
        """The busy share of each core now, while no probe works."""
        self._machine.refresh()
        before = core_times(self._machine)
        self._sleep(FIRST_LOOK)
        self._machine.refresh()
        return busy_shares(before, core_times(self._machine))

    def _busy(self, own: Callable[[], float]) -> dict[int, float]:
        """The share of each core that other programs used since the last round; our own probes are
        subtracted from their core."""
        if not self._times:
            self._times, self._used = core_times(self._machine), own()
            self._sleep(FIRST_LOOK)
        now, used = core_times(self._machine), own()
        shares = busy_shares(self._times, now)
        if self.core is not None and self.core in shares:
            ours = (
                (used - self._used) / TICK / (now[self.core].total - self._times[self.core].total)
            )
            shares[self.core] = max(0.0, shares[self.core] - ours)
            self.busiest_sibling = max(self.busiest_sibling, self._beside(shares, self.core))
        self._times, self._used = now, used
        return shares

    def _beside(self, shares: Mapping[int, float], core: int) -> float:
        return max((shares.get(other, 0.0) for other in self._siblings.get(core, ())), default=0.0)

    def _choose(self, shares: Mapping[int, float]) -> int | None:
        """The least busy core, with its siblings; of equals not core 0, which serves most
        interrupts. None if all are busy, or if no core is known."""
        if not self._candidates:
            return None

        def burden(core: int) -> float:
            return shares.get(core, 0.0) + self._beside(shares, core)

        def rank(core: int) -> tuple[int, bool, int]:
            return round(burden(core) / CLEARLY), core == 0, core

        best = min(self._candidates, key=rank)
        if shares.get(best, 0.0) > BUSY:
            return None
        stays = self.core is not None and burden(self.core) <= burden(best) + CLEARLY
        return self.core if stays and self.core is not None else best

    def notes(self) -> list[str]:
        """Notes for readers of the run."""
        notes = []
        if self.busiest_sibling > SIBLING_BUSY:
            notes.append(
                "the other thread of the measuring core was busy for up to "
                f"{self.busiest_sibling:.0%} of a "
                "round: it slows the core, which processor time does not show".replace("%", " %")
            )
        return notes

    def facts(self) -> dict[str, object]:
        """Facts for the environment of the run: how probes were pinned, and the rounds by core."""
        by_core = {str(core): rounds for core, rounds in sorted(self.rounds.items())}
        return {
            "pinned": str(self._cpu),
            "rounds_by_core": by_core,
            "rounds_not_pinned": self.free_rounds,
        }


class StolenTime:
    """The time that a hypervisor takes from the cores in ``cores`` (from any, if None)."""

    def __init__(self, machine: LinuxSystem | None = None) -> None:
        self._machine = machine or LinuxSystem()
        self._last: Mapping[int, CoreTimes] = {}
        self.cores: Collection[int] | None = None

    def seconds(self) -> float:
        """The longest time in seconds that it took from one of them since the last call."""
        before, self._last = self._last, core_times(self._machine)
        return stolen_seconds(before, self._last, self.cores)


class Layout:
    """Draws the memory layout of each probe process: the length of its environment, which moves the
    stack, and the offset of its buffers. The same seed gives the same layouts."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"layout {seed}")

    def environment(self) -> dict[str, str]:
        """Variables for the next process. The C probe reads the offset of its buffers from
        ``MOTEBENCH_LAYOUT``."""
        number = self._random.randrange(1, 2**32)
        return {
            "MOTEBENCH_LAYOUT": f"{number:010d}",
            "MOTEBENCH_PADDING": "x" * self._random.randrange(PADDING),
        }


class Pinning(Conditions):
    """The conditions of a run on a Linux machine: the core of each round, a layout for each
    process, and its clock.

    ``pin``: called with the core of each round, None for none. ``machine``: another one than this
    (`motebench.targets.machine.snapshot`).
    """

    def __init__(
        self,
        cpu: str | int,
        seed: int,
        pin: Callable[[int | None], None],
        machine: LinuxSystem | None = None,
    ) -> None:
        """InputError if the core may not be used."""
        self.layout = Layout(seed)
        self._pin, self._machine = pin, machine or LinuxSystem()
        here = self._machine.here
        own = _own_seconds if here else None
        self._placement = CoreChooser(
            cpu, self._machine, allowed=self._machine.allowed_cores(), own=own
        )
        self._watch = ClockWatch(self._machine, steal=not here)
        # A pinned probe can lose only its own core; a virtual machine is never pinned, and may be
        # on any core.
        self._of_core, self._of_any = StolenTime(), StolenTime()

    def next_round(self) -> None:
        """Choose the core."""
        core = self._placement.next_round()
        self._of_core.cores = None if core is None else (core,)
        self._pin(core)
        self._watch.begin(core)

    def round_ended(self) -> str:
        """Reasons why the clock was slow; may be empty."""
        return self._watch.end()

    def stolen(self, *, pinned: bool) -> Callable[[], float] | None:
        """Longest time in seconds that it took from one of them since the last call. Another
        machine is asked once a round, by `ClockWatch`: not around each request.
        """
        if not self._machine.here:
            return None
        return (self._of_core if pinned else self._of_any).seconds

    def notes(self) -> list[str]:
        """Notes about the sibling of the core, and about the clock."""
        return [*self._placement.notes(), *self._watch.notes()]

    def facts(self) -> dict[str, object]:
        """Cores of the probes, and the clock; of another machine its facts at the end too."""
        host = {} if self._machine.here else {"host": describe(self._machine)["host"]}
        return {**host, "placement": self._placement.facts(), "conditions": self._watch.facts()}
