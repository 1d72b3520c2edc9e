"""``motebench meter`` and ``motebench instruments`` as a user calls them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from motebench.cli.app import app
from motebench.measuring.instruments import metering

HEAD = {
    "motebench_recording": 1,
    "instrument": {"name": "bench supply", "shape": "point", "rate_hz": 100, "accuracy": 0.01},
    "columns": ["t_s", "volts", "amps"],
    "units": ["s", "V", "A"],
    "about": {"scheme": "speck-64-128-ctr", "operation": "encrypt", "input_bytes": 16},
}


def write(path, *, gone=(9, 9), last=7.0, end="complete"):
    """5 V; 0.2 A while idle, 0.6 A from 2 s to 5 s: 2 W above idling."""
    lines = [HEAD]
    for index in range(701):
        t = index / 100
        if t <= last and not gone[0] <= t <= gone[1]:
            lines.append([t, 5.0, 0.6 if 2 <= t < 5 else 0.2])
    lines += [{"window": "idle", "t0": 0, "t1": 1.9}, {"window": "idle", "t0": 5.1, "t1": 7}]
    lines += [{"window": "batch", "t0": 2 + n, "t1": 3 + n, "iterations": 1000} for n in range(3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"end": end}]))


def test_a_replay(motebench, tmp_path):
    write(tmp_path / "r")
    done = motebench("meter", "--instrument", "replay:r", "--json")
    assert done.code == 0
    found = done.json
    assert found["energy_j"]["typical"] == pytest.approx(3e-3, rel=0.005)
    assert found["energy_net_j"]["typical"] == pytest.approx(2e-3, rel=0.005)
    assert found["energy_net_per_byte_j"]["typical"] == pytest.approx(125e-6, rel=0.005)
    assert (found["evidence"], found["instrument"]["name"]) == ("measured", "bench supply")
    said = (
        motebench("meter", "--instrument", "replay:r")
        .out.replace("1.99", "2.00")
        .replace("2.99", "3.00")
    )
    assert "energy                3.00 mJ" in said and "energy above idling   2.00 mJ" in said
    assert "95 %, 3 batches: type A" in said
    wide = motebench("meter", "--instrument", "replay:r", "--accuracy", "5%", "--json").json
    assert wide["energy_j"]["high"] > found["energy_j"]["high"]


def test_a_replay_with_dropped_samples(motebench, tmp_path):
    write(tmp_path / "r", gone=(3.2, 3.5))
    done = motebench("meter", "--instrument", "replay:r", "--json")
    assert done.code == 3
    assert done.json["lost_samples"] == 31
    assert done.json["batches"][1]["net_j"] is None
    assert "batch 2: 32.0% of the time" in done.json["problems"][0]
    assert done.json["energy_net_j"]["typical"] == pytest.approx(2e-3, rel=0.005)


def test_a_replay_of_an_instrument_that_was_unplugged(motebench, tmp_path):
    write(tmp_path / "r", last=1.0, end="no data for 1 s: is it unplugged?")
    done = motebench("meter", "--instrument", "replay:r")
    assert done.code == 3
    assert "failed: bench supply: no data for 1 s: is it unplugged?" in done.err
    assert "energy " not in done.out


def test_a_meter_read_by_hand(tmp_path, motebench, monkeypatch):
    """0.01 Wh while idle, 3 Wh while computing: the file has the readings, and gives the same
    again.

    The checks beside a batch take a hundredth of it, as on a machine without delays: longer ones
    are refused.
    """
    placed = metering.place

    def quick(timing, hz):
        batch = placed(timing, hz)
        return replace(batch, beside_s=batch.seconds / 100)

    monkeypatch.setattr(metering, "place", quick)
    monkeypatch.chdir(tmp_path)
    arguments = (
        "--implementation",
        "openssl",
        "--scheme",
        "aes-128-ctr",
        "--size",
        "1KiB",
        "--seconds",
        "500ms",
    )
    done = CliRunner().invoke(
        app,
        [
            "meter",
            "--instrument",
            "by-hand:0.001Wh",
            *arguments,
            "--idle",
            "1s",
            "--record",
            "hand",
            "--json",
        ],
        input="1.00Wh\n1.01Wh\n4.01Wh\n4.02Wh\n",
        standalone_mode=False,
    )
    assert done.return_value == 0, done.stderr
    found = json.loads(done.stdout)
    (batch,) = found["batches"]
    assert batch["iterations"] == found["batch_iterations"]
    assert 0 < batch["work_s"] < batch["t1"] - batch["t0"]
    assert batch["beside_s"] == pytest.approx(batch["work_s"] / 100)
    assert 0 < found["energy_net_j"]["low"] < 3 * 3600 / batch["iterations"]
    assert (
        found["energy_net_j"]["typical"]
        < 3 * 3600 / batch["iterations"]
        < found["energy_net_j"]["high"] * 1.01
    )
    assert "one batch has no spread" in found["energy_j"]["interval"]
    again = motebench("meter", "--instrument", "replay:hand", "--json").json
    assert again["energy_j"] == found["energy_j"]
    assert (
        motebench("meter", "--instrument", "by-hand:1J", *arguments, "--record", "hand").code == 2
    )


def test_instruments_are_listed(motebench):
    rows = {
        row["instrument"]: row for row in motebench("instruments", "--json").json["instruments"]
    }
    assert rows["by-hand"]["usable"] and rows["replay"]["missing"] is None
    assert "by-hand:0.01Wh" in motebench("instruments").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--instrument", "voltmeter"), 2, "unknown instrument 'voltmeter'"),
        (("--instrument", "replay:nothing"), 2, "nothing: No such file"),
        (("--instrument", "by-hand:1J"), 2, "--implementation: meter needs this option"),
        (
            (
                "--instrument",
                "by-hand:1J",
                "--implementation",
                "openssl",
                "--scheme",
                "aes-128-ctr",
                "--target",
                "sim:atmega2560",
            ),
            2,
            "no instrument measures target sim:atmega2560",
        ),
        (
            (
                "--instrument",
                "by-hand:1J",
                "--implementation",
                "openssl",
                "--scheme",
                "aes-128-ctr",
                "--operation",
                "sign",
            ),
            2,
            "has no operation 'sign'",
        ),
        (
            ("--instrument", "by-hand:1J", "--voltage", "3V"),
            2,
            "--voltage: the voltage has no effect here",
        ),
        (("--instrument", "by-hand:1J", "--known-load", "0ohm"), 2, "a short circuit"),
        (("--instrument", "by-hand:1J", "--known-load", "100"), 2, "'100' is not a resistance"),
        (("--instrument", "rapl:nowhere", "--known-load", "10ohm"), None, "there is no"),
    ],
)
def test_bad_input(motebench, arguments, code, said):
    done = motebench("meter", *arguments)
    assert said in done.err
    assert done.code == code if code is not None else done.code in (2, 7)
