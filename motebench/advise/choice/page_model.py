"""The model of a choice that a page computes with: candidates by number, curves of their results,
the question.

``assets/explorer.js`` of the report reads it by these names. Lists of one kind are tuples with
names, so that the page gets the names once (`fields`) and each list without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from motebench.base.quantities import Interval

Triple = tuple[float, float, float]
"""The low, typical and high value of a figure."""


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


def three(value: Interval) -> Triple:
    """A figure with both bounds."""
    return value.low, value.typical, value.high


def ends(value: Interval) -> float | Triple:
    """One number if it is exact."""
    return value.typical if value.low == value.high else three(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnModel:
    """A current. ``raising``: the factor by which the voltage of the battery changes it."""

    amps: Triple
    volts: float
    raising: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AirPartModel(DrawnModel):
    """A part of a message on air, with its current."""

    LEADING = ("name",)

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPartModel(AirPartModel):
    """A part of a message on air. ``busy``: seconds by length of the encrypted message."""

    busy: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AirByLength:
    """Frames, seconds and limits by length of the encrypted message. ``least``, ``fair``: seconds
    between messages."""

    frames: Sequence[int]
    seconds: Sequence[float]
    broken: Sequence[str]
    least: Sequence[float]
    fair: Sequence[float]
    parts: Sequence[TimedPartModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeModel:
    """Time of one exchange on air. ``sends``: whether it can be sent; ``busy``: seconds by part."""

    sends: bool
    broken: Sequence[str]
    least: float
    fair: float
    seconds: float
    busy: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AirByExchange:
    """Exchanges by number, and the currents of their parts."""

    entries: Sequence[ExchangeModel]
    parts: Sequence[AirPartModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryModel:
    """A battery: capacity, usable share and loss."""

    capacity: Triple
    usable: Triple
    loss: Triple


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneModel:
    """Currents and battery. ``year``, ``hour``: seconds."""

    active: DrawnModel | None
    sleep: Sequence[DrawnModel]
    year: float
    hour: float
    battery: BatteryModel | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageScene(SceneModel):
    """The scene of a message. ``longest``: the longest one that the page computes; ``fixed``:
    whether the length cannot be changed; ``partial``: multiple and share that make a partial saving
    of code."""

    air: AirByLength | None
    longest: int
    fixed: bool
    partial: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedScene(SceneModel):
    """The scene of a need of public keys. ``fixed``: whether the length cannot be changed."""

    air: AirByExchange | None
    fixed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedModel:
    """The question as it stands: where the sliders are at first."""

    length: int
    every: float | None
    flash: int | None
    ram: int | None
    latency: float | None
    ofDevice: Sequence[str]  # noqa: N815 - named as scripts name it
    strength: int
    enough: int
    equal: float
    order: Mapping[str, float]
    need: str
    sends: bool
    deviceFlash: int  # noqa: N815
    deviceRam: int  # noqa: N815
    ways: Sequence[str]
    """Other options that may admit something recommended where nothing is that keeps all limits."""
    sharing: bool
    """Whether the product has code already."""
    settled: bool
    """Whether no other option admits anything recommended, so that a less recommended candidate may
    be first.
    """


class MessageItem(NamedTuple):
    """A candidate for a message: scheme and implementation of its cipher by number, standing, curve
    of its results, MAC by number, bytes of the nonce under the MAC (or of a lone MAC), of a padded
    block, sent nonce and tag, of the block more that encrypts a counter, and the data limit of a
    key.
    """

    s: int
    i: int
    tier: int
    maturity: int
    behind: int
    """1 for unmaintained code, which comes after the rest of its group."""
    claimed: int
    bits: int | None
    curve: int
    mac: int | None
    over: int
    padding: int
    nonce: int
    tag: int
    extra: int
    block: int
    passes: int
    limit: int


class ExchangeCost(NamedTuple):
    """Cost of a candidate with public keys at a length. ``air``: the number of its exchange."""

    latency: float | Triple | None
    flash: float | Triple | None
    ram: float | Triple | None
    sent: int
    received: int
    magnitude: int
    air: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideModel:
    """A part beside the processor that draws a current."""

    seconds: float
    charge: Triple
    energy: Triple
    volts: float
    raising: float


class KeyedItem(NamedTuple):
    """A candidate with public keys: names by number, standing, what it costs by number and by place
    of the length (-1: no candidate there), for each strength the pattern of the lengths at which it
    is one, and what draws a current beside the processor."""

    s: int
    i: int
    tier: float
    maturity: int
    behind: int
    """1 for unmaintained code, which comes after the rest of its group."""
    claimed: int
    bits: int | None
    composed: int
    costs: Sequence[ExchangeCost]
    at: Sequence[int]
    there: Sequence[int]
    beside: Sequence[BesideModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class MacModel:
    """A MAC that can be added to a cipher of its library."""

    s: int
    i: int
    curve: int
    library: int
    tier: int
    tag: int
    bits: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveModel:
    """Results by size. ``block``: bytes and padding of a block; ``memory``: the number of each size
    in ``memories``."""

    block: tuple[int, int] | None
    pieces: Sequence[int]
    fall: float
    sizes: Sequence[int]
    seconds: Sequence[float | Triple]
    memories: Sequence[Mapping[str, float | Triple]]
    memory: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageModel:
    """The choice for a message."""

    schemes: Sequence[str]
    implementations: Sequence[str]
    libraries: Sequence[str]
    fields: Sequence[str] = MessageItem._fields
    candidates: Sequence[MessageItem]
    macs: Sequence[MacModel]
    curves: Sequence[CurveModel]
    scene: MessageScene
    now: AskedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedModel:
    """The choice for a need of public keys, at each of ``lengths``."""

    schemes: Sequence[str]
    implementations: Sequence[str]
    fields: Sequence[str] = KeyedItem._fields
    candidates: Sequence[KeyedItem]
    lengths: Sequence[int]
    patterns: Sequence[str]
    strengths: Sequence[int]
    scene: KeyedScene
    now: AskedModel


ExplorerModel = MessageModel | KeyedModel
