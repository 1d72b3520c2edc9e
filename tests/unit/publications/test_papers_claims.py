"""The language of claims: what each kind of check makes of values whose answer is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import TypeAdapter, ValidationError

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.catalog import papers
from motebench.documents.result import Measurement
from motebench.publications.papers import checks
from motebench.publications.papers.checks import Check
from motebench.publications.papers.claims import (
    PaperClaim,
    PaperDevice,
    StatedQuantity,
    folder_of,
    read_claims,
    replicable,
)
from motebench.publications.papers.judging import JudgedSide, judge
from motebench.publications.papers.outcomes import ClaimVerdict, JudgedClaim
from motebench.publications.papers.values import (
    ClaimValue,
    at_published_sizes,
    interval_of,
    label,
    published_cells,
)
from motebench.stats.shape import Bounded, kendall, scaling

HOLDS, FAILS, OPEN = ClaimVerdict.HOLDS, ClaimVerdict.FAILS, ClaimVerdict.OPEN
PARTLY, NEAR = ClaimVerdict.PARTLY, ClaimVerdict.NEAR
CLAIMS = {
    "nist-lwc-2023": 3,
    "pqm4-2025": 6,
    "jose-2023": 10,
    "lino-2022": 8,
    "pycrypto-boards-2020": 6,
    "suryateja-2025": 11,
    "temirbekova-2024": 7,
}


def cell(subject: str, value: float, width: float | None = 0.0, **others: Any) -> ClaimValue:
    """A cell whose interval reaches ``width`` (a part of it) to both sides; None: no interval."""
    bounded = (
        Bounded(value)
        if width is None
        else Bounded(value, value * (1 - width), value * (1 + width))
    )
    known: dict[str, Any] = {
        "operation": "encrypt",
        "size": 16,
        "device": "here",
        "mode": "cbc",
        "implementation": "",
        "metric": "time",
        "evidence": Evidence.MEASURED,
        "source": "run",
    }
    return ClaimValue(subject=subject, value=bounded, **{**known, **others})


def judged(
    check: dict[str, Any], *cells: ClaimValue, ours: bool = True, **side: Any
) -> JudgedClaim:
    """The verdict of a claim with one check."""
    parsed: Check = TypeAdapter(Check).validate_python(check)
    claim = PaperClaim(id="C1", statement="s", quote="q", where="w", check=(parsed,))
    return judge(claim, JudgedSide(cells, ours, **side))


LOWEST = {"kind": "lowest", "who": ["A"], "than": ["B"]}


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ((1.0, 0.0), (2.0, 0.0), HOLDS),
        ((2.0, 0.0), (1.0, 0.0), FAILS),
        ((1.0, 0.1), (1.1, 0.1), OPEN),
        ((1.0, None), (2.0, 0.0), OPEN),
    ],
)
def test_an_order_counts_only_where_intervals_are_apart(
    a: tuple[float, float | None], b: tuple[float, float | None], verdict: ClaimVerdict
) -> None:
    assert judged(LOWEST, cell("A", *a), cell("B", *b)).verdict is verdict


@pytest.mark.parametrize(
    ("evidence", "metric", "values", "ends"),
    [
        ("measured", "time", (1.0, 2.0, 3.0, 4.0), (None, None)),
        ("measured", "allocated", (16.0,) * 6, (16.0, 16.0)),
        ("measured", "allocated", (16.0, 17.0), (None, None)),
        ("simulated", "time", (4.0, 5.0), (4.0, 5.0)),
    ],
)
def test_a_range_of_few_measured_values_is_no_interval(
    evidence: str, metric: str, values: tuple[float, ...], ends: tuple[float | None, float | None]
) -> None:
    row = SimpleNamespace(
        ci_low=None,
        ci_high=None,
        n=len(values),
        min=min(values),
        max=max(values),
        median=values[0],
        metric=metric,
        evidence=evidence,
    )
    found = interval_of(cast("Measurement", row))
    assert (found.low, found.high) == ends


@pytest.mark.parametrize(
    ("ratios", "verdict"), [((1.0, 10.0), PARTLY), ((1.0, 2.0), FAILS), ((9.0, 10.0), FAILS)]
)
def test_other_code_contradicts_a_claim_about_code_from_one_side_only(
    ratios: tuple[float, ...], verdict: ClaimVerdict
) -> None:
    sides = {"a": {"operations": ["decrypt"]}, "b": {"operations": ["encrypt"]}}
    check = TypeAdapter(Check).validate_python({"kind": "ratio", "said": "7.9", **sides})
    claim = PaperClaim(id="C", statement="s", quote="q", where="w", of_code=True, check=(check,))
    cells = [
        cell("A", value, operation=operation, implementation=f"mote/{name}")
        for name, ratio in zip("ab", ratios, strict=True)
        for operation, value in (("encrypt", 1.0), ("decrypt", ratio))
    ]
    assert judge(claim, JudgedSide(cells, True)).verdict is verdict
    assert (
        judge(claim.model_copy(update={"of_code": False}), JudgedSide(cells, True)).verdict is FAILS
    )
    assert judge(claim, JudgedSide(cells, False)).verdict is FAILS, (
        "the paper's own numbers are of its code"
    )


def test_a_subject_without_a_value_leaves_it_open() -> None:
    check = {**LOWEST, "than": ["B", "C"]}
    found = judged(check, cell("A", 1.0), cell("B", 2.0))
    assert found.verdict is OPEN
    assert "no value of C" in found.reason
    assert judged(check, cell("A", 3.0), cell("B", 2.0)).verdict is FAILS


def test_one_clear_contradiction_is_enough() -> None:
    cells = [cell("A", 1.0), cell("B", 2.0), cell("A", 3.0, size=32), cell("B", 2.0, size=32)]
    found = judged(LOWEST, *cells)
    assert found.verdict is FAILS
    assert (found.count(HOLDS), found.count(FAILS)) == (1, 1)
    assert "32 B" in found.reason


def test_libraries_that_disagree_let_it_hold_in_part() -> None:
    def of(library: str, a: float, b: float) -> list[ClaimValue]:
        return [
            cell("A", a, implementation=f"{library}/a"),
            cell("B", b, implementation=f"{library}/b"),
        ]

    assert judged(LOWEST, *of("one", 1, 2), *of("two", 3, 4)).verdict is HOLDS
    found = judged(LOWEST, *of("one", 1, 2), *of("two", 2, 1))
    assert found.verdict is PARTLY
    assert "holds with one" in found.reason
    assert "does not hold with two" in found.reason


def test_ciphers_of_two_libraries_are_compared_where_no_library_has_both() -> None:
    found = judged(
        LOWEST, cell("A", 1.0, implementation="one"), cell("B", 2.0, implementation="two")
    )
    assert found.verdict is HOLDS


def test_an_order_of_several() -> None:
    check = {"kind": "order", "order": [["A", "B"], ["C"]]}
    assert judged(check, cell("A", 1.0), cell("B", 1.1), cell("C", 2.0)).verdict is HOLDS
    assert judged(check, cell("A", 1.0), cell("B", 3.0), cell("C", 2.0)).verdict is FAILS


@pytest.mark.parametrize(
    ("width", "bound", "verdict"), [(0.0, 3.1, HOLDS), (0.0, 2.95, FAILS), (0.05, 3.1, OPEN)]
)
def test_a_ratio_whose_interval_crosses_the_bound_is_open(
    width: float, bound: float, verdict: ClaimVerdict
) -> None:
    check = {
        "kind": "ratio",
        "a": {"subjects": ["A"]},
        "b": {"subjects": ["B"]},
        "low": 0.0,
        "high": bound,
    }
    assert judged(check, cell("A", 3.0, width), cell("B", 1.0)).verdict is verdict


def test_a_ratio_of_operations_of_one_subject() -> None:
    check = {
        "kind": "ratio",
        "a": {"operations": ["decrypt"]},
        "b": {"operations": ["encrypt"]},
        "low": 1.9,
        "high": 2.1,
    }
    cells = [
        cell("A", 1.0),
        cell("A", 2.0, operation="decrypt"),
        cell("B", 9.0),
        cell("B", 18.0, operation="decrypt"),
    ]
    found = judged(check, *cells)
    assert found.verdict is HOLDS
    assert len(found.outcomes) == 2


def test_a_ratio_of_two_devices_needs_both() -> None:
    check = {
        "kind": "ratio",
        "a": {"devices": ["PC"]},
        "b": {"devices": ["Pi"]},
        "low": 0.1,
        "high": 0.3,
    }
    published = [cell("A", 1.0, device="PC"), cell("A", 5.0, device="Pi")]
    assert judged(check, *published, ours=False).verdict is HOLDS
    devices = (
        PaperDevice(name="PC", targets=("host",)),
        PaperDevice(name="Pi", targets=("ssh:*",)),
    )
    alone = judged(check, cell("A", 1.0, device="host"), devices=devices)
    assert alone.verdict is OPEN
    assert "--target" in alone.reason
    both = [cell("A", 1.0, device="host"), cell("A", 5.0, device="ssh:pi")]
    assert judged(check, *both, devices=devices).verdict is HOLDS


def test_a_board_is_the_device_that_its_device_tree_names() -> None:
    pi = PaperDevice(name="Pi", targets=("emu:aarch64",), models=("Raspberry Pi 3*",))
    check = {
        "kind": "level",
        "low": 0.5,
        "high": 1.5,
        "only": {"devices": ["Pi"], "subjects": ["A"]},
    }
    named = cell("A", 1.0, device="ssh:raspberrypi3", model="Pine64 Rock64")
    assert judged(check, named, devices=(pi,)).verdict is OPEN, "the name of a host is no model"
    real = cell("A", 1.0, device="ssh:b", model="Raspberry Pi 3 Model B Rev 1.2")
    assert judged(check, real, devices=(pi,)).verdict is HOLDS
    assert pi.may_be("ssh:b") and pi.may_be("command:ssh:b") and not pi.may_be("host")


def test_a_machine_with_instructions_that_a_device_lacks_does_not_stand_for_it() -> None:
    pi = PaperDevice(name="Pi", models=("Raspberry Pi 3*",), lacks=("aes",))
    check = {**LOWEST, "only": {"devices": ["Pi"]}}
    fast, other = cell("A", 1.0, uses=frozenset({"aes"})), cell("B", 2.0)
    found = judged(check, fast, other, devices=(pi,))
    assert found.verdict is OPEN and "AES instructions, which Pi lacks" in found.reason
    plain = cell("A", 3.0, implementation="x@no-aes")
    assert judged(check, fast, plain, other, devices=(pi,)).verdict is FAILS, (
        "the plain one alone counts"
    )
    assert judged(LOWEST, fast, other, devices=(pi,)).verdict is HOLDS, "of no device"


def test_values_that_stand_for_one_device_count_in_its_claims_alone() -> None:
    devices = (PaperDevice(name="PC", targets=("here",)), PaperDevice(name="Pi", models=("Pi*",)))
    fast, slow = cell("A", 1.0), cell("A", 3.0, implementation="x@no-aes", stands_for=("Pi",))
    of_pc = judged(
        {**LOWEST, "only": {"devices": ["PC"]}}, fast, slow, cell("B", 2.0), devices=devices
    )
    assert of_pc.verdict is HOLDS
    assert judged(LOWEST, fast, slow, cell("B", 2.0), devices=devices).verdict is HOLDS
    of_pi = judged({**LOWEST, "only": {"devices": ["Pi"]}}, slow, cell("B", 2.0), devices=devices)
    assert of_pi.verdict is FAILS


def test_instructions_are_the_shape_of_a_time() -> None:
    devices = (PaperDevice(name="Pi", targets=("emu:aarch64",)),)
    cells = [
        cell(name, value, device="emu:aarch64", metric="instructions")
        for name, value in (("A", 1.0), ("B", 2.0))
    ]
    found = judged(
        {**LOWEST, "only": {"metric": "time", "devices": ["Pi"]}}, *cells, devices=devices
    )
    assert found.verdict is HOLDS and "shape only: instructions of emu:aarch64" in found.reason


def test_values_of_another_device_are_shape_only_and_say_nothing_of_a_level() -> None:
    devices = (PaperDevice(name="Pi", targets=("ssh:*",)),)
    elsewhere = [cell("A", 1.0, device="host"), cell("B", 2.0, device="host")]
    found = judged({**LOWEST, "only": {"devices": ["Pi"]}}, *elsewhere, devices=devices)
    assert found.verdict is HOLDS
    assert "not on Pi" in found.reason
    level = {
        "kind": "level",
        "low": 0.5,
        "high": 1.5,
        "only": {"devices": ["Pi"], "subjects": ["A"]},
    }
    assert judged(level, *elsewhere, devices=devices).verdict is OPEN
    assert judged(level, cell("A", 1.0, device="ssh:pi"), devices=devices).verdict is HOLDS


@pytest.mark.parametrize(
    ("values", "verdict"),
    [((1.0, 2.0, 4.0), HOLDS), ((1.5, 2.5, 4.5), FAILS), ((1.0, 1.9, 4.0), FAILS)],
)
def test_proportional_to_size(values: tuple[float, ...], verdict: ClaimVerdict) -> None:
    cells = [cell("A", value, size=16 * 2**i) for i, value in enumerate(values)]
    assert judged({"kind": "scales", "exponent": [0.98, 1.02]}, *cells).verdict is verdict


def test_grows_and_approaches() -> None:
    sizes = [cell("A", 1.0), cell("A", 2.0, size=32)]
    assert judged({"kind": "grows"}, *sizes).verdict is HOLDS
    assert judged({"kind": "grows"}, cell("A", 2.0), cell("A", 1.0, size=32)).verdict is FAILS
    nearer = [*sizes, cell("B", 2.0), cell("B", 2.1, size=32)]
    check = {"kind": "approaches", "a": "A", "b": "B"}
    assert judged(check, *nearer).verdict is HOLDS
    assert judged(check, *sizes, cell("B", 1.1), cell("B", 4.0, size=32)).verdict is FAILS


@pytest.mark.parametrize(
    ("other", "width", "verdict"), [(1.04, 0.0, HOLDS), (1.2, 0.0, FAILS), (1.04, 0.02, OPEN)]
)
def test_constant_across_a_set(other: float, width: float, verdict: ClaimVerdict) -> None:
    check = {"kind": "constant", "over": ["subject"], "said": "the same"}
    assert judged(check, cell("A", 1.0, width), cell("B", other, width)).verdict is verdict


def test_the_same_order_on_two_devices() -> None:
    check = {"kind": "same-order", "least": 0.9}
    here = [cell(name, value) for name, value in zip("ABC", (1.0, 2.0, 3.0), strict=True)]
    there = [
        cell(name, value, device="there")
        for name, value in zip("ABC", (10.0, 30.0, 20.0), strict=True)
    ]
    assert judged(check, *here, *there).verdict is FAILS
    assert (
        judged(
            check, *here, *(cell(c.subject, c.value.value * 9, device="there") for c in here)
        ).verdict
        is HOLDS
    )
    assert judged(check, *here).verdict is OPEN


def test_a_modelled_value_decides_nothing() -> None:
    cells = [
        cell(name, value, metric="power", evidence=Evidence.MODELLED)
        for name, value in (("A", 1.0), ("B", 2.0))
    ]
    found = judged({**LOWEST, "only": {"metric": "power"}}, *cells)
    assert found.verdict is OPEN
    assert "instrument" in found.reason


def test_time_against_time_on_air() -> None:
    check = {
        "kind": "airtime",
        "radio": "sx1276",
        "sf": [7],
        "bandwidth_khz": 125,
        "low": 0.5,
        "high": 2.0,
    }
    on_air = 174.336e6  # ns: 100 bytes with SF7, 8 symbols of preamble, 4/5, header and CRC
    assert judged(check, cell("A", on_air, size=100)).verdict is HOLDS
    assert judged(check, cell("A", on_air / 1000, size=100)).verdict is FAILS
    assert judged(check, cell("A", on_air, size=100, metric="instructions")).verdict is OPEN


def test_steps_of_time_on_air() -> None:
    check = {
        "kind": "airtime-steps",
        "radio": "sx1276",
        "sf": [12],
        "bandwidth_khz": 125,
        "most": 255,
        "share": [1, 1],
    }
    assert judged(check).verdict is FAILS
    assert judged({**check, "share": [0.15, 0.25]}).verdict is HOLDS


def test_a_formula_is_of_the_paper_alone() -> None:
    quantities = {
        "amps": StatedQuantity(value=14, unit="mA", where="text"),
        "more": StatedQuantity(value=0.062, unit="A", where="text"),
    }
    check = {"kind": "formula", "expression": "amps * 2 / more", "low": 1.0}
    assert judged(check, ours=False, quantities=quantities).verdict is FAILS
    assert judged(check, quantities=quantities).verdict is OPEN


def test_what_a_side_cannot_tell_is_said_and_not_computed() -> None:
    claim = PaperClaim(
        id="C",
        statement="s",
        quote="q",
        where="w",
        published="images",
        check=(TypeAdapter(Check).validate_python(LOWEST),),
    )
    cells = [cell("A", 1.0), cell("B", 2.0)]
    assert judge(claim, JudgedSide(cells, False)) == JudgedClaim(OPEN, "images")
    assert judge(claim, JudgedSide(cells, True)).verdict is HOLDS


# Shapes


def test_a_claim_does_not_hold_by_one_of_its_checks_alone() -> None:
    checks = tuple(
        TypeAdapter(Check).validate_python({**LOWEST, "only": {"metric": m}})
        for m in ("time", "peak_rss")
    )
    claim = PaperClaim(id="C1", statement="s", quote="q", where="w", check=checks)
    cells = [cell("A", 1.0, metric="peak_rss"), cell("B", 2.0, metric="peak_rss")]
    found = judge(claim, JudgedSide(cells, True, disturbed=3))
    assert found.verdict is OPEN
    assert "not enough values of time: 3 times were disturbed" in found.reason
    assert judge(claim, JudgedSide([*cells, cell("A", 1.0), cell("B", 2.0)], True)).verdict is HOLDS
    assert judge(claim, JudgedSide([*cells, cell("A", 3.0), cell("B", 2.0)], True)).verdict is FAILS


def test_our_own_method_may_say_why_it_cannot_tell() -> None:
    parsed: Check = TypeAdapter(Check).validate_python(LOWEST)
    claim = PaperClaim(
        id="C1",
        statement="s",
        quote="q",
        where="w",
        own="another thing is measured",
        check=(parsed,),
    )
    cells = [cell("A", 1.0), cell("B", 2.0)]
    assert judge(claim, JudgedSide(cells, True)).verdict is HOLDS
    assert judge(claim, JudgedSide(cells, True, own=True)) == JudgedClaim(
        OPEN, "another thing is measured"
    )


def test_what_fails_on_another_device_says_nothing_of_the_claims_device() -> None:
    check = {"kind": "fails", "share": 0.5, "only": {"sizes": [500], "devices": ["Board"]}}
    devices = (PaperDevice(name="Board", targets=("sim:*",)),)
    cells = [cell("A", 1.0, size=500, device="sim:x")]
    missing = {("B", 500, "sim:x"), ("C", 500, "sim:x")}
    assert judged(check, *cells, devices=devices, missing=frozenset(missing)).verdict is HOLDS
    elsewhere = frozenset((subject, size, "emu:y") for subject, size, _ in missing)
    assert judged(check, *cells, devices=devices, missing=elsewhere).verdict is FAILS


def test_kendall_and_its_bounds() -> None:
    rising = [Bounded.exact(value) for value in (1.0, 2.0, 3.0, 4.0)]
    same = kendall(rising, rising)
    assert same is not None
    assert (same.tau, same.low, same.high, same.open) == (1.0, 1.0, 1.0, 0)
    blurred = [Bounded(value, value - 0.6, value + 0.6) for value in (1.0, 2.0, 3.0, 4.0)]
    found = kendall(rising, blurred)
    assert found is not None
    assert found.open == 3
    assert found.tau == 1.0
    assert found.low == pytest.approx(0.0)
    opposite = kendall(rising, rising[::-1])
    assert opposite is not None
    assert opposite.tau == -1.0
    assert kendall(rising, [Bounded.exact(1.0)] * 4) is None


def test_kendall_with_ties() -> None:
    a, b = [1.0, 2.0, 2.0, 4.0, 5.0, 3.0], [2.0, 1.0, 2.0, 6.0, 4.0, 4.0]
    found = kendall([Bounded.exact(value) for value in a], [Bounded.exact(value) for value in b])
    assert found is not None
    assert found.tau == pytest.approx(0.5929994533)  # scipy.stats.kendalltau gives the same


def test_the_exponent_of_a_line_through_zero_is_one_and_has_no_intercept() -> None:
    found = scaling([10, 100, 1000], [Bounded.exact(value) for value in (3.0, 30.0, 300.0)])
    assert found is not None
    assert found.exponent.value == pytest.approx(1.0)
    assert found.intercept == pytest.approx(0.0, abs=1e-9)
    wide = scaling([10, 1000], [Bounded(1.0, 0.9, 1.1), Bounded(100.0, 90.0, 110.0)])
    assert wide is not None
    assert wide.exponent.low is not None
    assert wide.exponent.low < 1 < (wide.exponent.high or 0)


# Formulas


def amount(value: float, unit: str) -> tuple[Fraction, dimensions.Dimension]:
    return StatedQuantity(value=value, unit=unit, where="w").amount


def test_a_formula_has_the_unit_that_follows_from_its_amounts() -> None:
    given = {"throughput": amount(2.0, "kB/s"), "size": amount(4000, "B")}
    value, dimension = dimensions.evaluate("(1 / throughput) * size * 1000", given)
    assert (value, dimension) == (2000, dimensions.TIME)
    assert dimensions.evaluate("amps * 120", {"amps": amount(0.062, "A")})[1] == dimensions.CURRENT


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "a.b",
        "a if a else a",
        "a @ a",
        "2 ** 1000",
        "a ** a",
        "(",
        "1 / 0",
        "'x'",
        "1e999",
        "((9 ** 20) ** 20) ** 20",
        "0 ** -1",
        "1e300 * 1e300",
        "True + 1",
        "2 ** 0.5",
    ],
)
def test_nothing_but_arithmetic_that_a_float_can_hold_is_a_formula(text: str) -> None:
    with pytest.raises(InputError):
        dimensions.evaluate(text, {"a": amount(2.0, "A")})


def test_amounts_of_different_dimensions_cannot_be_added() -> None:
    with pytest.raises(InputError, match="a voltage and a current cannot be added"):
        dimensions.evaluate("a + b", {"a": amount(1, "V"), "b": amount(1, "A")})


def test_a_formula_in_another_unit_than_its_own_decides_nothing() -> None:
    check = {"kind": "formula", "expression": "a * b", "said": "6 W", "unit": "W"}
    quantities = {
        "a": StatedQuantity(value=2, unit="V", where="w"),
        "b": StatedQuantity(value=3, unit="A", where="w"),
    }
    assert judged(check, ours=False, quantities=quantities).verdict is HOLDS
    found = judged({**check, "said": "6 J", "unit": "J"}, ours=False, quantities=quantities)
    assert found.verdict is OPEN
    assert "a power" in found.reason


# How a paper's words and numbers are read


@pytest.mark.parametrize(
    ("said", "unit", "low", "high"),
    [
        ("3", "1", 2.5, 3.5),
        ("7.9", "1", 7.85, 7.95),
        ("12 %", "1", 0.115, 0.125),
        ("60 %", "1", 0.55, 0.65),
        ("15 to 25 %", "1", 0.145, 0.255),
        ("500 kB/s", "B/s", 450e3, 550e3),
        ("1.5 MB/s", "B/s", 1.45e6, 1.55e6),
        ("1.50 MB/s", "B/s", 1.495e6, 1.505e6),
        ("105", "1", 104.5, 105.5),
        ("0", "1", -0.5, 0.5),
        ("more or less the same", "1", 0.5, 2.0),
        ("2500 KB", "B", 2.45e6, 2.55e6),
    ],
)
def test_a_number_of_a_text_stands_for_what_rounds_to_it(
    said: str, unit: str, low: float, high: float
) -> None:
    assert checks.bounds(said, unit) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("said", "unit"), [("3 A", "1"), ("some", "1"), ("1e3", "1"), ("3 s", "V"), ("", "1")]
)
def test_a_text_without_a_reading_is_refused(said: str, unit: str) -> None:
    with pytest.raises(ValueError, match="neither a number"):
        checks.bounds(said, unit)


def test_bounds_are_said_or_given_and_stand_beside_the_verdict() -> None:
    ratio = {"kind": "ratio", "a": {"subjects": ["A"]}, "b": {"subjects": ["B"]}}
    with pytest.raises(ValidationError, match="mutually exclusive"):
        TypeAdapter(Check).validate_python({**ratio, "said": "3", "low": 1.0})
    parsed: Check = TypeAdapter(Check).validate_python({**ratio, "said": "3"})
    claim = PaperClaim(
        id="C1", statement="s", quote="q", where="w", reading="each size", check=(parsed, parsed)
    )
    assert claim.read == 'each size; "3" is read as 2.5 to 3.5'


# The papers


def test_every_claim_is_there() -> None:
    assert set(replicable()) >= set(CLAIMS)
    assert set(CLAIMS) <= set(papers())
    for key, count in CLAIMS.items():
        assert [claim.id for claim in read_claims(key).claim] == [
            f"C{number}" for number in range(1, count + 1)
        ]


PUBLISHED = {
    "nist-lwc-2023": [HOLDS, HOLDS, HOLDS],
    "pqm4-2025": [HOLDS] * 6,
    "jose-2023": [FAILS, HOLDS, HOLDS, FAILS, FAILS, FAILS, HOLDS, HOLDS, HOLDS, FAILS],
    "temirbekova-2024": [HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, OPEN],
    "pycrypto-boards-2020": [OPEN, OPEN, FAILS, OPEN, FAILS, OPEN],
    "suryateja-2025": [OPEN] * 11,
    "lino-2022": [OPEN, OPEN, OPEN, OPEN, OPEN, FAILS, FAILS, OPEN],
}
"""Claims that hold by the papers' own numbers alone; the worked example needs a computation."""


@pytest.mark.parametrize("key", CLAIMS)
def test_verdicts_by_the_published_numbers(key: str) -> None:
    found = read_claims(key)
    side = JudgedSide(published_cells(folder_of(key), found), False, found.device, found.quantity)
    assert [judge(claim, side).verdict for claim in found.claim] == PUBLISHED[key]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('who = ["3DES"]', 'who = ["4DES"]', ["4DES", "3DES, AES-128"]),
        ('kind = "highest"', 'kind = "higest"', ["highest"]),
        (
            'schemes = ["des-cbc"]',
            'schemes = ["des-cbx"]',
            ["claims.toml:", "unknown scheme 'des-cbx'"],
        ),
        ('statement = "AES is the', 'statment = "AES is the', ["claims.toml:", "statment"]),
        (
            'devices = ["Raspberry Pi 3"] }\nwho',
            'devices = ["Raspberry Pi 4"] }\nwho',
            ["Raspberry Pi 4", "PC"],
        ),
        ('metric = "peak_rss" }\nover', 'metric = "peak_rs" }\nover', ["peak_rs", "peak_rss"]),
        ('max_rss = "peak_rss" }', 'max_rss = "rss" }', ["unknown metric 'rss'", "peak_rss"]),
        (
            'said = "60 %"',
            'said = "sixty"',
            ["claims.toml:", "nor a word with a meaning", "nearly the same"],
        ),
        ('said = "60 %"', 'said = "60 %"\nlow = 0.5', ["claims.toml:", "mutually exclusive"]),
        ('said = "3"', "low = 3\nhigh = 2", ["claims.toml:", "low is not below high"]),
        ('reference = "AES-128"', 'reference = "AES"', ["unknown subject 'AES'"]),
        (
            'small = ["4 MB", "20 MB"]',
            'small = ["20 MB", "4 MB"]',
            ["claims.toml:", "rise from left to right"],
        ),
        ('small = ["4 MB", "20 MB"]', 'small = ["4 MX", "20 MB"]', ["claims.toml:", "MX"]),
    ],
)
def test_a_mistake_in_a_paper_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, words: list[str]
) -> None:
    text = (folder_of("jose-2023") / "claims.toml").read_text(encoding="utf-8")
    assert old in text
    folder = tmp_path / "papers" / "jose-2023"
    folder.mkdir(parents=True)
    (folder / "claims.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_claims("jose-2023", tmp_path)
    said = str(error.value)
    assert "claims.toml" in said
    for part in words:
        assert part in said


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("fast", "'fast' is not a number"),
        ("nan", "'nan' is not a number"),
        ("1e999", "out of range"),
        ("", "''"),
    ],
)
def test_a_cell_that_is_no_number_is_named_with_its_line(
    tmp_path: Path, cell: str, words: str
) -> None:
    folder = tmp_path / "jose-2023"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables.toml").write_text(
        '[[table]]\nname = "T"\nfile = "tables/t.csv"\ncaption = "c"\n'
    )
    header = "device,algorithm,operation,input_bytes,metric,statistic,value,unit"
    (folder / "tables" / "t.csv").write_text(f"{header}\nPC,DES,encrypt,100,time,mean,{cell},s\n")
    with pytest.raises(InputError) as error:
        published_cells(folder, read_claims("jose-2023"))
    assert words in str(error.value)
    assert "t.csv:2" in str(error.value)


def test_a_unit_that_is_no_unit_of_its_metric_is_named_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "jose-2023"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables.toml").write_text(
        '[[table]]\nname = "T"\nfile = "tables/t.csv"\ncaption = "c"\n'
    )
    header = "device,algorithm,operation,input_bytes,metric,statistic,value,unit"
    (folder / "tables" / "t.csv").write_text(f"{header}\nPC,DES,encrypt,100,time,mean,1.5,KB\n")
    with pytest.raises(
        InputError, match=r"'KB' cannot be converted to ns.*t\.csv:2|t\.csv:2.*'KB'"
    ):
        published_cells(folder, read_claims("jose-2023"))


def test_a_ratio_that_widens_is_of_the_same_code_on_both_devices() -> None:
    devices = (
        PaperDevice(name="weak", targets=("sim:*",)),
        PaperDevice(name="strong", targets=("host",)),
    )
    check = {"kind": "widens", "a": "A", "b": "B", "here": ["weak"], "there": ["strong"]}

    def of(device: str, a: float, b: float, code: str = "x") -> list[ClaimValue]:
        values = {"A": (a, f"{code}/a"), "B": (b, f"{code}/b")}
        return [
            cell(name, value, device=device, implementation=by)
            for name, (value, by) in values.items()
        ]

    assert judged(check, *of("sim:m", 4, 1), *of("host", 2, 1), devices=devices).verdict is HOLDS
    assert judged(check, *of("sim:m", 2, 1), *of("host", 4, 1), devices=devices).verdict is FAILS
    assert (
        judged(check, *of("sim:m", 4, 1), *of("host", 2, 1, "y"), devices=devices).verdict is OPEN
    )
    both = [*of("sim:m", 4, 1), *of("host", 2, 1), *of("sim:m", 2, 1, "y"), *of("host", 4, 1, "y")]
    assert judged(check, *both, devices=devices).verdict is PARTLY


def test_one_size_says_nothing_of_growth() -> None:
    cells = [cell("A", 1.0), cell("A", 2.0, size=32), cell("A", 5.0, device="there")]
    assert judged({"kind": "grows"}, *cells).verdict is HOLDS


def test_values_of_a_smaller_size_are_told_with_that_size() -> None:
    cells = [
        cell("AES", 14.2e3, size=1_000_000, measured_size=20_000),
        cell("TDES", 889e3, size=1_000_000, measured_size=20_000),
    ]
    assert label({"size": 1_000_000}, cells) == "20 kB for 1 MB"
    assert (
        label({"size": 1_000_000}, [cell("AES", 1.0, size=1_000_000, measured_size=1_000_000)])
        == "1 MB"
    )
    check = {"kind": "constant", "over": ["subject"], "said": "the same", "each": ["size"]}
    assert "20 kB for 1 MB" in judged(check, *cells).reason


# Sizes that stand for larger ones


def _line(
    subject: str, constant: float, per_byte: float, sizes: dict[int, int]
) -> list[ClaimValue]:
    """Times of a constant part and one that grows, exact; ``sizes``: the published size of each
    that is measured.
    """
    return [
        ClaimValue(
            subject=subject,
            operation="encrypt",
            size=published,
            device="host",
            mode="",
            implementation="lib/x",
            metric="time",
            value=Bounded.exact(constant + per_byte * size),
            evidence=Evidence.SIMULATED,
            source="run",
            measured_size=size,
            scheme=subject,
        )
        for size, published in sizes.items()
    ]


SMALLER = {1000: 10**6, 4000: 10**7}


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ((100.0, 1.0), (200.0, 2.0), HOLDS),
        # A start that is most of a small file and nothing of a large one
        (
            (1e6, 1.0),
            (100.0, 2.0),
            OPEN,
        ),
        ((100.0, 2.0), (1e6, 1.0), OPEN),
        ((200.0, 2.0), (100.0, 1.0), FAILS),
    ],
)
def test_a_smaller_size_decides_only_what_it_decides_at_the_papers_size(
    a: tuple[float, float], b: tuple[float, float], verdict: ClaimVerdict
) -> None:
    cells = at_published_sizes([*_line("A", *a, SMALLER), *_line("B", *b, SMALLER)])
    found = judged({"kind": "lowest", "who": ["A"], "than": ["B"]}, *cells)
    assert found.verdict is verdict
    assert "tested at 1 kB for 1 MB, 4 kB for 10 MB" in found.reason
    assert (
        "at the paper's size by a line through the sizes that were measured" in found.reason
    ) is (verdict is OPEN)


def test_a_ratio_and_an_exponent_of_small_files_are_not_those_of_large_ones() -> None:
    cells = at_published_sizes([*_line("A", 1e4, 3.0, SMALLER), *_line("B", 1e4, 1.0, SMALLER)])
    ratio = {"kind": "ratio", "a": {"subjects": ["A"]}, "b": {"subjects": ["B"]}, "said": "3"}
    assert judged(ratio, *cells).verdict is OPEN
    sized = at_published_sizes(_line("A", 1e6, 3.0, {1000: 10**9, 4000: 10**10}))
    assert judged({"kind": "scales"}, *sized).verdict is OPEN
    whole = _line("A", 1e6, 3.0, {1000: 1000, 4000: 4000})
    assert judged({"kind": "scales"}, *whole).verdict is FAILS, "these are its own sizes"


def test_one_size_has_no_line_and_what_was_tested_is_said() -> None:
    cells = at_published_sizes(
        [*_line("A", 1e6, 1.0, {1000: 10**6}), *_line("B", 100.0, 2.0, {1000: 10**6})]
    )
    assert all(cell.there is None for cell in cells)
    found = judged({"kind": "lowest", "who": ["B"], "than": ["A"]}, *cells)
    assert found.verdict is HOLDS and "tested at 1 kB for 1 MB" in found.reason


def test_a_line_of_noise_takes_no_verdict_away() -> None:
    wide = [
        replace(
            cell, value=Bounded(cell.value.value, cell.value.value * 0.5, cell.value.value * 1.5)
        )
        for cell in _line("A", 1e6, 1.0, SMALLER)
    ]
    assert len(wide) == len(SMALLER)
    assert {cell.there for cell in at_published_sizes(wide)} == {None}, "it might as well fall"
