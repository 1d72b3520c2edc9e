"""Messages that a decryption must reject: forged tags, and padding that is wrong in different
positions.

The time must not show where a forged tag is wrong: an attacker who knows how many bytes are right
forges a tag byte by byte. It is no secret that the tag is wrong, and the right tag is timed for
comparison only. For padding (PKCS#7, RFC 5652, 6.3) the time must show neither the position nor the
result: a padding oracle needs only the result (Vaudenay, EUROCRYPT 2002).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from motebench.base.model import FailureKind, Kind, Operation, Scheme
from motebench.measuring.leak.inputs import Input, Variation, Varied, data_of, pooled
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeFailure

_PADDED = ("ecb", "cbc")
"""Modes whose messages are padded."""
_POOL = 64
"""Number of last blocks with random bad padding that are prepared: each costs an encryption."""


def rejections(
    session: Session, scheme: Scheme, offer: Offer, job: Job, *, seed: int, timeout: float
) -> list[Variation]:
    """Variations of a decryption of whole messages; empty for other operations, or if nothing is
    checked.

    The target makes the ciphertexts. ProbeFailure from the session.
    """
    if job.operation != Operation.DECRYPT_MESSAGE.value:
        return []
    if scheme.kind is Kind.AEAD:
        return [_forged(session, job, timeout)]
    if scheme.mode in _PADDED and Operation.ENCRYPT.value in offer.operations and offer.block > 1:
        return _badly_padded(session, offer.block, job, seed, timeout)
    return []


def _computed(session: Session, job: Job, timeout: float) -> tuple[bytes, bytes]:
    answer = session.compute(job, timeout=timeout)
    if answer.out is None:
        raise ProbeFailure(
            FailureKind.TOO_BIG, "the ciphertext does not fit a reply: give a smaller --size"
        )
    return answer.out, answer.tag


def _forged(session: Session, job: Job, timeout: float) -> Variation:
    plain = replace(job, operation=Operation.ENCRYPT_MESSAGE.value, inverse=False)
    sealed, tag = _computed(session, plain, timeout)
    right = replace(job, data=sealed, tag=tag, inverse=False)

    def wrong(changes: bytes) -> Job:
        return replace(
            right, tag=bytes(a ^ b for a, b in zip(tag, changes, strict=True)), reject=True
        )

    def at(place: int, change: int) -> Job:
        return wrong(bytes(change if number == place else 0 for number in range(len(tag))))

    def drawn(source: random.Random) -> Job:
        # The first byte is always wrong, so that no random tag is right.
        return wrong(bytes((source.randrange(1, 256),)) + source.randbytes(len(tag) - 1))

    last = len(tag) - 1
    tried = [
        Input("first byte wrong", at(0, 0xFF)),
        Input("first bit wrong", at(0, 0x80)),
        Input("middle byte wrong", at(last // 2, 0xFF)),
        Input("last byte wrong", at(last, 0xFF)),
        Input("last bit wrong", at(last, 0x01)),
        Input("all bytes wrong", wrong(b"\xff" * len(tag))),
    ]
    return Variation(Varied.TAG, drawn(random.Random(0)), drawn, tried, chosen=0, accepted=right)


def good_padding(last: bytes) -> bool:
    """True if a last block ends with PKCS#7 padding."""
    count = last[-1]
    return 1 <= count <= len(last) and last.endswith(bytes((count,)) * count)


def _badly_padded(
    session: Session, block: int, job: Job, seed: int, timeout: float
) -> list[Variation]:
    message = data_of(job)
    head = message[: len(message) // block * block]
    plain = replace(job, operation=Operation.ENCRYPT.value, inverse=False)

    def ending(last: bytes) -> Job:
        sealed, _ = _computed(session, replace(plain, data=head + last), timeout)
        return replace(job, data=sealed, inverse=False, reject=not good_padding(last))

    source = random.Random(f"{seed} padding")
    drawn = pooled([ending(_bad(source, block)) for _ in range(_POOL)])
    text = source.randbytes(block)
    half = block // 2
    wrong = {
        "last byte 0": text[:-1] + b"\x00",
        "last byte too large": text[:-1] + bytes((block + 1,)),
        "last byte 0xff": text[:-1] + b"\xff",
        "last but one of 2 wrong": text[:-2] + b"\x01\x02",
        "first of half a block wrong": text[: block - half] + b"\x00" + bytes((half,)) * (half - 1),
        "first of a whole block wrong": b"\x00" + bytes((block,)) * (block - 1),
        "middle of a whole block wrong": bytes((block,)) * half
        + b"\x00"
        + bytes((block,)) * (block - half - 1),
    }
    tried = [Input(name, ending(last)) for name, last in wrong.items()]
    good = [Input("good", ending(text[: block - half] + bytes((half,)) * half))]
    first = drawn(source)
    return [
        Variation(Varied.BAD_PADDING, first, drawn, tried, chosen=0),
        Variation(Varied.PADDING, first, drawn, good, chosen=0),
    ]


def _bad(source: random.Random, block: int) -> bytes:
    while good_padding(last := source.randbytes(block)):
        pass
    return last


_REFUSAL = (FailureKind.ERROR, FailureKind.UNSUPPORTED, FailureKind.WRONG_ANSWER)
"""Kinds of failure that may be the answer to one input; all others end the examination."""


def accepted_by(
    session: Session, inputs: Sequence[Input], timeout: float
) -> tuple[list[Input], dict[str, str]]:
    """The inputs that can be timed, and the names of the others with the message of the
    implementation.

    ProbeFailure if the probe dies on an input, or accepts one that it must reject.
    """
    taken, refused = [], {}
    for item in inputs:
        try:
            session.measure(item.job, batch=1, count=1, warm=0, timeout=timeout)
            taken.append(item)
        except ProbeFailure as failure:
            if failure.kind not in _REFUSAL or item.job.reject:
                raise
            refused[item.name] = failure.message
    return taken, refused
