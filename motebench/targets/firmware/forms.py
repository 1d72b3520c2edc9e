"""Firmware with its code at other places: a cache of the flash and the buffer of fetched words make
cycles depend on the place.

A place is a number. The first, 0, is the layout of the linker script: every measured function at a
multiple of 8 bytes, in the order of the sources. At each other place it is as in some program of a
user: files come in an order of its own, functions of a file in theirs, aligned as the compiler asks
for; code, constants and what is used of the C library each begin up to 4 KB later.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from motebench.base.model import FailureKind
from motebench.base.naming import BOARD
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
from motebench.targets.firmware.toolchain import script_of, toolchain
from motebench.targets.wire.messages import ProbeFailure

_LONGEST_GAP = 4096
_HEAD = re.compile(
    r"^( +\.(measured|constants|library) :.*?)(?: SUBALIGN\(\d+\))? \{$", re.MULTILINE
)


def placeable(device: Device) -> bool:
    """True if code of firmware for the device can be moved: our own linker script puts measured
    code first.
    """
    script = script_of(device)
    return script is not None and bool(_HEAD.search(script.read_text(encoding="utf-8")))


@cache
def placed(device: Device, image: FirmwareImage, place: int) -> FirmwareImage:
    """Image with its code at that place; its sizes remain those of place 0, without the gaps.

    ProbeFailure: ``too-big`` if it does not fit with the gaps, ``build`` with the linker's words.
    """
    if place == 0:
        return image
    if image.tools is None or image.tools.script is None:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"firmware for {device.id} has no linker script of our own"
        )
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


# Formats of programmers


_ENDINGS = {"ihex": ".hex", "binary": ".bin", "uf2": ".uf2"}
_BEGIN, _SECOND, _END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_FAMILY = 0x2000
"""The flag: the block names a family of chips."""
_PAGE = 256
"""Bytes of a block, and the alignment of its address: boot ROMs of Raspberry Pi's chips accept no
other values.
"""
_DATA, _SEGMENT, _HIGH = 0, 2, 4
"""Kinds of lines of an Intel HEX file: data; bits 4 to 19 of an offset for addresses; bits 16 to 31
of it.
"""


def flashable(device: Device, image: FirmwareImage, form: str) -> Path:
    """The image as a file of that format, next to its ELF file.

    ProbeFailure of kind ``build`` if it cannot be made, ``unsupported`` if no boot loader of the
    device takes UF2.
    """
    path = image.path.with_suffix(_ENDINGS[form])
    if form == "uf2":
        return _uf2(device, image, path)
    if path.exists():
        return path
    part = path.with_name(f"{path.name}.part")
    command = [toolchain(device).objcopy, "-O", form, "-R", ".eeprom", str(image.path), str(part)]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, timeout=60
    )
    if done.returncode != 0:
        message = " ".join(done.stderr.split())
        raise ProbeFailure(
            FailureKind.of(message, FailureKind.BUILD), message or f"{command[0]} failed"
        )
    part.replace(path)
    return path


def _uf2(device: Device, image: FirmwareImage, path: Path) -> Path:
    family = device.serial.uf2_family if device.serial is not None else None
    if family is None:
        able = [
            f"{BOARD}{board.id}" for board in device.other_boards if board.uf2_family is not None
        ]
        others = f"; those of {' and '.join(able)} do" if able else ""
        problem = f"the catalog knows no boot loader of {device.id} that takes UF2{others}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, problem)
    data = uf2_of(flashable(device, image, "ihex").read_text(encoding="ascii"), int(family, 16))
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
    return path


def uf2_of(ihex: str, family: int) -> bytes:
    """The contents of an Intel HEX file as UF2 for that family. Gaps within a page are zero."""
    pages: dict[int, bytearray] = {}
    for address, data in _pieces(ihex):
        for place, byte in enumerate(data, address):
            pages.setdefault(place - place % _PAGE, bytearray(_PAGE))[place % _PAGE] = byte
    blocks = (
        struct.pack(
            "<8I476sI",
            _BEGIN,
            _SECOND,
            _FAMILY,
            address,
            _PAGE,
            number,
            len(pages),
            family,
            bytes(page),
            _END,
        )
        for number, (address, page) in enumerate(sorted(pages.items()))
    )
    return b"".join(blocks)


def _pieces(ihex: str) -> Iterator[tuple[int, bytes]]:
    """The data in the lines of an Intel HEX file, each with its address."""
    base = 0
    for line in ihex.split():
        length, offset, kind = struct.unpack(">BHB", bytes.fromhex(line[1:9]))
        data = bytes.fromhex(line[9 : 9 + 2 * length])
        if kind == _DATA:
            yield base + offset, data
        elif kind in (_SEGMENT, _HIGH):
            base = int.from_bytes(data, "big") << (4 if kind == _SEGMENT else 16)
