"""What ``/proc/cpuinfo`` says about a processor, on x86, ARM and RISC-V."""

from __future__ import annotations

from dataclasses import dataclass

# Extensions that implementations of ciphers, hashes and public-key arithmetic choose their code by, as Linux names them
# (x86: arch/x86/include/asm/cpufeatures.h; ARM: Documentation/arch/arm64/elf_hwcaps.rst, arch/arm/kernel/setup.c).
CRYPTO_FLAGS = frozenset({
    "aes", "pclmulqdq", "sha_ni", "sha512", "sse2", "ssse3", "sse4_1", "avx", "avx2", "avx512f", "avx512bw", "avx512vl",
    "avx512ifma", "avx512_vbmi2", "vaes", "vpclmulqdq", "gfni", "bmi2", "adx", "rdrand", "rdseed",
    "neon", "asimd", "pmull", "sha1", "sha2", "sha3", "sm3", "sm4", "sve", "sve2", "edsp", "vfpv4",
})  # fmt: skip

# Implementer 0x41 (Arm); part numbers of the MIDR as in Linux arch/arm64/include/asm/cputype.h,
# arch/arm/include/asm/cputype.h and the Technical Reference Manuals.
_ARM_PARTS = {
    0xB76: "ARM1176",
    0xC05: "Cortex-A5",
    0xC07: "Cortex-A7",
    0xC08: "Cortex-A8",
    0xC09: "Cortex-A9",
    0xC0F: "Cortex-A15",
    0xD03: "Cortex-A53",
    0xD04: "Cortex-A35",
    0xD05: "Cortex-A55",
    0xD07: "Cortex-A57",
    0xD08: "Cortex-A72",
    0xD09: "Cortex-A73",
    0xD0A: "Cortex-A75",
    0xD0B: "Cortex-A76",
    0xD0C: "Neoverse-N1",
    0xD0D: "Cortex-A77",
    0xD40: "Neoverse-V1",
    0xD41: "Cortex-A78",
    0xD44: "Cortex-X1",
    0xD49: "Neoverse-N2",
    0xD4F: "Neoverse-V2",
}
_ARM = 0x41


@dataclass(frozen=True, slots=True)
class CpuInfo:
    """One processor. ``flags`` has every flag that the kernel lists; None or empty means that the file does not have
    it."""

    model: str | None
    microcode: str | None
    threads: int | None
    cores: int | None
    flags: frozenset[str]
    board: str | None
    mhz: float | None

    @property
    def crypto_flags(self) -> list[str]:
        """The flags that are relevant to cryptography, sorted."""
        return sorted(self.flags & CRYPTO_FLAGS)


def parse_cpuinfo(text: str) -> CpuInfo:
    """Read the whole file. Never raises: it skips lines that it does not understand."""
    blocks = _blocks(text)
    processors = [block for block in blocks if "processor" in block]
    everything = [block for block in blocks if block]
    return CpuInfo(
        model=_model(everything),
        microcode=_first(everything, "microcode"),
        threads=len(processors) or None,
        cores=_cores(processors),
        flags=_flags(everything),
        board=_first(everything, "Model"),
        mhz=_float(_first(everything, "cpu MHz")),
    )


def _blocks(text: str) -> list[dict[str, str]]:
    blocks: list[dict[str, str]] = [{}]
    for line in text.splitlines():
        if not line.strip():
            blocks.append({})
            continue
        key, colon, value = line.partition(":")
        if colon:
            blocks[-1][key.strip()] = value.strip()
    return blocks


def _first(blocks: list[dict[str, str]], key: str) -> str | None:
    return next((block[key] for block in blocks if block.get(key)), None)


def _float(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _model(blocks: list[dict[str, str]]) -> str | None:
    """Distinct core types, joined: machines with big and little cores have two."""
    found: dict[str, None] = {}
    for block in blocks:
        name = _arm_core(block) or block.get("model name") or block.get("uarch") or block.get("cpu")
        if name:
            found[" ".join(name.split())] = None
    return " + ".join(found) or None


def _arm_core(block: dict[str, str]) -> str | None:
    try:
        implementer, part = int(block["CPU implementer"], 16), int(block["CPU part"], 16)
    except (KeyError, ValueError):
        return None
    if implementer == _ARM and part in _ARM_PARTS:
        return _ARM_PARTS[part]
    return f"ARM implementer {implementer:#04x} part {part:#05x}"


def _cores(processors: list[dict[str, str]]) -> int | None:
    places = {(block.get("physical id"), block.get("core id")) for block in processors}
    if not places or any(part is None for place in places for part in place):
        return None
    return len(places)


def _flags(blocks: list[dict[str, str]]) -> frozenset[str]:
    """Flags that all processors share."""
    lists = [
        frozenset(text.split()) for block in blocks if (text := block.get("flags") or block.get("Features")) is not None
    ]
    return frozenset.intersection(*lists) if lists else frozenset()
