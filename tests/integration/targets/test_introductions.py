"""Stored introduction of a probe, requested again when any part of the probe changes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.targets.base import Target
from motebench.targets.host import introductions as module
from motebench.targets.host.introductions import Introductions
from motebench.targets.host.programs import machine_target
from motebench.targets.host.this_machine import ThisMachine

NAME = "mote/sha-256"


@pytest.fixture
def probe(tmp_path: Path) -> Path:
    """Copy of a built probe in a new folder."""
    copy = tmp_path / "probes" / "mote" / "motebench-probe-sha-256"
    copy.parent.mkdir(parents=True)
    shutil.copy2(data_root() / "build" / "probes" / "mote" / copy.name, copy)
    return copy


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The implementations whose probes were started."""
    names: list[str] = []
    open_probe = Target.open
    monkeypatch.setattr(
        Target, "open", lambda self, name: names.append(name) or open_probe(self, name)
    )
    return names


def introduction(probe: Path, folder: Path):
    """Introduction as a new command gets it."""
    known = Introductions(folder)
    found = known.of(machine_target(ThisMachine([probe.parents[1]])), NAME)
    known.keep()
    return found


def test_a_probe_is_asked_once(probe: Path, asked: list[str], tmp_path: Path) -> None:
    first = introduction(probe, tmp_path)
    assert introduction(probe, tmp_path) == first and asked == [NAME]
    assert "digest" in first.operations["sha256"] and first.version


def test_a_changed_probe_is_asked_again(probe: Path, asked: list[str], tmp_path: Path) -> None:
    introduction(probe, tmp_path)
    os.utime(probe, ns=(1, 1))
    introduction(probe, tmp_path)
    assert asked == [NAME, NAME]


def test_a_changed_library_is_noticed(probe: Path, asked: list[str], tmp_path: Path) -> None:
    """The files remembered with a probe are those that its process used, not only the program."""
    introduction(probe, tmp_path)
    (entry,) = json.loads((tmp_path / "probes.json").read_text())["probes"]
    assert str(probe) in entry["files"] and any("libc" in path for path in entry["files"])
    document = json.loads((tmp_path / "probes.json").read_text())
    library = next(path for path in entry["files"] if "libc" in path)
    document["probes"][0]["files"][library][1] += 1
    (tmp_path / "probes.json").write_text(json.dumps(document))
    introduction(probe, tmp_path)
    assert asked == [NAME, NAME]


def test_other_variables_ask_again(
    probe: Path, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    introduction(probe, tmp_path)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/usr/lib/elsewhere")
    introduction(probe, tmp_path)
    assert asked == [NAME, NAME]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"motebench": 1}', '{"probes": [{}]}', '{"probes": 3}', "[" * 5000],
)
def test_a_damaged_memory_is_none(text: str, probe: Path, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "probes.json").write_text(text)
    assert introduction(probe, tmp_path).operations and asked == [NAME]
    assert introduction(probe, tmp_path).operations and asked == [NAME]


def test_damage_within_an_entry_is_none(probe: Path, asked: list[str], tmp_path: Path) -> None:
    introduction(probe, tmp_path)
    path = tmp_path / "probes.json"
    for key, value in (
        ("operations", []),
        ("files", {"/a": "x"}),
        ("files", 3),
        ("operations", {"sha256": 4}),
    ):
        document = json.loads(path.read_text())
        document["probes"][0][key] = value
        path.write_text(json.dumps(document))
        assert introduction(probe, tmp_path).operations
    assert len(asked) == 5


def test_a_folder_that_cannot_be_written_is_no_failure(
    probe: Path, asked: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert introduction(probe, tmp_path / "file").operations
    assert introduction(probe, tmp_path / "file").operations and asked == [NAME, NAME]


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MOTEBENCH_CACHE", str(tmp_path / "own"))
    assert module.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("MOTEBENCH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert module.cache_folder() == tmp_path / "motebench"
