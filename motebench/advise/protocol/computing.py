"""What the operations of a protocol take on a device: results of the most mature implementation that has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from motebench.advise.choice import modelled
from motebench.advise.choice.candidate import Offers, SchemeOffer
from motebench.advise.choice.estimates import Cost, cost
from motebench.advise.choice.measured import of_device
from motebench.base.model import Evidence, Operation
from motebench.base.quantities import Interval, total
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.devices import Device
from motebench.catalog.elements import Element
from motebench.catalog.libraries import Maturity, maturity_of
from motebench.catalog.protocols import Computed

_BY_LENGTH = (
    Operation.DIGEST, Operation.MAC, Operation.ENCRYPT, Operation.DECRYPT, Operation.ENCRYPT_MESSAGE,
    Operation.DECRYPT_MESSAGE,
)  # fmt: skip
"""Operations whose time depends on the length of their input."""
_HMAC = "hmac-"
_MESSAGES = (Operation.ENCRYPT_MESSAGE.value,)
_CHIPS = ("hardware/", "element/")
"""How the names of engines and secure elements begin."""
_BLOCK = 16
_PIECE = 1024
"""Bytes of long messages for which engines are modelled; beyond, they are extrapolated."""
_NO_RESULT = "no result on this device"


@dataclass(frozen=True, slots=True)
class Timed:
    """Operations with their time: ``seconds`` of all ``count`` of them; None without a result, and ``note`` says
    why."""

    work: Computed
    seconds: Interval | None
    implementation: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """Results of a device, and which implementations may be used."""

    offers: tuple[SchemeOffer, ...]
    notes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    research: bool = False

    @classmethod
    def of(
        cls,
        device: Device,
        work: Sequence[Computed],
        patterns: Sequence[str] = (),
        *,
        research: bool = False,
        element: Element | None = None,
    ) -> DeviceResults:
        """The reference results of a device for these operations, none if it has none; and those of its engines and of
        a secure element, which are modelled."""
        wanted = {one.scheme for one in work} | {part.scheme for one in work for part in _by_hashing(one)}
        found = of_device(device, None, wanted) or Offers((), (f"no reference results for {device.id}",))
        engines = modelled.of_engines(device, _PIECE)
        offers = (*found.offers, *(each for offer in engines.offers for each in _of_engine(offer)))
        beside = modelled.operations(element, device, found.offers) if element is not None else Offers((), ())
        return cls((*offers, *beside.offers), (*found.notes, *engines.notes, *beside.notes), tuple(patterns), research)

    def timed(self, work: Sequence[Computed]) -> list[Timed]:
        """Every operation with its time. All operations of a scheme are those of one implementation."""
        own = [*work, *(part for one in work for part in _by_hashing(one))]
        chosen = {name: self._choose(name, [one for one in own if one.scheme == name]) for name in _schemes(own)}
        return [self._timed(one, chosen) for one in work]

    def _timed(self, one: Computed, chosen: Mapping[str, SchemeOffer | None]) -> Timed:
        offer = chosen[one.scheme]
        if offer is None:
            parts = [self._timed(part, chosen) for part in _by_hashing(one)]
            known = [part.seconds for part in parts if part.seconds is not None]
            if known and len(known) == len(parts):
                return Timed(
                    one, total(known) * one.count, parts[0].implementation, "from results of the hash function"
                )
            return Timed(one, None, note=self._why(one.scheme))
        found = _cost(offer, one)
        if found is None:
            return Timed(one, None, offer.implementation, f"{_NO_RESULT} for {one.operation.value}")
        return Timed(one, found.seconds * one.count, offer.implementation, found.note)

    def _choose(self, scheme: str, work: Sequence[Computed]) -> SchemeOffer | None:
        """The offer with the most results; of several, an engine of the device, the most mature one, the fastest."""
        ranked = []
        for offer in self.only(scheme):
            costs = [(_cost(offer, one), one.count) for one in work]
            known = [found.seconds.typical * count for found, count in costs if found is not None]
            if known:
                missing = len(costs) - len(known)
                name, soft = offer.implementation, not offer.implementation.startswith(_CHIPS)
                ranked.append((missing, soft, maturity_of(name), sum(known), name, offer))
        return min(ranked, key=lambda entry: entry[:5])[-1] if ranked else None

    def only(self, scheme: str) -> Iterable[SchemeOffer]:
        """The offers of a scheme that may be used."""
        for offer in self.offers:
            if offer.scheme != scheme or not offer.points:
                continue
            named = any(fnmatchcase(offer.implementation, pattern) for pattern in self.patterns)
            if named or (
                not self.patterns and (self.research or maturity_of(offer.implementation) < Maturity.RESEARCH)
            ):
                yield offer

    def _why(self, scheme: str) -> str:
        others = [offer.implementation for offer in self.offers if offer.scheme == scheme and offer.points]
        if not others:
            return _NO_RESULT
        names = ", ".join(others[:3])
        return f"only of {names}: --include research" if not self.patterns else f"not of these; of {names}"


def _of_engine(offer: SchemeOffer) -> Iterable[SchemeOffer]:
    """An engine's results, also for decryption, which takes as long, and for single blocks, which are those of CTR. Its
    key is set with each message, so setting it takes nothing beside."""
    encrypting = {size: point for (operation, size), point in offer.points.items() if operation in _MESSAGES}
    if not encrypting:
        return
    (first, *_) = encrypting.values()
    ready = {(Operation.KEY_SETUP.value, 0): replace(first, seconds=Interval.exact(0.0))}
    decrypting = {(Operation.DECRYPT_MESSAGE.value, size): point for size, point in encrypting.items()}
    yield replace(offer, points={**offer.points, **decrypting, **ready})
    if offer.scheme.endswith("-ctr") and _BLOCK in encrypting:
        points = {(Operation.ENCRYPT.value, _BLOCK): encrypting[_BLOCK], **ready}
        yield replace(offer, scheme=f"{offer.scheme.removesuffix('-ctr')}-ecb", points=points)


def compute_time(timed: Sequence[Timed]) -> tuple[Interval, bool]:
    """The sum of what is known, and whether that is all; if not, it is a lower bound."""
    known = [one.seconds for one in timed if one.seconds is not None]
    return total(known), len(known) == len(timed)


def _schemes(work: Sequence[Computed]) -> dict[str, None]:
    return dict.fromkeys(one.scheme for one in work)


def _by_hashing(one: Computed) -> tuple[Computed, ...]:
    """HMAC under a key that is set, as digests that compress as often: of the message, and of a digest (RFC 2104,
    section 4). Empty for other operations."""
    base = schemes().get(one.scheme.removeprefix(_HMAC)) if one.scheme.startswith(_HMAC) else None
    if base is None or one.operation is not Operation.MAC:
        return ()
    return tuple(
        replace(one, scheme=base.name, operation=Operation.DIGEST, bytes=length, count=1)
        for length in (one.bytes, base.tag_bytes)
    )


def _cost(offer: SchemeOffer, one: Computed) -> Cost | None:
    """One operation; None without a result."""
    operation = one.operation
    if operation not in _BY_LENGTH:
        return _fixed(offer, one)
    found = _sized(offer, operation, one.bytes)
    if found is None or not one.aad:
        return found
    more = _sized(offer, operation, one.bytes + one.aad)
    if more is None:
        return found
    seconds = Interval(found.seconds.low, (found.seconds.typical + more.seconds.typical) / 2, more.seconds.high)
    return replace(found, seconds=seconds, evidence=Evidence.MODELLED, note="additional data: at most as if encrypted")


def _fixed(offer: SchemeOffer, one: Computed) -> Cost | None:
    """An operation whose input has one length. A key of a Diffie-Hellman agreement without a result of its own takes at
    most about an agreement: a multiplication of the base point, for which tables may help."""
    sizes = offer.sizes(one.operation)
    if sizes:
        point = offer.points[one.operation.value, sizes[0]]
        return Cost(point.seconds, point.memory, offer.evidence, (point.origin,))
    agreed = offer.sizes(Operation.AGREE)
    if one.operation is not Operation.KEYGEN or not agreed:
        return None
    point = offer.points[Operation.AGREE.value, agreed[0]]
    seconds = Interval(0.0, point.seconds.typical, point.seconds.high)
    return Cost(seconds, point.memory, Evidence.MODELLED, (point.origin,), "taken as at most one agreement")


def _sized(offer: SchemeOffer, operation: Operation, size: int) -> Cost | None:
    """By length. Below the shortest result, a message takes at most as long as that; a hash function that compresses as
    often takes at least what its compressions take."""
    sizes = offer.sizes(operation)
    if not sizes or size >= sizes[0]:
        return cost(offer, operation, size)
    shortest = offer.points[operation.value, sizes[0]]
    least = _compressions(offer, operation, size)
    seconds = Interval(min(least, shortest.seconds.low), shortest.seconds.typical, shortest.seconds.high)
    note = f"at most that of {sizes[0]} bytes"
    return Cost(seconds, shortest.memory, Evidence.MODELLED, (shortest.origin,), note)


def _compressions(offer: SchemeOffer, operation: Operation, size: int) -> float:
    """Seconds that the compressions of a hash function take alone, from two lengths; 0 where that is not known."""
    scheme = schemes().get(offer.scheme)
    block = algorithm_of(scheme).input_block_of(scheme) if scheme is not None else None
    sizes = offer.sizes(operation)
    if block is None or operation not in (Operation.DIGEST, Operation.MAC) or len(sizes) < 2:
        return 0.0
    short, long = sizes[0], sizes[-1]
    calls = block.calls(long) - block.calls(short)
    if calls <= 0:
        return 0.0
    point = offer.points
    more = point[operation.value, long].seconds.low - point[operation.value, short].seconds.high
    return max(more, 0.0) / calls * block.calls(size)
