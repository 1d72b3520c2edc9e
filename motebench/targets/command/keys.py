"""Keys as files for ``openssl``: from the formats of the probe protocol to PEM, and back."""

from __future__ import annotations

import base64

# RFC 8017 appendix C: AlgorithmIdentifier {rsaEncryption, NULL}. RFC 5480: {id-ecPublicKey, prime256v1}.
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
    return f"-----BEGIN {label}-----\n".encode() + base64.encodebytes(content) + f"-----END {label}-----\n".encode()


def private_pem(family: str, key: bytes) -> bytes:
    """A private key of ``family`` (``rsa``: RSAPrivateKey; ``ecdsa``: scalar of P-256) as PEM."""
    if family == "rsa":
        return _pem("RSA PRIVATE KEY", key)
    # ECPrivateKey, RFC 5915; the public key in it is optional and left to openssl.
    content = _element(0x02, b"\x01") + _element(0x04, key) + _element(0xA0, _P256)
    return _pem("EC PRIVATE KEY", _element(0x30, content))


def public_pem(family: str, key: bytes) -> bytes:
    """A public key (RSAPublicKey, or an uncompressed point) as the PEM of its SubjectPublicKeyInfo, RFC 5280."""
    algorithm = _RSA if family == "rsa" else _EC_P256
    return _pem("PUBLIC KEY", _element(0x30, algorithm + _element(0x03, b"\x00" + key)))


def from_public_der(family: str, info: bytes) -> bytes:
    """The public key inside a SubjectPublicKeyInfo that openssl wrote."""
    if family == "rsa":
        start = info.index(_RSA) + len(_RSA)
        header = 2 + (info[start + 1] & 0x7F if info[start + 1] & 0x80 else 0)
        return info[start + header + 1 :]  # a byte for the unused bits
    return info[-_POINT:]
