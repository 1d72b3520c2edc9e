"""Cycles of simulated boards, and firmware for them."""

from __future__ import annotations

from pathlib import Path

from motebench.catalog import schemes
from motebench.catalog.devices import Device
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.build import FirmwareImage, FirmwareParts, assemble, build
from motebench.targets.session import ProbeSession
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Fill, Job
from motebench.targets.wire.stream import ProcessStream

KNOWN = Path(__file__).parents[1] / "firmware" / "known.c"
"""An adapter of known cost."""
USUAL = BoardSettings()


def firmware(device: Device, implementation: str, scheme: str) -> FirmwareImage:
    """Firmware with an implementation of one scheme."""
    return build(device, implementation, schemes()[scheme], "Os")


def opened(device: Device, image: FirmwareImage, settings: BoardSettings = USUAL) -> ProbeSession:
    """A session with a simulated board."""
    return ProbeSession(lambda: ProcessStream(simulation(device, image.path, settings)))


def cycles(
    device: Device, image: FirmwareImage, *jobs: Job, settings: BoardSettings = USUAL
) -> list[int]:
    """Cycles of each job, which two readings agree on, without the counter's overhead."""
    session = opened(device, image, settings)
    try:
        assert session.hello.clock.hz == device.clock_hz
        counts = []
        for job in jobs:
            timing = session.measure(job, batch=1, count=2, warm=0, timeout=60)
            assert timing.counts is not None
            assert timing.counts[0] == timing.counts[1]
            counts.append(timing.counts[0] - session.hello.counter.overhead)
        return counts
    finally:
        session.close()


def message(scheme: str, operation: str, size: int) -> Job:
    """An operation on so many bytes, with a key and a nonce of zeros."""
    info = schemes()[scheme]
    key, nonce = bytes(info.key_bytes or 0), bytes(info.nonce_bytes or 0)
    return Job(scheme, operation, key, nonce, data=Fill(1, size), tag_bytes=info.tag_bytes or 0)


def rounds(count: int) -> Job:
    """Job of 256 rounds of `KNOWN`'s loop, `count` times."""
    return Job(scheme="known-loop", operation="digest", data=Fill(1, count))


def large(device: Device, folder: Path) -> FirmwareImage:
    """Firmware of `KNOWN` with a table of 270,000 bytes, made in `folder`."""
    source = folder / "large.c"
    table = "static const uint8_t large[270000] = {1};\n"
    text = KNOWN.read_text().replace("static const mb_scheme", table + "static const mb_scheme", 1)
    work = "loop((uint16_t)(job->in_len << 8));"
    assert work in text
    source.write_text(text.replace(work, f"{work} job->out[0] = large[job->in_len * 1000];"))
    return assemble(device, FirmwareParts([(source, ())]), "Os")
