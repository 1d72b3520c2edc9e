"""Throughput by number of cores as a plain table that fits its width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from motebench.cli.text.rows import aligned
from motebench.results.presentation.rows import Row
from motebench.results.presentation.tables import cores_table

_LINES = 40
_WORDS = 4
"""Columns of words."""


def scaling_table(document: Mapping[str, Any], rows: Sequence[Row], width: int) -> Iterator[str]:
    """The lines below the heading; none if nothing was measured on several cores. ``rows``: of every metric."""
    found = cores_table(document, rows)
    if found is None:
        return
    targets = len({line.case.target for line in found.lines}) > 1
    cells = [["scheme", "operation", "by", "input", *found.heads]]
    for line in found.lines[:_LINES]:
        case = line.case
        by = f"{case.implementation} on {case.target}" if targets else case.implementation
        cells.append([case.scheme, str(case.operation), by, line.input, *line.cells])
    while _width(cells) > width and len(cells[0]) > _WORDS + 2:
        # The first and the last number say most.
        for texts in cells:
            del texts[-2]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for texts in cells:
        yield aligned(texts, widths, [place >= _WORDS for place in range(len(widths))])
    if len(found.lines) > _LINES:
        yield f"... and {len(found.lines) - _LINES} more: motebench show --json"


def _width(cells: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True)) - 2
