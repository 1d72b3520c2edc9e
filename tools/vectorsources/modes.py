"""Modes of operation of SP 800-38A and EAX around a block cipher written down from its
specification.

For ciphers that no library but those that are measured has. Nothing here shares code with a
library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from motebench.base.model import Operation, Scheme
from motebench.catalog.vectors.model import Vector
from vectorsources.independent import fill, sizes


@dataclass(frozen=True)
class Cipher:
    """A block cipher under a key that is set."""

    size: int
    """Bytes of a block."""
    block: Callable[[bytes], bytes]
    """Encrypts one block."""


CipherOf = Callable[[Scheme, bytes], Cipher]
"""The cipher of a scheme under a key."""
Published = tuple[str, str, str, str, str, str]
"""Scheme, key, IV, plaintext, ciphertext (all hexadecimal) and where they stand."""


def published(
    rows: Sequence[Published], schemes: Sequence[Scheme], cipher_of: CipherOf
) -> Iterator[Vector]:
    """The published answers, after the cipher has given each of them too; ValueError if it does
    not.
    """
    known = {scheme.name: scheme for scheme in schemes}
    for number, (name, *fields, source) in enumerate(rows, 1):
        key, nonce, plain, secret = map(bytes.fromhex, fields)
        if encrypt(cipher_of(known[name], key), known[name].mode or "", nonce, plain) != secret:
            raise ValueError(
                f"{name}: the published answer {secret.hex()} is not what comes out here"
            )
        yield Vector(
            f"published {number}",
            name,
            Operation.ENCRYPT,
            key,
            nonce,
            data=plain,
            expect_out=secret,
            source=source,
        )


def computed(scheme: Scheme, cipher_of: CipherOf, specification: str) -> Iterator[Vector]:
    """Answers for one scheme from the ``specification`` that the cipher follows."""
    mode = scheme.mode or ""
    source = (
        f"computed for this catalog from {specification} and "
        f"{'the EAX paper' if mode == 'eax' else 'SP 800-38A'}"
    )
    for number, size in sizes(scheme):
        key = fill(scheme.name, number, "key", scheme.key_bytes)
        nonce = fill(scheme.name, number, "nonce", 0 if mode == "ecb" else scheme.nonce_bytes)
        plain = fill(scheme.name, number, "data", size)
        cipher = cipher_of(scheme, key)
        if mode != "eax":
            yield Vector(
                f"{number}",
                scheme.name,
                Operation.ENCRYPT,
                key,
                nonce,
                data=plain,
                expect_out=encrypt(cipher, mode, nonce, plain),
                source=source,
            )
            continue
        aad = fill(scheme.name, number, "aad", (0, 1, 16, 0, 20, 33)[number - 1])
        out, tag = eax(cipher, nonce, aad, plain)
        yield Vector(
            f"{number}",
            scheme.name,
            Operation.ENCRYPT_MESSAGE,
            key,
            nonce,
            aad,
            plain,
            expect_out=out,
            expect_tag=tag,
            tag_bytes=len(tag),
            source=source,
        )


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(one, other, strict=False))


def encrypt(cipher: Cipher, mode: str, nonce: bytes, plain: bytes) -> bytes:
    """A mode of SP 800-38A; ``cfb`` has segments of a block, ``cfb8`` of a byte; ``ctr`` counts in
    the whole block.
    """
    width = 1 if mode == "cfb8" else cipher.size
    out, register = b"", nonce
    for start in range(0, len(plain), width):
        part = plain[start : start + width]
        match mode:
            case "ecb":
                secret = cipher.block(part)
            case "cbc":
                secret = register = cipher.block(_xor(part, register))
            case "cfb" | "cfb8":
                secret = _xor(part, cipher.block(register))
                register = (register + secret)[-cipher.size :]
            case "ofb":
                register = cipher.block(register)
                secret = _xor(part, register)
            case "ctr":
                secret = _xor(part, cipher.block(register))
                register = ((int.from_bytes(register) + 1) % 256**cipher.size).to_bytes(cipher.size)
            case _:
                raise ValueError(f"mode {mode} is not known here")
        out += secret
    return out


def _omac(cipher: Cipher, number: int, data: bytes) -> bytes:
    """OMAC1 (SP 800-38B) of ``number`` as one block and ``data``."""
    text = number.to_bytes(cipher.size) + data
    subkey = int.from_bytes(cipher.block(bytes(cipher.size)))
    whole = len(text) % cipher.size == 0
    for _ in range(1 if whole else 2):
        subkey <<= 1
        if subkey >> 8 * cipher.size:
            subkey ^= 1 << 8 * cipher.size | (0x1B if cipher.size == 8 else 0x87)
    if not whole:
        text += b"\x80" + bytes(-(len(text) + 1) % cipher.size)
    last = _xor(text[-cipher.size :], subkey.to_bytes(cipher.size))
    return encrypt(cipher, "cbc", bytes(cipher.size), text[: -cipher.size] + last)[-cipher.size :]


def eax(cipher: Cipher, nonce: bytes, aad: bytes, plain: bytes) -> tuple[bytes, bytes]:
    """EAX of Bellare, Rogaway and Wagner, with a tag as long as a block."""
    first = _omac(cipher, 0, nonce)
    out = encrypt(cipher, "ctr", first, plain)
    return out, _xor(_xor(first, _omac(cipher, 1, aad)), _omac(cipher, 2, out))
