"""User code on a machine: a probe that is built at the first request, and its test keys.

Test keys are those of its known answers, or keys that it makes from a fixed seed: on this machine
or, if its files are for another processor, on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from motebench.base.model import FailureKind, Operation
from motebench.targets.base import Session
from motebench.targets.code import guards
from motebench.targets.code.building import HOST_LEVEL, LEVELS, UserCode
from motebench.targets.code.folder import KEYED
from motebench.targets.host.machine import Machine, Program, ProgramSession
from motebench.targets.wire.messages import (
    FileTiming,
    Hello,
    Job,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
    fill,
)

_OTHER_PROCESSOR = (FailureKind.BUILD, FailureKind.UNSUPPORTED)
_SECONDS = 300.0
"""Seconds for making a key; a simulated board may need minutes."""


class CodeSession:
    """Session with the probe of user code. Its files tell its offers; a failed build is a failure
    of its cases.
    """

    jit = False

    def __init__(self, code: UserCode, level: str, machine: Machine) -> None:
        if level not in LEVELS:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED,
                f"unknown optimisation level {level!r}; valid: {', '.join(LEVELS)}",
            )
        self._code, self._level, self._machine = code, level, machine
        self._session: ProgramSession | None = None

    @property
    def _probe(self) -> ProgramSession:
        if self._session is None:
            program = self._machine.put(self._machine.code_program(self._code, self._level))
            session = self._machine.start(Program((program,), isolated=True))
            pid = session.pid
            held = pid is not None and guards.holds(pid)
            if not held and self._machine.sandbox_needed:
                session.close()
                raise ProbeFailure(
                    FailureKind.UNSUPPORTED, f"user code has no sandbox on {self._machine.name}"
                )
            self._session = session
            self._code.remarks[f"{self._code.name}: {_told(pid, held)}"] = None
        return self._session

    @property
    def hello(self) -> Hello:
        """The hello of the probe."""
        return self._probe.hello

    def hello_of(self, scheme: str) -> Hello:
        """The same for every scheme."""
        del scheme
        return self._probe.hello

    @property
    def generation(self) -> int:
        """Number of probes that were started."""
        return self._session.generation if self._session is not None else 0

    def offers(self) -> dict[str, Offer]:
        """The schemes in its files."""
        return with_keys(
            self._code,
            self._code.offers(),
            lambda: CodeSession(self._code, HOST_LEVEL, self._machine),
        )

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        """Do the operation once."""
        return self._probe.compute(job, brief=brief, public=public, timeout=timeout)

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """Made by the probe itself."""
        return self.compute(job, timeout=timeout).out or b""

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
        """Time batches. Also ProbeFailure of kind ``wrong-answer`` if the code changed the
        clock.
        """
        probe = self._probe
        pid, before = probe.pid, guards.processor_seconds(probe.pid)
        timing = probe.measure(
            job, batch=batch, count=count, warm=warm, timeout=timeout, reference=reference
        )
        after = guards.processor_seconds(probe.pid)
        worked = (
            after - before
            if pid == probe.pid and after is not None and before is not None
            else None
        )
        sent = sum(len(part) for part in (job.data, job.aad) if isinstance(part, bytes))
        self._code.watch.see(timing, hz=probe.hello.clock.hz, worked=worked, sent=sent)
        return timing

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Time each job once."""
        return self._probe.measure_each(jobs, evict=evict, timeout=timeout)

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Peak memory of the operation."""
        return self._probe.memory(job, timeout=timeout)

    def file(
        self,
        job: Job,
        *,
        source: str,
        destination: str,
        chunk: int,
        cold: bool,
        sync: bool,
        timeout: float,
    ) -> FileTiming:
        """Unsupported: the interface cannot process a file in pieces."""
        del job, source, destination, chunk, cold, sync, timeout
        raise ProbeFailure(FailureKind.UNSUPPORTED, "user code takes whole messages only")

    def close(self) -> None:
        """End the probe."""
        if self._session is not None:
            self._session.close()
            self._session = None


def _told(pid: int | None, held: bool) -> str:
    return guards.SANDBOXED if held else guards.OPEN if pid is not None else guards.UNSEEN


def with_keys(
    code: UserCode,
    offers: dict[str, Offer],
    machine: Callable[[], Session],
    board: Session | None = None,
) -> dict[str, Offer]:
    """Offers of the code; those of KEMs and signatures with keys. ``machine``: a session that can
    make keys. ``board``: makes them if the files cannot be built for the machine.
    """
    return {
        name: replace(offer, own_keys=partial(_keys, code, name, machine, board))
        if code.kind_of(name) in KEYED
        else offer
        for name, offer in offers.items()
    }


def made_elsewhere(failure: ProbeFailure) -> bool:
    """True if keys or answers that user code could not compute on this machine may be left to the
    board, because its files are for that processor alone.
    """
    return failure.kind in _OTHER_PROCESSOR


def _keys(
    code: UserCode, scheme: str, machine: Callable[[], Session], board: Session | None
) -> tuple[bytes, bytes]:
    """Private and public key. ProbeFailure if the code cannot make them."""
    if scheme not in code.keys:
        with_keys = next(
            (vector for vector in code.answers.get(scheme, ()) if vector.key and vector.public),
            None,
        )
        code.keys[scheme] = (
            (with_keys.key, with_keys.public)
            if with_keys is not None
            else _made(code, scheme, machine, board)
        )
    return code.keys[scheme]


def _made(
    code: UserCode, scheme: str, machine: Callable[[], Session], board: Session | None
) -> tuple[bytes, bytes]:
    session = machine()
    try:
        return _made_by(session, code, scheme)
    except ProbeFailure as failure:
        reason = (
            f"its test keys are made on a machine, where that ends in {failure.kind.value}: "
            f"{failure.message}"
        )
        if board is None or not made_elsewhere(failure):
            raise ProbeFailure(FailureKind.UNSUPPORTED, reason) from None
    finally:
        session.close()
    try:
        return _made_by(board, code, scheme)
    except ProbeFailure as failure:
        reason = f"{reason}; on the board it ends in {failure.kind.value}: {failure.message}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, reason) from None


def _made_by(session: Session, code: UserCode, scheme: str) -> tuple[bytes, bytes]:
    made = session.compute(Job(scheme, Operation.KEYGEN.value, seed=fill(13, 64)), timeout=_SECONDS)
    private = made.out or b""
    if code.kind_of(scheme) == "kem":
        return private, made.public
    signing = Job(scheme, Operation.SIGN.value, key=private)
    return private, session.compute(signing, public=True, timeout=_SECONDS).out or b""
