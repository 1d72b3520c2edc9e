"""Lists of standards bodies: the policies of files, by scheme and day."""

from __future__ import annotations

import datetime
from fnmatch import fnmatchcase

import pytest

from motebench.advise.choice.candidate import SchemeOffer
from motebench.advise.choice.choosing import answer
from motebench.advise.choice.question import Demands, Need
from motebench.advise.choice.request import ChoiceRequest
from motebench.advise.choice.standings import Standings
from motebench.base.errors import InputError
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.policies import Policy, choice, policy

BODIES = [entry for entry in choice().policies if entry.permits]
DAY = datetime.date(2026, 11, 22)


def broken(name: str, scheme: str, until: int | None = None, day: datetime.date = DAY) -> list[str]:
    """The limits that a scheme breaks under a policy."""
    last = None if until is None else datetime.date(until, 12, 31)
    standings = Standings(
        Demands(Need.AEAD, policy(name), day, until=last, research=True), [scheme]
    )
    return [entry.limit for entry in standings.standing([SchemeOffer(scheme, "mote/x", "")]).broken]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.id)
def test_every_entry_lists_schemes_of_the_catalog(body: Policy) -> None:
    """A pattern may be of a scheme that the catalog is to have (P-384), but each entry has one that
    it has.
    """
    assert len(body.permits) >= 6
    for entry in body.permits:
        assert any(fnmatchcase(name, pattern) for name in schemes() for pattern in entry.schemes), (
            entry.clause
        )


def test_cnsa_wants_long_keys_and_hashes():
    """CNSA 2.0, table I: AES with 256-bit keys, SHA-384 or SHA-512; tables II and III: LMS,
    ML-DSA-87, ML-KEM-1024.
    """
    for good in ("aes-256-gcm", "hmac-sha384", "ml-dsa-87", "ml-kem-1024", "lms-sha256-m24-h10-w4"):
        assert broken("cnsa2", good) == [], good
    for bad in (
        "aes-128-gcm",
        "hmac-sha256",
        "chacha20-poly1305",
        "ml-dsa-65",
        "ecdsa-p256-sha256",
        "hss-sha256-m32-h5-h5-w8",
    ):
        assert "policy" in broken("cnsa2", bad), bad


def test_a_last_day_before_the_end_of_service_rejects():
    """BSI, version 2026-01: classical signatures alone until the end of 2035."""
    assert broken("bsi", "ecdsa-p256-sha256", until=2035) == []
    assert broken("bsi", "ecdsa-p256-sha256", until=2036) == ["until"]
    assert broken("bsi", "aes-128-gcm", until=2041) == []
    assert broken("bsi", "rsa-3072-pss-sha256", day=datetime.date(2036, 1, 1)) == ["policy"]


def test_bsi_lists_neither_short_rsa_nor_pkcs1_nor_stream_ciphers():
    for name in (
        "rsa-2048-pss-sha256",
        "rsa-3072-pkcs1-sha256",
        "chacha20-poly1305",
        "ascon-aead128",
        "aes-128-ofb",
    ):
        assert "policy" in broken("bsi", name), name


def test_bsi_wants_category_3_and_curves_of_its_tables():
    """TR-02102-1, tables 5.6 to 5.8; TR-02102-2, table 10."""
    for good in (
        "slh-dsa-sha2-192s",
        "slh-dsa-shake-256f",
        "lms-sha256-m24-h10-w4",
        "ecdh-p256",
        "ml-kem-768",
    ):
        assert broken("bsi", good) == [], good
    for bad in (
        "slh-dsa-sha2-128s",
        "ml-dsa-44",
        "ml-kem-512",
        "x25519",
        "x25519mlkem768",
        "ed25519",
    ):
        assert "policy" in broken("bsi", bad), bad


def test_anssi_has_rules_and_not_a_list():
    """PG-083, version 3.00: RecoConfidentialitéAsym, RègleFactorisation."""
    for good in (
        "ml-kem-512",
        "slh-dsa-sha2-128s",
        "aes-128-gcm",
        "rsa-2048-pss-sha256",
        "chacha20-poly1305",
    ):
        assert broken("anssi", good) == [], good
    for bad in ("sha1", "sha3-224", "3des-cbc", "rsa-2048-pkcs1-sha256", "ascon-aead128"):
        assert "policy" in broken("anssi", bad), bad
    assert broken("anssi", "rsa-2048-pss-sha256", until=2031) == ["until"]


def test_the_longest_entry_counts():
    """ANSSI: RSA-3072 matches one entry, and no entry that ends earlier takes it away."""
    listed = policy("anssi").permit("rsa-3072-pss-sha256")
    assert listed is not None and listed.draft and listed.until == datetime.date(2030, 12, 31)


def test_a_misspelt_policy_lists_them():
    with pytest.raises(InputError) as caught:
        policy("bis")
    assert "bsi" in str(caught.value) and "cnsa2" in str(caught.value)


def test_a_body_may_want_longer_tags():
    """BSI: tags of 96 bits or more; the CCM suite of TLS with tags of 8 bytes is in none of its
    tables.
    """
    for tag, keeps in ((8, False), (12, True), (16, True)):
        request = ChoiceRequest(
            device=devices()["samd21g18a"],
            message_bytes=24,
            policy="bsi",
            tag_bytes=tag,
            schemes=("aes-128-ccm",),
            implementations=("bearssl/aes-small",),
        )
        found = answer(request)
        assert bool(found.ranked) is keeps
        if not keeps:
            assert "96 bits or more" in found.rejected[0].broken[0].words
