"""Makes rtl.txt: what random programs leave in memory on Hazard3's hardware description, simulated
by Verilator.

    python simulators/hazard3/tests/rtl/expected.py HAZARD3 TEST_PROGRAM SEED COUNT
    >simulators/hazard3/tests/rtl.txt

HAZARD3 is a checkout of Wren6991/Hazard3 (rtl.txt: commit 8272910), TEST_PROGRAM the built
``test-hazard3-rtl``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
DATA, PRIME, START = 0x20000, 0x100000001B3, 0xCBF29CE484222325


def patched(frontend: str) -> str:
    """Arrays of which one element is combinational, the others registers, taken apart: Verilator
    mixes them up.
    """
    widths = {
        "fifo_mem": "[W_DATA-1:0] ",
        "fifo_err": "",
        "fifo_predbranch": "[1:0] ",
        "fifo_valid_hw": "[1:0] ",
    }
    registers, copies = "", ""
    for name, width in widths.items():
        frontend = re.sub(rf"(\n\t+){name}\[(i|0)\](\s*)<=", rf"\1{name}_q[\2]\3<=", frontend)
        registers += f"reg {width}{name}_q [0:FIFO_DEPTH-1];\n"
        copies += f"{name}[i] = {name}_q[i]; "
    frontend = frontend.replace(
        "wire [W_DATA-1:0] fifo_rdata ", f"{registers}wire [W_DATA-1:0] fifo_rdata ", 1
    )
    loop = f"\tfor (i = 0; i < FIFO_DEPTH; i = i + 1) begin {copies}end\n"
    return frontend.replace(
        "\tfifo_mem[FIFO_DEPTH] = mem_data;", f"{loop}\tfifo_mem[FIFO_DEPTH] = mem_data;", 1
    )


def built(checkout: Path, folder: Path) -> Path:
    """The test bench as a program."""
    shutil.copytree(checkout / "hdl", folder / "hdl")
    frontend = folder / "hdl" / "hazard3_frontend.v"
    frontend.write_text(patched(frontend.read_text(encoding="utf-8")), encoding="utf-8")
    cores = [
        path for path in sorted((folder / "hdl").glob("hazard3_*.v")) if "1port" not in path.name
    ]
    sources = [
        HERE / "tb.v",
        *cores,
        *sorted((folder / "hdl" / "arith").glob("hazard3*.v")),
        HERE / "main.cpp",
    ]
    flags = [
        "--cc",
        "--exe",
        "--build",
        "-O3",
        "-Wno-fatal",
        "--top-module",
        "tb",
        f"-I{folder}/hdl",
        f"-I{folder}/hdl/arith",
    ]
    subprocess.run(
        ["verilator", *flags, "--Mdir", folder / "made", *sources], check=True, stdout=sys.stderr
    )
    return folder / "made" / "Vtb"


def digest(dump: Path) -> int:
    """FNV-1a (64 bits) of the memory from DATA on."""
    words = [line for line in dump.read_text().split("\n") if line and line[0] not in "/@"]
    found = START
    for byte in b"".join(int(word, 16).to_bytes(4, "little") for word in words[DATA // 4 :]):
        found = (found ^ byte) * PRIME % (1 << 64)
    return found


def main() -> None:
    """Print a line for each program: its seed and its digest."""
    checkout, program, first, count = (
        Path(sys.argv[1]),
        Path(sys.argv[2]).resolve(),
        int(sys.argv[3]),
        int(sys.argv[4]),
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        bench = built(checkout, folder)
        for seed in range(first, first + count):
            image = subprocess.run(
                [program, "--image", str(seed)], check=True, capture_output=True
            ).stdout
            (folder / "prog.hex").write_bytes(image)
            subprocess.run([bench], check=True, cwd=folder, stdout=subprocess.DEVNULL)
            print(seed, f"{digest(folder / 'dump.hex'):016x}", flush=True)


if __name__ == "__main__":
    main()
