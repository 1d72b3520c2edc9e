"""The registry of recorded facts about a machine: every fact has a type, a unit and a meaning.

An unknown fact is None, never a guess. No fact names the machine, its owner or its network.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.base.shapes import part


@dataclass(frozen=True, slots=True)
class MachineFact:
    """Recorded fact of ``environment["host"]``.

    type: ``text``, ``int``, ``bool``, ``list`` or ``map``. unit: None where it has none.
    comparable: runs whose values differ were made in different environments.
    """

    name: str
    type: str
    unit: str | None
    meaning: str
    comparable: bool = False


_ALL = (
    MachineFact(
        "cpu_model",
        "text",
        None,
        "processor as the kernel names it, or the core behind its ARM part number",
        True,
    ),
    MachineFact("board", "text", None, "board model from the device tree", True),
    MachineFact(
        "soc", "text", None, "chip from the device tree: the last entry of its compatible list"
    ),
    MachineFact(
        "architecture",
        "text",
        None,
        "instruction set the kernel runs: x86_64, aarch64, armv6l",
        True,
    ),
    MachineFact("cores", "int", None, "physical cores the kernel sees", True),
    MachineFact("threads", "int", None, "logical processors the kernel sees", True),
    MachineFact("usable_threads", "int", None, "logical processors this process may run on", True),
    MachineFact("microcode", "text", None, "revision of the processor's microcode", True),
    MachineFact(
        "cpu_flags", "list", None, "instruction set extensions that cryptography makes use of", True
    ),
    MachineFact(
        "governor",
        "text",
        None,
        "cpufreq governor; several, comma-separated, if the cores differ",
        True,
    ),
    MachineFact("frequency_driver", "text", None, "cpufreq driver", True),
    MachineFact(
        "frequency_limits",
        "map",
        "kHz",
        "min and max: lowest and highest clock the governor may choose",
        True,
    ),
    MachineFact("frequency_now", "int", "kHz", "clock of the first core when the run began"),
    MachineFact("turbo", "bool", None, "whether the clock may rise above its nominal value", True),
    MachineFact("smt", "bool", None, "whether cores run several threads at once", True),
    MachineFact(
        "core_kinds",
        "list",
        None,
        "logical processors of each kind, the fastest first, where there are several kinds",
    ),
    MachineFact(
        "tsc_constant",
        "bool",
        None,
        "x86: whether the time-stamp counter ticks evenly in every power state",
        True,
    ),
    MachineFact(
        "hardware_counters",
        "bool",
        None,
        "whether the kernel offers the processor's event counters",
        True,
    ),
    MachineFact(
        "perf_event_paranoid",
        "int",
        None,
        "who may read event counters (kernel.perf_event_paranoid)",
    ),
    MachineFact(
        "perf_event_allowed", "bool", None, "whether this user may count events of own processes"
    ),
    MachineFact("kernel", "text", None, "kernel name and release", True),
    MachineFact("os", "text", None, "distribution and its release"),
    MachineFact("libc", "text", None, "C library and its version", True),
    MachineFact("clocksource", "text", None, "what the kernel reads time from", True),
    MachineFact("virtualization", "text", None, "hypervisor, or none", True),
    MachineFact("container", "text", None, "kind of container, or none", True),
    MachineFact("load", "list", None, "load averages over 1, 5 and 15 minutes when the run began"),
    MachineFact("memory_bytes", "int", "B", "memory the kernel can use"),
    MachineFact("swap_bytes", "int", "B", "swap space, in use or not"),
    MachineFact("page_size", "int", "B", "size of a memory page", True),
    MachineFact(
        "transparent_hugepages",
        "text",
        None,
        "when the kernel uses large pages on its own: always, madvise, never",
    ),
    MachineFact(
        "aslr",
        "int",
        None,
        "address-space layout randomisation (kernel.randomize_va_space): 0 off, 2 full",
    ),
    MachineFact("on_battery", "bool", None, "whether the machine runs on its battery"),
    MachineFact("battery_percent", "int", "%", "charge of the battery"),
    MachineFact(
        "throttle_count",
        "int",
        None,
        "x86: how often the first core was slowed by heat since the machine started",
    ),
    MachineFact(
        "throttling",
        "list",
        None,
        "Raspberry Pi: reasons for which its firmware slows it right now",
    ),
    MachineFact(
        "throttling_earlier",
        "list",
        None,
        "Raspberry Pi: reasons for which it slowed it since the board started",
    ),
    MachineFact(
        "firmware_clock",
        "int",
        "kHz",
        "Raspberry Pi: clock of the cores as its firmware measures it",
    ),
    MachineFact("temperatures", "map", None, "degrees Celsius by sensor"),
    MachineFact("python", "text", None, "Python implementation and version that ran motebench"),
    MachineFact("motebench", "text", None, "version of motebench"),
)
FACTS: dict[str, MachineFact] = {fact.name: fact for fact in _ALL}
COMPARABLE: frozenset[str] = frozenset(fact.name for fact in _ALL if fact.comparable)


@dataclass(frozen=True, slots=True)
class Difference:
    """A comparable fact that differs between two environments."""

    name: str
    meaning: str
    left: object
    right: object

    def __str__(self) -> str:
        return f"{self.name}: {_words(self.left)} against {_words(self.right)}"


_KINDS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "int": int,
    "bool": bool,
    "list": list,
    "map": dict,
}


def host_of(environment: Mapping[str, object]) -> dict[str, object]:
    """The facts of the machine in an environment, which may come from an untrusted source.

    Facts of a wrong type are left out; unknown facts stay.
    """
    host = part(environment, "host")
    return {
        name: value for name, value in host.items() if name not in FACTS or _is(value, FACTS[name])
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """Facts of a machine that code reads one by one, checked; the names are those of `FACTS`."""

    cpu_model: str | None
    board: str | None
    architecture: str | None
    os: str | None
    cores: int | None
    threads: int | None
    governor: str | None
    frequency_driver: str | None
    frequency_fixed: bool
    """True if the governor may choose only one clock."""
    frequency_now: int | None
    turbo: bool | None
    smt: bool | None
    core_kinds: tuple[str, ...]
    tsc_constant: bool | None
    hardware_counters: bool | None
    perf_event_paranoid: int | None
    perf_event_allowed: bool | None
    clocksource: str | None
    virtualization: str | None
    container: str | None
    load: tuple[float, ...] | None
    aslr: int | None
    on_battery: bool | None
    battery_percent: int | None
    throttle_count: int | None
    throttling: tuple[str, ...]
    throttling_earlier: tuple[str, ...]


def read_host(environment: Mapping[str, object]) -> HostFacts:
    """The machine in an environment; facts that are missing or of a wrong type are unknown."""
    host = host_of(environment)
    limits, load = part(host, "frequency_limits"), host.get("load")
    return HostFacts(
        cpu_model=_text(host, "cpu_model"),
        board=_text(host, "board"),
        architecture=_text(host, "architecture"),
        os=_text(host, "os"),
        cores=_whole(host, "cores"),
        threads=_whole(host, "threads"),
        governor=_text(host, "governor"),
        frequency_driver=_text(host, "frequency_driver"),
        frequency_fixed=bool(limits) and limits.get("min") == limits.get("max"),
        frequency_now=_whole(host, "frequency_now"),
        turbo=_yes_no(host, "turbo"),
        smt=_yes_no(host, "smt"),
        core_kinds=_texts(host, "core_kinds"),
        tsc_constant=_yes_no(host, "tsc_constant"),
        hardware_counters=_yes_no(host, "hardware_counters"),
        perf_event_paranoid=_whole(host, "perf_event_paranoid"),
        perf_event_allowed=_yes_no(host, "perf_event_allowed"),
        clocksource=_text(host, "clocksource"),
        virtualization=_text(host, "virtualization"),
        container=_text(host, "container"),
        load=tuple(load) if isinstance(load, list) else None,
        aslr=_whole(host, "aslr"),
        on_battery=_yes_no(host, "on_battery"),
        battery_percent=_whole(host, "battery_percent"),
        throttle_count=_whole(host, "throttle_count"),
        throttling=_texts(host, "throttling"),
        throttling_earlier=_texts(host, "throttling_earlier"),
    )


def _text(host: Mapping[str, object], name: str) -> str | None:
    value = host.get(name)
    return value if isinstance(value, str) else None


def _whole(host: Mapping[str, object], name: str) -> int | None:
    value = host.get(name)
    return value if isinstance(value, int) else None


def _yes_no(host: Mapping[str, object], name: str) -> bool | None:
    value = host.get(name)
    return value if isinstance(value, bool) else None


def _texts(host: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = host.get(name)
    return tuple(value) if isinstance(value, list) else ()


def _is(value: object, fact: MachineFact) -> bool:
    if value is None:
        return True
    if not isinstance(value, _KINDS[fact.type]) or (fact.type == "int" and isinstance(value, bool)):
        return False
    return not isinstance(value, list) or all(
        isinstance(part, int | float if fact.name == "load" else str) for part in value
    )


_LONGEST_TEXT = 300
_LONGEST_LIST = 512
_MOST = {"kHz": 20_000_000, "%": 100, "B": 2**60, None: 2**53}


def within_limits(facts: Mapping[str, object]) -> dict[str, object]:
    """The facts of a machine; those that no machine can have are None: a clock of 0 or of 100 GHz,
    a text that is too long or has control characters."""
    return {name: value if _possible(FACTS[name], value) else None for name, value in facts.items()}


def _possible(fact: MachineFact, value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= _LONGEST_TEXT and value.isprintable()
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        lowest = {"kHz": 1, None: -1}.get(fact.unit, 0)  # kernel.perf_event_paranoid may be -1
        return math.isfinite(value) and lowest <= value <= _MOST[fact.unit]
    if isinstance(value, list):
        return len(value) <= _LONGEST_LIST and all(_possible(fact, part) for part in value)
    if isinstance(value, dict):
        # Degrees may be below 0; their range is checked where they are read.
        return len(value) <= _LONGEST_LIST and all(
            _possible(fact, key) and (fact.unit is None or _possible(fact, part))
            for key, part in value.items()
        )
    return True


def differences(left: Mapping[str, object], right: Mapping[str, object]) -> list[Difference]:
    """Comparable facts that differ between two environments, in registry order; empty if they may
    be compared.

    A fact that only one side knows counts as different. Facts of other machines on which both
    measured have the target in front: ``ssh:pi kernel``.
    """
    differing = _between(left, right, "")
    mine, other = part(left, "machines"), part(right, "machines")
    for name in mine:
        if name in other:
            differing += _between(part(mine, name), part(other, name), f"{name} ")
    return differing


def _between(
    left: Mapping[str, object], right: Mapping[str, object], prefix: str
) -> list[Difference]:
    mine, other = part(left, "host"), part(right, "host")
    return [
        Difference(f"{prefix}{fact.name}", fact.meaning, mine.get(fact.name), other.get(fact.name))
        for fact in _ALL
        if fact.comparable and mine.get(fact.name) != other.get(fact.name)
    ]


def _words(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(str(part) for part in value) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return str(value)
