"""A probe on a board behind SSH, over the standard streams of an SSH session."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Mapping, Sequence

from motebench.base.model import FailureKind
from motebench.targets.ssh import scripts as ssh_scripts
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.link import WATCH_SECONDS, preface
from motebench.targets.ssh.trouble import Unreachable, cleaned
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import ProcessStream, ready, signal_name

_START_SECONDS = 30.0
_NOISE = 1 << 16
"""Bytes that a login may print before the probe starts."""
_CONFIRM_SECONDS = 130.0
"""ssh notices a dead link after two minutes."""
_HANDED_ON_SECONDS = 0.3
"""Seconds for ssh to hand on what has arrived."""
_CANNOT_START = (126, 127)
_SIGNALLED = 128
_ILLEGAL = 132
_OF_A_SHUTDOWN = (1, 9, 15)
"""Signals that a system which goes down sends to programs, before it ends the connection."""
_SHUTDOWN_SECONDS = 3.0


class LinkLost(ProbeFailure):
    """The connection ended, not the probe: the request may be sent again over another one."""

    def __init__(self, message: str) -> None:
        super().__init__(FailureKind.LOST, message, ended=True)


class SshStream(ProcessStream):
    """See `motebench.targets.wire.stream.Stream`. ProbeFailure if the program cannot be started."""

    def __init__(
        self,
        connection: SshConnection,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        core: int | None = None,
        alone: bool = False,
    ) -> None:
        """``command``: a program of the folder there, with its arguments. ``core``: where it is kept. ``alone``: in an
        empty folder, without variables of the login."""
        self._connection = connection
        try:
            self._link = connection.take()
        except Unreachable as trouble:
            raise trouble.failure() from None
        self._folder, self._run = connection.folder, connection.number()
        self._nonce = secrets.token_hex(8)
        self._ahead = b""
        self._taken = True
        try:
            super().__init__(self._link.command())
        except BaseException:
            self._release()
            raise
        script = ssh_scripts.launch(self._folder, self._run, self._nonce, command, environment, core=core, alone=alone)
        try:
            self._begin(script)
        except BaseException:
            self.close()
            raise

    def now(self) -> float:
        """Seconds; they do not pass while the link is held."""
        return self._link.clock()

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; see `Stream`."""
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        return super().receive(deadline)

    def exit_reason(self) -> ProbeFailure:
        """Why the stream ended: the exit status of the probe there, or the end of the link."""
        if not self._ends(5.0) and self._link.alive:
            return ProbeFailure(FailureKind.LOST, "the probe closed its stream but is still running")
        words = self._spoken()
        status = re.search(rf"{self._nonce} end (\d{{1,3}})\b", words)
        if status is None:
            return self._end_of_link(words)
        number, said = int(status[1]), cleaned(words[: status.start()])
        if number in _CANNOT_START or number == _ILLEGAL:
            how = "is not for this processor, or cannot be started there"
            return ProbeFailure(FailureKind.UNSUPPORTED, f"the probe {how}: {said or signal_name(4)}", ended=True)
        how = f"exited with status {number}"
        if number - _SIGNALLED in _OF_A_SHUTDOWN and self._link.dead.wait(_SHUTDOWN_SECONDS):
            return self._end_of_link(words)
        if number > _SIGNALLED:
            how = f"ended by {signal_name(number - _SIGNALLED)}"
            if number - _SIGNALLED == 9:
                how += " (the board may have had too little memory)"
        return ProbeFailure(FailureKind.CRASH, f"the probe {how}" + (f": {said}" if said else ""))

    def close(self) -> None:
        """Let the probe end at the end of its input; kill it there if it does not."""
        if not self._taken:
            return
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        ended = self._link.alive and self._ends(0.5) and f"{self._nonce} end" in self._spoken()
        super().close()
        if not ended and self._link.alive and self._connection.folder == self._folder:
            with contextlib.suppress(Unreachable):
                self._connection.run(ssh_scripts.end(self._folder, self._run), seconds=10)
        self._release()

    def _release(self) -> None:
        if self._taken:
            self._taken = False
            self._connection.give(self._link)

    def _begin(self, script: str) -> None:
        """Start the program; what it says before is of the login."""
        deadline, data = self.now() + _START_SECONDS, b""
        super().send(preface(script), deadline)
        while True:
            found = re.search(rb"%s ([a-z0-9]{1,12})\n" % self._nonce.encode(), data)
            if found:
                break
            more = super().receive(deadline)
            if more is None or len(data) > _NOISE:
                raise ProbeFailure(FailureKind.LOST, "the board starts no program")
            if not more:
                raise self.exit_reason()
            data += more
        if not found[1].isdigit():
            self._connection.drop(self._folder)
            raise LinkLost("the folder of the probes on the board is gone: it was removed, or the board restarted")
        self._ahead = data[found.end() :]

    def _reached(self, descriptor: int, event: int, deadline: float) -> bool:
        """Whether the descriptor is ready in time. A link that is held is waited for, until ssh gives it up."""
        while not ready(descriptor, event, min(WATCH_SECONDS, deadline - self.now())):
            if self.now() < deadline:
                self._link.beat()
            # When the keeper answers, everything that the board sent before has arrived.
            elif not self._link.answers(_CONFIRM_SECONDS) or self.now() >= deadline:
                return ready(descriptor, event, _HANDED_ON_SECONDS)
        return True

    def _end_of_link(self, words: str) -> ProbeFailure:
        self._link.dead.wait(1.0)
        if not self._link.alive:
            return LinkLost(f"the connection to the board ended: {cleaned(self._link.words()) or cleaned(words)}")
        return LinkLost(f"the session on the board ended: {cleaned(words) or 'ssh says nothing'}")

    def _spoken(self) -> str:
        return "" if self._stderr.closed else self._last_words()
