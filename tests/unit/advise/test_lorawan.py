"""Costs and limits of LoRaWAN: headers, longest payloads, duty cycle, dwell time, fragments."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motebench.advise.radio import lorawan
from motebench.advise.radio.lorawan import LorawanLink, deliver
from motebench.base.errors import InputError
from motebench.catalog.radios import RADIOS, REGIONS, networks

SX1276 = RADIOS.find("sx1276")
EU868, US915 = REGIONS.find("EU868"), REGIONS.find("us915")


def frame(region, dr, payload, fopts=0):
    return lorawan.uplink(region, lorawan.data_rate(region, dr), payload, SX1276, fopts)


# Regional Parameters, tables of longest payloads without repeaters (N): RP002 (EU868), 1.0.3 table
# 16 (US915), RP002-1.0.5 table 73 (AS923); brocaar/lorawan, band/ (AU915, IN865).
@pytest.mark.parametrize(
    ("region", "longest"),
    [
        ("eu868", {0: 51, 1: 51, 2: 51, 3: 115, 4: 242, 5: 242, 6: 242, 7: 242}),
        ("us915", {0: 11, 1: 53, 2: 125, 3: 242, 4: 242}),
        ("as923", {0: 51, 1: 51, 2: 115, 3: 115, 4: 242, 5: 242, 6: 242, 7: 242}),
        ("au915", {0: 51, 1: 51, 2: 51, 3: 115, 4: 242, 5: 242, 6: 242}),
        ("au915-dwell", {2: 11, 3: 53, 4: 125, 5: 242, 6: 242}),
        ("in865", {0: 51, 1: 51, 2: 51, 3: 115, 4: 242, 5: 242, 7: 242}),
        ("as923-dwell", {2: 11, 3: 53, 4: 125, 5: 242, 6: 242, 7: 242}),
    ],
)
def test_longest_payloads(region, longest):
    found = REGIONS.find(region)
    assert {rate.dr: lorawan.longest_payload(rate) for rate in found.data_rates} == longest
    for dr, payload in longest.items():
        assert frame(found, dr, payload).phy_payload_bytes == payload + 13
        with pytest.raises(InputError, match="do not fit into one frame"):
            frame(found, dr, payload + 1)


def test_an_empty_message_of_13_bytes_fits_647_times_into_fair_use():
    """The Things Network forum, Fair use policy explained: 647 packets at SF7, 4.6 s apart at 1
    %.
    """
    air = frame(EU868, 5, 0).airtime.time_ms
    assert air == Fraction("46.336")
    (ttn,) = (network for network in networks() if network.id == "ttn")
    assert lorawan.by_network(ttn, air).per_day == 647
    assert lorawan.by_law(EU868.default_sub_band, air).pause_ms == Fraction("4587.264")


def test_duty_cycle_by_hand():
    """51 bytes at DR0: 73 + 12.25 symbols of 32.768 ms; 36 s an hour hold 12 of them."""
    air = frame(EU868, 0, 51).airtime.time_ms
    assert air == Fraction("2793.472")
    law = lorawan.by_law(lorawan.sub_band(EU868, None), air)
    assert (law.name, law.duty_cycle, law.per_hour) == ("868-868.6", 0.01, 12)
    assert lorawan.by_law(lorawan.sub_band(EU868, "869.4-869.65"), air).per_hour == 128


def test_mac_options_take_their_room():
    rate = lorawan.data_rate(EU868, 0)
    assert lorawan.longest_payload(rate, 15) == 36
    assert frame(EU868, 0, 36, fopts=15).phy_payload_bytes == 64
    with pytest.raises(InputError, match="do not fit"):
        frame(EU868, 0, 37, fopts=15)
    with pytest.raises(InputError, match="16 bytes of FOpts"):
        lorawan.longest_payload(rate, 16)


@pytest.mark.parametrize(
    "name", [name for name, region in REGIONS.all().items() if region.dwell_time_ms is not None]
)
def test_dwell_time_is_kept_by_every_payload_that_is_allowed(name):
    region = REGIONS.find(name)
    times = [
        lorawan.on_air(region, rate, rate.max_payload_bytes + 13, SX1276).time_ms
        for rate in region.data_rates
    ]
    assert len(times) >= 5
    assert max(times) <= region.dwell_time_ms


def test_dwell_time_refuses_what_the_table_would_let_through():
    wide = US915.model_copy(
        update={"data_rates": (US915.data_rates[0].model_copy(update={"max_payload_bytes": 51}),)}
    )
    with pytest.raises(InputError, match="longer than US902-928 allows"):
        frame(wide, 0, 51)


def test_receive_windows_of_class_a():
    """EU868 DR5: 8 symbols of SF7 (1.024 ms), then of SF12 (32.768 ms); US915 DR0 answers in 500
    kHz.
    """
    assert lorawan.windows(EU868, lorawan.data_rate(EU868, 5), 8) == (
        Fraction("0.008192"),
        Fraction("0.262144"),
    )
    assert lorawan.windows(US915, lorawan.data_rate(US915, 0), 8) == (
        Fraction("0.016384"),
        Fraction("0.065536"),
    )
    assert lorawan.windows(EU868, lorawan.data_rate(EU868, 7), 8)[0] == Fraction("0.00128")


@given(st.integers(0, 2000), st.integers(6, 242))
def test_fragments_carry_all_of_the_message_and_each_fits(payload, longest):
    parts = lorawan.fragments(payload, longest)
    assert max(parts) <= longest
    if len(parts) == 1:
        assert parts == [payload]
    else:
        assert payload > longest
        assert (
            sum(parts)
            == payload + len(parts) * lorawan.FRAGMENT_HEADER_BYTES + lorawan.FRAGMENT_CHECK_BYTES
        )
        assert all(part > lorawan.FRAGMENT_HEADER_BYTES for part in parts)


def test_a_ciphertext_in_fragments_takes_what_was_computed_by_hand():
    """768 bytes and a check of 4 in frames of 242, of which one is the header. AN1200.13 at SF7:
    12.25 symbols of 1.024 ms, and 8 + 5 ceil((8 n + 16) / 28), for n = 255 and 63: 3 x 399.616 +
    118.016 ms."""
    assert lorawan.fragments(768, 242) == [242, 242, 242, 50]
    at = LorawanLink(radio=SX1276, region=EU868, rate=lorawan.data_rate(EU868, 5), fragment=True)
    assert deliver(at, 768).seconds == pytest.approx(1.316864, abs=1e-9)


def test_fragments_need_room():
    with pytest.raises(InputError, match="no room for data"):
        lorawan.fragments(20, 5)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: lorawan.data_rate(EU868, 8), "no uplink data rate DR8"),
        (lambda: lorawan.data_rate(US915, 7), "no uplink data rate DR7"),
        (lambda: lorawan.sub_band(EU868, "g5"), "no sub-band 'g5'"),
        (lambda: lorawan.sub_band(US915, "g1"), "no sub-band 'g1'"),
        (lambda: frame(EU868, 0, -1), "-1 bytes"),
        (lambda: REGIONS.find("EU869"), "unknown LoRaWAN region 'EU869'"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(call, said):
    with pytest.raises(InputError, match=said) as refused:
        call()
    assert refused.value.valid
