"""Known answers of KEMs and signatures in the format of submissions to NIST.

``PQCkemKAT_1632.rsp``, ``PQCsignKAT_2560.rsp``: what needs no randomness is compared, decapsulation of ``ct`` with
``sk`` and verification of the signature in ``sm``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.model import Vector
from motebench.targets.code.answers import records
from motebench.targets.code.folder import CodeFolder, path_text

KINDS = ("kem", "sign")
_FILE = {
    "kem": re.compile(r"PQCkemKAT_(\d+).*\.rsp|kat_kem\.rsp|.*KEM.*\.rsp", re.IGNORECASE),
    "sign": re.compile(r"PQCsignKAT_(\d+).*\.rsp|kat_sign\.rsp|.*(?:sign|dsa).*\.rsp", re.IGNORECASE),
}
_FIELDS = {"kem": ("PK", "SK", "CT", "SS"), "sign": ("MSG", "PK", "SK", "SM")}
_LEVELS_UP = 4
_DETACHED = re.compile(rb"crypto_sign_(?:signature|verify)(?:_ctx)?\b")


def beside(folder: CodeFolder, kind: str) -> Path | None:
    """The nearest known-answer file of the kind: in the folder, or in a folder above it; the one with the size of the
    private key in its name, if there are several."""
    size = str(folder.sizes["CRYPTO_SECRETKEYBYTES"])
    for place in (folder.path, *folder.path.parents[:_LEVELS_UP]):
        try:
            found = [
                (match, path)
                for path in sorted(place.iterdir())
                if (match := _FILE[kind].fullmatch(path.name)) and path.is_file()
            ]
        except OSError:
            continue
        exact = [path for match, path in found if match[1] == size]
        other = [path for match, path in found if match[1] is None]
        if exact or other:
            return (exact or other)[0]
    return None


def load(path: Path, folder: CodeFolder, kind: str, scheme: str) -> list[Vector]:
    """Every known answer of the file. InputError, with the line, if the file is malformed or of other sizes."""
    found: list[Vector] = []
    for line, record in records(path):
        where = f"{path_text(str(path))}:{line}"
        if missing := [name for name in _FIELDS[kind] if name not in record]:
            raise InputError(
                f"the record has no {missing[0].lower()}", where=where, valid=", ".join(map(str.lower, _FIELDS[kind]))
            )
        _check(record, folder, kind, where)
        of = _kem if kind == "kem" else _signed
        found.append(of(record, folder, scheme, path_text(path.name)))
    if not found:
        raise InputError("the file contains no known answer", where=path_text(str(path)), valid="records of count = N")
    return found


def _check(record: Mapping[str, bytes], folder: CodeFolder, kind: str, where: str) -> None:
    sizes = {"PK": "CRYPTO_PUBLICKEYBYTES", "SK": "CRYPTO_SECRETKEYBYTES"}
    if kind == "kem":
        sizes |= {"CT": "CRYPTO_CIPHERTEXTBYTES", "SS": "CRYPTO_BYTES"}
    for field, name in sizes.items():
        if len(record[field]) != folder.sizes[name]:
            raise InputError(
                f"{field.lower()} has {len(record[field])} bytes, {name} in api.h is {folder.sizes[name]}",
                where=where,
                hint="give the right file with --kat",
            )


def _kem(record: Mapping[str, bytes], folder: CodeFolder, scheme: str, source: str) -> Vector:
    del folder
    return Vector(
        f"count {record['COUNT'].decode()} decapsulate",
        scheme,
        Operation.DECAPSULATE,
        key=record["SK"],
        public=record["PK"],
        ciphertext=record["CT"],
        secret=record["SS"],
        source=source,
    )


def _signed(record: Mapping[str, bytes], folder: CodeFolder, scheme: str, source: str) -> Vector:
    """Where the code has signatures apart from messages, they are what is before the message in ``sm``."""
    message, signature = record["MSG"], record["SM"]
    if any(_DETACHED.search(text) for text in folder.files.values()) and message:
        signature = signature.removesuffix(message)
    return Vector(
        f"count {record['COUNT'].decode()} verify",
        scheme,
        Operation.VERIFY,
        key=record["PK"],
        data=message,
        tag=signature,
        tag_bytes=len(signature),
        source=source,
    )
