"""The order in which a run measures its cases: which together, and which in parallel. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest

from motebench.model import Case
from motebench.targets.place import Sharing

Started = tuple[str, str, str]
"""Target, implementation and scheme: the program of a place that runs one at a time."""


@dataclass(frozen=True)
class Part:
    """Cases that are measured together, in rounds. ``parallel``: several at once, each of another `Started`."""

    cases: list[Case]
    parallel: bool = False


def started(case: Case) -> Started:
    """The program that a case needs at its place."""
    return case.target, case.provider, case.scheme


def by_started(cases: Iterable[Case]) -> list[list[Case]]:
    """The cases by their program, in order."""
    groups: dict[Started, list[Case]] = {}
    for case in cases:
        groups.setdefault(started(case), []).append(case)
    return list(groups.values())


def parts(cases: Iterable[Case], sharing: Callable[[str], Sharing]) -> list[Part]:
    """Groups of cases that are measured together, one group after the other. ``sharing``: that of the place of a
    target.

    Parallel work comes first: it then disturbs nothing, and needs few samples. Then places that hold one firmware at a
    time: each has its firmware images one after the other, several places in parallel. Cases that depend on the time of
    measurement come last, interleaved.
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
