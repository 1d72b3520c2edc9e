"""Standard streams as they are found: closed ones, and those that cannot take every character."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path
from typing import TextIO

from motebench.errors import ExitCode, MotebenchError

# ruff: noqa: RUF001 - characters that look like others are what this table is about
_ASCII = {
    "µ": "u", "μ": "u", "→": "->", "←": "<-", "↑": "^", "↓": "v", "±": "+/-", "×": "x", "·": ".", "…": "...", "–": "-",
    "—": "-", "≤": "<=", "≥": ">=", "≈": "~", "°": " deg", "²": "^2", "³": "^3", "Ω": "ohm", "‘": "'", "’": "'",
    "“": '"', "”": '"', "•": "*", "✓": "ok", "✗": "no",
}  # fmt: skip
"""What stands for a mark where only ASCII can be written. Other characters are written as escapes."""
_HANDLER = "motebench"


def _fall_back(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    out = (_ASCII.get(one, one.encode("ascii", "backslashreplace").decode("ascii")) for one in missing)
    return "".join(out), error.end


def prepare() -> None:
    """Make the streams take every text. MotebenchError if there is no standard output to write data to."""
    codecs.register_error(_HANDLER, _fall_back)
    if sys.stderr is None:
        sys.stderr = _nowhere()
    if sys.stdout is None:
        # Some library may look at it before this is told.
        sys.stdout = _nowhere()
        raise MotebenchError(
            "standard output is closed, and there is nowhere to write to", hint=">/dev/null drops what is written",
            exit_code=ExitCode.USAGE,
        )  # fmt: skip
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def takes_unicode(stream: TextIO) -> bool:
    """Whether the stream can take any character as it is."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name.startswith("utf")
    except LookupError:
        return False


def flush() -> None:
    """Write what is left. OSError if that fails: data that did not arrive must not end well."""
    sys.stdout.flush()
