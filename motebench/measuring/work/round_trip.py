"""What can be checked of a KEM or a signature without known answers: that it fits itself."""

from __future__ import annotations

from dataclasses import replace

from motebench.base.model import Operation
from motebench.catalog.vectors.keys import public_key, test_key
from motebench.measuring.work.keys import own_pair
from motebench.targets.base import Session
from motebench.targets.wire.fill import fill
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer

_SIZES = (0, 1, 33)


def _keys(offer: Offer) -> tuple[bytes, bytes]:
    return own_pair(offer.scheme, offer) or (test_key(offer.scheme), public_key(offer.scheme))


def shares_secrets(session: Session, offer: Offer, seconds: float) -> str:
    """What is wrong, or an empty text: both sides have one secret, which changes with the coins and the ciphertext."""
    private, public = _keys(offer)
    secrets = set()
    for number in (1, 2):
        seed = fill(number, 64) if offer.needs_seed else b""
        made = session.compute(Job(offer.scheme, Operation.ENCAPSULATE.value, key=public, seed=seed), timeout=seconds)
        back = Job(offer.scheme, Operation.DECAPSULATE.value, key=private, ciphertext=made.out or b"")
        if session.compute(back, timeout=seconds).out != made.secret:
            return "a secret that it encapsulates is not the one that it decapsulates"
        changed = replace(back, ciphertext=_changed(back.ciphertext))
        other = session.compute(changed, timeout=seconds)
        if not other.rejected and other.out == made.secret:
            return "a changed ciphertext gives the same secret"
        secrets.add(made.secret)
    return "" if len(secrets) == 2 else "two encapsulations have the same secret: it does not call randombytes"


def verifies_signatures(session: Session, offer: Offer, seconds: float) -> str:
    """What is wrong, or an empty text: signatures verify, those of other messages and changed ones do not."""
    private, public = _keys(offer)
    for size in _SIZES:
        message = fill(11, size)
        sign = Job(offer.scheme, Operation.SIGN.value, key=private, data=message)
        signature = session.signature(sign, timeout=seconds)  # of boards: made here, which is checked when they sign
        if not signature:
            return f"{size} B: the signature is empty"

        def verified(data: bytes, signed: bytes) -> ProbeAnswer:
            job = Job(offer.scheme, Operation.VERIFY.value, key=public, data=data, signature=signed)
            return session.compute(job, timeout=seconds)

        if verified(message, signature).rejected:
            return f"{size} B: its own signature does not verify"
        if not verified(message + b"\0", signature).rejected:
            return f"{size} B: the signature of another message verifies"
        if not verified(message, _changed(signature)).rejected:
            return f"{size} B: a changed signature verifies"
    return ""


def _changed(value: bytes) -> bytes:
    """The value with a bit of its first byte and one behind its first quarter changed: there may be padding at the end,
    and in signatures of CROSS in the middle."""
    changed = bytearray(value)
    for at in {0, len(value) // 4}:
        changed[at] ^= 1
    return bytes(changed)
