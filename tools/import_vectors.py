#!/usr/bin/env python3
"""Makes the files of known answers in ``catalog/vectors`` from their sources.

    python tools/import_vectors.py [--out catalog/vectors]

Needs the package ``cryptography_vectors``. The files are kept in the repository; run this only to add or change a
source.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]


def main() -> int:
    """Write all files and say how much was written."""
    import cryptography_vectors
    from vectorsources import cryptography_vectors as published
    from vectorsources import nist
    from vectorsources.writing import Collection

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "catalog" / "vectors", help="folder to write to")
    arguments = parser.parse_args()
    collection = Collection()
    nist.collect(Path(cryptography_vectors.__file__).parent, published.TAKES, collection)
    size = collection.write(arguments.out)
    count = sum(map(len, collection.vectors.values()))
    print(f"{count} vectors of {len(collection.vectors)} schemes, {size / 1e6:.2f} MB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
