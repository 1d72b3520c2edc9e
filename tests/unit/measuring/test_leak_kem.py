"""Leaks of key encapsulation and signatures: made-up probes, some with a branch on a secret."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

import pytest

from motebench.base.model import FailureKind, Operation
from motebench.catalog import schemes
from motebench.catalog.vectors.keys import key_seed, public_key
from motebench.catalog.vectors.keys import test_key as key_of
from motebench.measuring.leak.checking import (
    LeakFinding,
    LeakQuestion,
    LeftOut,
    cases_of,
    examine,
    findings_of,
    secrets,
    usual_operations,
    usual_schemes,
)
from motebench.measuring.leak.inputs import POOL, SEED, Varied, anew, pair
from motebench.measuring.leak.statistical import suspect
from motebench.targets.wire.messages import (
    Clock,
    Hello,
    Job,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

CLOCK = Clock("made up", 1_000_000_000, 1, 7.0)
HELLO = Hello(
    "probe", "toy", "1", "cc", "-O2", "none", CLOCK, CLOCK, None, 1 << 16, 1 << 16, frozenset()
)
KEM = schemes()["ml-kem-512"]
OFFER = Offer(
    KEM.name,
    frozenset({"keygen", "encapsulate", "decapsulate"}),
    (800, 1632),
    (0, 0),
    (0, 0),
    1,
    False,
    pair=(800, 1632),
    outputs=(768, 32),
    seeds=True,
)


class Probe:
    """Fake probe that takes as long as ``cost`` says. Its ciphertexts are hashes of coins and
    public key; good ones are known.
    """

    def __init__(self, cost, *, seeds=True):
        self.cost, self.seeds = cost, seeds
        self.good = set()

    def hello_of(self, scheme):
        return HELLO

    def compute(self, job, *, timeout):
        if job.operation == "keygen":
            return ProbeAnswer(False, random.Random(len(self.good)).randbytes(64))
        if job.seed and not self.seeds:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "takes no seed")
        ciphertext = hashlib.shake_128(job.key + (job.seed or b"drawn")).digest(768)
        self.good.add(ciphertext)
        return ProbeAnswer(False, ciphertext, secret=bytes(32))

    def measure(self, job, *, batch, count, warm, timeout):
        taken = round(CLOCK.overhead + self.cost(self, job))
        return Timing(ticks=(taken,), counts=(taken,), cpu=None, crc=0, length=0, out=None)


def found_of(probe, operation="decapsulate", *, scheme=KEM, offer=OFFER, job=None, exact=True):
    if job is None and operation == "decapsulate":
        made = probe.compute(
            Job(scheme.name, "encapsulate", key=public_key(scheme.name)), timeout=1
        )
        job = Job(
            scheme.name, operation, key=key_of(scheme.name), ciphertext=made.out, answer=made.secret
        )
    job = job or Job(scheme.name, operation, key=public_key(scheme.name))
    found, left = secrets(probe, scheme, offer, job, seed=1, timeout=1, exact=exact)
    return {item.varied: item for item in found}, {item.varied: item.reason for item in left}


def counted(probe, item):
    return examine(probe, item, samples=30, seed=1, timeout=1)


def constant(probe, job):
    return 900


# Keys of one matrix


@pytest.mark.parametrize("name", ["ml-kem-512", "ml-kem-768", "ml-kem-1024"])
def test_keys_are_those_of_the_standard(name):
    scheme, seed = schemes()[name], key_seed(name)
    rank = {512: 2, 768: 3, 1024: 4}[scheme.bits]
    matrix_and_noise = hashlib.sha3_512(
        seed[:32] + bytes((rank,))
    ).digest()  # FIPS 203, algorithm 13
    made = pair(scheme, matrix_and_noise[:32], matrix_and_noise[32:], seed[32:])
    assert made == (key_of(name), public_key(name))


def test_a_key_with_a_secret_of_zeros_is_a_key():
    private, public = pair(KEM, bytes(SEED), b"n" * SEED, b"z" * SEED, zero=True)
    assert (
        private[:768] == bytes(768)
        and private[768:1568] == public
        and public[-SEED:] == bytes(SEED)
    )
    assert private[-SEED:] == b"z" * SEED and any(public[:768])


# What is varied


def test_what_is_varied_of_a_decapsulation():
    probe = Probe(constant)
    found, left = found_of(probe)
    assert list(found) == [Varied.CIPHERTEXT, Varied.CHANGED, Varied.KEY_CIPHERTEXT] and not left
    source = random.Random(3)
    jobs = {varied: [item.draw(source) for _ in range(20)] for varied, item in found.items()}
    assert {job.key for job in jobs[Varied.CIPHERTEXT]} == {key_of(KEM.name)}
    assert all(
        job.ciphertext in probe.good
        for job in jobs[Varied.CIPHERTEXT] + jobs[Varied.KEY_CIPHERTEXT]
    )
    assert not any(job.ciphertext in probe.good or job.answer for job in jobs[Varied.CHANGED])
    # Other keys, one public matrix: the public key is in the private one.
    keys = {job.key for job in jobs[Varied.KEY_CIPHERTEXT]}
    assert len(keys) == 20 and {key[768 + 768 : 1568] for key in keys} == {
        public_key(KEM.name)[-32:]
    }
    special = {one.name: one.job.ciphertext in probe.good for one in found[Varied.CHANGED].specials}
    assert sum(special.values()) == 2 and special["good"] and len(special) == 8


def test_noisy_readings_have_inputs_that_are_made_before():
    probe = Probe(constant)
    found, _ = found_of(probe, exact=False)
    made = len(probe.good)
    drawn = [found[Varied.CIPHERTEXT].draw(random.Random(seed)) for seed in range(500)]
    assert len(probe.good) == made and 32 < len({job.ciphertext for job in drawn}) <= POOL
    copy = anew(drawn[0])
    assert copy.ciphertext == drawn[0].ciphertext and copy.ciphertext is not drawn[0].ciphertext


def test_coins_are_varied_where_the_implementation_takes_them():
    found, left = found_of(Probe(constant), "encapsulate")
    assert list(found) == [Varied.COINS] and not left
    assert {len(found[Varied.COINS].draw(random.Random(n)).seed) for n in range(9)} == {32}
    for probe, offer in (
        (Probe(constant, seeds=False), OFFER),
        (Probe(constant), replace(OFFER, seeds=False)),
    ):
        found, left = found_of(probe, "encapsulate", offer=offer)
        assert not found and "draws its coins itself" in left[Varied.COINS]


def test_keys_that_are_seeds_are_not_varied_and_the_reason_is_said():
    found, left = found_of(Probe(constant), offer=replace(OFFER, pair=(800, 64)))
    assert (
        list(found) == [Varied.CIPHERTEXT, Varied.CHANGED]
        and "another public matrix" in left[Varied.KEY]
    )


def test_open_rejection_is_no_secret():
    scheme = replace(KEM, algorithm="other", kem=replace(KEM.kem, implicit_rejection=False))
    found, left = found_of(Probe(constant), scheme=scheme)
    assert list(found) == [Varied.CIPHERTEXT] and set(left) == {Varied.CHANGED, Varied.KEY}


def test_keys_of_signatures_are_varied_where_they_can_be_made():
    offer = replace(OFFER, operations=frozenset({"sign", "keygen"}), pair=(0, 0))
    for name, tried in (("ed25519", "all zero"), ("ecdsa-p256-sha256", "order minus one")):
        job = Job(name, "sign", key=key_of(name), data=bytes(16))
        found, left = found_of(Probe(constant), scheme=schemes()[name], offer=offer, job=job)
        assert list(found) == [Varied.KEY, Varied.MESSAGE] and not left
        assert tried in {one.name for one in found[Varied.KEY].specials}
    rsa = Job("rsa-2048-pss-sha256", "sign", key=key_of("rsa-2048"), data=bytes(16))
    found, left = found_of(Probe(constant), scheme=schemes()[rsa.scheme], offer=offer, job=rsa)
    assert (
        list(found) == [Varied.KEY, Varied.MESSAGE]
        and len(found[Varied.KEY].draw(random.Random(1)).key) == 64
    )
    without = replace(offer, operations=frozenset({"sign"}))
    found, left = found_of(Probe(constant), scheme=schemes()[rsa.scheme], offer=without, job=rsa)
    assert list(found) == [Varied.MESSAGE] and "structure" in left[Varied.KEY]


@pytest.mark.parametrize(
    ("name", "operation", "words"),
    [
        ("ml-dsa-44", "sign", "attempts"),
        ("ml-dsa-65-prehash-sha512", "sign", "attempts"),
        ("fn-dsa-512", "sign", "attempts"),
        ("ml-kem-512", "keygen", "public part"),
        ("rsa-2048-pss-sha256", "keygen", "primes"),
        ("x25519", "keygen", "draws its key"),
    ],
)
def test_what_has_no_meaning_is_refused_with_the_reason(name, operation, words):
    job = Job(name, operation, key=bytes(32), data=bytes(16))
    found, left = found_of(Probe(constant), scheme=schemes()[name], job=job)
    assert not found and any(words in reason for reason in left.values())


def test_a_kem_is_examined_by_default():
    assert usual_schemes([KEM]) == [KEM]
    assert usual_operations(KEM) == (Operation.ENCAPSULATE, Operation.DECAPSULATE)


# Planted leaks


def rejecting(probe, job):
    """A branch on whether the ciphertext is good."""
    return 900 + 40 * (job.ciphertext not in probe.good)


def plain(probe, job):
    """A branch on what the ciphertext hides."""
    return 900 + (job.ciphertext in probe.good and job.ciphertext[0] & 1)


def keyed(probe, job):
    """A branch on the first coefficient of the private key."""
    return 900 + (job.key[0] & 1)


@pytest.mark.parametrize(
    ("cost", "leaking"),
    [
        (constant, set()),
        (rejecting, {Varied.CHANGED}),
        (plain, {Varied.CIPHERTEXT, Varied.KEY_CIPHERTEXT}),
        (keyed, {Varied.KEY_CIPHERTEXT}),
    ],
)
def test_a_branch_on_a_secret_is_counted(cost, leaking):
    probe = Probe(cost)
    found, _ = found_of(probe)
    leaks = {varied for varied, item in found.items() if counted(probe, item).leaks}
    assert leaks - {Varied.CHANGED} == leaking - {Varied.CHANGED} and leaking <= leaks
    if cost is constant:
        assert leaks == set()


def test_a_branch_on_coins_is_counted():
    probe = Probe(lambda _, job: 900 + 3 * (not any(job.seed)))
    spread = counted(probe, found_of(probe, "encapsulate")[0][Varied.COINS])
    assert spread.leaks and spread.high.name == "all zero" and spread.most - spread.fewest == 3


@pytest.mark.parametrize(("cost", "leaks"), [(constant, False), (rejecting, True)])
def test_explicit_rejection_is_found_in_noise_and_equal_time_is_not(cost, leaks):
    noise = random.Random(4)
    probe = Probe(lambda probe, job: cost(probe, job) + noise.gauss(1000, 40))
    item = found_of(probe, exact=False)[0][Varied.CHANGED]
    result = suspect(probe, item, samples=4000, seed=1, timeout=1)
    assert result.leaks == leaks and result.fit
    if leaks:
        assert "good" in result.fixed[result.arms[0].judgement.chosen].name


# What comes of it


class Place:
    """A simulated board."""

    name = "sim:toy"

    class place:
        exact = True


class Unheard:
    """A listener that counts what it hears."""

    def __init__(self):
        self.heard = []

    def reading(self, varied, secrets, readings):
        self.heard.append((varied, secrets, readings))


def test_what_is_left_out_is_no_failure_and_nothing_to_vary_is():
    probe = Probe(constant)
    probe.hello = HELLO
    by_seed = replace(OFFER, pair=(800, 64), key=(64, 800))
    probe.offers = lambda: {KEM.name: by_seed}
    question = LeakQuestion("toy", [KEM], [Operation.DECAPSULATE, Operation.KEYGEN], 16, 20, 1)
    decapsulate, keygen = cases_of(Place, probe.offers(), question)
    listener = Unheard()
    found = list(findings_of(Place, probe, question, decapsulate, listener))
    (left,) = (item for item in found if isinstance(item, LeftOut))
    assert (left.operation, left.varied) == (Operation.DECAPSULATE, Varied.KEY)
    assert [item.varied for item in found if isinstance(item, LeakFinding)] == [
        Varied.CIPHERTEXT,
        Varied.CHANGED,
    ]
    assert {(varied, secrets) for varied, secrets, _ in listener.heard} == {
        (Varied.CIPHERTEXT, (0, 2)),
        (Varied.CHANGED, (1, 2)),
    }
    assert [readings for varied, _, readings in listener.heard if varied is Varied.CHANGED] == [
        (number, 20) for number in range(20)
    ]
    with pytest.raises(ProbeFailure, match="nothing to vary") as caught:
        list(findings_of(Place, probe, question, keygen, listener))
    assert caught.value.kind is FailureKind.UNSUPPORTED
