"""Lists of things as a plain table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

_GAP = "  "


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    """Rows that share their keys, one line each, columns aligned; the last column takes the width that is left."""
    if not rows:
        return
    heads = list(rows[0])
    cells = [[_text(row.get(head)) for head in heads] for row in rows]
    numeric = [all(isinstance(row.get(head), int | float | None) for row in rows) for head in heads]
    widths = [max(len(head), *(len(line[index]) for line in cells)) for index, head in enumerate(heads)]
    bold = sys.stdout.isatty()
    head = aligned([name.replace("_", " ") for name in heads], widths, numeric)
    click.secho(head, bold=bold)
    for line in cells:
        click.echo(aligned(line, widths, numeric))


def aligned(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    """One line of a table: cells side by side, numbers to the right."""
    padded = (
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    )
    return _GAP.join(padded).rstrip()


def _text(value: Any) -> str:
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)
