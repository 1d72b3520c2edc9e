"""The outline of a replication, its parts with their cases and time on this machine as it is now;
and looks of a small one, more samples where claims are still open.

The first look takes what the claims need by their number of comparisons. What the noise of this
machine leaves open is measured again, with as many samples as its intervals ask for, while the time
lasts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from motebench.base.errors import ExitCode, MotebenchError
from motebench.base.identity import CaseId
from motebench.base.model import Case, CaseResult, Evidence, Run, Sample, Series
from motebench.measuring.plan.plan import FoundTargets, Plan, find_targets, make_plan
from motebench.measuring.study.load import to_toml
from motebench.measuring.study.model import Group
from motebench.measuring.study.question import Question
from motebench.publications.papers.claims import (
    ClaimsFile,
    PaperClaim,
    ReplicationPart,
    read_claims,
)
from motebench.publications.papers.judging import JudgedSide
from motebench.publications.papers.outcomes import CheckOutcome, ClaimVerdict, JudgedClaim
from motebench.publications.papers.parts import InputScale, PreparedPart, board_of, prepare
from motebench.publications.papers.planning import (
    ENOUGH,
    FEWEST_SAMPLES,
    PROCESSES,
    SPARE,
    ClaimPlanner,
    level_of,
    planned_cells,
    samples_for,
    seconds_of,
    slowdown,
)
from motebench.publications.papers.values import STATIC, ClaimValue, LookStarts, stands_for
from motebench.stats import FEWEST_EQUAL
from motebench.targets.base import Target
from motebench.targets.machine.description import describe

EXTRA_SECONDS = 300.0
"""Time for samples beyond the planned ones, of all parts of a paper."""
_CEILING = 15.0
"""Factor of a quiet machine's time at which a run ends with the results that it has."""
_LEAST_CEILING = 120.0
OF_MEMORY = frozenset((*STATIC, "peak_rss", "peak_rss_net", "heap", "stack", "state"))
"""Metrics that a request for memory gives."""
_LEAST_SHARE = 0.2
"""The least part of the samples of a claim that is worth its time."""
_AGAIN = 2.0
"""Factor of the samples for a case that has no value yet."""
_FILE_START_NS = 5e7
"""Nanoseconds around each process that works on a file."""


@dataclass(frozen=True, slots=True)
class ScheduledPart:
    """Part of a small replication with its cases. ``samples``: of each case, which are starts where
    a virtual machine gives them; ``seconds``: on this machine in its present state.
    """

    prepared: PreparedPart
    plan: Plan
    samples: int
    seconds: float


def scheduled(
    claims: ClaimsFile, method: str, parts: Sequence[tuple[PreparedPart, Plan]], busy: float
) -> list[ScheduledPart]:
    """The parts of a method with as many samples as the claims need that compare their cells.

    ``busy``: how many times longer work takes than on an idle machine.
    """
    planner = ClaimPlanner(claims, method, {target for _, plan in parts for target in plan.targets})
    cells = [
        cell
        for prepared, plan in parts
        for cell in planned_cells(
            claims, plan.cases, prepared.sizes, prepared.metrics, prepared.part.devices
        )
    ]
    side = JudgedSide(cells, True, claims.device, own=method == "own")
    samples = samples_for(level_of(planner.told(), side))
    return [_scheduled(prepared, plan, samples, busy) for prepared, plan in parts]


def _scheduled(prepared: PreparedPart, plan: Plan, samples: int, busy: float) -> ScheduledPart:
    memory = samples if prepared.metrics & OF_MEMORY else 0
    policy = replace(
        plan.policy, invocations=PROCESSES, warmup=prepared.part.warmup or plan.policy.warmup
    )
    planned = replace(plan, policy=policy)
    ceiling = max(_LEAST_CEILING, _CEILING * seconds_of(planned, samples, memory, 1.0))
    question = _sampled(
        prepared.question, samples, PROCESSES, memory, prepared.part.warmup, ceiling
    )
    jit = any(plan.jit(case) for case in plan.cases)
    seconds = seconds_of(planned, samples, memory, busy)
    return ScheduledPart(
        replace(prepared, question=question), plan, PROCESSES if jit else samples, seconds
    )


def _sampled(
    question: Question,
    samples: int,
    processes: int,
    memory: int,
    warmup: float | None,
    seconds: float,
) -> Question:
    """The question with so many samples, in at most ``seconds``: a case is finished with them,
    whatever its precision is."""
    changes: dict[str, object] = {
        "min_samples": samples,
        "max_samples": SPARE * samples,
        "invocations": max(2, processes),
        "memory_samples": memory,
        "precision": ENOUGH,
        "budget": max(1, round(seconds)),
    }
    if warmup is not None:
        changes["warmup"] = warmup
    study = question.study.model_copy(
        update={"sampling": question.study.sampling.model_copy(update=changes)}
    )
    return replace(question, study=study, text=to_toml(study))


@dataclass(frozen=True, slots=True)
class OutlinedPart:
    """Part that can be measured. ``seconds``: on this machine in its present state. ``scheduled``:
    with a small scale.
    """

    prepared: PreparedPart
    plan: Plan
    found: FoundTargets
    seconds: float
    scheduled: ScheduledPart | None = None

    def asked(self, question: Question) -> FoundTargets | None:
        """Targets for a question of this part, if they were already asked; else None."""
        return self.found.asked(question) if self.found.whole else None

    @property
    def samples(self) -> int:
        """Least samples of each case: starts where a virtual machine gives them, 2 where a
        simulator repeats.
        """
        if all(
            target.place.evidence is Evidence.SIMULATED for target in self.plan.targets.values()
        ):
            return FEWEST_EQUAL
        if self.scheduled is not None:
            return self.scheduled.samples
        jit = any(self.plan.jit(case) for case in self.plan.cases)
        return self.plan.policy.invocations if jit else self.plan.policy.min_samples

    def problem(self, error: MotebenchError) -> str:
        """Reason why the part could not be measured."""
        return _problem(self.prepared.part, error)


@dataclass(frozen=True, slots=True)
class OutlinedReplication:
    """A replication before it is measured. ``slowdown``: how many times longer work takes on this
    machine now.

    ``unused``: parts that no claim needs with a small scale. ``problems``: parts that cannot be
    measured.
    """

    key: str
    claims: ClaimsFile
    targets: tuple[str, ...]
    scale: InputScale
    parts: tuple[OutlinedPart, ...]
    slowdown: float
    unused: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Time of all parts now, in seconds."""
        return sum(part.seconds for part in self.parts)


def outlined(key: str, targets: Sequence[str], scale: InputScale) -> OutlinedReplication:
    """Outline of a paper's replication: its targets are asked, and only the load of the machine is
    measured.
    """
    claims = read_claims(key)
    parts: dict[str, tuple[PreparedPart, Plan, FoundTargets]] = {}
    models: dict[str, str] = {}
    unused, problems = [], []
    # Parts of devices come last: by then the boards have reported their models.
    for part in sorted(claims.part, key=lambda part: bool(part.devices)):
        try:
            prepared = prepare(part, claims, targets, scale, models)
            if prepared is None:
                unused.append(f"{part.name} ({part.about})")
                continue
            found_targets = find_targets(prepared.question, dry=True)
            models |= {
                board_of(name): _model(target) for name, target in found_targets.opened.items()
            }
            parts[part.name] = prepared, make_plan(found_targets), found_targets
        except MotebenchError as error:
            if error.exit_code is ExitCode.STORE:
                raise
            problems.append(_problem(part, error))
    ordered = [parts[part.name] for part in claims.part if part.name in parts]
    busy = slowdown(time.monotonic, time.process_time)
    parts_outlined = (
        _small(claims, ordered, busy) if scale.small else [_whole(*item, busy) for item in ordered]
    )
    return OutlinedReplication(
        key,
        claims,
        tuple(targets),
        scale,
        tuple(parts_outlined),
        busy,
        tuple(unused),
        tuple(problems),
    )


def _model(target: Target) -> str:
    """Model of a target's board by its own facts; empty where it gives none."""
    host = (target.place.environment() or describe()).get("host") or {}
    return str(host.get("board") or "")


def _small(
    claims: ClaimsFile, parts: Sequence[tuple[PreparedPart, Plan, FoundTargets]], busy: float
) -> list[OutlinedPart]:
    """The parts in their order, each with the samples that the claims need."""
    by_name: dict[str, ScheduledPart] = {}
    for method in ("paper", "own"):
        mine = [(prepared, plan) for prepared, plan, _ in parts if prepared.part.method == method]
        by_name |= {item.prepared.part.name: item for item in scheduled(claims, method, mine, busy)}
    items = [(by_name[prepared.part.name], targets) for prepared, _, targets in parts]
    return [
        OutlinedPart(item.prepared, item.plan, targets, item.seconds, item)
        for item, targets in items
    ]


def _whole(prepared: PreparedPart, plan: Plan, targets: FoundTargets, busy: float) -> OutlinedPart:
    """A part as published: at least this long, since its samples follow the precision."""
    policy = plan.policy
    seconds = seconds_of(plan, policy.min_samples, policy.memory_samples, busy)
    return OutlinedPart(prepared, plan, targets, max(plan.least, seconds))


def _problem(part: ReplicationPart, error: MotebenchError) -> str:
    return f"{part.name} ({part.about}): {error.what}{f'; {error.hint}' if error.hint else ''}"


# More samples


@dataclass(frozen=True, slots=True)
class CaseCost:
    """Samples that a case has, and the seconds that each took here. ``around``: seconds of a round
    or of the start of a process, however many cases it has."""

    samples: int
    seconds: float
    around: float = 0.0


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim that its samples leave open. ``cells``: the samples that each case needs beside those
    it has.

    ``seconds``: how long these take here. ``memory``: readings of memory are among them.
    """

    id: str
    cells: Mapping[CaseId, int]
    seconds: float
    memory: bool = False


def costs_of(part: ScheduledPart, run: Run, cells: Iterable[ClaimValue]) -> dict[CaseId, CaseCost]:
    """Costs of samples of a part's cases. ``run``: its first one. ``cells``: their values by
    now."""
    counts = {cell.case: len(cell.samples.values) for cell in cells if cell.case and cell.samples}
    taken = {result.case.id: _taken(result) for result in run.results if result.series}
    whole = sum(taken.values())
    seconds = seconds_between(run) / part.samples
    jit = any(part.plan.jit(case) for case in part.plan.cases)
    # A virtual machine starts for about as long as a case warms up
    around = seconds / (1 + len(taken)) if jit else 0.0
    return {
        case: CaseCost(counts.get(case, part.samples), (seconds - around) * work / whole, around)
        for case, work in taken.items()
    }


def _taken(result: CaseResult) -> float:
    """The share of a case in the work of its run: for files by time, for others the same each."""
    times = next((series for series in result.series if series.metric == "time"), None)
    if times is None or not result.case.operation.on_file:
        return 1.0
    return _FILE_START_NS + sum(sample.raw for sample in times.samples) / max(1, len(times.samples))


def seconds_between(run: Run) -> float:
    """Seconds from the start of a run to its end."""
    ends = (run.info.started, run.info.finished or run.info.started)
    begun, ended = (datetime.fromisoformat(end) for end in ends)
    return max(1.0, (ended - begun).total_seconds())


def open_claim(
    claim: str,
    judged: JudgedClaim | None,
    missing: Iterable[CaseId],
    costs: Mapping[CaseId, CaseCost],
) -> OpenClaim | None:
    """Cases and samples that would decide a claim; None where it is decided, or where no number of
    samples would decide it. ``missing``: cases that it compares and that have no value.

    ``missing``: cases that it compares and that have no value.
    """
    if judged is None or judged.verdict is not ClaimVerdict.OPEN:
        return None
    whole = _open_claim(claim, judged.lacking, missing, costs)
    # One contradiction is enough: where a value already contradicts the claim, its own samples may
    # decide it.
    ways = [
        whole,
        *(
            _open_claim(claim, [outcome], (), costs)
            for outcome in judged.lacking
            if outcome.against
        ),
    ]
    return min((way for way in ways if way is not None), key=lambda way: way.seconds, default=None)


def _open_claim(
    claim: str,
    outcomes: Sequence[CheckOutcome],
    missing: Iterable[CaseId],
    costs: Mapping[CaseId, CaseCost],
) -> OpenClaim | None:
    """Cases and samples that would decide these comparisons; None where samples do not decide
    them."""
    factors: dict[CaseId, float] = dict.fromkeys(missing, _AGAIN)
    for outcome in outcomes:
        for cell in outcome.cells:
            if cell.case is not None:
                factors[cell.case] = max(outcome.more, factors.get(cell.case, 1.0))
    cells = {
        case: max(FEWEST_SAMPLES, math.ceil((more - 1) * costs[case].samples))
        for case, more in factors.items()
        if case in costs
    }
    if not cells:
        return None
    rounds = max(cells.values()) * max(costs[case].around for case in cells)
    seconds = rounds + sum(count * costs[case].seconds for case, count in cells.items())
    memory = any(cell.metric in OF_MEMORY for outcome in outcomes for cell in outcome.cells)
    return OpenClaim(claim, cells, seconds, memory)


def compared_cases(part: ScheduledPart, planner: ClaimPlanner, claim: PaperClaim) -> set[CaseId]:
    """The cases of a part that a claim compares."""
    cases: set[CaseId] = set()
    if not stands_for(part.prepared.part.devices, claim.devices):
        return cases
    sizes = part.prepared.sizes
    for group in part.prepared.question.study.measure:
        printed = group.model_copy(
            update={
                key: tuple(sizes[size] for size in getattr(group, key))
                for key in ("sizes", "file_sizes")
            }
        )
        needs = planner.needs(printed, [claim]).sizes
        cases |= {
            case.id
            for case in part.plan.cases
            if case.target in group.targets
            and sizes.get(case.input_bytes, case.input_bytes)
            in needs.get((case.scheme, case.operation), ())
        }
    return cases


def affordable(
    claims: Iterable[OpenClaim], seconds: float, *, last: bool = False
) -> dict[CaseId, int]:
    """The samples that are taken: those of the cheapest claims first, as long as the time lasts.

    Cells that two claims share are measured once. In the ``last`` look the first claim that needs
    more than is left gets its part, unless that is a small one: how many samples it needs is an
    estimate by few of them.
    """
    chosen: dict[CaseId, int] = {}
    left = seconds
    for claim in sorted(claims, key=lambda claim: (claim.seconds, claim.id)):
        share = left / max(claim.seconds, left) if left > 0 else 0.0
        if share < 1 and not (last and share >= _LEAST_SHARE):
            break
        left -= share * claim.seconds
        for case, count in claim.cells.items():
            chosen[case] = max(FEWEST_SAMPLES, math.floor(count * share), chosen.get(case, 0))
        if share < 1:
            break
    return chosen


def look_question(
    part: ScheduledPart, cells: Mapping[CaseId, int], seconds: float, *, memory: bool
) -> Question | None:
    """Question for more samples of these cells of a part; None if the part has none of them.

    All get as many as the one that needs most, in rounds of their own: their values are pairs.
    ``seconds``: that this may take. ``memory``: some claim lacks readings of memory.
    """
    cases = [case for case in part.plan.cases if case.id in cells]
    if not cases:
        return None
    samples = max(cells[case.id] for case in cases)
    blocks = tuple(_block(case, part) for case in cases)
    study = part.prepared.question.study.model_copy(update={"measure": blocks})
    question = replace(part.prepared.question, study=study, text=to_toml(study), places=())
    return _sampled(
        question, samples, samples, samples if memory else 0, part.prepared.part.warmup, seconds
    )


def _block(case: Case, part: ScheduledPart) -> Group:
    """A block of one case."""
    name = (
        case.provider
        if case.provider == case.implementation
        else f"{case.implementation}={case.provider}"
    )
    key = "file_sizes" if case.operation.on_file else "sizes"
    aad = (case.aad_bytes,) if case.aad_bytes else ()
    whole = part.prepared.question.study.measure[0]
    changes: dict[str, object] = {
        "schemes": (case.scheme,),
        "implementations": (name,),
        "targets": (case.target,),
        "operations": (case.operation,),
        "sizes": (),
        "file_sizes": (),
        "aad": aad,
        "exclude": (),
        key: (case.input_bytes,),
    }
    return whole.model_copy(update=changes)


# Several runs as one


def pooled(runs: Sequence[Run]) -> tuple[Run, LookStarts]:
    """The samples of all runs of a part in the first one: rounds, processes and times go on from
    run to run. Where they begin in each."""
    first, *others = runs
    starts = []
    for other in others:
        after = _after(first)
        starts.append(after)
        first = _joined(first, other, after)
    return first, LookStarts(
        tuple(after.round for after in starts), tuple(after.invocation or 0 for after in starts)
    )


def _after(run: Run) -> Sample:
    """Sample with its place after all those of a run."""
    samples = [
        sample for result in run.results for series in result.series for sample in series.samples
    ]
    return Sample(
        round=1 + max((sample.round for sample in samples), default=-1),
        raw=0.0,
        at=max((sample.at for sample in samples), default=0.0),
        invocation=1
        + max(
            (sample.invocation for sample in samples if sample.invocation is not None), default=-1
        ),
    )


def _joined(first: Run, second: Run, after: Sample) -> Run:
    added = {result.case.id: result for result in second.results if result.failure is None}
    results = tuple(
        result
        if result.failure is not None
        else _extended(result, added.get(result.case.id), after)
        for result in first.results
    )
    return replace(first, results=results)


def _extended(first: CaseResult, second: CaseResult | None, after: Sample) -> CaseResult:
    """Series of both runs; a series of one run stays unchanged."""
    if second is None:
        return first
    more = {series.metric: series for series in second.series}
    joined = tuple(
        _with(series, more[series.metric], after) if series.metric in more else series
        for series in first.series
    )
    return replace(first, series=joined, notes=tuple(dict.fromkeys((*first.notes, *second.notes))))


def _with(first: Series, second: Series, after: Sample) -> Series:
    assert after.invocation is not None
    later = tuple(
        replace(
            sample,
            round=sample.round + after.round,
            at=sample.at + after.at,
            invocation=None if sample.invocation is None else sample.invocation + after.invocation,
        )
        for sample in second.samples
    )
    return replace(first, samples=(*first.samples, *later))
