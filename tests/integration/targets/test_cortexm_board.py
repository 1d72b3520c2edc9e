"""Simulated Cortex-M boards: the flash, where code lies, two boards at once, and firmware that goes
wrong.
"""

from __future__ import annotations

import importlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import code_folders as folders
import pytest

from motebench.base.model import FailureKind
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from tests.integration.conftest import need_simulator
from tests.support import board_counts
from tests.support.board_counts import KNOWN, USUAL, opened, rounds

# The package has a function of that name
building = importlib.import_module("motebench.targets.firmware.build")
DEVICE = devices()["samd21g18a"]
LINE = 8
"""Bytes of a line of the flash."""


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    need_simulator(DEVICE)


def cycles(image, job, settings=USUAL):
    (count,) = board_counts.cycles(DEVICE, image, job, settings=settings)
    return count


def known(tmp_path, **changes):
    """The adapter of known cost, with words of its source replaced."""
    text = KNOWN.read_text()
    for before, after in changes.values():
        assert before in text
        text = text.replace(before, after, 1)
    source = tmp_path / "known.c"
    source.write_text(text)
    return building.assemble(DEVICE, building.FirmwareParts([(source, ())]), "Os")


@pytest.mark.parametrize(
    "settings", [BoardSettings(), BoardSettings(wait_states=0), BoardSettings(0, True)], ids=str
)
def test_a_loop_in_one_line_of_the_flash_waits_once_at_most(tmp_path, settings):
    image = known(tmp_path)
    around = cycles(image, rounds(1), settings) - 4 * 256
    assert 0 < around < 200
    assert cycles(image, rounds(200), settings) == around + 4 * 256 * 200


def test_without_its_cache_the_flash_waits_in_every_round(tmp_path):
    image = known(tmp_path)
    per_round = (
        cycles(image, rounds(200), BoardSettings(no_cache=True))
        - cycles(image, rounds(100), BoardSettings(no_cache=True))
    ) / (100 * 256)
    assert 4 < per_round <= 8


def test_the_cache_is_empty_when_an_operation_begins(tmp_path):
    # What ran before must not matter: a first and a later reading are the same although the probe
    # did much in between.
    image = known(tmp_path)
    session = opened(DEVICE, image)
    try:
        first = session.measure(rounds(1), batch=1, count=1, warm=0, timeout=60).counts[0]
        session.memory(Job(scheme="known-deep", operation="digest", data=Fill(1, 100)))
        assert session.measure(rounds(1), batch=1, count=1, warm=5, timeout=60).counts[0] == first
    finally:
        session.close()


def symbols(image):
    """Address, type and name of everything in the firmware."""
    said = subprocess.run(
        ["arm-none-eabi-nm", "-n", image.path], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in said.splitlines() if len(line.split()) == 3]
    return [(int(address, 16), kind, name) for address, kind, name in rows]


def test_what_is_measured_lies_first_and_each_function_begins_a_line():
    image = building.build(DEVICE, "mote/aes-small", schemes()["aes-128-ecb"], "Os")
    found = symbols(image)
    address = {name: at for at, _, name in found}
    code = [at for at, kind, name in found if kind in "tT" and 0x2100 <= at < address["memcpy"]]
    assert address["mb_flash_begin"] == 0x2000
    assert min(code) == 0x2100
    assert len(code) > 5 and all(at % LINE == 0 for at in code)
    assert address["mote_ecb"] < address["memcpy"] < address["mb_answer"]
    assert address["mb_time_batch"] >= 0x20000000


@pytest.mark.parametrize(
    ("implementation", "scheme"), [("mote/aes-small", "aes-128-ecb"), ("mote/des", "des-eax")]
)
def test_another_probe_does_not_move_results(monkeypatch, implementation, scheme):
    info = schemes()[scheme]
    job = Job(
        scheme,
        "encrypt-message",
        bytes(info.key_bytes),
        bytes(info.nonce_bytes),
        data=Fill(1, 100),
        tag_bytes=8,
    )
    build = building.build.__wrapped__
    one = build(DEVICE, implementation, info, "Os")
    monkeypatch.setattr(building, "PROBE_LEVEL", "O2")
    other = build(DEVICE, implementation, info, "Os")
    assert one.flash != other.flash
    assert cycles(one, job) == cycles(other, job)


def test_two_boards_at_once_count_the_same_twice():
    image = building.build(DEVICE, "mote/aes-fast", schemes()["aes-128-eax"], "Os")
    job = Job(
        "aes-128-eax", "encrypt-message", bytes(16), bytes(16), data=Fill(1, 333), tag_bytes=16
    )
    for _ in range(2):
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(lambda _: cycles(image, job), range(2)))
        assert len(set(both)) == 1
        assert both[0] == cycles(image, job)


def failure(image, timeout=60.0):
    session = opened(DEVICE, image)
    try:
        with pytest.raises(ProbeFailure) as caught:
            session.measure(rounds(1), batch=1, count=1, warm=0, timeout=timeout)
        return caught.value
    finally:
        session.close()


WORK = "loop((uint16_t)(job->in_len << 8));"


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ('__asm__ volatile("udf #7");', "undefined"),
        ("*(volatile uint32_t *)(void *)(job->out + 1) = 1;", "unaligned"),
        ("*(volatile uint32_t *)(uintptr_t)0x70000000 = 1;", "0x70000000"),
    ],
)
def test_a_fault_is_a_crash_that_says_which(tmp_path, wrong, word):
    found = failure(known(tmp_path, work=(WORK, wrong)))
    assert found.kind is FailureKind.CRASH
    assert word in found.message


def test_a_stack_that_comes_down_to_the_job_says_what_is_missing(tmp_path):
    # A routine that uses what is free and a little more, and comes back.
    with pytest.raises(ProbeFailure) as caught:
        session = opened(DEVICE, known(tmp_path))
        try:
            session.compute(Job(scheme="known-deep", operation="digest", data=Fill(1, 15_800)))
        finally:
            session.close()
    assert caught.value.kind is FailureKind.TOO_BIG
    assert "the stack ran over its end" in caught.value.message


def test_a_stack_without_end_is_a_crash(tmp_path):
    deep = (
        "static volatile int more = 1;\nstatic int fall(int n) { volatile char b[200]; b[0] = 1; "
    )
    deep += "return more ? fall(n + 1) + b[0] : 0; }\n"
    image = known(
        tmp_path,
        work=(WORK, "job->out[0] = (uint8_t)fall(1);"),
        top=("static const mb_scheme", deep + "static const mb_scheme"),
    )
    found = failure(image)
    assert found.kind is FailureKind.CRASH
    assert "stack overflow" in found.message


def test_firmware_that_hangs_is_a_timeout(tmp_path):
    found = failure(known(tmp_path, work=(WORK, 'for (;;) __asm__ volatile("");')), timeout=1.0)
    assert found.kind is FailureKind.TIMEOUT


def test_firmware_that_prints_garbage_is_a_failure_of_its_kind(tmp_path):
    noise = "for (uint32_t i = 1;; i = i * 1664525u + 1013904223u) "
    noise += "*(volatile uint16_t *)(uintptr_t)0x42001C28 = (uint8_t)(i >> 24);"
    found = failure(known(tmp_path, work=(WORK, noise)), timeout=2.0)
    assert found.kind in (FailureKind.TIMEOUT, FailureKind.LOST)


def test_options_of_the_flash_show_what_it_does_and_are_kept_apart(motebench):
    asked = (
        "run",
        "--target",
        "sim:samd21g18a",
        "--implementation",
        "mote/xtea",
        "--scheme",
        "xtea-ecb",
    )
    asked += ("--operation", "encrypt", "--size", "64", "--json")

    def took(*options):
        done = motebench(*asked, *options)
        assert done.code == 0, done.err
        (row,) = (row for row in done.json["measurements"] if row["metric"] == "cycles")
        return row["target"], row["median"]

    name, plain = took()
    assert name == "sim:samd21g18a"
    assert took("--wait-states", "1") == (name, plain)
    without, slow = took("--no-cache")
    never, fast = took("--wait-states", "0")
    assert (without, never) == ("sim:samd21g18a+no-cache", "sim:samd21g18a+wait-states=0")
    assert fast < plain < slow


def test_a_board_whose_stack_is_in_far_ram_takes_longer(motebench):
    asked = (
        "run",
        "--target",
        "sim:cortex-m4-nows,sim:cortex-m4-nows+far-ram,sim:cortex-m4-nows+far-ram+large-ram",
        "--implementation",
        "mote/xtea",
    )
    done = motebench(
        *asked, "--scheme", "xtea-ecb", "--operation", "encrypt", "--size", "64", "--json"
    )
    assert done.code == 0, done.err
    took = {
        row["target"]: row["median"]
        for row in done.json["measurements"]
        if row["metric"] == "cycles"
    }
    near, far = took["sim:cortex-m4-nows"], took["sim:cortex-m4-nows+far-ram"]
    assert near < far < 1.2 * near
    assert took["sim:cortex-m4-nows+far-ram+large-ram"] == far


def test_a_stack_beyond_the_ram_of_the_core_fits_large_ram(motebench, tmp_path):
    folder = folders.submission(tmp_path / "code")
    source = folder / "encrypt.c"
    deep = "(void)nsec; volatile unsigned char deep[300000]; deep[0] = deep[299999] = 1;"
    source.write_text(source.read_text().replace("(void)nsec;", deep, 1))
    targets = ("sim:cortex-m4-nows", "sim:cortex-m4-nows+large-ram")
    asked = ("--operation", "encrypt-message", "--size", "16", "--aad", "0", "--json")
    done = motebench("run", "--code", str(folder), "--target", ",".join(targets), *asked)
    assert {failure["target"]: failure["kind"] for failure in done.json["failures"]} == {
        targets[0]: "too-big"
    }
    depth = [row["median"] for row in done.json["measurements"] if row["metric"] == "stack"]
    assert len(depth) == 1 and 300000 < depth[0] < 302000


def test_options_of_the_flash_are_refused_where_there_is_none(motebench):
    done = motebench(
        "verify", "--target", "sim:atmega2560", "--implementation", "mote/xtea", "--no-cache"
    )
    assert done.code == 2
    assert "--no-cache" in done.err and "sim:samd21g18a" in done.err
