"""The answer as plain data: ``schemas/choice.schema.json`` describes it, ``docs/choose.md`` explains it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from motebench.choice.choosing import Answer, Question
from motebench.choice.model import Broken, Candidate, Figure
from motebench.choice.ranking import Ranked
from motebench.choice.reasons import relaxing, remarks, why
from motebench.energy.currents import Drawn

SCHEMA = "motebench-choice-1"
Document = dict[str, Any]


def document(answer: Answer, hints: Sequence[str], notes: Sequence[str]) -> Document:
    """The whole answer. ``hints``: what else could be asked; ``notes``: where the results come from."""
    ranked = [_ranked(entry, answer) for entry in answer.ranked]
    return {
        "schema": SCHEMA,
        "question": _question(answer.question),
        "chosen": ranked[0]["scheme"] + " by " + ranked[0]["implementation"] if ranked else None,
        "candidates": ranked,
        "rejected": [{**_candidate(entry), "broken": list(map(_broken, entry.broken))} for entry in answer.rejected],
        "nearest": [relaxing(entry) for entry in answer.nearest] if not answer.ranked else [],
        "remarks": remarks(answer.question, answer),
        "alternatives": list(hints),
        "notes": list(notes),
    }


def _question(question: Question) -> Document:
    scene, demands, limits, link = question.scene, question.demands, question.limits, question.scene.link
    radio = {part.name: part.drawn for part in scene.on_air(scene.message_bytes).parts}
    return {
        "device": scene.device.id,
        "message_bytes": scene.message_bytes,
        "every_s": scene.every_s,
        "radio": link.radio.id if link else None,
        "lorawan": link.region.id if link else None,
        "data_rate": link.rate.dr if link else None,
        "modulation": link.rate.words if link else None,
        "power_dbm": link.power_dbm if link else None,
        "transmissions": link.transmissions if link else None,
        "fragment": link.fragment if link else False,
        "battery": scene.battery.id if scene.battery else None,
        "need": demands.need.value,
        "policy": demands.policy.id,
        "day": demands.day.isoformat(),
        "strength_bits": demands.strength_bits,
        "constant_time": demands.constant_time,
        "nonce": question.form.nonce.value,
        "tag_bytes": question.form.tag_bytes,
        "limits": {
            "flash_bytes": limits.flash,
            "ram_bytes": limits.ram,
            "latency_s": limits.latency_s,
            "of_device": sorted(limits.of_device),
        },
        "rank": dict(question.order),
        "currents": {
            "active": _drawn(scene.active),
            "sleep": [_drawn(drawn) for drawn in scene.sleeping],
            "transmit": _drawn(radio.get("transmit")),
            "receive": _drawn(radio.get("receive")),
        },
    }


def _drawn(drawn: Drawn | None) -> Document | None:
    return (
        None
        if drawn is None
        else {**drawn.amps.as_dict(), "unit": "A", "volts": drawn.volts, "source": list(drawn.notes)}
    )


def _ranked(entry: Ranked, answer: Answer) -> Document:
    return {
        "rank": entry.rank,
        "tied": entry.tied,
        **_candidate(entry.candidate),
        "worse": entry.worse.as_dict(),
        "pareto": entry.front,
        "why": why(entry, answer),
    }


def _candidate(candidate: Candidate) -> Document:
    sent, standing = candidate.sent, candidate.standing
    return {
        "scheme": candidate.scheme,
        "implementation": candidate.implementation,
        "composed": len(candidate.offers) > 1,
        "status": {
            "tier": standing.tier,
            "words": list(standing.words),
            "strength_bits": standing.strength_bits,
            "constant_time": standing.constant_time,
        },
        "sent": {
            "plaintext_bytes": sent.plaintext_bytes,
            "padding_bytes": sent.padding_bytes,
            "nonce_bytes": sent.nonce_bytes,
            "tag_bytes": sent.tag_bytes,
            "total_bytes": sent.total_bytes,
            "frames": sent.frames,
            "time_on_air_ms": sent.seconds * 1e3,
            "notes": list(sent.notes),
        },
        "latency": _figure(candidate.latency),
        "flash": _figure(candidate.flash),
        "ram": _figure(candidate.ram),
        "energy": {name: _figure(figure) for name, figure in candidate.energy.items()},
        "life": _figure(candidate.life),
    }


def _figure(figure: Figure | None) -> Document | None:
    if figure is None:
        return None
    return {
        **figure.value.as_dict(),
        "unit": figure.unit,
        "evidence": figure.evidence.value,
        "source": [dict(origin) for origin in figure.origins],
        "note": figure.note,
    }


def _broken(entry: Broken) -> Document:
    excess = entry.excess
    return {
        "limit": entry.limit,
        "words": entry.words,
        "allowed": entry.allowed,
        "value": entry.value,
        "unit": entry.unit,
        "excess": excess if excess is not None and math.isfinite(excess) else None,
        "option": entry.option,
    }


@cache
def schema() -> Document:
    """The JSON Schema (2020-12) of the document."""
    file = resources.files("motebench") / "schemas" / "choice.schema.json"
    loaded: Document = json.loads(file.read_text(encoding="utf-8"))
    return loaded
