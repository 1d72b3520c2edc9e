"""Secure elements: calculated by hand from the files of the catalog."""

from __future__ import annotations

import pytest

from motebench.catalog.batteries import BATTERIES
from motebench.catalog.devices import devices
from motebench.catalog.elements import ELEMENTS, Element
from motebench.catalog.quantities import State
from motebench.choice.elements import part_of
from motebench.choice.judging import Need, Role
from motebench.choice.model import Candidate
from motebench.choice.request import Request, answer
from motebench.errors import InputError
from motebench.model import Operation

ATECC = ELEMENTS.find("atecc608b")
BOARD = devices()["samd21g18a"]
DAY = 86400.0


def asked(need: Need, **more: object) -> list[Candidate]:
    request = Request(**{"device": BOARD, "message_bytes": 0, "need": need, "element": ATECC, **more})
    return [entry.candidate for entry in answer(request).answer.ranked]


def of(found: list[Candidate], implementation: str) -> Candidate:
    return next(one for one in found if one.offers[0].implementation == implementation)


def test_a_signature_takes_wake_bus_element_and_hash():
    """121 bytes of 9 bits at 400 kHz, 1.5 ms to wake, 60 ms in the element, and less than 1 ms for the hash."""
    found = of(asked(Need.SIGNATURE, message_bytes=32), "element/atecc608b")
    bus = (46 + 71 + 2 * 2) * 9 / 400e3
    assert found.latency is not None and found.flash is not None
    assert found.latency.value.typical == pytest.approx(0.0015 + bus + 0.06, abs=1e-3)
    assert found.latency.value.typical > 0.0015 + bus + 0.06
    assert found.latency.value.high > 0.135 + (46 + 71 + 4) * 9 / 100e3
    assert "private key" not in found.latency.note, "it is in the element"
    drawn = found.energy["element"].value.typical
    assert drawn == pytest.approx(((0.0015 + bus) * 2e-3 + 0.06 * 14e-3) * 3.3)


def test_an_agreement_makes_a_key_and_a_secret():
    found = of(asked(Need.AGREEMENT), "element/atecc608b")
    bus = (7 + 67 + 2 + 71 + 35 + 2) * 9 / 400e3
    assert found.latency is not None
    assert found.latency.value.typical == pytest.approx(2 * 0.0015 + bus + 0.06 + 0.045)


def test_its_sleep_current_counts_for_every_candidate():
    """30 nA at 3.3 V through a day beside those of the processor."""
    more = {"message_bytes": 32, "every_s": DAY, "battery": BATTERIES.find("cr2032")}
    software = "monocypher/ed25519"
    with_it = of(asked(Need.SIGNATURE, **more), software).energy["sleep"].value.typical
    without = of(asked(Need.SIGNATURE, element=None, **more), software).energy["sleep"].value.typical
    assert with_it - without == pytest.approx(30e-9 * 3.3 * DAY)


def test_an_update_is_checked_by_the_element_and_hashed_by_software():
    found = of(asked(Need.UPDATE, message_bytes=100 * 1024, role=Role.VERIFY), "element/atecc608b")
    assert found.scheme == "ecdsa-p256-sha256 + sha256"
    assert "element" in found.energy


def test_a_need_that_it_does_not_serve_says_so():
    request = Request(device=BOARD, message_bytes=24, need=Need.AEAD, element=ATECC)
    assert any("does nothing for this need" in note for note in answer(request).notes)


def test_a_device_has_it_like_code():
    request = Request(device=BOARD, message_bytes=32, need=Need.SIGNATURE, has=("atecc608b",))
    assert any(one.implementation == "element/atecc608b" for one in answer(request).offers)
    with pytest.raises(InputError, match="one secure element"):
        answer(Request(device=BOARD, message_bytes=32, need=Need.SIGNATURE, has=("atecc608b", "se050")))


@pytest.mark.parametrize("element", ELEMENTS.all().values(), ids=lambda element: element.id)
def test_files_are_complete(element: Element):
    for task in element.operations:
        part = part_of(element, [task])
        low, typical, high = part.drawn.amps.low, part.drawn.amps.typical, part.drawn.amps.high
        assert 0 < low < typical < high
        assert element.task(task.schemes[0], task.operation) is task
    assert element.draw(State.SLEEP) and element.task("aes-128-ccm", Operation.ENCRYPT_MESSAGE) is None
