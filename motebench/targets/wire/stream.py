"""Byte streams to probes: the interface that a session needs, and the stream of a child process."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, Protocol

from motebench.base.model import FailureKind
from motebench.base.process import TemporaryFolder, killed_with_us
from motebench.targets.wire.messages import ProbeFailure

_READ = 1 << 16
_STDERR_KEPT = 2000
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def signal_name(number: int) -> str:
    """``SIGSEGV``, or the number of a signal that has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return f"signal {number}"


def ready(descriptor: int, event: int, seconds: float) -> bool:
    """True if the descriptor is ready for writing or reading, or at its end, before the time is
    up.
    """
    watched = select.poll()
    watched.register(descriptor, event)
    return bool(watched.poll(max(0.0, seconds) * 1000))


class Stream(Protocol):
    """A two-way byte stream with a probe at the other end."""

    def now(self) -> float:
        """Seconds, by the clock of the deadlines: this machine's (time.monotonic), or another."""
        ...

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of ``data`` before ``deadline``; ProbeFailure if that fails."""
        ...

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; ``b""`` at the end of the stream; None if the deadline passed."""
        ...

    def exit_reason(self) -> ProbeFailure:
        """The reason of the stream's end."""
        ...

    def close(self) -> None:
        """End the probe, whatever it is doing."""
        ...


class Descriptors:
    """Reading and writing with time limits; subclasses open the descriptors and give the exit
    reason."""

    _in: int
    """Descriptor for requests; must not block."""
    _out: int
    """Descriptor for replies."""

    def now(self) -> float:
        """Time of this machine; see `Stream`."""
        return time.monotonic()

    def _reached(self, descriptor: int, event: int, deadline: float) -> bool:
        """True if the descriptor is ready before the deadline, which is by the stream's own
        clock.
        """
        while not ready(descriptor, event, deadline - self.now()):
            if self.now() >= deadline:
                return False
        return True

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of ``data``; see `Stream`."""
        view = memoryview(data)
        while view:
            if not self._reached(self._in, select.POLLOUT, deadline):
                raise ProbeFailure(FailureKind.TIMEOUT, "the probe does not read its requests")
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                continue
            except OSError:  # a broken pipe: the probe is gone
                raise self.exit_reason() from None

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; see `Stream`."""
        if not self._reached(self._out, select.POLLIN, deadline):
            return None
        try:
            return os.read(self._out, _READ)
        except BlockingIOError:
            return None
        except OSError:  # the serial port was unplugged
            return b""

    def exit_reason(self) -> ProbeFailure:
        """The reason of the stream's end; see `Stream`."""
        raise NotImplementedError


class Killable(Protocol):
    """A stream whose probe another thread can end."""

    def kill(self) -> None:
        """End it at once: a waiting reader sees that the stream has ended."""
        ...


_live: set[Killable] = set()
_live_lock = threading.Lock()


def live(stream: Killable) -> None:
    """The stream was opened."""
    with _live_lock:
        _live.add(stream)


def ended(stream: Killable) -> None:
    """The stream was closed."""
    with _live_lock:
        _live.discard(stream)


def end_probes() -> None:
    """End every probe with an open stream, whichever thread waits for its answer."""
    with _live_lock:
        for stream in _live:
            stream.kill()


class ProcessStream(Descriptors):
    """A probe as a child process, over its standard input and output."""

    _PATIENCE = 0.2
    """Seconds that it has for ending when its input ends."""

    def __init__(
        self, command: list[str], *, environment: dict[str, str] | None = None, alone: bool = False
    ) -> None:
        """Start the program. ``alone``: in an empty folder, without the environment of this
        process.
        """
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the stream
        try:
            # Gone before it can be written to
            with TemporaryFolder() if alone else contextlib.nullcontext() as folder:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._stderr,
                    bufsize=0,
                    cwd=folder,
                    env={**({} if alone else os.environ), **(environment or {})},
                    # motebench handles Ctrl-C between two samples, not the probe
                    start_new_session=True,
                )
        except OSError as error:
            self._stderr.close()
            raise ProbeFailure(
                FailureKind.CRASH, f"cannot start {Path(command[0]).name}: {error.strerror}"
            ) from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        # User code could block the signal that ends a probe together with its parent.
        self._cleanup = killed_with_us(self._process.pid) if alone else None
        live(self)

    def kill(self) -> None:
        """End the program at once. The owner of the session closes the stream."""
        self._process.kill()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def pin(self, core: int) -> None:
        """Keep the process on one core. A core that no longer exists changes nothing."""
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self._process.pid, {core})

    def exit_reason(self) -> ProbeFailure:
        """Name the signal or exit status, with the last output on standard error."""
        if not self._ends(2.0):
            return ProbeFailure(
                FailureKind.LOST, "the probe closed its stream but is still running"
            )
        status = self._process.wait()
        how = f"ended by {signal_name(-status)}" if status < 0 else f"exited with status {status}"
        last_words = self._last_words()
        return ProbeFailure(
            FailureKind.CRASH, f"the probe {how}" + (f": {last_words}" if last_words else "")
        )

    def _last_words(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_KEPT))
        return " ".join(_COLOUR.sub("", self._stderr.read().decode("utf-8", "replace")).split())

    def close(self) -> None:
        """Let the probe end at the end of its input; kill it if it does not."""
        if self._stderr.closed:
            return
        ended(self)
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        if not self._ends(self._PATIENCE):
            self._kill()
        process.wait()
        if self._cleanup is not None:
            self._cleanup.cancel()
        process.stdout.close()
        self._stderr.close()

    def _ends(self, seconds: float) -> bool:
        """True if the process ends in time. Its children end with it, while no other process can
        have its id.
        """
        until = time.monotonic() + seconds
        while self._process.returncode is None:
            if (
                os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
                is not None
            ):
                self._kill()
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(0.002)
        return True

    def _kill(self) -> None:
        """End the process and its children, which are one group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


class SimulatorStream(ProcessStream):
    """A simulated board, whose time limits do not depend on other work of this machine.

    Time passes while the simulator works. While it does not, because it waits for a processor or
    hangs, time passes at a fraction of that pace. A simulator that waits for input has read the
    whole request and will not answer it: that is a timeout, whatever the time limit.
    """

    _IDLE_PACE = 0.2
    _GLANCE = 0.5
    """Seconds from one look at a silent simulator to the next."""
    _GLANCES = 20
    """Looks in a row that find it waiting for input before it is given up."""
    _STACK_RAN_OVER = 8
    """Exit status of all simulators after a stack overflow: the firmware does not fit."""

    def __init__(self, command: list[str]) -> None:
        self._begun = time.monotonic()
        self._worked = 0.0
        super().__init__(command)

    def now(self) -> float:
        """Seconds since the start, by that clock."""
        passed = time.monotonic() - self._begun
        self._worked = max(self._worked, _processor_seconds(self._process.pid))
        return self._worked + self._IDLE_PACE * max(0.0, passed - self._worked)

    def _reached(self, descriptor: int, event: int, deadline: float) -> bool:
        waiting = 0
        while not ready(descriptor, event, min(deadline - self.now(), self._GLANCE)):
            if self.now() >= deadline:
                return False
            waiting = waiting + 1 if event == select.POLLIN and _sleeps(self._process.pid) else 0
            if waiting >= self._GLANCES:
                problem = (
                    "the simulated board waits for another request and has not answered this one"
                )
                raise ProbeFailure(FailureKind.TIMEOUT, problem)
        return True

    def exit_reason(self) -> ProbeFailure:
        """A stack overflow is not a defect of the firmware: it does not fit."""
        failure = super().exit_reason()
        if self._process.returncode != self._STACK_RAN_OVER:
            return failure
        problem = self._last_words().rpartition("motebench-sim-")[2].partition(": ")[2]
        return ProbeFailure(FailureKind.TOO_BIG, problem, ended=True)


def _processor_seconds(pid: int) -> float:
    """Processor time of a process: utime and stime, fields 14 and 15 of proc_pid_stat(5); 0 if it
    has ended."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _sleeps(pid: int) -> bool:
    """True if a process waits for an event, and neither works nor waits for a processor or a disk:
    field 3.
    """
    return _stat(pid)[:1] == ["S"]


def _stat(pid: int) -> list[str]:
    """The fields of proc_pid_stat(5) from the third on; none if the process has ended."""
    try:
        return (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8", errors="replace")
            .rpartition(")")[2]
            .split()
        )
    except OSError:
        return []
