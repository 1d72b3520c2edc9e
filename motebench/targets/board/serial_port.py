"""A serial port as a stream, and its errors."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
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
