"""Way from raw samples to the result document."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from result_documents import document

from motebench.base.identity import CaseId
from motebench.base.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Run,
    RunInfo,
    Sample,
    Series,
)
from motebench.base.shapes import plain
from motebench.base.units import METRICS, Better
from motebench.catalog.currents import supply_current
from motebench.catalog.devices import devices
from motebench.catalog.quantities import State
from motebench.documents import schema
from motebench.results.results import rows_of_case, values_of

SHUFFLED = (103, 108, 101, 107, 100, 109, 104, 106, 102, 105)
AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")


def series(metric, *raws, scale=1.0, overhead=0.0, batch=1, first=0, unit="ns", source="clock"):
    samples = tuple(Sample(first + i, raw, batch) for i, raw in enumerate(raws))
    return Series(metric, unit, scale, overhead, source, Evidence.MEASURED, samples)


def a_run(*results, failures=(), **info):
    values = {
        "id": 1,
        "name": "r",
        "study": "text",
        "started": "2026-11-20T00:00:00+00:00",
        "finished": None,
    }
    values |= {
        "status": "finished",
        "version": "0.1.0",
        "seed": 1,
        "settings": {"study": "title"},
    } | info
    return Run(RunInfo(**values), results, tuple(failures))


def values(result):
    return {row.metric: list(row.values.values()) for row in rows_of_case(result)}


def check(found):
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    json.dumps(found, allow_nan=False)
    return found


def test_value_of_a_sample():
    # (1020 - 20) ticks of half a nanosecond over 10 iterations.
    found, note = values_of(series("time", 1020, 2020, scale=0.5, overhead=20, batch=10, first=3))
    assert (found, note) == ({3: 50.0, 4: 100.0}, None)


def test_overhead_that_exceeds_a_reading_is_not_subtracted_and_said():
    found, note = values_of(series("time", 15, 120, 20, overhead=20, unit="tick", source="tsc"))
    assert found == {0: 15.0, 1: 120.0, 2: 20.0}
    assert note.startswith(
        "time: 2 of 3 readings are not longer than the overhead of tsc (20 tick)"
    )
    row = rows_of_case(CaseResult(AES, (series("time", 15, overhead=20),), notes=("before",)))[0]
    assert len(row.notes) == 2 and row.notes[0] == "before"


def test_a_reading_of_zero_without_overhead_is_zero():
    assert values_of(series("user_time", 0, 5)) == ({0: 0.0, 1: 5.0}, None)


def test_derived_metrics_are_computed_round_by_round():
    result = CaseResult(
        replace(AES, input_bytes=1000),
        (
            series("time", 100.0, 200.0, 400.0),
            series("cpu_time", 100.0, 300.0, first=1),
            series("peak_rss", 5000, 6000, first=1),
            series("peak_rss_floor", 4000, first=2),
        ),
    )
    found = values(result)
    assert found["throughput"] == [1e10, 5e9, 2.5e9]
    assert found["cpu_load"] == [0.5, 0.75]
    assert found["peak_rss_net"] == [2000.0]
    assert list(found) == [name for name in METRICS if name in found], (
        "in the order of the registry"
    )


@pytest.mark.parametrize(
    ("operation", "size"),
    [
        (Operation.KEYGEN, 0),
        (Operation.KEY_SETUP, 16),
        (Operation.AGREE, 32),
        (Operation.DIGEST, 0),
    ],
)
def test_no_throughput_without_an_input(operation, size):
    case = replace(AES, operation=operation, input_bytes=size)
    assert "throughput" not in values(CaseResult(case, (series("time", 100.0),)))


def test_times_of_zero_give_no_rate():
    found = values(CaseResult(AES, (series("time", 0.0, 10.0), series("cpu_time", 1.0, 10.0))))
    assert found["throughput"] == [16 / 10e-9]
    assert found["cpu_load"] == [1.0]
    assert "throughput" not in values(CaseResult(AES, (series("time", 0.0),)))


def test_a_metric_of_another_version_is_left_out():
    assert values(CaseResult(AES, (series("colour", 1.0), series("time", 1.0)))).keys() == {
        "time",
        "throughput",
    }


def test_the_document_is_what_the_schema_says():
    failure = Failure.of_case(
        CaseId("des-cbc", "openssl", "encrypt", 8, "host"), FailureKind.WRONG_ANSWER, "no", "v 1"
    )
    file = Case("copy", "copy", Operation.COPY_FILE, 10**8, "host", "openssl", file="/data/file")
    found = check(
        document(
            a_run(
                CaseResult(
                    AES,
                    (
                        series("time", 103, 108, 101, 107, 100, 109, 104, 106, 102, 105, batch=2),
                        series("cpu_time", 1.0),
                    ),
                    finished=True,
                ),
                CaseResult(replace(AES, input_bytes=8), failure=failure),
                CaseResult(file, (series("time", 5.0),), notes=("the time was up",)),
                CaseResult(replace(AES, input_bytes=64)),
                failures=[Failure("*", "mbedtls", "host", FailureKind.BUILD, "gone")],
                environment={"host": {"cpu_model": "x"}, "probes": {}},
            )
        )
    )
    assert found["run"]["study"] == "title" and found["run"]["study_text"] == "text"
    assert found["run"]["cases"] == {"finished": 1, "failed": 1, "pending": 2}
    time = found["measurements"][0]
    assert (time["metric"], time["unit"], time["better"], time["evidence"]) == (
        "time",
        "ns",
        "lower",
        "measured",
    )
    assert (time["n"], time["median"], time["min"], time["max"]) == (10, 52.25, 50.0, 54.5)
    assert (time["ci_low"], time["ci_high"]) == (50.5, 54.0)
    assert time["confidence"] == pytest.approx(0.978515625)
    assert time["variance"] == pytest.approx(time["stddev"] ** 2) == pytest.approx(82.5 / 36)
    assert "file" not in time and "values" not in time
    one = found["measurements"][2]
    assert (one["metric"], one["n"], one["ci_low"], one["variance"]) == ("cpu_time", 1, None, None)
    copied = [entry for entry in found["measurements"] if entry["scheme"] == "copy"]
    assert copied[0]["file"] == "/data/file" and copied[0]["notes"] == ["the time was up"]
    assert [entry["kind"] for entry in found["failures"]] == ["build", "wrong-answer"]
    assert found["failures"][1]["vector"] == "v 1"


def test_a_failed_case_has_no_number():
    failure = Failure.of_case(
        CaseId("aes-128-cbc", "openssl", "encrypt", 16, "host"), FailureKind.CRASH, "signal 11"
    )
    found = check(document(a_run(CaseResult(AES, (series("time", 1.0, 2.0),), failure))))
    assert found["measurements"] == []
    assert len(found["failures"]) == 1


def test_samples_on_request():
    run = a_run(CaseResult(AES, (series("time", 3.0, 1.0, 2.0),)))
    shown = check(document(run, samples=True))["measurements"][0]
    assert (shown["values"], shown["rounds"]) == ([3.0, 1.0, 2.0], [0, 1, 2])
    assert "values" not in document(run)["measurements"][0]


def test_nothing_that_json_cannot_hold():
    found = check(
        document(
            a_run(environment={"host": {"x": math.nan, 1: (1, {"y": math.inf})}, "probes": {}})
        )
    )
    assert found["environment"]["host"] == {"x": None, "1": [1, {"y": None}]}
    assert plain({"path": AES.operation, "set": None})["path"] == "encrypt"


def test_the_schema_is_valid_and_knows_every_word():
    """The schema is a file that scripts rely on; it must not fall behind the registry."""
    found = schema("result")
    jsonschema.Draft202012Validator.check_schema(found)
    measurement = found["$defs"]["measurement"]["properties"]
    assert measurement["metric"]["enum"] == list(METRICS)
    assert measurement["operation"]["enum"] == [item.value for item in Operation]
    assert measurement["evidence"]["enum"] == [item.value for item in Evidence]
    assert found["$defs"]["failure"]["properties"]["kind"]["enum"] == [
        item.value for item in FailureKind
    ]
    rules = {
        rule["if"]["properties"]["metric"]["const"]: rule["then"]
        for rule in found["$defs"]["measurement"]["allOf"]
    }
    for name, metric in METRICS.items():
        assert rules[name]["properties"] == {
            "unit": {"const": metric.unit},
            "better": {"const": metric.better.value},
        }


@pytest.mark.parametrize(
    "change",
    [
        {"unit": "s"},
        {"median": None},
        {"n": 0},
        {"colour": "red"},
        {"metric": "speed"},
        {"variance": -1.0},
        {"file": ""},
    ],
)
def test_the_schema_refuses_what_is_wrong(change):
    found = document(a_run(CaseResult(AES, (series("time", 1.0),))))
    found["measurements"][0] |= change
    with pytest.raises(jsonschema.ValidationError):
        check(found)


def test_the_page_of_terms_has_every_metric():
    folder = Path(__file__).parents[3] / "docs" / "reference"
    terms = (folder / "terms.md").read_text(encoding="utf-8")
    assert len(METRICS) > 10
    for name, metric in METRICS.items():
        better = "" if metric.better is Better.LOWER else f"{metric.better.value} "
        assert f"| `{name}` | {metric.words} | {metric.unit} | {better}|" in terms


# Modelled energy


def on_board(*found, operation=Operation.ENCRYPT, size=16, target="sim:samd21g18a"):
    case = Case("aes-128-cbc", "mote/aes-small", operation, size, target, "mote/aes-small")
    return CaseResult(case, found)


def test_energy_of_a_board_follows_from_its_time():
    """1 ms at 3.3 V and 4.6 mA is 15.18 uJ, over 16 bytes 0.94875 uJ each."""
    rows = {row.metric: row for row in rows_of_case(on_board(series("time", 1_000_000, 2_000_000)))}
    assert rows["energy"].values == pytest.approx({0: 15.18e-6, 1: 30.36e-6})
    assert rows["energy_per_byte"].values == pytest.approx({0: 0.94875e-6, 1: 1.8975e-6})
    assert rows["power"].values == pytest.approx({0: 0.01518, 1: 0.01518})
    assert rows["current"].values == {0: 0.0046, 1: 0.0046}
    for name in ("energy", "energy_per_byte", "power", "current"):
        assert rows[name].evidence is Evidence.MODELLED
        assert any("Microchip DS40001882" in note for note in rows[name].notes)
    assert rows["time"].evidence is Evidence.MEASURED
    assert not any("Microchip" in note for note in rows["time"].notes)


def test_an_operation_without_input_has_no_energy_per_byte():
    assert "energy_per_byte" not in values(
        on_board(series("time", 1000), operation=Operation.KEY_SETUP, size=0)
    )


def test_no_current_is_invented_for_a_host():
    result = CaseResult(AES, (series("time", 1000),))
    assert "energy" not in values(result)
    assert "energy" not in {row.metric for row in rows_of_case(result, devices()["pc"])}
    rows = {row.metric: row for row in rows_of_case(result, devices()["raspberry-pi-3b"])}
    assert rows["energy"].values == pytest.approx({0: 1e-6 * 5.1 * 0.85})
    assert any("board" in note for note in rows["energy"].notes)


def test_energy_that_was_read_is_not_modelled_over():
    read = replace(series("energy", 7e-6), raw_unit="J", type_b=1e-7)
    assert values(on_board(series("time", 1_000_000), read))["energy"] == [7e-6]


def test_the_interval_of_modelled_energy_holds_the_least_and_the_most_current():
    """1 to 1.05 ms at 3.3 V; 3.37 to 6.5 mA: 11.121 uJ at the least, 22.5225 uJ at the most."""
    times = [1_000_000 + 10_000 * number for number in range(6)]
    rows = {row.metric: row for row in rows_of_case(on_board(series("time", *times)))}
    found = rows["energy"].describe()
    assert (found.ci_low, found.ci_high) == (pytest.approx(11.121e-6), pytest.approx(22.5225e-6))
    assert found.precision == pytest.approx((22.5225 - 11.121) / 2 / (1.025 * 15.18))
    power = rows["power"].describe()
    assert (power.ci_low, power.ci_high) == (pytest.approx(0.011121), pytest.approx(0.02145))
    assert (
        rows["energy"].interval == rows["current"].interval == "bounds"
        and rows["time"].interval == "median"
    )
    # Below six samples the time has no interval, so energy has none; the power is no matter of
    # samples.
    few = {row.metric: row.describe() for row in rows_of_case(on_board(series("time", 1_000_000)))}
    assert few["energy"].ci_low is None and few["power"].ci_high == pytest.approx(0.02145)


def test_energy_above_idling_is_modelled_where_the_idle_current_is_known():
    """ATmega2560 at 16 MHz and 5 V: 20 mA (18 to 22.5) computing, its idle current less; the
    SAMD21's file has none.
    """
    device = devices()["atmega2560"]
    computing, idling = (supply_current(device, state) for state in (State.ACTIVE, State.IDLE))
    rows = {
        row.metric: row
        for row in rows_of_case(on_board(series("time", *[1e6] * 6), target="sim:atmega2560"))
    }
    gross, idle = computing.volts * computing.amps.typical, idling.volts * idling.amps.typical
    assert rows["energy"].values[0] == pytest.approx(gross * 1e-3)
    assert rows["energy_net"].values[0] == pytest.approx((gross - idle) * 1e-3)
    assert rows["energy_net_per_byte"].values[0] == pytest.approx((gross - idle) * 1e-3 / 16)
    assert rows["power_net"].values[0] == pytest.approx(gross - idle)
    found = rows["power_net"].describe()
    assert found.ci_low == pytest.approx(
        computing.volts * computing.amps.low - idling.volts * idling.amps.high
    )
    assert found.ci_high == pytest.approx(
        computing.volts * computing.amps.high - idling.volts * idling.amps.low
    )
    assert "energy_net" not in {row.metric for row in rows_of_case(on_board(series("time", 1000)))}


def test_modelled_energy_fits_the_schema():
    found = check(document(a_run(on_board(series("time", 1_000_000)))))
    energy = next(entry for entry in found["measurements"] if entry["metric"] == "energy")
    assert (energy["evidence"], energy["unit"], energy["interval"]) == ("modelled", "J", "bounds")
