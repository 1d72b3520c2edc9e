"""The names of the catalog's schemes for ``openssl enc`` and ``openssl dgst``, and their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from motebench.targets.wire.messages import Offer


class Verb(StrEnum):
    """The command of ``openssl``."""

    CIPHER = "cipher"
    DIGEST = "digest"
    MAC = "mac"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A scheme on the command line.

    ``option`` is the name of the cipher or digest there. Lengths in bytes; ``block`` is 1 where any length is taken
    without padding. ``legacy``: from OpenSSL 3 on it is in the legacy provider. ``xof``: output length to ask for, 0
    where it is fixed. ``family`` and ``pss`` belong to signatures.
    """

    scheme: str
    verb: Verb
    option: str
    key: tuple[int, int] = (0, 0)
    nonce: tuple[int, int] = (0, 0)
    block: int = 1
    legacy: bool = False
    xof: int = 0
    family: str = ""
    pss: bool = False

    @property
    def offer(self) -> Offer:
        """The offer of the scheme. Every operation is a process: only whole files can be timed."""
        return Offer(
            self.scheme, _OPERATIONS[self.verb], self.key, self.nonce, (0, 0), self.block, stream=True, process=True
        )


_OPERATIONS = {
    Verb.CIPHER: frozenset({"encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key"}),
    Verb.DIGEST: frozenset({"digest"}),
    Verb.MAC: frozenset({"mac"}),
    Verb.SIGNATURE: frozenset({"sign", "verify"}),
}
_FEEDBACK = ("cfb", "cfb8", "ofb", "ctr")
_MODES = ("ecb", "cbc", *_FEEDBACK)
# scheme, option, bytes of key and block, in the legacy provider; the mode comes after a hyphen.
_BLOCK_CIPHERS = (
    *((f"{name}-{bits}", f"{name}-{bits}", bits // 8, 16, False) for name in ("aes", "aria", "camellia")
      for bits in (128, 192, 256)),
    ("des", "des", 8, 8, True),
    ("3des", "des-ede3", 24, 8, False),
    ("blowfish-128", "bf", 16, 8, True),
    ("cast-128", "cast5", 16, 8, True),
    ("idea", "idea", 16, 8, True),
    ("rc2-128", "rc2", 16, 8, True),
    ("seed", "seed", 16, 16, True),
)  # fmt: skip
_SHA = ("sha1", "sha224", "sha256", "sha384", "sha512")
_DIGESTS = {name: name for name in ("md5", *_SHA, "sha512-256", "ripemd160")} | {
    **{f"sha3-{bits}": f"sha3-{bits}" for bits in (224, 256, 384, 512)},
    "blake2b-512": "blake2b512",
    "blake2s-256": "blake2s256",
}
_XOFS = {"shake128": 32, "shake256": 64}
_MAC_KEY = (1, 1024)


def recipes() -> Iterator[Recipe]:
    """Every scheme of the catalog that some OpenSSL may offer on its command line."""
    cipher = Verb.CIPHER
    for scheme, option, key, block, legacy in _BLOCK_CIPHERS:
        for mode in _MODES:
            nonce = (0, 0) if mode == "ecb" else (block, block)
            bulk = 1 if mode in _FEEDBACK else block
            yield Recipe(f"{scheme}-{mode}", cipher, f"{option}-{mode}", (key, key), nonce, bulk, legacy)
    for bits in (40, 64):
        yield Recipe(f"rc2-{bits}-cbc", cipher, f"rc2-{bits}-cbc", (bits // 8, bits // 8), (8, 8), 8, legacy=True)
    yield Recipe("rc4-128", cipher, "rc4", (16, 16), legacy=True)
    yield Recipe("rc4-40", cipher, "rc4-40", (5, 5), legacy=True)
    yield Recipe("chacha20", cipher, "chacha20", (32, 32), (12, 16))
    for scheme, option in _DIGESTS.items():
        yield Recipe(scheme, Verb.DIGEST, option)
    for scheme, length in _XOFS.items():
        yield Recipe(scheme, Verb.DIGEST, scheme, xof=length)
    for digest in ("md5", *_SHA, "sha3-256"):
        yield Recipe(f"hmac-{digest}", Verb.MAC, digest, _MAC_KEY)
    for bits in (1024, 2048, 3072, 4096):
        for digest in ("sha1", "sha256", "sha384", "sha512"):
            yield Recipe(f"rsa-{bits}-pkcs1-{digest}", Verb.SIGNATURE, digest, family="rsa")
            if (bits, digest) != (1024, "sha512"):  # digest and salt do not fit into 1024 bits
                yield Recipe(f"rsa-{bits}-pss-{digest}", Verb.SIGNATURE, digest, family="rsa", pss=True)
    yield Recipe("ecdsa-p256-sha256", Verb.SIGNATURE, "sha256", family="ecdsa")
