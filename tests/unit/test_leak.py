"""What is varied, what is counted, and what is called a leak: on probes whose times are made up here."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from motebench.catalog import schemes
from motebench.leak.exact import examine
from motebench.leak.inputs import Variation, Varied, data_of, variations
from motebench.leak.statistical import suspect
from motebench.model import FailureKind
from motebench.stats.leak import FEWEST, welch
from motebench.wire.messages import Clock, Fill, Hello, Job, ProbeFailure, Timing

CLOCK = Clock("made up", 1_000_000_000, 1, 7.0)
HELLO = Hello("probe", "toy", "1", "cc", "-O2", "none", CLOCK, CLOCK, None, 1 << 16, 1 << 16, frozenset())
JOB = Job("aes-128-ecb", "encrypt", key=bytes(16), data=Fill(3, 16))


class Probe:
    """Takes as long as ``cost`` says of key and message."""

    def __init__(self, cost):
        self.cost = cost
        self.jobs = []

    def hello_of(self, scheme):
        return HELLO

    def measure(self, job, *, batch, count, warm, timeout):
        assert (batch, count, warm) == (1, 1, 0)
        self.jobs.append(job)
        taken = round(CLOCK.overhead + self.cost(job))
        return Timing(ticks=(taken,), counts=(taken,), cpu=None, crc=0, length=0, out=None)


def weight(data):
    return sum(byte.bit_count() for byte in data)


def only(varied):
    return next(item for item in variations(schemes()["aes-128-ecb"], JOB) if item.varied is varied)


@pytest.mark.parametrize(
    ("scheme", "operation", "expected"),
    [
        ("aes-128-ecb", "encrypt", [Varied.KEY, Varied.MESSAGE, Varied.BOTH]),
        ("aes-128-ecb", "key-setup", [Varied.KEY]),
        ("sha256", "digest", [Varied.MESSAGE]),
        ("x25519", "agree", [Varied.KEY]),
        ("rsa-2048-pss-sha256", "sign", [Varied.MESSAGE]),
        ("rsa-2048-pss-sha256", "verify", []),
        ("x25519", "keygen", []),
    ],
)
def test_secrets_of_an_operation(scheme, operation, expected):
    key = b"" if scheme == "sha256" else bytes(16)
    job = Job(scheme, operation, key=key, data=Fill(1, 16))
    assert [item.varied for item in variations(schemes()[scheme], job)] == expected


def test_only_what_varies_changes():
    source = random.Random(1)
    for item in variations(schemes()["aes-128-ecb"], JOB):
        drawn = [item.drawn(source) for _ in range(5)]
        assert {len(job.key) for job in drawn} == {16} and {len(data_of(job)) for job in drawn} == {16}
        assert len({job.key for job in drawn}) == (1 if item.varied is Varied.MESSAGE else 5)
        assert len({data_of(job) for job in drawn}) == (1 if item.varied is Varied.KEY else 5)


def test_counted_and_constant():
    spread = examine(Probe(lambda job: 900), only(Varied.BOTH), samples=20, seed=1, timeout=1)
    assert spread.constant and spread.distinct == 1 and spread.fewest == 900 and spread.repeats


def test_a_pair_proves_the_leak():
    spread = examine(Probe(lambda job: 900 + weight(job.key)), only(Varied.KEY), samples=50, seed=1, timeout=1)
    assert not spread.constant and spread.repeats
    assert spread.fewest == 900 + weight(spread.low.key) and spread.most == 900 + weight(spread.high.key)
    assert 2 < spread.distinct <= 50
    same = examine(Probe(lambda job: 900 + weight(job.key)), only(Varied.MESSAGE), samples=50, seed=1, timeout=1)
    assert same.constant


def test_cycles_that_do_not_repeat_are_no_proof():
    source = random.Random(2)
    spread = examine(Probe(lambda job: source.randrange(900, 1000)), only(Varied.KEY), samples=50, seed=1, timeout=1)
    assert not spread.constant and not spread.repeats


def test_the_seed_decides_the_inputs():
    def keys(seed):
        probe = Probe(lambda job: 1)
        examine(probe, only(Varied.KEY), samples=5, seed=seed, timeout=1)
        return [job.key for job in probe.jobs]

    assert keys(1) == keys(1) != keys(2)


def test_a_board_that_counts_nothing_is_a_failure():
    probe = Probe(lambda job: 1)
    probe.hello_of = lambda scheme: replace(HELLO, counter=None)
    with pytest.raises(ProbeFailure) as caught:
        examine(probe, only(Varied.KEY), samples=5, seed=1, timeout=1)
    assert caught.value.kind is FailureKind.UNSUPPORTED


def noisy(source, cost):
    """Long tails, as interrupts make them."""
    return lambda job: cost(job) + source.gauss(1000, 15) + (source.expovariate(1e-4) if source.random() < 0.02 else 0)


def test_statistics_find_a_small_leak_in_noise():
    probe = Probe(noisy(random.Random(4), lambda job: weight(job.key)))
    found = suspect(probe, only(Varied.KEY), samples=6000, seed=1, timeout=1)
    assert found.leaks and not found.noisy
    expected = weight(found.fixed.key) - 64  # random keys have 64 of 128 bits set
    assert found.worst.low <= -expected <= found.worst.high or found.worst.low <= expected <= found.worst.high


def test_statistics_call_no_leak_where_there_is_none():
    calls = 0
    for seed in range(40):
        probe = Probe(noisy(random.Random(seed), lambda job: 0))
        calls += suspect(probe, only(Varied.BOTH), samples=1000, seed=seed, timeout=1).leaks
    assert calls == 0  # 40 tests at 1e-5: one in 2,500 runs of this test with other seeds


def test_both_classes_are_prepared_alike():
    probe = Probe(lambda job: 1)
    suspect(probe, only(Varied.KEY), samples=2000, seed=1, timeout=1)
    counts = sorted({job.key: sum(other.key == job.key for other in probe.jobs) for job in probe.jobs[:200]}.values())
    assert counts[-4] > 150 and counts[0] == 1  # four fixed keys, all others once
    assert all(job.data == data_of(JOB) for job in probe.jobs)


def test_welch_needs_enough_of_both():
    assert welch([1.0] * 100, [1.0] * (FEWEST - 1)) is None


def test_equal_constant_classes_do_not_differ_and_different_ones_surely_do():
    equal, apart = welch([5.0] * 50, [5.0] * 50), welch([5.0] * 50, [6.0] * 50)
    assert equal is not None and equal.p == 1 and not equal.different
    assert apart is not None and apart.p == 0 and apart.different and apart.difference == 1


def test_welch_against_a_textbook_example():
    # Welch's t of two classes by hand: means 2.5 and 3.5, variances 35/29 * 1.25 ... see below.
    one, two = [1.0, 2.0, 3.0, 4.0] * 10, [2.0, 3.0, 4.0, 5.0] * 10
    found = welch(one, two)
    # variance 1.25 * 40 / 39 each; standard error sqrt(2 * variance / 40); t = 1 / error
    error = (2 * 1.25 * 40 / 39 / 40) ** 0.5
    assert found is not None and found.t == pytest.approx(1 / error) and found.difference == pytest.approx(1)


def test_a_variation_keeps_its_own_job_apart():
    item = Variation(Varied.KEY, JOB)
    made = item.with_secrets_of(replace(JOB, key=b"k" * 16))
    assert made.key == b"k" * 16 and made.data == data_of(JOB) and made.scheme == JOB.scheme
