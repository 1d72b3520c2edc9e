"""Reads TOML files so that every error message can name the file, the line and the key.

``tomllib`` does not keep the position of a value; ``motebench.base.files.tomllines`` finds it again for a message.
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from motebench.base.errors import InputError
from motebench.base.files.pipes import open_to_read
from motebench.base.files.tomldocument import Document, spell
from motebench.base.files.tomllines import KeyPath, key_lines

if TYPE_CHECKING:
    from pydantic import BaseModel

    ModelT = TypeVar("ModelT", bound=BaseModel)

__all__ = ["Document", "KeyPath", "check", "key_lines", "load", "parse", "spell", "validate"]

MAX_BYTES = 2**20
_MOST_DEPTH = 30
_NUMBERS = "whole numbers from -2^63 to 2^63 - 1, and finite decimal numbers"
_DIGITS = re.compile(r"(?<![0-9_])[0-9][0-9_]{4000}")
# tomllib's time grows with the square of the number of parts of a key.
_DOTTED = re.compile(r"""(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def load(path: Path | str) -> Document:
    """Read a TOML file. InputError if it is missing, unreadable, not text, or not TOML (file:line:column)."""
    path = Path(path)
    name = str(path)
    try:
        if path.is_dir():
            raise InputError("this is a folder, not a file", where=name, hint="give the path of one .toml file")
        with open_to_read(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        hint = None if path.suffix == ".toml" or not path.with_suffix(".toml").exists() else f"{name}.toml exists"
        raise InputError("there is no such file", where=name, hint=hint) from None
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
            f"byte 0x{raw[error.start]:02x} is not UTF-8 text", where=f"{name}:{line}", valid="TOML files are UTF-8"
        ) from None
    return parse(text, path)


def _syntax_hint(what: str) -> str | None:
    """What is most often meant, by the words of the parser."""
    hints = {
        "Invalid value": "a text stands in quotes; after = there is one value",
        "Illegal character": "a text in quotes ends in the line in which it begins",
        "Expected '='": "a line is: key = value",
        "Cannot overwrite": "each key stands once in its table; a new entry of a list of tables begins with [[name]]",
        "Unclosed array": "a list ends with ]",
    }
    return next((hint for words, hint in hints.items() if what.startswith(words)), None)


def parse(text: str, path: Path | str) -> Document:
    """Read TOML from ``text``; ``path`` is named in messages. InputError (file:line:column) for bad syntax."""
    path = Path(path)
    if found := _DOTTED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise InputError("a key has more than 100 parts", where=f"{path}:{line}", valid="keys of at most 100 parts")
    try:
        document = Document(path, text, tomllib.loads(text))
        _check_limits(document)
        return document
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT.search(message)
        if found and found[1]:
            line, column = int(found[1]), int(found[2])
        else:
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        what = _AT.sub("", message)
        raise InputError(
            f"{what[:1].lower()}{what[1:]}",
            where=f"{path}:{line}:{column}",
            valid='TOML 1.0, as in: key = "text", key = 1, key = [1, 2], [table]',
            hint=_syntax_hint(what),
        ) from None
    except RecursionError:
        raise InputError(
            "nested too deeply", where=str(path), valid=f"{_MOST_DEPTH} tables or arrays within each other"
        ) from None
    except ValueError:
        # Python refuses to read a decimal number of more than 4300 digits.
        found = _DIGITS.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        raise InputError("a number has too many digits", where=f"{path}:{line}", valid=_NUMBERS) from None


def _check_limits(document: Document) -> None:
    """InputError for numbers that TOML does not have, and for nesting that no file needs."""
    left: list[tuple[KeyPath, Any]] = [((), document.data)]
    while left:
        path, value = left.pop()
        if isinstance(value, dict | list):
            if len(path) > _MOST_DEPTH:
                raise InputError(
                    "nested too deeply", where=f"{document.path}:{document.line_of(path[:3])}: {spell(path[:3])}",
                    valid=f"{_MOST_DEPTH} tables or arrays within each other",
                )  # fmt: skip
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            left += [((*path, key), part) for key, part in parts]
        elif isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                digits = len(hex(abs(value)))
                what = "a number has too many digits" if digits > 100 else f"{value} is out of range"
                raise InputError(what, where=document.where(path), valid=_NUMBERS)
        elif isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"{value} is not a finite number", where=document.where(path), valid=_NUMBERS)


def validate(document: Document, model: type[ModelT]) -> ModelT:
    """The data as an instance of ``model``.

    InputError for the first invalid value, with file, line, key, what is valid and, for a misspelt key or value, the
    nearest valid one.
    """
    found = check(document, model)
    if isinstance(found, list):
        from motebench.base.files.tomlerrors import MOST_EXPLAINED

        first = found[0]
        if len(found) > 1:
            more = f"{'at least ' if len(found) >= MOST_EXPLAINED else ''}{len(found) - 1} more in this file"
            first.hint = f"{first.hint}; {more}" if first.hint else more
        raise first
    return found


def check(document: Document, model: type[ModelT]) -> ModelT | list[InputError]:
    """The data as an instance of ``model``, or all invalid values, in the order of the file."""
    from pydantic import ValidationError

    from motebench.base.files.tomlerrors import explain

    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        return explain(error, document, model)
