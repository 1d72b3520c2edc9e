"""Wycheproof JSON files as published, in both layouts: ``testvectors`` and ``testvectors_v1``.

The layouts are described by the JSON schemas and ``doc/types.md`` of the project
(github.com/C2SP/wycheproof). What is read here: AEAD, unauthenticated modes (AES-CBC-PKCS5,
AES-XTS), HMAC, ECDSA (DER and IEEE P1363 signatures), EdDSA, RSASSA-PKCS1-v1_5, RSASSA-PSS, ECDH,
X25519, ML-KEM and ML-DSA. Tests of all other kinds are kept as not applicable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from motebench.base.model import Operation
from motebench.catalog.vectors import encodings
from motebench.catalog.vectors.encodings import Node
from motebench.catalog.vectors.model import Validity, Vector, cipher_name, hash_name

_LONGEST_RSA = 2048
"""Largest number of bytes of a number in a key. Computing with longer numbers would take too
long.
"""
Reader = Callable[[Node, Validity], Vector]
"""Makes a vector from one test."""

_CURVES = {
    "secp224r1": "p224",
    "secp256r1": "p256",
    "secp384r1": "p384",
    "secp521r1": "p521",
    "secp256k1": "k256",
}
_ORDER_BYTES = {"secp224r1": 28, "secp256r1": 32, "secp384r1": 48, "secp521r1": 66, "secp256k1": 32}
_HASH_BYTES = {
    "sha1": 20,
    "sha224": 28,
    "sha256": 32,
    "sha384": 48,
    "sha512": 64,
    "sha512-256": 32,
    "sha512-224": 28,
}


def skip(reason: str, result: Validity = Validity.VALID) -> Vector:
    """A vector that is kept and counted, but not run."""
    return Vector("", "", Operation.VERIFY, result=result, not_applicable=reason)


def skipped(reason: str) -> Reader:
    """A reader for groups whose tests are all kept and counted, but not run."""
    return lambda _, result: skip(reason, result)


def _public(group: Node) -> Node:
    return group.node("publicKey" if "publicKey" in group else "key")


def _verify_signature(scheme: str, key: bytes) -> Reader:
    def reader(test: Node, result: Validity) -> Vector:
        signature = test.hex("sig")
        return Vector(
            "",
            scheme,
            Operation.VERIFY,
            key,
            data=test.hex("msg"),
            tag=signature,
            result=result,
            tag_bytes=len(signature),
        )

    return reader


def _ecdsa(_: str, group: Node) -> Reader:
    key = _public(group)
    curve, digest = key.text("curve"), hash_name(group.text("sha"))
    if curve not in _CURVES or not digest:
        return skipped(f"ECDSA on {curve} with {group.text('sha')}")
    return _verify_signature(f"ecdsa-{_CURVES[curve]}-{digest}", key.hex("uncompressed"))


def _ecdsa_p1363(algorithm: str, group: Node) -> Reader:
    """Signatures r || s (IEEE P1363), each as long as the group order; written as DER for the
    library.
    """
    inner, size = _ecdsa(algorithm, group), _ORDER_BYTES.get(_public(group).text("curve"), 0)

    def reader(test: Node, result: Validity) -> Vector:
        raw = test.hex("sig")
        if len(raw) != 2 * size:
            reason = (
                f"the signature has {len(raw)} bytes, not {2 * size}: the P1363 format itself "
                "rejects it"
            )
            return skip(reason, result)
        r, s = int.from_bytes(raw[:size], "big"), int.from_bytes(raw[size:], "big")
        signature = encodings.ecdsa_signature(r, s).hex()
        return inner(
            Node({**test.value, "sig": signature}, test.file, test.place, test.label), result
        )

    return reader


def _eddsa(_: str, group: Node) -> Reader:
    key = _public(group)
    names = {"edwards25519": "ed25519", "edwards448": "ed448"}
    curve = key.text("curve")
    return (
        _verify_signature(names[curve], key.hex("pk"))
        if curve in names
        else skipped(f"EdDSA on {curve}")
    )


def _rsa_key(group: Node) -> tuple[int, int]:
    if "publicKey" in group or "n" in group:
        holder = group.node("publicKey") if "publicKey" in group else group
        names = ("modulus", "publicExponent") if "publicKey" in group else ("n", "e")
        modulus, exponent = (int.from_bytes(holder.hex(name), "big") for name in names)
        return modulus, exponent
    for name, read in (
        ("publicKeyAsn", encodings.read_rsa_public),
        ("keyAsn", encodings.read_rsa_public),
        ("publicKeyDer", encodings.read_rsa_subject),
        ("keyDer", encodings.read_rsa_subject),
    ):
        if name in group:
            try:
                return read(group.hex(name))
            except ValueError as error:
                raise group.fail(
                    name, f"not an RSA key: {error}", "DER as RFC 8017 and RFC 3279 say"
                ) from None
    raise group.fail("publicKey", "missing", "an object with modulus and publicExponent")


def _rsa(padding: str, group: Node) -> Reader:
    modulus, exponent = _rsa_key(group)
    digest = hash_name(group.text("sha"))
    if not digest:
        return skipped(f"RSA with {group.text('sha')}")
    return _verify_signature(
        f"rsa-{modulus.bit_length()}-{padding}-{digest}", encodings.rsa_public(modulus, exponent)
    )


def _rsa_pkcs1(_: str, group: Node) -> Reader:
    return _rsa("pkcs1", group)


def _rsa_pss(_: str, group: Node) -> Reader:
    digest, salt = hash_name(group.text("sha")), group.number("sLen")
    if group.text("mgf", "MGF1") != "MGF1":
        return skipped(f"PSS with the mask function {group.text('mgf')}; schemes here use MGF1")
    if hash_name(group.text("mgfSha", group.text("sha"))) != digest:
        return skipped(
            f"PSS with {group.text('mgfSha')} in MGF1 and {group.text('sha')} for the message"
        )
    if salt != _HASH_BYTES.get(digest):
        return skipped(f"PSS with a salt of {salt} bytes; schemes here use the length of the hash")
    return _rsa("pss", group)


def _rsa_sign(_: str, group: Node) -> Reader:
    """RSASSA-PKCS1-v1_5 signature generation: deterministic, so the signature itself is
    compared.
    """
    digest, holder = hash_name(group.text("sha")), group.node("privateKey")
    names = ("modulus", "publicExponent", "privateExponent", "prime1", "prime2")
    if not all(name in holder for name in names):
        return skipped("a private key without its primes")
    parts = [holder.hex(name) for name in names]
    if max(map(len, parts)) > _LONGEST_RSA:
        return skipped(f"an RSA key with more than {8 * _LONGEST_RSA} bits")
    modulus, public, private, prime1, prime2 = (int.from_bytes(part, "big") for part in parts)
    if (
        not digest
        or min(prime1, prime2) < 3
        or prime1 * prime2 != modulus
        or math.gcd(prime1, prime2) != 1
    ):
        return skipped(
            f"an RSA key that is not a product of its two primes, or {group.text('sha')}"
        )
    key = encodings.rsa_private(modulus, public, private, prime1, prime2)
    scheme = f"rsa-{modulus.bit_length()}-pkcs1-{digest}"

    def reader(test: Node, result: Validity) -> Vector:
        if result is Validity.INVALID:
            return skip("signing has no inputs that must be rejected", result)
        return Vector(
            "",
            scheme,
            Operation.SIGN,
            key,
            data=test.hex("msg"),
            expect_out=test.hex("sig"),
            result=result,
            public=encodings.rsa_public(modulus, public),
        )

    return reader


def _xdh(_: str, group: Node) -> Reader:
    curve = group.text("curve")
    name = {"curve25519": "x25519", "x25519": "x25519", "curve448": "x448", "x448": "x448"}.get(
        curve.lower()
    )
    if not name:
        return skipped(f"key agreement on {curve}")

    def reader(test: Node, result: Validity) -> Vector:
        return Vector(
            "",
            name,
            Operation.AGREE,
            test.hex("private"),
            data=test.hex("public"),
            expect_out=test.hex("shared"),
            result=result,
        )

    return reader


def _ecdh(_: str, group: Node) -> Reader:
    curve = group.text("curve")
    if curve not in _ORDER_BYTES:
        return skipped(f"key agreement on {curve}")
    name, size = f"ecdh-{_CURVES[curve]}", _ORDER_BYTES[curve]

    def reader(test: Node, result: Validity) -> Vector:
        # A number in two's complement: with a zero byte in front, or shorter than the order.
        private = test.hex("private").lstrip(b"\x00").rjust(size, b"\x00")
        return Vector(
            "",
            name,
            Operation.AGREE,
            private,
            data=test.hex("public"),
            expect_out=test.hex("shared"),
            result=result,
        )

    return reader


def _encoded(_: str, group: Node) -> Reader:
    return skipped(
        f"{group.text('type')}: keys in ASN.1, JWK or PEM; the probe protocol takes raw keys"
    )


KEY_GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
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


def _decapsulate(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Validity) -> Vector:
        private, seed = test.hex("dk", b""), test.hex("seed", b"")
        public = test.hex("ek", b"") if result is Validity.VALID else b""
        return Vector(
            "",
            scheme,
            Operation.DECAPSULATE,
            key=private,
            seed=seed,
            public=public,
            ciphertext=test.hex("c"),
            secret=test.hex("K", b""),
            result=result,
        )

    return reader


def _encapsulate(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Validity) -> Vector:
        return Vector(
            "",
            scheme,
            Operation.ENCAPSULATE,
            key=test.hex("ek"),
            seed=test.hex("m"),
            ciphertext=test.hex("c", b""),
            secret=test.hex("K", b""),
            result=result,
        )

    return reader


def _keygen(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Validity) -> Vector:
        if result is Validity.INVALID:
            return skip("making keys has no inputs that must be rejected", result)
        return Vector(
            "",
            scheme,
            Operation.KEYGEN,
            seed=test.hex("seed"),
            expect_out=test.hex("dk"),
            public=test.hex("ek"),
            result=result,
        )

    return reader


def _sign(algorithm: str, group: Node) -> Reader:
    scheme = algorithm.lower()
    private, seed = group.hex("privateKey", b""), group.hex("privateSeed", b"")
    public = group.hex("publicKey", b"") if isinstance(group.value.get("publicKey"), str) else b""

    def reader(test: Node, result: Validity) -> Vector:
        if "msg" not in test:
            return skip("a test with the digest mu in the place of the message", result)
        if "rnd" in test:
            return skip("hedged signing: its random bytes cannot be given", result)
        return Vector(
            "",
            scheme,
            Operation.SIGN,
            key=private,
            seed=seed,
            data=test.hex("msg"),
            context=test.hex("ctx", b""),
            public=public if result is Validity.VALID else b"",
            result=result,
            expect_out=test.hex("sig") if result is Validity.VALID else None,
        )

    return reader


def _verify_lattice(algorithm: str, group: Node) -> Reader:
    scheme, key = algorithm.lower(), group.hex("publicKey")

    def reader(test: Node, result: Validity) -> Vector:
        signature = test.hex("sig")
        return Vector(
            "",
            scheme,
            Operation.VERIFY,
            key=key,
            data=test.hex("msg"),
            context=test.hex("ctx", b""),
            tag=signature,
            tag_bytes=len(signature),
            result=result,
        )

    return reader


LATTICE_GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
    "MLKEMTest": _decapsulate,
    "MLKEMDecapsValidationTest": _decapsulate,
    "MLKEMEncapsTest": _encapsulate,
    "MLKEMKeyGen": _keygen,
    "MlDsaSign": _sign,
    "MlDsaVerify": _verify_lattice,
}


_VALID_RESULTS = ", ".join(Validity)


def parse(root: Node) -> list[Vector]:
    """The vectors of a file. Raises InputError (group, test, tcId, key) if the file breaks the
    layout.
    """
    algorithm = root.text("algorithm")
    readers: Mapping[str, Callable[[str, Node], Reader]] = {
        **_GROUPS,
        **KEY_GROUPS,
        **LATTICE_GROUPS,
    }
    source = f"Wycheproof {root.file.rsplit('/', 1)[-1]}"
    vectors: dict[str, Vector] = {}
    for group in root.nodes("testGroups"):
        kind = group.text("type")
        reader = readers[kind](algorithm, group) if kind in readers else _other(kind)
        for test in group.nodes("tests"):
            number = test.number("tcId")
            named = test.labelled(f"tcId {number}")
            name = (
                f"tcId {number}"
                if f"tcId {number}" not in vectors
                else f"tcId {number} in {test.place}"
            )
            vector = reader(named, _result(named))
            vectors[name] = replace(vector, id=name, source=source, comment=_comment(named))
    return list(vectors.values())


def _result(test: Node) -> Validity:
    word = test.text("result")
    if word not in set(Validity):
        raise test.fail("result", f"{word!r} is not a possible result", _VALID_RESULTS)
    return Validity(word)


def _comment(test: Node) -> str:
    flags = test.value.get("flags", [])
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        raise test.fail("flags", "not all entries are text", "an array of texts")
    return "; ".join(part for part in (test.text("comment", ""), ", ".join(flags)) if part)


def _other(kind: str) -> Reader:
    return skipped(f"motebench measures no scheme for tests of type {kind!r}")


def _symmetric(algorithm: str, key: bytes) -> str:
    """``AES-GCM``: ``aes-128-gcm``; ``CHACHA20-POLY1305`` has no key size in its name."""
    name = algorithm.lower().removesuffix("-pkcs5")
    cipher, _, mode = name.rpartition("-")
    if not cipher or mode not in ("gcm", "ccm", "eax", "ocb", "cbc", "xts", "ecb", "ctr"):
        return name
    return cipher_name(cipher, len(key), mode)


def _aead(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Validity) -> Vector:
        key, nonce, aad = test.hex("key"), test.hex("iv"), test.hex("aad", b"")
        plain, secret, tag = test.hex("msg"), test.hex("ct"), test.hex("tag")
        scheme = _symmetric(algorithm, key)
        if result is Validity.INVALID:
            return Vector(
                "",
                scheme,
                Operation.DECRYPT_MESSAGE,
                key,
                nonce,
                aad,
                secret,
                tag,
                result=result,
                tag_bytes=len(tag),
            )
        return Vector(
            "",
            scheme,
            Operation.ENCRYPT_MESSAGE,
            key,
            nonce,
            aad,
            plain,
            expect_out=secret,
            expect_tag=tag,
            result=result,
            tag_bytes=len(tag),
        )

    return reader


def _unauthenticated(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Validity) -> Vector:
        key, nonce, plain, secret = test.hex("key"), test.hex("iv"), test.hex("msg"), test.hex("ct")
        scheme = _symmetric(algorithm, key)
        if result is Validity.INVALID:
            return Vector(
                "", scheme, Operation.DECRYPT_MESSAGE, key, nonce, data=secret, result=result
            )
        return Vector(
            "",
            scheme,
            Operation.ENCRYPT_MESSAGE,
            key,
            nonce,
            data=plain,
            expect_out=secret,
            result=result,
        )

    return reader


def _mac(algorithm: str, _: Node) -> Reader:
    folded = algorithm.lower().replace("-", "")
    digest = (
        hash_name(algorithm.upper().removeprefix("HMAC").lstrip("-_"))
        if folded.startswith("hmac")
        else ""
    )

    def reader(test: Node, result: Validity) -> Vector:
        key, data, tag = test.hex("key"), test.hex("msg"), test.hex("tag")
        if not digest:
            return skip(
                f"{algorithm} is not an HMAC with a hash function that is known here", result
            )
        return Vector(
            "",
            f"hmac-{digest}",
            Operation.MAC,
            key,
            data=data,
            expect_out=tag,
            result=result,
            tag_bytes=len(tag),
        )

    return reader


def _mac_with_nonce(algorithm: str, _: Node) -> Reader:
    def reader(test: Node, result: Validity) -> Vector:
        key, nonce, data, tag = test.hex("key"), test.hex("iv"), test.hex("msg"), test.hex("tag")
        if algorithm.upper() != "AES-GMAC":
            return skip(f"{algorithm} is not a MAC with a nonce that is known here", result)
        return Vector(
            "",
            cipher_name("aes", len(key), "gmac"),
            Operation.MAC,
            key,
            nonce,
            data=data,
            expect_out=tag,
            result=result,
            tag_bytes=len(tag),
        )

    return reader


_GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
    "AeadTest": _aead,
    "IndCpaTest": _unauthenticated,
    "MacTest": _mac,
    "MacWithIvTest": _mac_with_nonce,
}
