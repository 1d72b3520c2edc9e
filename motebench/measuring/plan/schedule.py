"""The order in which a run measures its cases: which together, and which in parallel. Pure.

A run has stages, one after the other; a stage has lanes, all at once; a lane has parts, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from motebench.base.model import Case
from motebench.targets.base import Place, Sharing

Started = tuple[str, str, str]
"""Target, implementation and scheme: the program of a place that runs one at a time."""


@dataclass(frozen=True)
class LanePart:
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


def processes(cases: Iterable[Case], kept: Callable[[Case], bool], *, apart: bool) -> list[list[Case]]:
    """Cases that are visited together, in their order: those of one process that is ``kept``, others one by one.

    Each name of an implementation has processes of its own, and with ``apart`` each of its schemes.
    """
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        process = (case.target, case.implementation, case.scheme if apart else "")
        groups.setdefault(process if kept(case) else (case,), []).append(case)
    return list(groups.values())


def parts(cases: Iterable[Case], sharing: Callable[[str], Sharing]) -> list[LanePart]:
    """Groups of cases that are measured together, one group after the other. ``sharing``: that of the place of a
    target.

    Parallel work comes first: it then disturbs nothing, and needs few samples. Then a place that holds one firmware at
    a time has its firmware images one after the other. Cases that depend on the time of measurement come last,
    interleaved.
    """
    parallel, in_turn, held = LanePart([], parallel=True), LanePart([]), list[Case]()
    for case in cases:
        shares = sharing(case.target)
        if shares is Sharing.ONE_FIRMWARE:
            held.append(case)
        else:
            (parallel if shares is Sharing.PARALLEL else in_turn).cases.append(case)
    return [part for part in (parallel, *map(LanePart, by_started(held)), in_turn) if part.cases]


def stages(cases: Iterable[Case], place: Callable[[str], Place]) -> list[list[list[Case]]]:
    """The cases by stage, one after the other, and by lane, all at once. ``place``: that of a target.

    What needs every processor of this machine and no clock comes first; then hardware apart from this machine, a lane
    for each; last this machine itself, which by then nothing disturbs.
    """
    first, last = list[Case](), list[Case]()
    apart: dict[str, list[Case]] = {}
    for case in cases:
        where = place(case.target)
        if where.apart:
            apart.setdefault(where.apart, []).append(case)
        else:
            (first if where.sharing is Sharing.PARALLEL else last).append(case)
    found = [[first], list(apart.values()), [last]]
    return [stage for lanes in found if (stage := [lane for lane in lanes if lane])]
