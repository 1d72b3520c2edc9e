"""mote/ed25519 and mote/ed25519-small: beside OpenSSL and big integers, with special points and bad
input; their goals."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import random
import shutil
import subprocess

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.measuring.verify import AnswerVerdict, check
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.build import build, empty
from motebench.targets.firmware.sources import core_dir
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1)
GOALS = {
    # million cycles, to sign and to verify; docs/reference/ciphers.md has published figures
    "cortex-m4-nows": (0.50, 0.85),
    "cortex-m3-nows": (1.35, 3.2),
    "cortex-m0-nows": (1.5, 3.4),
    "atmega2560": (6.5, 14.0),
}
SMALL_FLASH = {"samd21g18a": 3 * 1024, "atmega2560": 5 * 1024}
"""Bytes that mote/ed25519-small may add to the probe, its adapter included, SHA-512 not."""

Point = tuple[int, int]


def add(a: Point, b: Point) -> Point:
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P)
    return x % P, y % P


def times(factor: int, point: Point) -> Point:
    total = NEUTRAL
    for bit in bin(factor)[2:]:
        total = add(total, total)
        total = add(total, point) if bit == "1" else total
    return total


def lifted(y: int, odd: int) -> Point | None:
    """Point with that y and sign; None if the curve has none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if x * x % P != square or (x == 0 and odd):
        return None
    return (x if x % 2 == odd else P - x), y


def encoded(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def little(number: int, length: int = 32) -> bytes:
    return number.to_bytes(length, "little")


BASE = lifted(4 * pow(5, -1, P) % P, 0)
EIGHTH = next(
    point
    for point in (times(L, lifted(y, 0)) for y in range(2, 100) if lifted(y, 0))
    if times(4, point) != NEUTRAL
)
"""A point of order 8."""
TORSION = [times(factor, EIGHTH) for factor in range(8)]


@pytest.fixture(scope="module", params=["ed25519", "ed25519_small"])
def library(tmp_path_factory, request) -> ctypes.CDLL:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler: tools/setup.sh")
    ciphers = core_dir() / "ciphers"
    names = ("curve25519", "ed25519", "merkle_damgard", "small_curves")
    sources = [path for name in names for path in sorted((ciphers / name).glob("*.c"))]
    sources = [path for path in sources if path.name != "p256_small.c"]
    sources += [ciphers / "sha2" / "sha512.c", core_dir() / "mote" / "secret.c"]
    target = tmp_path_factory.mktemp("ed25519") / "ed25519.so"
    flags = (
        "-O1",
        "-std=c11",
        "-shared",
        "-fPIC",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
    )
    include = f"-I{core_dir() / 'include'}"
    subprocess.run(
        [compiler, *flags, include, *map(str, sources), "-o", str(target)], check=True, timeout=120
    )
    compiled = ctypes.CDLL(str(target))
    for name in ("expand", "sign", "verify"):
        setattr(compiled, f"mote_ed25519_{name}", getattr(compiled, f"mote_{request.param}_{name}"))
    return compiled


def signed(library, key: bytes, message: bytes) -> tuple[bytes, bytes]:
    """The public key, and the signature."""
    signer, signature = ctypes.create_string_buffer(96), ctypes.create_string_buffer(64)
    library.mote_ed25519_expand(signer, key)
    library.mote_ed25519_sign(signature, signer, message, len(message))
    return signer.raw[64:], signature.raw


def verified(library, public: bytes, message: bytes, signature: bytes) -> bool:
    return library.mote_ed25519_verify(signature, public, message, len(message)) == 0


def openssl_accepts(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize("rounds", [60, pytest.param(25_000, marks=pytest.mark.long)])
def test_keys_and_signatures_are_those_of_openssl(library, rounds):
    draw = random.Random(8032)
    assert rounds > 0
    for _ in range(rounds):
        key, message = draw.randbytes(32), draw.randbytes(draw.randrange(300))
        theirs = Ed25519PrivateKey.from_private_bytes(key)
        public, signature = signed(library, key, message)
        assert public == theirs.public_key().public_bytes_raw(), key.hex()
        assert signature == theirs.sign(message), (key.hex(), message.hex())
        assert verified(library, public, message, signature)
        flipped = bytearray(signature + public + message)
        flipped[draw.randrange(len(flipped))] ^= 1 << draw.randrange(8)
        wrong = bytes(flipped)
        assert not verified(library, wrong[64:96], wrong[96:], wrong[:64]), wrong.hex()


def challenge(r: bytes, a: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


@pytest.mark.parametrize("rounds", [6, pytest.param(500, marks=pytest.mark.long)])
def test_the_equation_is_the_one_without_the_factor_8(library, rounds):
    """Keys and R with a part of small order: S B = R + k A decides, as it does for OpenSSL."""
    draw = random.Random(2)
    verdicts = set()
    for turn in range(rounds):
        secret, nonce, message = draw.randrange(L), draw.randrange(L), draw.randbytes(20)
        for with_key, with_r in (
            (turn % 8, 0),
            (0, turn % 8),
            (4, 4),
            (draw.randrange(8), draw.randrange(8)),
        ):
            key = add(times(secret, BASE), TORSION[with_key])
            r = add(times(nonce, BASE), TORSION[with_r])
            k = challenge(encoded(r), encoded(key), message)
            holds = add(TORSION[with_r], times(k, TORSION[with_key])) == NEUTRAL
            signature = encoded(r) + little((nonce + k * secret) % L)
            assert verified(library, encoded(key), message, signature) == holds
            assert openssl_accepts(encoded(key), message, signature) == holds
            verdicts.add(holds)
    assert verdicts == {True, False}


def test_keys_and_r_of_small_order_are_points_like_others(library):
    message = b"small"
    verdicts = []
    for key in TORSION:
        for r in TORSION:
            k = challenge(encoded(r), encoded(key), message)
            holds = add(r, times(k, key)) == NEUTRAL
            assert verified(library, encoded(key), message, encoded(r) + bytes(32)) == holds
            verdicts.append(holds)
    assert set(verdicts) == {True, False}


def test_s_from_the_order_on_is_refused(library):
    public, signature = signed(library, bytes(32), b"order")
    s = int.from_bytes(signature[32:], "little")
    assert verified(library, public, b"order", signature)
    for more in (L, 2 * L, 8 * L, 14 * L):
        assert not verified(library, public, b"order", signature[:32] + little(s + more))
    for s_of_nothing, holds in ((0, True), (L, False), (L - 1, False), (2**256 - 1, False)):
        assert (
            verified(library, encoded(NEUTRAL), b"", encoded(NEUTRAL) + little(s_of_nothing))
            == holds
        )


def test_other_encodings_of_points_are_refused(library):
    """y from p on; a sign where x is 0; a y of no point: as key and as R, in a right equation."""
    sign = 2**255
    one, minus_one = little(1), little(P - 1)
    none = next(y for y in range(2, 100) if lifted(y, 0) is None)
    assert verified(library, one, b"", one + bytes(32))
    for wrong in (
        1 + P,
        1 + sign,
        1 + P + sign,
        P - 1 + sign,
        none,
        none + sign,
        2**256 - 1,
        2**255 - 1,
    ):
        assert not verified(library, little(wrong), b"", one + bytes(32)), hex(wrong)
        assert not verified(library, one, b"", little(wrong) + bytes(32)), hex(wrong)
    message = next(
        bytes([value]) for value in range(99) if challenge(minus_one, minus_one, bytes([value])) % 2
    )
    assert verified(library, minus_one, message, minus_one + bytes(32))
    # y = p is y = 0, of order 4; and of all y that fit twice, only the lower one is an encoding.
    for y in range(19):
        for odd in (0, 1):
            point = lifted(y, odd)
            if point is not None:
                assert not verified(library, little(y + P + odd * sign), b"", one + bytes(32))


def scalar(library, function: str, *given: bytes) -> int:
    out = ctypes.create_string_buffer(32)
    getattr(library, f"mote_ed25519_scalar_{function}")(out, *given)
    return int.from_bytes(out.raw, "little")


def numbers(draw: random.Random, count: int, bits: int) -> list[int]:
    """Special ones, long runs of bits, and random ones."""
    special = [
        0,
        1,
        L - 1,
        L,
        L + 1,
        2 * L - 1,
        2 * L,
        15 * L + 7,
        2**252,
        2**252 - 1,
        2**256 - 1,
        2**255,
        2**bits - 1,
    ]
    runs = [(2 ** draw.randrange(bits) - 1) << draw.randrange(bits) for _ in range(count)]
    near = [
        (L * draw.randrange(2 ** (bits - 252)) + draw.randrange(-2, 3)) % 2**bits
        for _ in range(count)
    ]
    return [
        number % 2**bits
        for number in (*special, *runs, *near, *(draw.randrange(2**bits) for _ in range(count)))
    ]


@pytest.mark.parametrize("count", [100, pytest.param(30_000, marks=pytest.mark.long)])
def test_scalars_agree_with_integers(library, count):
    draw = random.Random(3)
    for number in numbers(draw, count, 512):
        assert scalar(library, "reduce", little(number, 64)) == number % L, hex(number)
    for a in numbers(draw, count, 256):
        b, c = (draw.choice(numbers(draw, 1, 256)) for _ in range(2))
        assert scalar(library, "multiply_add", *map(little, (a, b, c))) == (a * b + c) % L, (
            a,
            b,
            c,
        )
        canonical = library.mote_ed25519_scalar_is_canonical(little(a)) & 0xFF
        assert canonical == (a < L), hex(a)
        odd = ctypes.create_string_buffer(little(a % 2**255), 32)
        library.mote_ed25519_scalar_make_odd(odd)
        assert int.from_bytes(odd.raw, "little") == a % 2**255 + (0 if a % 2 else L)


def halved(library, k: int) -> tuple[int, int]:
    c, d = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    negative = ctypes.c_bool()
    library.mote_ed25519_scalar_halve(c, d, ctypes.byref(negative), little(k))
    size = int.from_bytes(d.raw, "little")
    return int.from_bytes(c.raw, "little"), -size if negative.value else size


@pytest.mark.parametrize("count", [300, pytest.param(100_000, marks=pytest.mark.long)])
def test_k_is_a_quotient_of_two_halves(library, count):
    draw = random.Random(4)
    for k in (0, 1, 2, 3, 4, 8, 2**252, 2**127, *(draw.randrange(L) for _ in range(count))):
        c, d = halved(library, k)
        assert (c - d * k) % (8 * L) == 0 and d % 2 == 1, k
        assert c < 2**127 and abs(d) < 2**160, k


def test_a_k_without_halves_is_taken_whole(library):
    """8 = 2 m k modulo 8 L: the only short vector of the lattice has an even second number."""
    draw = random.Random(5)
    wholes = 0
    for k in (L - 1, L - 2):
        assert halved(library, k) == (k, 1)
    while wholes < 10:
        m = draw.randrange(2**124, 2**125) | 1
        k = 4 * (L + 1) * pow(m, -1, 8 * L) % (8 * L)
        if k < L:
            c, d = halved(library, k)
            assert (c, d) == (k, 1)
            wholes += 1


def test_digits_are_those_of_the_number(library):
    draw = random.Random(6)
    for length, width in ((254, 5), (129, 5), (162, 5)):
        digits = (ctypes.c_int8 * length)()
        for number in (
            0,
            1,
            2 ** (length - 1) - 1,
            *(draw.randrange(2 ** (length - 1)) for _ in range(200)),
        ):
            library.mote_ed25519_scalar_digits(digits, length, little(number), width)
            assert sum(digit << place for place, digit in enumerate(digits)) == number
            places = [place for place, digit in enumerate(digits) if digit]
            assert all(
                digits[place] % 2 == 1 and abs(digits[place]) < 2 ** (width - 1) for place in places
            )
            assert all(later - place >= width for place, later in itertools.pairwise(places))


BOARDS = pytest.mark.parametrize("device", GOALS)


def opened(device: str, implementation: str = "mote/ed25519") -> BoardSession:
    need_simulator(devices()[device])
    return BoardSession(Simulation(devices()[device], BoardSettings()), OwnFirmware(implementation))


@pytest.mark.parametrize(
    ("device", "implementation"),
    [
        *((device, "mote/ed25519") for device in GOALS),
        *((device, "mote/ed25519-small") for device in SMALL_FLASH),
    ],
)
def test_boards_give_the_known_answers(device, implementation):
    vectors = vectors_for("ed25519")
    session = opened(device, implementation)
    try:
        outcomes = check(session, "ed25519", vectors)
    finally:
        session.close()
    assert [outcome.verdict for outcome in outcomes] == [AnswerVerdict.PASSED] * len(vectors)


@BOARDS
def test_cycles_keep_to_the_goals_and_depend_on_no_secret(device):
    draw = random.Random(8)
    keys = [
        draw.randbytes(32),
        bytes(32),
        b"\xff" * 32,
        little(1),
        little(L - 1),
        little(L),
        little(2**255 - 2**127),
    ]
    message, to_sign, to_verify = bytes(range(32)), *GOALS[device]
    public = Ed25519PrivateKey.from_private_bytes(keys[0]).public_key().public_bytes_raw()
    signature = Ed25519PrivateKey.from_private_bytes(keys[0]).sign(message)
    session = opened(device)

    def cycles(job: Job) -> int:
        return session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0]

    try:
        signing = {cycles(Job("ed25519", "sign", key, data=message)) for key in keys}
        making = {cycles(Job("ed25519", "keygen", seed=key)) for key in keys}
        verifying = cycles(Job("ed25519", "verify", public, data=message, signature=signature))
    finally:
        session.close()
    assert len(signing) == len(making) == 1, (signing, making)
    assert 0.3 * to_sign < signing.pop() / 1e6 < to_sign
    assert 0.5 * to_verify < verifying / 1e6 < to_verify


@pytest.mark.parametrize("device", SMALL_FLASH)
def test_the_small_one_keeps_to_its_flash_and_its_cycles_depend_on_no_secret(device):
    board, scheme, hashing = devices()[device], schemes()["ed25519"], schemes()["sha512"]
    own = build(board, "mote/ed25519-small", scheme, "Os").flash
    sha512 = build(board, "mote/sha-512", hashing, "Os").flash
    added = own - empty(board, scheme, "Os").flash
    assert added - (sha512 - empty(board, hashing, "Os").flash) <= SMALL_FLASH[device]
    message = bytes(range(32))
    session = opened(device, "mote/ed25519-small")
    try:
        took = {
            session.measure(
                Job("ed25519", "sign", key, data=message), batch=1, count=1, warm=0, timeout=60
            ).counts[0]
            for key in (b"\xff" * 32, little(L - 1), random.Random(9).randbytes(32))
        }
    finally:
        session.close()
    assert len(took) == 1
