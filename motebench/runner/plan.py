"""From a settled study to a plan: targets opened, offers asked for, cases expanded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from motebench.cases import Skipped, expand, select
from motebench.errors import InputError, SetupError
from motebench.model import Case, Evidence, Failure, FailureKind, Operation
from motebench.naming import chooses, is_pattern, split_alias
from motebench.runner.invocation import processes
from motebench.runner.visit import BATCHES, UNTIMED_SECONDS
from motebench.study.load import Question
from motebench.study.policy import Policy, policy_of
from motebench.targets.base import OF_THE_SCHEME, Session, Target
from motebench.targets.choosing import chosen, none_such, there
from motebench.targets.place import Sharing
from motebench.targets.registry import open_target
from motebench.wire.messages import Hello, Offer, ProbeFailure

_FILE_RATE = 100e6
"""Bytes a second assumed of a whole-file pass when time is estimated."""

_START = 0.5
"""Seconds assumed of the start of a virtual machine."""
_WARM = 1.1
"""Seconds assumed of the warm-ups of a case: `LEAST_SECONDS` and `AGAIN_SECONDS` of `motebench.runner.warmup`, and what
is around them."""

_OF_THE_PROBE = (
    FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.LOST, FailureKind.NO_ROOM, FailureKind.ERROR,
)  # fmt: skip
"""Kinds of failure that are no fault of the question."""


@dataclass(frozen=True)
class Plan:
    """What a run will do. ``offers`` and ``hellos`` are by target, then implementation."""

    question: Question
    policy: Policy
    cases: tuple[Case, ...]
    failures: tuple[Failure, ...]
    skipped: tuple[Skipped, ...]
    targets: Mapping[str, Target]
    offers: Mapping[str, Mapping[str, Mapping[str, Offer]]]
    hellos: Mapping[str, Mapping[str, Hello]] = field(default_factory=dict)

    @cached_property
    def budget(self) -> float:
        """Seconds that sampling may take; every case gets at least one sample all the same."""
        passes = sum(
            self.policy.min_samples * case.input_bytes / _FILE_RATE for case in self.cases if case.operation.on_file
        )
        return self.policy.seconds(len(self.cases)) + (0.0 if self.policy.budget else passes)

    @cached_property
    def preparation(self) -> float:
        """The most seconds that starts and warm-ups of just-in-time compilers may take beside the budget.

        A budget that was set is the whole of it: warming up is then part of it.
        """
        if self.policy.budget is not None:
            return 0.0
        return self._invocations(2 * self.policy.warmup)

    def _invocations(self, seconds: float) -> float:
        """Seconds of all invocations, if a case takes so many of each and the start of a process `_START`."""
        cases = [case for case in self.cases if self.jit(case)]
        started = processes(cases, self.jit, apart=self.policy.runtime == "apart")
        return self.policy.invocations * (seconds * len(cases) + _START * len(started))

    def jit(self, case: Case) -> bool:
        """Whether a just-in-time compiler does the case in a process that is kept until it is warm."""
        hello = self.hellos.get(case.target, {}).get(case.provider)
        return hello is not None and hello.jit and not case.operation.on_file

    @cached_property
    def least(self) -> float:
        """Seconds that the fewest samples would take: what a quiet machine needs, roughly."""
        quick = sum(1 for case in self.cases if not (case.operation.on_file or self.jit(case)))
        jit = self._invocations(min(_WARM, 2 * self.policy.warmup) + BATCHES * self.policy.batch)
        passes = sum(case.input_bytes / _FILE_RATE for case in self.cases if case.operation.on_file)
        keygen = sum(1.0 for case in self.cases if case.operation is Operation.KEYGEN and "rsa" in case.scheme)
        per_round = quick * (self.policy.batch * 1.3 + UNTIMED_SECONDS) + passes + keygen
        least = self.policy.min_samples * per_round + quick * 0.02
        return min(self.budget, least + jit) if self.policy.budget else min(self.budget, least) + jit


def make_plan(question: Question, *, dry: bool = False, probes: Sequence[Path] | None = None) -> Plan:
    """Open the targets and expand the study. ``dry``: no firmware is put onto a board for it. ``probes``: folders of
    the host's probes, instead of the usual ones.

    SetupError if a target offers nothing at all; InputError if the study selects no case, unless a probe that was asked
    went wrong: that is a result.
    """
    study, schemes, code = question.study, question.workspace.schemes, question.workspace.code
    targets = {name: open_target(name, probes=probes, code=code) for group in study.measure for name in group.targets}
    policy = policy_of(study.sampling)
    for target in targets.values():
        target.place.check_core(policy.cpu)
    if policy.instrument is not None:
        _meterable(targets)
    elif study.sampling.voltage is not None or study.sampling.energy is not None:
        raise InputError(
            "--voltage and --energy need an instrument", where="--instrument", valid="the name of an instrument"
        )
    wanted = {
        name: [entry for group in study.measure if name in group.targets for entry in group.implementations]
        for name in targets
    }
    asked = {
        name: {
            scheme for group in study.measure if name in group.targets for scheme, _ in select(group.schemes, schemes)
        }
        for name in targets
    }
    offers: dict[str, dict[str, dict[str, Offer]]] = {}
    hellos: dict[str, dict[str, Hello]] = {}
    failures: list[Failure] = []
    for name, target in targets.items():
        offers[name], hellos[name] = {}, {}
        providers = [split_alias(entry)[1] for entry in wanted[name]]
        _known(providers, target)
        for implementation in chosen(target, providers):
            try:
                session = target.open(implementation)
            except ProbeFailure as failure:
                failures.append(Failure("*", implementation, name, failure.kind, failure.message))
                continue
            try:
                offered = session.offers()
                hello = (
                    None
                    if dry and target.place.sharing is Sharing.ONE_FIRMWARE
                    else _greeting(
                        session, [scheme for scheme in schemes if scheme in asked[name] and scheme in offered]
                    )
                )
                offers[name][implementation] = offered
                if hello is not None:
                    hellos[name][implementation] = hello
            except ProbeFailure as failure:
                failures.append(Failure("*", implementation, name, failure.kind, failure.message))
            finally:
                session.close()
    ended = {failure.implementation for failure in failures}
    silent = {label for label, provider in map(split_alias, chain(*wanted.values())) if provider in ended}
    files = {file: Path(file).stat().st_size for group in study.measure for file in group.files}
    cases: list[Case] = []
    skipped: list[Skipped] = []
    copiers = {name: copier(there) for name, there in hellos.items()}
    for item in expand(study, schemes, offers, files, copiers):
        if isinstance(item, Case):
            cases.append(item)
        elif isinstance(item, Failure):
            if item.implementation not in silent:  # one failure says it all
                failures.append(item)
        else:
            skipped.append(item)
    if not cases and not any(failure.kind in _OF_THE_PROBE for failure in failures):
        raise _nothing(failures, skipped)
    return Plan(question, policy, tuple(cases), tuple(failures), tuple(skipped), targets, offers, hellos)


def metered(targets: Mapping[str, Target]) -> list[str]:
    """The targets whose power an instrument could read: those that are there, and not simulated."""
    return [name for name, target in targets.items() if target.place.evidence is Evidence.MEASURED]


def _meterable(targets: Mapping[str, Target]) -> None:
    """InputError unless there is one target to read."""
    there = metered(targets)
    if len(there) != 1:
        raise InputError(
            f"an instrument reads the power of one target, but the study has {len(there)}: {', '.join(there)}" if there
            else "an instrument reads the power of a target, but simulated targets draw none",
            where="--instrument", valid="one target that is not simulated: host, serial:PORT",
        )  # fmt: skip


def _greeting(session: Session, asked: list[str]) -> Hello | None:
    """Who answers for the first of the schemes that can be had; None if none does, which its cases will say."""
    for scheme in asked or [""]:
        try:
            return session.hello_of(scheme)
        except ProbeFailure as failure:
            if failure.kind not in OF_THE_SCHEME:
                break
    return None


def copier(hellos: Mapping[str, Hello]) -> str:
    """Who does the plain copy: rather not a just-in-time compiler, which would show its own slow start as the disk's.

    Empty if there is nobody.
    """
    return min(hellos, key=lambda name: hellos[name].jit, default="")


def _known(providers: list[str], target: Target) -> None:
    """A misspelt implementation is a mistake in the question, not a failure of a run."""
    available = there(target, providers)
    if not available:
        raise SetupError(f"no implementation is built for target {target.name!r}", hint="make setup; motebench doctor")
    matched = any(chooses(provider, name) for provider in providers for name in available)
    for provider in providers:
        # A glob selects from what is there; one of several may find nothing on this machine.
        if any(chooses(provider, name) for name in available) or (is_pattern(provider) and matched):
            continue
        raise none_such(provider, target, otherwise="motebench doctor lists the libraries that can be added")


def _nothing(failures: list[Failure], skipped: list[Skipped]) -> InputError:
    reasons = sorted(
        {f"{item.scheme}: {item.message}" for item in failures} | {f"{item.scheme}: {item.reason}" for item in skipped}
    )
    shown = "; ".join(reasons[:5]) + ("; ..." if len(reasons) > 5 else "")
    return InputError(
        "the study selects no case" + (f" ({shown})" if shown else ""),
        hint="motebench list schemes --implementation NAME shows what can be measured",
    )
