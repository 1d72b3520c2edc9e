"""Firmware in the formats of programmers: Intel HEX, the plain bytes of flash, or UF2."""

from __future__ import annotations

import subprocess
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.base.naming import BOARD
from motebench.catalog.devices import Device
from motebench.targets.firmware.build import FirmwareImage
from motebench.targets.firmware.toolchain import toolchain
from motebench.targets.firmware.uf2 import uf2_of
from motebench.targets.wire.messages import ProbeFailure

_ENDINGS = {"ihex": ".hex", "binary": ".bin", "uf2": ".uf2"}


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
