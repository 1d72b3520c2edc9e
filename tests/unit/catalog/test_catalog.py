"""The catalog that comes with motebench: files, schemes, names, verdicts."""

from __future__ import annotations

import datetime
import json
from collections import Counter

import pytest

from motebench import catalog
from motebench.base.errors import InputError
from motebench.base.model import Kind, Scheme
from motebench.base.paths import catalog_dir
from motebench.catalog.__main__ import lint
from motebench.catalog.lookup import block_limits
from motebench.catalog.schema import SecurityVerdict

TODAY = datetime.date(2026, 11, 20)

ASKED_FOR = [
    "aes", "des", "3des", "blowfish", "twofish", "rc2", "rc4", "idea", "cast-128", "rc5", "rc6",
    "serpent",
    "camellia", "seed", "present", "piccolo", "clefia", "speck", "simon", "led", "twine", "lea",
    "hight",
    "xtea", "salsa20", "chacha20", "xchacha20-poly1305", "chacha20-poly1305", "md5", "sha1",
    "sha2", "sha3",
    "blake2s", "hmac", "rsa", "ecdsa", "ed25519", "x25519", "ml-kem", "ml-dsa", "ascon-aead128",
    "ascon-hash256",
]  # fmt: skip


def test_every_file_passes_the_linter() -> None:
    assert lint(catalog_dir()) == []


@pytest.mark.parametrize("algorithm", ASKED_FOR)
def test_every_algorithm_of_the_papers_is_there(algorithm: str) -> None:
    entry = catalog.algorithms()[algorithm]
    assert entry.specifications
    assert any(scheme.algorithm == algorithm for scheme in catalog.schemes().values())


def test_no_file_lies_unread() -> None:
    files = {path.stem for path in (catalog_dir() / "algorithms").iterdir()}
    assert files == set(catalog.algorithms())


@pytest.mark.parametrize(
    ("name", "kind", "mode", "bits", "key", "nonce", "block", "tag"),
    [
        ("aes-128-cbc", Kind.CIPHER, "cbc", 128, 16, 16, 16, 0),
        ("aes-192-ecb", Kind.CIPHER, "ecb", 192, 24, 0, 16, 0),
        ("aes-256-gcm", Kind.AEAD, "gcm", 256, 32, 12, 0, 16),
        ("aes-128-ccm", Kind.AEAD, "ccm", 128, 16, 12, 0, 16),
        ("aes-128-ocb", Kind.AEAD, "ocb", 128, 16, 12, 0, 16),
        ("aes-128-eax", Kind.AEAD, "eax", 128, 16, 16, 0, 16),
        ("aes-128-xts", Kind.CIPHER, "xts", 128, 32, 16, 0, 0),
        ("aes-256-xts", Kind.CIPHER, "xts", 256, 64, 16, 0, 0),
        ("des-cbc", Kind.CIPHER, "cbc", 56, 8, 8, 8, 0),
        ("3des-cbc", Kind.CIPHER, "cbc", 168, 24, 8, 8, 0),
        ("3des-eax", Kind.AEAD, "eax", 168, 24, 8, 0, 8),
        ("blowfish-448-cfb", Kind.CIPHER, "cfb", 448, 56, 8, 0, 0),
        ("rc2-40-cbc", Kind.CIPHER, "cbc", 40, 5, 8, 8, 0),
        ("speck-64-128-ctr", Kind.CIPHER, "ctr", 128, 16, 8, 0, 0),
        ("speck-128-128-ctr", Kind.CIPHER, "ctr", 128, 16, 16, 0, 0),
        ("rc4-128", Kind.STREAM, None, 128, 16, 0, 0, 0),
        ("salsa20", Kind.STREAM, None, 256, 32, 8, 0, 0),
        ("chacha20", Kind.STREAM, None, 256, 32, 12, 0, 0),
        ("chacha20-poly1305", Kind.AEAD, None, 256, 32, 12, 0, 16),
        ("xchacha20-poly1305", Kind.AEAD, None, 256, 32, 24, 0, 16),
        ("ascon-aead128", Kind.AEAD, None, 128, 16, 16, 0, 16),
        ("md5", Kind.HASH, None, 128, 0, 0, 0, 16),
        ("sha512-256", Kind.HASH, None, 256, 0, 0, 0, 32),
        ("shake128", Kind.HASH, None, 128, 0, 0, 0, 32),
        ("hmac-sha384", Kind.MAC, None, 384, 48, 0, 0, 48),
        ("rsa-2048-pss-sha256", Kind.SIGNATURE, "pss", 2048, 0, 0, 0, 0),
        ("ecdsa-p256-sha256", Kind.SIGNATURE, None, 256, 32, 0, 0, 0),
        ("ed25519", Kind.SIGNATURE, None, 256, 32, 0, 0, 0),
        ("x25519", Kind.AGREEMENT, None, 256, 32, 0, 0, 0),
        ("ecdh-p256", Kind.AGREEMENT, None, 256, 32, 0, 0, 0),
        ("ml-kem-768", Kind.KEM, None, 768, 0, 0, 0, 0),
        ("ml-dsa-44", Kind.SIGNATURE, None, 44, 0, 0, 0, 0),
    ],
)
def test_derived_sizes(
    name: str, kind: Kind, mode: str | None, bits: int, key: int, nonce: int, block: int, tag: int
) -> None:
    found = catalog.schemes()[name]
    assert (found.kind, found.mode, found.bits) == (kind, mode, bits)
    assert (found.key_bytes, found.nonce_bytes, found.block_bytes, found.tag_bytes) == (
        key,
        nonce,
        block,
        tag,
    )


@pytest.mark.parametrize(
    "name",
    [
        "aes-192-ofb",
        "aes-256-cfb8",
        "camellia-192-ctr",
        "camellia-128-xts",
        "serpent-256-gcm",
        "twofish-128-cbc",
        "twofish-192-eax",
        "seed-cbc",
        "seed-xts",
        "idea-cbc",
        "cast-128-cbc",
        "rc5-128-cbc",
        "rc6-192-cbc",
        "rc2-64-ecb",
        "present-80-ecb",
        "present-128-cbc",
        "piccolo-80-cbc",
        "piccolo-128-ecb",
        "clefia-256-ctr",
        "simon-64-128-cbc",
        "simon-128-128-ecb",
        "led-64-ecb",
        "led-128-ecb",
        "twine-80-ecb",
        "twine-128-cbc",
        "lea-192-ctr",
        "hight-ecb",
        "xtea-cbc",
        "rc4-40",
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha3-224",
        "sha3-384",
        "sha3-512",
        "shake256",
        "blake2s-256",
        "blake2b-512",
        "ripemd160",
        "ascon-hash256",
        "ascon-xof128",
        "hmac-md5",
        "hmac-sha1",
        "hmac-sha224",
        "hmac-sha3-256",
        "rsa-1024-pkcs1-sha1",
        "rsa-4096-pss-sha512",
        "ml-kem-512",
        "ml-kem-1024",
        "ml-dsa-65",
        "ml-dsa-87",
    ],
)
def test_names_that_other_parts_rely_on(name: str) -> None:
    assert catalog.schemes()[name].name == name


def test_modes_that_are_not_defined_are_not_derived() -> None:
    for name in (
        "aes-192-xts",
        "des-gcm",
        "3des-ccm",
        "present-80-xts",
        "blowfish-128-ocb",
        "rsa-1024-pss-sha512",
    ):
        assert name not in catalog.schemes()


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("des-ede3-cbc", "3des-cbc"),
        ("DES-EDE3-CBC", "3des-cbc"),
        ("tdes-ecb", "3des-ecb"),
        ("bf-cbc", "blowfish-128-cbc"),
        ("cast5-cbc", "cast-128-cbc"),
        ("rc4", "rc4-128"),
        ("rc2-cbc", "rc2-128-cbc"),
        ("SHA-256", "sha256"),
        ("sha-1", "sha1"),
        ("sha512/256", "sha512-256"),
        ("hmac-sha-256", "hmac-sha256"),
        ("blake2b512", "blake2b-512"),
        (" AES-128-CBC ", "aes-128-cbc"),
        ("id-aes128-gcm", "aes-128-gcm"),
    ],
)
def test_aliases_in_any_case(alias: str, name: str) -> None:
    assert catalog.resolve(alias).name == name


def test_names_and_aliases_are_unique() -> None:
    names = Counter(
        name.casefold()
        for scheme in catalog.schemes().values()
        for name in (scheme.name, *scheme.aliases)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_unknown_schemes_get_the_nearest_names() -> None:
    with pytest.raises(InputError) as caught:
        catalog.resolve("aes-128-cbd")
    assert "aes-128-cbc" in str(caught.value.hint)
    assert "motebench list schemes" in str(caught.value.hint)
    with pytest.raises(InputError) as caught:
        catalog.resolve("nothing at all")
    assert "did you mean" not in str(caught.value.hint)


def test_patterns() -> None:
    assert [scheme.name for scheme in catalog.match("aes-*-cbc")] == [
        "aes-128-cbc",
        "aes-192-cbc",
        "aes-256-cbc",
    ]
    assert [scheme.name for scheme in catalog.match("AES-?28-gcm")] == ["aes-128-gcm"]
    assert [scheme.name for scheme in catalog.match("bf-*b")] == [
        "blowfish-128-ecb",
        "blowfish-128-cfb",
        "blowfish-128-ofb",
    ]
    assert [scheme.name for scheme in catalog.match("sha-256")] == ["sha256"]
    assert len(catalog.match("*")) == len(catalog.schemes())
    with pytest.raises(InputError, match="no scheme matches"):
        catalog.match("aes-*-cbx")
    with pytest.raises(InputError, match="stands for several schemes"):
        catalog.match("aes")


@pytest.mark.parametrize(
    ("name", "day", "label"),
    [
        ("des-cbc", TODAY, "withdrawn 2005-05-19"),
        ("des-cbc", datetime.date(2005, 5, 18), "approved 1977-01-15"),
        ("des-cbc", datetime.date(1976, 1, 1), "none"),
        ("3des-cbc", TODAY, "disallowed for encryption 2024-01-01"),
        ("3des-cbc", datetime.date(2023, 12, 31), "deprecated in Kerberos 2018-10"),
        ("rc4-128", TODAY, "prohibited in TLS 2015-02"),
        ("rc4-40", TODAY, "prohibited in TLS 1.1 2006-04"),
        ("rc2-40-cbc", TODAY, "prohibited in TLS 1.1 2006-04"),
        ("rc2-128-cbc", TODAY, "none 1998-03"),
        ("aes-128-gcm", TODAY, "approved 2001-11-26"),
        ("speck-64-128-cbc", TODAY, "rejected 2018-04"),
        ("simon-128-128-cbc", TODAY, "rejected 2018-04"),
        ("present-80-ecb", TODAY, "approved 2012-01-15"),
        ("lea-128-ecb", TODAY, "approved 2019-11"),
        ("hight-ecb", TODAY, "approved 2010-12-15"),
        ("md5", TODAY, "broken for collision resistance 2004-08-17"),
        ("sha1", TODAY, "broken for collision resistance 2017-02-23"),
        ("hmac-sha1", TODAY, "approved 2008-07"),
        ("hmac-sha1", datetime.date(2031, 1, 1), "disallowed 2031-01-01"),
        ("hmac-md5", TODAY, "deprecated 2011-03"),
        ("hmac-sha256", datetime.date(2031, 1, 1), "approved 2008-07"),
        ("rsa-1024-pss-sha256", TODAY, "disallowed for signing 2014-01-01"),
        ("rsa-2048-pkcs1-sha1", TODAY, "disallowed for signing 2014-01-01"),
        ("rsa-2048-pkcs1-sha256", TODAY, "approved 2023-02-03"),
        ("ml-kem-512", TODAY, "approved 2024-08-13"),
        ("ml-kem-512", datetime.date(2024, 8, 12), "none"),
        ("ml-dsa-65", TODAY, "approved 2024-08-13"),
        ("ascon-aead128", TODAY, "approved 2025-08-13"),
        ("xtea-cbc", TODAY, "none"),
    ],
)
def test_the_verdict_that_counts_on_a_day(name: str, day: datetime.date, label: str) -> None:
    assert catalog.label(catalog.resolve(name), day) == label


def test_verdicts_on_some_schemes_do_not_count_for_the_algorithm_as_a_whole() -> None:
    rsa = catalog.algorithms()["rsa"]
    found = rsa.status_on(TODAY)
    assert found is not None
    assert found.verdict is SecurityVerdict.APPROVED
    assert {entry.verdict for entry in rsa.statuses_on(TODAY)} == {SecurityVerdict.APPROVED}


def test_a_later_word_of_the_same_body_replaces_its_earlier_one() -> None:
    des = catalog.algorithms()["des"]
    assert [entry.verdict for entry in des.statuses_on(TODAY) if entry.body == "NIST"] == [
        SecurityVerdict.WITHDRAWN
    ]


@pytest.mark.parametrize(
    ("name", "bits", "category", "rounds"),
    [
        ("aes-192-cbc", 192, None, 12),
        ("des-cbc", 56, None, 16),
        ("3des-cbc", 112, None, 48),
        ("rsa-2048-pss-sha256", 112, None, None),
        ("rsa-3072-pss-sha256", 128, None, None),
        ("rsa-4096-pss-sha256", None, None, None),
        ("ml-kem-768", None, 3, None),
        ("ml-dsa-44", None, 2, None),
        ("speck-64-128-cbc", 128, None, 27),
        ("speck-128-128-cbc", 128, None, 32),
        ("camellia-256-cbc", 256, None, 24),
        ("sha256", 128, None, 64),
        ("sha512-256", 128, None, 80),
        ("led-64-ecb", 64, None, 32),
        ("salsa20", 256, None, 20),
        ("salsa20-12", 256, None, 12),
    ],
)
def test_strength_and_rounds(
    name: str, bits: int | None, category: int | None, rounds: int | None
) -> None:
    scheme = catalog.resolve(name)
    algorithm = catalog.algorithm_of(scheme)
    assert algorithm.strength_bits(scheme) == bits
    assert algorithm.category(scheme) == category
    assert algorithm.rounds_of(scheme) == rounds


@pytest.mark.parametrize(
    ("name", "public", "private", "signature"),
    [
        ("ml-dsa-44", 1312, 2560, 2420),
        ("ml-dsa-65-prehash-sha512", 1952, 4032, 3309),
        ("ml-dsa-87", 2592, 4896, 4627),
        ("slh-dsa-sha2-128s", 32, 64, 7856),
        ("slh-dsa-shake-192f", 48, 96, 35664),
        ("slh-dsa-shake-256s-prehash-shake256", 64, 128, 29792),
        ("fn-dsa-512", 897, 1281, 666),
        # RFC 8554: table 1 has LM-OTS signatures of 8516, 4292, 2180 and 1124 bytes; section 6.4
        # has 1616, 1776, 1936.
        ("lms-sha256-m32-h5-w1", 56, None, 8 + 8516 + 5 * 32),
        ("lms-shake-m32-h10-w4", 56, None, 8 + 2180 + 10 * 32),
        ("lms-sha256-m24-h20-w8", 48, None, 8 + (4 + 24 + 26 * 24) + 20 * 24),
        ("hss-sha256-m32-h15-w8", 60, None, 1616),
        ("hss-sha256-m32-h20-w8", 60, None, 1776),
        ("hss-sha256-m32-h25-w8", 60, None, 1936),
        ("hss-sha256-m32-h15-h10-w8", 60, None, 1616 + 56 + (8 + 1124 + 320)),
        # As liboqs lists them.
        ("xmss-sha2-10-256", 68, None, 2500),
        ("xmss-shake256-16-256", 68, None, 2692),
        ("xmss-sha2-20-256", 68, None, 2820),
        ("xmssmt-sha2-20-2-256", 68, None, 4963),
        ("xmssmt-sha2-60-12-256", 68, None, 27688),
        ("ed25519", 32, 32, 64),
        ("rsa-3072-pss-sha256", 398, None, 384),
    ],
)
def test_sizes_of_signatures(name: str, public: int, private: int | None, signature: int) -> None:
    signing = catalog.resolve(name).signing
    assert signing is not None
    assert (signing.public, signing.private, signing.signature) == (public, private, signature)
    assert signing.stateful == name.startswith(("lms", "hss", "xmss"))


def test_every_public_key_scheme_says_its_sizes_and_only_these() -> None:
    kinds = Counter(scheme.kind for scheme in catalog.schemes().values())
    assert min(kinds[Kind.SIGNATURE], kinds[Kind.AGREEMENT]) >= 2
    for scheme in catalog.schemes().values():
        assert (scheme.signing is not None) == (scheme.kind is Kind.SIGNATURE), scheme.name
        assert (scheme.agreement is not None) == (scheme.kind is Kind.AGREEMENT), scheme.name


@pytest.mark.parametrize(
    "name",
    [
        "rsa-1024",
        "rsa-2048",
        "rsa-3072",
        "rsa-4096",
        "ecdsa-p256",
        "ed25519",
        "x25519",
        "ecdh-p256",
    ],
)
def test_sizes_are_those_of_the_test_keys(name: str) -> None:
    scheme = next(scheme for scheme in catalog.schemes().values() if scheme.name.startswith(name))
    sizes = scheme.signing or scheme.agreement
    key = json.loads((catalog_dir() / "keys" / f"{name}.json").read_text(encoding="utf-8"))
    assert sizes is not None and len(key["public"]) == 2 * sizes.public
    if sizes.private is None:  # an RSA key has parts
        assert name.startswith("rsa")
    else:
        assert len(key["private"]) == 2 * sizes.private


def test_every_scheme_with_64_bit_blocks_carries_the_birthday_bound() -> None:
    short = {
        "3des",
        "blowfish",
        "cast-128",
        "des",
        "hight",
        "idea",
        "led",
        "piccolo",
        "present",
        "rc2",
        "rc5",
        "twine",
        "xtea",
    }
    assert short <= {scheme.algorithm for scheme in catalog.schemes().values()}
    for scheme in catalog.schemes().values():
        expected = scheme.algorithm in short or scheme.name.startswith(("speck-64-", "simon-64-"))
        notes = [note for note in catalog.notes(scheme) if "blocks" in note]
        assert bool(notes) == expected, scheme.name
        assert all("32 GiB" in note and "CVE-2016-2183" in note for note in notes)


def test_a_mac_whose_nonce_must_not_repeat_says_so() -> None:
    (remark,) = catalog.notes(catalog.schemes()["aes-128-gmac"])
    assert (
        remark.startswith("a nonce that comes twice under one key gives away the hash key")
        and "SP 800-38D" in remark
    )


def test_the_limit_is_the_birthday_bound() -> None:
    limits = list(block_limits())
    assert limits
    for limit in limits:
        assert limit.limit_bytes == 2 ** (limit.block_bits // 2) * limit.block_bits // 8


def test_what_is_handed_out_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        catalog.schemes()["x"] = Scheme("x", "x", Kind.HASH)  # type: ignore[index]
    with pytest.raises(TypeError):
        catalog.algorithms()["x"] = catalog.algorithms()["aes"]  # type: ignore[index]


def test_every_block_cipher_scheme_has_consistent_sizes() -> None:
    kinds = Counter(scheme.kind for scheme in catalog.schemes().values() if scheme.mode)
    assert min(kinds[Kind.CIPHER], kinds[Kind.AEAD]) >= 50
    for scheme in catalog.schemes().values():
        algorithm = catalog.algorithm_of(scheme)
        if scheme.kind in (Kind.CIPHER, Kind.AEAD) and scheme.mode:
            assert scheme.block_bytes in (0, *(bits // 8 for bits in algorithm.block_bits)), (
                scheme.name
            )
            assert (scheme.tag_bytes > 0) == (scheme.kind is Kind.AEAD), scheme.name
        assert scheme.name == scheme.name.casefold()
