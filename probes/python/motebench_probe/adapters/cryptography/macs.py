"""HMAC and CMAC: a keyed object is copied for each message; key-setup makes such an object. GMAC:
AESGCM with additional data and no text, one call a message; key-setup makes an AESGCM."""

from __future__ import annotations

from functools import partial

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.hmac import HMAC

from motebench_probe.adapters.cryptography.blocks import public_key
from motebench_probe.tasks import Stream, Task, nothing, swallowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]


def _keyed(job: Job) -> Callable[[], HMAC | CMAC]:
    if job.scheme.param == "CMAC":
        return lambda: CMAC(AES(job.key))
    return partial(HMAC, job.key, getattr(hashes, job.scheme.param)())


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.scheme.param == "GMAC":
        return _gmac(job)
    make = _keyed(job)
    if job.op == "key-setup":
        return Task(make, nothing)
    copy, data = make().copy, job.data

    def mac() -> bytes:
        state = copy()
        state.update(data)
        return state.finalize()

    return Task(mac)


def _gmac(job: Job) -> Task:
    if job.op == "key-setup":
        return Task(partial(AESGCM, job.key), nothing)
    seal, nonce, data = AESGCM(job.key).encrypt, job.nonce, job.data
    return Task(lambda: seal(nonce, b"", data))


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    state = _keyed(job)()
    return Stream(swallowing(state.update), state.finalize)
