"""Code that remembers its last input, planted: on a host and on simulated boards, where figures are
exact."""

from __future__ import annotations

import code_folders as folders
import pytest
import toy_keys as toy

from motebench.stats.shift import CHANGING

BOARDS = "sim:samd21g18a,sim:atmega2560"
EXACT = ("--placements", "1", "--json")
QUICK = ("--fast", "--budget", "300ms", "--json")
HASH = """
static unsigned char last_in[64], last_out[32];
static unsigned long long last_len;
static int full;

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    if (inlen > sizeof last_in)
        return computed(out, in, inlen);
    if (!full || last_len != inlen || memcmp(last_in, in, inlen)) {
        for (int again = 0; again < ROUNDS; again++)
            computed(last_out, in, inlen);
        memcpy(last_in, in, inlen);
        last_len = inlen;
        full = 1;
    }
    memcpy(out, last_out, 32);
    return 0;
}
"""
DECAPSULATION = """
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk)
{
    static unsigned char last_ct[20], last_sk[32], last_ss[16];
    if (memcmp(last_ct, ct, 20) || memcmp(last_sk, sk, 32)) {
        computed(last_ss, ct, sk);
        memcpy(last_ct, ct, 20);
        memcpy(last_sk, sk, 32);
    }
    memcpy(ss, last_ss, 16);
    return 0;
}
"""
KEYS = """
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    static unsigned char last[16];
    unsigned char seed[16];
    randombytes(seed, 16);
    if (memcmp(last, seed, 16))
        for (volatile unsigned i = 0; i < 500; i++)
            ;
    memcpy(last, seed, 16);
    memcpy(sk, seed, 16);
    for (int i = 0; i < 16; i++)
        sk[16 + i] = pk[i] = sk[i] ^ 0x5a;
    return 0;
}
"""
VERIFICATION = """
int crypto_sign_verify(const unsigned char *sig, size_t siglen, const unsigned char *m, size_t mlen,
                       const unsigned char *pk)
{
    static unsigned char last_sig[20], last_m[32], last_pk[16];
    static size_t last_len;
    static int said;
    if (siglen != 20 || mlen > sizeof last_m)
        return computed(sig, siglen, m, mlen, pk);
    if (memcmp(last_sig, sig, 20) || last_len != mlen || memcmp(last_m, m, mlen) || memcmp(last_pk,
        pk, 16)) {
        said = computed(sig, siglen, m, mlen, pk);
        memcpy(last_sig, sig, 20);
        memcpy(last_m, m, mlen);
        memcpy(last_pk, pk, 16);
        last_len = mlen;
    }
    return said;
}
"""


def remembering(code: str, function: str, memory: str) -> str:
    """Code whose function of that name is called by another, which remembers."""
    assert code.count(f"int {function}(") == 1
    return code.replace(f"int {function}(", "static int computed(") + memory


def figures(result, metric: str = "cycles"):
    """Medians by target, operation and size."""
    rows = [row for row in result.json["measurements"] if row["metric"] == metric]
    return {(row["target"], row["operation"], row["input_bytes"]): row["median"] for row in rows}


def noted(result):
    """Cases with a note that their inputs change."""
    return {
        (row["target"], row["operation"], row["input_bytes"])
        for row in result.json["measurements"]
        for note in row["notes"]
        if note.startswith(CHANGING)
    }


def test_encryption_that_remembers_has_the_figure_of_new_inputs_on_boards(motebench, tmp_path):
    chosen = (
        "--target",
        BOARDS,
        "--size",
        "16,48",
        "--operation",
        "encrypt-message,decrypt-message",
        *EXACT,
    )
    honest = motebench("run", "--code", str(folders.submission(tmp_path / "honest")), *chosen)
    memory = motebench("run", "--code", str(folders.remembering(tmp_path / "memory")), *chosen)
    assert honest.code == memory.code == 0, honest.err + memory.err
    encryptions = {key for key in figures(honest) if key[1] == "encrypt-message"}
    assert len(encryptions) == 4 and not noted(honest)
    assert noted(memory) == encryptions, "the decryption does not remember"
    usual, found = figures(honest), figures(memory)
    for key in encryptions:
        assert usual[key] < found[key] < 1.15 * usual[key], (
            "what the code remembers is computed, compared and copied"
        )
    stacks = figures(memory, "stack")
    assert all(stacks[key] > 150 for key in encryptions if key[0] == "sim:atmega2560"), (
        "of the computation"
    )


def test_a_hash_function_that_remembers_is_found_on_boards(motebench, tmp_path):
    folder = folders.aead(tmp_path / "hash", api=folders.HASH_API)
    source = folder / "encrypt.c"
    text = source.read_text()
    text = text[: text.index("int crypto_aead_encrypt")] + text[text.index("int crypto_hash") :]
    source.write_text(text)
    kats = tmp_path / "kats.txt"
    kats.write_text(folders.hash_answers())
    chosen = (
        "--code",
        str(folder),
        "--kat",
        str(kats),
        "--target",
        BOARDS,
        "--size",
        "0,48",
        *EXACT,
    )
    honest = motebench("run", *chosen)
    source.write_text(remembering(text, "crypto_hash", HASH.replace("ROUNDS", "1")))
    memory = motebench("run", *chosen)
    assert honest.code == memory.code == 0, honest.err + memory.err
    longer = {key for key in figures(honest) if key[2] == 48}
    assert len(longer) == 2 and not noted(honest)
    assert noted(memory) == longer, "an empty message is always the same"
    assert all(
        figures(honest)[key] < figures(memory)[key] < 1.15 * figures(honest)[key] for key in longer
    )


@pytest.mark.parametrize(
    ("function", "memory", "operation"),
    [("crypto_kem_dec", DECAPSULATION, "decapsulate"), ("crypto_kem_keypair", KEYS, "keygen")],
)
def test_a_kem_that_remembers_is_found_on_boards(motebench, tmp_path, function, memory, operation):
    code = toy.KEM.replace("PREFIX", "")
    chosen = (
        "--target",
        BOARDS,
        "--operation",
        "keygen,encapsulate,decapsulate",
        "--without-kat",
        *EXACT,
    )
    honest = motebench(
        "run", "--code", str(toy.folder(tmp_path / "honest", code, toy.KEM_API)), *chosen
    )
    if operation == "keygen":
        start = code.index(f"int {function}(")
        planted = code[:start] + code[code.index("static void encode") :] + memory
    else:
        planted = remembering(code, function, memory)
    found = motebench(
        "run", "--code", str(toy.folder(tmp_path / "memory", planted, toy.KEM_API)), *chosen
    )
    assert honest.code == found.code == 0, honest.err + found.err
    assert not noted(honest)
    assert {key[:2] for key in noted(found)} == {(board, operation) for board in BOARDS.split(",")}


def test_verification_that_remembers_is_found_on_boards(motebench, tmp_path):
    chosen = (
        "--target",
        BOARDS,
        "--operation",
        "sign,verify",
        "--size",
        "32",
        "--without-kat",
        *EXACT,
    )
    honest = motebench(
        "run", "--code", str(toy.folder(tmp_path / "honest", toy.SIGN, toy.SIGN_API)), *chosen
    )
    planted = remembering(toy.SIGN, "crypto_sign_verify", VERIFICATION)
    memory = motebench(
        "run", "--code", str(toy.folder(tmp_path / "memory", planted, toy.SIGN_API)), *chosen
    )
    assert honest.code == memory.code == 0, honest.err + memory.err
    assert not noted(honest)
    assert {key[:2] for key in noted(memory)} == {(board, "verify") for board in BOARDS.split(",")}


def test_what_remembers_is_found_on_a_host(motebench, tmp_path):
    """Computing takes thousands of times as long as remembering: no machine is so busy that it does
    not show."""
    folder = folders.remembering(tmp_path, rounds=100)
    chosen = ("--size", "48", "--operation", "encrypt-message,encrypt-new-key")
    result = motebench("run", "--code", str(folder), *chosen, *QUICK)
    assert result.code == 0, result.err
    assert {key[1] for key in noted(result)} == {"encrypt-message", "encrypt-new-key"}
    assert min(figures(result, "time").values()) > 2_000, "nanoseconds of 100 encryptions"
    text = motebench("show")
    assert "the code remembers its input, or its time depends on it" in " ".join(text.out.split())


def test_a_kem_on_a_host_that_gives_one_key_is_wrong(motebench, tmp_path):
    constant = toy.KEM.replace("PREFIX", "").replace(
        "    randombytes(sk, 16);", "    memset(sk, 7, 16);"
    )
    folder = toy.folder(tmp_path / "constant", constant, toy.KEM_API)
    result = motebench(
        "run", "--code", str(folder), "--operation", "keygen", "--without-kat", *QUICK
    )
    assert any(
        "the same output each time" in failure["message"] for failure in result.json["failures"]
    ), result.out
