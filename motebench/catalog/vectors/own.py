"""motebench's own vector files. The format is described in ``docs/vectors.md`` and ``catalog/vectors/schema.json``."""

from __future__ import annotations

from motebench.base.model import Operation
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.model import Validity, Vector

FORMAT = "motebench-vectors-1"

_FILE_KEYS = frozenset({"$schema", "format", "scheme", "source", "comment", "vectors"})
_VECTOR_KEYS = frozenset(
    {"id", "scheme", "op", "key", "nonce", "aad", "data", "tag", "out", "out_tag", "result", "tag_bytes"}
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
"""What a valid vector must say, beside keys and ``out``."""
_CHECKING = frozenset(
    {Operation.DECRYPT_MESSAGE, Operation.MAC, Operation.VERIFY, Operation.AGREE, Operation.ENCRYPT_MESSAGE}
    | {Operation.ENCAPSULATE, Operation.DECAPSULATE}
)
_OPERATIONS = _ANSWERED | {Operation.SIGN, Operation.VERIFY, Operation.ENCAPSULATE, Operation.DECAPSULATE}


def parse(root: Node) -> list[Vector]:
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
        raise node.fail("scheme", "neither the vector nor the file names a scheme", "the name of a scheme")
    word = node.text("op")
    if word not in _OPERATIONS:
        raise node.fail("op", f"{word!r} is not an operation with known answers", ", ".join(sorted(_OPERATIONS)))
    operation = Operation(word)
    verdict = node.text("result", Validity.VALID.value)
    if verdict not in set(Validity):
        raise node.fail("result", f"{verdict!r} is not a possible result", ", ".join(Validity))
    result = Validity(verdict)
    if result is Validity.INVALID and operation not in _CHECKING:
        raise node.fail("result", f"{word} has nothing to reject", "valid or acceptable")
    out: bytes | None = node.hex("out", None)
    out_tag: bytes | None = node.hex("out_tag", None)
    tag: bytes = node.hex("tag", b"")
    if out is None and result is Validity.VALID and operation in _ANSWERED:
        raise node.fail("out", "missing", "the answer of a valid vector, as hexadecimal digits")
    for key in _OF_KEM.get(operation, ()) if result is Validity.VALID else ():
        if not node.hex(key, b""):
            raise node.fail(key, "missing or empty", f"what a valid vector of {word} has, as hexadecimal digits")
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
        tag_bytes=node.number("tag_bytes", _tag_bytes(operation, out, out_tag, tag), low=0, high=65535),
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
