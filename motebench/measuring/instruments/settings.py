"""The syntax of instrument names: ``NAME``, ``NAME:VALUE`` or ``NAME:KEY=VALUE,KEY=VALUE``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motebench.base.errors import InputError

WHERE = "--instrument"


def split(text: str) -> tuple[str, str]:
    """The name, and the text after its colon."""
    name, _, rest = text.partition(":")
    return name, rest


def read(text: str, keys: Sequence[str]) -> dict[str, str]:
    """Settings by key; a value without a key belongs to the first key. InputError for unknown keys."""
    name, rest = split(text)
    found: dict[str, str] = {}
    for part in (part.strip() for part in rest.split(",") if part.strip()):
        key, sign, value = part.partition("=")
        if not sign:
            key, value = (keys[0], part) if keys else ("", part)
        if key not in keys or not value or key in found:
            valid = f"{name}:" + ",".join(f"{key}=..." for key in keys) if keys else f"{name} alone"
            raise InputError(f"{part!r} is not a setting of {name}", where=WHERE, valid=valid)
        found[key] = value
    return found


def whole(settings: Mapping[str, str], key: str, default: int) -> int:
    """A whole number, also in the form 0x40."""
    text = settings.get(key)
    if text is None:
        return default
    try:
        return int(text, 0)
    except ValueError:
        raise InputError(f"{key} is {text!r}", where=WHERE, valid="a whole number: 1, 0x40") from None
