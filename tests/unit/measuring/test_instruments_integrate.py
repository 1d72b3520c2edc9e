"""Energy of streams whose energy is known from a formula, with and without dropped samples."""

from __future__ import annotations

import math
from dataclasses import replace

import jsonschema
import numpy as np
import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st
from instrument_streams import info, recording, stream, without, worked

from motebench.base.errors import InputError
from motebench.base.shapes import as_document
from motebench.documents import schema
from motebench.measuring.instruments import analysis
from motebench.measuring.instruments.analysis import (
    Unusable,
    analyse,
    document,
    known_load,
    lost_samples,
    pieces,
    stretch,
)
from motebench.measuring.instruments.base import PowerSample, Shape
from motebench.measuring.instruments.metering import check_length
from motebench.measuring.instruments.recording import BATCH, COMPLETE, IDLE, LOAD, Recording, Window

UNITS = pint.UnitRegistry()
Q = UNITS.Quantity
DIMENSIONS = {
    "area": (Q(2, "W"), Q(3, "mW"), Q(10, "ms")),
    "above": (Q(2, "J"), Q(3, "mW"), Q(1, "min")),
    "meter_error": (0.01, Q(1, "mW"), Q(0.01, "Wh"), Q(3, "J"), Q(4, "s")),
    "difference_error": (0.01, Q(1, "mW"), Q(0.01, "Wh"), Q(3, "J"), Q(2, "W"), Q(4, "s")),
    "edge_error": (Q(10, "ms"), Q(3, "J"), Q(2, "W"), Q(4, "s")),
    "length_error": (Q(10, "ms"), Q(3, "J"), Q(4, "s")),
}


@pytest.mark.parametrize("name", DIMENSIONS)
def test_formulas_give_energy(name):
    assert getattr(analysis, name)(*DIMENSIONS[name]).check("[energy]")


def joules(power, t0, t1, shape=Shape.POINT, rate=100.0):
    return stretch(pieces(info(shape, rate), stream(power, 10.0, rate)), t0, t1)


def test_constant_power():
    found = joules(lambda t: 2.5, 1.0, 5.0)
    assert (found.joules, found.missing_s) == (pytest.approx(10.0), 0)
    assert found.low == found.high == pytest.approx(found.joules)


def test_ramp_with_edges_between_samples():
    """The trapezoid rule is exact on a straight line: the energy of 3 t is 1.5 t^2."""
    t0, t1 = 1.0033, 7.7777
    assert joules(lambda t: 3 * t, t0, t1).joules == pytest.approx(1.5 * (t1**2 - t0**2), rel=1e-12)


def test_square_wave_of_means():
    """Means of half a second each, 4 W and 0 W in turn."""
    wave = [PowerSample(index * 0.5, 4.0 if index % 2 else 0.0) for index in range(9)]
    between = pieces(info(Shape.MEAN, 2.0), wave)
    assert stretch(between, 0.0, 4.0).joules == pytest.approx(8.0)
    assert stretch(between, 0.25, 1.0).joules == pytest.approx(1.0)


def test_the_first_mean_says_only_when_it_begins():
    assert (
        stretch(
            pieces(info(Shape.MEAN, 1.0), [PowerSample(0, 99.0), PowerSample(1, 2.0)]), 0, 1
        ).joules
        == 2.0
    )


@given(st.floats(0.5, 4.5), st.floats(5.0, 9.5), st.floats(4.6, 4.9))
def test_parts_add_up(t0, t1, between):
    def power(t):
        return 1 + t * t

    whole = joules(power, t0, t1)
    parts = joules(power, t0, between).joules + joules(power, between, t1).joules
    assert whole.joules == pytest.approx(parts)


def test_edges_are_as_uncertain_as_samples_are_apart():
    assert joules(lambda t: 1.0, 1.005, 2.0).edge_s == pytest.approx(0.01)
    assert (
        stretch(pieces(info(rate=1), [PowerSample(0, 1.0), PowerSample(1, 1.0)]), 0, 1).edge_s == 0
    )


# Dropped samples


def test_a_short_gap_widens_the_bounds_to_the_extremes():
    samples = without(stream(worked, 7.0), 3.4, 3.42)
    between = pieces(info(), samples)
    found = stretch(between, 3.0, 4.0)
    assert found.missing_s == pytest.approx(0.04)
    assert found.joules == pytest.approx(3.0)
    assert (found.low, found.high) == (pytest.approx(3 - 0.04 * 2), pytest.approx(3.0))
    assert lost_samples(info(), samples) == 3


def test_a_long_gap_gives_no_energy():
    between = pieces(info(), without(stream(worked, 7.0), 3.4, 3.5))
    with pytest.raises(Unusable, match=r"12\.0% of the time .* has no samples"):
        stretch(between, 3.0, 4.0)
    assert stretch(between, 4.0, 5.0).missing_s == 0


def test_samples_that_the_instrument_says_are_lost():
    """Their times do not show it where a driver evens them out."""
    samples = stream(worked, 7.0)
    samples[340] = replace(samples[340], lost=1)
    assert stretch(pieces(info(), samples), 3.0, 4.0).missing_s == pytest.approx(0.01)
    assert lost_samples(info(), samples) == 1


def test_a_counter_that_is_read_late_loses_nothing():
    samples = [PowerSample(0, 0.0), PowerSample(0.1, 1.0), PowerSample(3.1, 2.0)]
    found = stretch(pieces(info(Shape.MEAN, 10.0, counts=True), samples), 0.0, 3.1)
    assert (found.joules, found.missing_s) == (pytest.approx(6.1), 0)


def test_beyond_the_stream():
    between = pieces(info(), stream(worked, 7.0))
    with pytest.raises(Unusable, match="no samples"):
        stretch(between, 8.0, 9.0)
    with pytest.raises(Unusable, match="has no samples"):
        stretch(between, 6.5, 7.5)
    assert stretch(between, 6.0, 7.01).missing_s == pytest.approx(0.01)
    with pytest.raises(Unusable):
        stretch([], 0, 1)


# A whole recording


def printed(found):
    """The document as its schema says."""
    plain = as_document(found)
    name = plain["schema"].removeprefix("motebench-").rpartition("-")[0]
    jsonschema.Draft202012Validator(schema(name)).validate(plain)
    return plain


def test_energy_by_hand():
    """3 W for a second, 1000 operations in it: 3 mJ each, 2 mJ above the idle floor of 1 W, 16
    bytes.
    """
    answer = printed(document(recording(), analyse(recording())))
    assert answer["problems"] == []
    for name, joules_each in (("energy", 3e-3), ("energy_net", 2e-3)):
        assert answer[f"{name}_j"]["typical"] == pytest.approx(joules_each, rel=0.005)
        assert answer[f"{name}_per_byte_j"]["typical"] == pytest.approx(joules_each / 16, rel=0.005)
        assert answer[f"{name}_j"]["low"] < joules_each < answer[f"{name}_j"]["high"]
    assert (answer["power_w"], answer["power_net_w"]) == (
        pytest.approx(3, rel=0.005),
        pytest.approx(2, rel=0.005),
    )
    assert answer["floor"]["typical_w"] == pytest.approx(1.0)
    assert answer["evidence"] == "measured" and len(answer["batches"]) == 3


def exact(known=None, windows=3):
    """Means, so that edges are exact; every batch is the same."""
    samples = [PowerSample(sample.t, worked(sample.t - 0.005)) for sample in stream(worked, 7.0)]
    found = recording(samples, known or info(Shape.MEAN))
    batches = [window for window in found.windows if window.name == BATCH]
    found.windows = [window for window in found.windows if window not in batches[windows:]]
    return analyse(found)


def test_accuracy_and_offset_are_in_the_limits_of_a_single_batch():
    """+-1 % of 3 J and of the 1 J of idling, and twice 0.1 W for a second; gross of 3 J alone, and
    once.
    """
    plain = exact(windows=1)
    wide = exact(info(Shape.MEAN, accuracy=0.01, offset_w=0.1), windows=1)
    for name, typical, limit in (("net", 2e-3, 0.01 * 4 + 0.2), ("gross", 3e-3, 0.01 * 3 + 0.1)):
        before, after = (getattr(found, name).interval for found in (plain, wide))
        assert before.typical == after.typical == pytest.approx(typical)
        assert before.low - after.low == pytest.approx(limit / 1000)
        assert after.high - before.high == pytest.approx(limit / 1000)
    assert "one batch has no spread" in wide.net.says()


def test_the_interval_of_equal_batches_is_type_b_alone():
    """Limits as rectangles: 1.96 x 0.13 J / sqrt(3) around 3 J, 1000 operations; above idling 0.24
    J around 2 J. What edges add is there without the instrument's errors, too, and is added in
    quadrature."""
    known = info(Shape.MEAN, accuracy=0.01, offset_w=0.1)
    for name, limit in (("gross", 0.13), ("net", 0.24)):
        plain, wide = getattr(exact(), name), getattr(exact(known), name)
        type_b = math.hypot(limit / math.sqrt(3) / 1000, plain.type_b)
        assert wide.type_b == pytest.approx(type_b, rel=1e-6)
        assert wide.combined.type_a == pytest.approx(0, abs=1e-12)
        half = (wide.interval.high - wide.interval.low) / 2
        assert half == pytest.approx(1.959964 * type_b, rel=1e-4)


def test_ends_that_are_not_known_widen_the_interval_and_too_much_of_it_is_no_energy():
    """10 ms at each end of 1 s: at most 20 ms x 3 W more or less, 20 ms x 2 W above idling."""
    found = recording()
    found.windows = [
        replace(window, edge_s=0.01 if window.name == BATCH else 0.0) for window in found.windows
    ]
    plain, wide = analyse(recording()), analyse(found)
    batch, wider = plain.batches[1], wide.batches[1]
    assert batch.gross.low - wider.gross.low == pytest.approx(0.02 * 3, rel=0.01)
    assert batch.net.low - wider.net.low == pytest.approx(0.02 * 2, rel=0.01)
    found.windows = [
        replace(window, edge_s=0.06 if window.name == BATCH else 0.0) for window in found.windows
    ]
    nothing = analyse(found)
    assert (
        nothing.gross is None
        and "0.12 s more or less than the probe accounts for" in nothing.problems[0]
    )


def test_one_batch_with_uncertain_ends_counts_once_in_the_uncertainty_of_the_mean():
    """45 ms at each end of one batch of three: its uncertainty is large, a third of the excess goes
    into the mean's.
    """
    found = recording()
    first = next(window for window in found.windows if window.name == BATCH)
    found.windows = [
        replace(window, edge_s=0.045) if window is first else window for window in found.windows
    ]
    plain, wide = analyse(recording()), analyse(found)
    excess = wide.batches[0].net.type_b - plain.batches[0].net.type_b
    assert wide.net.type_b - plain.net.type_b == pytest.approx(excess / 3 / 1000)


def test_dropped_samples_fail_one_batch_and_widen_another():
    samples = without(without(stream(worked, 7.0), 2.4, 2.5), 3.4, 3.42)
    found = analyse(recording(samples))
    assert [batch.gross is None for batch in found.batches] == [True, False, False]
    assert len(found.problems) == 1 and found.problems[0].startswith("batch 1: 12.0%")
    assert found.net.interval.typical == pytest.approx(2e-3, rel=0.005)
    assert found.batches[1].net.low < analyse(recording()).batches[1].net.low
    assert any("14 of 701 samples are missing" in note for note in found.notes)


def test_an_instrument_that_was_lost_leaves_what_came_before():
    cut = [sample for sample in stream(worked, 7.0) if sample.t <= 4.5]
    found = analyse(recording(cut, ended="it is unplugged"))
    assert found.problems[0] == "made up: it is unplugged"
    assert found.problems[1].startswith("batch 3: ")
    assert found.net.interval.typical == pytest.approx(2e-3, rel=0.005)
    assert any("only before the batches" in note for note in found.notes)


def test_no_samples_are_no_energy():
    answer = printed(document(recording([]), analyse(recording([]))))
    assert answer["energy_j"] is None and answer["problems"]


def test_what_cannot_be_told_from_idling_is_no_zero():
    found = analyse(recording(stream(lambda t: 1.0 + 0.2 * (int(t * 10) % 2), 7.0)))
    assert found.net is None and found.gross.interval.typical == pytest.approx(1.1e-3, rel=0.05)
    assert len(found.problems) == 1
    assert "not above the idle floor: an operation takes at most" in found.problems[0]
    answer = printed(document(recording(), found))
    assert answer["energy_net_j"] is None and answer["power_net_w"] is None
    assert [batch["net_j"] is None for batch in answer["batches"]] == [False] * 3


def test_less_than_idling_is_absurd():
    found = analyse(recording(stream(lambda t: 3.0 if t < 1.95 or t > 5.05 else 1.0, 7.0)))
    assert found.gross is None and found.net is None
    assert "is below the idle floor of 3 W" in found.problems[0]


def test_wires_the_wrong_way_round():
    assert (
        "the wrong way round" in analyse(recording(stream(lambda t: -worked(t), 7.0))).problems[0]
    )


@given(st.sets(st.integers(301, 398), max_size=4))
def test_the_truth_is_in_the_bounds_whatever_is_dropped(gone):
    samples = [sample for index, sample in enumerate(stream(worked, 7.0)) if index not in gone]
    between = pieces(info(), samples)
    try:
        found = stretch(between, 3.0, 4.0)
    except Unusable:
        assert len(gone) >= 3
        return
    assert found.low - 1e-9 <= 3.0 <= found.high + 1e-9
    assert (found.missing_s > 0) is bool(gone)


def test_windows_too_short_for_the_instrument():
    check_length(info(rate=100.0), 1.0, 0.1)
    check_length(info(rate=None), 1e-3, 1e-3)
    with pytest.raises(InputError, match="10 s is too short for made up"):
        check_length(info(rate=4.0), 10.0, 5.0)
    with pytest.raises(InputError, match="2 s is too short for made up"):
        check_length(info(rate=4.0), 25.0, 2.0)


def test_drift_of_the_floor_is_told_and_held():
    found = analyse(recording(stream(lambda t: worked(t) + 0.1 * t, 7.0)))
    assert any("floor moved by 0.51 W" in note for note in found.notes)
    assert found.floor.low < 1.05 and found.floor.high > 1.65
    assert found.net.interval.low < 2e-3 < found.net.interval.high


@pytest.mark.parametrize(("accuracy", "offset"), [(0.01, 0.0), (0.002, 0.01), (0.0005, 0.0)])
def test_the_interval_covers_the_truth_of_simulated_instruments(accuracy, offset):
    """1,000 instruments whose gain, one for idling and one for work, and offset lie anywhere within
    their limits, with noise in every sample: 3 W and 1 W idle, 3 mJ and 2 mJ each."""
    rng = np.random.default_rng(17)
    draws, covered = 1000, {"gross": 0, "net": 0}
    for _ in range(draws):
        idle, work = 1 + rng.uniform(-accuracy, accuracy, 2)
        shift, noise = rng.uniform(-offset, offset), iter(rng.normal(0, 0.02, 200))

        def power(t, idle=idle, work=work, shift=shift, noise=noise):
            return (3.0 * work if 2.0 < t <= 5.0 else idle) + shift + next(noise)

        known = info(Shape.MEAN, 20.0, accuracy=accuracy, offset_w=offset)
        found = analyse(recording(stream(power, 7.0, 20.0), known))
        for name, truth in (("gross", 3e-3), ("net", 2e-3)):
            interval = getattr(found, name).interval
            covered[name] += interval.low <= truth <= interval.high
    assert min(covered.values()) >= 0.95 * draws, covered


@pytest.mark.parametrize("share", [0.3, 1.0, 3.0])
def test_the_mean_of_batches_near_the_floor_has_no_bias(share):
    """An operation takes 0.3, 1 or 3 times the noise of one batch, 10 mJ, above idling: the mean of
    400 batches is it.

    Batches below zero belong to the mean: without them it would be 1.2 to 3.4 times the truth.
    """
    rng, noise, count = np.random.default_rng(23), 0.01, 400
    truth = share * noise
    powers = 1.0 + truth + rng.normal(0, noise, count)
    windows = [Window(IDLE, 0.0, 5.0), *(Window(BATCH, 5.0 + n, 6.0 + n, 1) for n in range(count))]
    windows.append(Window(IDLE, 5.0 + count, 10.0 + count))
    watts = [1.0] * 51 + [float(power) for power in powers for _ in range(10)] + [1.0] * 50
    samples = [PowerSample(number / 10, power) for number, power in enumerate(watts)]
    answer = analyse(Recording(info(Shape.MEAN, 10.0), {}, samples, windows, COMPLETE))
    values = [batch.net.joules for batch in answer.batches if batch.net is not None]
    error = 4 * noise / math.sqrt(count)
    assert np.mean(values) == pytest.approx(truth, abs=error)
    assert len(values) == count
    assert answer.net.interval.low <= truth <= answer.net.interval.high


# A known load


def load(watts, **more):
    stretch_of = [PowerSample(index / 100, watts, 3.3, watts / 3.3) for index in range(301)]
    return Recording(info(**more), {}, stretch_of, [Window(LOAD, 0.5, 2.5)], "complete")


def test_known_load():
    """3.3 V at 100 ohm are 108.9 mW."""
    answer = printed(known_load(load(0.1089 * 1.02, accuracy=0.03), 100.0, None))
    assert answer["expected_w"] == pytest.approx(0.1089)
    assert answer["error"] == pytest.approx(0.02)
    assert answer["within_accuracy"] is True
    assert known_load(load(0.1089 * 1.05, accuracy=0.03), 100.0, 3.3).within_accuracy is False
    assert known_load(load(0.1089), 100.0, 3.3).within_accuracy is None


def test_a_load_without_a_voltage():
    silent = load(0.1)
    silent.samples = [PowerSample(sample.t, sample.watts) for sample in silent.samples]
    assert "no voltage is given" in known_load(silent, 100.0, None).problems[0]
