"""mote/ml-dsa: the ring against Python's integers on every core, and goals on a Cortex-M4."""

from __future__ import annotations

import pytest

from motebench.catalog.devices import devices
from motebench.targets.firmware.sources import core_dir
from tests.integration.conftest import need_simulator
from tests.support.number_transform import transformed
from tests.support.small_programs import MACHINES, built, run

Q, N = 8380417, 256
ZETAS = [pow(1753, int(f"{i:08b}"[::-1], 2), Q) for i in range(N)]
GOALS = {
    # pqm4's figures of its m4f (commit cc2c1b9): cycles of verification, bytes of stack
    "ml-dsa-44": (1_421_623, 8_912),
    "ml-dsa-65": (2_415_944, 9_888),
    "ml-dsa-87": (4_193_104, 12_060),
}
PROGRAM = """
#include "ring.h"

#define N MOTE_ML_DSA_N
#define SAMPLED MOTE_ML_DSA_SAMPLED
#define Q MOTE_ML_DSA_Q

/* Extremes in every other case. */
static int32_t value(int32_t most)
{
    const uint32_t kind = draw() & 3;
    if (kind < 2)
        return kind ? most : -most;
    return (int32_t)(draw() % (2 * (uint32_t)most + 1)) - most;
}

static void show(const int32_t *p)
{
    for (int i = 0; i < N; i++)
        printf("%ld ", (long)p[i]);
    printf("\\n");
}

static int32_t y[N], sum[N];
#if MOTE_ASSEMBLY_ARMV7EM
static int32_t other[N];
#endif
static union {
    uint32_t words[SAMPLED / 4];
    uint8_t bytes[SAMPLED];
} in;

/* Products with coefficients near q and 0, or drawn; those that are too large are left out. */
static void multiply(void)
{
    uint16_t n = 0;
    while (n < N) {
        for (int i = 0; i < SAMPLED; i += 3) {
            const uint32_t kind = draw() & 7;
            const uint32_t x = kind < 2 ? (uint32_t)Q - kind : kind == 2 ? 0 : draw();
            in.bytes[i] = (uint8_t)x;
            in.bytes[i + 1] = (uint8_t)(x >> 8);
            in.bytes[i + 2] = (uint8_t)(x >> 16);
            printf("%lu ", (unsigned long)x);
        }
        n = mote_ml_dsa_accumulate(sum, y, in.bytes, n);
    }
    printf("\\n");
}

int main(void)
{
    begin();
    for (long turn = 0; turn < CASES; turn++) {
        const int32_t most = turn & 1 ? INT32_C(1) << 19 : 1;
        for (int i = 0; i < N; i++)
            y[i] = value(most);
        show(y);
        mote_ml_dsa_ntt(y);
        show(y);
        memset(sum, 0, sizeof sum);
        for (int i = 0; i < 7; i++)
            multiply();
#if MOTE_ASSEMBLY_ARMV7EM
        for (int i = 0; i < N; i++)
            other[i] = value(Q);
        show(other);
        mote_ml_dsa_ntt(other);
        mote_ml_dsa_subtract_product(sum, y, other);
#endif
        mote_ml_dsa_ntt_inverse(sum);
        show(sum);
    }
    end();
    return 0;
}
"""


@pytest.mark.parametrize("cases", [6, pytest.param(1_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("core", ["host", "avr", *MACHINES])
def test_the_ring_agrees_with_integers(tmp_path, core, cases):
    code = core_dir() / "ciphers" / "ml-dsa"
    command = built(tmp_path, core, PROGRAM, code, ["ring.c"], cases)
    lines = iter([[int(word) for word in line.split()] for line in run(*command).splitlines()])
    for _ in range(cases):
        y = transformed(next(lines), ZETAS, Q)
        found = next(lines)
        assert [one % Q for one in found] == y
        assert max(map(abs, found)) <= 5 << 25
        products = [0] * N
        for _ in range(7):
            drawn = (word & 0x7FFFFF for word in next(lines))
            factors = [word for word in drawn if word < Q][:N]
            products = [s + x * one for s, x, one in zip(products, factors, y, strict=True)]
        if core == "cortex-m4":
            other = transformed(next(lines), ZETAS, Q)
            products = [s - x * one for s, x, one in zip(products, other, y, strict=True)]
        result = next(lines)
        assert transformed(result, ZETAS, Q) == [one % Q for one in products]
        assert max(map(abs, result)) <= 5 << 21
    assert next(lines, None) is None


@pytest.mark.parametrize("scheme", GOALS)
def test_verification_takes_less_than_the_best_published(motebench, scheme):
    need_simulator(devices()["cortex-m4-nows"])
    request = ["run", "--target", "sim:cortex-m4-nows", "--implementation", "mote/ml-dsa"]
    done = motebench(*request, "--scheme", scheme, "--json", "--budget", "60s")
    assert done.code == 0 and done.json["failures"] == [], done.err
    found = {row["metric"]: row["median"] for row in done.json["measurements"]}
    cycles, stack = GOALS[scheme]
    assert 0 < found["cycles"] < cycles
    assert 4096 < found["stack"] < stack
