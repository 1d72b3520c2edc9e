"""What is wrong when a board cannot be reached: from what ``ssh`` says to a message with what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motebench.base.errors import SetupError, printable
from motebench.base.model import FailureKind
from motebench.targets.ssh.name import SshAddress
from motebench.targets.wire.messages import ProbeFailure

_QUOTED = 200
"""Characters of a line of ``ssh`` or of a board in a message."""
_CHANGED = "host identification has changed"


class Unreachable(Exception):  # noqa: N818 - becomes a result with a kind, or an error of the user's set-up
    """The board cannot be used. ``hint``: what to do. ``final``: another try would end in the same way.

    ``kind``: that of the failure of a case.
    """

    def __init__(
        self, what: str, hint: str | None = None, *, final: bool = True, kind: FailureKind = FailureKind.LOST
    ) -> None:
        super().__init__(what)
        self.what, self.hint, self.final, self.kind = what, hint, final, kind

    def failure(self) -> ProbeFailure:
        """As the failure of a case."""
        return ProbeFailure(self.kind, self.what + (f"; {self.hint}" if self.hint else ""))

    def error(self, where: str | None = None) -> SetupError:
        """As an error of the command."""
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
        "bad configuration option|bad owner or permissions|no such identity.*fatal|terminating, .* bad",
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


def reading(words: str, address: SshAddress) -> Unreachable:
    """What standard error of ``ssh`` means."""
    lines = [cleaned(line).removeprefix("ssh: ") for line in words.splitlines() if line.strip(" @\r\t")]
    for case in _CASES:
        said = next((line for line in reversed(lines) if re.search(case.pattern, line, re.IGNORECASE)), None)
        if said is not None:
            port = "" if address.port is None else f":{address.port}"
            known = f"'[{address.host}]{port}'" if port else address.host
            hint = case.hint.format(to=address.typed(), known=known) if case.hint else None
            return Unreachable(f"{address.host}: {case.what} (ssh: {said})", hint, final=case.final)
    said = f" (ssh: {lines[-1]})" if lines else ""
    return Unreachable(
        f"{address.host}: the connection ended before the board could be used{said}",
        f"`ssh {address.typed()} uname -m` must work first", final=False,
    )  # fmt: skip


def cleaned(text: str) -> str:
    """A line from elsewhere, short and without control characters."""
    line = " ".join(printable(re.sub("\x1b\\[[0-9;?]*[ -/]*[@-~]", "", text.replace("\t", " "))).split())
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED]}..."
