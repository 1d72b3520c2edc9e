"""A known answer as a type. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
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
    """One known answer of one scheme.

    ``id`` is unique in its file. What the fields mean by operation (the full table is in ``docs/vectors.md``):

    * encrypt, decrypt: bulk without padding or tag; ``data`` becomes ``expect_out``.
    * encrypt-message, decrypt-message: whole messages; an AEAD has its tag in ``expect_tag`` (encryption) or ``tag``
      (decryption); ECB and CBC pad by PKCS#7.
    * digest, mac: ``expect_out`` holds the first ``tag_bytes`` bytes of the result (all of them unless truncated).
    * sign: ``key`` is the private key, ``expect_out`` the signature, or None where signatures are random.
    * verify: ``key`` is the public key, ``tag`` the signature.
    * agree: ``key`` is the private key, ``data`` the peer's public key.
    * keygen (of a KEM): ``seed`` becomes ``expect_out``, the private key, and ``public``.
    * encapsulate: ``key`` is the public key; ``seed`` gives ``ciphertext`` and the shared ``secret``.
    * decapsulate: ``key`` is the private key, made from ``seed`` if that is known; ``ciphertext`` becomes ``secret``.

    ``context``: what a signature binds beside the message.

    ``public`` is the public key that belongs to a private ``key``, where the source tells it. ``chain`` is how often
    the operation is repeated, each time on the output before. ``not_applicable`` is empty, or says why the vector
    belongs to no scheme of the catalog; then ``scheme`` may be empty.
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
