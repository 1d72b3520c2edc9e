"""Processes of a fleet: the scheduler, and a worker on each lab host; their keys and certificates.

Dask is configured here, before anything of it starts: a failed worker's task is never repeated
behind our back (the process that runs the study resumes it), no web pages are served, and a link
may be cut for a minute.

A fleet has a CA of its own, and a certificate for the scheduler, each lab host and the client.
Whoever has a certificate of this CA can have every lab host run any program: the files are as
secret as a login.
"""

from __future__ import annotations

import asyncio
import datetime
import os
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError, SetupError
from motebench.base.process import cores as processors
from motebench.measuring.fleet.file import Fleet

if TYPE_CHECKING:
    from cryptography import x509
    from distributed import Security


_AGAIN_SECONDS = 2.0
_CONNECT_SECONDS = 30.0
_SETTINGS: dict[str, Any] = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "120s",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.low-level-log-length": 1000,
    "distributed.admin.tick.limit": "60s",
    "distributed.comm.timeouts.tcp": "90s",
    "distributed.comm.timeouts.connect": "20s",
    "distributed.logging": {"distributed": "error", "tornado": "critical", "bokeh": "critical"},
}


def configure() -> None:
    """Load Dask with our settings. SetupError if it is not installed."""
    try:
        import dask

        dask.config.set(_SETTINGS)
        import distributed  # noqa: F401
    except ImportError:
        raise SetupError(
            "Dask distributed is not installed", hint="pip install distributed cryptography"
        ) from None


def security(fleet: Fleet, member: str) -> Security | None:
    """Certificates of a member, and that of the CA that every other side must have; None on one
    machine alone.
    """
    from distributed import Security

    if fleet.tls is None:
        return None
    own = files(fleet.tls, member)
    sides = {
        f"tls_{side}_{part}": str(path)
        for side in ("client", "scheduler", "worker")
        for part, path in (("cert", own.certificate), ("key", own.key))
    }
    return Security(require_encryption=True, tls_ca_file=str(own.ca), tls_min_version=771, **sides)


def address_of(fleet: Fleet) -> str:
    """Address of a fleet's scheduler. InputError if it has none."""
    if fleet.scheduler is None:
        raise InputError(
            "the fleet has no scheduler",
            where=str(fleet.path),
            valid='[scheduler] with address = "tls://HOST:PORT" and tls = "FOLDER"',
        )
    return fleet.scheduler.address


def schedule(fleet: Fleet, say: Callable[[str], None]) -> None:
    """Run the scheduler until the process is ended. ``say`` gets its address."""
    address = address_of(fleet)
    configure()
    asyncio.run(_schedule(address, security(fleet, SCHEDULER), say))


async def _schedule(address: str, secured: Security | None, say: Callable[[str], None]) -> None:
    from distributed import Scheduler

    kind, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    options: dict[str, Any] = {
        "host": host.strip("[]"),
        "port": int(port),
        "protocol": kind,
        "security": secured,
    }
    try:
        async with Scheduler(
            **options, dashboard=False, dashboard_address="127.0.0.1:0"
        ) as scheduler:
            say(f"scheduler at {scheduler.address}")
            await scheduler.finished()
    except OSError as error:
        raise SetupError(
            f"{address} cannot be used: {error.strerror or error}", where="scheduler.address"
        ) from None


def resources(fleet: Fleet, at: str) -> dict[str, float]:
    """Resources of a lab host: each of its boards once, and processors for simulated ones.
    InputError for an unknown host.
    """
    if at not in fleet.hosts:
        from motebench.base.naming import did_you_mean

        raise InputError(
            f"the fleet has no lab host {at!r}",
            where="--at",
            valid=", ".join(fleet.hosts) or "a table [host.NAME]",
            hint=did_you_mean(at, fleet.hosts),
        )
    cores = fleet.hosts[at]
    boards = {resource(board.target): 1.0 for board in fleet.boards.values() if board.at == at}
    return {**boards, CORES: float(processors() if cores is None else cores)}


CORES = "cores"


def resource(target: str) -> str:
    """The worker resource of a board."""
    return f"board:{target}"


def work(fleet: Fleet, at: str, say: Callable[[str], None]) -> None:
    """Measure for studies until the process is ended; reconnect after a lost connection, which
    ``say`` reports.
    """
    from motebench.targets.wire.stream import end_probes

    address, has = address_of(fleet), resources(fleet, at)
    configure()
    secured = security(fleet, at)
    try:
        while True:
            asyncio.run(_work(address, secured, at, has, say))
            end_probes()  # what still measures is not wanted any more
    finally:
        end_probes()


async def _work(
    address: str,
    secured: Security | None,
    at: str,
    has: dict[str, float],
    say: Callable[[str], None],
) -> None:
    """One connection to the scheduler, from its beginning to its end."""
    from distributed import Worker

    threads = max(1, round(sum(has.values())))
    alone = {"host": "127.0.0.1"} if secured is None else {}
    try:
        async with Worker(
            address,
            name=f"{at} {secrets.token_hex(4)}",
            nthreads=threads,
            resources=has,
            security=secured,
            dashboard=False,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            death_timeout=_CONNECT_SECONDS,
            **alone,
        ) as worker:
            say(f"worker of {at} at {worker.address}")
            await worker.finished()
    except (OSError, TimeoutError) as error:
        say(f"no scheduler at {address}: {error}; trying again")
    await asyncio.sleep(_AGAIN_SECONDS)


# Keys and certificates


SCHEDULER, CLIENT = "scheduler", "client"
_YEARS = 3


@dataclass(frozen=True)
class Files:
    """The files of one member."""

    ca: Path
    certificate: Path
    key: Path


def files(folder: Path, member: str) -> Files:
    """The files of a member. SetupError if one is missing, or if others may read the key."""
    member_files = Files(folder / "ca.pem", folder / f"{member}.pem", folder / f"{member}.key")
    for path in (member_files.ca, member_files.certificate, member_files.key):
        if not path.is_file():
            raise SetupError(
                f"{path} is missing",
                where="tls",
                valid=f"ca.pem, {member}.pem and {member}.key in {folder}",
                hint="motebench fleet keys FILE makes them; copy to each lab host its own",
            )
    if member_files.key.stat().st_mode & 0o077:
        raise SetupError(
            f"other users can read {member_files.key}",
            where="tls",
            hint=f"chmod 600 {member_files.key}",
        )
    return member_files


def make(folder: Path, hosts: Iterable[str]) -> list[Path]:
    """Make what is missing: the CA, and key and certificate of each member. The files that were
    written.

    InputError if the CA's key is gone, but certificates are there: new ones would not fit.
    """
    try:
        from cryptography.hazmat.primitives import serialization
    except ImportError:
        raise SetupError(
            "the package cryptography is not installed", hint="pip install cryptography"
        ) from None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ca, ca_key = folder / "ca.pem", folder / "ca.key"
    written: list[Path] = []
    if ca.exists() and not ca_key.exists():
        raise InputError(
            f"{ca} is there, but its key {ca_key} is not",
            where=str(folder),
            valid="a folder with both, or an empty one",
        )
    if not ca.exists():
        key, certificate = _certificate("motebench fleet", None)
        written += _write(ca_key, key, 0o600) + _write(ca, certificate, 0o644)
    signer = serialization.load_pem_private_key(ca_key.read_bytes(), None)
    for member in dict.fromkeys((SCHEDULER, CLIENT, *hosts)):
        path = folder / f"{member}.pem"
        if not path.exists():
            key, certificate = _certificate(member, (ca.read_bytes(), signer))
            written += _write(folder / f"{member}.key", key, 0o600) + _write(
                path, certificate, 0o644
            )
    return written


def _write(path: Path, data: bytes, mode: int) -> list[Path]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as stream:
        os.fchmod(stream.fileno(), mode)
        stream.write(data)
    return [path]


def _certificate(name: str, signer: tuple[bytes, object] | None) -> tuple[bytes, bytes]:
    """A new key and its certificate as PEM; ``signer``: certificate and key of the CA, None for a
    CA itself.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer = subject if signer is None else x509.load_pem_x509_certificate(signer[0]).subject
    now = datetime.datetime.now(datetime.UTC)
    usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    public = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    of_signer = public
    if signer is not None:
        of_signer = x509.SubjectKeyIdentifier.from_public_key(
            x509.load_pem_x509_certificate(signer[0]).public_key()
        )
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=365 * _YEARS))
        .add_extension(
            x509.BasicConstraints(ca=signer is None, path_length=0 if signer is None else None),
            True,
        )
        .add_extension(public, False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(of_signer), False
        )
        .add_extension(_usage(ca=signer is None), True)
    )
    if signer is not None:
        built = built.add_extension(x509.ExtendedKeyUsage(usages), False)
        built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
    made = built.sign(key if signer is None else signer[1], hashes.SHA256())  # type: ignore[arg-type]
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, made.public_bytes(serialization.Encoding.PEM)


def _usage(*, ca: bool) -> x509.KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=ca,
        encipher_only=False,
        decipher_only=False,
    )
