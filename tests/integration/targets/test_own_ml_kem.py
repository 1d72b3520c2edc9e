"""mote/ml-kem: ring and coding against Python's integers on every core; on simulated boards cycles
and stack within the goals, and firmware that does not fit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from motebench.base.model import Operation
from motebench.catalog.devices import devices
from motebench.catalog.vectors import vectors_for
from motebench.targets.board.board import BoardSession, OwnFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.firmware.sources import core_dir
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Job
from tests.integration.conftest import need_simulator
from tests.support.number_transform import transformed
from tests.support.small_programs import MACHINES, built, run

Q, N, R = 3329, 256, 1 << 16
ZETAS = [pow(17, int(f"{i:07b}"[::-1], 2), Q) for i in range(128)]

GOALS = {
    # million cycles of key generation, encapsulation and decapsulation of ML-KEM-512; bytes of
    # stack
    ("samd21g18a", "mote/ml-kem"): ((1.0, 1.1, 1.2), 3072),
    ("samd21g18a", "mote/ml-kem-small"): ((1.36, 1.61, 2.04), 2048),
    ("cortex-m4-nows", "mote/ml-kem"): ((0.392, 0.391, 0.5), 3072),
    ("atmega2560", "mote/ml-kem"): ((5.31, 7.41, 6.79), 2458),
    ("atmega2560", "mote/ml-kem-small"): ((5.31, 7.41, 6.79), 1600),
}


PROGRAM = """
#include "ml_kem_coding.h"

#define N MOTE_ML_KEM_N
#define FEW MOTE_ML_KEM_FEW

/* From -most to most, or from 0: extremes in every other case. */
static int16_t value(int16_t most, int least)
{
    const uint32_t kind = draw() & 7;
    if (kind < 2)
        return kind ? most : (int16_t)least;
    return (int16_t)(least + (int32_t)(draw() % (uint32_t)(most - least + 1)));
}

static void fill(int16_t *p, int16_t most, int least)
{
    for (int i = 0; i < N; i++)
        p[i] = value(most, least);
}

static void show(const int16_t *p, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d ", p[i]);
    printf("\\n");
}

static void show_bytes(const uint8_t *p, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d ", p[i]);
    printf("\\n");
}

static int16_t p[N + 2], b[N], a[N + 4];
static uint8_t bytes[400];

static void transforms(void)
{
    fill(p, 3329, -3329);
    show(p, N);
    mote_ml_kem_ntt(p);
    show(p, N);
    fill(p, 16000, -16000);
    show(p, N);
    mote_ml_kem_inverse(p);
    show(p, N);
}

static void products(void)
{
    fill(p, 10000, -10000);
    fill(b, 16645, -16645);
    fill(a, 3328, 0);
    show(p, N);
    show(b, N);
    show(a, N);
    for (int at = 0; at < N; at += FEW)
        mote_ml_kem_multiply_add(p, b, a + at, (uint16_t)at);
    show(p, N);
}

static void coding(uint8_t d, uint8_t eta, int16_t factor)
{
    fill(p, d > 10 ? 3328 : 6657, -3329);
    show(p, N);
    mote_ml_kem_put(bytes, NULL, p, d);
    show_bytes(bytes, 32 * d);
    const int same = mote_ml_kem_put(NULL, bytes, p, d);
    bytes[draw() % (32 * d)] ^= (uint8_t)(1u << (draw() & 7));
    printf("%d %d\\n", same, mote_ml_kem_put(NULL, bytes, p, d) != 0);
    show_bytes(bytes, 32 * d);
    mote_ml_kem_get(p, bytes, d);
    show(p, N);
    for (int i = 0; i < 400; i++)
        bytes[i] = (uint8_t)(draw() & 3 ? draw() : 255);
    show_bytes(bytes, 400);
    show(p, N);
    mote_ml_kem_add_noise(p, bytes, (uint8_t)(32 * eta), eta, factor);
    show(p, N);
    int16_t *to = p;
    (void)mote_ml_kem_sample(&to, p + N, bytes, bytes + 48);
    show(p, (int)(to - p));
    (void)mote_ml_kem_decode(a, bytes + 1);
    show(a, FEW);
}

int main(void)
{
    begin();
    for (long i = 0; i < CASES; i++) {
        transforms();
        products();
        coding(4, 2, 1);
        coding(5, 3, 1);
        coding(10, 2, MOTE_ML_KEM_R);
        coding(11, 3, MOTE_ML_KEM_R);
    }
    end();
    return 0;
}
"""


def congruent(found: list[int], expected: list[int], most: int) -> bool:
    return all(
        (one - other) % Q == 0 and abs(one) <= most
        for one, other in zip(found, expected, strict=True)
    )


def fields(data: list[int], bits: int) -> list[int]:
    number = int.from_bytes(bytes(data), "little")
    return [number >> at & (1 << bits) - 1 for at in range(0, 8 * len(data) - bits + 1, bits)]


def check_ring(lines: Iterator[list[int]]) -> None:
    before, after, products, plain = (next(lines) for _ in range(4))
    assert congruent(after, transformed(before, ZETAS, Q), 5 * Q)
    # The inverse gives R times the polynomial.
    assert congruent(transformed(plain, ZETAS, Q), [R * one for one in products], Q)
    assert max(map(abs, plain)) <= 1950
    start, b, a, total = (next(lines) for _ in range(4))
    for i in range(0, N, 2):
        root = ZETAS[64 + i // 4] * (-1 if i & 2 else 1)
        low = a[i] * b[i] + root * a[i + 1] * b[i + 1]
        high = a[i] * b[i + 1] + a[i + 1] * b[i]
        for found, first, product in (
            (total[i], start[i], low),
            (total[i + 1], start[i + 1], high),
        ):
            assert (R * (found - first) - product) % Q == 0 and abs(found - first) <= 3800


def check_coding(lines: Iterator[list[int]], d: int, eta: int, factor: int) -> None:
    p, coded, differs, changed, decoded, drawn, base, noisy, sampled, few = (
        next(lines) for _ in range(10)
    )
    assert fields(coded, d) == [(((x % Q) << d) + Q // 2) // Q % (1 << d) for x in p]
    assert differs == [0, 1]
    assert decoded == [(Q * x + (1 << (d - 1))) >> d for x in fields(changed, d)]
    bits = fields(drawn[: 32 * eta], 1)
    for i in range(len(bits) // (2 * eta)):
        at = 2 * eta * i
        noise = sum(bits[at : at + eta]) - sum(bits[at + eta : at + 2 * eta])
        assert (noisy[i] - base[i] - factor * noise) % (1 << 16) == 0
    assert noisy[len(bits) // (2 * eta) :] == base[len(bits) // (2 * eta) :]
    assert sampled == [x for x in fields(drawn[:48], 12) if x < Q]
    assert few == fields(drawn[1:], 12)[: len(few)]


@pytest.mark.parametrize("cases", [10, pytest.param(2_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("core", ["host", "avr", *MACHINES])
def test_ring_and_coding_agree_with_integers(tmp_path, core, cases):
    code = core_dir() / "ciphers" / "ml-kem"
    files = ["ml_kem_ring.c", "ml_kem_coding.c"]
    command = built(tmp_path, core, PROGRAM, code, files, cases)
    lines = iter([[int(word) for word in line.split()] for line in run(*command).splitlines()])
    for _ in range(cases):
        check_ring(lines)
        check_coding(lines, 4, 2, 1)
        check_coding(lines, 5, 3, 1)
        check_coding(lines, 10, 2, R % Q - Q)
        check_coding(lines, 11, 3, R % Q - Q)
    assert next(lines, None) is None


@pytest.mark.parametrize(("device", "implementation"), GOALS)
def test_ml_kem_512_keeps_to_its_goals(motebench, device, implementation):
    need_simulator(devices()[device])
    done = motebench(
        "run",
        "--target",
        f"sim:{device}",
        "--implementation",
        implementation,
        "--scheme",
        "ml-kem-512",
        "--operation",
        "keygen,encapsulate,decapsulate",
        "--json",
        "--budget",
        "60s",
    )
    assert done.code == 0 and done.json["failures"] == [], done.err
    found = {(row["metric"], row["operation"]): row["median"] for row in done.json["measurements"]}
    cycles, stack = GOALS[device, implementation]
    for operation, most in zip(("keygen", "encapsulate", "decapsulate"), cycles, strict=True):
        assert 0.3e6 < found["cycles", operation] < most * 1e6
        assert 1024 < found["stack", operation] < stack  # two polynomials, and more


def test_the_largest_keys_fit_beside_two_polynomials(motebench):
    need_simulator(devices()["atmega2560"])
    done = motebench(
        *(
            "verify",
            "--target",
            "sim:atmega2560",
            "--implementation",
            "mote/ml-kem-small",
            "--scheme",
            "ml-kem-1024",
        ),
        "--json",
    )
    (entry,) = done.json["implementations"]
    assert entry["passed"] > 0 and entry["failed"] == 0, done.json


def test_two_kibibytes_of_ram_are_too_few(motebench):
    need_simulator(devices()["atmega328p"])
    done = motebench(
        "run",
        "--target",
        "sim:atmega328p",
        "--implementation",
        "mote/ml-kem",
        "--scheme",
        "ml-kem-512",
        "--operation",
        "decapsulate",
        "--json",
        "--budget",
        "60s",
    )
    (failure,) = done.json["failures"]
    assert failure["kind"] == "too-big", failure


@pytest.mark.parametrize("device", ["samd21g18a", "cortex-m4-nows", "atmega2560"])
def test_cycles_do_not_depend_on_secrets_or_on_whether_the_ciphertext_is_right(device):
    need_simulator(devices()[device])
    draw = random.Random(1)
    valid = next(one for one in vectors_for("ml-kem-512") if one.operation is Operation.DECAPSULATE)
    jobs = [Job("ml-kem-512", "decapsulate", valid.key, ciphertext=valid.ciphertext)]
    for _ in range(4):
        # Another s, beside the same public key; and another z
        vector = [draw.randrange(3329) for _ in range(512)]
        bits = sum(value << 12 * i for i, value in enumerate(vector)).to_bytes(768, "little")
        key = bits + valid.key[768:-32] + draw.randbytes(32)
        jobs.append(Job("ml-kem-512", "decapsulate", key, ciphertext=valid.ciphertext))
        jobs.append(Job("ml-kem-512", "decapsulate", valid.key, ciphertext=draw.randbytes(768)))
    session = BoardSession(
        Simulation(devices()[device], BoardSettings()), OwnFirmware("mote/ml-kem")
    )
    try:
        took = {
            session.measure(job, batch=1, count=1, warm=0, timeout=60).counts[0] for job in jobs
        }
    finally:
        session.close()
    assert len(took) == 1, took
