"""User's file as tables: one number a row, or one row with several numbers; and the file beside
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.catalog import csvfile
from motebench.catalog.published import Cell, Printed, Statistic, Table, statistic
from motebench.catalog.schema import Count, Text
from motebench.publications.audit.columns import (
    MISSING,
    ColumnEntry,
    ColumnRole,
    check_commas,
    column_roles,
    is_number,
    is_size,
    number_of,
    parts,
    size_of,
)
from motebench.publications.audit.derived import ColumnTable, NumberRow
from motebench.publications.audit.forms import grids
from motebench.publications.audit.sheets import NumberStyle, Sheet, sheet
from motebench.publications.audit.statements import PaperStatements

_OURS = {
    "value_as_published": "printed",
    "unit_as_published": "printed_unit",
    "table_figure": "table",
}
_TIDY_LABELS = {"library_implementation": "implementation"}
_TIDY_NUMBERS = {"metric", "statistic", "value", "unit", "printed", "printed_unit", "table"}
_TIDY_SKIPPED = {
    "note",
    "quote",
    "input_label_as_published",
    "notes",
    "low",
    "high",
    "warnings",
    "samples",
    "evidence",
    "version",
    "ratio",
    "message",
    "kind",
}
_ENDINGS = {
    "_mean": "mean",
    "_avg": "mean",
    "_variance": "variance",
    "_var": "variance",
    "_sigma": "sd",
    "_sd": "sd",
    "_std": "sd",
    "_median": "median",
    "_min": "minimum",
    "_max": "maximum",
}


class BesideFile(PaperStatements):
    """``FILE.toml``: facts that the headers do not give, and sentences of the text."""

    title: Text | None = None
    repetitions: Annotated[Count, Field(le=10**9)] | None = None
    resolution: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    columns: dict[str, ColumnEntry] = Field(default_factory=dict)
    decimal: Literal[".", ","] | None = None
    """The decimal sign of all numbers."""
    thousands: Literal[".", ",", " ", "'"] | None = None
    """Sign that groups thousands."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """Table of a file, in the forms for checks of cells and of columns, with guesses and unread
    parts.
    """

    table: Table
    columns: ColumnTable | None = None
    guessed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditedFile:
    """Tables of a file, and the sentences beside them."""

    title: str
    read: tuple[ReadTable, ...]
    beside: BesideFile

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables with their cells."""
        return tuple(table_read.table for table_read in self.read)

    @property
    def guessed(self) -> tuple[str, ...]:
        """Guesses about all tables."""
        return tuple(guess for table_read in self.read for guess in table_read.guessed)


def read(
    path: Path, repetitions: int | None = None, resolution: Mapping[str, Fraction] | None = None
) -> AuditedFile:
    """Read the file and ``FILE.toml`` beside it. InputError with file and line."""
    sheets, beside = _sheets(path)
    tables = [
        table
        for item in sheets
        for table in _tables(item, beside, "" if len(sheets) == 1 else item.title)
    ]
    tables = [
        item for item in tables if item.table.cells or (item.columns and item.columns.measures)
    ]
    if not tables:
        raise InputError(
            "there is no column of numbers", where=str(path), hint="a header and numbers below it"
        )
    steps = _resolutions([item.table for item in tables], beside, resolution)
    n = repetitions or beside.repetitions
    names = _names([item.table.name for item in tables])
    finished = tuple(
        replace(item, table=_finish(_renamed(item.table, name), n, steps))
        for item, name in zip(tables, names, strict=True)
    )
    return AuditedFile(beside.title or path.name, finished, beside)


def _sheets(path: Path) -> tuple[list[Sheet], BesideFile]:
    """Tables of a file with one header each, and the file beside it."""
    grids_of_file = grids(path)
    beside = _beside(path)
    style = NumberStyle(beside.decimal or "", beside.thousands or "")
    sheets = [
        sheet_read for grid in grids_of_file if (sheet_read := sheet(grid, path, style)) is not None
    ]
    _known_columns(path, beside, sheets)
    return sheets, beside


def _names(names: Sequence[str]) -> list[str]:
    """The names of tables, with a number where several have one."""
    return [
        f"{name} ({names[: at + 1].count(name)})" if names.count(name) > 1 else name
        for at, name in enumerate(names)
    ]


def _renamed(table: Table, name: str) -> Table:
    cells = (
        table.cells
        if name == table.name
        else tuple(replace(cell, table=name) for cell in table.cells)
    )
    return replace(table, name=name, cells=cells)


def _beside(path: Path) -> BesideFile:
    """File beside a table; an empty one if it does not exist."""
    side = path.with_suffix(".toml")
    beside = toml.validate(toml.load(side), BesideFile) if side.exists() else BesideFile()
    if beside.decimal and beside.decimal == beside.thousands:
        raise InputError(
            f"decimal and thousands are both {beside.decimal!r}",
            where=f"{side}: decimal, thousands",
        )
    return beside


def _known_columns(path: Path, beside: BesideFile, sheets: Sequence[Sheet]) -> None:
    """InputError for a stated column that no table has."""
    headers = [header for sheet in sheets for header in sheet.file.header]
    for name in beside.columns:
        if name not in headers:
            raise InputError(
                f"there is no column {name!r}",
                where=f"{path.with_suffix('.toml')}: columns",
                valid=", ".join(headers),
                hint=did_you_mean(name, headers),
            )


def _tables(sheet: Sheet, beside: BesideFile, name: str) -> list[ReadTable]:
    """The tables of a sheet."""
    lowered = {header.lower() for header in sheet.file.header}
    if "value" in lowered and {"metric", "unit"} & lowered and not beside.columns:
        rows = tuple(
            replace(
                row,
                texts=tuple(
                    sheet.original(row.line, at, text) for at, text in enumerate(row.texts)
                ),
            )
            for row in sheet.file.rows
        )
        tables, guessed = _tidy(replace(sheet.file, rows=rows))
        return [ReadTable(table, None, tuple(guessed)) for table in tables]
    return [_wide(sheet, beside, name or sheet.file.path.name)]


def _resolutions(
    tables: Sequence[Table], beside: BesideFile, options: Mapping[str, Fraction] | None
) -> dict[str, Fraction]:
    """Resolution of readings by metric: options win over the file beside."""
    steps = {
        **{name: Fraction(str(step)) for name, step in beside.resolution.items()},
        **(options or {}),
    }
    metrics = {cell.metric for table in tables for cell in table.cells}
    for name in steps:
        if name not in metrics:
            raise InputError(
                f"there is no metric {name!r}", where="resolution", valid=", ".join(sorted(metrics))
            )
    return steps


def _finish(table: Table, n: int | None, steps: Mapping[str, Fraction]) -> Table:
    """The table with repetitions, resolutions and bounds; and with a number for rows that have the
    same labels.
    """
    assumed: dict[str, Fraction] = {}
    bounds: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    for cell in table.cells:
        unit = dimensions.unit(cell.unit_printed)
        whole = (
            unit is not None
            and unit.dimension == dimensions.CYCLES
            and unit.factor == 1
            and cell.metric not in steps
        )
        if whole and cell.number.half >= Fraction(1, 2000):
            assumed[cell.metric] = Fraction(1)
        if cell.unit_printed == "%" and cell.metric in ("cpu", "ram", "memory", "battery"):
            bounds[cell.metric] = Fraction(0), Fraction(100)
    every = set(table.readings.values())
    common = every.pop() if len(every) == 1 else None
    return replace(
        table,
        cells=tuple(_numbered(table.cells)),
        repetitions=n or table.repetitions or common,
        resolution={**assumed, **steps},
        assumed=frozenset(assumed),
        bounds=bounds,
        readings={} if n or common else table.readings,
    )


def _numbered(cells: tuple[Cell, ...]) -> Iterator[Cell]:
    """Rows with equal labels get a ``part``, by their order."""
    seen: dict[object, list[int]] = {}
    for cell in cells:
        lines = seen.setdefault(
            (tuple(sorted(cell.labels.items())), cell.metric, cell.statistic), []
        )
        lines.append(cell.line)
    for cell in cells:
        lines = seen[(tuple(sorted(cell.labels.items())), cell.metric, cell.statistic)]
        if len(lines) > 1 and "part" not in cell.labels:
            yield replace(cell, labels={**cell.labels, "part": str(lines.index(cell.line) + 1)})
        else:
            yield cell


@dataclass(slots=True)
class _WideTable:
    """A table with several numbers a row while it is read."""

    sheet: Sheet
    name: str
    roles: Sequence[ColumnRole]
    places: Mapping[str, int]
    """Columns that name the metric and the unit of the row, if there are any."""
    unread: list[str] = field(default_factory=list)

    def number(self, row: csvfile.TableRow, place: int, unit: str) -> tuple[Printed, str] | None:
        """Number as printed, and its unit; None, with a report, if it cannot be read."""
        text, line = row.texts[place], row.line
        if text.lower() in MISSING:
            return None
        original = self.sheet.original(line, place, text)
        try:
            number, unit = number_of(text, unit, "")
        except InputError:
            self.unread.append(f"line {line}, {self.sheet.file.header[place]}: {original[:40]!r}")
            return None
        shown = re.match(r"[-\u2212+\u2013]?[\d.,\u00a0\u202f\u2009' ]*\d", original)
        return (replace(number, text=shown[0]) if shown and original != text else number), unit


def _role_in_words(role: ColumnRole, metrics: bool) -> str:
    """The role of a column, for a person; ``metrics`` if a column names each row's metric."""
    if metrics and role.kind == "number":
        return f"{role.statistic} of the metric of the row"
    return str(role)


def _wide(sheet: Sheet, beside: BesideFile, name: str) -> ReadTable:
    """One row with several numbers: each column has a role."""
    file = sheet.file
    lowered = [heading.lower() for heading in file.header]
    metrics = "metric" in lowered and "metric" not in beside.columns
    names: tuple[str, ...] = ("metric", "unit") if metrics else ()
    places = {heading: lowered.index(heading) for heading in names if heading in lowered}
    context = " ".join((sheet.title, *sheet.notes))
    data = replace(file, rows=tuple(row for row in file.rows if row.line not in sheet.summaries))
    roles = column_roles(data, beside.columns, metrics=metrics, title=context)
    wide = _WideTable(sheet, name, roles, places)
    cells: list[Cell] = []
    readings: dict[int, int] = {}
    for row in data.rows:
        labels, count = _row_labels(wide, row)
        if count is not None:
            readings[row.line] = count
        cells += _row_cells(wide, row, labels)
    guessed = [
        f"{header}: {_role_in_words(role, metrics)}"
        for header, role in zip(file.header, roles, strict=True)
        if header not in beside.columns
    ]
    columns = None if metrics else _columns(wide)
    unread = tuple(dict.fromkeys(wide.unread))
    table = Table(
        name, sheet.title, str(file.path), tuple(_told_apart(cells, wide, data)), readings=readings
    )
    return ReadTable(table, columns, (*sheet.remarks, *guessed), unread)


def _row_labels(wide: _WideTable, row: csvfile.TableRow) -> tuple[dict[str, str], int | None]:
    """Labels of a row, with its size, and the number of readings of its numbers."""
    labels: dict[str, str] = {}
    count: int | None = None
    file = wide.sheet.file
    for role, text, header in zip(wide.roles, row.texts, file.header, strict=True):
        missing = text.lower() in MISSING
        if role.kind == "label" and text:
            labels[role.name] = text
        elif role.kind == "size" and not missing:
            if is_size(text, role.unit):
                labels["input_bytes"] = size_of(text, role.unit, "")
            else:
                labels["size"] = text
                wide.unread.append(f"line {row.line}, {header}: {text[:40]!r} is not a size")
        elif role.kind == "readings" and not missing:
            if text.isascii() and text.isdigit() and 0 < int(text[:10]) < 10**9:
                count = int(text)
            else:
                wide.unread.append(
                    f"line {row.line}, {header}: {text[:40]!r} is not a number of readings"
                )
    return labels, count


def _row_cells(
    wide: _WideTable, row: csvfile.TableRow, labels: Mapping[str, str]
) -> Iterator[Cell]:
    """The numbers of a row that were measured."""
    for place, role in enumerate(wide.roles):
        if role.kind != "number":
            continue
        metric = row.texts[wide.places["metric"]] if "metric" in wide.places else role.name
        unit = row.texts[wide.places["unit"]] if "unit" in wide.places else role.unit
        if (given := wide.number(row, place, unit)) is None:
            continue
        own = {**labels, "operation": role.operation} if role.operation else dict(labels)
        if role.label:
            own[role.label if role.label not in labels else "column"] = role.rest
        yield _cell(wide.name, row.line, own, metric, role.statistic, *given)


def _told_apart(cells: Sequence[Cell], wide: _WideTable, data: csvfile.CsvFile) -> Iterator[Cell]:
    """The cells, with a label ``row`` where columns that are no labels alone tell rows apart."""
    lines: dict[object, set[int]] = {}
    for cell in cells:
        lines.setdefault(
            (tuple(sorted(cell.labels.items())), cell.metric, cell.statistic), set()
        ).add(cell.line)
    extra = {
        row.line: " ".join(
            text
            for text, role in zip(row.texts, wide.roles, strict=True)
            if role.kind == "skip"
            or (role.kind == "number" and not role.unit and role.statistic is Statistic.VALUE)
        )
        for row in data.rows
    }
    for cell in cells:
        same = lines[(tuple(sorted(cell.labels.items())), cell.metric, cell.statistic)]
        apart = len(same) > 1 and len({extra[line] for line in same}) == len(same)
        yield (
            replace(cell, labels={**cell.labels, "row": extra[cell.line]})
            if apart and extra[cell.line]
            else cell
        )


def _columns(wide: _WideTable) -> ColumnTable:
    """The numbers of a table by column, with its sums and means."""
    file = wide.sheet.file
    rows = []
    for row in file.rows:
        numbers = {
            place: given
            for place, role in enumerate(wide.roles)
            if (place or row.line not in wide.sheet.summaries)
            and role.kind in ("number", "derived", "size", "label", "readings")
            and (role.kind in ("number", "derived") or is_number(row.texts[place]))
            and (given := wide.number(row, place, _symbol(role, file.header[place]))) is not None
        }
        label = " ".join(
            dict.fromkeys(
                text
                for text, role in zip(row.texts, wide.roles, strict=True)
                if role.kind in ("label", "size") and text
            )
        )
        rows.append(
            NumberRow(
                row.line,
                label[:80],
                numbers,
                wide.sheet.summaries.get(row.line, ""),
                wide.sheet.groups.get(row.line, 0),
            )
        )
    return ColumnTable(wide.name, file.header, tuple(wide.roles), tuple(rows))


def _symbol(role: ColumnRole, header: str) -> str:
    return role.unit or (
        "B" if role.kind == "size" else parts(header)[1] if role.kind == "label" else ""
    )


def _cell(
    table: str,
    line: int,
    labels: Mapping[str, str],
    metric: str,
    kind: Statistic,
    number: Printed,
    unit: str,
) -> Cell:
    square = f"{unit}^2" if kind is Statistic.VARIANCE and unit and not unit.endswith("2") else unit
    return Cell(table, line, labels, metric, kind, number, square, number.value, square)


def _tidy(file: csvfile.CsvFile) -> tuple[list[Table], list[str]]:
    """One number a row: ``metric``, ``value``, ``unit``, and labels."""
    names = [_OURS.get(name.lower(), name.lower()) for name in file.header]
    rows = [(row.line, dict(zip(names, row.texts, strict=True))) for row in file.rows]
    check_commas(str(file.path), [texts.get("printed") or texts["value"] for _, texts in rows])
    # A metric without any number is a property, such as the name of a core.
    numeric = {texts.get("metric", "") for _, texts in rows if is_number(texts["value"])}
    tables: dict[str, list[Cell]] = {}
    skipped = 0
    for line, texts in rows:
        if texts.get("metric", "") in numeric and not _wordy(texts["value"]):
            cell = _tidy_cell(file, line, texts)
            tables.setdefault(cell.table, []).append(cell)
        else:
            skipped += 1
    guessed = ["one number a row: metric, value and unit by their columns; all else are labels"]
    if skipped:
        guessed.append(f"{skipped} rows without a number are not checked")
    return [
        Table(name, "", str(file.path), tuple(cells)) for name, cells in tables.items()
    ], guessed


def _wordy(text: str) -> bool:
    """True if a cell is empty or holds words in place of a number; NaN and infinity are numbers
    that are refused.
    """
    if text.lower() in MISSING:
        return True
    return bool(re.search(r"[A-Za-z]{2}", text)) and not re.fullmatch(
        r"[+-]?nan|[+-]?inf.*", text, re.I
    )


def _tidy_cell(file: csvfile.CsvFile, line: int, texts: Mapping[str, str]) -> Cell:
    """The cell of a row, from its texts by column."""
    where = file.where(line, "value")
    metric = texts.get("metric") or "value"
    unit = texts.get("unit", "")
    value, _ = number_of(texts["value"], "", where)
    number, printed_unit = number_of(
        texts.get("printed") or texts["value"], texts.get("printed_unit") or unit, where
    )
    kind = statistic(texts["statistic"], where=where) if texts.get("statistic") else Statistic.VALUE
    for ending, name in _ENDINGS.items():
        if metric.endswith(ending):
            metric, kind = metric.removesuffix(ending), Statistic(name)
    labels = {
        _TIDY_LABELS.get(name, name): text
        for name, text in texts.items()
        if text and name not in _TIDY_SKIPPED | _TIDY_NUMBERS
    }
    if "input_bytes" in labels:
        labels["input_bytes"] = size_of(labels["input_bytes"], "B", where)
    cell = _cell(
        texts.get("table") or file.path.name, line, labels, metric, kind, number, printed_unit
    )
    return replace(cell, value=value.value, unit=unit or printed_unit)
