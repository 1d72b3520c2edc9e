"""One invocation: a fresh process with a just-in-time compiler, all its cases warmed up, then all measured.

Cases are warmed up in random order, and measured in another one: by then the compiler has seen all of them, as in an
application that uses several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from motebench.base.model import Case
from motebench.measuring.run.pool import Pool
from motebench.measuring.run.visit import TimedCase
from motebench.measuring.work import proof
from motebench.measuring.work.readings import Reading
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True)
class Visit:
    """The result of one visit of a case, and when it began, in seconds of the run.

    ``invocation`` numbers the process; None if each round has its own process.
    """

    case: Case
    at: float
    outcome: list[Reading] | ProbeFailure
    invocation: int | None = None


@dataclass(frozen=True)
class InvocationContext:
    """What an invocation asks of the run it belongs to.

    ``gone``: the case has failed, or the run is interrupted; ``late``: the time that was set is up, and the case has a
    value; ``spent``: takes the seconds that went into the process.
    """

    gone: Callable[[TimedCase], bool]
    late: Callable[[TimedCase], bool]
    now: Callable[[], float]
    spent: Callable[[float], None]
    random: Random
    memory_samples: int


def invoke(
    items: Sequence[TimedCase], number: int, pool: Pool, consensus: proof.Consensus, asked: InvocationContext
) -> Iterator[Visit]:
    """Visits of the items in the process with that number, each as soon as it is made."""
    items = [item for item in items if not (asked.gone(item) or asked.late(item))]
    if not items:
        return
    first = items[0].case
    at, begun = asked.now(), time.monotonic()
    try:
        session = pool.fresh(first.target, first.provider)
    except ProbeFailure as failure:
        yield from (Visit(item.case, at, failure) for item in items)
        return
    asked.spent(time.monotonic() - begun)
    warm, measured = [], []
    try:
        for item in items:
            if not (asked.gone(item) or asked.late(item)):
                visit = _visit(item, asked, partial(item.warm_up, session, consensus))
                if isinstance(visit.outcome, ProbeFailure):
                    yield visit
                else:
                    warm.append(item)
        asked.random.shuffle(warm)
        alone = len(items) == 1
        for item in warm:
            if not (asked.gone(item) or asked.late(item)):
                measured.append(item)
                yield _visit(item, asked, partial(item.invoked, session, consensus, alone=alone), number)
    finally:
        session.close()
    for item in measured:
        if item.memory_samples < asked.memory_samples and not asked.gone(item):
            yield _visit(item, asked, partial(item.memory, pool))


def _visit(
    item: TimedCase, asked: InvocationContext, work: Callable[[], list[Reading]], number: int | None = None
) -> Visit:
    at, begun = asked.now(), time.monotonic()
    try:
        return Visit(item.case, at, work(), number)
    except ProbeFailure as failure:
        return Visit(item.case, at, failure)
    finally:
        asked.spent(time.monotonic() - begun)
