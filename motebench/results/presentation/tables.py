"""Lines of the tables beside the main one: targets of a run, places of code, numbers of cores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.base.identity import CaseId
from motebench.base.naming import usual
from motebench.base.units import format_value
from motebench.documents.result import Ratio, Result, Scaling
from motebench.results.presentation.recorded import RunSettings
from motebench.results.presentation.rows import METRIC_WORDS, Row, input_of, number, percent, unquotable

_CONFIDENCE = 0.985
"""Less is said: the interval is one of 99 %."""


@dataclass(frozen=True, slots=True)
class BoardsCell:
    """A case on a target. ``ratio``: to the first target, with the interval's half width; empty for the first."""

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
    """Cases of one metric and evidence. ``targets``: the first one is what the others are divided by."""

    title: str
    targets: Sequence[str]
    names: Mapping[str, str]
    """What each target is called: its name in the fleet file, if it has one."""
    lines: Sequence[BoardsLine]


def boards_tables(result: Result, rows: Iterable[Row]) -> list[BoardsTable]:
    """One table for each metric, evidence and first target; none if no case was measured on two targets."""
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
        cells[case.target] = BoardsCell(row, _ratio_words(entry), entry.verdict in ("lower", "higher"))
    names = RunSettings.of(result.run.settings).boards
    return [_table(*key, cases, names) for key, cases in groups.items()]


def _table(
    metric: str, evidence: str, first: str, cases: Mapping[CaseId, Mapping[str, BoardsCell]], known: Mapping[str, str]
) -> BoardsTable:
    targets = list(dict.fromkeys([first, *(name for cells in cases.values() for name in cells)]))
    lines = [
        BoardsLine(
            case.scheme, " ".join(filter(None, (str(case.operation), input_of(case)))), case.implementation, cells
        )
        for case, cells in cases.items()
    ]
    names = {name: known.get(name) or name for name in targets}
    title = f"{METRIC_WORDS.get(metric, metric)} by target, {evidence}"
    return BoardsTable(title[0].upper() + title[1:], targets, names, lines)


def _ratio_words(entry: Ratio) -> str:
    """``x 3.70 ±0.5 %``, with the interval where it is too wide for one number: ``x 3.7 [2.9, 4.6]``."""
    ratio, low, high = number(entry.ratio), number(entry.ci_low), number(entry.ci_high)
    if ratio is None:
        return "no ratio"
    if low is None or high is None:
        return f"x {ratio:.3g} no interval"
    half, reached = (high - low) / 2 / ratio, entry.confidence or 0.0
    short = "" if reached >= _CONFIDENCE else f" at {100 * reached:.0f} %"
    return (f"x {ratio:.4g} {percent(half)}" if half < 0.1 else f"x {ratio:.3g} [{low:.3g}, {high:.3g}]") + short


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
        """The input as text; empty if there is none."""
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


def at_usual_places(rows: Sequence[Row]) -> list[Row]:
    """Without the rows of a target whose code is elsewhere, where the same target has rows at the usual place."""
    names = usual(row.target for row in rows)
    return [row for row in rows if row.target in names]


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
        """The input as text; empty if there is none."""
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
    """None if nothing was measured on several cores. ``rows``: those of the result, of every metric."""
    times = [row for row in rows if row.cores and row.metric == "time"]
    if not times:
        return None
    groups: dict[CaseId, dict[int, Row]] = defaultdict(dict)
    for row in times:
        groups[row.id.without("cores")][row.cores] = row
    ratios = {entry.id: entry for entry in result.scaling}
    counts = tuple(sorted({row.cores for row in times}))
    lines = (
        CoresLine(case, tuple(_cores_cell(found.get(count), ratios) for count in counts))
        for case, found in groups.items()
    )
    return CoresTable(counts, tuple(lines))


def _cores_cell(row: Row | None, ratios: Mapping[CaseId, Scaling]) -> str:
    if row is None or row.median <= 0:
        return "n/a"
    per_second = 1e9 / row.median
    text = format_value(per_second * row.size, "B/s") if row.size else f"{per_second:.4g}/s"
    if not row.quotable:
        return unquotable(text)
    found = ratios.get(row.id)
    if found is None:
        return text
    speedup, low, high = found.speedup, found.ci_low, found.ci_high
    if low is None or high is None:
        return f"{text} x{speedup:.3g}"
    spread = f" {percent(max(high - speedup, speedup - low) / speedup)}"
    return f"{text} x{speedup:.3g}{spread}"
