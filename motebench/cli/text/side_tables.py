"""Tables beside the main one, as lines that fit a width: targets side by side, places of code, numbers of cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from motebench.cli.text.layout import table_lines, table_width
from motebench.documents.result import Result
from motebench.results.presentation.rows import Row
from motebench.results.presentation.tables import BoardsTable, boards_tables, cores_table, places_lines

_TARGET_WORDS = 3
_PLACE_WORDS = 3
_CORE_WORDS = 4
"""Columns of words of each table; numbers follow them."""
_MOST = 40
"""Lines of the tables of places and of cores."""


def board_lines(result: Result, rows: Iterable[Row], width: int | None, most: int | None = None) -> Iterator[list[str]]:
    """A table for each metric, in as many pieces as the width needs, each with the first target. ``most``: lines of
    each. The title is the first line."""
    for table in boards_tables(result, rows):
        for piece in _pieces(table, width):
            yield list(_piece_lines(table, piece, most))


def _board_cells(table: BoardsTable, targets: Sequence[str]) -> list[list[str]]:
    cells = [["scheme", "operation", "by", *(table.names[name] for name in targets)]]
    for line in table.lines:
        texts = [line.cells[name].text if name in line.cells else "n/a" for name in targets]
        cells.append([line.scheme, line.operation, line.implementation, *texts])
    return cells


def _pieces(table: BoardsTable, width: int | None) -> Iterator[list[str]]:
    """The targets of each piece: the first one, and as many others as fit."""
    first, *others = table.targets
    while others:
        count = len(others)
        while count > 1 and width is not None and table_width(_board_cells(table, [first, *others[:count]])) > width:
            count -= 1
        yield [first, *others[:count]]
        others = others[count:]


def _piece_lines(table: BoardsTable, targets: Sequence[str], most: int | None) -> Iterator[str]:
    cells = _board_cells(table, targets)
    shown = cells if most is None else cells[: most + 1]
    yield f"{table.title}: median, x: that of {table.names[targets[0]]}, with 99 % interval"
    yield from table_lines(shown, _TARGET_WORDS)
    if len(shown) < len(cells):
        yield f"... and {len(cells) - len(shown)} more: motebench show"


def placement_lines(result: Result, width: int) -> Iterator[str]:
    """How far the place of code moves results, below the heading; none if nothing was measured at several places."""
    places = places_lines(result)
    if not places:
        return
    targets = len({line.case.target for line in places}) > 1
    cells = [["scheme", "operation", "by", "places", "median", "least", "most", "range"]]
    for line in places[:_MOST]:
        case = line.case
        operation = " ".join(filter(None, (str(case.operation), line.input)))
        by = f"{case.implementation} on {case.target.removeprefix('sim:')}" if targets else case.implementation
        counts = [str(line.places), line.median, line.least, line.most, line.spread]
        cells.append([case.scheme, operation, by, *counts])
    if table_width(cells) > width:
        for texts in cells:
            del texts[_PLACE_WORDS]
    yield from table_lines(cells, _PLACE_WORDS)
    yield from _more(len(places))


def scaling_table(result: Result, rows: Sequence[Row], width: int) -> Iterator[str]:
    """Throughput by number of cores, below the heading; none if nothing was measured on several cores. ``rows``: of
    every metric."""
    table = cores_table(result, rows)
    if table is None:
        return
    targets = len({line.case.target for line in table.lines}) > 1
    cells = [["scheme", "operation", "by", "input", *table.heads]]
    for line in table.lines[:_MOST]:
        case = line.case
        by = f"{case.implementation} on {case.target}" if targets else case.implementation
        cells.append([case.scheme, str(case.operation), by, line.input, *line.cells])
    while table_width(cells) > width and len(cells[0]) > _CORE_WORDS + 2:
        # The first and the last number say most.
        for texts in cells:
            del texts[-2]
    yield from table_lines(cells, _CORE_WORDS)
    yield from _more(len(table.lines))


def _more(lines: int) -> Iterator[str]:
    if lines > _MOST:
        yield f"... and {lines - _MOST} more: motebench show --json"
