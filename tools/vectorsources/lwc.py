"""Known answers of the submissions to NIST's lightweight cryptography project, from crates that
carry them in tests.

``cargo vendor`` unpacks ``ascon-aead``, ``ascon-hash256``, ``ascon-xof128``, ``isap-aead``,
``lib-q-romulus``, ``tc_sparkle_aead`` and ``tc_grain128_aead`` into one folder. Files in the layout
of ``LWC_AEAD_KAT_*.txt`` have 1089 vectors: every length of message and of associated data from 0
to 32 bytes, of which a spread is kept. Ascon-CXOF128 is from a copy of github.com/ascon/ascon-c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Vector
from vectorsources.writing import Collection

_COUNTING = bytes(range(32))
_LENGTHS = 33
"""Lengths of associated data for each length of message."""
_PICKED = (
    (0, 0),
    (0, 1),
    (1, 0),
    (0, 32),
    (7, 9),
    (8, 8),
    (9, 7),
    (15, 17),
    (16, 16),
    (17, 15),
    (31, 24),
    (32, 0),
    (32, 32),
)
"""Lengths of message and associated data that are kept: on, below and above the blocks of these
ciphers.
"""
_RUST = re.compile(r'plaintext:\s*"(\w*)",\s*aad:\s*"(\w*)",\s*ciphertext_and_tag:\s*"(\w*)"')

_TEXT = {
    "ascon-aead128": (
        "ascon",
        "ascon-aead/tests/data/ascon128.txt",
        "ascon-c, by way of the crate ascon-aead 0.6.0",
    ),
    "isap-k-128": (
        "isap",
        "isap-aead/tests/data/isapk128.txt",
        "ISAP 2.0, by way of the crate isap-aead 0.3.0",
    ),
    "isap-k-128a": (
        "isap",
        "isap-aead/tests/data/isapk128a.txt",
        "ISAP 2.0, by way of the crate isap-aead 0.3.0",
    ),
    "romulus-m": (
        "romulus",
        "lib-q-romulus/tests/fixtures/romulus-m/LWC_AEAD_KAT_128_128.txt",
        "Romulus 1.3, by way of the crate lib-q-romulus 0.0.11",
    ),
    "romulus-n": (
        "romulus",
        "lib-q-romulus/tests/fixtures/romulus-n/LWC_AEAD_KAT_128_128.txt",
        "Romulus 1.3, by way of the crate lib-q-romulus 0.0.11",
    ),
}
_SPARKLE = "tc_sparkle_aead/tests/kat.rs"
_CONSTANTS = {
    "schwaemm128-128": ("sparkle", _SPARKLE, "SCHWAEMM128_128_KATS", 16, 16, 16),
    "schwaemm192-192": ("sparkle", _SPARKLE, "SCHWAEMM192_192_KATS", 24, 24, 24),
    "schwaemm256-128": ("sparkle", _SPARKLE, "SCHWAEMM256_128_KATS", 16, 32, 16),
    "schwaemm256-256": ("sparkle", _SPARKLE, "SCHWAEMM256_256_KATS", 32, 32, 32),
    "grain-128aead": ("grain-128aead", "tc_grain128_aead/tests/engine.rs", "KATS", 16, 12, 8),
}
_HASHES = {
    "ascon-hash256": "ascon-hash256/tests/data/ascon_hash256_kat.blb",
    "ascon-xof128": "ascon-xof128/tests/data/ascon_xof128_kat.blb",
}
_CXOF = "crypto_cxof/asconcxof128/LWC_CXOF_KAT_128_512.txt"
_STRING = bytes(range(0x10, 0x20))
"""The customization string of the scheme."""
_DIGEST = 32
_MESSAGES = (0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 64, 100, 256, 1000)


def collect(folder: Path, collection: Collection) -> None:
    """Add the vectors of all crates in ``folder``."""
    for scheme, (group, path, source) in _TEXT.items():
        collection.add(group, _text(scheme, folder / path, source))
    for scheme, (group, path, name, key, nonce, tag) in _CONSTANTS.items():
        crate = path.partition("/")[0]
        source = f"its submission to NIST, by way of the crate {crate} 0.1"
        lengths = (key, nonce, tag)
        collection.add(
            group,
            _constants(scheme, (folder / path).read_text(encoding="utf-8"), name, lengths, source),
        )
    for scheme, path in _HASHES.items():
        collection.add(
            "ascon",
            _blobby(scheme, (folder / path).read_bytes(), f"ascon-c, by way of the crate {scheme}"),
        )


def collect_cxof(ascon_c: Path, collection: Collection) -> None:
    """Add the vectors of Ascon-CXOF128 under the string of the scheme."""
    collection.add("ascon", _cxof((ascon_c / _CXOF).read_text(encoding="ascii")))


def _cxof(text: str) -> Iterator[Vector]:
    for block in text.strip().split("\n\n"):
        lines = dict(re.findall(r"^(\w+) = ?(\w*)$", block, re.MULTILINE))
        if bytes.fromhex(lines["Z"]) == _STRING:
            yield Vector(
                id=f"Count {lines['Count']}",
                scheme="ascon-cxof128",
                operation=Operation.DIGEST,
                data=bytes.fromhex(lines["Msg"]),
                expect_out=bytes.fromhex(lines["MD"])[:_DIGEST],
                source="ascon-c, LWC_CXOF_KAT_128_512.txt; Z is 10 11 ... 1f",
            )


def _vector(scheme: str, number: str, given: dict[str, bytes], tag: int, source: str) -> Vector:
    end = len(given["CT"]) - tag
    return Vector(
        id=number,
        scheme=scheme,
        operation=Operation.ENCRYPT_MESSAGE,
        key=given["Key"],
        nonce=given["Nonce"],
        aad=given["AD"],
        data=given["PT"],
        expect_out=given["CT"][:end],
        expect_tag=given["CT"][end:],
        source=source,
    )


def _text(scheme: str, path: Path, source: str) -> Iterator[Vector]:
    blocks = path.read_text(encoding="utf-8-sig").strip().replace("\r", "").split("\n\n")
    for message, data in _PICKED:
        lines = dict(
            re.findall(r"^(\w+) = ?(\w*)$", blocks[message * _LENGTHS + data], re.MULTILINE)
        )
        given = {name: bytes.fromhex(value) for name, value in lines.items() if name != "Count"}
        if (len(given["PT"]), len(given["AD"])) != (message, data):
            raise ValueError(f"{path}: Count {lines['Count']} is not of the lengths expected")
        yield _vector(scheme, f"Count {lines['Count']}", given, 16, source)


def _constants(
    scheme: str, text: str, name: str, lengths: tuple[int, int, int], source: str
) -> Iterator[Vector]:
    key, nonce, tag = lengths
    start = text.index(f"const {name}:")
    for number, found in enumerate(_RUST.findall(text[start : text.index("];", start)]), 1):
        plain, data, out = map(bytes.fromhex, found)
        given = {
            "Key": _COUNTING[:key],
            "Nonce": _COUNTING[:nonce],
            "PT": plain,
            "AD": data,
            "CT": out,
        }
        yield _vector(scheme, f"{name} {number}", given, tag, source)


def _blobby(scheme: str, blob: bytes, source: str) -> Iterator[Vector]:
    """Messages and digests in the format of the crate ``blobby``, read by its documentation."""
    for message, digest in _pairs(blob):
        if len(message) in _MESSAGES:
            yield Vector(
                id=f"{len(message)} bytes",
                scheme=scheme,
                operation=Operation.DIGEST,
                data=message,
                expect_out=digest[:_DIGEST],
                source=source,
            )


def _pairs(blob: bytes) -> Iterator[tuple[bytes, bytes]]:
    items = _items(blob)
    yield from zip(items, items, strict=True)


def _items(blob: bytes) -> Iterator[bytes]:
    at = 0

    def number() -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = blob[at]
            at += 1
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                return value
            value, shift = value + 1, shift + 7

    count = number()
    common = []
    for _ in range(number()):
        length = number()
        common.append(blob[at : at + length])
        at += length
    for _ in range(count):
        head = number()
        if head & 1:
            yield common[head >> 1]
        else:
            yield blob[at : at + (head >> 1)]
            at += head >> 1
