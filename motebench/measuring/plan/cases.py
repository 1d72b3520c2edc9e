"""Cases of a study, and the order in which a run measures them: which together, and which in
parallel.

Pure and lazy, no I/O: the caller passes what the implementations offer. A run has stages, one after
the other; a stage has lanes, all at once; a lane has parts, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import EMPTY_FILE, Case, Failure, FailureKind, Kind, Operation, Scheme
from motebench.base.naming import chooses, is_pattern, split_alias, unplaced
from motebench.measuring.study.model import WITH_AAD, Exclude, Group, Study
from motebench.targets.base import USUAL_SIZES, Place, Sharing
from motebench.targets.wire.messages import Offer

MOST_CASES = 500_000
"""Largest number of cases of a study, including combinations that do not exist: more fit neither
into memory nor into a lifetime.
"""
COPY_SCHEME = "copy"
"""Scheme and implementation of the plain copy that is measured together with whole files."""

FILE_OPERATIONS: dict[Kind, tuple[Operation, ...]] = {
    Kind.CIPHER: (Operation.ENCRYPT_FILE,),
    Kind.STREAM: (Operation.ENCRYPT_FILE,),
    Kind.AEAD: (Operation.ENCRYPT_FILE,),
    Kind.HASH: (Operation.DIGEST_FILE,),
    Kind.MAC: (Operation.MAC_FILE,),
    Kind.SIGNATURE: (Operation.SIGN_FILE,),
}
GENERATED = "generated"
_BLOCKWISE = (Operation.ENCRYPT, Operation.DECRYPT)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A combination that a pattern matched but that does not exist. It is reported and not run."""

    scheme: str
    implementation: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of a whole-file case: its path (or ``generated`` or ``empty``) and length in bytes."""

    path: str
    size: int


Offers = Mapping[str, Mapping[str, Mapping[str, Offer]]]
"""target -> implementation -> scheme -> offer"""


@dataclass(frozen=True, slots=True)
class UsualChoice:
    """Defaults of a target for a study without implementations. ``implementations``: None for all
    that are on offer.
    """

    implementations: Collection[str] | None = None
    sizes: tuple[int, ...] = USUAL_SIZES
    cores: int = 0
    """Cores on which processes can be kept."""


def expand(
    study: Study,
    schemes: Mapping[str, Scheme],
    offers: Offers,
    files: Mapping[str, int],
    copiers: Mapping[str, str] | None = None,
    usual: Mapping[str, UsualChoice] | None = None,
) -> Iterator[Case | Failure | Skipped]:
    """Every case of the study, once; failures for names that are not available; `Skipped` for
    pattern matches that are not, and for usual sizes that an implementation does not take.

    ``files`` holds the length of each named file. ``copiers`` names the implementation that does
    the plain copy on a target; without it, the first one does. ``usual``: what is measured on a
    target if the study does not say. Scheme names in the study must be resolved already (no
    aliases); patterns stay patterns.
    """
    seen: set[CaseId] = set()
    available = _Available(schemes, offers, files, copiers or {}, usual or {})
    items = (item for group in study.measure for item in _group(group, available))
    for number, item in enumerate(items):
        if number >= MOST_CASES:
            raise InputError(
                f"the study contains more than {MOST_CASES} combinations",
                where="[[measure]]",
                valid=f"up to {MOST_CASES}",
                hint="use fewer sizes, schemes or implementations, or several studies",
            )
        if isinstance(item, Case):
            if item.id in seen:
                continue
            seen.add(item.id)
        yield item


@dataclass(frozen=True, slots=True)
class _Available:
    """Selectable parts of a study, for `expand`."""

    schemes: Mapping[str, Scheme]
    offers: Offers
    files: Mapping[str, int]
    copiers: Mapping[str, str]
    usual: Mapping[str, UsualChoice]


def _group(group: Group, available: _Available) -> Iterator[Case | Failure | Skipped]:
    inputs = [InputFile(path, available.files[path]) for path in group.files]
    inputs += [InputFile(GENERATED, size) for size in group.file_sizes]
    selected = list(select(group.schemes, available.schemes))
    for target in group.targets:
        offered = available.offers[target]
        if offered:
            copier = available.copiers.get(target) or next(iter(offered))
            for source in inputs:
                yield Case(
                    COPY_SCHEME,
                    COPY_SCHEME,
                    Operation.COPY_FILE,
                    source.size,
                    target,
                    copier,
                    file=source.path,
                )
        usual = available.usual.get(target, UsualChoice())
        selection = _Selection(
            group, target, offered, usual, inputs, [name for name, _ in selected]
        )
        for name, named in selected:
            yield from selection.of_scheme(available.schemes[name], named)


@dataclass(frozen=True, slots=True)
class _Selection:
    """Selection of a group on one of its targets. ``offered``: by implementation, then scheme;
    ``selected``: names of schemes."""

    group: Group
    target: str
    offered: Mapping[str, Mapping[str, Offer]]
    usual: UsualChoice
    inputs: Sequence[InputFile]
    selected: Sequence[str]

    def of_scheme(self, scheme: Scheme, named: bool) -> Iterator[Case | Failure | Skipped]:
        """Cases of a scheme; failures of full names that do not fit, `Skipped` for patterns that do
        not fit.
        """
        name, answered = scheme.name, False
        providers = self._providers(name)
        offered_at_all = any(name in self.offered.get(provider, {}) for _, provider, _ in providers)
        unmatched: list[Skipped] = []
        for label, provider, by_name in providers:
            offer = self.offered.get(provider, {}).get(name)
            if offer is not None:
                answered = True
                yield from _Combination(self, scheme, offer, label, provider, named).cases()
                continue
            reason = "not offered" if provider in self.offered else "not on this target"
            # A study may list schemes and implementations that do not all combine: each must match
            # at least once.
            if named and by_name and not (offered_at_all and self._useful(provider)):
                answered = True
                yield Failure(
                    name, label, self.target, FailureKind.UNSUPPORTED, f"{provider}: {reason}"
                )
            else:
                unmatched.append(Skipped(name, label, self.target, reason))
        if named and not answered:
            message = "no implementation on this target offers it"
            yield Failure(name, "*", self.target, FailureKind.UNSUPPORTED, message)
        elif answered:
            yield from unmatched

    def _providers(self, scheme: str) -> list[tuple[str, str, bool]]:
        """(label, provider, whether named) of each selected implementation."""
        if self.group.implementations:
            return _providers(self.group.implementations, self.offered)
        return _unnamed(scheme, self.offered, self.usual.implementations)

    def _useful(self, provider: str) -> bool:
        """True if an implementation has any of the selected schemes."""
        return any(name in self.offered.get(provider, {}) for name in self.selected)


def select(patterns: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Names in catalog order, each with whether it was named (True) or matched by a pattern."""
    exact = {pattern for pattern in patterns if not is_pattern(pattern)}
    wild = [pattern for pattern in patterns if is_pattern(pattern)]
    for name in names:
        if name in exact or any(fnmatchcase(name, pattern) for pattern in wild):
            yield name, name in exact


def _unnamed(
    scheme: str, offers: Mapping[str, Mapping[str, Offer]], usual: Collection[str] | None
) -> list[tuple[str, str, bool]]:
    """Default implementations; all if none of these has the scheme."""
    chosen = [name for name in offers if usual is None or name in usual]
    if not any(scheme in offers[name] for name in chosen):
        chosen = list(offers)
    return [(name, name, False) for name in chosen]


def _providers(patterns: Sequence[str], offered: Iterable[str]) -> list[tuple[str, str, bool]]:
    """(label, provider, whether named) of each selected implementation."""
    available = list(offered)
    chosen_providers: dict[str, tuple[str, str, bool]] = {}
    for entry in patterns:
        label, provider = split_alias(entry)
        names = (
            [name for name in available if chooses(provider, name)]
            if is_pattern(provider)
            else [provider]
        )
        for name in names:
            chosen = name if is_pattern(provider) else label
            chosen_providers.setdefault(chosen, (chosen, name, not is_pattern(provider)))
    return list(chosen_providers.values())


@dataclass(frozen=True, slots=True)
class _Combination:
    """Scheme that an implementation offers. ``label``: its name in the study; ``named``: the scheme
    is named.
    """

    selection: _Selection
    scheme: Scheme
    offer: Offer
    label: str
    provider: str
    named: bool

    def cases(self) -> Iterator[Case | Failure | Skipped]:
        """Cases of every operation."""
        for operation in _operations(
            self.selection.group, self.scheme, self.offer, bool(self.selection.inputs)
        ):
            if not _offered(operation, self.offer):
                yield self._not_offered(operation)
            elif operation.on_file:
                yield from self._on_files(operation)
            else:
                yield from self._in_memory(operation)

    def _not_offered(self, operation: Operation) -> Failure | Skipped:
        offered = ", ".join(
            member.value for member in Operation if member.value in self.offer.operations
        )
        reason = (
            f"{self.provider} does not offer {operation.value} for it, but {offered or 'nothing'}"
        )
        if self.offer.process and not operation.on_file:
            reason = (
                f"{self.provider} is measured on whole files: {operation.value} cannot be timed"
            )
        name, target = self.scheme.name, self.selection.target
        if self.named and self.selection.group.operations:
            return Failure(
                name, self.label, target, FailureKind.UNSUPPORTED, reason, operation=operation.value
            )
        return Skipped(name, self.label, target, reason)

    def _on_files(self, operation: Operation) -> Iterator[Case]:
        empty = [InputFile(EMPTY_FILE, 0)] if self.offer.process else []
        for source in (*self.selection.inputs, *empty):
            name, target = self.scheme.name, self.selection.target
            case = Case(
                name, self.label, operation, source.size, target, self.provider, file=source.path
            )
            if not _excluded(self.selection.group.exclude, case):
                yield case

    def _in_memory(self, operation: Operation) -> Iterator[Case | Failure | Skipped]:
        group, usual, target = self.selection.group, self.selection.usual, self.selection.target
        takes_aad = self.scheme.kind is Kind.AEAD and operation in WITH_AAD
        sizes = (group.sizes or usual.sizes) if operation.sized else (0,)
        counts = core_counts(usual.cores) if group.cores == "all" else group.cores or (0,)
        for size, aad, cores in product(sizes, (group.aad or (0,)) if takes_aad else (0,), counts):
            name = self.scheme.name
            case = Case(
                name, self.label, operation, size, target, self.provider, aad_bytes=aad, cores=cores
            )
            if not _excluded(group.exclude, case):
                yield self._checked(case)

    def _checked(self, case: Case) -> Case | Failure | Skipped:
        """The case, unless its cores or its size cannot be had."""
        usual, target = self.selection.usual, self.selection.target
        if case.cores > usual.cores:
            limit = f"it has {usual.cores}" if usual.cores else "none can be chosen there"
            return Failure.of_case(
                case, FailureKind.UNSUPPORTED, f"{case.cores} cores of {target}: {limit}"
            )
        reason = (
            _unfit(case.operation, case.input_bytes, self.offer)
            if case.operation in _BLOCKWISE
            else ""
        )
        if reason and self.named and self.selection.group.sizes:
            return Failure.of_case(case, FailureKind.UNSUPPORTED, reason)
        return Skipped(case.scheme, self.label, target, reason) if reason else case


def core_counts(cores: int) -> tuple[int, ...]:
    """Numbers of cores that show how throughput grows: 1, 2, 4 and so on, and all; at least 1."""
    powers = [1 << bit for bit in range(max(1, cores).bit_length())]
    return tuple(dict.fromkeys([*powers, max(1, cores)]))


def _unfit(operation: Operation, size: int, offer: Offer) -> str:
    """Reason why bulk data of that size cannot be timed; empty if they can."""
    if size == 0:
        return (
            f"0 B cannot be timed with {operation.value}, which works on data; "
            f"{operation.value}-message may be"
        )
    if size % offer.block == 0:
        return ""
    return (
        f"{size} B is not a multiple of the {offer.block}-byte block and {operation.value} does "
        f"not pad; {operation.value}-message does"
    )


def _operations(group: Group, scheme: Scheme, offer: Offer, on_file: bool) -> Iterator[Operation]:
    if group.operations:
        yield from (operation for operation in group.operations if operation in scheme.operations)
    elif on_file:
        yield from FILE_OPERATIONS.get(scheme.kind, ())
    else:
        yield from (
            operation
            for operation in scheme.default_operations
            if operation.value in offer.operations
        )


def _offered(operation: Operation, offer: Offer) -> bool:
    if not operation.on_file:
        return operation.value in offer.operations and not offer.process
    base = operation.value.removesuffix("-file")
    whole = f"{base}-message" if base in ("encrypt", "decrypt") else base
    return offer.stream and whole in offer.operations


def _excluded(excludes: Iterable[Exclude], case: Case) -> bool:
    def fits(patterns: Iterable[str], value: str) -> bool:
        return any(fnmatchcase(value, pattern) for pattern in patterns)

    return any(
        fits(exclude.schemes, case.scheme)
        and fits(exclude.implementations, case.implementation)
        and any(fits(exclude.targets, name) for name in (case.target, unplaced(case.target)))
        and fits(exclude.operations, case.operation.value)
        and (not exclude.sizes or case.input_bytes in exclude.sizes)
        for exclude in excludes
    )


# Order


Started = tuple[str, str, str]
"""Target, implementation and scheme: the program of a place that runs one at a time."""


@dataclass(frozen=True)
class LanePart:
    """Cases that are measured together, in rounds. ``parallel``: several at once, each of another
    `Started`.
    """

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


def processes(
    cases: Iterable[Case], is_kept: Callable[[Case], bool], *, apart: bool
) -> list[list[Case]]:
    """Cases that are visited together, in their order: those of one process for which ``is_kept``
    holds, others one by one.

    Each name of an implementation has processes of its own, and with ``apart`` each of its schemes.
    """
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        process = (case.target, case.implementation, case.scheme if apart else "")
        groups.setdefault(process if is_kept(case) else (case,), []).append(case)
    return list(groups.values())


def parts(cases: Iterable[Case], sharing: Callable[[str], Sharing]) -> list[LanePart]:
    """Groups of cases that are measured together, one group after the other. ``sharing``: that of
    the place of a target.

    Parallel work comes first: it then disturbs nothing, and needs few samples. Then a place that
    holds one firmware at a time has its firmware images one after the other. Cases that depend on
    the time of measurement come last, interleaved.
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
    """The cases by stage, one after the other, and by lane, all at once. ``place``: that of a
    target.

    What needs every processor of this machine and no clock comes first; then hardware apart from
    this machine, a lane for each; last this machine itself, which by then nothing disturbs.
    """
    first, last = list[Case](), list[Case]()
    apart: dict[str, list[Case]] = {}
    for case in cases:
        where = place(case.target)
        if where.apart:
            apart.setdefault(where.apart, []).append(case)
        else:
            (first if where.sharing is Sharing.PARALLEL else last).append(case)
    lanes_by_stage = [[first], list(apart.values()), [last]]
    return [stage for lanes in lanes_by_stage if (stage := [lane for lane in lanes if lane])]
