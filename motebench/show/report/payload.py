"""The numbers of a run as the page's script reads them: by column, each text once; thousands of rows stay small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from motebench.results.presentation.rows import Row

_TEXTS = (
    "scheme", "implementation", "target", "operation", "metric", "unit", "evidence", "source", "beside_words", "spread",
    "better",
)  # fmt: skip
_NUMBERS = ("size", "n", "outliers", "median", "ci_low", "ci_high", "mean", "stddev", "variance", "min", "max")
_LIKE_MEDIAN = ("ci_low", "ci_high", "mean", "min", "max")
_SAME = ""
"""Replaces the row's median, to save space; many numbers of exact results equal it."""


def table(rows: Sequence[Row]) -> dict[str, Any]:
    """``texts``: by column its different texts (``of``) and which of them each row has (``at``). ``numbers``: by column
    a number, null or `_SAME` for each row. Columns are packed (`_packed`). The other lists hold places of rows.
    """
    return {
        "count": len(rows),
        "texts": {name: _texts([str(getattr(row, name)) for row in rows]) for name in _TEXTS},
        "numbers": {name: _packed([_number(row, name) for row in rows]) for name in _NUMBERS},
        "curves": [place for place, row in enumerate(rows) if row.is_curve],
        "unquotable": [place for place, row in enumerate(rows) if not row.quotable],
        "exact": [place for place, row in enumerate(rows) if row.exact],
    }


def _texts(values: Sequence[str]) -> dict[str, Any]:
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return {"of": list(places), "at": _packed([places[value] for value in values])}


def _packed(values: Sequence[Any]) -> list[Any] | dict[str, list[Any]]:
    """The values, or, where that takes less space, each value once for its run: ``{"runs": [value, length, ...]}``."""
    runs: list[list[Any]] = []
    for value in values:
        if runs and runs[-1][0] == value and type(runs[-1][0]) is type(value):
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return {"runs": [part for run in runs for part in run]} if 2 * len(runs) < len(values) else list(values)


def _number(row: Row, name: str) -> float | str | None:
    value = getattr(row, name)
    if value is None or math.isnan(value):
        return None
    if name in _LIKE_MEDIAN and value == row.median:
        return _SAME
    return _short(value)


def _short(value: float) -> float:
    """Nine digits: more than any clock of the probes has."""
    short = float(f"{value:.9g}")
    return int(short) if short == int(short) and abs(short) < 2**53 else short


def samples(rows: Sequence[Row], most: int) -> tuple[dict[str, list[float]], bool]:
    """Samples of every time by the row's index, and whether some had to be left out so that there are at most ``most``.

    Beyond that each case keeps evenly spaced ones, its extremes among them. Exact results have no distribution.
    """
    timed = [row for row in rows if row.metric == "time" and len(row.values) > 1 and not row.exact]
    total = sum(len(row.values) for row in timed)
    keep = max(2, most // max(1, len(timed)))
    thinned = total > most
    found = {}
    for row in timed:
        values = sorted(row.values)
        if thinned and len(values) > keep:
            step = (len(values) - 1) / (keep - 1)
            values = [values[round(i * step)] for i in range(keep)]
        found[str(row.index)] = [float(f"{value:.6g}") for value in values]
    return found, thinned
