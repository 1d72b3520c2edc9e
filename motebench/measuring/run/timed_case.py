"""One visit: one case in one round, with one sample of each of its metrics, or with all samples of
an invocation.

On several cores, a case has as many processes at once, each on a core of its own.
``docs/explain/methods.md``, "Several cores", says what the number of what they do together is.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import fmean, median

from motebench.base.model import Case, Evidence, FailureKind, Operation, Scheme, Series
from motebench.base.units import MAIN
from motebench.measuring.run.context import Pool
from motebench.measuring.study.model import BATCHES, UNTIMED_SECONDS
from motebench.measuring.work import jobs, proof, readings
from motebench.measuring.work.changing import Batches, ChangingInputs
from motebench.measuring.work.inputs import OtherInputs, Spread, says_why
from motebench.measuring.work.readings import Reading
from motebench.results.invocations import observe, value_of
from motebench.stats.levels import BLOCK, agree
from motebench.targets.base import Session
from motebench.targets.wire.messages import Clock, Hello, Job, Offer, ProbeFailure, Timing

MOST_ITERATIONS = 2**30
"""Largest number of iterations of a batch."""


def calibrate(
    read: Callable[[int], tuple[list[Reading], bool]], clock: Clock, batch_seconds: float
) -> int:
    """Iterations that last about ``batch_seconds``, and at least 1000 clock steps and 200 clock
    overheads.

    ``read``: times one batch of so many iterations; its readings, and whether the batch was
    disturbed.
    """
    aim = max(batch_seconds, 1000 * clock.resolution / clock.hz, 200 * clock.overhead / clock.hz)
    batch = 1
    while True:
        taken, disturbed = read(batch)
        readings = {series.metric: (series, raw) for series, raw, _ in taken}
        # On a busy machine, elapsed time includes waiting, and would make batches too short.
        series, raw = readings.get("cpu_time", readings["time"]) if disturbed else readings["time"]
        seconds = max(raw - series.overhead, 1.0) * series.scale * 1e-9
        if seconds >= aim / 2 or batch >= MOST_ITERATIONS:
            return max(1, min(MOST_ITERATIONS, math.ceil(batch * aim / seconds)))
        # Growth is bounded, because a first reading of very few ticks says little.
        batch = min(MOST_ITERATIONS, batch * 64, math.ceil(batch * aim / seconds))


LEAST_SECONDS = 0.5
"""Least seconds of work before a warm-up ends, by the median batch. Compilers need a while to
begin, and on a busy machine they get as little of the processors as the work does: the wall clock
would not show that."""
AGAIN_SECONDS = 0.3
"""Seconds for a case that was warm before the process worked on others. Discarded code is compiled
again in steps, and blocks agree on each step: with only three blocks, AES of 1 KiB was now and then
taken for steady at 985 ns on its way back to 618 ns.
"""


@dataclass
class Warmup:
    """The result of a warm-up: its blocks with the batch length of each, whether it reached a
    steady state, seconds per operation."""

    blocks: list[tuple[Timing, int]] = field(default_factory=list)
    steady: bool = False
    seconds: float = 0.0


def warm_up(
    measure: Callable[[int, int], Timing],
    clock: Clock,
    batch: int,
    batch_seconds: float,
    limit: float,
    least: float = LEAST_SECONDS,
) -> Warmup:
    """Call ``measure(batch, count)`` until times are steady and ``least`` seconds of work are done,
    or for ``limit`` seconds.

    ``batch`` is the first batch length; it follows the falling time so that a batch lasts about
    ``batch_seconds``.
    """
    result = Warmup()
    medians: list[float] = []
    begun = time.monotonic()
    lasted: list[float] = []
    while not result.steady:
        timing = measure(batch, BLOCK)
        result.blocks.append((timing, batch))
        result.seconds = max(median(timing.ticks) - clock.overhead, 1.0) / clock.hz / batch
        medians.append(result.seconds)
        lasted.append(median(timing.ticks) / clock.hz)
        spent = time.monotonic() - begun
        # By the median block: a block of slow code would otherwise count as many.
        result.steady = agree(medians) and BLOCK * len(lasted) * median(lasted) >= least
        if spent >= limit:
            break
        batch = max(1, round(batch_seconds / result.seconds))
    return result


_SPARE = 4
"""A request for several samples is made if this many times its expected duration still fits the
time limit."""
FEWEST_BATCHES = 4
"""The same if one iteration is so long that `BATCHES` would take too long."""
_EXECUTIONS, _TICKS = 10, 2 * 10**9
"""Samples in a visit of a slow operation whose time varies, as many as pqm4 executes, if they take
no more ticks of a simulated board.
"""
_WARM_SHARE = 1 / 8
"""Least share of a batch that runs untimed before it, with `UNTIMED_SECONDS`, so that caches
contain the case again.
"""


@dataclass
class TimedCase:
    """State of a case while it is measured."""

    case: Case
    scheme: Scheme
    offer: Offer
    evidence: Evidence
    batch_seconds: float
    timeout: float
    """Longest request in seconds."""
    warmup_seconds: float
    """Largest number of seconds in which a just-in-time compiler may reach its steady state."""
    exact: bool = False
    """Every reading is the same to the last cycle: one iteration is enough."""
    slow: bool = False
    """User code whose operation may take a simulator minutes: each execution earns its place. A
    visit has a board of its own and one request, whose own executions prove the output and show
    what is remembered.
    """
    shares: bool = False
    """The share of hash functions is read with the memory, where a simulator counts cycles."""
    at_once: int = 1
    """Samples per visit, if one request has time for them."""
    most: int = 1
    """Largest number of samples."""
    values: list[float] = field(default_factory=list)
    """Times in ns: one per sample that counts, or one per invocation of a just-in-time compiler.
    Disturbed samples do not count, unless the work itself is random."""
    taken: int = 0
    """Number of samples, including disturbed ones; or of invocations."""
    jit: bool = False
    """The process is kept until it is warm, and gives several samples: see
    `motebench.measuring.run.lane.invoke`."""
    marks: list[str] = field(default_factory=list)
    """Marks of the samples of the last visit: why each is disturbed, or an empty text."""
    clock_tolerance: float = 0.0
    """Relative tolerance of the clock's rate."""
    paced: Callable[[Session, Job, Hello, float], str] | None = None
    """Compares the clock of a board with this machine's, given the duration of one iteration;
    returns remarks for readers."""
    stolen: Callable[[], float] | None = None
    """Seconds that a hypervisor took from a core since the last call; None without a hypervisor
    that reports them.
    """
    batch: int = 0
    memory_samples: int = 0
    warmup: list[Reading] = field(default_factory=list)
    """Readings of the current process's warm-up."""
    numbers: Counter[str] = field(default_factory=Counter)
    """Number of samples from kept processes, by metric."""
    notes: list[str] = field(default_factory=list)
    changing: ChangingInputs = field(default_factory=ChangingInputs)
    """Control of code that remembers its input, and its result."""
    _timings: list[Timing] = field(default_factory=list)
    """Timings of the requests of the last samples, in their order."""
    _warm: tuple[Session, int] | None = None
    _warm_seconds: float = 0.0
    _job: Job | None = None
    _crc: int | None = None
    _agreed: Callable[[int], None] | None = None
    """Compares the output of the first sample with that of other implementations, and keeps it."""
    _checked: bool = False
    _spread: bool = False
    """Executions with other inputs were made."""
    _drawn: bytes = b""
    """The last random output: the next one must differ."""
    _hello: Hello | None = None

    def visit(self, pool: Pool, consensus: proof.Consensus) -> list[Reading]:
        """One sample, or `at_once`. Raises ProbeFailure; no reading is returned unless the output
        was right."""
        if not self.slow:
            session = pool.session(self.case.target, self.case.provider, self.case.scheme)
            return self._visit(session, consensus)
        with closing(pool.fresh(self.case.target, self.case.provider)) as session:
            return [*self._visit(session, consensus), *self._of_inputs(session)]

    def _visit(self, session: Session, consensus: proof.Consensus) -> list[Reading]:
        job = self._prepare(session, consensus)
        if not self.batch:
            self.batch = 1 if self.exact else self._calibrate(session, job)
        self._begin_control(session, job)
        taken = self._samples(session, job)
        if self._must_change(session):
            taken = self._samples(session, job)
        times = _times(taken)
        if self.paced is not None and self._hello is not None:
            notice = self.paced(session, job, self._hello, times[-1] * 1e-9)
            self.paced = None
            self.notes += [notice] if notice else []
        self.taken += len(times)
        self.values += self._quiet(times)
        return taken

    def _samples(self, session: Session, job: Job) -> list[Reading]:
        """The readings of a visit."""
        self.marks.clear()
        self._timings.clear()
        if self.slow:
            return self._few_samples(session, job)
        begun = time.monotonic()
        taken = self._measure(session, job, self.batch)
        took = time.monotonic() - begun
        more = self.at_once - len(self.values) - 1
        # The control compares the first two requests; a second one takes no longer than the first.
        compared = more == 1 and not self.changing.decided
        if compared or (more > 0 and took * more < self.timeout / _SPARE):
            taken += self._measure(session, job, self.batch, more)
        return taken

    def _few_samples(self, session: Session, job: Job) -> list[Reading]:
        """Samples of one request, and more if they differ and are short enough."""
        taken = self._measure(session, job, self.batch, self.at_once)
        ticks, more = self._timings[0].ticks, min(self.most, _EXECUTIONS) - self.at_once
        if min(ticks) < max(ticks) and 0 < more * self.batch * max(ticks) <= _TICKS:
            taken += self._measure(session, job, self.batch, more)
        return taken

    def _of_inputs(self, session: Session) -> list[Reading]:
        """Cycles with other inputs, once: how much the work depends on its input. Each result is
        proved as that of the case itself.
        """
        assert self._job is not None
        assert self._hello is not None
        if self._spread:
            return []
        taken: list[Reading] = []
        inputs = OtherInputs(self.case, self.scheme, self.offer, self._job, self.timeout)
        spread = Spread(inputs, session, self._timings[0].ticks[0])
        try:
            for made in spread.executions():
                proof.check_other(self.case, self.scheme, made, session, self.timeout)
                if made.counts:
                    taken += readings.of_input(made.timing, self._hello, self.evidence)
        except ProbeFailure as failure:
            if failure.kind is FailureKind.WRONG_ANSWER:
                raise
            if says_why(failure, True):
                self.notes.append(f"with another input: {failure.kind.value}: {failure.message}")
        self.notes += filter(None, [spread.told()])
        self.tell_spread([raw - series.overhead for series, raw, _ in taken], spread.keys())
        return taken

    def tell_spread(self, cycles: Sequence[float], keys: str = "") -> None:
        """Note that executions with other inputs took these cycles; they are not made again.
        ``keys``: words for their keys."""
        self._spread = True
        if cycles and min(cycles) < max(cycles):
            self.notes.append(
                f"with {len(cycles)} other inputs{keys}: {min(cycles):,.0f} to {max(cycles):,.0f} "
                f"cycles, mean {fmean(cycles):,.0f}"
            )

    def _begin_control(self, session: Session, job: Job) -> None:
        """Make the control of code that remembers its input, before the first sample."""
        if not self.changing.decided:
            inputs = OtherInputs(self.case, self.scheme, self.offer, job, self.timeout)
            self.changing.begin(inputs, session, self.batch, fresh=self.slow)

    def _must_change(self, session: Session) -> bool:
        """True if the first samples do not count, because changing inputs take another time. Asked
        once.
        """
        assert self._hello is not None
        if self.changing.decided:
            return False
        effect = self.changing.decide(session, self._timings, self.batch, self._hello)
        self.notes += self.changing.notes
        if effect is not None and not self.exact and effect.changing > effect.same > 0:
            self.batch = max(1, math.ceil(self.batch * effect.same / effect.changing))
        return effect is not None

    def _quiet(self, times: list[float]) -> list[float]:
        """Times of undisturbed batches, by `marks`."""
        random = self.case.operation.random_work
        return [value for value, mark in zip(times, self.marks, strict=True) if not mark or random]

    def warm_up(self, session: Session, consensus: proof.Consensus) -> list[Reading]:
        """Bring a process with a just-in-time compiler to the steady state of the case; the
        readings are kept for `invoked`. Raises ProbeFailure.
        """
        job = self._prepare(session, consensus)
        self.warmup.clear()
        # The code is still slow: a batch of the length for warm code would take very long.
        self.batch = self._calibrate(session, job)
        self._warm_up(session, job, LEAST_SECONDS)
        self._warm = (session, session.generation)
        return []

    def invoked(
        self, session: Session, consensus: proof.Consensus, *, alone: bool
    ) -> list[Reading]:
        """All samples of the case in a process, after its `warm_up`, and before them the batches of
        the warm-up.

        ``alone``: the process has worked on no other case in between. Otherwise compiled code may
        have been discarded, and the case is warmed up once more, for a shorter time.
        """
        if self._warm != (session, session.generation):
            self.warm_up(session, consensus)  # the process was restarted
        elif not alone:
            self._warm_up(session, self._prepare(session, consensus), AGAIN_SECONDS)
        # Short operations fill a batch more or less exactly by chance: no reason for fewer batches.
        longer = max(1.0, self._warm_seconds / self.batch_seconds)
        count = max(FEWEST_BATCHES, round(BATCHES / longer))
        self._begin_control(session, self._prepare(session, consensus))
        taken = self._blocks(session, consensus, count)
        if self._must_change(session):
            taken = self._blocks(session, consensus, count)
        self.taken += 1
        samples = self._quiet(_times(taken))
        if samples:
            self.values.append(value_of(samples, observe(_times(self.warmup), samples)))
        return [*self.warmup, *taken]

    def _blocks(self, session: Session, consensus: proof.Consensus, count: int) -> list[Reading]:
        """``count`` samples of a warm process."""
        self.marks.clear()
        self._timings.clear()
        taken: list[Reading] = []
        # Requests are like those of the warm-up: for others, the compiler may not have compiled its
        # code.
        for done in range(0, count, BLOCK):
            taken += self._measure(
                session, self._prepare(session, consensus), self.batch, min(BLOCK, count - done)
            )
        return taken

    def memory(self, pool: Pool) -> list[Reading]:
        """Peak memory, in a process that has done nothing else; a board paints its stack anew for
        each request."""
        if self.exact:
            self.memory_samples += 1
            session = pool.session(self.case.target, self.case.provider, self.case.scheme)
            self.changing.forget(session)
            return self._memory(session)
        session = pool.fresh(self.case.target, self.case.provider)
        try:
            return self._memory(session)
        finally:
            session.close()
            self.memory_samples += 1

    def _memory(self, session: Session) -> list[Reading]:
        assert self._job is not None
        taken = self._hashing(session)
        if "memory" in session.hello_of(self.case.scheme).does:
            memory = session.memory(self._job, timeout=self.timeout)
            taken += readings.of_memory(memory, self.evidence)
        return taken

    def _hashing(self, session: Session) -> list[Reading]:
        """Share of hash functions, if it is asked for and a simulator counts it."""
        if not self.shares or self.evidence is not Evidence.SIMULATED:
            return []
        from motebench.targets.board.board import BoardSession  # a run of hosts needs no boards

        assert self._job is not None
        if not isinstance(session, BoardSession):
            return []
        return readings.of_profile(session.profile(self._job, timeout=self.timeout), self.evidence)

    def _prepare(self, session: Session, consensus: proof.Consensus) -> Job:
        if self._job is None:
            self._job = jobs.build(self.case, self.scheme, self.offer, session, self.timeout)
            if self.slow and not (jobs.random_result(self._job) or self._job.answer):
                self._agreed = partial(consensus.check, self.case)
            else:
                self._crc = proof.expected_crc(
                    self.case, self._job, session, consensus, self.timeout
                )
            # One set of clock constants for the whole series: each probe process measures its own
            # overhead, and the differences are far below the batch.
            self._hello = session.hello_of(self.case.scheme)
        return self._job

    def _warm_up(self, session: Session, job: Job, least: float) -> None:
        assert self._hello is not None
        hello = self._hello
        done = warm_up(
            lambda batch, count: self._timing(session, job, batch, count),
            hello.clock,
            self.batch,
            self.batch_seconds,
            self.warmup_seconds,
            least,
        )
        for timing, batch in done.blocks:
            self.warmup += readings.of_warmup(timing, batch, hello, self.evidence)
        self._warm_seconds = done.seconds
        self.batch = max(1, min(MOST_ITERATIONS, math.ceil(self.batch_seconds / done.seconds)))

    def _measure(self, session: Session, job: Job, batch: int, count: int = 1) -> list[Reading]:
        assert self._hello is not None
        timing = self._timing(session, job, batch, count)
        return readings.of_timing(timing, batch, self._hello, self.evidence, self.clock_tolerance)

    def _timing(self, session: Session, job: Job, batch: int, count: int) -> Timing:
        if self.stolen is not None:
            self.stolen()
        begun = time.monotonic()
        changed = self.changing.measure(
            session, job, Batches(batch, count, self._untimed(batch), self.timeout)
        )
        taken = self.stolen() if self.stolen is not None else 0.0
        assert self._hello is not None
        elapsed = time.monotonic() - begun
        marks = [readings.marks(part, self._hello, taken, elapsed) for part in changed.parts]
        self.marks += [next(filter(None, of_batch), "") for of_batch in zip(*marks, strict=True)]
        for part in changed.parts:
            self._check(part, job, session)
        self._timings += changed.parts
        return changed.timing

    def _check(self, timing: Timing, job: Job, session: Session) -> None:
        """ProbeFailure if the timed function's output is wrong."""
        if self._agreed is not None:
            self._agreed(timing.crc)
            self._agreed, self._crc = None, timing.crc
        if self._crc is not None and timing.crc != self._crc:
            raise ProbeFailure(
                FailureKind.WRONG_ANSWER,
                f"the timed function's output is wrong (CRC-32 {timing.crc:08x}, expected "
                f"{self._crc:08x})",
            )
        if self._crc is None and not self._checked:
            proof.check_random(self.case, self.scheme, job, timing, session, self.timeout)
            self._checked = True
        elif self._crc is None and self.case.operation is not Operation.SIGN and timing.out:
            # A simulated board begins anew, with the same state of the code's own randomness.
            if timing.out == self._drawn and not self.exact:
                raise ProbeFailure(
                    FailureKind.WRONG_ANSWER,
                    f"{self.case.operation.value} returns the same output each time",
                )
            self._drawn = timing.out

    def _untimed(self, batch: int) -> int:
        """Untimed iterations before a batch."""
        share = (
            _WARM_SHARE if self.exact else max(_WARM_SHARE, UNTIMED_SECONDS / self.batch_seconds)
        )
        return min(MOST_ITERATIONS, math.ceil(batch * share)) if batch > 1 else 0

    def _calibrate(self, session: Session, job: Job) -> int:
        """Iterations of a batch; see `calibrate`."""
        assert self._hello is not None

        def read(batch: int) -> tuple[list[Reading], bool]:
            return self._measure(session, job, batch), bool(self.marks[-1])

        return calibrate(read, self._hello.clock, self.batch_seconds)


def _times(taken: Iterable[Reading]) -> list[float]:
    """Times in ns of one operation, or its instructions, by samples or by batches of a warm-up."""
    return [
        (raw - series.overhead) * series.scale / batch
        for series, raw, batch in taken
        if series.metric in (*MAIN, "warmup_time")
    ]


# Several cores


FEWEST = 4
"""Batches of each process in the window."""
SHARE = 0.5
"""Least share of the longest process that the window covers."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One process and one request, in seconds.

    ``sent``, ``came``: when the request left and the reply came. ``before``, ``after``: from the
    request to the first batch, from the last batch to the reply; ``batches``: the time of each.
    ``lost``: the places of those in which the process was without the processor.
    """

    sent: float
    came: float
    before: float
    after: float
    batches: tuple[float, ...]
    lost: frozenset[int] = frozenset()

    @property
    def slack(self) -> float:
        """Largest delay of its batches after the earliest possible moment, in seconds."""
        return max(0.0, self.came - self.sent - self.before - sum(self.batches) - self.after)

    def times(self) -> list[tuple[float, float]]:
        """Earliest beginning and latest end of each batch."""
        at, spans = self.sent + self.before, []
        for seconds in self.batches:
            spans.append((at, at + seconds + self.slack))
            at += seconds
        return spans


@dataclass(frozen=True, slots=True)
class CommonWindow:
    """A time in which all processes certainly worked. ``inside``: of each process the places of the
    batches that certainly lie in it, from and to. ``quiet``: whether no process was without the
    processor in it."""

    begin: float
    end: float
    inside: tuple[range, ...]
    quiet: bool


def common(processes: Sequence[Worked]) -> CommonWindow | str:
    """The window of these processes, or in words why they did not work together for long enough.

    It is the longest part in which no process was without the processor; if that holds too few
    batches, it is the whole time in which all worked.
    """
    times = [process.times() for process in processes]
    begin = max(process.sent + process.before + process.slack for process in processes)
    end = min(process.sent + process.before + sum(process.batches) for process in processes)
    longest = max(sum(process.batches) + process.slack for process in processes)
    if not longest or end - begin < SHARE * longest:
        share = max(0.0, end - begin) / longest if longest else 0.0
        return f"all processes worked together for {share:.0%} of the time".replace("%", " %")
    lost = [
        spans[place]
        for process, spans in zip(processes, times, strict=True)
        for place in process.lost
    ]
    low, high = max(
        _free(begin, end, lost), key=lambda gap: gap[1] - gap[0], default=(begin, begin)
    )
    for window in (
        _window(low, high, times, quiet=True),
        _window(begin, end, times, quiet=not lost),
    ):
        fewest = min(len(inside) for inside in window.inside)
        if fewest >= FEWEST:
            return window
    return f"a process finished {fewest} batches while all worked, {FEWEST} are needed"


def _free(
    begin: float, end: float, taken: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The parts of the time that none of ``taken`` touches."""
    gaps = []
    for low, high in sorted(taken):
        if low > begin:
            gaps.append((begin, min(low, end)))
        begin = max(begin, high)
    return [gap for gap in [*gaps, (begin, end)] if gap[1] > gap[0]]


def _window(
    begin: float, end: float, times: Sequence[Sequence[tuple[float, float]]], *, quiet: bool
) -> CommonWindow:
    inside = []
    for batches in times:
        # Both ends of the batches rise, so those that lie inside are neighbours.
        places = [
            place for place, (low, high) in enumerate(batches) if low >= begin and high <= end
        ]
        inside.append(range(places[0], places[-1] + 1) if places else range(0))
    return CommonWindow(begin, end, tuple(inside), quiet)


BATCHES_TOGETHER = 32
"""Batches of each process for one sample."""
FEWEST_TOGETHER = 10
"""The same if an operation is longer than a batch should be."""
_TRIES = 3
"""Requests of a visit before it gives no sample."""
_HOPELESS = 5
"""Visits without a sample after which a case without any fails."""


@dataclass
class CoresCase(TimedCase):
    """A case whose ``cores`` processes work at once. A sample is one request to each of them."""

    dropped: int = 0
    """Visits that gave no sample, because the processes did not work together for long enough."""
    _count: int = BATCHES_TOGETHER

    def visit(self, pool: Pool, consensus: proof.Consensus) -> list[Reading]:
        """One sample; none if the processes never overlapped enough. Raises ProbeFailure."""
        self.marks.clear()
        with ExitStack() as opened:
            sessions = []
            for core in pool.place(self.case.target).cores()[: self.case.cores]:
                with pool.place(self.case.target).on_core(core):
                    session = pool.fresh(self.case.target, self.case.provider)
                sessions.append(session)
                opened.callback(session.close)
            if len(sessions) < self.case.cores:
                raise ProbeFailure(
                    FailureKind.UNSUPPORTED, f"only {len(sessions)} cores can be used"
                )
            return self._sampled(sessions, consensus)

    def _sampled(self, sessions: Sequence[Session], consensus: proof.Consensus) -> list[Reading]:
        job = self._prepare(sessions[0], consensus)
        if not self.batch:
            self.batch = self._calibrate(sessions[0], job)
            self._begin_control(sessions[0], job)
            self._timings.clear()
            self._count = self._batches(sessions[0], job)
            self._must_change(sessions[0])
            self.marks.clear()
        self.taken += 1
        why = ""
        with ThreadPoolExecutor(len(sessions)) as threads:
            for _ in range(_TRIES):
                if self.stolen is not None:
                    self.stolen()
                begun = time.monotonic()
                futures = [threads.submit(self._ask, session, job) for session in sessions]
                timings = [future.result() for future in futures]
                theft = (
                    readings.theft(self.stolen(), time.monotonic() - begun)
                    if self.stolen is not None
                    else ""
                )
                for timing in timings:
                    self._check(timing, job, sessions[0])
                hellos = [session.hello_of(self.case.scheme) for session in sessions]
                processes = [
                    worked(timing, hello) for timing, hello in zip(timings, hellos, strict=True)
                ]
                window = common(processes)
                if isinstance(window, CommonWindow):
                    return self._readings(window, timings, hellos, theft)
                why = window
        self.dropped += 1
        if self.dropped >= _HOPELESS and not self.values:
            raise ProbeFailure(FailureKind.ERROR, f"no sample in {self.dropped} rounds: {why}")
        self._say(f"{self.dropped} samples were not used: {why}")
        return []

    def _batches(self, session: Session, job: Job) -> int:
        """Number of batches that last about `BATCHES_TOGETHER` times the usual length; fewer if an
        operation is longer."""
        timing, hello = (
            self._timing(session, job, self.batch, 1),
            session.hello_of(self.case.scheme),
        )
        lasts = max(timing.ticks[0] - hello.clock.overhead, 1.0) / hello.clock.hz
        return max(
            FEWEST_TOGETHER,
            min(BATCHES_TOGETHER, round(BATCHES_TOGETHER * self.batch_seconds / lasts)),
        )

    def _ask(self, session: Session, job: Job) -> Timing:
        job, warm = self.changing.job_of(job), self._untimed(self.batch)
        return session.measure(
            job, batch=self.batch, count=self._count, warm=warm, timeout=self.timeout
        )

    def _say(self, note: str) -> None:
        self.notes[:] = [
            earlier for earlier in self.notes if "samples were not used" not in earlier
        ] + [note]

    def _readings(
        self, window: CommonWindow, timings: Sequence[Timing], hellos: Sequence[Hello], theft: str
    ) -> list[Reading]:
        """Time and processor time of one operation of all processes together, from the batches in
        the window."""
        rate, spent, has_times = 0.0, 0.0, True
        mark = theft or (
            "" if window.quiet else "a process was without the processor in every part of the time"
        )
        operations = self.batch * sum(len(inside) for inside in window.inside)
        for timing, hello, inside in zip(timings, hellos, window.inside, strict=True):
            ticks = sum(timing.ticks[place] - hello.clock.overhead for place in inside)
            if ticks <= 0:
                raise ProbeFailure(
                    FailureKind.LOST, "batches are not longer than reading the clock takes"
                )
            rate += len(inside) * self.batch / ticks * hello.clock.hz
            if timing.cpu is None or hello.cpu is None:
                has_times = False
                continue
            cpu = sum(timing.cpu[place] for place in inside)
            spent += cpu / hello.cpu.hz
        clock = hellos[0].clock.name
        time_of = Series("time", "ns", 1.0, 0.0, f"{clock}, all cores", self.evidence)
        readings: list[Reading] = [(time_of, operations / rate * 1e9, operations)]
        if has_times and hellos[0].cpu is not None:
            cpu_of = replace(time_of, metric="cpu_time", source=f"{hellos[0].cpu.name}, all cores")
            readings.append((cpu_of, spent * 1e9, operations))
        self.marks.append(mark)
        if not mark or self.case.operation.random_work:
            self.values.append(1e9 / rate)
        return readings


def worked(timing: Timing, hello: Hello) -> Worked:
    """Times of a process and its batches. ProbeFailure if the probe does not report enough."""
    if timing.span is None or timing.before is None or timing.after is None:
        raise ProbeFailure(FailureKind.UNSUPPORTED, "the probe does not say when its batches began")
    hz = hello.clock.hz
    lost = frozenset(place for place, mark in enumerate(readings.marks(timing, hello)) if mark)
    batches = tuple(ticks / hz for ticks in timing.ticks)
    return Worked(*timing.span, timing.before / hz, timing.after / hz, batches, lost)
