"""Names of papers to entries of the catalog."""

from __future__ import annotations

import re
from functools import cache

from motebench.catalog.lookup import algorithms
from motebench.catalog.schema import Algorithm

_OTHER_NAMES = {
    "tdes": "3des", "tripledes": "3des", "des3": "3des", "desede": "3des", "tdea": "3des", "arc4": "rc4",
    "arcfour": "rc4", "arc2": "rc2", "rijndael": "aes", "xchacha": "xchacha20-poly1305",
    "xchacha20": "xchacha20-poly1305", "chacha": "chacha20", "salsa": "salsa20", "sha": "sha2", "sha256": "sha2",
    "sha512": "sha2", "ascon": "ascon-aead128",
}  # fmt: skip
_LEAST = 3


def plain(text: str) -> str:
    """Letters and digits alone, in small letters."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@cache
def _by_name() -> dict[str, str]:
    names = {plain(each): id_ for id_, of in algorithms().items() for each in (id_, of.name)}
    return {**_OTHER_NAMES, **names}


@cache
def algorithm(text: str) -> Algorithm | None:
    """The algorithm of the catalog that a paper's name (``AES-CBC``, ``3DES``, ``TDES``) means; None if none does."""
    names = _by_name()
    name = plain(text)
    if len(name) < _LEAST:
        return None
    if name in names:
        return algorithms().get(names[name])
    first = plain(re.split(r"[-_ /(]", text.strip().lower())[0])
    without_bits = re.sub(r"(128|192|256|2048|4096|1024)(bits?)?$", "", first)
    return algorithms().get(names.get(without_bits, names.get(first, "")))
