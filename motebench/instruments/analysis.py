"""What a recording says: energy of an operation above the idle floor, or how far a known load was read wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from motebench.energy import formulas
from motebench.instruments.base import Info
from motebench.instruments.integrate import (
    Floor,
    Joules,
    Piece,
    Unusable,
    energy,
    floor,
    lost_samples,
    pieces,
    stretch,
)
from motebench.instruments.recording import BATCH, COMPLETE, IDLE, LOAD, Recording, Window
from motebench.interval import Interval
from motebench.stats.uncertainty import Expanded, expanded

_STEADY = 0.1
"""A floor that moves by more than this share of the net power is said to drift."""
MOST_SPARE = 0.1
"""Largest share of a batch that the way of request and reply, or two clocks that differ, may leave open."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch: its window, the mean power in it, its energy ``gross`` and ``net`` of idling, or why there is none."""

    window: Window
    watts: float | None
    missing_s: float | None
    gross: Joules | None = None
    net: Joules | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """The energy of one operation in joules: of each batch, with the standard uncertainty of type B that they share.

    ``interval``: of 95 % by types A and B; of one batch, whose spread is not known, the limits of all errors.
    ``combined``: how the interval came about; None of one batch.
    """

    values: list[float]
    type_b: float
    interval: Interval
    combined: Expanded | None

    def says(self) -> str:
        """What the interval is, in words."""
        if self.combined is None:
            return "the limits of all errors of the instrument; one batch has no spread"
        return f"95 %, {len(self.values)} batches: {self.combined}"


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that a recording of batches says. ``gross`` and ``net`` are of one operation; None: there is none."""

    floor: Floor | None
    batches: list[Batch]
    gross: Figure | None
    net: Figure | None
    problems: list[str]
    notes: list[str]

    @property
    def power_w(self) -> float | None:
        """Mean power while the operations ran."""
        return _watts([(batch.gross, batch.window.seconds) for batch in self.batches])

    @property
    def power_net_w(self) -> float | None:
        """The same above the floor."""
        return _watts([(batch.net, batch.window.seconds) for batch in self.batches])


def _watts(parts: list[tuple[Joules | None, float]]) -> float | None:
    known = [(part.joules, seconds) for part, seconds in parts if part is not None]
    return sum(joules for joules, _ in known) / sum(seconds for _, seconds in known) if known else None


def analyse(recording: Recording) -> Found:
    """The energy of one operation from all batches, with its intervals."""
    info, notes = recording.info, _notes(recording)
    stream = pieces(info, recording.samples)
    problems = [] if recording.ended == COMPLETE else [f"{info.name}: {recording.ended}"]
    try:
        idle = floor(info, stream, _reached(recording, IDLE))
    except Unusable as error:
        return Found(None, [], None, None, [*problems, f"idle: {error}"], notes)
    batches = [_batch(info, stream, idle, window) for window in recording.named(BATCH)]
    problems += [f"batch {number}: {batch.problem}" for number, batch in enumerate(batches, 1) if batch.problem]
    gross = _together([(batch.gross, batch.window) for batch in batches])
    net = _together([(batch.net, batch.window) for batch in batches])
    if gross is None:
        problems.append("no batch has an energy")
    elif net is None:
        problems.append("no batch is distinguishable from idling, so there is no energy above idling")
    found = Found(idle, batches, gross, net, problems, notes)
    power = found.power_net_w or 0.0
    if net is not None and abs(idle.drift) > _STEADY * power:
        notes.append(
            f"the idle floor moved by {idle.drift:.3g} W, net power is {power:.3g} W; the interval includes this"
        )
    if gross is not None and len(_reached(recording, IDLE)) < 2:
        notes.append("idle was read only before the batches, so the floor's drift is unknown")
    beside = max((window.beside for window in recording.named(BATCH)), default=0.0)
    if beside:
        notes.append(f"{beside:.2%} of the work between the readings were checks, subtracted by their time")
    return found


def _reached(recording: Recording, name: str) -> list[Window]:
    """Windows of that name that the samples reach: an instrument that was lost says nothing about later ones."""
    last = recording.samples[-1].t if recording.samples else 0.0
    return [window for window in recording.named(name) if recording.ended == COMPLETE or window.t1 <= last]


def _batch(info: Info, stream: list[Piece], idle: Floor, window: Window) -> Batch:
    try:
        held = stretch(stream, window.t0, window.t1)
    except Unusable as error:
        return Batch(window, None, None, problem=str(error))
    known = Batch(window, held.watts, held.missing_s)
    if 2 * window.edge_s > MOST_SPARE * (window.t1 - window.t0):
        length, spare = window.t1 - window.t0, 2 * window.edge_s
        problem = (
            f"it took {length:.3g} s by the probe's clock, and its request {spare:.3g} s more or less than the probe "
            f"accounts for; {MOST_SPARE:.0%} of the batch may be: use longer batches"
        )
        return replace(known, problem=problem)
    found = energy(info, held, idle, window)
    if held.watts < idle.watts and found.net.high <= 0:
        problem = f"its power of {held.watts:.4g} W is below the idle floor of {idle.watts:.4g} W"
        if held.watts < 0:
            problem += "; negative: are its wires the wrong way round?"
        return replace(known, problem=problem)
    gross = found.gross if found.gross.low > 0 else None
    if found.net.low <= 0:
        most = found.net.high / window.iterations
        problem = f"not distinguishable from idling; above idling, an operation takes at most {most:.3g} J"
        return replace(known, gross=gross, problem=problem)
    return replace(known, gross=gross, net=found.net)


def _together(parts: list[tuple[Joules | None, Window]]) -> Figure | None:
    known = [(part, window.iterations) for part, window in parts if part is not None]
    if not known:
        return None
    values = [part.joules / count for part, count in known]
    type_b = max(part.type_b / count for part, count in known)
    combined = expanded(values, type_b)
    if combined is None:
        (part, count) = known[0]
        return Figure(values, type_b, Interval(part.low / count, values[0], part.high / count), None)
    return Figure(values, type_b, Interval(combined.low, combined.mean, combined.high), combined)


def _notes(recording: Recording) -> list[str]:
    info, notes = recording.info, []
    if info.accuracy is None:
        notes.append(f"the bounds do not include errors of the instrument itself: {info.accuracy_of}")
    missing = lost_samples(info, recording.samples)
    if missing:
        notes.append(f"{missing} of {missing + len(recording.samples)} samples are missing; the bounds include them")
    return notes


def document(recording: Recording, found: Found) -> dict[str, Any]:
    """For JSON, with everything that is needed to recompute it."""
    size = recording.about.get("input_bytes") or None
    figures = {"energy": found.gross, "energy_net": found.net}
    return {
        **recording.about,
        "evidence": "measured",
        "instrument": asdict(recording.info),
        "ended": recording.ended,
        "samples": len(recording.samples),
        "lost_samples": lost_samples(recording.info, recording.samples),
        "floor": None if found.floor is None else {f"{key}_w": value for key, value in _floor(found.floor).items()},
        "power_w": found.power_w,
        "power_net_w": found.power_net_w,
        **{f"{name}_j": _figure(figure) for name, figure in figures.items()},
        **{f"{name}_per_byte_j": _figure(figure, size) if size else None for name, figure in figures.items()},
        "windows": [asdict(window) for window in recording.windows],
        "batches": [_entry(batch) for batch in found.batches],
        "problems": found.problems,
        "notes": found.notes,
    }


def _figure(figure: Figure | None, size: int = 1) -> dict[str, Any] | None:
    if figure is None:
        return None
    each = formulas.per_byte(1.0, size)
    combined = figure.combined
    return {
        **(figure.interval * each).as_dict(),
        "interval": figure.says(),
        "type_a": combined.type_a * each if combined else None,
        "type_b": figure.type_b * each,
    }


def _floor(found: Floor) -> dict[str, float]:
    return {"low": found.low, "typical": found.watts, "high": found.high, "drift": found.drift}


def _entry(batch: Batch) -> dict[str, Any]:
    return {
        **asdict(batch.window),
        "power_w": batch.watts,
        "missing_s": batch.missing_s,
        "gross_j": asdict(batch.gross) if batch.gross else None,
        "net_j": asdict(batch.net) if batch.net else None,
        "problem": batch.problem,
    }


def known_load(recording: Recording, ohms: float, volts: float | None) -> dict[str, Any]:
    """How far the power of a resistor is read wrong: U^2/R at the voltage given, or at the one that was read.

    ``within_accuracy`` is None where the instrument states no accuracy.
    """
    info = recording.info
    answer: dict[str, Any] = {
        "evidence": "measured",
        "instrument": asdict(info),
        "ohms": ohms,
        "ended": recording.ended,
        "samples": len(recording.samples),
        "lost_samples": lost_samples(info, recording.samples),
        "windows": [asdict(window) for window in recording.windows],
        "problems": [] if recording.ended == COMPLETE else [f"{info.name}: {recording.ended}"],
        "notes": _notes(recording),
    }
    read = [sample.volts for sample in recording.samples if sample.volts is not None]
    volts = volts if volts is not None else sum(read) / len(read) if read else None
    windows = recording.named(LOAD)
    try:
        if volts is None:
            raise Unusable("no voltage is given, and the instrument does not measure it")
        if not windows:
            raise Unusable("the recording has no window of a known load")
        held = stretch(pieces(info, recording.samples), windows[0].t0, windows[0].t1)
    except Unusable as error:
        return {**answer, "problems": [*answer["problems"], str(error)], "power_w": None}
    expected = volts * volts / ohms
    allowed = None if info.accuracy is None else info.accuracy * held.watts + info.offset_w
    return {
        **answer,
        "volts": volts,
        "power_w": held.watts,
        "expected_w": expected,
        "error_w": held.watts - expected,
        "error": held.watts / expected - 1,
        "within_accuracy": None if allowed is None else abs(held.watts - expected) <= allowed,
    }
