"""A Linux board behind SSH: its connection, which is opened again after it broke, and its private
folder."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import re
import secrets
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from motebench.base.files.elf import loaded
from motebench.base.model import FailureKind
from motebench.targets.ssh import scripts as ssh_scripts
from motebench.targets.ssh.link import SshLink, Unreachable, cleaned, preface
from motebench.targets.ssh.name import SshAddress
from motebench.targets.wire.stream import ended, live

RETURN_SECONDS = 150.0
"""A board that was there and is gone may be starting: so long it is tried again."""
_BETWEEN_SECONDS = 3.0
_SCRIPT_SECONDS = 60.0
_SEND_SECONDS = 300.0
_SESSIONS = 8
"""Other sessions of one connection: OpenSSH's server allows ten in all (MaxSessions)."""
_MOST_SAID = 1 << 20
"""Bytes that a script may print."""
_FOLDER = re.compile(
    r"folder (/[^\x00-\x1f\x7f]{0,300}/\.motebench-[0-9]{0,12}-[0-9a-f]{0,8}-[A-Za-z0-9]{6})"
)
_NO_PLACE = {
    "writable": "cannot be written",
    "room": "has less than 4 MiB of room",
    "executable": "is mounted noexec",
}


@dataclass(frozen=True)
class BoardFacts:
    """Facts that a board states about itself; none is trusted. ``machine``: ``uname -m``.
    ``features``: words that ``/proc/cpuinfo`` lists as features of the processor. ``tools``:
    programs that are there."""

    system: str
    machine: str
    release: str
    cpus: int
    features: frozenset[str]
    tools: frozenset[str]
    cpuinfo: str


class SshConnection:
    """Connection to a board. Every method raises `Unreachable` if the connection is lost or the
    board cannot be used.
    """

    def __init__(self, address: SshAddress) -> None:
        self.address = address
        self.folder = ""
        """The private folder there; another one after each time the connection was opened."""
        self.opened = 0
        """Number of times that it was opened."""
        self._links: list[SshLink] = []
        self._sent: set[str] = set()
        self._numbers = 0
        self._gone: Unreachable | None = None
        self._ended = threading.Event()
        self._lock = threading.RLock()
        weakref.finalize(self, _close, self._links)

    def open(self) -> None:
        """Open it, or open it again, if it is not."""
        with self._lock:
            if self._links and self._links[0].alive:
                return
            if self._gone is not None:
                raise self._gone
            began = time.monotonic()
            while True:
                self._forget()
                try:
                    self._deploy()
                    return
                except Unreachable as trouble:
                    waited = time.monotonic() - began
                    again = (
                        self.opened > 0
                        and waited < RETURN_SECONDS
                        and trouble.kind is FailureKind.LOST
                    )
                    if not again:
                        self._gone = trouble if self.opened == 0 else self._lost(trouble, waited)
                        raise self._gone from None
                self._wait()

    @cached_property
    def facts(self) -> BoardFacts:
        """Facts that the board states about itself."""
        return _facts(self.run(ssh_scripts.FACTS))

    def run(self, script: str, *, data: bytes = b"", seconds: float = _SCRIPT_SECONDS) -> bytes:
        """Output, at most 1 MiB, of a POSIX shell script on the board. ``data``: its standard
        input.
        """
        return self.call(script, data=data, seconds=seconds)[0]

    def call(
        self, script: str, *, data: bytes = b"", seconds: float = _SCRIPT_SECONDS
    ) -> tuple[bytes, int]:
        """The same, with the exit status of the script."""
        with self.session() as link:
            return _run(link, script, data, seconds)

    @contextmanager
    def session(self) -> Iterator[SshLink]:
        """A link with room for one more session, which is within the context."""
        link = self.take()
        try:
            yield link
        finally:
            self.give(link)

    def take(self) -> SshLink:
        """A link with room for one more session, until `give`."""
        with self._lock:
            self.open()
            link = next(
                (link for link in self._links if link.alive and link.sessions < _SESSIONS), None
            )
            if link is None:
                link = SshLink(self.address, ssh_scripts.waiter)
                self._links.append(link)
            link.sessions += 1
            return link

    def give(self, link: SshLink) -> None:
        """The session has ended."""
        with self._lock:
            link.sessions -= 1

    def send(self, program: bytes) -> str:
        """Bring a program there, once; its name in the folder."""
        content = loaded(program)
        name = hashlib.sha256(content).hexdigest()[:32]
        with self._lock:
            self.open()
            if name not in self._sent:
                self._put(name, content)
                self._sent.add(name)
        return name

    @property
    def given_up(self) -> bool:
        """True if waiting for the board was given up."""
        return self._gone is not None

    def drop(self, folder: str) -> None:
        """Close the connection if that folder, which is gone, is its own; it is opened again when
        it is needed."""
        with self._lock:
            if folder == self.folder:
                self._forget()

    def number(self) -> int:
        """A number that no other program in the folder has."""
        with self._lock:
            self._numbers += 1
            return self._numbers

    def close(self) -> None:
        """End it; the board is left as it was. It is opened again when it is needed."""
        with self._lock:
            self._forget()

    def _put(self, name: str, content: bytes) -> None:
        tools = self.facts.tools
        packed = "gzip" in tools
        by = "sha256sum" if "sha256sum" in tools else "cksum"
        script = ssh_scripts.receive(self.folder, name, len(content), packed=packed, by=by)
        data = gzip.compress(content, 6) if packed else content
        output, status = self.call(script, data=data, seconds=_SEND_SECONDS)
        answer = output.decode("utf-8", "replace").split()
        if status != 0:
            why = cleaned(" ".join(answer)) or "not all of it arrived"
            kind = FailureKind.of(why, FailureKind.NO_ROOM if status == 8 else FailureKind.LOST)
            raise Unreachable(
                f"{self.address.host}: a program of {len(content)} B cannot be kept in "
                f"{self.folder}: {why}",
                "make room there, or set another folder free: /tmp, /var/tmp, ~/.cache",
                kind=kind,
            )
        right = hashlib.sha256(content).hexdigest() if by == "sha256sum" else str(_cksum(content))
        if not answer or answer[0] != right:
            raise Unreachable(
                f"{self.address.host}: a program did not arrive whole: its sum differs", final=False
            )

    def _deploy(self) -> None:
        link = SshLink(self.address, ssh_scripts.keeper)
        self._links.append(link)
        folder = next((match[1] for line in link.said if (match := _FOLDER.fullmatch(line))), None)
        if folder is None:
            raise self._no_folder(link.said)
        self.folder = folder
        self.opened += 1

    def _wait(self) -> None:
        """Wait before the next try. A run that is interrupted ends it, as it ends probes."""
        live(self)
        try:
            if self._ended.wait(_BETWEEN_SECONDS):
                self._gone = Unreachable(
                    f"{self.address.host}: the run ended while the board was waited for"
                )
                raise self._gone
        finally:
            ended(self)

    def kill(self) -> None:
        """Do not wait for the board any more."""
        self._ended.set()

    def _no_folder(self, lines: list[str]) -> Unreachable:
        tried = [
            line.split(" ", 2)[1:]
            for line in lines
            if line.startswith("not ") and line.count(" ") >= 2
        ]
        reasons = dict.fromkeys(
            f"{cleaned(path)} {_NO_PLACE.get(why, 'fails')}" for why, path in tried
        )
        full = any(why == "room" for why, _ in tried)
        return Unreachable(
            f"{self.address.host}: no folder there can take a program: "
            f"{'; '.join(reasons) or 'none was found'}",
            "make room, or let this user write and start programs in one of /tmp, /var/tmp, "
            "~/.cache",
            kind=FailureKind.NO_ROOM if full else FailureKind.UNSUPPORTED,
        )

    def _lost(self, trouble: Unreachable, waited: float) -> Unreachable:
        return Unreachable(
            f"{trouble.what}; the board did not come back within {waited:.0f} s", kind=trouble.kind
        )

    def _forget(self) -> None:
        """Close the rest of a connection. The keeper removes its folder on the board."""
        _close(self._links)
        self._sent.clear()
        self.folder = ""


def _close(links: list[SshLink]) -> None:
    while links:
        links.pop().close()


def _run(link: SshLink, script: str, data: bytes, seconds: float) -> tuple[bytes, int]:
    nonce = secrets.token_hex(8)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        given.write(preface(ssh_scripts.marked(script, nonce)) + data)
        given.seek(0)
        with subprocess.Popen(
            link.command(),
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            cwd="/",
        ) as process:
            assert process.stdout is not None
            try:
                output = _read(process.stdout.fileno(), link, seconds)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, 9)
        errors.seek(0)
        complaint = errors.read(4000).decode("utf-8", "replace")
    mark = nonce.encode()
    begin, end = output.find(mark + b"\n"), output.rfind(mark + b" ")
    status = output[end + len(mark) :].split()
    if begin < 0 or end < begin or not status or not status[0].isdigit():
        if not link.alive:
            raise link.trouble()
        host = link.address.host
        raise Unreachable(
            f"{host}: the board does not answer as a shell does: "
            f"{cleaned(complaint) or 'no words'}",
            final=False,
        )
    return output[begin + len(mark) + 1 : end], int(status[0])


def _read(descriptor: int, link: SshLink, seconds: float) -> bytes:
    """All bytes until the end of the stream. Time does not pass while the link is held."""
    import select

    data, until = b"", link.clock() + seconds
    while True:
        if select.select([descriptor], [], [], 1.0)[0]:
            more = os.read(descriptor, 1 << 16)
            data += more
            if not more:
                return data
            if len(data) > _MOST_SAID:
                raise Unreachable(f"{link.address.host}: the board says more than {_MOST_SAID} B")
        else:
            link.beat()
        if link.clock() >= until:
            raise Unreachable(f"{link.address.host}: no answer within {seconds:.0f} s", final=False)


def _facts(output: bytes) -> BoardFacts:
    head, _, cpuinfo = output[: 1 << 17].decode("utf-8", "replace").partition("\ncpuinfo\n")
    pairs = [line.partition("=")[::2] for line in head.splitlines()]
    values = dict(pairs)
    system, _, machine = values.get("uname", "").partition(" ")
    cpus = values.get("cpus", "")
    lists = re.findall(r"^(?:Features|flags|isa)\s*:\s*(.*)$", cpuinfo, re.MULTILINE)
    features = lists[0].replace("_", " ").split() if lists else []
    return BoardFacts(
        cleaned(system),
        cleaned(machine),
        cleaned(values.get("release", "")),
        int(cpus) if cpus.isascii() and cpus.isdigit() and len(cpus) < 5 else 0,
        frozenset(features[:500]),
        frozenset(value for key, value in pairs if key == "tool"),
        cpuinfo,
    )


def _cksum(data: bytes) -> int:
    """The sum of POSIX cksum(1): CRC-32 of the polynomial 0x04C11DB7, of the data and its
    length."""
    table = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
        table.append(value & 0xFFFFFFFF)
    total, length = 0, len(data)
    tail = length.to_bytes((length.bit_length() + 7) // 8, "little")
    for part in (data, tail):
        for byte in part:
            total = ((total << 8) & 0xFFFFFFFF) ^ table[(total >> 24) ^ byte]
    return total ^ 0xFFFFFFFF
