"""Tables as lines that fit a width: a run in short, targets side by side, places of code, numbers
of cores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from motebench.base.model import Evidence
from motebench.base.units import format_value, format_within, metric_words
from motebench.catalog.proof import marked
from motebench.cli.text.layout import columns_of, table_lines, table_width
from motebench.documents.result import Result
from motebench.results.presentation.beside import (
    BoardsTable,
    boards_tables,
    cores_table,
    places_lines,
)
from motebench.results.presentation.leads import BESIDE_BEST, WITHOUT_DISTURBED, beside_best, differ
from motebench.results.presentation.rows import Row, share_words, size_words

_TARGET_WORDS = 3
_PLACE_WORDS = 3
_CORE_WORDS = 4
"""Columns of words of each table; numbers follow them."""
_MOST = 40
"""Lines of the tables of places and of cores."""


def board_lines(
    result: Result, rows: Iterable[Row], width: int | None, most: int | None = None
) -> Iterator[list[str]]:
    """A table for each metric, in as many pieces as the width needs, each with the first target.
    ``most``: lines of each. The title is the first line."""
    for table in boards_tables(result, rows):
        for piece in _pieces(table, width):
            yield list(_piece_lines(table, piece, most))


def _board_cells(table: BoardsTable, targets: Sequence[str]) -> list[list[str]]:
    cells = [["scheme", "operation", "by", *(table.names[name] for name in targets)]]
    for line in table.lines:
        texts = [line.cells[name].text if name in line.cells else "n/a" for name in targets]
        cells.append([line.scheme, line.operation, line.implementation, *texts])
    return cells


def _width(cells: Sequence[Sequence[str]], left: int) -> int:
    return table_width(columns_of(cells, left))


def _pieces(table: BoardsTable, width: int | None) -> Iterator[list[str]]:
    """The targets of each piece: the first one, and as many others as fit."""
    first, *others = table.targets
    while others:
        count = len(others)
        while (
            count > 1
            and width is not None
            and _width(_board_cells(table, [first, *others[:count]]), _TARGET_WORDS) > width
        ):
            count -= 1
        yield [first, *others[:count]]
        others = others[count:]


def _piece_lines(table: BoardsTable, targets: Sequence[str], most: int | None) -> Iterator[str]:
    cells = _board_cells(table, targets)
    shown = cells if most is None else cells[: most + 1]
    ends = "range over places of the code" if table.of_places else "99 % interval"
    yield f"{table.title}: median, x: that of {table.names[targets[0]]}, with {ends}"
    yield from table_lines(columns_of(shown, _TARGET_WORDS))
    if len(shown) < len(cells):
        yield f"... and {len(cells) - len(shown)} more: motebench show"


def placement_lines(result: Result, width: int) -> Iterator[str]:
    """Effect of the code's place on results, as a table below the heading; empty if nothing was
    measured at several places.
    """
    places = places_lines(result)
    if not places:
        return
    targets = len({line.case.target for line in places}) > 1
    cells = [["scheme", "operation", "by", "places", "median", "least", "most", "range"]]
    for line in places[:_MOST]:
        case = line.case
        operation = " ".join(filter(None, (str(case.operation), line.input)))
        by = (
            f"{case.implementation} on {case.target.removeprefix('sim:')}"
            if targets
            else case.implementation
        )
        counts = [str(line.places), line.median, line.least, line.most, line.spread]
        cells.append([case.scheme, operation, by, *counts])
    if _width(cells, _PLACE_WORDS) > width:
        for texts in cells:
            del texts[_PLACE_WORDS]
    yield from table_lines(columns_of(cells, _PLACE_WORDS))
    yield from _more(len(places))


def scaling_table(result: Result, rows: Sequence[Row], width: int) -> Iterator[str]:
    """Throughput by number of cores, below the heading; none if nothing was measured on several
    cores. ``rows``: of every metric."""
    table = cores_table(result, rows)
    if table is None:
        return
    targets = len({line.case.target for line in table.lines}) > 1
    cells = [["scheme", "operation", "by", "input", *table.heads]]
    for line in table.lines[:_MOST]:
        case = line.case
        by = f"{case.implementation} on {case.target}" if targets else case.implementation
        cells.append([case.scheme, str(case.operation), by, line.input, *line.cells])
    while _width(cells, _CORE_WORDS) > width and len(cells[0]) > _CORE_WORDS + 2:
        # The first and the last number say most.
        for texts in cells:
            del texts[-2]
    yield from table_lines(columns_of(cells, _CORE_WORDS))
    yield from _more(len(table.lines))


def _more(lines: int) -> Iterator[str]:
    if lines > _MOST:
        yield f"... and {lines - _MOST} more: motebench show --json"


# A run in short: a line for each implementation, a column for each size, the best first

_LINES = 40
"""Largest number of lines of all tables together."""
_BEST = 6
"""Implementations of one scheme and operation that are shown."""
_LEFT = 3
"""Columns of words."""
_SIZES = ("flash_net", "static_ram_net", "stack")
"""Metrics of memory that an implementation needs on a board, beside the times."""
_KEPT = ("static_ram_net", "stack", "flash_net")
"""The same, in the order in which a narrow table goes without them."""

Paint = Callable[[str, str], str]
_Heading = tuple[str, str, tuple[int, ...]]
"""Target, evidence and sizes of a table."""


@dataclass(slots=True)
class _BriefLine:
    """Line for one implementation: its words, its row of each size, and its memory on a board."""

    words: tuple[str, str, str]
    rows: dict[int, Row]
    memory: dict[str, Row]
    best: frozenset[int] = frozenset()
    ratio: str = ""


def shown_tables(rows: Sequence[Row], width: int, paint: Paint) -> Iterator[list[str]]:
    """Tables of times, and of energies that an instrument read. ``rows``: of every metric."""
    left = _LINES
    for metric, title in (("time", "Time"), ("instructions", "Instructions"), ("energy", "Energy")):
        chosen = [row for row in rows if row.metric == metric and row.evidence != Evidence.MODELLED]
        for (target, evidence, _), lines in _tables(
            chosen, rows if metric == "time" else ()
        ).items():
            if left <= 0:
                return
            heading = f"{title} on {marked(target)}, {evidence}"
            yield list(_table(heading, lines, left, width, paint))
            left -= sum(min(len(group), _BEST) for group in lines)


def _tables(
    rows: Sequence[Row], every: Iterable[Row]
) -> dict[tuple[str, str, tuple[int, ...]], list[list[_BriefLine]]]:
    """The groups of lines (one scheme and operation each) by target, evidence and sizes."""
    memory: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in every:
        if row.metric in _SIZES:
            least = memory[row.target, row.scheme, row.implementation, row.operation].get(
                row.metric
            )
            if least is None or row.median > least.median:
                memory[row.target, row.scheme, row.implementation, row.operation][row.metric] = row
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.target, row.evidence, row.scheme, row.operation, row.beside_words].append(row)
    by_heading: dict[_Heading, list[list[_BriefLine]]] = defaultdict(list)
    for (target, evidence, scheme, operation, beside), members in groups.items():
        sizes = tuple(sorted({row.size for row in members}))
        label = ", ".join(filter(None, (operation, beside)))
        lines = []
        for name in dict.fromkeys(row.implementation for row in members):
            by_size = {row.size: row for row in members if row.implementation == name}
            lines.append(
                _BriefLine(
                    (scheme, label, name),
                    by_size,
                    memory.get((target, scheme, name, operation), {}),
                )
            )
        by_heading[target, evidence, sizes].append(_ranked(lines, sizes))
    return by_heading


def _ranked(lines: list[_BriefLine], sizes: Sequence[int]) -> list[_BriefLine]:
    """Lines by the time of the largest size; with the best of each size, and the distance of the
    others.
    """
    for size in sizes:
        _mark(lines, size, alone=len(sizes) == 1)
    last = sizes[-1]
    return sorted(
        lines, key=lambda line: line.rows[last].median if last in line.rows else float("inf")
    )


def _mark(lines: Sequence[_BriefLine], size: int, *, alone: bool) -> None:
    """Mark the best of a size, unless a disturbed one may be better; where it stands ``alone``,
    write how far behind the others are."""
    rows = [row for line in lines if (row := line.rows.get(size)) and row.ranks]
    if len(rows) < 2:
        return
    first = min(rows, key=lambda row: row.median)
    leaders = {id(row) for row in rows if row is first or not differ(first, row)}
    ratios = dict(zip(map(id, rows), beside_best(rows), strict=False)) if alone else {}
    lost = any(not line.rows[size].quotable for line in lines if size in line.rows)
    for line in lines:
        row = line.rows.get(size)
        if len(leaders) < len(rows) and id(row) in leaders and not lost:
            line.best |= {size}
        line.ratio = ratios.get(id(row), line.ratio)


def _table(
    title: str, groups: Sequence[Sequence[_BriefLine]], most: int, width: int, paint: Paint
) -> Iterator[str]:
    lines = list(islice(chain.from_iterable(group[:_BEST] for group in groups), most))
    rows = _rows_of(lines)
    shown, cells, spread = _fitting(lines, width, spread=not all(row.alone for row in rows))
    yield paint(f"{title}{_about(rows, spread=spread)}", "title")
    for line, texts in zip(lines, cells[1:], strict=True):
        for place, size in enumerate(shown, _LEFT):
            if size in line.best:
                texts[place] = paint(texts[place], "good")
    yield from table_lines(columns_of(cells, _LEFT))
    yield from _about_ratios(
        {line.ratio for line in lines}, lost=any(not row.quotable for row in rows)
    )
    yield from _left_out(lines, sum(len(group) for group in groups), shown)
    if not spread and any(not row.quotable for row in rows):
        yield "~: disturbed, do not quote it"


def _left_out(lines: Sequence[_BriefLine], count: int, shown: Sequence[int]) -> Iterator[str]:
    """Lines, of ``count`` in all, and sizes that the table leaves out."""
    if hidden := count - len(lines):
        yield f"... and {hidden} slower or further ones: motebench show"
    if left_out := sorted({row.size for row in _rows_of(lines)} - {*shown}):
        yield f"left out here: {', '.join(size_words(size) for size in left_out)}"


def _about_ratios(ratios: set[str], *, lost: bool) -> Iterator[str]:
    """Words for the marks of the column, and for the omitted ones."""
    if {"=", "?"} & ratios:
        yield f"x best: {BESIDE_BEST}"
    if lost and any(ratios):
        yield f"x best: {WITHOUT_DISTURBED}"


def _about(rows: Sequence[Row], *, spread: bool) -> str:
    """Meaning of a table's figures, as a clause. ``spread``: with their intervals and ranges."""
    exact = all(row.alone or row.ends for row in rows)
    about = (
        ", exact"
        if exact
        else ": median ± half the width of its interval"
        if spread
        else ": median"
    )
    if spread and not exact and any(row.run_spread is not None for row in rows):
        about = ": median (spread between runs)"
    if not any(row.ends for row in rows):
        return about
    return about + (
        " (least to most over places of the code)"
        if spread
        else "; by place: range over places of the code"
    )


def _rows_of(lines: Sequence[_BriefLine]) -> list[Row]:
    return [row for line in lines for row in line.rows.values()]


def _fitting(
    lines: Sequence[_BriefLine], width: int, *, spread: bool
) -> tuple[list[int], list[list[str]], bool]:
    """The sizes that fit into the width, the cells of the table, and whether they show the spread.
    A table that is too wide goes without the spread first, then without sizes in the middle, then
    without memory."""
    shown = sorted({size for line in lines for size in line.rows})
    memory = [name for name in _SIZES if any(name in line.memory for line in lines)]
    cells = _cells(lines, shown, memory, spread=spread)
    if _width(cells, _LEFT) > width and spread:
        spread = False
        cells = _cells(lines, shown, memory, spread=False)
    while _width(cells, _LEFT) > width and (memory or len(shown) > 1):
        if len(shown) > 2 or not memory:
            del shown[len(shown) // 2]
        else:
            memory.remove(min(memory, key=_KEPT.index))
        cells = _cells(lines, shown, memory, spread=spread)
    return shown, cells, spread


def _cells(
    lines: Sequence[_BriefLine], sizes: Sequence[int], kinds: Sequence[str], *, spread: bool
) -> list[list[str]]:
    """Head, and a list of texts for each line. ``kinds``: the metrics of memory beside the
    times.
    """
    ratios = any(line.ratio for line in lines)
    head = ["scheme", "operation", "by", *(size_words(size) if size else "" for size in sizes)]
    moved = _by_places(lines, sizes, spread=spread)
    head += [*(["x best"] if ratios else []), *(["by place"] if any(moved) else [])]
    head += [metric_words(name) for name in kinds]
    rows = [head]
    for line, by_place in zip(lines, moved, strict=True):
        texts = [_cell(line.rows.get(size), spread=spread) for size in sizes]
        memory = [_memory(line.memory.get(name)) for name in kinds]
        rows.append(
            [*line.words, *texts, *([line.ratio or "n/a"] if ratios else []), *by_place, *memory]
        )
    return rows


def _by_places(
    lines: Sequence[_BriefLine], sizes: Sequence[int], *, spread: bool
) -> list[list[str]]:
    """The cell of each line that stands for ranges over places of the code; none where cells have
    these, or none is.
    """
    if spread or not any(row.ends for row in _rows_of(lines)):
        return [[] for _ in lines]
    return [[_by_place([line.rows[size] for size in sizes if size in line.rows])] for line in lines]


def _by_place(rows: Sequence[Row]) -> str:
    """Least and most over places of the code, in per cent of the figures of these rows."""
    ends = [
        (row.places_least / row.median - 1, row.places_most / row.median - 1)
        for row in rows
        if row.places_least is not None and row.places_most is not None and row.median
    ]
    if not ends:
        return "n/a"
    return (
        f"{100 * min(low for low, _ in ends):+.1f} to {100 * max(high for _, high in ends):+.1f} %"
    )


def _cell(row: Row | None, *, spread: bool) -> str:
    if row is None:
        return "n/a"
    if not spread and not row.quotable:
        return f"~{format_within(row.median, row.unit, row.ci_low, row.ci_high)}"
    if not spread or not row.quotable or row.alone:
        return row.text
    beside = row.ends or ("" if row.run_spread is None else share_words(row.run_spread))
    return f"{row.text} ({beside})" if beside else f"{row.text} {row.spread}"


def _memory(row: Row | None) -> str:
    return "n/a" if row is None else format_value(row.median, row.unit)
