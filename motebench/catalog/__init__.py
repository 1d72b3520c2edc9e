"""The catalog: what is known about algorithms, and the schemes that follow from it.

One TOML file per algorithm in ``catalog/algorithms``; ``docs/catalog.md`` describes every key. Nothing is read before
it is asked for.
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
    status,
)
from motebench.catalog.papers import Paper, paper, papers

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
    "status",
]
