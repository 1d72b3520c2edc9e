"""Known answers from the catalog, from Wycheproof, and from NIST files. See ``docs/vectors.md``."""

from __future__ import annotations

from motebench.catalog.vectors.files import load
from motebench.catalog.vectors.model import Result, Vector
from motebench.catalog.vectors.store import schemes_with_vectors, vectors_for

__all__ = ["Result", "Vector", "load", "schemes_with_vectors", "vectors_for"]
