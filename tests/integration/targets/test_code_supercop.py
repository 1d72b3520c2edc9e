"""Folders of code in SUPERCOP's layout: headers and macros that SUPERCOP makes for them, and
libraries."""

from __future__ import annotations

import pytest
import toy_keys as toy

from motebench.targets.code.folder import read

HASH = """\
#include "crypto_hash.h"
#include "crypto_uint32.h"
#ifdef WHOLE
#include "toy_endian.h"
#endif

#ifndef crypto_hash_BYTES
#define crypto_hash_BYTES 200
#endif
#define state CRYPTO_NAMESPACE(state)
crypto_uint32 state CRYPTO_ALIGN(16) = 7;

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_uint32 sum = state;
    for (unsigned long long i = 0; i < inlen; i++)
        sum = sum * 33 + in[i];
#ifdef WHOLE
    sum += crypto_uint32_blocked() + ENDIAN;
#endif
    for (int i = 0; i < crypto_hash_BYTES; i++)
        out[i] = (unsigned char)(sum >> (i % 4 * 8));
    return 0;
}
"""
INTEGERS = """\
#include <stdint.h>
#define crypto_uint32 uint32_t
#define blocker supercop_uint32_optblocker
extern volatile crypto_uint32 blocker;
static inline crypto_uint32 crypto_uint32_blocked(void)
{
    return blocker;
}
"""
BLOCKER = '#include "crypto_uint32.h"\nvolatile crypto_uint32 blocker = 1;\n'
TOP = """\
.globl CRYPTO_NAMESPACETOP
.globl _CRYPTO_NAMESPACETOP
CRYPTO_NAMESPACETOP:
_CRYPTO_NAMESPACETOP:
    xor %eax, %eax
    ret
"""
ASKED = ("--without-kat", "--size", "16", "--fast", "--budget", "100ms", "--json")


def primitive(place, operation="hash", api="#define CRYPTO_BYTES 8\n"):
    """Folder of an implementation, in a primitive that has a checksum."""
    folder = place / f"crypto_{operation}" / "toy" / "author" / "ref"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text(api)
    (folder / "goal-constbranch").write_text("")
    (folder.parents[1] / "checksumsmall").write_text("00")
    return folder


@pytest.mark.parametrize("target", ["host", "sim:samd21g18a"])
def test_headers_and_macros_that_supercop_makes_are_there(motebench, tmp_path, target):
    folder = primitive(tmp_path)
    (folder / "hash.c").write_text(HASH)
    result = motebench("run", "--code", str(folder), "--target", target, *ASKED)
    assert result.code == 0, result.json["failures"]
    assert "-Dcrypto_hash_BYTES=8" in " ".join(result.json["run"]["notes"])


def test_headers_of_the_tree_come_before_ours_with_their_variables(motebench, tmp_path):
    folder = primitive(tmp_path)
    (folder / "hash.c").write_text("#define WHOLE\n" + HASH)
    (tmp_path / "cryptoint").mkdir()
    (tmp_path / "cryptoint" / "crypto_uint32.h").write_text(INTEGERS)
    (tmp_path / "cryptoint" / "uint32_optblocker.c").write_text(BLOCKER)
    (tmp_path / "cryptoint" / "intN_optblocker.c").write_text("#error a template\n")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "toy_endian.h").write_text("#define ENDIAN 1\n")
    before = read(folder).digest
    result = motebench("run", "--code", str(folder), *ASKED)
    assert result.code == 0, result.json["failures"]
    assert "uint32_optblocker.c" in " ".join(result.json["run"]["notes"])
    (tmp_path / "cryptoint" / "uint32_optblocker.c").write_text(BLOCKER.replace("= 1", "= 2"))
    assert read(folder).digest != before


def test_the_place_says_the_kind_of_assembly_without_a_name(tmp_path):
    folder = primitive(tmp_path)
    (folder / "hash.S").write_text(TOP)
    assert read(folder).kinds == ("hash",)


def test_a_kem_has_the_sizes_of_its_header(motebench, tmp_path):
    folder = primitive(tmp_path, "kem", toy.KEM_API.replace("PREFIX", ""))
    sized = "#if crypto_kem_BYTES != 16\n#error no size\n#endif\n"
    (folder / "kem.c").write_text(
        '#include "crypto_kem.h"\n' + sized + toy.KEM.replace("PREFIX", "")
    )
    asked = ("--operation", "encapsulate", "--without-kat", "--fast", "--budget", "100ms", "--json")
    result = motebench("run", "--code", str(folder), *asked)
    assert result.code == 0, result.json["failures"]


def test_elsewhere_nothing_is_defined(tmp_path):
    folder = primitive(tmp_path)
    (folder / "hash.c").write_text(HASH)
    (folder.parents[1] / "checksumsmall").unlink()
    assert read(folder).flags == ()
    (tmp_path / "try-anything.c").write_text("")
    assert "-DSUPERCOP" in read(folder).flags


def test_symbols_of_a_library_are_named_and_linked_on_this_machine(motebench, tmp_path):
    folder = primitive(tmp_path)
    added = "unsigned long crc32(unsigned long, const unsigned char *, unsigned);\nint crypto_hash("
    code = HASH.replace("int crypto_hash(", added, 1).replace("= state;", "= crc32(0, in, inlen);")
    (folder / "hash.c").write_text(code)
    alone = motebench("run", "--code", str(folder), *ASKED)
    assert {f["message"] for f in alone.json["failures"]} == {
        "undefined: crc32: neither the code nor a linked library has them; "
        "--code-flags=-lcrypto, in a collection flags, links a library of this machine"
    }
    linked = motebench("run", "--code", str(folder), "--code-flags=-l:libz.so.1", *ASKED)
    assert linked.code == 0, linked.json["failures"]


def test_an_archive_for_boards_is_not_linked_on_this_machine(motebench, tmp_path):
    folder = primitive(tmp_path)
    (folder / "hash.c").write_text(HASH)
    done = motebench("run", "--code", str(folder), "--code-flags=-l:libnowhere.a", *ASKED)
    assert done.code == 0, done.json["failures"]


def test_the_header_of_signatures_contains_api_h(motebench, tmp_path):
    folder = primitive(tmp_path, "sign", toy.SIGN_API.replace("PREFIX", "") + "#define SEEN 1\n")
    sized = '#include "crypto_sign.h"\n#ifndef SEEN\n#error no api.h\n#endif\n'
    (folder / "sign.c").write_text(sized + toy.WHOLE.replace("PREFIX", ""))
    asked = ("--operation", "verify", "--size", "16", "--without-kat", "--fast", "--json")
    result = motebench("run", "--code", str(folder), *asked, "--budget", "100ms")
    assert result.code == 0, result.json["failures"]
