"""The checks of a store's rows before they are used.

A store may come from an untrusted source, and SQLite accepts any value in any column. So every
value is checked for its type, its range and its length when it is read. An invalid one becomes a
`StoreFinding`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard

from motebench.base.errors import CONTROL, is_unicode, visible
from motebench.base.identity import DIMENSIONS
from motebench.base.model import STATUSES, Evidence, FailureKind, Operation
from motebench.base.units import METRICS

MOST_ROUND = 10**9
MOST_JSON_BYTES = 16 * 2**20
"""Longest text of a JSON column."""
_MOST_JSON_DEPTH = 40
_MOST_JSON_PARTS = 500_000
_MOST_RUNS = 10_000
"""Largest number of runs of a group, and most groups in turn."""
_MOST = 2**64
"""Largest reading of a counter."""
_LEAST = 1e-30
"""Smallest reading; ratios of smaller ones would be infinite."""
_LINE, _TEXT = 5000, 4 * 2**20
_STATES = ("pending", "finished", "failed")
_SIGNED_UNITS = ("J", "W", "A")
"""Units of metrics that may be negative: an instrument may read less than while the target was
idle.
"""


@dataclass(frozen=True, slots=True)
class StoreFinding:
    """A defect of a store. ``row`` names the row for people: ``series 5, round 3``."""

    table: str
    row: str
    column: str
    what: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.table, self.row) if part)
        return (
            f"store: {place}: {self.column} {self.what}"
            if self.column
            else f"store: {place}: {self.what}"
        )


@dataclass(frozen=True, slots=True)
class _Number:
    low: float
    high: float
    whole: bool = True
    optional: bool = False

    @property
    def valid(self) -> str:
        if not self.whole and self.high >= _MOST:
            return "a finite number" if self.low < 0 else "a finite number, 0 or more,"
        return f"a {'whole ' if self.whole else ''}number from {self.low:g} to {self.high:g}"

    def fits(self, value: object) -> bool:
        if value is None:
            return self.optional
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            return False
        return self.low <= value <= self.high and (self.whole or value == 0 or abs(value) >= _LEAST)


@dataclass(frozen=True, slots=True)
class _OneLine:
    """Text without control characters; ``words``: the valid texts."""

    words: tuple[str, ...] = ()
    optional: bool = False
    empty: bool = False

    @property
    def valid(self) -> str:
        return (
            f"one of {', '.join(self.words)}"
            if self.words
            else f"a line of 1 to {_LINE} characters"
        )

    def fits(self, value: object) -> bool:
        if not isinstance(value, str):
            return value is None and self.optional
        if self.words:
            return value in self.words
        return (
            len(value) <= _LINE
            and (self.empty or value != "")
            and not CONTROL.search(value)
            and "\n" not in value
        )


@dataclass(frozen=True, slots=True)
class _Text:
    optional: bool = False

    valid = f"text of up to {_TEXT} characters"

    def fits(self, value: object) -> bool:
        return len(value) <= _TEXT if isinstance(value, str) else value is None and self.optional


@dataclass(frozen=True, slots=True)
class _Time:
    optional: bool = False

    valid = "a time as ISO 8601 writes it"

    def fits(self, value: object) -> bool:
        if not isinstance(value, str):
            return value is None and self.optional
        if not value:
            return True  # unknown: see the repair of a store
        try:
            # Not at the ends of the calendar, where conversion to another time zone fails.
            return (
                len(value) <= 40
                and value.isascii()
                and 1 < datetime.fromisoformat(value).year < 9999
            )
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class _RunName:
    valid = "up to 100 characters without ':' and '/', not a number alone, not 'latest'"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and usable_name(value)


_NAME = re.compile(r"[^\s:/\x00-\x1f][^:/\x00-\x1f]{0,99}")
NAME_HELP = _RunName.valid
LATEST = ("latest", "last")


def usable_name(name: str) -> bool:
    """True if a run can have that name."""
    if not _NAME.fullmatch(name) or CONTROL.search(name) or not is_unicode(name):
        return False
    return not name.isdecimal() and name.lower() not in LATEST


_ID = _Number(0, 2**63 - 1)
_SIZE = _Number(0, 2**50)
_BESIDE = {each.name: _Number(0, each.most) for each in DIMENSIONS}
_COUNT = _Number(0, 2**31 - 1)
_OPERATIONS = tuple(each.value for each in Operation)

_Rule = _Number | _OneLine | _Text | _Time | _RunName
RULES: dict[str, dict[str, _Rule]] = {
    "runs": {
        "id": _ID,
        "name": _RunName(),
        "study": _Text(),
        "started": _Time(),
        "finished": _Time(optional=True),
        "status": _OneLine(STATUSES),
        "version": _OneLine(),
        "seed": _Number(-(2**63), 2**63 - 1),
    },
    "cases": {
        "id": _ID,
        "run_id": _ID,
        "scheme": _OneLine(),
        "implementation": _OneLine(),
        "operation": _OneLine(_OPERATIONS),
        "input_bytes": _SIZE,
        **_BESIDE,
        "target": _OneLine(),
        "provider": _OneLine(),
        "file": _OneLine(empty=True),
        "state": _OneLine(_STATES),
    },
    "series": {
        "id": _ID,
        "case_id": _ID,
        "metric": _OneLine(),
        "raw_unit": _OneLine(),
        "scale": _Number(1e-12, 1e12, whole=False),
        "overhead": _Number(0, _MOST, whole=False),
        "source": _OneLine(),
        "evidence": _OneLine(tuple(each.value for each in Evidence)),
        "type_b": _Number(0, _MOST, whole=False, optional=True),
    },
    "samples": {
        "series_id": _ID,
        "round": _Number(0, MOST_ROUND),
        "raw": _Number(-_MOST, _MOST, whole=False),
        "batch": _Number(1, 2**63 - 1),
        "position": _COUNT,
        "at": _Number(0, 1e10, whole=False),
        "invocation": _Number(0, 2**31 - 1, optional=True),
        "disturbed": _OneLine(empty=True),
    },
    "failures": {
        "id": _ID,
        "run_id": _ID,
        "case_id": _Number(0, 2**63 - 1, optional=True),
        "scheme": _OneLine(empty=True),
        "implementation": _OneLine(empty=True),
        "target": _OneLine(empty=True),
        "kind": _OneLine(tuple(each.value for each in FailureKind)),
        "message": _Text(),
        "operation": _OneLine(_OPERATIONS, optional=True),
        "input_bytes": _Number(0, 2**50, optional=True),
        **_BESIDE,
        "vector": _Text(optional=True),
        "file": _Text(optional=True),
    },
    "notes": {
        "id": _ID,
        "run_id": _ID,
        "case_id": _Number(0, 2**63 - 1, optional=True),
        "text": _Text(),
    },
    "leaks": {"id": _ID, "case_id": _ID, "varied": _OneLine()},
}
"""The rule of each column. `decoded` checks the JSON columns of ``runs`` and ``leaks``."""

_UNSIGNED_RAW = _Number(0, _MOST, whole=False)


def problem(rule: _Rule, value: object) -> str:
    """Message on an invalid value and the valid ones."""
    return f"is {_said(value, rule)}, {rule.valid} is expected"


def _said(value: object, rule: _Rule) -> str:
    if value is None:
        return "missing"
    if isinstance(value, bytes):
        return "no text in UTF-8"
    if isinstance(value, str):
        if isinstance(rule, _Number):
            return "text"
        if len(value) > _LINE:
            return f"text of {len(value)} characters"
        return f"{visible(value)[:60]!r}" if value else "empty"
    return f"{value:g}" if isinstance(value, float) else str(value)


def problems(table: str, row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The invalid columns of a row, with the defect of each."""
    return [
        (name, problem(rule, row.get(name)))
        for name, rule in RULES[table].items()
        if not rule.fits(row.get(name))
    ]


def sample_problem(row: Mapping[str, Any], metric: str) -> tuple[str, str] | None:
    """The invalid column of a sample with its defect; None if it is intact."""
    faults = problems("samples", row)
    if not faults and row["raw"] < 0 and not may_be_negative(metric):
        faults = [("raw", problem(_UNSIGNED_RAW, row["raw"]))]
    return faults[0] if faults else None


def may_be_negative(metric: str) -> bool:
    """True if readings of the metric may be below zero."""
    return metric in METRICS and METRICS[metric].unit in _SIGNED_UNITS


def sample_fits(values: tuple[Any, ...], low: float) -> bool:
    """True if the columns of a sample, in the order of its table, are certainly intact: a quick
    check for most rows.
    """
    _, number, raw, batch, position, at, invocation, disturbed = values
    return (
        type(raw) is float
        and low <= raw <= _MOST
        and (raw == 0 or abs(raw) >= _LEAST)
        and type(at) is float
        and 0 <= at <= 1e10
        and (at == 0 or at >= _LEAST)
        and disturbed == ""
        and _counts_fit(number, batch, position, invocation)
    )


def _counts_fit(number: object, batch: object, position: object, invocation: object) -> bool:
    return (
        type(number) is int
        and 0 <= number <= MOST_ROUND
        and type(batch) is int
        and batch >= 1
        and type(position) is int
        and 0 <= position < 2**31
        and (invocation is None or (type(invocation) is int and 0 <= invocation < 2**31))
    )


LOWEST_RAW = -float(_MOST)


# JSON columns

_ANY = "*"
_HOST = {"host": dict, "conditions": dict, "machines": {_ANY: dict}}
SHAPES: dict[str, dict[str, Any]] = {
    "settings": {
        "study": str,
        "file": str,
        "policy": dict,
        "question": str,
        "skipped": [dict],
        "study_text": str,
        "command": str,
        "tags": [str],
        "kind": str,
        "leak": dict,
        "collection": dict,
    },
    "environment": {
        "host": dict,
        "probes": {_ANY: dict},
        "boards": {_ANY: dict},
        "machines": {_ANY: dict},
        "code": {_ANY: dict},
        "motebench": dict,
        "end": _HOST,
    },
    "environment_end": _HOST,
    "content": {},
}
"""Types of the parts on which other code relies; ``*`` means every key."""
_TYPES: dict[type, str] = {
    str: "text",
    dict: "a map",
    list: "a list",
    int: "a number",
    float: "a number",
    bool: "true or false",
}


class _UnusableError(ValueError):
    """The defect of a whole JSON column."""


def decoded(column: str, value: object) -> tuple[dict[str, Any] | None, list[str]]:
    """Map in a JSON column, and its defects: of the whole (the map is then None), or of its parts.

    Invalid parts are left out. Numbers that are not finite become null.
    """
    try:
        content, odd = _parsed(value)
    except _UnusableError as error:
        return None, [str(error)]
    remarks = (
        [f"has {odd} {'number that is' if odd == 1 else 'numbers that are'} not finite; left out"]
        if odd
        else []
    )
    if column == "settings" and not _group_fits(content.get("group")):
        del content["group"]
        remarks.append("settings.group is malformed (not as `run --runs` writes it); ignored")
    shaped = _shaped(content, SHAPES[column], column, remarks)
    return {
        key: part for key, part in shaped.items() if key != "group" or part is not None
    }, remarks


def _group_fits(group: object) -> bool:
    """True if a run's data about its group are intact: every key is there, and the turn is one of
    the group.
    """
    if group is None:
        return True
    if not isinstance(group, dict) or not isinstance(session := group.get("session"), dict):
        return False
    names, builds, runs = session.get("groups"), session.get("builds"), session.get("runs")
    if (
        not isinstance(builds, dict)
        or not _whole(runs, 1, _MOST_RUNS)
        or not _group_names_fit(names)
    ):
        return False
    here = group.get("name") in names and _whole(group.get("number"), 1, runs)
    whole = here and set(builds) <= set(names) and _whole(session.get("seed"), 0, 2**63 - 1)
    return whole and all(map(_build_fits, builds.values()))


def _group_names_fit(names: object) -> TypeGuard[list[str]]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return False
    return len(names) <= _MOST_RUNS and len(set(names)) == len(names)


def _build_fits(build: object) -> bool:
    return (
        isinstance(build, dict)
        and isinstance(build.get("kind"), str)
        and isinstance(build.get("path"), str)
    )


def _whole(value: object, low: int, high: Any) -> bool:
    return type(value) is int and low <= value <= high


def _parsed(value: object) -> tuple[dict[str, Any], int]:
    if isinstance(value, str):
        if len(value) > MOST_JSON_BYTES:
            raise _UnusableError(
                f"has {len(value)} characters, at most {MOST_JSON_BYTES} are expected"
            )
        try:
            value = json.loads(value, parse_int=_int)
        except (ValueError, RecursionError):
            raise _UnusableError("is not JSON, a JSON object is expected") from None
    if not isinstance(value, dict):
        raise _UnusableError(f"is {_kind(value)}, a JSON object is expected")
    counts = [0, 0]
    cleaned: dict[str, Any] = _clean(value, _MOST_JSON_DEPTH, counts)
    return cleaned, counts[1]


def _int(digits: str) -> float | int:
    return int(digits) if len(digits) <= 20 else math.inf


def _clean(value: Any, depth: int, counts: list[int]) -> Any:
    """The value with escaped control characters and finite numbers. counts: parts so far, numbers
    not finite.
    """
    counts[0] += 1
    if counts[0] > _MOST_JSON_PARTS:
        raise _UnusableError(f"has more than {_MOST_JSON_PARTS} parts")
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, float) and not math.isfinite(value):
        counts[1] += 1
        return None
    if isinstance(value, dict | list):
        if not depth:
            raise _UnusableError(f"is nested more than {_MOST_JSON_DEPTH} deep")
        if isinstance(value, list):
            return [_clean(part, depth - 1, counts) for part in value]
        return {visible(str(key)): _clean(part, depth - 1, counts) for key, part in value.items()}
    return value


def _kind(value: object) -> str:
    if value is None:
        return "missing"
    return next((name for kind, name in _TYPES.items() if type(value) is kind), "no text in UTF-8")


def _shaped(
    value: dict[str, Any], shape: dict[str, Any], place: str, problems: list[str]
) -> dict[str, Any]:
    """The map without parts of a wrong type; adds to ``problems``."""
    out = {}
    for key, part in value.items():
        expected: Any = shape.get(key, shape.get(_ANY))
        kind: Any = (
            list if isinstance(expected, list) else dict if isinstance(expected, dict) else expected
        )
        name = f"{place}.{key[:60]}"
        if expected is None:
            out[key] = part
            continue
        if part is None:
            continue  # as if the key were absent
        if not isinstance(part, kind):
            problems.append(
                f"is not whole: {name} is {_kind(part)}, {_TYPES[kind]} is expected; left out"
            )
        elif isinstance(expected, dict):
            out[key] = _shaped(part, expected, name, problems)
        elif isinstance(expected, list) and not all(
            isinstance(entry, expected[0]) for entry in part
        ):
            problems.append(
                f"is not whole: {name} holds something that is not {_TYPES[expected[0]]}; left out"
            )
        else:
            out[key] = part
    return out
