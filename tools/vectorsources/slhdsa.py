"""SLH-DSA: test keys of every parameter set, key generation and signing, from the tests of Botan.

``src/tests/data/pubkey/slh_dsa.vec`` (in the crate ``botan-src``) was made with the reference code
py-acvp-pqc. It has keys, and hashes of signatures. The signatures are made here and must have these
hashes.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.hash_based import SlhSet, SlhSigner, slh_set
from motebench.catalog.vectors.model import Vector
from vectorsources.writing import Collection

ARCHIVE = "Botan-3.13.0.tar.xz"
"""Archive in the folder ``vendor`` of the crate ``botan-src``."""
_FILE = "src/tests/data/pubkey/slh_dsa.vec"
_SET = "SphincsParameterSet"
_LINE = re.compile(r"^(\w+) = (.*)$", re.MULTILINE)


def collect(crates: Path, keys: Path, collection: Collection) -> None:
    """The vectors and the test key of every set; ``crates``: a folder that cargo vendor filled."""
    (crate,) = (path.parent for path in crates.glob(f"botan-src*/vendor/{ARCHIVE}"))
    with tarfile.open(crate / ARCHIVE) as archive:
        file = archive.extractfile(f"{ARCHIVE.removesuffix('.tar.xz')}/{_FILE}")
        assert file is not None
        text = file.read().decode()
    for record in _records(text):
        name = record[_SET].lower()
        source = f"Botan 3.13.0, {_FILE}, {record[_SET]}"
        private, public = bytes.fromhex(record["sk"]), bytes.fromhex(record["pk"])
        seed = private[: 3 * len(private) // 4]  # FIPS 205, algorithm 18: SK.seed, SK.prf, PK.seed
        made = Vector(
            "keygen",
            name,
            Operation.KEYGEN,
            seed=seed,
            expect_out=private,
            public=public,
            source=source,
        )
        signed = Vector(
            "sign",
            name,
            Operation.SIGN,
            key=private,
            seed=seed,
            public=public,
            data=bytes.fromhex(record["msg"]),
            source=source,
        )
        signature = SlhSigner(_set(name), private).sign(signed.data).signature
        if (
            hashlib.new("sha3_256" if "shake" in name else "sha256", signature).hexdigest()
            != record["HashSigDet"].lower()
        ):
            raise ValueError(f"{source}: another signature")
        verified = Vector(
            "verify",
            name,
            Operation.VERIFY,
            key=public,
            data=signed.data,
            tag=signature,
            source=source,
        )
        collection.add("slh-dsa", [signed, made, verified])
        key = {
            "source": source,
            "seed": seed.hex(),
            "private": private.hex(),
            "public": public.hex(),
        }
        (keys / f"{name}.json").write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def _set(name: str) -> SlhSet:
    found = slh_set(name)
    assert found is not None
    return found


def _records(text: str) -> Iterator[Mapping[str, str]]:
    record: dict[str, str] = {}
    for name, value in _LINE.findall(text):
        if name == _SET and record:
            yield record
            record = {}
        record[name] = value
    yield record
