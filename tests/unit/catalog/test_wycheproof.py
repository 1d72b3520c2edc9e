"""Wycheproof files in both published layouts; values are known answers of the catalog, so they can
be compared.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors import Validity, Vector, keys, load, vectors_for
from motebench.catalog.vectors import encodings as der


def first(scheme: str, operation: Operation, result: Validity = Validity.VALID) -> Vector:
    return next(
        v for v in vectors_for(scheme) if (v.operation, v.result) == (operation, result) and v.data
    )


def document(
    algorithm: str, *groups: dict[str, Any], schema: str = "x_schema.json"
) -> dict[str, Any]:
    return {
        "algorithm": algorithm,
        "generatorVersion": "0.8r12",
        "numberOfTests": 1,
        "header": ["Test vectors"],
        "notes": {},
        "schema": schema,
        "testGroups": list(groups),
    }


def case(number: int, result: str = "valid", **fields: Any) -> dict[str, Any]:
    told = {
        name: value.hex() if isinstance(value, bytes) else value for name, value in fields.items()
    }
    return {"tcId": number, "comment": "", "flags": [], **told, "result": result}


def read(tmp_path, value) -> list[Vector]:
    path = tmp_path / "some_name.bin"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return load(path)


def aead_case(vector: Vector, number: int = 1, result: str = "valid") -> dict[str, Any]:
    return case(
        number,
        result,
        key=vector.key,
        iv=vector.nonce,
        aad=vector.aad,
        msg=vector.data,
        ct=vector.expect_out,
        tag=vector.expect_tag,
    )


AEADS = [
    ("AES-GCM", "aes-128-gcm"),
    ("AES-GCM", "aes-256-gcm"),
    ("AES-CCM", "aes-192-ccm"),
    ("AES-EAX", "aes-128-eax"),
    ("CHACHA20-POLY1305", "chacha20-poly1305"),
    ("CAMELLIA-CCM", "camellia-128-ccm"),
]


@pytest.mark.parametrize(("algorithm", "scheme"), AEADS)
@pytest.mark.parametrize("layout", ["old", "v1"])
def test_aead(tmp_path, algorithm, scheme, layout):
    vector = first(scheme, Operation.ENCRYPT_MESSAGE)
    group = {
        "ivSize": 8 * len(vector.nonce),
        "keySize": 8 * len(vector.key),
        "tagSize": 8 * vector.tag_bytes,
        "type": "AeadTest",
        "tests": [aead_case(vector), aead_case(vector, 2, "invalid")],
    }
    if layout == "v1":
        group["source"] = {"name": "google-wycheproof", "version": "0.9"}
    good, bad = read(tmp_path, document(algorithm, group))
    assert (good.scheme, good.operation, good.result) == (
        scheme,
        Operation.ENCRYPT_MESSAGE,
        Validity.VALID,
    )
    assert (good.key, good.nonce, good.aad, good.data) == (
        vector.key,
        vector.nonce,
        vector.aad,
        vector.data,
    )
    assert (good.expect_out, good.expect_tag, good.tag_bytes) == (
        vector.expect_out,
        vector.expect_tag,
        vector.tag_bytes,
    )
    assert (bad.operation, bad.result) == (Operation.DECRYPT_MESSAGE, Validity.INVALID)
    assert (bad.data, bad.tag, bad.expect_out) == (vector.expect_out, vector.expect_tag, None)
    assert good.id == "tcId 1"
    assert not good.not_applicable
    assert "Wycheproof some_name.bin" in good.source


def test_unauthenticated_modes(tmp_path):
    group = {"ivSize": 128, "keySize": 128, "type": "IndCpaTest"}
    tests = [
        case(1, key=bytes(16), iv=bytes(16), msg=b"x", ct=bytes(16)),
        case(2, "invalid", key=bytes(32), iv=bytes(16), msg=b"", ct=bytes(15)),
    ]
    good, bad = read(tmp_path, document("AES-CBC-PKCS5", {**group, "tests": tests}))
    assert (good.scheme, good.operation, good.data) == (
        "aes-128-cbc",
        Operation.ENCRYPT_MESSAGE,
        b"x",
    )
    assert (bad.scheme, bad.operation, bad.data) == (
        "aes-256-cbc",
        Operation.DECRYPT_MESSAGE,
        bytes(15),
    )
    (tweaked,) = read(
        tmp_path, document("AES-XTS", {**group, "tests": [{**tests[0], "key": "00" * 32}]})
    )
    assert tweaked.scheme == "aes-128-xts"


@pytest.mark.parametrize(
    ("algorithm", "scheme"),
    [
        ("HMACSHA1", "hmac-sha1"),
        ("HMACSHA256", "hmac-sha256"),
        ("HMACSHA512", "hmac-sha512"),
        ("HMACSHA3-256", "hmac-sha3-256"),
    ],
)
def test_macs(tmp_path, algorithm, scheme):
    group = {"keySize": 160, "tagSize": 80, "type": "MacTest"}
    tests = [
        case(1, key=b"k" * 20, msg=b"m", tag=bytes(10)),
        case(2, "invalid", key=b"k", msg=b"m", tag=bytes(20)),
    ]
    good, bad = read(tmp_path, document(algorithm, {**group, "tests": tests}))
    assert (good.scheme, good.operation, good.expect_out, good.tag_bytes) == (
        scheme,
        Operation.MAC,
        bytes(10),
        10,
    )
    assert bad.result is Validity.INVALID


def test_macs_with_a_nonce(tmp_path):
    group = {"keySize": 128, "ivSize": 96, "tagSize": 128, "type": "MacWithIvTest"}
    tests = [
        case(1, key=bytes(16), iv=b"n" * 12, msg=b"m", tag=bytes(16)),
        case(2, "invalid", key=bytes(32), iv=bytes(16), msg=b"m", tag=bytes(16)),
    ]
    good, bad = read(tmp_path, document("AES-GMAC", {**group, "tests": tests}))
    assert (good.scheme, good.operation, good.nonce) == ("aes-128-gmac", Operation.MAC, b"n" * 12)
    assert (good.data, good.expect_out, good.tag_bytes) == (b"m", bytes(16), 16)
    assert (bad.scheme, bad.result, len(bad.nonce)) == ("aes-256-gmac", Validity.INVALID, 16)
    (other,) = read(tmp_path, document("VMAC-AES", {**group, "tests": tests[:1]}))
    assert "is not a MAC with a nonce" in other.not_applicable


EC_KEY = keys.public_key("ecdsa-p256-sha256")


def ec_group(
    kind: str, layout: str, tests: list[dict[str, Any]], curve: str = "secp256r1"
) -> dict[str, Any]:
    key = {
        "curve": curve,
        "keySize": 256,
        "type": "EcPublicKey",
        "uncompressed": EC_KEY.hex(),
        "wx": EC_KEY[1:33].hex(),
        "wy": EC_KEY[33:].hex(),
    }
    name = {"old": "key", "v1": "publicKey"}[layout]
    return {
        name: key,
        f"{name}Der": "00",
        f"{name}Pem": "",
        "sha": "SHA-256",
        "type": kind,
        "tests": tests,
    }


@pytest.mark.parametrize("layout", ["old", "v1"])
def test_ecdsa(tmp_path, layout):
    vector = first("ecdsa-p256-sha256", Operation.VERIFY)
    (read_back,) = read(
        tmp_path,
        document(
            "ECDSA", ec_group("EcdsaVerify", layout, [case(1, msg=vector.data, sig=vector.tag)])
        ),
    )
    assert (read_back.scheme, read_back.operation, read_back.key) == (
        "ecdsa-p256-sha256",
        Operation.VERIFY,
        EC_KEY,
    )
    assert (read_back.data, read_back.tag) == (vector.data, vector.tag)


@pytest.mark.parametrize("layout", ["old", "v1"])
def test_p1363_signatures_become_der(tmp_path, layout):
    r, s = 5, 2**255 + 1
    tests = [
        case(1, msg=b"m", sig=r.to_bytes(32, "big") + s.to_bytes(32, "big")),
        case(2, "invalid", msg=b"m", sig=bytes(63)),
        case(3, "invalid", msg=b"m", sig=bytes(64)),
    ]
    good, short, zero = read(
        tmp_path, document("ECDSA", ec_group("EcdsaP1363Verify", layout, tests))
    )
    assert good.tag == der.ecdsa_signature(r, s)
    assert good.tag.hex() == "30260201050221008" + "0" * 62 + "1"
    assert "63 bytes, not 64: the P1363 format itself rejects it" in short.not_applicable
    assert (zero.tag.hex(), zero.not_applicable) == ("3006020100020100", "")


def test_other_curves_are_not_applicable(tmp_path):
    group = ec_group("EcdsaVerify", "v1", [case(1, msg=b"", sig=b"")], curve="brainpoolP256r1")
    (vector,) = read(tmp_path, document("ECDSA", group))
    assert vector.not_applicable == "ECDSA on brainpoolP256r1 with SHA-256"
    (known_curve,) = read(
        tmp_path,
        document("ECDSA", ec_group("EcdsaVerify", "v1", [case(1, msg=b"", sig=b"")], "secp521r1")),
    )
    assert known_curve.not_applicable == "the catalog has no scheme 'ecdsa-p521-sha256'"


@pytest.mark.parametrize("layout", ["old", "v1"])
def test_eddsa(tmp_path, layout):
    key = {"curve": "edwards25519", "keySize": 255, "pk": "11" * 32, "type": "EDDSAPublicKey"}
    if layout == "old":
        key |= {"sk": "22" * 32, "type": "EDDSAKeyPair"}
    name = {"old": "key", "v1": "publicKey"}[layout]
    group = {
        "jwk": {},
        name: key,
        "type": "EddsaVerify",
        "tests": [case(1, "invalid", msg=b"m", sig=b"short")],
    }
    (vector,) = read(tmp_path, document("EDDSA", group))
    assert (vector.scheme, vector.key, vector.tag) == ("ed25519", b"\x11" * 32, b"short")
    assert vector.result is Validity.INVALID


PUBLIC = keys.public_key("rsa-2048-pkcs1-sha256")
MODULUS, EXPONENT = der.read_rsa_public(PUBLIC)
# SubjectPublicKeyInfo with its BIT STRING
SUBJECT = der.sequence(
    bytes.fromhex("300d06092a864886f70d0101010500"), bytes.fromhex("0382010f00") + PUBLIC
)
N_HEX = "00" + f"{MODULUS:0512x}"
RSA_LAYOUTS = {
    "old": {
        "e": "010001",
        "keyAsn": PUBLIC.hex(),
        "keyDer": SUBJECT.hex(),
        "keysize": 2048,
        "n": N_HEX,
    },
    "v1": {
        "keySize": 2048,
        "publicKey": {"modulus": N_HEX, "publicExponent": "010001"},
        "publicKeyDer": "00",
    },
    "asn": {"keySize": 2048, "publicKeyAsn": PUBLIC.hex()},
    "der": {"keySize": 2048, "publicKeyDer": SUBJECT.hex()},
}


@pytest.mark.parametrize("layout", RSA_LAYOUTS)
def test_rsa_keys(tmp_path, layout):
    group = {**RSA_LAYOUTS[layout], "sha": "SHA-256", "tests": [case(7, msg=b"m", sig=bytes(256))]}
    (pkcs1,) = read(tmp_path, document("RSASSA-PKCS1-v1_5", {**group, "type": "RsassaPkcs1Verify"}))
    assert (pkcs1.scheme, pkcs1.key, pkcs1.tag) == ("rsa-2048-pkcs1-sha256", PUBLIC, bytes(256))
    pss = {"type": "RsassaPssVerify", "mgf": "MGF1", "mgfSha": "SHA-256", "sLen": 32}
    assert (
        read(tmp_path, document("RSASSA-PSS", {**group, **pss}))[0].scheme == "rsa-2048-pss-sha256"
    )
    for change, reason in (
        ({"sLen": 0}, "salt of 0 bytes"),
        ({"mgfSha": "SHA-1"}, "SHA-1 in MGF1 and SHA-256"),
        ({"mgf": "SHAKE128"}, "mask function SHAKE128"),
    ):
        (vector,) = read(tmp_path, document("RSASSA-PSS", {**group, **pss, **change}))
        assert reason in vector.not_applicable


def test_rsa_signature_generation(tmp_path):
    content, _ = der.read(keys.test_key("rsa-2048-pkcs1-sha256"), 0x30)
    numbers = []
    while content:
        number, content = der.read_integer(content)
        numbers.append(number)
    names = ("modulus", "publicExponent", "privateExponent", "prime1", "prime2")
    key = {
        name: der.integer(number)[-(number.bit_length() // 8 + 1) :].hex()
        for name, number in zip(names, numbers[1:6], strict=True)
    }
    group = {
        "privateKey": key,
        "keySize": 2048,
        "sha": "SHA-256",
        "type": "RsassaPkcs1Generate",
        "tests": [case(1, msg=b"m", sig=bytes(256))],
    }
    (vector,) = read(tmp_path, document("RSASSA-PKCS1-v1_5", group))
    assert (vector.operation, vector.scheme) == (Operation.SIGN, "rsa-2048-pkcs1-sha256")
    assert der.rsa_private_to_public(vector.key) == vector.public == PUBLIC


def test_x25519(tmp_path):
    vector = first("x25519", Operation.AGREE)
    fields = {"public": vector.data, "private": vector.key, "shared": vector.expect_out}
    group = {
        "curve": "curve25519",
        "type": "XdhComp",
        "tests": [case(1, **fields), case(2, "acceptable", **fields)],
    }
    good, soft = read(tmp_path, document("XDH", group))
    assert (good.scheme, good.operation, good.key, good.data, good.expect_out) == (
        "x25519",
        Operation.AGREE,
        vector.key,
        vector.data,
        vector.expect_out,
    )
    assert soft.result is Validity.ACCEPTABLE


def test_ecdh_with_points(tmp_path):
    vector = first("ecdh-p256", Operation.AGREE)
    fields = {"public": vector.data, "shared": vector.expect_out}
    # Wycheproof writes private keys as signed numbers: with a zero byte in front, or without
    # leading ones.
    tests = [
        case(1, private=b"\x00" + vector.key, **fields),
        case(2, private="03", **fields),
        case(3, "invalid", public=vector.data[:-1], private=vector.key, shared=""),
    ]
    group = {"curve": "secp256r1", "encoding": "ecpoint", "type": "EcdhEcpointTest", "tests": tests}
    same, short, bad = read(tmp_path, document("ECDH", group))
    assert (same.scheme, same.operation, same.key, same.data, same.expect_out) == (
        "ecdh-p256",
        Operation.AGREE,
        vector.key,
        vector.data,
        vector.expect_out,
    )
    assert short.key == bytes(31) + b"\x03"
    assert bad.result is Validity.INVALID and bad.data == vector.data[:-1]
    (other,) = read(
        tmp_path, document("ECDH", {**group, "curve": "brainpoolP256r1", "tests": tests[:1]})
    )
    assert "key agreement on brainpoolP256r1" in other.not_applicable


@pytest.mark.parametrize(
    "kind", ["EcdhTest", "XdhAsnComp", "XdhJwkComp", "XdhPemComp", "DsaVerify", "PrimalityTest"]
)
def test_other_kinds_are_kept_and_not_applicable(tmp_path, kind):
    group = {
        "curve": "curve25519",
        "type": kind,
        "tests": [case(1, public="{}"), case(2, "invalid", public="")],
    }
    vectors = read(tmp_path, document("XDH", group))
    assert [vector.id for vector in vectors] == ["tcId 1", "tcId 2"]
    assert all(kind in vector.not_applicable for vector in vectors)


def test_flags_and_comments_are_told(tmp_path):
    test = {
        **aead_case(first("aes-128-gcm", Operation.ENCRYPT_MESSAGE)),
        "comment": "small IV",
        "flags": ["Ktv", "X"],
    }
    (vector,) = read(tmp_path, document("AES-GCM", {"type": "AeadTest", "tests": [test]}))
    assert vector.comment == "small IV; Ktv, X"


GOOD = document(
    "AES-GCM",
    {
        "type": "AeadTest",
        "tests": [case(42, key="00" * 16, iv="00" * 12, aad="", msg="", ct="", tag="00" * 16)],
    },
)


def broken(change) -> str:
    value = json.loads(json.dumps(GOOD))
    change(value)
    return json.dumps(value)


def inner(value):
    return value["testGroups"][0]["tests"][0]


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        ("{", ":1:2", "not JSON"),
        ("[1]", "", "this is an array"),
        ('{"testGroups": 5, "algorithm": "x"}', "testGroups", "this is a whole number"),
        ('{"testGroups": [5], "algorithm": "x"}', "testGroups[0]", "this is a whole number"),
        ('{"testGroups": []}', "algorithm", "missing"),
        ('{"testGroups": [], "algorithm": "x"}', "", "contains no vector"),
        (broken(lambda v: v["testGroups"][0].pop("type")), "testGroups[0].type", "missing"),
        (broken(lambda v: v["testGroups"][0].pop("tests")), "testGroups[0].tests", "missing"),
        (broken(lambda v: inner(v).pop("tcId")), "testGroups[0].tests[0].tcId", "missing"),
        (
            broken(lambda v: inner(v).update(ct="xy")),
            "testGroups[0].tests[0].ct (tcId 42)",
            "not hexadecimal",
        ),
        (broken(lambda v: inner(v).update(ct="abc")), "ct (tcId 42)", "odd number of digits"),
        (broken(lambda v: inner(v).update(key=None)), "key (tcId 42)", "this is null"),
        (broken(lambda v: inner(v).update(key=[])), "key (tcId 42)", "this is an array"),
        (
            broken(lambda v: inner(v).update(flags="x")),
            "flags (tcId 42)",
            "not all entries are text",
        ),
        (
            broken(lambda v: inner(v).update(result="maybe")),
            "result (tcId 42)",
            "'maybe' is not a possible result",
        ),
        (broken(lambda v: inner(v).update(tcId=True)), "tcId", "this is true or false"),
        (broken(lambda v: inner(v).update(tcId=-1)), "tcId", "out of range"),
        ("[" * 100_000, "", "nested too deeply"),
        ('{"testGroups": ' + "9" * 5000 + "}", "", "too many digits"),
    ],
)
def test_broken_files_say_where_and_what(tmp_path, content, where, what):
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    assert "some_name.bin" in (caught.value.where or "")
    assert where in (caught.value.where or "")
    assert what in caught.value.what


def test_numbers_used_twice_lose_no_test(tmp_path):
    group = {
        "type": "MacTest",
        "keySize": 256,
        "tagSize": 256,
        "tests": [
            {
                "tcId": 1,
                "key": "00" * 32,
                "msg": "",
                "tag": "00" * 32,
                "result": "invalid",
                "flags": [],
            },
        ]
        * 3,
    }
    vectors = read(tmp_path, document("HMACSHA256", group, group))
    assert len({vector.id for vector in vectors}) == len(vectors) == 6
