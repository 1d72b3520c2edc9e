"""``host``: this machine. Each probe starts with its own memory layout and stays on one core.

Secrets are followed by valgrind's memcheck, through probes that mark them as undefined
(``core/probe/marks.c``).
"""

from __future__ import annotations

import filecmp
import hashlib
import platform
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind
from motebench.base.naming import plain
from motebench.base.paths import data_root, probe_dirs, probes_in
from motebench.base.process import TemporaryFolder
from motebench.targets.base import Conditions, Disk, Target, TargetRequest
from motebench.targets.code.building import UserCode
from motebench.targets.firmware.build import FirmwareRole
from motebench.targets.firmware.toolchain import output_of
from motebench.targets.host.machine import Machine, Program, other_languages
from motebench.targets.host.pinning import Pinning, check_core, in_order, shared
from motebench.targets.host.programs import machine_target
from motebench.targets.machine.system import LinuxSystem as Linux
from motebench.targets.setup.building import build, build_marked, buildable
from motebench.targets.setup.needs import install_line
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


# Secrets, followed by valgrind


@dataclass(frozen=True, slots=True)
class CheckedPlace:
    """An instruction as valgrind reports it: its address in ``file_of_code``, the program or
    library, and what their debugging information says. ``text``: the instruction, if it could be
    disassembled.
    """

    address: int
    file_of_code: str
    function: str | None
    source: str | None
    line: int | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedError:
    """A dependence on undefined memory. ``kind``: ``branch`` or ``address``. ``callers``: of the
    instruction, the innermost first. ``origin``: number of the mark; None: memory that the program
    never wrote to, or unknown.
    """

    kind: str
    at: CheckedPlace
    times: int
    origin: int | None
    callers: tuple[CheckedPlace, ...]


@dataclass(frozen=True, slots=True)
class CheckedPublic:
    """A declassification of so many bytes."""

    at: CheckedPlace
    bytes: int


@dataclass(frozen=True, slots=True)
class MemcheckReport:
    """The report on one program. ``unknown``: the place of an instruction that valgrind does not
    know, which ended the program.
    """

    errors: tuple[CheckedError, ...]
    public: tuple[CheckedPublic, ...]
    unknown: CheckedPlace | None


_ERRORS = {"UninitCondition": "branch", "UninitValue": "address"}
_SECRET = re.compile(r"mb_secret_(\d)$")
_PUBLIC = re.compile(r"motebench public (\d+)")
_OBJECT = re.compile(r"motebench object ([0-9a-f]+) ?(.*)")
_MARK = "mb_mark_public"
_INSTRUCTION = re.compile(r"^ *[0-9a-f]+:\t(?:[0-9a-f]{2,8} ?)+\s*\t(.*)$", re.MULTILINE)
_LONGEST_INSTRUCTION = 15


@cache
def memcheck_version() -> str:
    """Version of valgrind, as text. SetupError if it is not installed."""
    if shutil.which("valgrind") is None:
        raise SetupError(
            "secrets are followed on a host by valgrind, which is not installed",
            hint=install_line(Linux(), "valgrind"),
        )
    return output_of(["valgrind", "--version"]).strip()


def memcheck_refuses(implementation: str) -> str | None:
    """Reason why valgrind cannot follow secrets through an implementation; None if it can."""
    if plain(implementation) in other_languages():
        return "its probe is not compiled from C or C++, and valgrind would follow its interpreter"
    return None


class _CheckedStream(ProcessStream):
    """A probe under valgrind, which is given time for its report."""

    _PATIENCE = 30.0


class CheckedMachine(ThisMachine):
    """This machine with each probe under valgrind. The probes are built apart, and mark secrets;
    valgrind writes its reports to ``folder``.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__((data_root() / "build" / "marked" / "probes",))
        self._reports = folder

    def buildable(self) -> Sequence[str]:
        """The probes that are not built and can be."""
        return buildable(self.probes())

    def build(self, implementations: Sequence[str]) -> None:
        """Build these probes if they are missing and can be built."""
        missing = [name for name in implementations if name in self.buildable()]
        if missing and self.problem is None:
            self.problem = build_marked(missing)

    def code_program(self, code: UserCode, level: str) -> Path:
        """User code, built to mark secrets. ProbeFailure if it cannot be built."""
        return code.program(level, role=FirmwareRole(marks=True))

    def connect(self, program: Program) -> Stream:
        """Start a probe under valgrind."""
        command = [
            shutil.which("valgrind") or "valgrind",
            "--tool=memcheck",
            "--xml=yes",
            f"--xml-file={self._reports}/%p.xml",
            "--track-origins=yes",
            "--error-limit=no",
            "--leak-check=no",
            "--read-inline-info=no",
            "--vgdb=no",
            *program.command,
        ]
        return _CheckedStream(
            command, environment=dict(program.environment), alone=program.isolated
        )

    def reports(self) -> list[MemcheckReport]:
        """The reports on all programs that ended. ProbeFailure if there is none."""
        reports = [_report(path) for path in sorted(self._reports.glob("*.xml"))]
        if not reports:
            raise ProbeFailure(FailureKind.LOST, "valgrind left no report")
        return reports


def _report(path: Path) -> MemcheckReport:
    """Report of valgrind: ``docs/internals/xml-output-protocol4.txt`` of its sources. One that was
    cut off, or goes on behind its end after a fatal signal, counts as far as it goes.
    """
    parser: Any = ElementTree.XMLPullParser(["end"])
    elements: dict[str, list[Element]] = {}
    try:
        parser.feed(path.read_text(encoding="utf-8", errors="replace"))
        for _, element in parser.read_events():
            elements.setdefault(element.tag, []).append(element)
    except (OSError, ElementTree.ParseError) as error:
        if "preamble" not in elements:
            raise ProbeFailure(
                FailureKind.LOST, f"the report of valgrind cannot be read: {error}"
            ) from error
    program = next((item.findtext("exe", "") for item in elements.get("argv", ())), "")
    places: dict[str, int] = {}
    public = []
    for message in elements.get("clientmsg", ()):
        text = message.findtext("text", "").strip()
        if match := _OBJECT.match(text):
            places[_resolved(match[2] or program)] = int(match[1], 16)
        elif match := _PUBLIC.match(text):
            public.append(CheckedPublic(_caller_of_mark(message, places), int(match[1])))
    times = {
        pair.findtext("unique", ""): int(pair.findtext("count", "1"))
        for pair in elements.get("pair", ())
    }
    errors = [
        _error(element, times.get(element.findtext("unique", ""), 1), places)
        for element in elements.get("error", ())
        if element.findtext("kind") in _ERRORS
    ]
    unknown = [
        _stack(element, places)[0]
        for element in elements.get("fatal_signal", ())
        if element.findtext("signame") == "SIGILL"
    ]
    return MemcheckReport(tuple(errors), tuple(public), unknown[0] if unknown else None)


@cache
def _resolved(path: str) -> str:
    return str(Path(path).resolve())


def _error(element: Element, times: int, places: Mapping[str, int]) -> CheckedError:
    at, *callers = _stack(element, places)
    origin = None
    stacks = element.findall("stack")
    if len(stacks) > 1:
        match = _SECRET.match(stacks[1].findtext("frame/fn", ""))
        origin = int(match[1]) if match else None
    return CheckedError(
        _ERRORS[element.findtext("kind", "")],
        replace(at, text=_disassembled(at.file_of_code, at.address)),
        times,
        origin,
        tuple(callers),
    )


def _caller_of_mark(element: Element, places: Mapping[str, int]) -> CheckedPlace:
    """The place that called the mark."""
    stack = _stack(element, places)
    names = [place.function for place in stack]
    return stack[min(names.index(_MARK) + 1, len(stack) - 1)] if _MARK in names else stack[-1]


def _stack(element: Element, places: Mapping[str, int]) -> list[CheckedPlace]:
    """Places of the first stack of calls, the innermost first; never empty."""
    frames = [] if (stack := element.find("stack")) is None else stack.findall("frame")
    return [_place(frame, places) for frame in frames] or [CheckedPlace(0, "", None, None, None)]


def _place(frame: Element, places: Mapping[str, int]) -> CheckedPlace:
    path = _resolved(frame.findtext("obj", ""))
    folder, file, line = (frame.findtext(name) for name in ("dir", "file", "line"))
    return CheckedPlace(
        address=int(frame.findtext("ip", "0"), 16) - places.get(path, 0),
        file_of_code=path,
        function=frame.findtext("fn"),
        source=None if file is None else f"{folder}/{file}" if folder else file,
        line=None if line is None else int(line),
    )


@cache
def _disassembled(path: str, start: int) -> str | None:
    """Text of an instruction; None without objdump, or if it finds none there."""
    stop = start + _LONGEST_INSTRUCTION
    limits = (f"--start-address={start:#x}", f"--stop-address={stop:#x}")
    try:
        listing = output_of(["objdump", "-d", *limits, path])
    except OSError:
        return None
    match = _INSTRUCTION.search(listing)
    return None if match is None else " ".join(match[1].split("#")[0].split())


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
