"""Failures that a user may mend without changing the question: a resumed run tries them again."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

import motebench
from motebench.base.model import FailureKind
from motebench.measuring.request import Resume, carry_out
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job, ProbeFailure

CASE = {"implementations": "mote/xtea", "targets": "sim:atmega328p", "sizes": 16}
MENDED = [FailureKind.NO_ROOM, FailureKind.LOST, FailureKind.TIMEOUT]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):
    """Decryptions fail in that way until it is undone."""
    measured = ProbeSession.measure

    def fail(kind: FailureKind) -> None:
        def refuse(self: ProbeSession, job: Job, **more: object) -> object:
            if job.operation == "decrypt":
                raise ProbeFailure(kind, "for now")
            return measured(self, job, **more)

        monkeypatch.setattr(ProbeSession, "measure", refuse)

    yield fail
    monkeypatch.setattr(ProbeSession, "measure", measured)


def first_run(store: Path, **more: object) -> motebench.StoredRun:
    run = motebench.measure(
        "xtea-ecb", **CASE, operations=["encrypt", "decrypt"], name="r", store=store, **more
    )
    assert [item["operation"] for item in run.failures] == ["decrypt"]
    assert run.status == "finished"
    return run


@pytest.mark.parametrize("kind", MENDED)
def test_what_the_surroundings_did_is_tried_again(tmp_path, failing, monkeypatch, kind):
    failing(kind)
    before = first_run(tmp_path / "m.db")
    monkeypatch.undo()
    (after,) = motebench.resume("r", store=tmp_path / "m.db")
    assert after.failures == []
    assert {row["operation"] for row in after.rows()} == {"encrypt", "decrypt"}
    kept = [row for row in after.rows() if row["operation"] == "encrypt"]
    assert kept == before.rows(), "what was finished stays as it is"
    (decrypted,) = [
        row for row in after.rows() if row["operation"] == "decrypt" and row["metric"] == "cycles"
    ]
    assert f"tried again after {kind.value}: for now" in decrypted["notes"]


@pytest.mark.parametrize("kind", [kind for kind in FailureKind if kind not in MENDED])
def test_what_the_implementation_did_stands(tmp_path, failing, monkeypatch, kind):
    failing(kind)
    before = first_run(tmp_path / "m.db")
    monkeypatch.undo()
    assert carry_out(tmp_path / "m.db", Resume("r")).nothing_left
    assert motebench.load(tmp_path / "m.db").document() == before.document()


def test_what_fails_again_is_one_failure(tmp_path, failing):
    failing(FailureKind.LOST)
    first_run(tmp_path / "m.db")
    (after,) = motebench.resume("r", store=tmp_path / "m.db")
    (failure,) = after.failures
    assert (failure["kind"], failure["message"]) == ("lost", "for now")


def test_runs_of_a_group_too(tmp_path, failing, monkeypatch):
    failing(FailureKind.NO_ROOM)
    asked = {**CASE, "operations": ["encrypt", "decrypt"], "name": "g", "store": tmp_path / "m.db"}
    assert [len(run.failures) for run in motebench.measure_runs("xtea-ecb", runs=2, **asked)] == [
        1,
        1,
    ]
    monkeypatch.undo()
    assert [run.failures for run in motebench.resume("g", store=tmp_path / "m.db")] == [[], []]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_by_number_and_by_words(number):
    error = OSError(number, os.strerror(number), "file")
    assert FailureKind.of(error, FailureKind.ERROR) is FailureKind.NO_ROOM
    words = f"cc1: fatal error: error writing to /tmp/x.s: {os.strerror(number)}"
    assert FailureKind.of(words, FailureKind.BUILD) is FailureKind.NO_ROOM


def test_another_error_is_what_it_was():
    assert FailureKind.of(OSError(errno.EACCES, "no"), FailureKind.ERROR) is FailureKind.ERROR
    assert FailureKind.of("undefined reference", FailureKind.BUILD) is FailureKind.BUILD
