"""A user's CSV file as tables: one number a row, or one row with several numbers; and the file beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated

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
    number_of,
    size_of,
)
from motebench.publications.audit.statements import PaperStatements

_OURS = {"value_as_published": "printed", "unit_as_published": "printed_unit", "table_figure": "table"}
_TIDY_LABELS = {"library_implementation": "implementation"}
_TIDY_NUMBERS = {"metric", "statistic", "value", "unit", "printed", "printed_unit", "table"}
_TIDY_SKIPPED = {
    "note", "quote", "input_label_as_published", "notes", "low", "high", "warnings", "samples", "evidence", "version",
    "ratio", "message", "kind",
}  # fmt: skip
_ENDINGS = {
    "_mean": "mean", "_avg": "mean", "_variance": "variance", "_var": "variance", "_sigma": "sd", "_sd": "sd",
    "_std": "sd", "_median": "median", "_min": "minimum", "_max": "maximum",
}  # fmt: skip


class BesideFile(PaperStatements):
    """``FILE.toml``: what the headers do not say, and sentences of the text."""

    title: Text | None = None
    repetitions: Annotated[Count, Field(le=10**9)] | None = None
    resolution: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    columns: dict[str, ColumnEntry] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditedFile:
    """The tables of a file, what was guessed about them, and the sentences beside them."""

    title: str
    tables: tuple[Table, ...]
    guessed: tuple[str, ...]
    beside: BesideFile


def read(path: Path, repetitions: int | None = None, resolution: Mapping[str, Fraction] | None = None) -> AuditedFile:
    """The file and what ``FILE.toml`` beside it says. InputError with file and line."""
    file = csvfile.read(path)
    beside = _beside(path, file)
    lowered = {name.lower() for name in file.header}
    tidy = "value" in lowered and bool({"metric", "unit"} & lowered) and not beside.columns
    tables, guessed = _tidy(file) if tidy else _wide(file, beside)
    if not any(table.cells for table in tables):
        raise InputError("there is no column of numbers", where=str(path), hint="a header and numbers below it")
    steps = _resolutions(tables, beside, resolution)
    finished = tuple(_finish(table, repetitions or beside.repetitions, steps) for table in tables)
    return AuditedFile(beside.title or path.name, finished, tuple(guessed), beside)


def _beside(path: Path, file: csvfile.CsvFile) -> BesideFile:
    """The file beside a table; an empty one if there is none."""
    side = path.with_suffix(".toml")
    beside = toml.validate(toml.load(side), BesideFile) if side.exists() else BesideFile()
    for name in beside.columns:
        if name not in file.header:
            raise InputError(
                f"there is no column {name!r}", where=f"{side}: columns", valid=", ".join(file.header),
                hint=did_you_mean(name, file.header),
            )  # fmt: skip
    return beside


def _resolutions(
    tables: Sequence[Table], beside: BesideFile, options: Mapping[str, Fraction] | None
) -> dict[str, Fraction]:
    """The resolution of readings by metric: options win over the file beside."""
    steps = {**{name: Fraction(str(step)) for name, step in beside.resolution.items()}, **(options or {})}
    metrics = {cell.metric for table in tables for cell in table.cells}
    for name in steps:
        if name not in metrics:
            raise InputError(f"there is no metric {name!r}", where="resolution", valid=", ".join(sorted(metrics)))
    return steps


def _finish(table: Table, n: int | None, steps: Mapping[str, Fraction]) -> Table:
    """The table with repetitions, resolutions and bounds; and with a number for rows that have the same labels."""
    assumed: dict[str, Fraction] = {}
    bounds: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    for cell in table.cells:
        unit = dimensions.unit(cell.unit_printed)
        whole = (
            unit is not None and unit.dimension == dimensions.CYCLES and unit.factor == 1 and cell.metric not in steps
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
        lines = seen.setdefault((tuple(sorted(cell.labels.items())), cell.metric, cell.statistic), [])
        lines.append(cell.line)
    for cell in cells:
        lines = seen[(tuple(sorted(cell.labels.items())), cell.metric, cell.statistic)]
        if len(lines) > 1 and "part" not in cell.labels:
            yield replace(cell, labels={**cell.labels, "part": str(lines.index(cell.line) + 1)})
        else:
            yield cell


def _wide(file: csvfile.CsvFile, beside: BesideFile) -> tuple[list[Table], list[str]]:
    """One row with several numbers: each column has a role."""
    lowered = [name.lower() for name in file.header]
    metrics = "metric" in lowered and "metric" not in beside.columns
    names: tuple[str, ...] = ("metric", "unit") if metrics else ()
    places = {name: lowered.index(name) for name in names if name in lowered}
    roles = column_roles(file, beside.columns, metrics=metrics)
    cells: list[Cell] = []
    readings: dict[int, int] = {}
    for row in file.rows:
        labels, count = _row_labels(file, row, roles)
        if count is not None:
            readings[row.line] = count
        cells += _row_cells(file, row, roles, labels, places)
    table = Table(file.path.name, "", str(file.path), tuple(cells), readings=readings)
    guessed = [
        f"{header}: {f'{role.statistic} of the metric of the row' if metrics and role.kind == 'number' else role}"
        for header, role in zip(file.header, roles, strict=True) if header not in beside.columns
    ]  # fmt: skip
    return [table], guessed


def _row_labels(
    file: csvfile.CsvFile, row: csvfile.CsvRow, roles: Sequence[ColumnRole]
) -> tuple[dict[str, str], int | None]:
    """The labels of a row, with its size, and the number of readings behind its numbers."""
    labels: dict[str, str] = {}
    count: int | None = None
    for role, text, header in zip(roles, row.texts, file.header, strict=True):
        missing = text.lower() in MISSING
        if role.kind == "label" and text:
            labels[role.name] = text
        elif role.kind == "size" and not missing:
            labels["input_bytes"] = size_of(text, role.unit, file.where(row.line, header))
        elif role.kind == "readings" and not missing:
            if not text.isdigit() or not 0 < int(text[:10]) < 10**9:
                where = file.where(row.line, header)
                raise InputError(f"{text!r} is not a number of readings", where=where, valid="1, 30, 100")
            count = int(text)
    return labels, count


def _row_cells(
    file: csvfile.CsvFile,
    row: csvfile.CsvRow,
    roles: Sequence[ColumnRole],
    labels: Mapping[str, str],
    places: Mapping[str, int],
) -> Iterator[Cell]:
    """The numbers of a row. ``places``: columns that name the metric and the unit of the row, if there are any."""
    for role, text, header in zip(roles, row.texts, file.header, strict=True):
        if role.kind != "number" or text.lower() in MISSING:
            continue
        metric = row.texts[places["metric"]] if "metric" in places else role.name
        unit = row.texts[places["unit"]] if "unit" in places else role.unit
        number, unit = number_of(text, unit, file.where(row.line, header))
        own = {**labels, "operation": role.operation} if role.operation else dict(labels)
        if role.label:
            own[role.label] = role.rest
        yield _cell(file.path.name, row.line, own, metric, role.statistic, number, unit)


def _cell(
    table: str, line: int, labels: Mapping[str, str], metric: str, kind: Statistic, number: Printed, unit: str
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
    return [Table(name, "", str(file.path), tuple(cells)) for name, cells in tables.items()], guessed


def _wordy(text: str) -> bool:
    """Whether a cell is empty or holds words in place of a number; NaN and infinity are numbers that are refused."""
    if text.lower() in MISSING:
        return True
    return bool(re.search(r"[A-Za-z]{2}", text)) and not re.fullmatch(r"[+-]?nan|[+-]?inf.*", text, re.I)


def _tidy_cell(file: csvfile.CsvFile, line: int, texts: Mapping[str, str]) -> Cell:
    """The cell of a row, from its texts by column."""
    where = file.where(line, "value")
    metric = texts.get("metric") or "value"
    unit = texts.get("unit", "")
    value, _ = number_of(texts["value"], "", where)
    number, printed_unit = number_of(texts.get("printed") or texts["value"], texts.get("printed_unit") or unit, where)
    kind = statistic(texts["statistic"], where=where) if texts.get("statistic") else Statistic.VALUE
    for ending, name in _ENDINGS.items():
        if metric.endswith(ending):
            metric, kind = metric.removesuffix(ending), Statistic(name)
    labels = {
        _TIDY_LABELS.get(name, name): text for name, text in texts.items()
        if text and name not in _TIDY_SKIPPED | _TIDY_NUMBERS
    }  # fmt: skip
    if "input_bytes" in labels:
        labels["input_bytes"] = size_of(labels["input_bytes"], "B", where)
    cell = _cell(texts.get("table") or file.path.name, line, labels, metric, kind, number, printed_unit)
    return replace(cell, value=value.value, unit=unit or printed_unit)
