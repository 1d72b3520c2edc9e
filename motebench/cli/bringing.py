"""Making code known that options name, for commands that ask no study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from motebench.errors import InputError

_OPTIONS = ("code", "kat", "code_flags", "without_kat")


def bring_all(options: Mapping[str, Any], schemes: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The implementations that `code_options` name, and their schemes; none without ``--code``.

    InputError as for a run.
    ``schemes``: what was asked, which says what the code computes if it is in the catalog.
    """
    from motebench.study.load import Options, from_options
    from motebench.study.model import Sampling, WholeFile

    if not any(options[key] for key in _OPTIONS):
        return (), ()
    spelt = Options(
        schemes=tuple(schemes),
        code=tuple(options["code"]),
        kat=tuple(options["kat"]),
        code_flags=options["code_flags"],
        without_kat=options["without_kat"],
    )
    (group,) = from_options(spelt, Sampling(), WholeFile()).study.measure
    return group.implementations, group.schemes


def one_of(named: str | None, brought: Sequence[str], option: str) -> str:
    """What an option names, or else the only thing that the code brings. InputError if there is none, or several."""
    if named is not None:
        return named
    if len(brought) == 1:
        return brought[0]
    what = "it must say which" if brought else "it is missing"
    raise InputError(what, where=option, valid=", ".join(brought) or "a name, or --code with a folder")
