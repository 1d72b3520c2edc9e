"""The rounds of a run: unfinished cases are visited, in a new random order each, until each is known or time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from random import Random

from motebench.base.model import Case
from motebench.base.parallel import each
from motebench.measuring.plan.plan import Plan
from motebench.measuring.plan.schedule import LanePart, by_started, processes
from motebench.measuring.run.active import FEWEST_FOR_INTERVAL, Active, enough
from motebench.measuring.run.book import Book
from motebench.measuring.run.budget import Budget
from motebench.measuring.run.files import FileCase
from motebench.measuring.run.interrupt import Interrupt
from motebench.measuring.run.invocation import InvocationContext, Visit, invoke
from motebench.measuring.run.pool import Pool
from motebench.measuring.run.visit import TimedCase
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Reading
from motebench.targets.base import Conditions
from motebench.targets.wire.messages import ProbeFailure


class Rounds:
    """Samples the parts of a run. ``first_invocation``: number of the first process with a just-in-time compiler."""

    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        book: Book,
        budget: Budget,
        consensus: Consensus,
        conditions: Mapping[str, Conditions],
        interrupt: Interrupt,
        hurry: Callable[[], None],
        random: Random,
        first_invocation: int,
        threads: int | None = None,
    ) -> None:
        self._plan, self._pool, self._book, self._budget, self._consensus = plan, pool, book, budget, consensus
        self._conditions, self._interrupt, self._hurry, self._random = conditions, interrupt, hurry, random
        self._invocations, self._threads = first_invocation, threads

    def sample(self, part: LanePart, first_round: int, limit: float) -> None:
        """Visit the cases of a part until each is finished, or ``limit`` seconds are charged."""
        active, number = self._book.active, first_round
        while order := [case for case in part.cases if case in active]:
            self._random.shuffle(order)
            position = {case: place for place, case in enumerate(order)}
            apart = self._plan.policy.runtime == "apart"
            groups = by_started(order) if part.parallel else processes(order, self._plan.jit, apart=apart)
            watched = [] if part.parallel else [*{case.target: None for case in order}]
            for target in watched:
                self._conditions[target].next_round()
            known = {case: len(active[case].values) for case in order}
            self._book.round_begins()
            most = 1
            found = each(
                partial(self._visits, limit), groups, parallel=part.parallel, hurry=self._hurry, threads=self._threads
            )
            with self._pool.round(), closing(found) as results:
                try:
                    for visits in results:
                        for visit in visits:
                            if isinstance(visit.outcome, ProbeFailure):
                                self._interrupt.check()  # a probe that an interruption ended has not failed
                            most = max(most, self._book.keep(visit, number, position[visit.case]))
                            if part.parallel and visit.case in active:
                                self._finish_if_enough(visit.case, out_of_time=False)
                        self._interrupt.check()
                finally:  # what is stored of a round is marked even if the run is interrupted in it
                    self._look_back(watched, known)
            for case in order:
                if case in active:
                    self._finish_if_enough(case, out_of_time=self._budget.ended(case, limit))
            number += most

    def _look_back(self, targets: Sequence[str], known: Mapping[Case, int]) -> None:
        """What a round stored does not count where something slowed the clock of its place. ``known``: the values that
        each case had before."""
        for target in targets:
            reason = self._conditions[target].round_ended()
            if reason:
                self._book.mark_round(target, reason)
                for case, count in known.items():
                    if case.target == target and case in self._book.active and not case.operation.random_work:
                        del self._book.active[case].values[count:]

    def _visits(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """One visit of each case; nothing is stored yet."""
        if self._plan.jit(cases[0]):
            return self._invocation(limit, cases)
        visits, active = [], self._book.active
        for case in cases:
            # When time is up, only cases that have nothing yet are still visited.
            if self._interrupt.came or (self._budget.charged() >= limit and active[case].taken):
                continue
            at = self._budget.seconds()
            try:
                visits.append(Visit(case, at, self._read(active[case])))
            except ProbeFailure as failure:
                visits.append(Visit(case, at, failure))
        return visits

    def _invocation(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """The visits of cases of one process with a just-in-time compiler, each when it is asked for."""
        asked = InvocationContext(
            gone=lambda item: self._interrupt.came or item.case not in self._book.active,
            late=lambda item: self._budget.ended(item.case, limit) and bool(item.taken),
            now=self._budget.seconds,
            spent=self._budget.prepared,
            random=self._random,
            memory_samples=self._plan.policy.memory_samples,
        )
        number = self._invocations
        self._invocations += 1
        items = [item for item in (self._book.active[case] for case in cases) if isinstance(item, TimedCase)]
        return invoke(items, number, self._pool, self._consensus, asked)

    def _read(self, item: Active) -> list[Reading]:
        if isinstance(item, FileCase):
            return item.visit(self._pool)
        readings = item.visit(self._pool, self._consensus)
        most = self._plan.policy.memory_samples
        if item.memory_samples < (min(most, 1) if item.exact else most):
            readings += item.memory(self._pool)
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
