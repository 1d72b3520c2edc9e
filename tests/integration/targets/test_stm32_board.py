"""STM32 parts, SAM3X8E and CH32V003: firmware of their ports, with and without wait states."""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.forms import flashable
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Fill, Job
from tests.integration.conftest import need_simulator
from tests.support import board_counts
from tests.support.board_counts import USUAL, message

# The package has a function of that name
building = importlib.import_module("motebench.targets.firmware.build")
CORE = devices()["cortex-m4-nows"]
CORES = {"stm32f103": devices()["cortex-m3-nows"], "sam3x8e": devices()["cortex-m3-nows"]}
"""Cores without wait states of devices that have another one than `CORE`."""
JOB = message("aes-128-eax", "encrypt-message", 333)


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    need_simulator(CORE)


def firmware(device, portable=False):
    return building.build(
        device, "mote/aes-fast", schemes()["aes-128-eax"], "Os", portable=portable
    )


def cycles(device, image, settings=USUAL):
    (count,) = board_counts.cycles(device, image, JOB, settings=settings)
    return count


@pytest.mark.parametrize(
    ("name", "apart"),
    [("stm32l4", 0), ("stm32wl", 0.003), ("stm32f407", 0), ("stm32f103", 0)],
)
def test_without_wait_states_its_cycles_are_those_of_the_core_on_two_boards_at_once_twice(
    name, apart
):
    # The STM32WL has no floating-point unit, whose registers the compiler uses for others at some
    # places.
    device, alike = devices()[name], CORES.get(name, CORE)
    image, core = firmware(device), cycles(alike, firmware(alike))
    found = set()
    for _ in range(2):
        with ThreadPoolExecutor(2) as pool:
            found |= set(
                pool.map(lambda _: cycles(device, image, BoardSettings(wait_states=0)), range(2))
            )
    (same,) = found
    assert abs(same - core) <= apart * core


@pytest.mark.parametrize("name", ["stm32l4", "stm32wl", "stm32f407"])
def test_its_accelerator_hides_most_of_the_wait_states_of_c_as_its_firmware_sets_it_up(name):
    device = devices()[name]
    # Assembly with its rounds written out is longer than the cache
    image = firmware(device, portable=True)
    never, usual, slow = (
        cycles(device, image, each)
        for each in (BoardSettings(0), BoardSettings(), BoardSettings(None, True))
    )
    assert never < usual < slow
    assert usual - never < (slow - never) / 2


def test_the_ram_of_a_sam3x8e_is_late_and_its_flash_waits():
    device, alike = devices()["sam3x8e"], CORES["sam3x8e"]
    image, core = firmware(device), cycles(alike, firmware(alike))
    late, usual = (cycles(device, image, each) for each in (BoardSettings(0), BoardSettings()))
    assert core < late < 1.3 * core < usual


def test_a_ch32v003_waits_for_flash_and_has_as_much_of_it_as_the_probe_needs():
    device = devices()["ch32v003"]
    need_simulator(device)
    image = building.build(device, "mote/aes-small", schemes()["aes-128-ecb"], "Os")
    assert image.flash > device.flash_bytes
    job = Job("aes-128-ecb", "encrypt", bytes(16), b"", data=Fill(1, 64))
    counts = []
    for settings in (BoardSettings(0), BoardSettings(1), BoardSettings()):
        session = Simulation(device, settings).start(image)
        try:
            assert session.hello.clock.hz == device.clock_hz
            counts.append(session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0])
        finally:
            session.close()
    never, one, usual = counts
    assert never < 0.9 * one
    assert one == usual


@pytest.mark.parametrize("name", ["stm32l4", "stm32wl", "stm32f407", "stm32f103"])
def test_the_image_begins_with_the_vectors_where_flash_is(name):
    device = devices()[name]
    assert device.serial is not None
    lines = flashable(device, firmware(device), device.serial.upload.format).read_text().split()
    assert lines[0] == ":020000040800F2"  # what follows is at 0x08000000
    stack = bytes.fromhex(lines[1][9:17])
    assert int.from_bytes(stack, "little") == 0x20000000 + device.ram_bytes


@pytest.mark.parametrize("name", ["stm32f407", "stm32f103", "sam3x8e"])
@pytest.mark.parametrize("scheme", ["aes-128-ccm", "chacha20-poly1305", "ascon-aead128"])
def test_it_runs_known_answers(name, scheme, motebench):
    done = motebench(
        "verify", "--target", f"sim:{name}", "--implementation", "mote/*", "--scheme", scheme
    )
    assert done.code == 0, done.err
    rows = [line.split() for line in done.out.splitlines() if line.startswith("mote/")]
    assert rows
    # passed, partly, failed, not applicable
    assert all(int(row[-4]) > 0 and row[-3:] == ["0", "0", "0"] for row in rows)
