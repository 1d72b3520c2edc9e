"""Jobs of cases: the same keys and inputs for every implementation.

Key material is fixed bytes, and the published test keys in an implementation's form. User code with
a scheme of its own has test keys of its own.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from motebench.base.model import Case, Encapsulated, FailureKind, Kind, Operation, Scheme
from motebench.catalog import USER_CODE
from motebench.catalog.vectors.hash_based import can_sign, signed
from motebench.catalog.vectors.keys import has_key, key_seed, signatures, test_key
from motebench.catalog.vectors.keys import public_key as published
from motebench.targets.base import Session
from motebench.targets.wire.messages import Fill, Job, Offer, ProbeAnswer, ProbeFailure, fill


def derived(label: str, length: int) -> bytes:
    """``length`` fixed bytes for that label: SHA-256 in counter mode over it. Test material, not
    secret.
    """
    blocks = (length + 31) // 32
    stream = b"".join(
        hashlib.sha256(f"motebench {label} {index}".encode()).digest() for index in range(blocks)
    )
    return stream[:length]


def by_seed(scheme: Scheme, offer: Offer) -> bool:
    """True if the private keys of this implementation are the seeds of the standard's."""
    if scheme.kem is not None:
        return offer.pair[1] == scheme.kem.keygen_seed != scheme.kem.private
    if (
        scheme.signing is not None
        and scheme.signing.keygen_seed
        and scheme.signing.private is not None
    ):
        return offer.key[1] < scheme.signing.private
    return False


def private_key(scheme: Scheme, offer: Offer) -> bytes:
    """Test key, or its seed. ProbeFailure if the implementation takes seeds and the catalog lacks
    that of the test key, or if user code cannot make a key.
    """
    if (own := own_pair(scheme.name, offer)) is not None:
        return own[0]
    if not by_seed(scheme, offer):
        return test_key(scheme.name)
    seed = key_seed(scheme.name)
    if not seed:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"its private keys are seeds, and the test key of {scheme.name} has no seed",
        )
    return seed


def public_key(scheme: Scheme, offer: Offer) -> bytes:
    """The public key of `private_key`. ProbeFailure if user code cannot make it."""
    own = own_pair(scheme.name, offer)
    return published(scheme.name) if own is None else own[1]


def own_pair(name: str, offer: Offer) -> tuple[bytes, bytes] | None:
    """Private and public key of user code whose scheme has none in the catalog, else None."""
    return None if offer.own_keys is None or has_key(name) else offer.own_keys()


def key_pair(offer: Offer) -> tuple[bytes, bytes]:
    """Private and public test key of an offer: those of user code, else the catalog's."""
    return own_pair(offer.scheme, offer) or (test_key(offer.scheme), published(offer.scheme))


_INVERSE = (Operation.DECRYPT, Operation.DECRYPT_MESSAGE)
_RANDOM = (Operation.KEYGEN, Operation.SIGN, Operation.ENCAPSULATE)


def random_result(job: Job) -> bool:
    """True if the result may differ each time; the output of a seed is always the same."""
    return job.operation in _RANDOM and not job.seed


def input_seed(scheme: str) -> int:
    """Seed of the input bytes: one per scheme, so that implementations get equal work."""
    return int.from_bytes(derived(f"input {scheme}", 4), "big") | 1


def symmetric(
    scheme: Scheme, offer: Offer, operation: Operation, data: bytes | Fill, aad: bytes | Fill = b""
) -> Job:
    """The job of an operation with a symmetric key, or none."""
    nonce_low, nonce_high = offer.nonce
    tag_low, tag_high = offer.tag
    tag = min(max(scheme.tag_bytes, tag_low), tag_high)
    if scheme.algorithm == USER_CODE and tag_low < tag_high:  # all its ciphertexts have one length
        tag -= data.length if isinstance(data, Fill) else len(data)
        if tag < tag_low:
            reason = (
                f"every ciphertext has {tag_high} B, of messages of at most {tag_high - tag_low} "
                "B: --size"
            )
            raise ProbeFailure(FailureKind.UNSUPPORTED, reason)
    return Job(
        scheme.name,
        operation.value,
        key=derived(f"key {scheme.name}", scheme.key_bytes),
        nonce=derived(f"nonce {scheme.name}", min(max(scheme.nonce_bytes, nonce_low), nonce_high)),
        aad=aad,
        data=data,
        tag_bytes=tag if scheme.kind is Kind.AEAD else 16,
        inverse=operation in _INVERSE,
    )


def _aad(case: Case, session: Session) -> bytes | Fill:
    """Additional data; the target generates it if a request with all of it would be too long for a
    small probe.
    """
    if not case.aad_bytes:
        return b""
    seed = int.from_bytes(derived(f"aad {case.scheme}", 4), "big") | 1
    short = case.aad_bytes <= session.hello.max_frame // 4
    return fill(seed, case.aad_bytes) if short else Fill(seed, case.aad_bytes)


def _signed(case: Case) -> tuple[bytes, bytes]:
    """Public key and signature of a case for an implementation that only verifies."""
    if can_sign(case.scheme):
        made = signed(case.scheme, plaintext(case) if case.input_bytes else b"")
        return made.public, made.signature
    listed = signatures(case.scheme)
    if listed is None:
        reason = f"it does not sign, and the catalog has no signature of {case.scheme}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, reason)
    if case.input_bytes not in listed.of_bytes:
        sizes = ", ".join(map(str, sorted(listed.of_bytes)))
        reason = (
            f"the catalog has no signature of a message of {case.input_bytes} B (it has {sizes} B)"
        )
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"it does not sign, and {reason}")
    return listed.public, listed.of_bytes[case.input_bytes]


def build(case: Case, scheme: Scheme, offer: Offer, session: Session, timeout: float = 60.0) -> Job:
    """The job that measures ``case``. ``verify`` needs a signature, which may take ``timeout``
    seconds, and ``decapsulate`` a ciphertext: the implementation makes it, and its secret is the
    ``answer`` of the job. Of an implementation that only verifies the signature is the catalog's.

    ProbeFailure ``unsupported``: the catalog has none of that size."""
    operation = case.operation
    data: bytes | Fill = (
        Fill(input_seed(scheme.name), case.input_bytes) if case.input_bytes else b""
    )
    if scheme.kind is Kind.AGREEMENT:
        if operation is Operation.KEYGEN:
            return Job(scheme.name, operation.value)
        # The peer's public key is the published one of the test key; the own key is derived.
        return Job(
            scheme.name,
            operation.value,
            key=derived(f"key {scheme.name}", scheme.key_bytes),
            peer=public_key(scheme, offer),
        )
    if scheme.kind is Kind.KEM:
        return _of_kem(scheme, offer, operation, session, timeout)
    if scheme.kind is Kind.SIGNATURE:
        if operation is Operation.KEYGEN:
            length = scheme.signing.keygen_seed if scheme.signing and offer.needs_seed else None
            return Job(
                scheme.name,
                operation.value,
                seed=derived(f"keygen seed {scheme.name}", length) if length else b"",
            )
        if Operation.SIGN.value not in offer.operations:
            public, signature = _signed(case)
            return Job(scheme.name, operation.value, key=public, data=data, signature=signature)
        sign = Job(scheme.name, Operation.SIGN.value, key=private_key(scheme, offer), data=data)
        if operation is Operation.SIGN:
            return sign
        public, signature = public_key(scheme, offer), session.signature(sign, timeout=timeout)
        return Job(scheme.name, operation.value, key=public, data=data, signature=signature)
    return symmetric(scheme, offer, operation, data, _aad(case, session))


def _of_kem(
    scheme: Scheme, offer: Offer, operation: Operation, session: Session, timeout: float
) -> Job:
    """The job of a KEM. The implementation draws its random numbers, as it does for its users.

    Where it cannot, it gets a seed, which is the same for all implementations. ``decapsulate`` gets
    a ciphertext that the implementation itself makes first; its secret is the answer of the job.
    """
    sizes = sizes_of(scheme)
    if operation is Operation.KEYGEN:
        seed = derived(f"keygen seed {scheme.name}", sizes.keygen_seed)
        return Job(scheme.name, operation.value, seed=seed if offer.needs_seed else b"")
    seed = derived(f"seed {scheme.name}", sizes.encapsulate_seed)
    encapsulate = Job(scheme.name, Operation.ENCAPSULATE.value, key=public_key(scheme, offer))
    if operation is Operation.ENCAPSULATE:
        return replace(encapsulate, seed=seed if offer.needs_seed else b"")
    made = encapsulated(encapsulate, seed, offer, session, timeout)
    ciphertext = made.out or b""
    check_sizes(sizes, ciphertext=ciphertext, secret=made.secret)
    return Job(
        scheme.name,
        operation.value,
        key=private_key(scheme, offer),
        ciphertext=ciphertext,
        answer=made.secret,
    )


def encapsulated(
    job: Job, seed: bytes, offer: Offer, session: Session, timeout: float
) -> ProbeAnswer:
    """A ciphertext and its secret: from the seed where encapsulation takes one, so that it is
    always the same.
    """
    if offer.seeds:
        try:
            return session.compute(replace(job, seed=seed), timeout=timeout)
        except ProbeFailure as failure:  # some libraries take a seed for keys only
            if failure.kind is not FailureKind.UNSUPPORTED or offer.needs_seed:
                raise
    return session.compute(job, timeout=timeout)


def sizes_of(scheme: Scheme) -> Encapsulated:
    """Sizes of the keys, ciphertexts and secrets of a KEM."""
    assert scheme.kem is not None
    return scheme.kem


def check_sizes(sizes: Encapsulated, **outputs: bytes) -> None:
    """ProbeFailure if an output has another size than the catalog says."""
    for name, output in outputs.items():
        right = getattr(sizes, name)
        if len(output) != right:
            noun = {"private": "private key", "public": "public key"}.get(name, name)
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER, f"its {noun} has {len(output)} B, not {right} B"
            )


def plaintext(case: Case) -> bytes:
    """The input of a case as bytes, which a decryption must return."""
    return fill(input_seed(case.scheme), case.input_bytes)
