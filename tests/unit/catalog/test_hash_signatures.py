"""Signatures made from the specifications, for implementations that only verify.

Bouncy Castle 1.86 accepts the signatures with these digests: all of LMS, HSS and SLH-DSA, and those
of XMSS and XMSS^MT that it knows (SHA-256 with 32 bytes). Signatures of SLH-DSA in the catalog have
the digests that Botan 3.13 publishes.
"""

from __future__ import annotations

import hashlib
import re
from statistics import fmean, pstdev

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.catalog.vectors import vectors_for
from motebench.catalog.vectors.hash_based import (
    SlhSigner,
    can_sign,
    made_vectors,
    signed,
    signed_fast,
    slh_set,
    steps_expected,
)
from motebench.catalog.vectors.keys import test_key as private_key
from motebench.catalog.vectors.model import Validity
from motebench.catalog.vectors.stateful import expected_steps, lms_digits, lms_set, xmss_set

DIGESTS = {
    "lms": "27d9f394985f093c2c5631e624c6571ce712150b03ddda8a54141f5d39005127",
    "hss": "aa2148d1a35c8a3f9d5aae0cf1f2177588f3ca41373c0cbb8a73d84262d9b7f4",
    "xmss": "e63268a8fd9776678ab6f6589a5b4d3cfbf87d7070625cf9d0257232a7bc5f07",
    "xmssmt": "c9cf73ebbfed11591f5240932b1b36de442c2c375ad11812f249548de0672c49",
    "slh-dsa-sha2-128f": "0209e7b66b238f09e7e4b709f7df5d16acbfd372f4508180f1d8ac212ac7df73",
    "slh-dsa-shake-256f-prehash-shake256": "13eecfb9f2670cac72eb0e38daa92000"
    "5f4a7745a0a048a9d06e1c7f8b49ccea",
}
FAST = ("slh-dsa-sha2-128f", "slh-dsa-shake-128f", "slh-dsa-sha2-192f")


def of_kind(name: str) -> list[str]:
    found = sorted(scheme for scheme in schemes() if scheme.startswith(f"{name}-"))
    # Trees of XMSS^MT by the dozen take long
    return [scheme for scheme in found if not re.search("-[46]0-", scheme)]


@pytest.mark.parametrize("name", DIGESTS)
def test_signatures_are_those_that_others_accept(name):
    names = of_kind(name) if "-" not in name else [name]
    whole = hashlib.sha256()
    for scheme in names:
        for vector in made_vectors(scheme):
            if vector.result is Validity.VALID:
                whole.update(vector.key + vector.data + vector.tag)
    assert whole.hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", FAST)
def test_the_deterministic_signature_is_the_published_one(name):
    params = slh_set(name)
    (vector,) = (vector for vector in vectors_for(name) if vector.id == "verify")
    assert (
        params is not None
        and SlhSigner(params, private_key(name)).sign(vector.data).signature == vector.tag
    )


def test_sizes_are_those_of_the_catalog():
    for name in (*of_kind("lms"), *of_kind("hss"), *of_kind("xmss"), *of_kind("xmssmt"), *FAST):
        signing = schemes()[name].signing
        made = signed(name, b"motebench")
        assert signing is not None
        assert (len(made.public), len(made.signature)) == (signing.public, signing.signature), name


def test_a_key_belongs_to_a_scheme_and_a_signature_to_a_message():
    first, second, other = (
        signed(*what)
        for what in (
            ("lms-sha256-m32-h5-w8", b"a"),
            ("lms-sha256-m32-h5-w8", b"b"),
            ("lms-sha256-m32-h10-w8", b"a"),
        )
    )
    assert first.public == second.public != other.public and first.signature != second.signature


def test_every_part_of_a_signature_is_changed_once():
    vectors = {vector.id: vector for vector in vectors_for("hss-sha256-m24-h5-w8")}
    right = vectors["made: 33 bytes"]
    same = [
        vector.tag
        for vector in vectors.values()
        if vector.data == right.data and len(vector.tag) == len(right.tag)
    ]
    changed = {at for tag in same for at in range(len(tag)) if tag[at] != right.tag[at]}
    assert {3, 4, 7, 11, 12, 36, 12 + 24 * 27 + 3, len(right.tag) - 1} <= changed
    assert all(vector.operation is Operation.VERIFY for vector in vectors.values())
    assert sum(vector.result is Validity.INVALID for vector in vectors.values()) >= 12


def test_digits_of_rfc_8554():
    params = lms_set("lms-sha256-m32-h5-w4")
    assert params is not None and lms_digits(params, bytes([0x12, 0x34]) + bytes(30))[:5] == [
        1,
        2,
        3,
        4,
        0,
    ]
    # 64 * 15 = 0x3c0
    assert lms_digits(params, bytes(32))[64:] == [3, 12, 0] and params.chains == 67


def test_other_schemes_are_refused():
    assert (
        can_sign("xmssmt-sha2-20-2-256")
        and not can_sign("ml-dsa-44")
        and made_vectors("ml-dsa-44") == ()
    )
    assert (
        lms_set("xmss-sha2-10-256")
        is xmss_set("lms-sha256-m32-h5-w8")
        is slh_set("ml-dsa-44")
        is None
    )
    with pytest.raises(InputError, match="ml-dsa-44"):
        signed("ml-dsa-44", b"")


@pytest.mark.parametrize(
    "name", ["lms-sha256-m32-h10-w8", "hss-sha256-m24-h5-h10-w8", "xmssmt-sha2-20-4-192"]
)
def test_measured_signatures_take_steps_close_to_the_mean_of_many(name):
    expected = steps_expected(name)
    # Steps come in multiples of 255 with w = 8, and of 15 with w = 4; those of upper levels are the
    # key's.
    assert signed(name, b"motebench").steps == pytest.approx(
        expected, rel=0.005 if name.startswith("hss") else 0.04
    )
    several = [signed_fast(name, bytes([number])).steps for number in range(12)]
    assert pstdev(several) > 0.005 * expected


def test_the_mean_of_many_messages_is_the_expected_one():
    several = [signed_fast("lms-sha256-m32-h5-w4", bytes([number])).steps for number in range(60)]
    assert (
        abs(fmean(several) - steps_expected("lms-sha256-m32-h5-w4")) < 3 * pstdev(several) / 60**0.5
    )


def test_expected_steps_are_those_of_all_hashes_where_they_can_be_counted():
    # One digit d of 8 bits: 255 - d steps, and the checksum 255 - d has the digits 0 and 255 - d:
    # 255 + d steps.
    assert expected_steps(1, 8, 0) == pytest.approx(510)
    # Two digits of 4 bits: all 256 hashes, by hand.
    sums = [30 - (value >> 4) - (value & 15) for value in range(256)]
    left = [total + sum(15 - (total << 4 >> at & 15) for at in (12, 8, 4)) for total in sums]
    assert expected_steps(2, 4, 4) == pytest.approx(fmean(left))
