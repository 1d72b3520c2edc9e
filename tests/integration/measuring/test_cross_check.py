"""Libraries against each other: for random inputs all that offer a scheme must give the same bytes.

CROSS_CHECK_CASES and CROSS_CHECK_SEED ask for more cases, and for others: see CONTRIBUTING.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from motebench.base.model import OPERATIONS_OF, Kind
from motebench.base.naming import chooses
from motebench.catalog import schemes
from motebench.targets.base import Session
from motebench.targets.registry import open_target
from tests.support.cross_check import disagreements

CASES = int(os.environ.get("CROSS_CHECK_CASES", "2"))
SEED = int(os.environ.get("CROSS_CHECK_SEED", "1"))
SHOWN = 20


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, Session]]:
    target = open_target("host")
    names = [name for name in target.implementations() if chooses("*", name)]
    opened = {name: target.open(name) for name in names}
    yield opened
    for session in opened.values():
        session.close()


def compares(name: str, scheme: str, session: Session) -> bool:
    """True if it offers the scheme, and of signatures can sign and tell the public key of a private
    one.
    """
    offer = session.offers().get(scheme)
    if offer is None or (
        schemes()[scheme].kind is Kind.SIGNATURE and "sign" not in offer.operations
    ):
        return False
    return name != "pqclean/ml-dsa"  # the library has no function for that key


@pytest.mark.parametrize(
    "kind", [kind for kind in Kind if OPERATIONS_OF[kind] and kind is not Kind.KEM]
)
def test_all_that_offer_a_scheme_agree(kind: Kind, sessions: dict[str, Session]) -> None:
    compared, found = 0, []
    for scheme in schemes().values():
        providers = {
            name: session
            for name, session in sessions.items()
            if compares(name, scheme.name, session)
        }
        if scheme.kind is kind and len(providers) > 1:
            compared += 1
            found += disagreements(scheme, providers, SEED, CASES)
    assert compared, f"no two implementations of one {kind} are built"
    shown = "\n".join(found[:SHOWN])
    assert not found, (
        f"{len(found)} disagreements (CROSS_CHECK_SEED={SEED} CROSS_CHECK_CASES={CASES}):\n{shown}"
    )
