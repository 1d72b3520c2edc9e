"""Wycheproof test groups with public keys: signatures and key agreement.

The old layout writes a key as ``key`` (or ``n`` and ``e``), the new one as ``publicKey``; both are read. Keys come out
in the formats of the probe protocol.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from motebench.base.model import Operation
from motebench.catalog.vectors import der
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.names import hash_name

_LONGEST_RSA = 2048
"""Most bytes of a number in a key. Computing with longer numbers would take too long."""
Reader = Callable[[Node, Result], Vector]
"""Makes a vector from one test."""

_CURVES = {"secp224r1": "p224", "secp256r1": "p256", "secp384r1": "p384", "secp521r1": "p521", "secp256k1": "k256"}
_ORDER_BYTES = {"secp224r1": 28, "secp256r1": 32, "secp384r1": 48, "secp521r1": 66, "secp256k1": 32}
_HASH_BYTES = {"sha1": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64, "sha512-256": 32, "sha512-224": 28}


def skip(reason: str, result: Result = Result.VALID) -> Vector:
    """A vector that is kept and counted, but not run."""
    return Vector("", "", Operation.VERIFY, result=result, not_applicable=reason)


def skipped(reason: str) -> Reader:
    """A reader for groups whose tests are all kept and counted, but not run."""
    return lambda _, result: skip(reason, result)


def _public(group: Node) -> Node:
    return group.node("publicKey" if "publicKey" in group else "key")


def _verify(scheme: str, key: bytes) -> Reader:
    def reader(test: Node, result: Result) -> Vector:
        signature = test.hex("sig")
        return Vector("", scheme, Operation.VERIFY, key, data=test.hex("msg"), tag=signature, result=result,
                      tag_bytes=len(signature))  # fmt: skip

    return reader


def _ecdsa(_: str, group: Node) -> Reader:
    key = _public(group)
    curve, digest = key.text("curve"), hash_name(group.text("sha"))
    if curve not in _CURVES or not digest:
        return skipped(f"ECDSA on {curve} with {group.text('sha')}")
    return _verify(f"ecdsa-{_CURVES[curve]}-{digest}", key.hex("uncompressed"))


def _ecdsa_p1363(algorithm: str, group: Node) -> Reader:
    """Signatures r || s (IEEE P1363), each as long as the group order; written as DER for the library."""
    inner, size = _ecdsa(algorithm, group), _ORDER_BYTES.get(_public(group).text("curve"), 0)

    def reader(test: Node, result: Result) -> Vector:
        raw = test.hex("sig")
        if len(raw) != 2 * size:
            reason = f"the signature has {len(raw)} bytes, not {2 * size}: the P1363 format itself rejects it"
            return skip(reason, result)
        r, s = int.from_bytes(raw[:size], "big"), int.from_bytes(raw[size:], "big")
        return inner(Node({**test.value, "sig": der.ecdsa_signature(r, s).hex()}, test.file, test.place, test.label),
                     result)  # fmt: skip

    return reader


def _eddsa(_: str, group: Node) -> Reader:
    key = _public(group)
    names = {"edwards25519": "ed25519", "edwards448": "ed448"}
    curve = key.text("curve")
    return _verify(names[curve], key.hex("pk")) if curve in names else skipped(f"EdDSA on {curve}")


def _rsa_key(group: Node) -> tuple[int, int]:
    if "publicKey" in group or "n" in group:
        holder = group.node("publicKey") if "publicKey" in group else group
        names = ("modulus", "publicExponent") if "publicKey" in group else ("n", "e")
        modulus, exponent = (int.from_bytes(holder.hex(name), "big") for name in names)
        return modulus, exponent
    for name, read in (("publicKeyAsn", der.read_rsa_public), ("keyAsn", der.read_rsa_public),
                       ("publicKeyDer", der.read_rsa_subject), ("keyDer", der.read_rsa_subject)):  # fmt: skip
        if name in group:
            try:
                return read(group.hex(name))
            except ValueError as error:
                raise group.fail(name, f"not an RSA key: {error}", "DER as RFC 8017 and RFC 3279 say") from None
    raise group.fail("publicKey", "missing", "an object with modulus and publicExponent")


def _rsa(padding: str, group: Node) -> Reader:
    modulus, exponent = _rsa_key(group)
    digest = hash_name(group.text("sha"))
    if not digest:
        return skipped(f"RSA with {group.text('sha')}")
    return _verify(f"rsa-{modulus.bit_length()}-{padding}-{digest}", der.rsa_public(modulus, exponent))


def _rsa_pkcs1(_: str, group: Node) -> Reader:
    return _rsa("pkcs1", group)


def _rsa_pss(_: str, group: Node) -> Reader:
    digest, salt = hash_name(group.text("sha")), group.number("sLen")
    if group.text("mgf", "MGF1") != "MGF1":
        return skipped(f"PSS with the mask function {group.text('mgf')}; schemes here use MGF1")
    if hash_name(group.text("mgfSha", group.text("sha"))) != digest:
        return skipped(f"PSS with {group.text('mgfSha')} in MGF1 and {group.text('sha')} for the message")
    if salt != _HASH_BYTES.get(digest):
        return skipped(f"PSS with a salt of {salt} bytes; schemes here use the length of the hash")
    return _rsa("pss", group)


def _rsa_sign(_: str, group: Node) -> Reader:
    """RSASSA-PKCS1-v1_5 signature generation: deterministic, so the signature itself is compared."""
    digest, holder = hash_name(group.text("sha")), group.node("privateKey")
    names = ("modulus", "publicExponent", "privateExponent", "prime1", "prime2")
    if not all(name in holder for name in names):
        return skipped("a private key without its primes")
    parts = [holder.hex(name) for name in names]
    if max(map(len, parts)) > _LONGEST_RSA:
        return skipped(f"an RSA key with more than {8 * _LONGEST_RSA} bits")
    modulus, public, private, prime1, prime2 = (int.from_bytes(part, "big") for part in parts)
    if not digest or min(prime1, prime2) < 3 or prime1 * prime2 != modulus or math.gcd(prime1, prime2) != 1:
        return skipped(f"an RSA key that is not a product of its two primes, or {group.text('sha')}")
    key = der.rsa_private(modulus, public, private, prime1, prime2)
    scheme = f"rsa-{modulus.bit_length()}-pkcs1-{digest}"

    def reader(test: Node, result: Result) -> Vector:
        if result is Result.INVALID:
            return skip("signing has no inputs that must be rejected", result)
        return Vector("", scheme, Operation.SIGN, key, data=test.hex("msg"), expect_out=test.hex("sig"), result=result,
                      public=der.rsa_public(modulus, public))  # fmt: skip

    return reader


def _xdh(_: str, group: Node) -> Reader:
    curve = group.text("curve")
    name = {"curve25519": "x25519", "x25519": "x25519", "curve448": "x448", "x448": "x448"}.get(curve.lower())
    if not name:
        return skipped(f"key agreement on {curve}")

    def reader(test: Node, result: Result) -> Vector:
        return Vector("", name, Operation.AGREE, test.hex("private"), data=test.hex("public"),
                      expect_out=test.hex("shared"), result=result)  # fmt: skip

    return reader


def _ecdh(_: str, group: Node) -> Reader:
    curve = group.text("curve")
    if curve not in _ORDER_BYTES:
        return skipped(f"key agreement on {curve}")
    name, size = f"ecdh-{_CURVES[curve]}", _ORDER_BYTES[curve]

    def reader(test: Node, result: Result) -> Vector:
        # A number in two's complement: with a zero byte in front, or shorter than the order.
        private = test.hex("private").lstrip(b"\x00").rjust(size, b"\x00")
        return Vector("", name, Operation.AGREE, private, data=test.hex("public"), expect_out=test.hex("shared"),
                      result=result)  # fmt: skip

    return reader


def _encoded(_: str, group: Node) -> Reader:
    return skipped(f"{group.text('type')}: keys in ASN.1, JWK or PEM; the probe protocol takes raw keys")


GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
    "EcdsaVerify": _ecdsa,
    "EcdsaP1363Verify": _ecdsa_p1363,
    "EddsaVerify": _eddsa,
    "RsassaPkcs1Verify": _rsa_pkcs1,
    "RsassaPkcs1Generate": _rsa_sign,
    "RsassaPssVerify": _rsa_pss,
    "EcdhEcpointTest": _ecdh,
    "EcdhTest": _encoded,
    "EcdhPemTest": _encoded,
    "EcdhWebcryptoTest": _encoded,
    "XdhComp": _xdh,
    "XdhAsnComp": _encoded,
    "XdhJwkComp": _encoded,
    "XdhPemComp": _encoded,
}
