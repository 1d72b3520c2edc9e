"""Files that a user names: opened without waiting forever for the other end of a named pipe, and
written in one step, never over a file of another kind, with every error reported.

A file is replaced only by one of its own kind, as its first bytes show. A store is never replaced.
Other kinds of files (a terminal, a pipe, ``/dev/full``) are written to and stay what they are.
"""

from __future__ import annotations

import errno
import os
import re
import select
import stat
import time
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.process import TemporaryFolder

WAIT_SECONDS = 10.0
"""Longest wait for the other end of a pipe."""
_STEP = 0.05
_HEAD = 64
_STORE = b"SQLite format 3\0"
_BESIDE_A_STORE = ("-wal", "-shm", "-journal")


class FileKind(Enum):
    """Kinds of files, by their first bytes."""

    HTML = rb"\s*<!doctype html"
    JSON = rb"\s*[{\[]"
    CSV = rb"scheme,"
    MARKDOWN = rb"\s*[#|]"
    LATEX = rb"\s*[\\%]"
    OPENMETRICS = rb"# (TYPE|EOF)"
    ELF = rb"\x7fELF"
    HEX = rb":[0-9A-Fa-f]{8}"
    UF2 = rb"UF2\n"
    SVG = rb"\s*<(\?xml|svg)"
    FOLDED = rb"[^\n]* \d+\n"
    """Folded stacks, as flamegraph.pl and speedscope read them."""
    PDF = rb"%PDF-"
    PNG = rb"\x89PNG"
    ZIP = rb"PK"
    BINARY = rb""
    """The bytes of flash, which may be any."""

    @property
    def words(self) -> str:
        """Name of the kind in messages."""
        names = {
            "HTML": "HTML",
            "ELF": "ELF",
            "HEX": "Intel HEX",
            "BINARY": "binary",
            "LATEX": "LaTeX",
            "OPENMETRICS": "OpenMetrics",
            "FOLDED": "folded stacks",
        }
        abbreviated = self.name in ("JSON", "CSV", "UF2", "SVG", "PDF", "PNG", "ZIP")
        return names.get(self.name, self.name if abbreviated else self.name.capitalize())


_ENDINGS = {
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".json": FileKind.JSON,
    ".csv": FileKind.CSV,
    ".md": FileKind.MARKDOWN,
    ".tex": FileKind.LATEX,
    ".elf": FileKind.ELF,
    ".hex": FileKind.HEX,
    ".uf2": FileKind.UF2,
    ".svg": FileKind.SVG,
    ".pdf": FileKind.PDF,
    ".png": FileKind.PNG,
    ".zip": FileKind.ZIP,
}
"""The kind of file that the ending of a name promises; other endings promise nothing."""


def no_file(path: Path) -> InputError:
    """InputError for a missing file, with the files of the same ending in its folder."""
    folder = path.parent
    if not folder.is_dir():
        return InputError(
            "there is no such file", where=str(path), hint=f"there is no folder {folder}"
        )
    names = sorted(file.name for file in folder.glob(f"*{path.suffix or '.toml'}"))
    return InputError(
        "there is no such file",
        where=str(path),
        valid=", ".join(names) or None,
        hint=did_you_mean(path.name, names),
    )


def check(
    path: Path, form: FileKind, *, force: bool | None = False, where: str = "--output"
) -> Path:
    """Path to write, with links followed. InputError if it must not or cannot be written.

    force: also replace a file of another kind, or write to a name of another kind, but never to a
    store; None if the command has no such option.
    """
    # The link of a pipe, such as /dev/stdout, leads to no path.
    target = path if _is_stream(path) else Path(os.path.realpath(path))
    _check_target(target, form, force=force, where=where)
    _check_name(path, form, force=force, where=where)
    return target


def _check_target(path: Path, form: FileKind, *, force: bool | None, where: str) -> None:
    """InputError if the existing file must not be replaced, or a new one cannot be created."""
    try:
        status = path.stat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise InputError(
                f"there is no folder {path.parent}",
                where=where,
                valid="a file in a folder that exists",
            ) from None
        return
    except OSError as error:
        raise _cannot(path, error, where) from error
    if not (
        stat.S_ISREG(status.st_mode)
        or stat.S_ISCHR(status.st_mode)
        or stat.S_ISFIFO(status.st_mode)
    ):
        raise InputError(
            f"{path} cannot be written to", where=where, valid="a file, a terminal or a pipe"
        )
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise _cannot(path, error, where) from error
    if head.startswith(_STORE) or path.name.endswith(_BESIDE_A_STORE):
        raise InputError(
            f"{path} is a store or a database, which is never overwritten",
            where=where,
            valid="another file name",
        )
    if not force and not re.match(form.value, head, re.IGNORECASE):
        raise InputError(
            f"{path} exists and is another kind of file than {form.words}",
            where=where,
            valid="another file",
            hint=None if force is None else "--force replaces it",
        )


def _check_name(path: Path, form: FileKind, *, force: bool | None, where: str) -> None:
    """InputError for a name that stands for a stream, or promises another kind of file."""
    if str(path) == "-":
        raise InputError(
            "'-' is not a file name", where=where, valid="a file; standard output is /dev/stdout"
        )
    promised = _ENDINGS.get(path.suffix.lower(), form)
    if promised is not form and not force:
        endings = [ending for ending, kind in _ENDINGS.items() if kind is form]
        printed = (
            "; a browser prints a page as PDF"
            if (form, promised) == (FileKind.HTML, FileKind.PDF)
            else ""
        )
        raise InputError(
            f"{path.name!r} is a name of {promised.words}, but the content is "
            f"{form.words}{printed}",
            where=where,
            valid=f"a name that ends in {' or '.join(endings)}"
            if endings
            else "a name with another ending",
            hint=None if force is None else "--force writes it all the same",
        )


def _is_stream(path: Path) -> bool:
    """True if the file is a terminal, a pipe or a device."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def write(
    path: Path,
    content: str | bytes,
    form: FileKind,
    *,
    force: bool | None = False,
    where: str = "--output",
) -> Path:
    """Write ``content`` to the file, completely or not at all; returns the path. InputError as
    `check`, or if writing fails.

    Text is UTF-8; invalid characters (a lone surrogate) are written as escapes.
    """
    target = check(path, form, force=force, where=where)
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            handle = open_to_write(target)
            try:
                _write_all(handle, data)
            finally:
                os.close(handle)
            return target
        replace(target, data)
    except OSError as error:
        raise _cannot(target, error, where) from error
    return target


def replace(target: Path, data: bytes) -> None:
    """Replace in one step, so that a reader never sees a part of the file. OSError if that
    fails.
    """
    with TemporaryFolder(target.parent) as folder:
        part = folder / "part"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _write_all(handle, data)
            os.fchmod(handle, target.stat().st_mode & 0o777 if target.exists() else 0o644)
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(target)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _cannot(path: Path, error: OSError, where: str) -> InputError:
    return InputError(
        f"cannot write {path}: {error.strerror or error}",
        where=where,
        hint="give a file that you may write to",
    )


def open_to_read(path: Path) -> BinaryIO:
    """The file, from its beginning. OSError if it cannot be opened, or is a pipe without a
    writer.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if stat.S_ISFIFO(os.fstat(handle).st_mode):
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            if not poll.poll(WAIT_SECONDS * 1000):
                raise OSError(
                    errno.ETIMEDOUT,
                    f"a pipe that delivered no data for {WAIT_SECONDS:g} s",
                    str(path),
                )
        os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_to_write(path: Path) -> int:
    """A descriptor of an existing file. OSError if it cannot be opened, or is a pipe without a
    reader.
    """
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno != errno.ENXIO or not stat.S_ISFIFO(path.stat().st_mode):
                raise
            if time.monotonic() > until:
                raise OSError(errno.EPIPE, "a pipe without a reader", str(path)) from None
            time.sleep(_STEP)
        else:
            os.set_blocking(handle, True)
            return handle
