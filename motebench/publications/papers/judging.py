"""Way from a check of a claim and the values of one side to outcomes: pure functions, no
measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, product

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.units import MAIN, format_size
from motebench.publications.papers.checks import (
    INFINITE,
    AirtimeCheck,
    AirtimeStepsCheck,
    ApproachCheck,
    Check,
    ConstantCheck,
    ExampleCheck,
    ExtremeCheck,
    FailureCheck,
    FormulaCheck,
    GrowthCheck,
    LevelCheck,
    OrderCheck,
    RatioCheck,
    SameOrderCheck,
    ScalingCheck,
    StandardCheck,
    WideningCheck,
    selectors_of,
)
from motebench.publications.papers.claims import PaperClaim, PaperDevice, StatedQuantity
from motebench.publications.papers.outcomes import (
    CheckOutcome,
    ClaimVerdict,
    JudgedClaim,
    against_airtime,
    airtime_steps,
    approaches,
    at_paper,
    bounds,
    by_implementation,
    constant,
    decided,
    fastest,
    in_regime,
    joined,
    matched,
    merged,
    named,
    no,
    of_subject,
    overall,
    pair,
    scale,
    unknown,
    within,
    yes,
)
from motebench.publications.papers.values import ClaimValue, chosen, label, stands_for
from motebench.stats import ALPHA, EQUIVALENT
from motebench.stats.shape import RankCorrelation, kendall

METERED = {"energy", "energy_net", "power", "power_net", "current"}
"""Metrics that need an instrument."""
TIMED = (*MAIN, "throughput", "cpu_load")
"""Metrics that a busy machine moves: a small replication tells them apart less finely."""
Key = tuple[tuple[str, str | int], ...]
_SELECTED = ("device", "operation", "size", "mode")
_TELLING = ("subject", "operation", "size", "device", "mode", "implementation")


@dataclass(frozen=True, slots=True)
class JudgedSide:
    """The values of one side and what else a check may ask for.

    ``own``: they are of our own method. ``missing``: (subject, size, target) of cases that could
    not run. ``answer``: carries out a worked example.
    ``disturbed``: times that are left out because the machine was too busy for them to be quoted.
    ``looks``: how often the claims are judged while samples are added; ``resolution``: the
    difference that is not told apart.
    """

    cells: Sequence[ClaimValue]
    ours: bool
    devices: Sequence[PaperDevice] = ()
    quantities: Mapping[str, StatedQuantity] = field(default_factory=dict)
    missing: frozenset[tuple[str, int, str]] = frozenset()
    answer: Callable[[ExampleCheck], tuple[bool, str]] | None = None
    disturbed: int = 0
    own: bool = False
    looks: int = 1
    resolution: float = EQUIVALENT


def judge(claim: PaperClaim, side: JudgedSide) -> JudgedClaim:
    """The verdict on a claim by the values of one side.

    The comparisons of a claim are a family. One contradiction is enough against it, so that each is
    made at a level that keeps the probability of a false one in the whole claim below `ALPHA`
    (Bonferroni), however often it is looked at. A claim holds only if all agree (an
    intersection-union test), so that agreement needs no smaller level.
    """
    reason = untold(claim, side)
    if reason:
        return JudgedClaim(ClaimVerdict.OPEN, reason)
    if not any(cell.samples for cell in side.cells):
        return _of_code(claim, side, _judged(claim, side))
    alone = ALPHA / side.looks
    level = alone / max(1, family_of(claim, side))
    cells = [
        replace(
            cell,
            level=level,
            alone=alone,
            resolution=side.resolution if cell.metric in TIMED else EQUIVALENT,
        )
        for cell in side.cells
    ]
    return _of_code(claim, side, _judged(claim, replace(side, cells=cells)))


def _of_code(claim: PaperClaim, side: JudgedSide, judged: JudgedClaim) -> JudgedClaim:
    """The verdict on a claim about the paper's code: other code contradicts it only if all of it
    lies on one side.
    """
    sides = frozenset().union(*(outcome.sides for outcome in judged.outcomes))
    if not (
        claim.of_code and side.ours and judged.verdict is ClaimVerdict.FAILS and {-1, 1} <= sides
    ):
        return judged
    reason = (
        "it depends on the implementation: those measured here lie on both sides of it; "
        f"{judged.reason}"
    )
    return replace(judged, verdict=ClaimVerdict.PARTLY, reason=reason)


def untold(claim: PaperClaim, side: JudgedSide) -> str:
    """Reason why a side cannot tell, whatever its values are; empty if it can."""
    return (claim.own if side.own else "") or claim.ours if side.ours else claim.published


def family_of(claim: PaperClaim, side: JudgedSide) -> int:
    """The number of ratios of values that decide a claim."""
    return sum(outcome.tests for outcome in _judged(claim, side).outcomes)


def _judged(claim: PaperClaim, side: JudgedSide) -> JudgedClaim:
    outcomes: list[CheckOutcome] = []
    remarks: dict[str, None] = {}
    for check in claim.check:
        if isinstance(check, FormulaCheck) and side.ours:
            continue  # a statement about the paper's own numbers
        cells, remark = _cells(check, side)
        cells = fastest(cells) if check.best else cells
        for text in (remark, _smaller(cells)):
            if text:
                remarks[text] = None
        outcomes += list(_outcomes(check, cells, side)) or [unknown(_absent(check, side))]
    verdict = overall(outcomes)
    return replace(
        verdict, reason=f"{verdict.reason} ({'; '.join(remarks)})" if remarks else verdict.reason
    )


def _smaller(cells: Sequence[ClaimValue]) -> str:
    """The sizes that stand for larger ones of the paper, as a remark; empty where none does."""
    scaled = [cell for cell in cells if cell.scaled]
    sizes = sorted({(cell.measured_size, cell.size) for cell in scaled})
    if not sizes:
        return ""
    pairs = ", ".join(
        f"{format_size(measured)} for {format_size(printed)}" for measured, printed in sizes
    )
    return f"tested at {pairs}"


def _absent(check: Check, side: JudgedSide) -> str:
    """Reason why a check has nothing to compare: a claim does not hold by its other checks
    alone."""
    metric = check.only.metric
    if side.ours and not side.cells:
        return "nothing was measured"
    if metric is None:
        return "there are no values to compare"
    if side.ours and metric in METERED:
        return f"no {metric} was measured: this needs a board and an instrument (run --instrument)"
    if side.disturbed:
        busy = (
            f"{side.disturbed} times were disturbed and are not quoted, measure again on a quiet "
            "machine"
        )
        return f"there are not enough values of {metric}: {busy}"
    return f"there are no values of {metric} to compare"


def _cells(check: Check, side: JudgedSide) -> tuple[list[ClaimValue], str]:
    """The cells of a check, and a remark where they are of another device than the claim's."""
    only = check.only
    # A model decides no claim
    not_modelled = [cell for cell in side.cells if cell.evidence is not Evidence.MODELLED]
    # Each target is measured in time, or in instructions.
    metrics = MAIN if only.metric == "time" else (only.metric,)
    selected = [
        cell
        for name in metrics
        for cell in chosen(not_modelled, only.model_copy(update={"metric": name}), ours=side.ours)
    ]
    if not side.ours:
        return selected, ""
    named = {name for selector in selectors_of(check) for name in selector.devices}
    selected = [cell for cell in selected if stands_for(cell.stands_for, named)]
    return _on_devices(check, selected, side) if only.devices else (selected, "")


def _on_devices(
    check: Check, values: Sequence[ClaimValue], side: JudgedSide
) -> tuple[list[ClaimValue], str]:
    """The values of the devices that a check names; else those that may stand for them, and a
    remark on it.
    """
    names = check.only.devices
    on_device = [cell for cell in values if _is(cell, names, side)]
    if on_device:
        counted = _targets(cell for cell in on_device if cell.metric == "instructions")
        return (
            on_device,
            f"shape only: instructions of {counted}, which are no time" if counted else "",
        )
    if not values or isinstance(check, LevelCheck):
        return [], ""
    devices = " or ".join(names)
    remark = f"shape only: measured on {_targets(values)}, not on {devices}"
    if lacked := sorted({name for cell in values for name in _lacked(cell, names, side)}):
        remark += (
            f", and without what used {' or '.join(lacked).upper()} instructions, which "
            f"{devices} lacks"
        )
    return [cell for cell in values if not _lacked(cell, names, side)], remark


def _targets(cells: Iterable[ClaimValue]) -> str:
    return ", ".join(dict.fromkeys(cell.device for cell in cells))


def _is(cell: ClaimValue, names: Sequence[str], side: JudgedSide) -> bool:
    return any(device.is_it(cell.device, cell.model) for device in _devices(names, side))


def _devices(names: Sequence[str], side: JudgedSide) -> list[PaperDevice]:
    return [device for device in side.devices if device.name in names]


def _lacked(cell: ClaimValue, names: Sequence[str], side: JudgedSide) -> frozenset[str]:
    """Instructions that a value may have been computed with, and that one of these devices
    lacks.
    """
    return frozenset(name for device in _devices(names, side) for name in device.lacks) & cell.uses


def _groups(cells: Sequence[ClaimValue], dimensions: Sequence[str]) -> dict[Key, list[ClaimValue]]:
    by_key: dict[Key, list[ClaimValue]] = {}
    for cell in cells:
        by_key.setdefault(tuple((name, cell.part(name)) for name in dimensions), []).append(cell)
    return by_key


def _outcomes(
    check: Check, cells: Sequence[ClaimValue], side: JudgedSide
) -> Iterator[CheckOutcome]:
    match check:
        case StandardCheck():
            yield (yes if check.holds else no)(f"{check.reason} ({check.source})")
        case FormulaCheck():
            yield _formula(check, side)
        case ExampleCheck():
            yield _answer(check, side)
        case AirtimeStepsCheck():
            yield from airtime_steps(check)
        case FailureCheck():
            yield from _fails(check, cells, side)
        case RatioCheck():
            yield from _ratio(check, cells, side)
        case WideningCheck():
            yield from _widens(check, cells, side)
        case SameOrderCheck():
            yield from _same_order(check, cells, side)
        case LevelCheck() if side.ours and not cells:
            yield unknown(
                f"this is about {' or '.join(check.only.devices) or 'a device'}; give it with "
                "--target"
            )
        case _:
            for key, group in _groups(cells, _each(check)).items():
                yield from _in_group(check, label(dict(key), group), group)


def _each(check: Check) -> tuple[str, ...]:
    """The dimensions that a check is repeated over: not those that it compares along."""
    taken: set[str] = set()
    if isinstance(check, ScalingCheck | GrowthCheck):
        taken = {"size"}
    elif isinstance(check, ApproachCheck):
        taken = {"size", "subject"}
    elif isinstance(check, ConstantCheck):
        taken = set(check.over)
    names = tuple(name for name in check.each if name not in taken)
    apart = isinstance(check, ScalingCheck | GrowthCheck | LevelCheck | AirtimeCheck) or (
        isinstance(check, ConstantCheck) and "subject" not in taken
    )
    return tuple(dict.fromkeys((*names, "subject"))) if apart else names


def _in_group(check: Check, where: str, cells: Sequence[ClaimValue]) -> Iterator[CheckOutcome]:
    match check:
        case ExtremeCheck():
            for who, rival in product(check.who, check.than):
                yield from pair(where, cells, who, rival, rises=check.kind == "lowest")
        case OrderCheck():
            for lower, higher in pairwise(check.order):
                for low_subject, other in product(lower, higher):
                    yield from pair(where, cells, low_subject, other, rises=True)
        case ScalingCheck() | GrowthCheck():
            for implementation, group in by_implementation(cells):
                # Values of one size say nothing either way.
                if len({cell.size for cell in group}) >= 2:
                    yield scale(check, joined(where, implementation), group)
        case ConstantCheck():
            groups = [("", list(cells))] if "subject" in check.over else by_implementation(cells)
            for implementation, group in groups:
                yield constant(check, joined(where, implementation), group)
        case ApproachCheck():
            yield approaches(check, where, cells)
        case LevelCheck() | AirtimeCheck():
            yield from _of_values(check, where, cells)


def _of_values(
    check: LevelCheck | AirtimeCheck, where: str, cells: Sequence[ClaimValue]
) -> Iterator[CheckOutcome]:
    """Outcomes of checks that look at each value alone."""
    for cell in cells:
        if isinstance(check, AirtimeCheck):
            yield from against_airtime(check, where, cell)
        else:
            sentence = f"{joined(where, cell.implementation)}: {cell.words}"
            yield decided(check.low, check.high, cell.value, sentence, (cell,))


def _ratio(
    check: RatioCheck, cells: Sequence[ClaimValue], side: JudgedSide
) -> Iterator[CheckOutcome]:
    sides = _ratio_sides(check, cells, side)
    if sides is None:
        compared = f"{' or '.join(check.a.devices)} and {' or '.join(check.b.devices)}"
        yield unknown(f"this compares two devices, {compared}: give both with --target")
        return
    fixed = [
        name for name in _SELECTED if getattr(check.a, f"{name}s") or getattr(check.b, f"{name}s")
    ]
    above, below = (
        _groups(values, [name for name in check.each if name not in fixed]) for values in sides
    )
    same = check.a.subjects == check.b.subjects
    for key, group in above.items():
        where = label(dict(key), group)
        for a, b in _of_subjects(group, below.get(key, ()), same=same):
            for who, pairs in matched(a, b).items():
                yield merged(
                    [
                        _quotient(check, where, numerator, denominator, who)
                        for numerator, denominator in pairs
                    ]
                )


def _ratio_sides(
    check: RatioCheck, cells: Sequence[ClaimValue], side: JudgedSide
) -> tuple[list[ClaimValue], list[ClaimValue]] | None:
    """The values of A and of B; None if they are of two devices and one of them was not
    measured.
    """
    if not side.ours or not check.a.devices or check.a.devices == check.b.devices:
        return chosen(cells, check.a, ours=side.ours), chosen(cells, check.b, ours=side.ours)
    a, b = (
        [
            cell
            for cell in cells
            if _is(cell, only.devices, side) and stands_for(cell.stands_for, only.devices)
        ]
        for only in (check.a, check.b)
    )
    return (chosen(a, check.a, ours=True), chosen(b, check.b, ours=True)) if a and b else None


def _quotient(
    check: RatioCheck, where: str, first: ClaimValue, second: ClaimValue, who: str
) -> CheckOutcome:
    ratio = first.over(second)
    sentence = f"{f'{where}: ' if where else ''}{_apart(first, second)} = {bounds(ratio)}"
    outcome = decided(check.low, check.high, ratio, sentence, (first, second), who)
    return in_regime(outcome, check.low, check.high, at_paper(first, second))


def _of_subjects(
    a: Sequence[ClaimValue], b: Sequence[ClaimValue], *, same: bool
) -> Iterator[tuple[list[ClaimValue], list[ClaimValue]]]:
    """The cells of each two subjects, or of one subject and itself."""
    for first in dict.fromkeys(cell.subject for cell in a):
        for second in dict.fromkeys(cell.subject for cell in b):
            if not same or first == second:
                yield of_subject(a, first), of_subject(b, second)


def _apart(first: ClaimValue, second: ClaimValue) -> str:
    """Names of both, reduced to their differences."""
    apart = [name for name in _TELLING if first.part(name) != second.part(name)]
    names = [name for name in apart if name != "mode"] or apart
    parts = [
        label({name: cell.part(name) for name in names}, [cell]) or cell.subject
        for cell in (first, second)
    ]
    head = "" if "subject" in names else f"{first.subject} "
    return f"{head}{parts[0]} {first.words} / {parts[1]} {second.words}"


def _widens(
    check: WideningCheck, cells: Sequence[ClaimValue], side: JudgedSide
) -> Iterator[CheckOutcome]:
    def ratios(names: Sequence[str]) -> dict[tuple[str, ...], tuple[ClaimValue, ClaimValue]]:
        """Values of both subjects, by case and implementations, which are the same on both
        devices.
        """
        if side.ours:
            on = [cell for cell in cells if _is(cell, names, side)]
        else:
            on = [cell for cell in cells if cell.device in names]
        parts = [name for name in check.each if name != "device"]
        return {
            (label(dict(key)), a.scheme, b.scheme, a.implementation, b.implementation): (a, b)
            for key, group in _groups(on, parts).items()
            for a in of_subject(group, check.a)
            for b in of_subject(group, check.b)
        }

    here, there_ratios = ratios(check.here), ratios(check.there)
    if not here or not there_ratios:
        missing = " and ".join(
            " or ".join(n)
            for n, outcomes in ((check.here, here), (check.there, there_ratios))
            if not outcomes
        )
        yield unknown(f"there are no values of {missing}")
        return
    outcomes = [
        _wider(ratio_here, there_ratios[key])
        for key, ratio_here in here.items()
        if key in there_ratios
    ]
    yield (
        merged(outcomes) if outcomes else unknown("no implementation was measured on both devices")
    )


def _wider(
    first: tuple[ClaimValue, ClaimValue], second: tuple[ClaimValue, ClaimValue]
) -> CheckOutcome:
    ratios = [a.over(b) for a, b in (first, second)]
    sentence = ", ".join(
        f"{a.device}: {named(a)} / {named(b)} = {bounds(ratio)}"
        for (a, b), ratio in zip((first, second), ratios, strict=True)
    )
    return replace(
        decided(1.0, INFINITE, ratios[0].over(ratios[1]), sentence, (*first, *second)), tests=2
    )


def _same_order(
    check: SameOrderCheck, cells: Sequence[ClaimValue], side: JudgedSide
) -> Iterator[CheckOutcome]:
    if side.ours and check.only.devices:
        cells = [cell for cell in cells if _is(cell, check.only.devices, side)]
    compared = False
    for key, group in _groups(cells, [name for name in check.each if name != "device"]).items():
        head = f"{label(dict(key), group)}: " if key else ""
        for device, other in combinations(dict.fromkeys(cell.device for cell in group), 2):
            tau = _rank_correlation(group, device, other)
            if tau is not None:
                compared = True
                interval = f"{tau.tau:.2f} ({tau.low:.2f} to {tau.high:.2f})"
                sentence = f"{head}tau-b {interval} of {tau.n} on {device} and {other}"
                yield within(check.least, 1.0, tau.low, tau.high, sentence)
    if not compared:
        names = f": {', '.join(check.only.devices)}" if check.only.devices else ""
        yield unknown(f"this compares devices{names}; give two with --target")


def _rank_correlation(
    cells: Sequence[ClaimValue], first: str, second: str
) -> RankCorrelation | None:
    """Kendall's tau-b of the implementations that both devices have; None if there are too few."""
    here, there_values = (
        {(cell.subject, cell.implementation): cell.value for cell in cells if cell.device == device}
        for device in (first, second)
    )
    shared = [name for name in here if name in there_values]
    return kendall([here[name] for name in shared], [there_values[name] for name in shared])


def _fails(
    check: FailureCheck, cells: Sequence[ClaimValue], side: JudgedSide
) -> Iterator[CheckOutcome]:
    tried = {(cell.subject, cell.size) for cell in cells}
    failed = {
        (subject, size)
        for subject, size, target in side.missing
        if (not check.only.sizes or size in check.only.sizes)
        and (
            not check.only.devices
            or any(device.is_it(target, "") for device in _devices(check.only.devices, side))
        )
    } - tried
    subjects = {subject for subject, _ in tried | failed}
    if not subjects:
        return
    share = len({subject for subject, _ in failed}) / len(subjects)
    size = label({"size": check.only.sizes[0]}) if check.only.sizes else "any size"
    sentence = (
        f"{len({subject for subject, _ in failed})} of {len(subjects)} cannot be measured at {size}"
    )
    yield yes(sentence) if share > check.share else no(sentence)


def _formula(check: FormulaCheck, side: JudgedSide) -> CheckOutcome:
    given = {name: quantity.amount for name, quantity in side.quantities.items()}
    unit = dimensions.unit(check.unit)
    assert unit is not None
    try:
        value, dimension = dimensions.evaluate(check.expression, given)
    except InputError as error:
        return unknown(error.what)
    if dimension != unit.dimension:
        return unknown(
            f"{check.expression} is {dimensions.Unit(value, dimension).spoken}, not {unit.spoken}"
        )
    result = float(value / unit.factor)
    after = "" if check.unit == "1" else f" {check.unit}"
    return within(
        check.low, check.high, result, result, f"{check.expression} = {result:.3g}{after}"
    )


def _answer(check: ExampleCheck, side: JudgedSide) -> CheckOutcome:
    if side.answer is None:
        return unknown("the worked example was not computed")
    agrees, sentence = side.answer(check)
    return yes(sentence) if agrees else no(sentence)
