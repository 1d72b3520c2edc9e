"""The vector files of the catalog."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema
import pytest

from motebench.base.errors import InputError
from motebench.base.model import Kind, Operation
from motebench.catalog import schemes
from motebench.catalog.vectors import Validity, load, schemes_with_vectors, vectors_for
from motebench.catalog.vectors.files import read_own, vectors_dir

PATHS = sorted(vectors_dir().glob("*/*.json"))
MAX_BYTES = 6_000_000


def test_every_file_keeps_to_the_schema():
    schema = json.loads((vectors_dir() / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert len(PATHS) >= 500
    for path in PATHS:
        validator.validate(json.loads(path.read_text()))


def test_every_file_is_of_a_scheme_of_the_catalog():
    assert set(schemes_with_vectors()) <= set(schemes())


def in_files() -> list[str]:
    """Schemes with a file, and one of each kind whose answers are made."""
    made = [
        "lms-shake-m24-h25-w4",
        "hss-sha256-m32-h10-h5-w8",
        "xmss-sha2-20-192",
        "slh-dsa-shake-192f-prehash-shake256",
    ]
    return [*sorted({path.name.split(".", 1)[0] for path in PATHS}), *made]


def test_every_vector_has_a_source_and_a_place_in_its_scheme():
    assert len(in_files()) >= 500
    for name in in_files():
        scheme = schemes()[name]
        assert vectors_for(name), name
        for vector in vectors_for(name):
            assert vector.source, (name, vector.id)
            assert not vector.not_applicable
            assert vector.operation in (*scheme.operations, Operation.VERIFY), (name, vector.id)


def test_the_loader_reads_catalog_files_too():
    some = PATHS[::40]
    assert len(some) > 10
    for path in some:
        assert read_own(path), path
        assert [vector.id for vector in load(path)] == [vector.id for vector in read_own(path)]


def test_the_folder_stays_small():
    assert sum(path.stat().st_size for path in PATHS) < MAX_BYTES


def families() -> list[str]:
    modes = ("ecb", "cbc", "cfb", "cfb8", "ofb", "ctr")
    wide, sizes = ("gcm", "ccm", "ocb", "eax"), (128, 192, 256)
    names = [f"aes-{bits}-{mode}" for bits in sizes for mode in modes + wide]
    names += [f"camellia-{bits}-{mode}" for bits in sizes for mode in modes + wide]
    names += [
        f"{cipher}-{mode}"
        for cipher in ("des", "3des", "idea", "cast-128", "seed")
        for mode in modes
    ]
    names += [f"blowfish-{bits}-{mode}" for bits in (128, 256, 448) for mode in modes]
    names += [f"rc2-{bits}-{mode}" for bits in (40, 64, 128) for mode in modes]
    names += [f"twofish-{bits}-{mode}" for bits in (128, 256) for mode in modes]
    names += [f"serpent-{bits}-{mode}" for bits in sizes for mode in modes]
    names += [
        "aes-128-xts",
        "aes-256-xts",
        "rc4-40",
        "rc4-128",
        "salsa20",
        "chacha20",
        "chacha20-poly1305",
    ]
    names += [
        "md5",
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha512-256",
        "sha3-224",
        "sha3-256",
        "sha3-384",
    ]
    names += ["sha3-512", "shake128", "shake256", "blake2s-256", "blake2b-512", "ripemd160"]
    names += [
        f"hmac-{digest}" for digest in ("md5", "sha1", "sha256", "sha384", "sha512", "sha3-256")
    ]
    names += ["ecdsa-p256-sha256", "ed25519", "x25519", "ecdh-p256"]
    names += [
        f"rsa-{bits}-{padding}-{digest}"
        for bits in (1024, 2048, 3072, 4096)
        for padding in ("pkcs1", "pss")
        for digest in ("sha1", "sha256", "sha384")
    ]
    return names


@pytest.mark.parametrize("name", families())
def test_coverage(name):
    valid = [vector for vector in vectors_for(name) if vector.result is Validity.VALID]
    assert len(valid) >= 3
    if schemes()[name].kind is Kind.SIGNATURE:
        assert any(vector.result is Validity.INVALID for vector in vectors_for(name))
        assert {vector.operation for vector in valid} == {Operation.SIGN, Operation.VERIFY}


def test_points_off_the_curve_and_misshapen_ones_are_among_the_answers_of_ecdh():
    p = 2**256 - 2**224 + 2**192 + 2**96 - 1  # SP 800-186 3.2.1.3
    b = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B

    def on_curve(point):
        x, y = (int.from_bytes(part, "big") for part in (point[1:33], point[33:]))
        return (
            len(point) == 65
            and point[0] == 4
            and max(x, y) < p
            and (y * y - x**3 + 3 * x - b) % p == 0
        )

    found = vectors_for("ecdh-p256")
    assert [on_curve(vector.data) for vector in found] == [
        vector.result is Validity.VALID for vector in found
    ]
    assert {len(vector.data) for vector in found if vector.result is Validity.INVALID} == {
        64,
        65,
        66,
    }
    assert all(
        len(vector.expect_out or b"") == 32 for vector in found if vector.result is Validity.VALID
    )


def test_ids_are_unique_across_the_files_of_a_scheme():
    assert len(in_files()) >= 500
    for name in in_files():
        doubled = [
            key
            for key, count in Counter(vector.id for vector in vectors_for(name)).items()
            if count > 1
        ]
        assert not doubled, name


def test_a_scheme_without_vectors_has_none():
    assert vectors_for("no-such-scheme") == ()


def test_only_the_files_of_the_scheme_are_opened(monkeypatch):
    from motebench.catalog.vectors import files

    opened = []
    original = files.read_bytes
    monkeypatch.setattr(
        files, "read_bytes", lambda path: opened.append(path.name) or original(path)
    )
    files._vectors.cache_clear()
    assert vectors_for("des-ecb")
    assert opened == ["des-ecb.json"]


def test_more_files_of_a_scheme_are_found_by_name(tmp_path):
    from motebench.catalog.vectors import files

    vector = {"id": "a", "op": "digest", "data": "", "out": "00"}
    for name, ident in (("sha256.json", "a"), ("sha256.more.json", "b")):
        (tmp_path / "sha2").mkdir(exist_ok=True)
        document = {
            "format": "motebench-vectors-1",
            "scheme": "sha256",
            "vectors": [{**vector, "id": ident}],
        }
        (tmp_path / "sha2" / name).write_text(json.dumps(document))
    assert [each.id for each in files._vectors(tmp_path, "sha256")] == ["a", "b"]
    (tmp_path / "sha2" / "sha512.json").write_text((tmp_path / "sha2" / "sha256.json").read_text())
    files._index.cache_clear()
    with pytest.raises(InputError, match="vector 'a' is of 'sha256'"):
        files._vectors(tmp_path, "sha512")
