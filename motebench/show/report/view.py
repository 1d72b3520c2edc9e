"""The data of the page of a run: facts and tables for the template, numbers by column for the
script.
"""

from __future__ import annotations

import datetime
import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.naming import split_probe_key
from motebench.base.shapes import part
from motebench.base.units import METRICS, Better, carried_digits, format_value
from motebench.catalog.devices import Device, devices
from motebench.catalog.proof import marked
from motebench.documents.result import RunEntry
from motebench.results.presentation.leads import times_best
from motebench.results.presentation.provenance import probes_of
from motebench.results.presentation.rows import (
    OPERATIONS,
    PROFILED,
    PUBLIC_KEY,
    Row,
    direction,
    input_of,
    listed,
    number,
    operation_words,
    question_words,
    share_words,
    size_words,
    unquotable,
)
from motebench.results.presentation.schemes import PublicKeySizes, sizes_of_schemes
from motebench.targets.machine import FACTS, MachineFact, read_host

COLORS = 8
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "cross",
    "triangle-right",
    "triangle-left",
)
_GOLDEN_ANGLE = 137.508
_SHADES = (60, 35, 80, 20)
"""Parts of its implementation's colour in that of a variant, in per cent; the rest is ink."""

ADDED = ("flash_net", "static_ram_net", "stack")
"""Memory that the cipher takes itself, without the probe."""
_UNTITLED = "from options"
"""The title of a study that options describe (`motebench.measuring.study.load`)."""
_NAMED = 4


def look_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Colour and shape of each implementation, dash of each scheme, the same in every chart of the
    page.

    A variant has the shape of its implementation, and a shade of its colour; ``variant`` counts the
    variants of one from 1 (0: none).
    """
    plain = sorted({row.plain for row in rows if not row.is_copy})
    variants: dict[str, list[str]] = {name: [name] for name in plain}
    for name, plain_name in sorted(
        {(row.implementation, row.plain) for row in rows if row.is_variant}
    ):
        variants[plain_name].append(name)
    return {
        "schemes": _dashes(rows),
        "implementations": {
            name: {
                "color": _shade(colour_of(i), j),
                "shape": SHAPES[(i + i // COLORS) % len(SHAPES)],
                "variant": j,
            }
            for i, members in enumerate(variants.values())
            for j, name in enumerate(members)
        },
    }


def colour_of(place: int) -> str:
    """The colour of the implementation at this place, as CSS; no two places have the same."""
    if place < COLORS:
        return f"var(--c{place})"
    return f"oklch(.62 .12 {place * _GOLDEN_ANGLE % 360:.1f})"


def _shade(colour: str, variant: int) -> str:
    if not variant:
        return colour
    part = _SHADES[(variant - 1) % len(_SHADES)]
    other = ("--ink", "--card", "--accent", "--alarm")[(variant - 1) // len(_SHADES) % 4]
    return f"color-mix(in srgb, {colour} {part}%, var({other}))"


def _dashes(rows: Sequence[Row]) -> dict[str, int]:
    """The dash of each scheme by number: schemes of one operation have different ones, the first a
    solid line.
    """
    operations: dict[str, set[str]] = {}
    for row in rows:
        if not row.is_copy:
            operations.setdefault(row.scheme, set()).add(row.operation)
    dashes: dict[str, int] = {}
    for scheme, own in operations.items():
        taken = {dashes[other] for other in dashes if own & operations[other]}
        dashes[scheme] = next(dash for dash in range(len(operations)) if dash not in taken)
    return dashes


def factors(rows: Sequence[Row]) -> list[str]:
    """Factors beside the rows, relative to the best of its chart, by the verdict of the run
    (`leads.beside_best`); empty for the best itself, for unranked rows, and for metrics without a
    better direction.
    """
    charts: dict[Any, list[Row]] = {}
    for row in rows:
        if row.quotable and not row.is_curve and not row.is_copy and row.better != Better.NEITHER:
            key = (row.without("scheme", "implementation"), row.metric, row.evidence, row.source)
            charts.setdefault(key, []).append(row)
    by_index: dict[int, str] = {}
    for members in charts.values():
        # Variants have a section of their own: they are compared, and never the measure of the
        # others.
        own = [row for row in members if not row.is_variant] or members
        best = min(own, key=lambda row: -row.median if row.better == Better.HIGHER else row.median)
        by_index |= {row.index: times_best(best, row) for row in members if row is not best}
    return [by_index.get(row.index, "") for row in rows]


def words() -> dict[str, dict[str, str]]:
    """Names and directions for the script."""
    return {
        "operations": OPERATIONS,
        "metrics": {name: metric.words for name, metric in METRICS.items()},
        "units": {name: metric.unit for name, metric in METRICS.items()},
        "better": {name: direction(name) for name in METRICS},
    }


def public_key_operations(rows: Sequence[Row]) -> list[str]:
    """Public-key operations of these rows, in the order of tables."""
    operations = {row.operation for row in rows if row.public_key and row.metric == "time"}
    return [name for name in PUBLIC_KEY if name in operations]


def public_key_table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line per scheme, implementation, target and evidence: the time of each public-key
    operation.
    """
    lines: dict[tuple[str, ...], dict[str, Row]] = {}
    operations = public_key_operations(rows)
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
            "cells": [line.get(operation) for operation in operations],
        }
        for key, line in sorted(lines.items())
    ]


def key_sizes(
    rows: Sequence[Row],
) -> tuple[list[str], list[tuple[PublicKeySizes, list[int | None]]]]:
    """Sizes of keys, signatures and ciphertexts: the headings, then each scheme with a size for
    each heading. Headings without any size are left out."""
    every = sizes_of_schemes(sorted({row.scheme for row in rows if row.public_key}))
    names = {name for sizes in every for name, size in sizes.parts if size is not None}
    order = [name for name, _ in every[0].parts if name in names] if every else []
    return order, [
        (sizes, [size for name, size in sizes.parts if name in names]) for sizes in every
    ]


def profiles(rows: Sequence[Row]) -> list[tuple[Row, list[tuple[str, str]]]]:
    """Cases with a profile, one row of each, and their largest functions: name and share."""
    by_case: dict[str, tuple[Row, list[tuple[str, str]]]] = {}
    for row in rows:
        for note in (note for note in row.notes if note.startswith(PROFILED)):
            listing = [item.rsplit(" ", 2) for item in note.removeprefix(PROFILED).split("; ")]
            shares = [(item[0], " ".join(item[1:])) for item in listing if len(item) > 2]
            by_case[str(row.id)] = row, shares
    return list(by_case.values())


def rate(row: Row) -> str:
    """Operations a second, from a time in ns, with as many digits as its interval supports; two
    digits if disturbed.
    """
    if row.median <= 0:
        return "n/a"
    digits = carried_digits(row.median, row.ci_low, row.ci_high, 3 if row.quotable else 2)
    per_second = float(f"{1e9 / row.median:.{digits}g}")
    text = f"{per_second:,.0f}/s" if per_second >= 1000 else f"{per_second:.3g}/s"
    return text if row.quotable else unquotable(text)


def flatten(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Nested plain data as lines: the path of keys, and the value as text. Empty values are left
    out.
    """
    if isinstance(value, Mapping):
        return [
            line
            for key, inner in value.items()
            for line in flatten(inner, f"{path}: {_words(key)}" if path else _words(key))
        ]
    if isinstance(value, list | tuple):
        if any(isinstance(entry, Mapping) for entry in value):
            return [
                line
                for place, entry in enumerate(value, 1)
                for line in flatten(entry, f"{path} {place}".strip())
            ]
        return [(path, ", ".join(map(str, value)))] if value else []
    if value is None or value == "":
        return []
    if isinstance(value, bool):
        return [(path, "yes" if value else "no")]
    return [(path, str(value))]


def host_facts(
    host: Mapping[str, object], default: MachineFact | None = None
) -> list[tuple[str, str]]:
    """The known facts of a machine, each in the registry's unit (or ``default``, for the parts of
    one).
    """
    out = []
    for key, value in host.items():
        fact = default or FACTS.get(key)
        if fact and fact.unit == "kHz" and isinstance(value, Mapping):
            out += host_facts({f"{key}: {inner}": clock for inner, clock in value.items()}, fact)
        elif fact is None or fact.unit is None or (figure := number(value)) is None:
            out += flatten(value, _words(key))
        elif fact.unit == "kHz":
            out.append((_words(key), f"{figure / 1000:,.0f} MHz"))
        else:
            out.append((_words(key).removesuffix(" bytes"), format_value(figure, fact.unit)))
    return out


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def clocks(environment: Mapping[str, object]) -> list[str]:
    """One sentence per implementation: its clock, its resolution, and the cost of reading it."""
    out = []
    for name, probe in probes_of(environment).items():
        clock = probe.get("clock")
        if not isinstance(clock, Mapping):
            continue
        text = f"{name}: {clock.get('name', 'clock')}"
        hz = number(clock.get("hz"))
        if hz:
            for key, label in (
                ("resolution", "smallest step"),
                ("overhead", "one start and stop costs"),
            ):
                value = number(clock.get(key))
                if value is not None:
                    text += f", {label} {format_value(value / hz * 1e9, 'ns')}"
            empty = number(probe.get("loop"))
            if empty is not None:
                text += (
                    f", an iteration that does nothing costs {format_value(empty / hz * 1e9, 'ns')}"
                )
        if counter := part(probe, "counter").get("name"):
            text += f"; counts are read from {counter}"
        out.append(f"{text}.")
    return out


def span(started: str, finished: str) -> str:
    """Period of a run, from ISO 8601 texts: ``2026-03-04 09:12:31 to 09:13:24 UTC``. Other texts
    stay unchanged.
    """
    try:
        first = datetime.datetime.fromisoformat(started).astimezone(datetime.UTC)
        last = (
            datetime.datetime.fromisoformat(finished).astimezone(datetime.UTC) if finished else None
        )
    except ValueError:
        return " to ".join(text for text in (started, finished) if text)
    text = f"{first:%Y-%m-%d %H:%M:%S}"
    if last is not None:
        text += (
            f" to {last:%H:%M:%S}"
            if last.date() == first.date()
            else f" to {last:%Y-%m-%d %H:%M:%S}"
        )
    return f"{text} UTC"


def question(run: RunEntry, rows: Sequence[Row]) -> str:
    """Question of the run: the title of its study; of a run from options, its schemes and
    targets.
    """
    title = run.study
    schemes = list(dict.fromkeys(row.scheme for row in rows if not row.is_copy))
    if title not in ("", _UNTITLED) or not schemes:
        return title or run.name
    targets = [marked(target) for target in dict.fromkeys(row.target for row in rows)]
    subject = listed(schemes) if len(schemes) <= _NAMED else f"{len(schemes)} schemes"
    where = listed(targets) if len(targets) <= _NAMED else f"{len(targets)} targets"
    return f"{subject} on {where}"


def facts(rows: Sequence[Row], failed: int) -> list[str]:
    """Figures at the head of the page, each with its unit. ``failed``: the number of failures."""
    figures = [
        _counted(len({row.id for row in rows}), "case"),
        _counted(len({row.scheme for row in rows if not row.is_copy}), "scheme"),
        _counted(len({row.plain for row in rows if not row.is_copy}), "implementation"),
    ]
    if variants := len({row.implementation for row in rows if row.is_variant}):
        figures.append(_counted(variants, "variant"))
    figures += _precision(rows)
    figures.append(_counted(failed, "failure") if failed else "no failure")
    return figures


def _precision(rows: Sequence[Row]) -> list[str]:
    """Typical interval of a time, of a group the spread between runs, or that times are exact;
    empty if these are unknown.
    """
    spreads = [
        row.run_spread for row in rows if row.metric == "time" and row.run_spread and row.quotable
    ]
    if spreads:
        return [f"typical spread between runs {share_words(statistics.median(spreads))}"]
    halves = [
        row.half_width
        for row in rows
        if row.metric == "time" and row.half_width is not None and not row.exact
    ]
    if halves:
        return [f"typical interval of a time \u00b1{statistics.median(halves) * 100:.2g} %"]
    return ["exact: a simulator counts cycles"] if any(row.exact for row in rows) else []


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def places(environment: Mapping[str, object], rows: Sequence[Row]) -> list[str]:
    """The origin of the numbers: this machine, and each board with its clock and compilers."""
    targets = list(dict.fromkeys(row.target for row in rows))
    boards = _boards(environment)
    texts = []
    if not targets or any(target not in boards for target in targets):
        host = read_host(environment)
        names = [host.cpu_model or host.board, host.os]
        texts.append(", ".join(name for name in names if name))
    probes = probes_of(environment)
    for target in (target for target in targets if target in boards):
        built = [facts for name, facts in probes.items() if split_probe_key(name)[0] == target]
        texts.append(_board_words(target, boards[target].name, built))
    return list(filter(None, texts))


def _board_words(target: str, name: str, probes: Sequence[Mapping[str, object]]) -> str:
    """Board with its clock, and the compilers and flags of its firmware."""
    rates = [number(part(facts, "clock").get("hz")) for facts in probes]
    clocks = sorted({hz for hz in rates if hz})
    parts = [name + (" (simulated)" if target.startswith("sim:") else "")]
    parts += [" or ".join(f"{hz / 1e6:g}" for hz in clocks) + " MHz"] if clocks else []
    for key, most in (("compiler", 2), ("flags", 4)):
        texts = list(
            dict.fromkeys(filter(None, (_plainly(str(facts.get(key) or "")) for facts in probes)))
        )
        more = f" and {len(texts) - most} more" if len(texts) > most else ""
        if texts:
            parts.append(", ".join(texts[:most]) + more)
    return ", ".join(parts)


def _plainly(text: str) -> str:
    """``arm-none-eabi-gcc 12.2.1`` of a compiler's own words; ``-Os`` of flags with remarks."""
    short = re.sub(r"\([^)]{0,80}\)|\b\d{8}\b", "", text.partition(",")[0])
    return " ".join(short.split())[:60]


def _boards(environment: Mapping[str, object]) -> dict[str, Device]:
    """The device of each target that is a board of the catalog."""
    boards = part(environment, "boards")
    named = {target: str(part(boards, target).get("device")) for target in boards}
    return {target: devices()[name] for target, name in named.items() if name in devices()}


def choose_commands(environment: Mapping[str, object], run: int, rows: Sequence[Row]) -> list[str]:
    """Commands for a choice on the devices of this run, with the results of this run."""
    boards = {target: device.id for target, device in _boards(environment).items()}
    measured: dict[str, list[Row]] = {name: [] for name in boards.values()}
    for row in rows:
        measured.setdefault(boards.get(row.target, "DEVICE"), []).append(row)
    devices = {
        name: of_device for name, of_device in measured.items() if name != "DEVICE" or not boards
    }
    return [
        (
            f"motebench choose --device {name} {_question(of_device)} --every 10min --results "
            f"{run} --report choice.html"
        )
        for name, of_device in devices.items()
    ]


def _question(rows: Sequence[Row]) -> str:
    """Options of `choose` for the need of the first of these schemes that the catalog has; else for
    a short message.
    """
    questions = (
        question_words(scheme, rows) for scheme in dict.fromkeys(row.scheme for row in rows)
    )
    return next(filter(None, questions), "--message 24")


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Cases that failed in the same way: ``cases`` names the first of them."""

    scheme: str
    implementation: str
    kind: str
    message: str
    vector: str
    count: int
    cases: str


def failures(failed: Sequence[Failure]) -> list[FailureGroup]:
    """Failures in groups of one scheme, implementation, kind and message, the largest group
    first.
    """
    groups: dict[tuple[str, ...], list[CaseId]] = {}
    for entry in failed:
        texts = (str(entry.kind), entry.message, entry.vector or "")
        groups.setdefault((entry.scheme, entry.implementation, *texts), []).append(entry)
    failed_groups = [
        FailureGroup(scheme or "all", who, kind, message, vector, len(cases), _some(cases))
        for (scheme, who, kind, message, vector), cases in groups.items()
    ]
    return sorted(failed_groups, key=lambda group: -group.count)


def _some(cases: Sequence[CaseId]) -> str:
    names = [
        " ".join(filter(None, (case.operation or "all", input_of(case), f"on {case.target}")))
        for case in cases
    ]
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return f"{'; '.join(names[:2])}{more}"


_TEXTS = (
    "scheme",
    "implementation",
    "target",
    "operation",
    "metric",
    "unit",
    "evidence",
    "source",
    "beside_words",
    "spread",
    "better",
)
_NUMBERS = (
    "size",
    "n",
    "outliers",
    "median",
    "ci_low",
    "ci_high",
    "mean",
    "stddev",
    "variance",
    "min",
    "max",
    "places_least",
    "places_most",
)
_LIKE_MEDIAN = ("ci_low", "ci_high", "mean", "min", "max")
_SAME = ""
"""Replaces the row's median, to save space; many numbers of exact results equal it."""


def packed_rows(rows: Sequence[Row]) -> dict[str, Any]:
    """``texts``: by column its different texts (``of``) and which of them each row has (``at``).
    ``numbers``: by column a number, null or `_SAME` for each row. Columns are packed (`packed`).
    The other lists hold places of rows.
    """
    return {
        "count": len(rows),
        "texts": {
            **{name: _packed_texts([str(getattr(row, name)) for row in rows]) for name in _TEXTS},
            "factor": _packed_texts(factors(rows)),
        },
        "numbers": {name: packed([_short_number(row, name) for row in rows]) for name in _NUMBERS},
        "curves": [place for place, row in enumerate(rows) if row.is_curve],
        "unquotable": [place for place, row in enumerate(rows) if not row.quotable],
        "exact": [place for place, row in enumerate(rows) if row.exact],
    }


def _packed_texts(values: Sequence[str]) -> dict[str, Any]:
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return {"of": list(places), "at": packed([places[value] for value in values])}


def packed(values: Sequence[Any]) -> list[Any] | dict[str, list[Any]]:
    """The values, or, where that takes less space, each value once for its run:
    ``{"runs": [value, length, ...]}``.
    """
    runs: list[list[Any]] = []
    for value in values:
        if runs and runs[-1][0] == value and type(runs[-1][0]) is type(value):
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return (
        {"runs": [part for run in runs for part in run]}
        if 2 * len(runs) < len(values)
        else list(values)
    )


def _short_number(row: Row, name: str) -> float | str | None:
    value = getattr(row, name)
    if value is None or not math.isfinite(value):
        return None
    if name in _LIKE_MEDIAN and value == row.median:
        return _SAME
    return _short(value)


def _short(value: float) -> float:
    """Nine digits: more than any clock of the probes has."""
    short = float(f"{value:.9g}")
    return int(short) if short == int(short) and abs(short) < 2**53 else short


def samples(rows: Sequence[Row], most: int) -> tuple[dict[int, list[float]], bool]:
    """Samples of every time by the row's index, and whether some had to be left out so that there
    are at most ``most``.

    Beyond that each case keeps evenly spaced ones, its extremes among them. Exact results have no
    distribution.
    """
    timed = [row for row in rows if row.metric == "time" and len(row.values) > 1 and not row.exact]
    total = sum(len(row.values) for row in timed)
    keep = max(2, most // max(1, len(timed)))
    thinned = total > most
    by_index = {}
    for row in timed:
        values = sorted(row.values)
        if thinned and len(values) > keep:
            step = (len(values) - 1) / (keep - 1)
            values = [values[round(i * step)] for i in range(keep)]
        by_index[row.index] = [float(f"{value:.6g}") for value in values]
    return by_index, thinned


def whole_files(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line per case on a file: times and memory of it, of the copy and of the process alone (or
    None).
    """
    cases: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        if row.on_file:
            cases.setdefault(row.case, {})[row.metric] = row
    timed = [by_metric for by_metric in cases.values() if "time" in by_metric]
    copies = {
        _place(by_metric["time"]): by_metric for by_metric in timed if by_metric["time"].is_copy
    }
    floors = {
        _who(by_metric["time"]): by_metric for by_metric in timed if by_metric["time"].is_floor
    }
    lines = []
    for by_metric in timed:
        row = by_metric["time"]
        if row.is_copy or (row.is_floor and len(timed) > len(floors)):
            continue
        copy, floor = copies.get(_place(row)), None if row.is_floor else floors.get(_who(row))
        lines.append(
            {
                "row": row,
                "operation": operation_words(row.operation),
                "size": size_words(row.size),
                "cells": [_cell(by_metric), _cell(copy), _cell(floor)],
            }
        )
    return lines


def _place(row: Row) -> tuple[Any, ...]:
    return row.without("scheme", "implementation", "operation"), row.evidence


def _who(row: Row) -> tuple[Any, ...]:
    return row.without("input_bytes", "file"), row.evidence


def _cell(row_by_metric: Mapping[str, Row] | None) -> dict[str, str] | None:
    if row_by_metric is None:
        return None
    time, cpu = row_by_metric["time"], row_by_metric.get("cpu_time")
    parts = [
        row_by_metric[name].median for name in ("user_time", "system_time") if name in row_by_metric
    ]
    busy = cpu.median if cpu else sum(parts) if parts else None
    return {
        "elapsed": time.text,
        "spread": time.spread,
        "cpu": "" if busy is None else format_value(busy, time.unit),
        "memory": row_by_metric["peak_rss"].text if "peak_rss" in row_by_metric else "",
    }
