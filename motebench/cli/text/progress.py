"""A run on standard error: its plan, and how far it is, as a bar on a terminal or lines in a log.

Every phase has a name and a count.
"""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from motebench.base.errors import printable
from motebench.base.model import Case, Evidence, Failure
from motebench.measuring.run.records import Progress, RunState
from motebench.results.groups import Turn
from motebench.results.presentation.rows import case_words, listed, size_words

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from motebench.measuring.leak.examination import LeakState
    from motebench.measuring.plan.plan import Plan, PrecisionCosts
    from motebench.targets.setup.steps import BuildStep


_EVERY = 5.0
"""Seconds between two lines of a log."""


_ASKING = "asking what is offered"
_FIRST = "building the first firmware of each implementation"


def _asking(subject: str) -> str:
    """Activity while the offers of an implementation on a target are read: a board gets a firmware
    for that.
    """
    return _ASKING if subject.endswith(" on host") else _FIRST


class Phase(StrEnum):
    """A phase of a run, with the words that report its duration."""

    STARTING = "starting"
    BUILDING = "building firmware"
    CHECKING = "known answers"
    MEASURING = "measuring"
    METERING = "reading energy"


class Terminal:
    """The observer of runs that a command is. ``quiet``: it says nothing. ``compared``: the cases
    of a run are compared with each other, not as a claim asks. ``now``: a clock, in seconds."""

    def __init__(
        self, *, quiet: bool, compared: bool = True, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._quiet, self.compared, self._now = quiet, compared, now
        self.took: dict[Phase, float] = {}
        """Seconds of all runs so far, by phase."""
        self.most = 0.0
        """Upper estimate of the seconds for measuring."""

    @contextlib.contextmanager
    def run(self, turn: Turn | None, place: int, count: int) -> Iterator[Progress]:
        """Report the start of a run, the ``place``-th of ``count``; the returned observer gets its
        progress.
        """
        if turn is not None and not self._quiet:
            click.echo(f"run {turn.name}, {place} of {count}", err=True)
        with _view(self._quiet, self._now) as view:
            observer = _RunObserver(view, self, self._now)
            try:
                yield observer
            finally:
                observer.end()

    def took_words(self) -> str:
        """``16 s: starting 2 s, known answers 1 s, measuring 13 s``; phases that took no second are
        not named.
        """
        named = [f"{phase} {seconds:.0f} s" for phase, seconds in self.took.items() if seconds >= 1]
        return f"{sum(self.took.values()):.0f} s" + (
            f": {', '.join(named)}" if len(named) > 1 else ""
        )

    def late_words(self) -> str | None:
        """Reason why measuring took longer than announced; None if it did not."""
        measured = self.took.get(Phase.MEASURING, 0.0)
        if not self.most or measured <= 1.1 * self.most + 1:
            return None
        return (
            f"measuring took {measured:.0f} s, more than the {self.most:.0f} s of its budget: "
            "every case is read, however long one reading takes"
        )


class _RunObserver:
    """Hears the events of one run; keeps the time of each phase, and has a view show it."""

    def __init__(self, view: _View, terminal: Terminal, now: Callable[[], float]) -> None:
        self._view, self._terminal, self._now = view, terminal, now
        self._phase, self._since = Phase.STARTING, now()
        self._failed: set[tuple[str, ...]] = set()

    def _enter(self, phase: Phase) -> None:
        now, took = self._now(), self._terminal.took
        took[self._phase] = took.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def end(self) -> None:
        """The run is over."""
        self._enter(self._phase)

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that an implementation is being asked for its offers; a board first gets firmware
        for that.
        """
        doing = _asking(subject)
        if doing == _FIRST:
            self._enter(Phase.BUILDING)
        self._view.step(doing, subject, done, total)

    def planned(self, plan: Plan) -> None:
        """Report that the plan is complete."""
        self._terminal.most += at_most(plan)
        for line in (
            *plan_lines(plan, compared=self._terminal.compared),
            *left_out(plan, brief=True),
        ):
            self._view.say(line)

    def building(self, subject: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""
        self._enter(Phase.BUILDING)
        self._view.step("building firmware", subject, done, total)

    def checking(self, subject: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        self._enter(Phase.CHECKING)
        self._view.step("checking known answers", subject, done, total)
        if done == total:
            self._enter(Phase.MEASURING)

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        if self._phase is not Phase.MEASURING:
            self._enter(Phase.MEASURING)
        self._view.sampled(case, state)

    def metering(self, subject: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        self._enter(Phase.METERING)
        self._view.step("reading energy", subject, done, total)

    def failed(self, failure: Failure) -> None:
        """A case failed; the run continues."""
        reason = (failure.scheme, failure.implementation, failure.target, failure.message)
        # Of other operations and sizes it is the same; the results have all
        if reason not in self._failed:
            self._failed.add(reason)
            self._view.say(
                f"failed: {case_words(failure)}: {failure.kind.value}: {failure.message}"
            )

    def waiting(self, sentence: str) -> None:
        """The run waits for something that went away, or goes on since it is back: one sentence."""
        self._view.say(sentence)


@contextlib.contextmanager
def leak_progress(
    *, quiet: bool, now: Callable[[], float] = time.monotonic
) -> Iterator[LeakObserver]:
    """The observer of a leak test, within the context."""
    with _view(quiet, now) as view:
        yield LeakObserver(view, now)


class LeakObserver:
    """Hears the events of a leak test, and has a view show them. See `LeakProgress`."""

    def __init__(self, view: _View, now: Callable[[], float]) -> None:
        self._view, self._now = view, now
        self._starts: list[float] = []
        """Times at which the secrets of the operation began."""

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that the implementation is being asked for its identity; a board first gets
        firmware for that.
        """
        self._view.step(_asking(subject), subject, done, total)

    def checking(self, scheme: str, done: int, total: int) -> None:
        """Known answers of a scheme are about to be checked; of a board its firmware is built for
        that.
        """
        self._view.step("checking known answers", scheme, done, total)

    def reading(self, state: LeakState) -> None:
        """Readings are about to be taken."""
        (secret, secrets), (taken, readings) = state.secrets, state.readings
        now = self._now()
        if not taken:
            self._starts = [*self._starts[:secret], now]
        rest = rest_of_secrets(self._starts, now, secrets)
        share = taken / max(readings, 1)
        more = "" if rest is None else f"; about {rest:.0f} s left for this operation"
        case = state.case
        size = f" {case.input_words()}" if case.operation.sized else ""
        self._view.examining(
            f"{case.scheme} {case.operation.value}{size}, {state.varied}",
            f"secret {secret + 1} of {secrets}, {100 * share:.0f} % of its readings{more}",
            state.finished + (secret + share) / secrets,
            state.total,
        )


def rest_of_secrets(starts: Sequence[float], now: float, secrets: int) -> float | None:
    """Seconds that the secrets of an operation will still take, by those before; None where these
    do not show it.

    ``starts``: times at which they began, the last one is not over.
    """
    took = [after - before for before, after in pairwise(starts)]
    if not took or max(took) > 2 * min(took):
        return None
    return max(0.0, sum(took) / len(took) * (secrets - len(took)) - (now - starts[-1]))


class _View:
    """Shows nothing."""

    def say(self, line: str) -> None:
        """A line that stays."""

    def step(self, doing: str, subject: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done, and ``subject`` comes next."""

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample was stored."""

    def examining(self, subject: str, more: str, done: float, total: int) -> None:
        """Show that ``done`` operations of a leak test are done, and ``subject`` is varied;
        ``more``: the progress of that.
        """

    def build(self, step: BuildStep) -> None:
        """Show the progress of a build."""


_views: list[_View] = []
"""Open displays, the innermost last; and that of a build outside all of them."""
_alone = contextlib.ExitStack()


def show_build(step: BuildStep) -> None:
    """Show how far a build is: in the view that is open, else in one that ends with the build."""
    if not _views:
        _alone.enter_context(_view(quiet=False, now=time.monotonic))
    try:
        _views[-1].build(step)
    finally:
        if step.over:
            _alone.close()


@contextlib.contextmanager
def _view(quiet: bool, now: Callable[[], float]) -> Iterator[_View]:
    with _made(quiet, now) as view:
        _views.append(view)
        try:
            yield view
        finally:
            _views.remove(view)


@contextlib.contextmanager
def _made(quiet: bool, now: Callable[[], float]) -> Iterator[_View]:
    if quiet:
        yield _View()
        return
    if not sys.stderr.isatty():
        yield _Lines(now)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description:<42.42}", markup=False),
        BarColumn(12),
        TaskProgressColumn(),
        TextColumn("{task.fields[rest]}"),
        TimeElapsedColumn(),
    )
    with RichProgress(
        *columns, console=Console(stderr=True), transient=True, refresh_per_second=4
    ) as bar:
        yield _Bar(bar)


def rest_words(state: RunState) -> str:
    """Time until measuring ends: a figure that is right within a factor of 2, else the most; empty
    where neither is known."""
    if state.rest is None:
        return ""
    least, most = state.rest
    return (
        f"about {math.sqrt(least * most):.0f} s left"
        if most <= 4 * least
        else f"at most {most:.0f} s left"
    )


class _Lines(_View):
    """Progress for logs: the beginning of each phase, and then a line every few seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._said = now()
        self._doing = ""

    def say(self, line: str) -> None:
        """A line that stays."""
        click.echo(printable(line), err=True)

    def step(self, doing: str, subject: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done, and ``subject`` comes next."""
        begins = doing not in (self._doing, _ASKING)
        if done < total and (begins or self._due()):
            self._doing, self._said = doing, self._now()
            self.say(f"{doing}, {done} of {total} done: {subject}")

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample was stored."""
        del case
        if not self._due():
            return
        self._said = self._now()
        done = (
            f"measuring, {state.finished} of {state.total} cases finished; {state.seconds:.0f} s "
            "so far"
        )
        self.say(", ".join(filter(None, (done, rest_words(state)))))

    def examining(self, subject: str, more: str, done: float, total: int) -> None:
        """Show that ``done`` operations of a leak test are done, and ``subject`` is varied."""
        if subject == self._doing and not self._due():
            return
        self._doing, self._said = subject, self._now()
        self.say(f"examining, {int(done)} of {total} operations done: {subject}: {more}")

    def build(self, step: BuildStep) -> None:
        """Show the progress of a build. Steps that end within seconds have no line."""
        if not step.number and not step.over:
            self._said = self._now()
        if not step.over and self._due():
            self._said = self._now()
            self.say(str(step))

    def _due(self) -> bool:
        return self._now() - self._said >= _EVERY


class _Bar(_View):
    """A bar: each phase fills it anew."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar = bar
        self._task: TaskID = bar.add_task("starting", total=None, rest="")
        self._build: TaskID | None = None

    def say(self, line: str) -> None:
        """A line that stays."""
        self._bar.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)

    def step(self, doing: str, subject: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done, and ``subject`` comes next."""
        count = f"{min(done + 1, total)} of {total}"
        self._bar.update(
            self._task, description=f"{doing}: {subject}", completed=done, total=total, rest=count
        )

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample was stored."""
        size = f" {case.input_words()}" if case.operation.sized else ""
        label = f"{case.scheme} {case.operation.value}{size}"
        # Never full before the end: beyond the fewest samples, some cases need more.
        share = min(state.share, 0.99 if state.finished < state.total else 1.0)
        self._bar.update(
            self._task,
            description=label,
            completed=share * state.total,
            total=state.total,
            rest=rest_words(state),
        )

    def examining(self, subject: str, more: str, done: float, total: int) -> None:
        """Show that ``done`` operations of a leak test are done, and ``subject`` is varied."""
        self._bar.update(self._task, description=subject, completed=done, total=total, rest=more)

    def build(self, step: BuildStep) -> None:
        """Show the progress of a build."""
        if step.over:
            if self._build is not None:
                self._bar.remove_task(self._build)
            self._build = None
            return
        if self._build is None:
            self._build = self._bar.add_task("", total=None, rest="")
        rest = "" if step.before is None else f"{step.before:.0f} s before"
        done, total = step.share, None if step.share is None else 100
        self._bar.update(
            self._build, description=step.step or step.what, rest=rest, completed=done, total=total
        )


# The plan in a few lines: which cases, how long, and what is left out

_NAMED = 4
"""Largest number of names that are listed; of more only the number is printed."""
_NOT_THERE = ("not offered", "not on this target")


def plan_lines(plan: Plan, runs: int = 1, *, compared: bool = True) -> Iterator[str]:
    """Lines on cases, time, and values that no option named. ``runs``: how often the cases are
    measured. ``compared``: also the needs of verdicts on them.
    """
    several = f", {runs} runs of them" if runs > 1 else ""
    yield f"{_count(len(plan.at_places), 'case')}{_what(plan)}{_placed(plan)}{several}"
    yield time_words(plan, runs)
    if compared and (need := need_words(plan)):
        yield need
    for target, names in plan.unasked.items():
        yield (
            f"not measured: {_count(len(names), 'other implementation')} on {target} "
            f"({_some(names)}); --implementation '*' adds them"
        )


def left_out(plan: Plan, *, brief: bool = False) -> Iterator[str]:
    """Combinations that do not exist, by reason. ``brief``: only those of implementations that have
    the scheme.
    """
    reasons: dict[str, list[str]] = {}
    for item in plan.skipped:
        if not (brief and item.reason in _NOT_THERE):
            reasons.setdefault(item.reason, []).append(f"{item.scheme} {item.implementation}")
    for reason, cases in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        yield (
            f"left out, {_count(len(cases), 'combination')}: {reason} "
            f"({_some(list(dict.fromkeys(cases)))})"
        )


def time_words(plan: Plan, runs: int = 1) -> str:
    """Time of measuring, and the work that it does not count."""
    places = [target.place for target in plan.targets.values()]
    first = (
        "firmware is built and known answers are checked before"
        if any(place.device for place in places)
        else ("known answers are checked before")
    )
    if all(place.evidence is Evidence.SIMULATED for place in places):
        return f"each case is simulated twice, however long that takes; {first}"
    least, most = runs * plan.least, runs * at_most(plan)
    between = f"{least:.0f} to {most:.0f} s" if least >= 1 else f"at most {most:.0f} s"
    text = f"measuring takes {between}, by the noise of the machine; {first}"
    if plan.longest_input:
        text = (
            f"one operation on {size_words(plan.longest_input)} may last longer than a usual "
            f"batch, so the time of measuring is not known: no reading begins after {most:.0f} s, "
            f"but each case gets one; {first}"
        )
    simulated = any(place.evidence is Evidence.SIMULATED for place in places)
    return (
        f"{text}, and each simulated case is read twice, however long that takes"
        if simulated
        else text
    )


def need_words(plan: Plan) -> str:
    """Number of samples that verdicts need, where the plan may not take them; else empty."""
    need = plan.verdict_need
    if need is None or not need.lacking:
        return ""
    among = "" if need.comparisons == 1 else f" among {need.comparisons}"
    seconds = f"{need.seconds:.0f}" if need.seconds >= 1 else f"{need.seconds:.1f}"
    return (
        f"to call one small difference{among}, {need.samples} samples of each case are needed, at "
        f"least {seconds} s; {need.lacking}"
    )


def precision_words(plan: Plan, costs: PrecisionCosts | None, store: str, runs: int = 1) -> str:
    """Price of a precision, or that it is not known before a first reading."""
    if costs is None:
        return (
            f"what ±{_percent(plan.policy.precision)} costs is not known before a first reading: "
            f"at least {plan.policy.min_samples} readings of each case, and more as their spread "
            f"needs; no run in {store} shows it for these cases on this machine"
        )
    texts, beyond = [], []
    for cost in costs.costs:
        if cost.seconds is None:
            beyond.append(f"±{_percent(cost.precision)}")
        else:
            took = runs * cost.seconds
            texts.append(
                f"±{_percent(cost.precision)} takes "
                f"{f'about {took:.0f} s' if took >= 1 else 'less than 1 s'}"
            )
    if beyond:
        texts.append(
            f"{listed(beyond)} cannot be reached with {plan.policy.max_samples:,} readings of a "
            "case"
        )
    return (
        f"by the spread in run {costs.run}, {', '.join(texts)}; the budget has "
        f"{runs * at_most(plan):.0f} s (--budget)"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def at_most(plan: Plan) -> float:
    """Upper limit of the seconds for measuring, unless single readings take longer; 0 if all
    targets are simulators.
    """
    if all(target.place.evidence is Evidence.SIMULATED for target in plan.targets.values()):
        return 0.0
    return plan.budget + plan.preparation


def _what(plan: Plan) -> str:
    cases = [case for case in plan.at_places if case.scheme != "copy"]
    if not cases:
        return ""
    schemes = list(dict.fromkeys(case.scheme for case in cases))
    names = list(dict.fromkeys(case.implementation for case in cases))
    operations = list(dict.fromkeys(case.operation.value for case in cases))
    sizes = [
        size_words(size)
        for size in sorted({case.input_bytes for case in cases if case.operation.sized})
    ]
    targets = list(dict.fromkeys(case.target for case in cases))
    parts = [
        f"{_few(schemes, 'scheme')} by {_few(names, 'implementation')}",
        _few(operations, "operation"),
        _few(sizes, "size") if sizes else "",
        "" if targets == ["host"] else f"on {_few(targets, 'target')}",
    ]
    return f": {', '.join(filter(None, parts))}"


def _placed(plan: Plan) -> str:
    """Words for the number of places of the code; empty for one."""
    counts = set(plan.at_places.values())
    most = max(counts, default=1)
    subject = "each with its code" if len(counts) == 1 else "some with their code"
    return f", {subject} at {most} places" if most > 1 else ""


def _few(names: Sequence[str], kind: str) -> str:
    return listed(names) if len(names) <= _NAMED else _count(len(names), kind)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _count(number: int, kind: str) -> str:
    return f"{number} {kind}{'' if number == 1 else 's'}"
