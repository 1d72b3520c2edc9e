"""What the page shows, as plain data for the template and for the script."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from motebench.environment import FACTS, Fact
from motebench.metrics import METRICS
from motebench.presentation.rows import (
    METRIC_WORDS,
    OPERATIONS,
    PUBLIC_KEY,
    Row,
    direction,
    number,
    size_words,
    unquotable,
)
from motebench.units import format_value

COLORS = 8
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left")
MAX_SAMPLES = 60_000
"""Samples in a page; beyond that each case keeps evenly spaced ones, its extremes among them, and the page says so."""


def look_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Colour and shape of each scheme, dash and filling of each implementation, the same in every chart.

    A variant has the filling of its implementation; ``variant`` counts the variants of one from 1 (0: none).
    """
    # In the order of first appearance, so that schemes of one operation get the colours that differ most.
    schemes = list(dict.fromkeys(row.scheme for row in rows if not row.is_copy))
    plain = sorted({row.plain for row in rows if not row.is_copy})
    variants: dict[str, list[str]] = {name: [name] for name in plain}
    for name, of in sorted({(row.implementation, row.plain) for row in rows if row.is_variant}):
        variants[of].append(name)
    return {
        "schemes": {
            name: {"color": f"var(--c{i % COLORS})", "shape": SHAPES[(i + i // COLORS) % len(SHAPES)]}
            for i, name in enumerate(schemes)
        },
        "implementations": {
            name: {"place": i, "variant": j}
            for i, members in enumerate(variants.values())
            for j, name in enumerate(members)
        },
    }


def chart_rows(rows: Sequence[Row]) -> dict[str, Any]:
    """The rows as columns, which takes a third of the space; ``spread`` is the interval in words."""
    names = ("index", "scheme", "implementation", "target", "operation", "size", "metric", "evidence", "source")
    return {
        "columns": [*names, "file", "v", "lo", "hi", "text", "spread"],
        "rows": [
            [
                *(getattr(row, name) for name in names),
                row.beside_words,
                _short(row.median),
                _short(row.ci_low),
                _short(row.ci_high),
                row.text,
                row.spread,
            ]
            for row in rows
        ],
    }


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.7g}")


def samples_of(rows: Sequence[Row]) -> tuple[dict[str, list[float]], bool]:
    """Samples of every time by row index, and whether some had to be left out for size."""
    timed = [row for row in rows if row.metric == "time" and len(row.values) > 1]
    total = sum(len(row.values) for row in timed)
    keep = MAX_SAMPLES // max(1, len(timed))
    thinned = total > MAX_SAMPLES
    found = {}
    for row in timed:
        values = sorted(row.values)
        if thinned and len(values) > keep:
            step = (len(values) - 1) / max(1, keep - 1)
            values = [values[round(i * step)] for i in range(max(2, keep))]
        found[str(row.index)] = [float(f"{value:.6g}") for value in values]
    return found, thinned


def words() -> dict[str, dict[str, str]]:
    """Names and directions for the script."""
    return {
        "operations": OPERATIONS,
        "metrics": METRIC_WORDS,
        "units": {name: metric.unit for name, metric in METRICS.items()},
        "better": {name: direction(name) for name in METRICS},
    }


def table_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The complete table: per row its cells as (text, number behind it).

    A curve has only its extremes: other statistics of a development in order mean nothing.
    """

    def cell(value: float | None, unit: str) -> tuple[str, float | str]:
        return format_value(value, unit, 4), "" if number(value) is None else float(f"{value:.10g}")

    out = []
    none: tuple[str, float | str] = ("\u2013", "")
    for row in rows:
        squared = "" if row.unit == "1" else f"{row.unit}²"
        interval = "n/a"
        if row.ci_low is not None and row.ci_high is not None:
            interval = f"{format_value(row.ci_low, row.unit, 4)} to {format_value(row.ci_high, row.unit, 4)}"
        variance = "n/a" if row.variance is None else f"{row.variance:.4g} {squared}".strip()
        out.append(
            {
                "row": row,
                "metric": METRIC_WORDS.get(row.metric, row.metric),
                "size": size_words(row.size),
                "median": ("curve", "") if row.is_curve else _marked(row, cell(row.median, row.unit)),
                "interval": none[0] if row.is_curve else interval,
                "mean": none if row.is_curve else cell(row.mean, row.unit),
                "variance": none if row.is_curve else (variance, "" if row.variance is None else row.variance),
                "stddev": none if row.is_curve else cell(row.stddev, row.unit),
                "low": cell(row.min, row.unit),
                "high": cell(row.max, row.unit),
            }
        )
    return out


def _marked(row: Row, cell: tuple[str, float | str]) -> tuple[str, float | str]:
    return cell if row.quotable else (unquotable(cell[0]), cell[1])


def public_key_table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line per scheme, implementation, target and evidence: the time of each public-key operation."""
    lines: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        if row.public_key and row.metric == "time":
            line = lines.setdefault((row.scheme, row.implementation, row.target, row.evidence), {})
            line.setdefault(row.operation, row)
    return [
        {
            "scheme": key[0],
            "implementation": key[1],
            "target": key[2],
            "evidence": key[3],
            "cells": [line.get(operation) for operation in PUBLIC_KEY],
        }
        for key, line in sorted(lines.items())
    ]


def rate(row: Row) -> str:
    """Operations a second, from a time in ns."""
    if row.median <= 0:
        return "n/a"
    each = 1e9 / row.median
    return f"{each:,.0f}/s" if each >= 1000 else f"{each:.3g}/s"


def flatten(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Nested plain data as lines: the path of keys, and the value as text. Empty values are left out."""
    if isinstance(value, Mapping):
        return [
            line
            for key, inner in value.items()
            for line in flatten(inner, f"{path}: {_words(key)}" if path else _words(key))
        ]
    if isinstance(value, list | tuple):
        if any(isinstance(entry, Mapping) for entry in value):
            return [line for place, entry in enumerate(value, 1) for line in flatten(entry, f"{path} {place}".strip())]
        return [(path, ", ".join(map(str, value)))] if value else []
    if value is None or value == "":
        return []
    if isinstance(value, bool):
        return [(path, "yes" if value else "no")]
    return [(path, str(value))]


def host_facts(host: Mapping[str, Any], of: Fact | None = None) -> list[tuple[str, str]]:
    """What is known of a machine, each fact in the unit the registry gives it (or ``of``, for the parts of one)."""
    out = []
    for key, value in host.items():
        fact = of or FACTS.get(key)
        if fact and fact.unit == "kHz" and isinstance(value, Mapping):
            out += host_facts({f"{key}: {inner}": clock for inner, clock in value.items()}, fact)
        elif fact is None or fact.unit is None or number(value) is None:
            out += flatten(value, _words(key))
        elif fact.unit == "kHz":
            out.append((_words(key), f"{float(value) / 1000:,.0f} MHz"))
        else:
            out.append((_words(key).removesuffix(" bytes"), format_value(value, fact.unit)))
    return out


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def clocks(probes: Mapping[str, Any]) -> list[str]:
    """One sentence per implementation: what its clock is, how fine, and what reading it costs."""
    out = []
    for name, probe in probes.items():
        clock = probe.get("clock") if isinstance(probe, Mapping) else None
        if not isinstance(clock, Mapping):
            continue
        text = f"{name}: {clock.get('name', 'clock')}"
        hz = number(clock.get("hz"))
        if hz:
            for key, what in (("resolution", "smallest step"), ("overhead", "one start and stop costs")):
                value = number(clock.get(key))
                if value is not None:
                    text += f", {what} {format_value(value / hz * 1e9, 'ns')}"
            empty = number(probe.get("loop"))
            if empty is not None:
                text += f", an iteration that does nothing costs {format_value(empty / hz * 1e9, 'ns')}"
        counter = probe.get("counter")
        if isinstance(counter, Mapping) and counter.get("name"):
            text += f"; counts are read from {counter['name']}"
        out.append(f"{text}.")
    return out


def span(started: str, finished: str) -> str:
    """When a run was, from ISO 8601 texts: ``2026-03-04 09:12:31 to 09:13:24 UTC``. Other texts stay as they are."""
    try:
        first = datetime.datetime.fromisoformat(started).astimezone(datetime.UTC)
        last = datetime.datetime.fromisoformat(finished).astimezone(datetime.UTC) if finished else None
    except ValueError:
        return " to ".join(text for text in (started, finished) if text)
    text = f"{first:%Y-%m-%d %H:%M:%S}"
    if last is not None:
        text += f" to {last:%H:%M:%S}" if last.date() == first.date() else f" to {last:%Y-%m-%d %H:%M:%S}"
    return f"{text} UTC"


def facts(document: Mapping[str, Any], rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The figures at the head of the page: (number, what it counts)."""
    cases = {row.id for row in rows}
    halves = [row.half_width for row in rows if row.metric == "time" and row.half_width is not None]
    failed = len(document.get("failures", ()))
    variants = len({row.implementation for row in rows if row.is_variant})
    found = [
        (str(len(cases)), "case" if len(cases) == 1 else "cases"),
        (str(len({row.scheme for row in rows if not row.is_copy})), "schemes"),
        (str(len({row.plain for row in rows if not row.is_copy})), "implementations"),
    ]
    if variants:
        found.append((str(variants), "variant" if variants == 1 else "variants"))
    if halves:
        half = statistics.median(halves)
        found.append((f"±{half * 100:.2g} %", "typical interval of a time"))
    found.append((str(failed), "failure" if failed == 1 else "failures"))
    return found
