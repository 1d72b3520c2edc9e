"""Runs one program as a whole process and accounts for it, through a small launcher (``core/launcher/launch.c``).

The launcher is necessary because on Linux a process inherits the peak memory of its parent; see its source.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from motebench.base.model import FailureKind
from motebench.base.paths import probe_dirs
from motebench.targets.setup.building import LAUNCHER, build_program
from motebench.targets.wire.messages import ProbeFailure

_KEPT = 4000
"""Bytes of a program's last output that are kept."""
_ACCOUNT = re.compile(r"elapsed=(\d+) user=(\d+) system=(\d+) peak=(\d+) status=(\d+)\n")


@dataclass(frozen=True, slots=True)
class ProcessAccount:
    """What a process cost, and how it ended.

    Times in ns, ``peak`` resident memory in bytes. ``status`` is the exit status; ``words`` what it printed, on either
    stream, in one line.
    """

    elapsed: int
    user: int
    system: int
    peak: int
    status: int
    words: str


def launcher() -> Path:
    """The launcher, built if necessary. ProbeFailure if that fails."""
    found = _found()
    if found is None:
        problem = build_program(LAUNCHER)
        found = _found()
        if found is None:
            why = f"; {problem}" if problem else ""
            raise ProbeFailure(FailureKind.BUILD, f"{LAUNCHER} is not built: make setup{why}")
    return found


def _found() -> Path | None:
    paths = (folder / LAUNCHER for folder in probe_dirs())
    return next((path for path in paths if path.is_file() and os.access(path, os.X_OK)), None)


def run(command: Sequence[str], *, timeout: float, drop: str | None = None, flush: str | None = None) -> ProcessAccount:
    """Run a program to its end; its first word is an absolute path, and no shell sees any of it.

    ``drop``: a file that is dropped from the page cache first. ``flush``: a file that is flushed to its device before
    the clock stops. ProbeFailure if the program cannot be started, is ended by a signal or by the time limit.
    """
    words = [str(launcher())]
    words += ["-d", drop] if drop else []
    words += ["-s", flush] if flush else []
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                [*words, "--", *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
                env={**os.environ, "LC_ALL": "C"},  # its output is read here
                start_new_session=True,  # so that it can be ended together with its program; Ctrl-C is handled here
            )
        except OSError as error:
            raise ProbeFailure(FailureKind.CRASH, f"cannot start {LAUNCHER}: {error.strerror}") from error
        try:
            account = process.communicate(timeout=timeout)[0].decode("ascii", "replace")
        except subprocess.TimeoutExpired:
            raise ProbeFailure(FailureKind.TIMEOUT, f"{name} did not end within {timeout:.3g} s") from None
        finally:
            _end(process)
        return finished(name, process.returncode, account, _last_words(said))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the launcher and its program, if they still run."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _last_words(said: IO[bytes]) -> str:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - _KEPT))
    return " ".join(said.read().decode("utf-8", "replace").split())


def finished(name: str, code: int, account: str, words: str) -> ProcessAccount:
    """The launcher's account; ``code``: how it ended itself. ProbeFailure if the program did not end by itself."""
    found = _ACCOUNT.fullmatch(account)
    if code != 0:
        # It reports errors itself, unless a signal ended it.
        kind = FailureKind.CRASH if code < 0 else FailureKind.ERROR
        raise ProbeFailure(kind, words or f"{LAUNCHER} ended with {code}")
    if found is None:
        raise ProbeFailure(FailureKind.LOST, f"invalid resource report for {name}: {account[:100]!r}")
    elapsed, user, system, peak, status = map(int, found.groups())
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            by = signal.Signals(number).name
        except ValueError:  # real-time signals have no name
            by = f"signal {number}"
        raise ProbeFailure(FailureKind.CRASH, f"{name} was ended by {by}" + (f": {words}" if words else ""))
    return ProcessAccount(elapsed, user, system, peak, os.waitstatus_to_exitcode(status), words)
