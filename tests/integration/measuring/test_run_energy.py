"""``motebench run --instrument``: measured energy beside times; an instrument that fails takes nothing away."""

from __future__ import annotations

import json
import time

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError
from motebench.cli.app import app
from motebench.measuring.instruments import metering as of_runs
from motebench.measuring.instruments.base import Info, InstrumentLost, PowerSample, Shape
from motebench.measuring.instruments.metering import Metered

CASE = ("--scheme", "aes-128-ctr", "--implementation", "openssl", "--operation", "encrypt", "--size", "16")
METERED = ("--fast", "--precision", "50%", "--instrument", "joulescope", "--energy", "2s")


class Counter:
    """Counts 1 J a second, and 2 J more while a batch runs: as an instrument with a counter, read when it suits."""

    info = Info("made up", "a stand-in", Shape.MEAN, 500.0, None, "made up", counts=True, polled=True)
    work = 0.0
    since: float | None = None
    lost = False

    def start(self, clock):
        self._clock, self._last = clock, None

    def read(self):
        time.sleep(0.002)
        if self.lost:
            raise InstrumentLost("it is unplugged")
        since = type(self).since
        busy = self.work + (time.monotonic() - since if since else 0.0)
        now = self._clock()
        (before, had), self._last = self._last or (0.0, self.work), (now, busy)
        return [PowerSample(now, 1.0 + 2.0 * (busy - had) / (now - before))]

    def stop(self):
        pass


@pytest.fixture
def counter(monkeypatch):
    run = Metered.run

    def counted(self):
        Counter.since = time.monotonic()
        try:
            return run(self)
        finally:
            Counter.work, Counter.since = Counter.work + time.monotonic() - Counter.since, None

    monkeypatch.setattr(Metered, "run", counted)
    monkeypatch.setattr(of_runs, "open_instrument", lambda name, volts: Counter())
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
    assert code == 0 and document["failures"] == []
    for name in ("energy", "energy_per_byte", "power", "energy_net", "energy_net_per_byte", "power_net"):
        assert found[name]["evidence"] == "measured" and found[name]["median"] > 0, name
        assert found[name]["interval"] == "gum", name
    assert 1 <= found["energy_net"]["n"] <= found["energy"]["n"] <= 10
    assert found["energy"]["median"] > found["energy_net"]["median"]
    assert found["energy_per_byte"]["median"] == pytest.approx(found["energy"]["median"] / 16)
    assert any("idling took" in note for note in found["energy"]["notes"])
    assert "time" in found


def test_an_instrument_that_is_lost_is_a_failure_and_the_times_stay(tmp_path, counter, monkeypatch):
    monkeypatch.setattr(Counter, "lost", True)
    code, document = run(tmp_path)
    (failure,) = document["failures"]
    assert code != 0 and failure["kind"] == "lost" and "unplugged" in failure["message"]
    assert failure["scheme"] == "aes-128-ctr"
    assert "time" in metrics(document) and "energy" not in metrics(document)


def test_a_voltage_needs_an_instrument(tmp_path):
    arguments = ["run", *CASE, "--voltage", "3.3V", "--store", str(tmp_path / "r.db")]
    refused = CliRunner().invoke(app, arguments, standalone_mode=False).exception
    assert isinstance(refused, InputError) and "need an instrument" in refused.what


def test_simulated_boards_draw_nothing_that_could_be_read(tmp_path, counter):
    with pytest.raises(InputError, match="simulated targets draw none"):
        run(tmp_path, "--target", "sim:samd21g18a")
