"""Greets one probe of this host, for information on an implementation before anything is measured."""

from __future__ import annotations

from motebench.base.errors import SetupError
from motebench.targets.wire.messages import ProbeFailure


def ask(implementation: str) -> str:
    """The version in the probe's hello, with the number of its schemes. SetupError with the reason if there is none."""
    from motebench.targets.host.this_machine import this_machine

    try:
        session = this_machine().open(implementation)
        try:
            return f"{session.hello.version}, {len(session.offers())} schemes"
        finally:
            session.close()
    except ProbeFailure as failure:
        raise SetupError(failure.message) from failure
