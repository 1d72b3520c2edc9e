"""ML-KEM and ML-DSA in ACVP, KAT and Wycheproof files; values are those of the catalog, so they can
be compared.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors import Validity, Vector, load, vectors_for

KEM, DSA = "ml-kem-512", "ml-dsa-44"


def named(scheme: str, name: str) -> Vector:
    return next(vector for vector in vectors_for(scheme) if vector.id == name)


def read(tmp_path, value: Any) -> list[Vector]:
    path = tmp_path / "some_name.bin"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return load(path)


def acvp(algorithm: str, mode: str, group: dict[str, Any], **test: Any) -> dict[str, Any]:
    told = {
        name: value.hex().upper() if isinstance(value, bytes) else value
        for name, value in test.items()
    }
    return {
        "vsId": 42,
        "algorithm": algorithm,
        "mode": mode,
        "revision": "FIPS",
        "testGroups": [{"tgId": 1, "testType": "AFT", **group, "tests": [{"tcId": 7, **told}]}],
    }


def same(got: Vector, wanted: Vector) -> bool:
    fields = (
        "scheme",
        "operation",
        "key",
        "data",
        "tag",
        "expect_out",
        "public",
        "ciphertext",
        "secret",
        "context",
        "result",
    )
    return all(getattr(got, name) == getattr(wanted, name) for name in fields)


def test_acvp_of_ml_kem(tmp_path):
    made, ask, back = (
        named(KEM, f"count 0 {name}") for name in ("keygen", "encapsulate", "decapsulate")
    )
    group = {"parameterSet": "ML-KEM-512"}
    (got,) = read(
        tmp_path,
        acvp(
            "ML-KEM",
            "keyGen",
            group,
            d=made.seed[:32],
            z=made.seed[32:],
            ek=made.public,
            dk=made.expect_out,
        ),
    )
    assert same(got, made) and got.seed == made.seed and got.id == "tcId 7"
    (got,) = read(
        tmp_path,
        acvp(
            "ML-KEM",
            "encapDecap",
            {**group, "function": "encapsulation"},
            ek=ask.key,
            m=ask.seed,
            c=ask.ciphertext,
            k=ask.secret,
        ),
    )
    assert same(got, ask) and got.seed == ask.seed
    shared = {**group, "function": "decapsulation", "dk": back.key.hex(), "ek": back.public.hex()}
    (got,) = read(tmp_path, acvp("ML-KEM", "encapDecap", shared, c=back.ciphertext, k=back.secret))
    assert same(got, back)
    check = {**group, "function": "encapsulationKeyCheck"}
    (got,) = read(tmp_path, acvp("ML-KEM", "encapDecap", check, ek=ask.key, testPassed=False))
    assert (got.operation, got.result, got.seed) == (Operation.ENCAPSULATE, Validity.INVALID, b"")


def test_acvp_of_ml_dsa(tmp_path):
    sign, verify = named(DSA, "count 0 sign"), named(DSA, "count 0 verify")
    pure = {
        "parameterSet": "ML-DSA-44",
        "deterministic": True,
        "signatureInterface": "external",
        "preHash": "pure",
    }
    told = {
        "message": sign.data,
        "context": sign.context,
        "hashAlg": "none",
        "signature": sign.expect_out,
        "pk": sign.public,
        "sk": sign.key,
    }
    (got,) = read(tmp_path, acvp("ML-DSA", "sigGen", pure, **told))
    assert same(got, sign)
    (got,) = read(tmp_path, acvp("ML-DSA", "sigVer", pure, **told, testPassed=True))
    assert same(got, verify)
    hashed = {**told, "hashAlg": "SHA2-512"}
    (got,) = read(
        tmp_path,
        acvp("ML-DSA", "sigVer", {**pure, "preHash": "preHash"}, **hashed, testPassed=False),
    )
    assert (got.scheme, got.result) == ("ml-dsa-44-prehash-sha512", Validity.INVALID)
    (got,) = read(tmp_path, acvp("ML-DSA", "sigGen", {**pure, "deterministic": False}, **told))
    assert "random bytes" in got.not_applicable
    (got,) = read(
        tmp_path, acvp("ML-DSA", "sigGen", {**pure, "signatureInterface": "internal"}, **told)
    )
    assert "internal interface" in got.not_applicable
    (got,) = read(tmp_path, acvp("XMSS", "sigVer", {}))
    assert "no scheme for ACVP tests of XMSS sigVer" in got.not_applicable


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"testPassed": 1}, "testPassed"),
        ({"pk": "xy"}, "pk .tcId 7."),
        ({"signature": None}, "signature"),
    ],
)
def test_wrong_acvp_says_where(tmp_path, change, words):
    told = {
        "message": "00",
        "hashAlg": "none",
        "signature": "00",
        "pk": "00",
        "testPassed": True,
        **change,
    }
    pure = {"parameterSet": "ML-DSA-44", "signatureInterface": "external", "preHash": "pure"}
    with pytest.raises(InputError, match=words):
        read(tmp_path, acvp("ML-DSA", "sigVer", pure, **told))


def kem_record(count: int) -> str:
    made, ask = named(KEM, "count 0 keygen"), named(KEM, "count 0 encapsulate")
    other = named(KEM, "count 0 implicit rejection")
    values = {
        "z": made.seed[32:],
        "d": made.seed[:32],
        "msg": ask.seed,
        "pk": made.public,
        "sk": made.expect_out,
        "ct_n": other.ciphertext,
        "ss_n": other.secret,
        "ct": ask.ciphertext,
        "ss": ask.secret,
    }
    lines = [
        f"count = {count}",
        *(f"{name} = {(value or b'').hex()}" for name, value in values.items()),
    ]
    return "\n".join(lines) + "\n"


def test_a_kat_record_has_four_vectors_of_a_kem(tmp_path):
    vectors = read(tmp_path, kem_record(0) + kem_record(1))
    assert len(vectors) == 8
    for vector in vectors[:4]:
        assert same(vector, named(KEM, vector.id))
    assert [vector.id.split(" ", 2)[2] for vector in vectors[4:]] == [
        "keygen",
        "encapsulate",
        "decapsulate",
        "implicit rejection",
    ]


def test_a_kat_record_of_ml_dsa(tmp_path):
    made, sign = named(DSA, "count 0 keygen"), named(DSA, "count 0 sign")
    text = (
        f"count = 0\nxi = {made.seed.hex()}\npk = {made.public.hex()}\nsk = {sign.key.hex()}\n"
        f"msg = {sign.data.hex()}\nsm = {((sign.expect_out or b'') + sign.data).hex()}\n"
        f"ctx = {sign.context.hex()}\n"
    )
    vectors = read(tmp_path, text)
    assert [vector.operation.value for vector in vectors] == ["keygen", "sign", "verify"]
    assert all(same(vector, named(DSA, vector.id)) for vector in vectors)
    hedged = read(tmp_path, text + "rng = 00\n")
    assert [vector.operation.value for vector in hedged] == ["keygen", "verify"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("count = 0\nct_n = 0g\npk = 00\nsk = 00\nmsg = 00\n", "ct_n: '0g' is not hexadecimal"),
        ("count = 0\nct_n = 00\nsk = 00\nmsg = 00\n", "the record has no pk"),
        ("count = 0\nct_n = 00\npk = 00\nsk = 00\nmsg = 00\n", "a public key of 1 B"),
        ("count = 0\nct_n = 00\nct_n = 00\n", "line 3: ct_n stands twice"),
        ("ct_n = 00\n", "line 1: a record begins with its count"),
        ("count = x\nct_n = 00\n", "count 'x' is used twice, or is not a number"),
        ("count = 0\nct_n = 00\nwhat\n", "line 3: 'what' is not"),
    ],
)
def test_wrong_kat_says_where(tmp_path, text, words):
    with pytest.raises(InputError, match=words):
        read(tmp_path, text)


def wycheproof(algorithm: str, group: dict[str, Any], **test: Any) -> dict[str, Any]:
    told = {
        name: value.hex() if isinstance(value, bytes) else value for name, value in test.items()
    }
    return {
        "algorithm": algorithm,
        "schema": "x.json",
        "numberOfTests": 1,
        "testGroups": [{**group, "tests": [{"tcId": 1, "result": "valid", **told}]}],
    }


def test_wycheproof(tmp_path):
    back, ask, sign = (
        named(KEM, "count 0 decapsulate"),
        named(KEM, "count 0 encapsulate"),
        named(DSA, "count 0 sign"),
    )
    kem = {"parameterSet": "ML-KEM-512"}
    (got,) = read(
        tmp_path,
        wycheproof(
            "ML-KEM",
            {"type": "MLKEMTest", **kem},
            seed=back.seed,
            ek=back.public,
            c=back.ciphertext,
            K=back.secret,
        ),
    )
    assert (got.key, got.seed, got.ciphertext, got.secret) == (
        b"",
        back.seed,
        back.ciphertext,
        back.secret,
    )
    (got,) = read(
        tmp_path,
        wycheproof(
            "ML-KEM",
            {"type": "MLKEMEncapsTest", **kem},
            ek=ask.key,
            m=ask.seed,
            c="",
            K="",
            result="invalid",
        ),
    )
    assert (got.operation, got.result, got.ciphertext) == (
        Operation.ENCAPSULATE,
        Validity.INVALID,
        b"",
    )
    group = {"type": "MlDsaSign", "privateKey": sign.key.hex(), "publicKey": None}
    (got,) = read(
        tmp_path,
        wycheproof("ML-DSA-44", group, msg=sign.data, ctx=sign.context, sig=sign.expect_out),
    )
    assert (got.scheme, got.key, got.expect_out, got.public) == (
        DSA,
        sign.key,
        sign.expect_out,
        b"",
    )
    (got,) = read(tmp_path, wycheproof("ML-DSA-44", group, mu="00", sig=sign.expect_out))
    assert "mu" in got.not_applicable
