"""``run --share hash`` and collections with it: how much of the cycles are hash functions."""

from __future__ import annotations

import json

import code_folders as folders
import pytest

from motebench.catalog.devices import programmable
from tests.integration.conftest import need_simulator

ASK = ("--size", "16", "--fast", "--quiet", "--share", "hash")


def shares(motebench) -> dict[tuple[str, str], float]:
    """Share by scheme and operation in the last run."""
    exported = motebench("export", "latest", "--format", "json")
    assert exported.code == 0, exported.err
    return {
        (row["scheme"], row["operation"]): row["median"]
        for row in json.loads(exported.out)["measurements"]
        if row["metric"] == "hash_share"
    }


@pytest.mark.parametrize("board", ["atmega2560", "cortex-m4-nows", "rp2350-hazard3"])
def test_hashing_is_nearly_all_of_a_hash_and_nothing_of_a_cipher_without_one(motebench, board):
    need_simulator(programmable()[board])
    code = "mote/sha-256,mote/xtea,mote/ed25519"
    done = motebench(
        *("run", "--target", f"sim:{board}", "--implementation", code),
        *("--scheme", "sha256,xtea-ctr,ed25519", "--operation", "digest,encrypt,sign", *ASK),
    )
    assert done.code == 0, done.err
    found = shares(motebench)
    assert 0.9 < found["sha256", "digest"] < 1
    assert found["xtea-ctr", "encrypt"] == 0
    assert 0.02 < found["ed25519", "sign"] < 0.5


def test_a_machine_that_counts_no_functions_has_no_share(motebench):
    done = motebench("run", "--scheme", "sha256", "--implementation", "mote/sha-256", *ASK)
    assert done.code == 0, done.err
    assert shares(motebench) == {}


COLLECTION = """\
name = "hashing"
title = "a collection with a table of shares"
targets = ["sim:atmega2560"]

[[folders]]
match = ["Implementations/crypto_aead/{scheme}/{implementation}"]
variants = ["Os"]
sizes = [16]
aad = [0]
schemes = { "ascon-aead128" = "" }

[[tables]]
kind = "aead"

[tables.columns]
"implementation" = "implementation"
"enc [%]" = "encrypt-message hash_share %"
"""


def test_a_table_of_shares_is_there_when_it_is_asked_for(motebench, tmp_path):
    need_simulator(programmable()["atmega2560"])
    folders.submission(tmp_path / "tree")
    (tmp_path / "hashing.toml").write_text(COLLECTION)
    call = ("collection", "hashing.toml", "--from", "tree", "--format", "csv")
    without = motebench(*call)
    assert without.code == 0 and "enc [%]" not in without.out
    asked = motebench(*call, "--share", "hash")
    assert asked.code == 0, asked.err
    assert asked.out.splitlines() == ["implementation,enc [%],cause", "ref,0,"]
