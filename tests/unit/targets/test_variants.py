"""Variants: the same library with fewer instructions."""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.naming import chooses
from motebench.base.paths import data_root
from motebench.targets.host.programs import read_variants

FILE = """implementation = "some"

[[variant]]
name = "no-aes"
meaning = "m"
architectures = ["x86_64"]
environment = { SOME = "1" }
source = "s"
"""


@pytest.mark.parametrize(
    ("pattern", "implementation", "means"),
    [
        ("*", "openssl", True),
        ("*", "openssl@no-aes", False),
        ("openssl", "openssl@no-aes", False),
        ("openssl@*", "openssl@no-aes", True),
        ("openssl@*", "openssl", False),
        ("*@no-aes", "libgcrypt@no-aes", True),
        ("openssl@no-aes", "openssl@no-aes", True),
    ],
)
def test_only_a_pattern_with_an_at_means_variants(
    pattern: str, implementation: str, means: bool
) -> None:
    assert chooses(pattern, implementation) == means


def test_every_file_is_in_order() -> None:
    files = list(data_root().glob("core/adapters/*/variants.toml"))
    assert files
    for path in files:
        found = read_variants(path)
        assert {variant.implementation for variant in found} == {path.parent.name}
        assert len({variant.name for variant in found}) == len(found)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('implementation = "some"', "", "implementation"),
        ('meaning = "m"', "", "meaning"),
        ('source = "s"', 'source = "s"\nsauce = "s"', "sauce"),
        ('environment = { SOME = "1" }', 'environment = "SOME"', "environment"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "variants.toml"
    path.write_text(FILE)
    (variant,) = read_variants(path)
    assert variant.label == "some@no-aes"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_variants(path)
    assert words in str(caught.value)
    assert "variants.toml" in str(caught.value)
