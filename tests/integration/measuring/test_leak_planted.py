"""Leaks that were put into user code on purpose, and the same code without them."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path
from typing import Any

import code_folders as folders
import pytest

from motebench.base.paths import data_root
from motebench.stats.leak import SURE

REJECTING = ("--scheme", "ascon-aead128", "--operation", "decrypt-message")


@pytest.fixture
def avr() -> None:
    """Tools that simulated boards need; `make test` installs them where apt may."""
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")


def examined(motebench: Any, folder: Path, *options: str, code: int) -> dict[str, Any]:
    """The varied input, with the verdict."""
    result = motebench("leak", "--code", str(folder), *options, "--json")
    assert result.code == code, result.err + result.out
    assert result.json["failures"] == []
    return {entry["varied"]: entry for entry in result.json["findings"]}


def arm_of(entry: dict[str, Any], caches: str) -> dict[str, Any]:
    """The arm with these contents of the caches."""
    (arm,) = (arm for arm in entry["arms"] if arm["caches"] == caches)
    return dict(arm)


@pytest.mark.usefixtures("avr")
def test_an_early_exit_is_counted_on_a_board_and_a_comparison_of_all_bytes_is_constant(
    motebench, tmp_path
):
    asked = (*REJECTING, "--target", "sim:atmega2560", "--samples", "12")
    leaky = examined(
        motebench, folders.planted(tmp_path / "leaky", compare=folders.EARLY_EXIT), *asked, code=8
    )["forged tag"]
    assert leaky["verdict"] == "leaks" and leaky["example"]["repeats"]
    assert leaky["example"]["most"]["name"] == "last byte wrong"
    assert leaky["example"]["fewest"]["name"] != "last byte wrong"
    assert leaky["accepted_cycles"] > leaky["cycles"]["most"]
    found = examined(motebench, folders.planted(tmp_path / "constant"), *asked, code=0)
    assert {entry["verdict"] for entry in found.values()} == {"constant"} and "forged tag" in found


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the planted look-up is written for x86")
def test_a_table_look_up_is_found_on_a_host(motebench, tmp_path):
    folder = folders.planted(tmp_path / "look-up", first=folders.LOOK_UP)
    asked = ("--scheme", "ascon-aead128", "--operation", "encrypt-message", "--samples", "1800")
    result = motebench("leak", "--code", str(folder), *asked, "--json")
    found = {entry["varied"]: entry for entry in result.json["findings"]}
    key = arm_of(found["key"], "its own data")
    assert key["test"]["p"] <= SURE and not found["message"]["leaks"]
    # Keys that begin with a zero byte look up the line that is not in the cache.
    assert key["difference"]["input"]["key"].startswith("00") and key["difference"]["low_ns"] > 0


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sizes of caches are those of x86")
def test_a_look_up_in_a_large_table_is_found_after_other_inputs_only(motebench, tmp_path):
    folder = folders.planted(tmp_path / "table", first=folders.LARGE_TABLE)
    asked = ("--scheme", "ascon-aead128", "--operation", "encrypt-message", "--samples", "1800")
    result = motebench("leak", "--code", str(folder), *asked, "--json")
    found = {entry["varied"]: entry for entry in result.json["findings"]}
    assert not found["message"]["leaks"]
    # Right after its own computation each key finds its entries in the caches, unless another
    # program evicts them: nothing is asserted of that arm.
    others = arm_of(found["key"], "data of other inputs")
    # A fixed key finds the entries that it looked up some inputs ago.
    assert others["test"]["p"] <= SURE and others["difference"]["high_ns"] < 0
    assert result.code in (3, 8)  # 3: the machine was too busy for a conclusion


def test_an_early_exit_is_found_on_a_host_and_a_comparison_of_all_bytes_is_not(motebench, tmp_path):
    asked = (*REJECTING, "--samples", "1800")
    result = motebench(
        "leak",
        "--code",
        str(folders.planted(tmp_path / "leaky", compare=folders.EARLY_EXIT)),
        *asked,
        "--json",
    )
    (entry,) = (entry for entry in result.json["findings"] if entry["varied"] == "forged tag")
    leaky = arm_of(entry, "its own data")
    # 15 bytes more are compared, of 200 empty rounds each: some 3 us.
    assert leaky["test"]["p"] <= SURE and "last" in leaky["difference"]["input"]["name"]
    assert leaky["difference"]["low_ns"] > 0 and leaky["accepted"]["low_ns"] > 0
    constant = motebench(
        "leak", "--code", str(folders.planted(tmp_path / "constant")), *asked, "--json"
    )
    (fine,) = (entry for entry in constant.json["findings"] if entry["varied"] == "forged tag")
    # Labels are drawn, so whatever the machine does, one in 100,000 gets so small a p.
    assert not fine["leaks"] and all(arm["test"]["p"] > SURE for arm in fine["arms"])
