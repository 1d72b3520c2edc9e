"""Keys and nonces: formulas against hand calculations and the tables of their sources."""

from __future__ import annotations

import math

import pytest
from choice_fixtures import ask, keep, message, operation, own_place, text

from motebench.advise.choice import keys as limits
from motebench.advise.reference import table

NODE = "--device samd21g18a --message 24 --every 10min --lorawan EU868 --dr 3 --battery cr2032"


@pytest.fixture
def results(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    sizes = {8: 5_000, 24: 15_000, 64: 40_000}
    keep(
        "sim:samd21g18a",
        [
            *message("aes-128-gcm", "mote/aes-ct", 20_000, flash_net=1_000),
            *message("aes-128-ccm", "mote/aes-ct", 20_000, flash_net=2_000),
            *message("chacha20-poly1305", "mote/chacha20-poly1305", 20_000, flash_net=3_000),
            *message("3des-eax", "mote/des", 20_000, flash_net=3_000),
            *message("aes-128-ctr", "mote/aes-ct", 20_000, flash_net=1_000),
            *operation("mac", "aes-128-gmac", "mote/aes-ct", sizes, flash_net=1_500),
            *operation("mac", "aes-128-cmac", "mote/aes-ct", sizes, flash_net=1_500),
            *operation("digest", "sha256", "mote/sha-256", sizes, flash_net=1_500),
        ],
    )
    yield
    table.references.cache_clear()


def _facts(line: str, scheme: str) -> dict[str, dict]:
    found = next(entry for entry in ask(line).document["keys"] if entry["scheme"] == scheme)
    return {fact["kind"]: fact for fact in found["facts"]}


def test_limits_are_those_of_the_table_of_the_draft():
    # Table 2 of draft-irtf-cfrg-aead-limits: L = 2^7 blocks, p = 2^-50; CCM with v limited to 1.
    assert math.log2(limits.gcm_messages(2**7)) == pytest.approx(32.5, abs=0.02)
    assert math.log2(limits.ccm_messages(2**7)) == pytest.approx(31, abs=1e-9)
    # v <= p 2^103 / (L + 1) = 2^46 tries reach p.
    assert math.log2(2**46 * limits.poly1305_forgery(2**7)) == pytest.approx(-50, abs=0.02)


def test_the_birthday_bound_by_hand():
    # 23 people, 365 days are 8.51 bits: the textbook says a half.
    assert limits.collision(23, math.log2(365)) == pytest.approx(0.5, abs=0.003)
    assert limits.collision(2**32, 96) == pytest.approx(2**-33, rel=1e-6)
    assert limits.collision(1, 96) == 0
    # An advantage of 1/2 for 2^64 blocks of 128 bits, one a message.
    assert limits.birthday_messages(1, 128, 0.5) == pytest.approx(2**64)


def test_forgeries_by_hand():
    # Two blocks and the lengths: three values of the key fit. A million tries at a tag of 32 bits.
    assert limits.gcm_forgery(2, 32) == 3 / 2**32
    assert limits.within(1e6, limits.guessed(32)) == pytest.approx(
        1 - (1 - 2**-32) ** 1e6, rel=1e-6
    )
    assert limits.within(10, 2**-128) == pytest.approx(10 * 2**-128)
    assert limits.within(1, 1.0) == 1.0


def test_days_of_a_key(results):
    # 24 bytes are two blocks; 144 messages a day.
    gcm = _facts(NODE, "aes-128-gcm")["key-change"]
    assert gcm["value"] == pytest.approx((2**39.5 - 1) / 3 / 144)
    ccm = _facts(NODE, "aes-128-ccm")["key-change"]
    assert ccm["value"] == pytest.approx(2**38 / 2 / 144) and not ccm["unverified"]
    assert _facts(NODE, "chacha20-poly1305")["key-change"]["value"] is None
    # 3DES-EAX: three blocks of 8 bytes and one for the nonce, each twice; 2^20 of them.
    des = _facts(f"{NODE} --policy legacy --scheme 3des-eax", "3des-eax")["key-change"]
    assert des["value"] == pytest.approx(2**20 / 8 / 144)
    assert "131,072 messages of 24 B, 2.49 years" in des["words"]


def test_keys_of_a_mac_with_a_nonce(results):
    """One call of the cipher a message hides its tag: (q + 1)^2 / 2^129 <= 2^-50. Forgeries are
    those of GCM.
    """
    facts = _facts(f"{NODE} --need mac", "aes-128-gmac")
    assert facts["key-change"]["value"] == pytest.approx((2**39.5 - 1) / 144)
    assert facts["key-change"]["unverified"]
    assert "2^32 messages a key" in facts["random-nonce"]["words"]
    assert facts["forgery"]["formula"].startswith("1 - (1 - (2 + 1) / 2^128)^v")
    assert set(_facts(f"{NODE} --need mac", "aes-128-cmac")) == {"forgery"}


def test_of_equal_macs_the_one_without_a_nonce_comes_first(results):
    found = ask(f"{NODE} --need mac").document["candidates"]
    assert [(entry["scheme"], entry["rank"]) for entry in found] == [
        ("aes-128-cmac", 1),
        ("aes-128-gmac", 1),
    ]
    assert "a MAC without a nonce before one with it" in " ".join(found[0]["why"])


def test_a_mac_with_a_nonce_is_not_added_to_a_cipher(results):
    alone = ask(f"{NODE} --nonce carried --need mac").document["candidates"]
    sent = {entry["scheme"]: entry["sent"]["nonce_bytes"] for entry in alone}
    assert (sent["aes-128-gmac"], sent["aes-128-cmac"]) == (12, 0)
    found = ask(f"{NODE} --scheme aes-128-* --need aead").document
    pairs = {entry["scheme"] for entry in (*found["candidates"], *found["rejected"])}
    assert any("+ aes-128-cmac" in pair for pair in pairs) and not any(
        "gmac" in pair for pair in pairs
    )


def test_writes_of_a_counter(results):
    # SAMD21: 25,000 cycles of two rows with four pages each; a write each 10 minutes.
    counter = _facts(NODE, "aes-128-ccm")["counter"]
    assert counter["value"] == pytest.approx(25_000 * 8 / 52_596)
    assert "52,596 writes a year, worn out after 3.8 years" in counter["words"]
    # Twice the service of ten years: 3.8 x 8 = 30 years.
    without = _facts("--device samd21g18a --message 24 --every 10min", "aes-128-ccm")["counter"]
    assert (
        "in blocks of 8 numbers, written ahead: 30.4 years, and a reset loses up to 8 numbers"
        in without["words"]
    )


def test_forgeries_are_limited_by_the_radio(results):
    found = ask(NODE).document
    air = next(one for one in found["candidates"] if one["scheme"] == "aes-128-ccm")["sent"][
        "time_on_air_ms"
    ]
    tries = 365.25 * 86400 / (air / 1000)
    assert _facts(NODE, "aes-128-ccm")["forgery"]["value"] == pytest.approx(tries / 2**128)
    assert _facts(NODE, "aes-128-gcm")["forgery"]["value"] == pytest.approx(3 * tries / 2**128)
    short = _facts(f"{NODE} --tag 4", "aes-128-ccm")["forgery"]["value"]
    tagged = ask(f"{NODE} --tag 4").candidate("aes-128-ccm")["sent"]["time_on_air_ms"]
    assert short == pytest.approx(1 - (1 - 2**-32) ** (365.25 * 86400 / (tagged / 1000)), rel=1e-6)


def test_what_has_no_key_or_rate_has_less_to_say(results):
    assert ask("--device samd21g18a --message 24 --need hash").document["keys"] == []
    kinds = {
        fact["kind"]
        for fact in ask("--device samd21g18a --message 24").document["keys"][0]["facts"]
    }
    assert kinds == {"forgery"}
    said = text(NODE)
    assert "keys and nonces of" in said and "unverified" in said
