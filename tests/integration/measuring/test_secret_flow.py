"""``motebench leak --secret-flow``: leaks that were put there, and ciphers with and without
tables."""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from motebench.base.files.elf import source_map
from motebench.catalog.devices import devices
from motebench.targets.board.simulated import FlowTable, Simulation
from motebench.targets.firmware import FirmwareImage, FirmwareRole
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.firmware.sources import core_dir
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import each_board, need_simulator

PLANTED = Path(__file__).parents[2] / "firmware" / "planted.c"
BOARDS = [
    "samd21g18a", "nrf52840", "cortex-m3-nows", "atmega328p", "atmega2560", "atmega4809",
    "rp2350-hazard3",
]  # fmt: skip
"""A device for each core that follows secrets."""
MULTIPLIERS = ["nrf52840", "cortex-m3-nows"]
"""Devices with instructions whose product has 64 bits."""
DIVIDERS = ("armv7-m", "armv7e-m", "riscv32")
"""Architectures with instructions that divide."""
MESSAGE, BYTES = 2, 8
(
    CLEAN, BRANCHES, LOOKS_UP, COMPARES, STACK, EARLY, DIVIDES, PUBLIC, DRAWS, JUMPS, TAG, FLOATS,
    BY_CONSTANT, MULTIPLIES, DIVIDES_SIGNED,
) = range(15)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """Firmware with leaks, and its board."""

    board: Simulation
    image: FirmwareImage

    def follow(self, number: int, secret: bytes = bytes(range(BYTES))) -> FlowTable:
        """The table of one of its functions."""
        job = Job(
            "planted",
            "digest",
            data=bytes((number,)) + secret,
            secret=struct.pack(">BHH", MESSAGE, 1, BYTES),
        )
        return self.board.follow(self.image, lambda session: session.compute(job, timeout=60))

    def errors(self, number: int, kind: str) -> set[str]:
        """Functions with an error of that kind."""
        code = source_map(self.image.path)
        functions = [
            code.function(finding.address)
            for finding in self.follow(number).findings
            if finding.error and finding.kind == kind
        ]
        return {function.name for function in functions if function is not None}


@pytest.fixture(scope="module", params=BOARDS)
def planted(request):
    """Firmware with leaks on each board."""
    device = devices()[request.param]
    need_simulator(device)
    flags = ("-isystem", str(core_dir() / "code" / "board"))
    image = assemble(device, FirmwareParts([(PLANTED, flags)], role=FirmwareRole(marks=True)), "O1")
    return Planted(Simulation(device, BoardSettings()), image)


def test_masks_and_sums_reach_nothing(planted):
    assert planted.follow(CLEAN).findings == ()


@pytest.mark.parametrize(
    ("number", "function"),
    [
        (BRANCHES, "branches"),
        (COMPARES, "compares"),
        (STACK, "through_stack"),
        (EARLY, "stops_early"),
        (TAG, "memcmp"),
    ],
)
def test_a_branch_is_found_in_its_function(planted, number, function):
    assert function in planted.errors(number, "branch")


def test_an_early_exit_is_counted_as_often_as_it_is_reached(planted):
    code = source_map(planted.image.path)

    def times(secret: bytes) -> int:
        return sum(
            finding.times
            for finding in planted.follow(EARLY, secret).findings
            if finding.kind == "branch" and code.function(finding.address).name == "stops_early"
        )

    assert times(bytes(8)) == 1
    assert times(bytes((1, 2, 3, 9, 9, 9, 9, 9))) == 4


def test_a_look_up_behind_two_copies_names_them(planted):
    (finding,) = [item for item in planted.follow(LOOKS_UP).findings if item.kind == "load"]
    code = source_map(planted.image.path)
    assert code.function(finding.address).name == "looks_up"
    assert finding.origins == 1 << MESSAGE
    assert [code.function(address).name for address in finding.chain][-2:] == ["copies", "looks_up"]
    line = code.line(finding.address)
    assert "TABLE[second[3]]" in PLANTED.read_text().splitlines()[line.number - 1]


@pytest.mark.parametrize("number", [DIVIDES, DIVIDES_SIGNED, FLOATS])
def test_division_and_floating_point_of_the_library_are_found(planted, number):
    kinds = {finding.kind for finding in planted.follow(number).findings if finding.error}
    architecture = planted.board.device.architecture
    if (architecture, number) in {("riscv32", DIVIDES), ("armv7e-m", FLOATS)}:
        assert kinds == set()  # a Hazard3 divides unsigned words in equal time; a unit for floats
    elif architecture in DIVIDERS and number != FLOATS:
        assert kinds == {"operands"}
    else:
        assert kinds


@pytest.mark.parametrize("number", [BY_CONSTANT, MULTIPLIES])
@pytest.mark.parametrize("planted", MULTIPLIERS, indirect=True)
def test_products_of_64_bits_are_found_where_their_time_varies(planted, number):
    """On a Cortex-M3; a Cortex-M4 takes one cycle."""
    findings = planted.follow(number).findings
    varies = planted.board.device.architecture == "armv7-m"
    assert {finding.kind for finding in findings} == ({"operands"} if varies else set())


def test_marks_of_valgrind_are_obeyed(planted):
    table = planted.follow(PUBLIC)
    assert table.findings == ()
    (mark,) = table.public
    assert source_map(planted.image.path).function(mark.caller).name == "declassifies"
    assert mark.times == 1
    assert mark.bytes == 1
    own = planted.follow(DRAWS).findings
    assert {finding.origins for finding in own} == {1 << 5}
    assert "draws" in planted.errors(DRAWS, "branch")


def test_a_computed_jump_is_found(planted):
    assert planted.errors(JUMPS, "jump") == {"jumps"}


def follow(motebench, target, implementation, scheme, operation, *others, status=0):
    """Document of one call."""
    done = motebench(
        "leak", "--secret-flow", "--target", target, "--implementation", implementation,
        "--scheme", scheme, "--operation", operation, "--samples", "3", "--json", "-q", *others,
    )  # fmt: skip
    assert done.code == status, done.err
    return done.json


@pytest.mark.parametrize("board", each_board(["samd21g18a", "stm32l4"]))
def test_tables_are_flagged_and_bitsliced_ciphers_are_not(motebench, board):
    need_simulator(devices()[board])
    tables = follow(motebench, f"sim:{board}", "mote/aes-small", "aes-128-ecb", "encrypt", status=8)
    (case,) = tables["cases"]
    assert case["verdict"] == "reaches it here"
    assert {finding["at"]["function"] for finding in case["findings"]} == {"encrypt", "expand"}
    assert {finding["kind"] for finding in case["findings"]} == {"address of a load"}
    assert all(finding["at"]["instruction"].startswith("ld") for finding in case["findings"])
    assert case["secrets"] == ["key", "message"]
    sliced = follow(motebench, f"sim:{board}", "mote/aes-ct", "aes-128-ecb", "encrypt")
    (case,) = sliced["cases"]
    assert case["verdict"] == "no secret reaches time on this path"
    assert case["findings"] == []
    assert 0 < case["coverage"]["ran"] < case["coverage"]["lines"]
    assert case["coverage"]["not_covered"]


@pytest.mark.parametrize(
    "board",
    each_board(["cortex-m0-nows", "cortex-m4-nows", "atmega2560", "atmega4809", "rp2350-hazard3"]),
)
def test_memory_that_takes_as_long_everywhere_gives_notes(motebench, board):
    need_simulator(devices()[board])
    document = follow(motebench, f"sim:{board}", "mote/aes-small", "aes-128-ecb", "encrypt")
    (case,) = document["cases"]
    assert case["findings"]
    assert not any(finding["error"] for finding in case["findings"])
    assert case["verdict"] == "no secret reaches time on this path"


@pytest.mark.parametrize(
    ("board", "implementation", "scheme", "operation"),
    [
        ("atmega328p", "mote/ascon", "ascon-aead128", "decrypt-message"),
        ("atmega2560", "mote/chacha20-poly1305", "chacha20-poly1305", "decrypt-message"),
        ("atmega2560", "mote/x25519", "x25519", "agree"),
        ("attiny3217", "mote/ascon", "ascon-aead128", "decrypt-message"),
        ("rp2350-hazard3", "mote/ascon", "ascon-aead128", "decrypt-message"),
        ("rp2350-hazard3", "mote/x25519", "x25519", "agree"),
    ],
)
def test_nothing_is_found_in_code_without_leaks(
    motebench, board, implementation, scheme, operation
):
    need_simulator(devices()[board])
    (case,) = follow(motebench, f"sim:{board}", implementation, scheme, operation)["cases"]
    assert case["findings"] == []
    assert case["coverage"]["ran"] > 0


def test_the_accept_bit_is_declared_and_listed(motebench):
    need_simulator(devices()["samd21g18a"])
    document = follow(
        motebench, "sim:samd21g18a", "mote/chacha20-poly1305", "chacha20-poly1305",
        "decrypt-message",
    )  # fmt: skip
    (case,) = document["cases"]
    assert case["findings"] == []
    (public,) = case["declassified"]
    assert public["declared"] == "the code"
    assert public["at"]["function"] == "check"
    assert public["times"] == case["inputs"]


@pytest.mark.parametrize(
    ("implementation", "scheme", "operation", "declares"),
    [
        (
            "mote/p256",
            "ecdsa-p256-sha256",
            "sign",
            {"load_scalar", "mote_p256_base_times", "mote_p256_sign_with"},
        ),
        ("mote/p256", "ecdh-p256", "keygen", {"load_scalar", "mote_p256_base_times"}),
        ("mote/p256-small", "ecdsa-p256-sha256", "sign", {"finish", "mote_p256_small_sign"}),
        ("mote/ml-kem", "ml-kem-512", "keygen", {"keygen"}),
    ],
)
def test_what_code_makes_public_is_declared_and_listed(
    motebench, implementation, scheme, operation, declares
):
    need_simulator(devices()["nrf52840"])
    (case,) = follow(motebench, "sim:nrf52840", implementation, scheme, operation)["cases"]
    assert not any(finding["error"] for finding in case["findings"])
    assert {public["at"]["function"] for public in case["declassified"]} == declares
    assert {public["declared"] for public in case["declassified"]} == {"the code"}


def test_other_targets_are_refused_by_name(motebench):
    failed = motebench(
        "leak", "--secret-flow", "--target", "host", "--implementation", "mote/aes-ct"
    )
    assert failed.code == 2
    assert "no simulator follows secrets on host" in failed.err
    assert "sim:atmega2560" in failed.err
    assert "sim:cortex-m3-nows" in failed.err


def test_options_that_exclude_each_other(motebench):
    failed = motebench("leak", "--implementation", "mote/aes-ct", "--public", "f")
    assert failed.code == 2
    assert "--public needs --secret-flow" in failed.err
    failed = motebench("leak", "--secret-flow", "--implementation", "mote/aes-ct", "--name", "x")
    assert failed.code == 2
    assert "--name and --secret-flow are mutually exclusive" in failed.err


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["cortexm", "avr", "hazard3"])
def test_rules_hold_on_many_random_programs(tmp_path, simulator):
    """The test of the rules in C, longer than in every test run, from another seed."""
    folder = core_dir().parent / "simulators"
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("cmake is missing")
    subprocess.run([cmake, "-S", folder, "-B", tmp_path, "-DMOTEBENCH_TESTS=ON"], check=True)
    subprocess.run([cmake, "--build", tmp_path, "--target", f"test-{simulator}-flow"], check=True)
    program = tmp_path / simulator / "tests" / f"test-{simulator}-flow"
    done = subprocess.run([program, "100000", "2"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
