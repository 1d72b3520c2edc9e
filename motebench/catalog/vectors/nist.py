"""NIST CAVP files (.rsp, .txt) and files in their layout: ``name = value`` lines in blocks.

Block-cipher known-answer tests, XTS, GCM, CCM, OCB, SHA, SHA-3, SHAKE and HMAC. The layouts are those of the
Cryptographic Algorithm Validation Program's response files; the algorithm is named by the comments at the head of the
file (``# AESVS GFSbox test data for CBC``), or else by the name of the file (``camellia-cbc.txt``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from motebench.base.errors import InputError
from motebench.catalog.vectors.model import Vector
from motebench.catalog.vectors.nist_records import aead, authenticated, cipher, digest, hmac, not_for_us
from motebench.catalog.vectors.nist_text import Record

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_ ]{0,99}")
_MOST_HEADER, _MOST_GROUPS = 50, 100
_STICKY = frozenset(
    {"KEY", "KEYS", "KEY1", "KEY2", "KEY3", "NONCE", "IV", "ALEN", "PLEN", "NLEN", "TLEN", "SEED", "COUNT"}
)
_VALID = "lines 'name = value', comments '# ...', groups '[...]' and empty lines"


@dataclass(slots=True)
class _State:
    """What earlier lines say about the following records."""

    header: list[str] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    direction: str = ""
    kept: dict[str, str] = field(default_factory=dict)


def _pair(line: str) -> tuple[str, str] | None:
    """Name and value of a line, in time proportional to its length."""
    name, equals, value = line.partition("=")
    name = name.strip()
    return (name, value.strip()) if equals and _NAME.fullmatch(name) else None


def _group(text: str) -> str:
    """The text between the brackets; empty if the line is not a group."""
    return text[1:-1].strip() if text.startswith("[") and text.endswith("]") else ""


def looks_like(content: str) -> bool:
    """Whether a text has at least one ``name = value`` line near its head."""
    return any(_pair(line) for line in content[:20000].splitlines() if not line.lstrip().startswith("#"))


def parse(content: str, where: str, stem: str) -> list[Vector]:
    """The vectors of a file; ``stem`` is its name without folder and extension.

    InputError with the line for anything that does not match the layout.
    """
    vectors, used = [], set()
    for record in _records(content, where, stem):
        vector = _vector(record)
        if vector.id in used:
            raise record.fail("the same record appears twice", "records that differ in group or count")
        used.add(vector.id)
        vectors.append(vector)
    return vectors


def _records(content: str, where: str, stem: str) -> Iterator[Record]:
    state, start, number = _State(), 0, 0
    block: dict[str, str] = {}
    flags: set[str] = set()
    lines = [*content.splitlines(), ""]
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):
            if not number and not block and len(state.header) < _MOST_HEADER:
                state.header.append(text.lstrip("# ")[:500])
            continue
        group, pair = _group(text), _pair(line)
        if text and not group and pair:
            name = pair[0].upper()
            if name in block:
                raise InputError(f"{pair[0]!r} is given twice", where=f"{where}:{at}", valid="one value in a block")
            start = start or at
            block[name] = pair[1]
            continue
        if text and not group:
            if text.upper() not in ("FAIL", "PASS"):
                raise InputError(
                    f"{text[:60]!r} is not a line of a NIST response file", where=f"{where}:{at}", valid=_VALID
                )
            flags.add(text.upper())
            continue
        if block:
            if set(block) <= _STICKY:
                state.kept.update(block)
            else:
                number += 1
                fields = {**state.kept, **block}
                yield Record(fields, where, start, number, stem, " ".join(state.header), dict(state.groups),
                             state.direction, frozenset(flags))  # fmt: skip
            block, flags, start = {}, set(), 0
        if group:
            _note_group(state, group)
            if len(state.groups) > _MOST_GROUPS:
                raise InputError(f"more than {_MOST_GROUPS} names in groups", where=f"{where}:{at}", valid=_VALID)


def _note_group(state: _State, text: str) -> None:
    if text.upper() in ("ENCRYPT", "DECRYPT"):
        state.direction = text.upper()
        state.kept.clear()
        return
    for part in text.split(","):
        name, _, value = part.partition("=")
        state.groups[name.strip().upper()] = value.strip()


def _vector(record: Record) -> Vector:
    has = record.has
    if has("MSG") and has("KEY") and (has("MAC") or has("MD")):
        return hmac(record)
    if has("MSG") and (has("MD") or has("OUTPUT")):
        return digest(record)
    if has("MD") or has("OUTPUT"):
        return not_for_us(record, "a Monte Carlo chain of digests has no single input and output")
    if has("PAYLOAD") or "ccm" in record.hints:
        return authenticated(record)
    if has("TAG") or "ocb" in record.hints:
        return aead(record)
    if (has("PLAINTEXT") or has("PT")) and (has("CIPHERTEXT") or has("CT")):
        return cipher(record)
    return not_for_us(record, f"no operation here has the fields {', '.join(sorted(record.fields))}")
