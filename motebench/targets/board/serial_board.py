"""``serial:<port>``: a real board on a serial port. It holds one firmware; other firmware is
uploaded when needed.

The port comes first: as a stream, with its errors, and as the way on which a programmer uploads
firmware.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import AbsentError, InputError, SetupError
from motebench.base.model import FailureKind
from motebench.base.naming import BOARD, SERIAL
from motebench.catalog.devices import Device, Serial, devices
from motebench.targets.base import Sharing, Target, TargetRequest
from motebench.targets.board.board import BoardHost, board_target, nominal_clock
from motebench.targets.firmware import FirmwareImage
from motebench.targets.firmware.forms import flashable
from motebench.targets.session import ProbeSession
from motebench.targets.wire.channel import LossyChannel
from motebench.targets.wire.messages import PROTOCOL, Hello, ProbeFailure
from motebench.targets.wire.replies import parse_hello, result_of
from motebench.targets.wire.stream import Descriptors, Stream, ended, live

if TYPE_CHECKING:
    from serial import Serial as SerialPort


_REASONS = {
    errno.ENOENT: (
        "there is no port {port}",
        "plug the board in; ls /dev/serial/by-id names what is there",
    ),
    errno.EACCES: (
        "no permission to open {port}",
        "sudo usermod -aG dialout $USER, then log in again",
    ),
    errno.EBUSY: ("{port} is in use", "close what uses it: a serial monitor, another run"),
    errno.EAGAIN: ("{port} is in use", "close what uses it: a serial monitor, another run"),
    errno.ENOTTY: ("{port} is not a serial port", "ls /dev/serial/by-id names what is there"),
}
_LOOK_SECONDS = 0.2
"""A thread that waits for a board checks this often whether to continue: unlike a program, a board
cannot be killed.
"""
_BITS = 10
"""Bits per byte on the line: a start bit, eight of data, a stop bit."""
_UPLOAD_SECONDS = 120.0
"""Time limit in seconds: the slowest part, all of its flash, at 115200 baud takes less than a
minute.
"""
_TOUCH_BAUD = 1200
_TOUCH_SECONDS = 10.0
_WORDS_KEPT = 1500


class PortError(SetupError):
    """A port that cannot be opened: the reason, and a hint."""

    def as_input_error(self) -> AbsentError:
        """The error for the user who named the port."""
        return AbsentError(
            self.what, where="--target", valid=", ".join(ports()) or None, hint=self.hint
        )

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


def open_port(path: str, baud: int) -> SerialPort:
    """The port, opened exclusively. PortError with the reason if that fails."""
    from serial import Serial, SerialException

    try:
        return Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except (SerialException, OSError, ValueError) as error:
        number = getattr(error, "errno", None) or _number_in(error)
        if number is None and Path(path).exists():
            number = errno.ENOTTY  # only a serial port has line settings
        problem, hint = _REASONS.get(
            number or 0, (f"{{port}} cannot be opened: {error}", "motebench doctor")
        )
        raise PortError(problem.format(port=path), hint=hint) from error


def _number_in(error: BaseException) -> int | None:
    cause = error.__context__
    return cause.errno if isinstance(cause, OSError) else None


class SerialStream(Descriptors):
    """A board on a port. Opening the port resets many boards: the output of their boot loaders is
    discarded.
    """

    def __init__(self, path: str, port: SerialPort, boot_seconds: float) -> None:
        self._path = path
        self._port = port
        self._in = self._out = port.fileno()
        self._killed = False
        live(self)
        until = self.now() + boot_seconds
        while self.now() < until and self.receive(until) != b"":
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
        """True if sending is no longer possible."""
        return not self._port.is_open

    def exit_reason(self) -> ProbeFailure:
        """The port ended."""
        if self._killed:
            return ProbeFailure(FailureKind.LOST, "the run was ended")
        reason = (
            "was closed by the system"
            if Path(self._path).exists()
            else "is gone: was the board unplugged?"
        )
        return ProbeFailure(FailureKind.LOST, f"{self._path} {reason}")

    def close(self) -> None:
        """Release the port."""
        ended(self)
        self._port.close()


def programmer(name: str) -> str:
    """The path of the programmer. SetupError if it is not installed."""
    program = shutil.which(name)
    if program is None:
        raise SetupError(
            f"{name} is not installed", hint="motebench doctor shows the line that installs it"
        )
    return program


def upload(device: Device, image: FirmwareImage, port: str) -> None:
    """Write the image to the board behind ``port``.

    ProbeFailure: ``too-big`` if it does not fit beside the boot loader, ``lost`` with the
    programmer's words if it failed, ``timeout`` if it did not end. SetupError if there is no
    programmer.
    """
    serial = device.serial
    if serial is None:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"the catalog has no upload command for an {device.name}"
        )
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


def _filled(command: Sequence[str], named: Mapping[str, str]) -> list[str]:
    filled = list(command)
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
        raise ProbeFailure(
            FailureKind.TIMEOUT, f"{name} did not end within {_UPLOAD_SECONDS:g} s"
        ) from error
    except OSError as error:
        raise ProbeFailure(FailureKind.LOST, f"{name}: {error.strerror}") from error
    if done.returncode != 0:
        message = " ".join((done.stderr + " " + done.stdout).split())[-_WORDS_KEPT:]
        raise ProbeFailure(
            FailureKind.LOST, f"{name} exited with status {done.returncode}: {message}"
        )


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
                FailureKind.LOST,
                f"{port} did not reappear with the boot loader: press reset twice, and try again",
            )
        time.sleep(0.1)


# The board


NO_FLASH = "no-flash"
UPLOAD = "upload="
_ASK_SECONDS = 6.0
"""Seconds of waiting for the hello of a board with unknown firmware."""
_TRIES = 2
"""Unanswered greetings of one firmware, and failed uploads in a row, after which the rest of the
run does not try again."""
_NOBODY = b""
"""The identity of a board that does not answer."""


@dataclass(frozen=True, slots=True)
class SerialAddress:
    """The parts of a target's name: ``serial:PORT[,DEVICE][,board=NAME][,upload=PORT][,no-flash]``.

    ``device``: as the named board has it.
    """

    name: str
    port: str
    device: Device | None
    upload_port: str
    flash: bool


def parse_address(name: str, *, where: str | None = None) -> SerialAddress:
    """The parts of a target's name. InputError if one is invalid."""
    port, *options = [part.strip() for part in name.removeprefix(SERIAL).split(",")]
    reachable, boards = _reachable(), _boards()
    device, board, upload_port, flash = None, None, port, True
    for option in options:
        if option == NO_FLASH:
            flash = False
        elif option.startswith(UPLOAD):
            upload_port = option.removeprefix(UPLOAD)
        elif option in reachable:
            device = reachable[option]
        elif option.removeprefix(BOARD) in boards and option.startswith(BOARD):
            board = boards[option.removeprefix(BOARD)]
        else:
            valid = ", ".join(
                [
                    *reachable,
                    *(f"{BOARD}{board_name}" for board_name in boards),
                    f"{UPLOAD}PORT",
                    NO_FLASH,
                ]
            )
            raise InputError(
                f"{option!r} is not a setting of a board on a serial port", where=where, valid=valid
            )
    if not port:
        raise InputError(
            "the port is missing",
            where=where,
            valid=f"{SERIAL}/dev/ttyACM0,{next(iter(reachable))}",
        )
    if board is not None and device is not None and device.id != board.id:
        raise InputError(
            f"that board carries {board.id}, not {device.id}", where=where, valid=board.id
        )
    return SerialAddress(name, port, board or device, upload_port, flash)


class SerialBoard(BoardHost):
    """A place with boards of one device. The port stays open from the first session to
    the last.

    Each session begins with a hello that must have the identity of the intended firmware; the
    previous session is over."""

    sharing = Sharing.ONE_FIRMWARE

    def __init__(self, address: SerialAddress) -> None:
        self.name = address.name
        self.apart = address.port
        self._address = address
        self._device: Device | None = None
        self._stream: SerialStream | None = None
        self._channel: LossyChannel | None = None
        self._holds: bytes | None = None
        """Identity of the firmware on the board; None if unknown."""
        self._silent: dict[bytes, int] = {}
        self._failed_uploads = 0
        self._outdated = ""
        """Message on a firmware that speaks another version of the protocol; empty if the version
        is right.
        """

    @property
    def device(self) -> Device:
        """The device from the name, else from USB, else from the board. InputError if it is
        unknown, or if two disagree."""
        self.check()
        assert self._device is not None
        return self._device

    def check(self) -> None:
        """InputError, at the first call, if the port cannot be opened, or if the board is not the
        named one.
        """
        if self._device is not None:
            return
        named = self._said()
        if named is not None and self._uploads_here(named):
            raise InputError(
                f"the firmware of an {named.name} does not use {self._address.port}, the port "
                "for uploads",
                where="--target",
                valid=f"{SERIAL}PORT,{named.id},{UPLOAD}{self._address.port} with the port of its "
                "serial line",
            )
        likely = [named] if named else list(_reachable().values())
        for baud in dict.fromkeys(_serial(device).baud for device in likely):
            try:
                line = self._open(baud, max(_serial(device).boot_seconds for device in likely))
            except PortError as error:
                raise error.as_input_error() from error
            hello = self._who(line)
            if hello is not None:
                self._device = self._agreed(named, hello)
                return
        if named is None:
            self._close()
            raise InputError(
                f"the board on {self._address.port} does not identify its device",
                where="--target",
                valid=", ".join(
                    f"{SERIAL}{self._address.port},{place}"
                    for place in (*_reachable(), *(f"{BOARD}{board}" for board in _boards()))
                ),
                hint=self._outdated or None,
            )
        self._device = named

    @property
    def upload_port(self) -> str:
        """The port for uploading firmware."""
        return self._address.upload_port

    def expected(self) -> Device:
        """The device that the name says, or USB; else that of the board."""
        return self._said() or self.device

    def put(self, image: FirmwareImage) -> Hello | None:
        """Upload that firmware, whatever the board holds. Its hello; None if it does not answer on
        this port.
        """
        device = self.expected()
        try:
            open_port(self._address.upload_port, _serial(device).baud).close()
        except PortError as error:
            raise error.as_input_error() from error
        if self._uploads_here(device):
            upload(device, image, self._address.upload_port)
            return None
        self._device = device
        self._upload(image)
        session = self.start(image)
        session.close()
        return session.hello

    def _uploads_here(self, device: Device) -> bool:
        """True if the port is only for uploads, and not the firmware's own."""
        return _serial(device).own_port and self._address.upload_port == self._address.port

    def environment(self) -> dict[str, Any]:
        """Port, USB and device, for the environment of a run."""
        return {
            "port": self._address.port,
            "device": self.device.id,
            **usb_of(self._address.upload_port),
        }

    def close(self) -> None:
        """Release the port; the next session opens it again, which resets the board."""
        self._close()

    def clock(self) -> tuple[float, str]:
        """The relative tolerance of a real board's clock, with a note."""
        return nominal_clock(self.device)

    def start(self, image: FirmwareImage) -> ProbeSession:
        """A session with that firmware, which is uploaded if other firmware is on the board."""

        def check(hello: Hello) -> None:
            try:
                image.expect(hello)
            except ProbeFailure:
                self._holds = None
                raise
            self._silent.pop(image.identity, None)

        return ProbeSession(lambda: self._connect(image), check=check, channel=self._begin)

    def _said(self) -> Device | None:
        """The device from the name or from USB."""
        named, usb = self._address.device, usb_of(self._address.upload_port).get("usb")
        by_usb = [
            device
            for device in (*_reachable().values(), *_boards().values())
            if usb in _serial(device).usb
        ]
        if named is not None and by_usb and named.id not in (device.id for device in by_usb):
            raise InputError(
                f"according to USB, the board on {self._address.upload_port} carries "
                f"{by_usb[0].id}, not {named.id}",
                where="--target",
            )
        return named or (by_usb[0] if len(by_usb) == 1 else None)

    def _agreed(self, reported: Device | None, hello: Hello) -> Device:
        itself = _reachable().get(hello.device)
        if itself is None:
            raise InputError(
                f"the firmware on {self._address.port} was built for {hello.device or 'no device'}",
                where="--target",
                valid=", ".join(_reachable()),
            )
        if reported is not None and reported.id != itself.id:
            raise InputError(
                f"the board on {self._address.port} identifies itself as {itself.id}, not "
                f"{reported.id}",
                where="--target",
            )
        self._holds = hello.image
        return reported or itself

    def _open(self, baud: int, boot_seconds: float) -> Stream:
        self._close()
        self._stream = SerialStream(
            self._address.port, open_port(self._address.port, baud), boot_seconds
        )
        return self._stream

    def _close(self) -> None:
        if self._channel is not None:
            self._channel.retired = True
        if self._stream is not None:
            self._stream.close()

    def _line(self) -> Stream:
        """The open port; opened again, which resets the board, if a session ended badly."""
        if self._stream is not None and not self._stream.closed:
            return self._stream
        serial = _serial(self.device)
        try:
            return self._open(serial.baud, serial.boot_seconds)
        except PortError as error:
            raise error.as_failure() from error

    def _begin(self, stream: Stream) -> LossyChannel:
        """Request numbers start at random: old data on the line then answer none of them."""
        line = self._stream.byte_seconds if self._stream is not None else 0.0
        self._channel = LossyChannel(stream, secrets.randbits(32), line)
        return self._channel

    def _who(self, line: Stream) -> Hello | None:
        """Hello of the board; None without a valid answer."""
        channel = self._begin(line)
        try:
            return parse_hello(
                result_of(channel.ask({"do": "hello", "proto": PROTOCOL}, _ASK_SECONDS))
            )
        except ProbeFailure as failure:
            self._outdated = failure.message if failure.kind is FailureKind.UNSUPPORTED else ""
            return None
        finally:
            channel.close()

    def _connect(self, image: FirmwareImage) -> Stream:
        """A stream to a board that should hold that firmware, which the hello will show."""
        if self._silent.get(image.identity, 0) >= _TRIES:
            raise ProbeFailure(
                FailureKind.TIMEOUT,
                "the board never answered with this firmware; no further attempts are made",
            )
        if self._channel is not None:
            self._channel.retired = True
        line = self._line()
        if self._holds is None:
            hello = self._who(line)
            self._holds = hello.image if hello else _NOBODY
        if self._holds != image.identity:
            self._upload(image)
        self._silent[image.identity] = self._silent.get(image.identity, 0) + 1
        return self._line()

    def _upload(self, image: FirmwareImage) -> None:
        if not self._address.flash:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED,
                f"{self._outdated}; {NO_FLASH} forbids an upload"
                if self._outdated
                else f"the board on {self._address.port} holds another firmware, and {NO_FLASH} "
                "forbids an upload: "
                "motebench flash uploads this one",
            )
        if self._failed_uploads >= _TRIES:
            raise ProbeFailure(
                FailureKind.LOST, "uploading failed too often; no further attempts are made"
            )
        self._holds = None
        if self._stream is not None:
            self._stream.close()
        try:
            upload(self.device, image, self._address.upload_port)
        except ProbeFailure as failure:
            # Firmware that does not fit says nothing about the programmer.
            self._failed_uploads += failure.kind in (FailureKind.LOST, FailureKind.TIMEOUT)
            raise
        self._failed_uploads = 0
        self._holds = image.identity


def _reachable() -> dict[str, Device]:
    return {device.id: device for device in devices().values() if device.serial is not None}


def _boards() -> dict[str, Device]:
    """The devices as their other boards have them, by the board."""
    return {
        board.id: device.on(board.id)
        for device in _reachable().values()
        for board in device.other_boards
    }


def names() -> dict[str, str]:
    """The available targets of this kind, each with a description. The user names the ports."""
    return {}


def open_kind(request: TargetRequest) -> Target:
    """Target that the request names; None if this kind has no such target."""
    return board_target(SerialBoard(parse_address(request.name, where=request.where)), request.code)


def _serial(device: Device) -> Serial:
    assert device.serial is not None
    return device.serial
