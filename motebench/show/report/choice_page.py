"""The page of a choice: its candidates, tables and charts in one file that loads nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from motebench.advise.choice.explorer import Exploration
from motebench.advise.choice.pictures import ChoicePictures, LifePoint
from motebench.base.files.access import FileKind, write
from motebench.base.shapes import plain
from motebench.base.units import format_value, life_unit, life_words
from motebench.documents.choice import (
    PUBLIC_KEY,
    CandidateEntry,
    ChoiceEntry,
    FigureEntry,
    ReferenceOrigin,
    SensitiveEnd,
    SensitiveInput,
    SensitivityEntry,
    timing_words,
)
from motebench.show.decision import parts
from motebench.show.report import one_file, templates

_SCRIPTS = (
    "data.js",
    "numbers.js",
    "pages.js",
    "hover.js",
    "charts/scales.js",
    "charts/canvas.js",
    "charts/pictures.js",
    "explorer.js",
    "choice.js",
)
_BEST = 16
"""Number of candidates for which the page states the share of the cipher."""
_SMALL = 0.01
"""Share of the energy below which the cipher is invisible in a bar."""

_TITLES = {
    "split": "Energy of a message",
    "life-by-size": "Life by size of the message",
    "life-by-rate": "Life by rate",
    "pareto": "Flash against energy",
    "heat": "Devices against ciphers",
}
_ABOUT = {
    "split": "From one message to the next, best candidates first: computing, transmitting, "
    "listening, sleeping. Where "
    "computing cannot be seen, it does not matter: bytes on air do.",
    "life-by-size": "Typical life of the best candidates, one implementation of each scheme. "
    "Steps come from "
    "the "
    "radio, which sends whole symbols; a line ends where the encrypted message fits no frame. "
    "The band is the "
    "uncertainty of rank 1, nearly all of it from battery and currents, which all candidates "
    "share.",
    "life-by-rate": (
        "The same against messages a day, at the requested size. A line ends at the duty cycle."
    ),
    "pareto": "Candidates that no other candidate beats in energy, time, flash and RAM at "
    "once are on "
    "the front. The "
    "chart shows two of the four. Filled marks are on the front, hollow ones keep all limits, "
    "crosses are "
    "rejected. Both axes are logarithmic.",
    "heat": "Time of computing one message, radio apart, with the fastest implementation of each "
    "scheme: the best schemes as recommended as the chosen one, whatever their key length, on "
    "every device that has results. Engines and secure elements count for your device only. The "
    "stronger a colour, the slower, logarithmic. A narrow screen shows the first schemes.",
}
_LEVELS = ("good", "none", "bad", "worst")
"""The severity of a security status, by its tier (`motebench.documents.choice.StatusEntry`)."""
_PARTS = ("cipher", "element", "transmit", "receive", "download", "sleep")


def write_choice(
    choice: ChoiceEntry,
    pictures: ChoicePictures,
    path: Path,
    *,
    model: Exploration | None = None,
    force: bool = False,
) -> Path:
    """Write the page of a choice, with its charts. ``model``: answers at the stops of its sliders.
    InputError if that fails."""
    return write(
        path, render(choice, pictures, model), FileKind.HTML, force=force, where="--report"
    )


def render(choice: ChoiceEntry, pictures: ChoicePictures, model: Exploration | None = None) -> str:
    """The page as text."""
    distinct, about = _told_once(choice, pictures)
    shown = distinct.by_name()
    data = {
        "rows": shown,
        "table": numbered_table(choice),
        "marks": {},
        "look": {"implementations": pictures.looks},
        "explorer": model,
    }
    bars = tornado(choice.sensitivity)
    return (
        templates({"level": level})
        .get_template("choice.html.j2")
        .render(
            title=f"{choice.question.device}, choice",
            alone=one_file(_SCRIPTS, plain(data)),
            sections=_sections(choice, shown, explorer=model is not None, deciding=bool(bars)),
            choice=choice,
            decision=choice.decision,
            parts_of=parts(choice.decision)[1:],
            question=choice.question,
            pictures={name: _TITLES[name] for name in shown},
            about=about,
            share=_share_words(choice, _BEST),
            explorer=model is not None,
            tornado=bars,
        )
    )


def _sections(
    choice: ChoiceEntry, pictures: Iterable[str], *, explorer: bool, deciding: bool
) -> dict[str, str]:
    """Sections that this choice has something for: anchor and name, in reading order."""
    before = {
        "answer": ("Answer", True),
        "explorer": ("Ask again", explorer),
        "keys": ("Keys", bool(choice.keys)),
        "deciding": ("Which input decides", deciding),
    }
    after = {
        "candidates": ("Candidates", bool(choice.candidates)),
        "rejected": ("Rejected", bool(choice.rejected)),
        "sources": ("Sources", True),
    }
    drawn = {name: (_TITLES[name], True) for name in pictures}
    every = {**before, **drawn, **after}
    return {anchor: title for anchor, (title, shown) in every.items() if shown}


def _told_once(
    choice: ChoiceEntry, pictures: ChoicePictures
) -> tuple[ChoicePictures, dict[str, str]]:
    """Charts, and the text of each. Bars and lines that look the same are combined, and the text
    says so.
    """
    about = dict(_ABOUT)
    split = pictures.split
    bars = len({bar.label for bar in split})
    if bars > 1 and (share := _share_words(choice, bars)):
        about["split"] = f"{share} The bar is that of rank 1; those of the others look the same."
        split = [bar for bar in split if bar.label == split[0].label]
    by_size, size_words = _one_line(pictures.life_by_size)
    by_rate, rate_words = _one_line(pictures.life_by_rate)
    about["life-by-size"] += size_words
    about["life-by-rate"] += rate_words
    return replace(pictures, split=split, life_by_size=by_size, life_by_rate=by_rate), about


def _one_line(points: Sequence[LifePoint]) -> tuple[Sequence[LifePoint], str]:
    """The first line and a sentence on the others if all look the same; else all lines."""
    if not alike(points):
        return points, ""
    count = len({point.label for point in points})
    remark = f" The best {count} differ by less than 1 %: one line stands for all of them."
    return [point for point in points if point.label == points[0].label], remark


def _share_words(choice: ChoiceEntry, best: int) -> str:
    """The share of the cipher in the energy of the ``best`` first candidates, if it is very
    small.
    """
    best = min(best, len(choice.candidates))
    share = cipher_share(choice, best)
    if share is None or share >= _SMALL:
        return ""
    group = f"any of the best {best} candidates" if best > 1 else "the only candidate"
    work = "computing" if choice.question.need in PUBLIC_KEY else "the cipher"
    return (
        f"With {group} {work} is at most {share * 100:.2g} % of the energy: what decides is the "
        "number of bytes on air, then flash and RAM."
    )


class NumberedTexts:
    """Texts by number, each once: a page names them by their number."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text."""
        return self._places.setdefault(text, len(self._places))

    @property
    def texts(self) -> list[str]:
        """All texts, by number."""
        return list(self._places)


class CandidateItem(NamedTuple):
    """A candidate in the table of the page, with its texts by number. ``more``: names and texts of
    its details."""

    rank: int
    tied: int
    scheme: int
    implementation: int
    level: int
    life: float | None
    latency: float | None
    flash: float | None
    ram: float | None
    sent: int
    cipher: float | None
    reasons: Sequence[int]
    more: Sequence[tuple[int, int]]


class RejectedItem(NamedTuple):
    """A rejected candidate in the table of the page, with its texts by number. ``broken``: limits
    and their words."""

    scheme: int
    implementation: int
    broken: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedTable:
    """The candidates of the page; their texts are indices into ``texts``."""

    texts: Sequence[str]
    candidates: Sequence[CandidateItem]
    rejected: Sequence[RejectedItem]


def numbered_table(choice: ChoiceEntry) -> NumberedTable:
    """The ranked and the rejected candidates, every text once."""
    texts = NumberedTexts()
    candidates = [_candidate(candidate, texts) for candidate in choice.candidates]
    rejected = [
        RejectedItem(
            texts(candidate.scheme),
            texts(candidate.implementation),
            [(texts(broken.limit), texts(broken.words)) for broken in candidate.broken],
        )
        for candidate in choice.rejected
    ]
    return NumberedTable(texts=texts.texts, candidates=candidates, rejected=rejected)


def _candidate(candidate: CandidateEntry, texts: NumberedTexts) -> CandidateItem:
    sent, energy = candidate.sent, candidate.energy
    more = [
        ("life", figure(candidate.life)),
        ("latency", figure(candidate.latency)),
        ("flash", figure(candidate.flash)),
        ("ram", figure(candidate.ram)),
    ]
    more += [(f"{name} energy", figure(energy[name])) for name in _PARTS if name in energy]
    if sent.frames:
        more.append(("on air", f"{sent.time_on_air_ms:.5g} ms"))
    if sent.received_bytes:
        air = f", {sent.received_on_air_ms:.5g} ms on air" if sent.received_on_air_ms else ""
        more.append(("received", f"{sent.received_bytes:,} B{air}"))
    timing = timing_words(candidate.status.constant_time, candidate.status.secret_flow)
    more.append(("secrets", timing or "constant time: no claim"))
    more.append(("source", _source(candidate.latency)))
    return CandidateItem(
        rank=candidate.rank,
        tied=1 if candidate.tied else 0,
        scheme=texts(candidate.scheme),
        implementation=texts(candidate.implementation),
        level=texts(level(candidate.status.tier)),
        life=_typical(candidate.life),
        latency=_typical(candidate.latency),
        flash=_typical(candidate.flash),
        ram=_typical(candidate.ram),
        sent=sent.total_bytes,
        cipher=_typical(energy.get("cipher")),
        reasons=[texts(line) for line in (*candidate.why, *candidate.status.words)],
        more=[(texts(name), texts(text)) for name, text in more if text],
    )


def level(tier: int) -> str:
    """The severity of a status of this tier."""
    return _LEVELS[tier] if 0 <= tier < len(_LEVELS) else "none"


def _typical(estimate: FigureEntry | None) -> float | None:
    return None if estimate is None else float(f"{estimate.typical:.6g}")


def _source(latency: FigureEntry | None) -> str:
    if latency is None:
        return ""
    cases = []
    for origin in latency.source:
        where = origin.file if isinstance(origin, ReferenceOrigin) else f"run {origin.run}"
        cases.append(f"{origin.operation} of {origin.input_bytes} B, {where} {origin.target}")
    note = f", {latency.note}" if latency.note else ""
    return f"{latency.evidence}{note}: {'; '.join(cases)}"


def figure(estimate: FigureEntry | None) -> str:
    """A number with its bounds; empty if unknown."""
    if estimate is None:
        return ""
    unit, count = life_unit(estimate.typical) if estimate.unit == "years" else (estimate.unit, 1)
    low, typical, high = (
        _number(end * count, unit) for end in (estimate.low, estimate.typical, estimate.high)
    )
    return typical if estimate.low == estimate.high else f"{typical} ({low} to {high})"


def _number(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value:,.0f} B"
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)


def cipher_share(choice: ChoiceEntry, best: int) -> float | None:
    """The largest share of the cipher in the energy from one message to the next, of the ``best``
    first candidates; None if one of them has no energy, or no part other than the cipher."""
    shares = []
    for candidate in choice.candidates[:best]:
        typical = {name: part.typical for name, part in candidate.energy.items()}
        whole = sum(typical.values())
        if "cipher" not in typical or len(typical) < 2 or whole <= 0:
            return None
        shares.append(typical["cipher"] / whole)
    return max(shares, default=None)


def alike(points: Sequence[LifePoint], within: float = 0.01) -> bool:
    """True if the lines of a chart cover each other: the same positions, and values that differ by
    less.
    """
    lines: dict[str, dict[float, float]] = {}
    for point in points:
        lines.setdefault(point.label, {})[point.x] = point.v
    first, *others = lines.values() or [{}]
    return bool(others) and all(
        line.keys() == first.keys()
        and all(abs(v - first[x]) <= within * abs(first[x]) for x, v in line.items())
        for line in others
    )


WIDTH, ROW, LEFT, RIGHT = 640, 30, 8, 8
"""Pixels of the drawing: its width, the height of a row, margins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TornadoBar:
    """The bar of one input. ``ends``: the criterion at the low and the high end, in words."""

    entry: SensitiveInput
    x: float
    width: float
    ends: tuple[str, str]
    factor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tornado:
    """Bars, one for each input, on a logarithmic axis from the least to the most. ``middle``: where
    the question as it stands is."""

    bars: Sequence[TornadoBar]
    axis: tuple[str, str]
    """The criterion at both ends of the axis."""
    middle: float
    width: int
    row: int
    typical: str


def tornado(sensitivity: SensitivityEntry | None) -> Tornado | None:
    """Effect of each input; None without `--sensitivity`."""
    if sensitivity is None or not sensitivity.inputs:
        return None
    typical, unit = sensitivity.typical, sensitivity.unit
    both = [(_criterion(entry.low), _criterion(entry.high)) for entry in sensitivity.inputs]
    values = [typical, *(end for pair in both for end in pair if end)]
    low, high = math.log(min(values)), math.log(max(values))
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return round(LEFT + (math.log(value) - low) / span * (WIDTH - LEFT - RIGHT), 1)

    bars = []
    for entry, (first, last) in zip(sensitivity.inputs, both, strict=True):
        reached = [typical, *(end for end in (first, last) if end)]
        begin, end = place(min(reached)), place(max(reached))
        bars.append(
            TornadoBar(
                entry=entry,
                x=begin,
                width=max(round(end - begin, 1), 2.0),
                ends=(_end_words(first, unit), _end_words(last, unit)),
                factor=f"{entry.factor:.3g}" if entry.factor else "",
            )
        )
    axis = spelt(min(values), unit), spelt(max(values), unit)
    return Tornado(
        bars=bars,
        axis=axis,
        middle=place(typical),
        width=WIDTH,
        row=ROW,
        typical=spelt(typical, unit),
    )


def _criterion(end: SensitiveEnd) -> float | None:
    """The criterion at an end of an input; None if no candidate keeps all limits there."""
    return end.criterion or end.criterion_of_first


def _end_words(value: float | None, unit: str) -> str:
    return spelt(value, unit) if value else "not possible"


def spelt(value: float, unit: str) -> str:
    """A criterion in words."""
    if unit == "years":
        return life_words(value)
    return format_value(value * 1e9, "ns") if unit == "s" else format_value(value, unit)
