"""One visit: one case in one round, with one sample of each of its metrics, or with all samples of an invocation."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median

from motebench.base.model import Case, Evidence, FailureKind, Scheme
from motebench.base.units import MAIN
from motebench.measuring.run.context import Pool
from motebench.measuring.study.model import BATCHES, UNTIMED_SECONDS
from motebench.measuring.work import jobs, proof, readings
from motebench.measuring.work.readings import Reading
from motebench.results.invocations import observe, value_of
from motebench.stats.steady import BLOCK, agree
from motebench.targets.base import Session
from motebench.targets.wire.messages import Clock, Hello, Job, Offer, ProbeFailure, Timing

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


_SPARE = 4
"""A request for several samples is made if this many times its expected duration still fits the time limit."""
FEWEST_BATCHES = 4
"""The same if one iteration is so long that `BATCHES` would take too long."""
_WARM_SHARE = 1 / 8
"""At least this share of a batch, and `UNTIMED_SECONDS`, runs untimed before it, so that caches
contain the case again."""


@dataclass
class TimedCase:
    """What is known about a case while it is measured."""

    case: Case
    scheme: Scheme
    offer: Offer
    evidence: Evidence
    batch_seconds: float
    timeout: float
    """Longest request in seconds."""
    warmup_seconds: float
    """Most seconds in which a just-in-time compiler may reach its steady state."""
    exact: bool = False
    """Every reading is the same to the last cycle: one iteration is enough."""
    at_once: int = 1
    """Samples per visit, if one request has time for them."""
    values: list[float] = field(default_factory=list)
    """Times in ns: one per sample that counts, or one per invocation of a just-in-time compiler. Disturbed samples do
    not count, unless the work itself is random."""
    taken: int = 0
    """Number of samples, including disturbed ones; or of invocations."""
    jit: bool = False
    """The process is kept until it is warm, and gives several samples: see `motebench.measuring.run.rounds.invoke`."""
    marks: list[str] = field(default_factory=list)
    """For each sample of the last visit: why it is disturbed, or an empty text."""
    clock_tolerance: float = 0.0
    """Relative tolerance of the clock's rate."""
    paced: Callable[[Session, Job, Hello, float], str] | None = None
    """Compares the clock of a board with this machine's, given the duration of one iteration; returns remarks for
    readers."""
    stolen: Callable[[], float] | None = None
    """Seconds that a hypervisor took from a core since the last call; None if there is no hypervisor to ask."""
    batch: int = 0
    memory_samples: int = 0
    warmup: list[Reading] = field(default_factory=list)
    """Readings of the current process's warm-up."""
    numbers: Counter[str] = field(default_factory=Counter)
    """Number of samples from kept processes, by metric."""
    notes: list[str] = field(default_factory=list)
    _warm: tuple[Session, int] | None = None
    _warm_seconds: float = 0.0
    _job: Job | None = None
    _crc: int | None = None
    _checked: bool = False
    _hello: Hello | None = None

    def visit(self, pool: Pool, consensus: proof.Consensus) -> list[Reading]:
        """One sample, or `at_once`. Raises ProbeFailure; no reading is returned unless the output was right."""
        session = pool.session(self.case.target, self.case.provider, self.case.scheme)
        job = self._prepare(session, consensus)
        if not self.batch:
            self.batch = 1 if self.exact else self._calibrate(session, job)
        self.marks.clear()
        asked = time.monotonic()
        taken = self._measure(session, job, self.batch)
        took = time.monotonic() - asked
        more = self.at_once - len(self.values) - 1
        if more > 0 and took * more < self.timeout / _SPARE:
            taken += self._measure(session, job, self.batch, more)
        times = _times(taken)
        if self.paced is not None and self._hello is not None:
            told, self.paced = self.paced(session, job, self._hello, times[-1] * 1e-9), None
            self.notes += [told] if told else []
        self.taken += len(times)
        self.values += self._quiet(times)
        return taken

    def _quiet(self, times: list[float]) -> list[float]:
        """Of the times that belong to `marks`, those that count."""
        random = self.case.operation.random_work
        return [value for value, mark in zip(times, self.marks, strict=True) if not mark or random]

    def warm_up(self, session: Session, consensus: proof.Consensus) -> list[Reading]:
        """Bring a process with a just-in-time compiler to the steady state of the case; what was read is kept for
        `invoked`. Raises ProbeFailure."""
        job = self._prepare(session, consensus)
        self.warmup.clear()
        # The code is still slow: a batch of the length for warm code would take very long.
        self.batch = self._calibrate(session, job)
        self._warm_up(session, job, LEAST_SECONDS)
        self._warm = (session, session.generation)
        return []

    def invoked(self, session: Session, consensus: proof.Consensus, *, alone: bool) -> list[Reading]:
        """All samples of the case in a process, after its `warm_up`, and before them the batches of the warm-up.

        ``alone``: the process has worked on no other case in between. Otherwise compiled code may have been discarded,
        and the case is warmed up once more, for a shorter time.
        """
        if self._warm != (session, session.generation):
            self.warm_up(session, consensus)  # the process was restarted
        elif not alone:
            self._warm_up(session, self._prepare(session, consensus), AGAIN_SECONDS)
        lasts = max(self._warm_seconds * self.batch, 1e-9)
        count = max(FEWEST_BATCHES, min(BATCHES, round(BATCHES * self.batch_seconds / lasts)))
        self.marks.clear()
        taken: list[Reading] = []
        # Requests are like those of the warm-up: for others, the compiler may not have compiled its code.
        for done in range(0, count, BLOCK):
            taken += self._measure(session, self._prepare(session, consensus), self.batch, min(BLOCK, count - done))
        self.taken += 1
        samples = self._quiet(_times(taken))
        if samples:
            self.values.append(value_of(samples, observe(_times(self.warmup), samples)))
        return [*self.warmup, *taken]

    def memory(self, pool: Pool) -> list[Reading]:
        """Peak memory, in a process that has done nothing else; a board paints its stack anew for each request."""
        if self.exact:
            self.memory_samples += 1
            return self._memory(pool.session(self.case.target, self.case.provider, self.case.scheme))
        session = pool.fresh(self.case.target, self.case.provider)
        try:
            return self._memory(session)
        finally:
            session.close()
            self.memory_samples += 1

    def _memory(self, session: Session) -> list[Reading]:
        assert self._job is not None
        if "memory" not in session.hello_of(self.case.scheme).does:
            return []
        return readings.of_memory(session.memory(self._job, timeout=self.timeout), self.evidence)

    def _prepare(self, session: Session, consensus: proof.Consensus) -> Job:
        if self._job is None:
            self._job = jobs.build(self.case, self.scheme, self.offer, session, self.timeout)
            self._crc = proof.expected_crc(self.case, self._job, session, consensus, self.timeout)
            # One set of clock constants for the whole series: each probe process measures its own overhead, and the
            # differences are far below the batch.
            self._hello = session.hello_of(self.case.scheme)
        return self._job

    def _warm_up(self, session: Session, job: Job, least: float) -> None:
        assert self._hello is not None
        hello = self._hello
        done = warm_up(
            lambda batch, count: self._timing(session, job, batch, count),
            hello.clock,
            self.batch,
            self.batch_seconds,
            self.warmup_seconds,
            least,
        )
        for timing, batch in done.blocks:
            self.warmup += readings.of_warmup(timing, batch, hello, self.evidence)
        self._warm_seconds = done.seconds
        self.batch = max(1, min(MOST_ITERATIONS, math.ceil(self.batch_seconds / done.seconds)))

    def _measure(self, session: Session, job: Job, batch: int, count: int = 1) -> list[Reading]:
        assert self._hello is not None
        timing = self._timing(session, job, batch, count)
        return readings.of_timing(timing, batch, self._hello, self.evidence, self.clock_tolerance)

    def _timing(self, session: Session, job: Job, batch: int, count: int) -> Timing:
        if self.stolen is not None:
            self.stolen()
        begun = time.monotonic()
        timing = session.measure(
            job, batch=batch, count=count, warm=self._untimed(batch), timeout=self.timeout, reference=True
        )
        taken = self.stolen() if self.stolen is not None else 0.0
        assert self._hello is not None
        self.marks += readings.marks(timing, self._hello, taken, time.monotonic() - begun)
        self._check(timing, job, session)
        return timing

    def _check(self, timing: Timing, job: Job, session: Session) -> None:
        """ProbeFailure if the timed function's output is wrong."""
        if self._crc is not None and timing.crc != self._crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"the timed function's output is wrong (CRC-32 {timing.crc:08x}, expected {self._crc:08x})",
            )
        if self._crc is None and not self._checked:
            proof.check_random(self.case, self.scheme, job, timing, session, self.timeout)
            self._checked = True

    def _untimed(self, batch: int) -> int:
        """Untimed iterations before a batch."""
        share = _WARM_SHARE if self.exact else max(_WARM_SHARE, UNTIMED_SECONDS / self.batch_seconds)
        return min(MOST_ITERATIONS, math.ceil(batch * share)) if batch > 1 else 0

    def _calibrate(self, session: Session, job: Job) -> int:
        """Iterations of a batch; see `calibrate`."""
        assert self._hello is not None

        def read(batch: int) -> tuple[list[Reading], bool]:
            return self._measure(session, job, batch), bool(self.marks[-1])

        return calibrate(read, self._hello.clock, self.batch_seconds)


def _times(taken: Iterable[Reading]) -> list[float]:
    """Times in ns of one operation, or its instructions, by samples or by batches of a warm-up."""
    return [
        (raw - series.overhead) * series.scale / batch
        for series, raw, batch in taken
        if series.metric in (*MAIN, "warmup_time")
    ]
