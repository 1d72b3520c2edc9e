"""Fleet files: their model (an unknown key is an error), the targets that names of boards mean,
which boards answer.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from motebench.base.errors import InputError, MotebenchError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.documents.listing import BoardEntry, BoardsEntry
from motebench.targets.registry import open_target, own_targets

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            "a name has letters, digits, '.', '_' and '-', at most 64, and begins with a letter "
            "or digit"
        )
    return name


def _address(text: str) -> str:
    if not re.fullmatch(r"(tls|tcp)://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+):\d{1,5}", text):
        raise ValueError(
            "an address is tls://HOST:PORT, or tcp://127.0.0.1:PORT on one machine alone"
        )
    return text


Name = Annotated[str, AfterValidator(_named)]


class _Strict(BaseModel):
    # A command uses few of the models that it imports: each is built when it is used first.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class FleetBoard(_Strict):
    """Board of a fleet. ``target``: as in studies. ``at``: the lab host that it is connected to;
    without one, the machine that runs the study. ``instrument``: its power meter.
    """

    target: Annotated[str, Field(min_length=1)]
    at: Name | None = None
    instrument: str | None = None


class LabHost(_Strict):
    """A lab host. ``cores``: simulated boards that it computes at once; all its processors if it
    says nothing.
    """

    cores: Annotated[int, Field(ge=0, le=1024)] | None = None


class Scheduler(_Strict):
    """Meeting point of workers and studies. ``tls``: the folder of `motebench fleet keys`, relative
    to the file.
    """

    address: Annotated[str, AfterValidator(_address)]
    tls: str | None = None


class FleetFile(_Strict):
    """A fleet file."""

    board: Annotated[dict[Name, FleetBoard], Field(min_length=1)]
    group: dict[Name, Annotated[tuple[str, ...], Field(min_length=1)]] = {}
    host: dict[Name, LabHost] = {}
    scheduler: Scheduler | None = None


GROUP = "@"
ALL = "all"


@dataclass(frozen=True)
class Fleet:
    """A lab: its boards and groups by name, lab hosts with the number of simulated boards each
    computes at once (None: its processors), and where its workers meet."""

    path: Path
    boards: Mapping[str, FleetBoard]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hosts: Mapping[str, int | None] = field(default_factory=dict)
    scheduler: Scheduler | None = None

    @property
    def tls(self) -> Path | None:
        """The folder with keys and certificates; None on one machine alone."""
        return (
            None
            if self.scheduler is None or not self.scheduler.tls
            else self.path.parent / self.scheduler.tls
        )

    def targets(self, names: Iterable[str], where: str | None = None) -> tuple[str, ...]:
        """The targets that these names mean, each once: a board by its name, a group by ``@group``,
        every board by ``@all``; other names are targets already."""
        targets: dict[str, None] = {}
        for name in names:
            if name.startswith(GROUP):
                targets |= dict.fromkeys(
                    self.boards[member].target for member in self.members(name[1:], where)
                )
            else:
                targets[
                    self.boards[name].target if name in self.boards else self._target(name, where)
                ] = None
        return tuple(targets)

    def members(self, group: str, where: str | None = None) -> tuple[str, ...]:
        """Boards of a group. InputError for an unknown group."""
        if group == ALL:
            return tuple(self.boards)
        if group not in self.groups:
            groups = [f"{GROUP}{name}" for name in (ALL, *self.groups)]
            raise InputError(
                f"the fleet has no group {GROUP + group!r}",
                where=where,
                valid=", ".join(groups),
                hint=did_you_mean(f"{GROUP}{group}", groups),
            )
        return self.groups[group]

    def named(self, targets: Iterable[str]) -> dict[str, str]:
        """Names of boards by target, for the targets that are boards."""
        asked_targets = set(targets)
        return {
            board.target: name
            for name, board in self.boards.items()
            if board.target in asked_targets
        }

    def _target(self, name: str, where: str | None) -> str:
        """Target of a name that is no board; the error for a misspelt board names the boards."""
        if ":" not in name and name not in own_targets():
            names = [*self.boards, *(f"{GROUP}{group}" for group in (ALL, *self.groups))]
            raise InputError(
                f"unknown board or target {name!r}",
                where=where,
                valid=f"{', '.join(names)}, or a target",
                hint=did_you_mean(name, names),
            )
        return name


def load(path: Path) -> Fleet:
    """The fleet in a TOML file. InputError with file, line and key if it is invalid."""
    document = toml.load(path)
    read = toml.validate(document, FleetFile)
    seen: dict[str, str] = {}
    for name, board in read.board.items():
        at = document.where(("board", name, "target"))
        if name in own_targets():
            raise InputError(
                f"{name!r} is the name of a target",
                where=document.where(("board", name)),
                valid="a name of its own",
            )
        open_target(board.target, where=at)
        if board.target in seen:
            raise InputError(
                f"boards {seen[board.target]!r} and {name!r} are one target",
                where=at,
                valid="another one",
            )
        seen[board.target] = name
        if board.at is not None and board.at not in read.host:
            raise InputError(
                f"there is no lab host {board.at!r}",
                where=document.where(("board", name, "at")),
                valid=", ".join(read.host) or "a table [host.NAME]",
                hint=did_you_mean(board.at, read.host),
            )
    for name, members in read.group.items():
        where = document.where(("group", name))
        if name == ALL:
            raise InputError(
                f"{GROUP}{ALL} is every board already", where=where, valid="another name"
            )
        for member in members:
            if member not in read.board:
                raise InputError(
                    f"there is no board {member!r}",
                    where=where,
                    valid=", ".join(read.board),
                    hint=did_you_mean(member, read.board),
                )
    if read.host and read.scheduler is None:
        raise InputError(
            "lab hosts need a scheduler, where their workers and a study meet",
            where=document.where(("host",)),
            valid='[scheduler] with address = "tls://HOST:8786" and tls = "keys"',
        )
    if read.scheduler is not None:
        _protected(read.scheduler, document.where(("scheduler", "address")))
    hosts = {name: host.cores for name, host in read.host.items()}
    return Fleet(path, read.board, read.group, hosts, read.scheduler)


def _protected(scheduler: Scheduler, where: str) -> None:
    """InputError unless the address is protected by TLS, or reached from one machine alone."""
    kind, _, rest = scheduler.address.partition("://")
    host, _, port = rest.rpartition(":")
    if not 0 < int(port) < 2**16:
        raise InputError(f"there is no port {port}", where=where, valid="1 to 65535")
    if kind == "tls" and not scheduler.tls:
        raise InputError(
            "TLS needs keys and certificates",
            where=where,
            valid='tls = "FOLDER"',
            hint="motebench fleet keys FILE",
        )
    if kind == "tcp" and scheduler.tls:
        raise InputError(
            "tcp:// does not use the keys of tls", where=where, valid="tls://HOST:PORT"
        )
    if kind == "tcp" and not _loopback(host):
        raise InputError(
            f"without TLS, every machine on the network could send tasks to {host}",
            where=where,
            valid=f"tls://{host}:{port} with tls, or tcp://127.0.0.1:{port} on one machine alone",
            hint="motebench fleet keys FILE makes keys and certificates",
        )


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class Seen:
    """A board that was looked at: its model, or why it does not answer."""

    model: str | None = None
    problem: str | None = None


def look(target: str) -> Seen:
    """Look at a board from here. Nothing is uploaded and nothing is measured."""
    try:
        place = open_target(target).place
        try:
            facts, device = place.environment(), place.device
        finally:
            place.close()
    except MotebenchError as error:
        return Seen(problem=": ".join(filter(None, (error.what, error.hint))))
    host = facts.get("host")
    host_facts = host if isinstance(host, dict) else {}
    model = (
        device.name
        if device is not None
        else host_facts.get("board") or host_facts.get("cpu_model")
    )
    return Seen(model=str(model) if model else place.name)


def document(fleet: Fleet, seen: Mapping[str, Seen]) -> BoardsEntry:
    """Every board of the fleet. ``seen``: by name, those that could be looked at."""
    entries = []
    for name, board in fleet.boards.items():
        view = seen.get(name)
        entries.append(
            BoardEntry(
                board=name,
                target=board.target,
                at=board.at,
                groups=tuple(group for group, members in fleet.groups.items() if name in members),
                instrument=board.instrument,
                reachable=None if view is None else view.problem is None,
                model=None if view is None else view.model,
                problem=None if view is None else view.problem,
            )
        )
    return BoardsEntry(boards=tuple(entries))
