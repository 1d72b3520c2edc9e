"""``command``: programs of this machine; each operation is a whole process on files, measured from
outside."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

from motebench.base.model import FailureKind
from motebench.base.naming import VARIANT
from motebench.base.paths import probe_dirs, setup_line
from motebench.base.process import TemporaryFolder
from motebench.targets.base import Session, Startable, Target, TargetRequest
from motebench.targets.command.desk import OPENSSL, CommandPlace, ProcessAccount, process_account
from motebench.targets.command.openssl import PROGRAM, OpensslProgram, look
from motebench.targets.command.session import CommandSession
from motebench.targets.host.programs import variants
from motebench.targets.setup.building import LAUNCHER, build_program
from motebench.targets.wire.messages import ProbeFailure

_SECONDS = 15.0
_KEPT = 4000
"""Bytes of a program's last output that are kept."""


@dataclass(frozen=True, slots=True)
class OpenSsl:
    """Program ``openssl`` on PATH, under its name or that of a variant, and the variant's
    environment.
    """

    name: str = OPENSSL
    environment: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> Session:
        """Examine the program. ProbeFailure if it, or the launcher, is unavailable."""
        desk = LocalDesk(self.environment)
        desk.check()  # without the launcher nothing can be measured: fail now
        path = shutil.which(PROGRAM)
        file = Path(path).stat() if path else None
        return CommandSession(
            self.name, _examined(path, file and (file.st_ino, file.st_size, file.st_mtime_ns)), desk
        )


@cache
def _examined(path: str | None, identity: tuple[int, int, int] | None) -> OpensslProgram:
    del path, identity  # another program on PATH is examined again
    return look(LocalDesk())


def _offered() -> dict[str, Startable]:
    if shutil.which(PROGRAM) is None:
        return {}
    programs: dict[str, Startable] = {OPENSSL: OpenSsl()}
    for variant in variants(LocalDesk.architecture).values():
        if variant.implementation == PROGRAM:
            name = f"{OPENSSL}{VARIANT}{variant.name}"
            programs[name] = OpenSsl(name, variant.environment)
    return programs


def command_target() -> Target:
    """The target ``command``."""
    return Target(CommandPlace(), _offered)


def names() -> dict[str, str]:
    """The available targets of this kind, each with a description."""
    return {CommandPlace.name: "programs of this machine, as whole processes on files"}


def open_kind(request: TargetRequest) -> Target:
    """Target that the request names; None if this kind has no such target."""
    del request
    return command_target()


class LocalDesk:
    """Programs of this machine. ``environment``: variables of programs in addition to those of this
    process.
    """

    architecture = platform.machine()

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(environment or {})

    def check(self) -> None:
        """Check whether something can be measured: the launcher is there."""
        launcher()

    def which(self, program: str) -> str | None:
        """The path of a program."""
        return shutil.which(program)

    def output_of(self, command: Sequence[str]) -> str | None:
        """The output of a command."""
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    @contextmanager
    def folder(self, parent: str | None) -> Iterator[str]:
        """A private folder, removed at the end; in ``parent``, or where temporary files go. One in
        ``parent`` is removed with that in any case.
        """
        try:
            made = (
                TemporaryFolder()
                if parent is None
                else Path(tempfile.mkdtemp(prefix=".motebench-", dir=parent))
            )
        except OSError as error:
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"cannot make a folder for keys: {error.strerror}") from error
        try:
            yield str(made if isinstance(made, Path) else made.path)
        finally:
            if isinstance(made, Path):
                shutil.rmtree(made, ignore_errors=True)
            else:
                made.close()

    def write(self, path: str, data: bytes) -> None:
        """Make a file that only its owner can read."""
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(data)
        except OSError as error:
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"cannot write {Path(path).name}: {error.strerror}") from error

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
        del output
        return run(command, timeout=timeout, drop=drop, flush=flush, environment=self._environment)

    def read(self, path: str, most: int) -> bytes:
        """The beginning of a file."""
        with Path(path).open("rb") as written:
            return written.read(most)

    def size(self, path: str) -> int | None:
        """Bytes of a file."""
        try:
            return Path(path).stat().st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"{Path(path).name}: {error.strerror}") from error

    def remove(self, path: str) -> None:
        """Remove an output, if it is a regular file."""
        with suppress(OSError):
            if stat.S_ISREG(os.lstat(path).st_mode):
                Path(path).unlink()


def launcher() -> Path:
    """The launcher, built if necessary. ProbeFailure if that fails."""
    path = _found()
    if path is None:
        problem = build_program(LAUNCHER)
        path = _found()
        if path is None:
            why = f"; {problem}" if problem else ""
            raise ProbeFailure(FailureKind.BUILD, f"{LAUNCHER} is not built: {setup_line()}{why}")
    return path


def _found() -> Path | None:
    paths = (folder / LAUNCHER for folder in probe_dirs())
    return next((path for path in paths if path.is_file() and os.access(path, os.X_OK)), None)


def run(
    command: Sequence[str],
    *,
    timeout: float,
    drop: str | None = None,
    flush: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> ProcessAccount:
    """Run a program to its end; its first word is an absolute path, and no shell sees any of it.

    ``drop``: a file that is dropped from the page cache first. ``flush``: a file that is flushed to
    its device before the clock stops. ProbeFailure if the program cannot be started, is ended by a
    signal or by the time limit.
    """
    arguments = [str(launcher())]
    arguments += ["-d", drop] if drop else []
    arguments += ["-s", flush] if flush else []
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                [*arguments, "--", *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **(environment or {}), "LC_ALL": "C"},  # its output is read here
                # so that it can be ended together with its program; Ctrl-C is handled here
                start_new_session=True,
            )
        except OSError as error:
            raise ProbeFailure(
                FailureKind.CRASH, f"cannot start {LAUNCHER}: {error.strerror}"
            ) from error
        try:
            account = process.communicate(timeout=timeout)[0].decode("ascii", "replace")
        except subprocess.TimeoutExpired:
            raise ProbeFailure(
                FailureKind.TIMEOUT, f"{name} did not end within {timeout:.3g} s"
            ) from None
        finally:
            _end(process)
        return process_account(name, process.returncode, account, _last_words(errors))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the launcher and its program, if they still run."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _last_words(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _KEPT))
    return " ".join(errors.read().decode("utf-8", "replace").split())
