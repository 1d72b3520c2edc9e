"""motebench: measure, compare and choose cryptography for the device you will ship.

In Python: `measure`, `load`, `compare` and `choose`; docs/use/python.md shows how. They are loaded
when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from motebench.base.errors import (
    IncomparableError,
    InputError,
    MotebenchError,
    SetupError,
    StoreError,
)
from motebench.version import __version__

if TYPE_CHECKING:
    from motebench.api import (
        ChoiceResult,
        ComparisonResult,
        Step,
        StoredRun,
        choose,
        compare,
        load,
        measure,
        measure_runs,
        resume,
        stored_runs,
    )

__all__ = [
    "ChoiceResult",
    "ComparisonResult",
    "IncomparableError",
    "InputError",
    "MotebenchError",
    "SetupError",
    "Step",
    "StoreError",
    "StoredRun",
    "__version__",
    "choose",
    "compare",
    "load",
    "measure",
    "measure_runs",
    "resume",
    "stored_runs",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The names of the loaded functions. The package itself must not import its parts, which take
    # its version from here.
    return getattr(import_module("motebench.api"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
