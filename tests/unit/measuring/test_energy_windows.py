"""An instrument counts the batch and nothing else: operations of half a second by a clock that only
they move.

The probe is the Python one with a library whose operations take 0.5 s at 3 W; idling takes 1 W. For
the probes in C and Java core/tests/test_requests.c and ProbeTest.java test the same of their
replies.
"""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from instrument_streams import info
from motebench_probe import cbor, clocks, loop
from motebench_probe.schemes import Adapter
from motebench_probe.schemes import Scheme as Offered
from motebench_probe.tasks import Task

from motebench.base.errors import InputError
from motebench.base.model import Case, FailureKind, Operation
from motebench.catalog import schemes
from motebench.measuring.instruments.analysis import analyse
from motebench.measuring.instruments.base import PowerSample, Shape
from motebench.measuring.instruments.metering import check_by_hand, fit, found, record
from motebench.measuring.instruments.recorder import Recorder, place
from motebench.measuring.instruments.recording import BATCH, COMPLETE
from motebench.targets.session import ProbeSession
from motebench.targets.wire import frames
from motebench.targets.wire.channel import Channel
from motebench.targets.wire.messages import ProbeFailure, Timing

IDLE_W, BUSY_W, STEP_S = 1.0, 3.0, 0.5
OFFERED = {
    "ecdsa-p256-sha256": ("keygen", "sign", "verify"),
    "ed25519": ("keygen", "sign", "verify"),
    "x25519": ("keygen", "agree"),
    "sha256": ("digest",),
}


class World:
    """Time, and what the target drew when. A line takes ``byte_s`` for a byte, and a moment more
    for each frame.
    """

    def __init__(
        self, *, byte_s: float = 0.0, latency_s: float = 0.0, fast: float = 1.0, tells: bool = True
    ) -> None:
        self.t = 0.0
        self.busy: list[tuple[float, float]] = []
        self.byte_s, self.latency_s, self.fast, self.tells = byte_s, latency_s, fast, tells
        self._receiver = frames.Receiver()
        self._replies = b""

    def work(self, *_: object) -> None:
        self.busy.append((self.t, self.t + STEP_S))
        self.t += STEP_S

    def wall(self) -> int:
        """The probe's own clock, which may be fast."""
        return round(self.t * self.fast * 1e9)

    # The stream

    def now(self) -> float:
        return self.t

    def send(self, data: bytes, deadline: float) -> None:
        self.t += len(data) * self.byte_s + self.latency_s
        for request in self._receiver.feed(data):
            self._replies += self._answer(request)

    def receive(self, deadline: float) -> bytes:
        data, self._replies = self._replies, b""
        self.t += len(data) * self.byte_s + self.latency_s
        return data

    def close(self) -> None:
        pass

    def _answer(self, request: dict[str, Any]) -> bytes:
        def step() -> bytes:
            self.work()
            return b"output"

        library = SimpleNamespace(
            open_task=lambda job: Task(step), public_key=lambda job: b"public"
        )
        offers = {
            name: Offered(name, "f", None, ops, key=(0, 999), tag=(0, 999))
            for name, ops in OFFERED.items()
        }
        payload = loop.answer(
            Adapter("slow", lambda: "1", lambda: offers, lambda _: library), dict(request)
        )
        assert payload is not None
        reply = cbor.loads(payload)
        if not self.tells:
            reply["ok"].pop("before", None)
        return frames.encode(reply)

    # What an instrument sees

    def joules(self, t: float) -> float:
        return IDLE_W * t + (BUSY_W - IDLE_W) * sum(
            min(t, end) - begin for begin, end in self.busy if begin < t
        )

    def samples(self, period: float = 1e-3) -> list[PowerSample]:
        times = [number * period for number in range(int(self.t / period) + 1)]
        counted = [self.joules(t) for t in times]
        powers = [(after - before) / period for before, after in pairwise(counted)]
        return [
            PowerSample(0.0, 0.0),
            *(PowerSample(t, watts) for t, watts in zip(times[1:], powers, strict=True)),
        ]


class Waiting(Recorder):
    """A recorder whose idling moves the world's clock and no other."""

    def __init__(self, world: World, instrument: Any) -> None:
        super().__init__(instrument, {}, clock=world.now)
        self._world = world

    def idle(self, name: str, seconds: float) -> None:
        with self.window(name):
            self._world.t += seconds


@pytest.fixture
def world(monkeypatch):
    made: list[World] = []

    def make(**more: Any) -> World:
        made.append(World(**more))
        monkeypatch.setattr(clocks, "wall", made[-1].wall)
        monkeypatch.setattr(clocks, "cpu", lambda: 0)
        monkeypatch.setattr(clocks, "_per_iteration", lambda: 0.0)
        return made[-1]

    return make


def fitted(world: World, scheme: str, operation: str, seconds: float) -> Any:
    session = ProbeSession(lambda: world, channel=lambda stream: Channel(stream, 0, world.byte_s))
    operation_ = Operation(operation)
    case = Case(scheme, "slow", operation_, 16 if operation_.sized else 0, "host", "slow")
    return fit(session, case, schemes()[scheme], seconds)


def metered(world: World, scheme: str, operation: str, seconds: float, **known: Any) -> Any:
    recorder = Waiting(world, SimpleNamespace(info=info(Shape.MEAN, 1000.0, **known)))
    target = fitted(world, scheme, operation, seconds)
    begun = world.t
    record(recorder, target, 3.0, by_hand=False)
    world.t += 0.01
    recorder.recording.samples = [sample for sample in world.samples() if sample.t >= begun - 0.1]
    recorder.recording.ended = COMPLETE
    return target, recorder.recording


CASES = [
    ("ecdsa-p256-sha256", "sign"),
    ("ecdsa-p256-sha256", "verify"),
    ("ecdsa-p256-sha256", "keygen"),
    ("ed25519", "sign"),
    ("x25519", "agree"),
    ("x25519", "keygen"),
    ("sha256", "digest"),
]


@pytest.mark.parametrize(("scheme", "operation"), CASES)
@pytest.mark.parametrize(("seconds", "batch"), [(0.2, 1), (1.0, 2)])
def test_a_slow_operation_has_its_own_energy(world, scheme, operation, seconds, batch):
    """0.5 s at 3 W are 1.5 J, 1.0 J of it above idling, however often the operation was checked
    beside it.
    """
    target, recording = metered(world(), scheme, operation, seconds)
    assert target.batch == batch
    answer = analyse(recording)
    assert answer.problems == []
    assert answer.gross.interval.typical == pytest.approx(1.5, rel=1e-3)
    assert answer.net.interval.typical == pytest.approx(1.0, rel=1e-3)
    windows = recording.named(BATCH)
    assert [window.t1 - window.t0 for window in windows] == pytest.approx(
        [batch * STEP_S] * 10, rel=1e-6
    )


@pytest.mark.parametrize(
    ("byte_s", "latency_s"), [(0.0, 0.002), (10 / 115200, 0.0), (10 / 19200, 0.005)]
)
@pytest.mark.parametrize("operation", ["sign", "verify"])
def test_the_way_of_request_and_reply_is_in_the_interval_and_not_in_the_energy(
    world, byte_s, latency_s, operation
):
    _, recording = metered(
        world(byte_s=byte_s, latency_s=latency_s), "ecdsa-p256-sha256", operation, 1.0
    )
    answer = analyse(recording)
    assert answer.problems == []
    assert answer.gross.interval.typical == pytest.approx(1.5, rel=5e-3)
    assert answer.gross.interval.low <= 1.5 <= answer.gross.interval.high
    assert answer.net.interval.low <= 1.0 <= answer.net.interval.high


@pytest.mark.parametrize("fast", [0.99, 1.01])
def test_a_clock_that_is_off_by_a_hundredth_is_in_the_interval(world, fast):
    _, recording = metered(world(fast=fast), "sha256", "digest", 1.0)
    answer = analyse(recording)
    assert answer.problems == []
    assert answer.gross.interval.typical == pytest.approx(1.5, rel=0.011)
    assert answer.gross.interval.low <= 1.5 <= answer.gross.interval.high


@pytest.mark.parametrize("fast", [0.8, 1.2])
def test_a_clock_that_is_far_off_gives_no_energy(world, fast):
    _, recording = metered(world(fast=fast), "sha256", "digest", 1.0)
    answer = found(recording)
    assert answer.readings == []
    assert "more or less than the probe accounts for" in answer.failure[1]


def test_a_probe_that_does_not_say_where_its_batches_lie_gives_no_energy(world):
    with pytest.raises(ProbeFailure, match="does not report when its batch began") as raised:
        metered(world(tells=False), "sha256", "digest", 1.0)
    assert raised.value.kind is FailureKind.UNSUPPORTED


def test_gaps_between_batches_are_no_energy():
    timing = Timing((10, 10), None, None, 0, 0, None, before=1, after=1, span=(0.0, 1.0))
    with pytest.raises(ProbeFailure, match="one batch per request"):
        place(timing, 1000)


def test_a_run_keeps_both_energies_with_the_uncertainty_of_the_instrument(world):
    """1 % of 3 W for 0.5 s, as a rectangle: 8.66 mJ; above idling the errors of both powers add up:
    4 W.
    """
    _, recording = metered(world(), "sha256", "digest", 1.0, accuracy=0.01)
    answer = found(recording)
    assert answer.failure is None
    kept = {series.metric: series for series, _, _ in answer.readings}
    assert kept["energy"].type_b == pytest.approx(0.01 * 1.5 / 3**0.5, rel=0.02)
    assert kept["energy_net"].type_b == pytest.approx(0.01 * 2.0 / 3**0.5, rel=0.02)
    each = {
        name: [raw / n for series, raw, n in answer.readings if series.metric == name]
        for name in kept
    }
    assert each["energy"] == pytest.approx([1.5] * 10, rel=1e-3)
    assert each["energy_net"] == pytest.approx([1.0] * 10, rel=1e-3)


# By hand


class Hand:
    """Somebody reads the world's meter, 2 s late each time."""

    def __init__(self, world: World) -> None:
        self.info = info(Shape.MEAN, None, counts=True, resolution_j=0.01)
        self._world, self._last = world, None

    def read(self) -> list[PowerSample]:
        self._world.t += 2.0
        now = self._world.t, self._world.joules(self._world.t)
        before, self._last = self._last, now
        return [
            PowerSample(
                now[0], 0.0 if before is None else (now[1] - before[1]) / (now[0] - before[0])
            )
        ]


@pytest.mark.parametrize("operation", ["sign", "verify"])
def test_by_hand_checks_are_taken_off_by_their_time(world, operation):
    here = world()
    target = fitted(here, "ecdsa-p256-sha256", operation, 10.0)
    assert target.batch == 20
    recorder = Waiting(here, Hand(here))
    check_by_hand(target)
    record(recorder, target, 5.0, by_hand=True)
    recorder.recording.ended = COMPLETE
    answer = analyse(recorder.recording)
    assert len(recorder.recording.named(BATCH)) == 1 and answer.problems == []
    assert answer.gross.interval.typical == pytest.approx(1.5, rel=0.01)
    assert answer.net.interval.typical == pytest.approx(1.0, rel=0.01)
    assert answer.net.interval.low <= 1.0 <= answer.net.interval.high
    assert any(
        "9.09% of the work between the readings were checks" in note for note in answer.notes
    )


def test_by_hand_too_few_operations_are_refused(world):
    """Two checks beside four operations are a third of the work; a tenth may be: 18 operations, 9
    s.
    """
    target = fitted(world(), "sha256", "digest", 2.0)
    assert target.batch == 4
    with pytest.raises(InputError, match="too short for readings by hand") as raised:
        check_by_hand(target)
    assert raised.value.valid == "9s or more"
