"""The evaluation of a recording: from samples to the energy of an operation above idling, or the
error of a known load.

A gap in the samples widens the interval: within it, the power may have been anything between the
least and the most of the stream. If gaps are more than a small share of a window, the window has no
energy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from motebench.base.errors import MotebenchError
from motebench.base.quantities import Interval
from motebench.documents.meter import (
    BatchEntry,
    FloorEntry,
    InstrumentEntry,
    JoulesEntry,
    KnownLoadEntry,
    MeterEntry,
    OperationEnergyEntry,
    WindowEntry,
)
from motebench.measuring.instruments.base import Info, PowerSample, Shape
from motebench.measuring.instruments.recording import (
    ABOUT,
    BATCH,
    COMPLETE,
    IDLE,
    LOAD,
    Recording,
    Window,
)
from motebench.results import formulas
from motebench.stats.uncertainty import Expanded, expanded
from motebench.version import __version__

MOST_MISSING = 0.05
"""Largest share of a window that may be gaps."""
BLOCKS = 4
"""Number of parts of each idle window; their means show how steady idling is."""


class Unusable(MotebenchError):  # noqa: N818 - a window without energy is a result
    """The reason why a window has no energy."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The power between two samples, a straight line; ``missing`` if samples are missing."""

    t0: float
    t1: float
    p0: float
    p1: float
    missing: bool

    def at(self, t: float) -> float:
        """Watts at a time within the piece."""
        return self.p0 + (self.p1 - self.p0) * ((t - self.t0) / (self.t1 - self.t0))


@dataclass(frozen=True, slots=True)
class Stretch:
    """The energy of a window in joules, from ``low`` to ``high`` because of gaps."""

    joules: float
    low: float
    high: float
    seconds: float
    missing_s: float
    edge_s: float
    """Longest time between the samples on both sides of an edge; 0 if both edges are samples."""

    @property
    def watts(self) -> float:
        """Mean power."""
        return self.joules / self.seconds


@dataclass(frozen=True, slots=True)
class Floor:
    """Power while nothing is computed: the mean, the least and the most of its parts, and its
    drift.

    Bounds are watts and may be negative if an instrument has an offset.
    """

    low: float
    watts: float
    high: float
    drift: float
    """Mean of the last idle window minus that of the first; 0 with a single window."""


@dataclass(frozen=True, slots=True)
class Joules:
    """An energy with its limits, which may be negative, and its standard uncertainty of type B, all
    in joules.

    The limits add up the largest of all errors; the standard uncertainty treats each as a
    rectangular distribution.
    """

    low: float
    joules: float
    high: float
    type_b: float


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy of a window: everything that the supply gave while the operations ran, and the part
    above idling.
    """

    gross: Joules
    net: Joules


# Formulas


def area(p0: float, p1: float, seconds: float) -> float:
    """Joules under a straight line, by the trapezoid rule."""
    return (p0 + p1) / 2 * seconds


def above(gross_j: float, floor_w: float, seconds: float) -> float:
    """Joules above idling."""
    return gross_j - floor_w * seconds


def meter_error(
    accuracy: float, offset_w: float, resolution_j: float, gross_j: float, seconds: float
) -> float:
    """Largest error in joules of one reading of an energy."""
    return accuracy * abs(gross_j) + offset_w * seconds + resolution_j


def difference_error(
    accuracy: float,
    offset_w: float,
    resolution_j: float,
    gross_j: float,
    floor_w: float,
    seconds: float,
) -> float:
    """Largest error in joules of a difference of two readings, whose errors may have opposite
    signs.

    Instruments may change their range between idling and work.
    """
    return (
        accuracy * (abs(gross_j) + abs(floor_w) * seconds) + 2 * offset_w * seconds + resolution_j
    )


def edge_error(edge_s: float, gross_j: float, floor_w: float, seconds: float) -> float:
    """Largest error in joules of a window that may be ``edge_s`` earlier or later: at each edge,
    part of the window is exchanged."""
    return 2 * edge_s * abs(gross_j / seconds - floor_w)


def length_error(edge_s: float, gross_j: float, seconds: float) -> float:
    """Largest error in joules of a window whose two edges may each be off by ``edge_s``, both
    outwards or inwards.
    """
    return 2 * edge_s * abs(gross_j / seconds)


def standard(limits: Iterable[float]) -> float:
    """The standard uncertainty of independent errors within these limits: a / sqrt(3) each, added
    in quadrature.

    Source: JCGM 100:2008 (GUM), 4.3.7 and 5.1.2.
    """
    return math.sqrt(sum(limit * limit for limit in limits) / 3)


# Streams


def pieces(info: Info, samples: Sequence[PowerSample]) -> list[Piece]:
    """The power between the samples."""
    pieces = []
    for before, after in pairwise(samples):
        p0 = before.watts if info.shape is Shape.POINT else after.watts
        missing = after.lost > 0 or after.t - before.t > info.gap_s
        pieces.append(Piece(before.t, after.t, p0, after.watts, missing))
    return pieces


def lost_samples(info: Info, samples: Sequence[PowerSample]) -> int:
    """Number of missing samples: as the instrument reports, or from the time between samples."""
    count = 0
    for before, after in pairwise(samples):
        late = after.t - before.t > info.gap_s
        count += max(after.lost, round((after.t - before.t) / info.period_s) - 1 if late else 0)
    return count


def stretch(stream: Sequence[Piece], t0: float, t1: float) -> Stretch:
    """The energy from ``t0`` to ``t1``. Unusable if the stream does not determine it."""
    seconds = t1 - t0
    inside = [piece for piece in stream if piece.t1 > t0 and piece.t0 < t1]
    if all(piece.missing for piece in inside):
        raise Unusable(f"no samples between {t0:.6g} s and {t1:.6g} s")
    sure, guess, missing = _energies(
        [(piece, max(t0, piece.t0), min(t1, piece.t1)) for piece in inside]
    )
    # The time before the first and after the last sample is missing, too.
    start, end = max(0.0, inside[0].t0 - t0), max(0.0, t1 - inside[-1].t1)
    guess += start * inside[0].p0 + end * inside[-1].p1
    missing = start + end + missing
    if missing > MOST_MISSING * seconds:
        raise Unusable(
            f"{missing / seconds:.1%} of the time between {t0:.6g} s and {t1:.6g} s has no "
            f"samples; {MOST_MISSING:.0%} may be missing"
        )
    least, most = extremes(stream) if missing else (0.0, 0.0)
    cut = [
        piece.t1 - piece.t0
        for piece in inside
        if any(piece.t0 < edge < piece.t1 for edge in (t0, t1))
    ]
    return Stretch(
        sure + guess,
        sure + missing * least,
        sure + missing * most,
        seconds,
        missing,
        max(cut, default=0.0),
    )


def _energies(parts: Sequence[tuple[Piece, float, float]]) -> tuple[float, float, float]:
    """Joules of the parts with samples, estimated joules of the parts without, and the seconds of
    these.
    """
    sure = sum(area(piece.at(a), piece.at(b), b - a) for piece, a, b in parts if not piece.missing)
    guess = sum(area(piece.at(a), piece.at(b), b - a) for piece, a, b in parts if piece.missing)
    return sure, guess, sum(b - a for piece, a, b in parts if piece.missing)


def extremes(stream: Iterable[Piece]) -> tuple[float, float]:
    """The least and the most power of a stream."""
    powers = [power for piece in stream for power in (piece.p0, piece.p1)]
    return min(powers), max(powers)


def floor(info: Info, stream: Sequence[Piece], windows: Sequence[Window]) -> Floor:
    """Power of idle windows. Unusable without windows, or if they have too many gaps."""
    if not windows:
        raise Unusable("there are no readings while idle, so there is no floor to subtract")
    whole = [stretch(stream, window.t0, window.t1) for window in windows]
    seconds = sum(part.seconds for part in whole)
    mean = sum(part.joules for part in whole) / seconds
    parts = [(part.low / part.seconds, part.high / part.seconds) for part in whole]
    for window in windows:
        step = (window.t1 - window.t0) / BLOCKS
        for index in range(BLOCKS):
            try:
                block = stretch(stream, window.t0 + index * step, window.t0 + (index + 1) * step)
            except Unusable:
                # the whole window is good enough, and its own bounds cover the missing samples
                continue
            parts.append((block.low / step, block.high / step))
    digit = info.resolution_j / min(part.seconds for part in whole)
    low, high = min(part[0] for part in parts) - digit, max(part[1] for part in parts) + digit
    return Floor(low, mean, high, whole[-1].watts - whole[0].watts)


def energy(info: Info, held: Stretch, idle: Floor, window: Window) -> Energy:
    """The energy of the operations of a window, with all its uncertainties.

    If the target also computed something else in the window (`Window.beside_s`), its share of the
    time is subtracted from the net energy; it may have taken nothing, or twice as much.
    """
    seconds, accuracy = held.seconds, info.accuracy or 0.0
    digit, offset = info.resolution_j, info.offset_w
    shift = edge_error(info.timing_s + held.edge_s, held.joules, idle.watts, seconds)
    gaps = (held.high - held.low) / 2
    unsteady = (idle.high - idle.low) / 2 * seconds
    errors = (
        difference_error(accuracy, offset, digit, held.joules, idle.watts, seconds),
        shift + edge_error(window.edge_s, held.joules, idle.watts, seconds),
    )
    all_above = above(held.joules, idle.watts, seconds)
    beside = abs(all_above) * window.beside
    net = Joules(
        above(held.low, idle.high, seconds) - sum(errors) - 2 * beside,
        all_above * (1 - window.beside),
        above(held.high, idle.low, seconds) + sum(errors),
        standard((*errors, gaps, unsteady, beside)),
    )
    if window.work_s is not None or window.beside_s:
        # The operations are a part of the window: their energy above idling, and idling for the
        # same time.
        ran = window.seconds
        gross = Joules(
            net.low + idle.low * ran,
            net.joules + idle.watts * ran,
            net.high + idle.high * ran,
            net.type_b,
        )
        return Energy(gross, net)
    errors = (
        meter_error(accuracy, offset, digit, held.joules, seconds),
        shift + length_error(window.edge_s, held.joules, seconds),
    )
    gross = Joules(
        held.low - sum(errors), held.joules, held.high + sum(errors), standard((*errors, gaps))
    )
    return Energy(gross, net)


_STEADY = 0.1
"""Idling drifts if it moves by more than this share of the net power."""
MOST_SPARE = 0.1
"""Largest share of a batch that the transport of request and reply, or differing clocks, may leave
uncertain.
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Batch: its window, its mean power, its energy ``gross`` and ``net`` of idling, or why it has
    none.
    """

    window: Window
    watts: float | None
    missing_s: float | None
    gross: Joules | None = None
    net: Joules | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """The energy of one operation in joules: of each batch, with the standard uncertainty of type B
    that they share.

    ``interval``: 95 % by types A and B; for one batch, whose spread is unknown, the limits of all
    errors. ``combined``: how the interval was computed; None for one batch.
    """

    values: list[float]
    type_b: float
    interval: Interval
    combined: Expanded | None

    def says(self) -> str:
        """A description of the interval."""
        if self.combined is None:
            return "the limits of all errors of the instrument; one batch has no spread"
        return f"95 %, {len(self.values)} batches: {self.combined}"


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a recording of batches.

    ``gross`` and ``net`` are of one operation, the means of all batches. They are None if there is
    none, or if the interval of the mean includes zero. ``means``: both, whatever their signs.
    """

    floor: Floor | None
    batches: list[Batch]
    gross: Figure | None
    net: Figure | None
    problems: list[str]
    notes: list[str]
    means: tuple[Figure | None, Figure | None] = (None, None)

    @property
    def power_w(self) -> float | None:
        """Mean power while the operations ran."""
        parts = [(batch.gross, batch.window.seconds) for batch in self.batches]
        return _watts(parts) if self.gross else None

    @property
    def power_net_w(self) -> float | None:
        """The same above idling."""
        parts = [(batch.net, batch.window.seconds) for batch in self.batches]
        return _watts(parts) if self.net else None


def _watts(parts: list[tuple[Joules | None, float]]) -> float | None:
    measured = [(part.joules, seconds) for part, seconds in parts if part is not None]
    return (
        sum(joules for joules, _ in measured) / sum(seconds for _, seconds in measured)
        if measured
        else None
    )


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
    problems += [
        f"batch {number}: {batch.problem}"
        for number, batch in enumerate(batches, 1)
        if batch.problem
    ]
    absurd = _below(idle, batches)
    if absurd is not None:
        batches = [replace(batch, gross=None, net=None) for batch in batches]
        problems.append(absurd)
    gross = _together([(batch.gross, batch.window) for batch in batches])
    net = _together([(batch.net, batch.window) for batch in batches])
    if gross is None or net is None:
        problems.append("no batch has an energy")
    else:
        problems += _too_small(gross, net)
    answer = Found(idle, batches, _positive(gross), _positive(net), problems, notes, (gross, net))
    notes += _remarks(recording, idle, answer)
    return answer


def _below(idle: Floor, batches: list[Batch]) -> str | None:
    """Problem of batches that all took less power than idling, with all errors at their worst; None
    if a batch took more.
    """
    powers = [batch.watts for batch in batches if batch.watts is not None and batch.net is not None]
    if not powers or any(batch.net is not None and batch.net.high > 0 for batch in batches):
        return None
    watts = sum(powers) / len(powers)
    problem = f"its power of {watts:.4g} W is below the idle floor of {idle.watts:.4g} W"
    return problem + ("; negative: are its wires the wrong way round?" if watts < 0 else "")


def _too_small(gross: Figure, net: Figure) -> Iterator[str]:
    """Problems of means that are not above zero. A mean of only the batches above it would be too
    large."""
    if gross.interval.low <= 0:
        most = gross.interval.high
        yield f"the energy is not above zero: an operation takes at most {most:.3g} J"
    if net.interval.low <= 0:
        most = net.interval.high
        limit = f"an operation takes at most {most:.3g} J above idling"
        yield f"not above the idle floor: {limit if most > 0 else 'its mean is below it'}"


def _positive(figure: Figure | None) -> Figure | None:
    return figure if figure is not None and figure.interval.low > 0 else None


def _remarks(recording: Recording, idle: Floor, answer: Found) -> Iterator[str]:
    """Remarks on an analysis: drift of the idle floor, idle read once, checks between the
    readings.
    """
    power = answer.power_net_w or 0.0
    if answer.net is not None and abs(idle.drift) > _STEADY * power:
        yield (
            f"the idle floor moved by {idle.drift:.3g} W, net power is {power:.3g} W; the "
            "interval includes this"
        )
    if answer.gross is not None and len(_reached(recording, IDLE)) < 2:
        yield "idle was read only before the batches, so the floor's drift is unknown"
    beside = max((window.beside for window in recording.named(BATCH)), default=0.0)
    if beside:
        yield f"{beside:.2%} of the work between the readings were checks, subtracted by their time"


def _reached(recording: Recording, name: str) -> list[Window]:
    """Windows of that name that the samples cover: a lost instrument gives no samples of later
    ones.
    """
    last = recording.samples[-1].t if recording.samples else 0.0
    return [
        window
        for window in recording.named(name)
        if recording.ended == COMPLETE or window.t1 <= last
    ]


def _batch(info: Info, stream: list[Piece], idle: Floor, window: Window) -> Batch:
    try:
        held = stretch(stream, window.t0, window.t1)
    except Unusable as error:
        return Batch(window, None, None, problem=str(error))
    batch = Batch(window, held.watts, held.missing_s)
    if 2 * window.edge_s > MOST_SPARE * (window.t1 - window.t0):
        length, spare = window.t1 - window.t0, 2 * window.edge_s
        problem = (
            f"it took {length:.3g} s by the probe's clock, and its request {spare:.3g} s more or "
            "less than the probe "
            f"accounts for; at most {MOST_SPARE:.0%} of the batch is allowed: use longer batches"
        )
        return replace(batch, problem=problem)
    joules = energy(info, held, idle, window)
    return replace(batch, gross=joules.gross, net=joules.net)


def _together(parts: list[tuple[Joules | None, Window]]) -> Figure | None:
    measured = [(part, window.iterations) for part, window in parts if part is not None]
    if not measured:
        return None
    values = [part.joules / count for part, count in measured]
    # Batches share their errors: that of the mean is the mean of theirs (JCGM 100, 5.2.2, note 1).
    type_b = sum(part.type_b / count for part, count in measured) / len(measured)
    combined = expanded(values, type_b)
    if combined is None:
        (part, count) = measured[0]
        return Figure(
            values, type_b, Interval(part.low / count, values[0], part.high / count), None
        )
    return Figure(values, type_b, Interval(combined.low, combined.mean, combined.high), combined)


def _notes(recording: Recording) -> list[str]:
    info, notes = recording.info, []
    if info.accuracy is None:
        notes.append(
            f"the bounds do not include errors of the instrument itself: {info.accuracy_of}"
        )
    missing = lost_samples(info, recording.samples)
    if missing:
        notes.append(
            f"{missing} of {missing + len(recording.samples)} samples are missing; the bounds "
            "include them"
        )
    return notes


def document(recording: Recording, result: Found, place: str | None = None) -> MeterEntry:
    """The whole result, with everything that is needed to recompute it. ``place``: the file of the
    recording.
    """
    about = recording.about
    named: dict[str, Any] = {key: about.get(key) for key in ABOUT}
    size: int | None = named["input_bytes"] or None
    return MeterEntry(
        **_recorded(recording, place),
        **named,
        about={key: value for key, value in about.items() if key not in ABOUT},
        floor=_floor(result.floor),
        power_w=result.power_w,
        power_net_w=result.power_net_w,
        energy_j=_figure(result.gross),
        energy_net_j=_figure(result.net),
        energy_per_byte_j=_figure(result.gross, size) if size else None,
        energy_net_per_byte_j=_figure(result.net, size) if size else None,
        batches=tuple(map(_entry, result.batches)),
        problems=tuple(result.problems),
        notes=tuple(result.notes),
    )


def _recorded(recording: Recording, place: str | None) -> dict[str, Any]:
    return {
        "motebench": __version__,
        "instrument": InstrumentEntry(**asdict(recording.info)),
        "ended": recording.ended,
        "samples": len(recording.samples),
        "lost_samples": lost_samples(recording.info, recording.samples),
        "windows": tuple(WindowEntry(**asdict(window)) for window in recording.windows),
        "recording": place,
    }


def _figure(figure: Figure | None, size: int = 1) -> OperationEnergyEntry | None:
    if figure is None:
        return None
    factor = formulas.per_byte(1.0, size)
    combined, of_one = figure.combined, figure.interval * factor
    return OperationEnergyEntry(
        of_one.low,
        of_one.typical,
        of_one.high,
        interval=figure.says(),
        type_a=combined.type_a * factor if combined else None,
        type_b=figure.type_b * factor,
    )


def _floor(floor: Floor | None) -> FloorEntry | None:
    if floor is None:
        return None
    return FloorEntry(
        low_w=floor.low, typical_w=floor.watts, high_w=floor.high, drift_w=floor.drift
    )


def _entry(batch: Batch) -> BatchEntry:
    return BatchEntry(
        **asdict(batch.window),
        power_w=batch.watts,
        missing_s=batch.missing_s,
        gross_j=JoulesEntry(**asdict(batch.gross)) if batch.gross else None,
        net_j=JoulesEntry(**asdict(batch.net)) if batch.net else None,
        problem=batch.problem,
    )


def known_load(
    recording: Recording, ohms: float, volts: float | None, place: str | None = None
) -> KnownLoadEntry:
    """The error of an instrument with a resistor: U^2/R is expected, at the given voltage or at the
    one that it read.

    ``within_accuracy`` is None if the instrument states no accuracy. ``place``: the file of the
    recording.
    """
    info = recording.info
    problems = [] if recording.ended == COMPLETE else [f"{info.name}: {recording.ended}"]
    read = [sample.volts for sample in recording.samples if sample.volts is not None]
    volts = volts if volts is not None else sum(read) / len(read) if read else None
    windows = recording.named(LOAD)
    watts = expected = within = None
    try:
        if volts is None:
            raise Unusable("no voltage is given, and the instrument does not measure it")
        if not windows:
            raise Unusable("the recording has no window of a known load")
        watts = stretch(pieces(info, recording.samples), windows[0].t0, windows[0].t1).watts
        expected = volts * volts / ohms
        within = (
            None
            if info.accuracy is None
            else abs(watts - expected) <= info.accuracy * watts + info.offset_w
        )
    except Unusable as error:
        problems.append(str(error))
    return KnownLoadEntry(
        **_recorded(recording, place),
        ohms=ohms,
        volts=None if watts is None else volts,
        power_w=watts,
        expected_w=expected,
        error_w=watts - expected if watts is not None and expected is not None else None,
        error=watts / expected - 1 if watts is not None and expected is not None else None,
        within_accuracy=within,
        problems=tuple(problems),
        notes=tuple(_notes(recording)),
    )
