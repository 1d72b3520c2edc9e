"""A run in the format of another program. Every format is one module here; there is no list of them.

A module ``some_format.py`` is the format ``some-format``; it has ``render(result) -> str`` and ``FORM``. Modules
whose names begin with ``_`` are helpers. ``docs/results.md`` says what each format can hold.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

from motebench.base.files.access import FileKind
from motebench.documents.result import Result


def formats() -> list[str]:
    """Names of all formats."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))


def export(result: Result, form: str) -> str:
    """The run in the format of that name. KeyError if there is none."""
    if form not in formats():
        raise KeyError(form)
    text: str = _module(form).render(result)
    return text


def form_of(form: str) -> FileKind:
    """The kind of file of a format."""
    found: FileKind = _module(form).FORM
    return found


def _module(form: str) -> Any:
    return import_module(f"{__name__}.{form.replace('-', '_')}")
