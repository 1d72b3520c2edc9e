"""``motebench airtime``, ``list`` and ``describe`` of hardware, as a user calls them."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_the_answer_is_time_on_air_ms(motebench):
    """SF12, 125 kHz, 51 bytes: 63 + 12.25 symbols of 32.768 ms."""
    done = motebench(
        "airtime", "--sf", "12", "--bw", "125", "--cr", "4/5", "--payload", "51", "--json"
    )
    assert done.code == 0
    assert done.json["time_on_air_ms"] == 2465.792
    assert (done.json["payload_symbols"], done.json["preamble_symbols"]) == (63, 12.25)
    assert done.json["low_data_rate_optimisation"] is True


def test_every_setting_reaches_the_formula(motebench):
    """SF7, 125 kHz, 20 bytes, implicit, no CRC: ceil((160 - 28 + 28 - 20) / 20) = 7 groups of 8
    with DE and 4/8.
    """
    options = ("--cr", "4/8", "--preamble", "10", "--implicit", "--no-crc", "--ldro", "on")
    done = motebench("airtime", "--sf", "7", "--bw", "125", "--payload", "20", *options, "--json")
    assert done.json["time_on_air_ms"] == pytest.approx((14.25 + 8 + 7 * 8) * 1.024, abs=1e-12)


def test_lorawan_with_limits(motebench):
    done = motebench("airtime", "--lorawan", "EU868", "--dr", "0", "--app-payload", "51", "--json")
    found = done.json["lorawan"]
    assert done.json["time_on_air_ms"] == 2793.472
    assert (found["header_bytes"], found["longest_app_payload_bytes"]) == (13, 51)
    assert (found["sub_band"], found["duty_cycle"], found["messages_per_hour"]) == (
        "868-868.6",
        0.01,
        12,
    )
    assert {limit["name"]: limit["messages_per_hour"] for limit in found["limits"]}[
        "869.4-869.65"
    ] == 128
    assert found["networks"][0]["messages_per_day"] == 10
    said = motebench("airtime", "--lorawan", "EU868", "--dr", "0", "--app-payload", "51").out
    assert "2793.472 ms" in said
    assert "12 messages an hour" in said


def test_too_long_is_refused_or_fragmented_with_its_cost(motebench):
    call = ("airtime", "--lorawan", "EU868", "--dr", "0", "--app-payload", "120")
    refused = motebench(*call)
    assert refused.code == 2
    assert "at most 51 bytes" in refused.err
    assert "--fragment" in refused.err
    found = motebench(*call, "--fragment", "--json").json
    # 120 + 4 bytes of check in parts of 50 with 1 byte of header: 51, 51, 25; each has 13 bytes
    # around it.
    frames = found["fragmentation"]["frames"]
    assert [frame["app_payload_bytes"] for frame in frames] == [51, 51, 25]
    assert found["fragmentation"]["added_bytes"] == 2 * 13 + 3 + 4
    assert found["time_on_air_ms"] == pytest.approx(
        sum(frame["time_on_air_ms"] for frame in frames)
    )


def test_what_a_cipher_adds(motebench):
    call = ("airtime", "--lorawan", "EU868", "--dr", "0", "--app-payload", "24", "--json")
    plain = motebench(*call).json["time_on_air_ms"]
    found = motebench(*call, "--scheme", "aes-128-gcm", "--nonce", "counter").json
    assert found["message"]["total_bytes"] == 40
    assert found["message"]["plaintext_time_on_air_ms"] == plain
    assert found["message"]["added_ms"] == pytest.approx(found["time_on_air_ms"] - plain)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sf", "5", "--bw", "125", "--payload", "10"), "has no SF5"),
        (("--sf", "6", "--bw", "125", "--payload", "10"), "only with an implicit header"),
        (("--sf", "7", "--bw", "125", "--payload", "300"), "0 to 255 bytes"),
        (("--sf", "7", "--bw", "wide", "--payload", "3"), "'wide' is not a frequency"),
        (("--sf", "7", "--bw", "1/0", "--payload", "3"), "is not a frequency"),
        (("--sf", "7", "--bw", "125", "--payload", "3", "--radio", "sx1267"), "did you mean 'sx12"),
        (("--sf", "7", "--bw", "125"), "--payload must be given"),
        ((), "--sf and --bw and --payload must be given"),
        (
            ("--sf", "7", "--bw", "125", "--payload", "3", "--dr", "0"),
            "no effect without --lorawan",
        ),
        (
            ("--lorawan", "EU868", "--dr", "0", "--app-payload", "3", "--sf", "7"),
            "no effect with --lorawan",
        ),
        (("--lorawan", "EU868", "--dr", "0"), "--app-payload must be given"),
        (("--lorawan", "EU686", "--dr", "0", "--app-payload", "3"), "did you mean 'eu868'"),
        (("--lorawan", "EU868", "--dr", "9", "--app-payload", "3"), "no uplink data rate DR9"),
        (("--lorawan", "EU868", "--dr", "0", "--app-payload", "3", "--tag", "8"), "needs --scheme"),
        (
            ("--lorawan", "EU868", "--dr", "0", "--app-payload", "3", "--scheme", "aes"),
            "several schemes",
        ),
        (
            ("--sf", "7", "--bw", "125", "--payload", "250", "--scheme", "aes-128-gcm"),
            "payload of 278 bytes",
        ),
    ],
)
def test_bad_input_names_what_is_valid(motebench, options, said):
    done = motebench("airtime", *options)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_spreading_factor_5_where_the_chip_has_it(motebench):
    done = motebench(
        "airtime", "--sf", "5", "--bw", "125", "--payload", "10", "--radio", "sx1262", "--json"
    )
    assert done.json["time_on_air_ms"] == 12.096


@pytest.mark.parametrize("what", ["devices", "radios", "regions", "batteries"])
def test_hardware_is_listed(motebench, what):
    found = motebench("list", what, "--json").json["rows"]
    assert found
    name = next(iter(found[0].values()))
    kind = {"batteries": "battery"}.get(what, what[:-1])
    described = motebench("describe", kind, name)
    assert described.code == 0
    assert "source" in described.out
    assert motebench("describe", kind, name, "--json").json["id"] == name


def test_unknown_hardware_is_refused_with_what_there_is(motebench):
    done = motebench("describe", "battery", "cr2023")
    assert done.code == 2
    assert "did you mean 'cr2032'" in done.err


def test_own_files_beside_a_study(motebench, tmp_path: Path):
    folder = tmp_path / "catalog" / "batteries"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('id = "mine"\nname = "Mine"\n')
    done = motebench("list", "batteries", "--catalog", "catalog")
    assert done.code == 2
    assert "catalog/batteries/mine.toml:1" in done.err
    assert motebench("list", "batteries", "--catalog", "elsewhere").code == 2
