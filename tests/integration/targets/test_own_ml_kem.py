"""mote/ml-kem on simulated boards: cycles and stack below what we set out for, and what does not
fit.
"""

from __future__ import annotations

import random

import pytest

from motebench.base.model import Operation
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

GOALS = {
    # million cycles of key generation, encapsulation and decapsulation of ML-KEM-512; bytes of
    # stack
    ("samd21g18a", "mote/ml-kem"): ((1.0, 1.1, 1.2), 3072),
    ("samd21g18a", "mote/ml-kem-small"): ((1.36, 1.61, 2.04), 2048),
    ("atmega2560", "mote/ml-kem"): ((5.31, 7.41, 6.79), 2458),
    ("atmega2560", "mote/ml-kem-small"): ((5.31, 7.41, 6.79), 1600),
}


@pytest.mark.parametrize(("device", "implementation"), GOALS)
def test_ml_kem_512_keeps_to_its_goals(motebench, device, implementation):
    need_simulator(devices()[device])
    done = motebench(
        "run",
        "--target",
        f"sim:{device}",
        "--implementation",
        implementation,
        "--scheme",
        "ml-kem-512",
        "--operation",
        "keygen,encapsulate,decapsulate",
        "--json",
        "--budget",
        "60s",
    )
    assert done.code == 0 and done.json["failures"] == [], done.err
    found = {(row["metric"], row["operation"]): row["median"] for row in done.json["measurements"]}
    cycles, stack = GOALS[device, implementation]
    for operation, most in zip(("keygen", "encapsulate", "decapsulate"), cycles, strict=True):
        assert 0.5e6 < found["cycles", operation] < most * 1e6
        assert 1024 < found["stack", operation] < stack  # two polynomials, and more


def test_the_largest_keys_fit_beside_two_polynomials(motebench):
    need_simulator(devices()["atmega2560"])
    done = motebench(
        *(
            "verify",
            "--target",
            "sim:atmega2560",
            "--implementation",
            "mote/ml-kem-small",
            "--scheme",
            "ml-kem-1024",
        ),
        "--json",
    )
    (entry,) = done.json["implementations"]
    assert entry["passed"] > 0 and entry["failed"] == 0, done.json


def test_two_kibibytes_of_ram_are_too_few(motebench):
    need_simulator(devices()["atmega328p"])
    done = motebench(
        "run",
        "--target",
        "sim:atmega328p",
        "--implementation",
        "mote/ml-kem",
        "--scheme",
        "ml-kem-512",
        "--operation",
        "decapsulate",
        "--json",
        "--budget",
        "60s",
    )
    (failure,) = done.json["failures"]
    assert failure["kind"] == "too-big", failure


@pytest.mark.parametrize("device", ["samd21g18a", "atmega2560"])
def test_cycles_do_not_depend_on_secrets_or_on_whether_the_ciphertext_is_right(device):
    need_simulator(devices()[device])
    draw = random.Random(1)
    valid = next(one for one in vectors_for("ml-kem-512") if one.operation is Operation.DECAPSULATE)
    jobs = [Job("ml-kem-512", "decapsulate", valid.key, ciphertext=valid.ciphertext)]
    for _ in range(4):
        # Another s, beside the same public key; and another z
        vector = [draw.randrange(3329) for _ in range(512)]
        bits = sum(value << 12 * i for i, value in enumerate(vector)).to_bytes(768, "little")
        key = bits + valid.key[768:-32] + draw.randbytes(32)
        jobs.append(Job("ml-kem-512", "decapsulate", key, ciphertext=valid.ciphertext))
        jobs.append(Job("ml-kem-512", "decapsulate", valid.key, ciphertext=draw.randbytes(768)))
    session = BoardSession(
        Simulation(devices()[device], BoardSettings()), OwnFirmware("mote/ml-kem")
    )
    try:
        took = {
            session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0] for job in jobs
        }
    finally:
        session.close()
    assert len(took) == 1, took
