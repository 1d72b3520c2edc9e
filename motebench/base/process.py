"""This process: cleaning up after it, programs that end with it, signals, and parallel work whose
results do not depend on when it is done; and git.

A shell cleans up even if the process is killed (SIGKILL) and cannot do it itself. Signals that end
the program are kept back while something must not be cut in two.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, TypeVar

from motebench.base.errors import InputError, SetupError, visible

_FOLDER = 'for i in 1 2 3 4 5 6 7 8; do rm -rf -- "$1" && exit; sleep 0.2; done'
"""The script tries several times: a program may still write into the folder."""
_GROUP = 'kill -s KILL -- "-$1"'
_PROGRAM = 'kill -s TERM -- "-$1"; sleep 0.5; kill -s KILL -- "-$1"; rm -f -- "$2"'
"""TERM first, so that a compiler removes its temporary files."""


class Cleanup:
    """A shell that waits for the end of this process, and then runs ``script`` with ``arguments``.

    It waits for the end of its input, which only this process holds open. Without a shell nothing
    is cleaned up.
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
                # the terminal's signals are for this process, not for the shell
                start_new_session=True,
            )

    def cancel(self) -> None:
        """Cancel the script, as no cleaning up is left to do."""
        shell, self._shell = self._shell, None
        if shell is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(shell.pid, signal.SIGKILL)
        assert shell.stdin is not None
        shell.stdin.close()
        shell.wait()


class TemporaryFolder:
    """Private folder (mode 0700) in ``parent``, or in the system's temporary folder. OSError if it
    cannot be created.

    As a context it gives its path, and removes the folder at the end.
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
        """Remove the folder and its contents."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._cleanup.cancel()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


def killed_with_us(group: int) -> Cleanup:
    """Kills a process group when this process is killed, even if its programs block signals."""
    return Cleanup(_GROUP, str(group))


@contextmanager
def ends_with_us(group: int, leaves: Path | None = None) -> Iterator[None]:
    """Within the context, the process group ``group`` ends when this process is killed, and the
    file ``leaves`` is removed."""
    cleanup = Cleanup(_PROGRAM, str(group), str(leaves or ""))
    try:
        yield
    finally:
        cleanup.cancel()


# Programs with children of their own: compilers, and what calls them

_GRACE = 2.0
"""Seconds that a program has to remove its temporary files."""
_GLANCE = 0.02


class _Program:
    """A running program and its group."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._asked: float | None = None

    @property
    def ended(self) -> bool:
        """True if the program was asked to end."""
        return self._asked is not None

    def hurry(self) -> None:
        """Ask the whole group to end; after the grace, end it."""
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
            self._signal(signal.SIGTERM)
        elif now - self._asked >= _GRACE:
            self._signal(signal.SIGKILL)

    def end(self) -> None:
        """The same, and return when nothing of the group is left."""
        self.hurry()
        until = time.monotonic() + 2 * _GRACE
        while (
            self.process.poll() is None or _members(self.process.pid)
        ) and time.monotonic() < until:
            self.hurry()
            time.sleep(_GLANCE)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


def _members(group: int) -> list[int]:
    """Processes of a group that have not ended, where the system has a folder of them."""
    members = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # proc(5): after the name, which may contain any character, are the state, the parent
            # and the group.
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] not in "ZX":
                members.append(int(path.parent.name))
    return members


_programs: set[_Program] = set()
_programs_lock = threading.Lock()


@contextmanager
def program(
    command: Sequence[str],
    *,
    before: str = "",
    leaves: Path | None = None,
    streams: tuple[IO[bytes] | int | None, IO[bytes] | int | None, IO[bytes] | int | None] = (
        None,
        None,
        None,
    ),
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program within the context, in its own process group. OSError if it cannot be started.

    The whole group ends if the context is left by an exception (Ctrl-C is one), by `end_programs`,
    which is a KeyboardInterrupt at the end of the context, and if this process is killed; the file
    ``leaves`` is then removed. ``before``: commands of the shell that it starts from. ``streams``:
    as of `subprocess.Popen`.
    """
    gate, opened = os.pipe()
    with os.fdopen(opened, "wb", buffering=0) as start:
        try:
            process = subprocess.Popen(
                [
                    "/bin/sh",
                    "-c",
                    f'read -r _ </dev/fd/{gate} || exit; {before}exec "$@"',
                    "sh",
                    *command,
                ],
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                env=environment,
                pass_fds=(gate,),
                start_new_session=True,  # so that all of its processes can be ended
            )
        finally:
            os.close(gate)
        running = _Program(process)
        try:
            with ends_with_us(process.pid, leaves), _listed(running):
                with contextlib.suppress(BrokenPipeError):
                    start.write(b"\n")  # not before the cleanup can end it
                start.close()
                yield process
        except BaseException:
            running.end()
            raise
    if running.ended:
        running.end()
        raise KeyboardInterrupt


@contextmanager
def _listed(running: _Program) -> Iterator[None]:
    with _programs_lock:
        _programs.add(running)
    try:
        yield
    finally:
        with _programs_lock:
            _programs.discard(running)


def end_programs() -> None:
    """End every `program`, whichever thread waits for it. Called again, it ends those that did not
    want to.
    """
    with _programs_lock:
        for running in _programs:
            running.hurry()


# Signals

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that ask a program to end."""


class Hold:
    """True if a signal has to wait: it does while ``depth`` is not 0. ``late``: one is waiting."""

    def __init__(self) -> None:
        self.depth, self.late = 0, False

    def raise_late(self) -> None:
        """KeyboardInterrupt for a signal that has waited."""
        late, self.late = self.late, False
        if late:
            raise KeyboardInterrupt

    @contextmanager
    def released(self) -> Iterator[None]:
        """Within the context signals do not wait."""
        depth, self.depth = self.depth, 0
        try:
            self.raise_late()
            yield
        finally:
            self.depth = depth


_hold = Hold()


def interrupt(number: int, frame: FrameType | None) -> None:
    """A handler: KeyboardInterrupt where the program is, or where nothing holds it any more."""
    del number, frame
    if _hold.depth:
        _hold.late = True
        return
    raise KeyboardInterrupt


def end_in_order() -> None:
    """Treat every signal of `ENDING` like Ctrl-C, which ends probes and keeps the run.

    A signal that is ignored when the program starts stays ignored (``nohup``). SIGQUIT does not:
    shells ignore it, together with SIGINT, for programs in the background, and this program could
    hardly be ended then.
    """
    for number in ENDING:
        if number == signal.SIGQUIT or signal.getsignal(number) in (
            signal.SIG_DFL,
            signal.default_int_handler,
        ):
            signal.signal(number, interrupt)


@contextmanager
def held() -> Iterator[Hold]:
    """Within the context, signals whose handler is `interrupt` wait for its end. Other threads get
    no signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    _hold.depth += 1
    try:
        yield _hold
    finally:
        _hold.depth -= 1
        if not _hold.depth:
            _hold.raise_late()


T = TypeVar("T")
R = TypeVar("R")
_HURRY_SECONDS = 0.1


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def in_parallel(
    work: Callable[[T], R],
    items: Iterable[T],
    workers: int,
    hurry: Callable[[], None] = lambda: None,
) -> Generator[R]:
    """Results of ``work`` for each item, in the order of the items, with a limited number at a
    time. If one fails, the items that have not begun are left out.

    Threads are enough: they wait for other processes. ``hurry`` is called again and again while, at
    an early end, what was begun is waited for; Ctrl-C ends every `program`.
    """
    interrupted = False
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for future in futures:
                yield future.result()
        except KeyboardInterrupt:
            interrupted = True
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            while begun := [future for future in futures if not future.done()]:
                hurry()
                if interrupted:
                    end_programs()
                wait(begun, _HURRY_SECONDS)


def one_by_one(work: Callable[[T], R], items: Iterable[T]) -> Generator[R]:
    """The same, one after the other, each on demand."""
    for item in items:
        yield work(item)


def each(
    work: Callable[[T], R],
    items: Iterable[T],
    *,
    parallel: bool,
    hurry: Callable[[], None],
    threads: int | None = None,
) -> Generator[R]:
    """``work`` of each item in order: in parallel, ``threads`` at a time (None: one per processor),
    or one by one.
    """
    return (
        in_parallel(work, items, threads or cores(), hurry) if parallel else one_by_one(work, items)
    )


# Git

_OF_A_HOOK = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
)
"""Variables that name a repository, as git sets them for its hooks."""


def git(
    folder: Path, *arguments: str, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """A call of git in a folder, without hooks and questions: in a hook, git's variables would name
    the repository of the hook. SetupError without git, and after ``timeout`` seconds; InputError
    for an argument that no program can get.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    command = ["git", "-C", str(folder), "-c", "core.hooksPath=/dev/null", *arguments]
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            env={**environment, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
        )
    except FileNotFoundError:
        raise SetupError("git is not installed", hint="sudo apt install git") from None
    except subprocess.TimeoutExpired:
        raise SetupError(f"git {arguments[0]} took more than {timeout:g} s") from None
    except ValueError as error:  # a zero byte in an argument
        raise InputError(f"git cannot take {visible(arguments[-1])!r}: {error}") from None
