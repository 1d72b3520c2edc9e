"""The targets of a run beside each other, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from motebench.cli.text.rows import aligned
from motebench.results.presentation.rows import Row
from motebench.results.presentation.tables import BoardsTable, boards_tables

_LEFT = 3
"""Columns of words."""


def board_lines(
    document: Mapping[str, Any], rows: Iterable[Row], width: int | None, most: int | None = None
) -> Iterator[list[str]]:
    """A table for each metric, in as many pieces as the width needs, each with the first target. ``most``: lines of
    each. The title is the first line."""
    for table in boards_tables(document, rows):
        for piece in _pieces(table, width):
            yield list(_text(table, piece, most))


def _cells(table: BoardsTable, targets: Sequence[str]) -> list[list[str]]:
    found = [["scheme", "operation", "by", *(table.names[name] for name in targets)]]
    for line in table.lines:
        texts = [line.cells[name].text if name in line.cells else "n/a" for name in targets]
        found.append([line.scheme, line.operation, line.implementation, *texts])
    return found


def _pieces(table: BoardsTable, width: int | None) -> Iterator[list[str]]:
    """The targets of each piece: the first one, and as many others as fit."""
    first, *others = table.targets
    while others:
        count = len(others)
        while count > 1 and width is not None and _width(_cells(table, [first, *others[:count]])) > width:
            count -= 1
        yield [first, *others[:count]]
        others = others[count:]


def _width(cells: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True)) - 2


def _text(table: BoardsTable, targets: Sequence[str], most: int | None) -> Iterator[str]:
    cells = _cells(table, targets)
    shown = cells if most is None else cells[: most + 1]
    yield f"{table.title}: median, x: that of {table.names[targets[0]]}, with 99 % interval"
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    right = [place >= _LEFT for place in range(len(widths))]
    for line in shown:
        yield aligned(line, widths, right)
    if len(shown) < len(cells):
        yield f"... and {len(cells) - len(shown)} more: motebench show"
