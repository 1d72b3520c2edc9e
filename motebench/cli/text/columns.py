"""The columns of the terminal table: metrics with their spread, ratios to the best, floors; as many as fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motebench.base.identity import CaseId

if TYPE_CHECKING:
    from motebench.results.presentation.rows import Row

_MAIN = ("time", "instructions", "throughput")
_EXTRA = (
    "energy", "energy_net", "energy_per_byte", "power", "cycles", "ticks", "cpu_load", "peak_rss_net", "flash_net",
    "static_ram_net", "stack",
)  # fmt: skip
"""Additional columns as far as the width allows, most important first."""
_EXTRA_ON_FILES = ("cpu_load", "peak_rss")
_DETAILS = (
    "cycles", "ticks", "cpu_time", "user_time", "system_time", "cpu_load", "process_load",
    "peak_rss", "peak_rss_net", "allocated", "heap", "heap_total",
    "flash", "flash_net", "static_ram", "static_ram_net", "state", "stack",
    "energy", "energy_per_byte", "power", "energy_net", "energy_net_per_byte", "power_net", "current",
)  # fmt: skip
"""With details, in as many tables as the width asks for."""
_SHORT = {"cpu_load": "load", "allocated": "allocated ↓"}
_ARROWS = {"lower": " ↓", "higher": " ↑", "neither": ""}
GAP = 2
"""Blanks between columns."""

Cases = Sequence[tuple[tuple[str, str], Mapping[str, "Row"]]]
Key = tuple[CaseId, str]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """Texts under a head. ``best``, ``lost``: places of the best lines, and of what nobody should quote. ``note``: what
    the numbers are, for the lines below the tables."""

    head: str
    cells: tuple[str, ...]
    right: bool = True
    best: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    optional: bool = False
    note: str = ""

    @property
    def width(self) -> int:
        """In characters."""
        return max(map(len, (self.head, *self.cells)))


def detailed(cases: Cases, width: int) -> list[list[TableColumn]]:
    """The details as tables that fit into the width."""
    tables: list[list[TableColumn]] = []
    for column in (_metric(cases, name) for name in _DETAILS if _has(cases, name)):
        if not tables or _width([*tables[-1], column]) > width:
            tables.append(_names(cases))
        tables[-1].append(column)
    return tables


def _width(columns: Sequence[TableColumn]) -> int:
    return sum(column.width + GAP for column in columns) - GAP


def floor_key(row: Row) -> Key:
    """What a case has in common with the same operation on an empty file."""
    return row.without("input_bytes", "file"), row.evidence


def copy_key(row: Row) -> Key:
    """What a case has in common with the plain copy of its file."""
    return row.without("scheme", "implementation", "operation"), row.evidence


def _floor_columns(cases: Cases, floors: Mapping[Key, Row]) -> list[TableColumn]:
    """The cost of the process itself and the cost of the disk, if they were measured."""
    times = [line.get("time") for _, line in cases]
    out = []
    for head, key in (("floor ↓", floor_key), ("copy ↓", copy_key)):
        found = [floors.get(key(row)) if row and not (row.is_floor or row.is_copy) else None for row in times]
        if any(found):
            cells = tuple(row.text if row else "n/a" for row in found)
            out.append(TableColumn(head, cells, optional=head.startswith("copy")))
    return out


def _ratio_column(cases: Cases, name: str | None, *, whole: bool) -> list[TableColumn]:
    """How many times the best of its scheme each line is; of the ``whole`` table where it was sorted, or where each
    scheme has one line. Nothing where there is one line to compare, and for what has no ratio."""
    if name is None:
        return []
    rows = [line.get(name) for _, line in cases]
    usable = [row is not None and row.quotable and row.median > 0 and not row.is_copy for row in rows]
    schemes = [scheme for (scheme, _), _ in cases]
    whole = whole or all(count == 1 for count in Counter(schemes).values())
    groups = [
        [i for i in range(len(rows)) if usable[i] and (whole or schemes[i] == each)] for each in dict.fromkeys(schemes)
    ]
    cells = ["n/a"] * len(rows)
    for places in groups:
        values = {place: row.median for place in places if (row := rows[place]) is not None}
        better = next((row.better for place in places if (row := rows[place]) is not None), "neither")
        if len(values) < 2 or better == "neither":
            continue
        best = max(values.values()) if better == "higher" else min(values.values())
        for place, value in values.items():
            ratio = best / value if better == "higher" else value / best
            cells[place] = f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"
    if all(cell == "n/a" for cell in cells):
        return []
    of = "of the table" if whole else "implementation of the scheme"
    return [TableColumn("x best", tuple(cells), note=f"{name} against the best {of}")]


def _has(cases: Cases, name: str) -> bool:
    return any(name in line for _, line in cases)


def _names(cases: Cases) -> list[TableColumn]:
    return [
        TableColumn("scheme", tuple(scheme for (scheme, _), _ in cases), right=False),
        TableColumn("by", tuple(implementation for (_, implementation), _ in cases), right=False),
    ]


def _metric(cases: Cases, name: str, *, optional: bool = False) -> TableColumn:
    from motebench.results.presentation.rows import METRIC_WORDS

    found = [line.get(name) for _, line in cases]
    better = next((row.better for row in found if row), "neither")
    return TableColumn(
        _SHORT.get(name) or METRIC_WORDS.get(name, name) + _ARROWS.get(better, ""),
        tuple(row.text if row else "n/a" for row in found),
        best=_leaders(found) if better != "neither" else frozenset(),
        lost=_lost(found),
        optional=optional,
    )


def _leaders(found: Sequence[Row | None]) -> frozenset[int]:
    """Indices of the best median and of all that are not distinguishable from it; none if nothing is
    distinguishable."""
    from motebench.results.presentation.pairing import differ

    rows = [(place, row) for place, row in enumerate(found) if row is not None and row.quotable]
    if len(rows) < 2:
        return frozenset()
    _, best = min(rows, key=lambda item: -item[1].median if item[1].better == "higher" else item[1].median)
    leaders = frozenset(place for place, row in rows if not differ(best, row))
    return leaders if len(leaders) < len(rows) else frozenset()


def _lost(found: Sequence[Row | None]) -> frozenset[int]:
    """Indices of values that must not be quoted."""
    return frozenset(place for place, row in enumerate(found) if row is not None and not row.quotable)


def main_columns(cases: Cases, width: int, floors: Mapping[Key, Row], sort: str | None = None) -> list[TableColumn]:
    """The columns that fit into the width. ``sort``: the metric that the lines are ordered by."""
    columns = _names(cases)
    extra: Sequence[str] = _EXTRA_ON_FILES if any(row.on_file for _, line in cases for row in line.values()) else _EXTRA
    leading = next((name for name in _MAIN if _has(cases, name)), None)
    for name in _MAIN:
        if _has(cases, name):
            columns.append(_metric(cases, name))
        if name == leading:
            spreads = (line[name].spread if name in line else "" for _, line in cases)
            columns.append(
                TableColumn("±", tuple(text.removeprefix("±").replace("no interval", "none") for text in spreads))
            )
            columns += _ratio_column(cases, sort or name, whole=sort is not None)
    if leading is None and sort is not None:
        columns += _ratio_column(cases, sort, whole=True)
    columns += _floor_columns(cases, floors)
    if any(not row.quotable for _, line in cases for row in line.values()) and _has(cases, "cpu_time"):
        columns.append(_metric(cases, "cpu_time"))
    extra = sorted(extra, key=lambda name: name != sort)
    if sort is not None and sort not in (*_MAIN, *extra) and _has(cases, sort):
        columns.append(_metric(cases, sort))
    columns += [_metric(cases, name, optional=name != sort) for name in extra if _has(cases, name)]
    columns.append(TableColumn("n", tuple(_count(line) for _, line in cases)))
    while _width(columns) > width:
        optional = [column for column in columns if column.optional]
        if not optional:
            break
        columns.remove(optional[-1])
    return columns


def _count(line: Mapping[str, Row]) -> str:
    row = next((line[name] for name in _MAIN if name in line), None) or next(iter(line.values()))
    return f"{row.n} (+{row.outliers})" if row.outliers else str(row.n)
