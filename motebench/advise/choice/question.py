"""The question to `choose` and its result: what is needed, what a scheme must be, what it may cost, what decides."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from motebench.advise.choice.candidate import Judged, RankedCandidate, SchemeOffer
from motebench.advise.choice.scene import Scene
from motebench.advise.radio.message import Nonce
from motebench.base.model import Kind
from motebench.catalog.policies import Policy, choice

Weights = Mapping[str, float]
"""What decides: criteria with their weights."""


class Need(StrEnum):
    """The protection that a message needs."""

    AEAD = "aead"
    """Confidentiality and integrity of the message."""
    ENCRYPTION = "encryption"
    """Confidentiality alone."""
    MAC = "mac"
    """Integrity alone."""
    HASH = "hash"
    """A digest."""
    SIGNATURE = "signature"
    """A signature of each message, made or checked."""
    AGREEMENT = "agreement"
    """A shared secret from two key pairs."""
    KEM = "kem"
    """A shared secret from a key pair and a ciphertext."""
    UPDATE = "update"
    """An image whose digest and signature are checked."""


PUBLIC_KEY = (Need.SIGNATURE, Need.AGREEMENT, Need.KEM, Need.UPDATE)
"""Needs that schemes with public keys serve."""


class Role(StrEnum):
    """Which part of a scheme with public keys the device does."""

    SIGN = "sign"
    VERIFY = "verify"
    ENCAPSULATE = "encapsulate"
    DECAPSULATE = "decapsulate"


ROLES = {
    Need.SIGNATURE: (Role.SIGN, Role.VERIFY),
    Need.KEM: (Role.ENCAPSULATE, Role.DECAPSULATE),
    Need.UPDATE: (Role.VERIFY,),
}
"""The roles of a need that has any; the first is the default."""


SERVING = {
    Need.AEAD: (Kind.AEAD,),
    Need.ENCRYPTION: (Kind.AEAD, Kind.CIPHER, Kind.STREAM),
    Need.MAC: (Kind.MAC,),
    Need.HASH: (Kind.HASH,),
    Need.SIGNATURE: (Kind.SIGNATURE,),
    Need.AGREEMENT: (Kind.AGREEMENT,),
    Need.KEM: (Kind.KEM,),
    Need.UPDATE: (Kind.SIGNATURE,),
}


def role_of(need: Need, given: Role | None) -> Role | None:
    """What the device does: as given, else the default of the need."""
    roles = ROLES.get(need, ())
    return given if given is not None else roles[0] if roles else None


@dataclass(frozen=True, slots=True)
class Demands:
    """The demands on a scheme."""

    need: Need
    policy: Policy
    day: datetime.date
    until: datetime.date | None = None
    """The last day of service: verdicts that are announced for a day up to then count."""
    strength_bits: int = 0
    constant_time: bool = False
    research: bool = False
    """Whether implementations that are not for products are candidates."""
    secret: bool = True
    """Whether the device handles a secret; who only checks signatures does not."""

    @property
    def enough_bits(self) -> int:
        """Bits of strength beyond which more decide nothing among equal candidates."""
        return self.strength_bits or choice().enough.bits


@dataclass(frozen=True, slots=True)
class MessageForm:
    """How a message is protected, independent of the scheme. ``role``: of the device, with public keys."""

    nonce: Nonce = Nonce.CARRIED
    tag_bytes: int | None = None
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class CostLimits:
    """Limits: bytes of flash and RAM, and seconds of processor time; None is no limit.

    ``of_device``: the limits that are the device's size and were not given by the user.
    """

    flash: int | None = None
    ram: int | None = None
    latency_s: float | None = None
    of_device: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """The whole question to `choose`."""

    scene: Scene
    demands: Demands
    limits: CostLimits
    form: MessageForm
    order: Weights
    equal: float = 0.0
    """The share of the criterion below which candidates are equal."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The result of a choice.

    ``notes``: where the numbers come from. ``has``: code that the product has already. ``sensitivity``, ``checklist``:
    what the document also contains.
    """

    question: ChoiceQuestion
    offers: tuple[SchemeOffer, ...]
    ranked: tuple[RankedCandidate, ...]
    rejected: tuple[Judged, ...]
    notes: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    sensitivity: bool = False
    checklist: str | None = None

    @property
    def first(self) -> Judged | None:
        """The best candidate; None if none keeps all limits."""
        return self.ranked[0].candidate if self.ranked else None
