"""The ``file`` request: a whole file from disk to disk, timed."""

from __future__ import annotations

import contextlib
import os
import resource
import stat
import time

from motebench_probe import clocks, errors, memory, work
from motebench_probe.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Adapter
    from motebench_probe.tasks import Stream

_DEFAULT_CHUNK = 1 << 16
_MAX_PATH = 4096
_OPERATIONS = {
    "encrypt-file": "encrypt-message",
    "decrypt-file": "decrypt-message",
    "digest-file": "digest",
    "mac-file": "mac",
    "sign-file": "sign",
    "verify-file": "verify",
    "copy-file": "",
}
_WRITING = frozenset({"encrypt-file", "decrypt-file", "copy-file"})
_RESULT = frozenset({"digest", "mac", "sign"})
"""Operations whose last output is the result, not part of a file."""


def _path(request: work.Request, key: str) -> str:
    path = work.text(request, key)
    if not path or "\0" in path or len(os.fsencode(path)) >= _MAX_PATH:
        raise Failure(errors.BAD_REQUEST, f"{key}: this system does not allow such a path")
    return path


def _is_file(path: str, status: os.stat_result) -> bool:
    """The path leads to the file of that status."""
    try:
        return os.path.samestat(os.stat(path), status)  # noqa: PTH116 - pathlib is slow to import
    except FileNotFoundError:
        return False


class _Transfer:
    """One whole-file operation under way."""

    def __init__(self, request: work.Request) -> None:
        what = work.text(request, "op")
        if what not in _OPERATIONS:
            raise Failure(errors.UNSUPPORTED, "op: not a whole-file operation")
        self.op = _OPERATIONS[what]
        self.writes = what in _WRITING
        self.source = _path(request, "in")
        self.destination = _path(request, "out") if self.writes else ""
        self.chunk = work.uint(request, "chunk", 1, work.max_data(), _DEFAULT_CHUNK)
        self.cold = work.boolean(request, "cold")
        self.sync = work.boolean(request, "sync")
        self.total = self.read = self.written = 0
        self.result = b""
        self._opened_file = False

    def prepare(self) -> None:
        """Prepare before the clock runs: look at the input, drop it from the page cache."""
        fd = os.open(self.source, os.O_RDONLY)
        try:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise Failure(errors.BAD_REQUEST, "in: not a regular file")
            if self.writes and _is_file(self.destination, status):
                raise Failure(errors.BAD_REQUEST, "out: the same file as the input")
            if self.cold:
                # Only clean pages can be dropped.
                with contextlib.suppress(OSError):
                    os.fsync(fd)
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            self.total = status.st_size
        finally:
            os.close(fd)

    def run(self, stream: Stream | None) -> None:
        """Open, process and close the files: the timed part."""
        source = os.open(self.source, os.O_RDONLY)
        sink = -1
        try:
            if self.writes:
                sink = os.open(self.destination, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
                self._opened_file = stat.S_ISREG(os.fstat(sink).st_mode)
            self._process(source, sink, stream)
            if self.sync and self._opened_file:
                os.fsync(sink)
        finally:
            if sink >= 0:
                os.close(sink)
            os.close(source)

    def discard(self) -> None:
        """Remove an output that is incomplete or wrong."""
        if self._opened_file:
            with contextlib.suppress(OSError):
                os.unlink(self.destination)  # noqa: PTH108 - pathlib is slow to import

    def _process(self, source: int, sink: int, stream: Stream | None) -> None:
        update: Callable[[bytes], bytes] | None = stream.update if stream else None
        while data := self._chunk(source):
            out = data if update is None else update(data)
            if self.writes:
                self._write(sink, out)
        if self.read != self.total:
            raise Failure(errors.ERROR, "in: grew or shrank while it was read")
        if stream is None:
            return
        last = stream.final()
        if self.writes:
            self._write(sink, last)
        self.result = last if self.op in _RESULT else stream.tag()

    def _chunk(self, source: int) -> bytes:
        """A chunk, short only at the end of the file."""
        data = os.read(source, self.chunk)
        if 0 < len(data) < self.chunk:
            pieces, size = [data], len(data)
            while size < self.chunk and (more := os.read(source, self.chunk - size)):
                pieces.append(more)
                size += len(more)
            data = b"".join(pieces)
        self.read += len(data)
        return data

    def _write(self, sink: int, data: bytes) -> None:
        view = memoryview(data)
        while view:
            done = os.write(sink, view)
            self.written += done
            view = view[done:]


def _stream(adapter: Adapter, request: work.Request, transfer: _Transfer) -> Stream | None:
    if not transfer.op:
        return None
    job = work.read_job(adapter, request, transfer.op)
    if not job.scheme.stream:
        raise Failure(errors.UNSUPPORTED, "scheme: the implementation cannot process it in pieces")
    job.total = transfer.total
    return adapter.family(job.scheme.family).open_stream(job)


def handle(adapter: Adapter, request: work.Request) -> dict[str, Any]:
    """The reply to ``file``."""
    transfer = _Transfer(request)
    try:
        transfer.prepare()
        stream = _stream(adapter, request, transfer)
        before = resource.getrusage(resource.RUSAGE_SELF)
        begin_cpu, begin = time.process_time_ns(), clocks.wall()
        transfer.run(stream)
        end, end_cpu = clocks.wall(), time.process_time_ns()
        after = resource.getrusage(resource.RUSAGE_SELF)
    except OSError as problem:
        transfer.discard()
        raise Failure(errors.ERROR, f"{problem.filename or 'file'}: {problem.strerror}") from None
    except Exception:
        transfer.discard()
        raise
    # Processor time is exact to the nanosecond, its split only to what the kernel samples: share it
    # out.
    cpu = end_cpu - begin_cpu
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    user_ns = min(cpu, int(cpu * user / (user + system))) if user + system > 0 else cpu
    reply: dict[str, Any] = {
        "elapsed": end - begin,
        "user": user_ns,
        "system": cpu - user_ns,
        "read": transfer.read,
        "written": transfer.written,
        "peak": memory.peak_resident() or 0,
    }
    return {**reply, "result": transfer.result} if transfer.result else reply
