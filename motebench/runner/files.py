"""Whole-file visits: a real file in, a real file out, and a check of the output."""

from __future__ import annotations

import filecmp
import hashlib
import random
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from motebench.cases import GENERATED
from motebench.cleanup import TemporaryFolder
from motebench.model import EMPTY_FILE, Case, Evidence, FailureKind, Kind, Operation, Scheme
from motebench.runner import jobs, readings
from motebench.runner.pool import Pool
from motebench.runner.readings import Reading
from motebench.study.model import WholeFile
from motebench.targets.base import Session
from motebench.vectors.keys import public_key, test_key
from motebench.wire.messages import FileTiming, Job, Offer, ProbeFailure

_SLOWEST = 50_000.0
"""Bytes a second below which a whole-file operation counts as hanging."""
_CHUNK = 1 << 20
_HASHES = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}


class ScratchFolder:
    """A folder on disk for generated inputs and outputs, removed at the end."""

    def __init__(self, settings: WholeFile) -> None:
        self.settings = settings
        self._folder: TemporaryFolder | None = None

    @property
    def folder(self) -> Path:
        """Made when first needed, so that runs without files leave no trace."""
        if self._folder is None:
            try:
                self._folder = TemporaryFolder(self.settings.folder or ".")
            except OSError as error:
                place = self.settings.folder or "the current folder"
                kind = FailureKind.of(error, FailureKind.ERROR)
                raise ProbeFailure(kind, f"cannot write to {place}: {error.strerror}") from error
        return self._folder.path

    def source(self, case: Case) -> Path:
        """The input file of a case; a generated one is written once. ProbeFailure if the disk is full."""
        if case.file not in (GENERATED, EMPTY_FILE):
            return Path(case.file or "").absolute()
        path = self.folder / f"input-{case.input_bytes}"
        if not path.exists():
            self._room(3 * case.input_bytes)
            self._generate(path, case.input_bytes)
        return path

    def _room(self, needed: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise ProbeFailure(FailureKind.NO_ROOM, f"{needed} B of free disk space are needed, {free} B are free")

    def _generate(self, path: Path, size: int) -> None:
        rng = random.Random(size)
        try:
            with path.open("wb") as out:
                for start in range(0, size, _CHUNK):
                    out.write(rng.randbytes(min(_CHUNK, size - start)))
        except OSError as error:
            path.unlink(missing_ok=True)
            kind = FailureKind.of(error, FailureKind.ERROR)
            raise ProbeFailure(kind, f"cannot write {path.name}: {error.strerror}") from error

    def output(self, name: str) -> Path:
        """A path for an output."""
        return self.folder / name

    def close(self) -> None:
        """Remove everything."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None


@dataclass
class FileCase:
    """What is known about a whole-file case while it is measured."""

    case: Case
    scheme: Scheme | None
    """None for the plain copy."""
    offer: Offer | None
    evidence: Evidence
    scratch: ScratchFolder
    values: list[float] = field(default_factory=list)
    taken: int = 0
    _job: Job | None = None
    _source: Path | None = None
    _prepared: list[Path] = field(default_factory=list)

    def visit(self, pool: Pool) -> list[Reading]:
        """One pass over the file in a fresh process. Raises ProbeFailure."""
        session = pool.fresh(self.case.target, self.case.provider)
        try:
            if "file" not in session.hello.does:
                raise ProbeFailure(FailureKind.UNSUPPORTED, "the probe does not measure whole files")
            if not pool.place(self.case.target).local_files:
                raise ProbeFailure(FailureKind.UNSUPPORTED, "whole files are measured on this machine only")
            first = self._job is None
            if first:
                self._prepare(session)
            assert self._job is not None and self._source is not None
            out = self.scratch.output("output")
            timing = self._run(session, self._job, self._source, out)
            self._check_sizes(timing)
            result = readings.of_file(timing, session.hello, self.evidence)
            if first:
                self._prove(session, timing, out)
            out.unlink(missing_ok=True)
        finally:
            session.close()
        self.values.append(float(timing.elapsed))
        self.taken += 1
        return result

    def _run(self, session: Session, job: Job, source: Path, out: Path) -> FileTiming:
        settings = self.scratch.settings
        timing = session.file(
            job,
            source=str(source),
            destination=str(out),
            chunk=settings.chunk,
            cold=settings.cache == "cold",
            sync=settings.sync,
            timeout=60 + self.case.input_bytes / _SLOWEST,
        )
        if timing.rejected:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, f"{job.operation} rejects the output of its inverse operation")
        return timing

    def _prepare(self, session: Session) -> None:
        operation = self.case.operation
        source = self.scratch.source(self.case)
        self._source = source
        if self.scheme is None or self.offer is None:
            self._job = Job("", operation.value)
            return
        if self.scheme.kind is Kind.SIGNATURE:
            sign = Job(self.scheme.name, Operation.SIGN_FILE.value, key=test_key(self.scheme.name))
            if operation is Operation.SIGN_FILE:
                self._job = sign
                return
            signature = self._run(session, sign, source, self.scratch.output("signature")).result
            self._job = Job(self.scheme.name, operation.value, key=public_key(self.scheme.name), signature=signature)
            return
        job = replace(jobs.symmetric(self.scheme, self.offer, operation, b""), inverse=False)
        if operation is Operation.DECRYPT_FILE:
            # Its own name: it is read in every round, and other cases have other files.
            encrypted = self.scratch.output(f"encrypted-{hashlib.sha256(repr(self.case.id).encode()).hexdigest()}")
            encrypt = replace(job, operation=Operation.ENCRYPT_FILE.value)
            job = replace(job, tag=self._run(session, encrypt, source, encrypted).result)
            self._source = encrypted
        self._job = job

    def _check_sizes(self, timing: FileTiming) -> None:
        assert self._source is not None
        size = self._source.stat().st_size
        if timing.read != size:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, f"only only {timing.read} B of {size} B were read")

    def _prove(self, session: Session, timing: FileTiming, out: Path) -> None:
        """The output must decrypt to the input, or equal the answer of another program."""
        assert self._job is not None and self._source is not None
        operation = self.case.operation
        right = True
        if operation is Operation.COPY_FILE:
            right = filecmp.cmp(out, self._source, shallow=False)
        elif operation is Operation.DECRYPT_FILE:
            right = filecmp.cmp(out, self.scratch.source(self.case), shallow=False)
        elif operation is Operation.ENCRYPT_FILE:
            back = self.scratch.output("decrypted")
            decrypt = replace(self._job, operation=Operation.DECRYPT_FILE.value, tag=timing.result)
            self._run(session, decrypt, out, back)
            right = filecmp.cmp(back, self._source, shallow=False)
            if self.case.input_bytes:
                right = right and not filecmp.cmp(out, back, shallow=False)
            back.unlink(missing_ok=True)
        elif operation is Operation.SIGN_FILE and self.scheme is not None:
            verify = Job(
                self.scheme.name,
                Operation.VERIFY_FILE.value,
                key=public_key(self.scheme.name),
                signature=timing.result,
            )
            self._run(session, verify, self._source, self.scratch.output("verified"))
        elif operation is Operation.DIGEST_FILE and self.scheme is not None and self.scheme.name in _HASHES:
            with self._source.open("rb") as data:
                right = hashlib.file_digest(data, self.scheme.name).digest() == timing.result
        if not right:
            raise ProbeFailure(FailureKind.WRONG_ANSWER, f"the output of {operation.value} is wrong")
