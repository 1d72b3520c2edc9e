"""Folders of key agreement in SUPERCOP's form: X25519 by motebench's own field, in portable C."""

from __future__ import annotations

import shutil
from pathlib import Path

from motebench.base.paths import data_root

SCALARMULT = """#include <string.h>
#include "crypto_scalarmult.h"
#include "mote/curve25519.h"

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    mote_x25519(q, n, p);
    return 0;
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    mote_x25519_public(q, n);
    return 0;
}
"""
DH = """#include "crypto_dh.h"
#include "randombytes.h"
#include "mote/curve25519.h"

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    mote_x25519_public(pk, sk);
    return 0;
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    mote_x25519(s, sk, pk);
    return 0;
}
"""
SCALARMULT_API = "#define CRYPTO_BYTES 32\n#define CRYPTO_SCALARBYTES 32\n"
DH_API = (
    "#define CRYPTO_PUBLICKEYBYTES 32\n#define CRYPTO_SECRETKEYBYTES 32\n#define CRYPTO_BYTES 32\n"
)
_WIPE = """#include <string.h>
#include "mote/cipher.h"

void mote_wipe(void *secret, size_t len)
{
    memset(secret, 0, len);
}
"""


def folder(path: Path, source: str, api: str) -> Path:
    """A folder with api.h and X25519 behind the functions of ``source``."""
    core = data_root() / "core"
    (path / "mote").mkdir(parents=True)
    for name in ("field.c", "field.h", "ladder.h", "x25519.c"):
        shutil.copy(core / "ciphers" / "curve25519" / name, path)
    for name in ("assembly.h", "bytes.h", "cipher.h", "curve25519.h"):
        shutil.copy(core / "include" / "mote" / name, path / "mote")
    (path / "agreement.c").write_text(source, encoding="utf-8")
    (path / "wipe.c").write_text(_WIPE, encoding="utf-8")
    (path / "api.h").write_text(api, encoding="utf-8")
    return path
