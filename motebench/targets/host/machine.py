"""Machines: places that start programs and have files. Each kind of machine does this in its own
way."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.base.naming import plain
from motebench.targets.base import Place
from motebench.targets.code.building import UserCode
from motebench.targets.session import PROGRAM_SECONDS, ProbeSession, check_in_time
from motebench.targets.setup.needs import language_files, read_language
from motebench.targets.wire.messages import Hello, Job, ProbeFailure, Timing
from motebench.targets.wire.stream import Stream


@cache
def other_languages() -> frozenset[str]:
    """Implementations of probes in other languages than C."""
    return frozenset(
        name for path in language_files() for name in read_language(path).implementations.split()
    )


@dataclass(frozen=True)
class Program:
    """Probe to start. ``command``: its path at the place, then arguments. ``environment``:
    variables in addition to those of the place. ``isolated``: in an empty folder, without the
    variables of the place.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    isolated: bool = False


class Machine(Place):
    """A place that starts programs. A kind of machine implements each method that is abstract
    here."""

    @property
    def architecture(self) -> str:
        """Instruction set, as ``uname -m`` names it: programs built here start on machines with the
        same one."""
        raise NotImplementedError

    def probes(self) -> Mapping[str, str]:
        """Paths of the installed probes at the place, by implementation."""
        raise NotImplementedError

    problem: str | None = None
    """The reason why probes could not be built; None if none failed."""

    def buildable(self) -> Sequence[str]:
        """Implementations whose probes are not installed and can be built."""
        return ()

    def usual(self, implementation: str) -> bool:
        """Libraries that are installed, in C and C++.

        Neither are sources that are made for boards (``mote/aes-fast``), nor other languages:
        starting and warming up a virtual machine takes longer than all the rest.
        """
        return "/" not in implementation and plain(implementation) not in other_languages()

    def build(self, implementations: Sequence[str]) -> None:
        """Build these probes if they are missing and can be built; `problem` has the failure."""

    def connect(self, program: Program) -> Stream:
        """Start a program; a stream to its standard input and output. ProbeFailure if it cannot be
        started."""
        raise NotImplementedError

    def put(self, file: Path) -> str:
        """Copy a file there; its path there. Programs are called after their contents, and may be
        there already.

        ProbeFailure if that cannot be done.
        """
        raise NotImplementedError

    def code_program(self, code: UserCode, level: str) -> Path:
        """User code, built for the machine: a file here. ProbeFailure if it cannot be built."""
        if self.architecture != platform.machine():
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"user code is not built for {self.architecture}"
            )
        return code.program(level)

    def process(self, stream: Stream) -> int | None:
        """The process of a stream if it is on this machine; else None."""
        del stream
        return None

    sandbox_needed: bool = False
    """True if user code must not run without a sandbox."""

    def greeted(self, stream: Stream, hello: Hello) -> None:
        """Called when a probe has sent its hello and measures next."""

    def start(self, program: Program) -> ProgramSession:
        """A session with that program. ProbeFailure if it cannot be started, or is not a probe."""
        return ProgramSession(self, program)


class ProgramSession(ProbeSession):
    """A session with a program of a machine, which restarts the program after a failure."""

    def __init__(self, machine: Machine, program: Program) -> None:
        self._machine, self._program = machine, program
        self._stream: Stream | None = None
        super().__init__(self._start, check=self._greeted, starting=PROGRAM_SECONDS)

    @property
    def pid(self) -> int | None:
        """The id of the current or the last process; None before the first, and on other
        machines."""
        return None if self._stream is None else self._machine.process(self._stream)

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        """Time batches. Also ProbeFailure of kind ``lost`` if they took longer than the request.
        User code has stricter checks."""
        timing = super().measure(
            job, batch=batch, count=count, warm=warm, timeout=timeout, reference=reference
        )
        return self._in_time(timing)

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time each job once; the same check."""
        return self._in_time(super().measure_each(jobs, evict=evict, timeout=timeout))

    def _in_time(self, timing: Timing) -> Timing:
        """The timing if its batches fit into the request. ProbeFailure otherwise."""
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
