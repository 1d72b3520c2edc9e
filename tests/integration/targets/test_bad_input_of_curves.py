"""Bad encodings of signatures, keys and peers that our curves are given: cut, longer and wrong."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from motebench.catalog.devices import devices
from motebench.targets.base import Session
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.host.this_machine import this_machine
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import need_simulator

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
MESSAGE = b"motebench"
PRIVATE = ec.derive_private_key(7, ec.SECP256R1())
POINT = PRIVATE.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
LATER = ("cortex-m3-nows", "cortex-m4-nows", "rp2350-hazard3")
PLACES = pytest.mark.parametrize(
    "place",
    [
        *("host", "samd21g18a", "atmega2560"),
        *(pytest.param(name, marks=pytest.mark.long) for name in LATER),
    ],
)
"""This machine and a board of each core; those of `LATER` in the long tests."""
P256 = pytest.mark.parametrize("implementation", ["mote/p256", "mote/p256-small"])
X25519 = pytest.mark.parametrize("implementation", ["mote/x25519", "mote/x25519-small"])
ED25519 = pytest.mark.parametrize("implementation", ["mote/ed25519", "mote/ed25519-small"])


def opened(place: str, implementation: str) -> Session:
    if place == "host":
        return this_machine().open(implementation)
    need_simulator(devices()[place])
    return BoardSession(Simulation(devices()[place], BoardSettings()), OwnFirmware(implementation))


def refused(session: Session, job: Job) -> bool:
    """True if the answer is a rejection, or a failure that names a wrong length or range."""
    try:
        answer = session.compute(job)
    except ProbeFailure as failure:
        text = failure.message
        return any(part in text for part in ("bytes", "length", "order", "range"))
    return answer.rejected


def integer(value: int, *, more: bytes = b"") -> bytes:
    content = more + value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True)
    return bytes((2, len(content))) + content


def sequence(*parts: bytes) -> bytes:
    content = b"".join(parts)
    return bytes((0x30, len(content))) + content


@PLACES
@P256
def test_signatures_that_are_no_der_of_two_integers_are_refused(implementation, place):
    good = PRIVATE.sign(MESSAGE, ec.ECDSA(hashes.SHA256()))
    r, s = decode_dss_signature(good)
    bad = [
        *(good[:length] for length in range(0, len(good), 1 if place == "host" else 9)),
        good + b"\0",
        b"\x31" + good[1:],
        bytes((0x30, len(good) - 1)) + good[2:],
        bytes((0x30, 0x81, len(good) - 2)) + good[2:],
        sequence(integer(r, more=b"\0"), integer(s)),
        sequence(integer(r), integer(s, more=b"\0\0")),
        sequence(integer(r)),
        sequence(integer(r), integer(s), integer(1)),
        sequence(integer(-r), integer(s)),
        sequence(integer(r), integer(-s)),
        sequence(integer(r), bytes((2, 0))),
    ]
    out_of_range = [(0, s), (r, 0), (N, s), (r, N), (r + N, s), (r, s + N), (2**256 - 1, s)]
    bad += [sequence(integer(first), integer(second)) for first, second in out_of_range]
    verify = Job("ecdsa-p256-sha256", "verify", POINT, data=MESSAGE)
    session = opened(place, implementation)
    try:
        for signature, rejected in ((good, False), (sequence(integer(r), integer(N - s)), False)):
            job = Job(verify.scheme, "verify", POINT, data=MESSAGE, signature=signature)
            assert session.compute(job).rejected == rejected
        for signature in bad:
            job = Job(verify.scheme, "verify", POINT, data=MESSAGE, signature=signature)
            assert refused(session, job), signature.hex()
    finally:
        session.close()


@PLACES
@P256
def test_peers_and_private_keys_that_are_none_are_refused(implementation, place):
    x, y = POINT[1:33], POINT[33:]
    peers = [
        b"\0",  # infinity: SEC 1, 2.3.3
        b"\4" + bytes(64),
        b"\4" + x + (int.from_bytes(y, "big") ^ 1).to_bytes(32, "big"),
        b"\4" + P.to_bytes(32, "big") + y,
        b"\4" + x + P.to_bytes(32, "big"),
        b"\5" + x + y,
        b"\2" + (2**256 - 1).to_bytes(32, "big"),
        POINT[:64],
        POINT + b"\0",
        b"\4" + x,
    ]
    key = (5).to_bytes(32, "big")
    keys = [number.to_bytes(32, "big") for number in (0, N, N + 1, 2**256 - 1)]
    session = opened(place, implementation)
    try:
        assert not refused(session, Job("ecdh-p256", "agree", key, peer=POINT))
        for peer in peers:
            assert refused(session, Job("ecdh-p256", "agree", key, peer=peer)), peer.hex()
        for wrong in (*keys, key[:31]):
            assert refused(session, Job("ecdh-p256", "agree", wrong, peer=POINT)), wrong.hex()
            assert refused(session, Job("ecdsa-p256-sha256", "sign", wrong, data=b"")), wrong.hex()
    finally:
        session.close()


@PLACES
@X25519
def test_points_of_small_order_and_of_other_lengths_are_refused(implementation, place):
    field = 2**255 - 19
    low_order = 325606250916557431795983626356110631294008115727848805560023387167927233504
    numbers = (0, 1, low_order, field - 1, field, field + 1)
    peers = [number.to_bytes(32, "little") for number in numbers]
    key = bytes(range(32))
    session = opened(place, implementation)
    try:
        assert not refused(session, Job("x25519", "agree", key, peer=b"\x09" + bytes(31)))
        for peer in (*peers, b"\x09" + bytes(30), b"\x09" + bytes(32)):
            assert refused(session, Job("x25519", "agree", key, peer=peer)), peer.hex()
    finally:
        session.close()


@PLACES
@ED25519
def test_cut_signatures_and_s_from_the_order_on_are_refused(implementation, place):
    order, private = 2**252 + 27742317777372353535851937790883648493, bytes(range(32))
    signer = Ed25519PrivateKey.from_private_bytes(private)
    public, good = signer.public_key().public_bytes_raw(), signer.sign(MESSAGE)
    s = int.from_bytes(good[32:], "little")
    bad = [
        *(good[:length] for length in (0, 1, 32, 63)),
        good + b"\0",
        good[:32] + (s + order).to_bytes(32, "little"),
        good[:32] + (2**256 - 1).to_bytes(32, "little"),
        (2**255 - 19 + 1).to_bytes(32, "little") + good[32:],  # 1, not below p
        (2).to_bytes(32, "little") + good[32:],  # no point has this y
    ]
    session = opened(place, implementation)
    try:
        job = Job("ed25519", "verify", public, data=MESSAGE, signature=good)
        assert not refused(session, job)
        for signature in bad:
            job = Job("ed25519", "verify", public, data=MESSAGE, signature=signature)
            assert refused(session, job), signature.hex()
        wrong_key = (2).to_bytes(32, "little")
        job = Job("ed25519", "verify", wrong_key, data=MESSAGE, signature=good)
        assert refused(session, job)
    finally:
        session.close()
