"""Parts that depend on the architecture of a board stand in one file for each."""

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
from motebench.catalog.devices import programmable
from motebench.targets.firmware import architecture as module
from motebench.targets.firmware.architecture import architecture, with_device
from motebench.targets.firmware.sources import library_sources, probe_sources
from motebench.targets.wire.messages import ProbeFailure

GOOD = """
alignment = 4
ram = [0x20000000, 0x20010000]
assembly = "armv7m"
[tools]
prefix = "arm-none-eabi-"
variable = "MOTEBENCH_ARM_TOOLS"
machine = "arm"
flags = ["-mcpu={device.core}"]
link_flags = ["-Wl,--defsym=mb_ram_bytes={device.ram_bytes:#x}"]
no_clang = "nobody tried"
[simulator]
program = "motebench-sim-other"
"""


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes the file of an architecture that is called after the text."""
    monkeypatch.setattr(module, "data_root", lambda: tmp_path)

    def made(text: str) -> str:
        name = f"other-{abs(hash(text))}"
        path = tmp_path / "core" / "ports" / name / "architecture.toml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        return name

    return made


def test_every_device_with_firmware_has_an_architecture_whose_flags_it_fills():
    assert len(programmable()) >= 15
    for device in programmable().values():
        found = architecture(device.architecture)
        flags = [
            *with_device(found.tools.flags, device),
            *with_device(found.tools.link_flags, device),
        ]
        flags += with_device(found.tools.clang, device)
        assert flags and not any("{" in flag or "None" in flag for flag in flags)


def test_another_architecture_is_one_file(other):
    found, device = architecture(other(GOOD)), programmable()["samd21g18a"]
    assert with_device(found.tools.flags, device) == ("-mcpu=cortex-m0plus",)
    assert with_device(found.tools.link_flags, device) == ("-Wl,--defsym=mb_ram_bytes=0x8000",)
    assert 0x20000000 in found.addresses and 0x20010000 not in found.addresses
    assert found.simulator.flash_bytes == 0 and found.script is None


def test_an_architecture_without_sources_is_a_failure_of_its_cases():
    with pytest.raises(ProbeFailure) as failure:
        architecture("pdp-11")
    assert failure.value.kind is FailureKind.UNSUPPORTED and "pdp-11" in failure.value.message


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (GOOD.replace("alignment = 4\n", ""), "alignment"),
        (GOOD.replace("alignment = 4", "alignment = 4\nwords = 32"), "words"),
        (GOOD.replace('no_clang = "nobody tried"\n', ""), "no_clang says why"),
    ],
)
def test_a_bad_file_is_told_with_the_key(other, wrong, told):
    with pytest.raises(InputError) as error:
        architecture(other(wrong))
    assert told in str(error.value)


def test_a_port_changes_the_linker_script_of_its_architecture_and_shares_sources():
    known = programmable()
    sram, xip = known["rp2040"], known["rp2040-xip"]
    assert module.port(None) == module.port(known["samd21g18a"].port) == module.ChipPort()
    assert module.port(sram.port).script == "sram.ld" and module.port(xip.port).script == "xip.ld"
    assert module.port(xip.port).shares == ("rp2040",)
    names = {path.name for path in probe_sources(xip)}
    assert {path.name for path in probe_sources(sram)} == names >= {"boot.S", "chip.c", "uart.c"}


def test_memory_functions_are_the_same_on_every_arm_board():
    boards = programmable()
    for name in ("samd21g18a", "rp2040", "nrf52840", "cortex-m3-nows", "stm32l4"):
        assert [path.name for path in library_sources(boards[name])] == ["memory.c"], name
    assert library_sources(boards["atmega2560"]) == []
