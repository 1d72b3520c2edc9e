"""CMAC, KMAC and GMAC.

CMAC and KMAC: the examples of their standards, and lengths around whole blocks computed by
PyCryptodome. GMAC: the answers of NIST's CAVP to GCM without a text, and those of Wycheproof.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.writing import Collection

_KEY = bytes(range(0x40, 0x60))
_SHORT, _LONG = bytes(range(4)), bytes(range(200))
# NIST, SP 800-185 examples, KMAC_samples.pdf: those with an empty customization string.
_KMAC = [
    ("1", "kmac128", _SHORT, "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
    (
        "5",
        "kmac256",
        _LONG,
        "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691"
        "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69",
    ),
]
_LENGTHS = (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 135, 136, 137, 165, 168, 169, 255, 256, 1000)


_TAG_BITS = (128, 120, 96)
_EACH = 3
"""Answers of CAVP for each length of message and tag."""
_EIGHTH = 8
"""Step through the forged tags of Wycheproof, of which every eighth is taken."""


def collect(root: Path, into: Collection) -> None:
    """CMAC and KMAC, and GMAC of CAVP; ``root``: the package ``cryptography_vectors``."""
    for bits in (128, 192, 256):
        into.add("aes", _of_cmac(root, bits))
        into.add("aes", _of_gcm(root, bits))
    into.add("kmac", _of_kmac())


def collect_gmac(wycheproof: Path, into: Collection) -> None:
    """GMAC with nonces of 96 bits; ``wycheproof``: a copy of github.com/C2SP/wycheproof."""
    read = json.loads(
        (wycheproof / "testvectors_v1" / "aes_gmac_test.json").read_text(encoding="utf-8")
    )
    for group in read["testGroups"]:
        if group["ivSize"] == 96:
            into.add("aes", _of_wycheproof(group))


def _of_gcm(root: Path, bits: int) -> Iterator[Vector]:
    """GCM of an empty text with a nonce of 96 bits."""
    file, lengths, fields, number = (
        f"gcmEncryptExtIV{bits}.rsp",
        dict[str, int](),
        dict[str, str](),
        0,
    )
    for line in (root / "ciphers" / "AES" / "GCM" / file).read_text(encoding="ascii").splitlines():
        word, _, value = (part.strip(" []") for part in line.partition("="))
        if line.startswith("["):
            lengths[word] = int(value)
        fields[word] = value
        if (
            word != "Tag"
            or lengths["PTlen"] != 0
            or lengths["IVlen"] != 96
            or lengths["Taglen"] not in _TAG_BITS
        ):
            continue
        if int(fields["Count"]) < _EACH:
            number += 1
            yield _with_nonce(
                f"CAVP {number}",
                bits,
                fields["Key"],
                fields["IV"],
                fields["AAD"],
                value,
                f"NIST CAVP {file}: AADlen {lengths['AADlen']}, count {fields['Count']}",
            )


def _of_wycheproof(group: dict[str, Any]) -> Iterator[Vector]:
    for test in group["tests"]:
        if test["result"] == "invalid" and test["tcId"] % _EIGHTH:
            continue
        number, source = (
            f"Wycheproof {test['tcId']}",
            f"Wycheproof aes_gmac_test.json, tcId {test['tcId']}",
        )
        vector = _with_nonce(
            number, group["keySize"], test["key"], test["iv"], test["msg"], test["tag"], source
        )
        yield replace(vector, result=Validity(test["result"]))


def _with_nonce(
    identity: str, bits: int, key: str, nonce: str, data: str, tag: str, source: str
) -> Vector:
    return replace(
        _vector(identity, f"aes-{bits}-gmac", key, data, tag, source), nonce=bytes.fromhex(nonce)
    )


def _of_cmac(root: Path, bits: int) -> Iterator[Vector]:
    from Crypto.Cipher import AES
    from Crypto.Hash import CMAC

    name, fields = f"aes-{bits}-cmac", dict[str, str]()
    for line in (
        (root / "CMAC" / f"nist-800-38b-aes{bits}.txt").read_text(encoding="ascii").splitlines()
    ):
        word, _, value = (part.strip() for part in line.partition("="))
        fields[word] = value
        if word == "OUTPUT":
            yield _vector(
                f"SP 800-38B: {fields['COUNT']}",
                name,
                fields["KEY"],
                fields["MESSAGE"],
                value,
                "NIST SP 800-38B, examples",
            )
    for length in _LENGTHS:
        key, data = (
            _bytes(f"{name} key {length}", bits // 8),
            _bytes(f"{name} data {length}", length),
        )
        out = CMAC.new(key, data, ciphermod=AES).digest()
        yield _vector(
            f"computed: {length}",
            name,
            key.hex(),
            data.hex(),
            out.hex(),
            "computed with PyCryptodome",
        )
    yield _forged(name, _bytes(name, bits // 8), b"forged", 16)


def _of_kmac() -> Iterator[Vector]:
    from Crypto.Hash import KMAC128, KMAC256

    for number, name, data, out in _KMAC:
        yield _vector(
            f"sample {number}",
            name,
            _KEY.hex(),
            data.hex(),
            out,
            "NIST, SP 800-185 examples (KMAC samples)",
        )
    for name, module, key_bytes, mac in (
        ("kmac128", KMAC128, 16, 32),
        ("kmac256", KMAC256, 32, 64),
    ):
        for length in _LENGTHS:
            key, data = (
                _bytes(f"{name} key {length}", key_bytes),
                _bytes(f"{name} data {length}", length),
            )
            out = module.new(key=key, data=data, mac_len=mac).hexdigest()
            yield _vector(
                f"computed: {length}",
                name,
                key.hex(),
                data.hex(),
                out,
                "computed with PyCryptodome",
            )
        yield _forged(name, _bytes(name, key_bytes), b"forged", mac)


def _vector(identity: str, scheme: str, key: str, data: str, out: str, source: str) -> Vector:
    made = bytes.fromhex(out)
    return Vector(
        identity,
        scheme,
        Operation.MAC,
        key=bytes.fromhex(key),
        data=bytes.fromhex(data),
        expect_out=made,
        tag_bytes=len(made),
        source=source,
    )


def _forged(scheme: str, key: bytes, data: bytes, mac: int) -> Vector:
    return Vector(
        "a MAC of zeros",
        scheme,
        Operation.MAC,
        key=key,
        data=data,
        expect_out=bytes(mac),
        tag_bytes=mac,
        result=Validity.INVALID,
        source="computed with PyCryptodome",
    )


def _bytes(seed: str, length: int) -> bytes:
    return hashlib.shake_256(seed.encode()).digest(length)
