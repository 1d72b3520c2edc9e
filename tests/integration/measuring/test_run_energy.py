"""``motebench run --instrument``: measured energy beside times; a failing instrument leaves the
times alone.
"""

from __future__ import annotations

import json
import time

import pytest
from click.testing import CliRunner
from instrument_streams import IDLE_W, PERIOD_S, quiet_machine

from motebench.cli.app import app
from motebench.measuring.instruments import metering
from motebench.measuring.instruments.base import Info, InstrumentLost, PowerSample, Shape

CASE = (
    "--scheme",
    "aes-128-ctr",
    "--implementation",
    "openssl",
    "--operation",
    "encrypt",
    "--size",
    "16",
)
METERED = ("--fast", "--precision", "50%", "--instrument", "joulescope", "--energy", "2s")


class Counter:
    """A stand-in for an instrument with a counter. What it reads is replaced once the batches have
    run.
    """

    info = Info(
        "made up", "a stand-in", Shape.MEAN, 1 / PERIOD_S, None, "made up", counts=True, polled=True
    )
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


@pytest.fixture
def counter(monkeypatch):
    quiet_machine(monkeypatch)
    monkeypatch.setattr(metering, "open_instrument", lambda name, volts: Counter())
    monkeypatch.setattr(Counter, "lost", False)
    return Counter


def run(tmp_path, *more):
    store = str(tmp_path / "r.db")
    result = CliRunner().invoke(
        app,
        ["run", *CASE, *METERED, *more, "--quiet", "--store", store, "--json"],
        standalone_mode=False,
    )
    if result.exception is not None:
        raise result.exception
    return result.return_value, json.loads(result.stdout)


def metrics(document):
    return {found["metric"]: found for found in document["measurements"]}


def test_energy_of_a_case(tmp_path, counter):
    code, document = run(tmp_path)
    found = metrics(document)
    assert [failure["message"] for failure in document["failures"]] == [] and code == 0
    for name in (
        "energy",
        "energy_per_byte",
        "power",
        "energy_net",
        "energy_net_per_byte",
        "power_net",
    ):
        assert found[name]["evidence"] == "measured" and found[name]["median"] > 0, name
        assert found[name]["interval"] == "gum", name
    assert 1 <= found["energy_net"]["n"] <= found["energy"]["n"] <= 10
    assert found["energy"]["median"] > found["energy_net"]["median"]
    assert found["energy_per_byte"]["median"] == pytest.approx(found["energy"]["median"] / 16)
