"""Keys of JSON documents, from their schemas; parts that several documents have stand first."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from motebench.base.identity import CaseId

_CASE = {item.name for item in fields(CaseId)}
"""Keys that tell cases apart."""
_IN_TERMS = {"metric", "unit", "operation", "kind"}
"""Keys whose values the page of terms has, where these are many; ``evidence`` always."""
_MANY = 4
"""Values of an enumeration that are shown."""


@dataclass(slots=True)
class DocumentList:
    """The sections of a page of documents: shared parts, then each document."""

    schemas: Mapping[str, Mapping[str, Any]]
    shared: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parts of several documents, by name."""
    own: dict[str, list[str]] = field(default_factory=dict)
    """Names of the parts that only one document has, by document."""
    elsewhere: dict[str, list[str]] = field(default_factory=dict)
    """Documents that are parts of a document, by document."""
    explained: set[str] = field(default_factory=set)
    """Keys with the meanings or values that earlier sections have."""

    def __post_init__(self) -> None:
        wholes = {_text(name, _part(schema)): name for name, schema in self.schemas.items()}
        counts: Counter[str] = Counter()
        for name, schema in self.schemas.items():
            texts = {_text(part, body): part for part, body in schema["$defs"].items()}
            inside = [wholes[text] for text in texts if text in wholes]
            for document in inside:
                for part, body in self.schemas[document]["$defs"].items():
                    texts.pop(_text(part, body), None)
            self.elsewhere[name] = inside
            self.own[name] = [part for text, part in texts.items() if text not in wholes]
            counts.update(text for text in texts if text not in wholes)
        for name, schema in self.schemas.items():
            for part in list(self.own[name]):
                body = schema["$defs"][part]
                if counts[_text(part, body)] > 1 or part == "caseid":
                    self.shared[part] = body
                    self.own[name].remove(part)

    def sections(self) -> str:
        """A section of shared parts, and one for each document with its own parts."""
        parts = ["## Shared parts"]
        for name in sorted(self.shared, key=lambda name: (name != "caseid", name)):
            parts.append(self._part(name, self.shared[name]))
        for name, schema in self.schemas.items():
            others, lines = self._keys(schema)
            parts += [f"## {name}", f"{_head(schema)} {others}".strip(), lines]
            parts += [self._part(part, schema["$defs"][part]) for part in self.own[name]]
            if self.elsewhere[name]:
                links = ", ".join(f"[{other}](#{other})" for other in self.elsewhere[name])
                parts.append(f"With the parts of {links}.")
        return "\n\n".join(part for part in parts if part)

    def _part(self, name: str, body: Mapping[str, Any]) -> str:
        """A part: its meaning and its keys."""
        others, lines = self._keys(body)
        head = f"**{name}**: {_meaning(body)} {others}".strip()
        return f"{head}\n\n{lines}" if lines else head

    def _keys(self, schema: Mapping[str, Any]) -> tuple[str, str]:
        """The keys of an object: names of those without a new meaning, and a list of others."""
        lines: list[str] = []
        others: list[str] = []
        properties = dict(schema.get("properties", {}))
        properties.pop("schema", None)
        if properties.keys() > _CASE:
            others.append("[caseid](#shared-parts)")
            properties = {key: body for key, body in properties.items() if key not in _CASE}
        for key, body in properties.items():
            name = f"`{key}`" if key in schema.get("required", ()) else f"`{key}`?"
            meaning = _meaning(body)
            values = body.get("enum", [])
            if key == "evidence" or (key in _IN_TERMS and len(values) > _MANY):
                values = []
            choices = _choices(values)
            if f"{key} {choices} {meaning}" in self.explained and (meaning or choices):
                others.append(name)
            elif meaning:
                lines.append(f"- {name}{_shown_type(body)}: {meaning}")
            elif "$ref" in str(body):
                others.append(f"{name} {_type(body)}")
            elif choices:
                others.append(f"{name} ({choices})")
            else:
                others.append(name)
            self.explained.add(f"{key} {choices} {meaning}")
        return ", ".join(others), "\n".join(lines)


def _text(name: str, body: Mapping[str, Any]) -> str:
    """A part as a text that tells parts apart."""
    return json.dumps([name, body], sort_keys=True)


def _part(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A whole document as a part of another one."""
    return {
        key: body for key, body in schema.items() if key not in ("$schema", "$id", "title", "$defs")
    }


def _head(schema: Mapping[str, Any]) -> str:
    """The name of a document, what prints it, and what it is."""
    name = schema["properties"]["schema"]["const"]
    return f"`{name}`: {_meaning(schema).removeprefix('Document of ').removesuffix('.')}."


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
        return "/".join(dict.fromkeys(_type(part) for part in choices))
    types = body.get("type", "any")
    if types == "array":
        return f"[{_type(body.get('items', {}))}]"
    return "/".join(types) if isinstance(types, list) else str(types)


def _shown_type(body: Mapping[str, Any]) -> str:
    """The type behind a key that has a meaning: of plain values only whether they may be null."""
    words = _type(body)
    kinds = set(words.split("/"))
    if not kinds <= {"string", "integer", "number", "boolean", "object", "null"}:
        return f" {words}"
    return "/null" if "null" in kinds else ""


def _choices(values: list[Any]) -> str:
    """The values of an enumeration; a long one by its first values."""
    shown = ", ".join("null" if value is None else f"`{value}`" for value in values[:_MANY])
    return f"{shown}, ..." if len(values) > _MANY else shown
