"""Published tables as values that claims speak of.

A table is ``catalog/papers/<key>/tables/*.csv``, one number a line. What its columns mean here is said by
``claims.toml``: ``[metrics]`` names the metric of motebench for the table's, ``[[subject]]`` what a row is of.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from motebench.errors import InputError
from motebench.metrics import METRICS
from motebench.model import Evidence
from motebench.papers.cells import Cell
from motebench.papers.model import Replicated, Subject
from motebench.stats.shape import Bounded

_MEAN = ("", "mean", "value")
"""Statistics that are the value itself."""
_FACTORS: Mapping[tuple[str, str], float] = {
    ("s", "ns"): 1e9, ("ms", "ns"): 1e6, ("us", "ns"): 1e3, ("ns", "ns"): 1.0,
    ("byte", "B"): 1.0, ("bytes", "B"): 1.0, ("B", "B"): 1.0, ("KB", "B"): 1024.0, ("MB", "B"): 1048576.0,
    ("mA", "A"): 1e-3, ("A", "A"): 1.0, ("W", "W"): 1.0, ("mW", "W"): 1e-3, ("J", "J"): 1.0, ("mJ", "J"): 1e-3,
    ("uJ", "J"): 1e-6, ("cycles", "cycles"): 1.0,
    ("cycle", "cycles"): 1.0, ("B/s", "B/s"): 1.0, ("kB/s", "B/s"): 1e3, ("MB/s", "B/s"): 1e6,
}  # fmt: skip
"""From a table's unit to the metric's."""


_NS = 1e9


def tables(folder: Path) -> list[Path]:
    """The files of a paper's tables, in order."""
    return sorted((folder / "tables").glob("*.csv"))


def published_cells(folder: Path, paper: Replicated) -> list[Cell]:
    """Every value of the tables that is of a subject and of a metric we know. InputError with file and line."""
    return [*(cell for path in tables(folder) for cell in _of_file(path, paper)), *_stated(paper)]


def _stated(paper: Replicated) -> list[Cell]:
    """Values of the text; of a throughput also the time."""
    found = []
    for item in paper.stated:
        value = Bounded(item.value, item.low, item.high)
        for subject in item.subjects:
            for device in item.devices:
                cell = Cell(
                    subject=subject,
                    operation=item.operation,
                    size=item.size,
                    device=device,
                    mode="",
                    implementation="",
                    metric=item.metric,
                    value=value,
                    evidence=Evidence.PUBLISHED,
                    source=item.where,
                    measured_size=item.size,
                )
                found.append(cell)
                if item.metric == "throughput":
                    found.append(replace(cell, metric="time", value=Bounded.exact(item.size * _NS).over(value)))
    return found


def _of_file(path: Path, paper: Replicated) -> list[Cell]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = []
    for line, row in enumerate(rows, 2):
        name = paper.metrics.get(row.get("metric", ""))
        if name is None or (row.get("statistic") or "") not in _MEAN:
            continue
        if name not in METRICS:
            raise InputError(f"unknown metric {name!r}", where=f"{path.parent.parent / 'claims.toml'}: metrics")
        size = _size(row, paper)
        for subject in _subjects(row, paper.subject):
            found.append(
                Cell(
                    subject=subject.name,
                    operation=row.get("operation") or "",
                    size=size,
                    device=row.get("device") or "",
                    mode=(row.get("mode") or "").lower(),
                    implementation="",
                    metric=name,
                    value=_value(row, METRICS[name].unit, f"{path}:{line}"),
                    evidence=Evidence.PUBLISHED,
                    source=path.stem,
                    measured_size=size,
                )
            )
    return found


def _size(row: Mapping[str, str], paper: Replicated) -> int:
    for slip in paper.reread:
        if all((row.get(key) or "") == value for key, value in slip.columns.items()):
            return slip.input_bytes
    return int(row.get("input_bytes") or 0)


def _subjects(row: Mapping[str, str], subjects: Sequence[Subject]) -> list[Subject]:
    return [
        subject
        for subject in subjects
        if subject.published and all((row.get(key) or "") == value for key, value in subject.published.items())
    ]


def _value(row: Mapping[str, str], unit: str, where: str) -> Bounded:
    """The value in ``unit``, with what rounding to the printed digits may have hidden."""
    factor = _FACTORS.get((row.get("unit") or "", unit))
    if factor is None:
        raise InputError(
            f"unit {row.get('unit')!r} cannot be converted to {unit}",
            where=where,
            valid=", ".join(sorted(known for known, to in _FACTORS if to == unit)),
        )
    try:
        value = float(row["value"])
    except (KeyError, ValueError):
        raise InputError(f"{row.get('value')!r} is not a number", where=where) from None
    half = half_digit(row.get("printed") or row["value"])
    return Bounded(value * factor, (value - half) * factor, (value + half) * factor)


def half_digit(printed: str) -> float:
    """Half a unit of the last printed digit: ``9,86`` gives 0.005, ``105`` gives 0.5."""
    digits = printed.strip().replace(",", ".").lower().partition("e")
    return float(0.5 * 10.0 ** (-len(digits[0].partition(".")[2]) + int(digits[2] or 0)))
