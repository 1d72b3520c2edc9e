"""Answers computed by libraries that are not measured here, for schemes without published ones.

Botan 2 (Debian: ``python3-botan``), and PyCryptodome for what Botan lacks (RC2, RSA-PSS with a
given salt). Inputs are bytes of SHAKE256 over the name of the scheme and a number, so that the
files come out the same each time.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from motebench.base.model import Kind, Operation, Scheme
from motebench.catalog.vectors import encodings
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.writing import Collection

ENOUGH = 8
"""Schemes with as many published vectors get none from here."""

_BOTAN = {
    "aes": "AES-{bits}",
    "camellia": "Camellia-{bits}",
    "blowfish": "Blowfish",
    "cast-128": "CAST-128",
    "des": "DES",
    "3des": "TripleDES",
    "idea": "IDEA",
    "seed": "SEED",
    "serpent": "Serpent",
    "twofish": "Twofish",
    "aria": "ARIA-{bits}",
    "xtea": "XTEA",
}
_MODES = {
    "cfb": "{0}/CFB",
    "cfb8": "{0}/CFB(8)",
    "ofb": "OFB({0})",
    "ctr": "CTR-BE({0})",
    "gcm": "{0}/GCM",
    "ccm": "{0}/CCM",
    "ocb": "{0}/OCB",
    "eax": "{0}/EAX",
    "xts": "{0}/XTS",
    "cbc": "{0}/CBC/NoPadding",
}
# Name, bytes of nonce
_STREAMS = {
    "salsa20": ("Salsa20", 8),
    "chacha20": ("ChaCha(20)", 12),
    "rc4": ("RC4", 0),
}
_LENGTHS = (1, 2, 3, 4, 5, 8)
_SALT = {"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}


def botan() -> ModuleType:
    """Botan's Python module, which Debian installs for the system's interpreter."""
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        return importlib.import_module("botan2")
    finally:
        sys.path.remove("/usr/lib/python3/dist-packages")


def fill(scheme: str, number: int, what: str, size: int) -> bytes:
    """Bytes that look random and are always the same."""
    return hashlib.shake_256(f"motebench {scheme} {number} {what}".encode()).digest(size)


def collect(schemes: list[Scheme], keys: dict[int, bytes], into: Collection) -> None:
    """Fill up every cipher, HMAC and PSS scheme of ``schemes``; ``keys``: RSA private keys by
    size.
    """
    library = botan()
    for scheme in schemes:
        if len(into.vectors.get(scheme.name, ())) >= ENOUGH:
            continue
        group = into.groups.get(scheme.name, scheme.algorithm)
        if scheme.algorithm == "rc2":
            into.add(group, _rc2(scheme))
        elif scheme.kind in (Kind.CIPHER, Kind.AEAD) and scheme.algorithm in _BOTAN and scheme.mode:
            into.add(group, _with_botan(library, scheme))
        elif scheme.algorithm in _STREAMS and scheme.name != "salsa20-12":
            into.add(group, _stream(library, scheme))
        elif scheme.kind is Kind.MAC:
            into.add(group, _hmac(scheme))
        elif scheme.algorithm == "rsa" and scheme.mode != "pkcs1" and "-pss-" in scheme.name:
            into.add(group, _pss(scheme, keys[scheme.bits or 0]))


def sizes(scheme: Scheme) -> Iterator[tuple[int, int]]:
    """Numbers and input sizes: whole blocks where blocks are needed, also odd ends where not."""
    block = scheme.block_bytes or 16
    for number, blocks in enumerate(_LENGTHS, 1):
        odd = 0 if scheme.mode in ("ecb", "cbc") else (0, 0, 5, 0, 1, 0)[number - 1]
        yield number, blocks * block + odd


def _with_botan(library: Any, scheme: Scheme) -> Iterator[Vector]:
    source = f"{library.version_string().split('(')[0].strip()}"
    name = _BOTAN[scheme.algorithm].format(bits=scheme.bits)
    for number, size in sizes(scheme):
        key = fill(scheme.name, number, "key", scheme.key_bytes)
        if scheme.algorithm in ("des", "3des"):
            key = bytes(byte & 0xFE | (bin(byte >> 1).count("1") + 1) % 2 for byte in key)
        nonce = fill(
            scheme.name, number, "nonce", 0 if scheme.mode == "ecb" else scheme.nonce_bytes
        )
        plain = fill(scheme.name, number, "data", size)
        if scheme.mode == "ecb":
            cipher = library.BlockCipher(name)
            cipher.set_key(key)
            yield Vector(
                f"{number}",
                scheme.name,
                Operation.ENCRYPT,
                key,
                data=plain,
                expect_out=bytes(cipher.encrypt(plain)),
                source=source,
            )
            continue
        cipher = library.SymmetricCipher(_MODES[scheme.mode or ""].format(name))
        cipher.set_key(key)
        if scheme.kind is not Kind.AEAD:
            cipher.start(nonce)
            yield Vector(
                f"{number}",
                scheme.name,
                Operation.ENCRYPT,
                key,
                nonce,
                data=plain,
                expect_out=cipher.finish(plain),
                source=source,
            )
            continue
        aad = fill(scheme.name, number, "aad", (0, 1, 16, 0, 20, 33)[number - 1])
        cipher.set_assoc_data(aad)
        cipher.start(nonce)
        out, tag_bytes = cipher.finish(plain), cipher.tag_length()
        yield Vector(
            f"{number}",
            scheme.name,
            Operation.ENCRYPT_MESSAGE,
            key,
            nonce,
            aad,
            plain,
            expect_out=out[:-tag_bytes],
            expect_tag=out[-tag_bytes:],
            tag_bytes=tag_bytes,
            source=source,
        )


def _stream(library: Any, scheme: Scheme) -> Iterator[Vector]:
    name, nonce_bytes = _STREAMS[scheme.algorithm]
    for number, size in sizes(scheme):
        key, nonce = (
            fill(scheme.name, number, "key", scheme.key_bytes),
            fill(scheme.name, number, "nonce", nonce_bytes),
        )
        plain = fill(scheme.name, number, "data", size * 4)
        cipher = library.SymmetricCipher(name)
        cipher.set_key(key)
        cipher.start(nonce)
        yield Vector(
            f"{number}",
            scheme.name,
            Operation.ENCRYPT,
            key,
            nonce,
            data=plain,
            expect_out=cipher.finish(plain),
            source=library.version_string().split("(")[0].strip(),
        )


def _rc2(scheme: Scheme) -> Iterator[Vector]:
    import Crypto
    from Crypto.Cipher import ARC2

    modes = {
        "ecb": ARC2.MODE_ECB,
        "cbc": ARC2.MODE_CBC,
        "cfb": ARC2.MODE_CFB,
        "cfb8": ARC2.MODE_CFB,
        "ofb": ARC2.MODE_OFB,
        "ctr": ARC2.MODE_CTR,
        "eax": ARC2.MODE_EAX,
    }
    source = f"PyCryptodome {Crypto.__version__}"
    for number, size in sizes(scheme):
        key = fill(scheme.name, number, "key", scheme.key_bytes)
        nonce = fill(scheme.name, number, "nonce", 0 if scheme.mode == "ecb" else 8)
        plain = fill(scheme.name, number, "data", size)
        options: dict[str, Any] = {"effective_keylen": scheme.bits}
        if scheme.mode in ("cbc", "ofb"):
            options["iv"] = nonce
        elif scheme.mode in ("cfb", "cfb8"):
            options |= {"iv": nonce, "segment_size": 64 if scheme.mode == "cfb" else 8}
        elif scheme.mode == "ctr":
            options |= {"nonce": b"", "initial_value": nonce}
        elif scheme.mode == "eax":
            options |= {"nonce": nonce, "mac_len": 8}
        if scheme.mode == "cfb" and size % 8:
            plain = plain[: size - size % 8]
        cipher: Any = ARC2.new(key, modes[scheme.mode or ""], **options)
        if scheme.mode == "eax":
            out, tag = cipher.encrypt_and_digest(plain)
            yield Vector(
                f"{number}",
                scheme.name,
                Operation.ENCRYPT_MESSAGE,
                key,
                nonce,
                b"",
                plain,
                expect_out=out,
                expect_tag=tag,
                tag_bytes=8,
                source=source,
            )
        else:
            yield Vector(
                f"{number}",
                scheme.name,
                Operation.ENCRYPT,
                key,
                nonce,
                data=plain,
                expect_out=cipher.encrypt(plain),
                source=source,
            )


def _hmac(scheme: Scheme) -> Iterator[Vector]:
    import Crypto
    from Crypto.Hash import (
        HMAC,
        MD5,
        RIPEMD160,
        SHA1,
        SHA3_256,
        SHA224,
        SHA256,
        SHA384,
        SHA512,
        BLAKE2s,
    )

    known = {
        "md5": MD5,
        "sha1": SHA1,
        "sha224": SHA224,
        "sha256": SHA256,
        "sha384": SHA384,
        "sha512": SHA512,
        "sha3-256": SHA3_256,
        "ripemd160": RIPEMD160,
        "blake2s-256": BLAKE2s,
    }
    digest = known[scheme.name.removeprefix("hmac-")]
    for number, (key_size, size) in enumerate(
        ((16, 0), (32, 3), (64, 64), (65, 136), (136, 137), (200, 500)), 1
    ):
        key, data = (
            fill(scheme.name, number, "key", key_size),
            fill(scheme.name, number, "data", size),
        )
        out = HMAC.new(key, data, digest).digest()
        yield Vector(
            f"{number}",
            scheme.name,
            Operation.MAC,
            key,
            data=data,
            expect_out=out,
            tag_bytes=len(out),
            source=f"PyCryptodome {Crypto.__version__}",
        )


def _always(salt: bytes) -> Callable[[int], bytes]:
    return lambda _: salt


def _pss(scheme: Scheme, key: bytes) -> Iterator[Vector]:
    import Crypto
    from Crypto.Hash import SHA1, SHA256, SHA384, SHA512
    from Crypto.PublicKey import RSA
    from Crypto.Signature import pss

    name = scheme.name.rsplit("-", 1)[-1]
    digest = {"sha1": SHA1, "sha256": SHA256, "sha384": SHA384, "sha512": SHA512}[name]
    public, source = (
        encodings.rsa_private_to_public(key),
        f"PyCryptodome {Crypto.__version__}, key of CAVP SigVer15_186-3.rsp",
    )
    if (scheme.bits or 0) < 16 * _SALT[name] + 16:
        return
    for number, size in enumerate((0, 3, 64, 200), 1):
        data = fill(scheme.name, number, "data", size)
        salt = fill(scheme.name, number, "salt", _SALT[name])
        signer = pss.new(RSA.import_key(key), salt_bytes=_SALT[name], rand_func=_always(salt))
        signature = signer.sign(digest.new(data))
        yield Vector(
            f"sign {number}",
            scheme.name,
            Operation.SIGN,
            key,
            data=data,
            public=public,
            source=source,
        )
        yield Vector(
            f"verify {number}",
            scheme.name,
            Operation.VERIFY,
            public,
            data=data,
            tag=signature,
            source=source,
        )
        wrong = signature[:-1] + bytes((signature[-1] ^ 1,))
        yield Vector(
            f"verify {number} changed",
            scheme.name,
            Operation.VERIFY,
            public,
            data=data,
            tag=wrong,
            result=Validity.INVALID,
            source=source,
            comment="one bit changed",
        )
