"""Keys of JSON documents, from their schemas; what several documents share is explained once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from motebench.base.identity import CaseId

_CASE = frozenset(item.name for item in fields(CaseId))
"""Keys that tell cases apart."""
_MANY = 4
"""Values of an enumeration that are shown."""


@dataclass(slots=True)
class DocumentList:
    """The sections of a page of documents; `homes` and `explained` hold what earlier sections
    have.
    """

    homes: dict[str, str] = field(default_factory=dict)
    """The document that shows a definition, by the definition."""
    explained: set[tuple[str, str]] = field(default_factory=set)
    """Keys with their meanings."""
    cases: bool = False
    """Whether an earlier part has the keys of a case."""

    def sections(self, schemas: Mapping[str, Mapping[str, Any]]) -> str:
        """A section for each document: its meaning, its keys, and those of its parts."""
        parts: list[str] = []
        for name, schema in schemas.items():
            parts += [f"## {name}", _meaning(schema), self._keys(schema)]
            shared: dict[str, list[str]] = {}
            for part, body in schema.get("$defs", {}).items():
                home = self.homes.setdefault(json.dumps([part, body], sort_keys=True), name)
                if home == name:
                    parts += [f"**{part}**: {_meaning(body)}", self._keys(body)]
                else:
                    shared.setdefault(home, []).append(part)
            for home, names in shared.items():
                parts.append(f"As in [{home}](#{home}): {', '.join(names)}.")
        return "\n\n".join(part for part in parts if part)

    def _keys(self, schema: Mapping[str, Any]) -> str:
        """The keys of an object: those with a meaning that is new, then the others by name."""
        lines: list[str] = []
        others: list[str] = []
        properties = dict(schema.get("properties", {}))
        if self.cases and properties.keys() >= _CASE:
            others.append("the keys of a [case](#result)")
            properties = {key: body for key, body in properties.items() if key not in _CASE}
        self.cases = self.cases or properties.keys() >= _CASE
        for key, body in properties.items():
            meaning = _meaning(body)
            mark = "" if key in schema.get("required", ()) else "?"
            if meaning and (key, meaning) not in self.explained:
                self.explained.add((key, meaning))
                lines.append(f"- `{key}`{mark} {_type(body)}: {meaning}".replace(" string:", ":"))
            elif "enum" in body:
                others.append(f"`{key}`{mark} ({_choices(body['enum'])})")
            else:
                others.append(f"`{key}`{mark}")
        if others:
            lines.append(f"- {', '.join(others)}")
        return "\n".join(lines)


def _meaning(schema: Mapping[str, Any]) -> str:
    text = " ".join(str(schema.get("description", "")).replace("``", "`").split())
    text = re.sub(r"\bNone\b", "null", text)
    return text.partition(" See docs/")[0].partition("; see docs/")[0]


def _type(body: Mapping[str, Any]) -> str:
    """The type of a value in words."""
    if "const" in body:
        return f"`{body['const']}`"
    if "$ref" in body:
        return str(body["$ref"]).rpartition("/")[2]
    if "enum" in body:
        return _choices(body["enum"])
    choices = body.get("anyOf") or body.get("oneOf")
    if choices:
        return " or ".join(dict.fromkeys(_type(part) for part in choices))
    types = body.get("type", "any")
    if types == "array":
        return f"list of {_type(body.get('items', {}))}"
    return " or ".join(types) if isinstance(types, list) else str(types)


def _choices(values: list[Any]) -> str:
    """The values of an enumeration; a long one by its first values."""
    shown = ", ".join("null" if value is None else f"`{value}`" for value in values[:_MANY])
    return f"{shown}, ..." if len(values) > _MANY else shown
