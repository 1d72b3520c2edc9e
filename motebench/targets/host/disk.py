"""The files that whole-file operations of a place read and write."""

from __future__ import annotations

import filecmp
import hashlib
import random
import shutil
from pathlib import Path
from typing import Protocol

from motebench.base.model import FailureKind
from motebench.base.process import TemporaryFolder
from motebench.targets.wire.messages import ProbeFailure

_CHUNK = 1 << 20
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
"""Hash functions that every place computes without a probe."""


class Disk(Protocol):
    """A folder of a place. Paths are the place's. Every method raises ProbeFailure if it cannot do its work."""

    def generated(self, size: int) -> str:
        """A file of ``size`` random bytes, made there once."""
        ...

    def named(self, path: str) -> str:
        """A file that the user named."""
        ...

    def output(self, name: str) -> str:
        """A path for an output."""
        ...

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        ...

    def same(self, one: str, other: str) -> bool:
        """Whether two files have the same content."""
        ...

    def digest(self, path: str, name: str) -> bytes | None:
        """The digest of a file by one of `HASHES`; None if no program there computes it."""
        ...

    def remove(self, path: str) -> None:
        """Remove an output, if it is there."""
        ...

    def notes(self) -> list[str]:
        """Where the files were, and how they were read, for readers of the run."""
        ...

    def close(self) -> None:
        """Remove everything."""
        ...


class LocalDisk:
    """See `Disk`: a folder of this machine, in ``folder`` or the current folder."""

    def __init__(self, folder: str | None) -> None:
        self._parent = folder
        self._made: TemporaryFolder | None = None

    @property
    def folder(self) -> Path:
        """Made when first needed, so that runs without files leave no trace."""
        if self._made is None:
            try:
                self._made = TemporaryFolder(self._parent or ".")
            except OSError as error:
                place = self._parent or "the current folder"
                kind = FailureKind.of(error, FailureKind.ERROR)
                raise ProbeFailure(kind, f"cannot write to {place}: {error.strerror}") from error
        return self._made.path

    def generated(self, size: int) -> str:
        """See `Disk`."""
        path = self.folder / f"input-{size}"
        if not path.exists():
            self._room(3 * size)
            self._generate(path, size)
        return str(path)

    def named(self, path: str) -> str:
        """See `Disk`."""
        return str(Path(path).absolute())

    def _room(self, needed: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise ProbeFailure(FailureKind.NO_ROOM, f"{needed} B of free disk space are needed, {free} B are free")

    def _generate(self, path: Path, size: int) -> None:
        rng = random.Random(size)
        try:
            with path.open("wb") as out:
                for start in range(0, size, _CHUNK):
                    out.write(rng.randbytes(min(_CHUNK, size - start)))
        except OSError as error:
            path.unlink(missing_ok=True)
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"cannot write {path.name}: {error.strerror}") from error

    def output(self, name: str) -> str:
        """See `Disk`."""
        return str(self.folder / name)

    def size(self, path: str) -> int:
        """See `Disk`."""
        return Path(path).stat().st_size

    def same(self, one: str, other: str) -> bool:
        """See `Disk`."""
        return filecmp.cmp(one, other, shallow=False)

    def digest(self, path: str, name: str) -> bytes | None:
        """See `Disk`."""
        with Path(path).open("rb") as data:
            return hashlib.file_digest(data, name).digest()

    def remove(self, path: str) -> None:
        """See `Disk`."""
        Path(path).unlink(missing_ok=True)

    def notes(self) -> list[str]:
        """None: it is this machine's."""
        return []

    def close(self) -> None:
        """See `Disk`."""
        if self._made is not None:
            self._made.close()
            self._made = None
