"""Signatures of the catalog, with which implementations that only verify are measured."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Case, Operation
from motebench.base.paths import catalog_dir
from motebench.catalog import schemes
from motebench.catalog.vectors import keys as reading
from motebench.catalog.vectors.keys import public_key
from motebench.measuring.work import jobs
from motebench.targets.wire.messages import Offer, ProbeFailure, fill


def case_of(scheme: str, size: int) -> Case:
    return Case(scheme, "mote/x", Operation.VERIFY, size, "host", provider="mote/x")


def job(scheme: str, size: int, *operations: str) -> jobs.Job:
    offer = Offer(
        scheme, frozenset({"verify", *operations}), (1312, 2592), (0, 255), (2420, 4627), 1, False
    )
    session = SimpleNamespace(signature=lambda job, timeout: b"signed here")
    return jobs.build(case_of(scheme, size), schemes()[scheme], offer, session)  # type: ignore[arg-type]


def test_an_implementation_that_only_verifies_gets_the_signature_of_the_catalog():
    built = job("ml-dsa-44", 32)
    assert built.key == public_key("ml-dsa-44") and len(built.signature) == 2420
    assert job("ml-dsa-44", 32, "sign").signature == b"signed here"


def test_a_size_without_a_signature_is_unsupported_and_names_the_sizes():
    with pytest.raises(
        ProbeFailure, match=r"no signature of a message of 33 B \(it has 16, 32, 64, 256 B\)"
    ):
        job("ml-dsa-44", 33)
    with pytest.raises(ProbeFailure, match="the catalog has no signature of ed25519"):
        job("ed25519", 32)


@pytest.mark.parametrize(
    "path", sorted((catalog_dir() / "signatures").glob("*.json")), ids=lambda path: path.stem
)
def test_signatures_are_of_schemes_and_have_their_lengths(path: Path):
    found = reading.signatures(path.stem)
    assert found and found.of_bytes and path.stem in schemes()
    if path.stem.startswith("ml-dsa"):
        assert found.public == public_key(path.stem)
        bytes_of = {"44": 2420, "65": 3309, "87": 4627}
        assert {len(one) for one in found.of_bytes.values()} == {bytes_of[path.stem.split("-")[2]]}


@pytest.mark.parametrize("level", [44, 65, 87])
def test_pure_signatures_are_right(level):
    """By another library than the one that made them."""
    mldsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    found = reading.signatures(f"ml-dsa-{level}")
    key = getattr(mldsa, f"MLDSA{level}PublicKey").from_public_bytes(found.public)
    assert len(found.of_bytes) >= 3
    for size, signature in found.of_bytes.items():
        key.verify(signature, fill(jobs.input_seed(f"ml-dsa-{level}"), size))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "this is an array"),
        ({"source": "x", "public": "00", "signatures": {"32 B": "00"}}, "not signatures by bytes"),
        ({"source": "x", "public": "00", "signatures": {"32": "0"}}, "signatures"),
        ({"public": "00", "signatures": {}}, "source"),
        ({"source": "x", "public": "00", "signatures": {}, "more": 1}, "more"),
    ],
)
def test_a_wrong_file_names_file_and_place(tmp_path, monkeypatch, content, words):
    (tmp_path / "signatures").mkdir()
    (tmp_path / "signatures" / "toy.json").write_text(json.dumps(content))
    monkeypatch.setattr(reading, "catalog_dir", lambda: tmp_path)
    with pytest.raises(InputError, match=words):
        reading.signatures.__wrapped__("toy")
