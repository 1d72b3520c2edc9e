"""Firmware as files: the same image elsewhere, and firmware that runs alone under other people's
simulator.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import code_folders as folders
import pytest

from motebench.base.paths import data_root
from motebench.catalog import schemes
from motebench.catalog.devices import programmable
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import build

SIMAVR = shutil.which("simavr")
CASE = ("--implementation", "mote/speck", "--scheme", "speck-64-128-ecb")
COLOURS = re.compile(r"\x1b\[\d*m")


@pytest.fixture(autouse=True)
def tools():
    if (
        shutil.which("avr-gcc") is None
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("avr-gcc or the simulator is missing; motebench doctor names the line")


def said_alone(path, device):
    """Steps and results on the serial line of a board in simavr, without a host."""
    done = subprocess.run(
        [str(SIMAVR), "-m", device.mcu, "-f", str(device.clock_hz), str(path)],
        capture_output=True,
        text=True,
        timeout=1200,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    lines = [line.rstrip(".") for line in COLOURS.sub("", done.stdout + done.stderr).splitlines()]
    assert "end" in lines
    return dict(
        line.rsplit(": ", 1) for line in lines if line.count(": ") >= 1 and "output" in line
    )


@pytest.mark.skipif(
    SIMAVR is None,
    reason="the program simavr is not installed; make test installs it where apt may",
)
@pytest.mark.parametrize("name", [pytest.param("atmega2560", marks=pytest.mark.long), "atmega328p"])
def test_the_program_simavr_counts_the_same_cycles(motebench, tmp_path, name):
    target = f"sim:{name}"
    operations = ("--operation", "key-setup,encrypt,decrypt")
    run = motebench(
        "run", "--target", target, *CASE, *operations, "--size", "64", "--json", "--budget", "60s"
    )
    measured = {
        row["operation"]: int(row["median"])
        for row in run.json["measurements"]
        if row["metric"] == "cycles"
    }
    done = motebench(
        "firmware",
        "--target",
        target,
        *CASE,
        "--alone",
        *operations,
        "--size",
        "64",
        "-o",
        "alone.elf",
    )
    assert done.code == 0, done.err
    said = said_alone(tmp_path / "alone.elf", programmable()[name])
    known = [words for words in said if "known answer" in words]
    assert len(known) == 1 and said.pop(known[0]) == "output right"
    assert said == {
        words: f"{measured[words.split()[0]]} cycles, output right"
        for words in ("key-setup", "encrypt 64 B", "decrypt 64 B")
    }


@pytest.mark.skipif(
    SIMAVR is None,
    reason="the program simavr is not installed; make test installs it where apt may",
)
def test_a_wrong_answer_is_told(monkeypatch, tmp_path):
    from motebench.measuring import images

    monkeypatch.setattr(images, "_crc_of", lambda *_: 12345)
    case = ("sim:atmega328p", "mote/xtea", "xtea-ecb")
    images.write_firmware(
        Workspace(), *case, tmp_path / "wrong.elf", alone=(("encrypt",), "8"), force=False
    )
    said = said_alone(tmp_path / "wrong.elf", programmable()["atmega328p"])
    assert sorted(what.rpartition(", ")[2] for what in said.values()) == [
        "output WRONG",
        "output right",
    ]


@pytest.mark.skipif(
    SIMAVR is None,
    reason="the program simavr is not installed; make test installs it where apt may",
)
def test_user_code_runs_alone_and_counts_the_same_cycles(motebench, tmp_path):
    folder = str(folders.submission(tmp_path))
    case = ("--target", "sim:atmega2560", "--code", folder, "--implementation", "code/ref@O1")
    case = (*case, "--scheme", "ascon-aead128", "--operation", "encrypt-message", "--size", "32")
    run = motebench("run", *case, "--json", "--budget", "60s")
    measured = [int(row["median"]) for row in run.json["measurements"] if row["metric"] == "cycles"]
    done = motebench("firmware", *case, "--alone", "-o", "alone.elf")
    assert done.code == 0, done.err
    said = said_alone(tmp_path / "alone.elf", programmable()["atmega2560"])
    known = [words for words in said if "known answer" in words]
    assert len(known) == 1 and said.pop(known[0]) == "output right"
    assert said == {"encrypt-message 32 B": f"{measured[0]} cycles, output right"}


def test_code_without_known_answers_runs_alone_only_if_that_is_asked_for(motebench, tmp_path):
    case = (
        "--target",
        "sim:atmega328p",
        "--code",
        str(folders.aead(tmp_path / "bare")),
        "--alone",
        "-o",
        "x.elf",
    )
    done = motebench("firmware", *case)
    assert done.code == 7 and "no known answers" in done.err
    assert motebench("firmware", *case, "--without-kat").code == 0
    assert (tmp_path / "x.elf").read_bytes()[:4] == b"\x7fELF"


def test_the_image_is_the_one_that_is_measured(motebench, tmp_path):
    assert motebench("firmware", "--target", "sim:atmega2560", *CASE, "-o", "a.elf").code == 0
    image = build(programmable()["atmega2560"], "mote/speck", schemes()["speck-64-128-ecb"], "Os")
    assert (tmp_path / "a.elf").read_bytes() == image.path.read_bytes()


def test_hex_and_plain_bytes_are_the_flash_of_the_image(motebench, tmp_path):
    for output in ("a.hex", "a.bin"):
        assert motebench("firmware", "--target", "sim:atmega328p", *CASE, "-o", output).code == 0
    image = build(programmable()["atmega328p"], "mote/speck", schemes()["speck-64-128-ecb"], "Os")
    flash = (tmp_path / "a.bin").read_bytes()
    assert len(flash) == image.flash
    data = b"".join(
        bytes.fromhex(line[9:-2])
        for line in (tmp_path / "a.hex").read_text().split()
        if line[7:9] == "00"
    )
    assert data == flash


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "host", *CASE), "host is not a board"),
        (
            (
                "--target",
                "sim:atmega2560",
                "--implementation",
                "mote/nobody",
                "--scheme",
                "xtea-ecb",
            ),
            "mote/nobody",
        ),
        (
            ("--target", "sim:atmega2560", *CASE, "--alone", "--operation", "sign"),
            "does not have the operation 'sign'",
        ),
    ],
)
def test_what_cannot_be_exported_says_why(motebench, arguments, words):
    done = motebench("firmware", *arguments, "-o", "x.elf")
    assert done.code == 2
    assert words in done.err


def test_what_does_not_fit_is_no_file(motebench, tmp_path):
    arguments = ("--implementation", "mote/aes-ct", "--scheme", "aes-128-gcm", "-o", "x.elf")
    done = motebench("firmware", "--target", "sim:atmega328p", *arguments)
    assert done.code == 7
    assert "too-big" in done.err and "missing" in done.err
    assert not (tmp_path / "x.elf").exists()


def test_a_scheme_that_the_implementation_has_not(motebench, tmp_path):
    """Its firmware could be built, and would hold no cipher."""
    named = ("--implementation", "mote/speck", "--scheme", "sha256")
    done = motebench("firmware", "--target", "sim:atmega2560", *named, "-o", "speck.elf")
    assert done.code == 2
    assert "mote/speck does not offer sha256" in done.err
    assert "motebench describe sha256" in done.err
    assert not (tmp_path / "speck.elf").exists()


@pytest.mark.parametrize(
    ("implementation", "scheme", "steps"),
    [
        ("mlkem-native/ml-kem", "ml-kem-512", {"keygen", "encapsulate", "decapsulate"}),
        ("mote/ml-dsa", "ml-dsa-44", {"verify 32 B"}),
    ],
)
def test_public_keys_run_alone(motebench, tmp_path, implementation, scheme, steps):
    case = (
        "--target",
        "sim:samd21g18a",
        "--implementation",
        implementation,
        "--scheme",
        scheme,
        "--size",
        "32",
    )
    done = motebench("firmware", *case, "--alone", "-o", "alone.elf")
    assert done.code == 0, done.err
    device = programmable()["samd21g18a"]
    simulator = data_root() / "build" / "simulators" / "motebench-sim-cortexm"
    words = [
        str(simulator),
        "--mcu",
        device.mcu,
        "--clock",
        str(device.clock_hz),
        str(tmp_path / "alone.elf"),
    ]
    said = subprocess.run(
        words, capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL, check=False
    )
    lines = said.stdout.splitlines()
    assert lines[-1] == "end" and all(line.endswith("output right") for line in lines[1:-1])
    assert {line.partition(":")[0] for line in lines[1:-1] if "known answer" not in line} == steps
