"""The test keys of user code: those of its known answers, or keys that it makes from a fixed seed, on this machine or,
if its files are for another processor, on the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from motebench.base.model import FailureKind, Operation
from motebench.targets.base import Session
from motebench.targets.code.building import UserCode
from motebench.targets.code.keyed import KINDS
from motebench.targets.wire.messages import Job, Offer, ProbeFailure, fill

SEED = fill(13, 64)


_OTHER_PROCESSOR = (FailureKind.BUILD, FailureKind.UNSUPPORTED)
_SECONDS = 300.0
"""For making a key; a simulated board may need minutes."""


def with_keys(
    code: UserCode, offers: dict[str, Offer], machine: Callable[[], Session], board: Session | None = None
) -> dict[str, Offer]:
    """The offers of the code, those of KEMs and signatures with keys. ``machine``: a session that can make them.
    ``board``: makes them where the files cannot be built for the machine."""
    return {
        name: replace(offer, own_keys=partial(_keys, code, name, machine, board))
        if code.kind_of(name) in KINDS
        else offer
        for name, offer in offers.items()
    }


def made_elsewhere(failure: ProbeFailure) -> bool:
    """Whether what user code could not do on this machine may be left to the board: its files are for that alone."""
    return failure.kind in _OTHER_PROCESSOR


def _keys(code: UserCode, scheme: str, machine: Callable[[], Session], board: Session | None) -> tuple[bytes, bytes]:
    """Private and public key. ProbeFailure if the code cannot make them."""
    if scheme not in code.keys:
        known = next((vector for vector in code.answers.get(scheme, ()) if vector.key and vector.public), None)
        code.keys[scheme] = (known.key, known.public) if known is not None else _made(code, scheme, machine, board)
    return code.keys[scheme]


def _made(code: UserCode, scheme: str, machine: Callable[[], Session], board: Session | None) -> tuple[bytes, bytes]:
    session = machine()
    try:
        return _made_by(session, code, scheme)
    except ProbeFailure as failure:
        told = f"its test keys are made on a machine, where that ends in {failure.kind.value}: {failure.message}"
        if board is None or not made_elsewhere(failure):
            raise ProbeFailure(FailureKind.UNSUPPORTED, told) from None
    finally:
        session.close()
    try:
        return _made_by(board, code, scheme)
    except ProbeFailure as failure:
        told = f"{told}; on the board it ends in {failure.kind.value}: {failure.message}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, told) from None


def _made_by(session: Session, code: UserCode, scheme: str) -> tuple[bytes, bytes]:
    made = session.compute(Job(scheme, Operation.KEYGEN.value, seed=SEED), timeout=_SECONDS)
    private = made.out or b""
    if code.kind_of(scheme) == "kem":
        return private, made.public
    asked = Job(scheme, Operation.SIGN.value, key=private)
    return private, session.compute(asked, public=True, timeout=_SECONDS).out or b""
