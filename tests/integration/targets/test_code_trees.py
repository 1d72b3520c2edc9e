"""Folders of code in trees like those of pqm4: common files of several trees, macros of makefiles,
assembly for one processor, links."""

from __future__ import annotations

import json

import pytest
import toy_keys as toy

from motebench.targets.code.folder import read
from motebench.targets.code.tree import common_folders, tree_flags

STIR = "void stir(unsigned char *out, const unsigned char *in)"
CALLS = f'#include "stir.h"\n#ifndef BOARD\n#error "no board"\n#endif\n{toy.KEM}'.replace(
    "    encode(ct, m, pk);\n", "    encode(ct, m, pk);\n    stir(ss, m);\n"
)
IN_C = f'#include "stir.h"\n{STIR}\n{{\n    out[0] = in[0];\n}}\n'
ASSEMBLY = """\
.syntax unified
.cpu cortex-m4
.thumb
.text
.global stir
.type stir, %function
stir:
    ldrb r2, [r1]
    uadd8 r2, r2, r2
    strb r2, [r0]
    bx lr
"""


def tree(place, *, code=CALLS):
    """``plat`` contains the tree ``mupq``; a folder of plat's own, and its path."""
    folder = toy.folder(place / "plat" / "crypto_kem" / "toy" / "m4", code, toy.KEM_API)
    for name in ("plat", "plat/mupq"):
        (place / name / "common").mkdir(parents=True)
        (place / name / "mk").mkdir()
    (place / "plat/common/keccakf1600.S").write_text("")
    (place / "plat/common/stir.S").write_text(ASSEMBLY)
    (place / "plat/mupq/common/stir.h").write_text(f"{STIR};\n")
    (place / "plat/mupq/common/fips202.h").write_text("")
    (place / "plat/mupq/common/stir.c").write_text(IN_C)
    (place / "plat/mk/config.mk").write_text("CPPFLAGS += \\\n\t-DBOARD\nHOST_CPPFLAGS += -DHOST\n")
    return folder


def notes(result):
    return result.json["run"]["notes"]


def test_files_of_the_outer_tree_come_first_where_they_are_for_the_processor(motebench, tmp_path):
    folder = tree(tmp_path)
    asked = ("--code", str(folder), "--without-kat", "--operation", "encapsulate", "--json")
    board = motebench("run", *asked, "--target", "sim:cortex-m4-nows")
    assert board.code == 0, board.err
    assert any("plat/common/stir.S" in note for note in notes(board)) and board.json["measurements"]
    assert any("-DBOARD" in note for note in notes(board))
    host = motebench("run", *asked, "--fast", "--budget", "100ms")
    assert host.code == 0, host.err
    assert any("mupq/common/stir.c" in note for note in notes(host)), (
        "the host has no such assembly"
    )


def test_keys_and_signatures_are_made_on_the_board_by_code_for_that_alone(motebench, tmp_path):
    folder = toy.folder(tmp_path / "toy" / "m4", toy.WHOLE, toy.SIGN_API)
    (folder / "stir.S").write_text(ASSEMBLY)
    asked = (
        "--code",
        str(folder),
        "--without-kat",
        "--size",
        "5",
        "--operation",
        "keygen,sign,verify",
        "--json",
    )
    result = motebench("run", *asked, "--target", "sim:cortex-m4-nows")
    assert result.code == 0, result.err
    measured = {row["operation"] for row in result.json["measurements"]}
    assert measured == {"keygen", "sign", "verify"}
    assert json.dumps(result.json["failures"]) == "[]"


def test_the_folders_of_common_files_are_those_of_the_trees_around(tmp_path):
    folder = tree(tmp_path)
    plat = tmp_path / "plat"
    whole = (plat / "common", plat / "mupq" / "common")
    assert common_folders(folder) == (whole,)
    inner = plat / "mupq" / "pqclean" / "crypto_kem" / "toy" / "clean"
    inner.mkdir(parents=True)
    (plat / "mupq" / "pqclean" / "common").mkdir()
    (plat / "mupq" / "pqclean" / "common" / "fips202.h").write_text("")
    of_pqclean = (plat / "mupq" / "pqclean" / "common",)
    assert common_folders(inner) == (whole, whole[1:], of_pqclean)
    assert common_folders(tmp_path / "elsewhere" / "clean") == ()


@pytest.mark.parametrize(
    ("makefile", "flags"),
    [
        ("CPPFLAGS += -DA -DB=3\n", ("-DA", "-DB=3")),
        ("elf/toy_%.elf: CPPFLAGS += -DTOY\nHOST_CFLAGS += -DHOST\n", ("-DTOY",)),
        ("CFLAGS += \\\n\t-std=gnu99 \\\n\t-DC -DNAME=$(NAME) -O3\n", ("-DC", "-DNAME=")),
        (
            "ifdef DEBUG\nCPPFLAGS += -DDEBUG\nelse\nCPPFLAGS += -DOTHER\nendif\nCPPFLAGS += -DA\n",
            ("-DA",),
        ),
        ("ifndef _CONFIG\n_CONFIG :=\nCPPFLAGS += -DGUARDED\nendif\n", ("-DGUARDED",)),
        ("# CPPFLAGS += -DNOT\n", ()),
    ],
)
def test_macros_of_a_makefile_that_hold_for_every_build(tmp_path, makefile, flags):
    folder = tree(tmp_path)
    (tmp_path / "plat/mk/config.mk").unlink()
    (folder / "config.mk").write_text(makefile)
    assert tree_flags(folder) == flags
    (tmp_path / "plat/mk/config.mk").write_text("CPPFLAGS += -DFIRST\n")
    assert read(folder).flags == ("-DFIRST", *flags)


def test_a_link_to_a_submodule_that_is_not_there_says_so(motebench, tmp_path):
    folder = tree(tmp_path, code=CALLS.replace("stir.h", "missing.h"))
    (tmp_path / "plat/mupq/common/missing.h").symlink_to("../pqclean/common/missing.h")
    result = motebench(
        "run", "--code", str(folder), "--without-kat", "--fast", "--operation", "keygen", "--json"
    )
    (failure,) = result.json["failures"]
    assert "missing.h, which is a link to ../pqclean/common/missing.h" in failure["message"]
    assert "git submodule update" in failure["message"]


def test_a_library_is_linked_into_the_code_on_a_board(motebench, tmp_path):
    copies = toy.KEM.replace(
        "memcpy(ct + 16, check, 4);",
        "static volatile unsigned long n = 400;\n    static unsigned char"
        " far[400], from[400];\n    memcpy(far, from, n);\n    memcpy(ct + 16, check, 4);",
    )
    folder = toy.folder(tmp_path / "toy", copies, toy.KEM_API)
    asked = (
        "--code",
        str(folder),
        "--without-kat",
        "--operation",
        "encapsulate",
        "--target",
        "sim:cortex-m4-nows",
    )

    def cycles(*flags):
        result = motebench("run", *asked, *flags, "--json")
        assert result.code == 0, result.err
        return next(
            row["median"] for row in result.json["measurements"] if row["metric"] == "cycles"
        )

    ours, newlib = cycles(), cycles("--code-flags=-l:libc.a")
    assert ours - newlib > 400, "newlib copies words, our firmware bytes"


def test_assembly_for_a_unit_that_the_processor_lacks_says_so(motebench, tmp_path):
    folder = toy.folder(tmp_path / "toy", toy.KEM, toy.KEM_API)
    (folder / "floats.S").write_text(
        ASSEMBLY.replace(".cpu cortex-m4\n", "").replace("uadd8 r2, r2, r2", "vmov s0, r2")
    )
    asked = ("--code", str(folder), "--without-kat", "--operation", "keygen", "--json")
    result = motebench("run", *asked, "--target", "sim:cortex-m3-nows")
    (failure,) = result.json["failures"]
    assert failure["kind"] == "build" and "needs a floating-point unit" in failure["message"]
    assert motebench("run", *asked, "--target", "sim:cortex-m4-nows").code == 0
