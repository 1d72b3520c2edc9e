"""A device at another clock and supply voltage: limits, currents by hand, wait states."""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.catalog.currents import (
    active,
    fewer_waits,
    idle,
    operated,
    remarks_on,
    supply_current,
)
from motebench.catalog.devices import DEVICES, Device, Speeds, devices
from motebench.catalog.quantities import State


def uno() -> Device:
    return devices()["atmega328p"]


def amps_of(device: Device) -> Interval:
    drawn = active(device)
    assert drawn is not None
    return drawn.amps


@pytest.mark.parametrize(
    ("name", "volts", "highest"),
    [
        ("atmega328p", 1.8, 4e6),
        ("atmega328p", 2.7, 10e6),
        ("atmega328p", 4.5, 20e6),
        ("atmega328p", 5.5, 20e6),
        # DS40002061, figure 29-1: linear; 4 MHz + 6 MHz (2.25 - 1.8) / (2.7 - 1.8) = 7 MHz
        ("atmega328p", 2.25, 7e6),
        # 10 MHz + 10 MHz (3.6 - 2.7) / (4.5 - 2.7) = 15 MHz
        ("atmega328p", 3.6, 15e6),
        ("atmega4809", 1.8, 5e6),
        ("atmega2560", 4.4, 8e6),
        ("atmega2560", 4.5, 16e6),
    ],
)
def test_the_highest_clock_follows_the_supply(name, volts, highest):
    speeds = devices()[name].speeds
    assert isinstance(speeds, Speeds)
    assert speeds.highest_hz(volts) == pytest.approx(highest)
    assert operated(devices()[name], highest, volts).clock_hz == highest
    with pytest.raises(InputError, match="does not run at"):
        operated(devices()[name], highest * 1.01, volts)


def test_the_lowest_voltage_of_16_mhz_is_that_of_the_devices_own_supply():
    """2.7 V + 1.8 V (16 - 10) / (20 - 10) = 3.78 V, as [supply] of the file has it."""
    speeds, supply = uno().speeds, uno().supply
    assert speeds is not None and supply is not None
    assert speeds.least_volts(16e6) == pytest.approx(3.78) == supply.minimum
    assert speeds.least_volts(21e6) is None and speeds.highest_hz(1.7) == 0


def test_a_point_of_the_data_sheet_is_taken_as_it_is():
    slow = operated(uno(), 8e6, 5.0)
    assert amps_of(slow) == Interval(pytest.approx(4.16e-3), 5.2e-3, 9e-3)
    resting = idle(slow)
    assert resting is not None and resting.amps.typical == 1.2e-3


def test_the_current_between_points_is_in_proportion_to_clock_and_voltage():
    """Nearest in voltage is 1.7 mA, at most 2.5 mA, at 4 MHz and 3 V:
    1.7 mA x 8/4 x 3.3/3 = 3.74 mA; 2.5 mA x 2.2 = 5.5 mA; 0.8 x 3.74 mA = 2.992 mA."""
    drawn = active(operated(uno(), 8e6, 3.3))
    assert drawn is not None and drawn.volts == 3.3
    assert drawn.amps.typical == pytest.approx(3.74e-3)
    assert drawn.amps.high == pytest.approx(5.5e-3)
    assert drawn.amps.low == pytest.approx(2.992e-3)
    assert "scaled from 1.70 mA at 4 MHz and 3 V" in drawn.notes[0]


def test_a_slow_board_at_a_low_voltage():
    """0.3 mA at 1 MHz and 2 V: x 1.8/2 = 0.27 mA."""
    assert amps_of(operated(uno(), 1e6, 1.8)).typical == pytest.approx(0.27e-3)


def test_points_of_one_data_sheet_agree_with_the_rule():
    """Each point of the ATmega328P and ATmega4809 from another point: within 20 %, the spread that
    the model has where a source gives no bounds."""
    for name in ("atmega328p", "atmega4809"):
        device = devices()[name]
        points = [draw for draw in device.draws(State.ACTIVE) if draw.clock_hz]
        assert len(points) >= 3
        for draw in points:
            others = tuple(other for other in device.currents if other is not draw)
            alone = device.model_copy(update={"currents": others})
            model = amps_of(operated(alone, draw.clock_hz, draw.voltage))
            assert model.typical == pytest.approx(draw.typical, rel=0.2), (name, draw.voltage)


def test_without_clock_and_voltage_nothing_changes():
    assert operated(uno(), None, None) is uno()
    assert remarks_on(uno()) == () and remarks_on(None) == ()


def test_the_supply_of_the_device_is_that_of_the_question():
    supply = operated(uno(), 8e6, 3.3).supply
    assert supply is not None
    # 1.8 V + 0.9 V (8 - 4) / (10 - 4) = 2.4 V
    assert (supply.minimum, supply.nominal, supply.maximum) == (pytest.approx(2.4), 3.3, 5.5)


def test_a_regulator_leaves_the_static_part_open():
    """4.6 mA (3.37 to 6.5) at 48 MHz, behind a linear regulator: at 8 MHz a sixth, 0.767 mA
    (0.562), if all of it switches; at most all of it, 6.5 mA."""
    amps = amps_of(operated(devices()["samd21g18a"], 8e6, 3.3))
    assert amps.typical == pytest.approx(4.6e-3 / 6)
    assert amps.low == pytest.approx(3.37e-3 / 6) and amps.high == pytest.approx(6.5e-3)


def test_a_switching_regulator_draws_less_from_more_volts():
    """3.45 mA at 3 V: 3.45 x 3 / 3.6 = 2.875 mA at 3.6 V."""
    amps = amps_of(operated(devices()["stm32wl"], 48e6, 3.6))
    assert amps.typical == pytest.approx(2.875e-3)


def test_more_wait_states_than_measured_are_refused():
    samd21 = devices()["samd21g18a"]
    with pytest.raises(InputError, match="needs 3 wait states") as caught:
        operated(samd21, None, 1.8)
    assert caught.value.where == "--voltage" and "28 MHz" in str(caught.value.valid)
    assert operated(samd21, None, 1.8, own_cycles=True).clock_hz == 48e6


def test_fewer_wait_states_than_measured_bound_the_times():
    """A fetch takes 1 + n cycles: from 1 wait state to none at most half is saved."""
    slow = operated(devices()["samd21g18a"], 8e6, None)
    assert fewer_waits(slow) == Interval(0.5, 1.0, 1.0)
    assert any("needs 0 wait states" in remark for remark in remarks_on(slow))
    # 4 measured, 0 at 16 MHz: a fifth
    assert fewer_waits(operated(devices()["stm32l4"], 16e6, None)).low == pytest.approx(0.2)
    assert fewer_waits(operated(uno(), 8e6, 5.0)) == Interval.exact(1.0)
    assert fewer_waits(uno()) == Interval.exact(1.0)


def test_a_part_with_one_clock_has_that_one():
    with pytest.raises(InputError, match="does not run at 16 MHz") as caught:
        operated(devices()["nrf52840"], 16e6, None)
    assert caught.value.valid == "64 MHz"
    assert operated(devices()["nrf52840"], 64e6, 3.0).clock_hz == 64e6


def test_a_grade_of_another_ordering_code_is_said():
    assert any(
        "ATmega2560V" in text for text in remarks_on(operated(devices()["atmega2560"], 8e6, 3.3))
    )
    assert not any(
        "V" in text and "must be" in text
        for text in remarks_on(operated(devices()["atmega2560"], 8e6, 5.0))
    )


def test_a_voltage_beyond_the_part_is_refused():
    with pytest.raises(InputError, match=r"not made for 1\.5 V") as caught:
        operated(uno(), 1e6, 1.5)
    assert (caught.value.where, caught.value.valid) == ("--voltage", "1.8 V to 5.5 V")
    with pytest.raises(InputError, match="not made for 6 V"):
        operated(uno(), 1e6, 6.0)


def test_a_device_whose_file_has_no_speeds_is_refused():
    with pytest.raises(InputError, match="does not say which clock") as caught:
        operated(devices()["raspberry-pi-3b"], 1e9, None)
    assert caught.value.where == "--clock" and "[speeds]" in str(caught.value.hint)


def test_the_clock_of_every_file_is_allowed_at_its_usual_supply():
    with_speeds = [device for device in devices().values() if device.speeds is not None]
    assert len(with_speeds) >= 14
    for device in with_speeds:
        at = operated(device, device.clock_hz, None)
        assert at.clock_hz == device.clock_hz, device.id
        assert supply_current(at, State.ACTIVE) is not None, device.id


@pytest.mark.parametrize(
    ("speeds", "problem"),
    [
        (
            'grades = [{ voltage = "3 V", clock_hz = 2 }, { voltage = "2 V", clock_hz = 4 }]',
            "order",
        ),
        (
            'linear = true\ngrades = [{ voltage = "2 V", clock_hz = 4, wait_states = 1 }]',
            "wait states have steps",
        ),
        ("grades = []", "at least 1"),
    ],
)
def test_speeds_of_own_files_are_checked(tmp_path: Path, speeds: str, problem: str):
    folder = tmp_path / "devices"
    folder.mkdir()
    (folder / "mine.toml").write_text(
        'id = "mine"\nname = "Mine"\narchitecture = "avr"\nclock_hz = 4\nram_bytes = 1\n'
        'source = { document = "test" }\n[speeds]\nsource = { document = "test" }\n' + speeds
    )
    with pytest.raises(InputError, match=problem):
        DEVICES.find("mine", tmp_path)
