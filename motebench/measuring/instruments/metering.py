"""Batches of one operation on a target while an instrument reads: idle, batches, idle.

In a run, each case is metered once more after all times are taken, because batches of seconds
between periods of idling would disturb them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from motebench.base.errors import InputError, MotebenchError
from motebench.base.model import Case, Evidence, Failure, FailureKind, Scheme, Series
from motebench.base.units import format_value
from motebench.measuring.instruments.analysis import Found, analyse
from motebench.measuring.instruments.base import WHERE, Info, InstrumentLost
from motebench.measuring.instruments.recorder import Placed, Recorder, place
from motebench.measuring.instruments.recording import BATCH, COMPLETE, IDLE, Recording, Window
from motebench.measuring.instruments.registry import find, open_instrument
from motebench.measuring.verify import gate
from motebench.measuring.work import jobs, proof
from motebench.measuring.work.readings import CaseEnergy, Reading
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure, Timing

BATCHES = 10
"""Number of windows into which the time is divided."""
FEWEST = 10
"""Fewest samples of a batch, and of idling."""
MOST_BESIDE = 0.1
"""Largest share of the work between two readings by hand that may be checks instead of operations.
"""
_MAX_BATCH = 2**30


def check_length(info: Info, seconds: float, idle_seconds: float) -> None:
    """InputError if windows are too short for an instrument of that rate."""
    least = FEWEST * info.period_s
    for option, length, valid in (
        ("--seconds", seconds, least * BATCHES),
        ("--idle", idle_seconds, least),
    ):
        if length < valid * (1 - 1e-9):
            raise InputError(
                f"{length:g} s is too short for {info.name}, which gives {info.rate_hz:g} "
                "samples per second",
                where=option,
                valid=f"{valid:g}s or more",
            )


@dataclass
class Metered:
    """One operation that passed its known answers, and the number of iterations that last as long
    as a batch should.

    ``each_s``: seconds of one; ``beside_s``: seconds that a request computes in addition to its
    batch.
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
        timing = self.session.measure(
            self.job, batch=self.batch, count=1, warm=0, timeout=self.timeout
        )
        return place(timing, self.session.hello_of(self.scheme.name).clock.hz), timing

    def check(self, timing: Timing) -> None:
        """ProbeFailure if the output of a batch is wrong. The target may have to compute for
        that.
        """
        if self.crc is not None and timing.crc != self.crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER, "the output of the measured function is wrong"
            )
        if self.crc is None:
            proof.check_random(self.case, self.scheme, self.job, timing, self.session, self.timeout)

    def run(self) -> Placed:
        """One checked batch and its time window."""
        placed, timing = self.batch_of()
        self.check(timing)
        return placed


def prepare(
    session: Session, case: Case, scheme: Scheme, batch_seconds: float
) -> Metered | Failure:
    """Check the operation, and `fit` it."""
    refused = gate(session, scheme.name, target=case.target, implementation=case.implementation)
    if refused is not None:
        return refused
    offer = session.offers()[scheme.name]
    if case.operation.value not in offer.operations:
        raise InputError(
            f"{case.implementation} has no operation {case.operation.value} of {scheme.name}",
            where="--operation",
            valid=", ".join(sorted(offer.operations)),
        )
    return fit(session, case, scheme, batch_seconds)


def fit(session: Session, case: Case, scheme: Scheme, batch_seconds: float) -> Metered:
    """Find how many operations take ``batch_seconds`` by the probe's clock. ProbeFailure if none
    can be timed.
    """
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
    """InputError if checks of the operation would take too much of the time between two readings by
    hand.
    """
    counted = metered.batch * metered.each_s
    least = metered.beside_s * (1 - MOST_BESIDE) / MOST_BESIDE
    if counted < least * (1 - 1e-9):
        raise InputError(
            f"{counted:.3g} s of operations is too short for readings by hand: the checks "
            "between the readings take "
            f"{metered.beside_s:.3g} s, and may take at most {MOST_BESIDE:.0%} of all work",
            where="--seconds",
            valid=f"{math.ceil(least)}s or more",
        )


def record(recorder: Recorder, metered: Metered, idle_seconds: float, *, by_hand: bool) -> None:
    """Idle, `BATCHES` batches, idle. By hand it is one batch, since the user reads the meter at
    each of its ends.

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
        # Idling begins with the reading that ended the batch, so nothing may be computed before it
        # is over.
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


# Energy of a run


_IDLE_SHARE = 0.3
"""Duration of idling before the batches, and again after them, as a share of the duration of all
batches.
"""
_ROOM = 1.2
"""Windows are longer than the fewest samples need by this factor, since batches do not last exactly
as long as planned."""
_NOT_HERE = ("by-hand", "replay")
"""Instruments that a run cannot use: a meter would have to be read at every batch; a recording has
its own windows.
"""


@dataclass(frozen=True)
class PowerMeter:
    """An instrument by name, the voltage of the supply if it does not read it, and seconds of all
    batches of a case.
    """

    name: str
    volts: float | None
    seconds: float

    def check(self) -> None:
        """InputError if the instrument cannot serve a run; SetupError if it is unavailable. Nothing
        is measured.
        """
        if find(self.name).name in _NOT_HERE:
            raise InputError(
                f"{self.name} cannot be read during a run",
                where=WHERE,
                valid="an instrument that is read automatically",
                hint="motebench meter",
            )
        open_instrument(self.name, self.volts).stop()

    def measure(self, session: Session, case: Case, scheme: Scheme) -> CaseEnergy:
        """Idle, batches, idle. Raises only interrupts: failures are in the answer, together with
        the results so far.

        The case has passed its known answers; the output of every batch is still checked.
        """
        try:
            instrument = open_instrument(self.name, self.volts)
        except MotebenchError as error:
            return CaseEnergy([], [], (FailureKind.LOST, f"energy: {error.what}"))
        try:
            batch, idle = lengths(instrument.info, self.seconds)
            metered = fit(session, case, scheme, batch)
        except ProbeFailure as failure:
            instrument.stop()
            return CaseEnergy([], [], (failure.kind, f"energy: {failure.message}"))
        except BaseException:
            instrument.stop()
            raise
        return _recorded(Recorder(instrument, {"input_bytes": case.input_bytes}), metered, idle)


def lengths(info: Info, seconds: float) -> tuple[float, float]:
    """Seconds of a batch and of idling: as configured, or as long as the instrument needs for
    enough samples.
    """
    least = _ROOM * FEWEST * info.period_s
    return max(seconds / BATCHES, least), max(_IDLE_SHARE * seconds, least)


def _recorded(recorder: Recorder, metered: Metered, idle: float) -> CaseEnergy:
    try:
        recorder.start()
        record(recorder, metered, idle, by_hand=False)
    except ProbeFailure as failure:
        recording = recorder.stop(f"the target failed: {failure.message}")
        return found(recording, failure.kind)
    except BaseException as error:
        recorder.stop(f"{type(error).__name__}: {error}")
        if isinstance(error, MotebenchError):
            return found(recorder.recording)
        raise
    return found(recorder.stop())


def found(recording: Recording, kind: FailureKind = FailureKind.LOST) -> CaseEnergy:
    """From a recording to readings: the energy of every batch, and above idling, whatever its sign.

    A recording that was cut short, or has no energy, is a failure of that kind; batches before it
    count. A mean that is not above the idle floor is a failure, too.
    """
    answer = analyse(recording)
    readings = list(_readings(recording.info.name, answer))
    notes = [f"energy: {note}" for note in answer.notes]
    if answer.floor is not None and readings:
        notes.insert(
            0,
            f"energy: idling took {format_value(answer.floor.watts, 'W')}; energy_net is "
            "without it",
        )
    problems = "; ".join(answer.problems)
    if recording.ended != COMPLETE or answer.net is None:
        # A case not above the idle floor was read well: the instrument is not sensitive enough.
        cut = (
            recording.ended != COMPLETE
            or any(batch.watts is None for batch in answer.batches)
            or not answer.batches
        )
        return CaseEnergy(
            readings, notes, (kind if cut else FailureKind.UNSUPPORTED, f"energy: {problems}")
        )
    return CaseEnergy(readings, notes + ([f"energy: {problems}"] if problems else []))


def _readings(instrument: str, answer: Found) -> Iterator[Reading]:
    for name, figure in zip(("energy", "energy_net"), answer.means, strict=True):
        if figure is None:
            continue
        series = Series(name, "J", 1.0, 0.0, instrument, Evidence.MEASURED, type_b=figure.type_b)
        for batch in answer.batches:
            part = batch.gross if name == "energy" else batch.net
            if part is not None:
                yield series, part.joules, batch.window.iterations
