"""Hash functions: ``new(data=...)`` and the digest of it."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from motebench_probe.adapters.pycryptodome.blocks import public_key
from motebench_probe.tasks import Stream, Task, swallowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    module, size, extra = job.scheme.param
    make = partial(import_module(f"Crypto.Hash.{module}").new, data=job.data, **extra)
    if module.startswith("SHAKE"):
        return Task(lambda: make().read(size))
    return Task(lambda: make().digest())


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    module, size, extra = job.scheme.param
    state = import_module(f"Crypto.Hash.{module}").new(**extra)
    final = partial(state.read, size) if module.startswith("SHAKE") else state.digest
    return Stream(swallowing(state.update), final)
