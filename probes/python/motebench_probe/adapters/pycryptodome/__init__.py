"""PyCryptodome, the maintained successor of PyCrypto: ciphers in C behind Python objects, public
keys partly Python.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import Crypto

from motebench_probe.adapters.pycryptodome.table import schemes
from motebench_probe.schemes import Adapter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def _version() -> str:
    number = ".".join(str(part) for part in Crypto.version_info)
    # The library calls its C code with cffi if that is installed, else with ctypes, which is
    # slower.
    return f"PyCryptodome {number}, {'cffi' if find_spec('cffi') else 'ctypes'}"


def _family(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


ADAPTER = Adapter("pycryptodome", _version, schemes, _family)
