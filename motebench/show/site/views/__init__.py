"""Views of the explorer: a query in, a page out, without anything of the web.

Each module here makes pages of one kind, by functions of a `Site` and a `SiteQuery`. A page has the
content of its template, and the same in the formats of its files. Numbers and verdicts are those of
`show`, `export` and `compare`.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from motebench.base.errors import InputError, NotFoundError, visible
from motebench.base.identity import CaseId
from motebench.base.model import Run, RunKind
from motebench.base.naming import probe_key, unplaced
from motebench.base.shapes import as_document, keys, part, plain
from motebench.base.units import METRICS, format_size
from motebench.catalog.proof import device_of
from motebench.documents.result import Measurement, Result, StoredMeasurement
from motebench.results.comparison import Comparison
from motebench.results.document import result as run_result
from motebench.results.document import some
from motebench.results.presentation.provenance import probes_of
from motebench.results.presentation.rows import OPERATIONS, Row, rows_of
from motebench.results.row import MeasurementRow
from motebench.results.selection import metrics_named
from motebench.results.slow_phases import LOOP
from motebench.results.together import result_of
from motebench.show.export.csv import COLUMNS, csv_text
from motebench.show.site import Chooser, SiteQuery
from motebench.store import Store
from motebench.store.rows import MOST_BOUND, RunPart
from motebench.store.search import RunSummary, StoredNames, StoreFilter

RowChoice = Callable[[Sequence[MeasurementRow]], Sequence[MeasurementRow]]
"""A choice among rows of a run whose statistics are not made yet."""
Kept = TypeVar("Kept")
_KEPT_RUNS = 64
_FROM_TIME = (
    "throughput",
    "energy",
    "energy_per_byte",
    "energy_net",
    "energy_net_per_byte",
    "power",
    "power_net",
    "current",
)
"""Metrics that may follow from the time."""
MOST_CHOICES = 300
"""Suggestions for a field."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page: its template with content, and the makers of its files by their format."""

    template: str
    title: str
    content: dict[str, Any]
    files: Mapping[str, Callable[[], str]]
    status: int = 200
    """400 where the query is wrong and the page says so itself."""
    data: Callable[[], dict[str, Any]] | None = None
    """Maker of the data of its charts; None for a page without charts."""


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
class StoredRow:
    """A row of a result with its run and the number of its case."""

    run: RunSummary
    case: int
    row: Row
    environment: Mapping[str, object]
    """Facts that the run recorded of its machines and probes."""

    @property
    def path(self) -> str:
        """The address of the result."""
        return f"/runs/{self.run.id}/cases/{self.case}"

    @property
    def library(self) -> str | None:
        """The version of the library; None if the run did not record it."""
        return self._built("version")

    @property
    def compiler(self) -> str | None:
        """The compiler of the library; None if the run did not record it."""
        return self._built("compiler")

    def _built(self, fact: str) -> str | None:
        return built(self.environment, self.row, fact)


def built(environment: Mapping[str, object], case: CaseId, fact: str) -> str | None:
    """The ``version`` or ``compiler`` of the library of a case; None if the run did not record
    it.
    """
    key = probe_key(case.target, case.implementation)
    value = probes_of(environment).get(key, {}).get(fact)
    return visible(value) if isinstance(value, str) and value else None


class Site:
    """One store, opened anew for each page; results of runs that have ended are kept in memory."""

    def __init__(self, store: str, chooser: Chooser | None = None) -> None:
        """``chooser``: what answers the form of `choose`; without it there is no such page."""
        self.store = store
        self.chooser = chooser
        self._results: OrderedDict[tuple[object, ...], Result] = OrderedDict()
        self._rows: OrderedDict[tuple[object, ...], list[Row]] = OrderedDict()
        self._environments: tuple[tuple[object, ...], dict[int, Mapping[str, object]]] | None = None
        self._comparisons: OrderedDict[tuple[object, ...], Comparison | None] = OrderedDict()
        self._cases: OrderedDict[tuple[object, ...], dict[int, CaseId]] = OrderedDict()
        self._names: tuple[tuple[object, ...], StoredNames] | None = None
        self._lock = threading.Lock()

    def open(self) -> AbstractContextManager[Store]:
        """The store, open. StoreError if it cannot be read."""
        return Store.open(self.store, create=False)

    def summary(self, store: Store, reference: str) -> RunSummary | None:
        """The facts of a run by its name or number; None if they are damaged. NotFoundError if
        there is none.
        """
        chosen = StoreFilter(runs=(store.find(reference),))
        return next(iter(store.runs_page(chosen, 0, 1).runs), None)

    def names(self, store: Store) -> StoredNames:
        """Names for filters; read again when the store has changed."""
        state = store.state()
        if self._names is None or self._names[0] != state:
            self._names = (state, store.names())
        return self._names[1]

    def result(self, store: Store, summary: RunSummary) -> Result:
        """The result of a run with its samples."""
        return self._once(
            self._results,
            summary.fingerprint,
            lambda: run_result(store.load_run(summary.id), samples=True),
            final=summary.status != "running",
        )

    def environments(self, store: Store) -> Mapping[int, Mapping[str, object]]:
        """Facts that each run recorded of its probes; read again when the store has changed."""
        state = store.state()
        if self._environments is None or self._environments[0] != state:
            facts: dict[int, Mapping[str, object]] = {
                info.id: {"probes": part(info.environment, "probes")} for info in store.runs()
            }
            self._environments = (state, facts)
        return self._environments[1]

    def cases(self, store: Store, summary: RunSummary) -> Mapping[int, CaseId]:
        """The cases of a run by their numbers."""
        return self._once(
            self._cases,
            summary.fingerprint,
            lambda: store.cases_of(summary.id),
            final=summary.status != "running",
        )

    def _once(
        self,
        memory: OrderedDict[tuple[object, ...], Kept],
        key: tuple[object, ...],
        make: Callable[[], Kept],
        *,
        final: bool = True,
    ) -> Kept:
        """The entry of a key in memory, or else a new one, which is kept if it is final and not
        None.
        """
        with self._lock:
            if key in memory:
                memory.move_to_end(key)
                return memory[key]
        made = make()
        if final and made is not None:
            with self._lock:
                _keep(memory, key, made)
        return made

    def measured(
        self, store: Store, summary: RunSummary | None, reference: str
    ) -> tuple[Result, list[Row]]:
        """The result of a run, or without a ``summary`` of a group, and its rows, which keep the
        verdicts that were made.
        """
        if summary is None:
            key: tuple[object, ...] = (reference, store.state())
            result = self._results.get(key) or result_of(store, reference)
        else:
            key, result = summary.fingerprint, self.result(store, summary)
        with self._lock:
            rows = self._rows.get(key) or rows_of(result)
            if summary is None or summary.status != "running":
                _keep(self._results, key, result)
                _keep(self._rows, key, rows)
        return result, rows

    def compared(
        self, key: tuple[object, ...], make: Callable[[], Comparison | None]
    ) -> Comparison | None:
        """A comparison of runs that have ended, made once for its key; None where nothing can be
        compared.
        """
        return self._once(self._comparisons, key, make)

    def rows(
        self,
        store: Store,
        places: Mapping[int, Sequence[int]],
        metrics: Sequence[str],
        choice: RowChoice = list,
    ) -> list[StoredRow]:
        """The rows of these metrics of cases, by their runs, in the order of ``places``.
        ``choice``: rows of a run that are enough.
        """
        stored: list[StoredRow] = []
        chosen = StoreFilter(runs=tuple(places))
        page = store.runs_page(chosen, 0, len(places), contents=False)
        summaries = {summary.id: summary for summary in page.runs}
        cases = store.identities(case_id for ids in places.values() for case_id in ids)
        for run_id, case_ids in places.items():
            summary = summaries.get(run_id)
            if summary is None or summary.kind is RunKind.LEAK:
                continue
            numbers = {cases[case_id]: case_id for case_id in case_ids if case_id in cases}
            ids = frozenset(numbers.values())
            result = self._in_memory(summary, metrics)
            if result is None:
                result = some(part_of_run(store, run_id, ids), metrics, choice)
            for row in rows_of(result):
                number = number_of(row.id, numbers)
                if number is not None:
                    stored.append(StoredRow(summary, number, row, result.environment))
        return stored

    def _in_memory(self, summary: RunSummary, metrics: Sequence[str]) -> Result | None:
        """These metrics of a run that is in memory; None for any other."""
        with self._lock:
            whole = self._results.get(summary.fingerprint)
        if whole is None:
            return None
        measured = tuple(item for item in whole.measurements if item.metric in metrics)
        return replace(whole, measurements=measured)


def part_of_run(store: Store, run_id: int, case_ids: frozenset[int]) -> Run:
    """Some cases of a run, with all that their numbers depend on: the places of their code, and
    the course of the machine.
    """
    if len(case_ids) > MOST_BOUND:
        return store.load_run(run_id)
    return store.load_part(run_id, RunPart(case_ids, LOOP))


def _keep(
    memory: OrderedDict[tuple[object, ...], Kept], key: tuple[object, ...], made: Kept
) -> None:
    """Keep what was made last in memory, and forget what was asked for longest ago."""
    memory[key] = made
    memory.move_to_end(key)
    while len(memory) > _KEPT_RUNS:
        memory.popitem(last=False)


def number_of(case: CaseId, numbers: Mapping[CaseId, int]) -> int | None:
    """The number of a case by its identity in a result, which may name the place of its code."""
    plainly = CaseId(**{**case.identity(), "target": unplaced(case.target)})
    return numbers.get(case) or numbers.get(plainly)


def json_text(entry: Any) -> str:
    """A document as text."""
    return json.dumps(as_document(entry), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def table_text(shape: Any, rows: Iterable[Any]) -> str:
    """Entries of a shape as CSV, with all its keys as columns."""
    names = [name for name, _ in keys(shape)]
    return csv_text(names, ([plain(getattr(row, name)) for name in names] for row in rows))


def measurements_text(entries: Iterable[StoredMeasurement], more: Sequence[str] = ()) -> str:
    """Measurements of several runs as CSV: the columns of an export behind those of the run.

    ``more``: columns of one view, between them.
    """
    columns = ("run", "run_name", *more, *COLUMNS)
    rows = ([plain(getattr(entry, name, None)) for name in columns] for entry in entries)
    return csv_text(columns, rows)


def stored_measurement(stored: StoredRow) -> StoredMeasurement:
    """The entry of a row in documents, without its samples."""
    values = {name: getattr(stored.row, name) for name, _ in keys(Measurement)}
    values |= {"values": (), "rounds": (), "invocations": ()}
    return StoredMeasurement(**values, run=stored.run.id, run_name=stored.run.name)


def one_metric(query: SiteQuery, usual: str = "time") -> str:
    """The metric of a query, ``usual`` without one. InputError for what is none."""
    text = query.get("metric") or usual
    names = metrics_named(text, METRICS)
    if len(names) != 1:
        raise InputError(f"{text!r} is not one metric", where="metric", valid=", ".join(METRICS))
    return names[0]


def series_of(metric: str) -> tuple[str, ...]:
    """The stored metrics that give a metric."""
    return (metric, "time") if metric in _FROM_TIME else (metric,)


def page_numbers(query: SiteQuery, path: str, total: int, most: int) -> PageNumbers:
    """Numbers of the page of a query in a list of ``total`` lines, ``most`` a page."""
    first = query.start(most)
    before = query.address(path, page=query.page - 1 if query.page > 2 else None)
    return PageNumbers(
        total,
        min(first + 1, total),
        min(first + most, total),
        before if query.page > 1 else "",
        query.address(path, page=query.page + 1) if first + most < total else "",
    )


def form_content(query: SiteQuery, names: StoredNames) -> dict[str, Any]:
    """Content of the form of filters: what was given, and suggestions."""
    devices = {device.id for target in names.targets if (device := device_of(target)) is not None}
    return {
        "given": query.values,
        "filtered": query.filtered,
        "fields": query.view.parameters,
        "choices": {
            "scheme": names.schemes[:MOST_CHOICES],
            "implementation": names.implementations[:MOST_CHOICES],
            "target": names.targets[:MOST_CHOICES],
            "device": sorted(devices)[:MOST_CHOICES],
            "operation": [name for name in OPERATIONS if name in names.operations],
            "size": [format_size(size) for size in names.sizes if size][:MOST_CHOICES],
            "version": names.versions[:MOST_CHOICES],
            "tag": names.tags[:MOST_CHOICES],
            "metric": list(METRICS),
        },
    }


def case_number(text: str) -> int:
    """The number of a case in an address. NotFoundError for anything else."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise NotFoundError(f"{text!r} is not a case", where="case", valid="a number")
    return int(text)
