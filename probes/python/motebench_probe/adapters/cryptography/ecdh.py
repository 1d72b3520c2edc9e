"""Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2), with keys that are decoded, and checked, before the
clock runs.
"""

from __future__ import annotations

from functools import partial

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream

_SCALAR, _POINT, _UNCOMPRESSED = 32, 65, 4


def _private(key: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(key, "big"), ec.SECP256R1())


def _point(peer: bytes) -> ec.EllipticCurvePublicKey | None:
    """Point of a public key; None unless it is an uncompressed point of the curve."""
    if len(peer) != _POINT or peer[0] != _UNCOMPRESSED:
        return None
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), peer)
    except ValueError:
        return None


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return Task(
            partial(ec.generate_private_key, ec.SECP256R1()),
            lambda key: (key.private_numbers().private_value.to_bytes(_SCALAR, "big"), b""),
        )
    own, peer = _private(job.key), _point(job.peer)
    return refused() if peer is None else Task(partial(own.exchange, ec.ECDH(), peer))


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: key agreement has no whole-file operations")


def public_key(job: Job) -> bytes:
    """The uncompressed point, 65 bytes."""
    public = _private(job.key).public_key()
    return public.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
