"""Names and numbers as an architect writes them: AES-128-CCM, the chip's AES engine,
2.4 years (1.4 to 3.4)."""

from __future__ import annotations

import math
import re

from motebench.advise.choice.candidate import Judged
from motebench.base.naming import VARIANT, plain, variant_marks
from motebench.base.quantities import Interval
from motebench.base.units import format_value, life_unit
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.devices import Device, OperatedDevice
from motebench.catalog.libraries import library_of
from motebench.catalog.parts import ELEMENTS, Battery, FedBattery

Family = tuple[tuple[str, str | None], ...]
"""Algorithm and mode of each scheme of a candidate, which schemes of several key lengths share."""
_DIGITS = 2
_SMALLEST, _NEARLY = 1e-4, 5e-3
"""Smallest share that is printed, and the smallest distance from a whole; smaller ones are printed
as bounds.
"""
_USUAL_FLAG = "-Os"
"""Level of all firmware whose name has none."""
_ENGINE, _ELEMENT = "hardware", "element"


def scheme_words(name: str) -> str:
    """The name of a scheme, or of two with a plus, as its standard writes it."""
    if " + " in name:
        return " + ".join(map(scheme_words, name.split(" + ")))
    scheme = schemes().get(name)
    if scheme is None:
        return name
    algorithm = algorithm_of(scheme).name
    if name == algorithm.lower():
        return algorithm
    if not name.startswith(f"{algorithm.lower()}-"):
        return "-".join(map(_part, name.split("-")))
    rest = name.removeprefix(f"{algorithm.lower()}-")
    return "-".join([algorithm, *map(_part, rest.split("-"))])


def _part(text: str) -> str:
    """A part of a name: a hash, a curve, a mode; numbers stay."""
    if numbered := re.fullmatch(r"(sha|p)(\d{3})", text):
        return f"{numbered[1].upper()}-{numbered[2]}"
    return (
        text.upper()
        if re.fullmatch(r"[a-z]+|pkcs1|sha[123]|shake\d*|md5|[a-z]{3,}\d+", text)
        else text
    )


def family(candidate: Judged) -> Family:
    """The schemes of a candidate without their key lengths."""
    by_name = schemes()
    return tuple(
        (by_name[offer.scheme].algorithm, by_name[offer.scheme].mode) for offer in candidate.offers
    )


def library(candidate: Judged) -> str:
    """The libraries of a candidate."""
    return " + ".join(dict.fromkeys(offer.library for offer in candidate.offers))


def maker_words(candidate: Judged) -> str:
    """Makers of a candidate in words: by Mbed TLS, with the chip's AES engine."""
    return " and ".join(dict.fromkeys(_by(offer.implementation) for offer in candidate.offers))


def _by(implementation: str) -> str:
    head, _, rest = implementation.partition("/")
    if head == _ENGINE:
        return f"with the chip's {_part(rest)} engine"
    if head == _ELEMENT:
        element = ELEMENTS.all().get(rest)
        return f"in the secure element {element.name if element else rest}"
    maker = library_of(implementation)
    return f"by {maker.name if maker else plain(implementation)}{_built(implementation)}"


def _built(implementation: str) -> str:
    """The optimisation level, where it is not that of all firmware."""
    flag = level_flag(implementation)
    return "" if flag == _USUAL_FLAG else f" built with {flag}"


def level_flag(implementation: str) -> str:
    """The optimisation level of a result of a simulated board, as compilers spell it."""
    level = variant_marks(implementation).removeprefix(VARIANT)
    return f"-{level}" if level else _USUAL_FLAG


def candidate_words(candidate: Judged) -> str:
    """Scheme and maker of a candidate in words."""
    return f"{scheme_words(candidate.scheme)} {maker_words(candidate)}"


def named_words(name: str) -> str:
    """The same of `SCHEME by IMPLEMENTATION`, as documents name a candidate."""
    scheme, _, implementation = name.partition(" by ")
    makers = dict.fromkeys(_by(part) for part in implementation.split(" + "))
    return f"{scheme_words(scheme)} {' and '.join(makers)}"


# Numbers


def rounded(value: float, digits: int = _DIGITS) -> str:
    """A number with so many significant digits, without an exponent."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    place = digits - 1 - math.floor(math.log10(abs(value)))
    number = round(value, place)
    return f"{number:,.{max(digits - 1 - math.floor(math.log10(abs(number))), 0)}f}"


_OF_LIFE = ("years", "days", "hours", "minutes")


def quantity(value: float, unit: str, digits: int = _DIGITS) -> str:
    """A quantity in a readable unit with so many significant digits."""
    if unit == "years":
        unit, count = life_unit(value)
        value *= count
    return _in_unit(value, unit, digits)


def _in_unit(value: float, unit: str, digits: int = _DIGITS) -> str:
    """The same, of a life in that unit."""
    if unit in _OF_LIFE:
        return f"{rounded(value, digits)} {unit}"
    if unit == "B":
        return f"{rounded(value, max(digits, 2))} B"
    text = (
        format_value(value * 1e9, "ns", digits)
        if unit == "s"
        else format_value(value, unit, digits)
    )
    number, _, scaled = text.partition(" ")
    if "e" in number:
        number = rounded(float(number), digits)
    return f"{number} {scaled}"


def bounded(value: Interval, unit: str) -> str:
    """A quantity with its bounds; exact ones with all digits of bytes, and three of others."""
    if unit == "years":
        unit, count = life_unit(value.typical)
        value = value * count
    if value.low == value.high:
        return f"{value.typical:,.0f} B" if unit == "B" else _in_unit(value.typical, unit, 3)
    low, typical, high = (_in_unit(end, unit) for end in (value.low, value.typical, value.high))
    if low == high:
        return typical
    own = typical.rpartition(" ")[2]
    ends = [end.removesuffix(f" {own}") for end in (low, high)]
    same_unit = all(end.endswith(f" {own}") for end in (low, high))
    if not same_unit:
        ends = [low, high]
    if typical in (low, high):
        return f"{ends[0]} to {ends[1]}{f' {own}' if same_unit else ''}"
    return f"{typical} ({ends[0]} to {ends[1]})"


def percent(share: float) -> str:
    """Share in per cent with two digits; small shares as a bound."""
    if 0 < 1 - share < _NEARLY:
        return "more than 99 %"
    if 0 < share < _SMALLEST:
        return f"less than {_SMALLEST * 100:g} %"
    return f"{rounded(share * 100)} %"


def words_of_device(device: Device) -> str:
    """Device by its id, with the clock and voltage that the user gave."""
    if not isinstance(device, OperatedDevice):
        return device.id
    return f"{device.id} at {device.clock_hz / 1e6:.4g} MHz and {device.volts:g} V"


def words_of_battery(battery: Battery) -> str:
    """Battery by its id, with the converter behind it."""
    if not isinstance(battery, FedBattery):
        return battery.id
    efficiency = battery.converter.efficiency
    figures = "linear" if efficiency is None else f"{efficiency.typical * 100:.3g} %"
    name = battery.converter.id
    return f"{battery.id} behind {f'a converter of {figures}' if name == 'given' else name}"


def other_level(implementation: str, name: str) -> bool:
    """True if a name is that implementation at another optimisation level."""
    return plain(name) == plain(implementation) and name != implementation


def level_difference(first: Judged, other: Judged) -> str:
    """Time and flash of a candidate at an optimisation level, less those at the level of all
    firmware: `-O2 takes 28 % less time than -Os, for 720 B more flash`. Both have a time."""
    own, usual = (first, other) if first.offers[0].level else (other, first)
    if own.latency is None or usual.latency is None:
        raise AssertionError("a candidate without results has no level")
    share = own.latency.value.typical / max(usual.latency.value.typical, 1e-12) - 1
    amount = f"{percent(abs(share))} {'more' if share > 0 else 'less'}"
    text = f"{level_flag(own.offers[0].implementation)} takes {amount} time than {_USUAL_FLAG}"
    if own.flash is None or usual.flash is None:
        return text
    a, b = own.flash.value, usual.flash.value
    ends = sorted((a.low - b.low, a.typical - b.typical, a.high - b.high))
    if ends[0] < 0 < ends[2] or not any(ends):
        return f"{text}; flash differs by at most {max(-ends[0], ends[2]):,.0f} B"
    more = Interval(*sorted(map(abs, ends)))
    return f"{text}, for {bounded(more, 'B')} {'more' if ends[2] > 0 else 'less'} flash"


def level_figures(first: Judged, other: Judged) -> str:
    """The figures of the first candidate at another optimisation level."""
    figures = [bounded(other.latency.value, "s")] if other.latency is not None else []
    figures += [f"{bounded(other.flash.value, 'B')} of flash"] if other.flash is not None else []
    return (
        f"{other.scheme} by {other.implementation}: {', '.join(figures)}; "
        f"{level_difference(first, other)}"
    )


def level_words(target: str, name: str, scheme: str, operation: str, size: int) -> str | None:
    """Note on the optimisation level of a reference result of a simulated board, with the command
    that measures another one beside it; None for other targets."""
    if not target.startswith("sim:"):
        return None
    length = f" --size {size}" if size else ""
    return (
        f"{name} was measured at -Os; no result here is of another level: motebench run --target "
        f"{target} --implementation {name},{name}@O2 --scheme {scheme} --operation {operation}"
        f"{length}"
    )
