"""Where the programs of a target `command` run, and their small files: this machine, or one behind SSH."""

from __future__ import annotations

import os
import platform
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from motebench.base.model import FailureKind
from motebench.base.process import TemporaryFolder
from motebench.targets.command.launch import ProcessAccount, launcher
from motebench.targets.command.launch import run as launched
from motebench.targets.wire.messages import ProbeFailure

_SECONDS = 15.0


class Desk(Protocol):
    """Programs and files of one machine; paths are the machine's. Every method raises ProbeFailure if it fails."""

    @property
    def architecture(self) -> str:
        """As ``uname -m`` says."""
        ...

    def check(self) -> None:
        """Whether something can be measured: the launcher is there."""
        ...

    def which(self, program: str) -> str | None:
        """The path of a program; None if there is none."""
        ...

    def asked(self, command: Sequence[str]) -> str | None:
        """The output of a command; None if it fails."""
        ...

    def folder(self, parent: str | None) -> AbstractContextManager[str]:
        """A private folder, removed at the end; in ``parent``, or where temporary files go."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Make a file that only its owner can read."""
        ...

    def run(
        self, command: Sequence[str], *, timeout: float, drop: str | None, flush: str | None, output: str
    ) -> ProcessAccount:
        """Run a program to its end and account for it, see `command_launch.run`. ``output``: what it writes."""
        ...

    def read(self, path: str, most: int) -> bytes:
        """The beginning of a file."""
        ...

    def size(self, path: str) -> int | None:
        """Bytes of a file; None if there is none."""
        ...

    def remove(self, path: str) -> None:
        """Remove an output, if it is a regular file."""
        ...


class LocalDesk:
    """See `Desk`: this machine."""

    architecture = platform.machine()

    def check(self) -> None:
        """See `Desk`."""
        launcher()

    def which(self, program: str) -> str | None:
        """See `Desk`."""
        return shutil.which(program)

    def asked(self, command: Sequence[str]) -> str | None:
        """See `Desk`."""
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    @contextmanager
    def folder(self, parent: str | None) -> Iterator[str]:
        """See `Desk`. One in ``parent`` is removed with that in any case."""
        try:
            made = TemporaryFolder() if parent is None else Path(tempfile.mkdtemp(prefix=".motebench-", dir=parent))
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
        """See `Desk`."""
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(data)
        except OSError as error:
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"cannot write {Path(path).name}: {error.strerror}") from error

    def run(
        self, command: Sequence[str], *, timeout: float, drop: str | None, flush: str | None, output: str
    ) -> ProcessAccount:
        """See `Desk`."""
        del output
        return launched(command, timeout=timeout, drop=drop, flush=flush)

    def read(self, path: str, most: int) -> bytes:
        """See `Desk`."""
        with Path(path).open("rb") as written:
            return written.read(most)

    def size(self, path: str) -> int | None:
        """See `Desk`."""
        try:
            return Path(path).stat().st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"{Path(path).name}: {error.strerror}") from error

    def remove(self, path: str) -> None:
        """See `Desk`."""
        with suppress(OSError):
            if stat.S_ISREG(os.lstat(path).st_mode):
                Path(path).unlink()
