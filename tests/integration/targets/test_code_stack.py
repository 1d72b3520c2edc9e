"""The stack of user code and of built-in code on boards, against functions that use a known number
of bytes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.catalog.devices import programmable
from motebench.targets.board.simulated import simulation
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.firmware import sources
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.registry import open_target
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job
from motebench.targets.wire.stream import ProcessStream

FRAME = {"sim:atmega328p": 8, "sim:atmega2560": 9, "sim:samd21g18a": 16}
"""Stack in bytes of the adapter's function for a whole digest, which is part of the timed call."""
BOARDS = tuple(FRAME)
HASH = """\
; A digest of no bytes, which uses as many bytes of stack as the input is long: below the
; return address on an AVR.
#ifdef __AVR__
.global crypto_hash
crypto_hash:
    movw r26, r14
    sbiw r26, 0
    breq 2f
1:  push r24
    sbiw r26, 1
    brne 1b
    movw r26, r14
3:  pop r24
    sbiw r26, 1
    brne 3b
2:  clr r24
    clr r25
    ret
#else
.syntax unified
.thumb
.global crypto_hash
.thumb_func
crypto_hash:
    movs r1, r2
    beq 2f
    movs r3, r1
1:  push {r0}
    subs r3, #4
    bne 1b
    add sp, r1
2:  movs r0, #0
    bx lr
#endif
"""
pytestmark = pytest.mark.long
KNOWN_HASH = Path(__file__).parents[2] / "firmware" / "known_hash.c"


@pytest.fixture(scope="module", autouse=True)
def tools():
    if (
        None in (shutil.which("avr-gcc"), shutil.which("arm-none-eabi-gcc"))
        or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists()
    ):
        pytest.skip(
            "avr-gcc, arm-none-eabi-gcc or the simulator is missing; motebench doctor names the "
            "line"
        )


@pytest.mark.parametrize("target", BOARDS)
def test_user_code_uses_the_stack_that_it_uses(tmp_path, target):
    folder = tmp_path / "known"
    folder.mkdir()
    (folder / "api.h").write_text("#define CRYPTO_BYTES 1\n")
    (folder / "hash.S").write_text(HASH if "samd" not in target else HASH.replace(";", "@"))
    workspace, code = add_code(Workspace(), GivenCode(folder, unproved=True))
    session = open_target(target, code=workspace.code).open(code.name)
    try:
        for size in (0, 4, 36, 200):
            used = session.memory(Job("code-known-hash", "digest", data=bytes(size))).stack
            assert used == size
    finally:
        session.close()


@pytest.mark.parametrize("target", BOARDS)
def test_built_in_code_uses_the_stack_that_it_uses(target):
    device = programmable()[target.removeprefix("sim:")]
    selected = (
        "-DMOTE_SYMBOL=mote_known",
        '-DMOTE_NAME="mote/known"',
        "-DMOTE_KINDS=8",
        "-DMOTE_MODES=",
        "-DMOTE_AEAD_MODES=",
    )
    parts = [(path, selected) for path in sources.adapter_sources()]
    parts += [(path, ()) for path in (KNOWN_HASH, *sources.shared_sources(device.architecture))]
    image = assemble(device, FirmwareParts(parts), "Os")
    session = ProbeSession(lambda: ProcessStream(simulation(device, image.path)))
    try:
        used = {n: session.memory(Job("known", "digest", data=bytes(n))).stack for n in (36, 200)}
    finally:
        session.close()
    assert used == {n: n + FRAME[target] for n in used}


@pytest.mark.parametrize("target", BOARDS)
def test_the_stack_is_that_of_the_scheme_that_was_asked_for(target):
    """The no-op job, which is measured beside it, is of the first scheme."""
    session = open_target(target).open("mote/aes-small")
    try:
        used = session.memory(
            Job("aes-256-cbc", "encrypt", key=bytes(32), nonce=bytes(16), data=bytes(16))
        )
        assert 0 < used.stack < 300
    finally:
        session.close()
