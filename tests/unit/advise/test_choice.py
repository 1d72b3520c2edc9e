"""The choice by hand: costs, energy, life, order, ties; every limit, every policy, nothing left,
bad input.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from choice_fixtures import ask, keep, message, operation, own_place, text

import motebench
from motebench.advise.choice.candidate import Point, SchemeOffer
from motebench.advise.choice.estimates import cost
from motebench.advise.choice.question import Scene
from motebench.advise.radio.lorawan import link
from motebench.advise.reference import table
from motebench.advise.reference.table import ReferenceCase, read
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.paths import catalog_dir
from motebench.base.quantities import Interval
from motebench.catalog import algorithm_of, resolve
from motebench.catalog.devices import devices
from motebench.catalog.libraries import library_of
from motebench.catalog.policies import choice, claim
from motebench.catalog.radios import RADIOS, REGIONS

BOARD = "sim:samd21g18a"
MOVES = 1.017
"""The most by which the place of the code moved cycles on it: `code_places` of its catalog file."""
SENSOR = "--device samd21g18a --message 24"
BATTERY = "--every 10min --battery cr2032 --sleep-current 5uA"


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    yield
    table.references.cache_clear()


def given(*entries):
    keep(BOARD, [entry for of in entries for entry in of])


CCM = message("aes-128-ccm", "mote/aes-ct", 48_000)
GCM = message("aes-128-gcm", "mote/aes-fast", 96_000)
ASCON = message("ascon-aead128", "mote/ascon", 24_000)


# Maturity and indifference


def test_code_that_is_not_for_products_is_no_candidate_unless_asked_for():
    given(CCM, message("aes-128-ccm", "mbedtls/aes", 192_000))
    found = ask(f"{SENSOR} {BATTERY}", plain=True)
    assert found.order == [("aes-128-ccm", "mbedtls/aes")]
    assert (
        found.rejected("aes-128-ccm", "mote/aes-ct")["maturity"]["option"] == "--include research"
    )
    assert any(
        "with --include research: aes-128-ccm by mote/aes-ct" in line
        and "0.25 times the time" in line
        for line in ask(SENSOR, plain=True).document["alternatives"]
    )
    assert len(ask(f"{SENSOR} {BATTERY} --include research", plain=True).order) == 2


def test_candidates_within_one_per_cent_are_equal_and_the_more_mature_one_comes_first():
    """Asleep at 5 uA: 600 microseconds of computing every ten minutes change the life by 0.09 %."""
    given(
        CCM,
        message("aes-128-ccm", "bearssl/aes-small", 72_000),
        message("aes-128-ccm", "mbedtls/aes", 76_000),
    )
    found = ask(f"{SENSOR} {BATTERY} --include research", plain=True)
    assert [name for _, name in found.order] == ["mbedtls/aes", "bearssl/aes-small", "mote/aes-ct"]
    assert {entry["rank"] for entry in found.document["candidates"]} == {1}
    assert [entry["status"]["maturity"] for entry in found.document["candidates"]] == [
        "maintained",
        "unmaintained",
        "research",
    ]
    assert any("equal for you" in line for line in found.document["candidates"][0]["why"])
    exact = ask(f"{SENSOR} {BATTERY} --include research --rank latency --equal none", plain=True)
    assert [name for _, name in exact.order] == ["mote/aes-ct", "bearssl/aes-small", "mbedtls/aes"]
    assert [entry["rank"] for entry in exact.document["candidates"]] == [1, 2, 3]
    close = ask(f"{SENSOR} {BATTERY} --include research --rank latency --equal 6%", plain=True)
    assert [entry["rank"] for entry in close.document["candidates"]] == [1, 2, 2]


def test_unmaintained_code_is_chosen_only_where_no_maintained_code_keeps_the_limits():
    given(
        message("aes-128-ccm", "bearssl/aes-small", 72_000),
        message("aes-128-ccm", "mbedtls/aes", 172_000),
    )
    fast = ask(f"{SENSOR} --rank latency", plain=True)
    assert [name for _, name in fast.order] == ["mbedtls/aes", "bearssl/aes-small"]
    assert [entry["rank"] for entry in fast.document["candidates"]] == [1, 2]
    decides = " ".join(fast.document["decision"]["decides"])
    assert "maintained code first, then AES-128-CCM by BearSSL, 58 % better" in decides
    limited = ask(f"{SENSOR} --rank latency --max-latency 2ms", plain=True)
    assert [name for _, name in limited.order] == ["bearssl/aes-small"]


def test_an_outdated_branch_comes_after_its_supported_one_and_only_where_that_has_results():
    given(
        message("aes-128-ccm", "mbedtls/aes", 72_000),
        message("aes-128-ccm", "mbedtls-3/aes", 80_000),
        message("aes-128-gcm", "mbedtls/aes", 90_000),
    )
    fast = ask(f"{SENSOR} --rank latency", plain=True)
    assert fast.order == [
        ("aes-128-ccm", "mbedtls-3/aes"),
        ("aes-128-gcm", "mbedtls/aes"),
        ("aes-128-ccm", "mbedtls/aes"),
    ]
    maturities = [entry["status"]["maturity"] for entry in fast.document["candidates"]]
    assert maturities == ["maintained", "maintained", "outdated"]
    limited = ask(f"{SENSOR} --rank latency --max-latency 1600us", plain=True)
    assert limited.order == [("aes-128-ccm", "mbedtls/aes")]


def test_constant_time_decides_among_equals_of_one_maturity():
    given(
        message("aes-128-ccm", "bearssl/aes-ct", 96_000),
        message("aes-128-ccm", "bearssl/aes-small", 48_000),
    )
    assert ask(f"{SENSOR} {BATTERY}", plain=True).order[0] == ("aes-128-ccm", "bearssl/aes-ct")


def test_strength_beyond_what_is_asked_does_not_decide():
    given(
        message("aes-256-ccm", "mbedtls/aes", 73_000), message("aes-128-ccm", "mbedtls/aes", 72_900)
    )
    assert ask(f"{SENSOR} {BATTERY}", plain=True).order[0][0] == "aes-128-ccm"
    assert ask(f"{SENSOR} {BATTERY} --strength 128", plain=True).order[0][0] == "aes-128-ccm"
    assert ask(f"{SENSOR} {BATTERY} --strength 192", plain=True).order[0][0] == "aes-256-ccm"


def test_a_listing_by_iso_is_no_recommendation():
    """LEA stands in ISO/IEC 29192-2, Camellia in ISO/IEC 18033-3, Salsa20/12 in a portfolio; AES is
    NIST's.
    """
    keep(
        BOARD,
        [
            *CCM,
            *message("camellia-128-ccm", "mote/camellia", 1_000),
            *message("lea-128-ctr", "mote/lea", 1_000),
        ],
    )
    found = ask(f"{SENSOR} --need encryption")
    assert found.order[0] == ("aes-128-ccm", "mote/aes-ct")
    assert [entry["status"]["tier"] for entry in found.document["candidates"]] == [0, 1, 1]
    assert "a listing, no recommendation" in found.candidate("lea-128-ctr")["status"]["words"][0]


@pytest.mark.parametrize(
    "scheme", ["led-128", "piccolo-128", "present-128", "hight", "twine-128", "idea"]
)
def test_an_accelerated_search_takes_nothing_from_the_strength_of_any_cipher(scheme):
    """Bicliques try every key a little faster; AES-128 counts as 128 bits in spite of 2^126.1 (SP
    800-57).
    """
    given(CCM, message(f"{scheme}-eax", "mote/x", 1_000))
    assert "strength" not in str(
        ask(f"{SENSOR} --strength 128 --policy legacy").document["rejected"]
    )


def test_every_implementation_with_results_has_facts_on_its_maturity():
    files = sorted((Path(__file__).parents[3] / "catalog" / "reference").glob("*.csv.gz"))
    names = {entry.implementation for path in files for entry in table.read(path).entries.values()}
    adapters = {
        name.parent.name for name in Path(__file__).parents[3].glob("core/adapters/*/adapter.toml")
    }
    assert len(names) > 50 and len(adapters) > 7
    assert [name for name in (*names, *adapters - {"fake"}) if library_of(name) is None] == []


# Costs by hand


def test_time_and_energy_of_a_message_by_hand():
    """48,000 cycles at 48 MHz: 1 ms; 3.3 V and 4.6 mA: 15.18 uJ."""
    given(CCM)
    found = ask(SENSOR).candidate("aes-128-ccm")
    assert found["latency"]["typical"] == pytest.approx(1e-3)
    assert (found["latency"]["low"], found["latency"]["high"]) == pytest.approx(
        (1e-3 / MOVES, 1e-3 * MOVES)
    )
    assert found["latency"]["evidence"] == "simulated"
    assert found["energy"]["cipher"]["typical"] == pytest.approx(15.18e-6)
    assert found["energy"]["cipher"]["evidence"] == "modelled"
    assert found["life"] is None


def cr2032_years(amps):
    """Until 0.85 of 225 mAh are gone, where 1 % of all that is left goes in a year."""
    drawn, lost = amps * 8766, -math.log(0.99) * 0.225
    return math.log((drawn + lost) / (drawn + 0.15 * lost)) / -math.log(0.99)


def test_life_by_hand():
    """5 uA asleep and 4.6 uC every 600 s; 225 mAh x 0.85, 1 % lost a year."""
    given(CCM)
    found = ask(f"{SENSOR} {BATTERY}").candidate("aes-128-ccm")
    assert found["life"]["typical"] == pytest.approx(cr2032_years(5e-6 + 4.6e-6 / 600))
    assert found["life"]["low"] < found["life"]["typical"] < found["life"]["high"]


def test_radio_by_hand():
    """24 + 12 + 16 + 13 = 65 bytes at SF7: 8 + ceil(536 / 28) x 5 = 108 symbols and 12.25 of
    preamble, 1.024 ms each; 29 mA at 13 dBm; windows of 8 symbols at SF7 and at SF12 (32.768 ms
    each), 11.5 mA."""
    given(CCM)
    found = ask(
        f"{SENSOR} {BATTERY} --radio sx1276 --lorawan EU868 --dr 5 --nonce carried"
    ).candidate("aes-128-ccm")
    on_air = (12.25 + 108) * 1.024e-3
    assert found["sent"]["total_bytes"] == 52
    assert found["sent"]["time_on_air_ms"] == pytest.approx(on_air * 1e3)
    assert found["energy"]["transmit"]["typical"] == pytest.approx(on_air * 3.3 * 29e-3)
    assert found["energy"]["receive"]["typical"] == pytest.approx(
        8 * (1.024e-3 + 32.768e-3) * 3.3 * 11.5e-3
    )
    assert found["energy"]["sleep"]["typical"] == pytest.approx(600 * 3.3 * 5e-6)
    assert found["energy"]["transmit"]["evidence"] == "modelled"
    mean = 5e-6 + (4.6e-6 + on_air * 29e-3 + 8 * 33.792e-3 * 11.5e-3) / 600
    assert found["life"]["typical"] == pytest.approx(cr2032_years(mean))


def offer(**seconds):
    points = {
        ("encrypt-message", int(size[1:])): Point(
            Interval.exact(value), {"stack": Interval.exact(int(size[1:]))}, {}
        )
        for size, value in seconds.items()
    }
    return SchemeOffer("x", "y", Evidence.SIMULATED, points)


def test_a_length_that_was_measured_is_exact():
    found = cost(offer(b16=1.0, b32=2.0), "encrypt-message", 32)
    assert (
        found.seconds == Interval.exact(2.0)
        and found.evidence is Evidence.SIMULATED
        and not found.note
    )


def test_a_length_in_between_is_bounded_by_pieces_of_each_size():
    """24 of 16 to 64 bytes: one piece of 16 bytes of three more, none of 32, a sixth of the bytes;
    5 % for a part.
    """
    found = cost(offer(b16=1.0, b64=4.0), "encrypt-message", 24)
    assert found.seconds.low == pytest.approx(1.0 * 0.95)
    assert found.seconds.typical == 1.5 and found.seconds.high == pytest.approx(2.0 * 1.05)
    assert (
        found.evidence is Evidence.MODELLED
        and len(found.origins) == 2
        and "between 16 and 64" in found.note
    )
    assert found.memory["stack"] == Interval.exact(64)
    # Whole pieces of every size between two results: nothing is left to doubt.
    assert cost(offer(b64=1.0, b256=4.0), "encrypt-message", 128).seconds == Interval.exact(2.0)


def test_a_part_of_a_block_may_take_more_than_a_whole_one():
    """CCM by bearssl/aes-ct: 24 bytes take more than 32, so 56 take more than 64, too."""
    found = cost(offer(b16=42.7, b24=69.3, b32=55.0, b48=67.3, b64=79.6), "encrypt-message", 56)
    assert found.seconds.high == pytest.approx((79.6 + 69.3 - 55.0) * 1.05)  # 93.9 in simulation


def test_what_lengths_between_take_on_the_simulated_samd21():
    """Cycles of lengths that the reference results do not have, from a run of the same firmware."""
    run = {
        ("aes-128-ccm", "bearssl/aes-ct"): {
            5: 56942,
            12: 57054,
            20: 69226,
            40: 81591,
            56: 93892,
            60: 93956,
            100: 130731,
        },
        ("aes-128-ccm", "mbedtls/aes"): {
            1: 14027,
            20: 20599,
            30: 20849,
            60: 33793,
            150: 72625,
            700: 293673,
        },
        ("chacha20-poly1305", "mbedtls/chacha20"): {
            1: 27271,
            12: 27436,
            60: 34515,
            100: 50168,
            200: 81776,
        },
        ("hmac-sha256", "bearssl/hmac"): {60: 29878},
        ("sha256", "bearssl/sha256"): {56: 18414, 60: 18462},
        ("aes-128-cmac", "mbedtls/cmac"): {1: 9337, 12: 9337},
    }
    kept = read(catalog_dir() / "reference" / "samd21g18a.csv.gz").entries
    for (scheme, implementation), lengths in run.items():
        assert lengths
        kind = {"hmac-sha256": "mac", "aes-128-cmac": "mac", "sha256": "digest"}.get(
            scheme, "encrypt-message"
        )
        points = {
            (kind, key[3]): Point(Interval.exact(entry.values["cycles"]), {}, {})
            for key, entry in kept.items()
            if key[:3] == (scheme, implementation, kind) and not entry.failure
        }
        measured = SchemeOffer(scheme, implementation, Evidence.SIMULATED, points)
        for length, cycles in lengths.items():
            found = cost(measured, kind, length).seconds
            assert found.low <= cycles <= found.high, (scheme, implementation, length)
            assert found.high < 2 * found.low, (scheme, implementation, length)


def test_blocks_of_a_hash_bound_a_length_in_between():
    points = {
        ("digest", size): Point(Interval.exact(calls), {}, {})
        for size, calls in ((64, 2.0), (256, 5.0))
    }
    found = cost(SchemeOffer("sha256", "y", Evidence.SIMULATED, points), "digest", 128).seconds
    assert found == Interval.exact(3.0)  # SHA-256: 3 blocks of 64 bytes, one of them with padding


def test_a_length_before_all_results_is_not_free():
    found = cost(offer(b16=3.0, b64=6.0), "encrypt-message", 8).seconds
    assert (
        found.low == pytest.approx((3 - 0.5) * 0.95)
        and found.typical == 2.5
        and found.high == pytest.approx(3.15)
    )


def test_lengths_beyond_what_was_measured():
    assert cost(offer(b16=1.0), "encrypt-message", 4).seconds == Interval(0.0, 0.25, 1.0)
    assert cost(offer(b16=1.0), "encrypt-message", 40).seconds == Interval(1.0, 2.5, 3.0)
    assert cost(offer(b16=1.0), "mac", 16) is None


@pytest.mark.parametrize(
    ("scheme", "lengths", "calls"),
    [
        ("sha256", (0, 55, 56, 64, 119, 120), (1, 1, 2, 2, 2, 3)),
        ("sha512", (111, 112, 239, 240), (1, 2, 2, 3)),
        ("shake256", (0, 135, 136, 271, 272), (1, 1, 2, 2, 3)),
        ("blake2s-256", (0, 1, 64, 65, 128), (1, 1, 1, 2, 2)),
        ("ascon-hash256", (0, 7, 8, 16), (1, 1, 2, 3)),
    ],
)
def test_blocks_of_a_hash_are_those_of_its_standard(scheme, lengths, calls):
    """FIPS 180-4, 5.1; FIPS 202, B.2; RFC 7693, 3.3; SP 800-232, 5.1."""
    known = resolve(scheme)
    block = algorithm_of(known).input_block_of(known)
    assert tuple(block.calls(length) for length in lengths) == calls


def test_a_long_message_is_hashed_by_whole_blocks():
    """SHAKE256: 64 bytes are one permutation, 256 are two; so 64 KiB are 482, and not 342 pieces of
    192 bytes.
    """
    points = {
        ("digest", size): Point(Interval.exact(float(calls)), {}, {})
        for size, calls in ((64, 1), (256, 2))
    }
    found = cost(SchemeOffer("shake256", "y", Evidence.SIMULATED, points), "digest", 65536)
    assert found.seconds.typical == 482.0
    assert found.seconds.low == 481.0 and found.seconds.high == 483.0


def test_beyond_two_results_whole_pieces_are_counted():
    """128 and 256 bytes are 2 and 4 pieces of at most 64 bytes, so one takes 4 s; 500 are 3 or 4
    pieces more.
    """
    found = cost(offer(b128=10.0, b256=18.0), "encrypt-message", 500)
    assert found.seconds.low == 18 + 4 * 3
    assert found.seconds.typical == 18 + 8 * 244 / 128
    assert found.seconds.high == 18 + 4 * 4
    assert "pieces" in found.note and len(found.origins) == 2
    # What two messages of 256 bytes take is more than a message of 512: fixed costs are paid once.
    assert cost(offer(b128=18.0, b256=18.1), "encrypt-message", 512).seconds.high < 36


def test_results_that_fall_with_length_do_not_go_on_falling():
    found = cost(offer(b128=3.0, b256=2.0), "encrypt-message", 512).seconds
    assert found == Interval.exact(2.0)


def test_a_faster_cipher_stays_faster_beyond_what_was_measured():
    given(
        message("ascon-aead128", "mote/ascon", {128: 15_000, 256: 25_000}, flash=21_000),
        message("ascon-aead128", "mote/ascon-bi32", {128: 41_000, 256: 70_000}, flash=20_000),
    )
    first, second = ask("--device samd21g18a --message 500").document["candidates"]
    assert (first["implementation"], first["tied"], second["rank"]) == ("mote/ascon", False, 2)


def test_each_number_names_the_measurement_behind_it():
    given(message("aes-128-ccm", "mote/aes-ct", {16: 40_000, 32: 60_000}))
    found = ask(SENSOR).candidate("aes-128-ccm")
    assert found["latency"]["evidence"] == "modelled"
    assert [source["input_bytes"] for source in found["latency"]["source"]] == [16, 32]
    for name in ("latency", "flash", "ram"):
        assert found[name]["source"][0] == {
            "file": "catalog/reference/samd21g18a.csv.gz",
            "target": BOARD,
            "scheme": "aes-128-ccm",
            "implementation": "mote/aes-ct",
            "operation": "encrypt-message",
            "input_bytes": 16,
            "compiler": "a compiler 1.0",
            "cycles": 40_000,
        }


def test_an_encrypted_counter_is_one_block_more():
    given(message("aes-128-cbc", "mote/aes-ct", {16: 10_000, 32: 20_000, 48: 30_000}))
    line = "--device samd21g18a --message 16 --need encryption"
    assert ask(line).candidate("aes-128-cbc")["latency"]["high"] == pytest.approx(
        10_000 / 48e6 * MOVES
    )
    counted = ask(f"{line} --nonce counter").candidate("aes-128-cbc")["latency"]
    assert (counted["low"], counted["high"]) == pytest.approx(
        (10_000 / 48e6 / MOVES, 20_000 / 48e6 * MOVES)
    )


def test_a_coin_cell_is_not_made_for_the_pulses_of_a_radio():
    given(CCM)
    remarks = ask(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 5").document["remarks"]
    assert any(remark.startswith("WARNING") and "capacitor" in remark for remark in remarks)


# Order and ties


def test_what_was_asked_for_decides():
    given(
        message("aes-128-ccm", "mote/aes-ct", 48_000, flash=20_000),
        message("aes-128-ccm", "mote/aes-fast", 12_000, flash=30_000),
    )
    fast, small = ("aes-128-ccm", "mote/aes-fast"), ("aes-128-ccm", "mote/aes-ct")
    assert ask(f"{SENSOR} --rank latency").order == [fast, small]
    assert ask(f"{SENSOR} --rank throughput").order == [fast, small]
    assert ask(f"{SENSOR} {BATTERY}").order == [fast, small]
    found = ask(f"{SENSOR} --rank latency")
    assert found.candidate("aes-128-ccm", "mote/aes-ct")["worse"]["typical"] == pytest.approx(4)
    assert [entry["rank"] for entry in found.document["candidates"]] == [1, 2]


def test_what_all_share_does_not_make_a_tie():
    """The intervals of both lives overlap almost wholly: they are those of the battery. A third of
    the time is less all the same, whatever the battery."""
    given(
        message("aes-128-ccm", "mote/aes-ct", 144_000),
        message("aes-128-ccm", "mote/aes-fast", 48_000),
    )
    found = ask(f"{SENSOR} {BATTERY}").document["candidates"]
    assert found[1]["life"]["high"] > found[0]["life"]["low"]
    assert [(entry["rank"], entry["tied"]) for entry in found] == [(1, False), (2, False)]
    assert found[1]["worse"]["low"] > 1


def test_a_difference_beyond_the_share_asked_for_is_no_tie_and_says_that_it_is_not_certain():
    given(
        message("aes-128-ccm", "mote/aes-ct", 48_500),
        message("aes-128-ccm", "mote/aes-fast", 48_000),
    )
    found = ask(f"{SENSOR} --equal none").document["candidates"]
    assert [(entry["rank"], entry["tied"]) for entry in found] == [(1, False), (2, False)]
    assert any("leave open which is better" in reason for reason in found[1]["why"])
    # 4.2 % are more than what two places of code make of it, by time and by energy: the current is
    # that of the chip.
    given(
        message("aes-128-ccm", "mote/aes-ct", 50_000),
        message("aes-128-ccm", "mote/aes-fast", 48_000),
    )
    for order in ("latency", "energy"):
        (slower,) = ask(f"{SENSOR} --rank {order}").document["candidates"][1:]
        assert slower["worse"]["low"] > 1 and not any(
            "leave open" in reason for reason in slower["why"]
        )
    assert [entry["rank"] for entry in ask(f"{SENSOR} --equal 5%").document["candidates"]] == [1, 1]


def test_the_current_of_the_chip_is_in_no_ratio_of_two_candidates():
    """Twice the cycles take twice the energy, within what places of the code move, whatever the
    current is."""
    given(
        message("aes-128-ccm", "mote/aes-ct", 96_000),
        message("aes-128-ccm", "mote/aes-fast", 48_000),
    )
    (slower,) = ask(f"{SENSOR} --rank energy").document["candidates"][1:]
    by_time = ask(f"{SENSOR} --rank latency").document["candidates"][1]["worse"]
    assert slower["worse"] == pytest.approx(by_time)
    assert 1.9 < slower["worse"]["low"] < 2 < slower["worse"]["high"] < 2.1


def test_within_a_tie_less_flash_comes_first():
    given(
        message("aes-128-ccm", "mote/aes-ct", 50_000, flash=20_000, flash_net=2_000),
        message("aes-128-ccm", "mote/aes-fast", 48_000, flash=29_000, flash_net=11_000),
    )
    found = ask(f"{SENSOR} {BATTERY} --equal 5%").document["candidates"]
    assert [entry["implementation"] for entry in found] == ["mote/aes-ct", "mote/aes-fast"]
    assert found[0]["worse"] == {"low": 1, "typical": 1, "high": 1}
    assert found[1]["worse"]["low"] < found[1]["worse"]["typical"] < found[1]["worse"]["high"] < 1


def test_ties_are_no_chain():
    """Each is 0.8 % slower than the one before; the third is 1.6 % slower than the first."""
    given(
        message("aes-128-ccm", "mote/aes-ct", 100_000),
        message("aes-128-ccm", "mote/aes-fast", 100_800),
        message("aes-128-ccm", "mote/aes-small", 101_606),
    )
    found = ask(f"{SENSOR} --rank latency --equal 1%").document["candidates"]
    assert [(entry["rank"], entry["tied"]) for entry in found] == [(1, True), (1, True), (3, False)]


def test_a_cipher_with_a_mac_comes_after_authenticated_encryption():
    given(
        message("aes-128-ctr", "mote/aes-ct", 1_000),
        operation(
            "mac", "hmac-sha256", "mote/sha-256", dict.fromkeys((8, 16, 24, 32, 40, 48, 64), 1000)
        ),
        message("aes-128-ccm", "mote/aes-ct", 96_000),
    )
    found = ask(f"{SENSOR} --rank latency").document["candidates"]
    assert [entry["composed"] for entry in found] == [False, True]
    assert found[1]["worse"]["high"] < 1


def test_what_is_not_known_of_the_chip_is_the_same_for_all_code_on_it():
    """The stand-in's times are 20 % off either way, and those of both together."""
    given(
        message("aes-128-ccm", "mote/aes-ct", 100_000),
        message("aes-128-ccm", "mote/aes-fast", 130_000),
    )
    for order in ("latency", "throughput"):
        found = ask(
            f"--device atsaml21j18b --message 24 --implementation mote/* --rank {order}"
        ).document["candidates"]
        assert found[0]["latency"]["high"] > found[1]["latency"]["low"]
        assert found[1]["worse"]["low"] == pytest.approx(1.3 / MOVES**2, rel=0.01)
        assert found[1]["worse"]["high"] == pytest.approx(1.3 * MOVES**2, rel=0.01)


def test_fewer_bytes_on_air_are_worth_more_than_a_fast_cipher():
    given(
        message("aes-128-ccm", "mote/aes-ct", 480_000),
        message("ascon-aead128", "mote/ascon", 4_800),
    )
    found = ask(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 3 --nonce carried").document
    assert found["candidates"][0]["scheme"] == "aes-128-ccm"
    assert any("bytes more to send" in reason for reason in found["candidates"][1]["why"])
    assert any("times what computing it costs" in remark for remark in found["remarks"])


def test_pareto_front():
    given(
        message("aes-128-ccm", "mote/aes-ct", 48_000, state=100),
        message("aes-128-ccm", "mote/aes-fast", 24_000, state=900),
        message("aes-128-ccm", "mote/aes-small", 48_000, state=900),
    )
    front = {
        entry["implementation"]: entry["pareto"] for entry in ask(SENSOR).document["candidates"]
    }
    assert front == {"mote/aes-ct": True, "mote/aes-fast": True, "mote/aes-small": False}


def test_weights_multiply_ratios():
    """Half the time against 4 times the RAM: level where time counts twice as much."""
    given(
        message("aes-128-ccm", "mote/aes-ct", 48_000, stack=100, state=100, static_ram=0),
        message("aes-128-ccm", "mote/aes-fast", 24_000, stack=400, state=400, static_ram=0),
    )
    assert ask(f"{SENSOR} --rank latency=3,ram=1").order[0][1] == "mote/aes-fast"
    assert ask(f"{SENSOR} --rank latency=1,ram=1").order[0][1] == "mote/aes-ct"
    found = ask(f"{SENSOR} --rank latency=2,ram=1").document["candidates"]
    assert [entry["rank"] for entry in found] == [1, 1]


# What serves


def test_an_unauthenticated_cipher_is_no_aead():
    given(message("aes-128-ctr", "mote/aes-ct", 100), CCM)
    found = ask(SENSOR)
    assert found.order == [("aes-128-ccm", "mote/aes-ct")]
    assert "changes" in found.rejected("aes-128-ctr")["need"]["words"]
    assert ask(f"{SENSOR} --need encryption").order[0][0] == "aes-128-ctr"


def test_ecb_encrypts_no_message():
    given(message("aes-128-ecb", "mote/aes-ct", 100), CCM)
    assert ask(f"{SENSOR} --need encryption").order == [("aes-128-ccm", "mote/aes-ct")]


def test_a_cipher_with_a_mac_by_hand():
    """16 bytes of counter block and 24 of message go into the MAC: between 32 and 64, in as many
    blocks as 32.
    """
    given(
        message("aes-128-ctr", "mote/aes-ct", 48_000, stack=300, state=200, static_ram=0),
        operation(
            "mac",
            "hmac-sha256",
            "mote/sha-256",
            {32: 96_000, 64: 144_000},
            stack=500,
            state=120,
            static_ram=0,
        ),
        operation("mac", "hmac-sha256", "bearssl/sha256", {32: 1, 64: 1}),
    )
    found = ask(SENSOR)
    assert found.order == [("aes-128-ctr + hmac-sha256", "mote/aes-ct + mote/sha-256")]
    both = found.candidate("aes-128-ctr + hmac-sha256")
    assert both["composed"] and both["sent"]["total_bytes"] == 24 + 16 + 32
    assert (both["latency"]["low"], both["latency"]["high"]) == pytest.approx(
        ((1e-3 + 2e-3 * 0.95) / MOVES, (1e-3 + 2.25e-3 * 1.05) * MOVES)
    )
    assert both["ram"]["typical"] == 500 + 200 + 120
    assert len(both["latency"]["source"]) == 3
    assert any("encrypt-then-MAC" in reason for reason in both["why"])


def test_macs_and_hashes():
    given(
        operation("mac", "hmac-sha256", "mote/sha-256", {16: 10, 64: 20}),
        operation("digest", "sha256", "mote/sha-256", {16: 10, 64: 20}),
    )
    assert ask(f"{SENSOR} --need mac").candidate("hmac-sha256")["sent"]["total_bytes"] == 56
    assert ask(f"{SENSOR} --need hash").candidate("sha256")["sent"]["total_bytes"] == 24


# Status


OLD = message("3des-cbc", "mote/des", 10)
UNJUDGED = message("xtea-eax", "mote/xtea", 20)


def test_what_is_advised_against_is_rejected_with_its_reason():
    given(OLD, message("aes-128-cbc", "mote/aes-ct", 900_000))
    found = ask(f"{SENSOR} --need encryption")
    assert found.order == [("aes-128-cbc", "mote/aes-ct")]
    assert "NIST" in found.rejected("3des-cbc")["policy"]["words"]


def test_the_policy_legacy_admits_it_after_everything_else_and_loudly():
    given(OLD, message("aes-128-cbc", "mote/aes-ct", 900_000))
    found = ask(f"{SENSOR} --need encryption --policy legacy")
    assert [scheme for scheme, _ in found.order] == ["aes-128-cbc", "3des-cbc"]
    assert "advised against" in found.candidate("3des-cbc")["why"][0]
    given(OLD)
    alone = ask(f"{SENSOR} --need encryption --policy legacy")
    assert alone.document["chosen"] == "3des-cbc by mote/des"
    assert any(remark.startswith("WARNING") for remark in alone.document["remarks"])


def test_weak_ciphers_come_after_strong_ones_and_broken_ones_last():
    given(
        message("present-80-eax", "mote/present", 10),
        message("des-eax", "mote/des", 5),
        message("speck-64-128-eax", "mote/speck", 8),
        UNJUDGED,
        CCM,
    )
    found = ask(f"{SENSOR} --policy legacy")
    order = ["aes-128-ccm", "xtea-eax", "speck-64-128-eax", "present-80-eax", "des-eax"]
    assert [scheme for scheme, _ in found.order] == order
    assert any(
        "80 bits are fewer than the 112" in words
        for words in found.candidate("present-80-eax")["status"]["words"]
    )
    given(message("present-80-eax", "mote/present", 10))
    assert any("WARNING" in remark for remark in ask(SENSOR).document["remarks"])


def test_a_verdict_that_is_to_come_is_said():
    given(operation("mac", "hmac-sha1", "mote/sha-1", {16: 10, 64: 20}))
    (words,) = ask(f"{SENSOR} --need mac").candidate("hmac-sha1")["status"]["words"]
    assert "approved" in words and "disallowed from 2031-01-01 on, NIST" in words


def test_what_is_to_be_disallowed_is_not_for_new_designs():
    """HMAC with SHA-1 is approved until 2030; it is faster, and comes after HMAC with SHA-256 all
    the same.
    """
    given(
        operation("mac", "hmac-sha1", "mote/sha-1", {16: 20_000}),
        operation("mac", "hmac-sha256", "mote/sha-256", {16: 60_000}),
    )
    found = ask("--device samd21g18a --message 16 --need mac")
    assert [scheme for scheme, _ in found.order] == ["hmac-sha256", "hmac-sha1"]
    assert any(
        "2031" in reason and "new designs" in reason
        for reason in found.candidate("hmac-sha1")["why"]
    )


def test_within_a_tie_of_equal_memory_the_stronger_comes_first():
    given(
        operation("digest", "sha224", "mote/sha-256", {16: 10_000}),
        operation("digest", "sha256", "mote/sha-256", {16: 10_020}),
    )
    assert (
        ask("--device samd21g18a --message 16 --need hash").document["chosen"]
        == "sha256 by mote/sha-256"
    )


def test_what_nobody_judges_comes_after_what_is_recommended():
    given(UNJUDGED, CCM)
    found = ask(SENSOR)
    assert [scheme for scheme, _ in found.order] == ["aes-128-ccm", "xtea-eax"]
    assert "no body has judged it" in found.candidate("xtea-eax")["why"][0]


def test_the_policy_nist_wants_its_approval_of_algorithm_and_mode():
    given(
        CCM,
        ASCON,
        UNJUDGED,
        message("aes-128-eax", "mote/aes-ct", 10),
        message("chacha20-poly1305", "mote/x", 10),
    )
    found = ask(f"{SENSOR} --policy nist")
    assert {scheme for scheme, _ in found.order} == {"aes-128-ccm", "ascon-aead128"}
    assert "mode eax" in found.rejected("aes-128-eax")["policy"]["words"]
    assert "NIST has not approved" in found.rejected("chacha20-poly1305")["policy"]["words"]


def test_claims_of_constant_time_are_those_of_the_sources():
    own = set()
    definition = re.compile(r'MOTE_IMPLEMENTATION\(\w+\) = \{\s*\.name = "([\w-]+)"([^;]*);')
    for path in (Path(__file__).parents[3] / "core" / "ciphers").rglob("*.c"):
        for name, body in definition.findall(path.read_text()):
            if ".constant_time = 1" in body:
                own.add(f"mote/{name}")
            else:
                assert claim(f"mote/{name}") is None
    assert len(own) > 10
    assert all(claim(name) for name in own)


def test_constant_time():
    given(CCM, GCM)
    found = ask(f"{SENSOR} --constant-time")
    assert found.order == [("aes-128-ccm", "mote/aes-ct")]
    assert "valgrind" in found.candidate("aes-128-ccm")["status"]["constant_time"]
    assert "constant-time" in found.rejected("aes-128-gcm")


# Limits


def test_strength():
    given(message("present-80-eax", "mote/present", 10), CCM)
    found = ask(f"{SENSOR} --strength 128")
    assert found.order == [("aes-128-ccm", "mote/aes-ct")]
    broken = found.rejected("present-80-eax")["strength"]
    assert (broken["allowed"], broken["value"]) == (128, 80)


def test_latency():
    given(CCM, GCM)
    found = ask(f"{SENSOR} --max-latency 1500us")
    broken = found.rejected("aes-128-gcm")["latency"]
    assert (broken["allowed"], broken["value"]) == pytest.approx((1.5e-3, 2e-3))
    assert broken["excess"] == pytest.approx(2 / 1.5 - 1)


def test_a_limit_within_the_bounds_is_said():
    given(message("aes-128-ccm", "mote/aes-ct", {16: 40_000, 32: 60_000}))
    """24 bytes take 50,000 cycles or up to 60,000 and some more."""
    reasons = ask(f"{SENSOR} --max-latency 1100us").candidate("aes-128-ccm")["why"]
    assert any(
        reason.startswith("may not keep the limit of 1.10 ms of the processor's time")
        for reason in reasons
    )
    assert (
        "only its lower bound"
        in ask(f"{SENSOR} --max-latency 1ms").rejected("aes-128-ccm")["latency"]["words"]
    )


def test_what_surely_fits_comes_before_what_may_fit_and_is_faster():
    given(
        message("aes-128-ccm", "mote/aes-ct", 48_000, flash=20_000, flash_net=4_000),
        message("ascon-aead128", "mote/ascon", 10, flash=16_000, flash_net=900),
        operation("mac", "hmac-sha256", "mote/sha-256", {24: 10}, flash=17_000, flash_net=2_000),
        operation("mac", "hmac-sha512", "mote/sha-512", {24: 90}, flash=16_000, flash_net=1_000),
        operation("digest", "sha256", "mote/sha-256", {24: 10}, flash=14_500, flash_net=2_000),
    )
    line = f"{SENSOR} --need mac --rank latency --flash"
    assert ask(f"{line} 9000").order[0][0] == "hmac-sha256"
    # 4,500 bytes typically, up to 4,820.
    found = ask(f"{line} 4600")
    assert [scheme for scheme, _ in found.order] == ["hmac-sha512", "hmac-sha256"]
    assert (
        found.candidate("hmac-sha256")["unsure"] == ["flash"]
        and found.candidate("hmac-sha512")["unsure"] == []
    )
    rejected = ask(f"{line} 4400").rejected("hmac-sha256")["flash"]
    assert (
        rejected["value"] == 4_500
        and "only its lower bound, 2,000 B, would fit" in rejected["words"]
    )


def test_flash_and_ram_of_whole_firmware_are_bounds():
    """The smallest firmware has 20,000 bytes; 9,000 more were added for certain."""
    given(CCM, message("aes-128-gcm", "mote/aes-fast", 10, flash=29_000, stack=4_000))
    found = ask(f"{SENSOR} --flash 8KiB --ram 4KiB")
    broken = found.rejected("aes-128-gcm")
    assert (broken["flash"]["allowed"], broken["flash"]["value"]) == (8192, 9000)
    assert (broken["ram"]["allowed"], broken["ram"]["value"]) == (4096, 4200)
    admitted = found.candidate("aes-128-ccm")
    assert (admitted["flash"]["low"], admitted["flash"]["high"]) == (0, 20_000)
    assert any(
        reason.startswith("may not keep the limit of 8,192 B of flash")
        for reason in admitted["why"]
    )


def test_flash_is_what_cipher_and_mode_add_to_a_firmware_that_does_nothing():
    """An empty firmware with this mode takes 17,000 bytes, one without a mode 15,000: the mode is
    needed too.
    """
    given(
        message(
            "aes-128-ccm",
            "mote/aes-ct",
            10,
            flash=20_000,
            flash_net=3_000,
            static_ram=900,
            static_ram_net=100,
        ),
        message(
            "ascon-aead128",
            "mote/ascon",
            10,
            flash=18_000,
            flash_net=3_000,
            static_ram=850,
            static_ram_net=50,
        ),
    )
    found = ask(SENSOR).candidate("aes-128-ccm")
    assert (found["flash"]["low"], found["flash"]["typical"], found["flash"]["high"]) == (
        3_000,
        5_000,
        5_000,
    )
    assert found["ram"]["typical"] == 300 + 200 + 100


def test_flash_of_one_kind_does_not_depend_on_the_firmware_of_another():
    """The probe of a hash takes 3,000 bytes less than that of an AEAD; none of it belongs to
    Ascon.
    """
    given(
        message(
            "ascon-aead128",
            "mote/ascon",
            10,
            flash=18_000,
            flash_net=3_000,
            static_ram=850,
            static_ram_net=50,
        ),
        operation("digest", "sha256", "mote/sha-256", {8: 10}, flash=14_000, flash_net=2_000),
    )
    flash = ask(f"{SENSOR} --flash 3001").candidate("ascon-aead128")["flash"]
    assert flash["low"] == flash["typical"] == flash["high"] == 3_000


def test_a_mac_takes_what_is_more_than_the_firmware_of_a_hash_and_what_only_this_one_has():
    given(
        operation("mac", "hmac-sha256", "mote/sha-256", {8: 10}, flash=17_000, flash_net=2_000),
        operation("digest", "sha256", "mote/sha-256", {8: 10}, flash=14_500, flash_net=2_000),
    )
    flash = ask(f"{SENSOR} --need mac").candidate("hmac-sha256")["flash"]
    assert (flash["low"], flash["typical"], flash["high"]) == (2_000, 4_500, 4_820)


def test_without_a_word_the_device_is_the_limit():
    given(CCM, message("aes-128-gcm", "mote/aes-fast", 10, stack=40_000))
    found = ask(SENSOR)
    assert found.document["question"]["limits"]["of_device"] == ["flash", "ram"]
    assert "that the device has" in found.rejected("aes-128-gcm")["ram"]["words"]


def test_a_message_has_to_fit_its_frame():
    """24 + 12 + 16 bytes are one too many for DR0 of EU868; with the nonce from a counter, they
    fit.
    """
    given(CCM)
    line = f"{SENSOR} --every 1h --lorawan EU868 --dr 0 --nonce carried"
    found = ask(line)
    assert found.code == 9
    assert (
        found.rejected("aes-128-ccm")["payload"]["allowed"],
        found.rejected("aes-128-ccm")["payload"]["value"],
    ) == (
        51,
        52,
    )
    assert ask(line.removesuffix(" --nonce carried")).code == 0, "frames of LoRaWAN have a counter"
    assert ask(f"{line} --fragment").candidate("aes-128-ccm")["sent"]["frames"] == 2


def test_other_forms_of_the_message_are_proposed():
    given(CCM)
    line = f"{SENSOR} {BATTERY} --lorawan EU868 --nonce carried --dr"
    found = ask(f"{line} 0").document
    assert [way["option"] for way in found["ways"]] == [
        "--nonce counter",
        "--tag 8",
        "--dr 3",
        "--fragment",
    ]
    assert found["ways"][0]["words"].startswith(
        "--nonce counter: aes-128-ccm by mote/aes-ct, 40 bytes to send, "
    )
    assert not any("--nonce" in hint for hint in found["alternatives"])
    hints = ask(f"{line} 5").document["alternatives"]
    *forms, stack = hints
    assert [re.search(r"\d+ bytes", hint)[0] for hint in forms] == [
        "40 bytes",
        "44 bytes",
        "32 bytes",
    ]
    assert all("longer life" in hint for hint in forms)
    assert stack.startswith("with --has lorawan")
    assert (
        ask(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 5 --tag 8 --has lorawan").document[
            "alternatives"
        ]
        == []
    )


def test_short_blocks_stand_after_long_ones_whoever_approved_them():
    """A tag of 8 bytes less on air is no reason to take blocks of 64 bits."""
    given(CCM, message("cast-128-eax", "mote/cast-128", {16: 10, 32: 10}))
    found = ask(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 5").document["candidates"]
    assert [entry["scheme"] for entry in found] == ["aes-128-ccm", "cast-128-eax"]
    assert found[1]["life"]["typical"] > found[0]["life"]["typical"]
    assert any("blocks of 64 bits" in reason for reason in found[1]["why"])


def test_duty_cycle_and_dwell_time():
    given(CCM)
    line = "--device samd21g18a --message 11 --lorawan"
    broken = ask(f"{line} EU868 --dr 0 --every 150s").rejected("aes-128-ccm")["duty-cycle"]
    assert broken["value"] > broken["allowed"] == 150
    region = REGIONS.find("AS923-dwell").model_copy(update={"dwell_time_ms": 50})
    air = link(RADIOS.find("sx1276"), region, 5, power_dbm=None, transmissions=1, fragment=False)
    (dwell,) = Scene(devices()["samd21g18a"], 11, link=air).on_air(40).broken
    # 53 bytes at SF7: 8 + ceil(440 / 28) x 5 = 88 symbols and 12.25 of preamble, 1.024 ms each.
    assert (dwell.limit, dwell.allowed, dwell.value) == ("dwell-time", 50, pytest.approx(102.656))


def test_a_key_has_to_last_as_long_as_the_battery():
    given(message("present-128-eax", "mote/present", dict.fromkeys((16, 65536), 10)))
    line = "--device samd21g18a --every 1s --battery cr2032 --sleep-current 1uA --message 65536"
    broken = ask(line).rejected("present-128-eax")["data-limit"]
    assert broken["value"] > broken["allowed"]


def test_a_long_service_counts_announced_verdicts():
    """SP 800-131A Rev. 3 (draft) retires SHA-224 after 2030; HMAC with SHA-1 ends with the same
    year (Rev. 2).
    """
    given(
        operation("digest", "sha224", "mote/sha-256", {8: 10, 32: 20}),
        operation("digest", "sha256", "mote/sha-256", {8: 10, 32: 20}),
    )
    line = f"{SENSOR} --need hash"
    assert ask(f"{line} --until 2030").order == ask(line).order
    found = ask(f"{line} --until 2031")
    assert found.order == [("sha256", "mote/sha-256")]
    assert (
        "(draft)" in found.rejected("sha224")["until"]["words"]
        and found.document["question"]["until"] == "2031-12-31"
    )
    for wrong in ("soon", "2001", "2031-13"):
        with pytest.raises(InputError):
            ask(f"{line} --until {wrong}")


def test_a_network_allows_less_than_the_law():
    """2,465.8 ms at DR0 for 40 bytes: 30 s a day are one message in 7,102 s; the law takes one in
    247 s.
    """
    given(CCM)
    line = f"{SENSOR} --lorawan EU868 --dr 0"
    assert ask(f"{line} --every 100min").order
    with pytest.raises(InputError, match="even a message without a cipher"):
        ask(f"{line} --every 10min --network ttn")
    broken = ask(f"{line} --every 100min --network ttn").rejected("aes-128-ccm")["fair-use"]
    assert broken["value"] == pytest.approx(86400 * 2.465792 / 30)
    slow = f"{line} --every 2h --battery ls14500"
    with_ttn = ask(f"{slow} --network ttn").candidate("aes-128-ccm")["energy"]["receive"]["typical"]
    assert with_ttn < ask(slow).candidate("aes-128-ccm")["energy"]["receive"]["typical"]
    with pytest.raises(InputError, match="unknown network 'tnn'"):
        ask(f"{line} --every 2h --network tnn")


def test_what_could_not_be_measured_is_rejected_with_its_kind():
    given(
        CCM,
        [
            ReferenceCase(
                "aes-128-gcm", "mote/aes-fast", "", 0, {}, "too-big", "12 B of RAM are missing"
            )
        ],
    )
    assert (
        ask(SENSOR).rejected("aes-128-gcm")["result"]["words"] == "too-big: 12 B of RAM are missing"
    )


def test_shorter_tags():
    given(CCM, ASCON)
    found = ask(f"{SENSOR} --tag 8")
    assert found.candidate("aes-128-ccm")["sent"]["tag_bytes"] == 8
    assert found.candidate("ascon-aead128")["sent"]["tag_bytes"] == 8


def test_nothing_left_names_what_to_relax():
    given(CCM, GCM)
    found = ask(f"{SENSOR} --max-latency 500us")
    assert found.code == 9
    assert found.document["chosen"] is None
    assert found.document["nearest"][0] == (
        "aes-128-ccm by mote/aes-ct: --max-latency 1ms (now 500.0 µs, 100 %)"
    )
    assert "choice: none" in text(f"{SENSOR} --max-latency 500us")


def test_what_is_near_is_recommended_and_each_scheme_once():
    """The shorter tag of a cipher with 64-bit blocks lacks less, and is no advice. DR1 of US915
    takes 53 bytes.
    """
    given(
        CCM,
        message("aes-128-ccm", "mote/aes-fast", 24_000),
        message("cast-128-eax", "mote/cast-128", 24_000),
    )
    found = ask("--device samd21g18a --message 11 --every 1h --lorawan US915 --dr 0")
    assert found.code == 9
    assert [line.split(":")[0] for line in found.document["nearest"]] == [
        "aes-128-ccm by mote/aes-fast",
        "cast-128-eax by mote/cast-128",
    ]
    assert ": --fragment (" in found.document["nearest"][0]


def test_several_broken_limits_are_all_told():
    given(message("3des-eax", "mote/des", 480_000, stack=9_000))
    found = ask(f"{SENSOR} --max-latency 1ms --ram 4KiB --strength 128 --constant-time")
    assert set(found.rejected("3des-eax")) == {
        "policy",
        "strength",
        "constant-time",
        "ram",
        "latency",
    }


# Devices, words


def test_another_device_stands_in_with_a_spread():
    keep("sim:atmega2560", CCM)
    stand_in = next(entry for entry in choice().stand_ins if entry.device == "atmega328p")
    found = ask("--device atmega328p --message 24")
    latency = found.candidate("aes-128-ccm")["latency"]
    assert latency["evidence"] == "modelled"
    bounds = stand_in.time("encrypt-message")
    assert latency["low"] == pytest.approx(latency["typical"] * bounds.low / bounds.typical)
    assert any("are used for atmega328p" in note for note in found.document["notes"])


def test_own_results_of_a_device_come_before_those_of_its_stand_in():
    keep("sim:atmega2560", CCM)
    too_big = [
        ReferenceCase(
            "aes-128-gcm", "mote/aes-fast", "", 0, {}, "too-big", "the stack ran over its end"
        ),
        ReferenceCase(
            "ascon-aead128",
            "mote/ascon",
            "",
            0,
            {},
            "too-big",
            "900 B of RAM are missing: 2948 B of 2048 B",
        ),
    ]
    longest = ReferenceCase(
        "aes-128-ccm", "mote/aes-ct", "encrypt-message", 512, {}, "too-big", "9 B are missing"
    )
    fits = message("aes-128-ccm", "mote/aes-ct", 32_000, static_ram=300, static_ram_net=50)
    keep("sim:atmega328p", [*fits, longest, *too_big])
    keep("sim:atmega2560", [*CCM, *GCM])
    found = ask("--device atmega328p --message 24")
    own, other = (found.candidate(scheme)["latency"] for scheme in ("aes-128-ccm", "aes-128-gcm"))
    assert own["evidence"] == "simulated" and own["low"] == own["high"] == pytest.approx(0.002)
    assert other["evidence"] == "modelled" and other["low"] < other["high"]
    (words,) = [
        broken["words"]
        for broken in found.rejected("ascon-aead128").values()
        if broken["limit"] == "result"
    ]
    assert (
        "2,698 B of static RAM without the probe" in words
        and "650 B more than the 2,048 B of the device" in words
    )


def test_what_was_not_measured_here_is_bounded_by_a_board_with_the_same_core():
    keep("sim:nrf52840", [*CCM, *GCM])
    keep("sim:stm32l4", CCM)
    found = ask("--device stm32l4 --message 24")
    own, carried = (found.candidate(scheme)["latency"] for scheme in ("aes-128-ccm", "aes-128-gcm"))
    entry = next(entry for entry in choice().same_cores if "stm32l4" in entry.devices)
    chip = next(entry for entry in choice().stand_ins if entry.device == "stm32l4")
    bounds = entry.time("encrypt-message") * chip.time("encrypt-message")
    assert carried["low"] == pytest.approx(carried["typical"] * bounds.low / bounds.typical)
    assert carried["high"] == pytest.approx(carried["typical"] * bounds.high / bounds.typical)
    assert own["high"] / own["low"] < carried["high"] / carried["low"]
    assert any(note.startswith("not measured on stm32l4") for note in found.document["notes"])


def test_the_record_says_what_was_not_measured_here_and_names_the_command():
    keep("sim:samd21g18a", CCM)
    record = ask("--device cortex-m0-nows --message 24").document["decision"]
    (time,) = (entry["words"] for entry in record["figures"] if entry["name"] == "time")
    assert time.endswith("not measured here")
    assert record["rests_on"][0].startswith(
        "not measured here: bounds are carried over from sim:samd21g18a, the same core. To measure "
        "it: motebench run --target sim:cortex-m0-nows --implementation mote/aes-ct --scheme "
        "aes-128-ccm;"
    )


def test_a_device_without_results_is_refused_with_the_command_that_measures_it():
    keep("sim:samd21g18a", CCM)
    with pytest.raises(InputError, match="no results for pc") as refusal:
        motebench.choose(device="pc", message=24)
    assert refusal.value.hint == (
        "measure it: motebench run on it, then choose --device pc --results latest"
    )


def test_a_device_with_the_same_core_has_the_same_cycles_at_its_own_clock():
    keep("sim:atmega4809", CCM)
    there, own = (ask(f"--device {name} --message 24") for name in ("atmega4809", "attiny3217"))
    one, other = (found.candidate("aes-128-ccm") for found in (there, own))
    assert (
        other["latency"]["evidence"] == "modelled"
        and other["latency"]["low"] == other["latency"]["high"]
    )
    assert other["latency"]["typical"] == pytest.approx(one["latency"]["typical"] * 16 / 20)
    assert other["ram"]["low"] == one["ram"]["low"] and other["flash"]["low"] == pytest.approx(
        one["flash"]["low"] * 0.98
    )
    assert any(
        "with the same cycles and 0.98 to 1.02 times the flash" in note
        for note in own.document["notes"]
    )


def test_the_answer_for_people_says_why_and_from_what():
    given(CCM, GCM, OLD)
    said = text(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 5")
    for words in (
        "choice: aes-128-ccm by mote/aes-ct",
        "best life of 2",
        "48,000 cycles",
        "rejected: 1",
        "policy: 3DES",
    ):
        assert words in said, words
    assert "--show 0 prints all" in text(f"{SENSOR} --show 1")


@pytest.mark.parametrize(
    ("line", "where", "words"),
    [
        ("--device toaster --message 24", "--device", "unknown device"),
        ("--device pc --message 24", "--device", "no results"),
        (f"{SENSOR} --battery cr2023 --every 1h", "--battery", "unknown battery"),
        (f"{SENSOR} --battery cr2032", "--battery", "time between messages"),
        (f"{SENSOR} --lorawan EU868", None, "--dr must be given"),
        (f"{SENSOR} --lorawan EU868 --dr 9", "--dr", "no uplink data rate"),
        (f"{SENSOR} --lorawan EU868 --dr 0 --radio cb", "--radio", "unknown radio"),
        (f"{SENSOR} --dr 3", "--dr", "needs --lorawan"),
        (f"{SENSOR} --lorawan EU868 --dr 0 --transmissions 0.5", "--transmissions", "not possible"),
        (
            "--device samd21g18a --message 60 --lorawan EU868 --dr 0",
            "--fragment",
            "even a message without a cipher",
        ),
        (
            f"{SENSOR} --lorawan EU868 --dr 0 --every 30s",
            "--every",
            "even a message without a cipher",
        ),
        (f"{SENSOR} --flash 1MiB", "--flash", "has: 253952 bytes"),
        (f"{SENSOR} --ram 1MiB", "--ram", "has: 32768 bytes"),
        (f"{SENSOR} --every 1s --max-latency 2s", "--max-latency", "longer"),
        (f"{SENSOR} --rank beauty", "--rank", "not a criterion"),
        (f"{SENSOR} --rank flash=-1", "--rank", "not a criterion"),
        (f"{SENSOR} --rank flash=1e300,energy=1e300", "--rank", "not a criterion"),
        (f"{SENSOR} --scheme ,", "--scheme", "is empty"),
        (f"{SENSOR} --implementation ,", "--implementation", "is empty"),
        (f"{SENSOR} --rank life", "--rank", "needs a battery"),
        (f"{SENSOR} --policy nsa", "--policy", "unknown policy"),
        (f"{SENSOR} --scheme rot13", "--scheme", "match --scheme rot13"),
        (f"{SENSOR} --need hash", "--need", "no scheme with results"),
    ],
)
def test_what_cannot_be_asked(line, where, words):
    given(CCM)
    with pytest.raises(InputError) as caught:
        ask(line)
    assert words in caught.value.what and caught.value.where == where


def test_one_scheme_comes_before_a_cipher_and_a_mac_although_these_claim_constant_time():
    mac = operation("mac", "hmac-sha256", "mbedtls/hmac-sha256", {16: 5_000, 32: 5_000, 64: 5_000})
    given(
        message("aes-128-ccm", "mbedtls/aes", 20_000),
        message("chacha20", "mbedtls/chacha20", 15_000),
        mac,
    )
    found = ask(f"{SENSOR} {BATTERY} --lorawan EU868 --dr 5 --tag 8", plain=True)
    assert [scheme for scheme, _ in found.order] == ["aes-128-ccm", "chacha20 + hmac-sha256"]


def test_eax_comes_after_modes_of_nist_and_rfcs():
    given(
        message("aes-128-ccm", "mbedtls/aes", 20_000),
        message("aes-128-eax", "bearssl/aes-small", 10),
    )
    found = ask(f"{SENSOR} {BATTERY}", plain=True)
    assert [scheme for scheme, _ in found.order] == ["aes-128-ccm", "aes-128-eax"]
    assert "neither NIST's nor of an RFC" in found.candidate("aes-128-eax")["status"]["words"][0]
