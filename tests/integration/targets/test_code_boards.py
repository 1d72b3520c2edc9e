"""Code that users bring, as firmware of a simulated board."""

from __future__ import annotations

import shutil

import code_folders as folders
import pytest

from motebench.base.model import FailureKind
from motebench.base.paths import data_root
from motebench.catalog.devices import programmable
from motebench.catalog.vectors import vectors_for
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import each_board, need_simulator

TARGET = ("--target", "sim:atmega2560")
KNOWN_API = "#define CRYPTO_BYTES 8\n"
KNOWN = """\
; A digest of eight sevens, and four cycles for each byte of input: 28 + 4 n cycles, ret
; included, 19 for none.
.global crypto_hash
crypto_hash:
    movw r30, r24
    ldi r18, 7
    .rept 8
    st Z+, r18
    .endr
    movw r26, r14
    sbiw r26, 0
    breq 2f
1:  sbiw r26, 1
    brne 1b
2:  clr r24
    clr r25
    ret
"""
MOVED = """\
#include <string.h>
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned char b[96];
    memset(b, (int)inlen, sizeof b);
    memcpy(b + 8, in, inlen);
    memmove(b + 11, b + 8, 40);
    memmove(b + 4, b + 9, 50);
    memcpy(out, b, 32);
    out[31] = (memcmp(b, b + 1, 20) > 0) + 2 * (memcmp(b, b + 1, 20) < 0);
    return 0;
}
"""


def moved(message: bytes) -> bytes:
    """Results of MOVED: the same with slices."""
    b = bytearray([len(message)] * 96)
    b[8 : 8 + len(message)] = message
    b[11:51] = b[8:48]
    b[4:54] = b[9:59]
    return bytes([*b[:31], (b[:20] > b[1:21]) + 2 * (b[:20] < b[1:21])])


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    compilers = (shutil.which("avr-gcc"), shutil.which("arm-none-eabi-gcc"))
    if (
        None in compilers
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip(
            "avr-gcc, arm-none-eabi-gcc or the simulator is missing; motebench doctor names the "
            "line"
        )


def failures(result):
    return {(failure["kind"], failure["message"]) for failure in result.json["failures"]}


def test_a_submission_on_a_board_with_the_metrics_of_own_implementations(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    implementations = (
        "--implementation",
        "code/ref,code/ref@O1,mote/ascon",
        "--scheme",
        "ascon-aead128",
    )
    sizes = ("--size", "0,128", "--aad", "0,128", "--operation", "encrypt-message,decrypt-message")
    result = motebench("run", "--code", str(folder), *TARGET, *implementations, *sizes, "--json")
    assert result.code == 0, result.err
    rows = result.json["measurements"]
    of_object_files = {"code_text", "code_data", "code_bss", "code_total"}
    assert {row["metric"] for row in rows if row["implementation"] == "code/ref"} == {
        row["metric"] for row in rows if row["implementation"] == "mote/ascon"
    } | of_object_files
    cycles = {
        (row["implementation"], row["operation"], row["input_bytes"], row["aad_bytes"]): row[
            "median"
        ]
        for row in rows
        if row["metric"] == "cycles"
    }
    assert len(cycles) == 3 * 2 * 2 * 2
    for code in ("code/ref", "code/ref@O1"):
        assert cycles[code, "encrypt-message", 0, 0] < cycles[code, "encrypt-message", 0, 128]
        # Block for block the same work, one call of the permutation of 8 rounds for 16 bytes.
        for operation in ("encrypt-message", "decrypt-message"):
            message = cycles[code, operation, 128, 0] - cycles[code, operation, 0, 0]
            both = cycles[code, operation, 128, 128] - cycles[code, operation, 0, 128]
            assert message == pytest.approx(both, rel=0.001)
    probes = result.json["environment"]["probes"]
    assert {probes[name]["flags"] for name in probes if "code/" in name} == {"-Os", "-O1"}
    notes = " ".join(result.json["run"]["notes"])
    assert "10 of 26 known answers of ascon-aead128 asked on sim:atmega2560" in notes
    assert (
        "built for this machine, the same files have all 26 known answers of ascon-aead128 right"
        in notes
    )


def test_cycles_are_those_of_the_call_and_nothing_around_it(motebench, tmp_path):
    folder = tmp_path / "known"
    folder.mkdir()
    (folder / "api.h").write_text(KNOWN_API)
    (folder / "hash.S").write_text(KNOWN)
    records = (f"Count = {n}\nMsg = {'00' * n}\nMD = {'07' * 8}\n" for n in range(3))
    (folder / "LWC_HASH_KAT_64.txt").write_text("\n".join(records))
    result = motebench("run", "--code", str(folder), *TARGET, "--size", "0,1,2,100,500", "--json")
    assert result.code == 0, result.err
    cycles = {
        row["input_bytes"]: row["median"]
        for row in result.json["measurements"]
        if row["metric"] == "cycles"
    }
    times = {
        row["input_bytes"]: row["median"]
        for row in result.json["measurements"]
        if row["metric"] == "time"
    }
    # What passing three arguments and a call cost; what the probe takes around them is several
    # times that.
    passing = cycles[1] - (28 + 4)
    assert 20 <= passing <= 70
    assert [cycles[size] - passing for size in (2, 100, 500)] == [
        28 + 4 * size for size in (2, 100, 500)
    ]
    assert times[500] == cycles[500] * 1e9 / 16_000_000
    assert "the files cannot be built for this machine" in " ".join(result.json["run"]["notes"])


# Others stand for these cores
@pytest.mark.parametrize(
    "target", each_board(programmable(), "sim:", late=("atmega328p", "cortex-m0-nows", "rp2040"))
)
def test_every_simulated_device_can_be_given_code(motebench, tmp_path, target):
    need_simulator(programmable()[target.removeprefix("sim:")])
    folder = str(folders.submission(tmp_path))
    asked = motebench("verify", "--code", folder, "--target", target, "--json")
    assert asked.code == 0, asked.err
    assert [(row["target"], row["passed"]) for row in asked.json["implementations"]] == [
        (target, 13)
    ]
    chosen = ("--operation", "decrypt-message", "--size", "128", "--aad", "128")
    result = motebench("run", "--code", folder, "--target", target, *chosen, "--json")
    assert result.code == 0, result.err
    assert {row["aad_bytes"] for row in result.json["measurements"]} == {128}


def test_memory_is_moved_byte_by_byte_on_a_cortex_m(motebench, tmp_path):
    folder = tmp_path / "moved"
    folder.mkdir()
    (folder / "api.h").write_text("#define CRYPTO_BYTES 32\n")
    (folder / "hash.c").write_text(MOVED)
    messages = [bytes((7 * i + n) % 256 for i in range(n)) for n in range(49)]
    (folder / "LWC_HASH_KAT_256.txt").write_text(
        "\n".join(
            f"Count = {i}\nMsg = {m.hex()}\nMD = {moved(m).hex()}\n"
            for i, m in enumerate(messages, 1)
        )
    )
    target = ("--target", "sim:cortex-m0-nows")
    assert (
        motebench("verify", "--code", str(folder), *target, "--code-flags", "-fno-builtin").code
        == 0
    )
    result = motebench("run", "--code", str(folder), *target, "--size", "16,48", "--json")
    assert result.code == 0, result.err
    cycles = {
        row["input_bytes"]: row["median"]
        for row in result.json["measurements"]
        if row["metric"] == "cycles"
    }
    assert cycles[48] - cycles[16] == 32 * 10


def test_answers_are_asked_on_the_board_before_anything_is_timed(motebench, tmp_path):
    result = motebench(
        "run",
        "--code",
        str(folders.submission(tmp_path, wrong=2)),
        *TARGET,
        "--size",
        "16",
        "--json",
    )
    assert result.code == 3 and not result.json["measurements"]
    assert {failure["vector"] for failure in result.json["failures"]} == {
        "Count = 2 (LWC_AEAD_KAT_128_128.txt)"
    }
    assert {failure["kind"] for failure in result.json["failures"]} == {"wrong-answer"}


def test_failures_on_a_board_are_of_their_kind(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    right = source.read_text()

    def run():
        result = motebench(
            "run", "--code", str(folder), *TARGET, "--size", "16", "--timeout", "1s", "--json"
        )
        assert result.code == 3 and not result.json["measurements"], result.err
        return failures(result)

    (folder / "broken.c").write_text("this is no C\n")
    assert all(kind == "build" and "broken.c" in words for kind, words in run())
    (folder / "broken.c").unlink()
    source.write_text(right.replace("(void)nsec;", '(void)nsec; for (;;) __asm__ volatile("");', 1))
    assert {kind for kind, _ in run()} == {"timeout"}
    source.write_text(
        right.replace(
            "(void)nsec;", "(void)nsec; ((unsigned char *)k)[0] = table[mlen];", 1
        ).replace(
            "int crypto_aead_encrypt",
            "static volatile unsigned char table[9000] = {1};\nint crypto_aead_encrypt",
            1,
        )
    )
    assert all(kind == "too-big" and "B of RAM are missing" in words for kind, words in run())
    source.write_text("#error this is for another processor\nint crypto_aead_encrypt;\n")
    assert all(kind == "build" and "for another processor" in words for kind, words in run())


def test_assembly_of_another_processor_says_so_with_its_first_errors(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "rounds.s").write_text(
        ".syntax unified\nrounds:\n" + "    ldr.w r4, [r5]\n    bl rounds\n" * 200
    )
    result = motebench("run", "--code", str(folder), *TARGET, "--size", "16", "--json")
    (words,) = {message for kind, message in failures(result) if kind == "build"}
    assert (
        "rounds.s:3: Error: unknown opcode `ldr.w'" in words and "is for another processor" in words
    )
    assert len(words) < 600 and str(tmp_path) not in words


def test_what_an_avr_cannot_hold_says_why(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "large.c").write_text(
        "unsigned char large(int i) { unsigned char b[72 * 512]; return b[i]; }\n"
    )
    result = motebench("run", "--code", str(folder), *TARGET, "--size", "16", "--json")
    assert {kind for kind, _ in failures(result)} == {"build"}
    assert all(
        message.endswith("on an AVR int has 16 bits and an array at most 32,767 bytes")
        for _, message in failures(result)
    )


def test_a_wrong_answer_on_a_board_says_what_the_same_files_give_on_this_machine(
    motebench, tmp_path
):
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    right = source.read_text()
    source.write_text(
        right.replace("    *clen =", "    c[mlen] ^= sizeof(int) == 2;\n    *clen =", 1)
    )
    assert source.read_text() != right
    result = motebench("run", "--code", str(folder), *TARGET, "--size", "16", "--json")
    kinds, words = zip(*failures(result), strict=True)
    assert set(kinds) == {"wrong-answer"}
    assert all("the same files have all" in each and "int has 16 bits" in each for each in words), (
        words
    )


@pytest.mark.long
def test_code_is_examined_for_leaks(motebench, tmp_path):
    folder = folders.planted(tmp_path / "code")
    asked = ("--scheme", "ascon-aead128", "--target", "sim:samd21g18a", "--samples", "20", "--json")
    constant = motebench("leak", "--code", str(folder), *asked)
    assert constant.code == 0, constant.err
    source = folder / "encrypt.c"
    source.write_text(
        source.read_text().replace(
            "(void)nsec;", 'if (k[0] & 1) __asm__ volatile(".rept 9\\n nop\\n .endr");'
        )
    )
    leaking = motebench("leak", "--code", str(folder), *asked)
    assert leaking.code == 8, leaking.err


def test_the_firmware_of_code_is_written_to_a_file(motebench, tmp_path):
    folder = str(folders.aead(tmp_path / "code"))
    done = motebench(
        "firmware", "--code", folder, "--scheme", "ascon-aead128", *TARGET, "-o", "code.elf"
    )
    assert done.code == 0, done.err
    assert (tmp_path / "code.elf").read_bytes()[:4] == b"\x7fELF"
    assert (
        "valid: a name, or --code with a folder"
        in motebench("firmware", *TARGET, "-o", "x.elf").err
    )


def test_files_that_are_optimised_as_one_keep_their_answers(motebench, tmp_path):
    """Arduino builds with ``-flto``: what a caller always passes becomes part of a function in
    another file.
    """
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "api.h").write_text(KNOWN_API)
    (folder / "fill.h").write_text(
        "void fill(unsigned char *to, unsigned char value, unsigned char count, int twice);\n"
    )
    (folder / "hash.c").write_text(
        '#include "fill.h"\nint crypto_hash(unsigned char *out, const unsigned char *in, '
        "unsigned long long inlen)\n"
        "{\n    (void)in, (void)inlen;\n    fill(out, 7, 8, 0);\n    fill(out, 7, 8, 0);\n    "
        "return 0;\n}\n"
    )
    (folder / "fill.c").write_text(
        '#include "fill.h"\nvoid fill(unsigned char *to, unsigned char value, unsigned char '
        "count, int twice)\n"
        "{\n    for (unsigned char i = 0; i < count; i++) {\n        to[i] = value;\n"
        "        for (int k = 0; twice && k < 1000; k++)\n            to[i] ^= k * count;\n    "
        "}\n}\n"
    )
    (folder / "LWC_HASH_KAT_64.txt").write_text(f"Count = 1\nMsg =\nMD = {'07' * 8}\n")
    cycles = {}
    for flags in ("-fno-lto", "-flto"):
        result = motebench(
            "run", "--code", str(folder), "--code-flags", flags, *TARGET, "--size", "16", "--json"
        )
        assert result.code == 0, result.err
        (cycles[flags],) = [
            row["median"] for row in result.json["measurements"] if row["metric"] == "cycles"
        ]
    assert cycles["-flto"] < cycles["-fno-lto"]
    for target in ("host", "sim:samd21g18a"):
        asked = motebench(
            "verify", "--code", str(folder), "--code-flags", "-flto", "--target", target, "--json"
        )
        assert asked.code == 0, asked.err


@pytest.mark.parametrize("target", ["sim:atmega328p", "sim:samd21g18a"])
@pytest.mark.parametrize(
    ("at", "does", "words"),
    [
        (
            "*clen = mlen + CRYPTO_ABYTES;",
            "c[*clen] = 0;",
            "ciphertext and tag: the code wrote behind the buffer",
        ),
        (
            "*clen = mlen + CRYPTO_ABYTES;",
            "c[-1] = 0;",
            "ciphertext and tag: the code wrote before the buffer",
        ),
        (
            "*mlen = clen - CRYPTO_ABYTES;",
            "m[clen] = 0;",
            "the decrypted message: the code wrote behind the buffer",
        ),
        (
            "*clen = mlen + CRYPTO_ABYTES;",
            "((unsigned char *)k)[3] ^= 1;",
            "the code changed its input",
        ),
        (
            "*clen = mlen + CRYPTO_ABYTES;",
            "((unsigned char *)npub)[3] ^= 1;",
            "the code changed its input",
        ),
    ],
)
def test_what_is_written_beside_the_output_is_seen_on_a_board(tmp_path, target, at, does, words):
    folder = folders.aead(tmp_path / "code")
    source = folder / "encrypt.c"
    source.write_text(source.read_text().replace(at, at + does, 1))
    workspace, code = add_code(
        Workspace(), GivenCode(folder, declared=["ascon-aead128"], unproved=True)
    )
    session = open_target(target, code=workspace.code).open(code.name)
    try:
        vector = next(vector for vector in vectors_for("ascon-aead128") if len(vector.data) == 16)
        given = {"key": vector.key or b"", "nonce": vector.nonce or b"", "aad": vector.aad or b""}
        decrypting = "mlen = clen" in at
        with pytest.raises(ProbeFailure) as caught:
            session.compute(
                Job(
                    "ascon-aead128",
                    "decrypt-message" if decrypting else "encrypt-message",
                    **given,
                    data=(vector.expect_out if decrypting else vector.data) or b"",
                    tag=(vector.expect_tag if decrypting else b"") or b"",
                )
            )
    finally:
        session.close()
    assert caught.value.kind is FailureKind.WRONG_ANSWER and words in caught.value.message


def test_code_that_stops_at_odd_lengths_is_timed_at_the_others(motebench, tmp_path):
    folder = folders.submission(tmp_path / "code")
    source = folder / "encrypt.c"
    whole = "*(volatile unsigned int *)(void *)(c + mlen) ^= 0u;"
    end = "*clen = mlen + CRYPTO_ABYTES;"
    source.write_text(source.read_text().replace(end, end + whole, 1))
    asked = (
        "--target",
        "sim:samd21g18a",
        "--operation",
        "encrypt-message",
        "--size",
        "12,13,16",
        "--json",
    )
    done = motebench("run", "--code", str(folder), *asked)
    assert done.code == 3, done.err
    assert {row["input_bytes"] for row in done.json["measurements"]} == {16}
    assert {(row["input_bytes"], row["kind"]) for row in done.json["failures"]} == {
        (12, "crash"),
        (13, "crash"),
    }
    assert "only lengths that are multiples of 8 B are checked and timed" in str(done.json)
