"""Flow of secrets through an operation: a simulator, or valgrind on a host, carries a shadow beside
each bit, and reports each branch, address and operand of varying time that depends on a secret.

The firmware is the measured one, which also marks the secrets of a request; so is the probe of a
host. The inputs are those of a leak test, so that they reach special paths. What they do not reach
is reported as not covered, by simulators.
"""

from __future__ import annotations

import os
import random
import re
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any

from motebench.base.errors import InputError
from motebench.base.files.elf import SourceLine, SourceMap, source_map
from motebench.base.model import (
    Case,
    Evidence,
    Failure,
    FailureKind,
    Kind,
    LeakRecord,
    Operation,
    Run,
    Scheme,
)
from motebench.base.naming import SIMULATED, did_you_mean
from motebench.base.paths import data_root
from motebench.base.process import TemporaryFolder
from motebench.base.shapes import as_document
from motebench.catalog.devices import programmable
from motebench.documents.leak import (
    CodePlaceEntry,
    FlowCaseEntry,
    FlowCoverageEntry,
    FlowFindingEntry,
    FlowGapEntry,
    FlowKind,
    FlowPublicEntry,
    FlowVerdict,
    SecretFlowEntry,
)
from motebench.measuring.images import provider_of
from motebench.measuring.leak.checking import not_admitted, secrets
from motebench.measuring.leak.examination import LeakPlan, LeakRequest, complete, planned
from motebench.measuring.leak.inputs import Input, data_of
from motebench.measuring.run.context import Interrupt
from motebench.measuring.verify.admission import remarks_on
from motebench.measuring.work import jobs
from motebench.results.leaks import FOLLOWED, SCOPE
from motebench.store import Store
from motebench.store.store import check_name
from motebench.targets.base import Session
from motebench.targets.board.simulated import FlowTable, Simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import FirmwareImage, FirmwareRole
from motebench.targets.firmware.architecture import architecture
from motebench.targets.firmware.toolchain import output_of
from motebench.targets.host.programs import machine_target
from motebench.targets.host.this_machine import (
    CheckedError,
    CheckedMachine,
    CheckedPlace,
    MemcheckReport,
    ThisMachine,
    memcheck_refuses,
    memcheck_version,
)
from motebench.targets.settings import parse
from motebench.targets.wire.messages import Job, ProbeFailure
from motebench.version import __version__

FLOW_INPUTS = 12
"""Default number of inputs for each secret, special ones first."""
_ORIGINS = ("key", "coins", "message", "additional data", "tag", "a mark in the code")
"""Origins of secrets, in the order of ``core/probe/marks.h``."""
_KEY, _COINS, _MESSAGE = range(3)
_KINDS = {
    "branch": FlowKind.BRANCH,
    "jump": FlowKind.JUMP,
    "load": FlowKind.LOAD,
    "store": FlowKind.STORE,
    "operands": FlowKind.OPERANDS,
}
_PROBE = "core/probe/"
_BELOW_MAIN = "(below main)"
"""Name that valgrind gives to what calls main."""
_HARNESS = (_PROBE, "core/ports/", "core/support/", "core/mote/adapter/", "core/code/")
"""Folders of the harness and of adapters, whose lines are no part of the code."""
_PLAIN = (Operation.ENCRYPT, Operation.ENCRYPT_MESSAGE, Operation.ENCRYPT_NEW_KEY, Operation.MAC)
"""Operations with a key whose message is secret as well."""
_SCALARS = ("ed25519", "ecdsa")
"""Signature schemes whose private key is secret from end to end."""
_SEED, _TR = 32, 64
_END = 1 << 32
"""Address behind all code."""
_REFUSAL = (FailureKind.ERROR, FailureKind.UNSUPPORTED)
_DISASSEMBLED = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", re.MULTILINE)

_JUMPS = re.compile(r"(?:notrack |bnd )?(?:jmp|call|ret)|blr?\b|br\b")
_STORES = re.compile(r"st|(?!cmp|test|bt)\S+\s.*,.*\)$")
"""Instructions of AArch64, and of x86 with its last operand, the destination, in memory."""

Range = tuple[int, int, int]
"""Place of a job as a number, offset and length of secret bytes in it."""
FlowProgress = Callable[[Case, int, int], None]
"""Hears which case is followed next, and how many of how many are done."""
Requests = Callable[[Session], None]
"""Requests to a probe that marks secrets."""


@dataclass(frozen=True, slots=True)
class FlowRequest:
    """Request to follow secrets: that of a leak test, whose samples are inputs for each secret.

    ``public``: functions whose branches the user declares to be on public values. ``checked``: the
    known answers of the code are checked elsewhere.
    """

    leak: LeakRequest
    public: Sequence[str] = ()
    checked: bool = False


def follow(workspace: Workspace, request: FlowRequest, progress: FlowProgress) -> SecretFlowEntry:
    """The answer for all operations of the request, which is not stored. Errors: `_planned`."""
    with _planned(workspace, request) as (plan, place):
        answers = list(_answers(plan, place, request, progress))
        hello = plan.session.hello
        return SecretFlowEntry(
            motebench=__version__,
            target=plan.target.name,
            implementation=plan.question.implementation,
            evidence=Evidence.SIMULATED.value,
            tool=place.tool,
            compiler=hello.compiler,
            flags=hello.flags,
            seed=plan.question.seed,
            cases=tuple(entry for _, entry in answers if isinstance(entry, FlowCaseEntry)),
            failures=tuple(entry for _, entry in answers if isinstance(entry, Failure)),
        )


def follow_stored(
    store_place: str | os.PathLike[str],
    workspace: Workspace,
    request: FlowRequest,
    progress: FlowProgress,
) -> Run:
    """The same as a run of the store, to which each operation is written at once. Ctrl-C ends it
    in order after an operation.
    """
    Store.check(store_place)  # building may take long
    if request.leak.name is not None:
        check_name(request.leak.name)
    with _planned(workspace, request) as (plan, place):
        environment, settings = plan.environment(), _settings(plan, place, request)
        with Store.open(store_place, create=True) as store:
            run = store.create_run(
                request.leak.name,
                "",
                settings,
                environment,
                plan.question.seed,
                __version__,
                plan.cases,
            )
            answers = _answers(plan, place, request, progress)
            complete(store, run, partial(_write, store, run, plan, answers))
            return store.load_run(run)


@contextmanager
def planned_flow(workspace: Workspace, request: FlowRequest) -> Iterator[LeakPlan]:
    """The plan of following secrets. Errors: `_planned`."""
    with _planned(workspace, request) as (plan, _):
        yield plan


@contextmanager
def _planned(
    workspace: Workspace, request: FlowRequest
) -> Iterator[tuple[LeakPlan, _Board | _Host]]:
    """The plan, and the place that follows secrets. Errors: `examination.planned`; InputError for a
    target that does not follow secrets, and for functions that its code does not have.
    """
    place = _place(request.leak.target, request.leak.implementation)
    inputs = request.leak.samples or FLOW_INPUTS
    with planned(workspace, replace(request.leak, samples=inputs, timed=False)) as plan:
        place.check_functions(plan, request.public)
        yield plan, place


def _settings(plan: LeakPlan, place: _Board | _Host, request: FlowRequest) -> dict[str, Any]:
    settings, question = plan.settings(request.leak.command), plan.question
    scope = {
        **settings[SCOPE],
        "method": f"secrets followed bit by bit{f' by {place.tool}' if place.tool else ''}",
        "evidence": Evidence.SIMULATED.value,
        "flow": True,
        "tool": place.tool,
        "public": list(request.public),
    }
    study = f"secrets of {question.implementation} on {plan.target.name}"
    return {**settings, "study": study, SCOPE: scope}


def _write(
    store: Store,
    run: int,
    plan: LeakPlan,
    answers: Iterator[tuple[Case, FlowCaseEntry | Failure]],
    interrupt: Interrupt,
) -> None:
    """Write each answer to the store."""
    code = plan.question.code
    for case, entry in answers:
        if isinstance(entry, Failure):
            store.fail_case(run, case, entry)
        else:
            store.add_leak(run, case, LeakRecord(FOLLOWED, as_document(entry)))
            store.finish_case(run, case, [] if code is None else remarks_on(code, case.scheme))
        interrupt.check()


def _answers(
    plan: LeakPlan, place: _Board | _Host, request: FlowRequest, progress: FlowProgress
) -> Iterator[tuple[Case, FlowCaseEntry | Failure]]:
    """Each operation with its answer, or with the reason for none."""
    refused: dict[str, Failure | None] = {}
    for number, case in enumerate(plan.cases):
        progress(case, number, len(plan.cases))
        if case.scheme not in refused and not request.checked:
            refused[case.scheme] = not_admitted(
                plan.target, plan.session, plan.question, case.scheme
            )
        failure = refused.get(case.scheme)
        if failure is not None:
            yield case, Failure.of_case(case, failure.kind, failure.message, failure.vector)
            continue
        try:
            yield case, _Follower(plan, place, case, request.public).entry()
        except ProbeFailure as problem:
            yield case, Failure.of_case(case, problem.kind, problem.message)


def _place(name: str, implementation: str) -> _Board | _Host:
    board = parse(name)
    if board is not None:
        place = Simulation(*board)
        if place.follows:
            return _Board(place)
    elif name == ThisMachine.name:
        if reason := memcheck_refuses(implementation):
            raise InputError(
                f"secrets cannot be followed through {implementation}: {reason}",
                where="--implementation",
            )
        return _Host(memcheck_version())
    able = [
        f"{SIMULATED}{device.id}"
        for device in programmable().values()
        if architecture(device.architecture).simulator.secret_flow
    ]
    raise InputError(
        f"nothing follows secrets on {name}",
        where="--target",
        valid=", ".join((ThisMachine.name, *able)),
        hint="on another machine, run motebench there with --target host",
    )


@dataclass(frozen=True, slots=True)
class _Flow:
    """Flow of the secrets of one case, for readers. ``lost``: findings without room."""

    findings: list[FlowFindingEntry]
    public: list[FlowPublicEntry]
    coverage: FlowCoverageEntry | None
    lost: int = 0
    firmware: str | None = None


@dataclass(frozen=True, slots=True)
class _Board:
    """A simulated board as a place where secrets are followed."""

    place: Simulation
    tool = None

    def flow(self, plan: LeakPlan, scheme: str, requests: Requests) -> _Flow:
        """Flow of the secrets of these requests. ProbeFailure if they cannot be followed."""
        device = self.place.device
        provider = provider_of(plan.workspace, device, plan.question.implementation)
        image = provider.image(device, scheme, FirmwareRole(marks=True))
        table = self.place.follow(image, requests)
        code, text = _program(image)
        return _Flow(
            findings=_findings(table, code, text),
            public=list(_declassified(table, code, text)),
            coverage=_coverage(table.ran, code),
            lost=table.lost,
            firmware=image.identity.hex(),
        )

    def check_functions(self, plan: LeakPlan, names: Sequence[str]) -> None:
        """InputError for a name that no function of the code has."""
        if not names:
            return
        provider = provider_of(plan.workspace, self.place.device, plan.question.implementation)
        functions: set[str] = set()
        for scheme in dict.fromkeys(case.scheme for case in plan.cases):
            image = provider.image(self.place.device, scheme, FirmwareRole(marks=True))
            functions |= {entry.name for entry in source_map(image.path).functions}
        for name in names:
            if name not in functions:
                raise InputError(
                    f"the code has no function {name!r}",
                    where="--public",
                    hint=did_you_mean(name, sorted(functions))
                    or "inlined functions are part of their callers; findings name the functions",
                )


@dataclass(frozen=True, slots=True)
class _Host:
    """This machine as that place. ``tool``: version of valgrind."""

    tool: str

    def flow(self, plan: LeakPlan, scheme: str, requests: Requests) -> _Flow:
        """The same. The scheme makes no difference to the probe."""
        del scheme
        with TemporaryFolder() as folder:
            machine = CheckedMachine(folder)
            target = machine_target(machine, plan.workspace.code)
            session = target.open(plan.question.implementation)
            problem: ProbeFailure | None = None
            try:
                requests(session)
            except ProbeFailure as failure:
                problem = failure
            finally:
                session.close()
            reports = machine.reports()
        for report in reports:
            if report.unknown is not None:
                raise self._unknown(report.unknown)
        if problem is not None:
            raise problem
        return _Flow(_of_errors(reports), _of_marks(reports), coverage=None)

    def check_functions(self, plan: LeakPlan, names: Sequence[str]) -> None:
        """Nothing to check: valgrind names functions as it reaches them."""

    def _unknown(self, place: CheckedPlace) -> ProbeFailure:
        where = _checked(place)
        line = f" ({where.file}{'' if where.line is None else f':{where.line}'})"
        return ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"{self.tool} does not know an instruction of {where.function or '?'}{line}, such as "
            "AVX-512 and SHA instructions; compile the code without them, or choose a variant",
        )


# Inputs and their secrets


def secret_ranges(scheme: Scheme, job: Job) -> list[Range]:
    """Secret bytes of a job; what is not in them is public. ProbeFailure of kind ``unsupported`` if
    the private key holds public numbers at places that are unknown.
    """
    operation = Operation(job.operation)
    if operation in (Operation.KEYGEN, Operation.ENCAPSULATE):
        if not job.seed:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "it draws its random bytes itself")
        return [(_COINS, 0, len(job.seed))]
    if operation is Operation.DIGEST:
        return [(_MESSAGE, 0, len(data_of(job)))]
    ranges = _private(scheme, len(job.key)) if scheme.kind.public_key else [(0, len(job.key))]
    places: list[Range] = [(_KEY, offset, length) for offset, length in ranges]
    if operation in _PLAIN:
        places.append((_MESSAGE, 0, len(data_of(job))))
    return [place for place in places if place[2] > 0]


def _private(scheme: Scheme, length: int) -> list[tuple[int, int]]:
    """Offset and length of the secret parts of a private key."""
    if scheme.kind is Kind.AGREEMENT or scheme.algorithm in _SCALARS:
        return [(0, length)]
    if scheme.kem is not None and scheme.algorithm == "ml-kem":
        if length != scheme.kem.private:
            return [(0, length)]  # seeds
        public = scheme.kem.public + _SEED  # with its digest (FIPS 203, algorithm 16)
        secret = length - public - _SEED
        return [(0, secret), (secret + public, _SEED)]
    if scheme.algorithm == "ml-dsa" and scheme.signing is not None:
        if length != scheme.signing.private:
            return [(0, length)]
        # rho, K, tr, s1, s2, t0 (FIPS 204, algorithm 24)
        return [(_SEED, _SEED), (2 * _SEED + _TR, length - 2 * _SEED - _TR)]
    raise ProbeFailure(
        FailureKind.UNSUPPORTED,
        f"private keys of {scheme.algorithm} hold public numbers, and their places are not known",
    )


def _seed_length(scheme: Scheme) -> int:
    """Random bytes that key generation takes; those of a scalar are the private key itself."""
    if scheme.kem is not None:
        return scheme.kem.keygen_seed
    if scheme.kind is Kind.AGREEMENT:
        return scheme.key_bytes
    signing = scheme.signing
    if signing is None:
        return 0
    length = signing.private if scheme.algorithm in _SCALARS else None
    return signing.keygen_seed or length or 0


def marked(scheme: Scheme, job: Job) -> Job:
    """The job with its secrets said to the firmware."""
    return replace(
        job, secret=b"".join(struct.pack(">BHH", *place) for place in secret_ranges(scheme, job))
    )


class _Follower:
    """Follows the secrets of one case."""

    def __init__(
        self, plan: LeakPlan, place: _Board | _Host, case: Case, public: Sequence[str]
    ) -> None:
        self._plan, self._place, self._case = plan, place, case
        self._public = frozenset(public)
        self._scheme = next(
            scheme for scheme in plan.question.schemes if scheme.name == case.scheme
        )
        self._ran = 0
        self._refused: dict[str, str] = {}

    def entry(self) -> FlowCaseEntry:
        """The answer for the case. ProbeFailure if it cannot be followed."""
        plan, scheme, case = self._plan, self._scheme, self._case
        inputs = list(self._inputs())
        flow = self._place.flow(plan, scheme.name, partial(self._run, inputs=inputs))
        findings = flow.findings
        errors = [finding for finding in findings if finding.error and not self._declared(finding)]
        notes = [finding for finding in findings if not finding.error]
        origins = {place for place, _, _ in secret_ranges(scheme, inputs[0].job)}
        return FlowCaseEntry(
            scheme=scheme.name,
            operation=case.operation.value,
            input_bytes=case.input_bytes,
            secrets=tuple(_ORIGINS[place] for place in sorted(origins)),
            inputs=self._ran,
            refused=self._refused,
            verdict=FlowVerdict.REACHES if errors or flow.lost else FlowVerdict.CLEAN,
            findings=(*errors, *notes),
            findings_lost=flow.lost,
            declassified=(
                *flow.public,
                *(_by_user(finding) for finding in findings if self._declared(finding)),
            ),
            coverage=flow.coverage,
            firmware=flow.firmware,
        )

    def _declared(self, finding: FlowFindingEntry) -> bool:
        """True if the user declares this branch to be on public values."""
        return (
            finding.error
            and finding.kind == FlowKind.BRANCH
            and finding.at.function in self._public
        )

    def _inputs(self) -> Iterator[Input]:
        """Inputs of all secrets that can be varied, each secret's special ones first."""
        plan, scheme, question = self._plan, self._scheme, self._plan.question
        offer = plan.session.offers()[scheme.name]
        job = jobs.build(self._case, scheme, offer, plan.session, question.timeout)
        if self._case.operation is Operation.KEYGEN and offer.seeds and not job.seed:
            job = replace(job, seed=jobs.derived(f"seed {scheme.name}", _seed_length(scheme)))
        varied, _ = secrets(
            plan.session,
            scheme,
            offer,
            job,
            seed=question.seed,
            timeout=question.timeout,
            exact=True,
        )
        if not varied:
            yield Input("first", job)
        for variation in varied:
            source = random.Random(f"{question.seed} {variation.varied}")
            drawn = (Input("random", variation.draw(source)) for _ in range(question.samples))
            first = (Input("first", variation.job),)
            accepted = [] if variation.accepted is None else [Input("accepted", variation.accepted)]
            yield from islice(chain(first, accepted, variation.specials, drawn), question.samples)

    def _run(self, session: Session, *, inputs: Sequence[Input]) -> None:
        """Computes every input on the board that is watched. ProbeFailure if the outputs of the
        first input differ from those of the measured firmware, or none is taken.
        """
        timeout = self._plan.question.timeout
        for number, item in enumerate(inputs):
            job = marked(self._scheme, item.job)
            try:
                answer = session.compute(job, brief=True, timeout=timeout)
            except ProbeFailure as failure:
                if failure.kind not in _REFUSAL or failure.ended or number == 0:
                    raise
                self._refused[item.name] = failure.message
                continue
            self._ran += 1
            if number == 0 and not jobs.random_result(job):
                usual = self._plan.session.compute(item.job, brief=True, timeout=timeout)
                if (usual.rejected, usual.crc) != (answer.rejected, answer.crc):
                    raise ProbeFailure(
                        FailureKind.WRONG_ANSWER,
                        "the firmware that marks secrets gives another output",
                    )


# The answer


def _findings(table: FlowTable, code: SourceMap, text: dict[int, str]) -> list[FlowFindingEntry]:
    """Findings with their places; of an instruction that is an error for some inputs and a note for
    others, the error.
    """
    errors = {(finding.address, finding.kind) for finding in table.findings if finding.error}
    entries = [
        FlowFindingEntry(
            kind=_KINDS[finding.kind],
            error=finding.error,
            at=_at(finding.address, code, text),
            times=finding.times,
            cycles=finding.cycles,
            secrets=tuple(name for bit, name in enumerate(_ORIGINS) if finding.origins >> bit & 1),
            through=tuple(_names(finding.chain, code)),
        )
        for finding in table.findings
        if finding.error or (finding.address, finding.kind) not in errors
    ]
    return sorted(
        entries, key=lambda entry: (not entry.error, -entry.times, int(entry.at.address, 16))
    )


def _of_errors(reports: Iterable[MemcheckReport]) -> list[FlowFindingEntry]:
    """Findings of valgrind, one for each instruction; those of the probe itself are left out: it
    checks what user code leaves as it was.
    """
    by_instruction: dict[tuple[str, int, str], list[CheckedError]] = {}
    for error in (error for report in reports for error in report.errors):
        place = error.at
        if not (_checked(place).file or "").startswith(_PROBE):
            by_instruction.setdefault((place.file_of_code, place.address, error.kind), []).append(
                error
            )
    entries = map(_of_instruction, by_instruction.values())
    return sorted(entries, key=lambda entry: (-entry.times, int(entry.at.address, 16)))


def _of_instruction(errors: Sequence[CheckedError]) -> FlowFindingEntry:
    origins = {error.origin for error in errors}
    callers = [_checked(caller) for caller in reversed(errors[0].callers)]
    return FlowFindingEntry(
        kind=_kind(errors[0]),
        error=True,
        at=_checked(errors[0].at),
        times=sum(error.times for error in errors),
        cycles=None,
        secrets=tuple(name for bit, name in enumerate(_ORIGINS) if bit in origins),
        through=tuple(
            caller.function for caller in callers if caller.function and _is_code(caller)
        ),
    )


def _is_code(place: CodePlaceEntry) -> bool:
    """False for the harness, and for what calls main."""
    return place.function != _BELOW_MAIN and not (place.file or "").startswith(_HARNESS)


def _of_marks(reports: Iterable[MemcheckReport]) -> list[FlowPublicEntry]:
    by_address: dict[str, list[FlowPublicEntry]] = {}
    for mark in (mark for report in reports for mark in report.public):
        entry = FlowPublicEntry(
            declared="the code", at=_checked(mark.at), times=1, bytes=mark.bytes
        )
        by_address.setdefault(entry.at.address, []).append(entry)
    return [
        replace(entries[0], times=len(entries), bytes=sum(entry.bytes for entry in entries))
        for entries in by_address.values()
    ]


def _kind(error: CheckedError) -> FlowKind:
    if error.kind == "branch":
        return FlowKind.BRANCH
    text = error.at.text or ""
    if _JUMPS.match(text):
        return FlowKind.JUMP
    return FlowKind.STORE if _STORES.match(text) else FlowKind.LOAD


def _checked(place: CheckedPlace) -> CodePlaceEntry:
    return CodePlaceEntry(
        function=place.function,
        file=Path(place.file_of_code).name if place.source is None else _shown(place.source),
        line=place.line,
        address=f"{place.address:#x}",
        instruction=place.text,
    )


def _names(chain_of: Iterable[int], code: SourceMap) -> Iterator[str]:
    for address in chain_of:
        function = code.function(address)
        if function is not None:
            yield function.name


def _at(address: int, code: SourceMap, text: dict[int, str]) -> CodePlaceEntry:
    function, line = code.function(address), code.line(address)
    return CodePlaceEntry(
        function=None if function is None else function.name,
        file=None if line is None else _shown(line.file),
        line=None if line is None else line.number,
        address=f"{address:#x}",
        instruction=text.get(address),
    )


def _shown(file: str) -> str:
    """The path of a source, relative to motebench's own if it is one of them."""
    path = os.path.normpath(file)
    root = f"{data_root()}{os.sep}"
    return path.removeprefix(root) if path.startswith(root) else Path(path).name


def _declassified(
    table: FlowTable, code: SourceMap, text: dict[int, str]
) -> Iterator[FlowPublicEntry]:
    for mark in table.public:
        yield FlowPublicEntry(
            declared="the code",
            at=_at(mark.caller, code, text),
            times=mark.times,
            bytes=mark.bytes,
        )


def _by_user(finding: FlowFindingEntry) -> FlowPublicEntry:
    return FlowPublicEntry(declared="--public", at=finding.at, times=finding.times, bytes=0)


@lru_cache(maxsize=1)
def _program(image: FirmwareImage) -> tuple[SourceMap, dict[int, str]]:
    """Lines and instructions of a firmware, which all operations of a scheme share."""
    return source_map(image.path), _disassembly(image)


def _disassembly(image: FirmwareImage) -> dict[int, str]:
    """Text of each instruction by its address; empty without a disassembler."""
    if image.tools is None:
        return {}
    try:
        listing = output_of([image.tools.objdump, "-d", str(image.path)])
    except OSError:
        return {}
    return {
        int(address, 16): " ".join(instruction.split(";")[0].split("@")[0].split())
        for address, instruction in _DISASSEMBLED.findall(listing)
    }


def _coverage(ran: frozenset[int], code: SourceMap) -> FlowCoverageEntry:
    """Lines of the functions that ran, and those of their lines that did not."""
    lines, owners = _lines(ran, code)
    gaps: dict[tuple[str, str], list[int]] = {}
    for line in sorted(line for line, has_run in lines.items() if not has_run):
        gaps.setdefault((owners[line], _shown(line.file)), []).append(line.number)
    return FlowCoverageEntry(
        functions=len(set(owners.values())),
        lines=len(lines),
        ran=sum(lines.values()),
        not_covered=tuple(
            FlowGapEntry(function=function, file=file, lines=tuple(numbers))
            for (function, file), numbers in sorted(gaps.items())
        ),
    )


def _lines(
    ran: frozenset[int], code: SourceMap
) -> tuple[dict[SourceLine, bool], dict[SourceLine, str]]:
    """Lines of the functions that ran: True for those that ran themselves; and their functions."""
    starts = sorted(ran)
    reached = {code.function(address) for address in starts}
    lines: dict[SourceLine, bool] = {}
    owners: dict[SourceLine, str] = {}
    for (start, line), (end, _) in pairwise((*code.rows, (_END, None))):
        function = code.function(start)
        if line is None or function is None or function not in reached or _of_harness(line):
            continue
        lines[line] = lines.get(line, False) or _any_between(starts, start, end)
        owners.setdefault(line, function.name)
    return lines, owners


def _any_between(sorted_addresses: Sequence[int], start: int, end: int) -> bool:
    number = bisect_left(sorted_addresses, start)
    return number < len(sorted_addresses) and sorted_addresses[number] < end


def _of_harness(line: SourceLine) -> bool:
    return _shown(line.file).startswith(_HARNESS)
