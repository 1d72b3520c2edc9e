"""ML-KEM (FIPS 203) and ML-DSA (FIPS 204): private keys are seeds; keys are decoded before the
clock runs.

Signing is hedged: the library draws random bytes for each signature.
"""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, refused, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream

_DSA_SEED = 32


def _kinds(job: Job) -> tuple[Any, Any]:
    """The classes of private and public keys."""
    module: Any = mlkem if job.scheme.kem else mldsa
    name = job.scheme.param
    return getattr(module, f"{name}PrivateKey"), getattr(module, f"{name}PublicKey")


def _private(job: Job) -> Any:
    seed = job.scheme.pair[1] if job.scheme.kem else _DSA_SEED
    if len(job.key) != seed:
        raise Failure(errors.UNSUPPORTED, f"key: a private key is a seed of {seed} bytes")
    return _kinds(job)[0].from_seed_bytes(job.key)


def _public(job: Job) -> Any:
    """Public key; None if the library refuses it: a wrong length, a coefficient above the
    modulus.
    """
    try:
        return _kinds(job)[1].from_public_bytes(job.key)
    except ValueError:
        return None


def _keygen(job: Job) -> Task:
    kind = _kinds(job)[0]
    if job.seed and len(job.seed) != (job.scheme.pair[1] if job.scheme.kem else _DSA_SEED):
        raise Failure(errors.UNSUPPORTED, "seed: of another length than the standard's")
    make: Callable[[], Any] = partial(kind.from_seed_bytes, job.seed) if job.seed else kind.generate
    kem = job.scheme.kem
    return Task(
        make,
        lambda key: (key.private_bytes_raw(), key.public_key().public_bytes_raw() if kem else b""),
    )


def _encapsulate(job: Job) -> Task:
    if job.seed:
        raise Failure(errors.UNSUPPORTED, "seed: the library takes none to encapsulate")
    key = _public(job)
    return Task(key.encapsulate, lambda pair: (pair[1], pair[0])) if key is not None else refused()


def _decapsulate(job: Job) -> Task:
    # A ciphertext of another length is the only one that is refused.
    return Task(partial(_private(job).decapsulate, job.ciphertext)) if _fits(job) else refused()


def _fits(job: Job) -> bool:
    return len(job.ciphertext) == job.scheme.outputs[0]


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return _keygen(job)
    if job.op == "encapsulate":
        return _encapsulate(job)
    if job.op == "decapsulate":
        return _decapsulate(job)
    if job.op == "sign":
        return Task(partial(_private(job).sign, job.data, job.context))
    key = _public(job)
    if key is None:
        return refused()
    return Task(
        partial(verified, InvalidSignature, key.verify, job.signature, job.data, job.context)
    )


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: the library processes whole messages only")


def public_key(job: Job) -> bytes:
    """Public key in the form of the standards."""
    key: bytes = _private(job).public_key().public_bytes_raw()
    return key
