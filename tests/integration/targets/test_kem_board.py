"""A toy KEM on simulated boards: two outputs and seeds, in memory that the probe lays out for each
job.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from motebench.base.model import FailureKind
from motebench.catalog.devices import programmable
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job, ProbeFailure
from motebench.targets.wire.stream import ProcessStream
from tests.integration.conftest import each_board, holds_probe, need_simulator

ROOT = Path(__file__).parents[3]
PARTS = [
    (ROOT / "tests" / "firmware" / "kem.c", ()),
    (ROOT / "core" / "adapters" / "fake" / "kem.c", ()),
]
KNOWN = {
    vector["id"]: {
        name: bytes.fromhex(value) for name, value in vector.items() if name not in ("id", "op")
    }
    for vector in json.loads(
        (
            Path(__file__).parents[1] / "kem" / "catalog" / "vectors" / "fake-kem" / "fake-kem.json"
        ).read_text("utf-8")
    )["vectors"]
}


@pytest.fixture(
    scope="module",
    params=each_board(name for name, device in programmable().items() if holds_probe(device)),
)
def device(request):
    found = programmable()[request.param]
    need_simulator(found)
    return found


@pytest.fixture
def board(device):
    image = assemble(device, FirmwareParts(PARTS, public_key=True), "Os")
    session = ProbeSession(lambda: ProcessStream(simulation(device, image.path)))
    yield session
    session.close()


def test_the_offer_has_the_sizes(board):
    offer = board.offers()["fake-kem"]
    assert (offer.pair, offer.outputs, offer.seeds, offer.needs_seed) == (
        (24, 40),
        (32, 12),
        True,
        False,
    )


def test_known_answers(board):
    vector = KNOWN["keygen"]
    made = board.compute(Job("fake-kem", "keygen", seed=vector["seed"]))
    assert (made.out, made.public) == (vector["out"], vector["public"])
    assert made.crc == zlib.crc32(vector["out"] + vector["public"])
    assert (
        board.compute(Job("fake-kem", "keygen", key=vector["out"]), public=True).out
        == vector["public"]
    )
    vector = KNOWN["encapsulate"]
    job = Job("fake-kem", "encapsulate", key=vector["key"], seed=vector["seed"])
    made = board.compute(job)
    assert (made.out, made.secret) == (vector["ciphertext"], vector["secret"])
    brief = board.compute(job, brief=True)
    assert (brief.out, brief.length, brief.secret, brief.crc) == (None, 32, made.secret, made.crc)
    for name in ("decapsulate", "implicit rejection"):
        vector = KNOWN[name]
        job = Job("fake-kem", "decapsulate", key=vector["key"], ciphertext=vector["ciphertext"])
        assert board.compute(job).out == vector["secret"]


@pytest.mark.parametrize("count", [1, 8])
def test_what_is_timed_sends_both_random_outputs(board, count):
    private, public = KNOWN["keygen"]["out"], KNOWN["keygen"]["public"]
    timing = board.measure(
        Job("fake-kem", "encapsulate", key=public), batch=3, count=count, warm=0, timeout=60
    )
    assert timing.counts is not None and len(timing.counts) == count and timing.length == 32
    back = board.compute(Job("fake-kem", "decapsulate", key=private, ciphertext=timing.out or b""))
    assert back.out == timing.secret and len(timing.secret) == 12
    assert timing.crc == zlib.crc32((timing.out or b"") + timing.secret)
    timing = board.measure(Job("fake-kem", "keygen"), batch=1, count=count, warm=0, timeout=60)
    assert timing.out is not None and timing.out[16:] == timing.public and len(timing.out) == 40


def test_what_is_timed_from_a_seed_is_always_the_same(board):
    vector = KNOWN["encapsulate"]
    job = Job("fake-kem", "encapsulate", key=vector["key"], seed=vector["seed"])
    timing = board.measure(job, batch=2, count=2, warm=1, timeout=60)
    assert timing.out is None and timing.crc == zlib.crc32(vector["ciphertext"] + vector["secret"])
    assert board.memory(job).stack is not None


def test_keys_and_seeds_of_other_lengths_are_refused(board):
    for job in (
        Job("fake-kem", "encapsulate", key=bytes(23)),
        Job("fake-kem", "encapsulate", key=bytes(24), seed=bytes(15)),
        Job("fake-kem", "decapsulate", key=bytes(40), ciphertext=bytes(31)),
    ):
        with pytest.raises(ProbeFailure) as caught:
            board.compute(job)
        assert caught.value.kind is FailureKind.UNSUPPORTED
