"""Ranking of candidates: order, ties, Pareto front.

Two candidates are compared with the same values of everything that they share (battery, currents,
voltages), at each corner of the bounds. An uncertain capacity changes both alike, and says nothing
about which of them is better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from motebench.advise.choice.candidate import (
    Candidate,
    Judged,
    RankedCandidate,
    SentBytes,
    Standing,
)
from motebench.advise.choice.question import ChoiceQuestion, Demands, Need, Scene, Weights
from motebench.advise.energy.battery import raising
from motebench.advise.radio.link import EnergyPart
from motebench.base.errors import InputError
from motebench.base.model import Kind
from motebench.base.naming import did_you_mean
from motebench.base.quantities import Interval, total
from motebench.catalog import schemes
from motebench.catalog.currents import Drawn
from motebench.results import formulas

CRITERIA = ("life", "energy", "latency", "throughput", "flash", "ram")
_FRONT = ("energy", "latency", "flash", "ram")
_HEAVIEST = 1e6
_ROUNDING = 1e-12
"""Rounding error of a logarithm: candidates of the same figures differ by less."""


def weights(text: str) -> dict[str, float]:
    """``life``, or ``life=3,flash=1``. InputError for anything else."""
    by_name: dict[str, float] = {}
    for entry in text.split(","):
        name, _, amount = (part.strip() for part in entry.partition("="))
        try:
            weight = float(amount) if amount else 1.0
        except ValueError:
            weight = -1.0
        if name not in CRITERIA or name in by_name or not 0 < weight <= _HEAVIEST:
            raise InputError(
                f"{entry.strip()!r} is not a criterion",
                where="--rank",
                valid=f"one of {', '.join(CRITERIA)}, or several with weights: life=3,flash=1",
                hint=None if name in CRITERIA else did_you_mean(name, CRITERIA),
            )
        by_name[name] = weight
    return by_name


def figure_of(candidate: Judged, criterion: str) -> Interval | None:
    """The bounds of a criterion, where less is better; throughput is compared by its time."""
    if criterion == "energy":
        return candidate.energy_j
    figure = {
        "life": candidate.life,
        "latency": candidate.latency,
        "throughput": candidate.latency,
        "flash": candidate.flash,
        "ram": candidate.ram,
    }[criterion]
    return figure.value if figure else None


def rank(
    judged: Sequence[Judged], question: ChoiceQuestion, most: int | None = None
) -> list[RankedCandidate]:
    """Candidates that keep all limits, best first; only the first ``most`` of them.

    Schemes without a verdict come after recommended ones, schemes that are advised against come
    last, and within these groups those that are for later. Within each of these, what may not keep
    a limit comes after what surely keeps all, and a cipher with a MAC after authenticated
    encryption: keys, order and comparison of tags are left to the product there. Code for products
    that gets no corrections any more comes after the rest, unless code that is not for products is
    a candidate, too.

    Candidates whose typical figures are worse than those of the best by at most ``question.equal``
    have its rank, too. Within a rank: the more mature implementation first, then, if the product
    has code already, less flash beside it, then one scheme before two, then a MAC without a nonce,
    then one that claims constant time, then fewer bytes with public keys, then less flash, less
    RAM, more strength (up to the bits that are enough), less time. InputError if the order needs an
    unknown figure.
    """
    _check(judged, question.order)
    at_front = _front(judged)
    compare = _Comparison(question.scene, question.order, judged)
    ranked: list[RankedCandidate] = []
    places = [_group(candidate, question) for candidate in judged]
    for group in sorted(set(places)):
        waiting = [
            candidate for candidate, place in zip(judged, places, strict=True) if place == group
        ]
        while waiting and (most is None or len(ranked) < most):
            equal, waiting = _best(waiting, question)
            place, first = len(ranked) + 1, ranked[0].candidate if ranked else equal[0]
            for candidate in equal if most is None else equal[: most - len(ranked)]:
                ratio, tied = compare.ratio(candidate, first), len(equal) > 1
                ranked.append(RankedCandidate(candidate, place, tied, ratio, at_front(candidate)))
    return ranked


def leaders(judged: Sequence[Judged], question: ChoiceQuestion) -> list[Judged]:
    """Candidates of rank 1 of ``rank``, in its order; empty without candidates."""
    _check(judged, question.order)
    if not judged:
        return []
    best = min(_group(candidate, question) for candidate in judged)
    return _best(
        [candidate for candidate in judged if _group(candidate, question) == best], question
    )[0]


def _group(candidate: Judged, question: ChoiceQuestion) -> tuple[float, bool, bool, bool]:
    """The place of its group, whether it may not keep a limit, whether it is a cipher with a MAC,
    and whether its code is unmaintained."""
    composed = question.demands.need is Need.AEAD and len(candidate.offers) > 1
    standing = candidate.standing
    return standing.group, bool(candidate.unsure), composed, behind(standing, question)


def behind(standing: Standing, question: ChoiceQuestion) -> bool:
    """True if the candidate comes after the rest of its group, as unmaintained code. Not if code
    that is not for products is a candidate, too.
    """
    return standing.unmaintained and not question.demands.research


def _best(waiting: Sequence[Judged], question: ChoiceQuestion) -> tuple[list[Judged], list[Judged]]:
    """The best of a group with those that are equal to it for the user, in order; and the
    others."""
    scores = [_score(candidate, question.order) for candidate in waiting]
    most = min(scores) + math.log1p(question.equal) + _ROUNDING
    equal = [candidate for candidate, score in zip(waiting, scores, strict=True) if score <= most]
    others = [candidate for candidate, score in zip(waiting, scores, strict=True) if score > most]
    return sorted(equal, key=lambda candidate: lesser(candidate, question.demands)), others


def _score(candidate: Judged, order: Weights) -> float:
    """The typical score, less is better: logarithms of the criteria, so that units do not
    matter."""
    whole = sum(order.values())
    return sum(weight / whole * _typical(candidate, name) for name, weight in order.items())


def _typical(candidate: Judged, name: str) -> float:
    figure = figure_of(candidate, name)
    if figure is None:
        raise AssertionError("looked at before")
    return -_log(figure.typical) if name == "life" else _log(figure.typical)


def worse(a: Judged, b: Judged, question: ChoiceQuestion) -> Interval:
    """Ratio by which ``a`` is worse than ``b`` by the weighted criteria, with bounds."""
    return _Comparison(question.scene, question.order, (a, b)).ratio(a, b)


def _check(candidates: Sequence[Judged], order: Weights) -> None:
    for name in order:
        lacking = [candidate for candidate in candidates if figure_of(candidate, name) is None]
        if lacking:
            raise InputError(
                f"{name} of {lacking[0].scheme} by {lacking[0].implementation} is unknown",
                where="--rank",
                valid="a criterion that is known for all candidates",
                hint="--rank latency",
            )


DECIDERS = (
    "the more mature implementation",
    "less flash beside the code that is there",
    "one scheme rather than a cipher and a MAC",
    "a MAC that takes no nonce",
    "a claim of constant time",
    "a shorter signature, key or ciphertext",
    "less flash",
    "less RAM",
    "more strength",
    "less time",
    "the name",
    "the name",
)
"""Properties that decide among equal candidates: the places of ``lesser``."""


def lesser(
    candidate: Candidate, demands: Demands
) -> tuple[int, float, bool, bool, bool, int, float, float, float, float, str, str]:
    """The order of equal candidates: the least is first."""
    standing = candidate.standing
    figures = (candidate.flash, candidate.ram, candidate.latency)
    flash, ram, latency = (
        math.inf if figure is None else figure.value.typical for figure in figures
    )
    claimed, bits = (
        standing.constant_time is not None,
        min(standing.strength_bits or 0, demands.enough_bits or math.inf),
    )
    composed = len(candidate.offers) > 1
    return (
        standing.maturity,
        flash if demands.sharing else 0.0,
        composed,
        _takes_nonce(candidate),
        not claimed,
        magnitude(candidate.sent),
        flash,
        ram,
        -bits,
        latency,
        candidate.scheme,
        candidate.implementation,
    )


def _takes_nonce(candidate: Candidate) -> bool:
    """True if it is a MAC whose nonce must not repeat; those without one ask for nothing."""
    scheme = schemes().get(candidate.offers[0].scheme)
    return scheme is not None and scheme.kind is Kind.MAC and scheme.nonce_bytes > 0


def magnitude(sent: SentBytes) -> int:
    """Bytes that schemes with public keys send and receive, in powers of two: a difference that an
    architect notices. 0 for others.
    """
    if not (sent.signature_bytes or sent.key_bytes or sent.ciphertext_bytes or sent.received_bytes):
        return 0
    return (sent.total_bytes + sent.received_bytes).bit_length()


def _front(candidates: Sequence[Judged]) -> Callable[[Judged], bool]:
    """True for a candidate that no other beats in energy, latency, flash and RAM at once, by known
    typical figures."""
    names = [
        name
        for name in _FRONT
        if all(figure_of(candidate, name) is not None for candidate in candidates)
    ]

    def point(candidate: Judged) -> tuple[float, ...]:
        return tuple(
            figure.typical for name in names if (figure := figure_of(candidate, name)) is not None
        )

    points = {point(candidate) for candidate in candidates}

    def at_front(candidate: Judged) -> bool:
        own = point(candidate)
        return not any(
            other != own and all(a <= b for a, b in zip(other, own, strict=True))
            for other in points
        )

    return at_front


class _Comparison:
    """Ratios by which candidates are worse than another by weighted criteria, with bounds.

    The values of a candidate at each corner are computed once. Candidates are identified by object
    identity.
    """

    def __init__(self, scene: Scene, order: Weights, judged: Sequence[Judged]) -> None:
        self._scene = scene
        whole = sum(order.values())
        self._order = {name: weight / whole for name, weight in order.items()}
        self._corners = list(_corners(scene, judged))
        self._known: dict[tuple[int, str], tuple[Judged, list[tuple[float, float]]]] = {}

    def ratio(self, a: Judged, b: Judged) -> Interval:
        """Ratio by which ``a`` is worse than ``b``, with bounds."""
        low = high = 0.0
        for name, weight in self._order.items():
            least, most = self._bounds(a, b, name)
            low, high = low + weight * least, high + weight * most
        typical = _score(a, self._order) - _score(b, self._order)
        # A modem's joules for one more byte are another share of a message at either bound than
        # typically, so the typical ratio may lie beyond the corners.
        low, high = min(low, typical + _ROUNDING), max(high, typical - _ROUNDING)
        typical = min(max(typical, low), high)
        return Interval(math.exp(low), math.exp(typical), math.exp(high))

    def _bounds(self, a: Judged, b: Judged, name: str) -> tuple[float, float]:
        if a is b:
            return 0.0, 0.0
        if name in _AT_CORNERS:
            return self._shared(a, b, name)
        own, other = figure_of(a, name), figure_of(b, name)
        if own is None or other is None:
            raise AssertionError("looked at before")
        return _log(own.low) - _log(other.high), _log(own.high) - _log(other.low)

    def _shared(self, a: Judged, b: Judged, name: str) -> tuple[float, float]:
        """Bounds over all corners of the inputs that both share, and over the own inputs of
        each."""
        pairs = list(zip(self._at_corners(a, name), self._at_corners(b, name), strict=True))
        return min(own[0] - other[1] for own, other in pairs), max(
            own[1] - other[0] for own, other in pairs
        )

    def _at_corners(self, candidate: Judged, name: str) -> list[tuple[float, float]]:
        key = (id(candidate), name)
        if key not in self._known:
            value_at = _AT_CORNERS[name]
            ends = [value_at(self._scene, corner, candidate) for corner in self._corners]
            # The candidate is stored, too, so that its identity is not reused.
            self._known[key] = candidate, [(_log(low), _log(high)) for low, high in ends]
        return self._known[key][1]


def _log(value: float) -> float:
    return math.log(max(value, 1e-30))


@dataclass(frozen=True, slots=True)
class _Corner:
    """One corner of the bounds of everything that candidates share.

    ``values``: currents (A) of the processor (``cipher``) and of everything during sleep, and the
    factors of the chip in their times. ``ends``: the bound that the current of each part on air is
    at; a modem's current also depends on the length of the message, so it is the candidate's own.
    """

    values: Mapping[str, float]
    ends: Mapping[str, str]


def _corners(scene: Scene, judged: Sequence[Judged]) -> Iterator[_Corner]:
    shared = {"sleep": total(drawn.amps * _raising(scene, drawn) for drawn in scene.sleeping)}
    if scene.active is not None:
        shared["cipher"] = scene.active.amps
    factors = dict.fromkeys(share.of_chip for candidate in judged for share in candidate.shares)
    shared.update({_key(factor): factor for factor in factors if factor.low < factor.high})
    parts = {part.name: part.drawn.amps for part in scene.parts()}
    both = {**shared, **parts}
    varied = [("low", "high") if amps.low < amps.high else ("typical",) for amps in both.values()]
    for chosen in itertools.product(*varied):
        ends = dict(zip(both, chosen, strict=True))
        yield _Corner(
            {name: getattr(amps, ends[name]) for name, amps in shared.items()},
            {name: ends[name] for name in parts},
        )


def _key(factor: Interval) -> str:
    return f"chip {factor.low} to {factor.high}"


def _seconds(_scene: Scene, corner: _Corner, candidate: Judged) -> tuple[float, float]:
    """Time at a corner: the factor of the chip is the same for all code."""
    low = high = 0.0
    for share in candidate.shares:
        factor = corner.values.get(_key(share.of_chip), 1.0)
        low, high = low + share.seconds.low * factor, high + share.seconds.high * factor
    return low, high


def _charges(
    scene: Scene, corner: _Corner, candidate: Judged
) -> Iterator[tuple[EnergyPart | None, float, float]]:
    """Coulombs of each part of a message at a corner, as bounds. All code on the chip is taken to
    draw the same current."""
    if candidate.latency is not None:
        amps, (least, most) = corner.values["cipher"], _seconds(scene, corner, candidate)
        yield None, least * amps, most * amps
    size = candidate.sent.plaintext_bytes
    for part in (part for offer in candidate.offers for part in offer.drawing(size)):
        yield part, part.charge_c.low, part.charge_c.high
    for part in candidate.air.parts:
        amps = getattr(part.drawn.amps, corner.ends[part.name])
        coulombs = formulas.charge(part.seconds * part.times, amps)
        yield part, coulombs, coulombs


def _raising(scene: Scene, drawn: Drawn | None) -> float:
    """The typical factor from a part's current to the battery's, as all candidates have it; 1
    without a battery."""
    if scene.battery is None or drawn is None:
        return 1.0
    return raising(scene.battery, drawn).typical


def _joules(scene: Scene, corner: _Corner, candidate: Judged) -> tuple[float, float]:
    low = high = 0.0
    for part, least, most in _charges(scene, corner, candidate):
        drawn = part.drawn if part else scene.active
        volts = drawn.volts if drawn else 0.0
        low, high = low + least * volts, high + most * volts
    return low, high


def _badness_of_life(scene: Scene, corner: _Corner, candidate: Judged) -> tuple[float, float]:
    """1 / life of the typical battery at a corner, best and worst."""
    if scene.battery is None or scene.every_s is None:
        raise AssertionError("no life without a battery")
    charges = []
    for part, least, most in _charges(scene, corner, candidate):
        raised = _raising(scene, part.drawn if part else scene.active)
        charges.append((least * raised, most * raised))
    coulombs, usable = (
        scene.battery.capacity.typical * formulas.HOUR_S,
        scene.battery.usable.typical,
    )
    loss = formulas.loss_rate(scene.battery.self_discharge.typical)
    ends = []
    for message in (sum(least for least, _ in charges), sum(most for _, most in charges)):
        mean = formulas.mean_current(corner.values["sleep"], message, scene.every_s)
        ends.append(1 / formulas.life(coulombs, usable, mean, loss))
    return ends[0], ends[1]


_AT_CORNERS: Mapping[str, Callable[[Scene, _Corner, Judged], tuple[float, float]]] = {
    "life": _badness_of_life,
    "energy": _joules,
    "latency": _seconds,
    "throughput": _seconds,
}
"""Criteria whose inputs all candidates share in part, with their functions at a corner."""
