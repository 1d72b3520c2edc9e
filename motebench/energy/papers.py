"""Energy by the formulas of published comparisons, under their own names, each with its error."""

from __future__ import annotations

from dataclasses import dataclass

from motebench.energy import formulas


@dataclass(frozen=True, slots=True)
class Published:
    """The value of a published formula, and why it is not the quantity that the paper names."""

    paper: str
    called: str
    value: float
    unit: str
    wrong: str


def battery_percent(throughput: float, size: float) -> float:
    """Suryateja and Rao 2025, equation 1: (1 / throughput) * input size * 1000."""
    return 1 / throughput * size * 1000


def mains_watts(amps: float, volts: float) -> float:
    """PyCrypto on boards 2020, step 1: the current from a power meter times 120 V."""
    return amps * volts


def suryateja(seconds: float, size: int) -> Published:
    """ "Battery consumption (%)" of an operation on ``size`` bytes that takes ``seconds``."""
    return Published(
        paper="suryateja-2025",
        called="Battery Consumption (%)",
        value=battery_percent(size / seconds, size),
        unit="ms",
        wrong="it is the time in milliseconds, and no share of any battery: no capacity, voltage or current is in it",
    )


def pycrypto(seconds: float, amps: float, volts: float, at_volts: float) -> list[Published]:
    """The three steps of the power calculation, from the current (A) that a meter showed at the mains.

    ``at_volts``: the voltage of the last step, which the paper does not state.
    """
    watts = mains_watts(amps, volts)
    joules = watts * seconds
    return [
        Published(
            paper="pycrypto-boards-2020",
            called="Watt",
            value=watts,
            unit="VA",
            wrong="volts times amperes of an alternating current are apparent power; the adapter's losses are in it, "
            "and one highest reading stands for every algorithm",
        ),
        Published(
            paper="pycrypto-boards-2020",
            called="Watt hours/Day",
            value=formulas.watt_hours(joules),
            unit="VAh",
            wrong="there is no day in it: it is apparent power times the time of one operation",
        ),
        Published(
            paper="pycrypto-boards-2020",
            called="mAh",
            value=formulas.ampere_hours(joules, at_volts) * 1000,
            unit="mAh",
            wrong=f"the voltage of this step is not stated; {at_volts:g} V here. A mains current times time, "
            "so it ranks algorithms by time and by nothing else",
        ),
    ]


def temirbekova(volts: float, amps: float) -> Published:
    """Power of the processor: P = V I."""
    return Published(
        paper="temirbekova-2024",
        called="power",
        value=formulas.power(volts, amps),
        unit="W",
        wrong="the formula is right; the column headed amp holds milliamperes, one reading stands for each cell, and "
        "power alone says nothing about a message: energy is power times time, where the algorithms differ far more",
    )
