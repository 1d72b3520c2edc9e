"""Rounds of a lane: its unfinished cases are visited, in a new random order each time, until each has enough samples.

An *invocation* is a fresh process with a just-in-time compiler: all its cases are warmed up, in random
order, and then measured in another one. By then the compiler has seen all of them, as in an application
that uses several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from random import Random

from motebench.base.model import Case
from motebench.measuring.plan.cases import LanePart, by_started, processes
from motebench.measuring.run.book import FEWEST_FOR_INTERVAL, Active, Book, Visit, enough
from motebench.measuring.run.context import LaneContext, Pool
from motebench.measuring.run.file_case import FileCase
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Reading
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True)
class InvocationContext:
    """Questions of an invocation to the run it belongs to.

    ``gone``: the case has failed, or the run is interrupted; ``late``: the time that was set is up, and the case has a
    value; ``spent``: takes the seconds that went into the process.
    """

    gone: Callable[[TimedCase], bool]
    late: Callable[[TimedCase], bool]
    now: Callable[[], float]
    spent: Callable[[float], None]
    random: Random
    memory_samples: int

    def wants(self, item: TimedCase) -> bool:
        """Whether the case is still to be visited."""
        return not (self.gone(item) or self.late(item))


def invoke(
    items: Sequence[TimedCase], number: int, pool: Pool, consensus: Consensus, context: InvocationContext
) -> Iterator[Visit]:
    """Visits of the items in the process with that number, each as soon as it is made."""
    items = [item for item in items if context.wants(item)]
    if not items:
        return
    first = items[0].case
    at, begun = context.now(), time.monotonic()
    try:
        session = pool.fresh(first.target, first.provider)
    except ProbeFailure as failure:
        yield from (Visit(item.case, at, failure) for item in items)
        return
    context.spent(time.monotonic() - begun)
    warm, measured = [], []
    try:
        for item in items:
            if context.wants(item):
                visit = _visit(item, context, partial(item.warm_up, session, consensus))
                if isinstance(visit.outcome, ProbeFailure):
                    yield visit
                else:
                    warm.append(item)
        context.random.shuffle(warm)
        alone = len(items) == 1
        for item in warm:
            if context.wants(item):
                measured.append(item)
                yield _visit(item, context, partial(item.invoked, session, consensus, alone=alone), number)
    finally:
        session.close()
    for item in measured:
        if item.memory_samples < context.memory_samples and not context.gone(item):
            yield _visit(item, context, partial(item.memory, pool))


def _visit(
    item: TimedCase, context: InvocationContext, work: Callable[[], list[Reading]], number: int | None = None
) -> Visit:
    at, begun = context.now(), time.monotonic()
    try:
        return Visit(item.case, at, work(), number)
    except ProbeFailure as failure:
        return Visit(item.case, at, failure)
    finally:
        context.spent(time.monotonic() - begun)


class Rounds:
    """Samples the parts of a lane. ``first_invocation``: number of the first process with a just-in-time compiler."""

    def __init__(self, context: LaneContext, book: Book, random: Random, first_invocation: int) -> None:
        self._context, self._plan, self._book, self._random = context, context.plan, book, random
        self._next_invocation = first_invocation

    def sample(self, part: LanePart, first_round: int, limit: float) -> None:
        """Visit the cases of a part until each is finished, or ``limit`` seconds are charged."""
        active, number = self._book.active, first_round
        while order := [case for case in part.cases if case in active]:
            self._random.shuffle(order)
            number += self._round(part, order, number, limit)
            for case in order:
                if case in active:
                    out_of_time = self._context.budget.ended(case, limit)
                    self._finish_if_enough(case, out_of_time=out_of_time)

    def _round(self, part: LanePart, order: Sequence[Case], number: int, limit: float) -> int:
        """Visit these cases in their order. The most samples of a case, each of which counts as a round."""
        apart = self._plan.policy.runtime == "apart"
        groups = by_started(order) if part.parallel else processes(order, self._plan.jit, apart=apart)
        watched = [] if part.parallel else [*{case.target: None for case in order}]
        for target in watched:
            self._context.conditions[target].next_round()
        counts = {case: len(self._book.active[case].values) for case in order}
        self._book.round_begins()
        results = self._context.each(partial(self._visits, limit), groups, parallel=part.parallel)
        with self._context.pool.round(), closing(results) as visits:
            try:
                return self._keep(visits, part, {case: place for place, case in enumerate(order)}, number)
            finally:  # what is stored of a round is marked even if the run is interrupted in it
                self._look_back(watched, counts)

    def _keep(
        self, groups: Iterable[Iterable[Visit]], part: LanePart, position: Mapping[Case, int], number: int
    ) -> int:
        """Store visits as they are made. The most samples of a case, and at least 1."""
        most = 1
        for visits in groups:
            for visit in visits:
                if isinstance(visit.outcome, ProbeFailure):
                    self._context.interrupt.check()  # a probe that an interruption ended has not failed
                most = max(most, self._book.keep(visit, number, position[visit.case]))
                if part.parallel and visit.case in self._book.active:
                    self._finish_if_enough(visit.case, out_of_time=False)
            self._context.interrupt.check()
        return most

    def _look_back(self, targets: Sequence[str], counts: Mapping[Case, int]) -> None:
        """Mark a round during which something slowed the clock of its place: its samples do not count.

        ``counts``: number of values that each case had before.
        """
        for target in targets:
            reason = self._context.conditions[target].round_ended()
            if reason:
                self._book.mark_round(target, reason)
                for case, count in counts.items():
                    if case.target == target and case in self._book.active and not case.operation.random_work:
                        del self._book.active[case].values[count:]

    def _visits(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """One visit of each case; nothing is stored yet."""
        if self._plan.jit(cases[0]):
            return self._invocation(limit, cases)
        visits, active, budget = [], self._book.active, self._context.budget
        for case in cases:
            # When time is up, only cases that have nothing yet are still visited.
            if self._context.interrupt.came or (budget.charged() >= limit and active[case].taken):
                continue
            at = budget.seconds()
            try:
                visits.append(Visit(case, at, self._read(active[case])))
            except ProbeFailure as failure:
                visits.append(Visit(case, at, failure))
        return visits

    def _invocation(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """The visits of cases of one process with a just-in-time compiler, each when it is asked for."""
        budget = self._context.budget
        questions = InvocationContext(
            gone=lambda item: self._context.interrupt.came or item.case not in self._book.active,
            late=lambda item: budget.ended(item.case, limit) and bool(item.taken),
            now=budget.seconds,
            spent=budget.prepared,
            random=self._random,
            memory_samples=self._plan.policy.memory_samples,
        )
        number = self._next_invocation
        self._next_invocation += 1
        items = [item for item in (self._book.active[case] for case in cases) if isinstance(item, TimedCase)]
        return invoke(items, number, self._context.pool, self._context.consensus, questions)

    def _read(self, item: Active) -> list[Reading]:
        pool = self._context.pool
        if isinstance(item, FileCase):
            return item.visit(pool)
        readings = item.visit(pool, self._context.consensus)
        most = self._plan.policy.memory_samples
        if item.memory_samples < (min(most, 1) if item.exact else most):
            readings += item.memory(pool)
        return readings

    def _finish_if_enough(self, case: Case, *, out_of_time: bool) -> None:
        item, policy = self._book.active[case], self._plan.policy
        values, jit = item.values, self._plan.jit(case)
        precise = enough(self._plan, case, values)
        # Of invocations that were disturbed throughout, as many again are tried.
        most = 2 * policy.invocations if jit else policy.max_samples
        if not (precise or out_of_time or item.taken >= most or (jit and len(values) >= policy.invocations)):
            return
        notes = list(item.notes) if isinstance(item, TimedCase) else []
        if not precise:
            units = "invocations" if jit else "samples"
            why = f"the largest number of {units} was reached" if len(values) >= most else "the time was up"
            notes.append(f"{why} before the interval was narrow enough ({policy.precision:.3g})")
            if len(values) < FEWEST_FOR_INTERVAL:
                notes.append(f"{len(values)} {units} are too few for an interval")
        self._book.finish(case, notes)
