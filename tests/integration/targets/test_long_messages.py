"""Cycles of a long message on a simulated board: a step of so many bytes costs the work of so many
bytes.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import pytest

from motebench.catalog.devices import devices
from tests.integration.conftest import Motebench, need_simulator

BOARD = "samd21g18a"
SIZES = (16, 32, 64, 128)
"""Whole blocks of every cipher, except that ChaCha20 and Salsa20 have blocks of 64 B."""
SOME = (
    "mote/ascon*,mote/*chacha20*,mote/salsa20,mote/aes-fast,mote/speck",
    "ascon*,*chacha20*,salsa20,aes-128-*,*64-128-eax",
)
"""Every kind of mode, stream cipher and AEAD."""
FEW = (
    "mote/ascon,mote/chacha20-poly1305,mote/aes-fast",
    "ascon-aead128,chacha20-poly1305,aes-128-eax,aes-128-gcm",
)
"""AEADs: a native one, one of a stream cipher and two of a block cipher."""
ALL = ("mote/*", "*")
OPERATIONS = ("encrypt", "decrypt")


@pytest.mark.parametrize(
    ("implementations", "chosen"),
    [
        pytest.param(*FEW, id="few"),
        pytest.param(*SOME, id="some", marks=pytest.mark.long),
        pytest.param(*ALL, id="all", marks=pytest.mark.long),
    ],
)
def test_more_bytes_never_cost_less_and_one_block_costs_a_block(
    motebench: Motebench, implementations: str, chosen: str
):
    need_simulator(devices()[BOARD])
    asked = (
        "--implementation",
        implementations,
        "--scheme",
        chosen,
        "--exclude",
        "*-192-*,*-256-*",
    )
    sizes = ("--size", ",".join(map(str, SIZES)), "--operation", ",".join(OPERATIONS))
    done = motebench("run", *asked, *sizes, "--target", f"sim:{BOARD}", "--quiet", "--json")
    assert done.json["failures"] == []
    cycles: dict[tuple[str, str, str], dict[int, float]] = defaultdict(dict)
    for row in done.json["measurements"]:
        if row["metric"] == "cycles":
            cycles[row["implementation"], row["scheme"], row["operation"]][row["input_bytes"]] = (
                row["median"]
            )
    assert {scheme for _, scheme, _ in cycles} >= {
        "ascon-aead128",
        "chacha20-poly1305",
        "aes-128-eax",
        "aes-128-gcm",
    }
    for case, costs in cycles.items():
        assert sorted(costs) == list(SIZES), case
        ordered = [costs[size] for size in SIZES]
        assert ordered == sorted(ordered), (case, costs)
        # A cipher that leaves its last block for later would charge too little for the first one.
        for size, twice in pairwise(SIZES):
            assert costs[size] >= (costs[twice] - costs[size]) / 2, (case, costs)
