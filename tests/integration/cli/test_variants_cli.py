"""Features of the processor, on and off, by the library's own report."""

from __future__ import annotations

import platform

import pytest

from tests.integration.conftest import Motebench

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the variants asked for here are of x86-64"
)


@pytest.mark.parametrize("library", ["openssl", "libgcrypt"])
def test_the_variant_uses_less_and_computes_the_same(motebench: Motebench, library: str) -> None:
    names = f"{library},{library}@no-aes,{library}@baseline"
    result = motebench(
        "run",
        "--scheme",
        "aes-128-ctr",
        "--implementation",
        names,
        "--size",
        "1000",
        "--fast",
        "--budget",
        "1s",
        "--quiet",
        "--json",
    )
    assert result.code == 0, result.err
    assert {row["implementation"] for row in result.json["measurements"]} == set(names.split(","))
    uses = {
        name: result.json["environment"]["probes"][name]["cpu_features"]
        for name in names.split(",")
    }
    assert len(set(uses.values())) >= 2, "a processor with AES instructions is told to leave them"


def test_a_variant_that_is_not_there(motebench: Motebench) -> None:
    result = motebench("run", "--scheme", "sha256", "--implementation", "openssl@no-ease")
    assert result.code == 2
    assert "openssl@no-aes" in result.err
