"""The place of a target `command`, and the programs and small files of its machine: `local` and
`ssh` have them.

Each program is started by a small launcher (``core/launcher/launch.c``), which accounts for it. The
launcher is necessary because on Linux a process inherits the peak memory of its parent; see its
source.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from motebench.base.model import FailureKind
from motebench.targets.base import Disk, Place
from motebench.targets.host.this_machine import LocalDisk
from motebench.targets.setup.building import LAUNCHER
from motebench.targets.wire.messages import ProbeFailure

_ACCOUNT = re.compile(r"elapsed=(\d+) user=(\d+) system=(\d+) peak=(\d+) status=(\d+)\n")


OPENSSL = "openssl-cli"
"""The implementation."""


class CommandPlace(Place):
    """Place of commands on this machine. No program runs between two operations, so nothing is
    pinned.
    """

    name = "command"
    batches = False

    def environment(self) -> dict[str, Any]:
        """Empty: every run describes this machine anyway."""
        return {}

    def disk(self, folder: str | None) -> Disk:
        """Disk of this machine."""
        return LocalDisk(folder)


@dataclass(frozen=True, slots=True)
class ProcessAccount:
    """Cost and end of a process.

    Times in ns, ``peak`` resident memory in bytes. ``status`` is the exit status; ``words`` what it
    printed, on either stream, in one line.
    """

    elapsed: int
    user: int
    system: int
    peak: int
    status: int
    words: str


class Desk(Protocol):
    """Programs and files of one machine; paths are the machine's. Every method raises ProbeFailure
    if it fails."""

    @property
    def architecture(self) -> str:
        """The architecture, as ``uname -m`` says."""
        ...

    def check(self) -> None:
        """Check whether something can be measured: the launcher is there."""
        ...

    def which(self, program: str) -> str | None:
        """Path of a program; None if it is not on PATH."""
        ...

    def output_of(self, command: Sequence[str]) -> str | None:
        """The output of a command; None if it fails."""
        ...

    def folder(self, parent: str | None) -> AbstractContextManager[str]:
        """A private folder, removed at the end; in ``parent``, or where temporary files go."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Make a file that only its owner can read."""
        ...

    def run(
        self,
        command: Sequence[str],
        *,
        timeout: float,
        drop: str | None,
        flush: str | None,
        output: str,
    ) -> ProcessAccount:
        """Run a program to its end and account for it. ``output``: the file that it writes.

        ``drop``: a file that is dropped from the page cache first. ``flush``: a file that is
        flushed to its device before the clock stops.
        """
        ...

    def read(self, path: str, most: int) -> bytes:
        """The beginning of a file."""
        ...

    def size(self, path: str) -> int | None:
        """Bytes of a file; None if it does not exist."""
        ...

    def remove(self, path: str) -> None:
        """Remove an output, if it is a regular file."""
        ...


def process_account(name: str, code: int, account: str, last_words: str) -> ProcessAccount:
    """Account of the launcher, whose own exit code is ``code``. ProbeFailure if the launcher
    reports an error, or the program did not end by itself.
    """
    figures = _ACCOUNT.fullmatch(account)
    if code != 0:
        # It reports errors itself, unless a signal ended it.
        kind = FailureKind.CRASH if code < 0 else FailureKind.ERROR
        raise ProbeFailure(kind, last_words or f"{LAUNCHER} ended with {code}")
    if figures is None:
        raise ProbeFailure(
            FailureKind.LOST, f"invalid resource report for {name}: {account[:100]!r}"
        )
    elapsed, user, system, peak, status = map(int, figures.groups())
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            by = signal.Signals(number).name
        except ValueError:  # real-time signals have no name
            by = f"signal {number}"
        raise ProbeFailure(
            FailureKind.CRASH,
            f"{name} was ended by {by}" + (f": {last_words}" if last_words else ""),
        )
    return ProcessAccount(
        elapsed, user, system, peak, os.waitstatus_to_exitcode(status), last_words
    )
