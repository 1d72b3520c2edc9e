"""The control of code that remembers its input: other inputs, what is asked of probes, and what
follows."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import pytest

from motebench.base.model import Case, FailureKind, Operation
from motebench.catalog import schemes
from motebench.measuring.work import jobs
from motebench.measuring.work.changing import Batches, ChangingInputs
from motebench.measuring.work.inputs import Execution, OtherInputs, Spread, sealed
from motebench.targets.wire.messages import (
    TURNS,
    Clock,
    Fill,
    Hello,
    Job,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

CLOCK = Clock("clock", 10**9, 1, 20.0)
HOST = Hello(
    "p",
    "i",
    "v",
    "c",
    "f",
    "a",
    CLOCK,
    None,
    Clock("cpu", 10**9, 1, 20.0),
    1 << 20,
    1 << 20,
    frozenset(("measure", TURNS)),
)
BOARD = replace(HOST, cpu=None, does=frozenset(("measure",)), device="samd21g18a", max_frame=512)
OFFER = Offer(
    "ascon-aead128",
    frozenset(("encrypt-message", "decrypt-message")),
    (16, 16),
    (16, 16),
    (16, 16),
    1,
    False,
)
FULL, HIT = 1000, 22
"""Ticks of an operation, and of one that code remembers."""


class Probe:
    """A session with code that may keep its last input; an iteration takes `FULL` or `HIT`,
    ``copying`` a new input."""

    def __init__(
        self, hello: Hello, *, remembers: int = 0, copying: int = 30, does: int = FULL
    ) -> None:
        self.hello, self._remembers, self._copying, self._full = hello, remembers, copying, does
        self._kept: list[Job] = []
        self.asked: list[tuple[str, Job]] = []
        self.worked = 0
        self.failure: ProbeFailure | None = None

    def hello_of(self, scheme: str) -> Hello:
        del scheme
        return self.hello

    def _once(self, job: Job) -> int:
        job = replace(job, turns=())
        known = job in self._kept
        self.worked += HIT if known else self._full
        self._kept = (
            [*(kept for kept in self._kept if kept != job), job][-self._remembers :]
            if self._remembers
            else []
        )
        return HIT if known else self._full

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        del public, timeout
        self.asked.append(("compute", job))
        self._once(job)
        return ProbeAnswer(False, None if brief else b"c" * 16, tag=b"t" * 16)

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        del timeout, reference
        self.asked.append(("measure", job))
        if self.failure is not None and job.turns:
            raise self.failure
        own = replace(job, turns=())
        before = 500 + self._once(own) + sum(self._once(own) for _ in range(warm))
        ticks, at = [], 0
        for _ in range(count):
            spent = 20
            for _ in range(batch):
                turn = job.turns[at % len(job.turns)] if job.turns else own
                spent += self._once(turn) + (self._copying if job.turns else 0)
                at += 1
            ticks.append(spent)
        self._once(own)
        cpu = tuple(ticks) if self.hello.cpu is not None else None
        return Timing(tuple(ticks), None, cpu, 7, 16, None, before=before, after=1)


def case_of(
    operation: Operation, size: int = 16, scheme: str = "ascon-aead128", aad: int = 0
) -> Case:
    return Case(scheme, "code/x", operation, size, "host", "code/x", aad_bytes=aad)


def inputs_of(
    operation: Operation = Operation.ENCRYPT_MESSAGE, size: int = 16, aad: bytes = b""
) -> OtherInputs:
    scheme = schemes()["ascon-aead128"]
    data = Fill(jobs.input_seed(scheme.name), size) if size else b""
    job = jobs.symmetric(scheme, OFFER, operation, data, aad)
    return OtherInputs(case_of(operation, size, aad=len(aad)), scheme, OFFER, job, 60.0)


def decided(probe: Probe, inputs: OtherInputs | None = None, batch: int = 1) -> ChangingInputs:
    """Decision about changing inputs as a case makes it: before, during and after its samples."""
    inputs, changing = inputs or inputs_of(), ChangingInputs()
    changing.begin(inputs, probe, batch)  # type: ignore[arg-type]
    many = 2 if probe.hello.device else 1
    timings = [
        probe.measure(inputs.job, batch=batch, count=1, warm=0, timeout=60.0) for _ in range(many)
    ]
    changing.decide(probe, timings, batch, probe.hello)  # type: ignore[arg-type]
    return changing


# Other inputs


def others(inputs: OtherInputs, count: int = 3) -> list[Job]:
    made = inputs.jobs(Probe(HOST))  # type: ignore[arg-type]
    return [job for job, _ in zip(made, range(count), strict=False)]


def test_nonce_and_message_change_and_the_key_where_it_is_set_up() -> None:
    for operation, keys in ((Operation.ENCRYPT_MESSAGE, 1), (Operation.ENCRYPT_NEW_KEY, 4)):
        inputs = inputs_of(operation)
        made = [inputs.job, *others(inputs)]
        assert len({job.key for job in made}) == keys
        assert len({job.nonce for job in made}) == len({job.data for job in made}) == 4
        assert {len(job.nonce) for job in made} == {16} and {job.data.length for job in made} == {
            16
        }  # type: ignore[union-attr]


def test_a_case_without_anything_to_change_has_no_other_inputs() -> None:
    scheme = schemes()["sha256"]
    offer = Offer("sha256", frozenset(("digest",)), (0, 0), (0, 0), (32, 32), 1, False)
    for size, count in ((0, 0), (16, 3)):
        data = Fill(5, size) if size else b""
        job = jobs.symmetric(scheme, offer, Operation.DIGEST, data)
        assert (
            len(
                others(
                    OtherInputs(case_of(Operation.DIGEST, size, "sha256"), scheme, offer, job, 1.0)
                )
            )
            == count
        )


def test_additional_data_change_if_nothing_else_can() -> None:
    inputs = inputs_of(size=0, aad=b"12345678")
    bare = replace(inputs, job=replace(inputs.job, nonce=b""))
    made = others(bare)
    assert len({job.aad for job in (bare.job, *made)}) == 4 and {len(job.aad) for job in made} == {
        8
    }  # type: ignore[arg-type]


def test_a_board_decrypts_a_ciphertext_of_its_own_in_the_control() -> None:
    job = inputs_of(Operation.DECRYPT_MESSAGE).job
    found = sealed(job, Probe(BOARD), 1.0)  # type: ignore[arg-type]
    assert job.inverse and found == replace(job, inverse=False, data=b"c" * 16, tag=b"t" * 16)


# Probes that replace the input


@pytest.mark.parametrize("kept", [1, 4])
def test_on_a_host_code_that_remembers_is_found_and_measured_with_changing_inputs(
    kept: int,
) -> None:
    probe = Probe(HOST, remembers=kept)
    changing = decided(probe, batch=4000)
    assert changing.effect is not None
    assert changing.effect.same == pytest.approx(HIT, abs=0.1)
    assert changing.effect.changing == pytest.approx(FULL, rel=0.01)
    assert changing.notes == [changing.effect.note()]
    assert "with the same input 22.0 ns: the code remembers its input" in changing.notes[0]
    job = inputs_of().job
    found = changing.measure(probe, job, Batches(10, 3, 0, 60.0))  # type: ignore[arg-type]
    if kept == 1:
        assert [ticks - 20 for ticks in found.timing.ticks] == [10 * FULL] * 3, (
            "what copying takes is not in it"
        )
    assert found.timing.cpu == found.timing.ticks and len(found.parts) == 3


def test_what_takes_much_longer_with_changing_inputs_does_not_take_the_control_longer() -> None:
    slow = Probe(HOST, remembers=1, does=10**6)
    changing = decided(slow, batch=64_000)
    assert changing.effect is not None and changing.effect.changing == pytest.approx(
        10**6, rel=0.01
    )
    assert slow.worked < 64_000 * HIT + 400 * 10**6, "a short batch of 125, then single operations"


def test_on_a_host_honest_code_is_measured_as_ever() -> None:
    probe = Probe(HOST)
    changing = decided(probe, batch=400)
    assert changing.effect is None and not changing.notes and changing.decided
    assert sum(bool(job.turns) for _, job in probe.asked) == 3, (
        "a short batch, and one request of each kind"
    )
    probe.asked.clear()
    found = changing.measure(probe, inputs_of().job, Batches(10, 3, 5, 60.0))  # type: ignore[arg-type]
    assert [what for what, _ in probe.asked] == ["measure"] and found.parts == (found.timing,)


def of_library(operation: Operation = Operation.ENCRYPT_MESSAGE) -> OtherInputs:
    inputs = inputs_of(operation)
    return replace(inputs, case=replace(inputs.case, implementation="openssl", provider="openssl"))


def test_a_library_is_looked_at_in_two_requests() -> None:
    probe = Probe(HOST)
    assert decided(probe, of_library(), batch=4000).effect is None
    turns = [job.turns for what, job in probe.asked if job.turns]
    assert len(turns) == 2 and len(set(turns[0])) == 1 and len(set(turns[1])) > 1
    assert probe.worked < 1.5 * 4000 * FULL, "beside the sample, less than half of one"


@pytest.mark.parametrize("kept", [1, 4])
@pytest.mark.parametrize("batch", [1, 12, 4000])
def test_a_library_that_remembers_is_found(kept: int, batch: int) -> None:
    changing = decided(Probe(HOST, remembers=kept), of_library(), batch=batch)
    assert changing.effect is not None
    assert changing.effect.same == pytest.approx(HIT, abs=0.1)
    assert changing.effect.changing == pytest.approx(FULL, rel=0.01)


class NoisyProbe(Probe):
    """A probe with one long request, the ``noisy``-th whose inputs take turns."""

    def __init__(self, noisy: int) -> None:
        super().__init__(HOST)
        self._noisy, self.turned = noisy, 0

    def measure(self, job: Job, **asked: Any) -> Timing:
        timing = super().measure(job, **asked)
        self.turned += bool(job.turns)
        if not job.turns or self.turned != self._noisy:
            return timing
        longer = tuple(2 * ticks for ticks in timing.ticks)
        return replace(timing, ticks=longer, cpu=longer)


@pytest.mark.parametrize("noisy", [1, 2])
def test_of_a_library_only_the_kind_that_looks_longer_is_asked_again(noisy: int) -> None:
    probe = NoisyProbe(noisy)
    assert decided(probe, of_library(), batch=4000).effect is None
    kinds = [len(set(job.turns)) > 1 for _, job in probe.asked if job.turns]
    assert kinds == [False, True, noisy == 2]


def test_what_works_on_its_own_output_changes_anyway() -> None:
    probe = Probe(HOST, remembers=1)
    assert decided(probe, inputs_of(Operation.ENCRYPT), batch=400).effect is None
    assert not any(job.turns for _, job in probe.asked)


def test_a_probe_that_cannot_replace_inputs_is_used_without_the_control() -> None:
    old = Probe(replace(HOST, does=frozenset(("measure",))), remembers=1)
    changing = decided(old, batch=400)
    assert changing.effect is None and not changing.notes and len(old.asked) == 1


@pytest.mark.parametrize(
    ("kind", "noted"),
    [
        (FailureKind.UNSUPPORTED, False),
        (FailureKind.TOO_BIG, False),
        (FailureKind.CRASH, True),
        (FailureKind.ERROR, True),
    ],
)
def test_code_that_fails_with_other_inputs_is_noted(kind: FailureKind, noted: bool) -> None:
    probe = Probe(HOST)
    probe.failure = ProbeFailure(kind, "why")
    changing = decided(probe, batch=400)
    assert changing.effect is None
    assert (
        changing.notes == [f"not compared with other inputs, which give {kind.value}: why"] * noted
    )


# Boards


@pytest.mark.parametrize("kept", [1, 3])
def test_on_a_board_the_request_after_other_inputs_shows_what_is_remembered(kept: int) -> None:
    probe = Probe(BOARD, remembers=kept)
    changing = decided(probe)
    assert changing.effect is not None
    assert (changing.effect.same, changing.effect.changing) == (HIT, FULL)
    found = changing.measure(probe, inputs_of().job, Batches(1, 2, 0, 60.0))  # type: ignore[arg-type]
    assert found.timing.ticks == (FULL + 20,) * 2


def test_on_a_board_honest_code_costs_one_computation_more() -> None:
    probe = Probe(BOARD)
    changing = decided(probe)
    assert changing.effect is None and not changing.notes
    assert [what for what, _ in probe.asked] == ["compute"] * 3 + ["measure"] * 2


def decided_on_a_new_board(probe: Probe) -> ChangingInputs:
    """The decision about slow code, whose first sample is the first request to its board."""
    inputs, changing = inputs_of(), ChangingInputs()
    changing.begin(inputs, probe, 1, fresh=True)  # type: ignore[arg-type]
    first = probe.measure(inputs.job, batch=1, count=2, warm=0, timeout=60.0)
    changing.decide(probe, [first], 1, probe.hello)  # type: ignore[arg-type]
    return changing


@pytest.mark.parametrize("kept", [1, 3])
def test_on_a_new_board_the_first_computation_shows_what_is_remembered(kept: int) -> None:
    changing = decided_on_a_new_board(Probe(BOARD, remembers=kept))
    assert changing.effect is not None
    assert (changing.effect.same, changing.effect.changing) == (HIT, FULL)


@pytest.mark.parametrize(("does", "requests"), [(10**6, 1), (FULL, 2)])
def test_on_a_new_board_honest_code_computes_no_other_input(does: int, requests: int) -> None:
    probe = Probe(BOARD, does=does)
    changing = decided_on_a_new_board(probe)
    assert changing.effect is None and not changing.notes
    assert [what for what, _ in probe.asked] == ["measure"] * requests


def test_on_a_new_board_a_set_up_at_the_first_call_is_no_memory() -> None:
    class SetUp(Probe):
        def _once(self, job: Job) -> int:
            return super()._once(job) + (0 if len(self.asked) > 1 else 5000)

    assert decided_on_a_new_board(SetUp(BOARD)).effect is None


def test_on_a_board_time_that_depends_on_the_input_is_no_memory() -> None:
    class Uneven(Probe):
        def _once(self, job: Job) -> int:
            return super()._once(job) + 100 * (hash(job.nonce) % 7)

    assert decided(Uneven(BOARD)).effect is None


def test_on_a_board_decryption_is_compared_with_ciphertexts_alone() -> None:
    probe = Probe(BOARD, remembers=1)
    changing = decided(probe, inputs_of(Operation.DECRYPT_MESSAGE))
    assert changing.effect is not None
    measured: list[Any] = [job for what, job in probe.asked if what == "measure"]
    assert [job.inverse for job in measured[:2]] == [True, True], (
        "samples are those of every other implementation"
    )
    assert not any(job.inverse for job in measured[2:])


# Executions with other inputs


class Signer:
    """A board whose signature takes as many ticks as a rule says of the number of its execution.
    ``making``: ticks of a new key, which it makes of a seed; None if it cannot."""

    def __init__(self, rule: Callable[[int], int], making: int | None = 10) -> None:
        self.rule, self.making, self.keys, self.asked = rule, making, set[bytes](), 0

    def compute(self, job: Job, *, public: bool = False, **_: object) -> ProbeAnswer:
        if self.making is None:
            raise ProbeFailure(FailureKind.TOO_BIG, "no room")
        return ProbeAnswer(False, (b"public " if public else b"private ") + (job.key or job.seed))

    def measure(self, job: Job, **_: object) -> Timing:
        if job.operation == Operation.KEYGEN.value:
            assert self.making is not None
            return Timing((self.making,), None, None, 7, 16, None)
        self.keys.add(job.key)
        self.asked += 1
        return Timing((self.rule(self.asked),), None, None, 7, 16, None)


def spread_on(
    board: Any, operation: Operation = Operation.SIGN, usual: int = 1000
) -> tuple[Spread, list[Execution]]:
    """Executions with other messages; the case itself takes ``usual`` ticks."""
    scheme = schemes()["ml-dsa-44"]
    job = Job(scheme.name, operation.value, key=bytes(2560), data=Fill(3, 59))
    inputs = OtherInputs(case_of(operation, 59, scheme.name), scheme, OFFER, job, 60.0)
    spread = Spread(inputs, board, usual)
    return spread, list(spread.executions())


def signed_ticks(
    rule: Callable[[int], int], operation: Operation = Operation.SIGN, usual: int = 1000
) -> tuple[list[int], list[int]]:
    """Ticks of the pilot, and of what counts."""
    _, made = spread_on(Signer(rule), operation, usual)
    return tuple(  # type: ignore[return-value]
        [one.timing.ticks[0] for one in made if one.counts is counts] for counts in (False, True)
    )


def test_work_that_does_not_depend_on_its_input_has_a_pilot_of_five() -> None:
    assert signed_ticks(lambda number: 1000) == ([1000] * 5, [])
    spread, _ = spread_on(Signer(lambda number: 1000))
    assert spread.told() == "5 other inputs and keys take the same cycles"


def test_work_that_depends_a_little_has_ten_inputs_and_much_a_hundred() -> None:
    for rule, count in (
        (lambda number: 1000 + number % 3, 10),
        (lambda number: 1000 * (1 + number % 3), 100),
    ):
        pilot, counts = signed_ticks(rule)
        assert (len(pilot), len(counts)) == (2, count)
    assert signed_ticks(lambda number: 1000 * number, Operation.VERIFY) == ([], [])


def test_the_number_of_inputs_follows_from_the_pilot_alone() -> None:
    pilot, counts = signed_ticks(lambda number: 10**8 * (1 + number % 2))
    assert (pilot, len(counts)) == ([2 * 10**8, 10**8], 3)
    # What counts is never fewer for being long.
    pilot, counts = signed_ticks(lambda number: 10**7 if number <= 2 else 10**9)
    assert (len(pilot), len(counts)) == (2, 66)
    assert signed_ticks(lambda number: 2 * 10**9) == ([2 * 10**9], [2 * 10**9] * 2)
    assert signed_ticks(lambda number: 1, usual=10**9) == ([], [])


def test_each_input_has_keys_of_its_own() -> None:
    board = Signer(lambda number: 1000 * (1 + number % 3))
    spread, made = spread_on(board)
    assert (len(made), len(board.keys)) == (102, 102)
    assert len({one.public for one in made}) == len({one.job.data for one in made}) == 102
    assert len({one.job.aad for one in made}) == 102, "and draws other random bytes"
    assert spread.keys() == " and keys"


@pytest.mark.parametrize(
    ("making", "reason"),
    [(None, "making another one is too-big"), (10**9, "making one takes 1,000,000,000 ticks")],
)
def test_without_room_or_time_for_other_keys_messages_alone_change(
    making: int | None, reason: str
) -> None:
    board = Signer(lambda number: 1000 * (1 + number % 3), making)
    spread, made = spread_on(board)
    assert board.keys == {bytes(2560)} and len({one.job.data for one in made}) == 102
    assert spread.keys() == f" and the same key ({reason})"


def test_keys_that_do_not_follow_from_a_seed_are_not_changed() -> None:
    class Drawing(Signer):
        def compute(self, job: Job, **asked: Any) -> ProbeAnswer:
            self.asked += 1
            return replace(super().compute(job, **asked), out=b"key %d" % self.asked)

    spread, _ = spread_on(Drawing(lambda number: 1000))
    assert spread.keys() == " and the same key (its keys do not follow from a seed)"


def test_a_wrong_answer_of_making_other_keys_is_one_of_the_case() -> None:
    class Wrong(Signer):
        def compute(self, job: Job, **_: object) -> ProbeAnswer:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, "it writes beside its output")

    with pytest.raises(ProbeFailure, match="beside its output"):
        spread_on(Wrong(lambda number: 1000))


def geometric(chance: float, source: random.Random) -> int:
    """Ticks of work that is done again until it is accepted, with that chance each time."""
    tries = 1
    while source.random() >= chance:
        tries += 1
    return 1000 * tries


@pytest.mark.parametrize(("chance", "slow"), [(1 / 4.25, 1), (1 / 4.25, 2000), (0.5, 1)])
def test_the_mean_of_work_that_tries_again_is_unbiased(chance: float, slow: int) -> None:
    """``slow``: ticks are so many times as long, so that time limits the number of executions."""
    source, errors, means = random.Random(4), [], []
    for _ in range(300):
        usual = slow * geometric(chance, source)
        _, made = spread_on(Signer(lambda number: slow * geometric(chance, source)), usual=usual)
        values = [one.timing.ticks[0] / 1000 / slow for one in made if one.counts]
        values = values or [usual / 1000 / slow]  # that looked constant
        means.append(fmean(values))
        if len(values) >= 10:
            errors.append((means[-1] - 1 / chance) / (stdev(values) / math.sqrt(len(values))))
    middle, uncertainty = fmean(means), stdev(means) / math.sqrt(len(means))
    assert abs(middle - 1 / chance) < 3 * uncertainty, (middle, uncertainty)
    assert len(errors) > 250
    within = sum(abs(error) < 2 for error in errors) / len(errors)
    assert 0.85 < within < 0.99, "as often as a standard uncertainty says"
