"""Rows and cells that repeat, and cells that are off by a decimal place."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from statistics import median

from motebench.base import dimensions
from motebench.catalog.published import Cell, Statistic, Table
from motebench.documents.audit import CellEntry, Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, size_text
from motebench.publications.audit.rows import CellGroup, CellNames, by_metric, groups, unit_of, without

_LEAST_DIGITS = 3
_CHANCE = 0.01
_CHANCE_OF_TABLE = 1e-5
_MOST_SERIES = 60
_SPREADS = (Statistic.VARIANCE, Statistic.SD, Statistic.SEM)


def repeated_labels(table: Table) -> CheckFindings:
    """Rows that cannot be told apart by what is printed."""
    found = CheckFindings("repeated-label")
    names = CellNames(table)
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in table.cells:
        rows.setdefault((without(cell, "part"), cell.metric, cell.statistic), []).append(cell)
    found.looks = len(rows)
    twice = [cells for cells in rows.values() if len(cells) > 1]
    if not twice:
        return found
    differ = [cells for cells in twice if len({cell.number.value for cell in cells}) > 1]
    same = len(twice) - len(differ)
    shown: list[CellEntry] = []
    for cells in differ[:12]:
        first, last = cells[0], cells[-1]
        factor = last.number.value / first.number.value if first.number.value else None
        size = first.size
        grew = factor is not None and factor.denominator == 1 and factor > 1 and size is not None
        text = (
            f"{factor} x block {first.label('part')}" if grew else f"block {first.label('part')}: {first.number.text}"
        )
        if grew and first.metric == "time" and factor is not None and size is not None:
            text += f", as for {size_text(int(size * factor))}"
        shown.append(names.entry(last, text))
    what = f"{len(twice)} rows have the labels of another row"
    if differ:
        what += f", {len(differ)} of them with other numbers"
    if same:
        what += f", {same} with equal numbers"
        if differ:
            shown += [names.entry(cells[-1], "equal") for cells in twice if cells not in differ][:6]
    # Equal rows of a printed table may be a line repeated; rows that differ cannot be attributed.
    found.add(
        Weight.MATERIAL if differ else Weight.MINOR, Certainty.CERTAIN, table.name, what,
        shown or [names.entry(cells[-1], "equal") for cells in twice[:6]],
    )  # fmt: skip
    return found


def repeated_rows(table: Table) -> CheckFindings:
    """Rows with different labels whose mean and spread are all equal."""
    found = CheckFindings("repeated-row")
    names = CellNames(table)
    by_numbers: dict[tuple[object, ...], list[CellGroup]] = {}
    for group in groups(table):
        spread = any(group[each] for each in _SPREADS)
        digits = sum(cell.number.digits for cell in group.cells.values())
        if spread and group.central and digits >= 3 * _LEAST_DIGITS:
            found.looks += 1
            key = tuple(sorted((str(name), cell.number.text) for name, cell in group.cells.items()))
            by_numbers.setdefault((group.metric, key), []).append(group)
    for alike in by_numbers.values():
        kinds = {without(cell, "part") for group in alike if (cell := group.central)}
        if len(alike) > 1 and len(kinds) > 1:
            cells = [cell for group in alike if (cell := group.central)]
            found.add(
                Weight.MATERIAL, Certainty.LIKELY, table.name,
                f"{len(cells)} rows with different labels have the same mean and the same spread",
                [names.entry(cell, f"equal to {names.labels(cells[0])}") for cell in cells[1:]],
            )  # fmt: skip
    return found


_GROWING = (dimensions.TIME, dimensions.CYCLES, dimensions.ENERGY, dimensions.SPEED)
_LEAST_SIZES = 3


def repeated_series(table: Table) -> CheckFindings:
    """Two algorithms with the same numbers at every size, without spreads that could tell: one may be a copy."""
    found = CheckFindings("repeated-row")
    names = CellNames(table)
    series: dict[tuple[object, ...], dict[str, dict[int, Cell]]] = {}
    for group in groups(table):
        cell = group.central
        of = dimensions.unit(cell.unit_printed) if cell else None
        if cell and of and of.dimension in _GROWING and cell.size and not any(group[each] for each in _SPREADS):
            key = (cell.metric, cell.statistic, without(cell, "algorithm", "key_bits", "input_bytes"))
            series.setdefault(key, {}).setdefault(cell.label("algorithm"), {})[cell.size] = cell
    for by_algorithm in series.values():
        for one, other in combinations(by_algorithm.values(), 2):
            shared = [size for size in one if size in other]
            if len(shared) < _LEAST_SIZES or len({one[size].number.value for size in shared}) < _LEAST_SIZES:
                continue
            found.looks += 1
            alike = all(
                one[size].number.text == other[size].number.text and one[size].number.digits >= _LEAST_DIGITS
                for size in shared
            )
            if alike:
                found.add(
                    Weight.MATERIAL, Certainty.LIKELY, table.name,
                    f"two algorithms have the same numbers at all {len(shared)} sizes",
                    [names.entry(other[size], f"equal to {names.labels(one[size])}") for size in shared],
                )  # fmt: skip
    return found


def equal_neighbours(table: Table) -> CheckFindings:
    """Means of many digits that are equal in both directions of a cipher."""
    found = CheckFindings("equal-cells")
    names = CellNames(table)
    for _, rows in by_metric(table).items():
        pairs: dict[object, list[Cell]] = {}
        for group in rows:
            cell = group["mean"]
            if cell and any(group[each] for each in _SPREADS) and cell.label("operation"):
                pairs.setdefault(without(cell, "operation"), []).append(cell)
        both = [(cells[0], cells[1]) for cells in pairs.values() if len(cells) == 2]
        found.looks += len(both)
        apart = sorted(abs(float(one.number.value - two.number.value)) for one, two in both)
        if len(apart) < 6 or (spread := 1.4826 * median(apart)) == 0:
            continue
        steps = [table.resolution.get(one.metric) for one, _ in both]
        for (one, two), step in zip(both, steps, strict=True):
            if one.number.text != two.number.text or one.number.digits < 5:
                continue
            grid = max(float(2 * one.number.half), float(step) / (table.repetitions or 1) if step else 0.0)
            chance = len(both) * grid / (spread * math.sqrt(2 * math.pi))
            if chance < 2 * _CHANCE:
                found.add(
                    Weight.NOTE, Certainty.POSSIBLE, table.name,
                    f"both directions have the same mean to {one.number.digits} digits; by chance in {chance:.1%} of "
                    "such tables",
                    [names.entry(one, two.number.text), names.entry(two, one.number.text)],
                )  # fmt: skip
    return found


def digit_slips(table: Table) -> CheckFindings:
    """Cells that fit to their row and column after the decimal point is moved."""
    found = CheckFindings("digit-slip")
    names = CellNames(table)
    for rows in by_metric(table).values():
        for statistic in (Statistic.VALUE, Statistic.MEAN, Statistic.MEDIAN):
            cells = [cell for group in rows if (cell := group[statistic]) and cell.number.value > 0]
            for columns in (("input_bytes", "part"), ("operation",), ("device",), ("algorithm", "key_bits", "mode")):
                _slips(found, table, names, cells, columns)
    return found


def _slips(found: CheckFindings, table: Table, names: CellNames, cells: list[Cell], columns: tuple[str, ...]) -> None:
    grid: dict[tuple[tuple[object, ...], tuple[object, ...]], Cell] = {}
    for cell in cells:
        at = without(cell, *columns), tuple(cell.label(name) for name in columns)
        if at in grid:
            return
        grid[at] = cell
    heads: set[tuple[object, ...]] = {column for _, column in grid}
    rows: set[tuple[object, ...]] = {row for row, _ in grid}
    if len(heads) < 2 or len(rows) < 4 or len(grid) < len(heads) * len(rows) or len(rows) * len(heads) > 5000:
        return
    found.looks += len(grid)
    left = {key: math.log10(float(cell.number)) for key, cell in grid.items()}
    for _ in range(4):
        for axis, lines in ((0, rows), (1, heads)):
            for line in lines:
                members = [key for key in left if key[axis] == line]
                middle = median(left[key] for key in members)
                for key in members:
                    left[key] -= middle
    usual = 1.4826 * median(abs(value) for value in left.values())
    already = {entry.line for finding in found.findings for entry in finding.cells}
    far = [key for key, value in left.items() if abs(value) > max(0.6, 6 * usual)]
    if not far or len(far) > max(1, len(left) // 10):
        return
    for key in far:
        # With two columns either cell of the row may be the one that is off.
        power = round(left[key])
        if power == 0 or len(heads) < 3 or abs(left[key] - power) > max(0.12, 3 * usual):
            continue
        cell = grid[key]
        if cell.line in already:
            continue
        found.add(
            Weight.MATERIAL, Certainty.LIKELY if usual < 0.1 else Certainty.POSSIBLE, table.name,
            f"this number fits to its row and column after its decimal point is moved by {abs(power)}",
            [names.entry(cell, f"{float(cell.number.value / Fraction(10) ** power):.6g}")],
        )  # fmt: skip


def constant_columns(table: Table) -> CheckFindings:
    """Series that are a whole multiple of another one in every row, closer than readings would be."""
    found = CheckFindings("constant-ratio")
    names = CellNames(table)
    for rows in by_metric(table).values():
        series: dict[object, dict[object, Cell]] = {}
        for group in rows:
            cell = group.central
            of = unit_of(cell) if cell else None
            # Sizes of code and memory are often equal or multiples; times of different work are not.
            if cell is None or of is None or of.dimension not in (dimensions.TIME, dimensions.CYCLES):
                continue
            if cell.number.value <= 0 or not (cell.label("algorithm") or cell.label("implementation")):
                continue
            what = tuple(cell.label(name) for name in ("implementation", "algorithm", "mode", "key_bits"))
            series.setdefault(what, {})[without(cell, "implementation", "algorithm", "mode", "key_bits")] = cell
        if len(series) > _MOST_SERIES:
            continue
        every = list(combinations(series, 2))
        for one, two in every:
            common = [key for key in series[one] if key in series[two]]
            if len(common) < 3:
                continue
            found.looks += 1
            _constant(found, table, names, [(series[one][key], series[two][key]) for key in common], len(every))
    return found


def _constant(found: CheckFindings, table: Table, names: CellNames, pairs: list[tuple[Cell, Cell]], looks: int) -> None:
    if sum(float(a.number) for a, _ in pairs) > sum(float(b.number) for _, b in pairs):
        pairs = [(b, a) for a, b in pairs]
    whole = round(float(pairs[0][1].number) / float(pairs[0][0].number))
    if whole < 2 or len({a.number.value for a, _ in pairs}) < 3:
        return
    exact = [
        (a, b) for a, b in pairs if whole * a.number.low <= b.number.high and whole * a.number.high >= b.number.low
    ]
    chance = math.prod(float((whole * a.number.half + b.number.half) * 2 / (b.number.value / 50)) for a, b in exact)
    if len(exact) == len(pairs) and chance * looks < _CHANCE_OF_TABLE:
        a, b = pairs[0]
        found.add(
            Weight.MATERIAL, Certainty.LIKELY, table.name,
            f"{names.labels(b, ('input_bytes', 'operation', 'part'))} is {whole} times "
            f"{names.labels(a, ('input_bytes', 'operation', 'part'))} in all {len(pairs)} rows, to the last digit: one "
            "of them may not have been measured",
            [names.entry(b, f"{whole} x {a.number.text}") for a, b in pairs[:6]],
        )  # fmt: skip
