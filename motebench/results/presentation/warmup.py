"""Warm-up curves: every batch of the first invocation before its samples, compared with the steady state of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motebench.results.invocations import CHANGED, SLOWER, UNSTEADY
from motebench.results.presentation.rows import Row, operation_words, size_words
from motebench.stats import steady_from

MAX_POINTS = 60_000
"""Most batches in a page; beyond that, each curve keeps its whole beginning and evenly spaced batches of the rest."""
_FEWEST = 40


def _steady(rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    return {row.case: row for row in rows if row.metric == "time"}


def note_of(row: Row) -> str:
    """The note that a case did not reach its steady state, or an empty text."""
    return next((note for note in row.notes if note.startswith(UNSTEADY)), "")


def _first(row: Row) -> tuple[float, ...]:
    """The batches of the first invocation."""
    if len(row.invocations) != len(row.values):
        return row.values
    return tuple(value for value, of in zip(row.values, row.invocations, strict=True) if of == row.invocations[0])


def curves(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Per case its batches in order, the batch the steady state was found to begin with, its median and interval.

    ``at`` numbers the batches from 1, ``values`` are their times in ns, ``begins`` is such a number or None.
    """
    found = [row for row in rows if row.is_curve and row.values]
    steady = _steady(rows)
    keep = max(_FEWEST, MAX_POINTS // max(1, len(found)))
    return [_curve(row, steady.get(row.case), keep) for row in found]


def _curve(row: Row, steady: Row | None, keep: int) -> dict[str, Any]:
    values, begins = _first(row), _begins(row)
    places = kept_places(len(values), keep)
    return {
        "index": row.index,
        "scheme": row.scheme,
        "implementation": row.implementation,
        "operation": row.operation,
        "size": row.size,
        "file": row.beside_words,
        "target": row.target,
        "evidence": row.evidence,
        "at": [place + 1 for place in places],
        "values": [float(f"{values[place]:.5g}") for place in places],
        "thinned": len(places) < len(values),
        "steady": steady and [steady.median, steady.ci_low, steady.ci_high],
        "begins": begins,
        "said": _said(row, steady),
    }


def _begins(row: Row) -> int | None:
    """Number of the first batch of the steady state; None if none was found."""
    # The batches of this invocation show whether it reached its steady state; without them, the note of the case does.
    place = None if note_of(row) and not row.invocations else steady_from(_first(row))
    return None if place is None else place + 1


def kept_places(count: int, keep: int) -> list[int]:
    """The batches of ``count`` that are drawn: all, or the first half of ``keep`` and evenly spaced ones to
    the last."""
    if count <= keep:
        return list(range(count))
    head = keep // 2
    step = (count - 1 - head) / (keep - head - 1)
    return [*range(head), *(round(head + place * step) for place in range(keep - head))]


def _said(row: Row, steady: Row | None) -> str:
    values, begins = _first(row), _begins(row)
    count, processes = len(values), len(set(row.invocations))
    batches = f"{count} {'batch' if count == 1 else 'batches'} before the first sample"
    if processes > 1:
        batches += f" of the first of {processes} invocations"
    if begins is not None:
        batches += f", steady from number {begins} on"
    note = note_of(row)
    if note:
        return f"{batches}; {note}: the samples may hold some of the warm-up."
    if steady is None or steady.median <= 0:
        return f"{batches}."
    first = values[0] / steady.median
    how = f"{first:.3g} times the steady {steady.text}" if first >= 1.1 else f"about the steady {steady.text}"
    return f"{batches}; the first took {how} ({steady.spread})."


def unsteady(rows: Sequence[Row]) -> list[str]:
    """A sentence for each case that did not reach its steady state, or left it."""
    out = []
    for row in rows:
        notes = [note for note in row.notes if note.startswith((UNSTEADY, SLOWER, CHANGED))]
        if row.is_curve and notes:
            size = f", {size_words(row.size)}" if row.size else ""
            where = f"{row.scheme} by {row.implementation}, {operation_words(row.operation)}{size}"
            out.append(f"{where}: {'; '.join(notes)}.")
    return out


def footnote(rows: Sequence[Row]) -> str:
    """The footnote of the table: cases whose samples count only from the steady state on, and cases without one; may be
    empty."""
    warmed = [row for row in rows if row.is_curve]
    if not warmed:
        return ""
    text = f"{', '.join(sorted({row.implementation for row in warmed}))}: warmed up; no warm-up counts as a sample."
    batches = [row.batches for row in rows if row.batches is not None and row.metric == "time"]
    if batches:
        least, most = min(batches), max(batches)
        of = f"{most} batches" if least == most else f"{least} to {most} batches"
        text += f" Their n counts invocations (processes), each with the median of {of}."
    failed = sum(bool(note_of(row)) for row in warmed)
    if failed:
        text += f" {failed} of {len(warmed)} cases got to no steady state"
        text += " in some invocations" if batches else ""
        text += ": their samples may hold some of the warm-up."
    return text
