"""Key encapsulation from known answers to the proof of what is timed;
docs/reference/probe-protocol.md, docs/reference/vectors.md."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Case, FailureKind, Kind, Operation
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.lookup import derive_schemes, read_algorithms
from motebench.catalog.vectors import load
from motebench.catalog.vectors.model import Validity, Vector
from motebench.measuring.verify import check
from motebench.measuring.verify.checking import AnswerOutcome, AnswerVerdict
from motebench.measuring.work import jobs, proof
from motebench.measuring.work import jobs as runner_keys
from motebench.targets.board.board import on_board
from motebench.targets.wire.messages import (
    Clock,
    Hello,
    Job,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

NAME = "ml-kem-512"
SCHEME = schemes()[NAME]
OF = SCHEME.kem
assert OF is not None
OPERATIONS = frozenset({"keygen", "encapsulate", "decapsulate"})


def stretched(length: int, *parts: bytes) -> bytes:
    return hashlib.shake_128(b"|".join(parts)).digest(length)


def pair_of(seed: bytes) -> tuple[bytes, bytes]:
    public = stretched(OF.public, b"public", seed)
    return seed + stretched(OF.private - len(seed) - len(public), seed) + public, public


def sealed(public: bytes, seed: bytes) -> tuple[bytes, bytes]:
    masked = bytes(a ^ b for a, b in zip(seed, public, strict=False))
    rest = stretched(OF.ciphertext - len(masked), b"check", seed, public)
    return masked + rest, stretched(OF.secret, b"secret", seed, public)


def opened(private: bytes, ciphertext: bytes) -> bytes:
    public = private[-OF.public :]
    seed = bytes(a ^ b for a, b in zip(ciphertext[: OF.encapsulate_seed], public, strict=False))
    again, secret = sealed(public, seed)
    return secret if again == ciphertext else stretched(OF.secret, private, ciphertext)


class Toy:
    """A toy KEM with the sizes of ML-KEM-512. ``fault`` gets the job and the right answer, and
    gives what is sent.
    """

    def __init__(
        self, fault: Callable[[Job, ProbeAnswer], ProbeAnswer] | None = None, *, seeds: bool = True
    ) -> None:
        self.fault, self.seeds, self.needs_seed = fault, seeds, False
        self.jobs: list[Job] = []
        self._drawn = 0
        clock = Clock("fake", 10**9, 1, 0.0)
        self.hello = Hello(
            "toy 1", "toy", "1", "", "", "toy", clock, None, None, 9999, 9999, frozenset()
        )

    def hello_of(self, scheme: str) -> Hello:
        return self.hello

    def offers(self) -> dict[str, Offer]:
        sizes = {"pair": (OF.public, OF.private), "outputs": (OF.ciphertext, OF.secret)}
        key = (OF.public, OF.private)
        more = {"seeds": self.seeds, "needs_seed": self.needs_seed}
        return {NAME: Offer(NAME, OPERATIONS, key, (0, 0), (0, 0), 1, False, **sizes, **more)}

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        self.jobs.append(job)
        if job.seed and not self.seeds:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "seed")
        if public:
            answer = _answer(job.key[-OF.public :])
        elif job.operation == "keygen":
            private, its = pair_of(self._seed(job, OF.keygen_seed))
            answer = replace(_answer(private, its), public=its)
        elif job.operation == "encapsulate":
            ciphertext, secret = sealed(job.key, self._seed(job, OF.encapsulate_seed))
            answer = replace(_answer(ciphertext, secret), secret=secret)
        else:
            answer = _answer(opened(job.key, job.ciphertext))
        answer = self.fault(job, answer) if self.fault is not None and not public else answer
        return replace(answer, out=None) if brief else answer

    def _seed(self, job: Job, length: int) -> bytes:
        self._drawn += 1
        return job.seed or stretched(length, b"drawn %d" % self._drawn)


def _answer(out: bytes, second: bytes = b"") -> ProbeAnswer:
    return ProbeAnswer(False, out, length=len(out), crc=zlib.crc32(out + second))


SEED = stretched(64, b"seed")
PRIVATE, PUBLIC = pair_of(SEED)
DRAWN = stretched(32, b"drawn")
CIPHERTEXT, SECRET = sealed(PUBLIC, DRAWN)
KEYGEN = Vector("k", NAME, Operation.KEYGEN, seed=SEED, expect_out=PRIVATE, public=PUBLIC)
ENCAPSULATE = Vector(
    "e", NAME, Operation.ENCAPSULATE, PUBLIC, seed=DRAWN, ciphertext=CIPHERTEXT, secret=SECRET
)
DECAPSULATE = Vector(
    "d", NAME, Operation.DECAPSULATE, PRIVATE, ciphertext=CIPHERTEXT, secret=SECRET, public=PUBLIC
)
ALL = [KEYGEN, ENCAPSULATE, DECAPSULATE]


def one(vector: Vector, toy: Toy) -> AnswerOutcome:
    (outcome,) = check(toy, NAME, [vector])
    return outcome


def test_right_answers_pass():
    toy = Toy()
    assert [outcome.verdict for outcome in check(toy, NAME, ALL)] == [AnswerVerdict.PASSED] * 3
    assert {job.seed for job in toy.jobs if job.operation == "encapsulate"} == {DRAWN, b""}
    # None, given, changed, drawn
    assert len({job.ciphertext for job in toy.jobs if job.operation == "decapsulate"}) == 4


def changed(**what: bytes) -> Callable[[Job, ProbeAnswer], ProbeAnswer]:
    """A fault: flips the last bit of an output of jobs of that operation."""

    def fault(job: Job, answer: ProbeAnswer) -> ProbeAnswer:
        for name, operation in what.items():
            if job.operation == operation.decode():
                value = getattr(answer, name)
                return replace(answer, **{name: value[:-1] + bytes((value[-1] ^ 1,))})
        return answer

    return fault


@pytest.mark.parametrize(
    ("vector", "fault", "words"),
    [
        (KEYGEN, changed(out=b"keygen"), "wrong output"),
        (KEYGEN, changed(public=b"keygen"), "wrong public key"),
        (ENCAPSULATE, changed(out=b"encapsulate"), "wrong output"),
        (ENCAPSULATE, changed(secret=b"encapsulate"), "wrong secret"),
        (DECAPSULATE, changed(out=b"decapsulate"), "wrong output"),
    ],
)
def test_a_wrong_output_is_found(vector, fault, words):
    outcome = one(vector, Toy(fault))
    assert (outcome.verdict, outcome.kind) == (AnswerVerdict.FAILED, FailureKind.WRONG_ANSWER)
    assert words in outcome.detail


def test_a_changed_ciphertext_must_give_another_secret():
    def unchecked(job: Job, answer: ProbeAnswer) -> ProbeAnswer:
        return replace(answer, out=SECRET) if job.ciphertext[:-1] == CIPHERTEXT[:-1] else answer

    outcome = one(DECAPSULATE, Toy(unchecked))
    assert (
        outcome.verdict is AnswerVerdict.FAILED
        and "a changed ciphertext gives the wrong secret" in outcome.detail
    )
    short = one(
        DECAPSULATE,
        Toy(
            lambda job, answer: (
                replace(answer, out=b"x", length=1)
                if job.ciphertext not in (b"", CIPHERTEXT)
                else answer
            )
        ),
    )
    assert short.verdict is AnswerVerdict.FAILED and "another secret of 32 B" in short.expected


def test_a_changed_ciphertext_must_not_be_rejected_where_rejection_is_implicit(monkeypatch):
    def rejecting(job: Job, answer: ProbeAnswer) -> ProbeAnswer:
        given = job.operation == "decapsulate" and job.ciphertext[:-1] == CIPHERTEXT[:-1]
        return ProbeAnswer(rejected=True) if given and job.ciphertext != CIPHERTEXT else answer

    outcome = one(DECAPSULATE, Toy(rejecting))
    assert outcome.verdict is AnswerVerdict.FAILED and "a good input was rejected" in outcome.detail
    monkeypatch.setattr("motebench.measuring.verify.steps.rejects_implicitly", lambda scheme: False)
    assert one(DECAPSULATE, Toy(rejecting)).verdict is AnswerVerdict.PASSED


def test_an_invalid_key_must_be_rejected():
    bad = replace(ENCAPSULATE, seed=b"", ciphertext=b"", secret=b"", result=Validity.INVALID)
    assert one(bad, Toy()).verdict is AnswerVerdict.FAILED
    assert (
        one(bad, Toy(lambda job, answer: ProbeAnswer(rejected=True))).verdict
        is AnswerVerdict.PASSED
    )


def test_without_seeds_both_ways_must_agree():
    toy = Toy(seeds=False)
    kept = check(toy, NAME, ALL)
    assert [outcome.verdict for outcome in kept] == [
        AnswerVerdict.NOT_APPLICABLE,
        AnswerVerdict.NOT_APPLICABLE,
        AnswerVerdict.PASSED,
    ]
    assert "takes no seed" in kept[0].detail
    assert "encapsulate" in [job.operation for job in toy.jobs]
    outcome = one(DECAPSULATE, Toy(changed(secret=b"encapsulate"), seeds=False))
    assert outcome.verdict is AnswerVerdict.FAILED and outcome.detail == "decapsulate: wrong output"


def case(operation: Operation) -> Case:
    return Case(NAME, "toy", operation, 0, "host", "toy")


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    """The catalog has no test key of a KEM yet."""
    monkeypatch.setattr(jobs, "public_key", lambda scheme, offer: PUBLIC)
    monkeypatch.setattr(runner_keys, "test_key", lambda scheme: PRIVATE)


def expected(operation: Operation, toy: Toy) -> tuple[Job, int | None]:
    job = jobs.build(case(operation), SCHEME, toy.offers()[NAME], toy)
    return job, proof.expected_crc(case(operation), job, toy, proof.Consensus(), 60)


def test_the_implementation_draws_what_it_needs():
    for operation in (Operation.KEYGEN, Operation.ENCAPSULATE):
        job, crc = expected(operation, Toy())
        assert (job.seed, crc) == (b"", None)


def test_what_cannot_be_drawn_comes_as_a_seed_and_has_one_right_answer():
    toy = Toy()
    toy.needs_seed = True
    job, crc = expected(Operation.ENCAPSULATE, toy)
    assert len(job.seed) == 32 and crc == zlib.crc32(b"".join(sealed(PUBLIC, job.seed)))
    job, crc = expected(Operation.KEYGEN, toy)
    assert len(job.seed) == 64 and crc == zlib.crc32(b"".join(pair_of(job.seed)))


@pytest.mark.parametrize("seeds", [True, False])
def test_what_is_decapsulated_is_known_from_the_encapsulation(seeds):
    job, crc = expected(Operation.DECAPSULATE, Toy(seeds=seeds))
    assert job.key == PRIVATE and crc == zlib.crc32(opened(PRIVATE, job.ciphertext)) == zlib.crc32(
        job.answer
    )
    assert job.fields().keys() == {"scheme", "op", "key", "ciphertext"}


def timing(operation: Operation, toy: Toy) -> Timing:
    answer = toy.compute(Job(NAME, operation.value, key=PUBLIC))
    return Timing(
        (1,),
        None,
        None,
        answer.crc,
        answer.length,
        answer.out,
        secret=answer.secret,
        public=answer.public,
    )


@pytest.mark.parametrize("operation", [Operation.KEYGEN, Operation.ENCAPSULATE])
def test_a_random_result_is_proved_by_the_way_back(operation):
    toy = Toy()
    proof.check_random(
        case(operation), SCHEME, Job(NAME, operation.value), timing(operation, toy), toy
    )


@pytest.mark.parametrize(
    ("operation", "change", "words"),
    [
        (Operation.ENCAPSULATE, {"secret": bytes(32)}, "decapsulates to another secret"),
        (Operation.ENCAPSULATE, {"out": bytes(768)}, "decapsulates to another secret"),
        (Operation.ENCAPSULATE, {"out": bytes(767)}, "ciphertext has 767 B, not 768 B"),
        (Operation.ENCAPSULATE, {"secret": b""}, "secret has 0 B, not 32 B"),
        (Operation.ENCAPSULATE, {"out": None}, "gave no output"),
        (Operation.KEYGEN, {"out": bytes(1632)}, "not the one that is decapsulated"),
        (Operation.KEYGEN, {"public": bytes(800)}, "not the one that is decapsulated"),
        (Operation.KEYGEN, {"out": bytes(64)}, "private key has 64 B, not 1632 B"),
        (Operation.KEYGEN, {"public": b""}, "public key has 0 B, not 800 B"),
    ],
)
def test_a_wrong_random_result_is_no_number(operation, change, words):
    toy = Toy()
    wrong = replace(timing(operation, toy), **change)
    with pytest.raises(ProbeFailure, match=words) as caught:
        proof.check_random(case(operation), SCHEME, Job(NAME, operation.value), wrong, toy)
    assert caught.value.kind is FailureKind.WRONG_ANSWER


def test_a_ciphertext_of_the_wrong_size_is_not_decapsulated():
    toy = Toy(lambda job, answer: replace(answer, out=(answer.out or b"")[:-1]))
    with pytest.raises(ProbeFailure, match="ciphertext has 767 B, not 768 B"):
        expected(Operation.DECAPSULATE, toy)


def test_known_answers_of_a_kem_in_our_own_format(tmp_path):
    entry = {
        "id": "d",
        "op": "decapsulate",
        "key": "00",
        "ciphertext": "0102",
        "secret": "03",
        "public": "04",
    }
    bad = {"id": "e", "op": "encapsulate", "key": "05", "result": "invalid"}
    path = tmp_path / "own.json"
    path.write_text(
        json.dumps({"format": "motebench-vectors-1", "scheme": NAME, "vectors": [entry, bad]})
    )
    good, invalid = load(path)
    assert (good.key, good.ciphertext, good.secret, good.public) == (b"\0", b"\1\2", b"\3", b"\4")
    assert (invalid.result, invalid.secret) == (Validity.INVALID, b"")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('kind = "kem"', 'kind = "agreement"'), "belongs to algorithms of kind kem"),
        (("512 = 800, ", ""), "encapsulation.public says 0 sizes of ml-kem-512"),
        (("secret = 32", "secret = 0"), "greater than 0"),
    ],
)
def test_a_kem_of_the_catalog_must_say_its_sizes(tmp_path, change, words):
    text = (catalog_dir() / "algorithms" / "ml-kem.toml").read_text(encoding="utf-8")
    (tmp_path / "ml-kem.toml").write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(InputError, match=words):
        derive_schemes(read_algorithms(tmp_path))


def test_sizes_of_kems():
    found = {name: scheme.kem for name, scheme in schemes().items() if scheme.kind is Kind.KEM}
    sizes = {
        name: (kem.public, kem.private, kem.ciphertext, kem.secret)
        for name, kem in found.items()
        if kem
    }
    assert sizes == {  # FIPS 203, table 3
        "ml-kem-512": (800, 1632, 768, 32),
        "ml-kem-768": (1184, 2400, 1088, 32),
        "ml-kem-1024": (1568, 3168, 1568, 32),
        # The drafts of the hybrids; HQC's specification of August 2025.
        "x25519mlkem768": (1184 + 32, 2400 + 32, 1088 + 32, 64),
        "x-wing": (1184 + 32, 32, 1088 + 32, 32),
        "hqc-1": (2241, 32, 4433, 32),
        "hqc-3": (4514, 32, 8978, 32),
        "hqc-5": (7237, 32, 14421, 32),
    }


def test_a_board_draws_nothing_and_works_from_seeds():
    (offer,) = Toy().offers().values()
    seeded = on_board(offer)
    assert (seeded.operations, seeded.needs_seed) == (OPERATIONS, True)
    (drawing,) = Toy(seeds=False).offers().values()
    assert on_board(drawing).operations == {"decapsulate"}


def test_an_implementation_whose_private_keys_are_seeds_gets_the_seed_of_the_test_key(monkeypatch):
    toy = Toy()
    offer = replace(toy.offers()[NAME], pair=(OF.public, OF.keygen_seed))
    monkeypatch.setattr(runner_keys, "key_seed", lambda scheme: SEED)
    assert jobs.build(case(Operation.DECAPSULATE), SCHEME, offer, toy).key == SEED
    monkeypatch.setattr(runner_keys, "key_seed", lambda scheme: b"")
    with pytest.raises(ProbeFailure, match="has no seed") as caught:
        jobs.build(case(Operation.DECAPSULATE), SCHEME, offer, toy)
    assert caught.value.kind is FailureKind.UNSUPPORTED


def test_a_library_may_take_seeds_for_keys_only():
    def keys_only(job: Job, answer: ProbeAnswer) -> ProbeAnswer:
        if job.operation == "encapsulate" and job.seed:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "no seed")
        return answer

    toy = Toy(keys_only)
    assert [outcome.verdict for outcome in check(toy, NAME, ALL)] == [
        AnswerVerdict.PASSED,
        AnswerVerdict.NOT_APPLICABLE,
        AnswerVerdict.PASSED,
    ]
    job, crc = expected(Operation.DECAPSULATE, toy)
    assert crc == zlib.crc32(opened(PRIVATE, job.ciphertext))
