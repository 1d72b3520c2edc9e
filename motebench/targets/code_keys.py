"""The test keys of user code: those of its known answers, or keys that it makes on a machine from a fixed seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from motebench.code.building import Code
from motebench.code.keyed import KINDS
from motebench.model import FailureKind, Operation
from motebench.targets.base import Session
from motebench.wire.fill import fill
from motebench.wire.messages import Job, Offer, ProbeFailure

SEED = fill(13, 64)


def with_keys(code: Code, offers: dict[str, Offer], machine: Callable[[], Session]) -> dict[str, Offer]:
    """The offers of the code, those of KEMs and signatures with keys. ``machine``: a session that can make them."""
    return {
        name: replace(offer, own_keys=partial(_keys, code, name, machine)) if code.kind_of(name) in KINDS else offer
        for name, offer in offers.items()
    }


def _keys(code: Code, scheme: str, machine: Callable[[], Session]) -> tuple[bytes, bytes]:
    """Private and public key. ProbeFailure if the code cannot make them."""
    if scheme not in code.keys:
        known = next((vector for vector in code.answers.get(scheme, ()) if vector.key and vector.public), None)
        code.keys[scheme] = (known.key, known.public) if known is not None else _made(code, scheme, machine)
    return code.keys[scheme]


def _made(code: Code, scheme: str, machine: Callable[[], Session]) -> tuple[bytes, bytes]:
    session = machine()
    try:
        made = session.compute(Job(scheme, Operation.KEYGEN.value, seed=SEED))
        private = made.out or b""
        if code.kind_of(scheme) == "kem":
            return private, made.public
        asked = Job(scheme, Operation.SIGN.value, key=private)
        return private, session.compute(asked, public=True).out or b""
    except ProbeFailure as failure:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"its test keys are made on a machine, where that ends in {failure.kind.value}: {failure.message}",
        ) from None
    finally:
        session.close()
