"""Firmware in the formats of programmers: Intel HEX, the plain bytes of flash, or UF2.

Boot loaders take UF2 as if they were a USB drive (https://github.com/microsoft/uf2).
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.base.naming import BOARD
from motebench.catalog.devices import Device
from motebench.targets.firmware.build import FirmwareImage
from motebench.targets.firmware.toolchain import toolchain
from motebench.targets.wire.messages import ProbeFailure

_ENDINGS = {"ihex": ".hex", "binary": ".bin", "uf2": ".uf2"}
_BEGIN, _SECOND, _END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_FAMILY = 0x2000
"""The flag: the block names a family of chips."""
_PAGE = 256
"""Bytes of a block, and what its address is a multiple of: boot ROMs of Raspberry Pi's chips take no others."""
_DATA, _SEGMENT, _HIGH = 0, 2, 4
"""Kinds of lines of an Intel HEX file: data; bits 4 to 19 of what is added to addresses; bits 16 to 31 of it."""


def flashable(device: Device, image: FirmwareImage, form: str) -> Path:
    """The image as a file of that format, next to its ELF file.

    ProbeFailure of kind ``build`` if it cannot be made, ``unsupported`` if no boot loader of the device takes UF2.
    """
    path = image.path.with_suffix(_ENDINGS[form])
    if form == "uf2":
        return _uf2(device, image, path)
    if path.exists():
        return path
    part = path.with_name(f"{path.name}.part")
    command = [toolchain(device).objcopy, "-O", form, "-R", ".eeprom", str(image.path), str(part)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=60)
    if done.returncode != 0:
        words = " ".join(done.stderr.split())
        raise ProbeFailure(FailureKind.of(words, FailureKind.BUILD), words or f"{command[0]} failed")
    part.replace(path)
    return path


def _uf2(device: Device, image: FirmwareImage, path: Path) -> Path:
    family = device.serial.uf2_family if device.serial is not None else None
    if family is None:
        able = [f"{BOARD}{board.id}" for board in device.other_boards if board.uf2_family is not None]
        others = f"; those of {' and '.join(able)} do" if able else ""
        what = f"the catalog knows no boot loader of {device.id} that takes UF2{others}"
        raise ProbeFailure(FailureKind.UNSUPPORTED, what)
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
        struct.pack("<8I476sI", _BEGIN, _SECOND, _FAMILY, address, _PAGE, number, len(pages), family, bytes(page), _END)
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
