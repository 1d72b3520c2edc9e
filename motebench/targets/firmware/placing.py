"""The same firmware with its code elsewhere: a cache of the flash and the buffer of fetched words make cycles depend on
it.

A place is a number. The first, 0, is the layout of the linker script: every measured function at a multiple of 8 bytes,
in the order of the sources. At each other place it is as in some program of a user: files come in an order of its own,
functions of a file in theirs, aligned as the compiler asks for; code, constants and what is used of the C library each
begin up to 4 KB later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from motebench.base.model import FailureKind
from motebench.catalog.devices import Device
from motebench.targets.firmware.build import (
    LIBRARY,
    PROBE,
    FirmwareImage,
    cache_dir,
    check_simulated_fit,
    digest,
    link,
    sizes,
)
from motebench.targets.firmware.toolchain import script_of
from motebench.targets.wire.messages import ProbeFailure

_LONGEST_GAP = 4096
_HEAD = re.compile(r"^( +\.(measured|constants|library) :.*?)(?: SUBALIGN\(\d+\))? \{$", re.MULTILINE)


def placeable(device: Device) -> bool:
    """Whether firmware for the device can be placed elsewhere: a linker script of our own puts measured code first."""
    script = script_of(device)
    return script is not None and bool(_HEAD.search(script.read_text(encoding="utf-8")))


@cache
def placed(device: Device, image: FirmwareImage, place: int) -> FirmwareImage:
    """The image with its code at that place; its sizes remain those of place 0, without the gaps.

    ProbeFailure: ``too-big`` if it does not fit with the gaps, ``build`` with the linker's words.
    """
    if place == 0:
        return image
    if image.tools is None or image.tools.script is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"firmware for {device.id} has no linker script of our own")
    tools = replace(image.tools, script=_script(image.tools.script, image.linked, place))
    elf = link(tools, image.linked)
    check_simulated_fit(device, sizes(tools, elf)[0])
    return replace(image, path=elf)


def _script(script: Path, objects: Sequence[Path], place: int) -> Path:
    """The linker script of a place, as a file."""
    random = Random(place)
    measured = [path for path in objects if not path.name.startswith((PROBE, LIBRARY))]
    random.shuffle(measured)

    def moved(head: re.Match[str]) -> str:
        lines = [f"{head[1]} {{", f"        . += {random.randrange(0, _LONGEST_GAP, 4)};"]
        if head[2] == "measured":
            lines += [f"        *{path.name}(.text .text.*)" for path in measured]
        return "\n".join(lines)

    text = _HEAD.sub(moved, script.read_text(encoding="utf-8"))
    path = cache_dir() / f"place-{digest([text.encode()]).hex()[:32]}.ld"
    if not path.exists():
        part = path.with_name(f"{path.name}.{id(text)}")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    return path
