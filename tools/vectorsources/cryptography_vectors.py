"""What is taken from the package ``cryptography_vectors`` (Apache-2.0 or BSD-3-Clause)."""

from __future__ import annotations

from vectorsources.nist import Take, as_des

CAVP = "NIST CAVP {file}"


def _folder(mode: str) -> str:
    return "CFB" if mode.startswith("CFB") else mode


_AES = [
    *(
        Take("aes", f"ciphers/AES/{_folder(mode)}/{mode}{kind}*.rsp", count, CAVP)
        for mode in ("ECB", "CBC", "CFB128", "CFB8", "OFB")
        for kind, count in (("MMT", 6), ("GFSbox", 2), ("KeySbox", 2), ("VarKey", 2), ("VarTxt", 2))
    ),
    Take("aes", "ciphers/AES/CTR/aes-*-ctr.txt", 9, "RFC 3686 section 6"),
    Take("aes", "ciphers/AES/GCM/gcmEncryptExtIV*.rsp", 40, CAVP),
    Take("aes", "ciphers/AES/GCM/gcmDecrypt*.rsp", 12, CAVP),
    Take("aes", "ciphers/AES/CCM/V*T*.rsp", 6, CAVP),
    Take("aes", "ciphers/AES/CCM/DVPT*.rsp", 10, CAVP),
    Take("aes", "ciphers/AES/XTS/tweak-128hexstr/*.rsp", 10, CAVP + " (tweak as 128-bit string)"),
    Take("aes", "ciphers/AES/XTS/tweak-dataunitseqno/*.rsp", 5, CAVP + " (tweak as sequence number)"),
    Take("aes", "ciphers/AES/OCB3/rfc7253.txt", 16, "RFC 7253 appendix A"),
    Take("aes", "ciphers/AES/OCB3/openssl.txt", 16, "OpenSSL test suite, evpciph (OCB)"),
    Take("aes", "ciphers/AES/OCB3/test-vector-1-*.txt", 16, "dkg/ocb-test-vectors {file}"),
]

_DES = [
    *(
        Take(group, f"ciphers/3DES/{mode[1:4]}/{mode}{kind}.rsp", count, CAVP, change=change)
        for mode in ("TECB", "TCBC", "TCFB64", "TCFB8", "TOFB")
        for group, kind, count, change in (
            ("3des", "MMT3", 8, None),
            ("3des", "MMT2", 2, None),
            ("3des", "varkey", 2, None),
            ("3des", "subtab", 2, None),
            ("des", "MMT1", 8, as_des),
            ("des", "varkey", 3, as_des),
            ("des", "vartext", 3, as_des),
            ("des", "permop", 3, as_des),
            ("des", "subtab", 3, as_des),
        )
    ),
]

_SHA2 = [
    *(
        Take("sha2", f"hashes/SHA2/SHA{size}{kind}.rsp", count, CAVP, longest=4096)
        for size in ("224", "256", "384", "512", "512_256")
        for kind, count in (("ShortMsg", 16), ("LongMsg", 6))
    ),
]

TAKES = [*_AES, *_DES, *_SHA2]
