"""The model of an algorithm file. ``docs/reference/catalog.md`` explains every key."""

from __future__ import annotations

import calendar
import datetime
import fnmatch
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from motebench.base.model import Scheme

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Url = Annotated[str, StringConstraints(pattern=r"^https://[^\s/]+\.[^\s/]+(/\S*)?$")]
Count = Annotated[int, Field(strict=True, gt=0)]
Bits = Annotated[int, Field(strict=True, gt=0, le=1_000_000)]
BitsOrZero = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, int | str) and not isinstance(value, bool) else value


def _iso(value: Any) -> Any:
    """TOML dates become text, so that 2016-08 and 2016-08-24 are treated alike."""
    if isinstance(value, datetime.datetime):
        raise ValueError("must be a date without a time")
    text = value.isoformat() if isinstance(value, datetime.date) else value
    if isinstance(text, str):
        first_day(text)
    return text


@lru_cache(maxsize=4096)
def first_day(text: str) -> datetime.date:
    """The first day of ``2016``, ``2016-08`` or ``2016-08-24``. ValueError for anything else."""
    parts = text.split("-")
    sizes = [len(part) for part in parts]
    if sizes not in ([4], [4, 2], [4, 2, 2]) or not all(
        part.isascii() and part.isdigit() for part in parts
    ):
        raise ValueError(
            f'{text!r} is not a date such as 2016-08-24 or, if the day is unknown, "2016-08" or '
            '"2016"'
        )
    year, month, day = (int(part) for part in (*parts, "1", "1")[:3])
    if not (
        1900 <= year <= 2100
        and 1 <= month <= 12
        and 1 <= day <= calendar.monthrange(year, month)[1]
    ):
        raise ValueError(f"{text!r} is not a day of the calendar")
    return datetime.date(year, month, day)


IsoDate = Annotated[str, BeforeValidator(_iso)]


class AlgorithmKind(StrEnum):
    """Kind of an algorithm. The kind of a scheme follows from it and, for block ciphers, from the
    mode.
    """

    BLOCK_CIPHER = "block-cipher"
    STREAM_CIPHER = "stream-cipher"
    AEAD = "aead"
    HASH = "hash"
    MAC = "mac"
    SIGNATURE = "signature"
    AGREEMENT = "agreement"
    KEM = "kem"


class Structure(StrEnum):
    """Structure of an algorithm."""

    SPN = "SPN"
    FEISTEL = "Feistel network"
    GENERALIZED_FEISTEL = "generalized Feistel network"
    LAI_MASSEY = "Lai-Massey"
    ARX = "ARX"
    STATE_SHUFFLE = "state shuffle"
    SPONGE = "sponge"
    MERKLE_DAMGARD = "Merkle-Damgard"
    HAIFA = "HAIFA"
    COMPOSITION = "composition"
    FACTORISATION = "integer factorisation"
    ELLIPTIC_CURVE = "elliptic curve"
    MODULE_LATTICE = "module lattice"
    NTRU_LATTICE = "NTRU lattice"
    HASH_TREE = "hash tree"
    CODE = "error-correcting code"


class SecurityVerdict(StrEnum):
    """Verdict of a body on the use of an algorithm. See ``docs/reference/catalog.md`` for the exact
    meanings.
    """

    NONE = "none"
    ACCEPTABLE = "acceptable"
    APPROVED = "approved"
    LEGACY = "legacy"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    WITHDRAWN = "withdrawn"
    DISALLOWED = "disallowed"
    PROHIBITED = "prohibited"
    BROKEN = "broken"

    @property
    def weight(self) -> int:
        """Weight of a verdict: of several verdicts, the one with the highest weight counts. The
        order is that above.
        """
        return list(SecurityVerdict).index(self)


class Record(BaseModel):
    """The base of all models: frozen, without undeclared keys."""

    # A command uses few of the models that it imports: each is built when it is used first.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Source(Record):
    """Document or page where a fact can be looked up."""

    document: Text
    section: Text | None = None
    url: Url | None = None

    def __str__(self) -> str:
        return f"{self.document}, {self.section}" if self.section else self.document


class Specification(Record):
    """A document that defines the algorithm."""

    title: Text
    identifier: Text
    url: Url | None = None


class KeyRange(Record):
    """Key lengths from ``min`` to ``max`` bits in steps of ``step``."""

    min: BitsOrZero
    max: Bits
    step: Bits

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max or (self.max - self.min) % self.step:
            raise ValueError("max must equal min plus a whole number of steps")
        return self

    def __contains__(self, bits: int) -> bool:
        return self.min <= bits <= self.max and (bits - self.min) % self.step == 0


class Attack(Record):
    """The most relevant public attack, in one sentence."""

    statement: Text
    source: Source


class Security(Record):
    """Strength by selector; see ``selects``."""

    bits: dict[str, Count] = {}
    category: dict[str, Annotated[int, Field(strict=True, ge=1, le=5)]] = {}
    note: Text | None = None
    source: Source | None = None
    best_attack: Attack | None = None

    @model_validator(mode="after")
    def _sourced(self) -> Self:
        if (self.bits or self.category) and self.source is None:
            raise ValueError("strengths are given without their source")
        return self


class Status(Record):
    """A verdict of one body on the algorithm, from ``date`` on."""

    date: IsoDate
    body: Text
    verdict: SecurityVerdict
    scope: Text | None = None
    schemes: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()
    statement: Text
    source: Source
    draft: bool = False
    """True if the document is a draft: its verdict is announced and does not hold yet."""

    @property
    def since(self) -> datetime.date:
        """The first day on which the verdict holds."""
        return first_day(self.date)

    @property
    def label(self) -> str:
        """``withdrawn 2005-05-19``; with the scope if there is one:
        ``prohibited in TLS 2015-02``.
        """
        return (
            f"{self.verdict} {self.scope} {self.date}"
            if self.scope
            else f"{self.verdict} {self.date}"
        )


class SchemeRule(Record):
    """A pattern for scheme names and the values of its placeholders."""

    name: Text
    key_bits: Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    block_bits: Bits | None = None
    modes: tuple[Text, ...] = ()
    hashes: tuple[Identifier, ...] = ()
    sizes: tuple[Count, ...] = ()
    tag_bits: Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    nonce_bits: BitsOrZero | None = None
    key_bytes: Annotated[int, Field(strict=True, ge=0)] | None = None


Rounds = Annotated[int | dict[str, Count], Field(union_mode="left_to_right")]
Bytes = Annotated[Count | dict[str, Count], Field(union_mode="left_to_right")]
"""A size of every scheme, or one by selector."""


class InputBlock(Record):
    """Input that a hash function takes at a time. ``bytes`` is one call of its compression function
    or permutation; a message of n bytes takes floor((n + padding) / bytes) + 1 calls. ``padding``
    is -1 where a full last block stands alone.
    """

    bytes: Count
    padding: Annotated[int, Field(strict=True, ge=-1, le=64)]
    source: Source

    def calls(self, length: int) -> int:
        """Calls for a message of that length in bytes."""
        return max((length + self.padding) // self.bytes, 0) + 1


class Encapsulation(Record):
    """Keys of KEMs alone: sizes in bytes, and the treatment of an invalid ciphertext.

    ``keygen_seed`` and ``encapsulate_seed``: the random bytes that key generation and encapsulation
    draw.
    """

    public: Bytes
    private: Bytes
    ciphertext: Bytes
    secret: Bytes
    keygen_seed: Bytes
    encapsulate_seed: Bytes
    implicit_rejection: bool
    source: Source
    unverified: bool = False
    """True if the author of the entry did not see the sizes in the source."""


class Signing(Record):
    """Keys of signatures alone: sizes in bytes, in the formats of probes.

    ``signature`` is the longest where lengths differ. ``keygen_seed``: the random bytes that key
    generation draws; absent if known answers do not give them. ``private`` is absent where each
    implementation has its own form.
    """

    public: Bytes
    private: Bytes | None = None
    signature: Bytes
    keygen_seed: Bytes | None = None
    stateful: bool = False
    hedged: bool = False
    """Freedom of an implementation to draw random bytes to sign, or to leave them out.
    """
    source: Source
    unverified: bool = False


class Agreement(Record):
    """Keys of key agreement alone: sizes in bytes."""

    public: Bytes
    private: Bytes
    secret: Bytes
    source: Source


class Algorithm(Record):
    """One file of ``catalog/algorithms``."""

    id: Identifier
    name: Text
    title: Text | None = None
    kind: AlgorithmKind
    structure: Structure
    block_bits: Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    key_bits: KeyRange | Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    nonce_bits: Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    tag_bits: Annotated[tuple[Bits, ...], BeforeValidator(_listed)] = ()
    rounds: Rounds | None = None
    encapsulation: Encapsulation | None = None
    signing: Signing | None = None
    agreement: Agreement | None = None
    input_block: dict[str, InputBlock] = {}
    year: Annotated[int, Field(strict=True, ge=1940, le=2100)]
    designers: tuple[Text, ...] = Field(min_length=1)
    note: Text | None = None
    specifications: tuple[Specification, ...] = Field(min_length=1)
    security: Security
    status: tuple[Status, ...] = ()
    schemes: tuple[SchemeRule, ...] = Field(min_length=1)
    aliases: dict[str, Text] = {}
    usual: dict[str, tuple[Text, ...]] = {}
    """Schemes that people mean by a short name, the most usual first: ``aes256``, without hyphens.
    """

    @model_validator(mode="after")
    def _sizes_of_its_kind(self) -> Self:
        if (self.kind is AlgorithmKind.KEM) != (self.encapsulation is not None):
            raise ValueError(
                "[encapsulation] belongs to algorithms of kind kem, and to every one of them"
            )
        if self.signing is not None and self.kind is not AlgorithmKind.SIGNATURE:
            raise ValueError("[signing] belongs to algorithms of kind signature")
        if self.agreement is not None and self.kind is not AlgorithmKind.AGREEMENT:
            raise ValueError("[agreement] belongs to algorithms of kind agreement")
        return self

    def statuses_on(self, day: datetime.date, scheme: Scheme | None = None) -> list[Status]:
        """The verdicts in force on that day, oldest first.

        A later verdict of the same body on the same scope and schemes replaces its earlier one.
        Verdicts on certain schemes count only if ``scheme`` is one of them.
        """
        current: dict[tuple[str, str | None, tuple[str, ...]], Status] = {}
        for entry in self.status:
            if entry.since <= day and _applies(entry, scheme):
                key = (entry.body, entry.scope, entry.schemes)
                current.pop(key, None)
                current[key] = entry
        return list(current.values())

    def status_on(self, day: datetime.date, scheme: Scheme | None = None) -> Status | None:
        """The verdict that counts: the most severe one in force, and the earliest of equal ones."""
        counting = self.statuses_on(day, scheme)
        if not counting:
            return None
        return min(counting, key=lambda entry: (-entry.verdict.weight, entry.since))

    def strength_bits(self, scheme: Scheme) -> int | None:
        """log2 of the classical work to break the algorithm, as the source states; None if the file
        does not say it.
        """
        return _selected(self.security.bits, scheme)

    def category(self, scheme: Scheme) -> int | None:
        """Post-quantum security category of NIST, 1 to 5; None where the file does not say."""
        return _selected(self.security.category, scheme)

    def input_block_of(self, scheme: Scheme) -> InputBlock | None:
        """Input that a hash function takes at a time; None if the file does not give it."""
        return next(
            (block for selector, block in self.input_block.items() if selects(selector, scheme)),
            None,
        )

    def rounds_of(self, scheme: Scheme) -> int | None:
        """Rounds (steps, for hashes) of that scheme; None if it has none, or the file does not give
        them.
        """
        return _selected(self.rounds, scheme) if isinstance(self.rounds, dict) else self.rounds


def selects(selector: str, scheme: Scheme) -> bool:
    """True if a selector means that scheme: digits are its size in bits, all else is a glob pattern
    for its name.
    """
    if selector.isdigit():
        return scheme.bits == int(selector)
    return fnmatch.fnmatchcase(scheme.name, selector)


def _applies(entry: Status, scheme: Scheme | None) -> bool:
    if not entry.schemes:
        return True
    return scheme is not None and any(selects(selector, scheme) for selector in entry.schemes)


def _selected(table: dict[str, int], scheme: Scheme) -> int | None:
    return next((value for selector, value in table.items() if selects(selector, scheme)), None)


class BlockLimit(Record):
    """Amount of data that one key may encrypt with blocks of that length before blocks are expected
    to collide.
    """

    block_bits: Bits
    limit_bytes: Count
    statement: Text
    sources: tuple[Source, ...] = Field(min_length=1)


class ModeRemark(Record):
    """Consequence of a mode of operation, whatever the cipher."""

    modes: tuple[Text, ...] = Field(min_length=1)
    statement: Text
    sources: tuple[Source, ...] = Field(min_length=1)


class DataLimits(Record):
    """``catalog/policies/data-limits.toml``."""

    limits: tuple[BlockLimit, ...]
    modes: tuple[ModeRemark, ...] = ()
