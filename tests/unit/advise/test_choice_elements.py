"""Secure elements: calculated by hand from the files of the catalog."""

from __future__ import annotations

import pytest

from motebench.advise.choice.candidate import Judged
from motebench.advise.choice.choosing import answer
from motebench.advise.choice.modelled import part_of
from motebench.advise.choice.question import Need, Role
from motebench.advise.choice.request import ChoiceRequest
from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.devices import devices
from motebench.catalog.parts import BATTERIES, ELEMENTS, Element
from motebench.catalog.quantities import State

ATECC = ELEMENTS.find("atecc608b")
BOARD = devices()["samd21g18a"]
DAY = 86400.0


def asked(need: Need, **more: object) -> list[Judged]:
    request = ChoiceRequest(
        **{"device": BOARD, "message_bytes": 0, "need": need, "element": ATECC, **more}
    )
    return [entry.candidate for entry in answer(request).ranked]


def of(found: list[Judged], implementation: str) -> Judged:
    return next(one for one in found if one.offers[0].implementation == implementation)


def test_a_signature_takes_wake_bus_element_and_hash():
    """123 bytes of 9 bits at 400 kHz, 1.5 ms to wake, 60 ms in the element, and less than 1 ms for
    the hash.
    """
    found = of(asked(Need.SIGNATURE, message_bytes=32), "element/atecc608b")
    bus = (48 + 71 + 2 * 2) * 9 / 400e3
    assert found.latency is not None and found.flash is not None
    assert found.latency.value.typical == pytest.approx(0.0015 + bus + 0.06, abs=1e-3)
    assert found.latency.value.typical > 0.0015 + bus + 0.06
    assert found.latency.value.high > 0.135 + (48 + 71 + 4) * 9 / 100e3
    assert "private key" not in found.latency.note, "it is in the element"
    drawn = found.energy["element"].value.typical
    assert drawn == pytest.approx(((0.0015 + bus) * 2e-3 + 0.06 * 14e-3) * 3.3)


def test_an_agreement_makes_a_key_and_a_secret():
    found = of(asked(Need.AGREEMENT), "element/atecc608b")
    bus = (8 + 67 + 2 + 72 + 35 + 2) * 9 / 400e3
    assert found.latency is not None
    assert found.latency.value.typical == pytest.approx(2 * 0.0015 + bus + 0.06 + 0.045)


def test_its_sleep_current_counts_for_every_candidate():
    """30 nA at 3.3 V through a day beside those of the processor."""
    more = {"message_bytes": 32, "every_s": DAY, "battery": BATTERIES.find("cr2032")}
    software = "monocypher/ed25519"
    with_it = of(asked(Need.SIGNATURE, **more), software).energy["sleep"].value.typical
    without = (
        of(asked(Need.SIGNATURE, element=None, **more), software).energy["sleep"].value.typical
    )
    assert with_it - without == pytest.approx(30e-9 * 3.3 * DAY)


def test_an_update_is_checked_by_the_element_and_hashed_by_software():
    found = of(asked(Need.UPDATE, message_bytes=100 * 1024, role=Role.VERIFY), "element/atecc608b")
    assert found.scheme == "ecdsa-p256-sha256 + sha256"
    assert "element" in found.energy


def test_a_need_that_it_does_not_serve_says_so():
    request = ChoiceRequest(device=BOARD, need=Need.KEM, message_bytes=0, element=ATECC)
    assert any("does nothing for this need" in note for note in answer(request).notes)


def test_a_mac_goes_through_the_bus_block_by_block():
    """CMAC of 24 bytes: two blocks and the one that gives the subkey; 24 bytes there and 19 back
    each.
    """
    found = of(asked(Need.MAC, message_bytes=24, schemes=("aes-128-cmac",)), "element/atecc608b")
    assert found.latency is not None
    bus = 3 * (24 + 19 + 2) * 9 / 400e3
    assert found.latency.value.typical == pytest.approx(0.0015 + bus + 3 * 0.009)
    # Commands without ECC draw 2 mA, as the bus does.
    assert found.energy["element"].value.typical == pytest.approx(
        (0.0015 + bus + 0.027) * 2e-3 * 3.3
    )


@pytest.mark.parametrize(
    ("scheme", "size", "aes", "wide"),
    [("ctr", 24, 2, 0), ("cbc", 32, 3, 0), ("ccm", 24, 6, 0), ("gcm", 24, 4, 3), ("gcm", 0, 2, 1)],
)
def test_commands_of_a_message(scheme: str, size: int, aes: int, wide: int):
    """GCM: a hash key, the first counter, a block each; GHASH of each block and of the lengths.
    CCM: SP 800-38C.
    """
    task = ATECC.task(f"aes-128-{scheme}", Operation.ENCRYPT_MESSAGE)
    assert task is not None
    work = task.work(size)
    assert (work.commands, work.written, work.read) == (
        aes + wide,
        24 * aes + 40 * wide,
        19 * (aes + wide),
    )


def test_a_longer_message_costs_more_in_the_element_too():
    short, long = (
        of(asked(Need.HASH, message_bytes=size), "element/atecc608b") for size in (24, 2000)
    )
    task = ATECC.task("sha256", Operation.DIGEST)
    assert (
        task is not None
        and task.work(2000).commands == 2 + 31
        and task.work(2000).written == 16 + 2000 + 31 * 8
    )
    assert long.energy["element"].value.typical > 10 * short.energy["element"].value.typical


def test_a_cipher_and_a_mac_of_one_element_are_both_counted():
    request = ChoiceRequest(
        device=BOARD,
        message_bytes=24,
        need=Need.AEAD,
        element=ATECC,
        schemes=("aes-128-ctr", "hmac-sha256"),
    )
    pair = next(
        entry.candidate
        for entry in answer(request).ranked
        if "element/" in entry.candidate.implementation
    )
    parts = [offer.drawing(24)[0].energy_j.typical for offer in pair.offers]
    assert len(parts) == 2 and pair.energy["element"].value.typical == pytest.approx(sum(parts))
    assert pair.flash is not None and pair.ram is not None, "one driver serves both"
    assert (pair.flash.value.low, pair.flash.value.high, pair.ram.value.low) == (2000, 20000, 200)


def test_the_driver_is_not_what_a_lorawan_stack_has():
    found = of(asked(Need.MAC, message_bytes=24, has=("lorawan",)), "element/atecc608b")
    assert found.flash is not None and found.flash.value.low == 2000


def test_times_at_the_interface_contain_the_bus():
    """OPTIGA Trust M: 15 ms to start, 65 ms to sign, and the hash."""
    trust = ELEMENTS.find("optiga-trust-m")
    found = of(asked(Need.SIGNATURE, message_bytes=32, element=trust), "element/optiga-trust-m")
    assert found.latency is not None and found.latency.value.typical == pytest.approx(
        0.015 + 0.065, abs=1e-3
    )
    request = ChoiceRequest(device=BOARD, message_bytes=32, need=Need.SIGNATURE, element=trust)
    assert any("one use of a secret key each 5 s" in note for note in answer(request).notes)


def test_a_device_has_it_like_code():
    request = ChoiceRequest(device=BOARD, message_bytes=32, need=Need.SIGNATURE, has=("atecc608b",))
    assert any(one.implementation == "element/atecc608b" for one in answer(request).offers)
    with pytest.raises(InputError, match="one secure element"):
        answer(
            ChoiceRequest(
                device=BOARD, message_bytes=32, need=Need.SIGNATURE, has=("atecc608b", "se050")
            )
        )


@pytest.mark.parametrize("element", ELEMENTS.all().values(), ids=lambda element: element.id)
def test_files_are_complete(element: Element):
    for task in element.operations:
        part = part_of(element, [task], 24)
        low, typical, high = part.drawn.amps.low, part.drawn.amps.typical, part.drawn.amps.high
        assert 0 < low < typical < high
        assert element.task(task.schemes[0], task.operation) is task
    assert (
        element.draw(State.SLEEP)
        and element.task("ascon-aead128", Operation.ENCRYPT_MESSAGE) is None
    )
