"""Throughput by number of cores: a line for each case, a column for each number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.units import format_value
from motebench.results.presentation.rows import Row, percent, unquotable

HEADING = "Throughput of all cores together, and how often it is that of one core"


@dataclass(frozen=True, slots=True)
class Line:
    """A case, apart from the number of cores, and a text for each number."""

    case: CaseId
    cells: tuple[str, ...]

    @property
    def input(self) -> str:
        """The input as text; empty if there is none."""
        return self.case.input_words() if self.case.input_bytes or not self.case.bare else ""


@dataclass(frozen=True, slots=True)
class Table:
    """``counts``: the numbers of cores, a column each."""

    counts: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return [f"{count} core{'s' * (count > 1)}" for count in self.counts]


def table(document: Mapping[str, Any], rows: Sequence[Row]) -> Table | None:
    """None if nothing was measured on several cores. ``rows``: those of the document, of every metric."""
    times = [row for row in rows if row.cores and row.metric == "time"]
    if not times:
        return None
    groups: dict[CaseId, dict[int, Row]] = defaultdict(dict)
    for row in times:
        groups[row.id.without("cores")][row.cores] = row
    ratios = {CaseId.of(entry): entry for entry in document.get("scaling") or ()}
    counts = tuple(sorted({row.cores for row in times}))
    lines = (Line(case, tuple(_cell(found.get(count), ratios) for count in counts)) for case, found in groups.items())
    return Table(counts, tuple(lines))


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
    speedup, low, high = found["speedup"], found["ci_low"], found["ci_high"]
    known = low is not None and high is not None
    spread = f" {percent(max(high - speedup, speedup - low) / speedup)}" if known else ""
    return f"{text} x{speedup:.3g}{spread}"
