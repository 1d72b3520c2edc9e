"""Key pairs on elliptic curves."""

from __future__ import annotations

from Crypto.PublicKey import ECC


def new_pair(curve: str) -> ECC.EccKey:
    """A new key pair. ``ECC.generate`` alone may leave the public point to its first use."""
    pair = ECC.generate(curve=curve)
    _ = pair.pointQ
    return pair
