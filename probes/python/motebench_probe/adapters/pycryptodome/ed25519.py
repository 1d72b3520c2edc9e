"""Ed25519 (RFC 8032)."""

from __future__ import annotations

from functools import partial

from Crypto.Signature import eddsa

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome.pairs import new_pair
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return Task(partial(new_pair, "Ed25519"), lambda key: (key.seed, b""))
    if job.op == "sign":
        return Task(partial(eddsa.new(eddsa.import_private_key(job.key), "rfc8032").sign, job.data))
    verify = eddsa.new(eddsa.import_public_key(job.key), "rfc8032").verify
    return Task(partial(verified, ValueError, verify, job.data, job.signature))


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(
        errors.UNSUPPORTED, "scheme: Ed25519 reads the message twice, so it cannot be streamed"
    )


def public_key(job: Job) -> bytes:
    """32 bytes."""
    return eddsa.import_private_key(job.key).public_key().export_key(format="raw")
