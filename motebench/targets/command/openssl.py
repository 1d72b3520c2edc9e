"""The ``openssl`` program: what the one on PATH offers, and the command line of each operation.

Argument lists only, no shell. A symmetric key is an argument, because ``enc`` accepts raw keys in no other way: other
users of the machine can see it while the command runs. The keys are published test keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from motebench.base.errors import printable
from motebench.base.model import FailureKind
from motebench.targets.command.desk import Desk
from motebench.targets.command.schemes import Recipe, Verb, recipes
from motebench.targets.wire.messages import Job, ProbeFailure

PROGRAM = "openssl"
_PROVIDERS = ("-provider", "legacy", "-provider", "default")
_CHACHA_COUNTER = bytes(4)
# The output of openssl if padding or a signature is wrong, as opposed to errors of files and memory.
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

    def cipher(self, recipe: Recipe, job: Job, *, decrypt: bool, pad: bool, files: tuple[str, str]) -> list[str]:
        """Encrypt or decrypt a file to another. ProbeFailure if key or nonce have a wrong length."""
        nonce = job.nonce
        if recipe.scheme == "chacha20" and len(nonce) == recipe.nonce[0]:
            nonce = _CHACHA_COUNTER + nonce  # RFC 8439 from block 0
        # openssl would pad a value that is too short and cut one that is too long, both with only a warning.
        _within("a key", job.key, recipe.key)
        _within("a nonce", job.nonce, recipe.nonce)
        words = [self.path, "enc", *self._old(recipe), "-d" if decrypt else "-e", f"-{recipe.option}"]
        words += ["-K", job.key.hex()]
        words += ["-iv", nonce.hex()] if nonce else []
        words += [] if pad else ["-nopad"]
        return [*words, "-in", files[0], "-out", files[1]]

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


def rejected(command: Sequence[str], status: int, words: str) -> bool:
    """Whether the command ended because padding or signature are wrong."""
    pattern = _REJECTED.get(command[1])
    return status == 1 and pattern is not None and pattern.search(words) is not None


def look(desk: Desk) -> OpensslProgram:
    """The program on PATH there and its schemes. ProbeFailure if there is none."""
    path = desk.which(PROGRAM)
    if path is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "there is no program openssl on PATH")
    asked = desk.asked
    version, compiler, options = _facts(path, asked)
    found = re.match(r"OpenSSL (\d+)\.(\d+)", version)
    if found is None or (int(found[1]), int(found[2])) < (1, 1):
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"{path} is {version}; OpenSSL 1.1.1 or later is needed")
    providers = int(found[1]) >= 3
    legacy = not providers or asked([path, "list", "-providers", *_PROVIDERS]) is not None
    load = _PROVIDERS if providers and legacy else ()
    ciphers = _names(asked([path, "enc", "-list", *load]))
    digests = _names(asked([path, "dgst", "-list"]))
    offered = {
        recipe.scheme: recipe
        for recipe in recipes()
        if recipe.option in (ciphers if recipe.verb is Verb.CIPHER else digests) and (legacy or not recipe.legacy)
    }
    return OpensslProgram(path, version, compiler, options, providers, offered)


def _facts(path: str, asked: Callable[[list[str]], str | None]) -> tuple[str, str, str]:
    """Version, compiler line and options from ``openssl version -a``."""
    lines = _lines(asked([path, "version", "-a"]) or "")
    if not lines:
        raise ProbeFailure(FailureKind.CRASH, f"{path} does not report its version")
    told = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    version = lines[0].partition(" (Library:")[0].strip()
    return version, told.get("compiler", "").strip(), told.get("options", "").strip()


def _lines(text: str) -> list[str]:
    """Lines that another machine said; nothing in them reaches a terminal."""
    return [printable(line)[:1000] for line in text[:20_000].splitlines()]


def _names(listed: str | None) -> frozenset[str]:
    return frozenset(re.findall(r"(?<!\S)-(\S+)", listed or ""))


def _pss(recipe: Recipe) -> list[str]:
    # A salt as long as the digest, as everywhere here; openssl's own default when signing is the longest that fits.
    return ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:-1"] if recipe.pss else []


def _within(what: str, value: bytes, bounds: tuple[int, int]) -> None:
    if not bounds[0] <= len(value) <= bounds[1]:
        raise ProbeFailure(FailureKind.UNSUPPORTED, f"{what} of {len(value)} B; valid are {bounds[0]} to {bounds[1]} B")
