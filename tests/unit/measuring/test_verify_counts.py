"""Counts of any probe: passed, failed and not applicable add up to the given vectors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from motebench.base.model import FailureKind, Operation
from motebench.base.shapes import as_document
from motebench.catalog.vectors.model import Vector
from motebench.documents import schema
from motebench.measuring.verify import verification
from motebench.measuring.verify.checking import GIVE_UP_AFTER
from motebench.targets.code.workspace import Workspace
from motebench.targets.session import ProbeSession
from motebench.targets.wire import frames
from motebench.targets.wire.messages import ProbeFailure

HELLO: dict[str, Any] = {
    "proto": 2,
    "probe": "p 1",
    "impl": "x",
    "version": "1",
    "compiler": "c",
    "flags": "",
    "arch": "a",
    "clock": {"name": "c", "hz": 10**9, "resolution": 1, "overhead": 20.0},
    "counter": None,
    "cpu": None,
    "max_frame": 4096,
    "max_data": 4096,
    "does": ["hello", "list", "compute"],
}
SHA256 = {
    "name": "sha256",
    "ops": ["digest"],
    "key": [0, 0],
    "nonce": [0, 0],
    "tag": [32, 32],
    "block": 1,
    "stream": True,
}
COUNT = 9

Fault = Callable[["Probe", dict[Any, Any]], None]


class Probe:
    """A stream with a probe of SHA-256 at its end, in which ``fault`` answers what is asked of
    chosen data.

    Its clock moves only where a request is waited for in vain.
    """

    started = 0

    def __init__(self, fault: Fault, chosen: frozenset[bytes]) -> None:
        type(self).started += 1
        self._fault, self._chosen = fault, chosen
        self._receiver = frames.Receiver()
        self._time = 0.0
        self.sent = bytearray()
        self.ended = False

    def now(self) -> float:
        return self._time

    def send(self, data: bytes, deadline: float) -> None:
        for request in self._receiver.feed(data):
            asked = request.get("data", str(request["do"]).encode())
            if asked in self._chosen:
                self._fault(self, request)
            else:
                self.answer(request)

    def answer(self, request: dict[Any, Any], **changes: Any) -> None:
        if request["do"] == "hello":
            result = dict(HELLO)
        elif request["do"] == "list":
            result = {"schemes": [SHA256]}
        else:
            result = {"out": hashlib.sha256(request["data"]).digest(), "crc": 1}
        self.sent += frames.encode({"id": request["id"], "ok": {**result, **changes}})

    def receive(self, deadline: float) -> bytes | None:
        data, self.sent = bytes(self.sent), bytearray()
        if data or self.ended:
            return data
        self._time = deadline
        return None

    def exit_reason(self) -> ProbeFailure:
        return ProbeFailure(FailureKind.CRASH, "the probe ended by SIGSEGV")

    def close(self) -> None:
        self.ended = True


def hangs(probe: Probe, request: dict[Any, Any]) -> None:
    """No answer at all."""


def dies(probe: Probe, request: dict[Any, Any]) -> None:
    probe.ended = True


def talks_rubbish(probe: Probe, request: dict[Any, Any]) -> None:
    probe.sent += bytes(range(256)) * 9


def answers_nonsense(probe: Probe, request: dict[Any, Any]) -> None:
    probe.answer(request, out="a text", crc=-1)


def answers_another_request(probe: Probe, request: dict[Any, Any]) -> None:
    probe.answer({**request, "id": request["id"] + 7})


def dies_in_the_middle_of_its_answer(probe: Probe, request: dict[Any, Any]) -> None:
    probe.answer(request)
    del probe.sent[-9:]
    probe.ended = True


FAULTS = [
    (hangs, "timeout"),
    (dies, "crash"),
    (talks_rubbish, "timeout"),
    (answers_nonsense, "lost"),
    (answers_another_request, "timeout"),
    (dies_in_the_middle_of_its_answer, "crash"),
]
EACH = pytest.mark.parametrize(
    ("fault", "kind"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS]
)


def message(number: int) -> bytes:
    return b"message %d" % number


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Digests, and at their end one of a scheme that the probe has not."""
    vectors = [
        {
            "id": str(number),
            "op": "digest",
            "scheme": "sha256",
            "data": message(number).hex(),
            "out": hashlib.sha256(message(number)).hexdigest(),
        }
        for number in range(COUNT)
    ]
    vectors.append({**vectors[0], "id": "other", "scheme": "sha1"})
    path = tmp_path / "digests.json"
    path.write_text(json.dumps({"format": "motebench-vectors-1", "vectors": vectors}))
    return path


@pytest.fixture
def row(monkeypatch: pytest.MonkeyPatch, file: Path) -> Callable[..., dict[str, Any]]:
    """Row of `verify` for a probe with a fault at the given data."""

    def verified(fault: Fault, *chosen: bytes, given: Path | None = file) -> dict[str, Any]:
        Probe.started = 0

        def opened(implementation: str) -> ProbeSession:
            return ProbeSession(lambda: Probe(fault, frozenset(chosen)))

        named = dict.fromkeys(("implementations", "ready"), lambda: ["x"])
        place = SimpleNamespace(close=lambda: None)
        target = SimpleNamespace(
            name="host",
            place=place,
            prepare=lambda names: None,
            open=opened,
            may_offer=lambda name, schemes: True,
            **named,
        )
        monkeypatch.setattr(verification, "open_target", lambda name, where, code: target)
        document = as_document(verification.verify(Workspace(), ["host"], ["x"], [], given))
        jsonschema.Draft202012Validator(schema("verification")).validate(document)
        (found,) = document["implementations"]
        return found

    return verified


def sums(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["passed"], row["failed"], row["not_applicable"]


def test_all_is_well(row) -> None:
    assert sums(row(hangs)) == (COUNT, 0, 1)
    assert Probe.started == 1


@EACH
def test_a_fault_costs_its_vector_and_no_other(row, fault: Fault, kind: str) -> None:
    found = row(fault, message(4))
    assert sums(found) == (COUNT - 1, 1, 1)
    (failure,) = found["failures"]
    assert (failure["vector"], failure["kind"]) == ("4", kind)
    assert found["problem"] is None
    assert Probe.started == 2


@EACH
def test_faults_here_and_there_cost_their_vectors(row, fault: Fault, kind: str) -> None:
    found = row(fault, message(0), message(1), message(3), message(COUNT - 1))
    assert sums(found) == (COUNT - 4, 4, 1)
    assert {(failure["vector"], failure["kind"]) for failure in found["failures"]} == {
        (str(number), kind) for number in (0, 1, 3, COUNT - 1)
    }


@EACH
def test_where_one_follows_the_other_the_rest_is_counted_and_not_asked(
    row, fault: Fault, kind: str
) -> None:
    found = row(fault, *(message(number) for number in range(COUNT)))
    assert sums(found) == (0, GIVE_UP_AFTER, COUNT - GIVE_UP_AFTER + 1)
    assert {failure["kind"] for failure in found["failures"]} == {kind}
    assert sum(found["reasons"].values()) == found["not_applicable"]


def test_after_a_time_out_the_next_vector_has_a_tenth_of_the_time(row) -> None:
    found = row(hangs, message(0), message(1), message(3))
    assert sums(found) == (COUNT - 3, 3, 1)
    limits = [
        failure["detail"].partition("within ")[2].partition(" s")[0]
        for failure in found["failures"]
    ]
    assert limits == ["20", "2", "20"]


@EACH
@pytest.mark.parametrize("request_name", [b"hello", b"list"])
def test_a_probe_that_cannot_say_what_it_offers(
    row, fault: Fault, kind: str, request_name: bytes
) -> None:
    found = row(fault, request_name)
    if fault is answers_nonsense:  # in words that a hello or a list does not need
        assert sums(found) == (COUNT, 0, 1)
        return
    assert sums(found) == (0, 1, COUNT)
    (failure,) = found["failures"]
    assert (failure["vector"], failure["kind"]) == ("0", kind)
    assert found["reasons"] == {"not run: the probe did not start": COUNT}
    assert found["problem"].startswith(kind)


def test_a_probe_that_does_not_come_back_after_a_fault(row) -> None:
    def never_again(probe: Probe, request: dict[Any, Any]) -> None:
        if request["do"] == "hello" and Probe.started == 1:
            probe.answer(request)
        else:
            probe.ended = True

    found = row(never_again, b"hello", message(2))
    assert sums(found) == (2, 3, COUNT - 5 + 1)
    assert [failure["vector"] for failure in found["failures"]] == ["2", "3", "4"]


@EACH
def test_the_same_for_code_that_users_bring(row, monkeypatch, fault: Fault, kind: str) -> None:
    known = [
        Vector(
            str(number),
            "sha256",
            Operation.DIGEST,
            data=message(number),
            expect_out=hashlib.sha256(message(number)).digest(),
        )
        for number in range(COUNT)
    ]
    monkeypatch.setattr(
        Workspace, "code_of", lambda self, name: SimpleNamespace(schemes={"hash": "sha256"})
    )
    monkeypatch.setattr(verification, "known_answers", lambda code, scheme: known)
    assert sums(row(fault, message(4), given=None)) == (COUNT - 1, 1, 0)
    if fault is not answers_nonsense:
        assert sums(row(fault, b"hello", given=None)) == (0, 1, COUNT - 1)
