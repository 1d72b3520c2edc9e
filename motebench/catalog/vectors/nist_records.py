"""Records of NIST files as vectors: one function per layout."""

from __future__ import annotations

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.names import cipher_name, hash_name
from motebench.catalog.vectors.nist_text import Record

_HASH_OF_LENGTH = {20: "sha1", 28: "sha224", 32: "sha256", 48: "sha384", 64: "sha512"}
_OUTPUT_BYTES = {"shake128": 32, "shake256": 64}
_TRIPLE = 3


def not_for_us(record: Record, reason: str, scheme: str = "") -> Vector:
    """A vector that is kept and counted, but that no implementation can compute."""
    return Vector(record.id, scheme, Operation.DIGEST, source=record.source, not_applicable=reason)


def _message(record: Record, name: str, bits: int) -> bytes | None:
    """The first ``bits`` of a field, None unless they are whole bytes. Empty messages are written ``00``."""
    if bits % 8:
        return None
    data = record.hex(name)
    if len(data) < bits // 8:
        raise record.fail(
            f"{name} has {len(data)} bytes, but its length field says {bits} bits", "data of the stated length"
        )
    return data[: bits // 8]


def digest(record: Record) -> Vector:
    """SHA-1, SHA-2, SHA-3 and SHAKE: ``Len``, ``Msg``, ``MD`` or ``Output``."""
    scheme = hash_name(record.header) or hash_name(record.stem)
    if not scheme:
        return not_for_us(record, "neither the head of the file nor its name names a hash function")
    bits = record.integer("LEN", record.integer("INPUT LENGTH", 8 * len(record.hex("MSG"))))
    data = _message(record, "MSG", bits)
    if data is None:
        return not_for_us(record, f"a message of {bits} bits is not whole bytes", scheme)
    # The first bytes of a longer SHAKE output are the shorter one (FIPS 202), so the size of the scheme is enough.
    out = record.hex("MD", "OUTPUT")[: _OUTPUT_BYTES.get(scheme)]
    return Vector(record.id, scheme, Operation.DIGEST, data=data, expect_out=out, tag_bytes=len(out),
                  source=record.source)  # fmt: skip


def hmac(record: Record) -> Vector:
    """HMAC: ``Key``, ``Msg``, and ``Mac`` (truncated to ``Tlen`` bytes) or ``MD``."""
    name = hash_name(record.header) or hash_name(record.stem) or _HASH_OF_LENGTH.get(record.integer("L", 0), "")
    if not name:
        return not_for_us(record, "neither the head of the file nor its name names a hash function")
    key, data, out = record.hex("KEY"), record.hex("MSG"), record.hex("MAC", "MD")
    if record.has("KLEN"):
        key = key[: record.integer("KLEN")]
    if record.has("LEN"):
        data = _message(record, "MSG", record.integer("LEN")) or b""
    return Vector(record.id, f"hmac-{name}", Operation.MAC, key=key, data=data, expect_out=out, tag_bytes=len(out),
                  source=record.source)  # fmt: skip


def _key(record: Record) -> bytes:
    if record.has("KEYS"):
        return record.hex("KEYS") * _TRIPLE
    if record.has("KEY1"):
        return b"".join(record.hex(f"KEY{part}") for part in range(1, _TRIPLE + 1))
    return record.hex("KEY")


def _named(record: Record, key: bytes) -> tuple[str, str]:
    """The scheme, or an empty text with the reason."""
    algorithm, mode = record.algorithm, record.mode
    if not algorithm:
        return "", "neither the head of the file nor its name names a cipher"
    if algorithm.startswith("chacha20") or algorithm == "rc4":
        mode = ""
    elif not mode:
        return "", "neither the head of the file nor its name names a mode of operation"
    if algorithm == "cast":
        if len(key) != 16:
            return "", f"CAST-128 with a key of {8 * len(key)} bits"
        return f"cast-128-{mode}", ""
    return cipher_name(algorithm, len(key), mode), ""


def cipher(record: Record) -> Vector:
    """Block and stream ciphers: ``Key``, ``IV``, ``Plaintext``, ``Ciphertext``; XTS with ``i`` or a sequence number."""
    key = _key(record)
    scheme, reason = _named(record, key)
    if reason:
        return not_for_us(record, reason)
    if record.mode in ("cfb1", "cfbp1"):
        return not_for_us(record, "CFB with segments of one bit is not whole bytes", scheme)
    if record.integer("OFFSET", 0):
        return not_for_us(record, "key stream from the middle: what comes before is not given", scheme)
    plain, secret = record.hex("PLAINTEXT", "PT"), record.hex("CIPHERTEXT", "CT")
    if record.integer("DATAUNITLEN", 0) % 8:
        return not_for_us(record, f"a data unit of {record.integer('DATAUNITLEN')} bits is not whole bytes", scheme)
    nonce = record.hex("IV", "I", "NONCE", default=b"")
    if record.has("DATAUNITSEQNUMBER"):
        nonce = record.integer("DATAUNITSEQNUMBER").to_bytes(16, "little")
    if record.has("INITIAL_BLOCK_COUNTER"):
        nonce = record.integer("INITIAL_BLOCK_COUNTER").to_bytes(4, "little") + nonce
    encrypt = record.direction != "DECRYPT"
    return Vector(
        record.id,
        scheme,
        Operation.ENCRYPT if encrypt else Operation.DECRYPT,
        key=key,
        nonce=nonce,
        data=plain if encrypt else secret,
        expect_out=secret if encrypt else plain,
        source=record.source,
    )


def _sealed(record: Record, nonce: bytes, aad: bytes, plain: bytes | None, secret: bytes, tag: bytes) -> Vector:
    """An AEAD vector: encryption if the plaintext is known, else a forgery that must be rejected."""
    key = record.hex("KEY")
    scheme, reason = _named(record, key)
    if reason:
        return not_for_us(record, reason)
    forged = plain is None
    return Vector(
        record.id,
        scheme,
        Operation.DECRYPT_MESSAGE if forged else Operation.ENCRYPT_MESSAGE,
        key=key,
        nonce=nonce,
        aad=aad,
        data=secret if plain is None else plain,
        tag=tag if forged else b"",
        expect_out=None if forged else secret,
        expect_tag=None if forged else tag,
        result=Result.INVALID if forged else Result.VALID,
        tag_bytes=len(tag),
        source=record.source,
    )


def aead(record: Record) -> Vector:
    """GCM, OCB, ChaCha20-Poly1305: ``Key``, ``IV``, ``AAD``, ``PT``, ``CT``, ``Tag``. OCB has the tag in CT."""
    secret = record.hex("CT", "CIPHERTEXT")
    tag = record.hex("TAG", default=b"")
    if not record.has("TAG"):
        if len(secret) < 16:
            raise record.fail("the ciphertext is shorter than a tag", "a ciphertext with its 16-byte tag")
        secret, tag = secret[:-16], secret[-16:]
    failed = "FAIL" in record.flags or "ERROR" in record.fields.get("RESULT", "").upper()
    plain = None if failed else record.hex("PT", "PLAINTEXT")
    return _sealed(record, record.hex("IV", "NONCE"), record.hex("AAD", default=b""), plain, secret, tag)


def authenticated(record: Record) -> Vector:
    """CCM: ``Adata``, ``Payload`` (``00`` if empty: see ``Alen``, ``Plen``, in bytes), ``CT`` with its tag."""
    secret, size = record.hex("CT"), record.integer("TLEN", 16)
    plain_bytes, aad_bytes = record.integer("PLEN"), record.integer("ALEN")
    aad = record.hex("ADATA", default=b"")[:aad_bytes]
    if len(secret) != plain_bytes + size:
        raise record.fail(f"CT has {len(secret)} bytes, not {plain_bytes} + {size}", "Plen + Tlen bytes")
    failed = record.fields.get("RESULT", "pass").lower().startswith("fail")
    plain = None if failed else record.hex("PAYLOAD")[:plain_bytes]
    return _sealed(record, record.hex("NONCE"), aad, plain, secret[:plain_bytes], secret[plain_bytes:])
