"""Known answers of ML-KEM and ML-DSA on implementations of several kinds: by key, by seed, hedged,
without seeds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from motebench.base.model import FailureKind
from motebench.catalog import schemes
from motebench.catalog.vectors import vectors_for
from motebench.measuring.verify.checking import AnswerVerdict, check
from motebench.measuring.verify.steps import in_form_of, wrong_length
from motebench.measuring.work.jobs import by_seed
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer, ProbeFailure
from tests.support.verify_fakes import FakeSession

KEM, DSA = "ml-kem-512", "ml-dsa-44"
VECTORS = {scheme: {vector.id: vector for vector in vectors_for(scheme)} for scheme in (KEM, DSA)}


def dsa_offer(private: int = 2560, seeds: bool = True) -> Offer:
    return Offer(
        DSA,
        frozenset({"keygen", "sign", "verify"}),
        (min(private, 1312), max(private, 1312)),
        (0, 255),
        (2420, 2420),
        1,
        False,
        seeds=seeds,
    )


def kem_offer(private: int = 1632, seeds: bool = True) -> Offer:
    return Offer(
        KEM,
        frozenset({"keygen", "encapsulate", "decapsulate"}),
        (800, 1632),
        (0, 0),
        (0, 0),
        1,
        False,
        pair=(800, private),
        outputs=(768, 32),
        seeds=seeds,
    )


class Signer(FakeSession):
    """ML-DSA-44 that knows the answers of the catalog; ``drawn`` bytes are added to each
    signature.
    """

    def __init__(self, offer: Offer, *, hedged: bool = False, wrong: bool = False) -> None:
        super().__init__()
        self.offer, self.hedged, self.wrong, self.count = offer, hedged, wrong, 0

    def offers(self) -> dict[str, Offer]:
        return {DSA: self.offer}

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        made = VECTORS[DSA]["count 0 keygen"]
        if public:
            return self._answer(made.public)
        if job.operation == "keygen":
            return self._answer(made.expect_out or b"")
        if job.operation == "sign":
            out = next(
                v.expect_out or b""
                for v in VECTORS[DSA].values()
                if v.expect_out and v.data == job.data
            )
            self.count += self.hedged
            return self._answer(
                out[:-1] + bytes((self.count,)) if self.hedged or self.wrong else out
            )
        if len(job.signature) != 2420:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "signature length")
        good = any(
            v.tag == job.signature
            and v.data == job.data
            and v.context == job.context
            and v.result == "valid"
            for v in VECTORS[DSA].values()
        )
        made_here = self.hedged and not (isinstance(job.data, bytes) and job.data.endswith(b"\0"))
        return ProbeAnswer(
            not (
                good
                or (
                    made_here and job.signature[-1] != 0xFF and job.signature[:99] in self._firsts()
                )
            )
        )

    @staticmethod
    def _firsts() -> set[bytes]:
        return {(v.expect_out or b"")[:99] for v in VECTORS[DSA].values() if v.expect_out}


def signing(session: Signer) -> tuple[AnswerVerdict, str]:
    outcome = check(session, DSA, [VECTORS[DSA]["count 0 sign"]])[0]
    return outcome.verdict, outcome.detail


def test_a_deterministic_signature_is_compared():
    assert signing(Signer(dsa_offer()))[0] is AnswerVerdict.PASSED


def test_a_signature_that_differs_each_time_is_verified_instead():
    assert signing(Signer(dsa_offer(), hedged=True))[0] is AnswerVerdict.PASSED


def test_a_wrong_signature_that_is_always_the_same_fails():
    assert signing(Signer(dsa_offer(), wrong=True)) == (AnswerVerdict.FAILED, "sign: wrong output")


def test_a_refusal_of_a_wrong_length_is_a_rejection():
    vector = VECTORS[DSA]["short signature"]
    assert wrong_length(vector) and not wrong_length(VECTORS[DSA]["changed challenge"])
    assert check(Signer(dsa_offer()), DSA, [vector])[0].verdict is AnswerVerdict.PASSED


def test_keys_from_seeds_are_compared_with_their_public_keys():
    session = Signer(dsa_offer())
    vector = VECTORS[DSA]["count 0 keygen"]
    assert check(session, DSA, [vector])[0].verdict is AnswerVerdict.PASSED
    other = replace(vector, public=bytes(1312))
    assert check(session, DSA, [other])[0].detail == "public key: wrong output"


def test_private_keys_in_the_form_of_the_implementation():
    sign = VECTORS[DSA]["count 0 sign"]
    scheme = schemes()[DSA]
    assert by_seed(scheme, dsa_offer(32)) and not by_seed(scheme, dsa_offer())
    assert (
        in_form_of(sign, dsa_offer(32)).key == sign.seed
        and in_form_of(sign, dsa_offer()).key == sign.key
    )
    back = VECTORS[KEM]["count 0 decapsulate"]
    assert (
        in_form_of(back, kem_offer(64)).key == back.seed
        and in_form_of(back, kem_offer()).key == back.key
    )


def test_a_vector_with_a_seed_only_gets_its_key_from_the_implementation():
    vector = replace(VECTORS[DSA]["count 0 sign"], key=b"")
    assert check(Signer(dsa_offer()), DSA, [vector])[0].verdict is AnswerVerdict.PASSED
    outcome = check(Signer(dsa_offer(seeds=False)), DSA, [vector])[0]
    assert outcome.verdict is AnswerVerdict.NOT_APPLICABLE and "seed only" in outcome.detail


def test_an_invalid_key_is_asked_with_the_seed_that_the_implementation_takes():
    vector = VECTORS[KEM]["modulus"]
    assert in_form_of(vector, kem_offer(seeds=False)).seed == b""
    assert in_form_of(vector, replace(kem_offer(), needs_seed=True)).seed == bytes(32)


@pytest.mark.parametrize("name", ["short public key", "short ciphertext"])
def test_lengths_of_a_kem(name):
    assert wrong_length(VECTORS[KEM][name]) and not wrong_length(
        VECTORS[KEM]["count 0 encapsulate"]
    )
