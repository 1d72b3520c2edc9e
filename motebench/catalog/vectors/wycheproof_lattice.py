"""Wycheproof test groups of ML-KEM and ML-DSA."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from motebench.base.model import Operation
from motebench.catalog.vectors.fields import Node
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.wycheproof_keys import Reader, skip


def _decapsulate(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Result) -> Vector:
        private, seed = test.hex("dk", b""), test.hex("seed", b"")
        public = test.hex("ek", b"") if result is Result.VALID else b""
        return Vector("", scheme, Operation.DECAPSULATE, key=private, seed=seed, public=public,
                      ciphertext=test.hex("c"), secret=test.hex("K", b""), result=result)  # fmt: skip

    return reader


def _encapsulate(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Result) -> Vector:
        return Vector("", scheme, Operation.ENCAPSULATE, key=test.hex("ek"), seed=test.hex("m"),
                      ciphertext=test.hex("c", b""), secret=test.hex("K", b""), result=result)  # fmt: skip

    return reader


def _keygen(_: str, group: Node) -> Reader:
    scheme = group.text("parameterSet").lower()

    def reader(test: Node, result: Result) -> Vector:
        if result is Result.INVALID:
            return skip("making keys has no inputs that must be rejected", result)
        return Vector("", scheme, Operation.KEYGEN, seed=test.hex("seed"), expect_out=test.hex("dk"),
                      public=test.hex("ek"), result=result)  # fmt: skip

    return reader


def _sign(algorithm: str, group: Node) -> Reader:
    scheme = algorithm.lower()
    private, seed = group.hex("privateKey", b""), group.hex("privateSeed", b"")
    public = group.hex("publicKey", b"") if isinstance(group.value.get("publicKey"), str) else b""

    def reader(test: Node, result: Result) -> Vector:
        if "msg" not in test:
            return skip("a test with the digest mu in the place of the message", result)
        if "rnd" in test:
            return skip("hedged signing: its random bytes cannot be given", result)
        return Vector("", scheme, Operation.SIGN, key=private, seed=seed, data=test.hex("msg"),
                      context=test.hex("ctx", b""), public=public if result is Result.VALID else b"", result=result,
                      expect_out=test.hex("sig") if result is Result.VALID else None)  # fmt: skip

    return reader


def _verify(algorithm: str, group: Node) -> Reader:
    scheme, key = algorithm.lower(), group.hex("publicKey")

    def reader(test: Node, result: Result) -> Vector:
        signature = test.hex("sig")
        return Vector("", scheme, Operation.VERIFY, key=key, data=test.hex("msg"), context=test.hex("ctx", b""),
                      tag=signature, tag_bytes=len(signature), result=result)  # fmt: skip

    return reader


GROUPS: Mapping[str, Callable[[str, Node], Reader]] = {
    "MLKEMTest": _decapsulate,
    "MLKEMDecapsValidationTest": _decapsulate,
    "MLKEMEncapsTest": _encapsulate,
    "MLKEMKeyGen": _keygen,
    "MlDsaSign": _sign,
    "MlDsaVerify": _verify,
}
