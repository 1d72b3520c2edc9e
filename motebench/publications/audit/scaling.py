"""Time over input size: what speed it implies, and whether it can be that of a cipher."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median

from motebench.base import quantities as dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.papers import Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, number, size_text
from motebench.publications.audit.rows import SURE, CellNames, Scatter, by_metric, unit_of, without

_FALL = 1.3
"""Throughput that falls by less can come from caches."""
_SAME = 1.02
_LEAST_CHANCE = 1e-4
_LEAST_SCATTER = 0.002
"""Of a mean whose spread is not printed: timers and interrupts alone do this."""

_Step = tuple[int, int]
"""A size and the next larger one of a series."""
_Fall = tuple[float, Cell, Cell]
"""The speed at the smaller size over that at the larger, and both cells."""


def series(table: Table) -> Iterator[list[Cell]]:
    """Times of the same thing at growing sizes, two at least."""
    for rows in by_metric(table).values():
        by_labels: dict[object, list[Cell]] = {}
        for group in rows:
            cell = group.central
            of = unit_of(cell) if cell else None
            if cell is None or cell.size is None or cell.number.value <= 0 or not of or of.dimension != dimensions.TIME:
                continue
            by_labels.setdefault(without(cell, "input_bytes", "part"), []).append(cell)
        for cells in by_labels.values():
            if len({cell.size for cell in cells}) >= 2:
                yield cells


def _sorted(cells: list[Cell]) -> list[Cell]:
    """One cell a size, by size; the first of those with the same label."""
    by_size: dict[int, Cell] = {}
    for cell in cells:
        by_size.setdefault(cell.size or 0, cell)
    return [by_size[size] for size in sorted(by_size) if size > 0]


def speed(cell: Cell) -> float:
    """Bytes a second."""
    of = unit_of(cell)
    return (cell.size or 0) / (float(cell.number) * float(of.factor if of else 1))


def _speed_text(cell: Cell) -> str:
    bytes_per_s = speed(cell)
    if not cell.unit_printed:
        return f"{bytes_per_s:.3g} bytes per unit of time"
    for factor, unit in ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")):
        if bytes_per_s >= factor:
            return f"{bytes_per_s / factor:.3g} {unit}"
    return f"{bytes_per_s:.3g} B/s"


def falling(table: Table) -> list[CheckFindings]:
    """Times that fall with size, and throughputs that do."""
    times, speeds = CheckFindings("falling-time"), CheckFindings("falling-throughput")
    names = CellNames(table)
    scatter = Scatter(table)
    falls: dict[_Step, list[_Fall]] = {}
    steps: Counter[_Step] = Counter()
    for cells in series(table):
        for small, large in pairwise(_sorted(cells)):
            times.looks += 1
            speeds.looks += 1
            step = small.size or 0, large.size or 0
            steps[step] += 1
            if step[1] < 2 * step[0]:
                continue
            error = SURE * (scatter.of(small, large) or 0.0)
            if float(large.number.high) < 0.8 * float(small.number.low) and scatter.less(large, small):
                times.add(
                    Weight.MATERIAL, Certainty.LIKELY, table.name,
                    f"{size_text(step[1])} take less time than {size_text(step[0])}",
                    [names.entry(large, f"more than {small.number.text}")],
                )  # fmt: skip
            elif speed(small) > (_FALL + error) * speed(large):
                falls.setdefault(step, []).append((speed(small) / speed(large), small, large))
    # A shared limit meets most ciphers at the same size; noise does not.
    systematic = [fall for step, all_ in falls.items() if len(all_) >= max(2, steps[step] / 2) for fall in all_]
    if systematic:
        _systematic(speeds, table, sorted(systematic, key=lambda fall: -fall[0]))
    return [times, speeds]


def _systematic(speeds: CheckFindings, table: Table, falls: list[_Fall]) -> None:
    """Speeds that fall at the same size for most ciphers, the largest fall first."""
    names = CellNames(table)
    worst, least = falls[0], falls[-1]
    speeds.add(
        Weight.MATERIAL, Certainty.LIKELY, table.name,
        f"time per byte grows with size in {len(falls)} of {speeds.looks} steps, by {least[0]:.2g} to "
        f"{worst[0]:.2g} times (exponent of time over size {_exponent(least):.2f} to {_exponent(worst):.2f}). A "
        "cipher takes the same time for each byte; at the larger size something else limits: storage or memory",
        [
            names.entry(large, f"{_speed_text(small)} at {size_text(small.size or 0)}, {_speed_text(large)} here")
            for _, small, large in falls[:8]
        ],
    )  # fmt: skip


def _exponent(fall: _Fall) -> float:
    ratio = (fall[2].size or 1) / (fall[1].size or 1)
    return 1 + math.log(fall[0]) / math.log(ratio)


def common(table: Table) -> CheckFindings:
    """Sizes at which different ciphers have one speed although they differ at a smaller size."""
    check = CheckFindings("common-speed")
    by_place: dict[tuple[tuple[tuple[str, str], ...], int], list[Cell]] = {}
    for cells in series(table):
        for cell in _sorted(cells):
            key = without(cell, "input_bytes", "part", "algorithm", "mode", "key_bits", "implementation")
            by_place.setdefault((key, cell.size or 0), []).append(cell)
    for (key, size), cells in by_place.items():
        smaller = [place for place in by_place if place[0] == key and place[1] < size]
        if smaller and len(cells) >= 3:
            check.looks += 1
            _one_speed(check, table, size, cells, by_place[max(smaller, key=lambda place: place[1])])
    return check


def _one_speed(check: CheckFindings, table: Table, size: int, cells: list[Cell], smaller: list[Cell]) -> None:
    """Ciphers with one speed at a size, against their speeds at the next smaller size."""
    alike = _alike(cells)
    if len(alike) < 3 or len({cell.label("algorithm") for cell in alike}) < 2:
        return
    before = {_cipher(cell): speed(cell) for cell in smaller}
    earlier = [before[_cipher(cell)] for cell in alike if _cipher(cell) in before]
    if len(earlier) < 3 or max(earlier) / min(earlier) < 1.05 or median(earlier) < _FALL * speed(alike[0]):
        return
    names = CellNames(table)
    slowest, fastest = min(map(speed, alike)), max(map(speed, alike))
    check.add(
        Weight.MATERIAL, Certainty.LIKELY, table.name,
        f"{len(alike)} ciphers and key sizes have one speed at {size_text(size)}, within "
        f"{fastest / slowest - 1:.1%}, and differ by {max(earlier) / min(earlier) - 1:.0%} at a smaller size where "
        "they are faster: their common limit is not the cipher, and their order says nothing about ciphers",
        [names.entry(cell, _speed_text(cell)) for cell in alike],
    )  # fmt: skip


def _cipher(cell: Cell) -> tuple[str, ...]:
    return tuple(cell.label(name) for name in ("implementation", "algorithm", "mode", "key_bits"))


def _alike(cells: list[Cell]) -> list[Cell]:
    """The largest set whose speeds are within 2 percent."""
    ordered = sorted(cells, key=speed)
    best: list[Cell] = []
    for start, low in enumerate(ordered):
        group = [cell for cell in ordered[start:] if speed(cell) <= speed(low) * _SAME]
        if len(group) > len(best):
            best = group
    return best


@dataclass(frozen=True, slots=True)
class ExactMultiple:
    """A time that is a whole multiple of the time of the smallest input.

    ``chance``: that this happens to separate readings. ``measured``: the scatter of readings is printed. ``digits``:
    the last digit alone makes it unlikely.
    """

    cell: Cell
    first: Cell
    ratio: Fraction
    chance: float
    measured: bool
    digits: bool


def exact(table: Table) -> CheckFindings:
    """Times at larger sizes that are multiples of the smallest, to the last digit, in every series."""
    check = CheckFindings("too-exact")
    scatter = Scatter(table)
    chance = 1.0
    multiples: list[ExactMultiple] = []
    for first, *others in series(table):
        compared = [cell for cell in others if first.number.digits >= 3 and cell.number.value >= 200 * cell.number.half]
        check.looks += len(compared)
        of_series = [multiple for cell in compared if (multiple := _multiple(first, cell, scatter)) is not None]
        # The largest multiple implies the others.
        chance *= min((multiple.chance for multiple in of_series), default=1.0)
        multiples += of_series
    off = check.looks - len(multiples)
    if multiples and chance < _LEAST_CHANCE and off <= len(multiples) // 10:
        _too_exact(check, table, multiples, chance)
    return check


def _multiple(first: Cell, cell: Cell, scatter: Scatter) -> ExactMultiple | None:
    """The multiple that a cell is of the first of its series; None if it is none, or one that size does not explain."""
    ratio = cell.number.value / first.number.value
    expected = Fraction(cell.size or 0, first.size or 1)
    if ratio.denominator != 1 or ratio <= 1 or (cell.size != first.size and ratio != expected):
        return None
    # Printed to the same place, a proportional reading has `ratio` possible last digits.
    by_digits = float(cell.number.half / (ratio * first.number.half))
    error = scatter.of(first, cell)
    width = (error if error is not None else _LEAST_SCATTER) * float(cell.number) * math.sqrt(2 * math.pi)
    by_scatter = float(2 * cell.number.half) / width if width else 1.0
    chance = min(1.0, by_digits, by_scatter if error is not None or by_digits == 1 else 1.0)
    return ExactMultiple(cell, first, ratio, chance, error is not None, by_digits < 1)


def _too_exact(check: CheckFindings, table: Table, multiples: list[ExactMultiple], chance: float) -> None:
    names = CellNames(table)
    sure = any(multiple.measured for multiple in multiples) or all(multiple.digits for multiple in multiples)
    check.add(
        Weight.MATERIAL if sure else Weight.MINOR, Certainty.LIKELY if sure else Certainty.POSSIBLE, table.name,
        f"{len(multiples)} of {check.looks} times are a whole multiple of the time of the smallest input, to the last "
        "digit and without a fixed part. Separate readings would agree so by chance with probability "
        f"{number(chance, 2)}: probably they were computed from the first, or call and key set-up were left out",
        [names.entry(multiple.cell, f"{multiple.ratio} x {multiple.first.number.text}") for multiple in multiples[:9]],
    )  # fmt: skip
