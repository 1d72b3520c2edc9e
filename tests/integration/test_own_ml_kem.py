"""mote/ml-kem on simulated boards: cycles and stack below what we set out for, and what does not fit."""

from __future__ import annotations

import pytest

from motebench.catalog.devices import devices
from tests.integration.test_assembly import need_simulator

GOALS = {
    # million cycles of key generation, encapsulation and decapsulation of ML-KEM-512; bytes of stack
    "samd21g18a": ((1.0, 1.1, 1.21), 3072),
    "atmega2560": ((5.31, 7.41, 6.79), 2458),
}


@pytest.mark.parametrize("device", GOALS)
def test_ml_kem_512_keeps_to_its_goals(motebench, device):
    need_simulator(devices()[device])
    done = motebench("run", "--target", f"sim:{device}", "--implementation", "mote/ml-kem", "--scheme", "ml-kem-512",
                     "--operation", "keygen,encapsulate,decapsulate", "--json", "--budget", "60s")  # fmt: skip
    assert done.code == 0 and done.json["failures"] == [], done.err
    found = {(row["metric"], row["operation"]): row["median"] for row in done.json["measurements"]}
    cycles, stack = GOALS[device]
    for operation, most in zip(("keygen", "encapsulate", "decapsulate"), cycles, strict=True):
        assert 0.5e6 < found["cycles", operation] < most * 1e6
        assert 1536 < found["stack", operation] < stack  # three polynomials, and more


def test_two_kibibytes_of_ram_are_too_few(motebench):
    need_simulator(devices()["atmega328p"])
    done = motebench("run", "--target", "sim:atmega328p", "--implementation", "mote/ml-kem", "--scheme", "ml-kem-512",
                     "--operation", "decapsulate", "--json", "--budget", "60s")  # fmt: skip
    (failure,) = done.json["failures"]
    assert failure["kind"] == "too-big", failure
