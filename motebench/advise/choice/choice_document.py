"""The document of a choice: ``motebench/documents/choice.py`` describes it,
``docs/explain/choice.md`` explains it.

A checklist's provisions (``catalog/checklists/<id>.toml``) are answered as far as the choice goes;
what remains is for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.advise.choice.candidate import Broken, Candidate, Estimate, Judged, RankedCandidate
from motebench.advise.choice.decision import decision
from motebench.advise.choice.keys import cautions, keys
from motebench.advise.choice.question import PUBLIC_KEY, ChoiceQuestion, Chosen, Need, Way
from motebench.advise.choice.reasons import (
    alternatives,
    caution,
    other_answers,
    relaxing,
    remarks,
    way_words,
    why,
)
from motebench.advise.choice.sensitivity import sensitivity
from motebench.advise.radio.link import RadioLink
from motebench.advise.radio.lorawan import LorawanLink
from motebench.catalog.currents import Drawn
from motebench.catalog.devices import OperatedDevice
from motebench.catalog.libraries import Maturity
from motebench.catalog.parts import FedBattery
from motebench.catalog.policies import Rule, checklist
from motebench.documents.choice import (
    BrokenEntry,
    CandidateEntry,
    ChoiceEntry,
    CurrentsEntry,
    DecisionEntry,
    DrawnEntry,
    FigureEntry,
    LimitsEntry,
    ProvisionEntry,
    QuestionEntry,
    RejectedEntry,
    SensitivityEntry,
    SentEntry,
    StatusEntry,
    WayEntry,
)


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """The parts of an answer that fit on a screen: those of `ChoiceEntry` with the same names."""

    decision: DecisionEntry
    sensitivity: SensitivityEntry | None
    checklist: tuple[ProvisionEntry, ...]
    notes: tuple[str, ...]


def short_answer(chosen: Chosen) -> ShortAnswer:
    """The answer without the entries of all candidates, which is quicker."""
    return ShortAnswer(
        decision=decision(chosen, keys(chosen), other_answers(chosen, deciding=True)),
        sensitivity=sensitivity(chosen) if chosen.sensitivity else None,
        checklist=tuple(checked(chosen.checklist, chosen)) if chosen.checklist else (),
        notes=chosen.notes,
    )


def choice_entry(chosen: Chosen) -> ChoiceEntry:
    """The whole answer."""
    first, key_facts, others = chosen.first, keys(chosen), other_answers(chosen)
    return ChoiceEntry(
        question=_question(chosen.question, chosen.has),
        decision=decision(chosen, key_facts, others),
        chosen=f"{first.scheme} by {first.implementation}" if first else None,
        caution=caution(chosen),
        candidates=tuple(_ranked(entry, chosen) for entry in chosen.ranked),
        rejected=tuple(
            RejectedEntry(
                **_proposal(entry, chosen.question), broken=tuple(map(_broken, entry.broken))
            )
            for entry in chosen.rejected
        ),
        ways=tuple(map(_way, chosen.ways)),
        nearest=()
        if chosen.ranked
        else tuple(relaxing(relaxed, chosen.question) for relaxed in chosen.nearest),
        remarks=(*remarks(chosen), *cautions(key_facts)),
        alternatives=tuple(alternatives(chosen, others)),
        keys=tuple(key_facts),
        sensitivity=sensitivity(chosen) if chosen.sensitivity else None,
        checklist=tuple(checked(chosen.checklist, chosen)) if chosen.checklist else (),
        notes=chosen.notes,
    )


def _way(way: Way) -> WayEntry:
    first = way.first
    return WayEntry(
        option=way.option,
        scheme=first.scheme,
        implementation=first.implementation,
        total_bytes=first.sent.total_bytes,
        life_years=first.life.value.typical if first.life else None,
        words=f"{way.option}: {way_words(first)}",
    )


def _of_lorawan(link: RadioLink | None) -> dict[str, Any]:
    """The keys that only LoRaWAN fills."""
    if not isinstance(link, LorawanLink):
        return dict.fromkeys(("lorawan", "network", "data_rate", "modulation"))
    return {
        "lorawan": link.region.id,
        "network": link.network.id if link.network else None,
        "data_rate": link.rate.dr,
        "modulation": link.rate.words,
    }


def _question(question: ChoiceQuestion, has: Sequence[str]) -> QuestionEntry:
    scene, demands, limits, link = (
        question.scene,
        question.demands,
        question.limits,
        question.scene.link,
    )
    radio = {part.name: part.drawn for part in scene.parts()}
    return QuestionEntry(
        device=scene.device.id,
        message_bytes=scene.message_bytes,
        every_s=scene.every_s,
        radio=link.radio.id if link else None,
        link=link.name if link else None,
        **_of_lorawan(link),
        power_dbm=link.power_dbm if link else None,
        transmissions=link.transmissions if link else None,
        fragment=link.fragment if link else False,
        battery=scene.battery.id if scene.battery else None,
        converter=scene.battery.converter.id if isinstance(scene.battery, FedBattery) else None,
        clock_hz=scene.device.clock_hz,
        voltage_v=scene.device.volts if isinstance(scene.device, OperatedDevice) else None,
        need=demands.need,
        role=question.form.role,
        policy=demands.policy.id,
        day=demands.day.isoformat(),
        until=demands.until.isoformat() if demands.until else None,
        strength_bits=demands.strength_bits,
        constant_time=demands.constant_time,
        research=demands.research,
        protect_key=demands.protect_key,
        equal=question.equal,
        has=tuple(has),
        nonce=None if demands.need in PUBLIC_KEY else question.form.nonce,
        tag_bytes=question.form.tag_bytes,
        limits=LimitsEntry(
            flash_bytes=limits.flash,
            ram_bytes=limits.ram,
            latency_s=limits.latency_s,
            of_device=tuple(sorted(limits.of_device)),
        ),
        rank=dict(question.order),
        currents=CurrentsEntry(
            active=_drawn(scene.active),
            sleep=tuple(_of_drawn(drawn) for drawn in scene.sleeping),
            transmit=_drawn(radio.get("transmit")),
            receive=_drawn(radio.get("receive")),
        ),
    )


def _drawn(drawn: Drawn | None) -> DrawnEntry | None:
    return None if drawn is None else _of_drawn(drawn)


def _of_drawn(drawn: Drawn) -> DrawnEntry:
    amps = drawn.amps
    return DrawnEntry(amps.low, amps.typical, amps.high, volts=drawn.volts, source=drawn.notes)


def _ranked(entry: RankedCandidate, chosen: Chosen) -> CandidateEntry:
    return CandidateEntry(
        rank=entry.rank,
        tied=entry.tied,
        **_proposal(entry.candidate, chosen.question),
        worse=entry.worse,
        unsure=entry.candidate.unsure,
        pareto=entry.front,
        why=tuple(why(entry, chosen)),
    )


def _proposal(candidate: Judged, question: ChoiceQuestion) -> dict[str, Any]:
    """The keys that candidates and rejected candidates share."""
    sent, air, standing = candidate.sent, candidate.air, candidate.standing
    return {
        "scheme": candidate.scheme,
        "implementation": candidate.implementation,
        "composed": len(candidate.offers) > 1,
        "status": StatusEntry(
            tier=standing.tier,
            words=standing.words,
            strength_bits=standing.strength_bits,
            constant_time=standing.constant_time,
            secret_flow=None if standing.secret_flow is None else standing.secret_flow.words,
            maturity=standing.maturity.name.lower(),
            made_by=standing.made_by,
        ),
        "sent": SentEntry(
            plaintext_bytes=sent.plaintext_bytes,
            padding_bytes=sent.padding_bytes,
            nonce_bytes=sent.nonce_bytes,
            tag_bytes=sent.tag_bytes,
            signature_bytes=sent.signature_bytes,
            key_bytes=sent.key_bytes,
            ciphertext_bytes=sent.ciphertext_bytes,
            total_bytes=sent.total_bytes,
            frames=air.frames,
            time_on_air_ms=air.seconds * 1e3,
            least_interval_s=question.scene.least_intervals(sent.total_bytes)[0],
            received_bytes=sent.received_bytes,
            received_on_air_ms=air.received_seconds * 1e3,
            notes=sent.notes,
        ),
        "latency": _figure(candidate.latency),
        "flash": _figure(candidate.flash),
        "ram": _figure(candidate.ram),
        "energy": {name: _of_figure(figure) for name, figure in candidate.energy.items()},
        "life": _figure(candidate.life),
    }


def _figure(figure: Estimate | None) -> FigureEntry | None:
    return None if figure is None else _of_figure(figure)


def _of_figure(figure: Estimate) -> FigureEntry:
    return FigureEntry(
        figure.value.low,
        figure.value.typical,
        figure.value.high,
        unit=figure.unit,
        evidence=figure.evidence,
        source=figure.origins,
        note=figure.note,
    )


def _broken(entry: Broken) -> BrokenEntry:
    return BrokenEntry(
        limit=entry.limit,
        words=entry.words,
        allowed=entry.allowed,
        value=entry.value,
        unit=entry.unit,
        excess=entry.excess,
        option=entry.option,
    )


# Provisions of a checklist


_CONFIDENTIAL = (Need.AEAD, Need.ENCRYPTION)
_PROTECTED = (Need.AEAD, Need.MAC, Need.SIGNATURE)


def checked(name: str, chosen: Chosen) -> Iterator[ProvisionEntry]:
    """Provisions, each with the part of the first candidate that answers it; without a candidate
    all are open.
    """
    first = chosen.first
    listing = checklist(name)
    for provision in listing.provisions:
        answer = _answered(provision.answered_by, chosen, first) if first is not None else None
        yield ProvisionEntry(
            clause=provision.clause,
            level=provision.level,
            requirement=provision.requirement,
            answer=answer,
            remains=provision.remains,
            unverified=listing.unverified,
        )


def _answered(rule: Rule | None, chosen: Chosen, first: Candidate) -> str | None:
    """Answer of the candidate to a provision; None if it leaves the provision open."""
    demands, standing = chosen.question.demands, first.standing
    sound = "; ".join(standing.words) if standing.tier == 0 else None
    if rule == "reviewed":
        return "; ".join(standing.made_by) if standing.maturity is Maturity.REVIEWED else None
    if rule == "lifetime":
        return (
            None
            if demands.until is None
            else f"no verdict that is announced until {demands.until} excludes it"
        )
    fits = {
        "status": True,
        "protected": demands.need in _PROTECTED,
        "confidential": demands.need in _CONFIDENTIAL,
        "update": demands.need is Need.UPDATE,
    }
    return sound if rule is not None and fits[rule] else None
