"""Cleaning up after this process even where it is killed and can do nothing itself (SIGKILL)."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = 'for i in 1 2 3 4 5 6 7 8; do rm -rf -- "$1" && exit; sleep 0.2; done'
"""Several times: a program that wrote there may be about to end."""
_GROUP = 'kill -s KILL -- "-$1"'
_PROGRAM = 'kill -s TERM -- "-$1"; sleep 0.5; kill -s KILL -- "-$1"; rm -f -- "$2"'
"""TERM first, so that a compiler removes its temporary files."""


class Cleanup:
    """A shell that waits for the end of this process, and then runs ``script`` with ``arguments``.

    It waits for the end of its input, which only this process holds open. Without a shell nothing is cleaned up.
    """

    def __init__(self, script: str, *arguments: str) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", f"while read -r _; do :; done; {script}", "sh", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # signals of a terminal are for this process
            )

    def cancel(self) -> None:
        """Run nothing: what there was to do is done."""
        shell, self._shell = self._shell, None
        if shell is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(shell.pid, signal.SIGKILL)
        assert shell.stdin is not None
        shell.stdin.close()
        shell.wait()


class TemporaryFolder:
    """A folder of our own (mode 0700) in ``parent``, or where temporary files go. OSError if it cannot be made.

    A context: its path, removed at the end.
    """

    def __init__(self, parent: str | os.PathLike[str] | None = None) -> None:
        where = Path(tempfile.gettempdir() if parent is None else parent).absolute()
        self.path = where / f".motebench-{secrets.token_hex(6)}"
        self._cleanup = Cleanup(_FOLDER, str(self.path))
        try:
            self.path.mkdir(mode=0o700)
        except BaseException:  # also an interrupt that came while it was made
            self.close()
            raise

    def close(self) -> None:
        """Remove it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._cleanup.cancel()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


def killed_with_us(group: int) -> Cleanup:
    """Kills a process group when this process is killed, whatever signals its programs block."""
    return Cleanup(_GROUP, str(group))


@contextmanager
def ends_with_us(group: int, leaves: Path | None = None) -> Iterator[None]:
    """Inside, the process group ``group`` ends when this process is killed, and the file ``leaves`` is removed."""
    cleanup = Cleanup(_PROGRAM, str(group), str(leaves or ""))
    try:
        yield
    finally:
        cleanup.cancel()
