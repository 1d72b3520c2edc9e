"""The model of a fleet file. Strict: an unknown key is an error."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("a name has letters, digits, '.', '_' and '-', at most 64, and begins with a letter or digit")
    return name


def _address(text: str) -> str:
    if not re.fullmatch(r"(tls|tcp)://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+):\d{1,5}", text):
        raise ValueError("an address is tls://HOST:PORT, or tcp://127.0.0.1:PORT on one machine alone")
    return text


Name = Annotated[str, AfterValidator(_named)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Board(_Strict):
    """A board. ``target``: as in studies. ``at``: the lab host it hangs on; without one, the machine that runs the
    study. ``instrument``: what reads its power."""

    target: Annotated[str, Field(min_length=1)]
    at: Name | None = None
    instrument: str | None = None


class LabHost(_Strict):
    """A lab host. ``cores``: simulated boards that it computes at once; all its processors if it says nothing."""

    cores: Annotated[int, Field(ge=0, le=1024)] | None = None


class Scheduler(_Strict):
    """Where workers and studies meet. ``tls``: the folder of `motebench fleet keys`, relative to the file."""

    address: Annotated[str, AfterValidator(_address)]
    tls: str | None = None


class FleetFile(_Strict):
    """A fleet file."""

    board: Annotated[dict[Name, Board], Field(min_length=1)]
    group: dict[Name, Annotated[tuple[str, ...], Field(min_length=1)]] = {}
    host: dict[Name, LabHost] = {}
    scheduler: Scheduler | None = None
