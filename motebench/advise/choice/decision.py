"""The decision of an answer: what to take and why, its alternatives with their price, what it rests
on, and what to check before the product ships.

Every sentence follows from numbers of the candidates: shares of energy, bytes and time. The record
is for one screen; the whole document has the rest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from motebench.advise.choice.candidate import (
    AGAINST,
    NONE,
    Estimate,
    Judged,
    RankedCandidate,
)
from motebench.advise.choice.keys import cautions
from motebench.advise.choice.names import (
    bounded,
    candidate_words,
    family,
    level_difference,
    library,
    maker_words,
    named_words,
    percent,
    quantity,
    rounded,
    scheme_words,
    words_of_battery,
    words_of_device,
)
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    ChoiceQuestion,
    Chosen,
    Need,
    Role,
    Way,
)
from motebench.advise.choice.ranking import DECIDERS, behind, lesser
from motebench.advise.choice.reasons import (
    KEYS_ALONE,
    NOTHING,
    RESEARCH_TOO,
    OtherAnswer,
    announced,
    order_words,
    paced,
    received,
    recommended,
    short_lived,
    slow_words,
    update_parts,
    wired,
)
from motebench.advise.choice.sensitivity import changing
from motebench.advise.choice.ways import fewest, relaxations
from motebench.base.model import Evidence, Kind
from motebench.base.naming import EMULATED
from motebench.base.units import format_value
from motebench.catalog import schemes
from motebench.catalog.libraries import Maturity, library_of
from motebench.documents.choice import (
    DecisionAlternative,
    DecisionEntry,
    DecisionFigure,
    KeyFact,
    KeysEntry,
    SensitiveEnd,
    SensitiveInput,
)

_PARTS = {
    "transmit": "sending",
    "receive": "listening",
    "download": "receiving",
    "sleep": "sleep",
    "element": "the secure element",
    "cipher": "computing",
}
_SMALL, _NOTICED = 0.01, 1.1
"""Share of energy below which computing decides nothing; factor from which a difference counts."""
_GAIN = 0.05
"""The share of life, or of bytes, from which another form of the message is worth naming."""
_FEW = 2
_USUAL = "current"
"""The policy of questions that name none."""
_MOST_WAYS = 4
_FAR = 2.0
"""Speed of code for research, as a multiple, from which an answer names it."""
_EQUAL = "equal"
_UNMEASURED = "not measured here"
_LIMIT_WORDS = {"result": "no result"}


def decision(
    chosen: Chosen, keys: Sequence[KeysEntry], others: Sequence[OtherAnswer]
) -> DecisionEntry:
    """The decision of an answer; ``others``: answers to other questions that are worth asking."""
    if not chosen.ranked:
        return _refusal(chosen, others)
    first, question = chosen.ranked[0], chosen.question
    slow = slow_words(chosen)
    alternatives = list(_alternatives(chosen, others))[:_FEW]
    if slow:
        ways = [DecisionAlternative(words=way.option, price=_way_words(way)) for way in chosen.ways]
        alternatives = [*ways, *alternatives][:_MOST_WAYS]
    return DecisionEntry(
        question=question_words(chosen),
        verdict="too-slow" if slow else "take",
        take=_take(first.candidate, question),
        standing=_standing(first.candidate),
        figures=tuple(_figures(first.candidate, question)),
        decides=(*([slow] if slow else []), *_decides(chosen)),
        alternatives=tuple(alternatives),
        rests_on=tuple(_rests(chosen, others)),
        before_shipping=tuple(_checks(chosen, keys)),
    )


# The question


def question_words(chosen: Chosen) -> str:
    """The question in one sentence, with every demand and limit that the user gave."""
    question = chosen.question
    scene, demands = question.scene, question.demands
    length = f"{scene.message_bytes:,} B"
    parts = [] if demands.need in KEYS_ALONE else [length]
    if demands.need is Need.UPDATE:
        parts = [f"image of {length}"]
    if scene.every_s:
        parts.append(f"every {span_words(scene.every_s)}")
    if scene.link is not None:
        parts.append(scene.link.name)
        parts.append(scene.link.radio.id)
    if scene.battery is not None:
        parts.append(words_of_battery(scene.battery))
    role, device = question.form.role, words_of_device(scene.device)
    doing = f" ({role})" if role and demands.need is not Need.UPDATE else ""
    demanded = [f"need {demands.need}{doing}", f"policy {demands.policy.id}", *_demanded(chosen)]
    return ", ".join([f"{device}: {parts[0]}" if parts else device, *parts[1:]]) + (
        f"; {', '.join(demanded)}"
    )


def span_words(seconds: float) -> str:
    """Seconds in the largest unit that needs no fraction."""
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:.10g} {unit}"
    return f"{seconds:.10g} s"


def _demanded(chosen: Chosen) -> Iterator[str]:
    question = chosen.question
    demands, limits = question.demands, question.limits
    if demands.until:
        yield f"until {demands.until}"
    if demands.strength_bits:
        yield f"{demands.strength_bits} bits"
    if demands.constant_time:
        yield "constant time"
    if demands.protect_key:
        yield "protected key"
    if demands.research:
        yield "research code too"
    for name, most in (("flash", limits.flash), ("ram", limits.ram)):
        if most is not None and name not in limits.of_device:
            yield f"{name.upper() if name == 'ram' else name} up to {most:,} B"
    if limits.latency_s is not None:
        yield f"up to {format_value(limits.latency_s * 1e9, 'ns')}"
    if question.form.tag_bytes is not None:
        yield f"tag of {question.form.tag_bytes} B"
    if chosen.has:
        yield f"has {', '.join(chosen.has)}"


# What to take


def _take(first: Judged, question: ChoiceQuestion) -> str:
    doing = {Role.VERIFY: "check with ", Role.DECAPSULATE: "decapsulate with "}
    doing |= {Role.SIGN: "sign with ", Role.ENCAPSULATE: "encapsulate with "}
    role = question.form.role if question.demands.need is not Need.UPDATE else None
    taken = f"{doing[role] if role else ''}{candidate_words(first)}"
    if question.demands.need is Need.UPDATE and len(first.offers) > 1:
        signature, digest = (scheme_words(offer.scheme) for offer in first.offers)
        taken = f"check {signature} over {digest} of the image, {maker_words(first)}"
    if question.demands.need is Need.AEAD and len(first.offers) > 1:
        taken += ", encrypt-then-MAC with two keys"
    against = {0: [], 1: ["without a recommendation"]}
    doubt = against.get(first.standing.tier, ["which is advised against"])
    return ", ".join([taken, *_form(first, question), *doubt])


def _form(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Origin of the nonce, and the length of a shortened tag."""
    needs_nonce = any(
        scheme.nonce_bytes and scheme.kind is not Kind.HASH
        for offer in first.offers
        if (scheme := schemes().get(offer.scheme)) is not None
    )
    if question.demands.need in PUBLIC_KEY:
        return
    if first.sent.nonce_bytes:
        yield f"nonce of {first.sent.nonce_bytes} B sent with it"
    elif needs_nonce:
        link = question.scene.link
        counted = link is not None and link.counted
        counter = "the frame counter" if counted else "a counter that both sides keep"
        yield f"nonce from {counter}"
    tagged = schemes().get(first.offers[-1].scheme)
    if tagged is not None and 0 < first.sent.tag_bytes < tagged.tag_bytes:
        yield f"tag of {first.sent.tag_bytes} B"


def _standing(first: Judged) -> str:
    verdicts = first.standing.words[:2]
    if not first.standing.tier:
        # What is announced against it is among the checks.
        verdicts = tuple(verdict.partition("; ")[0] for verdict in verdicts)
    status = "; ".join(verdict.replace(": ", " ", 1) for verdict in verdicts)
    bits = first.standing.strength_bits
    strength = "strength unknown" if bits is None else f"{bits} bits"
    maturity = first.standing.maturity.name.lower()
    return f"{first.scheme} by {first.implementation}; {status}; {strength}; code {maturity}"


def _figures(first: Judged, question: ChoiceQuestion) -> Iterator[DecisionFigure]:
    """The headline figures with their bounds."""
    if first.life is not None:
        yield DecisionFigure(name="life", words=bounded(first.life.value, "years"))
    elif first.energy_j is not None:
        yield DecisionFigure(name="energy", words=bounded(first.energy_j, "J"))
    if first.latency is not None:
        yield DecisionFigure(name="time", words=_time(first, first.latency))
    for name, figure in (("flash", first.flash), ("RAM", first.ram)):
        if figure is not None:
            yield DecisionFigure(name=name, words=bounded(figure.value, "B"))
    if first.sent.total_bytes and question.demands.need not in (Need.UPDATE, Need.HASH):
        frames = f" in {first.air.frames} frames" if first.air.frames > 1 else ""
        air = (
            f", {quantity(first.air.seconds, 's')} on air{frames}" if first.air.seconds else frames
        )
        yield DecisionFigure(name="sent", words=f"{first.sent.total_bytes:,} B{air}")
    if first.sent.received_bytes and question.scene.link is not None:
        length = f"{first.sent.received_bytes:,} B"
        if first.air.received_seconds:
            length += f", {quantity(first.air.received_seconds, 's')} on air"
        yield DecisionFigure(name="received", words=length)


def _time(first: Judged, latency: Estimate) -> str:
    """The time; with the word that it is a model, because nothing timed it: on a Linux board, or
    carried over from another board."""
    counted = any(origin.target.startswith(EMULATED) for origin in latency.origins)
    origin = f", {_UNMEASURED}" if _carried(first) else ", modelled" if counted else ""
    return bounded(latency.value, "s") + origin


def _carried(candidate: Judged) -> bool:
    """True if results of another board with the same core are used."""
    return any(offer.carried for offer in candidate.offers)


# What decides


def _decides(chosen: Chosen) -> Iterator[str]:
    """Shares of the energy, what puts the first candidate first, and what it adds to a message.

    Limits that reject recommended candidates come before that, as they are the first reason. Bytes
    come before both where computing takes next to no energy.
    """
    first, question = chosen.ranked[0], chosen.question
    limited = any(True for _ in _demanded(chosen)) or question.demands.policy.id != _USUAL
    rejecting = limited and bool(_limits(chosen))
    added = list(_bytes(first.candidate, question))
    decided = _computing_is_small(first.candidate)
    yield from _shares(chosen)
    yield from added if decided else ()
    if rejecting:
        yield from _crowd(chosen)
    yield from _first_place(chosen)
    yield from _level(chosen)
    yield from () if decided else added
    yield from update_parts(first.candidate, question)
    yield from received(first.candidate, question)
    yield from paced(first.candidate, question)
    if not rejecting:
        yield from _crowd(chosen)


def _shares(chosen: Chosen) -> Iterator[str]:
    """Shares of the energy, and the consequence for the code."""
    energy = {name: part.value.typical for name, part in chosen.ranked[0].candidate.energy.items()}
    whole = sum(energy.values())
    if len(energy) < 2 or whole <= 0:
        return
    falling = sorted(energy, key=lambda name: -energy[name])
    shown = [name for name in falling if energy[name] >= _SMALL * whole and name != "cipher"]
    listed = ", ".join(
        f"{_PARTS[name]}{' is' if name == falling[0] else ''} {percent(energy[name] / whole)}"
        + (" of the energy" if name == falling[0] else "")
        for name in [*(["cipher"] if falling[0] == "cipher" else []), *shown]
    )
    if falling[0] != "cipher" and "cipher" in energy:
        listed += f", computing {percent(energy['cipher'] / whole)}"
    if _computing_is_small(chosen.ranked[0].candidate):
        equal = len(_equal_ones(chosen))
        serve = f": the code decides nothing, {equal} schemes and libraries are equal"
        listed += serve if equal > 1 else ""
    yield listed


def _computing_is_small(first: Judged) -> bool:
    """True if computing takes so little of the energy that no code decides anything."""
    energy = {name: part.value.typical for name, part in first.energy.items()}
    return energy.get("cipher", math.inf) < _SMALL * sum(energy.values())


def _equal_ones(chosen: Chosen) -> set[tuple[object, str]]:
    """Schemes and libraries of rank 1, without key lengths."""
    first = [entry.candidate for entry in chosen.ranked if entry.rank == 1]
    return {(family(candidate), library(candidate)) for candidate in first}


def _bytes(first: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Bytes that the scheme adds to those that are sent, and their energy."""
    sent, need = first.sent, question.demands.need
    added = {
        "padding": sent.padding_bytes,
        "nonce": sent.nonce_bytes,
        "tag": sent.tag_bytes,
        "signature": sent.signature_bytes,
    }
    present = [(name, count) for name, count in added.items() if count]
    if not present or need in KEYS_ALONE or not question.scene.sends:
        return
    count = sum(count for _, count in present)
    names = " and ".join(f"{name}" for name, _ in present)
    if len(present) > 1:
        names += f" ({' + '.join(str(size) for _, size in present)} B)"
    article = "the " if len(present) == 1 else ""
    text = f"{count:,} of {sent.total_bytes:,} bytes sent are {article}{names}"
    energy = {name: part.value.typical for name, part in first.energy.items()}
    if "transmit" in energy:
        bare_j = question.scene.bare_transmit_j()
        if bare_j:
            more = max(energy["transmit"] - bare_j, 0.0) / sum(energy.values())
            text += f", {percent(more)} of the energy" if more else ", for no more energy"
    yield text + _frames(first, question)


def _frames(first: Judged, question: ChoiceQuestion) -> str:
    """Frames that the protection adds, and the length from which there is one more."""
    link, frames = question.scene.link, first.air.frames
    if link is None or link.longest is None or not frames:
        return ""
    bare = question.scene.on_air(question.scene.message_bytes).frames
    if bare and frames > bare:
        return f"; {frames} frames instead of {bare}, one takes {link.longest} B"
    edge = link.edge(first.sent.total_bytes)
    return "" if edge is None else f"; {_frame_count(frames)} up to {edge} B"


def _frame_count(count: int) -> str:
    """Number of frames in words."""
    return "one frame" if count == 1 else f"{count} frames"


def _first_place(chosen: Chosen) -> Iterator[str]:
    """Reason that puts the first candidate before the next one of another scheme or library."""
    first, question = chosen.ranked[0], chosen.question
    rivals = list(_rivals(chosen))
    tied = [entry for entry in rivals if entry.rank == first.rank]
    other = next(iter(tied or rivals), None)
    order = order_words(question.order, question.demands.need)
    if other is None:
        alone = len(chosen.ranked) == 1
        yield "the only candidate" if alone else "no other scheme or library keeps all limits"
    elif other.rank != first.rank:
        is_behind = behind(other.candidate.standing, question)
        held_back = is_behind and not behind(first.candidate.standing, question)
        better = other.worse.typical < 1
        follows = "maintained code first, then" if held_back and better else "next is"
        yield f"{order}: {follows} {_name(other)}, {_amount(other, first, question)}"
    else:
        mine, its = (lesser(entry.candidate, question.demands) for entry in (first, other))
        both = zip(DECIDERS, mine, its, strict=True)
        decides = next((name for name, a, b in both if a != b), "the name")
        within = f"within {question.equal * 100:g} %" if question.equal else "the same"
        yield f"{order} is {within} with {_name(other)}: {decides} puts it first"


def _level(chosen: Chosen) -> Iterator[str]:
    """Gain and price of another optimisation level: of a first candidate that is built at it, or
    where computing counts and it is noticeably faster."""
    first, other = chosen.ranked[0].candidate, chosen.other_level
    if other is None or first.latency is None or other.latency is None:
        return
    noticed = other.latency.value.typical <= (1 - _GAIN) * first.latency.value.typical
    offered = noticed and not other.broken and not _computing_is_small(first)
    if first.offers[0].level or offered:
        yield level_difference(first, other)


def _name(entry: RankedCandidate) -> str:
    return candidate_words(entry.candidate)


def _crowd(chosen: Chosen) -> Iterator[str]:
    """Number of recommended candidates that keep all limits, and limits that reject others."""
    distinct = {entry.candidate.plain_name: entry.candidate for entry in chosen.ranked}
    keeping = recommended(distinct.values())
    less = len(distinct) - keeping
    text = f"{_counted(keeping, 'recommended candidate')} all limits"
    if less:
        text += f", {less} less recommended after {'it' if keeping == 1 else 'them'}"
    if not keeping:
        text = f"nothing recommended keeps all limits; {_counted(less, 'other')} them"
    limits = _limits(chosen)
    yield text + (f"; recommended ones rejected by {limits}" if limits else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} keeps" if count == 1 else f"{count} {noun}s keep"


def _limits(chosen: Chosen, count: int = 3) -> str:
    """The limits that reject most of the recommended candidates."""
    keeping = {entry.candidate.plain_name for entry in chosen.ranked}
    broken_by = dict.fromkeys(
        (broken.limit, entry.plain_name)
        for entry in chosen.rejected
        if _serves(entry) and entry.plain_name not in keeping
        for broken in entry.broken
    )
    rejecting = Counter(limit for limit, _ in broken_by)
    return ", ".join(
        f"{_LIMIT_WORDS.get(limit, limit)} ({times})"
        for limit, times in rejecting.most_common(count)
    )


def _serves(candidate: Judged) -> bool:
    """True if a candidate has results, is recommended and for products, and serves the need."""
    limits = {broken.limit for broken in candidate.broken}
    measured = candidate.implementation != NONE
    return measured and candidate.standing.tier == 0 and not limits & {"need", "maturity"}


# Alternatives


def _rivals(chosen: Chosen) -> Iterator[RankedCandidate]:
    """The best candidate of each other scheme and library, without key lengths: of code that is
    as mature, or maintained, first."""
    first = chosen.ranked[0].candidate
    standing = first.standing
    seen = {(family(first), library(first))}
    later: list[RankedCandidate] = []
    for entry in chosen.ranked[1:]:
        candidate = entry.candidate
        kind = (family(candidate), library(candidate))
        if kind in seen or candidate.standing.tier > standing.tier:
            continue
        seen.add(kind)
        if candidate.standing.maturity <= max(standing.maturity, Maturity.MAINTAINED):
            yield entry
        else:
            later.append(entry)
    yield from later


def _alternatives(chosen: Chosen, others: Sequence[OtherAnswer]) -> Iterator[DecisionAlternative]:
    """Alternatives to the first candidate, the most important first."""
    first, question = chosen.ranked[0], chosen.question
    rivals = list(_rivals(chosen))
    own = first.candidate.standing.maturity
    named: list[RankedCandidate] = []
    if own > Maturity.MAINTAINED:
        named += [e for e in rivals if e.candidate.standing.maturity <= Maturity.MAINTAINED][:1]
    if question.demands.secret and library(first.candidate) != "element":
        named += [entry for entry in rivals if library(entry.candidate) == "element"][:1]
    forms = list(_forms(chosen, others))[:1]
    rest = [entry for entry in rivals if entry not in named]
    for entry in named:
        yield DecisionAlternative(words=_name(entry), price=_price(entry, first, question))
    yield from forms
    for entry in rest:
        yield DecisionAlternative(words=_name(entry), price=_price(entry, first, question))


def _forms(chosen: Chosen, others: Sequence[OtherAnswer]) -> Iterator[DecisionAlternative]:
    """Other forms of the message that save something."""
    first = chosen.ranked[0].candidate
    for other in others:
        if not other.option.startswith(("--tag", "--nonce")):
            continue
        then = other.first
        fewer = first.sent.total_bytes - then.sent.total_bytes
        longer = 0.0
        if then.life and first.life:
            longer = then.life.value.typical / first.life.value.typical - 1
        if longer < _GAIN:
            continue
        same = then.scheme == first.scheme and then.implementation == first.implementation
        option = other.option if same else f"{other.option}, {candidate_words(then)}"
        price = f"{percent(longer)} longer life, {fewer} bytes fewer"
        if then.sent.tag_bytes < first.sent.tag_bytes:
            price += f"; a try at a forgery succeeds with 2^-{then.sent.tag_bytes * 8}"
        yield DecisionAlternative(words=option, price=price)


def _difference(entry: RankedCandidate, first: RankedCandidate, question: ChoiceQuestion) -> str:
    """Loss by the criterion of the question, in words: equal if it is too small to notice."""
    order, amount = (
        order_words(question.order, question.demands.need),
        _amount(entry, first, question),
    )
    return f"{amount} {order}" if amount == _EQUAL else f"{order} {amount}"


def _amount(entry: RankedCandidate, first: RankedCandidate, question: ChoiceQuestion) -> str:
    less = set(question.order) <= {"life", "throughput"}
    worse = entry.worse
    low, typical, high = (
        1 - 1 / x if less else x - 1 for x in (worse.low, worse.typical, worse.high)
    )
    if entry.rank == first.rank or abs(typical) < NOTHING:
        return _EQUAL
    text = f"{percent(abs(typical))} {'worse' if typical > 0 else 'better'}"
    if low < 0 < high:
        return f"{text}, open which is better"
    ends = [percent(abs(end)) for end in sorted((low, high), key=abs)]
    return text if ends[0] == ends[1] else f"{text} ({ends[0].removesuffix(' %')} to {ends[1]})"


def _price(entry: RankedCandidate, first: RankedCandidate, question: ChoiceQuestion) -> str:
    own, other = entry.candidate, first.candidate
    parts = [
        _difference(entry, first, question),
        *_costs(own, other, question),
        *_moved(own, other),
        *_qualities(own, other, question),
    ]
    return "; ".join(parts)


def _costs(own: Judged, other: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Time and flash where they differ much, and the criterion does not say so already."""
    if own.latency and other.latency and set(question.order) != {"latency"}:
        ratio = own.latency.value.typical / max(other.latency.value.typical, 1e-12)
        if _much(ratio) and "computing" not in _only(other):
            yield f"{rounded(ratio)} times the time"
    if not own.flash or not other.flash or "flash" in question.order:
        return
    if _much(own.flash.value.typical / max(other.flash.value.typical, 1.0)):
        yield f"{bounded(own.flash.value, 'B')} of flash"


def _much(ratio: float) -> bool:
    return not 1 / _NOTICED < ratio < _NOTICED


def _qualities(own: Judged, other: Judged, question: ChoiceQuestion) -> Iterator[str]:
    """Claims, maturity and place of the key where they differ."""
    claims = own.standing.constant_time, other.standing.constant_time
    if question.demands.secret and bool(claims[0]) != bool(claims[1]):
        yield f"{'a' if claims[0] else 'no'} claim of constant time"
    if len(own.offers) > len(other.offers) and question.demands.need is Need.AEAD:
        yield "the product puts cipher and MAC together"
    if own.standing.maturity != other.standing.maturity:
        yield f"code {own.standing.maturity.name.lower()}"
    if own.standing.later and not other.standing.later:
        yield "post-quantum, which comes after classical signatures"
    if library(own) == "element":
        yield "its key cannot be read"
    if _carried(own) and not _carried(other):
        yield _UNMEASURED


def _only(candidate: Judged) -> tuple[str, ...]:
    """The parts of its energy in words: computing alone says the same as the time."""
    return tuple(_PARTS[name] for name in candidate.energy) if len(candidate.energy) == 1 else ()


def _moved(own: Judged, other: Judged) -> Iterator[str]:
    for verb, mine, its in (
        ("send", own.sent.total_bytes, other.sent.total_bytes),
        ("receive", own.sent.received_bytes, other.sent.received_bytes),
    ):
        if mine != its:
            yield f"{abs(mine - its):,} bytes {'more' if mine > its else 'fewer'} to {verb}"


_WAY_NOTES = {
    "--need aead": "keys set in the factory, one for each device, instead of an exchange",
    "--need agreement": "who records it today can read it once there are quantum computers",
}
"""Consequences of another need for the product, by the beginning of the option."""


def _way_words(way: Way) -> str:
    """First candidate of a way out, and what the way means."""
    notes = (note for option, note in _WAY_NOTES.items() if way.option.startswith(option))
    return "; ".join([_way(way.first), *notes])


def _way(first: Judged) -> str:
    parts = [candidate_words(first)]
    if first.sent.total_bytes:
        parts.append(f"{first.sent.total_bytes:,} B sent")
    if first.life:
        parts.append(bounded(first.life.value, "years"))
    if first.latency and not first.life:
        parts.append(quantity(first.latency.value.typical, "s"))
    return ", ".join(parts)


# What it rests on


def _rests(chosen: Chosen, others: Sequence[OtherAnswer]) -> Iterator[str]:
    """Inputs that would change the answer, the distance of its code from research code, other
    inputs, and the evidence of its figures.
    """
    first, question = chosen.ranked[0].candidate, chosen.question
    yield from _unmeasured(chosen)
    criterion, unit, rows = changing(chosen)
    yield from _changes(rows, first)
    yield from _research(first, others)
    strong = [row for row in rows if row.factor and row.factor >= _NOTICED and not row.changes]
    followed = [row for row in strong if row.input != "cipher-time" or len(first.energy) > 1]
    for row in followed[:_FEW]:
        name = "time" if criterion == "latency" else criterion
        yield f"{row.words}, {_ends(row)}: {name} {_criteria(row, unit)}, same choice"
    if question.demands.need is not Need.HASH:
        yield from wired(first, question)
    yield from _evidence(first)


def _research(first: Judged, others: Sequence[OtherAnswer]) -> Iterator[str]:
    """Note on the speed of research code, if code for products is far behind it."""
    for other in others:
        then = other.first
        if other.option != RESEARCH_TOO or not then.latency or not first.latency:
            continue
        ratio = first.latency.value.typical / max(then.latency.value.typical, 1e-12)
        if ratio >= _FAR:
            yield (
                f"research code is {rounded(ratio)} times as fast, and not for products: "
                f"{then.scheme} by {then.implementation}"
            )


def _changes(rows: Sequence[SensitiveInput], first: Judged) -> Iterator[str]:
    """Ends of inputs at which another candidate is first, or none, by that candidate."""
    changed: dict[str, list[str]] = {}
    for row in rows:
        for end in (row.low, row.high) if row.changes else ():
            if end.first is None or not _alike(end, first):
                changed.setdefault(end.first or "", []).append(f"{row.words} {end.words}")
    for name, inputs in changed.items():
        then = f"{named_words(name)} is first" if name else "nothing recommended keeps all limits"
        yield f"{', or '.join(inputs)}: {then}"


def _ends(row: SensitiveInput) -> str:
    return f"{row.low.words} to {row.high.words}"


def _criteria(row: SensitiveInput, unit: str) -> str:
    ends = [end.criterion or end.criterion_of_first for end in (row.low, row.high)]
    return " to ".join("not possible" if end is None else quantity(end, unit) for end in ends)


def _alike(end: SensitiveEnd, first: Judged) -> bool:
    """True if the first candidate there is the same but for its key length."""
    name, _, implementation = (end.first or "").partition(" by ")
    parts = [schemes().get(part) for part in name.split(" + ")]
    kinds = tuple((kind.algorithm, kind.mode) for kind in parts if kind is not None)
    heads = dict.fromkeys(part.partition("/")[0] for part in implementation.split(" + "))
    return kinds == family(first) and " + ".join(heads) == library(first)


def _unmeasured(chosen: Chosen) -> Iterator[str]:
    """Origin of figures that were not measured on the device, and the command that measures
    them.
    """
    device = chosen.question.scene.device
    carried = [offer for offer in chosen.ranked[0].candidate.offers if offer.carried]
    if not carried:
        return
    targets, implementations, names = (
        ",".join(dict.fromkeys(column))
        for column in zip(
            *((offer.carried, offer.implementation, offer.scheme) for offer in carried),
            strict=True,
        )
    )
    yield (
        f"{_UNMEASURED}: bounds are carried over from {targets}, the same core. To measure it: "
        f"motebench run --target sim:{device.id} --implementation {implementations} --scheme "
        f"{names}; then choose with --results latest"
    )


def _evidence(first: Judged) -> Iterator[str]:
    latency = first.latency
    if latency is None:
        return
    time = {
        Evidence.SIMULATED: "time and memory are of a simulated board",
        Evidence.MODELLED: "time is modelled, within its bounds",
        Evidence.MEASURED: "time was measured",
    }.get(latency.evidence, f"time: {latency.evidence}")
    note = "; energy follows from currents of data sheets, one for all code" if first.energy else ""
    yield time + note


# Before shipping


def _checks(chosen: Chosen, keys: Sequence[KeysEntry]) -> Iterator[str]:
    """Warnings first, then limits in doubt, nonces, versions, keys, time."""
    first, question = chosen.ranked[0].candidate, chosen.question
    if first.standing.tier >= AGAINST:
        yield f"WARNING: {'; '.join(first.standing.words)}; nothing recommended keeps the limits"
    yield from short_lived(first, question)
    yield from cautions(keys)
    warnings = [f"WARNING: {warning}" for warning in first.warnings]
    yield from warnings[:1]
    yield from first.doubts
    yield from first.sent.notes
    if first.sent.nonce_bytes and question.demands.need not in PUBLIC_KEY:
        yield f"nonces of {first.sent.nonce_bytes} B: none may come twice under one key"
    yield from _versions(first)
    yield from announced(first, question)
    yield from _keys(keys)
    yield from warnings[1:]
    if question.demands.secret and question.demands.need is not Need.HASH:
        timing = first.standing.timing
        none = "constant time: no claim, so times may tell the key to who can measure them"
        yield timing or none


def _versions(first: Judged) -> Iterator[str]:
    """The measured version of each library, and its support."""
    for offer in first.offers:
        maker = library_of(offer.implementation)
        if maker is None:
            yield f"{offer.implementation}: nothing is known of its support"
            continue
        name, release = maker.name, ""
        if maker.release:
            release = f" {maker.release.version} of {maker.release.date} was measured"
            product, _, branch = name.rpartition(" ")
            if product and maker.release.version.startswith(branch):
                name = product
        yield f"{name}{release}: {maker.maintained.statement}"


def _keys(keys: Sequence[KeysEntry]) -> Iterator[str]:
    """Life of a key and of the memory of a counter, of the first candidate."""
    for entry in keys[:1]:
        for fact in entry.facts:
            if fact.kind == "key-change" or _ends_early(fact, entry.years):
                yield fact.words


def _ends_early(fact: KeyFact, years: float) -> bool:
    return fact.kind == "counter" and (fact.value or math.inf) < 2 * years


# Nothing to take


def _refusal(chosen: Chosen, others: Sequence[OtherAnswer]) -> DecisionEntry:
    """Limits that break, and the ways out that were tried."""
    measured = [entry for entry in chosen.rejected if entry.implementation != NONE]
    take = "nothing: no candidate keeps all limits"
    if not measured:
        take = "nothing: no scheme that serves this need has results on this device"
    elif chosen.ways:
        take = "nothing: no recommended candidate keeps all limits"
    ways = _ways_out(chosen, others)
    return DecisionEntry(
        question=question_words(chosen),
        verdict="none",
        take=take,
        standing="",
        figures=(),
        decides=tuple(_breaks(chosen, measured)),
        alternatives=tuple(
            DecisionAlternative(words=option, price=price)
            for option, price in list(ways.items())[:_MOST_WAYS]
        ),
        rests_on=(),
        before_shipping=(),
    )


def _ways_out(chosen: Chosen, others: Sequence[OtherAnswer]) -> dict[str, str]:
    """Options that were tried, each with its first candidate in words."""
    ways = {way.option: _way_words(way) for way in chosen.ways}
    best = min((relaxed.candidate.standing.tier for relaxed in chosen.nearest), default=0)
    near = [relaxed for relaxed in chosen.nearest if relaxed.candidate.standing.tier == best]
    for relaxed in () if ways else fewest(near, chosen.question):
        options = "; ".join(entry.words for entry in relaxations(relaxed, chosen.question))
        ways.setdefault(options, candidate_words(relaxed.first))
    for other in others:
        if other.first.standing.tier == 0 and not any(other.option in option for option in ways):
            ways[other.option] = _way(other.first)
    return ways


def _breaks(chosen: Chosen, measured: Sequence[Judged]) -> Iterator[str]:
    """Limits that reject most recommended candidates, and those that the nearest one breaks."""
    serving = [entry for entry in measured if _serves(entry)]
    if limits := _limits(chosen):
        count = len({entry.plain_name for entry in serving})
        rejected = "recommended candidate" if count == 1 else f"{count} recommended candidates"
        yield f"limits that reject the {rejected}: {limits}"
    yield from _obstacle(chosen, measured, serving)
    held = [entry for entry in measured if any(b.limit == "recommended" for b in entry.broken)]
    if held:
        yield (
            f"{len(held)} less recommended candidates would keep the limits, such as "
            f"{candidate_words(held[0])} ({'; '.join(held[0].standing.words)})"
        )
    unmeasured = sorted({entry.scheme for entry in chosen.rejected if entry.implementation == NONE})
    if unmeasured:
        listed = ", ".join(map(scheme_words, unmeasured[:3]))
        more = f" and {len(unmeasured) - 3} more" if len(unmeasured) > 3 else ""
        yield f"without results on this device: {listed}{more}"


def _obstacle(
    chosen: Chosen, measured: Sequence[Judged], serving: Sequence[Judged]
) -> Iterator[str]:
    """Limits that the nearest candidate breaks, or the least memory that any code takes."""
    near = _nearest(chosen, serving)
    if near is not None:
        broken = "; ".join(f"{entry.limit}: {entry.words}" for entry in near.broken)
        yield f"the nearest, {candidate_words(near)}, breaks {broken}"
    elif smallest := _smallest(chosen, measured):
        yield smallest


def _excess(rejected: Judged) -> tuple[int, float]:
    """Number of limits that a candidate breaks, and by how much, as shares of the limits."""
    return len(rejected.broken), sum(entry.excess or 0.0 for entry in rejected.broken)


def _smallest(chosen: Chosen, measured: Sequence[Judged]) -> str | None:
    """The least memory that any recommended code takes, where the device has less; None if that is
    not why nothing is left."""
    device = chosen.question.scene.device
    for name, size in (("ram", device.ram_bytes), ("flash", device.flash_bytes)):
        over = [
            (broken.value, candidate)
            for candidate in measured
            for broken in candidate.broken
            if broken.limit == name and broken.value and candidate.standing.tier == 0
        ]
        if over and name in chosen.question.limits.of_device:
            least, smallest = min(over, key=lambda pair: (pair[0], pair[1].name))
            memory = name.upper() if name == "ram" else name
            return (
                f"the smallest, {candidate_words(smallest)}, takes {least:,.0f} B of {memory}, and "
                f"the device has {size:,} B"
            )
    return None


def _nearest(chosen: Chosen, serving: Sequence[Judged]) -> Judged | None:
    """The rejected candidate that is nearest: a recommended one for products if there is one."""
    nearest = [relaxed.candidate for relaxed in chosen.nearest]
    near = next((entry for entry in nearest if _serves(entry)), None)
    near = near or min(serving, key=_excess, default=None)
    return near or next(iter(nearest), None)
