"""Secrets that reach time or not, as the compiler has it: code of ``tests/firmware/at_risk.c``."""

from __future__ import annotations

import pytest
from at_risk import FUNCTIONS, SECRETS, AtRisk

from motebench.catalog.devices import devices
from motebench.targets.board.simulated import Simulation
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

BOARDS = ["samd21g18a", "cortex-m3-nows", "cortex-m4-nows", "atmega2560", "rp2350-hazard3"]
ROUNDING = [name for name in FUNCTIONS if name.endswith(("_divides", "_multiplies"))]
LONG_PRODUCT_VARIES = ("armv6-m", "armv7-m")
"""Architectures where a product of 64 bits takes a call with a branch, or a varying time."""


def on(board: str, level: str = "Os", compiler: str = "gcc") -> AtRisk:
    """The firmware for a board."""
    device = devices()[board]
    need_simulator(device)
    return AtRisk(Simulation(device, BoardSettings()), level, compiler)


@pytest.fixture(scope="module", params=BOARDS)
def firmware(request):
    """The firmware on each board, by the default compiler."""
    return on(request.param)


def varies(firmware: AtRisk, name: str) -> bool:
    """True if the machine code of a function has an instruction, or a call, whose time varies."""
    architecture = firmware.board.device.architecture
    # A Hazard3 divides in equal time unless signs are secret: none is here.
    divides = firmware.divides(name) and architecture != "riscv32"
    return divides or (
        firmware.multiplies_long(name) and architecture.startswith(LONG_PRODUCT_VARIES)
    )


@pytest.mark.parametrize("name", ROUNDING)
def test_rounding_is_flagged_exactly_where_its_machine_code_varies(firmware, name):
    assert bool(firmware.errors(name)) == varies(firmware, name)


@pytest.mark.parametrize("board", ["samd21g18a", "cortex-m4-nows", "atmega2560"])
def test_kyberslash_is_flagged_in_old_code_and_not_in_new(board):
    firmware = on(board)
    assert firmware.divides("tomsg_divides")
    assert firmware.errors("tomsg_divides")
    assert not firmware.divides("tomsg_multiplies")
    assert firmware.errors("tomsg_multiplies") == set()


def test_old_code_is_silent_at_a_level_that_multiplies():
    firmware = on("cortex-m4-nows", "O2")
    assert not firmware.divides("tomsg_divides")
    assert firmware.errors("tomsg_divides") == set()


def test_a_division_of_the_library_is_named():
    assert on("atmega2560").errors("tomsg_divides") == {("branch", "__udivmodhi4")}


def test_comparisons_that_stop_are_flagged_and_others_are_not(firmware):
    assert ("branch", "memcmp") in firmware.errors("compares_by_memcmp")
    assert ("branch", "compares_until_other") in firmware.errors("compares_until_other")
    assert firmware.errors("compares_all") == set()


def test_masks_are_silent_with_the_default_compiler(firmware):
    for name in ("frommsg_masks", "frommsg_hides", "selects_by_mask", "swaps_by_mask"):
        assert firmware.errors(name) == set()


def test_a_mask_that_clang_turns_into_a_branch_is_flagged_and_a_hidden_one_is_not():
    firmware = on("samd21g18a", "O2", "clang-19")
    assert ("branch", "frommsg_masks") in firmware.errors("frommsg_masks")
    assert firmware.errors("frommsg_hides") == set()


def test_cycles_are_the_same_whether_secrets_are_followed(firmware):
    number = list(FUNCTIONS).index("compares_all")
    job = Job("at-risk", "digest", data=bytes((number,)) + SECRETS[0])
    counts = []

    def measure(session):
        counts.append(session.measure(job, batch=1, count=3, warm=0, timeout=60).counts)

    firmware.board.follow(firmware.image, measure)
    session = firmware.board.start(firmware.image)
    try:
        measure(session)
    finally:
        session.close()
    followed, alone = counts
    assert followed == alone
    assert min(alone) > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "implementation", "scheme", "operation"),
    [
        ("nrf52840", "mote/ed25519@O3+clang-19", "ed25519", "sign"),
        (
            "samd21g18a",
            "mote/chacha20-poly1305@O3+clang-19",
            "chacha20-poly1305",
            "decrypt-message",
        ),
        ("samd21g18a", "mote/p256@O3+clang-19", "ecdsa-p256-sha256", "sign"),
        ("samd21g18a", "mote/p256+clang-19", "ecdsa-p256-sha256", "sign"),
        ("nrf52840", "bearssl/ecdh-p256", "ecdh-p256", "agree"),
    ],
)
def test_masks_stay_masks_and_checks_of_keys_are_public(
    motebench, board, implementation, scheme, operation
):
    need_simulator(devices()[board])
    done = motebench(
        "leak", "--secret-flow", "--target", f"sim:{board}", "--implementation",
        implementation, "--scheme", scheme, "--operation", operation,
        "--samples", "2", "--json", "-q",
    )  # fmt: skip
    assert done.code == 0, done.err
    (case,) = done.json["cases"]
    assert not any(finding["error"] for finding in case["findings"])
