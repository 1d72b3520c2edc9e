"""Lines of the side tables (targets, places of code, numbers of cores), and curves of warm-up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.units import format_value, metric_words
from motebench.catalog.proof import marked
from motebench.documents.result import Ratio, Result, Scaling
from motebench.results.invocations import CHANGED, SLOWER, UNSTEADY
from motebench.results.presentation.provenance import RunSettings
from motebench.results.presentation.rows import (
    Row,
    input_of,
    number,
    operation_words,
    percent,
    size_words,
    unquotable,
)
from motebench.stats import steady_from

_CONFIDENCE = 0.985
"""Confidence below which an interval is printed with it: the usual one is 99 %."""


@dataclass(frozen=True, slots=True)
class BoardsCell:
    """A case on a target. ``ratio``: to the first target, with the interval's half width; empty for
    the first.
    """

    row: Row
    ratio: str = ""
    different: bool = False

    @property
    def text(self) -> str:
        """Median and ratio."""
        return f"{self.row.text} {self.ratio}".rstrip()


@dataclass(frozen=True, slots=True)
class BoardsLine:
    """One case; the cells by target."""

    scheme: str
    operation: str
    implementation: str
    cells: Mapping[str, BoardsCell]


@dataclass(frozen=True, slots=True)
class BoardsTable:
    """Cases of one metric and evidence. ``targets``: ratios refer to the first one."""

    title: str
    targets: Sequence[str]
    names: Mapping[str, str]
    """Name of each target: its name in the fleet file, if it has one."""
    lines: Sequence[BoardsLine]

    @property
    def of_places(self) -> bool:
        """True if its ratios have ranges over places of the code."""
        return any(cell.row.ends for line in self.lines for cell in line.cells.values())


def boards_tables(result: Result, rows: Iterable[Row]) -> list[BoardsTable]:
    """One table for each metric, evidence and first target; none if no case was measured on two
    targets.
    """
    by_case = {(row.metric, row.evidence, row.id): row for row in rows}
    groups: dict[tuple[str, str, str], dict[CaseId, dict[str, BoardsCell]]] = {}
    for entry in result.ratios:
        metric, evidence, first, case = entry.metric, str(entry.evidence), entry.to, entry.id
        row = by_case.get((metric, evidence, case))
        base = by_case.get((metric, evidence, replace(case, target=first)))
        if row is None or base is None:
            continue
        cells = groups.setdefault((metric, evidence, first), {}).setdefault(
            case.without("target"), {first: BoardsCell(base)}
        )
        cells[case.target] = BoardsCell(
            row, _ratio_words(entry), entry.verdict in ("lower", "higher")
        )
    names = RunSettings.of(result.run.settings).boards
    return [_table(*key, cases, names) for key, cases in groups.items()]


def _table(
    metric: str,
    evidence: str,
    first: str,
    cases: Mapping[CaseId, Mapping[str, BoardsCell]],
    fleet_names: Mapping[str, str],
) -> BoardsTable:
    targets = list(dict.fromkeys([first, *(name for cells in cases.values() for name in cells)]))
    lines = [
        BoardsLine(
            case.scheme,
            " ".join(filter(None, (str(case.operation), input_of(case)))),
            case.implementation,
            cells,
        )
        for case, cells in cases.items()
    ]
    names = {name: fleet_names.get(name) or marked(name) for name in targets}
    title = f"{metric_words(metric)} by target, {evidence}"
    return BoardsTable(title[0].upper() + title[1:], targets, names, lines)


def _ratio_words(entry: Ratio) -> str:
    """``x 3.70 ±0.5 %``, with the interval where it is too wide for one number:
    ``x 3.7 [2.9, 4.6]``.
    """
    ratio, low, high = number(entry.ratio), number(entry.ci_low), number(entry.ci_high)
    if ratio is None:
        return "no ratio"
    least, most = number(entry.places_low), number(entry.places_high)
    if least is not None and most is not None:
        return f"x {ratio:.4g} ({least:.4g} to {most:.4g})"
    if low is None or high is None:
        return f"x {ratio:.3g} no interval"
    half, reached = (high - low) / 2 / ratio, entry.confidence or 0.0
    short = "" if reached >= _CONFIDENCE else f" at {100 * reached:.0f} %"
    return (
        f"x {ratio:.4g} {percent(half)}" if half < 0.1 else f"x {ratio:.3g} [{low:.3g}, {high:.3g}]"
    ) + short


PLACES_HEADING = "Cycles by the place of the code, simulated: no place is more right than another"


@dataclass(frozen=True, slots=True)
class PlacesLine:
    """A case: the number of places, and cycles over them as texts."""

    case: CaseId
    places: int
    median: str
    least: str
    most: str
    spread: str

    @property
    def input(self) -> str:
        """Input as text; empty without one."""
        return input_of(self.case)


def places_lines(result: Result) -> list[PlacesLine]:
    """The cases of a run; none if nothing was measured at several places."""
    entries = [entry for entry in result.placements if entry.metric == "cycles"]
    return [
        PlacesLine(
            case=entry.id,
            places=entry.places,
            median=_count(entry.median),
            least=_count(entry.least),
            most=_count(entry.most),
            spread=_percent(entry.spread),
        )
        for entry in entries
    ]


def _count(cycles: float) -> str:
    return f"{cycles:,.0f}"


def _percent(spread: float) -> str:
    if 0 < spread < 0.0005:
        return "<0.1 %"
    return f"{100 * spread:.1f} %" if spread else "0 %"


CORES_HEADING = "Throughput of all cores together, and how often it is that of one core"


@dataclass(frozen=True, slots=True)
class CoresLine:
    """A case, apart from the number of cores, and a text for each number."""

    case: CaseId
    cells: tuple[str, ...]

    @property
    def input(self) -> str:
        """Input as text; empty without one."""
        return self.case.input_words() if self.case.input_bytes or not self.case.bare else ""


@dataclass(frozen=True, slots=True)
class CoresTable:
    """``counts``: the numbers of cores, a column each."""

    counts: tuple[int, ...]
    lines: tuple[CoresLine, ...]

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return [f"{count} core{'s' * (count > 1)}" for count in self.counts]


def cores_table(result: Result, rows: Sequence[Row]) -> CoresTable | None:
    """Table of numbers of cores; None without cases on several cores. ``rows``: those of the
    result, of every metric.
    """
    times = [row for row in rows if row.cores and row.metric == "time"]
    if not times:
        return None
    groups: dict[CaseId, dict[int, Row]] = defaultdict(dict)
    for row in times:
        groups[row.id.without("cores")][row.cores] = row
    ratios = {entry.id: entry for entry in result.scaling}
    counts = tuple(sorted({row.cores for row in times}))
    lines = (
        CoresLine(case, tuple(_cores_cell(by_count.get(count), ratios) for count in counts))
        for case, by_count in groups.items()
    )
    return CoresTable(counts, tuple(lines))


def _cores_cell(row: Row | None, ratios: Mapping[CaseId, Scaling]) -> str:
    if row is None or row.median <= 0:
        return "n/a"
    per_second = 1e9 / row.median
    text = format_value(per_second * row.size, "B/s") if row.size else f"{per_second:.4g}/s"
    if not row.quotable:
        return unquotable(text)
    scaled = ratios.get(row.id)
    if scaled is None:
        return text
    speedup, low, high = scaled.speedup, scaled.ci_low, scaled.ci_high
    if low is None or high is None:
        return f"{text} x{speedup:.3g}"
    spread = f" {percent(max(high - speedup, speedup - low) / speedup)}"
    return f"{text} x{speedup:.3g}{spread}"


# Warm-up: every batch of the first invocation before its samples, compared with the steady state of
# all


MAX_POINTS = 60_000
"""Largest number of batches in a page; beyond that, each curve keeps its whole beginning and evenly
spaced batches of the rest.
"""
_FEWEST = 40


def _steady(rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    return {row.case: row for row in rows if row.metric == "time"}


def note_of(row: Row) -> str:
    """The note that a case did not reach its steady state, or an empty text."""
    return next((note for note in row.notes if note.startswith(UNSTEADY)), "")


def _first(row: Row) -> tuple[float, ...]:
    """The batches of the first invocation."""
    if len(row.invocations) != len(row.values):
        return row.values
    return tuple(
        value
        for value, invocation in zip(row.values, row.invocations, strict=True)
        if invocation == row.invocations[0]
    )


def curves(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Per case its batches in order, the batch the steady state was found to begin with, its median
    and interval.

    ``at`` numbers the batches from 1, ``values`` are their times in ns, ``begins`` is such a number
    or None.
    """
    curve_rows = [row for row in rows if row.is_curve and row.values]
    steady = _steady(rows)
    keep = max(_FEWEST, MAX_POINTS // max(1, len(curve_rows)))
    return [_curve(row, steady.get(row.case), keep) for row in curve_rows]


def _curve(row: Row, steady: Row | None, keep: int) -> dict[str, Any]:
    values, begins = _first(row), _begins(row)
    places = kept_places(len(values), keep)
    return {
        "index": row.index,
        "scheme": row.scheme,
        "implementation": row.implementation,
        "operation": row.operation,
        "size": row.size,
        "file": row.beside_words,
        "target": row.target,
        "evidence": row.evidence,
        "at": [place + 1 for place in places],
        "values": [float(f"{values[place]:.5g}") for place in places],
        "thinned": len(places) < len(values),
        "steady": steady and [steady.median, steady.ci_low, steady.ci_high],
        "begins": begins,
        "said": _said(row, steady),
    }


def _begins(row: Row) -> int | None:
    """Number of the first batch of the steady state; None if none was found."""
    # The batches of this invocation show whether it reached its steady state; without them, the
    # note of the case does.
    place = None if note_of(row) and not row.invocations else steady_from(_first(row))
    return None if place is None else place + 1


def kept_places(count: int, keep: int) -> list[int]:
    """The batches of ``count`` that are drawn: all, or the first half of ``keep`` and evenly spaced
    ones to the last."""
    if count <= keep:
        return list(range(count))
    head = keep // 2
    step = (count - 1 - head) / (keep - head - 1)
    return [*range(head), *(round(head + place * step) for place in range(keep - head))]


def _said(row: Row, steady: Row | None) -> str:
    values, begins = _first(row), _begins(row)
    count, processes = len(values), len(set(row.invocations))
    batches = f"{count} {'batch' if count == 1 else 'batches'} before the first sample"
    if processes > 1:
        batches += f" of the first of {processes} invocations"
    if begins is not None:
        batches += f", steady from number {begins} on"
    note = note_of(row)
    if note:
        return f"{batches}; {note}: the samples may hold some of the warm-up."
    if steady is None or steady.median <= 0:
        return f"{batches}."
    first = values[0] / steady.median
    how = (
        f"{first:.3g} times the steady {steady.text}"
        if first >= 1.1
        else f"about the steady {steady.text}"
    )
    return f"{batches}; the first took {how} ({steady.spread})."


def unsteady(rows: Sequence[Row]) -> list[str]:
    """A sentence for each case that did not reach its steady state, or left it."""
    out = []
    for row in rows:
        notes = [note for note in row.notes if note.startswith((UNSTEADY, SLOWER, CHANGED))]
        if row.is_curve and notes:
            size = f", {size_words(row.size)}" if row.size else ""
            where = f"{row.scheme} by {row.implementation}, {operation_words(row.operation)}{size}"
            out.append(f"{where}: {'; '.join(notes)}.")
    return out


def footnote(rows: Sequence[Row]) -> str:
    """The footnote of the table: cases whose samples count only from the steady state on, and cases
    without one; may be empty."""
    warmed = [row for row in rows if row.is_curve]
    if not warmed:
        return ""
    text = (
        f"{', '.join(sorted({row.implementation for row in warmed}))}: warmed up; no warm-up "
        "counts as a sample."
    )
    batches = [row.batches for row in rows if row.batches is not None and row.metric == "time"]
    if batches:
        least, most = min(batches), max(batches)
        batch_words = f"{most} batches" if least == most else f"{least} to {most} batches"
        text += f" Their n counts invocations (processes), each with the median of {batch_words}."
    failed = sum(bool(note_of(row)) for row in warmed)
    if failed:
        text += f" {failed} of {len(warmed)} cases got to no steady state"
        text += " in some invocations" if batches else ""
        text += ": their samples may hold some of the warm-up."
    return text
