"""LMS, HSS and XMSS: published signatures, from the tests of Botan and Mbed TLS.

``hss_lms_verify.vec`` has those of RFC 8554, appendix F, and of
draft-fluhrer-lms-more-parm-sets-11; ``xmss_verify.vec`` was made with the reference code of RFC
8391. Of XMSS one signature of each set is taken. ``test_suite_lms.data`` has signatures of
hash-sigs and of two packages named hsslms. All other known answers of these schemes are made when
they are asked for (``motebench/catalog/vectors/hash_based.py``).
"""

from __future__ import annotations

import re
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.files import load
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.slhdsa import ARCHIVE
from vectorsources.writing import Collection

_FOLDER = "src/tests/data/pubkey"
FILES = ("hss_lms_verify.vec", "hss_lms_invalid.vec", "xmss_verify.vec")


def collect(crates: Path, collection: Collection) -> None:
    """The vectors; ``crates``: a folder that cargo vendor filled."""
    (crate,) = (path.parent for path in crates.glob(f"botan-src*/vendor/{ARCHIVE}"))
    seen = set()
    with tarfile.open(crate / ARCHIVE) as archive, tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            file = archive.extractfile(f"{ARCHIVE.removesuffix('.tar.xz')}/{_FOLDER}/{name}")
            assert file is not None
            path = Path(folder) / name
            path.write_bytes(file.read())
            for vector in load(path):
                if vector.not_applicable or (
                    vector.scheme.startswith("xmss") and vector.scheme in seen
                ):
                    continue
                seen.add(vector.scheme)
                source = f"Botan 3.13.0, {_FOLDER}/{name}, record {vector.id}"
                ident = f"{name.removesuffix('.vec')} {vector.id}"
                collection.add(
                    vector.scheme.partition("-")[0], [replace(vector, id=ident, source=source)]
                )


_SUITE = "tests/suites/test_suite_lms.data"
_TEST = re.compile(
    r"^LMS (.+)\n(?:#.*\n)*lms_verify_test:\"(\w*)\":\"(\w+)\":\"(\w+)\":(\w+)$", re.M
)


def collect_mbedtls(checkout: Path, collection: Collection) -> None:
    """The signatures of the one set of LMS that Mbed TLS has; ``checkout``: its sources."""
    text = (checkout / _SUITE).read_text(encoding="utf-8")
    collection.add(
        "lms",
        [
            Vector(
                id=name,
                scheme="lms-sha256-m32-h10-w8",
                operation=Operation.VERIFY,
                key=bytes.fromhex(key),
                data=bytes.fromhex(message),
                tag=bytes.fromhex(signature),
                tag_bytes=len(signature) // 2,
                result=Validity.VALID if answer == "0" else Validity.INVALID,
                source=f"Mbed TLS 3.6.5, {_SUITE}",
            )
            for name, message, signature, key, answer in _TEST.findall(text)
        ],
    )
