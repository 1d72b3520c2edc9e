"""A board behind a serial port, without board and port: a pseudo-terminal in front of a simulated
one.

The board starts afresh when the port is opened, as an Arduino does, says what boot loaders say, and
then runs whatever firmware the stand-in programmer wrote last. `Faults` say what goes wrong on the
line, and when.
"""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import subprocess
import threading
import time
import tty
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from motebench.catalog.devices import Device
from motebench.targets.board import serial_board
from motebench.targets.board.serial_board import SerialBoard, SerialStream, parse_address
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.build import FirmwareImage
from motebench.targets.wire import channel, stream
from motebench.targets.wire.messages import Job

GREETING = b"\xf0\x00\xf0boot\x00loader\r\n\x80"
_TICK = 0.02
_WORKING_PACE = 10
"""Factor by which time passes more slowly while a board works: it is late only if it works without
end."""


@dataclass
class Faults:
    """Chances are per byte, in both directions; moments count bytes of requests since the board was
    plugged in.
    """

    lose: float = 0.0
    damage: float = 0.0
    double: float = 0.0
    garbage: float = 0.0
    bits: float = 0.0
    """Chance per bit that it arrives as the other one."""
    burst: float = 0.0
    """Chance per byte that from here on up to 40 bytes arrive as any."""
    delay: float = 0.0
    """Chance that a piece waits for some milliseconds."""
    seed: int = 1
    reset_at: list[int] = field(default_factory=list)
    silent_from: int | None = None
    unplug_at: int | None = None
    boots: bool = True
    """Something runs behind the boot loader."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self._burst = 0

    def apply(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if self.random.random() < self.lose:
                continue
            if self.random.random() < self.damage:
                byte ^= 1 << self.random.randrange(8)
            if self.bits:
                byte ^= sum((self.random.random() < self.bits) << bit for bit in range(8))
            if self.random.random() < self.burst:
                self._burst = self.random.randrange(2, 40)
            if self._burst:
                self._burst -= 1
                byte = self.random.randrange(256)
            out.append(byte)
            if self.random.random() < self.double:
                out.append(byte)
            if self.random.random() < self.garbage:
                out += self.random.randbytes(self.random.randrange(1, 20))
        if data and self.random.random() < self.delay:
            time.sleep(self.random.random() * 0.03)
        return bytes(out)


class Bridge:
    """The board. ``path`` is its port; ``holds`` a file with the path of the firmware that is on
    it. ``link``: name of the port while the board is plugged in: the system gives the number of a
    closed pseudo-terminal to another one.
    """

    at: ClassVar[dict[str, Bridge]] = {}
    """Every bridge by its port."""

    def __init__(
        self,
        command: list[str],
        holds: Path,
        faults: Faults | None = None,
        link: Path | None = None,
    ) -> None:
        self._command, self._holds, self.faults = command, holds, faults or Faults()
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)
        self._link = link
        if link is not None:
            link.symlink_to(self.path)
            self.path = str(link)
        self._board: subprocess.Popen[bytes] | None = None
        self.requested = 0
        """Bytes of requests so far."""
        self._runs = ""
        self.resets = 0
        self.seconds = 0.0
        """Time that has passed for who waits for the board, see `patient`."""
        self.idle = 0
        """Looks at the line that found nothing to do, while the board waited, too."""
        self._working = 0
        self.over = False
        """The port is gone."""
        self.at[self.path] = self
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def __enter__(self) -> Bridge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            while not self._stop.is_set() and self._step():
                pass
        finally:
            self._off()
            if self._link is not None:
                self._link.unlink()
            os.close(self._master)
            self.over = True

    def _step(self) -> bool:
        watched = select.poll()
        watched.register(self._master, select.POLLIN | select.POLLHUP)
        if self._board is not None and self._board.stdout is not None:
            watched.register(self._board.stdout, select.POLLIN)
        events = dict(watched.poll(1000 * _TICK))
        if events.get(self._master, 0) & select.POLLHUP:
            self._off()
            time.sleep(_TICK)
            return True
        # A programmer resets the board, even if the port was closed too short to be seen
        if self._held() != self._runs:
            self._off()
        if self._board is None:
            self._on()
        if events.get(self._master, 0) & select.POLLIN:
            with contextlib.suppress(OSError):  # closed meanwhile
                if not self._request(os.read(self._master, 4096)):
                    return False
        self._reply(events)
        if not events:
            self._rest()
        return True

    def _rest(self) -> None:
        """Note that no reply came. Of a board that works, only some of these looks count."""
        works = self._board is not None and not stream._sleeps(self._board.pid)
        self._working = self._working + 1 if works else 0
        if not self._working % _WORKING_PACE:
            self.idle += 1

    def _request(self, data: bytes) -> bool:
        before, self.requested = self.requested, self.requested + len(data)
        faults = self.faults
        if faults.unplug_at is not None and self.requested >= faults.unplug_at:
            return False
        for moment in faults.reset_at:
            if before < moment <= self.requested:
                self._off()
                self._on()
        data = faults.apply(data)
        if self._board is not None and self._board.stdin is not None and not self._silent():
            with contextlib.suppress(BrokenPipeError):
                self._board.stdin.write(data)
                self._board.stdin.flush()
        return True

    def _reply(self, events: dict[int, int]) -> None:
        board = self._board
        if board is None or board.stdout is None or not events.get(board.stdout.fileno()):
            return
        data = os.read(board.stdout.fileno(), 4096)
        if not self._silent():
            self._say(self.faults.apply(data))

    def _silent(self) -> bool:
        return self.faults.silent_from is not None and self.requested >= self.faults.silent_from

    def _say(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            while data:
                data = data[os.write(self._master, data) :]

    def _on(self) -> None:
        self.resets += 1
        self._say(GREETING)
        self._runs = self._held()
        if self._runs and self.faults.boots:
            command = [*self._command, self._runs]
            self._board = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        else:
            self._board = subprocess.Popen(
                ["sleep", "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )

    def _held(self) -> str:
        """The firmware that is on the board; empty if none is."""
        return self._holds.read_text() if self._holds.exists() else ""

    def _off(self) -> None:
        if self._board is not None:
            self._board.kill()
            self._board.communicate()
            self._board = None


def quick(monkeypatch: pytest.MonkeyPatch, device: Device) -> None:
    """The device has a boot loader that is done at once, and a line on which nothing is late."""
    serial = device.serial.model_copy(update={"boot_seconds": 0.1})
    board = device.model_copy(update={"serial": serial})
    monkeypatch.setattr(serial_board, "_reachable", lambda: {board.id: board})
    monkeypatch.setattr(serial_board, "_ASK_SECONDS", 1.0)
    monkeypatch.setattr("motebench.targets.session._HELLO_SECONDS", 1.5)
    monkeypatch.setattr(channel, "_PATIENCE", 0.05)
    monkeypatch.setattr(channel, "_CALM", 0.02)


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams to bridges have a clock that no other work of this machine moves.

    It moves while a stream waits in vain, the line is silent and the board waits, all of them at
    once. So nothing is late because this process, the thread of the bridge or the simulated board
    had to wait for a processor.
    """
    usual_now, usual_wait = SerialStream.now, SerialStream._reached

    def now(self: SerialStream) -> float:
        bridge = Bridge.at.get(self._path)
        return usual_now(self) if bridge is None else bridge.seconds

    def reached(self: SerialStream, descriptor: int, event: int, deadline: float) -> bool:
        bridge = Bridge.at.get(self._path)
        if bridge is None:
            return usual_wait(self, descriptor, event, deadline)
        idle = bridge.idle
        while not stream.ready(descriptor, event, _TICK):
            if bridge.idle > idle or bridge.over:
                idle = bridge.idle
                bridge.seconds += _TICK
            if bridge.seconds >= deadline:
                return False
        return True

    monkeypatch.setattr(SerialStream, "now", now)
    monkeypatch.setattr(SerialStream, "_reached", reached)


PROGRAMMER = """#!/bin/sh
# Stands in for a programmer: notes how it was called, and puts the firmware onto the board.
printf '%s\\n' "$*" >>"{log}"
holds="{holds}"
for word; do case "$word" in
    "{holds}"-*) holds=$word.firmware ;;
    flash:w:*) file=${{word#flash:w:}}; file=${{file%:i}} ;;
    *.bin|*.uf2) file=$word ;;
    program*) file=${{word#program {{}}; file=${{file%\\}} verify*}} ;;
esac; done
[ -e "$file" ] || exit 1
printf '%s' "${{file%.*}}.elf" >"$holds.part"
mv "$holds.part" "$holds"
"""


def programmer(folder: Path, name: str, holds: Path) -> Path:
    """Fake programmer of that name in ``folder``; the file beside it records its command lines.

    On a port whose name begins with ``holds`` and a hyphen, ``.firmware`` behind that name is what
    the board holds: each board its own.
    """
    log, path = folder / f"{name}.log", folder / name
    path.write_text(PROGRAMMER.format(log=log, holds=holds))
    path.chmod(0o755)
    return log


def counts_behind_a_port(
    device: Device, image: FirmwareImage, job: Job, tool: str, folder: Path
) -> tuple[list[int], int]:
    """Cycles of two readings of a simulated board behind a port, after the stand-in of `tool`
    uploaded the image, and the number of uploads.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        # What opens the port is sent a boot loader's words, and no firmware answers before the
        # programmer has been there.
        monkeypatch.setattr("motebench.targets.board.serial_board._ASK_SECONDS", 1.0)
        patient(monkeypatch)
        monkeypatch.setattr("motebench.targets.session._HELLO_SECONDS", 1.5)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        log = programmer(folder, tool, folder / "holds")
        bridge = Bridge(simulation(device, Path())[:-1], folder / "holds")
        try:
            address = parse_address(f"serial:{bridge.path},{device.id}")
            session = SerialBoard(address).start(image)
            timing = session.measure(job, batch=1, count=2, warm=0, timeout=60)
            assert timing.counts is not None
            counts = [count - session.hello.counter.overhead for count in timing.counts]
            session.close()
        finally:
            bridge.close()
    return counts, len(log.read_text().splitlines())
