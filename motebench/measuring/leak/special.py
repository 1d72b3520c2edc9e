"""Inputs for which code may take a separate path, and which random inputs practically never reach.

Weak and semi-weak keys of DES: NIST SP 800-67 rev. 2, 3.4.2. Scalars and points of X25519: RFC 7748, 5; points of small
order: Bernstein, *Curve25519: new Diffie-Hellman speed records*, PKC 2006. Private keys of P-256 are in the range 1 to
n - 1: NIST SP 800-56A rev. 3, 5.6.1.2; n: NIST SP 800-186, 3.2.1.3.
"""

from __future__ import annotations

import random

_DES_WEAK = ("0101010101010101", "fefefefefefefefe", "e0e0e0e0f1f1f1f1", "1f1f1f1f0e0e0e0e")
_DES_SEMI_WEAK = (
    "01fe01fe01fe01fe", "fe01fe01fe01fe01", "1fe01fe00ef10ef1", "e01fe01ff10ef10e", "01e001e001f101f1",
    "e001e001f101f101", "1ffe1ffe0efe0efe", "fe1ffe1ffe0efe0e", "011f011f010e010e", "1f011f010e010e01",
    "e0fee0fef1fef1fe", "fee0fee0fef1fef1",
)  # fmt: skip
_P25519 = 2**255 - 19
_CURVE_BYTES = 32
_P256 = ("ecdh", "ecdsa")
"""Algorithms whose private keys are numbers below the order of P-256."""
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def patterns(length: int) -> dict[str, bytes]:
    """Special values of any secret of that length (not 0), by name."""
    top, ones = b"\x80" + bytes(length - 1), b"\xff" * length
    found = {
        "all zero": bytes(length),
        "all ones": ones,
        "first bit alone": top,
        "last bit alone": bytes(length - 1) + b"\x01",
        "all but the first bit": b"\x7f" + ones[1:],
        "all but the last bit": ones[1:] + b"\xfe",
        "two bits": bytes(length - 1) + b"\x81",
        "one byte repeated": b"\xa5" * length,
        "every other bit": b"\x55" * length,
    }
    return _distinct(found)


def keys(algorithm: str, length: int) -> dict[str, bytes]:
    """Special keys of that length (not 0): patterns, and known special keys of the algorithm."""
    found = patterns(length)
    if algorithm in ("des", "3des"):
        for kind, listed in (("weak", _DES_WEAK), ("semi-weak", _DES_SEMI_WEAK)):
            found |= {f"{kind} {key}": bytes.fromhex(key) * (length // 8) for key in listed}
    if algorithm == "x25519":
        middle = bytes(_CURVE_BYTES - 2)
        found |= {
            "one": b"\x01" + middle + b"\x00",
            "smallest after clamping": bytes(_CURVE_BYTES - 1) + b"\x40",
            "largest after clamping": b"\xf8" + b"\xff" * (_CURVE_BYTES - 2) + b"\x7f",
        }
    if algorithm in _P256:
        found = {name: key for name, key in found.items() if 0 < int.from_bytes(key, "big") < _P256_ORDER}
        found["order minus one"] = (_P256_ORDER - 1).to_bytes(length, "big")
    return _distinct(found)


def random_key(algorithm: str, length: int, source: random.Random) -> bytes:
    """A random key of that length which the algorithm takes."""
    if algorithm in _P256:
        return source.randrange(1, _P256_ORDER).to_bytes(length, "big")
    return source.randbytes(length)


def points(algorithm: str) -> dict[str, bytes]:
    """Public keys of a peer by name, some of small order; empty for other schemes."""
    if algorithm != "x25519":
        return {}
    numbers = {"u = 0": 0, "u = 1": 1, "u = 9": 9, "u = p-1": _P25519 - 1, "u = p": _P25519, "u = 2^255-1": 2**255 - 1}
    return {name: number.to_bytes(_CURVE_BYTES, "little") for name, number in numbers.items()}


def _distinct(found: dict[str, bytes]) -> dict[str, bytes]:
    """The same without values that occur under another name."""
    seen: dict[bytes, str] = {}
    for name, value in found.items():
        seen.setdefault(value, name)
    return {name: value for value, name in seen.items()}
