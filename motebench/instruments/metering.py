"""Batches of one operation on a target while an instrument reads: idle, batches, idle."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from motebench.errors import InputError
from motebench.instruments.base import Info, InstrumentLost
from motebench.instruments.recorder import Recorder
from motebench.instruments.recording import BATCH, IDLE
from motebench.model import Case, Failure, FailureKind, Scheme
from motebench.runner import jobs, proof
from motebench.runner.admission import refusal
from motebench.targets.base import Session
from motebench.wire.messages import Job, ProbeFailure

BATCHES = 10
"""Windows that the time is divided into."""
FEWEST = 10
"""Samples that a batch, and idling, must hold at least."""
_MAX_BATCH = 2**30


def check_length(info: Info, seconds: float, idle_seconds: float) -> None:
    """InputError where windows are too short for an instrument of that rate."""
    least = FEWEST * info.period_s
    for option, length, valid in (("--seconds", seconds, least * BATCHES), ("--idle", idle_seconds, least)):
        if length < valid * (1 - 1e-9):
            raise InputError(
                f"{length:g} s are too short for {info.name}, which gives {info.rate_hz:g} samples a second",
                where=option, valid=f"{valid:g}s and more",
            )  # fmt: skip


@dataclass
class Metered:
    """One operation that passed its known answers, with how many iterations last as long as a batch should."""

    session: Session
    case: Case
    scheme: Scheme
    job: Job
    crc: int | None
    batch: int
    timeout: float

    def run(self) -> int:
        """One batch; how many operations it was. ProbeFailure if the output is wrong."""
        timing = self.session.measure(self.job, batch=self.batch, count=1, warm=0, timeout=self.timeout)
        if self.crc is not None and timing.crc != self.crc:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, "the output of the measured function is wrong")
        if self.crc is None:
            proof.check_random(self.case, self.scheme, self.job, timing.out, self.session, self.timeout)
        return self.batch


def prepare(
    session: Session, case: Case, scheme: Scheme, batch_seconds: float, clock: Callable[[], float]
) -> Metered | Failure:
    """Check the operation, and `fit` it."""
    refused = refusal(session, scheme.name, target=case.target, implementation=case.implementation)
    if refused is not None:
        return refused
    offer = session.offers()[scheme.name]
    if case.operation.value not in offer.operations:
        raise InputError(
            f"{case.implementation} has no operation {case.operation.value} of {scheme.name}",
            where="--operation", valid=", ".join(sorted(offer.operations)),
        )  # fmt: skip
    return fit(session, case, scheme, batch_seconds, clock)


def fit(session: Session, case: Case, scheme: Scheme, batch_seconds: float, clock: Callable[[], float]) -> Metered:
    """Find how long an operation takes by this machine's clock, reply and request included. ProbeFailure if not."""
    timeout = max(60.0, 20 * batch_seconds)
    job = jobs.build(case, scheme, session.offers()[scheme.name], session, timeout)
    crc = proof.expected_crc(case, job, session, proof.Consensus(), timeout)
    metered = Metered(session, case, scheme, job, crc, 1, timeout)
    while True:
        begun = clock()
        metered.run()
        seconds = max(clock() - begun, 1e-9)
        if seconds >= batch_seconds / 2 or metered.batch >= _MAX_BATCH:
            metered.batch = max(1, min(_MAX_BATCH, math.ceil(metered.batch * batch_seconds / seconds)))
            return metered
        metered.batch = min(_MAX_BATCH, metered.batch * 64, math.ceil(metered.batch * batch_seconds / seconds))


def record(recorder: Recorder, metered: Metered, idle_seconds: float, *, by_hand: bool) -> None:
    """Idle, `BATCHES` batches, idle. By hand it is one window, since somebody reads at each of its ends.

    Ends early, and without raising, where the instrument is lost. ProbeFailure if the target fails.
    """
    try:
        _record(recorder, metered, idle_seconds, by_hand)
    except InstrumentLost:
        if recorder.lost is None:
            raise


def _record(recorder: Recorder, metered: Metered, idle_seconds: float, by_hand: bool) -> None:
    recorder.idle(IDLE, idle_seconds)
    if by_hand:
        with recorder.window(BATCH) as count:
            for _ in range(BATCHES):
                count.iterations += metered.run()
    else:
        for _ in range(BATCHES):
            if recorder.lost is not None:
                return
            with recorder.window(BATCH) as count:
                count.iterations = metered.run()
    if recorder.lost is None:
        recorder.idle(IDLE, idle_seconds)
