"""Remarks on a choice for needs of public keys: announced verdicts, what an update is made of, what the radio leaves
out."""

from __future__ import annotations

from collections.abc import Iterator

from motebench.advise.choice.bounds import cost
from motebench.advise.choice.choosing import ChoiceQuestion
from motebench.advise.choice.hashing import with_length
from motebench.advise.choice.judging import PUBLIC_KEY, Need
from motebench.advise.choice.model import Candidate
from motebench.advise.choice.policies import policy
from motebench.advise.choice.updates import SIGNED_BYTES
from motebench.base.model import Operation
from motebench.base.units import format_value
from motebench.catalog import algorithm_of, schemes


def remarks(first: Candidate, question: ChoiceQuestion) -> list[str]:
    """Remarks on the chosen candidate; none for other needs."""
    if question.demands.need not in PUBLIC_KEY:
        return []
    return [
        *_announced(first, question),
        *_update(first, question),
        *_received(first, question),
        *_wired(first, question),
    ]


def _announced(first: Candidate, question: ChoiceQuestion) -> Iterator[str]:
    """Until when the chosen scheme may be used, if an end is announced."""
    known, day, until = schemes(), question.demands.day, question.demands.until
    admits = policy("current").admits
    for name in dict.fromkeys(offer.scheme for offer in first.offers):
        algorithm = algorithm_of(known[name])
        coming = [
            entry
            for entry in algorithm.status
            if entry.since > day and entry.verdict not in admits
            and entry in algorithm.statuses_on(entry.since, known[name])
        ]  # fmt: skip
        if not coming:
            continue
        end = min(coming, key=lambda entry: entry.since)
        body = f"{end.body}{', draft' if end.draft else ''}"
        hint = "" if until else f"; --until {end.since.year + 5} leaves out what will not be allowed then"
        yield f"{algorithm.name} is to be {end.label.rpartition(' ')[0]} from {end.date} on ({body}){hint}"


def _update(first: Candidate, question: ChoiceQuestion) -> Iterator[str]:
    if question.demands.need is not Need.UPDATE or len(first.offers) < 2:
        return
    signature, digest = first.offers
    image = question.scene.message_bytes
    hashed, checked = cost(digest, Operation.DIGEST, image), with_length(signature, Operation.VERIFY, SIGNED_BYTES)
    if hashed is not None and checked is not None:
        parts = (format_value(each.seconds.typical * 1e9, "ns") for each in (hashed, checked))
        yield f"{digest.scheme} of the image takes {next(parts)}, checking the signature {next(parts)}"


def _wired(first: Candidate, question: ChoiceQuestion) -> Iterator[str]:
    """Without a radio bytes cost nothing here, which favours long signatures, keys and ciphertexts."""
    moved = first.sent.total_bytes + first.sent.received_bytes
    if question.scene.link is None and question.demands.need is not Need.UPDATE and moved:
        yield f"{moved:,} bytes are sent and received, which cost nothing in this answer: --lorawan counts them"


def _received(first: Candidate, question: ChoiceQuestion) -> Iterator[str]:
    if question.scene.link is None or not first.sent.received_bytes:
        return
    yield (
        f"{first.sent.received_bytes:,} bytes come to the device, at least {first.sent.received_seconds:,.4g} s on "
        "air: the uplinks that open a window in class A, repeated fragments and the network's duty cycle are left out"
    )
