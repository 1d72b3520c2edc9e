"""Code that a product has already is not counted again in flash."""

from __future__ import annotations

import pytest
from choice_fixtures import SIZES, ask, keep, message, operation, own_place, text

from motebench.advise.reference import table
from motebench.base.errors import InputError

NODE = "--device samd21g18a --message 24 --every 10min --battery cr2032"


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)

    def code(scheme: str, by: str, net: int, empty: int) -> list:
        return message(scheme, by, 20_000, flash=empty + net, flash_net=net)

    # The empty firmware of a stream cipher takes 10,000 B, with CTR 11,000, with CCM 12,500; of a
    # hash 9,000.
    keep(
        "sim:samd21g18a",
        [
            *code("chacha20", "mbedtls/chacha20", 1_200, 10_000),
            *code("chacha20-poly1305", "mbedtls/chacha20", 3_500, 10_500),
            *code("aes-128-ctr", "mote/aes-ct", 2_000, 11_000),
            *code("aes-128-ccm", "mote/aes-ct", 2_030, 12_500),
            *code("aes-128-cbc", "mote/aes-ct", 2_900, 11_200),
            *code("aes-128-ctr", "mbedtls/aes", 3_600, 11_000),
            *code("aes-128-ccm", "mbedtls/aes", 5_300, 12_500),
            *code("aes-256-ccm", "mbedtls/aes", 5_300, 12_500),
            *operation(
                "digest",
                "sha256",
                "mote/sha-256",
                dict.fromkeys(SIZES, 9_000),
                flash=10_500,
                flash_net=1_500,
            ),
            *operation(
                "mac",
                "hmac-sha256",
                "mote/sha-256",
                dict.fromkeys(SIZES, 20_000),
                flash=11_600,
                flash_net=1_520,
            ),
        ],
    )
    yield
    table.references.cache_clear()


def _flash(has: str, scheme: str, by: str, need: str = "aead") -> tuple[float, float, float]:
    found = ask(f"{NODE} --need {need} {has}").candidate(scheme, by)["flash"]
    return found["low"], found["typical"], found["high"]


def test_a_block_cipher_alone_is_taken_off_exactly():
    low, typical, high = _flash("", "aes-128-ccm", "mote/aes-ct")
    # Both modes say 2,000 to 2,030 B of AES.
    assert _flash("--has aes-128", "aes-128-ccm", "mote/aes-ct") == (
        max(low - 2030, 0),
        typical - 2000,
        high - 2000,
    )
    assert _flash("--has lorawan", "aes-128-ccm", "mote/aes-ct") == _flash(
        "--has AES128", "aes-128-ccm", "mote/aes-ct"
    )


def test_a_library_with_its_own_modes_is_taken_off_with_bounds():
    low, typical, high = _flash("", "aes-128-ccm", "mbedtls/aes")
    # CTR: 3,600 B without the probe's mode of 1,000 B, 4,600 B with it.
    assert _flash("--has lorawan", "aes-128-ccm", "mbedtls/aes") == (
        low - 4600,
        typical - 3600,
        high - 2600,
    )


def test_only_what_is_named_is_taken_off():
    assert _flash("--has lorawan", "aes-256-ccm", "mbedtls/aes") == _flash(
        "", "aes-256-ccm", "mbedtls/aes"
    )
    assert _flash("--has lorawan", "chacha20-poly1305", "mbedtls/chacha20") == (3500, 3500, 3500)
    assert _flash("--has chacha20", "chacha20-poly1305", "mbedtls/chacha20") == (2300, 2300, 2300)
    assert _flash("--has chacha20-poly1305", "chacha20-poly1305", "mbedtls/chacha20") == (0, 0, 0)


def test_the_inverse_cipher_stays_counted():
    low, typical, high = _flash("", "aes-128-cbc", "mote/aes-ct", "encryption")
    assert low == 2900, "with the inverse cipher"
    assert _flash("--has aes-128", "aes-128-cbc", "mote/aes-ct", "encryption") == (
        870,
        typical - 2000,
        high - 2000,
    )


def test_a_hash_is_taken_off_its_hmac():
    low, typical, high = _flash("", "hmac-sha256", "mote/sha-256", "mac")
    assert _flash("--has sha256", "hmac-sha256", "mote/sha-256", "mac") == (
        low - 1500,
        typical - 1500,
        high - 1500,
    )


def test_the_answer_says_what_was_taken_off_and_from_which_figure():
    found = ask(f"{NODE} --has lorawan,sha256").document
    assert found["question"]["has"] == ["aes-128", "aes-128-cmac", "sha256"]
    said = next(entry for entry in found["candidates"] if entry["implementation"] == "mbedtls/aes")[
        "why"
    ]
    assert (
        "aes-128 by mbedtls/aes is there already: 2,600 to 4,600 B of flash that aes-128-ctr "
        "takes are not counted"
    ) in said
    assert any("LoRaWAN brings AES-128 encryption and AES-CMAC" in line for line in found["notes"])
    assert "is there already" in text(f"{NODE} --has lorawan --show 0")
    assert ask(NODE).document["question"]["has"] == []


def test_a_limit_of_flash_counts_what_is_left():
    limit = "--flash 3KiB --scheme aes-128-ccm --implementation mbedtls/aes"
    assert ask(f"{NODE} {limit}").document["chosen"] is None
    assert ask(f"{NODE} {limit} --has lorawan").document["chosen"] == "aes-128-ccm by mbedtls/aes"


def test_unknown_names_get_valid_ones():
    with pytest.raises(InputError) as caught:
        ask(f"{NODE} --has sha257")
    assert (
        caught.value.where == "--has"
        and "lorawan" in str(caught.value.valid)
        and "sha256" in str(caught.value.valid)
    )
    assert "sha256" in str(caught.value.hint)
