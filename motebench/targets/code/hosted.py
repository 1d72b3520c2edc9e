"""What user code on boards uses of a C library that expects a system: ``core/code/hosted.c``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.catalog.devices import Device
from motebench.targets.code.compiling import wanted_of
from motebench.targets.firmware.architecture import architecture
from motebench.targets.firmware.toolchain import Toolchain
from motebench.targets.wire.messages import ProbeFailure

HEAP_SHARE = 8
"""The heap has this part of the device's RAM, unless the flag says otherwise."""
_HEAP = re.compile(r"-DMOTEBENCH_HEAP=(.*)", re.DOTALL)
_ALLOCATES = frozenset({"malloc", "calloc", "realloc", "strdup"})
_PRINTS = frozenset({"printf", "puts", "putchar", "vprintf", "fprintf", "fputs", "fputc", "putc", "fwrite", "perror"})
_SETS = "--code-flags=-DMOTEBENCH_HEAP=BYTES sets it"
_ENDS = frozenset({"mb_code_assert", "abort", "exit", "_exit"})


@dataclass(frozen=True, slots=True)
class HostedLibrary:
    """``defined``: macros for ``hosted.c`` and the adapter. ``heap``, ``prints``: remarks, or empty."""

    defined: tuple[str, ...]
    heap: str
    prints: str


def hosted(device: Device, tools: Toolchain, whole: Path, flags: Sequence[str]) -> HostedLibrary:
    """What ``whole``, the object of the code, needs. ProbeFailure of kind ``build`` if the size of the heap is none."""
    wanted = wanted_of(tools, whole)
    heap = _heap(device, flags)
    # Streams of avr-libc need no heap, and a full one ends nothing.
    avr = architecture(device.architecture).tools.machine == "avr"
    on_heap = wanted & _ALLOCATES or (wanted & _PRINTS and not avr)
    defined = [f"-DMB_CODE_HEAP={heap}"]
    if wanted & _ENDS or (on_heap and not avr):
        defined.append("-DMB_CODE_ENDS")
    if "exit" in wanted:
        defined.append("-DMB_CODE_EXIT")
    size = f"on {device.id} malloc has a heap of {heap} B, static RAM of code that calls it; {_SETS}"
    return HostedLibrary(
        tuple(defined),
        size if on_heap else "",
        f"on {device.id} what it prints is discarded" if wanted & _PRINTS else "",
    )


def _heap(device: Device, flags: Sequence[str]) -> int:
    """Bytes of the heap: a multiple of 8."""
    given = [found[1] for flag in flags if (found := _HEAP.fullmatch(flag))]
    if not given:
        return device.ram_bytes // HEAP_SHARE
    if not given[-1].isdecimal() or not 8 <= int(given[-1]) <= device.ram_bytes:
        raise ProbeFailure(
            FailureKind.BUILD,
            f"-DMOTEBENCH_HEAP={given[-1]}: the heap of {device.id} has 8 to {device.ram_bytes} bytes",
        )
    return int(given[-1]) // 8 * 8
