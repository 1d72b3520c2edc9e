"""The catalog: facts about algorithms, and the schemes derived from them.

One TOML file per algorithm in ``catalog/algorithms``; ``docs/reference/catalog.md`` describes every
key. Files are read on first use, and so are the modules: who asks for a device's name needs neither
schemes nor papers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motebench.catalog.lookup import (
        USER_CODE,
        Schemes,
        algorithm_of,
        algorithms,
        label,
        match,
        named,
        notes,
        resolve,
        schemes,
        sizes_of,
        status,
    )
    from motebench.catalog.published import Paper, paper, papers

__all__ = [
    "USER_CODE",
    "Paper",
    "Schemes",
    "algorithm_of",
    "algorithms",
    "label",
    "match",
    "named",
    "notes",
    "paper",
    "papers",
    "resolve",
    "schemes",
    "sizes_of",
    "status",
]
_OF_PAPERS = ("Paper", "paper", "papers")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "published" if name in _OF_PAPERS else "lookup"
    return getattr(import_module(f"motebench.catalog.{module}"), name)
