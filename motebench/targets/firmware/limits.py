"""Compilers under limits: a source that never ends is one failure and harms nothing else.

The limits are those of setrlimit(2), which every process that a compiler starts inherits.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.base.process import program
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True, slots=True)
class CompilerLimits:
    """Limits of one program and its children: address space of each process, and length of each
    file that it writes, in MiB; processor time of each process and elapsed time of all in seconds;
    ``idle``: elapsed time without computation."""

    memory: int = 2048
    file: int = 64
    processor: int = 120
    elapsed: int = 300
    idle: float = 15.0


LIMITS = CompilerLimits()


class LimitReached(ProbeFailure):
    """A program reached a limit, and would reach it again."""


@dataclass(frozen=True, slots=True)
class CompilerOutput:
    """The exit code of a program, and its output."""

    returncode: int
    stdout: str
    stderr: str


def run_limited(
    command: Sequence[str],
    given: str = "",
    limits: CompilerLimits = LIMITS,
    leaves: Path | None = None,
) -> CompilerOutput:
    """Run ``command`` under ``limits``. LimitReached if it reached one; ProbeFailure if it cannot
    be started.

    The program ends when this process ends, for whatever reason; the file ``leaves`` is then
    removed. Its output goes to files of limited length, so that none of it is in memory before the
    end.
    """
    with (
        tempfile.TemporaryFile() as source,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        source.write(given.encode())
        source.seek(0)
        try:
            with program(
                command,
                before=_shell(limits),
                leaves=leaves,
                streams=(source, out, err),
                environment={**os.environ, "LC_ALL": "C"},  # what it says is read here
            ) as process:
                _wait(process, limits)
        except OSError as error:
            raise ProbeFailure(
                FailureKind.of(error, FailureKind.BUILD), f"{command[0]}: {error.strerror}"
            ) from error
        except subprocess.TimeoutExpired as error:
            waited = (
                f"did not compute for {limits.idle:g} s: it waits, for example for a pipe that a "
                "source includes"
            )
            message = (
                waited if error.timeout == limits.idle else f"did not end within {limits.elapsed} s"
            )
            raise LimitReached(FailureKind.BUILD, f"{command[0]} {message}") from None
        texts = []
        for written in (out, err):
            written.seek(0)
            texts.append(written.read().decode("utf-8", "replace"))
    done = CompilerOutput(process.returncode, *texts)
    if done.returncode != 0 and (limit := _reached(done, limits)):
        message = " ".join(done.stderr.split())[-300:]
        raise LimitReached(
            FailureKind.BUILD,
            f"{command[0]} ran into its limit of {limit}" + f": {message}" * bool(message),
        )
    return done


def _wait(process: subprocess.Popen[bytes], limits: CompilerLimits) -> None:
    """Wait for the end. TimeoutExpired with the value of the limit after ``elapsed`` or
    ``idle``.
    """
    began = moved = time.monotonic()
    used = 0
    step = min(1.0, limits.idle / 4)
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(step)
            return
        now, more = time.monotonic(), _processor_time(process.pid)
        if more is None or more != used:
            used, moved = more or 0, now
        for limit, since in ((limits.idle, moved), (float(limits.elapsed), began)):
            if now - since >= limit:
                raise subprocess.TimeoutExpired(process.args, limit)


def _processor_time(session: int) -> int | None:
    """Processor time of all processes of a session in clock ticks; None if the system does not
    report it.
    """
    total = None
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # proc(5): after the name, which may contain any character, field 6 is the session, 14
            # to 17 are times.
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session:
                total = (total or 0) + sum(map(int, fields[11:15]))
    return total


def _shell(limits: CompilerLimits) -> str:
    """Commands of a shell that set the limits. POSIX counts files in blocks of 512 bytes. A lower
    existing limit stays.

    Only below the hard limit of processor time does the system send the signal that identifies it.
    """
    seconds = limits.processor
    settings = (
        "-c 0",
        f"-v {limits.memory << 10}",
        f"-f {limits.file << 11}",
        f"-H -t {seconds + 5}",
        f"-S -t {seconds}",
    )
    return "".join(f"ulimit {setting} 2>/dev/null; " for setting in settings)


_MEMORY = re.compile(r"out of memory|memory exhausted|cannot allocate memory|std::bad_alloc", re.I)
_SIGNALS = {signal.SIGXFSZ: "file", signal.SIGXCPU: "processor"}
_SIGNAL_WORDS = (
    ("File size limit exceeded", "file"),
    ("File too large", "file"),
    ("CPU time limit exceeded", "processor"),
)


def _reached(done: CompilerOutput, limits: CompilerLimits) -> str:
    """The limit that ended the program, as text; empty if none did."""
    number = -done.returncode if done.returncode < 0 else done.returncode - 128
    which = next((name for signal, name in _SIGNALS.items() if number == signal), "")
    which = which or next((name for message, name in _SIGNAL_WORDS if message in done.stderr), "")
    if which == "file":
        return f"{limits.file} MiB for a file that it writes"
    if which == "processor":
        return f"{limits.processor} s of processor time"
    return f"{limits.memory} MiB of memory" if _MEMORY.search(done.stderr) else ""
