"""HMAC. A keyed object is copied for each message; key-setup makes such an object."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from Crypto.Hash import HMAC

from motebench_probe.adapters.pycryptodome.blocks import public_key
from motebench_probe.tasks import Stream, Task, nothing, swallowing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from motebench_probe.schemes import Job

__all__ = ["open_stream", "open_task", "public_key"]


def open_task(job: Job) -> Task:
    """See `motebench_probe.schemes.Family`."""
    make = partial(HMAC.new, job.key, digestmod=import_module(f"Crypto.Hash.{job.scheme.param}"))
    if job.op == "key-setup":
        return Task(make, nothing)
    copy, data = make().copy, job.data

    def mac() -> bytes:
        state = copy()
        state.update(data)
        return state.digest()

    return Task(mac)


def open_stream(job: Job) -> Stream:
    """See `motebench_probe.schemes.Family`."""
    state = HMAC.new(job.key, digestmod=import_module(f"Crypto.Hash.{job.scheme.param}"))
    return Stream(swallowing(state.update), state.digest)
