"""Files of ``cryptography_vectors`` whose layouts need a reader of their own: keys, chains, key
streams.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors import encodings
from motebench.catalog.vectors.model import Validity, Vector, hash_name
from vectorsources.writing import Collection, spread

_OP = Operation
_P256 = bytes.fromhex("04")
_RSA_EACH = 3


def collect(root: Path, into: Collection) -> None:
    """Add everything."""
    into.add("camellia", camellia(root / "ciphers/Camellia"))
    into.add("idea", idea(root / "ciphers/IDEA/idea-ecb.txt"))
    into.add("rc4", rc4(root / "ciphers/ARC4"))
    into.add("ed25519", ed25519(root / "asymmetric/Ed25519/sign.input"))
    into.add("x25519", x25519(root / "asymmetric/X25519/rfc7748.txt"))
    into.add("ecdsa", ecdsa(root / "asymmetric/ECDSA/FIPS_186-3/SigVer.rsp"))
    into.add("ecdsa", ecdsa(root / "asymmetric/ECDSA/FIPS_186-3/SigGen.rsp"))
    into.add("rsa", rsa(root / "asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"))
    into.add("rsa", pss(root / "asymmetric/RSA/pkcs-1v2-1d2-vec/pss-vect.txt"))


def blocks(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Blocks of ``name = value`` lines with the group they are in."""
    group = ""
    block: dict[str, str] = {}
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        text = line.strip()
        if text.startswith("[") and text.endswith("]"):
            group = text[1:-1].strip()
        elif "=" in text and not text.startswith("#"):
            name, _, value = text.partition("=")
            block[name.strip()] = value.strip()
        elif not text and block:
            yield group, block
            block = {}


def camellia(folder: Path) -> Iterator[Vector]:
    """NTT's ECB vectors: ``K``, ``P``, ``C`` lines."""
    for bits in (128, 192, 256):
        key, plain, found = b"", b"", []
        for line in (folder / f"camellia-{bits}-ecb.txt").read_text(encoding="utf-8").splitlines():
            match = re.fullmatch(r"([KPC]) No\.(\d+) : ([0-9A-F ]+)", line.strip())
            if not match:
                continue
            value = bytes.fromhex(match[3])
            if match[1] == "K":
                key, number = value, match[2]
            elif match[1] == "P":
                plain = value
            else:
                found.append(
                    Vector(
                        f"K {number}, P {match[2]}",
                        f"camellia-{bits}-ecb",
                        _OP.ENCRYPT,
                        key,
                        data=plain,
                        expect_out=value,
                        source="NTT, Camellia test vectors (t_camellia.txt)",
                    )
                )
        yield from spread(found, 24)


def idea(path: Path) -> Iterator[Vector]:
    """NESSIE's ECB vectors, with the block after 100 and 1000 encryptions."""
    usable = [
        block for _, block in blocks(path) if {"KEY", "PLAINTEXT", "CIPHERTEXT"} <= set(block)
    ]
    step = max(1, len(usable) // 24)
    for index, block in enumerate(usable[::step]):
        key, plain = bytes.fromhex(block["KEY"]), bytes.fromhex(block["PLAINTEXT"])
        chains = [("CIPHERTEXT", 1), ("CIPHERTEXT100", 100), ("CIPHERTEXT1000", 1000)]
        for name, chain in chains if index < 2 else chains[:1]:
            if name in block:
                yield Vector(
                    f"{index} {name}",
                    "idea-ecb",
                    _OP.ENCRYPT,
                    key,
                    data=plain,
                    chain=chain,
                    expect_out=bytes.fromhex(block[name]),
                    source="NESSIE, Idea-128-64 test vectors",
                )


def rc4(folder: Path) -> Iterator[Vector]:
    """RFC 6229: the first 32 bytes of the key stream."""
    for bits in (40, 128):
        keys: dict[str, dict[int, str]] = {}
        for _, block in blocks(folder / f"rfc-6229-{bits}.txt"):
            if "OFFSET" in block:
                keys.setdefault(block["KEY"], {})[int(block["OFFSET"])] = block["CIPHERTEXT"]
        for key, stream in keys.items():
            out = bytes.fromhex(stream[0] + stream[16])
            yield Vector(
                f"key {key}",
                f"rc4-{bits}",
                _OP.ENCRYPT,
                bytes.fromhex(key),
                data=bytes(32),
                expect_out=out,
                source="RFC 6229 section 2",
            )


def ed25519(path: Path) -> Iterator[Vector]:
    """Vectors of the authors of Ed25519, 1024 of them; the first five are those of RFC 8032 section
    7.1.
    """
    lines = path.read_text(encoding="utf-8").split()
    for number in (1, 2, 3, 10, 32, 64, 65, 100, 128, 200, 256, 1024):
        secret, public, data, signed = (
            bytes.fromhex(part) for part in lines[number - 1].split(":")[:4]
        )
        source = f"ed25519.cr.yp.to sign.input line {number}" + (
            " (RFC 8032 section 7.1)" if number < 4 else ""
        )
        seed, signature = secret[:32], signed[:64]
        yield Vector(
            f"sign {number}",
            "ed25519",
            _OP.SIGN,
            seed,
            data=data,
            expect_out=signature,
            public=public,
            source=source,
        )
        yield Vector(
            f"verify {number}",
            "ed25519",
            _OP.VERIFY,
            public,
            data=data,
            tag=signature,
            source=source,
        )
        if number in (3, 64, 1024):
            wrong = signature[:40] + bytes((signature[40] ^ 4,)) + signature[41:]
            yield Vector(
                f"verify {number} changed",
                "ed25519",
                _OP.VERIFY,
                public,
                data=data,
                tag=wrong,
                result=Validity.INVALID,
                source=source,
                comment="one bit of S changed",
            )


def x25519(path: Path) -> Iterator[Vector]:
    """RFC 7748 section 5.2 (the third is the first step of its iteration)."""
    for _, block in blocks(path):
        if "INPUT_SCALAR" in block:
            scalar, point, out = (
                bytes.fromhex(block[name]) for name in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U")
            )
            yield Vector(
                f"5.2, {block['COUNT']}",
                "x25519",
                _OP.AGREE,
                scalar,
                data=point,
                expect_out=out,
                source="RFC 7748 section 5.2",
            )


def ecdsa(path: Path) -> Iterator[Vector]:
    """P-256 with SHA-256: signatures to verify, good and changed."""
    number = 0
    for group, block in blocks(path):
        if group.replace(" ", "") != "P-256,SHA-256" or not {"Msg", "Qx", "R", "S"} <= set(block):
            continue
        number += 1
        valid = block.get("Result", "P").startswith("P")
        key = _P256 + bytes.fromhex(block["Qx"].zfill(64)) + bytes.fromhex(block["Qy"].zfill(64))
        signature = encodings.ecdsa_signature(int(block["R"], 16), int(block["S"], 16))
        yield Vector(
            f"{path.stem} {number}",
            "ecdsa-p256-sha256",
            _OP.VERIFY,
            key,
            data=bytes.fromhex(block["Msg"]),
            tag=signature,
            result=Validity.VALID if valid else Validity.INVALID,
            source=f"NIST CAVP ECDSA {path.name} (FIPS 186-3) [P-256,SHA-256]",
            comment="" if valid else block["Result"],
        )


def rsa_groups(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Records of RSA files with modulus size and the numbers of the key that hold for them."""
    key: dict[str, str] = {}
    for group, block in blocks(path):
        if "n" in block or "p" in block:
            key.update(block)
        if "S" in block:
            yield int(group.partition("=")[2]), {**key, **block}


def belongs(n: int, e: int, d: int, p: int, q: int) -> bool:
    """True if the numbers are one key: some records of the file change e, or have the primes of
    another key.
    """
    return n == p * q and (d * e) % math.lcm(p - 1, q - 1) == 1


def rsa(path: Path) -> Iterator[Vector]:
    """PKCS#1 v1.5: each signature to verify; the good ones also to make, because they are
    deterministic.
    """
    taken: dict[tuple[str, str], int] = {}
    for bits, block in rsa_groups(path):
        digest = hash_name(block["SHAAlg"])
        if bits not in (1024, 2048, 3072, 4096) or digest == "sha224":
            continue
        scheme = f"rsa-{bits}-pkcs1-{digest}"
        numbers = [int(block[name], 16) for name in ("n", "e", "d", "p", "q")]
        data, signature = bytes.fromhex(block["Msg"]), bytes.fromhex(block["S"].zfill(bits // 4))
        valid = block["Result"].startswith("P")
        public = encodings.rsa_public(numbers[0], numbers[1])
        count = taken[scheme, block["Result"][:1]] = taken.get((scheme, block["Result"][:1]), 0) + 1
        if count > (_RSA_EACH if valid else 2 * _RSA_EACH):
            continue
        source = f"NIST CAVP RSA {path.name} [mod = {bits}]"
        name = f"{'valid' if valid else 'changed'} {count}, e = {numbers[1]:x}"
        if valid and belongs(*numbers):
            yield Vector(
                f"sign {name}",
                scheme,
                _OP.SIGN,
                encodings.rsa_private(*numbers),
                data=data,
                expect_out=signature,
                public=public,
                source=source,
            )
        yield Vector(
            f"verify {name}",
            scheme,
            _OP.VERIFY,
            public,
            data=data,
            tag=signature,
            source=source,
            result=Validity.VALID if valid else Validity.INVALID,
            comment="" if valid else block["Result"],
        )


def headed(text: str) -> Iterator[tuple[str, bytes]]:
    """Comments ``# Name:`` with the lines of hexadecimal digits below them."""
    heading, found = "", ""
    for line in [*text.splitlines(), "#"]:
        if line.startswith("#"):
            if found:
                yield heading, bytes.fromhex(found)
            heading, found = line.strip("# :").lower(), ""
        elif re.fullmatch(r"([0-9a-f]{2} ?)+", line.strip()):
            found += line


def pss(path: Path) -> Iterator[Vector]:
    """PSS with SHA-1 and a salt of 20 bytes, 1024 and 2048 bits (RSA Laboratories)."""
    parts = re.split(r"# Example \d+: An? (\d+)-bit RSA key pair", path.read_text(encoding="utf-8"))
    for bits, body in zip(parts[1::2], parts[2::2], strict=True):
        if bits not in ("1024", "2048"):
            continue
        pairs = list(headed(body))
        modulus, exponent = (
            next(value for name, value in pairs if name == wanted)
            for wanted in ("modulus", "exponent")
        )
        key = encodings.rsa_public(int.from_bytes(modulus, "big"), int.from_bytes(exponent, "big"))
        messages = [value for name, value in pairs if name == "message to be signed"]
        signatures = [value for name, value in pairs if name == "signature"]
        for number, (data, signature) in enumerate(zip(messages, signatures, strict=True), 1):
            yield Vector(
                f"pss-vect {number}",
                f"rsa-{bits}-pss-sha1",
                _OP.VERIFY,
                key,
                data=data,
                tag=signature,
                source="RSA Laboratories, PKCS #1 v2.1 pss-vect.txt",
            )
