"""Hash-based signatures of any message, for implementations that only verify."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import shake_256

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors.chains import Signed
from motebench.catalog.vectors.keys import test_key
from motebench.catalog.vectors.lms import lms_set, sign_lms
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.slh_dsa import SlhSigner, slh_set
from motebench.catalog.vectors.xmss import sign_xmss, xmss_set

_MESSAGES = (bytes(range(33)), b"")
_LOW = 4
"""The height of the highest tree of SLH-DSA that is made at once: that of the sets that sign fast."""


def can_sign(scheme: str) -> bool:
    """Whether `signed` makes signatures of a scheme."""
    return any(known(scheme) is not None for known in (lms_set, xmss_set, slh_set))


@lru_cache(maxsize=64)
def signed(scheme: str, message: bytes) -> Signed:
    """A signature of a message without context, always the same, to measure ``verify`` with.

    Those of LMS, HSS and XMSS take steps close to the mean of all messages. Those of SLH-DSA are deterministic, by the
    catalog's keys. InputError for other schemes.
    """
    slh = slh_set(scheme)
    if slh is not None:
        return SlhSigner(slh, test_key(scheme)).sign(message)
    return _stateful(scheme, message, typical_steps=True)


def signed_fast(scheme: str, message: bytes) -> Signed:
    """A signature with the steps that the message takes; keys of SLH-DSA are those of `made_vectors`: signing
    takes milliseconds."""
    return _stateful(scheme, message) if slh_set(scheme) is None else _fast(scheme).sign(message)


def steps_expected(scheme: str) -> float:
    """Steps of chains that verification takes, the mean over all messages. InputError for other schemes."""
    found = lms_set(scheme) or xmss_set(scheme) or slh_set(scheme)
    if found is None:
        raise _other(scheme)
    return found.steps


@lru_cache(maxsize=4)
def _fast(scheme: str) -> SlhSigner:
    params = slh_set(scheme)
    if params is None:
        raise _other(scheme)
    return SlhSigner(params, shake_256(f"motebench {scheme}".encode()).digest(3 * params.n), whole=False)


def _stateful(scheme: str, message: bytes, *, typical_steps: bool = False) -> Signed:
    label = f"motebench {scheme}"
    if (lms := lms_set(scheme)) is not None:
        return sign_lms(lms, label, message, typical_steps=typical_steps)
    if (xmss := xmss_set(scheme)) is not None:
        return sign_xmss(xmss, label, message, typical_steps=typical_steps)
    raise _other(scheme)


def _other(scheme: str) -> InputError:
    return InputError(f"no hash-based signatures of {scheme}", valid="schemes of LMS, HSS, XMSS and SLH-DSA")


def made_vectors(scheme: str, published: Sequence[Vector] = ()) -> tuple[Vector, ...]:
    """Known answers that are made when they are asked for: signatures are long, and would fill the catalog.

    ``published``: what the catalog has. Of a signature in it only what must be rejected is made, if signing takes long.
    ``test_hash_signatures.py`` has digests of those made, and says who else accepts them. Empty for other
    schemes.
    """
    if not can_sign(scheme):
        return ()
    slh, context, made = slh_set(scheme), b"", True
    known = [vector for vector in published if vector.operation is Operation.VERIFY]
    if slh is None:
        public = _stateful(scheme, b"").public
        texts = [(message, _stateful(scheme, message).signature) for message in _MESSAGES]
    elif known and slh.height > _LOW:
        made, public, texts = False, known[0].key, [(known[0].data, known[0].tag)]
    else:
        context = b"made"
        signer = _fast(scheme)
        public = signer.public
        texts = [(message, signer.sign(message, context).signature) for message in _MESSAGES]

    def verify(
        name: str, data: bytes, tag: bytes, result: Result, key: bytes = public, bound: bytes = context
    ) -> Vector:
        return Vector(
            f"made: {name}", scheme, Operation.VERIFY, key=key, data=data, tag=tag, context=bound, result=result,
            source=f"computed from {'FIPS 205' if slh else 'SP 800-208'} by motebench's hash_signatures.py",
        )  # fmt: skip

    (message, right), bad = texts[0], Result.INVALID
    found = [verify(f"{len(data)} bytes", data, tag, Result.VALID) for data, tag in texts if made]
    found.append(verify("another message", message + b"!", right, bad))
    found += [
        verify(f"{name} changed", message, flipped(right, at), bad) for name, at in _places(scheme, len(right)).items()
    ]
    found.append(verify("public key changed", message, right, bad, flipped(public, len(public) - 1)))
    found.append(verify("type of the public key changed", message, right, bad, flipped(public, 3)))
    found += [
        verify(name, message, tag, bad)
        for name, tag in (("a byte short", right[:-1]), ("a byte long", right + b"\0"), ("empty", b""))
    ]
    if slh is not None:
        found.append(verify("another context", message, right, bad, bound=b"Made"))
    return tuple(found)


def flipped(data: bytes, at: int) -> bytes:
    """``data`` with the lowest bit of a byte changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _places(scheme: str, length: int) -> dict[str, int]:
    """Where a signature is changed: what each of its parts begins with, and its last byte."""
    places = {"last node of the path": length - 1, "middle": length // 2}
    if (lms := lms_set(scheme)) is not None:
        first = 4 if lms.hss else 0
        path = first + 8 + lms.n * (1 + lms.chains)
        places |= {"number of the leaf": first + 3, "leaf beyond the tree": first, "type of the chains": first + 7}
        places |= {"randomiser": first + 8, "first chain": first + 8 + lms.n, "type of the tree": path + 3}
        return places | ({"number of levels": 3} if lms.hss else {})
    if (xmss := xmss_set(scheme)) is not None:
        index = (xmss.height + 7) // 8 if xmss.layers else 4
        beyond = {"leaf beyond the tree": 0} if 8 * index > xmss.height + 7 or xmss.height % 8 else {}
        return places | beyond | {"number of the leaf": index - 1, "randomiser": index, "first chain": index + xmss.n}
    return places | {"randomiser": 0}
