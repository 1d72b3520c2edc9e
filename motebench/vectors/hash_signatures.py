"""Hash-based signatures of any message, for implementations that only verify."""

from __future__ import annotations

from functools import lru_cache

from motebench.errors import InputError
from motebench.vectors.keys import public_key, test_key
from motebench.vectors.lms import lms_set, sign_lms
from motebench.vectors.slh_dsa import SlhSigner, slh_set
from motebench.vectors.xmss import sign_xmss, xmss_set


def can_sign(scheme: str) -> bool:
    """Whether `signed` makes signatures of a scheme."""
    return any(known(scheme) is not None for known in (lms_set, xmss_set, slh_set))


@lru_cache(maxsize=64)
def signed(scheme: str, message: bytes) -> tuple[bytes, bytes]:
    """Public key and signature of a message without context, always the same. Keys of SLH-DSA are the catalog's.

    InputError for other schemes.
    """
    label = f"motebench {scheme}"
    if (lms := lms_set(scheme)) is not None:
        return sign_lms(lms, label, message)
    if (xmss := xmss_set(scheme)) is not None:
        return sign_xmss(xmss, label, message)
    if (slh := slh_set(scheme)) is not None:
        return public_key(scheme), SlhSigner(slh, test_key(scheme)).sign(message)
    raise InputError(f"no hash-based signatures of {scheme}", valid="schemes of LMS, HSS, XMSS and SLH-DSA")
