"""Checklists: the parts of a choice that answer a standard or a law."""

from __future__ import annotations

import datetime

import pytest

from motebench.advise.choice.choice_document import choice_entry
from motebench.advise.choice.choosing import answer
from motebench.advise.choice.question import Need
from motebench.advise.choice.request import ChoiceRequest
from motebench.base.errors import InputError
from motebench.catalog.devices import devices
from motebench.catalog.policies import checklist, checklists
from motebench.documents.choice import ProvisionEntry

SAMD21 = devices()["samd21g18a"]
ETSI = "etsi-en-303-645"


def provisions(name: str, **more: object) -> dict[str, ProvisionEntry]:
    """Provisions by clause, of AES-128-CCM by Mbed TLS."""
    request = ChoiceRequest(
        device=SAMD21,
        message_bytes=24,
        checklist=name,
        schemes=("aes-128-ccm",),
        **more,
    )
    return {entry.clause: entry for entry in choice_entry(answer(request)).checklist}


def test_every_provision_says_what_remains():
    assert set(checklists()) == {ETSI, "cra"}
    for found in checklists().values():
        assert len({entry.clause for entry in found.provisions}) == len(found.provisions)
        assert found.source.url


def test_what_a_recommended_aead_answers():
    found = provisions(ETSI)
    assert "NIST" in str(found["5.5-1"].answer) and found["5.5-7"].answer is not None
    # Nobody reviewed the measured Mbed TLS; keys, updates and the support period are other
    # questions.
    for clause in ("5.5-2", "5.4-1", "5.3-2", "5.3-13"):
        assert found[clause].answer is None, clause


def test_the_support_period_is_answered_by_until():
    found = provisions("cra", until=datetime.date(2041, 12, 31))
    assert "2041" in str(found["Article 13 (8)"].answer)


def test_a_mac_does_not_answer_confidentiality():
    request = ChoiceRequest(
        device=SAMD21, message_bytes=24, need=Need.MAC, research=True, checklist="cra"
    )
    found = {entry.clause: entry.answer for entry in choice_entry(answer(request)).checklist}
    assert found["Annex I, I (2)(f)"] is not None and found["Annex I, I (2)(e)"] is None


def test_nothing_is_answered_without_a_candidate():
    found = provisions(ETSI, flash=1)
    assert found.keys() == provisions(ETSI).keys()
    assert {entry.answer for entry in found.values()} == {None}


def test_an_unknown_checklist_is_refused_before_anything_is_computed():
    with pytest.raises(InputError) as caught:
        answer(ChoiceRequest(device=SAMD21, message_bytes=24, checklist="etsi"))
    assert "--checklist" in str(caught.value) and ETSI in str(caught.value)
    assert checklist("CRA").id == "cra"
