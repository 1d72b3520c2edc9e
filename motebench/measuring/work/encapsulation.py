"""Key encapsulation: what is asked of a probe, and how a random result is proved right."""

from __future__ import annotations

from dataclasses import replace

from motebench.base.model import Encapsulated, FailureKind, Operation, Scheme
from motebench.measuring.verify.private_keys import by_seed
from motebench.measuring.work.keys import private_key, public_key
from motebench.measuring.work.material import derived
from motebench.targets.base import Session
from motebench.targets.wire.messages import Job, Offer, ProbeAnswer, ProbeFailure, Timing


def build(scheme: Scheme, offer: Offer, operation: Operation, session: Session, timeout: float) -> Job:
    """The job of a KEM. The implementation draws its random numbers, as it does for its users. Where it cannot, it gets
    a seed, which is the same for all implementations. ``decapsulate`` gets a ciphertext that the implementation itself
    makes first; the secret in it is the answer of the job.
    """
    of = _of(scheme)
    if operation is Operation.KEYGEN:
        seed = derived(f"keygen seed {scheme.name}", of.keygen_seed)
        return Job(scheme.name, operation.value, seed=seed if offer.needs_seed else b"")
    seed = derived(f"seed {scheme.name}", of.encapsulate_seed)
    encapsulate = Job(scheme.name, Operation.ENCAPSULATE.value, key=public_key(scheme, offer))
    if operation is Operation.ENCAPSULATE:
        return replace(encapsulate, seed=seed if offer.needs_seed else b"")
    made = encapsulated(encapsulate, seed, offer, session, timeout)
    ciphertext = made.out or b""
    _check_sizes(of, ciphertext=ciphertext, secret=made.secret)
    return Job(scheme.name, operation.value, key=private_key(scheme, offer), ciphertext=ciphertext, answer=made.secret)


def prove(operation: Operation, scheme: Scheme, timing: Timing, session: Session, timeout: float) -> None:
    """A new pair of keys, or a ciphertext with its secret: sizes must be right, and both sides have the same secret.

    ProbeFailure of kind wrong-answer otherwise.
    """
    of, out = _of(scheme), timing.out or b""
    offer = session.offers()[scheme.name]
    if operation is Operation.KEYGEN:
        _check_sizes(
            replace(of, private=of.keygen_seed) if by_seed(scheme, offer) else of, private=out, public=timing.public
        )
        made = session.compute(Job(scheme.name, Operation.ENCAPSULATE.value, key=timing.public), timeout=timeout)
        private, ciphertext, secret = out, made.out or b"", made.secret
        otherwise = "a secret encapsulated for its new key is not the one that is decapsulated"
    else:
        _check_sizes(of, ciphertext=out, secret=timing.secret)
        private, ciphertext, secret = private_key(scheme, offer), out, timing.secret
        otherwise = "its ciphertext decapsulates to another secret"
    back = Job(scheme.name, Operation.DECAPSULATE.value, key=private, ciphertext=ciphertext)
    if session.compute(back, timeout=timeout).out != secret:
        raise ProbeFailure(FailureKind.WRONG_ANSWER, otherwise)


def encapsulated(job: Job, seed: bytes, offer: Offer, session: Session, timeout: float) -> ProbeAnswer:
    """A ciphertext and its secret: from the seed where encapsulation takes one, so that it is always the same."""
    if offer.seeds:
        try:
            return session.compute(replace(job, seed=seed), timeout=timeout)
        except ProbeFailure as failure:  # some libraries take a seed for keys only
            if failure.kind is not FailureKind.UNSUPPORTED or offer.needs_seed:
                raise
    return session.compute(job, timeout=timeout)


def _of(scheme: Scheme) -> Encapsulated:
    assert scheme.kem is not None
    return scheme.kem


def _check_sizes(of: Encapsulated, **outputs: bytes) -> None:
    """ProbeFailure if an output has another size than the catalog says."""
    for name, output in outputs.items():
        right = getattr(of, name)
        if len(output) != right:
            what = {"private": "private key", "public": "public key"}.get(name, name)
            raise ProbeFailure(FailureKind.WRONG_ANSWER, f"its {what} has {len(output)} B, not {right} B")
