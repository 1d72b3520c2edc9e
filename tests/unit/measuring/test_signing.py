"""Cost of signing over a set of messages: recorded times, no clock."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.catalog import schemes
from motebench.catalog.vectors.keys import attempts, with_attempts
from motebench.measuring.signing import _generated, _one, line, mean_interval, nearest_rank, summary
from motebench.targets.wire.messages import Clock, Hello, Job, Offer, ProbeAnswer, Timing

DSA = "ml-dsa-44"


def test_a_line_gives_the_cost_of_an_attempt_and_of_the_rest():
    fit = line([1, 2, 5], [7.0, 9.0, 15.0])
    assert (fit.slope, fit.beside) == (pytest.approx(2), pytest.approx(5)) and fit.off < 1e-12
    with pytest.raises(ValueError, match="same number"):
        line([3, 3], [1.0, 2.0])


def test_the_normalised_mean_does_not_depend_on_the_set():
    few, many = [1, 1, 2, 3], [9, 12, 4, 30]
    made = [summary([5 + 2 * count for count in counts], counts, 4.25) for counts in (few, many)]
    assert [one["normalised"] for one in made] == [pytest.approx(13.5)] * 2
    assert made[0]["mean"] == pytest.approx(8.5) and made[1]["mean"] == pytest.approx(32.5)


def test_without_attempts_there_is_no_normalised_mean():
    made = summary([1.0, 2.0, 9.0], None, 4.25)
    assert made["normalised"] is None and made["attempts"] is None and made["median"] == 2.0


def test_nearest_rank():
    times = [float(number) for number in range(100, 0, -1)]
    assert (nearest_rank(times, 0.99), nearest_rank(times, 0.5), nearest_rank([3.0], 0.99)) == (
        99.0,
        50.0,
        3.0,
    )


@pytest.mark.parametrize("scheme", ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"])
def test_attempts_of_the_catalog_agree_with_the_standard(scheme):
    """A geometric distribution: the mean of 2000 has a standard error of about expected /
    sqrt(2000), 2.2 %.
    """
    table = attempts(scheme)
    assert table is not None and len(table.of_seed) == 2000 and min(table.of_seed) == 1
    assert sum(table.of_seed) / 2000 == pytest.approx(table.expected, rel=0.05)
    assert (
        with_attempts() == ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] and attempts("ed25519") is None
    )


class Signing:
    """ML-DSA-44 in 5 + 2 * attempts ticks of a second; ``drawn``: hedged; ``wrong``: none
    verifies.
    """

    def __init__(self, *, drawn: bool = False, wrong: bool = False) -> None:
        self.drawn, self.wrong, self.count = drawn, wrong, 0
        clock = Clock("fake", 1, 1, 0.0)
        self._hello = Hello(
            "fake 1", "fake", "1", "", "", "toy", clock, None, None, 4096, 4096, frozenset()
        )

    def hello_of(self, scheme: str) -> Hello:
        return self._hello

    def offers(self) -> dict[str, Offer]:
        operations = frozenset({"sign", "verify"})
        return {DSA: Offer(DSA, operations, (1312, 2560), (0, 255), (2420, 2420), 1, False)}

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        if job.operation == "verify":
            return ProbeAnswer(self.wrong)
        self.count += self.drawn
        return ProbeAnswer(False, b"s", crc=self.count)

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        table = attempts(DSA)
        assert table is not None
        ticks = 5 + 2 * table.of_seed[job.data.seed - 1]  # type: ignore[union-attr]
        return Timing((ticks,) * count, None, None, 0, 0, b"s")


class Place:
    name = "sim:toy"
    exact = True
    evidence = Evidence.SIMULATED

    @property
    def place(self) -> Place:
        return self


def one(session: Signing, monkeypatch, count: int = 10, first: int = 1):
    monkeypatch.setattr("motebench.measuring.signing.gate", lambda *_, **__: None)
    return _one(Place(), "toy", session, schemes()[DSA], count, first)  # type: ignore[arg-type]


def test_a_deterministic_implementation(monkeypatch):
    row = one(Signing(), monkeypatch)
    assert row.normalised == pytest.approx(5 + 2 * 4.25) and row.per_attempt == pytest.approx(2)
    assert (row.messages, row.first, row.evidence) == (10, 1, "simulated")
    assert one(Signing(), monkeypatch, first=1991).normalised == pytest.approx(13.5)


def test_an_implementation_that_draws_has_no_attempts(monkeypatch):
    row = one(Signing(drawn=True), monkeypatch)
    assert row.attempts is None and row.normalised is None and row.expected_attempts == 4.25


def test_a_signature_that_does_not_verify_gives_no_number(monkeypatch):
    with pytest.raises(Exception, match="does not verify"):
        one(Signing(wrong=True), monkeypatch)


def test_messages_beyond_the_table_are_refused(monkeypatch):
    with pytest.raises(InputError, match="message 2001"):
        one(Signing(), monkeypatch, first=1992)


class Generating(Signing):
    """RSA keys in 1, 2, 3, ... ticks."""

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        assert (job.operation, batch, count, warm) == ("keygen", 1, 1, 0)
        self.count += 1
        return Timing((self.count,), None, None, 0, 0, b"k")


def test_rsa_keys_are_a_distribution(monkeypatch):
    monkeypatch.setattr("motebench.measuring.signing.gate", lambda *_, **__: None)
    scheme = schemes()["rsa-2048-pss-sha256"]
    row = _generated(Place(), "toy", Generating(), scheme, 100, 1)  # type: ignore[arg-type]
    assert (row.operation, row.messages, row.attempts, row.normalised) == (
        "keygen",
        100,
        None,
        None,
    )
    assert (row.mean, row.median, row.p99, row.longest) == (50.5, 50.5, 99.0, 100.0)
    # s = 29.011, t(0.975, 99) = 1.98422: 50.5 -+ 5.7565
    assert (row.mean_low, row.mean_high) == (
        pytest.approx(44.7435, abs=1e-3),
        pytest.approx(56.2565, abs=1e-3),
    )
    assert mean_interval([3.0, 3.0]) == (3.0, 3.0)
