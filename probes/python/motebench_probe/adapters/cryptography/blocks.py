"""Ciphers without a tag: ``Cipher(algorithm(key), mode(nonce))`` and its contexts.

A context has one key, one nonce and one message; only those of CTR and ChaCha20 take another nonce
(``reset_nonce``).

* key-setup       makes a context.
* encrypt, decrypt  ``update_into`` of a context, on a buffer in place. XTS: each call is one data
  unit under the same
                    tweak.
* whole messages  CTR and ChaCha20: ``reset_nonce``, ``update``. The others make a context each
  time, with and without a
                  new key alike. Padding is the library's PKCS7.
"""

from __future__ import annotations

from functools import partial

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.bindings._rust import openssl
from cryptography.hazmat.decrepit.ciphers import algorithms as old_algorithms
from cryptography.hazmat.decrepit.ciphers import modes as old_modes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from motebench_probe import errors
from motebench_probe.errors import Failure, Rejected
from motebench_probe.tasks import InPlace, Stream, Task, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cryptography.hazmat.primitives.ciphers import CipherAlgorithm

    from motebench_probe.schemes import Job, Scheme

    Make = Callable[[], Any]

_MODES: dict[str, Any] = {
    "ecb": modes.ECB,
    "cbc": modes.CBC,
    "cfb": old_modes.CFB,
    "cfb8": old_modes.CFB8,
    "ofb": old_modes.OFB,
    "ctr": modes.CTR,
    "xts": modes.XTS,
}


def _algorithm(scheme: Scheme, key: bytes, nonce: bytes) -> CipherAlgorithm:
    name: str = scheme.param[0]
    found: Any = (
        getattr(algorithms, name) if name in ("AES", "ChaCha20") else getattr(old_algorithms, name)
    )
    made: CipherAlgorithm = found(key, nonce) if name == "ChaCha20" else found(key)
    return made


def _nonce(job: Job) -> bytes:
    """The nonce that the library accepts: key set-up needs none, but a context does; ChaCha20 also
    has a block counter."""
    nonce = job.nonce or bytes(job.scheme.nonce[0])
    return bytes(4) + nonce if job.scheme.param[0] == "ChaCha20" and len(nonce) == 12 else nonce


def _mode(name: str, nonce: bytes) -> Any:
    if not name:
        return None
    return _MODES[name](nonce) if nonce else _MODES[name]()


def supported(scheme: Scheme) -> bool:
    """True if OpenSSL has the cipher."""
    length = scheme.key[0]
    # XTS needs two different keys.
    algorithm = _algorithm(scheme, bytes(range(length)), bytes(16))
    return openssl.ciphers.cipher_supported(
        algorithm, _mode(scheme.param[1], bytes(scheme.nonce[0]))
    )


def _contexts(job: Job) -> Make:
    """Makes the context of a message; the key is copied once."""
    nonce = _nonce(job)
    try:
        cipher = Cipher(_algorithm(job.scheme, job.key, nonce), _mode(job.scheme.param[1], nonce))
        make = cipher.decryptor if job.op.startswith("decrypt") else cipher.encryptor
        make()
    except (ValueError, UnsupportedAlgorithm) as problem:
        raise Failure(errors.UNSUPPORTED, errors.describe(problem)) from None
    return make


def _new_key(job: Job) -> Make:
    """Function that makes a context from the bytes of the key each time."""
    scheme, key, nonce = job.scheme, job.key, _nonce(job)
    mode = scheme.param[1]
    return lambda: Cipher(_algorithm(scheme, key, nonce), _mode(mode, nonce)).encryptor()


def _bulk(job: Job, make: Make) -> Task:
    size = len(job.data)
    # The library requires room for one more block.
    slack = max(0, job.scheme.param[2] - 1)

    def begin(buffer: memoryview) -> Callable[[], int]:
        return partial(make().update_into, buffer[:size], buffer)

    return InPlace(begin, job.data, slack)


def _padded(job: Job, make: Make) -> Task:
    data, padding = job.data, PKCS7(8 * job.scheme.param[2])

    def encrypt() -> bytes:
        padder, context = padding.padder(), make()
        padded = padder.update(data) + padder.finalize()
        out: bytes = context.update(padded) + context.finalize()
        return out

    def decrypt() -> bytes:
        unpadder, context = padding.unpadder(), make()
        try:
            plain = context.update(data) + context.finalize()
            return unpadder.update(plain) + unpadder.finalize()
        except ValueError:
            raise Rejected from None

    return Task(decrypt if job.op == "decrypt-message" else encrypt)


def _restarting(job: Job, make: Make) -> Task:
    context, nonce, data = make(), _nonce(job), job.data
    reset, update = context.reset_nonce, context.update

    def message() -> bytes:
        reset(nonce)
        out: bytes = update(data)
        return out

    return Task(message)


def open_task(job: Job) -> Task:
    """The operation in memory, made ready."""
    algorithm, mode, padded = job.scheme.param
    make = _contexts(job)
    if job.op in ("encrypt", "decrypt"):
        return _bulk(job, make)
    if job.op in ("key-setup", "encrypt-new-key"):
        make = _new_key(job)
    if job.op == "key-setup":
        return Task(make, nothing)
    if padded:
        return _padded(job, make)
    if job.op != "encrypt-new-key" and (mode == "ctr" or algorithm == "ChaCha20"):
        return _restarting(job, make)
    data = job.data

    def message() -> bytes:
        context = make()
        out: bytes = context.update(data) + context.finalize()
        return out

    return Task(message)


def open_stream(job: Job) -> Stream:
    """The operation on a file, piece by piece."""
    context = _contexts(job)()
    block = job.scheme.param[2]
    if not block:
        return Stream(context.update, context.finalize)
    if job.op != "decrypt-message":
        padder = PKCS7(8 * block).padder()
        return Stream(
            lambda piece: context.update(padder.update(piece)),
            lambda: context.update(padder.finalize()) + context.finalize(),
        )
    unpadder = PKCS7(8 * block).unpadder()

    def final() -> bytes:
        try:
            return unpadder.update(context.finalize()) + unpadder.finalize()
        except ValueError:
            raise Rejected from None

    return Stream(lambda piece: unpadder.update(context.update(piece)), final)


def public_key(_: Job) -> bytes:
    """The public key that belongs to ``job.key``."""
    raise Failure(errors.UNSUPPORTED, "public: a symmetric scheme has no public keys")
