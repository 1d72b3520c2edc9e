"""Folders of code as they are read: sizes, names, known answers. Nothing is compiled."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.targets.code import answers
from motebench.targets.code.folder import read, slug

SIZES = "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NPUBBYTES 12\n#define CRYPTO_ABYTES 8\n"
AEAD = "int crypto_aead_encrypt(void);\n"


def folder(path, api=SIZES, **files):
    path.mkdir(exist_ok=True)
    (path / "api.h").write_text(api)
    for name, text in {"encrypt_c": AEAD, **files}.items():
        (path / name.replace("_", ".")).write_text(text)
    return read(path)


@pytest.mark.parametrize(
    ("written", "bytes_"),
    [
        ("16", 16),
        ("0x10", 16),
        ("16U // bytes", 16),
        ("(16) /* bytes */", 16),
        ("(128 / 8)", 16),
        ("(2*4+8)", 16),
        ("KEY", 16),
        ("(KEY_BITS/8)", 16),
        ("ELSEWHERE", 16),
    ],
)
def test_sizes_are_written_in_many_ways(tmp_path, written, bytes_):
    api = (
        SIZES.replace("KEYBYTES 16", f"KEYBYTES {written}")
        + "#define KEY 16\n#define KEY_BITS 128\n"
    )
    assert (
        folder(tmp_path, api, other_h="#define ELSEWHERE 16\n").sizes["CRYPTO_KEYBYTES"] == bytes_
    )


@pytest.mark.parametrize("written", ["", "sizeof(x)", "KEY", "1 << 4", "'a'", "16 / 0", "2 ** 4"])
def test_sizes_that_are_no_numbers_are_missing(tmp_path, written):
    with pytest.raises(InputError, match="does not define CRYPTO_KEYBYTES as a number"):
        folder(tmp_path, SIZES.replace("KEYBYTES 16", f"KEYBYTES {written}"))


def test_what_there_is_follows_from_sizes_and_functions(tmp_path):
    both = folder(
        tmp_path / "both", SIZES + "#define CRYPTO_BYTES 32\n", hash_c='#include "crypto_hash.h"\n'
    )
    assert both.kinds == ("aead",), "a header alone is no function"
    both = folder(
        tmp_path / "both", SIZES + "#define CRYPTO_BYTES 32\n", hash_S=".global crypto_hash\n"
    )
    assert both.kinds == ("aead", "hash")


def test_the_digest_is_of_every_file(tmp_path):
    first = folder(tmp_path).digest
    assert folder(tmp_path).digest == first
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "table.h").write_text("1")
    second = read(tmp_path).digest
    (tmp_path / "inside" / "table.h").write_text("2")
    assert len({first, second, read(tmp_path).digest}) == 3


def test_names_hold_nothing_that_patterns_or_lists_mean():
    assert slug("it's, a=b @*?[x]: y") == "it-s-a-b-x-y"
    assert slug("...") == slug("'\"") == "folder"
    assert slug("avr_lowsize-2.0") == "avr_lowsize-2.0"


KAT = "Count = 1\nKey = {}\nNonce = {}\nPT = \nAD = \nCT = 0102030405060708\n\n".format(
    "00" * 16, "00" * 12
)


def test_known_answers_are_those_nearest_whose_name_has_the_sizes(tmp_path):
    (tmp_path / "crypto_aead" / "x").mkdir(parents=True)
    code = folder(tmp_path / "crypto_aead" / "x" / "ref")
    assert answers.beside(code, "aead") is None
    for name in ("LWC_AEAD_KAT_128_128.txt", "LWC_AEAD_KAT_128_96.txt", "LWC_HASH_KAT_256.txt"):
        (tmp_path / "crypto_aead" / "x" / name).write_text(KAT)
    assert answers.beside(code, "aead").name == "LWC_AEAD_KAT_128_96.txt"
    (tmp_path / "crypto_aead" / "x" / "ref" / "LWC_AEAD_KAT.txt").write_text(KAT)
    assert answers.beside(code, "aead").name == "LWC_AEAD_KAT.txt"


def test_a_record_becomes_text_and_tag(tmp_path):
    code = folder(tmp_path)
    file = tmp_path / "kat.txt"
    file.write_text(
        KAT.replace("PT = ", "PT = AB").replace("CT = ", "CT = cd").replace("\n", "\r\n")
        + "# end\n"
    )
    (vector,) = answers.load(file, code, "aead", "code-x-aead")
    assert (vector.id, vector.operation, vector.source) == (
        "Count = 1",
        Operation.ENCRYPT_MESSAGE,
        "kat.txt",
    )
    assert (vector.data, vector.expect_out) == (b"\xab", b"\xcd")
    assert (vector.expect_tag, vector.tag_bytes) == (bytes(range(1, 9)), 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "contains no known answer"),
        ("\0\1\2", "is not a line of a known-answer file"),
        ("Key = 00\n", "'Key = 00' is not a line of a known-answer file"),
        ("Count = 1\nKey = 0\n", "'Key = 0' is not a line of a known-answer file"),
        ("Count = 1\nKey = 00\n", "no Ad"),
        (KAT.replace("Key = 00", "Key = "), "Key has 15 bytes"),
        (KAT.replace("CT = 01", "CT = "), "CT has 7 bytes"),
    ],
)
def test_files_that_are_no_known_answers_say_where(tmp_path, text, words):
    code = folder(tmp_path)
    file = tmp_path / "kat.txt"
    file.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        answers.load(file, code, "aead", "code-x-aead")
    assert "kat.txt" in str(caught.value)


def test_a_sample_has_lengths_around_the_edges_of_blocks(tmp_path):
    code = folder(tmp_path)
    file = tmp_path / "kat.txt"
    file.write_text(
        "".join(
            KAT.replace("Count = 1", f"Count = {33 * m + a + 1}")
            .replace("PT = ", f"PT = {'00' * m}")
            .replace("AD = ", f"AD = {'00' * a}")
            .replace("CT = ", f"CT = {'00' * m}")
            for m in range(33)
            for a in range(33)
        )
    )
    every = answers.load(file, code, "aead", "code-x-aead")
    chosen = {(len(vector.data), len(vector.aad)) for vector in answers.sample(every)}
    assert len(every) == 1089
    assert {
        (0, 0),
        (0, 32),
        (32, 0),
        (16, 16),
        (15, 17),
        (17, 15),
        (8, 24),
        (1, 0),
        (0, 1),
    } <= chosen
    assert len(chosen) < 40
    assert answers.sample(every[40:45]) == every[40:45], (
        "where no length is among them, the first are"
    )
