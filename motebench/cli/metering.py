"""Behind ``motebench meter``: options to a recording, and the recording to a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from motebench import __version__
from motebench.errors import ExitCode, InputError, MotebenchError, SetupError
from motebench.instruments.analysis import analyse, document, known_load
from motebench.instruments.base import Instrument
from motebench.instruments.metering import BATCHES, Metered, check_by_hand, check_length, prepare, record
from motebench.instruments.recorder import Recorder
from motebench.instruments.recording import LOAD, Recording, load
from motebench.instruments.registry import READS_NO_VOLTAGE, find, open_instrument, replayed
from motebench.misspelt import no_implementation
from motebench.model import Case, Evidence, Operation, Scheme
from motebench.targets.base import Session, Target
from motebench.units import format_value, parse_duration, parse_percent, parse_quantity, parse_size
from motebench.wire.messages import ProbeFailure

Document = dict[str, Any]
_FIGURES = (
    ("energy", "energy_j", "J"),
    ("energy per byte", "energy_per_byte_j", "J/B"),
    ("energy above idling", "energy_net_j", "J"),
    ("per byte", "energy_net_per_byte_j", "J/B"),
)
Options = Mapping[str, Any]


def meter(options: Options) -> Document:
    """Record, or read a recording, and say what it says."""
    path = replayed(options["instrument"])
    ohms, volts = _load(options)
    if path is not None:
        if options["record"]:
            raise InputError("is a recording already", where="--instrument", hint="without --record")
        recording = load(path)
    else:
        recording = _check_load(options, volts) if ohms is not None else _batches(options, volts)
    if options["accuracy"] is not None:
        share = parse_percent(options["accuracy"], where="--accuracy")
        recording.info = replace(recording.info, accuracy=share, accuracy_of="--accuracy")
    answer = known_load(recording, ohms, volts) if ohms is not None else document(recording, analyse(recording))
    return {"motebench": __version__, **answer, "recording": str(options["record"] or path or "") or None}


def _load(options: Options) -> tuple[float | None, float | None]:
    given = options["known_load"]
    ohms = None if given is None else parse_quantity(given, "ohm", where="--known-load")
    volts = parse_quantity(options["voltage"], "V", where="--voltage") if options["voltage"] else None
    if ohms is not None and ohms <= 0:
        raise InputError("a load of 0 ohm is a short circuit", where="--known-load", valid="more than 0: 100ohm")
    if volts is not None and volts <= 0:
        raise InputError("0 V gives no power", where="--voltage", valid="more than 0: 3.3V")
    if volts is not None and ohms is None and find(options["instrument"]).name != READS_NO_VOLTAGE:
        raise InputError("says nothing here", where="--voltage", valid="with --known-load, or for a PPK2")
    return ohms, volts


def _check_load(options: Options, volts: float | None) -> Recording:
    seconds = parse_duration(options["seconds"], where="--seconds")
    recorder = Recorder(open_instrument(options["instrument"], volts), {"what": "known load"}, options["record"])
    return _recorded(recorder, lambda: recorder.idle(LOAD, seconds))


def _batches(options: Options, volts: float | None) -> Recording:
    seconds = parse_duration(options["seconds"], where="--seconds")
    idle = parse_duration(options["idle"], where="--idle")
    target, case, scheme = _case(options)
    # The instrument first: when it is not there, nothing needs to be computed.
    instrument = open_instrument(options["instrument"], volts)
    try:
        check_length(instrument.info, seconds, idle)
        session = target.open(case.provider)
    except BaseException as error:
        instrument.stop()
        if isinstance(error, ProbeFailure):
            raise _failed(case, error) from None
        raise
    try:
        return _metered(options, instrument, session, case, scheme, seconds, idle)
    except ProbeFailure as error:
        raise _failed(case, error) from None
    finally:
        session.close()


def _metered(
    options: Options, instrument: Instrument, session: Session, case: Case, scheme: Scheme, seconds: float, idle: float
) -> Recording:
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
        raise MotebenchError(f"{case}: {metered.kind.value}: {metered.message}", exit_code=ExitCode.FAILURES)
    about = {
        "target": case.target,
        "implementation": case.implementation,
        "version": session.hello_of(scheme.name).version,
        "scheme": scheme.name,
        "operation": case.operation.value,
        "input_bytes": case.input_bytes,
        "batch_iterations": metered.batch,
    }
    recorder = Recorder(instrument, about, options["record"])
    return _recorded(recorder, lambda: record(recorder, metered, idle, by_hand=by_hand))


def _recorded(recorder: Recorder, work: Any) -> Recording:
    """What was recorded while ``work`` ran. Whatever ends it, the file is closed and says why."""
    try:
        recorder.start()
        work()
    except ProbeFailure as error:
        recorder.stop(f"the target failed: {error.kind.value}: {error.message}")
        return recorder.recording
    except BaseException as error:
        recorder.stop("interrupted" if isinstance(error, KeyboardInterrupt) else f"{type(error).__name__}: {error}")
        raise
    return recorder.stop()


def _failed(case: Case, error: ProbeFailure) -> SetupError:
    return SetupError(f"{case}: {error.kind.value}: {error.message}")


def _case(options: Options) -> tuple[Target, Case, Scheme]:
    from motebench.catalog import resolve
    from motebench.targets.registry import open_target

    for name in ("implementation", "scheme"):
        if options[name] is None:
            raise InputError("is missing", where=f"--{name}", hint="motebench list implementations")
    name = options["target"]
    target = open_target(name, where="--target")
    if target.evidence is not Evidence.MEASURED or name == "command":
        raise InputError(
            f"no instrument measures target {name}", where="--target", valid="host, serial:PORT",
            hint="motebench energy models it from time and current",
        )  # fmt: skip
    there = target.implementations()
    if options["implementation"] not in there:
        raise no_implementation(options["implementation"], there, name, where="--implementation")
    scheme = resolve(options["scheme"])
    valid = [operation.value for operation in scheme.operations if not operation.on_file]
    chosen = options["operation"] or scheme.default_operations[0].value
    if chosen not in valid:
        raise InputError(f"{scheme.name} has no operation {chosen!r}", where="--operation", valid=", ".join(valid))
    operation = Operation(chosen)
    size = parse_size(options["size"], where="--size") if operation.sized else 0
    provider = options["implementation"]
    return target, Case(scheme.name, provider, operation, size, name, provider), scheme


def exit_code(answer: Document) -> ExitCode:
    """FAILURES for anything that is missing, and for a known load that is read wrong."""
    wrong = answer["problems"] or answer.get("within_accuracy") is False
    return ExitCode.FAILURES if wrong else ExitCode.OK


def show(answer: Document) -> None:
    """Print the answer for people."""
    info = answer["instrument"]
    if "ohms" in answer:
        _show_load(answer)
    else:
        what = " ".join(str(answer[key]) for key in ("implementation", "scheme", "operation") if answer.get(key))
        size = f", {answer['input_bytes']} B" if answer.get("input_bytes") else ""
        click.echo(f"{what or 'an operation'}{size}, on {answer.get('target', 'a target that is not named')}")
        for name, key, unit in _FIGURES:
            figure = answer[key]
            if figure is not None:
                low, high = (format_value(figure[end], unit) for end in ("low", "high"))
                click.echo(f"{name:22}{format_value(figure['typical'], unit)} ({low} to {high})")
        for name, key in (("power", "power_w"), ("power above idling", "power_net_w")):
            if answer[key] is not None:
                click.echo(f"{name:22}{format_value(answer[key], 'W')}")
        if answer["floor"] is not None:
            click.echo(f"{'idle':22}{format_value(answer['floor']['typical_w'], 'W')}")
        if answer["energy_j"] is not None:
            click.echo(f"{'interval':22}{answer['energy_j']['interval']}")
    click.echo(f"{'measured by':22}{info['name']}: {info['measures']}")
    for note in answer["notes"]:
        click.echo(f"note: {note}")
    for problem in answer["problems"]:
        click.secho(f"failed: {problem}", fg="red", err=True)
    if answer["recording"] and Path(answer["recording"]).exists():
        click.echo(f"recording: {answer['recording']}", err=True)


def _show_load(answer: Document) -> None:
    if answer["power_w"] is None:
        return
    click.echo(
        f"{'expected':22}{format_value(answer['expected_w'], 'W')} ({answer['volts']:.4g} V, {answer['ohms']:g} ohm)"
    )
    click.echo(f"{'read':22}{format_value(answer['power_w'], 'W')}")
    judged = {True: "within", False: "beyond", None: "not judged by"}[answer["within_accuracy"]]
    click.echo(f"{'error':22}{answer['error']:+.2%}, {judged} its accuracy ({answer['instrument']['accuracy_of']})")
