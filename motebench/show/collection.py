"""A measured collection for readers: each number beside the published one, and the project's own
table (`motebench.measuring.collection`).

A row that lacks numbers says why: none is left out, and none is 0.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import fmean, median, stdev

from motebench.base.errors import InputError
from motebench.base.naming import unplaced
from motebench.base.units import MAIN, METRICS
from motebench.documents.comparison import (
    CollectedCauseEntry,
    CollectedEntry,
    CollectedFigureEntry,
    CollectionEntry,
)
from motebench.measuring.collection import (
    COPIED,
    KINDS,
    NAMES,
    UNITS,
    CellField,
    Collected,
    CollectedFolder,
    CollectionFile,
    CollectionRequest,
    FolderOutcome,
    PublishedTable,
    cell_field,
    commit_of,
    folders_of,
    is_board,
    of_shares,
    slots,
    variant_of,
)
from motebench.results.results import rows
from motebench.results.row import MeasurementRow

MISSING = "-"
"""Cell without a number."""
CAUSE = "cause"
"""Column behind a project's own: why numbers are missing."""
MOST_SPREAD = 0.06
"""Largest (max - min) / mean of executions at which their mean is compared as an exact number."""
_FEWEST = 5
"""Executions whose mean has an uncertainty."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_COUNT = re.compile(r"0x[0-9a-f]+|[0-9][0-9,]*")
_SUFFIX = re.compile(r"\s*\([^()]*\)$")
_NUMBER = r"(-?[0-9][0-9.,]*)"
_MARKDOWN = (".md", ".markdown")
_FORMULA = ("=", "+", "@", "\t", "\r")
_SHOWN = ("stack", "flash_net", "hash_share")
_COUNTED = ("cycles", "B", "instructions", "ticks")


@dataclass(frozen=True, slots=True)
class OwnColumn:
    """Column of a project's table: its name, what stands in its cells, and its sizes in bytes."""

    name: str
    cell: str
    aad: int | None = None
    size: int | None = None

    @property
    def quantities(self) -> list[CellField]:
        """The measured quantities in its cells."""
        return [cell_field(slot) for slot in slots(self.cell) if slot not in (*NAMES, COPIED)]


@dataclass(frozen=True, slots=True)
class PublishedRows:
    """A published table: names of its columns, and its rows by the names that identify them."""

    columns: tuple[str, ...] = ()
    rows: Mapping[tuple[str, ...], Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table as the project writes it. ``file``: name of the file that it is in."""

    target: str
    file: str
    title: str
    section: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


# Published tables


def read_published(path: Path, table: PublishedTable, titles: Iterable[str]) -> PublishedRows:
    """The published table in a CSV or Markdown file. InputError if it cannot be read, or has no
    such table.

    ``titles``: of all tables; other headings are sections.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}", where="published") from None
    markdown = path.suffix.lower() in _MARKDOWN
    named = _naming(table, markdown=markdown)
    lines = _markdown_rows(text) if markdown else csv.reader(io.StringIO(text))
    for title, section, block in _blocks(lines, set(titles)):
        columns = tuple(name for name in block[0] if name)
        right = (not table.title or title == table.title) and table.section in ("", section)
        if right and all(name in columns for name in named):
            published: dict[tuple[str, ...], Mapping[str, str]] = {}
            for cells in block[1:]:
                row = dict(zip(columns, cells, strict=False))
                published.setdefault(_key(row.get(name, "") for name in named), row)
            return PublishedRows(columns, published)
    heading = " / ".join(filter(None, (table.title, table.section)))
    raise InputError(
        f"{path} has no table {heading}".rstrip(),
        where="published",
        valid=f"a table with the columns {', '.join(named)}",
    )


def _blocks(
    lines: Iterable[Sequence[str]], titles: set[str]
) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Tables of a file: title, section, and the lines from the heads of the columns on."""
    title = section = ""
    block: list[list[str]] = []
    for line in lines:
        cells = [cell.strip() for cell in line]
        if not cells or any(cells[1:]) or not cells[0]:
            if any(cells):
                block.append(cells)
            continue
        if block:
            yield title, section, block
            block = []
        title, section = (cells[0], "") if cells[0] in titles else (title, cells[0])
    if block:
        yield title, section, block


def _markdown_rows(text: str) -> Iterator[list[str]]:
    """Lines of tables as cells, and headings as one cell."""
    for line in text.splitlines():
        if line.startswith("#"):
            yield [line.lstrip("#").strip()]
        elif line.startswith("|"):
            cells = line.strip().strip("|").split("|")
            if not all(re.fullmatch(r"\s*:?-*:?\s*", cell) for cell in cells):
                yield cells


def _key(cells: Iterable[str]) -> tuple[str, ...]:
    """Names of a row to compare: without capitals, and without what stands in brackets."""
    return tuple(_SUFFIX.sub("", cell).strip().casefold() for cell in cells)


def _columns(table: PublishedTable, *, markdown: bool) -> dict[str, str]:
    return table.markdown if markdown and table.markdown else table.columns


def _naming(table: PublishedTable, *, markdown: bool) -> list[str]:
    """The columns that identify a row."""
    return [
        name
        for name, cell in _columns(table, markdown=markdown).items()
        if all(slot in NAMES for slot in slots(cell))
    ]


def table_columns(
    table: PublishedTable, published: Sequence[str], sizes: Sizes, *, markdown: bool
) -> list[OwnColumn]:
    """The columns of a table in the order of the published one; without it, in that of the file,
    repeated for all sizes.
    """
    columns = _columns(table, markdown=markdown)
    if not published:
        return list(_repeated(columns, sizes))
    listed = []
    for name in published:
        cell = columns.get(name)
        aad = size = None
        if cell is None:
            for pattern, candidate in columns.items():
                if "{" in pattern and (match := _sized(pattern).fullmatch(name)):
                    places = match.groupdict()
                    aad, size = (int(places.get(key, 0)) for key in ("aad", "size"))
                    cell = candidate
                    break
        listed.append(OwnColumn(name, "" if cell is None else cell, aad, size))
    return listed


def _sized(pattern: str) -> re.Pattern[str]:
    """Expression of the names of a repeated column."""
    parts = re.split(r"(\{aad\}|\{size\})", pattern)
    return re.compile(
        "".join(
            f"(?P<{part[1:-1]}>[0-9]+)" if part in ("{aad}", "{size}") else re.escape(part)
            for part in parts
        )
    )


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in bytes that a collection measures."""

    aad: tuple[int, ...] = ()
    message: tuple[int, ...] = ()


def _repeated(columns: Mapping[str, str], sizes: Sizes) -> Iterator[OwnColumn]:
    """Columns in the order of the file; neighbours that are repeated alike take turns."""
    waiting: list[tuple[str, str]] = []
    for name, cell in [*columns.items(), ("", "")]:
        if "{size}" in name:
            waiting.append((name, cell))
            continue
        with_aad = any("{aad}" in pattern for pattern, _ in waiting)
        for aad in sizes.aad or (0,) if with_aad else (None,):
            for size in sizes.message if waiting else ():
                for pattern, repeated in waiting:
                    filled = pattern.replace("{size}", str(size)).replace("{aad}", str(aad))
                    yield OwnColumn(filled, repeated, aad, size)
        waiting = []
        if name:
            yield OwnColumn(name, cell)


def _numbers(text: str, cell: str) -> list[float | None]:
    """The numbers in a published cell, by quantity of what stands in such cells."""
    whole = cell if "{" in cell else f"{{{cell}}}"
    parts = _SLOT.split(whole)
    quantities = [part for part in parts[1::2] if part not in (*NAMES, COPIED)]
    expression = "".join(
        re.escape(part) if place % 2 == 0 else (".*?" if part in (*NAMES, COPIED) else _NUMBER)
        for place, part in enumerate(parts)
    )
    match = re.fullmatch(expression + r"\s*%?", text.strip())
    if match is None:
        return [None] * len(quantities)
    return [float(number.replace(",", "")) for number in match.groups()]


# The document


@dataclass(slots=True)
class _CollectionMaker:
    """Makes the document of a collection."""

    collected: Collected
    beside: Path
    published: dict[tuple[int, str], PublishedRows] = field(default_factory=dict)

    @property
    def file(self) -> CollectionFile:
        return self.collected.request.collection

    def table(self, number: int, target: str) -> PublishedRows:
        """The published rows of a table on a target; empty if none is published."""
        key = (number, target)
        if key not in self.published:
            table = self.file.tables[number]
            name = table.published.get(unplaced(target))
            titles = [other.title for other in self.file.tables if other.title]
            self.published[key] = (
                PublishedRows() if name is None else read_published(self._path(name), table, titles)
            )
        return self.published[key]

    def _path(self, name: str) -> Path:
        places = (self.collected.request.tree / name, self.beside.parent / name)
        return next((path for path in places if path.is_file()), places[0])

    def tables(self, target: str) -> Iterator[tuple[int, PublishedTable]]:
        """The tables of a target, each with its number: of those of a kind, the ones that are
        published for it, or else all. Tables of shares alone are left out unless shares were asked
        for.
        """
        target = unplaced(target)
        kinds = {table.kind for table in self.file.tables if target in table.published}
        for number, table in enumerate(self.file.tables):
            if of_shares(table) and self.collected.request.share is None:
                continue
            if table.kind not in kinds or target in table.published:
                yield number, table

    def markdown(self, number: int, target: str) -> bool:
        """True if the table is published in Markdown."""
        name = self.file.tables[number].published.get(unplaced(target), "")
        return Path(name).suffix.lower() in _MARKDOWN

    def entries(self) -> Iterator[CollectedEntry]:
        """All rows: those of folders, then those that are published alone."""
        taken: set[tuple[int, str, tuple[str, ...]]] = set()
        for outcome in self.collected.outcomes:
            yield from self._of_outcome(outcome, taken)
        yield from self._without_folder(taken)

    def _of_outcome(
        self, outcome: FolderOutcome, taken: set[tuple[int, str, tuple[str, ...]]]
    ) -> Iterator[CollectedEntry]:
        board = is_board(outcome.target)
        by_name = _by_implementation(outcome)
        names = outcome.implementations or tuple(
            f"code/x@{variant}" for variant in outcome.folder.block.variants
        )
        for implementation in names or ("code/x",):
            variant = variant_of(implementation, board)
            measured_rows = by_name.get(implementation, [])
            causes = tuple(
                CollectedCauseEntry(
                    kind=cause.kind,
                    operation=cause.operation,
                    size=cause.size or None,
                    message=cause.message,
                )
                for cause in outcome.causes
                if cause.implementation in (None, implementation)
            )
            failed = "excluded" if outcome.folder.excluded else "failed"
            figures = tuple(self._all_figures(outcome, variant, measured_rows, taken))
            yield CollectedEntry(
                folder=outcome.folder.path,
                names=dict(outcome.folder.names),
                variant=variant,
                target=outcome.target,
                state=("kept" if outcome.kept else "measured") if measured_rows else failed,
                run=None if outcome.run is None else outcome.run.info.name,
                executions=max(
                    (len(_executions(row, measured_rows)) for row in measured_rows), default=0
                ),
                figures=figures,
                causes=(*causes, *_unexplained(figures, causes, measured_rows, outcome.target)),
            )

    def _all_figures(
        self,
        outcome: FolderOutcome,
        variant: str,
        measured_rows: Sequence[MeasurementRow],
        taken: set[tuple[int, str, tuple[str, ...]]],
    ) -> Iterator[CollectedFigureEntry]:
        """The figures of a variant in all tables; ``taken`` gets the published rows that it has."""
        if not self.file.tables:
            yield from _plain_figures(measured_rows)
        naming = {**outcome.folder.names, "variant": variant, "level": _level(variant)}
        for number, table in self.tables(outcome.target):
            if table.kind in _kinds_of(outcome):
                key = self._row_key(number, outcome.target, naming)
                taken.add((number, outcome.target, key))
                yield from self._figures(number, outcome.target, key, measured_rows)

    def _row_key(self, number: int, target: str, naming: Mapping[str, str]) -> tuple[str, ...]:
        table, markdown = self.file.tables[number], self.markdown(number, target)
        columns = _columns(table, markdown=markdown)
        return _key(
            _filled(columns[name], {**naming, "executions": "0"})
            for name in _naming(table, markdown=markdown)
        )

    def _figures(
        self,
        number: int,
        target: str,
        key: tuple[str, ...],
        measured_rows: Sequence[MeasurementRow],
    ) -> Iterator[CollectedFigureEntry]:
        published = self.table(number, target)
        theirs = published.rows.get(key, {})
        markdown = self.markdown(number, target)
        columns = table_columns(
            self.file.tables[number], published.columns, sizes_of(self.file), markdown=markdown
        )
        for column in columns:
            if not column.quantities:
                continue
            numbers = _numbers(theirs.get(column.name, ""), column.cell)
            for quantity, printed in zip(column.quantities, numbers, strict=True):
                yield _figure(column, quantity, _executed(measured_rows, quantity, column), printed)

    def _without_folder(
        self, taken: set[tuple[int, str, tuple[str, ...]]]
    ) -> Iterator[CollectedEntry]:
        """Published rows that no folder of the tree has."""
        entries: dict[tuple[str, tuple[str, ...]], CollectedEntry] = {}
        for target in self.collected.request.names if not self.collected.left else ():
            for number, table in self.tables(target):
                naming = _naming(table, markdown=self.markdown(number, target))
                for key in self.table(number, target).rows:
                    if (number, target, key) in taken:
                        continue
                    columns = _columns(table, markdown=self.markdown(number, target))
                    names = {
                        slot: text
                        for name, text in zip(naming, key, strict=True)
                        for slot in slots(columns[name])
                        if slot != "executions"
                    }
                    label = f"{names.get('scheme', '')}/{names.get('implementation', '')}"
                    only = self.collected.request.only
                    if only and not any(fnmatchcase(label, pattern) for pattern in only):
                        continue
                    figures = tuple(self._figures(number, target, key, ()))
                    before = entries.get((target, key))
                    entries[target, key] = _missing_entry(
                        names, target, (*(before.figures if before else ()), *figures)
                    )
        yield from entries.values()


def _by_implementation(outcome: FolderOutcome) -> dict[str, list[MeasurementRow]]:
    """The measured rows on the target of an outcome, by implementation."""
    by_name: dict[str, list[MeasurementRow]] = {}
    for row in () if outcome.run is None else rows(outcome.run):
        if unplaced(row.case.target) == unplaced(outcome.target):
            by_name.setdefault(row.case.implementation, []).append(row)
    return by_name


def _missing_entry(
    names: Mapping[str, str], target: str, figures: tuple[CollectedFigureEntry, ...]
) -> CollectedEntry:
    message = "published; no folder of the tree has these names"
    variant = names.get("variant") or names.get("level", "")
    return CollectedEntry(
        folder=None,
        names={name: word for name, word in names.items() if name not in ("variant", "level")},
        variant=variant.capitalize(),
        target=target,
        state="no-folder",
        run=None,
        executions=0,
        figures=figures,
        causes=_whole("no-folder", message),
    )


def _unexplained(
    figures: Sequence[CollectedFigureEntry],
    causes: Sequence[CollectedCauseEntry],
    measured_rows: Sequence[MeasurementRow],
    target: str,
) -> Iterator[CollectedCauseEntry]:
    """Causes where nothing failed: of a row without numbers, and of numbers that the target does
    not measure or the file does not ask for.
    """
    if not measured_rows:
        yield from () if causes else _whole("lost", "nothing was measured: the run was interrupted")
        return
    metrics = {row.metric for row in measured_rows}
    explained = {cause.operation for cause in causes}
    lacking = [
        figure
        for figure in figures
        if figure.value is None and not {None, figure.operation} & explained
    ]
    for metric in dict.fromkeys(figure.metric for figure in lacking):
        if metric not in metrics:
            yield from _whole("unsupported", f"{metric} is not measured on {target}")
    for operation in dict.fromkeys(f.operation for f in lacking if f.metric in metrics):
        yield CollectedCauseEntry(
            kind="not-asked",
            operation=operation,
            size=None,
            message="the collection file does not ask for all operations and sizes of the table",
        )


def _whole(kind: str, message: str) -> tuple[CollectedCauseEntry]:
    """The cause of a row that is about no operation alone."""
    return (CollectedCauseEntry(kind=kind, operation=None, size=None, message=message),)


def _level(variant: str) -> str:
    return variant.partition("+")[0].lower()


def sizes_of(collection: CollectionFile) -> Sizes:
    """All sizes that a collection measures."""
    aad = dict.fromkeys(size for block in collection.folders for size in block.aad)
    message = dict.fromkeys(size for block in collection.folders for size in block.sizes)
    return Sizes(tuple(aad), tuple(message))


def _executed(
    measured_rows: Sequence[MeasurementRow], quantity: CellField, column: OwnColumn
) -> list[float]:
    """The executions whose statistic is our number of a quantity, in its unit; none if it was not
    measured. Of all operations: those of the one with the largest.
    """
    fitting = [
        row
        for row in measured_rows
        if row.metric == quantity.metric
        and row.values
        and quantity.operation in (None, row.case.operation)
        and column.size in (None, row.case.input_bytes)
        and (column.aad or 0) == (row.case.aad_bytes or 0)
    ]
    executed = [_executions(row, measured_rows) for row in fitting]
    if not executed:
        return []
    largest = max(executed, key=lambda values: _statistic(values, quantity.statistic))
    chosen = largest if quantity.operation is None else executed[0]
    return [value / quantity.scale for value in chosen]


def _executions(row: MeasurementRow, measured_rows: Sequence[MeasurementRow]) -> list[float]:
    """The values of a row; of cycles those with other inputs, if there are any: the case's own is
    part of the pilot that decided their number."""
    others = [
        value
        for other in measured_rows
        if other.metric == "input_cycles" and row.metric == "cycles" and other.case == row.case
        for value in other.values.values()
    ]
    return others or list(row.values.values())


def _uncertainty(executed: Sequence[float], quantity: CellField) -> float | None:
    """Standard uncertainty of a mean over inputs, as a part of it (GUM 4.2.3)."""
    if quantity.metric != "cycles" or quantity.statistic != "mean" or len(executed) < _FEWEST:
        return None
    return stdev(executed) / math.sqrt(len(executed)) / fmean(executed)


def _statistic(values: list[float], statistic: str) -> float:
    match statistic:
        case "mean":
            return fmean(values)
        case "min":
            return min(values)
        case "max":
            return max(values)
    return median(values)


def _unit(quantity: CellField) -> str:
    unit = METRICS[quantity.metric].unit
    return {scale: word for word, scale in UNITS.get(unit, {}).items()}.get(quantity.scale, unit)


def _figure(
    column: OwnColumn, quantity: CellField, executed: list[float], published: float | None
) -> CollectedFigureEntry:
    value = _statistic(executed, quantity.statistic) if executed else None
    deviation = None if value is None or not published else value / published - 1
    return CollectedFigureEntry(
        column=column.name,
        operation=None if quantity.operation is None else quantity.operation.value,
        input_bytes=column.size,
        aad_bytes=column.aad,
        metric=quantity.metric,
        statistic=quantity.statistic,
        unit=_unit(quantity),
        value=value,
        published=published,
        deviation=deviation,
        uncertainty=_uncertainty(executed, quantity),
    )


def _plain_figures(measured_rows: Sequence[MeasurementRow]) -> Iterator[CollectedFigureEntry]:
    """Figures of a collection without tables: cycles or time, stack, flash."""
    counted = {row.case.id for row in measured_rows if row.metric == "cycles"}
    for row in measured_rows:
        main = row.metric == "cycles" or (row.metric in MAIN and row.case.id not in counted)
        if not (main or row.metric in _SHOWN) or not row.values:
            continue
        case = row.case
        yield CollectedFigureEntry(
            column="",
            operation=case.operation.value,
            input_bytes=case.input_bytes,
            aad_bytes=case.aad_bytes,
            metric=row.metric,
            statistic="median",
            unit=METRICS[row.metric].unit,
            value=row.median,
            published=None,
            deviation=None,
            uncertainty=None,
        )


def collection_document(collected: Collected, beside: Path, store: str) -> CollectionEntry:
    """The document of a measured collection. ``beside``: path of its file. InputError for a
    published table that cannot be read.
    """
    entries = tuple(_CollectionMaker(collected, beside).entries())
    return _document(collected.request, store, collected.left, entries)


def planned_document(request: CollectionRequest, store: str) -> CollectionEntry:
    """The document of what a request would measure: an entry for each folder, target and variant.
    InputError without a folder.
    """
    folders = folders_of(request.collection, request.tree, request.only)
    entries = tuple(
        _planned(folder, target, variant)
        for folder in folders
        for target in request.names
        for variant in tuple(map("@{}".format, folder.block.variants)) or ("",)
    )
    left = sum(not folder.excluded for folder in folders)
    return _document(request, store, left, entries)


def _planned(folder: CollectedFolder, target: str, variant: str) -> CollectedEntry:
    return CollectedEntry(
        folder=folder.path,
        names=dict(folder.names),
        variant=variant_of(f"code/x{variant}", is_board(target)),
        target=target,
        state="excluded" if folder.excluded else "planned",
        run=None,
        executions=0,
        figures=(),
        causes=_whole("excluded", folder.excluded) if folder.excluded else (),
    )


def _document(
    request: CollectionRequest, store: str, left: int, entries: tuple[CollectedEntry, ...]
) -> CollectionEntry:
    collection = request.collection
    return CollectionEntry(
        name=collection.name,
        title=collection.title,
        repository=collection.repository,
        commit=collection.commit,
        tree_commit=commit_of(request.tree),
        store=store,
        left=left,
        entries=entries,
    )


def check_published(request: CollectionRequest, beside: Path) -> None:
    """Read the published tables of all targets of a request. InputError for one that cannot be
    read, before hours of measuring.
    """
    maker = _CollectionMaker(Collected(request, ()), beside)
    for target in request.names:
        for number, _ in maker.tables(target):
            maker.table(number, target)


# The project's own table


def own_tables(
    document: CollectionEntry, collected: Collected, beside: Path, *, markdown: bool
) -> list[OwnTable]:
    """The tables of a collection as its project writes them, with the column `CAUSE` behind."""
    maker, listed = _CollectionMaker(collected, beside), []
    of_folders: dict[tuple[str | None, str], tuple[str, ...]] = {
        (outcome.folder.path, outcome.target): _kinds_of(outcome) for outcome in collected.outcomes
    }
    for target in collected.request.names:
        for number, table in maker.tables(target):
            published = maker.table(number, target)
            named = table.published.get(unplaced(target))
            as_published = bool(table.markdown) <= (maker.markdown(number, target) == markdown)
            columns = table_columns(
                table,
                published.columns if as_published else (),
                sizes_of(maker.file),
                markdown=markdown,
            )
            file = _file_of(collected.request.collection.name, target, named, markdown=markdown)
            lines = []
            for entry in document.entries:
                kinds = of_folders.get((entry.folder, entry.target), KINDS)
                alone = entry.folder is None and not _has_column(entry, columns)
                if entry.target != target or table.kind not in kinds or alone:
                    continue
                lines.append(_own_row(entry, columns, _copied(maker, number, entry), markdown))
            heads = (*(column.name for column in columns), CAUSE)
            listed.append(OwnTable(target, file, table.title, table.section, heads, tuple(lines)))
    return listed


def _kinds_of(outcome: FolderOutcome) -> tuple[str, ...]:
    """Kinds of code of a folder; before it was read, what the names of folders above say."""
    above = re.findall(r"(?:^|/)crypto_(\w+)/", outcome.folder.path)
    guessed = tuple(kind for name in above for kind in name.split("_") if kind in KINDS)
    return outcome.kinds or guessed or KINDS


def _has_column(entry: CollectedEntry, columns: Sequence[OwnColumn]) -> bool:
    names = {column.name for column in columns if column.quantities}
    return any(figure.column in names for figure in entry.figures)


def _file_of(name: str, target: str, published: str | None, *, markdown: bool) -> str:
    ending = ".md" if markdown else ".csv"
    if published is not None:
        return Path(published).with_suffix(ending).name
    return re.sub(r"[^A-Za-z0-9.+=-]+", "-", f"{name}-{target}") + ending


def _copied(maker: _CollectionMaker, number: int, entry: CollectedEntry) -> Mapping[str, str]:
    """Cells of the published row."""
    naming = {**entry.names, "variant": entry.variant, "level": _level(entry.variant)}
    try:
        key = maker._row_key(number, entry.target, naming)
    except KeyError:
        return {}
    return maker.table(number, entry.target).rows.get(key, {})


def _own_row(
    entry: CollectedEntry,
    columns: Sequence[OwnColumn],
    published: Mapping[str, str],
    markdown: bool,
) -> tuple[str, ...]:
    """Cells of a row as the project writes them, and the causes."""
    names = {
        **entry.names,
        "variant": entry.variant,
        "level": _level(entry.variant),
        "executions": str(entry.executions),
    }
    texts = _texts_of(entry, markdown=markdown)
    cells = []
    for column in columns:
        content = {**names, COPIED: published.get(column.name) or MISSING}
        quantities = [slot for slot in slots(column.cell) if slot not in content]
        content |= {slot: texts(column, slot) for slot in quantities}
        lacks = MISSING in (content[slot] for slot in (*quantities, COPIED) if slot in column.cell)
        cells.append(MISSING if lacks or not column.cell else _filled(column.cell, content))
    return (*cells, causes_text(entry))


def _texts_of(entry: CollectedEntry, *, markdown: bool) -> Callable[[OwnColumn, str], str]:
    """Function that gives the number of a quantity in a column as text."""
    by_column = {
        (figure.column, figure.operation, figure.metric, figure.statistic): figure
        for figure in entry.figures
    }
    by_quantity = {key[1:]: figure for key, figure in by_column.items()}

    def text(column: OwnColumn, slot: str) -> str:
        quantity = cell_field(slot)
        operation = None if quantity.operation is None else quantity.operation.value
        key = (operation, quantity.metric, quantity.statistic)
        figure = by_column.get((column.name, *key))
        if figure is None and column.size is None:
            figure = by_quantity.get(key)
        return number_text(figure, markdown=markdown)

    return text


def _filled(cell: str, content: Mapping[str, str]) -> str:
    if "{" not in cell:
        return content.get(cell, "")
    return _SLOT.sub(lambda match: content.get(match[1], ""), cell)


def causes_text(entry: CollectedEntry) -> str:
    """The causes of a row on one line; empty if it lacks nothing."""
    return "; ".join(
        listed_causes(
            (cause.kind, cause.operation, cause.size, cause.message) for cause in entry.causes
        )
    )


def listed_causes(causes: Iterable[tuple[str, str | None, str | None, str]]) -> list[str]:
    """Kind, operations, size and message of causes, each on one line; operations with one cause
    share it, also if its numbers differ: those of the first are shown.
    """
    operations: dict[tuple[str, str], dict[str, None]] = {}
    messages: dict[tuple[str, str], list[str]] = {}
    for kind, operation, size, message in causes:
        about = " of ".join(filter(None, (operation, size)))
        alike = kind, _COUNT.sub("0", message)
        operations.setdefault(alike, {}).update({about: None} if about else {})
        messages.setdefault(alike, []).append(message)
    return [
        " ".join(
            f"{kind}: {', '.join(named)}{': ' if named else ''}{messages[kind, text][0]}"
            f"{' (other numbers alike)' if len({*messages[kind, text]}) > 1 else ''}".split()
        )
        for (kind, text), named in operations.items()
    ]


def number_text(figure: CollectedFigureEntry | None, *, markdown: bool) -> str:
    """Our number as tables write it: counts whole, others with three digits; `MISSING` without."""
    if figure is None or figure.value is None:
        return MISSING
    return plain_number(figure.value, figure.unit, commas=markdown)


def plain_number(value: float, unit: str, *, commas: bool) -> str:
    """A number as tables write it."""
    whole = unit in _COUNTED or abs(value) >= 100
    text = f"{value:,.0f}" if whole else f"{value:,.3g}"
    return text if commas else text.replace(",", "")


def own_text(tables: Sequence[OwnTable], *, markdown: bool) -> str:
    """Tables with their headings as one text; of several targets, each is named above its own."""
    files: dict[tuple[str, str], list[OwnTable]] = {}
    for table in tables:
        files.setdefault((table.target, table.file), []).append(table)
    write = _markdown_text if markdown else _csv_text
    named = len({target for target, _ in files}) > 1
    return "\n".join(
        (_target_line(target, markdown=markdown) if named else "") + write(listed)
        for (target, _), listed in files.items()
    )


def _target_line(target: str, *, markdown: bool) -> str:
    if markdown:
        return f"# {target}\n\n"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_safe(target)])
    return out.getvalue()


def _csv_text(tables: Sequence[OwnTable]) -> str:
    width = max((len(table.columns) for table in tables), default=0)
    lines: list[tuple[str, ...]] = []
    title = None
    for table in tables:
        headings = (table.title if table.title != title else "", table.section)
        lines += [(heading,) for heading in headings if heading]
        title = table.title
        lines += [table.columns, *table.rows]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([*map(_safe, line), *[""] * (width - len(line))] for line in lines)
    return out.getvalue()


def _safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: numbers alone may begin with a minus."""
    minus = cell.startswith("-") and cell != MISSING and not re.fullmatch(_NUMBER, cell)
    return f"'{cell}" if minus or cell.startswith(_FORMULA) else cell


def _markdown_text(tables: Sequence[OwnTable]) -> str:
    lines: list[str] = []
    title = None
    for table in tables:
        if table.title and table.title != title:
            lines.append(f"# {table.title}")
        title = table.title
        if table.section:
            lines.append(f"## {table.section}")
        lines.append(f"| {' | '.join(table.columns)} |")
        lines.append(f"| {' | '.join('-' * len(name) for name in table.columns)} |")
        lines += [
            f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
            for row in table.rows
        ]
    return "\n".join(lines) + "\n"


# Beside the published numbers

BESIDE = (
    "scheme",
    "implementation",
    "variant",
    "target",
    "operation",
    "aad_bytes",
    "input_bytes",
    "metric",
    "statistic",
    "unit",
    "ours",
    "published",
    "deviation_percent",
    "state",
    "run",
    CAUSE,
)
"""Columns of the table of all numbers beside the published ones."""


def beside_rows(document: CollectionEntry) -> Iterator[tuple[object, ...]]:
    """A line for each number of `BESIDE`, and one for each row without any."""
    for entry in document.entries:
        names = (*(entry.names.get(name, "") for name in BESIDE[:2]), entry.variant, entry.target)
        for figure in entry.figures:
            if figure.value is None and figure.published is None:
                continue
            deviation = None if figure.deviation is None else round(100 * figure.deviation, 3)
            yield (
                *names,
                *(figure.operation, figure.aad_bytes, figure.input_bytes, figure.metric),
                *(figure.statistic, figure.unit, figure.value, figure.published, deviation),
                *(entry.state, entry.run, "" if figure.value is not None else causes_text(entry)),
            )
        if not any(figure.value is not None or figure.published for figure in entry.figures):
            yield (*names, *[None] * 9, entry.state, entry.run, causes_text(entry))


def varied(entry: CollectedEntry) -> set[str | None]:
    """Operations whose cycles, published or ours, vary by more than `MOST_SPREAD` from execution to
    execution: the mean of either has an uncertainty of its own.
    """
    executions: dict[tuple[str | None, str], dict[str, float]] = {}
    for figure in entry.figures:
        for whose, cycles in (("published", figure.published), ("ours", figure.value)):
            if figure.metric == "cycles" and cycles is not None:
                executions.setdefault((figure.operation, whose), {})[figure.statistic] = cycles
    return {
        operation
        for (operation, _), numbers in executions.items()
        if {"mean", "min", "max"} <= numbers.keys()
        and numbers["max"] - numbers["min"] > MOST_SPREAD * numbers["mean"]
    }


def deviations(document: CollectionEntry) -> list[float]:
    """The deviations from the published numbers, one for each operation, size and metric, without
    those that vary (`varied`).
    """
    seen: dict[object, float] = {}
    for number, entry in enumerate(document.entries):
        varying = varied(entry)
        for figure in entry.figures:
            of_mean = figure.metric == "cycles" and figure.operation in varying
            if figure.deviation is not None and not of_mean:
                case = (figure.operation, figure.aad_bytes, figure.input_bytes, figure.metric)
                seen.setdefault((number, case), figure.deviation)
    return list(seen.values())
