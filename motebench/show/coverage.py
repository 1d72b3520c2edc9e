"""Targets, schemes and implementations that have results, and why the others have none. Nothing is
built.

Results are the reference results and those of a store. What could have results is known from the
declarations beside the sources of each implementation, and on this machine from the probes that are
built.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from motebench.advise.choice.question import SERVING, Need
from motebench.advise.reference.table import outcomes, references
from motebench.base.errors import InputError
from motebench.base.model import FailureKind, Kind, Scheme
from motebench.base.naming import (
    EMULATED,
    SIMULATED,
    chooses,
    did_you_mean,
    is_pattern,
    is_variant,
    no_implementation,
    split_list,
    unplaced,
)
from motebench.catalog import schemes
from motebench.catalog.devices import programmable
from motebench.catalog.lookup import meant_by
from motebench.documents.known import (
    CoverageCountEntry,
    CoverageEntry,
    CoverageReportEntry,
    CoverageState,
)
from motebench.results.selection import WHOLE
from motebench.store import Store

if TYPE_CHECKING:
    from motebench.targets.setup.declared import Declaration


@dataclass(frozen=True, slots=True)
class CoverageFilter:
    """Filter as a user writes it; empty: everything."""

    targets: Sequence[str] = ()
    schemes: Sequence[str] = ()
    implementations: Sequence[str] = ()
    need: str | None = None


@dataclass(slots=True)
class _Pair:
    """Results and failures of a scheme by an implementation on a target."""

    cases: int = 0
    sources: dict[str, None] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    """Messages by kind, the first of each."""


_Known = dict[str, dict[tuple[str, str], _Pair]]
"""Results by target, then scheme and implementation."""


def coverage(only: CoverageFilter, store: str | None) -> CoverageReportEntry:
    """Schemes and implementations with and without results, in the store too if one is named.
    InputError for names that nothing has; StoreError.
    """
    pairs = _known(store)
    targets = _targets(split_list(only.targets), pairs)
    selected = _schemes(only)
    with_code = {target: _with_code(target, selected) for target in targets}
    patterns = split_list(only.implementations)
    _check_implementations(patterns, with_code, pairs)
    entries = [
        entry
        for target in targets
        for entry in _of_target(
            target, selected, pairs.get(target, {}), with_code[target], patterns
        )
    ]
    return CoverageReportEntry(
        store=store, counts=tuple(_counts(targets, entries)), entries=tuple(entries)
    )


def _of_target(
    target: str,
    selected: Mapping[str, Scheme],
    pairs: Mapping[tuple[str, str], _Pair],
    with_code: Sequence[tuple[str, str]],
    patterns: Sequence[str],
) -> Iterator[CoverageEntry]:
    """The entries of a target in the order of the catalog: of each pair, then of each scheme
    without code.
    """
    fitting = [key for key in pairs if key[0] in selected]
    every = dict.fromkeys([*with_code, *fitting])
    order = {name: place for place, name in enumerate(selected)}
    chosen = [
        key
        for key in every
        if not patterns or any(chooses(pattern, key[1]) for pattern in patterns)
    ]
    for scheme, implementation in sorted(chosen, key=lambda key: (order[key[0]], key[1])):
        yield _entry(target, selected[scheme], implementation, pairs.get((scheme, implementation)))
    if not patterns and (with_code or not fitting):
        offered = {scheme for scheme, _ in every}
        yield from (
            _no_code(target, scheme) for name, scheme in selected.items() if name not in offered
        )


# Known results


def _known(store: str | None) -> _Known:
    pairs: _Known = {}
    for target in references():
        for (scheme, implementation), outcome in outcomes(target).items():
            pair = _pair(pairs, target, scheme, implementation)
            if outcome.cases:
                pair.cases += outcome.cases
                pair.sources["reference"] = None
            if outcome.failure:
                pair.failures.setdefault(outcome.failure, outcome.message)
    if store is not None:
        with Store.open(store, create=False) as opened:
            # The same case with the code at several places is one.
            for target, scheme, implementation, *_ in {
                (unplaced(row[0]), *row[1:]) for row in opened.measured_cases()
            }:
                pair = _pair(pairs, target, scheme, implementation)
                pair.cases += 1
                pair.sources["store"] = None
            for target, scheme, implementation, kind, message in opened.failures_of_cases():
                if scheme not in WHOLE and implementation not in WHOLE:
                    _pair(pairs, target, scheme, implementation).failures.setdefault(kind, message)
    return pairs


def _pair(states: _Known, target: str, scheme: str, implementation: str) -> _Pair:
    return states.setdefault(unplaced(target), {}).setdefault((scheme, implementation), _Pair())


# Possible results


def _with_code(target: str, selected: Mapping[str, Scheme]) -> list[tuple[str, str]]:
    """Schemes with the implementations that offer them on a target, as far as that is known without
    building.
    """
    if target.startswith(SIMULATED):
        names = _for_board(target)
    elif target.startswith(EMULATED):
        names = _for_boards("")
    elif target == "host":
        return _of_this_machine(selected)
    else:
        return []
    return [(scheme, name) for name in names for scheme in _declared(name) if scheme in selected]


@cache
def _for_boards(architecture: str) -> tuple[str, ...]:
    """Implementations for boards of an architecture, fetched or not; of none: those that are built
    whole.
    """
    from motebench.targets.firmware.sources import own_implementations
    from motebench.targets.setup.vendor.source import sources

    names = [*own_implementations()]
    for source in sources().values():
        for name, entry in source.implementation.items():
            here = architecture in entry.architectures or not entry.architectures
            if here if architecture else entry.has_probe:
                names.append(f"{source.name}/{name}")
    return tuple(names)


def _for_board(target: str) -> tuple[str, ...]:
    """Implementations for a simulated board; none for another target."""
    device = programmable().get(target.removeprefix(SIMULATED).partition("+")[0])
    return _for_boards(device.architecture) if device else ()


@cache
def _declared(implementation: str) -> frozenset[str]:
    from motebench.targets.firmware.sources import offers_of
    from motebench.targets.setup.declared import declarations

    declaration = declarations().get(offers_of(implementation))
    return _allowed(declaration) if declaration is not None and declaration.exact else frozenset()


@cache
def _allowed(declaration: Declaration) -> frozenset[str]:
    return frozenset(scheme.name for scheme in schemes().values() if declaration.allows(scheme))


def _of_this_machine(selected: Mapping[str, Scheme]) -> list[tuple[str, str]]:
    """Schemes and implementations of this machine: by the answers of built probes, and by the
    declarations of the others."""
    from motebench.targets.host.introductions import Introductions
    from motebench.targets.registry import open_target
    from motebench.targets.wire.messages import ProbeFailure

    target, introductions = open_target("host"), Introductions()
    ready = set(target.ready())
    pairs: list[tuple[str, str]] = []
    for name in target.implementations():
        if is_variant(name):
            continue
        offered: Collection[str] = _declared(name)
        if name in ready:
            try:
                offered = introductions.of(target, name).operations
            except ProbeFailure:
                continue  # `motebench list implementations` says why
        pairs += [(scheme, name) for scheme in selected if scheme in offered]
    introductions.keep()
    return pairs


# Requested rows


def _targets(patterns: Sequence[str], targets: Mapping[str, object]) -> list[str]:
    """The targets that names and patterns mean; without any the simulated boards, and all with
    results.
    """
    boards = [f"{SIMULATED}{device}" for device in programmable()]
    usual = list(dict.fromkeys([*boards, *targets]))
    if not patterns:
        return usual
    from motebench.targets.registry import called_target, target_names

    every = list(dict.fromkeys([*usual, *target_names()]))
    chosen: dict[str, None] = {}
    for word in patterns:
        name = called_target(word)
        fitting = (
            [target for target in every if fnmatchcase(target, name)]
            if is_pattern(word)
            else [name]
        )
        if not fitting or (name not in every and not is_pattern(word)):
            raise _unknown_target(word, every)
        chosen |= dict.fromkeys(fitting)
    return list(chosen)


def _unknown_target(word: str, every: Sequence[str]) -> InputError:
    from motebench.catalog.devices import missing_board

    device = word.removeprefix(SIMULATED)
    short = [alias for board in programmable().values() for alias in (board.id, *board.aliases)]
    hint = missing_board(device) or did_you_mean(word, every) or did_you_mean(device, short)
    return InputError(
        f"unknown target {word!r}",
        where="--target",
        valid=", ".join(every),
        hint=hint or "`motebench list targets` says what each is",
    )


def _schemes(only: CoverageFilter) -> dict[str, Scheme]:
    """The schemes that names, patterns and a need mean, in the order of the catalog. InputError if
    none is left.
    """
    every = schemes()
    names: set[str] = set()
    for word in split_list(only.schemes):
        meant = () if is_pattern(word) or word in every else meant_by(word)
        names |= set(meant) or {scheme.name for scheme in every.match(word, "--scheme")}
    kinds = SERVING[Need(only.need)] if only.need else tuple(Kind)
    chosen = {
        name: scheme
        for name, scheme in every.items()
        if (name in names or not only.schemes) and scheme.kind in kinds
    }
    if not chosen:
        raise InputError(
            f"none of these schemes serves --need {only.need}"
            if only.need
            else "no scheme is named",
            where="--scheme",
            valid=", ".join(name for name, scheme in every.items() if scheme.kind in kinds),
        )
    return chosen


def _check_implementations(
    patterns: Sequence[str], with_code: Mapping[str, Iterable[tuple[str, str]]], states: _Known
) -> None:
    """InputError for an implementation that no target has."""
    if not patterns:
        return
    names = {name for target in with_code for name in _for_board(target)}
    names |= {name for pairs in with_code.values() for _, name in pairs}
    names |= {name for target in with_code for _, name in states.get(target, {})}
    for pattern in patterns:
        if not any(chooses(pattern, name) for name in names):
            target = next(iter(with_code)) if len(with_code) == 1 else ""
            raise no_implementation(pattern, sorted(names), target, where="--implementation")


# Entries


def _entry(target: str, scheme: Scheme, implementation: str, pair: _Pair | None) -> CoverageEntry:
    pair = pair or _Pair()
    command = (
        f"motebench run --target {target} --scheme {scheme.name} --implementation {implementation}"
    )
    reason = "; ".join(f"{kind}: {message}" for kind, message in pair.failures.items()) or None
    if pair.cases:
        state = CoverageState.RESULTS
    elif FailureKind.TOO_BIG.value in pair.failures:
        state = CoverageState.TOO_BIG
    elif pair.failures:
        state = CoverageState.FAILED
    else:
        state, reason = CoverageState.NOT_MEASURED, _lacking(target)
    return CoverageEntry(
        target=target,
        scheme=scheme.name,
        family=scheme.kind.value,
        implementation=implementation,
        state=state.value,
        cases=pair.cases,
        sources=tuple(pair.sources),
        reason=reason,
        command=command,
    )


@cache
def _lacking(target: str) -> str | None:
    """Compiler that must be installed before something can be measured on a board, as a sentence;
    None if nothing is missing."""
    from motebench.targets.firmware.architecture import architecture

    device = programmable().get(target.removeprefix(SIMULATED).partition("+")[0])
    if device is None or not target.startswith(SIMULATED):
        return None
    program = f"{architecture(device.architecture).tools.prefix}gcc"
    return (
        None
        if shutil.which(program)
        else f"{program} is not installed; motebench doctor shows the line"
    )


def _no_code(target: str, scheme: Scheme) -> CoverageEntry:
    return CoverageEntry(
        target=target,
        scheme=scheme.name,
        family=scheme.kind.value,
        implementation=None,
        state=CoverageState.NO_CODE.value,
        cases=0,
        sources=(),
        reason="no implementation for this target offers it",
        command=None,
    )


def _counts(
    targets: Sequence[str], entries: Iterable[CoverageEntry]
) -> Iterator[CoverageCountEntry]:
    counted: dict[tuple[str, str], dict[str, int]] = {}
    for entry in entries:
        states = counted.setdefault((entry.target, entry.family), {})
        states[entry.state] = states.get(entry.state, 0) + 1
    for target in targets:
        for kind in Kind:
            states = counted.get((target, kind.value), {})
            if states:
                yield CoverageCountEntry(
                    target=target,
                    family=kind.value,
                    results=states.get(CoverageState.RESULTS, 0),
                    too_big=states.get(CoverageState.TOO_BIG, 0),
                    failed=states.get(CoverageState.FAILED, 0),
                    not_measured=states.get(CoverageState.NOT_MEASURED, 0),
                    no_code=states.get(CoverageState.NO_CODE, 0),
                )
