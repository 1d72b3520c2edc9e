"""Digits of a table: rows and cells that repeat, cells off by a decimal place, and values that no
readings can have.

n readings in steps of a resolution have only certain means and variances. GRIM (means): Brown and
Heathers 2017. GRIMMER (variances): Anaya 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from statistics import median

from motebench.base import quantities as dimensions
from motebench.catalog.published import Cell, Statistic, Table
from motebench.documents.papers import Certainty, Weight
from motebench.publications.audit.findings import (
    CellGroup,
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

_LEAST_DIGITS = 3
_CHANCE_OF_EQUAL = 0.03
_CHANCE_OF_TABLE = 1e-5
_MOST_SERIES = 60
_LARGEST_GRID = 5000
_LEAST_SIZES = 3
_GROWING = (dimensions.TIME, dimensions.CYCLES, dimensions.ENERGY, dimensions.SPEED)
_SPREADS = (Statistic.VARIANCE, Statistic.SD, Statistic.SEM)


_CIPHER = ("implementation", "algorithm", "mode", "key_bits")
_HEADS = (
    ("input_bytes", "part"),
    ("operation",),
    ("device",),
    ("operation", "device"),
    ("algorithm", "key_bits", "mode"),
    ("label",),
)
"""Labels that can be the heads of the columns of a grid."""
_ALONE = 0.25
"""Largest ratio of another cell's residual to that of an isolated cell."""
_Place = tuple[tuple[object, ...], tuple[object, ...]]
"""Row and column of a cell."""


def repeated_labels(table: Table) -> CheckFindings:
    """Find rows with equal printed labels."""
    check = CheckFindings("repeated-label")
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in table.cells:
        rows.setdefault((without(cell, "part"), cell.metric, cell.statistic), []).append(cell)
    check.looks = len(rows)
    twice = [cells for cells in rows.values() if len(cells) > 1]
    if twice:
        _repeated(check, table, twice)
    return check


def _repeated(check: CheckFindings, table: Table, twice: list[list[Cell]]) -> None:
    """Equal rows of a printed table may be a line repeated; rows that differ cannot be
    attributed.
    """
    names = CellNames(table)
    differ = [cells for cells in twice if len({cell.number.value for cell in cells}) > 1]
    same = [cells for cells in twice if cells not in differ]
    shown = [names.entry(cells[-1], _against_first(cells[0], cells[-1])) for cells in differ[:12]]
    text = f"{len(twice)} rows have the labels of another row"
    if differ:
        text += f", {len(differ)} of them with other numbers"
    if same:
        text += f", {len(twice) - len(differ)} with equal numbers"
        shown += [names.entry(cells[-1], "equal") for cells in same[:6]]
    check.add(
        Weight.MATERIAL if differ else Weight.MINOR, Certainty.CERTAIN, table.name, text, shown
    )


def _against_first(first: Cell, last: Cell) -> str:
    """The last of several rows with the same labels, in terms of the first."""
    factor = last.number.value / first.number.value if first.number.value else None
    size = first.size
    if factor is None or factor.denominator != 1 or factor <= 1 or size is None:
        return f"block {first.label('part')}: {first.number.text}"
    grown = (
        f", as for {size_text(int(size * factor))} or 1/{factor} of the clock"
        if first.metric == "time"
        else ""
    )
    return f"{factor} x block {first.label('part')}{grown}"


def repeated_rows(table: Table) -> CheckFindings:
    """Rows with different labels whose mean and spread are all equal."""
    check = CheckFindings("repeated-row")
    names = CellNames(table)
    by_numbers: dict[tuple[object, ...], list[Cell]] = {}
    for group in groups(table):
        digits = sum(cell.number.digits for cell in group.cells.values())
        if _has_spread(group) and group.central and digits >= 3 * _LEAST_DIGITS:
            check.looks += 1
            key = tuple(sorted((str(name), cell.number.text) for name, cell in group.cells.items()))
            by_numbers.setdefault((group.metric, key), []).append(group.central)
    for cells in by_numbers.values():
        if len({without(cell, "part") for cell in cells}) > 1:
            check.add(
                Weight.MATERIAL,
                Certainty.LIKELY,
                table.name,
                f"{len(cells)} rows with different labels have the same mean and the same spread",
                [names.entry(cell, f"equal to {names.labels(cells[0])}") for cell in cells[1:]],
            )
    return check


def _has_spread(group: CellGroup) -> bool:
    return any(group[statistic] for statistic in _SPREADS)


def repeated_series(table: Table) -> CheckFindings:
    """Two algorithms with the same numbers at every size, without spreads that could tell: one may
    be a copy.
    """
    check = CheckFindings("repeated-row")
    names = CellNames(table)
    for by_algorithm in _series_without_spread(table):
        for series, other in combinations(by_algorithm.values(), 2):
            shared = [size for size in series if size in other]
            if (
                len(shared) < _LEAST_SIZES
                or len({series[size].number.value for size in shared}) < _LEAST_SIZES
            ):
                continue
            check.looks += 1
            digits = sum(series[size].number.digits for size in shared)
            same = all(series[size].number.text == other[size].number.text for size in shared)
            if same and digits >= _LEAST_SIZES * _LEAST_DIGITS:
                check.add(
                    Weight.MATERIAL,
                    Certainty.LIKELY,
                    table.name,
                    f"two algorithms have the same numbers at all {len(shared)} sizes",
                    [
                        names.entry(other[size], f"equal to {names.labels(series[size])}")
                        for size in shared
                    ],
                )
    return check


def _series_without_spread(table: Table) -> Iterable[dict[str, dict[int, Cell]]]:
    """Cells by algorithm and size, for each set of the other labels; metrics that grow with
    size.
    """
    series: dict[tuple[object, ...], dict[str, dict[int, Cell]]] = {}
    for group in groups(table):
        cell = group.central
        unit = dimensions.unit(cell.unit_printed) if cell else None
        grows = unit.dimension in _GROWING if unit else group.metric == "value"
        if cell and grows and cell.size and not _has_spread(group):
            key = (
                cell.metric,
                cell.statistic,
                without(cell, "algorithm", "key_bits", "input_bytes"),
            )
            series.setdefault(key, {}).setdefault(cell.label("algorithm"), {})[cell.size] = cell
    return series.values()


def equal_neighbours(table: Table) -> CheckFindings:
    """Means of many digits that are equal in both directions of a cipher."""
    check = CheckFindings("equal-cells")
    names = CellNames(table)
    scatter = Scatter(table)
    for rows in by_metric(table).values():
        both = _both_directions(rows)
        check.looks += len(both)
        apart = sorted(abs(float(left.number.value - right.number.value)) for left, right in both)
        if len(apart) < 6 or (usual := 1.4826 * median(apart)) == 0:
            continue
        for left, right in both:
            if left.number.text != right.number.text or left.number.digits < 5:
                continue
            step = table.resolution.get(left.metric)
            grid = max(
                float(2 * left.number.half), float(step) / (table.repetitions or 1) if step else 0.0
            )
            # Readings can scatter more than the means of both directions differ elsewhere.
            spread = max(usual, (scatter.of(left, right) or 0.0) * float(left.number))
            chance = grid / (spread * math.sqrt(2 * math.pi))
            if len(both) * chance < _CHANCE_OF_EQUAL:
                check.add(
                    Weight.NOTE,
                    Certainty.POSSIBLE,
                    table.name,
                    f"both directions have the same mean to {left.number.digits} digits; by chance "
                    f"in {chance:.1%} of such pairs, and somewhere among {len(both)} pairs in "
                    f"{len(both) * chance:.1%} of such tables",
                    [names.entry(left, right.number.text), names.entry(right, left.number.text)],
                )
    return check


def _both_directions(rows: Iterable[CellGroup]) -> list[tuple[Cell, Cell]]:
    """Means with a spread whose labels differ in the operation alone."""
    pairs: dict[object, list[Cell]] = {}
    for group in rows:
        cell = group["mean"]
        if cell and _has_spread(group) and cell.label("operation"):
            pairs.setdefault(without(cell, "operation"), []).append(cell)
    return [(cells[0], cells[1]) for cells in pairs.values() if len(cells) == 2]


def digit_slips(table: Table) -> CheckFindings:
    """Cells that fit to their row and column after the decimal point is moved."""
    check = CheckFindings("digit-slip")
    names = CellNames(table)
    for grid in _full_grids(table):
        check.looks += len(grid)
        _slips(check, table, names, grid)
    return check


def step_slips(table: Table) -> CheckFindings:
    """A size in bytes that is one digit off the step that all others make from one input size to
    the next.

    It must be the step of the input itself, and the cell must fit to none of its neighbours.
    """
    check = CheckFindings("step-slip")
    names = CellNames(table)
    for rows in by_metric(table).values():
        for column in _byte_series(rows):
            check.looks += len(column)
            for cell, computed in _off_steps(column):
                check.add(
                    Weight.MINOR,
                    Certainty.LIKELY,
                    table.name,
                    "this size does not grow with the input by the step of all others, and does "
                    "after one digit is changed",
                    [names.entry(cell, str(computed))],
                )
    return check


def _byte_series(rows: Iterable[CellGroup]) -> list[list[list[Cell]]]:
    """Whole numbers of bytes at growing input sizes, by the other labels: the series with the same
    sizes together.
    """
    series: dict[object, list[Cell]] = {}
    for group in rows:
        cell = group.central
        if cell and cell.size and _whole_bytes(cell):
            cells = series.setdefault(without(cell, "input_bytes", "part"), [])
            if all(cell.size > other.size for other in cells if other.size):
                cells.append(cell)
    alike: dict[tuple[int | None, ...], list[list[Cell]]] = {}
    for cells in series.values():
        alike.setdefault(tuple(cell.size for cell in cells), []).append(cells)
    return [
        rows_alike
        for sizes, rows_alike in alike.items()
        if len(sizes) >= _LEAST_SIZES and len(rows_alike) >= _LEAST_SIZES
    ]


def _whole_bytes(cell: Cell) -> bool:
    unit = dimensions.unit(cell.unit_printed)
    return (
        unit is not None
        and unit.dimension == dimensions.DATA
        and cell.number.half == Fraction(1, 2)
    )


def _off_steps(series: list[list[Cell]]) -> Iterator[tuple[Cell, int]]:
    """Cells at the ends of series that do not follow the common step, with their expected
    values.
    """
    count = len(series[0])
    for end, beside in ((0, 1), (count - 1, count - 2)):
        sizes = [series[0][at].size or 0 for at in (end, beside)]
        expected = sizes[0] - sizes[1]
        off = [
            cells
            for cells in series
            if cells[end].number.value - cells[beside].number.value != expected
        ]
        if len(off) != 1:
            continue
        (cells,) = off
        inner = (beside, beside + (1 if end == 0 else -1))
        step = _difference(cells, inner)
        shared = any(other is not cells and _difference(other, inner) == step for other in series)
        computed = cells[beside].number.value + expected
        if shared and _one_inner_digit(int(cells[end].number.value), int(computed)):
            yield cells[end], int(computed)


def _difference(cells: list[Cell], at: tuple[int, int]) -> Fraction:
    return cells[at[1]].number.value - cells[at[0]].number.value


def _one_inner_digit(first: int, second: int) -> bool:
    """True if two numbers differ in one digit that is not the last one."""
    a, b = str(first), str(second)
    return (
        len(a) == len(b)
        and a[-1] == b[-1]
        and sum(left != right for left, right in zip(a, b, strict=True)) == 1
    )


def swapped_cells(table: Table) -> CheckFindings:
    """Two cells of a column that fit each in the place of the other, and not in their own."""
    check = CheckFindings("swapped")
    names = CellNames(table)
    reported: set[frozenset[int]] = set()
    for grid in _full_grids(table):
        check.looks += len(grid)
        pair = _exchanged(grid) if len({column for _, column in grid}) >= _LEAST_SIZES else None
        if pair and (lines := frozenset((id(pair[0]), id(pair[1])))) not in reported:
            reported.add(lines)
            left, right = pair
            check.add(
                Weight.MATERIAL,
                Certainty.LIKELY,
                table.name,
                f"{names.labels(left)} and {names.labels(right)} fit to their rows and columns "
                "after they are exchanged",
                [names.entry(left, right.number.text), names.entry(right, left.number.text)],
            )
    return check


def _exchanged(grid: Mapping[_Place, Cell]) -> tuple[Cell, Cell] | None:
    """The two cells of one column that alone do not fit, and do in each other's place."""
    left = _residuals(grid)
    usual = max(1.4826 * median(map(abs, left.values())), 0.004)
    first, second, *others = sorted(left, key=lambda at: -abs(left[at]))
    step = math.log10(float(grid[second].number) / float(grid[first].number))
    if first[1] != second[1] or left[first] * left[second] > 0 or abs(step) < 0.1 or usual > 0.03:
        return None
    close = max(3 * usual, 0.2 * abs(step))
    alone = abs(left[others[0]]) < 0.4 * min(abs(left[first]), abs(left[second]))
    fits = abs(left[first] + step) < close and abs(left[second] - step) < close
    return (grid[first], grid[second]) if fits and alone else None


def _full_grids(table: Table) -> Iterator[dict[_Place, Cell]]:
    """The grids of a table that have no gaps: of each metric and statistic, by each of `_HEADS`."""
    for rows in by_metric(table).values():
        for statistic in (Statistic.VALUE, Statistic.MEAN, Statistic.MEDIAN):
            cells = [cell for group in rows if (cell := group[statistic]) and cell.number.value > 0]
            yield from filter(None, (_full_grid(cells, columns) for columns in _HEADS))


def _full_grid(cells: Iterable[Cell], columns: tuple[str, ...]) -> dict[_Place, Cell]:
    """Cells by row and column; none if two share a place, if one is empty, or if there are too few
    or too many.
    """
    grid: dict[_Place, Cell] = {}
    for cell in cells:
        place = without(cell, *columns), tuple(cell.label(name) for name in columns)
        if place in grid:
            return {}
        grid[place] = cell
    heads, rows = len({column for _, column in grid}), len({row for row, _ in grid})
    full = len(grid) >= heads * rows and heads * rows <= _LARGEST_GRID
    return grid if full and heads >= 2 and rows >= 4 else {}


def _residuals(grid: Mapping[_Place, Cell]) -> dict[_Place, float]:
    """Logarithms of the cells without the effects of row and column: Tukey's median polish."""
    left = {place: math.log10(float(cell.number)) for place, cell in grid.items()}
    lines = [(axis, line) for axis in (0, 1) for line in {place[axis] for place in left}]
    for axis, line in lines * 4:
        members = [place for place in left if place[axis] == line]
        middle = median(left[place] for place in members)
        for place in members:
            left[place] -= middle
    return left


def _slips(
    check: CheckFindings, table: Table, names: CellNames, grid: Mapping[_Place, Cell]
) -> None:
    left = _residuals(grid)
    usual = 1.4826 * median(abs(value) for value in left.values())
    already = {entry.line for finding in check.findings for entry in finding.cells}
    for place in _standing_alone(left, usual):
        power = round(left[place])
        cell = grid[place]
        if _moved(left[place], usual) and cell.line not in already:
            check.add(
                Weight.MATERIAL,
                Certainty.LIKELY if usual < 0.1 else Certainty.POSSIBLE,
                table.name,
                "this number fits to its row and column after its decimal point is moved by "
                f"{abs(power)}",
                [names.entry(cell, f"{float(cell.number.value / Fraction(10) ** power):.6g}")],
            )


def _standing_alone(left: Mapping[_Place, float], usual: float) -> list[_Place]:
    """The cells far from their row and column, if they are few and all others are near."""
    heads = len({column for _, column in left})
    far = [place for place, value in left.items() if abs(value) > max(0.6, 6 * usual)]
    # With two columns either cell of the row may be the one that is off.
    if len(far) > max(1, len(left) // 10) or heads < 3:
        return []
    others = max((abs(value) for place, value in left.items() if place not in far), default=0.0)
    return [place for place in far if others < _ALONE * abs(left[place])]


def _moved(residual: float, usual: float) -> bool:
    """True if a residual is near one that a moved decimal point leaves."""
    power = round(residual)
    return power != 0 and abs(residual - power) <= max(0.12, 3 * usual)


def constant_columns(table: Table) -> CheckFindings:
    """Series that are a whole multiple of another one in every row, closer than readings would
    be.
    """
    check = CheckFindings("constant-ratio")
    names = CellNames(table)
    for rows in by_metric(table).values():
        series = _times_by_cipher(rows)
        if len(series) > _MOST_SERIES:
            continue
        pairs = list(combinations(series.values(), 2))
        for column, other in pairs:
            common = [key for key in column if key in other]
            if len(common) >= _LEAST_SIZES:
                check.looks += 1
                _constant(
                    check, table, names, [(column[key], other[key]) for key in common], len(pairs)
                )
    return check


def _times_by_cipher(rows: Iterable[CellGroup]) -> dict[object, dict[object, Cell]]:
    """Times of each cipher and implementation, by their other labels."""
    series: dict[object, dict[object, Cell]] = {}
    for group in rows:
        cell = group.central
        unit = unit_of(cell) if cell else None
        # Sizes of code and memory are often equal or multiples; times of different work are not.
        if (
            cell is None
            or unit is None
            or unit.dimension not in (dimensions.TIME, dimensions.CYCLES)
        ):
            continue
        if cell.number.value > 0 and (cell.label("algorithm") or cell.label("implementation")):
            cipher = tuple(cell.label(name) for name in _CIPHER)
            series.setdefault(cipher, {})[without(cell, *_CIPHER)] = cell
    return series


def _constant(
    check: CheckFindings, table: Table, names: CellNames, pairs: list[tuple[Cell, Cell]], looks: int
) -> None:
    if sum(float(a.number) for a, _ in pairs) > sum(float(b.number) for _, b in pairs):
        pairs = [(b, a) for a, b in pairs]
    whole = round(float(pairs[0][1].number) / float(pairs[0][0].number))
    if whole < 2 or len({a.number.value for a, _ in pairs}) < 3:
        return
    exact = [
        (a, b)
        for a, b in pairs
        if whole * a.number.low <= b.number.high and whole * a.number.high >= b.number.low
    ]
    chance = math.prod(
        float((whole * a.number.half + b.number.half) * 2 / (b.number.value / 50)) for a, b in exact
    )
    if len(exact) == len(pairs) and chance * looks < _CHANCE_OF_TABLE:
        a, b = pairs[0]
        check.add(
            Weight.MATERIAL,
            Certainty.LIKELY,
            table.name,
            f"{names.labels(b, ('input_bytes', 'operation', 'part'))} is {whole} times "
            f"{names.labels(a, ('input_bytes', 'operation', 'part'))} in all {len(pairs)} rows, to "
            "the last digit: one of them may not have been measured",
            [names.entry(b, f"{whole} x {a.number.text}") for a, b in pairs[:6]],
        )


# Means and variances of whole readings


_MOST_FAIL = 0.5
"""Share of failing cells above which the stated n or resolution is wrong, rather than the cells."""
_LEAST_POWER = 0.5
"""A cell says something if chance would let it pass less often than this."""
_CHANCE_OF_VARIANCES = 1e-3


def means(table: Table) -> CheckFindings:
    """GRIM: whether each mean is one that n readings in steps of the resolution can have."""
    check = CheckFindings("grim")
    n = table.repetitions
    for metric, rows in by_metric(table).items():
        step = table.resolution.get(metric)
        cells = [cell for group in rows if (cell := group["mean"]) is not None]
        if n and step and cells:
            _means_of_metric(
                check,
                table,
                metric,
                [c for c in cells if 2 * c.number.half * n / step < _LEAST_POWER],
            )
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
        Weight.MINOR,
        _sure(table, metric),
        table.name,
        f"{n} readings in steps of {number(float(step))} have means in steps of "
        f"{number(float(grid))}; {len(off)} of {len(cells)} means are between"
        + (": the number of readings or their resolution is not as stated" if most else ""),
        [names.entry(cell, _nearest(cell, grid)) for cell in (off[:3] if most else off)],
    )


def _sure(table: Table, metric: str) -> Certainty:
    """Certainty of a finding: an unstated resolution may be finer, as readings can be means
    themselves.
    """
    return Certainty.POSSIBLE if metric in table.assumed else Certainty.CERTAIN


def _nearest(cell: Cell, grid: Fraction) -> str:
    below = math.floor(cell.number.value / grid)
    return f"{float(below * grid):.10g} or {float((below + 1) * grid):.10g}"


def _sums(cell: Cell, step: Fraction, n: int) -> range:
    """The sums of n whole numbers of steps that have this mean, rounded or cut off."""
    high = cell.number.high + cell.number.half
    return range(math.ceil(cell.number.low * n / step), math.floor(high * n / step) + 1)


def variances(table: Table) -> list[CheckFindings]:
    """GRIMMER: whether n readings exist with this mean and this variance, by divisor; and which
    divisor it is.
    """
    possible, divisor = CheckFindings("grimmer"), CheckFindings("divisor")
    names = CellNames(table)
    n = table.repetitions
    for metric, rows in by_metric(table).items():
        step = table.resolution.get(metric)
        if not n or n < 2 or not step:
            continue
        fits_of_rows = [fit for group in rows if (fit := _fit(group, step, n)) is not None]
        possible.looks += len(fits_of_rows)
        none = [(cell, fits) for cell, fits in fits_of_rows if not fits["loose"]]
        if none and len(none) <= _MOST_FAIL * len(fits_of_rows):
            possible.add(
                Weight.MINOR,
                _sure(table, metric),
                table.name,
                f"no {n} readings in steps of {number(float(step))} have this mean together with "
                f"this {none[0][0].statistic}, whether divided by {n} or by {n - 1}",
                [names.entry(cell, "no such readings") for cell, _ in none],
            )
        _divisors(divisor, table, fits_of_rows, n)
    return [possible, divisor]


def _fit(group: CellGroup, step: Fraction, n: int) -> tuple[Cell, dict[str, float]] | None:
    """Cell of the spread, and the divisors that fit (1) or do not (0), with the chance that one
    fits by luck.
    """
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
    for name, by, top in (
        ("n-1", n - 1, high),
        ("n", n, high),
        ("loose", n - 1, cut),
        ("loose_n", n, cut),
    ):
        fits[name] = float(any(_whole(low * by, top * by, step, total, n) for total in sums))
    fits["loose"] = max(fits["loose"], fits.pop("loose_n"))
    return spread, fits


def _whole(low: Fraction, high: Fraction, step: Fraction, total: int, n: int) -> bool:
    """True if a whole sum of squares, odd or even as the sum, is among n times the variances from
    low to high.
    """
    base = Fraction(total * total, n)
    first, last = math.ceil(low / step**2 + base), math.floor(high / step**2 + base)
    if first <= last and (first - total) % 2:
        first += 1
    return first <= last


def _divisors(
    check: CheckFindings, table: Table, fitting: list[tuple[Cell, dict[str, float]]], n: int
) -> None:
    by_column: dict[str, list[tuple[Cell, dict[str, float]]]] = {}
    for cell, fits in fitting:
        kind = {"sign": "encrypt", "verify": "decrypt"}.get(
            cell.label("operation"), cell.label("operation")
        )
        by_column.setdefault(kind or "all", []).append((cell, fits))
    used: dict[str, str] = {}
    counts = {}
    for column, cells in by_column.items():
        check.looks += len(cells)
        for name, other in (("n-1", "n"), ("n", "n-1")):
            good = [fits for _, fits in cells if fits[name]]
            against = [fits for _, fits in cells if fits[name] and not fits[other]]
            chance = math.prod(min(1.0, fits["chance"]) for fits in against)
            if (
                len(good) >= 0.8 * len(cells)
                and len(against) >= 3
                and chance < _CHANCE_OF_VARIANCES
            ):
                used[column] = name
                counts[column] = (
                    f"{column}: {name.replace('-', ' - ')} ({len(good)} of {len(cells)} cells)"
                )
    if len(set(used.values())) > 1:
        check.add(
            Weight.MINOR,
            Certainty.CERTAIN,
            table.name,
            f"columns have different divisors, n = {n}: {'; '.join(counts.values())}. Their "
            f"standard deviations differ by {math.sqrt(n / (n - 1)) - 1:.2%} for that reason alone",
        )
