"""``motebench leak`` as a user types it, and on a board with a leak that was put there."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.catalog.devices import devices
from motebench.measuring.leak.checking import examine
from motebench.measuring.leak.inputs import Variation, Varied
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.registry import open_target
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

KNOWN = Path(__file__).parents[2] / "firmware" / "known.c"
DEVICE = devices()["atmega2560"]


@pytest.fixture(scope="module")
def avr():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")
    return open_target("sim:atmega2560")


def test_a_leak_that_was_put_there_is_counted(avr, tmp_path):
    del avr
    known, leaking = "loop((uint16_t)(job->in_len << 8))", "loop(job->in[0] + 1u)"
    source = KNOWN.read_text()
    assert known in source
    leaky = tmp_path / "leaky.c"
    leaky.write_text(source.replace(known, leaking))
    board = Simulation(DEVICE, BoardSettings()).start(
        assemble(DEVICE, FirmwareParts([(leaky, ())]), "Os")
    )
    try:
        job = Job("known-loop", "digest", data=bytes(4))
        item = Variation(Varied.MESSAGE, job, lambda source: replace(job, data=source.randbytes(4)))
        spread = examine(board, item, samples=40, seed=1, timeout=60)
    finally:
        board.close()
    # Four cycles a round, a round for each unit of the first byte.
    assert spread.most - spread.fewest == 4 * (spread.high.job.data[0] - spread.low.job.data[0]) > 0
    assert spread.repeats


def test_a_cipher_without_a_leak_on_a_board(avr, motebench):
    del avr
    asked = ("--target", "sim:atmega2560", "--implementation", "mote/xtea", "--samples", "10")
    result = motebench("leak", *asked, "--json")
    assert result.code == 0
    document = result.json
    assert document["evidence"] == "simulated" and document["failures"] == []
    found = {(entry["operation"], entry["varied"]): entry for entry in document["findings"]}
    assert set(found) == {
        ("key-setup", "key"),
        *(("encrypt", name) for name in ("key", "message", "key and message")),
        *(("decrypt", name) for name in ("key", "message", "key and message")),
    }
    assert all(
        entry["verdict"] == "constant" and entry["cycles"]["fewest"] > 100
        for entry in found.values()
    )
    text = motebench("leak", *asked)
    assert (
        text.code == 0 and "every cycle counted, simulated" in text.out and "constant" in text.out
    )


def test_a_leak_test_is_a_run_of_the_store(avr, motebench, tmp_path):
    del avr
    asked = (
        "leak",
        "--target",
        "sim:atmega2560",
        "--implementation",
        "mote/xtea",
        "--operation",
        "key-setup",
    )
    planned = motebench(*asked, "--dry-run", "--json")
    assert planned.code == 0 and [case["operation"] for case in planned.json["cases"]] == [
        "key-setup"
    ]
    assert not (tmp_path / "motebench.db").exists()
    made = motebench(
        *asked, "--samples", "5", "--name", "steady", "--report", "leak.html", "--json"
    )
    assert (
        made.code == 0 and "examining, 0 of 1 operations done: xtea-ecb key-setup, key" in made.err
    )
    assert (
        "run steady is in motebench.db" in made.err
        and "constant" in (tmp_path / "leak.html").read_text()
    )
    assert motebench("show", "--json").json == made.json
    assert made.json["run"]["command"].startswith("motebench leak --target sim:atmega2560")
    assert made.json["environment"]["compiler"].startswith("avr-gcc")
    (row,) = motebench("list", "runs", "--json").json["rows"]
    assert (row["name"], row["kind"], row["status"]) == ("steady", "leak test", "finished")
    shown = motebench("show", "steady")
    assert shown.code == 0 and "every cycle counted, simulated, 5 inputs" in shown.out
    assert (
        motebench("export", "steady", "-f", "csv")
        .out.splitlines()[1]
        .startswith("xtea-ecb,key-setup,0,key,constant")
    )
    assert motebench("report", "steady", "-o", "again.html").code == 0
    again = motebench(*asked, "--samples", "5", "--name", "steady")
    assert again.code == 2 and "already has a run 'steady'" in again.err


@pytest.mark.parametrize(
    "device", ["atmega2560", pytest.param("samd21g18a", marks=pytest.mark.long)]
)
def test_a_board_takes_the_same_time_for_good_and_bad_padding(avr, motebench, device):
    del avr
    if device == "samd21g18a" and shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not installed; motebench doctor names the line")
    asked = ("--target", f"sim:{device}", "--implementation", "mote/xtea", "--scheme", "xtea-cbc")
    result = motebench(
        "leak", *asked, "--operation", "decrypt-message", "--samples", "24", "--json"
    )
    verdicts = {entry["varied"]: entry["verdict"] for entry in result.json["findings"]}
    assert set(verdicts) >= {"bad padding", "padding, good or bad"} and set(verdicts.values()) == {
        "constant"
    }
    assert result.code == 0 and result.json["failures"] == []


def test_decapsulation_and_encapsulation_take_the_same_cycles_on_a_board(motebench):
    need_simulator(devices()["samd21g18a"])
    result = motebench(
        "leak",
        "--target",
        "sim:samd21g18a",
        "--implementation",
        "mote/ml-kem",
        "--scheme",
        "ml-kem-512",
        "--samples",
        "11",
        "--json",
    )
    found = {entry["varied"]: entry for entry in result.json["findings"]}
    assert list(found) == [
        "coins",
        "ciphertext",
        "ciphertext, good or changed",
        "key and ciphertext",
    ]
    assert {entry["verdict"] for entry in found.values()} == {"constant"} and result.code == 0
    assert result.json["failures"] == [] == result.json["left_out"]


def test_signing_in_attempts_is_refused_with_the_reason(motebench):
    result = motebench(
        "leak", "--implementation", "mldsa-native/ml-dsa", "--scheme", "ml-dsa-44", "--json"
    )
    (failure,) = result.json["failures"]
    assert (
        result.code == 3
        and failure["kind"] == "unsupported"
        and "number of attempts" in failure["message"]
    )
    assert result.json["findings"] == []


def test_on_this_host_it_says_how_sure_it_is(motebench):
    result = motebench(
        "leak",
        "--implementation",
        "mote/xtea",
        "--scheme",
        "xtea-ecb",
        "--operation",
        "encrypt",
        "--samples",
        "2000",
        "--json",
    )
    assert result.code in (0, 3, 8)
    for entry in result.json["findings"]:
        for arm in entry["arms"]:
            assert (
                0 <= arm["test"]["p"] <= 1
                and 0 <= arm["control"]["p"] <= 1
                and arm["would_be_seen_ns"] > 0
            )
            assert (
                arm["difference"]["low_ns"]
                <= arm["difference"]["ns"]
                <= arm["difference"]["high_ns"]
            )
        assert entry["verdict"] in ("no difference found", "leaks", "machine or harness not fit")
        assert entry["leaks"] == (entry["verdict"] == "leaks")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--implementation", "nobody"], "unknown implementation 'nobody'"),
        (["--implementation", "mote/xtea", "--target", "sim:nothing"], "unknown target"),
        (["--implementation", "mote/xtea", "--scheme", "sha256"], "has none of these"),
        (["--implementation", "mote/xtea", "--operation", "verify"], "handles no secret"),
        (["--implementation", "mote/xtea", "--operation", "guess"], "cannot be examined"),
        (["--implementation", "mote/xtea", "--size", "much"], "--size"),
        (["--implementation", "mote/xtea", "--samples", "5"], "too few readings"),
        (["--implementation", "openssl"], "schemes to examine"),
        (["--implementation", "mote/xtea", "--target", "host,sim:nothing"], "one target at a time"),
        (["--implementation", "mote/xtea", "--size", "2MiB"], "the message is too long"),
        (["--implementation", "mote/xtea", "--name", "12"], "cannot be the name of a run"),
        (["--implementation", "mote/xtea", "--report", "motebench.toml/x.html"], "--report"),
    ],
)
def test_bad_input_says_what_is_valid_and_stores_nothing(motebench, tmp_path, arguments, words):
    result = motebench("leak", *arguments)
    assert result.code == 2 and words in result.err
    assert not (tmp_path / "motebench.db").exists()
