"""A result document in somebody else's format. Every format is one module here; there is no list of them.

A module ``some_format.py`` is the format ``some-format``; it has ``render(document) -> str``. Modules whose names begin
with ``_`` are helpers. What each format can hold: ``docs/results.md``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def formats() -> list[str]:
    """Names of all formats."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))


def export(document: Mapping[str, Any], form: str) -> str:
    """The document in the format of that name. KeyError if there is none."""
    if form not in formats():
        raise KeyError(form)
    module = import_module(f"{__name__}.{form.replace('-', '_')}")
    text: str = module.render(document)
    return text
