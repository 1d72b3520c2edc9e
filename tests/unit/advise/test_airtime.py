"""Time on air against published numbers, exactly, and the limits of radios."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.advise.radio.airtime import CODING_RATES, Ldro, Modulation, fsk, lora
from motebench.base.errors import InputError
from motebench.catalog.radios import RADIOS

SX1276, SX1262 = RADIOS.find("sx1276"), RADIOS.find("sx1262")


def on_air(sf: int, bandwidth: str, payload: int, radio=SX1276, **setting) -> Fraction:
    return lora(Modulation(sf, Fraction(bandwidth), **setting), payload, radio).time_ms


# The Things Stack, pkg/toa/toa_test.go: microseconds of packets of 10 bytes and of others, explicit
# header and CRC.
@pytest.mark.parametrize(
    ("sf", "bandwidth", "coding_rate", "payload", "microseconds"),
    [
        (7, "125", "4/5", 10, 41216),
        (8, "125", "4/5", 10, 72192),
        (9, "125", "4/5", 10, 144384),
        (10, "125", "4/5", 10, 288768),
        (11, "125", "4/5", 10, 577536),
        (12, "125", "4/5", 10, 991232),
        (7, "250", "4/5", 10, 20608),
        (7, "500", "4/5", 10, 10304),
        (7, "125", "4/6", 10, 45312),
        (7, "125", "4/7", 10, 49408),
        (7, "125", "4/8", 10, 53504),
        (7, "125", "4/5", 13, 46336),
        (7, "125", "4/5", 15, 46336),
        (7, "125", "4/5", 16, 51456),
        (7, "125", "4/5", 19, 51456),
    ],
)
def test_packets_of_the_things_stack(sf, bandwidth, coding_rate, payload, microseconds):
    assert on_air(sf, bandwidth, payload, coding_rate=coding_rate) * 1000 == microseconds


def test_example_worked_out_from_the_application_note():
    """The public spreadsheet "Formulas taken from AN1200.13": 13 bytes, SF9, 125 kHz, 4/5, explicit
    header.
    """
    air = lora(Modulation(9, Fraction(125)), 13, SX1276)
    assert air.symbol_ms == Fraction("4.096")
    assert air.preamble_symbols * air.symbol_ms == Fraction("50.176")
    assert air.payload_symbols == 28
    assert air.time_ms == Fraction("164.864")


def test_fsk_packet_of_the_things_stack():
    assert fsk(50000, 200, SX1276).time_ms == Fraction("33.76")


def test_short_spreading_factors_of_the_sx126x():
    """By hand from the SX1261/2 data sheet, 6.1.4: SF5, 125 kHz, 10 bytes, CRC, explicit header.

    ceil((80 + 16 - 20 + 20) / 20) = 5 groups of 5 symbols; 8 + 6.25 + 8 + 25 = 47.25 symbols of
    0.256 ms.
    """
    assert on_air(5, "125", 10, SX1262) == Fraction("12.096")
    # SF6: ceil((80 + 16 - 24 + 20) / 24) = 4 groups; 8 + 6.25 + 8 + 20 = 42.25 symbols of 0.512 ms.
    assert on_air(6, "125", 10, SX1262) == Fraction("21.632")


def test_spreading_factor_6_of_the_sx1276_by_hand():
    """ceil((80 - 24 + 28 + 16 - 20) / 24) = 4 groups of 5; 12.25 + 8 + 20 = 40.25 symbols of 0.512
    ms.
    """
    assert on_air(6, "125", 10, implicit=True) == Fraction("20.608")


@pytest.mark.parametrize(
    ("sf", "bandwidth", "optimised"),
    [
        (10, "125", False),
        (11, "125", True),
        (12, "125", True),
        (11, "250", False),
        (12, "250", True),
        (12, "500", False),
        (10, "62.5", True),
        (7, "7.8", True),
        (6, "7.8", False),
    ],
)
def test_low_data_rate_optimisation_above_16_ms(sf, bandwidth, optimised):
    assert Modulation(sf, Fraction(bandwidth)).optimised is optimised


def test_low_data_rate_optimisation_can_be_forced():
    assert (
        on_air(12, "125", 51, ldro=Ldro.OFF)
        < on_air(12, "125", 51)
        == on_air(12, "125", 51, ldro=Ldro.ON)
    )


def test_header_crc_and_preamble_by_hand():
    """SF7, 125 kHz, 20 bytes: 6 symbols per 4 (SF - 2 DE) bits; each symbol lasts 1.024 ms."""
    # ceil((160 - 28 + 28 + 16) / 28) = 7 groups; ceil(160 / 28) = 6; ceil((160 + 16 - 20) / 28) = 6
    assert on_air(7, "125", 20) == Fraction("1.024") * (Fraction("12.25") + 8 + 35)
    assert on_air(7, "125", 20, crc=False) == Fraction("1.024") * (Fraction("12.25") + 8 + 30)
    assert on_air(7, "125", 20, implicit=True) == Fraction("1.024") * (Fraction("12.25") + 8 + 30)
    assert on_air(7, "125", 20, preamble=12) - on_air(7, "125", 20) == 4 * Fraction("1.024")


SETTINGS = st.builds(
    Modulation,
    sf=st.integers(7, 12),
    bandwidth_khz=st.sampled_from([Fraction(str(value)) for value in SX1276.bandwidths_khz]),
    coding_rate=st.sampled_from(list(CODING_RATES)),
    preamble=st.integers(6, 100),
    implicit=st.booleans(),
    crc=st.booleans(),
    ldro=st.sampled_from(list(Ldro)),
)


@given(SETTINGS, st.integers(0, 254))
def test_a_longer_payload_never_takes_less_time(setting, payload):
    assert lora(setting, payload, SX1276).time_ms <= lora(setting, payload + 1, SX1276).time_ms


@given(SETTINGS, st.integers(0, 255))
def test_a_packet_is_a_whole_number_of_quarter_symbols(setting, payload):
    air = lora(setting, payload, SX1276)
    assert air.time_ms == (air.preamble_symbols + air.payload_symbols) * air.symbol_ms
    assert (air.time_ms / air.symbol_ms * 4).denominator == 1


@given(SETTINGS, st.integers(0, 255))
def test_both_families_agree_where_both_can_do_it(setting, payload):
    assert lora(setting, payload, SX1276) == lora(setting, payload, SX1262)


@pytest.mark.parametrize(
    ("sf", "bandwidth", "payload", "setting", "said"),
    [
        (5, "125", 10, {}, "has no SF5"),
        (13, "125", 10, {}, "has no SF13"),
        (6, "125", 10, {}, "only with an implicit header"),
        (7, "126", 10, {}, "no bandwidth of 126 kHz"),
        (7, "0", 10, {}, "no bandwidth of 0 kHz"),
        (7, "125", 256, {}, "payload of 256 bytes"),
        (7, "125", 300, {}, "payload of 300 bytes"),
        (7, "125", -1, {}, "payload of -1 bytes"),
        (7, "125", 10, {"preamble": 5}, "preamble of 5 symbols"),
        (7, "125", 10, {"preamble": 65536}, "preamble of 65536 symbols"),
        (7, "125", 10, {"coding_rate": "5/6"}, "unknown coding rate '5/6'"),
    ],
)
def test_what_a_radio_cannot_do_is_refused(sf, bandwidth, payload, setting, said):
    with pytest.raises(InputError, match=said) as refused:
        on_air(sf, bandwidth, payload, **setting)
    assert refused.value.where is not None
    assert [text for text in (refused.value.valid, refused.value.hint) if text], "a way on"


def test_exact_narrow_bandwidths_are_known_too():
    assert on_air(7, "7.8125", 10) < on_air(7, "7.8", 10)
