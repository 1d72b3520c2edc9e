"""One table with one header: measurements first, then failures, which have a ``kind``."""

from __future__ import annotations

import csv
import io

from motebench.base.files.access import FileKind
from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.shapes import keys, plain
from motebench.documents.result import Measurement, Result

FORM = FileKind.CSV

_SEVERAL = ("values", "rounds", "invocations")
"""Keys with one value per sample, which do not fit a table."""
COLUMNS = tuple(
    dict.fromkeys(name for shape in (CaseId, Measurement, Failure) for name, _ in keys(shape) if name not in _SEVERAL)
)
"""Every key of a measurement, then the keys that only failures have."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(result: Result) -> str:
    """CSV (RFC 4180, but lines end with a line feed). Unknown is an empty cell; a failure has a ``kind``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in (*result.measurements, *result.failures):
        writer.writerow([_cell(plain(getattr(entry, column, None))) for column in COLUMNS])
    return out.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, list):
        value = "; ".join(str(part) for part in value)
    if isinstance(value, str):
        text = value.replace("\0", "")
        # A spreadsheet would take such a cell for a formula (OWASP, "CSV Injection"); the apostrophe makes it text.
        return f"'{text}" if text.startswith(_FORMULA) else text
    return value
