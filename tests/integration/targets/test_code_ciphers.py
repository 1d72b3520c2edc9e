"""Ciphers that users bring, with functions of other names behind `crypto_cipher.h`: in blocks, and
with a nonce.
"""

from __future__ import annotations

import pytest

SPECK = """\
#include <stdint.h>
#include "round.h"
static uint32_t word_at(const unsigned char *in)
{
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}
void speck_keys(uint32_t *keys, const unsigned char *key)
{
    uint32_t a, l[30];
    for (int i = 0; i < 4; i++) {
        uint32_t word = word_at(key + 4 * i);
        if (i)
            l[i - 1] = word;
        else
            a = word;
    }
    for (int i = 0; i < 27; i++) {
        keys[i] = a;
        l[i + 3] = l[i];
        ROUND(l[i + 3], a, (uint32_t)i);
    }
}
void speck_block(const uint32_t *keys, const unsigned char *in, unsigned char *out)
{
    uint32_t y = word_at(in);
    uint32_t x = word_at(in + 4);
    for (int i = 0; i < 27; i++)
        ROUND(x, y, keys[i]);
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned char)(y >> 8 * i);
        out[4 + i] = (unsigned char)(x >> 8 * i);
    }
}
"""
ROUND = (
    "#define ROUND(x, y, k) ((x) = (((x) >> 8 | (x) << 24) + (y)) ^ (k), (y) = ((y) << 3 | (y) "
    ">> 29) ^ (x))\n"
)
KEY = """\
#include <stdint.h>
#include "crypto_cipher.h"
void speck_keys(uint32_t *, const unsigned char *);
void speck_block(const uint32_t *, const unsigned char *, unsigned char *);
int crypto_cipher_key(void *state, const unsigned char *key)
{
    speck_keys(state, key);
    return 0;
}
"""
BLOCKS = (
    KEY
    + """\
int crypto_cipher_encrypt(const void *state, unsigned char *out, const unsigned char *in,
    size_t inlen,
                          const unsigned char *nonce)
{
    (void)nonce;
    for (size_t i = 0; i < inlen; i += 8)
        speck_block(state, in + i, out + i);
    return 0;
}
"""
)
COUNTER = (
    KEY
    + """\
int crypto_cipher_encrypt(const void *state, unsigned char *out, const unsigned char *in,
    size_t inlen,
                          const unsigned char *nonce)
{
    unsigned char counter[8], stream[8];
    for (int i = 0; i < 8; i++)
        counter[i] = nonce[i];
    for (size_t i = 0; i < inlen; i++) {
        if (i % 8 == 0) {
            speck_block(state, counter, stream);
            for (int at = 7; at >= 0 && ++counter[at] == 0; at--)
                ;
        }
        out[i] = in[i] ^ stream[i % 8];
    }
    return 0;
}
int crypto_cipher_decrypt(const void *state, unsigned char *out, const unsigned char *in,
    size_t inlen,
                          const unsigned char *nonce)
{
    return crypto_cipher_encrypt(state, out, in, inlen, nonce);
}
"""
)
SIZES = "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_STATEBYTES (27 * 4)\n"


def others(place):
    """Cipher with other function names, which must stay unchanged."""
    place.mkdir()
    (place / "speck.c").write_text(SPECK)
    (place / "round.h").write_text(ROUND)
    return place


def folder(place, wrapper, sizes):
    """Folder with that wrapper, and links to the other files."""
    theirs = others(place / "theirs")
    ours = place / "speck"
    ours.mkdir()
    (ours / "api.h").write_text(SIZES + sizes)
    (ours / "cipher.c").write_text(wrapper)
    for name in ("speck.c", "round.h"):
        (ours / name).symlink_to(theirs / name)
    return ours


@pytest.mark.parametrize("target", ["host", "sim:atmega328p"])
@pytest.mark.parametrize(
    ("wrapper", "sizes", "scheme", "operations"),
    [
        (BLOCKS, "#define CRYPTO_BLOCKBYTES 8\n", "speck-64-128-ecb", {"key-setup", "encrypt"}),
        (
            COUNTER,
            "#define CRYPTO_BLOCKBYTES 1\n#define CRYPTO_NONCEBYTES 8\n",
            "speck-64-128-ctr",
            {"key-setup", "encrypt-message", "decrypt-message"},
        ),
    ],
)
def test_a_cipher_with_names_of_its_own_is_wrapped(
    motebench, tmp_path, target, wrapper, sizes, scheme, operations
):
    ours = folder(tmp_path, wrapper, sizes)
    asked = (
        "--code",
        str(ours),
        "--scheme",
        scheme,
        "--target",
        target,
        "--size",
        "16",
        "--fast",
        "--budget",
        "200ms",
    )
    result = motebench("run", *asked, "--operation", ",".join(sorted(operations)), "--json")
    assert result.code == 0, result.err
    assert {row["operation"] for row in result.json["measurements"]} == operations


def test_one_block_more_takes_what_one_block_more_takes(motebench, tmp_path):
    ours = folder(tmp_path, BLOCKS, "#define CRYPTO_BLOCKBYTES 8\n")
    asked = ("--code", str(ours), "--scheme", "speck-64-128-ecb", "--target", "sim:cortex-m4-nows")
    result = motebench("run", *asked, "--operation", "encrypt", "--size", "8,16,24", "--json")
    cycles = {
        row["input_bytes"]: row["median"]
        for row in result.json["measurements"]
        if row["metric"] == "cycles"
    }
    assert cycles[24] - cycles[16] == cycles[16] - cycles[8] > 27 * 4


@pytest.mark.parametrize(
    ("wrapper", "sizes", "options", "words"),
    [
        (
            BLOCKS,
            "#define CRYPTO_BLOCKBYTES 8\n",
            (),
            "valid: the scheme of the catalog that it computes",
        ),
        (BLOCKS, "", (), "does not define CRYPTO_BLOCKBYTES as a number"),
        (
            BLOCKS,
            "#define CRYPTO_BLOCKBYTES 0\n",
            ("--scheme", "speck-64-128-ecb"),
            "CRYPTO_BLOCKBYTES is 0",
        ),
        (
            BLOCKS,
            "#define CRYPTO_BLOCKBYTES 8\n",
            ("--scheme", "speck-64-128-ctr"),
            "CRYPTO_NONCEBYTES is 0",
        ),
        (BLOCKS, "#define CRYPTO_BLOCKBYTES 8\n", ("--scheme", "aes-256-ecb"), "a key of 32 B"),
        (
            BLOCKS,
            "#define CRYPTO_BLOCKBYTES 8\n",
            ("--scheme", "hmac-sha256"),
            "valid: the scheme of the catalog that it computes",
        ),
        (
            BLOCKS,
            "#define CRYPTO_BLOCKBYTES 8\n",
            ("--scheme", "speck-64-128-ecb", "--kat", "x"),
            "are those of the catalog",
        ),
    ],
)
def test_what_a_cipher_lacks_is_told(motebench, tmp_path, wrapper, sizes, options, words):
    result = motebench("run", "--code", str(folder(tmp_path, wrapper, sizes)), *options)
    assert result.code == 2 and words in result.err, result.err


@pytest.mark.parametrize(
    "target", ["host", pytest.param("sim:cortex-m4-nows", marks=pytest.mark.long)]
)
def test_a_cipher_that_is_wrong_or_does_nothing_is_not_timed(motebench, tmp_path, target):
    for at, (before, after) in enumerate(
        [("in + i, out + i", "in + i, out"), ("speck_block(state, in", "(void)(state, in")]
    ):
        place = tmp_path / str(at)
        place.mkdir()
        ours = folder(place, BLOCKS.replace(before, after), "#define CRYPTO_BLOCKBYTES 8\n")
        asked = (
            "--code",
            str(ours),
            "--scheme",
            "speck-64-128-ecb",
            "--target",
            target,
            "--operation",
            "encrypt",
        )
        result = motebench("run", *asked, "--size", "16", "--fast", "--json")
        assert [failure["kind"] for failure in result.json["failures"]] == ["wrong-answer"], (
            result.out
        )
        assert not result.json["measurements"]
