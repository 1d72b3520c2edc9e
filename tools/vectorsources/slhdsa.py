"""SLH-DSA: test keys of every parameter set, key generation and signing, from the tests of Botan.

``src/tests/data/pubkey/slh_dsa.vec`` (in the crate ``botan-src``) was made with the reference code py-acvp-pqc. It has
keys, and hashes of signatures: too little to verify with, so the signatures are checked by the implementation itself,
whose verification has known answers of its own.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from motebench.model import Operation
from motebench.vectors.model import Vector
from vectorsources.writing import Collection

_ARCHIVE = "Botan-3.13.0.tar.xz"
_FILE = "src/tests/data/pubkey/slh_dsa.vec"
_SET = "SphincsParameterSet"
_LINE = re.compile(r"^(\w+) = (.*)$", re.MULTILINE)


def collect(crates: Path, keys: Path, collection: Collection) -> None:
    """The vectors and the test key of every set; ``crates``: a folder that cargo vendor filled."""
    (crate,) = (path.parent for path in crates.glob(f"botan-src*/vendor/{_ARCHIVE}"))
    with tarfile.open(crate / _ARCHIVE) as archive:
        file = archive.extractfile(f"{_ARCHIVE.removesuffix('.tar.xz')}/{_FILE}")
        assert file is not None
        text = file.read().decode()
    for record in _records(text):
        name = record[_SET].lower()
        source = f"Botan 3.13.0, {_FILE}, {record[_SET]}"
        private, public = bytes.fromhex(record["sk"]), bytes.fromhex(record["pk"])
        seed = private[: 3 * len(private) // 4]  # FIPS 205, algorithm 18: SK.seed, SK.prf, PK.seed
        made = Vector("keygen", name, Operation.KEYGEN, seed=seed, expect_out=private, public=public, source=source)
        signed = Vector("sign", name, Operation.SIGN, key=private, seed=seed, public=public,
                        data=bytes.fromhex(record["msg"]), source=source)  # fmt: skip
        collection.add("slh-dsa", [signed, made])
        key = {"source": source, "seed": seed.hex(), "private": private.hex(), "public": public.hex()}
        (keys / f"{name}.json").write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def _records(text: str) -> Iterator[Mapping[str, str]]:
    record: dict[str, str] = {}
    for name, value in _LINE.findall(text):
        if name == _SET and record:
            yield record
            record = {}
        record[name] = value
    yield record
