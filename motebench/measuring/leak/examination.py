"""Examination of an implementation for timing leaks: its scope, and its results in the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from motebench.base.errors import InputError, SetupError
from motebench.base.model import KIND, Case, Failure, LeakRecord, Operation, Run, RunKind, Scheme
from motebench.base.naming import split_list
from motebench.base.shapes import as_document
from motebench.base.units import format_size, parse_size
from motebench.catalog import Schemes
from motebench.documents.leak import (
    ControlEntry,
    CountedEntry,
    CyclesEntry,
    ExampleEntry,
    InputEntry,
    LeakArmEntry,
    LeakDifferenceEntry,
    LeakJudgedEntry,
    LeakTestEntry,
    LeftOutEntry,
    ShiftEntry,
    TimedInputEntry,
    WithoutCacheEntry,
)
from motebench.measuring.leak.checking import (
    CycleSpread,
    LeakFinding,
    LeakQuestion,
    LeftOut,
    WithoutCache,
    cases_of,
    findings_of,
    not_admitted,
    usual_operations,
    usual_schemes,
)
from motebench.measuring.leak.inputs import Input, Varied, data_of
from motebench.measuring.leak.statistical import LeakArm, Suspicion, fewest_samples
from motebench.measuring.plan.offers import greeting
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.run import environment_at
from motebench.measuring.verify.admission import remarks_on
from motebench.results.leaks import SCOPE, LeakScope
from motebench.stats.leak import CONFIDENCE, SURE, UNFIT, LeakShift
from motebench.store import Store
from motebench.store.store import check_name
from motebench.targets.base import Session, Target
from motebench.targets.code.workspace import Workspace
from motebench.targets.machine import describe
from motebench.targets.registry import implementations_of, missing_implementation, open_target
from motebench.targets.wire.messages import ProbeFailure
from motebench.version import __version__

EXACT_SAMPLES, HOST_SAMPLES = 300, 20_000
_MOST_SCHEMES = 12
"""Largest number of schemes that are examined unless the user names them: more would take long."""
_MOST_FIXED = 30
"""Most fixed inputs of one secret: DES has many weak keys."""
_FEWEST_ON_HOST = fewest_samples(_MOST_FIXED)
_LONGEST = 2**20
"""Longest message in bytes: the results show those that stand out, and a store takes 16 MiB of a
result.
"""


@dataclass(frozen=True, slots=True)
class LeakRequest:
    """Request of a leak test, as the command line names things. ``schemes``, ``operations``: none
    means the usual ones.

    ``size``: of messages, as text; ``samples``: None means `EXACT_SAMPLES` or `HOST_SAMPLES`.
    ``name``: of the run; None: by date and number. ``command``: what was typed, for the record.
    ``timed``: inputs are timed, which needs many on a host.
    """

    target: str
    implementation: str
    schemes: Sequence[str]
    operations: Sequence[str]
    size: str
    samples: int | None
    seed: int
    name: str | None = None
    command: str | None = None
    timed: bool = True


@dataclass(frozen=True, slots=True)
class LeakState:
    """Progress of an examination: ``finished`` of all operations, ``secrets`` (done, all) of the
    one that is examined, ``readings`` (taken, all) of the secret that is ``varied``.
    """

    case: Case
    finished: int
    total: int
    varied: Varied
    secrets: tuple[int, int]
    readings: tuple[int, int]


class LeakProgress(Protocol):
    """Receives the events of an examination."""

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that the implementation is about to be asked for its identity; a board first gets
        firmware for that.
        """
        ...

    def checking(self, scheme: str, done: int, total: int) -> None:
        """Known answers of a scheme are about to be checked; of a board its firmware is built for
        that.
        """
        ...

    def reading(self, state: LeakState) -> None:
        """Readings are about to be taken."""
        ...


@dataclass(frozen=True, slots=True)
class LeakPlan:
    """An examination that can begin: its target with an open session, and the operations to
    examine.
    """

    target: Target
    session: Session
    question: LeakQuestion
    workspace: Workspace
    cases: tuple[Case, ...]

    def environment(self) -> dict[str, Any]:
        """The environment that the examination is made in. ProbeFailure if the probe ends."""
        hello = greeting(self.session, [scheme.name for scheme in self.question.schemes])
        hellos = {} if hello is None else {self.question.implementation: hello}
        targets = {self.target.name: self.target}
        return environment_at(targets, {self.target.name: hellos}, self.workspace.code)

    def settings(self, command: str | None) -> dict[str, Any]:
        """Settings of the run: facts of the question beside its cases."""
        question, place = self.question, self.target.place
        scope = LeakScope(
            target=self.target.name,
            implementation=question.implementation,
            evidence=place.evidence.value,
            method="every cycle counted"
            if place.exact
            else "rank tests, fixed against random inputs",
            samples=question.samples,
        )
        return {
            **({"command": command} if command else {}),
            KIND: RunKind.LEAK.value,
            "study": f"leak test of {question.implementation} on {self.target.name}",
            SCOPE: {**asdict(scope), "size": question.size},
        }


@contextmanager
def planned(workspace: Workspace, request: LeakRequest) -> Iterator[LeakPlan]:
    """The plan of an examination; its session is closed at the end. InputError for unknown names;
    SetupError if the probe is unavailable, or ends while nothing is examined.
    """
    name, implementation = request.target, request.implementation
    target = open_target(name, where="--target", code=workspace.code)
    _check_target(target, request)
    _check_offered(workspace.schemes, target, request)
    operations = _operations(request.operations)
    length = parse_size(request.size, where="--size")
    if length > _LONGEST:
        raise InputError(
            "the message is too long", where="--size", valid=f"at most {format_size(_LONGEST)}"
        )
    try:
        session = target.open(implementation)
        try:
            offers = session.offers()
            chosen = _schemes(
                workspace.schemes, request.schemes, list(offers), implementation, operations
            )
            samples = request.samples
            if samples is None:
                samples = EXACT_SAMPLES if target.place.exact else HOST_SAMPLES
            code = workspace.code_of(implementation)
            question = LeakQuestion(
                implementation, chosen, operations, length, samples, request.seed, code=code
            )
            cases = tuple(cases_of(target, offers, question))
            if not cases:
                raise InputError(
                    f"{implementation} offers none of these operations", where="--operation"
                )
            yield LeakPlan(target, session, question, workspace, cases)
        finally:
            session.close()
    except ProbeFailure as failure:
        raise SetupError(
            f"{implementation} on {name}: {failure.kind.value}: {failure.message}"
        ) from None


def examine(
    place: str | os.PathLike[str],
    workspace: Workspace,
    request: LeakRequest,
    progress: LeakProgress,
) -> Run:
    """Examine an implementation, and store each result at once.

    place: a path or an SQLAlchemy URL, which is made if there is no store. What can be refused is
    refused before anything is written. Ctrl-C ends the run in order, with the status
    ``interrupted``; before the run has begun it is a KeyboardInterrupt. Errors: `base.errors`.
    """
    Store.check(place)  # building may take long
    if request.name is not None:
        check_name(request.name)
    with planned(workspace, request) as plan:
        progress.asking(f"{request.implementation} on {request.target}", 0, 1)
        environment = plan.environment()
        with Store.open(place, create=True) as store:
            return carry_out(store, plan, request, environment, progress)


def carry_out(
    store: Store,
    plan: LeakPlan,
    request: LeakRequest,
    environment: dict[str, Any],
    progress: LeakProgress,
) -> Run:
    """New run in the store, with the results of all cases of the plan, or of those before
    Ctrl-C.
    """
    settings, seed = plan.settings(request.command), plan.question.seed
    run_id = store.create_run(
        request.name, "", settings, environment, seed, __version__, plan.cases
    )
    complete(
        store,
        run_id,
        lambda interrupt: _LeakRunner(plan, store, run_id, progress, interrupt).run(),
    )
    return store.load_run(run_id)


def complete(store: Store, run_id: int, work: Callable[[Interrupt], None]) -> None:
    """Do the work of a run, and set its status. Ctrl-C ends it in order where the work checks
    for that.
    """
    status, interrupt = "finished", Interrupt()
    try:
        with interrupt.watched():
            work(interrupt)
    except KeyboardInterrupt:
        status = "interrupted"
    store.set_environment_end(run_id, describe())
    store.finish_run(run_id, status)


class _LeakRunner:
    """Carries out a plan, and writes each result to the store."""

    def __init__(
        self,
        plan: LeakPlan,
        store: Store,
        run_id: int,
        progress: LeakProgress,
        interrupt: Interrupt,
    ) -> None:
        self._plan, self._store, self._run = plan, store, run_id
        self._progress, self._interrupt = progress, interrupt
        self._case, self._finished = plan.cases[0], 0

    def run(self) -> None:
        """Examine every case."""
        plan = self._plan
        schemes = list(dict.fromkeys(case.scheme for case in plan.cases))
        for number, scheme in enumerate(schemes):
            self._progress.checking(scheme, number, len(schemes))
            failure = not_admitted(plan.target, plan.session, plan.question, scheme)
            for case in (case for case in plan.cases if case.scheme == scheme):
                self._interrupt.check()
                self._case = case
                if failure is None:
                    self._examine_case(case)
                else:
                    self._store.fail_case(self._run, case, _of_case(case, failure))
                self._finished += 1

    def _examine_case(self, case: Case) -> None:
        plan, store = self._plan, self._store
        try:
            for finding in findings_of(plan.target, plan.session, plan.question, case, self):
                entry = _entry(finding) if isinstance(finding, LeakFinding) else _left_out(finding)
                store.add_leak(
                    self._run, case, LeakRecord(finding.varied.value, as_document(entry))
                )
        except ProbeFailure as found:
            store.fail_case(self._run, case, Failure.of_case(case, found.kind, found.message))
            return
        code = plan.question.code
        store.finish_case(self._run, case, [] if code is None else remarks_on(code, case.scheme))

    def reading(self, varied: Varied, secrets: tuple[int, int], readings: tuple[int, int]) -> None:
        """Readings of a secret are about to be taken."""
        self._interrupt.check()
        state = LeakState(
            self._case, self._finished, len(self._plan.cases), varied, secrets, readings
        )
        self._progress.reading(state)


def _of_case(case: Case, failure: Failure) -> Failure:
    """Failure of a scheme as that of one of its cases."""
    return Failure.of_case(case, failure.kind, failure.message, failure.vector)


def _check_target(target: Target, request: LeakRequest) -> None:
    if target.place.metric != "time":
        raise InputError(
            f"{request.target} counts {target.place.metric}: two inputs with one count may still "
            "differ in time",
            where="--target",
            valid="targets with a clock: host, a simulated board (sim:), a board (serial:)",
        )
    if request.implementation not in implementations_of(target, [request.implementation]):
        raise missing_implementation(request.implementation, target, where="--implementation")
    few = request.timed and request.samples is not None and request.samples < _FEWEST_ON_HOST
    if few and not target.place.exact:
        raise InputError(
            "too few readings for a test", where="--samples", valid=f"at least {_FEWEST_ON_HOST}"
        )


def _check_offered(schemes: Schemes, target: Target, request: LeakRequest) -> None:
    """InputError if the implementation is known to have none of the schemes: nothing is built for
    it then.
    """
    named = [scheme for part in split_list(request.schemes) for scheme in schemes.match(part)]
    if named and not target.may_offer(request.implementation, named):
        available = [
            scheme.name
            for scheme in schemes.values()
            if target.may_offer(request.implementation, [scheme])
        ]
        raise _none(request.implementation, available)


def _none(implementation: str, available: Sequence[str]) -> InputError:
    return InputError(
        f"{implementation} has none of these schemes with an operation that leak examines",
        where="--scheme",
        valid=", ".join(available) or None,
    )


def _operations(entries: Sequence[str]) -> list[Operation]:
    names = split_list(entries)
    valid = [
        operation.value
        for operation in Operation
        if not operation.on_file and operation is not Operation.VERIFY
    ]
    for name in names:
        if name not in valid:
            problem = (
                "handles no secret" if name == Operation.VERIFY.value else "cannot be examined"
            )
            raise InputError(
                f"operation {name!r} {problem}", where="--operation", valid=", ".join(valid)
            )
    return [Operation(name) for name in names]


def _named(schemes: Schemes, parts: Sequence[str], available: Sequence[Scheme]) -> list[Scheme]:
    """The available schemes that a name or pattern means."""
    matching = {scheme.name for part in parts for scheme in schemes.match(part)}
    return [scheme for scheme in available if scheme.name in matching]


def _schemes(
    schemes: Schemes,
    patterns: Sequence[str],
    offered: list[str],
    implementation: str,
    operations: Sequence[Operation],
) -> list[Scheme]:
    available = [scheme for name, scheme in schemes.items() if name in offered]
    parts = split_list(patterns)
    named = _named(schemes, parts, available) if parts else usual_schemes(available)
    chosen = [
        scheme
        for scheme in named
        if set(operations or usual_operations(scheme)) & set(scheme.operations)
    ]
    if not chosen:
        raise _none(implementation, [scheme.name for scheme in available])
    if not parts and len(chosen) > _MOST_SCHEMES:
        raise InputError(
            f"{implementation} has {len(chosen)} schemes to examine",
            valid="--scheme with the schemes to examine",
            hint=f"motebench list schemes --implementation {implementation}",
        )
    return chosen


def _left_out(item: LeftOut) -> LeftOutEntry:
    return LeftOutEntry(
        scheme=item.scheme, operation=item.operation, varied=item.varied, reason=item.reason
    )


def _entry(item: LeakFinding) -> CountedEntry | LeakJudgedEntry:
    common: dict[str, Any] = {
        "scheme": item.scheme,
        "operation": item.operation,
        "input_bytes": item.input_bytes,
        "varied": item.varied,
        "verdict": item.verdict,
        "leaks": item.leaks,
        "refused": item.result.refused,
    }
    if isinstance(item.result, CycleSpread):
        spread = item.result
        return CountedEntry(
            **common,
            inputs=spread.samples,
            cycles=CyclesEntry(fewest=spread.fewest, most=spread.most, distinct=spread.distinct),
            accepted_cycles=spread.accepted,
            example=None if spread.constant else _example(spread, item.without_cache),
        )
    return _judged(item.result, common)


def _example(spread: CycleSpread, without: WithoutCache | None) -> ExampleEntry:
    return ExampleEntry(
        fewest=TimedInputEntry(**_input(spread.low), cycles=spread.fewest),
        most=TimedInputEntry(**_input(spread.high), cycles=spread.most),
        repeats=spread.repeats,
        without_cache=None
        if without is None
        else WithoutCacheEntry(fewest=without.low, most=without.high),
    )


def _judged(suspicion: Suspicion, common: dict[str, Any]) -> LeakJudgedEntry:
    arms = tuple(_arm(suspicion, arm) for arm in suspicion.ranked)
    return LeakJudgedEntry(**common, arms=arms, arms_left_out=suspicion.left_out)


def _arm(suspicion: Suspicion, arm: LeakArm) -> LeakArmEntry:
    judgement = arm.judgement
    chosen, leak, control = suspicion.fixed[judgement.chosen], judgement.leak, judgement.control
    return LeakArmEntry(
        caches=arm.caches,
        leaks=judgement.leaks,
        median_ns=arm.median,
        test=LeakTestEntry(
            p=leak.p,
            share_of_readings=leak.share,
            input=suspicion.fixed[leak.which].name,
            sure_below_p=SURE,
        ),
        difference=LeakDifferenceEntry(
            input=InputEntry(**_input(chosen)), **_shift(judgement.difference)
        ),
        would_be_seen_ns=judgement.detectable,
        control=ControlEntry(
            p=control.p,
            share_of_readings=control.share,
            input=suspicion.fixed[control.which].name if control.which >= 0 else "random",
            unfit_below_p=UNFIT,
        ),
        accepted=None if arm.accepted is None else ShiftEntry(**_shift(arm.accepted)),
    )


def _shift(shift: LeakShift) -> dict[str, float]:
    return {
        "ns": shift.estimate,
        "low_ns": shift.low,
        "high_ns": shift.high,
        "confidence": CONFIDENCE,
    }


def _input(item: Input) -> dict[str, str]:
    job = item.job
    return {
        "name": item.name,
        "key": job.key.hex(),
        "nonce": job.nonce.hex(),
        "message": data_of(job).hex(),
        "peer": job.peer.hex(),
        "tag": job.tag.hex(),
        "ciphertext": job.ciphertext.hex(),
        "coins": job.seed.hex(),
    }
