"""What a run is going to do, in a few lines: which cases, how long, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from motebench.base.model import Evidence
from motebench.results.presentation.rows import listed, size_words

if TYPE_CHECKING:
    from motebench.measuring.plan.plan import Plan

_NAMED = 4
"""Names that are spelled out; of more only the number is said."""
_NOT_THERE = ("not offered", "not on this target")


def plan_lines(plan: Plan, runs: int = 1) -> Iterator[str]:
    """Cases, time, and what no option named. ``runs``: how often the cases are measured."""
    yield f"{_count(len(plan.cases), 'case')}{_what(plan)}{f', {runs} runs of them' if runs > 1 else ''}"
    yield time_words(plan, runs)
    for target, names in plan.unasked.items():
        yield (
            f"not measured: {_count(len(names), 'other implementation')} on {target} ({_some(names)}); "
            "--implementation '*' adds them"
        )


def left_out(plan: Plan, *, brief: bool = False) -> Iterator[str]:
    """Combinations that do not exist, by reason. ``brief``: only those of implementations that have the scheme."""
    reasons: dict[str, list[str]] = {}
    for item in plan.skipped:
        if not (brief and item.reason in _NOT_THERE):
            reasons.setdefault(item.reason, []).append(f"{item.scheme} {item.implementation}")
    for reason, found in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        yield f"left out, {_count(len(found), 'combination')}: {reason} ({_some(list(dict.fromkeys(found)))})"


def time_words(plan: Plan, runs: int = 1) -> str:
    """How long measuring takes, and what is not counted."""
    places = [target.place for target in plan.targets.values()]
    first = (
        "firmware is built and known answers are checked before"
        if any(place.device for place in places)
        else ("known answers are checked before")
    )
    if all(place.evidence is Evidence.SIMULATED for place in places):
        return f"each case is simulated twice: seconds, of public-key operations minutes; {first}"
    about, most = runs * plan.least, runs * at_most(plan)
    text = f"measuring takes about {about:.0f} s on a quiet machine, at most about {most:.0f} s; {first}"
    simulated = any(place.evidence is Evidence.SIMULATED for place in places)
    return f"{text}, and each simulated case is read twice, however long that takes" if simulated else text


def at_most(plan: Plan) -> float:
    """Seconds that measuring may take, unless single readings take longer; 0 where only simulators are asked."""
    if all(target.place.evidence is Evidence.SIMULATED for target in plan.targets.values()):
        return 0.0
    return plan.budget + plan.preparation


def _what(plan: Plan) -> str:
    cases = [case for case in plan.cases if case.scheme != "copy"]
    if not cases:
        return ""
    schemes = list(dict.fromkeys(case.scheme for case in cases))
    names = list(dict.fromkeys(case.implementation for case in cases))
    operations = list(dict.fromkeys(case.operation.value for case in cases))
    sizes = [size_words(size) for size in sorted({case.input_bytes for case in cases if case.operation.sized})]
    targets = list(dict.fromkeys(case.target for case in cases))
    parts = [
        f"{_few(schemes, 'scheme')} by {_few(names, 'implementation')}",
        _few(operations, "operation"),
        _few(sizes, "size") if sizes else "",
        "" if targets == ["host"] else f"on {_few(targets, 'target')}",
    ]
    return f": {', '.join(filter(None, parts))}"


def _few(names: Sequence[str], kind: str) -> str:
    return listed(names) if len(names) <= _NAMED else _count(len(names), kind)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _count(number: int, kind: str) -> str:
    return f"{number} {kind}{'' if number == 1 else 's'}"
