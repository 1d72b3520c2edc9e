"""Cost of a signature whose number of attempts is random: from a file of the catalog."""

from __future__ import annotations

import pytest

from motebench.advise.choice.choosing import answer
from motebench.advise.choice.question import Need
from motebench.advise.choice.request import ChoiceRequest
from motebench.catalog.devices import devices


def test_ml_dsa_signs_with_the_mean_of_its_attempts():
    """4,600,461 cycles beside and 10,277,546 an attempt: 4.25 attempts are the typical value, one
    is the least.
    """
    found = answer(
        ChoiceRequest(device=devices()["samd21g18a"], message_bytes=32, need=Need.SIGNATURE)
    )
    one = next(each.candidate for each in found.ranked if each.candidate.scheme == "ml-dsa-44")
    assert one.latency is not None
    low, typical = one.latency.value.low * 48e6, one.latency.value.typical * 48e6
    assert low == pytest.approx((4_600_461 + 10_277_546) / 1.017)  # over places of the code
    assert typical == pytest.approx(4_600_461 + 4.25 * 10_277_546, rel=1e-6)
    assert one.latency.value.high > 3 * one.latency.value.typical


def test_ml_dsa_65_signs_on_the_samd21_too():
    """5.1 attempts are expected (FIPS 204, table 1)."""
    found = answer(
        ChoiceRequest(device=devices()["samd21g18a"], message_bytes=32, need=Need.SIGNATURE)
    )
    ranked = (each.candidate for each in found.ranked if each.candidate.scheme == "ml-dsa-65")
    cycles = {
        each.implementation: each.latency.value.typical * 48e6 for each in ranked if each.latency
    }
    assert cycles["mldsa-native/ml-dsa-small"] == pytest.approx(
        4_702_395 + 5.1 * 16_454_872, rel=1e-6
    )
