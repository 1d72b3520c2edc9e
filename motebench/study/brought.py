"""Code that a block of a study brings: read, made known, and measured unless something else was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from motebench.catalog import schemes
from motebench.code.bench import bring
from motebench.code.building import Code, split_flags
from motebench.errors import InputError
from motebench.model import Kind
from motebench.study.model import Group

BY_CODE = "code-*"
"""Stands for the schemes of the code itself, which are known once its files are read."""

Where = Callable[[str], str | None]
"""Place of a key of the block, for error messages."""


def bring_code(group: Group, folder: Path, where: Where) -> list[Code]:
    """The code of a block, made known; its paths are seen from ``folder``. InputError for what cannot be used."""
    known = schemes()
    sealed_or_hashed = (Kind.AEAD, Kind.HASH)
    declared = [name for name in group.schemes if name in known and known[name].kind in sealed_or_hashed]
    try:
        flags = split_flags(group.code_flags)
    except ValueError as error:
        raise InputError(
            f"{group.code_flags!r}: {error}", where=where("code_flags"), valid="flags, as in a shell"
        ) from None
    return [
        bring(
            folder / path,
            kats=[folder / kat for kat in group.kat],
            declared=declared,
            flags=flags,
            unproved=group.without_kat,
            name=group.code_name,
            where=where("code"),
        )
        for path in group.code
    ]


def with_code(group: Group, folder: Path, where: Where) -> Group:
    """The block with paths and names settled."""
    if not group.code:
        alone = next((key for key in ("kat", "code_name", "code_flags", "without_kat") if getattr(group, key)), None)
        if alone is not None:
            raise InputError("there is no code that it could be about", where=where(alone), valid="code with it")
        return group
    codes = bring_code(group, folder, where)
    own = [name for code in codes for name in code.schemes.values()]
    named = [name for given in group.schemes for name in (own if given == BY_CODE else [given])]
    changes: dict[str, object] = {
        "code": tuple(str((folder / path).absolute()) for path in group.code),
        "kat": tuple(str((folder / path).absolute()) for path in group.kat),
        "schemes": tuple(dict.fromkeys(named)),
    }
    if "implementations" not in group.model_fields_set:
        changes["implementations"] = tuple(dict.fromkeys(code.name for code in codes))
    return group.model_copy(update=changes)
