"""Throughput by number of cores: a line for each case, a column for each number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from motebench.cli.text.rows import aligned
from motebench.identity import CaseId
from motebench.presentation.rows import Row, percent, unquotable
from motebench.units import format_value

HEADING = "Throughput of all cores together, and how often it is that of one core"
_LINES = 40


def scaling_table(document: Mapping[str, Any], rows: Sequence[Row], width: int) -> Iterator[str]:
    """The lines below the heading; none if nothing was measured on several cores. ``rows``: of every metric."""
    times = [row for row in rows if row.cores and row.metric == "time"]
    groups: dict[CaseId, dict[int, Row]] = defaultdict(dict)
    for row in times:
        groups[row.id.without("cores")][row.cores] = row
    if not groups:
        return
    ratios = {CaseId.of(entry): entry for entry in document.get("scaling") or ()}
    counts = sorted({row.cores for row in times})
    targets = len({case.target for case in groups}) > 1
    cells = [["scheme", "operation", "by", "input", *(f"{count} core{'s' * (count > 1)}" for count in counts)]]
    for case, found in list(groups.items())[:_LINES]:
        by = f"{case.implementation} on {case.target}" if targets else case.implementation
        texts = [_cell(found.get(count), ratios) for count in counts]
        cells.append([case.scheme, str(case.operation), by, case.input_words() if case.input_bytes else "", *texts])
    while _width(cells) > width and len(cells[0]) > 6:
        # The first and the last number say most.
        for line in cells:
            del line[len(line) - 2]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield aligned(line, widths, [place >= 4 for place in range(len(widths))])
    if len(groups) > _LINES:
        yield f"... and {len(groups) - _LINES} more: motebench show --json"


def _cell(row: Row | None, ratios: Mapping[CaseId, Mapping[str, Any]]) -> str:
    if row is None or row.median <= 0:
        return "n/a"
    per_second = 1e9 / row.median
    text = format_value(per_second * row.size, "B/s") if row.size else f"{per_second:.4g}/s"
    if not row.quotable:
        return unquotable(text)
    found = ratios.get(row.id)
    if found is None:
        return text
    low, high = found["ci_low"], found["ci_high"]
    spread = f" {percent(max(high - found['speedup'], found['speedup'] - low) / found['speedup'])}" if low else ""
    return f"{text} x{found['speedup']:.3g}{spread}"


def _width(cells: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True)) - 2
