"""Messages about an implementation that does not exist."""

from __future__ import annotations

import pytest

from motebench.base.naming import no_implementation

THERE = [
    *(
        "mote/aes-small",
        "mote/aes-small@O1",
        "mote/aes-small@O2",
        "mote/aes-ct",
        "mote/des",
        "mote/idea",
        "mote/xtea",
    ),
    *(
        "bearssl/aes-ct",
        "bearssl/rsa",
        "bearssl/rsa@O1",
        "mbedtls/aes",
        "openssl",
        "mbedtls/des",
        "nettle",
    ),
]


def said(name: str):
    return no_implementation(
        name, THERE, "sim:atmega2560", where="--implementation", otherwise="look elsewhere"
    )


def test_every_name_once_the_nearest_first_and_no_variant_but_an_example() -> None:
    error = said("mote/aes-smal")
    assert error.what == "unknown implementation 'mote/aes-smal' on target 'sim:atmega2560'"
    assert (
        error.where == "--implementation"
        and error.hint is not None
        and "'mote/aes-small'" in error.hint
    )
    names, variants = (error.valid or "").split("; ")
    assert names.startswith("mote/aes-small, ")
    assert variants == "variants (@O1, @O2) as bearssl/rsa@O1"
    assert "@" not in names
    ends = {name.rpartition("/")[2] for name in THERE if "@" not in name}
    assert all(end in names for end in ends)
    assert names.count("openssl") == names.count("nettle") == names.count("xtea") == 1


def test_those_of_one_beginning_stand_together() -> None:
    assert "bearssl/{aes-ct, rsa}" in (said("mote/des").valid or "")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (
            "mote/aes-small@O9",
            "mote/aes-small has the variants mote/aes-small@O1, mote/aes-small@O2",
        ),
        ("nettle@O1", "nettle has no variants"),
        ("qqqqqqqqqqqqqqqq", "look elsewhere"),
    ],
)
def test_what_to_try(name: str, hint: str) -> None:
    assert said(name).hint == hint


def test_nothing_is_said_of_variants_where_there_are_none() -> None:
    assert no_implementation("a", ["openssl"], "host").valid == "openssl"


def test_compilers_are_told_apart_from_variants() -> None:
    there = ["mote/aes", "mote/aes@O1", "mote/aes+clang", "mote/aes@O1+clang", "mote/des"]
    error = no_implementation("mote/aes@O1+gcc", there, "sim:samd21g18a")
    assert (
        error.valid
        == "mote/aes, mote/des; variants (@O1) and compilers (+clang) as mote/aes@O1+clang"
    )
    assert error.hint == "mote/aes has the variants mote/aes+clang, mote/aes@O1, mote/aes@O1+clang"
