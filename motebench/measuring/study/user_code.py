"""User code of a block of a study: read, named, and measured unless the block selects something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from motebench.base.errors import InputError
from motebench.measuring.study.model import Group
from motebench.targets.code.building import UserCode, split_flags
from motebench.targets.code.workspace import KINDS, GivenCode, Workspace, add_code

BY_CODE = "code-*"
"""Placeholder for the schemes of user code, which are known only after its files are read."""

Where = Callable[[str], str | None]
"""Position of a key of the block, for error messages."""


def read_code(workspace: Workspace, group: Group, folder: Path, where: Where) -> tuple[Workspace, list[UserCode]]:
    """The workspace with the code of a block, and that code; its paths are relative to ``folder``.

    InputError for what cannot be used.
    """
    known = workspace.schemes
    declared = [name for name in group.schemes if name in known and known[name].kind in KINDS.values()]
    try:
        flags = split_flags(group.code_flags)
    except ValueError as error:
        raise InputError(
            f"{group.code_flags!r}: {error}", where=where("code_flags"), valid="flags, as in a shell"
        ) from None
    codes: list[UserCode] = []
    for path in group.code:
        workspace, code = add_code(
            workspace,
            GivenCode(
                folder / path,
                kats=[folder / kat for kat in group.kat],
                declared=declared,
                flags=flags,
                unproved=group.without_kat,
                name=group.code_name,
                where=where("code"),
            ),
        )
        codes.append(code)
    return workspace, codes


def with_code(workspace: Workspace, group: Group, folder: Path, where: Where) -> tuple[Workspace, Group]:
    """The workspace with the code of a block, and the block with resolved paths and names."""
    if not group.code:
        alone = next((key for key in ("kat", "code_name", "code_flags", "without_kat") if getattr(group, key)), None)
        if alone is not None:
            raise InputError("this option needs user code", where=where(alone), valid="together with --code")
        return workspace, group
    workspace, codes = read_code(workspace, group, folder, where)
    own = [name for code in codes for name in code.schemes.values()]
    named = [name for given in group.schemes for name in (own if given == BY_CODE else [given])]
    changes: dict[str, object] = {
        "code": tuple(str((folder / path).absolute()) for path in group.code),
        "kat": tuple(str((folder / path).absolute()) for path in group.kat),
        "schemes": tuple(dict.fromkeys(named)),
    }
    if "implementations" not in group.model_fields_set:
        changes["implementations"] = tuple(dict.fromkeys(code.name for code in codes))
    return workspace, group.model_copy(update=changes)
