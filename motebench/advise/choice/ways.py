"""Ways out of a question that admits nothing recommended: other options, each tried before it is named.

A change is one that a designer can make without giving up a demand: the nonce from a counter, a shorter tag, a faster
data rate, several frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import Broken, Judged
from motebench.advise.choice.question import ChoiceQuestion, MessageForm, Need, Way
from motebench.advise.radio.message import Nonce

SHORT_TAG = 8
"""Tag length in bytes that LoRaWAN devices often use: a forgery succeeds once in 2^64."""
_TAGGED = (Need.AEAD, Need.MAC)
_WITH_NONCE = (Need.AEAD, Need.ENCRYPTION, Need.MAC)

Leading = Callable[[ChoiceQuestion], Judged | None]
"""The first candidate of a question; None if no candidate keeps all limits."""


def forms(form: MessageForm, need: Need) -> Iterator[tuple[str, MessageForm]]:
    """Other forms of the message, by option: those of one option first."""
    carried = form.nonce is Nonce.CARRIED and need in _WITH_NONCE
    longer = (form.tag_bytes is None or form.tag_bytes > SHORT_TAG) and need in _TAGGED
    counted = replace(form, nonce=Nonce.COUNTER)
    if carried:
        yield "--nonce counter", counted
    if longer:
        yield f"--tag {SHORT_TAG}", replace(form, tag_bytes=SHORT_TAG)
    if carried and longer:
        yield f"--nonce counter --tag {SHORT_TAG}", replace(counted, tag_bytes=SHORT_TAG)


def changes(question: ChoiceQuestion) -> Iterator[tuple[str, ChoiceQuestion]]:
    """The questions that a designer can ask instead, by option: the form of the message, the rate, fragments."""
    scene, link = question.scene, question.scene.link
    for option, form in forms(question.form, question.demands.need):
        yield option, replace(question, form=form)
    if link is None:
        return
    for rate in sorted(link.region.data_rates, key=lambda rate: rate.dr):
        if rate.dr > link.rate.dr:
            faster = replace(scene, link=replace(link, rate=rate), known={})
            yield f"--dr {rate.dr}", replace(question, scene=faster)
    if not link.fragment:
        yield "--fragment", replace(question, scene=replace(scene, link=replace(link, fragment=True), known={}))


def recommending(question: ChoiceQuestion, leading: Leading) -> tuple[Way, ...]:
    """The changes whose first candidate is recommended: of the rates the slowest, of forms those with one option if
    there are any."""
    ways: list[Way] = []
    for option, changed in changes(question):
        name = option.split()[0]
        if any(way.option.startswith(name) for way in ways):
            continue
        first = leading(changed)
        if first is not None and first.standing.tier == 0:
            ways.append(Way(option, first))
    return tuple(ways)


def held_back(candidate: Judged, ways: Sequence[Way]) -> Judged:
    """A less recommended candidate as one that is not chosen, because ``ways`` admit a recommended one."""
    options = " or ".join(way.option for way in ways)
    words = (
        f"{'; '.join(candidate.standing.words)}: less recommended than {ways[0].first.scheme}, which {options} admits"
    )
    return replace(candidate, broken=(*candidate.broken, Broken("recommended", words)))
