"""cryptography, of the Python Cryptographic Authority: OpenSSL, linked into its wheel, with Rust
around it.
"""

from __future__ import annotations

from importlib import import_module

from cryptography import __version__
from cryptography.hazmat.bindings._rust import openssl

from motebench_probe.adapters.cryptography.table import schemes
from motebench_probe.schemes import Adapter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def _version() -> str:
    return f"cryptography {__version__}, {openssl.openssl_version_text()}"


def _family(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


ADAPTER = Adapter("cryptography", _version, schemes, _family)
