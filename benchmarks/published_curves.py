"""Cycles that authors publish of their curve code, beside ours of the same files.

    .venv/bin/python benchmarks/published_curves.py FOLDER

FOLDER has checkouts of pornin/x25519-cm0, Emill/X25519-Cortex-M4, Emill/P256-cortex-ecdh and
Emill/P256-Cortex-M4, under these names of GitHub without the owner. No rule of the simulators was
fitted to them. The wrappers in `benchmarks/curves/` give them the calls of SUPERCOP, and are part
of our numbers. *Words* says that each function was made to begin at a word; as they are, some begin
in the middle of one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from common import HERE, motebench, say, table

_WRAPPERS = HERE / "curves"
_SCALARMULT = "#define CRYPTO_BYTES 32\n#define CRYPTO_SCALARBYTES 32\n"
_DH = (
    "#define CRYPTO_PUBLICKEYBYTES 64\n#define CRYPTO_SECRETKEYBYTES 32\n#define CRYPTO_BYTES 32\n"
)
_SIGN = _DH.replace("CRYPTO_BYTES 32", "CRYPTO_BYTES 64")
_SETTINGS = (
    "use_mul_for_sqr",
    "use_noninlined_mul64",
    "use_noninlined_sqr64",
    "use_interpreter",
    "use_smaller_modinv",
)
_M4 = (
    "P256-Cortex-M4/p256-cortex-m4-asm-gcc.S",
    "P256-Cortex-M4/p256-cortex-m4.c",
    "P256-Cortex-M4/p256-cortex-m4.h",
    "P256-Cortex-M4/p256-cortex-m4-config.h",
)


class Code(NamedTuple):
    """Code of an author with what was published of it.

    ``published`` has cycles by operation, ``settings`` the switches of its source that are on, and
    ``where`` what the author measured on.
    """

    name: str
    files: tuple[str, ...]
    wrapper: str
    api: str
    target: str
    where: str
    published: dict[str, int]
    scheme: str = "ecdh-p256"
    flags: str = ""
    settings: tuple[str, ...] | None = None
    words: bool = False


_X25519_M4 = Code(
    "X25519-Cortex-M4",
    ("X25519-Cortex-M4/x25519-cortex-m4-gcc.s",),
    "x25519.c",
    _SCALARMULT,
    "sim:cortex-m4-nows",
    "Cortex-M4, no wait states",
    {"agree": 548_873},
    "x25519",
    "-DFUNCTION=curve25519_scalarmult -DPOINTERS=n,p",
)
_M0 = Code(
    "P256-cortex-ecdh, M0",
    ("P256-cortex-ecdh/P256-cortex-m0-ecdh-gcc.s",),
    "p256_cortex_ecdh.c",
    _DH,
    "sim:cortex-m0-nows",
    "Cortex-M0",
    {},
)
_ECDH_M4 = _M0._replace(target="sim:cortex-m4-nows", where="Cortex-M4")
CODES = (
    Code(
        "x25519-cm0",
        ("x25519-cm0/src/x25519-cm0.S",),
        "x25519.c",
        _SCALARMULT,
        "sim:cortex-m0-nows",
        "SAM D20 at 8 MHz",
        {"agree": 3_229_950},
        "x25519",
        "-DFUNCTION=x25519 -DPOINTERS=p,n",
    ),
    _X25519_M4,
    _X25519_M4._replace(words=True),
    _M0._replace(name=f"{_M0.name}, fast", published={"agree": 4_456_738}, settings=()),
    _M0._replace(
        name=f"{_M0.name}, middle",
        published={"agree": 4_851_527},
        settings=("use_noninlined_mul64", "use_noninlined_sqr64", "use_interpreter"),
    ),
    _M0._replace(name=f"{_M0.name}, small", published={"agree": 5_764_182}, settings=_SETTINGS),
    _ECDH_M4._replace(
        name="P256-cortex-ecdh, M4, fast",
        files=("P256-cortex-ecdh/P256-cortex-m4-ecdh-speedopt-gcc.s",),
        published={"agree": 994_000},
    ),
    _ECDH_M4._replace(
        name="P256-cortex-ecdh, M4, small",
        files=("P256-cortex-ecdh/P256-cortex-m4-ecdh-sizeopt-gcc.s",),
        published={"agree": 1_108_000},
    ),
    Code(
        "P256-Cortex-M4",
        _M4,
        "p256_cortex_m4_ecdh.c",
        _DH,
        "sim:nrf52840",
        "nRF52840, cache on",
        {"agree": 906_000},
    ),
    Code(
        "P256-Cortex-M4",
        _M4,
        "p256_cortex_m4_ecdsa.c",
        _SIGN,
        "sim:nrf52840",
        "nRF52840, cache on",
        {"keygen": 327_000, "sign": 375_000, "verify": 976_000},
        "",
    ),
)


def prepare(code: Code, tree: Path, folder: Path) -> None:
    """The author's files with our wrapper, as a folder for ``--code``."""
    for name in code.files:
        shutil.copy(tree / name, folder)
    shutil.copy(_WRAPPERS / code.wrapper, folder / "wrapper.c")
    (folder / "api.h").write_text(code.api)
    assembly = folder / Path(code.files[0]).name
    text = assembly.read_text(encoding="latin-1")
    if code.settings is not None:
        for setting in _SETTINGS:
            value = int(setting in code.settings)
            text, found = re.subn(rf"(?m)^\.set {setting}, [01]", f".set {setting}, {value}", text)
            if found != 1:
                raise SystemExit(f"{code.files[0]}: no line sets {setting}")
    if code.words:
        text = re.sub(r"(?m)^\s*\.type (\w+), %function", r".balign 4\n\g<0>", text)
    assembly.write_text(text, encoding="latin-1")


def measured(code: Code, tree: Path) -> Iterator[list[str]]:
    """A row of the table for each operation."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "theirs"
        folder.mkdir()
        prepare(code, tree, folder)
        known = ("--scheme", code.scheme) if code.scheme else ("--without-kat",)
        document = motebench(
            *("run", "--code", str(folder), *known, f"--code-flags={code.flags}"),
            *("--implementation", "code/theirs@O2", "--target", code.target),
            *("--operation", ",".join(code.published), "--quiet"),
            *(("--size", "32") if "sign" in code.published else ()),
            folder=place,
        )
    if document["failures"]:
        raise SystemExit(f"{code.name}: {document['failures']}")
    for row in document["measurements"]:
        if row["metric"] != "cycles":
            continue
        theirs = code.published[row["operation"]]
        yield [
            code.name + (", words" if code.words else ""),
            row["operation"],
            code.where,
            code.target,
            f"{theirs:,}",
            f"{row['median']:,.0f}",
            f"{row['median'] / theirs - 1:+.2%}",
        ]


def main() -> None:
    """Measure every code and print both cycles beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("folder", type=Path, help="with a checkout of each repository")
    tree = parser.parse_args().folder.resolve()
    rows = []
    for code in CODES:
        say(code.name)
        rows += measured(code, tree)
    head = ("code", "operation", "published of", "target", "published", "simulated", "error")
    print(table(head, rows, left=4))


if __name__ == "__main__":
    main()
