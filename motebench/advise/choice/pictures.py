"""The charts of a choice: the bars, lines, points and cells of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from motebench.advise.choice.candidate import Judged, RankedCandidate, SchemeOffer
from motebench.advise.choice.combining import candidates, operation_of
from motebench.advise.choice.estimates import cost
from motebench.advise.choice.judging import judge
from motebench.advise.choice.measured import of_device
from motebench.advise.choice.names import Family, family
from motebench.advise.choice.question import PUBLIC_KEY, SERVING, ChoiceQuestion, Chosen
from motebench.base.errors import InputError
from motebench.base.units import DAY_S, format_value, life_unit
from motebench.catalog import schemes
from motebench.catalog.currents import active
from motebench.catalog.devices import Device, devices
from motebench.results import formulas

_Cell = tuple[float, float | None, str]
"""Seconds, joules where a current is known, and the implementation."""
BEST = 5
"""Number of candidates that get a line."""
_SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
"""Shapes of implementations with a colour; a cross is a rejected candidate."""
_DASHES = (0, 1, 2, 3, 5)
_BARS = 16
_SCHEMES = 6
_LONGEST = 256
_CHOSEN = "chosen: "
_UNDRAWN = ("need", "payload", "result")
"""Limits whose breach leaves no energy of a message to draw: no protection, or not sent."""
_SHADES = (0.08, 0.6)
_PARTS = {
    "sleep": "var(--p2)",
    "receive": "var(--p1)",
    "transmit": "var(--p0)",
    "cipher": "var(--alarm)",
    "download": "var(--p3)",
    "element": "var(--p4)",
}


Tips = tuple[tuple[str, str], ...]
"""Names and texts of tooltips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyBar:
    """One part of the energy of a message. ``v``: joules; ``head``: whether the bar begins with
    it."""

    label: str
    head: bool
    v: float
    fill: str
    order: int
    part: str
    floor: None = None
    text: str
    tips: Tips


@dataclass(frozen=True, slots=True, kw_only=True)
class ColouredImplementation:
    """The colour and shape of an implementation in every chart of the page. ``variant``: as in a
    report; always 0.
    """

    color: str
    shape: str
    variant: int = 0


_NO_COLOUR = ColouredImplementation(color="var(--ink-2)", shape="circle")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLook:
    """The line of a candidate. ``band``: whether its uncertainty is drawn; ``named``: the text at
    its end, of the chosen one."""

    label: str
    color: str
    shape: str
    dash: int
    band: bool
    named: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LifePoint(LineLook):
    """A point of a line: years of life with their bounds at ``x``, a length or a rate."""

    x: float
    v: float
    lo: float
    hi: float
    tips: Tips


@dataclass(frozen=True, slots=True, kw_only=True)
class ParetoPoint:
    """A candidate by bytes of flash (``x``) and joules of a message (``v``)."""

    label: str
    x: float
    v: float
    color: str
    fill: str
    shape: str
    part: str
    front: bool
    tips: Tips
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """A scheme on a device. ``order``: the place of the scheme; ``shade``: the share of the full
    colour; ``own``: the device of the question; ``chosen``: the scheme that is taken."""

    label: str
    device: str
    scheme: str
    order: int
    shade: float
    own: bool
    chosen: bool
    tips: Tips
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePictures:
    """Data of the charts of a choice. A chart without data is empty. ``looks``: of the
    implementations that have a colour.
    """

    split: Sequence[EnergyBar]
    life_by_size: Sequence[LifePoint]
    life_by_rate: Sequence[LifePoint]
    pareto: Sequence[ParetoPoint]
    heat: Sequence[HeatCell]
    looks: Mapping[str, ColouredImplementation]

    def by_name(self) -> dict[str, Sequence[EnergyBar | LifePoint | ParetoPoint | HeatCell]]:
        """Every chart that is not empty, by its name on the page."""
        charts: dict[str, Sequence[EnergyBar | LifePoint | ParetoPoint | HeatCell]] = {
            "split": self.split,
            "life-by-size": self.life_by_size,
            "life-by-rate": self.life_by_rate,
            "pareto": self.pareto,
            "heat": self.heat,
        }
        return {name: rows for name, rows in charts.items() if rows}


def pictures(chosen: Chosen) -> ChoicePictures:
    """The charts of a choice."""
    looks = _looks(chosen)
    best = _best(chosen, looks)
    return ChoicePictures(
        split=_split(chosen),
        life_by_size=list(_by_size(chosen, best)),
        life_by_rate=list(_by_rate(chosen, best)),
        pareto=_pareto(chosen, looks),
        heat=_heat(chosen),
        looks=looks,
    )


def _first_of_schemes(chosen: Chosen) -> list[RankedCandidate]:
    """The first implementation of each of the best few schemes."""
    schemes: dict[str, RankedCandidate] = {}
    for entry in chosen.ranked:
        schemes.setdefault(entry.candidate.scheme, entry)
    return list(schemes.values())[:BEST]


def _looks(chosen: Chosen) -> dict[str, ColouredImplementation]:
    """Colours for the implementations of the lines, then for those on the front, as far as colours
    differ enough.
    """
    front = [entry for entry in chosen.ranked if entry.front]
    names = dict.fromkeys(
        entry.candidate.implementation for entry in (*_first_of_schemes(chosen), *front)
    )
    return {
        name: ColouredImplementation(color=f"var(--c{place})", shape=shape)
        for (place, shape), name in zip(enumerate(_SHAPES), names, strict=False)
    }


def _label(candidate: Judged) -> str:
    return f"{candidate.scheme} · {candidate.implementation}"


def _split(chosen: Chosen) -> list[EnergyBar]:
    """Joules of a message by part, best candidate first."""
    rows = []
    for entry in chosen.ranked[:_BARS]:
        energy = {name: figure.value.typical for name, figure in entry.candidate.energy.items()}
        whole = sum(energy.values())
        parts = [name for name in _PARTS if name in energy]
        place = "chosen" if entry is chosen.ranked[0] else f"{entry.rank}{'=' * entry.tied}"
        for order, name in enumerate(parts):
            share = f"{energy[name] / whole * 100:.2g} %" if whole else "0 %"
            rows.append(
                EnergyBar(
                    label=f"{place}  {_label(entry.candidate)}",
                    head=order == 0,
                    v=energy[name],
                    fill=_PARTS[name],
                    order=order,
                    part=name,
                    text=f"{format_value(whole, 'J')}, cipher "
                    f"{format_value(energy.get('cipher'), 'J')}",
                    tips=((name, f"{format_value(energy[name], 'J')}, {share}"),),
                )
            )
    return rows


def _best(
    chosen: Chosen, looks: Mapping[str, ColouredImplementation]
) -> list[tuple[RankedCandidate, LineLook]]:
    """Best candidates, each with the colour and shape of its implementation and a different
    dash.
    """
    lines = []
    for place, entry in enumerate(_first_of_schemes(chosen)):
        look = looks.get(entry.candidate.implementation, _NO_COLOUR)
        line = LineLook(
            label=_label(entry.candidate),
            color=look.color,
            shape=look.shape,
            dash=_DASHES[place],
            band=place == 0,
            named=f"{_CHOSEN}{entry.candidate.scheme}" if place == 0 else "",
        )
        lines.append((entry, line))
    return lines


def _again(
    question: ChoiceQuestion, offers: Sequence[SchemeOffer], message: int, every: float
) -> Judged | None:
    """The same candidate with another message; None if it cannot be sent or its cost is unknown."""
    varied = question.with_scene(message_bytes=message, every_s=every)
    try:
        judged = [judge(candidate, varied) for candidate in candidates(offers, varied)]
    except InputError:  # a message of this size takes longer than the interval
        return None
    names = [offer.scheme for offer in offers]
    same = [entry for entry in judged if [offer.scheme for offer in entry.offers] == names]
    unsent = {"payload", "dwell-time", "duty-cycle", "fair-use"}
    sendable = [entry for entry in same if not unsent & {broken.limit for broken in entry.broken}]
    return sendable[0] if sendable else None


def _life_point(candidate: Judged, look: LineLook, x: float, label: str) -> LifePoint | None:
    if candidate.life is None:
        return None
    years = candidate.life.value
    unit, count = life_unit(years.typical)
    low, typical, high = (end * count for end in (years.low, years.typical, years.high))
    spread = f"{typical:.3g} {unit} ({low:.3g} to {high:.3g})"
    return LifePoint(
        label=look.label,
        color=look.color,
        shape=look.shape,
        dash=look.dash,
        band=look.band,
        named=look.named,
        x=x,
        v=years.typical,
        lo=years.low,
        hi=years.high,
        tips=((label, spread), ("sent", f"{candidate.sent.total_bytes} B")),
    )


def _by_size(
    chosen: Chosen, best: Sequence[tuple[RankedCandidate, LineLook]]
) -> Iterator[LifePoint]:
    scene = chosen.question.scene
    if scene.battery is None or scene.every_s is None or chosen.question.demands.need in PUBLIC_KEY:
        return
    longest = _LONGEST
    if scene.link is not None and not scene.link.fragment:
        longest = scene.link.longest or _LONGEST
    longest = max(longest, scene.message_bytes)
    sizes = sorted({*range(4, longest + 1, 4 if longest > 60 else 2), scene.message_bytes})
    for entry, look in best:
        for size in sizes:
            judged = _again(chosen.question, entry.candidate.offers, size, scene.every_s)
            point = judged and _life_point(judged, look, size, f"message of {size} B")
            if point:
                yield point


def _by_rate(
    chosen: Chosen, best: Sequence[tuple[RankedCandidate, LineLook]]
) -> Iterator[LifePoint]:
    scene = chosen.question.scene
    if scene.battery is None or scene.every_s is None:
        return
    slowest = max(DAY_S, scene.every_s)
    for entry, look in best:
        for step in range(25):
            every = slowest / 10 ** (step / 8)
            judged = _again(chosen.question, entry.candidate.offers, scene.message_bytes, every)
            point = judged and _life_point(
                judged, look, DAY_S / every, f"{DAY_S / every:.3g} messages a day"
            )
            if point:
                yield point


def _pareto(chosen: Chosen, looks: Mapping[str, ColouredImplementation]) -> list[ParetoPoint]:
    """Flash against energy of a message, for candidates that keep all limits and for rejected ones;
    of rejected ones at one place only the first."""
    front = {id(entry.candidate) for entry in chosen.ranked if entry.front}
    admitted = [entry.candidate for entry in chosen.ranked]
    unfit = [
        entry
        for entry in chosen.rejected
        if all(broken.limit not in _UNDRAWN for broken in entry.broken)
    ]
    points: list[ParetoPoint] = []
    named: set[str] = set()
    crosses: set[tuple[str, str]] = set()
    for candidate in (*admitted, *unfit):
        costs = _pareto_costs(candidate)
        if costs is None:
            continue
        kind = "rejected" if candidate.broken else "keeps all limits"
        if id(candidate) in front:
            kind = "on the front"
        # Crosses that cover each other are one.
        place = (f"{costs[0]:.3g}", f"{costs[1]:.3g}")
        if kind == "rejected" and place in crosses:
            continue
        crosses.add(place)
        text = ""
        if candidate.scheme not in named:
            text = _pareto_text(candidate, chosen, kind)
        if text:
            named.add(candidate.scheme)
        look = looks.get(candidate.implementation, _NO_COLOUR)
        points.append(_pareto_point(candidate, costs, (kind, text), look))
    return points


def _pareto_text(candidate: Judged, chosen: Chosen, kind: str) -> str:
    """Label beside a point: of the chosen candidate, and of recommended ones on the front."""
    if chosen.ranked and candidate is chosen.ranked[0].candidate:
        return f"{_CHOSEN}{candidate.scheme}"
    front = candidate.standing.tier == 0 and kind == "on the front"
    return candidate.scheme if front else ""


def _pareto_costs(candidate: Judged) -> tuple[float, float] | None:
    """Bytes of flash and joules a message; None where one is unknown or 0."""
    joules, flash = candidate.energy_j, candidate.flash
    if joules is None or flash is None or joules.typical <= 0 or flash.value.typical <= 0:
        return None
    return flash.value.typical, joules.typical


def _pareto_point(
    candidate: Judged,
    costs: tuple[float, float],
    labels: tuple[str, str],
    look: ColouredImplementation,
) -> ParetoPoint:
    """Point of the chart. ``labels``: the kind of the point, and the name beside it. A filled point
    is on the front; a cross is rejected.
    """
    (flash, joules), (kind, text) = costs, labels
    fill = {"on the front": look.color, "keeps all limits": "var(--card)"}.get(kind, "none")
    rejected = kind == "rejected"
    broken = [("rejected", limit.limit) for limit in candidate.broken]
    return ParetoPoint(
        label=_label(candidate),
        x=flash,
        v=joules,
        color=_NO_COLOUR.color if rejected else look.color,
        fill=fill,
        shape="cross" if rejected else look.shape,
        part=kind,
        front=kind == "on the front",
        tips=(
            ("energy a message", format_value(joules, "J")),
            ("flash", f"{flash:,.0f} B"),
            *broken,
        ),
        text=text,
    )


def _heat(chosen: Chosen) -> list[HeatCell]:
    """Cells with the time of computing a message: every device that has results against the best
    schemes, the chosen one first, by the fastest implementation of each."""
    question = chosen.question
    if question.demands.need in PUBLIC_KEY:
        return []
    schemes_shown = _best_schemes(chosen)
    cells = {
        (device.id, scheme): cell
        for device, offers in _results(chosen)
        for scheme, cell in _cheapest(question, device, offers).items()
        if scheme in schemes_shown
    }
    if not cells:
        return []
    low, high = (math.log(end(cell[0] for cell in cells.values())) for end in (min, max))
    own, taken = question.scene.device.id, chosen.ranked[0].candidate.scheme
    drawn = []
    for (place, scheme), (seconds, joules, implementation) in cells.items():
        share = (math.log(seconds) - low) / (high - low) if high > low else 0.0
        time = format_value(seconds * 1e9, "ns", 2)
        energy = () if joules is None else (("energy", format_value(joules, "J")),)
        drawn.append(
            HeatCell(
                label=f"{scheme} on {place}",
                device=place,
                scheme=scheme,
                order=schemes_shown.index(scheme),
                shade=_SHADES[0] + share * (_SHADES[1] - _SHADES[0]),
                own=place == own,
                chosen=scheme == taken,
                tips=(("time", time), ("by", implementation), *energy),
                text=time,
            )
        )
    return sorted(drawn, key=lambda cell: (not cell.own, cell.device, cell.order))


def _best_schemes(chosen: Chosen) -> list[str]:
    """The first schemes by rank that a single implementation computes, without key lengths: those
    that are as recommended as the chosen one, so far as there are any."""
    if not chosen.ranked:
        return []
    tier = chosen.ranked[0].candidate.standing.tier
    by_family: dict[Family, str] = {}
    for entry in chosen.ranked:
        candidate = entry.candidate
        if len(candidate.offers) == 1 and candidate.standing.tier <= tier:
            by_family.setdefault(family(candidate), candidate.scheme)
    return list(by_family.values())[:_SCHEMES]


def _results(chosen: Chosen) -> list[tuple[Device, Sequence[SchemeOffer]]]:
    """The device of the question with its offers, then every other device that has results."""
    own = chosen.question.scene.device
    others = [device for device in devices().values() if device.id != own.id]
    of_others = [
        (device, results.offers) for device in others if (results := of_device(device)) is not None
    ]
    return [(own, [offer for offer in chosen.offers if not offer.level]), *of_others]


def _cheapest(
    question: ChoiceQuestion, device: Device, offers: Sequence[SchemeOffer]
) -> Mapping[str, _Cell]:
    """Seconds, joules and implementation by scheme, for schemes that meet the need without a second
    scheme.
    """
    drawn = active(device)
    cheapest: dict[str, _Cell] = {}
    for offer in offers:
        scheme = schemes().get(offer.scheme)
        if scheme is None or scheme.kind not in SERVING[question.demands.need] or offer.failure:
            continue
        took = cost(offer, operation_of(scheme), question.scene.message_bytes)
        if took is None or took.seconds.typical <= 0:
            continue
        seconds = took.seconds.typical
        joules = formulas.energy(seconds, drawn.volts, drawn.amps.typical) if drawn else None
        if offer.scheme not in cheapest or seconds < cheapest[offer.scheme][0]:
            cheapest[offer.scheme] = (seconds, joules, offer.implementation)
    return cheapest
