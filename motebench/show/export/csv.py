"""One table with one header: measurements first, then failures, which have a ``kind``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from motebench.base.files.access import FileKind
from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.shapes import keys, plain
from motebench.base.units import metric
from motebench.documents.result import Measurement, Result
from motebench.results.presentation.by_size import NO_INPUT, SizesLine, SizesTable

FORM = FileKind.CSV

_SEVERAL = ("values", "rounds", "invocations")
"""Keys with one value per sample, which do not fit a table."""
COLUMNS = tuple(
    dict.fromkeys(
        name
        for shape in (CaseId, Measurement, Failure)
        for name, _ in keys(shape)
        if name not in _SEVERAL
    )
)
"""Every key of a measurement, then the keys that only failures have."""
_WORDS = ("scheme", "implementation", "target", "operation", "metric", "unit", "evidence", "proven")
"""Columns before those of the sizes."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(result: Result) -> str:
    """CSV (RFC 4180, but lines end with a line feed). Unknown is an empty cell; a failure has a
    ``kind``.
    """
    entries = (*result.measurements, *result.failures)
    return csv_text(
        COLUMNS, ([plain(getattr(entry, column, None)) for column in COLUMNS] for entry in entries)
    )


def render_by_size(result: Result, tables: Sequence[SizesTable]) -> str:
    """CSV with a column of medians for each size, in the unit of the metric. ``~``: disturbed; a
    failure has its kind. A missing value is an empty cell.
    """
    del result
    sizes = sorted({size for table in tables for size in table.sizes})
    heads = ["no input" if size == NO_INPUT else f"{size} B" for size in sizes]
    rows: list[list[object]] = []
    for table in tables:
        for line in table.lines:
            labels = (line.scheme, line.implementation, table.target, line.operation, table.metric)
            facts = (
                *labels,
                metric(table.metric).unit,
                table.evidence,
                all(row.proven for row in table.rows),
            )
            rows.append([*facts, *(_median(line, size) for size in sizes)])
    return csv_text((*_WORDS, *heads), rows)


def _median(line: SizesLine, size: int) -> object:
    row = line.figures.get(size)
    if row is None:
        return line.failed.get(size)
    return row.median if row.quotable else f"~{row.median}"


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table for spreadsheets with its head. Of a list the parts; unknown is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def cell(value: object) -> object:
    """A value as a cell: the parts of a list, and no text that spreadsheets take for a formula."""
    if value is None:
        return ""
    if isinstance(value, list):
        value = "; ".join(str(part) for part in value)
    if isinstance(value, str):
        text = value.replace("\0", "")
        # A spreadsheet would take such a cell for a formula (OWASP, "CSV Injection"); the
        # apostrophe makes it text.
        return f"'{text}" if text.startswith(_FORMULA) else text
    return value
