"""Byte streams to probes: what a session needs of the world, and the one that speaks to a child process."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Protocol

from motebench.model import FailureKind
from motebench.wire.messages import ProbeFailure

_READ = 1 << 16
_STDERR_KEPT = 2000


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return f"signal {number}"


def _ready(descriptor: int, event: int, seconds: float) -> bool:
    """Whether the descriptor can be written or read, or has come to its end, before the time is up."""
    watched = select.poll()
    watched.register(descriptor, event)
    return bool(watched.poll(max(0.0, seconds) * 1000))


class Stream(Protocol):
    """A two-way byte stream with a probe at the other end."""

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of ``data`` before ``deadline`` (time.monotonic); ProbeFailure if that cannot be done."""
        ...

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; ``b""`` at the end of the stream; None if the deadline passed."""
        ...

    def epitaph(self) -> ProbeFailure:
        """Why the stream ended."""
        ...

    def close(self) -> None:
        """End the probe, whatever it is doing."""
        ...


class Descriptors:
    """Reading and writing without waiting for longer than asked; what is left is to open, and to say why it ended."""

    _in: int
    """Where requests are written; must not block."""
    _out: int
    """Where replies are read."""

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of ``data``; see `Stream`."""
        view = memoryview(data)
        while view:
            left = deadline - time.monotonic()
            if not _ready(self._in, select.POLLOUT, left):
                raise ProbeFailure(FailureKind.TIMEOUT, "the probe does not read its requests")
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                continue
            except OSError:  # a broken pipe: the probe is gone
                raise self.epitaph() from None

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; see `Stream`."""
        if not _ready(self._out, select.POLLIN, deadline - time.monotonic()):
            return None
        try:
            return os.read(self._out, _READ)
        except BlockingIOError:
            return None
        except OSError:  # a serial port that was unplugged
            return b""

    def epitaph(self) -> ProbeFailure:
        """Why the stream ended; see `Stream`."""
        raise NotImplementedError


class ProcessStream(Descriptors):
    """A probe as a child process, over its standard input and output."""

    def __init__(self, command: list[str], *, environment: dict[str, str] | None = None) -> None:
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the stream
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                env={**os.environ, **(environment or {})},
                start_new_session=True,  # Ctrl-C is handled here, between two samples, not by the probe
            )
        except OSError as error:
            self._stderr.close()
            raise ProbeFailure(FailureKind.CRASH, f"cannot start {Path(command[0]).name}: {error.strerror}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._in, False)

    def epitaph(self) -> ProbeFailure:
        """Name the signal or exit status, with the last words from standard error."""
        try:
            status = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return ProbeFailure(FailureKind.LOST, "the probe closed its stream but is still running")
        how = f"ended by {_signal_name(-status)}" if status < 0 else f"exited with status {status}"
        words = self._last_words()
        return ProbeFailure(FailureKind.CRASH, f"the probe {how}" + (f": {words}" if words else ""))

    def _last_words(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_KEPT))
        return " ".join(self._stderr.read().decode("utf-8", "replace").split())

    def close(self) -> None:
        """Let the probe end by itself at the end of its input; kill it if it does not."""
        if self._stderr.closed:
            return
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        self._stderr.close()
