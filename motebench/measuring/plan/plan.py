"""From a complete study to a plan: opens targets, asks for offers, expands cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from motebench.base.errors import InputError, MotebenchError, SetupError
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation
from motebench.base.naming import chooses, did_you_mean, is_pattern, is_variant, split_alias
from motebench.measuring.plan.cases import Skipped, UsualChoice, expand, select
from motebench.measuring.plan.schedule import processes, stages
from motebench.measuring.study.load import Question
from motebench.measuring.study.model import Group
from motebench.measuring.study.placing import at_places
from motebench.measuring.study.policy import BATCHES, UNTIMED_SECONDS, SamplingPolicy, policy_of
from motebench.targets.base import OF_THE_SCHEME, Place, Session, Sharing, Target
from motebench.targets.registry import (
    chosen_implementations,
    implementations_of,
    missing_implementation,
    open_target,
    usual_implementations,
)
from motebench.targets.wire.messages import Hello, Offer, ProbeFailure

Asking = Callable[[str, int, int], None]
"""Listener for the implementation that is about to be asked: its name and target, how many were asked, of how many."""

_FILE_RATE = 100e6
"""Assumed bytes per second of a whole-file pass, to estimate time."""

_START = 0.5
"""Assumed seconds for the start of a virtual machine."""
_WARM = 1.1
"""Assumed seconds for the warm-ups of a case: `LEAST_SECONDS` and `AGAIN_SECONDS` of `measuring.run.warmup`, and the
time around them."""

CORE_SECONDS = 0.03
"""Assumed seconds for the start of one of several processes at once."""

_OF_THE_PROBE = (
    FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.LOST, FailureKind.NO_ROOM, FailureKind.ERROR,
)  # fmt: skip
"""Kinds of failure that are not caused by the question."""


@dataclass(frozen=True)
class Plan:
    """The plan of a run. ``offers`` and ``hellos`` are by target, then implementation."""

    question: Question
    policy: SamplingPolicy
    cases: tuple[Case, ...]
    failures: tuple[Failure, ...]
    skipped: tuple[Skipped, ...]
    targets: Mapping[str, Target]
    offers: Mapping[str, Mapping[str, Mapping[str, Offer]]]
    hellos: Mapping[str, Mapping[str, Hello]] = field(default_factory=dict)
    unasked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Implementations that are built but not usual, by target: not measured because the study names none."""

    @cached_property
    def stages(self) -> list[list[Plan]]:
        """A plan for each lane, by stage: see `motebench.measuring.plan.schedule.stages`."""
        if len(self.targets) < 2:
            return [[self]] if self.cases else []
        return [[self.of(lane) for lane in stage] for stage in stages(self.cases, self._place)]

    def _place(self, target: str) -> Place:
        return self.targets[target].place

    def of(self, cases: Sequence[Case]) -> Plan:
        """The plan of these cases alone, with their targets."""
        names = {case.target for case in cases}
        targets = {name: target for name, target in self.targets.items() if name in names}
        return replace(self, cases=tuple(cases), failures=(), skipped=(), targets=targets)

    @property
    def _several(self) -> bool:
        return any(len(stage) > 1 for stage in self.stages)

    @cached_property
    def budget(self) -> float:
        """Seconds of sampling; every case still gets at least one sample. Lanes of one stage take theirs at once."""
        passes = sum(
            self.policy.min_samples * case.input_bytes / _FILE_RATE for case in self.cases if case.operation.on_file
        )
        longest = sum(max(len(lane.cases) for lane in stage) for stage in self.stages)
        return self.policy.seconds(longest) + (0.0 if self.policy.budget else passes)

    @cached_property
    def preparation(self) -> float:
        """Most seconds for starts and warm-ups of just-in-time compilers, in addition to the budget.

        A budget that the user set includes them.
        """
        if self.policy.budget is not None:
            return 0.0
        return self._invocations(2 * self.policy.warmup)

    def _invocations(self, seconds: float) -> float:
        """Seconds of all invocations, if a case takes that long in each and the start of a process `_START`."""
        cases = [case for case in self.cases if self.jit(case)]
        started = processes(cases, self.jit, apart=self.policy.runtime == "apart")
        return self.policy.invocations * (seconds * len(cases) + _START * len(started))

    def jit(self, case: Case) -> bool:
        """Whether the case runs on a just-in-time compiler, in a process that is kept until it is warm."""
        hello = self.hellos.get(case.target, {}).get(case.provider)
        return hello is not None and hello.jit and not case.operation.on_file

    @cached_property
    def least(self) -> float:
        """Approximate seconds for the fewest samples on a quiet machine."""
        if self._several:
            return min(self.budget, sum(max(lane.least for lane in stage) for stage in self.stages))
        several = sum(case.cores * CORE_SECONDS + BATCHES * self.policy.batch for case in self.cases if case.cores)
        quick = sum(1 for case in self.cases if not (case.operation.on_file or self.jit(case) or case.cores))
        jit = self._invocations(min(_WARM, 2 * self.policy.warmup) + BATCHES * self.policy.batch)
        passes = sum(case.input_bytes / _FILE_RATE for case in self.cases if case.operation.on_file)
        keygen = sum(1.0 for case in self.cases if case.operation is Operation.KEYGEN and "rsa" in case.scheme)
        per_round = quick * (self.policy.batch * 1.3 + UNTIMED_SECONDS) + passes + keygen + several
        least = self.policy.min_samples * per_round + quick * 0.02
        return min(self.budget, least + jit) if self.policy.budget else min(self.budget, least) + jit


@dataclass(frozen=True)
class TargetOffers:
    """What the implementations of a target say of themselves; see `Plan`. ``usual``: those measured by default."""

    offers: Mapping[str, Mapping[str, Offer]] = field(default_factory=dict)
    hellos: Mapping[str, Hello] = field(default_factory=dict)
    failures: Sequence[Failure] = ()
    usual: Sequence[str] = ()
    unasked: tuple[str, ...] = ()


class RemoteTargets(Protocol):
    """Targets that another process reaches."""

    def has(self, target: str) -> bool:
        """Whether a target is one of these."""
        ...

    def asked(self, question: Question, target: str, *, dry: bool) -> tuple[Target, TargetOffers]:
        """The target, and what is offered there. SetupError if it cannot be asked."""
        ...


def ask(target: Target, question: Question, *, dry: bool = False, asking: Asking | None = None) -> TargetOffers:
    """What the implementations of a target that a study means say of themselves. InputError for a misspelt one."""
    opened = _Opened(target, question, asking, dry=dry)
    opened.open()
    return TargetOffers(opened.offers, opened.hellos, opened.failures, opened.usual, opened.unasked)


def make_plan(
    question: Question,
    *,
    dry: bool = False,
    probes: Sequence[Path] | None = None,
    asking: Asking | None = None,
    elsewhere: RemoteTargets | None = None,
) -> Plan:
    """Open the targets and expand the study. ``dry``: no firmware is put onto a board for it. ``probes``: folders of
    the host's probes, instead of the usual ones. ``asking`` hears which implementation is asked. ``elsewhere``: asks
    targets that another process reaches.

    SetupError if a target offers nothing at all; InputError if the study selects no case, unless a probe that was asked
    went wrong: that is a result.
    """
    question = at_places(question)
    study, schemes, code = question.study, question.workspace.schemes, question.workspace.code
    names = list(dict.fromkeys(name for group in study.measure for name in group.targets))
    targets: dict[str, Target] = {}
    answers: dict[str, TargetOffers] = {}
    for name in names:
        if elsewhere is None or not elsewhere.has(name):
            targets[name] = open_target(name, probes=probes, code=code)
            continue
        try:
            targets[name], answers[name] = elsewhere.asked(question, name, dry=dry)
        except SetupError as error:
            if len(names) == 1:
                raise
            answers[name] = _unreached(name, error)
    policy = policy_of(study.sampling)
    for target in targets.values():
        if not target.place.apart:
            target.place.check_core(policy.cpu)
    if policy.instrument is not None or policy.instruments:
        _meterable(policy, targets)
    elif study.sampling.voltage is not None or study.sampling.energy is not None:
        raise InputError(
            "--voltage and --energy need an instrument", where="--instrument", valid="the name of an instrument"
        )
    for name, target in targets.items():
        if name not in answers:
            try:
                if target.place.apart:
                    target.place.check_core(policy.cpu)
                answers[name] = ask(target, question, dry=dry, asking=asking)
            except MotebenchError as error:
                # A board that cannot be reached costs its own cases; alone, it is the answer. So is a mistake in the
                # study.
                of_board = isinstance(error, SetupError) or error.where == "--target"
                if len(names) == 1 or not target.place.apart or not of_board:
                    raise
                answers[name] = _unreached(name, error)
    opened = {name: answers[name] for name in names}
    failures = [failure for each in opened.values() for failure in each.failures]
    offers = {name: each.offers for name, each in opened.items()}
    hellos = {name: each.hellos for name, each in opened.items()}
    ended = {failure.implementation for failure in failures}
    named = (entry for group in study.measure for entry in group.implementations)
    silent = {label for label, provider in map(split_alias, named) if provider in ended}
    lost = {failure.target for failure in failures if failure.implementation == "*"}
    files = {file: Path(file).stat().st_size for group in study.measure for file in group.files}
    cases: list[Case] = []
    skipped: list[Skipped] = []
    copiers = {name: copier(there) for name, there in hellos.items()}
    spread = {name for group in study.measure if group.cores for name in group.targets} - lost
    habits = {
        name: UsualChoice(
            opened[name].usual, target.place.usual_sizes, len(target.place.cores()) if name in spread else 0
        )
        for name, target in targets.items()
    }
    for item in expand(study, schemes, offers, files, copiers, habits):
        if isinstance(item, Case):
            hello = hellos.get(item.target, {}).get(item.provider)
            if item.cores and hello is not None and hello.jit:
                why = "the threads of its just-in-time compiler cannot be kept on one core"
                failures.append(Failure.of_case(item, FailureKind.UNSUPPORTED, why))
                continue
            cases.append(item)
        elif isinstance(item, Failure):
            if item.implementation not in silent and item.target not in lost:  # one failure is enough
                failures.append(item)
        else:
            skipped.append(item)
    if not cases and not any(failure.kind in _OF_THE_PROBE for failure in failures):
        raise _nothing(failures, skipped)
    targets = {name: target for name, target in targets.items() if name not in lost}
    unasked = {name: each.unasked for name, each in opened.items() if each.unasked}
    return Plan(question, policy, tuple(cases), tuple(failures), tuple(skipped), targets, offers, hellos, unasked)


def _unreached(target: str, error: MotebenchError) -> TargetOffers:
    """Nothing of the target can be measured."""
    message = ": ".join(filter(None, (error.what, error.hint)))
    return TargetOffers(failures=(Failure("*", "*", target, FailureKind.LOST, message),))


class _Opened:
    """What the implementations of a target that a study means say of themselves."""

    def __init__(self, target: Target, question: Question, asking: Asking | None, *, dry: bool) -> None:
        self._target, self._asking = target, asking
        self._groups = [group for group in question.study.measure if target.name in group.targets]
        self._schemes = question.workspace.schemes
        self._dry = dry
        self._places = _places(question)
        self.offers: dict[str, dict[str, Offer]] = {}
        self.hellos: dict[str, Hello] = {}
        self.failures: list[Failure] = []
        self.usual: list[str] = []
        self.unasked: tuple[str, ...] = ()

    def open(self) -> None:
        """Ask those that the study names. Where a group names none: the usual ones, and all others if a scheme that it
        names is not among theirs, or they have none of its schemes."""
        named = [split_alias(entry)[1] for group in self._groups for entry in group.implementations]
        _known(named, self._target, self._places)
        open_to_all = [group for group in self._groups if not group.implementations]
        self.usual = usual_implementations(self._target) if open_to_all else []
        self._ask([*chosen_implementations(self._target, named), *self.usual])
        others = [name for name in self._target.ready() if name not in self.offers and not is_variant(name)]
        if any(self._lacks(group) for group in open_to_all):
            self._ask(others)
        elif open_to_all:
            failed = {failure.implementation for failure in self.failures}
            self.unasked = tuple(name for name in others if name not in failed)

    def _lacks(self, group: Group) -> bool:
        there = {scheme for name in self.usual for scheme in self.offers.get(name, ())}
        wanted = list(select(group.schemes, self._schemes))
        return any(named and scheme not in there for scheme, named in wanted) or not any(
            scheme in there for scheme, _ in wanted
        )

    def _ask(self, names: Sequence[str]) -> None:
        asked = {scheme for group in self._groups for scheme, _ in select(group.schemes, self._schemes)}
        wanted = list(dict.fromkeys(names))
        for place, name in enumerate(wanted):
            if self._asking is not None:
                self._asking(f"{name} on {self._target.name}", place, len(wanted))
            try:
                session = self._target.open(name)
            except ProbeFailure as failure:
                self._fail(name, failure)
                continue
            try:
                offered = session.offers()
                self.offers[name] = offered
                if not (self._dry and self._target.place.sharing is Sharing.ONE_FIRMWARE):
                    hello = _greeting(session, [each for each in self._schemes if each in asked and each in offered])
                    if hello is not None:
                        self.hellos[name] = hello
            except ProbeFailure as failure:
                self.offers.pop(name, None)
                self._fail(name, failure)
            finally:
                session.close()

    def _fail(self, name: str, failure: ProbeFailure) -> None:
        self.failures.append(Failure("*", name, self._target.name, failure.kind, failure.message))


def metered(targets: Mapping[str, Target]) -> list[str]:
    """The targets whose power an instrument could read: available ones that are not simulated."""
    return [name for name, target in targets.items() if target.place.evidence is Evidence.MEASURED]


def _meterable(policy: SamplingPolicy, targets: Mapping[str, Target]) -> None:
    """InputError unless each instrument has a target of its own to read."""
    there = metered(targets)
    if policy.instruments:
        for target in policy.instruments:
            if target not in there:
                raise InputError(
                    f"there is no power of {target!r} to read", where="--instrument",
                    valid=", ".join(there) or "a target that is not simulated",
                    hint=did_you_mean(target, there),
                )  # fmt: skip
        return
    if len(there) != 1:
        raise InputError(
            f"an instrument reads the power of one target, but the study has {len(there)}: {', '.join(there)}" if there
            else "an instrument reads the power of a target, but simulated targets draw none",
            where="--instrument", valid="one target that is not simulated: host, serial:PORT",
        )  # fmt: skip


def _greeting(session: Session, asked: list[str]) -> Hello | None:
    """The hello of the first scheme that is available; None if there is none, which the cases will report."""
    for scheme in asked or [""]:
        try:
            return session.hello_of(scheme)
        except ProbeFailure as failure:
            if failure.kind not in OF_THE_SCHEME:
                break
    return None


def copier(hellos: Mapping[str, Hello]) -> str:
    """The implementation that does the plain copy, preferably without a just-in-time compiler, whose slow start would
    look like the disk's.

    Empty if there is none.
    """
    return min(hellos, key=lambda name: hellos[name].jit, default="")


def _places(question: Question) -> dict[str, str | None]:
    """Where each implementation is named first, for messages."""
    found: dict[str, str | None] = {}
    for group, place in zip(question.study.measure, question.places, strict=False):
        for entry in group.implementations:
            found.setdefault(split_alias(entry)[1], place)
    return found


def _known(providers: list[str], target: Target, places: Mapping[str, str | None]) -> None:
    """InputError for a misspelt implementation, which is a mistake in the question and not a failure of a run."""
    available = implementations_of(target, providers)
    if not available:
        raise SetupError(f"no implementation is built for target {target.name!r}", hint="make setup; motebench doctor")
    matched = any(chooses(provider, name) for provider in providers for name in available)
    for provider in providers:
        # A glob selects from what is available; one of several may match nothing on this machine.
        if any(chooses(provider, name) for name in available) or (is_pattern(provider) and matched):
            continue
        otherwise = "motebench doctor lists the libraries that can be added"
        raise missing_implementation(provider, target, where=places.get(provider), otherwise=otherwise)


def _nothing(failures: list[Failure], skipped: list[Skipped]) -> InputError:
    reasons = sorted(
        {f"{item.scheme}: {item.message}" for item in failures} | {f"{item.scheme}: {item.reason}" for item in skipped}
    )
    shown = "; ".join(reasons[:5]) + ("; ..." if len(reasons) > 5 else "")
    return InputError(
        "the study selects no case" + (f" ({shown})" if shown else ""),
        hint="motebench list schemes --implementation NAME shows what can be measured",
    )
