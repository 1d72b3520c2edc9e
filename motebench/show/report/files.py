"""Whole files as a table: each cipher with the plain copy of the same file, and with the same process on an
empty file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from motebench.base.units import format_value
from motebench.results.presentation.rows import Row, operation_words, size_words


def table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line per case on a file: times and memory of it, of the copy and of the process alone (or None)."""
    cases: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        if row.on_file:
            cases.setdefault(row.case, {})[row.metric] = row
    timed = [found for found in cases.values() if "time" in found]
    copies = {_place(found["time"]): found for found in timed if found["time"].is_copy}
    floors = {_who(found["time"]): found for found in timed if found["time"].is_floor}
    lines = []
    for found in timed:
        row = found["time"]
        if row.is_copy or (row.is_floor and len(timed) > len(floors)):
            continue
        copy, floor = copies.get(_place(row)), None if row.is_floor else floors.get(_who(row))
        lines.append(
            {
                "row": row,
                "operation": operation_words(row.operation),
                "size": size_words(row.size),
                "cells": [_cell(found), _cell(copy), _cell(floor)],
            }
        )
    return lines


def _place(row: Row) -> tuple[Any, ...]:
    return row.without("scheme", "implementation", "operation"), row.evidence


def _who(row: Row) -> tuple[Any, ...]:
    return row.without("input_bytes", "file"), row.evidence


def _cell(found: Mapping[str, Row] | None) -> dict[str, str] | None:
    if found is None:
        return None
    time, cpu = found["time"], found.get("cpu_time")
    parts = [found[name].median for name in ("user_time", "system_time") if name in found]
    busy = cpu.median if cpu else sum(parts) if parts else None
    return {
        "elapsed": time.text,
        "spread": time.spread,
        "cpu": "" if busy is None else format_value(busy, time.unit),
        "memory": found["peak_rss"].text if "peak_rss" in found else "",
    }
