"""A run in the format of another program. Every format is one module here; there is no list of
them.

A module ``some_format.py`` is the format ``some-format``. It has ``render(result) -> str`` and
``FORM``; if it is a format of tables, also ``render_by_size(result, tables) -> str``. Modules whose
names begin with ``_`` are helpers. ``docs/reference/results.md`` says what each format can hold.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

from motebench.base.errors import InputError
from motebench.base.files.access import FileKind
from motebench.documents.leak import LeakEntry
from motebench.documents.result import Result
from motebench.results.presentation.by_size import sizes_tables
from motebench.results.selection import ChosenCases, selected


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
    from motebench.show.export._leak import LEAK_FORMS, render_leak

    if form not in LEAK_FORMS:
        raise InputError(
            f"run {document.run.name} is a leak test, which {form} cannot hold",
            where="--format",
            valid=", ".join(LEAK_FORMS),
        )
    return render_leak(document, form), LEAK_FORMS[form]


def _module(form: str) -> Any:
    return import_module(f"{__name__}.{form.replace('-', '_')}")
