"""Standard streams: closed ones, and those that cannot represent every character."""

from __future__ import annotations

import codecs
import io
import logging
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import click

from motebench.base.errors import ExitCode, MotebenchError

# ruff: noqa: RUF001 - characters that look like others are what this table is about
_ASCII = {
    "µ": "u",
    "μ": "u",
    "→": "->",
    "←": "<-",
    "↑": "^",
    "↓": "v",
    "±": "+/-",
    "×": "x",
    "·": ".",
    "…": "...",
    "–": "-",
    "—": "-",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "°": " deg",
    "²": "^2",
    "³": "^3",
    "Ω": "ohm",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "•": "*",
    "✓": "ok",
    "✗": "no",
}
"""ASCII replacements of marks. Other characters are written as escapes."""
_HANDLER = "motebench"


def _fall_back(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    out = (
        _ASCII.get(sign, sign.encode("ascii", "backslashreplace").decode("ascii"))
        for sign in missing
    )
    return "".join(out), error.end


def prepare() -> None:
    """Make the streams take every text. MotebenchError if standard output is closed."""
    codecs.register_error(_HANDLER, _fall_back)
    _tell()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    if sys.stdout is None:
        # A library may use the stream before the error is reported.
        sys.stdout = _nowhere()
        raise MotebenchError(
            "standard output is closed, so nothing can be written",
            hint="redirect it: >/dev/null discards the output",
            exit_code=ExitCode.USAGE,
        )
    if isinstance(getattr(sys.stderr, "buffer", None), io.BufferedWriter | io.FileIO):
        sys.stderr = io.TextIOWrapper(
            _Dropping(sys.stderr.fileno()),
            encoding=sys.stderr.encoding,
            line_buffering=True,
            write_through=True,
        )
    sys.stdout = _whole(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


class _Dropping(io.RawIOBase):
    """Standard error. If it has no reader, or its disk is full, messages are lost, and nothing
    else.
    """

    name = "<stderr>"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        length = len(left)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError:
            return length
        return length


def _whole(stream: TextIO) -> TextIO:
    """Stream that writes everything or fails. Without a buffer (PYTHONUNBUFFERED), Python's own
    stream drops what a full disk does not accept, without an error.
    """
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=stream.encoding, line_buffering=True)


class _LogHandler(logging.Handler):
    """Messages of motebench's parts go to the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line; the steps of a build are shown as progress."""
        step = getattr(record, "build_step", None)
        if step is None:
            click.echo(f"motebench: {record.getMessage()}", err=True)
            return
        from motebench.cli.text.progress import show_build

        show_build(step)


def _tell() -> None:
    logger = logging.getLogger("motebench")
    logger.setLevel(logging.INFO)
    logging.getLogger("motebench.build").setLevel(logging.DEBUG)
    if not any(isinstance(handler, _LogHandler) for handler in logger.handlers):
        logger.addHandler(_LogHandler())


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def takes_unicode(stream: TextIO) -> bool:
    """True if the stream can represent any character."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name.startswith("utf")
    except LookupError:
        return False


def flush() -> None:
    """Write the rest. OSError if that fails: lost data must not end with success."""
    sys.stdout.flush()
