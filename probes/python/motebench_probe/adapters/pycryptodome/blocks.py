"""Block ciphers in the library's modes."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from motebench_probe import errors
from motebench_probe.adapters.pycryptodome import messages
from motebench_probe.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.adapters.pycryptodome.messages import Make
    from motebench_probe.adapters.pycryptodome.table import BlockParam
    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Stream, Task


def _make(job: Job, **lengths: int) -> Make:
    """Make an object for a message. ``lengths``: those of the message, if it comes in pieces."""
    param: BlockParam = job.scheme.param
    module = import_module(f"Crypto.Cipher.{param.module}")
    mode = param.mode
    more: dict[str, Any] = {**param.extra, **lengths}
    if mode.nonce:
        # Key set-up needs no nonce, but the library does.
        more[mode.nonce] = job.nonce or bytes(job.scheme.nonce[0])
    if mode.nonce == "initial_value":
        more["nonce"] = b""  # the whole block is a counter
    if job.scheme.tag[1]:
        more["mac_len"] = (
            len(job.tag) if job.op == "decrypt-message" else job.tag_len or job.scheme.tag[1]
        )
    return messages.checked(partial(module.new, job.key, getattr(module, mode.native), **more))


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    param: BlockParam = job.scheme.param
    mode = param.mode
    make = _make(job)
    if job.op == "key-setup":
        return messages.key_setup(make)
    if job.op in ("encrypt", "decrypt"):
        return messages.bulk(job, make, writes=mode.writes, whole_messages=mode.name == "ccm")
    if mode.padded:
        return messages.padded_messages(job, make, param.block, restarts=mode.restarts)
    return (
        messages.sealed_messages(job, make)
        if job.scheme.tag[1]
        else messages.plain_messages(job, make)
    )


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    param: BlockParam = job.scheme.param
    mode = param.mode
    if mode.padded:
        return messages.padded_stream(job, _make(job), param.block)
    if not job.scheme.tag[1]:
        return messages.plain_stream(job, _make(job))
    lengths = {"msg_len": job.total, "assoc_len": len(job.aad)} if mode.name == "ccm" else {}
    return messages.sealed_stream(job, _make(job, **lengths), buffers=mode.name == "ocb")


def public_key(_: Job) -> bytes:
    """The public key that belongs to ``job.key``."""
    raise Failure(errors.UNSUPPORTED, "public: a symmetric scheme has no public keys")
