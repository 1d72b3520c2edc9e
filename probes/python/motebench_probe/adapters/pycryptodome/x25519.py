"""X25519 (RFC 7748). Both keys are read before the clock runs."""

from __future__ import annotations

from functools import partial

from Crypto.Protocol import DH

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome.pairs import new_pair
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return Task(partial(new_pair, "Curve25519"), lambda key: (key.seed, b""))
    own = DH.import_x25519_private_key(job.key)
    peer = DH.import_x25519_public_key(job.peer)
    return Task(partial(DH.key_agreement, static_priv=own, static_pub=peer, kdf=bytes))


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: key agreement has no whole-file operations")


def public_key(job: Job) -> bytes:
    """32 bytes."""
    return DH.import_x25519_private_key(job.key).public_key().export_key(format="raw")
