"""Profile of one operation on simulated boards: all its cycles, by path of calls."""

from __future__ import annotations

import json
from pathlib import Path

import planted
import pytest

from motebench.catalog.devices import devices
from motebench.show.profile import read_folded
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

HARNESS = 20
"""Cycles of the loop around an operation, and of its call, are fewer."""


@pytest.mark.parametrize("name", ["atmega2560", "samd21g18a", "cortex-m4-nows", "rp2350-hazard3"])
def test_the_cycles_of_all_paths_are_those_of_the_operation(name):
    device = devices()[name]
    need_simulator(device)
    session = BoardSession(Simulation(device, BoardSettings()), OwnFirmware("mote/sha-256"))
    job = Job("sha256", "digest", b"", data=bytes(64))
    try:
        (ticks,) = session.measure(job, batch=1, count=1, warm=0, timeout=60).ticks
        overhead = session.hello_of(job.scheme).clock.overhead
        profile = session.profile(job)
    finally:
        session.close()
    assert profile.total == ticks - overhead
    assert 0 <= profile.harness < HARNESS
    callers = {path[:-1] for path in profile.paths if path[-1] == "mote_sha256_compress"}
    assert len(callers) == 2, "whole blocks, and the last one"
    assert profile.by_function()["mote_sha256_compress"] > ticks / 2


def speck(folder: Path, rounds: int) -> Path:
    """User code that has so many extra rounds a message."""
    folder.mkdir()
    (folder / "api.h").write_text(planted.API)
    (folder / "cipher.c").write_text(planted.source(rounds))
    return folder


@pytest.mark.parametrize("device", ["cortex-m4-nows", "atmega328p"])
def test_two_runs_of_own_code_differ_by_the_planted_function(motebench, tmp_path, device):
    need_simulator(devices()[device])
    store, profiles, stacks = tmp_path / "s.db", [], []
    for name, rounds, base in (("before", 0, ()), ("after", 22, ("--profile-base", "before"))):
        code = speck(tmp_path / f"code-{name}", rounds)
        done = motebench(
            *("run", "--code", code.name, "--code-name", "mine", "--scheme", "speck-64-128-ecb"),
            *("--operation", "encrypt", "--size", "64", "--target", f"sim:{device}", "--quiet"),
            *("--store", str(store), "--name", name, "--profile", name, *base),
        )
        assert done.code == 0, done.err
        assert "in the profile" not in done.err
        (file,) = (tmp_path / name).glob("*.folded")
        stacks.append(read_folded(file))
        shown = motebench("show", name, "--store", str(store), "--json")
        values = {item["metric"]: item["median"] for item in json.loads(shown.out)["measurements"]}
        assert sum(stacks[-1].values()) == values["cycles"], "every cycle is in the profile"
        assert 100 < values["code_text"] == values["code_total"]
        assert values["code_data"] == values["code_bss"] == 0
        profiles.append(done.out)
    difference = sum(stacks[1].values()) - sum(stacks[0].values())
    assert difference > 0 and f"difference {difference:+,}" in profiles[1]
    assert "crypto_cipher_encrypt" in profiles[1]
    (picture,) = (tmp_path / "after").glob("*.svg")
    assert "more4" in picture.read_text().split("</style>")[1]
    again = motebench(
        *("run", "--resume=after", "--store", str(store), "--profile", "later", "--json")
    )
    assert again.code == 0 and json.loads(again.out)["run"]["name"] == "after"
    (later,) = (tmp_path / "later").glob("*.folded")
    assert read_folded(later) == stacks[1]
    written = motebench(*("report", "after", "--store", str(store), "--output", "after.html"))
    assert written.code == 0, written.err
    page = (tmp_path / "after.html").read_text()
    assert page.count("<code>crypto_cipher_encrypt</code>") == 1, "once, though profiled again"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--target", "host", "--profile", "p"), "needs a simulated board"),
        (("--target", "sim:atmega328p", "--profile-base", "p"), "no effect without --profile"),
        (("--target", "sim:atmega328p", "--profile", "p", "--runs", "2"), "mutually exclusive"),
        (("--target", "sim:atmega328p", "--profile", "file"), "is no folder"),
        (
            ("--target", "sim:atmega328p", "--profile", "p", "--profile-base", "none"),
            "has no profile",
        ),
    ],
)
def test_a_profile_that_cannot_be_is_refused_before_anything_is_measured(
    motebench, tmp_path, options, says
):
    (tmp_path / "file").write_text("")
    done = motebench("run", "--scheme", "sha-256", *options, "--store", "s.db")
    assert done.code == 2 and says in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"file"}
