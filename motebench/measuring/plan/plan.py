"""Way from a question to a plan: its targets opened and asked, its cases, and their duration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from motebench.base.errors import InputError, MotebenchError, SetupError
from motebench.base.model import Case, Evidence, Failure, FailureKind, Operation
from motebench.base.naming import did_you_mean, split_alias, unplaced, usual
from motebench.documents.result import PlanEntry, PlannedEntry, PrecisionEntry, SkippedEntry
from motebench.measuring.plan.cases import Skipped, UsualChoice, expand, processes, stages
from motebench.measuring.plan.offers import Asking, RemoteTargets, TargetOffers, ask, copier
from motebench.measuring.study.model import BATCHES, UNTIMED_SECONDS, SamplingPolicy, policy_of
from motebench.measuring.study.question import Question, at_places
from motebench.results.verdicts import family_size
from motebench.stats import pairs_for
from motebench.targets.base import USUAL_SIZES, Place, Sharing, Target
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Hello, Offer

_FILE_RATE = 100e6
"""Assumed bytes per second of a whole-file pass, to estimate time."""

_START = 0.5
"""Assumed seconds for the start of a virtual machine."""
_WARM = 1.1
"""Assumed seconds for the warm-ups of a case: `LEAST_SECONDS` and `AGAIN_SECONDS` of
`measuring.run.timed_case`, and the time around them."""

CORE_SECONDS = 0.03
"""Assumed seconds for the start of one of several processes at once."""

_LONG = 2**20
"""Bytes that the fastest cipher of a PC takes through in less than a batch, and a slow one does
not.
"""
_OF_THE_PROBE = (
    FailureKind.CRASH,
    FailureKind.TIMEOUT,
    FailureKind.LOST,
    FailureKind.NO_ROOM,
    FailureKind.ERROR,
)
"""Kinds of failure that are not caused by the question."""


@dataclass(frozen=True, slots=True)
class VerdictNeed:
    """Samples of a case with which one small difference among all comparisons of a metric can be
    called.

    ``seconds``: approximate time that they take on a quiet machine. ``lacking``: why a run of the
    plan may not take as many; empty if it takes them.
    """

    comparisons: int
    samples: int
    seconds: float
    lacking: str = ""


@dataclass(frozen=True, slots=True)
class PrecisionCost:
    """``precision``: half the width of the interval, as a share of the median. ``samples``: of all
    cases in one run. ``seconds``: that they take. Both are None where some case does not get
    there."""

    precision: float
    samples: int | None
    seconds: float | None

    def entry(self, runs: int) -> PrecisionEntry:
        """Entry of the document of a plan, for so many runs."""
        samples = None if self.samples is None else runs * self.samples
        seconds = None if self.seconds is None else round(runs * self.seconds, 1)
        return PrecisionEntry(precision=self.precision, samples=samples, seconds=seconds)


@dataclass(frozen=True, slots=True)
class PrecisionCosts:
    """Costs by rising precision. ``run``: the earlier run whose spread they are from."""

    run: str
    costs: tuple[PrecisionCost, ...]


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
    """Implementations that are built but not usual, by target: not measured because the study names
    none.
    """

    @cached_property
    def stages(self) -> list[list[Plan]]:
        """A plan for each lane, by stage: see `motebench.measuring.plan.cases.stages`."""
        if len(self.targets) < 2:
            return [[self]] if self.cases else []
        return [[self.of(lane) for lane in stage] for stage in stages(self.cases, self._place)]

    def _place(self, target: str) -> Place:
        return self.targets[target].place

    def of(self, cases: Sequence[Case]) -> Plan:
        """Plan of these cases alone, with their targets."""
        names = {case.target for case in cases}
        targets = {name: target for name, target in self.targets.items() if name in names}
        return replace(self, cases=tuple(cases), failures=(), skipped=(), targets=targets)

    @property
    def _several(self) -> bool:
        return any(len(stage) > 1 for stage in self.stages)

    @cached_property
    def at_places(self) -> dict[Case, int]:
        """Each case once, with the number of places at which its code is measured."""
        names = usual(case.target for case in self.cases)
        return dict(
            Counter(
                case if case.target in names else replace(case, target=unplaced(case.target))
                for case in self.cases
            )
        )

    @cached_property
    def budget(self) -> float:
        """Seconds of sampling; every case still gets at least one sample. Lanes of one stage take
        theirs at once.
        """
        passes = sum(
            self.policy.min_samples * case.input_bytes / _FILE_RATE
            for case in self.cases
            if case.operation.on_file
        )
        longest = sum(max(len(lane.cases) for lane in stage) for stage in self.stages)
        return self.policy.seconds(longest) + (0.0 if self.policy.budget else passes)

    @cached_property
    def preparation(self) -> float:
        """Largest number of seconds for starts and warm-ups of just-in-time compilers, in addition
        to the budget.

        A budget that the user set includes them.
        """
        if self.policy.budget is not None:
            return 0.0
        return self._invocations(2 * self.policy.warmup)

    def _invocations(self, seconds: float) -> float:
        """Seconds of all invocations, if a case takes that long in each and the start of a process
        `_START`.
        """
        cases = [case for case in self.cases if self.jit(case)]
        started = processes(cases, self.jit, apart=self.policy.runtime == "apart")
        return self.policy.invocations * (seconds * len(cases) + _START * len(started))

    def jit(self, case: Case) -> bool:
        """True if the case runs on a just-in-time compiler, in a process that is kept until it is
        warm.
        """
        hello = self.hellos.get(case.target, {}).get(case.provider)
        return hello is not None and hello.jit and not case.operation.on_file

    @cached_property
    def least(self) -> float:
        """Approximate seconds for the fewest samples on a quiet machine."""
        if self._several:
            return min(self.budget, sum(max(lane.least for lane in stage) for stage in self.stages))
        jit = self._invocations(min(_WARM, 2 * self.policy.warmup) + BATCHES * self.policy.batch)
        least = self._rounds_seconds(self.policy.min_samples)
        return (
            min(self.budget, least + jit) if self.policy.budget else min(self.budget, least) + jit
        )

    @cached_property
    def longest_input(self) -> int:
        """Bytes of the longest input in memory with which one operation may last longer than a
        batch; 0 if none may.

        How long it lasts depends on cipher and machine by a factor of 100, so no time is known
        before it is measured.
        """
        sizes = [
            case.input_bytes
            for case in self.cases
            if case.operation.sized and not case.operation.on_file
        ]
        exact = all(target.place.exact for target in self.targets.values())
        return max((size for size in sizes if size > _LONG and not exact), default=0)

    def _rounds_seconds(self, rounds: int) -> float:
        """Approximate seconds of so many rounds, without processes of just-in-time compilers."""
        if self._several:
            return sum(max(lane._rounds_seconds(rounds) for lane in stage) for stage in self.stages)
        quick = sum(map(self._quick, self.cases))
        return rounds * self._round_seconds(quick) + quick * 0.02

    @cached_property
    def verdict_need(self) -> VerdictNeed | None:
        """Samples that verdicts need; None if nothing is compared that has noise and samples in
        rounds.
        """
        exact = {name for name, target in self.targets.items() if target.place.exact}
        noisy = [case for case in self.cases if case.target not in exact]
        if not family_size(case.id for case in noisy if not self.jit(case)):
            return None
        comparisons = family_size(case.id for case in noisy)
        samples = pairs_for(comparisons)
        seconds = self._rounds_seconds(samples)
        return VerdictNeed(comparisons, samples, seconds, self._lacking(samples, seconds))

    def _lacking(self, samples: int, seconds: float) -> str:
        policy = self.policy
        if max(policy.min_samples, samples) > policy.max_samples:
            return f"at most {policy.max_samples} are taken"
        if seconds > self.budget:
            return f"the budget has {self.budget:.0f} s"
        return f"{policy.min_samples} are planned" if policy.min_samples < samples else ""

    def with_needed_samples(self) -> Plan:
        """The plan with as many samples of each case as verdicts need, where its budget has the
        time.

        A quick look, and a study that names a number of samples itself, stay as they are.
        """
        need, own = self.verdict_need, self.question.study.sampling
        if need is None or own.preset == "fast" or own.min_samples is not None:
            return self
        if need.samples <= self.policy.min_samples or need.samples > self.policy.max_samples:
            return self
        raised = replace(self, policy=replace(self.policy, min_samples=need.samples))
        return raised if need.seconds <= self.budget else self

    def _quick(self, case: Case) -> bool:
        """True if a sample is one batch in a process that is there."""
        return not (case.operation.on_file or self.jit(case) or case.cores)

    def _round_seconds(self, quick: int) -> float:
        """Approximate seconds of a round with so many quick cases, without processes of
        just-in-time compilers.
        """
        several = sum(
            case.cores * CORE_SECONDS + BATCHES * self.policy.batch
            for case in self.cases
            if case.cores
        )
        passes = sum(case.input_bytes / _FILE_RATE for case in self.cases if case.operation.on_file)
        keygen = sum(
            1.0
            for case in self.cases
            if case.operation is Operation.KEYGEN and "rsa" in case.scheme
        )
        return quick * (self.policy.batch * 1.3 + UNTIMED_SECONDS) + passes + keygen + several


def plan_document(plan: Plan, runs: int = 1, costs: PrecisionCosts | None = None) -> PlanEntry:
    """Document of a plan: the cases of so many runs, and how long they take. ``costs``: of
    precisions, if known.
    """
    need = plan.verdict_need
    return PlanEntry(
        cases=tuple(
            PlannedEntry(**case.identity(), places=count) for case, count in plan.at_places.items()
        ),
        failures=plan.failures,
        skipped=tuple(
            SkippedEntry(
                scheme=item.scheme,
                implementation=item.implementation,
                target=item.target,
                reason=item.reason,
            )
            for item in plan.skipped
        ),
        runs=runs,
        seconds_at_least=None if plan.longest_input else round(runs * plan.least, 1),
        seconds_at_most=round(runs * (plan.budget + plan.preparation), 1),
        samples=plan.policy.min_samples,
        comparisons=0 if need is None else need.comparisons,
        samples_needed=None if need is None else need.samples,
        seconds_needed=None if need is None else round(runs * need.seconds, 1),
        precisions=() if costs is None else tuple(cost.entry(runs) for cost in costs.costs),
        precisions_by=None if costs is None else costs.run,
    )


@dataclass(frozen=True)
class FoundTargets:
    """Targets of a question, and the offers of each, by target. ``question``: with each place of
    the code as a target.

    ``opened``: those that can be measured on. ``remote``: those that another process reaches.
    """

    question: Question
    policy: SamplingPolicy
    opened: Mapping[str, Target]
    answers: Mapping[str, TargetOffers]
    remote: frozenset[str] = frozenset()

    def close(self) -> None:
        """Release ports and connections; later requests open them again."""
        _close(self.opened)

    def asked(self, question: Question) -> FoundTargets:
        """The same targets for another question of their implementations, or for other samples of
        it.
        """
        return replace(
            self, question=at_places(question), policy=policy_of(question.study.sampling)
        )

    @property
    def whole(self) -> bool:
        """True if a dry run learnt all that a run needs: boards get firmware first."""
        return all(
            target.place.sharing is not Sharing.ONE_FIRMWARE for target in self.opened.values()
        )


def find_targets(
    question: Question,
    *,
    dry: bool = False,
    probes: Sequence[Path] | None = None,
    asking: Asking | None = None,
    remote: RemoteTargets | None = None,
) -> FoundTargets:
    """Open the targets of a question, and ask what they offer. ``dry``: no firmware is put onto a
    board for it.

    ``probes``: folders of the host's probes, instead of the usual ones. ``asking`` hears which
    implementation is asked. ``remote``: asks targets that another process reaches. SetupError if a
    target offers nothing at all.
    """
    question = at_places(question)
    policy = policy_of(question.study.sampling)
    names = list(dict.fromkeys(name for group in question.study.measure for name in group.targets))
    targets = _Targets(question, names, dry=dry)
    try:
        targets.open(probes, remote)
        _check_settings(question, policy, targets.opened)
        targets.ask(policy, asking)
    except BaseException:
        _close(targets.opened)
        raise
    answers = {name: targets.answers[name] for name in names}
    elsewhere = frozenset(name for name in names if remote is not None and remote.has(name))
    return FoundTargets(question, policy, targets.opened, answers, elsewhere)


def make_plan(targets: FoundTargets) -> Plan:
    """Expand the study to cases.

    InputError if it selects none, unless a probe that was asked went wrong: that is a result.
    """
    answers = targets.answers
    expansion = _Expansion(targets.question, targets.opened, answers)
    expansion.carry_out()
    if not expansion.cases and not any(
        failure.kind in _OF_THE_PROBE for failure in expansion.failures
    ):
        raise _nothing(expansion.failures, expansion.skipped)
    # A failure at another place of the code is one at the usual place too: list it once.
    names = usual(answers)
    plan = Plan(
        targets.question,
        targets.policy,
        tuple(expansion.cases),
        tuple(failure for failure in expansion.failures if failure.target in names),
        tuple(item for item in expansion.skipped if item.target in names),
        {name: target for name, target in targets.opened.items() if name not in expansion.lost},
        {name: answer.offers for name, answer in answers.items()},
        {name: answer.hellos for name, answer in answers.items()},
        {
            name: answer.unasked
            for name, answer in answers.items()
            if answer.unasked and name in names
        },
    )
    return plan.with_needed_samples()


class _Targets:
    """Targets of a study, opened here or by another process, and the offers of each."""

    def __init__(self, question: Question, names: Sequence[str], *, dry: bool) -> None:
        self._question, self._names, self._dry = question, names, dry
        self.opened: dict[str, Target] = {}
        self.answers: dict[str, TargetOffers] = {}

    def open(self, probes: Sequence[Path] | None, remote: RemoteTargets | None) -> None:
        """Open every target; those of another process are opened there."""
        for name in self._names:
            if remote is None or not remote.has(name):
                self.opened[name] = open_target(
                    name, probes=probes, code=self._question.workspace.code
                )
                continue
            try:
                self.opened[name], self.answers[name] = remote.asked(
                    self._question, name, dry=self._dry
                )
            except SetupError as error:
                if len(self._names) == 1:
                    raise
                self.answers[name] = _unreached(name, error)

    def ask(self, policy: SamplingPolicy, asking: Asking | None) -> None:
        """Ask the targets that were opened here.

        A board that cannot be reached costs its own cases; alone, it is the answer. So is a mistake
        in the study.
        """
        for name, target in self.opened.items():
            if name in self.answers:
                continue
            if unplaced(name) != name and unplaced(name) in self.answers:
                # The same firmware, linked again: it offers the same, and what it lacks is told of
                # the usual place.
                self.answers[name] = replace(self.answers[unplaced(name)], failures=())
                continue
            try:
                if target.place.apart:
                    target.place.check_core(policy.cpu)
                self.answers[name] = ask(target, self._question, dry=self._dry, asking=asking)
            except MotebenchError as error:
                of_board = isinstance(error, SetupError) or error.where == "--target"
                if len(self._names) == 1 or not target.place.apart or not of_board:
                    raise
                self.answers[name] = _unreached(name, error)


def _check_settings(
    question: Question, policy: SamplingPolicy, targets: Mapping[str, Target]
) -> None:
    """InputError for a core, an instrument or a voltage that does not fit the targets."""
    for target in targets.values():
        if not target.place.apart:
            target.place.check_core(policy.cpu)
    sampling = question.study.sampling
    if policy.instrument is not None or policy.instruments:
        _meterable(policy, targets)
    elif sampling.voltage is not None or sampling.energy is not None:
        raise InputError(
            "--voltage and --energy need an instrument",
            where="--instrument",
            valid="the name of an instrument",
        )


class _Expansion:
    """Cases of a study on targets with these offers, with failures and left-out combinations."""

    def __init__(
        self, question: Question, targets: Mapping[str, Target], answers: Mapping[str, TargetOffers]
    ) -> None:
        self._question, self._targets, self._answers = question, targets, answers
        self.cases: list[Case] = []
        self.failures = [failure for answer in answers.values() for failure in answer.failures]
        self.skipped: list[Skipped] = []
        self.lost = {failure.target for failure in self.failures if failure.implementation == "*"}
        """Targets that could not be reached."""
        ended = {failure.implementation for failure in self.failures}
        named = (entry for group in question.study.measure for entry in group.implementations)
        self._silent = {label for label, provider in map(split_alias, named) if provider in ended}

    def carry_out(self) -> None:
        """Expand the study."""
        study, answers = self._question.study, self._answers
        files = {file: Path(file).stat().st_size for group in study.measure for file in group.files}
        offers = {name: answer.offers for name, answer in answers.items()}
        copiers = {name: copier(answer.hellos) for name, answer in answers.items()}
        for item in expand(
            study, self._question.workspace.schemes, offers, files, copiers, self._usual()
        ):
            if isinstance(item, Case):
                self._add(item)
            elif isinstance(item, Skipped):
                self.skipped.append(item)
            elif item.implementation not in self._silent and item.target not in self.lost:
                self.failures.append(item)  # else one failure is enough

    def _usual(self) -> dict[str, UsualChoice]:
        """Default implementations, sizes and cores, by target."""
        several_cores = {
            name for group in self._question.study.measure if group.cores for name in group.targets
        }
        several_cores -= self.lost
        return {
            name: UsualChoice(
                self._answers[name].usual,
                # A board that cannot be reached does not say how much memory it has.
                USUAL_SIZES if name in self.lost else target.place.usual_sizes,
                len(target.place.cores()) if name in several_cores else 0,
            )
            for name, target in self._targets.items()
        }

    def _add(self, case: Case) -> None:
        hello = self._answers[case.target].hellos.get(case.provider)
        if case.cores and hello is not None and hello.jit:
            why = "the threads of its just-in-time compiler cannot be kept on one core"
            self.failures.append(Failure.of_case(case, FailureKind.UNSUPPORTED, why))
        else:
            self.cases.append(case)


def _close(targets: Mapping[str, Target]) -> None:
    for target in targets.values():
        target.place.close()


def _unreached(target: str, error: MotebenchError) -> TargetOffers:
    """Offers of a target that cannot be reached: none."""
    message = ": ".join(filter(None, (error.what, error.hint)))
    return TargetOffers(failures=(Failure("*", "*", target, FailureKind.LOST, message),))


def metered(targets: Mapping[str, Target]) -> list[str]:
    """The targets whose power an instrument could read: available ones that are not simulated."""
    return [name for name, target in targets.items() if target.place.evidence is Evidence.MEASURED]


def _meterable(policy: SamplingPolicy, targets: Mapping[str, Target]) -> None:
    """InputError unless each instrument has a single target to read."""
    readable = metered(targets)
    if policy.instruments:
        for target in policy.instruments:
            if target not in readable:
                raise InputError(
                    f"the power of {target!r} cannot be read",
                    where="--instrument",
                    valid=", ".join(readable) or "a target that is not simulated",
                    hint=did_you_mean(target, readable),
                )
        return
    if len(readable) != 1:
        raise InputError(
            f"an instrument reads the power of one target, but the study has {len(readable)}: "
            f"{', '.join(readable)}"
            if readable
            else "an instrument reads the power of a target, but simulated targets draw none",
            where="--instrument",
            valid="one target that is not simulated: host, serial:PORT",
        )


def _nothing(failures: list[Failure], skipped: list[Skipped]) -> InputError:
    reasons = sorted(
        {f"{item.scheme}: {item.message}" for item in failures}
        | {f"{item.scheme}: {item.reason}" for item in skipped}
    )
    shown = "; ".join(reasons[:5]) + ("; ..." if len(reasons) > 5 else "")
    return InputError(
        "the study selects no case" + (f" ({shown})" if shown else ""),
        hint="motebench list schemes --implementation NAME shows what can be measured",
    )
