"""Engines of devices: calculated by hand from the cycles of a block and the assumed driver."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from motebench.advise.choice.candidate import Point, SchemeOffer
from motebench.advise.choice.choosing import answer
from motebench.advise.choice.modelled import BLOCKS, cycles, driver, of_engines
from motebench.advise.choice.question import Need, Role
from motebench.advise.choice.request import ChoiceRequest
from motebench.advise.reference.table import references
from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.devices import devices
from motebench.documents.choice import ReferenceOrigin

SAML21 = devices()["atsaml21j18b"]


@pytest.mark.parametrize(
    ("mode", "size", "blocks"),
    [
        ("ctr", 0, 0),
        ("ctr", 1, 1),
        ("ctr", 16, 1),
        ("ctr", 17, 2),
        ("cbc", 0, 1),
        ("cbc", 15, 1),
        ("cbc", 16, 2),
        ("cmac", 0, 1),
        ("cmac", 16, 1),
        ("cmac", 17, 2),
        ("ccm", 0, 2),
        ("ccm", 16, 4),
        ("ccm", 24, 6),
    ],
)
def test_blocks_of_a_message(mode, size, blocks):
    """CCM of 24 bytes, SP 800-38C: B0, two blocks of text in the MAC, two counters for the text,
    one for the MAC.
    """
    assert BLOCKS[mode](size) == blocks


def test_a_message_by_hand():
    """SAM L21: 6 x (57 + 100) + 600 cycles; at best 6 x (57 + 20) + 100, at worst 6 x (57 + 300) +
    3,000.
    """
    found = cycles(SAML21.accelerators[0], 128, "ccm", 24)
    assert (found.low, found.typical, found.high) == (562, 1542, 5142)
    assert driver().source.document.startswith("assumption")


def test_offers_are_modelled_and_only_for_keys_that_the_engine_takes():
    offers = {
        offer.scheme: offer
        for offer in of_engines(devices()["stm32wle5"], Need.AEAD, None, (), 24).offers
    }
    assert {"aes-128-ccm", "aes-256-cmac"} <= set(offers)
    assert not {"aes-192-ccm", "aes-128-gcm", "aes-128-ecb"} & set(offers)
    point = offers["aes-128-ccm"].points["encrypt-message", 24]
    assert point.seconds.typical == pytest.approx((6 * (51 + 100) + 600) / 48e6)
    assert all(offer.evidence is Evidence.MODELLED for offer in offers.values())


def test_an_engine_comes_before_research_and_software():
    found = answer(
        ChoiceRequest(device=devices()["nrf52840"], message_bytes=24, constant_time=True)
    )
    first = found.ranked[0].candidate
    assert first.implementation == "hardware/aes"
    assert first.latency is not None and first.latency.evidence is Evidence.MODELLED
    assert any("assumed driver" in note for note in found.notes)


@pytest.mark.parametrize("name", ["stm32wl", "stm32wle5"])
def test_results_that_are_not_proven_have_bounds_also_in_memory(name):
    """SHA-256 of 64 bytes: 0.8 to 1.4 times the simulated cycles, at 48 MHz."""
    found = answer(ChoiceRequest(device=devices()[name], message_bytes=64, need=Need.HASH))
    candidate = next(
        entry.candidate
        for entry in found.ranked
        if entry.candidate.implementation == "bearssl/sha256" and entry.candidate.scheme == "sha256"
    )
    assert candidate.latency and candidate.flash and candidate.latency.evidence is Evidence.MODELLED
    (entry,) = (
        entry
        for entry in references()["sim:stm32wl"].entries.values()
        if (entry.implementation, entry.scheme, entry.input_bytes)
        == ("bearssl/sha256", "sha256", 64)
    )
    seconds = entry.values["cycles"] / 48e6
    assert astuple(candidate.latency.value) == pytest.approx(
        (0.8 * seconds, seconds, 1.4 * seconds)
    )
    flash = candidate.flash.value
    assert (flash.low, flash.high) == pytest.approx((0.99 * flash.typical, 1.01 * flash.typical))
    assert any("within bounds: 0.8 to 1.4 times the cycles" in note for note in found.notes)


@pytest.mark.parametrize("need", [Need.SIGNATURE, Need.AGREEMENT, Need.KEM, Need.UPDATE, Need.MAC])
def test_devices_with_another_core_can_be_asked_for_every_need(need):
    size = 0 if need in (Need.AGREEMENT, Need.KEM) else 1024
    assert answer(
        ChoiceRequest(device=devices()["stm32wle5"], message_bytes=size, need=need, research=True)
    ).ranked


def test_software_on_a_stand_in_is_compared_with_the_engine():
    """The SAM L21 has the core of the SAMD21: its results count with 20 % around them."""
    found = answer(ChoiceRequest(device=SAML21, message_bytes=24, research=True))
    names = {offer.implementation for offer in found.offers}
    assert "hardware/aes" in names and "mote/aes-sbox" in names


@pytest.mark.parametrize(
    ("need", "scheme", "implementation", "linked"),
    [
        (Need.MAC, "hmac-sha256", "mbedtls/hmac-sha256", 4_068),
        (Need.MAC, "hmac-sha256", "bearssl/hmac", 2_256),
        (Need.MAC, "aes-128-cmac", "mbedtls/cmac-fewer", 6_856),
        (Need.AEAD, "aes-128-ccm", "bearssl/aes-small", 2_316),
    ],
)
def test_bounds_of_flash_contain_what_was_linked_by_hand(
    need: Need, scheme: str, implementation: str, linked: int
):
    """Linked without the probe for a Cortex-M0+, by GCC 12.2 -Os, less a main function that calls
    nothing.
    """
    request = ChoiceRequest(
        device=devices()["samd21g18a"],
        message_bytes=24,
        need=need,
        schemes=(scheme,),
        implementations=(implementation,),
    )
    flash = answer(request).ranked[0].candidate.flash
    assert flash is not None and flash.value.low < linked < flash.value.high


@pytest.mark.parametrize(("size", "blocks"), [(0, 1), (55, 1), (56, 2), (119, 2), (120, 3)])
def test_blocks_of_a_digest(size, blocks):
    """FIPS 180-4, 5.1.1: a bit, zeros, and a length of 64 bits."""
    sha256 = schemes()["sha256"]
    block = algorithm_of(sha256).input_block_of(sha256)
    assert block is not None
    assert block.calls(size) == blocks


def test_a_digest_by_hand():
    """RP2350, 100 bytes: 2 x (57 + 100) + 600 cycles of 150 MHz."""
    (offer,) = of_engines(devices()["rp2350-hazard3"], Need.HASH, None, (), 100).offers
    assert (offer.scheme, offer.implementation) == ("sha256", "hardware/sha256")
    seconds = offer.points["digest", 100].seconds
    assert seconds.typical * 150e6 == pytest.approx(2 * (57 + 100) + 600)
    assert (seconds.low * 150e6, seconds.high * 150e6) == (
        pytest.approx(2 * (57 + 20) + 100),
        pytest.approx(2 * (57 + 300) + 3000),
    )


def test_no_engine_of_blocks_offers_a_digest_where_none_is_needed():
    device = devices()["rp2350-hazard3"]
    assert not of_engines(device, Need.AEAD, None, (), 100).offers


def _hash(cycles_of_digest: int) -> SchemeOffer:
    origin = ReferenceOrigin(
        file="",
        target="sim:stm32wl",
        scheme="sha256",
        implementation="mbedtls-3/sha256",
        operation="digest",
        input_bytes=32,
        compiler=None,
        cycles=cycles_of_digest,
    )
    seconds = Interval.exact(cycles_of_digest / 48e6)
    point = Point(seconds, {"flash": Interval.exact(3000.0)}, origin)
    return SchemeOffer("sha256", "mbedtls-3/sha256", Evidence.SIMULATED, {("digest", 32): point})


@pytest.mark.parametrize(
    ("role", "operation", "published"),
    [(Role.SIGN, "sign", 5_249_000), (Role.VERIFY, "verify", 10_498_000)],
)
def test_a_signature_by_the_engine_is_its_cycles_the_driver_and_the_hash(
    role, operation, published
):
    device = devices()["stm32wl"]
    (offer,) = of_engines(device, Need.SIGNATURE, role, (_hash(5000),), 24).offers
    assert (offer.scheme, offer.implementation) == ("ecdsa-p256-sha256", "hardware/pka")
    point = offer.points[operation, 32]
    assert point.seconds.typical * 48e6 == pytest.approx(published + 600 + 5000)
    assert point.memory["flash"].typical == 1000 + 3000


def test_no_signature_by_an_engine_without_a_hash_and_no_agreement():
    device = devices()["stm32wl"]
    assert not of_engines(device, Need.SIGNATURE, Role.SIGN, (), 24).offers
    assert not of_engines(device, Need.AGREEMENT, None, (_hash(5000),), 24).offers


def test_bounds_of_the_engine_contain_what_others_measured():
    """p256-cm4 measured 5,211,859 and 10,516,860 cycles on an STM32WLE5."""
    for name in ("stm32wl", "stm32wle5"):
        (engine,) = devices()[name].key_engines
        sign, verify = (entry.cycles for entry in engine.operations)
        assert sign.minimum <= 5_211_859 <= sign.maximum
        assert verify.minimum <= 10_516_860 <= verify.maximum
