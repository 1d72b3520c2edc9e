"""What a caller holds beside an implementation of public keys: keys, signatures, ciphertexts. And schemes that nobody
measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from motebench.advise.choice.bounds import Cost
from motebench.advise.choice.judging import Role
from motebench.advise.choice.model import Broken, SchemeOffer, SentBytes, Standing
from motebench.advise.choice.sketching import Sketch, sketch
from motebench.base.interval import Interval
from motebench.base.model import Kind, Scheme
from motebench.catalog import schemes

NONE = "none"
"""The implementation of a scheme that nobody measured on the device."""
NO_RESULT = "no result on this device"


def holding(cost: Cost, scheme: Scheme, role: Role | None, *, keyless: bool = False) -> Cost:
    """The cost with the bytes that a caller holds beside the implementation: long-lived keys in flash, all else in
    RAM. ``keyless``: private keys are kept elsewhere, in a secure element."""
    flash, ram = held(scheme, role)
    if keyless:
        flash, ram = ({name: size for name, size in each.items() if "private" not in name} for each in (flash, ram))
    memory: dict[str, Interval] = {**cost.memory, "buffers": Interval.exact(float(sum(ram.values())))}
    if "flash" in memory:
        memory["flash"] = memory["flash"] + Interval.exact(float(sum(flash.values())))
    words = "; ".join(f"{place} with {_listed(what)}" for place, what in (("flash", flash), ("RAM", ram)) if what)
    return replace(cost, memory=memory, note="; ".join(part for part in (cost.note, words) if part))


def held(scheme: Scheme, role: Role | None) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes in flash, and bytes in RAM, that a caller holds; by name."""
    if scheme.signing:
        signed = {"the signature": scheme.signing.signature}
        if role is Role.VERIFY:
            return {"the public key": scheme.signing.public}, signed
        private = scheme.signing.private
        return ({} if private is None else {"the private key": private}), signed
    if scheme.kem:
        kem = scheme.kem
        moved = {"public key": kem.public, "ciphertext": kem.ciphertext, "secret": kem.secret}
        return {}, moved if role is Role.ENCAPSULATE else {"private key": kem.private, **moved}
    if scheme.agreement:
        own = scheme.agreement
        return {}, {"private key": own.private, "both public keys": 2 * own.public, "secret": own.secret}
    return {}, {}


def _listed(what: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({size:,} B)" for name, size in what.items())


def unmeasured(offers: tuple[SchemeOffer, ...], scheme: Scheme, sent: SentBytes, standing: Standing) -> Sketch:
    """A candidate without results. What is known of its library is no reason against a scheme that none was measured
    of."""
    bare = offers[0].implementation == NONE
    against = [entry for entry in standing.broken if not bare or entry.limit not in ("constant-time", "maturity")]
    words = f"{offers[0].failure}; {_said(scheme)}" if bare else str(offers[0].failure)
    if bare:
        standing = replace(standing, made_by=())
    return sketch(offers, scheme, sent, standing, [], (Broken("result", words), *against))


def _said(scheme: Scheme) -> str:
    if scheme.signing:
        return f"public key {scheme.signing.public:,} B, signature {scheme.signing.signature:,} B"
    if scheme.kem:
        return f"public key {scheme.kem.public:,} B, ciphertext {scheme.kem.ciphertext:,} B"
    return f"public key {scheme.agreement.public:,} B" if scheme.agreement else ""


def digests(offers: Sequence[SchemeOffer]) -> list[SchemeOffer]:
    """Those that are hash functions."""
    known = schemes()
    return [offer for offer in offers if offer.scheme in known and known[offer.scheme].kind is Kind.HASH]
