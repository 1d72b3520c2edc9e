"""Sizes, percentages, durations, and plain units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.base.errors import InputError
from motebench.base.units import (
    format_size,
    format_value,
    format_within,
    life_words,
    parse_duration,
    parse_percent,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("16", 16),
        (16, 16),
        ("16 B", 16),
        ("1 MB", 10**6),
        ("1 MiB", 2**20),
        ("1KiB", 1024),
        ("1.5 kB", 1500),
        ("2_000", 2000),
        ("1 TiB", 2**40),
        ("100mb", 10**8),
    ],
)
def test_sizes(text: str | int, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1 M",
        "1 K",
        "-1",
        "1.5",
        "1.0001 kB",
        "2 TiB",
        "0x10",
        "1 %",
        "1e3",
        True,
        None,
        [1],
    ],
)
def test_what_is_no_size(text: object) -> None:
    with pytest.raises(InputError) as caught:
        parse_size(text, where="--size")  # type: ignore[arg-type]
    assert caught.value.where == "--size"
    assert caught.value.valid


@given(st.integers(1, 2**40))
def test_a_size_survives_being_written(size: int) -> None:
    assert parse_size(format_size(size)) == size


def test_percentages_carry_their_sign() -> None:
    assert parse_percent("1%") == 0.01
    assert parse_percent("0.5 %") == 0.005
    for bad in ("1", "0%", "100%", "-1%", "abc", "1 %%"):
        with pytest.raises(InputError):
            parse_percent(bad)


def test_durations_carry_their_unit() -> None:
    assert [parse_duration(text) for text in ("500ms", "60s", "2 min", "1h")] == [
        0.5,
        60.0,
        120.0,
        3600.0,
    ]
    for bad in ("60", "0s", "1 day", "", "-1s"):
        with pytest.raises(InputError):
            parse_duration(bad)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1234.5, "ns", "1.23 µs"),
        (999.96, "ns", "1.00 µs"),
        (999.4, "ns", "999 ns"),
        (0.5, "ns", "0.5 ns"),
        (0, "ns", "0 ns"),
        (1.4e9, "B/s", "1.40 GB/s"),
        (2**20, "B", "1.00 MiB"),
        (9.9996, "ns", "10.0 ns"),
        (0.987, "1", "0.987"),
        (None, "ns", "n/a"),
        (float("nan"), "ns", "n/a"),
        (5e10, "ns", "50.0 s"),
    ],
)
def test_plain_units(value: float | None, unit: str, text: str) -> None:
    assert format_value(value, unit) == text


def test_short_and_long_times():
    assert parse_duration("180us") == pytest.approx(180e-6)
    assert parse_duration("1d") == 86400


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (15.18e-6, "J", "15.2 µJ"),
        (0.236, "J", "236 mJ"),
        (6.3e-7, "J/B", "630 nJ/B"),
        (0.01518, "W", "15.2 mW"),
        (4.06e-6, "A", "4.06 µA"),
        (0.0715, "C", "71.5 mC"),
    ],
)
def test_electrical_units_as_people_read_them(value, unit, text):
    assert format_value(value, unit) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "most", "text"),
    [
        (262.4, 220.0, 304.0, 4, "262 ns"),
        (262.4, 102.0, 422.0, 4, "260 ns"),
        (1129.76, 1128.0, 1131.0, 6, "1.1298 µs"),
        (1129.76, None, None, 4, "1.130 µs"),
        (12137.0, 12137.0, 12137.0, 4, "12.14 µs"),
        (0.5, -40.0, 41.0, 3, "0.5 ns"),
        (69.8, 55.0, 84.0, 3, "70 ns"),
    ],
)
def test_a_value_has_the_digits_that_its_interval_carries(value, low, high, most, text):
    assert format_within(value, "ns", low, high, most) == text


@pytest.mark.parametrize(
    ("years", "text"),
    [
        (2.345, "2.35 years"),
        (1.0, "1 years"),
        (0.9507, "347 days"),
        (0.05, "18.3 days"),
        (0.001, "8.77 hours"),
        (6.34e-06, "3.33 minutes"),
        (1e-9, "0.000526 minutes"),
        (0.0, "0 years"),
    ],
)
def test_a_life_below_a_year_is_in_days(years: float, text: str) -> None:
    assert life_words(years) == text
