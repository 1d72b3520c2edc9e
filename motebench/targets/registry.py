"""Targets by name, and implementations of a target by pattern.

Each kind of target is a module in a folder beside this one; code outside does not know which. To
add one, see "Adding a target" in ``docs/explain/extending.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.base.errors import InputError, MotebenchError, SetupError
from motebench.base.naming import (
    EMULATED,
    SERIAL,
    SIMULATED,
    SSH,
    chooses,
    did_you_mean,
    is_variant,
    no_implementation,
    plain,
)
from motebench.base.paths import setup_line
from motebench.targets.base import Target, TargetRequest

if TYPE_CHECKING:
    from motebench.base.model import Scheme
    from motebench.catalog.devices import Device
    from motebench.targets.code.building import UserCode


@dataclass(frozen=True)
class TargetKind:
    """Kind of target: its module, loaded on demand. ``options``: commas are part of the name.

    The module has ``names() -> dict[str, str]``, the available targets with a description, and
    ``open_kind(request: TargetRequest) -> Target | None``, None if there is no such target.
    """

    module: str
    options: bool = False


HOST = "host"
KINDS: dict[str, TargetKind] = {
    HOST: TargetKind("motebench.targets.host.this_machine"),
    "command": TargetKind("motebench.targets.command.local"),
    "command:": TargetKind("motebench.targets.command.ssh"),
    SIMULATED: TargetKind("motebench.targets.board.simulated"),
    EMULATED: TargetKind("motebench.targets.host.emulated"),
    SSH: TargetKind("motebench.targets.ssh.boards"),
    SERIAL: TargetKind("motebench.targets.board.serial_board", options=True),
}
"""Kinds by name, or by prefix, which ends with a colon."""


FORMS: dict[str, str] = {
    "serial:PORT": "a board on a serial port (docs/use/targets.md)",
    "ssh:[USER@]HOST[:PORT]": "a Linux board that you can log in to (docs/use/ssh.md)",
    "command:ssh:[USER@]HOST": "its own openssl, as whole processes on files",
}
"""Names of targets that nothing lists."""
EVERY = "*"
"""Pattern of all built implementations. Other patterns build what they select."""


def _kind_of(name: str) -> TargetKind | None:
    return next(
        (
            kind
            for key, kind in KINDS.items()
            if name == key or (key[-1] == ":" and name.startswith(key))
        ),
        None,
    )


def split_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names of targets from lists with commas. Text after a serial port that is not a target
    belongs to the port."""
    names: list[str] = []
    for part in (part.strip() for value in values for part in value.split(",")):
        before = _kind_of(names[-1]) if names else None
        if before is not None and before.options and _kind_of(part) is None:
            names[-1] += f",{part}" if part else ""
        elif part:
            names.append(part)
    return tuple(names)


def called_target(name: str) -> str:
    """Full name of a target: ``sim:atmega328p`` for ``uno``, ``sim:uno`` and ``atmega328p``.

    A name that is a target's already, or that nothing is called, stays as it is.
    """
    kind = _kind_of(name)
    if kind is not None and not name.startswith(SIMULATED):
        return name
    from motebench.catalog.devices import DEVICES

    device, plus, settings = name.removeprefix(SIMULATED).partition("+")
    entry = DEVICES.get(device)
    return name if entry is None or not entry.mcu else f"{SIMULATED}{entry.id}{plus}{settings}"


def target_names() -> dict[str, str]:
    """Every available target, with a description."""
    modules = [import_module(kind.module) for kind in KINDS.values()]
    return {name: title for module in modules for name, title in module.names().items()}


def own_targets() -> list[str]:
    """Names of the targets that are this machine itself."""
    return [name for name in KINDS if not name.endswith(":")]


def open_target(
    name: str,
    *,
    where: str | None = None,
    probes: Sequence[Path] | None = None,
    code: Mapping[str, UserCode] | None = None,
) -> Target:
    """Target of that name; the rest as in `TargetRequest`. InputError for an unknown target."""
    name = called_target(name)
    kind = _kind_of(name)
    target: Target | None = None
    if kind is not None:
        target = import_module(kind.module).open_kind(
            TargetRequest(name, where, probes, code or {})
        )
    if target is None:
        from motebench.catalog.devices import missing_board

        names = target_names()
        device = name.removeprefix(SIMULATED)
        hint = (
            missing_board(device)
            or did_you_mean(name, names)
            or did_you_mean(device, _short_names())
        )
        hint = hint or "`motebench list targets` says what each is"
        raise InputError(
            f"unknown target {name!r}",
            where=where,
            valid=f"{', '.join(names)}, serial:PORT, ssh:[USER@]HOST",
            hint=hint,
        )
    return target


def device_of(name: str) -> Device | None:
    """The device of a target in the catalog, None for a machine; a board that is known by name or
    USB is not asked, and none is kept open.
    """
    place = open_target(name).place
    try:
        return place.expected()
    finally:
        place.close()


def _short_names() -> list[str]:
    """Names of devices with firmware that people use: their aliases and ids."""
    from motebench.catalog.devices import programmable

    return [word for device in programmable().values() for word in (device.id, *device.aliases)]


def implementations_of(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations of a target. Sources are fetched first if an implementation begins like
    one of the patterns."""
    from motebench.targets.setup.building import fetch_named

    fetch_named(patterns)
    return target.implementations()


def chosen_implementations(
    target: Target, patterns: Sequence[str], schemes: Collection[Scheme] | None = None
) -> list[str]:
    """Implementations that patterns select, built if necessary; `Target.open` reports failures.

    ``schemes``: only those that may offer one of them; None: all. Prints on standard error what is
    left out: an answer about all implementations must not hide that some are not built.
    """
    names = selected_implementations(target, patterns)
    if schemes is not None:
        names = [name for name in names if target.may_offer(name, schemes)]
    target.prepare(names)
    return names


def selected_implementations(target: Target, patterns: Sequence[str]) -> list[str]:
    """Implementations that patterns select; nothing is built. Prints the others, as
    `chosen_implementations`.
    """
    from motebench.targets.setup.building import say

    ready = set(target.ready())
    names = [
        name
        for name in target.implementations()
        if any(
            chooses(pattern, name) and (pattern != EVERY or name in ready) for pattern in patterns
        )
    ]
    missing = not_built(target, patterns)
    if missing:
        shown = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
        notice = f"{len(missing)} implementations are not built yet and take no part: {shown}"
        say(f"{notice}; {_how(target)}")
    return names


def offering(target: Target, schemes: Collection[Scheme]) -> list[str]:
    """Implementations of a target, without variants, that may offer one of these schemes, as far as
    their sources declare it; nothing is built. All implementations if no scheme is given.
    """
    names = [name for name in target.implementations() if not is_variant(name)]
    return [name for name in names if not schemes or target.may_offer(name, schemes)]


def usual_implementations(target: Target) -> list[str]:
    """Implementations that are measured by default: those of `Place.usual` that are built.

    If none of these is built, all that are built. Prints on standard error what is left out because
    it is not built.
    """
    from motebench.targets.setup.building import say

    names = [name for name in target.implementations() if not is_variant(name)]
    usual = [name for name in names if target.place.usual(name)]
    ready = set(target.ready())
    if missing := [name for name in usual if name not in ready]:
        say(f"not built yet, so not measured: {', '.join(missing)}; {_how(target)}")
    return [name for name in usual if name in ready] or [name for name in names if name in ready]


def _how(target: Target) -> str:
    return (
        f"name the ones you want{f', or build all: {setup_line()}' if target.name == HOST else ''}"
    )


def missing_implementation(
    name: str, target: Target, *, where: str | None = None, otherwise: str | None = None
) -> MotebenchError:
    """Error for an implementation that the target does not have: its probe's missing needs, or that
    the name is unknown.
    """
    from motebench.targets.firmware.toolchain import compiler_hint
    from motebench.targets.setup.building import lacking

    device = target.place.device
    needed = lacking(plain(name)) if target.name == HOST else None
    if needed:
        return SetupError(
            f"{name} cannot be measured yet: {needed}", where=where, hint="motebench doctor"
        )
    return no_implementation(
        name,
        target.implementations(),
        target.name,
        where=where,
        otherwise=otherwise,
        compiler=None if device is None else compiler_hint(name, device),
    )


def not_built(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations that `chosen_implementations` leaves out because they are not built and
    not named."""
    ready = set(target.ready())
    return [name for name in target.implementations() if EVERY in patterns and name not in ready]
