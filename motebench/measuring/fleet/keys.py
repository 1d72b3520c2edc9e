"""Keys and certificates of a fleet: a CA of its own, and a certificate for the scheduler, each lab host and the client.

Whoever has a certificate of this CA can have every lab host run any program: the files are as secret as a login.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.base.errors import InputError, SetupError

if TYPE_CHECKING:
    from cryptography import x509

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
    found = Files(folder / "ca.pem", folder / f"{member}.pem", folder / f"{member}.key")
    for path in (found.ca, found.certificate, found.key):
        if not path.is_file():
            raise SetupError(
                f"{path} is missing", where="tls", valid=f"ca.pem, {member}.pem and {member}.key in {folder}",
                hint="motebench fleet keys FILE makes them; copy to each lab host its own",
            )  # fmt: skip
    if found.key.stat().st_mode & 0o077:
        raise SetupError(f"other users can read {found.key}", where="tls", hint=f"chmod 600 {found.key}")
    return found


def make(folder: Path, hosts: Iterable[str]) -> list[Path]:
    """Make what is missing: the CA, and key and certificate of each member. The files that were written.

    InputError if the CA's key is gone, but certificates are there: new ones would not fit.
    """
    try:
        from cryptography.hazmat.primitives import serialization
    except ImportError:
        raise SetupError("the package cryptography is not installed", hint="pip install 'motebench[fleet]'") from None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ca, ca_key = folder / "ca.pem", folder / "ca.key"
    written: list[Path] = []
    if ca.exists() and not ca_key.exists():
        raise InputError(
            f"{ca} is there, but its key {ca_key} is not", where=str(folder),
            valid="a folder with both, or an empty one",
        )  # fmt: skip
    if not ca.exists():
        key, certificate = _certificate("motebench fleet", None)
        written += _write(ca_key, key, 0o600) + _write(ca, certificate, 0o644)
    signer = serialization.load_pem_private_key(ca_key.read_bytes(), None)
    for member in dict.fromkeys((SCHEDULER, CLIENT, *hosts)):
        path = folder / f"{member}.pem"
        if not path.exists():
            key, certificate = _certificate(member, (ca.read_bytes(), signer))
            written += _write(folder / f"{member}.key", key, 0o600) + _write(path, certificate, 0o644)
    return written


def _write(path: Path, data: bytes, mode: int) -> list[Path]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as stream:
        os.fchmod(stream.fileno(), mode)
        stream.write(data)
    return [path]


def _certificate(name: str, signer: tuple[bytes, object] | None) -> tuple[bytes, bytes]:
    """A new key and its certificate as PEM; ``signer``: certificate and key of the CA, None for a CA itself."""
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
        of_signer = x509.SubjectKeyIdentifier.from_public_key(x509.load_pem_x509_certificate(signer[0]).public_key())
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=365 * _YEARS))
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=0 if signer is None else None), True)
        .add_extension(public, False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(of_signer), False)
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
        digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=ca, crl_sign=ca, encipher_only=False, decipher_only=False,
    )  # fmt: skip
