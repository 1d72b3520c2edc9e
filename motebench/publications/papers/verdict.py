"""What becomes of a claim: it holds, it does not hold, or the values cannot tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

_FEW = 2
"""Counterexamples or comparisons that a reason names."""
_MANY = 4
"""Implementations that a reason names."""


class ClaimVerdict(StrEnum):
    """The words of a verdict."""

    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "cannot be told"


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One comparison of a check: the numbers behind the verdict, and the library of both sides (empty: of two, or none
    is known)."""

    verdict: ClaimVerdict
    words: str
    who: str = ""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """The verdict on a claim with its reason, and how many comparisons were decided in which way."""

    verdict: ClaimVerdict
    reason: str
    outcomes: tuple[CheckOutcome, ...] = ()

    def count(self, verdict: ClaimVerdict) -> int:
        """Comparisons with that verdict."""
        return sum(outcome.verdict is verdict for outcome in self.outcomes)


def yes(words: str, who: str = "") -> CheckOutcome:
    """The comparison agrees with the claim."""
    return CheckOutcome(ClaimVerdict.HOLDS, words, who)


def no(words: str, who: str = "") -> CheckOutcome:
    """The comparison contradicts the claim."""
    return CheckOutcome(ClaimVerdict.FAILS, words, who)


def unknown(words: str, who: str = "") -> CheckOutcome:
    """The values do not decide the comparison."""
    return CheckOutcome(ClaimVerdict.OPEN, words, who)


def within(low: float, high: float, least: float | None, most: float | None, words: str, who: str = "") -> CheckOutcome:
    """Whether an interval (``least`` to ``most``) lies in the range, outside of it, or across one of its ends."""
    if least is None or most is None:
        return unknown(f"{words}, with too few values for an interval", who)
    if low <= least and most <= high:
        return yes(words, who)
    if most < low or least > high:
        return no(words, who)
    return unknown(f"{words}, an interval that crosses the bound", who)


def overall(outcomes: Sequence[CheckOutcome]) -> JudgedClaim:
    """A claim holds if every comparison does. One clear contradiction is enough against it.

    Where several libraries were measured, each gives a verdict; if these differ, the claim is one about an
    implementation, and cannot be told without the paper's.
    """
    libraries = list(dict.fromkeys(outcome.who for outcome in outcomes if outcome.who))
    if len(libraries) < 2:
        return _one(tuple(outcomes))
    shared = [outcome for outcome in outcomes if not outcome.who]
    each = {name: _one((*(o for o in outcomes if o.who == name), *shared)) for name in libraries}
    kinds = {judged.verdict for judged in each.values()}
    if len(kinds) == 1:
        return _one(tuple(outcomes))
    said = [f"{verdict} with {_names(found)}" for verdict in ClaimVerdict if (found := _with(each, verdict))]
    against = [judged for judged in each.values() if judged.verdict is not ClaimVerdict.HOLDS]
    example = min(against, key=lambda judged: judged.verdict is not ClaimVerdict.FAILS)
    return JudgedClaim(
        ClaimVerdict.OPEN, f"it depends on the implementation: {'; '.join(said)}; {example.reason}", tuple(outcomes)
    )


def _with(each: Mapping[str, JudgedClaim], verdict: ClaimVerdict) -> list[str]:
    return [name for name, judged in each.items() if judged.verdict is verdict]


def _names(found: Sequence[str]) -> str:
    return ", ".join(found[:_MANY]) + (f" and {len(found) - _MANY} more" if len(found) > _MANY else "")


def _one(found: tuple[CheckOutcome, ...]) -> JudgedClaim:
    if not found:
        return JudgedClaim(ClaimVerdict.OPEN, "there are no values to compare")
    failed = [outcome for outcome in found if outcome.verdict is ClaimVerdict.FAILS]
    left = [outcome for outcome in found if outcome.verdict is ClaimVerdict.OPEN]
    if failed:
        return JudgedClaim(ClaimVerdict.FAILS, _words(failed, len(found), "contradict it"), found)
    if left:
        agree = next((outcome for outcome in found if outcome.verdict is ClaimVerdict.HOLDS), None)
        also = f"; but {agree.words}" if agree is not None and len(found) == 2 else ""
        return JudgedClaim(ClaimVerdict.OPEN, _words(left, len(found), "are not decided") + also, found)
    return JudgedClaim(ClaimVerdict.HOLDS, _words(list(found), len(found), "agree"), found)


def _words(shown: Sequence[CheckOutcome], total: int, what: str) -> str:
    if total == 1:
        return shown[0].words
    said = list(dict.fromkeys(item.words for item in shown))
    more = "; ..." if len(said) > _FEW else ""
    return f"{len(shown)} of {total} comparisons {what}: {'; '.join(said[:_FEW])}{more}"
