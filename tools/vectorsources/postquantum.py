"""ML-KEM and ML-DSA: the first records of the KAT files in ``cryptography_vectors``, and inputs
that must be rejected, made of them by changes that the standards name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.files import load
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.writing import Collection

_RECORDS = 2
_FILES = {
    "ml-kem-512": "MLKEM/kat_MLKEM_512.rsp",
    "ml-kem-768": "MLKEM/kat_MLKEM_768.rsp",
    "ml-kem-1024": "MLKEM/kat_MLKEM_1024.rsp",
    "ml-dsa-44": "MLDSA/kat_MLDSA_44_det_pure.rsp",
    "ml-dsa-65": "MLDSA/kat_MLDSA_65_det_pure.rsp",
    "ml-dsa-87": "MLDSA/kat_MLDSA_87_det_pure.rsp",
}


def collect(root: Path, keys: Path, collection: Collection) -> None:
    """Vectors of every set, and its test key: the key of the first record."""
    for scheme, file in _FILES.items():
        found = load(root / "asymmetric" / file)
        count = len({vector.id.split()[1] for vector in found})
        taken = [
            replace(vector, source=f"cryptography_vectors {Path(file).name}, {vector.id}")
            for vector in found[: _RECORDS * len(found) // count]
        ]
        first = {vector.id.split(" ", 2)[2]: vector for vector in taken[: len(taken) // _RECORDS]}
        if scheme.startswith("ml-kem"):
            made = _rejected_kem(first)
            # One key is enough in the second record: its own is long.
            taken = [
                vector
                for vector in taken
                if "count 0" in vector.id or vector.operation is Operation.ENCAPSULATE
            ]
        else:
            made = _rejected_dsa(first)
            # The first refusal is told: signing and verifying come before making keys, which boards
            # cannot.
            signed = [vector for vector in taken if vector.operation is not Operation.KEYGEN]
            taken = [*signed, first["keygen"]]
        collection.add(scheme.rsplit("-", 1)[0], [*taken, *made])
        _write_key(keys, scheme, Path(file).name, first["keygen"])


def _write_key(folder: Path, scheme: str, file: str, made: Vector) -> None:
    value = {
        "source": f"cryptography_vectors {file}, count 0",
        "seed": made.seed.hex(),
        "private": (made.expect_out or b"").hex(),
        "public": made.public.hex(),
    }
    (folder / f"{scheme}.json").write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


def _rejected_kem(first: dict[str, Vector]) -> Iterator[Vector]:
    ask, back = first["encapsulate"], first["decapsulate"]
    ask = replace(ask, ciphertext=b"", secret=b"", result=Validity.INVALID)
    back = replace(back, secret=b"", public=b"", seed=b"", result=Validity.INVALID)
    yield replace(
        ask,
        id="modulus",
        key=b"\xff\xff\xff" + ask.key[3:],
        source="FIPS 203, section 7.2: the key of count 0 with coefficients of 4095",
    )
    yield replace(
        ask, id="short public key", key=ask.key[:-1], source="FIPS 203, section 7.2: a byte less"
    )
    hashed = len(back.key) - 64  # H(ek) and z are the last 64 bytes
    yield replace(
        back,
        id="hash of the public key",
        key=_flip(back.key, hashed),
        source="FIPS 203, section 7.3: the key of count 0 with another H(ek)",
    )
    yield replace(
        back,
        id="short ciphertext",
        ciphertext=back.ciphertext[:-1],
        source="FIPS 203, section 7.3: a byte less",
    )


def _rejected_dsa(first: dict[str, Vector]) -> Iterator[Vector]:
    good = replace(first["verify"], result=Validity.INVALID)

    yield replace(
        good,
        id="changed challenge",
        tag=_flip(good.tag, 0),
        source="FIPS 204, algorithm 8: another c",
    )
    yield replace(
        good, id="changed message", data=good.data + b"\0", source="FIPS 204, algorithm 3"
    )
    yield replace(
        good, id="another context", context=good.context[:-1], source="FIPS 204, algorithm 3"
    )
    yield replace(
        good,
        id="hint encoding",
        tag=good.tag[:-1] + b"\xff",
        source="FIPS 204, algorithm 21: more hints than omega",
    )
    yield replace(
        good,
        id="norm of z",
        tag=good.tag[:32] + b"\0" * 64 + good.tag[96:],
        source="FIPS 204, algorithm 8",
    )
    short = good.tag[:-1]
    yield replace(
        good,
        id="short signature",
        tag=short,
        tag_bytes=len(short),
        source="FIPS 204, section 3.6.2",
    )
