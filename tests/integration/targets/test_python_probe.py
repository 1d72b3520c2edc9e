"""probes/python as programs: every operation they offer, and how they end."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from motebench.base.model import Case, FailureKind, Kind, Operation
from motebench.catalog import schemes
from motebench.catalog.vectors.keys import public_key
from motebench.measuring.work import jobs, proof
from motebench.measuring.work.inputs import OtherInputs
from motebench.measuring.work.jobs import private_key
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from motebench.targets.wire.stream import ProcessStream
from tests.integration.conftest import Motebench

ROOT = Path(__file__).parents[3]
PROBE = ROOT / "probes" / "python"
IMPLEMENTATIONS = ("cryptography", "pycryptodome")
LIMIT = 300.0
RUBBISH = random.Random(1).randbytes(5000)
SIZES = (16, 1008)
"""Whole blocks of every cipher, so that each of them can do ``encrypt``."""


def command(*arguments: str, python: str = sys.executable) -> list[str]:
    return [python, "-I", "-B", str(PROBE), *arguments]


def session_of(implementation: str) -> ProbeSession:
    return ProbeSession(lambda: ProcessStream(command(implementation)))


@pytest.fixture(params=IMPLEMENTATIONS)
def session(request: pytest.FixtureRequest) -> Iterator[ProbeSession]:
    opened = session_of(request.param)
    yield opened
    opened.close()


def cases(session: ProbeSession) -> Iterator[Case]:
    for name, offer in session.offers().items():
        for operation in map(Operation, sorted(offer.operations)):
            # Prime numbers take an interpreter seconds to find; nothing but their length differs.
            if (
                operation is Operation.KEYGEN
                and name.startswith("rsa-")
                and name != "rsa-1024-pkcs1-sha256"
            ):
                continue
            signs = schemes()[name].kind is Kind.SIGNATURE
            for size in SIZES[:1] if signs else SIZES if operation.sized else (0,):
                yield Case(
                    name,
                    session.hello.implementation,
                    operation,
                    size,
                    "host",
                    session.hello.implementation,
                )


def test_inputs_take_turns_and_each_is_used(session: ProbeSession) -> None:
    case = Case("aes-128-gcm", "x", Operation.DECRYPT_MESSAGE, 64, "host", "x")
    scheme, offer = schemes()[case.scheme], session.offers()[case.scheme]
    job = jobs.build(case, scheme, offer, session)
    made = OtherInputs(case, scheme, offer, job, LIMIT).jobs(session)
    others = [other for other, _ in zip(made, range(3), strict=False)]
    expected = proof.expected_crc(case, job, session, proof.Consensus(), LIMIT)
    timing = session.measure(
        replace(job, turns=(*others, job)), batch=5, count=2, warm=1, timeout=LIMIT
    )
    assert len(timing.ticks) == 2 and timing.crc == expected, (
        "the output that is checked is that of the job itself"
    )
    forged = replace(others[0], inverse=False, data=bytes(64), tag=bytes(16))
    # The reply is that it was rejected, without times
    with pytest.raises(ProbeFailure, match="ticks"):
        session.measure(
            replace(job, turns=(others[1], forged)), batch=2, count=1, warm=0, timeout=LIMIT
        )


def timed(case: Case, session: ProbeSession, consensus: proof.Consensus) -> None:
    """Time a case as a run does: its job, the expected answer, a measurement with that output."""
    scheme = schemes()[case.scheme]
    job = jobs.build(case, scheme, session.offers()[case.scheme], session)
    expected = proof.expected_crc(case, job, session, consensus, LIMIT)
    timing = session.measure(job, batch=2, count=2, warm=1, timeout=LIMIT)
    assert len(timing.ticks) == 2 and min(timing.ticks) > 0, case
    assert timing.cpu is not None and len(timing.cpu) == 2, case
    if expected is None:
        proof.check_random(case, scheme, job, timing, session)
    else:
        assert timing.crc == expected, case


def test_every_operation_of_every_scheme_is_timed_and_right() -> None:
    """Right: as known another way, and the same from both libraries."""
    consensus, done = proof.Consensus(), dict.fromkeys(IMPLEMENTATIONS, 0)
    for implementation in IMPLEMENTATIONS:
        session = session_of(implementation)
        assert set(session.offers()) <= set(schemes())
        for case in cases(session):
            timed(case, session, consensus)
            done[implementation] += 1
        assert session.generation == 1
        session.close()
    # Both libraries are as large as their documentation says, so that nothing is missing unnoticed.
    assert done["pycryptodome"] > 900 and done["cryptography"] > 600, done


@pytest.mark.parametrize(
    "implementation", [pytest.param("cryptography", marks=pytest.mark.long), "pycryptodome"]
)
def test_all_known_answers_pass(motebench: Motebench, implementation: str) -> None:
    probes = str(ROOT / "build" / "probes")
    result = motebench(
        "verify", "--implementation", implementation, "--json", MOTEBENCH_PROBES=probes
    )
    assert result.code == 0, result.err
    (sums,) = result.json["implementations"]
    assert sums["failed"] == 0 and sums["problem"] is None
    assert all(counts["passed"] for counts in sums["schemes"].values())
    # What does not apply says why: a length or a seed that the library does not take, or keys that
    # it refuses.
    assert sums["not_applicable"] == sum(sums["reasons"].values())
    known = ("not offered", "degenerates to single DES", "takes none to encapsulate")
    assert all(any(words in reason for words in known) for reason in sums["reasons"])


PAPER = [
    f"{cipher}-{mode}"
    for cipher in (
        "aes-128",
        "aes-192",
        "aes-256",
        "blowfish-128",
        "des",
        "3des",
        "rc2-40",
        "rc2-128",
    )
    for mode in ("cbc", "cfb8", "cfb")
]


def test_what_the_pycrypto_study_did_can_be_done_with_its_successor(tmp_path: Path) -> None:
    """Files through AES, Blowfish, DES, 3DES and RC2 in CBC and in CFB with segments of 8 bits and
    of a block.
    """
    session = session_of("pycryptodome")
    text = tmp_path / "text"
    text.write_bytes(b"All work and no play makes Jack a dull boy.\n" * 3000)
    outputs = set()
    for name in PAPER:
        job = jobs.symmetric(schemes()[name], session.offers()[name], Operation.ENCRYPT_FILE, b"")
        secret, back = tmp_path / "secret", tmp_path / "back"
        there = session.file(
            job,
            source=str(text),
            destination=str(secret),
            chunk=4096,
            cold=False,
            sync=False,
            timeout=LIMIT,
        )
        assert there.read == text.stat().st_size and there.written == secret.stat().st_size
        again = Job(name, Operation.DECRYPT_FILE.value, key=job.key, nonce=job.nonce)
        session.file(
            again,
            source=str(secret),
            destination=str(back),
            chunk=5000,
            cold=False,
            sync=False,
            timeout=LIMIT,
        )
        assert back.read_bytes() == text.read_bytes(), name
        outputs.add(secret.read_bytes())
    assert len(outputs) == len(PAPER)
    session.close()


@pytest.mark.parametrize("chunk", [1, 15, 16, 17, 1 << 20])
def test_files_are_the_messages_of_the_other_library(tmp_path: Path, chunk: int) -> None:
    text = tmp_path / "text"
    text.write_bytes(bytes(range(256)) * 5)
    names = ("aes-128-cbc", "aes-128-cfb8", "aes-256-ctr", "aes-128-gcm", "3des-cbc")
    ours, others = session_of("pycryptodome"), session_of("cryptography")
    for name, session, other in itertools.chain.from_iterable(
        ((n, ours, others), (n, others, ours)) for n in names
    ):
        scheme, offer = schemes()[name], session.offers()[name]
        out = tmp_path / "out"
        job = jobs.symmetric(scheme, offer, Operation.ENCRYPT_FILE, b"")
        done = session.file(
            job,
            source=str(text),
            destination=str(out),
            chunk=chunk,
            cold=False,
            sync=False,
            timeout=LIMIT,
        )
        message = jobs.symmetric(scheme, offer, Operation.ENCRYPT_MESSAGE, text.read_bytes())
        answer = other.compute(message)
        assert (out.read_bytes(), done.result) == (answer.out, answer.tag), name
    ours.close()
    others.close()


def test_memory_of_a_long_message_is_its_output(session: ProbeSession) -> None:
    size = 24 << 20
    for name, operation in itertools.product(
        ("aes-128-ctr", "aes-128-gcm"), ("encrypt-message", "decrypt-message")
    ):
        fresh = session_of(session.hello.implementation)
        offer = fresh.offers()[name]
        got = fresh.memory(
            jobs.symmetric(schemes()[name], offer, Operation(operation), Fill(1, size)),
            timeout=LIMIT,
        )
        fresh.close()
        assert got.peak - got.floor == pytest.approx(size, rel=0.03), (name, operation)


def test_memory_of_a_short_message_is_no_import(session: ProbeSession) -> None:
    got = session.memory(
        jobs.symmetric(
            schemes()["aes-128-cbc"],
            session.offers()["aes-128-cbc"],
            Operation.ENCRYPT_MESSAGE,
            b"short",
        ),
        timeout=LIMIT,
    )
    assert got.floor > 1 << 20 and got.peak - got.floor < 300_000


def test_memory_in_place_is_none(session: ProbeSession) -> None:
    offer = session.offers()["aes-128-ctr"]
    got = session.memory(
        jobs.symmetric(schemes()["aes-128-ctr"], offer, Operation.ENCRYPT, Fill(1, 24 << 20))
    )
    assert got.peak - got.floor < 300_000


# How it ends


def test_a_probe_that_is_killed_is_a_crash_and_the_next_one_goes_on(session: ProbeSession) -> None:
    job = Job("sha256", "digest", data=b"abc")
    before = session.compute(job).out
    stream = session._channel._stream
    assert isinstance(stream, ProcessStream)
    os.kill(stream._process.pid, signal.SIGKILL)
    with pytest.raises(ProbeFailure) as caught:
        session.compute(job)
    assert caught.value.kind is FailureKind.CRASH and "SIGKILL" in caught.value.message
    assert session.compute(job).out == before
    assert session.generation == 2


def test_a_request_that_takes_too_long_ends_the_probe_and_no_other(session: ProbeSession) -> None:
    job = Job("sha256", "digest", data=Fill(1, 1 << 20))
    with pytest.raises(ProbeFailure) as caught:
        session.measure(job, batch=1_000_000, count=100, warm=0, timeout=0.5)
    assert caught.value.kind is FailureKind.TIMEOUT
    assert session.compute(Job("sha256", "digest", data=b"abc")).out


def talk(arguments: list[str], words: bytes, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        arguments, input=words, capture_output=True, timeout=1200, check=False, **more
    )  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize(
    "words", [b"", b"\0", b"hello\n", b"\0\xff\0\1\0" * 99, RUBBISH, b"\1" * 3_000_000]
)
def test_foreign_bytes_are_passed_over_until_the_end(implementation: str, words: bytes) -> None:
    done = talk(command(implementation), words)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "arguments", [(), ("openssl",), ("../x",), ("pycryptodome", "more"), ("__pycache__",)]
)
def test_wrong_arguments_are_refused_with_the_valid_ones(arguments: tuple[str, ...]) -> None:
    done = talk(command(*arguments), b"")
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.decode().strip().endswith("valid: cryptography, pycryptodome")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_probe_ends_silently(number: signal.Signals) -> None:
    stream = ProcessStream(command("pycryptodome"))
    ProbeSession(lambda: stream)  # it has answered: it is no longer starting
    stream._process.send_signal(number)
    assert stream.receive(stream.now() + 60) == b""
    assert stream.exit_reason().message == f"the probe ended by {number.name}"
    stream.close()


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter without any package."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    return str(folder / "bin" / "python")


@pytest.mark.parametrize(
    ("implementation", "module"), [("pycryptodome", "Crypto"), ("cryptography", "cryptography")]
)
def test_a_library_that_is_missing_is_named_with_the_line_that_installs_it(
    bare_python: str, tmp_path: Path, implementation: str, module: str
) -> None:
    done = talk(command(implementation, python=bare_python), b"")
    assert (done.returncode, done.stdout) == (1, b"")
    assert (
        f"No module named 'cobs'; for this interpreter: {bare_python} -m pip install"
        in done.stderr.decode()
    )
    # With what frames need, and nothing else.
    import cobs

    site = next(Path(bare_python).parents[1].glob("lib/python*/site-packages"))
    link = site / "cobs"
    link.symlink_to(Path(cobs.__path__[0]))
    done = talk(command(implementation, python=bare_python), b"")
    link.unlink()
    said = done.stderr.decode()
    assert (done.returncode, done.stdout, said.count("\n")) == (1, b"", 1)
    assert f"no library for {implementation}: No module named '{module}" in said
    assert f"{bare_python} -m pip install '{implementation}'" in said and "make setup" in said


def test_the_doctor_says_which_library_is_missing(motebench: Motebench, bare_python: str) -> None:
    result = motebench(
        "doctor",
        "--json",
        MOTEBENCH_PYTHON=bare_python,
        MOTEBENCH_PROBES=str(ROOT / "build" / "probes"),
    )
    checks = {check["id"]: check for check in result.json["checks"]}
    for implementation in IMPLEMENTATIONS:
        check = checks[f"probe:{implementation}"]
        assert check["status"] == "missing" and "No module named" in check["found"]
        assert check["remedy"] == "make setup"


def test_what_a_library_prints_stays_out_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text(
        f"import sys; sys.path.insert(0, {str(PROBE)!r})\n"
        "from motebench_probe import loop\n"
        "from motebench_probe.adapters import pycryptodome as module\n"
        "import os\n"
        "old = module.ADAPTER.version\n"
        "def version():\n"
        "    print('chatter', flush=True)\n"
        "    os.write(1, b'more')\n"
        "    return old()\n"
        "module.ADAPTER.version = version\n"
        "sys.exit(loop.main(['pycryptodome']))\n"
    )
    session = ProbeSession(lambda: ProcessStream([sys.executable, str(tmp_path / "probe.py")]))
    assert session.hello.version.startswith("PyCryptodome ")
    stream = session._channel._stream
    assert isinstance(stream, ProcessStream)
    assert stream._last_words() == "chatter more"
    session.close()


def test_public_key_schemes_agree_between_the_libraries() -> None:
    """Signatures of one library verify in the other, and their public keys are the same."""
    one, two = session_of("pycryptodome"), session_of("cryptography")
    names = [
        name
        for name in one.offers()
        if name in two.offers()
        and schemes()[name].kind is Kind.SIGNATURE
        and not name.startswith("rsa-4096")
    ]
    assert "ed25519" in names and "ecdsa-p256-sha256" in names and len(names) > 15
    for name in names:
        public = public_key(name)
        for signer, verifier in ((one, two), (two, one)):
            private = private_key(schemes()[name], signer.offers()[name])
            assert signer.compute(Job(name, "sign", key=private), public=True).out == public, name
            signature = signer.compute(Job(name, "sign", key=private, data=b"text")).out or b""
            good = Job(name, "verify", key=public, data=b"text", signature=signature)
            bad = Job(name, "verify", key=public, data=b"Text", signature=signature)
            assert not verifier.compute(good).rejected and verifier.compute(bad).rejected, name
    one.close()
    two.close()
