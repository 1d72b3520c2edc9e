"""The effect of another form of the message: derived nonces, shorter tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.choice.candidates import Form, candidates
from motebench.choice.choosing import Answer, Question
from motebench.choice.judging import Judge, Need
from motebench.choice.model import Candidate, Offer
from motebench.choice.ranking import first
from motebench.message import Nonce

_SHORT_TAG = 8
"""Tag length in bytes that LoRaWAN devices often use: a forgery succeeds once in 2^64."""


def alternatives(offers: Sequence[Offer], question: Question, answer: Answer) -> list[str]:
    """The first candidate with a nonce from the frame counter, and with short tags, if it is another scheme or sends
    fewer bytes."""
    if question.scene.link is None or question.demands.need not in (Need.AEAD, Need.ENCRYPTION):
        return []
    now = answer.ranked[0].candidate if answer.ranked else None
    judge = Judge(question.demands, [offer.scheme for offer in offers])
    found = []
    for option, form in _forms(question.form, question.demands.need):
        every = candidates(offers, question.scene, judge, question.limits, form)
        admitted = [entry for entry in every if not entry.broken]
        then = first(admitted, question.scene, question.order)
        if then and (now is None or then.sent.total_bytes < now.sent.total_bytes or then.scheme != now.scheme):
            found.append(f"with {option}: {_gain(then, now, len(admitted), len(answer.ranked))}")
    return found


def _forms(form: Form, need: Need) -> Iterator[tuple[str, Form]]:
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
    return f"{words}; {admitted} candidates keep all limits instead of {before}"
