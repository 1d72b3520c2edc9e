"""The page of a replication: one file that loads nothing. Plots are SVG: no script is needed to see
them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from motebench.base.files.access import FileKind, write
from motebench.base.units import METRICS, format_size, format_value
from motebench.documents.papers import (
    VERDICTS,
    BoundedEntry,
    ClaimEntry,
    PaperEntry,
    ReplicationAirEntry,
    ReplicationCellEntry,
    ReplicationEntry,
    ReplicationTableEntry,
)
from motebench.documents.result import ProvenanceEntry
from motebench.results.presentation.provenance import HERE, own_words
from motebench.show.report import one_file, templates

_LEVELS = {**dict.fromkeys(VERDICTS, ""), "holds": "good", "does not hold": "worst"}
_SIDES = (("published", "printed numbers"), ("replicated", "paper's method"), ("own", "our method"))
_PLOTS = 12
"""Tables of a paper that are drawn; the others are folded."""
_ROW, _TOP, _BOTTOM = 34, 6, 24
"""Pixels: the height of a row, and the space above and below the rows."""
_MARGIN = 6.0
"""Per cent of the width on both sides of the outermost values."""
_FEWEST_TICKS, _MOST_TICKS = 3, 7
_PROGRAMS = 8
"""Programs whose versions stand at the top."""
_TOLD = 6
"""Rows that the name of a picture tells."""


def write_page(document: ReplicationEntry, path: Path, *, force: bool) -> Path:
    """Write the page. InputError if that is not possible."""
    return write(path, render(document), FileKind.HTML, force=force, where="--output")


def render(document: ReplicationEntry) -> str:
    """The page as text."""
    environment = templates({"size": format_size, "level": _LEVELS.get, "bounds": _bounds})
    environment.globals.update(
        value=_value, sides=_sides, counts=_counts, drawn=_drawn, on_air=_on_air, measured=_measured
    )
    keys = [paper.key for paper in document.papers]
    return environment.get_template("replication.html.j2").render(
        title=", ".join(keys),
        alone=one_file(),
        sections=dict(zip(keys, keys, strict=True)),
        origin=f"motebench {document.version}",
        papers=document.papers,
        rerun=document.rerun,
        plots=_PLOTS,
        verdicts=tuple(_LEVELS),
    )


def _sides(claim: ClaimEntry) -> list[tuple[str, Any]]:
    """Title and verdict of each side that judges the claim."""
    settled = [(f"by {claim.settled_by}", claim.settled)] if claim.settled is not None else []
    return settled + [
        (title, getattr(claim, side)) for side, title in _SIDES if getattr(claim, side) is not None
    ]


def _counts(paper: PaperEntry) -> list[tuple[str, list[tuple[str, int]]]]:
    """Number of claims by verdict, for each side."""
    rows = []
    for side, title in _SIDES:
        verdicts = [
            getattr(claim, side).verdict
            for claim in paper.claims
            if getattr(claim, side) is not None
        ]
        if verdicts:
            rows.append((title, [(verdict, verdicts.count(verdict)) for verdict in _LEVELS]))
    settled = [claim.settled.verdict for claim in paper.claims if claim.settled is not None]
    if settled:
        rows.append(
            ("what needs no numbers", [(verdict, settled.count(verdict)) for verdict in _LEVELS])
        )
    return rows


def _measured(paper: PaperEntry) -> list[tuple[str, list[str]]]:
    """Date, machines with their load, versions and disturbed readings of all runs."""
    origins = [run.provenance for run in paper.runs if run.provenance is not None]
    disturbed, unquoted = (
        sum(getattr(run, name) for run in paper.runs) for name in ("disturbed", "unquotable")
    )
    lines = {
        "measured": _dates(origins),
        "on": _machines(origins),
        "by": list(dict.fromkeys(own_words(origin.motebench) for origin in origins)),
        "programs": _programs(origins),
        "disturbed": [
            f"{disturbed:,} readings, which do not count",
            f"{unquoted:,} measurements that are not quoted and decide nothing",
        ],
    }
    return [(label, texts) for label, texts in lines.items() if texts]


def _dates(origins: Sequence[ProvenanceEntry]) -> list[str]:
    """Period from the first start to the last end: ``2026-11-28 18:05 to 2026-11-28 18:08 UTC``."""
    ends = [end for origin in origins for end in (origin.started, origin.finished) if end]
    first, last = (pick(ends, default="")[:16].replace("T", " ") for pick in (min, max))
    return [f"{first} to {last} UTC"] if ends else []


def _machines(origins: Sequence[ProvenanceEntry]) -> list[str]:
    """Each machine as its first run found it."""
    machines = {
        name: description
        for origin in reversed(origins)
        for name, description in origin.machines.items()
    }
    return [
        description if name == HERE else f"{name}: {description}"
        for name, description in machines.items()
    ]


def _programs(origins: Sequence[ProvenanceEntry]) -> list[str]:
    built = [program for origin in origins for program in origin.programs]
    texts = list(
        dict.fromkeys(
            f"{program.implementation}: {program.version}" for program in built if program.version
        )
    )
    return texts[:_PROGRAMS] + (
        [f"{len(texts) - _PROGRAMS} more: see the runs"] if len(texts) > _PROGRAMS else []
    )


def _value(bounded: BoundedEntry, table: ReplicationTableEntry, *, ours: bool) -> str:
    """A value with its unit."""
    return format_value(bounded.value, METRICS[table.metric].unit if ours else table.unit, 4)


def _bounds(bounded: BoundedEntry | None) -> str:
    if bounded is None:
        return "-"
    if (
        bounded.low is None
        or bounded.high is None
        or bounded.low <= 0
        or bounded.high / bounded.low < 1.01
    ):
        return f"{bounded.value:.3g}"
    return f"{bounded.value:.3g} ({bounded.low:.3g} to {bounded.high:.3g})"


def _drawn(table: ReplicationTableEntry) -> Markup:
    return Markup(ratios(table))  # noqa: S704 - made by us, texts are escaped there


def _on_air(paper: PaperEntry) -> Markup:
    return Markup(air(paper.air))  # noqa: S704 - made by us, texts are escaped there


def ratios(table: ReplicationTableEntry) -> str:
    """A row for each value: the published ratio to the reference as a circle, ours as a filled one;
    empty if none.
    """
    cells = [
        cell
        for cell in table.cells
        if cell.published_ratio and cell.ours_ratio and cell.subject != table.reference
    ]
    values = [
        end
        for cell in cells
        for ratio in (cell.published_ratio, cell.ours_ratio)
        if ratio is not None
        for end in (ratio.value, ratio.low, ratio.high)
        if end
    ]
    if not values or min(values) <= 0:
        return ""
    axis = ChartAxis(min(*values, 1.0), max(*values, 1.0))
    rows = [_ratio_row(place, cell, axis) for place, cell in enumerate(cells)]
    title = f"{table.table}: ratio to {table.reference}, logarithmic"
    return _svg(rows, len(cells), axis, title, [_ratio_words(cell) for cell in cells])


def air(entries: Sequence[ReplicationAirEntry]) -> str:
    """Computing divided by sending for each subject, size and target, from the lowest to the
    highest spreading factor.

    A line joins values of one target alone.
    """
    if not entries:
        return ""
    several = len({entry.target for entry in entries}) > 1
    rows: dict[tuple[str, int, str], list[ReplicationAirEntry]] = {}
    for entry in entries:
        rows.setdefault((entry.subject, entry.size, entry.target), []).append(entry)
    values = [entry.ratio for entry in entries]
    axis = ChartAxis(min(*values, 0.5), max(*values, 2.0))
    drawn, ranges = [_band(0.5, 2.0, len(rows), axis)], []
    for place, ((subject, size, target), of_subject) in enumerate(sorted(rows.items())):
        y = _row_middle(place)
        low, high = min(of_subject, key=lambda e: e.ratio), max(of_subject, key=lambda e: e.ratio)
        name = f"{subject}, {format_size(size)}{f', {target}' if several else ''}"
        ranges.append(f"{name} {low.ratio:.3g} to {high.ratio:.3g}")
        drawn.append(_label(place, name))
        drawn.append(_line(axis.x(low.ratio), axis.x(high.ratio), y))
        for entry in of_subject:
            drawn.append(
                _dot(axis.x(entry.ratio), y, f"SF{entry.sf}: {entry.ratio:.3g}", filled=True)
            )
    title = "time of computing divided by time on air, logarithmic; band: half to twice"
    return _svg(drawn, len(rows), axis, title, ranges)


class ChartAxis:
    """A logarithmic axis; places are percentages of the width, so that a chart fits every
    screen.
    """

    def __init__(self, low: float, high: float) -> None:
        middle, half = math.log10(high * low) / 2, max(math.log10(high / low), 0.1) * 0.54
        self._low, self._high = middle - half, middle + half

    def x(self, value: float) -> float:
        """The place of a value."""
        part = (math.log10(value) - self._low) / (self._high - self._low)
        return _MARGIN + part * (100 - 2 * _MARGIN)

    def ticks(self) -> list[float]:
        """Whole decades where there are enough, else 1, 2 and 5 of each, else equal steps; no more
        than fit a telephone."""
        for steps in ((1,), (1, 2, 5)):
            ticks = self._within(
                step * 10.0**decade for decade in self._decades() for step in steps
            )
            if len(ticks) >= _FEWEST_TICKS:
                return ticks[:: math.ceil(len(ticks) / _MOST_TICKS)]
        return self._even()

    def _even(self) -> list[float]:
        """Multiples of the smallest of 1, 2 and 5 tenths, hundredths, ... that are not too many."""
        low, high = 10.0**self._low, 10.0**self._high
        least = (high - low) / _MOST_TICKS
        decade = 10.0 ** math.floor(math.log10(least))
        step = next(step * decade for step in (1, 2, 5, 10) if step * decade >= least)
        return [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]

    def _decades(self) -> range:
        return range(math.floor(self._low), math.ceil(self._high) + 1)

    def _within(self, every: Iterable[float]) -> list[float]:
        return [tick for tick in every if self._low <= math.log10(tick) <= self._high]


def _row_middle(place: int) -> float:
    """Height of the marks of a row; its name stands above them."""
    return _TOP + _ROW * place + _ROW - 10


def _ratio_row(place: int, cell: ReplicationCellEntry, axis: ChartAxis) -> str:
    y, case = _row_middle(place), _case(cell)
    parts = [_label(place, case)]
    assert cell.published_ratio is not None
    assert cell.ours_ratio is not None
    for ratio, name, filled in (
        (cell.published_ratio, "published", False),
        (cell.ours_ratio, cell.evidence, True),
    ):
        if ratio.low and ratio.high:
            parts.append(_line(axis.x(ratio.low), axis.x(ratio.high), y, strong=filled))
        parts.append(
            _dot(axis.x(ratio.value), y, f"{case}: {ratio.value:.3g} ({name})", filled=filled)
        )
    return "".join(parts)


def _case(cell: ReplicationCellEntry) -> str:
    size = format_size(cell.size) if cell.size else ""
    return ", ".join(part for part in (cell.subject, cell.operation, size) if part)


def _ratio_words(cell: ReplicationCellEntry) -> str:
    assert cell.published_ratio is not None
    assert cell.ours_ratio is not None
    return (
        f"{_case(cell)} published {cell.published_ratio.value:.3g}, ours "
        f"{cell.ours_ratio.value:.3g}"
    )


def _label(place: int, text: str) -> str:
    return f'<text class="name" x="0" y="{_TOP + _ROW * place + 11}">{escape(text)}</text>'


def _dot(x: float, y: float, title: str, *, filled: bool) -> str:
    # The ring stays in sight around a mark at the same place.
    fill, radius = ("var(--c0)", 3.5) if filled else ("var(--card)", 6)
    stroke = "var(--c0)" if filled else "var(--c1)"
    shape = (
        f'<circle cx="{x:.2f}%" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}" '
        'stroke-width="2">'
    )
    return f"{shape}<title>{escape(title)}</title></circle>"


def _line(start: float, end: float, y: float, *, strong: bool = True) -> str:
    colour = "var(--c0)" if strong else "var(--c1)"
    place = f'x1="{start:.2f}%" x2="{end:.2f}%" y1="{y:.1f}" y2="{y:.1f}"'
    return f'<line {place} stroke="{colour}" stroke-width="2" opacity="0.5"/>'


def _band(low: float, high: float, rows: int, axis: ChartAxis) -> str:
    x, width = axis.x(low), axis.x(high) - axis.x(low)
    return (
        f'<rect x="{x:.2f}%" y="{_TOP}" width="{width:.2f}%" height="{_ROW * rows}" '
        'fill="var(--good-soft)"/>'
    )


def _svg(
    rows: Sequence[str], count: int, axis: ChartAxis, title: str, descriptions: Sequence[str]
) -> str:
    """Picture with its title below. ``descriptions``: the content of each row, for readers who do
    not see it.
    """
    bottom = _TOP + _ROW * count
    grid = []
    for tick in axis.ticks():
        x = f"{axis.x(tick):.2f}%"
        colour = "var(--axis)" if math.isclose(tick, 1) else "var(--grid)"
        grid.append(f'<line x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}" stroke="{colour}"/>')
        grid.append(
            f'<line x1="{x}" x2="{x}" y1="{bottom}" y2="{bottom + 5}" stroke="var(--axis)"/>'
        )
        grid.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{tick:.3g}</text>')
    grid.append(f'<line x1="0" x2="100%" y1="{bottom}" y2="{bottom}" stroke="var(--axis)"/>')
    body = "".join((*grid, *rows))
    more = f" and {len(descriptions) - _TOLD} more rows" if len(descriptions) > _TOLD else ""
    name = escape(f"{title}: {'; '.join(descriptions[:_TOLD])}{more}")
    head = f'<svg width="100%" height="{bottom + _BOTTOM}" role="img" aria-label="{name}">'
    return f'{head}{body}</svg><p class="axis-title">{escape(title)}</p>'
