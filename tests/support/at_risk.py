"""Firmware of ``tests/firmware/at_risk.c``: code whose time is a matter of the compiler, with its
known answers and what its machine code shows.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from motebench.base.files.elf import SourceMap, source_map
from motebench.targets.board.simulated import FlowTable, Simulation
from motebench.targets.firmware import FirmwareImage, FirmwareRole
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, output_of
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Job

SOURCE = Path(__file__).parents[1] / "firmware" / "at_risk.c"
Q = 3329
SECRETS = (bytes(range(7, 39)), bytes(32), bytes((255, 0) * 16), bytes(range(16)) * 2)
"""Secrets that each function gets: the last one has equal halves."""
_MESSAGE, _SUM = 2, 8
_DIVISION = re.compile(r"\t[us]?divu?\t|\trem|__aeabi_u?i?l?div|__u?div(?:mod)?[hsd]i")
"""An instruction that divides, or a call of the compiler's library that does."""
_LONG_PRODUCT = re.compile(r"\t[us]ml?[ua]ll|\t[us]mull|__aeabi_lmul|__muldi3")


def _coefficients(secret: bytes) -> list[int]:
    return [secret[i % 32] * 13 + i // 32 for i in range(256)]


def _compressed(secret: bytes, bits: int) -> list[int]:
    """FIPS 203, equation 4.7: the nearest integer of x 2^d / q, modulo 2^d."""
    return [(2 * (x << bits) + Q) // (2 * Q) % (1 << bits) for x in _coefficients(secret)]


def _tomsg(secret: bytes) -> bytes:
    bits = _compressed(secret, 1)
    return bytes(sum(bits[8 * i + j] << j for j in range(8)) for i in range(32))


def _frommsg(secret: bytes) -> bytes:
    """FIPS 203, equation 4.8 for one bit: 0 or (q + 1) / 2; of every second one the upper byte."""
    bits = [secret[i] >> j & 1 for i in range(32) for j in range(8)]
    return bytes(bit * ((Q + 1) // 2) >> (8 if i % 2 else 0) & 0xFF for i, bit in enumerate(bits))


def _words(secret: bytes) -> tuple[int, ...]:
    return struct.unpack("<8I", secret)


def _selected(secret: bytes) -> bytes:
    return secret[:16] if secret[0] & 1 else secret[16:]


def _swapped(secret: bytes) -> bytes:
    return secret[16:] + secret[:16] if secret[31] >> 7 else secret


def _added(secret: bytes) -> bytes:
    half = [int.from_bytes(secret[at : at + 16], "little") for at in (0, 16)]
    return sum(half).to_bytes(17, "little")


def _multiplied(secret: bytes) -> bytes:
    limbs = [word & 0x3FFFFFF for word in _words(secret)]
    return sum(limbs[i] * limbs[i + 4] for i in range(4)).to_bytes(8, "little")


def _equal(secret: bytes) -> bytes:
    return bytes([secret[:16] == secret[16:]])


def _four(secret: bytes) -> bytes:
    return bytes(_compressed(secret, 4))


def _ten(secret: bytes) -> bytes:
    return struct.pack("<256H", *_compressed(secret, 10))


FUNCTIONS: dict[str, Callable[[bytes], bytes]] = {
    "tomsg_divides": _tomsg,
    "tomsg_multiplies": _tomsg,
    "compress4_divides": _four,
    "compress4_multiplies": _four,
    "compress10_divides": _ten,
    "compress10_multiplies": _ten,
    "frommsg_masks": _frommsg,
    "frommsg_hides": _frommsg,
    "selects_by_mask": _selected,
    "selects_by_condition": _selected,
    "swaps_by_mask": _swapped,
    "carries": _added,
    "multiplies_wide": _multiplied,
    "compares_by_memcmp": _equal,
    "compares_until_other": _equal,
    "compares_all": _equal,
}
"""Results of each function of the firmware, by its name, in the firmware's order."""


def expected(name: str, secret: bytes) -> bytes:
    """The sum that the firmware makes of a function's results."""
    total = [0] * _SUM
    for at, byte in enumerate(FUNCTIONS[name](secret)):
        total[at % _SUM] = (total[at % _SUM] + byte) & 0xFF
    return bytes(total)


class WrongResult(Exception):
    """A result that is not the known answer."""


@dataclass(frozen=True)
class AtRisk:
    """The firmware on a board, by a compiler at a level."""

    board: Simulation
    level: str
    compiler: str = DEFAULT_COMPILER

    @cached_property
    def image(self) -> FirmwareImage:
        """The firmware with its marks. ProbeFailure if the compiler does not build it."""
        parts = FirmwareParts([(SOURCE, ())], role=FirmwareRole(marks=True))
        return assemble(self.board.device, parts, self.level, self.compiler)

    @cached_property
    def code(self) -> SourceMap:
        """Functions of the firmware."""
        return source_map(self.image.path)

    def follow(self, name: str) -> FlowTable:
        """Flow of all secrets through a function. WrongResult for a result that is."""
        number = list(FUNCTIONS).index(name)

        def use(session: ProbeSession) -> None:
            for secret in SECRETS:
                job = Job(
                    "at-risk",
                    "digest",
                    data=bytes((number,)) + secret,
                    secret=struct.pack(">BHH", _MESSAGE, 1, len(secret)),
                )
                if session.compute(job, timeout=60).out != expected(name, secret):
                    raise WrongResult(f"{name} gives a wrong result")

        return self.board.follow(self.image, use)

    def errors(self, name: str) -> set[tuple[str, str]]:
        """Kind and function of each error."""
        errors = [finding for finding in self.follow(name).findings if finding.error]
        functions = [self.code.function(finding.address) for finding in errors]
        return {
            (finding.kind, hex(finding.address) if function is None else function.name)
            for finding, function in zip(errors, functions, strict=True)
        }

    @cached_property
    def listing(self) -> dict[str, str]:
        """Machine code of each function as text."""
        assert self.image.tools is not None
        text = output_of([self.image.tools.objdump, "-d", str(self.image.path)])
        return dict(re.findall(r"<(\w+)>:\n((?:.+\n)*)", text))

    def divides(self, name: str) -> bool:
        """True if the machine code of a function divides, itself or by a call."""
        return _DIVISION.search(self.listing[name]) is not None

    def multiplies_long(self, name: str) -> bool:
        """True if the machine code of a function has a product of 64 bits."""
        return _LONG_PRODUCT.search(self.listing[name]) is not None
