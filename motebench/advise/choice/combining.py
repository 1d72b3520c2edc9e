"""Candidates made of offers: combinations that protect a message or serve a need of public keys,
and their costs.

For a message: a scheme alone, or a cipher with a MAC. With public keys: what the device computes,
holds, sends and receives with each scheme; an update is checked by the digest of the whole image,
in pieces, and one signature of the digest.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import (
    NONE,
    Broken,
    Candidate,
    Cost,
    SchemeOffer,
    SentBytes,
)
from motebench.advise.choice.estimates import (
    candidate,
    cost,
    hashing_of,
    over_places,
    with_length,
)
from motebench.advise.choice.judging import BARE
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    SERVING,
    ChoiceQuestion,
    MessageForm,
    Need,
    Role,
    role_of,
)
from motebench.advise.choice.standings import Standings
from motebench.advise.radio.message import Nonce, protect
from motebench.base.errors import InputError
from motebench.base.model import Evidence, Kind, Operation, Scheme
from motebench.base.quantities import Interval
from motebench.catalog import algorithm_of, schemes, sizes_of
from motebench.catalog.lookup import block_bits_of
from motebench.catalog.policies import profile_of
from motebench.catalog.schema import SecurityVerdict

_OPERATION = {Kind.MAC: Operation.MAC, Kind.HASH: Operation.DIGEST}
UNPREDICTABLE = ("cbc", "cfb", "cfb8")
"""Modes that encrypt the counter to get an initialisation vector if it is not sent: one more block.
"""


def candidates(
    offers: Sequence[SchemeOffer],
    question: ChoiceQuestion,
    standings: Standings | None = None,
    *,
    alone: bool = False,
) -> Iterator[Candidate]:
    """Every possible candidate for a message of the question's length; ``standings``: computed
    before. ``alone``: without those that add a MAC to a cipher.

    A MAC is added to ciphers of the same library, built at the same level. Not combined are ciphers
    and MACs that break a limit by themselves, MACs that are worse than another in every respect,
    and MACs with a nonce of their own (GMAC: an AEAD has it inside).
    """
    if standings is None:
        standings = Standings.of(question, offers)
    need, size = question.demands.need, question.scene.message_bytes
    if need in PUBLIC_KEY:
        yield from _keyed_candidates(offers, question, standings)
        return
    for offer in offers:
        scheme = standings.scheme(offer.scheme)
        if scheme is None or scheme.mode == "ecb":
            continue
        if scheme.kind in SERVING[need] or (need is Need.AEAD and scheme.kind in BARE):
            yield from _made((offer,), size, standings, question.form)
    if need is Need.AEAD and not alone:
        for pair in _pairs(offers, size, standings):
            yield from _made(pair, size, standings, question.form)


def _pairs(
    offers: Sequence[SchemeOffer], size: int, standings: Standings
) -> Iterator[tuple[SchemeOffer, SchemeOffer]]:
    sound = [
        (offer, scheme.kind)
        for offer in offers
        if (scheme := standings.scheme(offer.scheme)) is not None
        and scheme.mode != "ecb"
        and scheme.kind in (*BARE, Kind.MAC)
        and not offer.failure
        and not standings.standing((offer,)).broken
    ]
    joining = [offer for offer, kind in sound if kind is Kind.MAC and joins(offer, standings)]
    macs = _worthwhile(joining, size, standings)
    for offer, kind in sound:
        if kind in BARE:
            yield from ((offer, mac) for mac in macs if mac.build == offer.build)


def joins(mac: SchemeOffer, standings: Standings) -> bool:
    """True if that MAC can be added to a cipher: it takes no nonce."""
    scheme = standings.scheme(mac.scheme)
    return scheme is not None and not scheme.nonce_bytes


def _worthwhile(macs: Sequence[SchemeOffer], size: int, standings: Standings) -> list[SchemeOffer]:
    """MACs that no other MAC of their library beats in time, memory and tag."""
    costs: dict[int, tuple[float, ...]] = {}
    for index, mac in enumerate(macs):
        scheme, mac_cost = standings.scheme(mac.scheme), cost(mac, Operation.MAC, size)
        if scheme is not None and mac_cost is not None:
            sizes = (
                mac_cost.memory[name].high
                for name in ("flash", "static_ram", "stack", "state", "ram")
                if name in mac_cost.memory
            )
            tier = standings.standing((mac,)).tier
            costs[index] = (tier, mac_cost.seconds.typical, scheme.tag_bytes, *sizes)
    worthwhile = []
    for index, own in costs.items():
        beaten = any(
            len(other) == len(own)
            and other != own
            and all(a <= b for a, b in zip(other, own, strict=True))
            for rival, other in costs.items()
            if macs[rival].build == macs[index].build
        )
        if not beaten:
            worthwhile.append(macs[index])
    return worthwhile


def _made(
    offers: tuple[SchemeOffer, ...], size: int, standings: Standings, form: MessageForm
) -> Iterator[Candidate]:
    """Candidate from one or two offers; none without results for the needed operation."""
    head = standings.scheme(offers[0].scheme)
    mac = standings.scheme(offers[1].scheme) if len(offers) > 1 else None
    if head is None:
        return
    sent = _sent(head, mac, size, form)
    failures = tuple(offer.failure for offer in offers if offer.failure)
    costs = None if failures else _costs(offers, head, mac, sent, form)
    if costs is not None or failures:
        yield candidate(offers, sent, standings.standing(offers), costs or [], failures)


def _sent(head: Scheme, mac: Scheme | None, size: int, form: MessageForm) -> SentBytes:
    broken: list[Broken] = []
    if head.kind is Kind.HASH:
        return SentBytes(size, 0, 0, 0)
    try:
        message = protect(head, size, nonce=form.nonce, tag_bytes=form.tag_bytes, mac=mac)
    except InputError as error:
        # Not every scheme allows every tag length, and a scheme without a tag cannot have a shorter
        # one.
        if form.tag_bytes is not None and (mac or head).tag_bytes:
            problem = f"{error.what}; valid: {error.valid}"
            broken.append(Broken("tag", problem, option="--tag"))
        message = protect(head, size, nonce=form.nonce, mac=mac)
    profile = profile_of((mac or head).name, message.tag_bytes)
    return SentBytes(
        size,
        message.padding_bytes,
        message.nonce_bytes,
        message.tag_bytes,
        broken=tuple(broken),
        notes=(*message.notes, *(profile.words if profile else ())),
    )


def _costs(
    offers: Sequence[SchemeOffer],
    head: Scheme,
    mac: Scheme | None,
    sent: SentBytes,
    form: MessageForm,
) -> list[Cost] | None:
    """The cost of each part: the cipher on the message, the MAC on nonce and ciphertext
    (encrypt-then-MAC).
    """
    operation = operation_of(head)
    first = cost(offers[0], operation, sent.plaintext_bytes)
    if first is not None and form.nonce is Nonce.COUNTER and head.mode in UNPREDICTABLE:
        first = _one_block_more(offers[0], head, first, operation, sent.plaintext_bytes)
    if mac is None:
        return None if first is None else [first]
    second = cost(
        offers[1], Operation.MAC, head.nonce_bytes + sent.plaintext_bytes + sent.padding_bytes
    )
    return None if first is None or second is None else [first, second]


def operation_of(scheme: Scheme) -> Operation:
    """The operation that protects a whole message."""
    return _OPERATION.get(scheme.kind, Operation.ENCRYPT_MESSAGE)


def _one_block_more(
    offer: SchemeOffer, head: Scheme, first: Cost, operation: str, size: int
) -> Cost:
    more = cost(offer, operation, size + (block_bits_of(algorithm_of(head), head) or 128) // 8)
    if more is None:
        return first
    seconds = Interval(
        first.seconds.low, max(more.seconds.typical, first.seconds.typical), more.seconds.high
    )
    return replace(
        more,
        seconds=seconds,
        evidence=Evidence.MODELLED,
        note="one block more, in which the counter is encrypted",
    )


# Needs of public keys


_NO_RESULT = "no result on this device"


def holding(cost: Cost, scheme: Scheme, role: Role | None, *, keyless: bool = False) -> Cost:
    """Cost with the bytes that a caller holds in addition to the implementation: long-lived keys in
    flash, all else in RAM. ``keyless``: private keys are kept elsewhere, in a secure element.
    """
    flash, ram = held(scheme, role)
    if keyless:
        flash, ram = (
            {name: size for name, size in parts.items() if "private" not in name}
            for parts in (flash, ram)
        )
    memory: dict[str, Interval] = {
        **cost.memory,
        "buffers": Interval.exact(float(sum(ram.values()))),
    }
    if "flash" in memory:
        memory["flash"] = memory["flash"] + Interval.exact(float(sum(flash.values())))
    remark = "; ".join(
        f"{place} with {_listed(sizes)}"
        for place, sizes in (("flash", flash), ("RAM", ram))
        if sizes
    )
    return replace(
        cost, memory=memory, note="; ".join(part for part in (cost.note, remark) if part)
    )


def held(scheme: Scheme, role: Role | None) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes in flash, and bytes in RAM, that a caller holds; by name."""
    if scheme.signing:
        signed = {"the signature": scheme.signing.signature}
        if role is Role.VERIFY:
            return {"the public key": scheme.signing.public}, signed
        private = scheme.signing.private
        return ({} if private is None else {"the private key": private}), signed
    if scheme.kem:
        kem = scheme.kem
        moved = {"public key": kem.public, "ciphertext": kem.ciphertext, "secret": kem.secret}
        return {}, moved if role is Role.ENCAPSULATE else {"private key": kem.private, **moved}
    if scheme.agreement:
        own = scheme.agreement
        return {}, {
            "private key": own.private,
            "both public keys": 2 * own.public,
            "secret": own.secret,
        }
    return {}, {}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({size:,} B)" for name, size in counts.items())


def _unmeasured(offer: SchemeOffer, scheme: Scheme) -> tuple[str, ...]:
    """Reason why an offer has no results; empty if it has results."""
    if offer.failure is None:
        return ()
    return (f"{offer.failure}; {_said(scheme)}" if offer.implementation == NONE else offer.failure,)


def _said(scheme: Scheme) -> str:
    if scheme.signing:
        return f"public key {scheme.signing.public:,} B, signature {scheme.signing.signature:,} B"
    if scheme.kem:
        return f"public key {scheme.kem.public:,} B, ciphertext {scheme.kem.ciphertext:,} B"
    return f"public key {scheme.agreement.public:,} B" if scheme.agreement else ""


def digests(offers: Sequence[SchemeOffer]) -> list[SchemeOffer]:
    """Offers of hash functions."""
    by_name = schemes()
    return [
        offer
        for offer in offers
        if offer.scheme in by_name and by_name[offer.scheme].kind is Kind.HASH
    ]


SIGNED_BYTES = 32
"""Length of the signed data, the digest of the image, in bytes. A manifest around it (RFC 9019)
takes some blocks of the hash more."""
_LEAST_DIGEST = 32
"""Bytes: collisions of shorter digests take less than 2^128."""


def hashes(offers: Sequence[SchemeOffer]) -> list[SchemeOffer]:
    """The hash functions whose digests are long enough to be signed."""
    by_name = schemes()
    return [offer for offer in digests(offers) if by_name[offer.scheme].tag_bytes >= _LEAST_DIGEST]


def _update_candidates(
    offers: Sequence[SchemeOffer], image_bytes: int, standings: Standings
) -> Iterator[Candidate]:
    """Candidates of each signature with each hash of its own library, or with each worthwhile hash
    if its library has none.
    """
    every = hashes(offers)
    sound = [
        offer for offer in every if not offer.failure and not standings.standing((offer,)).broken
    ]
    worthwhile = _worthwhile_digests(sound, image_bytes, standings)
    for offer in offers:
        scheme = standings.scheme(offer.scheme)
        if scheme is None or not scheme.signing:
            continue
        sent = SentBytes(0, 0, 0, 0, received_bytes=image_bytes + scheme.signing.signature)
        if lacking := _unmeasured(offer, scheme):
            yield candidate((offer,), sent, standings.standing((offer,)), [], lacking)
            continue
        partners = _partners(offer, scheme, worthwhile) or _partners(offer, scheme, every)
        for digest in partners:
            costs, lacking = _update_costs(offer, digest, scheme, image_bytes)
            yield candidate(
                (offer, digest), sent, standings.standing((offer, digest)), costs, lacking
            )


def _partners(
    offer: SchemeOffer, scheme: Scheme, hashes: Sequence[SchemeOffer]
) -> list[SchemeOffer]:
    """Hash functions for a signature: its own one by its own library if that is there, because the
    code is there.
    """
    own = [other for other in hashes if other.build == offer.build]
    same = [other for other in own if scheme.name.endswith(f"-{other.scheme}")]
    return same or own or list(hashes)


def _update_costs(
    offer: SchemeOffer, digest: SchemeOffer, scheme: Scheme, image: int
) -> tuple[list[Cost], tuple[str, ...]]:
    """The cost of signature and digest, or why it is unknown."""
    checked, hashed = (
        with_length(offer, Operation.VERIFY, SIGNED_BYTES),
        cost(digest, Operation.DIGEST, image),
    )
    if checked is None:
        return [], (f"{_NO_RESULT} for verify of {offer.scheme}",)
    if hashed is None:
        return [], (f"{_NO_RESULT} for digest of {digest.scheme}",)
    return [holding(checked, scheme, Role.VERIFY), _with_digest(hashed, digest, scheme)], ()


def _with_digest(cost: Cost, digest: SchemeOffer, scheme: Scheme) -> Cost:
    """The cost of the hash with its digest in RAM. If the signature brings the same code, no flash
    is added.
    """
    size = schemes()[digest.scheme].tag_bytes
    memory = {**cost.memory, "buffers": Interval.exact(float(size))}
    if scheme.name.endswith(f"-{digest.scheme}") and "flash" in memory:
        memory["flash"] = Interval(0.0, 0.0, memory["flash"].high)
    return replace(cost, memory=memory)


def _worthwhile_digests(
    hashes: Sequence[SchemeOffer], image: int, standings: Standings
) -> list[SchemeOffer]:
    """Hash functions that no other of their library beats in standing, time, RAM and flash."""
    costs: dict[int, tuple[float, ...]] = {}
    for index, offer in enumerate(hashes):
        digest_cost = cost(offer, Operation.DIGEST, image)
        if digest_cost is None:
            continue
        sizes = (
            digest_cost.memory[name].high
            for name in ("flash", "static_ram", "stack", "state")
            if name in digest_cost.memory
        )
        standing = standings.standing((offer,))
        costs[index] = (standing.tier, standing.maturity, digest_cost.seconds.typical, *sizes)
    build = [offer.build for offer in hashes]
    return [
        hashes[index]
        for index, own in costs.items()
        if not any(
            len(other) == len(own)
            and other != own
            and all(a <= b for a, b in zip(other, own, strict=True))
            for rival, other in costs.items()
            if build[rival] == build[index]
        )
    ]


_OF_ROLE = {
    Role.SIGN: (Operation.SIGN,),
    Role.VERIFY: (Operation.VERIFY,),
    Role.ENCAPSULATE: (Operation.ENCAPSULATE,),
    Role.DECAPSULATE: (Operation.KEYGEN, Operation.DECAPSULATE),
    None: (Operation.KEYGEN, Operation.AGREE),
}
_GONE = (
    SecurityVerdict.WITHDRAWN,
    SecurityVerdict.DISALLOWED,
    SecurityVerdict.PROHIBITED,
    SecurityVerdict.BROKEN,
)
_FORMS = {"ecdsa": "a DER signature of at most 72 bytes; as raw r and s (COSE, RFC 9053) it has 64"}
_MULTIPLIES = {"x25519": " (RFC 7748, 6.1)", "ecdh": " (SP 800-56A, 5.6.1.2 and 5.7.1.2)"}
"""Section of the standard by which a public key and a secret are both multiples of a point, by
algorithm.
"""


def prepared(
    offers: Sequence[SchemeOffer], need: Need, role: Role | None, day: datetime.date
) -> list[SchemeOffer]:
    """Offers of schemes that serve the need, each with results of its hash, and an offer without
    results for every kind of scheme that has none and is not withdrawn by that day. For updates
    also hash functions.
    """
    by_name = schemes()
    kinds = SERVING[need]
    of_kind = [
        offer for offer in offers if offer.scheme in by_name and by_name[offer.scheme].kind in kinds
    ]
    usable = [
        replace(
            offer,
            hashing=tuple(hashing_of(offer, offers)),
            # Another operation may need more RAM than the device has: its failure says nothing of
            # this role.
            failure=None if _measured(offer, role_of(need, role)) else offer.failure,
        )
        for offer in of_kind
    ]
    if need is Need.UPDATE:
        usable += hashes(offers)
    return [*usable, *_missing(usable, need, day)]


def _measured(offer: SchemeOffer, role: Role | None) -> bool:
    """True if everything that the role takes has results; a key pair of an agreement follows from
    the agreement.
    """
    operations = (Operation.AGREE,) if role is None else _OF_ROLE[role]
    return all(offer.sizes(operation) for operation in operations)


def _missing(
    offers: Sequence[SchemeOffer], need: Need, day: datetime.date
) -> Iterator[SchemeOffer]:
    """One scheme of each algorithm, strength and size that has no results."""
    by_name = schemes()
    seen = {_like(by_name[offer.scheme]) for offer in offers if offer.scheme in by_name}
    for scheme in by_name.values():
        if scheme.kind not in SERVING[need] or _like(scheme) in seen or not sizes_of(scheme):
            continue
        status = algorithm_of(scheme).status_on(day, scheme)
        if status is None or status.verdict not in _GONE:
            seen.add(_like(scheme))
            yield SchemeOffer(scheme.name, NONE, Evidence.MODELLED, {}, _NO_RESULT)


def _like(scheme: Scheme) -> tuple[object, ...]:
    return scheme.algorithm, scheme.bits, *sizes_of(scheme).items()


def _keyed_candidates(
    offers: Sequence[SchemeOffer], question: ChoiceQuestion, standings: Standings
) -> Iterator[Candidate]:
    """Every scheme that serves the need, for a message or an image of the question's length."""
    need, message_bytes = question.demands.need, question.scene.message_bytes
    if need is Need.UPDATE:
        yield from _update_candidates(offers, message_bytes, standings)
        return
    role = role_of(need, question.form.role)
    for offer in offers:
        scheme = standings.scheme(offer.scheme)
        if scheme is None or scheme.kind not in SERVING[need] or not sizes_of(scheme):
            continue
        sent, lacking = _keyed_sent(scheme, role, message_bytes), _unmeasured(offer, scheme)
        computed = None if lacking else _cost(offer, scheme, role, message_bytes)
        if not lacking and computed is None:
            lacking = (_lacking(offer, role),)
        yield candidate(
            (offer,), sent, standings.standing((offer,)), [computed] if computed else [], lacking
        )


def _lacking(offer: SchemeOffer, role: Role | None) -> str:
    needed = " and ".join(operation.value for operation in _OF_ROLE[role])
    present = ", ".join(sorted({operation for operation, _ in offer.points})) or "nothing"
    return f"{_NO_RESULT} for {needed} (there is {present})"


def _keyed_sent(scheme: Scheme, role: Role | None, message: int) -> SentBytes:
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
    """Cost of the device's operation, with the bytes that a caller must hold; None without a
    result."""
    if scheme.signing:
        operation = Operation.VERIFY if role is Role.VERIFY else Operation.SIGN
        own_cost = with_length(offer, operation, message)
        return (
            None
            if own_cost is None
            else holding(own_cost, scheme, role, keyless=bool(offer.beside))
        )
    steps = []
    for operation in _OF_ROLE[role]:
        point = offer.points.get((operation, 0))
        if point is None and scheme.agreement and operation is Operation.KEYGEN:
            point = offer.points.get((Operation.AGREE, 0))
        if point is None:
            return None
        steps.append(
            over_places(Cost(point.seconds, point.memory, offer.evidence, (point.origin,)), [point])
        )
    whole = steps[0] if len(steps) == 1 else _one_after_another(steps)
    if scheme.agreement and (Operation.KEYGEN, 0) not in offer.points:
        stated = _MULTIPLIES.get(scheme.algorithm, "")
        note = (
            f"key generation counts as another agreement: both multiply a point by a scalar{stated}"
        )
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
    places = "; ".join(dict.fromkeys(part.places for part in steps if part.places))
    return Cost(seconds, memory, steps[0].evidence, origins, places=places)


def _larger(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.low, b.low), max(a.typical, b.typical), max(a.high, b.high))
