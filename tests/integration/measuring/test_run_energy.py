"""``motebench run --instrument``: measured energy beside times; an instrument that fails takes nothing away."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

from motebench.cli.app import app
from motebench.measuring.instruments import metering
from motebench.measuring.instruments.base import Info, InstrumentLost, PowerSample, Shape
from motebench.measuring.instruments.recorder import Recorder
from motebench.measuring.instruments.recording import BATCH

CASE = ("--scheme", "aes-128-ctr", "--implementation", "openssl", "--operation", "encrypt", "--size", "16")
METERED = ("--fast", "--precision", "50%", "--instrument", "joulescope", "--energy", "2s")


IDLE_W, BUSY_W, PERIOD_S = 1.0, 3.0, 0.002


class Counter:
    """A stand-in for an instrument with a counter. What it reads is `planted` once the batches have run."""

    info = Info("made up", "a stand-in", Shape.MEAN, 1 / PERIOD_S, None, "made up", counts=True, polled=True)
    lost = False

    def start(self, clock):
        self._clock = clock

    def read(self):
        time.sleep(PERIOD_S)
        if self.lost:
            raise InstrumentLost("it is unplugged")
        return [PowerSample(self._clock(), IDLE_W)]

    def stop(self):
        pass


def planted(recording):
    """The recording as of a machine without delays: 3 W in batches of equal length, 1 W between, read each 2 ms.

    On a busy machine, readings are late and batches last up to ten times as long as planned. What `analyse` then says
    is true, but no test can expect it.
    """
    shortest = min((batch.t1 - batch.t0 for batch in recording.named(BATCH)), default=0.0)
    recording.windows[:] = [
        replace(window, t1=window.t0 + shortest, edge_s=0.0) if window.name == BATCH else window
        for window in recording.windows
    ]
    batches, end = recording.named(BATCH), recording.windows[-1].t1
    energies = [
        IDLE_W * t + (BUSY_W - IDLE_W) * sum(min(max(t - batch.t0, 0.0), batch.t1 - batch.t0) for batch in batches)
        for t in (PERIOD_S * step for step in range(math.ceil(end / PERIOD_S) + 2))
    ]
    recording.samples[:] = [
        PowerSample(PERIOD_S * (step + 1), (later - earlier) / PERIOD_S)
        for step, (earlier, later) in enumerate(pairwise(energies))
    ]
    return recording


@pytest.fixture
def counter(monkeypatch):
    stop = Recorder.stop
    monkeypatch.setattr(
        Recorder, "stop", lambda self, why=None: stop(self, why) if self.lost else planted(stop(self, why))
    )
    monkeypatch.setattr(metering, "open_instrument", lambda name, volts: Counter())
    monkeypatch.setattr(Counter, "lost", False)
    return Counter


def run(tmp_path, *more):
    store = str(tmp_path / "r.db")
    result = CliRunner().invoke(app, ["run", *CASE, *METERED, *more, "--quiet", "--store", store, "--json"],
                                standalone_mode=False)  # fmt: skip
    if result.exception is not None:
        raise result.exception
    return result.return_value, json.loads(result.stdout)


def metrics(document):
    return {found["metric"]: found for found in document["measurements"]}


def test_energy_of_a_case(tmp_path, counter):
    code, document = run(tmp_path)
    found = metrics(document)
    assert [failure["message"] for failure in document["failures"]] == [] and code == 0
    for name in ("energy", "energy_per_byte", "power", "energy_net", "energy_net_per_byte", "power_net"):
        assert found[name]["evidence"] == "measured" and found[name]["median"] > 0, name
        assert found[name]["interval"] == "gum", name
    assert 1 <= found["energy_net"]["n"] <= found["energy"]["n"] <= 10
    assert found["energy"]["median"] > found["energy_net"]["median"]
    assert found["energy_per_byte"]["median"] == pytest.approx(found["energy"]["median"] / 16)
