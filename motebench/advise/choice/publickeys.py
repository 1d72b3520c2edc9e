"""Candidates for needs of public keys: what a device computes, holds, sends and receives with each scheme."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice import updates
from motebench.advise.choice.bounds import Cost
from motebench.advise.choice.hashing import hashing_of, with_length
from motebench.advise.choice.held import NO_RESULT, NONE, holding, unmeasured
from motebench.advise.choice.judging import ROLES, SERVING, Judge, Need, Role
from motebench.advise.choice.model import Broken, SchemeOffer, SentBytes
from motebench.advise.choice.sketching import MessageForm, Sketch, sketch
from motebench.base.interval import Interval
from motebench.base.model import Evidence, Operation, Scheme
from motebench.catalog import algorithm_of, schemes, sizes_of
from motebench.catalog.schema import Verdict

_OF_ROLE = {
    Role.SIGN: (Operation.SIGN,),
    Role.VERIFY: (Operation.VERIFY,),
    Role.ENCAPSULATE: (Operation.ENCAPSULATE,),
    Role.DECAPSULATE: (Operation.KEYGEN, Operation.DECAPSULATE),
    None: (Operation.KEYGEN, Operation.AGREE),
}
_STATEFUL = "stateful: each signature uses up a part of the private key, so it is for updates and not for messages"
_GONE = (Verdict.WITHDRAWN, Verdict.DISALLOWED, Verdict.PROHIBITED, Verdict.BROKEN)
_FORMS = {"ecdsa": "a DER signature of at most 72 bytes; as raw r and s (COSE, RFC 9053) it has 64"}
_MULTIPLIES = {"x25519": " (RFC 7748, 6.1)", "ecdh": " (SP 800-56A, 5.6.1.2 and 5.7.1.2)"}
"""Where the standard says that a public key and a secret are both a multiple of a point, by algorithm."""


def role_of(need: Need, given: Role | None) -> Role | None:
    """What the device does: as given, else the default of the need."""
    roles = ROLES.get(need, ())
    return given if given is not None else roles[0] if roles else None


def prepared(offers: Sequence[SchemeOffer], need: Need, role: Role | None, day: datetime.date) -> list[SchemeOffer]:
    """The offers of schemes that serve the need, each with results of the hash in it, and an offer without results for
    every kind of scheme that has none and that nobody has withdrawn by that day. For updates also hash functions."""
    known = schemes()
    kinds = SERVING[need]
    there = [offer for offer in offers if offer.scheme in known and known[offer.scheme].kind in kinds]
    found = [
        replace(
            offer,
            hashing=tuple(hashing_of(offer, offers)),
            # Another operation may need more RAM than the device has: its failure says nothing of this role.
            failure=None if _measured(offer, role_of(need, role)) else offer.failure,
        )
        for offer in there
    ]
    if need is Need.UPDATE:
        found += updates.hashes(offers)
    return [*found, *_missing(found, need, day)]


def _measured(offer: SchemeOffer, role: Role | None) -> bool:
    """Whether everything that the role takes has results; a key pair of an agreement follows from the agreement."""
    wanted = (Operation.AGREE,) if role is None else _OF_ROLE[role]
    return all(offer.sizes(operation) for operation in wanted)


def _missing(there: Sequence[SchemeOffer], need: Need, day: datetime.date) -> Iterator[SchemeOffer]:
    """One scheme of each algorithm, strength and size that has no results."""
    known = schemes()
    seen = {_like(known[offer.scheme]) for offer in there if offer.scheme in known}
    for scheme in known.values():
        if scheme.kind not in SERVING[need] or _like(scheme) in seen or not sizes_of(scheme):
            continue
        status = algorithm_of(scheme).status_on(day, scheme)
        if status is None or status.verdict not in _GONE:
            seen.add(_like(scheme))
            yield SchemeOffer(scheme.name, NONE, Evidence.MODELLED, {}, NO_RESULT)


def _like(scheme: Scheme) -> tuple[object, ...]:
    return scheme.algorithm, scheme.bits, *sizes_of(scheme).items()


def sketches(offers: Sequence[SchemeOffer], message_bytes: int, judge: Judge, form: MessageForm) -> Iterator[Sketch]:
    """Every scheme that serves the need, for a message or an image of that length."""
    need = judge.demands.need
    role = role_of(need, form.role)
    if need is Need.UPDATE:
        yield from updates.sketches(offers, message_bytes, judge)
        return
    for offer in offers:
        scheme = judge.scheme(offer.scheme)
        if scheme is None or scheme.kind not in SERVING[need] or not sizes_of(scheme):
            continue
        sent = _sent(scheme, role, message_bytes)
        standing = judge.standing((offer,))
        if role is Role.SIGN and scheme.signing and scheme.signing.stateful:
            standing = replace(standing, broken=(*standing.broken, Broken("need", _STATEFUL)))
        if offer.failure is None:
            cost = _cost(offer, scheme, role, message_bytes)
            lacking = () if cost else (Broken("result", _lacking(offer, role)),)
            yield sketch((offer,), scheme, sent, standing, [cost] if cost else [], (*lacking, *standing.broken))
        else:
            yield unmeasured((offer,), scheme, sent, standing)


def _lacking(offer: SchemeOffer, role: Role | None) -> str:
    wanted = " and ".join(operation.value for operation in _OF_ROLE[role])
    there = ", ".join(sorted({operation for operation, _ in offer.points})) or "nothing"
    return f"{NO_RESULT} for {wanted} (there is {there})"


def _sent(scheme: Scheme, role: Role | None, message: int) -> SentBytes:
    note = _FORMS.get(scheme.algorithm)
    notes: tuple[str, ...] = (note,) if note else ()
    if scheme.signing:
        size = scheme.signing.signature
        if role is Role.SIGN:
            return SentBytes(message, 0, 0, 0, notes=notes, signature_bytes=size)
        return SentBytes(0, 0, 0, 0, notes=notes, received_bytes=message + size)
    if scheme.kem:
        public, ciphertext = scheme.kem.public, scheme.kem.ciphertext
        if role is Role.DECAPSULATE:
            return SentBytes(0, 0, 0, 0, key_bytes=public, received_bytes=ciphertext)
        return SentBytes(0, 0, 0, 0, ciphertext_bytes=ciphertext, received_bytes=public)
    public = scheme.agreement.public if scheme.agreement else 0
    return SentBytes(0, 0, 0, 0, key_bytes=public, received_bytes=public)


def _cost(offer: SchemeOffer, scheme: Scheme, role: Role | None, message: int) -> Cost | None:
    """What the device computes, with the bytes that a caller must hold; None without a result."""
    if scheme.signing:
        operation = Operation.VERIFY if role is Role.VERIFY else Operation.SIGN
        found = with_length(offer, operation, message)
        return None if found is None else holding(found, scheme, role, keyless=bool(offer.beside))
    steps = []
    for operation in _OF_ROLE[role]:
        point = offer.points.get((operation, 0))
        if point is None and scheme.agreement and operation is Operation.KEYGEN:
            point = offer.points.get((Operation.AGREE, 0))
        if point is None:
            return None
        steps.append(Cost(point.seconds, point.memory, offer.evidence, (point.origin,)))
    whole = steps[0] if len(steps) == 1 else _one_after_another(steps)
    if scheme.agreement and (Operation.KEYGEN, 0) not in offer.points:
        stated = _MULTIPLIES.get(scheme.algorithm, "")
        note = f"key generation counts as another agreement: both multiply a point by a scalar{stated}"
        whole = replace(whole, evidence=Evidence.MODELLED, note=note)
    return holding(whole, scheme, role, keyless=bool(offer.beside))


def _one_after_another(steps: Sequence[Cost]) -> Cost:
    """Operations of one implementation: their times add up, their memory does not."""
    seconds, memory = steps[0].seconds, dict(steps[0].memory)
    for step in steps[1:]:
        seconds = seconds + step.seconds
        for name, size in step.memory.items():
            memory[name] = _larger(memory[name], size) if name in memory else size
    origins = tuple(dict.fromkeys(origin for step in steps for origin in step.origins))
    return Cost(seconds, memory, steps[0].evidence, origins)


def _larger(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.low, b.low), max(a.typical, b.typical), max(a.high, b.high))
