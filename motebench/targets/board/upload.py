"""Uploading firmware to a board, with the programmer in the device's catalog file."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind
from motebench.catalog.devices import Device
from motebench.targets.board.serial_port import PortError, open_port
from motebench.targets.firmware import FirmwareImage
from motebench.targets.firmware.flashable import flashable
from motebench.targets.wire.messages import ProbeFailure

_SECONDS = 120.0
"""Time limit in seconds: the slowest part, all of its flash, at 115200 baud takes less than a minute."""
_TOUCH_BAUD = 1200
_TOUCH_SECONDS = 10.0
_WORDS_KEPT = 1500


def programmer(name: str) -> str:
    """The path of the programmer. SetupError if it is not installed."""
    found = shutil.which(name)
    if found is None:
        raise SetupError(f"{name} is not installed", hint="motebench doctor shows the line that installs it")
    return found


def upload(device: Device, image: FirmwareImage, port: str) -> None:
    """Write the image to the board behind ``port``.

    ProbeFailure: ``too-big`` if it does not fit beside the boot loader, ``lost`` with the programmer's words if it
    failed, ``timeout`` if it did not end. SetupError if there is no programmer.
    """
    serial = device.serial
    if serial is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"the catalog has no upload command for an {device.name}")
    room = device.flash_bytes - device.boot_loader_bytes - serial.boot_loader_bytes
    if image.flash > room:
        raise ProbeFailure(
            FailureKind.TOO_BIG,
            f"{image.flash - room} B of flash are missing: the firmware has {image.flash} B, "
            f"the boot loader leaves {room} B",
        )
    path = programmer(serial.upload.command[0])
    if not Path(port).exists():  # avrdude would try forever
        raise ProbeFailure(FailureKind.LOST, f"there is no port {port}: was the board unplugged?")
    file = flashable(device, image, serial.upload.format)
    named = {"{port}": port, "{file}": str(file), "{package}": str(file.with_suffix(".zip"))}
    if serial.upload.prepare:
        _run([programmer(serial.upload.prepare[0]), *_filled(serial.upload.prepare[1:], named)])
    if serial.upload.touch:
        _touch(port)
    _run([path, *_filled(serial.upload.command[1:], named)])


def _filled(words: Sequence[str], named: Mapping[str, str]) -> list[str]:
    filled = list(words)
    for name, value in named.items():
        filled = [word.replace(name, value) for word in filled]
    return filled


def _run(command: list[str]) -> None:
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ProbeFailure(FailureKind.TIMEOUT, f"{name} did not end within {_SECONDS:g} s") from error
    except OSError as error:
        raise ProbeFailure(FailureKind.LOST, f"{name}: {error.strerror}") from error
    if done.returncode != 0:
        said = " ".join((done.stderr + " " + done.stdout).split())[-_WORDS_KEPT:]
        raise ProbeFailure(FailureKind.LOST, f"{name} exited with status {done.returncode}: {said}")


def _touch(port: str) -> None:
    """Make the board enter its boot loader, and wait until it is back on the same port.

    A board that is in its boot loader already (reset pressed twice) ignores this.
    """
    try:
        open_port(port, _TOUCH_BAUD).close()
    except PortError as error:
        raise error.as_failure() from error
    time.sleep(0.5)
    until = time.monotonic() + _TOUCH_SECONDS
    while not os.access(port, os.R_OK | os.W_OK):
        if time.monotonic() >= until:
            raise ProbeFailure(
                FailureKind.LOST, f"{port} did not reappear with the boot loader: press reset twice, and try again"
            )
        time.sleep(0.1)
