"""The plan of a small replication: cells that claims compare, samples that they need, time; and
more of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import jsonschema
import pytest
from pydantic import TypeAdapter

from motebench.base.identity import CaseId
from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.base.shapes import as_document
from motebench.documents import schema
from motebench.measuring.plan.plan import Plan
from motebench.measuring.study.model import PRESETS, Group
from motebench.publications.papers.checks import Check, Selector
from motebench.publications.papers.claims import PaperClaim, read_claims, replicable
from motebench.publications.papers.document import plan_document
from motebench.publications.papers.judging import JudgedSide, family_of, judge
from motebench.publications.papers.looks import (
    OF_MEMORY,
    CaseCost,
    OutlinedReplication,
    affordable,
    costs_of,
    open_claim,
    pooled,
)
from motebench.publications.papers.outcomes import CheckOutcome, ClaimVerdict, JudgedClaim
from motebench.publications.papers.parts import InputScale, prepare, targets_of
from motebench.publications.papers.planning import (
    LOOKS,
    NO_SIZE,
    RESOLUTION,
    ClaimPlanner,
    level_of,
    narrowed,
    samples_for,
    seconds_of,
    sizes_for,
    slowdown,
)
from motebench.publications.papers.replicate import ClaimVerdicts, look_of
from motebench.publications.papers.values import ClaimSamples, ClaimValue
from motebench.stats import ALPHA
from motebench.stats.shape import Bounded
from motebench.stats.shift import rank_sum

HOLDS, FAILS, OPEN = ClaimVerdict.HOLDS, ClaimVerdict.FAILS, ClaimVerdict.OPEN
PARTLY, NEAR = ClaimVerdict.PARTLY, ClaimVerdict.NEAR


def check_of(check: dict[str, Any]) -> Check:
    parsed: Check = TypeAdapter(Check).validate_python(check)
    return parsed


def claim_of(*checks: dict[str, Any]) -> PaperClaim:
    return PaperClaim(
        id="C1", statement="s", quote="q", where="w", check=tuple(map(check_of, checks))
    )


def measured(
    subject: str, values: list[float], *, units: bool = False, **others: Any
) -> ClaimValue:
    """A measured value with its samples, one a round or a process."""
    middle = sorted(values)[len(values) // 2]
    known: dict[str, Any] = {
        "operation": "encrypt",
        "size": 16,
        "device": "host",
        "mode": "cbc",
        "implementation": "lib/x",
        "metric": "time",
        "evidence": Evidence.MEASURED,
        "source": "run",
    }
    samples = ClaimSamples(tuple(values), tuple(range(len(values))), units)
    bounded = Bounded(middle, min(values), max(values))
    fields = {**known, **others}
    case = CaseId(
        subject, fields["implementation"], fields["operation"], fields["size"], fields["device"]
    )
    return ClaimValue(subject=subject, value=bounded, samples=samples, case=case, **fields)


def noisy(middle: float, spread: float, count: int, phase: float = 0.0) -> list[float]:
    """Values on both sides of a middle in turn, as far above as below; ``phase`` mixes how far."""
    far = [((place // 2 * 5 + round(phase * 6)) % 7 + 1) / 7 for place in range(count)]
    return [middle * math.exp(spread * reach * (-1) ** place) for place, reach in enumerate(far)]


LOWEST = {"kind": "lowest", "who": ["A"], "than": ["B"]}
RATIO = {
    "kind": "ratio",
    "a": {"subjects": ["A"]},
    "b": {"subjects": ["B"]},
    "low": 2.5,
    "high": 3.5,
}


# What a claim needs


@pytest.mark.parametrize(("level", "samples"), [(0.01, 6), (0.001, 7), (1e-4, 9), (1e-5, 11)])
def test_samples_are_as_many_as_a_test_of_two_sets_needs_at_the_level(
    level: float, samples: int
) -> None:
    assert samples_for(level) == samples
    assert rank_sum(samples, samples).tail(0) <= level / 2
    if samples > 6:
        assert rank_sum(samples - 1, samples - 1).tail(0) > level / 2


def test_a_larger_family_needs_more_samples() -> None:
    claim = claim_of(LOWEST)

    def side(sizes: int) -> JudgedSide:
        return JudgedSide(
            [measured(name, [1.0], size=16 + size) for name in "AB" for size in range(sizes)], True
        )

    assert family_of(claim, side(1)) == 1
    assert family_of(claim, side(40)) == 40
    assert level_of([claim], side(40)) == pytest.approx(ALPHA / LOOKS / 40)
    assert samples_for(level_of([claim], side(40))) > samples_for(level_of([claim], side(1)))


@pytest.mark.parametrize(
    ("check", "sizes"),
    [
        (LOWEST, (1, 4)),
        ({**LOWEST, "only": {"sizes": [2, 3]}}, (2, 3)),
        ({"kind": "grows"}, (1, 2, 3, 4)),
        ({"kind": "scales"}, (1, 2, 3, 4)),
        ({"kind": "constant", "over": ["size"], "said": "the same"}, (1, 2, 3, 4)),
        ({"kind": "constant", "over": ["subject"], "said": "the same"}, (1, 4)),
        ({"kind": "approaches", "a": "A", "b": "B"}, (1, 4)),
    ],
)
def test_a_claim_of_all_sizes_needs_the_first_and_the_last_and_steps_need_each(
    check: dict[str, Any], sizes: tuple[int, ...]
) -> None:
    parsed = check_of(check)
    assert sizes_for(parsed, parsed.only, (1, 2, 3, 4)) == sizes


def needs(
    key: str, method: str, block: int, part: str
) -> Mapping[tuple[str, Operation], frozenset[int]]:
    claims = read_claims(key)
    (found,) = [each for each in claims.part if each.name == part]
    whole = prepare(found, claims, (), InputScale())
    assert whole is not None
    planner = ClaimPlanner(claims, method, targets_of(claims, method, ()))
    return planner.needs(whole.question.study.measure[block]).sizes


def test_cells_that_no_claim_compares_are_left_out() -> None:
    cells = needs("suryateja-2025", "paper", 0, "paper")
    assert cells["aes-128-cbc", Operation.ENCRYPT_MESSAGE] == {1000, 10**5, 10**6, 10**8}
    assert cells["aes-128-cbc", Operation.DECRYPT_MESSAGE] == {1000, 10**8}, (
        "no claim names a size of decryption"
    )
    cells = needs("temirbekova-2024", "paper", 0, "paper")
    assert {operation for _, operation in cells} == {Operation.ENCRYPT, Operation.DECRYPT}, (
        "no claim is of keys"
    )
    assert set(cells["des-ecb", Operation.ENCRYPT]) == {16, 32, 64, 256}, (
        "proportional: from each size to the next"
    )


def test_what_needs_another_device_is_not_measured_for_it() -> None:
    claims = read_claims("jose-2023")
    group = Group(
        schemes=("aes-128-cbc",),
        targets=("host",),
        operations=(Operation.ENCRYPT_MESSAGE,),
        sizes=(1000,),
    )
    both = [claim for claim in claims.claim if claim.id == "C6"]
    assert ClaimPlanner(claims, "paper", {"host"}).needs(group, both).sizes == {}
    assert ClaimPlanner(claims, "paper", {"host", "ssh:pi"}).needs(group, both).sizes != {}


@pytest.mark.parametrize("key", replicable())
def test_every_claim_that_can_be_told_still_has_what_it_compares(key: str) -> None:
    claims = read_claims(key)
    assert claims.part
    for method in {part.method for part in claims.part}:
        planner = ClaimPlanner(claims, method, targets_of(claims, method, ()))
        parts = [part for part in claims.part if part.method == method]
        assert list(planner.told())
        whole = [prepare(part, claims, (), InputScale()) for part in parts]
        for claim in planner.told():
            for item in whole:
                assert item is not None
                small, _ = narrowed(item.question.study, planner)
                for group in item.question.study.measure:
                    for (scheme, operation), sizes in planner.needs(group, [claim]).sizes.items():
                        kept = small is not None and any(
                            scheme in block.schemes
                            and (operation in block.operations or operation is Operation.KEY_SETUP)
                            and sizes <= ({*block.sizes, *block.file_sizes} or {NO_SIZE})
                            for block in small.measure
                        )
                        assert kept, f"{claim.id} compares {scheme} {operation} {sizes}"


def test_an_empty_selector_selects_what_a_check_names() -> None:
    assert Selector().subjects == ()
    claims = read_claims("lino-2022")
    planner = ClaimPlanner(claims, "paper", targets_of(claims, "paper", ()))
    group = Group(
        schemes=("des-ecb", "aes-128-ecb"),
        targets=("sim:samd21g18a",),
        operations=(Operation.ENCRYPT_MESSAGE,),
        sizes=(100,),
    )
    (widening,) = [claim for claim in claims.claim if claim.id == "C5"]
    assert set(planner.needs(group, [widening]).sizes) == {("des-ecb", Operation.ENCRYPT_MESSAGE)}


def test_slowdown_is_elapsed_time_by_processor_time() -> None:
    clock = iter([0.0, *(place * 0.3 for place in range(1, 100))])
    work = iter([place * 0.1 for place in range(100)])
    assert slowdown(lambda: next(clock), lambda: next(work), least=0.2, most=9.0) == pytest.approx(
        3.0, rel=0.2
    )
    still = iter([0.0, 0.1, 0.2, 0.3])
    assert slowdown(lambda: next(still), lambda: 0.0, most=0.15) > 10


def plan_of(*cases: Case, jit: bool = False, evidence: Evidence = Evidence.MEASURED) -> Plan:
    """A plan of these cases on one target."""
    policy = replace(PRESETS["fast"], invocations=6, warmup=0.6)
    place = SimpleNamespace(evidence=evidence)
    targets = {case.target: SimpleNamespace(place=place) for case in cases}
    return cast(
        "Plan", SimpleNamespace(cases=cases, policy=policy, targets=targets, jit=lambda _: jit)
    )


def case_of(operation: Operation, size: int, target: str = "host") -> Case:
    return Case("aes-128-cbc", "lib/x", operation, size, target, "lib/x")


def test_time_grows_with_samples_with_sizes_of_files_and_with_how_busy_the_machine_is() -> None:
    small, large = (plan_of(case_of(Operation.ENCRYPT_FILE, size)) for size in (10**6, 10**8))
    assert seconds_of(large, 10, 0, 1.0) - seconds_of(small, 10, 0, 1.0) == pytest.approx(
        11 * 0.99, rel=0.01
    )
    assert seconds_of(small, 20, 0, 1.0) > seconds_of(small, 10, 0, 1.0)
    assert seconds_of(small, 10, 0, 3.0) == pytest.approx(3 * seconds_of(small, 10, 0, 1.0))
    quick = plan_of(case_of(Operation.ENCRYPT_MESSAGE, 1000))
    assert seconds_of(quick, 10, 0, 3.0) > 3 * seconds_of(quick, 10, 0, 1.0), (
        "disturbed samples are taken again"
    )
    assert seconds_of(quick, 10, 10, 1.0) > seconds_of(quick, 10, 0, 1.0)


def test_warm_ups_last_at_most_as_long_as_their_limit_however_busy_the_machine_is() -> None:
    cases = [case_of(Operation.ENCRYPT_MESSAGE, size) for size in range(1, 21)]
    plan, more = (
        plan_of(*cases, jit=True),
        plan_of(*cases, case_of(Operation.ENCRYPT_MESSAGE, 99), jit=True),
    )
    per_case = [
        seconds_of(more, 6, 0, busy) - seconds_of(plan, 6, 0, busy) for busy in (1.0, 2.0, 4.0)
    ]
    assert per_case == pytest.approx([6 * 0.9, 6 * (1.2 + 0.2), 6 * (1.2 + 0.4)])


def test_a_simulated_case_takes_no_more_time_for_more_samples() -> None:
    plan = plan_of(case_of(Operation.ENCRYPT_MESSAGE, 16, "sim:x"), evidence=Evidence.SIMULATED)
    assert seconds_of(plan, 10, 0, 1.0) == seconds_of(plan, 100, 0, 1.0)


def test_a_plan_says_what_it_leaves_out_and_how_long_it_takes() -> None:
    claims = read_claims("jose-2023")
    outline = OutlinedReplication(
        "jose-2023",
        claims,
        (),
        InputScale(small=True),
        (),
        2.5,
        unused=("own (x)",),
        problems=("paper: no openssl",),
    )
    found = plan_document([outline], 300.0)
    jsonschema.validate(as_document(found), schema("replication-plan"))
    (entry,) = found.papers
    assert (entry.slowdown, entry.seconds, entry.seconds_extra) == (2.5, 0.0, 300.0)
    assert (entry.unused, entry.problems) == (("own (x)",), ("paper: no openssl",))


# Verdicts by samples


def test_a_gross_difference_is_told_by_as_few_samples_as_the_plan_takes() -> None:
    cells = [
        measured("A", noisy(1.7, 0.1, 6), units=True),
        measured("B", noisy(27.2, 0.1, 6, 0.5), units=True),
    ]
    assert judge(claim_of(LOWEST), JudgedSide(cells, True, looks=LOOKS)).verdict is HOLDS
    pairs = [measured("A", noisy(1.7, 0.1, 10)), measured("B", noisy(27.2, 0.1, 10, 0.5))]
    assert judge(claim_of(LOWEST), JudgedSide(pairs, True, looks=LOOKS)).verdict is HOLDS


def test_pairs_tell_what_intervals_of_medians_do_not() -> None:
    drift = [1.0 + 0.5 * (place % 7) for place in range(24)]
    a = measured(
        "A", [level * value for level, value in zip(drift, noisy(1.0, 0.01, 24), strict=True)]
    )
    b = measured(
        "B", [level * value for level, value in zip(drift, noisy(1.2, 0.01, 24, 0.5), strict=True)]
    )
    assert a.value.over(b.value).high > 1  # type: ignore[operator]
    assert judge(claim_of(LOWEST), JudgedSide([a, b], True)).verdict is HOLDS


@pytest.mark.parametrize("units", [False, True])
def test_more_samples_of_one_side_do_not_undo_what_both_have_shown(units: bool) -> None:
    """Another claim asked for more samples of A, when the machine was four times slower."""
    a, b = noisy(1.0, 0.1, 10), noisy(1.7, 0.1, 10, 0.5)
    disturbed = (tuple(range(0, 20, 2)), tuple(range(1, 20, 2)))  # other rounds of each
    one, other = measured("A", [*a, *noisy(4.0, 0.1, 40)]), measured("B", b)
    assert one.samples is not None and other.samples is not None
    places = (*disturbed[0], *range(20, 60))

    def verdict(*starts: int) -> ClaimVerdict:
        longer = replace(one, samples=ClaimSamples(one.samples.values, places, units, starts))
        shorter = replace(
            other, samples=ClaimSamples(other.samples.values, disturbed[1], units, starts)
        )
        return judge(claim_of(LOWEST), JudgedSide([longer, shorter], True, looks=LOOKS)).verdict

    assert verdict(20) is HOLDS
    assert verdict() is not HOLDS  # as one set


def test_a_verdict_is_that_of_the_first_look_that_decides() -> None:
    def verdicts(paper: ClaimVerdict, own: ClaimVerdict | None) -> ClaimVerdicts:
        mine = None if own is None else JudgedClaim(own, "")
        return ClaimVerdicts(claim_of(LOWEST), JudgedClaim(OPEN, ""), JudgedClaim(paper, ""), mine)

    found = verdicts(OPEN, HOLDS).after(verdicts(HOLDS, OPEN))
    assert (found.by("paper"), found.by("own")) == (JudgedClaim(HOLDS, ""), JudgedClaim(HOLDS, ""))
    assert verdicts(FAILS, None).after(verdicts(OPEN, None)) == verdicts(FAILS, None)
    assert verdicts(FAILS, None).after(verdicts(HOLDS, HOLDS)).own is None


def test_what_is_too_near_to_the_bound_is_not_distinguishable_on_both_sides_of_it() -> None:
    for middle in (0.998, 1.0, 1.002):
        cells = [measured("A", noisy(1.0, 0.01, 60)), measured("B", noisy(middle, 0.01, 60, 0.5))]
        assert judge(claim_of(LOWEST), JudgedSide(cells, True)).verdict is NEAR
    cells = [measured("A", noisy(3.51, 0.01, 60)), measured("B", noisy(1.0, 0.01, 60, 0.5))]
    found = judge(claim_of(RATIO), JudgedSide(cells, True))
    assert found.verdict is NEAR
    assert "bound 3.5" in found.reason


def test_a_small_replication_waits_for_samples_where_a_value_is_nearer_than_it_tells_apart() -> (
    None
):
    def verdict(middle: float, spread: float) -> ClaimVerdict:
        cells = [
            measured("A", noisy(1.0, spread, 60)),
            measured("B", noisy(middle, spread, 60, 0.5)),
        ]
        return judge(
            claim_of(LOWEST), JudgedSide(cells, True, looks=LOOKS, resolution=RESOLUTION)
        ).verdict

    for middle in (0.95, 0.98, 1.0, 1.03, 1.06):
        assert verdict(middle, 0.01) is NEAR, "whichever side is lower, however sure that is"
    assert verdict(1.07, 0.5) is OPEN
    assert verdict(1.2, 0.01) is HOLDS
    assert verdict(0.8, 0.01) is FAILS


def test_memory_is_told_apart_as_finely_as_ever() -> None:
    check = {**LOWEST, "only": {"metric": "peak_rss"}}
    values = [("A", noisy(5.64, 0.002, 30)), ("B", noisy(6.08, 0.002, 30, 0.5))]
    cells = [measured(name, found, metric="peak_rss") for name, found in values]
    assert judge(claim_of(check), JudgedSide(cells, True, resolution=RESOLUTION)).verdict is HOLDS


def test_a_tolerance_of_the_paper_is_told_apart_as_finely_as_the_samples_do() -> None:
    check = {"kind": "constant", "over": ["subject"], "said": "the same"}
    for other, found in ((1.001, HOLDS), (1.1, FAILS)):
        cells = [measured("A", noisy(1.0, 0.002, 30)), measured("B", noisy(other, 0.002, 30, 0.5))]
        assert (
            judge(claim_of(check), JudgedSide(cells, True, resolution=RESOLUTION)).verdict is found
        )


def test_what_noise_leaves_open_names_its_cells_and_how_many_more_samples() -> None:
    cells = [measured("A", noisy(1.0, 0.4, 12)), measured("B", noisy(1.1, 0.4, 12, 0.5))]
    found = judge(claim_of(LOWEST), JudgedSide(cells, True))
    assert found.verdict is OPEN
    (outcome,) = found.lacking
    assert {cell.subject for cell in outcome.cells} == {"A", "B"}
    assert outcome.more > 2
    wider = [measured("A", noisy(1.0, 0.8, 12)), measured("B", noisy(1.1, 0.8, 12, 0.5))]
    (more,) = judge(claim_of(LOWEST), JudgedSide(wider, True)).lacking
    assert more.more > outcome.more


def test_counts_that_repeat_are_compared_without_a_test_of_noise() -> None:
    def allocated(subject: str, count: float) -> ClaimValue:
        return measured(subject, [count] * 2, units=True, metric="allocated")

    check = {**LOWEST, "only": {"metric": "allocated"}}
    assert (
        judge(
            claim_of(check), JudgedSide([allocated("A", 1680), allocated("B", 1688)], True)
        ).verdict
        is HOLDS
    )
    assert (
        judge(
            claim_of(check), JudgedSide([allocated("A", 1680), allocated("B", 1680)], True)
        ).verdict
        is FAILS
    )


def test_libraries_that_are_decided_in_both_ways_hold_in_part_whatever_a_third_says() -> None:
    def of(library: str, a: float, b: float, spread: float = 0.0) -> list[ClaimValue]:
        values = [("A", noisy(a, spread, 12)), ("B", noisy(b, spread, 12, 0.5))]
        return [measured(name, found, implementation=f"{library}/{name}") for name, found in values]

    cells = [*of("one", 1, 9, 0.01), *of("two", 9, 1, 0.01), *of("three", 1, 1.1, 0.5)]
    assert judge(claim_of(LOWEST), JudgedSide(cells, True)).verdict is PARTLY
    assert judge(claim_of(LOWEST), JudgedSide([*cells[:2], *cells[4:]], True)).verdict is OPEN


def test_a_larger_family_asks_more_of_a_contradiction_and_no_more_of_agreement() -> None:
    def pair(size: int, a: float, b: float) -> list[ClaimValue]:
        return [
            measured("A", noisy(a, 0.12, 12), size=size),
            measured("B", noisy(b, 0.12, 12, 0.5), size=size),
        ]

    def family(a: float, b: float, count: int) -> ClaimVerdict:
        cells = [cell for size in range(16, 16 + count) for cell in pair(size, a, b)]
        return judge(claim_of(LOWEST), JudgedSide(cells, True)).verdict

    assert family(1.2, 1.0, 1) is FAILS
    assert family(1.2, 1.0, 900) is OPEN
    assert family(1.0, 1.3, 1) is family(1.0, 1.3, 900) is HOLDS


def test_samples_of_other_rounds_are_compared_as_two_sets() -> None:
    a = measured("A", noisy(1.0, 0.1, 14))
    b = measured("B", noisy(4.0, 0.1, 14, 0.5))
    assert b.samples is not None
    apart = replace(b, samples=replace(b.samples, places=tuple(range(100, 114))))
    assert judge(claim_of(LOWEST), JudgedSide([a, apart], True, looks=LOOKS)).verdict is HOLDS


# More samples


def case(name: str) -> CaseId:
    return CaseId(name, "lib/x", "encrypt", 16, "host")


def lacking(more: float, *names: str) -> JudgedClaim:
    cells = tuple(measured(name, [1.0] * 10, implementation="lib/x") for name in names)
    outcome = CheckOutcome(OPEN, "w", cells=cells, more=more)
    return JudgedClaim(OPEN, "r", (outcome,), (outcome,))


COSTS = {case(name): CaseCost(10, 0.5) for name in "ABC"}


def test_an_open_claim_says_how_many_samples_it_lacks_and_how_long_they_take() -> None:
    found = open_claim("C1", lacking(3.0, "A", "B"), (), COSTS)
    assert found is not None
    assert found.cells == {case("A"): 20, case("B"): 20}
    assert found.seconds == pytest.approx(20.0)
    missing = open_claim("C1", JudgedClaim(OPEN, "r"), [case("C")], COSTS)
    assert missing is not None
    assert missing.cells == {case("C"): 10}


def test_one_contradiction_may_be_cheaper_than_all_that_is_open() -> None:
    far, near = lacking(100.0, "A", "B").lacking[0], lacking(3.0, "B", "C").lacking[0]
    both = JudgedClaim(OPEN, "r", (far, near), (far, near))
    agrees = open_claim("C1", both, (), COSTS)
    assert agrees is not None
    assert set(agrees.cells) == {case("A"), case("B"), case("C")}
    against = replace(both, lacking=(far, replace(near, against=True)))
    found = open_claim("C1", against, (), COSTS)
    assert found is not None
    assert found.cells == {case("B"): 20, case("C"): 20}


def test_what_firmware_takes_is_asked_for_where_a_claim_is_about_it() -> None:
    claims = read_claims("temirbekova-2024")
    (part,) = [part for part in claims.part if part.name == "paper"]
    prepared = prepare(part, claims, (), InputScale(small=True))
    assert prepared is not None
    assert {"flash_net", "static_ram_net"} <= prepared.metrics & OF_MEMORY


def test_a_claim_that_is_decided_or_that_samples_do_not_decide_lacks_nothing() -> None:
    assert open_claim("C1", JudgedClaim(HOLDS, "r"), [case("A")], COSTS) is None
    assert open_claim("C1", JudgedClaim(OPEN, "no such device"), (), COSTS) is None
    assert open_claim("C1", lacking(3.0, "D"), (), COSTS) is None


def test_the_cheapest_claims_are_measured_while_the_time_lasts() -> None:
    cheap, dear = (
        open_claim("C2", lacking(2.0, "A"), (), COSTS),
        open_claim("C1", lacking(9.0, "A", "B"), (), COSTS),
    )
    assert cheap is not None
    assert dear is not None
    assert affordable([dear, cheap], 100.0) == {case("A"): 80, case("B"): 80}
    assert affordable([dear, cheap], 20.0) == {case("A"): 10}
    assert affordable([dear, cheap], 1.0) == {}
    # In the last look what is left goes to the next one, as long as that is a fifth of what it
    # needs.
    assert affordable([dear, cheap], 25.0, last=True) == {case("A"): 20, case("B"): 20}
    assert affordable([dear, cheap], 20.0, last=True) == {case("A"): 10}
    assert affordable([dear, cheap], 100.0, last=True) == affordable([dear, cheap], 100.0)


def run_of(values: list[float], *, invocations: bool = False, name: str = "run") -> Run:
    """A run of one case with a sample of each value."""
    samples = tuple(
        Sample(place, value, at=float(place), invocation=place if invocations else None)
        for place, value in enumerate(values)
    )
    measured_case = Case("aes-128-cbc", "lib/x", Operation.ENCRYPT_MESSAGE, 16, "host", "lib/x")
    series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)
    info = RunInfo(
        1, name, "", "2026-01-01T00:00:00+00:00", "2026-01-01T00:01:40+00:00", "finished", "1", 1
    )
    return Run(info, (CaseResult(measured_case, (series,), finished=True),))


def test_runs_of_one_part_are_pooled_without_one_round_or_process_twice() -> None:
    whole, starts = pooled(
        [run_of([1.0, 2.0], invocations=True), run_of([3.0], invocations=True), run_of([4.0])]
    )
    (series,) = whole.results[0].series
    assert [sample.raw for sample in series.samples] == [1.0, 2.0, 3.0, 4.0]
    assert [sample.round for sample in series.samples] == [0, 1, 2, 3]
    assert [sample.invocation for sample in series.samples] == [0, 1, 2, None]
    ats = [sample.at for sample in series.samples]
    assert ats == sorted(ats)
    assert (starts.rounds, starts.invocations) == ((2, 3), (2, 3))
    assert [
        look_of(run_of([1.0], name=name)) for name in ("p_own", "p_own.look-2", "p_own.look-3.2")
    ] == [1, 2, 3]


def test_the_cost_of_a_sample_is_the_time_of_its_run_by_its_samples() -> None:
    class Plan:
        cases = ("case",)

        def __init__(self, *, jit: bool) -> None:
            self.jit = lambda _: jit

    class Part:
        samples = 20

        def __init__(self, *, jit: bool) -> None:
            self.plan = Plan(jit=jit)

    costs = costs_of(Part(jit=False), run_of([1.0] * 20), [])  # type: ignore[arg-type]
    assert list(costs.values()) == [CaseCost(20, 5.0)]
    started = costs_of(Part(jit=True), run_of([1.0] * 20), [])  # type: ignore[arg-type]
    assert list(started.values()) == [CaseCost(20, 2.5, 2.5)]
