"""Bytes that are the same in every run: keys, nonces, seeds."""

from __future__ import annotations

import hashlib


def derived(label: str, length: int) -> bytes:
    """``length`` fixed bytes for that label: SHA-256 in counter mode over it. Test material, not secret."""
    blocks = (length + 31) // 32
    stream = b"".join(hashlib.sha256(f"motebench {label} {index}".encode()).digest() for index in range(blocks))
    return stream[:length]
