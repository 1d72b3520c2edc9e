"""``host``: this machine. Each probe starts with its own memory layout and stays on one core."""

from __future__ import annotations

import filecmp
import hashlib
import platform
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind
from motebench.base.paths import probe_dirs, probes_in
from motebench.base.process import TemporaryFolder
from motebench.targets.base import Conditions, Disk, Target, TargetRequest
from motebench.targets.code.building import UserCode
from motebench.targets.host.machine import Machine, Program
from motebench.targets.host.pinning import Pinning, check_core, in_order, shared
from motebench.targets.host.programs import machine_target
from motebench.targets.machine.system import LinuxSystem as Linux
from motebench.targets.setup.building import build, buildable
from motebench.targets.wire.messages import Hello, ProbeFailure
from motebench.targets.wire.stream import ProcessStream, Stream

_CHUNK = 1 << 20


class LocalDisk:
    """A folder of this machine, in ``folder`` or the current folder."""

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
        """A file of ``size`` random bytes, made there once."""
        path = self.folder / f"input-{size}"
        if not path.exists():
            self._room(3 * size)
            self._generate(path, size)
        return str(path)

    def named(self, path: str) -> str:
        """A file that the user named."""
        return str(Path(path).absolute())

    def _room(self, needed: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise ProbeFailure(
                FailureKind.NO_ROOM, f"{needed} B of free disk space are needed, {free} B are free"
            )

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
        """A path for an output."""
        return str(self.folder / name)

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        return Path(path).stat().st_size

    def same(self, first: str, second: str) -> bool:
        """True if two files have the same content."""
        return filecmp.cmp(first, second, shallow=False)

    def digest(self, path: str, name: str) -> bytes | None:
        """The digest of a file by one of `HASHES`."""
        with Path(path).open("rb") as data:
            return hashlib.file_digest(data, name).digest()

    def remove(self, path: str) -> None:
        """Remove an output, if it is there."""
        Path(path).unlink(missing_ok=True)

    def notes(self) -> list[str]:
        """No notes: the folder is on this machine."""
        return []

    def close(self) -> None:
        """Remove everything."""
        if self._made is not None:
            self._made.close()
            self._made = None


class ThisMachine(Machine):
    """This machine, which starts programs. ``folders``: those of the probes, instead of the default
    ones.

    A virtual machine is not pinned: its compilers and collectors are threads that would have to
    share the core.
    """

    name = "host"

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        self._folders = folders
        self.core: int | None = None
        """Core of the next probes; None lets the system choose."""
        self.layout: Callable[[], Mapping[str, str]] | None = None
        """Returns the variables that determine the memory layout of a process."""

    @property
    def architecture(self) -> str:
        """The kernel's architecture."""
        return platform.machine()

    def environment(self) -> dict[str, Any]:
        """Empty: every run describes this machine anyway."""
        return {}

    def disk(self, folder: str | None) -> Disk:
        """Disk of this machine."""
        return LocalDisk(folder)

    def put(self, file: Path) -> str:
        """The same path: the file is on this machine."""
        return str(file)

    def probes(self) -> Mapping[str, str]:
        """The built probes."""
        paths = probes_in(probe_dirs() if self._folders is None else self._folders)
        return {name: str(path) for name, path in paths.items()}

    def buildable(self) -> Sequence[str]:
        """The probes that are not built and can be, in the usual folder."""
        return buildable(self.probes()) if self._folders is None else ()

    def build(self, implementations: Sequence[str]) -> None:
        """Build these probes if they are missing and can be built. A failed build is not tried
        again.
        """
        missing = [name for name in implementations if name in self.buildable()]
        if missing and self.problem is None:
            self.problem = build(missing)

    def connect(self, program: Program) -> Stream:
        """Start a child process."""
        drawn = self.layout() if self.layout is not None else {}
        variables = {**program.environment, **drawn}
        return ProcessStream(list(program.command), environment=variables, alone=program.isolated)

    def process(self, stream: Stream) -> int | None:
        """The child process."""
        return stream.pid if isinstance(stream, ProcessStream) else None

    def greeted(self, stream: Stream, hello: Hello) -> None:
        """Pin the probe."""
        if self.core is not None and isinstance(stream, ProcessStream) and not hello.jit:
            stream.pin(self.core)

    def check_core(self, cpu: str | int) -> None:
        """InputError if this process may not use that core."""
        check_core(cpu, Linux().allowed_cores())

    def cores(self) -> Sequence[int]:
        """Cores that this process may use."""
        return in_order(Linux())

    def cores_shared(self, count: int) -> str:
        """A note made of the siblings that the kernel lists."""
        return shared(Linux(), count)

    @contextmanager
    def on_core(self, core: int) -> Iterator[None]:
        """Probes that start meanwhile are kept there."""
        before, self.core = self.core, core
        try:
            yield
        finally:
            self.core = before

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """Probes of a round share a core; each has its own layout."""
        pinning = Pinning(cpu, seed, self._next_core)
        self.layout = pinning.layout.environment
        return pinning

    def _next_core(self, core: int | None) -> None:
        self.core = core


def this_machine(
    folders: Sequence[Path] | None = None, code: Mapping[str, UserCode] | None = None
) -> Target:
    """The target ``host``. ``code``: user code by name."""
    return machine_target(ThisMachine(folders), code)


def greeting(implementation: str) -> str:
    """Version in the probe's hello, with the number of its schemes. SetupError with the reason if
    it does not answer.
    """
    try:
        session = this_machine().open(implementation)
        try:
            return f"{session.hello.version}, {len(session.offers())} schemes"
        finally:
            session.close()
    except ProbeFailure as failure:
        raise SetupError(failure.message) from failure


def names() -> dict[str, str]:
    """The available targets of this kind, each with a description."""
    return {ThisMachine.name: "this machine"}


def open_kind(request: TargetRequest) -> Target:
    """Target that the request names; None if this kind has no such target."""
    return this_machine(request.probes, request.code)
