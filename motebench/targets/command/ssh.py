"""``command:ssh:[user@]host``: programs that a Linux board has, as whole processes on files there.

Each process costs one question. What is to be written is kept until the next process starts, and
its output comes back with its account.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join, quote
from typing import Any

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind
from motebench.base.naming import SSH
from motebench.targets.base import (
    HASHES,
    Conditions,
    Disk,
    Session,
    Startable,
    Target,
    TargetRequest,
)
from motebench.targets.command.desk import OPENSSL, CommandPlace, ProcessAccount, process_account
from motebench.targets.command.openssl import OpensslProgram, look
from motebench.targets.command.session import CommandSession
from motebench.targets.host.cross_machines import cross_machines, cross_program
from motebench.targets.setup.building import LAUNCHER, build_cross_program
from motebench.targets.ssh import scripts as ssh_scripts
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.link import Unreachable, cleaned
from motebench.targets.ssh.name import parse
from motebench.targets.ssh.place import SshMachine
from motebench.targets.wire.messages import ProbeFailure

PREFIX = f"{CommandPlace.name}:"


class SshCommands(CommandPlace):
    """A board behind SSH. Its clock is watched; nothing is pinned."""

    def __init__(self, name: str, machine: SshMachine) -> None:
        self.name = name
        self.machine = machine
        self.apart = machine.apart
        self._program: OpensslProgram | None = None

    def environment(self) -> dict[str, Any]:
        """Facts of the board."""
        return self.machine.environment()

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """The clock of the board is watched."""
        del cpu
        return self.machine.conditions("none", seed)

    def disk(self, folder: str | None) -> Disk:
        """A folder of the board; one that the user named is there, not here."""
        return SshDisk(SshDesk(self.machine), self.machine, folder)

    def close(self) -> None:
        """End the connection, which removes all that was brought there."""
        self.machine.close()

    def open(self) -> Session:
        """A session with the board's ``openssl``. ProbeFailure if it is not there."""
        desk = SshDesk(self.machine)
        desk.check()
        if self._program is None:
            self._program = look(desk)
        return CommandSession(OPENSSL, self._program, desk)


def names() -> dict[str, str]:
    """Any number of boards."""
    return {}


def open_kind(request: TargetRequest) -> Target | None:
    """Target that the request names; None if this kind has no such target."""
    address = request.name.removeprefix(PREFIX)
    if not address.startswith(SSH):
        return None
    if not cross_machines():
        raise SetupError(
            "boards behind SSH need a checkout with motebench's sources", where=request.where
        )
    name = parse(address, request.where)
    place = SshCommands(
        request.name, SshMachine(address, SshConnection(name.address), name.machine, request.where)
    )
    offered: dict[str, Startable] = {OPENSSL: place}
    return Target(place, lambda: offered)


_FETCHED = 1 << 16
"""Bytes of an output that come back with the account."""
_IN_SCRIPT = 1 << 12
"""Bytes of a file that is written by the script itself; of several larger ones, one may come after
it."""
_SLACK = 30.0
"""Seconds that the connection may take in addition to the program."""
_FILE_SECONDS = 3600.0
_KEPT = 4000


class SshDesk:
    """Programs and files of one machine; paths are the machine's."""

    def __init__(self, machine: SshMachine) -> None:
        self._machine = machine
        self._before: list[str] = []
        """Lines of a script that are due before the next process."""
        self._data: tuple[str, bytes] | None = None
        self._known: dict[str, tuple[int | None, bytes]] = {}
        """Size and beginning of the outputs of the last process."""

    @property
    def architecture(self) -> str:
        """The architecture, as ``uname -m`` says."""
        return self._machine.architecture

    def check(self) -> None:
        """Bring the launcher there."""
        self._launcher()

    def which(self, program: str) -> str | None:
        """The path of a program."""
        path = self.script(f"command -v {quote(program)} || :").decode("utf-8", "replace").strip()
        return cleaned(path) if path.startswith("/") else None

    def output_of(self, command: Sequence[str]) -> str | None:
        """The output of a command."""
        output, status = self._call(f"{join(command)} 2>/dev/null </dev/null", b"", _SLACK)
        return output.decode("utf-8", "replace") if status == 0 else None

    @contextmanager
    def folder(self, parent: str | None) -> Iterator[str]:
        """A private folder, removed at the end; in ``parent``, or where temporary files go. It is
        made with the next process, and removed before the next but one, or with the connection."""
        self._open()
        connection = self._machine.connection
        folder = f"{parent or connection.folder}/k{connection.number()}"
        self._before.append(f"mkdir {quote(folder)} || exit 9")
        try:
            yield folder
        finally:
            self._before, self._data = [f"rm -rf -- {quote(folder)}"], None

    def write(self, path: str, data: bytes) -> None:
        """Make a file that only its owner can read."""
        if len(data) > _IN_SCRIPT and self._data is None:
            self._data = (path, data)
        else:
            octal = "".join(f"\\{byte:03o}" for byte in data)
            self._before.append(f"printf '{octal}' >{quote(path)} || exit 9")

    def run(
        self,
        command: Sequence[str],
        *,
        timeout: float,
        drop: str | None,
        flush: str | None,
        output: str,
    ) -> ProcessAccount:
        """Run a program to its end and account for it."""
        arguments = [
            self._launcher(),
            *(["-d", drop] if drop else []),
            *(["-s", flush] if flush else []),
            "--",
            *command,
        ]
        connection = self._machine.connection
        number = connection.number()
        run, errors = (
            quote(f"{connection.folder}/run/{number}"),
            quote(f"{connection.folder}/said-{number}"),
        )
        data = b""
        if self._data is not None:
            path, data = self._data
            self._before.append(f"cat >{quote(path)} || exit 9")
        before, self._before, self._data = self._before, [], None
        script = "\n".join(
            (
                *before,
                f"{join(arguments)} >{errors}.out 2>{errors} </dev/null & pid=$!",
                f"echo $pid >{run}; wait $pid; status=$?; rm -f {run}",
                f'echo "status $status"; echo "account $(head -n 1 {errors}.out)"',
                f"echo \"said $(tail -c {_KEPT} {errors} | tr '\\n' ' ')\"; rm -f {errors} "
                f"{errors}.out",
                f'[ ! -f {quote(output)} ] || echo "size $(wc -c <{quote(output)})"',
                f"echo content; [ ! -f {quote(output)} ] || head -c {_FETCHED} {quote(output)}",
            )
        )
        began = time.monotonic()
        try:
            answer, ended = self._call(script, data, timeout + _SLACK)
        except BaseException as error:
            self._end(number)
            if isinstance(error, ProbeFailure) and time.monotonic() - began > timeout:
                name = Path(command[0]).name
                raise ProbeFailure(
                    FailureKind.TIMEOUT, f"{name} did not end within {timeout:.3g} s"
                ) from None
            raise
        if ended != 0:
            raise ProbeFailure(FailureKind.LOST, "a small file cannot be written there")
        return self._read_account(Path(command[0]).name, answer, output)

    def _read_account(self, name: str, answer: bytes, output: str) -> ProcessAccount:
        head, _, content = answer.partition(b"content\n")
        facts = dict(
            line.partition(" ")[::2]
            for line in head.decode("utf-8", "replace").splitlines()
            if " " in line
        )
        size = facts.get("size", "").strip()
        self._known = {output: (int(size) if size.isascii() and size.isdigit() else None, content)}
        status = facts.get("status", "")
        if not status.isascii() or not status.isdigit():
            raise ProbeFailure(FailureKind.LOST, f"invalid resource report for {name}")
        # A shell reports the end by a signal as 128 and its number.
        code = int(status) if int(status) <= 128 else 128 - int(status)
        return process_account(
            name, code, facts.get("account", "") + "\n", cleaned(facts.get("said", "").strip())
        )

    def read(self, path: str, most: int) -> bytes:
        """The beginning of a file."""
        size, content = self._known.get(path, (None, b""))
        if size is not None and (size == len(content) or most <= len(content)):
            return content[:most]
        return self.script(f"head -c {most} {quote(path)}")

    def size(self, path: str) -> int | None:
        """Bytes of a file."""
        if path in self._known:
            return self._known[path][0]
        size = (
            self.script(f"[ ! -f {quote(path)} ] || wc -c <{quote(path)}")
            .decode("ascii", "replace")
            .strip()
        )
        return int(size) if size.isascii() and size.isdigit() else None

    def remove(self, path: str) -> None:
        """Remove the output before the next process."""
        self._known.pop(path, None)
        self._before.append(
            f"[ -h {quote(path)} ] || [ ! -f {quote(path)} ] || rm -f -- {quote(path)}"
        )

    def script(self, script: str, *, seconds: float = _FILE_SECONDS) -> bytes:
        """The output of a script there. ProbeFailure if it fails."""
        output, status = self._call(script, b"", seconds)
        if status != 0:
            message = cleaned(output[-_KEPT:].decode("utf-8", "replace").strip())
            kind = FailureKind.of(message, FailureKind.ERROR)
            raise ProbeFailure(kind, message or f"a script ended with {status} there")
        return output

    def _open(self) -> None:
        try:
            self._machine.connection.open()
        except Unreachable as trouble:
            raise trouble.failure() from None

    def _call(self, script: str, data: bytes, seconds: float) -> tuple[bytes, int]:
        try:
            return self._machine.connection.call(script, data=data, seconds=seconds)
        except Unreachable as trouble:
            raise trouble.failure() from None

    def _end(self, number: int) -> None:
        connection = self._machine.connection
        if connection.folder and not connection.given_up:
            try:
                connection.run(ssh_scripts.end(connection.folder, number))
            except Unreachable:
                return  # its keeper ends it

    def _launcher(self) -> str:
        """The path of the launcher there; built and brought there if necessary."""
        machine = self._machine.machine
        path = cross_program(machine, LAUNCHER)
        if path is None:
            problem = build_cross_program(machine, LAUNCHER)
            path = cross_program(machine, LAUNCHER)
            if path is None:
                raise ProbeFailure(
                    FailureKind.BUILD, f"{LAUNCHER} is not built for {machine}: {problem}"
                )
        try:
            name = self._machine.connection.send(path.read_bytes())
        except Unreachable as trouble:
            raise trouble.failure() from None
        return f"{self._machine.connection.folder}/{name}"


class SshDisk:
    """A `Disk`. ``parent``: a folder there that the user chose; None: where programs are."""

    def __init__(self, desk: SshDesk, machine: SshMachine, parent: str | None) -> None:
        self._desk, self._connection, self._parent = desk, machine.connection, parent
        self._made = ""
        self._opened = 0
        self._kind = ""

    @property
    def folder(self) -> str:
        """Made when first needed, and again after the connection broke. It goes when the
        connection's folder goes."""
        if not self._made or self._opened != self._connection.opened:
            self._desk.check()
            keeper, parent = self._connection.folder, self._parent or self._connection.folder
            output = self._desk.script(
                f"d=$(mktemp -d {quote(parent)}/{ssh_scripts.PREFIX}XXXXXX) || exit 9\n"
                f'( while [ -d {quote(keeper)} ]; do sleep 1; done; rm -rf -- "$d" ) </dev/null '
                ">/dev/null 2>&1 &\n"
                'stat -f -c %T "$d" 2>/dev/null || echo unknown\necho "$d"',
                seconds=_SLACK,
            )
            kind, _, made = output.decode("utf-8", "replace").strip().partition("\n")
            self._kind, self._made, self._opened = cleaned(kind), made, self._connection.opened
        return self._made

    def generated(self, size: int) -> str:
        """File of random bytes, made by the machine's generator; it is never sent."""
        path = f"{self.folder}/input-{size}"
        needed = 3 * size // 1024
        full = f"No space left on device: {needed} KiB are needed, $free are free"
        self._desk.script(
            f"[ ! -f {quote(path)} ] || exit 0\n"
            f"free=$(df -kP {quote(self.folder)} | tail -n 1 | tr -s ' ' | cut -d' ' -f4)\n"
            f'[ "$free" -ge {needed} ] || {{ echo "{full}"; exit 8; }}\n'
            f"head -c {size} /dev/urandom >{quote(path)}.part && mv {quote(path)}.part "
            f"{quote(path)}"
        )
        return path

    def named(self, path: str) -> str:
        """Refuse a file of this machine: it is not sent to the board."""
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"{Path(path).name} is a file of this machine and is not sent: give a size instead",
        )

    def output(self, name: str) -> str:
        """A path for an output."""
        return f"{self.folder}/{name}"

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        size = self._desk.size(path)
        if size is None:
            raise ProbeFailure(FailureKind.LOST, f"{Path(path).name} is gone")
        return size

    def same(self, first: str, second: str) -> bool:
        """True if two files have the same content."""
        return (
            self._desk.script(
                f"cmp -s {quote(first)} {quote(second)} && echo same || echo differ"
            ).strip()
            == b"same"
        )

    def digest(self, path: str, name: str) -> bytes | None:
        """The digest of a file by one of `HASHES`."""
        assert name in HASHES
        output = (
            self._desk.script(f"{name}sum <{quote(path)} 2>/dev/null | cut -d' ' -f1")
            .decode("ascii", "replace")
            .strip()
        )
        length = 2 * hashlib.new(name, usedforsecurity=False).digest_size
        return (
            bytes.fromhex(output)
            if len(output) == length and set(output) <= set("0123456789abcdef")
            else None
        )

    def remove(self, path: str) -> None:
        """Remove an output, if it is there."""
        self._desk.remove(path)

    def notes(self) -> list[str]:
        """Notes for readers of the run: the folder of the files, and how they were read."""
        if not self._made:
            return []
        memory = (
            ", which is in memory: nothing is read from a disk"
            if self._kind in ("tmpfs", "ramfs")
            else ""
        )
        return [f"{self._parent or self._made.rpartition('/')[0]} ({self._kind}{memory})"]

    def close(self) -> None:
        """Remove everything."""
        if self._made and self._opened == self._connection.opened and not self._connection.given_up:
            self._desk.script(f"rm -rf -- {quote(self._made)}")
        self._made = ""
