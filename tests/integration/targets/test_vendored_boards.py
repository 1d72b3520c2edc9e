"""Libraries from pinned sources on a simulated board: right, exact, and too big where they are."""

from __future__ import annotations

import shutil

import pytest

from motebench.base.model import Operation
from motebench.base.paths import data_root
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.targets.firmware import build, offered, offers_of
from motebench.targets.host.this_machine import this_machine
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job

TARGET = "sim:atmega2560"
CORTEX_M4 = "sim:cortex-m4-nows"


@pytest.fixture(autouse=True)
def tools():
    """Tools for simulated boards and their libraries; `make test` installs them where apt may."""
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")
    if not offered("avr"):
        pytest.skip("no pinned sources are there: make setup")


def rows(done):
    assert done.code == 0, done.err
    assert done.json["failures"] == []
    return done.json["measurements"]


def test_library_on_a_board_gives_its_known_answers_and_cycles(motebench):
    found = rows(
        motebench(
            "run",
            "--target",
            TARGET,
            "--implementation",
            "bearssl/aes-small",
            "--scheme",
            "aes-128-cbc,aes-128-ccm",
            "--operation",
            "key-setup,encrypt,decrypt",
            "--size",
            "16",
            "--json",
            "--budget",
            "60s",
        )
    )
    cycles = {
        (row["scheme"], row["operation"]): row["median"]
        for row in found
        if row["metric"] == "cycles"
    }
    assert len(cycles) == 6
    # The first block in CBC: 12,903 cycles were read from another probe around the same function.
    assert 12_000 < cycles["aes-128-cbc", "encrypt"] < 14_000
    assert (
        cycles["aes-128-cbc", "key-setup"]
        < cycles["aes-128-cbc", "encrypt"]
        < cycles["aes-128-ccm", "encrypt"]
    )


def test_host_has_a_probe_of_each_and_all_keep_to_the_known_answers(motebench):
    names = {offers_of(name) for name in offered("avr")}
    done = motebench("verify", "--implementation", ",".join(sorted(names)), "--json")
    assert done.code == 0, done.err


def test_firmware_has_one_scheme_of_the_library_only():
    device = devices()["atmega2560"]
    cbc = build(device, "bearssl/aes-small", schemes()["aes-128-cbc"], "Os")
    gcm = build(device, "bearssl/aes-small", schemes()["aes-128-gcm"], "Os")
    for image, there, absent in (
        (cbc, b"cbcenc_run", b"br_gcm_run"),
        (gcm, b"br_gcm_run", b"cbcenc_run"),
    ):
        content = image.path.read_bytes()
        assert there in content and absent not in content


def test_public_keys_on_a_board_are_signed_there_and_verified(motebench):
    found = rows(
        motebench(
            "run",
            "--target",
            "sim:samd21g18a",
            "--implementation",
            "bearssl/rsa",
            "--scheme",
            "rsa-1024-pss-sha256",
            "--operation",
            "sign,verify",
            "--size",
            "32",
            "--json",
            "--budget",
            "60s",
            "--placements",
            "1",
        )
    )
    values = {(row["metric"], row["operation"]): row["median"] for row in found}
    # Signing raises to two exponents of 512 bits, verifying to 65537.
    assert values["cycles", "sign"] > 5 * values["cycles", "verify"] > 0
    assert 2_000 < values["stack", "sign"] < 4_000


@pytest.mark.parametrize(
    ("target", "slowest"),
    # The author counts 906,000 cycles on an nRF52840. An STM32WL has no floating-point unit, where
    # the library keeps numbers.
    [(CORTEX_M4, 925_000), ("sim:stm32wl", 1_060_000)],
)
def test_assembly_of_one_processor_is_measured_on_boards_that_have_it(motebench, target, slowest):
    found = rows(
        motebench(
            "run",
            "--target",
            target,
            "--implementation",
            "p256-cortex-m4/p256",
            "--scheme",
            "ecdh-p256",
            "--operation",
            "agree",
            "--json",
            "--budget",
            "60s",
            "--placements",
            "1",
        )
    )
    cycles = {row["operation"]: row["median"] for row in found if row["metric"] == "cycles"}
    assert 850_000 < cycles["agree"] < slowest


def test_host_probe_that_stands_in_for_assembly_gives_the_same_answers():
    # Standalone firmware is compared with what the host computes.
    name = "p256-cortex-m4/p256"
    key = bytes.fromhex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
    job = Job("ecdsa-p256-sha256", Operation.SIGN.value, key=key, data=b"sample")
    answers = []
    for session in (this_machine().open(offers_of(name)), open_target(CORTEX_M4).open(name)):
        answers.append(session.compute(job).out)
        session.close()
    assert answers[0] == answers[1]


def test_assembly_of_one_processor_is_not_offered_elsewhere(motebench):
    done = motebench("list", "implementations", "--json")
    assert "p256-cortex-m4/p256" not in [row["implementation"] for row in done.json["rows"]]
    assert all("p256-cortex-m4/p256" not in offered(name) for name in ("avr", "armv6-m", "armv7-m"))
