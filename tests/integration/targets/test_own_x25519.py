"""mote/x25519 and mote/x25519-small: RFC 7748's iterations, OpenSSL, goals, cycles and secrets."""

from __future__ import annotations

import random

import pytest

from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.build import build, empty
from motebench.targets.host.this_machine import this_machine
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import need_simulator

P = 2**255 - 19
GOALS = {
    # million cycles; docs/reference/ciphers.md has the best published figures
    "cortex-m4-nows": 0.53,
    "cortex-m3-nows": 3.1,
    "cortex-m0-nows": 3.2299,
    "atmega2560": 13.9,
}
OURS = ("mote/x25519", "mote/x25519-small")
SMALL_FLASH = {"samd21g18a": 3 * 1024, "cortex-m4-nows": 3 * 1024, "atmega2560": 5 * 1024}
"""Bytes that mote/x25519-small may add to the probe, its adapter included."""
SMALL_ORDER = (
    # RFC 7748, section 6.1, and the list of https://cr.yp.to/ecdh.html: multiples that are zero
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
    P,
    P + 1,
)


def little(number: int) -> bytes:
    return number.to_bytes(32, "little")


def iterate(times: int, implementation: str) -> bytes:
    """RFC 7748, section 5.2: scalar and coordinate are 9; each result is the next scalar, and that
    the coordinate.
    """
    session = this_machine().open(implementation)
    try:
        scalar = coordinate = little(9)
        for _ in range(times):
            secret = session.compute(Job("x25519", "agree", scalar, peer=coordinate)).out
            assert secret is not None
            scalar, coordinate = secret, scalar
    finally:
        session.close()
    return scalar


@pytest.mark.parametrize("ours", OURS)
def test_the_iteration_of_rfc_7748(ours):
    once = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    assert iterate(1, ours).hex() == once
    thousand = "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"
    assert iterate(1000, ours).hex() == thousand


@pytest.mark.long
@pytest.mark.parametrize("ours", OURS)
def test_a_million_iterations_of_rfc_7748(ours):
    assert (
        iterate(1_000_000, ours).hex()
        == "7c3911e0ab2586fd864497297e575e6f3bc601c0883c30df5f4dd2d24f665424"
    )


@pytest.mark.parametrize("ours", OURS)
@pytest.mark.parametrize("count", [50, pytest.param(50_000, marks=pytest.mark.long)])
def test_openssl_agrees(count, ours):
    draw = random.Random(7748)
    sessions = [this_machine().open(name) for name in (ours, "openssl")]
    try:
        for case in range(count):
            key, peer = draw.randbytes(32), draw.randbytes(32)
            if case % 5 == 0:  # long runs of bits
                key = little((2**256 - 1) ^ ((1 << draw.randrange(256)) - 1))
            jobs = [
                session.compute(Job("x25519", "agree", key, peer=peer)).out for session in sessions
            ]
            assert jobs[0] == jobs[1], (key.hex(), peer.hex())
            publics = [
                session.compute(Job("x25519", "agree", key), public=True).out
                for session in sessions
            ]
            assert publics[0] == publics[1], key.hex()
    finally:
        for session in sessions:
            session.close()


@pytest.mark.parametrize("ours", OURS)
def test_points_of_small_order_are_refused_and_other_encodings_taken(ours):
    session = this_machine().open(ours)
    try:
        for coordinate in SMALL_ORDER:
            for high in (0, 2**255):
                if coordinate + high < 2**256:
                    with pytest.raises(ProbeFailure, match="small order"):
                        session.compute(
                            Job("x25519", "agree", bytes(32), peer=little(coordinate + high))
                        )
        taken = [
            session.compute(Job("x25519", "agree", bytes(32), peer=little(9 + more))).out
            for more in (0, P, 2**255)
        ]
        assert taken[0] == taken[2] and taken[0] is not None
        twelve = [
            session.compute(Job("x25519", "agree", bytes(32), peer=little(12 + more))).out
            for more in (0, P)
        ]
        assert twelve[0] == twelve[1]
    finally:
        session.close()


def cycles_of(implementation: str, device: str) -> set[int]:
    """Cycles of one agreement with keys that are drawn, near the order, or long runs of bits."""
    need_simulator(devices()[device])
    draw = random.Random(25519)
    peer = vectors_for("x25519")[0].data
    order = 2**252 + 27742317777372353535851937790883648493
    keys = [
        draw.randbytes(32),
        *map(little, (0, 1, order - 1, order, 2**256 - 1, 2**128 - 1, 2**255 - 2**127)),
    ]
    jobs = [Job("x25519", "agree", key, peer=peer) for key in keys]
    session = BoardSession(
        Simulation(devices()[device], BoardSettings()), OwnFirmware(implementation)
    )
    try:
        return {
            session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0] for job in jobs
        }
    finally:
        session.close()


@pytest.mark.parametrize("device", GOALS)
def test_cycles_keep_to_the_goal_and_depend_on_no_secret(device):
    took = cycles_of("mote/x25519", device)
    assert len(took) == 1, took
    assert 0.1e6 < took.pop() < GOALS[device] * 1e6


@pytest.mark.parametrize("device", SMALL_FLASH)
def test_the_small_one_keeps_to_its_flash_and_its_cycles_depend_on_no_secret(device):
    assert len(cycles_of("mote/x25519-small", device)) == 1
    scheme = schemes()["x25519"]
    own = build(devices()[device], "mote/x25519-small", scheme, "Os")
    assert own.flash - empty(devices()[device], scheme, "Os").flash <= SMALL_FLASH[device]
