"""Emulated processors: the plugin's count equals QEMU's own log of single steps, to the
instruction.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Motebench

from motebench.base.model import FailureKind, Operation
from motebench.base.paths import data_root, probes_in
from motebench.targets.host.cross_machines import cross_machines, cross_probes
from motebench.targets.host.emulated import Emulation, plugin
from motebench.targets.host.machine import Program
from motebench.targets.registry import open_target
from motebench.targets.wire import frames
from motebench.targets.wire.messages import Job, ProbeFailure

OWN = "mote/aes-small"
JOB = Job(scheme="aes-128-ecb", operation="encrypt", key=bytes(range(16)), data=bytes(16))
STEP = re.compile(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")
"""A line of the log: one block that was run, which is one instruction, and the address of it."""


class ThisProcessor(Emulation):
    """The probes of this machine, emulated: they are there without a compiler for other
    machines.
    """

    def probes(self) -> Mapping[str, str]:
        return {
            name: str(path) for name, path in probes_in([data_root() / "build" / "probes"]).items()
        }


@pytest.fixture
def here() -> ThisProcessor:
    if platform.machine() != "x86_64":
        pytest.skip("the probes of this machine are not for x86-64")
    if shutil.which("qemu-x86_64") is None or not plugin().exists():
        pytest.skip("QEMU's user emulation or its plugin is not here: tools/setup.sh tests")
    return ThisProcessor("x86_64", cross_machines()["x86_64"])


def by_single_steps(machine: str, probe: str, job: Job, log: Path) -> tuple[int, int]:
    """Instructions between the two readings of the counter: as the plugin counts them, and as QEMU
    logs them.

    The probe gets one request, so that its log stays short. The same code reads the counter before
    and after, so that the address of that code comes twice in the log, as far apart as the
    readings.
    """
    emulator = cross_machines()[machine].emulator
    stepping = ["-singlestep", "-d", "exec,nochain", "-D", log]
    request = {"id": 1, "do": "measure", **job.fields(), "batch": 1, "count": 1, "warm": 0}
    done = subprocess.run(
        [emulator.program, "-cpu", emulator.cpu, "-plugin", plugin(), *stepping, probe],
        input=frames.encode(request),
        capture_output=True,
        timeout=1200,
        check=True,
        env={**os.environ, **emulator.environment},
    )
    (reply,) = frames.Receiver().feed(done.stdout)
    (counted,) = reply["ok"]["counts"]
    steps = [int(match[1], 16) for line in log.open() if (match := STEP.match(line))]
    symbols = subprocess.run(["nm", probe], capture_output=True, text=True, check=True).stdout
    words = [
        line.split()
        for line in symbols.splitlines()
        if line.endswith((" main", " mb_count_read", " mb_port_clock"))
    ]
    places = {name: int(address, 16) & ~1 for address, _, name in words}
    # A program that may lie anywhere was moved by some whole pages.
    seen, reading = set(steps), places["mb_count_read"]
    moved = {step - reading for step in seen if (step - reading) % 4096 == 0}
    fits = {by for by in moved if {place + by for place in places.values()} <= seen}
    (by,) = {0} & fits or fits
    before, after = [at for at, step in enumerate(steps) if step == reading + by][-2:]
    return counted, after - before


def test_plugin_counts_what_single_steps_show(here: ThisProcessor, tmp_path: Path) -> None:
    for data in (bytes(16), bytes(160)):
        job = Job(scheme="aes-128-ecb", operation="encrypt", key=bytes(16), data=data)
        counted, logged = by_single_steps("x86_64", here.probes()[OWN], job, tmp_path / "log")
        assert counted == logged > 100


def test_counts_are_the_same_in_every_process(here: ThisProcessor) -> None:
    taken = []
    for _ in range(2):
        session = here.start(Program((here.probes()[OWN],)))
        try:
            assert session.hello.clock.hz == 0
            assert session.hello.clock.name == "instructions"
            assert not {"memory", "file"} & session.hello.does
            timing = session.measure(JOB, batch=1, count=5, warm=0, timeout=60)
            many = session.measure(JOB, batch=11, count=1, warm=0, timeout=60)
            taken.append((*timing.ticks, session.hello.clock.overhead, many.ticks[0]))
        finally:
            session.close()
    assert taken[0] == taken[1]
    once, overhead, eleven = taken[0][0], taken[0][5], taken[0][6]
    assert set(taken[0][:5]) == {once}
    # One iteration in eleven takes what one takes alone, beside harness overhead that is
    # subtracted.
    assert (eleven - once) / 10 == pytest.approx(once - overhead, rel=0.02)


LEAST_PRODUCT = 50_000
"""Least instructions of a multiplication of a point of a 256-bit curve by a scalar in software."""


@pytest.mark.long
def test_key_generation_makes_the_public_key_too(here: ThisProcessor) -> None:
    short, seen = [], 0
    for implementation, path in here.probes().items():
        if not Path(path).read_bytes().startswith(b"\x7fELF"):
            continue  # the probe of an interpreter, which cannot be emulated alone
        session = here.start(Program((path,)))
        try:
            offers = session.offers()
            for scheme in sorted(
                {"ecdsa-p256-sha256", "ecdh-p256", "ed25519", "x25519"} & set(offers)
            ):
                if Operation.KEYGEN not in offers[scheme].operations:
                    continue
                job, seen = Job(scheme, Operation.KEYGEN), seen + 1
                (count,) = session.measure(job, batch=1, count=1, warm=1, timeout=120).ticks
                short += [(implementation, scheme, count)] if count < LEAST_PRODUCT else []
        finally:
            session.close()
    assert seen and not short


def test_probe_that_crashes_is_named(here: ThisProcessor, tmp_path: Path) -> None:
    program = tmp_path / "crash"
    source = tmp_path / "crash.c"
    source.write_text("int main(void) { *(volatile int *)8 = 1; return 0; }\n")
    subprocess.run(["cc", "-O0", "-o", program, source], check=True)
    with pytest.raises(ProbeFailure, match="SIGSEGV") as caught:
        here.start(Program((str(program),)))
    assert caught.value.kind is FailureKind.CRASH


def test_probe_of_another_architecture_does_not_start(here: ThisProcessor) -> None:
    other = Emulation("aarch64", cross_machines()["aarch64"])
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("no qemu-aarch64")
    with pytest.raises(ProbeFailure, match="Invalid ELF image"):
        other.start(Program((here.probes()[OWN],)))


def test_emulator_that_does_not_count_is_refused(
    here: ThisProcessor, tmp_path: Path, monkeypatch
) -> None:
    uncounted = tmp_path / "qemu-x86_64"
    uncounted.write_text('#!/bin/sh\nfor last; do :; done\nexec "$last"\n')
    uncounted.chmod(uncounted.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(ProbeFailure, match="does not count"):
        here.start(Program((here.probes()[OWN],)))


MACHINES = sorted(cross_machines())


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    """A machine with a probe, which is built if it is not there."""
    name: str = request.param
    if shutil.which(cross_machines()[name].emulator.program) is None:
        pytest.skip("QEMU's user emulation is not here: tools/setup.sh tests")
    open_target(f"emu:{name}").prepare([OWN])
    assert OWN in cross_probes(name)
    return name


@pytest.mark.long
def test_cross_built_probe_is_counted_exactly(machine: str, tmp_path: Path) -> None:
    session = open_target(f"emu:{machine}").open(OWN)
    try:
        plain = session.measure(JOB, batch=1, count=1, warm=0, timeout=60).ticks[0]
    finally:
        session.close()
    counted, logged = by_single_steps(
        machine, str(cross_probes(machine)[OWN]), JOB, tmp_path / "log"
    )
    assert counted == logged == plain


def by_valgrind(probe: str, job: Job, batch: int, folder: Path) -> int:
    """Instructions between the two readings of the clock, as Valgrind counts them."""
    folder.mkdir()
    request = {"id": 1, "do": "measure", **job.fields(), "batch": batch, "count": 1, "warm": 0}
    files = ("--dump-before=mb_port_counter", f"--callgrind-out-file={folder}/counts")
    words = ["valgrind", "--tool=callgrind", *files, probe]
    subprocess.run(
        words, input=frames.encode(request), capture_output=True, timeout=1200, check=True
    )
    # The parts: before the first reading, from it to the second (.2), after that.
    total = re.search(
        r"^(?:totals|summary): (\d+)", (folder / "counts.2").read_text(), re.MULTILINE
    )
    assert total is not None
    return int(total[1])


@pytest.mark.long
def test_plugin_counts_what_valgrind_counts(tmp_path: Path) -> None:
    """The same program on this processor and on an emulated one: each operation takes as many
    instructions on both. The readings themselves differ, because they read other counters, always
    by as many instructions.
    """
    if (
        platform.machine() != "x86_64"
        or shutil.which("valgrind") is None
        or shutil.which("qemu-x86_64") is None
    ):
        pytest.skip(
            "this machine is not x86-64, or has no Valgrind or QEMU's user emulation: "
            "tools/setup.sh tests"
        )
    jobs = {
        OWN: [
            JOB,
            replace(JOB, data=bytes(160)),
            replace(JOB, scheme="aes-128-ctr", nonce=bytes(16), data=bytes(33)),
        ],
        "mote/sha-256": [Job(scheme="sha256", operation="digest", data=bytes(200))],
    }
    target = open_target("emu:x86_64")
    target.prepare([*jobs])
    readings = set()
    for implementation, asked in jobs.items():
        probe = str(cross_probes("x86_64")[implementation])
        session = target.open(implementation)
        try:
            for number, job in enumerate(asked):
                for batch in (1, 30, 60):
                    (here,) = session.measure(job, batch=batch, count=1, warm=0, timeout=60).ticks
                    folder = tmp_path / f"{implementation.partition('/')[2]}-{number}-{batch}"
                    assert here > 100 * batch
                    readings.add(by_valgrind(probe, job, batch, folder) - here)
        finally:
            session.close()
    assert len(readings) == 1 and 0 <= readings.pop() < 20


@pytest.mark.long
def test_run_from_end_to_end(machine: str, motebench: Motebench) -> None:
    asked = (
        "--target",
        f"emu:{machine}",
        "--implementation",
        OWN,
        "--scheme",
        "aes-128-ecb",
        "--size",
        "16,64",
    )
    medians = []
    for _ in range(2):
        assert motebench("run", *asked, timeout=600).code == 0
        document = motebench("show", "--json").json
        assert {entry["metric"] for entry in document["measurements"]} == {"instructions"}
        assert {entry["evidence"] for entry in document["measurements"]} == {"simulated"}
        assert all(
            entry["min"] == entry["max"] and entry["n"] >= 2 for entry in document["measurements"]
        )
        medians.append([entry["median"] for entry in document["measurements"]])
    assert medians[0] == medians[1]
    table = motebench("show").out
    assert "neither time nor cycles" in table
    assert "time ↓" not in table
    checked = motebench("verify", "--target", f"emu:{machine}", "--implementation", OWN)
    assert checked.code == 0


@pytest.mark.long
@pytest.mark.parametrize("library", ["openssl", "mbedtls", "libsodium"])
def test_whole_library_is_counted_exactly(library: str, tmp_path: Path) -> None:
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("no qemu-aarch64")
    target = open_target("emu:aarch64")
    target.prepare([library])
    assert library in cross_probes("aarch64")
    session = target.open(library)
    try:
        job = Job(scheme="sha256", operation="digest", data=bytes(200))
        plain = session.measure(job, batch=1, count=1, warm=0, timeout=60).ticks[0]
        assert session.hello.arch == "aarch64"
    finally:
        session.close()
    counted, logged = by_single_steps(
        "aarch64", str(cross_probes("aarch64")[library]), job, tmp_path / "log"
    )
    assert counted == logged
    # First use in a process, and what other jobs left in memory
    assert counted == pytest.approx(plain, abs=200)


@pytest.mark.long
def test_features_that_the_processor_should_not_have_are_hidden() -> None:
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("no qemu-aarch64")
    target = open_target("emu:aarch64")
    target.prepare(["openssl", "libsodium"])
    counts = []
    for implementation in ("openssl", "openssl@no-crypto"):
        session = target.open(implementation)
        job = Job(scheme="sha256", operation="digest", data=bytes(1024))
        counts.append(session.measure(job, batch=1, count=2, warm=1, timeout=60).ticks[0])
        session.close()
    assert counts[0] == pytest.approx(counts[1], rel=0.01)
    session = target.open("libsodium")
    assert "aes-256-gcm" not in session.offers()  # which needs AES instructions
    session.close()
