"""One table with one header: measurements first, then failures, told apart by the ``kind`` column."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from motebench.identity import ORDER
from motebench.output import Form

FORM = Form.CSV

COLUMNS = (
    *ORDER, "metric", "unit", "evidence",
    "source", "better", "n", "median", "ci_low", "ci_high", "confidence", "interval", "mean", "variance", "stddev",
    "min", "max", "outliers", "disturbed", "quotable", "notes", "kind", "message", "vector",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(document: Mapping[str, Any]) -> str:
    """CSV (RFC 4180, but lines end with a line feed). Unknown is an empty cell; a failure has a ``kind``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in (*document["measurements"], *document["failures"]):
        writer.writerow([_cell(entry.get(column)) for column in COLUMNS])
    return out.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, list):
        value = "; ".join(str(part) for part in value)
    if isinstance(value, str):
        text = value.replace("\0", "")
        # A spreadsheet takes such a cell for a formula (OWASP, "CSV Injection"); the apostrophe makes it text.
        return f"'{text}" if text.startswith(_FORMULA) else text
    return value
