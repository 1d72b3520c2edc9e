"""Rows of this machine: implementations, built or not, and targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from motebench.documents.listing import ImplementationRow, TargetRow
from motebench.show.listing.only import ListingFilter

if TYPE_CHECKING:
    from motebench.targets.base import Target

_UNBUILT = "not built yet: naming it builds it"


def implementation_rows(only: ListingFilter) -> list[ImplementationRow]:
    """What each probe of this machine says of itself; for those that are not built, why."""
    del only
    from motebench.targets.registry import open_target, own_targets

    rows: list[ImplementationRow] = []
    for name in own_targets():
        target = open_target(name)
        ready = target.ready()
        rows += [_answered(target, implementation) for implementation in ready]
        unbuilt = {item: _UNBUILT for item in target.implementations() if item not in ready}
        if name == "host":
            unbuilt |= _unbuildable({*ready, *unbuilt})
        rows += [_row(item, name, problem=problem) for item, problem in sorted(unbuilt.items())]
    return rows


def _unbuildable(others: set[str]) -> dict[str, str]:
    """Implementations of this host whose probes need something that is not installed, and what."""
    from motebench.targets.setup.building import known, lacking

    found = {name: lacking(name) for name in known() if name not in others}
    return {name: problem for name, problem in found.items() if problem}


def _row(implementation: str, target: str, **more: Any) -> ImplementationRow:
    values = {"version": None, "schemes": None, "probe": None, "problem": None}
    return ImplementationRow(implementation=implementation, target=target, **{**values, **more})


def _answered(target: Target, implementation: str) -> ImplementationRow:
    """What a probe says of itself, or why it does not."""
    from motebench.targets.wire.messages import ProbeFailure

    try:
        session = target.open(implementation)
        try:
            hello, offers = session.hello, session.offers()
        finally:
            session.close()
    except ProbeFailure as failure:
        return _row(implementation, target.name, problem=failure.message)
    return _row(implementation, target.name, version=hello.version, schemes=len(offers), probe=hello.probe)


def target_rows(only: ListingFilter) -> list[TargetRow]:
    """Targets, each with the implementations it can run with its default compiler."""
    del only
    from motebench.targets.registry import open_target, target_names

    return [
        TargetRow(target=name, meaning=meaning, implementations=_by_usual(open_target(name).implementations()))
        for name, meaning in target_names().items()
    ]


def _by_usual(implementations: list[str]) -> tuple[str, ...]:
    """Without those by other compilers, each of which could stand behind every name."""
    from motebench.base.naming import COMPILER

    return tuple(name for name in implementations if COMPILER not in name)
