"""Functions that differ between two builds of user code on simulated boards: their cycles, bytes and stack.

Cycles are those of one operation: the profile of a board that does one more of them in a batch, less that of a board
that does one less, so that the greeting, requests and replies cancel out. The number in the reply has as many bytes in
both: the probe writes it with functions of the C library, which the code may use too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from motebench.base.files.elf import ObjectError, bytes_by_symbol
from motebench.base.identity import CaseId
from motebench.base.model import Case
from motebench.base.naming import unplaced
from motebench.documents.gate import FunctionBytesEntry, FunctionCyclesEntry
from motebench.measuring.images import provider_of
from motebench.measuring.work import jobs
from motebench.targets.board.board import UserFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware.build import PROBE, FirmwareImage
from motebench.targets.registry import open_target
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job, ProbeFailure

_SECONDS = 300.0
_LONG_NUMBER = 1 << 16
"""Cycles of a batch from which the reply has four bytes for them, up to 2^32."""
_ByFunction = Mapping[str, int]


def function_cycles(
    sides: tuple[Workspace, Workspace], cases: Iterable[Case]
) -> tuple[tuple[FunctionCyclesEntry, ...], tuple[str, ...]]:
    """The functions whose cycles differ, the largest difference of a case first; and why others are unknown."""
    entries: list[FunctionCyclesEntry] = []
    unknown: dict[str, None] = {}
    for case in at_usual_place(cases):
        try:
            base, head = (_cycles_of(workspace, case) for workspace in sides)
        except ProbeFailure as failure:
            unknown[f"cycles by function on {case.target}: {failure.message}"] = None
            continue
        of = {name: value for name, value in case.entry().items() if name != "file"}
        entries += (
            FunctionCyclesEntry(**of, function=name, base=before, head=after)
            for name, before, after in _different(base, head)
        )
    return tuple(entries), tuple(unknown)


def function_bytes(sides: tuple[Workspace, Workspace], cases: Iterable[Case]) -> tuple[FunctionBytesEntry, ...]:
    """The functions and objects whose bytes in flash, in RAM or on the stack differ."""
    entries: list[FunctionBytesEntry] = []
    for case in at_usual_place(cases, ("operation", "input_bytes", "aad_bytes", "cores")):
        try:
            base, head = (_bytes_of(workspace, case) for workspace in sides)
        except (ProbeFailure, ObjectError):
            continue  # the failure of the case says so
        named = {name: getattr(case, name) for name in ("scheme", "implementation", "target")}
        for memory in ("flash", "RAM", "stack"):
            entries += (
                FunctionBytesEntry(**named, memory=memory, function=name, base=before, head=after)
                for name, before, after in _different(base.get(memory, {}), head.get(memory, {}))
            )
    return tuple(entries)


def at_usual_place(cases: Iterable[Case], without: Sequence[str] = ()) -> Iterator[Case]:
    """Cases of simulated boards at the usual place of their code, each once; ``without``: parts that do not matter."""
    seen: set[CaseId] = set()
    for case in cases:
        if unplaced(case.target) != case.target or not isinstance(open_target(case.target).place, Simulation):
            continue
        key = case.without(*without)
        if key not in seen:
            seen.add(key)
            yield case


def _different(base: _ByFunction, head: _ByFunction) -> list[tuple[str, int | None, int | None]]:
    names = [name for name in {**base, **head} if base.get(name) != head.get(name)]
    names.sort(key=lambda name: (-abs(head.get(name, 0) - base.get(name, 0)), name))
    return [(name, base.get(name), head.get(name)) for name in names]


def _cycles_of(workspace: Workspace, case: Case) -> dict[str, int]:
    place = open_target(case.target, code=workspace.code).place
    assert isinstance(place, Simulation)
    scheme = workspace.schemes[case.scheme]
    provider = provider_of(workspace, place.device, case.provider)
    image = provider.image(place.device, case.scheme)
    session = open_target(case.target, code=workspace.code).open(case.provider)
    try:
        job = jobs.build(case, scheme, session.offers()[case.scheme], session, timeout=_SECONDS)
        ticks = session.measure(job, batch=1, count=1, warm=0, timeout=_SECONDS).ticks[0]
    finally:
        session.close()
    first = math.ceil(_LONG_NUMBER / max(ticks, 1))
    fewer, more = (place.profile(image, partial(_timed, job=job, batch=batch)) for batch in (first, first + 1))
    of_probe = _of_probe(image)
    cycles = {name: more[name] - fewer.get(name, 0) for name in more if name not in of_probe}
    return {name: count for name, count in cycles.items() if count > 0}


def _of_probe(image: FirmwareImage) -> set[str]:
    """Functions of the probe alone, which the harness of an operation calls."""
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for path in image.linked:
        with suppress(ObjectError):
            names[path.name.startswith(PROBE)] |= {name for _, name in bytes_by_symbol(path)}
    return names[True] - names[False]


def _timed(session: ProbeSession, *, job: Job, batch: int) -> None:
    session.measure(job, batch=batch, count=1, warm=0, timeout=_SECONDS)


def _bytes_of(workspace: Workspace, case: Case) -> dict[str, dict[str, int]]:
    device = open_target(case.target).place.device
    assert device is not None
    provider = provider_of(workspace, device, case.provider)
    image = provider.image(device, case.scheme)
    found: dict[str, dict[str, int]] = {}
    for (memory, name), size in bytes_by_symbol(image.path).items():
        found.setdefault(memory, {})[name] = size
    if isinstance(provider, UserFirmware):
        found["stack"] = provider.code.stack_frames(device, provider.level, provider.compiler)
    return found
