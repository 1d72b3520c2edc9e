"""Machines: places that start programs and have files. What differs between them is how they do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from motebench.environment.needs import language_files, read_language
from motebench.naming import plain
from motebench.targets.pace import check_in_time
from motebench.targets.place import Place
from motebench.targets.session import PROGRAM_SECONDS, ProbeSession
from motebench.targets.stream import Stream
from motebench.wire.messages import Hello, Job, ProbeFailure, Timing


@cache
def _other_languages() -> frozenset[str]:
    """Implementations of probes that are not in C."""
    return frozenset(name for path in language_files() for name in read_language(path).implementations.split())


@dataclass(frozen=True)
class Program:
    """A probe to start. ``command``: its path at the place, then arguments. ``environment``: variables beside those of
    the place. ``isolated``: in an empty folder of its own, without the variables of the place."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    isolated: bool = False


class Machine(Place):
    """A place that starts programs. A kind of machine says how each method that is not implemented here goes there."""

    @property
    def architecture(self) -> str:
        """Instruction set, as ``uname -m`` calls it: programs built here start on machines of the same one."""
        raise NotImplementedError

    def probes(self) -> Mapping[str, str]:
        """Paths there of the installed probes, by implementation."""
        raise NotImplementedError

    problem: str | None = None
    """Why probes could not be built; None if none failed."""

    def buildable(self) -> Sequence[str]:
        """Implementations whose probes are not there and can be built."""
        return ()

    def usual(self, implementation: str) -> bool:
        """Libraries that are installed, in C and C++.

        Neither are sources that are made for boards (``mote/aes-fast``), nor other languages: starting and warming up a
        virtual machine takes longer than all the rest.
        """
        return "/" not in implementation and plain(implementation) not in _other_languages()

    def build(self, implementations: Sequence[str]) -> None:
        """Build those of these probes that are not there and can be built; `problem` says what went wrong."""

    def connect(self, program: Program) -> Stream:
        """Start a program; a stream to its standard input and output. ProbeFailure if it cannot be started."""
        raise NotImplementedError

    def put(self, file: Path) -> str:
        """Copy a file there; its path there. Programs are called after their contents, and may be there already.

        ProbeFailure if that cannot be done.
        """
        raise NotImplementedError

    def process(self, stream: Stream) -> int | None:
        """The process behind a stream, where it is one of this machine; else None."""
        del stream
        return None

    def greeted(self, stream: Stream, hello: Hello) -> None:
        """A probe has said who it is, and measures next."""

    def start(self, program: Program) -> ProgramSession:
        """A conversation with that program. ProbeFailure if it cannot be started, or is no probe."""
        return ProgramSession(self, program)


class ProgramSession(ProbeSession):
    """A session with a program of a machine, started anew after it failed."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self._machine, self._program = machine, program
        self._stream: Stream | None = None
        super().__init__(self._start, check=self._greeted, starting=PROGRAM_SECONDS)

    @property
    def pid(self) -> int | None:
        """Of the process under way or the last one; None before the first, and on other machines."""
        return None if self._stream is None else self._machine.process(self._stream)

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        """Time batches. ProbeFailure of kind ``lost`` too if they took longer than the request: user code is watched
        more closely by who started it."""
        timing = super().measure(job, batch=batch, count=count, warm=warm, timeout=timeout)
        if not self._program.isolated:
            try:
                check_in_time(timing, self.hello.clock.hz)
            except ProbeFailure as failure:
                raise self._end(failure) from None
        return timing

    def _start(self) -> Stream:
        self._stream = self._machine.connect(self._program)
        return self._stream

    def _greeted(self, hello: Hello) -> None:
        if self._stream is not None:
            self._machine.greeted(self._stream, hello)
