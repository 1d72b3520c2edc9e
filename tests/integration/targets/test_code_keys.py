"""User code of KEMs and signatures: every layout, known answers, round trips, and unusable code."""

from __future__ import annotations

import shutil

import pytest
import toy_keys as toy

from motebench.base.errors import InputError
from motebench.base.paths import data_root
from motebench.catalog.devices import programmable
from motebench.measuring.verify.admission import admit
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import need_simulator

QUICK = ("--fast", "--budget", "100ms", "--json")


def admitted(path, target="host", **options):
    """The verdict on the only scheme of a folder."""
    workspace, code = add_code(Workspace(), GivenCode(path, **options))
    with_code = open_target(target, where=None, code=workspace.code)
    session = with_code.open(code.name)
    try:
        (scheme,) = code.schemes.values()
        return admit(code, session, scheme, target=with_code, implementation=code.name)
    finally:
        session.close()
        with_code.place.close()


def test_a_kem_is_measured_with_its_known_answers(motebench, tmp_path):
    folder = toy.folder(
        tmp_path / "crypto_kem" / "toy" / "clean", toy.KEM, toy.KEM_API, "PQCLEAN_TOY_CLEAN_"
    )
    (folder.parent / "PQCkemKAT_32.rsp").write_text(toy.kem_answers())
    result = motebench(
        "run", "--code", str(folder), "--operation", "keygen,encapsulate,decapsulate", *QUICK
    )
    assert result.code == 0, result.err
    assert {(row["scheme"], row["operation"]) for row in result.json["measurements"]} == {
        ("code-toy-kem", operation) for operation in ("keygen", "encapsulate", "decapsulate")
    }
    assert any(
        "3 known answers of code-toy-kem asked on host" in note
        for note in result.json["run"]["notes"]
    )


def test_signatures_are_measured_and_a_message_always_has_the_same(motebench, tmp_path):
    folder = toy.folder(tmp_path / "crypto_sign" / "toy" / "ref", toy.WHOLE, toy.SIGN_API)
    (folder / "PQCsignKAT_16.rsp").write_text(toy.sign_answers())
    result = motebench(
        "run", "--code", str(folder), "--size", "5", "--operation", "keygen,sign,verify", *QUICK
    )
    assert result.code == 0, result.err
    rows = {row["operation"]: row for row in result.json["measurements"]}
    assert set(rows) == {"keygen", "sign", "verify"}
    assert any("32 zeros" in note for note in rows["sign"]["notes"])


@pytest.mark.parametrize(
    ("code", "api", "prefix"),
    [
        (toy.KEM, toy.KEM_API, "PQCLEAN_TOY_"),
        (toy.SIGN, toy.SIGN_API, ""),
        (toy.WHOLE, toy.SIGN_API, ""),
    ],
)
def test_without_known_answers_a_folder_must_fit_itself(tmp_path, code, api, prefix):
    folder = toy.folder(tmp_path / "toy", code, api, prefix)
    refused = admitted(folder).refused
    assert refused is not None and "no known answers, so nothing is timed" in refused.message
    verdict = admitted(folder, unproved=True)
    assert verdict.refused is None
    assert "no known answers: checked only" in verdict.notes[0]


@pytest.mark.parametrize(
    ("code", "api", "before", "after", "words"),
    [
        (
            toy.KEM,
            toy.KEM_API,
            "mix(ss, pk, 16, m);",
            "mix(ss, m, 16, pk);",
            "is not the one that it decapsulates",
        ),
        (
            toy.KEM,
            toy.KEM_API,
            "randombytes(m, 16);",
            "memset(m, 3, 16);",
            "does not call randombytes",
        ),
        (
            toy.KEM,
            toy.KEM_API,
            "ct[i] = m[i] ^ pk[i];",
            "ct[i] = pk[i], (void)m;",
            "not the one that it decapsulates",
        ),
        (
            toy.SIGN,
            toy.SIGN_API,
            "? -1 : 0",
            "? 0 : 0",
            "the signature of another message verifies",
        ),
        (toy.SIGN, toy.SIGN_API, "? -1 : 0", "? -1 : 1", "its own signature does not verify"),
        (
            toy.KEM,
            toy.KEM_API,
            "memcpy(ct + 16, check, 4);",
            "memcpy(ct + 16, check, 5);",
            "wrote behind the buffer",
        ),
        (
            toy.SIGN,
            toy.SIGN_API,
            "*siglen = 20;",
            "*siglen = 2000;",
            "the signing function gave a length above CRYPTO_BYTES",
        ),
    ],
)
def test_round_trips_find_what_does_not_fit(tmp_path, code, api, before, after, words):
    assert before in code
    folder = toy.folder(tmp_path / "toy", code.replace(before, after), api)
    refused = admitted(folder, unproved=True).refused
    assert refused is not None and words in refused.message


def test_a_wrong_known_answer_names_its_count(tmp_path):
    folder = toy.folder(tmp_path / "toy", toy.KEM, toy.KEM_API)
    (folder / "PQCkemKAT_32.rsp").write_text(toy.kem_answers(wrong=1))
    refused = admitted(folder).refused
    assert (
        refused.kind == "wrong-answer"
        and refused.vector == "count 1 decapsulate (PQCkemKAT_32.rsp)"
    )


def test_fips202_is_ours_where_a_folder_has_none_and_that_of_its_tree_where_it_has(tmp_path):
    code = toy.KEM.replace(toy.MIX, toy.SHAKEN_MIX)
    folder = toy.folder(tmp_path / "tree" / "crypto_kem" / "toy" / "clean", code, toy.KEM_API)
    (folder / "kat_kem.rsp").write_text(toy.kem_answers(mix=toy.shaken))
    assert admitted(folder).refused is None
    common = tmp_path / "tree" / "common"
    common.mkdir()
    header = "".join(
        f"static inline void shake256_inc_{name}({parameters}) {{}}\n"
        for name, parameters in (
            ("init", "int *s"),
            ("absorb", "int *s, const unsigned char *in, unsigned long len"),
            ("finalize", "int *s"),
            ("ctx_release", "int *s"),
        )
    )
    squeeze = "void shake256_inc_squeeze(unsigned char *out, unsigned long len, int *s)"
    (common / "fips202.h").write_text(f"typedef int shake256incctx;\n{header}{squeeze};\n")
    (common / "fips202.c").write_text(f'#include "fips202.h"\n{squeeze}\n{{\n    out[0] = 1;\n}}\n')
    refused = admitted(folder).refused
    assert refused is not None and refused.kind == "wrong-answer", (
        "that of the tree computes something else"
    )


def test_randombytes_gives_the_seed_and_then_its_continuation(tmp_path):
    workspace, code = add_code(
        Workspace(), GivenCode(toy.folder(tmp_path / "toy", toy.KEM, toy.KEM_API))
    )
    target = open_target("host", where=None, code=workspace.code)
    session = target.open(code.name)

    def private(seed):
        return session.compute(Job("code-toy-kem", "keygen", seed=seed)).out[:16]

    assert private(bytes(range(16))) == bytes(range(16)) == private(bytes(range(20)))
    short = private(b"abc")
    assert short[:3] == b"abc" and short == private(b"abc") and len(set(short)) > 8
    assert private(b"") != private(b""), "a host draws"
    begin = b"motebench"
    one, two = private(begin + b"1")[10:], private(b"other" + begin)[14:]
    assert one[: len(two)] != two, "the continuation follows from the beginning of the seed"
    session.close()


def test_a_signature_draws_zeros_or_what_its_job_gives(tmp_path):
    workspace, code = add_code(
        Workspace(), GivenCode(toy.folder(tmp_path / "toy", toy.SIGN, toy.SIGN_API))
    )
    session = open_target("host", where=None, code=workspace.code).open(code.name)
    (scheme,) = code.schemes.values()
    pair = session.compute(Job(scheme, "keygen", seed=bytes(range(64)))).out

    def drawn(given):
        return session.compute(Job(scheme, "sign", key=pair, data=b"m", aad=given)).out[:4]

    assert (drawn(b""), drawn(b"abcdef"), drawn(b"abcd")) == (bytes(4), b"abcd", b"abcd")
    session.close()


def test_the_public_key_of_a_seed_is_that_of_the_keys_that_it_makes(tmp_path):
    """Private keys of the catalog's schemes do not hold the public key."""
    sizes = {"PUBLICKEYBYTES 16": "PUBLICKEYBYTES 1312", "SECRETKEYBYTES 16": "SECRETKEYBYTES 2560"}
    api, source = toy.SIGN_API.replace("CRYPTO_BYTES 20", "CRYPTO_BYTES 2420"), toy.SIGN
    for before, after in sizes.items():
        api = api.replace(before, after)
    cleared = "memset(sk, 0, 2560), memset(pk, 0, 1312), randombytes(sk, 16);"
    source = source.replace("randombytes(sk, 16);", cleared)
    folder = toy.folder(tmp_path / "toy", source, api)
    given = GivenCode(folder, declared=["ml-dsa-44"], unproved=True)
    workspace, code = add_code(Workspace(), given)
    session = open_target("host", where=None, code=workspace.code).open(code.name)
    seed = bytes(range(32))
    private = session.compute(Job("ml-dsa-44", "keygen", seed=seed)).out
    public = session.compute(Job("ml-dsa-44", "sign", key=seed), public=True).out
    assert (len(private), len(public)) == (2560, 1312)
    assert public[:16] == bytes(byte ^ 0x5A for byte in private[:16])
    sign = Job("ml-dsa-44", "sign", key=private, data=b"m")
    verify = Job("ml-dsa-44", "verify", key=public, data=b"m", signature=session.compute(sign).out)
    assert not session.compute(verify).rejected
    session.close()


def test_code_may_have_declared_randombytes_with_another_type_before(tmp_path):
    """MQOM in mupq does so before it includes ``randombytes.h``."""
    other = "extern int randombytes(unsigned char *x, unsigned long long xlen);\n"
    folder = toy.folder(tmp_path / "toy", other + toy.KEM, toy.KEM_API)
    assert admitted(folder, unproved=True).refused is None


@pytest.mark.parametrize(
    ("api", "words"),
    [
        ("", "does not define CRYPTO_PUBLICKEYBYTES"),
        (toy.KEM_API.replace("TOY_KEY 16", "TOY_KEY 0"), "CRYPTO_PUBLICKEYBYTES is 0"),
        (toy.KEM_API.replace("TOY_KEY 16", "TOY_KEY 40000"), "CRYPTO_SECRETKEYBYTES is 80000"),
        (
            toy.KEM_API.replace("PREFIX", "A_") + toy.KEM_API.replace("PREFIX", "B_"),
            "of several schemes: A_, B_",
        ),
    ],
)
def test_sizes_that_are_none(tmp_path, api, words):
    folder = toy.folder(tmp_path / "toy", toy.KEM, api)
    with pytest.raises(InputError, match=words):
        add_code(Workspace(), GivenCode(folder))


def test_a_truncated_folder_says_what_is_missing(tmp_path):
    cut = toy.KEM[: toy.KEM.index("int PREFIXcrypto_kem_dec")]
    workspace, code = add_code(
        Workspace(), GivenCode(toy.folder(tmp_path / "toy", cut, toy.KEM_API))
    )
    with pytest.raises(ProbeFailure, match="no file of the folder defines crypto_kem_dec"):
        open_target("host", where=None, code=workspace.code).open(code.name).hello  # noqa: B018


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("sk = ", "sk = 00", "sk has 33 bytes, CRYPTO_SECRETKEYBYTES in api.h is 32"),
        ("ss = ", "xx = ", "the record has no ss"),
        ("count = 1\n", "count = 1\nct = 5\n", "is not a line"),
    ],
)
def test_known_answers_of_another_scheme(tmp_path, before, after, words):
    folder = toy.folder(tmp_path / "toy", toy.KEM, toy.KEM_API)
    kat = tmp_path / "kat.rsp"
    kat.write_text(toy.kem_answers().replace(before, after))
    with pytest.raises(InputError, match=words):
        add_code(Workspace(), GivenCode(folder, kats=[kat]))


def test_a_scheme_of_the_catalog_must_have_its_sizes(tmp_path):
    folder = toy.folder(tmp_path / "toy", toy.KEM, toy.KEM_API)
    with pytest.raises(
        InputError, match="CRYPTO_PUBLICKEYBYTES is 16, ml-kem-512 has a public key of 800 B"
    ):
        add_code(Workspace(), GivenCode(folder, declared=["ml-kem-512"]))


@pytest.mark.parametrize(
    ("target", "compiler"),
    [
        pytest.param("sim:samd21g18a", "arm-none-eabi-gcc", marks=pytest.mark.long),
        ("sim:atmega2560", "avr-gcc"),
    ],
)
def test_boards_get_the_same_answers(motebench, tmp_path, target, compiler):
    if (
        not shutil.which(compiler)
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip("the compilers of boards are not installed; motebench doctor names the line")
    folders = [
        toy.folder(tmp_path / "kem", toy.KEM, toy.KEM_API),
        toy.folder(tmp_path / "sign", toy.WHOLE, toy.SIGN_API),
    ]
    code = [word for folder in folders for word in ("--code", str(folder))]
    operations = ("--operation", "keygen,encapsulate,decapsulate,sign,verify", "--size", "5")
    result = motebench("run", *code, "--without-kat", "--target", target, *operations, "--json")
    assert result.code == 0, result.err
    found = {(row["scheme"], row["operation"]) for row in result.json["measurements"]}
    assert found == {
        ("code-kem-kem", name) for name in ("keygen", "encapsulate", "decapsulate")
    } | {("code-sign-sign", name) for name in ("keygen", "sign", "verify")}


OWN_RANDOM = """\
static inline
void randombytes(unsigned char *x, unsigned long long n)
{
    static unsigned char state = 1;
    while (n-- > 0)
        *x++ = state = (unsigned char)(state * 5 + 3);
}
"""


@pytest.mark.parametrize(
    ("code", "api", "operations"),
    [
        (toy.KEM, toy.KEM_API, "keygen,encapsulate,decapsulate"),
        (toy.SIGN, toy.SIGN_API, "keygen,sign,verify"),
    ],
    ids=["kem", "sign"],
)
def test_code_with_randomness_of_its_own_is_measured_on_a_board(
    motebench, tmp_path, code, api, operations
):
    """CROSS in mupq has it in a header, so each call makes other keys, whatever the seed."""
    need_simulator(programmable()["atmega2560"])
    folder = toy.folder(tmp_path / "toy", code.replace('"randombytes.h"', '"own.h"'), api)
    (folder / "own.h").write_text(OWN_RANDOM)
    asked = ("--code", str(folder), "--without-kat", "--target", "sim:atmega2560", "--json")
    size = ("--size", "5") if "sign" in operations else ()
    result = motebench("run", *asked, "--operation", operations, *size)
    assert result.code == 0, result.err
    found = {row["operation"] for row in result.json["measurements"]}
    assert found == set(operations.split(","))
