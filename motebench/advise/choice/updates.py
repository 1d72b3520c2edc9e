"""Candidates that check an update: the digest of the whole image, in pieces, and one signature of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice.bounds import Cost, cost
from motebench.advise.choice.hashing import with_length
from motebench.advise.choice.held import digests, holding, unmeasured
from motebench.advise.choice.judging import Judge, Role
from motebench.advise.choice.model import Broken, SchemeOffer, SentBytes
from motebench.advise.choice.sketching import Sketch, sketch
from motebench.base.interval import Interval
from motebench.base.model import Operation, Scheme
from motebench.catalog import schemes

SIGNED_BYTES = 32
"""What the signature is of: the digest of the image. A manifest around it (RFC 9019) takes some blocks of the hash
more."""
_LEAST_DIGEST = 32
"""Bytes: collisions of shorter digests take less than 2^128."""


def hashes(offers: Sequence[SchemeOffer]) -> list[SchemeOffer]:
    """The hash functions whose digests are long enough to be signed."""
    known = schemes()
    return [offer for offer in digests(offers) if known[offer.scheme].tag_bytes >= _LEAST_DIGEST]


def sketches(offers: Sequence[SchemeOffer], image_bytes: int, judge: Judge) -> Iterator[Sketch]:
    """Each signature with each hash of its own library, or with each worthwhile hash if its library has none."""
    kinds = [(offer, scheme) for offer in offers if (scheme := judge.scheme(offer.scheme)) is not None]
    every = hashes(offers)
    sound = [offer for offer in every if not offer.failure and not judge.standing((offer,)).broken]
    worthwhile = _worthwhile(sound, image_bytes, judge)
    for offer, scheme in kinds:
        if not scheme.signing:
            continue
        sent = SentBytes(0, 0, 0, 0, received_bytes=image_bytes + scheme.signing.signature)
        if offer.failure is not None:
            yield unmeasured((offer,), scheme, sent, judge.standing((offer,)))
            continue
        partners = _partners(offer, scheme, worthwhile) or _partners(offer, scheme, every)
        for digest in partners:
            yield _pair(offer, digest, scheme, sent, image_bytes, judge)


def _partners(offer: SchemeOffer, scheme: Scheme, there: Sequence[SchemeOffer]) -> list[SchemeOffer]:
    """Hash functions for a signature: its own one by its own library if that is there, because the code is there."""
    own = [each for each in there if each.library == offer.library]
    same = [each for each in own if scheme.name.endswith(f"-{each.scheme}")]
    return same or own or list(there)


def _pair(offer: SchemeOffer, digest: SchemeOffer, scheme: Scheme, sent: SentBytes, image: int, judge: Judge) -> Sketch:
    both = (offer, digest)
    standing = judge.standing(both)
    checked, hashed = with_length(offer, Operation.VERIFY, SIGNED_BYTES), cost(digest, Operation.DIGEST, image)
    if checked is None or hashed is None:
        lacking = offer.scheme if checked is None else digest.scheme
        words = f"no result on this device for {'verify' if checked is None else 'digest'} of {lacking}"
        return sketch(both, scheme, sent, standing, [], (Broken("result", words), *standing.broken))
    costs = [holding(checked, scheme, Role.VERIFY), _with_digest(hashed, digest, scheme)]
    return sketch(both, scheme, sent, standing, costs, standing.broken)


def _with_digest(found: Cost, digest: SchemeOffer, scheme: Scheme) -> Cost:
    """The cost of the hash with its digest in RAM. If the signature brings the same code, no flash is added."""
    size = schemes()[digest.scheme].tag_bytes
    memory = {**found.memory, "buffers": Interval.exact(float(size))}
    if scheme.name.endswith(f"-{digest.scheme}") and "flash" in memory:
        memory["flash"] = Interval(0.0, 0.0, memory["flash"].high)
    return replace(found, memory=memory)


def _worthwhile(there: Sequence[SchemeOffer], image: int, judge: Judge) -> list[SchemeOffer]:
    """Hash functions that no other of their library beats in standing, time, RAM and flash."""
    costs: dict[int, tuple[float, ...]] = {}
    for index, offer in enumerate(there):
        found = cost(offer, Operation.DIGEST, image)
        if found is None:
            continue
        sizes = (found.memory[name].high for name in ("flash", "static_ram", "stack", "state") if name in found.memory)
        standing = judge.standing((offer,))
        costs[index] = (standing.tier, standing.maturity, found.seconds.typical, *sizes)
    library = [offer.library for offer in there]
    return [
        there[index]
        for index, own in costs.items()
        if not any(
            len(other) == len(own) and other != own and all(a <= b for a, b in zip(other, own, strict=True))
            for rival, other in costs.items()
            if library[rival] == library[index]
        )
    ]
