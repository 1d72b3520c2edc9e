"""Warm-up curves: every batch before the first sample, against the steady state that followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motebench.report.rows import Row, operation_words, size_words
from motebench.stats import steady_from

MAX_POINTS = 60_000
"""Batches in a page; beyond that each curve keeps its beginning whole and evenly spaced ones of the rest."""
_FEWEST = 40
_NOTE = "no steady state within "


def _steady(rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    return {row.case: row for row in rows if row.metric == "time"}


def note_of(row: Row) -> str:
    """The runner's note that a case did not get steady, or an empty text."""
    return next((note for note in row.notes if note.startswith(_NOTE)), "")


def curves(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Per case its batches in order, the batch the steady state was found to begin with, its median and interval.

    ``at`` numbers the batches from 1, ``values`` are their times in ns, ``begins`` is such a number or None.
    """
    found = [row for row in rows if row.is_curve and row.values]
    steady = _steady(rows)
    keep = max(_FEWEST, MAX_POINTS // max(1, len(found)))
    return [_curve(row, steady.get(row.case), keep) for row in found]


def _curve(row: Row, steady: Row | None, keep: int) -> dict[str, Any]:
    places = kept_places(len(row.values), keep)
    begins = _begins(row)
    return {
        "index": row.index,
        "scheme": row.scheme,
        "implementation": row.implementation,
        "operation": row.operation,
        "size": row.size,
        "file": row.file,
        "target": row.target,
        "evidence": row.evidence,
        "at": [place + 1 for place in places],
        "values": [float(f"{row.values[place]:.5g}") for place in places],
        "thinned": len(places) < len(row.values),
        "steady": steady and [steady.median, steady.ci_low, steady.ci_high],
        "begins": begins,
        "said": _said(row, steady),
    }


def _begins(row: Row) -> int | None:
    """Number of the first batch of the steady state; None where none was found."""
    place = None if note_of(row) else steady_from(row.values)
    return None if place is None else place + 1


def kept_places(count: int, keep: int) -> list[int]:
    """Which of ``count`` batches are drawn: all, or the first half of ``keep`` and evenly spaced ones to the last."""
    if count <= keep:
        return list(range(count))
    head = keep // 2
    step = (count - 1 - head) / (keep - head - 1)
    return [*range(head), *(round(head + place * step) for place in range(keep - head))]


def _said(row: Row, steady: Row | None) -> str:
    count, begins = len(row.values), _begins(row)
    batches = f"{count} {'batch' if count == 1 else 'batches'} before the first sample"
    if begins is not None:
        batches += f", steady from number {begins} on"
    note = note_of(row)
    if note:
        return f"{batches}; {note}: the samples may hold some of the warm-up."
    if steady is None or steady.median <= 0:
        return f"{batches}."
    first = row.values[0] / steady.median
    how = f"{first:.3g} times the steady {steady.text}" if first >= 1.1 else f"about the steady {steady.text}"
    return f"{batches}; the first took {how} ({steady.spread})."


def unsteady(rows: Sequence[Row]) -> list[str]:
    """A sentence for each case that did not get steady."""
    out = []
    for row in rows:
        if row.is_curve and note_of(row):
            size = f", {size_words(row.size)}" if row.size else ""
            out.append(f"{row.scheme} by {row.implementation}, {operation_words(row.operation)}{size}: {note_of(row)}.")
    return out


def footnote(rows: Sequence[Row]) -> str:
    """For the table: whose samples count only from the steady state on, and where none was found; empty without any."""
    warmed = [row for row in rows if row.is_curve]
    if not warmed:
        return ""
    text = f"{', '.join(sorted({row.implementation for row in warmed}))}: warmed up; no warm-up counts as a sample."
    failed = sum(bool(note_of(row)) for row in warmed)
    if failed:
        text += f" {failed} of {len(warmed)} cases got to no steady state: their samples may hold some of the warm-up."
    return text
