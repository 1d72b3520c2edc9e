"""Times that wolfSSL publishes of wolfCrypt on STM32 boards, beside cycles of the same benchmark.

    .venv/bin/python benchmarks/published_wolfssl.py --from FOLDER

FOLDER has wolfSSL's sources 5.6.6 and 5.5.4 (GPL; never part of motebench) in folders of these
names. The first has the published tables, IDE/STM32Cube/STM32_Benchmarks.md, and settings,
default_conf.ftl beside it. wolfCrypt's own test and then its own benchmark run in a bare program
(`benchmarks/bare/`). The flash is set as STM32CubeMX does: caches on, no reading ahead.

Neither the compiler nor the very source of a table is published: the half of its rows whose
CRC-32 of the name is even chose both among what `_VERSIONS` and `_COMPILERS` list. Rows of
hardware and of random numbers are left out.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bare_program import AT_0, BARE, GCC, NO_WAITS, link, need_tools, printed
from common import HERE, checkout, need, say, table
from published_stm32f import cell, error, summary

_VERSIONS = ("5.6.6", "5.5.4")
_COMPILERS = ("12.2", "8.3", "14.2")
"""Releases of GCC: the first is this machine's, others are of `motebench setup --compiler`."""
_NEWLIB = Path("/usr/include/newlib")
_PLACES = range(0, 32, 12)
"""Shifts of the code in a line of the cache."""
_STEPS = 2 / 256
"""Seconds by which a published time may be wrong: the clock counts 1/256 s, read twice, and its
program divides by 255.
"""
_ASSEMBLY = re.compile(r"RSA|DH |ECC|ECDHE|ECDSA")
"""Rows that take most of their cycles in wolfSSL's assembly, where a table has it."""
_FILES = (
    *("aes", "asn", "chacha", "chacha20_poly1305", "coding", "cpuid", "curve25519", "dh"),
    *("ecc", "ed25519", "error", "fe_low_mem", "fe_operations", "ge_low_mem", "ge_operations"),
    *("hash", "hmac", "kdf", "logging", "memory", "poly1305", "random", "rsa", "sha256", "sha512"),
    *("signature", "sp_c32", "sp_cortexm", "sp_int", "wc_encrypt", "wc_port", "wolfmath"),
)
_CUBE = """
    SIZEOF_LONG_LONG=8 CHAR_BIT=8 WOLFSSL_GENERAL_ALIGNMENT=4 WOLFSSL_SMALL_STACK WOLFSSL_USER_IO
    WOLFSSL_NO_SOCK WOLFSSL_IGNORE_FILE_WARN SINGLE_THREADED WOLFSSL_USER_CURRTIME NO_FILESYSTEM
    NO_WRITEV NO_MAIN_DRIVER NO_DEV_RANDOM NO_OLD_RNGNAME HAVE_HASHDRBG WOLFSSL_GENSEED_FORTEST
    NO_WOLFSSL_DIR NO_ASN_TIME NO_DSA NO_RC4 NO_MD4 NO_MD5 NO_DES3 NO_SHA NO_PWDBASED
    WOLFCRYPT_ONLY BENCH_EMBEDDED USE_CERT_BUFFERS_2048 USE_CERT_BUFFERS_256 HAVE_AES_CBC
    HAVE_AES_DECRYPT HAVE_ECC ECC_USER_CURVES ECC_SHAMIR ECC_TIMING_RESISTANT WOLFSSL_SP
    WOLFSSL_SP_SMALL SP_WORD_SIZE=32
"""
_LARGE = """
    WC_RSA_BLINDING HAVE_DH HAVE_FFDHE_2048 HAVE_DH_DEFAULT_PARAMS HAVE_AESGCM GCM_TABLE_4BIT
    HAVE_CHACHA HAVE_POLY1305 HAVE_ONE_TIME_AUTH
"""
_L4 = f"{_CUBE} {_LARGE} WOLFSSL_SHA512 HAVE_SHA512 HAVE_CURVE25519 HAVE_ED25519"
_SP_ECC = "WOLFSSL_HAVE_SP_ECC WOLFSSL_SP_MATH WOLFSSL_SP_ASM WOLFSSL_SP_ARM_CORTEX_M_ASM"
_SP_ALL = f"WOLFSSL_HAVE_SP_RSA WOLFSSL_HAVE_SP_DH {_SP_ECC}"
_THUMB = """
    WOLFSSL_ARMASM WOLFSSL_ARMASM_INLINE WOLFSSL_ARMASM_NO_HW_CRYPTO WOLFSSL_ARMASM_NO_NEON
    WOLFSSL_ARM_ARCH=7
"""


class Board(NamedTuple):
    """A board: its simulator, clocks of both, compiler's options, and macros of a bare program."""

    mcu: str
    clock: int
    simulated: int
    core: tuple[str, ...]
    macros: tuple[str, ...]
    base: int = 0x08000000


class Published(NamedTuple):
    """A published table: its heading, the rows that software makes, and its settings.

    ``assembly``: it has wolfSSL's assembly of curves and large numbers; ``thumb``: settings of its
    other assembly, which only sources that have it take.
    """

    heading: str
    name: str
    board: Board
    rows: str
    settings: str
    assembly: bool
    thumb: str = ""


_L4A6 = Board(
    "stm32l4",
    80_000_000,
    80_000_000,
    ("-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"),
    ("FLASH_ACR=0x40022000", "SETTINGS=0x604", "SENT=0x40004428", "RAM_END=0x20018000"),
)
_WL55 = Board(
    "stm32wl",
    48_000_000,
    48_000_000,
    ("-mcpu=cortex-m4", "-mfloat-abi=soft"),
    ("FLASH_ACR=0x58004000", "SETTINGS=0x602", "SENT=0x40004428", "RAM_END=0x20010000"),
)
_H563 = Board(
    "cortex-m33-nows",
    150_000_000,
    64_000_000,
    ("-mcpu=cortex-m33", "-mfloat-abi=soft"),
    NO_WAITS,
    0,
)
_TABLES = (
    Published(
        "STM32L4A6Z (STM Crypto/Hash Acceleration",
        "STM32L4A6Z, assembly",
        _L4A6,
        "GMAC|CHA|POLY|SHA-512|HMAC-SHA512|RSA|DH|EC|CURVE|ED",
        f"{_L4} HAVE_ECC384 WOLFSSL_SP_384 WOLFSSL_SP_NO_MALLOC {_SP_ALL}",
        True,
        _THUMB,
    ),
    Published(
        "STM32L4A6Z (No HW Crypto",
        "STM32L4A6Z, C",
        _L4A6,
        ".",
        f"{_L4} WOLFSSL_SP_MATH_ALL WOLFSSL_NO_ASM WOLFSSL_SP_NO_MALLOC CURVED25519_SMALL",
        False,
    ),
    Published(
        "STM32WL55 (STM AES-CBC Acceleration, -Os, SP-ASM",
        "STM32WL55, assembly",
        _WL55,
        "SHA|HMAC|EC",
        f"{_CUBE} NO_RSA NO_DH {_SP_ECC}",
        True,
    ),
    Published(
        "STM32WL55 (No HW Crypto",
        "STM32WL55, C",
        _WL55,
        ".",
        f"{_CUBE} NO_RSA NO_DH WOLFSSL_HAVE_SP_ECC WOLFSSL_SP_MATH_ALL",
        False,
    ),
    Published(
        "STM32H563ZI (No STM HW Crypto",
        "STM32H563, assembly",
        _H563,
        "RSA|DH|EC",
        f"{_CUBE} {_LARGE} {_SP_ALL}",
        True,
    ),
)


class Build(NamedTuple):
    """Sources and compiler of a table's rows."""

    version: str
    compiler: str


def used(name: str) -> bool:
    """True if the row may choose the compiler and the sources."""
    return zlib.crc32(name.encode()) % 2 == 0


_UNITS = {"bytes": 1, "KiB": 1024, "MiB": 1024**2}
_ROW = re.compile(
    r"^(?P<name>\S.*?) +\d+ (?:\w+ took (?P<time>[\d.]+) seconds, +(?P<rate>[\d.]+) (?P<unit>\w+)/s"
    r"|ops took (?P<ops>[\d.]+) sec, avg (?P<each>[\d.]+) ms)",
    re.MULTILINE,
)


def cycles(text: str, clock: int) -> dict[str, tuple[float, float]]:
    """Rows of a benchmark's output: cycles by byte or operation, and how long it took, in s."""
    rows = {}
    for row in _ROW.finditer(text):
        if row["each"]:
            value, time = float(row["each"]) / 1000 * clock, float(row["ops"])
        elif row["unit"] in _UNITS:
            value, time = clock / (float(row["rate"]) * _UNITS[row["unit"]]), float(row["time"])
        else:
            continue
        rows[" ".join(row["name"].split())] = (value, time)
    return rows


def rows_of(published: Published, text: str) -> dict[str, tuple[float, float]]:
    """Published rows of software in wolfSSL's document."""
    part = text.split(f"### {published.heading}", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]
    every = cycles(part, published.board.clock)
    return {
        name: row for name, row in every.items() if name != "RNG" and re.match(published.rows, name)
    }


def compiler_of(release: str) -> str:
    """Program of a release of GCC."""
    folder = HERE.parent / "build" / "compilers" / f"gcc-{release}" / "usr" / "bin"
    return GCC if release == _COMPILERS[0] else str(folder / GCC)


def compiled(published: Published, tree: Path, build: Build, place: Path) -> list[Path]:
    """Objects of wolfCrypt, of its test and of its benchmark, the last two at the end."""
    source = tree / build.version / "wolfcrypt"
    thumb = sorted(source.glob("src/port/arm/thumb2-*_c.c")) if published.thumb else []
    if thumb:
        others = ("armv8-aes.c", "armv8-sha256.c", "armv8-sha512.c")
        thumb += [source / "src" / "port" / "arm" / name for name in others]
    settings = f"{published.settings} {published.thumb if thumb else ''}".split()
    lines = [f"#define {setting.replace('=', ' ')}\n" for setting in settings]
    (place / "user_settings.h").write_text("".join(lines))
    program = compiler_of(build.compiler)
    options = ["-mthumb", "-Os", "-ffunction-sections", "-fdata-sections", "-w"]
    options += ["-DWOLFSSL_USER_SETTINGS", "-DBENCH_MIN_RUNTIME_SEC=0.1F"]
    options += ["-DWOLFSSL_BENCHMARK_FIXED_UNITS_B", f"-I{place}", f"-I{tree / build.version}"]
    if program != GCC:
        options += ["-isystem", str(_NEWLIB)]
    files = [source / "src" / f"{name}.c" for name in _FILES]
    files = [path for path in files if path.is_file()] + thumb
    objects = []
    for path in (*files, source / "test" / "test.c", source / "benchmark" / "benchmark.c"):
        objects.append(place / f"{path.stem}.o")
        command = [
            program,
            *published.board.core,
            *options,
            "-c",
            str(path),
            "-o",
            str(objects[-1]),
        ]
        subprocess.run(command, check=True)
    return objects


def linked(board: Board, objects: Sequence[Path], shift: int, macros: Sequence[str]) -> str:
    """Output of the bare program, on the simulator of the board."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.elf"
        flags = ["-nostartfiles", "--specs=nano.specs", "--specs=nosys.specs", "-lm"]
        flags += ["-u", "_printf_float", *([AT_0] if board.base == 0 else [])]
        macros = (*board.macros, *macros, f"CLOCK={board.clock}.0")
        sources = (BARE / "published_wolfssl.c", *objects)
        link(board.core, macros, shift, sources, program, *flags)
        text = printed(board.mcu, board.simulated, program)
    if "\nstatus 0\n" not in text:
        raise SystemExit(f"{board.mcu}: {text}")
    return text


def simulated(board: Board, objects: Sequence[Path], shift: int) -> dict[str, float]:
    """Cycles of each row of wolfCrypt's benchmark."""
    text = linked(board, [*objects[:-2], objects[-1]], shift, ())
    return {name: value for name, (value, _) in cycles(text, board.clock).items()}


def check(board: Board, objects: Sequence[Path]) -> None:
    """Run wolfCrypt's known answers on the same core without wait states. Ends if one is wrong."""
    core = board._replace(
        mcu="cortex-m33-nows" if "m33" in board.mcu else "cortex-m4-nows",
        simulated=64_000_000,
        macros=NO_WAITS,
        base=0,
    )
    linked(core, objects[:-1], 0, ("KNOWN_ANSWERS",))


def chosen(
    published: Published, tree: Path, theirs: dict[str, tuple[float, float]]
) -> dict[Build, float]:
    """Median error of the used rows by build, the least first."""
    sizes = {}
    for build in (Build(version, gcc) for version in _VERSIONS for gcc in _COMPILERS):
        say(f"{published.name}: {build.version}, GCC {build.compiler}")
        with tempfile.TemporaryDirectory() as folder:
            objects = compiled(published, tree, build, Path(folder))
            ours = simulated(published.board, objects, 0)
        sizes[build] = statistics.median(
            abs(ours[name] / value - 1)
            for name, (value, _) in theirs.items()
            if used(name) and name in ours
        )
    return dict(sorted(sizes.items(), key=lambda pair: pair[1]))


def measured(published: Published, tree: Path, build: Build) -> dict[str, list[float]]:
    """Cycles of each row at each place, behind the known answers."""
    with tempfile.TemporaryDirectory() as folder:
        objects = compiled(published, tree, build, Path(folder))
        check(published.board, objects)
        places = [simulated(published.board, objects, shift) for shift in _PLACES]
    return {name: [place[name] for place in places] for name in places[0]}


def kind(published: Published, name: str) -> str:
    """Part of a row in the choice, and what its code is."""
    code = "assembly" if published.assembly and _ASSEMBLY.match(name) else "C"
    return f"{'used' if used(name) else 'held out'}, {code}"


def lines_of(
    published: Published, theirs: dict[str, tuple[float, float]], found: dict[str, list[float]]
) -> Iterator[list[str]]:
    """A row of the table for each row of both."""
    for name, (value, time) in theirs.items():
        if name in found:
            digits = 2 if value < 100 else 1 if value < 1000 else 0
            ends = (value * (1 + sign * _STEPS / time) for sign in (-1, 1))
            limits = " to ".join(f"{end:.{digits}f}" for end in ends)
            yield [name, kind(published, name), limits, cell(found[name], value)]


def main() -> None:
    """Measure every table and print a summary, the choices and the tables."""
    tree = checkout(__doc__)
    need_tools()
    for release in _COMPILERS[1:]:
        need(compiler_of(release), f"it with `motebench setup --compiler gcc-{release}`")
    text = (tree / _VERSIONS[0] / "IDE" / "STM32Cube" / "STM32_Benchmarks.md").read_text()
    summaries, choices, tables = [], [], []
    for published in _TABLES:
        theirs = rows_of(published, text)
        sizes = chosen(published, tree, theirs)
        build = next(iter(sizes))
        found = measured(published, tree, build)
        of_kind: dict[str, list[float]] = {}
        for name, (value, _) in theirs.items():
            if name in found:
                of_kind.setdefault(kind(published, name), []).append(error(found[name], value))
        for label in sorted(of_kind):
            errors = of_kind[label]
            middle = f"{statistics.median(errors):+.2%}"
            summaries.append([*summary(f"{published.name}: {label}", errors), middle])
        choices += [
            [published.name, other.version, f"GCC {other.compiler}", f"{size:.2%}"]
            for other, size in sizes.items()
        ]
        columns = ("row", "kind", "published cycles", "simulated, least to most over places")
        rows = list(lines_of(published, theirs, found))
        tables.append(f"## {published.name}\n\n{table(columns, rows, 2)}")
    head = ("rows", "number", "median error", "within 2 %", "median, signed")
    print(table(head, summaries))
    print()
    print(table(("table", "sources", "compiler", "median error, used"), choices, 3))
    for part in tables:
        print(f"\n{part}")


if __name__ == "__main__":
    main()
