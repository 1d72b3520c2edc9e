"""Tables of one metric with a column for each size of the input, as papers print them: a row for
each scheme, implementation and operation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.units import MAIN, Better, UnitScale, common_scale, format_size, metric
from motebench.catalog.proof import marked
from motebench.documents.result import Result
from motebench.results.presentation.rows import CONFIDENCE, Row, beside_words, percent, rows_of
from motebench.results.selection import ChosenCases, Costs, costs_of

NO_INPUT = -1
"""The column of operations that take no input."""
MISSING = "n/a"


@dataclass(frozen=True, slots=True)
class SizesLine:
    """A row of the table: the figures by size, and the kinds of failures where there is none."""

    scheme: str
    implementation: str
    operation: str
    figures: Mapping[int, Row]
    failed: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SizesTable:
    """Figures of one metric, evidence and target, all in one unit."""

    metric: str
    evidence: str
    target: str
    scale: UnitScale
    sizes: Sequence[int]
    lines: Sequence[SizesLine]

    @property
    def rows(self) -> list[Row]:
        """Every figure."""
        return [row for line in self.lines for row in line.figures.values()]

    @property
    def measure(self) -> str:
        """The metric with the unit of all figures: ``time (µs)``."""
        name, unit = metric(self.metric).words, self.scale.unit
        return name if unit in ("1", name) else f"{name} ({unit})"

    @property
    def title(self) -> str:
        """``time (µs), simulated, on sim:samd21g18a, lower is better``."""
        better = metric(self.metric).better
        direction = "" if better is Better.NEITHER else f", {better.value} is better"
        return f"{self.measure}, {self.evidence}, on {marked(self.target)}{direction}"

    @property
    def heads(self) -> list[str]:
        """The heads of the columns of figures."""
        return ["no input" if size == NO_INPUT else format_size(size) for size in self.sizes]

    def texts(self, line: SizesLine) -> list[str]:
        """The figures of a row without their unit; ``~`` marks one that must not be quoted, a
        failure has its kind."""
        return [self._text(line, size) for size in self.sizes]

    def _text(self, line: SizesLine, size: int) -> str:
        row = line.figures.get(size)
        if row is None:
            return line.failed.get(size, MISSING)
        text = self.scale.within(row.median, row.ci_low, row.ci_high)
        return text if row.quotable else f"~{text}"

    @property
    def notes(self) -> list[str]:
        """The marks of the figures and how far these can be trusted, each as a sentence."""
        rows = self.rows
        lost = sum(not row.quotable for row in rows)
        notes = [f"~: disturbed, not to be quoted ({lost} of {len(rows)})."] if lost else []
        return [*notes, *_interval_notes(rows), *_place_notes(rows)]


def _interval_notes(rows: Sequence[Row]) -> list[str]:
    """The widths of the intervals of these figures."""
    if rows and all(row.exact for row in rows):
        return [exact_words(rows)]
    quotable = [row for row in rows if row.quotable]
    widths = [row.half_width for row in quotable if row.half_width is not None]
    if not widths:
        return ["No figure has an interval: too few samples."] if quotable else []
    ends = list(dict.fromkeys(percent(end) for end in (min(widths), max(widths))))
    reached = [CONFIDENCE if row.confidence is None else row.confidence for row in quotable]
    sure = min(CONFIDENCE, *reached) if len(reached) > 1 else min(CONFIDENCE, reached[0])
    text = f"Intervals of {100 * sure:.0f} % around the figures: {' to '.join(ends)}"
    without = len(quotable) - len(widths)
    return [f"{text}; {without} have none." if without else f"{text}."]


def exact_words(rows: Iterable[Row]) -> str:
    """A sentence on figures without noise."""
    where = " at each place" if any(row.ends for row in rows) else ""
    return f"Exact{where}: the simulator gave equal readings."


def _place_notes(rows: Sequence[Row]) -> list[str]:
    """Note on the range of these figures over other places of the code; empty if none was
    measured."""
    moved = [
        (end / row.median - 1, row.places)
        for row in rows
        for end in (row.places_least, row.places_most)
        if end is not None and row.median
    ]
    if not moved:
        return []
    low, high = (100 * end for end in (min(moved)[0], max(moved)[0]))
    return [
        f"Code at its usual place: at {max(count for _, count in moved)} places, figures are "
        f"{low:+.1f} to {high:+.1f} % from these."
    ]


def sizes_tables(result: Result, chosen: ChosenCases) -> list[SizesTable]:
    """The tables of a run, with all its measurements: one for each chosen metric, evidence and
    target.

    Without chosen metrics: of the main one, or the first. Rows stand in the order of the
    operations, each by name, or the best at the largest size first.
    """
    rows = [row for row in rows_of(result) if not row.is_curve]
    costs = {} if chosen.sort is None else costs_of(rows, chosen.sort)
    chosen_rows = [row for row in rows if chosen.keeps(row)]
    present = list(dict.fromkeys(row.metric for row in chosen_rows))
    names = [*chosen.metrics] or ([name for name in MAIN if name in present] or present)[:1]
    failures = [failure for failure in result.failures if chosen.keeps(failure)]
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in sorted(
        filter(lambda row: row.metric in names, chosen_rows),
        key=lambda row: names.index(row.metric),
    ):
        groups.setdefault((row.metric, row.evidence, row.target), []).append(row)
    return [_table(*key, members, failures, costs) for key, members in groups.items()]


def _table(
    name: str,
    evidence: str,
    target: str,
    rows: Sequence[Row],
    failures: Iterable[Failure],
    costs: Costs,
) -> SizesTable:
    failed = {failure.id: str(failure.kind) for failure in failures}
    figures: dict[CaseId, dict[int, Row]] = {}
    for row in rows:
        figures.setdefault(row.without("input_bytes"), {})[size_of(row)] = row
    sizes = sorted({size for by_size in figures.values() for size in by_size})
    places = {
        operation: place
        for place, operation in enumerate(dict.fromkeys(row.operation for row in rows))
    }

    def order(case: CaseId) -> tuple[int, float, str, str]:
        by_size = figures[case]
        cost = costs.get(by_size[max(by_size)].id, math.inf)
        return places[str(case.operation)], cost, case.scheme, case.implementation

    lines = [
        SizesLine(
            case.scheme,
            case.implementation,
            _operation(case),
            figures[case],
            _failed(case, sizes, failed),
        )
        for case in sorted(figures, key=order)
    ]
    scale = common_scale([row.median for row in rows], metric(name).unit)
    return SizesTable(name, evidence, target, scale, sizes, lines)


def size_of(row: Row) -> int:
    """The column of a row."""
    return row.size if row.takes_input or row.on_file else NO_INPUT


def _operation(case: CaseId) -> str:
    """The operation with its further inputs."""
    return ", ".join(filter(None, (str(case.operation), beside_words(case), case.file)))


def _failed(case: CaseId, sizes: Iterable[int], failed: Mapping[CaseId, str]) -> dict[int, str]:
    kinds = {size: failed.get(replace(case, input_bytes=max(size, 0))) for size in sizes}
    return {size: kind for size, kind in kinds.items() if kind is not None}
