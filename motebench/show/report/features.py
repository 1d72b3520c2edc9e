"""The instructions that libraries use, under common names."""

from __future__ import annotations

import re

_LIBGCRYPT = re.compile(r"hwflist:(.*)", re.DOTALL)
_OPENSSL = re.compile(r"OPENSSL_(ia32|arm)cap=0x([0-9a-f]+)(?::0x([0-9a-f]+))?", re.IGNORECASE)
_BOTAN = re.compile(r"Botan::CPUID: (.*)")
_HOTSPOT = re.compile(r"\bUse(\w+)=(\w+)")
_AVX = ("AVX", "AVX2", "AVX512")
"""What the levels of HotSpot's option UseAVX stand for, from 1."""
_LEVELS = ("1", "2", "3")
# OPENSSL_ia32cap(3), "the capability vector": bits of CPUID leaf 1 (EDX, then ECX) and of leaf 7 (EBX, then ECX).
_X86 = (
    {26: "SSE2", 32: "SSE3", 33: "PCLMULQDQ", 41: "SSSE3", 54: "MOVBE", 57: "AES-NI", 60: "AVX", 62: "RDRAND"},
    {
        3: "BMI1", 5: "AVX2", 8: "BMI2", 16: "AVX512F", 17: "AVX512DQ", 18: "RDSEED", 19: "ADX", 21: "AVX512IFMA",
        29: "SHA", 30: "AVX512BW", 31: "AVX512VL", 41: "VAES", 42: "VPCLMULQDQ",
    },
)  # fmt: skip
# crypto/arm_arch.h of OpenSSL.
_ARM = ({0: "NEON", 2: "AES", 3: "SHA1", 4: "SHA256", 5: "PMULL", 6: "SHA512"},)


def features(text: str) -> tuple[str, ...]:
    """Names of the instruction sets in what a library says it uses; empty where the text is of no form known here.

    Forms: libgcrypt's ``hwflist:intel-aesni:...:``, Botan's ``Botan::CPUID: sse2 ...``, OpenSSL's
    ``OPENSSL_ia32cap=0x...:0x...`` and ``OPENSSL_armcap=0x...``, whose bits are named as far as they mean instructions
    that OpenSSL's code asks for, and options of HotSpot such as ``UseAES=true UseAVX=2``.
    """
    found = _OPENSSL.match(text)
    if found:
        tables = _X86 if found[1].lower() == "ia32" else _ARM
        words = (int(word or "0", 16) for word in found.groups()[1:])
        return tuple(
            name for word, names in zip(words, tables, strict=False) for bit, name in names.items() if word >> bit & 1
        )
    found = _LIBGCRYPT.fullmatch(text)
    if found:
        return tuple(name.removeprefix("intel-") for name in found[1].strip().split(":") if name)
    found = _BOTAN.fullmatch(text)
    if found:
        return tuple(found[1].split())
    names: list[str] = []
    for name, value in _HOTSPOT.findall(text):
        if value == "true":
            names.append(name)
        elif name == "AVX" and value in _LEVELS:
            names += _AVX[: int(value)]
    return tuple(names)


def readable(text: str) -> str:
    """The text with the names of what it stands for; unchanged if they are unknown."""
    names = features(text)
    if not names or _HOTSPOT.search(text):
        return text
    return f"{', '.join(names)} ({text})" if _OPENSSL.match(text) else ", ".join(names)
