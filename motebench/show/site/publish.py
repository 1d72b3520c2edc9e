"""The explorer as a folder of files, which needs no server (`motebench publish`).

Pages are those of a server, made by the same views and templates. What a server would search, a
script searches in files beside them (``assets/static.js``): they are scripts, too, because a page
that is opened from disk may load no other data. Every address becomes the name of a file, or loses
its link if there is none.
"""

from __future__ import annotations

import csv
import html as markup
import io
import json
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from motebench.advise.reference.selection import Selection
from motebench.advise.reference.table import Reference, ReferenceCase
from motebench.base.errors import InputError, MotebenchError
from motebench.base.identity import CaseId
from motebench.base.model import (
    Case,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    RunKind,
    Sample,
    Series,
)
from motebench.base.naming import VARIANT, probe_key, variant_marks
from motebench.base.process import TemporaryFolder
from motebench.base.quantities import unit as unit_of
from motebench.base.shapes import plain
from motebench.base.units import METRICS, format_size, metric_words
from motebench.catalog.proof import device_of
from motebench.documents.listing import ListEntry, RunRow
from motebench.results.keeping import join
from motebench.results.presentation.rows import Row, input_of, operation_words
from motebench.show.export.csv import cell
from motebench.show.report import as_json
from motebench.show.site import VIEWS, SiteQuery
from motebench.show.site.pages import FILES, MAKERS, file_text, html
from motebench.show.site.views import (
    Site,
    SitePage,
    StoredRow,
    json_text,
    measurements_text,
    table_text,
)
from motebench.show.site.views.across import MEMORIES, SPEEDS
from motebench.show.site.views.comparison import INSTEAD, KINDS
from motebench.show.site.views.runs import ROWS, run_row
from motebench.store import Store
from motebench.store.search import RunSummary, StoreFilter
from motebench.targets.revision import own_revision

MARK = "motebench-site.json"
"""The file that says that a folder is ours, and may be replaced."""
STORE = "store.db"
MOST_CASES = 2_000
"""Cases of a run that have pages of their own. A larger run has one page and its CSV file: the
script shows all of its results.
"""
MOST_PAIRS = 40
"""Comparisons with verdicts that are made: of neighbours first, the newest first."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'"
)
_ADDRESS = re.compile(r' (href|src|action)="(/[^"]*)"')
_OF_HTMX = re.compile(r' hx-[a-z-]+="[^"]*"|<meta name="htmx-config"[^>]*>')
_SCRIPT = '<script src="/static/htmx.min.js" defer></script>'
_API = re.compile(r'<a href="/api"[^>]*>API</a>')
_SIDES = ("/compare", "/diff")
"""Paths of pages of two runs."""
_OF_NEWEST = ("map", "tradeoff")
"""Views of the newest results: a page of the usual choice, the others by the script."""
MOST_HISTORIES = 400
"""Cases of several runs whose history has a page, those of the newest runs first."""
_CASES = '<div id="cases"></div>'
_LEFT_OUT = (
    "This run is large: its cases have no pages of their own, and there is no JSON file. The "
    "filters show every result; the CSV file and the SQLite file hold them."
)
_NO_FILE = re.compile(r'<a class="file">[^<]*</a>')
_NO_LINK = re.compile(r'<a(?: aria-[a-z]+="[^"]*")*>[^<]*</a>\s*')


class _StillSite(Site):
    """A site whose store does not change: it is opened once, and facts of runs are read once."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self._summaries: dict[str, RunSummary | None] = {}
        self._still = Store.open(place, create=False)

    def __enter__(self) -> _StillSite:
        return self

    def __exit__(self, *_: object) -> None:
        self._still.close()

    def open(self) -> AbstractContextManager[Store]:
        """The store, which stays open."""
        return nullcontext(self._still)

    def summary(self, store: Store, reference: str) -> RunSummary | None:
        """The facts of a run."""
        if reference not in self._summaries:
            self._summaries[reference] = super().summary(store, reference)
        return self._summaries[reference]


@dataclass(slots=True)
class PublishedSite:
    """Numbers of pages and files of a written site, and bytes."""

    pages: int = 0
    files: int = 0
    size: int = 0


def publish(
    folder: Path, fill: Callable[[Store], object], say: Callable[[str], None] = lambda _: None
) -> PublishedSite:
    """Write the site of the runs that ``fill`` puts into a new store. The folder appears whole, or
    stays as it was; ``say`` is told of progress.

    InputError if it is neither new, nor empty, nor a site of ours, or cannot be written.
    """
    check_folder(folder)
    try:
        with TemporaryFolder(folder.absolute().parent) as temporary:
            made = temporary / "site"
            made.mkdir()
            with Store.open(made / STORE, create=True) as store:
                fill(store)
            _settle(made / STORE)
            with _StillSite(str(made / STORE)) as site:
                written = _Writer(site, made, say).whole()
            _settle(made / STORE)
            _replace(folder, made, temporary / "before")
        return written
    except OSError as error:
        raise InputError(
            f"cannot write {folder}: {error.strerror or error}",
            where="DIR",
            valid="a folder that you may write",
        ) from error


def of_store(place: str, references: Iterable[str]) -> Callable[[Store], object]:
    """Filler of a store: the runs of another that these references mean; without any, all."""

    def fill(store: Store) -> None:
        with Store.open(place, create=False) as source:
            copied = list(join(store, source, tuple(references)))
        if not copied:
            raise InputError(f"{place} has no run", where="--store", hint="motebench run makes one")

    return fill


def of_references(selection: Selection) -> Callable[[Store], object]:
    """Filler of a store with reference results: a run for each target, a sample for each metric of
    a case.
    """

    def fill(store: Store) -> None:
        by_target: dict[str, list[ReferenceCase]] = defaultdict(list)
        tables = selection.references()
        for target, entry in selection.of(tables):
            by_target[target].append(entry)
        if not by_target:
            raise InputError("no reference result has these names", where="--implementation")
        for table in tables:
            if table.target in by_target:
                with store.together():
                    _add_reference(store, table, by_target[table.target])

    return fill


def _add_reference(store: Store, table: Reference, entries: Sequence[ReferenceCase]) -> None:
    target, facts = table.target, table.provenance
    measured = {
        entry.key: Case(
            entry.scheme,
            entry.implementation,
            Operation(entry.operation),
            entry.input_bytes,
            target,
            entry.implementation.partition("/")[0],
        )
        for entry in entries
        if entry.values and entry.operation
    }
    settings = {
        "command": f"motebench reference update --target {target}",
        "study": "reference results",
    }
    device = device_of(target)
    name = target.replace(":", " ") if device is None else device.id
    version = facts.get("motebench", "unknown")
    run = store.create_run(
        name, "", settings, _environment(table, entries), 1, version, measured.values()
    )
    built = ", ".join(facts[key] for key in ("compiler", "flags") if facts.get(key))
    store.add_note(
        run,
        f"reference results: {built}, after known answers; date and commit are those of this "
        "page, whose commit has the table",
    )
    readings = {
        measured[entry.key]: [_reading(*value) for value in entry.values.items()]
        for entry in entries
        if entry.key in measured
    }
    store.add_finished(run, readings)
    for entry in entries:
        if entry.key not in measured and entry.failure:
            operation = Operation(entry.operation) if entry.operation else None
            identity = CaseId(
                entry.scheme, entry.implementation, operation, entry.input_bytes, target
            )
            kind = FailureKind(entry.failure)
            store.add_failure(run, Failure.of_case(identity, kind, entry.message))
    store.finish_run(run, "finished")


def _environment(table: Reference, entries: Iterable[ReferenceCase]) -> dict[str, Any]:
    """Facts that a run keeps of motebench and of each implementation."""
    facts = table.provenance
    names = dict.fromkeys(entry.implementation for entry in entries)
    return {
        "reference": dict(facts),
        "motebench": own_revision(),
        "probes": {probe_key(table.target, name): _built(facts, name) for name in names},
    }


def _built(facts: Mapping[str, str], implementation: str) -> dict[str, str]:
    """Compiler and flags of an implementation; both are those of the plain name in the file."""
    level = re.match(rf"{VARIANT}(O[0-3s])$", variant_marks(implementation))
    flags = facts.get("flags", "")
    return {
        "compiler": facts.get("compiler", ""),
        "flags": re.sub(r"-O[0-3s]\b", f"-{level[1]}", flags) if level else flags,
    }


def _reading(metric: str, value: int) -> tuple[Series, Sample]:
    counted = metric in ("cycles", "instructions")
    unit, source = ("count", "simulator") if counted else ("B", "reference results")
    series = Series(metric, unit, 1.0, 0.0, source, Evidence.SIMULATED)
    return series, Sample(0, float(value))


def check_folder(folder: Path) -> None:
    """InputError if the folder cannot be written or holds something else."""
    valid = "a folder that is new, empty, or a site that motebench published"
    if not folder.absolute().parent.is_dir():
        raise InputError(f"there is no folder {folder.absolute().parent}", where="DIR", valid=valid)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError(f"{folder} is not a folder", where="DIR", valid=valid)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise InputError(f"{folder} is not empty, and not a site of ours", where="DIR", valid=valid)


def _settle(store: Path) -> None:
    """Leave a store that is one file: SQLite of a reader of a medium that cannot be written needs
    no log.
    """
    import sqlite3

    connection = sqlite3.connect(store)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()


def _replace(folder: Path, made: Path, before: Path) -> None:
    """Put what was made in the place of a folder, which another program never sees half."""
    mask = os.umask(0)
    os.umask(mask)
    made.chmod(0o777 & ~mask)
    check_folder(folder)  # it may have changed meanwhile
    if folder.exists():
        folder.rename(before)
    try:
        made.rename(folder)
    except OSError:
        if before.exists():
            before.rename(folder)
        raise
    shutil.rmtree(before, ignore_errors=True)


# Names of files


def file_of(address: str) -> str | None:
    """The file of an address of a server, with the query that the script answers; None if there
    can be none. Names have no characters but letters, digits, ``-``, ``.`` and ``/``.
    """
    parts = urlsplit(address)
    path, values = unquote(parts.path), dict(parse_qsl(parts.query))
    form = values.pop("format", "html")
    if path.startswith("/static/"):
        return path[1:] if path[8:] in (*FILES, "static.js") else None
    if path in ("/", "/runs"):
        return _searched("index" if form == "html" else "runs", form, values)
    if path in _SIDES:
        pair = (values.get("a", ""), values.get("b", ""))
        if all(map(_is_number, pair)) and len(values) == 2:
            return f"{path[1:]}/{pair[0]}-{pair[1]}.{form}"
    if path == "/history" and _is_number(values.get("case", "")):
        metric = values.get("metric", "")
        return f"history/{values['case']}{f'-{metric}' if metric in METRICS else ''}.{form}"
    if path in (*_SIDES, "/results", "/history", "/changes", *(f"/{name}" for name in _OF_NEWEST)):
        return _searched(path[1:], form, values)
    match = re.fullmatch(r"/runs/(\d{1,18})(?:/cases/(\d{1,18}))?", path)
    return None if match is None else _of_run(match[1], match[2], form, values)


def _of_run(run: str, case: str | None, form: str, values: Mapping[str, str]) -> str:
    """The file of a run, or of one of its cases."""
    if case is None:
        page = values.get("page", "1")
        paged = f"-{page}" if page != "1" and _is_number(page) and form == "html" else ""
        return f"runs/{run}{paged}.{form}"
    metric = values.get("metric", "")
    return f"runs/{run}/{case}{f'-{metric}' if metric in METRICS else ''}.{form}"


def _searched(name: str, form: str, values: Mapping[str, str]) -> str | None:
    if form != "html":
        return f"{name}.{form}" if (name, form) in _BESIDE else None
    if name == "index" and values.keys() == {"page"} and _is_number(values["page"]):
        return f"index-{values['page']}.html" if values["page"] != "1" else "index.html"
    return f"{name}.html?{urlencode(values, errors='replace')}" if values else f"{name}.html"


_BESIDE = {
    ("runs", "json"),
    ("runs", "csv"),
    ("results", "csv"),
    ("changes", "json"),
    ("changes", "csv"),
}
"""Files of all runs together."""


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


# Writing


@dataclass(slots=True)
class _Writer:
    """Writes the site of a store into a folder."""

    site: Site
    folder: Path
    say: Callable[[str], None]
    written: set[str] = field(default_factory=set)
    later: dict[str, str] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    """Files that stand for others: one history for each case of it."""
    results: list[str] = field(default_factory=list)
    """Lines of the CSV file of all results."""
    done: PublishedSite = field(default_factory=PublishedSite)

    def whole(self) -> PublishedSite:
        """Write everything."""
        with self.site.open() as store:
            page = store.runs_page(StoreFilter(), 0, 10**9)
            names = self.site.names(store)
            cases = {run.id: len(store.cases_of(run.id)) for run in page.runs}
        if page.unusable:
            raise InputError(f"a run cannot be shown: {page.unusable[0]}", where="RUN")
        runs = page.runs
        for number in range(1, max(1, -(-len(runs) // ROWS)) + 1):
            self._page("runs", {}, {"page": str(number)} if number > 1 else {}, "/")
        self._overviews()
        lines: list[StoredRow] = []
        for run in runs:
            self.say(f"run {run.id} {run.name}: {cases[run.id]} cases")
            lines += self._run(run, pages=cases[run.id] <= MOST_CASES)
        pairs = list(self._pairs([run for run in reversed(runs) if run.kind != RunKind.LEAK]))
        self._tables(runs)
        histories = [self._history(*numbers) for numbers in _histories(lines)]
        self._script("index", _index(runs, pairs, names.targets) | {"histories": histories})
        for name in FILES:
            if name != "htmx.min.js":
                self._write(f"static/{name}", file_text(name))
        self._write("static/static.js", file_text("static.js"))
        self._write(MARK, json.dumps({"schema": "motebench-site-1"}) + "\n")
        self._link()
        size = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        self.done.files, self.done.size = len(self.written) + 1, size
        return self.done

    def _overviews(self) -> None:
        """The pages over all runs, as they are without a choice."""
        for view in ("results", "compare", "difference"):
            self._page(view, {}, {}, VIEWS[view].path)
        for view in ("history", *_OF_NEWEST):
            with suppress(MotebenchError):  # nothing fits
                self._page(view, {}, {}, VIEWS[view].path)
        changes = self._page("changes", {}, {}, VIEWS["changes"].path)
        for form, make in changes.files.items():
            self._write(f"changes.{form}", make())

    def _page(
        self, view: str, at: Mapping[str, str], values: Mapping[str, str], here: str
    ) -> SitePage:
        """Make a page and the files that belong to it."""
        page = MAKERS[view](self.site, at, SiteQuery(VIEWS[view], values))
        files = [form for form in VIEWS[view].files if form in page.files and form != "file"]
        text = html(page.template, page.title, here, files, page.content, values)
        name = file_of(f"{here}?{urlencode(values)}")
        assert name is not None and "?" not in name, (here, values)
        self.later[name] = text
        return page

    def _run(self, run: RunSummary, *, pages: bool) -> list[StoredRow]:
        """The pages of a run; returns its rows."""
        at, here = {"run": str(run.id)}, f"/runs/{run.id}"
        first = self._page("run", at, {}, here)
        leak = run.kind == RunKind.LEAK
        table = first.files["csv"]()
        self._write(f"runs/{run.id}.csv", table)
        if pages or leak:
            self._write(f"runs/{run.id}.json", first.files["json"]())
        if leak:
            return []
        self.results.append(_measured_lines(run, table))
        if not pages:
            note = f'<p class="fine">{_LEFT_OUT}</p>{_CASES}'
            self.later[f"runs/{run.id}.html"] = self.later[f"runs/{run.id}.html"].replace(
                _CASES, note, 1
            )
        unlinked = "" if pages else "delete window.motebenchPage.site.cases;\n"
        self._write(f"runs/{run.id}.js", first.files["js"]() + unlinked)
        lines = first.content["lines"]
        for row, path in lines if pages else ():
            if path:
                self._result({**at, "case": path.rpartition("/")[2]}, {"metric": row.metric}, path)
        rows = [
            StoredRow(run, int(link.rpartition("/")[2]), row, {}) for row, link in lines if link
        ]
        self._script(f"run-{run.id}", _packed(_line(row, pages=pages) for row in rows), run.id)
        return rows

    def _result(self, at: Mapping[str, str], values: Mapping[str, str], path: str) -> None:
        """The page of a metric of a case; its first metric stands for the case."""
        page = self._page("result", at, values, path)
        name, first = (file_of(f"{path}?{urlencode(chosen)}") for chosen in ({}, values))
        assert name is not None and first is not None, path
        self.same.setdefault(name, first)
        for form, make in page.files.items():
            name = file_of(f"{path}?{urlencode({**values, 'format': form})}")
            if name is not None and form in ("json", "csv", "svg"):
                self._write(name, make())

    def _pairs(self, runs: list[RunSummary]) -> Iterator[tuple[int, int]]:
        """The pairs of runs that have a page of verdicts; runs that cannot be compared have
        none. Without a target in common they are not read for it.
        """
        apart = sorted(
            (b - a, -b, runs[a].id, runs[b].id)
            for b in range(len(runs))
            for a in range(b)
            if not {*runs[a].targets}.isdisjoint(runs[b].targets)
        )
        for _, _, a, b in apart[:MOST_PAIRS]:
            values = {"a": str(a), "b": str(b)}
            try:
                for view, path in zip(("compare", "difference"), _SIDES, strict=True):
                    page = self._page(view, {}, values, path)
                    for form in ("json", "csv"):
                        if form in page.files:
                            self._write(f"{path[1:]}/{a}-{b}.{form}", page.files[form]())
            except MotebenchError:
                continue  # other environments, or nothing in common
            yield a, b

    def _history(self, number: int, others: Sequence[int]) -> list[Any]:
        """The page of the history of a case, which has these numbers in other runs; its place for
        the script.
        """
        values = {"case": str(number)}
        page = self._page("history", {}, values, "/history")
        for form in ("csv", "json", "svg"):
            if form in page.files:
                self._write(f"history/{number}.{form}", page.files[form]())
        case, metric = page.content["case"], page.content["metric"]
        for other in (number, *others):
            self.same |= {
                f"history/{other}{end}.html": f"history/{number}.html" for end in ("", f"-{metric}")
            }
        size = case.input_bytes or 0
        names = [
            case.scheme,
            case.implementation,
            str(case.operation),
            operation_words(case.operation),
        ]
        return [number, *names, size, format_size(size), input_of(case), case.target]

    def _tables(self, runs: Iterable[RunSummary]) -> None:
        rows = tuple(map(run_row, runs))
        self._write("runs.json", json_text(ListEntry(what="runs", rows=rows)))
        self._write("runs.csv", table_text(RunRow, rows))
        self._write("results.csv", measurements_text(()) + "".join(self.results))

    def _script(self, name: str, data: Any, run: int | None = None) -> None:
        """Data as a script that gives them to ours."""
        key = "" if run is None else f"{run}, "
        self._write(f"data/{name}.js", f'"use strict";\nmotebenchData({key}{as_json(data)});\n')

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        self.written.add(name)

    def _link(self) -> None:
        """Write the pages, whose links lead to files that are there, and none elsewhere."""
        files = self.written | self.later.keys() | {STORE}
        self.done.pages = len(self.later)
        for name, text in self.later.items():
            self._write(name, _static(text, name, files, self.same))


def _measured_lines(run: RunSummary, table: str) -> str:
    """The lines of the CSV file of a run on measurements, with their run before them."""
    start = [cell(run.id), cell(run.name)]
    head, *rows = csv.reader(io.StringIO(table))
    kind = head.index("kind")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([*start, *row] for row in rows if not row[kind])
    return out.getvalue()


def _histories(lines: Iterable[StoredRow]) -> list[tuple[int, list[int]]]:
    """Cases that several runs have measured: the newest number of each with the others."""
    numbers: dict[CaseId, list[int]] = defaultdict(list)
    for stored in lines:
        of_case = numbers[stored.row.id]
        if stored.case not in of_case:
            of_case.append(stored.case)
    several = sorted((sorted(of_case, reverse=True) for of_case in numbers.values()), reverse=True)
    return [(newest, rest) for newest, *rest in several if rest][:MOST_HISTORIES]


def _static(text: str, name: str, files: Iterable[str], same: Mapping[str, str]) -> str:
    """A page of a server as the page of a folder."""
    up = "../" * name.count("/")

    def relative(match: re.Match[str]) -> str:
        attribute, address = match[1], markup.unescape(match[2])
        name_of = file_of(address) or ""
        target = same.get(name_of, name_of)
        if target.partition("?")[0] not in files:
            return ""
        return f' {attribute}="{markup.escape(up + quote(target, safe="/?=&%+*,:@-._"))}"'

    run = re.match(r"runs/(\d+)(?:-\d+)?\.html$", name)
    if run is not None:  # its filters search in its results
        text = text.replace(
            f'<form action="/runs/{run[1]}" ',
            f'<form data-run="{run[1]}" action="/results" ',
        )
    text = _API.sub('<a href="store.db">SQLite</a>'.replace("store", f"{up}store"), text)
    text = text.replace(_SCRIPT, '<script src="/static/static.js" defer></script>')
    text = _ADDRESS.sub(relative, _OF_HTMX.sub("", text))
    before, nav, after = text.partition("</nav>")
    text = _NO_LINK.sub("", before) + nav + _NO_FILE.sub("", after)
    head = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    text = text.replace("<head>", f"<head>\n{head}", 1)
    return text.replace("<html ", f'<html data-up="{up}" data-page="{name}" ', 1)


# Data of the script


def _index(
    runs: Iterable[RunSummary], pairs: list[tuple[int, int]], targets: Iterable[str]
) -> dict[str, Any]:
    devices = {target: device.id for target in targets if (device := device_of(target)) is not None}
    return {
        "runs": [_searchable(run) for run in runs],
        "pairs": pairs,
        "devices": devices,
        "rows": ROWS,
        "metrics": {name: metric_words(name) for name in METRICS},
        "factors": {name: _factors(metric.unit) for name, metric in METRICS.items()},
        "speeds": SPEEDS,
        "memories": MEMORIES,
        "kinds": [[kind.name, kind.metrics] for kind in KINDS],
        "instead": INSTEAD,
    }


_PREFIXES = ("", "n", "u", "µ", "m", "k", "K", "M", "G")
_SPELT = (
    *(f"{prefix}{base}" for base in ("s", "B", "J", "W", "A", "B/s") for prefix in _PREFIXES),
    *("min", "h", "KiB", "MiB", "cycles"),
)
"""Units that the script reads."""


@cache
def _factors(metric_unit: str) -> dict[str, float]:
    """Factors of the units of the same quantity, each in the metric's unit."""
    own = unit_of(metric_unit)
    read = {text: unit_of(text) for text in _SPELT}
    return {
        text: float(known_unit.factor / own.factor)
        for text, known_unit in read.items()
        if own is not None and known_unit is not None and known_unit.dimension == own.dimension
    }


def _searchable(run: RunSummary) -> dict[str, Any]:
    names = ("id", "name", "study", "started", "status", "version", "command")
    lists = ("tags", "notes", "schemes", "implementations", "targets", "states")
    return {name: getattr(run, name) for name in (*names, *lists)} | {"kind": str(run.kind)}


_TEXTS = (1, 2, 3, 4, 6, 7, 8, 9, 12, 13, 14)
"""Places in a line of texts that many lines share."""


def _packed(lines: Iterable[list[Any]]) -> dict[str, Any]:
    """Lines of a run, with the number of a text in a table instead of the text."""
    texts: dict[str, int] = {}
    packed = [
        [
            texts.setdefault(value, len(texts)) if place in _TEXTS else value
            for place, value in enumerate(line)
        ]
        for line in lines
    ]
    return {"texts": list(texts), "lines": packed}


def _line(stored: StoredRow, *, pages: bool) -> list[Any]:
    """A row for the script, in the order that it knows."""
    row: Row = stored.row
    return [
        stored.case if pages else 0,
        row.scheme,
        row.implementation,
        str(row.operation),
        operation_words(row.operation),
        row.input_bytes or 0,
        format_size(row.input_bytes or 0),
        input_of(row),
        row.target,
        row.metric,
        plain(row.median),
        row.text,
        "" if row.alone else row.spread,
        str(row.evidence),
        str(row.better),
        int(row.quotable),
    ]
