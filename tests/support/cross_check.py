"""Random known answers for one library, made by another: what `motebench.measuring.verify` puts to
it then.

One implementation, the author, computes the answer; every implementation of the scheme must give
the same and accept it. Sizes are random within what somebody offers; the first case of a scheme has
those of the catalog.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from motebench.base.model import FailureKind, Kind, Operation, Scheme
from motebench.catalog.vectors.keys import key_seed, public_key
from motebench.catalog.vectors.keys import test_key as published_key
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify import AnswerVerdict, check
from motebench.measuring.work.jobs import by_seed
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, ProbeFailure

_LONGEST_NONCE = 64
_LONGEST_KEY = 200
_LONGEST_INPUT = 2000
_QUICK_RSA_BITS = 1024
"""RSA keys of more bits take seconds to make: a published one is used, and there are fewer cases.
"""
_SHOWN_BYTES = 128
_REFUSED = (FailureKind.UNSUPPORTED, FailureKind.TOO_BIG)


@dataclass(frozen=True)
class Question:
    """Request to every implementation of a scheme, and the author of its answer."""

    scheme: Scheme
    providers: Mapping[str, Session]
    author: str
    rng: random.Random
    index: int

    def compute(self, operation: Operation, **fields: bytes | int) -> tuple[bytes, bytes]:
        """Outputs that the author computes."""
        answer = self.providers[self.author].compute(
            Job(self.scheme.name, operation.value, **fields)
        )  # type: ignore[arg-type]
        assert answer.out is not None, (
            f"{self.author} {self.scheme.name} {operation}: rejected, or too long"
        )
        return answer.out, answer.tag or answer.secret or answer.public

    def public(self, key: bytes, author: str | None = None) -> bytes:
        """The public key that belongs to a private one."""
        operation = Operation.AGREE if self.scheme.kind is Kind.AGREEMENT else Operation.SIGN
        session = self.providers[author or self.author]
        out = session.compute(Job(self.scheme.name, operation.value, key=key), public=True).out
        assert out
        return out

    def vector(self, operation: Operation, **fields: object) -> Vector:
        return Vector(f"case {self.index} by {self.author}", self.scheme.name, operation, **fields)  # type: ignore[arg-type]

    def size(self, offered: str, usual: int, longest: int) -> int:
        """Length of key, nonce or tag: the catalog's in the first case, else one that an
        implementation offers.
        """
        if self.index == 0:
            return usual
        offer = self.providers[self.rng.choice(sorted(self.providers))].offers()[self.scheme.name]
        low, high = getattr(offer, offered)
        return self.rng.randint(low, min(high, max(low, longest)))

    def length(self, shortest: int = 0) -> int:
        """An input length: short, at the edge of a block, or long enough for code that takes many
        blocks at once.

        Nothing at all is not asked in the first case."""
        block = self.rng.choice((8, 16, 64, 128))
        edge = block * self.rng.randint(1, 5) + self.rng.randint(-1, 1)
        chosen = self.rng.choice(
            (0, self.rng.randint(1, block), edge, self.rng.randint(0, _LONGEST_INPUT))
        )
        return max(shortest, min(chosen, self.longest))

    @property
    def longest(self) -> int:
        """Bytes that every provider has room for, with AAD, tag and padding; small boards have
        little.
        """
        return min(session.hello.max_data for session in self.providers.values()) // 4


def disagreements(
    scheme: Scheme, providers: Mapping[str, Session], seed: int, cases: int
) -> Iterator[str]:
    """Differences between the answers of a scheme's implementations, in words."""
    names = sorted(providers)
    for index in range(1 + (cases - 1) // 4 if _slow(scheme) else cases):
        rng = random.Random(f"{seed} {scheme.name} {index}")
        author = names[(rng.randrange(len(names)) + index) % len(names)]
        try:
            vectors = list(_vectors(Question(scheme, providers, author, rng, index)))
        except ProbeFailure as failure:
            # Of the sizes of the catalog an implementation must be capable, if it offers the
            # scheme.
            if index == 0 or failure.kind not in _REFUSED:
                yield (
                    f"{scheme.name} case {index}: {author} gives no answer: "
                    f"{failure.kind.value}: {failure.message}"
                )
            continue
        for name in names:
            for outcome in check(providers[name], scheme.name, vectors):
                if outcome.verdict is AnswerVerdict.FAILED or (
                    index == 0 and outcome.verdict is AnswerVerdict.NOT_APPLICABLE
                ):
                    got = (
                        f"; {author}: {outcome.expected}, {name}: {outcome.got}"
                        if outcome.expected
                        else ""
                    )
                    told = f"{scheme.name} {outcome.vector.id}: {name}: {outcome.detail}{got}"
                    yield f"{told}\n    {_inputs(outcome.vector)}"
            if index == 0:
                yield from _again(name, providers[name], vectors[0])


def _again(name: str, session: Session, vector: Vector) -> Iterator[str]:
    """Wrong answers of an implementation to the same requests again and again under one key, as in
    timing.
    """
    out, tag = vector.expect_out or b"", vector.expect_tag or b""
    job = Job(
        vector.scheme, vector.operation.value, vector.key, vector.nonce, vector.aad, vector.data
    )
    asked = [(job, out + tag)]
    if vector.operation is Operation.ENCRYPT_MESSAGE:
        asked.append(
            (
                replace(job, operation=Operation.DECRYPT_MESSAGE.value, data=out, tag=tag),
                vector.data,
            )
        )
    elif vector.operation not in (Operation.DIGEST, Operation.MAC):
        return
    for each, answer in asked:
        try:
            right = session.measure(each, batch=2, count=2, warm=1, timeout=120).crc == zlib.crc32(
                answer
            )
            told = "another answer when asked again"
        except ProbeFailure as failure:
            right, told = False, f"{failure.kind.value}: {failure.message}"
        if not right:
            yield (
                f"{vector.scheme} {vector.id}: {name}: {each.operation}: {told}\n    "
                f"{_inputs(vector)}"
            )


def _slow(scheme: Scheme) -> bool:
    return scheme.algorithm == "rsa" and (scheme.bits or 0) > _QUICK_RSA_BITS


def _inputs(vector: Vector) -> str:
    fields = ("key", "nonce", "aad", "data", "tag", "tag_bytes")
    shown = ((name, getattr(vector, name)) for name in fields)
    return ", ".join(
        f"{name} {_hex(value) if isinstance(value, bytes) else value}"
        for name, value in shown
        if value
    )


def _hex(value: bytes) -> str:
    """Beginning of a value in hex: a case comes back by its seed, so it is enough for long keys and
    signatures.
    """
    return (
        value.hex()
        if len(value) <= _SHOWN_BYTES
        else f"{value[:_SHOWN_BYTES].hex()}... ({len(value)} bytes)"
    )


def _vectors(ask: Question) -> Iterator[Vector]:
    makers = {
        Kind.CIPHER: _cipher,
        Kind.STREAM: _cipher,
        Kind.AEAD: _cipher,
        Kind.HASH: _hash,
        Kind.MAC: _mac,
        Kind.SIGNATURE: _signature,
        Kind.AGREEMENT: _agreement,
        Kind.KEM: _kem,
    }
    return makers[ask.scheme.kind](ask)


def _cipher(ask: Question) -> Iterator[Vector]:
    scheme, rng = ask.scheme, ask.rng
    aead = scheme.kind is Kind.AEAD
    given = {
        "key": rng.randbytes(scheme.key_bytes),
        "nonce": _nonce(ask),
        # Bulk data is compared where there is no AAD, so that takes turns.
        "aad": rng.randbytes(ask.length()) if aead and ask.index % 2 == 0 else b"",
    }
    if aead:
        given["tag_bytes"] = ask.size("tag", scheme.tag_bytes, scheme.tag_bytes)
    data = rng.randbytes(ask.length(shortest=16 if scheme.mode == "xts" else 0))
    out, tag = ask.compute(Operation.ENCRYPT_MESSAGE, data=data, **given)
    yield ask.vector(
        Operation.ENCRYPT_MESSAGE, data=data, expect_out=out, expect_tag=tag or None, **given
    )
    if scheme.block_bytes:  # messages are padded: whole blocks without padding are another answer
        data = rng.randbytes(
            scheme.block_bytes * min(rng.randint(1, 40), ask.longest // scheme.block_bytes)
        )
        out, _ = ask.compute(Operation.ENCRYPT, data=data, **given)
        yield ask.vector(Operation.ENCRYPT, data=data, expect_out=out, **given)


def _nonce(ask: Question) -> bytes:
    size = ask.scheme.nonce_bytes
    if ask.scheme.mode == "ctr" and ask.index % 2 == 1:
        # A counter that is about to overflow into the bytes before it
        carries = ask.rng.randint(1, size)
        return ask.rng.randbytes(size - carries) + b"\xff" * carries
    return ask.rng.randbytes(ask.size("nonce", size, _LONGEST_NONCE))


def _hash(ask: Question) -> Iterator[Vector]:
    data = ask.rng.randbytes(ask.length())
    yield ask.vector(
        Operation.DIGEST, data=data, expect_out=ask.compute(Operation.DIGEST, data=data)[0]
    )


def _mac(ask: Question) -> Iterator[Vector]:
    key = ask.rng.randbytes(
        ask.size("key", ask.scheme.key_bytes or ask.scheme.tag_bytes, _LONGEST_KEY)
    )
    given = {
        "key": key,
        "nonce": _nonce(ask) if ask.scheme.nonce_bytes else b"",
        "data": ask.rng.randbytes(ask.length()),
    }
    yield ask.vector(Operation.MAC, expect_out=ask.compute(Operation.MAC, **given)[0], **given)


def _private_key(ask: Question) -> bytes:
    """Random, in turns from our seed and from the author, or a published one."""
    rsa = ask.scheme.algorithm == "rsa"
    offers = ask.providers[ask.author].offers()[ask.scheme.name].operations
    if ask.index % 2 == 1 and Operation.KEYGEN.value in offers and not _slow(ask.scheme):
        return ask.compute(Operation.KEYGEN)[0]
    # Any 32 bytes are a key of Ed25519 and X25519, and of ECDSA with P-256 but for one chance in
    # 2^32.
    return published_key(ask.scheme.name) if rsa else ask.rng.randbytes(32)


def _pair(ask: Question) -> tuple[bytes, bytes, bytes]:
    """Private key as the standard writes it, public key, and the seed of both; empty without a
    seed.
    """
    if ask.scheme.signing is None or not ask.scheme.signing.keygen_seed:
        key = _private_key(ask)
        return key, ask.public(key), b""
    seed = ask.rng.randbytes(ask.scheme.signing.keygen_seed)
    for name, session in ask.providers.items():
        offer = session.offers()[ask.scheme.name]
        if (
            offer.seeds
            and Operation.KEYGEN.value in offer.operations
            and not by_seed(ask.scheme, offer)
        ):
            made = session.compute(Job(ask.scheme.name, Operation.KEYGEN.value, seed=seed))
            assert made.out
            return made.out, ask.public(made.out, author=name), seed
    return published_key(ask.scheme.name), public_key(ask.scheme.name), key_seed(ask.scheme.name)


def _signature(ask: Question) -> Iterator[Vector]:
    (key, public, seed), data = _pair(ask), ask.rng.randbytes(ask.length(shortest=1))
    seeds = by_seed(ask.scheme, ask.providers[ask.author].offers()[ask.scheme.name])
    signature, _ = ask.compute(Operation.SIGN, key=seed if seeds else key, data=data)
    # RFC 8017 8.2.1, RFC 8032: not random
    same = ask.scheme.mode == "pkcs1" or ask.scheme.algorithm == "ed25519"
    expected = signature if same else None
    yield ask.vector(
        Operation.SIGN, key=key, seed=seed, data=data, expect_out=expected, public=public
    )
    good = ask.vector(Operation.VERIFY, key=public, data=data, tag=signature)
    yield good
    yield replace(good, data=data[:-1] + bytes((data[-1] ^ 1,)), result=Validity.INVALID)
    yield replace(good, tag=signature[:-1] + bytes((signature[-1] ^ 1,)), result=Validity.INVALID)


def _agreement(ask: Question) -> Iterator[Vector]:
    key, other = _private_key(ask), ask.rng.randbytes(32)
    peer = ask.public(other, author=ask.rng.choice(sorted(ask.providers)))
    mine = ask.public(key)
    secret, _ = ask.compute(Operation.AGREE, key=key, peer=peer)
    yield ask.vector(Operation.AGREE, key=key, data=peer, expect_out=secret, public=mine)
    yield ask.vector(Operation.AGREE, key=other, data=mine, expect_out=secret, public=peer)


def _kem(ask: Question) -> Iterator[Vector]:
    of, seeds = ask.scheme.kem, ask.providers[ask.author].offers()[ask.scheme.name].seeds
    assert of is not None
    seed = ask.rng.randbytes(of.keygen_seed) if seeds else b""
    private, public = ask.compute(Operation.KEYGEN, seed=seed)
    if seeds:
        yield ask.vector(Operation.KEYGEN, seed=seed, expect_out=private, public=public)
    drawn = ask.rng.randbytes(of.encapsulate_seed) if seeds else b""
    ciphertext, secret = ask.compute(Operation.ENCAPSULATE, key=public, seed=drawn)
    if seeds:
        yield ask.vector(
            Operation.ENCAPSULATE, key=public, seed=drawn, ciphertext=ciphertext, secret=secret
        )
    yield ask.vector(
        Operation.DECAPSULATE, key=private, public=public, ciphertext=ciphertext, secret=secret
    )
