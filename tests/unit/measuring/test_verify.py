"""Known answers put to a toy implementation that is right, or wrong in one way."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

import pytest
from verify_fakes import FakeSession, pad, public_of, signature_of, tag_of, xor

from motebench.base.model import FailureKind, Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify import AnswerVerdict, check, summarize
from motebench.measuring.verify.checking import GIVE_UP_AFTER
from motebench.measuring.verify.steps import steps, why_not
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer, ProbeFailure

KEY, NONCE = bytes(range(16)), bytes(range(12))
SEED = bytes(range(32))
OP = Operation


def job(data: bytes = b"", aad: bytes = b"") -> Job:
    return Job("", "", KEY, NONCE, aad, data)


def ctr(**changes) -> Vector:
    data = b"sixteen bytes and more"
    return replace(
        Vector("1", "aes-128-ctr", OP.ENCRYPT, KEY, NONCE, data=data, expect_out=xor(job(), data)),
        **changes,
    )


def cbc(**changes) -> Vector:
    data = b"sixteen bytes on"
    return replace(
        Vector("1", "aes-128-cbc", OP.ENCRYPT, KEY, NONCE, data=data, expect_out=xor(job(), data)),
        **changes,
    )


def gcm(aad: bytes = b"", **changes) -> Vector:
    data = b"a message"
    secret = xor(job(), data)
    sealed = Vector(
        "1",
        "aes-128-gcm",
        OP.ENCRYPT_MESSAGE,
        KEY,
        NONCE,
        aad,
        data,
        expect_out=secret,
        expect_tag=tag_of(job(aad=aad), secret),
    )
    return replace(sealed, **changes)


def forged(**changes) -> Vector:
    sealed = gcm()
    assert sealed.expect_out is not None
    return replace(
        Vector(
            "f",
            "aes-128-gcm",
            OP.DECRYPT_MESSAGE,
            KEY,
            NONCE,
            data=sealed.expect_out,
            tag=bytes(16),
            result=Validity.INVALID,
        ),
        **changes,
    )


def test_a_mac_gets_its_nonce_and_needs_one_of_a_length_that_is_offered():
    vector = Vector("1", "aes-128-gmac", OP.MAC, KEY, NONCE, data=b"data", expect_out=bytes(16))
    (step,) = steps(vector)
    assert (step.job.nonce, step.job.data, step.prefix) == (NONCE, b"data", True)
    offered = Offer("aes-128-gmac", frozenset({"mac"}), (16, 16), (12, 12), (16, 16), 1, True)
    hello = FakeSession().hello
    assert why_not(vector, hello, offered) == ""
    assert "a nonce of 16 B is not offered (12 B)" in why_not(
        replace(vector, nonce=bytes(16)), hello, offered
    )


def signed(**changes) -> Vector:
    public = public_of(SEED)
    return replace(
        Vector(
            "s",
            "ed25519",
            OP.SIGN,
            SEED,
            data=b"text",
            expect_out=signature_of(public, b"text"),
            public=public,
        ),
        **changes,
    )


def verified(**changes) -> Vector:
    public = public_of(SEED)
    return replace(
        Vector("v", "ed25519", OP.VERIFY, public, data=b"text", tag=signature_of(public, b"text")),
        **changes,
    )


DIGEST = Vector("d", "sha256", OP.DIGEST, data=b"abc", expect_out=hashlib.sha256(b"abc").digest())
MAC = Vector(
    "m",
    "hmac-sha256",
    OP.MAC,
    KEY,
    data=b"abc",
    expect_out=hmac.digest(KEY, b"abc", "sha256"),
    tag_bytes=32,
)
AGREE = Vector(
    "a", "x25519", OP.AGREE, SEED, data=b"\x01" * 32, expect_out=bytes(byte ^ 1 for byte in SEED)
)
CBC_MESSAGE = cbc(
    id="2", operation=OP.ENCRYPT_MESSAGE, data=b"odd", expect_out=xor(job(), pad(b"odd"))
)
EVERYTHING = [
    ctr(),
    cbc(),
    CBC_MESSAGE,
    gcm(),
    gcm(b"aad", id="3"),
    forged(),
    signed(),
    verified(),
    DIGEST,
    MAC,
    AGREE,
]


def one(vector: Vector, fault=None, **options):
    session = FakeSession(fault, **options)
    (outcome,) = check(session, vector.scheme, [vector])
    return outcome, session


def operations(session: FakeSession) -> list[str]:
    return [asked.operation for asked in session.jobs]


@pytest.mark.parametrize(
    "vector", EVERYTHING, ids=lambda vector: f"{vector.scheme}-{vector.operation}-{vector.id}"
)
def test_the_right_implementation_passes(vector):
    outcome, _ = one(vector)
    assert outcome.verdict is AnswerVerdict.PASSED, outcome


def flipped(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
    if not answer.out:
        return answer
    return replace(answer, out=answer.out[:-1] + bytes([answer.out[-1] ^ 1]))


VALID = [
    vector
    for vector in EVERYTHING
    if vector.result is Validity.VALID and vector.operation is not OP.VERIFY
]


@pytest.mark.parametrize(
    "vector", VALID, ids=lambda vector: f"{vector.scheme}-{vector.operation}-{vector.id}"
)
def test_one_wrong_bit_fails_with_expected_and_got(vector):
    outcome, _ = one(vector, flipped)
    assert outcome.verdict is AnswerVerdict.FAILED
    assert outcome.kind is FailureKind.WRONG_ANSWER
    assert outcome.expected and outcome.got and outcome.expected != outcome.got


@pytest.mark.parametrize(
    "vector", [*VALID, verified()], ids=lambda vector: f"{vector.scheme}-{vector.operation}"
)
def test_rejecting_everything_fails(vector):
    outcome, _ = one(vector, lambda asked, answer: ProbeAnswer(rejected=True))
    assert (outcome.verdict, outcome.kind) == (AnswerVerdict.FAILED, FailureKind.WRONG_ANSWER)
    assert outcome.got == "rejected"


def accepting(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
    return ProbeAnswer(False, b"", b"", 0, 0) if answer.rejected else answer


@pytest.mark.parametrize("vector", [forged(), verified(tag=bytes(64), result=Validity.INVALID)])
def test_accepting_what_must_be_rejected_fails(vector):
    outcome, _ = one(vector, accepting)
    assert outcome.verdict is AnswerVerdict.FAILED
    assert (outcome.expected, outcome.got) == ("rejected", "accepted")


def test_a_valid_aead_vector_is_also_tried_with_a_forged_tag():
    outcome, _ = one(gcm(b"aad"), accepting)
    assert outcome.verdict is AnswerVerdict.FAILED
    assert "must be rejected" in outcome.detail


def test_a_signature_that_verifies_for_any_message_fails():
    def careless(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return ProbeAnswer(False, b"", b"", 0, 0) if asked.operation == "verify" else answer

    assert one(signed(), careless)[0].verdict is AnswerVerdict.FAILED


def test_a_wrong_tag_fails():
    def wrong(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return replace(answer, tag=bytes(16)) if answer.tag else answer

    outcome, _ = one(gcm(), wrong)
    assert outcome.verdict is AnswerVerdict.FAILED
    assert "wrong tag" in outcome.detail


def test_all_operations_of_a_cipher_are_asked():
    _, session = one(ctr())
    assert set(operations(session)) == {
        "encrypt",
        "decrypt",
        "encrypt-message",
        "decrypt-message",
        "encrypt-new-key",
    }
    assert operations(session)[0] == "encrypt"


def test_decryption_comes_first_where_the_vector_decrypts():
    vector = ctr()
    assert vector.expect_out is not None
    _, session = one(ctr(operation=OP.DECRYPT, data=vector.expect_out, expect_out=vector.data))
    assert operations(session)[0] == "decrypt"


def test_bulk_agrees_with_messages_only_without_associated_data():
    assert "encrypt" in operations(one(gcm())[1])
    assert "encrypt" not in operations(one(gcm(b"aad"))[1])


def test_bulk_of_ocb_is_asked_where_the_tag_is_of_usual_length():
    message = Vector(
        "1", "aes-128-ocb", OP.ENCRYPT_MESSAGE, KEY, NONCE, data=b"text", expect_out=b"TEXT"
    )
    whole, short = (
        replace(message, expect_tag=bytes(16)),
        replace(message, expect_tag=bytes(12), tag_bytes=12),
    )
    assert OP.ENCRYPT in {step.operation for step in steps(whole)}
    assert OP.ENCRYPT not in {step.operation for step in steps(short)}


def test_a_fault_in_one_operation_alone_is_found():
    for operation in (
        "encrypt",
        "decrypt",
        "encrypt-message",
        "decrypt-message",
        "encrypt-new-key",
    ):

        def fault(asked: Job, answer: ProbeAnswer, operation=operation) -> ProbeAnswer:
            return flipped(asked, answer) if asked.operation == operation else answer

        outcome, _ = one(ctr(), fault)
        assert outcome.verdict is AnswerVerdict.FAILED, operation
        assert outcome.detail.startswith(operation)


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        (ctr(scheme="aes-128-ofb"), "does not offer aes-128-ofb"),
        (ctr(key=bytes(24)), "a key of 24 B is not offered (16 B)"),
        (ctr(nonce=bytes(8)), "a nonce of 8 B is not offered (12 to 16 B)"),
        (gcm(expect_tag=bytes(4), tag_bytes=4), "a tag of 4 B is not offered (12 to 16 B)"),
        (ctr(not_applicable="of another world"), "of another world"),
        (Vector("k", "x25519", OP.SIGN, SEED), "without sign"),
    ],
)
def test_what_is_not_on_offer_is_not_asked(vector, reason):
    outcome, session = one(vector)
    assert outcome.verdict is AnswerVerdict.NOT_APPLICABLE
    assert reason in outcome.detail
    assert not session.jobs


def test_inputs_longer_than_the_probe_takes_are_not_asked():
    outcome, session = one(ctr(), max_data=8)
    assert outcome.verdict is AnswerVerdict.NOT_APPLICABLE
    assert "longer than the probe's limit (8 B)" in outcome.detail
    assert not session.jobs


def test_bulk_input_of_odd_length_is_left_out_where_blocks_are_needed():
    outcome, session = one(CBC_MESSAGE)
    assert outcome.verdict is AnswerVerdict.PASSED
    assert "encrypt" not in operations(session)


def failing(kind: FailureKind):
    def fault(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        raise ProbeFailure(kind, "told by the probe")

    return fault


@pytest.mark.parametrize("kind", [FailureKind.UNSUPPORTED, FailureKind.TOO_BIG])
def test_a_refusal_is_not_applicable(kind):
    for vector in (ctr(), signed(), forged()):
        outcome, _ = one(vector, failing(kind))
        assert (outcome.verdict, outcome.detail) == (
            AnswerVerdict.NOT_APPLICABLE,
            "told by the probe",
        )


def refusing(operation: str, public: bool = False):
    """A target that has no room for one operation."""

    class Refusing(FakeSession):
        def compute(
            self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
        ) -> ProbeAnswer:
            if (operation == "public") if public else (job.operation == operation):
                raise ProbeFailure(FailureKind.TOO_BIG, "no room")
            return super().compute(job, brief=brief, public=public, timeout=timeout)

    return Refusing()


@pytest.mark.parametrize(
    ("vector", "operation"),
    [
        (ctr(), "encrypt"),
        (ctr(), "decrypt"),
        (gcm(), "encrypt-message"),
        (gcm(), "decrypt-message"),
        (signed(), "verify"),
        (signed(), "public"),
        (replace(AGREE, public=public_of(AGREE.key)), "public"),
    ],
)
def test_what_is_refused_beside_right_answers_makes_a_vector_partly_checked(vector, operation):
    (outcome,) = outcomes = check(refusing(operation), vector.scheme, [vector])
    assert (outcome.verdict, outcome.detail, outcome.kind) == (
        AnswerVerdict.PARTLY,
        "no room",
        FailureKind.TOO_BIG,
    )
    summary = summarize("fake", outcomes)
    counts = summary.total
    assert (counts.passed, counts.partly, counts.failed, counts.not_applicable) == (0, 1, 0, 0)
    assert summary.reasons == {"no room": 1}


def test_a_wrong_answer_beside_a_refusal_is_a_failure():
    session = refusing("decrypt-message")
    session.fault = flipped
    (outcome,) = check(session, "aes-128-gcm", [gcm()])
    assert outcome.verdict is AnswerVerdict.FAILED


def test_a_random_signature_that_cannot_be_verified_proves_nothing():
    vector = signed(expect_out=None)
    (outcome,) = check(refusing("verify"), vector.scheme, [vector])
    assert (outcome.verdict, outcome.detail) == (AnswerVerdict.NOT_APPLICABLE, "no room")


@pytest.mark.parametrize(
    "kind", [FailureKind.ERROR, FailureKind.CRASH, FailureKind.TIMEOUT, FailureKind.LOST]
)
def test_a_failure_keeps_its_kind(kind):
    for vector in (ctr(), signed(), verified(), AGREE, DIGEST):
        outcome, _ = one(vector, failing(kind))
        assert (outcome.verdict, outcome.kind) == (AnswerVerdict.FAILED, kind)
        assert "told by the probe" in outcome.detail


def test_an_error_refuses_invalid_input_but_a_crash_does_not():
    bad = verified(tag=b"x", result=Validity.INVALID)
    assert one(bad, failing(FailureKind.ERROR))[0].verdict is AnswerVerdict.PASSED
    assert one(bad, failing(FailureKind.CRASH))[0].verdict is AnswerVerdict.FAILED


def test_acceptable_passes_either_way_and_is_counted():
    accepted = one(
        Vector(
            "z",
            "x25519",
            OP.AGREE,
            SEED,
            data=bytes(32),
            expect_out=SEED,
            result=Validity.ACCEPTABLE,
        )
    )[0]
    refused = one(
        gcm(result=Validity.ACCEPTABLE), lambda asked, answer: ProbeAnswer(rejected=True)
    )[0]
    wrong = one(gcm(result=Validity.ACCEPTABLE), flipped)[0]
    assert [each.verdict for each in (accepted, refused, wrong)] == [
        AnswerVerdict.PASSED,
        AnswerVerdict.PASSED,
        AnswerVerdict.FAILED,
    ]
    assert summarize("fake", [accepted, refused]).total.acceptable == 2


def test_a_truncated_mac_is_compared_as_far_as_it_goes():
    assert MAC.expect_out is not None
    short = replace(MAC, expect_out=MAC.expect_out[:16], tag_bytes=16)
    assert one(short)[0].verdict is AnswerVerdict.PASSED
    assert one(replace(short, expect_out=bytes(16)))[0].verdict is AnswerVerdict.FAILED


def test_a_mac_that_must_be_wrong_may_not_come_out():
    assert (
        one(replace(MAC, expect_out=bytes(32), result=Validity.INVALID))[0].verdict
        is AnswerVerdict.PASSED
    )
    assert one(replace(MAC, result=Validity.INVALID))[0].verdict is AnswerVerdict.FAILED


def test_a_digest_must_be_whole():
    assert DIGEST.expect_out is not None
    assert one(replace(DIGEST, expect_out=DIGEST.expect_out[:8]))[0].verdict is AnswerVerdict.FAILED


def test_random_signatures_are_proved_by_verifying():
    outcome, session = one(signed(expect_out=None, public=b""))
    assert outcome.verdict is AnswerVerdict.PASSED
    assert operations(session).count("verify") == 2


def test_a_wrong_public_key_fails():
    assert one(signed(public=bytes(32)))[0].verdict is AnswerVerdict.FAILED
    assert one(replace(AGREE, public=bytes(32)))[0].verdict is AnswerVerdict.FAILED
    assert one(replace(AGREE, public=public_of(SEED)))[0].verdict is AnswerVerdict.PASSED


def test_a_chain_repeats_on_its_own_output():
    twice, session = one(ctr(chain=2, expect_out=ctr().data))
    assert twice.verdict is AnswerVerdict.PASSED
    assert [asked.data for asked in session.jobs] == [ctr().data, ctr().expect_out]
    assert one(ctr(chain=2))[0].verdict is AnswerVerdict.FAILED


def test_long_answers_are_compared_by_their_check():
    def brief(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return replace(answer, out=None, tag=b"")

    def brief_and_wrong(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return replace(answer, out=None, tag=b"", crc=answer.crc ^ 1)

    for vector in (ctr(), DIGEST, gcm()):
        assert one(vector, brief)[0].verdict is AnswerVerdict.PASSED
        assert one(vector, brief_and_wrong)[0].verdict is AnswerVerdict.FAILED


def test_after_some_crashes_in_a_row_the_rest_is_not_asked():
    session = FakeSession(failing(FailureKind.CRASH))
    outcomes = check(session, "aes-128-ctr", [ctr(id=str(number)) for number in range(6)])
    verdicts = [each.verdict for each in outcomes]
    assert verdicts == [AnswerVerdict.FAILED] * GIVE_UP_AFTER + [AnswerVerdict.NOT_APPLICABLE] * (
        6 - GIVE_UP_AFTER
    )
    assert len(session.jobs) == GIVE_UP_AFTER


@pytest.mark.parametrize(
    ("device", "given", "limit"), [("", None, 20.0), ("atmega2560", None, 300.0), ("", 7.0, 7.0)]
)
def test_a_board_has_more_time_for_an_answer(device, given, limit):
    limits = []

    class Timed(FakeSession):
        def compute(self, job, *, brief=False, public=False, timeout=60.0):
            limits.append(timeout)
            return super().compute(job, brief=brief, public=public, timeout=timeout)

    session = Timed()
    session._hello = replace(session._hello, device=device)
    check(session, "sha256", [DIGEST], seconds=given)
    assert set(limits) == {limit}


def test_the_summary_counts_by_scheme_and_keeps_first_failures():
    outcomes = check(
        FakeSession(),
        "aes-128-ctr",
        [ctr(), ctr(id="2", expect_out=bytes(22)), ctr(id="3", key=b"")],
    )
    outcomes += check(FakeSession(), "sha256", [DIGEST])
    summary = summarize("fake", outcomes)
    counts = summary.schemes["aes-128-ctr"]
    assert (counts.passed, counts.failed, counts.not_applicable) == (1, 1, 1)
    assert summary.total.passed == 2
    assert summary.first_failures["aes-128-ctr"].vector.id == "2"
    assert summary.reasons == {"a key of 0 B is not offered (16 B)": 1}
