"""Facts of schemes from the catalog: security status, and sizes of what public-key schemes send."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, replace

from motebench.base.model import Scheme

_BAD = ("legacy", "rejected", "deprecated", "withdrawn", "disallowed", "prohibited", "broken")
_WORST = ("withdrawn", "disallowed", "prohibited", "broken")


@dataclass(frozen=True, slots=True)
class SchemeStatus:
    """The verdict on some schemes of one algorithm on the day of the run.

    ``strength_bits`` is log2 of the work to break it, ``block_bits`` the block length; None if
    unknown or not applicable. ``verdict`` is ``unknown`` for schemes that are not in the catalog.
    """

    algorithm: str
    schemes: tuple[str, ...]
    verdict: str
    date: str = ""
    body: str = ""
    scope: str = ""
    statement: str = ""
    source: str = ""
    url: str = ""
    strength_bits: int | None = None
    block_bits: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """The severity for display: ``good``, ``bad``, ``worst`` or ``none``."""
        if self.verdict in _WORST:
            return "worst"
        if self.verdict in _BAD:
            return "bad"
        return "good" if self.verdict in ("approved", "acceptable") else "none"

    @property
    def words(self) -> str:
        """``prohibited in TLS``: the verdict with its scope."""
        return f"{self.verdict} {self.scope}".strip()


def statuses(names: Iterable[str], day: datetime.date) -> list[SchemeStatus]:
    """Status of these schemes on that day; schemes of one algorithm with the same status share an
    entry.
    """
    from motebench import catalog

    schemes_by_status: dict[SchemeStatus, list[str]] = {}
    by_name = catalog.schemes()
    for name in sorted(set(names)):
        scheme = by_name.get(name)
        if scheme is None:
            schemes_by_status.setdefault(
                SchemeStatus(name, (), "unknown", statement="This scheme is not in the catalog."),
                [],
            ).append(name)
            continue
        algorithm = catalog.algorithm_of(scheme)
        status = catalog.status(scheme, day)
        entry = SchemeStatus(
            algorithm=algorithm.name,
            schemes=(),
            verdict="none",
            strength_bits=algorithm.strength_bits(scheme),
            block_bits=algorithm.block_bits[0] if len(algorithm.block_bits) == 1 else None,
            notes=tuple(catalog.notes(scheme)),
        )
        if status is not None:
            entry = replace(
                entry,
                verdict=status.verdict.value,
                date=status.date,
                body=status.body,
                scope=status.scope or "",
                statement=status.statement,
                source=str(status.source),
                url=status.source.url or "",
            )
        schemes_by_status.setdefault(entry, []).append(name)
    listed = [
        replace(entry, schemes=tuple(schemes)) for entry, schemes in schemes_by_status.items()
    ]
    rank = {verdict: place for place, verdict in enumerate(reversed(_BAD))}
    return sorted(
        listed, key=lambda s: (rank.get(s.verdict, len(rank)), s.algorithm.casefold(), s.schemes)
    )


def day_of(started: str) -> datetime.date:
    """The day of a run from its ISO 8601 start; today if the start is invalid."""
    try:
        return datetime.date.fromisoformat(started[:10])
    except ValueError:
        return datetime.datetime.now(datetime.UTC).date()


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
