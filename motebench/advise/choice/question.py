"""The question to `choose` and its result: scene, need, demands, limits and order.

The scene is what all candidates share: device, message, radio, battery, and time on air by length
of the message.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from motebench.advise.choice.candidate import Broken, Judged, OnAir, RankedCandidate, SchemeOffer
from motebench.advise.radio.link import EnergyPart, RadioLimit, RadioLink
from motebench.advise.radio.message import Nonce
from motebench.base.model import Kind
from motebench.catalog.currents import Drawn
from motebench.catalog.devices import Device
from motebench.catalog.parts import Battery
from motebench.catalog.policies import Policy, choice


@dataclass(frozen=True, slots=True)
class Scene:
    """The question without limits and order. ``sleeping``: the current of device and radio during
    sleep.

    ``sends``, ``receives``: whether the device sends messages, and whether something comes to it.
    ``known``, ``least``: lengths on air, and their least intervals, that were computed before.
    """

    device: Device
    message_bytes: int
    every_s: float | None = None
    link: RadioLink | None = None
    battery: Battery | None = None
    active: Drawn | None = None
    sleeping: tuple[Drawn, ...] = ()
    sends: bool = True
    receives: bool = False
    known: dict[tuple[int, int], OnAir] = field(default_factory=dict, compare=False, repr=False)
    least: dict[int, tuple[float, float]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def on_air(self, length: int, received: int = 0) -> OnAir:
        """A message of ``length`` bytes, without header, and ``received`` bytes that come to the
        device; without a radio they take nothing."""
        air = self.known.get((length, received))
        if air is None:
            air = self.known[length, received] = self._on_air(length, received)
        return air

    def _on_air(self, length: int, received: int) -> OnAir:
        if self.link is None:
            return _NOTHING
        woken = replace(_NOTHING, parts=self.link.wake())
        sent = _sent(self.link, length, self.every_s) if self.sends else woken
        return _with_received(sent, self.link, received) if self.receives else sent

    def parts(self) -> tuple[EnergyPart, ...]:
        """The parts that every message has on air, for their currents."""
        return self.on_air(self.message_bytes if self.sends else 0, int(self.receives)).parts

    def bare_transmit_j(self) -> float:
        """Joules of sending the message without protection; 0 where that is not possible."""
        bare = self.on_air(self.message_bytes)
        return sum(part.energy_j.typical for part in bare.parts if part.name == "transmit")

    def least_intervals(self, length: int) -> tuple[float, float]:
        """Least seconds from one message of ``length`` bytes to the next: by the duty cycle and by
        the network's rule; 0 without such a limit.
        """
        if self.link is None or not self.sends:
            return 0.0, 0.0
        if length not in self.least:
            paces = {pace.limit: pace.seconds for pace in self.link.paces(self.link.send(length))}
            self.least[length] = paces.get("duty-cycle", 0.0), paces.get("fair-use", 0.0)
        return self.least[length]

    def hindered(self) -> Broken | None:
        """The limit that even the bare message breaks; None if it can be sent."""
        return next(iter(self.on_air(self.message_bytes).broken), None) if self.sends else None


_NOTHING = OnAir(0, 0.0, (), ())


def _sent(link: RadioLink, length: int, every_s: float | None) -> OnAir:
    sent = link.send(length)
    broken = tuple(_broken(limit) for limit in link.limits(sent, every_s))
    return OnAir(sent.frames, sent.seconds, sent.parts, broken, air_bytes=sent.air_bytes)


def _broken(limit: RadioLimit) -> Broken:
    return Broken(limit.limit, limit.words, limit.allowed, limit.value, limit.unit, limit.option)


def _with_received(sent: OnAir, link: RadioLink, received: int) -> OnAir:
    """Message on air, with the messages that the device receives."""
    down = link.receive(received)
    if not down.fits:
        limit = _broken(link.too_long(received, "receive"))
        return replace(sent, broken=(*sent.broken, limit))
    return replace(
        sent, parts=(*sent.parts, *down.parts), received_seconds=down.seconds if received else 0.0
    )


Weights = Mapping[str, float]
"""Criteria that decide, with their weights."""


# Needs, required properties of a scheme, limits of its costs


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
    """Operation of the device with a public-key scheme."""

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
    """Operation of the device: as given, else the default of the need."""
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
    """True if implementations that are not for products are candidates."""
    secret: bool = True
    """True if the device handles a secret; who only checks signatures does not."""
    sharing: bool = False
    """True if the product already contains code of the candidate, so that flash comes before claims
    among equal candidates.
    """
    protect_key: bool = False
    """True if the key must not be readable: only a secure element has it then."""

    @property
    def enough_bits(self) -> int:
        """Bits of strength beyond which more decide nothing among equal candidates."""
        return self.strength_bits or choice().enough.bits


@dataclass(frozen=True, slots=True)
class MessageForm:
    """Protection of a message, independent of the scheme. ``role``: of the device, with public
    keys."""

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

    def without(self, limit: str) -> CostLimits:
        """The limits without ``flash``, ``ram`` or ``latency``."""
        return CostLimits(
            flash=None if limit == "flash" else self.flash,
            ram=None if limit == "ram" else self.ram,
            latency_s=None if limit == "latency" else self.latency_s,
            of_device=self.of_device,
        )


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

    def with_scene(self, **changes: Any) -> ChoiceQuestion:
        """The question with a changed scene, whose messages on air are computed anew."""
        return replace(self, scene=replace(self.scene, known={}, **changes))


@dataclass(frozen=True, slots=True)
class Way:
    """Options that admit a recommended candidate, and the first candidate with them: they were
    tried."""

    option: str
    first: Judged


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A rejected candidate, everything that it breaks, and the question that admits it: relaxed in
    all of that. ``first``: the first candidate of that question, which may be another one."""

    candidate: Judged
    broken: tuple[Broken, ...]
    question: ChoiceQuestion
    first: Judged


@dataclass(frozen=True, slots=True)
class Chosen:
    """The result of a choice.

    ``ways``: options that admit a recommended candidate, where the question as it stands admits
    none. ``nearest``: rejected candidates with the limits that have to be relaxed for them.
    ``notes``: where the numbers come from. ``has``: code that the product has already.
    ``sensitivity``, ``checklist``: what the document also contains. ``other_level``: the first
    candidate built at another optimisation level; None without results of it.
    """

    question: ChoiceQuestion
    offers: tuple[SchemeOffer, ...]
    ranked: tuple[RankedCandidate, ...]
    rejected: tuple[Judged, ...]
    ways: tuple[Way, ...] = ()
    nearest: tuple[Relaxed, ...] = ()
    notes: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    sensitivity: bool = False
    checklist: str | None = None
    impatient: bool = False
    """True if the first candidate takes longer than a user would wait; ``ways`` are then quicker
    ones.
    """
    other_level: Judged | None = None

    @property
    def first(self) -> Judged | None:
        """The best candidate; None if none keeps all limits."""
        return self.ranked[0].candidate if self.ranked else None
