"""The papers of the catalog, and the listing by paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.catalog import paper, papers, schemes
from motebench.catalog.published import read_paper

KEYS = [
    "jose-2023",
    "lino-2022",
    "nist-lwc-2023",
    "pqm4-2025",
    "pycrypto-boards-2020",
    "suryateja-2025",
    "temirbekova-2024",
]
PAPER = """key = "some-2020"
title = "t"
year = 2020
source = "s"
platform = "p"
library = "l"

[[evaluated]]
algorithm = "AES"
mode = "CBC"
key_bits = [128]
schemes = ["aes-128-cbc"]
used = ["openssl"]
"""


def test_the_papers_are_there() -> None:
    assert list(papers()) == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_what_a_paper_evaluates_is_in_the_catalog(key: str) -> None:
    evaluated = paper(key).evaluated
    assert evaluated
    for entry in evaluated:
        assert entry.schemes
        assert {schemes()[name].name for name in entry.schemes} == set(entry.schemes)


def test_modes_and_key_sizes_of_the_openssl_paper() -> None:
    names = {name for entry in paper("jose-2023").evaluated for name in entry.schemes}
    assert {
        f"aes-{bits}-{mode}"
        for bits in (128, 192, 256)
        for mode in ("ecb", "cbc", "ctr", "cfb", "ofb")
    } <= names
    assert {
        f"{cipher}-{mode}" for cipher in ("des", "3des") for mode in ("ecb", "cbc", "ofb", "cfb")
    } <= names
    assert {"rc4-128", "rsa-2048-pkcs1-sha256", "rsa-4096-pkcs1-sha256"} <= names
    assert len(names) == 26


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('"aes-128-cbc"', '"aes-128-cbx"', 12, "aes-128-cbc"),
        ('key = "some-2020"', 'key = "other-2020"', 1, "some-2020"),
        ("year = 2020", 'year = "soon"', 3, "year"),
        ('mode = "CBC"', 'mode = "CBC"\nmodes = ["CBC"]', 11, "modes"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    folder = tmp_path / "some-2020"
    folder.mkdir()
    path = folder / "paper.toml"
    path.write_text(PAPER)
    assert read_paper(path).key == "some-2020"
    assert old in PAPER
    path.write_text(PAPER.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_paper(path)
    assert f"paper.toml:{line}" in str(caught.value)
    assert words in str(caught.value)


def test_a_paper_nobody_wrote() -> None:
    with pytest.raises(InputError) as caught:
        paper("jose-2024")
    assert "jose-2023" in str(caught.value)
