"""Libraries that are built from sources on request: known answers, seeds, contexts. Each is skipped
if not built.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from motebench.base.model import FailureKind
from motebench.base.paths import data_root
from motebench.catalog.vectors import keys
from motebench.targets.host.this_machine import this_machine
from motebench.targets.setup.vendor.source import built
from motebench.targets.wire.messages import Job, ProbeFailure

pytestmark = pytest.mark.long
NAMES = sorted(built())


@pytest.fixture(params=NAMES)
def name(request):
    if not (data_root() / "build" / "probes" / f"motebench-probe-{request.param}").exists():
        pytest.skip(f"{request.param} is not built: make setup WITH={request.param}")
    return request.param


def test_every_known_answer_is_given(motebench, name):
    done = motebench("verify", "--implementation", name, "--json")
    assert done.code == 0, done.err
    (entry,) = done.json["implementations"]
    # Those of ML-KEM: implicit rejection, lengths, hash, modulus
    assert entry["failed"] == 0 and entry["passed"] >= 27


def test_a_seed_of_another_length_is_refused(name):
    with closing(this_machine().open(name)) as session:
        offer = session.offers()["ml-kem-768"]
        if not offer.seeds:
            pytest.skip(f"{name} takes no seeds")
        with pytest.raises(ProbeFailure) as refused:
            session.compute(Job("ml-kem-768", "keygen", seed=bytes(63)))
        assert refused.value.kind is FailureKind.UNSUPPORTED


def test_ml_dsa_binds_contexts_of_at_most_255_bytes(name):
    with closing(this_machine().open(name)) as session:
        if "ml-dsa-44" not in session.offers():
            pytest.skip(f"{name} has no ML-DSA")
        with pytest.raises(ProbeFailure) as refused:
            session.compute(Job("ml-dsa-44", "sign", key=bytes(2560), context=bytes(256)))
        assert refused.value.kind is FailureKind.UNSUPPORTED


def test_the_hybrid_of_tls_is_ml_kem_and_x25519_beside_each_other():
    """draft-ietf-tls-ecdhe-mlkem: ML-KEM first, in keys, ciphertext and secret."""
    if not (data_root() / "build" / "probes" / "motebench-probe-openssl4").exists():
        pytest.skip("openssl4 is not built: make setup WITH=openssl4")
    private, public = keys.test_key("x25519mlkem768"), keys.public_key("x25519mlkem768")
    with closing(this_machine().open("openssl4")) as session:
        made = session.compute(Job("x25519mlkem768", "encapsulate", key=public))
        ciphertext, secret = made.out, made.secret
        assert (len(ciphertext), len(secret)) == (1088 + 32, 32 + 32)
        kem = session.compute(
            Job("ml-kem-768", "decapsulate", key=private[:2400], ciphertext=ciphertext[:1088])
        )
        agreed = session.compute(Job("x25519", "agree", key=private[2400:], peer=ciphertext[1088:]))
        assert kem.out + agreed.out == secret
        back = Job("x25519mlkem768", "decapsulate", key=private)
        for wrong in (b"", ciphertext[:-1], ciphertext + b"\0", ciphertext[:-32] + bytes(32)):
            assert session.compute(replace(back, ciphertext=wrong)).rejected, len(wrong)
        assert session.compute(replace(back, key=private[:-1], ciphertext=ciphertext)).rejected
        for wrong in (public + b"\0", public[:-32] + bytes(32)):
            assert session.compute(Job("x25519mlkem768", "encapsulate", key=wrong)).rejected, len(
                wrong
            )
        with pytest.raises(ProbeFailure) as refused:
            session.compute(Job("x25519mlkem768", "keygen", seed=bytes(96)))
        assert refused.value.kind is FailureKind.UNSUPPORTED
