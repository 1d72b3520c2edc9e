"""Admission of user code to timing: known answers on the target and on this machine, and the checks
of code that has none."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from verify_fakes import FakeSession, offer, signature_of, tag_of, xor

from motebench.base.model import Failure, FailureKind, Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify import admission
from motebench.measuring.verify.admission import (
    UNPROVED,
    UNPROVED_KEYS,
    AdmissionVerdict,
    admit,
    known_answers,
    refusal,
    remarks_on,
)
from motebench.targets.code.building import UserCode
from motebench.targets.wire.messages import Job, ProbeAnswer, ProbeFailure

AEAD, HASH = "aes-128-gcm", "sha256"
KEY, NONCE = bytes(range(16)), bytes(range(12))


def sealed(size: int, aad: int = 0, **changes: Any) -> Vector:
    data, more = bytes(range(size)), bytes(aad)
    asked = Job(AEAD, "encrypt-message", KEY, NONCE, more, data)
    secret = xor(asked, data)
    vector = Vector(f"v{size}.{aad}", AEAD, Operation.ENCRYPT_MESSAGE, KEY, NONCE, more, data)
    return replace(vector, expect_out=secret, expect_tag=tag_of(asked, secret), **changes)


def digested(size: int, **changes: Any) -> Vector:
    data = bytes(size)
    vector = Vector(f"d{size}", HASH, Operation.DIGEST, data=data, source="a file")
    return replace(vector, **{"expect_out": hashlib.sha256(data).digest(), **changes})


def code_of(kind: str, scheme: str, vectors: list[Vector], **options: Any) -> UserCode:
    folder: Any = SimpleNamespace(sizes={}, decrypts=True)
    return UserCode("code/mine", folder, {kind: scheme}, {scheme: vectors}, {}, **options)


def target(*, fast: bool) -> Any:
    return SimpleNamespace(name="host" if fast else "sim:board", place=SimpleNamespace(fast=fast))


class HereSession(FakeSession):
    """The same files built for this machine."""

    fault_here: Any = None
    unbuilt: str = ""
    made: list[HereSession]

    def __init__(self, *_: object) -> None:
        super().__init__(type(self).fault_here)
        self.closed = False
        type(self).made.append(self)

    @property
    def hello(self):
        if self.unbuilt:
            raise ProbeFailure(FailureKind.BUILD, self.unbuilt)
        return self._hello

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> type[HereSession]:
    """No known answers in the catalog, and the files of the code built for this machine."""

    class Here(HereSession):
        pass

    Here.made = []

    monkeypatch.setattr(admission, "vectors_for", lambda scheme: [])
    monkeypatch.setattr(admission, "CodeSession", Here)
    return Here


def admitted(
    code: UserCode, scheme: str, session: FakeSession | None = None, *, fast: bool = False
) -> AdmissionVerdict:
    session = FakeSession() if session is None else session
    return admit(code, session, scheme, target=target(fast=fast), implementation="code/mine@O3")


def wrong(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
    return replace(answer, out=bytes(len(answer.out or b"")))


def test_a_fast_target_is_asked_every_known_answer(here) -> None:
    code = code_of("hash", HASH, [digested(size) for size in range(60)])
    session = FakeSession()
    verdict = admitted(code, HASH, session, fast=True)
    assert verdict == AdmissionVerdict(
        None, ("code/mine@O3: 60 known answers of sha256 asked on host",), 1, ""
    )
    assert len(session.jobs) == 60
    assert here.made == []


def test_a_board_is_asked_a_sample_and_this_machine_every_known_answer(here) -> None:
    code = code_of("hash", HASH, [digested(size) for size in range(60)])
    session = FakeSession()
    verdict = admitted(code, HASH, session)
    asked = len(session.jobs)
    assert 3 < asked < 40
    assert verdict.refused is None
    assert verdict.notes == (
        f"code/mine@O3: {asked} of 60 known answers of sha256 asked on sim:board",
        "code/mine: built for this machine, the same files have all 60 known answers of sha256 "
        "right",
    )
    assert (verdict.step, verdict.others) == (1, "")
    assert len(here.made[0].jobs) == 60 and here.made[0].closed


def test_this_machine_is_asked_once_for_all_targets(here) -> None:
    code = code_of("hash", HASH, [digested(1)])
    assert admitted(code, HASH).notes == admitted(code, HASH).notes
    assert len(here.made) == 1


def test_what_this_machine_was_not_asked_is_counted(here) -> None:
    code = code_of("hash", HASH, [digested(1), digested(2, not_applicable="too long")])
    assert "have 1 of 2 known answers of sha256 right" in admitted(code, HASH).notes[-1]


def test_a_build_that_fails_on_this_machine_says_what_was_not_checked(here) -> None:
    here.unbuilt = "x" * 500
    note = admitted(code_of("hash", HASH, [digested(1)]), HASH).notes[-1]
    assert note == (
        f"code/mine: the files cannot be built for this machine ({'x' * 160}), so only these were "
        "checked"
    )
    assert here.made[0].closed


def test_a_wrong_answer_on_the_board_alone_is_a_difference_of_the_board(here) -> None:
    refused = admitted(code_of("hash", HASH, [digested(1)]), HASH, FakeSession(wrong)).refused
    assert refused is not None
    assert (refused.kind, refused.vector) == (FailureKind.WRONG_ANSWER, "d1 (a file)")
    assert "built for this machine, the same files have all 1 known answers" in refused.message
    assert refused.message.endswith("#ifdef AVR)")


def test_a_wrong_answer_on_both_says_that_the_files_fail_here_too(here) -> None:
    here.fault_here = staticmethod(wrong)
    verdict = admitted(code_of("hash", HASH, [digested(1)]), HASH, FakeSession(wrong))
    assert verdict.refused is not None
    assert verdict.refused.message.endswith("the files fail d1: digest: wrong output")
    assert len(verdict.notes) == 1


def after(calls: int) -> Any:
    """A fault of code that counts its calls, and lies after some."""
    seen = iter(range(10**6))
    return lambda asked, answer: answer if next(seen) < calls else wrong(asked, answer)


def test_a_board_is_asked_what_is_wrong_on_this_machine_and_all_before_it(here) -> None:
    here.fault_here = staticmethod(after(60))
    known = [digested(size) for size in range(100, 200)]
    verdict = admitted(code_of("hash", HASH, known), HASH, FakeSession(after(60)))
    assert verdict.refused is not None
    assert verdict.refused.kind is FailureKind.WRONG_ANSWER
    assert "the files fail d160" in verdict.notes[-1]


def test_a_board_that_is_right_where_this_machine_is_wrong_is_timed(here) -> None:
    here.fault_here = staticmethod(wrong)
    verdict = admitted(code_of("hash", HASH, [digested(1), digested(2)]), HASH)
    assert verdict.refused is None
    assert "the files fail d1: digest: wrong output" in verdict.notes[-1]


def test_an_answer_that_does_not_fit_a_board_refuses_nothing(here) -> None:
    def too_long(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        if len(asked.data) > 100:
            raise ProbeFailure(FailureKind.TOO_BIG, "the message does not fit")
        return answer

    known = [digested(200), digested(1)]
    here.fault_here = staticmethod(
        lambda asked, answer: wrong(asked, answer) if len(asked.data) > 100 else answer
    )
    verdict = admitted(code_of("hash", HASH, known), HASH, FakeSession(too_long))
    assert verdict.refused is None


def test_another_failure_says_nothing_of_this_machine(here) -> None:
    def crashing(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        raise ProbeFailure(FailureKind.CRASH, "unaligned access at 0x3")

    verdict = admitted(code_of("hash", HASH, [digested(8)]), HASH, FakeSession(crashing))
    assert verdict.refused is not None
    assert verdict.refused.message == "unaligned access at 0x3"
    assert len(verdict.notes) == 1 and here.made == []


def whole_words_only(kind: FailureKind = FailureKind.CRASH, text: str = "unaligned access") -> Any:
    def fault(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        if len(asked.data) % 8 or len(asked.aad) % 8:
            raise ProbeFailure(kind, text)
        return answer

    return fault


def test_code_that_stops_at_odd_lengths_is_timed_at_whole_words() -> None:
    vectors = [sealed(8), sealed(0, 8), sealed(15), sealed(16, 16), sealed(32)]
    code = code_of("aead", AEAD, vectors)
    verdict = admitted(code, AEAD, FakeSession(whole_words_only()))
    assert verdict.refused is None
    assert verdict.step == 8
    assert verdict.others == (
        "the code stops at lengths that are not multiples of 8 B: unaligned access"
    )
    assert verdict.notes[1].startswith(
        "code/mine@O3: only lengths that are multiples of 8 B are checked and timed; the code stops"
    )
    assert verdict.notes[0].startswith("code/mine@O3: 4 of 5 known answers")


@pytest.mark.parametrize(
    ("kind", "text"),
    [(FailureKind.CRASH, "division by zero"), (FailureKind.ERROR, "unaligned access")],
)
def test_code_that_stops_for_another_reason_is_refused(kind: FailureKind, text: str) -> None:
    code = code_of("aead", AEAD, [sealed(8), sealed(16, 1), sealed(1)])
    verdict = admitted(code, AEAD, FakeSession(whole_words_only(kind, text)))
    assert verdict.refused is not None
    assert (verdict.refused.kind, verdict.step, verdict.others) == (kind, 1, "")


def test_code_that_stops_at_whole_words_too_is_refused() -> None:
    def stops(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        raise ProbeFailure(FailureKind.CRASH, "unaligned access")

    for vectors in ([sealed(8), sealed(1)], [sealed(1)]):
        verdict = admitted(code_of("aead", AEAD, vectors), AEAD, FakeSession(stops))
        assert verdict.refused is not None and verdict.step == 1


def test_a_cipher_is_asked_the_known_answers_of_the_gate() -> None:
    vectors = []
    for size in range(16, 16 * 40, 16):
        data = bytes(size)
        secret = xor(Job("aes-128-ctr", "", KEY, NONCE), data)
        vectors.append(Vector(str(size), "aes-128-ctr", Operation.ENCRYPT, KEY, NONCE, b"", data))
        vectors[-1] = replace(vectors[-1], expect_out=secret)
    verdict = admitted(code_of("cipher", "aes-128-ctr", vectors), "aes-128-ctr")
    assert verdict.refused is None
    assert "20 of 39 known answers" in verdict.notes[0]


def test_signatures_are_asked_one_of_each_on_a_board() -> None:
    signature = signature_of(bytes(32), b"")
    vectors = [
        Vector(f"s{number}", "ed25519", Operation.VERIFY, bytes(32), tag=signature)
        for number in range(5)
    ]
    session = FakeSession()
    verdict = admitted(code_of("sign", "ed25519", vectors), "ed25519", session)
    assert len(session.jobs) == 1
    assert "1 of 5 known answers" in verdict.notes[0]


def test_known_answers_are_those_of_the_code_and_then_those_of_the_catalog(monkeypatch) -> None:
    valid = Vector("c", "ml-kem-512", Operation.DECAPSULATE)
    invalid = replace(valid, id="i", result=Validity.INVALID)
    own = replace(valid, id="own")
    monkeypatch.setattr(admission, "vectors_for", lambda scheme: [invalid, valid])
    kem = code_of("kem", "ml-kem-512", [own])
    assert [vector.id for vector in known_answers(kem, "ml-kem-512")] == ["own", "c"]
    other = code_of("sign", "ml-kem-512", [own])
    assert [vector.id for vector in known_answers(other, "ml-kem-512")] == ["own", "i", "c"]
    assert known_answers(code_of("hash", "x", []), "y") == [invalid, valid]


def test_code_without_known_answers_is_refused_with_the_files_that_would_do() -> None:
    plain = admitted(code_of("hash", HASH, []), HASH).refused
    keyed = admitted(code_of("kem", "ml-kem-512", []), "ml-kem-512").refused
    assert plain == Failure(
        HASH, "code/mine@O3", "sim:board", FailureKind.UNSUPPORTED, plain.message if plain else ""
    )
    assert keyed is not None and keyed.kind is FailureKind.UNSUPPORTED
    assert "(LWC_AEAD_KAT_*.txt, LWC_HASH_KAT_*.txt)" in plain.message
    assert "(PQCkemKAT_*.rsp, PQCsignKAT_*.rsp)" in keyed.message


def unproved(kind: str, scheme: str, fault: Any = None) -> tuple[AdmissionVerdict, FakeSession]:
    session = FakeSession(fault)
    return admitted(code_of(kind, scheme, [], unproved=True), scheme, session), session


def test_unproved_aead_is_tried_with_and_without_message_and_additional_data() -> None:
    verdict, session = unproved("aead", AEAD)
    assert verdict == AdmissionVerdict(None, (f"code/mine@O3: {AEAD}: {UNPROVED}",))
    sealing = [job for job in session.jobs if job.operation == "encrypt-message"]
    sizes = [(len(job.data), len(job.aad)) for job in sealing]
    assert sizes == [(0, 0), (1, 0), (0, 1), (16, 16), (33, 17)]
    # The shortest of each that the implementation offers: 16, 12 and 12 bytes
    assert {(len(job.key), len(job.nonce), job.tag_bytes) for job in session.jobs} == {(16, 12, 12)}
    assert len(session.jobs) == 15
    for opened, forged in zip(session.jobs[1::3], session.jobs[2::3], strict=True):
        assert forged == replace(opened, tag=opened.tag[:-1] + bytes([opened.tag[-1] ^ 1]))
    assert len({job.key for job in sealing} | {job.nonce for job in sealing}) == 2
    fills = [
        sealing[4].key[:12],
        sealing[4].nonce,
        sealing[4].aad[:12],
        bytes(sealing[4].data[:12]),
    ]
    assert len(set(fills)) == 4


def _tampered(operation: str, change: Any) -> Any:
    def fault(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return change(answer) if asked.operation == operation else answer

    return fault


@pytest.mark.parametrize(
    ("operation", "change", "problem"),
    [
        (
            "encrypt-message",
            lambda answer: replace(answer, out=answer.out + b"x"),
            "0 B of message, 0 B of additional data: the ciphertext is not as long as the message "
            "and the tag",
        ),
        (
            "encrypt-message",
            lambda answer: replace(answer, tag=answer.tag[:-1]),
            "0 B of message, 0 B of additional data: the ciphertext is not as long as the message "
            "and the tag",
        ),
        (
            "encrypt-message",
            lambda answer: replace(answer, out=None),
            "0 B of message, 0 B of additional data: the ciphertext is not as long as the message "
            "and the tag",
        ),
        (
            "decrypt-message",
            lambda answer: replace(answer, out=bytes(len(answer.out or b""))),
            "1 B of message, 0 B of additional data: its own ciphertext does not give the message "
            "back",
        ),
        (
            "decrypt-message",
            lambda answer: replace(answer, rejected=True),
            "0 B of message, 0 B of additional data: its own ciphertext does not give the message "
            "back",
        ),
        (
            "decrypt-message",
            lambda answer: replace(answer, rejected=False, out=answer.out or b""),
            "0 B of message, 0 B of additional data: a forged tag is accepted",
        ),
    ],
)
def test_an_unproved_aead_that_does_not_fit_itself_is_refused(operation, change, problem) -> None:
    verdict, _ = unproved("aead", AEAD, _tampered(operation, change))
    assert verdict.refused == Failure(
        AEAD, "code/mine@O3", "sim:board", FailureKind.WRONG_ANSWER, problem
    )
    assert verdict.notes == ()


def test_an_unproved_hash_is_asked_the_same_messages_twice() -> None:
    verdict, session = unproved("hash", HASH)
    assert verdict.refused is None
    assert verdict.notes == (f"code/mine@O3: {HASH}: {UNPROVED}",)
    assert [len(job.data) for job in session.jobs] == [0, 1, 0, 16, 33] * 2


def test_an_unproved_hash_that_does_not_repeat_itself_is_refused() -> None:
    calls = iter(range(100))
    changing = _tampered("digest", lambda answer: replace(answer, out=bytes([next(calls)] * 32)))
    always = _tampered("digest", lambda answer: replace(answer, out=bytes(32)))
    short = _tampered("digest", lambda answer: replace(answer, out=bytes(31)))
    none = _tampered("digest", lambda answer: replace(answer, out=None))
    problems = []
    for fault in (changing, always, short, none):
        refused = unproved("hash", HASH, fault)[0].refused
        assert refused is not None and refused.kind is FailureKind.WRONG_ANSWER
        problems.append(refused.message)
    assert problems == [
        "the digest of a message changes",
        "0 B and 1 B have the same digest",
        "0 B: the digest does not have 32 B",
        "0 B: the digest does not have 32 B",
    ]


def test_a_probe_that_fails_on_unproved_code_keeps_its_kind() -> None:
    def gone(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        raise ProbeFailure(FailureKind.TIMEOUT, "no answer")

    refused = unproved("hash", HASH, gone)[0].refused
    assert refused == Failure(HASH, "code/mine@O3", "sim:board", FailureKind.TIMEOUT, "no answer")


def test_the_refusal_of_a_scheme_follows_from_the_code_where_there_is_one(monkeypatch) -> None:
    board = target(fast=False)
    session = FakeSession()
    # The catalog has no known answer here, the code has one
    without = refusal(session, HASH, target=board, implementation="x", code=None)
    assert without is not None and without.message.startswith("no known answer in the catalog")
    code = code_of("hash", HASH, [digested(1)])
    assert refusal(session, HASH, target=board, implementation="x", code=code) is None


def test_remarks_say_what_was_not_proved_and_what_a_call_has_in_it() -> None:
    assert remarks_on(code_of("hash", HASH, [digested(1)]), HASH) == []
    assert remarks_on(code_of("hash", HASH, []), HASH) == [UNPROVED]
    assert remarks_on(code_of("aead", AEAD, []), AEAD) == [
        UNPROVED,
        "the call takes the key: key set-up is part of it",
    ]
    kem = remarks_on(code_of("kem", "k", []), "k")
    assert kem[0] == UNPROVED_KEYS["kem"] and kem[1].startswith("whether it checks its inputs")
    sign = remarks_on(code_of("sign", "s", []), "s")
    assert sign[0] == UNPROVED_KEYS["sign"] and sign[1].startswith("signing draws 32 zeros")
    assert len(kem) == len(sign) == 2
    assert remarks_on(code_of("other", "o", []), "o") == [UNPROVED]


def test_offers_of_the_toy_are_as_these_tests_say() -> None:
    assert FakeSession().offers()[AEAD] == offer(AEAD, tag=(12, 16))
