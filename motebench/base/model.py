"""The terms of motebench as types. Pure data: nothing here reads, writes or computes.

``docs/reference/glossary.md`` explains the terms.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.shapes import Count


class Evidence(StrEnum):
    """Origin of a number: measured, simulated, modelled or published. No table of results mixes two
    kinds."""

    MEASURED = "measured"
    """Read from a clock or counter on the target."""
    SIMULATED = "simulated"
    """Counted by a simulator."""
    MODELLED = "modelled"
    """Computed from time and data sheets."""
    PUBLISHED = "published"
    """Taken from a publication. Reserved: no result has it yet."""


class FailureKind(StrEnum):
    """Reason why a case has no number."""

    BUILD = "build"
    """The probe could not be built."""
    TOO_BIG = "too-big"
    """The case does not fit into the memory of the target, or into a request."""
    UNSUPPORTED = "unsupported"
    """No implementation offers the case here, or no known answer can check it."""
    WRONG_ANSWER = "wrong-answer"
    """A result is wrong; the message names the known answer, if one showed it."""
    ERROR = "error"
    """The library reported an error."""
    CRASH = "crash"
    """The probe ended by a signal or with an error."""
    TIMEOUT = "timeout"
    """No answer within the time limit."""
    LOST = "lost"
    """The connection to the probe broke, or the reply was invalid."""
    NO_ROOM = "no-room"
    """A disk of this machine is full."""

    @property
    def of_surroundings(self) -> bool:
        """True if the cause may lie outside the implementation, so that another try may succeed."""
        return self in (FailureKind.TIMEOUT, FailureKind.LOST, FailureKind.NO_ROOM)

    @staticmethod
    def of(error: OSError | str, otherwise: FailureKind) -> FailureKind:
        """`NO_ROOM` for an error of a full disk, or for the message of a program that met one; else
        ``otherwise``.
        """
        if isinstance(error, OSError):
            return FailureKind.NO_ROOM if error.errno in _FULL else otherwise
        return (
            FailureKind.NO_ROOM
            if any(os.strerror(number) in error for number in _FULL)
            else otherwise
        )


_FULL = (errno.ENOSPC, errno.EDQUOT)


CLOCK = "clock: "
"""Prefix of a run's notes on the clock of its machine."""
SLOWED = "slowed: "
"""Prefix of a disturbed sample's reason if the clock was lowered. Without it, the process lost the
processor.
"""
STATUSES = ("running", "finished", "interrupted")
"""The possible states of a run."""


class RunKind(StrEnum):
    """Kind of a run, which decides what its cases contain."""

    MEASUREMENT = "measurement"
    """Series of samples."""
    LEAK = "leak test"
    """Results of varying each secret."""


KIND = "kind"
"""Key of the kind in the settings of a run; absent for a measurement."""


class Kind(StrEnum):
    """The kind of a scheme."""

    CIPHER = "cipher"
    """A block cipher in an unauthenticated mode."""
    STREAM = "stream"
    AEAD = "aead"
    HASH = "hash"
    MAC = "mac"
    SIGNATURE = "signature"
    AGREEMENT = "agreement"
    KEM = "kem"

    @property
    def public_key(self) -> bool:
        """True if its keys come in pairs."""
        return self in (Kind.SIGNATURE, Kind.AGREEMENT, Kind.KEM)


class Operation(StrEnum):
    """Operation that an iteration executes once. The timed region of each is defined in
    ``docs/explain/methods.md``.
    """

    KEY_SETUP = "key-setup"
    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    ENCRYPT_MESSAGE = "encrypt-message"
    DECRYPT_MESSAGE = "decrypt-message"
    ENCRYPT_NEW_KEY = "encrypt-new-key"
    DIGEST = "digest"
    MAC = "mac"
    KEYGEN = "keygen"
    SIGN = "sign"
    VERIFY = "verify"
    AGREE = "agree"
    ENCAPSULATE = "encapsulate"
    DECAPSULATE = "decapsulate"
    ENCRYPT_FILE = "encrypt-file"
    DECRYPT_FILE = "decrypt-file"
    DIGEST_FILE = "digest-file"
    MAC_FILE = "mac-file"
    SIGN_FILE = "sign-file"
    VERIFY_FILE = "verify-file"
    COPY_FILE = "copy-file"

    @property
    def on_file(self) -> bool:
        """True if it is a whole-file operation."""
        return self.value.endswith("-file")

    @property
    def sized(self) -> bool:
        """True if the input size is a parameter of the case."""
        return self not in _UNSIZED

    @property
    def random_work(self) -> bool:
        """True if the amount of work is random (a search for primes): long operations are disturbed
        more often, so leaving out disturbed readings would select the short ones.
        """
        return self is Operation.KEYGEN


@dataclass(frozen=True, slots=True)
class Encapsulated:
    """Properties of a KEM in its standard; all sizes in bytes.

    ``keygen_seed`` and ``encapsulate_seed``: what key generation and encapsulation draw at random.
    ``implicit_rejection``: a ciphertext that was changed gives another secret and is never
    rejected.
    """

    public: int
    private: int
    ciphertext: int
    secret: int
    keygen_seed: int
    encapsulate_seed: int
    implicit_rejection: bool


@dataclass(frozen=True, slots=True)
class Signed:
    """Properties of a signature scheme by its standard; all sizes in bytes, in the formats of
    probes.

    ``signature`` is the longest where lengths differ (ECDSA in DER). ``keygen_seed``: the random
    bytes that key generation draws; None if it takes no seed. ``private`` is None where each
    implementation has its own form. ``stateful``: each signature uses up a part of the private key.
    ``hedged``: an implementation may draw random bytes to sign or leave them out, so a signature
    that differs from a known one is not wrong by that.
    """

    public: int
    private: int | None
    signature: int
    keygen_seed: int | None = None
    stateful: bool = False
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class Agreed:
    """Properties of a key agreement by its standard; all sizes in bytes."""

    public: int
    private: int
    secret: int


@dataclass(frozen=True, slots=True)
class Scheme:
    """An algorithm made concrete.

    All sizes in bytes. ``key_bytes`` is 0 for hashes; ``nonce_bytes`` counts the IV, nonce or
    tweak; ``block_bytes`` is 0 where input of any length is processed without padding;
    ``tag_bytes`` is the tag, digest or MAC length. ``bits`` is the size in the name (key bits, RSA
    modulus bits).
    """

    name: str
    algorithm: str
    kind: Kind
    mode: str | None = None
    bits: int | None = None
    key_bytes: int = 0
    nonce_bytes: int = 0
    block_bytes: int = 0
    tag_bytes: int = 0
    aliases: tuple[str, ...] = ()
    kem: Encapsulated | None = None
    """Properties of a KEM; None for other kinds."""
    signing: Signed | None = None
    """Sizes of signatures; None for other kinds, or if the catalog lacks them."""
    agreement: Agreed | None = None
    """Sizes of key agreement; None for other kinds, or if the catalog lacks them."""

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Every operation that makes sense for this kind of scheme (an implementation may offer
        fewer).
        """
        return OPERATIONS_OF[self.kind]

    @property
    def default_operations(self) -> tuple[Operation, ...]:
        """The operations that are measured when a study names none."""
        return DEFAULT_OPERATIONS_OF[self.kind]


_O = Operation
_UNSIZED = frozenset({_O.KEY_SETUP, _O.KEYGEN, _O.AGREE, _O.ENCAPSULATE, _O.DECAPSULATE})
_CIPHER_OPS = (
    _O.KEY_SETUP,
    _O.ENCRYPT,
    _O.DECRYPT,
    _O.ENCRYPT_MESSAGE,
    _O.DECRYPT_MESSAGE,
    _O.ENCRYPT_NEW_KEY,
    _O.ENCRYPT_FILE,
    _O.DECRYPT_FILE,
)
OPERATIONS_OF: dict[Kind, tuple[Operation, ...]] = {
    Kind.CIPHER: _CIPHER_OPS,
    Kind.STREAM: _CIPHER_OPS,
    Kind.AEAD: _CIPHER_OPS,
    Kind.HASH: (_O.DIGEST, _O.DIGEST_FILE),
    Kind.MAC: (_O.KEY_SETUP, _O.MAC, _O.MAC_FILE),
    Kind.SIGNATURE: (_O.KEYGEN, _O.SIGN, _O.VERIFY, _O.SIGN_FILE, _O.VERIFY_FILE),
    Kind.AGREEMENT: (_O.KEYGEN, _O.AGREE),
    Kind.KEM: (_O.KEYGEN, _O.ENCAPSULATE, _O.DECAPSULATE),
}
DEFAULT_OPERATIONS_OF: dict[Kind, tuple[Operation, ...]] = {
    Kind.CIPHER: (_O.ENCRYPT, _O.DECRYPT),
    Kind.STREAM: (_O.ENCRYPT, _O.DECRYPT),
    Kind.AEAD: (_O.ENCRYPT_MESSAGE, _O.DECRYPT_MESSAGE),
    Kind.HASH: (_O.DIGEST,),
    Kind.MAC: (_O.MAC,),
    Kind.SIGNATURE: (_O.SIGN, _O.VERIFY),
    Kind.AGREEMENT: (_O.AGREE,),
    Kind.KEM: (_O.ENCAPSULATE, _O.DECAPSULATE),
}


EMPTY_FILE = "empty"
"""Replaces the path of the empty file that is processed together with whole files if every
operation is a process: it shows the cost of the process."""


@dataclass(frozen=True, slots=True)
class Case(CaseId):
    """Smallest unit of measurement: scheme x implementation x operation x input x target.

    ``implementation`` is the label results carry; ``provider`` the implementation that is asked
    (they differ only where a study measures one implementation under two names). ``input_bytes`` is
    0 where the operation has no input. ``file`` is the path of the real file for whole-file
    operations, else None.
    """

    operation: Operation
    input_bytes: int
    provider: str

    def __str__(self) -> str:
        size = f" {self.input_words(lambda size: f'{size} B')}" if self.operation.sized else ""
        return f"{self.scheme} {self.implementation} {self.operation.value}{size} on {self.target}"


@dataclass(frozen=True, slots=True)
class Failure(CaseId):
    """A case, or a whole implementation if ``operation`` is None, without a number; the reason.

    ``vector`` names the known answer that showed a wrong answer.
    """

    operation: str | None = field(default=None, kw_only=True)
    input_bytes: Count | None = field(default=None, kw_only=True)
    kind: FailureKind
    message: str
    vector: str | None = field(default=None, kw_only=True)
    """The known answer that showed a wrong answer."""

    @classmethod
    def of_case(
        cls, case: CaseId, kind: FailureKind, message: str, vector: str | None = None
    ) -> Failure:
        """The failure of that case."""
        return cls(**case.identity(), kind=kind, message=message, vector=vector)


@dataclass(frozen=True, slots=True)
class Sample:
    """Raw reading: ``raw`` in the unit of its series, taken over ``batch`` iterations in round
    ``round``.

    ``position`` is the place of the visit within its round; ``at`` is seconds since the run
    started. ``invocation`` is the number of the process that gave it, None where each round has a
    process of its own. ``disturbed`` says in words why the reading should not be quoted; it is
    empty where nothing disturbed it.
    """

    round: int
    raw: float
    batch: int = 1
    position: int = 0
    at: float = 0.0
    invocation: int | None = None
    disturbed: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """All samples of one metric of one case, with where they came from.

    value of a sample = (raw - overhead) * scale / batch, in the unit that ``metric`` has in the
    registry (`metrics`). ``raw_unit`` is the unit that was read; ``source`` names the clock or
    counter. ``type_b`` is the standard uncertainty of each value that repeating does not show (GUM,
    type B), in the unit of the metric; None where none is stated.
    """

    metric: str
    raw_unit: str
    scale: float
    overhead: float
    source: str
    evidence: Evidence
    samples: tuple[Sample, ...] = ()
    type_b: float | None = None


@dataclass(frozen=True, slots=True)
class LeakRecord:
    """The result of varying one secret of a case. ``content``: its entry in the document of a leak
    test, as plain data.
    """

    varied: str
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case in a run: its series, or its failure; of a leak test, its records."""

    case: Case
    series: tuple[Series, ...] = ()
    failure: Failure | None = None
    finished: bool = False
    notes: tuple[str, ...] = ()
    leaks: tuple[LeakRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A study carried out once. Times are UTC, ISO 8601. ``environment`` is nested plain data (see
    environment).
    """

    id: int
    name: str
    study: str
    started: str
    finished: str | None
    status: str
    version: str
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> RunKind:
        """The kind of the run, which its settings keep under `KIND`."""
        return RunKind.LEAK if self.settings.get(KIND) == RunKind.LEAK else RunKind.MEASUREMENT


@dataclass(frozen=True, slots=True)
class Run:
    """A run with all its data."""

    info: RunInfo
    results: tuple[CaseResult, ...]
    failures: tuple[Failure, ...] = ()
