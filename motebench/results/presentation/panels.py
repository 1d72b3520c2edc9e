"""Panels of a picture of one metric: bars of the same work side by side, or lines over the size of
the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.units import MAIN, UnitScale, common_scale, metric, metric_words
from motebench.catalog.proof import marked, unproven_words
from motebench.documents.result import Result
from motebench.results.presentation.by_size import exact_words, size_of
from motebench.results.presentation.rows import (
    CONFIDENCE,
    Row,
    beside_words,
    operation_words,
    rows_of,
    size_words,
)
from motebench.results.selection import ChosenCases, cost_of, costs_of


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows that are drawn on one axis. ``lines``: over the size of the input."""

    title: str
    rows: Sequence[Row]
    lines: bool

    @property
    def one_scheme(self) -> bool:
        """True if all rows are of one scheme, which the title then names."""
        return len({row.scheme for row in self.rows}) == 1


@dataclass(frozen=True, slots=True)
class PanelSet:
    """Panels of a run. ``evidence``: that of each panel, in their titles."""

    metric: str
    panels: Sequence[Panel]
    failures: Sequence[Failure]

    @property
    def rows(self) -> list[Row]:
        """The rows of all panels."""
        return [row for panel in self.panels for row in panel.rows]

    @property
    def implementations(self) -> list[str]:
        """Each implementation once, in the order of the first panel that has it."""
        return list(dict.fromkeys(row.implementation for row in self.rows))

    @property
    def scale(self) -> UnitScale:
        """The unit of all axes."""
        return common_scale([row.median for row in self.rows], metric(self.metric).unit)

    @property
    def lines_notes(self) -> list[str]:
        """The meaning of the lines across the ends of bars and points of a picture."""
        rows = self.rows
        notes = []
        if any(row.ends for row in rows):
            notes.append(
                f"Lines: least and most over {max(row.places for row in rows)} places of the code."
            )
        sure = [
            row.confidence or CONFIDENCE
            for row in rows
            if row.half_width is not None and not row.exact
        ]
        if sure:
            more = " or more" if min(sure) < CONFIDENCE else ""
            notes.append(f"Lines: intervals of {100 * min(CONFIDENCE, *sure):.0f} %{more}.")
        return notes

    @property
    def notes(self) -> list[str]:
        """Sentences on the meaning of marks, and on omitted values."""
        rows = self.rows
        notes = []
        if rows and all(row.exact for row in rows):
            notes.append(exact_words(rows))
        if lost := sum(not row.quotable for row in rows):
            notes.append(f"Hollow: disturbed, not to be quoted ({lost} of {len(rows)}).")
        notes += unproven_words(dict.fromkeys(row.target for row in rows))
        if count := len(self.failures):
            notes.append(f"Not shown: {count} {'case' if count == 1 else 'cases'} that failed.")
        return notes


def panels_of(result: Result, chosen: ChosenCases, *, by_size: bool, where: str) -> PanelSet:
    """The panels of a run, with all its measurements. ``by_size``: lines over the size, where an
    operation has several.

    InputError if several metrics are chosen, or no case has a number; ``where``: what chose the
    metrics.
    """
    rows = [row for row in rows_of(result) if not row.is_curve]
    chosen_rows = [row for row in rows if chosen.keeps(row)]
    name = _metric(chosen, chosen_rows, where)
    drawn = [row for row in chosen_rows if row.metric == name]
    if chosen.sort is not None:
        costs = costs_of(rows, chosen.sort)
        drawn.sort(key=lambda row: costs.get(row.id, cost_of(None)))
    # Panels in the order of operations and sizes, whatever orders their rows.
    groups: dict[tuple[CaseId, str], list[Row]] = {
        _key(row, by_size=by_size): [] for row in chosen_rows if row.metric == name
    }
    for row in drawn:
        groups[_key(row, by_size=by_size)].append(row)
    panels = [_panel(members, by_size=by_size) for members in groups.values()]
    return PanelSet(name, panels, [failure for failure in result.failures if chosen.keeps(failure)])


def _metric(chosen: ChosenCases, rows: Sequence[Row], where: str) -> str:
    """The metric that is drawn."""
    present = dict.fromkeys(row.metric for row in rows)
    if len(chosen.metrics) > 1:
        raise InputError(
            "a picture has one metric",
            where=where,
            valid=", ".join(chosen.metrics),
            hint="draw a picture for each",
        )
    name = next(iter(chosen.metrics or [name for name in MAIN if name in present] or present), None)
    if name is None or name not in present:
        problem = (
            "no case gave a number" if name is None else f"no chosen case has {metric_words(name)}"
        )
        raise InputError(
            problem,
            where=where,
            valid=", ".join(present) or None,
            hint="motebench show has the failures",
        )
    return name


def _key(row: Row, *, by_size: bool) -> tuple[CaseId, str]:
    size = ("input_bytes",) if by_size else ()
    return row.without("scheme", "implementation", *size), row.evidence


def _panel(rows: Sequence[Row], *, by_size: bool) -> Panel:
    """Lines for the operations that have several sizes, else bars."""
    if by_size and len({size_of(row) for row in rows}) > 1:
        series = sorted(rows, key=lambda row: (row.scheme, row.implementation, row.size))
        return Panel(_title(rows, lines=True), series, lines=True)
    return Panel(_title(rows, lines=False), rows, lines=False)


def _title(rows: Sequence[Row], *, lines: bool) -> str:
    """Title of rows by their common properties: ``encrypt one message, 16 B, simulated, on
    sim:samd21g18a``."""
    row = rows[0]
    schemes = {row.scheme for row in rows}
    sized = not lines and (row.size or (row.takes_input and not row.on_file))
    parts = (
        row.scheme if len(schemes) == 1 and not row.is_copy else "",
        operation_words(row.operation),
        size_words(row.size) if sized else "",
        row.file or beside_words(row),
        row.evidence,
        f"on {marked(row.target)}",
    )
    return ", ".join(part for part in parts if part)
