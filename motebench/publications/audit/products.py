"""Columns that are products of others: P = V I, E = P t, throughput = size / time, cycles = clock x time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from motebench.base import quantities as dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, number
from motebench.publications.audit.rows import CellNames, groups, without

_LEAST_ROWS = 4
_AGREE = 0.7
_SLIPS = (
    (Fraction(1000), "1000"), (Fraction(1024), "1024"), (Fraction(1024**2, 10**6), "1.049 (MiB for MB)"),
    (Fraction(1024, 1000), "1.024 (KiB for kB)"), (Fraction(8), "8 (bits for bytes)"), (Fraction(10**6), "10^6"),
    (Fraction(60), "60"), (Fraction(3600), "3600"),
)  # fmt: skip


Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """The central cells of one row by what they measure, with the size as one of them."""

    cells: Mapping[dimensions.Dimension, Cell]
    size: int | None


@dataclass(frozen=True, slots=True)
class ProductLaw:
    """A product that is 1 (``value`` 1) or one constant in all rows (None: a clock, a supply voltage)."""

    text: str
    above: dimensions.Dimension
    below: tuple[dimensions.Dimension, ...]
    sized: int
    """Power of the size: throughput x time / size has -1."""
    value: Fraction | None
    constant: str = ""


LAWS = (
    ProductLaw("throughput x time = size", dimensions.SPEED, (dimensions.TIME,), -1, Fraction(1)),
    ProductLaw("energy = power x time", dimensions.ENERGY, (dimensions.POWER, dimensions.TIME), 0, Fraction(1)),
    ProductLaw("power = voltage x current", dimensions.POWER, (dimensions.VOLTAGE, dimensions.CURRENT), 0, Fraction(1)),
    ProductLaw("power = supply voltage x current", dimensions.POWER, (dimensions.CURRENT,), 0, None, "V"),
    ProductLaw("cycles = clock x time", dimensions.CYCLES, (dimensions.FREQUENCY, dimensions.TIME), 0, Fraction(1)),
    ProductLaw("cycles = one clock x time", dimensions.CYCLES, (dimensions.TIME,), 0, None, "Hz"),
    ProductLaw("cycles = cycles per byte x size", dimensions.CYCLES, (dimensions.PER_BYTE,), 1, Fraction(1)),
)


_RowValue = tuple[QuantityRow, Interval]
"""A row with the interval of its quotient by a law."""


def _rows(table: Table) -> list[QuantityRow]:
    by_labels: dict[object, dict[dimensions.Dimension, Cell]] = {}
    sizes: dict[object, int | None] = {}
    twice: dict[object, set[dimensions.Dimension]] = {}
    for group in groups(table):
        cell = group.central
        of = dimensions.unit(cell.unit_printed) if cell else None
        if not cell or not of or cell.number.value <= 0:
            continue
        key = without(cell)
        kept = by_labels.setdefault(key, {})
        if of.dimension in kept:
            twice.setdefault(key, set()).add(of.dimension)
        kept[of.dimension] = cell
        sizes[key] = cell.size
    # Two columns of one dimension cannot be told apart.
    return [
        QuantityRow({d: cell for d, cell in cells.items() if d not in twice.get(key, set())}, sizes[key])
        for key, cells in by_labels.items()
    ]


def _low_high(cell: Cell) -> tuple[Fraction, Fraction]:
    of = dimensions.unit(cell.unit_printed)
    factor = of.factor if of else Fraction(1)
    low, high = cell.number.wide
    return low * factor, high * factor


def products(table: Table) -> CheckFindings:
    """Rows in which a column is not the product that it is in the other rows, and units that cannot be right."""
    check = CheckFindings("product")
    rows = _rows(table)
    for law in LAWS:
        stated = {"V": dimensions.VOLTAGE, "Hz": dimensions.FREQUENCY}.get(law.constant)
        if stated is not None and any(stated in row.cells for row in rows):
            continue
        quotients = [(row, _quotient(law, row)) for row in rows if law.above in row.cells]
        computed = [(row, interval) for row, interval in quotients if interval is not None]
        if len(computed) >= _LEAST_ROWS:
            check.looks += len(computed)
            _check_law(check, table, law, computed)
    return check


def _quotient(law: ProductLaw, row: QuantityRow) -> Interval | None:
    """The interval of above / (below ...), by rounding; None if a column is absent. Exactly what the law says is 1."""
    if any(each not in row.cells for each in law.below) or (law.sized and not row.size):
        return None
    low, high = _low_high(row.cells[law.above])
    size = Fraction(row.size or 1)
    if law.sized == -1:
        other_low, other_high = _low_high(row.cells[law.below[0]])
        return max(low, Fraction(0)) * max(other_low, Fraction(0)) / size, high * other_high / size
    bottom, top = Fraction(1), Fraction(1)
    for one, two in (_low_high(row.cells[each]) for each in law.below):
        if one <= 0:
            return None
        bottom, top = bottom * one, top * two
    if law.sized == 1:
        bottom, top = bottom * size, top * size
    return low / top, high / bottom


def _check_law(check: CheckFindings, table: Table, law: ProductLaw, rows: list[_RowValue]) -> None:
    value = law.value if law.value is not None else _consensus([interval for _, interval in rows])
    if value is None:
        return
    bad = [(row, interval) for row, interval in rows if not _inside(value, interval)]
    if law.value is None:
        _constant(check, table, law, value, rows)
    if bad and len(rows) - len(bad) >= _AGREE * len(rows):
        far = any(_far(interval, value) for _, interval in bad)
        check.add(
            Weight.MATERIAL if far else Weight.MINOR, Certainty.CERTAIN, table.name,
            f"{law.text} holds in {len(rows) - len(bad)} of {len(rows)} rows and not in the others",
            _expected_cells(table, law, bad, value),
        )  # fmt: skip
    elif bad and law.value is not None:
        _off_by_one_factor(check, table, law, rows, bad)


def _off_by_one_factor(
    check: CheckFindings, table: Table, law: ProductLaw, rows: list[_RowValue], bad: list[_RowValue]
) -> None:
    """A law that most rows break by one factor: a unit is wrong if the factor is usual, else a quantity is missing."""
    cells = _expected_cells(table, law, bad[:4], Fraction(1))
    intervals = [interval for _, interval in rows]
    for factor, text in _SLIPS:
        if any(_agreeing(scaled, intervals) >= _AGREE * len(rows) for scaled in (factor, 1 / factor)):
            check.add(
                Weight.MATERIAL if factor > Fraction(11, 10) else Weight.MINOR, Certainty.CERTAIN, table.name,
                f"{law.text} is off by a factor of {text} in {len(bad)} of {len(rows)} rows: a unit is "
                "not what its header says", cells,
            )  # fmt: skip
            return
    shared = _consensus(intervals)
    if shared is not None:
        check.add(
            Weight.MATERIAL if not Fraction(95, 100) < shared < Fraction(105, 100) else Weight.MINOR,
            Certainty.LIKELY, table.name,
            f"{law.text} is off by one factor, {number(float(shared), 3)}, in {len(bad)} of {len(rows)} rows: a "
            "quantity is missing from what was computed, or is not what its header says", cells,
        )  # fmt: skip


def _expected_cells(table: Table, law: ProductLaw, rows: list[_RowValue], value: Fraction) -> list[CellEntry]:
    names = CellNames(table)
    return [
        names.entry(row.cells[law.above], _expected(row.cells[law.above], interval, value)) for row, interval in rows
    ]


def _inside(value: Fraction, interval: Interval) -> bool:
    return interval[0] <= value <= interval[1]


def _agreeing(value: Fraction, intervals: list[Interval]) -> int:
    return sum(_inside(value, interval) for interval in intervals)


def _far(each: Interval, value: Fraction) -> bool:
    return not Fraction(95, 100) < (each[0] + each[1]) / 2 / value < Fraction(105, 100)


def _expected(cell: Cell, each: Interval, value: Fraction) -> str:
    return number(float(cell.number.value * value / ((each[0] + each[1]) / 2)), 5)


def _consensus(intervals: list[Interval]) -> Fraction | None:
    """A value inside as many of the intervals as possible, at least 70 %; None if there is none."""
    best = max((low for low, _ in intervals), key=lambda low: _agreeing(low, intervals))
    inside = [interval for interval in intervals if _inside(best, interval)]
    if len(inside) < _AGREE * len(intervals):
        return None
    return (max(low for low, _ in inside) + min(high for _, high in inside)) / 2


def _constant(check: CheckFindings, table: Table, law: ProductLaw, value: Fraction, rows: list[_RowValue]) -> None:
    """A supply voltage that no board has, or a clock that no processor has, is a unit that is off."""
    least, most = (Fraction(1, 2), Fraction(500)) if law.constant == "V" else (Fraction(10_000), Fraction(10**10))
    if not least <= value <= most:
        _impossible(check, table, law, rows, (least, value, most))
    narrow = [1 for _, (low, high) in rows if 0 < low <= value <= high < low * Fraction(101, 100)]
    everywhere = _agreeing(value, [interval for _, interval in rows]) == len(rows)
    if law.constant == "V" and len(narrow) >= _AGREE * len(rows) and everywhere:
        check.add(
            Weight.NOTE, Certainty.CERTAIN, table.name,
            f"each power is its current times one constant ({number(float(value), 4)} {law.constant}): the columns are "
            "one measurement, and rank alike by construction",
        )  # fmt: skip


def _impossible(
    check: CheckFindings,
    table: Table,
    law: ProductLaw,
    rows: list[_RowValue],
    bounds: tuple[Fraction, Fraction, Fraction],
) -> None:
    """``bounds``: the least value, the value of the table, the largest value."""
    names = CellNames(table)
    least, value, most = bounds
    slips = [
        (factor, meant)
        for factor in (1000, 10**6)
        for meant in (value * factor, value / factor)
        if least <= meant <= most
    ]
    meant = f"; {number(float(slips[0][1]), 3)} {law.constant} if a unit is off by {slips[0][0]}" if slips else ""
    first = rows[0][0].cells
    check.add(
        Weight.MATERIAL, Certainty.CERTAIN if slips else Certainty.LIKELY, table.name,
        f"{law.text} gives {number(float(value), 3)} {law.constant} in {len(rows)} rows"
        f"{meant}: {first[law.above].unit_printed} and {first[law.below[0]].unit_printed} cannot both be right",
        [names.entry(row.cells[law.below[0]], f"with {row.cells[law.above].number.text} "
                     f"{row.cells[law.above].unit_printed}") for row, _ in rows[:4]],
    )  # fmt: skip


def same_information(table: Table) -> CheckFindings:
    """Columns with different units that are one column times a constant in every row."""
    check = CheckFindings("same-information")
    by_name: dict[str, dict[object, Cell]] = {}
    for group in groups(table):
        if (cell := group.central) and cell.number.value > 0:
            by_name.setdefault(group.metric, {})[without(cell)] = cell
    for one, two in combinations(by_name, 2):
        pairs = [(cell, by_name[two][key]) for key, cell in by_name[one].items() if key in by_name[two]]
        if len(pairs) >= _LEAST_ROWS and _different(pairs[0]) and len({a.number.value for a, _ in pairs}) >= 3:
            check.looks += 1
            _one_constant(check, table, (one, two), pairs)
    return check


def _one_constant(check: CheckFindings, table: Table, metrics: tuple[str, str], pairs: list[tuple[Cell, Cell]]) -> None:
    if any(a.number.low <= 0 for a, _ in pairs):
        return
    ratios = [(b.number.low / a.number.high, b.number.high / a.number.low) for a, b in pairs]
    low, high = max(ratio[0] for ratio in ratios), min(ratio[1] for ratio in ratios)
    narrow = sum(ratio[1] / ratio[0] < Fraction(101, 100) for ratio in ratios if ratio[0] > 0)
    one, two = metrics
    if low <= high and narrow >= _LEAST_ROWS:
        check.add(
            Weight.NOTE, Certainty.CERTAIN, table.name,
            f"{two} ({pairs[0][1].unit_printed}) is {number(float((low + high) / 2), 4)} times {one} "
            f"({pairs[0][0].unit_printed}) in all {len(pairs)} rows: it says nothing that {one} does not",
        )  # fmt: skip


def _different(pair: tuple[Cell, Cell]) -> bool:
    """Whether no law of units explains a constant ratio; a voltage or a clock is one."""
    one, two = (dimensions.unit(cell.unit_printed) for cell in pair)
    if one is None or two is None or one.dimension == two.dimension:
        return False
    explained = {(law.above, law.below[0]) for law in LAWS if law.value is None}
    return (one.dimension, two.dimension) not in explained and (two.dimension, one.dimension) not in explained
