"""Questions that an architect asks, with the answer that the reference results have to give, and
its reason.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError
from motebench.cli.commands.choose import command

SAMD21 = "--device samd21g18a --every 10min --strength 128"
AVR = "--device atmega328p --message 16 --every 1h --battery cr2032 --strength 128"
LORA = "--message 24 --lorawan EU868 --battery cr2032"


@cache
def answered(line: str) -> dict[str, Any]:
    # Other tests check the schema, which takes longer than the answer.
    result = CliRunner().invoke(command, [*line.split(), "--json"], standalone_mode=False)
    assert result.exception is None
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def _first(line: str) -> dict[str, Any]:
    return answered(line)["candidates"][0]


def _said(line: str) -> str:
    found = answered(line)
    return "\n".join(
        [*found["remarks"], *found["alternatives"], *found["nearest"], *_first_why(found)]
    )


def _first_why(found: dict[str, Any]) -> list[str]:
    return found["candidates"][0]["why"] if found["candidates"] else []


@pytest.mark.parametrize(
    ("line", "scheme"),
    [
        (f"{SAMD21} {LORA} --dr 5", "chacha20-poly1305"),
        (f"{SAMD21} {LORA} --dr 0 --policy nist", "aes-128-ccm"),
        (f"{SAMD21} --message 24 --strength 256 --policy nist", "aes-256-ccm"),
        (f"{SAMD21} --message 24 --constant-time", "chacha20-poly1305"),
        (f"{SAMD21} --message 24 --constant-time --policy nist", "aes-128-gcm"),
        (f"{SAMD21} --message 64KiB --need hash", "sha256"),
        (f"{SAMD21} --message 24 --rank flash --include research", "ascon-aead128"),
        (
            "--device atmega2560 --message 64 --every 1min --strength 128 --policy nist",
            "aes-128-ccm",
        ),
    ],
)
def test_a_product_gets_a_recommended_scheme(line, scheme):
    first = _first(line)
    assert first["scheme"] == scheme and first["status"]["tier"] == 0
    assert (first["status"]["maturity"] == "research") == ("--include research" in line)


@pytest.mark.parametrize(
    ("line", "scheme", "implementation"),
    [
        # The AES of the radio stack is shared: that comes before a claim of constant time that
        # nobody asked for.
        (
            f"{SAMD21} --message 12 --lorawan EU868 --dr 3 --policy nist --has lorawan",
            "aes-128-ccm",
            "mbedtls-3/aes-fewer",
        ),
        # A message of 8 bytes is shorter than all that were measured: CMAC takes a fifth of HMAC's
        # time there, too.
        (f"{SAMD21} --need mac --message 8 --tag 4", "aes-128-cmac", "mbedtls-3/cmac-fewer"),
        # Not SHA-224, which saves some bytes and is to be retired. BearSSL takes half the time,
        # which no battery notices, and Mbed TLS is maintained.
        (
            f"{SAMD21} --need mac --message 64 --tag 8 --policy nist --constant-time --battery "
            "cr2032",
            "hmac-sha256",
            "mbedtls-3/hmac-sha256",
        ),
        # Not with motebench's Keccak inside, which nobody reviewed.
        (
            "--device samd21g18a --need kem --role decapsulate --strength 192",
            "ml-kem-768",
            "mlkem-native/ml-kem",
        ),
        (
            "--device samd21g18a --message 512 --scheme aes-256-gcm --rank throughput",
            "aes-256-gcm",
            "mbedtls-3/aes@O2",
        ),
    ],
)
def test_a_product_gets_an_implementation_that_an_architect_would_take(
    line, scheme, implementation
):
    first = _first(line)
    assert (first["scheme"], first["implementation"]) == (scheme, implementation)


def test_a_signature_whose_mean_is_too_slow_is_rejected_though_one_attempt_would_do():
    """ML-DSA-44: one attempt takes 0.31 s, the mean of the attempts 1.01 s."""
    found = answered(
        "--device samd21g18a --need signature --message 32 --every 700ms --battery li-ion-18650 "
        "--scheme ml-dsa-44"
    )
    assert not found["candidates"]
    assert any(
        "ml-dsa-44 by mldsa-native/ml-dsa-small: --every 1.0" in words for words in found["nearest"]
    )


def test_a_maintained_implementation_is_named_with_its_price_where_the_first_is_not():
    maintained = answered("--device nrf52840 --need agreement --constant-time")
    assert maintained["candidates"][0]["implementation"] == "monocypher/x25519"
    found = answered("--device nrf52840 --need agreement --constant-time --include research")
    assert found["candidates"][0]["implementation"] == "mote/x25519"
    (said,) = [words for words in found["remarks"] if "keeps all limits, too" in words]
    assert (
        said.startswith("x25519 by monocypher/x25519 is reviewed") and "worse than rank 1" in said
    )
    assert not [
        words
        for words in answered(f"{SAMD21} {LORA} --dr 5")["remarks"]
        if "keeps all limits, too" in words
    ]


def test_what_a_secret_was_seen_to_reach_is_no_constant_time():
    """Monocypher on a Cortex-M0+: a product of the compiler's library branches on the secret."""
    found = answered("--device samd21g18a --need agreement --constant-time --include research")
    taken = {entry["implementation"] for entry in found["candidates"]}
    assert "bearssl/x25519" in taken and "monocypher/x25519" not in taken


def test_code_of_an_unreviewed_library_inside_another_one_is_research():
    found = answered("--device samd21g18a --need kem --policy cnsa2")
    (mixed,) = [
        one
        for one in found["rejected"]
        if (one["scheme"], one["implementation"])
        == ("ml-kem-1024", "mlkem-native/ml-kem-mote-keccak")
    ]
    assert [broken["limit"] for broken in mixed["broken"]] == ["maturity"]
    assert "code of motebench's own ciphers" in mixed["broken"][0]["words"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("--device unno --message 16", "'uno'"),
        ("--device samd21g18a --message 16 --scheme AES-GCM", "'aes*gcm*'"),
        ("--device samd21g18a --message 16 --implementation mbedtls", "'mbedtls*'"),
        ("--device samd21g18a --message 16 --policy fips", "nist"),
        ("--device samd21g18a --message 16 --radio nb-iot", "--link nbiot"),
    ],
)
def test_a_name_as_people_write_it_is_answered_with_the_one_that_is_meant(line, hint):
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    assert isinstance(result.exception, InputError) and result.exception.hint is not None
    assert hint in result.exception.hint


def test_short_tags_leave_out_what_does_not_allow_them_and_say_what_they_risk():
    line = f"{SAMD21} {LORA} --dr 5 --tag 4"
    assert _first(line)["scheme"].endswith(("-ccm", "-gcm"))
    # 2^28.4 frames of 87 ms a year against 2^32 tags: 1 - e^-0.084.
    assert "WARNING: a forgery within a year: 8.1 %" in _said(line)
    assert "WARNING: a forgery" not in _said(f"{SAMD21} {LORA} --dr 5 --tag 8")


def test_a_long_message_at_a_slow_rate_asks_for_another_rate():
    line = f"{SAMD21} --message 51 --every 1h --lorawan EU868 --dr 0 --battery ls14500"
    assert answered(line)["chosen"] is None
    assert "--fragment (67 bytes to send" in _said(line)
    assert "by mbedtls-3/" in answered(line)["nearest"][0], (
        "of those that miss as little, the more mature one"
    )


def test_little_memory_is_said_with_what_it_would_take():
    line = f"{AVR} --flash 8KiB --ram 512B"
    assert answered(line)["chosen"] is None
    assert "--ram 602 (now 512 B" in answered(line)["nearest"][0]
    assert "with --include research: ascon-aead128 by mote/ascon" in _said(line)


def test_research_code_is_not_offered_where_it_would_not_be_first():
    said = _said(f"{SAMD21} {LORA} --dr 3")
    assert "--include research" not in said, said


def test_the_stack_of_lorawan_makes_aes_cheaper():
    line = f"{SAMD21} {LORA} --dr 0 --policy nist"
    alone = {
        (one["scheme"], one["implementation"]): one["flash"] for one in answered(line)["candidates"]
    }
    there = {
        (one["scheme"], one["implementation"]): one["flash"]
        for one in answered(f"{line} --has lorawan")["candidates"]
    }
    key = ("aes-128-ccm", "mbedtls/aes-fewer")
    assert there[key]["typical"] < 0.6 * alone[key]["typical"]
    assert there["aes-256-ccm", "mbedtls/aes-fewer"] == alone["aes-256-ccm", "mbedtls/aes-fewer"]


def test_the_data_rate_and_not_the_cipher_decides_how_long_a_battery_lasts():
    line = f"{SAMD21} {LORA} --dr 3 --sensitivity"
    rows = {row["input"]: row["factor"] for row in answered(line)["sensitivity"]["inputs"]}
    assert max(rows, key=rows.get) == "data-rate"
    assert rows["cipher-time"] < 1.01 < rows["length"]


def test_an_image_is_signed_by_code_that_was_reviewed():
    line = "--device samd21g18a --message 100 --need signature --every 1d --battery cr2032"
    assert (_first(line)["scheme"], _first(line)["status"]["maturity"]) == ("ed25519", "reviewed")
    assert "post-quantum" in _said(line)


def test_what_the_processor_cannot_do_a_secure_element_may() -> None:
    found = answered("--device atmega328p --need update --image 24KiB")
    assert not found["candidates"] and any(
        "--with atecc608b" in words for words in found["alternatives"]
    )
    first = _first("--device atmega328p --need update --image 24KiB --with atecc608b")
    assert first["implementation"].startswith("element/atecc608b")


def test_a_rate_that_even_a_bare_message_breaks_is_answered_with_one_that_it_keeps() -> None:
    line = "--device samd21g18a --message 18 --lorawan EU868 --dr 1 --network ttn --every"
    result = CliRunner().invoke(command, [*line.split(), "15min"], standalone_mode=False)
    assert isinstance(result.exception, InputError) and result.exception.hint is not None
    assert (
        "(43.5 min)" in result.exception.what
        and result.exception.hint == "--every 3551s, or --dr 3"
    )
    assert _first(f"{line} 3551s")["status"]["tier"] == 0
    assert _first(
        "--device samd21g18a --message 18 --lorawan EU868 --dr 3 --network ttn --every 15min"
    )


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        (
            "--device stm32wle5 --message 60 --every 10min --lorawan EU868 --dr 0",
            ["--dr 3", "--fragment"],
        ),
        (
            "--device samd21g18a --message 24 --every 10min --lorawan US915 --dr 0",
            ["--dr 1", "--fragment"],
        ),
    ],
)
def test_a_bare_message_that_fits_no_frame_gets_options_that_were_tried(line, ways):
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    assert isinstance(result.exception, InputError) and result.exception.hint == ", or ".join(ways)
    for way in ways:
        asked = re.sub(r"--dr \d", way, line) if way.startswith("--dr") else f"{line} {way}"
        assert _first(asked)["status"]["tier"] == 0


def test_a_key_that_nobody_may_read_is_in_a_secure_element():
    line = f"{SAMD21} --need signature --message 32 --every 1d --battery cr2032"
    found = answered(f"{line} --with atecc608b --protect-key")
    assert {entry["implementation"] for entry in found["candidates"]} == {"element/atecc608b"}
    assert answered(f"{line} --protect-key")["chosen"] is None
    assert "--with se050" in {way["option"] for way in answered(f"{line} --protect-key")["ways"]}
    assert "protect-key" in {
        broken["limit"] for one in found["rejected"] for broken in one["broken"]
    }


def test_an_element_that_is_switched_off_draws_nothing_and_its_current_is_stated():
    line = (
        f"{SAMD21} --need signature --message 32 --every 1d --battery cr2032 --with optiga-trust-m"
    )
    lives = []
    for option in ("", " --element-off"):
        found = answered(f"{line} --protect-key{option}")
        lives.append(found["candidates"][0]["life"]["typical"])
        assert any("element/optiga-trust-m draws 70.0 µA" in note for note in found["notes"]), (
            found["notes"]
        )
    assert lives[1] > 5 * lives[0]
    result = CliRunner().invoke(
        command, [*SAMD21.split(), "--message", "8", "--element-off"], standalone_mode=False
    )
    assert isinstance(result.exception, InputError) and result.exception.where == "--element-off"


def test_the_probe_does_not_decide_what_a_small_part_signs_with():
    """With the probe the firmware of Ed25519 has 56,044 bytes, and the ATmega4809 has 49,152."""
    first = _first("--device atmega4809 --need signature --message 32")
    assert (first["scheme"], first["latency"]["evidence"]) == ("ed25519", "modelled")
    assert first["flash"]["high"] < 49_152 and first["latency"]["high"] < 10


def test_what_nobody_waits_for_is_said_with_quicker_ways():
    found = answered("--device atmega4809 --need signature --message 32 --scheme rsa*,ecdsa*")
    assert (
        found["candidates"][0]["latency"]["typical"] > 10
        and "no product waits so long" in found["caution"]
    )
    assert "--with atecc608b" in {way["option"] for way in found["ways"]}
    assert answered("--device atmega4809 --need signature --message 32")["caution"] is None


def test_frames_of_a_slow_rate_take_as_long_as_the_duty_cycle():
    """800 bytes come at DR0 in 46.0 s of frames; a duty cycle of 1 % makes that 4,601 s."""
    line = "--device samd21g18a --need kem --role encapsulate --lorawan EU868 --dr 0 --fragment"
    assert "46.01 s on air, and 77 minutes by the duty cycle" in _said(line)
    sent = _first(line)["sent"]
    assert sent["least_interval_s"] == pytest.approx(sent["time_on_air_ms"] / 10)


def test_a_slower_board_takes_the_same_cycles_and_more_time():
    """16 MHz, and 8 MHz at 3.3 V: cycles stay, so times double; 3.74 mA instead of 10.4 mA."""
    at_16, at_8 = (_first(f"{AVR} {more}") for more in ("", "--clock 8MHz --voltage 3.3V"))
    assert (at_8["scheme"], at_8["implementation"]) == (at_16["scheme"], at_16["implementation"])
    assert at_8["latency"]["typical"] == pytest.approx(2 * at_16["latency"]["typical"])
    question = answered(f"{AVR} --clock 8MHz --voltage 3.3V")["question"]
    assert (question["clock_hz"], question["voltage_v"]) == (8_000_000, 3.3)
    assert question["currents"]["active"]["typical"] == pytest.approx(3.74e-3)
    assert answered(AVR)["question"]["voltage_v"] is None


def test_the_first_line_names_clock_voltage_and_converter():
    said = answered(f"{AVR} --clock 1MHz --voltage 1.8V --converter tps62740")
    assert said["decision"]["question"].startswith("atmega328p at 1 MHz and 1.8 V: ")
    assert "cr2032 behind tps62740" in said["decision"]["question"]
    assert said["question"]["converter"] == "tps62740"
    assert any(note.startswith("own current of TPS62740: 460 nA") for note in said["notes"])


def test_a_converter_takes_its_own_current_asleep():
    """5 V from a CR2032 of 3 V were assumed without losses; at 90 % life is shorter."""
    lossless, converted = (
        _first(f"{AVR} {more}")["life"]["typical"] for more in ("", "--converter 90%,1uA")
    )
    assert converted < lossless
    asleep = answered(f"{AVR} --converter 90%,1uA")["question"]["currents"]["sleep"]
    assert [round(drawn["typical"] * 1e6, 3) for drawn in asleep] == [4.2, 1.0]


def test_times_of_a_flash_that_waits_less_have_a_lower_bound():
    line = "--device samd21g18a --message 24 --rank latency --implementation mbedtls-3/chacha20"
    latency = _first(f"{line} --clock 8MHz")["latency"]
    assert latency["low"] < 0.51 * latency["typical"]
    usual = _first(line)["latency"]
    assert latency["typical"] == pytest.approx(6 * usual["typical"])


def test_a_clock_that_the_voltage_does_not_allow_is_refused():
    line = f"{AVR} --voltage 1.8V"
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert result.exception.valid == "up to 4 MHz at 1.8 V, or 16 MHz from 3.78 V"


def test_the_command_for_another_optimisation_level_is_a_note():
    line = "--device samd21g18a --message 24 --rank latency --scheme camellia-128-ccm"
    notes, first = answered(line)["notes"], _first(line)
    name = first["implementation"]
    said = [note for note in notes if "@O2" in note]
    assert len(said) == 1 and said[0].startswith(f"{name} was measured at -Os")
    assert f"--implementation {name},{name}@O2 --scheme {first['scheme']}" in said[0]
    hosts = answered("--device raspberry-pi-4b --message 24")["notes"]
    assert not any("@O2" in note for note in hosts)
