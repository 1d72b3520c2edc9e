"""A session in which every operation is a process: files in, files out, with the account of the
process."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from motebench.base.model import FailureKind
from motebench.targets.command.desk import Desk, ProcessAccount
from motebench.targets.command.openssl import (
    OpensslProgram,
    Recipe,
    Verb,
    from_public_der,
    private_pem,
    public_pem,
    rejected,
)
from motebench.targets.wire.messages import (
    Clock,
    FileTiming,
    Fill,
    Hello,
    Job,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
    fill,
)
from motebench.version import __version__

_MOST = 2**31 - 1
_LONGEST_RESULT = 1 << 16
_LONGEST_OUTPUT = 1 << 20
_ENCRYPTING = ("encrypt", "encrypt-message", "encrypt-new-key")


@dataclass(frozen=True, slots=True)
class _CommandRun:
    """One command: its inputs and outputs, and how to run it."""

    recipe: Recipe
    job: Job
    operation: str
    source: str
    destination: str
    timeout: float
    drop: bool = False
    flush: bool = False

    @property
    def files(self) -> tuple[str, str]:
        return self.source, self.destination

    @property
    def padded(self) -> bool:
        """True if padding is added or removed: whole messages of modes that work on whole
        blocks.
        """
        return self.recipe.block > 1 and self.operation not in ("encrypt", "decrypt")


class CommandSession:
    """A conversation with one probe. No process exists between two calls."""

    def __init__(self, implementation: str, program: OpensslProgram, desk: Desk) -> None:
        self._program, self._desk = program, desk
        clock = Clock("CLOCK_MONOTONIC_RAW", 10**9, 1, 0.0)
        self._hello = Hello(
            probe=f"motebench-command {__version__}",
            implementation=implementation,
            version=program.version,
            compiler=program.compiler,
            flags=program.options,
            arch=desk.architecture,
            clock=clock,
            counter=None,
            cpu=None,
            max_frame=_MOST,
            max_data=_MOST,
            does=frozenset({"hello", "list", "compute", "file"}),
        )

    @property
    def hello(self) -> Hello:
        """The program and its version."""
        return self._hello

    jit = False

    def hello_of(self, scheme: str) -> Hello:
        """The same for every scheme."""
        del scheme
        return self._hello

    @property
    def generation(self) -> int:
        """Constant: there is no probe to restart."""
        return 1

    def offers(self) -> dict[str, Offer]:
        """The schemes that the program offers, by name."""
        return {name: recipe.offer for name, recipe in self._program.offered.items()}

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        """Do the operation once, on small files."""
        recipe = self._recipe(job)
        desk = self._desk
        with desk.folder(None) as folder:
            work = _CommandRun(
                recipe, job, job.operation, f"{folder}/input", f"{folder}/output", timeout
            )
            if public:
                out = self._public(work, folder)
                return ProbeAnswer(False, out, length=len(out), crc=zlib.crc32(out))
            if job.operation not in recipe.offer.operations or job.inverse:
                problem = f"{job.operation} of {'an inverse' if job.inverse else job.scheme}"
                raise ProbeFailure(
                    FailureKind.UNSUPPORTED, f"{problem} is not offered on the command line"
                )
            data = fill(job.data.seed, job.data.length) if isinstance(job.data, Fill) else job.data
            desk.write(work.source, data)
            if self._process(work, folder) is None:
                return ProbeAnswer(rejected=True)
            # Verifying has no output; every other operation must have one.
            out = b"" if job.operation == "verify" else self._output(work)
        return ProbeAnswer(False, None if brief else out, length=len(out), crc=zlib.crc32(out))

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """Made by the program itself."""
        return self.compute(job, timeout=timeout).out or b""

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        """Unsupported: a process does its work once."""
        del batch, count, warm, timeout, reference
        raise ProbeFailure(
            FailureKind.UNSUPPORTED,
            f"{job.operation}: target command measures whole files only: use {job.operation}-file",
        )

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Unsupported: a process does its work once."""
        del evict
        return self.measure(jobs[0], batch=1, count=len(jobs), warm=0, timeout=timeout)

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Unsupported: the peak of the process comes with each whole file."""
        del timeout
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"{job.operation}: target command measures whole files only"
        )

    def file(
        self,
        job: Job,
        *,
        source: str,
        destination: str,
        chunk: int,
        cold: bool,
        sync: bool,
        timeout: float,
    ) -> FileTiming:
        """Process a whole file. ``chunk`` does not apply: programs choose it themselves."""
        del chunk
        size = self._size(source)
        with self._desk.folder(str(PurePosixPath(destination).parent)) as folder:
            if job.operation == "copy-file":
                account, result = self._copy(source, destination, timeout, cold, sync), b""
            else:
                recipe = self._recipe(job)
                operation = _of_file(recipe, job.operation)
                work = _CommandRun(recipe, job, operation, source, destination, timeout, cold, sync)
                done = self._process(work, folder)
                if done is None:
                    return FileTiming(rejected=True)
                account, result = done, self._result(work)
        return FileTiming(
            rejected=False,
            elapsed=account.elapsed,
            user=account.user,
            system=account.system,
            read=size,
            written=len(result) or self._desk.size(destination) or 0,
            peak=account.peak,
            result=result,
            cpu_source="wait4",
            peak_source="ru_maxrss",
        )

    def close(self) -> None:
        """Do nothing: no connection is open."""

    def _recipe(self, job: Job) -> Recipe:
        recipe = self._program.offered.get(job.scheme)
        if recipe is None:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"{self._hello.version} does not offer {job.scheme}"
            )
        return recipe

    def _process(self, work: _CommandRun, folder: str) -> ProcessAccount | None:
        """Run the command of ``work``; None if it rejects its input. ``folder`` is for keys and
        signatures."""
        command = self._command(work, folder)
        account = self._run(work, command)
        if account is not None and work.recipe.verb is Verb.CIPHER:
            self._check_length(work)
        return account

    def _command(self, work: _CommandRun, folder: str) -> list[str]:
        recipe, job, program = work.recipe, work.job, self._program
        if recipe.verb is Verb.CIPHER:
            decrypt = work.operation not in _ENCRYPTING
            return program.cipher(recipe, job, decrypt=decrypt, pad=work.padded, files=work.files)
        if recipe.verb is Verb.DIGEST:
            return program.digest(recipe, work.files)
        if recipe.verb is Verb.MAC:
            return program.mac(recipe, job, work.files)
        key, signature = f"{folder}/key.pem", f"{folder}/signature"
        if work.operation == "sign":
            self._desk.write(key, private_pem(recipe.family, job.key))
            return program.sign(recipe, key, work.files)
        self._desk.write(key, public_pem(recipe.family, job.key))
        self._desk.write(signature, job.signature)
        return program.verify(recipe, key, signature, work.source)

    def _public(self, work: _CommandRun, folder: str) -> bytes:
        if work.recipe.verb is not Verb.SIGNATURE:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{work.recipe.scheme} has no public key")
        key = f"{folder}/key.pem"
        self._desk.write(key, private_pem(work.recipe.family, work.job.key))
        self._run(work, self._program.public(key, work.destination))
        return from_public_der(work.recipe.family, self._output(work))

    def _copy(
        self, source: str, destination: str, timeout: float, cold: bool, sync: bool
    ) -> ProcessAccount:
        """The disk's floor: the same file copied by ``cp``, byte by byte even where the file system
        could share it."""
        program = self._desk.which("cp")
        if program is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, "there is no program cp on PATH")
        recipe = Recipe("copy", Verb.CIPHER, "")
        work = _CommandRun(
            recipe, Job("", "copy"), "copy", source, destination, timeout, cold, sync
        )
        account = self._run(work, [program, *self._plainly(program), "--", *work.files])
        assert account is not None
        self._check_length(work)
        return account

    def _plainly(self, program: str) -> tuple[str, ...]:
        """Options with which ``cp`` copies each byte. BusyBox has no such options, and copies each
        byte anyway.
        """
        options = ("--reflink=never", "--sparse=never")
        return options if self._desk.output_of([program, *options, "--help"]) is not None else ()

    def _output(self, work: _CommandRun) -> bytes:
        return self._desk.read(work.destination, _LONGEST_OUTPUT)

    def _result(self, work: _CommandRun) -> bytes:
        """The digest, MAC or signature, which is a result and not a file."""
        if work.recipe.verb is Verb.CIPHER or work.operation == "verify":
            return b""
        result = self._desk.read(work.destination, _LONGEST_RESULT)
        self._desk.remove(work.destination)
        return result

    def _run(self, work: _CommandRun, command: list[str]) -> ProcessAccount | None:
        """The account of a command that succeeded, None for a rejection. Otherwise the output is
        removed."""
        try:
            account = self._desk.run(
                command,
                timeout=work.timeout,
                drop=work.source if work.drop else None,
                flush=work.destination if work.flush else None,
                output=work.destination,
            )
            if account.status == 0:
                return account
            if rejected(command, account.status, account.words):
                self._desk.remove(work.destination)
                return None
            name = PurePosixPath(command[0]).name
            raise ProbeFailure(
                FailureKind.of(account.words, FailureKind.ERROR),
                f"{name} ended with {account.status}: {account.words}",
            )
        except BaseException:
            self._desk.remove(work.destination)
            raise

    def _check_length(self, work: _CommandRun) -> None:
        """Check the length of an output: some programs do not notice that its last bytes could not
        be written.
        """
        size, written, block = (
            self._size(work.source),
            self._size(work.destination),
            work.recipe.block,
        )
        if not work.padded:
            good = written == size
        elif work.operation in _ENCRYPTING:
            good = written == (size // block + 1) * block
        else:
            good = size - block <= written < size
        if not good:
            self._desk.remove(work.destination)
            raise ProbeFailure(FailureKind.ERROR, f"{work.operation} of {size} B wrote {written} B")

    def _size(self, path: str) -> int:
        size = self._desk.size(path)
        if size is None:
            raise ProbeFailure(
                FailureKind.ERROR, f"{PurePosixPath(path).name}: No such file or directory"
            )
        return size


def _of_file(recipe: Recipe, operation: str) -> str:
    """The operation that a whole-file operation applies to the content. ProbeFailure if the scheme
    does not have it."""
    base = operation.removesuffix("-file")
    whole = f"{base}-message" if base in ("encrypt", "decrypt") else base
    if base == operation or whole not in recipe.offer.operations:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, f"{operation} of {recipe.scheme} is not offered"
        )
    return whole
