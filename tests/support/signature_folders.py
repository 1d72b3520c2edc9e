"""Folder of Ed25519 in SUPERCOP's crypto_sign: Monocypher's building blocks and our SHA-512."""

from __future__ import annotations

import shutil
from pathlib import Path

from motebench.base.paths import data_root

API = """\
#define CRYPTO_PUBLICKEYBYTES 32
#define CRYPTO_SECRETKEYBYTES 64
#define CRYPTO_BYTES 64
"""
SIGN = """\
#include <string.h>
#include "crypto_sign.h"
#include "randombytes.h"
#include "monocypher.h"
#include "mote/cipher.h"

extern const mote_implementation mote_sha_512;

void mote_wipe(void *secret, size_t len)
{
    memset(secret, 0, len);
}

static void hash(uint8_t digest[64], const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len,
                 const uint8_t *c, size_t c_len)
{
    const mote_hash *sha512 = mote_sha_512.hashes;
    uint64_t state[32];
    while (sha512->digest_len != 64)
        sha512++;
    sha512->start(state);
    sha512->update(state, a, a_len);
    sha512->update(state, b, b_len);
    sha512->update(state, c, c_len);
    sha512->finish(state, digest);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t digest[64], scalar[32];
    randombytes(sk, 32);
    hash(digest, sk, 32, NULL, 0, NULL, 0);
    crypto_eddsa_trim_scalar(scalar, digest);
    crypto_eddsa_scalarbase(pk, scalar);
    memcpy(sk + 32, pk, 32);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                unsigned long long mlen, const unsigned char *sk)
{
    uint8_t digest[64], scalar[32], nonce[32], challenge[32];
    hash(digest, sk, 32, NULL, 0, NULL, 0);
    crypto_eddsa_trim_scalar(scalar, digest);
    memmove(sm + 64, m, mlen);
    hash(digest, digest + 32, 32, sm + 64, mlen, NULL, 0);
    crypto_eddsa_reduce(nonce, digest);
    crypto_eddsa_scalarbase(sm, nonce);
    hash(digest, sm, 32, sk + 32, 32, sm + 64, mlen);
    crypto_eddsa_reduce(challenge, digest);
    crypto_eddsa_mul_add(sm + 32, challenge, scalar, nonce);
    *smlen = mlen + 64;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                     unsigned long long smlen, const unsigned char *pk)
{
    uint8_t digest[64], challenge[32];
    *mlen = (unsigned long long)-1;
    if (smlen < 64)
        return -1;
    hash(digest, sm, 32, pk, 32, sm + 64, smlen - 64);
    crypto_eddsa_reduce(challenge, digest);
    if (crypto_eddsa_check_equation(sm, pk, challenge))
        return -1;
    memmove(m, sm + 64, smlen - 64);
    *mlen = smlen - 64;
    return 0;
}
"""


def monocypher() -> Path | None:
    """Folder of Monocypher's source; None if it is not installed."""
    return next(iter(sorted((data_root() / "build" / "vendor").glob("monocypher-*"))), None)


def folder(path: Path, library: Path, source: str = SIGN) -> Path:
    """A folder with api.h and Ed25519 behind the functions of ``source``."""
    core = data_root() / "core"
    shutil.copytree(core / "include" / "mote", path / "mote")
    for name in ("monocypher.c", "monocypher.h"):
        shutil.copy(library / name, path)
    for name in ("merkle_damgard/merkle_damgard.c", "merkle_damgard/merkle_damgard.h"):
        shutil.copy(core / "ciphers" / name, path)
    shutil.copy(core / "ciphers" / "sha2" / "sha512_state.h", path)
    sha512 = (core / "ciphers" / "sha2" / "sha512.c").read_text(encoding="utf-8")
    (path / "sha512.c").write_text(sha512.replace("../merkle_damgard/", ""), encoding="utf-8")
    (path / "sign.c").write_text(source, encoding="utf-8")
    (path / "api.h").write_text(API, encoding="utf-8")
    return path
