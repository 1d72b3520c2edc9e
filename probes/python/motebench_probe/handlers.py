"""Handlers of requests, by name."""

from __future__ import annotations

import os
import sys

from motebench_probe import PROTOCOL, VERSION, clocks, errors, files, frames, memory, work
from motebench_probe.errors import Failure
from motebench_probe.tasks import Rejecting, Turning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Adapter, Job
    from motebench_probe.tasks import Task
    from motebench_probe.work import Request

_PAGE = 64
"""Schemes in one reply to list."""
_AROUND = 64
"""Bytes of a reply in addition to both outputs."""
_AROUND_TIMES = 128
"""Bytes of a reply in addition to the readings of batches."""
_BATCH_BYTES, _MAX_BATCHES = 36, 32768
_MAX_TURNS = 64
_U32 = 2**32 - 1


def _hello(adapter: Adapter, _: Request) -> dict[str, Any]:
    return {
        "proto": PROTOCOL,
        "probe": f"motebench-python {VERSION}",
        "impl": adapter.implementation,
        "version": adapter.version(),
        "compiler": f"{sys.implementation.name} {' '.join(sys.version.split())}",
        "flags": "garbage collector off while timing",
        "arch": os.uname().machine,
        **clocks.describe(),
        "max_frame": frames.MAX_FRAME,
        "max_data": work.max_data(),
        "does": list(HANDLERS),
    }


def _list(adapter: Adapter, request: Request) -> dict[str, Any]:
    schemes = list(adapter.schemes().values())
    start = min(work.uint(request, "from", 0, 2**64 - 1, 0), len(schemes))
    end = min(start + _PAGE, len(schemes))
    reply: dict[str, Any] = {"schemes": [scheme.entry() for scheme in schemes[start:end]]}
    return {**reply, "next": end} if end < len(schemes) else reply


def _result(job: Job, out: bytes, second: bytes, *, brief: bool) -> dict[str, Any]:
    (name, first), *rest = work.outputs(job, out, second).items()
    reply: dict[str, Any] = {"crc": work.crc_of(out, second), **dict(rest)}
    if brief or len(out) + len(second) + _AROUND > frames.MAX_FRAME:
        return {**reply, "len": len(out)}
    return {**reply, name: first}


def _compute(adapter: Adapter, request: Request) -> dict[str, Any]:
    brief = work.boolean(request, "brief")
    if work.boolean(request, "public"):
        scheme = work.scheme_of(adapter, request)
        job = work.read_key(scheme, request)
        return _result(job, adapter.family(scheme.family).public_key(job), b"", brief=brief)
    job = work.invert(adapter, request, work.read_job(adapter, request))
    return _result(job, *work.once(work.open_task(adapter, job)), brief=brief)


def _measure(adapter: Adapter, request: Request, turns: list[Task] | None = None) -> dict[str, Any]:
    begun = clocks.wall()
    batch = work.uint(request, "batch", 1, _U32, 1)
    count = work.uint(request, "count", 1, _U32, 1)
    warm = work.uint(request, "warm", 0, _U32, 0)
    if count > min(_MAX_BATCHES, (frames.MAX_FRAME - _AROUND_TIMES) // _BATCH_BYTES):
        raise Failure(errors.TOO_BIG, "count: the readings do not fit a frame")
    reject = work.rejects(request, batch, warm)
    reference = work.boolean(request, "reference_loop")
    job = work.invert(adapter, request, work.read_job(adapter, request))
    task = work.open_task(adapter, job)
    if reject:
        task = Rejecting(task)
    timed = task if turns is None else Turning(turns)
    before = work.once(task)
    if warm:
        task.start()
        task.run(warm)
    readings: list[tuple[int, int, int]] = []
    loops: list[int] = []
    first = begun
    for _ in range(count):
        timed.start()
        loop = clocks.reference_loop() if reference else 0
        first = first if readings else clocks.wall()
        readings.append(clocks.time_batch(timed.run, batch))
        if reference:
            loops.append(min(loop, clocks.reference_loop()))
    ended = clocks.wall()
    out, second = work.once(task)
    if not work.is_random(job) and (out, second) != before:
        raise Failure(
            errors.WRONG_ANSWER, "the output changed between the first batch and the last"
        )
    reply: dict[str, Any] = {
        "ticks": [wall for wall, _, _ in readings],
        "cpu": [cpu for _, cpu, _ in readings],
        "preempted": [lost for _, _, lost in readings],
        "crc": work.crc_of(out, second),
        "len": len(out),
        "before": first - begun,
        "after": clocks.wall() - ended,
    }
    if reference:
        reply["reference_loop"] = loops
    room = frames.MAX_FRAME - _AROUND_TIMES - count * _BATCH_BYTES
    return (
        {**reply, **work.outputs(job, out, second)}
        if work.is_random(job) and len(out + second) <= room
        else reply
    )


def _measure_turns(adapter: Adapter, request: Request) -> dict[str, Any]:
    count = work.uint(request, "turns", 1, _MAX_TURNS, 1)
    inputs = request.get("inputs")
    if (
        not isinstance(inputs, list)
        or len(inputs) != count
        or not all(isinstance(each, dict) for each in inputs)
    ):
        raise Failure(errors.BAD_REQUEST, "inputs: not as many maps as turns says")
    jobs = [work.invert(adapter, each, work.read_job(adapter, each)) for each in inputs]
    return _measure(adapter, request, [work.open_task(adapter, job) for job in jobs])


def _memory(adapter: Adapter, request: Request) -> dict[str, Any]:
    job = work.read_job(adapter, request)
    # Kept until the end: what is freed now would be used again, and the operation seem to need
    # less.
    given = job.data
    # Opened first: importing a library takes more memory than most of what it does.
    task = work.open_task(adapter, work.invert(adapter, request, job))
    task.start()
    memory.forget_peak()
    floor = memory.peak_resident()
    if floor is None:
        raise Failure(errors.UNSUPPORTED, "the system does not report memory use")
    task.run(1)
    del given
    return {"floor": floor, "peak": max(floor, memory.peak_resident() or 0)}


HANDLERS: dict[str, Callable[[Adapter, Request], dict[str, Any]]] = {
    "hello": _hello,
    "list": _list,
    "compute": _compute,
    "measure": _measure,
    "measure-turns": _measure_turns,
    "memory": _memory,
    "file": files.handle,
}
