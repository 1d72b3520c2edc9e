"""``ssh:[user@]host``: Linux boards that the user's own OpenSSH client reaches. See
``docs/use/ssh.md``.

Probes are built here, brought to a private folder of the board, and removed at the end. Requests
and replies go over the standard streams of an SSH session.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from motebench.base.errors import InputError, SetupError
from motebench.base.files.elf import TRIAL_STATUS, trial
from motebench.base.model import FailureKind
from motebench.targets.base import Conditions
from motebench.targets.code.building import UserCode
from motebench.targets.host.cross_machines import (
    CrossMachine,
    cross_machines,
    cross_probes,
    cross_toolchain,
    usual,
)
from motebench.targets.host.machine import Machine, Program, ProgramSession
from motebench.targets.host.pinning import NONE, Pinning, check_core, in_order, shared
from motebench.targets.machine import describe
from motebench.targets.machine.snapshot import Snapshot
from motebench.targets.session import ProbeSession
from motebench.targets.setup import building
from motebench.targets.ssh import scripts as ssh_scripts
from motebench.targets.ssh.connection import BoardFacts, SshConnection
from motebench.targets.ssh.link import WATCH_SECONDS, Unreachable, cleaned, preface
from motebench.targets.wire.messages import Hello, Job, ProbeFailure, Timing
from motebench.targets.wire.replies import Reply
from motebench.targets.wire.stream import ProcessStream, Stream, ready, signal_name

T = TypeVar("T")
_TRIES = 3
_START_SECONDS = 30.0
_NOISE = 1 << 16
"""Bytes that a login may print before the probe starts."""
_CONFIRM_SECONDS = 130.0
"""ssh notices a dead link after two minutes."""
_HANDED_ON_SECONDS = 0.3
"""Seconds that ssh may take to pass on received data."""
_CANNOT_START = (126, 127)
_SIGNALLED = 128
_ILLEGAL = 132
_OF_A_SHUTDOWN = (1, 9, 15)
"""Signals that a system which goes down sends to programs, before it ends the connection."""
_SHUTDOWN_SECONDS = 3.0


class SshMachine(Machine):
    """Linux board behind SSH, which starts programs. ``machine``: of `cross_machines`; None: the
    best match.

    Nothing is done before something of the board is asked for. Errors of the first connection are
    SetupErrors.
    """

    def __init__(
        self,
        name: str,
        connection: SshConnection,
        machine: str | None = None,
        where: str | None = None,
    ) -> None:
        self.name, self.connection = name, connection
        self.apart = f"{connection.address.host}:{connection.address.port or 22}"
        self._wanted, self._where = machine, where
        self._core: int | None = None
        self._layout: Callable[[], Mapping[str, str]] | None = None

    @property
    def machine(self) -> str:
        """The kind of machine that its probes are built for."""
        return self._settled[0]

    @property
    def architecture(self) -> str:
        """Architecture, as its probes say."""
        return self._settled[1].architecture

    def environment(self) -> dict[str, Any]:
        """Facts of the board, as it says; none if it was never reached, which is a failure of its
        own."""
        if self.connection.opened == 0 and self.connection.given_up:
            return {"host": {}}
        machine, description = self._settled
        return {
            "host": describe(self._snapshot)["host"],
            "machine": machine,
            "compiler": f"{description.compiler.target} {description.compiler.flags}",
        }

    def check_core(self, cpu: str | int) -> None:
        """InputError if the user may not use that core of the board, or the board cannot pin a
        program to it.
        """
        if not isinstance(cpu, int):
            return
        if not self._pins:
            raise InputError(
                f"{self.name} has no program taskset, which keeps probes on a core",
                where="--cpu",
                valid="auto, none",
            )
        check_core(cpu, self._snapshot.allowed_cores())

    def cores(self) -> Sequence[int]:
        """Cores that the user may use there, if a program keeps probes on them."""
        return in_order(self._snapshot) if self._pins else ()

    def cores_shared(self, count: int) -> str:
        """A note made of the siblings that the kernel there lists."""
        return shared(self._snapshot, count)

    @contextmanager
    def on_core(self, core: int) -> Iterator[None]:
        """Probes that start meanwhile are kept there."""
        before, self._core = self._core, core
        try:
            yield
        finally:
            self._core = before

    def conditions(self, cpu: str | int, seed: int) -> Conditions:
        """Probes of a round share a core of the board; each has its own layout. Its clock is
        watched."""
        pinning = Pinning(cpu if self._pins else NONE, seed, self._next_core, self._snapshot)
        self._layout = pinning.layout.environment
        return pinning

    def _next_core(self, core: int | None) -> None:
        self._core = core

    @property
    def _pins(self) -> bool:
        return "taskset" in self._facts.tools

    @cached_property
    def _snapshot(self) -> Snapshot:
        _ = self._facts  # an error that a user can correct is told, and no machine without facts
        return Snapshot(self.run)

    def close(self) -> None:
        """End the connection, which removes all that was brought there."""
        self.connection.close()

    def run(self, script: str) -> bytes:
        """Output of a POSIX shell script on the board. ProbeFailure if the connection is lost."""
        try:
            return self.connection.run(script)
        except Unreachable as trouble:
            raise trouble.failure() from None

    def probes(self) -> Mapping[str, str]:
        """The built probes, on this machine: each is brought there when it starts."""
        return {name: str(path) for name, path in cross_probes(self.machine).items()}

    def buildable(self) -> Sequence[str]:
        """Names of own implementations and of those from pinned sources."""
        return building.cross_buildable(self.probes())

    def usual(self, implementation: str) -> bool:
        """Own ciphers, and whole libraries."""
        return usual(implementation)

    def code_program(self, code: UserCode, level: str) -> Path:
        """User code, built by the compiler for other machines."""
        return code.program(level, cross_toolchain(self.machine))

    def build(self, implementations: Sequence[str]) -> None:
        """Build these probes if they are missing and can be built. What failed is not tried
        again.
        """
        missing = [name for name in implementations if name in self.buildable()]
        if missing and self.problem is None:
            self.problem = building.build_cross(self.machine, missing)

    def put(self, file: Path) -> str:
        """Path of the program on the board, which gets it when it starts."""
        return str(file)

    def connect(self, program: Program) -> Stream:
        """Bring the program there if it is not there yet, and start it."""
        path, *arguments = program.command
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise ProbeFailure(
                FailureKind.BUILD, f"{Path(path).name} cannot be read: {error.strerror}"
            ) from None

        def start() -> Stream:
            try:
                name = self.connection.send(content)
            except Unreachable as trouble:
                again = trouble.kind is FailureKind.LOST and not self.connection.given_up
                raise LinkLost(trouble.failure().message) if again else trouble.failure() from None
            variables = {
                **program.environment,
                **(self._layout() if self._layout is not None else {}),
            }
            command = [name, *arguments]
            return SshStream(
                self.connection, command, variables, core=self._core, alone=program.isolated
            )

        return patiently(start)

    def greeted(self, stream: Stream, hello: Hello) -> None:
        """ProbeFailure if the probe is one of another architecture."""
        del stream
        if hello.arch != self.architecture:
            problem = (
                f"the probe says it is built for {cleaned(hello.arch)}, not {self.architecture}"
            )
            raise ProbeFailure(FailureKind.LOST, problem)

    def start(self, program: Program) -> ProgramSession:
        """A conversation that survives the end of the connection."""
        return patiently(lambda: SshSession(self, program))

    @cached_property
    def _facts(self) -> BoardFacts:
        try:
            facts = self.connection.facts
        except Unreachable as trouble:
            raise trouble.error(self._where) from None
        if facts.system != "Linux":
            raise SetupError(
                f"{self.name} does not run Linux: it says {facts.system or 'nothing'!r}",
                where=self._where,
                hint="probes for Linux do not run there",
            )
        return facts

    @cached_property
    def _settled(self) -> tuple[str, CrossMachine]:
        """The machine whose programs run on the board: found by its own words, proven by a
        trial."""
        facts, machines = self._facts, cross_machines()
        tried = [self._wanted] if self._wanted else _fitting(facts, machines)
        for name in tried:
            if self._runs(machines[name]):
                return name, machines[name]
        if self._wanted:
            fits = ", ".join(_fitting(facts, machines))
            hint = f"it says it is {facts.machine}, which fits {fits}" if fits else None
            problem = f"{self.name}: the board does not run programs for {self._wanted}"
            raise SetupError(problem, where=self._where, hint=hint)
        reason = f"{facts.machine or 'nothing'!r}"
        if tried:
            raise SetupError(
                f"{self.name} says it is {reason}, but does not run programs for "
                f"{' or '.join(tried)}",
                where=self._where,
                hint="name the kind of machine: ssh:HOST+armv6",
            )
        served = ", ".join(
            dict.fromkeys(word for item in machines.values() for word in item.serves)
        )
        raise SetupError(
            f"{self.name}: no probe can be built for a board that says it is {reason}",
            where=self._where,
            valid=served,
        )

    def _runs(self, description: CrossMachine) -> bool:
        try:
            name = self.connection.send(trial(description.architecture))
            return self.connection.call(f'"{self.connection.folder}/{name}"')[1] == TRIAL_STATUS
        except Unreachable as trouble:
            raise trouble.error(self._where) from None


class SshSession(ProgramSession):
    """A session with a program of a board. A request that the end of the connection cut off is sent
    again."""

    def _ask(self, request: Mapping[str, object], timeout: float, parse: Callable[[Reply], T]) -> T:
        ask = super()._ask
        return patiently(lambda: ask(request, timeout, parse))

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
        """Time batches. What the board reports can be no longer than the request, a held connection
        included."""
        began = time.monotonic()
        timing = ProbeSession.measure(
            self, job, batch=batch, count=count, warm=warm, timeout=timeout, reference=reference
        )
        return self._in_time(replace(timing, span=(began, time.monotonic())))

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time each job once; the same check."""
        began = time.monotonic()
        timing = ProbeSession.measure_each(self, jobs, evict=evict, timeout=timeout)
        return self._in_time(replace(timing, span=(began, time.monotonic())))


def patiently(work: Callable[[], T]) -> T:
    """``work``, and again if the connection ended in it: a board that shuts down may answer once
    more before."""
    for _ in range(_TRIES - 1):
        try:
            return work()
        except LinkLost:
            continue
    return work()


def _fitting(facts: BoardFacts, machines: Mapping[str, CrossMachine]) -> list[str]:
    """The machines whose programs the board should run, the best first."""
    fit = [
        name
        for name, item in machines.items()
        if facts.machine in item.serves
        and set(item.serves[facts.machine].split()) <= facts.features
    ]
    return sorted(fit, key=lambda name: -machines[name].rank)


class LinkLost(ProbeFailure):
    """The connection ended, not the probe: the request may be sent again over another one."""

    def __init__(self, message: str) -> None:
        super().__init__(FailureKind.LOST, message, ended=True)


class SshStream(ProcessStream):
    """A two-way byte stream with a probe at the other end. ProbeFailure if the program cannot be
    started.
    """

    def __init__(
        self,
        connection: SshConnection,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        core: int | None = None,
        alone: bool = False,
    ) -> None:
        """``command``: a program of the folder there, with its arguments. ``core``: where it is
        kept. ``alone``: in an empty folder, without variables of the login."""
        self._connection = connection
        try:
            self._link = connection.take()
        except Unreachable as trouble:
            raise trouble.failure() from None
        self._folder, self._run = connection.folder, connection.number()
        self._nonce = secrets.token_hex(8)
        self._ahead = b""
        self._taken = True
        try:
            super().__init__(self._link.command())
        except BaseException:
            self._release()
            raise
        script = ssh_scripts.launch(
            self._folder, self._run, self._nonce, command, environment, core=core, alone=alone
        )
        try:
            self._begin(script)
        except BaseException:
            self.close()
            raise

    def now(self) -> float:
        """Seconds; they do not pass while the link is held."""
        return self._link.clock()

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; see `Stream`."""
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        return super().receive(deadline)

    def exit_reason(self) -> ProbeFailure:
        """The reason of the end: the exit status of the probe there, or the end of the link."""
        if not self._ends(5.0) and self._link.alive:
            return ProbeFailure(
                FailureKind.LOST, "the probe closed its stream but is still running"
            )
        errors = self._spoken()
        status = re.search(rf"{self._nonce} end (\d{{1,3}})\b", errors)
        if status is None:
            return self._end_of_link(errors)
        number, last_words = int(status[1]), cleaned(errors[: status.start()])
        if number in _CANNOT_START or number == _ILLEGAL:
            how = "is not for this processor, or cannot be started there"
            return ProbeFailure(
                FailureKind.UNSUPPORTED,
                f"the probe {how}: {last_words or signal_name(4)}",
                ended=True,
            )
        how = f"exited with status {number}"
        if number - _SIGNALLED in _OF_A_SHUTDOWN and self._link.dead.wait(_SHUTDOWN_SECONDS):
            return self._end_of_link(errors)
        if number > _SIGNALLED:
            how = f"ended by {signal_name(number - _SIGNALLED)}"
            if number - _SIGNALLED == 9:
                how += " (the board may have had too little memory)"
        return ProbeFailure(
            FailureKind.CRASH, f"the probe {how}" + (f": {last_words}" if last_words else "")
        )

    def close(self) -> None:
        """Let the probe end at the end of its input; kill it there if it does not."""
        if not self._taken:
            return
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        ended = self._link.alive and self._ends(0.5) and f"{self._nonce} end" in self._spoken()
        super().close()
        if not ended and self._link.alive and self._connection.folder == self._folder:
            with contextlib.suppress(Unreachable):
                self._connection.run(ssh_scripts.end(self._folder, self._run), seconds=10)
        self._release()

    def _release(self) -> None:
        if self._taken:
            self._taken = False
            self._connection.give(self._link)

    def _begin(self, script: str) -> None:
        """Start the program; earlier output belongs to the login."""
        deadline, data = self.now() + _START_SECONDS, b""
        super().send(preface(script), deadline)
        while True:
            started = re.search(rb"%s ([a-z0-9]{1,12})\n" % self._nonce.encode(), data)
            if started:
                break
            more = super().receive(deadline)
            if more is None or len(data) > _NOISE:
                raise ProbeFailure(FailureKind.LOST, "the board starts no program")
            if not more:
                raise self.exit_reason()
            data += more
        if not started[1].isdigit():
            self._connection.drop(self._folder)
            raise LinkLost(
                "the folder of the probes on the board is gone: it was removed, or the board "
                "restarted"
            )
        self._ahead = data[started.end() :]

    def _reached(self, descriptor: int, event: int, deadline: float) -> bool:
        """True if the descriptor is ready in time. A link that is held is waited for, until ssh
        gives it up.
        """
        while not ready(descriptor, event, min(WATCH_SECONDS, deadline - self.now())):
            if self.now() < deadline:
                self._link.beat()
            # When the keeper answers, everything that the board sent before has arrived.
            elif not self._link.answers(_CONFIRM_SECONDS) or self.now() >= deadline:
                return ready(descriptor, event, _HANDED_ON_SECONDS)
        return True

    def _end_of_link(self, errors: str) -> ProbeFailure:
        self._link.dead.wait(1.0)
        if not self._link.alive:
            return LinkLost(
                "the connection to the board ended: "
                f"{cleaned(self._link.words()) or cleaned(errors)}"
            )
        return LinkLost(f"the session on the board ended: {cleaned(errors) or 'ssh says nothing'}")

    def _spoken(self) -> str:
        return "" if self._stderr.closed else self._last_words()
