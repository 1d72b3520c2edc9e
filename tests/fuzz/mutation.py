"""Small random changes to valid input: data, text and bytes. Fast, and reproducible by the seed."""

from __future__ import annotations

import random
import re
from typing import Any

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    0.5,
    -0.0,
    1e308,
    -1e308,
    5e-324,
    float("nan"),
    float("inf"),
    2**31,
    2**32,
    2**53,
    2**63,
    2**64,
    -(2**63),
    10**30,
    10**400,
    "",
    " ",
    "0",
    "-1",
    "x",
    "00",
    "0" * 31,
    "nan",
    "\x00",
    "\x1b[2J",
    "\ud800",
    "\u202e",
    "x" * 5000,
    "9" * 5000,
    "²",
    "*",
    "[",
    "..",
    "/dev/zero",
    [],
    {},
    [[]],
    {"": {}},
    [0] * 100,
    [None],
    {"a": 1},
    [[[[[[[[]]]]]]]],
    b"",
    b"x",
    b"\xff" * 40,
)
_WORDS = (
    "",
    " ",
    "\n",
    "\r",
    "\t",
    "\x00",
    "\ufeff",
    "\u2028",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    ".",
    ":",
    "#",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\\u0000",
    "\\ud800",
    "-",
    "+",
    "_",
    "0x",
    "1e999",
    "-1",
    "nan",
    "inf",
    "true",
    "null",
    "9" * 400,
    "0" * 400,
    "1979-05-27",
    "é",
    "\ud800",
    "[" * 60,
    "{" * 60,
    "a.b.c",
    "1_0",
    "\u202e",
    "zz",
    "00",
)
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST = 3


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested data."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(place for key, part in parts for place in places(part, (*path, key)))]


def _within(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    """Nested data with ``change`` applied at a place."""
    if not path:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _within(value[path[0]], path[1:], change)
    return copy


def data(chance: random.Random, value: Any, odd: tuple[Any, ...] = ODD) -> Any:
    """Nested data with one to three changes: another value, a part less, a part more, a part twice,
    two swapped.
    """

    def changed(part: Any) -> Any:
        how = chance.randrange(6)
        if isinstance(part, dict) and part and how < 4:
            key = chance.choice(list(part))
            if how == 0:
                return {name: each for name, each in part.items() if name != key}
            if how == 1:
                return {
                    **part,
                    chance.choice(("x", "", key + "s", key.upper(), "\x00")): chance.choice(odd),
                }
            if how == 2:
                return {**part, key: part[chance.choice(list(part))]}
            return {name if name != key else name + "x": each for name, each in part.items()}
        if isinstance(part, list) and part and how < 4:
            at = chance.randrange(len(part))
            if how == 0:
                return part[:at] + part[at + 1 :]
            if how == 1:
                return [*part[:at], chance.choice(odd), *part[at:]]
            return part * 2 if how == 2 else part[::-1]
        if isinstance(part, str) and how < 3:
            return text(chance, part)
        if type(part) in (int, float) and how < 3:
            return chance.choice((part + 1, -part, part * 2, part * 10**9, part // 7, str(part)))
        return chance.choice(odd)

    for _ in range(chance.randint(1, _MOST)):
        value = _within(value, chance.choice(places(value)), changed)
    return value


def text(chance: random.Random, whole: str) -> str:
    """Text with one to three changes to its words or lines."""
    for _ in range(chance.randint(1, _MOST)):
        parts = whole.splitlines(keepends=True) if chance.random() < 0.3 else _TOKEN.findall(whole)
        at = chance.randrange(len(parts)) if parts else 0
        how = chance.randrange(6)
        if how == 0:
            parts[at : at + 1] = []
        elif how == 1:
            parts[at : at + 1] = parts[at : at + 1] * chance.choice((2, 3, 50))
        elif how == 2 and parts:
            other = chance.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif how == 3:
            parts = parts[:at]
        elif how == 4:
            parts.insert(at, chance.choice(_WORDS))
        else:
            parts[at : at + 1] = [chance.choice(_WORDS)]
        whole = "".join(parts)
    return whole


def content(chance: random.Random, whole: bytes) -> bytes:
    """Bytes with one to three changes."""
    for _ in range(chance.randint(1, _MOST)):
        at = chance.randrange(len(whole) + 1)
        how = chance.randrange(5)
        if how == 0:
            whole = whole[:at]
        elif how == 1:
            whole = whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
        elif how == 2:
            whole = whole[:at] + chance.randbytes(chance.choice((1, 2, 8))) + whole[at:]
        elif how == 3:
            whole = whole[:at] + whole[at + chance.choice((1, 2, 8)) :]
        else:
            whole = whole[:at] + whole[chance.randrange(len(whole) + 1) :]
    return whole
