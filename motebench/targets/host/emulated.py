"""Emulated processors: probes built for other machines, under QEMU's user emulation, which counts
their instructions.

A count is exact and the same each time, and it is no time: no cache, pipeline or memory is
emulated. See ``docs/use/emulation.md``.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from motebench.base.errors import InputError
from motebench.base.model import Evidence, FailureKind
from motebench.base.naming import EMULATED, did_you_mean
from motebench.base.paths import data_root
from motebench.targets.base import Conditions, Sharing, Target, TargetRequest
from motebench.targets.code.building import UserCode
from motebench.targets.host.cross_machines import (
    CrossMachine,
    cross_machines,
    cross_probes,
    cross_target,
    cross_toolchain,
    usual,
)
from motebench.targets.host.machine import Machine, Program, ProgramSession
from motebench.targets.machine.system import LinuxSystem as Here
from motebench.targets.session import ProbeSession
from motebench.targets.setup import building
from motebench.targets.setup.needs import board_files, install_line, read_board
from motebench.targets.wire.messages import EACH, Hello, Job, ProbeFailure, Timing
from motebench.targets.wire.stream import ProcessStream, Stream

COUNTER = "instructions"
"""Name of the probe's counter where the plugin counts."""
_NOT_HERE = ("memory", "file", EACH)
"""Requests whose answers would be about the emulator."""


def plugin() -> Path:
    """The path of QEMU's plugin that counts, once it is built."""
    return data_root() / "build" / "simulators" / "motebench-count.so"


class Emulation(Machine):
    """A place that starts programs. ``machine``: by its name in
    ``core/ports/posix/machines``."""

    evidence = Evidence.SIMULATED
    exact = True
    sharing = Sharing.PARALLEL
    metric = "instructions"

    def __init__(self, machine: str, description: CrossMachine) -> None:
        self.name = f"{EMULATED}{machine}"
        self._machine, self._description = machine, description

    @property
    def architecture(self) -> str:
        """Architecture, as its probes say."""
        return self._description.architecture

    def environment(self) -> dict[str, Any]:
        """The emulated machine, and the emulator."""
        emulator = self._description.emulator
        return {
            "host": {},
            "title": self._description.title,
            "emulator": _version(emulator.program),
            "cpu": emulator.cpu,
            "variables": dict(emulator.environment),
            "compiler": f"{self._description.compiler.target} {self._description.compiler.flags}",
        }

    def probes(self) -> Mapping[str, str]:
        """The built probes."""
        return {name: str(path) for name, path in cross_probes(self._machine).items()}

    def buildable(self) -> Sequence[str]:
        """Names of own implementations and of those from pinned sources."""
        return building.cross_buildable(self.probes())

    def usual(self, implementation: str) -> bool:
        """Own ciphers, and whole libraries."""
        return usual(implementation)

    def build(self, implementations: Sequence[str]) -> None:
        """Build these probes if they are missing and can be built. What failed is not tried
        again.
        """
        missing = [name for name in implementations if name in self.buildable()]
        if missing and self.problem is None:
            self.problem = building.build_cross(self._machine, missing)

    sandbox_needed = True

    def put(self, file: Path) -> str:
        """The same path: the emulator runs here."""
        return str(file)

    def code_program(self, code: UserCode, level: str) -> Path:
        """Built by the compiler for other machines."""
        return code.program(level, cross_toolchain(self._machine))

    def process(self, stream: Stream) -> int | None:
        """The emulator's process."""
        return stream.pid if isinstance(stream, ProcessStream) else None

    def connect(self, program: Program) -> Stream:
        """The emulator, as a child process."""
        self._check()
        emulator = self._description.emulator
        command = [
            emulator.program,
            "-cpu",
            emulator.cpu,
            "-plugin",
            str(plugin()),
            *program.command,
        ]
        variables = {**emulator.environment, **program.environment}
        return ProcessStream(command, environment=variables, alone=program.isolated)

    def greeted(self, stream: Stream, hello: Hello) -> None:
        """ProbeFailure if nothing counts, or if the probe is one of another architecture."""
        del stream
        if hello.arch != self.architecture:
            raise ProbeFailure(
                FailureKind.LOST,
                f"the probe says it is built for {hello.arch}, not {self.architecture}",
            )
        if hello.counter is None or hello.counter.name != COUNTER:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, "the emulator does not count instructions for the probe"
            )

    def start(self, program: Program) -> ProgramSession:
        """A conversation in which the count stands for the clock."""
        return CountedSession(self, program)

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """Conditions of a run, with a note on the limits of counts."""
        del cpu, seed
        return _CountNotes(self.name)

    def _check(self) -> None:
        """ProbeFailure if something is missing that runs probes."""
        program = self._description.emulator.program
        if shutil.which(program) is None:
            needs = next(
                (read_board(path) for path in board_files() if path.parent.name == "qemu"), None
            )
            line = f": {install_line(Here(), needs.debian, needs.ubuntu)}" if needs else ""
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"{program} is not here{line}; motebench doctor"
            )
        problem = None if plugin().exists() else building.build_program(building.SIMULATORS)
        if not plugin().exists():
            raise ProbeFailure(
                FailureKind.BUILD,
                f"{plugin().name} is not built{f': {problem}' if problem else ''}",
            )


class CountedSession(ProgramSession):
    """Session with a probe that counts instructions. Its clock is hidden, because it is that of the
    host.
    """

    @property
    def hello(self) -> Hello:
        """The count stands in place of the clock."""
        hello = super().hello
        assert hello.counter is not None  # Emulation.greeted has seen to it
        return replace(
            hello,
            clock=hello.counter,
            counter=None,
            cpu=None,
            loop=None,
            does=hello.does - frozenset(_NOT_HERE),
        )

    def hello_of(self, scheme: str) -> Hello:
        """The same for every scheme."""
        del scheme
        return self.hello

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
        """Count the instructions of batches."""
        del reference
        timing = ProbeSession.measure(
            self, job, batch=batch, count=count, warm=warm, timeout=timeout
        )
        if timing.counts is None:
            raise ProbeFailure(
                FailureKind.LOST, "invalid reply from the probe: no counts", ended=True
            )
        counted = replace(timing, ticks=timing.counts, counts=None, cpu=None, preempted=None)
        return replace(counted, before=None, after=None)


class _CountNotes(Conditions):
    def __init__(self, target: str) -> None:
        self._target = target

    def notes(self) -> list[str]:
        """Notes for readers of the run."""
        return [
            f"{self._target} counts instructions. They are exact, and neither time nor cycles: a "
            "core takes from a fraction of a cycle to hundreds of cycles for one."
        ]


@cache
def _version(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "-version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"{program}, not here"
    return " ".join(done.stdout.splitlines()[:1])[:200] or program


def names() -> dict[str, str]:
    """The available targets of this kind, each with a description."""
    return {
        f"{EMULATED}{name}": f"instructions of {machine.title}"
        + (f" ({machine.boards})" if machine.boards else "")
        for name, machine in cross_machines().items()
    }


def open_kind(request: TargetRequest) -> Target | None:
    """Target that the request names; None if this kind has no such target."""
    machines, machine = cross_machines(), request.name.removeprefix(EMULATED)
    if machine not in machines:
        raise InputError(
            f"unknown processor {machine!r} in target {request.name!r}",
            where=request.where,
            valid=", ".join(names()) or None,
            hint=did_you_mean(machine, machines)
            if machines
            else "emulation needs a checkout with motebench's sources",
        )
    place = Emulation(machine, machines[machine])
    return cross_target(place, request.code)
