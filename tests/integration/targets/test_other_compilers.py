"""Cases of one run that other compilers built."""

from __future__ import annotations

import csv
import importlib
import shutil
from pathlib import Path

import code_folders as folders
import pytest

from motebench.base.paths import data_root
from motebench.catalog import schemes
from motebench.catalog.devices import programmable
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware import empty
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Fill, Job
from motebench.targets.wire.stream import ProcessStream

# The package has a function of that name
building = importlib.import_module("motebench.targets.firmware.build")
KNOWN = Path(__file__).parents[2] / "firmware" / "known.c"
BUILDING = 900
"""Seconds that a slow machine may take to compile everything for another compiler."""
ARM = programmable()["samd21g18a"]
# Knows the options that motebench gives a clang, and no more of it; never sees assembly, nor links.
LIKE_CLANG = """#!/bin/sh
case "$*" in --version) echo "like clang 7"; exit;;
    *-c*.S*|*-Wl,*) echo "not mine: $*" >&2; exit 1;; esac
[ "$1" = --target=thumbv6m-none-eabi ] || exit 1
shift
for word; do
    shift
    case "$word" in -nostdlibinc|-fno-crash-diagnostics) ;; *) set -- "$@" "$word";; esac
done
exec arm-none-eabi-gcc "$@"
"""


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    built = data_root() / "build" / "simulators"
    there = [(built / f"motebench-sim-{name}").exists() for name in ("avr", "cortexm")]
    if (
        not all(there)
        or shutil.which("avr-gcc") is None
        or shutil.which("arm-none-eabi-gcc") is None
    ):
        pytest.skip(
            "compilers or simulators of boards are missing; motebench doctor names the line"
        )


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A second GCC for AVRs, called ``mine``, that builds everything with -O3."""
    for name in ("gcc", "size", "objcopy"):
        tool = tmp_path / f"mine-{name}"
        extra = (
            'case "$*" in --version) echo "mine-gcc 99"; exit;; *" -c "*) set -- "$@" -O3;; esac\n'
        )
        tool.write_text(
            f'#!/bin/sh\n{extra if name == "gcc" else ""}exec {shutil.which(f"avr-{name}")} "$@"\n'
        )
        tool.chmod(0o755)
    monkeypatch.setenv("MOTEBENCH_COMPILERS", f"mine={tmp_path}/mine-,gone=/nowhere/avr-")
    return "mine-gcc 99"


@pytest.mark.long
def test_compilers_are_cases_of_one_run(motebench, tmp_path, mine):
    built = "mote/xtea,mote/xtea@O3,mote/xtea+mine,mote/xtea+gone,mote/xtea+clang"
    case = (
        "--implementation",
        built,
        "--scheme",
        "xtea-cbc",
        "--operation",
        "encrypt",
        "--size",
        "16",
    )
    done = motebench(
        "run", "--target", "sim:atmega2560", *case, "--json", "--budget", "60s", timeout=BUILDING
    )
    assert done.code == 3  # some cases failed, the others are there
    found = {}
    for row in done.json["measurements"]:
        found.setdefault(row["implementation"], {})[row["metric"]] = int(row["median"])
    assert set(found) == {"mote/xtea", "mote/xtea@O3", "mote/xtea+mine"}
    assert (
        found["mote/xtea+mine"]["cycles"]
        == found["mote/xtea@O3"]["cycles"]
        != found["mote/xtea"]["cycles"]
    )
    failures = {failure["implementation"]: failure for failure in done.json["failures"]}
    assert {name: failure["kind"] for name, failure in failures.items()} == {
        "mote/xtea+gone": "build",
        "mote/xtea+clang": "unsupported",
    }
    assert "MOTEBENCH_COMPILERS" in failures["mote/xtea+gone"]["message"]
    # Which compiler it was is told, and both firmwares of net sizes are its own.
    said = {
        name.split()[-1]: probe["compiler"]
        for name, probe in done.json["environment"]["probes"].items()
    }
    assert said["mote/xtea+mine"] == mine and said["mote/xtea"].startswith("avr-gcc")
    device, scheme = programmable()["atmega2560"], schemes()["xtea-cbc"]
    nothing = empty(device, scheme, "Os", "mine")
    assert nothing.compiler == mine
    assert found["mote/xtea+mine"]["flash_net"] == found["mote/xtea+mine"]["flash"] - nothing.flash
    # What reads results keeps them apart.
    both = motebench("compare", "latest:mote/xtea", "latest:mote/xtea+mine", "--json")
    assert {"what": "compiler", "b": mine}.items() <= both.json["software_differences"][0].items()
    assert motebench("export", "latest", "--format", "csv", "--output", "out.csv").code == 0
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        assert {row["implementation"] for row in csv.DictReader(file)} >= set(found)
    assert motebench("report", "latest", "--output", "out.html").code == 0
    assert f"{mine}" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_misspelt_compiler_is_a_mistake_in_the_question(motebench):
    case = ("--implementation", "mote/xtea+klang", "--scheme", "xtea-cbc")
    done = motebench("run", "--target", "sim:atmega2560", *case)
    assert done.code == 2
    assert "mote/xtea+clang" in done.err


@pytest.mark.parametrize(
    ("ciphers", "chosen"),
    [
        (("aes-fast",), "aes-128-ecb"),
        pytest.param(("aes-fast", "present"), "*-ecb", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("compiler", ["like", *(["clang"] if shutil.which("clang") else [])])
def test_a_compiler_that_is_no_gcc_leaves_assembly_and_linking_to_it(
    motebench, tmp_path, monkeypatch, compiler, ciphers, chosen
):
    like = tmp_path / "like-clang"
    like.write_text(LIKE_CLANG)
    like.chmod(0o755)
    monkeypatch.setenv("MOTEBENCH_COMPILERS", f"like={like}")
    # AES and PRESENT have functions in assembly for this core.
    built = ",".join(f"mote/{name}{by}" for name in ciphers for by in ("", f"@O2+{compiler}"))
    case = (
        "--implementation",
        built,
        "--scheme",
        chosen,
        "--operation",
        "encrypt,decrypt",
        "--size",
        "32",
    )
    done = motebench(
        "run", "--target", f"sim:{ARM.id}", *case, "--json", "--budget", "120s", timeout=BUILDING
    )
    assert done.code == 0, done.err
    of = {row["implementation"] for row in done.json["measurements"]}
    assert of == set(built.split(","))
    said = {
        name.split()[-1]: probe["compiler"]
        for name, probe in done.json["environment"]["probes"].items()
    }
    first, second = said[f"mote/aes-fast@O2+{compiler}"].split("; assembled and linked by ")
    assert second == said["mote/aes-fast"]
    assert first == "like clang 7" if compiler == "like" else "clang" in first
    # User code takes the same way.
    code = (
        "--code",
        str(folders.submission(tmp_path)),
        "--implementation",
        f"code/ref@O2+{compiler}",
    )
    case = ("--scheme", "ascon-aead128", "--operation", "encrypt-message", "--size", "16")
    done = motebench("run", "--target", f"sim:{ARM.id}", *code, *case, "--json", timeout=BUILDING)
    assert done.code == 0, done.err
    assert [
        row["implementation"] for row in done.json["measurements"] if row["metric"] == "cycles"
    ] == [code[-1]]
    # What it makes of the probe keeps its count: a loop of known length takes what it must.
    image = building.assemble(ARM, building.FirmwareParts([(KNOWN, ())]), "Os", compiler=compiler)
    session = ProbeSession(lambda: ProcessStream(simulation(ARM, image.path)))
    try:
        counts = [
            session.measure(
                Job(scheme="known-loop", operation="digest", data=Fill(1, size)),
                batch=1,
                count=2,
                warm=0,
                timeout=60,
            ).counts
            for size in (1, 101)
        ]
    finally:
        session.close()
    assert [high - low for low, high in zip(*counts, strict=True)] == [4 * 256 * 100] * 2
