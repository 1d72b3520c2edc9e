"""Reads TOML files so that every error message can name the file, the line and the key.

``tomllib`` does not keep the position of a value; `tomldocument` finds it again for a message.
pydantic is imported only where a file is checked: loading it takes longer than most commands.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
import types
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from motebench.base.errors import InputError, MotebenchError
from motebench.base.files.access import no_file, open_to_read
from motebench.base.files.tomldocument import KeyPath, TomlDocument, key_lines, spell
from motebench.base.naming import did_you_mean

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

    ModelT = TypeVar("ModelT", bound=BaseModel)

__all__ = ["KeyPath", "TomlDocument", "check", "key_lines", "load", "parse", "spell", "validate"]

MAX_BYTES = 2**20
_MOST_DEPTH = 30
_NUMBERS = "whole numbers from -2^63 to 2^63 - 1, and finite decimal numbers"
_DIGITS = re.compile(r"(?<![0-9_])[0-9][0-9_]{4000}")
# tomllib's time grows with the square of the number of parts of a key.
_DOTTED = re.compile(
    r"""(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}"""
)
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
MOST_EXPLAINED = 200
"""Largest number of errors of a file that are explained; a file with more is probably of another
kind.
"""
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


def load(path: Path | str) -> TomlDocument:
    """Read a TOML file. InputError if it is missing, unreadable, not text, or not TOML
    (file:line:column).
    """
    path = Path(path)
    name = str(path)
    try:
        if path.is_dir():
            raise InputError(
                "this is a folder, not a file", where=name, hint="give the path of one .toml file"
            )
        with open_to_read(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise no_file(path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=name) from None
    if len(raw) > MAX_BYTES:
        raise InputError("the file is too long", where=name, valid=f"at most {MAX_BYTES} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8 text",
            where=f"{name}:{line}",
            valid="TOML files are UTF-8",
        ) from None
    return parse(text, path)


def _syntax_hint(message: str) -> str | None:
    """Hint for the mistake behind a message of the parser, the most frequent one."""
    hints = {
        "Invalid value": "a text stands in quotes; after = there is one value",
        "Illegal character": "a text in quotes ends in the line in which it begins",
        "Expected '='": "a line is: key = value",
        "Cannot overwrite": (
            "each key stands once in its table; a new entry of a list of tables begins with "
            "[[name]]"
        ),
        "Unclosed array": "a list ends with ]",
    }
    return next((hint for beginning, hint in hints.items() if message.startswith(beginning)), None)


def parse(text: str, path: Path | str) -> TomlDocument:
    """Read TOML from ``text``; ``path`` is named in messages. InputError (file:line:column) for bad
    syntax.
    """
    path = Path(path)
    if match := _DOTTED.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise InputError(
            "a key has more than 100 parts",
            where=f"{path}:{line}",
            valid="keys of at most 100 parts",
        )
    try:
        document = TomlDocument(path, text, tomllib.loads(text))
        _check_limits(document)
        return document
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        match = _AT.search(message)
        if match and match[1]:
            line, column = int(match[1]), int(match[2])
        else:
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        problem = _AT.sub("", message)
        raise InputError(
            f"{problem[:1].lower()}{problem[1:]}",
            where=f"{path}:{line}:{column}",
            valid='TOML 1.0, as in: key = "text", key = 1, key = [1, 2], [table]',
            hint=_syntax_hint(problem),
        ) from None
    except RecursionError:
        raise InputError(
            "nested too deeply",
            where=str(path),
            valid=f"{_MOST_DEPTH} tables or arrays within each other",
        ) from None
    except ValueError:
        # Python refuses to read a decimal number of more than 4300 digits.
        match = _DIGITS.search(text)
        line = text.count("\n", 0, match.start()) + 1 if match else 1
        raise InputError(
            "a number has too many digits", where=f"{path}:{line}", valid=_NUMBERS
        ) from None


def _check_limits(document: TomlDocument) -> None:
    """InputError for numbers that TOML does not have, and for nesting that no file needs."""
    left: list[tuple[KeyPath, Any]] = [((), document.data)]
    while left:
        path, value = left.pop()
        if isinstance(value, dict | list):
            if len(path) > _MOST_DEPTH:
                raise InputError(
                    "nested too deeply",
                    where=f"{document.path}:{document.line_of(path[:3])}: {spell(path[:3])}",
                    valid=f"{_MOST_DEPTH} tables or arrays within each other",
                )
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            left += [((*path, key), part) for key, part in parts]
        elif isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                digits = len(hex(abs(value)))
                problem = (
                    "a number has too many digits" if digits > 100 else f"{value} is out of range"
                )
                raise InputError(problem, where=document.where(path), valid=_NUMBERS)
        elif isinstance(value, float) and not math.isfinite(value):
            raise InputError(
                f"{value} is not a finite number", where=document.where(path), valid=_NUMBERS
            )


def validate(document: TomlDocument, model: type[ModelT]) -> ModelT:
    """The data as an instance of ``model``.

    InputError for the first invalid value, with file, line, key, what is valid and, for a misspelt
    key or value, the nearest valid one.
    """
    result = check(document, model)
    if isinstance(result, list):
        first = result[0]
        if len(result) > 1:
            more = (
                f"{'at least ' if len(result) >= MOST_EXPLAINED else ''}{len(result) - 1} more "
                "in this file"
            )
            first.hint = f"{first.hint}; {more}" if first.hint else more
        raise first
    return result


def check(document: TomlDocument, model: type[ModelT]) -> ModelT | list[InputError]:
    """The data as an instance of ``model``, or all invalid values, in the order of the file."""
    from pydantic import ValidationError

    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        return explain(error, document, model)


def explain(
    error: ValidationError, document: TomlDocument, model: type[BaseModel]
) -> list[InputError]:
    """One InputError per position in the file, in the order of the file, at least one and at most
    `MOST_EXPLAINED`.
    """
    details = [
        (_path_in_data(detail, document.data), detail) for detail in error.errors(include_url=False)
    ]
    details = [entry for entry in details if not _misspelt(*entry, details)]
    around = {path[:length] for path, _ in details for length in range(len(path))}
    details_by_path: dict[KeyPath, tuple[int, ErrorDetails]] = {}
    for path, detail in details:
        # An error inside a value says more than an error of the whole value.
        if path not in details_by_path and path not in around:
            details_by_path[path] = (document.line_of(path), detail)
    first = sorted(details_by_path.items(), key=lambda item: item[1][0])[:MOST_EXPLAINED]
    return [_one(detail, path, document, model) for path, (_, detail) in first]


def _misspelt(
    path: KeyPath, detail: ErrorDetails, details: list[tuple[KeyPath, ErrorDetails]]
) -> bool:
    """True if a key is missing only because it is misspelt: the error is then the unknown key."""
    if detail["type"] != "missing":
        return False
    extra = [
        other[-1]
        for other, item in details
        if item["type"] == "extra_forbidden" and other[:-1] == path[:-1]
    ]
    return any(did_you_mean(str(word), [str(path[-1])]) for word in extra)


def _path_in_data(detail: ErrorDetails, data: Any) -> KeyPath:
    """pydantic puts names of union members and of functions into ``loc``; keep only keys of the
    file.
    """
    path: list[str | int] = []
    here: Any = data
    for position, part in enumerate(detail["loc"]):
        is_there, inner = _step(here, part)
        if is_there:
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


def _one(
    detail: ErrorDetails, path: KeyPath, document: TomlDocument, model: type[BaseModel]
) -> InputError:
    where = document.where(path)
    kind, context, value = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "extra_forbidden":
        keys = _keys_at(model, path[:-1])
        name = str(path[-1])
        return InputError(
            f"unknown key {name!r}",
            where=where,
            valid=", ".join(keys) or None,
            hint=did_you_mean(name, keys),
        )
    if kind == "missing":
        return InputError(
            f"the key {path[-1]!r} is missing",
            where=where,
            hint=_written(str(path[-1]), model, path),
        )
    if kind in ("enum", "literal_error"):
        expected = str(context.get("expected", ""))
        values = [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",")]
        hint = did_you_mean(value, values) if isinstance(value, str) else None
        return InputError(
            f"{_show(value)} is not a possible value",
            where=where,
            valid=", ".join(values),
            hint=hint,
        )
    if kind in ("value_error", "assertion_error"):
        return _of_validator(context.get("error"), detail["msg"], where)
    if kind == "too_short" and not value:
        return InputError("is empty", where=where, valid="at least 1 entry")
    message = detail["msg"].removeprefix("Input ").removeprefix("should be ")
    if message == detail["msg"]:
        return InputError(f"{_show(value)}: {message[:1].lower()}{message[1:]}", where=where)
    valid = _TYPES.get(kind, message)
    hint = _type_hint(valid, value, path)
    return InputError(
        f"{_show(value)} is not a possible value", where=where, valid=valid, hint=hint
    )


def _of_validator(cause: object, message: str, where: str) -> InputError:
    """Error that our own validator raised, with its valid values and hint if given."""
    inner = cause.args[0] if isinstance(cause, Exception) and cause.args else None
    if isinstance(inner, MotebenchError):
        return InputError(inner.what, where=where, valid=inner.valid, hint=inner.hint)
    return InputError(str(cause) if cause else message, where=where)


def _type_hint(valid: str, value: object, path: KeyPath) -> str | None:
    """Hint on the form of a value of the valid type; None if the value gives no clue."""
    if valid == "a list" and isinstance(value, str | int | float) and not isinstance(value, bool):
        return f"put it into brackets: [{json.dumps(value)}]"
    if valid == "a list" and isinstance(value, dict):
        return f"a table of which there may be several has two brackets: [[{path[-1]}]]"
    if valid == _TYPES["string_type"] and isinstance(value, int | float):
        return f'put it into quotes: "{_show(value)}"'
    return None


def _written(key: str, model: type[BaseModel], path: KeyPath) -> str | None:
    """Form of a missing key whose value is a list; None for other keys."""
    models = _models_at(model, path[:-1])
    annotations = [
        info.annotation
        for candidate in models
        for name, info in candidate.model_fields.items()
        if name == key
    ]
    if not annotations or typing.get_origin(annotations[0]) is not tuple:
        return None
    return (
        f"begin a table with [[{key}]]"
        if _models_in(annotations[0])
        else f'for example: {key} = ["..."]'
    )


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _keys_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    """The valid keys of the table at ``path``."""
    models = _models_at(model, path)
    keys = [
        info.alias or name for candidate in models for name, info in candidate.model_fields.items()
    ]
    return list(dict.fromkeys(keys))


def _models_at(model: type[BaseModel], path: KeyPath) -> list[type[BaseModel]]:
    """The models of which one describes the table at ``path``."""
    models = [model]
    for part in path:
        if isinstance(part, int):
            continue  # the models inside a list come with the list
        fields = [
            info
            for candidate in models
            for name, info in candidate.model_fields.items()
            if part in (name, info.alias)
        ]
        deeper = [inner for info in fields for inner in _models_in(info.annotation)]
        if not fields:
            continue  # a key of a free table: its values are the models found already
        models = deeper
    return models


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    from pydantic import BaseModel

    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for argument in typing.get_args(annotation) for model in _models_in(argument)]
