"""A toy implementation in memory behind the `Session` contract, with the faults that verification
must find.
"""

from __future__ import annotations

import hashlib
import hmac
import zlib
from collections.abc import Callable

from motebench.base.model import FailureKind
from motebench.targets.wire.messages import (
    Clock,
    Fill,
    Hello,
    Job,
    Offer,
    ProbeAnswer,
    ProbeFailure,
)

CIPHER_OPS = frozenset(
    {"key-setup", "encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key"},
)


def offer(
    scheme: str,
    ops: frozenset[str] = CIPHER_OPS,
    *,
    key=(16, 16),
    nonce=(12, 16),
    tag=(16, 16),
    block=1,
) -> Offer:
    return Offer(scheme, ops, key, nonce, tag, block, True)


OFFERS = [
    offer("aes-128-ctr", tag=(0, 0)),
    offer("aes-128-cbc", block=16, tag=(0, 0)),
    offer("aes-128-gcm", tag=(12, 16)),
    offer("sha256", frozenset({"digest"}), key=(0, 0), nonce=(0, 0), tag=(32, 32)),
    offer("hmac-sha256", frozenset({"mac"}), key=(1, 64), nonce=(0, 0), tag=(32, 32)),
    offer(
        "ed25519", frozenset({"sign", "verify", "keygen"}), key=(32, 32), nonce=(0, 0), tag=(64, 64)
    ),
    offer("x25519", frozenset({"agree"}), key=(32, 32), nonce=(0, 0), tag=(0, 0)),
]


def xor(job: Job, data: bytes) -> bytes:
    stream = hashlib.shake_128(job.key + b"|" + job.nonce).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))


def tag_of(job: Job, secret: bytes) -> bytes:
    return hashlib.sha256(job.key + job.nonce + job.aad + secret).digest()[: job.tag_bytes]


def pad(data: bytes) -> bytes:
    return data + bytes([16 - len(data) % 16]) * (16 - len(data) % 16)


def public_of(private: bytes) -> bytes:
    return hashlib.sha256(b"public" + private).digest()


def signature_of(public: bytes, data: bytes) -> bytes:
    return hashlib.sha512(public + data).digest()


class FakeSession:
    """Fake session. ``fault`` changes answers: it gets the job and the right answer, and returns
    the sent one.
    """

    def __init__(
        self,
        fault: Callable[[Job, ProbeAnswer], ProbeAnswer] | None = None,
        *,
        max_data: int = 4096,
    ) -> None:
        self.fault = fault
        self.jobs: list[Job] = []
        clock = Clock("fake", 10**9, 1, 0.0)
        self._hello = Hello(
            "fake 1", "fake", "1", "", "", "toy", clock, None, None, 4096, max_data, frozenset()
        )

    @property
    def hello(self) -> Hello:
        return self._hello

    def hello_of(self, scheme: str) -> Hello:
        return self._hello

    def offers(self) -> dict[str, Offer]:
        return {each.scheme: each for each in OFFERS}

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        self.jobs.append(job)
        answer = self._public(job) if public else self._right(job)
        if self.fault is not None:
            answer = self.fault(job, answer)
        return answer

    def close(self) -> None:
        pass

    @staticmethod
    def _answer(out: bytes, tag: bytes = b"") -> ProbeAnswer:
        return ProbeAnswer(False, out, tag, len(out), zlib.crc32(out + tag))

    def _public(self, job: Job) -> ProbeAnswer:
        return self._answer(public_of(job.key))

    def _right(self, job: Job) -> ProbeAnswer:
        assert not isinstance(job.data, Fill)
        data, op = job.data, job.operation
        if op not in self.offers()[job.scheme].operations:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{op} is not offered")
        if op == "digest":
            return self._answer(hashlib.sha256(data).digest())
        if op == "mac":
            return self._answer(hmac.digest(job.key, data, "sha256"))
        if op == "sign":
            return self._answer(signature_of(public_of(job.key), data))
        if op == "verify":
            return (
                self._answer(b"")
                if job.signature == signature_of(job.key, data)
                else ProbeAnswer(rejected=True)
            )
        if op == "agree":
            if job.peer == bytes(32):
                raise ProbeFailure(FailureKind.ERROR, "the point has a small order")
            return self._answer(bytes(a ^ b for a, b in zip(job.key, job.peer, strict=True)))
        if job.scheme.endswith("-gcm"):
            return self._aead(job, data)
        if job.scheme.endswith("-cbc") and op in ("encrypt-message", "encrypt-new-key"):
            return self._answer(xor(job, pad(data)))
        if job.scheme.endswith("-cbc") and op == "decrypt-message":
            plain = xor(job, data)
            good = plain and 1 <= plain[-1] <= 16 and plain.endswith(bytes([plain[-1]]) * plain[-1])
            return self._answer(plain[: -plain[-1]]) if good else ProbeAnswer(rejected=True)
        return self._answer(xor(job, data))

    def _aead(self, job: Job, data: bytes) -> ProbeAnswer:
        if job.operation in ("encrypt-message", "encrypt-new-key"):
            secret = xor(job, data)
            return self._answer(secret, tag_of(job, secret))
        if job.operation == "decrypt-message" and job.tag != tag_of(job, data):
            return ProbeAnswer(rejected=True)
        return self._answer(xor(job, data))
