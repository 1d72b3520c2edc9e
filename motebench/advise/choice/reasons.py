"""Sentences of an answer: reasons for a rank, remarks on the first candidate, other questions worth
asking.

Remarks for public keys: announced verdicts, what an update is made of, what the radio leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.candidate import (
    AGAINST,
    Candidate,
    Judged,
    RankedCandidate,
    SchemeOffer,
)
from motebench.advise.choice.choosing import BROUGHT, Has, without
from motebench.advise.choice.combining import SIGNED_BYTES, candidates
from motebench.advise.choice.estimates import cost, with_length
from motebench.advise.choice.judging import admitted
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    ChoiceQuestion,
    Chosen,
    Need,
    Relaxed,
    Weights,
)
from motebench.advise.choice.ranking import (
    DECIDERS,
    behind,
    figure_of,
    lesser,
)
from motebench.advise.choice.variations import Trial, VariedQuestion
from motebench.advise.choice.ways import forms, relaxations
from motebench.advise.radio.lorawan import LorawanLink
from motebench.base.model import Operation
from motebench.base.units import format_value, life_words
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.libraries import Maturity
from motebench.catalog.policies import policy
from motebench.results import formulas


def _on_public_keys(first: Judged, question: ChoiceQuestion) -> list[str]:
    """Remarks on the chosen candidate; none for other needs."""
    if question.demands.need not in PUBLIC_KEY:
        return []
    return [
        *announced(first, question),
        *update_parts(first, question),
        *received(first, question),
        *wired(first, question),
    ]


def announced(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Until when the chosen scheme may be used, if an end is announced."""
    by_name, day, until = schemes(), question.demands.day, question.demands.until
    admits = policy("current").admits
    for name in dict.fromkeys(offer.scheme for offer in first.offers):
        algorithm = algorithm_of(by_name[name])
        coming = [
            entry
            for entry in algorithm.status
            if entry.since > day
            and entry.verdict not in admits
            and entry in algorithm.statuses_on(entry.since, by_name[name])
        ]
        if not coming:
            continue
        end = min(coming, key=lambda entry: entry.since)
        body = f"{end.body}{', draft' if end.draft else ''}"
        hint = (
            ""
            if until
            else f"; --until {end.since.year + 5} leaves out what will not be allowed then"
        )
        yield (
            f"{algorithm.name} is to be {end.label.rpartition(' ')[0]} from {end.date} on "
            f"({body}){hint}"
        )


def update_parts(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """The time of the hash of an image, and of checking its signature."""
    if question.demands.need is not Need.UPDATE or len(first.offers) < 2:
        return
    signature, digest = first.offers
    image = question.scene.message_bytes
    hashed, checked = (
        cost(digest, Operation.DIGEST, image),
        with_length(signature, Operation.VERIFY, SIGNED_BYTES),
    )
    if hashed is not None and checked is not None:
        parts = (format_value(part.seconds.typical * 1e9, "ns") for part in (hashed, checked))
        yield (
            f"{digest.scheme} of the image takes {next(parts)}, checking the signature "
            f"{next(parts)}"
        )


def wired(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Remark on a device without a radio: bytes cost nothing here, which favours long signatures,
    keys and ciphertexts.
    """
    moved = first.sent.total_bytes + first.sent.received_bytes
    if question.scene.link is None and question.demands.need is not Need.UPDATE and moved:
        ways = [("sent", first.sent.total_bytes), ("received", first.sent.received_bytes)]
        verbs = " and ".join(verb for verb, count in ways if count)
        yield (
            f"{moved:,} bytes are {verbs}, which cost nothing in this answer: --lorawan or --link "
            "counts them"
        )


def received(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Time on air of everything that comes to the device."""
    if question.scene.link is None or not first.sent.received_bytes:
        return
    link, seconds = question.scene.link, first.air.received_seconds
    paces = link.paces(link.receive(first.sent.received_bytes))
    waits = "".join(
        f", and {_minutes(pace.seconds / link.transmissions)} by {pace.rule}"
        for pace in paces
        if pace.limit == "duty-cycle"
    )
    left_out = f": {link.left_out}" if link.left_out else ""
    yield (
        f"{first.sent.received_bytes:,} bytes come to the device, at least {seconds:,.4g} s on "
        f"air{waits}{left_out}"
    )


_ORDER_WORDS = {
    "life": "life",
    "energy": "energy a message",
    "latency": "time of the processor",
    "throughput": "throughput",
    "flash": "flash",
    "ram": "RAM",
}
_MORE_IS_BETTER = {"life", "throughput"}
_FULL_TAG = 16
_BEYOND = 100.0
"""A share beyond which its size says nothing: a lower bound next to 0."""
NOTHING = 5e-4
"""Share of life, energy or time below which a difference does not count."""
_THING = {
    Need.AGREEMENT: "an agreement",
    Need.KEM: "a key exchange",
    Need.UPDATE: "an update",
}
"""Things that the device does each time, if it is no message."""
KEYS_ALONE = (Need.AGREEMENT, Need.KEM)
_TIERS = {
    1: "ranked after everything that a standards body recommends for new designs",
    2: "advised against: ranked after everything that is not",
    3: "strongly advised against: ranked after everything else",
}

_LATER = (
    "post-quantum: after classical signatures, unless --until rejects those or --policy lists it "
    "for use alone"
)


def why(entry: RankedCandidate, chosen: Chosen) -> list[str]:
    """Reasons for a rank, the most important first."""
    candidate, question = entry.candidate, chosen.question
    reasons = []
    if candidate.standing.tier:
        reasons.append(f"{'; '.join(candidate.standing.words)}: {_TIERS[candidate.standing.tier]}")
    reasons += _place(entry, chosen)
    if entry.tied:
        reasons.append(_tie(entry, chosen))
    if entry.front:
        reasons.append(
            "on the Pareto front: no other beats it in energy, time, flash and RAM at once"
        )
    tag = candidate.sent.tag_bytes
    if 0 < tag < _FULL_TAG and not any(note.startswith("GCM") for note in candidate.sent.notes):
        reasons.append(
            f"a tag of {tag} bytes: each try at a forgery succeeds with a probability of "
            f"2^-{tag * 8}"
        )
    if len(candidate.offers) > 1 and question.demands.need is Need.AEAD:
        reasons.append(
            "encrypt-then-MAC: the MAC covers nonce and ciphertext, with its own key; ranked after "
            "authenticated encryption, because the product puts the two together"
        )
    reasons += [offer.already for offer in candidate.offers if offer.already]
    return [*reasons, *candidate.doubts]


def why_later(entry: RankedCandidate, chosen: Chosen) -> str:
    """The chief reason why a candidate does not come first."""
    first, candidate = chosen.ranked[0].candidate, entry.candidate
    if candidate.standing.tier > first.standing.tier:
        return _TIERS[candidate.standing.tier]
    if candidate.standing.later and not first.standing.later:
        return _LATER
    if candidate.unsure and not first.unsure:
        return candidate.doubts[0]
    if len(candidate.offers) > len(first.offers) and chosen.question.demands.need is Need.AEAD:
        return "a cipher and a MAC, which the product puts together"
    if behind(candidate.standing, chosen.question) and not first.standing.unmaintained:
        if candidate.standing.maturity is Maturity.OUTDATED:
            return "an outdated branch of its library: the supported one was measured, too"
        return "unmaintained code: its maker gives out no corrections any more"
    if entry.rank == chosen.ranked[0].rank:
        return _tie(entry, chosen)
    return against(entry, chosen.ranked[0], chosen.question)


def _place(entry: RankedCandidate, chosen: Chosen) -> list[str]:
    """The best of all, or how much worse than rank 1."""
    first, candidate = chosen.ranked[0], entry.candidate
    if entry is first:
        alike = [
            rival
            for rival in chosen.ranked
            if rival.candidate.standing.tier == candidate.standing.tier
        ]
        rivals = [
            rival for rival in alike if rival.candidate.standing.later == candidate.standing.later
        ]
        kind = "" if len(rivals) == len(alike) else "classical ones "
        less = len(chosen.ranked) - len(alike)
        order = order_words(chosen.question.order, chosen.question.demands.need)
        beside = f"; {less} less recommended ones do, too" if less else ""
        return [f"best {order} of {len(rivals)} {kind}that keep all limits{beside}"]
    later = [_LATER] if candidate.standing.later and not first.candidate.standing.later else []
    return [
        *later,
        against(entry, first, chosen.question),
        *_differences(candidate, first.candidate),
    ]


def _tie(entry: RankedCandidate, chosen: Chosen) -> str:
    """Property that decides among candidates of one rank."""
    question = chosen.question
    head = next(other for other in chosen.ranked if other.rank == entry.rank)
    if entry is not head:
        mine, its = (lesser(other.candidate, question.demands) for other in (entry, head))
        decides = next(
            (name for name, a, b in zip(DECIDERS, mine, its, strict=True) if a != b), "the name"
        )
        return (
            f"tied: {decides} puts {head.candidate.scheme} by {head.candidate.implementation} first"
        )
    beside = sum(other.rank == entry.rank for other in chosen.ranked) - 1
    others = "another" if beside == 1 else f"{beside} others"
    within = f"at most {_percent(question.equal)} apart from" if question.equal else "the same as"
    return (
        f"equal for you: {within} {others} of rank {entry.rank}. The more mature implementation "
        f"comes first, then {_single(question)}a claim of constant time, {_shorter(question)}less "
        "flash, less RAM, more strength"
    )


def _single(question: ChoiceQuestion) -> str:
    if question.demands.need is Need.MAC:
        return "a MAC without a nonce before one with it, "
    return ""


def _shorter(question: ChoiceQuestion) -> str:
    return "a shorter signature, key or ciphertext, " if question.demands.need in PUBLIC_KEY else ""


def order_words(order: Weights, need: Need) -> str:
    """Criteria in words."""
    text = " and ".join(_ORDER_WORDS[name] for name in order)
    return text.replace("a message", _THING.get(need, "a message"))


def against(entry: RankedCandidate, first: RankedCandidate, question: ChoiceQuestion) -> str:
    """Loss of a candidate against the first one by the criteria."""
    weights = question.order
    order, lost = (
        order_words(weights, question.demands.need),
        _lost if set(weights) <= _MORE_IS_BETTER else _added,
    )
    low, typical, high = lost(entry.worse.low), lost(entry.worse.typical), lost(entry.worse.high)
    if low == high == 0:
        return f"the same {order} as {first.candidate.scheme} by {first.candidate.implementation}"
    if max(abs(low), abs(high)) < NOTHING:
        return f"{order} equal to rank 1"
    if abs(typical) < NOTHING:
        bounds = f"{_percent(max(-low, 0.0))} better to {_percent(max(high, 0.0))} worse"
        return f"{order} equal to rank 1, within bounds of {bounds}"
    text = f"{order} {_percent(abs(typical))} {'worse' if typical >= 0 else 'better'} than rank 1"
    if low == high:
        return text
    ends = sorted((low, high), key=abs)
    if low < 0 < high:
        return (
            f"{text}, and the results leave open which is better ({_percent(-low)} better to "
            f"{_percent(high)} worse)"
        )
    return f"{text} ({_percent(abs(ends[0]))} to {_percent(abs(ends[1]))})"


def _added(ratio: float) -> float:
    """Excess over rank 1, relative to rank 1, for quantities that should be small."""
    return ratio - 1


def _lost(ratio: float) -> float:
    """Deficit against rank 1, relative to rank 1, for quantities that should be large. At most
    1.
    """
    return 1 - 1 / ratio if ratio else -float("inf")


def _percent(share: float) -> str:
    if share > _BEYOND:
        return f"more than {_BEYOND * 100:,.0f} %"
    return f"{share * 100:,.0f} %" if share >= 1 else f"{share * 100:.3g} %"


def _differences(candidate: Judged, first: Judged) -> list[str]:
    """The causes of a difference: bytes on air, and processor time."""
    texts = []
    more = candidate.sent.total_bytes - first.sent.total_bytes
    if more:
        ms = (candidate.air.seconds - first.air.seconds) * 1e3
        air = f", {abs(ms):.4g} ms {'more' if ms > 0 else 'less'} on air" if abs(ms) > 1e-9 else ""
        texts.append(
            f"{abs(more)} bytes {'more' if more > 0 else 'fewer'} to send than rank 1{air}"
        )
    own, other = candidate.latency, first.latency
    if own and other and other.value.typical > 0:
        ratio = f"{own.value.typical / other.value.typical:.3g}"
        if ratio != "1":
            texts.append(f"{ratio} times the processor's time of rank 1")
    return texts


def caution(chosen: Chosen) -> str | None:
    """Objection to taking the first candidate at all: it takes longer than a user would wait; None
    without one.
    """
    slow = slow_words(chosen)
    if slow is None:
        return None
    ways = "; ".join(
        f"{way.option}: {way_words(way.first)}, {_time(way.first)}" for way in chosen.ways
    )
    ends = f"nearest ways out: {ways}" if ways else "no other option of this question is quicker"
    return f"{slow}; {ends}"


def slow_words(chosen: Chosen) -> str | None:
    """Remark on a time for which no user waits; None if it is short enough."""
    first = chosen.first
    if first is None or first.latency is None or not chosen.impatient:
        return None
    time = format_value(first.latency.value.typical * 1e9, "ns")
    thing = _THING.get(chosen.question.demands.need, "a signature")
    return f"{time} of the processor for {thing}: no product waits so long"


def _time(candidate: Judged) -> str:
    return (
        "time unknown"
        if candidate.latency is None
        else format_value(candidate.latency.value.typical * 1e9, "ns")
    )


def remarks(chosen: Chosen) -> list[str]:
    """Remarks on the chosen candidate: the consumers of its energy, and a warning if the ranks
    therefore mean little.
    """
    first, question = chosen.first, chosen.question
    if first is None:
        return []
    energy, texts = first.energy, []
    if "transmit" in energy and "cipher" in energy and energy["cipher"].value.typical > 0:
        more = energy["transmit"].value.typical - question.scene.bare_transmit_j()
        times = more / energy["cipher"].value.typical
        if (
            first.sent.total_bytes > first.sent.plaintext_bytes
            and question.demands.need not in KEYS_ALONE
        ):
            texts.append(
                f"the {first.sent.total_bytes - first.sent.plaintext_bytes} bytes that "
                f"{first.scheme} adds cost "
                f"{format_value(more, 'J')} on air, {_times(times)} what computing it costs"
            )
    lives = [entry.candidate.life.value.typical for entry in chosen.ranked if entry.candidate.life]
    if len(lives) > 1 and max(lives) / min(lives) < 1.01:
        texts.append(
            "lives of all candidates are within 1 %: flash, RAM, or who maintains the code may "
            "decide"
        )
    texts += _more_mature(chosen)
    texts += _in_element(chosen)
    texts += _on_public_keys(first, question)
    texts += paced(first, question)
    texts += short_lived(first, question)
    texts += [f"WARNING: {warning}" for warning in first.warnings]
    if first.standing.tier >= AGAINST:
        texts.append(
            f"WARNING: {'; '.join(first.standing.words)}. Nothing that is recommended keeps the "
            "limits"
        )
    return texts


def _more_mature(chosen: Chosen) -> list[str]:
    """Remark on the cost of a maintained implementation, if that of the first candidate is not
    maintained.
    """
    first = chosen.ranked[0]
    own = first.candidate.standing
    if own.maturity <= Maturity.MAINTAINED:
        return []
    for entry in chosen.ranked:
        standing = entry.candidate.standing
        if standing.group == own.group and standing.maturity <= Maturity.MAINTAINED:
            name = f"{entry.candidate.scheme} by {entry.candidate.implementation}"
            difference = against(entry, first, chosen.question)
            return [
                (
                    f"{name} is {standing.maturity.name.lower()} and keeps all limits, too: "
                    f"{difference}"
                )
            ]
    return []


_LONG_S = 120.0
"""Seconds from which minutes are easier to read."""


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= _LONG_S else f"{seconds:.3g} s"


def paced(first: Judged, question: ChoiceQuestion) -> list[str]:
    """Remark on the time of several frames by the duty cycle, which is far longer than their time
    on air.
    """
    least, _ = question.scene.least_intervals(first.sent.total_bytes)
    if first.air.frames < 2 or not least:
        return []
    lasting = _minutes(least)
    return [
        f"{first.air.frames} frames take {first.air.seconds:,.3g} s on air, and {lasting} by the "
        "duty cycle: so long this lasts, and the next one waits"
    ]


def _in_element(chosen: Chosen) -> list[str]:
    """Cost of a key that cannot be read, if a secure element is there and not first."""
    first = chosen.ranked[0]
    if not chosen.question.demands.secret or first.candidate.offers[0].library == "element":
        return []
    for entry in chosen.ranked:
        if all(offer.library == "element" for offer in entry.candidate.offers):
            difference = against(entry, first, chosen.question)
            name = f"{entry.candidate.scheme} by {entry.candidate.implementation}"
            return [
                (
                    f"{name} keeps its key where nobody can read it (--protect-key asks for that): "
                    f"{difference}"
                )
            ]
    return []


def short_lived(first: Judged, question: ChoiceQuestion) -> list[str]:
    """A warning if the battery ends before the service."""
    until, life = question.demands.until, first.life
    if until is None or life is None:
        return []
    service = (until - question.demands.day).days / formulas.DAYS_A_YEAR
    if life.value.typical >= service:
        return []
    lasts = life_words(life.value.typical)
    if lasts.endswith(" years") and service >= 1:
        lasts = lasts.removesuffix(" years")
    return [
        f"WARNING: the service is to last until {until}, {life_words(service)}, and the battery "
        f"lasts {lasts}: it has to be larger, or to be changed"
    ]


def _times(factor: float) -> str:
    return f"{factor:,.0f} times" if factor >= 100 else f"{factor:.3g} times"


def relaxing(relaxed: Relaxed, question: ChoiceQuestion) -> str:
    """The options that have to be relaxed for a rejected candidate, how far, and why."""
    reasons = {entry.option.split(" ")[0]: entry.words for entry in reversed(relaxed.broken)}
    parts = [
        entry.words
        if entry.note
        else f"{entry.typed} ({reasons[entry.option]})"
        if entry.option in reasons
        else entry.typed
        for entry in relaxations(relaxed, question)
    ]
    return f"{relaxed.candidate.scheme} by {relaxed.candidate.implementation}: {'; '.join(parts)}"


_WORDS = {"flash": "flash", "latency": "time"}


RESEARCH_TOO = "--include research"


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """The first candidate of another question.

    ``option``: as on the command line; ``remark``: what has to hold for it.
    """

    option: str
    first: Judged
    question: ChoiceQuestion
    offers: Sequence[SchemeOffer]
    remark: str = ""

    def admitted(self) -> int:
        """Number of recommended candidates that keep all limits."""
        every = candidates(self.offers, self.question)
        return recommended(entry for entry in every if admitted(entry, self.question))


def other_answers(chosen: Chosen, *, deciding: bool = False) -> list[OtherAnswer]:
    """The first candidate with a nonce from the frame counter, and with short tags, if it is
    another scheme or sends fewer bytes; the first one if implementations that are not for products
    were candidates; and the first one if the AES of a LoRaWAN stack is used.

    ``deciding``: without those that no decision names.
    """
    now, question = chosen.first, chosen.question
    answers = []
    forms_tried = Trial(chosen.offers, question)
    for option, varied in _others(question):
        code = varied.demands.research != question.demands.research
        if deciding and not code and now is not None and now.life is None:
            continue
        trial = Trial(chosen.offers, varied) if code else forms_tried
        then = trial.led(VariedQuestion(varied)).first
        if then is not None and _worth_asking(option, then, chosen, code=code):
            answers.append(OtherAnswer(option, then, varied, chosen.offers))
    return answers if deciding and now is not None else [*answers, *_with_stack(chosen)]


def _worth_asking(option: str, then: Judged, chosen: Chosen, *, code: bool) -> bool:
    """True if no way names the option, and the answer with it is another one that is as much
    recommended."""
    named = any(way.option in option for way in chosen.ways)
    if named or _less_recommended(then, chosen):
        return False
    return chosen.first is None or _differs(then, chosen.first, code=code)


def alternatives(chosen: Chosen, others: Sequence[OtherAnswer]) -> list[str]:
    """Other questions that are worth asking, with their answers."""
    before = recommended(entry.candidate for entry in chosen.ranked)
    texts = []
    for other in others:
        remark = f" ({other.remark})" if other.remark else ""
        gain = _gain(other.first, chosen.first, other.admitted(), before)
        texts.append(f"with {other.option}{remark}: {gain}")
    return [*texts, *_with_element(chosen)]


def recommended(candidates: Iterable[Candidate]) -> int:
    """Number of these candidates that a standards body recommends, at any optimisation level."""
    return len({candidate.plain_name for candidate in candidates if not candidate.standing.tier})


def _less_recommended(then: Judged, chosen: Chosen) -> bool:
    """True if another question leads to a less recommended candidate than this one, or than its
    ways out.
    """
    tier = 0 if chosen.ways else chosen.first.standing.tier if chosen.first else then.standing.tier
    return then.standing.tier > tier


def _with_element(chosen: Chosen) -> Iterator[str]:
    """Advice to take a secure element where the processor has no answer."""
    needs = (Need.SIGNATURE, Need.AGREEMENT, Need.UPDATE)
    has_element = any(offer.library == "element" for offer in chosen.offers)
    if chosen.ranked or has_element or chosen.question.demands.need not in needs:
        return
    helping = [
        way.option.removeprefix("--with ")
        for way in chosen.ways
        if way.option.startswith("--with ")
    ]
    if helping:
        yield (
            "with a secure element on the board the question is another one: --with "
            f"{', '.join(helping)}"
        )


def _with_stack(chosen: Chosen) -> Iterator[OtherAnswer]:
    """Candidate that is first if the flash of the LoRaWAN stack's AES is not counted again."""
    question, needs = chosen.question, (Need.AEAD, Need.ENCRYPTION, Need.MAC)
    has_stack = set(BROUGHT) <= set(chosen.has)
    lorawan = isinstance(question.scene.link, LorawanLink)
    if not lorawan or question.demands.need not in needs or has_stack:
        return
    offers = without(chosen.offers, Has(frozenset(BROUGHT), ()))
    then = Trial(offers, question).led(VariedQuestion(question)).first
    if then is not None and any(offer.already for offer in then.offers):
        remark = "the AES-128 of the LoRaWAN stack, if your code can call it"
        yield OtherAnswer("--has lorawan", then, question, offers, remark)


def _differs(then: Judged, now: Judged, *, code: bool) -> bool:
    if code:
        # More candidates also move ties among those that were there before: that is nothing
        # research code would save.
        return then.standing.maturity is Maturity.RESEARCH
    return then.sent.total_bytes < now.sent.total_bytes or then.scheme != now.scheme


def _others(question: ChoiceQuestion) -> Iterator[tuple[str, ChoiceQuestion]]:
    """Other questions that are worth asking, by option."""
    if question.scene.link is not None and question.demands.need in (Need.AEAD, Need.ENCRYPTION):
        for option, form in forms(question.form, question.demands.need):
            yield option, replace(question, form=form)
    if not question.demands.research:
        yield (
            RESEARCH_TOO,
            replace(question, demands=replace(question.demands, research=True)),
        )


def way_words(first: Judged) -> str:
    """The first candidate of another question in a few words."""
    life = f", {life_words(first.life.value.typical)}" if first.life else ""
    return f"{_name_and_bytes(first)}{life}"


def _name_and_bytes(entry: Judged) -> str:
    """The candidate, and the bytes that it sends if it sends any."""
    sent = f", {entry.sent.total_bytes:,} bytes to send" if entry.sent.total_bytes else ""
    return f"{entry.scheme} by {entry.implementation}{sent}"


def _gain(then: Judged, now: Judged | None, admitted: int, before: int) -> str:
    text = _name_and_bytes(then)
    keeping = f"{admitted} recommended candidates keep all limits"
    if now is None:
        return f"{text}; {keeping}"
    if then.life and now.life:
        longer = then.life.value.typical / now.life.value.typical - 1
        size = f"{abs(longer) * 100:.3g} % {'longer' if longer >= 0 else 'shorter'} life"
        text += f", {'equal life' if abs(longer) < NOTHING else size}"
    for name in ("flash", "latency"):
        own, other = figure_of(then, name), figure_of(now, name)
        if own and other and other.typical > 0 and own.typical != other.typical:
            times = f"{own.typical / other.typical:.3g} times the"
            text += f", {times if own.typical else 'no further'} {_WORDS[name]}"
    return f"{text}; {keeping} instead of {before}"
