"""Wycheproof JSON files as published, in both layouts: ``testvectors`` and ``testvectors_v1``.

The layouts are described by the JSON schemas and ``doc/types.md`` of the project (github.com/C2SP/wycheproof). What is
read here: AEAD, unauthenticated modes (AES-CBC-PKCS5, AES-XTS), HMAC, ECDSA (DER and IEEE P1363 signatures), EdDSA,
RSASSA-PKCS1-v1_5, RSASSA-PSS, ECDH, X25519, ML-KEM and ML-DSA. Tests of all other kinds are kept as not applicable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from motebench.base.model import Operation
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.names import cipher_name, hash_name
from motebench.catalog.vectors.wycheproof_keys import GROUPS as KEY_GROUPS
from motebench.catalog.vectors.wycheproof_keys import Reader, skip, skipped
from motebench.catalog.vectors.wycheproof_lattice import GROUPS as LATTICE_GROUPS

_VALID_RESULTS = ", ".join(Result)


def parse(root: Node) -> list[Vector]:
    """The vectors of a file. Raises InputError (group, test, tcId, key) if the file breaks the layout."""
    algorithm = root.text("algorithm")
    readers: Mapping[str, Callable[[str, Node], Reader]] = {**_GROUPS, **KEY_GROUPS, **LATTICE_GROUPS}
    source = f"Wycheproof {root.file.rsplit('/', 1)[-1]}"
    vectors: dict[str, Vector] = {}
    for group in root.nodes("testGroups"):
        kind = group.text("type")
        reader = readers[kind](algorithm, group) if kind in readers else _other(kind)
        for test in group.nodes("tests"):
            number = test.number("tcId")
            named = test.labelled(f"tcId {number}")
            name = f"tcId {number}" if f"tcId {number}" not in vectors else f"tcId {number} in {test.place}"
            vector = reader(named, _result(named))
            vectors[name] = replace(vector, id=name, source=source, comment=_comment(named))
    return list(vectors.values())


def _result(test: Node) -> Result:
    word = test.text("result")
    if word not in set(Result):
        raise test.fail("result", f"{word!r} is not a possible result", _VALID_RESULTS)
    return Result(word)


def _comment(test: Node) -> str:
    flags = test.value.get("flags", [])
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        raise test.fail("flags", "not all entries are text", "an array of texts")
    return "; ".join(part for part in (test.text("comment", ""), ", ".join(flags)) if part)


def _other(kind: str) -> Reader:
    return skipped(f"motebench measures no scheme for tests of type {kind!r}")


def _symmetric(algorithm: str, key: bytes) -> str:
    """``AES-GCM``: ``aes-128-gcm``; ``CHACHA20-POLY1305`` has no key size in its name."""
    name = algorithm.lower().removesuffix("-pkcs5")
    cipher, _, mode = name.rpartition("-")
    if not cipher or mode not in ("gcm", "ccm", "eax", "ocb", "cbc", "xts", "ecb", "ctr"):
        return name
    return cipher_name(cipher, len(key), mode)


def _aead(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Result) -> Vector:
        key, nonce, aad = test.hex("key"), test.hex("iv"), test.hex("aad", b"")
        plain, secret, tag = test.hex("msg"), test.hex("ct"), test.hex("tag")
        scheme = _symmetric(algorithm, key)
        if result is Result.INVALID:
            return Vector("", scheme, Operation.DECRYPT_MESSAGE, key, nonce, aad, secret, tag, result=result,
                          tag_bytes=len(tag))  # fmt: skip
        return Vector("", scheme, Operation.ENCRYPT_MESSAGE, key, nonce, aad, plain, expect_out=secret,
                      expect_tag=tag, result=result, tag_bytes=len(tag))  # fmt: skip

    return reader


def _unauthenticated(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Result) -> Vector:
        key, nonce, plain, secret = test.hex("key"), test.hex("iv"), test.hex("msg"), test.hex("ct")
        scheme = _symmetric(algorithm, key)
        if result is Result.INVALID:
            return Vector("", scheme, Operation.DECRYPT_MESSAGE, key, nonce, data=secret, result=result)
        return Vector("", scheme, Operation.ENCRYPT_MESSAGE, key, nonce, data=plain, expect_out=secret, result=result)

    return reader


def _mac(algorithm: str, _: Node) -> Reader:
    folded = algorithm.lower().replace("-", "")
    digest = hash_name(algorithm.upper().removeprefix("HMAC").lstrip("-_")) if folded.startswith("hmac") else ""

    def reader(test: Node, result: Result) -> Vector:
        key, data, tag = test.hex("key"), test.hex("msg"), test.hex("tag")
        if not digest:
            return skip(f"{algorithm} is not an HMAC with a hash function that is known here", result)
        return Vector("", f"hmac-{digest}", Operation.MAC, key, data=data, expect_out=tag, result=result,
                      tag_bytes=len(tag))  # fmt: skip

    return reader


def _mac_with_nonce(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Result) -> Vector:
        key, nonce, data, tag = test.hex("key"), test.hex("iv"), test.hex("msg"), test.hex("tag")
        if algorithm.upper() != "AES-GMAC":
            return skip(f"{algorithm} is not a MAC with a nonce that is known here", result)
        return Vector("", cipher_name("aes", len(key), "gmac"), Operation.MAC, key, nonce, data=data, expect_out=tag,
                      result=result, tag_bytes=len(tag))  # fmt: skip

    return reader


_GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
    "AeadTest": _aead,
    "IndCpaTest": _unauthenticated,
    "MacTest": _mac,
    "MacWithIvTest": _mac_with_nonce,
}
