"""Adapters in C++ under AddressSanitizer and UndefinedBehaviorSanitizer: a report of theirs ends
the probe, a crash.

`make test` builds these probes before it calls pytest; where the libraries are not there, none is
built.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from motebench.targets.setup.needs import adapter_files, read_adapter

FOLDER = Path(__file__).parents[3] / "build" / "sanitize" / "probes"
BROKEN = {"crash", "lost", "timeout"}
SCHEMES = (
    "aes-128-ecb,aes-128-cbc,aes-128-gcm,aes-128-ccm,aes-128-eax,aes-128-xts,rc4-128,"
    "chacha20-poly1305,sha256"
)
SIGNATURES = "hmac-sha256,rsa-1024-pss-sha256,ecdsa-p256-sha256,ed25519,x25519,ecdh-p256"
OPERATIONS = (
    "key-setup,encrypt,decrypt,encrypt-message,decrypt-message,encrypt-new-key,digest,mac,keygen,"
    "sign,verify,agree"
)
FILES = "encrypt-file,decrypt-file,digest-file,mac-file,sign-file,verify-file"


def names():
    adapters = [
        needs.name for needs in map(read_adapter, adapter_files()) if needs.language == "C++"
    ]
    built = [name for name in adapters if (FOLDER / f"motebench-probe-{name}").exists()]
    assert built, "make test builds them"
    return built


def test_known_answers(motebench):
    built = names()
    assert len(built) >= 2
    for name in built:
        (done,) = motebench(
            *("verify", "--json", "--implementation", name),
            MOTEBENCH_PROBES=str(FOLDER),
            timeout=600,
        ).json["implementations"]
        assert done["problem"] is None and done["passed"] > 1000
        assert [failure for failure in done["failures"] if failure["kind"] in BROKEN] == []


def measured(motebench, *options):
    built = names()
    assert len(built) >= 2
    for name in built:
        asked = ("--fast", "--precision", "90%", "--budget", "1s", "--quiet", "--json", *options)
        document = motebench(
            "run", "--implementation", name, *asked, MOTEBENCH_PROBES=str(FOLDER), timeout=600
        ).json
        assert document["measurements"]
        assert [
            failure for failure in document["failures"] if failure["kind"] != "unsupported"
        ] == []


def test_measuring(motebench):
    measured(
        motebench, "--scheme", f"{SCHEMES},{SIGNATURES}", "--operation", OPERATIONS, "--size", "64"
    )


@pytest.mark.long
def test_whole_files(motebench, tmp_path):
    (tmp_path / "in").write_bytes(bytes(range(251)) * 400)
    options = ("--file", str(tmp_path / "in"), "--cache", "warm", "--no-sync")
    measured(motebench, "--scheme", f"{SCHEMES},{SIGNATURES}", "--operation", FILES, *options)
