"""Result documents made up for tests: plausible numbers, no measurement behind them."""

from __future__ import annotations

import random
import statistics
from typing import Any

from motebench.base.units import metric

SIZES = (16, 256, 1024, 8192, 16384, 1048576)
_BULK = {  # scheme: (set-up ns, ns per byte encrypting, ns per byte decrypting)
    "aes-128-cbc": (70.0, 0.85, 0.14),
    "aes-256-gcm": (210.0, 0.22, 0.23),
    "chacha20-poly1305": (240.0, 0.52, 0.54),
    "3des-cbc": (110.0, 34.0, 34.5),
    "rc4-128": (40.0, 2.4, 2.4),
}
_SLOWER = {"openssl": 1.0, "libgcrypt": 1.3}
_RSA = {"sign": 610_000.0, "verify": 18_500.0, "keygen": 71_000_000.0}


def _quantile(values: list[float], q: float) -> float:
    place = q * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def measurement(
    case: dict[str, Any],
    name: str,
    values: list[float],
    *,
    evidence: str = "measured",
    source: str = "CLOCK_MONOTONIC_RAW",
) -> dict[str, Any]:
    """One measurement of the document, its statistics computed from ``values``."""
    ordered, n, known = sorted(values), len(values), metric(name)
    q1, q3 = _quantile(ordered, 0.25), _quantile(ordered, 0.75)
    fence = 1.5 * (q3 - q1)
    width = int(n**0.5)
    return {
        **case,
        "metric": name,
        "unit": known.unit,
        "evidence": evidence,
        "source": source,
        "better": known.better.value,
        "n": n,
        "median": statistics.median(ordered),
        "ci_low": ordered[n // 2 - width] if n >= 6 else None,
        "ci_high": ordered[min(n - 1, n // 2 + width)] if n >= 6 else None,
        "confidence": 0.95 if n >= 6 else None,
        "interval": "median",
        "mean": statistics.fmean(ordered),
        "variance": statistics.variance(ordered) if n > 1 else None,
        "stddev": statistics.stdev(ordered) if n > 1 else None,
        "min": ordered[0],
        "max": ordered[-1],
        "outliers": sum(value < q1 - fence or value > q3 + fence for value in ordered),
        "effective_n": float(n),
        "lag1": None,
        "halves": None,
        "disturbed": 0,
        "quotable": True,
        "notes": [],
        "values": values,
        "rounds": list(range(len(values))),
    }


def case(
    scheme: str, implementation: str, operation: str, size: int, **more: Any
) -> dict[str, Any]:
    """The keys of a measurement that name its case."""
    return {
        "scheme": scheme,
        "implementation": implementation,
        "target": "host",
        "operation": operation,
        "input_bytes": size,
        **more,
    }


def _noisy(rng: random.Random, value: float, n: int, spread: float = 0.004) -> list[float]:
    return [
        value * (1 + abs(rng.gauss(0, spread)) + (rng.random() < 0.04) * rng.uniform(0.03, 0.09))
        for _ in range(n)
    ]


def _timed(rng: random.Random, where: dict[str, Any], value: float, n: int) -> list[dict[str, Any]]:
    times = _noisy(rng, value, n)
    out = [measurement(where, "time", times)]
    if where["input_bytes"]:
        out.append(
            measurement(where, "throughput", [where["input_bytes"] / t * 1e9 for t in times])
        )
    out.append(
        measurement(where, "cycles", [t * 2.6 for t in times], source="perf_event:cpu-cycles:u")
    )
    cpu = [t * rng.uniform(0.985, 1.0) for t in times]
    out.append(measurement(where, "cpu_time", cpu, source="CLOCK_THREAD_CPUTIME_ID"))
    out.append(
        measurement(
            where, "cpu_load", [c / t for c, t in zip(cpu, times, strict=True)], source="derived"
        )
    )
    return out


def _memory(rng: random.Random, where: dict[str, Any]) -> list[dict[str, Any]]:
    floor = [float(4096 * rng.randint(1180, 1230)) for _ in range(5)]
    net = [float(4096 * rng.randint(20, 26)) + where["input_bytes"] * 2 for _ in range(5)]
    peak = [a + b for a, b in zip(floor, net, strict=True)]
    names = (("peak_rss", peak), ("peak_rss_floor", floor), ("peak_rss_net", net))
    return [measurement(where, name, values, source="getrusage") for name, values in names]


def _whole_files(rng: random.Random) -> list[dict[str, Any]]:
    size, path, out = 100_000_000, "/data/input-100MB.bin", []
    jobs = [("copy-file", "copy", "copy", 61e6, 4e6, 38e6)]
    for scheme, user in (("aes-128-cbc", 88e6), ("aes-256-gcm", 27e6), ("3des-cbc", 3400e6)):
        for implementation, factor in _SLOWER.items():
            jobs.append(
                ("encrypt-file", scheme, implementation, user * factor + 66e6, user * factor, 41e6)
            )
    for operation, scheme, implementation, elapsed, user, system in jobs:
        where = case(scheme, implementation, operation, size, file=path)
        times = _noisy(rng, elapsed, 9, 0.02)
        parts = {
            "user_time": _noisy(rng, user, 9, 0.01),
            "system_time": _noisy(rng, system, 9, 0.02),
        }
        cpu = [a + b for a, b in zip(parts["user_time"], parts["system_time"], strict=True)]
        out.append(measurement(where, "time", times))
        out.append(measurement(where, "throughput", [size / t * 1e9 for t in times]))
        out += [
            measurement(where, name, values, source="getrusage") for name, values in parts.items()
        ]
        out.append(measurement(where, "cpu_time", cpu, source="getrusage"))
        out.append(
            measurement(
                where,
                "cpu_load",
                [c / t for c, t in zip(cpu, times, strict=True)],
                source="derived",
            )
        )
    return out


def environment() -> dict[str, Any]:
    """A machine that deserves two warnings: it is virtual, and its clock follows the load."""
    probe = {
        "compiler": "gcc 12.2.0",
        "flags": "-O2 -std=c11",
        "arch": "x86_64",
        "clock": {
            "name": "CLOCK_MONOTONIC_RAW",
            "hz": 1_000_000_000,
            "resolution": 1,
            "overhead": 21.5,
        },
        "counter": {"name": "tsc", "hz": 2_600_000_000, "resolution": 1, "overhead": 18.0},
    }
    return {
        "host": {
            "cpu_model": "Intel(R) Xeon(R) Gold 6240 @ 2.60GHz",
            "board": None,
            "cores": 2,
            "microcode": "0x5003604",
            "governor": "powersave",
            "frequency_limits": {"min": 1_200_000, "max": 3_900_000},
            "frequency_now": 2_600_000,
            "virtualization": "kvm",
            "container": "none",
            "kernel": "Linux 6.1.0-28-amd64",
            "os": "Debian GNU/Linux 12 (bookworm)",
            "libc": "glibc 2.36",
            "load": [0.31, 0.22, 0.18],
            "memory_bytes": 8 * 2**30,
        },
        "probes": {
            "openssl": {**probe, "version": "OpenSSL 3.0.17 1 Jul 2025"},
            "libgcrypt": {**probe, "version": "libgcrypt 1.10.1"},
        },
    }


def failures() -> list[dict[str, Any]]:
    """One failure of each of three kinds."""
    rows = (
        ("rc4-128", "libgcrypt", "encrypt", 16, "unsupported", "not offered in FIPS mode", None),
        (
            "blowfish-cbc",
            "openssl",
            "encrypt",
            256,
            "crash",
            "the probe ended with signal 11 (SIGSEGV)",
            None,
        ),
        (
            "aes-256-ccm",
            "libgcrypt",
            "encrypt",
            64,
            "wrong-answer",
            "tag differs from the known answer",
            "sp800-38c #2",
        ),
    )
    return [
        {**case(scheme, who, what, size), "kind": kind, "message": text, "vector": vector}
        for scheme, who, what, size, kind, text, vector in rows
    ]


def document(
    measurements: list[dict[str, Any]], failed: list[dict[str, Any]] | None = None, **run: Any
) -> dict[str, Any]:
    """A result document around these measurements."""
    return {
        "schema": "motebench-result-1",
        "run": {
            "id": 7,
            "name": "quickstart-7",
            "study": "quickstart",
            "study_text": "",
            "started": "2026-03-04T09:12:31Z",
            "finished": "2026-03-04T09:13:24Z",
            "status": "finished",
            "version": "0.1.0",
            "seed": 20260304,
            "settings": {
                "precision": 0.01,
                "budget": 60.0,
                "confidence": 0.95,
                "study_text": (
                    "name = 'quickstart'\n\n[[measure]]\nschemes = ['aes-128-cbc']\nsizes = [16, "
                    "'1 KiB']\n"
                ),
            },
            "notes": [],
            "cases": {"finished": len(measurements), "failed": len(failed or ()), "pending": 0},
            **run,
        },
        "environment": environment(),
        "measurements": measurements,
        "failures": failed or [],
    }


def sample_document(seed: int = 1, n: int = 24) -> dict[str, Any]:
    """A run as the quickstart study gives it: two implementations, three kinds of schemes, whole
    files, failures.
    """
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for who, factor in _SLOWER.items():
        for scheme, (setup, encrypt, decrypt) in _BULK.items():
            if scheme == "rc4-128" and who == "libgcrypt":
                continue
            for size in SIZES:
                per_byte = {"encrypt": encrypt, "decrypt": decrypt}
                if scheme in ("aes-256-gcm", "chacha20-poly1305"):
                    per_byte["encrypt-message"] = encrypt
                for operation, each in per_byte.items():
                    extra = setup * (3 if operation == "encrypt-message" else 1)
                    where = case(scheme, who, operation, size)
                    rows += _timed(
                        rng, where, (extra + each * size) * (factor if size < 10**5 else 1.001), n
                    )
                    if operation == "encrypt" and size in (16384, 1048576):
                        rows += _memory(rng, where)
        for size in SIZES:
            rows += _timed(rng, case("sha256", who, "digest", size), (190 + 2.1 * size) * factor, n)
        rows += _timed(rng, case("aes-128-cbc", who, "key-setup", 0), 95.0 * factor, n)
        for operation, ns in _RSA.items():
            size = 0 if operation == "keygen" else 32
            few = 5 if operation == "keygen" else n
            rows += _timed(rng, case("rsa-2048-pss-sha256", who, operation, size), ns * factor, few)
            rows += _timed(
                rng,
                case("ed25519", who, operation, size),
                {"verify": 118e3}.get(operation, 41e3) * factor,
                few,
            )
        rows += _timed(rng, case("x25519", who, "agree", 0), 39_000 * factor, n)
    return document(rows + _whole_files(rng), failures())


def _warming(
    rng: random.Random, where: dict[str, Any], steady: float, first: float, n: int
) -> list[dict[str, Any]]:
    """A compiler at work: 40 slow batches, 20 faster ones, 40 as fast as the samples."""
    speeds = [first] * 40 + [first**0.4] * 20 + [1.0] * 40
    batches = [steady * speed * rng.uniform(0.995, 1.005) for speed in speeds]
    return [measurement(where, "warmup_time", batches), *_timed(rng, where, steady, n)]


def _with_floor(rng: random.Random) -> list[dict[str, Any]]:
    """Whole processes: each beside an empty file, all beside the copy."""
    out, there = [], {"target": "command"}
    for scheme, elapsed in (("aes-128-cbc", 71e6), ("sha256", 58e6)):
        operation = "digest-file" if scheme == "sha256" else "encrypt-file"
        for size, path, time, peak in (
            (20_000_000, "data.bin", elapsed, 6.1),
            (0, "empty", 9e6, 5.8),
        ):
            where = case(scheme, "openssl-cli", operation, size, file=path, **there)
            out.append(measurement(where, "time", _noisy(rng, time, 9, 0.02)))
            out.append(
                measurement(where, "cpu_time", _noisy(rng, time * 0.6, 9, 0.02), source="wait4")
            )
            out.append(
                measurement(
                    where, "peak_rss", _noisy(rng, peak * 2**20, 9, 0.001), source="ru_maxrss"
                )
            )
    where = case("copy", "copy", "copy-file", 20_000_000, file="data.bin", **there)
    out.append(measurement(where, "time", _noisy(rng, 33e6, 9, 0.02)))
    return [*out, measurement(where, "cpu_time", _noisy(rng, 11e6, 9, 0.02), source="wait4")]


def variants_document(n: int = 24) -> dict[str, Any]:
    """One library with and without instructions, another behind a just-in-time compiler, commands
    on whole files.
    """
    rng = random.Random(11)
    rows: list[dict[str, Any]] = []
    slower = {"openssl": (1.0, 1.0), "openssl@no-aes": (5.0, 1.0), "openssl@baseline": (9.0, 4.0)}
    for who, (cipher, digest) in slower.items():
        for size in (64, 16384):
            rows += _timed(
                rng, case("aes-128-cbc", who, "encrypt", size), (70 + 0.85 * size) * cipher, n
            )
            rows += _timed(rng, case("sha256", who, "digest", size), (190 + 0.6 * size) * digest, n)
    for size in (64, 16384):
        where = case("aes-128-cbc", "sunjce", "encrypt", size)
        rows += _warming(rng, where, 90 + 0.9 * size, 90.0 if size == 64 else 12.0, n)
        rows += [measurement(where, "allocated", [0.0] * 5, source="getThreadAllocatedBytes")]
        rows += [measurement(where, "heap", [9e6, 9.1e6, 9.2e6], source="MemoryMXBean")]
    where = case("sha256", "sunjce", "digest", 64)
    unsteady = _warming(rng, where, 240.0, 30.0, n)
    for row in unsteady:
        row["notes"] = ["no steady state within 5 s of warm-up"]
    made = document(rows + unsteady + _with_floor(rng), study="variants")
    probe = made["environment"]["probes"].pop("libgcrypt")
    caps = (
        "0xfffa3203078bffff:0x405fc6f1bf07ab",
        "0xfdfa3201078bffff:0x4059c6f1bf07ab",
        "0x78bffff:0x0",
    )
    made["environment"]["probes"] = {
        who: {
            **probe,
            "version": "OpenSSL 3.0.17 1 Jul 2025",
            "cpu_features": f"OPENSSL_ia32cap={cap}",
        }
        for who, cap in zip(slower, caps, strict=True)
    } | {
        "sunjce": {**probe, "version": "SunJCE 17.0.15", "cpu_features": "UseAES=true UseSHA=true"}
    }
    return made


HOSTILE = (
    "</script><img src=x onerror=\"document.title='owned'\"><!--<script>alert(1)</script>{{7*7}}"
)


def hostile_document() -> dict[str, Any]:
    """Every text that comes from outside tries to become markup."""
    rng = random.Random(3)
    where = {**case(HOSTILE, HOSTILE, HOSTILE, 64), "target": HOSTILE}
    usual = case(HOSTILE, "openssl", "encrypt", 64)
    rows = _timed(rng, where, 100.0, 8) + _timed(rng, usual, 100.0, 8) + _memory(rng, usual)
    for row in rows:
        row["source"] = HOSTILE
    bad = [{**where, "kind": "error", "message": HOSTILE, "vector": HOSTILE}]
    out = document(
        rows,
        bad,
        study=HOSTILE,
        name=HOSTILE,
        version=HOSTILE,
        settings={HOSTILE: HOSTILE, "study_text": HOSTILE},
    )
    out["environment"] = {
        "host": {"cpu_model": HOSTILE, "governor": HOSTILE, HOSTILE: HOSTILE},
        "probes": {HOSTILE: {"version": HOSTILE, "compiler": HOSTILE}},
    }
    return out


def many_cases_document(schemes: int = 30) -> dict[str, Any]:
    """Hundreds of cases: more than any chart should show at once."""
    rng = random.Random(5)
    rows: list[dict[str, Any]] = []
    for index in range(schemes):
        for who in ("openssl", "libgcrypt", "mbedtls"):
            for size in (16, 1024, 16384):
                rows += _timed(
                    rng,
                    case(f"cipher-{index:02d}-cbc", who, "encrypt", size),
                    50 + size * (0.3 + index / 9),
                    12,
                )
    return document(rows)


def board_document(
    implementations: int = 80, sizes: tuple[int, ...] = (16, 64, 256)
) -> dict[str, Any]:
    """A simulated board: cycles that repeat exactly, memory by implementation, modelled energy."""
    rng = random.Random(9)
    rows: list[dict[str, Any]] = []
    schemes = ("aes-128-ecb", "aes-128-cbc", "speck-64-128-cbc", "xtea-cbc", "ascon-aead128")
    probes = {}
    for index in range(implementations):
        scheme, who = schemes[index % len(schemes)], f"mote/cipher-{index:02d}"
        flash, ram, stack = (float(rng.randint(low, 12 * low)) for low in (900, 20, 40))
        probes[f"sim:atmega2560 {who}"] = {
            "compiler": "avr-gcc (GCC) 5.4.0, avr-libc 2.0.0",
            "flags": "-Os",
            "architecture": "avr6",
            "clock": {"name": "timer 1", "hz": 16_000_000, "resolution": 1, "overhead": 20.0},
        }
        for operation in (
            ("encrypt-message", "decrypt-message") if "ascon" in scheme else ("encrypt", "decrypt")
        ):
            for size in sizes:
                where = {**case(scheme, who, operation, size), "target": "sim:atmega2560"}
                cycles = float(
                    800 + size * (150 + 37 * index) + (90 if operation.startswith("de") else 0)
                )
                ns = cycles * 62.5
                for name, value in (
                    ("time", ns),
                    ("cycles", cycles),
                    ("throughput", size / ns * 1e9),
                ):
                    rows.append(
                        measurement(
                            where, name, [value] * 6, evidence="simulated", source="timer 1"
                        )
                    )
                for name, value in (
                    ("flash_net", flash),
                    ("static_ram_net", ram),
                    ("stack", stack),
                ):
                    rows.append(
                        measurement(where, name, [value], evidence="simulated", source="linker")
                    )
                energy = [ns * 1e-9 * 5.0 * amps for amps in (0.010, 0.0142, 0.020)]
                rows.append(
                    measurement(where, "energy", energy, evidence="modelled", source="atmega2560")
                )
    made = document(rows, study="board")
    made["environment"] |= {
        "probes": probes,
        "boards": {"sim:atmega2560": {"device": "atmega2560"}},
    }
    return made


def security() -> list[dict[str, Any]]:
    """Security status as the catalog gives it, for some algorithms of the sample."""
    nist = "https://csrc.nist.gov/pubs/sp/800/131/a/r2/final"
    rows = (
        (
            "AES",
            ["aes-128-cbc", "aes-256-gcm"],
            "approved",
            "2023-05-09",
            "Approved without reservation.",
            128,
            128,
        ),
        (
            "3DES",
            ["3des-cbc"],
            "disallowed",
            "2024-01-01",
            "Encryption is disallowed; 64-bit blocks collide.",
            112,
            64,
        ),
        (
            "RC4",
            ["rc4-128"],
            "prohibited",
            "2015-02-01",
            "Prohibited in TLS by RFC 7465.",
            None,
            None,
        ),
        ("SHA-2", ["sha256"], "approved", "2019-03-21", "Approved hash function.", 128, None),
    )
    return [
        {
            "algorithm": name,
            "schemes": schemes,
            "verdict": verdict,
            "date": date,
            "statement": text,
            "source": nist,
            "strength_bits": strength,
            "block_bits": block,
        }
        for name, schemes, verdict, date, text, strength, block in rows
    ]
