"""Time over input size: what speed it implies, and whether it can be that of a cipher."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from statistics import median

from motebench.base import dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.audit import Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, number, size_text
from motebench.publications.audit.rows import SURE, CellNames, Scatter, by_metric, unit_of, without

_FALL = 1.3
"""Throughput that falls by less can come from caches."""
_SAME = 1.02
_LEAST_CHANCE = 1e-4
_LEAST_SCATTER = 0.002
"""Of a mean whose spread is not printed: timers and interrupts alone do this."""


def series(table: Table) -> Iterator[list[Cell]]:
    """Times of the same thing at growing sizes, two at least."""
    for rows in by_metric(table).values():
        found: dict[object, list[Cell]] = {}
        for group in rows:
            cell = group.central
            of = unit_of(cell) if cell else None
            if cell is None or cell.size is None or cell.number.value <= 0 or not of or of.dimension != dimensions.TIME:
                continue
            found.setdefault(without(cell, "input_bytes", "part"), []).append(cell)
        for cells in found.values():
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
    fell: dict[tuple[int, int], list[tuple[float, Cell, Cell]]] = {}
    steps: dict[tuple[int, int], int] = {}
    for cells in series(table):
        ordered = _sorted(cells)
        for small, large in pairwise(ordered):
            times.looks += 1
            speeds.looks += 1
            ratio = (large.size or 1) / (small.size or 1)
            step = small.size or 0, large.size or 0
            steps[step] = steps.get(step, 0) + 1
            error = SURE * (scatter.of(small, large) or 0.0)
            if ratio >= 2 and float(large.number.high) < 0.8 * float(small.number.low) and scatter.less(large, small):
                times.add(
                    Weight.MATERIAL, Certainty.LIKELY, table.name,
                    f"{size_text(large.size or 0)} take less time than {size_text(small.size or 0)}",
                    [names.entry(large, f"more than {small.number.text}")],
                )  # fmt: skip
            elif ratio >= 2 and speed(small) > (_FALL + error) * speed(large):
                fell.setdefault(step, []).append((speed(small) / speed(large), small, large))
    # A shared limit meets most ciphers at the same size; noise does not.
    systematic = [each for step, all_ in fell.items() if len(all_) >= max(2, steps[step] / 2) for each in all_]
    if systematic:
        systematic.sort(key=lambda each: -each[0])
        worst, least = systematic[0], systematic[-1]
        speeds.add(
            Weight.MATERIAL, Certainty.LIKELY, table.name,
            f"time per byte grows with size in {len(systematic)} of {speeds.looks} steps, by {least[0]:.2g} to "
            f"{worst[0]:.2g} times (exponent of time over size {_exponent(least):.2f} to {_exponent(worst):.2f}). A "
            "cipher takes the same time for each byte; at the larger size something else limits: storage or memory",
            [
                names.entry(large, f"{_speed_text(small)} at {size_text(small.size or 0)}, "
                                   f"{_speed_text(large)} here")
                for _, small, large in systematic[:8]
            ],
        )  # fmt: skip
    return [times, speeds]


def _exponent(of: tuple[float, Cell, Cell]) -> float:
    ratio = (of[2].size or 1) / (of[1].size or 1)
    return 1 + math.log(of[0]) / math.log(ratio)


def common(table: Table) -> CheckFindings:
    """Sizes at which different ciphers have one speed although they differ at a smaller size."""
    found = CheckFindings("common-speed")
    names = CellNames(table)
    by_place: dict[tuple[tuple[tuple[str, str], ...], int], list[Cell]] = {}
    for cells in series(table):
        for cell in _sorted(cells):
            key = without(cell, "input_bytes", "part", "algorithm", "mode", "key_bits", "implementation")
            by_place.setdefault((key, cell.size or 0), []).append(cell)
    for (key, size), cells in by_place.items():
        smaller = [at for at in by_place if at[0] == key and at[1] < size]
        if not smaller or len(cells) < 3:
            continue
        found.looks += 1
        before = {_cipher(cell): speed(cell) for cell in by_place[max(smaller, key=lambda at: at[1])]}
        alike = _alike(cells)
        if len(alike) < 3 or len({cell.label("algorithm") for cell in alike}) < 2:
            continue
        earlier = [before[_cipher(cell)] for cell in alike if _cipher(cell) in before]
        if len(earlier) < 3 or max(earlier) / min(earlier) < 1.05 or median(earlier) < _FALL * speed(alike[0]):
            continue
        slowest, fastest = min(map(speed, alike)), max(map(speed, alike))
        found.add(
            Weight.MATERIAL, Certainty.LIKELY, table.name,
            f"{len(alike)} ciphers and key sizes have one speed at {size_text(size)}, within "
            f"{fastest / slowest - 1:.1%}, and differ by {max(earlier) / min(earlier) - 1:.0%} at a smaller size where "
            "they are faster: their common limit is not the cipher, and their order says nothing about ciphers",
            [names.entry(cell, _speed_text(cell)) for cell in alike],
        )  # fmt: skip
    return found


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


def exact(table: Table) -> CheckFindings:
    """Times at larger sizes that are multiples of the smallest, to the last digit, in every series."""
    found = CheckFindings("too-exact")
    names, scatter = CellNames(table), Scatter(table)
    chance, steps, off, measured = 1.0, [], 0, False
    for cells in series(table):
        first = cells[0]
        of_series = 1.0
        for cell in cells[1:]:
            ratio = cell.number.value / first.number.value
            if first.number.digits < 3 or cell.number.value < 100 * 2 * cell.number.half:
                continue
            found.looks += 1
            expected = Fraction(cell.size or 0, first.size or 1)
            if ratio.denominator == 1 and ratio > 1 and (cell.size == first.size or ratio == expected):
                # Printed to the same place, a proportional reading has `ratio` possible last digits; the largest
                # multiple implies the others.
                error = scatter.of(first, cell)
                measured = measured or error is not None
                width = (error if error is not None else _LEAST_SCATTER) * float(cell.number) * math.sqrt(2 * math.pi)
                by_digits = float(cell.number.half / (ratio * first.number.half))
                by_scatter = float(2 * cell.number.half) / width if width else 1.0
                known = error is not None or by_digits == 1
                of_series = min(of_series, by_digits, by_scatter if known else 1.0)
                steps.append((cell, first, ratio, by_digits < 1))
            else:
                off += 1
        chance *= of_series
    if not steps or chance >= _LEAST_CHANCE or off > len(steps) // 10:
        return found
    sure = measured or all(told for *_, told in steps)
    found.add(
        Weight.MATERIAL if sure else Weight.MINOR, Certainty.LIKELY if sure else Certainty.POSSIBLE, table.name,
        f"{len(steps)} of {found.looks} times are a whole multiple of the time of the smallest input, to the last "
        "digit and without a fixed part. Separate readings would agree so by chance with probability "
        f"{number(chance, 2)}: probably they were computed from the first, or call and key set-up were left out",
        [names.entry(cell, f"{ratio} x {first.number.text}") for cell, first, ratio, _ in steps[:9]],
    )  # fmt: skip
    return found
