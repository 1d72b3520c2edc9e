"""Published tables as values that claims speak of.

`motebench.catalog.published` reads the tables. What their columns mean here is said by ``claims.toml``: ``[metrics]``
names the metric of motebench for the table's, ``[[subject]]`` what a row is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from motebench.base import dimensions
from motebench.base.errors import InputError
from motebench.base.metrics import METRICS
from motebench.base.model import Evidence
from motebench.catalog.published import Cell as Number
from motebench.catalog.published import Statistic, Table, read_tables
from motebench.publications.papers.cells import ClaimValue
from motebench.publications.papers.model import ClaimsFile, PaperSubject
from motebench.stats.shape import Bounded

_MEAN = (Statistic.MEAN, Statistic.VALUE)
"""Statistics that are the value itself."""
_NS = 1e9


def published_cells(folder: Path, paper: ClaimsFile) -> list[ClaimValue]:
    """Every value of the tables that is of a subject and of a metric we know. InputError with file and line."""
    return [*(cell for table in read_tables(folder) for cell in _of_table(table, paper)), *_stated(paper)]


def _stated(paper: ClaimsFile) -> list[ClaimValue]:
    """Values of the text; of a throughput also the time."""
    found = []
    for item in paper.stated:
        low, high = item.bounds
        value = Bounded((low + high) / 2, low, high)
        for subject in item.subjects:
            for device in item.devices:
                cell = ClaimValue(
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


def _of_table(table: Table, paper: ClaimsFile) -> list[ClaimValue]:
    source = Path(table.source)
    found = []
    for number in table.cells:
        name = paper.metrics.get(number.metric)
        if name is None or number.statistic not in _MEAN:
            continue
        size = _size(number, paper)
        for subject in _subjects(number, paper.subject):
            found.append(
                ClaimValue(
                    subject=subject.name,
                    operation=number.label("operation"),
                    size=size,
                    device=number.label("device"),
                    mode=number.label("mode").lower(),
                    implementation=number.label("implementation"),
                    metric=name,
                    value=_value(number, METRICS[name].unit, f"{source}:{number.line}"),
                    evidence=Evidence.PUBLISHED,
                    source=source.stem,
                    measured_size=size,
                )
            )
    return found


def _size(number: Number, paper: ClaimsFile) -> int:
    for slip in paper.reread:
        if all(number.label(key) == value for key, value in slip.columns.items()):
            return slip.input_bytes
    return number.size or 0


def _subjects(number: Number, subjects: Sequence[PaperSubject]) -> list[PaperSubject]:
    return [
        subject
        for subject in subjects
        if subject.published and all(number.label(key) == value for key, value in subject.published.items())
    ]


def _value(number: Number, unit: str, where: str) -> Bounded:
    """The value in ``unit``, with what rounding to the printed digits may have hidden."""
    printed, own = dimensions.unit(number.unit), dimensions.unit(unit)
    if printed is None or own is None or printed.dimension != own.dimension:
        raise InputError(
            f"unit {number.unit!r} cannot be converted to {unit}",
            where=where,
            valid=f"a unit of {own.spoken if own else 'another metric'}",
        )
    factor, half = printed.factor / own.factor, number.number.half
    return Bounded(*(float(end * factor) for end in (number.value, number.value - half, number.value + half)))
