"""Units: sizes, percentages, times and electrical quantities, parsed from user input and formatted
for readers; and the registry of metrics: fixed names, one unit each, and which direction is better.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from motebench.base.errors import InputError

_DECIMAL = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_BINARY = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_SIZES = {
    unit.lower(): factor for unit, factor in {**_DECIMAL, **_BINARY, "byte": 1, "bytes": 1}.items()
}
DAY_S = 86_400.0
"""Seconds of a day."""
_DURATIONS = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "m": 60.0,
    "h": 3600.0,
    "d": DAY_S,
}
_QUANTITIES: dict[str, dict[str, Fraction]] = {
    "A": {
        "A": Fraction(1),
        "mA": Fraction(1, 10**3),
        "uA": Fraction(1, 10**6),
        "nA": Fraction(1, 10**9),
    },
    "V": {"V": Fraction(1), "mV": Fraction(1, 10**3)},
    "Ah": {"Ah": Fraction(1), "mAh": Fraction(1, 10**3)},
    "Wh": {
        "Wh": Fraction(1),
        "mWh": Fraction(1, 10**3),
        "kWh": Fraction(10**3),
        "J": Fraction(1, 3600),
    },
    "Hz": {
        "Hz": Fraction(1),
        "kHz": Fraction(10**3),
        "MHz": Fraction(10**6),
        "GHz": Fraction(10**9),
    },
    "ohm": {
        "ohm": Fraction(1),
        "mohm": Fraction(1, 10**3),
        "kohm": Fraction(10**3),
        "Mohm": Fraction(10**6),
    },
}
"""Valid units of a quantity, by the unit in which it is returned."""
_QUANTITY_WORDS = {
    "A": ("a current", "a current with its unit: '87 mA', '0.2 uA'"),
    "V": ("a voltage", "a voltage with its unit: '3.3 V'"),
    "Ah": ("a capacity", "a capacity with its unit: '225 mAh', '2.6 Ah'"),
    "Wh": ("an energy", "an energy with its unit: '12.34 Wh', '0.5 kWh', '100 J'"),
    "Hz": ("a frequency", "a frequency with its unit: '48 MHz', '125 kHz'"),
    "ohm": ("a resistance", "a resistance with its unit: '100 ohm', '0.1 ohm', '4.7 kohm'"),
}
# No quantity has more digits; without a limit, the arithmetic could take forever.
_NUMBER = re.compile(
    r"\s{0,9}([0-9][0-9_]{0,29}(?:\.[0-9]{1,30})?)\s{0,9}([A-Za-z\u00b5\u03bc%]{0,9})\s{0,9}"
)
_MICRO = re.compile("[\u00b5\u03bc]")
_SIZE_HELP = (
    "bytes, or a number with B, kB, MB, GB (decimal) or KiB, MiB, GiB (binary): 16, '1 KiB', '1 MB'"
)
MAX_SIZE = 2**40
_BYTE = 8
_FASTEST = 10**12
"""Hz that no clock and no radio has."""


def _split(text: object, quantity: str, valid: str, where: str | None) -> tuple[float, str]:
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise InputError(f"{text!r} is not {quantity}", where=where, valid=valid)
    match = _NUMBER.fullmatch(str(text))
    if not match:
        raise InputError(f"{text!r} is not {quantity}", where=where, valid=valid)
    return float(match[1].replace("_", "")), match[2]


def parse_size(text: str | int, *, where: str | None = None) -> int:
    """Bytes of a size such as ``16``, ``16 B``, ``1 MB`` (10^6) or ``1 MiB`` (2^20).

    Raises InputError for an unknown unit, a fraction of a byte, or more than 1 TiB.
    """
    number, unit = _split(text, "a size", _SIZE_HELP, where)
    factor = _SIZES.get(unit.lower()) if unit else 1
    if factor is None:
        hint = None
        if unit.lower() in ("k", "m", "g", "t"):
            letter = "k" if unit.lower() == "k" else unit.upper()
            hint = f"{unit} alone could mean {letter}B or {unit.upper()}iB"
        elif unit.lower() in ("bit", "bits") and number % _BYTE == 0:
            hint = f"{number:g} bits are {number / _BYTE:g} B"
        raise InputError(
            f"{unit!r} in {text!r} is not a unit of size", where=where, valid=_SIZE_HELP, hint=hint
        )
    size = number * factor
    if size != int(size):
        raise InputError(f"{text!r} is not a whole number of bytes", where=where, valid=_SIZE_HELP)
    if size > MAX_SIZE:
        raise InputError(f"{text!r} is more than 1 TiB", where=where, valid=_SIZE_HELP)
    return int(size)


def parse_percent(text: str | float, *, where: str | None = None) -> float:
    """A fraction from ``1%`` (0.01). A bare number is refused, because 1 could mean 1 % or 100
    %.
    """
    valid = "a percentage above 0 and below 100, with its sign: '1%', '0.5 %'"
    number, unit = _split(text, "a percentage", valid, where)
    if unit != "%" or not 0 < number < 100:
        hint = f"did you mean '{text}%'?" if not unit and 0 < number < 100 else None
        raise InputError(f"{text!r} is not a percentage", where=where, valid=valid, hint=hint)
    return number / 100


def parse_duration(text: str | int, *, where: str | None = None) -> float:
    """Seconds of a duration such as ``60s``, ``2 min``, ``1h``, ``500ms``, ``180us``, ``1d``."""
    valid = "a time with its unit: '500ms', '60s', '2min', '1h', '1d'"
    number, unit = _split(text, "a duration", valid, where)
    unit = _MICRO.sub("u", unit)
    if unit in _DURATIONS and number == 0:
        raise InputError(
            f"a duration of {text} is too short",
            where=where,
            valid="more than 0: '500ms', '60s', '2min'",
        )
    if unit not in _DURATIONS or number <= 0:
        hint = f"did you mean '{text}s'?" if not unit and number > 0 else None
        raise InputError(f"{text!r} is not a duration", where=where, valid=valid, hint=hint)
    return number * _DURATIONS[unit]


def parse_frequency(text: str | float, *, bare: str = "Hz", where: str | None = None) -> Fraction:
    """The Hz of a frequency such as ``48 MHz`` or ``7.8kHz``, exact; a number without unit is in
    ``bare``.

    InputError for anything else, for 0, and above 1 THz.
    """
    value = _exact(text, "Hz", where, bare)
    if not 0 < value <= _FASTEST:
        raise InputError(
            f"{text!r} is not {_QUANTITY_WORDS['Hz'][0]}",
            where=where,
            valid=_QUANTITY_WORDS["Hz"][1],
        )
    return value


def parse_quantity(text: str, unit: str, *, where: str | None = None) -> float:
    """A current (``unit`` ``A``), voltage (``V``), capacity (``Ah``), energy (``Wh``) or resistance
    (``ohm``).

    It is returned in the unit in brackets, and written as ``87 mA``, ``100 ohm``. Raises InputError
    where the unit is missing or another, and for negative numbers.
    """
    return float(_exact(text, unit, where))


def _exact(text: str | float, unit: str, where: str | None, bare: str | None = None) -> Fraction:
    """The amount in ``unit``; a number alone is in ``bare``. Units of frequency may be in upper or
    lower case.
    """
    quantity, valid = _QUANTITY_WORDS[unit]
    match = (
        _NUMBER.fullmatch(str(text))
        if isinstance(text, str) or (bare and not isinstance(text, bool))
        else None
    )
    units = _QUANTITIES[unit]
    given = _MICRO.sub("u", match[2]) or bare if match else None
    if unit == "Hz" and given is not None:
        given = next(
            (unit_name for unit_name in units if unit_name.casefold() == given.casefold()), given
        )
    if match is None or given not in units:
        raise InputError(f"{text!r} is not {quantity}", where=where, valid=valid)
    return Fraction(match[1].replace("_", "")) * units[given]


def _scaled(value: float, steps: tuple[tuple[float, str], ...], digits: int) -> str:
    """``value`` in the largest unit that leaves at least 1 before the point; steps are from large
    to small.
    """
    for factor, unit in steps:
        # Compare after rounding, so that 999.96 ns becomes 1.00 us and not 1000 ns.
        if abs(float(f"{value / factor:.{digits}g}")) >= 1:
            return f"{_digits(value / factor, digits)} {unit}"
    factor, unit = steps[-1]
    return f"{_digits(value / factor, digits)} {unit}"


def _digits(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    # Round first: 9.996 has the digits of 10.00.
    rounded = float(f"{value:.{digits}g}")
    whole = math.floor(math.log10(abs(rounded))) + 1
    return f"{rounded:.{max(0, digits - max(1, whole))}f}" if whole > 0 else f"{rounded:.{digits}g}"


_STEPS: dict[str, tuple[tuple[float, str], ...]] = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")),
    "B/s": ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1, "B/s")),
    "B": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")),
    "J": ((1, "J"), (1e-3, "mJ"), (1e-6, "µJ"), (1e-9, "nJ")),
    "J/B": ((1, "J/B"), (1e-3, "mJ/B"), (1e-6, "µJ/B"), (1e-9, "nJ/B"), (1e-12, "pJ/B")),
    "W": ((1, "W"), (1e-3, "mW"), (1e-6, "µW"), (1e-9, "nW")),
    "A": ((1, "A"), (1e-3, "mA"), (1e-6, "µA"), (1e-9, "nA")),
    "C": ((1, "C"), (1e-3, "mC"), (1e-6, "µC"), (1e-9, "nC")),
    "ticks": ((1e9, "Gticks"), (1e6, "Mticks"), (1e3, "kticks"), (1, "ticks")),
    "instructions": ((1e9, "Ginstr"), (1e6, "Minstr"), (1e3, "kinstr"), (1, "instr")),
    "cycles": ((1e9, "Gcycles"), (1e6, "Mcycles"), (1e3, "kcycles"), (1, "cycles")),
}


_LIFE_UNITS = (("years", 1.0), ("days", 365.25), ("hours", 365.25 * 24), ("minutes", 525_960.0))
"""Units of a life, each with its number in a year."""


def life_unit(years: float) -> tuple[str, float]:
    """The largest unit of which a life has at least one, and how many of it make a year; years for
    nothing."""
    fitting = [unit for unit in _LIFE_UNITS if years * unit[1] >= 1]
    return fitting[0] if fitting else _LIFE_UNITS[-1 if years > 0 else 0]


def life_words(years: float) -> str:
    """A life with three digits: ``2.25 years``, ``18.3 days``."""
    name, count = life_unit(years)
    return f"{years * count:.3g} {name}"


def format_value(value: float | None, unit: str, digits: int = 3) -> str:
    """A number in a readable unit: ``1234.5, 'ns'`` gives ``1.23 µs``. None gives ``n/a``."""
    if value is None or not math.isfinite(value):
        return "n/a"
    if unit in _STEPS:
        return _scaled(value, _STEPS[unit], digits)
    text = _digits(value, digits)
    return text if unit == "1" else f"{text} {unit}"


def carried_digits(value: float, low: float | None, high: float | None, most: int) -> int:
    """Number of digits that the interval of a value carries, at most ``most``: down to the second
    digit of half its width (JCGM 100:2008, *GUM*, 7.2.6). ``most`` for a value without an interval,
    and for an exact one.
    """
    if low is None or high is None or not value or not math.isfinite(value) or not high > low:
        return most
    half = (high - low) / 2
    if not math.isfinite(half):
        return 1
    exponents = (math.floor(math.log10(number)) for number in (abs(value), half))
    return min(max(next(exponents) - next(exponents) + 2, 1), most)


def format_within(
    value: float, unit: str, low: float | None, high: float | None, most: int = 3
) -> str:
    """A value in a readable unit with the digits that its interval carries: 262.4 ns ± 160 ns gives
    ``260 ns``.
    """
    return format_value(value, unit, carried_digits(value, low, high, most))


@dataclass(frozen=True, slots=True)
class UnitScale:
    """Unit for all numbers of a table or an axis. ``factor``: its size in the unit of the
    metric.
    """

    factor: float
    unit: str
    counted: bool
    """The numbers are counts, which are printed whole where they are whole."""

    def within(self, value: float, low: float | None, high: float | None, most: int = 4) -> str:
        """A number without its unit, with the digits that its interval carries: ``9,730``,
        ``152.5``.
        """
        exact = low is None or high is None or low == high
        if self.counted and exact and value == round(value):
            return f"{value:,.0f}"
        return self.plain(value, carried_digits(value, low, high, most))

    def plain(self, value: float, digits: int = 4) -> str:
        """A number without its unit, with these digits."""
        scaled = value / self.factor
        if scaled == 0 or not math.isfinite(scaled):
            return f"{scaled:g}"
        rounded = float(f"{scaled:.{digits}g}")
        return f"{rounded:,.{max(0, digits - 1 - math.floor(math.log10(abs(rounded))))}f}"


_COUNTED = ("B", "cycles", "instructions", "ticks")


def common_scale(values: Iterable[float], unit: str) -> UnitScale:
    """Readable unit for numbers that stand together. Bytes and counts keep theirs; others get the
    unit in which the middle of their range, on a logarithmic scale, is at least 1.
    """
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    if unit in _COUNTED or unit not in _STEPS or not sizes:
        return UnitScale(1.0, unit, unit in _COUNTED)
    middle = math.sqrt(min(sizes)) * math.sqrt(max(sizes))
    factor, name = next((step for step in _STEPS[unit] if middle >= step[0]), _STEPS[unit][-1])
    return UnitScale(factor, name, counted=False)


def format_size(size: int) -> str:
    """An input size without loss: a binary unit if it divides evenly, else a decimal one, else
    bytes.
    """
    for table in (_BINARY, _DECIMAL):
        for unit, factor in sorted(table.items(), key=lambda item: -item[1]):
            if unit != "KB" and factor > 1 and size >= factor and size % factor == 0:
                return f"{size // factor} {unit}"
    return f"{size} B"


# Metrics


class Better(StrEnum):
    """Direction that a reader should prefer."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its fixed name in documents and options, its name in tables and pictures, its one
    unit, its direction, and its meaning in a sentence."""

    name: str
    words: str
    unit: str
    better: Better
    meaning: str


_ALL = (
    Metric(
        "time",
        "time",
        "ns",
        Better.LOWER,
        "elapsed time of one operation, harness overhead subtracted",
    ),
    Metric("throughput", "throughput", "B/s", Better.HIGHER, "input bytes divided by time"),
    Metric(
        "cycles",
        "cycles",
        "cycles",
        Better.LOWER,
        "cycles of the core for one operation; the source says which counter",
    ),
    Metric(
        "input_cycles",
        "cycles by input",
        "cycles",
        Better.NEITHER,
        "cycles of executions with other inputs",
    ),
    Metric(
        "instructions",
        "instructions",
        "instructions",
        Better.LOWER,
        "instructions of one operation, counted by an emulator; harness overhead subtracted",
    ),
    Metric(
        "hash_share",
        "hashing",
        "1",
        Better.NEITHER,
        "part of the cycles in SHA, Keccak and AES, by the names of functions; a simulator counts "
        "it on request",
    ),
    Metric(
        "ticks",
        "ticks",
        "ticks",
        Better.LOWER,
        "ticks of a counter of constant rate (tsc, cntvct_el0) for one operation",
    ),
    Metric(
        "cpu_time",
        "processor time",
        "ns",
        Better.LOWER,
        "processor time (user and system) charged to the thread for one operation",
    ),
    Metric(
        "user_time",
        "user time",
        "ns",
        Better.LOWER,
        "processor time in user mode for one whole-file operation",
    ),
    Metric(
        "system_time",
        "kernel time",
        "ns",
        Better.LOWER,
        "processor time in the kernel for one whole-file operation",
    ),
    Metric(
        "cpu_load",
        "load",
        "1",
        Better.NEITHER,
        "cpu_time divided by time: 1 is one core fully busy",
    ),
    Metric(
        "process_load",
        "load of all threads",
        "1",
        Better.NEITHER,
        "processor time of all threads of the probe, divided by elapsed time, while it measured",
    ),
    Metric(
        "warmup_time",
        "time while warming up",
        "ns",
        Better.NEITHER,
        "time of one operation in each batch before the steady state, in order",
    ),
    Metric(
        "reference_loop",
        "reference loop",
        "ns",
        Better.NEITHER,
        "time of a fixed loop beside each batch: how fast the machine was, comparable only with "
        "itself",
    ),
    Metric(
        "allocated",
        "allocated",
        "B",
        Better.LOWER,
        "bytes that a managed runtime allocates for one operation",
    ),
    Metric(
        "heap",
        "heap",
        "B",
        Better.LOWER,
        "bytes alive on the heap after the operation, including everything it still refers to",
    ),
    Metric(
        "heap_total",
        "heap claimed",
        "B",
        Better.LOWER,
        "bytes that a managed runtime has claimed for its heap",
    ),
    Metric(
        "peak_rss",
        "peak memory",
        "B",
        Better.LOWER,
        "peak resident memory of a fresh process that does the operation once",
    ),
    Metric(
        "peak_rss_floor",
        "memory before",
        "B",
        Better.LOWER,
        "peak resident memory of the same process before it touches the case",
    ),
    Metric(
        "stack",
        "stack",
        "B",
        Better.LOWER,
        "how deep the stack gets below the call of the operation, less that of a no-op job; "
        "including key set-up",
    ),
    Metric(
        "state",
        "state",
        "B",
        Better.LOWER,
        "what the implementation keeps between calls: key schedule, mode, message",
    ),
    Metric(
        "static_ram",
        "firmware RAM",
        "B",
        Better.LOWER,
        "RAM that the firmware takes before it does anything, including the probe's own",
    ),
    Metric(
        "flash",
        "firmware flash",
        "B",
        Better.LOWER,
        "flash that the firmware takes, including the probe's own code",
    ),
    Metric(
        "static_ram_net",
        "RAM added",
        "B",
        Better.LOWER,
        "static_ram beyond that of the same firmware with a no-op cipher",
    ),
    Metric(
        "flash_net",
        "flash added",
        "B",
        Better.LOWER,
        "flash beyond that of the same firmware with a no-op cipher",
    ),
    Metric("code_text", "code", "B", Better.LOWER, "code and constants of a folder's own objects"),
    Metric("code_data", "initialised data", "B", Better.LOWER, "the same of variables with values"),
    Metric("code_bss", "zeroed data", "B", Better.LOWER, "the same of variables without values"),
    Metric("code_total", "code and data", "B", Better.LOWER, "the sum of these three"),
    Metric("peak_rss_net", "memory added", "B", Better.LOWER, "peak_rss minus peak_rss_floor"),
    Metric(
        "energy",
        "energy",
        "J",
        Better.LOWER,
        "everything that the supply gives while one operation runs",
    ),
    Metric(
        "energy_per_byte", "energy per byte", "J/B", Better.LOWER, "energy divided by input bytes"
    ),
    Metric(
        "power",
        "power",
        "W",
        Better.LOWER,
        "power while the operation runs: energy divided by time",
    ),
    Metric(
        "energy_net",
        "energy above idling",
        "J",
        Better.LOWER,
        "energy of one operation above what idling takes in the same time",
    ),
    Metric(
        "energy_net_per_byte",
        "energy above idling per byte",
        "J/B",
        Better.LOWER,
        "energy_net divided by input bytes",
    ),
    Metric(
        "power_net",
        "power above idling",
        "W",
        Better.LOWER,
        "power above that of idling while the operation runs",
    ),
    Metric("current", "current", "A", Better.LOWER, "supply current while the operation runs"),
)
MAIN = ("time", "instructions")
"""Metrics that a case is measured in: a target has one of them."""
METRICS: dict[str, Metric] = {metric.name: metric for metric in _ALL}


def metric(name: str) -> Metric:
    """Metric of that name; KeyError for an unknown one."""
    return METRICS[name]


def metric_words(name: str) -> str:
    """The name of a metric in tables and pictures; of an unknown one its name."""
    return METRICS[name].words if name in METRICS else name
