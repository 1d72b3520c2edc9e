"""Known answers of ML-KEM and ML-DSA in published forms: ACVP files, and KAT files with ``name =
value`` lines.

ACVP (NIST): ``internalProjection.json`` of key generation, encapsulation and decapsulation, signing
and verifying, which has questions and answers in one file (github.com/usnistgov/ACVP-Server).
SLH-DSA and LMS are read here as well. KAT: the files of post-quantum-cryptography/KAT;
``cryptography_vectors`` has ``kat_MLKEM_512.rsp`` and the like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.encodings import Node
from motebench.catalog.vectors.hash_based import lms_verify, passed
from motebench.catalog.vectors.model import Vector, hash_name

_KAT = re.compile(r"^(?:ct_n|xi) = ", re.MULTILINE)
_LINE = re.compile(r"^(\w+) = ?(.*)$")
_BY_PUBLIC = {
    800: "ml-kem-512",
    1184: "ml-kem-768",
    1568: "ml-kem-1024",
    1312: "ml-dsa-44",
    1952: "ml-dsa-65",
    2592: "ml-dsa-87",
}
"""The scheme by the bytes of its public key (FIPS 203, table 3; FIPS 204, table 2); KAT files do
not name it.
"""
_MAX_RECORDS = 100_000


def is_acvp(root: Node) -> bool:
    """True if a JSON file with ``testGroups`` is one of ACVP."""
    return "vsId" in root and "mode" in root


def parse_acvp(root: Node) -> list[Vector]:
    """The vectors of an ACVP file. InputError (group, test, key) if the file breaks the layout."""
    algorithm, mode = root.text("algorithm"), root.text("mode")
    reader = _READERS.get((algorithm, mode))
    source = f"NIST ACVP {algorithm} {mode}"
    vectors = []
    for group in root.nodes("testGroups"):
        for test in group.nodes("tests"):
            number = test.number("tcId")
            named = test.labelled(f"tcId {number}")
            if reader is None:
                vector = _skip(f"motebench measures no scheme for ACVP tests of {algorithm} {mode}")
            else:
                vector = reader(group, named)
            vectors.append(
                replace(
                    vector, id=f"tcId {number}", source=source, comment=named.text("reason", "")
                )
            )
    return vectors


def _skip(reason: str) -> Vector:
    return Vector("", "", Operation.VERIFY, not_applicable=reason)


def _set(group: Node) -> str:
    return group.text("parameterSet").lower()


def _either(name: str, test: Node, group: Node) -> bytes:
    """Value of the test, or the shared one of its group."""
    value: bytes = test.hex(name) if name in test else group.hex(name)
    return value


def _kem_keygen(group: Node, test: Node) -> Vector:
    seed = test.hex("d") + test.hex("z")
    return Vector(
        "",
        _set(group),
        Operation.KEYGEN,
        seed=seed,
        expect_out=test.hex("dk"),
        public=test.hex("ek"),
    )


def _kem(group: Node, test: Node) -> Vector:
    scheme, function = _set(group), group.text("function")
    if function == "encapsulation":
        return Vector(
            "",
            scheme,
            Operation.ENCAPSULATE,
            key=test.hex("ek"),
            seed=test.hex("m"),
            ciphertext=test.hex("c"),
            secret=test.hex("k"),
        )
    if function == "decapsulation":
        public: bytes = test.hex("ek", b"") or group.hex("ek", b"")
        return Vector(
            "",
            scheme,
            Operation.DECAPSULATE,
            key=_either("dk", test, group),
            public=public,
            ciphertext=test.hex("c"),
            secret=test.hex("k"),
        )
    if function == "encapsulationKeyCheck":
        return Vector("", scheme, Operation.ENCAPSULATE, key=test.hex("ek"), result=passed(test))
    return _skip(f"tests of {function!r}: no implementation offers it alone")


def _dsa_keygen(group: Node, test: Node) -> Vector:
    seed = test.hex("seed")
    return Vector(
        "",
        _set(group),
        Operation.KEYGEN,
        seed=seed,
        expect_out=test.hex("sk"),
        public=test.hex("pk"),
    )


def _dsa_scheme(group: Node, test: Node) -> tuple[str, str]:
    """The scheme, or an empty text and the reason why the test is about none."""
    if group.text("signatureInterface") != "external":
        return (
            "",
            "the internal interface of the standard: no implementation offers it to its users",
        )
    if group.text("preHash") == "pure":
        return _set(group), ""
    name = test.text("hashAlg")
    digest = hash_name(name.replace("SHA2-", "SHA-"))
    if not digest:
        return "", f"unknown hash function {name!r}"
    return f"{_set(group)}-prehash-{digest}", ""


def _dsa_sign(group: Node, test: Node) -> Vector:
    scheme, reason = _dsa_scheme(group, test)
    if not reason and group.value.get("deterministic") is not True:
        reason = "hedged signing: its random bytes cannot be given"
    if reason:
        return _skip(reason)
    return Vector(
        "",
        scheme,
        Operation.SIGN,
        key=_either("sk", test, group),
        data=test.hex("message"),
        context=test.hex("context", b""),
        expect_out=test.hex("signature"),
        public=test.hex("pk", b"") or group.hex("pk", b""),
    )


def _dsa_verify(group: Node, test: Node) -> Vector:
    scheme, reason = _dsa_scheme(group, test)
    if reason:
        return _skip(reason)
    signature = test.hex("signature")
    return Vector(
        "",
        scheme,
        Operation.VERIFY,
        key=_either("pk", test, group),
        data=test.hex("message"),
        context=test.hex("context", b""),
        tag=signature,
        tag_bytes=len(signature),
        result=passed(test),
    )


def _slh_keygen(group: Node, test: Node) -> Vector:
    seed = test.hex("skSeed") + test.hex("skPrf") + test.hex("pkSeed")
    return Vector(
        "",
        _set(group),
        Operation.KEYGEN,
        seed=seed,
        expect_out=test.hex("sk"),
        public=test.hex("pk"),
    )


_READERS: Mapping[tuple[str, str], Callable[[Node, Node], Vector]] = {
    ("ML-KEM", "keyGen"): _kem_keygen,
    ("ML-KEM", "encapDecap"): _kem,
    ("ML-DSA", "keyGen"): _dsa_keygen,
    ("ML-DSA", "sigGen"): _dsa_sign,
    ("ML-DSA", "sigVer"): _dsa_verify,
    ("SLH-DSA", "keyGen"): _slh_keygen,
    ("SLH-DSA", "sigGen"): _dsa_sign,
    ("SLH-DSA", "sigVer"): _dsa_verify,
    ("LMS", "sigVer"): lms_verify,
}


def is_kat(content: str) -> bool:
    """True if a text has KAT records of ML-KEM or ML-DSA."""
    return _KAT.search(content) is not None


def parse_kat(content: str, file: str) -> list[Vector]:
    """The vectors of a KAT file: up to four of each record. InputError with the line for anything
    invalid.
    """
    vectors: list[Vector] = []
    for line, record in _records(content, file):
        where = f"{file}: line {line}"
        values = {
            name: _unhex(name, record[name], where)
            for name in record
            if name not in ("count", "mlen", "smlen")
        }
        missing = [name for name in ("pk", "sk", "msg") if name not in values]
        if missing:
            raise InputError(f"the record has no {missing[0]}", where=where, valid="pk, sk and msg")
        scheme = _BY_PUBLIC.get(len(values["pk"]))
        if scheme is None:
            raise InputError(
                f"a public key of {len(values['pk'])} B",
                where=where,
                valid=", ".join(map(str, _BY_PUBLIC)),
            )
        vectors_of = _kem_record if scheme.startswith("ml-kem") else _dsa_record
        vectors += (
            replace(
                vector, id=f"count {record['count']} {vector.id}", source=file.rsplit("/", 1)[-1]
            )
            for vector in vectors_of(scheme, values, where)
        )
    return vectors


def _records(content: str, file: str) -> Iterator[tuple[int, dict[str, str]]]:
    record: dict[str, str] = {}
    first = 0
    seen: set[str] = set()
    for number, text in enumerate(content.splitlines(), start=1):
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise InputError(f"{line[:40]!r} is not 'name = value'", where=f"{file}: line {number}")
        name, value = match.groups()
        if name == "count":
            if record:
                yield first, record
            if value in seen or not value.isdigit() or len(seen) >= _MAX_RECORDS:
                raise InputError(
                    f"count {value!r} is used twice, or is not a number",
                    where=f"{file}: line {number}",
                )
            seen.add(value)
            record, first = {}, number
        elif not record or name in record:
            problem = (
                f"{name} stands twice in its record" if record else "a record begins with its count"
            )
            raise InputError(problem, where=f"{file}: line {number}", valid="count = 0")
        record[name] = value
    if record:
        yield first, record


def _unhex(name: str, text: str, where: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise InputError(f"{name}: {text[:20]!r} is not hexadecimal", where=where) from None


def _kem_record(scheme: str, values: Mapping[str, bytes], where: str) -> Iterator[Vector]:
    _need(values, ("d", "z", "ct", "ss"), where)
    seed, private, public = values["d"] + values["z"], values["sk"], values["pk"]
    yield Vector("keygen", scheme, Operation.KEYGEN, seed=seed, expect_out=private, public=public)
    yield Vector(
        "encapsulate",
        scheme,
        Operation.ENCAPSULATE,
        key=public,
        seed=values["msg"],
        ciphertext=values["ct"],
        secret=values["ss"],
    )
    yield Vector(
        "decapsulate",
        scheme,
        Operation.DECAPSULATE,
        key=private,
        public=public,
        seed=seed,
        ciphertext=values["ct"],
        secret=values["ss"],
    )
    if "ct_n" in values and "ss_n" in values:
        yield Vector(
            "implicit rejection",
            scheme,
            Operation.DECAPSULATE,
            key=private,
            seed=seed,
            ciphertext=values["ct_n"],
            secret=values["ss_n"],
        )


def _dsa_record(scheme: str, values: Mapping[str, bytes], where: str) -> Iterator[Vector]:
    _need(values, ("xi", "sm"), where)
    seed, private, public, message = values["xi"], values["sk"], values["pk"], values["msg"]
    signature, context = values["sm"][: len(values["sm"]) - len(message)], values.get("ctx", b"")
    yield Vector("keygen", scheme, Operation.KEYGEN, seed=seed, expect_out=private, public=public)
    # Signed with random bytes, which cannot be given
    if not any(name in values for name in ("rng", "rnd")):
        yield Vector(
            "sign",
            scheme,
            Operation.SIGN,
            key=private,
            seed=seed,
            data=message,
            context=context,
            expect_out=signature,
            public=public,
        )
    yield Vector(
        "verify",
        scheme,
        Operation.VERIFY,
        key=public,
        data=message,
        context=context,
        tag=signature,
        tag_bytes=len(signature),
    )


def _need(values: Mapping[str, bytes], names: tuple[str, ...], where: str) -> None:
    missing = [name for name in names if name not in values]
    if missing:
        raise InputError(f"the record has no {missing[0]}", where=where, valid=", ".join(names))
