"""Offers of the implementations on a target, limited to those that a study means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from motebench.base.errors import SetupError
from motebench.base.model import Failure
from motebench.base.naming import chooses, is_pattern, is_variant, split_alias
from motebench.base.paths import setup_line
from motebench.measuring.plan.cases import select
from motebench.measuring.study.question import Question
from motebench.targets.base import OF_THE_SCHEME, Session, Sharing, Target
from motebench.targets.registry import (
    implementations_of,
    missing_implementation,
    selected_implementations,
    usual_implementations,
)
from motebench.targets.wire.messages import Hello, Offer, ProbeFailure

Asking = Callable[[str, int, int], None]
"""Listener for requests of offers: name and target of the implementation, how many were asked, of
how many.
"""


@dataclass(frozen=True)
class TargetOffers:
    """Answers of the implementations of a target, by implementation.

    ``usual``: those measured by default. ``unasked``: built, but not usual, and not named by the
    study.
    """

    offers: Mapping[str, Mapping[str, Offer]] = field(default_factory=dict)
    hellos: Mapping[str, Hello] = field(default_factory=dict)
    failures: Sequence[Failure] = ()
    usual: Sequence[str] = ()
    unasked: tuple[str, ...] = ()


class RemoteTargets(Protocol):
    """Targets that another process reaches."""

    def has(self, target: str) -> bool:
        """True if a target is one of these."""
        ...

    def asked(self, question: Question, target: str, *, dry: bool) -> tuple[Target, TargetOffers]:
        """Target with its offers. SetupError if it cannot be reached."""
        ...


def ask(
    target: Target, question: Question, *, dry: bool = False, asking: Asking | None = None
) -> TargetOffers:
    """Ask the implementations of a target that a study means. InputError for a misspelt one."""
    survey = _Survey(target, question, asking, dry=dry)
    survey.carry_out()
    return TargetOffers(survey.offers, survey.hellos, survey.failures, survey.usual, survey.unasked)


class _Survey:
    """Questions to the implementations of a target that a study means, and their answers."""

    def __init__(
        self, target: Target, question: Question, asking: Asking | None, *, dry: bool
    ) -> None:
        self._target, self._asking = target, asking
        self._groups = [group for group in question.study.measure if target.name in group.targets]
        self._schemes = question.workspace.schemes
        self._selected = [tuple(select(group.schemes, self._schemes)) for group in self._groups]
        self._dry = dry
        self._places = _places(question)
        self.offers: dict[str, dict[str, Offer]] = {}
        self.hellos: dict[str, Hello] = {}
        self.failures: list[Failure] = []
        self.usual: list[str] = []
        self.unasked: tuple[str, ...] = ()

    def carry_out(self) -> None:
        """Ask the implementations that the study names. Where a group names none: the default ones,
        and all others if these lack a scheme that the group names, or all of its schemes.
        """
        named = [split_alias(entry)[1] for group in self._groups for entry in group.implementations]
        _check_names(named, self._target, self._places)
        pairs = zip(self._groups, self._selected, strict=True)
        open_to_all = [selected for group, selected in pairs if not group.implementations]
        self.usual = usual_implementations(self._target) if open_to_all else []
        self._ask([*selected_implementations(self._target, named), *self.usual])
        others = [
            name
            for name in self._target.ready()
            if name not in self.offers and not is_variant(name)
        ]
        if any(map(self._lacks, open_to_all)):
            self._ask(others)
        elif open_to_all:
            self.unasked = tuple(self._not_asked(others))

    def _not_asked(self, others: Sequence[str]) -> Iterator[str]:
        failed = {failure.implementation for failure in self.failures}
        yield from (name for name in others if name not in failed and self._needed(name))

    def _lacks(self, selected: Sequence[tuple[str, bool]]) -> bool:
        offered = {scheme for name in self.usual for scheme in self.offers.get(name, ())}
        return any(named and scheme not in offered for scheme, named in selected) or not any(
            scheme in offered for scheme, _ in selected
        )

    def _needed(self, implementation: str) -> bool:
        """True if a group that takes the implementation names a scheme that it may offer."""
        return any(
            self._target.may_offer(implementation, [self._schemes[name] for name, _ in selected])
            for group, selected in zip(self._groups, self._selected, strict=True)
            if not group.implementations
            or any(
                chooses(split_alias(entry)[1], implementation) for entry in group.implementations
            )
        )

    def _ask(self, names: Sequence[str]) -> None:
        """Build and ask the implementations that may offer a measured scheme; the others have no
        offers.
        """
        selected = list(dict.fromkeys(names))
        implementations = [name for name in selected if self._needed(name)]
        self.offers |= {name: {} for name in selected if name not in implementations}
        self._target.prepare(implementations)
        for place, name in enumerate(implementations):
            if self._asking is not None:
                self._asking(f"{name} on {self._target.name}", place, len(implementations))
            try:
                session = self._target.open(name)
            except ProbeFailure as failure:
                self._fail(name, failure)
                continue
            try:
                self.offers[name] = session.offers()
                self._greet(name, session)
            except ProbeFailure as failure:
                self.offers.pop(name, None)
                self._fail(name, failure)
            finally:
                session.close()

    def _greet(self, name: str, session: Session) -> None:
        """Keep the hello of an implementation; a board gets no firmware for it in a dry run."""
        if self._dry and self._target.place.sharing is Sharing.ONE_FIRMWARE:
            return
        selected = {scheme for pairs in self._selected for scheme, _ in pairs}
        offered = self.offers[name]
        hello = greeting(
            session,
            [scheme for scheme in self._schemes if scheme in selected and scheme in offered],
        )
        if hello is not None:
            self.hellos[name] = hello

    def _fail(self, name: str, failure: ProbeFailure) -> None:
        self.failures.append(Failure("*", name, self._target.name, failure.kind, failure.message))


def greeting(session: Session, schemes: list[str]) -> Hello | None:
    """Hello of the first available scheme; None without one, which the cases will report."""
    for scheme in schemes or [""]:
        try:
            return session.hello_of(scheme)
        except ProbeFailure as failure:
            if failure.kind not in OF_THE_SCHEME:
                break
    return None


def copier(hellos: Mapping[str, Hello]) -> str:
    """The implementation that does the plain copy, preferably without a just-in-time compiler,
    whose slow start would look like the disk's.

    Empty if there is none.
    """
    return min(hellos, key=lambda name: hellos[name].jit, default="")


def _places(question: Question) -> dict[str, str | None]:
    """Places of the study at which each implementation is named first, for messages."""
    places: dict[str, str | None] = {}
    for group, place in zip(question.study.measure, question.places, strict=False):
        for entry in group.implementations:
            places.setdefault(split_alias(entry)[1], place)
    return places


def _check_names(providers: list[str], target: Target, places: Mapping[str, str | None]) -> None:
    """InputError for a misspelt implementation, which is a mistake in the question and not a
    failure of a run.
    """
    available = implementations_of(target, providers)
    if not available:
        raise SetupError(
            f"no implementation is built for target {target.name!r}",
            hint=f"{setup_line()}; motebench doctor",
        )
    matched = any(chooses(provider, name) for provider in providers for name in available)
    for provider in providers:
        # A glob selects from what is available; one of several may match nothing on this machine.
        if any(chooses(provider, name) for name in available) or (is_pattern(provider) and matched):
            continue
        otherwise = "motebench doctor lists the libraries that can be added"
        raise missing_implementation(
            provider, target, where=places.get(provider), otherwise=otherwise
        )
