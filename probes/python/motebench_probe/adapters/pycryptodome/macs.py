"""HMAC, CMAC, GMAC and KMAC. A keyed object is copied for each message, or made anew for GMAC (GCM
without a text) and KMAC, which have no copy; key-setup makes such an object."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from Crypto.Cipher import AES
from Crypto.Hash import CMAC, HMAC

from motebench_probe.adapters.pycryptodome.blocks import public_key
from motebench_probe.adapters.pycryptodome.table import WITHOUT_AES
from motebench_probe.tasks import Stream, Task, nothing, swallowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]


def _keyed(job: Job) -> Callable[[], Any]:
    module = job.scheme.param
    if module == "CMAC":
        plain = {"use_aesni": False} if WITHOUT_AES else {}
        return partial(CMAC.new, job.key, ciphermod=AES, cipher_params=plain)
    if module == "GMAC":
        plain = {"use_aesni": False, "use_clmul": False} if WITHOUT_AES else {}
        return partial(
            AES.new, job.key, AES.MODE_GCM, nonce=job.nonce or bytes(job.scheme.nonce[0]), **plain
        )
    if module.startswith("KMAC"):
        return partial(
            import_module(f"Crypto.Hash.{module}").new, key=job.key, mac_len=job.scheme.tag[1]
        )
    return partial(HMAC.new, job.key, digestmod=import_module(f"Crypto.Hash.{module}"))


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    make = _keyed(job)
    if job.op == "key-setup":
        return Task(make, nothing)
    keyed, data = make(), job.data
    copy = getattr(keyed, "copy", make)

    def mac() -> bytes:
        state = copy()
        state.update(data)
        out: bytes = state.digest()
        return out

    return Task(mac)


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    state = _keyed(job)()
    return Stream(swallowing(state.update), state.digest)
