"""One connection to a board through the user's own ``ssh``, shared by everything that runs there;
and the message when it fails, made of what ``ssh`` says.

The first session of the connection is a *keeper*: a shell on the board that answers beats, and
cleans up when they end. The scripts of the board's side are in ``scripts.py``.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import select
import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import SetupError, printable
from motebench.base.model import FailureKind
from motebench.base.process import TemporaryFolder, killed_with_us
from motebench.targets.ssh.name import SshAddress
from motebench.targets.wire.messages import ProbeFailure

_QUOTED = 200
"""Characters of a line of ``ssh`` or of a board in a message."""
_CHANGED = "host identification has changed"
PROGRAM = "MOTEBENCH_SSH"
"""Variable that names another ``ssh``, with arguments: ``ssh -F config``."""
_ALIVE, _MISSED = 15, 8
"""Seconds between questions of ssh to a silent server, and how many may stay without an answer: two
minutes."""
_OPTIONS = (
    "BatchMode=yes",
    f"ServerAliveInterval={_ALIVE}",
    f"ServerAliveCountMax={_MISSED}",
    "TCPKeepAlive=no",
    "ConnectTimeout=20",
    "LogLevel=ERROR",
    "RequestTTY=no",
    "RemoteCommand=none",
    "ClearAllForwardings=yes",
    "ControlPersist=no",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
)
SHELL = "sh -c 'read -r n; eval \"$(dd bs=1 count=$n 2>/dev/null)\"'"
"""The command that ssh asks for, whatever shell the user has there: it reads a script, and leaves
the rest of its input."""
LOGIN_SECONDS = 60.0
_BEAT_SECONDS = 30.0
"""Seconds between beats; the keeper gives up after five minutes without one."""
WATCH_SECONDS = 3.0
"""Seconds of waiting after which the link is checked for being held."""
_GRACE = 2.0
"""Seconds in which a beat is answered by a link that is not held."""
_END_SECONDS = 8.0
_MOST_ERRORS = 16 << 20
_NOISE = 1 << 16
"""Bytes that a login may print before the keeper speaks."""
_LONG_PATH = 50
"""Bytes of a folder's path that leave no room for a socket in it: the system allows about 100, and
ssh adds some."""


def client() -> list[str]:
    """The ``ssh`` to use, with its first arguments. `Unreachable` if it is not here."""
    command = shlex.split(os.environ.get(PROGRAM, "")) or ["ssh"]
    from shutil import which

    if which(command[0]) is None:
        raise Unreachable(
            f"the program {command[0]} is not installed",
            "apt-get install openssh-client; motebench doctor",
        )
    return command


def limited(command: list[str]) -> list[str]:
    """Command that may write at most 16 MiB into a file: standard error of the board goes into one
    here.
    """
    return ["/bin/sh", "-c", f'ulimit -f {_MOST_ERRORS // 512}; exec "$@"', "ssh", *command]


def preface(script: str) -> bytes:
    """A script as `SHELL` reads it."""
    data = script.encode()
    return b"%d\n%s" % (len(data), data)


class SshLink:
    """Open connection. `Unreachable` if it cannot be opened.

    ``script``: the keeper's; it prints lines that begin with ``{nonce}``, the last of them
    ``{nonce} ready``, and then echoes what it reads.
    """

    def __init__(self, address: SshAddress, script: Callable[[str], str]) -> None:
        self.address = address
        self.sessions = 0
        """Number of other sessions that use it now."""
        self.said: list[str] = []
        """Lines of the keeper."""
        self._folder = _socket_folder()
        self._socket = str(self._folder.path / "s")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the link
        self._lock = threading.Lock()
        self._stop, self.dead = threading.Event(), threading.Event()
        self._held = self._sent = 0.0
        self._number, self._answered = 0, 0
        nonce = secrets.token_hex(8)
        try:
            command = limited([*client(), "-M", "-S", self._socket, *self._options(), SHELL])
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
                cwd="/",
            )
        except BaseException as error:
            self._errors.close()
            self._folder.close()
            if isinstance(error, OSError):
                raise Unreachable(f"cannot start {client()[0]}: {error.strerror}") from None
            raise
        self._cleanup = killed_with_us(self._process.pid)
        try:
            self._greet(script(nonce), nonce)
        except BaseException:
            self.dead.set()
            self.close()
            self._process.stdout.close()  # type: ignore[union-attr] # it is a pipe
            raise
        for work in (self._listen, self._beats):
            threading.Thread(target=work, daemon=True).start()

    def command(self) -> list[str]:
        """The command that starts another session: a shell as `SHELL`."""
        return limited(
            [*client(), "-S", self._socket, "-o", "ControlMaster=no", *self._options(), SHELL]
        )

    @property
    def alive(self) -> bool:
        """True if the link is open, as far as is known: see `held`."""
        return not self.dead.is_set()

    def clock(self) -> float:
        """Seconds; they do not pass while the link is held, as far as beats show it."""
        with self._lock:
            now = time.monotonic()
            return now - self._held - self._waiting(now)

    def beat(self) -> None:
        """Ask the keeper for a sign of life, unless it has not answered the last question yet."""
        with self._lock:
            if self._number != self._answered or not self.alive or self._stop.is_set():
                return
            self._number += 1
            self._sent = time.monotonic()
            assert self._process.stdin is not None
            with contextlib.suppress(OSError, ValueError):
                self._process.stdin.write(b"%d\n" % self._number)

    def answers(self, seconds: float) -> bool:
        """True if the keeper answers a beat sent now; earlier output of the board has then
        arrived.
        """
        self.beat()
        with self._lock:
            number = self._number
        until = time.monotonic() + seconds
        while self.alive and time.monotonic() < until:
            if self._answered >= number:
                return True
            self.dead.wait(0.02)
        return False

    def words(self) -> str:
        """The end of the standard error of ssh."""
        if self._errors.closed:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - 4000))
        return self._errors.read().decode("utf-8", "replace")

    def trouble(self) -> Unreachable:
        """The reason of its end."""
        return reading(self.words(), self.address)

    def close(self) -> None:
        """End the keeper, which removes its files on the board, and the connection."""
        if self._stop.is_set():
            return
        self._stop.set()
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_END_SECONDS if self.alive else 0.5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, 9)
            process.wait()
        self.dead.set()
        self._cleanup.cancel()
        self._folder.close()
        self._errors.close()

    def _options(self) -> list[str]:
        options = [word for option in _OPTIONS for word in ("-o", option)]
        return [*options, "-T", *self.address.arguments()]

    def _greet(self, script: str, nonce: str) -> None:
        """Start the keeper, and read its lines."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):  # the end of ssh says more
            self._process.stdin.write(preface(script))
        data, until = b"", time.monotonic() + LOGIN_SECONDS
        ready = f"{nonce} ready".encode()
        while ready not in data:
            if not select.select(
                [self._process.stdout], [], [], max(0.0, until - time.monotonic())
            )[0]:
                raise Unreachable(
                    f"{self.address.host}: no login within {LOGIN_SECONDS:.0f} s",
                    f"`ssh {self.address.typed()} uname -m` must work first, without a question",
                    final=False,
                )
            more = os.read(self._process.stdout.fileno(), 4096)
            data += more
            if not more or len(data) > _NOISE:
                raise self._no_keeper(data)
        lines = data.decode("utf-8", "replace").splitlines()
        self.said = [
            line.removeprefix(f"{nonce} ") for line in lines if line.startswith(f"{nonce} ")
        ]

    def _no_keeper(self, data: bytes) -> Unreachable:
        """Error for a keeper that did not start: ssh's reason for a failed login, else the shell of
        the board.
        """
        status = self._process.poll()
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(2)
        if status == 255 or not data.strip():
            return self.trouble()
        last_line = cleaned(data.decode("utf-8", "replace").strip().splitlines()[-1])
        return Unreachable(
            f"{self.address.host}: it has no shell as motebench needs it; it says: {last_line}",
            "a login must start programs: Linux with a POSIX shell and BusyBox or more",
        )

    def _waiting(self, now: float) -> float:
        return max(0.0, now - self._sent - _GRACE) if self._number != self._answered else 0.0

    def _listen(self) -> None:
        """The answers of the keeper, until it ends."""
        stdout = self._process.stdout
        assert stdout is not None
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(stdout.fileno(), 4096):
                *lines, rest = (rest + data)[-_NOISE:].split(b"\n")
                for line in lines:
                    self._heard(line)
        self.dead.set()
        with contextlib.suppress(OSError):
            stdout.close()

    def _heard(self, line: bytes) -> None:
        with self._lock:
            if self._number != self._answered and line == b"%d" % self._number:
                self._held += self._waiting(time.monotonic())
                self._answered = self._number

    def _beats(self) -> None:
        while not self._stop.wait(_BEAT_SECONDS) and self.alive:
            self.beat()


def _socket_folder() -> TemporaryFolder:
    """A private folder whose path is short enough for a socket."""
    usual, short = Path(tempfile.gettempdir()), Path("/tmp")  # noqa: S108 - the folder in it is private
    return TemporaryFolder(
        short if len(os.fsencode(usual)) > _LONG_PATH and short.is_dir() else usual
    )


class Unreachable(SetupError):  # noqa: N818 - becomes a result with a kind, or an error of the user's set-up
    """Error: the board cannot be used. ``hint``: what to do. ``final``: another try would end in
    the same way.

    ``kind``: that of the failure of a case.
    """

    def __init__(
        self,
        problem: str,
        hint: str | None = None,
        *,
        final: bool = True,
        kind: FailureKind = FailureKind.LOST,
    ) -> None:
        super().__init__(problem, hint=hint)
        self.final, self.kind = final, kind

    def failure(self) -> ProbeFailure:
        """The failure of a case."""
        return ProbeFailure(self.kind, self.what + (f"; {self.hint}" if self.hint else ""))

    def error(self, where: str | None = None) -> SetupError:
        """The error of the command."""
        return SetupError(self.what, where=where, hint=self.hint)


@dataclass(frozen=True)
class _SshError:
    pattern: str
    what: str
    hint: str | None
    final: bool = True


_CASES = (
    _SshError(
        "could not resolve|name or service not known|nodename nor servname",
        "there is no host of that name",
        "is it spelt right, and in your network? `ssh {to}` must work first",
    ),
    _SshError(
        _CHANGED,
        "the key of the host has changed: it is another board, or was installed anew",
        "if you know why: ssh-keygen -R {known}; then `ssh {to}` once, and compare the new key",
    ),
    _SshError(
        "host key verification failed|no .* host key is known",
        "the key of the host is not known on this machine",
        "type `ssh {to}` once, and compare the key before you say yes",
    ),
    _SshError(
        "permission denied \\((password|keyboard-interactive)[^)a-z]*\\)",
        "it lets users in by password only",
        "motebench types no password: let it accept keys, then ssh-copy-id {to}",
    ),
    _SshError(
        "permission denied|too many authentication failures|no more authentication methods",
        "it does not accept your key",
        "ssh-copy-id {to}; a key with a passphrase must be in ssh-agent (ssh-add)",
    ),
    _SshError(
        "connection refused",
        "no SSH server answers there",
        "is the port right, and the server on? (on the board: systemctl status ssh)",
        final=False,
    ),
    _SshError(
        "timed out|no route to host|is unreachable|host is down|timeout",
        "it does not answer",
        "is it on, and in this network? `ssh {to}` must work first",
        final=False,
    ),
    _SshError(
        "bad configuration option|bad owner or permissions|no such identity.*fatal|terminating, "
        ".* bad",
        "ssh refuses your configuration of it",
        "mend the file that the message names",
    ),
    _SshError(
        "unix_listener|controlsocket|too long for unix domain socket",
        "ssh cannot share its connection",
        "set TMPDIR to a folder with a short name",
    ),
    _SshError(
        "connection (closed|reset)|kex_exchange_identification|broken pipe|banner exchange",
        "its SSH server closed the connection",
        "is it starting, or are there too many logins? Try again",
        final=False,
    ),
)


def reading(errors: str, address: SshAddress) -> Unreachable:
    """The message that standard error of ``ssh`` stands for."""
    lines = [
        cleaned(line).removeprefix("ssh: ") for line in errors.splitlines() if line.strip(" @\r\t")
    ]
    for case in _CASES:
        complaint = next(
            (line for line in reversed(lines) if re.search(case.pattern, line, re.IGNORECASE)), None
        )
        if complaint is not None:
            port = "" if address.port is None else f":{address.port}"
            entry = f"'[{address.host}]{port}'" if port else address.host
            hint = case.hint.format(to=address.typed(), known=entry) if case.hint else None
            return Unreachable(
                f"{address.host}: {case.what} (ssh: {complaint})", hint, final=case.final
            )
    complaint = f" (ssh: {lines[-1]})" if lines else ""
    return Unreachable(
        f"{address.host}: the connection ended before the board could be used{complaint}",
        f"`ssh {address.typed()} uname -m` must work first",
        final=False,
    )


def cleaned(text: str) -> str:
    """A line from elsewhere, short and without control characters."""
    line = " ".join(
        printable(re.sub("\x1b\\[[0-9;?]*[ -/]*[@-~]", "", text.replace("\t", " "))).split()
    )
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED]}..."
