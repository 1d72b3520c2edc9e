"""Secrets that reach time, by compiler, level and core: code at risk, and what ships.

    .venv/bin/python benchmarks/secret_flow_compilers.py [--keep FILE] [--part at-risk|ships|table]

Code at risk is `tests/firmware/at_risk.c`, whose results are checked against FIPS 203. A cell has a
letter for each level, and no letter where nothing was found: the cause of the most serious error.
`MOTEBENCH_COMPILERS` defines compilers beside the default GCC and versions of clang. What is kept
in FILE is not followed again; the default GCC at -Os is followed for reference results, where it
has all schemes and operations of an implementation. Exit status 1 if a cell gives a wrong result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from common import say, table

from motebench.advise.reference.table import flows
from motebench.base.errors import MotebenchError
from motebench.base.naming import SIMULATED
from motebench.catalog.devices import Device, devices
from motebench.documents.leak import FlowKind
from motebench.measuring.leak.examination import LeakRequest
from motebench.measuring.leak.flow import FlowRequest, follow
from motebench.targets.board.simulated import Simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, compilers, toolchain
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import ProbeFailure

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
import at_risk

LEVELS = ("O0", "O1", "O2", "O3", "Os")
LEVELS_OF_SHIPS = ("O2", "O3", "Os")
BY_REFERENCE = "Os"
"""Level of reference results."""
PINNED = ("gcc-12.2", "gcc-5.4")
"""Compilers of reference results."""
CORES = ("samd21g18a", "cortex-m3-nows", "cortex-m4-nows", "atmega2560", "rp2350-hazard3")
CORES_OF_SHIPS = ("samd21g18a", "nrf52840", "cortex-m3-nows", "rp2350-hazard3", "atmega2560")
SHIPS = (
    ("mote/ml-kem", "ml-kem-512", "decapsulate"),
    ("mote/x25519", "x25519", "agree"),
    ("mote/ed25519", "ed25519", "sign"),
    ("mote/aes-ct", "aes-128-ecb", "encrypt"),
    ("mote/chacha20-poly1305", "chacha20-poly1305", "decrypt-message"),
    ("mote/ascon", "ascon-aead128", "decrypt-message"),
    ("mote/idea", "idea-ecb", "encrypt"),
    ("mote/serpent", "serpent-128-ctr", "encrypt-message"),
    ("mote/hight", "hight-ecb", "encrypt"),
    ("mote/simon", "simon-64-128-ecb", "encrypt"),
    ("mote/speck", "speck-64-128-ecb", "encrypt"),
    ("mote/lea", "lea-128-ecb", "encrypt"),
    ("mote/xtea", "xtea-ecb", "encrypt"),
    ("mote/rc5", "rc5-128-ctr", "encrypt-message"),
    ("mote/rc6", "rc6-128-ctr", "encrypt-message"),
    ("mote/salsa20", "salsa20-12", "encrypt-message"),
    ("mote/ascon-bi32", "ascon-aead128", "decrypt-message"),
    ("mote/sha-256", "sha256", "digest"),
    ("mote/sha-512", "sha512", "digest"),
    ("mote/sha-3", "sha3-256", "digest"),
    ("mote/blake2s", "blake2s-256", "digest"),
    ("bearssl/x25519", "x25519", "agree"),
    ("bearssl/aes-ct", "aes-128-cbc", "encrypt"),
    ("bearssl/des-ct", "des-cbc", "encrypt-message"),
    ("bearssl/gmac", "aes-128-gmac", "mac"),
    ("bearssl/chacha20", "chacha20-poly1305", "decrypt-message"),
    ("monocypher/x25519", "x25519", "agree"),
    ("mbedtls/chacha20", "chacha20-poly1305", "decrypt-message"),
    ("mlkem-native/ml-kem", "ml-kem-512", "decapsulate"),
    ("pqclean/ml-kem", "ml-kem-512", "decapsulate"),
    ("mote/x25519-small", "x25519", "agree"),
    ("mote/ml-kem-small", "ml-kem-512", "decapsulate"),
    ("mote/xchacha20-poly1305", "xchacha20-poly1305", "decrypt-message"),
    ("mote/sha-256-small", "sha256", "digest"),
    ("mote/sha-1", "sha1", "digest"),
    ("mote/md5", "md5", "digest"),
    ("mote/ascon-cxof", "ascon-cxof128", "digest"),
    ("mbedtls/hmac-sha256", "hmac-sha224", "mac"),
    ("bearssl/ecdh-p256", "ecdh-p256", "agree"),
    ("bearssl/ecdsa", "ecdsa-p256-sha256", "sign"),
    ("monocypher/ed25519", "ed25519", "sign"),
    ("mote/p256", "ecdsa-p256-sha256", "sign"),
    ("mldsa-native/ml-dsa", "ml-dsa-44", "sign"),
    ("mote/aes-small", "aes-128-ecb", "encrypt"),
    ("mote/present", "present-80-ecb", "encrypt"),
    ("mbedtls/aes", "aes-128-ecb", "encrypt"),
    ("libtomcrypt/aes", "aes-128-ecb", "encrypt"),
    ("bearssl/aes-big", "aes-128-cbc", "encrypt"),
)
"""Implementations, schemes and operations, those first that matter most."""
LETTERS = {"branch": "b", "jump": "j", "operands": "o", "load": "a", "store": "a"}
"""Letter of each kind of error, the most serious first."""
SHORT = {
    FlowKind.BRANCH: "branch",
    FlowKind.JUMP: "jump",
    FlowKind.OPERANDS: "operands",
    FlowKind.LOAD: "load",
    FlowKind.STORE: "store",
}
"""Kinds in the words of the simulators."""
Cell = dict[str, str]
"""Functions with errors and their kinds, or ``failure`` with its cause."""
KIND_OF_FAILURE, WRONG = "failure", "wrong result"
SAMPLES = 2
CAUSE = 80
"""Last characters of a failure that are printed."""


def compilers_of(device: Device) -> list[str]:
    """Names of all compilers with a version that build for a device."""
    names = []
    for name in compilers(device):
        try:
            toolchain(device, name)
        except ProbeFailure:
            continue
        if "-" in name:
            names.append(name)
    return sorted(names, key=lambda name: (not name.startswith(DEFAULT_COMPILER), name))


class Kept:
    """Cells that were followed, in a file with one of them a line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.cells: dict[str, Cell] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                key, cell = json.loads(line)
                self.cells[key] = cell

    def get(self, key: str, make: Callable[[], Cell]) -> None:
        """Follow a cell unless it is there."""
        if key in self.cells:
            return
        try:
            cell = make()
        except at_risk.WrongResult as problem:
            cell = {WRONG: str(problem)}
        except (ProbeFailure, MotebenchError) as problem:
            cell = {KIND_OF_FAILURE: str(problem)}
        self.cells[key] = cell
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, cell]) + "\n")
        say(f"{key}: {cell or 'nothing'}")


def cell_of(errors: Iterable[tuple[str, str]]) -> Cell:
    """The most serious kind of error by function, of pairs of both."""
    seriousness = list(LETTERS)
    pairs = sorted(errors, key=lambda pair: (pair[1], -seriousness.index(pair[0])))
    return {function: kind for kind, function in pairs}


def code_at_risk(kept: Kept) -> None:
    """Follow secrets through all code at risk."""
    for name in CORES:
        device = devices()[name]
        for compiler in compilers_of(device):
            for level in LEVELS:
                firmware = at_risk.AtRisk(Simulation(device, BoardSettings()), level, compiler)
                for function in at_risk.FUNCTIONS:
                    kept.get(
                        f"{name} {compiler} {level} {function}",
                        partial(risk, firmware, function),
                    )


def risk(firmware: at_risk.AtRisk, function: str) -> Cell:
    """Errors in a function at risk."""
    return cell_of(firmware.errors(function))


def shipped(target: str, implementation: str, scheme: str, operation: str) -> Cell:
    """Errors in one operation of an implementation."""
    request = LeakRequest(
        target=f"sim:{target}",
        implementation=implementation,
        schemes=(scheme,),
        operations=(operation,),
        size="16",
        seed=1,
        samples=SAMPLES,
    )
    document = follow(Workspace(), FlowRequest(request, checked=True), lambda *_: None)
    if document.failures:
        return {KIND_OF_FAILURE: document.failures[0].message}
    return cell_of(
        (SHORT[FlowKind(finding.kind)], finding.at.function or finding.at.address)
        for case in document.cases
        for finding in case.findings
        if finding.error
    )


def ships(kept: Kept, cores: Sequence[str], levels: Sequence[str], only: Sequence[str]) -> None:
    """Follow secrets through implementations."""
    for level, name in product(levels or LEVELS_OF_SHIPS, cores or CORES_OF_SHIPS):
        for compiler in only or compilers_of(devices()[name]):
            for implementation, scheme, operation in SHIPS:
                built = f"{implementation}@{level}+{compiler}".replace("@Os", "")
                kept.get(
                    f"{name} {compiler} {level} {implementation} {scheme} {operation}",
                    partial(shipped, name, built, scheme, operation),
                )


def of_reference(kept: Kept) -> None:
    """Cells of the default GCC at -Os: the first error of each reference result."""
    for name in CORES_OF_SHIPS:
        compiler = next(each for each in compilers_of(devices()[name]) if each in PINNED)
        followed = flows(f"{SIMULATED}{name}")
        for implementation, scheme, operation in SHIPS:
            results = [
                result
                for (_, other), some in followed.items()
                for result in some
                if other == implementation and not result.failure
            ]
            if results:
                key = f"{name} {compiler} {BY_REFERENCE} {implementation} {scheme} {operation}"
                kept.cells[key] = cell_of(
                    first_error(result.first) for result in results if result.errors
                )


def first_error(words: str) -> tuple[str, str]:
    """Kind and function of a reference result's first error."""
    function, _, rest = words.rpartition(", ")
    return SHORT[FlowKind(rest.partition(" at ")[0])], function


def letter(cell: Cell | None) -> str:
    """The most serious error of a cell: ``.`` without one, ``x`` if it was not built or did not
    run, a capital if it is in the compiler's or the C library."""
    if cell is None:
        return " "
    if KIND_OF_FAILURE in cell or WRONG in cell:
        return "x" if KIND_OF_FAILURE in cell else "!"
    for kind, sign in LETTERS.items():
        functions = [function for function, found in cell.items() if found == kind]
        if functions:
            return sign.upper() if all(map(of_library, functions)) else sign
    return "?" if cell else "."


def of_library(function: str) -> bool:
    """True for a function of the compiler's or the C library."""
    return function.startswith("__") or function in ("memcmp", "memcpy", "memset")


def rows(
    kept: Kept, core: str, levels: tuple[str, ...]
) -> tuple[list[str], dict[str, dict[str, list[Cell | None]]]]:
    """Compilers, and by code and compiler the cell of each level."""
    found: dict[str, dict[str, list[Cell | None]]] = {}
    names: list[str] = []
    for key in kept.cells:
        device, compiler, _, code = key.split(" ", 3)
        if device != core or (" " in code) != (levels == LEVELS_OF_SHIPS):
            continue
        if compiler not in names:
            names.append(compiler)
        found.setdefault(code, {})[compiler] = [
            kept.cells.get(f"{core} {compiler} {level} {code}") for level in levels
        ]
    return names, found


def functions(found: dict[str, dict[str, list[Cell | None]]]) -> Iterator[str]:
    """Lines with the functions of the errors of each row, and the causes of what failed."""
    for code, by_compiler in found.items():
        seen: dict[str, None] = {}
        for cells in by_compiler.values():
            for cell in cells:
                for function, kind in (cell or {}).items():
                    if function in (KIND_OF_FAILURE, WRONG):
                        seen[f"{function}: {kind[-CAUSE:]}"] = None
                    elif function != code:
                        seen[f"{function} ({kind})"] = None
        if seen:
            yield f"  {code}: {', '.join(seen)}"


def show(kept: Kept) -> None:
    """Print the tables."""
    of_reference(kept)
    print(
        "A secret reaches b: a branch, j: a jump, o: an operand of varying time, a: an address;\n"
        "capital: in a library of the compiler or of C; .: nothing; x: not built or not run.\n"
        "At risk: rounding of ML-KEM before and after KyberSlash (tomsg, compress to 4 and 10\n"
        "bits), its message by masks of a bit (frommsg) that an empty asm may hide; selection and\n"
        "swap; carries by comparison; products of 26 bits; comparisons of 16 B. Functions are\n"
        "those beside the code itself."
    )
    for cores, levels, what in (
        (CORES, LEVELS, "Code at risk"),
        (CORES_OF_SHIPS, LEVELS_OF_SHIPS, "Implementations"),
    ):
        for core in cores:
            names, found = rows(kept, core, levels)
            names.sort(key=lambda name: (not name.startswith(DEFAULT_COMPILER), name))
            if not found:
                continue
            print(f"\n{what} on sim:{core}; levels -{', -'.join(levels)}\n")
            lines = [
                (
                    code,
                    *("".join(map(letter, by.get(name, [None] * len(levels)))) for name in names),
                )
                for code, by in found.items()
            ]
            print(table(("code", *names), lines, left=1 + len(names)))
            print("\nFunctions:")
            print("\n".join(functions(found)))


def main() -> int:
    """Follow what is not kept, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--keep", type=Path, default=Path("secret_flow_compilers.jsonl"))
    parser.add_argument("--part", choices=("at-risk", "ships", "table"), action="append")
    for word in ("core", "level", "compiler"):
        parser.add_argument(f"--{word}", action="append", default=[], help="of implementations")
    options = parser.parse_args()
    kept, parts = Kept(options.keep), options.part or ["at-risk", "ships", "table"]
    if "at-risk" in parts:
        code_at_risk(kept)
    if "ships" in parts:
        ships(kept, options.core, options.level, options.compiler)
    if "table" in parts:
        show(kept)
    return 1 if any(WRONG in cell for cell in kept.cells.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
