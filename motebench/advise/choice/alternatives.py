"""The effect of another form of the message (derived nonces, shorter tags), and of code that is not for products."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice.candidates import candidates
from motebench.advise.choice.choosing import Answer, ChoiceQuestion
from motebench.advise.choice.having import BROUGHT, Has, without
from motebench.advise.choice.judging import Demands, Judge, Need
from motebench.advise.choice.model import Candidate, SchemeOffer
from motebench.advise.choice.ranking import figure_of, first
from motebench.advise.choice.sketching import MessageForm
from motebench.advise.radio.message import Nonce
from motebench.catalog.elements import ELEMENTS
from motebench.catalog.libraries import Maturity

_WORDS = {"flash": "flash", "latency": "time"}
_SHORT_TAG = 8
"""Tag length in bytes that LoRaWAN devices often use: a forgery succeeds once in 2^64."""


def alternatives(
    offers: Sequence[SchemeOffer], question: ChoiceQuestion, answer: Answer, has: Collection[str] = ()
) -> list[str]:
    """The first candidate with a nonce from the frame counter, and with short tags, if it is another scheme or sends
    fewer bytes; the first one if implementations that are not for products were candidates; and the first one if the
    AES of a LoRaWAN stack is used. ``has``: code that is there."""
    now = answer.ranked[0].candidate if answer.ranked else None
    found = []
    for option, demands, form in _others(question):
        judge = Judge(demands, [offer.scheme for offer in offers])
        every = candidates(offers, question.scene, judge, question.limits, form)
        admitted = [entry for entry in every if not entry.broken]
        then = first(admitted, question.scene, question.order, question.equal, demands.enough_bits)
        if then and (now is None or _differs(then, now, code=demands.research != question.demands.research)):
            found.append(f"with {option}: {_gain(then, now, len(admitted), len(answer.ranked))}")
    return [*found, *_with_stack(offers, question, answer, has), *_with_element(offers, question, answer)]


def _with_element(offers: Sequence[SchemeOffer], question: ChoiceQuestion, answer: Answer) -> Iterator[str]:
    """That a secure element may do what the processor cannot."""
    needs = (Need.SIGNATURE, Need.AGREEMENT, Need.UPDATE)
    if answer.ranked or question.demands.need not in needs or any(offer.library == "element" for offer in offers):
        return
    yield f"with a secure element on the board the question is another one: --with {', '.join(ELEMENTS.all())}"


def _with_stack(
    offers: Sequence[SchemeOffer], question: ChoiceQuestion, answer: Answer, has: Collection[str]
) -> Iterator[str]:
    """What is first if the flash of the LoRaWAN stack's AES is not counted again."""
    needs = (Need.AEAD, Need.ENCRYPTION, Need.MAC)
    if question.scene.link is None or question.demands.need not in needs or set(BROUGHT) <= set(has):
        return
    brought = without(offers, Has(frozenset(BROUGHT), ()))
    judge = Judge(question.demands, [offer.scheme for offer in brought])
    every = candidates(brought, question.scene, judge, question.limits, question.form)
    admitted = [entry for entry in every if not entry.broken]
    then = first(admitted, question.scene, question.order, question.equal, question.demands.enough_bits)
    now = answer.ranked[0].candidate if answer.ranked else None
    if then is not None and any(offer.already for offer in then.offers):
        gain = _gain(then, now, len(admitted), len(answer.ranked))
        yield f"with --has lorawan (the AES-128 of the LoRaWAN stack, if your code can call it): {gain}"


def _differs(then: Candidate, now: Candidate, *, code: bool) -> bool:
    if code:
        # More candidates also move ties among those that were there before: that is nothing research code would save.
        return then.standing.maturity is Maturity.RESEARCH
    return then.sent.total_bytes < now.sent.total_bytes or then.scheme != now.scheme


def _others(question: ChoiceQuestion) -> Iterator[tuple[str, Demands, MessageForm]]:
    if question.scene.link is not None and question.demands.need in (Need.AEAD, Need.ENCRYPTION):
        for option, form in _forms(question.form, question.demands.need):
            yield option, question.demands, form
    if not question.demands.research:
        yield "--include research", replace(question.demands, research=True), question.form


def _forms(form: MessageForm, need: Need) -> Iterator[tuple[str, MessageForm]]:
    counted, short = replace(form, nonce=Nonce.COUNTER), replace(form, tag_bytes=_SHORT_TAG)
    if form.nonce is Nonce.CARRIED:
        yield "--nonce counter", counted
    if form.tag_bytes is None and need is Need.AEAD:
        yield f"--tag {_SHORT_TAG}", short
        if form.nonce is Nonce.CARRIED:
            yield f"--nonce counter --tag {_SHORT_TAG}", replace(counted, tag_bytes=_SHORT_TAG)


def _gain(then: Candidate, now: Candidate | None, admitted: int, before: int) -> str:
    words = f"{then.scheme} by {then.implementation}, {then.sent.total_bytes} bytes to send"
    if now is None:
        return f"{words}; {admitted} candidates keep all limits"
    if then.life and now.life:
        longer = then.life.value.typical / now.life.value.typical - 1
        words += f", {abs(longer) * 100:.3g} % {'longer' if longer >= 0 else 'shorter'} life"
    for name in ("flash", "latency"):
        own, other = figure_of(then, name), figure_of(now, name)
        if own and other and other.typical > 0 and own.typical != other.typical:
            words += f", {own.typical / other.typical:.3g} times the {_WORDS[name]}"
    return f"{words}; {admitted} candidates keep all limits instead of {before}"
