"""Control of code that remembers its input: the same case with inputs that change from call to
call.

Beside the usual readings, a case is read with other inputs (`motebench.measuring.work.inputs`).
Where that takes another time, samples are taken with changing inputs. ``docs/explain/methods.md``,
"Inputs that change", says how, and what this does not find.

A probe that knows `TURNS` replaces the input between two iterations. The firmware of a board has no
code for that, so that its sizes and cycles stay what they are. There the time from a request to its
first batch shows it: in it the probe does the operation once, after the same input or after others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Protocol

from motebench.base.model import Operation
from motebench.base.units import format_value
from motebench.measuring.work.inputs import OtherInputs, says_why, sealed
from motebench.stats.shift import CHANGING, differ, look_different, repeated
from motebench.targets.base import Session
from motebench.targets.code.workspace import PREFIX
from motebench.targets.wire.messages import TURNS, Fill, Hello, Job, ProbeFailure, Timing

_MOST_OTHERS, _MOST_ON_BOARD = 7, 3
"""Largest number of other inputs; code that remembers more is not found. A board computes with each
of them.
"""
_SECONDS = 0.05
"""Seconds after which no further input is made or computed, if there is one."""
_MOST_BYTES = 64 * 1024**2
"""Largest number of bytes of the inputs of a request."""
_ROUNDS, _LOOKS = 12, 3
"""Batches of each kind that decide, and that are looked at first."""
_BATCH_SHARE, _LOOK_SHARE = 8, 16
"""A batch of the control is this part of the case's, and one of the first look at a library."""
_SHORT, _MUCH = 64, 4
"""A short batch is this part of one, and a factor by which an operation takes much longer."""
_PAIRS = 4
"""Pairs of requests that decide on a board."""
_STEPS = 100
"""Least steps of the clock of processor time in a batch."""
_IN_PLACE = (Operation.ENCRYPT, Operation.DECRYPT)


@dataclass(frozen=True, slots=True)
class InputEffect:
    """Times of one operation with the same input and with changing ones, in ``unit``."""

    same: float
    changing: float
    unit: str

    def note(self) -> str:
        """A sentence for readers."""
        times = [format_value(value, self.unit) for value in (self.changing, self.same)]
        depends = "its time depends on it"
        why = (
            f"the code remembers its input, or {depends}"
            if self.changing > self.same
            else f"{depends}, the input"
        )
        return (
            f"{CHANGING}{times[0]}, with the same input {times[1]}: {why}; the result is that "
            "with changing inputs"
        )


@dataclass(frozen=True, slots=True)
class ChangedTiming:
    """Timing of batches with changing inputs, computed from ``parts``: timings of requests whose
    outputs and marks count."""

    timing: Timing
    parts: tuple[Timing, ...]


@dataclass(frozen=True, slots=True)
class Batches:
    """A request for batches: iterations of each, how many, iterations before them, longest time in
    seconds."""

    batch: int
    count: int
    warm: int
    timeout: float

    def of(self, job: Job, session: Session) -> Timing:
        """The usual timing."""
        return session.measure(
            job,
            batch=self.batch,
            count=self.count,
            warm=self.warm,
            timeout=self.timeout,
            reference=True,
        )


class InputControl(Protocol):
    """Comparison of a case with the same input and with changing ones. All methods raise
    ProbeFailure."""

    def begin(self, session: Session) -> None:
        """Called before the first sample."""
        ...

    def longer(self, session: Session, timings: Sequence[Timing], batch: int) -> float | None:
        """Ticks of the clock that an operation takes longer with changing inputs (less than 0:
        shorter); None without a difference. ``timings``: of the samples so far, in batches of that
        length.
        """
        ...

    def measure(self, session: Session, batches: Batches) -> ChangedTiming:
        """Time batches with changing inputs."""
        ...

    def job_of(self, job: Job) -> Job:
        """The job with inputs that change, if a request can have several."""
        ...


@dataclass
class ChangingInputs:
    """Control of one case, and its result. ``notes``: for readers. ``effect``: the difference that
    changing inputs make; samples are then taken with them.
    """

    decided: bool = False
    effect: InputEffect | None = None
    notes: list[str] = field(default_factory=list)
    _control: InputControl | None = None
    _of_code: bool = False

    def begin(
        self, inputs: OtherInputs, session: Session, batch: int, *, fresh: bool = False
    ) -> None:
        """Start the control, before the first sample. ``fresh``: that is the first request for the
        operation to a new board, which can remember nothing.
        """
        self._of_code = inputs.case.provider.startswith(PREFIX)
        try:
            self._control = control_of(inputs, session, batch, fresh=fresh)
            if self._control is not None:
                self._control.begin(session)
        except ProbeFailure as failure:
            self._failed(failure)

    def decide(
        self, session: Session, timings: Sequence[Timing], batch: int, hello: Hello
    ) -> InputEffect | None:
        """Difference that changing inputs make, or None. ``timings``: of the first samples."""
        self.decided = True
        if self._control is None:
            return None
        try:
            longer = self._control.longer(session, timings, batch)
        except ProbeFailure as failure:
            self._failed(failure)
            return None
        if longer is None:
            return None
        scale, unit = (1e9 / hello.clock.hz, "ns") if hello.clock.hz else (1.0, "instructions")
        ticks = median(ticks for timing in timings for ticks in _worked(timing, hello))
        same = max(ticks - hello.clock.overhead, 0.0) / batch
        self.effect = InputEffect(same * scale, max(same + longer, 0.0) * scale, unit)
        self.notes.append(self.effect.note())
        return self.effect

    def measure(self, session: Session, job: Job, batches: Batches) -> ChangedTiming:
        """Time batches: with changing inputs, if these take another time."""
        if self.effect is not None and self._control is not None:
            return self._control.measure(session, batches)
        timing = batches.of(job, session)
        return ChangedTiming(timing, (timing,))

    def job_of(self, job: Job) -> Job:
        """The job to time on several cores: with inputs that take turns, whose copying is then part
        of the time."""
        return job if self.effect is None or self._control is None else self._control.job_of(job)

    def forget(self, session: Session) -> None:
        """Remove all data of the inputs, before the memory of an operation is read. Raises
        ProbeFailure.
        """
        if self.effect is not None and self._control is not None:
            self._control.begin(session)

    def _failed(self, failure: ProbeFailure) -> None:
        """The control could not be made: a note, if that says something of the code."""
        self._control, self.decided = None, True
        if says_why(failure, self._of_code):
            self.notes.append(
                f"not compared with other inputs, which give {failure.kind.value}: "
                f"{failure.message}"
            )


def control_of(
    inputs: OtherInputs, session: Session, batch: int, *, fresh: bool = False
) -> InputControl | None:
    """The control of a case; None if its probe cannot make one, or if its input changes anyway."""
    hello = session.hello_of(inputs.case.scheme)
    if inputs.case.operation in _IN_PLACE and batch > 1:
        return None  # each iteration works on the output of the one before
    if TURNS in hello.does:
        others = _others(inputs, session, _most(inputs, hello))
        careful = inputs.case.provider.startswith(PREFIX)
        return (
            InputsInTurn(inputs.job, others, hello, inputs.timeout, careful=careful)
            if others
            else None
        )
    if not hello.device:
        return None
    return InputsByRequest(inputs, hello, fresh)


def _most(inputs: OtherInputs, hello: Hello) -> int:
    """Other inputs for which there is room."""
    job = inputs.job
    parts = (
        job.key,
        job.nonce,
        job.aad,
        job.data,
        job.tag,
        job.signature,
        job.peer,
        job.ciphertext,
        job.seed,
    )
    sent = sum(len(part) for part in parts if isinstance(part, bytes)) + 300
    whole = sent + sum(part.length for part in parts if isinstance(part, Fill))
    return max(1, min(_MOST_OTHERS, hello.max_frame // sent - 2, _MOST_BYTES // whole - 1))


def _others(
    inputs: OtherInputs, session: Session, most: int, use: Callable[[Job], object] | None = None
) -> tuple[Job, ...]:
    """Jobs with other inputs, as many as there is time for, at most ``most``. ``use`` is called
    with each."""
    begun, made = time.monotonic(), []
    for job in inputs.jobs(session):
        made.append(job)
        if use is not None:
            use(job)
        if len(made) >= most or time.monotonic() - begun > _SECONDS:
            break
    return tuple(made)


class InputsInTurn:
    """Control by a probe that replaces the input before each iteration: by other ones, or by copies
    of the same. What the replacing takes is in both.

    ``careful``: the code may be anything, so that a single iteration may take thousands of times
    longer with changing inputs: a short batch goes first. Libraries take at most some ten times
    longer, and a look at them is short itself. Each request less is a turn of the processor less
    that a busy machine lets it wait for.
    """

    def __init__(
        self, job: Job, others: Sequence[Job], hello: Hello, timeout: float, *, careful: bool = True
    ) -> None:
        self._job, self._hello, self._timeout, self._careful = job, hello, timeout, careful
        self._changing = replace(job, turns=(*others, job))
        self._same = replace(job, turns=(job,) * (len(others) + 1))
        self._others, self._next = tuple(others), 0

    def begin(self, session: Session) -> None:
        """Called before the first sample."""

    def longer(self, session: Session, timings: Sequence[Timing], batch: int) -> float | None:
        """Ticks of the clock that an operation takes longer with changing inputs (less than 0:
        shorter).
        """
        looks = 0
        if not self._careful or batch < 2 * _BATCH_SHARE:
            looks = self._first_look(session, self._whole_turns(max(1, batch // _LOOK_SHARE)))
            if looks == 0:
                return None
        batch = self._length(session, timings, batch)
        count = _LOOKS if batch > 1 else 1
        for _ in range(1 if looks else 2):
            look = look_different(*self._both(session, batch, count))
            if look == 0 or look + looks == 0:
                return None
            looks = look
        same: list[float] = []
        changing: list[float] = []
        for _ in range(_ROUNDS):
            same_input, other = self._both(session, batch, 1)
            same += same_input
            changing += other
        return (median(changing) - median(same)) / batch if differ(same, changing) else None

    def _first_look(self, session: Session, batch: int) -> int:
        """Kind that looks longer, after that kind was measured again: noise only adds."""
        count = _LOOKS if batch > 1 else 1
        same, changing = self._both(session, batch, count)
        look = look_different(same, changing)
        if look > 0:
            changing += _worked(self._ask_changing(session, batch, count), self._hello)
        elif look < 0:
            same += _worked(self._ask(session, self._same, batch, count), self._hello)
        return look_different(same, changing) if look else 0

    def _length(self, session: Session, timings: Sequence[Timing], batch: int) -> int:
        """Iterations of a batch of the control: fewer if they take much longer with changing
        inputs, of which a short batch tells."""
        usual = min(ticks for timing in timings for ticks in _worked(timing, self._hello)) / batch
        batch = max(1, batch // _BATCH_SHARE)
        short = max(1, batch // _SHORT)
        short_timing = self._ask_changing(session, short, 1)
        longer = _worked(short_timing, self._hello)[0] / max(usual * short, 1.0)
        return self._whole_turns(batch if longer < _MUCH else max(1, math.ceil(batch / longer)))

    def _whole_turns(self, batch: int) -> int:
        """The batch in whole turns, if it is that long: the next request begins with the first
        again."""
        turns = len(self._changing.turns)
        return batch - batch % turns if batch >= turns else batch

    def _both(self, session: Session, batch: int, count: int) -> tuple[list[float], list[float]]:
        """Times of batches with the same input, and with changing inputs."""
        same = self._ask(session, self._same, batch, count)
        changing = self._ask_changing(session, batch, count)
        return _worked(same, self._hello), _worked(changing, self._hello)

    def job_of(self, job: Job) -> Job:
        """The job with inputs that change, if a request can have several."""
        return replace(job, turns=self._changing.turns)

    def _ask_changing(self, session: Session, batch: int, count: int) -> Timing:
        """Batches with changing inputs. A request that is too short for all of them continues where
        the previous one ended: code may remember several.
        """
        job = self._changing
        if batch * count <= len(self._others):
            at = self._next % len(self._others)
            job = replace(job, turns=self._others[at:] + self._others[:at])
            self._next += batch * count
        return self._ask(session, job, batch, count)

    def _ask(self, session: Session, job: Job, batch: int, count: int) -> Timing:
        return session.measure(job, batch=batch, count=count, warm=0, timeout=self._timeout)

    def measure(self, session: Session, batches: Batches) -> ChangedTiming:
        """Time batches with changing inputs."""
        usual = batches.of(self._job, session)
        same = self._ask(session, self._same, batches.batch, batches.count)
        changing = self._ask_changing(session, batches.batch, batches.count)
        timing = replace(
            usual,
            ticks=_sums(usual.ticks, changing.ticks, same.ticks),
            counts=_sums_or_none(usual.counts, changing.counts, same.counts),
            cpu=_sums_or_none(usual.cpu, changing.cpu, same.cpu),
        )
        return ChangedTiming(timing, (usual, same, changing))


def _worked(timing: Timing, hello: Hello) -> list[float]:
    """Ticks of the clock that batches took; those of processor time, if its steps are fine enough,
    because waiting does not count there.
    """
    cpu, clock = hello.cpu, hello.clock
    if (
        timing.cpu is None
        or cpu is None
        or not clock.hz
        or _STEPS * cpu.resolution > min(timing.cpu)
    ):
        return [float(ticks) for ticks in timing.ticks]
    return [ticks * clock.hz / cpu.hz for ticks in timing.cpu]


def _sums(usual: Sequence[int], changing: Sequence[int], same: Sequence[int]) -> tuple[int, ...]:
    """Estimated times of the usual batches with inputs that change."""
    return tuple(max(0, a + b - c) for a, b, c in zip(usual, changing, same, strict=True))


def _sums_or_none(
    usual: Sequence[int] | None, changing: Sequence[int] | None, same: Sequence[int] | None
) -> tuple[int, ...] | None:
    return (
        None if usual is None or changing is None or same is None else _sums(usual, changing, same)
    )


@dataclass
class InputsByRequest:
    """Control by the time from a request to its first batch, on a board. The probe does the
    operation once in it: after the same input if the request before had the same one, else after
    others."""

    inputs: OtherInputs
    hello: Hello
    fresh: bool = False
    """The first sample comes first on its board: others are computed only if they are needed."""
    _others: tuple[Job, ...] = ()
    _job: Job | None = None
    """Job of the control: that of the case, with a different ciphertext where it decrypts."""

    def begin(self, session: Session) -> None:
        """Compute with other inputs."""
        if self.fresh:
            return
        if self._others:
            for job in self._others:
                self._compute(session, job)
            return
        self._job = sealed(self.inputs.job, session, self.inputs.timeout)
        if self._job is not None:
            self._others = _others(
                self.inputs, session, _MOST_ON_BOARD, lambda job: self._compute(session, job)
            )

    def _compute(self, session: Session, job: Job) -> None:
        session.compute(job, brief=True, timeout=self.inputs.timeout)

    def longer(self, session: Session, timings: Sequence[Timing], batch: int) -> float | None:
        """Ticks of the clock that an operation takes longer with changing inputs (less than 0:
        shorter).
        """
        time = min(ticks for timing in timings for ticks in timing.ticks) / batch
        if self.fresh:
            if not self._may_remember(session, timings, time):
                return None
            self.fresh = False
            self.begin(session)
            first = self._difference(session) if self._others else None
        elif not self._others:
            return None
        else:
            first = self._of_samples(timings)
            if first is None:
                first = self._pair(session)
        if first is None or not repeated([first], time):
            return None
        pairs = [pair for pair in (self._pair(session) for _ in range(_PAIRS)) if pair is not None]
        return median(pairs) if repeated(pairs, time) else None

    def _may_remember(self, session: Session, timings: Sequence[Timing], time: float) -> bool:
        """True if the first computation of a new board took longer than those after it. The time
        before its first batch has it, and what else a request takes; if that is much, another
        request shows how much.
        """
        first, longest = timings[0], max(ticks for timing in timings for ticks in timing.ticks)
        if first.before is None:
            return True
        if not repeated([first.before - longest], time):
            return False
        later = _later(first, self._alone(session, self.inputs.job))
        return later is None or repeated([later], time)

    def _of_samples(self, timings: Sequence[Timing]) -> int | None:
        """The difference of the first two samples, if their requests were alike: the first came
        after other inputs."""
        alike = len(timings) > 1 and len(timings[0].ticks) == len(timings[1].ticks)
        return _later(timings[0], timings[1]) if alike and self._job == self.inputs.job else None

    def _pair(self, session: Session) -> int | None:
        """Additional time from a request to its first batch after other inputs than after its own,
        in ticks; None if it is unknown.
        """
        self.begin(session)
        return self._difference(session)

    def _difference(self, session: Session) -> int | None:
        """The same, if other inputs were computed last."""
        assert self._job is not None
        return _later(self._alone(session, self._job), self._alone(session, self._job))

    def _alone(self, session: Session, job: Job) -> Timing:
        """Timing of one iteration."""
        return session.measure(job, batch=1, count=1, warm=0, timeout=self.inputs.timeout)

    def measure(self, session: Session, batches: Batches) -> ChangedTiming:
        """Time batches with changing inputs."""
        usual = batches.of(self.inputs.job, session)
        more = [(self._pair(session) or 0) * batches.batch for _ in range(batches.count)]
        # Both clocks of a board follow its core: a counter of another one would not fit.
        alike = self.hello.counter is not None and self.hello.counter.name == self.hello.clock.name
        counts = _added(usual.counts, more) if alike and usual.counts is not None else None
        return ChangedTiming(
            replace(usual, ticks=_added(usual.ticks, more), counts=counts), (usual,)
        )

    def job_of(self, job: Job) -> Job:
        """The job with inputs that change, if a request can have several."""
        return job


def _later(first: Timing, second: Timing) -> int | None:
    return None if first.before is None or second.before is None else first.before - second.before


def _added(ticks: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(0, a + b) for a, b in zip(ticks, more, strict=True))
