"""Known answers as a type, and scheme names of the catalog from the names in published files. Pure
data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from motebench.base.model import Operation


class Validity(StrEnum):
    """The result that a vector requires."""

    VALID = "valid"
    INVALID = "invalid"
    """The input must be rejected."""
    ACCEPTABLE = "acceptable"
    """Both answers are right (Wycheproof's term for legacy or ambiguous inputs)."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Known answer of one scheme.

    ``id`` is unique in its file. What the fields mean by operation (the full table is in
    ``docs/reference/vectors.md``):

    * encrypt, decrypt: bulk without padding or tag; ``data`` becomes ``expect_out``.
    * encrypt-message, decrypt-message: whole messages; an AEAD has its tag in ``expect_tag``
      (encryption) or ``tag`` (decryption); ECB and CBC pad by PKCS#7.
    * digest, mac: ``expect_out`` holds the first ``tag_bytes`` bytes of the result (all of them
      unless truncated).
    * sign: ``key`` is the private key, ``expect_out`` the signature, or None where signatures are
      random.
    * verify: ``key`` is the public key, ``tag`` the signature.
    * agree: ``key`` is the private key, ``data`` the peer's public key.
    * keygen (of a KEM): ``seed`` becomes ``expect_out``, the private key, and ``public``.
    * encapsulate: ``key`` is the public key; ``seed`` gives ``ciphertext`` and the shared
      ``secret``.
    * decapsulate: ``key`` is the private key, made from ``seed`` if that is known; ``ciphertext``
      becomes ``secret``.

    ``context``: what a signature binds beside the message.

    ``public`` is the public key that belongs to a private ``key``, where the source tells it.
    ``chain`` is how often the operation is repeated, each time on the output before.
    ``not_applicable`` is empty, or says why the vector belongs to no scheme of the catalog; then
    ``scheme`` may be empty.
    """

    id: str
    scheme: str
    operation: Operation
    key: bytes = b""
    nonce: bytes = b""
    aad: bytes = b""
    data: bytes = b""
    tag: bytes = b""
    expect_out: bytes | None = None
    expect_tag: bytes | None = None
    result: Validity = Validity.VALID
    tag_bytes: int = 16
    source: str = ""
    comment: str = ""
    chain: int = 1
    public: bytes = b""
    seed: bytes = b""
    ciphertext: bytes = b""
    secret: bytes = b""
    context: bytes = b""
    not_applicable: str = ""


_SIZED = frozenset(
    {"aes", "aria", "blowfish", "camellia", "cast", "rc2", "rc4", "serpent", "sm4", "twofish"}
)
_HASHES = re.compile(
    r"\b(?:(sha)-?3-?(224|256|384|512)|sha-?(512)[/_](224|256)|sha-?(1|224|256|384|512)(?![0-9])"
    r"|(shake)-?(128|256)|(md5)|(?:ripemd|rmd)-?(160)|ripe(vectors)|blake2(b|s))"
)


def hash_name(text: str) -> str:
    """The catalog name of the first hash function in ``text`` (``SHA-512/256``: ``sha512-256``), or
    an empty text.
    """
    match = _HASHES.search(text.lower())
    if not match:
        return ""
    sha3, sha3_bits, wide, cut, sha, shake, shake_bits, md5, ripemd, ripe, blake = match.groups()
    if sha3:
        return f"sha3-{sha3_bits}"
    if wide:
        return f"sha512-{cut}"
    if sha:
        return f"sha{sha}"
    if shake:
        return f"shake{shake_bits}"
    if md5:
        return "md5"
    if ripemd or ripe:
        return "ripemd160"
    return {"b": "blake2b-512", "s": "blake2s-256"}[blake]


def cipher_name(algorithm: str, key_bytes: int, mode: str) -> str:
    """``aes``, 16, ``cbc``: ``aes-128-cbc``. The key size is part of the name if the algorithm has
    several.

    XTS keys are two keys in one; the name has the size of each.
    """
    bits = key_bytes * 8 // (2 if mode == "xts" else 1)
    parts = [algorithm, str(bits)] if algorithm in _SIZED else [algorithm]
    return "-".join([*parts, mode] if mode else parts)


def pads(scheme: str) -> bool:
    """True if whole messages of a scheme are padded (PKCS#7): ECB and CBC."""
    return scheme.endswith(("-ecb", "-cbc"))


def rejects_implicitly(scheme: str) -> bool:
    """True if a changed ciphertext of that KEM gives another secret and is never rejected."""
    from motebench.catalog import schemes

    entry = schemes().get(scheme)
    return entry is not None and entry.kem is not None and entry.kem.implicit_rejection


def is_kem(scheme: str) -> bool:
    """True if that scheme is a key encapsulation; user code has its own, which are called so."""
    from motebench.catalog import schemes

    if scheme.startswith("code-"):
        return scheme.endswith("-kem")
    entry = schemes().get(scheme)
    return entry is not None and entry.kem is not None


def with_known_scheme(vector: Vector) -> Vector:
    """The vector itself, marked as not applicable if the catalog has no scheme of its name."""
    if vector.not_applicable or not vector.scheme:
        return vector
    from motebench.catalog import schemes

    if vector.scheme not in schemes():
        return replace(vector, not_applicable=f"the catalog has no scheme {vector.scheme!r}")
    return vector
