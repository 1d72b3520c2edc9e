"""Way from a message to frames, time on air and limits: one place for all commands."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.advise.choice.question import Scene
from motebench.advise.energy.battery import Duty, battery_life
from motebench.advise.radio import lorawan
from motebench.advise.radio.links import uplinks
from motebench.advise.radio.lorawan import deliver, link, parts
from motebench.base.errors import InputError
from motebench.catalog.devices import devices
from motebench.catalog.parts import BATTERIES
from motebench.catalog.radios import RADIOS, REGIONS

SX1276 = RADIOS.find("sx1276")
EU868 = REGIONS.find("eu868")
LINKS = [
    link(SX1276, region, rate.dr, fragment=fragment)
    for region in (EU868, REGIONS.find("us915"), REGIONS.find("au915-dwell"))
    for rate in region.data_rates
    for fragment in (False, True)
]


def broken_dwell_time(at, length):
    return any(limit.limit == "dwell-time" for limit in at.limits(at.send(length), None))


@given(st.sampled_from(LINKS), st.integers(0, 2000))
def test_a_delivery_is_the_sum_of_its_uplinks(at, length):
    sent = deliver(at, length)
    if not at.fragment and length > at.longest:
        assert not sent.fits
        with pytest.raises(InputError, match="do not fit into one frame"):
            sent.check()
        return
    parts_sent = lorawan.fragments(length, at.longest)
    assert [frame.app_payload_bytes for frame in sent.frames] == parts_sent
    try:
        alone = [lorawan.uplink(at.region, at.rate, part, at.radio) for part in parts_sent]
    except InputError as told:
        assert broken_dwell_time(at, length)
        with pytest.raises(InputError) as same:
            sent.check()
        assert str(same.value) == str(told)
        return
    sent.check()
    assert not broken_dwell_time(at, length)
    assert sent.time_ms == sum((frame.airtime.time_ms for frame in alone), Fraction(0))
    assert sent.longest_frame_ms == float(max(frame.airtime.time_ms for frame in alone))


@given(
    st.sampled_from([at for at in LINKS if at.region is EU868 and at.fragment]), st.integers(0, 500)
)
def test_airtime_battery_and_choice_hear_the_same(at, length):
    sent = deliver(at, length)
    shown = uplinks(at, length)
    device = devices()["samd21g18a"]
    (pace,) = at.paces(at.send(length))
    scene = Scene(device, length, every_s=pace.seconds, link=at).on_air(length)
    lived = battery_life(
        Duty(BATTERIES.find("cr2032"), pace.seconds * 10, device, link=at, payload_bytes=length)
    )
    assert shown.time_on_air_ms == float(sent.time_ms)
    assert lived.time_on_air_ms == pytest.approx(shown.time_on_air_ms, rel=1e-12)
    assert (scene.frames, scene.seconds) == (len(sent.frames), sent.seconds)
    assert lived.frames == scene.frames
    assert scene.parts == parts(sent)
    assert not scene.broken


def test_the_duty_cycle_counts_repeated_transmissions():
    """51 bytes at DR0 are 2793.472 ms on air: 279.3472 s from one to the next at 1 %, twice that if
    sent twice.
    """
    once = link(SX1276, EU868, 0)
    twice = replace(once, transmissions=2.0)
    (pace,), (doubled,) = (at.paces(at.send(51)) for at in (once, twice))
    assert pace.seconds == pytest.approx(279.3472, rel=1e-12)
    assert doubled.seconds == pytest.approx(2 * 279.3472, rel=1e-12)
    once.require(once.send(51), 280)
    with pytest.raises(InputError, match=r"by the duty cycle of 868-868\.6 MHz") as told:
        once.require(once.send(51), 279)
    assert told.value.valid == "at least 279.347 s"


def test_a_region_without_a_duty_cycle_limits_no_interval():
    at = link(SX1276, REGIONS.find("us915"), 4)
    assert at.paces(at.send(11)) == ()
    at.require(at.send(11), 0.1)


@pytest.mark.parametrize(
    ("length", "said"), [(-1, "-1 bytes"), (52, "52 bytes do not fit"), (10**9, "1000000000 bytes")]
)
def test_what_does_not_fit_is_refused_by_check_alone(length, said):
    sent = deliver(link(SX1276, EU868, 0), length)
    assert not sent.fits
    with pytest.raises(InputError, match=said):
        sent.check()


def test_power_is_the_highest_that_the_region_allows_unless_given():
    assert link(SX1276, EU868, 0).power_dbm == 13
    assert link(SX1276, EU868, 0, power_dbm=7).power_dbm == 7
    with pytest.raises(InputError, match=r"0\.5 transmissions"):
        link(SX1276, EU868, 0, transmissions=0.5)
