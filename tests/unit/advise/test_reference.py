"""Reference results: written and read again, damaged files, and what counts as a change."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from motebench.advise.reference import make, table
from motebench.advise.reference.make import (
    Made,
    ReferenceUnit,
    _keep,
    changes,
    longest_first,
    sample,
    targets,
    units,
)
from motebench.advise.reference.selection import Selection
from motebench.advise.reference.table import (
    Reference,
    ReferenceCase,
    flow_file,
    flows,
    flows_of_implementation,
    flows_of_scheme,
    read,
    shown_flow,
    write,
    write_flows,
)
from motebench.base.errors import InputError
from motebench.base.paths import catalog_dir
from motebench.catalog.devices import devices
from motebench.documents.known import FlowResult
from motebench.targets.registry import open_target

GOOD = ReferenceCase(
    "aes-128-ecb", "mote/aes-fast", "encrypt", 16, {"cycles": 2885, "stack": 70, "flash": 29000}
)
FAILED = ReferenceCase(
    "blowfish-128-ecb", "mote/blowfish", "", 0, {}, "too-big", "12 B of RAM are missing"
)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "catalog_dir", lambda: tmp_path)
    kept_ones = (table.references, table._flows, table._followed)
    for cached in kept_ones:
        cached.cache_clear()
    yield tmp_path / "reference"
    for cached in kept_ones:
        cached.cache_clear()


def kept(entries=(GOOD, FAILED)):
    path = write("sim:atmega2560", {"compiler": "avr-gcc 5.4.0"}, entries)
    return path, read(path)


def beside(path: Path) -> Path:
    return path.with_name(path.name.replace(".csv.gz", ".json"))


def replaced(path: Path, text: str) -> None:
    """Another table in the place of this one, with its own checksum."""
    path.write_bytes(gzip.compress(text.encode()))
    facts = json.loads(beside(path).read_text())
    beside(path).write_text(
        json.dumps(facts | {"sha256": hashlib.sha256(text.encode()).hexdigest()})
    )


def text_of(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def test_what_is_written_is_read(place):
    path, reference = kept()
    assert path == place / "atmega2560.csv.gz"
    assert reference.target == "sim:atmega2560"
    assert reference.provenance == {"target": "sim:atmega2560", "compiler": "avr-gcc 5.4.0"}
    assert dict(reference.entries) == {GOOD.key: GOOD, FAILED.key: FAILED}
    assert dict(table.references()) == {"sim:atmega2560": reference}


def test_the_same_results_give_the_same_file():
    path, _ = kept((GOOD, FAILED))
    first = path.read_bytes()
    kept((FAILED, GOOD))
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("aes-128-ecb,x,encrypt,16,1,,,,", "9 columns"),
        ("aes-128-ecb,x,guess,16,1,,,,,,,,", "unknown operation 'guess'"),
        ("aes-128-ecb,x,encrypt,16,fast,,,,,,,,", "a cell is not a number"),
        ("aes-128-ecb,x,encrypt,16,-1,,,,,,,,", "negative"),
        ("aes-128-ecb,x,encrypt,-16,1,,,,,,,,", "negative"),
        ("aes-128-ecb,x,encrypt,16,,,,,,,,,", "both results and a failure"),
        ("aes-128-ecb,x,encrypt,16,1,,,,,,,crash,x", "both results and a failure"),
        ("aes-128-ecb,x,encrypt,16,,,,,,,,bored,x", "unknown failure kind 'bored'"),
        ("aes-128-ecb,mote/aes-fast,encrypt,16,1,,,,,,,,", "twice"),
    ],
)
def test_damage_is_named_with_its_line(line, words):
    path, _ = kept((GOOD,))
    replaced(path, text_of(path) + line + "\n")
    with pytest.raises(InputError) as caught:
        read(path)
    assert words in caught.value.what and caught.value.where == f"{path}:3"


def test_a_table_that_is_not_the_one_of_its_checksum_is_refused():
    path, _ = kept()
    path.write_bytes(gzip.compress(text_of(path).replace("2885", "2884").encode()))
    with pytest.raises(InputError) as caught:
        read(path)
    assert "checksum" in caught.value.what and caught.value.where == str(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-9],
        lambda data: b"",
        lambda data: b"no gzip",
        lambda data: data[:12] + bytes(40),
    ],
)
def test_a_table_that_cannot_be_unpacked_is_refused(damage):
    path, _ = kept()
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.where == str(path)


def test_a_table_longer_than_the_limit_is_refused(monkeypatch):
    path, _ = kept()
    monkeypatch.setattr(table, "_MOST_BYTES", 100)
    with pytest.raises(InputError, match="too long"):
        read(path)


def test_files_of_another_format_are_refused():
    path, _ = kept()
    beside(path).write_text(beside(path).read_text().replace('"format": 2', '"format": 1'))
    with pytest.raises(InputError) as caught:
        read(path)
    assert "format" in caught.value.what and caught.value.valid == "2"


def test_a_table_is_read_when_it_is_asked_for():
    path, _ = kept()
    path.write_bytes(b"damaged")
    table.references.cache_clear()
    assert list(table.references()) == ["sim:atmega2560"]
    with pytest.raises(InputError):
        table.references()["sim:atmega2560"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"compiler": 3}', '{"compiler": "x"}'])
def test_results_without_provenance_are_refused(text):
    path, _ = kept()
    beside(path).write_text(text)
    with pytest.raises(InputError):
        read(path)
    beside(path).unlink()
    with pytest.raises(InputError):
        read(path)


def test_other_columns_are_refused():
    path, _ = kept()
    replaced(path, "scheme,cycles\naes,1\n")
    with pytest.raises(InputError):
        read(path)


def test_changes_are_of_the_unit_alone():
    _, reference = kept()
    unit = ReferenceUnit("sim:atmega2560", "mote/aes-fast")
    same = Made(unit, (GOOD,), {})
    assert changes(reference, same) == []
    slower = ReferenceCase(*GOOD.key, {**GOOD.values, "cycles": 2886})
    new = ReferenceCase("aes-192-ecb", "mote/aes-fast", "encrypt", 16, {"cycles": 1})
    found = changes(reference, Made(unit, (slower, new), {}))
    assert [(item.key, item.kept, item.now) for item in found] == [
        (GOOD.key, GOOD, slower),
        (new.key, None, new),
    ]
    gone = changes(reference, Made(unit, (), {}))
    assert [(item.kept, item.now) for item in gone] == [(GOOD, None)]


def test_counts_of_instructions_may_differ_slightly():
    unit = ReferenceUnit("emu:aarch64", "openssl")

    def counted(instructions):
        return ReferenceCase("x25519", "openssl", "agree", 0, {"instructions": instructions})

    before = counted(348_096)
    reference = Reference(unit.target, {}, {before.key: before})
    assert changes(reference, Made(unit, (counted(348_188),), {})) == []
    (change,) = changes(reference, Made(unit, (counted(352_000),), {}))
    assert change.now is not None and change.now.values == {"instructions": 352_000}


def test_another_wording_of_a_failure_is_no_change():
    _, reference = kept()
    again = ReferenceCase(*FAILED.key, {}, "too-big", "in other words")
    assert (
        changes(reference, Made(ReferenceUnit("sim:atmega2560", "mote/blowfish"), (again,), {}))
        == []
    )


def test_failures_of_the_catalog_name_no_folder_of_a_checkout():
    failures = [
        row["message"]
        for file in sorted((catalog_dir() / "reference").glob("*.csv.gz"))
        for row in csv.DictReader(text_of(file).splitlines())
        if row["failure"]
    ]
    assert failures
    assert not [message for message in failures if re.search(r"/\S+/(build|core|probes)/", message)]


def test_a_sample_is_that_of_its_seed():
    wanted = [ReferenceUnit("sim:x", f"mote/{letter}") for letter in "abcdefgh"]
    assert sample(wanted, 3, 1) == sample(list(reversed(wanted)), 3, 1)
    assert len({tuple(sample(wanted, 3, seed)) for seed in range(5)}) > 1


def test_units_of_a_board_are_all_implementations_that_it_has():
    if "mote/xtea" not in open_target("sim:samd21g18a").implementations():
        pytest.skip("no firmware for the SAMD21 can be built: tools/setup.sh boards")
    names = {unit.implementation for unit in units(["sim:samd21g18a"])}
    assert {"mote/xtea", "bearssl/x25519"} <= names


def test_units_of_another_optimisation_level_are_those_that_the_study_names():
    names = {unit.implementation for unit in units(["sim:samd21g18a"])}
    levels = {name for name in names if "@" in name}
    assert {"mote/aes-ct@O2", "mbedtls-3/aes@O2", "monocypher/x25519@O2"} <= levels
    assert all(name.endswith("@O2") and name.removesuffix("@O2") in names for name in levels)
    assert not any("@" in unit.implementation for unit in units(["sim:atmega4809"]))


def test_results_of_a_variant_keep_the_flags_of_the_table(place):
    table.write("sim:atmega2560", {"compiler": "avr-gcc", "flags": "-Os"}, [GOOD])
    unit = ReferenceUnit("sim:atmega2560", "mote/aes-fast@O2")
    case = replace(GOOD, implementation="mote/aes-fast@O2")
    _keep(
        unit.target, [Made(unit, (case,), {"compiler": "avr-gcc", "flags": "-O2"})], replaced=False
    )
    reference = table.references()["sim:atmega2560"]
    assert reference.provenance["flags"] == "-Os"
    assert set(reference.entries) == {GOOD.key, case.key}


def test_longest_units_are_measured_first():
    long = ReferenceCase("aes-128-ecb", "mote/aes-small", "encrypt", 16, {"cycles": 90_000_000})
    path, _ = kept((GOOD, long, FAILED))
    names = ("mote/blowfish", "mote/aes-fast", "mote/aes-small", "mote/new")
    of_names = [ReferenceUnit("sim:atmega2560", name) for name in names]
    assert [unit.implementation for unit in longest_first(of_names)] == [
        "mote/new",
        "mote/aes-small",
        "mote/aes-fast",
        "mote/blowfish",
    ]
    path.write_text("damaged")
    table.references.cache_clear()
    assert longest_first(of_names) == of_names


def test_workers_end_with_the_process_that_started_them():
    code = (
        "import time; from motebench.advise.reference.make import Processes\n"
        "if __name__ == '__main__': list(Processes(1).each(time.sleep, [600]))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    try:
        until(lambda: len(spawned(parent.pid)) == 1)
        (worker,) = spawned(parent.pid)
        threads = Path(f"/proc/{worker}/task")
        until(lambda: len(list(threads.iterdir())) > 1)  # it waits for the end of its parent
    finally:
        parent.kill()
        parent.wait()
    until(lambda: not threads.exists())


def test_units_that_have_not_begun_are_dropped_with_the_wait_for_them(tmp_path):
    units = [("touch", str(tmp_path / str(number))) for number in range(400)]
    results = make.Processes(1).each(subprocess.call, units)
    assert next(results)[1] == 0
    results.close()
    assert len(list(tmp_path.iterdir())) < len(units)


def test_no_thread_of_the_workers_outlives_their_results():
    before = set(threading.enumerate())
    assert len(list(make.Processes(2).each(sum, [(1, 2), (3, 4)]))) == 2
    assert set(threading.enumerate()) <= before


def spawned(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def until(happened):
    end = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_study_of_reference_results_names_what_is_exact():
    assert targets() and all(name.startswith(("sim:", "emu:")) for name in targets())
    assert json.dumps(targets())


# Flow of secrets

GCC = "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205, newlib-nano 3.3.0"


def followed(operation="encrypt", by="a", **values):
    counted = {"inputs": 12, "lines": 10, "ran": 9, "compiler": GCC, "flags": "-Os", "code": "1"}
    return FlowResult(
        scheme="aes-128-ecb", implementation=by, operation=operation, **(counted | values)
    )


def shown(device, by="a"):
    return shown_flow(devices()[device], "aes-128-ecb", by)


def test_flows_are_read_as_they_were_written():
    results = (followed("decrypt"), followed(public="check, done"), followed("encrypt", by="b"))
    write_flows("sim:nrf52840", reversed(results))
    assert dict(flows("sim:nrf52840")) == {
        ("aes-128-ecb", "a"): results[:2],
        ("aes-128-ecb", "b"): results[2:],
    }
    assert flows("sim:stm32l4") == {}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("scheme,", "cipher,", "columns"),
        (",12,10,", ",12,", "the row has 16 columns"),
        (",12,10,", ",12,ten,", "not a number"),
        ("encrypt", "knead", "unknown operation"),
        (",0,0,0,12,", ",0,1,0,12,", "contradicts itself"),
    ],
)
def test_a_damaged_flow_is_refused(before, after, words):
    path = write_flows("sim:nrf52840", [followed()])
    path.write_text(path.read_text().replace(before, after))
    table._flows.cache_clear()
    with pytest.raises(InputError, match=words):
        dict(flows("sim:nrf52840"))
    assert flow_file("sim:nrf52840") == path


def test_a_verdict_names_board_compiler_and_level():
    write_flows("sim:nrf52840", [followed()])
    flow = shown("nrf52840")
    assert flow is not None and not flow.reaches
    assert flow.words == ("no secret reaches time on this path (sim:nrf52840, GCC 12.2.1, -Os)")
    assert shown("stm32l4") == flow  # the same core
    assert shown("samd21g18a") is None
    assert shown("nrf52840", by="b") is None


def test_addresses_say_nothing_of_another_memory_but_branches_do():
    write_flows("sim:nrf52840", [followed(notes=1, first="f, address of a load")])
    assert shown("nrf52840").reaches is False
    assert shown("stm32l4") is None
    write_flows("sim:nrf52840", [followed(errors=1, addresses=1, first="f, address of a load")])
    assert shown("nrf52840").reaches is True
    assert shown("stm32l4") is None
    write_flows("sim:nrf52840", [followed(errors=1, first="f, branch at a.c:3")])
    assert shown("stm32l4").words == (
        "a secret reaches time: f, branch at a.c:3 (sim:nrf52840, GCC 12.2.1, -Os)"
    )


def test_a_case_that_was_not_followed_leaves_no_verdict_unless_another_has_an_error():
    lacking = followed("decrypt", inputs=0, failure="unsupported: places of secrets")
    write_flows("sim:nrf52840", [followed(), lacking])
    assert shown("nrf52840") is None
    write_flows("sim:nrf52840", [followed(errors=1, first="f, branch"), lacking])
    assert shown("nrf52840").reaches


def test_descriptions_put_equal_verdicts_together():
    write_flows("sim:nrf52840", [followed(), followed(by="b", errors=1, first="f, branch")])
    write_flows("sim:stm32l4", [followed()])
    clean = "no secret reaches time on this path (GCC 12.2.1, -Os)"
    assert flows_of_scheme("aes-128-ecb") == {
        "a": f"sim:nrf52840, sim:stm32l4: {clean}",
        "b": "sim:nrf52840: a secret reaches time: f, branch (GCC 12.2.1, -Os)",
    }
    assert flows_of_implementation("a") == {
        "sim:nrf52840": f"aes-128-ecb: {clean}",
        "sim:stm32l4": f"aes-128-ecb: {clean}",
    }


def test_code_is_followed_again_only_if_it_changed(monkeypatch):
    unit = make.FlowUnit("sim:nrf52840", "a", "aes-128-ecb", ("encrypt",), 16, 100)
    done = []
    monkeypatch.setattr(make, "flow_units", lambda selection: [unit])
    monkeypatch.setattr(make, "flow_code", lambda unit: code)
    monkeypatch.setattr(
        make, "follow_unit", lambda unit, code: done.append(code) or (followed(code=code, **extra),)
    )

    def update():
        return len(list(make.update_flows(Selection(), lambda text: None)))

    code, extra = "1", {}
    assert (update(), update()) == (1, 0)
    code = "2"
    assert (update(), update()) == (1, 0)
    assert [result.code for result in flows("sim:nrf52840")["aes-128-ecb", "a"]] == ["2"]
    code, extra = "3", {"failure": "build: the machine is busy", "inputs": 0}
    assert (update(), update()) == (1, 1)  # no result: another attempt
    assert done == ["1", "2", "3", "3"]
