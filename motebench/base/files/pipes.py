"""Opening files that a user names, without waiting forever for the other end of a named pipe."""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from pathlib import Path
from typing import BinaryIO

WAIT_SECONDS = 10.0
"""Longest wait for the other end of a pipe."""
_STEP = 0.05


def open_to_read(path: Path) -> BinaryIO:
    """The file, from its beginning. OSError if it cannot be opened, or is a pipe without a writer."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if stat.S_ISFIFO(os.fstat(handle).st_mode):
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            if not poll.poll(WAIT_SECONDS * 1000):
                raise OSError(errno.ETIMEDOUT, f"a pipe, and nothing came through it in {WAIT_SECONDS:g} s", str(path))
        os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_to_write(path: Path) -> int:
    """A descriptor of an existing file. OSError if it cannot be opened, or is a pipe without a reader."""
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
