"""LEA, HIGHT, SPECK and SIMON: what was published, and modes of operation computed from the
specifications.

Written down as the papers define the ciphers, byte order as in the designers' reference code
(SPECK, SIMON: Beaulieu et al., Notes on the design and analysis of SIMON and SPECK, 2017:
little-endian words, the last word of a block first; HIGHT: KISA's, byte 0 first, where the paper
prints byte 7 of a block and byte 15 of a key first). They must give the published answers. KISA's
are those of its reference code, as the tests of Crypto++ quote them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial

from motebench.base.model import Scheme
from vectorsources.modes import Cipher, computed, published
from vectorsources.writing import Collection

_LEA_PAPER, _HIGHT_PAPER = (
    "LEA paper (WISA 2013), appendix",
    "HIGHT paper (CHES 2006), appendix, byte 0 first",
)
_LEA_KISA, _HIGHT_KISA = (
    "KISA, reference test vectors of LEA (lea_vs.c)",
    "KISA, reference code of HIGHT",
)
_SPECK, _SIMON = (
    "SIMON and SPECK paper (2013), appendix C",
    "SIMON and SPECK paper (2013), appendix B",
)
_SPECIFICATIONS = {
    "lea": "the LEA paper",
    "hight": "the HIGHT paper",
    "speck": "the SIMON and SPECK paper",
    "simon": "the SIMON and SPECK paper",
}
# scheme, key, IV, plaintext, ciphertext, source
_PUBLISHED = [
    ("lea-128-ecb", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "", "101112131415161718191a1b1c1d1e1f",
     "9fc84e3528c6c6185532c7a704648bfd", _LEA_PAPER),
    ("lea-192-ecb", "0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a59687", "",
    "202122232425262728292a2b2c2d2e2f",
     "6fb95e325aad1b878cdcf5357674c6f2", _LEA_PAPER),
    ("lea-256-ecb", "0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a5968778695a4b3c2d1e0f", "",
     "303132333435363738393a3b3c3d3e3f", "d651aff647b189c13a8900ca27f9e197", _LEA_PAPER),
    ("hight-ecb", "ffeeddccbbaa99887766554433221100", "", "00" * 8, "f2034fd9ae18f400",
    _HIGHT_PAPER),
    ("hight-ecb", "00112233445566778899aabbccddeeff", "", "7766554433221100",
    "d8e643e5729fce23", _HIGHT_PAPER),
    ("hight-ecb", "0f0e0d0c0b0a09080706050403020100", "", "efcdab8967452301",
    "66f4238da2b26f7a", _HIGHT_PAPER),
    ("hight-ecb", "e72b421db109a5cf7dd8ff49bcc3db28", "", "144aa8ebe26b1eb4",
    "c61f9c20757a04cc", _HIGHT_PAPER),
    ("speck-64-128-ecb", "0001020308090a0b1011121318191a1b", "", "2d4375747465723b",
    "8b024e4548a56f8c", _SPECK),
    ("speck-128-128-ecb", "000102030405060708090a0b0c0d0e0f", "",
    "206d616465206974206571756976616c",
     "180d575cdffe60786532787951985da6", _SPECK),
    ("simon-64-128-ecb", "0001020308090a0b1011121318191a1b", "", "756e64206c696b65",
    "7aa0dfb920fcc844", _SIMON),
    ("simon-128-128-ecb", "000102030405060708090a0b0c0d0e0f", "",
    "2074726176656c6c6572732064657363",
     "bc0b4ef82a83aa653ffe541e1e1b6849", _SIMON),
    ("hight-ecb", "88e34f8f081779f1e9f394370ad40589", "", "d76d0d18327ec562",
    "e4bc2e312277e4dd", _HIGHT_KISA),
    ("hight-ecb", "2923be84e16cd6ae529049f1f1bbe9eb", "", "b3a6db3c870c3e99",
    "23cad1a3cddf7eab", _HIGHT_KISA),
    ("hight-cbc", "88e34f8f081779f1e9f394370ad40589", "268d66a735a81a81", "0001020304050607",
    "ce1595085a188c28",
     _HIGHT_KISA),
    ("hight-cbc", "88e34f8f081779f1e9f394370ad40589", "268d66a735a81a81",
    "000102030405060708090a0b0c0d0e0f",
     "ce1595085a188c28c18d7708d9c12586", _HIGHT_KISA),
    ("hight-ctr", "88e34f8f081779f1e9f394370ad40589", "00000000000000fe", "0001020304",
    "b3d1fffcc2", _HIGHT_KISA),
    ("hight-ctr", "88e34f8f081779f1e9f394370ad40589", "00000000000000fe",
     "000102030405060708090a0b0c0d0e0f0001020304050607",
     "b3d1fffcc2a19bc0130dc1621c5839988ad7c59b40a2d5b9",
     _HIGHT_KISA),
    ("lea-128-ecb", "07ab6305b025d83f79addaa63ac8ad00", "", "f28ae3256aad23b415e028063b610c60",
     "64d908fcb7ebfef90fd670106de7c7c5", _LEA_KISA),
    ("lea-128-ecb", "56cec76dbd39f3eb7f7ad2a492c991a0", "",
     "2d8cce99726d59af50b0375da8c3edacae17fba6932fa60e61f7fa4e265610b1",
     "381d0bdbc808c408d1bd0c791fb08469f19f6319329f9ecd5cd6cfd0c3892bec", _LEA_KISA),
    ("lea-192-ecb", "1437af533069bd7525c1560c78bad2a1e534671c007ef27c", "",
    "1cb4f4cb6c4bdb5168ea8409727bfd51",
     "69725c6df912f8b70eb511e6663c5870", _LEA_KISA),
    ("lea-192-ecb", "ba838fe55faefc0ed7af051790462f01d7a2c778faea2405", "",
     "a9172c84a2041ad98ec87edf254384a199f77acd32198d6535e8d3b80b3e8f91",
     "c6c5f98e4c633e7463518815bf9087c0289deb0a1b16a9af31fee64455a1d025", _LEA_KISA),
    ("lea-256-ecb", "4f6779e2bd1e9319c63015acffefd7a791f0ed59df1b700769fe82e2f0668c35", "",
     "dc31cae3da5e0a11c966b020d7cffede", "eda2042098f667e857a02db8caa7dff2", _LEA_KISA),
    ("lea-256-ecb", "e7fe92fd374d30c43f5dc204dcae9d4ead6c0663bd8cf5ec6318196b67c71b72", "",
     "66d127137801a9970f0c5472232169778cc13649afd1dd125cee5677f700b7cb",
     "16bff149dfa234bf7fbe2c59ae88a1e99a1bf8d91910a7f67d088432e1c6d790", _LEA_KISA),
    ("lea-128-ctr", "7ad36a75d55f3022094e06f7c897d8bb", "0c5f04e8b512195e74b3de57e970979e",
     "087a83fcc113a9f3e0e9d5af32a2dd3a", "2b73497c4fc9ef38be7a0bcb1aab87a4", _LEA_KISA),
    ("lea-128-ctr", "e9b828ef4187713164a4c95d8b71dbfc", "67ee743ebfd243a45adbddfc1f620392",
     "7b3228a5039a2e185bc1716a563a06e85ed8452117c4849b3fcc26c4d9fed52b",
     "ff94a709f1d6c68332c661cc8b6ee75af18f0f878890d1be5ed793cce5071ecc", _LEA_KISA),
    ("lea-192-ctr", "bb93a2643e84a41a23fa12a54d5e7ed694391ea3684987d8",
    "b7d5b909113d5ccb0bd54924e1f34c3f",
     "5f472864016bdc2859bb25e1b167445d", "c6357abd1d3824f2c72ed6ef4b76d897", _LEA_KISA),
    ("lea-192-ctr", "f2c701d4c4eef01af781f31922ca007f890825b44409c90f",
    "9efb3449bc8052327f00b3a2aa43d7b3",
     "483fa92d482e49426be40e7c6060ccf32da152c3d0bb37bd2629d75d0d6598fc",
     "e70cf156a46a886af2f640ef0a7842a09060d33e6f10ced1a79f3dd33ce6db99", _LEA_KISA),
    ("lea-256-ctr", "aa5b8dd64b302313dce418464eae92908be9533711218456e06eb1d397001692",
     "dafc19e8f6871753c81f6368db328c0c", "d0e9dfe703452d166b6ecf20c248e62c",
     "fc9a78ba8f08aea82f9a37e5bd2c04d8",
     _LEA_KISA),
    ("lea-256-ctr", "e646e771808358ede30fd45a3786555ed6e8b302f6a4676589f695b261734a4f",
     "98e302572f4e6d4bf55a7204aad475ec",
     "658cd56e3366b9ab01ae0d6fbcacc763b6786f844c10ded3c6a8464e7e417220",
     "14934be00d587642705f1c34aa10d18e3453444f7313f56b42cd7cbe229ebb9e", _LEA_KISA),
    ("lea-128-cbc", "87f1424f1a1483cc1fd0354e18a994ab", "cf584e6ef6d642880ab787427db9b076",
     "139d4eff8d35b76e85bf06fe997163cb", "49b9f3226da54b4a0d385a9c4870524b", _LEA_KISA),
    ("lea-128-cbc", "cb55853e285774cca89d94e05616df15", "b05672a951a14b2fcd455183dd2d9403",
     "bcb4d7fcd0b74c638dee9ec6977c348126c4b535af7fc776c10b1dc42d06b0bd",
     "4901fa73ace60a89e3fe128101a19b8d6708235201c07bd9481576aa61ae5990", _LEA_KISA),
    ("lea-192-cbc", "68d218650e96e10771d4361a4185fc8127c3b54164da4a35",
    "b5a10703790be74e15f9122d9852a4dc",
     "9b56b0b26c2f85536bc92f27b3e4410b", "72866aa8e3f1a4449618c8cf623d9bbe", _LEA_KISA),
    ("lea-192-cbc", "fd68d246c2f8c6bea0c94f6cffb5b20df48b4f1a66aadcfb",
    "6fcef1780429c970d9b647cd7fca37b7",
     "cfecd7088ce69500441c1b3b771d89dffc78011a9fd169cc0f336c80f8a8c2a1",
     "358ff42833526081bbac7c5a84d1e2072fee96d54aee311fc5b251a8c8e64ced", _LEA_KISA),
    ("lea-256-cbc", "1a4ee82b1f3784946df2a18fc749b34fe226cf2811a66a47226e64a182424529",
     "a8d4c646b1d9938448624f8ac96ad84c", "a6abcd8109b74e58bb43036644c660e3",
     "91ee72e8e26fa4234977e464ca4872ca",
     _LEA_KISA),
    ("lea-256-cbc", "5443271761622e0f92c66294dc9b0c5e6b6e53844342023727e08cb0b96e4e67",
     "e443138677fadd9d12c5e3974604d6ed",
     "f817681906700f4e2eec06662b63961c207e937b3ac829969108d97a50cfbe61",
     "e9d52ee18cfc74d824b4025766499266f32d9fcafa46989f5151c5e970838690", _LEA_KISA),
]  # fmt: skip

_LEA_DELTA = (
    0xC3EFE9DB,
    0x44626B02,
    0x79E27C8A,
    0x78DF30EC,
    0x715EA49E,
    0xC785DA0A,
    0xE04EF22A,
    0xE5C40957,
)
_LEA_TURNS = (1, 3, 6, 11, 13, 17)
_SIMON_Z = {
    64: "11011011101011000110010111100000010010001010011100110100001111",
    128: "10101111011100000011010010011000101000010001111110010110110011",
}
"""The constants z3 and z2 of the paper, for SIMON64/128 and SIMON128/128."""


def collect(schemes: Sequence[Scheme], into: Collection) -> None:
    """Published answers, then computed ones for every mode of these ciphers in ``schemes``."""
    groups = {scheme.name: scheme.algorithm for scheme in schemes}
    for vector in published(_PUBLISHED, schemes, cipher_of):
        into.add(groups[vector.scheme], [vector])
    for each in schemes:
        if specification := _SPECIFICATIONS.get(each.algorithm):
            into.add(each.algorithm, computed(each, cipher_of, specification))


def cipher_of(scheme: Scheme, key: bytes) -> Cipher:
    """LEA, HIGHT, SPECK or SIMON of the scheme's sizes under ``key``."""
    size = scheme.block_bytes or scheme.nonce_bytes  # all modes but ECB start from a block
    block: dict[str, Callable[[bytes], Callable[[bytes], bytes]]] = {
        "lea": lambda key: partial(_lea, _lea_schedule(key)),
        "hight": lambda key: partial(_hight, key),
        "speck": lambda key: partial(_speck, size * 4, _speck_schedule(size * 4, key)),
        "simon": lambda key: partial(_simon, size * 4, _simon_schedule(size * 4, key)),
    }
    return Cipher(size, block[scheme.algorithm](key))


def _left(value: int, count: int, bits: int = 32) -> int:
    mask, count = (1 << bits) - 1, count % bits
    value &= mask
    return (value << count | value >> (bits - count)) & mask


def _lea_schedule(key: bytes) -> list[tuple[int, ...]]:
    words = [*struct.unpack(f"<{len(key) // 4}I", key)]
    keys = []
    for i in range({16: 24, 24: 28, 32: 32}[len(key)]):
        delta = _LEA_DELTA[i % len(words)]
        used = [(6 * i + j) % 8 if len(key) == 32 else j for j in range(min(len(words), 6))]
        for j, at in enumerate(used):
            words[at] = _left(words[at] + _left(delta, i + j), _LEA_TURNS[j])
        keys.append(tuple(words[at] for at in (used if len(used) == 6 else (0, 1, 2, 1, 3, 1))))
    return keys


def _lea(keys: Sequence[tuple[int, ...]], block: bytes) -> bytes:
    a, b, c, d = struct.unpack("<4I", block)
    for k in keys:
        a, b, c, d = (
            _left((a ^ k[0]) + (b ^ k[1]), 9),
            _left((b ^ k[2]) + (c ^ k[3]), 32 - 5),
            _left((c ^ k[4]) + (d ^ k[5]), 32 - 3),
            a,
        )
    return struct.pack("<4I", a, b, c, d)


def _hight_subkeys(key: bytes) -> list[int]:
    bits = [0, 1, 0, 1, 1, 0, 1]  # s0 .. s6
    for i in range(1, 128):
        bits.append(bits[i + 2] ^ bits[i - 1])
    deltas = [sum(bits[i + j] << j for j in range(7)) for i in range(128)]
    return [
        (key[(j - i) % 8 + half] + deltas[16 * i + j + half]) % 256
        for i in range(8)
        for half in (0, 8)
        for j in range(8)
    ]


def _hight(key: bytes, block: bytes) -> bytes:
    subkeys, x = _hight_subkeys(key), [*block]
    first, last = key[12:], key[:4]
    x[0], x[2], x[4], x[6] = (
        (x[0] + first[0]) % 256,
        x[2] ^ first[1],
        (x[4] + first[2]) % 256,
        x[6] ^ first[3],
    )
    for i in range(32):
        k = subkeys[4 * i : 4 * i + 4]
        f0 = [_left(v, 1, 8) ^ _left(v, 2, 8) ^ _left(v, 7, 8) for v in x]
        f1 = [_left(v, 3, 8) ^ _left(v, 4, 8) ^ _left(v, 6, 8) for v in x]
        x = [
            x[7] ^ (f0[6] + k[3]) % 256,
            x[0],
            (x[1] + (f1[0] ^ k[0])) % 256,
            x[2],
            x[3] ^ (f0[2] + k[1]) % 256,
            x[4],
            (x[5] + (f1[4] ^ k[2])) % 256,
            x[6],
        ]
    out = [
        (x[1] + last[0]) % 256,
        x[2],
        x[3] ^ last[1],
        x[4],
        (x[5] + last[2]) % 256,
        x[6],
        x[7] ^ last[3],
        x[0],
    ]
    return bytes(out)


def _words(bits: int, data: bytes) -> list[int]:
    return [
        int.from_bytes(data[i : i + bits // 8], "little") for i in range(0, len(data), bits // 8)
    ]


def _speck_round(bits: int, x: int, y: int, key: int) -> tuple[int, int]:
    x = (_left(x, bits - 8, bits) + y) % 2**bits ^ key
    return x, _left(y, 3, bits) ^ x


def _speck_schedule(bits: int, key: bytes) -> list[int]:
    keys, rest = _words(bits, key)[:1], _words(bits, key)[1:]
    for i in range({32: 27, 64: 32}[bits] - 1):
        x, y = _speck_round(bits, rest[i], keys[i], i)
        rest.append(x)
        keys.append(y)
    return keys


def _speck(bits: int, keys: Sequence[int], block: bytes) -> bytes:
    y, x = _words(bits, block)
    for key in keys:
        x, y = _speck_round(bits, x, y, key)
    return y.to_bytes(bits // 8, "little") + x.to_bytes(bits // 8, "little")


def _simon_schedule(bits: int, key: bytes) -> list[int]:
    keys = _words(bits, key)
    count, z = len(keys), _SIMON_Z[2 * bits]
    for i in range(count, {32: 44, 64: 68}[bits]):
        new = _left(keys[i - 1], bits - 3, bits)
        if count == 4:
            new ^= keys[i - 3]
        new ^= _left(new, bits - 1, bits)
        keys.append((2**bits - 4) ^ int(z[(i - count) % 62]) ^ keys[i - count] ^ new)
    return keys


def _simon(bits: int, keys: Sequence[int], block: bytes) -> bytes:
    y, x = _words(bits, block)
    for key in keys:
        x, y = y ^ _left(x, 1, bits) & _left(x, 8, bits) ^ _left(x, 2, bits) ^ key, x
    return y.to_bytes(bits // 8, "little") + x.to_bytes(bits // 8, "little")
