"""Whole-file visits: a real file in, a real file out, and a check of the output."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

from motebench.base.model import EMPTY_FILE, Case, Evidence, FailureKind, Kind, Operation, Scheme
from motebench.catalog.vectors.keys import public_key, test_key
from motebench.measuring.plan.cases import GENERATED
from motebench.measuring.run.context import Pool
from motebench.measuring.study.model import WholeFile
from motebench.measuring.work import jobs, readings
from motebench.measuring.work.readings import Reading
from motebench.targets.base import HASHES, Disk, Place, Session
from motebench.targets.wire.messages import FileTiming, Job, Offer, ProbeFailure

_SLOWEST = 50_000.0
"""Bytes a second below which a whole-file operation counts as hanging."""


class ScratchFolder:
    """Files of a lane's cases, at each place on its disk; removed at the end."""

    def __init__(self, settings: WholeFile) -> None:
        self.settings = settings
        self._disks: dict[str, Disk] = {}

    def disk(self, place: Place) -> Disk:
        """Disk of a place. ProbeFailure if whole files are not measured there."""
        if place.name not in self._disks:
            self._disks[place.name] = place.disk(self.settings.folder)
        return self._disks[place.name]

    def notes(self) -> list[str]:
        """Places of the files and state of the page cache, for readers of the run."""
        how = (
            "dropped from the page cache before each reading"
            if self.settings.cache == "cold"
            else "in the page cache"
        )
        return [
            f"{name}: files are in {where}; the input is {how}"
            for name, disk in self._disks.items()
            for where in disk.notes()
        ]

    def close(self) -> None:
        """Remove everything."""
        while self._disks:
            self._disks.popitem()[1].close()


@dataclass
class FileCase:
    """State of a whole-file case while it is measured."""

    case: Case
    scheme: Scheme | None
    """None for the plain copy."""
    offer: Offer | None
    evidence: Evidence
    scratch: ScratchFolder
    values: list[float] = field(default_factory=list)
    taken: int = 0
    _job: Job | None = None
    _source: str | None = None

    def visit(self, pool: Pool) -> list[Reading]:
        """One pass over the file in a fresh process. Raises ProbeFailure."""
        session = pool.fresh(self.case.target, self.case.provider)
        try:
            if "file" not in session.hello.does:
                raise ProbeFailure(
                    FailureKind.UNSUPPORTED, "the probe does not measure whole files"
                )
            disk = self.scratch.disk(pool.place(self.case.target))
            first = self._job is None
            if first:
                self._prepare(session, disk)
            assert self._job is not None and self._source is not None
            out = disk.output("output")
            timing = self._run(session, self._job, self._source, out)
            self._check_sizes(timing, disk)
            result = readings.of_file(timing, session.hello, self.evidence)
            if first:
                self._prove(session, timing, out, disk)
            disk.remove(out)
        finally:
            session.close()
        self.values.append(float(timing.elapsed))
        self.taken += 1
        return result

    def _run(self, session: Session, job: Job, source: str, out: str) -> FileTiming:
        settings = self.scratch.settings
        timing = session.file(
            job,
            source=source,
            destination=out,
            chunk=settings.chunk,
            cold=settings.cache == "cold",
            sync=settings.sync,
            timeout=60 + self.case.input_bytes / _SLOWEST,
        )
        if timing.rejected:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"{job.operation} rejects the output of its inverse operation",
            )
        return timing

    def _input(self, disk: Disk) -> str:
        if self.case.file in (GENERATED, EMPTY_FILE):
            return disk.generated(self.case.input_bytes)
        return disk.named(self.case.file or "")

    def _prepare(self, session: Session, disk: Disk) -> None:
        operation = self.case.operation
        source = self._input(disk)
        self._source = source
        if self.scheme is None or self.offer is None:
            self._job = Job("", operation.value)
            return
        if self.scheme.kind is Kind.SIGNATURE:
            sign = Job(self.scheme.name, Operation.SIGN_FILE.value, key=test_key(self.scheme.name))
            if operation is Operation.SIGN_FILE:
                self._job = sign
                return
            signature = self._run(session, sign, source, disk.output("signature")).result
            self._job = Job(
                self.scheme.name,
                operation.value,
                key=public_key(self.scheme.name),
                signature=signature,
            )
            return
        job = replace(jobs.symmetric(self.scheme, self.offer, operation, b""), inverse=False)
        if operation is Operation.DECRYPT_FILE:
            # Its own name: it is read in every round, and other cases have other files.
            encrypted = disk.output(
                f"encrypted-{hashlib.sha256(repr(self.case.id).encode()).hexdigest()}"
            )
            encrypt = replace(job, operation=Operation.ENCRYPT_FILE.value)
            job = replace(job, tag=self._run(session, encrypt, source, encrypted).result)
            self._source = encrypted
        self._job = job

    def _check_sizes(self, timing: FileTiming, disk: Disk) -> None:
        assert self._source is not None
        size = disk.size(self._source)
        if timing.read != size:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER, f"only {timing.read} B of {size} B were read"
            )

    def _prove(self, session: Session, timing: FileTiming, out: str, disk: Disk) -> None:
        """The output must decrypt to the input, or equal the answer of another program."""
        assert self._job is not None and self._source is not None
        operation = self.case.operation
        right = True
        if operation is Operation.COPY_FILE:
            right = disk.same(out, self._source)
        elif operation is Operation.DECRYPT_FILE:
            right = disk.same(out, self._input(disk))
        elif operation is Operation.ENCRYPT_FILE:
            back = disk.output("decrypted")
            decrypt = replace(self._job, operation=Operation.DECRYPT_FILE.value, tag=timing.result)
            self._run(session, decrypt, out, back)
            right = disk.same(back, self._source)
            if self.case.input_bytes:
                right = right and not disk.same(out, back)
            disk.remove(back)
        elif operation is Operation.SIGN_FILE and self.scheme is not None:
            verify = Job(
                self.scheme.name,
                Operation.VERIFY_FILE.value,
                key=public_key(self.scheme.name),
                signature=timing.result,
            )
            self._run(session, verify, self._source, disk.output("verified"))
        elif (
            operation is Operation.DIGEST_FILE
            and self.scheme is not None
            and self.scheme.name in HASHES
        ):
            right = disk.digest(self._source, self.scheme.name) in (None, timing.result)
        if not right:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER, f"the output of {operation.value} is wrong"
            )
