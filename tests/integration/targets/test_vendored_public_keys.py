"""Public keys by libraries from pinned sources: inputs that their adapters refuse and the library
would accept.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motebench.base.model import Operation
from motebench.catalog.vectors import vectors_for
from motebench.catalog.vectors.model import Validity
from motebench.targets.base import Session
from motebench.targets.firmware import offered
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Job

ECDSA, ED25519 = "ecdsa-p256-sha256", "ed25519"
P = 2**255 - 19

# Wycheproof ed25519_test.json, tcId 151: R is y = 1 with the sign of x, and satisfies the equation.
R_WITH_SIGN = bytes.fromhex(
    "0100000000000000000000000000000000000000000000000000000000000080"
    "c803ee1f2342aa96ff698a393d1ab5e66f3eda101d6d120b394c3fd32c117d0a"
)
ITS_KEY = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
ITS_MESSAGE = b"123400"


@pytest.fixture(autouse=True)
def sources() -> None:
    if not offered("avr"):
        pytest.skip("no pinned sources are there: make setup")


@pytest.fixture
def bearssl() -> Iterator[Session]:
    session = this_machine().open("bearssl/ecdsa")
    yield session
    session.close()


@pytest.fixture
def monocypher() -> Iterator[Session]:
    session = this_machine().open("monocypher/ed25519")
    yield session
    session.close()


def accepts(session: Session, scheme: str, key: bytes, message: bytes, signature: bytes) -> bool:
    job = Job(scheme, Operation.VERIFY.value, key=key, data=message, signature=signature)
    return not session.compute(job).rejected


def integer(value: int, *, pad: bool = True) -> bytes:
    body = value.to_bytes((value.bit_length() + 7) // 8, "big")
    body = b"\0" + body if pad and body[0] >= 0x80 else body
    return bytes([0x02, len(body)]) + body


def test_signatures_that_are_ber_and_not_der_are_rejected(bearssl: Session) -> None:
    vector = next(
        each
        for each in vectors_for(ECDSA)
        if each.operation is Operation.VERIFY
        and each.result is Validity.VALID
        and each.tag[4] == 0
        and each.tag[3] == 33
    )
    r_len = vector.tag[3]
    r = int.from_bytes(vector.tag[4 : 4 + r_len], "big")
    s = int.from_bytes(vector.tag[6 + r_len :], "big")

    def sequence(body: bytes, head: bytes | None = None) -> bytes:
        return (head or bytes([0x30, len(body)])) + body

    right = integer(r) + integer(s)
    assert sequence(right) == vector.tag
    wrong = {
        "a length in its long form": sequence(right, bytes([0x30, 0x81, len(right)])),
        "no zero before a first bit of 1": sequence(integer(r, pad=False) + integer(s)),
        "a zero too many": sequence(bytes([0x02, r_len + 1, 0]) + integer(r)[2:] + integer(s)),
        "something behind": sequence(right) + b"\0",
    }
    assert accepts(bearssl, ECDSA, vector.key, vector.data, vector.tag)
    for what, signature in wrong.items():
        assert not accepts(bearssl, ECDSA, vector.key, vector.data, signature), what


def test_points_have_one_encoding(monocypher: Session) -> None:
    assert not accepts(monocypher, ED25519, ITS_KEY, ITS_MESSAGE, R_WITH_SIGN)
    # With S = 0 the equation holds where R and the key are the point of order 1, whose encoding is
    # y = 1; or y = p + 1.
    one, also_one = (y.to_bytes(32, "little") for y in (1, P + 1))
    signed_one = one[:31] + b"\x80"
    for key, r, holds in (
        (one, one, True),
        (also_one, one, False),
        (one, also_one, False),
        (signed_one, one, False),
    ):
        assert accepts(monocypher, ED25519, key, b"any", r + bytes(32)) is holds
    # y = p - 1 is the point of order 2: x is 0, so it has no sign either.
    minus_one = (P - 1).to_bytes(32, "little")
    assert accepts(monocypher, ED25519, one, b"any", minus_one + bytes(32))
    assert not accepts(monocypher, ED25519, one, b"any", minus_one[:31] + b"\xff" + bytes(32))


def test_pss_takes_signatures_of_the_modulus_length_only() -> None:
    session = this_machine().open("bearssl/rsa")
    try:
        vector = next(
            each
            for each in vectors_for("rsa-1024-pss-sha256")
            if each.operation is Operation.VERIFY and each.result is Validity.VALID
        )
        assert accepts(session, vector.scheme or "", vector.key, vector.data, vector.tag)
        for signature in (b"\0" + vector.tag, vector.tag[1:], vector.tag + b"\0", b""):
            assert not accepts(session, vector.scheme or "", vector.key, vector.data, signature)
    finally:
        session.close()


def test_pss_signatures_repeat_and_differ_by_message() -> None:
    """The salt is made of key and message."""
    session = this_machine().open("bearssl/rsa")
    try:
        key = next(
            each.key
            for each in vectors_for("rsa-1024-pss-sha256")
            if each.operation is Operation.SIGN
        )
        made = [
            session.compute(
                Job("rsa-1024-pss-sha256", Operation.SIGN.value, key=key, data=data)
            ).out
            for data in (b"a", b"a", b"b")
        ]
        assert made[0] == made[1] != made[2]
    finally:
        session.close()
