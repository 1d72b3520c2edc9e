"""A table as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_SHOWN = 100
"""Rows that a notebook shows; `rows` has all."""


def table(caption: str, rows: Sequence[Mapping[str, object]], remarks: Sequence[str] = ()) -> str:
    """Rows that share their keys, with a caption above and remarks below. Every text is escaped."""
    heads = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in (rows[0] if rows else ()))
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>" for row in rows[:_SHOWN]
    )
    more = [f"and {len(rows) - _SHOWN} rows more"] if len(rows) > _SHOWN else []
    below = "".join(f"<p>{escape(remark)}</p>" for remark in (*more, *remarks))
    head = f"<thead><tr>{heads}</tr></thead>"
    return f"<table><caption>{escape(caption)}</caption>{head}<tbody>{lines}</tbody></table>{below}"
