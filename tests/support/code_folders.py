"""Small folders of code as users bring them: our own Ascon behind the interface of lightweight
submissions.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from motebench.base.paths import data_root
from motebench.catalog.vectors import vectors_for

API = """\
#define CRYPTO_KEYBYTES 16 /* of the key */
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES (16)
#define CRYPTO_ABYTES 0x10 // the tag
#define CRYPTO_NOOVERLAP 1
"""
HASH_API = "#define CRYPTO_BYTES 32\n"
ENCRYPT = """\
int crypto_aead_encrypt(unsigned char *c, LENGTH *clen, const unsigned char *m, LENGTH mlen,
    const unsigned char *ad,
                        LENGTH adlen, const unsigned char *nsec, const unsigned char *npub,
                            const unsigned char *k)
"""
DECRYPT = """\
int crypto_aead_decrypt(unsigned char *m, LENGTH *mlen, unsigned char *nsec, const unsigned char *c,
    LENGTH clen,
                        const unsigned char *ad, LENGTH adlen, const unsigned char *npub,
                            const unsigned char *k)
"""
ASCON = (
    """\
#define MOTE_PORTABLE
#include "ascon.inc"
#include "api.h"
INCLUDE

"""
    + ENCRYPT
    + """\
{
    aead_state s;
    const mote_aead_message about = {
        .nonce = npub, .aad = ad, .nonce_len = 16, .tag_len = 16, .aad_len = adlen,
            .message_len = mlen};
    (void)nsec;
    aead_set_key(&s, k);
    aead_start(&s, &about);
    aead_encrypt(&s, m, c, mlen);
    aead_tag(&s, c + mlen);
    *clen = mlen + CRYPTO_ABYTES;
    return 0;
}

"""
    + DECRYPT
    + """\
{
    aead_state s;
    unsigned char tag[CRYPTO_ABYTES];
    const mote_aead_message about = {.nonce = npub, .aad = ad, .nonce_len = 16, .tag_len = 16,
        .aad_len = adlen,
                                     .message_len = clen - CRYPTO_ABYTES};
    (void)nsec;
    *mlen = clen - CRYPTO_ABYTES;
    aead_set_key(&s, k);
    aead_start(&s, &about);
    aead_decrypt(&s, c, m, *mlen);
    aead_tag(&s, tag);
    return memcmp(tag, c + *mlen, CRYPTO_ABYTES) == 0 ? 0 : -1;
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    sponge_state s;
    hash_start(&s);
    sponge_update(&s, in, inlen);
    sponge_finish(&s, out);
    return 0;
}

/* A name of the probe, with another meaning. */
void mote_wipe(void *secret, size_t len)
{
    memset(secret, 0, len);
}

const char mb_port_arch[] = "another";
"""
)


_COMPARED = "return memcmp(tag, c + *mlen, CRYPTO_ABYTES) == 0 ? 0 : -1;"
EARLY_EXIT = """\
for (unsigned i = 0; i < CRYPTO_ABYTES; i++) {
        if (tag[i] != c[*mlen + i])
            return -1;
        for (volatile unsigned char slow = 0; slow < 200; slow++)
            ;
    }
    return 0;"""
ALL_BYTES = """\
unsigned char differs = 0;
    for (unsigned i = 0; i < CRYPTO_ABYTES; i++)
        differs |= tag[i] ^ c[*mlen + i];
    return -(int)((differs + 255u) >> 8);"""
LOOK_UP = """\
static volatile unsigned char table[256][64] __attribute__((aligned(64))) = {{1}};
    for (int i = 0; i < 16; i++) {
        __asm__ volatile("clflush %0\\n\\tmfence" : "+m"(table[0][0]));
        (void)table[k[0]][0];
    }"""
"""Look-ups in a table of which another program evicted one cache line (x86). Without a value the
pages of the table would all be the one page of zeros, and the lines of four entries one line. So
many that no noise hides them.
"""
LARGE_TABLE = """\
static volatile unsigned char large[1 << 24];
    if (large[0] == 0)
        for (unsigned long at = 0; at < sizeof large; at += 64)
            large[at] = 1;
    unsigned long line = (unsigned long)(k[0] << 16 | k[1] << 8 | k[2]);
    for (int i = 0; i < 8; i++)
        line = line * 2654435761ul + large[(line << 6) % sizeof large];"""
"""Dependent look-ups in a table of 16 MB, without eviction of its lines."""


def planted(folder: Path, *, compare: str = ALL_BYTES, first: str = "") -> Path:
    """Code of `aead` with another comparison of the tag, and something before each message."""
    aead(folder)
    source = folder / "encrypt.c"
    text = source.read_text()
    assert _COMPARED in text and text.count("(void)nsec;") == 2
    source.write_text(
        text.replace(_COMPARED, compare).replace("(void)nsec;", f"(void)nsec;\n    {first}")
    )
    return folder


def aead(folder: Path, *, length: str = "unsigned long long", api: str = API) -> Path:
    """Ascon-AEAD128 in a new folder; ``length`` is the type it takes lengths in, of which it has no
    header.
    """
    core = data_root() / "core"
    shutil.copytree(core / "include" / "mote", folder / "mote")
    for header in (core / "ciphers" / "ascon").glob("*.h"):
        shutil.copy(header, folder)
    shutil.copy(core / "ciphers" / "ascon" / "ascon.c", folder / "ascon.inc")
    include = '#include "crypto_aead.h"' if length == "unsigned long long" else ""
    (folder / "encrypt.c").write_text(ASCON.replace("LENGTH", length).replace("INCLUDE", include))
    (folder / "api.h").write_text(api)
    return folder


def submission(root: Path, *, wrong: int | None = None) -> Path:
    """Folder of an implementation in the layout of a submission, its known answers above it.

    They are those of NIST's file for Ascon-AEAD128 that the catalog has, from ascon-c. ``wrong``:
    the Count of one whose tag is spoilt.
    """
    variant = root / "Implementations" / "crypto_aead" / "ascon-aead128"
    folder = variant / "ref"
    variant.mkdir(parents=True)
    records = []
    for vector in vectors_for("ascon-aead128"):
        count = int(vector.id.split()[1])
        sealed = bytearray((vector.expect_out or b"") + (vector.expect_tag or b""))
        if count == wrong:
            sealed[-1] ^= 1
        fields = {
            "Key": vector.key,
            "Nonce": vector.nonce,
            "PT": vector.data,
            "AD": vector.aad,
            "CT": bytes(sealed),
        }
        lines = [
            f"Count = {count}",
            *(f"{name} = {value.hex().upper()}" for name, value in fields.items()),
        ]
        records.append("\n".join(lines) + "\n")
    (variant / "LWC_AEAD_KAT_128_128.txt").write_text("\n".join(records))
    return aead(folder)


def hash_answers() -> str:
    """Known answers of Ascon-Hash256 as a file of a submission, from the catalog, which has them
    from ascon-c.
    """
    records = (
        f"Count = {number}\nMsg = {vector.data.hex()}\nMD = {(vector.expect_out or b'').hex()}\n"
        for number, vector in enumerate(vectors_for("ascon-hash256"), 1)
    )
    return "\n".join(records)


REMEMBERED = """
static struct { unsigned char key[16], nonce[16], m[64], c[80]; unsigned long long mlen; int full;
    } last;

HEAD
{
    if (mlen > sizeof last.m || adlen > 0)
        return computed(c, clen, m, mlen, ad, adlen, nsec, npub, k);
    if (!last.full || last.mlen != mlen || memcmp(last.key, k, 16) || memcmp(last.nonce, npub,
        16) ||
        memcmp(last.m, m, mlen)) {
        for (int again = 0; again < ROUNDS; again++)
            computed(c, clen, m, mlen, ad, adlen, nsec, npub, k);
        memcpy(last.key, k, 16);
        memcpy(last.nonce, npub, 16);
        memcpy(last.m, m, mlen);
        memcpy(last.c, c, mlen + 16);
        last.mlen = mlen;
        last.full = 1;
    }
    memcpy(c, last.c, mlen + 16);
    *clen = mlen + 16;
    return 0;
}
"""
"""Encryption that keeps key, nonce, message and ciphertext of its last call."""


def remembering(root: Path, *, rounds: int = 1) -> Path:
    """A `submission` whose encryption remembers its last call; else it computes the ciphertext so
    many times.
    """
    folder = submission(root)
    source = folder / "encrypt.c"
    head = ENCRYPT.replace("LENGTH", "unsigned long long")
    text = source.read_text()
    assert head in text
    computed = text.replace(head, head.replace("int crypto_aead_encrypt(", "static int computed("))
    source.write_text(computed + REMEMBERED.replace("HEAD\n", head).replace("ROUNDS", str(rounds)))
    return folder
