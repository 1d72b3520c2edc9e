"""A case on several cores: as many processes at once, each on a core of its own, and what they do together.

``docs/methods.md``, "Several cores", says what the number is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace

from motebench.base.model import FailureKind, Series
from motebench.measuring.run.context import Pool
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.work import proof, readings
from motebench.measuring.work.readings import Reading
from motebench.targets.base import Session
from motebench.targets.wire.messages import Hello, Job, ProbeFailure, Timing

FEWEST = 4
"""Batches of each process in the window."""
SHARE = 0.5
"""Least share of the longest process that the window covers."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One process and one request, in seconds.

    ``sent``, ``came``: when the request left and the reply came. ``before``, ``after``: from the request to the first
    batch, from the last batch to the reply; ``batches``: the time of each. ``lost``: the places of those in which the
    process was without the processor.
    """

    sent: float
    came: float
    before: float
    after: float
    batches: tuple[float, ...]
    lost: frozenset[int] = frozenset()

    @property
    def slack(self) -> float:
        """How much later than at the earliest its batches may have been."""
        return max(0.0, self.came - self.sent - self.before - sum(self.batches) - self.after)

    def times(self) -> list[tuple[float, float]]:
        """Of each batch the earliest beginning and the latest end."""
        at, found = self.sent + self.before, []
        for seconds in self.batches:
            found.append((at, at + seconds + self.slack))
            at += seconds
        return found


@dataclass(frozen=True, slots=True)
class CommonWindow:
    """A time in which all processes certainly worked. ``inside``: of each process the places of the batches that
    certainly lie in it, from and to. ``quiet``: whether no process was without the processor in it."""

    begin: float
    end: float
    inside: tuple[range, ...]
    quiet: bool


def common(processes: Sequence[Worked]) -> CommonWindow | str:
    """The window of these processes, or in words why they did not work together for long enough.

    It is the longest part in which no process was without the processor; if that holds too few batches, it is the whole
    time in which all worked.
    """
    times = [each.times() for each in processes]
    begin = max(each.sent + each.before + each.slack for each in processes)
    end = min(each.sent + each.before + sum(each.batches) for each in processes)
    longest = max(sum(each.batches) + each.slack for each in processes)
    if not longest or end - begin < SHARE * longest:
        share = max(0.0, end - begin) / longest if longest else 0.0
        return f"all processes worked together for {share:.0%} of the time".replace("%", " %")
    lost = [found[place] for each, found in zip(processes, times, strict=True) for place in each.lost]
    low, high = max(_free(begin, end, lost), key=lambda gap: gap[1] - gap[0], default=(begin, begin))
    for window in (_window(low, high, times, quiet=True), _window(begin, end, times, quiet=not lost)):
        fewest = min(len(inside) for inside in window.inside)
        if fewest >= FEWEST:
            return window
    return f"a process finished {fewest} batches while all worked, {FEWEST} are needed"


def _free(begin: float, end: float, taken: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of the time that none of ``taken`` touches."""
    found = []
    for low, high in sorted(taken):
        if low > begin:
            found.append((begin, min(low, end)))
        begin = max(begin, high)
    return [gap for gap in [*found, (begin, end)] if gap[1] > gap[0]]


def _window(begin: float, end: float, times: Sequence[Sequence[tuple[float, float]]], *, quiet: bool) -> CommonWindow:
    inside = []
    for batches in times:
        # Both ends of the batches rise, so those that lie inside are neighbours.
        places = [place for place, (low, high) in enumerate(batches) if low >= begin and high <= end]
        inside.append(range(places[0], places[-1] + 1) if places else range(0))
    return CommonWindow(begin, end, tuple(inside), quiet)


BATCHES = 32
"""Batches of each process for one sample."""
FEWEST_BATCHES = 10
"""The same if an operation is longer than a batch should be."""
_TRIES = 3
"""Requests of a visit before it gives no sample."""
_HOPELESS = 5
"""Visits without a sample after which a case without any fails."""


@dataclass
class CoresCase(TimedCase):
    """A case whose ``cores`` processes work at once. A sample is one request to each of them."""

    dropped: int = 0
    """Visits that gave no sample, because the processes did not work together for long enough."""
    _count: int = BATCHES

    def visit(self, pool: Pool, consensus: proof.Consensus) -> list[Reading]:
        """One sample; none if the processes never overlapped enough. Raises ProbeFailure."""
        self.marks.clear()
        with ExitStack() as opened:
            sessions = []
            for core in pool.place(self.case.target).cores()[: self.case.cores]:
                with pool.place(self.case.target).on_core(core):
                    session = pool.fresh(self.case.target, self.case.provider)
                sessions.append(session)
                opened.callback(session.close)
            if len(sessions) < self.case.cores:
                raise ProbeFailure(FailureKind.UNSUPPORTED, f"only {len(sessions)} cores can be used")
            return self._sampled(sessions, consensus)

    def _sampled(self, sessions: Sequence[Session], consensus: proof.Consensus) -> list[Reading]:
        job = self._prepare(sessions[0], consensus)
        if not self.batch:
            self.batch = self._calibrate(sessions[0], job)
            self._count = self._batches(sessions[0], job)
            self.marks.clear()
        self.taken += 1
        why = ""
        with ThreadPoolExecutor(len(sessions)) as threads:
            for _ in range(_TRIES):
                if self.stolen is not None:
                    self.stolen()
                begun = time.monotonic()
                asked = [threads.submit(self._ask, session, job) for session in sessions]
                timings = [each.result() for each in asked]
                theft = readings.theft(self.stolen(), time.monotonic() - begun) if self.stolen is not None else ""
                for timing in timings:
                    self._check(timing, job, sessions[0])
                hellos = [session.hello_of(self.case.scheme) for session in sessions]
                processes = [worked(timing, hello) for timing, hello in zip(timings, hellos, strict=True)]
                window = common(processes)
                if isinstance(window, CommonWindow):
                    return self._readings(window, timings, hellos, theft)
                why = window
        self.dropped += 1
        if self.dropped >= _HOPELESS and not self.values:
            raise ProbeFailure(FailureKind.ERROR, f"no sample in {self.dropped} rounds: {why}")
        self._say(f"{self.dropped} samples were not used: {why}")
        return []

    def _batches(self, session: Session, job: Job) -> int:
        """As many batches as last about `BATCHES` times the usual length; fewer where one operation is longer."""
        timing, hello = self._timing(session, job, self.batch, 1), session.hello_of(self.case.scheme)
        lasts = max(timing.ticks[0] - hello.clock.overhead, 1.0) / hello.clock.hz
        return max(FEWEST_BATCHES, min(BATCHES, round(BATCHES * self.batch_seconds / lasts)))

    def _ask(self, session: Session, job: Job) -> Timing:
        return session.measure(
            job, batch=self.batch, count=self._count, warm=self._untimed(self.batch), timeout=self.timeout
        )

    def _say(self, note: str) -> None:
        self.notes[:] = [each for each in self.notes if "samples were not used" not in each] + [note]

    def _readings(
        self, window: CommonWindow, timings: Sequence[Timing], hellos: Sequence[Hello], theft: str
    ) -> list[Reading]:
        """Time and processor time of one operation of all processes together, from the batches in the window."""
        rate, spent, known = 0.0, 0.0, True
        mark = theft or ("" if window.quiet else "a process was without the processor in every part of the time")
        operations = self.batch * sum(len(inside) for inside in window.inside)
        for timing, hello, inside in zip(timings, hellos, window.inside, strict=True):
            ticks = sum(timing.ticks[place] - hello.clock.overhead for place in inside)
            if ticks <= 0:
                raise ProbeFailure(FailureKind.LOST, "batches are not longer than reading the clock takes")
            rate += len(inside) * self.batch / ticks * hello.clock.hz
            if timing.cpu is None or hello.cpu is None:
                known = False
                continue
            cpu = sum(timing.cpu[place] for place in inside)
            spent += cpu / hello.cpu.hz
        clock = hellos[0].clock.name
        time_of = Series("time", "ns", 1.0, 0.0, f"{clock}, all cores", self.evidence)
        found: list[Reading] = [(time_of, operations / rate * 1e9, operations)]
        if known and hellos[0].cpu is not None:
            cpu_of = replace(time_of, metric="cpu_time", source=f"{hellos[0].cpu.name}, all cores")
            found.append((cpu_of, spent * 1e9, operations))
        self.marks.append(mark)
        if not mark or self.case.operation.random_work:
            self.values.append(1e9 / rate)
        return found


def worked(timing: Timing, hello: Hello) -> Worked:
    """When a process worked. ProbeFailure if it does not say enough."""
    if timing.span is None or timing.before is None or timing.after is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the probe does not say when its batches began")
    hz = hello.clock.hz
    lost = frozenset(place for place, mark in enumerate(readings.marks(timing, hello)) if mark)
    batches = tuple(ticks / hz for ticks in timing.ticks)
    return Worked(*timing.span, timing.before / hz, timing.after / hz, batches, lost)
