"""The computations that one known answer determines, and the reasons why some are not asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from verify_fakes import FakeSession, offer

from motebench.base.model import FailureKind, Operation
from motebench.catalog import schemes
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify.checking import (
    AnswerOutcome,
    AnswerVerdict,
    applicable_results,
    check,
    right_in_part,
    summarize,
    unanswered,
)
from motebench.measuring.verify.steps import (
    CheckStep,
    draws_to_sign,
    encapsulate_step,
    in_form_of,
    key_job,
    sign_step,
    steps,
    verify_step,
    why_not,
    why_not_step,
    wrong_length,
)
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer, ProbeFailure

OP = Operation
KEY, NONCE = b"k" * 16, b"n" * 12
INVALID, ACCEPTABLE = Validity.INVALID, Validity.ACCEPTABLE


def shown(vector: Vector) -> list[tuple[Any, ...]]:
    """Operation, output, second output and marks of each step."""
    marks = ("prefix", "rejected", "may_reject", "may_refuse")
    return [
        (step.operation.value, step.out, step.second, *filter(step.__getattribute__, marks))
        for step in steps(vector)
    ]


KEM = schemes()["ml-kem-512"].kem
assert KEM is not None
SEALED = Vector(
    *("k", "ml-kem-512", OP.DECAPSULATE, b"s" * KEM.private),
    ciphertext=b"c" * (KEM.ciphertext - 1) + b"\x80",
    secret=b"S" * 32,
)


def test_a_decapsulation_is_asked_with_its_ciphertext_and_with_a_changed_one() -> None:
    right, changed = steps(SEALED)
    assert (right.out, right.rejected, right.may_reject, right.may_refuse) == (
        SEALED.secret,
        False,
        False,
        False,
    )
    assert right.job.ciphertext == SEALED.ciphertext and right.unlike is None
    assert changed.job.ciphertext == SEALED.ciphertext[:-1] + b"\x81"
    assert (changed.out, changed.unlike, changed.rejected) == (None, SEALED.secret, False)
    # FIPS 203 answers a changed ciphertext with another secret, and never rejects it
    assert not changed.may_reject


def test_an_invalid_or_acceptable_decapsulation_is_asked_once() -> None:
    assert shown(replace(SEALED, result=INVALID)) == [
        ("decapsulate", SEALED.secret, b"", "rejected")
    ]
    short = replace(SEALED, result=INVALID, ciphertext=b"c", secret=b"")
    assert shown(short) == [("decapsulate", None, b"", "rejected", "may_refuse")]
    assert shown(replace(SEALED, result=ACCEPTABLE)) == [
        ("decapsulate", SEALED.secret, b"", "may_reject")
    ]


def test_an_encapsulation_is_compared_where_its_answer_is_known() -> None:
    vector = Vector("e", "ml-kem-512", OP.ENCAPSULATE, b"p" * KEM.public, seed=b"r" * 32)
    known = replace(vector, ciphertext=b"c", secret=b"S")
    (step,) = steps(known)
    assert (step.out, step.secret, step.second, step.job.seed) == (b"c", b"S", b"S", b"r" * 32)
    assert shown(vector) == [("encapsulate", None, b"")]
    assert shown(replace(vector, result=INVALID)) == [("encapsulate", None, b"", "rejected")]
    wrong = replace(vector, result=INVALID, key=b"p")
    assert shown(wrong) == [("encapsulate", None, b"", "rejected", "may_refuse")]
    assert shown(replace(wrong, result=ACCEPTABLE)) == [("encapsulate", None, b"", "may_reject")]


def test_a_new_key_has_its_public_key_beside_it_only_of_a_kem() -> None:
    made = Vector("g", "ml-kem-512", OP.KEYGEN, seed=b"s", expect_out=b"k", public=b"p")
    (of_kem,), (of_signature,) = steps(made), steps(replace(made, scheme="ml-dsa-44"))
    assert (of_kem.out, of_kem.public, of_kem.second, of_kem.job.seed) == (b"k", b"p", b"p", b"s")
    assert (of_signature.out, of_signature.public, of_signature.second) == (b"k", None, b"")


def test_an_agreement_is_rejected_or_may_be() -> None:
    vector = Vector("a", "x25519", OP.AGREE, b"k", data=b"peer", expect_out=b"S")
    (step,) = steps(vector)
    assert (step.job.key, step.job.peer) == (b"k", b"peer")
    assert shown(vector) == [("agree", b"S", b"")]
    assert shown(replace(vector, result=INVALID)) == [("agree", b"S", b"", "rejected")]
    assert shown(replace(vector, result=ACCEPTABLE)) == [("agree", b"S", b"", "may_reject")]


def test_a_digest_or_mac_is_one_step_and_none_without_an_answer() -> None:
    digest = Vector("d", "sha256", OP.DIGEST, data=b"x", expect_out=b"D")
    assert shown(digest) == [("digest", b"D", b"")]
    assert shown(replace(digest, scheme="shake128")) == [("digest", b"D", b"", "prefix")]
    assert shown(replace(digest, expect_out=None)) == []
    mac = Vector("m", "hmac-sha256", OP.MAC, KEY, NONCE, data=b"x", expect_out=b"M")
    (step,) = steps(mac)
    assert (step.job.key, step.job.nonce, step.job.data) == (KEY, NONCE, b"x")
    assert shown(mac) == [("mac", b"M", b"", "prefix")]
    assert shown(replace(mac, result=INVALID)) == [("mac", b"M", b"", "prefix", "rejected")]
    assert shown(replace(mac, result=ACCEPTABLE)) == [("mac", b"M", b"", "prefix", "may_reject")]


DSA = schemes()["ml-dsa-44"].signing
assert DSA is not None
CHECKED = Vector(
    *("v", "ml-dsa-44", OP.VERIFY, b"p" * DSA.public),
    data=b"x",
    tag=b"t" * DSA.signature,
    context=b"c",
)


def test_a_signature_of_the_right_length_may_not_be_refused() -> None:
    (step,) = steps(CHECKED)
    assert step.job.signature == CHECKED.tag and step.job.context == b"c"
    assert shown(CHECKED) == [("verify", b"", b"")]
    assert shown(replace(CHECKED, result=ACCEPTABLE)) == [("verify", b"", b"", "may_reject")]
    assert shown(replace(CHECKED, result=INVALID)) == [("verify", b"", b"", "rejected")]
    short = replace(CHECKED, tag=b"t")
    assert shown(short) == [("verify", b"", b"")]
    assert shown(replace(short, result=INVALID)) == [("verify", b"", b"", "rejected", "may_refuse")]


MESSAGE = Vector(
    *("c", "aes-128-gcm", OP.ENCRYPT_MESSAGE, KEY, NONCE, b"", b"plain"),
    expect_out=b"CIPHR",
    expect_tag=b"T" * 15 + b"\x10",
)


def test_a_message_is_asked_both_ways_with_a_new_key_forged_and_as_bulk_data() -> None:
    asked = list(steps(MESSAGE))
    assert [(step.operation.value, step.job.data, step.out) for step in asked] == [
        ("encrypt-message", b"plain", b"CIPHR"),
        ("decrypt-message", b"CIPHR", b"plain"),
        ("encrypt-new-key", b"plain", b"CIPHR"),
        ("decrypt-message", b"CIPHR", None),
        ("encrypt", b"plain", b"CIPHR"),
        ("decrypt", b"CIPHR", b"plain"),
    ]
    assert [step.tag for step in asked] == [
        MESSAGE.expect_tag,
        None,
        MESSAGE.expect_tag,
        None,
        None,
        None,
    ]
    assert [step.job.tag for step in asked[1:4:2]] == [
        MESSAGE.expect_tag,
        b"T" * 15 + b"\x11",
    ]
    assert [step.rejected for step in asked] == [False, False, False, True, False, False]
    lenient = [step.may_reject for step in steps(replace(MESSAGE, result=ACCEPTABLE))]
    assert lenient == [True, True, True, False, True, True]


def test_a_message_to_decrypt_is_asked_in_that_direction_first() -> None:
    vector = replace(
        MESSAGE,
        operation=OP.DECRYPT_MESSAGE,
        data=b"CIPHR",
        tag=b"T",
        expect_out=b"plain",
        expect_tag=None,
    )
    first, second, *_ = steps(vector)
    assert (first.operation, first.job.data, first.job.tag) == (OP.DECRYPT_MESSAGE, b"CIPHR", b"T")
    assert (second.operation, second.job.data, second.tag) == (OP.ENCRYPT_MESSAGE, b"plain", b"T")
    (only,) = steps(replace(vector, result=INVALID))
    assert only.rejected and only.job.tag == b"T" and only.out is None
    assert list(steps(replace(MESSAGE, result=INVALID))) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"aad": b"a"},
        {"data": b"", "expect_out": b""},
        {"scheme": "aes-128-ocb", "tag_bytes": 8},
    ],
)
def test_a_message_that_bulk_data_cannot_be_is_not_asked_as_such(changes) -> None:
    assert OP.ENCRYPT not in {step.operation for step in steps(replace(MESSAGE, **changes))}
    assert len(list(steps(replace(MESSAGE, scheme="aes-128-ocb")))) == 6
    assert len(list(steps(replace(MESSAGE, expect_tag=None)))) == 5


BULK = Vector("b", "aes-128-cbc", OP.ENCRYPT, KEY, NONCE, data=b"p" * 16, expect_out=b"C" * 16)


def test_bulk_data_is_asked_both_ways_and_as_messages() -> None:
    plain, secret = BULK.data, BULK.expect_out
    assert shown(BULK) == [
        ("encrypt", secret, b""),
        ("decrypt", plain, b""),
        ("encrypt-message", secret, b"", "prefix"),
        ("encrypt-new-key", secret, b"", "prefix"),
    ]
    assert shown(replace(BULK, scheme="aes-128-ctr")) == [
        ("encrypt", secret, b""),
        ("decrypt", plain, b""),
        ("encrypt-message", secret, b""),
        ("encrypt-new-key", secret, b""),
        ("decrypt-message", plain, b""),
    ]
    back = replace(BULK, operation=OP.DECRYPT, data=secret, expect_out=plain)
    assert [name for name, *_ in shown(back)] == [
        "decrypt",
        "encrypt",
        "encrypt-message",
        "encrypt-new-key",
    ]
    assert shown(replace(BULK, chain=2)) == [("encrypt", secret, b"")]
    assert shown(replace(back, chain=2)) == [("decrypt", plain, b"")]


def test_signatures_are_made_and_checked_by_these_steps() -> None:
    vector = Vector(
        *("s", "ml-dsa-44", OP.SIGN, b"k" * DSA.private), data=b"x", expect_out=b"S", context=b"c"
    )
    step = sign_step(vector)
    assert (step.out, step.job.context, step.rejected, step.may_refuse) == (
        b"S",
        b"c",
        False,
        False,
    )
    assert sign_step(replace(vector, result=INVALID)).rejected
    assert not sign_step(replace(vector, result=INVALID)).may_refuse
    assert sign_step(replace(vector, result=INVALID, key=b"k")).may_refuse
    assert not sign_step(replace(vector, key=b"k")).may_refuse
    right, forged = (verify_step(vector, b"p", b"S", forged=forged) for forged in (False, True))
    assert (right.job.data, right.rejected, right.out) == (b"x", False, b"")
    assert (forged.job.data, forged.rejected, forged.job.signature) == (b"x\x00", True, b"S")
    assert encapsulate_step(replace(SEALED, public=b"p")).job.key == b"p"


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, False),
        ({"context": b"c" * 255}, False),
        ({"context": b"c" * 256}, True),
        ({"key": b"p"}, True),
        ({"tag": b"t"}, True),
        ({"operation": OP.SIGN, "key": b"k" * DSA.private}, False),
        ({"operation": OP.SIGN, "key": b"k"}, True),
        ({"operation": OP.SIGN, "key": b""}, False),
        ({"scheme": "ed25519", "key": b"k"}, False),
        ({"scheme": "no-such", "key": b"k"}, False),
        ({"scheme": "sha256", "context": b"c" * 256}, False),
    ],
)
def test_lengths_that_the_standard_of_a_signature_does_not_have(changes, wrong) -> None:
    assert wrong_length(replace(CHECKED, **changes)) is wrong


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, False),
        ({"key": b"s"}, True),
        ({"ciphertext": b"c"}, True),
        ({"key": b"", "seed": b"s" * KEM.keygen_seed}, False),
        ({"key": b"", "seed": b"s" * KEM.private}, True),
        ({"operation": OP.ENCAPSULATE, "key": b"p" * KEM.public}, False),
        ({"operation": OP.ENCAPSULATE, "key": b"p" * KEM.private}, True),
    ],
)
def test_lengths_that_the_standard_of_a_kem_does_not_have(changes, wrong) -> None:
    assert wrong_length(replace(SEALED, **changes)) is wrong


def test_only_hedged_signatures_may_differ_each_time() -> None:
    assert draws_to_sign("ml-dsa-44")
    assert not draws_to_sign("ed25519")
    assert not draws_to_sign("sha256") and not draws_to_sign("no-such")


def test_the_key_of_a_seed_is_made_where_the_implementation_takes_seeds() -> None:
    able = Offer(
        "ml-kem-512", frozenset({"keygen"}), (0, 0), (0, 0), (0, 0), 1, stream=False, seeds=True
    )
    vector = replace(SEALED, key=b"", seed=b"s")
    assert key_job(vector, able) == Job("ml-kem-512", "keygen", seed=b"s")
    assert key_job(replace(vector, operation=OP.SIGN), able) is not None
    assert key_job(replace(vector, operation=OP.ENCAPSULATE), able) is None
    assert key_job(SEALED, able) is None
    assert key_job(replace(vector, seed=b""), able) is None
    assert key_job(vector, replace(able, seeds=False)) is None
    assert key_job(vector, replace(able, operations=frozenset({"decapsulate"}))) is None


def test_private_keys_are_in_the_form_of_the_implementation() -> None:
    whole = Offer(
        *("ml-kem-512", frozenset({"keygen"}), (0, 0), (0, 0), (0, 0), 1),
        stream=False,
        pair=(KEM.public, KEM.private),
        seeds=True,
    )
    small = replace(whole, pair=(KEM.public, KEM.keygen_seed))
    vector = replace(SEALED, seed=b"s" * KEM.keygen_seed, expect_out=b"k")
    assert in_form_of(vector, whole) == vector
    assert in_form_of(vector, small).key == vector.seed
    made = replace(vector, operation=OP.KEYGEN)
    assert in_form_of(made, small).expect_out == vector.seed
    assert in_form_of(made, small).key == vector.key
    assert in_form_of(made, whole) == made
    asked = replace(vector, operation=OP.ENCAPSULATE)
    assert in_form_of(asked, small) == asked
    assert in_form_of(replace(vector, seed=b""), small).key == vector.key
    unknown = replace(vector, scheme="no-such")
    assert in_form_of(unknown, small) == unknown


def test_an_invalid_encapsulation_has_a_seed_where_one_is_needed() -> None:
    taken = Offer(*("ml-kem-512", frozenset({"encapsulate"}), (0, 0), (0, 0), (0, 0), 1), False)
    vector = Vector("e", "ml-kem-512", OP.ENCAPSULATE, b"p", seed=b"r")
    assert in_form_of(vector, taken).seed == b""
    assert in_form_of(vector, replace(taken, needs_seed=True)).seed == bytes(KEM.encapsulate_seed)
    answered = replace(vector, ciphertext=b"c")
    assert in_form_of(answered, taken).seed == b"r"


HELLO = FakeSession(max_data=16).hello
GCM = offer("aes-128-gcm", key=(16, 32), nonce=(12, 12), tag=(12, 16))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"data": b"x" * 16}, ""),
        ({"data": b"x" * 17}, "an input of 17 B is longer than the probe's limit (16 B)"),
        ({"key": b"k" * 15}, "a key of 15 B is not offered (16 to 32 B)"),
        ({"key": b"k" * 33}, "a key of 33 B is not offered (16 to 32 B)"),
        ({"key": b"k" * 32}, ""),
        ({"nonce": b"n" * 11}, "a nonce of 11 B is not offered (12 B)"),
        ({"tag_bytes": 11}, "a tag of 11 B is not offered (12 to 16 B)"),
        ({"tag_bytes": 11, "expect_tag": None}, ""),
        ({"tag_bytes": 11, "expect_tag": None, "tag": b"t"}, "a tag of 11 B is not offered"),
        ({"tag_bytes": 11, "operation": OP.ENCRYPT}, ""),
        ({"not_applicable": "of another world", "key": b""}, "of another world"),
        ({"operation": OP.SIGN, "key": b""}, "the private key is known as a seed only"),
        ({"operation": OP.VERIFY, "key": b""}, ""),
    ],
)
def test_a_vector_is_not_asked_for_one_of_these_reasons(changes, reason) -> None:
    told = why_not(replace(MESSAGE, **changes), HELLO, GCM)
    assert told.startswith(reason) and bool(told) is bool(reason)


def test_a_private_key_of_a_kem_has_the_length_of_the_implementation() -> None:
    taken = Offer(
        *("ml-kem-512", frozenset({"decapsulate"}), (0, 0), (0, 0), (0, 0), 1),
        stream=False,
        pair=(KEM.public, KEM.private),
    )
    assert why_not(SEALED, HELLO, taken) == ""
    short = replace(SEALED, key=b"s" * 64)
    assert why_not(short, HELLO, taken) == (
        f"a private key of 64 B is not offered ({KEM.private} B)"
    )
    # To refuse it is to reject it
    assert why_not(replace(short, result=INVALID), HELLO, taken) == ""
    other = replace(taken, pair=(KEM.public, 64))
    assert why_not(replace(SEALED, result=INVALID), HELLO, other).startswith("a private key of")
    assert why_not(replace(short, operation=OP.ENCAPSULATE), HELLO, taken) == ""


def test_a_step_is_not_asked_for_one_of_these_reasons() -> None:
    bulk = offer("aes-128-cbc", block=16)
    step = CheckStep(Job("aes-128-cbc", "encrypt", data=b"x" * 16), OP.ENCRYPT)
    assert why_not_step(step, bulk) == ""
    assert why_not_step(replace(step, operation=OP.SIGN), bulk) == (
        "aes-128-cbc is offered without sign"
    )
    empty, odd = (replace(step, job=replace(step.job, data=data)) for data in (b"", b"x" * 17))
    assert why_not_step(empty, bulk) == "bulk operations have an input"
    assert why_not_step(odd, bulk) == "bulk input of 17 B is not a multiple of 16 B"
    assert why_not_step(replace(odd, operation=OP.ENCRYPT_MESSAGE), bulk) == ""
    seeded = replace(step, job=replace(step.job, seed=b"s"))
    assert why_not_step(seeded, bulk) == "encrypt takes no seed here"
    assert why_not_step(seeded, replace(bulk, seeds=True)) == ""


def digest(name: str, **changes: Any) -> Vector:
    return Vector(name, "sha256", OP.DIGEST, data=b"x", expect_out=b"D", **changes)


def test_vectors_of_a_probe_that_never_answered_fail_once() -> None:
    gone = ProbeFailure(FailureKind.CRASH, "it ended")
    outcomes = unanswered(
        [digest("0", not_applicable="never"), digest("1"), digest("2"), digest("3")], gone
    )
    assert [(outcome.verdict.value, outcome.detail, outcome.kind) for outcome in outcomes] == [
        ("not-applicable", "never", None),
        ("failed", "it ended", FailureKind.CRASH),
        ("not-applicable", "not run: the probe did not start", None),
        ("not-applicable", "not run: the probe did not start", None),
    ]


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (FailureKind.BUILD, "not run: nothing could be built"),
        (FailureKind.TIMEOUT, "not run: the probe did not start"),
    ],
)
def test_where_nothing_runs_the_cause_is_said(kind, cause) -> None:
    class Unbuilt(FakeSession):
        def hello_of(self, scheme: str) -> Any:
            raise ProbeFailure(kind, "no")

    outcomes = check(Unbuilt(), "sha256", [digest("0"), digest("1"), digest("2")])
    assert [outcome.detail for outcome in outcomes] == ["no", cause, cause]
    assert [outcome.kind for outcome in outcomes] == [kind, None, None]
    # A vector of another scheme is none of its business
    other = check(Unbuilt(), "sha256", [replace(digest("0"), scheme="sha1")])
    assert other[0].detail == "the implementation does not offer sha1"


def test_a_failure_to_start_that_may_pass_is_met_again_by_each_vector() -> None:
    class Dying(FakeSession):
        def hello_of(self, scheme: str) -> Any:
            raise ProbeFailure(FailureKind.CRASH, "no")

    outcomes = check(Dying(), "sha256", [digest("0"), digest("1")], give_up_after=5)
    assert [outcome.verdict for outcome in outcomes] == [AnswerVerdict.FAILED] * 2


def test_what_must_stand_before_timing_is_a_valid_answer() -> None:
    valid, invalid = digest("0"), digest("1", result=INVALID)
    passed = AnswerOutcome(valid, AnswerVerdict.PASSED)
    rejected = AnswerOutcome(invalid, AnswerVerdict.PASSED)
    partly = AnswerOutcome(valid, AnswerVerdict.PARTLY, "no room")
    failed = AnswerOutcome(valid, AnswerVerdict.FAILED, "wrong")
    assert applicable_results([rejected, passed, failed, partly, failed]) == (1, failed)
    assert applicable_results([rejected]) == (0, None)
    assert right_in_part([passed, partly]) and not right_in_part([passed, failed])
    assert not right_in_part([AnswerOutcome(invalid, AnswerVerdict.PARTLY)])


def test_sums_are_over_all_schemes() -> None:
    other = replace(digest("2"), scheme="sha512", result=ACCEPTABLE)
    outcomes = [
        AnswerOutcome(vector, verdict, "why")
        for vector in (digest("0"), other)
        for verdict in AnswerVerdict
        for _ in range(2)
    ]
    summary = summarize("x", outcomes)
    for counts, times in ((summary.schemes["sha256"], 1), (summary.total, 2)):
        assert (counts.passed, counts.partly, counts.failed, counts.not_applicable) == (
            *(2 * times, 2 * times),
            *(2 * times, 2 * times),
        )
    assert (summary.schemes["sha256"].acceptable, summary.total.acceptable) == (0, 2)
    assert summary.reasons == {"why": 8}
    assert len(summary.failures) == 4 and list(summary.first_failures) == ["sha256", "sha512"]


def test_long_outputs_are_shown_in_part() -> None:
    for size, shown_as in ((64, "00" * 64), (65, f"{'00' * 64}... (65 B)")):
        vector = Vector(
            *("l", "aes-128-ctr", OP.ENCRYPT, KEY, NONCE), data=bytes(size), expect_out=bytes(size)
        )
        (outcome,) = check(FakeSession(), "aes-128-ctr", [vector])
        assert outcome.expected == shown_as
        assert outcome.got != shown_as


def test_an_answer_too_long_for_a_frame_is_shown_by_its_length_and_check() -> None:
    def brief(asked: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return replace(answer, out=None, crc=0x1F)

    (outcome,) = check(FakeSession(brief), "sha256", [digest("0")])
    assert outcome.got == "32 B with CRC-32 0000001f"
    assert outcome.expected == "44"
