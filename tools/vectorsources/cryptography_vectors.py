"""Vectors from the package ``cryptography_vectors`` (Apache-2.0 or BSD-3-Clause)."""

from __future__ import annotations

from vectorsources.nist import Take, as_des, shortened, with_key

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
    Take(
        "aes", "ciphers/AES/XTS/tweak-dataunitseqno/*.rsp", 5, CAVP + " (tweak as sequence number)"
    ),
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

_HASHES = [
    *(
        Take("sha1", f"hashes/SHA1/SHA1{kind}.rsp", count, CAVP, longest=4096)
        for kind, count in (("ShortMsg", 16), ("LongMsg", 6))
    ),
    *(
        Take("sha3", f"hashes/SHA3/SHA3_{size}{kind}.rsp", count, CAVP, longest=8192)
        for size in ("224", "256", "384", "512")
        for kind, count in (("ShortMsg", 16), ("LongMsg", 4))
    ),
    *(
        Take(
            "sha3",
            f"hashes/SHAKE/SHAKE{size}{kind}.rsp",
            count,
            CAVP,
            longest=8192,
            change=shortened(length),
        )
        for size, length in (("128", 32), ("256", 64))
        for kind, count in (("VariableOut", 24), ("ShortMsg", 8), ("LongMsg", 3))
    ),
    Take("md5", "hashes/MD5/rfc-1321.txt", 16, "RFC 1321 appendix A.5", stem="md5"),
    Take(
        "ripemd160",
        "hashes/ripemd160/ripevectors.txt",
        16,
        "RIPEMD-160 page of its authors (Bosselaers)",
    ),
    Take("blake2", "hashes/blake2/blake2b.txt", 16, "cryptography_vectors blake2b.txt"),
    Take("blake2", "hashes/blake2/blake2s.txt", 16, "cryptography_vectors blake2s.txt"),
    Take("hmac", "HMAC/rfc-2202-*.txt", 16, "RFC 2202"),
    Take("hmac", "HMAC/rfc-2286-*.txt", 16, "RFC 2286"),
    Take("hmac", "HMAC/rfc-4231-*.txt", 16, "RFC 4231"),
]

_PYCA = "cryptography_vectors {file}, from AESVS inputs, checked by its authors against "
_OTHERS = [
    Take(
        "blowfish",
        "ciphers/Blowfish/bf-*.txt",
        16,
        "Schneier, Blowfish test vectors (Eric Young)",
        change=with_key(16, 32, 56),
    ),
    *(
        Take("cast-128", f"ciphers/CAST5/cast5-{mode}.txt", 9, _PYCA + "CommonCrypto and Go")
        for mode in ("cbc", "cfb")
    ),
    Take("cast-128", "ciphers/CAST5/cast5-ofb.txt", 9, _PYCA + "CommonCrypto and Go"),
    Take("cast-128", "ciphers/CAST5/cast5-ctr.txt", 9, _PYCA + "Go"),
    Take(
        "cast-128", "ciphers/CAST5/cast5-ecb.txt", 9, "RFC 2144 appendix B.1", change=with_key(16)
    ),
    *(
        Take("idea", f"ciphers/IDEA/idea-{mode}.txt", 9, _PYCA + "Botan")
        for mode in ("cbc", "cfb", "ofb")
    ),
    *(Take("seed", f"ciphers/SEED/seed-{mode}.txt", 9, _PYCA + "Botan") for mode in ("cfb", "ofb")),
    Take("seed", "ciphers/SEED/rfc-4196.txt", 9, "RFC 4196 section 4"),
    Take("seed", "ciphers/SEED/rfc-4269.txt", 9, "RFC 4269 appendix B", stem="seed-ecb"),
    Take(
        "rc2",
        "ciphers/RC2/rc2-cbc.txt",
        9,
        "cryptography_vectors {file}, checked by its authors against Go",
    ),
    *(
        Take(
            "camellia",
            f"ciphers/Camellia/camellia-{mode}.txt",
            9,
            "OpenSSL test suite, evptests (Camellia)",
        )
        for mode in ("cbc", "cfb", "ofb")
    ),
    Take("chacha20", "ciphers/ChaCha20/rfc7539.txt", 9, "RFC 8439 appendix A.2"),
    Take(
        "chacha20-poly1305",
        "ciphers/ChaCha20Poly1305/openssl.txt",
        20,
        "OpenSSL test suite, evpciph (ChaCha20-Poly1305)",
        stem="chacha20poly1305",
    ),
]

TAKES = [*_AES, *_DES, *_SHA2, *_HASHES, *_OTHERS]
