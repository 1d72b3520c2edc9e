"""How far the place of code moves results, as a plain table that fits its width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from motebench.cli.text.rows import aligned
from motebench.results.presentation.tables import places_lines

_LINES = 40
_WORDS = 3
"""Columns of words."""


def placement_lines(document: Mapping[str, Any], width: int) -> Iterator[str]:
    """The lines below the heading; none if nothing was measured at several places."""
    found = places_lines(document)
    if not found:
        return
    targets = len({line.case.target for line in found}) > 1
    cells = [["scheme", "operation", "by", "places", "median", "least", "most", "range"]]
    for line in found[:_LINES]:
        case = line.case
        operation = " ".join(filter(None, (str(case.operation), line.input)))
        by = f"{case.implementation} on {case.target.removeprefix('sim:')}" if targets else case.implementation
        counts = [str(line.places), line.median, line.least, line.most, line.spread]
        cells.append([case.scheme, operation, by, *counts])
    if _width(cells) > width:
        for texts in cells:
            del texts[_WORDS]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for texts in cells:
        yield aligned(texts, widths, [place >= _WORDS for place in range(len(widths))])
    if len(found) > _LINES:
        yield f"... and {len(found) - _LINES} more: motebench show --json"


def _width(cells: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True)) - 2
