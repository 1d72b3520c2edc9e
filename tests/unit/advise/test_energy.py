"""Energy and battery life: dimensions of every formula, and values worked out by hand."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from fractions import Fraction

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.advise.energy import consumption as operation
from motebench.advise.energy.battery import life
from motebench.advise.energy.consumption import cipher
from motebench.advise.radio import lorawan
from motebench.advise.radio.airtime import symbol_time
from motebench.advise.radio.lorawan import receive_windows, transmission
from motebench.base.errors import InputError
from motebench.base.quantities import (
    CURRENT,
    DATA,
    POWER,
    SPEED,
    TIME,
    VOLTAGE,
    Interval,
    evaluate,
    total,
)
from motebench.catalog.currents import (
    Drawn,
    assumptions,
    highest_power,
    own_current,
    radio_current,
    supply_current,
    transmit_current,
)
from motebench.catalog.devices import devices
from motebench.catalog.parts import BATTERIES, CONVERTERS, FedBattery, behind, converter_of, fed
from motebench.catalog.proof import device_of
from motebench.catalog.published import paper
from motebench.catalog.quantities import State
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.results import formulas

UNITS = pint.UnitRegistry()
SX1276 = RADIOS.find("sx1276")
SAMD21 = devices()["samd21g18a"]
EU868 = REGIONS.find("eu868")


# Dimensions

Q = UNITS.Quantity
CLOCK, VOLTS, AMPS, SECONDS, JOULES = (
    Q(48, "MHz"),
    Q(3.3, "V"),
    Q(4.6, "mA"),
    Q(2, "ms"),
    Q(3, "uJ"),
)
DIMENSIONS = {
    "duration": ((1000, CLOCK), "[time]"),
    "power": ((VOLTS, AMPS), "[power]"),
    "energy": ((SECONDS, VOLTS, AMPS), "[energy]"),
    "charge": ((SECONDS, AMPS), "[current] * [time]"),
    "per_byte": ((JOULES, 16), "[energy]"),
    "ampere_hours": ((JOULES, VOLTS), "[current] * [time]"),
    "watt_hours": ((JOULES,), "[energy]"),
    "mean_current": ((Q(5, "uA"), Q(70, "mC"), Q(10, "min")), "[current]"),
    "life": ((Q(225, "mAh"), 0.85, Q(130, "uA"), Q(0.015, "1/year")), "[time]"),
}


def test_every_formula_is_checked():
    own = {name for name, found in inspect.getmembers(formulas, inspect.isfunction)}
    assert own == {*DIMENSIONS, "loss_rate"}


@pytest.mark.parametrize("name", DIMENSIONS)
def test_dimensions(name):
    arguments, dimension = DIMENSIONS[name]
    assert getattr(formulas, name)(*arguments).check(dimension)


def test_dimension_of_life_without_loss_and_of_a_symbol():
    assert formulas.life(Q(225, "mAh"), 0.85, Q(130, "uA"), Q(0, "1/year")).check("[time]")
    assert symbol_time(7, Q(125, "kHz")).check("[time]")


def test_dimensions_of_what_papers_compute():
    """The "battery in percent" is a time, and "watt" an apparent power: the paper's own words do
    not fit.
    """
    battery, watt = (
        paper(key).formula[0].expression for key in ("suryateja-2025", "pycrypto-boards-2020")
    )
    given = {"throughput": (Fraction(5), SPEED), "size": (Fraction(1000), DATA)}
    assert evaluate(battery, given)[1] == TIME
    mains = {"mains_amps": (Fraction("0.062"), CURRENT), "mains_volts": (Fraction(120), VOLTAGE)}
    assert evaluate(watt, mains)[1] == POWER


# Formulas by hand


def test_energy_by_hand():
    """48,000 cycles at 48 MHz are 1 ms; 3.3 V x 4.6 mA x 1 ms = 15.18 uJ."""
    assert formulas.energy(formulas.duration(48_000, 48e6), 3.3, 0.0046) == pytest.approx(15.18e-6)
    assert formulas.ampere_hours(3600 * 3.3, 3.3) == pytest.approx(1.0)
    assert formulas.watt_hours(3600) == 1.0


def test_life_without_self_discharge_is_usable_charge_by_current():
    assert formulas.life(3600.0, 1.0, 1.0, 0.0) == 3600.0
    assert formulas.life(3600.0, 0.85, 1.0, 0.0) == pytest.approx(3060.0)


def steps(charge: float, usable: float, current: float, rate: float) -> float:
    """Seconds until the charge is used, by the midpoint rule for dQ/dt = -I - kQ, and within the
    last step a line.
    """
    left, end, elapsed, step = charge, (1 - usable) * charge, 0.0, formulas.YEAR_S / 2000

    def slope(at: float) -> float:
        return -current - rate * at

    while True:
        after = left + step * slope(left + step / 2 * slope(left))
        if after <= end:
            return elapsed + step * (left - end) / (left - after)
        left, elapsed = after, elapsed + step


@pytest.mark.parametrize("usable", [1.0, 0.9, 0.5])
@pytest.mark.parametrize("current", [2e-6, 5e-6, 100e-6])
@pytest.mark.parametrize("lost", [0.01, 0.2])
def test_life_is_what_small_steps_give(usable, current, lost):
    rate = formulas.loss_rate(lost)
    assert math.exp(-rate * formulas.YEAR_S) == pytest.approx(1 - lost)
    expected = steps(9360.0, usable, current, rate)
    assert formulas.life(9360.0, usable, current, rate) == pytest.approx(expected, rel=1e-5)


@given(
    st.floats(1e-6, 1.0),
    st.floats(1.0, 1e6),
    st.floats(0.1, 0.99),
    st.floats(0.0, 0.9),
    st.floats(1.01, 10.0),
)
def test_more_current_or_loss_is_less_life(amps, coulombs, usable, lost, factor):
    """Life falls with current and loss and rises with charge and share: it is at its bounds where
    inputs are.
    """
    rate = formulas.loss_rate(lost)
    before = formulas.life(coulombs, usable, amps, rate)
    assert formulas.life(coulombs, usable, amps * factor, rate) < before
    assert formulas.life(coulombs * factor, usable, amps, rate) > before
    assert formulas.life(coulombs, min(1.0, usable * factor), amps, rate) > before
    assert (
        formulas.life(coulombs, usable, amps, formulas.loss_rate(min(0.95, lost + 0.05))) < before
    )
    assert before <= usable * coulombs / amps * (1 + 1e-9)


# Intervals


def test_intervals():
    assert Interval(1, 2, 3) + Interval(1, 1, 1) == Interval(2, 3, 4)
    assert Interval(1, 2, 3) * 2 == Interval(2, 4, 6)
    assert Interval(1, 2, 3) * Interval(1, 1, 2) == Interval(1, 2, 6)
    assert total([]) == Interval(0, 0, 0)


# Currents


def test_bounds_of_the_source_are_kept_and_missing_ones_assumed():
    spread = assumptions().typical_only_spread
    assert supply_current(devices()["atmega2560"], State.ACTIVE).amps == Interval(
        0.018, 0.02, 0.0225
    )
    # While(1) and CoreMark
    assert supply_current(SAMD21, State.ACTIVE).amps == Interval(0.00337, 0.0046, 0.0065)
    standby = radio_current(SX1276, State.STANDBY)
    assert standby.amps == Interval(0.0016 * (1 - spread), 0.0016, 0.0016 * (1 + spread))
    assert "assumed" in standby.notes[0]


def test_the_spread_between_codes_spans_an_empty_loop_and_coremark():
    """3.37 and 6.5 mA: 3.13 / 9.87 to either side of their mean, so their ratio is (1 + s) / (1 -
    s).
    """
    spread = assumptions().code_spread
    assert (1 + spread) / (1 - spread) >= 6.5 / 3.37


def test_a_current_at_another_clock_is_scaled_and_says_so():
    drawn = supply_current(devices()["atmega328p"], State.ACTIVE)
    assert (drawn.amps.typical, drawn.amps.high) == (0.0104, 0.018)
    assert "scaled from 8 MHz to 16 MHz" in drawn.notes[0]
    exact = supply_current(devices()["atmega2560"], State.ACTIVE, 4_000_000)
    assert (exact.amps.typical, exact.volts) == (0.0032, 3.0)


def test_a_device_without_currents_has_none_invented():
    assert supply_current(devices()["pc"], State.ACTIVE) is None
    assert supply_current(devices()["raspberry-pi-3b"], State.ACTIVE).of == "board"
    assert supply_current(devices()["raspberry-pi-zero-w"], State.SLEEP) is None


def test_output_power():
    assert transmit_current(SX1276, 13).amps.typical == 0.029
    drawn = transmit_current(SX1276, 14)
    assert drawn.amps.typical == pytest.approx(0.029 + (0.087 - 0.029) / 4)
    assert drawn.amps.low == transmit_current(SX1276, 13).amps.low
    assert drawn.amps.high == transmit_current(SX1276, 17).amps.high
    assert "between those at 13 and 17 dBm" in drawn.notes[-1]
    assert "the lowest" in transmit_current(SX1276, 2).notes[-1]
    assert (highest_power(SX1276, 14), highest_power(SX1276, None), highest_power(SX1276, 2)) == (
        13,
        20,
        7,
    )
    with pytest.raises(InputError, match="no current for 22 dBm"):
        transmit_current(SX1276, 22)


def test_devices_are_read_off_the_names_of_targets():
    assert device_of("sim:samd21g18a").id == "samd21g18a"
    assert device_of("sim:samd21g18a+no-wait-states").id == "samd21g18a"
    assert device_of("serial:/dev/ttyACM0,atmega2560").id == "atmega2560"
    assert device_of("host") is None


# A message and a battery


def given_current(amps: float) -> Drawn:
    return Drawn(Interval.exact(amps), 3.3, "given")


SLEEP = [given_current(5e-6)]


def test_a_message_by_hand():
    """1 ms at 4.6 mA; 100 ms at 29 mA, twice; two windows of 8 symbols (SF7: 8.192 ms; SF12:
    262.144 ms) at 11.5 mA.
    """
    assert cipher(0.001, given_current(0.0046)).charge_c.typical == pytest.approx(4.6e-6)
    sent = transmission(0.1, SX1276, 13, transmissions=2)
    assert sent.charge_c.typical == pytest.approx(2 * 0.1 * 0.029)
    assert sent.energy_j.typical == pytest.approx(2 * 0.1 * 0.029 * 3.3)
    heard = receive_windows(EU868, lorawan.data_rate(EU868, 5), SX1276, frames=2)
    assert heard.charge_c.typical == pytest.approx(2 * (0.008192 + 0.262144) * 0.0115)
    assert radio_current(SX1276, State.RECEIVE).amps == Interval(0.011, 0.0115, 0.012)


def test_battery_life_by_hand():
    """225 mAh x 0.85 with 1 % a year; 5 uA asleep and 30 mC every 600 s: 55 uA on average."""
    battery = BATTERIES.find("cr2032")
    part = cipher(1.0, given_current(0.03))
    answer = life(battery, SLEEP, [part], 600)
    assert answer.mean_a.typical == pytest.approx(55e-6)
    rate = -math.log(1 - 0.01)
    amps = 55e-6 * 365.25 * 24  # ampere-hours a year
    assert answer.years.typical == pytest.approx(
        math.log((amps + rate * 0.225) / (amps + rate * 0.15 * 0.225)) / rate
    )
    rate = -math.log(0.98)
    assert answer.years.low == pytest.approx(
        math.log((amps + rate * 0.22) / (amps + rate * 0.3 * 0.22)) / rate
    )
    rate = -math.log(0.995)
    assert answer.years.high == pytest.approx(math.log((amps + rate * 0.235) / amps) / rate)
    assert answer.years.low < answer.years.typical < answer.years.high


def test_a_lithium_ion_cell_loses_more_than_a_sleeping_device_draws():
    """3.28 Ah, 0.85 of it usable, 0.2 lost a year, at 5 uA: k C = 0.7319 Ah a year, I = 0.04383 Ah
    a year; ln(0.77573 / 0.15362) / 0.22314 = 7.257 years, and not the 12 that the usable charge by
    itself would last.
    """
    answer = life(BATTERIES.find("li-ion-18650"), SLEEP, [], 600)
    assert answer.years.typical == pytest.approx(7.257, rel=1e-3)


def test_bounds_of_life_come_from_every_input():
    battery = BATTERIES.find("cr2032")
    part = cipher(1.0, given_current(0.003))
    narrow = life(battery, SLEEP, [part], 600).years
    wide = life(battery, [replace(SLEEP[0], amps=Interval(3e-6, 5e-6, 15e-6))], [part], 600).years
    assert (wide.low < narrow.low, wide.typical == narrow.typical, wide.high > narrow.high) == (
        True,
        True,
        True,
    )


def test_a_battery_too_weak_for_the_radio_is_said():
    answer = life(BATTERIES.find("cr2032"), SLEEP, [transmission(0.1, SX1276, 13)], 600)
    assert any("capacitor" in warning for warning in answer.warnings)
    strong = life(BATTERIES.find("ls14500"), SLEEP, [transmission(0.1, SX1276, 13)], 600)
    assert not any("capacitor" in warning for warning in strong.warnings)


def test_of_several_pulses_the_largest_is_said_first():
    parts = [cipher(1.0, given_current(0.02)), transmission(0.1, SX1276, 13)]
    pulses = [
        warning
        for warning in life(BATTERIES.find("cr2032"), SLEEP, parts, 600).warnings
        if "pulses" in warning
    ]
    assert [warning.split()[0] for warning in pulses] == ["transmit", "cipher"]


def test_a_battery_below_the_supply_needs_a_converter():
    """5 V from 3 V: 5/3 of the current."""
    battery, mega = BATTERIES.find("cr2032"), devices()["atmega2560"]
    plain = life(battery, SLEEP, [], 600)
    raised = life(battery, [replace(SLEEP[0], part=mega.name, supply=mega.supply)], [], 600)
    assert raised.mean_a.typical == pytest.approx(plain.mean_a.typical * 5 / 3)
    assert any("converter" in warning for warning in raised.warnings)


def test_the_converter_of_the_processor_takes_nothing_of_the_radio():
    """The SX1276 works down to 1.8 V: 0.1 s at 29 mA are 2.9 mC of the battery, whatever the
    processor needs.
    """
    battery, mega = BATTERIES.find("cr2032"), devices()["atmega2560"]
    working = cipher(0.01, replace(given_current(0.02), part=mega.name, supply=mega.supply))
    found = life(battery, SLEEP, [working, transmission(0.1, SX1276, 13)], 600).message_c
    assert found["cipher"].typical == pytest.approx(0.2e-3 * 5 / 3)
    assert found["transmit"].typical == pytest.approx(2.9e-3)


def test_a_full_cell_may_be_too_much_for_a_part_though_its_nominal_voltage_is_not():
    """3.6 V nominal, 4.2 V charged: the SAMD21 takes 3.63 V."""
    load = [replace(SLEEP[0], part=SAMD21.name, supply=SAMD21.supply)]
    warnings = life(BATTERIES.find("li-ion-18650"), load, [], 600).warnings
    assert any("up to 4.2 V: it needs a regulator" in warning for warning in warnings)
    assert not any(
        "regulator" in warning for warning in life(BATTERIES.find("cr2032"), load, [], 600).warnings
    )


def test_a_life_beyond_ten_years_is_called_arithmetic():
    years = life(BATTERIES.find("ls14500"), SLEEP, [], 600)
    assert years.years.typical > 10 and any("arithmetic" in warning for warning in years.warnings)
    assert not any(
        "arithmetic" in warning
        for warning in life(BATTERIES.find("cr2032"), SLEEP, [], 600).warnings
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda battery: life(battery, SLEEP, [], 0), "the interval between messages is 0"),
        (lambda battery: life(battery, SLEEP, [], -5), "the interval between messages is 0"),
        (lambda battery: life(battery, [given_current(0)], [], 60), "supplies no current"),
        (
            lambda battery: life(battery, [given_current(0)], [transmission(2, SX1276, 13)], 1),
            "keeps the device busy",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call(BATTERIES.find("cr2032"))


# Papers


def test_formulas_of_the_papers():
    """2 s for 1 MB; 0.062 A at 120 V for 2 s is 7.44 VA and 4.133 mVAh, or 0.8267 mAh at 5 V."""
    (percent,) = operation.published("suryateja-2025", {"throughput": 10**6 / 2.0, "size": 10**6})
    assert percent.value == pytest.approx(2000)
    mains = {"mains_amps": 0.062, "mains_volts": 120, "seconds": 2.0, "at_volts": 5}
    watt, hours, charge = operation.published("pycrypto-boards-2020", mains)
    assert (watt.value, watt.unit) == (pytest.approx(7.44), "VA")
    assert hours.value == pytest.approx(7.44 * 2 / 3600)
    assert charge.value == pytest.approx(7.44 * 2 / 3600 / 5 * 1000)
    assert "5 V here" in charge.wrong
    # The published pair of temirbekova-2024, table 5: 20.11 mA and 0.10055 W.
    (power,) = operation.published("temirbekova-2024", {"volts": 5, "amps": 0.02011})
    assert power.value == pytest.approx(0.10055)
    assert all(found.wrong for found in (percent, watt, hours, charge))


def test_a_cell_whose_voltage_falls_below_what_the_radio_needs_is_warned_of():
    """87 mA through 40 ohm is 3.48 V: nothing is left of 3 V. 29 mA leave 1.84 V, and an SX1276
    needs 1.8 V.
    """
    battery = BATTERIES.find("cr2032")
    deep = life(battery, SLEEP, [transmission(0.1, SX1276, 17)], 600)
    assert any("40 ohm" in warning and "at least 1.8 V" in warning for warning in deep.warnings)
    shallow = life(battery, SLEEP, [transmission(0.1, SX1276, 13)], 600)
    assert not any("ohm" in warning for warning in shallow.warnings)


def test_a_module_without_the_rfo_pin_takes_the_current_of_its_amplifier():
    """RFM95W: no output below 14 dBm at the 29 mA of the SX1276's other pin; its bounds contain
    both.
    """
    rfm95w = RADIOS.find("rfm95w")
    at_14 = transmit_current(rfm95w, 14).amps
    assert (at_14.low, at_14.typical, at_14.high) == (0.029, 0.083, 0.087)
    assert transmit_current(rfm95w, 17).amps.typical == 0.087
    assert at_14.typical > 2 * transmit_current(SX1276, 13).amps.typical


# Converters and regulators


def behind_converter(name: str, converter: str, rail: float = 3.3) -> FedBattery:
    return fed(BATTERIES.find(name), converter_of(converter), rail)


def test_a_converter_takes_power_and_its_own_current():
    """5 uA at 3.3 V from 3.6 V with 90 %: 5 x 3.3 / (0.9 x 3.6) = 5.0926 uA, and 0.36 uA of its own
    are 5.4526 uA. 20 mA at work for 1 s each 600 s: 20 x 1.0185 / 600 = 33.951 uA. Together 39.404.
    """
    battery = behind_converter("ls14500", "90%,360nA")
    sleeping = [*SLEEP, *own_current(battery)]
    answer = life(battery, sleeping, [cipher(1.0, given_current(0.02))], 600)
    assert answer.sleep_c.typical / 600 == pytest.approx(5.4526e-6, rel=1e-4)
    assert answer.message_c["cipher"].typical / 600 == pytest.approx(33.951e-6, rel=1e-4)
    assert answer.mean_a.typical == pytest.approx(39.404e-6, rel=1e-4)


def test_a_linear_regulator_takes_the_same_current_and_its_own():
    """5 uA and 1.6 uA (at most 4 uA) from any voltage."""
    battery = behind_converter("ls14500", "mcp1700", 3.0)
    mean = life(battery, [*SLEEP, *own_current(battery)], [], 600).mean_a
    assert mean.typical == pytest.approx(6.6e-6) and mean.high == pytest.approx(9e-6)


def test_bounds_of_an_efficiency_are_bounds_of_the_current():
    """TPS62740: 85 to 95 %: 3.3 / 3.6 / 0.85 = 1.0784 and 3.3 / 3.6 / 0.95 = 0.9649."""
    factor = behind_converter("ls14500", "tps62740").drawn
    assert factor == Interval(
        pytest.approx(0.9649, rel=1e-4),
        pytest.approx(1.0185, rel=1e-4),
        pytest.approx(1.0784, rel=1e-4),
    )


def test_behind_a_converter_a_battery_of_more_volts_needs_no_regulator():
    load = [replace(SLEEP[0], part=SAMD21.name, supply=SAMD21.supply)]
    plain = life(BATTERIES.find("li-ion-18650"), load, [], 600).warnings
    regulated = life(behind_converter("li-ion-18650", "tps62740"), load, [], 600).warnings
    assert any("needs a regulator" in warning for warning in plain)
    assert not any("regulator" in warning or "converter" in warning for warning in regulated)


def test_a_rail_that_a_part_does_not_take_is_a_warning():
    load = [replace(SLEEP[0], part=SAMD21.name, supply=SAMD21.supply)]
    warnings = life(behind_converter("li-ion-18650", "90%", 5.0), load, [], 600).warnings
    assert any("the converter gives 5 V" in warning for warning in warnings)


def test_pulses_of_a_battery_are_those_behind_the_converter():
    """A CR2032 is made for pulses: 29 mA at 5 V from 3 V are 29 x 5 / 3 = 48.3 mA."""
    battery = behind_converter("cr2032", "100%", 5.0)
    warnings = life(battery, SLEEP, [transmission(0.1, SX1276, 13)], 600).warnings
    assert any("transmit takes 48.3 mA" in warning for warning in warnings)


@pytest.mark.parametrize(
    ("battery", "converter", "rail", "problem"),
    [
        ("cr2032", "tps62740", 3.3, "needs 3.3 V for an output of 3.3 V"),
        ("cr2032", "mcp1700", 3.0, "needs 3.18 V for an output of 3 V"),
        ("ls14500", "tps61291", 3.3, "raises the voltage"),
        ("ls14500", "tps62740", 5.0, "gives 1.8 V to 3.3 V"),
    ],
)
def test_converters_that_do_not_fit_are_refused(battery, converter, rail, problem):
    with pytest.raises(InputError, match=problem) as caught:
        behind_converter(battery, converter, rail)
    assert caught.value.where == "--converter"


def test_a_converter_that_does_not_stand_the_full_battery_is_refused():
    pack = BATTERIES.find("ls14500").model_copy(update={"voltage": 7.2})
    with pytest.raises(InputError, match=r"takes at most 5\.5 V"):
        fed(pack, converter_of("tps62740"), 3.3)


@pytest.mark.parametrize("text", ["0%", "120%", "1.2.3", "0"])
def test_an_impossible_efficiency_is_refused(text):
    with pytest.raises(InputError, match="is not an efficiency"):
        converter_of(text)


def test_an_unknown_converter_is_answered_with_the_known_ones():
    with pytest.raises(InputError, match="unknown converter") as caught:
        converter_of("tps99999")
    assert "tps62740" in str(caught.value.valid)


def test_a_fraction_and_a_percentage_are_the_same_efficiency():
    assert converter_of("0.9").efficiency == converter_of("90 %").efficiency
    assert converter_of("linear").efficiency is None


def test_every_converter_of_the_catalog_has_its_own_current_and_losses():
    assert len(CONVERTERS.all()) >= 4
    for name, converter in CONVERTERS.all().items():
        assert 0 < converter.quiescent.typical < 1e-4, name
        assert (converter.efficiency is None) == (converter.kind == "linear"), name


def test_without_a_supply_the_voltage_behind_a_converter_is_unknown():
    with pytest.raises(InputError, match="voltage behind the converter"):
        behind(BATTERIES.find("ls14500"), converter_of("90%"), None, None)
    assert behind(BATTERIES.find("ls14500"), converter_of("90%"), SAMD21, None).rail == 3.3
    assert behind(BATTERIES.find("ls14500"), converter_of("90%"), SAMD21, 1.8).rail == 1.8
