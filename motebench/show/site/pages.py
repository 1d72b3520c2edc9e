"""Pages of the explorer: what each view shows, as content of its template, as a document and as a
table.

Numbers and verdicts are those of `show`, `export` and `compare`; nothing is computed here but
places of marks in a picture.
"""

from __future__ import annotations

import json
import math
import shlex
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motebench.base.errors import InputError, NotFoundError
from motebench.base.identity import CaseId
from motebench.base.model import RunKind
from motebench.base.naming import unplaced
from motebench.base.shapes import as_document, keys, plain
from motebench.base.units import METRICS, format_size, format_value, metric_words
from motebench.catalog.carried import device_of
from motebench.documents.comparison import PairEntry
from motebench.documents.leak import LeakEntry
from motebench.documents.listing import ListEntry, RunRow
from motebench.documents.result import Measurement, Result, ResultsEntry, StoredMeasurement
from motebench.results.comparison import compare_stored, document
from motebench.results.comparison.model import Comparison, Pair
from motebench.results.leaks import leak_document
from motebench.results.presentation.leaks import leak_row, method_words
from motebench.results.presentation.provenance import provenance
from motebench.results.presentation.rows import (
    OPERATIONS,
    Row,
    case_words,
    input_of,
    operation_words,
    rows_of,
    run_notes,
    run_words,
    share_words,
)
from motebench.results.selection import EVERY_CASE, metrics_named, selected
from motebench.results.together import result_of
from motebench.show.export import export, export_leak
from motebench.show.export.csv import COLUMNS, csv_text
from motebench.show.report import view
from motebench.show.site import (
    VIEWS,
    SiteQuery,
    address,
    margin_of,
    result_filter,
    store_filter,
)
from motebench.stats.describe import outliers
from motebench.store import Store
from motebench.store.search import RunSummary, StoredNames, StoreFilter
from motebench.targets.machine import host_of

ROWS = 50
"""Rows of a page of runs or results: each may need a run to be read."""
LINES = 150
"""Rows of a page of one run or of a comparison."""
_KEPT_RUNS = 64
_MOST_VALUES = 2_000
"""Samples in the table of a page, and marks in its picture."""
_CHOICES = 300
"""Suggestions for a field."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page: its template with content; the same as a document and as a table; a picture if there
    is one.
    """

    template: str
    title: str
    content: dict[str, Any]
    as_json: Callable[[], str]
    as_csv: Callable[[], str]


@dataclass(frozen=True, slots=True)
class PageNumbers:
    """The place of a page in a list: ``first`` and ``last`` count from 1; addresses of the pages
    beside it, empty at the ends.
    """

    total: int
    first: int
    last: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SamplesPicture:
    """Marks of samples in a picture, in its own units: ``points`` with their texts; lines across
    with their labels; the band of the interval, None if there is none.
    """

    width: int
    height: int
    left: int
    bottom: int
    points: Sequence[tuple[float, float, str, bool]]
    ticks: Sequence[tuple[float, str]]
    marks: Sequence[tuple[float, str]]
    median: float
    band: tuple[float, float] | None
    axis: str
    thinned: bool


class Site:
    """The pages of one store. Each is made from the store anew; results of runs that have ended are
    kept in memory.
    """

    def __init__(self, store: str) -> None:
        self.store = store
        self._results: OrderedDict[tuple[object, ...], Result] = OrderedDict()
        self._names: tuple[tuple[object, ...], StoredNames] | None = None
        self._lock = threading.Lock()

    def open(self) -> Store:
        """The store, open. StoreError if it cannot be read."""
        return Store.open(self.store, create=False)

    def names(self, store: Store) -> StoredNames:
        """Names for filters; read again when the store has changed."""
        state = store.state()
        if self._names is None or self._names[0] != state:
            self._names = (state, store.names())
        return self._names[1]

    def result(self, store: Store, summary: RunSummary) -> Result:
        """The result of a run with its samples."""
        key = summary.fingerprint
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        made = result_of(store, str(summary.id))
        if summary.status != "running":
            with self._lock:
                self._results[key] = made
                while len(self._results) > _KEPT_RUNS:
                    self._results.popitem(last=False)
        return made

    # Views

    def runs(self, query: SiteQuery) -> SitePage:
        """The runs that fit."""
        with self.open() as store:
            names = self.names(store)
            chosen = store_filter(query, names)
            page = store.runs_page(chosen, query.start(ROWS), ROWS)
        rows = tuple(map(_run_row, page.runs))
        return SitePage(
            "runs.html.j2",
            "Runs",
            {
                "runs": page.runs,
                "unusable": page.unusable,
                "pages": _pages(query, "/", page.total, ROWS),
                **_form(query, names),
            },
            lambda: _json(ListEntry(what="runs", rows=rows)),
            lambda: _table(RunRow, rows),
        )

    def results(self, query: SiteQuery) -> SitePage:
        """One metric of all cases that fit, over all runs."""
        name = _one_metric(query)
        with self.open() as store:
            names = self.names(store)
            chosen = store_filter(query, names)
            total, places = store.case_places(chosen, query.start(ROWS), ROWS)
            lines: list[tuple[RunSummary, int, Row]] = []
            for run_id, case_ids in places.items():
                lines += self._lines(store, run_id, case_ids, name)
        entries = tuple(_stored(summary, row) for summary, _, row in lines)
        return SitePage(
            "results.html.j2",
            "Results",
            {
                "lines": lines,
                "metric": name,
                "missing": sum(map(len, places.values())) - len(lines),
                "pages": _pages(query, "/results", total, ROWS),
                **_form(query, names),
            },
            lambda: _json(
                ResultsEntry(
                    metric=name, total=total, first=query.start(ROWS), measurements=entries
                )
            ),
            lambda: csv_text(
                ("run", "run_name", *COLUMNS),
                (
                    [plain(getattr(entry, name, None)) for name in ("run", "run_name", *COLUMNS)]
                    for entry in entries
                ),
            ),
        )

    def _lines(
        self, store: Store, run_id: int, case_ids: Sequence[int], name: str
    ) -> list[tuple[RunSummary, int, Row]]:
        """The rows of one metric of these cases of a run."""
        summary = _summary(store, run_id)
        if summary is None or summary.kind is RunKind.LEAK:
            return []
        cases = store.cases_of(run_id)
        id_of = {cases[case_id]: case_id for case_id in case_ids if case_id in cases}
        result = self.result(store, summary)
        measured = tuple(item for item in result.measurements if item.metric == name)
        rows = rows_of(replace(result, measurements=measured))
        return [(summary, id_of[row.id], row) for row in rows if row.id in id_of]

    def run(self, reference: str, query: SiteQuery) -> SitePage:
        """A run, or the runs of a group; a leak test with its verdicts."""
        with self.open() as store:
            try:
                summary = _summary(store, store.find(reference))
            except NotFoundError:
                summary = None  # a group, or nothing: result_of says what is valid
            if summary is None:
                whole, cases = result_of(store, reference), {}
            elif summary.kind is RunKind.LEAK:
                return _leak_page(leak_document(store.load_run(summary.id)))
            else:
                whole = self.result(store, summary)
                cases = {case: number for number, case in store.cases_of(summary.id).items()}
        return _run_page(reference, query, _Measured(whole, summary, cases))

    def case(self, reference: str, number: int, query: SiteQuery) -> SitePage:
        """One metric of one case of a run."""
        with self.open() as store:
            summary = _summary(store, store.find(reference))
            case = None if summary is None else store.cases_of(summary.id).get(number)
            if summary is None or case is None or summary.kind is RunKind.LEAK:
                raise NotFoundError(
                    f"run {reference} has no measured case {number}",
                    where="case",
                    hint=f"/runs/{reference} lists its cases",
                )
            whole = self.result(store, summary)
        return _case_page(query, _Measured(whole, summary, {case: number}), case)

    def compare(self, query: SiteQuery) -> SitePage:
        """Verdicts on B against A; without both, the form alone."""
        with self.open() as store:
            names = self.names(store)
            newest = store.runs_page(store_filter(SiteQuery(VIEWS["runs"], {}), names), 0, _CHOICES)
        sides = (query.get("a"), query.get("b"))
        content: dict[str, Any] = {"sides": sides, "newest": newest.runs, **_form(query, names)}
        if not all(sides):
            return SitePage(
                "compare.html.j2",
                "Compare",
                {**content, "comparison": None},
                _no_sides,
                _no_sides,
            )
        comparison = compare_stored(
            (sides[0], sides[1]),
            run="latest",
            stores=(self.store, self.store),
            selection=result_filter(query),
            margin=margin_of(query),
            across=query.get("across") == "yes",
        )
        entry = document(comparison)
        start = query.start(LINES)
        return SitePage(
            "compare.html.j2",
            f"{comparison.b.label} against {comparison.a.label}",
            {
                **content,
                "comparison": comparison,
                "pairs": comparison.pairs[start : start + LINES],
                "counts": Counter(pair.word for pair in comparison.pairs),
                "means": entry.geometric_means,
                "pages": _pages(query, "/compare", len(comparison.pairs), LINES),
            },
            lambda: _json(entry),
            lambda: _table(PairEntry, entry.comparisons),
        )


def _no_sides() -> str:
    raise InputError(
        "a comparison needs two sides",
        where="a, b",
        valid="runs, groups, or RUN:IMPLEMENTATION",
        hint="/compare?a=1&b=2",
    )


def _summary(store: Store, run_id: int) -> RunSummary | None:
    page = store.runs_page(StoreFilter(runs=(run_id,)), 0, 1)
    return next(iter(page.runs), None)


def _json(entry: Any) -> str:
    return json.dumps(as_document(entry), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _table(shape: Any, rows: Iterable[Any]) -> str:
    names = [name for name, _ in keys(shape)]
    return csv_text(names, ([plain(getattr(row, name)) for name in names] for row in rows))


def _run_row(run: RunSummary) -> RunRow:
    return RunRow(
        run=run.id,
        name=run.name,
        study=run.study,
        command=run.command,
        started=run.started,
        finished=run.finished,
        status=run.status,
        kind=run.kind,
        tags=run.tags,
    )


def _stored(summary: RunSummary, row: Row) -> StoredMeasurement:
    values = {name: getattr(row, name) for name, _ in keys(Measurement)}
    values |= {"values": (), "rounds": (), "invocations": ()}
    return StoredMeasurement(**values, run=summary.id, run_name=summary.name)


def _one_metric(query: SiteQuery) -> str:
    """The metric of results: time without another. InputError for what is none."""
    text = query.get("metric") or "time"
    names = metrics_named(text, METRICS)
    if len(names) != 1:
        raise InputError(f"{text!r} is not one metric", where="metric", valid=", ".join(METRICS))
    return names[0]


def _pages(query: SiteQuery, path: str, total: int, most: int) -> PageNumbers:
    first = query.start(most)
    before = query.address(path, page=query.page - 1 if query.page > 2 else None)
    return PageNumbers(
        total,
        min(first + 1, total),
        min(first + most, total),
        before if query.page > 1 else "",
        query.address(path, page=query.page + 1) if first + most < total else "",
    )


def _form(query: SiteQuery, names: StoredNames) -> dict[str, Any]:
    """Content of the form of filters: what was given, and suggestions."""
    devices = {device.id for target in names.targets if (device := device_of(target)) is not None}
    return {
        "given": query.values,
        "filtered": query.filtered,
        "fields": query.view.parameters,
        "choices": {
            "scheme": names.schemes[:_CHOICES],
            "implementation": names.implementations[:_CHOICES],
            "target": names.targets[:_CHOICES],
            "device": sorted(devices)[:_CHOICES],
            "operation": [name for name in OPERATIONS if name in names.operations],
            "size": [format_size(size) for size in names.sizes if size][:_CHOICES],
            "version": names.versions[:_CHOICES],
            "tag": names.tags[:_CHOICES],
            "metric": list(METRICS),
        },
    }


# A run and its cases


@dataclass(frozen=True, slots=True)
class _Measured:
    """The result of a run or group, the facts of the run, and the numbers of its cases."""

    result: Result
    summary: RunSummary | None
    cases: Mapping[CaseId, int] = field(default_factory=dict)

    def path_of(self, case: CaseId) -> str:
        """The address of a case without a query; empty if it has none."""
        number = self.cases.get(case) or self.cases.get(
            CaseId(**{**case.identity(), "target": unplaced(case.target)})
        )
        return (
            ""
            if number is None or self.summary is None
            else f"/runs/{self.summary.id}/cases/{number}"
        )


def _run_page(reference: str, query: SiteQuery, measured: _Measured) -> SitePage:
    result = measured.result
    chosen_filter = result_filter(query)
    chosen = chosen_filter.of(result) if chosen_filter else EVERY_CASE
    shown = _without_values(selected(result, chosen))
    rows = rows_of(result)
    factors = dict(zip((row.index for row in rows), view.factors(rows), strict=True))
    listed = [row for row in rows if chosen.keeps(row) and chosen.keeps_metric(row.metric)]
    if chosen.sort is not None:
        order = {(entry.id, entry.metric): place for place, entry in enumerate(shown.measurements)}
        listed.sort(key=lambda row: order.get((row.id, row.metric), len(order)))
    listed = [row for row in listed if not row.is_curve]
    start = query.start(LINES)
    lines = [
        (row, factors[row.index], measured.path_of(row.id)) for row in listed[start : start + LINES]
    ]
    origin = provenance(result)
    return SitePage(
        "run.html.j2",
        f"{run_words(result.run).capitalize()} {result.run.name}".strip(),
        {
            "run": result.run,
            "reference": reference,
            "summary": measured.summary,
            "question": view.question(result.run, rows),
            "when": view.span(result.run.started, result.run.finished or ""),
            "facts": view.facts(rows, len(result.failures)) if rows else [],
            "notes": run_notes(result.run),
            "lines": lines,
            "failures": view.failures(shown.failures),
            "provenance": origin.words,
            "command": origin.command,
            "study_text": result.run.study_text,
            "environment": _facts_of(result.environment),
            "pages": _pages(query, f"/runs/{reference}", len(listed), LINES),
            "given": query.values,
            "filtered": query.filtered,
            "fields": query.view.parameters,
            "choices": _choices_of(result),
        },
        lambda: export(shown, "json"),
        lambda: export(shown, "csv"),
    )


def _without_values(result: Result) -> Result:
    bare = (replace(item, values=(), rounds=(), invocations=()) for item in result.measurements)
    return replace(result, measurements=tuple(bare))


def _choices_of(result: Result) -> dict[str, list[str]]:
    entries = result.measurements

    def of(texts: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(texts))[:_CHOICES]

    return {
        "scheme": of(entry.scheme for entry in entries),
        "implementation": of(entry.implementation for entry in entries),
        "operation": of(str(entry.operation) for entry in entries),
        "size": of(format_size(entry.input_bytes or 0) for entry in entries if entry.input_bytes),
        "metric": of(entry.metric for entry in entries),
        "sort": of(entry.metric for entry in entries),
    }


def _facts_of(environment: Mapping[str, object]) -> list[tuple[str, str]]:
    return view.host_facts(host_of(environment))


def _leak_page(test: LeakEntry) -> SitePage:
    """A leak test: its verdicts; the file of `report` has the rest."""
    tables: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for entry in test.findings:
        row = leak_row(entry)
        tables.setdefault(tuple(row), []).append(row)
    return SitePage(
        "leak.page.html.j2",
        f"Leak test {test.run.name}",
        {
            "test": test,
            "method": method_words(test),
            "when": view.span(test.run.started, test.run.finished or ""),
            "tables": list(tables.items()),
        },
        lambda: export_leak(test, "json")[0],
        lambda: export_leak(test, "csv")[0],
    )


def _case_page(query: SiteQuery, measured: _Measured, case: CaseId) -> SitePage:
    result, summary = measured.result, measured.summary
    path = measured.path_of(case)
    alone = replace(
        result,
        measurements=tuple(
            entry for entry in result.measurements if measured.path_of(entry.id) == path
        ),
        failures=tuple(entry for entry in result.failures if entry.id == case),
        ratios=(),
        placements=(),
        scaling=(),
    )
    rows = rows_of(alone)
    row = _of_metric(rows, query.get("metric"))
    same_metric = tuple(entry for entry in alone.measurements if row and entry.metric == row.metric)
    chosen = replace(alone, measurements=same_metric)
    return SitePage(
        "result.html.j2",
        case_words(case),
        {
            "run": result.run,
            "summary": summary,
            "case": case,
            "row": row,
            "others": [(other, address(path, {"metric": other.metric})) for other in rows],
            "failed": alone.failures,
            "picture": samples_picture(row) if row is not None else None,
            "samples": _samples(row) if row is not None else [],
            "provenance": provenance(alone).words,
            "environment": _facts_of(result.environment),
            "command": result.run.settings.get("command"),
            "again": _command(case),
            "elsewhere": _everywhere(case, row),
            "given": query.values,
        },
        lambda: export(chosen, "json"),
        lambda: _samples_csv(row),
    )


def _of_metric(rows: Sequence[Row], name: str) -> Row | None:
    """The row of that metric; without a name the first. InputError if no row has it."""
    metrics = [row.metric for row in rows]
    named = metrics_named(name, metrics) if name else metrics[:1]
    if name and len(named) != 1:
        raise InputError(
            f"this case has no metric {name!r}", where="metric", valid=", ".join(metrics) or None
        )
    return next((row for row in rows if row.metric in named), None)


def _everywhere(case: CaseId, row: Row | None) -> str:
    """The address of the same case in all runs."""
    values = {
        "scheme": case.scheme,
        "implementation": case.implementation,
        "operation": case.operation or "",
        "size": case.input_bytes or 0,
        "target": case.target,
        "metric": row.metric if row is not None else "",
    }
    return address("/results", {name: value for name, value in values.items() if value != ""})


def _command(case: CaseId) -> str:
    """The command that measures a case again; empty for a case that options do not describe."""
    if not case.bare or case.operation is None or ":" in case.implementation:
        return ""
    call = ["motebench", "run", "--scheme", case.scheme]
    call += ["--implementation", case.implementation, "--operation", str(case.operation)]
    call += ["--size", str(case.input_bytes)] if case.input_bytes else []
    return shlex.join([*call, "--target", case.target])


def _numbers(row: Row) -> Sequence[int]:
    """Number of the invocation or round of each sample."""
    return row.invocations or row.rounds or range(len(row.values))


def _samples(row: Row) -> list[tuple[int, str]]:
    pairs = zip(_numbers(row), row.values, strict=False)
    return [(number, f"{value:.9g}") for number, value in pairs][:_MOST_VALUES]


def _samples_csv(row: Row | None) -> str:
    if row is None:
        return csv_text(("round", "value"), [])
    name = "invocation" if row.invocations else "round"
    pairs = zip(_numbers(row), row.values, strict=False)
    return csv_text((name, f"{row.metric}_{row.unit}"), pairs)


_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 760, 280, 86, 34, 12


def samples_picture(row: Row) -> SamplesPicture | None:
    """Samples of a row over their rounds; None if there are fewer than two."""
    values = list(row.values)
    if len(values) < 2:
        return None
    numbers = _numbers(row)
    step = max(1, math.ceil(len(values) / _MOST_VALUES))
    ends = [*values, *(end for end in (row.ci_low, row.ci_high) if end is not None)]
    low, high = min(ends), max(ends)
    margin = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
    low, high = low - margin, high + margin
    first, last = min(numbers), max(numbers)

    def across(number: float) -> float:
        share = (number - first) / (last - first) if last > first else 0.5
        return round(_LEFT + 10 + share * (_WIDTH - _LEFT - 24), 1)

    def up(value: float) -> float:
        return round(_TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM), 1)

    marked = outliers(np.array(values))
    beyond = {*marked.mild, *marked.severe}
    points = [
        (
            across(number),
            up(value),
            f"{number}: {format_value(value, row.unit, 5)}",
            place in beyond,
        )
        for place, (number, value) in enumerate(zip(numbers, values, strict=False))
        if place % step == 0
    ]
    band = None
    if row.ci_low is not None and row.ci_high is not None:
        band = (up(row.ci_high), round(max(1.0, up(row.ci_low) - up(row.ci_high)), 1))
    return SamplesPicture(
        _WIDTH,
        _HEIGHT,
        _LEFT,
        _BOTTOM,
        points,
        [
            (up(value), format_value(value, row.unit, _digits(value, high - low)))
            for value in _ticks(low, high)
        ],
        [(across(number), str(number)) for number in _whole_ticks(first, last)],
        up(row.median),
        band,
        "invocation" if row.invocations else "round",
        step > 1,
    )


def _step(spread: float, most: int) -> float:
    """The least of 1, 2, 5, 10, ... that gives at most so many steps."""
    raw = spread / most
    power = float(10.0 ** math.floor(math.log10(raw)))
    return next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= raw)


def _ticks(low: float, high: float, most: int = 5) -> list[float]:
    step = _step(high - low, most)
    start = math.ceil(low / step)
    return [step * place for place in range(start, math.floor(high / step) + 1)]


def _whole_ticks(first: int, last: int, most: int = 8) -> list[int]:
    step = max(1, round(_step(max(1, last - first), most)))
    return list(range(math.ceil(first / step) * step, last + 1, step))


def _digits(value: float, spread: float) -> int:
    """Digits that keep two ticks apart."""
    if not value:
        return 3
    return max(3, min(9, math.ceil(math.log10(abs(value) / spread)) + 3))


# A comparison


def ratio_words(pair: Pair) -> str:
    """The ratio of a pair with its interval."""
    verdict = pair.verdict
    if verdict.ratio is None:
        return "-"
    if verdict.low is None or verdict.high is None:
        return f"{verdict.ratio:.4g}"
    return f"{verdict.ratio:.4g} ({verdict.low:.4g} to {verdict.high:.4g})"


def change_words(pair: Pair) -> str:
    """The difference of a pair in percent."""
    ratio = pair.verdict.ratio
    return "" if ratio is None else f"{'+' if ratio >= 1 else '-'}{share_words(abs(ratio - 1))}"


def level_of(pair: Pair) -> str:
    """The mark of a verdict: ``good``, ``bad``, or none."""
    return {"faster": "good", "smaller": "good", "fewer": "good"}.get(
        pair.word, "bad" if pair.word in ("slower", "larger", "more") else ""
    )


def refused(comparison: Comparison) -> list[tuple[str, str]]:
    """Cases of one side alone, or that cannot be compared, with the reason."""
    sides = (*comparison.only_in_a, *comparison.only_in_b)
    return [(case_words(item), item.reason) for item in sides][:LINES]


FILTERS: dict[str, Callable[..., Any]] = {
    "input_of": input_of,
    "operation_words": operation_words,
    "metric_words": metric_words,
    "ratio_words": ratio_words,
    "change_words": change_words,
    "level_of": level_of,
    "refused": refused,
    "value": lambda number, unit: format_value(number, unit, 4),
    "flatten": view.flatten,
}
"""Filters of the templates."""
