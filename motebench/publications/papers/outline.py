"""The outline of a replication: its parts with their cases, and how long they take on this machine
as it is now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from motebench.base.errors import ExitCode, MotebenchError
from motebench.base.model import Evidence
from motebench.measuring.plan.plan import FoundTargets, Plan, find_targets, make_plan
from motebench.measuring.study.question import Question
from motebench.publications.papers.claims import ClaimsFile, ReplicationPart, read_claims
from motebench.publications.papers.looks import ScheduledPart, scheduled
from motebench.publications.papers.parts import InputScale, PreparedPart, prepare
from motebench.publications.papers.planning import seconds_of, slowdown
from motebench.stats import FEWEST_EQUAL


@dataclass(frozen=True, slots=True)
class OutlinedPart:
    """A part that can be measured. ``seconds``: on this machine as it is now. ``scheduled``: with a
    small scale."""

    prepared: PreparedPart
    plan: Plan
    found: FoundTargets
    seconds: float
    scheduled: ScheduledPart | None = None

    def asked(self, question: Question) -> FoundTargets | None:
        """The targets for a question of this part, if they need not be asked again."""
        return self.found.asked(question) if self.found.whole else None

    @property
    def samples(self) -> int:
        """Of each case at the least: starts where a virtual machine gives them, 2 of what a
        simulator repeats."""
        if all(target.place.evidence is Evidence.SIMULATED for target in self.plan.targets.values()):
            return FEWEST_EQUAL
        if self.scheduled is not None:
            return self.scheduled.samples
        jit = any(self.plan.jit(case) for case in self.plan.cases)
        return self.plan.policy.invocations if jit else self.plan.policy.min_samples

    def problem(self, error: MotebenchError) -> str:
        """Why the part could not be measured."""
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
        """How long all parts take now."""
        return sum(part.seconds for part in self.parts)


def outlined(key: str, targets: Sequence[str], scale: InputScale) -> OutlinedReplication:
    """The outline of a paper's replication: its targets are asked, nothing is measured but how busy
    they are."""
    claims = read_claims(key)
    parts: list[tuple[PreparedPart, Plan, FoundTargets]] = []
    unused, problems = [], []
    for part in claims.part:
        try:
            prepared = prepare(part, claims, targets, scale)
            if prepared is None:
                unused.append(f"{part.name} ({part.about})")
            else:
                targets_found = find_targets(prepared.question, dry=True)
                parts.append((prepared, make_plan(targets_found), targets_found))
        except MotebenchError as error:
            if error.exit_code is ExitCode.STORE:
                raise
            problems.append(_problem(part, error))
    busy = slowdown(time.monotonic, time.process_time)
    found = _small(claims, parts, busy) if scale.small else [_whole(*item, busy) for item in parts]
    return OutlinedReplication(key, claims, tuple(targets), scale, tuple(found), busy, tuple(unused), tuple(problems))


def _small(
    claims: ClaimsFile, parts: Sequence[tuple[PreparedPart, Plan, FoundTargets]], busy: float
) -> list[OutlinedPart]:
    """The parts in their order, each with the samples that the claims need."""
    found: dict[str, ScheduledPart] = {}
    for method in ("paper", "own"):
        mine = [(prepared, plan) for prepared, plan, _ in parts if prepared.part.method == method]
        found |= {item.prepared.part.name: item for item in scheduled(claims, method, mine, busy)}
    items = [(found[prepared.part.name], targets) for prepared, _, targets in parts]
    return [OutlinedPart(item.prepared, item.plan, targets, item.seconds, item) for item, targets in items]


def _whole(prepared: PreparedPart, plan: Plan, found: FoundTargets, busy: float) -> OutlinedPart:
    """A part as published: at least this long, since its samples follow the precision."""
    policy = plan.policy
    seconds = seconds_of(plan, policy.min_samples, policy.memory_samples, busy)
    return OutlinedPart(prepared, plan, found, max(plan.least, seconds))


def _problem(part: ReplicationPart, error: MotebenchError) -> str:
    return f"{part.name} ({part.about}): {error.what}{f'; {error.hint}' if error.hint else ''}"
