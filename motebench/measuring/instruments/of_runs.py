"""Energy of a run: each case once more, while an instrument reads the power of its target.

This follows the times, because batches of seconds between periods of idling would disturb them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from motebench.base.errors import InputError, MotebenchError
from motebench.base.model import Case, Evidence, FailureKind, Scheme, Series
from motebench.base.units import format_value
from motebench.measuring.instruments.analysis import Found, analyse
from motebench.measuring.instruments.base import WHERE, Info
from motebench.measuring.instruments.metering import BATCHES, FEWEST, Metered, fit, record
from motebench.measuring.instruments.recorder import Recorder
from motebench.measuring.instruments.recording import COMPLETE, Recording
from motebench.measuring.instruments.registry import find, open_instrument
from motebench.measuring.work.readings import CaseEnergy, Reading
from motebench.targets.base import Session
from motebench.targets.wire.messages import ProbeFailure

_IDLE_SHARE = 0.3
"""Duration of idling before the batches, and again after them, as a share of the duration of all batches."""
_ROOM = 1.2
"""Windows are longer than the fewest samples need by this factor, since batches do not last exactly as long
as planned."""
_NOT_HERE = ("by-hand", "replay")
"""Instruments that a run cannot use: a meter would have to be read at every batch; a recording has its own windows."""


@dataclass(frozen=True)
class PowerMeter:
    """An instrument by name, the voltage of the supply if it does not read it, and seconds of all batches of a case."""

    name: str
    volts: float | None
    seconds: float

    def check(self) -> None:
        """InputError if the instrument cannot serve a run; SetupError if it is unavailable. Nothing is measured."""
        if find(self.name).name in _NOT_HERE:
            raise InputError(
                f"{self.name} cannot be read during a run", where=WHERE,
                valid="an instrument that is read automatically", hint="motebench meter",
            )  # fmt: skip
        open_instrument(self.name, self.volts).stop()

    def measure(self, session: Session, case: Case, scheme: Scheme) -> CaseEnergy:
        """Idle, batches, idle. Raises only interrupts: failures are in the answer, together with the results so far.

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
    """Seconds of a batch and of idling: as configured, or as long as the instrument needs for enough samples."""
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
    """From a recording to readings: the energy of every batch that has one, and above idling if it is distinguishable.

    A recording that was cut short, or has no energy, is a failure of that kind; batches before it count.
    """
    answer = analyse(recording)
    readings = list(_readings(recording.info.name, answer))
    notes = [f"energy: {note}" for note in answer.notes]
    if answer.floor is not None and readings:
        notes.insert(0, f"energy: idling took {format_value(answer.floor.watts, 'W')}; energy_net is without it")
    problems = "; ".join(answer.problems)
    if recording.ended != COMPLETE or answer.net is None:
        # A case that is not distinguishable from idling was read well: the instrument is not sensitive enough.
        cut = recording.ended != COMPLETE or any(batch.watts is None for batch in answer.batches) or not answer.batches
        return CaseEnergy(readings, notes, (kind if cut else FailureKind.UNSUPPORTED, f"energy: {problems}"))
    return CaseEnergy(readings, notes + ([f"energy: {problems}"] if problems else []))


def _readings(instrument: str, answer: Found) -> Iterator[Reading]:
    for name, figure in (("energy", answer.gross), ("energy_net", answer.net)):
        if figure is None:
            continue
        series = Series(name, "J", 1.0, 0.0, instrument, Evidence.MEASURED, type_b=figure.type_b)
        for batch in answer.batches:
            part = batch.gross if name == "energy" else batch.net
            if part is not None:
                yield series, part.joules, batch.window.iterations
