"""The choice from the request to the document: offers, candidates, judged, ranked.

`choice_document.choice_entry` makes the document of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import Judged, SchemeOffer
from motebench.advise.choice.combining import candidates
from motebench.advise.choice.judging import judge
from motebench.advise.choice.offers import offers_of, owned, without
from motebench.advise.choice.question import ChoiceQuestion, Chosen
from motebench.advise.choice.ranking import rank
from motebench.advise.choice.request import ChoiceRequest, question_of, settled
from motebench.advise.choice.scene import Scene
from motebench.base.errors import InputError
from motebench.base.naming import split_list


def answer(request: ChoiceRequest) -> Chosen:
    """The answer to a request. InputError for an impossible question, or without results."""
    request = settled(request)
    question = question_of(request)
    available = offers_of(request)
    has = owned(split_list(request.has), available.offers)
    chosen = choose(without(available.offers, has), question)
    if not chosen.ranked and not chosen.rejected:
        raise InputError(
            f"no scheme with results gives {question.demands.need.value}", where="--need",
            hint="use other results (--results RUN), or wider patterns for --scheme and --implementation",
        )  # fmt: skip
    return replace(
        chosen,
        notes=(*available.notes, *_current_notes(question.scene), *has.words),
        has=tuple(sorted(has.codes)),
        sensitivity=request.sensitivity,
        checklist=request.checklist,
    )


def choose(offers: Sequence[SchemeOffer], question: ChoiceQuestion) -> Chosen:
    """The choice among offers. InputError if the question contradicts itself. "No candidate left" is an answer."""
    question.scene.plausible()
    judged = [judge(candidate, question) for candidate in candidates(offers, question)]
    rejected = sorted((one for one in judged if one.broken), key=_place)
    ranked = rank([one for one in judged if not one.broken], question)
    return Chosen(question, tuple(offers), tuple(ranked), tuple(rejected))


def _place(rejected: Judged) -> tuple[int, int, int, str, str]:
    """The place in the list of rejected candidates: last are schemes that do not give the needed protection, and before
    these what is not for products."""
    limits = {entry.limit for entry in rejected.broken}
    group = 2 if "need" in limits else int("maturity" in limits)
    return group, len(rejected.offers), len(rejected.broken), rejected.scheme, rejected.implementation


def _current_notes(scene: Scene) -> list[str]:
    drawn = [*([scene.active] if scene.active else []), *scene.sleeping]
    drawn += [part.drawn for part in scene.parts()]
    return list(dict.fromkeys(note for one in drawn for note in one.notes))
