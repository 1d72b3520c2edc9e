"""What the terminal takes that a text is for: its width, its colours. A pipe has no limit and no colours."""

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


def coloured(stream: TextIO) -> bool:
    """Whether a stream takes colour: a terminal, unless ``NO_COLOR`` is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def wrapped(text: str, stream: TextIO, indent: str = "") -> list[str]:
    """Lines of a text, broken between words; all after the first begin with ``indent``."""
    import textwrap

    width = width_of(stream)
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [
        text
    ]
