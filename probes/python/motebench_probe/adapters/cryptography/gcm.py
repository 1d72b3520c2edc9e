"""AES-GCM: whole messages by AESGCM, long ones and files by ``Cipher``, as the library's
documentation recommends.
"""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes

from motebench_probe import errors
from motebench_probe.adapters.cryptography import sealing
from motebench_probe.adapters.cryptography.blocks import public_key
from motebench_probe.errors import Failure, Rejected
from motebench_probe.tasks import InPlace, Stream, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]

_TAG = 16


def _context(job: Job) -> Any:
    cipher = Cipher(algorithms.AES(job.key), modes.GCM(job.nonce))
    context: Any = cipher.decryptor() if job.op.startswith("decrypt") else cipher.encryptor()
    if job.aad:
        context.authenticate_additional_data(job.aad)
    return context


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    if job.op not in ("encrypt", "decrypt"):
        return sealing.messages(job, partial(aead.AESGCM, job.key), _TAG)

    def begin(buffer: memoryview) -> Callable[[], int]:
        return partial(_context(job).update_into, buffer, buffer)

    return InPlace(begin, job.data)


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    context = _context(job)
    if job.op == "encrypt-message":
        return Stream(context.update, context.finalize, lambda: context.tag)
    if len(job.tag) != _TAG:
        raise Failure(errors.UNSUPPORTED, f"tag: {_TAG} bytes only")

    def final() -> bytes:
        try:
            rest: bytes = context.finalize_with_tag(job.tag)
        except InvalidTag:
            raise Rejected from None
        return rest

    return Stream(context.update, final)
