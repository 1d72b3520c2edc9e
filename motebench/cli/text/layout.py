"""Layout of text: width and colours of a terminal, tables of rows with aligned columns, blocks.

A pipe has no limit and no colours.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TextIO

import click

from motebench.base.quantities import Interval
from motebench.base.units import format_value

_WIDEST = 200


def width_of(stream: TextIO) -> int | None:
    """The columns of the terminal that a stream writes to; of ``COLUMNS``, if it is set; None for
    files and pipes.
    """
    if os.environ.get("COLUMNS", "").isdigit() or stream.isatty():
        return max(40, min(shutil.get_terminal_size().columns, _WIDEST))
    return None


def coloured(stream: TextIO) -> bool:
    """Whether a stream takes colour: a terminal, unless ``NO_COLOR`` is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def wrapped(text: str, stream: TextIO, indent: str = "") -> list[str]:
    """Lines of a text, broken between words; all after the first begin with ``indent``."""
    width = width_of(stream)
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [text]


_GAP = "  "
_NARROWEST = 12
"""Columns that a cell of text keeps."""
_BLOCK_WIDTH = 120
"""Columns of blocks in files and pipes."""
_WORDS: Any = {"break_long_words": False, "break_on_hyphens": False}


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
    rows = _without(rows, less)
    heads = list(rows[0])
    names = [name.replace("_", " ") for name in heads]
    cells = [[_text(row.get(head)) for head in heads] for row in rows]
    numeric = [head in right or _has_numbers(rows, head) for head in heads]
    widths = column_widths([heads, *cells])
    fitted = _fitted(widths, [names, *cells], width_of(sys.stdout))
    if fitted is None:
        print_blocks(rows)
        return
    for parts in _broken(names, fitted):
        click.echo(_bold(aligned(parts, fitted, numeric)))
    for line in cells:
        shade = colour(line[-1]) if colour and coloured(sys.stdout) else None
        for parts in _broken(line, fitted):
            text = aligned(parts, fitted, numeric)
            if shade is not None and parts[-1]:
                text = text.removesuffix(parts[-1]) + click.style(parts[-1], fg=shade)
            click.echo(text)


def _has_numbers(rows: Sequence[dict[str, Any]], head: str) -> bool:
    return all(isinstance(row.get(head), int | float | None) for row in rows)


def _without(rows: Sequence[dict[str, Any]], less: Sequence[str]) -> Sequence[dict[str, Any]]:
    """The rows without the columns that a terminal has no space for."""
    for name in less:
        if width_of(sys.stdout) is not None and not _fits(rows):
            rows = [{key: value for key, value in row.items() if key != name} for row in rows]
    return rows


def _broken(line: Sequence[str], widths: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The lines that a row of a table takes, as one text for each column."""
    broken = [
        textwrap.wrap(cell, width, **_WORDS) or [""]
        for cell, width in zip(line, widths, strict=True)
    ]
    return zip_longest(*broken, fillvalue="")


def print_blocks(rows: Sequence[dict[str, Any]]) -> None:
    """Each row as a block: its first name and value as the head, every other value on a line with
    its name.

    Lines break between words to fit.
    """
    limit = width_of(sys.stdout)
    for place, row in enumerate(rows):
        heads = list(row)
        if place:
            click.echo("")
        click.echo(_bold(f"{heads[0].replace('_', ' ')} {_text(row[heads[0]])}"))
        left = max((len(head) for head in heads[1:]), default=0) + 2 * len(_GAP)
        for head in heads[1:]:
            width = max(20, (limit or _BLOCK_WIDTH) - left)
            entries = row[head] if isinstance(row[head], dict) else {"": row[head]}
            texts = [
                f"{key}: {_text(value)}" if key else _text(value) for key, value in entries.items()
            ] or ["-"]
            lines = [line for text in texts for line in textwrap.wrap(text, width, **_WORDS)]
            for number, line in enumerate(lines or ["-"]):
                name = head.replace("_", " ") if number == 0 else ""
                click.echo(f"{_GAP}{name.ljust(left - 2 * len(_GAP))}{_GAP}{line}".rstrip())


def _bold(text: str) -> str:
    return click.style(text, bold=True) if coloured(sys.stdout) else text


def _fits(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether a table of these rows has lines that are no longer than the terminal."""
    limit = width_of(sys.stdout)
    widths = [max(len(head), *(len(_text(row.get(head))) for row in rows)) for head in rows[0]]
    return limit is None or sum(widths) + len(_GAP) * (len(widths) - 1) <= limit


def _fitted(
    widths: Sequence[int], lines: Sequence[Sequence[str]], limit: int | None
) -> list[int] | None:
    """Widths whose lines fit into ``limit``, the widest columns made narrower first; None where
    some word is too long.

    ``lines``: the heads, then the cells. A column keeps its longest word, and 12 characters of its
    cells.
    """
    if limit is None:
        return list(widths)
    space = limit - len(_GAP) * (len(widths) - 1)
    places = range(len(widths))
    longest = [
        max(len(word) for line in lines for word in (line[index].split() or [""]))
        for index in places
    ]
    texts = [max(len(line[index]) for line in lines[1:]) for index in places]
    least = [max(word, min(text, _NARROWEST)) for word, text in zip(longest, texts, strict=True)]
    if sum(least) > space:
        return None
    fitted = list(widths)
    while sum(fitted) > space:
        widest = max(
            range(len(fitted)), key=lambda index: (fitted[index] > least[index], fitted[index])
        )
        fitted[widest] -= 1
    return fitted


def aligned(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    """One line of a table: cells side by side, numbers to the right."""
    padded = (
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    )
    return _GAP.join(padded).rstrip()


def table_lines(cells: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    """The lines of a table: ``left`` columns of words, then columns of numbers."""
    widths = column_widths(cells)
    for line in cells:
        yield aligned(line, widths, [place >= left for place in range(len(widths))])


def column_widths(cells: Sequence[Sequence[str]]) -> list[int]:
    """The characters of the longest cell of each column."""
    return [max(map(len, column)) for column in zip(*cells, strict=True)]


def table_width(cells: Sequence[Sequence[str]]) -> int:
    """The characters of the longest line of a table."""
    return sum(width + len(_GAP) for width in column_widths(cells)) - len(_GAP)


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
