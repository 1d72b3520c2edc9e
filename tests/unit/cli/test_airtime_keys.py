"""Keys, signatures and ciphertexts as payloads: lengths of the standards, time on air by hand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError
from motebench.cli.commands.airtime import command as airtime
from motebench.cli.commands.battery import command as battery


def _json(command, line):
    result = CliRunner().invoke(command, [*line.split(), "--json"], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("part", "length", "full", "last_ms", "total_ms", "pause_s"),
    [
        # SF12, 125 kHz: symbols of 32.768 ms; n bytes take 12.25 + 8 + ceil((8 n - 48 + 28 + 16) /
        # 40) x 5 of them. 64 bytes: 20.25 + ceil(508 / 40) x 5 = 85.25 symbols, 2793.472 ms.
        # FIPS 203, table 3: 768 B and 4 of check are 15 x 50 + 22; the last frame has 23 + 13
        # bytes: 284 / 40.
        ("ml-kem-512:ciphertext", 768, 15, 60.25 * 32.768, 15 * 2793.472 + 60.25 * 32.768, 4343.8),
        # FIPS 204, table 2: 2420 B and 4 are 48 x 50 + 24; 25 + 13 bytes: 300 / 40.
        ("ml-dsa-44:signature", 2420, 48, 60.25 * 32.768, 48 * 2793.472 + 60.25 * 32.768, 13470.0),
        # FIPS 205, table 2: 7856 B and 4 are 157 x 50 + 10; 11 + 13 bytes: 188 / 40.
        (
            "slh-dsa-sha2-128s:signature",
            7856,
            157,
            45.25 * 32.768,
            157 * 2793.472 + 45.25 * 32.768,
            43565.7,
        ),
    ],
)
def test_post_quantum_payloads_at_the_slowest_rate(part, length, full, last_ms, total_ms, pause_s):
    found = _json(airtime, f"--lorawan EU868 --dr 0 --app-payload {part} --fragment")
    frames = found["fragmentation"]["frames"]
    assert found["lorawan"]["app_payload_bytes"] == length
    assert [frame["payload_bytes"] for frame in frames[:-1]] == [64] * full
    assert frames[-1]["time_on_air_ms"] == pytest.approx(last_ms)
    assert found["time_on_air_ms"] == pytest.approx(total_ms)
    # A duty cycle of 1 %: silence for 99 times as long as the message.
    assert found["lorawan"]["limits"][0]["messages_per_hour"] == 0
    assert total_ms * 99 / 1000 == pytest.approx(pause_s, abs=0.1)


def test_the_totals_of_the_literature():
    for part, seconds in (
        ("ml-kem-512:ciphertext", 43.9),
        ("ml-dsa-44:signature", 136),
        ("slh-dsa-sha2-128s:signature", 440),
    ):
        found = _json(airtime, f"--lorawan EU868 --dr 0 --app-payload {part} --fragment")
        assert found["time_on_air_ms"] / 1000 == pytest.approx(seconds, rel=0.002)


def test_a_battery_takes_the_same_names():
    words = (
        "--battery ls14500 --every 30d --device samd21g18a --lorawan EU868 --dr 0 --fragment "
        "--message"
    )
    assert _json(battery, f"{words} ml-dsa-44:signature") == _json(battery, f"{words} 2420")


def test_a_modem_takes_the_same_names():
    assert _json(airtime, "--sf 7 --bw 125 --payload ED25519:Signature") == _json(
        airtime, "--sf 7 --bw 125 --payload 64"
    )


@pytest.mark.parametrize(
    ("payload", "valid"),
    [
        ("ed25519:ciphertext", "ed25519:public-key (32 B), ed25519:signature (64 B)"),
        ("x25519:", "x25519:public-key (32 B)"),
        ("aes-128-ccm:tag", "a scheme with public keys: ml-kem-512:ciphertext"),
        ("ml-dsa-4:signature", "the name of a scheme"),
    ],
)
def test_other_parts_are_refused(payload, valid):
    with pytest.raises(InputError) as caught:
        _json(airtime, f"--sf 7 --bw 125 --payload {payload}")
    assert valid in caught.value.valid


def test_equal_frames_share_a_line():
    result = CliRunner().invoke(
        airtime, ["--lorawan", "EU868", "--dr", "0", "--app-payload", "768", "--fragment"]
    )
    lines = result.stdout.splitlines()
    assert "frames 1 to 15 64 bytes, 2793.472 ms each" in lines
    assert "frame 16       36 bytes, 1974.272 ms" in lines
