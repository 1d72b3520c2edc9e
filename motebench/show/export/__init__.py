"""A run in the format of another program. Every format is one module here; there is no list of
them.

A module ``some_format.py`` is the format ``some-format``. It has ``render(result) -> str`` and
``FORM``; if it is a format of tables, also ``render_by_size(result, tables) -> str``. Modules whose
names begin with ``_`` are helpers. ``docs/reference/results.md`` says what each format can hold.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from json import dumps
from typing import Any

from motebench.base.errors import InputError
from motebench.base.files.access import FileKind
from motebench.base.shapes import as_document
from motebench.documents.leak import (
    CountedEntry,
    FlowCaseEntry,
    FollowedEntry,
    LeakEntry,
    LeakJudgedEntry,
)
from motebench.documents.result import Result
from motebench.results.leaks import printed
from motebench.results.presentation.by_size import sizes_tables
from motebench.results.selection import ChosenCases, selected
from motebench.show.export.csv import csv_text

_LEAK_FORMS = {"csv": FileKind.CSV, "json": FileKind.JSON}
"""Formats that can hold a leak test, each with its kind of file."""
_LEAK_COLUMNS = (
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
_FLOW_COLUMNS = (
    "scheme",
    "operation",
    "input_bytes",
    "verdict",
    "kind",
    "error",
    "function",
    "file",
    "line",
    "address",
    "instruction",
    "times",
    "cycles",
    "secrets",
    "through",
    "message",
)


def formats() -> list[str]:
    """Names of all formats."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))


def export(result: Result, form: str) -> str:
    """Run in the format of that name. KeyError for an unknown format."""
    if form not in formats():
        raise KeyError(form)
    text: str = _module(form).render(result)
    return text


def export_by_size(result: Result, chosen: ChosenCases, form: str, *, where: str) -> str:
    """Chosen part of a run as tables with a column for each size of the input. InputError for a
    format without such tables; ``where``: the option that asked for them. ``result``: the whole
    run.
    """
    tabular = [name for name in formats() if hasattr(_module(name), "render_by_size")]
    if form not in tabular:
        raise InputError(f"{form} has no columns by size", where=where, valid=", ".join(tabular))
    text: str = _module(form).render_by_size(selected(result, chosen), sizes_tables(result, chosen))
    return text


def form_of(form: str) -> FileKind:
    """The kind of file of a format."""
    form_kind: FileKind = _module(form).FORM
    return form_kind


def export_leak(document: LeakEntry, form: str) -> tuple[str, FileKind]:
    """A leak test in the format of that name, and the kind of its file. InputError for a format of
    measurements.
    """
    if form not in _LEAK_FORMS:
        raise InputError(
            f"run {document.run.name} is a leak test, which {form} cannot hold",
            where="--format",
            valid=", ".join(_LEAK_FORMS),
        )
    return _leak_text(document, form), _LEAK_FORMS[form]


def _module(form: str) -> Any:
    return import_module(f"{__name__}.{form.replace('-', '_')}")


# A leak test: JSON is its document; CSV has a row for each arm of a secret, for each secret that
# was not varied, and for each failure.


def _leak_text(document: LeakEntry, form: str) -> str:
    """The document in a format of `_LEAK_FORMS`."""
    if form == "json":
        return (
            dumps(as_document(printed(document)), indent=2, ensure_ascii=False, allow_nan=False)
            + "\n"
        )
    if isinstance(document, FollowedEntry):
        rows = [row for case in document.flow.cases for row in _flow_rows(case)]
        rows += [
            {name: getattr(failure, name, None) for name in _FLOW_COLUMNS}
            for failure in document.failures
        ]
        return csv_text(
            _FLOW_COLUMNS, ([row.get(column) for column in _FLOW_COLUMNS] for row in rows)
        )
    return csv_text(
        _LEAK_COLUMNS,
        ([row.get(column) for column in _LEAK_COLUMNS] for row in _leak_rows(document)),
    )


def _leak_rows(document: LeakEntry) -> Iterator[dict[str, Any]]:
    for entry in document.findings:
        common = {name: getattr(entry, name) for name in _LEAK_COLUMNS[:6]}
        yield from ({**common, **row} for row in _leak_arms(entry))
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


def _flow_rows(case: FlowCaseEntry) -> Iterator[dict[str, Any]]:
    """A row for the verdict, each finding, each declassification, and each line that did not
    run.
    """
    common = {name: getattr(case, name) for name in _FLOW_COLUMNS[:4]}
    yield {**common, "kind": "verdict", "secrets": ", ".join(case.secrets)}
    for finding in case.findings:
        yield {
            **common,
            **{name: getattr(finding.at, name) for name in _FLOW_COLUMNS[6:11]},
            "kind": finding.kind,
            "error": finding.error,
            "times": finding.times,
            "cycles": finding.cycles,
            "secrets": ", ".join(finding.secrets),
            "through": " > ".join(finding.through),
        }
    for public in case.declassified:
        at = {name: getattr(public.at, name) for name in _FLOW_COLUMNS[6:11]}
        declared = f"declared public by {public.declared}"
        yield {**common, **at, "kind": declared, "times": public.times}
    for gap in case.coverage.not_covered if case.coverage else ():
        for line in gap.lines:
            place = {"function": gap.function, "file": gap.file, "line": line}
            yield {**common, **place, "kind": "not covered"}


def _leak_arms(entry: CountedEntry | LeakJudgedEntry) -> Iterator[dict[str, Any]]:
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
