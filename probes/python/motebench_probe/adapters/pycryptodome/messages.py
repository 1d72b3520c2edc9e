"""Operations of all ciphers of the library, given a way to make an object for a message.

``new`` sets up key, mode and nonce in one, and objects cannot begin again (but ECB's can, it has no
state). So:

* key-setup       makes an object, which is nothing else than the start of a message.
* encrypt, decrypt  a call of the object on a buffer in place; where it only returns new bytes (RC4,
  OCB), each call
                    takes what the last one returned.
* whole messages  make an object each time, with and without a new key alike.
"""

from __future__ import annotations

from functools import partial

from Crypto.Util.Padding import pad, unpad

from motebench_probe import errors
from motebench_probe.errors import Failure, Rejected
from motebench_probe.tasks import Chained, InPlace, Stream, Task, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from motebench_probe.schemes import Job

    Make = Callable[[], Any]


def checked(make: Make) -> Make:
    """Return ``make`` after one call; unsupported lengths of key, nonce or tag raise an error and
    are not offered.
    """
    try:
        make()
    except ValueError as problem:
        raise Failure(errors.UNSUPPORTED, errors.describe(problem)) from None
    return make


def bulk(job: Job, make: Make, *, writes: bool, whole_messages: bool = False) -> Task:
    """A long message. ``whole_messages``: the mode cannot go on after a call, so each iteration
    makes an object.
    """
    direction = job.op

    def begin() -> Any:
        cipher = make()
        if job.aad:
            cipher.update(job.aad)
        return getattr(cipher, direction)

    def message(buffer: memoryview) -> None:
        begin()(buffer, buffer)

    if whole_messages:
        return InPlace(lambda buffer: partial(message, buffer), job.data)
    if writes:
        return InPlace(lambda buffer: partial(begin(), buffer, buffer), job.data)
    return Chained(begin, job.data)


def plain_messages(job: Job, make: Make) -> Task:
    """Messages without padding and tag."""
    data = job.data
    if job.op == "decrypt-message":
        return Task(lambda: make().decrypt(data))
    return Task(lambda: make().encrypt(data))


def padded_messages(job: Job, make: Make, block: int, *, restarts: bool) -> Task:
    """Messages with PKCS#7 padding. ``restarts``: one object serves for all, unless the key is new
    each time.
    """
    data = job.data
    if restarts and job.op != "encrypt-new-key":
        cipher = make()
        encrypt, decrypt = cipher.encrypt, cipher.decrypt
        if job.op == "encrypt-message":
            return Task(lambda: encrypt(pad(data, block)))
    elif job.op != "decrypt-message":
        return Task(lambda: make().encrypt(pad(data, block)))
    else:

        def decrypt(data: bytes) -> bytes:
            plain: bytes = make().decrypt(data)
            return plain

    def unpadded() -> bytes:
        try:
            return unpad(decrypt(data), block)
        except ValueError:
            raise Rejected from None

    return Task(unpadded)


def sealed_messages(job: Job, make: Make) -> Task:
    """Messages with a tag."""
    data, aad, tag = job.data, job.aad, job.tag

    def seal() -> tuple[bytes, bytes]:
        cipher = make()
        if aad:
            cipher.update(aad)
        sealed: tuple[bytes, bytes] = cipher.encrypt_and_digest(data)
        return sealed

    def unseal() -> bytes:
        cipher = make()
        if aad:
            cipher.update(aad)
        try:
            plain: bytes = cipher.decrypt_and_verify(data, tag)
        except ValueError:
            raise Rejected from None
        return plain

    return Task(unseal) if job.op == "decrypt-message" else Task(seal, lambda both: both)


def key_setup(make: Make) -> Task:
    """An object for a message."""
    return Task(make, nothing)


def plain_stream(job: Job, make: Make) -> Stream:
    """A file without padding and tag."""
    cipher = make()
    return Stream(cipher.decrypt if job.op == "decrypt-message" else cipher.encrypt, bytes)


def padded_stream(job: Job, make: Make, block: int) -> Stream:
    """Stream for a file with padding: an incomplete block waits, and the last block of a ciphertext
    waits for its end.
    """
    cipher = make()
    held = bytearray()
    decrypting = job.op == "decrypt-message"
    process = cipher.decrypt if decrypting else cipher.encrypt

    def update(piece: bytes) -> bytes:
        held.extend(piece)
        whole = (len(held) - 1 if decrypting and held else len(held)) // block * block
        now = bytes(held[:whole])
        del held[:whole]
        out: bytes = process(now)
        return out

    def final() -> bytes:
        if not decrypting:
            last: bytes = process(pad(bytes(held), block))
            return last
        try:
            return unpad(process(bytes(held)), block)
        except ValueError:
            raise Rejected from None

    return Stream(update, final)


def sealed_stream(job: Job, make: Make, *, buffers: bool) -> Stream:
    """A file with a tag. ``buffers``: the object holds back bytes until it is called without
    any.
    """
    cipher = make()
    if job.aad:
        cipher.update(job.aad)
    decrypting = job.op == "decrypt-message"
    process = cipher.decrypt if decrypting else cipher.encrypt

    def final() -> bytes:
        rest: bytes = process() if buffers else b""
        if decrypting:
            try:
                cipher.verify(job.tag)
            except ValueError:
                raise Rejected from None
        return rest

    return Stream(process, final, bytes if decrypting else cipher.digest)
