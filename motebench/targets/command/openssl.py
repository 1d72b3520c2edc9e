"""The ``openssl`` program: schemes that the one on PATH offers, the command line of each operation,
and keys as files.

Argument lists only, no shell. A symmetric key is an argument, because ``enc`` accepts raw keys in
no other way: other users of the machine can see it while the command runs. The keys are published
test keys.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from motebench.base.errors import printable
from motebench.base.model import FailureKind
from motebench.targets.command.desk import Desk
from motebench.targets.wire.messages import Job, Offer, ProbeFailure


class Verb(StrEnum):
    """The command of ``openssl``."""

    CIPHER = "cipher"
    DIGEST = "digest"
    MAC = "mac"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A scheme of the catalog on the command line of ``openssl enc`` or ``openssl dgst``.

    ``option`` is the name of the cipher or digest there. Lengths in bytes; ``block`` is 1 where any
    length is taken without padding. ``legacy``: from OpenSSL 3 on it is in the legacy provider.
    ``xof``: output length to ask for, 0 where it is fixed. ``family`` and ``pss`` belong to
    signatures.
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
            self.scheme,
            _OPERATIONS[self.verb],
            self.key,
            self.nonce,
            (0, 0),
            self.block,
            stream=True,
            process=True,
        )


_OPERATIONS = {
    Verb.CIPHER: frozenset(
        {"encrypt", "decrypt", "encrypt-message", "decrypt-message", "encrypt-new-key"}
    ),
    Verb.DIGEST: frozenset({"digest"}),
    Verb.MAC: frozenset({"mac"}),
    Verb.SIGNATURE: frozenset({"sign", "verify"}),
}
_FEEDBACK = ("cfb", "cfb8", "ofb", "ctr")
_MODES = ("ecb", "cbc", *_FEEDBACK)
# scheme, option, bytes of key and block, in the legacy provider; the mode comes after a hyphen.
_BLOCK_CIPHERS = (
    *(
        (f"{name}-{bits}", f"{name}-{bits}", bits // 8, 16, False)
        for name in ("aes", "aria", "camellia")
        for bits in (128, 192, 256)
    ),
    ("des", "des", 8, 8, True),
    ("3des", "des-ede3", 24, 8, False),
    ("blowfish-128", "bf", 16, 8, True),
    ("cast-128", "cast5", 16, 8, True),
    ("idea", "idea", 16, 8, True),
    ("rc2-128", "rc2", 16, 8, True),
    ("seed", "seed", 16, 16, True),
)
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
            yield Recipe(
                f"{scheme}-{mode}", cipher, f"{option}-{mode}", (key, key), nonce, bulk, legacy
            )
    for bits in (40, 64):
        yield Recipe(
            f"rc2-{bits}-cbc",
            cipher,
            f"rc2-{bits}-cbc",
            (bits // 8, bits // 8),
            (8, 8),
            8,
            legacy=True,
        )
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
                yield Recipe(
                    f"rsa-{bits}-pss-{digest}", Verb.SIGNATURE, digest, family="rsa", pss=True
                )
    yield Recipe("ecdsa-p256-sha256", Verb.SIGNATURE, "sha256", family="ecdsa")


PROGRAM = "openssl"
_PROVIDERS = ("-provider", "legacy", "-provider", "default")
_CHACHA_COUNTER = bytes(4)
# The output of openssl if padding or a signature is wrong, as opposed to errors of files and
# memory.
_REJECTED = {
    "enc": re.compile(r"bad decrypt:|wrong final block length"),
    "dgst": re.compile(r"Verification failure|Error verifying data", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class OpensslProgram:
    """One ``openssl``: its path, its version text, the schemes that it offers by name."""

    path: str
    version: str
    compiler: str
    options: str
    providers: bool
    """True from OpenSSL 3 on: old algorithms are in a provider that must be loaded."""
    offered: dict[str, Recipe]

    def cipher(
        self, recipe: Recipe, job: Job, *, decrypt: bool, pad: bool, files: tuple[str, str]
    ) -> list[str]:
        """Encrypt or decrypt a file to another. ProbeFailure if key or nonce have a wrong
        length."""
        nonce = job.nonce
        if recipe.scheme == "chacha20" and len(nonce) == recipe.nonce[0]:
            nonce = _CHACHA_COUNTER + nonce  # RFC 8439 from block 0
        # openssl would pad a value that is too short and cut one that is too long, both with only a
        # warning.
        _within("a key", job.key, recipe.key)
        _within("a nonce", job.nonce, recipe.nonce)
        arguments = [
            self.path,
            "enc",
            *self._old(recipe),
            "-d" if decrypt else "-e",
            f"-{recipe.option}",
        ]
        arguments += ["-K", job.key.hex()]
        arguments += ["-iv", nonce.hex()] if nonce else []
        arguments += [] if pad else ["-nopad"]
        return [*arguments, "-in", files[0], "-out", files[1]]

    def digest(self, recipe: Recipe, files: tuple[str, str]) -> list[str]:
        """Digest a file into another."""
        length = ["-xoflen", str(recipe.xof)] if recipe.xof else []
        return [*self._dgst(recipe), *length, "-binary", "-out", files[1], files[0]]

    def mac(self, recipe: Recipe, job: Job, files: tuple[str, str]) -> list[str]:
        """HMAC of a file into another."""
        _within("a key", job.key, recipe.key)
        key = ["-mac", "HMAC", "-macopt", f"hexkey:{job.key.hex()}"]
        return [*self._dgst(recipe), *key, "-binary", "-out", files[1], files[0]]

    def sign(self, recipe: Recipe, key: str, files: tuple[str, str]) -> list[str]:
        """Sign a file with the private key in file ``key``; the signature goes to another."""
        return [*self._dgst(recipe), "-sign", key, *_pss(recipe), "-out", files[1], files[0]]

    def verify(self, recipe: Recipe, key: str, signature: str, source: str) -> list[str]:
        """Verify the signature in a file with the public key in file ``key``."""
        return [*self._dgst(recipe), "-verify", key, *_pss(recipe), "-signature", signature, source]

    def public(self, key: str, destination: str) -> list[str]:
        """The public key of the private key in file ``key``, as DER."""
        return [self.path, "pkey", "-in", key, "-pubout", "-outform", "DER", "-out", destination]

    def _dgst(self, recipe: Recipe) -> list[str]:
        return [self.path, "dgst", *self._old(recipe), f"-{recipe.option}"]

    def _old(self, recipe: Recipe) -> tuple[str, ...]:
        return _PROVIDERS if recipe.legacy and self.providers else ()


def rejected(command: Sequence[str], status: int, message: str) -> bool:
    """True if the command ended because padding or signature are wrong."""
    pattern = _REJECTED.get(command[1])
    return status == 1 and pattern is not None and pattern.search(message) is not None


def look(desk: Desk) -> OpensslProgram:
    """Find the program on the machine's PATH, and its schemes. ProbeFailure if it is not
    installed.
    """
    path = desk.which(PROGRAM)
    if path is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "there is no program openssl on PATH")
    ask = desk.output_of
    version, compiler, options = _facts(path, ask)
    release = re.match(r"OpenSSL (\d+)\.(\d+)", version)
    if release is None or (int(release[1]), int(release[2])) < (1, 1):
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"{path} is {version}; OpenSSL 1.1.1 or later is needed"
        )
    providers = int(release[1]) >= 3
    legacy = not providers or ask([path, "list", "-providers", *_PROVIDERS]) is not None
    load = _PROVIDERS if providers and legacy else ()
    ciphers = _names(ask([path, "enc", "-list", *load]))
    digests = _names(ask([path, "dgst", "-list"]))
    offered = {
        recipe.scheme: recipe
        for recipe in recipes()
        if recipe.option in (ciphers if recipe.verb is Verb.CIPHER else digests)
        and (legacy or not recipe.legacy)
    }
    return OpensslProgram(path, version, compiler, options, providers, offered)


def _facts(path: str, ask: Callable[[list[str]], str | None]) -> tuple[str, str, str]:
    """Version, compiler line and options from ``openssl version -a``."""
    lines = _lines(ask([path, "version", "-a"]) or "")
    if not lines:
        raise ProbeFailure(FailureKind.CRASH, f"{path} does not report its version")
    facts = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    version = lines[0].partition(" (Library:")[0].strip()
    return version, facts.get("compiler", "").strip(), facts.get("options", "").strip()


def _lines(text: str) -> list[str]:
    """Lines that another machine printed, made safe for a terminal."""
    return [printable(line)[:1000] for line in text[:20_000].splitlines()]


def _names(listed: str | None) -> frozenset[str]:
    return frozenset(re.findall(r"(?<!\S)-(\S+)", listed or ""))


def _pss(recipe: Recipe) -> list[str]:
    # A salt as long as the digest, as everywhere here; openssl's own default when signing is the
    # longest that fits.
    return (
        ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:-1"] if recipe.pss else []
    )


def _within(name: str, value: bytes, bounds: tuple[int, int]) -> None:
    if not bounds[0] <= len(value) <= bounds[1]:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"{name} of {len(value)} B; valid are {bounds[0]} to {bounds[1]} B",
        )


# RFC 8017 appendix C: AlgorithmIdentifier {rsaEncryption, NULL}. RFC 5480: {id-ecPublicKey,
# prime256v1}.
_RSA = bytes.fromhex("300d06092a864886f70d0101010500")
_P256 = bytes.fromhex("06082a8648ce3d030107")
_EC_P256 = bytes.fromhex("301306072a8648ce3d0201") + _P256
_POINT = 65
"""Bytes of an uncompressed point of P-256."""


def _element(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes((size,)) if size < 0x80 else b"\x82" + size.to_bytes(2, "big")
    return bytes((tag,)) + length + content


def _pem(label: str, content: bytes) -> bytes:
    return (
        f"-----BEGIN {label}-----\n".encode()
        + base64.encodebytes(content)
        + f"-----END {label}-----\n".encode()
    )


def private_pem(family: str, key: bytes) -> bytes:
    """A private key of ``family`` (``rsa``: RSAPrivateKey; ``ecdsa``: scalar of P-256) as PEM."""
    if family == "rsa":
        return _pem("RSA PRIVATE KEY", key)
    # ECPrivateKey, RFC 5915; the public key in it is optional and left to openssl.
    content = _element(0x02, b"\x01") + _element(0x04, key) + _element(0xA0, _P256)
    return _pem("EC PRIVATE KEY", _element(0x30, content))


def public_pem(family: str, key: bytes) -> bytes:
    """A public key (RSAPublicKey, or an uncompressed point) as the PEM of its SubjectPublicKeyInfo,
    RFC 5280."""
    algorithm = _RSA if family == "rsa" else _EC_P256
    return _pem("PUBLIC KEY", _element(0x30, algorithm + _element(0x03, b"\x00" + key)))


def from_public_der(family: str, info: bytes) -> bytes:
    """The public key inside a SubjectPublicKeyInfo that openssl wrote."""
    if family == "rsa":
        start = info.index(_RSA) + len(_RSA)
        header = 2 + (info[start + 1] & 0x7F if info[start + 1] & 0x80 else 0)
        return info[start + header + 1 :]  # a byte for the unused bits
    return info[-_POINT:]
