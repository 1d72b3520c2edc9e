"""One visit: one case in one round, one sample of each of its metrics."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from motebench.model import Case, Evidence, FailureKind, Scheme
from motebench.runner import jobs, proof, readings
from motebench.runner.pool import Pool
from motebench.runner.readings import Reading
from motebench.runner.warmup import warm_up
from motebench.targets.base import Session
from motebench.wire.messages import Hello, Job, Offer, ProbeFailure, Timing

_MAX_BATCH = 2**30
_SPARE = 4
"""A request for several samples is made if it can take this many times as long as the first one lets expect."""
_WARM_SHARE = 8
"""One in this many iterations of a batch is done untimed before it, so that caches hold the case again."""


@dataclass
class TimedCase:
    """What is known about a case while it is measured."""

    case: Case
    scheme: Scheme
    offer: Offer
    evidence: Evidence
    batch_seconds: float
    timeout: float
    """The most seconds one request may take."""
    warmup_seconds: float
    """The most seconds a just-in-time compiler is given to reach its steady state."""
    exact: bool = False
    """Every reading is the same to the last cycle: one iteration tells all."""
    at_once: int = 1
    """Samples that one visit takes, if one request has time for them."""
    values: list[float] = field(default_factory=list)
    """Times in ns, one per sample."""
    batch: int = 0
    memory_samples: int = 0
    warmup: list[Reading] = field(default_factory=list)
    """Readings of warm-ups that were not taken away yet."""
    warmups: int = 0
    """Batches of warm-ups that are stored."""
    notes: list[str] = field(default_factory=list)
    _preparation: float = 0.0
    _warm: tuple[Session, int] | None = None
    _job: Job | None = None
    _crc: int | None = None
    _checked: bool = False
    _hello: Hello | None = None

    def visit(self, pool: Pool, consensus: proof.Consensus) -> list[Reading]:
        """One sample, or `at_once`. Raises ProbeFailure; no reading is returned unless the output was right."""
        begun = time.monotonic()
        session = pool.session(self.case.target, self.case.provider, self.case.scheme)
        if self._job is None:
            self._job = jobs.build(self.case, self.scheme, self.offer, session, self.timeout)
            self._crc = proof.expected_crc(self.case, self._job, session, consensus, self.timeout)
            # One set of clock constants for the whole series: each probe process measures its own overhead, and the
            # differences are far below the batch.
            self._hello = session.hello_of(self.case.scheme)
        assert self._hello is not None
        if not self.batch:
            self.batch = 1 if self.exact else self._calibrate(session, self._job)
        if session.jit and self._warm != (session, session.generation):
            self._warm_up(session, self._job)
            self._warm = (session, session.generation)
            self._preparation += time.monotonic() - begun
        asked = time.monotonic()
        taken = self._measure(session, self._job, self.batch)
        took = time.monotonic() - asked
        more = self.at_once - len(self.values) - 1
        if more > 0 and took * more < self.timeout / _SPARE:
            taken += self._measure(session, self._job, self.batch, more)
        for series, raw, batch in taken:
            if series.metric == "time":
                self.values.append((raw - series.overhead) * series.scale / batch)
        return taken

    def memory(self, pool: Pool) -> list[Reading]:
        """Peak memory, in a process that has done nothing else; a board paints its stack anew for each request."""
        begun = time.monotonic()
        if self.exact:
            self.memory_samples += 1
            return self._memory(pool.session(self.case.target, self.case.provider, self.case.scheme))
        session = pool.fresh(self.case.target, self.case.provider)
        try:
            return self._memory(session)
        finally:
            session.close()
            self.memory_samples += 1
            if session.jit:
                self._preparation += time.monotonic() - begun

    def _memory(self, session: Session) -> list[Reading]:
        assert self._job is not None
        if "memory" not in session.hello_of(self.case.scheme).does:
            return []
        return readings.of_memory(session.memory(self._job, timeout=self.timeout), self.evidence)

    def take_preparation(self) -> float:
        """Seconds since the last call that starting and warming up a just-in-time compiler took."""
        seconds, self._preparation = self._preparation, 0.0
        return seconds

    def _warm_up(self, session: Session, job: Job) -> None:
        assert self._hello is not None
        hello = self._hello
        done = warm_up(
            lambda batch, count: self._timing(session, job, batch, count),
            hello.clock,
            self.batch,
            self.batch_seconds,
            self.warmup_seconds,
        )
        for timing, batch in done.blocks:
            self.warmup += readings.of_warmup(timing, batch, hello, self.evidence)
        if not done.steady:
            self.notes.append(f"no steady state within {self.warmup_seconds:g} s of warm-up")
        self.batch = max(1, min(_MAX_BATCH, math.ceil(self.batch_seconds / done.seconds)))

    def _measure(self, session: Session, job: Job, batch: int, count: int = 1) -> list[Reading]:
        assert self._hello is not None
        return readings.of_timing(self._timing(session, job, batch, count), batch, self._hello, self.evidence)

    def _timing(self, session: Session, job: Job, batch: int, count: int) -> Timing:
        warm = math.ceil(batch / _WARM_SHARE) if batch > 1 else 0
        timing = session.measure(job, batch=batch, count=count, warm=warm, timeout=self.timeout)
        if self._crc is not None and timing.crc != self._crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"the timed function's output is wrong (CRC-32 {timing.crc:08x}, expected {self._crc:08x})",
            )
        if self._crc is None and not self._checked:
            proof.check_random(self.case, self.scheme, job, timing.out, session, self.timeout)
            self._checked = True
        return timing

    def _calibrate(self, session: Session, job: Job) -> int:
        """Iterations that last about ``batch_seconds``, and at least 1000 clock steps and 200 clock overheads."""
        assert self._hello is not None
        clock = self._hello.clock
        aim = max(self.batch_seconds, 1000 * clock.resolution / clock.hz, 200 * clock.overhead / clock.hz)
        batch = 1
        while True:
            series, raw, _ = self._measure(session, job, batch)[0]
            seconds = max(raw - series.overhead, 1.0) * series.scale * 1e-9
            if seconds >= aim / 2 or batch >= _MAX_BATCH:
                return max(1, min(_MAX_BATCH, math.ceil(batch * aim / seconds)))
            # Growth is bounded, because a first reading of very few ticks says little.
            batch = min(_MAX_BATCH, batch * 64, math.ceil(batch * aim / seconds))
