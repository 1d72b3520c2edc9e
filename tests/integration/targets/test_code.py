"""User code on the host: measurements, and every kind of unusable code."""

from __future__ import annotations

import shutil

import code_folders as folders
import pytest

from motebench.catalog.devices import programmable
from tests.integration.conftest import need_simulator

QUICK = ("--fast", "--budget", "300ms", "--size", "16", "--json")


def test_a_submission_is_measured_as_it_is(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    report = ("--report", "report.html")
    result = motebench(
        "run",
        "--code",
        str(folder),
        "--size",
        "0,16",
        "--aad",
        "0,8",
        *QUICK[:3],
        *report,
        "--json",
    )
    assert result.code == 0, result.err
    rows = result.json["measurements"]
    assert {(row["scheme"], row["implementation"]) for row in rows} == {
        ("code-ascon-aead128-aead", "code/ref")
    }
    assert {(row["operation"], row["input_bytes"], row["aad_bytes"]) for row in rows} == {
        (operation, size, aad)
        for operation in ("encrypt-message", "decrypt-message")
        for size in (0, 16)
        for aad in (0, 8)
    }
    assert all("key set-up is part of it" in row["notes"][0] for row in rows)
    (code,) = result.json["environment"]["code"].values()
    assert code["folder"] == str(folder) and set(code["files"]) >= {
        "api.h",
        "encrypt.c",
        "mote/bytes.h",
    }
    assert code["known_answers"]["aead"]["file"].endswith("LWC_AEAD_KAT_128_128.txt")
    probe = result.json["environment"]["probes"]["code/ref"]
    assert probe["flags"] == "-O2" and probe["version"] == f"files {code['digest'][:16]}"
    assert "code-ascon-aead128-aead" in (tmp_path / "report.html").read_text()
    assert any(
        "13 known answers of code-ascon-aead128-aead asked on host" in n
        for n in result.json["run"]["notes"]
    )


def test_levels_are_variants_and_a_run_is_resumed_from_anywhere(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    chosen = (
        "--implementation",
        "code/ref@O1,mote/ascon",
        "--scheme",
        "ascon-aead128",
        "--name",
        "r",
    )
    result = motebench(
        "run", "--code", str(folder), *chosen, "--operation", "encrypt-message", *QUICK
    )
    assert result.code == 0, result.err
    assert {row["implementation"] for row in result.json["measurements"]} == {
        "code/ref@O1",
        "mote/ascon",
    }
    assert result.json["environment"]["probes"]["code/ref@O1"]["flags"] == "-O1"
    again = motebench("run", "--resume=r", "--json")
    assert again.code == 0 and "is finished" in again.err


def test_a_study_can_bring_code(motebench, tmp_path):
    folders.submission(tmp_path / "a b")
    study = tmp_path / "study.toml"
    study.write_text(
        '[[measure]]\nschemes = ["code-*"]\ncode = ["a '
        'b/Implementations/crypto_aead/ascon-aead128/ref"]\n'
        'sizes = [16]\naad = [3]\noperations = ["decrypt-message"]\ncode_flags = "-DA=\'\\"x '
        'y\\"\' -fno-inline"\n'
    )
    result = motebench("run", str(study), *QUICK[:3], "--json")
    assert result.code == 0, result.err
    assert {row["aad_bytes"] for row in result.json["measurements"]} == {3}
    assert "-fno-inline" in result.json["environment"]["probes"]["code/ref"]["flags"]


def test_an_aead_and_a_hash_may_share_a_folder(motebench, tmp_path):
    folder = folders.aead(tmp_path / "both", api=folders.API + folders.HASH_API)
    kats = tmp_path / "kats.txt"
    kats.write_text(folders.hash_answers())
    result = motebench("run", "--code", str(folder), "--kat", str(kats), *QUICK)
    assert result.code == 3, result.err
    assert {row["scheme"] for row in result.json["measurements"]} == {"code-both-hash"}
    assert {(row["scheme"], row["kind"]) for row in result.json["failures"]} == {
        ("code-both-aead", "unsupported")
    }
    assert "no known answers, so nothing is timed" in result.json["failures"][0]["message"]


def test_a_wrong_known_answer_names_its_count(motebench, tmp_path):
    folder = folders.submission(tmp_path, wrong=241)
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 3 and not result.json["measurements"]
    for failure in result.json["failures"]:
        assert failure["kind"] == "wrong-answer"
        assert failure["vector"] == "Count = 241 (LWC_AEAD_KAT_128_128.txt)"
        assert (
            "wrong tag; expected 3a42f7ff53e518ad829bfb2fb5d19660, got "
            "3a42f7ff53e518ad829bfb2fb5d19661"
        ) in (failure["message"])


def test_known_answers_without_timing(motebench, tmp_path):
    right = motebench("verify", "--code", str(folders.submission(tmp_path / "right")), "--json")
    assert right.code == 0, right.err
    assert [(row["implementation"], row["passed"]) for row in right.json["implementations"]] == [
        ("code/ref", 13)
    ]
    wrong = motebench(
        "verify", "--code", str(folders.submission(tmp_path / "wrong", wrong=2)), "--json"
    )
    assert wrong.code == 3
    assert [failure["vector"] for failure in wrong.json["implementations"][0]["failures"]] == [
        "Count = 2"
    ]


def test_what_is_no_part_of_the_code_is_left_out_and_said(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "genkat.c").write_text(
        '#include <stdio.h>\nint main(void) { return puts("x"); }\nint helper;\n'
    )
    (folder / "other.c").write_text(
        '#include "framework_of_others.h"\nint other(void) { return framework(); }\n'
    )
    (folder / "sketch.ino").write_text("void setup() {}\n")
    (folder / "readme \xff\n.txt").write_bytes(b"\xff\xfe")
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 0, result.err
    said = " ".join(result.json["run"]["notes"])
    assert "left out genkat.c: it is a program of its own, with main" in said
    assert "left out other.c: it needs framework_of_others.h, which is not in the folder" in said
    assert "sketch.ino is neither C, C++ nor assembly" in said


def test_names_may_hold_anything(motebench, tmp_path):
    folder = folders.aead(tmp_path / 'it\'s "my" code, v=1 @$(x);*')
    result = motebench("run", "--code", str(folder), "--scheme", "ascon-aead128", *QUICK)
    assert result.code == 0, result.err
    assert {row["implementation"] for row in result.json["measurements"]} == {
        "code/it-s-my-code-v-1-x"
    }


def test_a_path_that_is_no_text_is_refused(motebench, tmp_path):
    folder = folders.aead(tmp_path / "\udcff code")
    refused = motebench("verify", "--code", str(folder), "--scheme", "ascon-aead128")
    assert refused.code == 2 and "the path is not UTF-8" in refused.err
    (tmp_path / "link").symlink_to(folder)
    assert motebench("verify", "--code", "link/../link", "--scheme", "ascon-aead128").code == 0


def test_two_folders_of_one_name_are_told_apart(motebench, tmp_path):
    code = [
        word for name in "ab" for word in ("--code", str(folders.aead(tmp_path / name / "ref")))
    ]
    result = motebench(
        "run", *code, "--scheme", "ascon-aead128", "--operation", "encrypt-message", *QUICK
    )
    assert result.code == 0, result.err
    assert {row["implementation"] for row in result.json["measurements"]} == {
        "code/ref",
        "code/b-ref",
    }


@pytest.mark.parametrize("length", ["size_t", "u32", "unsigned long"])
def test_lengths_of_another_type_are_seen(motebench, tmp_path, length):
    folder = folders.aead(tmp_path / "other", length=length)
    source = folder / "encrypt.c"
    source.write_text(f"#include <stdint.h>\ntypedef uint32_t u32;\n{source.read_text()}")
    result = motebench("run", "--code", str(folder), "--scheme", "ascon-aead128", *QUICK)
    assert result.code == 0, result.err


def test_nothing_is_printed_as_good_that_nothing_proves(motebench, tmp_path):
    folder = folders.aead(tmp_path / "unknown")
    refused = motebench("run", "--code", str(folder), *QUICK)
    assert refused.code == 3 and not refused.json["measurements"]
    assert "--kat" in refused.json["failures"][0]["message"]
    allowed = motebench("run", "--code", str(folder), "--without-kat", *QUICK)
    assert allowed.code == 0, allowed.err
    assert all(
        any(note.startswith("no known answers") for note in row["notes"])
        for row in allowed.json["measurements"]
    )
    source = folder / "encrypt.c"
    source.write_text(source.read_text().replace("== 0 ? 0 : -1", "== 0 ? 0 : 0"))
    forged = motebench("run", "--code", str(folder), "--without-kat", *QUICK)
    assert {(row["kind"], row["message"]) for row in forged.json["failures"]} == {
        ("wrong-answer", "0 B of message, 0 B of additional data: a forged tag is accepted")
    }


def test_what_the_compiler_refuses_is_a_build_failure_with_its_words(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "broken.c").write_text("this is no C\n")
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 3, result.err
    assert {failure["kind"] for failure in result.json["failures"]} == {"build"}
    assert all(
        "broken.c" in row["message"] and "error" in row["message"]
        for row in result.json["failures"]
    )


def test_assembly_without_operands_at_a_low_level_names_a_higher_one(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    source = folder / "operand.c"
    source.write_text(
        '#ifdef __OPTIMIZE_SIZE__\nint n(int i) { __asm__("" : : "i"(i)); return i; }\n#endif\n'
    )
    asked = (
        "run",
        "--code",
        str(folder),
        "--size",
        "16",
        "--json",
        "--budget",
        "300ms",
        "--implementation",
    )
    small = motebench(*asked, f"code/{folder.name}@Os")
    assert {failure["kind"] for failure in small.json["failures"]} == {"build"}
    assert all(
        "@O2 behind the implementation" in failure["message"] for failure in small.json["failures"]
    )
    assert motebench(*asked, f"code/{folder.name}").code == 0
    source.write_text(source.read_text().replace("ifdef", "ifndef"))
    fast = motebench(*asked, f"code/{folder.name}")
    assert all("another compiler may" in failure["message"] for failure in fast.json["failures"])
    assert not any(
        "@O2 behind the" in failure["message"].partition("another")[0]
        for failure in fast.json["failures"]
    )


def test_code_that_builds_at_other_levels_is_told_so_with_its_first_error(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "small.c").write_text(
        "#ifndef __OPTIMIZE_SIZE__\n#error only for small code\n#endif\n"
    )
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 3, result.err
    messages = {failure["message"] for failure in result.json["failures"]}
    assert messages and all(
        "only for small code" in message.partition("; that was with -O2")[0] for message in messages
    )
    assert all(
        message.endswith("that was with -O2, and it builds with -Os: measure code/ref@Os")
        for message in messages
    )
    small = motebench("run", "--code", str(folder), "--implementation", "code/ref@Os", *QUICK)
    assert small.code == 0, small.err


def test_code_that_a_board_builds_at_other_levels_is_told_so(motebench, tmp_path):
    if shutil.which("avr-gcc") is None:
        pytest.skip("there is no avr-gcc")
    folder = folders.submission(tmp_path)
    (folder / "fast.c").write_text("#ifdef __OPTIMIZE_SIZE__\n#error only for fast code\n#endif\n")
    result = motebench("run", "--code", str(folder), "--target", "sim:atmega2560", *QUICK)
    assert result.code == 3, result.err
    for failure in result.json["failures"]:
        assert "only for fast code" in failure["message"]
        assert failure["message"].endswith(
            "that was with -Os, and it builds with -O1, -O2, -O3: measure code/ref@O1 or "
            "code/ref@O2 or code/ref@O3"
        )


def test_what_nothing_uses_need_not_be_complete(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "broken.c").write_text("int broken(void) { return not_there(1); }\n")
    assert motebench("run", "--code", str(folder), *QUICK).code == 0
    source = folder / "encrypt.c"
    source.write_text(source.read_text().replace("(void)nsec;", "(void)nsec; not_there();", 1))
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 3, result.err
    assert {failure["kind"] for failure in result.json["failures"]} == {"build"}
    assert "not_there" in result.json["failures"][0]["message"]


def test_code_that_never_returns_is_a_timeout(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    source.write_text(
        source.read_text().replace("(void)nsec;", '(void)nsec; for (;;) __asm__ volatile("");', 1)
    )
    result = motebench("run", "--code", str(folder), "--timeout", "1s", *QUICK)
    assert result.code == 3, result.err
    assert {failure["kind"] for failure in result.json["failures"]} == {"timeout"}


def test_code_that_crashes_is_a_crash(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    source.write_text(
        source.read_text().replace("(void)nsec;", "(void)nsec; *(volatile char *)0 = 1;", 1)
    )
    result = motebench("run", "--code", str(folder), *QUICK)
    assert result.code == 3, result.err
    assert {failure["kind"] for failure in result.json["failures"]} == {"crash"}


@pytest.mark.parametrize("target", ["host", "sim:atmega2560"])
@pytest.mark.parametrize(
    ("right", "wrong", "function"),
    [
        ("*clen = mlen + CRYPTO_ABYTES;", "*clen = mlen;", "encrypt"),
        ("*clen = mlen + CRYPTO_ABYTES;", "*clen = mlen + 1000;", "encrypt"),
        ("*clen = mlen + CRYPTO_ABYTES;", "", "encrypt"),
        ("CRYPTO_ABYTES) == 0 ? 0 : -1;", "CRYPTO_ABYTES) ? -1 : !(*mlen += 1000);", "decrypt"),
    ],
)
def test_code_that_lies_about_lengths_is_refused(
    motebench, tmp_path, target, right, wrong, function
):
    if target != "host":
        need_simulator(programmable()["atmega2560"])
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    source.write_text(source.read_text().replace(right, wrong, 1))
    result = motebench("run", "--code", str(folder), "--target", target, *QUICK)
    assert result.code == 3 and not result.json["measurements"]
    for failure in result.json["failures"]:
        assert f"crypto_aead_{function} gave a length" in failure["message"], failure


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "is empty"),
        ({"api.h": ""}, "contains no C, C++ or assembly file"),
        (
            {"api.h": "", "a.c": "int crypto_aead_encrypt;"},
            "does not define CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES",
        ),
        (
            {"api.h": folders.API, "a.c": "int f;"},
            "names crypto_aead_encrypt, crypto_hash, crypto_kem_enc,",
        ),
        (
            {"api.h": folders.API.replace("0x10", "65"), "a.c": "int crypto_aead_encrypt;"},
            "CRYPTO_ABYTES is 65",
        ),
    ],
)
def test_folders_that_are_no_code_are_refused(motebench, tmp_path, files, words):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    result = motebench("run", "--code", str(folder))
    assert result.code == 2 and words in result.err and "--code" in result.err


def test_folders_and_files_that_are_not_there_are_named(motebench, tmp_path):
    assert "there is no such folder" in motebench("run", "--code", "nowhere").err
    (tmp_path / "file").write_text("x")
    assert "is not a folder" in motebench("run", "--code", "file").err
    folder = str(folders.aead(tmp_path / "code"))
    assert "cannot be read" in motebench("run", "--code", folder, "--kat", "nowhere.txt").err
    assert "--code-flags" in motebench("run", "--code", folder, "--code-flags", "'x").err
    assert motebench("run", "--kat", "file", "--scheme", "sha256").code == 2
    wrong = motebench("run", "--code", folder, "--scheme", "aes-256-gcm")
    assert wrong.code == 2 and "CRYPTO_KEYBYTES is 16, aes-256-gcm has a key of 32 B" in wrong.err
    (tmp_path / "bad.txt").write_text("Count = 1\nKey = 00\nNonce = 0G\n")
    bad = motebench("run", "--code", folder, "--kat", "bad.txt")
    assert bad.code == 2 and "bad.txt:3" in bad.err
    (tmp_path / "short.txt").write_text("Count = 1\nKey = 00\nNonce = 00\nPT = \nAD = \nCT = 00\n")
    short = motebench("run", "--code", folder, "--kat", "short.txt")
    assert short.code == 2 and "Key has 1 bytes, CRYPTO_KEYBYTES in api.h is 16" in short.err


FIXED = """\
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
    unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen,
                            const unsigned char *nsec,
                        const unsigned char *npub, const unsigned char *k)
{
    if (mlen > 15 || adlen > 0)
        return -1;
    for (int i = 0; i < 32; i++)
        c[i] = k[i % 16] ^ (i < mlen ? m[i] : i == mlen ? 0x80 : 0);
    *clen = 32;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
    const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *npub, const unsigned char *k)
{
    int len = 31;
    while (len > 0 && (c[len] ^ k[len % 16]) == 0)
        len--;
    if (clen != 32 || len > 15 || (c[len] ^ k[len % 16]) != 0x80)
        return -1;
    for (int i = 0; i < len; i++)
        m[i] = c[i] ^ k[i % 16];
    *mlen = len;
    return 0;
}
"""


def test_ciphertexts_may_all_have_one_length(motebench, tmp_path):
    """Saturnin-Short: 32 bytes for every message of up to 15."""
    folder = tmp_path / "short"
    folder.mkdir()
    (folder / "api.h").write_text(folders.API.replace("0x10 // the tag", "32"))
    (folder / "encrypt.c").write_text(FIXED)
    key, records = bytes(range(16)), []
    for n in range(16):
        padded = (bytes(range(n)) + b"\x80").ljust(32, b"\0")
        sealed = bytes(a ^ b for a, b in zip(padded, key * 2, strict=True))
        fields = {"Key": key, "Nonce": key, "PT": bytes(range(n)), "AD": b"", "CT": sealed}
        records.append(
            f"Count = {n + 1}\n"
            + "".join(f"{name} = {value.hex()}\n" for name, value in fields.items())
        )
    (folder / "LWC_AEAD_KAT_128_128.txt").write_text("\n".join(records))
    result = motebench(
        "run", "--code", str(folder), "--size", "0,15,16", "--json", "--budget", "500ms"
    )
    assert {row["input_bytes"] for row in result.json["measurements"]} == {0, 15}
    assert {(row["kind"], row["input_bytes"]) for row in result.json["failures"]} == {
        ("unsupported", 16)
    }
    assert all("messages of at most 15 B" in row["message"] for row in result.json["failures"])
    checked = motebench("verify", "--code", str(folder), "--json")
    assert [(row["passed"], row["failed"]) for row in checked.json["implementations"]] == [(16, 0)]
