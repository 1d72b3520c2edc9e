"""A leak test in a format: JSON is its document; CSV has a row for each arm of a secret, for each
secret that was not varied, and for each failure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from motebench.base.files.access import FileKind
from motebench.base.shapes import as_document
from motebench.documents.leak import CountedEntry, LeakEntry, LeakJudgedEntry
from motebench.show.export.csv import csv_text

LEAK_FORMS = {"csv": FileKind.CSV, "json": FileKind.JSON}
"""Formats that can hold a leak test, each with its kind of file."""
LEAK_COLUMNS = (
    "scheme",
    "operation",
    "input_bytes",
    "varied",
    "verdict",
    "leaks",
    "inputs",
    "fewest_cycles",
    "most_cycles",
    "distinct_cycles",
    "caches",
    "median_ns",
    "input",
    "difference_ns",
    "low_ns",
    "high_ns",
    "p",
    "control_p",
    "would_be_seen_ns",
    "reason",
    "kind",
    "message",
)


def render_leak(document: LeakEntry, form: str) -> str:
    """The document in a format of `LEAK_FORMS`."""
    if form == "json":
        return (
            json.dumps(as_document(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        )
    return csv_text(
        LEAK_COLUMNS, ([row.get(column) for column in LEAK_COLUMNS] for row in _rows(document))
    )


def _rows(document: LeakEntry) -> Iterator[dict[str, Any]]:
    for entry in document.findings:
        common = {name: getattr(entry, name) for name in LEAK_COLUMNS[:6]}
        yield from ({**common, **row} for row in _of_entry(entry))
    for left in document.left_out:
        yield {
            "scheme": left.scheme,
            "operation": left.operation,
            "varied": left.varied,
            "reason": left.reason,
        }
    for failure in document.failures:
        yield {
            name: getattr(failure, name)
            for name in ("scheme", "operation", "input_bytes", "kind", "message")
        }


def _of_entry(entry: CountedEntry | LeakJudgedEntry) -> Iterator[dict[str, Any]]:
    if isinstance(entry, CountedEntry):
        cycles = entry.cycles
        yield {
            "inputs": entry.inputs,
            "fewest_cycles": cycles.fewest,
            "most_cycles": cycles.most,
            "distinct_cycles": cycles.distinct,
        }
        return
    for arm in entry.arms:
        difference = arm.difference
        yield {
            "leaks": arm.leaks,
            "caches": arm.caches,
            "median_ns": arm.median_ns,
            "input": difference.input.name,
            "difference_ns": difference.ns,
            "low_ns": difference.low_ns,
            "high_ns": difference.high_ns,
            "p": arm.test.p,
            "control_p": arm.control.p,
            "would_be_seen_ns": arm.would_be_seen_ns,
        }
