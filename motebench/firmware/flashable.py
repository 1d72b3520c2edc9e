"""Firmware in the formats of programmers: Intel HEX, or the plain bytes of flash."""

from __future__ import annotations

import subprocess
from pathlib import Path

from motebench.catalog.devices import Device
from motebench.firmware.build import Image
from motebench.firmware.toolchain import toolchain
from motebench.model import FailureKind
from motebench.wire.messages import ProbeFailure

_ENDINGS = {"ihex": ".hex", "binary": ".bin"}


def flashable(device: Device, image: Image, form: str) -> Path:
    """The image as a file of that format, next to its ELF file. ProbeFailure of kind ``build`` if it cannot be made."""
    path = image.path.with_suffix(_ENDINGS[form])
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
