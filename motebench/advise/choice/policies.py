"""The policies of `motebench choose`: ``choice.toml``, ``bodies/*.toml`` and ``constant-time.toml``."""

from __future__ import annotations

import datetime
from functools import cache

from motebench.advise.reference.table import file_of
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.policies import ChoicePolicy, Claim, Claims, Policy
from motebench.catalog.schema import first_day


@cache
def choice() -> ChoicePolicy:
    """Policies and stand-ins."""
    folder = catalog_dir() / "policies"
    found = toml.validate(toml.load(folder / "choice.toml"), ChoicePolicy)
    bodies = [toml.validate(toml.load(path), Policy) for path in sorted((folder / "bodies").glob("*.toml"))]
    return found.model_copy(update={"policies": (*found.policies, *bodies)})


def has_results(device: str) -> bool:
    """Whether there are reference results for the device of that id, its own or those of its stand-in."""
    targets = {f"sim:{device}", *(entry.target for entry in choice().stand_ins if entry.device == device)}
    return any(file_of(target).exists() for target in targets)


@cache
def _claims() -> dict[str, Claim]:
    found = toml.validate(toml.load(catalog_dir() / "policies" / "constant-time.toml"), Claims)
    return {name: claim for claim in found.claims for name in claim.implementations}


def claim(implementation: str) -> Claim | None:
    """The claim of constant time of an implementation; None if there is none."""
    return _claims().get(implementation)


def policy(name: str) -> Policy:
    """The policy of that name. InputError that lists the known policies."""
    policies = {entry.id: entry for entry in choice().policies}
    found = policies.get(name.strip().casefold())
    if found is None:
        raise InputError(
            f"unknown policy {name!r}",
            where="--policy",
            valid=", ".join(policies),
            hint="nist: approved algorithms; libraries and modules with certificates are in the answer"
            if "fips" in name.casefold()
            else did_you_mean(name, policies),
        )
    return found


def last_day(text: str | None, where: str = "--until") -> datetime.date | None:
    """The last day of service: of the year if only that is given. InputError for what is no day, or over."""
    if text is None:
        return None
    try:
        day = first_day(text.strip())
    except ValueError as error:
        raise InputError(str(error), where=where, valid="2041, or 2041-06-30") from None
    last = datetime.date(day.year, 12, 31) if len(text.strip()) == len("2041") else day
    if last < datetime.datetime.now(datetime.UTC).date():
        raise InputError(f"{text} is over", where=where, valid="a later date than today")
    return last
