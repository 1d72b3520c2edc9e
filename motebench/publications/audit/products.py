"""Columns that are products of others: P = V I, E = P t, throughput = size / time, cycles = clock x time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from motebench.base import dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.audit import Certainty, Weight
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
    found = CheckFindings("product")
    names = CellNames(table)
    rows = _rows(table)
    for law in LAWS:
        stated = {"V": dimensions.VOLTAGE, "Hz": dimensions.FREQUENCY}.get(law.constant)
        if stated is not None and any(stated in row.cells for row in rows):
            continue
        told = [(row, _quotient(law, row)) for row in rows if law.above in row.cells]
        known = [(row, each) for row, each in told if each is not None]
        if len(known) < _LEAST_ROWS:
            continue
        found.looks += len(known)
        _check(found, table, names, law, known)
    return found


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


def _check(
    found: CheckFindings, table: Table, names: CellNames, law: ProductLaw, rows: list[tuple[QuantityRow, Interval]]
) -> None:
    value = law.value if law.value is not None else _consensus([each for _, each in rows])
    if value is None:
        return
    good = [row for row, (low, high) in rows if low <= value <= high]
    bad = [(row, each) for row, each in rows if not each[0] <= value <= each[1]]
    if law.value is None:
        _constant(found, table, names, law, value, rows)
    if bad and len(good) >= _AGREE * len(rows):
        found.add(
            Weight.MATERIAL if any(_far(each, value) for _, each in bad) else Weight.MINOR, Certainty.CERTAIN,
            table.name, f"{law.text} holds in {len(good)} of {len(rows)} rows and not in the others",
            [names.entry(row.cells[law.above], _expected(row.cells[law.above], each, value)) for row, each in bad],
        )  # fmt: skip
    elif bad and law.value is not None:
        for factor, text in _SLIPS:
            for scaled in (factor, 1 / factor):
                if sum(low <= scaled <= high for _, (low, high) in rows) >= _AGREE * len(rows):
                    found.add(
                        Weight.MATERIAL if factor > Fraction(11, 10) else Weight.MINOR, Certainty.CERTAIN, table.name,
                        f"{law.text} is off by a factor of {text} in {len(bad)} of {len(rows)} rows: a unit is "
                        "not what its header says",
                        [names.entry(row.cells[law.above], _expected(row.cells[law.above], each, Fraction(1)))
                         for row, each in bad[:4]],
                    )  # fmt: skip
                    return
        shared = _consensus([each for _, each in rows])
        if shared is not None:
            found.add(
                Weight.MATERIAL if not Fraction(95, 100) < shared < Fraction(105, 100) else Weight.MINOR,
                Certainty.LIKELY, table.name,
                f"{law.text} is off by one factor, {number(float(shared), 3)}, in {len(bad)} of {len(rows)} rows: a "
                "quantity is missing from what was computed, or is not what its header says",
                [names.entry(row.cells[law.above], _expected(row.cells[law.above], each, Fraction(1)))
                 for row, each in bad[:4]],
            )  # fmt: skip


def _far(each: Interval, value: Fraction) -> bool:
    return not Fraction(95, 100) < (each[0] + each[1]) / 2 / value < Fraction(105, 100)


def _expected(cell: Cell, each: Interval, value: Fraction) -> str:
    return number(float(cell.number.value * value / ((each[0] + each[1]) / 2)), 5)


def _consensus(intervals: list[Interval]) -> Fraction | None:
    """A value inside as many of the intervals as possible, at least 70 %; None if there is none."""
    points = [low for low, _ in intervals]
    best = max(points, key=lambda at: sum(low <= at <= high for low, high in intervals))
    inside = [each for each in intervals if each[0] <= best <= each[1]]
    if len(inside) < _AGREE * len(intervals):
        return None
    return (max(low for low, _ in inside) + min(high for _, high in inside)) / 2


def _constant(
    found: CheckFindings,
    table: Table,
    names: CellNames,
    law: ProductLaw,
    value: Fraction,
    rows: list[tuple[QuantityRow, Interval]],
) -> None:
    """A supply voltage that no board has, or a clock that no processor has, is a unit that is off."""
    least, most = (Fraction(1, 2), Fraction(500)) if law.constant == "V" else (Fraction(10_000), Fraction(10**10))
    first = rows[0][0].cells
    if not least <= value <= most:
        slips = [(f, v) for f in (1000, 10**6) for v in (value * f, value / f) if least <= v <= most]
        meant = f"; {number(float(slips[0][1]), 3)} {law.constant} if a unit is off by {slips[0][0]}" if slips else ""
        found.add(
            Weight.MATERIAL, Certainty.CERTAIN if slips else Certainty.LIKELY, table.name,
            f"{law.text} gives {number(float(value), 3)} {law.constant} in {len(rows)} rows"
            f"{meant}: {first[law.above].unit_printed} and {first[law.below[0]].unit_printed} cannot both be right",
            [names.entry(row.cells[law.below[0]], f"with {row.cells[law.above].number.text} "
                         f"{row.cells[law.above].unit_printed}") for row, _ in rows[:4]],
        )  # fmt: skip
    narrow = [row for row, (low, high) in rows if 0 < low <= value <= high < low * Fraction(101, 100)]
    if (
        law.constant == "V"
        and len(narrow) >= _AGREE * len(rows)
        and all(low <= value <= high for _, (low, high) in rows)
    ):
        found.add(
            Weight.NOTE, Certainty.CERTAIN, table.name,
            f"each power is its current times one constant ({number(float(value), 4)} {law.constant}): the columns are "
            "one measurement, and rank alike by construction",
        )  # fmt: skip


def same_information(table: Table) -> CheckFindings:
    """Columns with different units that are one column times a constant in every row."""
    found = CheckFindings("same-information")
    by_metric: dict[str, dict[object, Cell]] = {}
    for group in groups(table):
        if (cell := group.central) and cell.number.value > 0:
            by_metric.setdefault(group.metric, {})[without(cell)] = cell
    for one, two in combinations(by_metric, 2):
        common = [key for key in by_metric[one] if key in by_metric[two]]
        pairs = [(by_metric[one][key], by_metric[two][key]) for key in common]
        if len(pairs) < _LEAST_ROWS or not _different(pairs[0]) or len({a.number.value for a, _ in pairs}) < 3:
            continue
        found.looks += 1
        intervals = [(b.number.low / a.number.high, b.number.high / a.number.low) for a, b in pairs if a.number.low > 0]
        if len(intervals) < len(pairs):
            continue
        low, high = max(each[0] for each in intervals), min(each[1] for each in intervals)
        told = sum(each[1] / each[0] < Fraction(101, 100) for each in intervals if each[0] > 0)
        if low <= high and told >= _LEAST_ROWS:
            found.add(
                Weight.NOTE, Certainty.CERTAIN, table.name,
                f"{two} ({pairs[0][1].unit_printed}) is {number(float((low + high) / 2), 4)} times {one} "
                f"({pairs[0][0].unit_printed}) in all {len(pairs)} rows: it says nothing that {one} does not",
            )  # fmt: skip
    return found


def _different(pair: tuple[Cell, Cell]) -> bool:
    """Whether no law of units explains a constant ratio; a voltage or a clock is one."""
    one, two = (dimensions.unit(cell.unit_printed) for cell in pair)
    if one is None or two is None or one.dimension == two.dimension:
        return False
    explained = {(law.above, law.below[0]) for law in LAWS if law.value is None}
    return (one.dimension, two.dimension) not in explained and (two.dimension, one.dimension) not in explained
