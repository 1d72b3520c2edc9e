"""Known answers from the catalog, from Wycheproof, and from NIST files. See
``docs/reference/vectors.md``.
"""

from __future__ import annotations

from motebench.catalog.vectors.files import load, schemes_with_vectors, vectors_for
from motebench.catalog.vectors.model import Validity, Vector

__all__ = ["Validity", "Vector", "load", "schemes_with_vectors", "vectors_for"]
