"""A serial port: as a stream, with its errors, and as the way on which a programmer uploads firmware."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError, SetupError
from motebench.base.model import FailureKind
from motebench.catalog.devices import Device
from motebench.targets.firmware import FirmwareImage
from motebench.targets.firmware.forms import flashable
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import Descriptors, ended, live

if TYPE_CHECKING:
    from serial import Serial

_REASONS = {
    errno.ENOENT: ("there is no port {port}", "plug the board in; ls /dev/serial/by-id names what is there"),
    errno.EACCES: ("no permission to open {port}", "sudo usermod -aG dialout $USER, then log in again"),
    errno.EBUSY: ("{port} is in use", "close what uses it: a serial monitor, another run"),
    errno.EAGAIN: ("{port} is in use", "close what uses it: a serial monitor, another run"),
    errno.ENOTTY: ("{port} is not a serial port", "ls /dev/serial/by-id names what is there"),
}
_LOOK_SECONDS = 0.2
"""A thread that waits for a board checks this often whether to continue: unlike a program, a board cannot be killed."""
_BITS = 10
"""Bits per byte on the line: a start bit, eight of data, a stop bit."""
_UPLOAD_SECONDS = 120.0
"""Time limit in seconds: the slowest part, all of its flash, at 115200 baud takes less than a minute."""
_TOUCH_BAUD = 1200
_TOUCH_SECONDS = 10.0
_WORDS_KEPT = 1500


class PortError(Exception):
    """A port that cannot be opened: the reason, and a hint."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def as_input_error(self) -> InputError:
        """The error for the user who named the port."""
        return InputError(self.what, where="--target", valid=", ".join(ports()) or None, hint=self.hint)

    def as_failure(self) -> ProbeFailure:
        """The failure in a run."""
        return ProbeFailure(FailureKind.LOST, f"{self.what}: {self.hint}")


def ports() -> list[str]:
    """Serial ports of this machine."""
    from serial.tools import list_ports

    return sorted(port.device for port in list_ports.comports())


def usb_of(path: str) -> dict[str, Any]:
    """USB data of the board on a port: ``usb`` id, ``manufacturer``, ``product``; may be empty."""
    from serial.tools import list_ports

    real = os.path.realpath(path)
    for port in list_ports.comports():
        if os.path.realpath(port.device) == real and port.vid is not None:
            return {
                "usb": f"{port.vid:04x}:{port.pid:04x}",
                "manufacturer": port.manufacturer,
                "product": port.product,
            }
    return {}


def open_port(path: str, baud: int) -> Serial:
    """The port, opened exclusively. PortError with the reason if that fails."""
    from serial import Serial, SerialException

    try:
        return Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except (SerialException, OSError, ValueError) as error:
        number = getattr(error, "errno", None) or _number_in(error)
        if number is None and Path(path).exists():
            number = errno.ENOTTY  # only a serial port has line settings
        what, hint = _REASONS.get(number or 0, (f"{{port}} cannot be opened: {error}", "motebench doctor"))
        raise PortError(what.format(port=path), hint) from error


def _number_in(error: BaseException) -> int | None:
    cause = error.__context__
    return cause.errno if isinstance(cause, OSError) else None


class SerialStream(Descriptors):
    """A board on a port. Opening the port resets many boards: the output of their boot loaders is discarded."""

    def __init__(self, path: str, port: Serial, boot_seconds: float) -> None:
        self._path = path
        self._port = port
        self._in = self._out = port.fileno()
        self._killed = False
        live(self)
        until = time.monotonic() + boot_seconds
        while time.monotonic() < until and self.receive(until) != b"":
            pass

    def receive(self, deadline: float) -> bytes | None:
        """Some bytes; see `Stream`."""
        while not self._killed:
            data = super().receive(min(deadline, self.now() + _LOOK_SECONDS))
            if data is not None or self.now() >= deadline:
                return data
        return b""

    def kill(self) -> None:
        """End waiting for the board."""
        self._killed = True

    @property
    def byte_seconds(self) -> float:
        """Seconds per byte on the line, with start and stop bits."""
        return _BITS / float(self._port.baudrate)

    @property
    def closed(self) -> bool:
        """Whether sending is no longer possible."""
        return not self._port.is_open

    def exit_reason(self) -> ProbeFailure:
        """The port ended."""
        if self._killed:
            return ProbeFailure(FailureKind.LOST, "the run was ended")
        there = "was closed by the system" if Path(self._path).exists() else "is gone: was the board unplugged?"
        return ProbeFailure(FailureKind.LOST, f"{self._path} {there}")

    def close(self) -> None:
        """Release the port."""
        ended(self)
        self._port.close()


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
            timeout=_UPLOAD_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ProbeFailure(FailureKind.TIMEOUT, f"{name} did not end within {_UPLOAD_SECONDS:g} s") from error
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
