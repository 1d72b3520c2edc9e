"""Small git repository with a cipher in plain C, whose commits are slower by extra rounds, or not
at all.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

API = "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_BLOCKBYTES 8\n#define CRYPTO_STATEBYTES 108\n"
CIPHER = """\
#include <stdint.h>
#include "crypto_cipher.h"

#define ROUND(x, y, k) \\
    ((x) = (((x) >> 8 | (x) << 24) + (y)) ^ (k), (y) = ((y) << 3 | (y) >> 29) ^ (x))

static uint32_t word_at(const unsigned char *in)
{
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

int crypto_cipher_key(void *state, const unsigned char *key)
{
    uint32_t *keys = state, a = word_at(key), l[30];
    for (int i = 1; i < 4; i++)
        l[i - 1] = word_at(key + 4 * i);
    for (int i = 0; i < 27; i++) {
        keys[i] = a;
        l[i + 3] = l[i];
        ROUND(l[i + 3], a, (uint32_t)i);
    }
    return 0;
}

__attribute__((noinline)) static void block(const uint32_t *keys, const unsigned char *in,
    unsigned char *out)
{
    uint32_t y = word_at(in), x = word_at(in + 4);
    for (int i = 0; i < 27; i++)
        ROUND(x, y, keys[i]);
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned char)(y >> 8 * i);
        out[4 + i] = (unsigned char)(x >> 8 * i);
    }
}

int crypto_cipher_encrypt(const void *state, unsigned char *out, const unsigned char *in,
    size_t inlen,
                          const unsigned char *nonce)
{
    (void)nonce;
    EXTRA
    for (size_t i = 0; i < inlen; i += 8)
        block(state, in + i, out + i);
    return 0;
}
"""
PLANTED = """\
uint32_t p = word_at(in), q = p;
    for (int i = 0; i < {rounds}; i++)
        ROUND(p, q, (uint32_t)i);
    __asm__ volatile("" : : "r"(p), "r"(q));"""


def git(repository: Path, *arguments: str) -> str:
    """Output of git, called in the repository with a fixed author."""
    who = (
        "-c",
        "user.name=A Tester",
        "-c",
        "user.email=tester@example.org",
        "-c",
        "init.defaultBranch=main",
    )
    done = subprocess.run(
        ["git", "-C", str(repository), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def make(repository: Path) -> Path:
    """An empty repository."""
    repository.mkdir()
    git(repository, "init", "--quiet")
    return repository


def source(extra: int, remark: str = "") -> str:
    """The cipher with so many extra rounds a message, and a remark that changes no instruction."""
    planted = PLANTED.format(rounds=extra) if extra else ""
    return CIPHER.replace("    EXTRA\n", f"    {planted}\n" if planted else "") + (
        f"/* {remark} */\n" if remark else ""
    )


def commit(repository: Path, extra: int, subject: str, folder: str = "speck") -> str:
    """The name of a new commit in which the cipher has so many extra rounds."""
    code = repository / folder
    code.mkdir(exist_ok=True)
    (code / "api.h").write_text(API)
    (code / "cipher.c").write_text(source(extra, subject))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", subject)
    return git(repository, "rev-parse", "HEAD")
