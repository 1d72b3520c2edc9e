"""Stream ciphers, alone and with Poly1305."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from motebench_probe.adapters.pycryptodome import messages
from motebench_probe.adapters.pycryptodome.blocks import public_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.adapters.pycryptodome.messages import Make
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream, Task

__all__ = ["open_stream", "open_task", "public_key"]

_CHACHA_BLOCK = 64


def _make(job: Job) -> Make:
    name: str = job.scheme.param
    new = import_module(f"Crypto.Cipher.{name}").new
    if name == "ARC4":
        return messages.checked(partial(new, job.key))
    nonce = job.nonce or bytes(job.scheme.nonce[0])
    if name == "ChaCha20" and len(nonce) == 16:
        start = int.from_bytes(nonce[:4], "little") * _CHACHA_BLOCK

        def make() -> Any:
            cipher = new(key=job.key, nonce=nonce[4:])
            cipher.seek(start)
            return cipher

        return messages.checked(make)
    return messages.checked(partial(new, key=job.key, nonce=nonce))


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    make = _make(job)
    if job.op == "key-setup":
        return messages.key_setup(make)
    if job.op in ("encrypt", "decrypt"):
        return messages.bulk(job, make, writes=job.scheme.param != "ARC4")
    return (
        messages.sealed_messages(job, make)
        if job.scheme.tag[1]
        else messages.plain_messages(job, make)
    )


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    make = _make(job)
    return (
        messages.sealed_stream(job, make, buffers=False)
        if job.scheme.tag[1]
        else messages.plain_stream(job, make)
    )
