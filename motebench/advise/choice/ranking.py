"""Order, ties, Pareto front.

Two candidates are compared with the same values of everything that they share (battery, currents, voltages), at each
corner of the bounds. An uncertain capacity changes both alike, and says nothing about which of them is better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from motebench.advise.choice.candidate import Candidate, Judged, RankedCandidate, SentBytes
from motebench.advise.choice.question import ChoiceQuestion, Scene, Weights
from motebench.advise.energy.battery import raising
from motebench.advise.energy.consumption import EnergyPart
from motebench.base.errors import InputError
from motebench.base.model import Kind
from motebench.base.naming import did_you_mean
from motebench.base.quantities import Interval, total
from motebench.catalog import schemes
from motebench.catalog.currents import Drawn, assumptions
from motebench.results import formulas

CRITERIA = ("life", "energy", "latency", "throughput", "flash", "ram")
_FRONT = ("energy", "latency", "flash", "ram")
_HEAVIEST = 1e6


def weights(text: str) -> dict[str, float]:
    """``life``, or ``life=3,flash=1``. InputError for anything else."""
    found: dict[str, float] = {}
    for entry in text.split(","):
        name, _, amount = (part.strip() for part in entry.partition("="))
        try:
            weight = float(amount) if amount else 1.0
        except ValueError:
            weight = -1.0
        if name not in CRITERIA or name in found or not 0 < weight <= _HEAVIEST:
            raise InputError(
                f"{entry.strip()!r} is not a criterion", where="--rank",
                valid=f"one of {', '.join(CRITERIA)}, or several with weights: life=3,flash=1",
                hint=None if name in CRITERIA else did_you_mean(name, CRITERIA),
            )  # fmt: skip
        found[name] = weight
    return found


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


def rank(judged: Sequence[Judged], question: ChoiceQuestion) -> list[RankedCandidate]:
    """Candidates that keep all limits, best first. Schemes without a verdict come after recommended ones, schemes that
    are advised against come last, and within these groups those that are for later.

    Candidates that are worse than the best by at most ``question.equal`` have its rank, too. Within a rank: the more
    mature implementation first, then one whose code is there already, or a part of it, then one scheme before two, then
    a MAC without a nonce, then one that claims constant time, then fewer bytes with public keys, then less flash, less
    RAM, more strength (up to the bits that are enough), less time. InputError if the order needs an unknown figure.
    """
    _check(judged, question.order)
    front = _front(judged)
    compare = _Comparison(question.scene, question.order, question.equal)
    ranked: list[RankedCandidate] = []
    place = 1
    for group in sorted({candidate.standing.group for candidate in judged}):
        waiting = sorted((candidate for candidate in judged if candidate.standing.group == group), key=compare.score)
        while waiting:
            head = waiting[0]
            size = 1
            while size < len(waiting) and compare.same(waiting[size], head):
                size += 1
            equal = sorted(waiting[:size], key=lambda candidate: lesser(candidate, question.demands.enough_bits))
            first = ranked[0].candidate if ranked else equal[0]
            ranked += [
                RankedCandidate(candidate, place, size > 1, compare.ratio(candidate, first), id(candidate) in front)
                for candidate in equal
            ]
            place, waiting = place + size, waiting[size:]
    return ranked


def leaders(judged: Sequence[Judged], question: ChoiceQuestion) -> list[Judged]:
    """The candidates of rank 1 of ``rank``, in its order; empty if there are no candidates."""
    _check(judged, question.order)
    if not judged:
        return []
    compare = _Comparison(question.scene, question.order, question.equal)
    best = min(candidate.standing.group for candidate in judged)
    waiting = sorted((candidate for candidate in judged if candidate.standing.group == best), key=compare.score)
    tied = itertools.takewhile(lambda candidate: compare.same(candidate, waiting[0]), waiting)
    return sorted(tied, key=lambda candidate: lesser(candidate, question.demands.enough_bits))


def stretched(group: Sequence[Judged], question: ChoiceQuestion) -> bool:
    """Whether candidates of one rank are further apart than ``question.equal``, and only their bounds make them
    equal."""
    compare = _Comparison(question.scene, question.order, question.equal)
    best = min(group, key=compare.score)
    return not all(compare.near(candidate, best) for candidate in group)


def worse(a: Judged, b: Judged, question: ChoiceQuestion) -> Interval:
    """How much worse ``a`` is than ``b`` by the weighted criteria, as bounds of a ratio."""
    return _Comparison(question.scene, question.order, 0.0).ratio(a, b)


def _check(found: Sequence[Judged], order: Weights) -> None:
    for name in order:
        lacking = [candidate for candidate in found if figure_of(candidate, name) is None]
        if lacking:
            raise InputError(
                f"{name} of {lacking[0].scheme} by {lacking[0].implementation} is unknown", where="--rank",
                valid="a criterion that is known for all candidates", hint="--rank latency",
            )  # fmt: skip


DECIDERS = (
    "the more mature implementation",
    "code that is there already, or a part of it",
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
"""What decides among equal candidates: the places of ``lesser``."""


def lesser(
    candidate: Candidate, enough: int
) -> tuple[int, int, bool, bool, bool, int, float, float, float, float, str, str]:
    """The order of equal candidates: the least is first. ``enough``: bits beyond which strength does not matter."""
    standing = candidate.standing
    figures = (candidate.flash, candidate.ram, candidate.latency)
    flash, ram, latency = (math.inf if figure is None else figure.value.typical for figure in figures)
    claimed, bits = standing.constant_time is not None, min(standing.strength_bits or 0, enough or math.inf)
    composed = len(candidate.offers) > 1
    return (
        standing.maturity, missing(candidate), composed, _takes_nonce(candidate), not claimed,
        magnitude(candidate.sent), flash, ram, -bits, latency, candidate.scheme, candidate.implementation,
    )  # fmt: skip


def _takes_nonce(candidate: Candidate) -> bool:
    """Whether it is a MAC whose nonce must not repeat; those without one ask for nothing."""
    scheme = schemes().get(candidate.offers[0].scheme)
    return scheme is not None and scheme.kind is Kind.MAC and scheme.nonce_bytes > 0


def missing(candidate: Candidate) -> int:
    """How much of its code the product lacks: 0 nothing, 1 a part, 2 all."""
    if candidate.flash is not None and candidate.flash.value.typical == 0:
        return 0
    return 1 if any(offer.already for offer in candidate.offers) else 2


def magnitude(sent: SentBytes) -> int:
    """Of what schemes with public keys send and receive, in powers of two: a difference that an architect notices. 0
    for others."""
    if not (sent.signature_bytes or sent.key_bytes or sent.ciphertext_bytes or sent.received_bytes):
        return 0
    return (sent.total_bytes + sent.received_bytes).bit_length()


def _front(found: Sequence[Judged]) -> set[int]:
    """Candidates that no other candidate beats in energy, latency, flash and RAM at once, by known typical figures."""
    names = [name for name in _FRONT if all(figure_of(candidate, name) is not None for candidate in found)]
    points = [
        tuple(figure.typical for name in names if (figure := figure_of(candidate, name)) is not None)
        for candidate in found
    ]
    return {
        id(candidate)
        for candidate, own in zip(found, points, strict=True)
        if not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in points)
    }


class _Comparison:
    """Compares candidates by weighted criteria: logarithms of ratios, so that units do not matter.

    The values of a candidate at each corner are computed once. Candidates are identified by object identity.
    """

    def __init__(self, scene: Scene, order: Weights, equal: float) -> None:
        self._scene, self._equal = scene, equal
        whole = sum(order.values())
        self._order = {name: weight / whole for name, weight in order.items()}
        self._corners = list(_corners(scene))
        self._known: dict[tuple[int, str], tuple[Judged, list[tuple[float, float]]]] = {}

    def score(self, candidate: Judged) -> float:
        """The typical score; less is better."""
        return sum(weight * self._typical(candidate, name) for name, weight in self._order.items())

    def _typical(self, candidate: Judged, name: str) -> float:
        figure = figure_of(candidate, name)
        if figure is None:
            raise AssertionError("looked at before")
        return -_log(figure.typical) if name == "life" else _log(figure.typical)

    def same(self, a: Judged, b: Judged) -> bool:
        """True if the data do not show which is better, or if the difference is too small to matter."""
        if self.near(a, b):
            return True
        found = self.ratio(a, b)
        return found.low <= 1 <= found.high

    def near(self, a: Judged, b: Judged) -> bool:
        """Whether the typical ``a`` is worse than the typical ``b`` by so little that it does not matter."""
        return self.score(a) - self.score(b) <= math.log1p(self._equal)

    def ratio(self, a: Judged, b: Judged) -> Interval:
        """How much worse ``a`` is than ``b``, with bounds."""
        low = high = 0.0
        for name, weight in self._order.items():
            least, most = self._bounds(a, b, name)
            low, high = low + weight * least, high + weight * most
        typical = min(max(self.score(a) - self.score(b), low), high)
        return Interval(math.exp(low), math.exp(typical), math.exp(high))

    def _bounds(self, a: Judged, b: Judged, name: str) -> tuple[float, float]:
        if a is b:
            return 0.0, 0.0
        if name in ("life", "energy"):
            return self._shared(a, b, name)
        own, other = figure_of(a, name), figure_of(b, name)
        if own is None or other is None:
            raise AssertionError("looked at before")
        return _log(own.low) - _log(other.high), _log(own.high) - _log(other.low)

    def _shared(self, a: Judged, b: Judged, name: str) -> tuple[float, float]:
        """Bounds over all corners of the inputs that both share, and over the own inputs of each."""
        pairs = list(zip(self._at_corners(a, name), self._at_corners(b, name), strict=True))
        return min(own[0] - other[1] for own, other in pairs), max(own[1] - other[0] for own, other in pairs)

    def _at_corners(self, candidate: Judged, name: str) -> list[tuple[float, float]]:
        key = (id(candidate), name)
        if key not in self._known:
            of = _badness_of_life if name == "life" else _joules
            ends = [of(self._scene, corner, candidate) for corner in self._corners]
            # The candidate is stored, too, so that its identity is not reused.
            self._known[key] = candidate, [(_log(low), _log(high)) for low, high in ends]
        return self._known[key][1]


def _log(value: float) -> float:
    return math.log(max(value, 1e-30))


_Corner = Mapping[str, float]
"""One value (A) for each current that all candidates share, by part; ``sleep`` is the current of everything during
sleep."""


def _corners(scene: Scene) -> Iterator[_Corner]:
    shared = {"sleep": total(drawn.amps * _raising(scene, drawn) for drawn in scene.sleeping)}
    if scene.active is not None:
        shared["cipher"] = scene.active.amps
    for part in scene.parts():
        shared[part.name] = part.drawn.amps
    for ends in itertools.product(("low", "high"), repeat=len(shared)):
        yield {name: getattr(amps, end) for (name, amps), end in zip(shared.items(), ends, strict=True)}


def _charges(corner: _Corner, candidate: Judged) -> Iterator[tuple[EnergyPart | None, float, float]]:
    """Coulombs of each part of a message at a corner, as bounds; the processor's current depends on the code."""
    latency, spread = candidate.latency, assumptions().code_spread
    if latency is not None:
        amps = corner["cipher"]
        yield None, latency.value.low * amps * (1 - spread), latency.value.high * amps * (1 + spread)
    size = candidate.sent.plaintext_bytes
    for part in (part for offer in candidate.offers for part in offer.drawing(size)):
        yield part, part.charge_c.low, part.charge_c.high
    for part in candidate.air.parts:
        coulombs = formulas.charge(part.seconds * part.times, corner[part.name])
        yield part, coulombs, coulombs


def _raising(scene: Scene, drawn: Drawn | None) -> float:
    """The factor from a part's current to the battery's; 1 without a battery."""
    return raising(scene.battery, drawn) if scene.battery is not None and drawn is not None else 1.0


def _joules(scene: Scene, corner: _Corner, candidate: Judged) -> tuple[float, float]:
    low = high = 0.0
    for part, least, most in _charges(corner, candidate):
        drawn = part.drawn if part else scene.active
        volts = drawn.volts if drawn else 0.0
        low, high = low + least * volts, high + most * volts
    return low, high


def _badness_of_life(scene: Scene, corner: _Corner, candidate: Judged) -> tuple[float, float]:
    """1 / life of the typical battery at a corner, best and worst."""
    if scene.battery is None or scene.every_s is None:
        raise AssertionError("no life without a battery")
    charges = []
    for part, least, most in _charges(corner, candidate):
        raised = _raising(scene, part.drawn if part else scene.active)
        charges.append((least * raised, most * raised))
    coulombs, usable = scene.battery.capacity.typical * formulas.HOUR_S, scene.battery.usable.typical
    loss = formulas.loss_rate(scene.battery.self_discharge.typical)
    ends = []
    for message in (sum(least for least, _ in charges), sum(most for _, most in charges)):
        mean = formulas.mean_current(corner["sleep"], message, scene.every_s)
        ends.append(1 / formulas.life(coulombs, usable, mean, loss))
    return ends[0], ends[1]
