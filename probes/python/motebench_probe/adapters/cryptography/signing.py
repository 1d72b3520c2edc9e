"""RSA and ECDSA signatures: ``sign`` and ``verify`` of a decoded key, including the hash."""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.tasks import Stream, Task, swallowing, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job

_DER = serialization.Encoding.DER
_SCALAR, _POINT = 32, 65
_EXPONENT = 65537


def _hash(job: Job) -> hashes.HashAlgorithm:
    found: hashes.HashAlgorithm = getattr(hashes, job.scheme.param[3])()
    return found


def _parameters(job: Job, algorithm: Any) -> tuple[Any, ...]:
    """The other parameters of sign and verify."""
    kind, _, pad, _ = job.scheme.param
    if kind == "ecdsa":
        return (ec.ECDSA(algorithm),)
    if pad == "pkcs1":
        return padding.PKCS1v15(), algorithm
    return padding.PSS(padding.MGF1(_hash(job)), padding.PSS.DIGEST_LENGTH), algorithm


def _check_bits(job: Job, key: rsa.RSAPrivateKey | rsa.RSAPublicKey) -> None:
    if key.key_size != job.scheme.param[1]:
        raise Failure(
            errors.UNSUPPORTED, "key: the length of its modulus is not that of the scheme"
        )


def _private(job: Job) -> rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey:
    if job.scheme.param[0] == "ecdsa":
        if len(job.key) != _SCALAR:
            raise Failure(errors.UNSUPPORTED, f"key: a private key has {_SCALAR} bytes")
        return ec.derive_private_key(int.from_bytes(job.key, "big"), ec.SECP256R1())
    key = serialization.load_der_private_key(job.key, None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise Failure(errors.BAD_REQUEST, "key: not an RSA key")
    _check_bits(job, key)
    return key


def _public(job: Job) -> rsa.RSAPublicKey | ec.EllipticCurvePublicKey:
    if job.scheme.param[0] == "ecdsa":
        if len(job.key) != _POINT:
            raise Failure(errors.UNSUPPORTED, f"key: a public key has {_POINT} bytes")
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), job.key)
    key = serialization.load_der_public_key(job.key)
    if not isinstance(key, rsa.RSAPublicKey):
        raise Failure(errors.BAD_REQUEST, "key: not an RSA key")
    _check_bits(job, key)
    return key


def _keygen(job: Job) -> Task:
    kind, bits, _, _ = job.scheme.param
    if kind == "ecdsa":
        return Task(
            partial(ec.generate_private_key, ec.SECP256R1()),
            lambda key: (key.private_numbers().private_value.to_bytes(_SCALAR, "big"), b""),
        )
    pkcs1, bare = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    return Task(
        partial(rsa.generate_private_key, _EXPONENT, bits),
        lambda key: (key.private_bytes(_DER, pkcs1, bare), b""),
    )


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return _keygen(job)
    parameters = _parameters(job, _hash(job))
    if job.op == "sign":
        key: Any = _private(job)
        return Task(partial(key.sign, job.data, *parameters))
    return Task(
        partial(
            verified, InvalidSignature, _public(job).verify, job.signature, job.data, *parameters
        )
    )


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    state = hashes.Hash(_hash(job))
    parameters = _parameters(job, utils.Prehashed(_hash(job)))
    key: Any = _private(job) if job.op == "sign" else _public(job)

    def final() -> bytes:
        if job.op == "sign":
            signature: bytes = key.sign(state.finalize(), *parameters)
            return signature
        return verified(InvalidSignature, key.verify, job.signature, state.finalize(), *parameters)

    return Stream(swallowing(state.update), final)


def public_key(job: Job) -> bytes:
    """RSAPublicKey (RFC 8017), or the uncompressed point."""
    key = _private(job).public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return key.public_bytes(_DER, serialization.PublicFormat.PKCS1)
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
