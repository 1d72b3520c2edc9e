"""Boards of an nRF52840 and an RP2350 behind boot loaders: images and programmers."""

from __future__ import annotations

import shutil
import struct
import subprocess

import pytest

from motebench.catalog.devices import devices
from motebench.measuring.images import write_firmware
from motebench.targets.board import serial_board
from motebench.targets.board.board import firmware_providers
from motebench.targets.board.serial_board import SerialBoard, parse_address
from motebench.targets.board.simulated import Simulation, simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware.forms import flashable
from motebench.targets.settings import BoardSettings, parse
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import need_simulator
from tests.support.serial_bridge import Bridge, patient, programmer

NRF = devices()["nrf52840"]
JOB = Job("xtea-ecb", "encrypt", bytes(16), b"", data=bytes(16))
NRFUTIL = """#!/bin/sh
# Stands in for adafruit-nrfutil: a package is a file with the name of what it was made from.
printf '%s\\n' "$*" >>"{log}"
case "$2" in
    genpkg) printf '%s' "$8" >"$9" ;;
    serial)
        file=$(cat "$4")
        printf '%s' "${{file%.*}}.elf" >"{holds}.part"; mv "{holds}.part" "{holds}" ;;
esac
"""


def image_of(device, name="mote/xtea", scheme="xtea-ecb"):
    need_simulator(device)
    return firmware_providers(device)[name].image(device, scheme)


def cycles(session):
    try:
        timing = session.measure(JOB, batch=1, count=2, warm=0, timeout=60)
        assert timing.counts[0] == timing.counts[1]
        return timing.counts[0]
    finally:
        session.close()


@pytest.mark.parametrize("board", ["nano-33-ble", "rak4631"])
def test_behind_its_boot_loader_it_has_the_cycles_of_the_image_at_zero(board):
    found = parse(f"sim:nrf52840+board={board}")
    assert found is not None
    device, settings = found
    image = image_of(device)
    data = flashable(device, image, "binary").read_bytes()
    stack, begin = struct.unpack("<2I", data[:8])
    assert stack == 0x20000000 + device.ram_bytes
    assert device.boot_loader_bytes < begin < device.boot_loader_bytes + image.flash
    assert cycles(Simulation(device, settings).start(image)) == cycles(
        Simulation(NRF, type(settings)()).start(image_of(NRF))
    )


def on_a_line(board, tmp_path, monkeypatch, write):
    """Cycles of a board behind a line, uploaded through another port, and the command lines of its
    programmer.
    """
    device = NRF.on(board)
    image = image_of(device)
    holds = tmp_path / "holds"
    log = write(holds)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(serial_board, "_ASK_SECONDS", 0.2)
    patient(monkeypatch)
    with (
        Bridge(simulation(device, image.path)[:-1], holds) as line,
        Bridge(["sleep"], tmp_path / "nothing") as usb,
    ):
        host = SerialBoard(parse_address(f"serial:{line.path},board={board},upload={usb.path}"))
        assert cycles(host.start(image)) == cycles(
            Simulation(NRF, parse("sim:nrf52840")[1]).start(image_of(NRF))
        )
        return log.read_text().replace(usb.path, "PORT").splitlines(), image


@pytest.mark.long
def test_a_nano_33_ble_is_uploaded_by_bossac(tmp_path, monkeypatch):
    said, image = on_a_line(
        "nano-33-ble", tmp_path, monkeypatch, lambda holds: programmer(tmp_path, "bossac", holds)
    )
    assert said == [f"--port=PORT -U -i -e -w {image.path.with_suffix('.bin')} -R"]


def test_a_rak4631_is_uploaded_as_a_package(tmp_path, monkeypatch):
    def write(holds):
        path = tmp_path / "adafruit-nrfutil"
        path.write_text(NRFUTIL.format(log=tmp_path / "log", holds=holds))
        path.chmod(0o755)
        return tmp_path / "log"

    said, image = on_a_line("rak4631", tmp_path, monkeypatch, write)
    hexadecimal, package = image.path.with_suffix(".hex"), image.path.with_suffix(".zip")
    assert said == [
        f"dfu genpkg --dev-type 0x0052 --sd-req 0x00B6 --application {hexadecimal} {package}",
        f"dfu serial --package {package} --port PORT --baudrate 115200 --singlebank",
    ]


@pytest.mark.parametrize(
    ("name", "family", "image_type"),
    [("rp2350-hazard3", 0xE48BFF5A, 0x11010142), ("rp2350-m33", 0xE48BFF59, 0x10210142)],
)
def test_an_image_for_an_rp2350_says_in_its_first_pages_what_it_is(name, family, image_type):
    device = devices()[name]
    data = flashable(device, image_of(device), "uf2").read_bytes()
    heads = [struct.unpack("<8I", data[at : at + 32]) for at in range(0, len(data), 512)]
    assert [head[3] for head in heads] == [
        0x20000000 + 256 * number for number in range(len(heads))
    ]
    assert {head[7] for head in heads} == {family}
    # RP2350 data sheet 5.9.5: markers, an image type of one word (executable, RISC-V or Arm in
    # Secure state, RP2350), the last item, no other block.
    block = struct.pack("<5I", 0xFFFFDED3, image_type, 0x000001FF, 0, 0xAB123579)
    pages = b"".join(data[at + 32 : at + 288] for at in range(0, len(data), 512))
    assert pages[:4096].find(block) % 4 == 0


@pytest.mark.parametrize("name", ["nrf52840", "rp2350-hazard3", "rp2350-m33"])
def test_standalone_firmware_has_the_cycles_of_a_run(name, tmp_path):
    device = devices()[name]
    need_simulator(device)
    path = tmp_path / "alone.elf"
    case = (f"sim:{name}", "mote/xtea", "xtea-ecb")
    write_firmware(Workspace(), *case, path, alone=(("encrypt",), "16"), force=False)
    command = simulation(device, path)
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL, check=True
    )
    session = Simulation(device, BoardSettings()).start(image_of(device))
    expected = cycles(session) - session.hello.counter.overhead
    assert said.stdout.splitlines()[2:] == [
        f"encrypt 16 B: {expected:.0f} cycles, output right",
        "end",
    ]


def test_a_device_without_such_a_boot_loader_has_no_uf2(motebench):
    if shutil.which("avr-gcc") is None:
        pytest.skip("avr-gcc is not installed; motebench doctor names the line")
    with pytest.raises(ProbeFailure, match=r"no boot loader of atmega2560 that takes UF2$"):
        flashable(devices()["atmega2560"], image_of(devices()["atmega2560"]), "uf2")
    case = ("--implementation", "mote/xtea", "--scheme", "xtea-ecb", "-o", "x.uf2")
    done = motebench("firmware", "--target", "sim:atmega2560", *case)
    assert done.code != 0 and "UF2" in done.err
