"""Turns pydantic's errors about a TOML file into messages for its author."""

from __future__ import annotations

import json
import types
import typing
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from motebench.base.errors import InputError, MotebenchError
from motebench.base.files.tomldocument import Document
from motebench.base.files.tomllines import KeyPath
from motebench.base.misspelt import did_you_mean

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MOST_EXPLAINED = 200
"""Most errors of a file that are explained; a file with more is probably of another kind."""


_TYPES = {
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "string_type": "text in quotes",
    "bool_type": "true or false",
}
"""The valid values in TOML's terms, by kind of error."""


def explain(error: ValidationError, document: Document, model: type[BaseModel]) -> list[InputError]:
    """One InputError per position in the file, in the order of the file, at least one and at most `MOST_EXPLAINED`."""
    details = [(_path_in_data(detail, document.data), detail) for detail in error.errors(include_url=False)]
    details = [entry for entry in details if not _misspelt(*entry, details)]
    around = {path[:length] for path, _ in details for length in range(len(path))}
    found: dict[KeyPath, tuple[int, ErrorDetails]] = {}
    for path, detail in details:
        # An error inside a value says more than an error of the whole value.
        if path not in found and path not in around:
            found[path] = (document.line_of(path), detail)
    first = sorted(found.items(), key=lambda item: item[1][0])[:MOST_EXPLAINED]
    return [_one(detail, path, document, model) for path, (_, detail) in first]


def _misspelt(path: KeyPath, detail: ErrorDetails, details: list[tuple[KeyPath, ErrorDetails]]) -> bool:
    """Whether a key is only missing because it is written in another way: then the unknown key is what is wrong."""
    if detail["type"] != "missing":
        return False
    extra = [other[-1] for other, each in details if each["type"] == "extra_forbidden" and other[:-1] == path[:-1]]
    return any(did_you_mean(str(word), [str(path[-1])]) for word in extra)


def _path_in_data(detail: ErrorDetails, data: Any) -> KeyPath:
    """pydantic puts names of union members and of functions into ``loc``; keep only keys of the file."""
    path: list[str | int] = []
    here: Any = data
    for position, part in enumerate(detail["loc"]):
        found, inner = _step(here, part)
        if found:
            path.append(part)
            here = inner
        elif detail["type"] == "missing" and position == len(detail["loc"]) - 1:
            path.append(part)
    return tuple(path)


def _step(here: Any, part: str | int) -> tuple[bool, Any]:
    if isinstance(here, dict):
        return part in here, here.get(part)
    if isinstance(here, list) and isinstance(part, int) and part < len(here):
        return True, here[part]
    return False, None


def _one(detail: ErrorDetails, path: KeyPath, document: Document, model: type[BaseModel]) -> InputError:
    where = document.where(path)
    kind, context, value = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "extra_forbidden":
        known = _keys_at(model, path[:-1])
        name = str(path[-1])
        return InputError(
            f"unknown key {name!r}", where=where, valid=", ".join(known) or None, hint=did_you_mean(name, known)
        )
    if kind == "missing":
        return InputError(f"the key {path[-1]!r} is missing", where=where, hint=_written(str(path[-1]), model, path))
    if kind in ("enum", "literal_error"):
        expected = str(context.get("expected", ""))
        words = [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",")]
        hint = did_you_mean(value, words) if isinstance(value, str) else None
        return InputError(f"{_show(value)} is not a possible value", where=where, valid=", ".join(words), hint=hint)
    if kind in ("value_error", "assertion_error"):
        cause = context.get("error")
        inner = cause.args[0] if isinstance(cause, Exception) and cause.args else None
        if isinstance(inner, MotebenchError):
            return InputError(inner.what, where=where, valid=inner.valid, hint=inner.hint)
        return InputError(str(cause) if cause else detail["msg"], where=where)
    message = detail["msg"].removeprefix("Input ").removeprefix("should be ")
    if message == detail["msg"]:
        return InputError(f"{_show(value)}: {message[:1].lower()}{message[1:]}", where=where)
    valid = _TYPES.get(kind, message)
    hint = None
    if valid == "a list" and isinstance(value, str | int | float) and not isinstance(value, bool):
        hint = f"put it into brackets: [{json.dumps(value)}]"
    elif valid == "a list" and isinstance(value, dict):
        hint = f"a table of which there may be several has two brackets: [[{path[-1]}]]"
    elif valid == _TYPES["string_type"] and isinstance(value, int | float):
        hint = f'put it into quotes: "{_show(value)}"'
    return InputError(f"{_show(value)} is not a possible value", where=where, valid=valid, hint=hint)


def _written(key: str, model: type[BaseModel], path: KeyPath) -> str | None:
    """How a key that is missing is written, where it is a list."""
    models = _models_at(model, path[:-1])
    annotations = [info.annotation for one in models for name, info in one.model_fields.items() if name == key]
    if not annotations or typing.get_origin(annotations[0]) is not tuple:
        return None
    return f"begin a table with [[{key}]]" if _models_in(annotations[0]) else f'for example: {key} = ["..."]'


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _keys_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    """The valid keys of the table at ``path``."""
    models = _models_at(model, path)
    keys = [info.alias or name for one in models for name, info in one.model_fields.items()]
    return list(dict.fromkeys(keys))


def _models_at(model: type[BaseModel], path: KeyPath) -> list[type[BaseModel]]:
    """The models of which one describes the table at ``path``."""
    models = [model]
    for part in path:
        if isinstance(part, int):
            continue  # the models inside a list come with the list
        fields = [info for one in models for name, info in one.model_fields.items() if part in (name, info.alias)]
        deeper = [inner for info in fields for inner in _models_in(info.annotation)]
        if not fields:
            continue  # a key of a free table: its values are the models found already
        models = deeper
    return models


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for argument in typing.get_args(annotation) for model in _models_in(argument)]
