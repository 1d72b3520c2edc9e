"""Vector files of any known format, and the vectors of the catalog:
``catalog/vectors/<group>/<scheme>.json``.

The content determines the format, never the name. A file of the catalog is found by its name, so
adding one changes no list, and only the files of the requested scheme are parsed.
``<scheme>.<anything>.json`` has more vectors of the same scheme. Those of hash-based signatures are
made as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.vectors.encodings import Node, kind_of, parse_json, read_bytes
from motebench.catalog.vectors.hash_based import can_sign, made_vectors
from motebench.catalog.vectors.model import Validity, Vector, with_known_scheme

FORMAT = "motebench-vectors-1"

_FILE_KEYS = frozenset({"$schema", "format", "scheme", "source", "comment", "vectors"})
_VECTOR_KEYS = frozenset(
    {
        "id",
        "scheme",
        "op",
        "key",
        "nonce",
        "aad",
        "data",
        "tag",
        "out",
        "out_tag",
        "result",
        "tag_bytes",
    }
    | {"source", "comment", "chain", "public", "seed", "ciphertext", "secret", "context"}
)
_ANSWERED = frozenset(
    {Operation.ENCRYPT, Operation.DECRYPT, Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE}
    | {Operation.DIGEST, Operation.MAC, Operation.AGREE, Operation.KEYGEN}
)
_OF_KEM = {
    Operation.KEYGEN: ("seed", "public"),
    Operation.ENCAPSULATE: ("seed", "ciphertext", "secret"),
    Operation.DECAPSULATE: ("ciphertext", "secret"),
}
"""Fields that a valid vector must have, beside keys and ``out``."""
_CHECKING = frozenset(
    {
        Operation.DECRYPT_MESSAGE,
        Operation.MAC,
        Operation.VERIFY,
        Operation.AGREE,
        Operation.ENCRYPT_MESSAGE,
    }
    | {Operation.ENCAPSULATE, Operation.DECAPSULATE}
)
_OPERATIONS = _ANSWERED | {
    Operation.SIGN,
    Operation.VERIFY,
    Operation.ENCAPSULATE,
    Operation.DECAPSULATE,
}


def parse_own(root: Node) -> list[Vector]:
    """The vectors of one file. InputError for the first invalid value."""
    root.only(_FILE_KEYS)
    if root.text("format") != FORMAT:
        raise root.fail("format", f"{root.text('format')!r} is not a known format", FORMAT)
    scheme, source = root.text("scheme", ""), root.text("source", "")
    vectors, seen = [], set()
    for node in root.nodes("vectors"):
        vector = _vector(node, scheme, source)
        if vector.id in seen:
            raise node.labelled(vector.id).fail(
                "id", f"{vector.id!r} is used twice", "an id that is unique in its file"
            )
        seen.add(vector.id)
        vectors.append(vector)
    return vectors


def _vector(node: Node, scheme: str, source: str) -> Vector:
    node = node.labelled(node.text("id"))
    node.only(_VECTOR_KEYS)
    name = node.text("scheme", scheme)
    if not name:
        raise node.fail(
            "scheme", "neither the vector nor the file names a scheme", "the name of a scheme"
        )
    word = node.text("op")
    if word not in _OPERATIONS:
        raise node.fail(
            "op", f"{word!r} is not an operation with known answers", ", ".join(sorted(_OPERATIONS))
        )
    operation = Operation(word)
    verdict = node.text("result", Validity.VALID.value)
    if verdict not in set(Validity):
        raise node.fail("result", f"{verdict!r} is not a possible result", ", ".join(Validity))
    result = Validity(verdict)
    if result is Validity.INVALID and operation not in _CHECKING:
        raise node.fail("result", f"{word} rejects no input", "valid or acceptable")
    out = node.hex_or_none("out")
    out_tag = node.hex_or_none("out_tag")
    tag = node.hex("tag", b"")
    if out is None and result is Validity.VALID and operation in _ANSWERED:
        raise node.fail("out", "missing", "the answer of a valid vector, as hexadecimal digits")
    for key in _OF_KEM.get(operation, ()) if result is Validity.VALID else ():
        if not node.hex(key, b""):
            raise node.fail(
                key,
                "missing or empty",
                f"the value in a valid vector of {word}, as hexadecimal digits",
            )
    if operation in (Operation.DIGEST, Operation.MAC) and not out:
        raise node.fail("out", "missing or empty", "the digest or MAC, as hexadecimal digits")
    return Vector(
        id=node.text("id"),
        scheme=name,
        operation=operation,
        key=node.hex("key", b""),
        nonce=node.hex("nonce", b""),
        aad=node.hex("aad", b""),
        data=node.hex("data", b""),
        tag=tag,
        expect_out=out,
        expect_tag=out_tag,
        result=result,
        tag_bytes=node.number(
            "tag_bytes", _tag_bytes(operation, out, out_tag, tag), low=0, high=65535
        ),
        source=node.text("source", source),
        comment=node.text("comment", ""),
        chain=node.number("chain", 1, low=1, high=1_000_000),
        public=node.hex("public", b""),
        seed=node.hex("seed", b""),
        ciphertext=node.hex("ciphertext", b""),
        secret=node.hex("secret", b""),
        context=node.hex("context", b""),
    )


def _tag_bytes(operation: Operation, out: bytes | None, out_tag: bytes | None, tag: bytes) -> int:
    if operation in (Operation.DIGEST, Operation.MAC):
        return len(out or b"")
    if out_tag is not None:
        return len(out_tag)
    return len(tag) or 16


_VALID = (
    "motebench JSON ('vectors'), Wycheproof or ACVP JSON ('testGroups'), "
    "or NIST CAVP, KAT or Botan ('name = value' lines)"
)


def load(path: str | Path) -> list[Vector]:
    """The vectors of a file in any known format, in the order of the file.

    A vector without a scheme of the catalog is kept, with the reason in ``not_applicable``.
    InputError with file and position for anything invalid.
    """
    path = Path(path)
    raw = read_bytes(path)
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not a text file: byte {error.start} is not UTF-8", where=str(path), valid=_VALID
        ) from None
    vectors = _parse(content, path)
    if not vectors:
        raise InputError("the file contains no vector", where=str(path), valid=_VALID)
    return [with_known_scheme(vector) for vector in vectors]


def _parse(content: str, path: Path) -> list[Vector]:
    from motebench.catalog.vectors import nist
    from motebench.catalog.vectors.hash_based import is_botan, parse_botan
    from motebench.catalog.vectors.lattice import is_acvp, is_kat, parse_acvp, parse_kat

    start = content.lstrip()[:1]
    # NIST files may begin with a group in brackets, which is not a JSON array.
    if start == "{" or (start == "[" and not nist.looks_like(content)):
        value = parse_json(content, str(path))
        if not isinstance(value, dict):
            raise InputError(f"this is {kind_of(value)}", where=str(path), valid=_VALID)
        root = Node(value, str(path))
        if "testGroups" in root and is_acvp(root):
            return parse_acvp(root)
        if "testGroups" in root:
            from motebench.catalog.vectors.wycheproof import parse as parse_wycheproof

            return parse_wycheproof(root)
        if "vectors" in root:
            return parse_own(root)
        raise InputError(
            "this JSON contains neither 'vectors' nor 'testGroups'", where=str(path), valid=_VALID
        )
    if is_botan(content):
        return parse_botan(content, str(path))
    if is_kat(content):
        return parse_kat(content, str(path))
    if not nist.looks_like(content):
        raise InputError("the format of this file is unknown", where=str(path), valid=_VALID)
    return nist.parse(content, str(path), path.stem)


def vectors_dir() -> Path:
    """The folder of vector files."""
    return catalog_dir() / "vectors"


@lru_cache(maxsize=4)
def _index(root: Path) -> dict[str, tuple[Path, ...]]:
    by_name: dict[str, list[Path]] = {}
    for path in sorted(root.glob("*/*.json")):
        by_name.setdefault(path.name.split(".", 1)[0], []).append(path)
    return {name: tuple(paths) for name, paths in by_name.items()}


@cache
def _vectors(root: Path, scheme: str) -> tuple[Vector, ...]:
    read = tuple(vector for path in _index(root).get(scheme, ()) for vector in read_own(path))
    return (*read, *made_vectors(scheme, read))


def read_own(path: Path) -> list[Vector]:
    """The vectors of one catalog file; all must be of the scheme in its name."""
    try:
        content = read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=str(path)) from None
    value = parse_json(content, str(path))
    if not isinstance(value, dict):
        raise InputError(f"this is {kind_of(value)}", where=str(path), valid="an object")
    vectors, name = parse_own(Node(value, str(path))), path.name.split(".", 1)[0]
    for vector in vectors:
        if vector.scheme != name:
            raise InputError(
                f"vector {vector.id!r} is of {vector.scheme!r}",
                where=str(path),
                valid=f"vectors of {name!r}, the scheme in the name of the file",
            )
    return vectors


def vectors_for(scheme: str) -> Sequence[Vector]:
    """Known answers of a scheme by its catalog name; empty if the catalog has none. Parsed once."""
    return _vectors(vectors_dir(), scheme)


def schemes_with_vectors() -> list[str]:
    """Sorted names of all schemes with known answers; opens no file of them."""
    return sorted({*_index(vectors_dir()), *filter(can_sign, schemes())})
