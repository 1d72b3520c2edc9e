"""A KEM and a signature scheme of a few lines, without any security, as folders of code; and their
model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

KEY, SECRET, SIGNATURE = 16, 16, 20
KEM_API = """\
#define PREFIXCRYPTO_PUBLICKEYBYTES TOY_KEY
#define PREFIXCRYPTO_SECRETKEYBYTES (2 * TOY_KEY)
#define PREFIXCRYPTO_CIPHERTEXTBYTES (TOY_KEY + 4)
#define PREFIXCRYPTO_BYTES sizeof(toy_secret)
#define TOY_KEY 16
typedef struct { unsigned char bytes[16]; } toy_secret;
"""
MIX = """\
#include <string.h>
#include "randombytes.h"
static void mix(unsigned char *out, const unsigned char *a, size_t alen, const unsigned char *b)
{
    unsigned state = 1;
    for (size_t i = 0; i < alen + 16 + 16; i++) {
        state = (state * 33 + (i < alen ? a[i] : i < alen + 16 ? b[i - alen] : 0)) & 0xffff;
        if (i >= alen + 16)
            out[i - alen - 16] = (unsigned char)(state >> 8);
    }
}
"""
SHAKEN_MIX = """\
#include <string.h>
#include "fips202.h"
#include "randombytes.h"
static void mix(unsigned char *out, const unsigned char *a, size_t alen, const unsigned char *b)
{
    shake256incctx state;
    shake256_inc_init(&state);
    shake256_inc_absorb(&state, a, alen);
    shake256_inc_absorb(&state, b, 16);
    shake256_inc_finalize(&state);
    shake256_inc_squeeze(out, 7, &state);
    shake256_inc_squeeze(out + 7, 9, &state);
    shake256_inc_ctx_release(&state);
}
"""
KEM = (
    MIX
    + """\
int PREFIXcrypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 16);
    for (int i = 0; i < 16; i++)
        sk[16 + i] = pk[i] = sk[i] ^ 0x5a;
    return 0;
}
static void encode(unsigned char *ct, const unsigned char *m, const unsigned char *pk)
{
    unsigned char check[16];
    mix(check, m, 16, pk);
    for (int i = 0; i < 16; i++)
        ct[i] = m[i] ^ pk[i];
    memcpy(ct + 16, check, 4);
}
int PREFIXcrypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk)
{
    unsigned char m[16];
    randombytes(m, 16);
    encode(ct, m, pk);
    mix(ss, pk, 16, m);
    return 0;
}
int PREFIXcrypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk)
{
    unsigned char m[16], again[20];
    for (int i = 0; i < 16; i++)
        m[i] = ct[i] ^ sk[16 + i];
    encode(again, m, sk + 16);
    mix(ss, memcmp(again, ct, 20) ? ct : sk + 16, 16, m);
    return 0;
}
"""
)
SIGN_API = """\
#define CRYPTO_PUBLICKEYBYTES 16
#define CRYPTO_SECRETKEYBYTES 16
#define CRYPTO_BYTES 20
"""
_SIGN = (
    MIX
    + """\
static void tag(unsigned char *t, const unsigned char *r, const unsigned char *m, size_t mlen,
    const unsigned char *pk)
{
    unsigned char first[16];
    mix(first, m, mlen, pk);
    mix(t, first, 16, (const unsigned char[16]){r[0], r[1], r[2], r[3]});
}
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 16);
    for (int i = 0; i < 16; i++)
        pk[i] = sk[i] ^ 0x5a;
    return 0;
}
static int signs(unsigned char *sig, const unsigned char *m, size_t mlen, const unsigned char *sk)
{
    unsigned char pk[16];
    for (int i = 0; i < 16; i++)
        pk[i] = sk[i] ^ 0x5a;
    randombytes(sig, 4);
    tag(sig + 4, sig, m, mlen, pk);
    return 0;
}
static int verifies(const unsigned char *sig, const unsigned char *m, size_t mlen,
    const unsigned char *pk)
{
    unsigned char t[16];
    tag(t, sig, m, mlen, pk);
    return memcmp(t, sig + 4, 16) ? -1 : 0;
}
"""
)
SIGN = (
    _SIGN
    + """\
int crypto_sign_signature(unsigned char *sig, size_t *siglen, const unsigned char *m, size_t mlen,
                          const unsigned char *sk)
{
    *siglen = 20;
    return signs(sig, m, mlen, sk);
}
int crypto_sign_verify(const unsigned char *sig, size_t siglen, const unsigned char *m, size_t mlen,
                       const unsigned char *pk)
{
    return siglen == 20 ? verifies(sig, m, mlen, pk) : -1;
}
"""
)
WHOLE = (
    _SIGN
    + """\
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
    unsigned long long mlen,
                const unsigned char *sk)
{
    *smlen = mlen + 20;
    memmove(sm + 20, m, mlen);
    return signs(sm, sm + 20, mlen, sk);
}
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
    unsigned long long smlen,
                     const unsigned char *pk)
{
    if (smlen < 20 || verifies(sm, sm + 20, smlen - 20, pk))
        return -1;
    *mlen = smlen - 20;
    memmove(m, sm + 20, smlen - 20);
    return 0;
}
"""
)


def folder(place: Path, code: str, api: str, prefix: str = "") -> Path:
    """A folder of code with that prefix before every name."""
    place.mkdir(parents=True)
    (place / "api.h").write_text(api.replace("PREFIX", prefix))
    (place / "code.c").write_text(code.replace("PREFIX", prefix))
    return place


def mix(first: bytes, second: bytes) -> bytes:
    """The same function as in the code."""
    state, out = 1, []
    for at, byte in enumerate(first + second + bytes(16)):
        state = (state * 33 + byte) & 0xFFFF
        if at >= len(first) + 16:
            out.append(state >> 8)
    return bytes(out)


def shaken(first: bytes, second: bytes) -> bytes:
    """Result of `SHAKEN_MIX`."""
    return hashlib.shake_256(first + second).digest(16)


def kem_answers(
    records: int = 3, *, wrong: int | None = None, mix: Callable[[bytes, bytes], bytes] = mix
) -> str:
    """A KAT file of the KEM; the record ``wrong`` has another secret."""
    lines = ["# toy", ""]
    for count in range(records):
        seed, m = bytes([count + 1] * 16), bytes(range(count, count + 16))
        pk = bytes(byte ^ 0x5A for byte in seed)
        ct = bytes(a ^ b for a, b in zip(m, pk, strict=True)) + mix(m, pk)[:4]
        secret = mix(pk, m)
        if count == wrong:
            secret = bytes([secret[0] ^ 1]) + secret[1:]
        values = {"seed": bytes(48), "pk": pk, "sk": seed + pk, "ct": ct, "ss": secret}
        lines += [
            f"count = {count}",
            *(f"{name} = {value.hex().upper()}" for name, value in values.items()),
            "",
        ]
    return "\n".join(lines)


def sign_answers(messages: tuple[bytes, ...] = (b"a", b"message")) -> str:
    """A KAT file of signatures, which has whole signed messages."""
    lines = []
    for count, message in enumerate(messages):
        secret, r = bytes([count + 7] * 16), bytes([9, 8, 7, count])
        pk = bytes(byte ^ 0x5A for byte in secret)
        signed = r + mix(mix(message, pk), r + bytes(12)) + message
        numbers = {"mlen": len(message), "smlen": len(signed)}
        values = {"seed": bytes(48), "msg": message, "pk": pk, "sk": secret, "sm": signed}
        lines += [f"count = {count}", *(f"{name} = {value}" for name, value in numbers.items())]
        lines += [f"{name} = {value.hex().upper()}" for name, value in values.items()] + [""]
    return "\n".join(lines)
