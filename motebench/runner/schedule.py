"""In which order a run measures its cases: what is measured together, and what may run at once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest

from motebench.model import Case
from motebench.targets.place import Sharing

Started = tuple[str, str, str]
"""Target, implementation and scheme: what runs at a place that holds one of them at a time."""


@dataclass(frozen=True)
class Part:
    """Cases that are measured together, in rounds. ``parallel``: several at once, each of another `Started`."""

    cases: list[Case]
    parallel: bool = False


def started(case: Case) -> Started:
    """What a case needs at its place."""
    return case.target, case.provider, case.scheme


def by_started(cases: Iterable[Case]) -> list[list[Case]]:
    """The cases by what they need, in their order."""
    groups: dict[Started, list[Case]] = {}
    for case in cases:
        groups.setdefault(started(case), []).append(case)
    return list(groups.values())


def parts(cases: Iterable[Case], sharing: Callable[[str], Sharing]) -> list[Part]:
    """What is measured together, one part after the other. ``sharing``: of the place of a target.

    What runs in parallel comes first: it disturbs nothing then, and needs few samples. Then places that hold one
    firmware at a time: each has its firmwares one after the other, several places theirs in parallel. What depends on
    the time it is measured at comes last, interleaved.
    """
    parallel, in_turn = Part([], parallel=True), Part([])
    boards: dict[str, list[Case]] = {}
    for case in cases:
        shares = sharing(case.target)
        if shares is Sharing.ONE_FIRMWARE:
            boards.setdefault(case.target, []).append(case)
        else:
            (parallel if shares is Sharing.PARALLEL else in_turn).cases.append(case)
    turns = zip_longest(*map(by_started, boards.values()), fillvalue=[])
    held = [Part([*chain(*turn)], parallel=sum(map(bool, turn)) > 1) for turn in turns]
    return [part for part in (parallel, *held, in_turn) if part.cases]
