"""Ed25519 (RFC 8032) and X25519 (RFC 7748), with keys that are decoded before the clock runs."""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519

from motebench_probe import errors
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream


def _private(job: Job) -> Any:
    kind: Any = (
        ed25519.Ed25519PrivateKey if job.scheme.param == "ed25519" else x25519.X25519PrivateKey
    )
    return kind


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    kind = _private(job)
    if job.op == "keygen":
        return Task(kind.generate, lambda key: (key.private_bytes_raw(), b""))
    if job.op == "sign":
        return Task(partial(kind.from_private_bytes(job.key).sign, job.data))
    if job.op == "agree":
        peer = x25519.X25519PublicKey.from_public_bytes(job.peer)
        return Task(partial(kind.from_private_bytes(job.key).exchange, peer))
    verify = ed25519.Ed25519PublicKey.from_public_bytes(job.key).verify
    return Task(partial(verified, InvalidSignature, verify, job.signature, job.data))


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: the library processes whole messages only")


def public_key(job: Job) -> bytes:
    """32 bytes."""
    key: bytes = _private(job).from_private_bytes(job.key).public_key().public_bytes_raw()
    return key
