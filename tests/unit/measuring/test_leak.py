"""Varied inputs, counted readings and verdicts of a leak test: on probes with made-up times."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

import pytest

from motebench.base.model import FailureKind, Operation
from motebench.catalog import schemes
from motebench.documents.leak import LeakCaches, LeakVerdict
from motebench.measuring.leak import inputs, statistical
from motebench.measuring.leak.checking import LeakFinding, examine, usual_operations
from motebench.measuring.leak.inputs import (
    Varied,
    anew,
    data_of,
    good_padding,
    rejections,
    variations,
)
from motebench.measuring.leak.statistical import (
    DRAWN,
    PLACEBO,
    fewest_samples,
    prepare,
    schedule,
    suspect,
)
from motebench.stats.leak import FEWEST, SURE, UNFIT
from motebench.targets.wire.messages import (
    EACH,
    Clock,
    Fill,
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
JOB = Job("aes-128-ecb", "encrypt", key=bytes(range(16)), data=Fill(3, 16))
TAG = bytes(range(100, 116))
OFFER = Offer(
    "",
    frozenset({"encrypt", "decrypt-message", "encrypt-message"}),
    (16, 16),
    (0, 16),
    (0, 16),
    16,
    False,
)


class Probe:
    """Fake probe that takes as long as ``cost`` says of a job. Encryption returns the message, and
    one tag for all.
    """

    def __init__(self, cost):
        self.cost = cost
        self.jobs = []

    def hello_of(self, scheme):
        return HELLO

    def compute(self, job, *, timeout):
        return ProbeAnswer(False, data_of(job), TAG)

    def measure(self, job, *, batch, count, warm, timeout):
        assert (batch, count, warm) == (1, 1, 0)
        self.jobs.append(job)
        taken = round(CLOCK.overhead + self.cost(job))
        return Timing(ticks=(taken,), counts=(taken,), cpu=None, crc=0, length=0, out=None)


def weight(data):
    return sum(byte.bit_count() for byte in data)


def only(varied, scheme="aes-128-ecb", job=JOB):
    return next(item for item in variations(schemes()[scheme], job) if item.varied is varied)


def rejecting(scheme, probe=None, size=20):
    job = Job(
        scheme, "decrypt-message", key=bytes(16), nonce=bytes(16), data=Fill(1, size), inverse=True
    )
    probe = probe or Probe(lambda job: 1)
    found = rejections(probe, schemes()[scheme], OFFER, job, seed=1, timeout=1)
    return {item.varied: item for item in found}


# What is varied


@pytest.mark.parametrize(
    ("scheme", "operation", "expected"),
    [
        ("aes-128-ecb", "encrypt", [Varied.KEY, Varied.MESSAGE, Varied.BOTH]),
        ("aes-128-ecb", "key-setup", [Varied.KEY]),
        ("sha256", "digest", [Varied.MESSAGE]),
        ("x25519", "agree", [Varied.KEY, Varied.PEER]),
        ("rsa-2048-pss-sha256", "sign", [Varied.MESSAGE]),
        ("rsa-2048-pss-sha256", "verify", []),
        ("x25519", "keygen", []),
        ("ecdh-p256", "agree", [Varied.KEY]),
    ],
)
def test_secrets_of_an_operation(scheme, operation, expected):
    key = b"" if scheme == "sha256" else bytes(32 if scheme == "ecdh-p256" else 16)
    job = Job(scheme, operation, key=key, data=Fill(1, 16))
    assert [item.varied for item in variations(schemes()[scheme], job)] == expected


def test_only_what_varies_changes():
    source = random.Random(1)
    varying = variations(schemes()["aes-128-ecb"], JOB)
    assert {Varied.KEY, Varied.MESSAGE} < {item.varied for item in varying}
    for item in varying:
        drawn = [item.draw(source) for _ in range(5)] + [one.job for one in item.specials]
        assert {len(job.key) for job in drawn} == {16} and {len(data_of(job)) for job in drawn} == {
            16
        }
        assert (len({job.key for job in drawn}) == 1) == (item.varied is Varied.MESSAGE)
        assert (len({data_of(job) for job in drawn}) == 1) == (item.varied is Varied.KEY)


def test_special_inputs():
    assert {bytes(16), b"\xff" * 16, b"\x80" + bytes(15), bytes(15) + b"\x01"} <= set(
        inputs.patterns(16).values()
    )
    for length in (1, 2, 16):
        values = list(inputs.patterns(length).values())
        assert {len(value) for value in values} == {length} and len(set(values)) == len(values)
    des, triple = inputs.keys("des", 8), inputs.keys("3des", 24)
    assert (
        sum(name.startswith("weak") for name in des) == 4
        and sum(name.startswith("semi") for name in des) == 12
    )
    # Odd parity
    assert all(
        weight(bytes((byte,))) % 2 for name, key in des.items() if "weak" in name for byte in key
    )
    assert triple["weak 0101010101010101"] == b"\x01" * 24
    assert inputs.keys("x25519", 32)["largest after clamping"].hex() == "f8" + 30 * "ff" + "7f"
    order = 2**252 + 27742317777372353535851937790883648493  # RFC 7748, 4.1
    scalars = {int.from_bytes(key, "little") for key in inputs.keys("x25519", 32).values()}
    assert {0, 1, order - 1, order, 2**128 - 1, 2**256 - 1} < scalars
    points = inputs.points("x25519")
    assert points["u = 0"] == bytes(32) and points["u = p-1"].hex() == "ec" + 30 * "ff" + "7f"
    assert inputs.points("aes") == {}


def test_keys_of_ecdh_are_below_the_order():
    # n of P-256: SP 800-186, 3.2.1.3
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    tried = inputs.keys("ecdh", 32)
    assert all(0 < int.from_bytes(key, "big") < order for key in tried.values()) and len(tried) >= 6
    scalars = {int.from_bytes(key, "big") for key in tried.values()}
    assert {1, order - 1, 2**128 - 1, 2**255 - 2**128, 2**192 - 2**64} < scalars

    class Highest(random.Random):
        def randrange(self, start, stop=None, step=1):
            return stop - 1

    assert inputs.random_key("ecdh", 32, Highest()) == (order - 1).to_bytes(32, "big")


def test_special_inputs_fit_the_fewest_samples():
    most = max(len(inputs.keys(name, 24)) for name in ("des", "3des", "x25519", "aes"))
    assert most + 2 <= 30 and fewest_samples(30) == 60 * FEWEST


def test_what_is_examined_by_default():
    assert Operation.DECRYPT_MESSAGE in usual_operations(schemes()["aes-128-cbc"])
    assert Operation.DECRYPT_MESSAGE in usual_operations(schemes()["aes-128-gcm"])
    assert Operation.DECRYPT_MESSAGE not in usual_operations(schemes()["aes-128-ecb"])
    assert Operation.VERIFY not in usual_operations(schemes()["ed25519"])


# What must be rejected


def test_forged_tags_are_wrong_in_one_place_or_all_over():
    (item,) = rejecting("aes-128-gcm").values()
    assert item.varied is Varied.TAG and item.chosen == 0
    wrong = {
        one.name: [a != b for a, b in zip(one.job.tag, TAG, strict=True)] for one in item.specials
    }
    assert wrong["first byte wrong"] == [True] + [False] * 15 == wrong["first bit wrong"]
    assert wrong["last byte wrong"] == [False] * 15 + [True] == wrong["last bit wrong"]
    assert all(wrong["all bytes wrong"]) and sum(wrong["middle byte wrong"]) == 1
    jobs = (
        [one.job for one in item.specials]
        + [item.draw(random.Random(seed)) for seed in range(300)]
        + [item.job]
    )
    assert all(job.reject and not job.inverse and job.tag != TAG for job in jobs)
    assert {data_of(job) for job in jobs} == {data_of(Job("", "", data=Fill(1, 20)))}
    assert item.accepted is not None and item.accepted.tag == TAG and not item.accepted.reject


def test_bad_padding_is_wrong_in_one_place_or_another():
    found = rejecting("aes-128-cbc")
    assert set(found) == {Varied.BAD_PADDING, Varied.PADDING}
    for item in found.values():
        assert item.chosen == 0 and item.accepted is None
        for job in [one.job for one in item.specials] + [
            item.draw(random.Random(seed)) for seed in range(50)
        ]:
            # The made-up probe encrypts to the message itself: the last block with its padding is
            # still to be read.
            assert (
                len(data_of(job)) == 32
                and job.reject != good_padding(data_of(job)[-16:])
                and not job.inverse
            )
    assert all(one.job.reject for one in found[Varied.BAD_PADDING].specials)
    assert [one.job.reject for one in found[Varied.PADDING].specials] == [False]


@pytest.mark.parametrize(
    ("last", "good"),
    [
        ("0102030401", True),
        ("0102030202", True),
        ("0505050505", True),
        ("0102030402", False),
        ("0102030400", False),
        ("0606060606", False),
        ("0005050505", False),
    ],
)
def test_padding(last, good):
    assert good_padding(bytes.fromhex(last)) == good


def test_only_a_decryption_of_messages_rejects():
    assert rejecting("aes-128-ctr") == {} and set(rejecting("aes-128-ecb")) == {
        Varied.BAD_PADDING,
        Varied.PADDING,
    }
    assert rejections(Probe(len), schemes()["aes-128-ecb"], OFFER, JOB, seed=1, timeout=1) == []


# Every cycle counted


def test_counted_and_constant():
    spread = examine(Probe(lambda job: 900), only(Varied.BOTH), samples=20, seed=1, timeout=1)
    assert (
        spread.constant
        and spread.distinct == 1
        and spread.fewest == 900
        and spread.repeats
        and not spread.leaks
    )


def test_a_pair_proves_the_leak():
    spread = examine(
        Probe(lambda job: 900 + weight(job.key)), only(Varied.KEY), samples=50, seed=1, timeout=1
    )
    assert spread.leaks and spread.repeats
    # Special inputs are among them: no random key of 50 is all zero or all ones.
    assert (spread.fewest, spread.low.name) == (900, "all zero")
    assert (spread.most, spread.high.name) == (900 + 128, "all ones")
    assert 2 < spread.distinct <= 50 == spread.samples
    same = examine(
        Probe(lambda job: 900 + weight(job.key)),
        only(Varied.MESSAGE),
        samples=50,
        seed=1,
        timeout=1,
    )
    assert same.constant


def test_cycles_that_do_not_repeat_are_no_leak():
    source = random.Random(2)
    spread = examine(
        Probe(lambda job: source.randrange(900, 1000)),
        only(Varied.KEY),
        samples=50,
        seed=1,
        timeout=1,
    )
    assert not spread.constant and not spread.repeats and not spread.leaks
    finding = LeakFinding("s", Operation.ENCRYPT, 16, spread)
    assert finding.verdict is LeakVerdict.UNSTEADY and not finding.leaks


def test_an_early_exit_is_counted_and_a_comparison_of_all_is_not():
    def right(job):
        return next((place for place, byte in enumerate(job.tag) if byte != TAG[place]), len(TAG))

    (item,) = rejecting("aes-128-gcm").values()
    spread = examine(Probe(lambda job: 900 + 6 * right(job)), item, samples=50, seed=1, timeout=1)
    assert spread.leaks and spread.most - spread.fewest == 6 * 15
    assert spread.high.name == "last byte wrong" and spread.accepted == 900 + 6 * 16
    constant = examine(
        Probe(lambda job: 900 if job.reject else 800), item, samples=50, seed=1, timeout=1
    )
    assert constant.constant and constant.accepted == 800


def test_good_and_bad_padding_is_compared_apart_from_where_it_is_wrong():
    found = rejecting("aes-128-cbc")
    probe = Probe(lambda job: 900 if job.reject else 800)
    assert examine(probe, found[Varied.BAD_PADDING], samples=50, seed=1, timeout=1).constant
    assert examine(probe, found[Varied.PADDING], samples=50, seed=1, timeout=1).leaks


class Choosy(Probe):
    """Fake probe that refuses a key of zeros, or accepts inputs that it must reject."""

    def measure(self, job, **options):
        if not any(job.key):
            raise ProbeFailure(FailureKind.ERROR, "weak key")
        if job.reject:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, "accepted a tag that must be rejected")
        return super().measure(job, **options)


def test_a_refused_input_fails_alone():
    spread = examine(Choosy(lambda job: 900), only(Varied.KEY), samples=20, seed=1, timeout=1)
    assert spread.refused == {"all zero": "weak key"} and spread.samples == 20
    found = suspect(Choosy(lambda job: 900), only(Varied.KEY), samples=2000, seed=1, timeout=1)
    assert found.refused == {"all zero": "weak key"} and "all zero" not in {
        item.name for item in found.fixed
    }


def test_an_accepted_forgery_is_a_failure_of_all():
    (item,) = rejecting("aes-128-gcm", Choosy(lambda job: 900)).values()
    item = replace(
        item, specials=[replace(one, job=replace(one.job, key=b"k")) for one in item.specials]
    )
    with pytest.raises(ProbeFailure, match="accepted"):
        examine(Choosy(lambda job: 900), item, samples=20, seed=1, timeout=1)


def test_the_seed_decides_the_inputs():
    def keys(seed):
        probe = Probe(lambda job: 1)
        examine(probe, only(Varied.KEY), samples=30, seed=seed, timeout=1)
        return [job.key for job in probe.jobs]

    assert keys(1) == keys(1) != keys(2)


def test_a_board_that_counts_nothing_is_a_failure():
    probe = Probe(lambda job: 1)
    probe.hello_of = lambda scheme: replace(HELLO, counter=None)
    with pytest.raises(ProbeFailure) as caught:
        examine(probe, only(Varied.KEY), samples=5, seed=1, timeout=1)
    assert caught.value.kind is FailureKind.UNSUPPORTED


# Statistics


def noisy(source, cost):
    """Long tails, as interrupts make them."""
    return lambda job: (
        cost(job)
        + source.gauss(1000, 15)
        + (source.expovariate(1e-4) if source.random() < 0.02 else 0)
    )


def test_statistics_find_a_small_leak_in_noise():
    probe = Probe(noisy(random.Random(4), lambda job: weight(job.key)))
    found = suspect(probe, only(Varied.KEY), samples=6000, seed=1, timeout=1)
    assert found.leaks and found.arms[0].judgement.fit
    # Random keys have 64 of 128 bits set
    expected = weight(found.fixed[found.arms[0].judgement.chosen].job.key) - 64
    assert abs(expected) >= 63  # the special ones stand out
    assert (
        found.arms[0].judgement.difference.low
        <= expected
        <= found.arms[0].judgement.difference.high
    )


def test_statistics_find_an_early_exit():
    (item,) = rejecting("aes-128-gcm").values()
    probe = Probe(noisy(random.Random(4), lambda job: 10 * (job.tag[:8] == TAG[:8])))
    found = suspect(probe, item, samples=6000, seed=1, timeout=1)
    assert found.leaks and "last" in found.fixed[found.arms[0].judgement.chosen].name
    # The right tag has the same first half.
    assert (
        found.arms[0].accepted is not None
        and found.arms[0].accepted.low <= 10 <= found.arms[0].accepted.high
    )


def test_statistics_call_no_leak_where_there_is_none():
    calls = 0
    for seed in range(20):
        probe = Probe(noisy(random.Random(seed), lambda job: 0))
        calls += suspect(probe, only(Varied.BOTH), samples=1000, seed=seed, timeout=1).leaks
    assert calls == 0  # 20 examinations at 1e-5: one in 5,000 runs of this test with other seeds


@dataclass(frozen=True, slots=True)
class Marked(Job):
    """An input that equals any other of its bytes, and is another object."""


def with_artefact(monkeypatch, labels):
    """The harness treats some labels in another way, whatever the bytes are."""

    def prepared(*arguments):
        for slot in prepare(*arguments):
            job = slot.job
            marked = Marked(**{name: getattr(job, name) for name in Job.__dataclass_fields__})
            yield replace(slot, job=marked if slot.label in labels else job)

    monkeypatch.setattr(statistical, "prepare", prepared)


@pytest.mark.parametrize(
    ("name", "labels", "which"),
    [
        ("everything fixed", range(1, 100), -1),
        ("one of two labels of an input", [6], 2),
        ("what is drawn", [DRAWN], -1),
    ],
)
def test_an_artefact_of_one_ns_tied_to_the_label_makes_the_harness_unfit(
    monkeypatch, name, labels, which
):
    with_artefact(monkeypatch, set(labels))
    source = random.Random(7)
    item = replace(only(Varied.BOTH), chosen=0)  # four fixed inputs
    probe = Probe(
        lambda job: (
            50 + source.gauss(0, 6) + 500 * (source.random() < 0.01) + isinstance(job, Marked)
        )
    )
    found = suspect(probe, item, samples=60_000, seed=1, timeout=1)
    assert (
        found.arms[0].judgement.control.p < UNFIT and found.arms[0].judgement.control.which == which
    ), name
    finding = LeakFinding("s", Operation.ENCRYPT, 16, found)
    assert finding.verdict is LeakVerdict.UNFIT and not finding.leaks


class Batching(Probe):
    """Fake probe that also times many inputs after all are prepared: each takes as long as
    ``each_cost`` says.
    """

    def __init__(self, cost, each_cost):
        super().__init__(cost)
        self.each_cost = each_cost
        self.requests = []

    def hello_of(self, scheme):
        return replace(HELLO, does=frozenset({EACH}))

    def measure_each(self, jobs, *, evict, timeout):
        self.requests.append((len(jobs), evict))
        ticks = tuple(round(CLOCK.overhead + self.each_cost(job, evict)) for job in jobs)
        return Timing(ticks=ticks, counts=None, cpu=None, crc=0, length=0, out=None)


def test_a_leak_that_shows_with_cold_inputs_only_is_a_leak():
    source = random.Random(4)
    quiet = noisy(source, lambda job: 0)
    probe = Batching(quiet, lambda job, evict: quiet(job) + 80 * (job.key[0] == 0 and not evict))
    found = suspect(probe, only(Varied.KEY), samples=3000, seed=1, timeout=60)
    assert [arm.caches for arm in found.arms] == list(LeakCaches)
    assert [arm.judgement.leaks for arm in found.arms] == [False, True, False]
    assert (
        found.leaks
        and found.fit
        and found.ranked[0].caches is LeakCaches.OTHERS
        and found.left_out is None
    )
    # Each of these arms has all readings.
    for evict in (False, True):
        assert sum(count for count, evicted in probe.requests if evicted is evict) == 3000


def test_an_arm_without_conclusion_leaves_the_question_open_unless_another_finds_a_leak():
    source = random.Random(4)
    quiet = noisy(source, lambda job: 0)
    item, zeros = only(Varied.KEY), bytes(32)

    def artefact(job, evict):
        return quiet(job) + 500 * (evict and job.decoy == zeros)

    found = suspect(Batching(quiet, artefact), item, samples=3000, seed=1, timeout=60)
    assert not found.leaks and not found.fit and found.ranked[0].caches is LeakCaches.EMPTIED
    assert LeakFinding("s", Operation.ENCRYPT, 16, found).verdict is LeakVerdict.UNFIT
    leaky = Batching(lambda job: quiet(job) + 80 * (job.key[0] == 0), artefact)
    found = suspect(leaky, item, samples=3000, seed=1, timeout=60)
    assert found.leaks and found.ranked[0].caches is LeakCaches.OWN


def test_a_probe_that_cannot_prepare_inputs_is_examined_in_one_arm_with_the_reason():
    probe = Probe(lambda job: 100)
    found = suspect(probe, only(Varied.KEY), samples=2000, seed=1, timeout=1)
    assert [arm.caches for arm in found.arms] == [LeakCaches.OWN]
    assert found.left_out == "probe cannot prepare several inputs before it times them"
    small = Batching(lambda job: 100, lambda job, evict: 100)
    small.hello_of = lambda scheme: replace(HELLO, does=frozenset({EACH}), max_frame=4096)
    found = suspect(small, only(Varied.KEY), samples=2000, seed=1, timeout=1)
    assert small.requests == [] and "of this length" in (found.left_out or "")


def test_slow_operations_have_few_inputs_in_a_request():
    probe = Batching(lambda job: 1e9, lambda job, evict: 1e9)
    suspect(probe, only(Varied.KEY), samples=2000, seed=1, timeout=300)
    assert {count for count, _ in probe.requests} == {10}


def test_the_same_without_the_artefact_is_fit(monkeypatch):
    with_artefact(monkeypatch, set())
    source = random.Random(7)
    probe = Probe(lambda job: 40 + source.gauss(0, 4) + isinstance(job, Marked))
    found = suspect(probe, replace(only(Varied.BOTH), chosen=0), samples=8000, seed=1, timeout=1)
    assert (
        found.arms[0].judgement.fit
        and LeakFinding("s", Operation.ENCRYPT, 16, found).verdict is LeakVerdict.NOTHING
    )


def test_an_artefact_of_special_bytes_on_the_way_makes_the_harness_unfit():
    """The way to the probe is slower for zeros, in whatever field they are: no leak of the
    operation.
    """
    source = random.Random(7)
    zeros = bytes(16)
    probe = Probe(
        lambda job: 40 + source.gauss(0, 4) + 3 * (zeros in job.decoy or zeros in job.key)
    )
    found = suspect(probe, only(Varied.KEY), samples=20_000, seed=1, timeout=1)
    assert (
        found.arms[0].judgement.leak.p < SURE
        and not found.leaks
        and found.arms[0].judgement.control.which == -1
    )


def test_labels_come_before_readings_and_in_equal_parts():
    labels = schedule(5, 20_000, random.Random(1))
    counts = Counter(labels)
    assert counts[DRAWN] == counts[PLACEBO] == 5000 and {
        counts[label] for label in range(2, 12)
    } == {1000}
    assert labels == schedule(5, 20_000, random.Random(1)) != schedule(5, 20_000, random.Random(2))


def test_each_input_is_prepared_alike():
    item = only(Varied.KEY)
    fixed = [one.job for one in item.specials[:2]]
    labels = schedule(2, 400, random.Random(1))
    slots = list(prepare(item, fixed, labels, random.Random(2)))
    assert [slot.label for slot in slots] == labels
    assert {slot.job.key for slot in slots if slot.label in (2, 3)} == {fixed[0].key}
    assert {slot.job.key for slot in slots if slot.label in (4, 5)} == {fixed[1].key}
    for label in (DRAWN, PLACEBO):
        assert len({slot.job.key for slot in slots if slot.label == label}) == 100
    assert all(any(slot.job.decoy) == (slot.label != PLACEBO) for slot in slots)
    assert all(slot.job.key is not one.key for slot in slots for one in fixed)
    assert all(type(slot.job.data) is bytes and len(slot.job.decoy) == 32 for slot in slots)


def test_a_copy_is_in_memory_of_its_own():
    job = replace(JOB, key=b"k" * 16, tag=b"t" * 16)
    copy = anew(job)
    assert copy.key == job.key and copy.key is not job.key and copy.tag is not job.tag
    assert copy.data == data_of(JOB) and copy.scheme == JOB.scheme


@pytest.mark.parametrize("arms", [1, 3])
def test_readings_of_all_arms_are_told_before_they_are_taken(arms):
    told = []
    probe = (
        Probe(lambda job: 100) if arms == 1 else Batching(lambda job: 100, lambda job, evict: 100)
    )
    count = fewest_samples(30)
    suspect(
        probe,
        only(Varied.KEY),
        samples=count,
        seed=1,
        timeout=60,
        taken=lambda *done: told.append(done),
    )
    assert {total for _, total in told} == {arms * count}
    assert told == sorted(set(told)) and told[-1][0] < arms * count
    assert {arm * count for arm in range(arms)} <= {done for done, _ in told}
