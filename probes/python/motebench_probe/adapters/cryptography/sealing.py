"""Ciphers with a tag, by the library's objects for whole messages: AESGCM, AESCCM, AESOCB3,
ChaCha20Poly1305.

An object has a key; ``encrypt`` takes a nonce and returns ciphertext and tag in one, ``decrypt``
takes them so. What is put together or taken apart for the protocol is so outside the timed region.
"""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers import aead

from motebench_probe import errors
from motebench_probe.adapters.cryptography.blocks import public_key
from motebench_probe.errors import Failure, Rejected
from motebench_probe.tasks import Stream, Task, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Job
    from motebench_probe.tasks import Result

__all__ = ["messages", "open_stream", "open_task", "public_key"]


def messages(job: Job, make: Callable[[], Any], tag_len: int) -> Task:
    """Whole messages with an object that ``make`` makes of the key."""
    nonce, data, aad = job.nonce, job.data, job.aad or None
    if job.op == "key-setup":
        return Task(make, nothing)
    try:
        keyed = make()
    except (ValueError, UnsupportedAlgorithm) as problem:
        raise Failure(errors.UNSUPPORTED, errors.describe(problem)) from None

    def apart(sealed: bytes) -> Result:
        cut = len(sealed) - tag_len
        return sealed[:cut], sealed[cut:]

    if job.op == "encrypt-message":
        return Task(partial(keyed.encrypt, nonce, data, aad), apart)
    if job.op == "encrypt-new-key":
        return Task(lambda: make().encrypt(nonce, data, aad), apart)
    sealed, decrypt = data + job.tag, keyed.decrypt

    def unseal() -> bytes:
        try:
            plain: bytes = decrypt(nonce, sealed, aad)
        except InvalidTag:
            raise Rejected from None
        return plain

    return Task(unseal)


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    kind = getattr(aead, job.scheme.param)
    tag_len = len(job.tag) if job.op == "decrypt-message" else job.tag_len or job.scheme.tag[1]
    if job.scheme.param == "AESCCM":
        return messages(job, partial(kind, job.key, tag_len), tag_len)
    return messages(job, partial(kind, job.key), tag_len)


def open_stream(_: Job) -> Stream:
    """The operation on a file, piece by piece."""
    raise Failure(errors.UNSUPPORTED, "scheme: the library processes whole messages only")
