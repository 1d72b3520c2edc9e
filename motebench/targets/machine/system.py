"""The only access to the environment, so that tests can replace it by recorded machines."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path


class LinuxSystem:
    """A machine through its files, programs and system calls. Unavailable values are None or
    empty."""

    here = True
    """True if it is the machine on which motebench runs."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def refresh(self) -> None:
        """Do nothing: every value is read anew at each request."""

    def text(self, path: str) -> str | None:
        """The content of the file without surrounding white space and zero bytes; None if it cannot
        be read."""
        try:
            content = (self.root / path.lstrip("/")).read_bytes()
        except (OSError, ValueError):
            return None
        return content.decode("utf-8", "replace").strip("\0 \t\r\n")

    def number(self, path: str) -> int | None:
        """Whole number in the file; None if it has none."""
        text = self.text(path)
        try:
            return int(text) if text else None
        except ValueError:
            return None

    def exists(self, path: str) -> bool:
        """True if the file or folder exists."""
        try:
            return (self.root / path.lstrip("/")).exists()
        except OSError:
            return False

    def match(self, pattern: str) -> list[str]:
        """Sorted paths that match the glob pattern, relative to the root of the machine."""
        try:
            paths = sorted(self.root.glob(pattern.lstrip("/")))
        except OSError:
            return []
        return ["/" + str(path.relative_to(self.root)) for path in paths]

    def which(self, program: str) -> str | None:
        """The path of the program, or None."""
        return shutil.which(program)

    def run(
        self, command: Sequence[str], *, codes: Collection[int] = (0,), timeout: float = 10.0
    ) -> str | None:
        """Standard output of a program that exits with one of these codes within ``timeout``
        seconds, else None.
        """
        try:
            done = subprocess.run(
                list(command),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode in codes else None

    def architecture(self) -> str | None:
        """Machine name of the running kernel."""
        return platform.machine() or None

    def kernel(self) -> str | None:
        """Name and release of the running kernel."""
        name = os.uname()
        return f"{name.sysname} {name.release}"

    def libc(self) -> str | None:
        """C library this Python runs on."""
        try:
            version = os.confstr("CS_GNU_LIBC_VERSION")
        except (AttributeError, OSError, ValueError):
            version = None
        return version or " ".join(platform.libc_ver()).strip() or None

    def page_size(self) -> int | None:
        """Bytes of a memory page."""
        try:
            return os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, OSError, ValueError):
            return None

    def allowed_cores(self) -> frozenset[int]:
        """The cores that this process may use; empty if that is unknown."""
        try:
            return frozenset(os.sched_getaffinity(0))
        except (AttributeError, OSError):
            return frozenset()

    def usable_threads(self) -> int | None:
        """Number of usable threads; None if it is unknown."""
        return len(self.allowed_cores()) or None

    def privileged(self) -> bool:
        """True if this process has root's rights."""
        return os.geteuid() == 0
