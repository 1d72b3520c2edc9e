"""Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2), with keys that are decoded, and checked, before the
clock runs.
"""

from __future__ import annotations

from functools import partial

from Crypto.Protocol import DH
from Crypto.PublicKey import ECC

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome.pairs import new_pair
from motebench_probe.errors import Failure
from motebench_probe.tasks import Task, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream

_SCALAR, _POINT, _UNCOMPRESSED = 32, 65, 4


def _private(key: bytes) -> ECC.EccKey:
    return ECC.construct(curve="P-256", d=int.from_bytes(key, "big"))


def _point(peer: bytes) -> ECC.EccKey | None:
    """Point of a public key; None unless it is an uncompressed point of the curve."""
    if len(peer) != _POINT or peer[0] != _UNCOMPRESSED:
        return None
    try:
        return ECC.import_key(peer, curve_name="P-256")
    except ValueError:
        return None


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op == "keygen":
        return Task(
            partial(new_pair, "P-256"), lambda key: (int(key.d).to_bytes(_SCALAR, "big"), b"")
        )
    own, peer = _private(job.key), _point(job.peer)
    if peer is None:
        return refused()
    return Task(partial(DH.key_agreement, static_priv=own, static_pub=peer, kdf=bytes))


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: key agreement has no whole-file operations")


def public_key(job: Job) -> bytes:
    """The uncompressed point, 65 bytes."""
    public = _private(job.key).public_key()
    return bytes(public.export_key(format="SEC1"))
