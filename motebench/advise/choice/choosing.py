"""The whole choice: offers in, ranked and rejected candidates out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motebench.advise.choice.candidates import candidates
from motebench.advise.choice.judging import Demands, Judge
from motebench.advise.choice.limits import CostLimits, nearest
from motebench.advise.choice.model import Candidate, SchemeOffer
from motebench.advise.choice.ranking import RankedCandidate, Weights, rank
from motebench.advise.choice.scene import Scene
from motebench.advise.choice.sketching import MessageForm


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """The whole question to `choose`."""

    scene: Scene
    demands: Demands
    limits: CostLimits
    form: MessageForm
    order: Weights
    equal: float = 0.0
    """The share of the criterion below which candidates are equal."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer. ``nearest``: the rejected candidates that miss the limits least."""

    question: ChoiceQuestion
    ranked: tuple[RankedCandidate, ...]
    rejected: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]


def choose(offers: Sequence[SchemeOffer], question: ChoiceQuestion) -> Answer:
    """Answer the question. InputError if it contradicts itself. "No candidate left" is an answer, not an error."""
    question.scene.plausible()
    judge = Judge(question.demands, [offer.scheme for offer in offers])
    found = candidates(offers, question.scene, judge, question.limits, question.form)
    rejected = sorted(
        (entry for entry in found if entry.broken),
        key=lambda entry: (_last(entry), len(entry.offers), len(entry.broken), entry.scheme, entry.implementation),
    )
    admitted = [entry for entry in found if not entry.broken]
    return Answer(
        question,
        tuple(rank(admitted, question.scene, question.order, question.equal, question.demands.enough_bits))
        if admitted
        else (),
        tuple(rejected),
        tuple(nearest(rejected)),
    )


def _last(candidate: Candidate) -> int:
    """Listed last are schemes that do not give the needed protection, and before these what is not for products."""
    limits = {entry.limit for entry in candidate.broken}
    return 2 if "need" in limits else int("maturity" in limits)
