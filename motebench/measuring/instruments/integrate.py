"""From samples to energy: pure functions. Seconds, watts, joules.

A gap widens the interval: within it, the power may have been anything between the least and the most of the stream. If
gaps are more than a small share of a window, the window has no energy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from motebench.measuring.instruments.base import Info, PowerSample, Shape
from motebench.measuring.instruments.recording import Window

MOST_MISSING = 0.05
"""Largest share of a window that may be gaps."""
BLOCKS = 4
"""Number of parts of each idle window; their means show how steady idling is."""


class Unusable(Exception):  # noqa: N818 - a window without energy is a result
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
    """Power while nothing is computed: the mean, the least and the most of its parts, and its drift.

    Bounds are watts and may be negative if an instrument has an offset.
    """

    low: float
    watts: float
    high: float
    drift: float
    """Mean of the last idle window minus that of the first; 0 if there is only one."""


@dataclass(frozen=True, slots=True)
class Joules:
    """An energy with its limits, which may be negative, and its standard uncertainty of type B, all in joules.

    The limits add up the largest of all errors; the standard uncertainty treats each as a rectangular distribution.
    """

    low: float
    joules: float
    high: float
    type_b: float


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy of a window: everything that the supply gave while the operations ran, and the part above idling."""

    gross: Joules
    net: Joules


# Formulas


def area(p0: float, p1: float, seconds: float) -> float:
    """Joules under a straight line, by the trapezoid rule."""
    return (p0 + p1) / 2 * seconds


def above(gross_j: float, floor_w: float, seconds: float) -> float:
    """Joules above idling."""
    return gross_j - floor_w * seconds


def meter_error(accuracy: float, offset_w: float, resolution_j: float, gross_j: float, seconds: float) -> float:
    """Largest error in joules of one reading of an energy."""
    return accuracy * abs(gross_j) + offset_w * seconds + resolution_j


def difference_error(
    accuracy: float, offset_w: float, resolution_j: float, gross_j: float, floor_w: float, seconds: float
) -> float:
    """Largest error in joules of a difference of two readings, whose errors may have opposite signs.

    Instruments may change their range between idling and work.
    """
    return accuracy * (abs(gross_j) + abs(floor_w) * seconds) + 2 * offset_w * seconds + resolution_j


def edge_error(edge_s: float, gross_j: float, floor_w: float, seconds: float) -> float:
    """Largest error in joules of a window that may be ``edge_s`` earlier or later: at each edge, part of the window is
    exchanged."""
    return 2 * edge_s * abs(gross_j / seconds - floor_w)


def length_error(edge_s: float, gross_j: float, seconds: float) -> float:
    """Largest error in joules of a window whose two edges may each be off by ``edge_s``, both outwards or inwards."""
    return 2 * edge_s * abs(gross_j / seconds)


def standard(limits: Iterable[float]) -> float:
    """The standard uncertainty of independent errors within these limits: a / sqrt(3) each, added in quadrature.

    Source: JCGM 100:2008 (GUM), 4.3.7 and 5.1.2.
    """
    return math.sqrt(sum(limit * limit for limit in limits) / 3)


# Streams


def pieces(info: Info, samples: Sequence[PowerSample]) -> list[Piece]:
    """The power between the samples."""
    found = []
    for before, after in pairwise(samples):
        p0 = before.watts if info.shape is Shape.POINT else after.watts
        missing = after.lost > 0 or after.t - before.t > info.gap_s
        found.append(Piece(before.t, after.t, p0, after.watts, missing))
    return found


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
    sure, guess, missing = _energies([(piece, max(t0, piece.t0), min(t1, piece.t1)) for piece in inside])
    # The time before the first and after the last sample is missing, too.
    start, end = max(0.0, inside[0].t0 - t0), max(0.0, t1 - inside[-1].t1)
    guess += start * inside[0].p0 + end * inside[-1].p1
    missing = start + end + missing
    if missing > MOST_MISSING * seconds:
        raise Unusable(
            f"{missing / seconds:.1%} of the time between {t0:.6g} s and {t1:.6g} s has no samples; "
            f"{MOST_MISSING:.0%} may be missing"
        )
    least, most = extremes(stream) if missing else (0.0, 0.0)
    cut = [piece.t1 - piece.t0 for piece in inside if any(piece.t0 < edge < piece.t1 for edge in (t0, t1))]
    return Stretch(sure + guess, sure + missing * least, sure + missing * most, seconds, missing, max(cut, default=0.0))


def _energies(parts: Sequence[tuple[Piece, float, float]]) -> tuple[float, float, float]:
    """Joules of the parts that have samples, joules guessed for those that have none, and the seconds of these."""
    sure = sum(area(piece.at(a), piece.at(b), b - a) for piece, a, b in parts if not piece.missing)
    guess = sum(area(piece.at(a), piece.at(b), b - a) for piece, a, b in parts if piece.missing)
    return sure, guess, sum(b - a for piece, a, b in parts if piece.missing)


def extremes(stream: Iterable[Piece]) -> tuple[float, float]:
    """The least and the most power of a stream."""
    powers = [power for piece in stream for power in (piece.p0, piece.p1)]
    return min(powers), max(powers)


def floor(info: Info, stream: Sequence[Piece], windows: Sequence[Window]) -> Floor:
    """The power of idle windows. Unusable if there are none, or if they have too many gaps."""
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
                continue  # the whole window is good enough, and its own bounds cover the missing samples
            parts.append((block.low / step, block.high / step))
    digit = info.resolution_j / min(part.seconds for part in whole)
    low, high = min(part[0] for part in parts) - digit, max(part[1] for part in parts) + digit
    return Floor(low, mean, high, whole[-1].watts - whole[0].watts)


def energy(info: Info, held: Stretch, idle: Floor, window: Window) -> Energy:
    """The energy of the operations of a window, with all its uncertainties.

    If the target also computed something else in the window (`Window.beside_s`), its share of the time is subtracted
    from the net energy; it may have taken nothing, or twice as much.
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
        # The operations are a part of the window: their energy above idling, and idling for the same time.
        ran = window.seconds
        gross = Joules(net.low + idle.low * ran, net.joules + idle.watts * ran, net.high + idle.high * ran, net.type_b)
        return Energy(gross, net)
    errors = (
        meter_error(accuracy, offset, digit, held.joules, seconds),
        shift + length_error(window.edge_s, held.joules, seconds),
    )
    gross = Joules(held.low - sum(errors), held.joules, held.high + sum(errors), standard((*errors, gaps)))
    return Energy(gross, net)
