"""The targets of a run beside each other: a line for each case, a column for each target, ratios with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.base.identity import CaseId
from motebench.results.presentation.rows import METRIC_WORDS, Row, input_of, percent

_CONFIDENCE = 0.985
"""Less is said: the interval is one of 99 %."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A case on a target. ``ratio``: to the first target, with the interval's half width; empty for the first."""

    row: Row
    ratio: str = ""
    different: bool = False

    @property
    def text(self) -> str:
        """Median and ratio."""
        return f"{self.row.text} {self.ratio}".rstrip()


@dataclass(frozen=True, slots=True)
class Line:
    """One case; the cells by target."""

    scheme: str
    operation: str
    implementation: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """Cases of one metric and evidence. ``targets``: the first one is what the others are divided by."""

    title: str
    targets: Sequence[str]
    names: Mapping[str, str]
    """What each target is called: its name in the fleet file, if it has one."""
    lines: Sequence[Line]


def tables(document: Mapping[str, Any], rows: Iterable[Row]) -> list[Table]:
    """One table for each metric, evidence and first target; none if no case was measured on two targets."""
    by_case = {(row.metric, row.evidence, row.id): row for row in rows}
    groups: dict[tuple[str, str, str], dict[CaseId, dict[str, Cell]]] = {}
    for entry in document.get("ratios") or ():
        metric, evidence, first = str(entry["metric"]), str(entry["evidence"]), str(entry["to"])
        case = CaseId.of(entry)
        row = by_case.get((metric, evidence, case))
        base = by_case.get((metric, evidence, CaseId(**{**case.identity(), "target": first})))
        if row is None or base is None:
            continue
        cells = groups.setdefault((metric, evidence, first), {}).setdefault(case.without("target"), {first: Cell(base)})
        cells[case.target] = Cell(row, _words(entry), entry.get("verdict") in ("lower", "higher"))
    known = (document.get("run") or {}).get("settings", {}).get("boards") or {}
    return [_table(*key, cases, known) for key, cases in groups.items()]


def _table(
    metric: str, evidence: str, first: str, cases: Mapping[CaseId, Mapping[str, Cell]], known: Mapping[str, Any]
) -> Table:
    targets = list(dict.fromkeys([first, *(name for cells in cases.values() for name in cells)]))
    lines = [
        Line(case.scheme, " ".join(filter(None, (str(case.operation), input_of(case)))), case.implementation, cells)
        for case, cells in cases.items()
    ]
    names = {name: str(known.get(name) or name) for name in targets}
    title = f"{METRIC_WORDS.get(metric, metric)} by target, {evidence}"
    return Table(title[0].upper() + title[1:], targets, names, lines)


def _words(entry: Mapping[str, Any]) -> str:
    """``x 3.70 ±0.5 %``, with the interval where it is too wide for one number: ``x 3.7 [2.9, 4.6]``."""
    ratio, low, high = (entry.get(key) for key in ("ratio", "ci_low", "ci_high"))
    if ratio is None:
        return "no ratio"
    if low is None or high is None:
        return f"x {ratio:.3g} no interval"
    half, reached = (high - low) / 2 / ratio, float(entry.get("confidence") or 0)
    short = "" if reached >= _CONFIDENCE else f" at {100 * reached:.0f} %"
    return (f"x {ratio:.4g} {percent(half)}" if half < 0.1 else f"x {ratio:.3g} [{low:.3g}, {high:.3g}]") + short
