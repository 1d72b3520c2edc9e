"""Answers of `motebench cost`, from made-up reference results and from the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from choice_fixtures import keep, message, operation, own_place
from click.testing import CliRunner

from motebench.advise.reference.table import ReferenceCase
from motebench.base.errors import InputError
from motebench.cli.commands.cost import command
from motebench.documents import schema


def answered(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The document of these arguments."""
    done = CliRunner().invoke(command, [*arguments, "--json"], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    assert done.return_value == code
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(found, schema("cost"))
    return found


@pytest.fixture
def _results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_place(tmp_path, monkeypatch)
    keep(
        "sim:samd21g18a",
        [
            *message(
                "aes-128-ccm", "mote/slow", 48_000, static_ram=300, static_ram_net=20, flash_net=900
            ),
            *message(
                "aes-128-ccm", "mote/fast", 24_000, static_ram=300, static_ram_net=20, flash_net=900
            ),
            *message(
                "aes-128-ccm",
                "mote/huge",
                1_000,
                state=1_000_000,
                static_ram=300,
                static_ram_net=20,
                flash_net=900,
            ),
            ReferenceCase("aes-128-ccm", "mote/none", "", 0, {}, "too-big", "no room"),
            *operation(
                "encapsulate",
                "ml-kem-512",
                "mote/ml-kem",
                {0: 480_000},
                static_ram=300,
                static_ram_net=20,
            ),
        ],
    )


@pytest.mark.usefixtures("_results")
def test_the_fastest_that_fits_comes_first_and_what_does_not_fit_last() -> None:
    costs = answered("aes-128-ccm", "samd21g18a")["costs"]
    assert [entry["implementation"] for entry in costs] == ["mote/fast", "mote/slow", "mote/huge"]
    assert [entry["fits"] for entry in costs][-1] == "no"
    assert costs[0]["cycles"]["typical"] == 24_000 and costs[0]["input_bytes"] == 64
    assert costs[0]["seconds"]["typical"] == pytest.approx(24_000 / 48e6)
    assert (
        costs[0]["stack_bytes"]["typical"] == 300
        and costs[0]["ram_bytes"]["typical"] == 300 + 200 + 20
    )
    assert costs[0]["evidence"] == "simulated" and costs[0]["target"] == "sim:samd21g18a"


@pytest.mark.usefixtures("_results")
def test_what_has_no_result_is_told_with_the_reason() -> None:
    (failure,) = answered("aes-128-ccm", "samd21g18a")["failures"]
    assert failure == {"implementation": "mote/none", "reason": "too-big: no room"}


@pytest.mark.usefixtures("_results")
def test_a_length_between_measured_ones_is_modelled() -> None:
    (fast, *_) = answered("aes-128-ccm", "samd21g18a", "--size", "100")["costs"]
    assert fast["evidence"] == "modelled" and fast["note"]


@pytest.mark.usefixtures("_results")
def test_sizes_of_keys_and_ciphertext_are_told_and_names_are_those_of_people() -> None:
    found = answered("kyber512", "SAMD21")
    assert found["scheme"] == "ml-kem-512" and found["device"] == "samd21g18a"
    # FIPS 203, table 3.
    assert found["sizes"] == {"public-key": 800, "ciphertext": 768, "private-key": 1632}
    (entry,) = found["costs"]
    # The caller holds public key, ciphertext and the secret of 32 B.
    assert (
        entry["operation"] == "encapsulate"
        and entry["ram_bytes"]["low"] == 300 + 200 + 20 + 800 + 768 + 32
    )


@pytest.mark.usefixtures("_results")
def test_exit_code_3_if_nothing_has_a_result() -> None:
    assert answered("aes-256-ccm", "samd21g18a", code=3)["costs"] == []


@pytest.mark.usefixtures("_results")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("aes", "samd21g18a"), "several schemes"),
        (("aes-128-ccm", "esp32"), "unknown device"),
        (("aes-128-ccm", "pc"), "no results"),
        (("aes-128-ccm", "samd21g18a", "--operation", "sign"), "no operation"),
        (("aes-128-ccm", "samd21g18a", "--operation", "encrpt"), "unknown operation"),
    ],
)
def test_wrong_names_are_told(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        answered(*arguments)


def test_the_fastest_entry_has_the_command_for_another_optimisation_level():
    found = answered("sha512", "samd21g18a")
    name = found["costs"][0]["implementation"]
    wanted = f"{name},{name}@O2 --scheme sha512 --operation digest --size 64"
    assert any(wanted in note for note in found["notes"])


def test_results_of_another_optimisation_level_stand_beside_the_usual_one():
    found = answered("sha256", "samd21g18a")
    names = [entry["implementation"] for entry in found["costs"]]
    assert {"mote/sha-256", "mote/sha-256@O2"} <= set(names)
    assert not any("motebench run" in note for note in found["notes"])


def test_times_are_those_of_the_clock_that_is_asked_for():
    usual = answered("sha256", "atmega328p")
    slow = answered("sha256", "atmega328p", "--clock", "8MHz", "--voltage", "3.3V")
    assert slow["clock_hz"] == 8_000_000
    assert slow["notes"][0].startswith("ATmega328P at 8 MHz and 3.3 V")
    assert len(usual["costs"]) > 1
    for before, after in zip(usual["costs"], slow["costs"], strict=True):
        assert after["cycles"] == before["cycles"]
        assert after["seconds"]["typical"] == pytest.approx(2 * before["seconds"]["typical"])
