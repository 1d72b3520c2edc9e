"""A published study on a Linux board that SSH reaches: which parts go there, and which device the
board is.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_board import FakeBoard

from motebench.base.paths import probe_dirs, probes_in
from motebench.publications.papers.document import document
from motebench.publications.papers.looks import OutlinedReplication, outlined
from motebench.publications.papers.parts import InputScale
from motebench.publications.papers.replicate import carried_out
from motebench.targets.command import ssh as command_ssh
from motebench.targets.setup.building import LAUNCHER
from motebench.targets.ssh import place
from motebench.targets.ssh.place import SshMachine

NAME = "ssh:me@board"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBoard]:
    """A board of this machine's architecture, with its launcher and its probe of OpenSSL."""
    built = probes_in(probe_dirs())
    launcher = next(
        (folder / LAUNCHER for folder in probe_dirs() if (folder / LAUNCHER).exists()), None
    )
    if (
        launcher is None
        or "openssl" not in built
        or platform.machine() not in ("x86_64", "aarch64")
    ):
        pytest.skip("no launcher, or no probe of OpenSSL, is built for this machine: make setup")
    folder = tmp_path / "board"
    folder.mkdir()
    fake = FakeBoard(folder)
    monkeypatch.setenv("MOTEBENCH_SSH", str(fake.ssh))
    monkeypatch.setattr(place, "cross_probes", lambda machine: {"openssl": built["openssl"]})
    monkeypatch.setattr(command_ssh, "cross_program", lambda machine, name: launcher)
    yield fake
    fake.until_empty()


def _says(monkeypatch: pytest.MonkeyPatch, model: str | None) -> None:
    """The board has this model in its device tree."""
    plain = SshMachine.environment

    def environment(self: SshMachine) -> dict[str, Any]:
        facts = plain(self)
        return {**facts, "host": {**facts["host"], "board": model}}

    monkeypatch.setattr(SshMachine, "environment", environment)


def _outlined() -> OutlinedReplication:
    outline = outlined("jose-2023", (NAME,), InputScale.of("small"))
    for part in outline.parts:
        for target in part.found.opened.values():
            target.place.close()
    return outline


def test_the_paper_is_measured_on_the_board_and_nothing_on_this_machine(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    _says(monkeypatch, "Raspberry Pi 3 Model B Rev 1.2")
    outline = _outlined()
    targets = {part.prepared.part.name: set(part.plan.targets) for part in outline.parts}
    assert targets["paper"] == {f"command:{NAME}"} and targets["own"] == {NAME}
    assert outline.problems == ()
    stand_ins = {name.partition(" ")[0] for name in outline.unused}
    assert stand_ins == {"aes", "own-aes"}, "the device itself needs no machine that stands for it"
    assert outline.problems == ()


def test_another_board_stands_for_the_device_without_its_aes_instructions(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    _says(monkeypatch, "Raspberry Pi 4 Model B Rev 1.4")
    outline = _outlined()
    assert not outline.unused and "own-aes" in {part.prepared.part.name for part in outline.parts}
    (missing,) = outline.problems
    assert "unknown implementation 'openssl-cli@no-aes'" in missing, "what it cannot do is said"


@pytest.mark.long
def test_claims_about_a_device_are_judged_by_what_the_board_says_it_is(
    board: FakeBoard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = "Raspberry Pi 3 Model B Rev 1.2"
    _says(monkeypatch, model)
    outline = _outlined()
    own = tuple(part for part in outline.parts if part.prepared.part.name == "own")
    done = carried_out(
        replace(outline, parts=own), str(tmp_path / "runs.db"), extra=0.0, budget=1.0
    )
    assert {cell.device for cell in done.own} == {NAME} and {cell.model for cell in done.own} == {
        model
    }
    (first,) = [claims for claims in done.told if claims.claim.id == "C1"]
    assert first.own is not None and "shape only" not in first.own.reason
    (run,) = document([done]).papers[0].runs
    assert run.provenance is not None and NAME in run.provenance.machines
