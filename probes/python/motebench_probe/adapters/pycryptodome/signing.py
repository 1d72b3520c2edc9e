"""Common parts of signatures over a hash object."""

from __future__ import annotations

from motebench_probe.tasks import Stream, Task, swallowing, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job


def task(job: Job, signer: Any, new_hash: Any) -> Task:
    """Sign or verify a message in memory."""
    data, signature = job.data, job.signature
    if job.op == "sign":
        sign = signer.sign
        return Task(lambda: sign(new_hash(data)))
    verify = signer.verify
    return Task(lambda: verified(ValueError, verify, new_hash(data), signature))


def stream(job: Job, signer: Any, new_hash: Any) -> Stream:
    """Sign or verify a file."""
    state = new_hash()

    def final() -> bytes:
        if job.op == "sign":
            signature: bytes = signer.sign(state)
            return signature
        return verified(ValueError, signer.verify, state, job.signature)

    return Stream(swallowing(state.update), final)
