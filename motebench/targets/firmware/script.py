"""The script of standalone firmware: built-in requests (``core/alone``)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from motebench.base.paths import data_root


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A request as bytes, its description, and the CRC-32 that its output (and tag) must have."""

    words: str
    payload: bytes
    crc: int


def write_script(title: str, steps: Iterable[ScriptStep]) -> Path:
    """The header for ``core/alone``, cached under a digest of its content."""
    lines = [f"#define ALONE_TITLE {_literal(title.encode())}", "#define ALONE_STEPS \\"]
    lines += [
        f"    STEP({_literal(step.words.encode())}, {step.crc:#010x}u, {_literal(step.payload)}) \\" for step in steps
    ]
    text = "\n".join([*lines, ""])
    path = data_root() / "build" / "firmware" / "scripts" / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.h"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def _literal(data: bytes) -> str:
    plain = b" -:,.()/+=@_"
    return '"' + "".join(chr(c) if (chr(c).isalnum() and c < 128) or c in plain else f"\\{c:03o}" for c in data) + '"'
