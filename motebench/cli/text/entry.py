"""An entry of the catalog as lines, every figure with its source."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from motebench.cli.text.width import wrapped

if TYPE_CHECKING:
    from pydantic import BaseModel

    from motebench.catalog.schema import Record

_INDENT = "  "


def show(entry: Record) -> None:
    """Print an entry: plain facts first, then each group of figures; long lines break between words on a terminal."""
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
    """The unit of an electrical figure; None where its name says it or it has none."""
    from motebench.catalog.batteries import Charge, Limit
    from motebench.catalog.quantities import Draw, Supply

    if isinstance(record, Supply) or "voltage" in name:
        return "V"
    if isinstance(record, Charge):
        return "Ah"
    return "A" if isinstance(record, Draw | Limit) and not name.endswith("_dbm") else None
