"""How wide texts may be: as wide as the terminal that they are for; in a pipe there is no limit."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

_WIDEST = 200


def width_of(stream: TextIO) -> int | None:
    """The columns of the terminal that a stream writes to; of ``COLUMNS``, if it is set; None for files and pipes."""
    if os.environ.get("COLUMNS", "").isdigit() or stream.isatty():
        return max(40, min(shutil.get_terminal_size().columns, _WIDEST))
    return None


def wrapped(text: str, stream: TextIO, indent: str = "") -> list[str]:
    """Lines of a text, broken between words; all after the first begin with ``indent``."""
    import textwrap

    width = width_of(stream)
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [
        text
    ]
