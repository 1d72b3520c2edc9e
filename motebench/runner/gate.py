"""The gate of a run: known answers first. What fails them is a failure, and its cases are not timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial

from motebench.model import Case, Failure, Operation
from motebench.runner.admission import Verdict, admit
from motebench.runner.book import Book
from motebench.runner.interrupt import Interrupt
from motebench.runner.parallel import each
from motebench.runner.plan import Plan
from motebench.runner.pool import Pool
from motebench.runner.progress import Progress
from motebench.runner.schedule import Part, by_started, started
from motebench.verify import gate
from motebench.verify.checking import STEP_SECONDS
from motebench.wire.messages import ProbeFailure


class Gate:
    """Checks the answers of each part of a run."""

    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        book: Book,
        progress: Progress,
        interrupt: Interrupt,
        hurry: Callable[[], None],
    ) -> None:
        self._plan, self._pool, self._book = plan, pool, book
        self._progress, self._interrupt, self._hurry = progress, interrupt, hurry

    def check(self, part: Part) -> None:
        """Fail the cases of the part that must not be timed."""
        groups = by_started(case for case in part.cases if case.operation is not Operation.COPY_FILE)
        names = [f"{cases[0].scheme} {cases[0].provider}" for cases in groups]
        if names:
            self._progress.checking(names[0], 0, len(names))
        verdicts = each(partial(self._admit, part), groups, parallel=part.parallel, hurry=self._hurry)
        with self._pool.round(), closing(verdicts) as results:
            for done, verdict in enumerate(results):
                self._interrupt.check()
                self._progress.checking(names[done], done + 1, len(names))
                for note in verdict.notes:
                    self._book.note(note)
                refused = verdict.refused
                if refused is not None:
                    for case in groups[done]:
                        self._book.fail(case, refused.kind, refused.message, refused.vector)

    def _admit(self, part: Part, cases: Sequence[Case]) -> Verdict:
        """Whether these cases, which need the same to be started, may be timed."""
        name, provider, scheme = started(cases[0])
        if self._interrupt.came:
            return Verdict(None)
        code = self._plan.question.workspace.code_of(provider)
        target = self._plan.targets[name]
        try:
            session = self._pool.session(name, provider, scheme if part.parallel else "")
            limit = self._plan.policy.timeout
            if code is None:
                seconds = limit if target.place.exact else STEP_SECONDS
                return Verdict(gate(session, scheme, target=name, implementation=provider, seconds=seconds))
            seconds = min(STEP_SECONDS, limit)
            verdict = admit(code, session, scheme, target=target, implementation=provider, seconds=seconds)
            return Verdict(verdict.refused, (*code.remarks, *verdict.notes))
        except ProbeFailure as failure:
            return Verdict(Failure(scheme, provider, name, failure.kind, failure.message))
