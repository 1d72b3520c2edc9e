"""Objections to a candidate, and its costs on the radio and battery of the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.candidate import Broken, Candidate, Estimate, Judged, OnAir, Origin
from motebench.advise.choice.question import (
    PUBLIC_KEY,
    ChoiceQuestion,
    CostLimits,
    Demands,
    Need,
    Role,
    Scene,
)
from motebench.advise.energy.battery import life
from motebench.advise.energy.consumption import cipher
from motebench.advise.radio.link import EnergyPart
from motebench.base.model import Evidence, Kind, Scheme
from motebench.base.quantities import Interval, total
from motebench.base.units import format_value, life_words
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.lookup import block_bits_of, block_limits
from motebench.catalog.policies import Policy
from motebench.results import formulas

BARE = (Kind.CIPHER, Kind.STREAM)
"""Kinds that protect a message only together with a MAC."""
_LONG_YEARS = 100.0
"""Years: a key that lasts longer needs no remark."""
_STATEFUL = (
    "stateful: each signature uses up a part of the private key, so it is for updates and not "
    "for messages"
)


def judge(candidate: Candidate, question: ChoiceQuestion) -> Judged:
    """The candidate with its energy and life, and with all limits that it breaks."""
    scene = question.scene
    air = scene.on_air(candidate.sent.total_bytes, candidate.sent.received_bytes)
    busy = _busy(candidate, air, scene)
    # No life follows from messages that take longer than the interval.
    consumed = _consumed(candidate, air, replace(scene, battery=None) if busy else scene)
    over, remarks = _data_limit(candidate, consumed.life, scene.every_s)
    return Judged(
        offers=candidate.offers,
        head=candidate.head,
        sent=candidate.sent,
        standing=candidate.standing,
        latency=candidate.latency,
        flash=candidate.flash,
        ram=candidate.ram,
        lacking=candidate.lacking,
        shares=candidate.shares,
        air=air,
        energy=consumed.energy,
        life=consumed.life,
        broken=(
            *fixed_limits(candidate, question),
            *air.broken,
            *busy,
            *_costs_too_much(candidate, question.limits),
            *over,
        ),
        doubts=(*_doubts(candidate, question.limits), *remarks),
        unsure=tuple(measure.name for measure in _between(candidate, question.limits)),
        warnings=consumed.warnings,
    )


def admitted(candidate: Candidate, question: ChoiceQuestion) -> bool:
    """True if `judge` finds no limit that the candidate breaks; its life is computed only where a
    limit depends on it.
    """
    scene = question.scene
    air = scene.on_air(candidate.sent.total_bytes, candidate.sent.received_bytes)
    if (
        fixed_limits(candidate, question)
        or air.broken
        or _busy(candidate, air, scene)
        or _costs_too_much(candidate, question.limits)
    ):
        return False
    return not limited(candidate) or not judge(candidate, question).broken


def within(judged: Judged, limits: CostLimits) -> Judged:
    """A candidate that was judged without limits of costs, as judged with these."""
    return replace(
        judged,
        broken=(*judged.broken, *_costs_too_much(judged, limits)),
        doubts=(*_doubts(judged, limits), *judged.doubts),
        unsure=tuple(measure.name for measure in _between(judged, limits)),
    )


def fixed_limits(candidate: Candidate, question: ChoiceQuestion) -> tuple[Broken, ...]:
    """The limits that a candidate breaks on every radio and battery, whatever it costs."""
    return (
        *_short_tag(candidate, question.demands),
        *_unprotected(candidate, question.demands.need),
        *(Broken("result", reason) for reason in candidate.lacking),
        *candidate.standing.broken,
        *candidate.sent.broken,
        *_stateful(candidate, question.form.role),
    )


def short_tag(scheme: Scheme, tag_bytes: int, policy: Policy) -> Broken | None:
    """The limit that a tag of so many bytes breaks, if the policy's document wants longer ones of
    this scheme.
    """
    permit = policy.permit(scheme.name)
    least = permit.tag_bytes if permit is not None else None
    if least is None or not scheme.tag_bytes or tag_bytes >= least:
        return None
    reason = (
        f"{policy.title} wants tags of {least * 8} bits or more of {scheme.name}, and this one "
        f"has {tag_bytes * 8}"
    )
    return Broken("policy", reason, option=f"--tag {least}")


def _short_tag(candidate: Candidate, demands: Demands) -> list[Broken]:
    if demands.need in PUBLIC_KEY:
        return []
    tagged = schemes()[candidate.offers[-1].scheme]
    short = short_tag(tagged, candidate.sent.tag_bytes, demands.policy)
    return [short] if short else []


def _unprotected(candidate: Candidate, need: Need) -> list[Broken]:
    if need is not Need.AEAD or candidate.head.kind not in BARE or len(candidate.offers) > 1:
        return []
    return [
        Broken("need", "nothing protects the message against changes", option="--need encryption")
    ]


def _stateful(candidate: Candidate, role: Role | None) -> list[Broken]:
    signing = candidate.head.signing
    return [Broken("need", _STATEFUL)] if role is Role.SIGN and signing and signing.stateful else []


def _busy(candidate: Candidate, air: OnAir, scene: Scene) -> list[Broken]:
    """The limit that is broken if computing, sending and receiving take longer on average than the
    time between two messages."""
    if scene.every_s is None or candidate.latency is None:
        return []
    seconds = candidate.latency.value.typical + sum(part.seconds * part.times for part in air.parts)
    if seconds <= scene.every_s:
        return []
    reason = f"it keeps the device busy for {seconds:,.1f} s, and --every is {scene.every_s:g} s"
    return [Broken("interval", reason, scene.every_s, seconds, "s", "--every")]


@dataclass(frozen=True, slots=True)
class _Consumed:
    """Energy of each part of a message, the life of the battery in years, and warnings about the
    battery.
    """

    energy: dict[str, Estimate]
    life: Estimate | None = None
    warnings: tuple[str, ...] = ()


def _consumed(candidate: Candidate, air: OnAir, scene: Scene) -> _Consumed:
    latency, drawn = candidate.latency, scene.active
    if latency is None or drawn is None:
        return _Consumed({})
    working = cipher(latency.value.typical, drawn, _stretch(latency.value))
    beside = [
        part for offer in candidate.offers for part in offer.drawing(candidate.sent.plaintext_bytes)
    ]
    parts = [working, *beside, *air.parts]
    energy = _energy(parts, {working.name: latency.origins})
    if scene.sleeping and scene.every_s:
        asleep = total(
            entry.amps * formulas.energy(scene.every_s, entry.volts, 1.0)
            for entry in scene.sleeping
        )
        energy["sleep"] = Estimate(asleep, "J", Evidence.MODELLED)
    sendable = not scene.link or not scene.sends or air.frames > 0
    if scene.battery is None or scene.every_s is None or not sendable:
        return _Consumed(energy)
    lasting = life(scene.battery, scene.sleeping, parts, scene.every_s)
    years = Estimate(lasting.years, "years", Evidence.MODELLED, latency.origins)
    return _Consumed(energy, years, lasting.warnings)


def _energy(
    parts: Sequence[EnergyPart], origins: Mapping[str, tuple[Origin, ...]]
) -> dict[str, Estimate]:
    """Joules by name of the part; a cipher and a MAC of one secure element are two parts of one
    name.
    """
    joules: dict[str, Interval] = {}
    for part in parts:
        joules[part.name] = (
            joules[part.name] + part.energy_j if part.name in joules else part.energy_j
        )
    return {
        name: Estimate(value, "J", Evidence.MODELLED, origins.get(name, ()))
        for name, value in joules.items()
    }


def _stretch(seconds: Interval) -> Interval:
    if seconds.typical <= 0:
        return Interval.exact(1.0)
    return Interval(seconds.low / seconds.typical, 1.0, seconds.high / seconds.typical)


@dataclass(frozen=True, slots=True)
class _Measure:
    name: str
    option: str
    figure: Estimate | None
    allowed: float | None

    def spell(self, value: float) -> str:
        return format_value(value * 1e9, "ns") if self.name == "latency" else f"{value:,.0f} B"


def _measures(candidate: Candidate, limits: CostLimits) -> Iterator[_Measure]:
    for measure in (
        _Measure("flash", "--flash", candidate.flash, limits.flash),
        _Measure("ram", "--ram", candidate.ram, limits.ram),
        _Measure("latency", "--max-latency", candidate.latency, limits.latency_s),
    ):
        if measure.allowed is not None and not (
            measure.figure is None and measure.name in limits.of_device
        ):
            yield measure


_LIMITED = {"flash": "of flash", "ram": "of RAM", "latency": "of the processor's time"}


def _costs_too_much(candidate: Candidate, limits: CostLimits) -> list[Broken]:
    """Limits that a candidate breaks by its typical figure. A note says if the lower bound keeps
    the limit.
    """
    broken = []
    for measure in _measures(candidate, limits):
        allowed, figure = measure.allowed, measure.figure
        if allowed is None or (
            figure is None and any(entry for entry in candidate.offers if entry.failure)
        ):
            continue
        unit = "s" if measure.name == "latency" else "B"
        if figure is None:
            reason = (
                f"its share {_LIMITED[measure.name]} is unknown, and at most "
                f"{measure.spell(allowed)} are allowed"
            )
            broken.append(Broken(measure.name, reason, allowed, None, unit, measure.option))
        elif figure.value.typical > allowed:
            over = measure.spell(figure.value.typical - allowed)
            reason = (
                f"{measure.spell(figure.value.typical)} {_LIMITED[measure.name]}, {over} more than "
                f"the {measure.spell(allowed)}"
            )
            reason += " that the device has" if measure.name in limits.of_device else " allowed"
            if figure.value.low <= allowed:
                reason += f"; only its lower bound, {measure.spell(figure.value.low)}, would fit"
            broken.append(
                Broken(measure.name, reason, allowed, figure.value.typical, unit, measure.option)
            )
    return broken


def _between(candidate: Candidate, limits: CostLimits) -> Iterator[_Measure]:
    """Limits between the typical figure and its upper bound."""
    for measure in _measures(candidate, limits):
        figure, allowed = measure.figure, measure.allowed
        if (
            figure is not None
            and allowed is not None
            and figure.value.typical <= allowed < figure.value.high
        ):
            yield measure


def _doubts(candidate: Candidate, limits: CostLimits) -> list[str]:
    """Limits that lie inside the bounds of a figure, so that it may break them."""
    return [
        f"may not keep the limit of {measure.spell(measure.allowed or 0)} "
        f"{_LIMITED[measure.name]}: it takes "
        f"{measure.spell(measure.figure.value.low)} to {measure.spell(measure.figure.value.high)}"
        for measure in _between(candidate, limits)
        if measure.figure is not None
    ]


def limited(candidate: Candidate) -> bool:
    """True if its key may encrypt a limited amount of data: then a longer life can break a
    limit.
    """
    bits = block_bits_of(algorithm_of(candidate.head), candidate.head)
    return bits is not None and any(bits <= rule.block_bits for rule in block_limits())


def _data_limit(
    candidate: Candidate, life: Estimate | None, every_s: float | None
) -> tuple[list[Broken], list[str]]:
    """The limit that is broken if one key may not encrypt everything that the device will ever
    send, or a remark on it."""
    scheme, sent = candidate.head, candidate.sent
    block_bits = block_bits_of(algorithm_of(scheme), scheme)
    rule = next(
        (rule for rule in block_limits() if block_bits and block_bits <= rule.block_bits), None
    )
    if rule is None or every_s is None or not block_bits:
        return [], []
    block = block_bits // 8
    # Every message begins a new block. Authenticated modes encrypt each block twice, also nonce and
    # length.
    passes = 2 if scheme.tag_bytes else 1
    blocks = passes * (-(-(sent.plaintext_bytes + sent.padding_bytes) // block) + 1)
    years = rule.limit_bytes / (blocks * block) * every_s / formulas.YEAR_S
    if life is not None and life.value.high > years:
        reason = (
            f"{block_bits}-bit blocks: one key lasts {life_words(years)}, the battery up to "
            f"{life_words(life.value.high).removesuffix(' years' if years >= 1 else '')}"
        )
        return [Broken("data-limit", reason, years, life.value.high, "years", "--every")], []
    return [], [
        f"{block_bits}-bit blocks: a key lasts {life_words(years)} of messages"
    ] if years < _LONG_YEARS else []
