"""Known answers of user code, in the formats of submissions to NIST.

Lightweight cryptography: ``LWC_AEAD_KAT_128_96.txt``, ``LWC_HASH_KAT_256.txt``. Records are lines
``name = value``: Count, Key, Nonce, PT, AD, CT for an AEAD (CT is the ciphertext followed by the
tag); Count, Msg, MD for a hash function.

KEMs and signatures: ``PQCkemKAT_1632.rsp``, ``PQCsignKAT_2560.rsp``. What needs no randomness is
compared: decapsulation of ``ct`` with ``sk``, and verification of the signature in ``sm``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from motebench.base.errors import InputError, is_unicode
from motebench.base.model import Operation
from motebench.catalog.vectors.model import Vector
from motebench.targets.code.folder import KEYED, CodeFolder, contents, path_text

_LEVELS_UP = 6
_MOST_BYTES = 64 << 20
_MOST_FIELDS = 20
_NUMBERS = frozenset({"MLEN", "SMLEN", "CTXLEN"})
"""Fields with a decimal number, which is not used."""
_FILE = re.compile(r"LWC_(AEAD|HASH)_KAT.*\.txt", re.IGNORECASE)
_NAME, _HEX = re.compile(r"\w{1,100}"), re.compile("[0-9A-Fa-f]*")
_AEAD_KEYS, _HASH_KEYS = {"KEY", "NONCE", "PT", "AD", "CT"}, {"MSG", "MD"}
_EDGES = (0, 1, 8, 15, 16, 17, 31, 32)
_HASH_EDGES = (*_EDGES, 7, 9, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1024)
_VALID = (
    "a known-answer file: LWC_AEAD_KAT_*.txt with Count, Key, Nonce, PT, AD, CT, or "
    "LWC_HASH_KAT_*.txt with Msg, MD"
)
_KEYED_FILES = {
    "kem": re.compile(r"PQCkemKAT_(\d+).*\.rsp|kat_kem\.rsp|.*KEM.*\.rsp", re.IGNORECASE),
    "sign": re.compile(
        r"PQCsignKAT_(\d+).*\.rsp|kat_sign\.rsp|.*(?:sign|dsa).*\.rsp", re.IGNORECASE
    ),
}
_KEYED_FIELDS = {"kem": ("PK", "SK", "CT", "SS"), "sign": ("MSG", "PK", "SK", "SM")}
_KEYED_LEVELS_UP = 4
_DETACHED = re.compile(rb"crypto_sign_(?:signature|verify)(?:_ctx)?\b")


def beside(folder: CodeFolder, kind: str) -> Path | None:
    """Nearest known-answer file of the kind: in the folder, or in a folder above it.

    If a folder has several, the one whose name has the sizes of the code.
    """
    return _beside_keyed(folder, kind) if kind in KEYED else _beside_lightweight(folder, kind)


def load(path: Path, folder: CodeFolder, kind: str, scheme: str) -> list[Vector]:
    """Every known answer of the file, as known answers of ``scheme``.

    InputError, with the line, if the file is malformed or of other sizes.
    """
    read = _load_keyed if kind in KEYED else _load_lightweight
    return read(path, folder, kind, scheme)


def kind_of(path: Path) -> str:
    """``aead`` or ``hash``, by the first record of a known-answer file. InputError if it is
    neither.
    """
    for _, record in records(path):
        return "aead" if record.keys() >= _AEAD_KEYS else "hash"
    raise InputError("the file contains no known answer", where=path_text(str(path)), valid=_VALID)


def sample(vectors: Sequence[Vector]) -> list[Vector]:
    """Selection of known answers for a board, on which all would take too long: lengths at and
    around block boundaries.

    Each of these lengths is used for message and additional data: alone, with the other of the same
    length, and with the other of the length that is missing to 32.
    """
    pairs = {pair for n in _EDGES for pair in ((n, 0), (0, n), (n, n), (n, 32 - n))}
    taken: dict[tuple[int, int], Vector] = {}
    for vector in vectors:
        sizes = (len(vector.data), len(vector.aad))
        if sizes in pairs or (vector.operation is Operation.DIGEST and sizes[0] in _HASH_EDGES):
            taken.setdefault(sizes, vector)
    return list(taken.values()) or list(vectors[:20])


def records(path: Path) -> Iterator[tuple[int, Mapping[str, bytes]]]:
    """Line and fields of each record; every Count begins one."""
    shown = path_text(str(path))
    if not is_unicode(str(path)):
        raise InputError("the path is not UTF-8, so results cannot contain it", where=shown)
    try:
        lines = contents(path, _MOST_BYTES).decode("latin-1").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=shown, valid=_VALID) from None
    record: dict[str, bytes] = {}
    start = 0
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, value = _field(line)
        if name == "COUNT":
            if record:
                yield start, record
            record, start = {"COUNT": value[:40].encode()}, number
        elif not record or not _holds(name, value, record):
            raise InputError(
                f"{line.strip()[:60]!r} is not a line of a known-answer file",
                where=f"{shown}:{number}",
                valid=_VALID,
            )
        elif name not in _NUMBERS:
            record[name] = bytes.fromhex(value)
    if record:
        yield start, record


def _field(line: str) -> tuple[str, str]:
    """Name, in upper case, and value of a line; an empty name if it is no field."""
    left, equals, right = (part.strip() for part in line.partition("="))
    fits = equals and _NAME.fullmatch(left) and _HEX.fullmatch(right)
    return (left.upper(), right) if fits else ("", "")


def _holds(name: str, value: str, record: Mapping[str, bytes]) -> bool:
    """True if a record can have such a field: a number, or whole bytes."""
    return name in _NUMBERS or (bool(name) and len(value) % 2 == 0 and len(record) < _MOST_FIELDS)


def _beside_lightweight(folder: CodeFolder, kind: str) -> Path | None:
    """Nearest known-answer file of an AEAD or hash; of several in a folder, the one whose name
    contains the sizes of the code.
    """
    sizes = folder.sizes
    named = (
        (8 * sizes["CRYPTO_KEYBYTES"], 8 * sizes["CRYPTO_NPUBBYTES"])
        if kind == "aead"
        else (8 * sizes["CRYPTO_BYTES"],)
    )
    ending = "_".join(map(str, named))
    for place in (folder.path, *folder.path.parents[:_LEVELS_UP]):
        try:
            files = sorted(
                path
                for path in place.iterdir()
                if (match := _FILE.fullmatch(path.name))
                and match[1].lower() == kind
                and path.is_file()
            )
        except OSError:
            continue
        exact = [path for path in files if path.stem.upper().endswith(f"_KAT_{ending}")]
        if exact or files:
            return (exact or files)[0]
    return None


def _load_lightweight(path: Path, folder: CodeFolder, kind: str, scheme: str) -> list[Vector]:
    numbered = list(records(path))
    fixed = kind == "aead" and _fixed([record for _, record in numbered], folder)
    vectors = [
        _sealed(record, line, path, folder, scheme, fixed=fixed)
        if kind == "aead"
        else _digested(record, line, path, folder, scheme)
        for line, record in numbered
    ]
    if not vectors:
        raise InputError(
            "the file contains no known answer", where=path_text(str(path)), valid=_VALID
        )
    return vectors


def _fields(record: Mapping[str, bytes], needed: set[str], line: int, path: Path) -> str:
    """The name of the record. InputError if it lacks something."""
    if missing := sorted(needed - record.keys()):
        raise InputError(
            f"no {missing[0].title()}", where=f"{path_text(str(path))}:{line}", valid=_VALID
        )
    return f"Count = {record['COUNT'].decode()}"


def _fixed(records: Sequence[Mapping[str, bytes]], folder: CodeFolder) -> bool:
    """True if every ciphertext has ``CRYPTO_ABYTES`` bytes, however long the message is
    (Saturnin-Short).
    """
    sizes = {(len(record.get("PT", b"")), len(record.get("CT", b""))) for record in records}
    return len(sizes) > 1 and {sealed for _, sealed in sizes} == {folder.sizes["CRYPTO_ABYTES"]}


def _sealed(
    record: Mapping[str, bytes],
    line: int,
    path: Path,
    folder: CodeFolder,
    scheme: str,
    *,
    fixed: bool,
) -> Vector:
    """Known answer of an AEAD. ``fixed``: the tag is all of the ciphertext beyond the length of the
    message.
    """
    name = _fields(record, _AEAD_KEYS, line, path)
    plain, sealed = record["PT"], record["CT"]
    tag = max(len(sealed) - len(plain), 0) if fixed else folder.sizes["CRYPTO_ABYTES"]
    expected = {"KEY": "CRYPTO_KEYBYTES", "NONCE": "CRYPTO_NPUBBYTES"}
    for field, size in expected.items():
        if len(record[field]) != folder.sizes[size]:
            raise InputError(
                f"{field.title()} has {len(record[field])} bytes, {size} in api.h is "
                f"{folder.sizes[size]}",
                where=f"{path_text(str(path))}:{line}",
                hint="give the right file with --kat",
            )
    if len(sealed) != len(plain) + tag:
        raise InputError(
            f"CT has {len(sealed)} bytes, but PT has {len(plain)} and CRYPTO_ABYTES is {tag}",
            where=f"{path_text(str(path))}:{line}",
            hint="give the right file with --kat",
        )
    return Vector(
        name,
        scheme,
        Operation.ENCRYPT_MESSAGE,
        key=record["KEY"],
        nonce=record["NONCE"],
        aad=record["AD"],
        data=plain,
        expect_out=sealed[: len(plain)],
        expect_tag=sealed[len(plain) :],
        tag_bytes=tag,
        source=path_text(path.name),
    )


def _digested(
    record: Mapping[str, bytes], line: int, path: Path, folder: CodeFolder, scheme: str
) -> Vector:
    name = _fields(record, _HASH_KEYS, line, path)
    size = folder.sizes["CRYPTO_BYTES"]
    if len(record["MD"]) != size:
        raise InputError(
            f"MD has {len(record['MD'])} bytes, CRYPTO_BYTES in api.h is {size}",
            where=f"{path_text(str(path))}:{line}",
            hint="give the right file with --kat",
        )
    return Vector(
        name,
        scheme,
        Operation.DIGEST,
        data=record["MSG"],
        expect_out=record["MD"],
        tag_bytes=size,
        source=path_text(path.name),
    )


def _beside_keyed(folder: CodeFolder, kind: str) -> Path | None:
    """Nearest known-answer file of a KEM or signature; of several in a folder, the one with the
    size of the private key.
    """
    size = str(folder.sizes["CRYPTO_SECRETKEYBYTES"])
    for place in (folder.path, *folder.path.parents[:_KEYED_LEVELS_UP]):
        try:
            matches = [
                (match, path)
                for path in sorted(place.iterdir())
                if (match := _KEYED_FILES[kind].fullmatch(path.name)) and path.is_file()
            ]
        except OSError:
            continue
        exact = [path for match, path in matches if match[1] == size]
        other = [path for match, path in matches if match[1] is None]
        if exact or other:
            return (exact or other)[0]
    return None


def _load_keyed(path: Path, folder: CodeFolder, kind: str, scheme: str) -> list[Vector]:
    vectors: list[Vector] = []
    for line, record in records(path):
        where = f"{path_text(str(path))}:{line}"
        if missing := [name for name in _KEYED_FIELDS[kind] if name not in record]:
            raise InputError(
                f"the record has no {missing[0].lower()}",
                where=where,
                valid=", ".join(map(str.lower, _KEYED_FIELDS[kind])),
            )
        _check_keyed(record, folder, kind, where)
        vector = _encapsulated if kind == "kem" else _signed
        vectors.append(vector(record, folder, scheme, path_text(path.name)))
    if not vectors:
        raise InputError(
            "the file contains no known answer",
            where=path_text(str(path)),
            valid="records of count = N",
        )
    return vectors


def _check_keyed(record: Mapping[str, bytes], folder: CodeFolder, kind: str, where: str) -> None:
    sizes = {"PK": "CRYPTO_PUBLICKEYBYTES", "SK": "CRYPTO_SECRETKEYBYTES"}
    if kind == "kem":
        sizes |= {"CT": "CRYPTO_CIPHERTEXTBYTES", "SS": "CRYPTO_BYTES"}
    for field, name in sizes.items():
        if len(record[field]) != folder.sizes[name]:
            raise InputError(
                f"{field.lower()} has {len(record[field])} bytes, {name} in api.h is "
                f"{folder.sizes[name]}",
                where=where,
                hint="give the right file with --kat",
            )


def _encapsulated(
    record: Mapping[str, bytes], folder: CodeFolder, scheme: str, source: str
) -> Vector:
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
    """Vector of a record of signatures. In code with signatures apart from messages, ``sm`` is the
    signature followed by the message.
    """
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
