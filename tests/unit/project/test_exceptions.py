"""Every error that reaches a caller of the package is a `MotebenchError`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import motebench
from motebench import MotebenchError
from motebench.base.errors import ExitCode
from motebench.base.model import FailureKind
from motebench.targets.wire.messages import ProbeFailure

NEVER_LEAVES = {
    "ExpressionError": (
        "a ValueError, as pydantic and the readers of files expect; they name the place"
    ),
}


def exceptions() -> list[type[BaseException]]:
    found: dict[str, type[BaseException]] = {}
    for module in pkgutil.walk_packages(motebench.__path__, "motebench."):
        if module.name.endswith("__main__"):
            continue
        for name, member in vars(importlib.import_module(module.name)).items():
            if (
                inspect.isclass(member)
                and issubclass(member, BaseException)
                and member.__module__ == module.name
            ):
                found[name] = member
    return list(found.values())


@pytest.mark.parametrize("error", exceptions(), ids=lambda error: error.__name__)
def test_an_exception_is_a_motebench_error_unless_its_module_keeps_it(error):
    if not issubclass(error, MotebenchError):
        assert error.__name__.startswith("_") ^ (error.__name__ in NEVER_LEAVES)


def test_the_known_ones_are_among_them():
    assert {"ProbeFailure", "Unreachable", "PortError", "FetchError"} <= {
        error.__name__ for error in exceptions()
    }


def test_a_failure_of_a_probe_is_caught_as_any_error_of_the_package():
    with pytest.raises(MotebenchError) as caught:
        raise ProbeFailure(FailureKind.LOST, "it ended\x1b[2J" + " more" * 400)
    assert caught.value.exit_code is ExitCode.FAILURES
    assert caught.value.what.startswith("it ended\\x1b[2J more")
    assert isinstance(caught.value, ProbeFailure) and caught.value.message.endswith(" more" * 400)
