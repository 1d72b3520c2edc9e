"""The part of DER (ITU-T X.690) that keys and signatures need: minimal writer, strict reader."""

from __future__ import annotations

_INTEGER, _BITS, _SEQUENCE = 0x02, 0x03, 0x30
# AlgorithmIdentifier {rsaEncryption, NULL}, RFC 8017 appendix C.
_RSA_ENCRYPTION = bytes.fromhex("300d06092a864886f70d0101010500")


def _element(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + content


def integer(value: int) -> bytes:
    """A non-negative INTEGER."""
    return _element(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def sequence(*parts: bytes) -> bytes:
    """A SEQUENCE of parts that are already DER."""
    return _element(_SEQUENCE, b"".join(parts))


def rsa_public(modulus: int, exponent: int) -> bytes:
    """RSAPublicKey (RFC 8017 A.1.1)."""
    return sequence(integer(modulus), integer(exponent))


def rsa_private(modulus: int, public: int, private: int, prime1: int, prime2: int) -> bytes:
    """RSAPrivateKey with two primes (RFC 8017 A.1.2)."""
    numbers = (0, modulus, public, private, prime1, prime2, private % (prime1 - 1), private % (prime2 - 1))
    return sequence(*map(integer, (*numbers, pow(prime2, -1, prime1))))


def ecdsa_signature(r: int, s: int) -> bytes:
    """ECDSA-Sig-Value (RFC 3279 section 2.2.3)."""
    return sequence(integer(r), integer(s))


def read(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """The content of the first element, and what follows it. ValueError unless it is DER with this tag."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("unexpected element")
    size, start = data[1], 2
    if size & 0x80:
        count = size & 0x7F
        start += count
        size = int.from_bytes(data[2:start], "big")
        if not 1 <= count <= 4 or len(data) < start or size < 0x80 or data[2] == 0:
            raise ValueError("the length is not DER")
    if len(data) < start + size:
        raise ValueError("the data end too early")
    return data[start : start + size], data[start + size :]


def read_integer(data: bytes) -> tuple[int, bytes]:
    """A non-negative INTEGER and what follows it. ValueError unless it is minimal."""
    content, rest = read(data, _INTEGER)
    if not content or content[0] & 0x80 or (len(content) > 1 and content[0] == 0 and not content[1] & 0x80):
        raise ValueError("the integer is not a minimal non-negative one")
    return int.from_bytes(content, "big"), rest


def read_rsa_public(data: bytes) -> tuple[int, int]:
    """Modulus and exponent of an RSAPublicKey. ValueError unless it is exactly that."""
    content, rest = read(data, _SEQUENCE)
    modulus, tail = read_integer(content)
    exponent, tail = read_integer(tail)
    if rest or tail:
        raise ValueError("extra data after the key")
    return modulus, exponent


def read_rsa_subject(data: bytes) -> tuple[int, int]:
    """Modulus and exponent of a SubjectPublicKeyInfo for rsaEncryption. ValueError unless it is exactly that."""
    content, rest = read(data, _SEQUENCE)
    if rest or not content.startswith(_RSA_ENCRYPTION):
        raise ValueError("not a SubjectPublicKeyInfo of rsaEncryption")
    bits, rest = read(content[len(_RSA_ENCRYPTION) :], _BITS)
    if rest or bits[:1] != b"\x00":
        raise ValueError("the key is not whole bytes")
    return read_rsa_public(bits[1:])


def rsa_private_to_public(data: bytes) -> bytes:
    """The RSAPublicKey within an RSAPrivateKey. ValueError unless it is one with two primes."""
    content, _ = read(data, _SEQUENCE)
    version, tail = read_integer(content)
    if version != 0:
        raise ValueError("not an RSAPrivateKey with two primes")
    modulus, tail = read_integer(tail)
    exponent, _ = read_integer(tail)
    return rsa_public(modulus, exponent)
