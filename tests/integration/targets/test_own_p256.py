"""mote/p256 and mote/p256-small: beside OpenSSL and big integers, with special scalars and bad
input; its goals on boards.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.build import build, empty
from motebench.targets.firmware.sources import core_dir
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SPECIAL = [
    1,
    2,
    3,
    15,
    16,
    17,
    N - 1,
    N - 2,
    N - 3,
    N - 16,
    N - 17,
    N // 2,
    N // 2 + 1,
    2**255,
    2**128 - 1,
    2**224,
]
COMB = [
    (2**192 + b * 2**128 + c * 2**64 + a) << 16 * at
    for a in (1, -1)
    for b in (1, -1)
    for c in (1, -1)
    for at in range(4)
]
CURVE, DIGEST = ec.SECP256R1(), ec.ECDSA(utils.Prehashed(hashes.SHA256()))
ROUNDS = pytest.mark.parametrize("rounds", [60, pytest.param(12_500, marks=pytest.mark.long)])
"""A test takes twice as many scalars: 25,000 in `make test-all`, two to four operations each."""


@pytest.fixture(scope="module", params=["p256", "p256_small"])
def library(tmp_path_factory, request) -> ctypes.CDLL:
    """Both implementations, with the functions of the one that is asked under the same names."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler: tools/setup.sh")
    ciphers, mote = core_dir() / "ciphers", core_dir() / "mote"
    sources = [
        path for name in ("p256", "merkle_damgard") for path in sorted((ciphers / name).glob("*.c"))
    ]
    sources += [
        ciphers / "sha2" / "sha256.c",
        ciphers / "sha2" / "sha256_small.c",
        ciphers / "sha2" / "sha256_state.c",
        ciphers / "small_curves" / "numbers.c",
        ciphers / "small_curves" / "p256_small.c",
        mote / "hmac.c",
        mote / "secret.c",
    ]
    target = tmp_path_factory.mktemp("p256") / "p256.so"
    flags = ("-O1", "-std=c11", "-shared", "-fPIC", f"-I{core_dir() / 'include'}")
    subprocess.run(
        [compiler, *flags, *map(str, sources), "-o", str(target)], check=True, timeout=120
    )
    compiled = ctypes.CDLL(str(target))
    for name in ("keygen", "public_key", "agree", "sign", "sign_with", "verify"):
        setattr(compiled, f"mote_p256_{name}", getattr(compiled, f"mote_{request.param}_{name}"))
    return compiled


def number(value: int) -> bytes:
    return value.to_bytes(32, "big")


def point_of(key: int) -> bytes:
    numbers = ec.derive_private_key(key, CURVE).public_key().public_numbers()
    return b"\4" + number(numbers.x) + number(numbers.y)


def call(library, function: str, length: int, *given: bytes | int) -> bytes | None:
    """The output of a function of mote/p256.h, or None where it refuses its input."""
    out = ctypes.create_string_buffer(length)
    return out.raw if getattr(library, f"mote_p256_{function}")(out, *given) == 0 else None


def verified(library, point: bytes, digest: bytes, signature: bytes) -> bool:
    return library.mote_p256_verify(point, len(point), digest, signature) == 0


def scalars(draw: random.Random, count: int) -> list[int]:
    """Special ones, long runs of bits, and random ones."""
    runs = [
        sum((2 ** draw.randrange(90) - 1) << draw.randrange(166) for _ in range(3)) % N
        for _ in range(count)
    ]
    return [
        *SPECIAL,
        *(value or 1 for value in runs),
        *(draw.randrange(1, N) for _ in range(count)),
    ]


@ROUNDS
def test_public_keys_are_those_of_openssl(library, rounds):
    draw = random.Random(1)
    doubling = [N - 2 * value for value in COMB]  # the last addition adds a point to itself
    for key in (*scalars(draw, rounds), *(value % N for value in doubling)):
        point = point_of(key)
        assert call(library, "public_key", 65, number(key)) == point, hex(key)
        compressed = ctypes.create_string_buffer(33)
        library.mote_p256_compress(compressed, point)
        assert call(library, "decompress", 65, compressed.raw) == point
        assert (
            library.mote_p256_check(compressed.raw, 33) == library.mote_p256_check(point, 65) == 0
        )


@pytest.mark.parametrize("rounds", [60, pytest.param(50_000, marks=pytest.mark.long)])
def test_shared_secrets_are_those_of_openssl(library, rounds):
    draw = random.Random(2)
    for key in scalars(draw, rounds):
        peer = ec.generate_private_key(CURVE).public_key()
        numbers = peer.public_numbers()
        point = b"\4" + number(numbers.x) + number(numbers.y)
        secret = ec.derive_private_key(key, CURVE).exchange(ec.ECDH(), peer)
        assert call(library, "agree", 32, number(key), point, 65) == secret, hex(key)


@ROUNDS
def test_signatures_verify_on_both_sides(library, rounds):
    draw = random.Random(3)
    for key in scalars(draw, rounds):
        digest, public = draw.randbytes(32), ec.derive_private_key(key, CURVE).public_key()
        signature = call(library, "sign", 64, number(key), digest)
        r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
        public.verify(utils.encode_dss_signature(r, s), digest, DIGEST)
        theirs = utils.decode_dss_signature(ec.derive_private_key(key, CURVE).sign(digest, DIGEST))
        assert verified(library, point_of(key), digest, b"".join(map(number, theirs)))
        # High or low s: both are right
        assert verified(library, point_of(key), digest, number(r) + number(N - s))
        flipped = bytearray(signature)
        flipped[draw.randrange(64)] ^= 1 << draw.randrange(8)
        assert not verified(library, point_of(key), digest, bytes(flipped))


@ROUNDS
def test_a_given_nonce_gives_the_signature_of_the_standard(library, rounds):
    draw = random.Random(4)
    for nonce in scalars(draw, rounds):
        key, digest = (
            draw.randrange(1, N),
            draw.choice([bytes(32), b"\xff" * 32, draw.randbytes(32)]),
        )
        r = int.from_bytes(point_of(nonce)[1:33], "big") % N
        s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
        signature = call(library, "sign_with", 64, number(key), digest, number(nonce))
        assert signature == number(r) + number(s), hex(nonce)
        assert verified(library, point_of(key), digest, signature)


@ROUNDS
def test_sums_of_equal_and_of_opposite_points_are_right(library, rounds):
    """u G = v Q, where an addition doubles: right if r fits, and refused where the sum is the point
    at infinity.
    """
    draw = random.Random(5)
    for key in scalars(draw, rounds // 4):
        r, s = draw.randrange(1, N), draw.randrange(1, N)
        inverse = pow(s, -1, N)
        for digest in (r * key % N, -r * key % N):
            total = (digest * inverse + r * inverse * key) % N
            right = total != 0 and int.from_bytes(point_of(total)[1:33], "big") % N == r
            assert verified(library, point_of(key), number(digest), number(r) + number(s)) == right
    # And a signature that is right, of the base point and its neighbours
    for key in (
        1,
        N - 1,
        2,
        3,
    ):
        digest = number(draw.randrange(1, N))
        signature = call(library, "sign_with", 64, number(key), digest, number(2 * key % N))
        assert verified(library, point_of(key), digest, signature)


def test_private_keys_nonces_and_signatures_out_of_range_are_refused(library):
    point, digest = point_of(5), bytes(range(32))
    signature = call(library, "sign", 64, number(5), digest)
    for bad in map(number, (0, N, N + 1, 2**256 - 1)):
        assert call(library, "public_key", 65, bad) is None
        assert call(library, "keygen", 32, ctypes.create_string_buffer(65), bad) is None
        assert call(library, "agree", 32, bad, point, 65) is None
        assert call(library, "sign", 64, bad, digest) is None
        assert call(library, "sign_with", 64, number(5), digest, bad) is None
        assert not verified(library, point, digest, bad + signature[32:])
        assert not verified(library, point, digest, signature[:32] + bad)
    assert verified(library, point, digest, signature)


def test_points_that_are_none_are_refused(library):
    point = point_of(7)
    x, y = point[1:33], point[33:]
    small = next(
        value for value in range(1, 100) if call(library, "decompress", 65, b"\2" + number(value))
    )
    aside = next(
        value
        for value in range(1, 100)
        if not call(library, "decompress", 65, b"\2" + number(value))
    )
    lifted = call(library, "decompress", 65, b"\2" + number(small))
    bad = [
        b"",
        b"\0",
        point[:64],
        point + b"\0",
        b"\6" + x + y,
        b"\0" + x + y,
        b"\4" + y + x,
        bytes(65),
        b"\4" + number(P) + y,
        b"\4" + x + number(P),
        b"\4" + number(small + P) + lifted[33:],
        b"\4" + x + number(int.from_bytes(y, "big") ^ 1),
        b"\2" + number(aside),
        b"\2" + number(small + P),
        b"\3" + number(P),
        b"\4" + x,
        b"\2" + x + y,
    ]
    assert library.mote_p256_check(lifted, 65) == 0
    for given in bad:
        assert library.mote_p256_check(given, len(given)) != 0, given.hex()
        assert call(library, "agree", 32, number(7), given, len(given)) is None
        assert not verified(library, given, bytes(32), bytes(64))


def test_a_key_that_is_made_has_the_random_bytes_and_their_point(library):
    public, random_bytes = ctypes.create_string_buffer(65), random.Random(6).randbytes(32)
    assert call(library, "keygen", 32, public, random_bytes) == random_bytes
    assert public.raw == point_of(int.from_bytes(random_bytes, "big"))


BOARD = "cortex-m4-nows"
GOALS = {
    (BOARD, "ecdh-p256", "agree"): 906e3,
    (BOARD, "ecdh-p256", "keygen"): 327e3,
    (BOARD, "ecdsa-p256-sha256", "sign"): 375e3,
    (BOARD, "ecdsa-p256-sha256", "verify"): 950e3,
    ("cortex-m0-nows", "ecdh-p256", "agree"): 4.1e6,
    ("atmega2560", "ecdh-p256", "agree"): 20e6,
}
"""Cycles without wait states: those of P256-Cortex-M4 by Lenngren, and fewer for verification;
fewer than P256-cortex-ecdh by Lenngren on a Cortex-M0 (4.46 million); ours on AVR.
"""


@pytest.mark.parametrize(
    ("board", "scheme"), sorted({(board, scheme) for board, scheme, _ in GOALS})
)
def test_p256_keeps_to_its_goals(motebench, board, scheme):
    need_simulator(devices()[board])
    operations = [goal[2] for goal in GOALS if goal[:2] == (board, scheme)]
    done = motebench(
        "run",
        "--target",
        f"sim:{board}",
        "--implementation",
        "mote/p256",
        "--scheme",
        scheme,
        "--operation",
        ",".join(operations),
        "--json",
        "--budget",
        "60s",
    )
    assert done.code == 0 and done.json["failures"] == [], done.err
    rows = [row for row in done.json["measurements"] if row["metric"] == "cycles"]
    cycles = {
        operation: min(row["median"] for row in rows if row["operation"] == operation)
        for operation in operations
    }
    for operation, most in cycles.items():
        goal = GOALS[board, scheme, operation]
        assert 0.5 * goal < most < goal, operation


def cycles_of(
    implementation: str, board: str, scheme: str, operation: str, keys: list[int]
) -> set[int]:
    need_simulator(devices()[board])
    valid = next(
        vector for vector in vectors_for(scheme) if vector.operation is Operation(operation)
    )
    session = BoardSession(
        Simulation(devices()[board], BoardSettings()), OwnFirmware(implementation)
    )
    try:
        given = {"peer": valid.data} if operation == "agree" else {"data": valid.data}
        jobs = [Job(scheme, operation, number(key), **given) for key in keys]
        return {
            session.measure(job, batch=1, count=1, warm=0, timeout=300).counts[0] for job in jobs
        }
    finally:
        session.close()


OPERATIONS = pytest.mark.parametrize(
    ("scheme", "operation"), [("ecdh-p256", "agree"), ("ecdsa-p256-sha256", "sign")]
)


@pytest.mark.parametrize("board", [BOARD, "cortex-m0-nows", "cortex-m3-nows", "atmega2560"])
@OPERATIONS
def test_cycles_do_not_depend_on_special_keys(scheme, operation, board):
    keys = [*SPECIAL, *scalars(random.Random(8), 6)]
    cycles = cycles_of("mote/p256", board, scheme, operation, keys)
    assert len(cycles) == 1, cycles


@pytest.mark.parametrize("board", ["samd21g18a", "atmega2560"])
@OPERATIONS
def test_cycles_of_the_small_one_do_not_depend_on_special_keys(scheme, operation, board):
    cycles = cycles_of("mote/p256-small", board, scheme, operation, [1, N - 1, 2**128 - 1])
    assert len(cycles) == 1, cycles


def added_flash(board: str, implementation: str, scheme: str) -> int:
    """Bytes that an implementation adds to the probe, its adapter included."""
    device, asked = devices()[board], schemes()[scheme]
    return build(device, implementation, asked, "Os").flash - empty(device, asked, "Os").flash


@pytest.mark.parametrize(("board", "most"), [("samd21g18a", 3 * 1024), ("atmega2560", 5 * 1024)])
def test_the_small_one_keeps_to_its_flash(board, most):
    """SHA-256 does not count."""
    hashing = added_flash(board, "mote/sha-256-small", "sha256")
    assert added_flash(board, "mote/p256-small", "ecdh-p256") <= most
    assert added_flash(board, "mote/p256-small", "ecdsa-p256-sha256") - hashing <= most
