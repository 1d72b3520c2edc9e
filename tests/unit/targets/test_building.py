"""Probes that are missing are built when they are named, and only then; what they lack is said with
the line for it.
"""

import logging
import shutil
from pathlib import Path

import pytest

from motebench.base.errors import InputError, SetupError
from motebench.base.model import FailureKind
from motebench.targets import registry
from motebench.targets.host import this_machine as host_module
from motebench.targets.host.this_machine import this_machine
from motebench.targets.setup import building
from motebench.targets.wire.messages import ProbeFailure


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A host with the probe `built`; `missing` and `mote/new` can be built, `poor` lacks a
    library.
    """
    (tmp_path / "mote").mkdir()
    monkeypatch.setattr(host_module, "probe_dirs", lambda: [tmp_path])
    asked: list[list[str]] = []

    def probe(name: str) -> None:
        path = tmp_path / Path(name).parent / f"motebench-probe-{Path(name).name}"
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)

    def script(arguments, book):
        asked.append(arguments[1:])
        for name in arguments[1:]:
            if name != "broken":
                probe(name)
        return int("broken" in arguments), "no rule for broken"

    recipes = {
        name: building._Recipe((name,), lambda: None)
        for name in ("built", "missing", "mote/new", "broken")
    }
    recipes["poor"] = building._Recipe(
        ("poor",), lambda: "Libpoor, which is not installed: apt-get install -y libpoor-dev"
    )
    monkeypatch.setattr(building, "_recipes", lambda: recipes)
    monkeypatch.setattr(building, "_run_script", script)
    monkeypatch.setattr(building, "_times", lambda: tmp_path / "times.json")
    probe("built")
    return asked


def test_all_are_offered_and_nothing_is_built_for_it(staged):
    target = this_machine()
    assert {"built", "missing", "mote/new"} <= set(target.implementations())
    assert "poor" not in target.implementations()
    assert [name for name in target.ready() if "@" not in name] == ["built"]
    assert staged == []


def test_what_nobody_names_takes_part_only_if_it_is_built(staged):
    target = this_machine()
    assert registry.chosen_implementations(target, ["*"]) == ["built"]
    assert {"missing", "mote/new"} <= set(registry.not_built(target, ["*"]))
    assert registry.not_built(target, ["built", "m*"]) == [] and staged == []


def test_what_patterns_name_is_built_together_and_once(staged, caplog):
    caplog.set_level(logging.INFO, "motebench")
    target = this_machine()
    assert registry.chosen_implementations(target, ["m*"]) == ["missing", "mote/new"]
    assert registry.chosen_implementations(target, ["missing"]) == ["missing"]
    assert staged == [["missing", "mote/new"]]
    said = caplog.text
    assert "building the probes of missing, mote/new, once" in said and "it took" in said
    assert "some " not in said, "how long a build takes is not known before it"


def test_opening_builds_what_is_missing(staged):
    with pytest.raises(ProbeFailure, match="exited with status 0"):
        this_machine().open("missing")
    assert staged == [["missing"]]


def test_a_build_that_fails_is_a_failure_with_the_path_of_the_log(staged):
    target = this_machine()
    with pytest.raises(ProbeFailure) as failure:
        target.open("broken")
    assert failure.value.kind is FailureKind.BUILD
    assert "no rule for broken" in failure.value.message and "build.log" in failure.value.message
    with pytest.raises(ProbeFailure):
        target.open("broken")
    assert staged == [["broken"]], "the same target does not try again"


def test_a_build_on_a_full_disk_says_so(staged, monkeypatch, tmp_path):
    log = tmp_path / "build.log"
    monkeypatch.setattr(building, "_log", lambda: log)
    log.write_text("ar.c:1: fatal error: error writing to /tmp/x.s: No space left on device\n")
    with pytest.raises(ProbeFailure, match=r"the disk of .* is full; make room there"):
        this_machine().open("broken")
    log.unlink()  # no room for a log, either
    monkeypatch.setattr(
        building.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 0)
    )
    with pytest.raises(ProbeFailure, match="is full"):
        this_machine().open("broken")
    monkeypatch.setattr(
        building.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1 << 40, 0, 1 << 40)
    )
    with pytest.raises(ProbeFailure, match="no rule for broken"):
        this_machine().open("broken")


def test_what_is_lacking_is_said_with_the_line_that_installs_it(staged):
    found = registry.missing_implementation("poor", this_machine())
    assert isinstance(found, SetupError) and "apt-get install -y libpoor-dev" in str(found)
    assert isinstance(registry.missing_implementation("nobody", this_machine()), InputError)
    assert staged == []


def test_folders_that_are_named_are_all_there_is(staged, tmp_path):
    target = this_machine([tmp_path])
    assert target.implementations() == target.ready()
    with pytest.raises(ProbeFailure):
        target.open("missing")
    assert staged == []


def test_without_sources_nothing_can_be_built(monkeypatch, tmp_path):
    monkeypatch.setattr(building, "data_root", lambda: tmp_path)
    building._recipes.cache_clear()
    try:
        assert building.buildable(()) == [] and building.known() == []
        assert "sources" in (building.build_program("simulators") or "")
    finally:
        building._recipes.cache_clear()


def test_this_checkout_knows_probes_of_every_kind():
    assert {"openssl", "mote/aes-small", "sunjce", "pycryptodome", "bearssl/aes-small"} <= set(
        building.known()
    )
    assert "make setup WITH=wolfssl" in (building.lacking("wolfssl") or "")
    assert "openssl4" in building.known()
