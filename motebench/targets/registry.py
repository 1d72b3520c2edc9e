"""From the name of a target to the target. Each kind is a module here; code outside does not know which.

To add one, see "Adding a target" in ``docs/extending.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.base.errors import InputError
from motebench.base.naming import EMULATED, SERIAL, SSH, did_you_mean
from motebench.targets.base import Target, TargetRequest
from motebench.targets.settings import SIMULATED

if TYPE_CHECKING:
    from motebench.targets.code.building import Code


@dataclass(frozen=True)
class TargetKind:
    """A kind of target: its module, loaded on demand. ``options``: commas are part of the name.

    The module has ``names() -> dict[str, str]``, the available targets with a description, and ``open_kind(asked:
    Asked) -> Target | None``, None if there is no such target.
    """

    module: str
    options: bool = False


KINDS: dict[str, TargetKind] = {
    "host": TargetKind("motebench.targets.host.this_machine"),
    "command": TargetKind("motebench.targets.command.place"),
    "command:": TargetKind("motebench.targets.command.ssh"),
    SIMULATED: TargetKind("motebench.targets.board.simulated"),
    EMULATED: TargetKind("motebench.targets.host.emulated"),
    SSH: TargetKind("motebench.targets.ssh.boards"),
    SERIAL: TargetKind("motebench.targets.board.serial_board", options=True),
}
"""Kinds by name, or by prefix, which ends with a colon."""


FORMS: dict[str, str] = {
    "serial:PORT": "a board on a serial port (docs/targets.md)",
    "ssh:[USER@]HOST[:PORT]": "a Linux board that you can log in to (docs/ssh.md)",
    "command:ssh:[USER@]HOST": "its own openssl, as whole processes on files",
}
"""Names of targets that nothing lists."""


def _kind_of(name: str) -> TargetKind | None:
    return next((kind for key, kind in KINDS.items() if name == key or (key[-1] == ":" and name.startswith(key))), None)


def split_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names of targets from lists with commas. Text after a serial port that is not a target belongs to the port."""
    names: list[str] = []
    for part in (part.strip() for value in values for part in value.split(",")):
        before = _kind_of(names[-1]) if names else None
        if before is not None and before.options and _kind_of(part) is None:
            names[-1] += f",{part}" if part else ""
        elif part:
            names.append(part)
    return tuple(names)


def target_names() -> dict[str, str]:
    """Every available target, with a description."""
    return {name: words for kind in KINDS.values() for name, words in import_module(kind.module).names().items()}


def own_targets() -> list[str]:
    """Names of the targets that are this machine itself."""
    return [name for name in KINDS if not name.endswith(":")]


def open_target(
    name: str,
    *,
    where: str | None = None,
    probes: Sequence[Path] | None = None,
    code: Mapping[str, Code] | None = None,
) -> Target:
    """The target of that name; the rest as in `TargetRequest`. InputError if there is no such target."""
    kind = _kind_of(name)
    found: Target | None = None
    if kind is not None:
        found = import_module(kind.module).open_kind(TargetRequest(name, where, probes, code or {}))
    if found is None:
        known = target_names()
        hint = did_you_mean(name, known) or "`motebench list targets` says what each is"
        raise InputError(
            f"unknown target {name!r}",
            where=where,
            valid=f"{', '.join(known)}, serial:PORT, ssh:[USER@]HOST",
            hint=hint,
        )
    return found
