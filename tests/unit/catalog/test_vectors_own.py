"""Our own vector files, the loader, names, DER and keys."""

from __future__ import annotations

import hashlib
import json

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors import Validity, keys, load
from motebench.catalog.vectors import encodings as der
from motebench.catalog.vectors import encodings as fields_module
from motebench.catalog.vectors.model import cipher_name, hash_name, pads

MINIMAL = {
    "format": "motebench-vectors-1",
    "scheme": "sha256",
    "source": "FIPS 180-4",
    "vectors": [
        {"id": "abc", "op": "digest", "data": "616263", "out": hashlib.sha256(b"abc").hexdigest()}
    ],
}


def read(tmp_path, value):
    path = tmp_path / "mine.dat"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return load(path)


def changed(**changes):
    value = json.loads(json.dumps(MINIMAL))
    value["vectors"][0].update(changes)
    return {**value, "vectors": [{k: v for k, v in value["vectors"][0].items() if v is not ...}]}


def test_a_minimal_file(tmp_path):
    (vector,) = read(tmp_path, MINIMAL)
    assert (vector.id, vector.scheme, vector.operation, vector.data) == (
        "abc",
        "sha256",
        Operation.DIGEST,
        b"abc",
    )
    assert (vector.source, vector.result, vector.tag_bytes, vector.chain) == (
        "FIPS 180-4",
        Validity.VALID,
        32,
        1,
    )


def test_a_byte_order_mark_is_fine(tmp_path):
    assert read(tmp_path, "\ufeff" + json.dumps(MINIMAL))


def test_a_vector_may_name_its_own_scheme_and_source(tmp_path):
    (vector,) = read(tmp_path, changed(scheme="sha512", source="elsewhere", comment="c"))
    assert (vector.scheme, vector.source, vector.comment) == ("sha512", "elsewhere", "c")


def test_a_scheme_nobody_has_is_kept_with_the_reason(tmp_path):
    (vector,) = read(tmp_path, changed(scheme="rot13"))
    assert vector.not_applicable == "the catalog has no scheme 'rot13'"


@pytest.mark.parametrize(
    ("value", "where", "what"),
    [
        (changed(op="hash"), "vectors[0].op (abc)", "'hash' is not an operation"),
        (changed(op="key-setup"), "vectors[0].op (abc)", "is not an operation"),
        (changed(op="keygen"), "vectors[0].seed (abc)", "missing or empty"),
        (changed(op="keygen", seed="00"), "vectors[0].public (abc)", "missing or empty"),
        (changed(op="encapsulate", seed="00"), "vectors[0].ciphertext (abc)", "missing or empty"),
        (changed(op="decapsulate", ciphertext="00"), "vectors[0].secret (abc)", "missing or empty"),
        (changed(out=...), "vectors[0].out (abc)", "missing"),
        (changed(out=""), "vectors[0].out (abc)", "missing or empty"),
        (changed(out="0g"), "vectors[0].out (abc)", "not hexadecimal"),
        (changed(out="00 00"), "vectors[0].out (abc)", "not hexadecimal"),
        (changed(result="wrong"), "vectors[0].result (abc)", "'wrong' is not a possible result"),
        (changed(result="invalid"), "vectors[0].result (abc)", "digest rejects no input"),
        (changed(chain=0), "vectors[0].chain (abc)", "0 is out of range"),
        (changed(chain="2"), "vectors[0].chain (abc)", "this is a text"),
        (changed(tag_bytes=1.5), "vectors[0].tag_bytes (abc)", "this is a number"),
        (changed(plaintext="00"), "vectors[0].plaintext (abc)", "unknown key"),
        (changed(id=...), "vectors[0].id", "missing"),
        ({**MINIMAL, "vectors": MINIMAL["vectors"] * 2}, "vectors[1].id (abc)", "used twice"),
        ({**MINIMAL, "format": "motebench-vectors-9"}, "format", "not a known format"),
        ({**MINIMAL, "colour": "red"}, "colour", "unknown key"),
        ({**MINIMAL, "scheme": ""}, "vectors[0].scheme (abc)", "names a scheme"),
        ({**MINIMAL, "vectors": []}, "", "contains no vector"),
        ({"hello": 1}, "", "neither 'vectors' nor 'testGroups'"),
    ],
)
def test_broken_files_say_where_and_what(tmp_path, value, where, what):
    with pytest.raises(InputError) as caught:
        read(tmp_path, value)
    assert "mine.dat" in (caught.value.where or "")
    assert where in (caught.value.where or "")
    assert what in caught.value.what


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "missing.json")
    with pytest.raises(InputError, match="this is a folder"):
        load(tmp_path)
    (tmp_path / "binary").write_bytes(b"\x80\x81\xff")
    with pytest.raises(InputError, match="not a text file: byte 0"):
        load(tmp_path / "binary")
    monkeypatch.setattr(fields_module, "MAX_FILE_BYTES", 10)
    (tmp_path / "huge").write_text(json.dumps(MINIMAL))
    with pytest.raises(InputError, match="longer than 64 MiB"):
        load(tmp_path / "huge")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SHA-256", "sha256"),
        ("SHA-512/256", "sha512-256"),
        ("sha512_256ShortMsg", "sha512-256"),
        ("SHA3-384", "sha3-384"),
        ("SHAKE256", "shake256"),
        ("HMAC-SHA-1", "sha1"),
        ("RIPEMD160", "ripemd160"),
        ("md5", "md5"),
        ("whirlpool", ""),
        ("SHA-2560", ""),
    ],
)
def test_hash_names(text, name):
    assert hash_name(text) == name


def test_cipher_names():
    assert cipher_name("aes", 24, "gcm") == "aes-192-gcm"
    assert cipher_name("aes", 64, "xts") == "aes-256-xts"
    assert cipher_name("3des", 24, "cbc") == "3des-cbc"
    assert cipher_name("rc4", 5, "") == "rc4-40"
    assert pads("des-cbc") and pads("aes-128-ecb") and not pads("aes-128-ctr")


def test_der_is_minimal_and_read_strictly():
    assert der.integer(0).hex() == "020100"
    assert der.integer(128).hex() == "02020080"
    assert der.ecdsa_signature(1, 255).hex() == "3007020101020200ff"
    key = der.rsa_public(2**2047 + 1, 65537)
    assert der.read_rsa_public(key) == (2**2047 + 1, 65537)
    for bad in (
        b"",
        key[:-1],
        key + b"\0",
        b"\x31" + key[1:],
        bytes.fromhex("3006020200010201"),
        bytes.fromhex("30800201010201010000"),
        bytes.fromhex("308106020101020101"),
    ):
        with pytest.raises(ValueError, match=r"."):
            der.read_rsa_public(bad)


RSA = [
    f"rsa-{bits}-{padding}-sha256"
    for bits in (1024, 2048, 3072, 4096)
    for padding in ("pkcs1", "pss")
]


@pytest.mark.parametrize("scheme", RSA)
def test_rsa_keys_have_the_size_of_their_name(scheme):
    modulus, exponent = der.read_rsa_public(keys.public_key(scheme))
    assert (modulus.bit_length(), exponent) == (int(scheme.split("-")[1]), 65537)
    assert der.rsa_private_to_public(keys.test_key(scheme)) == keys.public_key(scheme)


def test_small_keys_have_their_formats():
    names = ("ed25519", "x25519", "ecdsa-p256-sha256", "ecdh-p256")
    assert [len(keys.test_key(name)) for name in names] == [32] * 4
    assert [len(keys.public_key(name)) for name in names] == [32, 32, 65, 65]
    assert keys.public_key("ecdsa-p256-sha256")[0] == 4


def test_schemes_without_a_key_say_so():
    with pytest.raises(InputError, match="no test key for 'sha256'"):
        keys.test_key("sha256")
