"""Batches of one operation on a target while an instrument reads: idle, batches, idle."""

from __future__ import annotations

import math
from dataclasses import dataclass

from motebench.base.errors import InputError
from motebench.base.model import Case, Failure, FailureKind, Scheme
from motebench.measuring.instruments.base import Info, InstrumentLost
from motebench.measuring.instruments.placing import Placed, place
from motebench.measuring.instruments.recorder import Recorder
from motebench.measuring.instruments.recording import BATCH, IDLE, Window
from motebench.measuring.verify import gate
from motebench.measuring.work import jobs, proof
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure, Timing

BATCHES = 10
"""Number of windows into which the time is divided."""
FEWEST = 10
"""Fewest samples of a batch, and of idling."""
MOST_BESIDE = 0.1
"""Largest share of the work between two readings by hand that may be checks instead of operations."""
_MAX_BATCH = 2**30


def check_length(info: Info, seconds: float, idle_seconds: float) -> None:
    """InputError if windows are too short for an instrument of that rate."""
    least = FEWEST * info.period_s
    for option, length, valid in (("--seconds", seconds, least * BATCHES), ("--idle", idle_seconds, least)):
        if length < valid * (1 - 1e-9):
            raise InputError(
                f"{length:g} s is too short for {info.name}, which gives {info.rate_hz:g} samples per second",
                where=option, valid=f"{valid:g}s or more",
            )  # fmt: skip


@dataclass
class Metered:
    """One operation that passed its known answers, and the number of iterations that last as long as a batch should.

    ``each_s``: seconds of one; ``beside_s``: seconds that a request computes in addition to its batch.
    """

    session: Session
    case: Case
    scheme: Scheme
    job: Job
    crc: int | None
    batch: int
    timeout: float
    each_s: float = 0.0
    beside_s: float = 0.0

    def batch_of(self) -> tuple[Placed, Timing]:
        """One batch and its time window; its output is not checked yet."""
        timing = self.session.measure(self.job, batch=self.batch, count=1, warm=0, timeout=self.timeout)
        return place(timing, self.session.hello_of(self.scheme.name).clock.hz), timing

    def check(self, timing: Timing) -> None:
        """ProbeFailure if the output of a batch is wrong. The target may have to compute for that."""
        if self.crc is not None and timing.crc != self.crc:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, "the output of the measured function is wrong")
        if self.crc is None:
            proof.check_random(self.case, self.scheme, self.job, timing, self.session, self.timeout)

    def run(self) -> Placed:
        """One checked batch and its time window."""
        placed, timing = self.batch_of()
        self.check(timing)
        return placed


def prepare(session: Session, case: Case, scheme: Scheme, batch_seconds: float) -> Metered | Failure:
    """Check the operation, and `fit` it."""
    refused = gate(session, scheme.name, target=case.target, implementation=case.implementation)
    if refused is not None:
        return refused
    offer = session.offers()[scheme.name]
    if case.operation.value not in offer.operations:
        raise InputError(
            f"{case.implementation} has no operation {case.operation.value} of {scheme.name}",
            where="--operation", valid=", ".join(sorted(offer.operations)),
        )  # fmt: skip
    return fit(session, case, scheme, batch_seconds)


def fit(session: Session, case: Case, scheme: Scheme, batch_seconds: float) -> Metered:
    """Find how many operations take ``batch_seconds`` by the probe's clock. ProbeFailure if none can be timed."""
    timeout = max(60.0, 20 * batch_seconds)
    job = jobs.build(case, scheme, session.offers()[scheme.name], session, timeout)
    crc = proof.expected_crc(case, job, session, proof.Consensus(), timeout)
    metered = Metered(session, case, scheme, job, crc, 1, timeout)
    while True:
        placed = metered.run()
        metered.each_s, metered.beside_s = placed.seconds / metered.batch, placed.beside_s
        enough = math.ceil(batch_seconds / metered.each_s)
        if placed.seconds >= batch_seconds / 2 or metered.batch >= _MAX_BATCH:
            metered.batch = max(1, min(_MAX_BATCH, enough))
            return metered
        metered.batch = min(_MAX_BATCH, metered.batch * 64, enough)


def check_by_hand(metered: Metered) -> None:
    """InputError if checks of the operation would take too much of the time between two readings by hand."""
    counted = metered.batch * metered.each_s
    least = metered.beside_s * (1 - MOST_BESIDE) / MOST_BESIDE
    if counted < least * (1 - 1e-9):
        raise InputError(
            f"{counted:.3g} s of operations is too short for readings by hand: the checks between the readings take "
            f"{metered.beside_s:.3g} s, and may take at most {MOST_BESIDE:.0%} of all work",
            where="--seconds", valid=f"{math.ceil(least)}s or more",
        )  # fmt: skip


def record(recorder: Recorder, metered: Metered, idle_seconds: float, *, by_hand: bool) -> None:
    """Idle, `BATCHES` batches, idle. By hand it is one batch, since the user reads the meter at each of its ends.

    If the instrument is lost, it ends early, without raising. ProbeFailure if the target fails.
    """
    try:
        _record(recorder, metered, idle_seconds, by_hand)
    except InstrumentLost:
        if recorder.lost is None:
            raise


def _record(recorder: Recorder, metered: Metered, idle_seconds: float, by_hand: bool) -> None:
    recorder.idle(IDLE, idle_seconds)
    if by_hand:
        _record_by_hand(recorder, metered, idle_seconds)
        return
    for _ in range(BATCHES):
        if recorder.lost is not None:
            return
        recorder.batch(metered.run(), metered.batch)
    if recorder.lost is None:
        recorder.idle(IDLE, idle_seconds)


def _record_by_hand(recorder: Recorder, metered: Metered, idle_seconds: float) -> None:
    with recorder.window(BATCH, later=True) as held:
        placed, timing = metered.batch_of()
        held.iterations, held.work_s, held.beside_s = metered.batch, placed.seconds, placed.beside_s
    try:
        # Idling begins with the reading that ended the batch, so nothing may be computed before it is over.
        recorder.idle(IDLE, idle_seconds)
    except InstrumentLost:
        _keep(recorder, metered, held.window, timing)
        raise
    _keep(recorder, metered, held.window, timing)


def _keep(recorder: Recorder, metered: Metered, window: Window | None, timing: Timing) -> None:
    """A batch with the right output."""
    metered.check(timing)
    if window is not None:
        recorder.add(window)
