"""Choices for devices as an engineer would judge them. Costs are made up in the proportions that
real ones have.
"""

from __future__ import annotations

import pytest
from choice_fixtures import ask, keep, message, operation, own_place

from motebench.advise.reference import table
from motebench.base.errors import InputError
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.show.listing.described import describe
from motebench.store import Store

SMALL = {"static_ram": 500, "static_ram_net": 0}


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    own_place(tmp_path, monkeypatch)
    yield
    table.references.cache_clear()


def boards():
    """AES in tables and bitsliced, Ascon, ChaCha20-Poly1305, small block ciphers, 3DES, a cipher
    with HMAC.
    """
    entries = [
        *message(
            "aes-128-ccm",
            "mote/aes-fast",
            24_000,
            flash=24_000,
            flash_net=8_000,
            stack=470,
            state=460,
            **SMALL,
        ),
        *message(
            "aes-128-ccm",
            "mote/aes-ct",
            83_000,
            flash=22_000,
            flash_net=6_000,
            stack=700,
            state=700,
            **SMALL,
        ),
        *message(
            "aes-128-gcm",
            "mote/aes-fast",
            43_000,
            flash=25_000,
            flash_net=9_000,
            stack=500,
            state=480,
            **SMALL,
        ),
        *message(
            "ascon-aead128",
            "mote/ascon",
            15_000,
            flash=19_000,
            flash_net=3_000,
            stack=300,
            state=180,
            **SMALL,
        ),
        *message(
            "chacha20-poly1305",
            "mote/chacha20-poly1305",
            26_000,
            flash=20_000,
            flash_net=4_000,
            stack=400,
            state=340,
            **SMALL,
        ),
        *message(
            "present-80-eax",
            "mote/present",
            84_000,
            flash=21_000,
            flash_net=5_000,
            stack=300,
            state=300,
            **SMALL,
        ),
        *message(
            "xtea-eax",
            "mote/xtea",
            20_000,
            flash=18_000,
            flash_net=2_000,
            stack=300,
            state=200,
            **SMALL,
        ),
        *message(
            "speck-64-128-eax",
            "mote/speck",
            12_000,
            flash=18_000,
            flash_net=2_000,
            stack=300,
            state=200,
            **SMALL,
        ),
        *message(
            "3des-cbc",
            "mote/des",
            60_000,
            flash=22_000,
            flash_net=6_000,
            stack=300,
            state=500,
            **SMALL,
        ),
        *message(
            "aes-128-ctr",
            "mote/aes-fast",
            10_000,
            flash=23_000,
            flash_net=7_000,
            stack=300,
            state=400,
            **SMALL,
        ),
        *operation(
            "mac",
            "hmac-sha256",
            "mote/sha-256",
            {16: 60_000, 64: 80_000},
            flash=19_000,
            flash_net=3_000,
            stack=400,
            state=220,
            **SMALL,
        ),
    ]
    keep("sim:samd21g18a", entries)
    keep("sim:atmega2560", entries)
    keep("sim:atmega328p", entries)


def schemes(found):
    return [scheme for scheme, _ in found.order]


def test_a_coin_cell_at_sf12_has_no_room_for_nonces():
    """DR0 takes 51 bytes: 24 and a nonce of 12 or 16 and a tag of 16 are 52 and more."""
    boards()
    line = (
        "--device samd21g18a --message 24 --every 1h --lorawan EU868 --dr 0 --battery cr2032 "
        "--strength 128"
    )
    carried = ask(f"{line} --nonce carried")
    assert "aes-128-ccm" not in schemes(carried) and "payload" in carried.rejected("ascon-aead128")
    counted = ask(line)
    first = counted.document["candidates"][0]
    assert (first["scheme"], first["sent"]["nonce_bytes"]) == ("ascon-aead128", 0)
    assert first["energy"]["transmit"]["typical"] > 1000 * first["energy"]["cipher"]["typical"]
    composed = counted.rejected("aes-128-ctr + hmac-sha256")
    assert composed["payload"]["value"] == 24 + 32


def test_without_a_radio_the_cipher_is_what_counts():
    boards()
    found = ask("--device samd21g18a --message 24 --every 1s --battery cr2032 --strength 128")
    assert schemes(found)[0] == "ascon-aead128"
    assert schemes(found)[-1] == "xtea-eax", "nobody judges it, fast as it is"


def test_constant_time_leaves_tables_out():
    boards()
    found = ask("--device samd21g18a --message 24 --constant-time --scheme aes-*")
    assert found.order == [("aes-128-ccm", "mote/aes-ct")]
    assert "constant-time" in found.rejected("aes-128-gcm")


def test_an_8_bit_board_with_2_kib():
    """ATmega328P: 2 KiB of RAM, of which the application leaves 800 bytes, and 4 KiB of flash."""
    boards()
    found = ask("--device atmega328p --message 16 --ram 800 --flash 4KiB --strength 128")
    assert schemes(found) == ["ascon-aead128", "chacha20-poly1305", "xtea-eax"]
    assert set(found.rejected("aes-128-ccm", "mote/aes-fast")) == {"flash", "ram"}


def test_what_the_government_buys():
    boards()
    found = ask("--device samd21g18a --message 24 --policy nist --strength 128")
    assert {scheme.split("-")[0] for scheme in schemes(found)} == {"aes", "ascon"}
    assert "chacha20-poly1305" not in schemes(found)


def test_a_gateway_that_has_to_speak_3des():
    boards()
    line = "--device samd21g18a --message 24 --need encryption --scheme 3des-*"
    assert ask(line).code == 9
    forced = ask(f"{line} --policy legacy")
    assert forced.document["chosen"] == "3des-cbc by mote/des"
    assert any("WARNING" in remark and "3DES" in remark for remark in forced.document["remarks"])


def test_a_rejected_standard_is_not_chosen_for_its_speed():
    boards()
    found = ask("--device samd21g18a --message 24")
    assert "policy" in found.rejected("speck-64-128-eax")


def test_short_messages_often_against_long_ones_seldom():
    """The same bytes a day cost more in small messages: each has its preamble, header, tag and
    windows.
    """
    boards()
    line = (
        "--device samd21g18a --lorawan EU868 --dr 5 --battery ls14500 --nonce counter --scheme "
        "ascon-aead128"
    )
    often, seldom = (
        ask(f"{line} --message 10 --every 10min"),
        ask(f"{line} --message 200 --every 200min"),
    )
    years = [found.document["candidates"][0]["life"]["typical"] for found in (often, seldom)]
    assert years[1] > 2 * years[0]


def test_hard_real_time():
    boards()
    found = ask("--device samd21g18a --message 24 --max-latency 400us --rank ram")
    assert schemes(found)[0] == "ascon-aead128"
    assert "latency" in found.rejected("aes-128-ccm", "mote/aes-fast")


# A board that was measured


def stored(tmp_path, *, target="host", architecture=None):
    """A run with two implementations, eight readings each."""
    place = tmp_path / "own.db"
    with Store.open(place, create=True) as store:
        cases = [
            Case("aes-128-gcm", name, Operation.ENCRYPT_MESSAGE, 64, target, name)
            for name in ("openssl", "nettle")
        ]
        about = {"host": {"architecture": architecture}} if architecture else {}
        run = store.create_run(
            name="pi",
            study_text="",
            settings={},
            environment=about,
            seed=1,
            version="0",
            cases=cases,
        )
        for case, start in zip(cases, (2000.0, 9000.0), strict=True):
            series = Series("time", "ns", 1.0, 0.0, "CLOCK_MONOTONIC_RAW", Evidence.MEASURED)
            for number in range(8):
                store.add_samples(run, case, [(series, Sample(number, start + number))])
            store.finish_case(run, case)
        store.finish_run(run, "finished")
    return str(place)


def test_a_run_of_the_users_own(tmp_path):
    found = ask(
        f"--device raspberry-pi-3b --message 64 --results pi --store {stored(tmp_path)} --rank "
        "latency"
    )
    assert found.order == [("aes-128-gcm", "openssl"), ("aes-128-gcm", "nettle")]
    latency = found.candidate("aes-128-gcm", "openssl")["latency"]
    assert latency["evidence"] == "measured" and latency["typical"] == pytest.approx(2003.5e-9)
    assert latency["low"] < latency["typical"] < latency["high"]
    (source,) = latency["source"]
    assert (source["run_name"], source["target"], source["clock"]) == (
        "pi",
        "host",
        "CLOCK_MONOTONIC_RAW",
    )


def test_a_run_stands_beside_reference_results_and_before_them(tmp_path):
    boards()
    place = stored(tmp_path, target="sim:samd21g18a")
    found = ask(f"--device samd21g18a --message 64 --results pi --store {place} --rank latency")
    assert found.order[:2] == [("aes-128-gcm", "openssl"), ("aes-128-gcm", "nettle")]
    assert found.candidate("ascon-aead128")["latency"]["evidence"] == "simulated"


def test_a_run_of_another_device_is_refused(tmp_path):
    with pytest.raises(InputError) as caught:
        ask(
            "--device raspberry-pi-3b --message 64 --results pi --store "
            f"{stored(tmp_path, target='sim:samd21g18a')}"
        )
    assert "no results for raspberry-pi-3b" in caught.value.what


@pytest.mark.parametrize("architecture", ["aarch64", "armv7l", "armv6l", None])
def test_a_host_may_have_been_the_device_with_another_kernel(tmp_path, architecture):
    place = stored(tmp_path, architecture=architecture)
    assert ask(
        f"--device raspberry-pi-3b --message 64 --results pi --store {place} --rank latency"
    ).order


@pytest.mark.parametrize("device", ["raspberry-pi-3b", "atmega328p"])
def test_a_pc_was_no_raspberry_pi(tmp_path, device):
    place = stored(tmp_path, architecture="x86_64")
    with pytest.raises(InputError, match="its host is x86_64, the device a"):
        ask(f"--device {device} --message 64 --results pi --store {place} --rank latency")
    assert ask(f"--device pc --message 64 --results pi --store {place} --rank latency").order


def test_what_is_lost_of_throughput_is_never_more_than_all(tmp_path):
    place = stored(tmp_path)
    found = ask(
        f"--device raspberry-pi-3b --message 64 --results pi --store {place} --rank throughput"
    )
    slow = found.candidate("aes-128-gcm", "nettle")
    assert slow["worse"]["typical"] == pytest.approx(9003.5 / 2003.5)
    assert slow["why"][0].startswith("throughput 77.7 % worse than rank 1 (77.")
    found = ask(
        f"--device raspberry-pi-3b --message 64 --results pi --store {place} --rank latency"
    )
    assert found.candidate("aes-128-gcm", "nettle")["why"][0].startswith(
        "time of the processor 349 % worse"
    )


def test_pictures_of_a_run_of_the_users_own(tmp_path):
    place, page = stored(tmp_path), tmp_path / "choice.html"
    ask(
        f"--device raspberry-pi-3b --message 64 --results pi --store {place} --rank latency",
        "--report",
        str(page),
    )
    assert "encrypt-message of 64 B, run 1 host" in page.read_text(encoding="utf-8")
    assert 'id="rejected"' not in page.read_text(encoding="utf-8"), "nothing is"


def test_describe_takes_the_name_of_a_profile_and_says_what_a_scheme_reaches():
    found = describe(None, "AES-128-CCM-8")
    assert isinstance(found, dict)
    assert (found["scheme"], found["strength_bits"]) == ("aes-128-ccm", 128)
    assert found["profiles"][0].startswith(
        "aes-128-ccm-8: aes-128-ccm with a tag of 8 bytes is TLS_PSK_WITH_AES_128_CCM_8"
    )
    hashed = describe("scheme", "slh-dsa-sha2-192s")
    assert isinstance(hashed, dict)
    assert (hashed["nist_category"], hashed["profiles"]) == (3, [])
