"""Simulated tinyAVRs against the ATmega4809: the same core, so the same cycles; large firmware in a
larger flash.
"""

from __future__ import annotations

import subprocess

import pytest

from motebench.catalog.devices import devices
from motebench.catalog.lookup import schemes
from motebench.catalog.policies import choice
from motebench.targets.firmware import build, flash_of
from tests.integration.conftest import need_simulator

TINY = ("attiny1614", "attiny3216", "attiny3217", "attiny3224", "attiny3226", "attiny3227")
CORE = "atmega4809"


@pytest.mark.parametrize(
    "name", ["attiny1614", pytest.param("attiny3217", marks=pytest.mark.long), "attiny3227"]
)
def test_known_answers_come_out_right_on_both_series(name, motebench):
    need_simulator(devices()[name])
    done = motebench(
        "verify", "--target", f"sim:{name}", "--implementation", "mote/xtea", "--scheme", "xtea-ecb"
    )
    assert done.code == 0, done.err


@pytest.mark.long
@pytest.mark.parametrize("name", TINY)
def test_every_tinyavr_takes_the_cycles_of_the_atmega4809(name, motebench):
    need_simulator(devices()[name])
    cases = (
        "--implementation",
        "mote/aes-fast,mote/ascon,mote/sha-256-small",
        "--scheme",
        "aes-128-ccm,ascon-aead128,sha256",
    )
    asked = (*cases, "--operation", "encrypt-message,digest", "--size", "16,64")
    done = motebench("run", "--target", f"sim:{CORE},sim:{name}", *asked, "--json")
    assert done.code == 0, done.err
    found: dict[str, dict[tuple[object, ...], float]] = {}
    for row in done.json["measurements"]:
        if row["metric"] in ("cycles", "stack", "state"):
            key = (row["scheme"], row["operation"], row["input_bytes"], row["metric"])
            found.setdefault(row["target"], {})[key] = row["median"]
    assert len(found[f"sim:{CORE}"]) == 6 * 3 and found[f"sim:{CORE}"] == found[f"sim:{name}"]


@pytest.mark.parametrize("name", TINY)
def test_choices_for_a_tinyavr_rest_on_the_cycles_of_the_atmega4809(name):
    (entry,) = (entry for entry in choice().stand_ins if entry.device == name)
    assert (entry.target, entry.spread) == (f"sim:{CORE}", 0)
    assert (
        devices()[name].clock_hz == 20_000_000
        and devices()[name].architecture == devices()[CORE].architecture
    )


def test_firmware_that_is_longer_than_the_flash_runs_with_its_constants_before_its_code():
    device = devices()["attiny1614"]  # 16 KiB, less than the probe takes
    need_simulator(device)
    image = build(device, "mote/xtea", schemes()["xtea-ecb"], "Os")
    assert image.flash > flash_of(device)
    sections = subprocess.run(
        ["avr-readelf", "-SW", image.path], capture_output=True, text=True, check=True
    ).stdout
    rodata = next(line.split() for line in sections.splitlines() if " .rodata " in line)
    address, size = (int(word, 16) for word in (rodata[-8], rodata[-6]))
    assert address >= 0x8000 and address + size <= 0x10000
