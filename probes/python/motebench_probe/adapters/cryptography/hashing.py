"""Hash functions: ``Hash(algorithm)``, update, finalize."""

from __future__ import annotations

from functools import partial

from cryptography.hazmat.primitives import hashes

from motebench_probe.adapters.cryptography.blocks import public_key
from motebench_probe.tasks import Stream, Task, swallowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]


def _algorithm(job: Job) -> Any:
    name, size = job.scheme.param
    kind = getattr(hashes, name)
    return kind(size) if size else kind()


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    make, data = partial(hashes.Hash, _algorithm(job)), job.data

    def digest() -> bytes:
        state = make()
        state.update(data)
        return state.finalize()

    return Task(digest)


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    state = hashes.Hash(_algorithm(job))
    return Stream(swallowing(state.update), state.finalize)
