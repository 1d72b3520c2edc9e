"""Names of Linux boards: ``ssh:[user@]host[:port][+machine]``, checked before anything is done with
them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from motebench.base.errors import InputError
from motebench.base.naming import SSH, did_you_mean
from motebench.targets.host.cross_machines import cross_machines

FORM = f"{SSH}[USER@]HOST[:PORT][+MACHINE]"
_AND = "+"
_USER = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}\$?")
_HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}")
_SIX = re.compile(r"\[([0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,15})?)\]")
_MOST_PORT = 65535


@dataclass(frozen=True, slots=True)
class SshAddress:
    """Address of a Linux board. ``host``: a name, an address, or an alias of the user's SSH
    configuration."""

    host: str
    user: str | None = None
    port: int | None = None

    def arguments(self) -> list[str]:
        """Arguments for ``ssh``, none of which can be mistaken for an option."""
        user = [] if self.user is None else ["-l", self.user]
        port = [] if self.port is None else ["-p", str(self.port)]
        return [*user, *port, "--", self.host]

    def typed(self) -> str:
        """Arguments of ``ssh`` that a user types to log in there."""
        port = "" if self.port is None else f"-p {self.port} "
        return f"{port}{'' if self.user is None else f'{self.user}@'}{self.host}"


NATIVE = "native"
"""The word of a name that has the board build its own probes."""


@dataclass(frozen=True, slots=True)
class BoardName:
    """Parsed name. ``machine``: of `cross_machines`, if the user gave one; None: the best match.
    ``native``: the board builds its own probes.
    """

    address: SshAddress
    machine: str | None = None
    native: bool = False


def parse(name: str, where: str | None = None) -> BoardName:
    """Parts of a name. InputError for an invalid one."""
    place, *settings = name.removeprefix(SSH).split(_AND)
    kinds = [word for word in settings if word != NATIVE]
    return BoardName(
        _address(name, place, where), _machine(name, kinds, where), native=NATIVE in settings
    )


def natively(names: Iterable[str], where: str) -> tuple[str, ...]:
    """Names of targets, with `NATIVE` added to boards behind SSH. InputError without such a board,
    or if one names a kind of machine, which is for probes from here.
    """
    native_names = []
    for name in names:
        if not name.startswith(SSH):
            native_names.append(name)
            continue
        board = parse(name, where)
        if board.machine is not None:
            problem = (
                f"{name!r} names a kind of machine to build for, and a board that builds has its "
                "own"
            )
            raise InputError(problem, where=where, valid=name.rpartition(_AND)[0])
        native_names.append(name if board.native else f"{name}{_AND}{NATIVE}")
    if not any(name.startswith(SSH) for name in native_names):
        raise InputError(
            "no target is a board behind SSH",
            where=where,
            valid=FORM,
            hint="a board of a fleet file has it in its target: ssh:pi@raspberrypi+native",
        )
    return tuple(native_names)


def _machine(name: str, settings: list[str], where: str | None) -> str | None:
    machines = {machine: item for machine, item in cross_machines().items() if item.serves}
    if not settings:
        return None
    if len(settings) > 1 or settings[0] not in machines:
        wrong = next((word for word in settings if word not in machines), settings[-1])
        raise InputError(
            f"{wrong!r} in target {name!r} is not a kind of machine"
            if wrong not in machines
            else f"target {name!r} names {len(settings)} kinds of machine",
            where=where,
            valid=", ".join(f"{_AND}{item}" for item in (*machines, NATIVE)),
            hint=did_you_mean(wrong, machines),
        )
    return settings[0]


def _address(name: str, place: str, where: str | None) -> SshAddress:
    user, at, rest = place.rpartition("@")
    if at and not _USER.fullmatch(user):
        raise _wrong(f"{user!r} in target {name!r} is not the name of a user", where)
    host, port = _host_and_port(name, rest, where)
    return SshAddress(host, user if at else None, port)


def _host_and_port(name: str, rest: str, where: str | None) -> tuple[str, int | None]:
    six = _SIX.match(rest)
    host, colon, port = (
        (six[0], *rest[six.end() :].partition(":")[1:]) if six else rest.partition(":")
    )
    if six and rest[six.end() :] and not colon:
        raise _wrong(f"{rest!r} in target {name!r} is not an address with a port", where)
    if not six and not _HOST.fullmatch(host):
        raise _wrong(f"{host!r} in target {name!r} is not the name of a host", where)
    return six[1] if six else host, _port(name, port, where) if colon else None


def _port(name: str, port: str, where: str | None) -> int:
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= _MOST_PORT):
        raise _wrong(f"{port!r} in target {name!r} is not a port: 1 to {_MOST_PORT}", where)
    return int(port)


def _wrong(problem: str, where: str | None) -> InputError:
    return InputError(problem, where=where, valid=f"{FORM}; an IPv6 address in brackets")
