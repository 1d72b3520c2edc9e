"""Engines of devices: calculated by hand from the cycles of a block and the assumed driver."""

from __future__ import annotations

import pytest

from motebench.catalog.devices import devices
from motebench.choice.hardware import BLOCKS, cycles, driver, of_device
from motebench.choice.request import Request, answer
from motebench.model import Evidence

SAML21 = devices()["atsaml21j18b"]


@pytest.mark.parametrize(
    ("mode", "size", "blocks"),
    [
        ("ctr", 0, 0), ("ctr", 1, 1), ("ctr", 16, 1), ("ctr", 17, 2),
        ("cbc", 0, 1), ("cbc", 15, 1), ("cbc", 16, 2),
        ("cmac", 0, 1), ("cmac", 16, 1), ("cmac", 17, 2),
        ("ccm", 0, 2), ("ccm", 16, 4), ("ccm", 24, 6),
    ],
)  # fmt: skip
def test_blocks_of_a_message(mode, size, blocks):
    """CCM of 24 bytes, SP 800-38C: B0, two blocks of text in the MAC, two counters for the text, one for the MAC."""
    assert BLOCKS[mode](size) == blocks


def test_a_message_by_hand():
    """SAM L21: 6 x (57 + 100) + 600 cycles; at best 6 x (57 + 20) + 100, at worst 6 x (57 + 300) + 3,000."""
    found = cycles(SAML21.accelerators[0], 128, "ccm", 24)
    assert (found.low, found.typical, found.high) == (562, 1542, 5142)
    assert driver().source.document.startswith("assumption")


def test_offers_are_modelled_and_only_for_keys_that_the_engine_takes():
    offers = {offer.scheme: offer for offer in of_device(devices()["stm32wle5"], 24).offers}
    assert {"aes-128-ccm", "aes-256-cmac"} <= set(offers)
    assert not {"aes-192-ccm", "aes-128-gcm", "aes-128-ecb"} & set(offers)
    point = offers["aes-128-ccm"].points["encrypt-message", 24]
    assert point.seconds.typical == pytest.approx((6 * (51 + 100) + 600) / 48e6)
    assert all(offer.evidence is Evidence.MODELLED for offer in offers.values())


def test_a_device_without_results_is_answered_by_its_engine():
    found = answer(Request(device=devices()["nrf52840"], message_bytes=24))
    assert {offer.implementation for offer in found.offers} == {"hardware/aes"}
    first = found.answer.ranked[0].candidate
    assert first.latency is not None and first.latency.evidence is Evidence.MODELLED
    assert any("assumed driver" in note for note in found.notes)


def test_software_on_a_stand_in_is_compared_with_the_engine():
    """The SAM L21 has the core of the SAMD21: its results count with 20 % around them."""
    found = answer(Request(device=SAML21, message_bytes=24, research=True))
    names = {offer.implementation for offer in found.offers}
    assert "hardware/aes" in names and "mote/aes-sbox" in names
