"""Profile of one operation on simulated boards: all its cycles, by path of calls."""

from __future__ import annotations

import pytest

from motebench.catalog.devices import devices
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

HARNESS = 300
"""Cycles of a request that are the probe's own, at most."""


@pytest.mark.parametrize("name", ["atmega2560", "samd21g18a", "cortex-m4-nows", "rp2350-hazard3"])
def test_the_cycles_of_all_paths_are_those_of_the_operation(name):
    device = devices()[name]
    need_simulator(device)
    session = BoardSession(Simulation(device, BoardSettings()), OwnFirmware("mote/sha-256"))
    job = Job("sha256", "digest", b"", data=bytes(64))
    try:
        (ticks,) = session.measure(job, batch=1, count=1, warm=0, timeout=60).ticks
        profile = session.profile(job)
    finally:
        session.close()
    assert ticks - HARNESS < sum(profile.paths.values()) <= ticks
    callers = {path[:-1] for path in profile.paths if path[-1] == "mote_sha256_compress"}
    assert len(callers) == 2, "whole blocks, and the last one"
    assert profile.by_function()["mote_sha256_compress"] > ticks / 2
