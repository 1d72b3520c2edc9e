"""The formulas, one function each, in SI units: plain arithmetic, so that tests can check their
dimensions.
"""

from __future__ import annotations

import math

from motebench.base.units import DAY_S

HOUR_S = 3600.0
DAYS_A_YEAR = 365.25
YEAR_S = DAYS_A_YEAR * DAY_S


def duration(cycles: float, clock_hz: float) -> float:
    """Seconds that a number of cycles takes."""
    return cycles / clock_hz


def power(volts: float, amps: float) -> float:
    """Watts."""
    return volts * amps


def energy(seconds: float, volts: float, amps: float) -> float:
    """Joules: U I t."""
    return seconds * power(volts, amps)


def charge(seconds: float, amps: float) -> float:
    """Coulombs: I t."""
    return seconds * amps


def per_byte(joules: float, count: float) -> float:
    """Joules for each of ``count`` bytes."""
    return joules / count


def ampere_hours(joules: float, volts: float) -> float:
    """Ampere-hours that give this energy at a stated voltage."""
    return joules / volts / HOUR_S


def watt_hours(joules: float) -> float:
    """Watt-hours."""
    return joules / HOUR_S


def mean_current(sleep_a: float, message_c: float, interval_s: float) -> float:
    """Mean current in amperes of a device that sleeps, and takes ``message_c`` coulombs every
    ``interval_s`` seconds."""
    return sleep_a + message_c / interval_s


def loss_rate(share_per_year: float) -> float:
    """Rate (1/s) of the exponential self-discharge that loses this share of the charge in a
    year.
    """
    return -math.log1p(-share_per_year) / YEAR_S


def life(charge_c: float, usable: float, mean_a: float, loss_per_s: float) -> float:
    """Seconds until a battery of ``charge_c`` coulombs has given the ``usable`` share of them, or
    lost it.

    It gives ``mean_a`` and loses ``loss_per_s`` of all that is left, also of the charge that the
    device cannot use: dQ/dt = -I - k Q from Q = C down to (1 - u) C, so t = ln[(I + k C) / (I + k
    (1 - u) C)] / k, and u C / I without self-discharge.
    """
    lost_at_end = loss_per_s * ((1 - usable) * charge_c)
    longest = usable * charge_c / (mean_a + lost_at_end)
    # For a tiny loss, the difference is below the last digit, and a quotient of tiny numbers would
    # be wrong.
    if loss_per_s == 0 or loss_per_s * longest < 1e-15:
        return longest
    return math.log1p(loss_per_s * longest) / loss_per_s
