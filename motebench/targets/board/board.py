"""Boards: microcontrollers that run the C probe as firmware, one scheme of one implementation at a
time.

A `BoardHost` is the place: a simulator, or a real board. A `FirmwareProvider` makes the firmware.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from motebench.base.files.elf import object_bytes
from motebench.base.model import Evidence, FailureKind, Operation, Scheme
from motebench.base.naming import COMPILER, VARIANT, plain
from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.targets.base import OF_THE_SCHEME, Place, Session, Startable, Target
from motebench.targets.code.building import BOARD_LEVEL, HOST_LEVEL, UserCode
from motebench.targets.code.session import CodeSession, made_elsewhere, with_keys
from motebench.targets.firmware import (
    REQUESTS,
    FirmwareImage,
    FirmwareRole,
    build,
    check_fit,
    check_net_fit,
    empty,
    flash_of,
    offered,
    offers_of,
    own_implementations,
)
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, compilers
from motebench.targets.host.this_machine import ThisMachine, this_machine
from motebench.targets.session import ProbeSession
from motebench.targets.setup.declared import may_offer
from motebench.targets.wire.messages import (
    FileTiming,
    Hello,
    Job,
    Memory,
    Offer,
    ProbeAnswer,
    ProbeFailure,
    Timing,
)

_USUAL_SIZES = (16, 64, 256)
_RAM_PART = 32
"""An input of this fraction of the RAM leaves room for the output, the stack and the probe."""


CallPath = tuple[str, ...]
"""Functions from the outermost on, each called by the one before it."""
_LONG_NUMBER = 1 << 16
"""Cycles of a batch from which the reply has four bytes for them, up to 2^32."""
_FURTHER, _FURTHER_CYCLES = 64, 1 << 22
"""Iterations by which two profiles differ: so many, or as many as take these cycles, and at least
one."""
_LOOP = "mb_repeat"
"""The function around the iterations of a batch (``core/support``)."""


@dataclass(frozen=True, slots=True)
class CallProfile:
    """Cycles of one operation by path of calls, the probe's own functions left out.

    harness: measured cycles that are in no path: of the probe's loop and its call.
    """

    paths: Mapping[CallPath, float]
    harness: float = 0.0

    @property
    def total(self) -> float:
        """The measured cycles."""
        return sum(self.paths.values()) + self.harness

    def by_function(self) -> dict[str, int]:
        """Whole cycles in each function itself; those without any are left out."""
        cycles: dict[str, float] = {}
        for path, count in self.paths.items():
            cycles[path[-1]] = cycles.get(path[-1], 0.0) + count
        return {name: round(count) for name, count in cycles.items() if round(count) > 0}

    def share(self, counts: Callable[[str], bool]) -> float:
        """Share of the cycles in functions that count, and in all that these call."""
        total = sum(self.paths.values())
        counted = sum(cycles for path, cycles in self.paths.items() if any(map(counts, path)))
        return counted / total if total else 0.0


class BoardHost(Place):
    """A place with boards of one device. A kind of board host must implement `device`, `check` and
    `start`.
    """

    exact = True
    fast = False
    board = True

    @property
    def device(self) -> Device:
        """The device of the boards."""
        raise NotImplementedError

    def expected(self) -> Device:
        """The device; see `Place`."""
        return self.device

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """The usual sizes of sensor messages, up to a fraction of the RAM."""
        return (
            tuple(size for size in _USUAL_SIZES if size * _RAM_PART <= self.device.ram_bytes)
            or _USUAL_SIZES[:1]
        )

    def check(self) -> None:
        """ProbeFailure if no firmware can run there."""
        raise NotImplementedError

    def start(self, image: FirmwareImage) -> ProbeSession:
        """Session with a board that runs exactly ``image``. ProbeFailure if no board answers.

        If there is only one board, a session with another image ends the previous one. The previous
        one uploads its own image again at its next request.
        """
        raise NotImplementedError

    def profile(
        self, image: FirmwareImage, use: Callable[[ProbeSession], object]
    ) -> dict[CallPath, int]:
        """Cycles of each path of calls while ``use`` makes its requests to a new board.
        ProbeFailure of kind ``unsupported`` where nothing counts them: on every real board.
        """
        del image, use
        raise ProbeFailure(
            FailureKind.UNSUPPORTED, "only a simulator counts the cycles of functions"
        )


@dataclass(frozen=True)
class BoardFirmware:
    """An implementation at a board host: firmware for each scheme."""

    host: BoardHost
    provider: FirmwareProvider

    def open(self) -> Session:
        """Boards with that implementation; none is started yet."""
        self.host.check()
        return BoardSession(self.host, self.provider)


def board_target(host: BoardHost, code: Mapping[str, UserCode] | None = None) -> Target:
    """The target of a board host. ``code``: user code by name."""

    def offered() -> Mapping[str, Startable]:
        providers = firmware_providers(host.device, code)
        return {name: BoardFirmware(host, provider) for name, provider in providers.items()}

    def prepare(names: Sequence[str]) -> None:
        # The same sources, built for this machine, list what they offer.
        providers = firmware_providers(host.device, code)
        this_machine().prepare(
            sorted(
                {name for implementation in names for name in providers[implementation].asked_of}
            )
        )

    def may(name: str, schemes: Collection[Scheme]) -> bool:
        return may_offer(offers_of(plain(name)), schemes)

    return Target(host, offered, prepare=prepare, may_offer=may)


def nominal_clock(device: Device) -> tuple[float, str]:
    """The relative tolerance of a real board's clock, with a note.

    The clock itself counts cycles: ``cycles`` are exact, and ``time`` is cycles at the nominal
    rate.
    """
    if device.serial is None:
        return 0.0, ""
    serial = device.serial
    return serial.clock_tolerance, (
        f"time is cycles at the nominal {device.clock_hz / 1e6:g} MHz: the clock of the board "
        f"({serial.clock_origin}) "
        f"may be off by {serial.clock_tolerance:.1%}, and time with it".replace("%", " %")
    )


class BoardSession:
    """A conversation with one probe. Each scheme has its own firmware, started when the
    scheme is first used."""

    jit = False

    def __init__(self, host: BoardHost, provider: FirmwareProvider) -> None:
        self._host, self._provider = host, provider
        self._boards: dict[str, ProbeSession] = {}
        self._images: dict[str, FirmwareImage] = {}
        self._offers: Mapping[str, Offer] | None = None

    @property
    def hello(self) -> Hello:
        """The hello of the board that was used last; before that, of the first scheme that has
        firmware.
        """
        if self._boards:
            return next(reversed(self._boards.values())).hello
        last = ProbeFailure(FailureKind.UNSUPPORTED, "the probe offers no scheme")
        for scheme in self.offers():
            try:
                return self.hello_of(scheme)
            except ProbeFailure as failure:
                if failure.kind not in OF_THE_SCHEME:
                    raise
                last = failure
        raise last

    def hello_of(self, scheme: str) -> Hello:
        """The hello of the board with that scheme."""
        return self._board(scheme).hello

    @property
    def generation(self) -> int:
        """Number of boards that were started."""
        return sum(board.generation for board in self._boards.values())

    def offers(self) -> dict[str, Offer]:
        """The schemes that have sources; whether one fits the device shows when it is built."""
        if self._offers is None:
            self._offers = self._provider.offers(self)
        return dict(self._offers)

    def compute(
        self, job: Job, *, brief: bool = False, public: bool = False, timeout: float = 60.0
    ) -> ProbeAnswer:
        """Do the operation once."""
        return self._board(job.scheme).compute(job, brief=brief, public=public, timeout=timeout)

    def signature(self, job: Job, *, timeout: float = 60.0) -> bytes:
        """A signature made by the same source on this machine: many boards can verify but not sign.
        The board makes it if the source is for its processor alone."""
        session = self._provider.host()
        try:
            return session.signature(job, timeout=timeout)
        except ProbeFailure as failure:
            if not made_elsewhere(failure):
                raise
        finally:
            session.close()
        return self.compute(job, timeout=timeout).out or b""

    def measure(
        self,
        job: Job,
        *,
        batch: int,
        count: int,
        warm: int,
        timeout: float,
        reference: bool = False,
    ) -> Timing:
        """Time batches, exactly."""
        del reference
        return self._board(job.scheme).measure(
            job, batch=batch, count=count, warm=warm, timeout=timeout
        )

    def measure_each(self, jobs: Sequence[Job], *, evict: bool, timeout: float) -> Timing:
        """Unsupported: a board has no memory for more than one job."""
        del jobs, evict, timeout
        raise ProbeFailure(FailureKind.UNSUPPORTED, "a board prepares one input at a time")

    def memory(self, job: Job, *, timeout: float = 60.0) -> Memory:
        """Stack use, the firmware's flash and RAM, and the bytes of the user's objects."""
        memory = self._board(job.scheme).memory(job, timeout=timeout)
        image, empty = self._images[job.scheme], self._provider.empty(self._host.device, job.scheme)
        net = {
            "flash_net": image.flash - empty.flash,
            "static_net": image.static_ram - empty.static_ram,
        }
        if image.own:
            parts = zip(*map(object_bytes, image.own), strict=True)
            net |= dict(zip(("text", "data", "bss"), map(sum, parts), strict=True))
        return replace(memory, flash=image.flash, **net)

    def profile(self, job: Job, *, fewest: int = 1, timeout: float = 60.0) -> CallProfile:
        """Cycles of one iteration of the job by path of calls, as the mean of ``fewest`` iterations
        or more. ProbeFailure of kind ``unsupported`` on a real board.
        """
        timing = self.measure(job, batch=1, count=2, warm=0, timeout=timeout)
        image, ticks = self._images[job.scheme], max(timing.ticks[0], 1)
        first = math.ceil(_LONG_NUMBER / ticks)
        further = max(fewest, min(_FURTHER, _FURTHER_CYCLES // ticks))
        fewer, more = (
            self._host.profile(image, partial(_batch_of, job=job, batch=batch, timeout=timeout))
            for batch in (first, first + further)
        )
        of_probe, of_code = image.functions()
        paths: dict[CallPath, float] = {}
        harness = 0.0
        for path, cycles in more.items():
            own = _behind(path, of_probe, of_code)
            of_one = (cycles - fewer.get(path, 0)) / further
            if own:
                paths[own] = paths.get(own, 0.0) + of_one
            elif _LOOP in path:
                harness += of_one
        if len(set(timing.ticks)) == 1:  # the work is the same in each call
            overhead = self.hello_of(job.scheme).clock.overhead
            rest = timing.ticks[0] - overhead - sum(paths.values())
            harness = rest if rest >= 0 else harness
        return CallProfile({path: cycles for path, cycles in paths.items() if cycles}, harness)

    def file(
        self,
        job: Job,
        *,
        source: str,
        destination: str,
        chunk: int,
        cold: bool,
        sync: bool,
        timeout: float,
    ) -> FileTiming:
        """A board has no files."""
        del job, source, destination, chunk, cold, sync, timeout
        raise ProbeFailure(FailureKind.UNSUPPORTED, "a board has no file system")

    def close(self) -> None:
        """Switch the boards off."""
        for board in self._boards.values():
            board.close()
        self._boards.clear()

    def _board(self, scheme: str) -> ProbeSession:
        if scheme not in self._boards:
            image = self._image(scheme)
            self._boards[scheme] = self._host.start(image)
            self._images[scheme] = image
        return self._boards[scheme]

    def _image(self, scheme: str) -> FirmwareImage:
        """The firmware of a scheme. On a simulator, the probe may use flash that the part does not
        have.
        """
        device = self._host.device
        image = self._provider.image(device, scheme)
        if image.flash > flash_of(device) and self._host.evidence is Evidence.SIMULATED:
            check_net_fit(device, image, self._provider.empty(device, scheme))
        else:
            check_fit(device, image)
        return image


# Firmware for a board


LEVELS = ("Os", "O0", "O1", "O2", "O3")
"""Optimisation levels: variants of every implementation on a board; the first belongs to the plain
name.
"""

_NEEDS_RANDOMNESS = {Operation.KEYGEN.value, Operation.ENCAPSULATE.value}
"""Operations that need random numbers. Boards have no source of them: they use seeds, or do not
offer the operation.
"""


def _batch_of(session: ProbeSession, *, job: Job, batch: int, timeout: float) -> None:
    session.measure(job, batch=batch, count=1, warm=0, timeout=timeout)


def _behind(path: CallPath, of_probe: Collection[str], of_code: Collection[str]) -> CallPath:
    """The path from the first function of the code on that the probe calls; empty for what the
    probe calls for itself, such as the compiler's library while it waits for bytes.
    """
    last = max(
        (at for at, name in enumerate(path) if name in of_probe or name == _LOOP), default=-1
    )
    behind = path[last + 1 :]
    return behind if behind and behind[0] in of_code else ()


def on_board(offer: Offer) -> Offer:
    """Part of a host's offer that the same source offers on a board."""
    if offer.seeds:
        return replace(offer, stream=False, needs_seed=True)
    return replace(offer, stream=False, operations=offer.operations - _NEEDS_RANDOMNESS)


class FirmwareProvider(Protocol):
    """One implementation for boards. Cheap to make; firmware is built on demand."""

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes that it offers, by name. ProbeFailure if they are unknown.

        ``board``: a session with it, which makes the test keys of user code that this machine
        cannot be built for.
        """
        ...

    @property
    def asked_of(self) -> tuple[str, ...]:
        """The implementation of this host whose probe lists the schemes; empty if no probe is
        needed for that.
        """
        ...

    def host(self) -> Session:
        """The same source as a program for this machine."""
        ...

    def image(self, device: Device, scheme: str, role: FirmwareRole = REQUESTS) -> FirmwareImage:
        """The firmware that offers ``scheme``, in that role.

        ProbeFailure of kind ``unsupported``, ``build`` or ``too-big``.
        """
        ...

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """The same firmware with a no-op cipher. Called after `image`."""
        ...


@dataclass(frozen=True)
class OwnFirmware:
    """An implementation of which there is source, by a compiler at a level of optimisation:
    motebench's own, or of a pinned library.

    ``portable``: without assembly.
    """

    implementation: str
    level: str = LEVELS[0]
    portable: bool = False
    compiler: str = DEFAULT_COMPILER

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes that the same source lists on the host; firmware would list the same."""
        del board
        session = self.host()
        try:
            return {name: on_board(offer) for name, offer in session.offers().items()}
        finally:
            session.close()

    @property
    def asked_of(self) -> tuple[str, ...]:
        """The implementation of this host whose probe lists the schemes; empty if no probe is
        needed for that.
        """
        return (offers_of(self.implementation),)

    def host(self) -> Session:
        """The same source as a program for this machine."""
        return this_machine().open(offers_of(self.implementation))

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """The same firmware with a no-op cipher."""
        return empty(device, schemes()[scheme], self.level, self.compiler)

    def image(self, device: Device, scheme: str, role: FirmwareRole = REQUESTS) -> FirmwareImage:
        """The firmware; see `FirmwareProvider`."""
        if scheme not in schemes():
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"no firmware for {scheme!r}")
        chosen = (schemes()[scheme], self.level, self.portable, role, self.compiler)
        return build(device, self.implementation, *chosen)


@dataclass(frozen=True)
class UserFirmware:
    """User code, by a compiler at a level of optimisation."""

    code: UserCode
    level: str = BOARD_LEVEL
    compiler: str = DEFAULT_COMPILER

    def offers(self, board: Session | None = None) -> Mapping[str, Offer]:
        """The schemes in its files."""
        offers = {name: on_board(offer) for name, offer in self.code.offers().items()}
        if self.code.folder.draws:
            offers = {name: replace(offer, needs_seed=False) for name, offer in offers.items()}
        return with_keys(self.code, offers, self.host, board)

    @property
    def asked_of(self) -> tuple[str, ...]:
        """Empty: its files list the schemes."""
        return ()

    def host(self) -> Session:
        """The same source as a program for this machine."""
        return CodeSession(self.code, HOST_LEVEL, ThisMachine())

    def image(self, device: Device, scheme: str, role: FirmwareRole = REQUESTS) -> FirmwareImage:
        """The firmware; see `FirmwareProvider`."""
        return self.code.firmware(device, scheme, self.level, self.compiler, role)

    def empty(self, device: Device, scheme: str) -> FirmwareImage:
        """The same firmware with a no-op cipher."""
        return self.code.empty(device, scheme, self.level, self.compiler)


def firmware_providers(
    device: Device, code: Mapping[str, UserCode] | None = None
) -> dict[str, FirmwareProvider]:
    """Firmware for boards with this device, by the name that studies use. ``code``:
    user code by name.

    What another compiler would make is among it wherever it is known by name: that it is not
    installed, or builds for other machines, is a failure of its cases.
    """
    providers: dict[str, FirmwareProvider] = {}
    ours = (*own_implementations(), *offered(device.architecture))
    for compiler in (DEFAULT_COMPILER, *compilers(device)):
        by = "" if compiler == DEFAULT_COMPILER else f"{COMPILER}{compiler}"
        for level in LEVELS:
            variant = ("" if level == LEVELS[0] else f"{VARIANT}{level}") + by
            providers |= {
                f"{name}{variant}": OwnFirmware(name, level, compiler=compiler) for name in ours
            }
            providers |= {
                f"{name}{variant}": UserFirmware(user_code, level, compiler)
                for name, user_code in (code or {}).items()
            }
    return providers
