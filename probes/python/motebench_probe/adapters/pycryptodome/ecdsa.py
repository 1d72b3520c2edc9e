"""ECDSA on P-256 with SHA-256 and a random nonce (the library's ``fips-186-3``); signatures in
DER.
"""

from __future__ import annotations

from functools import partial

from Crypto.Hash import SHA256
from Crypto.PublicKey import ECC
from Crypto.Signature import DSS

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome import signing
from motebench_probe.adapters.pycryptodome.pairs import new_pair
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream

_SCALAR, _POINT = 32, 65


def _private(job: Job) -> ECC.EccKey:
    if len(job.key) != _SCALAR:
        raise Failure(errors.UNSUPPORTED, f"key: a private key has {_SCALAR} bytes")
    return ECC.construct(curve="P-256", d=int.from_bytes(job.key, "big"))


def _signer(job: Job) -> Any:
    if job.op == "sign":
        key = _private(job)
        # The library computes the public point at its first use; this is not part of signing.
        _ = key.pointQ
    elif len(job.key) == _POINT:
        key = ECC.import_key(job.key, curve_name="P-256")
    else:
        raise Failure(errors.UNSUPPORTED, f"key: a public key has {_POINT} bytes")
    return DSS.new(key, "fips-186-3", encoding="der")


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return Task(
            partial(new_pair, "P-256"), lambda key: (int(key.d).to_bytes(_SCALAR, "big"), b"")
        )
    return signing.task(job, _signer(job), SHA256.new)


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    return signing.stream(job, _signer(job), SHA256.new)


def public_key(job: Job) -> bytes:
    """The uncompressed point."""
    return _private(job).public_key().export_key(format="SEC1")
