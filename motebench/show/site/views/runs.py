"""Pages of runs: their list, results over all of them, a run, and one result with its samples."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import escape

from motebench.base.errors import InputError, NotFoundError
from motebench.base.identity import CaseId
from motebench.base.model import RunKind
from motebench.base.naming import unplaced
from motebench.base.shapes import part
from motebench.base.units import format_size, metric_words
from motebench.catalog.proof import device_of, proof_words
from motebench.documents.leak import LeakEntry
from motebench.documents.listing import ListEntry, RunRow
from motebench.documents.result import Result, ResultsEntry
from motebench.measuring.collection import COLLECTION
from motebench.results.leaks import leak_document
from motebench.results.presentation.provenance import provenance
from motebench.results.presentation.rows import Row, case_words, rows_of
from motebench.results.selection import EVERY_CASE, metrics_named, selected
from motebench.show.export import export, export_leak
from motebench.show.export.csv import csv_text
from motebench.show.report import as_json, view
from motebench.show.report.page import RunPage, leak_content
from motebench.show.report.view import packed
from motebench.show.site import SiteQuery, address, limit_of, result_filter, store_filter
from motebench.show.site.figures import MOST_MARKS, figure_files, numbers_of, samples_figure
from motebench.show.site.views import (
    MOST_CHOICES,
    Site,
    SitePage,
    StoredRow,
    case_number,
    form_content,
    json_text,
    measurements_text,
    number_of,
    one_metric,
    page_numbers,
    series_of,
    stored_measurement,
    table_text,
)
from motebench.store import Store
from motebench.store.search import RunSummary, StoreFilter
from motebench.targets.code.workspace import PREFIX
from motebench.targets.machine import host_of

ROWS = 50
"""Rows of a page of runs or results: each may need a run to be read."""
MOST_VALUED = 5_000
"""Cases whose values are read to order them."""
_ORDERS = ("least", "most")
LINES = 100
_OF_OTHER_FOLDERS = {"--only", "--target", "--output", "-o", "--format", "-f"}
"""Options of `motebench collection` with a value that one folder does not need."""
_OF_OUTPUT = {"--resume", "--again", "--quiet", "-q", "--json"}
"""Rows of a run for browsers without scripts."""


def runs(site: Site, query: SiteQuery) -> SitePage:
    """The runs that fit."""
    with site.open() as store:
        names = site.names(store)
        chosen = store_filter(query, names)
        page = store.runs_page(chosen, query.start(ROWS), ROWS)
    rows = tuple(map(run_row, page.runs))
    return SitePage(
        "runs.html.j2",
        "Runs",
        {
            "runs": page.runs,
            "unusable": page.unusable,
            "pages": page_numbers(query, "/", page.total, ROWS),
            **form_content(query, names),
        },
        {
            "json": lambda: json_text(ListEntry(what="runs", rows=rows)),
            "csv": lambda: table_text(RunRow, rows),
        },
    )


def results(site: Site, query: SiteQuery) -> SitePage:
    """One metric of all cases that fit, over all runs."""
    name = one_metric(query)
    with site.open() as store:
        names = site.names(store)
        chosen = store_filter(query, names)
        by_value = any(query.get(parameter) for parameter in ("below", "above", "sort"))
        if by_value:
            valued = _by_value(site, store, query, chosen, name)
            total, lines = len(valued), valued[query.start(ROWS) :][:ROWS]
            read_rows = len(lines)
        else:
            total, places = store.case_places(chosen, query.start(ROWS), ROWS)
            lines = site.rows(store, places, (name,))
            read_rows = sum(map(len, places.values()))
    entries = tuple(map(stored_measurement, lines))
    return SitePage(
        "results.html.j2",
        "Results",
        {
            "lines": lines,
            "metric": name,
            "missing": read_rows - len(lines),
            "by_value": by_value,
            "pages": page_numbers(query, "/results", total, ROWS),
            **form_content(query, names),
        },
        {
            "json": lambda: json_text(
                ResultsEntry(
                    metric=name, total=total, first=query.start(ROWS), measurements=entries
                )
            ),
            "csv": lambda: measurements_text(entries),
        },
    )


def _by_value(
    site: Site, store: Store, query: SiteQuery, chosen: StoreFilter, metric: str
) -> list[StoredRow]:
    """The newest result of each case within the limits, by its value. InputError where too many
    cases would have to be read.
    """
    order = query.get("sort") or "least"
    if order not in _ORDERS:
        raise InputError(f"{order!r} is no order", where="sort", valid=", ".join(_ORDERS))
    below, above = (limit_of(query, name, metric) for name in ("below", "above"))
    rows = _newest_values(site, store, chosen, metric)
    within = [
        (value, stored)
        for value, stored in rows
        if (below is None or value <= below) and (above is None or value >= above)
    ]
    ordered = sorted(within, key=lambda entry: entry[0], reverse=order == "most")
    return [stored for _, stored in ordered]


def _newest_values(
    site: Site, store: Store, chosen: StoreFilter, metric: str
) -> list[tuple[float, StoredRow]]:
    """The newest row of each case with its value as the metric; of a case without a time its
    cycles.
    """
    metrics = ("time", "cycles") if metric == "time" else (metric,)
    newest = store.newest_cases(chosen, (*series_of(metric), *metrics))
    if len(newest) > MOST_VALUED:
        raise InputError(
            f"{len(newest):,} cases fit, too many to order by their values",
            valid=f"filters that leave up to {MOST_VALUED:,} cases",
            hint="choose a scheme, an implementation or a target",
        )
    places: dict[int, list[int]] = defaultdict(list)
    for entry in newest:
        places[entry.run].append(entry.id)
    rows = {
        (stored.case, stored.row.metric): stored for stored in site.rows(store, places, metrics)
    }
    return [
        (value, stored)
        for (case, name), stored in rows.items()
        if (name == metric or (case, metric) not in rows)
        and stored.row.quotable
        and (value := value_of(stored, metric)) is not None
    ]


def value_of(stored: StoredRow, metric: str) -> float | None:
    """The value of a row as a metric: of cycles the time at the clock of their device in the
    catalog; None without one.
    """
    if stored.row.metric == metric:
        return stored.row.median
    device = device_of(stored.row.target)
    return None if device is None else stored.row.median / device.clock_hz * 1e9


def run(site: Site, reference: str, query: SiteQuery) -> SitePage:
    """A run, or the runs of a group; a leak test with its verdicts."""
    with site.open() as store:
        try:
            summary = site.summary(store, reference)
        except NotFoundError:
            summary = None  # a group, or nothing: result_of says what is valid
        if summary is not None and summary.kind is RunKind.LEAK:
            return _leak_page(leak_document(store.load_run(summary.id)))
        whole, rows = site.measured(store, summary, reference)
        stored = {} if summary is None else store.cases_of(summary.id)
    cases = {case: number for number, case in stored.items()}
    return _run_page(query, _Measured(whole, summary, cases), rows)


def case(site: Site, reference: str, place: str, query: SiteQuery) -> SitePage:
    """One metric of one case of a run. ``place``: the number of the case."""
    number = case_number(place)
    with site.open() as store:
        summary = site.summary(store, reference)
        case = None if summary is None else site.cases(store, summary).get(number)
        if summary is None or case is None or summary.kind is RunKind.LEAK:
            raise NotFoundError(
                f"run {reference} has no measured case {number}",
                where="case",
                hint=f"/runs/{reference} lists its cases",
            )
        whole = site.result(store, summary)
    return _case_page(query, _Measured(whole, summary, {case: number}), case)


def run_row(run: RunSummary) -> RunRow:
    """A run as a row of the list of runs."""
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


# A run and its cases


@dataclass(frozen=True, slots=True)
class _Measured:
    """The result of a run or group, the facts of the run, and the numbers of its cases."""

    result: Result
    summary: RunSummary | None
    cases: Mapping[CaseId, int] = field(default_factory=dict)

    def path_of(self, case: CaseId) -> str:
        """The address of a case without a query; empty if it has none."""
        number = number_of(case, self.cases)
        return (
            ""
            if number is None or self.summary is None
            else f"/runs/{self.summary.id}/cases/{number}"
        )


def _run_page(query: SiteQuery, measured: _Measured, every: Sequence[Row]) -> SitePage:
    """The page of the report, of the chosen cases and metrics."""
    result = measured.result
    chosen_filter = result_filter(query)
    chosen = chosen_filter.of(result) if chosen_filter else EVERY_CASE
    shown = selected(result, chosen)
    rows = [row for row in every if chosen.keeps(row) and chosen.keeps_metric(row.metric)]
    page = RunPage(shown, rows)
    listed = [(row, measured.path_of(row.id)) for row in page.rows]
    return SitePage(
        "run.html.j2",
        page.question,
        {
            **page.content(),
            "tags": measured.summary.tags if measured.summary is not None else (),
            "lines": listed,
            "most": LINES,
            "given": query.values,
            "filtered": query.filtered,
            "fields": query.view.parameters,
            "choices": _choices_of(result),
        },
        {
            "json": lambda: export(_without_values(shown), "json"),
            "csv": lambda: export(_without_values(shown), "csv"),
            "js": lambda: _script(page, measured, rows),
            "file": lambda: "",
        },
        data=page.data,
    )


def _script(page: RunPage, measured: _Measured, rows: Sequence[Row]) -> str:
    """The data of the charts as a script, with the number of the case of each row; 0: none."""
    summary = measured.summary
    numbers = [number_of(row.id, measured.cases) or 0 for row in rows]
    site = {"run": summary.id, "cases": packed(numbers)} if summary is not None else {}
    return f'"use strict";\nwindow.motebenchPage = {as_json({**page.data(), "site": site})};\n'


def _without_values(result: Result) -> Result:
    bare = (replace(item, values=(), rounds=(), invocations=()) for item in result.measurements)
    return replace(result, measurements=tuple(bare))


def _choices_of(result: Result) -> dict[str, list[str]]:
    entries = result.measurements

    def of(texts: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(texts))[:MOST_CHOICES]

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
    """A leak test: its verdicts, and the inputs that show a leak."""
    return SitePage(
        "leak.html.j2",
        f"Leak test {test.run.name}",
        leak_content(test),
        {
            "json": lambda: export_leak(test, "json")[0],
            "csv": lambda: export_leak(test, "csv")[0],
            "file": lambda: "",
        },
    )


def _case_page(query: SiteQuery, measured: _Measured, case: CaseId) -> SitePage:
    result, summary = measured.result, measured.summary
    path = measured.path_of(case)
    names = (case.scheme, case.implementation, case.input_bytes)
    alone = replace(
        result,
        measurements=tuple(
            entry
            for entry in result.measurements
            if (entry.scheme, entry.implementation, entry.input_bytes) == names  # quick
            and measured.path_of(entry.id) == path
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
    figure = None
    if row is not None:
        figure = samples_figure(row, f"Samples of {metric_words(row.metric)}: {case_words(case)}")
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
            "proof": proof_words(case.target),
            "figure": figure,
            "samples": _samples(row) if row is not None else [],
            "provenance": provenance(alone).words,
            "environment": _facts_of(result.environment),
            "command": result.run.settings.get("command"),
            "again": _of_collection(result.run.settings, case.target) or _command(case),
            "elsewhere": _everywhere(case, row),
            "history": _history(path, row),
            "given": query.values,
        },
        {
            "json": lambda: export(chosen, "json"),
            "csv": lambda: _samples_csv(row),
            **figure_files(figure),
        },
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


def _history(path: str, row: Row | None) -> str:
    """The address of the history of a case."""
    values = {"case": path.rpartition("/")[2], "metric": row.metric if row is not None else ""}
    return address("/history", {name: value for name, value in values.items() if value})


def _of_collection(settings: Mapping[str, object], target: str) -> str:
    """The command that measures a folder of a collection again; empty for other runs."""
    folder = part(settings, COLLECTION).get("folder")
    command = settings.get("command")
    if not isinstance(folder, str) or not isinstance(command, str):
        return ""
    call, arguments = [], iter(shlex.split(command))
    for argument in arguments:
        name, given, _ = argument.partition("=")
        if name in _OF_OTHER_FOLDERS and not given:
            next(arguments, None)
        elif name not in _OF_OTHER_FOLDERS | _OF_OUTPUT:
            call.append(argument)
    only = ["--only", escape(folder), "--target", unplaced(target), "--again"]
    return shlex.join([*call, *only])


def _command(case: CaseId) -> str:
    """The command that measures a case again; empty for a case that options do not describe, and
    for user code, whose folder the run's own command names.
    """
    own = case.implementation.startswith(PREFIX)
    if own or not case.bare or case.operation is None or ":" in case.implementation:
        return ""
    call = ["motebench", "run", "--scheme", case.scheme]
    call += ["--implementation", case.implementation, "--operation", str(case.operation)]
    call += ["--size", str(case.input_bytes)] if case.input_bytes else []
    return shlex.join([*call, "--target", case.target])


def _samples(row: Row) -> list[tuple[int, str]]:
    pairs = zip(numbers_of(row), row.values, strict=False)
    return [(number, f"{value:.9g}") for number, value in pairs][:MOST_MARKS]


def _samples_csv(row: Row | None) -> str:
    if row is None:
        return csv_text(("round", "value"), [])
    name = "invocation" if row.invocations else "round"
    pairs = zip(numbers_of(row), row.values, strict=False)
    return csv_text((name, f"{row.metric}_{row.unit}"), pairs)
