"""Code that gives its functions in NIST's structures, and C++ code: on hosts and on boards."""

from __future__ import annotations

import code_folders as folders
import pytest

from motebench.catalog.devices import devices
from tests.integration.conftest import need_simulator

STRUCTURE = """\
#include "lwc_crypto_aead.h"
#include "api.h"
LINKAGE int sealed(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long,
    const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *,
    const unsigned char *);
LINKAGE int opened(unsigned char *, unsigned long long *, unsigned char *, const unsigned char *,
    unsigned long long, const unsigned char *, unsigned long long, const unsigned char *,
    const unsigned char *);
"""
MEMBERS = """\
aead_ctx lwc_aead_cipher = {
    "ascon", "mine", CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES, SEAL, OPEN};
"""
CLASSES = """\
class Cipher {
public:
    virtual ~Cipher() {}
    virtual int seal(unsigned char *c, unsigned long long *clen, const unsigned char *m,
        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
        const unsigned char *npub, const unsigned char *k) = 0;
};
class Ascon : public Cipher {
public:
    int seal(unsigned char *c, unsigned long long *clen, const unsigned char *m,
        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
        const unsigned char *npub, const unsigned char *k)
    {
        return sealed(c, clen, m, mlen, ad, adlen, nullptr, npub, k);
    }
};
static int seal(unsigned char *c, unsigned long long *clen, const unsigned char *m,
    unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
    const unsigned char *, const unsigned char *npub, const unsigned char *k)
{
    MAKE
    Cipher *cipher = IT;
    const int failed = cipher->seal(c, clen, m, mlen, ad, adlen, npub, k);
    END
    return failed;
}
"""
QUICK = ("--scheme", "ascon-aead128", "--size", "16", "--fast", "--quiet", "--json")


def of_structure(root):
    """A submission whose functions have other names and are members of NIST's structure."""
    folder = folders.submission(root)
    source = folder / "encrypt.c"
    text = source.read_text()
    for old, new in (("crypto_aead_encrypt", "sealed"), ("crypto_aead_decrypt", "opened")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    source.write_text(text)
    return folder


def in_c(root):
    folder = of_structure(root)
    members = MEMBERS.replace("SEAL", "sealed").replace("OPEN", "opened")
    (folder / "lwc_crypto_aead.c").write_text(STRUCTURE.replace("LINKAGE ", "") + members)
    return folder


def in_cxx(root, make="Ascon ascon;", cipher="&ascon", end=""):
    folder = of_structure(root)
    classes = CLASSES.replace("MAKE", make).replace("IT", cipher).replace("END", end)
    members = MEMBERS.replace("SEAL", "seal").replace("OPEN", "opened")
    text = STRUCTURE.replace("LINKAGE", 'extern "C"') + classes + members
    (folder / "lwc_crypto_aead.cpp").write_text(text)
    return folder


def rows(result):
    assert result.code == 0, result.err
    return {(row["operation"], row["metric"]): row["median"] for row in result.json["measurements"]}


@pytest.mark.parametrize("made", [in_c, in_cxx])
def test_functions_in_a_structure_are_measured_on_this_machine(motebench, tmp_path, made):
    result = motebench("run", "--code", str(made(tmp_path)), *QUICK, "--budget", "300ms")
    assert ("encrypt-message", "time") in rows(result)
    notes = result.json["run"]["notes"]
    assert any(" known answers of ascon-aead128 asked on host" in note for note in notes), notes
    assert not [note for note in notes if "left out" in note]


def test_functions_of_cxx_alone_are_told_what_they_lack(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    (folder / "encrypt.c").unlink()
    functions = "".join(f"{head} {{ return 0; }}\n" for head in (folders.ENCRYPT, folders.DECRYPT))
    (folder / "encrypt.cpp").write_text(functions.replace("LENGTH", "unsigned long long"))
    refused = motebench("run", "--code", str(folder), *QUICK)
    assert refused.code == 3
    failure = refused.json["failures"][0]
    assert "defines crypto_aead_encrypt, crypto_aead_decrypt for C (the decl" in failure["message"]


@pytest.mark.parametrize("target", ["sim:cortex-m0-nows", "sim:atmega2560"])
def test_a_structure_costs_no_cycle_of_a_call(motebench, tmp_path, target):
    need_simulator(devices()[target.removeprefix("sim:")])
    plain = folders.submission(tmp_path / "plain")
    cycles = [
        rows(motebench("run", "--code", str(folder), *QUICK, "--target", target))
        for folder in (plain, in_c(tmp_path / "structure"))
    ]
    assert cycles[0]["decrypt-message", "cycles"] == cycles[1]["decrypt-message", "cycles"]
    assert cycles[0]["encrypt-message", "cycles"] == cycles[1]["encrypt-message", "cycles"]


@pytest.mark.parametrize("target", ["sim:samd21g18a", "sim:atmega2560"])
def test_classes_bring_a_heap_only_if_the_code_allocates(motebench, tmp_path, target):
    need_simulator(devices()[target.removeprefix("sim:")])
    local = in_cxx(tmp_path / "local")
    heap = in_cxx(tmp_path / "heap", "", "new Ascon", "delete cipher;")
    net = [
        rows(motebench("run", "--code", str(folder), *QUICK, "--target", target))
        for folder in (local, heap)
    ]
    # On an AVR tables of virtual functions are in RAM.
    assert net[0]["encrypt-message", "static_ram_net"] < 100
    assert net[1]["encrypt-message", "static_ram_net"] > 500


def test_constructors_that_run_before_main_are_refused_on_boards_that_do_not_call_them(
    motebench, tmp_path
):
    need_simulator(devices()["samd21g18a"])
    folder = in_c(tmp_path)
    (folder / "early.c").write_text(
        "int early;\n__attribute__((constructor)) static void first(void) { early = 1; }\n"
        "int is_early(void) { return early; }\n"
    )
    result = motebench("run", "--code", str(folder), *QUICK, "--target", "sim:samd21g18a")
    (failure, *_) = result.json["failures"]
    assert failure["kind"] == "build"
    assert "constructors that run before main" in failure["message"]
