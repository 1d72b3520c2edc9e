"""NIST CAVP files and files in their layout."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.catalog.vectors import Validity, load

AES = """# CAVS 11.1
# Config info for aes_values
# AESVS MMT test data for CBC
# Key Length : 128

[ENCRYPT]

COUNT = 0
KEY = 1f8e4973953f3fb0bd6b16662e9a3c17
IV = 2fe2b333ceda8f98f4a99b40d2cd34a8
PLAINTEXT = 45cf12964fc824ab76616ae2f4bf0822
CIPHERTEXT = 0f61c4d44c5147c03c195ad7e2cc12b2

[DECRYPT]

COUNT = 0
KEY = 6a7082cf8cda13eff48c8158dda206ae
IV = bd4172934078c2011cb1f31cffaf486e
CIPHERTEXT = f8eb31b31e374e960030cd1cadb0ef0c
PLAINTEXT = 940bc76d61e2c49dddd5df7f37fcf105
"""


def read(tmp_path, text: str, name: str = "file.rsp"):
    path = tmp_path / name
    path.write_text(text)
    return load(path)


def test_block_cipher_both_ways(tmp_path):
    forward, backward = read(tmp_path, AES)
    assert (forward.scheme, forward.operation) == ("aes-128-cbc", Operation.ENCRYPT)
    assert forward.nonce.hex() == "2fe2b333ceda8f98f4a99b40d2cd34a8"
    assert (
        forward.expect_out is not None
        and forward.expect_out.hex() == "0f61c4d44c5147c03c195ad7e2cc12b2"
    )
    assert (backward.operation, backward.data.hex()) == (
        Operation.DECRYPT,
        "f8eb31b31e374e960030cd1cadb0ef0c",
    )
    assert forward.source == "file.rsp"


def test_line_ends_do_not_matter(tmp_path):
    path = tmp_path / "x.rsp"
    path.write_bytes(AES.replace("\n", "\r\n").encode())
    assert len(load(path)) == 2


@pytest.mark.parametrize(
    ("head", "key", "scheme", "key_bytes"),
    [
        (
            "TDES Multi block Message Test for CFB64",
            "KEY1 = {0}\nKEY2 = {0}\nKEY3 = {0}",
            "3des-cfb",
            24,
        ),
        ("VARIABLE KEY - KAT for CFB8\n# tdes_values", "KEYs = {0}", "3des-cfb8", 24),
        ("AESVS VarKey test data for OFB", "KEY = {0}{0}{0}", "aes-192-ofb", 24),
        ("CAST5 OFB vectors", "KEY = {0}{0}", "cast-128-ofb", 16),
        ("Camellia CBC from OpenSSL's test vectors.", "KEY = {0}{0}{0}{0}", "camellia-256-cbc", 32),
        (
            "IDEA CBC vectors, derived from the AESVS MMT test data for CBC",
            "KEY = {0}{0}",
            "idea-cbc",
            16,
        ),
    ],
)
def test_the_head_names_the_cipher(tmp_path, head, key, scheme, key_bytes):
    fields = f"{key.format('0123456789abcdef')}\nIV = 00\nPLAINTEXT = 00\nCIPHERTEXT = 01\n"
    text = f"# {head}\n\n[ENCRYPT]\n\nCOUNT = 1\n{fields}"
    (vector,) = read(tmp_path, text)
    assert (vector.scheme, len(vector.key)) == (scheme, key_bytes)
    assert not vector.not_applicable


def test_the_name_of_the_file_helps(tmp_path):
    (vector,) = read(
        tmp_path, "COUNT = 0\nKEY = 00\nIV = 00\nPT = 00\nCT = 00\n", "twofish-cbc.txt"
    )
    assert vector.not_applicable == "the catalog has no scheme 'twofish-8-cbc'"
    (vector,) = read(tmp_path, "COUNT = 0\nKEY = 00\nPT = 00\nCT = 00\n", "nothing.txt")
    assert vector.not_applicable == "neither the head of the file nor its name names a cipher"


GCM = """# CAVS 14.0
# GCM Decrypt with keysize 128 test information

[Keylen = 128]
[IVlen = 96]
[PTlen = 0]
[AADlen = 0]
[Taglen = 128]

Count = 0
Key = cf063a34d4a9a76c2c86787d3f96db71
IV = 113b9785971864c83b01c787
CT =
AAD =
Tag = 72ac8493e3a5228b5d130a69d2510e42
PT =

Count = 1
Key = a49a5e26a2f8cb63d05546c2a62f5343
IV = 907763b19b9b4ab6bd4f0281
CT =
AAD =
Tag = a2be08210d8c470a8df6e8fbd79ec5cf
FAIL
"""


def test_gcm_knows_forgeries(tmp_path):
    good, bad = read(tmp_path, GCM)
    assert (good.scheme, good.operation, good.expect_out) == (
        "aes-128-gcm",
        Operation.ENCRYPT_MESSAGE,
        b"",
    )
    assert good.expect_tag is not None and good.tag_bytes == 16
    assert (bad.operation, bad.result, bad.expect_out) == (
        Operation.DECRYPT_MESSAGE,
        Validity.INVALID,
        None,
    )


CCM = """#  CAVS 11.0
#  "CCM-DVPT" information
#  AES Keylen: 128

[Alen = 0, Plen = 0, Nlen = 7, Tlen = 4]

Key = 4ae701103c63deca5b5a3939d7d05992

Count = 0
Nonce = 5a8aa485c316e9
Adata = 00
CT = 02209f55
Result = Pass
Payload = 00

Count = 1
Nonce = 3796cf51b87266
Adata = 00
CT = 9a04c241
Result = Fail
"""


def test_ccm_lengths_are_in_the_group_and_keys_hold_on(tmp_path):
    good, bad = read(tmp_path, CCM)
    assert (good.scheme, good.aad, good.data, good.expect_out) == ("aes-128-ccm", b"", b"", b"")
    assert (good.expect_tag, good.tag_bytes) == (bytes.fromhex("02209f55"), 4)
    assert (bad.result, bad.key) == (Validity.INVALID, good.key)


def test_xts_and_partial_bytes(tmp_path):
    head = "# XTSGen information\n\n[ENCRYPT]\n\nCOUNT = 1\n"
    body = (
        "DataUnitLen = {0}\nKey = "
        + "a1" * 32
        + "\n{1}\nPT = "
        + "00" * 17
        + "\nCT = "
        + "00" * 17
        + "\n"
    )
    (vector,) = read(tmp_path, head + body.format(136, "i = " + "4f" * 16))
    assert (vector.scheme, vector.nonce) == ("aes-128-xts", b"\x4f" * 16)
    (numbered,) = read(tmp_path, head + body.format(136, "DataUnitSeqNumber = 258"))
    assert numbered.nonce == b"\x02\x01" + bytes(14)
    (partial,) = read(tmp_path, head + body.format(130, "i = 00"))
    assert partial.not_applicable == "a data unit of 130 bits is not whole bytes"


@pytest.mark.parametrize(
    ("head", "answer", "scheme"),
    [
        ('"SHA-1 ShortMsg" information', "MD", "sha1"),
        ('"SHA-512/256 ShortMsg" information', "MD", "sha512-256"),
        ('"SHA-512 ShortMsg" information', "MD", "sha512"),
        ('"SHA3-256 ShortMsg" information', "MD", "sha3-256"),
        ('"SHAKE128 ShortMsg" information', "Output", "shake128"),
    ],
)
def test_hashes(tmp_path, head, answer, scheme):
    records = f"Len = 0\nMsg = 00\n{answer} = da39\n\nLen = 8\nMsg = 36\n{answer} = c1df\n"
    text = f"#  CAVS 11.0\n#  {head}\n\n[L = 20]\n\n{records}"
    empty, one = read(tmp_path, text)
    assert (empty.scheme, empty.operation, empty.data, empty.tag_bytes) == (
        scheme,
        Operation.DIGEST,
        b"",
        2,
    )
    assert one.data == b"\x36"


def test_messages_of_odd_bits_are_not_applicable(tmp_path):
    (vector,) = read(tmp_path, '# "SHA-1"\n\nLen = 5\nMsg = 98\nMD = 00\n')
    assert "5 bits" in vector.not_applicable


def test_other_modes_with_the_same_fields_are_told_apart(tmp_path):
    body = GCM.split("[Taglen = 128]")[1]
    (vector, _) = read(tmp_path, "# AES-128-GCM-SIV from elsewhere\n" + body)
    assert vector.not_applicable == "the catalog has no scheme 'aes-128-gcm-siv'"
    (vector, _) = read(tmp_path, body, "aes-128-gcm-siv.txt")
    assert vector.not_applicable == "the catalog has no scheme 'aes-128-gcm-siv'"


def test_a_file_may_begin_with_a_group(tmp_path):
    (vector,) = read(tmp_path, "[L = 20]\n\nLen = 0\nMsg = 00\nMD = 00\n", "sha1.txt")
    assert vector.scheme == "sha1"


def test_bits_that_are_not_bytes_are_not_applicable(tmp_path):
    text = (
        "# Permutation - KAT for CFB1, tdes_values\n\nCOUNT = 0\nKEYs = 00\nIV = 00\nPLAINTEXT = "
        "0\nCIPHERTEXT = 1\n"
    )
    (vector,) = read(tmp_path, text)
    assert "segments of one bit" in vector.not_applicable


def test_longer_shake_outputs_are_cut_to_the_size_of_the_scheme(tmp_path):
    (vector,) = read(tmp_path, f"# SHAKE128\n\nCOUNT = 0\nMsg = 00\nOutput = {'ab' * 40}\n")
    assert vector.expect_out == b"\xab" * 32


def test_monte_carlo_is_not_applicable(tmp_path):
    (vector,) = read(tmp_path, '#  "SHA-1 Monte"\n\nSeed = dd4d\n\nCOUNT = 0\nMD = 1101\n')
    assert "Monte Carlo" in vector.not_applicable


def test_hmac(tmp_path):
    text = (
        '#  "HMAC information"\n\n[L=32]\n\nCount = 0\nKlen = 2\nTlen = 4\nKey = aabb\nMsg = '
        "00\nMac = 01020304\n"
    )
    (vector,) = read(tmp_path, text)
    assert (vector.scheme, vector.key, vector.tag_bytes) == ("hmac-sha256", b"\xaa\xbb", 4)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (AES.replace("KEY = 1f", "KEY = zz"), "file.rsp:8", "is not hexadecimal"),
        (AES.replace("KEY = 1f8", "KEY = 1f"), "file.rsp:8", "is not hexadecimal"),
        (
            AES.replace("COUNT = 0\nKEY = 1f", "COUNT = 0\nCOUNT = 1\nKEY = 1f"),
            "file.rsp:9",
            "given twice",
        ),
        (AES + "\nwhat is this?\n", "file.rsp:22", "is not a line of a NIST response file"),
        (
            '# "SHA-1"\n\nLen = 16\nMsg = 36\nMD = 00\n',
            "file.rsp:3",
            "its length field says 16 bits",
        ),
        ('# "SHA-1"\n\nLen = two\nMsg = 36\nMD = 00\n', "file.rsp:3", "not a whole number"),
        (CCM.replace("CT = 02209f55", "CT = 02"), "file.rsp:9", "CT has 1 bytes, not 0 + 4"),
        ("only words\nand no values", "file.rsp", "format of this file is unknown"),
        ("", "file.rsp", "format of this file is unknown"),
        ("# x\n\nKEY = 00\n", "file.rsp", "contains no vector"),
    ],
)
def test_broken_files_say_where_and_what(tmp_path, text, where, what):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert where in (caught.value.where or "")
    assert what in caught.value.what


def test_the_published_files_are_read_whole():
    package = pytest.importorskip("cryptography_vectors")
    from pathlib import Path

    root = Path(package.__file__).parent
    for name, total, applicable in (
        ("ciphers/AES/CBC/CBCMMT128.rsp", 20, 20),
        ("ciphers/AES/CCM/DVPT128.rsp", 240, 240),
        ("ciphers/3DES/CBC/TCBCIMMT1.rsp", 20, 0),
        ("hashes/SHA2/SHA256ShortMsg.rsp", 65, 65),
        ("hashes/SHA2/SHA256Monte.rsp", 100, 0),
        ("hashes/SHAKE/SHAKE128VariableOut.rsp", 1126, 1126),
        ("HMAC/rfc-4231-sha512.txt", 6, 6),
    ):
        vectors = load(root / name)
        assert (len(vectors), sum(not vector.not_applicable for vector in vectors)) == (
            total,
            applicable,
        ), name
