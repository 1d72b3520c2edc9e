"""Times of Linux boards: counted instructions with the pace of a core, by published speeds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from choice_fixtures import ask, keep, own_place
from click.testing import CliRunner

from motebench.advise.reference.selection import instructions_of, pace_of_core
from motebench.advise.reference.table import ReferenceCase, references
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.catalog import cores as catalog_cores
from motebench.catalog import schemes
from motebench.catalog.cores import BEYOND, LinuxCore, PublishedSpeed, core_of, cores, pace_of
from motebench.catalog.devices import devices
from motebench.cli.commands.reference import command as reference

SPEEDS = """
id = "cortex-a53"
name = "Cortex-A53"
target = "emu:aarch64"

[[speeds]]
scheme = "chacha20"
operation = "encrypt-message"
implementation = "openssl"
cycles_per_byte = 4
source = { document = "made up" }

[[speeds]]
scheme = "sha256"
operation = "digest"
implementation = "openssl"
bytes_per_second = 100e6
clock_hz = 1600000000
source = { document = "made up" }

[[speeds]]
scheme = "x25519"
operation = "agree"
implementation = "openssl"
cycles = 300000
source = { document = "made up" }
"""


def counted(operation: str, scheme: str, counts: dict[int, int]) -> list[ReferenceCase]:
    """Results of OpenSSL that count instructions."""
    return [
        ReferenceCase(scheme, "openssl", operation, size, {"instructions": count})
        for size, count in counts.items()
    ]


@pytest.fixture
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """8 instructions for a byte of ChaCha20 at 4 cycles, 8 for one of SHA-256 at 16; 300,000 for an
    agreement: paces of 0.5, 2 and 1."""
    own_place(tmp_path, monkeypatch)
    monkeypatch.setattr(catalog_cores, "catalog_dir", lambda: tmp_path)
    cores.cache_clear()
    (tmp_path / "cores").mkdir()
    (tmp_path / "cores" / "cortex-a53.toml").write_text(SPEEDS)
    keep(
        "emu:aarch64",
        [
            *counted("encrypt-message", "chacha20", {16: 1000, 1024: 9000, 4096: 33_576}),
            *counted("digest", "sha256", {64: 600, 1024: 8200, 4096: 32_776}),
            *counted("agree", "x25519", {0: 300_000}),
            *counted("encrypt-message", "aes-128-ccm", {16: 1200, 64: 2400}),
        ],
    )
    yield
    cores.cache_clear()
    references.cache_clear()


@pytest.mark.usefixtures("_place")
def test_bounds_reach_beyond_the_published_speeds() -> None:
    pace = pace_of_core(cores()["cortex-a53"])
    assert pace is not None
    assert pace.speeds == 3
    assert pace.clocks.low == pytest.approx(0.5 / BEYOND)
    assert pace.clocks.typical == pytest.approx(1.0)
    assert pace.clocks.high == pytest.approx(2.0 * BEYOND)


@pytest.mark.usefixtures("_place")
def test_a_linux_board_is_answered_as_a_model_with_its_range() -> None:
    reply = ask("--device raspberry-pi-3b --message 16 --rank latency")
    time = reply.candidate("aes-128-ccm")["latency"]
    seconds = 1200 / 1.2e9
    assert time["evidence"] == "modelled"
    assert time["typical"] == pytest.approx(seconds)
    assert time["low"] == pytest.approx(0.5 / BEYOND * seconds)
    assert time["high"] == pytest.approx(2 * BEYOND * seconds)
    (figure,) = (item for item in reply.document["decision"]["figures"] if item["name"] == "time")
    assert figure["words"].endswith(", modelled")


@pytest.mark.usefixtures("_place")
def test_counts_and_their_pace_are_shown() -> None:
    done = CliRunner().invoke(reference, ["show", "--scheme", "chacha20"], standalone_mode=False)
    assert "instructions" in done.stdout
    assert "firmware flash" not in done.stdout, "no result has it"
    assert "times are modelled: Cortex-A53 takes 1 cycles" in done.stdout
    assert f"({0.5 / BEYOND:.2g} to {2 * BEYOND:.2g}, by 3 published speeds" in done.stdout


@pytest.mark.usefixtures("_place")
def test_one_known_speed_is_no_pace() -> None:
    keep("emu:aarch64", counted("agree", "x25519", {0: 300_000}))
    assert pace_of_core(cores()["cortex-a53"]) is None
    with pytest.raises(InputError, match="no results for raspberry-pi-3b"):
        ask("--device raspberry-pi-3b --message 16")


@pytest.mark.usefixtures("_place")
def test_a_speed_by_the_byte_needs_two_lengths() -> None:
    keep("emu:aarch64", counted("digest", "sha256", {64: 600}))
    speed = cores()["cortex-a53"].speeds[1]
    assert instructions_of(speed, references()["emu:aarch64"]) is None


@pytest.mark.parametrize(
    ("forms", "words"),
    [
        ({}, "give one of"),
        ({"cycles": 3, "cycles_per_byte": 2.0}, "give one of"),
        ({"bytes_per_second": 1e6}, "must be given together"),
        ({"cycles": 3, "clock_hz": 1000}, "must be given together"),
    ],
)
def test_a_speed_has_one_form(forms: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PublishedSpeed.model_validate(
            {
                "scheme": "sha256",
                "operation": "digest",
                "implementation": "openssl",
                "source": {"document": "made up"},
                **forms,
            }
        )


@pytest.mark.parametrize("name", sorted(cores()))
def test_no_speed_of_a_core_lies_beyond_the_bounds_of_the_others(name: str) -> None:
    core = cores()[name]
    table = references()[core.target]
    paces = [
        (schemes()[speed.scheme].algorithm, speed.clocks / instructions)
        for speed in core.speeds
        if (instructions := instructions_of(speed, table)) is not None
    ]
    assert len(paces) == len(core.speeds), "every published speed has counted instructions"
    for algorithm, pace in paces:
        bounds = pace_of([other for left, other in paces if left != algorithm])
        assert bounds.low <= pace <= bounds.high, algorithm


def test_linux_boards_have_a_core_with_speeds() -> None:
    boards = {name for name, device in devices().items() if core_of(device) is not None}
    assert {"raspberry-pi-3b", "raspberry-pi-4b", "beaglebone-black"} <= boards
    assert core_of(devices()["samd21g18a"]) is None


def test_a_core_file_with_one_speed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cortex-a53.toml"
    file.write_text(SPEEDS.split('[[speeds]]\nscheme = "sha256"')[0])
    with pytest.raises(InputError, match="speeds"):
        toml.validate(toml.load(file), LinuxCore)
