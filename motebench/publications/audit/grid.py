"""Means and variances of whole readings: n readings in steps of a resolution have only certain means and variances.

GRIM (means): Brown and Heathers 2017. GRIMMER (variances): Anaya 2016.
"""

from __future__ import annotations

import math
from fractions import Fraction

from motebench.catalog.published import Cell, Statistic, Table
from motebench.documents.papers import Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, number
from motebench.publications.audit.rows import CellGroup, CellNames, by_metric

_MOST_FAIL = 0.5
"""If more cells fail, then n or the resolution is not what was stated, and no cell is wrong by itself."""
_LEAST_POWER = 0.5
"""A cell says something if chance would let it pass less often than this."""
_CHANCE = 1e-3


def means(table: Table) -> CheckFindings:
    """GRIM: whether each mean is one that n readings in steps of the resolution can have."""
    check = CheckFindings("grim")
    n = table.repetitions
    for metric, rows in by_metric(table).items():
        step = table.resolution.get(metric)
        cells = [cell for group in rows if (cell := group["mean"]) is not None]
        if n and step and cells:
            _means_of_metric(check, table, metric, [c for c in cells if 2 * c.number.half * n / step < _LEAST_POWER])
    return check


def _means_of_metric(check: CheckFindings, table: Table, metric: str, cells: list[Cell]) -> None:
    """Means of one metric, those whose digits are fine enough to say something."""
    n, step = table.repetitions or 1, table.resolution[metric]
    grid = step / n
    off = [cell for cell in cells if not _sums(cell, step, n)]
    check.looks += len(cells)
    most = len(off) > _MOST_FAIL * len(cells) and len(cells) > 2
    if not off or (most and metric in table.assumed):
        return
    names = CellNames(table)
    check.add(
        Weight.MINOR, _sure(table, metric), table.name,
        f"{n} readings in steps of {number(float(step))} have means in steps of {number(float(grid))}; {len(off)} of "
        f"{len(cells)} means are between"
        + (": the number of readings or their resolution is not as stated" if most else ""),
        [names.entry(cell, _nearest(cell, grid)) for cell in (off[:3] if most else off)],
    )  # fmt: skip


def _sure(table: Table, metric: str) -> Certainty:
    """A resolution that nobody stated may be finer: readings can be means themselves."""
    return Certainty.POSSIBLE if metric in table.assumed else Certainty.CERTAIN


def _nearest(cell: Cell, grid: Fraction) -> str:
    below = math.floor(cell.number.value / grid)
    return f"{float(below * grid):.10g} or {float((below + 1) * grid):.10g}"


def _sums(cell: Cell, step: Fraction, n: int) -> range:
    """The sums of n whole numbers of steps that have this mean, rounded or cut off."""
    high = cell.number.high + cell.number.half
    return range(math.ceil(cell.number.low * n / step), math.floor(high * n / step) + 1)


def variances(table: Table) -> list[CheckFindings]:
    """GRIMMER: whether n readings exist with this mean and this variance, by divisor; and which divisor it is."""
    possible, divisor = CheckFindings("grimmer"), CheckFindings("divisor")
    names = CellNames(table)
    n = table.repetitions
    for metric, rows in by_metric(table).items():
        step = table.resolution.get(metric)
        if not n or n < 2 or not step:
            continue
        told = [fit for group in rows if (fit := _fit(group, step, n)) is not None]
        possible.looks += len(told)
        none = [(cell, fits) for cell, fits in told if not fits["loose"]]
        if none and len(none) <= _MOST_FAIL * len(told):
            possible.add(
                Weight.MINOR, _sure(table, metric), table.name,
                f"no {n} readings in steps of {number(float(step))} have this mean together with this "
                f"{none[0][0].statistic}, whether divided by {n} or by {n - 1}",
                [names.entry(cell, "no such readings") for cell, _ in none],
            )  # fmt: skip
        _divisors(divisor, table, told, n)
    return [possible, divisor]


def _fit(group: CellGroup, step: Fraction, n: int) -> tuple[Cell, dict[str, float]] | None:
    """The cell of the spread, and which divisors fit (1) or do not (0), with the chance that one fits by luck."""
    mean, spread = group["mean"], group["variance"] or group["sd"]
    if not mean or not spread:
        return None
    sums = _sums(mean, step, n)
    power = 1 if spread.statistic is Statistic.VARIANCE else 2
    low, high = max(Fraction(0), spread.number.low) ** power, spread.number.high**power
    cut = (spread.number.high + spread.number.half) ** power
    width = float((high - low) * n / step**2) / 2 * len(sums)
    if width > _LEAST_POWER or not sums:
        return None
    fits = {"chance": width}
    for name, by, top in (("n-1", n - 1, high), ("n", n, high), ("loose", n - 1, cut), ("loose_n", n, cut)):
        fits[name] = float(any(_whole(low * by, top * by, step, total, n) for total in sums))
    fits["loose"] = max(fits["loose"], fits.pop("loose_n"))
    return spread, fits


def _whole(low: Fraction, high: Fraction, step: Fraction, total: int, n: int) -> bool:
    """Whether a whole sum of squares, odd or even as the sum, is among n times the variances from low to high."""
    base = Fraction(total * total, n)
    first, last = math.ceil(low / step**2 + base), math.floor(high / step**2 + base)
    if first <= last and (first - total) % 2:
        first += 1
    return first <= last


def _divisors(check: CheckFindings, table: Table, told: list[tuple[Cell, dict[str, float]]], n: int) -> None:
    by_column: dict[str, list[tuple[Cell, dict[str, float]]]] = {}
    for cell, fits in told:
        kind = {"sign": "encrypt", "verify": "decrypt"}.get(cell.label("operation"), cell.label("operation"))
        by_column.setdefault(kind or "all", []).append((cell, fits))
    used: dict[str, str] = {}
    counts = {}
    for column, cells in by_column.items():
        check.looks += len(cells)
        for name, other in (("n-1", "n"), ("n", "n-1")):
            good = [fits for _, fits in cells if fits[name]]
            against = [fits for _, fits in cells if fits[name] and not fits[other]]
            chance = math.prod(min(1.0, fits["chance"]) for fits in against)
            if len(good) >= 0.8 * len(cells) and len(against) >= 3 and chance < _CHANCE:
                used[column] = name
                counts[column] = f"{column}: {name.replace('-', ' - ')} ({len(good)} of {len(cells)} cells)"
    if len(set(used.values())) > 1:
        check.add(
            Weight.MINOR, Certainty.CERTAIN, table.name,
            f"columns have different divisors, n = {n}: {'; '.join(counts.values())}. Their standard deviations differ "
            f"by {math.sqrt(n / (n - 1)) - 1:.2%} for that reason alone",
        )  # fmt: skip
