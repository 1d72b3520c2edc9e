"""Reasons for the rank of a candidate, and what would have to change to admit a rejected one, as sentences."""

from __future__ import annotations

from motebench.advise.choice import horizon
from motebench.advise.choice.choosing import Answer, ChoiceQuestion
from motebench.advise.choice.judging import PUBLIC_KEY, Need
from motebench.advise.choice.model import AGAINST, Broken, Candidate
from motebench.advise.choice.ranking import DECIDERS, RankedCandidate, Weights, lesser
from motebench.base.interval import Interval
from motebench.base.units import format_value
from motebench.catalog.libraries import Maturity

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
_DAYS_A_YEAR = 365.25
_THING = {Need.AGREEMENT: "an agreement", Need.KEM: "a key exchange", Need.UPDATE: "an update"}
"""What is done each time, if it is no message."""
_KEYS_ALONE = (Need.AGREEMENT, Need.KEM)
_TIERS = {
    1: "ranked after everything that a standards body recommends for new designs",
    2: "advised against: ranked after everything that is not",
    3: "strongly advised against: ranked after everything else",
}

_LATER = "post-quantum: after classical signatures, unless --until rejects those or --policy lists it for use alone"


def why(entry: RankedCandidate, answer: Answer) -> list[str]:
    """Reasons for a rank, the most important first."""
    first, candidate = answer.ranked[0], entry.candidate
    order = _words_of(answer.question.order, answer.question.demands.need)
    found = []
    if candidate.standing.tier:
        found.append(f"{'; '.join(candidate.standing.words)}: {_TIERS[candidate.standing.tier]}")
    if entry is first:
        rivals = [each for each in answer.ranked if each.candidate.standing.later == candidate.standing.later]
        of = "" if len(rivals) == len(answer.ranked) else "classical ones "
        found.append(f"best {order} of {len(rivals)} {of}that keep all limits")
    else:
        if candidate.standing.later and not first.candidate.standing.later:
            found.append(_LATER)
        found.append(_against(entry, first, answer.question))
        found += _differences(candidate, first.candidate)
    head = next(each for each in answer.ranked if each.rank == entry.rank)
    if entry.tied and entry is not head:
        mine, its = (lesser(each.candidate, answer.question.demands.enough_bits) for each in (entry, head))
        decides = next((name for name, a, b in zip(DECIDERS, mine, its, strict=True) if a != b), "the name")
        found.append(f"tied: {decides} puts {head.candidate.scheme} by {head.candidate.implementation} first")
    elif entry.tied:
        beside = sum(other.rank == entry.rank for other in answer.ranked) - 1
        others = "another" if beside == 1 else f"{beside} others"
        share = answer.question.equal
        within = f"not distinguishable, or less than {_percent(share)} apart" if share else "not distinguishable"
        found.append(
            f"equal for you: {within} from {others} of rank {entry.rank}. The more mature implementation comes first, "
            f"then {_single(answer.question)}a claim of constant time, {_shorter(answer.question)}less flash, "
            "less RAM, more strength"
        )
    if entry.front:
        found.append("on the Pareto front: no other beats it in energy, time, flash and RAM at once")
    tag = candidate.sent.tag_bytes
    if 0 < tag < _FULL_TAG and not any(note.startswith("GCM") for note in candidate.sent.notes):
        found.append(f"a tag of {tag} bytes: each try at a forgery succeeds with a probability of 2^-{tag * 8}")
    if len(candidate.offers) > 1 and answer.question.demands.need is Need.AEAD:
        found.append("encrypt-then-MAC: the MAC covers nonce and ciphertext, with its own key")
    found += [offer.already for offer in candidate.offers if offer.already]
    return [*found, *candidate.doubts]


def _single(question: ChoiceQuestion) -> str:
    if question.demands.need is Need.MAC:
        return "a MAC without a nonce before one with it, "
    return "one scheme before a cipher and a MAC, " if question.demands.need is Need.AEAD else ""


def _shorter(question: ChoiceQuestion) -> str:
    return "a shorter signature, key or ciphertext, " if question.demands.need in PUBLIC_KEY else ""


def _words_of(order: Weights, need: Need) -> str:
    words = " and ".join(_ORDER_WORDS[name] for name in order)
    return words.replace("a message", _THING.get(need, "a message"))


def _against(entry: RankedCandidate, first: RankedCandidate, question: ChoiceQuestion) -> str:
    weights = question.order
    order, lost = _words_of(weights, question.demands.need), _lost if set(weights) <= _MORE_IS_BETTER else _added
    low, typical, high = lost(entry.worse.low), lost(entry.worse.typical), lost(entry.worse.high)
    if low == high == 0:
        return f"the same {order} as {first.candidate.scheme} by {first.candidate.implementation}"
    words = f"{order} {_percent(abs(typical))} {'worse' if typical >= 0 else 'better'} than rank 1"
    if low == high:
        return words
    ends = sorted((low, high), key=abs)
    if low < 0 < high:
        return f"{words} ({_percent(-low)} better to {_percent(high)} worse)"
    return f"{words} ({_percent(abs(ends[0]))} to {_percent(abs(ends[1]))})"


def _added(ratio: float) -> float:
    """For quantities that should be small: the excess over rank 1, relative to rank 1."""
    return ratio - 1


def _lost(ratio: float) -> float:
    """For quantities that should be large: the deficit against rank 1, relative to rank 1. At most 1."""
    return 1 - 1 / ratio if ratio else -float("inf")


def _percent(share: float) -> str:
    if share > _BEYOND:
        return f"more than {_BEYOND * 100:,.0f} %"
    return f"{share * 100:,.0f} %" if share >= 1 else f"{share * 100:.3g} %"


def _differences(candidate: Candidate, first: Candidate) -> list[str]:
    """The causes of a difference: bytes on air, and processor time."""
    found = []
    more = candidate.sent.total_bytes - first.sent.total_bytes
    if more:
        ms = (candidate.sent.seconds - first.sent.seconds) * 1e3
        air = f", {abs(ms):.4g} ms {'more' if ms > 0 else 'less'} on air" if abs(ms) > 1e-9 else ""
        found.append(f"{abs(more)} bytes {'more' if more > 0 else 'fewer'} to send than rank 1{air}")
    own, other = candidate.latency, first.latency
    if own and other and other.value.typical > 0:
        ratio = f"{own.value.typical / other.value.typical:.3g}"
        if ratio != "1":
            found.append(f"{ratio} times the processor's time of rank 1")
    return found


def remarks(question: ChoiceQuestion, answer: Answer) -> list[str]:
    """Remarks on the chosen candidate: what consumes its energy, and a warning if the ranks therefore mean little."""
    if not answer.ranked:
        return []
    first = answer.ranked[0].candidate
    energy, found = first.energy, []
    if "transmit" in energy and "cipher" in energy and energy["cipher"].value.typical > 0:
        bare = question.scene.on_air(question.scene.message_bytes).seconds
        added = first.sent.seconds - bare
        more = energy["transmit"].value.typical * added / first.sent.seconds
        times = more / energy["cipher"].value.typical
        if first.sent.total_bytes > first.sent.plaintext_bytes and question.demands.need not in _KEYS_ALONE:
            found.append(
                f"the {first.sent.total_bytes - first.sent.plaintext_bytes} bytes that {first.scheme} adds cost "
                f"{format_value(more, 'J')} on air, {_times(times)} what computing it costs"
            )
    lives = [entry.candidate.life.value.typical for entry in answer.ranked if entry.candidate.life]
    if len(lives) > 1 and max(lives) / min(lives) < 1.01:
        found.append("lives of all candidates are within 1 %: flash, RAM, or who maintains the code may decide")
    found += _more_mature(answer)
    found += horizon.remarks(first, question)
    found += _short(first, question)
    found += [f"WARNING: {warning}" for warning in first.warnings]
    if first.standing.tier >= AGAINST:
        found.append(f"WARNING: {'; '.join(first.standing.words)}. Nothing that is recommended keeps the limits")
    return found


def _more_mature(answer: Answer) -> list[str]:
    """What a maintained implementation would cost, if that of the first candidate is not maintained."""
    first = answer.ranked[0]
    own = first.candidate.standing
    if own.maturity <= Maturity.MAINTAINED:
        return []
    for entry in answer.ranked:
        standing = entry.candidate.standing
        if standing.group == own.group and standing.maturity <= Maturity.MAINTAINED:
            name = f"{entry.candidate.scheme} by {entry.candidate.implementation}"
            words = _against(entry, first, answer.question)
            return [f"{name} is {standing.maturity.name.lower()} and keeps all limits, too: {words}"]
    return []


def _short(first: Candidate, question: ChoiceQuestion) -> list[str]:
    """A warning if the battery ends before the service."""
    until, life = question.demands.until, first.life
    if until is None or life is None:
        return []
    service = (until - question.demands.day).days / _DAYS_A_YEAR
    if life.value.typical >= service:
        return []
    return [
        f"WARNING: the service is to last until {until}, {service:.3g} years, and the battery lasts "
        f"{life.value.typical:.3g}: it has to be larger, or to be changed"
    ]


def _times(factor: float) -> str:
    return f"{factor:,.0f} times" if factor >= 100 else f"{factor:.3g} times"


def relaxing(candidate: Candidate) -> str:
    """The options that would have to be relaxed for a rejected candidate, and how far."""
    parts = [_relaxed(entry) for entry in candidate.broken]
    return f"{candidate.scheme} by {candidate.implementation}: {'; '.join(parts)}"


def _relaxed(entry: Broken) -> str:
    if entry.allowed is None or entry.value is None or entry.excess is None:
        return f"{entry.option} ({entry.words})"
    spelt = format_value(entry.value * 1e9, "ns", 4) if entry.unit == "s" else f"{entry.value:,.6g} {entry.unit}"
    given = format_value(entry.allowed * 1e9, "ns", 4) if entry.unit == "s" else f"{entry.allowed:,.6g} {entry.unit}"
    share = "" if entry.excess == float("inf") else f", {_percent(entry.excess)}"
    return f"{entry.option} to {spelt} (now {given}{share})"


def spread(value: Interval, unit: str) -> str:
    """A figure with its bounds if it has any."""
    typical = format_value(value.typical, unit)
    if value.low == value.high:
        return typical
    return f"{typical} ({format_value(value.low, unit)} to {format_value(value.high, unit)})"
