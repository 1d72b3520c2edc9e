"""Questions that an architect asks, with the answer that the reference results have to give, and its reason."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

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
    return "\n".join([*found["remarks"], *found["alternatives"], *found["nearest"], *_first_why(found)])


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
        ("--device atmega2560 --message 64 --every 1min --strength 128 --policy nist", "aes-128-ccm"),
    ],
)
def test_a_product_gets_a_recommended_scheme(line, scheme):
    first = _first(line)
    assert first["scheme"] == scheme and first["status"]["tier"] == 0
    assert first["status"]["maturity"] != "research" or "--include research" in line


def test_short_tags_leave_out_what_does_not_allow_them_and_say_what_they_risk():
    line = f"{SAMD21} {LORA} --dr 5 --tag 4"
    assert _first(line)["scheme"].endswith(("-ccm", "-gcm"))
    # 2^28.4 frames of 87 ms a year against 2^32 tags: 1 - e^-0.084.
    assert "WARNING: a forgery within a year: 8.1 %" in _said(line)
    assert "WARNING: a forgery" not in _said(f"{SAMD21} {LORA} --dr 5 --tag 8")


def test_a_long_message_at_a_slow_rate_asks_for_another_rate():
    line = f"{SAMD21} --message 51 --every 1h --lorawan EU868 --dr 0 --battery ls14500"
    assert answered(line)["chosen"] is None
    assert "--fragment or --dr 3 to 67 B (now 51 B" in _said(line)
    assert "by mbedtls/" in answered(line)["nearest"][0], "of those that miss as little, the more mature one"


def test_little_memory_is_said_with_what_it_would_take():
    line = f"{AVR} --flash 8KiB --ram 512B"
    assert answered(line)["chosen"] is None
    assert "--ram to" in answered(line)["nearest"][0]
    assert "with --include research: ascon-aead128 by mote/ascon" in _said(line)


def test_research_code_is_not_offered_where_it_would_not_be_first():
    said = _said(f"{SAMD21} --message 1KiB")
    assert "--include research" not in said, said


def test_the_stack_of_lorawan_makes_aes_cheaper():
    line = f"{SAMD21} {LORA} --dr 0 --policy nist"
    alone = {(one["scheme"], one["implementation"]): one["flash"] for one in answered(line)["candidates"]}
    there = {
        (one["scheme"], one["implementation"]): one["flash"] for one in answered(f"{line} --has lorawan")["candidates"]
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
