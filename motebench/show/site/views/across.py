"""Pages over many runs: the history of one case, the map of devices and schemes, and speed against
memory.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from statistics import median
from typing import Any

from motebench.base.errors import InputError, NotFoundError
from motebench.base.identity import CaseId
from motebench.base.naming import unplaced
from motebench.base.units import METRICS, common_scale, format_size, format_value, metric_words
from motebench.catalog.proof import device_of
from motebench.documents.result import ResultsEntry, StoredMeasurement
from motebench.results.presentation.rows import Row, case_words, share_words
from motebench.results.row import MeasurementRow
from motebench.show.site import SiteQuery, address, store_filter
from motebench.show.site.figures import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    FigureCell,
    FigureMark,
    SiteFigure,
    figure_files,
    logarithmic_axis,
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
    measurements_text,
    one_metric,
    series_of,
    stored_measurement,
)
from motebench.stats import SHORTEST, changes
from motebench.store import Store
from motebench.store.search import NewestCase, StoreFilter
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
        _result_files(name, entries, ("started", "library", "compiler", "new_level"), figure),
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
    groups = {(group.library, group.compiler): group.number for group in _groups(ordered)}
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
    intervals = _intervals(rows)
    ends = [row.median for row in rows] + [end for pair in intervals.values() for end in pair]
    up = Axis(*padded(ends), HEIGHT - BOTTOM, TOP + 16)
    across = Axis(0, len(points) - 1, LEFT + 16, WIDTH - RIGHT - 22)
    starts = [place for place, point in enumerate(points) if point.new_level]
    return SiteFigure(
        label=label,
        x_ticks=[
            (across(place), points[place].stored.run.started[:10])
            for place in range(0, len(points), math.ceil(len(points) / _DATES))
        ],
        y_ticks=ticks(up, rows[0].unit),
        marks=[
            FigureMark(
                across(place),
                up(point.stored.row.median),
                _point_words(point),
                group=point.group,
                link=address(point.stored.path, {"metric": point.stored.row.metric}),
            )
            for place, point in enumerate(points)
        ],
        bars=[(across(place), up(low), up(high)) for place, (low, high) in intervals.items()],
        rules=[
            (across(start), across(stop - 1), up(median(row.median for row in rows[start:stop])))
            for start, stop in pairwise([0, *starts, len(points)])
        ],
        seams=[(across(place - 0.5), points[place].change) for place in starts],
    )


def _intervals(rows: Sequence[Row]) -> dict[int, tuple[float, float]]:
    """Intervals of medians by the place of their row, where they have a length."""
    return {
        place: (row.ci_low, row.ci_high)
        for place, row in enumerate(rows)
        if row.ci_low is not None and row.ci_high is not None and row.ci_low != row.ci_high
    }


def _point_words(point: HistoryPoint) -> str:
    row = point.stored.row
    value = format_value(row.median, row.unit, 4)
    return f"{point.stored.run.started[:10]}, run {point.stored.run.name}: {value}"


# The newest results


PER_BYTE = "cycles_per_byte"
"""A metric of maps alone: cycles divided by the input."""
MAPPED = (
    "time",
    "cycles",
    PER_BYTE,
    "flash_net",
    "flash",
    "static_ram_net",
    "static_ram",
    "stack",
    "energy",
    "energy_per_byte",
)
"""Metrics of a map."""
_LEVELS = 6
"""Strengths of colour."""
_CELL = (96, 30)


@dataclass(frozen=True, slots=True)
class ChosenInput:
    """The operation and the size of a page, on one target if it is about one."""

    operation: str
    size: int
    target: str = ""

    def of(self, chosen: StoreFilter) -> StoreFilter:
        """The filter with this input."""
        narrowed = replace(chosen, operations=(self.operation,), sizes=(self.size,))
        return replace(narrowed, targets=(self.target,)) if self.target else narrowed

    def fits(self, case: NewestCase) -> bool:
        """True if a case has this input."""
        same_target = self.target in ("", case.target)
        return same_target and (case.operation, case.size) == (self.operation, self.size)

    def given(self) -> dict[str, str]:
        """The fields of a form."""
        fields = {"operation": self.operation, "size": format_size(self.size) if self.size else "0"}
        return {**fields, "target": self.target} if self.target else fields


def _most_measured(cases: Iterable[NewestCase], *, of_target: bool) -> ChosenInput | None:
    """The input that most implementations have among these cases."""
    counts: Counter[ChosenInput] = Counter()
    for case in cases:
        target = case.target if of_target else ""
        counts[ChosenInput(case.operation, case.size, target)] += 1
    order = sorted(
        counts, key=lambda entry: (-counts[entry], entry.target, entry.operation, entry.size)
    )
    return order[0] if order else None


def _places(cases: Iterable[NewestCase], chosen_input: ChosenInput | None) -> dict[int, list[int]]:
    """Ids of the cases of an input by run; none without an input."""
    places: dict[int, list[int]] = defaultdict(list)
    for case in cases:
        if chosen_input is not None and chosen_input.fits(case):
            places[case.run].append(case.id)
    return dict(places)


@dataclass(frozen=True, slots=True)
class MapCell:
    """The best result of a scheme on a target, with the number that a map shows of it.
    ``level``: strength of its colour, from 0 to 5.
    """

    stored: StoredRow
    value: float
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class MapTarget:
    """A column of a map."""

    target: str
    device: str


@dataclass(frozen=True, slots=True)
class DeviceMap:
    """Cells by scheme and target; ``heading``: the metric with the unit of all numbers."""

    heading: str
    schemes: Sequence[str]
    targets: Sequence[MapTarget]
    cells: Mapping[tuple[str, str], MapCell]


def device_map(site: Site, query: SiteQuery) -> SitePage:
    """Schemes against devices: each cell has the best implementation by the newest results."""
    metric = _map_metric(query)
    read = "cycles" if metric == PER_BYTE else metric
    with site.open() as store:
        names = site.names(store)
        chosen = store_filter(query, names)
        series = series_of(read)
        newest = store.newest_cases(chosen, series)
        chosen_input = _most_measured(newest, of_target=False)
        rows = site.rows(store, _places(newest, chosen_input), (read,), _best_of_schemes)
    drawn = _map_of(metric, [stored for stored in rows if _is_shown(stored, metric)])
    cells = [
        drawn.cells[scheme, column.target]
        for scheme in drawn.schemes
        for column in drawn.targets
        if (scheme, column.target) in drawn.cells
    ]
    content = form_content(query, names)
    given = chosen_input.given() if chosen_input else {}
    return SitePage(
        "map.html.j2",
        "Devices and schemes",
        {
            **content,
            "choices": {**content["choices"], "metric": MAPPED},
            "given": {**query.values, **given, "metric": metric},
            "input": chosen_input,
            "map": drawn,
            "evidences": sorted({cell.stored.row.evidence for cell in cells}),
            "better": METRICS[read].better.value,
        },
        _result_files(
            metric,
            tuple(_map_entry(cell, metric) for cell in cells),
            ("per_byte",) if metric == PER_BYTE else (),
            _map_figure(drawn),
        ),
    )


def _is_shown(stored: StoredRow, metric: str) -> bool:
    return stored.row.quotable and (metric != PER_BYTE or stored.row.size > 0)


def _map_of(metric: str, rows: Sequence[StoredRow]) -> DeviceMap:
    """The map of rows of a metric, or of cycles for those per byte."""
    best = _best(rows)
    values = {key: _map_value(stored, metric) for key, stored in best.items()}
    title = "cycles per byte" if metric == PER_BYTE else metric_words(metric)
    scale = common_scale(values.values(), title if metric == PER_BYTE else METRICS[metric].unit)
    cells = {
        key: MapCell(
            stored,
            values[key],
            scale.plain(values[key], 3),
            _level(values[key], list(values.values())),
        )
        for key, stored in best.items()
    }
    return DeviceMap(
        title if scale.unit in ("1", title) else f"{title} ({scale.unit})",
        sorted({scheme for scheme, _ in cells}),
        [_column(target) for target in sorted({target for _, target in cells})],
        cells,
    )


def _map_metric(query: SiteQuery) -> str:
    """The metric of a map; time without another. InputError for what is none."""
    return PER_BYTE if query.get("metric") == PER_BYTE else one_metric(query)


def _best(rows: Sequence[StoredRow]) -> dict[tuple[str, str], StoredRow]:
    """The best row of each scheme on each target."""
    best: dict[tuple[str, str], StoredRow] = {}
    for stored in rows:
        key = (stored.row.scheme, stored.row.target)
        if key not in best or _is_better(stored.row, best[key].row):
            best[key] = stored
    return best


def _best_of_schemes(rows: Sequence[MeasurementRow]) -> list[MeasurementRow]:
    """The best row of each scheme on each target, of those that may be in a map."""
    best: dict[tuple[str, str], MeasurementRow] = {}
    for row in rows:
        key = (row.case.scheme, unplaced(row.case.target))
        if row.quotable and row.values and (key not in best or _is_better(row, best[key])):
            best[key] = row
    return list(best.values())


def _is_better(row: Row | MeasurementRow, other: Row | MeasurementRow) -> bool:
    return row.median > other.median if row.better == "higher" else row.median < other.median


def _map_value(stored: StoredRow, metric: str) -> float:
    return stored.row.median / stored.row.size if metric == PER_BYTE else stored.row.median


def _level(value: float, values: Sequence[float]) -> int:
    """The strength of the colour of a value among others, on a logarithmic scale."""
    positive = [other for other in values if other > 0]
    if value <= 0 or min(positive) == max(positive):
        return 0
    share = math.log(value / min(positive)) / math.log(max(positive) / min(positive))
    return min(_LEVELS - 1, int(share * _LEVELS))


def _column(target: str) -> MapTarget:
    device = device_of(target)
    return MapTarget(target, device.id if device is not None else target)


def _map_entry(cell: MapCell, metric: str) -> StoredMeasurement:
    entry = stored_measurement(cell.stored)
    return replace(entry, per_byte=cell.value) if metric == PER_BYTE else entry


def _map_figure(drawn: DeviceMap) -> SiteFigure | None:
    """The map as a picture; None without a cell."""
    if not drawn.cells:
        return None
    width, height = _CELL
    left, top = 190, 40
    columns = {column.target: place for place, column in enumerate(drawn.targets)}
    rows = {scheme: place for place, scheme in enumerate(drawn.schemes)}
    return SiteFigure(
        label=f"Schemes against devices: {drawn.heading}",
        width=left + width * len(columns) + RIGHT,
        height=top + height * len(rows) + 34,
        left=left,
        y_title=drawn.heading,
        x_ticks=[
            (left + (columns[column.target] + 0.5) * width, column.device)
            for column in drawn.targets
        ],
        y_ticks=[(top + (place + 0.5) * height, scheme) for scheme, place in rows.items()],
        cells=[
            FigureCell(
                left + columns[target] * width,
                top + rows[scheme] * height,
                width - 2,
                height - 2,
                cell.level,
                cell.text,
                f"{case_words(cell.stored.row)}: {cell.text}",
            )
            for (scheme, target), cell in drawn.cells.items()
        ],
    )


def _result_files(
    metric: str,
    entries: tuple[StoredMeasurement, ...],
    more: Sequence[str],
    figure: SiteFigure | None,
) -> dict[str, Callable[[], str]]:
    """Makers of the files of results. ``more``: columns of this view."""
    return {
        "json": lambda: json_text(
            ResultsEntry(metric=metric, total=len(entries), first=0, measurements=entries)
        ),
        "csv": lambda: measurements_text(entries, more),
        **figure_files(figure),
    }


# Speed against memory

MEMORIES = ("flash_net", "static_ram_net", "stack", "peak_rss_net")
"""Metrics of memory of a trade-off."""
SPEEDS = ("cycles", "time")
MOST_POINTS = 200
"""Lines of the table of a trade-off; the picture and the files have all points."""


@dataclass(frozen=True, slots=True)
class TradeoffPoint:
    """An implementation of a scheme with its speed and memory. ``front``: no other is better in one
    of them and worse in none; None if a number is missing.
    """

    speed: StoredRow
    memory: Mapping[str, StoredRow]
    front: bool | None

    @property
    def rows(self) -> tuple[StoredRow, ...]:
        """The speed, then the memory."""
        return (self.speed, *self.memory.values())


def tradeoff(site: Site, query: SiteQuery) -> SitePage:
    """Speed against memory of the implementations on one target, by the newest results."""
    with site.open() as store:
        names = site.names(store)
        chosen = store_filter(query, names)
        inputs = (store.newest_cases(chosen, series) for series in (("flash_net",), SPEEDS))
        chosen_input = _most_measured(next(filter(None, inputs), ()), of_target=True)
        rows = {
            metric: _newest_rows(site, store, chosen, chosen_input, metric)
            for metric in (*SPEEDS, *MEMORIES)
        }
    speed = next((name for name in SPEEDS if rows.get(name)), SPEEDS[0])
    memories = [name for name in MEMORIES if rows.get(name)]
    points = _tradeoff_points(rows, speed, memories)
    listed = _listed(points)
    memory = _memory(query, memories)
    figure = _tradeoff_figure(points, memory)
    entries = tuple(
        replace(stored_measurement(stored), front=bool(point.front))
        for point in points
        for stored in point.rows
    )
    content = form_content(query, names)
    given = chosen_input.given() if chosen_input else {}
    return SitePage(
        "tradeoff.html.j2",
        "Speed against memory",
        {
            **content,
            "choices": {**content["choices"], "memory": memories},
            "given": {**query.values, **given, "memory": memory},
            "input": chosen_input,
            "points": listed,
            "left": len(points) - len(listed),
            "speed": speed,
            "memory": memory,
            "memories": memories,
            "figure": figure,
        },
        _result_files(",".join((speed, *memories)), entries, ("front",), figure),
    )


def _newest_rows(
    site: Site,
    store: Store,
    chosen: StoreFilter,
    chosen_input: ChosenInput | None,
    metric: str,
) -> list[StoredRow]:
    """The rows of a metric of the newest cases of an input; none without an input."""
    if chosen_input is None:
        return []
    newest = store.newest_cases(chosen_input.of(chosen), (metric,))
    rows = site.rows(store, _places(newest, chosen_input), (metric,))
    return [stored for stored in rows if stored.row.quotable]


def _memory(query: SiteQuery, memories: Sequence[str]) -> str:
    """The metric of memory of the picture; the first that there is without another. InputError for
    what is none.
    """
    text = query.get("memory")
    if text and text not in MEMORIES:
        raise InputError(
            f"{text!r} is not a metric of memory", where="memory", valid=", ".join(MEMORIES)
        )
    return text or next(iter(memories), MEMORIES[0])


def _tradeoff_points(
    rows: Mapping[str, Sequence[StoredRow]], speed: str, memories: Sequence[str]
) -> list[TradeoffPoint]:
    """The points in the order of speed."""
    by_case = {
        name: {(stored.row.scheme, stored.row.implementation): stored for stored in rows[name]}
        for name in (speed, *memories)
        if name in rows
    }
    points = [
        TradeoffPoint(
            stored, {name: by_case[name][key] for name in memories if key in by_case[name]}, None
        )
        for key, stored in by_case.get(speed, {}).items()
    ]
    complete = [point for point in points if len(point.memory) == len(memories)]
    numbers = [tuple(stored.row.median for stored in point.rows) for point in complete]
    at_front = {
        id(point): not any(_dominates(other, own) for other in numbers)
        for point, own in zip(complete, numbers, strict=True)
    }
    judged = [replace(point, front=at_front.get(id(point))) for point in points]
    return sorted(judged, key=lambda point: point.speed.row.median)


def _listed(points: Sequence[TradeoffPoint]) -> list[TradeoffPoint]:
    """The points of the table in their order: those on the front, and the fastest of the others."""
    room = MOST_POINTS - sum(bool(point.front) for point in points)
    place = count(1)
    return [point for point in points if point.front or next(place) <= room]


def _dominates(other: Sequence[float], own: Sequence[float]) -> bool:
    """True if all numbers of ``other`` are at most those of ``own``, and one is less."""
    pairs = list(zip(other, own, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def _tradeoff_figure(points: Sequence[TradeoffPoint], memory: str) -> SiteFigure | None:
    """Points by memory and speed; None without two."""
    drawn = [
        point
        for point in points
        if memory in point.memory
        and point.memory[memory].row.median >= 0
        and point.speed.row.median > 0
    ]
    if len(drawn) < 2:
        return None
    bottom = BOTTOM + 16
    sizes = [point.memory[memory].row.median for point in drawn]
    speeds = [point.speed.row.median for point in drawn]
    first = drawn[0].speed.row
    across = Axis(*padded(sizes), LEFT + 10, WIDTH - 70)
    up = logarithmic_axis(speeds, 340 - bottom, TOP + 16)
    schemes = list(dict.fromkeys(point.speed.row.scheme for point in drawn))
    return SiteFigure(
        label=f"{metric_words(first.metric)} against {metric_words(memory)} of "
        f"{len(drawn)} implementations",
        height=340,
        bottom=bottom,
        x_ticks=ticks(across, "B"),
        y_ticks=ticks(up, first.unit),
        x_title=metric_words(memory),
        y_title=metric_words(first.metric),
        marks=[
            FigureMark(
                across(size),
                up(value),
                f"{point.speed.row.label}: {format_value(value, first.unit, 4)}, "
                f"{format_value(size, 'B', 4)}{', on the front' if point.front else ''}",
                group=schemes.index(point.speed.row.scheme),
                hollow=not point.front,
                link=address(point.speed.path, {"metric": first.metric}),
                name=point.speed.row.label if point.front else "",
            )
            for point, size, value in zip(drawn, sizes, speeds, strict=True)
        ],
    )
