"""Layout of text: width and colours of a terminal, tables with aligned columns, blocks.

Every table of the terminal is drawn by rich, in `table_lines`. A pipe has no limit and no colours.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TextIO

import click

from motebench.base.quantities import Interval
from motebench.base.units import format_value

if TYPE_CHECKING:
    from rich.text import Text

_WIDEST = 200
_GAP = 2
"""Blanks between columns."""
_NARROWEST = 12
"""Columns that a cell of text keeps."""
_BLOCK_WIDTH = 120
"""Columns of blocks in files and pipes."""
_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "good": {"fg": "green", "bold": True},
    "doubt": {"fg": "yellow"},
    "bad": {"fg": "red"},
    "lost": {"fg": "red", "dim": True},
    "alarm": {"fg": "red", "bold": True},
}
"""Arguments of click for each style."""


def width_of(stream: IO[str]) -> int | None:
    """The columns of the terminal that a stream writes to; of ``COLUMNS``, if it is set; None for
    files and pipes.
    """
    if os.environ.get("COLUMNS", "").isdigit() or stream.isatty():
        return max(40, min(shutil.get_terminal_size().columns, _WIDEST))
    return None


def coloured(stream: IO[str]) -> bool:
    """True if a stream takes colour: a terminal, unless ``NO_COLOR`` is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def painted(text: str, style: str) -> str:
    """The text in a style: ``title``, ``good``, ``doubt``, ``bad``, ``lost`` or ``alarm``."""
    return click.style(text, **_STYLES[style])


def wrapped(text: str, stream: TextIO, indent: str = "") -> list[str]:
    """Lines of a text, broken between words; all after the first begin with ``indent``."""
    width = width_of(stream)
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [text]


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Cells of a table under their head. ``right``: numbers, which no line break divides."""

    head: str
    cells: Sequence[str]
    right: bool = False

    @property
    def width(self) -> int:
        """Columns of a terminal that its widest text takes."""
        return max(map(_columns, (self.head, *self.cells)))

    @property
    def least(self) -> int:
        """Columns of a terminal below which a number or a word would be divided."""
        parts = [word for text in (self.head, *self.cells) for word in text.split()]
        widest = max(map(_columns, self.cells), default=0)
        return max(widest if self.right else min(widest, _NARROWEST), *map(_columns, parts), 0)


def _columns(text: str) -> int:
    """Columns of a terminal that a text takes; colours take none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    from rich.cells import cell_len

    return cell_len(click.unstyle(text))


def table_width(columns: Sequence[TextColumn]) -> int:
    """Columns of a terminal that a table takes if no cell is broken."""
    return sum(column.width + _GAP for column in columns) - _GAP


def least_width(columns: Sequence[TextColumn]) -> int:
    """Columns of a terminal that a table takes if every cell is broken between its words."""
    return sum(column.least + _GAP for column in columns) - _GAP


def table_lines(
    columns: Sequence[TextColumn], width: int | None = None, *, bold: bool = False
) -> list[str]:
    """The lines of a table. Cells break between words to fit into ``width``; a word that is longer
    is folded, nothing is cut. ``bold``: the heads. Cells may have colours.
    """
    limit = min(width or sys.maxsize, table_width(columns))
    held: list[int] = []
    lines = _drawn(columns, limit, held, bold)
    free = [place for place, column in enumerate(columns) if column.least < column.width]
    while free and least_width(columns) <= limit < max(map(_columns, lines)):
        # rich makes the widest columns narrower, and does not ask for the length of their words.
        held.append(max(free, key=lambda place: columns[place].least))
        free.remove(held[-1])
        lines = _drawn(columns, limit, held, bold)
    return lines


def _drawn(
    columns: Sequence[TextColumn], limit: int, held: Collection[int], bold: bool
) -> list[str]:
    """The lines of a table. ``held``: columns that are as narrow as their words allow."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_edge=False)
    table.show_header = any(column.head for column in columns)
    table.header_style = "bold" if bold else ""
    whole, fits = least_width(columns) <= limit, table_width(columns) <= limit
    for place, column in enumerate(columns):
        table.add_column(
            _styled(column.head),
            justify="right" if column.right else "left",
            overflow="fold",
            width=column.width if fits else column.least if place in held else None,
            min_width=column.least if whole or column.right else None,
            no_wrap=column.least == column.width and (whole or column.right),
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(_styled, cells))
    page = io.StringIO()
    console = Console(
        file=page, width=limit, force_terminal=True, color_system="standard", _environ={}
    )
    console.print(table, crop=False)
    return [line.rstrip() for line in page.getvalue().splitlines()]


def _styled(text: str) -> Text:
    from rich.text import Text

    return Text.from_ansi(text) if "\x1b" in text else Text(text)


def columns_of(cells: Sequence[Sequence[str]], left: int) -> list[TextColumn]:
    """Columns of a table whose first line is the heads: ``left`` of words, then of numbers."""
    return [
        TextColumn(head, texts, right=place >= left)
        for place, (head, *texts) in enumerate(zip(*cells, strict=True))
    ]


def print_rows(
    rows: Sequence[dict[str, Any]],
    less: Sequence[str] = (),
    *,
    right: Collection[str] = (),
    colour: Callable[[str], str | None] | None = None,
) -> None:
    """Rows that share their keys as a table, columns aligned. On a terminal, cells of text break
    between words to fit.

    less: columns that a terminal goes without, in this order, until the others fit. A terminal that
    is too narrow for any table gets each row as a block.
    right: columns of text that hold numbers. colour: of the last column, by its text.
    """
    if not rows:
        return
    limit = width_of(sys.stdout)
    columns = _fitting(rows, less, right, limit)
    shown = list(columns.values())
    if limit is not None and least_width(shown) > limit:
        print_blocks([{head: row.get(head) for head in columns} for row in rows])
        return
    if colour and coloured(sys.stdout):
        last = shown[-1]
        shown[-1] = TextColumn(
            last.head, [click.style(cell, fg=colour(cell)) for cell in last.cells], last.right
        )
    for line in table_lines(shown, limit, bold=coloured(sys.stdout)):
        click.echo(line)


def _fitting(
    rows: Sequence[dict[str, Any]], less: Sequence[str], right: Collection[str], limit: int | None
) -> dict[str, TextColumn]:
    """Columns of ``rows`` by key, without those of ``less`` that do not fit."""
    columns = {
        head: TextColumn(
            head.replace("_", " "),
            [_text(row.get(head)) for row in rows],
            right=head in right or _has_numbers(rows, head),
        )
        for head in rows[0]
    }
    for name in less:
        if limit is not None and table_width([*columns.values()]) > limit:
            columns.pop(name, None)
    return columns


def _has_numbers(rows: Sequence[dict[str, Any]], head: str) -> bool:
    return all(isinstance(row.get(head), int | float | None) for row in rows)


def print_blocks(rows: Sequence[dict[str, Any]]) -> None:
    """Each row as a block: its first name and value as the head, every other value on a line with
    its name.

    Lines break between words to fit.
    """
    limit = (width_of(sys.stdout) or _BLOCK_WIDTH) - _GAP
    width = max((len(head) for head in list(rows[0])[1:]), default=0) if rows else 0
    for place, row in enumerate(rows):
        (first, value), *others = row.items()
        head = f"{first.replace('_', ' ')} {_text(value)}"
        if place:
            click.echo("")
        click.echo(painted(head, "title") if coloured(sys.stdout) else head)
        lines = [line for name, entry in others for line in _block_lines(name, entry)]
        names, texts = zip(*lines, strict=True) if lines else ((), ())
        columns = [TextColumn("", [name.ljust(width) for name in names]), TextColumn("", texts)]
        for line in table_lines(columns, limit) if lines else ():
            click.echo(" " * _GAP + line)


def _block_lines(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """A name with its value; one line for each entry of a dictionary, the first with the name."""
    entries = value if isinstance(value, dict) else {"": value}
    texts = [f"{key}: {_text(part)}" if key else _text(part) for key, part in entries.items()]
    for number, text in enumerate(texts or ["-"]):
        yield "" if number else name.replace("_", " "), text


def _text(value: Any) -> str:
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def bounded(interval: Interval, unit: str, scale: float = 1.0) -> str:
    """The typical value in a readable unit, with its bounds if they differ in print. ``scale``: to
    that unit.
    """
    low, typical, high = (
        format_value(end * scale, unit) for end in (interval.low, interval.typical, interval.high)
    )
    return typical if low == high else f"{typical} ({low} to {high})"
