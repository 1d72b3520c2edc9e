"""Interface of all radios: the cost of a payload of n bytes on air, and its limits.

`RadioLink.send` and `RadioLink.receive` give a `Transfer`: frames, bytes and seconds on air, and
the energy by part. LoRaWAN, plain LoRa, FSK, BLE, IEEE 802.15.4 and modems implement it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.catalog.currents import Drawn
from motebench.catalog.radios import Radio, SubBand
from motebench.results import formulas

SURE = Interval.exact(1.0)
"""Bounds of an exact time."""


@dataclass(frozen=True, slots=True)
class EnergyPart:
    """One part of a message's cost: how long (s), with which current, how often.

    ``stretch``: bounds of the time, as factors.
    """

    name: str
    seconds: float
    drawn: Drawn
    times: float = 1.0
    stretch: Interval = SURE

    @property
    def charge_c(self) -> Interval:
        """Coulombs a message."""
        return self.drawn.amps * self.stretch * formulas.charge(self.seconds * self.times, 1.0)

    @property
    def energy_j(self) -> Interval:
        """Joules a message."""
        return (
            self.drawn.amps
            * self.stretch
            * formulas.energy(self.seconds * self.times, self.drawn.volts, 1.0)
        )


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payload in one direction. ``frames`` is 0 if the radio cannot carry it.

    ``air_bytes``: bytes on air with every header. ``seconds``: on air of all frames, each sent
    once, and ``longest_s`` of the longest one.
    """

    length: int
    frames: int
    air_bytes: int
    seconds: float
    longest_s: float
    parts: tuple[EnergyPart, ...]

    @property
    def fits(self) -> bool:
        """True if the radio can carry the message."""
        return self.frames > 0


NOT_CARRIED = Transfer(0, 0, 0, 0.0, 0.0, ())


@dataclass(frozen=True, slots=True)
class RadioLimit:
    """A limit that a message breaks: its fixed name, words, the numbers, and the option that
    relaxes it.
    """

    limit: str
    words: str
    allowed: float
    value: float
    unit: str
    option: str


@dataclass(frozen=True, slots=True)
class LeastInterval:
    """The least time from one message to the next by a rule: ``limit`` is its fixed name, ``rule``
    names it in words. ``seconds`` is 0 where the rule limits nothing.
    """

    limit: str
    rule: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioLink(ABC):
    """The radio of a device under settings.

    power_dbm: output power; None: not settled, for questions that need no energy. transmissions:
    how often each frame is sent on average, 1 or more. fragment: messages that are too long for a
    frame are sent in several.
    """

    radio: Radio
    power_dbm: float | None = None
    transmissions: float = 1.0
    fragment: bool = False

    def __post_init__(self) -> None:
        if self.transmissions < 1:
            raise InputError(
                f"{self.transmissions:g} transmissions per message are not possible",
                where="--transmissions",
                valid="1 or more",
            )

    @property
    @abstractmethod
    def name(self) -> str:
        """Radio protocol and its settings in a few words."""

    @property
    def place(self) -> str:
        """The same as sentences about limits say it."""
        return self.name

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """Payload bytes of one frame; None if the network splits messages itself, without an edge
        that costs.
        """

    @property
    def counted(self) -> bool:
        """True if every frame carries a counter from which both sides can derive a nonce."""
        return False

    @property
    def left_out(self) -> str:
        """Remark on parts that the model of received payloads ignores; empty without any."""
        return ""

    @property
    def splits(self) -> bool:
        """True if a message that is too long for a frame can be sent in several."""
        return True

    def session(self, parts: Sequence[EnergyPart]) -> tuple[EnergyPart, ...]:
        """The parts of several messages one after another as one."""
        return tuple(parts)

    def wake(self) -> tuple[EnergyPart, ...]:
        """Parts of a message that only comes to the device, in addition to receiving it."""
        return ()

    @property
    def repeatable(self) -> bool:
        """True if frames may be sent several times each."""
        return True

    @abstractmethod
    def send(self, length: int) -> Transfer:
        """A payload of ``length`` bytes from the device, with everything around it."""

    @abstractmethod
    def receive(self, length: int) -> Transfer:
        """A payload of ``length`` bytes to the device."""

    @property
    def band(self) -> SubBand | None:
        """The part of the spectrum whose duty cycle holds; None if none does."""
        return None

    @property
    def dwell_time_ms(self) -> int | None:
        """Longest time on air of a frame; None without such a rule."""
        return None

    def paces(self, sent: Transfer) -> tuple[LeastInterval, ...]:
        """The rules on the rate of messages of this length."""
        if not sent.fits or self.band is None:
            return ()
        spent = sent.seconds * self.transmissions
        rule = f"the duty cycle of {self.band.name} MHz"
        return (LeastInterval("duty-cycle", rule, spent / self.band.duty_cycle),)

    def faster(self) -> tuple[tuple[str, RadioLink], ...]:
        """Quicker settings of the same radio by option, the slowest first."""
        return ()

    def idle(self) -> tuple[Drawn, ...]:
        """The mean currents that keep the link alive between messages."""
        return ()

    def notes(self) -> tuple[str, ...]:
        """Remarks on the assumptions and gaps of the model."""
        return ()

    def limits(self, sent: Transfer, every_s: float | None) -> Iterator[RadioLimit]:
        """Every limit that a message of this length in this interval breaks."""
        if not sent.fits:
            yield self.too_long(sent.length, "send")
            return
        dwell, longest_ms = self.dwell_time_ms, sent.longest_s * 1000
        if dwell is not None and longest_ms > dwell:
            reason = f"{longest_ms:g} ms on air, and {self.place} allows {dwell} ms a frame"
            yield RadioLimit("dwell-time", reason, dwell, longest_ms, "ms", "--dr")
        for pace in self.paces(sent):
            if every_s is not None and pace.seconds > every_s:
                reason = (
                    f"one message each {spelt(pace.seconds)} at most by {pace.rule}, but --every "
                    f"is {every_s:g} s"
                )
                yield RadioLimit(pace.limit, reason, every_s, pace.seconds, "s", "--every")

    def too_long(self, length: int, verb: str) -> RadioLimit:
        """The limit that a payload breaks that no frame takes; ``verb``: send or receive."""
        longest = self.longest or 0
        reason = f"{length} bytes to {verb}, and {self.place} takes {longest} in a frame"
        taking = [name for name, link in self.faster() if (link.longest or 0) >= length]
        quicker = f" or {taking[0]}" if taking and verb == "send" else ""
        option = f"--fragment{quicker}" if self.splits else ""
        return RadioLimit("payload", reason, longest, length, "B", option)

    def edge(self, length: int) -> int | None:
        """Longest payload that takes as many frames as ``length`` bytes; None without such a
        limit.
        """
        frames = self.send(length).frames
        if not frames or self.longest is None:
            return None
        low, high = length, length + self.longest + _LARGEST_SHARE
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.send(middle).frames == frames else (low, middle - 1)
        return low

    def require(self, sent: Transfer, every_s: float | None = None) -> None:
        """InputError for the first limit that a message breaks."""
        for broken in self.limits(sent, every_s):
            allowed = "at least" if broken.unit == "s" else "at most"
            bound = broken.value if broken.unit == "s" else broken.allowed
            raise InputError(
                broken.words,
                where="--every" if broken.unit == "s" else "--message",
                valid=f"{allowed} {bound:.6g} {broken.unit}",
                hint=f"add {broken.option}" if broken.option.startswith("--fragment") else None,
            )


_LARGEST_SHARE = 300
"""Bytes: no further frame of a message carries more beside what the first one takes."""
_MINUTES = 120.0
"""Seconds from which minutes are easier to read."""


def spelt(seconds: float) -> str:
    """Seconds in words, with minutes where they are easier to read."""
    return (
        f"{seconds:.1f} s" if seconds < _MINUTES else f"{seconds:,.0f} s ({seconds / 60:.3g} min)"
    )
