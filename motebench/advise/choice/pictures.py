"""The data of the charts of a choice: rows for each chart, as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from motebench.advise.choice.candidate import Judged, RankedCandidate, SchemeOffer
from motebench.advise.choice.combining import candidates, operation_of
from motebench.advise.choice.estimates import cost
from motebench.advise.choice.judging import judge
from motebench.advise.choice.measured import of_device
from motebench.advise.choice.question import PUBLIC_KEY, SERVING, ChoiceQuestion, Chosen
from motebench.advise.radio import lorawan
from motebench.base.errors import InputError
from motebench.base.units import DAY_S, format_value
from motebench.catalog import schemes
from motebench.catalog.currents import active
from motebench.catalog.devices import Device, devices
from motebench.results import formulas

Row = dict[str, Any]
_Cell = tuple[float, float | None, str]
"""Seconds, joules where a current is known, and the implementation."""
BEST = 5
"""How many candidates have their own line."""
_BARS = 16
_SCHEMES = 20
_LONGEST = 256
_SHADES = (0.08, 0.6)
_PARTS = {
    "sleep": "var(--p2)",
    "receive": "var(--p1)",
    "transmit": "var(--p0)",
    "cipher": "var(--alarm)",
    "download": "var(--c2)",
    "element": "var(--c1)",
}


def pictures(chosen: Chosen) -> dict[str, list[Row]]:
    """Rows by chart; charts without rows are left out."""
    found = {
        "split": _split(chosen),
        "life-by-size": list(_by_size(chosen)),
        "life-by-rate": list(_by_rate(chosen)),
        "pareto": _pareto(chosen),
        "heat": _heat(chosen),
    }
    return {name: rows for name, rows in found.items() if rows}


def _label(candidate: Judged) -> str:
    return f"{candidate.scheme} · {candidate.implementation}"


def _split(chosen: Chosen) -> list[Row]:
    """Joules of a message by part, best candidate first."""
    rows = []
    for entry in chosen.ranked[:_BARS]:
        energy = {name: figure.value.typical for name, figure in entry.candidate.energy.items()}
        whole = sum(energy.values())
        there = [name for name in _PARTS if name in energy]
        for order, name in enumerate(there):
            share = f"{energy[name] / whole * 100:.2g} %" if whole else "0 %"
            rows.append(
                {
                    "label": f"{entry.rank}{'=' if entry.tied else ''}  {_label(entry.candidate)}",
                    "head": order == 0,
                    "v": energy[name],
                    "fill": _PARTS[name],
                    "order": order,
                    "part": name,
                    "floor": None,
                    "text": f"{format_value(whole, 'J')}, cipher {format_value(energy.get('cipher'), 'J')}",
                    "tips": [[name, f"{format_value(energy[name], 'J')}, {share}"]],
                }
            )
    return rows


def _best(chosen: Chosen) -> list[tuple[RankedCandidate, Row]]:
    """The best few, each with its colour, shape and dash; the first implementation of each scheme."""
    schemes: dict[str, RankedCandidate] = {}
    for entry in chosen.ranked:
        schemes.setdefault(entry.candidate.scheme, entry)
    shapes = ("circle", "square", "triangle-up", "diamond", "triangle-down")
    found = []
    for i, entry in enumerate(list(schemes.values())[:BEST]):
        look = {"color": f"var(--c{i})", "shape": shapes[i], "dash": i, "band": i == 0}
        found.append((entry, {"label": _label(entry.candidate), **look}))
    return found


def _again(question: ChoiceQuestion, offers: Sequence[SchemeOffer], message: int, every: float) -> Judged | None:
    """The same candidate with another message; None if it cannot be sent or its cost is unknown."""
    scene = replace(question.scene, message_bytes=message, every_s=every, known={})
    varied = replace(question, scene=scene)
    try:
        found = [judge(candidate, varied) for candidate in candidates(offers, varied)]
    except InputError:  # a message of this size takes longer than the interval
        return None
    names = [offer.scheme for offer in offers]
    same = [entry for entry in found if [offer.scheme for offer in entry.offers] == names]
    unsent = {"payload", "dwell-time", "duty-cycle", "fair-use"}
    sendable = [entry for entry in same if not unsent & {broken.limit for broken in entry.broken}]
    return sendable[0] if sendable else None


def _life_row(candidate: Judged, look: Row, x: float, said: str) -> Row | None:
    if candidate.life is None:
        return None
    years = candidate.life.value
    spread = f"{years.typical:.3g} years ({years.low:.3g} to {years.high:.3g})"
    tips = [[said, spread], ["sent", f"{candidate.sent.total_bytes} B"]]
    return {**look, "x": x, "v": years.typical, "lo": years.low, "hi": years.high, "tips": tips}


def _by_size(chosen: Chosen) -> Iterator[Row]:
    scene = chosen.question.scene
    if scene.battery is None or scene.every_s is None or chosen.question.demands.need in PUBLIC_KEY:
        return
    longest = lorawan.longest_payload(scene.link.rate) if scene.link and not scene.link.fragment else _LONGEST
    longest = max(longest, scene.message_bytes)
    sizes = sorted({*range(4, longest + 1, 4 if longest > 60 else 2), scene.message_bytes})
    for entry, look in _best(chosen):
        for size in sizes:
            found = _again(chosen.question, entry.candidate.offers, size, scene.every_s)
            row = found and _life_row(found, look, size, f"message of {size} B")
            if row:
                yield row


def _by_rate(chosen: Chosen) -> Iterator[Row]:
    scene = chosen.question.scene
    if scene.battery is None or scene.every_s is None:
        return
    slowest = max(DAY_S, scene.every_s)
    for entry, look in _best(chosen):
        for step in range(25):
            every = slowest / 10 ** (step / 8)
            found = _again(chosen.question, entry.candidate.offers, scene.message_bytes, every)
            row = found and _life_row(found, look, DAY_S / every, f"{DAY_S / every:.3g} messages a day")
            if row:
                yield row


_LOOKS = {
    "on the front": ("var(--c1)", "var(--c1)", "diamond"),
    "keeps all limits": ("var(--c0)", "var(--card)", "circle"),
    "rejected": ("var(--c6)", "none", "cross"),
}
"""Colour, fill and shape of a candidate on the Pareto chart."""


def _pareto(chosen: Chosen) -> list[Row]:
    """Flash against energy of a message, for candidates that keep all limits and for rejected ones; of rejected ones at
    one place only the first."""
    front = {id(entry.candidate) for entry in chosen.ranked if entry.front}
    admitted = [entry.candidate for entry in chosen.ranked]
    unfit = [entry for entry in chosen.rejected if all(broken.limit != "need" for broken in entry.broken)]
    rows: list[Row] = []
    named: set[str] = set()
    crosses: set[tuple[str, str]] = set()
    for candidate in (*admitted, *unfit):
        point = _pareto_point(candidate)
        if point is None:
            continue
        kind = "on the front" if id(candidate) in front else "rejected" if candidate.broken else "keeps all limits"
        # Crosses that cover each other are one.
        place = (f"{point[0]:.3g}", f"{point[1]:.3g}")
        if kind == "rejected" and place in crosses:
            continue
        crosses.add(place)
        text = ""
        if kind == "on the front" and candidate.scheme not in named:
            named.add(candidate.scheme)
            text = candidate.scheme
        rows.append(_pareto_row(candidate, *point, kind) | {"text": text})
    return rows


def _pareto_point(candidate: Judged) -> tuple[float, float] | None:
    """Bytes of flash and joules a message; None where one is unknown or 0."""
    joules, flash = candidate.energy_j, candidate.flash
    if joules is None or flash is None or joules.typical <= 0 or flash.value.typical <= 0:
        return None
    return flash.value.typical, joules.typical


def _pareto_row(candidate: Judged, flash: float, joules: float, kind: str) -> Row:
    color, fill, shape = _LOOKS[kind]
    tips = [["energy a message", format_value(joules, "J")], ["flash", f"{flash:,.0f} B"]]
    tips += [["rejected", broken.limit] for broken in candidate.broken]
    return {
        "label": _label(candidate), "x": flash, "v": joules, "color": color, "fill": fill,
        "shape": shape, "part": kind, "front": kind == "on the front", "tips": tips,
    }  # fmt: skip


def _heat(chosen: Chosen) -> list[Row]:
    """What computing a message costs: each device that has results against the schemes, best implementation of each."""
    question = chosen.question
    if question.demands.need in PUBLIC_KEY:
        return []
    own = question.scene.device.id
    cells = {
        (device.id, scheme): cell
        for device, offers in _results(chosen)
        for scheme, cell in _cheapest(question, device, offers).items()
    }
    fastest = sorted(cells, key=lambda key: cells[key][0])
    schemes = [scheme for place, scheme in fastest if place == own][:_SCHEMES]
    shown = {key: cell for key, cell in cells.items() if key[1] in schemes}
    if not shown:
        return []
    low, high = (math.log(end(cell[0] for cell in shown.values())) for end in (min, max))
    rows = []
    for (place, scheme), (seconds, joules, implementation) in shown.items():
        share = (math.log(seconds) - low) / (high - low) if high > low else 0.0
        tips = [["time", format_value(seconds * 1e9, "ns")], ["by", implementation]]
        tips += [["energy", format_value(joules, "J")]] if joules is not None else []
        rows.append(
            {
                "label": f"{scheme} on {place}", "device": place, "scheme": scheme, "order": schemes.index(scheme),
                "shade": _SHADES[0] + share * (_SHADES[1] - _SHADES[0]), "tips": tips,
                "text": format_value(joules, "J") if joules is not None else format_value(seconds * 1e9, "ns"),
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: (row["order"], row["device"]))


def _results(chosen: Chosen) -> list[tuple[Device, Sequence[SchemeOffer]]]:
    """The device of the question with its offers, then every other device that has results."""
    own = chosen.question.scene.device
    others = [device for device in devices().values() if device.id != own.id]
    known = [(device, results.offers) for device in others if (results := of_device(device)) is not None]
    return [(own, chosen.offers), *known]


def _cheapest(question: ChoiceQuestion, device: Device, offers: Sequence[SchemeOffer]) -> Mapping[str, _Cell]:
    """Seconds, joules and implementation by scheme, for schemes that meet the need without a second scheme."""
    drawn = active(device)
    found: dict[str, _Cell] = {}
    for offer in offers:
        scheme = schemes().get(offer.scheme)
        if scheme is None or scheme.kind not in SERVING[question.demands.need] or offer.failure:
            continue
        took = cost(offer, operation_of(scheme), question.scene.message_bytes)
        if took is None or took.seconds.typical <= 0:
            continue
        seconds = took.seconds.typical
        joules = formulas.energy(seconds, drawn.volts, drawn.amps.typical) if drawn else None
        if offer.scheme not in found or seconds < found[offer.scheme][0]:
            found[offer.scheme] = (seconds, joules, offer.implementation)
    return found
