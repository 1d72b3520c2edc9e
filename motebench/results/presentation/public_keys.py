"""Sizes of keys, signatures and ciphertexts of schemes with public keys, and their post-quantum
categories, from the catalog."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from motebench.base.model import Scheme


@dataclass(frozen=True, slots=True)
class PublicKeySizes:
    """Sizes of a scheme in bytes; None for sizes that it does not have, or that the catalog
    lacks.

    ``category``: the post-quantum security category of NIST, 1 to 5; None for schemes without one.
    ``signature``: the longest where lengths differ.
    """

    scheme: str
    category: int | None
    public_key: int
    private_key: int | None
    signature: int | None = None
    ciphertext: int | None = None
    secret: int | None = None

    @property
    def parts(self) -> list[tuple[str, int | None]]:
        """Name and size of each part, in the order of tables."""
        return [
            ("public key", self.public_key),
            ("private key", self.private_key),
            ("signature", self.signature),
            ("ciphertext", self.ciphertext),
            ("shared secret", self.secret),
        ]

    @property
    def words(self) -> str:
        """``ml-kem-768: NIST category 3, public key 1,184 B, private key 2,400 B, ...``."""
        sizes = [f"{name} {size:,} B" for name, size in self.parts if size is not None]
        return (
            f"{self.scheme}: {', '.join([*filter(None, [category_words(self.category)]), *sizes])}"
        )


def category_words(category: int | None) -> str:
    """``NIST category 3``; empty for a scheme without one."""
    return "" if category is None else f"NIST category {category}"


def sizes_of_schemes(names: Iterable[str]) -> list[PublicKeySizes]:
    """Sizes of those of these schemes whose keys the catalog knows, in their order."""
    if not (listed := list(names)):
        return []
    from motebench import catalog

    sizes_found = (
        _sizes(scheme, algorithm.category(scheme)) for scheme, algorithm in catalog.named(listed)
    )
    return [sizes for sizes in sizes_found if sizes is not None]


def category_of(name: str) -> int | None:
    """The post-quantum security category of a scheme of the catalog; None for others."""
    from motebench import catalog

    return next((algorithm.category(scheme) for scheme, algorithm in catalog.named([name])), None)


def _sizes(scheme: Scheme, category: int | None) -> PublicKeySizes | None:
    name = scheme.name
    if scheme.kem is not None:
        kem = scheme.kem
        return PublicKeySizes(
            name, category, kem.public, kem.private, ciphertext=kem.ciphertext, secret=kem.secret
        )
    if scheme.signing is not None:
        signing = scheme.signing
        return PublicKeySizes(
            name, category, signing.public, signing.private, signature=signing.signature
        )
    if scheme.agreement is not None:
        agreement = scheme.agreement
        return PublicKeySizes(
            name, category, agreement.public, agreement.private, secret=agreement.secret
        )
    return None
