"""Files of ACVP and Botan with hash-based signatures."""

from __future__ import annotations

import json

import pytest

from motebench.base.errors import InputError
from motebench.catalog.vectors import Validity, load
from motebench.catalog.vectors.hash_based import signed


def acvp(path, **test):
    made = signed("lms-shake-m24-h10-w4", b"motebench")
    tests = [
        {
            "tcId": 7,
            "message": b"motebench".hex(),
            "signature": made.signature.hex(),
            "testPassed": True,
            **test,
        }
    ]
    group = {
        "tgId": 1,
        "lmsMode": "LMS_SHAKE_M24_H10",
        "publicKey": made.public.hex(),
        "tests": tests,
    }
    root = {
        "vsId": 0,
        "algorithm": "LMS",
        "mode": "sigVer",
        "revision": "1.0",
        "testGroups": [group],
    }
    path.write_text(json.dumps(root))
    return path


def test_acvp_lms_is_read_by_the_types_in_its_key(tmp_path):
    (vector,) = load(acvp(tmp_path / "lms.json"))
    assert (vector.scheme, vector.result, vector.data) == (
        "lms-shake-m24-h10-w4",
        Validity.VALID,
        b"motebench",
    )
    (bad,) = load(acvp(tmp_path / "bad.json", testPassed=False, reason="modify signature"))
    assert bad.result is Validity.INVALID and bad.comment == "modify signature"
    with pytest.raises(InputError, match=r"tests\[0\].*testPassed"):
        load(acvp(tmp_path / "odd.json", testPassed="yes"))


def test_acvp_slh_dsa_is_read_as_ml_dsa_is(tmp_path):
    test = {
        "tcId": 1,
        "pk": "00" * 32,
        "message": "01",
        "context": "02",
        "hashAlg": "SHA2-256",
        "signature": "03",
        "testPassed": False,
        "reason": "too short",
    }
    group = {
        "parameterSet": "SLH-DSA-SHA2-128s",
        "signatureInterface": "external",
        "preHash": "preHash",
        "tests": [test],
    }
    root = {"vsId": 0, "algorithm": "SLH-DSA", "mode": "sigVer", "testGroups": [group]}
    (tmp_path / "slh.json").write_text(json.dumps(root))
    (vector,) = load(tmp_path / "slh.json")
    assert vector.scheme == "slh-dsa-sha2-128s-prehash-sha256" and vector.context == b"\2"


@pytest.mark.parametrize(
    "scheme", ["hss-sha256-m32-h10-w4", "hss-sha256-m24-h10-h5-w8", "xmss-shake256-16-192"]
)
def test_botan_files(tmp_path, scheme):
    made = signed(scheme, b"motebench")
    head = "Params = SHAKE256_16_192\n" if scheme.startswith("xmss") else ""
    right, short = (f"{head}PublicKey = {made.public.hex()}\n" for _ in range(2))
    right += f"Msg = {b'motebench'.hex()}\nSignature = {made.signature.hex()}\n"
    short += f"Msg =\nInvalidSignature = {made.signature[:-1].hex()}\n"
    (tmp_path / "some.vec").write_text(f"# a comment\n{right}\n{short}")
    first, second = load(tmp_path / "some.vec")
    assert first.scheme == second.scheme == scheme and (first.id, second.id) == ("1", "2")
    assert (first.result, second.result, second.data) == (Validity.VALID, Validity.INVALID, b"")


def test_one_level_of_shake_is_a_scheme_of_one_tree(tmp_path):
    made = signed("lms-shake-m32-h5-w8", b"motebench")
    key, signature = f"00000001{made.public.hex()}", f"00000000{made.signature.hex()}"
    (tmp_path / "some.vec").write_text(
        f"PublicKey = {key}\nMsg = {b'motebench'.hex()}\nSignature = {signature}\n"
    )
    (vector,) = load(tmp_path / "some.vec")
    assert (vector.scheme, vector.tag) == ("lms-shake-m32-h5-w8", made.signature)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PublicKey = 00\nMsg = 00\nSignature = zz\n", "not hexadecimal"),
        ("PublicKey = 00\nPublicKey = 00\nSignature = 00\n", "stands twice"),
        ("PublicKey = 00\nSignature = 00\n", "no Msg"),
    ],
)
def test_wrong_files_of_botan(tmp_path, text, words):
    (tmp_path / "wrong.vec").write_text(text)
    with pytest.raises(InputError, match=words):
        load(tmp_path / "wrong.vec")


def test_types_that_the_catalog_does_not_have_are_said(tmp_path):
    (tmp_path / "some.vec").write_text(f"PublicKey = {'ff' * 60}\nMsg =\nSignature = 00\n")
    (vector,) = load(tmp_path / "some.vec")
    assert "no scheme with these types" in vector.not_applicable
