"""The offered schemes: products of small tables. Left: names of the catalog; right: names of the
library.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from motebench_probe.schemes import AGREEMENT, CIPHER, DIGEST, KEM, MAC, MESSAGES, SIGNATURE, Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EVERY = ("ecb", "cbc", "cfb", "ofb")
_AES = ("ecb", "cbc", "cfb", "cfb8", "ofb", "ctr")

# Name, class, block, key bits, modes. The adapter leaves out those that OpenSSL lacks.
BLOCK_CIPHERS: tuple[tuple[str, str, int, int, tuple[str, ...]], ...] = (
    ("aes-128", "AES", 16, 128, _AES),
    ("aes-192", "AES", 16, 192, _AES),
    ("aes-256", "AES", 16, 256, _AES),
    ("3des", "TripleDES", 8, 192, (*_EVERY, "cfb8")),
    ("blowfish-128", "Blowfish", 8, 128, _EVERY),
    ("blowfish-256", "Blowfish", 8, 256, _EVERY),
    ("blowfish-448", "Blowfish", 8, 448, _EVERY),
    ("cast-128", "CAST5", 8, 128, _EVERY),
    ("idea", "IDEA", 8, 128, _EVERY),
    ("seed", "SEED", 16, 128, _EVERY),
    ("camellia-128", "Camellia", 16, 128, _EVERY),
    ("camellia-192", "Camellia", 16, 192, _EVERY),
    ("camellia-256", "Camellia", 16, 256, _EVERY),
    ("rc2-128", "RC2", 8, 128, ("cbc",)),
)
_NONCES = {"ecb": 0}


def _block_ciphers() -> Iterator[Scheme]:
    for name, algorithm, block, bits, modes in BLOCK_CIPHERS:
        for mode in modes:
            nonce = _NONCES.get(mode, block)
            padded = mode in ("ecb", "cbc")
            yield Scheme(
                f"{name}-{mode}",
                "blocks",
                (algorithm, mode, block if padded else 0),
                CIPHER,
                key=(bits // 8, bits // 8),
                nonce=(nonce, nonce),
                block=block if padded else 1,
            )
    for name, size in (("aes-128-xts", 32), ("aes-256-xts", 64)):
        yield Scheme(
            name,
            "blocks",
            ("AES", "xts", 0),
            CIPHER,
            key=(size, size),
            nonce=(16, 16),
            stream=False,
        )


def _sealing() -> Iterator[Scheme]:
    for bits in (128, 192, 256):
        key = (bits // 8, bits // 8)
        yield Scheme(f"aes-{bits}-gcm", "gcm", None, CIPHER, key=key, nonce=(8, 128), tag=(16, 16))
        for mode, name, nonce, tag in (
            ("ccm", "AESCCM", (7, 13), (4, 16)),
            ("ocb", "AESOCB3", (12, 15), (16, 16)),
        ):
            yield Scheme(
                f"aes-{bits}-{mode}",
                "sealing",
                name,
                MESSAGES,
                key=key,
                nonce=nonce,
                tag=tag,
                stream=False,
            )
    yield Scheme(
        "chacha20-poly1305",
        "sealing",
        "ChaCha20Poly1305",
        MESSAGES,
        key=(32, 32),
        nonce=(12, 12),
        tag=(16, 16),
        stream=False,
    )


# Name, class, bytes, whether the class needs the length, whether it is offered as HMAC.
HASHES = (
    ("md5", "MD5", 16, False, True),
    ("sha1", "SHA1", 20, False, True),
    ("sha224", "SHA224", 28, False, True),
    ("sha256", "SHA256", 32, False, True),
    ("sha384", "SHA384", 48, False, True),
    ("sha512", "SHA512", 64, False, True),
    ("sha512-256", "SHA512_256", 32, False, False),
    ("sha3-224", "SHA3_224", 28, False, False),
    ("sha3-256", "SHA3_256", 32, False, True),
    ("sha3-384", "SHA3_384", 48, False, False),
    ("sha3-512", "SHA3_512", 64, False, False),
    ("shake128", "SHAKE128", 32, True, False),
    ("shake256", "SHAKE256", 64, True, False),
    ("blake2s-256", "BLAKE2s", 32, True, False),
    ("blake2b-512", "BLAKE2b", 64, True, False),
)
_RSA_HASHES = (
    ("sha1", "SHA1", 20),
    ("sha256", "SHA256", 32),
    ("sha384", "SHA384", 48),
    ("sha512", "SHA512", 64),
)


def _hashes() -> Iterator[Scheme]:
    for name, algorithm, size, sized, mac in HASHES:
        yield Scheme(
            name, "hashing", (algorithm, size if sized else None), DIGEST, tag=(size, size)
        )
        if mac:
            yield Scheme(f"hmac-{name}", "macs", algorithm, MAC, key=(0, 256), tag=(size, size))


def _macs() -> Iterator[Scheme]:
    for size in (16, 24, 32):
        yield Scheme(f"aes-{size * 8}-cmac", "macs", "CMAC", MAC, key=(size, size), tag=(16, 16))
        gmac = f"aes-{size * 8}-gmac"
        yield Scheme(
            gmac, "macs", "GMAC", MAC, key=(size, size), nonce=(12, 12), tag=(16, 16), stream=False
        )


def _public_keys() -> Iterator[Scheme]:
    for bits in (1024, 2048, 3072, 4096):
        size = bits // 8
        for padding in ("pkcs1", "pss"):
            for name, algorithm, digest in _RSA_HASHES:
                # RFC 8017, 9.1.1: a PSS block holds the hash, a salt as long, and two bytes.
                if padding == "pkcs1" or size >= 2 * digest + 2:
                    yield Scheme(
                        f"rsa-{bits}-{padding}-{name}",
                        "signing",
                        ("rsa", bits, padding, algorithm),
                        SIGNATURE,
                        key=(size, bits),
                        tag=(size, size),
                    )
    yield Scheme(
        "ecdsa-p256-sha256",
        "signing",
        ("ecdsa", 256, "", "SHA256"),
        SIGNATURE,
        key=(32, 65),
        tag=(8, 72),
    )
    yield Scheme(
        "ed25519", "curve25519", "ed25519", SIGNATURE, key=(32, 32), tag=(64, 64), stream=False
    )
    yield Scheme("x25519", "curve25519", "x25519", AGREEMENT, key=(32, 32), stream=False)
    yield Scheme("ecdh-p256", "ecdh", None, AGREEMENT, key=(32, 32), stream=False)


# Parameter set, bytes of the public key, and of the ciphertext or signature (FIPS 203, table 3;
# FIPS 204, table 2).
_ML_KEM = (("768", 1184, 1088), ("1024", 1568, 1568))
_ML_DSA = (("44", 1312, 2420), ("65", 1952, 3309), ("87", 2592, 4627))


def _lattices() -> Iterator[Scheme]:
    for size, public, ciphertext in _ML_KEM:
        yield Scheme(
            f"ml-kem-{size}",
            "lattice",
            f"MLKEM{size}",
            KEM,
            key=(64, public),
            pair=(public, 64),
            outputs=(ciphertext, 32),
            seeds=True,
            stream=False,
        )
    for size, public, signature in _ML_DSA:
        yield Scheme(
            f"ml-dsa-{size}",
            "lattice",
            f"MLDSA{size}",
            SIGNATURE,
            key=(32, public),
            context=(0, 255),
            tag=(signature, signature),
            seeds=True,
            stream=False,
        )


def _available(scheme: Scheme) -> bool:
    if scheme.family == "lattice":
        return find_spec("cryptography.hazmat.primitives.asymmetric.mldsa") is not None
    if scheme.family != "blocks":
        return True
    from motebench_probe.adapters.cryptography.blocks import supported

    return supported(scheme)


@cache
def schemes() -> dict[str, Scheme]:
    """All of them, by name."""
    streams = (
        Scheme("rc4-40", "blocks", ("ARC4", "", 0), CIPHER, key=(5, 5)),
        Scheme("rc4-128", "blocks", ("ARC4", "", 0), CIPHER, key=(16, 16)),
        # 12: RFC 8439 from block 0; 16: the same with the block's number before it.
        Scheme("chacha20", "blocks", ("ChaCha20", "", 0), CIPHER, key=(32, 32), nonce=(12, 16)),
    )
    found = [
        *_block_ciphers(),
        *streams,
        *_sealing(),
        *_hashes(),
        *_macs(),
        *_public_keys(),
        *_lattices(),
    ]
    return {scheme.name: scheme for scheme in found if _available(scheme)}
