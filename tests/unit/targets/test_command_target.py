"""Target ``command``: the account of a process is right, and what a bad program does never becomes
a number.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from motebench.base.model import FailureKind, Operation
from motebench.base.paths import probe_dirs
from motebench.catalog import schemes
from motebench.catalog.vectors.keys import public_key
from motebench.catalog.vectors.keys import test_key as private_key
from motebench.measuring.work import jobs
from motebench.targets.command import local as command_local
from motebench.targets.command import openssl as command_openssl
from motebench.targets.command.local import OPENSSL, LocalDesk, command_target, run
from motebench.targets.command.openssl import recipes
from motebench.targets.command.session import CommandSession
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.checks import CheckStatus, command_checks
from motebench.targets.wire.messages import FileTiming, Fill, Job, ProbeFailure

MIB = 1 << 20
REAL = shutil.which("openssl") or ""
KEY, NONCE = bytes(range(16)), bytes(range(16, 32))
RSA = "rsa-2048-pss-sha256"

Fake = Callable[[str], CommandSession]


def cbc(operation: str, **more: object) -> Job:
    return Job("aes-128-cbc", operation, **{"key": KEY, "nonce": NONCE, **more})  # type: ignore[arg-type]


def whole(
    session: CommandSession, job: Job, source: Path, out: Path, timeout: float = 30.0
) -> FileTiming:
    return session.file(
        job,
        source=str(source),
        destination=str(out),
        chunk=1,
        cold=True,
        sync=True,
        timeout=timeout,
    )


@pytest.fixture
def session() -> CommandSession:
    return command_target().open(OPENSSL)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "input"
    path.write_bytes(bytes(range(256)) * 40)
    return path


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """A session with a program ``openssl`` that does what the script says for enc and dgst, else
    what the real does.
    """

    def make(script: str) -> CommandSession:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "openssl"
        program.write_text(
            f'#!/bin/sh\ncase "$1 $2" in\n"enc -list"|"dgst -list") ;;\nenc*|dgst*) {script} '
            ";;\nesac\n"
            f'exec {REAL} "$@"\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        return command_target().open(OPENSSL)

    return make


def failure_of(call: Callable[[], object]) -> ProbeFailure:
    with pytest.raises(ProbeFailure) as caught:
        call()
    return caught.value


# The account of a process


def peak_of(mebibytes: int) -> int:
    """Peak of an interpreter that fills so much memory."""
    return run([sys.executable, "-I", "-S", "-c", f"b'x' * ({mebibytes} << 20)"], timeout=60).peak


def test_peak_memory_is_that_of_the_process_and_not_of_whoever_started_it() -> None:
    ballast = b"x" * (256 * MIB)
    small = run(["/bin/true"], timeout=60).peak
    assert 0 < small < 8 * MIB
    # The counters of the kernel are exact to some dozens of pages for each processor.
    assert abs(peak_of(128) - peak_of(32) - 96 * MIB) < 4 * MIB
    assert len(ballast) == 256 * MIB


def test_processor_time_is_at_least_what_the_process_itself_counts() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    done = run([sys.executable, "-I", "-S", "-c", burn], timeout=60)
    assert done.user + done.system >= 190_000_000  # the kernel rounds each down
    assert done.elapsed >= 200_000_000


def test_a_process_that_waits_needs_time_and_no_processor() -> None:
    done = run([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1)"], timeout=60)
    assert done.elapsed >= 1_000_000_000
    assert done.user + done.system < 1_000_000_000


def test_exit_status_and_what_was_printed_come_back() -> None:
    done = run(["/bin/sh", "-c", "echo out; echo err >&2; exit 7"], timeout=60)
    assert (done.status, done.words) == (7, "out err")


def test_a_program_ended_by_a_signal_is_a_crash() -> None:
    failure = failure_of(
        lambda: run(["/bin/sh", "-c", "echo last words >&2; kill -9 $$"], timeout=60)
    )
    assert failure.kind is FailureKind.CRASH
    assert "SIGKILL" in failure.message and "last words" in failure.message


def test_a_program_that_hangs_is_ended_with_its_launcher(tmp_path: Path) -> None:
    mark = str(tmp_path / "hangs")
    hang = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)", mark]
    failure = failure_of(lambda: run(hang, timeout=1))
    assert failure.kind is FailureKind.TIMEOUT
    end = time.monotonic() + 60
    # They are killed, which the kernel carries out when it comes to it
    while left := working_on(mark):
        assert time.monotonic() < end, left
        time.sleep(0.01)


def working_on(mark: str) -> list[str]:
    """Command lines of processes that have ``mark`` in them, however far they have come."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            lines.append(path.read_bytes().decode("utf-8", "replace"))
    return [line for line in lines if mark in line]


def test_a_program_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    failure = failure_of(lambda: run([str(tmp_path / "nothing")], timeout=60))
    assert failure.kind is FailureKind.ERROR
    assert "No such file" in failure.message


def test_files_that_cannot_be_dropped_or_flushed_are_failures(tmp_path: Path) -> None:
    failure = failure_of(lambda: run(["/bin/true"], timeout=60, drop=str(tmp_path / "nothing")))
    assert "No such file" in failure.message
    assert run(["/bin/true"], timeout=60, flush=str(tmp_path / "nothing")).status == 0


def test_without_the_launcher_the_target_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_local, "probe_dirs", lambda: [tmp_path])
    failure = failure_of(lambda: command_target().open(OPENSSL))
    assert failure.kind is FailureKind.BUILD
    assert "make setup" in failure.message


def test_doctor_says_what_the_target_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (unbuilt,) = command_checks(LinuxSystem(), [tmp_path])
    assert (unbuilt.status, unbuilt.remedy) == (CheckStatus.OPTIONAL, "make setup")
    (there,) = command_checks(LinuxSystem(), probe_dirs())
    assert there.status is CheckStatus.OK and there.found.startswith("OpenSSL ")
    monkeypatch.setenv("PATH", str(tmp_path))
    (missing,) = command_checks(LinuxSystem(), probe_dirs())
    assert missing.status is CheckStatus.OPTIONAL and "openssl" in (missing.remedy or "")


# What openssl offers


def test_recipes_are_schemes_of_the_catalog_and_fit_them() -> None:
    known, offered = schemes(), list(recipes())
    assert len(offered) > 100
    for recipe in offered:
        scheme = known[recipe.scheme]
        operations = {operation.value for operation in scheme.operations}
        assert recipe.offer.operations <= operations, recipe.scheme
        if scheme.kind.value in ("cipher", "stream"):
            assert recipe.key == (scheme.key_bytes, scheme.key_bytes), recipe.scheme
            assert recipe.nonce[0] == scheme.nonce_bytes, recipe.scheme


def test_no_openssl_no_implementation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_target().implementations() == []
    assert failure_of(lambda: command_target().open(OPENSSL)).kind is FailureKind.UNSUPPORTED


def test_another_program_of_that_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "openssl"
    program.write_text("#!/bin/sh\necho LibreSSL 3.8.2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    failure = failure_of(lambda: command_openssl.look(LocalDesk()))
    assert failure.kind is FailureKind.UNSUPPORTED
    assert "LibreSSL 3.8.2" in failure.message


def test_without_the_legacy_provider_old_ciphers_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "openssl"
    program.write_text(f'#!/bin/sh\ncase "$*" in *legacy*) exit 1 ;; esac\nexec {REAL} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    offers = command_target().open(OPENSSL).offers()
    assert "aes-128-cbc" in offers and "3des-cbc" in offers
    assert not {"des-cbc", "rc4-128", "blowfish-128-cbc"} & set(offers)


# Right answers


def test_a_message_comes_back(session: CommandSession) -> None:
    data = Fill(5, 1000)
    secret = session.compute(cbc("encrypt-message", data=data))
    assert secret.out is not None and len(secret.out) == 1008
    plain = session.compute(cbc("decrypt-message", data=secret.out))
    assert plain.out == jobs.fill(5, 1000)


def test_wrong_padding_is_rejected_and_not_an_error(session: CommandSession) -> None:
    assert session.compute(cbc("decrypt-message", data=bytes(32))).rejected
    assert session.compute(cbc("decrypt-message", data=bytes(33))).rejected


@pytest.mark.parametrize("scheme", [RSA, "rsa-1024-pkcs1-sha1", "ecdsa-p256-sha256"])
def test_signatures_verify_and_others_are_rejected(session: CommandSession, scheme: str) -> None:
    signed = (
        session.compute(Job(scheme, "sign", key=private_key(scheme), data=b"message")).out or b""
    )
    public = session.compute(Job(scheme, "sign", key=private_key(scheme)), public=True).out or b""
    assert public == public_key(scheme)
    good = Job(scheme, "verify", key=public, data=b"message", signature=signed)
    assert not session.compute(good).rejected
    assert session.compute(
        Job(scheme, "verify", key=public, data=b"another", signature=signed)
    ).rejected
    assert session.compute(
        Job(scheme, "verify", key=public, data=b"message", signature=b"junk")
    ).rejected


@pytest.mark.parametrize(
    ("key", "nonce"), [(KEY[:15], NONCE), (KEY + b"x", NONCE), (KEY, NONCE[:8]), (KEY, b"")]
)
def test_lengths_that_openssl_would_pad_or_cut_are_refused(
    session: CommandSession, key: bytes, nonce: bytes
) -> None:
    job = Job("aes-128-cbc", "encrypt-message", key=key, nonce=nonce, data=b"x")
    assert failure_of(lambda: session.compute(job)).kind is FailureKind.UNSUPPORTED


def test_what_only_a_probe_can_do_is_unsupported(session: CommandSession) -> None:
    calls = (
        lambda: session.measure(cbc("encrypt"), batch=1, count=1, warm=0, timeout=1),
        lambda: session.memory(cbc("encrypt")),
        lambda: session.compute(Job("aes-128-gcm", "encrypt-message")),
        lambda: session.compute(cbc("key-setup")),
        lambda: session.compute(cbc("decrypt", inverse=True, data=bytes(16))),
        lambda: session.compute(cbc("encrypt"), public=True),
    )
    assert {failure_of(call).kind for call in calls} == {FailureKind.UNSUPPORTED}


# Whole files


def test_a_file_there_and_back(session: CommandSession, source: Path, tmp_path: Path) -> None:
    secret, plain = tmp_path / "secret", tmp_path / "plain"
    done = whole(session, cbc("encrypt-file"), source, secret)
    assert (done.read, done.written) == (10240, 10256)
    assert done.elapsed > 0 and done.peak > MIB and done.peak_source == "ru_maxrss"
    assert whole(session, cbc("decrypt-file"), secret, plain).written == 10240
    assert plain.read_bytes() == source.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"input", "secret", "plain"}


def test_results_are_no_files(session: CommandSession, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    digest = whole(session, Job("sha256", "digest-file"), source, out)
    assert len(digest.result) == 32
    signed = whole(session, Job(RSA, "sign-file", key=private_key(RSA)), source, out)
    verify = Job(RSA, "verify-file", key=public_key(RSA), signature=signed.result)
    assert not whole(session, verify, source, out).rejected
    assert whole(session, verify, source, out).written == 0
    source.write_bytes(b"another")
    assert whole(session, verify, source, out).rejected
    assert [path.name for path in tmp_path.iterdir()] == ["input"]


def test_the_plain_copy_is_a_process_too(
    session: CommandSession, source: Path, tmp_path: Path
) -> None:
    done = whole(session, Job("", "copy-file"), source, tmp_path / "copy")
    assert (done.read, done.written) == (10240, 10240)
    assert (tmp_path / "copy").read_bytes() == source.read_bytes()


def test_operations_of_other_schemes_are_unsupported(
    session: CommandSession, source: Path, tmp_path: Path
) -> None:
    job = cbc("sign-file")
    assert (
        failure_of(lambda: whole(session, job, source, tmp_path / "out")).kind
        is FailureKind.UNSUPPORTED
    )


def test_a_full_disk_has_its_own_kind_and_the_device_stays(
    session: CommandSession, source: Path
) -> None:
    full = Path("/dev/full")
    # openssl enc does not always say why it cannot write.
    kinds = {FailureKind.NO_ROOM, FailureKind.ERROR}
    for job, expected in (
        (cbc("encrypt-file"), kinds),
        (Job("", "copy-file"), {FailureKind.NO_ROOM}),
    ):
        with pytest.raises(ProbeFailure, match="writing") as caught:
            whole(session, job, source, full)
        assert caught.value.kind in expected
    assert full.is_char_device()


def test_a_full_disk_under_a_decryption_is_not_taken_for_wrong_padding(
    session: CommandSession, source: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    whole(session, cbc("encrypt-file"), source, secret)
    assert (
        failure_of(lambda: whole(session, cbc("decrypt-file"), secret, Path("/dev/full"))).kind
        is FailureKind.NO_ROOM
    )


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        ("kill -9 $$", FailureKind.CRASH, "SIGKILL"),
        ("kill -SEGV $$", FailureKind.CRASH, "SIGSEGV"),
        ("sleep 600", FailureKind.TIMEOUT, "did not end"),
        ("echo out of luck >&2; exit 1", FailureKind.ERROR, "out of luck"),
        ('for out; do :; done; echo part > "$out"; exit 1', FailureKind.ERROR, "ended with 1"),
        ('for out; do :; done; echo part > "$out"; exit 0', FailureKind.ERROR, "wrote 5 B"),
        ("exit 0", FailureKind.ERROR, "out"),
    ],
)
def test_a_bad_program_is_the_right_failure_and_leaves_nothing(
    fake: Fake, source: Path, tmp_path: Path, script: str, kind: FailureKind, words: str
) -> None:
    bad = fake(script)
    limit = 2 if kind is FailureKind.TIMEOUT else 120
    failure = failure_of(
        lambda: whole(bad, cbc("encrypt-file"), source, tmp_path / "out", timeout=limit)
    )
    assert failure.kind is kind
    assert words in failure.message
    assert {path.name for path in tmp_path.iterdir()} == {"input", "bin"}


def test_keys_are_files_that_only_their_owner_can_read_and_that_go(
    fake: Fake, source: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    noting = fake(
        f'while [ "$1" != -sign ]; do [ $# -gt 0 ] || break; set -- "$@"; shift; done; '
        f'stat -c %a "$2" "${{2%/*}}" >> {log}; echo "${{2%/*/*}}" >> {log}; exit 1'
    )
    failure_of(
        lambda: whole(noting, Job(RSA, "sign-file", key=private_key(RSA)), source, tmp_path / "out")
    )
    assert log.read_text().split() == ["600", "700", str(tmp_path)]
    assert {path.name for path in tmp_path.iterdir()} == {"input", "bin", "log"}


def test_an_operation_word_is_never_an_option(
    session: CommandSession, source: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "-in; rm -rf $(x)"
    odd.write_bytes(source.read_bytes())
    out = tmp_path / "--out 'quoted'"
    assert whole(session, cbc(Operation.ENCRYPT_FILE.value), odd, out).written == 10256
    assert out.exists()
