"""Energy of a run's cases by an instrument: replayed streams, and a run with a stand-in, whose
recording is planted.
"""

from __future__ import annotations

import pytest
from instrument_streams import info, quiet_machine, recording, stream, without, worked

from motebench.base.errors import InputError
from motebench.base.model import Case, CaseResult, Evidence, FailureKind, Operation, Series
from motebench.base.model import Sample as Stored
from motebench.measuring.instruments import metering as of_runs
from motebench.measuring.instruments.base import InstrumentLost, PowerSample, Shape
from motebench.measuring.instruments.metering import PowerMeter, found, lengths
from motebench.measuring.instruments.recorder import Placed
from motebench.measuring.measure import meters_of
from motebench.measuring.study.model import Sampling, policy_of
from motebench.results.results import rows_of_case


def joules(answer, metric="energy_net"):
    return [raw / batch for series, raw, batch in answer.readings if series.metric == metric]


def test_energy_of_every_batch():
    """3 W for 1 s over a floor of 1 W, 1000 operations: 3 mJ each, 2 mJ above idling."""
    answer = found(recording())
    assert joules(answer) == pytest.approx([2e-3] * 3, rel=0.01)
    assert joules(answer, "energy") == pytest.approx([3e-3] * 3, rel=0.01)
    assert answer.failure is None
    assert {
        (series.metric, series.raw_unit, series.source, series.evidence)
        for series, _, _ in answer.readings
    } == {(name, "J", "made up", Evidence.MEASURED) for name in ("energy", "energy_net")}
    assert all(series.type_b is not None for series, _, _ in answer.readings)
    assert "idling took 1.00 W; energy_net is without it" in answer.notes[0]


def test_samples_that_are_dropped_in_one_batch_leave_the_others():
    """Half of the second batch is missing: it has no energy, and the notes say so."""
    answer = found(recording(without(stream(worked, 7.0), 3.2, 3.7)))
    assert joules(answer) == pytest.approx([2e-3] * 2, rel=0.01)
    assert answer.failure is None
    assert any("batch 2" in note for note in answer.notes)
    assert any("samples are missing" in note for note in answer.notes)


def test_a_few_dropped_samples_widen_the_bounds_only():
    answer = found(recording(without(stream(worked, 7.0), 3.21, 3.23)))
    assert len(joules(answer)) == len(joules(answer, "energy")) == 3 and answer.failure is None
    assert any("samples are missing" in note for note in answer.notes)


def test_an_instrument_that_is_lost_in_the_middle_is_a_failure_and_what_came_before_counts():
    cut = [sample for sample in stream(worked, 7.0) if sample.t <= 4.1]
    answer = found(recording(cut, ended="it is unplugged"))
    assert joules(answer) == pytest.approx([2e-3] * 2, rel=0.01)
    assert answer.failure is not None
    kind, message = answer.failure
    assert kind is FailureKind.LOST and "unplugged" in message


def test_idling_that_was_never_read_gives_nothing():
    answer = found(
        recording(
            [sample for sample in stream(worked, 7.0) if sample.t <= 0.5], ended="it is unplugged"
        )
    )
    assert (
        answer.readings == []
        and answer.failure is not None
        and answer.failure[0] is FailureKind.LOST
    )


def test_what_cannot_be_told_from_idling_is_unsupported_and_no_zero():
    answer = found(recording(stream(lambda t: 1.0, 7.0), info(accuracy=0.05)))
    assert joules(answer) == pytest.approx([0.0] * 3, abs=1e-12)
    assert joules(answer, "energy") == pytest.approx([1e-3] * 3)
    kind, message = answer.failure
    assert (
        kind is FailureKind.UNSUPPORTED
        and "not above the idle floor: an operation takes at most" in message
    )


def test_batches_below_the_floor_are_stored_and_count():
    """3 W, 3 W and 0.5 W over a floor of 1 W, 1000 operations in 1 s: 2, 2 and -0.5 mJ."""
    answer = found(recording(stream(lambda t: 0.5 if 4.005 <= t < 5.0 else worked(t), 7.0)))
    assert joules(answer) == pytest.approx([2e-3, 2e-3, -0.5e-3], abs=0.03e-3)
    rows = rows_of(kept("energy_net", 2e-3, 2.2e-3, 2.1e-3, 1.9e-3, 2e-3, -0.5e-3, 2e-3, 2.1e-3))
    assert len(rows["energy_net"].values) == 8 and min(rows["energy_net"].values.values()) < 0


def test_a_mean_that_may_be_zero_is_no_result_but_a_note():
    """1 and -1 mJ in turn, mean 0: nothing above idling is shown, not even modelled; the note has
    the limit.
    """
    rows = rows_of(
        kept("energy", *[3e-3] * 6), kept("energy_net", 1e-3, -1e-3, 1e-3, -1e-3, 1e-3, -1e-3)
    )
    assert not {"energy_net", "energy_net_per_byte", "power_net"} & set(rows)
    assert rows["energy"].evidence is Evidence.MEASURED
    assert any(
        note.startswith("energy_net: not above the idle floor: at most ")
        for note in rows["energy"].notes
    )
    alone = rows_of(kept("energy_net", -1e-3))
    assert "energy_net" not in alone
    assert any(
        "energy_net: not above the idle floor: its mean is below it" in note
        for note in alone["time"].notes
    )


def test_windows_are_as_long_as_a_slow_instrument_needs():
    assert lengths(info(rate=1000.0), 10.0) == (1.0, 3.0)
    batch, idle = lengths(info(rate=2.0), 10.0)
    assert batch >= 5.0 and idle >= 5.0


CASE = Case(
    "aes-128-ctr", "mote/aes-ct", Operation.ENCRYPT_MESSAGE, 16, "sim:samd21g18a", "mote/aes-ct"
)


def kept(metric, *values, type_b=1e-5, batch=1000):
    samples = tuple(
        Stored(number, value * batch, batch, 0, 0.0) for number, value in enumerate(values)
    )
    return Series(metric, "J", 1.0, 0.0, "PPK2", Evidence.MEASURED, samples, type_b)


def rows_of(*series):
    times = tuple(Stored(number, 1e6, 1, 0, 0.0) for number in range(6))
    time = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, times)
    return {
        row.metric: row for row in rows_of_case(CaseResult(CASE, (time, *series), finished=True))
    }


def test_measured_energy_goes_before_modelled_and_brings_energy_per_byte_and_power():
    """3 mJ in 1 ms: 3 W; 16 bytes: 187.5 uJ each; 2 mJ of it above idling."""
    rows = rows_of(kept("energy", *[3e-3] * 6), kept("energy_net", *[2e-3] * 6))
    for name, value in (
        ("energy", 3e-3),
        ("energy_per_byte", 187.5e-6),
        ("power", 3.0),
        ("energy_net", 2e-3),
        ("energy_net_per_byte", 125e-6),
        ("power_net", 2.0),
    ):
        assert rows[name].evidence is Evidence.MEASURED
        assert list(rows[name].values.values()) == pytest.approx([value] * 6)
        # Without spread it is type B alone: 1.96 x 10 uJ.
        low, high = rows[name].describe().ci_low, rows[name].describe().ci_high
        each = 1.959964 * 1e-5 * value / (3e-3 if "net" not in name else 2e-3)
        assert (value - low, high - value) == (pytest.approx(each, rel=1e-5),) * 2
        assert rows[name].interval == "gum" and rows[name].describe().confidence == 0.95
    assert rows["current"].evidence is Evidence.MODELLED


def test_the_interval_of_measured_energy_is_that_of_the_mean_with_both_types_of_uncertainty():
    """11, 12 and 13 mJ, type B 0.5 mJ: 12 mJ +- 2.670450 mJ (see test_stats_uncertainty)."""
    row = rows_of(kept("energy", 11e-3, 12e-3, 13e-3, type_b=0.5e-3))["energy"]
    assert row.describe().ci_high == pytest.approx(14.670450e-3, rel=1e-6)
    assert any(
        "95 % interval of the mean of 3 batches by PPK2: type A 4.81%" in note for note in row.notes
    )
    alone = rows_of(kept("energy", 1e-3))["energy"]
    assert alone.describe().ci_low is None and any(
        "no spread is known" in note for note in alone.notes
    )


def test_energy_of_versions_that_counted_checks_is_not_shown():
    rows = rows_of(kept("energy", *[2e-3] * 6, type_b=None))
    assert rows["energy"].evidence is Evidence.MODELLED
    assert any("measure again" in note for note in rows["time"].notes)


class Counting:
    """Counts energy: 1 W at rest and 2 W more while ``busy``; reading it late loses nothing. Lost
    after some reads.
    """

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
        return [PowerSample(now, (total - had) / (now - before))]

    def stop(self):
        pass


class Load:
    """Fake target: `run` is busy for so long."""

    batch = 100

    def __init__(self):
        import time

        self._time, self._done, self._since = time, 0.0, None

    def busy_s(self):
        since = self._since
        return self._done + (self._time.monotonic() - since if since is not None else 0.0)

    def run(self):
        self._since = begun = self._time.monotonic()
        self._time.sleep(0.2)
        self._done, self._since = self.busy_s(), None
        return Placed(begun, self._time.monotonic(), 0.0, 0.0)


def metered(monkeypatch, *, reads=None):
    load = Load()
    quiet_machine(monkeypatch)
    monkeypatch.setattr(of_runs, "open_instrument", lambda name, volts: Counting(load, reads=reads))
    monkeypatch.setattr(of_runs, "fit", lambda *given: load)
    return PowerMeter("made up", None, 0.1).measure(None, CASE, None)


def test_a_case_is_metered_in_batches(monkeypatch):
    """3 W in ten batches of 100 operations and 0.2 s, 1 W between them: 6 mJ each, 4 mJ above
    idling.
    """
    answer = metered(monkeypatch)
    assert answer.failure is None
    assert {series.metric for series, _, _ in answer.readings} == {"energy", "energy_net"}
    assert joules(answer, "energy") == pytest.approx([6e-3] * 10, rel=0.01)
    assert joules(answer) == pytest.approx([4e-3] * 10, rel=0.01)
    assert all(batch == 100 for _, _, batch in answer.readings)


def test_an_instrument_that_is_never_there_is_a_failure(monkeypatch):
    answer = metered(monkeypatch, reads=0)
    assert (
        answer.readings == []
        and answer.failure is not None
        and answer.failure[0] is FailureKind.LOST
    )


def test_a_policy_without_an_instrument_has_no_meter():
    assert meters_of(policy_of(Sampling()), ["host"]) == {}
    asked = Sampling.model_validate({"instrument": "ppk2", "voltage": "3.3V", "energy": "5s"})
    assert meters_of(policy_of(asked), ["host"]) == {"host": PowerMeter("ppk2", 3.3, 5.0)}


def test_each_of_several_boards_has_an_instrument_of_its_own():
    asked = Sampling.model_validate(
        {"instruments": {"serial:1": "ppk2", "serial:2": "ina219"}, "energy": "5s"}
    )
    found = meters_of(policy_of(asked), ["host", "serial:1", "serial:2"])
    assert found == {
        "serial:1": PowerMeter("ppk2", None, 5.0),
        "serial:2": PowerMeter("ina219", None, 5.0),
    }


@pytest.mark.parametrize("name", ["by-hand:0.01Wh", "replay:x.jsonl"])
def test_a_run_has_nobody_to_read(name):
    with pytest.raises(InputError, match="cannot be read"):
        PowerMeter(name, None, 1.0).check()
