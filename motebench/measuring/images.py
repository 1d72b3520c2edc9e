"""The firmware of a case as a file; for standalone firmware with its script."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from motebench.base.errors import ExitCode, InputError, SetupError
from motebench.base.files.access import FileKind, check, write
from motebench.base.model import Case, FailureKind, Kind, Operation, Scheme
from motebench.base.naming import SIMULATED, did_you_mean, no_implementation, plain
from motebench.base.units import parse_size
from motebench.catalog.devices import Device
from motebench.catalog.vectors.files import vectors_for
from motebench.catalog.vectors.model import Vector
from motebench.measuring.verify.admission import known_answers
from motebench.measuring.verify.steps import CheckStep, steps, why_not, why_not_step
from motebench.measuring.work import jobs
from motebench.targets.base import Session
from motebench.targets.board.board import FirmwareProvider, firmware_providers
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import FirmwareImage, FirmwareRole, check_fit, offers_of
from motebench.targets.firmware.forms import flashable, placed
from motebench.targets.firmware.sources import ScriptStep, write_script
from motebench.targets.firmware.toolchain import compiler_hint
from motebench.targets.host.this_machine import this_machine
from motebench.targets.registry import device_of, open_target, target_names
from motebench.targets.settings import parse
from motebench.targets.wire.frames import payload_of
from motebench.targets.wire.messages import Fill, Job, Offer, ProbeFailure, fill

_FORMATS = {".hex": "ihex", ".bin": "binary", ".uf2": "uf2"}
_FORMS = {".hex": FileKind.HEX, ".bin": FileKind.BINARY, ".uf2": FileKind.UF2}
_BULK = (Operation.KEY_SETUP, Operation.ENCRYPT, Operation.DECRYPT)
_OPERATIONS = {
    Kind.CIPHER: _BULK,
    Kind.STREAM: _BULK,
    Kind.AEAD: (Operation.KEY_SETUP, Operation.ENCRYPT_MESSAGE, Operation.DECRYPT_MESSAGE),
    Kind.HASH: (Operation.DIGEST,),
    Kind.MAC: (Operation.KEY_SETUP, Operation.MAC),
    Kind.KEM: (Operation.KEYGEN, Operation.ENCAPSULATE, Operation.DECAPSULATE),
    Kind.SIGNATURE: (Operation.SIGN, Operation.VERIFY),
    Kind.AGREEMENT: (Operation.AGREE,),
}
_KNOWN_BYTES = 64
"""Longest input of a built-in known answer."""


def write_firmware(
    workspace: Workspace,
    target: str,
    implementation: str,
    scheme: str,
    output: Path,
    *,
    alone: tuple[Sequence[str], str] | None,
    force: bool,
) -> None:
    """Write the firmware of a case to ``output``; with ``alone`` (operations, size), standalone
    firmware.

    ``force``: replace a file of another kind.
    """
    check(output, _FORMS.get(output.suffix, FileKind.ELF), force=force)
    device = device_of(target)
    if device is None:
        boards = [name for name in target_names() if name.startswith(SIMULATED)]
        raise InputError(
            f"{target} is not a board", where="--target", valid=f"{', '.join(boards)}, serial:PORT"
        )
    provider, resolved = (
        provider_of(workspace, device, implementation),
        workspace.schemes.resolve(scheme),
    )
    try:
        _offers(provider, implementation, resolved.name)
        offer = provider.offers()[resolved.name]
        script = (
            None
            if alone is None
            else _script(workspace, device, implementation, resolved, offer, *alone)
        )
        image = provider.image(device, resolved.name, FirmwareRole(script))
        check_fit(device, image)
        simulated = parse(target)
        image = placed(device, image, simulated[1].place if simulated else 0)
        _write(device, image, output, force)
    except ProbeFailure as failure:
        raise SetupError(
            f"{implementation}, {scheme}: {failure.kind.value}: {failure.message}"
        ) from None


def image_of(
    workspace: Workspace, device: Device, implementation: str, scheme: str
) -> FirmwareImage:
    """Firmware of a scheme for a device, built if necessary. InputError for an unknown scheme, or
    if it does not fit.
    """
    name, provider = (
        workspace.schemes.resolve(scheme).name,
        provider_of(workspace, device, implementation),
    )
    try:
        _offers(provider, implementation, name)
        image = provider.image(device, name)
        check_fit(device, image)
        return image
    except ProbeFailure as failure:
        raise InputError(
            f"{failure.kind.value}: {failure.message}", exit_code=ExitCode.FAILURES
        ) from failure


def _offers(provider: FirmwareProvider, implementation: str, scheme: str) -> None:
    """InputError for a scheme that the implementation has not: its firmware would be one without a
    cipher.
    """
    offered = provider.offers()
    if scheme not in offered:
        hint = (
            did_you_mean(scheme, offered)
            or f"`motebench describe {scheme}` says which implementations offer it"
        )
        raise InputError(
            f"{implementation} does not offer {scheme}",
            where="--scheme",
            valid=", ".join(offered),
            hint=hint,
        )


def provider_of(workspace: Workspace, device: Device, implementation: str) -> FirmwareProvider:
    """Provider of ``--implementation`` for a board with that device. InputError for an unknown
    implementation.
    """
    available = firmware_providers(device, workspace.code)
    if implementation not in available:
        elsewhere = f"`motebench describe {implementation}` says on which targets it runs"
        raise no_implementation(
            implementation,
            list(available),
            device.id,
            where="--implementation",
            otherwise=elsewhere,
            compiler=compiler_hint(implementation, device),
        )
    return available[implementation]


def _write(device: Device, image: FirmwareImage, output: Path, force: bool) -> None:
    form = _FORMATS.get(output.suffix)
    source = flashable(device, image, form) if form else image.path
    write(output, source.read_bytes(), _FORMS.get(output.suffix, FileKind.ELF), force=force)


def _script(
    workspace: Workspace,
    device: Device,
    implementation: str,
    scheme: Scheme,
    offer: Offer,
    names: Sequence[str],
    size: str,
) -> Path:
    """The script of standalone firmware: a known answer, then each operation once."""
    length = parse_size(size, where="--size")
    answers, session = _asked(workspace, device, implementation, scheme)
    try:
        chosen = _chosen(scheme, offer, names)
        script = [*_known_answer(answers, session, scheme, offer)]
        script += [_timed(session, scheme, offer, operation, length) for operation in chosen]
    finally:
        session.close()
    return write_script(f"{implementation} {scheme.name}", script)


def _asked(
    workspace: Workspace, device: Device, implementation: str, scheme: Scheme
) -> tuple[Sequence[Vector], Session]:
    """Known answers, and the session that computes the expected output of the other steps.

    That session runs the same source on this machine; for user code, which may be for the board
    only, on the simulated board.
    """
    code = workspace.code_of(implementation)
    if code is None:
        return vectors_for(scheme.name), this_machine().open(offers_of(plain(implementation)))
    answers = known_answers(code, scheme.name)
    if not answers and not code.unproved:
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, "no known answers; --without-kat writes the firmware anyway"
        )
    return answers, open_target(f"{SIMULATED}{device.id}", code=workspace.code).open(implementation)


def _chosen(scheme: Scheme, offer: Offer, names: Sequence[str]) -> list[Operation]:
    chosen = [name.strip() for entry in names for name in entry.split(",")] or [
        operation.value
        for operation in _OPERATIONS.get(scheme.kind, ())
        if operation.value in offer.operations
    ]
    for name in chosen:
        if name not in offer.operations:
            raise InputError(
                f"{scheme.name} does not have the operation {name!r}",
                where="--operation",
                valid=", ".join(sorted(offer.operations)),
            )
    return [Operation(name) for name in chosen]


def _request(number: int, action: str, job: Job, **more: Any) -> bytes:
    return payload_of({"id": number, "do": action, **job.fields(), **more})


def _known_answer(
    answers: Sequence[Vector], session: Session, scheme: Scheme, offer: Offer
) -> Iterator[ScriptStep]:
    """The first known answer that is short enough."""
    for vector in answers:
        if len(vector.data) > _KNOWN_BYTES or why_not(vector, session.hello, offer):
            continue
        for step in steps(vector):
            crc = _crc_of(step, scheme, offer)
            if crc is not None and not why_not_step(step, offer):
                label = f"{step.operation.value}, known answer {vector.id}"
                yield ScriptStep(label, _request(1, "compute", step.job, brief=True), crc)
                return


def _crc_of(step: CheckStep, scheme: Scheme, offer: Offer) -> int | None:
    """CRC-32 of the only right answer of a step; None if there are several or none."""
    if step.rejected or step.may_reject or step.out is None:
        return None
    if step.prefix and len(step.out) != offer.tag[1]:
        return None
    if scheme.kind is Kind.KEM:
        return zlib.crc32(step.out + step.second)
    if (
        scheme.kind is Kind.AEAD
        and step.operation is Operation.ENCRYPT_MESSAGE
        and step.tag is None
    ):
        return None
    tag = (
        step.tag
        if scheme.kind is Kind.AEAD and step.operation is Operation.ENCRYPT_MESSAGE
        else None
    )
    return zlib.crc32(step.out + (tag or b""))


def _timed(
    session: Session, scheme: Scheme, offer: Offer, operation: Operation, length: int
) -> ScriptStep:
    """A request for a batch of one, as in a run."""
    with_input = operation is not Operation.KEY_SETUP and length > 0
    data: bytes | Fill = Fill(jobs.input_seed(scheme.name), length) if with_input else b""
    if scheme.kind.public_key:
        case = Case(
            scheme.name, "", operation, length if operation.sized else 0, SIMULATED, provider=""
        )
        job = jobs.build(case, scheme, offer, session)
    else:
        job = jobs.symmetric(scheme, offer, operation, data)
    if job.inverse:
        crc = zlib.crc32(fill(jobs.input_seed(scheme.name), length if with_input else 0))
    else:
        crc = session.compute(job, brief=True).crc
        if jobs.random_result(job) and session.compute(job, brief=True).crc != crc:
            raise ProbeFailure(
                FailureKind.UNSUPPORTED, f"{operation.value} gives another result each time"
            )
    label = f"{operation.value} {length} B" if operation.sized else operation.value
    return ScriptStep(label, _request(2, "measure", job, batch=1, count=1, warm=0), crc)
