"""X-Wing: the records of its draft. X25519MLKEM768: published answers of ML-KEM-768 and of X25519
put together, as the draft of TLS does it: ML-KEM first, in keys, ciphertext and secret. And inputs
that must be rejected, made by one change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.files import load
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.standards import ALICE, BOB, SHARED
from vectorsources.writing import Collection

_TLS = "x25519mlkem768"
_KAT = "MLKEM/kat_MLKEM_768.rsp"
_POINT = 32
"""Bytes of a public key of X25519, the last of each public key and ciphertext."""


def collect(root: Path, keys: Path, collection: Collection) -> None:
    """X25519MLKEM768 and its test key, of record 0 and Alice."""
    found = {
        vector.id: vector
        for vector in load(root / "asymmetric" / _KAT)
        if vector.id.split()[1] in ("0", "1")
    }
    people = {0: ("Alice", ALICE, BOB), 1: ("Bob", BOB, ALICE)}
    pairs = {
        count: _pair(found[f"count {count} keygen"], person[1]) for count, person in people.items()
    }
    taken = []
    for count, (name, _, peer) in people.items():
        private, public = pairs[count]
        source = (
            f"cryptography_vectors {Path(_KAT).name}, count {count}; RFC 7748 section 6.1, {name}"
        )
        for kind in ("decapsulate", "implicit rejection"):
            pure = found[f"count {count} {kind}"]
            joined = Vector(
                f"count {count}, {name}, {kind}",
                _TLS,
                Operation.DECAPSULATE,
                key=private,
                ciphertext=pure.ciphertext + bytes.fromhex(peer[1]),
                secret=pure.secret + bytes.fromhex(SHARED),
                source=source,
            )
            taken.append(replace(joined, public=public) if kind == "decapsulate" else joined)
    # One record of the implicit rejection is enough, and a second key without its public one: they
    # are long.
    taken = [taken[0], taken[1], replace(taken[2], public=b"")]
    ask = Vector("ask", _TLS, Operation.ENCAPSULATE, key=pairs[0][1], result=Validity.INVALID)
    collection.add("hybrids", [*taken, *_rejected(ask, taken[0])])
    private, public = pairs[0]
    seed = found["count 0 keygen"].seed + bytes.fromhex(ALICE[0])
    _write_key(keys, _TLS, taken[0].source, seed, private, public)


def collect_x_wing(crates: Path, keys: Path, collection: Collection) -> None:
    """The records of the draft, and the test key, of the first; ``crates``: a folder that cargo
    vendor filled.
    """
    (path,) = crates.glob("x-wing*/tests/test-vectors.json")
    taken = []
    for count, record in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
        value = {name: bytes.fromhex(text) for name, text in record.items()}
        source = (
            f"draft-connolly-cfrg-xwing-kem, appendix C, record {count}, as in crate x-wing 0.1.0"
        )
        private, public, answer = (
            value["sk"],
            value["pk"],
            {"ciphertext": value["ct"], "secret": value["ss"]},
        )
        taken += [
            Vector(
                f"{count} keygen",
                "x-wing",
                Operation.KEYGEN,
                seed=value["seed"],
                expect_out=private,
                public=public,
                source=source,
            ),
            Vector(
                f"{count} encapsulate",
                "x-wing",
                Operation.ENCAPSULATE,
                key=public,
                seed=value["eseed"],
                source=source,
                **answer,
            ),
            Vector(
                f"{count} decapsulate",
                "x-wing",
                Operation.DECAPSULATE,
                key=private,
                public=public,
                source=source,
                **answer,
            ),
        ]
    first = taken[0]
    ask, back = (replace(vector, result=Validity.INVALID) for vector in taken[1:3])
    collection.add("hybrids", [*taken, *_lengths(replace(ask, ciphertext=b"", secret=b""), back)])
    _write_key(keys, "x-wing", first.source, first.seed, first.expect_out or b"", first.public)


def _pair(made: Vector, person: tuple[str, str]) -> tuple[bytes, bytes]:
    """Private and public key of a record of ML-KEM and of a person of RFC 7748."""
    private, public = map(bytes.fromhex, person)
    return (made.expect_out or b"") + private, made.public + public


def _rejected(ask: Vector, good: Vector) -> Iterator[Vector]:
    back = replace(good, result=Validity.INVALID)
    yield from _lengths(ask, back)
    back = replace(back, secret=b"", public=b"")
    hashed = len(back.key) - _POINT - 64  # H(ek) and z are the last 64 bytes of the key of ML-KEM
    other = back.key[:hashed] + bytes((back.key[hashed] ^ 1,)) + back.key[hashed + 1 :]
    yield replace(
        back,
        id="hash of the public key",
        key=other,
        source="FIPS 203, section 7.3: the key of count 0 with another H(ek)",
    )
    zeros, why = bytes(_POINT), "RFC 8446, section 7.4.2: the secret of X25519 would be all zeros"
    yield replace(
        ask, id="public key with a share of zeros", key=ask.key[:-_POINT] + zeros, source=why
    )
    yield replace(
        back,
        id="ciphertext with a share of zeros",
        ciphertext=back.ciphertext[:-_POINT] + zeros,
        source=why,
    )


def _lengths(ask: Vector, back: Vector) -> Iterator[Vector]:
    """Another length or modulus, from good questions that are marked as invalid."""
    back = replace(back, secret=b"", public=b"")
    yield replace(
        ask,
        id="modulus",
        key=b"\xff\xff\xff" + ask.key[3:],
        source="FIPS 203, section 7.2: a key with coefficients of 4095",
    )
    for name, less in (("short", -1), ("long", 1)):
        source = "the sizes of its draft: a byte " + ("less" if less < 0 else "more")
        yield replace(ask, id=f"{name} public key", key=_resized(ask.key, less), source=source)
        yield replace(back, id=f"{name} private key", key=_resized(back.key, less), source=source)
        yield replace(
            back, id=f"{name} ciphertext", ciphertext=_resized(back.ciphertext, less), source=source
        )


def _resized(data: bytes, by: int) -> bytes:
    return data[:by] if by < 0 else data + bytes(by)


def _write_key(
    folder: Path, scheme: str, source: str, seed: bytes, private: bytes, public: bytes
) -> None:
    value = {"source": source, "seed": seed.hex(), "private": private.hex(), "public": public.hex()}
    (folder / f"{scheme}.json").write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
