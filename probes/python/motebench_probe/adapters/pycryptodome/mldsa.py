"""ML-DSA (FIPS 204), deterministic; private keys whole, decoded and checked before the clock
runs.
"""

from __future__ import annotations

from functools import partial

from Crypto.PublicKey import MLDSA
from Crypto.Signature import mldsa

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, refused, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream

_SEED = 32


def _set(job: Job) -> Any:
    return getattr(MLDSA, job.scheme.param)


def _private(job: Job) -> Any:
    if len(job.key) != job.scheme.key[1]:
        raise Failure(errors.UNSUPPORTED, f"key: a private key has {job.scheme.key[1]} bytes")
    return MLDSA.construct(param_set=_set(job), sk=job.key)


def _keygen(job: Job) -> Task:
    if job.seed and len(job.seed) != _SEED:
        raise Failure(errors.UNSUPPORTED, f"seed: must have {_SEED} bytes")
    if job.seed:
        return Task(
            partial(MLDSA.construct, param_set=_set(job), seed=job.seed), lambda key: (key.sk, b"")
        )
    return Task(partial(MLDSA.generate, param_set=_set(job)), lambda key: (key.sk, b""))


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return _keygen(job)
    if job.op == "sign":
        return Task(
            partial(mldsa.new(_private(job), job.context, deterministic=True).sign, job.data)
        )
    try:
        key = MLDSA.construct(param_set=_set(job), pk=job.key)
    except ValueError:
        return refused()
    return Task(
        partial(verified, ValueError, mldsa.new(key, job.context).verify, job.data, job.signature)
    )


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: offered for whole messages only")


def public_key(job: Job) -> bytes:
    """Public key in the form of FIPS 204."""
    key: bytes = _private(job).pk
    return key
