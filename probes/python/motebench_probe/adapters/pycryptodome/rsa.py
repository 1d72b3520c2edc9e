"""RSA signatures. The signing object is made once per key, the hash object once per message."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15, pss

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome import signing
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream


def _key(job: Job, *, private: bool) -> RSA.RsaKey:
    bits, _, _ = job.scheme.param
    key = RSA.import_key(job.key)
    if key.has_private() != private:
        raise Failure(
            errors.BAD_REQUEST, "key: a public key instead of a private key, or the reverse"
        )
    if key.size_in_bits() != bits:
        raise Failure(
            errors.UNSUPPORTED, "key: the length of its modulus is not that of the scheme"
        )
    return key


def _open(job: Job) -> tuple[Any, Any]:
    """The signing object and the maker of hash objects."""
    _, padding, module = job.scheme.param
    digest = import_module(f"Crypto.Hash.{module}")
    key = _key(job, private=job.op == "sign")
    if padding == "pkcs1":
        return pkcs1_15.new(key), digest.new
    return pss.new(key, salt_bytes=digest.digest_size), digest.new


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        bits, _, _ = job.scheme.param
        return Task(partial(RSA.generate, bits), lambda key: (key.export_key("DER", pkcs=1), b""))
    return signing.task(job, *_open(job))


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    return signing.stream(job, *_open(job))


def public_key(job: Job) -> bytes:
    """The RSAPublicKey of RFC 8017: modulus and exponent as a DER sequence."""
    from Crypto.Util.asn1 import DerSequence

    key = _key(job, private=True)
    return DerSequence([key.n, key.e]).encode()
