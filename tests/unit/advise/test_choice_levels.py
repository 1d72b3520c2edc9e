"""The choice with results at another optimisation level beside those of all firmware."""

from __future__ import annotations

import pytest
from choice_fixtures import ask, keep, message, operation, own_place, text

from motebench.advise.choice import measured
from motebench.advise.reference import table
from motebench.catalog.devices import devices

SENSOR = "--device samd21g18a --message 24"
BATTERY = "--every 10min --battery cr2032 --sleep-current 5uA"


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    yield
    table.references.cache_clear()


def _sizes(flash: int, empty: int = 4_000) -> dict[str, int]:
    """Memory of firmware whose no-op cipher takes ``empty`` bytes of flash."""
    return {
        "stack": 300,
        "state": 200,
        "static_ram": 100,
        "static_ram_net": 100,
        "flash": flash + empty,
        "flash_net": flash,
    }


CHACHA = message("chacha20-poly1305", "mbedtls-3/chacha20", 48_000, **_sizes(3_000))
CHACHA_O2 = message("chacha20-poly1305", "mbedtls-3/chacha20@O2", 24_000, **_sizes(4_200, 5_000))
GCM = message("aes-128-gcm", "bearssl/aes-ct", 40_000, **_sizes(2_000))


def given(*groups):
    keep("sim:samd21g18a", [entry for group in groups for entry in group])


def decides(line: str) -> list[str]:
    return ask(line).document["decision"]["decides"]


def test_the_usual_level_stands_and_the_other_one_is_named_beside_it():
    given(CHACHA, CHACHA_O2, GCM)
    found = ask(SENSOR)
    assert found.order == [
        ("aes-128-gcm", "bearssl/aes-ct"),
        ("chacha20-poly1305", "mbedtls-3/chacha20"),
    ]
    given(CHACHA, CHACHA_O2)
    assert "-O2 takes 50 % less time than -Os, for 1,200 B more flash" in decides(SENSOR)


@pytest.mark.parametrize("order", ["latency", "throughput", "energy", "latency=3,flash=1"])
def test_a_rank_by_time_takes_the_better_level(order):
    given(CHACHA, CHACHA_O2, GCM)
    found = ask(f"{SENSOR} --rank {order}")
    assert found.order[0] == ("chacha20-poly1305", "mbedtls-3/chacha20@O2")
    decision = found.document["decision"]
    assert "ChaCha20-Poly1305 by Mbed TLS 3.6 built with -O2" in decision["take"]
    assert "-O2 takes 50 % less time than -Os, for 1,200 B more flash" in decision["decides"]


def test_both_levels_count_as_one_candidate_of_another_question():
    given(CHACHA, CHACHA_O2, GCM, message("chacha20-poly1305", "mote/chacha20", 12_000))
    (other,) = [
        words
        for words in ask(f"{SENSOR} --rank latency", plain=True).document["alternatives"]
        if "--include research" in words
    ]
    assert other.endswith("3 recommended candidates keep all limits instead of 2")


@pytest.mark.parametrize("order", ["flash", "ram"])
def test_a_rank_by_memory_keeps_the_usual_level(order):
    given(CHACHA, CHACHA_O2)
    assert ask(f"{SENSOR} --rank {order}").order == [("chacha20-poly1305", "mbedtls-3/chacha20")]


def test_a_limit_of_flash_counts_for_each_level():
    given(CHACHA, CHACHA_O2)
    assert ask(f"{SENSOR} --rank latency --flash 4200").order[0][1] == "mbedtls-3/chacha20@O2"
    found = ask(f"{SENSOR} --rank latency --flash 4100")
    assert found.order == [("chacha20-poly1305", "mbedtls-3/chacha20")]
    assert "flash" in found.rejected("chacha20-poly1305", "mbedtls-3/chacha20@O2")


def test_a_limit_of_time_admits_the_level_that_keeps_it():
    given(CHACHA, CHACHA_O2)
    found = ask(f"{SENSOR} --max-latency 700us")
    assert found.order == [("chacha20-poly1305", "mbedtls-3/chacha20@O2")]
    # The same code at two levels is one candidate, and the latency rejects none of them.
    assert found.document["decision"]["decides"][-1] == "1 recommended candidate keeps all limits"


def test_levels_of_one_code_are_one_candidate_and_one_line_of_the_record():
    given(CHACHA, CHACHA_O2, GCM)
    found = ask(f"{SENSOR} --rank latency")
    assert len(found.order) == 3
    assert "2 recommended candidates keep all limits" in found.document["decision"]["decides"]
    alternatives = found.document["decision"]["alternatives"]
    assert [entry["words"] for entry in alternatives] == ["AES-128-GCM by BearSSL"]


def test_levels_that_differ_by_next_to_nothing_leave_the_usual_one():
    given(
        CHACHA,
        message("chacha20-poly1305", "mbedtls-3/chacha20@O2", 47_900, **_sizes(4_200, 5_000)),
    )
    found = ask(f"{SENSOR} --rank latency", "--equal", "1%")
    assert found.order[0][1] == "mbedtls-3/chacha20"


def test_where_computing_is_a_small_part_of_the_energy_no_level_is_named():
    given(CHACHA, CHACHA_O2)
    assert "-O2" not in " ".join(decides(f"{SENSOR} {BATTERY}"))


def test_details_have_the_figures_of_both_levels():
    given(CHACHA, CHACHA_O2)
    words = text(SENSOR)
    assert "chacha20-poly1305 by mbedtls-3/chacha20@O2: 500 µs" in words
    assert "motebench run" not in words


def test_a_level_is_chosen_by_its_name_and_every_level_without_one():
    given(CHACHA, CHACHA_O2)
    line = f"{SENSOR} --implementation"
    assert ask(f"{line} mbedtls-3/chacha20@O2").order == [
        ("chacha20-poly1305", "mbedtls-3/chacha20@O2")
    ]
    assert ask(f"{line} mbedtls-3/*").order == [("chacha20-poly1305", "mbedtls-3/chacha20")]
    assert len(ask(f"{line} mbedtls-3/* --rank latency").order) == 2


def test_a_cipher_and_a_mac_are_built_at_one_level():
    ctr, mac = "aes-128-ctr", "aes-128-cmac"
    given(
        message(ctr, "mbedtls-3/aes", 48_000, **_sizes(3_000)),
        message(ctr, "mbedtls-3/aes@O2", 24_000, **_sizes(4_200, 5_000)),
        operation("mac", mac, "mbedtls-3/cmac", {16: 20_000, 64: 50_000}, **_sizes(2_000)),
        operation(
            "mac", mac, "mbedtls-3/cmac@O2", {16: 10_000, 64: 25_000}, **_sizes(2_500, 5_000)
        ),
    )
    pairs = ask(f"{SENSOR} --rank latency").order
    assert [name for _, name in pairs] == [
        "mbedtls-3/aes@O2 + mbedtls-3/cmac@O2",
        "mbedtls-3/aes + mbedtls-3/cmac",
    ]


def test_a_claim_of_constant_time_holds_at_every_level():
    given(message("aes-128-gcm", "bearssl/aes-ct@O2", 30_000, **_sizes(2_400, 5_000)), GCM)
    found = ask(f"{SENSOR} --rank latency --constant-time")
    assert found.order[0] == ("aes-128-gcm", "bearssl/aes-ct@O2")


def test_flash_is_counted_from_the_empty_firmware_of_the_same_level():
    given(CHACHA, CHACHA_O2)
    found = ask(f"{SENSOR} --rank latency")
    sizes = [
        found.candidate("chacha20-poly1305", name)["flash"]["typical"] for _, name in found.order
    ]
    assert sizes == [4_200, 3_000]


def test_other_readers_of_reference_results_have_no_levels():
    given(CHACHA, CHACHA_O2)
    offers = measured.of_device(devices()["samd21g18a"])
    assert offers is not None
    assert [offer.implementation for offer in offers.offers] == ["mbedtls-3/chacha20"]


def test_code_that_is_there_is_taken_off_at_either_level():
    ctr, ccm = "aes-128-ctr", "aes-128-ccm"
    given(
        message(ctr, "mbedtls-3/aes", 48_000, **_sizes(3_000)),
        message(ccm, "mbedtls-3/aes", 50_000, **_sizes(3_500)),
        message(ctr, "mbedtls-3/aes@O2", 24_000, **_sizes(4_200, 5_000)),
        message(ccm, "mbedtls-3/aes@O2", 26_000, **_sizes(5_000, 5_000)),
    )
    found = ask(f"{SENSOR} --has aes-128")
    assert found.order == [("aes-128-ccm", "mbedtls-3/aes")]
    (line,) = [words for words in found.document["decision"]["decides"] if "-O2" in words]
    assert line.startswith("-O2 takes 48 % less time than -Os, for ")
