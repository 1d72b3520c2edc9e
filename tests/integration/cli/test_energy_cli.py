"""``motebench energy`` and ``motebench battery`` as a user calls them."""

from __future__ import annotations

import math

import pytest

SENSOR = (
    "battery",
    "--battery",
    "cr2032",
    "--every",
    "10min",
    "--device",
    "samd21g18a",
    "--cycles",
    "48000",
)
UPLINK = ("--lorawan", "EU868", "--dr", "5", "--message", "24")


def test_energy_by_hand(motebench):
    """48,000 cycles at 48 MHz, 3.3 V and 4.6 mA: 15.18 uJ, 4.6 uC, 0.6325 uJ for each of 24
    bytes.
    """
    found = motebench(
        "energy", "--device", "samd21g18a", "--cycles", "48000", "--size", "24", "--json"
    ).json
    assert found["evidence"] == "modelled"
    assert found["time_s"] == 0.001
    assert found["energy_j"]["typical"] == pytest.approx(15.18e-6)
    assert found["charge_mah"]["typical"] == pytest.approx(4.6e-6 / 3.6)
    assert found["energy_per_byte_j"]["typical"] == pytest.approx(0.6325e-6)
    assert found["energy_j"]["low"] < found["energy_j"]["typical"] < found["energy_j"]["high"]


def test_energy_of_given_figures(motebench):
    found = motebench(
        "energy", "--time", "2s", "--current", "20mA", "--voltage", "5V", "--at", "3.7V", "--json"
    ).json
    assert found["energy_j"] == {"low": 0.2, "typical": 0.2, "high": 0.2}
    assert found["energy_wh"]["typical"] == pytest.approx(0.2 / 3600)
    assert found["charge_mah"]["typical"] == pytest.approx(0.2 / 3.7 / 3.6)


def test_what_papers_compute_stands_beside_it(motebench):
    found = motebench(
        "energy", "--device", "raspberry-pi-3b-plus", "--time", "2s", "--size", "1MB", "--json"
    ).json
    by_name = {(paper["paper"], paper["called"]): paper for paper in found["papers"]}
    assert by_name["suryateja-2025", "Battery Consumption (%)"]["value"] == pytest.approx(2000)
    assert by_name["pycrypto-boards-2020", "Watt"]["value"] == pytest.approx(7.44)
    assert all(paper["wrong"] for paper in found["papers"])
    assert (
        "no share of any battery"
        in motebench(
            "energy", "--time", "1s", "--current", "1A", "--voltage", "5V", "--size", "16"
        ).out
    )


def test_battery_by_hand(motebench):
    """Without a radio: 4.06 uA asleep and 4.6 uC every 600 s; 225 mAh x 0.85, 1 % lost a year."""
    found = motebench(*SENSOR, "--json").json
    mean = 4.06e-6 + 4.6e-6 / 600
    assert found["mean_current_a"]["typical"] == pytest.approx(mean)
    drawn, rate = mean * 8766, -math.log(0.99)
    years = math.log((drawn + rate * 0.225) / (drawn + rate * 0.15 * 0.225)) / rate
    assert found["life_years"]["typical"] == pytest.approx(years)


def test_a_tag_costs_more_than_the_cipher(motebench):
    found = motebench(
        *SENSOR, *UPLINK, "--scheme", "aes-128-gcm", "--nonce", "counter", "--json"
    ).json
    plain = motebench(*SENSOR, *UPLINK, "--json").json
    more = (
        found["charge_per_message_c"]["transmit"]["typical"]
        - plain["charge_per_message_c"]["transmit"]["typical"]
    )
    assert more > 10 * found["charge_per_message_c"]["cipher"]["typical"]
    assert found["sent_bytes"] == 40
    assert found["life_years"]["typical"] < plain["life_years"]["typical"]
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert found["power_dbm"] == 13
    assert any("capacitor" in warning for warning in found["warnings"])


def test_retransmissions_cost(motebench):
    once = motebench(*SENSOR, *UPLINK, "--json").json["charge_per_message_c"]
    twice = motebench(*SENSOR, *UPLINK, "--transmissions", "2", "--json").json[
        "charge_per_message_c"
    ]
    for part in ("transmit", "receive"):
        assert twice[part]["typical"] == pytest.approx(2 * once[part]["typical"])


def test_explicit_inputs_need_no_device(motebench):
    done = motebench(
        "battery",
        "--battery",
        "ls14500",
        "--every",
        "1h",
        "--sleep-current",
        "5uA",
        "--time",
        "10ms",
        "--active-current",
        "5mA",
    )
    assert done.code == 0
    assert done.out.startswith("life")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("energy", "--device", "samd21g18a"), "neither --cycles nor --time"),
        (("energy", "--device", "samd21g18a", "--cycles", "-1"), "-1 cycles are not possible"),
        (
            ("energy", "--device", "samd21g18a", "--cycles", "1", "--time", "1s"),
            "mutually exclusive",
        ),
        (("energy", "--cycles", "1000"), "needs a clock rate"),
        (("energy", "--time", "1s"), "no current is known"),
        (("energy", "--time", "1s", "--current", "1A"), "needs a voltage"),
        (("energy", "--device", "pc", "--time", "1s"), "no current for state active"),
        (("energy", "--device", "samd12", "--time", "1s"), "did you mean 'samd21'"),
        (
            ("energy", "--device", "samd21g18a", "--time", "1s", "--current", "5"),
            "'5' is not a current",
        ),
        ((*SENSOR[:1], "--battery", "cr2023", "--every", "1h"), "did you mean 'cr2032'"),
        ((*SENSOR[:3], "--every", "-10min"), "is not a duration"),
        ((*SENSOR[:3], "--every", "10min"), "the sleep current of the device is unknown"),
        (
            (*SENSOR[:3], "--every", "10min", "--device", "raspberry-pi-3b-plus"),
            "the sleep current of the device is unknown",
        ),
        ((*SENSOR[:3], "--every", "10min", "--sleep-current", "0A"), "supplies no current"),
        ((*SENSOR, "--dr", "5"), "needs --lorawan"),
        ((*SENSOR, "--lorawan", "EU868"), "--dr and --message must be given"),
        ((*SENSOR, *UPLINK, "--power", "30"), "no current for 30 dBm"),
        ((*SENSOR, *UPLINK, "--transmissions", "0"), "0 transmissions"),
        (
            ("battery", "--battery", "cr2032", "--every", "5s", *SENSOR[5:], *UPLINK),
            "by the duty cycle of",
        ),
        (
            (*SENSOR, "--lorawan", "EU868", "--dr", "0", "--message", "52"),
            "takes 51 in a frame",
        ),
    ],
)
def test_bad_input_is_refused(motebench, call, said):
    done = motebench(*call)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_a_battery_with_no_capacity(motebench, tmp_path):
    folder = tmp_path / "mine" / "batteries"
    folder.mkdir(parents=True)
    (folder / "empty.toml").write_text(
        'id = "empty"\nname = "Empty"\nchemistry = "none"\nvoltage = "3 V"\n'
        '[capacity]\ntypical = "0 mAh"\n'
    )
    done = motebench(
        "battery",
        "--catalog",
        "mine",
        "--battery",
        "empty",
        "--every",
        "1h",
        "--sleep-current",
        "1uA",
    )
    assert done.code == 2
    assert "mine/batteries/empty.toml:" in done.err


def test_energy_of_a_host_only_where_it_is_named(motebench):
    motebench(
        "run",
        "--scheme",
        "sha256",
        "--implementation",
        "openssl",
        "--size",
        "64",
        "--fast",
        "--budget",
        "300ms",
        "-q",
    )
    plain = motebench("show", "--json").json
    assert not [entry for entry in plain["measurements"] if entry["evidence"] != "measured"]
    named = motebench("show", "--device", "raspberry-pi-3b", "--json").json
    energy = next(entry for entry in named["measurements"] if entry["metric"] == "energy")
    time = next(entry for entry in named["measurements"] if entry["metric"] == "time")
    assert energy["evidence"] == "modelled"
    assert energy["mean"] == pytest.approx(time["mean"] * 1e-9 * 5.1 * 0.85)
    refused = motebench("show", "--device", "pc")
    assert refused.code == 2
    assert "no current for state active" in refused.err
