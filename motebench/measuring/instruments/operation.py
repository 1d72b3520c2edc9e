"""The energy of one operation, or of a known load, by an instrument: recorded or replayed, and its
document.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from motebench.base.errors import ExitCode, InputError, MotebenchError, SetupError
from motebench.base.model import Case, Evidence, Operation, Scheme
from motebench.base.naming import did_you_mean
from motebench.documents.meter import KnownLoadEntry, MeterEntry
from motebench.measuring.instruments.analysis import analyse, document, known_load
from motebench.measuring.instruments.base import Instrument
from motebench.measuring.instruments.metering import (
    BATCHES,
    Metered,
    check_by_hand,
    check_length,
    prepare,
    record,
)
from motebench.measuring.instruments.recorder import Recorder
from motebench.measuring.instruments.recording import LOAD, Recording, load
from motebench.measuring.instruments.registry import (
    READS_NO_VOLTAGE,
    find,
    open_instrument,
    replayed,
)
from motebench.targets.base import Session, Target
from motebench.targets.registry import implementations_of, missing_implementation
from motebench.targets.wire.messages import ProbeFailure

_EXAMPLE = (
    "for example: motebench meter --instrument rapl --implementation openssl --scheme aes-128-gcm"
)


@dataclass(frozen=True, slots=True)
class Request:
    """Request for the energy of an operation or of a known load.

    seconds: how long batches run, together, or a known load is read; idle: seconds of idling before
    and after. size: bytes of input. volts: of the supply, if the instrument does not read it, or of
    the known load. ohms: the load. accuracy: the instrument's largest relative error, instead of
    what it states. record: a new file for all samples.
    """

    instrument: str
    target: str = "host"
    implementation: str | None = None
    scheme: str | None = None
    operation: str | None = None
    size: int = 16
    seconds: float = 10.0
    idle: float = 3.0
    volts: float | None = None
    ohms: float | None = None
    accuracy: float | None = None
    record: Path | None = None


def meter(request: Request) -> MeterEntry | KnownLoadEntry:
    """Record, or read a recording, and return its document.

    InputError for an impossible request; SetupError if instrument or probe are unavailable.
    """
    path = replayed(request.instrument)
    _check_supply(request)
    ohms, volts = request.ohms, request.volts
    if path is not None:
        if request.record:
            raise InputError(
                "the instrument replays a recording, which cannot be recorded again",
                where="--instrument",
                hint="leave out --record",
            )
        recording = load(path)
    else:
        recording = _read_load(request) if ohms is not None else _read_batches(request)
    if request.accuracy is not None:
        recording.info = replace(
            recording.info, accuracy=request.accuracy, accuracy_of="--accuracy"
        )
    place = str(request.record or path or "") or None
    if ohms is not None:
        return known_load(recording, ohms, volts, place)
    return document(recording, analyse(recording), place)


def _check_supply(request: Request) -> None:
    ohms, volts = request.ohms, request.volts
    if ohms is not None and ohms <= 0:
        raise InputError(
            "a load of 0 ohm is a short circuit", where="--known-load", valid="more than 0: 100ohm"
        )
    if volts is not None and volts <= 0:
        raise InputError(
            "a voltage of 0 V gives no power", where="--voltage", valid="more than 0: 3.3V"
        )
    if volts is not None and ohms is None and find(request.instrument).name != READS_NO_VOLTAGE:
        raise InputError(
            "the voltage has no effect here",
            where="--voltage",
            valid="together with --known-load, or with a PPK2",
        )


def _read_load(request: Request) -> Recording:
    instrument = open_instrument(request.instrument, request.volts)
    recorder = Recorder(instrument, {"what": "known load"}, request.record)
    return _recorded(recorder, lambda: recorder.idle(LOAD, request.seconds))


def _read_batches(request: Request) -> Recording:
    # The instrument first: when it is not there, nothing else matters.
    instrument = open_instrument(request.instrument, request.volts)
    try:
        target, case, scheme = _case(request)
        check_length(instrument.info, request.seconds, request.idle)
        session = _opened(target, case)
    except BaseException:
        instrument.stop()
        raise
    try:
        return _metered(request, instrument, session, case, scheme)
    except ProbeFailure as error:
        raise _failed(case, error) from None
    finally:
        session.close()


def _opened(target: Target, case: Case) -> Session:
    try:
        return target.open(case.provider)
    except ProbeFailure as error:
        raise _failed(case, error) from None


def _metered(
    request: Request, instrument: Instrument, session: Session, case: Case, scheme: Scheme
) -> Recording:
    seconds = request.seconds
    by_hand = instrument.info.rate_hz is None
    try:
        metered = prepare(session, case, scheme, seconds if by_hand else seconds / BATCHES)
        if by_hand and isinstance(metered, Metered):
            check_by_hand(metered)
    except BaseException:
        instrument.stop()
        raise
    if not isinstance(metered, Metered):
        instrument.stop()
        raise MotebenchError(
            f"{case}: {metered.kind.value}: {metered.message}", exit_code=ExitCode.FAILURES
        )
    about = {
        "target": case.target,
        "implementation": case.implementation,
        "version": session.hello_of(scheme.name).version,
        "scheme": scheme.name,
        "operation": case.operation.value,
        "input_bytes": case.input_bytes,
        "batch_iterations": metered.batch,
    }
    recorder = Recorder(instrument, about, request.record)
    return _recorded(recorder, lambda: record(recorder, metered, request.idle, by_hand=by_hand))


def _recorded(recorder: Recorder, work: Any) -> Recording:
    """The recording while ``work`` ran. Whatever ends it, the file is closed and has the reason."""
    try:
        recorder.start()
        work()
    except ProbeFailure as error:
        recorder.stop(f"the target failed: {error.kind.value}: {error.message}")
        return recorder.recording
    except BaseException as error:
        recorder.stop(
            "interrupted"
            if isinstance(error, KeyboardInterrupt)
            else f"{type(error).__name__}: {error}"
        )
        raise
    return recorder.stop()


def _failed(case: Case, error: ProbeFailure) -> SetupError:
    return SetupError(f"{case}: {error.kind.value}: {error.message}")


def _case(request: Request) -> tuple[Target, Case, Scheme]:
    from motebench.catalog import resolve
    from motebench.targets.registry import open_target

    implementation, name = request.implementation, request.target
    if implementation is None or request.scheme is None:
        missing = "--implementation" if implementation is None else "--scheme"
        raise InputError("meter needs this option", where=missing, hint=_EXAMPLE)
    target = open_target(name, where="--target")
    if target.place.evidence is not Evidence.MEASURED or not target.place.batches:
        raise InputError(
            f"no instrument measures target {name}",
            where="--target",
            valid="host, serial:PORT",
            hint="motebench energy models it from time and current",
        )
    if implementation not in implementations_of(target, [implementation]):
        raise missing_implementation(implementation, target, where="--implementation")
    scheme = resolve(request.scheme)
    valid = [operation.value for operation in scheme.operations if not operation.on_file]
    chosen = request.operation or scheme.default_operations[0].value
    if chosen not in valid:
        problem, hint = f"{scheme.name} has no operation {chosen!r}", did_you_mean(chosen, valid)
        raise InputError(problem, where="--operation", valid=", ".join(valid), hint=hint)
    operation = Operation(chosen)
    size = request.size if operation.sized else 0
    return target, Case(scheme.name, implementation, operation, size, name, implementation), scheme


def exit_code(answer: MeterEntry | KnownLoadEntry) -> ExitCode:
    """FAILURES for anything that is missing, and for a known load that is read wrong."""
    wrong = answer.problems or (
        isinstance(answer, KnownLoadEntry) and answer.within_accuracy is False
    )
    return ExitCode.FAILURES if wrong else ExitCode.OK
