"""MACs with a nonce: every implementation of this machine gives the MAC of PyCryptodome's GCM, for
files too.
"""

from __future__ import annotations

import pytest
from conftest import probe_of

from motebench.base.model import FailureKind
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Job, ProbeFailure, fill

SCHEME, KEY = "aes-128-gmac", bytes(range(16))
IMPLEMENTATIONS = (
    "bearssl/gmac",
    "botan",
    "bouncycastle",
    "cryptography",
    "cryptopp",
    "libgcrypt",
    "libtomcrypt",
    "mbedtls",
    "mbedtls/gmac",
    "mote/aes-ct",
    "nettle",
    "openssl",
    "pycryptodome",
)
CHUNK = 33


def _expected(nonce: bytes, data: bytes) -> bytes:
    from Crypto.Cipher import AES

    return AES.new(KEY, AES.MODE_GCM, nonce=nonce).update(data).digest()


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_the_nonce_is_part_of_each_message(implementation, tmp_path):
    probe_of(implementation)
    data = fill(5, 1000)
    (tmp_path / "in").write_bytes(data)
    session = this_machine().open(implementation)
    try:
        for number in (1, 2, 2):
            nonce = bytes([number] * 12)
            job = Job(SCHEME, "mac", key=KEY, nonce=nonce, data=data)
            assert session.compute(job).out == _expected(nonce, data)
        with pytest.raises(ProbeFailure) as refused:
            session.compute(Job(SCHEME, "mac", key=KEY, nonce=bytes(11), data=data))
        assert refused.value.kind is FailureKind.UNSUPPORTED
        if session.offers()[SCHEME].stream:
            whole = Job(SCHEME, "mac-file", key=KEY, nonce=bytes(12))
            places = {"source": str(tmp_path / "in"), "destination": str(tmp_path / "out")}
            for _ in range(2):
                done = session.file(
                    whole, **places, chunk=CHUNK, cold=False, sync=False, timeout=20
                )
                assert done.result == _expected(bytes(12), data)
    finally:
        session.close()
