"""User code from options, for commands without a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError

if TYPE_CHECKING:
    from motebench.targets.code.workspace import Workspace

_OPTIONS = ("code", "kat", "code_flags", "without_kat")


def named_code(
    options: Mapping[str, Any], schemes: Sequence[str]
) -> tuple[Workspace, tuple[str, ...], tuple[str, ...]]:
    """The workspace with the code that `code_options` name, the names of these implementations, and their schemes.

    Without ``--code`` there are none.

    InputError as for a run.
    ``schemes``: what was asked, which says what the code computes if it is in the catalog.
    """
    from motebench.measuring.study.load import Options, from_options
    from motebench.measuring.study.model import Sampling, WholeFile
    from motebench.targets.code.workspace import Workspace

    if not any(options[key] for key in _OPTIONS):
        return Workspace(), (), ()
    spelt = Options(
        schemes=tuple(schemes),
        code=tuple(options["code"]),
        kat=tuple(options["kat"]),
        code_flags=options["code_flags"],
        without_kat=options["without_kat"],
    )
    question = from_options(spelt, Sampling(), WholeFile())
    (group,) = question.study.measure
    return question.workspace, group.implementations, group.schemes


def one_of(named: str | None, offered: Sequence[str], option: str) -> str:
    """The option's value, or else the only one that the code offers. InputError if there is none, or several."""
    if named is not None:
        return named
    if len(offered) == 1:
        return offered[0]
    missing = "no implementation is given" if option == "--implementation" else "it is missing"
    what = "the code has several: say which" if offered else missing
    raise InputError(what, where=option, valid=", ".join(offered) or "a name, or --code with a folder")
