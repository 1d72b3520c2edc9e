"""The registry of metrics: fixed names, one unit each, and which direction is better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Better(StrEnum):
    """Which direction a reader should prefer."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its fixed name, its one unit, its direction, and its meaning in a sentence."""

    name: str
    unit: str
    better: Better
    meaning: str


_ALL = (
    Metric("time", "ns", Better.LOWER, "elapsed time of one operation, harness overhead subtracted"),
    Metric("throughput", "B/s", Better.HIGHER, "input bytes divided by time"),
    Metric("cycles", "cycles", Better.LOWER, "cycles of the core for one operation; the source says which counter"),
    Metric(
        "instructions",
        "instructions",
        Better.LOWER,
        "instructions of one operation, counted by an emulator; harness overhead subtracted",
    ),
    Metric("ticks", "ticks", Better.LOWER, "ticks of a counter of constant rate (tsc, cntvct_el0) for one operation"),
    Metric("cpu_time", "ns", Better.LOWER, "processor time (user and system) charged to the thread for one operation"),
    Metric("user_time", "ns", Better.LOWER, "processor time in user mode for one whole-file operation"),
    Metric("system_time", "ns", Better.LOWER, "processor time in the kernel for one whole-file operation"),
    Metric("cpu_load", "1", Better.NEITHER, "cpu_time divided by time: 1 is one core fully busy"),
    Metric(
        "process_load",
        "1",
        Better.NEITHER,
        "processor time of all threads of the probe, divided by elapsed time, while it measured",
    ),
    Metric(
        "warmup_time", "ns", Better.NEITHER, "time of one operation in each batch before the steady state, in order"
    ),
    Metric(
        "reference_loop",
        "ns",
        Better.NEITHER,
        "time of a fixed loop beside each batch: how fast the machine was, comparable only with itself",
    ),
    Metric("allocated", "B", Better.LOWER, "bytes that a managed runtime allocates for one operation"),
    Metric(
        "heap",
        "B",
        Better.LOWER,
        "bytes alive on the heap after the operation, including everything it still refers to",
    ),
    Metric("heap_total", "B", Better.LOWER, "bytes that a managed runtime has claimed for its heap"),
    Metric("peak_rss", "B", Better.LOWER, "peak resident memory of a fresh process that does the operation once"),
    Metric("peak_rss_floor", "B", Better.LOWER, "peak resident memory of the same process before it touches the case"),
    Metric(
        "stack",
        "B",
        Better.LOWER,
        "how deep the stack gets below the call of the operation, less that of a no-op job; including key set-up",
    ),
    Metric("state", "B", Better.LOWER, "what the implementation keeps between calls: key schedule, mode, message"),
    Metric(
        "static_ram",
        "B",
        Better.LOWER,
        "RAM that the firmware takes before it does anything, including the probe's own",
    ),
    Metric("flash", "B", Better.LOWER, "flash that the firmware takes, including the probe's own code"),
    Metric("static_ram_net", "B", Better.LOWER, "static_ram beyond that of the same firmware with a no-op cipher"),
    Metric("flash_net", "B", Better.LOWER, "flash beyond that of the same firmware with a no-op cipher"),
    Metric("peak_rss_net", "B", Better.LOWER, "peak_rss minus peak_rss_floor"),
    Metric("energy", "J", Better.LOWER, "everything that the supply gives while one operation runs"),
    Metric("energy_per_byte", "J/B", Better.LOWER, "energy divided by input bytes"),
    Metric("power", "W", Better.LOWER, "power while the operation runs: energy divided by time"),
    Metric("energy_net", "J", Better.LOWER, "energy of one operation above what idling takes in the same time"),
    Metric("energy_net_per_byte", "J/B", Better.LOWER, "energy_net divided by input bytes"),
    Metric("power_net", "W", Better.LOWER, "power above that of idling while the operation runs"),
    Metric("current", "A", Better.LOWER, "supply current while the operation runs"),
)
MAIN = ("time", "instructions")
"""What a case is measured in: a target has one of them."""
METRICS: dict[str, Metric] = {metric.name: metric for metric in _ALL}


def metric(name: str) -> Metric:
    """The metric of that name; KeyError if there is none."""
    return METRICS[name]
