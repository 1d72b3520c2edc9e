"""The gate before timing."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from verify_fakes import FakeSession

from motebench.base.model import FailureKind, Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify import check
from motebench.measuring.verify import gate as gate_of_scheme
from motebench.measuring.verify.admission import GATE_VECTORS, choose
from motebench.measuring.verify.checking import AnswerVerdict
from motebench.targets.wire.messages import Job, ProbeAnswer, ProbeFailure


def digest(number: int, **changes) -> Vector:
    data = bytes([number])
    fields = {"data": data, "expect_out": hashlib.sha256(data).digest(), **changes}
    return Vector(f"v{number}", "sha256", Operation.DIGEST, source="a test", **fields)


def run(monkeypatch, vectors, fault=None):
    monkeypatch.setattr("motebench.measuring.verify.admission.vectors_for", lambda scheme: vectors)
    return gate_of_scheme(FakeSession(fault), "sha256", target="host", implementation="fake")


def test_right_answers_open_the_gate(monkeypatch):
    assert run(monkeypatch, [digest(number) for number in range(3)]) is None


def test_a_wrong_answer_names_the_vector(monkeypatch):
    failure = run(monkeypatch, [digest(0), digest(1, expect_out=bytes(32))])
    assert failure is not None
    assert failure.kind is FailureKind.WRONG_ANSWER
    assert (failure.scheme, failure.implementation, failure.target) == ("sha256", "fake", "host")
    assert failure.vector == "v1 (a test)"
    assert "00" * 32 in failure.message


def test_no_known_answer_times_nothing(monkeypatch):
    failure = run(monkeypatch, [])
    assert failure is not None
    assert failure.kind is FailureKind.UNSUPPORTED
    assert failure.message == "no known answer in the catalog, so nothing is timed"


def test_nothing_applicable_times_nothing(monkeypatch):
    failure = run(monkeypatch, [digest(0, not_applicable="not of this world")])
    assert failure is not None
    assert failure.kind is FailureKind.UNSUPPORTED
    assert "not of this world" in failure.message


def test_rejections_alone_are_not_enough(monkeypatch):
    # An implementation that rejects everything passes every invalid vector.
    invalid = Vector(
        "i",
        "ed25519",
        Operation.VERIFY,
        bytes(32),
        data=b"x",
        tag=bytes(64),
        result=Validity.INVALID,
    )
    monkeypatch.setattr(
        "motebench.measuring.verify.admission.vectors_for", lambda scheme: [invalid]
    )
    failure = gate_of_scheme(FakeSession(), "ed25519", target="host", implementation="fake")
    assert failure is not None
    assert failure.kind is FailureKind.UNSUPPORTED


def test_the_others_are_tried_where_the_chosen_do_not_suit(monkeypatch):
    misfits = [digest(number, not_applicable="no") for number in range(GATE_VECTORS + 5)]
    assert run(monkeypatch, [*misfits, digest(200)]) is None


@pytest.mark.parametrize(
    "kind", [FailureKind.CRASH, FailureKind.ERROR, FailureKind.TIMEOUT, FailureKind.LOST]
)
def test_a_failing_probe_keeps_its_kind(monkeypatch, kind):
    def fault(job, answer: ProbeAnswer) -> ProbeAnswer:
        raise ProbeFailure(kind, "gone")

    failure = run(monkeypatch, [digest(0)], fault)
    assert failure is not None
    assert failure.kind is kind


def test_the_choice_is_small_fixed_and_holds_every_operation():
    def made(number, operation, result=Validity.VALID, chain=1):
        return Vector(str(number), "aes-128-gcm", operation, result=result, chain=chain)

    many = [made(number, Operation.ENCRYPT_MESSAGE) for number in range(50)]
    late = [made(number, Operation.DECRYPT_MESSAGE, Validity.INVALID) for number in range(50, 60)]
    chained = [made(60, Operation.ENCRYPT, chain=1000)]
    chosen = choose([*many, *late, *chained])
    assert len(chosen) == GATE_VECTORS
    assert chosen == choose([*many, *late, *chained])
    assert {vector.operation for vector in chosen} == {
        Operation.ENCRYPT_MESSAGE,
        Operation.DECRYPT_MESSAGE,
    }
    assert all(vector.chain == 1 for vector in chosen)


def test_three_of_each_kind_come_before_the_first_ones() -> None:
    many = [digest(number) for number in range(30)]
    late = [digest(number, result=Validity.ACCEPTABLE) for number in range(30, 40)]
    numbers = [int(vector.id[1:]) for vector in choose([*many, *late])]
    assert numbers == [*range(GATE_VECTORS - 3), 30, 31, 32]
    assert [vector.id for vector in choose([*many, *late], few=True)] == ["v0", "v30"]
    assert [vector.id for vector in choose([*many, *late], 4)] == ["v0", "v1", "v2", "v30"]
    assert len(choose(many[:5])) == 5
    assert len(choose(many, 2)) == 2
    assert choose([digest(0, chain=2)], few=True) == []


def test_what_cannot_be_built_is_said_once_and_names_no_vector(monkeypatch):
    class Unbuilt(FakeSession):
        def hello_of(self, scheme):
            raise ProbeFailure(FailureKind.TOO_BIG, "874 B of RAM are missing: 9066 B of 8192 B")

    vectors = [digest(number) for number in range(3)]
    monkeypatch.setattr("motebench.measuring.verify.admission.vectors_for", lambda scheme: vectors)
    session = Unbuilt()
    failure = gate_of_scheme(session, "sha256", target="sim:atmega2560", implementation="fake")
    assert failure is not None
    assert (failure.kind, failure.vector) == (FailureKind.TOO_BIG, None)
    assert failure.message == "874 B of RAM are missing: 9066 B of 8192 B"
    verdicts = [outcome.verdict for outcome in check(session, "sha256", vectors)]
    assert verdicts == [
        AnswerVerdict.FAILED,
        AnswerVerdict.NOT_APPLICABLE,
        AnswerVerdict.NOT_APPLICABLE,
    ]
    assert not session.jobs


def signature_vectors(operation, result=Validity.VALID):
    return [
        Vector(
            f"{operation.value} {result.value} {number}",
            "ed25519",
            operation,
            bytes(32),
            data=b"x",
            result=result,
        )
        for number in range(5)
    ]


def test_a_board_is_asked_one_of_each_where_each_takes_it_minutes(monkeypatch):
    vectors = [
        *signature_vectors(Operation.SIGN),
        *signature_vectors(Operation.VERIFY),
        *signature_vectors(Operation.VERIFY, Validity.INVALID),
    ]
    asked = []
    monkeypatch.setattr("motebench.measuring.verify.admission.vectors_for", lambda scheme: vectors)
    monkeypatch.setattr(
        "motebench.measuring.verify.admission.check",
        lambda session, scheme, chosen, **_: asked.append(chosen) or [],
    )
    here, board = FakeSession(), FakeSession()
    board._hello = replace(board._hello, device="atmega2560")
    for session in (here, board):
        gate_of_scheme(session, "ed25519", target="t", implementation="fake")
    # Nothing came of these, so each is asked all that there are, too.
    assert [len(each) for each in asked] == [15, 15, 3, 15]
    assert [vector.id for vector in asked[2]] == [
        "sign valid 0",
        "verify valid 0",
        "verify invalid 0",
    ]


def test_a_probe_that_gave_no_answer_is_not_asked_again(monkeypatch):
    asked = []

    def fault(job, answer: ProbeAnswer) -> ProbeAnswer:
        asked.append(job)
        raise ProbeFailure(FailureKind.TIMEOUT, "no answer")

    failure = run(monkeypatch, [digest(number) for number in range(3)], fault)
    assert failure is not None
    assert (failure.kind, failure.message) == (FailureKind.TIMEOUT, "no answer")
    assert len(asked) == 1


def test_where_the_target_refuses_a_part_of_each_the_rest_must_be_right(monkeypatch):
    message = Vector("m", "aes-128-ctr", Operation.ENCRYPT, bytes(16), bytes(12), data=b"x" * 16)
    right = (
        FakeSession()
        .compute(Job("aes-128-ctr", "encrypt", bytes(16), bytes(12), data=b"x" * 16))
        .out
    )
    message = replace(message, expect_out=right)

    def no_room(job, answer: ProbeAnswer) -> ProbeAnswer:
        if job.operation == "decrypt":
            raise ProbeFailure(FailureKind.TOO_BIG, "no room")
        return answer

    def gated(vector):
        monkeypatch.setattr(
            "motebench.measuring.verify.admission.vectors_for", lambda scheme: [vector]
        )
        return gate_of_scheme(
            FakeSession(no_room), "aes-128-ctr", target="host", implementation="fake"
        )

    assert gated(message) is None
    refused = gated(replace(message, expect_out=bytes(16)))
    assert refused is not None and refused.kind is FailureKind.WRONG_ANSWER
