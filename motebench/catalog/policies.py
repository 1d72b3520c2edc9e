"""Files that `motebench choose` goes by, with their models: ``choice.toml``, ``bodies/*.toml``,
``constant-time.toml``, ``profiles.toml`` (schemes with a shorter tag, as protocols call them) and
``checklists/*.toml``; ``smaller-cores.toml``, which `motebench describe` shows.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.model import Operation
from motebench.base.naming import did_you_mean, plain
from motebench.base.paths import catalog_dir
from motebench.base.quantities import UNCHANGED, Interval
from motebench.catalog.quantities import PositiveBounds
from motebench.catalog.schema import (
    Bits,
    Count,
    Identifier,
    IsoDate,
    Record,
    SecurityVerdict,
    Source,
    Text,
)

_SYMMETRIC = frozenset(
    operation.value
    for operation in Operation
    if operation.value.partition("-")[0] in ("key", "encrypt", "decrypt", "digest", "mac")
)
"""Operations of ciphers, hash functions and MACs."""


class Permit(Record):
    """Schemes that a body's document permits, by patterns of their names, and the clause.
    ``until``: the last day.

    ``hybrid``: only together with a classical mechanism. ``draft``: the date is announced and may
    change. ``unverified``: the author of the entry did not see it in the document. ``tag_bytes``:
    the shortest tag of these schemes; None: as their standards have it.
    """

    schemes: tuple[Text, ...] = Field(min_length=1)
    clause: Text
    statement: Text
    until: datetime.date | None = None
    tag_bytes: Count | None = None
    hybrid: bool = False
    draft: bool = False
    unverified: bool = False

    @property
    def words(self) -> str:
        """Clause and statement, with their limits."""
        limits = [
            *([f"until {self.until}{' (planned)' if self.draft else ''}"] if self.until else []),
            *(["only together with a classical mechanism"] if self.hybrid else []),
            *(["unverified"] if self.unverified else []),
        ]
        return f"{self.clause}: {self.statement}" + (f" ({'; '.join(limits)})" if limits else "")


class Policy(Record):
    """Security statuses that a scheme may have; the file explains them. With ``permits``, it must
    be among them.
    """

    id: Identifier
    statement: Text
    title: Text | None = None
    date: IsoDate | None = None
    permits: tuple[Permit, ...] = ()
    admits: tuple[SecurityVerdict, ...] = Field(min_length=1)
    body: Text | None = None
    wants: tuple[SecurityVerdict, ...] = ()
    modes: tuple[Text, ...] = ()
    source: Source | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.body is None) != (not self.wants):
            raise ValueError("body and wants must be given together")
        if bool(self.permits) != (
            self.title is not None and self.source is not None and self.date is not None
        ):
            raise ValueError("permits, title, date and source must be given together")
        return self

    def permit(self, scheme: str) -> Permit | None:
        """Permit of the document for a scheme: the entry that lasts longest; None if the document
        does not list the scheme.
        """
        listing = [
            permit
            for permit in self.permits
            if any(fnmatchcase(scheme, name) for name in permit.schemes)
        ]
        return max(listing, key=lambda permit: permit.until or datetime.date.max, default=None)


class CarriedResults(Record):
    """Results of ``target`` with the factors that make them those of another device.

    ``spread``: relative error of its cycles; 0: they are equal. ``flash``: by what flash is
    multiplied. Where cycles are bounded otherwise, instead of both: by what ``cycles`` (with public
    keys: ``public_key_cycles``) and ``memory`` (flash, RAM) are multiplied.
    """

    target: Text
    spread: Annotated[float, Field(ge=0, lt=1)] | None = None
    flash: PositiveBounds | None = None
    cycles: PositiveBounds | None = None
    public_key_cycles: PositiveBounds | None = None
    memory: PositiveBounds | None = None
    by_code: bool = False
    """True if the factor of the cycles differs from code to code; else all code on the chip shares
    it.
    """
    statement: Text
    source: Source
    unverified: bool = False

    @model_validator(mode="after")
    def _either(self) -> Self:
        given = [bound is not None for bound in (self.cycles, self.public_key_cycles, self.memory)]
        if any(given) != all(given) or any(given) == (self.spread is not None):
            raise ValueError("give spread, or cycles, public_key_cycles and memory")
        if self.flash is not None and self.spread is None:
            raise ValueError("flash goes with spread")
        return self

    def time(self, operation: str) -> Interval:
        """Factor on the cycles of an operation."""
        factor = self.cycles if operation in _SYMMETRIC else self.public_key_cycles
        if factor is not None:
            return factor.interval
        spread = self.spread or 0.0
        return Interval(1 - spread, 1.0, 1 + spread)

    def of_chip(self, operation: str, places: Interval) -> Interval:
        """Part of ``time`` that all code on the chip shares, typically 1; ``places``: the part of
        each code.
        """
        if self.by_code:
            return UNCHANGED
        whole = self.time(operation)
        low, high = whole.low / whole.typical, whole.high / whole.typical
        return Interval(low / max(low, places.low), 1.0, high / min(high, places.high))

    def size(self, name: str) -> Interval:
        """Factor on that metric of memory."""
        factor = self.flash if name == "flash" and self.flash is not None else self.memory
        return factor.interval if factor is not None else Interval.exact(1.0)

    @property
    def words(self) -> str:
        """Accuracy of the results, in words."""
        size = self.size("flash")
        if self.spread is not None:
            near = (
                f"assumed to be within {self.spread * 100:g} %"
                if self.spread
                else "with the same cycles"
            )
            return near + (
                f" and {size.low:g} to {size.high:g} times the flash"
                if self.flash is not None
                else ""
            )
        cycles, keys = self.time(Operation.DIGEST), self.time(Operation.SIGN)
        return (
            f"within bounds: {cycles.low:g} to {cycles.high:g} times the cycles, with public keys "
            f"{keys.low:g} to {keys.high:g} times, and {size.low:g} to {size.high:g} times flash "
            "and RAM are assumed"
        )


class StandIn(CarriedResults):
    """Stand-in: the results of ``target`` are used for ``device``, which has no results, or
    unproven ones."""

    device: Identifier


class SameCore(CarriedResults):
    """Results of ``target`` for what was not measured on ``devices``, which have the same core."""

    devices: tuple[Identifier, ...] = Field(min_length=1)

    def beside(self, own: CarriedResults | None) -> CarriedResults:
        """Factors of a device whose own results have the factors ``own``: both are multiplied."""
        if own is None:
            return self
        operations = Operation.DIGEST, Operation.SIGN
        cycles, public_key_cycles = (self.time(name) * own.time(name) for name in operations)
        return CarriedResults(
            target=self.target,
            cycles=_bounds(cycles),
            public_key_cycles=_bounds(public_key_cycles),
            memory=_bounds(self.size("stack") * own.size("stack")),
            by_code=True,
            statement=f"{self.statement}; {own.statement}",
            source=self.source,
            unverified=self.unverified or own.unverified,
        )


def _bounds(value: Interval) -> PositiveBounds:
    return PositiveBounds(minimum=value.low, typical=value.typical, maximum=value.high)


class Weak(Record):
    """A property with too few bits, and the number below which it is weak."""

    below_bits: Bits
    source: Source


class Enough(Record):
    """The bits of strength beyond which more decide nothing, where the question asks for none."""

    bits: Bits
    source: Source


class Patience(Record):
    """Seconds that a user waits for a signature or a shared secret."""

    seconds: Annotated[float, Field(gt=0)]
    source: Source


class Pieces(Record):
    """Largest piece in bytes that implementations process at a time: when they encrypt a message,
    and when they hash one."""

    message_bytes: Count
    digest_bytes: Count
    source: Source

    def of(self, operation: str) -> int:
        """The piece of that operation."""
        return self.message_bytes if operation == Operation.ENCRYPT_MESSAGE else self.digest_bytes


class Partial(Record):
    """Relative deviation from the time of the pieces for a length that is no multiple of
    ``multiple_bytes``: padding, and bytes that are taken one by one."""

    multiple_bytes: Count
    share: Annotated[float, Field(ge=0, lt=1)]
    source: Source


class Recommending(Record):
    """Bodies whose verdicts recommend; others list. ``modes``: of block ciphers, those that these
    bodies describe.
    """

    bodies: tuple[Text, ...] = Field(min_length=1)
    modes: tuple[Text, ...] = Field(min_length=1)
    source: Source


class Indifference(Record):
    """The share of a criterion below which two candidates are equal for the user."""

    share: Annotated[float, Field(ge=0, lt=1)]
    source: Source


class ChoicePolicy(Record):
    """``catalog/policies/choice.toml``. ``small_block``: block lengths that are not recommended for
    new designs.
    """

    weak: Weak
    enough: Enough
    patience: Patience
    small_block: Weak
    recommending: Recommending
    indifference: Indifference
    pieces: Pieces
    partial: Partial
    policies: tuple[Policy, ...]
    stand_ins: tuple[StandIn, ...] = ()
    same_cores: tuple[SameCore, ...] = ()


class Claim(Record):
    """Implementations that are claimed to take constant time, and by whom."""

    implementations: tuple[Text, ...] = Field(min_length=1)
    statement: Text
    source: Source


class Claims(Record):
    """``catalog/policies/constant-time.toml``."""

    claims: tuple[Claim, ...]


class ProfileNote(Record):
    """Remark of a document on a profile, with the date since when it holds."""

    date: IsoDate
    statement: Text
    source: Source


class TagProfile(Record):
    """A scheme with a tag of ``tag_bytes``, and the names that protocols have for it."""

    id: Identifier
    scheme: Identifier
    tag_bytes: Count
    names: tuple[Text, ...] = Field(min_length=1)
    notes: tuple[ProfileNote, ...] = ()

    @property
    def words(self) -> list[str]:
        """Names and statements of the entry, as lines."""
        notes = [f"{note.statement} ({note.source}, {note.date})" for note in self.notes]
        return [
            f"{self.scheme} with a tag of {self.tag_bytes} bytes is {'; '.join(self.names)}",
            *notes,
        ]


class Profiles(Record):
    """``catalog/policies/profiles.toml``."""

    profiles: Annotated[tuple[TagProfile, ...], Field(min_length=1)]


@cache
def profiles() -> dict[str, TagProfile]:
    """Every profile by name."""
    file = toml.validate(toml.load(catalog_dir() / "policies" / "profiles.toml"), Profiles)
    return {profile.id: profile for profile in file.profiles}


def profile_of(scheme: str, tag_bytes: int) -> TagProfile | None:
    """The profile of a scheme with that tag; None if it has no name."""
    return next(
        (
            profile
            for profile in profiles().values()
            if (profile.scheme, profile.tag_bytes) == (scheme, tag_bytes)
        ),
        None,
    )


@cache
def choice() -> ChoicePolicy:
    """Policies and stand-ins."""
    folder = catalog_dir() / "policies"
    file = toml.validate(toml.load(folder / "choice.toml"), ChoicePolicy)
    bodies = [
        toml.validate(toml.load(path), Policy)
        for path in sorted((folder / "bodies").glob("*.toml"))
    ]
    return file.model_copy(update={"policies": (*file.policies, *bodies)})


@cache
def _claims() -> dict[str, Claim]:
    file = toml.validate(toml.load(catalog_dir() / "policies" / "constant-time.toml"), Claims)
    return {name: claim for claim in file.claims for name in claim.implementations}


def claim(implementation: str) -> Claim | None:
    """Claim of constant time of an implementation, at any optimisation level; None if it makes
    none."""
    return _claims().get(plain(implementation))


def policy(name: str) -> Policy:
    """The policy of that name. InputError that lists the known policies."""
    policies = {entry.id: entry for entry in choice().policies}
    chosen = policies.get(name.strip().casefold())
    if chosen is None:
        raise InputError(
            f"unknown policy {name!r}",
            where="--policy",
            valid=", ".join(policies),
            hint=(
                "nist: approved algorithms; libraries and modules with certificates are in the "
                "answer"
            )
            if "fips" in name.casefold()
            else did_you_mean(name, policies),
        )
    return chosen


# Checklists: what provisions of a standard or a law say on cryptography

Rule = Literal["status", "protected", "confidential", "reviewed", "update", "lifetime"]
"""Property of a choice that answers a provision."""


class Provision(Record):
    """Provision of a law or standard. ``answered_by``: the part of a choice that answers it; None:
    nothing does. ``remains``: the part that it leaves open.
    """

    clause: Text
    level: Literal["mandatory", "recommended"]
    requirement: Text
    answered_by: Rule | None = None
    remains: Text


class Checklist(Record):
    """One file of ``catalog/checklists``. ``unverified``: its author did not see the provisions in
    the document.
    """

    id: Identifier
    name: Text
    date: IsoDate
    source: Source
    unverified: bool = False
    provisions: tuple[Provision, ...] = Field(min_length=1)


@cache
def checklists() -> Mapping[str, Checklist]:
    """Every checklist by id."""
    paths = sorted((catalog_dir() / "checklists").glob("*.toml"))
    return {
        entry.id: entry for entry in (toml.validate(toml.load(path), Checklist) for path in paths)
    }


def checklist(name: str) -> Checklist:
    """The checklist of that name. InputError that lists the known ones."""
    entries = checklists()
    entry = entries.get(name.strip().casefold())
    if entry is None:
        raise InputError(
            f"unknown checklist {name!r}",
            where="--checklist",
            valid=", ".join(entries),
            hint=did_you_mean(name, entries),
        )
    return entry


# Ways to a protected connection


class SlowerCoreReason(Record):
    """Cause of more cycles on a core than on a smaller one, for own implementations by pattern.

    ``ratio``: the largest of the cycles to those of the smaller core.
    """

    implementations: tuple[Text, ...] = Field(min_length=1)
    operations: tuple[Text, ...] = ("*",)
    cores: tuple[Text, ...] = Field(min_length=1)
    than: tuple[Text, ...] = Field(min_length=1)
    ratio: Annotated[float, Field(gt=1)]
    cause: Text

    def concerns(self, implementation: str) -> bool:
        """True if the implementation has one of the patterns."""
        return any(fnmatchcase(implementation, pattern) for pattern in self.implementations)

    def explains(
        self, implementation: str, operation: str, core: str, smaller: str, ratio: float
    ) -> bool:
        """True if it is the reason of a case in which ``core`` is behind ``smaller``."""
        return (
            self.concerns(implementation)
            and any(fnmatchcase(operation, pattern) for pattern in self.operations)
            and core in self.cores
            and smaller in self.than
            and ratio <= self.ratio
        )

    @property
    def where(self) -> str:
        """Operations and cores, in words."""
        operations = ", ".join(self.operations).replace("*", "every operation")
        return f"{operations} on {', '.join(self.cores)}"

    @property
    def words(self) -> str:
        """The ratio, the smaller cores and the cause, in words."""
        return f"up to {self.ratio:g} times the cycles of {' or '.join(self.than)}: {self.cause}"


class SlowerCoreReasons(Record):
    """``catalog/policies/smaller-cores.toml``."""

    reasons: tuple[SlowerCoreReason, ...]


@cache
def slower_core_reasons() -> tuple[SlowerCoreReason, ...]:
    """Causes of more cycles on a core than on a smaller one, those of few implementations first."""
    file = catalog_dir() / "policies" / "smaller-cores.toml"
    return toml.validate(toml.load(file), SlowerCoreReasons).reasons


class CertificateSize(Record):
    """A certificate with a P-256 key and an ECDSA signature."""

    id: Identifier
    bytes: Count
    key_bytes: Count
    signature_bytes: Count
    source: Source


class ConnectionWay(Record):
    """A handshake, the protocol of its messages, and the credentials that it takes.

    ``sent``, ``hashed``: parameters of the protocol that are the length of a certificate. ``words``
    name it; ``agreement``, ``authentication``: schemes, none of them with a pre-shared key alone.
    """

    id: Identifier
    words: Text
    credentials: tuple[Identifier, ...] = Field(min_length=1)
    protocol: Identifier
    message: Identifier
    settings: dict[str, int | str]
    agreement: Identifier | None = None
    authentication: Identifier | None = None
    forward_secret: bool = True
    sent: tuple[Text, ...] = ()
    hashed: tuple[Text, ...] = ()


class CredentialKind(Record):
    """Kind of credentials, and what to check before shipping."""

    id: Identifier
    words: Text
    checks: tuple[Text, ...]


class ConnectionPolicy(Record):
    """``catalog/policies/connections.toml``."""

    certificates: tuple[CertificateSize, ...]
    ways: tuple[ConnectionWay, ...]
    credentials: tuple[CredentialKind, ...]


@cache
def connections() -> ConnectionPolicy:
    """Ways to a protected connection."""
    file = catalog_dir() / "policies" / "connections.toml"
    return toml.validate(toml.load(file), ConnectionPolicy)
