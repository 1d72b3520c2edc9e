"""``motebench leak --secret-flow``: leaks that were put there, and ciphers with and without
tables."""

from __future__ import annotations

import csv
import html
import platform
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from motebench.base.files.elf import source_map
from motebench.catalog.devices import devices
from motebench.documents import schema
from motebench.targets.board.simulated import FlowTable, Simulation
from motebench.targets.firmware import FirmwareImage, FirmwareRole
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.firmware.sources import core_dir
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import each_board, need_simulator

FIRMWARE = Path(__file__).parents[2] / "firmware"
PLANTED = FIRMWARE / "planted.c"
BOARDS = [
    "samd21g18a", "nrf52840", "cortex-m3-nows", "atmega328p", "atmega2560", "atmega4809",
    "rp2350-hazard3", "cortex-m33-nows", "ch32v003",
]  # fmt: skip
"""A device for each core that follows secrets."""
MULTIPLIERS = ["nrf52840", "cortex-m3-nows", "cortex-m33-nows"]
"""Devices with instructions whose product has 64 bits."""
DIVIDERS = ("armv7-m", "armv7e-m", "armv8-m.main", "riscv32")
"""Architectures with instructions that divide."""
MESSAGE, BYTES = 2, 8
(
    CLEAN, BRANCHES, LOOKS_UP, COMPARES, STACK, EARLY, DIVIDES, PUBLIC, DRAWS, JUMPS, TAG, FLOATS,
    BY_CONSTANT, MULTIPLIES, DIVIDES_SIGNED,
) = range(15)  # fmt: skip
IN_ASSEMBLY = ("clean", "flags", "carry", "stack", "copies", "skips", "jumps", "returns")
"""Functions of ``planted_assembly.c``, in the order of their numbers."""


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


def firmware(board: str, source: Path) -> Planted:
    """An adapter with leaks on a board."""
    device = devices()[board]
    need_simulator(device)
    flags = ("-isystem", str(core_dir() / "code" / "board"))
    image = assemble(device, FirmwareParts([(source, flags)], role=FirmwareRole(marks=True)), "O1")
    return Planted(Simulation(device, BoardSettings()), image)


@pytest.fixture(scope="module", params=BOARDS)
def planted(request):
    """Firmware with leaks on each board."""
    return firmware(request.param, PLANTED)


@pytest.fixture(scope="module", params=BOARDS)
def in_assembly(request):
    """Firmware with leaks in assembly on each board."""
    return firmware(request.param, FIRMWARE / "planted_assembly.c")


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("clean", set()),
        ("flags", {"branch"}),
        ("carry", {"branch"}),
        ("stack", {"load"}),
        ("copies", {"load"}),
        ("skips", {"branch"}),
        ("jumps", {"jump"}),
        ("returns", {"jump"}),
    ],
)
def test_leaks_in_assembly_are_found(in_assembly, name, kinds):
    code = source_map(in_assembly.image.path)
    findings = in_assembly.follow(IN_ASSEMBLY.index(name)).findings
    assert {finding.kind for finding in findings} == kinds
    assert {code.function(finding.address).name for finding in findings} <= {name}
    if kinds != {"load"}:  # whether memory can wait decides on addresses
        assert all(finding.error for finding in findings)


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


HASH = """\
#include <valgrind/memcheck.h>
#include "crypto_hash.h"
#include "api.h"
#define FAR __attribute__((noinline, noclone)) static
static const unsigned char TABLE[256] = {3, 1, 4, 1, 5, 9, 2, 6};
static const unsigned char EXPECTED[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static unsigned char kept[8];
static volatile unsigned char kind;

FAR void copies(const unsigned char *in)
{
    for (int i = 0; i < 8; i++)
        kept[i] = in[i];
}

FAR unsigned char clean(const unsigned char *in)
{
    copies(in);
    return (unsigned char)(kept[0] ^ (kept[1] & -(kept[2] & 1)));
}

FAR unsigned char looks_up(const unsigned char *in)
{
    copies(in);
    return TABLE[kept[3]];
}

FAR unsigned char branches(const unsigned char *in)
{
    kind = 1;
    if (in[0] & 4)
        kind = 2;
    return kind;
}

FAR unsigned char stops_early(const unsigned char *in)
{
    unsigned char i = 0;
    while (i < 8 && in[i] == EXPECTED[i])
        i++;
    return i;
}

FAR unsigned char declares(const unsigned char *in)
{
    unsigned char bit = in[0] & 4;
    kind = 1;
    (void)VALGRIND_MAKE_MEM_DEFINED(&bit, 1);
    if (bit)
        kind = 2;
    return kind;
}

FAR unsigned char draws(const unsigned char *in)
{
    unsigned char own = 7;
    (void)in;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(&own, 1);
    kind = 1;
    if (own & 1)
        kind = 2;
    return kind;
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned char sum = (unsigned char)inlen;
    for (unsigned long long i = 0; i < inlen; i++)
        sum = (unsigned char)(sum * 5 + in[i] + 1);
    for (int i = 0; i < CRYPTO_BYTES; i++)
        out[i] = (unsigned char)(sum + i);
    if (inlen >= 8)
        out[0] ^= FUNCTION(in);
    return 0;
}
"""
OTHERS = ["samd21g18a", "atmega2560"]
UNKNOWN = {
    "x86_64": ".byte 0x62, 0xf1, 0x7d, 0x48, 0x6f, 0xc1",  # VMOVDQA32 zmm0, zmm1
    "aarch64": ".inst 0x04bf5000",  # RDVL x0, #0
}
"""Instructions that valgrind does not know, by architecture."""


@pytest.fixture
def hashes(tmp_path):
    """A folder with a hash that calls the function of that name."""

    def made(function: str) -> Path:
        folder = tmp_path / function
        folder.mkdir()
        (folder / "api.h").write_text("#define CRYPTO_BYTES 8\n")
        (folder / "hash.c").write_text(HASH.replace("FUNCTION", function))
        return folder

    return made


def of_code(motebench, folder, target, *, status):
    """The only case of a folder of code, by valgrind or a simulator."""
    done = motebench(
        "leak", "--secret-flow", "--target", target, "--code", folder, "--without-kat",
        "--samples", "3", "--json", "-q",
    )  # fmt: skip
    assert done.code in status, done.err
    (case,) = done.json["cases"]
    return case


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("clean", None),
        ("declares", None),
        ("looks_up", "address of a load"),
        ("branches", "branch"),
        ("stops_early", "branch"),
        ("draws", "branch"),
    ],
)
def test_valgrind_flags_the_same_functions_as_simulators(motebench, hashes, function, kind):
    """Notes of boards count: their memory never waits, that of a host does."""
    folder = hashes(function)
    host = of_code(motebench, folder, "host", status={8 if kind else 0})
    expected = {(function, kind)} if kind else set()
    found = {(item["at"]["function"], item["kind"]) for item in host["findings"]}
    assert found == expected
    assert all(item["at"]["file"] == "hash.c" and item["error"] for item in host["findings"])
    assert host["coverage"] is None
    for board in OTHERS:
        need_simulator(devices()[board])
        case = of_code(motebench, folder, f"sim:{board}", status={0, 8})
        names = {item["at"]["function"] for item in case["findings"]}
        assert names == {name for name, _ in expected}
        origins = {origin for item in case["findings"] for origin in item["secrets"]}
        assert origins == {origin for item in host["findings"] for origin in item["secrets"]}
        assert [(item["at"]["function"], item["at"]["line"]) for item in case["declassified"]] == [
            (item["at"]["function"], item["at"]["line"]) for item in host["declassified"]
        ]


def test_a_finding_on_a_host_says_where_from_and_how_often(motebench, hashes):
    folder = hashes("looks_up")
    case = of_code(motebench, folder, "host", status={8})
    (finding,) = case["findings"]
    lines = (folder / "hash.c").read_text().splitlines()
    assert lines[finding["at"]["line"] - 1] == "    return TABLE[kept[3]];"
    assert finding["times"] == case["inputs"] == 3
    assert finding["secrets"] == ["message"]
    assert finding["through"] == ["crypto_hash"]
    shown = motebench(
        "leak", "--secret-flow", "--code", folder, "--without-kat", "--samples", "3", "-q"
    )
    assert shown.code == 8
    assert "secrets followed bit by bit by valgrind-" in shown.out
    assert "not known on hosts" in shown.out


def under_valgrind(folder, statement):
    """The source of a hash, changed: it does that if valgrind runs it."""
    source = folder / "hash.c"
    before, end, after = source.read_text().rpartition("    return 0;")
    return f"{before}    if (RUNNING_ON_VALGRIND) {{ {statement} }}\n{end}{after}"


def test_user_code_stays_in_its_sandbox_under_valgrind(motebench, hashes):
    folder = hashes("clean")
    text = under_valgrind(folder, "(void)fork();")
    (folder / "hash.c").write_text(f"#include <unistd.h>\n{text}")
    done = motebench(
        "leak", "--secret-flow", "--code", folder, "--without-kat", "--samples", "3", "--json", "-q"
    )
    assert done.code == 3
    assert done.json["cases"] == []
    (failure,) = done.json["failures"]
    assert failure["kind"] == "crash"


def test_an_instruction_that_valgrind_does_not_know_is_named(motebench, hashes):
    folder = hashes("clean")
    unknown = UNKNOWN[platform.machine()]
    (folder / "hash.c").write_text(under_valgrind(folder, f'__asm__ volatile("{unknown}");'))
    done = motebench(
        "leak", "--secret-flow", "--code", folder, "--without-kat", "--samples", "3", "--json", "-q"
    )
    assert done.code == 3
    (failure,) = done.json["failures"]
    assert failure["kind"] == "unsupported"
    assert "does not know an instruction of crypto_hash (hash.c:" in failure["message"]
    assert "AVX-512" in failure["message"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("implementation", "scheme", "operations"),
    [
        ("mote/p256", "ecdsa-p256-sha256", "keygen,sign"),
        ("mote/p256", "ecdh-p256", "keygen,agree"),
        ("mote/p256-small", "ecdsa-p256-sha256", "sign"),
        ("mote/x25519", "x25519", "keygen,agree"),
        ("mote/ed25519", "ed25519", "keygen,sign"),
        ("mote/ml-kem", "ml-kem-512", "keygen,encapsulate,decapsulate"),
        ("mote/aes-ct", "aes-128-gcm", "encrypt-message,decrypt-message"),
    ],
)
def test_valgrind_finds_nothing_in_ciphers_that_claim_constant_time(
    motebench, implementation, scheme, operations
):
    document = follow(motebench, "host", implementation, scheme, operations)
    assert document["failures"] == []
    assert len(document["cases"]) == operations.count(",") + 1
    for case in document["cases"]:
        assert case["findings"] == []
        assert case["verdict"] == "no secret reaches time on this path"
        assert case["inputs"] > 0


def test_valgrind_follows_tables_of_a_library(motebench):
    (case,) = follow(motebench, "host", "mote/aes-small", "aes-128-ecb", "encrypt", status=8)[
        "cases"
    ]
    assert {finding["at"]["function"] for finding in case["findings"]} == {"encrypt", "expand"}
    assert {finding["kind"] for finding in case["findings"]} == {"address of a load"}
    assert {finding["at"]["file"] for finding in case["findings"]} == {
        "core/ciphers/aes/aes_small.c"
    }
    assert {name for finding in case["findings"] for name in finding["secrets"]} == {
        "key", "message",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("implementation", "scheme", "operation", "status"),
    [
        ("libtomcrypt/aes", "aes-128-ecb", "encrypt", 8),
        ("monocypher/x25519", "x25519", "agree", 0),
    ],
)
def test_valgrind_follows_libraries_of_others(motebench, implementation, scheme, operation, status):
    """Tables of LibTomCrypt are read at secret places; Monocypher has none."""
    document = follow(motebench, "host", implementation, scheme, operation, status=status)
    assert document["failures"] == []
    (case,) = document["cases"]
    assert {finding["kind"] for finding in case["findings"]} == (
        {"address of a load"} if status else set()
    )


def test_valgrind_follows_code_in_cpp(motebench, hashes):
    folder = hashes("looks_up")
    text = (folder / "hash.c").read_text()
    (folder / "hash.c").unlink()
    (folder / "hash.cpp").write_text(f'extern "C" {{\n{text}\n}}\n')
    case = of_code(motebench, folder, "host", status={8})
    (finding,) = case["findings"]
    assert finding["at"]["file"] == "hash.cpp"
    assert finding["at"]["function"].startswith("looks_up")


def test_valgrind_that_is_missing_is_named_with_its_package(motebench, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    failed = motebench("leak", "--secret-flow", "--implementation", "mote/aes-ct")
    assert failed.code == 7
    assert "valgrind, which is not installed" in failed.err
    assert "valgrind" in failed.err.partition("hint:")[2]


def test_other_targets_are_refused_by_name(motebench):
    failed = motebench(
        "leak", "--secret-flow", "--target", "ssh:board", "--implementation", "mote/aes-ct"
    )
    assert failed.code == 2
    assert "nothing follows secrets on ssh:board" in failed.err
    assert "host" in failed.err
    assert "sim:atmega2560" in failed.err
    assert "sim:cortex-m0-nows" in failed.err
    failed = motebench("leak", "--secret-flow", "--implementation", "sunjce")
    assert failed.code == 2
    assert "its probe is not compiled from C or C++" in failed.err


def test_options_that_exclude_each_other(motebench):
    failed = motebench("leak", "--implementation", "mote/aes-ct", "--public", "f")
    assert failed.code == 2
    assert "--public needs --secret-flow" in failed.err


def test_a_run_that_followed_secrets_is_shown_again(motebench, tmp_path):
    """All commands show what was found; those for numbers refuse it."""
    page = tmp_path / "flow.html"
    document = follow(
        motebench, "sim:samd21g18a", "mote/aes-small", "aes-128-ecb", "encrypt",
        "--name", "tables", "--report", page, status=8,
    )  # fmt: skip
    jsonschema.validate(document, schema("secret-flow"))
    assert document["run"]["status"] == "finished"
    assert "--secret-flow" in document["run"]["command"]
    assert document["host"]
    (case,) = document["cases"]
    assert len(bytes.fromhex(case["firmware"])) > 0
    assert motebench("show", "tables", "--json").json == document
    assert motebench("export", "tables", "-f", "json").json == document
    assert "reaches it here" in motebench("show", "tables").out
    rows = list(csv.DictReader(motebench("export", "tables", "-f", "csv").out.splitlines()))
    found = [row for row in rows if row["error"]]
    assert [(row["function"], row["line"], row["cycles"]) for row in found] == [
        (item["at"]["function"], str(item["at"]["line"]), str(item["cycles"]))
        for item in case["findings"]
    ]
    assert sum(row["kind"] == "not covered" for row in rows) == sum(
        len(gap["lines"]) for gap in case["coverage"]["not_covered"]
    )
    text = page.read_text()
    assert text.count("<summary>error: address of a load") == len(case["findings"])
    assert "<li>from key, message</li>" in text
    assert "1 cycle between its extremes" in text
    assert "Not covered: lines that did not run" in text
    line = case["findings"][0]["at"]["line"]
    source = (core_dir() / "ciphers/aes/aes_small.c").read_text().splitlines()[line - 1]
    assert f"<strong>{line}  {html.escape(source, quote=False)}</strong>" in text
    for refusing in (("compare", "tables", "tables"), ("export", "tables", "-f", "markdown")):
        refused = motebench(*refusing)
        assert refused.code == 2
        assert "is a leak test" in refused.err


def test_several_schemes_are_one_run(motebench):
    document = follow(motebench, "host", "mote/aes-ct", "aes-128-ecb,aes-256-ecb", "encrypt")
    assert [case["scheme"] for case in document["cases"]] == ["aes-128-ecb", "aes-256-ecb"]
    assert document["run"]["cases"] == {"finished": 2, "failed": 0, "pending": 0}
    assert document["host"]


def test_a_function_that_the_code_does_not_have_is_refused(motebench, tmp_path):
    failed = motebench(
        "leak", "--secret-flow", "--target", "sim:samd21g18a", "--implementation",
        "mote/aes-small", "--scheme", "aes-128-ecb", "--public", "expnd",
        "--store", tmp_path / "none.db",
    )  # fmt: skip
    assert failed.code == 2
    assert "the code has no function 'expnd'" in failed.err
    assert "expand" in failed.err
    assert not (tmp_path / "none.db").exists()


@pytest.mark.long
@pytest.mark.parametrize("simulator", ["cortexm", "avr", "hazard3"])
def test_rules_hold_on_many_random_programs(tmp_path, simulator):
    """The test of the rules in C, from another seed: 100,000 programs on each core."""
    folder = core_dir().parent / "simulators"
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("cmake is missing")
    subprocess.run([cmake, "-S", folder, "-B", tmp_path, "-DMOTEBENCH_TESTS=ON"], check=True)
    subprocess.run([cmake, "--build", tmp_path, "--target", f"test-{simulator}-flow"], check=True)
    program = tmp_path / simulator / "tests" / f"test-{simulator}-flow"
    done = subprocess.run([program, "100000", "2"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
