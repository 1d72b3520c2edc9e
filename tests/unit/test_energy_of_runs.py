"""Energy of a run's cases by an instrument: replayed streams, and a run with a stand-in; nothing asserts a clock."""

from __future__ import annotations

import pytest
from instrument_streams import info, recording, stream, without, worked

from motebench.cli.running import meter_of
from motebench.errors import InputError
from motebench.instruments import of_runs
from motebench.instruments.base import InstrumentLost, Sample, Shape
from motebench.instruments.of_runs import PowerMeter, found, lengths
from motebench.model import Case, CaseResult, Evidence, FailureKind, Operation, Series
from motebench.model import Sample as Stored
from motebench.results import rows_of_case
from motebench.study.model import Sampling
from motebench.study.policy import policy_of


def joules(answer):
    return [raw / batch for _, raw, batch in answer.readings]


def test_net_energy_of_every_batch():
    """3 W for 1 s over a floor of 1 W, 1000 operations: 2 mJ each."""
    answer = found(recording())
    assert joules(answer) == pytest.approx([2e-3] * 3, rel=0.01)
    assert answer.failure is None
    series = answer.readings[0][0]
    assert (series.metric, series.raw_unit, series.source, series.evidence) == (
        "energy", "J", "made up", Evidence.MEASURED,
    )  # fmt: skip
    assert "idle floor 1.00 W taken off" in answer.notes[0]


def test_samples_that_are_dropped_in_one_batch_leave_the_others():
    """Half of the second batch is missing: it has no energy, and the notes say so."""
    answer = found(recording(without(stream(worked, 7.0), 3.2, 3.7)))
    assert joules(answer) == pytest.approx([2e-3] * 2, rel=0.01)
    assert answer.failure is None
    assert any("batch 2" in note for note in answer.notes)
    assert any("samples are missing" in note for note in answer.notes)


def test_a_few_dropped_samples_widen_the_bounds_only():
    answer = found(recording(without(stream(worked, 7.0), 3.21, 3.23)))
    assert len(answer.readings) == 3 and answer.failure is None
    assert any("samples are missing" in note for note in answer.notes)


def test_an_instrument_that_is_lost_in_the_middle_is_a_failure_and_what_came_before_counts():
    cut = [sample for sample in stream(worked, 7.0) if sample.t <= 4.1]
    answer = found(recording(cut, ended="it is unplugged"))
    assert joules(answer) == pytest.approx([2e-3] * 2, rel=0.01)
    assert answer.failure is not None
    kind, message = answer.failure
    assert kind is FailureKind.LOST and "unplugged" in message


def test_idling_that_was_never_read_gives_nothing():
    answer = found(recording([sample for sample in stream(worked, 7.0) if sample.t <= 0.5], ended="it is unplugged"))
    assert answer.readings == [] and answer.failure is not None and answer.failure[0] is FailureKind.LOST


def test_what_cannot_be_told_from_idling_is_unsupported_and_no_zero():
    answer = found(recording(stream(lambda t: 1.0, 7.0), info(accuracy=0.05)))
    assert answer.readings == []
    kind, message = answer.failure
    assert kind is FailureKind.UNSUPPORTED and "cannot be told from idling" in message


def test_windows_are_as_long_as_a_slow_instrument_needs():
    assert lengths(info(rate=1000.0), 10.0) == (1.0, 3.0)
    batch, idle = lengths(info(rate=2.0), 10.0)
    assert batch >= 5.0 and idle >= 5.0


CASE = Case("aes-128-ctr", "mote/aes-ct", Operation.ENCRYPT_MESSAGE, 16, "sim:samd21g18a", "mote/aes-ct")


def test_measured_energy_goes_before_modelled_and_brings_energy_per_byte_and_power():
    """2 mJ in 1 ms: 2 W; 16 bytes: 125 uJ each."""
    times, energies = ([Stored(n, raw, batch, 0, 0.0) for n in range(6)] for raw, batch in ((1e6, 1), (2.0, 1000)))
    time = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, tuple(times))
    read = Series("energy", "J", 1.0, 0.0, "PPK2", Evidence.MEASURED, tuple(energies))
    result = CaseResult(CASE, (time, read), finished=True)
    found_rows = {row.metric: row for row in rows_of_case(result)}
    for name, value in (("energy", 2e-3), ("energy_per_byte", 125e-6), ("power", 2.0)):
        assert found_rows[name].evidence is Evidence.MEASURED
        assert list(found_rows[name].values.values()) == pytest.approx([value] * 6)
    assert found_rows["current"].evidence is Evidence.MODELLED


class Counting:
    """Counts energy: 1 W at rest and 2 W more while ``busy``; reading it late loses nothing. Lost after some reads."""

    def __init__(self, load, *, reads=None):
        self.info = info(Shape.MEAN, 1000.0, counts=True, polled=True)
        self._load, self._left = load, reads

    def start(self, clock):
        self._clock, self._last = clock, (0.0, 0.0)

    def read(self):
        import time

        time.sleep(0.001)
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise InstrumentLost("it is unplugged")
        now = self._clock()
        total = now + 2.0 * self._load.busy_s()
        (before, had), self._last = self._last, (now, total)
        return [Sample(now, (total - had) / (now - before))]

    def stop(self):
        pass


class Load:
    """Stands for a target: `run` is busy for so long."""

    batch = 100

    def __init__(self):
        import time

        self._time, self._done, self._since = time, 0.0, None

    def busy_s(self):
        since = self._since
        return self._done + (self._time.monotonic() - since if since is not None else 0.0)

    def run(self):
        self._since = self._time.monotonic()
        self._time.sleep(0.2)
        self._done, self._since = self.busy_s(), None
        return self.batch


def metered(monkeypatch, *, reads=None):
    load = Load()
    monkeypatch.setattr(of_runs, "open_instrument", lambda name, volts: Counting(load, reads=reads))
    monkeypatch.setattr(of_runs, "fit", lambda *given: load)
    return PowerMeter("made up", None, 0.1).measure(None, CASE, None)


def test_a_case_is_metered_in_batches(monkeypatch):
    answer = metered(monkeypatch)
    assert answer.failure is None
    assert answer.readings, "a slow machine may lose batches to stalls, but not all"
    assert all(raw > 0 and batch == 100 for _, raw, batch in answer.readings)


def test_an_instrument_that_is_never_there_is_a_failure(monkeypatch):
    answer = metered(monkeypatch, reads=0)
    assert answer.readings == [] and answer.failure is not None and answer.failure[0] is FailureKind.LOST


def test_a_policy_without_an_instrument_has_no_meter():
    assert meter_of(policy_of(Sampling())) is None
    asked = Sampling.model_validate({"instrument": "ppk2", "voltage": "3.3V", "energy": "5s"})
    assert meter_of(policy_of(asked)) == PowerMeter("ppk2", 3.3, 5.0)


@pytest.mark.parametrize("name", ["by-hand:0.01Wh", "replay:x.jsonl"])
def test_a_run_has_nobody_to_read(name):
    with pytest.raises(InputError, match="nothing to read"):
        PowerMeter(name, None, 1.0).check()
