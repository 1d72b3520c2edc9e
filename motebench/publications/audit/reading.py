"""A user's CSV file as tables: one number a row, or one row with several numbers; and the file beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from motebench.base import dimensions
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.catalog import csvfile
from motebench.catalog.published import Cell, Printed, Statistic, Table, printed, statistic
from motebench.catalog.schema import Count, Record, Text
from motebench.publications.audit.guessing import ColumnRole, guess, parts
from motebench.publications.audit.known import algorithm
from motebench.publications.audit.statements.model import PaperStatements

_MISSING = {"", "-", "--", "\u2013", "\u2014", "n/a", "na", "none", "?", "*", "null"}
_WITH_UNIT = re.compile(r"([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([^\d\s].*)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)
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


class ColumnEntry(Record):
    """The role of one column, in ``FILE.toml``."""

    role: Literal["label", "size", "number", "readings", "skip"] = "number"
    name: str = ""
    statistic: Statistic = Statistic.VALUE
    unit: str = ""
    operation: str = ""


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
    read_file = csvfile.read(path)
    side = path.with_suffix(".toml")
    beside = toml.validate(toml.load(side), BesideFile) if side.exists() else BesideFile()
    for name in beside.columns:
        if name not in read_file.header:
            raise InputError(
                f"there is no column {name!r}", where=f"{side}: columns", valid=", ".join(read_file.header),
                hint=did_you_mean(name, read_file.header),
            )  # fmt: skip
    lowered = {name.lower() for name in read_file.header}
    tidy = "value" in lowered and bool({"metric", "unit"} & lowered) and not beside.columns
    tables, guessed = _tidy(read_file) if tidy else _wide(read_file, beside)
    if not any(table.cells for table in tables):
        raise InputError("there is no column of numbers", where=str(path), hint="a header and numbers below it")
    steps = {**{name: Fraction(str(step)) for name, step in beside.resolution.items()}, **(resolution or {})}
    metrics = {cell.metric for table in tables for cell in table.cells}
    for name in steps:
        if name not in metrics:
            raise InputError(f"there is no metric {name!r}", where="resolution", valid=", ".join(sorted(metrics)))
    n = repetitions or beside.repetitions
    finished = tuple(_finish(table, n, steps) for table in tables)
    return AuditedFile(beside.title or path.name, finished, tuple(guessed), beside)


def _finish(table: Table, n: int | None, steps: Mapping[str, Fraction]) -> Table:
    """The table with repetitions, resolutions and bounds; and with a number for rows that have the same labels."""
    assumed: dict[str, Fraction] = {}
    bounds: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    for cell in table.cells:
        of = dimensions.unit(cell.unit_printed)
        whole = of is not None and of.dimension == dimensions.CYCLES and of.factor == 1 and cell.metric not in steps
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


def _is_number(text: str) -> bool:
    try:
        _number(text, "", "")
    except InputError:
        return False
    return True


def _number(text: str, unit: str, where: str) -> tuple[Printed, str]:
    """A cell: a number, perhaps with its unit or a percent sign. InputError for anything else."""
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise InputError(f"{text!r} is not a number", where=where, valid="a finite number; an empty cell if unknown")
    found = _WITH_UNIT.fullmatch(text)
    if found and dimensions.unit(found[2]) and not re.fullmatch(r"[eE][+-]?\d*", found[2]):
        return printed(found[1], where=where), found[2].strip()
    return printed(text, where=where), unit


def _check_commas(path_where: str, texts: list[str]) -> None:
    """InputError for commas that may group thousands: nothing says whether 1,234 is 1234 or 1.234."""
    grouped = [text for text in texts if _THOUSANDS.fullmatch(text)]
    decimal = [text for text in texts if "," in text and not _THOUSANDS.fullmatch(text)]
    if grouped and not decimal:
        raise InputError(
            f"the comma of {grouped[0]!r} can be a decimal comma or group thousands", where=path_where,
            valid="1234 or 1.234",
        )  # fmt: skip


def _is_size(text: str, unit: str = "") -> bool:
    try:
        _size(text, unit, "")
    except InputError:
        return False
    return True


def _size(text: str, unit: str, where: str) -> str:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text, re.ASCII)
    of = dimensions.unit((found[2] or unit or "B").replace("Kb", "KB").replace("Mb", "MB")) if found else None
    if not found or not of or of.dimension != dimensions.DATA or (Fraction(found[1]) * of.factor).denominator != 1:
        raise InputError(
            f"{text!r} is not a size", where=where, valid="16, 64 B, 1KB, 100MB, 1 MiB (kB, MB, GB: decimal)"
        )
    return str(Fraction(found[1]) * of.factor)


def _wide(of: csvfile.CsvFile, beside: BesideFile) -> tuple[list[Table], list[str]]:
    lowered = [name.lower() for name in of.header]
    long = "metric" in lowered and "metric" not in beside.columns
    at = {name: lowered.index(name) for name in ("metric", "unit") if long and name in lowered}
    roles: list[ColumnRole] = []
    last: ColumnRole | None = None
    for index, header in enumerate(of.header):
        texts = [row.texts[index] for row in of.rows if row.texts[index].lower() not in _MISSING]
        given = beside.columns.get(header)
        if long and header.lower() in ("metric", "unit"):
            role = ColumnRole("skip")
        elif given:
            role = ColumnRole(given.role, given.name, given.statistic, given.unit, given.operation)
            if given.unit and not dimensions.unit(given.unit):
                place = f"{of.path.with_suffix('.toml')}: columns.{header}"
                raise InputError(
                    f"unknown unit {given.unit!r}", where=place, valid="s, ms, us, B, kB, MB/s, mA, mW, mJ, ..."
                )
        else:
            numeric = any(map(_is_number, texts))
            # One cell that is no size is a mistake; most cells that are none say that this is another column.
            of_header = parts(header)[1]
            sizes = sum(_is_size(text, of_header) for text in texts) * 2 > len(texts)
            role = guess(header, numeric=numeric, sizes=sizes)
            if role.kind == "label" and texts and all(_is_size(text) and not text.isdigit() for text in texts):
                role = ColumnRole("size")
            if long and role.kind == "number" and role.statistic is Statistic.VALUE:
                role = ColumnRole("label", header)
        if role.kind == "number" and not role.name:
            # "SD" beside "Time (s)": of the same metric, in the same unit.
            of_this = _beside(role, roles) or last
            role = replace(role, name=of_this.name if of_this else "value",
                           unit=role.unit or (of_this.unit if of_this else ""),
                           operation=role.operation or (of_this.operation if of_this else ""),
                           rest=role.rest or (of_this.rest if of_this else ""))  # fmt: skip
        if role.kind == "number":
            last = role
            _check_commas(of.where(of.rows[0].line, header), texts)
        roles.append(role)
    roles = _distinct(_directed(roles), of.header)
    cells: list[Cell] = []
    readings: dict[int, int] = {}
    for row in of.rows:
        labels: dict[str, str] = {}
        for role, text, header in zip(roles, row.texts, of.header, strict=True):
            where = of.where(row.line, header)
            if role.kind == "label" and text:
                labels[role.name] = text
            elif role.kind == "size" and text.lower() not in _MISSING:
                labels["input_bytes"] = _size(text, role.unit, where)
            elif role.kind == "readings" and text.lower() not in _MISSING:
                if not text.isdigit() or not 0 < int(text[:10]) < 10**9:
                    raise InputError(f"{text!r} is not a number of readings", where=where, valid="1, 30, 100")
                readings[row.line] = int(text)
        for role, text, header in zip(roles, row.texts, of.header, strict=True):
            if role.kind == "number" and text.lower() not in _MISSING:
                name = row.texts[at["metric"]] if long else role.name
                said = row.texts[at["unit"]] if "unit" in at else role.unit
                number, unit = _number(text, said, of.where(row.line, header))
                own = {**labels, "operation": role.operation} if role.operation else dict(labels)
                if role.label:
                    own[role.label] = role.rest
                cells.append(_cell(of.path.name, row.line, own, name, role.statistic, number, unit))
    table = Table(of.path.name, "", str(of.path), tuple(cells), readings=readings)
    guessed = [
        f"{header}: {f'{role.statistic} of the metric of the row' if long and role.kind == 'number' else role}"
        for header, role in zip(of.header, roles, strict=True) if header not in beside.columns
    ]  # fmt: skip
    return [table], guessed


def _beside(role: ColumnRole, before: list[ColumnRole]) -> ColumnRole | None:
    """The nearest column before a spread that has its unit; a variance has the square of it."""
    wanted = dimensions.unit(
        role.unit.replace("²", "").removesuffix("^2") if role.statistic is Statistic.VARIANCE else role.unit
    )
    if not role.unit or wanted is None:
        return None
    for each in reversed(before):
        if each.kind == "number" and each.statistic.central and dimensions.unit(each.unit) == wanted:
            return each
    return None


def _directed(roles: list[ColumnRole]) -> list[ColumnRole]:
    """Where one direction alone is in the headers, columns without one are of it: throughput beside encryption time."""
    named = {role.operation for role in roles if role.kind == "number" and role.operation}
    if len(named) != 1 or any(role.kind == "label" and role.name == "operation" for role in roles):
        return roles
    (operation,) = named
    return [replace(role, operation=operation) if role.kind == "number" else role for role in roles]


def _distinct(roles: list[ColumnRole], header: tuple[str, ...]) -> list[ColumnRole]:
    """Two columns of one metric and statistic are told apart by their headers; a lone value beside an sd is a mean."""
    found: list[ColumnRole] = []
    spread = {(role.name, role.operation) for role in roles if role.statistic in (Statistic.SD, Statistic.VARIANCE)}
    for role in roles:
        mean = role.kind == "number" and role.statistic is Statistic.VALUE and (role.name, role.operation) in spread
        found.append(replace(role, statistic=Statistic.MEAN) if mean else role)
    keys = [(role.name, role.statistic, role.operation) for role in found]
    for index, role in enumerate(found):
        if role.kind != "number" or keys.count(keys[index]) == 1:
            continue
        rests = [found[at].rest for at, key in enumerate(keys) if key == keys[index]]
        if all(rests) and len(set(rests)) == len(rests):
            label = "algorithm" if all(algorithm(rest) for rest in rests) else "device"
            found[index] = replace(role, label=label)
        else:
            found[index] = replace(role, name=header[index])
    # A spread has the label of its mean.
    labelled = {(role.name, role.operation, role.rest): role.label for role in found if role.label}
    return [
        replace(role, label=labelled.get((role.name, role.operation, role.rest), role.label))
        if role.kind == "number" else role
        for role in found
    ]  # fmt: skip


def _cell(
    table: str, line: int, labels: Mapping[str, str], metric: str, kind: Statistic, number: Printed, unit: str
) -> Cell:
    square = f"{unit}^2" if kind is Statistic.VARIANCE and unit and not unit.endswith("2") else unit
    return Cell(table, line, labels, metric, kind, number, square, number.value, square)


def _tidy(of: csvfile.CsvFile) -> tuple[list[Table], list[str]]:
    """One number a row: ``metric``, ``value``, ``unit``, and labels."""
    names = [_OURS.get(name.lower(), name.lower()) for name in of.header]
    rows = [(row.line, dict(zip(names, row.texts, strict=True))) for row in of.rows]
    _check_commas(str(of.path), [cells.get("printed") or cells["value"] for _, cells in rows])
    tables: dict[str, list[Cell]] = {}
    skipped = 0
    # A metric without any number is a property, such as the name of a core.
    numeric = {cells.get("metric", "") for _, cells in rows if _is_number(cells["value"])}
    for line, cells in rows:
        metric, text = cells.get("metric") or "value", cells.get("printed") or cells["value"]
        where = of.where(line, "value")
        words = re.search(r"[A-Za-z]{2}", cells["value"]) and not re.fullmatch(
            r"[+-]?nan|[+-]?inf.*", cells["value"], re.I
        )
        if cells["value"].lower() in _MISSING or cells.get("metric", "") not in numeric or words:
            skipped += 1
            continue
        value, _ = _number(cells["value"], "", where)
        number, unit = _number(text, cells.get("printed_unit") or cells.get("unit", ""), where)
        kind = statistic(cells["statistic"], where=where) if cells.get("statistic") else Statistic.VALUE
        for ending, name in _ENDINGS.items():
            if metric.endswith(ending):
                metric, kind = metric.removesuffix(ending), Statistic(name)
        labels = {
            _TIDY_LABELS.get(name, name): text for name, text in cells.items()
            if text and name not in _TIDY_SKIPPED | _TIDY_NUMBERS
        }  # fmt: skip
        if "input_bytes" in labels:
            labels["input_bytes"] = _size(labels["input_bytes"], "B", where)
        name = cells.get("table") or of.path.name
        cell = _cell(name, line, labels, metric, kind, number, unit)
        tables.setdefault(name, []).append(replace(cell, value=value.value, unit=cells.get("unit", "") or unit))
    guessed = ["one number a row: metric, value and unit by their columns; all else are labels"]
    if skipped:
        guessed.append(f"{skipped} rows without a number are not checked")
    return [Table(name, "", str(of.path), tuple(cells)) for name, cells in tables.items()], guessed
