"""Shapes of documents: a document is a dataclass, and its JSON follows from its fields.

The JSON Schemas come from the same classes (``motebench.documents.__main__``): types and docstrings
of the fields, with the additional constraints of `Must`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any

LEFT_OUT: Mapping[str, bool] = {"left_out": True}
"""Metadata of a field whose key is absent from a document if the value is None or empty."""
LATER: Mapping[str, bool] = {"later": True}
"""Metadata of a field that documents of earlier versions do not have."""
NEVER: Mapping[str, bool] = {"never": True}
"""Metadata of an inherited field that is not part of the document."""


class Must:
    """Additional keywords of JSON Schema for a value: ``Annotated[int, Must(minimum=0)]``."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords

    def __get_pydantic_json_schema__(
        self, core: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        return {**handler(core), **self.keywords}


def one_of(texts: Iterable[str]) -> Must:
    """Constraint: one of these texts; the members of an enumeration by their values."""
    return Must(enum=[str(word) for word in texts])


Count = Annotated[int, Must(minimum=0)]


@cache
def keys(shape: Any) -> tuple[tuple[str, bool], ...]:
    """Keys of a document of that shape in order, each with True if it is left out where it is
    empty.

    The order is that of the fields, but those that the shape names in ``LEADING`` come first.
    """
    left_out = {
        field.name: "left_out" in field.metadata
        for field in fields(shape)
        if "never" not in field.metadata
    }
    leading = [name for name in getattr(shape, "LEADING", ()) if name in left_out]
    return tuple({name: left_out[name] for name in (*leading, *left_out)}.items())


def part(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Mapping under a key of plain data; empty if it is missing or not a mapping."""
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def as_document(instance: Any) -> dict[str, Any]:
    """A dataclass as plain data that JSON can hold."""
    shape: Any = type(instance)
    entries = ((name, getattr(instance, name), left_out) for name, left_out in keys(shape))
    return {name: plain(value) for name, value, left_out in entries if value or not left_out}


def plain(value: Any) -> Any:
    """Nested data as JSON allows it: text keys, lists, finite numbers (others are null)."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if is_dataclass(value):
        return as_document(value)
    if isinstance(value, Iterable):
        return [plain(part) for part in value]
    return str(value)
