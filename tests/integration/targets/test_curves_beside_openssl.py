"""Our curves on simulated boards beside OpenSSL: random keys, messages, points and signatures."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from motebench.catalog.devices import devices
from motebench.targets.base import Session
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CORES = (
    "atmega2560",
    "atmega4809",
    "cortex-m0-nows",
    "cortex-m3-nows",
    "cortex-m4-nows",
    "rp2350-hazard3",
    "rp2350-m33",
)
"""A board of each core."""
ALL = ("x25519", "ed25519", "ecdh-p256", "ecdsa-p256-sha256")
OTHERS = {
    "atmega328p": ("x25519",),
    "attiny1614": ("x25519",),
    "attiny3216": ("x25519",),
    "attiny3217": ("x25519",),
    "attiny3224": ("x25519", "ecdh-p256"),
    "attiny3226": ("x25519", "ecdh-p256"),
    "attiny3227": ("x25519", "ecdh-p256"),
    "cortex-m33-nows": ALL,
    "nrf52840": ALL,
    "rp2040": ALL,
    "rp2040-xip": ALL,
    "sam3x8e": ALL,
    "samd21g18a": ALL,
    "stm32f407": ALL,
    "stm32l4": ALL,
    "stm32wl": ALL,
}
"""Boards with one of these cores, and the schemes that fit their memory."""


def x25519_round(session: Session, draw: random.Random) -> int:
    private, peer = X25519PrivateKey.from_private_bytes(draw.randbytes(32)), draw.randbytes(32)
    secret = private.exchange(X25519PublicKey.from_public_bytes(peer))
    job = Job("x25519", "agree", private.private_bytes_raw(), peer=peer)
    assert session.compute(job).out == secret, (job.key.hex(), peer.hex())
    public = session.compute(job, public=True).out
    assert public == private.public_key().public_bytes_raw(), job.key.hex()
    return 2


def ed25519_round(session: Session, draw: random.Random) -> int:
    key, message = draw.randbytes(32), draw.randbytes(draw.randrange(100))
    private = Ed25519PrivateKey.from_private_bytes(key)
    signature, public = private.sign(message), private.public_key().public_bytes_raw()
    sign = Job("ed25519", "sign", key, data=message)
    assert session.compute(sign).out == signature, (key.hex(), message.hex())
    assert session.compute(sign, public=True).out == public, key.hex()
    wrong = bytearray(signature)
    wrong[draw.randrange(64)] ^= 1 << draw.randrange(8)
    for given, rejected in ((signature, False), (bytes(wrong), True)):
        job = Job("ed25519", "verify", public, data=message, signature=given)
        assert session.compute(job).rejected == rejected, (public.hex(), given.hex())
    return 4


def p256_key(draw: random.Random) -> tuple[ec.EllipticCurvePrivateKey, bytes]:
    number = draw.randrange(1, N)
    return ec.derive_private_key(number, ec.SECP256R1()), number.to_bytes(32, "big")


def p256_point(private: ec.EllipticCurvePrivateKey, *, compressed: bool) -> bytes:
    form = PublicFormat.CompressedPoint if compressed else PublicFormat.UncompressedPoint
    return private.public_key().public_bytes(Encoding.X962, form)


def ecdh_round(session: Session, draw: random.Random) -> int:
    (private, key), (peer, _) = p256_key(draw), p256_key(draw)
    secret = private.exchange(ec.ECDH(), peer.public_key())
    point = p256_point(peer, compressed=bool(draw.randrange(2)))
    assert session.compute(Job("ecdh-p256", "agree", key, peer=point)).out == secret, key.hex()
    public = session.compute(Job("ecdh-p256", "agree", key), public=True).out
    assert public == p256_point(private, compressed=False), key.hex()
    return 2


def ecdsa_round(session: Session, draw: random.Random) -> int:
    (private, key), message = p256_key(draw), draw.randbytes(draw.randrange(100))
    by_digest = ec.ECDSA(hashes.SHA256())
    ours = session.compute(Job("ecdsa-p256-sha256", "sign", key, data=message)).out
    assert ours is not None
    private.public_key().verify(ours, message, by_digest)
    r, s = utils.decode_dss_signature(private.sign(message, by_digest))
    other = utils.encode_dss_signature(r, N - s)  # high or low: both are right
    wrong = utils.encode_dss_signature(r, s ^ 1 << draw.randrange(250))
    public = p256_point(private, compressed=bool(draw.randrange(2)))
    for given, rejected in ((ours, False), (other, False), (wrong, True)):
        job = Job("ecdsa-p256-sha256", "verify", public, data=message, signature=given)
        assert session.compute(job).rejected == rejected, (public.hex(), given.hex())
    return 4


ROUNDS = {
    "x25519": x25519_round,
    "ed25519": ed25519_round,
    "ecdh-p256": ecdh_round,
    "ecdsa-p256-sha256": ecdsa_round,
}


def agree_with_openssl(device: str, implementation: str, scheme: str, operations: int) -> None:
    board = devices()[device]
    need_simulator(board)
    draw, done = random.Random(f"{device} {scheme}"), 0
    session = BoardSession(Simulation(board, BoardSettings()), OwnFirmware(implementation))
    try:
        while done < operations:
            done += ROUNDS[scheme](session, draw)
    finally:
        session.close()
    assert done >= operations > 0


def implementation_of(scheme: str, small: str) -> str:
    return f"mote/{'p256' if 'p256' in scheme else scheme}{small}"


@pytest.mark.parametrize("device", CORES)
@pytest.mark.parametrize("scheme", ROUNDS)
def test_each_core_agrees_with_openssl(scheme, device):
    agree_with_openssl(device, implementation_of(scheme, ""), scheme, 4)


@pytest.mark.long
@pytest.mark.parametrize("device", CORES)
@pytest.mark.parametrize("scheme", ROUNDS)
def test_each_core_agrees_with_openssl_in_a_thousand_operations(scheme, device):
    agree_with_openssl(device, implementation_of(scheme, ""), scheme, 1000)


@pytest.mark.long
@pytest.mark.parametrize(
    ("device", "scheme"), [(device, scheme) for device in OTHERS for scheme in OTHERS[device]]
)
def test_other_boards_of_these_cores_agree_with_openssl_in_a_thousand_operations(scheme, device):
    agree_with_openssl(device, implementation_of(scheme, ""), scheme, 1000)


@pytest.mark.long
@pytest.mark.parametrize("device", CORES)
@pytest.mark.parametrize("scheme", ROUNDS)
def test_the_small_variants_agree_with_openssl(scheme, device):
    """Fewer on AVR: an operation takes up to 423 million cycles, some seconds."""
    operations = 100 if "atmega" in device else 1000
    agree_with_openssl(device, implementation_of(scheme, "-small"), scheme, operations)
