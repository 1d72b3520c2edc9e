"""Ed25519 that users bring through crypto_sign and crypto_sign_open, in the form of SUPERCOP."""

from __future__ import annotations

from pathlib import Path

import pytest
import signature_folders as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from motebench.catalog.devices import devices
from motebench.targets.base import Session
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.conftest import Motebench, need_simulator

FLAGS = "-DMOTE_PORTABLE"
CODE = ("--code-flags=-DMOTE_PORTABLE", "--scheme", "ed25519", "--json")
BOARD = "sim:cortex-m4-nows"


@pytest.fixture
def library() -> Path:
    found = form.monocypher()
    if found is None:
        pytest.skip("Monocypher is not installed: tools/setup.sh")
    return found


def opened(folder: Path) -> Session:
    given = GivenCode(folder, declared=("ed25519",), flags=(FLAGS,))
    workspace, code = add_code(Workspace(), given)
    return open_target("host", where=None, code=workspace.code).open(code.name)


@pytest.mark.parametrize("target", ["host", BOARD])
def test_it_is_measured_after_the_known_answers_of_ed25519(
    motebench: Motebench, tmp_path: Path, library: Path, target: str
) -> None:
    if target == BOARD:
        need_simulator(devices()["cortex-m4-nows"])
    folder = form.folder(tmp_path / "ref", library)
    options = ("--target", target, "--operation", "keygen,sign,verify", "--size", "32", "--fast")
    result = motebench("run", "--code", str(folder), *options, "--budget", "100ms", *CODE)
    assert result.code == 0, result.err
    metric = "cycles" if target == BOARD else "time"
    rows = [row for row in result.json["measurements"] if row["metric"] == metric]
    assert {(row["scheme"], row["operation"]) for row in rows} == {
        ("ed25519", "keygen"),
        ("ed25519", "sign"),
        ("ed25519", "verify"),
    }
    assert any("known answers of ed25519" in note for note in result.json["run"]["notes"])


def test_private_keys_are_the_seeds_of_the_catalog(tmp_path: Path, library: Path) -> None:
    session = opened(form.folder(tmp_path / "ref", library))
    seed, message = bytes(range(32)), b"whole"
    theirs = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = theirs.public_key().public_bytes_raw(), theirs.sign(message)
    try:
        sign = Job("ed25519", "sign", seed, data=message)
        assert session.compute(sign).out == signature
        assert session.compute(sign, public=True).out == public
        assert session.compute(Job("ed25519", "keygen", seed=seed)).out == seed
        drawn = session.compute(Job("ed25519", "keygen")).out
        assert drawn is not None and len(drawn) == 32 and drawn != seed
        for given, data, rejected in (
            (signature, message, False),
            (signature, b"other", True),
            (signature[:63], message, True),
            (b"", message, True),
            (signature + b"\0", message, True),
        ):
            verify = Job("ed25519", "verify", public, data=data, signature=given)
            assert session.compute(verify).rejected == rejected, (given, data)
    finally:
        session.close()


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("randombytes(sk, 32);", "randombytes(sk, 32);\n    sk[0] ^= 1;", "its random bytes"),
        ("*smlen = mlen + 64;", "*smlen = mlen + 65;", "behind the signature"),
        ("memmove(sm + 64, m, mlen);", "memset(sm + 64, 7, mlen);", "behind the signature"),
    ],
)
def test_code_of_another_form_is_named(
    tmp_path: Path, library: Path, right: str, wrong: str, words: str
) -> None:
    assert form.SIGN.count(right) == 1
    session = opened(form.folder(tmp_path / "ref", library, form.SIGN.replace(right, wrong)))
    try:
        with pytest.raises(ProbeFailure, match=words):
            session.compute(Job("ed25519", "sign", bytes(range(32)), data=b"m"))
    finally:
        session.close()


def test_an_opened_message_that_differs_is_no_verification(tmp_path: Path, library: Path) -> None:
    right = "memmove(m, sm + 64, smlen - 64);"
    source = form.SIGN.replace(right, f"{right}\n    m[0] ^= 1;")
    session = opened(form.folder(tmp_path / "ref", library, source))
    theirs = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public, signature = theirs.public_key().public_bytes_raw(), theirs.sign(b"m")
    try:
        job = Job("ed25519", "verify", public, data=b"m", signature=signature)
        assert session.compute(job).rejected
    finally:
        session.close()
