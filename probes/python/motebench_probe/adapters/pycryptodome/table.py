"""The schemes on offer: products of small tables. On the left are names of the catalog, on the
right the library's.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from os import environ

from motebench_probe.schemes import AGREEMENT, CIPHER, DIGEST, MAC, SIGNATURE, Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ANY = 65534
"""Length bound of nonces that may have any length, in bytes."""
WITHOUT_AES = environ.get("MOTEBENCH_PYTHON_VARIANT") == "no-aes"
"""True if AES does without AES and carry-less multiplication instructions: the variant ``no-aes``.
"""

_BLOCK_CIPHERS: tuple[tuple[str, str, int, dict[str, int]], ...] = (
    ("aes-128", "AES", 128, {}),
    ("aes-192", "AES", 192, {}),
    ("aes-256", "AES", 256, {}),
    ("des", "DES", 64, {}),
    ("3des", "DES3", 192, {}),
    ("blowfish-128", "Blowfish", 128, {}),
    ("blowfish-256", "Blowfish", 256, {}),
    ("blowfish-448", "Blowfish", 448, {}),
    # Its own default is an effective length of 1024 bits; the catalog's is that of the key.
    ("rc2-40", "ARC2", 40, {"effective_keylen": 40}),
    ("rc2-64", "ARC2", 64, {"effective_keylen": 64}),
    ("rc2-128", "ARC2", 128, {"effective_keylen": 128}),
    ("cast-128", "CAST", 128, {}),
)


class Mode:
    """A mode: its name here, its number in the library, how it takes its nonce.

    whole: bulk data come in whole blocks. padded: messages get PKCS#7 padding. restarts: an object
    has no state, so that it serves for many messages. writes: it can write into a buffer that is
    given.
    """

    __slots__ = (
        "name",
        "native",
        "nonce",
        "nonce_bytes",
        "padded",
        "restarts",
        "tag_bytes",
        "whole",
        "writes",
    )

    def __init__(
        self,
        name: str,
        native: str,
        nonce: str,
        *,
        nonce_bytes: tuple[int, int] | None = None,
        tag_bytes: tuple[int, int] = (0, 0),
        padded: bool = False,
        restarts: bool = False,
        whole: bool = False,
        writes: bool = True,
    ) -> None:
        self.name = name
        self.native = native
        self.nonce = nonce
        self.nonce_bytes = nonce_bytes
        self.tag_bytes = tag_bytes
        self.padded = padded
        self.restarts = restarts
        self.whole = whole or padded
        self.writes = writes


_MODES = (
    Mode("ecb", "MODE_ECB", "", nonce_bytes=(0, 0), padded=True, restarts=True),
    Mode("cbc", "MODE_CBC", "iv", padded=True),
    Mode("cfb", "MODE_CFB", "iv"),
    Mode("cfb8", "MODE_CFB", "iv"),
    Mode("ofb", "MODE_OFB", "iv"),
    Mode("ctr", "MODE_CTR", "initial_value"),
    Mode("eax", "MODE_EAX", "nonce", nonce_bytes=(1, ANY), tag_bytes=(2, 16)),
)
_AES_MODES = (
    Mode("gcm", "MODE_GCM", "nonce", nonce_bytes=(1, ANY), tag_bytes=(4, 16)),
    Mode("ccm", "MODE_CCM", "nonce", nonce_bytes=(7, 13), tag_bytes=(4, 16)),
    Mode(
        "ocb", "MODE_OCB", "nonce", nonce_bytes=(1, 15), tag_bytes=(8, 16), whole=True, writes=False
    ),
)


class BlockParam:
    """A block cipher in a mode; ``extra`` goes to every ``new``."""

    __slots__ = ("block", "extra", "mode", "module")

    def __init__(self, module: str, block: int, mode: Mode, extra: dict[str, int]) -> None:
        self.module = module
        self.block = block
        self.mode = mode
        self.extra = extra


def _block_ciphers() -> Iterator[Scheme]:
    for name, module, bits, extra in _BLOCK_CIPHERS:
        block = 16 if module == "AES" else 8
        for mode in _MODES + (_AES_MODES if module == "AES" else ()):
            more = dict(extra)
            if mode.native == "MODE_CFB":
                more["segment_size"] = 8 if mode.name == "cfb8" else 8 * block
            if WITHOUT_AES and module == "AES":
                more["use_aesni"] = False
            if WITHOUT_AES and mode.name == "gcm":
                more["use_clmul"] = False
            low, high = mode.tag_bytes
            yield Scheme(
                f"{name}-{mode.name}",
                "blocks",
                BlockParam(module, block, mode, more),
                CIPHER,
                key=(bits // 8, bits // 8),
                nonce=mode.nonce_bytes or (block, block),
                tag=(low, min(high, block)),
                block=block if mode.whole else 1,
            )


# Name, module, key and nonce lengths, tag.
_STREAM_CIPHERS = (
    ("rc4-40", "ARC4", (5, 5), (0, 0), 0),
    ("rc4-128", "ARC4", (16, 16), (0, 0), 0),
    ("salsa20", "Salsa20", (32, 32), (8, 8), 0),
    ("salsa20-128", "Salsa20", (16, 16), (8, 8), 0),
    # 8: the original; 12: RFC 8439 from block 0; 16: the same with the block's number before it.
    ("chacha20", "ChaCha20", (32, 32), (8, 16), 0),
    ("chacha20-poly1305", "ChaCha20_Poly1305", (32, 32), (12, 12), 16),
    ("xchacha20-poly1305", "ChaCha20_Poly1305", (32, 32), (24, 24), 16),
)

# Name, module, bytes, what ``new`` is told, whether it is offered as HMAC.
HASHES: tuple[tuple[str, str, int, dict[str, Any], bool], ...] = (
    ("md5", "MD5", 16, {}, True),
    ("sha1", "SHA1", 20, {}, True),
    ("sha224", "SHA224", 28, {}, True),
    ("sha256", "SHA256", 32, {}, True),
    ("sha384", "SHA384", 48, {}, True),
    ("sha512", "SHA512", 64, {}, True),
    ("sha512-256", "SHA512", 32, {"truncate": "256"}, False),
    ("sha3-224", "SHA3_224", 28, {}, False),
    ("sha3-256", "SHA3_256", 32, {}, True),
    ("sha3-384", "SHA3_384", 48, {}, False),
    ("sha3-512", "SHA3_512", 64, {}, False),
    ("shake128", "SHAKE128", 32, {}, False),
    ("shake256", "SHAKE256", 64, {}, False),
    ("blake2s-256", "BLAKE2s", 32, {"digest_bits": 256}, False),
    ("blake2b-512", "BLAKE2b", 64, {"digest_bits": 512}, False),
    ("ripemd160", "RIPEMD160", 20, {}, False),
)
_RSA_HASHES = (
    ("sha1", "SHA1", 20),
    ("sha256", "SHA256", 32),
    ("sha384", "SHA384", 48),
    ("sha512", "SHA512", 64),
)


# Parameter set, bytes of the public and the private key, and of the signature (FIPS 204, table 2).
_ML_DSA = (("44", 1312, 2560, 2420), ("65", 1952, 4032, 3309), ("87", 2592, 4896, 4627))


def _hashes() -> Iterator[Scheme]:
    for name, module, size, extra, mac in HASHES:
        yield Scheme(name, "hashes", (module, size, extra), DIGEST, tag=(size, size))
        if mac:
            yield Scheme(f"hmac-{name}", "macs", module, MAC, key=(0, 256), tag=(size, size))


def _macs() -> Iterator[Scheme]:
    for size in (16, 24, 32):
        yield Scheme(f"aes-{size * 8}-cmac", "macs", "CMAC", MAC, key=(size, size), tag=(16, 16))
        yield Scheme(
            f"aes-{size * 8}-gmac",
            "macs",
            "GMAC",
            MAC,
            key=(size, size),
            nonce=(12, 12),
            tag=(16, 16),
        )
    # PyCryptodome takes no key that is shorter than the strength.
    yield Scheme("kmac128", "macs", "KMAC128", MAC, key=(16, 256), tag=(32, 32))
    yield Scheme("kmac256", "macs", "KMAC256", MAC, key=(32, 256), tag=(64, 64))


def _public_keys() -> Iterator[Scheme]:
    for bits in (1024, 2048, 3072, 4096):
        size = bits // 8
        for padding in ("pkcs1", "pss"):
            for name, module, digest in _RSA_HASHES:
                # RFC 8017, 9.1.1: a PSS block holds the hash, a salt as long, and two bytes.
                if padding == "pkcs1" or size >= 2 * digest + 2:
                    yield Scheme(
                        f"rsa-{bits}-{padding}-{name}",
                        "rsa",
                        (bits, padding, module),
                        SIGNATURE,
                        key=(size, bits),
                        tag=(size, size),
                    )
    yield Scheme("ecdsa-p256-sha256", "ecdsa", None, SIGNATURE, key=(32, 65), tag=(8, 72))
    yield Scheme("ed25519", "ed25519", None, SIGNATURE, key=(32, 32), tag=(64, 64), stream=False)
    yield Scheme("x25519", "x25519", None, AGREEMENT, key=(32, 32), stream=False)
    yield Scheme("ecdh-p256", "ecdh", None, AGREEMENT, key=(32, 32), stream=False)
    for name, public, private, signature in _ML_DSA if find_spec("Crypto.PublicKey.MLDSA") else ():
        yield Scheme(
            f"ml-dsa-{name}",
            "mldsa",
            f"ML_DSA_{name}",
            SIGNATURE,
            key=(public, private),
            context=(0, 255),
            tag=(signature, signature),
            seeds=True,
            stream=False,
        )


@cache
def schemes() -> dict[str, Scheme]:
    """All of them, by name."""
    streams = (
        Scheme(name, "streams", module, CIPHER, key=key, nonce=nonce, tag=(tag, tag))
        for name, module, key, nonce, tag in _STREAM_CIPHERS
    )
    found = [*_block_ciphers(), *streams, *_hashes(), *_macs(), *_public_keys()]
    return {scheme.name: scheme for scheme in found}
