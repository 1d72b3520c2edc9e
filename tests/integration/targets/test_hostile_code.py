"""Hostile user code on the host: each kind ends as a distinct failure, with a reason, and leaves
nothing behind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import code_folders as folders
import pytest

from motebench.base.errors import InputError
from motebench.base.model import FailureKind
from motebench.catalog.vectors import vectors_for
from motebench.targets.code import guards
from motebench.targets.code.building import UserCode
from motebench.targets.code.session import CodeSession
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.host.this_machine import ThisMachine
from motebench.targets.wire.messages import Job, ProbeFailure
from tests.integration.cli.test_endings import end, gone, ticks, until

VECTOR = next(vector for vector in vectors_for("ascon-aead128") if vector.data and vector.aad)
SEALED = (VECTOR.expect_out or b"") + (VECTOR.expect_tag or b"")
IN_ENCRYPTION, IN_DECRYPTION = "*clen = mlen + CRYPTO_ABYTES;", "*mlen = clen - CRYPTO_ABYTES;"
CONSTRUCTOR = "__attribute__((constructor)) static void first(void)"

needs_sandbox = pytest.mark.skipif(
    not guards.available(), reason="this system offers no filter of system calls"
)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Folder of harmless code: most folders below differ from it in one file, so that the other is
    compiled once.
    """
    return folders.aead(tmp_path_factory.mktemp("honest") / "code")


@pytest.fixture
def hostile(honest, tmp_path):
    """Makes code of the honest one: ``extra`` is another file of it, ``at`` and ``does`` change its
    functions.
    """

    def make(extra: str = "", at: str = "", does: str = "") -> UserCode:
        folder = tmp_path / "hostile"
        shutil.copytree(honest, folder)
        if extra:
            (folder / "extra.c").write_text(extra)
        source = folder / "encrypt.c"
        source.write_text(
            f"{HEADERS}{source.read_text().replace(at, at + does, 1) if at else source.read_text()}"
        )
        return add_code(Workspace(), GivenCode(folder, declared=["ascon-aead128"], unproved=True))[
            1
        ]

    return make


HEADERS = (
    "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include "
    "<unistd.h>\n"
)


def job(operation: str = "encrypt-message") -> Job:
    sealing = operation == "encrypt-message"
    return Job(
        "ascon-aead128",
        operation,
        key=VECTOR.key or b"",
        nonce=VECTOR.nonce or b"",
        aad=VECTOR.aad or b"",
        data=VECTOR.data if sealing else VECTOR.expect_out or b"",
        tag=b"" if sealing else VECTOR.expect_tag or b"",
    )


def outcome(
    code: UserCode, operation: str = "encrypt-message", timeout: float = 20.0
) -> ProbeFailure | bytes:
    """Output of one operation, or its failure."""
    session = CodeSession(code, "O2", ThisMachine())
    try:
        answer = session.compute(job(operation), timeout=timeout)
        return (answer.out or b"") + (answer.tag or b"")
    except ProbeFailure as failure:
        return failure
    finally:
        session.close()


def failure_of(
    code: UserCode, operation: str = "encrypt-message", timeout: float = 20.0
) -> ProbeFailure:
    found = outcome(code, operation, timeout)
    assert isinstance(found, ProbeFailure), found
    return found


def test_honest_code_is_in_a_sandbox_and_right(hostile):
    code = hostile()
    assert outcome(code) == SEALED
    said = guards.SANDBOXED if guards.available() else guards.OPEN
    assert list(code.remarks) == [f"{code.name}: {said}"]


@pytest.mark.parametrize(
    ("operation", "at", "does", "words"),
    [
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "c[*clen] = 0;",
            "ciphertext and tag: the code wrote behind the buffer",
        ),
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "c[-1] = 0;",
            "ciphertext and tag: the code wrote before the buffer",
        ),
        (
            "decrypt-message",
            IN_DECRYPTION,
            "m[clen] = 0;",
            "the decrypted message: the code wrote behind the buffer",
        ),
        (
            "decrypt-message",
            IN_DECRYPTION,
            "m[-1] = 0;",
            "the decrypted message: the code wrote before the buffer",
        ),
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "((unsigned char *)k)[15] ^= 1;",
            "the code changed its input",
        ),
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "((unsigned char *)npub)[0] ^= 1;",
            "the code changed its input",
        ),
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "((unsigned char *)ad)[0] ^= 1;",
            "the code changed its input",
        ),
        (
            "encrypt-message",
            IN_ENCRYPTION,
            "((unsigned char *)m)[0] ^= 1;",
            "the code changed its input",
        ),
    ],
)
def test_what_is_written_beside_the_output_is_a_wrong_answer(hostile, operation, at, does, words):
    failure = failure_of(hostile(at=at, does=does), operation)
    assert failure.kind is FailureKind.WRONG_ANSWER and words in failure.message


def test_a_last_block_that_is_decrypted_whole_has_room(hostile):
    code = hostile(at=IN_DECRYPTION, does="m[clen - 1] = 0;")
    assert outcome(code, "decrypt-message") == VECTOR.data


@needs_sandbox
@pytest.mark.parametrize("place", ["function", "constructor"])
@pytest.mark.parametrize(
    ("does", "call"),
    [
        ('open("/etc/passwd", O_RDONLY);', "openat"),
        ('open("/tmp/motebench-evil", O_CREAT | O_WRONLY, 0600);', "openat"),
        ("fork();", "clone"),
        ("kill(getppid(), SIGKILL);", "kill"),
        ('execl("/bin/true", "true", (char *)0);', "execve"),
        ("signal(SIGSYS, SIG_IGN);", "rt_sigaction"),
        ('unlink("/tmp/motebench-evil");', "unlink"),
    ],
)
def test_what_the_sandbox_refuses_is_a_crash_that_names_it(hostile, place, does, call):
    if place == "function":
        code = hostile(at=IN_ENCRYPTION, does=does)
    else:
        code = hostile(extra=f"{HEADERS}{CONSTRUCTOR} {{ {does} }}\n")
    failure = failure_of(code)
    assert failure.kind is FailureKind.CRASH
    assert f"the code asked the system for {call}, which the sandbox refuses" in failure.message
    assert not Path("/tmp/motebench-evil").exists()


@pytest.mark.parametrize(
    "does",
    [
        'puts("some words"); fflush(stdout); (void)!write(2, "more", 4);',
        "for (int i = 0; i < 1024; i++) close(i);"
        if guards.available()
        else "close(0); close(1); close(2);",
        "char one; (void)!read(0, &one, 1);",
    ],
)
def test_streams_of_the_code_are_not_those_of_the_probe(hostile, does):
    assert outcome(hostile(at=IN_ENCRYPTION, does=does)) == SEALED


def test_a_clock_of_its_own_changes_nothing(hostile):
    code = hostile(
        extra="struct timespec; int clock_gettime(int id, struct timespec *t)\n{ (void)id, "
        "(void)t; return 0; }\n"
        "long syscall(long n, ...)\n{ return n - n; }\n"
    )
    session = CodeSession(code, "O2", ThisMachine())
    try:
        timing = session.measure(job(), batch=100, count=2, warm=1, timeout=120)
    finally:
        session.close()
    assert all(ticks > 1000 for ticks in timing.ticks)


@pytest.mark.parametrize(
    ("does", "kind", "words"),
    [
        (
            "volatile char big[64 << 20]; for (int i = 0; i < 64 << 20; i += 512) big[i] = 1;",
            "crash",
            "SIGSEGV",
        ),
        (
            "for (;;) { volatile char *p = malloc(1 << 26); if (!p) abort(); p[0] = 1; }",
            "crash",
            "SIGABRT",
        ),
        ('for (;;) __asm__ volatile("");', "timeout", "no answer within 0.5 s"),
        ("raise(SIGSTOP);", "timeout", "no answer within 0.5 s"),
        ("_exit(0);", "crash", "exited with status 0"),
    ],
)
def test_what_takes_everything_ends_soon(hostile, does, kind, words):
    failure = failure_of(
        hostile(at=IN_ENCRYPTION, does=does), timeout=0.5 if kind == "timeout" else 120
    )
    assert failure.kind.value == kind and words in failure.message


IGNORING = (
    "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); signal(SIGXCPU, SIG_IGN); "
)
LOOP = 'for (;;) __asm__ volatile("");'
ORCHESTRATOR = """
import sys
from pathlib import Path
from motebench.targets.code.workspace import Workspace, GivenCode, add_code
from motebench.targets.host.this_machine import ThisMachine
from motebench.targets.code.session import CodeSession
from motebench.targets.wire.messages import Job
given = GivenCode(Path(sys.argv[1]), declared=["ascon-aead128"], unproved=True)
code = add_code(Workspace(), given)[1]
session = CodeSession(code, "O2", ThisMachine())
session.hello
print(session._probe.pid, flush=True)
job = Job("ascon-aead128", "encrypt-message", bytes(16), bytes(16), b"", b"x")
session.compute(job, timeout=7200)
"""


def test_a_loop_that_ignores_signals_ends_in_time(hostile):
    failure = failure_of(hostile(at=IN_ENCRYPTION, does=IGNORING + LOOP), timeout=0.5)
    assert failure.kind is FailureKind.TIMEOUT


def test_a_loop_that_ignores_signals_ends_with_a_killed_orchestrator(hostile):
    folder = hostile(at=IN_ENCRYPTION, does=IGNORING + LOOP).folder.path
    orchestrator = subprocess.Popen(
        [sys.executable, "-c", ORCHESTRATOR, str(folder)], stdout=subprocess.PIPE
    )
    assert orchestrator.stdout is not None
    probe = int(orchestrator.stdout.readline())
    try:
        until(lambda: ticks(probe) > 20, "the code loops")
        orchestrator.kill()
        until(lambda: gone({probe}), "the code ended")
    finally:
        end({probe})
        orchestrator.communicate()


def test_the_limits_of_a_process_with_user_code(hostile):
    session = CodeSession(hostile(), "O2", ThisMachine())
    try:
        assert session.hello.implementation
        lines = Path(f"/proc/{session._probe.pid}/limits").read_text().splitlines()
    finally:
        session.close()
    limits = {line[4:25].strip(): line[25:].split()[:2] for line in lines[1:]}
    wanted = {
        "cpu time": 21600,
        "address space": 2048 << 20,
        "file size": 1 << 20,
        "processes": 0,
        "core file size": 0,
    }
    for name, most in wanted.items():
        assert all(value != "unlimited" and int(value) <= most for value in limits[name]), (
            name,
            limits[name],
        )


def test_a_function_that_the_loader_chooses_would_run_too_soon(hostile):
    chosen = (
        "static int one(void) { return 1; }\nstatic void *resolve(void) { return (void *)one; }\n"
    )
    extra = (
        f'{chosen}int chosen(void) __attribute__((ifunc("resolve")));\nint (*volatile '
        "user)(void) = chosen;\n"
    )
    failure = failure_of(hostile(extra=extra))
    assert (
        failure.kind is FailureKind.BUILD
        and "chosen" in failure.message
        and "ifunc" in failure.message
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('#include "/dev/zero"\n', "limit of 2048 MiB of memory"),
        ('#include "extra.c"\n#include "extra.c"\n', "limit of 64 MiB for a file"),
        ('__asm__(".incbin \\"/dev/zero\\"");\n', "/dev/zero"),
        ('__asm__(".fill 1 << 30, 8, 1");\n', "limit of"),
    ],
)
def test_a_source_without_end_is_a_build_failure(hostile, source, words):
    failure = failure_of(hostile(extra=source))
    assert failure.kind is FailureKind.BUILD and words in failure.message


def test_what_is_no_file_is_refused_before_anything_reads_it(honest, tmp_path):
    for name, make in {
        "pipe": os.mkfifo,
        "link": lambda path: path.symlink_to("/dev/zero"),
    }.items():
        folder = tmp_path / name
        shutil.copytree(honest, folder)
        make(folder / "endless.h")
        with pytest.raises(InputError, match="neither a file nor a folder"):
            add_code(Workspace(), GivenCode(folder, declared=["ascon-aead128"]))
    with pytest.raises(InputError, match="not a regular file"):
        add_code(Workspace(), GivenCode(honest, kats=[Path("/dev/zero")]))


@needs_sandbox
def test_a_run_says_what_held_the_code(motebench, tmp_path):
    folder = folders.submission(tmp_path)
    source = folder / "encrypt.c"
    source.write_text(
        HEADERS + source.read_text().replace(IN_ENCRYPTION, f"{IN_ENCRYPTION} fork();")
    )
    result = motebench(
        "run", "--code", str(folder), "--fast", "--budget", "300ms", "--size", "16", "--json"
    )
    assert result.code == 3 and not result.json["measurements"]
    assert all(
        row["kind"] == "crash" and "asked the system for clone" in row["message"]
        for row in result.json["failures"]
    )


def test_the_whole_group_of_a_probe_ends(tmp_path):
    from motebench.targets.wire.stream import ProcessStream

    script = f"cd {tmp_path}; sleep 600 & echo $! > child; sleep 600"
    stream = ProcessStream(["/bin/sh", "-c", script])
    try:
        until(
            lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text().strip(),
            "the child is there",
        )
    finally:
        stream.close()
    child = int((tmp_path / "child").read_text())
    until(lambda: gone({child}), "the child ended")


def test_a_probe_that_is_alone_has_an_empty_folder_and_no_variables(monkeypatch):
    from motebench.targets.wire.stream import ProcessStream

    monkeypatch.setenv("MOTEBENCH_TEST_SECRET", "secret")
    stream = ProcessStream(
        ["/bin/sh", "-c", "ls -A .; echo x > file; echo $MOTEBENCH_TEST_SECRET."], alone=True
    )
    told = b""
    while more := stream.receive(stream.now() + 20):
        told += more
    stream.close()
    assert told == b".\n"
