"""Columns that follow from others, and the speed that time over input size implies.

Products: P = V I, E = P t, throughput = size / time, cycles = clock x time. Speed: whether it can
be that of a cipher.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, pairwise
from statistics import median

from motebench.base import quantities as dimensions
from motebench.catalog.published import Cell, Table
from motebench.documents.papers import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import (
    SURE,
    CellNames,
    CheckFindings,
    Scatter,
    by_metric,
    groups,
    number,
    size_text,
    unit_of,
    without,
)

_LEAST_ROWS = 4
_AGREE = 0.7
_SLIPS = (
    (Fraction(1000), "1000"),
    (Fraction(1024), "1024"),
    (Fraction(1024**2, 10**6), "1.049 (MiB for MB)"),
    (Fraction(1024, 1000), "1.024 (KiB for kB)"),
    (Fraction(8), "8 (bits for bytes)"),
    (Fraction(10**6), "10^6"),
    (Fraction(60), "60"),
    (Fraction(3600), "3600"),
)


_WITHOUT_SIZE = -3
Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class QuantityRow:
    """Central cells of one row by metric, with the size among them."""

    cells: Mapping[dimensions.Dimension, Cell]
    size: int | None


@dataclass(frozen=True, slots=True)
class ProductLaw:
    """A product that is 1 (``value`` 1) or one constant in all rows (None: a clock, a supply
    voltage).
    """

    text: str
    above: dimensions.Dimension
    below: tuple[dimensions.Dimension, ...]
    sized: int
    """Power of the size: throughput x time / size has -1, and -2 if the size is not printed.
    `_WITHOUT_SIZE`: none, with a product of both sides.
    """
    value: Fraction | None
    constant: str = ""


LAWS = (
    ProductLaw("throughput x time = size", dimensions.SPEED, (dimensions.TIME,), -1, Fraction(1)),
    ProductLaw("throughput x time = one size", dimensions.SPEED, (dimensions.TIME,), -2, None, "B"),
    ProductLaw(
        "energy = power x time",
        dimensions.ENERGY,
        (dimensions.POWER, dimensions.TIME),
        0,
        Fraction(1),
    ),
    ProductLaw(
        "power = voltage x current",
        dimensions.POWER,
        (dimensions.VOLTAGE, dimensions.CURRENT),
        0,
        Fraction(1),
    ),
    ProductLaw(
        "power = supply voltage x current", dimensions.POWER, (dimensions.CURRENT,), 0, None, "V"
    ),
    ProductLaw(
        "charge = current x time",
        dimensions.CHARGE,
        (dimensions.CURRENT, dimensions.TIME),
        0,
        Fraction(1),
    ),
    ProductLaw(
        "energy = voltage x charge",
        dimensions.ENERGY,
        (dimensions.VOLTAGE, dimensions.CHARGE),
        0,
        Fraction(1),
    ),
    ProductLaw(
        "energy = supply voltage x charge", dimensions.ENERGY, (dimensions.CHARGE,), 0, None, "V"
    ),
    ProductLaw(
        "cycles = clock x time",
        dimensions.CYCLES,
        (dimensions.FREQUENCY, dimensions.TIME),
        0,
        Fraction(1),
    ),
    ProductLaw("cycles = one clock x time", dimensions.CYCLES, (dimensions.TIME,), 0, None, "Hz"),
    ProductLaw(
        "throughput x cycles per byte = one clock",
        dimensions.SPEED,
        (dimensions.PER_BYTE,),
        _WITHOUT_SIZE,
        None,
        "Hz",
    ),
    ProductLaw(
        "cycles = cycles per byte x size", dimensions.CYCLES, (dimensions.PER_BYTE,), 1, Fraction(1)
    ),
)


_RowValue = tuple[QuantityRow, Interval]
"""A row with the interval of its quotient by a law."""


def _rows(table: Table) -> list[QuantityRow]:
    by_labels: dict[object, dict[dimensions.Dimension, Cell]] = {}
    sizes: dict[object, int | None] = {}
    twice: dict[object, set[dimensions.Dimension]] = {}
    for group in groups(table):
        cell = group.central
        unit = dimensions.unit(cell.unit_printed) if cell else None
        if not cell or not unit or cell.number.value <= 0:
            continue
        key = without(cell)
        by_dimension = by_labels.setdefault(key, {})
        if unit.dimension in by_dimension:
            twice.setdefault(key, set()).add(unit.dimension)
        by_dimension[unit.dimension] = cell
        sizes[key] = cell.size
    # Two columns of one dimension cannot be told apart.
    return [
        QuantityRow(
            {d: cell for d, cell in cells.items() if d not in twice.get(key, set())}, sizes[key]
        )
        for key, cells in by_labels.items()
    ]


def _low_high(cell: Cell) -> tuple[Fraction, Fraction]:
    unit = dimensions.unit(cell.unit_printed)
    factor = unit.factor if unit else Fraction(1)
    low, high = cell.number.wide
    return low * factor, high * factor


def products(table: Table) -> CheckFindings:
    """Rows in which a column is not the product that it is in the other rows, and units that cannot
    be right.
    """
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
    """Interval of above / (below ...), by rounding; None if a column is absent. 1 if the law holds
    exactly.
    """
    sizeless = law.sized == -2
    if any(quantity not in row.cells for quantity in law.below):
        return None
    if law.sized not in (0, _WITHOUT_SIZE) and sizeless == bool(row.size):
        return None
    low, high = _low_high(row.cells[law.above])
    size = Fraction(1 if law.sized == _WITHOUT_SIZE else row.size or 1)
    if law.sized < 0:
        other_low, other_high = _low_high(row.cells[law.below[0]])
        return max(low, Fraction(0)) * max(other_low, Fraction(0)) / size, high * other_high / size
    bottom, top = Fraction(1), Fraction(1)
    for least, most in (_low_high(row.cells[quantity]) for quantity in law.below):
        if least <= 0:
            return None
        bottom, top = bottom * least, top * most
    if law.sized == 1:
        bottom, top = bottom * size, top * size
    return low / top, high / bottom


def _check_law(check: CheckFindings, table: Table, law: ProductLaw, rows: list[_RowValue]) -> None:
    value = law.value if law.value is not None else _consensus([interval for _, interval in rows])
    if value is None:
        return
    bad = _breaking(law, value, rows)
    if law.value is None:
        _constant(check, table, law, value, rows)
    if bad and len(rows) - len(bad) >= _AGREE * len(rows):
        far = any(_far(interval, value) for _, interval in bad)
        check.add(
            Weight.MATERIAL if far else Weight.MINOR,
            Certainty.CERTAIN,
            table.name,
            f"{law.text} holds in {len(rows) - len(bad)} of {len(rows)} rows and not in the others",
            _expected_cells(table, law, bad, value),
        )
    elif bad and law.value is not None:
        _off_by_one_factor(check, table, law, rows, bad)


def _breaking(law: ProductLaw, value: Fraction, rows: list[_RowValue]) -> list[_RowValue]:
    """Rows that break a law; where its value is not given, of devices for which it holds elsewhere,
    because another device may have another clock and another supply."""
    bad = [(row, interval) for row, interval in rows if not _inside(value, interval)]
    if law.value is not None:
        return bad
    devices = {_device(row, law) for row, interval in rows if _inside(value, interval)}
    return [(row, interval) for row, interval in bad if _device(row, law) in devices]


def _device(row: QuantityRow, law: ProductLaw) -> str:
    return row.cells[law.above].label("device")


def _off_by_one_factor(
    check: CheckFindings, table: Table, law: ProductLaw, rows: list[_RowValue], bad: list[_RowValue]
) -> None:
    """A law that most rows break by one factor: a unit is wrong if the factor is usual, else a
    quantity is missing.
    """
    cells = _expected_cells(table, law, bad[:4], Fraction(1))
    intervals = [interval for _, interval in rows]
    for factor, text in _SLIPS:
        if any(
            _agreeing(scaled, intervals) >= _AGREE * len(rows) for scaled in (factor, 1 / factor)
        ):
            check.add(
                Weight.MATERIAL if factor > Fraction(11, 10) else Weight.MINOR,
                Certainty.CERTAIN,
                table.name,
                f"{law.text} is off by a factor of {text} in {len(bad)} of {len(rows)} rows: a "
                "unit is not what its header says",
                cells,
            )
            return
    shared = _consensus(intervals)
    if shared is not None:
        check.add(
            Weight.MATERIAL
            if not Fraction(95, 100) < shared < Fraction(105, 100)
            else Weight.MINOR,
            Certainty.LIKELY,
            table.name,
            f"{law.text} is off by one factor, {number(float(shared), 3)}, in {len(bad)} of "
            f"{len(rows)} rows: a "
            "quantity is missing from what was computed, or is not what its header says",
            cells,
        )


def _expected_cells(
    table: Table, law: ProductLaw, rows: list[_RowValue], value: Fraction
) -> list[CellEntry]:
    names = CellNames(table)
    return [
        names.entry(row.cells[law.above], _computation(law, row, interval, value))
        for row, interval in rows
    ]


def _computation(law: ProductLaw, row: QuantityRow, interval: Interval, value: Fraction) -> str:
    """The whole product or quotient of a row, in its printed numbers: any of them can be the wrong
    one.
    """
    above = row.cells[law.above]
    expected = f"{_expected(above, interval, value)} {above.unit_printed}".strip()
    factors = [
        f"{row.cells[quantity].number.text} {row.cells[quantity].unit_printed}".strip()
        for quantity in law.below
    ]
    if law.sized == _WITHOUT_SIZE:
        return f"{number(float(value), 4)} {law.constant} / {factors[0]} = {expected}"
    if law.sized < 0:
        return (
            f"{size_text(round(value) if law.sized == -2 else row.size or 0)} / {factors[0]} = "
            f"{expected}"
        )
    if law.sized == 1:
        factors.append(size_text(row.size or 0))
    if law.value is None:
        factors.append(f"{number(float(value), 4)} {law.constant}")
    return f"{' x '.join(factors)} = {expected}"


def _inside(value: Fraction, interval: Interval) -> bool:
    return interval[0] <= value <= interval[1]


def _agreeing(value: Fraction, intervals: list[Interval]) -> int:
    return sum(_inside(value, interval) for interval in intervals)


def _far(interval: Interval, value: Fraction) -> bool:
    return not Fraction(95, 100) < (interval[0] + interval[1]) / 2 / value < Fraction(105, 100)


def _expected(cell: Cell, interval: Interval, value: Fraction) -> str:
    return number(float(cell.number.value * value / ((interval[0] + interval[1]) / 2)), 5)


def _consensus(intervals: list[Interval]) -> Fraction | None:
    """Value inside as many of the intervals as possible, at least 70 %; None without one."""
    best = max((low for low, _ in intervals), key=lambda low: _agreeing(low, intervals))
    inside = [interval for interval in intervals if _inside(best, interval)]
    if len(inside) < _AGREE * len(intervals):
        return None
    return (max(low for low, _ in inside) + min(high for _, high in inside)) / 2


def _constant(
    check: CheckFindings, table: Table, law: ProductLaw, value: Fraction, rows: list[_RowValue]
) -> None:
    """A supply voltage that no board has, or a clock that no processor has, is a unit that is
    off.
    """
    least, most = {
        "V": (Fraction(1, 2), Fraction(500)),
        "Hz": (Fraction(10_000), Fraction(10**10)),
        "B": (Fraction(1), Fraction(10**13)),
    }[law.constant]
    narrow = [1 for _, (low, high) in rows if 0 < low <= value <= high < low * Fraction(101, 100)]
    everywhere = _agreeing(value, [interval for _, interval in rows]) == len(rows)
    same = (
        "each power is its current times one constant: the columns are one measurement, and rank "
        "alike by construction"
    )
    exact = law.constant == "V" and len(narrow) >= _AGREE * len(rows) and everywhere
    if not least <= value <= most:
        _impossible(check, table, law, rows, (least, value, most), f"; {same}" if exact else "")
    elif exact:
        check.add(
            Weight.NOTE,
            Certainty.CERTAIN,
            table.name,
            f"{number(float(value), 4)} {law.constant}: {same}",
        )


def _impossible(
    check: CheckFindings,
    table: Table,
    law: ProductLaw,
    rows: list[_RowValue],
    bounds: tuple[Fraction, Fraction, Fraction],
    also: str,
) -> None:
    """Report impossible values. ``bounds``: the least value, the value of the table, the largest
    value. ``also``: other evidence in the rows.
    """
    names = CellNames(table)
    least, value, most = bounds
    slips = [
        (factor, meant)
        for factor in (1000, 10**6)
        for meant in (value * factor, value / factor)
        if least <= meant <= most
    ]
    meant = (
        f"; {number(float(slips[0][1]), 3)} {law.constant} if a unit is off by {slips[0][0]}"
        if slips
        else ""
    )
    first = rows[0][0].cells
    check.add(
        Weight.MATERIAL,
        Certainty.CERTAIN if slips else Certainty.LIKELY,
        table.name,
        f"{law.text} gives {number(float(value), 3)} {law.constant} in {len(rows)} rows"
        f"{meant}: {first[law.above].unit_printed} and {first[law.below[0]].unit_printed} cannot "
        f"both be right{also}",
        [
            names.entry(
                row.cells[law.below[0]],
                f"with {row.cells[law.above].number.text} {row.cells[law.above].unit_printed}",
            )
            for row, _ in rows
        ],
    )


def same_information(table: Table) -> CheckFindings:
    """Columns with different units that are one column times a constant in every row."""
    check = CheckFindings("same-information")
    by_name: dict[str, dict[object, Cell]] = {}
    for group in groups(table):
        if (cell := group.central) and cell.number.value > 0:
            by_name.setdefault(group.metric, {})[without(cell)] = cell
    for left, right in combinations(by_name, 2):
        pairs = [
            (cell, by_name[right][key])
            for key, cell in by_name[left].items()
            if key in by_name[right]
        ]
        if (
            len(pairs) >= _LEAST_ROWS
            and _different(pairs[0])
            and len({a.number.value for a, _ in pairs}) >= 3
        ):
            check.looks += 1
            _one_constant(check, table, (left, right), pairs)
    return check


def _one_constant(
    check: CheckFindings, table: Table, metrics: tuple[str, str], pairs: list[tuple[Cell, Cell]]
) -> None:
    if any(a.number.low <= 0 for a, _ in pairs):
        return
    ratios = [(b.number.low / a.number.high, b.number.high / a.number.low) for a, b in pairs]
    low, high = max(ratio[0] for ratio in ratios), min(ratio[1] for ratio in ratios)
    narrow = sum(ratio[1] / ratio[0] < Fraction(101, 100) for ratio in ratios if ratio[0] > 0)
    left, right = metrics
    if low <= high and narrow >= _LEAST_ROWS:
        check.add(
            Weight.NOTE,
            Certainty.CERTAIN,
            table.name,
            f"{right} ({pairs[0][1].unit_printed}) is {number(float((low + high) / 2), 4)} times "
            f"{left} ({pairs[0][0].unit_printed}) in all {len(pairs)} rows: it says nothing that "
            f"{left} does not",
        )


def _different(pair: tuple[Cell, Cell]) -> bool:
    """True if no law of units explains a constant ratio; a voltage or a clock is one."""
    left, right = (dimensions.unit(cell.unit_printed) for cell in pair)
    if left is None or right is None or left.dimension == right.dimension:
        return False
    explained = {(law.above, law.below[0]) for law in LAWS if law.value is None}
    return (left.dimension, right.dimension) not in explained and (
        right.dimension,
        left.dimension,
    ) not in explained


# Time over input size


_FALL = 1.3
"""Throughput that falls by less can come from caches."""
_SAME = 1.02
_LEAST_CHANCE = 1e-4
_LEAST_SCATTER = 0.002
"""Least relative scatter of a mean whose spread is not printed: that of timers and interrupts
alone.
"""

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
            unit = unit_of(cell) if cell else None
            if (
                cell is None
                or cell.size is None
                or cell.number.value <= 0
                or not unit
                or unit.dimension != dimensions.TIME
            ):
                continue
            by_labels.setdefault(without(cell, "input_bytes", "part"), []).append(cell)
        for cells in by_labels.values():
            if len({cell.size for cell in cells}) >= 2:
                yield cells


def _sorted(cells: list[Cell]) -> list[Cell]:
    """Cells by size, one for each; the first of those with the same label."""
    by_size: dict[int, Cell] = {}
    for cell in cells:
        by_size.setdefault(cell.size or 0, cell)
    return [by_size[size] for size in sorted(by_size) if size > 0]


def speed(cell: Cell) -> float:
    """Bytes a second."""
    unit = unit_of(cell)
    return (cell.size or 0) / (float(cell.number) * float(unit.factor if unit else 1))


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
            if float(large.number.high) < 0.8 * float(small.number.low) and scatter.less(
                large, small
            ):
                times.add(
                    Weight.MATERIAL,
                    Certainty.LIKELY,
                    table.name,
                    f"{size_text(step[1])} take less time than {size_text(step[0])}",
                    [names.entry(large, f"more than {small.number.text}")],
                )
            elif speed(small) > (_FALL + error) * speed(large):
                falls.setdefault(step, []).append((speed(small) / speed(large), small, large))
    # A shared limit meets most ciphers at the same size; noise does not.
    systematic = [
        fall
        for step, all_ in falls.items()
        if len(all_) >= max(2, steps[step] / 2)
        for fall in all_
    ]
    if systematic:
        _systematic(speeds, table, sorted(systematic, key=lambda fall: -fall[0]))
    return [times, speeds]


def _systematic(speeds: CheckFindings, table: Table, falls: list[_Fall]) -> None:
    """Speeds that fall at the same size for most ciphers, the largest fall first."""
    names = CellNames(table)
    worst, least = falls[0], falls[-1]
    speeds.add(
        Weight.MATERIAL,
        Certainty.LIKELY,
        table.name,
        f"time per byte grows with size in {len(falls)} of {speeds.looks} steps, by {least[0]:.2g} "
        f"to {worst[0]:.2g} times (exponent of time over size {_exponent(least):.2f} to "
        f"{_exponent(worst):.2f}). A cipher takes the same time for each byte; at the larger size "
        "something else limits: storage or memory",
        [
            names.entry(
                large,
                f"{_speed_text(small)} at {size_text(small.size or 0)}, {_speed_text(large)} here",
            )
            for _, small, large in falls[:8]
        ],
    )


def _exponent(fall: _Fall) -> float:
    ratio = (fall[2].size or 1) / (fall[1].size or 1)
    return 1 + math.log(fall[0]) / math.log(ratio)


_LEAST_PAIRS = 3
_MOST_CHANGE = 0.2
"""A larger change of memory has other causes than another sitting."""


def other_sitting(table: Table) -> CheckFindings:
    """Memory that is less at the larger input, by more than readings scatter: of another sitting or
    set-up.
    """
    check = CheckFindings("other-sitting")
    scatter = Scatter(table)
    for rows in by_metric(table).values():
        by_labels: dict[object, list[Cell]] = {}
        for group in rows:
            cell = group.central
            unit = dimensions.unit(cell.unit_printed) if cell else None
            if (
                cell
                and cell.size
                and unit
                and unit.dimension == dimensions.DATA
                and cell.number.value > 0
            ):
                by_labels.setdefault(without(cell, "input_bytes", "part"), []).append(cell)
        steps = [step for cells in by_labels.values() for step in pairwise(_sorted(cells))]
        judged = [(small, large) for small, large in steps if scatter.of(small, large) is not None]
        check.looks += len(judged)
        _less_memory(check, table, scatter, judged)
    return check


def _less_memory(
    check: CheckFindings, table: Table, scatter: Scatter, steps: list[tuple[Cell, Cell]]
) -> None:
    """Report the steps of a metric that fall, if most do and none rises."""
    names = CellNames(table)
    least = 1 - _MOST_CHANGE
    less = [
        pair
        for pair in steps
        if scatter.less(pair[1], pair[0]) and float(pair[1].number) > least * float(pair[0].number)
    ]
    if len(less) < max(_LEAST_PAIRS, 0.6 * len(steps)) or any(
        scatter.less(*pair) for pair in steps
    ):
        return
    changes = [float(small.number.value - large.number.value) for small, large in less]
    rest = ", ".join(names.labels(pair[1], ("input_bytes",)) for pair in steps if pair not in less)
    same = f"; {rest} did not change" if rest else ""
    sizes = " and ".join(map(size_text, sorted({cell.size or 0 for cell in chain(*less)})))
    check.add(
        Weight.MINOR,
        Certainty.LIKELY,
        table.name,
        f"{less[0][0].metric} is lower at the larger input by {number(min(changes), 3)} to "
        f"{number(max(changes), 3)} {less[0][0].unit_printed} in {len(less)} of {len(steps)} rows, "
        f"by more than the readings scatter{same}: no input does that; {sizes} were probably "
        "measured in different sittings or set-ups",
        [names.entry(large, f"{small.number.text} before") for small, large in less],
    )


def common(table: Table) -> CheckFindings:
    """Sizes at which different ciphers have one speed although they differ at a smaller size."""
    check = CheckFindings("common-speed")
    by_place: dict[tuple[tuple[tuple[str, str], ...], int], list[Cell]] = {}
    for cells in series(table):
        for cell in _sorted(cells):
            key = without(
                cell, "input_bytes", "part", "algorithm", "mode", "key_bits", "implementation"
            )
            by_place.setdefault((key, cell.size or 0), []).append(cell)
    places: dict[int, list[_OneSpeed]] = {}
    for (key, size), cells in by_place.items():
        smaller = [place for place in by_place if place[0] == key and place[1] < size]
        if smaller and len(cells) >= 3:
            check.looks += 1
            place = _one_speed(cells, by_place[max(smaller, key=lambda place: place[1])])
            if place is not None:
                places.setdefault(size, []).append(place)
    for size, alike in places.items():
        _say_one_speed(check, table, size, alike)
    return check


@dataclass(frozen=True, slots=True)
class _OneSpeed:
    """Ciphers with one speed at a size, and the largest and smallest speed they have at the next
    smaller size.
    """

    cells: list[Cell]
    before: tuple[float, float]

    @property
    def within(self) -> float:
        """Relative distance between the slowest and the fastest speed."""
        speeds = [speed(cell) for cell in self.cells]
        return max(speeds) / min(speeds) - 1


def _one_speed(cells: list[Cell], smaller: list[Cell]) -> _OneSpeed | None:
    """Ciphers with one speed at a size that had different, higher ones at the next smaller size."""
    alike = _alike(cells)
    if len(alike) < 3 or len({cell.label("algorithm") for cell in alike}) < 2:
        return None
    before = {_cipher(cell): speed(cell) for cell in smaller}
    earlier = [before[_cipher(cell)] for cell in alike if _cipher(cell) in before]
    if (
        len(earlier) < 3
        or max(earlier) / min(earlier) < 1.05
        or median(earlier) < _FALL * speed(alike[0])
    ):
        return None
    return _OneSpeed(alike, (max(earlier), min(earlier)))


def _say_one_speed(check: CheckFindings, table: Table, size: int, places: list[_OneSpeed]) -> None:
    """One finding for all operations and devices that share a speed at a size."""
    names = CellNames(table)
    count = " and ".join(str(len(place.cells)) for place in places)
    apart = max(place.before[0] / place.before[1] for place in places) - 1
    check.add(
        Weight.MATERIAL,
        Certainty.LIKELY,
        table.name,
        f"{count} ciphers and key sizes have one speed at {size_text(size)}, within "
        f"{max(place.within for place in places):.1%}, and differ by up to {apart:.0%} at a "
        "smaller size where they are faster: their common limit is not the cipher, and their order "
        "says nothing about ciphers",
        [names.entry(cell, _speed_text(cell)) for place in places for cell in place.cells],
    )


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

    ``chance``: that this happens to separate readings. ``measured``: the scatter of readings is
    printed. ``digits``: the last digit alone makes it unlikely.
    """

    cell: Cell
    first: Cell
    ratio: Fraction
    chance: float
    measured: bool
    digits: bool


def exact(table: Table) -> CheckFindings:
    """Times at larger sizes that are multiples of the smallest, to the last digit, in every
    series.
    """
    check = CheckFindings("too-exact")
    scatter = Scatter(table)
    chance = 1.0
    multiples: list[ExactMultiple] = []
    for first, *others in series(table):
        compared = [
            cell
            for cell in others
            if first.number.digits >= 3 and cell.number.value >= 200 * cell.number.half
        ]
        check.looks += len(compared)
        of_series = [
            multiple
            for cell in compared
            if (multiple := _multiple(first, cell, scatter)) is not None
        ]
        # The largest multiple implies the others.
        chance *= min((multiple.chance for multiple in of_series), default=1.0)
        multiples += of_series
    off = check.looks - len(multiples)
    if multiples and chance < _LEAST_CHANCE and off <= len(multiples) // 10:
        _too_exact(check, table, multiples, chance)
    return check


def _multiple(first: Cell, cell: Cell, scatter: Scatter) -> ExactMultiple | None:
    """Multiple that a cell is of the first of its series; None without one, or if size does not
    explain it.
    """
    ratio = cell.number.value / first.number.value
    expected = Fraction(cell.size or 0, first.size or 1)
    if ratio.denominator != 1 or ratio <= 1 or (cell.size != first.size and ratio != expected):
        return None
    # Printed to the same place, a proportional reading has `ratio` possible last digits.
    by_digits = float(cell.number.half / (ratio * first.number.half))
    error = scatter.of(first, cell)
    width = (
        (error if error is not None else _LEAST_SCATTER)
        * float(cell.number)
        * math.sqrt(2 * math.pi)
    )
    by_scatter = float(2 * cell.number.half) / width if width else 1.0
    chance = min(1.0, by_digits, by_scatter if error is not None or by_digits == 1 else 1.0)
    return ExactMultiple(cell, first, ratio, chance, error is not None, by_digits < 1)


def _too_exact(
    check: CheckFindings, table: Table, multiples: list[ExactMultiple], chance: float
) -> None:
    names = CellNames(table)
    sure = any(multiple.measured for multiple in multiples) or all(
        multiple.digits for multiple in multiples
    )
    check.add(
        Weight.MATERIAL if sure else Weight.MINOR,
        Certainty.LIKELY if sure else Certainty.POSSIBLE,
        table.name,
        f"{len(multiples)} of {check.looks} times are a whole multiple of the time of the smallest "
        "input, to the last digit and without a fixed part. Separate readings would agree so by "
        f"chance with probability {number(chance, 2)}: probably they were computed from the first, "
        "or call and key set-up were left out",
        [
            names.entry(multiple.cell, f"{multiple.ratio} x {multiple.first.number.text}")
            for multiple in multiples[:9]
        ],
    )
