"""The page of `choose`: a form with the options of the command, and the decision beside it."""

from __future__ import annotations

import re
from typing import Any

from motebench.base.errors import InputError, MotebenchError
from motebench.base.shapes import plain
from motebench.base.units import format_value
from motebench.catalog.devices import DEVICES
from motebench.catalog.parts import BATTERIES, ELEMENTS
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.documents.choice import ChoiceEntry
from motebench.show.decision import markdown, parts
from motebench.show.export.csv import csv_text
from motebench.show.site import ChoiceAnswer, Chooser, SiteQuery, SiteView
from motebench.show.site.views import SitePage, json_text

_FIRST = (
    "device",
    "need",
    "message",
    "every",
    "battery",
    "link",
    "lorawan",
    "dr",
    "rank",
)
"""Fields that stand above the others."""
_SHOWN = 20
"""Candidates in the table of a page."""


def choice_view(chooser: Chooser) -> SiteView:
    """The view of the form: its parameters are the options."""
    return SiteView(
        "/choose",
        "Choose",
        "The decision of choose for a device, a message, a radio and a battery.",
        tuple(field.name for field in chooser.fields),
        "choice",
        ("csv", "json", "md"),
        {field.name: field.about for field in chooser.fields},
    )


def choose(chooser: Chooser, query: SiteQuery) -> SitePage:
    """The form, and beside it the decision or what was wrong; the form alone without a field."""
    content: dict[str, Any] = {
        "given": query.values,
        "first": [field for name in _FIRST for field in chooser.fields if field.name == name],
        "rest": [field for field in chooser.fields if field.name not in _FIRST],
        "suggestions": _suggestions(),
        "error": None,
        "wrong": "",
        "answer": None,
    }
    if not query.filtered:
        missing = InputError("a device must be given", where="--device", valid="samd21g18a")
        return _without_answer(content, missing, 200)
    try:
        answer = chooser.answer(query.values)
    except MotebenchError as error:
        content |= {"error": error, "wrong": _field_of(error)}
        return _without_answer(content, error, 400)
    return _decided({**content, "answer": answer}, answer)


def _field_of(error: MotebenchError) -> str:
    """The name of the field that an error is about; empty if it names none."""
    option = re.match("--([a-z-]+)", error.where or error.what)
    return option[1] if option else ""


def _decided(content: dict[str, Any], answer: ChoiceAnswer) -> SitePage:
    """The page of an answer."""
    entry = answer.entry
    columns = list(answer.rows[0]) if answer.rows else []
    table = [[row[name] for name in columns] for row in answer.rows]
    shown = [name for name in columns if any(row[name] is not None for row in answer.rows)]
    content |= {
        "decision": entry.decision,
        "parts_of": parts(entry.decision)[1:],
        "columns": list(map(_head, shown)),
        "rows": [[_cell(name, row[name]) for name in shown] for row in answer.rows[:_SHOWN]],
        "left": max(0, len(table) - _SHOWN),
        "rejected": len(entry.rejected) if isinstance(entry, ChoiceEntry) else 0,
        "notes": entry.notes,
    }
    return SitePage(
        "choose.html.j2",
        f"Choose: {entry.decision.take}",
        content,
        {
            "csv": lambda: csv_text(columns, map(plain, table)),
            "json": lambda: json_text(entry),
            "md": lambda: markdown(entry.decision, entry.notes),
        },
    )


def _without_answer(content: dict[str, Any], problem: MotebenchError, status: int) -> SitePage:
    """The form alone, or with what was wrong, which every file says, too."""

    def refuse() -> str:
        raise problem

    files = dict.fromkeys(("csv", "json", "md"), refuse)
    return SitePage("choose.html.j2", "Choose", content, files, status)


def _suggestions() -> dict[str, list[str]]:
    """Names of the catalog for fields that take one."""
    return {
        "device": list(DEVICES.all()),
        "battery": list(BATTERIES.all()),
        "radio": list(RADIOS.all()),
        "lorawan": list(REGIONS.all()),
        "with": list(ELEMENTS.all()),
    }


_SECONDS = {"s": 1.0, "ms": 1e-3}
_UNITS = (*_SECONDS, "bytes", "j")
"""Units that end the names of columns of files."""


def _head(name: str) -> str:
    """The head of a column of the page, whose cells have their units."""
    head, _, unit = name.rpartition("_")
    text = head if head and unit in _UNITS else name
    return text.upper() if text == "ram" else text


def _cell(name: str, value: object) -> str:
    """A value of a column in words, with the unit that the column's name ends with."""
    if value is None or isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, int | float):
        return str(value)
    unit = name.rpartition("_")[2]
    if unit in _SECONDS:
        return format_value(value * _SECONDS[unit] * 1e9, "ns") if value else "0"
    if unit == "j":
        return format_value(value, "J")
    if unit == "bytes":
        return f"{value:,.0f} B"
    return f"{value:.4g}"
