"""What a recording says: energy of an operation above the idle floor, or how far a known load was read wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from motebench.energy import formulas
from motebench.energy.interval import Interval
from motebench.instruments.base import Info
from motebench.instruments.integrate import Floor, Net, Piece, Unusable, floor, lost_samples, net, pieces, stretch
from motebench.instruments.recording import BATCH, COMPLETE, IDLE, LOAD, Recording, Window

_STEADY = 0.1
"""A floor that moves by more than this share of the net power is said to drift."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch: its window, and its net energy with the gross power, or why there is none."""

    window: Window
    gross_w: float | None
    missing_s: float | None
    energy: Net | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that a recording of batches says. ``per_operation`` in joules, None where it says nothing."""

    floor: Floor | None
    batches: list[Batch]
    per_operation: Interval | None
    problems: list[str]
    notes: list[str]

    @property
    def power_w(self) -> float | None:
        """Mean power above the floor while batches ran."""
        used = [batch for batch in self.batches if batch.energy is not None]
        seconds = sum(batch.window.t1 - batch.window.t0 for batch in used)
        return sum(batch.energy.joules for batch in used if batch.energy) / seconds if used else None


def analyse(recording: Recording) -> Found:
    """The energy of one operation: all batches together, with bounds that hold those of every batch."""
    info, notes = recording.info, _notes(recording)
    stream = pieces(info, recording.samples)
    problems = [] if recording.ended == COMPLETE else [f"{info.name}: {recording.ended}"]
    try:
        idle = floor(info, stream, _reached(recording, IDLE))
    except Unusable as error:
        return Found(None, [], None, [*problems, f"idle: {error}"], notes)
    batches = [_batch(info, stream, idle, window) for window in recording.named(BATCH)]
    problems += [f"batch {number}: {batch.problem}" for number, batch in enumerate(batches, 1) if batch.problem]
    used = [batch for batch in batches if batch.energy is not None]
    if not used:
        return Found(idle, batches, None, [*problems, "no batch has an energy"], notes)
    found = Found(idle, batches, _together(used), problems, notes)
    power = found.power_w or 0.0
    if abs(idle.drift) > _STEADY * power:
        notes.append(f"the idle floor moved by {idle.drift:.3g} W, net power is {power:.3g} W; the bounds hold it")
    if len(_reached(recording, IDLE)) < 2:
        notes.append("idle was read before the batches only, so the floor's drift is not known")
    return found


def _reached(recording: Recording, name: str) -> list[Window]:
    """Windows of that name that the samples reach: an instrument that was lost says nothing about later ones."""
    last = recording.samples[-1].t if recording.samples else 0.0
    return [window for window in recording.named(name) if recording.ended == COMPLETE or window.t1 <= last]


def _batch(info: Info, stream: list[Piece], idle: Floor, window: Window) -> Batch:
    try:
        gross = stretch(stream, window.t0, window.t1)
    except Unusable as error:
        return Batch(window, None, None, None, str(error))
    energy = net(info, gross, idle)
    if gross.watts < idle.watts and energy.high <= 0:
        problem = f"its power of {gross.watts:.4g} W is below the idle floor of {idle.watts:.4g} W"
        if gross.watts < 0:
            problem += "; negative: are its wires the wrong way round?"
        return Batch(window, gross.watts, gross.missing_s, None, problem)
    if energy.low <= 0:
        most = energy.high / window.iterations
        problem = f"cannot be told from idling; an operation takes no more than {most:.3g} J"
        return Batch(window, gross.watts, gross.missing_s, None, problem)
    return Batch(window, gross.watts, gross.missing_s, energy)


def _together(used: list[Batch]) -> Interval:
    single = [batch.energy.divided(batch.window.iterations) for batch in used if batch.energy]
    joules = sum(batch.energy.joules for batch in used if batch.energy)
    typical = joules / sum(batch.window.iterations for batch in used)
    return Interval(min(each.low for each in single), typical, max(each.high for each in single))


def _notes(recording: Recording) -> list[str]:
    info, notes = recording.info, []
    if info.accuracy is None:
        notes.append(f"the bounds hold no error of the instrument itself: {info.accuracy_of}")
    missing = lost_samples(info, recording.samples)
    if missing:
        notes.append(f"{missing} of {missing + len(recording.samples)} samples are missing; the bounds hold them")
    return notes


def document(recording: Recording, found: Found) -> dict[str, Any]:
    """For JSON, with everything that is needed to recompute it."""
    size = recording.about.get("input_bytes") or None
    energy = found.per_operation
    return {
        **recording.about,
        "evidence": "measured",
        "instrument": asdict(recording.info),
        "ended": recording.ended,
        "samples": len(recording.samples),
        "lost_samples": lost_samples(recording.info, recording.samples),
        "floor": None if found.floor is None else {f"{key}_w": value for key, value in _floor(found.floor).items()},
        "power_w": found.power_w,
        "energy_j": energy.as_dict() if energy else None,
        "energy_per_byte_j": (energy * formulas.per_byte(1.0, size)).as_dict() if energy and size else None,
        "windows": [asdict(window) for window in recording.windows],
        "batches": [_entry(batch) for batch in found.batches],
        "problems": found.problems,
        "notes": found.notes,
    }


def _floor(found: Floor) -> dict[str, float]:
    return {"low": found.low, "typical": found.watts, "high": found.high, "drift": found.drift}


def _entry(batch: Batch) -> dict[str, Any]:
    energy = batch.energy
    return {
        "t0": batch.window.t0,
        "t1": batch.window.t1,
        "iterations": batch.window.iterations,
        "power_w": batch.gross_w,
        "missing_s": batch.missing_s,
        "net_j": {"low": energy.low, "typical": energy.joules, "high": energy.high} if energy else None,
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
            raise Unusable("no voltage is given, and the instrument reads none")
        if not windows:
            raise Unusable("there is no window of a known load")
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
