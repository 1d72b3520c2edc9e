"""Code on boards that uses a heap, assert, abort and streams, as published code does."""

from __future__ import annotations

import shutil

import pytest

from motebench.base.paths import data_root

pytestmark = pytest.mark.long
BOARDS = ("sim:atmega2560", "sim:samd21g18a")
HASH = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    USE
    memset(out, (int)inlen, 8);
    return 0;
}
"""
HEAP = """\
    unsigned char *a = malloc(32), *b = calloc(2, 16);
    if (a == NULL || b == NULL)
        return 1;
    a = realloc(a, 64);
    memcpy(a, in, inlen < 64 ? inlen : 64);
    for (int i = 0; i < 32; i++)
        if (b[i] != 0)
            return 2;
    free(a);
    free(b);
"""


@pytest.fixture(scope="module", autouse=True)
def tools():
    compilers = (shutil.which("avr-gcc"), shutil.which("arm-none-eabi-gcc"))
    if (
        None in compilers
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip(
            "avr-gcc, arm-none-eabi-gcc or the simulator is missing; motebench doctor names the "
            "line"
        )


@pytest.fixture
def run(motebench, tmp_path):
    """The document of a run of HASH with these statements before anything else, at 0 and 16
    bytes.
    """

    def call(target, use, *more):
        folder = tmp_path / "code"
        folder.mkdir(exist_ok=True)
        (folder / "api.h").write_text("#define CRYPTO_BYTES 8\n")
        (folder / "hash.c").write_text(HASH.replace("USE", use))
        records = (
            f"Count = {n + 1}\nMsg = {'AB' * n}\nMD = {f'{n:02X}' * 8}\n" for n in (0, 1, 16)
        )
        (folder / "LWC_HASH_KAT_64.txt").write_text("\n".join(records))
        return motebench(
            "run", "--code", str(folder), "--target", target, "--size", "0,16", "--json", *more
        )

    return call


def medians(result, metric):
    return {
        row["input_bytes"]: row["median"]
        for row in result.json["measurements"]
        if row["metric"] == metric
    }


@pytest.mark.parametrize("target", BOARDS)
def test_a_heap_is_there_and_counts_as_static_ram(run, target):
    done = run(target, HEAP)
    assert done.code == 0, done.err
    ram = medians(done, "static_ram_net")[16]
    size = {"sim:atmega2560": 1024, "sim:samd21g18a": 4096}[target]
    assert size <= ram <= size + 200
    assert f"malloc has a heap of {size} B" in " ".join(done.json["run"]["notes"])
    other = run(target, HEAP, "--code-flags=-DMOTEBENCH_HEAP=256")
    assert other.code == 0 and medians(other, "static_ram_net")[16] == ram - size + 256
    full = run(target, HEAP, "--code-flags=-DMOTEBENCH_HEAP=40")
    assert full.code == 3 and not full.json["measurements"]
    if target == "sim:samd21g18a":
        assert {f["kind"] for f in full.json["failures"]} == {"too-big"}
        assert all("-DMOTEBENCH_HEAP" in f["message"] for f in full.json["failures"])
    most = run(target, HEAP, f"--code-flags=-DMOTEBENCH_HEAP={8 * size}")
    (told,) = {f["message"] for f in most.json["failures"]}
    assert {f["kind"] for f in most.json["failures"]} == {
        "too-big"
    } and "B of RAM are missing" in told
    assert f"malloc has a heap of {8 * size} B" in told
    none = run(target, HEAP, "--code-flags=-DMOTEBENCH_HEAP=x")
    assert {f["kind"] for f in none.json["failures"]} == {"build"} and "has 8 to" in none.out


@pytest.mark.parametrize("target", BOARDS)
def test_an_assertion_that_fails_names_file_and_line(run, target):
    done = run(target, "assert(inlen < 16);")
    assert done.code == 3
    assert {
        (f["kind"], f["message"].rpartition("assertion")[2]) for f in done.json["failures"]
    } == {("error", " failed: hash.c, line 7")}
    assert run(target, "assert(inlen < 16);", "--code-flags=-DNDEBUG").code == 0


@pytest.mark.parametrize("target", BOARDS)
@pytest.mark.parametrize(
    ("use", "words"),
    [("if (inlen == 16) abort();", "called abort"), ("if (inlen == 16) exit(1);", "called exit")],
)
def test_code_that_ends_its_program_fails_with_these_words(run, target, use, words):
    done = run(target, use)
    assert done.code == 3
    assert {f["kind"] for f in done.json["failures"]} == {"error"}
    assert all(words in f["message"] for f in done.json["failures"])


@pytest.mark.parametrize("target", BOARDS)
def test_what_is_printed_is_discarded(run, target):
    done = run(target, 'printf("%d\\n", (int)inlen); fprintf(stderr, "x"); puts("y");')
    assert done.code == 0, done.err
    assert "what it prints is discarded" in " ".join(done.json["run"]["notes"])


@pytest.mark.parametrize("target", BOARDS)
def test_code_without_any_of_it_costs_nothing_more(run, target):
    plain, asserted = run(target, ""), run(target, "assert(inlen < 17);")
    assert plain.code == asserted.code == 0
    assert medians(plain, "static_ram_net")[16] == 0
    cycles = [medians(each, "cycles") for each in (plain, asserted)]
    assert 0 < cycles[1][16] - cycles[0][16] < 60  # of the comparison of 64 bits
    assert medians(asserted, "flash_net")[16] - medians(plain, "flash_net")[16] < 120


def test_assembly_without_registers_names_a_compiler_that_has_them(run):
    low = ", ".join(f'"l"((int)inlen + {i})' for i in range(9))
    done = run("sim:samd21g18a", f'__asm__ volatile("" : : {low});')
    assert {f["kind"] for f in done.json["failures"]} == {"build"}
    assert all("@O2 behind" in f["message"] for f in done.json["failures"])
    assert all(
        "GCC 8.3 at -O2; motebench setup --compiler gcc-8.3" in f["message"]
        for f in done.json["failures"]
    )


@pytest.mark.parametrize(
    ("target", "operand", "words"),
    [
        ("sim:atmega2560", '"r"(inlen + I)', "more registers than this processor has"),
        ("sim:samd21g18a", '"l"((int)inlen + I)', "the assembly is for another processor"),
    ],
)
def test_assembly_of_another_processor_names_no_compiler(run, target, operand, words):
    few = ", ".join(operand.replace("I", str(i)) for i in range(9))
    alone = 'if (inlen > 7) __asm__ volatile("orn r0, r1, r2" : : : "r0");'
    source = f'#ifdef __OPTIMIZE_SIZE__\n__asm__ volatile("" : : {few});\n#endif\n{alone}'
    done = run(target, source)
    assert {f["kind"] for f in done.json["failures"]} == {"build"}
    assert all(words in f["message"] for f in done.json["failures"]), done.json["failures"]
    assert not any("gcc-8.3" in f["message"] for f in done.json["failures"])
