"""Pages over many runs: the history of one case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

from motebench.base.errors import InputError, NotFoundError
from motebench.base.identity import CaseId
from motebench.base.shapes import plain
from motebench.base.units import METRICS, format_value, metric_words
from motebench.documents.result import ResultsEntry, StoredMeasurement
from motebench.results.presentation.rows import case_words, share_words
from motebench.show.export.csv import COLUMNS, csv_text
from motebench.show.site import SiteQuery, address, store_filter
from motebench.show.site.figures import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    FigureMark,
    SiteFigure,
    figure_files,
    padded,
    ticks,
)
from motebench.show.site.views import (
    Site,
    SitePage,
    StoredRow,
    case_number,
    form_content,
    json_text,
    one_metric,
    stored_measurement,
)
from motebench.stats import SHORTEST, changes
from motebench.store import Store
from motebench.targets.machine import differences

MOST_RUNS = 200
"""The newest runs of a history: each may have to be read."""
_MOST_CASES = 60
"""Cases that are offered where several fit."""
_DATES = 6
"""Dates below a picture."""
_FIRST_METRICS = ("time", "cycles")


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A run of a history: what changed since the run before, and whether a new level begins."""

    stored: StoredRow
    group: int
    """Number of its version and compiler."""
    changed: tuple[str, ...]
    change: str
    """Its median against that of the run before."""
    before: int | None
    """The number of the run before."""
    new_level: bool


@dataclass(frozen=True, slots=True)
class BuildGroup:
    """The runs of one version of a library by one compiler."""

    number: int
    library: str | None
    compiler: str | None
    points: tuple[StoredRow, ...]

    @property
    def median(self) -> float:
        """The median of the medians of its runs."""
        return median(point.row.median for point in self.points)

    @property
    def least(self) -> float:
        """The least median."""
        return min(point.row.median for point in self.points)

    @property
    def most(self) -> float:
        """The largest median."""
        return max(point.row.median for point in self.points)


def history(site: Site, query: SiteQuery) -> SitePage:
    """One metric of one case over runs; where several cases fit, their list."""
    with site.open() as store:
        names = site.names(store)
        chosen = replace(store_filter(query, names), case=_identity(store, query))
        cases = store.case_identities(chosen, _MOST_CASES + 1)
        content: dict[str, Any] = {**form_content(query, names), "points": [], "figure": None}
        if len(cases) != 1:
            content["offered"] = _offered(query, cases)
            files = {form: lambda: _no_history(cases) for form in ("csv", "json")}
            return SitePage("history.html.j2", "History", content, files)
        total, places = store.case_places(replace(chosen, case=cases[0]), 0, MOST_RUNS)
        rows = [row for row in site.rows(store, places, tuple(METRICS)) if not row.row.is_curve]
    metrics = list(dict.fromkeys(stored.row.metric for stored in rows))
    usual = next((name for name in (*_FIRST_METRICS, *metrics) if name in metrics), "time")
    name = one_metric(query, usual)
    points = _points([stored for stored in rows if stored.row.metric == name])
    figure = _history_figure(points, f"{metric_words(name)} over runs: {case_words(cases[0])}")
    entries = tuple(map(_history_entry, reversed(points)))
    columns = ("run", "run_name", "started", "library", "compiler", "new_level", *COLUMNS)
    return SitePage(
        "history.html.j2",
        f"History of {case_words(cases[0])}",
        {
            **content,
            "choices": {**content["choices"], "metric": metrics},
            "given": {**query.values, **_given(cases[0]), "metric": name},
            "case": cases[0],
            "metric": name,
            "points": points[::-1],
            "groups": _groups([point.stored for point in points]),
            "figure": figure,
            "enough": 2 * SHORTEST,
            "exact": all(point.stored.row.exact for point in points),
            "left": total - len(places),
            "offered": [],
        },
        {
            "json": lambda: json_text(
                ResultsEntry(metric=name, total=len(entries), first=0, measurements=entries)
            ),
            "csv": lambda: csv_text(
                columns,
                ([plain(getattr(entry, key, None)) for key in columns] for entry in entries),
            ),
            **figure_files(figure),
        },
    )


def _identity(store: Store, query: SiteQuery) -> CaseId | None:
    """The identity of the case whose number a query has; None without a number. NotFoundError if
    the store has no such case.
    """
    text = query.get("case")
    if not text:
        return None
    identity = store.identity_of(case_number(text))
    if identity is None:
        raise NotFoundError(f"the store has no case {text}", where="case", hint="/results")
    return identity


def _no_history(cases: Sequence[CaseId]) -> str:
    if not cases:
        raise NotFoundError("no measured case fits", hint="/results")
    raise InputError(
        f"{len(cases)} cases fit" if len(cases) <= _MOST_CASES else "many cases fit",
        valid="one case: scheme, implementation, operation, size and target, or case",
        hint=f"such as {case_words(cases[0])}",
    )


def _given(case: CaseId) -> dict[str, str]:
    """The fields of a form for a case."""
    return {
        "scheme": case.scheme,
        "implementation": case.implementation,
        "operation": case.operation or "",
        "size": str(case.input_bytes) if case.input_bytes else "",
        "target": case.target,
    }


def _offered(query: SiteQuery, cases: Sequence[CaseId]) -> list[tuple[str, str]]:
    """Cases to choose from, with their addresses."""
    return [
        (case_words(case), query.address("/history", case=None, **_given(case)))
        for case in cases[:_MOST_CASES]
    ]


def _points(rows: Sequence[StoredRow]) -> list[HistoryPoint]:
    """The points of a history, the oldest first."""
    ordered = sorted(rows, key=lambda stored: (stored.run.started, stored.run.id))
    groups = {
        key: group.number for group in _groups(ordered) for key in [(group.library, group.compiler)]
    }
    begins = _level_starts(ordered)
    points = []
    for place, stored in enumerate(ordered):
        before = ordered[place - 1] if place else None
        points.append(
            HistoryPoint(
                stored,
                groups[stored.library, stored.compiler],
                _changed(before, stored) if before else (),
                _change(before, stored) if before else "",
                before.run.id if before else None,
                place in begins,
            )
        )
    return points


def _level_starts(ordered: Sequence[StoredRow]) -> frozenset[int]:
    """Places of the runs with which a new level begins: numbers without noise are a new level
    wherever they differ.
    """
    medians = [stored.row.median for stored in ordered]
    if all(stored.row.exact for stored in ordered):
        pairs = enumerate(pairwise(medians), 1)
        return frozenset(place for place, (before, after) in pairs if before != after)
    return frozenset(changes(medians))


def _groups(ordered: Sequence[StoredRow]) -> list[BuildGroup]:
    """Runs by version and compiler, in the order of their first run."""
    members: dict[tuple[str | None, str | None], list[StoredRow]] = {}
    for stored in ordered:
        members.setdefault((stored.library, stored.compiler), []).append(stored)
    return [
        BuildGroup(number, *build, tuple(rows))
        for number, (build, rows) in enumerate(members.items())
    ]


def _changed(before: StoredRow, after: StoredRow) -> tuple[str, ...]:
    """Facts that differ from those of the run before; of simulators not those of the machine."""
    facts = (
        ("library", before.library, after.library),
        ("compiler", before.compiler, after.compiler),
        ("motebench", before.run.version, after.run.version),
    )
    changed = [f"{name} {new or 'not known'}" for name, old, new in facts if old != new]
    if after.row.evidence != "simulated":
        differing = differences(before.environment, after.environment)
        changed += [f"another {difference.meaning}" for difference in differing]
    return tuple(changed)


def _change(before: StoredRow, after: StoredRow) -> str:
    old, new = before.row.median, after.row.median
    if not old or old == new:
        return "equal" if old == new else ""
    return f"{'+' if new > old else '-'}{share_words(abs(new / old - 1))}"


def _history_entry(point: HistoryPoint) -> StoredMeasurement:
    stored = point.stored
    return replace(
        stored_measurement(stored),
        started=stored.run.started,
        library=stored.library,
        compiler=stored.compiler,
        new_level=point.new_level,
    )


def _history_figure(points: Sequence[HistoryPoint], label: str) -> SiteFigure | None:
    """Medians with their intervals in the order of runs; None without two."""
    if len(points) < 2:
        return None
    rows = [point.stored.row for point in points]
    ends = [row.median for row in rows]
    ends += [end for row in rows for end in (row.ci_low, row.ci_high) if end is not None]
    up = Axis(*padded(ends), HEIGHT - BOTTOM, TOP + 16)
    across = Axis(0, len(points) - 1, LEFT + 16, WIDTH - RIGHT - 22)
    step = -(-len(points) // _DATES)
    starts = [0, *(place for place, point in enumerate(points) if point.new_level)]
    stops = [*starts[1:], len(points)]
    return SiteFigure(
        label=label,
        x_ticks=[
            (across(place), points[place].stored.run.started[:10])
            for place in range(0, len(points), step)
        ],
        y_ticks=ticks(up, rows[0].unit),
        marks=[
            FigureMark(
                across(place),
                up(point.stored.row.median),
                f"{point.stored.run.started[:10]}, run {point.stored.run.name}: "
                f"{format_value(point.stored.row.median, point.stored.row.unit, 4)}",
                group=point.group,
                link=address(point.stored.path, {"metric": point.stored.row.metric}),
            )
            for place, point in enumerate(points)
        ],
        bars=[
            (across(place), up(row.ci_low), up(row.ci_high))
            for place, row in enumerate(rows)
            if row.ci_low is not None and row.ci_high is not None and row.ci_low != row.ci_high
        ],
        rules=[
            (across(start), across(stop - 1), up(median(row.median for row in rows[start:stop])))
            for start, stop in zip(starts, stops, strict=True)
        ],
        seams=[(across(place - 0.5), points[place].change) for place in starts[1:]],
    )
