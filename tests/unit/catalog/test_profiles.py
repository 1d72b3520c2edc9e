"""Schemes with a shorter tag by the names that protocols have for them."""

from __future__ import annotations

import pytest

from motebench.advise.choice.choosing import answer
from motebench.advise.choice.request import ChoiceRequest
from motebench.advise.radio.message import protect
from motebench.base.errors import InputError
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.policies import profile_of, profiles

SAMD21 = devices()["samd21g18a"]


def test_every_profile_is_a_shorter_tag_of_a_scheme():
    assert len(profiles()) >= 2
    for profile in profiles().values():
        assert profile.tag_bytes < schemes()[profile.scheme].tag_bytes
        assert (
            protect(schemes()[profile.scheme], 24, tag_bytes=profile.tag_bytes).tag_bytes
            == profile.tag_bytes
        )


def test_a_tag_of_eight_bytes_has_its_names_and_what_is_said_of_it():
    request = ChoiceRequest(device=SAMD21, message_bytes=24, schemes=("aes-128-ccm",), tag_bytes=8)
    notes = answer(request).ranked[0].candidate.sent.notes
    assert any("TLS_AES_128_CCM_8_SHA256" in note for note in notes)
    assert any("RFC 9147" in note and "2022-04" in note for note in notes)
    assert profile_of("aes-128-gcm", 8) is None


def test_choose_takes_the_name():
    """24 bytes, 12 of nonce and 8 of tag."""
    found = answer(ChoiceRequest(device=SAMD21, message_bytes=24, schemes=("aes-128-ccm-8",)))
    assert {offer.scheme for offer in found.offers} == {"aes-128-ccm"}
    assert found.ranked[0].candidate.sent.total_bytes == 24 + 12 + 8


@pytest.mark.parametrize(
    ("names", "tag"), [(("aes-128-ccm-8", "aes-128-gcm"), None), (("aes-128-ccm-8",), 16)]
)
def test_a_profile_beside_something_else_is_refused(names, tag):
    with pytest.raises(InputError) as caught:
        answer(ChoiceRequest(device=SAMD21, message_bytes=24, schemes=names, tag_bytes=tag))
    assert "tag of 8 bytes" in str(caught.value)
