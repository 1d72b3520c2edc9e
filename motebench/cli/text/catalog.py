"""Text of `motebench list` and `describe`: a table with counts, or every value of each row."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from motebench.base.shapes import as_document
from motebench.cli.text.layout import print_blocks, print_rows, wrapped
from motebench.documents.listing import ListEntry

if TYPE_CHECKING:
    from pydantic import BaseModel

    from motebench.catalog.schema import Record

Row = dict[str, Any]
_LESS = {
    "algorithms": ("name", "structure"),
    "schemes": ("aliases", "nonce_bits", "key_bits"),
    "implementations": ("probe",),
    "papers": ("library",),
    "devices": ("name", "ram"),
    "batteries": ("lost_per_year",),
    "runs": (),
    "protocols": ("file",),
}
"""Columns that a narrow terminal leaves out, by kind of listing."""


def show(listing: ListEntry, *, details: bool) -> None:
    """Print rows of one kind."""
    rows = [as_document(row) for row in listing.rows]
    kind = listing.what
    if details:
        print_blocks([_whole(row) for row in rows])
    else:
        short = _SHORT.get(kind, _counted)
        shown = [short(row) for row in rows]
        if kind == "runs":
            shown = _telling(shown)
        print_rows(shown, _LESS.get(kind, ()))
    if kind == "targets":
        from motebench.targets.registry import FORMS

        click.echo(
            "\n".join(
                ["", "Also:", *(f"  {form:<24}  {meaning}" for form, meaning in FORMS.items())]
            )
        )


def _telling(runs: list[Row]) -> list[Row]:
    """Runs without the columns that say nothing: no tags, and measurements only."""
    silent = {
        name
        for name, usual in (("tags", None), ("kind", "measurement"))
        if all(run[name] == usual for run in runs)
    }
    return [{name: value for name, value in run.items() if name not in silent} for run in runs]


def _counted(row: Row) -> Row:
    """Row with the number of implementations instead of their list."""
    return {key: len(value) if key == "implementations" else value for key, value in row.items()}


def _scheme(row: Row) -> Row:
    return {
        "offered_by" if key == "implementations" else key: value
        for key, value in _counted(row).items()
    }


def _target(row: Row) -> Row:
    from motebench.base.naming import plain

    names = row["implementations"]
    bare = len({plain(name) for name in names})
    return {
        **row,
        "implementations": bare,
        "with_variants": len(names) if len(names) > bare else None,
    }


def _region(row: Row) -> Row:
    rates = [rate.partition(" ")[0] for rate in row["data_rates"]]
    return {**row, "data_rates": f"{rates[0]} to {rates[-1]}" if rates else None}


def _study(row: Row) -> Row:
    return {"study": row["study"], "title": row["title"]}


def _run(row: Row) -> Row:
    return {
        "run": row["run"],
        "name": row["name"],
        "tags": ", ".join(row["tags"]) or None,
        "kind": row["kind"],
        "status": row["status"],
        "started (UTC)": str(row["started"] or "")[:19].replace("T", " ") or None,
        "command": row["command"] or (f"study: {row['study']}" if row["study"] else None),
    }


_SHORT: dict[str, Callable[[Row], Row]] = {
    "schemes": _scheme,
    "targets": _target,
    "regions": _region,
    "studies": _study,
    "runs": _run,
}


def show_facts(facts: Row) -> None:
    """Print the known facts of one thing."""
    _, *names = facts
    rest = {
        name.replace("of_scheme", ""): facts[name]
        for name in names
        if facts[name] not in (None, [], {}, "")
    }
    print_blocks([_whole(rest)])


def _whole(row: Row) -> Row:
    """Every value; variants of implementations stand behind the names that have them."""
    whole = dict(row)
    if isinstance(row.get("implementations"), list):
        whole["implementations"] = _implementations(row["implementations"])
    if isinstance(row.get("targets"), dict):
        whole["targets"] = {
            name: [_variants(ends) or "without variants"] for name, ends in row["targets"].items()
        }
    return whole


def _implementations(names: list[str]) -> dict[str, list[str]]:
    """Names by the variants that they have, in words."""
    from motebench.base.naming import folded, grouped

    return {
        f"with {_variants(ends)}" if ends else "": grouped(bare)
        for ends, bare in folded(names).items()
    }


def _variants(ends: Iterable[str]) -> str:
    """Optimisation levels and other variants, and compilers: ``@O1, @O2 and +clang``."""
    from motebench.base.naming import COMPILER

    parts = [end.partition(COMPILER) for end in ends]
    levels = sorted({level for level, _, _ in parts if level})
    compilers = sorted({f"{plus}{word}" for _, plus, word in parts if word})
    return " and ".join(", ".join(names) for names in (levels, compilers) if names)


_INDENT = "  "


def show_entry(entry: Record) -> None:
    """Print an entry: plain facts first, then each group of figures; long lines break between words
    on a terminal.
    """
    for line in _lines(entry, ""):
        indent = " " * (len(line) - len(line.lstrip()) + 2 * len(_INDENT))
        for part in wrapped(line, sys.stdout, indent):
            click.echo(part)


def _lines(record: BaseModel, indent: str) -> list[str]:
    from pydantic import BaseModel

    plain: list[str] = []
    nested: list[str] = []
    for name in type(record).model_fields:
        value = getattr(record, name)
        head = f"{indent}{name.replace('_', ' ')}"
        if value is None or value in ((), "", False, {}):
            continue
        if name == "source":
            plain.append(f"{head}: {_source(value)}")
        elif isinstance(value, BaseModel):
            nested += [f"{head}:", *_lines(value, indent + _INDENT)]
        elif isinstance(value, tuple) and isinstance(value[0], BaseModel):
            for part in value:
                nested += [f"{head}:", *_lines(part, indent + _INDENT)]
        else:
            plain.append(f"{head}: {_value(record, name, value)}")
    return plain + nested


def _source(source: Any) -> str:
    return f"{source}, {source.url}" if source.url else str(source)


def _value(record: BaseModel, name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value)
    if isinstance(value, bool):
        return "yes"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {part}" for key, part in value.items())
    unit = _unit(record, name)
    if isinstance(value, float) and unit:
        from motebench.base.units import format_value

        return f"{value:g} {unit}" if unit in ("V", "Ah") else format_value(value, unit)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _unit(record: BaseModel, name: str) -> str | None:
    """Unit of an electrical figure; None if its name contains it, or it has none."""
    from motebench.catalog.parts import Charge, Limit
    from motebench.catalog.quantities import Draw, Supply

    if isinstance(record, Supply) or "voltage" in name:
        return "V"
    if isinstance(record, Charge):
        return "Ah"
    return "A" if isinstance(record, Draw | Limit) and not name.endswith("_dbm") else None
