"""The published keys with which public-key schemes are measured: ``catalog/keys/<name>.json``."""

from __future__ import annotations

import json
from pathlib import Path

from motebench.catalog.vectors import encodings
from vectorsources.ecdh import INITIATOR
from vectorsources.special import belongs, rsa_groups
from vectorsources.standards import ALICE, P256

_EXPONENT = 65537


def rsa_keys(root: Path) -> dict[int, bytes]:
    """Private keys (RSAPrivateKey) by modulus bits: the primes of CAVP's SigVer15_186-3.rsp with e
    = 65537.
    """
    found: dict[int, bytes] = {}
    for bits, block in rsa_groups(root / "asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"):
        if (
            bits in (1024, 2048, 3072, 4096)
            and bits not in found
            and int(block["e"], 16) == _EXPONENT
        ):
            modulus, private, p, q = (int(block[name], 16) for name in ("n", "d", "p", "q"))
            if not belongs(modulus, _EXPONENT, private, p, q):
                continue
            found[bits] = encodings.rsa_private(modulus, _EXPONENT, private, p, q)
    return found


def write(root: Path, folder: Path, rsa: dict[int, bytes]) -> None:
    """Write all key files."""
    folder.mkdir(parents=True, exist_ok=True)
    for bits, key in rsa.items():
        source = f"NIST CAVP SigVer15_186-3.rsp [mod = {bits}], e = 65537"
        _write(
            folder / f"rsa-{bits}.json",
            key.hex(),
            encodings.rsa_private_to_public(key).hex(),
            source,
        )
    _write(folder / "ecdsa-p256.json", *P256, "RFC 6979 appendix A.2.5")
    _write(folder / "ecdh-p256.json", *INITIATOR, "RFC 5903 section 8.1, initiator")
    line = (
        (root / "asymmetric/Ed25519/sign.input").read_text(encoding="utf-8").split()[0].split(":")
    )
    _write(folder / "ed25519.json", line[0][:64], line[1], "RFC 8032 section 7.1, TEST 1")
    _write(folder / "x25519.json", *ALICE, "RFC 7748 section 6.1, Alice")


def _write(path: Path, private: str, public: str, source: str) -> None:
    value = {"source": source, "private": private, "public": public}
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
