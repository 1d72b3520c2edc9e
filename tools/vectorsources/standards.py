"""Known answers copied from the text of standards and from published test suites."""

from __future__ import annotations

from collections.abc import Iterator

from motebench.base.model import Operation
from motebench.catalog.vectors.model import Validity, Vector
from vectorsources.writing import Collection

_ENCRYPT, _SEAL = Operation.ENCRYPT, Operation.ENCRYPT_MESSAGE

_SP800_38A_TEXT = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
_SP800_38A_CTR = {
    "2b7e151628aed2a6abf7158809cf4f3c": "874d6191b620e3261bef6864990db6ce9806f66b7970fdff"
    "8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b": "1abc932417521ca24f2b0459fe7e6e0b"
    "090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd1d665620abf7"
    "4f78a7f6d29809585a97daec58c6b050",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4": "601ec313775789a5"
    "b7a7f504bbf3d228"
    "f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988d"
    "dfc9c58db67aada613c2dd08457941a6",
}
_ATYRAU = "temirbekova-2024, section 2.2, worked example"
# scheme, key, plaintext, ciphertext, source
_ECB = [
    ("twofish-128-ecb", "00" * 16, "00" * 16, "9f589f5cf6122c32b6bfec2f2ae8c35a",
    "Twofish paper (1998), appendix B.2"),
    ("twofish-192-ecb", "0123456789abcdeffedcba98765432100011223344556677", "00" * 16,
     "cfd1d2e5a9be9cdf501f13b892bd2248", "Twofish paper (1998), appendix B.2"),
    ("twofish-256-ecb", "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff",
    "00" * 16,
     "37527be0052334b89f0cfccae87cfa20", "Twofish paper (1998), appendix B.2"),
    ("serpent-128-ecb", "80" + "00" * 15, "00" * 16, "264e5481eff42a4606abda06c0bfda3d",
     "NESSIE, Serpent-128-128 set 1 vector 0"),
    ("serpent-192-ecb", "80" + "00" * 23, "00" * 16, "9e274ead9b737bb21efcfca548602689",
     "NESSIE, Serpent-192-128 set 1 vector 0"),
    ("serpent-256-ecb", "80" + "00" * 31, "00" * 16, "a223aa1288463c0e2be38ebd825616c0",
     "NESSIE, Serpent-256-128 set 1 vector 0"),
    ("rc2-64-ecb", "ffffffffffffffff", "ffffffffffffffff", "278b27e42e2f0d49",
    "RFC 2268 section 5"),
    ("rc2-64-ecb", "3000000000000000", "1000000000000001", "30649edf9be7d2c2",
    "RFC 2268 section 5"),
    ("rc2-128-ecb", "88bca90e90875a7f0f79c384627bafb2", "00" * 8, "2269552ab0f85ca6",
    "RFC 2268 section 5"),
    ("camellia-128-ecb", "0123456789abcdeffedcba9876543210", "0123456789abcdeffedcba9876543210",
     "67673138549669730857065648eabe43", "RFC 3713 appendix A"),
    ("camellia-192-ecb", "0123456789abcdeffedcba98765432100011223344556677",
    "0123456789abcdeffedcba9876543210",
     "b4993401b3e996f84ee5cee7d79b09b9", "RFC 3713 appendix A"),
    ("camellia-256-ecb", "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff",
     "0123456789abcdeffedcba9876543210", "9acc237dff16d76c20ef7c919e3a7509", "RFC 3713 appendix A"),
    ("xtea-ecb", "000102030405060708090a0b0c0d0e0f", "4142434445464748", "497df3d072612cb5",
     "test suites of Go x/crypto and libtomcrypt"),
    ("xtea-ecb", "000102030405060708090a0b0c0d0e0f", "5a5b6e278948d77f", "4141414141414141",
     "test suites of Go x/crypto and libtomcrypt"),
    ("xtea-ecb", "00" * 16, "70e1225d6e4e7655", "4141414141414141",
    "test suites of Go x/crypto and libtomcrypt"),
    ("xtea-ecb", "00112233445566778899aabbccddeeff", "0123456789abcdef", "b8bf2821622b5b30",
     "test suite of Botan, xtea.vec"),
    ("xtea-ecb", "d94576cd1a5f99e4155dc7bec5d33df2", "d51399607f7aa9d7", "782e4e131c5ba746",
     "test suite of Botan, xtea.vec"),
    ("3des-ecb", "4345313930374345436f6d70757465724b617a616b683132", "4174797261753036",
    "38d9d6f5da22ba3b", _ATYRAU),
    ("des-ecb", "4345313930374345", "4174797261753036", "9c780ad419c08c11",
    f"{_ATYRAU}, encryption with key 1"),
    ("des-ecb", "436f6d7075746572", "77894cfa31e59073", "9c780ad419c08c11",
    f"{_ATYRAU}, decryption with key 2"),
    ("des-ecb", "4b617a616b683132", "77894cfa31e59073", "38d9d6f5da22ba3b",
    f"{_ATYRAU}, encryption with key 3"),
]  # fmt: skip
# ECRYPT eSTREAM test vectors of Salsa20/20 and Salsa20/12: the beginning of the key stream.
_KEY_6 = "0053a6f94c9ff24598eb3e91e4378add3083d6297ccf2275c81b6ec11467ba0d"
_ESTREAM = [
    (
        "salsa20",
        "set 1 vector 0",
        "80" + "00" * 31,
        "00" * 8,
        "e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844"
        "b22c97559e2723c7cbbd3fe4fc8d9a0744652a83e72a9c461876af4d7ef1a117",
    ),
    ("salsa20", "set 5 vector 0", "00" * 32, "80" + "00" * 7, "2aba3dc45b494700"),
    ("salsa20", "set 6 vector 0", _KEY_6, "0d74db42a91077de", "f5fad53f79f9df58"),
    (
        "salsa20-128",
        "set 1 vector 0",
        "80" + "00" * 15,
        "00" * 8,
        "4dfa5e481da23ea09a31022050859936da52fcee218005164f267cb65f5cfd7f"
        "2b4f97e0ff16924a52df269515110a07f9e460bc65ef95da58f740b7d1dbb0aa",
    ),
    (
        "salsa20-128",
        "set 6 vector 0",
        _KEY_6[:32],
        "0d74db42a91077de",
        "05e1e7beb697d999656bf37c1b978806735d0b903a6007bd329927efbe1b0e2a"
        "8137c1ae291493aa83a821755bee0b06cd14855a67e46703ebf8f3114b584cba",
    ),
    (
        "salsa20-12",
        "set 1 vector 0",
        "80" + "00" * 31,
        "00" * 8,
        "afe411ed1c4e07e4d0cde3b33e31ec190fa4cc796a58bafb848ead8d07d02cd2"
        "d4b6f9f30cb0b57007e3733895cc8d1060107975acaeeb689b6cf614ab64a3d6",
    ),
    ("salsa20-12", "set 6 vector 0", _KEY_6, "0d74db42a91077de", "52e20cf8775ae882"),
]
# Two of the ten AES-EAX vectors of Bellare, Rogaway and Wagner: message, key, nonce, header,
# ciphertext.
_EAX = [
    (
        "",
        "233952dee4d5ed5f9b9c6d6ff80ff478",
        "62ec67f9c3a4a407fcb2a8c49031a8b3",
        "6bfb914fd07eae6b",
        "e037830e8389f27b025a2d6527e79d01",
    ),
    (
        "f7fb",
        "91945d3f4dcbee0bf45ef52255f095a4",
        "becaf043b0a23d843194ba972c66debd",
        "fa3bfd4806eb53fa",
        "19dd5c4c9331049d0bdab0277408f67967e5",
    ),
]
ALICE, BOB = (
    (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
    ),
    (
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
    ),
)
SHARED = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
# RFC 6979 appendix A.2.5.
P256 = (
    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
)
_WYCHEPROOF_ED25519_KEY = "7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa"
_ORDER = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"
# tcId of ed25519_test.json, signature of the message 3f
_FORGED_ED25519 = [
    (10, "00" * 64),
    (11, "00" * 32 + "01" + "00" * 31),
    (13, "00" * 32 + _ORDER),
    (15, "01" + "00" * 63),
    (16, ("01" + "00" * 31) * 2),
    (18, "01" + "00" * 31 + _ORDER),
    (20, _ORDER + "00" * 32),
]


def collect(into: Collection) -> None:
    """Add everything."""
    hexed = bytes.fromhex
    for number, (scheme, key, plain, secret, source) in enumerate(_ECB, 1):
        vector = Vector(
            f"standard {number}",
            scheme,
            _ENCRYPT,
            hexed(key),
            data=hexed(plain),
            expect_out=hexed(secret),
            source=source,
        )
        into.add(scheme.split("-")[0], [vector])
    into.add("aes", _aes())
    into.add("x25519", _x25519())
    private, public = map(hexed, P256)
    for text in (b"sample", b"test"):
        into.add(
            "ecdsa",
            [
                Vector(
                    f"sign {text.decode()}",
                    "ecdsa-p256-sha256",
                    Operation.SIGN,
                    private,
                    data=text,
                    public=public,
                    source="RFC 6979 appendix A.2.5 (key and message)",
                )
            ],
        )
    for scheme, name, key, nonce, stream in _ESTREAM:
        out, source = (
            hexed(stream),
            f"eSTREAM test vectors, {scheme.removesuffix('-128')}, {4 * len(key)} bits, {name}",
        )
        into.add(
            "salsa20",
            [
                Vector(
                    name,
                    scheme,
                    _ENCRYPT,
                    hexed(key),
                    hexed(nonce),
                    data=bytes(len(out)),
                    expect_out=out,
                    source=source,
                )
            ],
        )
    for case, signature in _FORGED_ED25519:
        into.add(
            "ed25519",
            [
                Vector(
                    f"Wycheproof {case}",
                    "ed25519",
                    Operation.VERIFY,
                    hexed(_WYCHEPROOF_ED25519_KEY),
                    data=b"\x3f",
                    tag=hexed(signature),
                    result=Validity.INVALID,
                    source=f"Wycheproof ed25519_test.json tcId {case}",
                )
            ],
        )


def _aes() -> Iterator[Vector]:
    hexed = bytes.fromhex
    for key, out in _SP800_38A_CTR.items():
        yield Vector(
            "SP 800-38A",
            f"aes-{4 * len(key)}-ctr",
            _ENCRYPT,
            hexed(key),
            bytes(range(0xF0, 0x100)),
            data=hexed(_SP800_38A_TEXT),
            expect_out=hexed(out),
            source="NIST SP 800-38A appendix F.5",
        )
    for number, (plain, key, nonce, header, sealed) in enumerate(_EAX, 1):
        both = hexed(sealed)
        yield Vector(
            f"EAX {number}",
            "aes-128-eax",
            _SEAL,
            hexed(key),
            hexed(nonce),
            hexed(header),
            hexed(plain),
            expect_out=both[:-16],
            expect_tag=both[-16:],
            source="Bellare, Rogaway, Wagner: The EAX Mode of Operation, appendix G",
        )


def _x25519() -> Iterator[Vector]:
    hexed = bytes.fromhex
    for name, (private, public), (_, peer) in (("Alice", ALICE, BOB), ("Bob", BOB, ALICE)):
        yield Vector(
            f"6.1 {name}",
            "x25519",
            Operation.AGREE,
            hexed(private),
            data=hexed(peer),
            public=hexed(public),
            expect_out=hexed(SHARED),
            source="RFC 7748 section 6.1",
        )
