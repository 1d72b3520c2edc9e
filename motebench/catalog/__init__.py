"""The catalog: facts about algorithms, and the schemes derived from them.

One TOML file per algorithm in ``catalog/algorithms``; ``docs/catalog.md`` describes every key. Files are read on first
use.
"""

from __future__ import annotations

from motebench.catalog.lookup import (
    USER_CODE,
    Schemes,
    algorithm_of,
    algorithms,
    label,
    match,
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
    "notes",
    "paper",
    "papers",
    "resolve",
    "schemes",
    "sizes_of",
    "status",
]
