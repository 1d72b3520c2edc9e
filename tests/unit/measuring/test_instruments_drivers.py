"""Drivers on files and modules that stand in for the real ones."""

from __future__ import annotations

import io
import sys
import types

import pytest

from motebench.base.errors import InputError, SetupError
from motebench.base.shapes import as_document
from motebench.measuring.instruments.base import InstrumentLost
from motebench.measuring.instruments.makers import BLOCK, Ina219, Joulescope, Ppk2
from motebench.measuring.instruments.registry import (
    DRIVERS,
    BatteryGauge,
    ByHand,
    Rapl,
    Sensor,
    listing,
    open_instrument,
    replayed,
)


class Times:
    """A clock that is set by hand; sleeping moves it."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr("time.sleep", self.sleep)

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    return Times(monkeypatch)


# RAPL


def zone(root, name="intel-rapl:0", counts="package-0", energy=1000, most=262143328850):
    folder = root / name
    folder.mkdir()
    for file, content in (("name", counts), ("energy_uj", energy), ("max_energy_range_uj", most)):
        (folder / file).write_text(f"{content}\n")
    return folder


def test_rapl(tmp_path, clock):
    folder = zone(tmp_path)
    zone(tmp_path, "intel-rapl:0:0", "core")
    meter = Rapl("rapl", tmp_path)
    meter.start(clock)
    meter.read()
    (folder / "energy_uj").write_text("51000")
    (sample,) = meter.read()
    assert sample.t == pytest.approx(0.01) and sample.watts == pytest.approx(0.05 / 0.01)


def test_rapl_counter_begins_again(tmp_path, clock):
    """From 40 uJ below its range of 1 J to 60 uJ above 0: 100 uJ."""
    folder = zone(tmp_path, energy=999960, most=1000000)
    meter = Rapl("rapl:intel-rapl:0", tmp_path)
    clock.now = 0.0
    meter.start(clock)
    meter._pace._period = 0.0005
    meter.read()
    clock.now += 0.0005
    (folder / "energy_uj").write_text("60")
    (sample,) = meter.read()
    assert sample.watts * (sample.t) == pytest.approx(100e-6)


def test_rapl_that_may_have_begun_again_twice(tmp_path, clock):
    zone(tmp_path, most=1000000)
    meter = Rapl("rapl", tmp_path)
    meter.start(clock)
    meter.read()
    clock.now += 2.0
    with pytest.raises(InstrumentLost, match="more than once"):
        meter.read()


def test_rapl_is_not_there(tmp_path):
    with pytest.raises(SetupError, match="there is no RAPL counter"):
        Rapl("rapl", tmp_path)
    zone(tmp_path, "intel-rapl:0")
    with pytest.raises(InputError, match="unknown counter 'x'"):
        Rapl("rapl:x", tmp_path)
    zone(tmp_path, "intel-rapl:1", "package-1")
    with pytest.raises(InputError) as raised:
        Rapl("rapl", tmp_path)
    assert "rapl:intel-rapl:1 (package-1)" in str(raised.value)


def test_rapl_that_may_not_be_read(tmp_path, monkeypatch):
    folder = zone(tmp_path)
    read = type(folder).read_text

    def refuse(path, *rest, **more):
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *rest, **more)

    monkeypatch.setattr(type(folder), "read_text", refuse)
    with pytest.raises(SetupError) as raised:
        Rapl("rapl", tmp_path)
    assert "chmod a+r" in str(raised.value) and raised.value.exit_code == 7


def test_rapl_goes_away(tmp_path, clock):
    folder = zone(tmp_path)
    meter = Rapl("rapl", tmp_path)
    meter.start(clock)
    meter.read()
    (folder / "energy_uj").unlink()
    with pytest.raises(FileNotFoundError):
        meter.read()


# Files of batteries and sensors


def battery(root, **files):
    folder = root / "BAT0"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(f"{content}\n")
    return folder


def test_battery_that_says_current_and_voltage(tmp_path, clock):
    """-500 mA at 12 V: what flows out is negative for some drivers."""
    battery(tmp_path, current_now=-500000, voltage_now=12000000, status="Discharging")
    meter = BatteryGauge("battery", tmp_path)
    meter.start(clock)
    (sample,) = meter.read()
    assert (sample.watts, sample.volts, sample.amps) == (pytest.approx(6.0), 12.0, 0.5)


def test_battery_that_says_power(tmp_path, clock):
    folder = battery(tmp_path, power_now=7250000)
    meter = BatteryGauge("battery:BAT0", tmp_path)
    meter.start(clock)
    assert meter.read()[0].watts == pytest.approx(7.25)
    (folder / "status").write_text("Charging\n")
    with pytest.raises(InstrumentLost, match="charging"):
        meter.read()


def test_battery_on_the_mains_is_no_instrument(tmp_path):
    with pytest.raises(SetupError, match="no battery"):
        BatteryGauge("battery", tmp_path)
    battery(tmp_path, power_now=0, status="Full")
    with pytest.raises(SetupError, match="the battery is full"):
        BatteryGauge("battery", tmp_path)


def test_sensor(tmp_path, clock):
    (tmp_path / "hwmon3").mkdir()
    file = tmp_path / "hwmon3" / "power1_input"
    file.write_text("1500000\n")
    meter = Sensor("hwmon", tmp_path)
    meter.start(clock)
    assert meter.info.name == "hwmon:hwmon3/power1_input"
    assert meter.read()[0].watts == pytest.approx(1.5)
    file.write_text("broken\n")
    with pytest.raises(InstrumentLost, match="'broken', which is not a number"):
        meter.read()


# INA219


class Chip:
    volts, milliamps = 3.2, 12.5

    def __init__(self, shunt, *, busnum, address):
        self.made = (shunt, busnum, address)
        if busnum == 9:
            raise OSError(2, "No such file or directory")

    def configure(self):
        pass

    def voltage(self):
        return self.volts

    def current(self):
        return self.milliamps


def test_ina219(monkeypatch, clock):
    monkeypatch.setitem(sys.modules, "ina219", types.SimpleNamespace(INA219=Chip))
    meter = Ina219("ina219:bus=2,address=0x41,shunt=0.2ohm,tolerance=0.5%")
    assert meter._chip.made == (0.2, 2, 0x41)
    meter.start(clock)
    (sample,) = meter.read()
    assert sample.watts == pytest.approx(0.04) and sample.amps == 0.0125
    assert meter.info.accuracy == pytest.approx(0.01 + 0.01 + 0.005 + 0.004 / 3.2)
    assert meter.info.offset_w == pytest.approx(210e-6 / 0.2 * 3.2)
    with pytest.raises(SetupError, match="no INA219 answers at address 0x40 of I2C bus 9"):
        Ina219("ina219:9")


# PPK2


class Kit:
    """Sends raw words; its microamperes are the lowest 14 bits."""

    ports = ("/dev/ttyACM7",)

    def __init__(self, port, **more):
        self.calls = [port]
        self.ser = types.SimpleNamespace(close=lambda: None)
        self.queue = []

    @classmethod
    def list_devices(cls):
        return list(cls.ports)

    def get_modifiers(self):
        return True

    def __getattr__(self, name):
        return lambda *values: self.calls.append((name, *values))

    def get_data(self):
        return self.queue.pop(0) if self.queue else b""

    def get_samples(self, word):
        return [float(int.from_bytes(word, "little") & 0x3FFF)], [0]


def words(first, count, microamps):
    return b"".join(
        (((first + n) % 64) << 18 | microamps).to_bytes(4, "little") for n in range(count)
    )


@pytest.fixture
def ppk2(monkeypatch, clock):
    package, module = types.ModuleType("ppk2_api"), types.ModuleType("ppk2_api.ppk2_api")
    module.PPK2_API = Kit
    monkeypatch.setitem(sys.modules, "ppk2_api", package)
    monkeypatch.setitem(sys.modules, "ppk2_api.ppk2_api", module)
    meter = Ppk2("ppk2", 3.3)
    meter.start(clock)
    return meter


def test_ppk2_gives_means_in_its_own_time(ppk2):
    ppk2._kit.queue = [words(0, 150, 1000)[:-1], words(0, 150, 1000)[-1:] + words(150, 50, 3000)]
    first = ppk2.read()
    (second,) = ppk2.read()
    assert [sample.t for sample in (*first, second)] == [pytest.approx(0.001), pytest.approx(0.002)]
    assert first[0].watts == pytest.approx(3.3e-3)
    assert second.amps == pytest.approx(2e-3)
    assert first[0].lost == second.lost == 0
    assert ("use_ampere_meter",) in ppk2._kit.calls and (
        "set_source_voltage",
        3300,
    ) in ppk2._kit.calls


def test_ppk2_counts_lost_samples(ppk2):
    """10 raw samples are missing: the mean comes 0.1 ms later, and is marked."""
    ppk2._kit.queue = [words(0, 50, 1000) + words(60, 50, 1000)]
    (sample,) = ppk2.read()
    assert sample.lost == 1 and sample.t == pytest.approx(0.0011)


def test_ppk2_that_lost_multiples_of_its_counter(ppk2, clock):
    """64,000 words are missing, which the counter does not show, but the clock does."""
    ppk2._kit.queue = [
        words(0, BLOCK, 1000),
        words(BLOCK, BLOCK, 1000),
        words(2 * BLOCK, BLOCK, 1000),
    ]
    assert ppk2.read()[0].lost == 0
    clock.now += 0.64
    ppk2.read()
    clock.now += 0.001
    (sample,) = ppk2.read()
    assert sample.lost == pytest.approx(638, abs=2) and sample.t == pytest.approx(0.641, abs=0.002)


def test_ppk2_unplugged(ppk2, clock):
    clock.now += 1.5
    with pytest.raises(InstrumentLost, match="unplugged"):
        ppk2.read()


def test_ppk2_needs_a_voltage_and_a_port(ppk2, monkeypatch):
    for volts in (None, 0.5, 12.0):
        with pytest.raises(InputError, match="it must be given"):
            Ppk2("ppk2", volts)
    monkeypatch.setattr(Kit, "ports", ())
    with pytest.raises(SetupError, match="no PPK2 was found"):
        Ppk2("ppk2", 3.3)
    monkeypatch.setattr(Kit, "ports", ("/dev/a", "/dev/b"))
    with pytest.raises(InputError, match="several PPK2"):
        Ppk2("ppk2", 3.3)
    assert ("use_source_meter",) in Ppk2("ppk2:/dev/a,source=yes", 3.3)._kit.calls


# Joulescope


class Driver:
    paths = ("u/js220/000123",)

    def __init__(self):
        self.published = []
        self.finalized = False

    def device_paths(self):
        return list(self.paths)

    def open(self, path):
        pass

    close = open

    def subscribe(self, topic, flags, function):
        self.topic, self.function = topic, function

    def publish(self, topic, value):
        self.published.append((topic, value))

    def finalize(self):
        self.finalized = True


@pytest.fixture
def joulescope(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyjoulescope_driver", types.SimpleNamespace(Driver=Driver))


def block(first, count, volts, amps):
    signals = {"voltage": volts, "current": amps, "power": volts * amps}
    return {
        "time": {"samples": {"value": [first, first + count]}, "sample_freq": {"value": 1_000_000}},
        "signals": {name: {"avg": {"value": value}} for name, value in signals.items()},
    }


def test_joulescope(joulescope, clock):
    meter = Joulescope("joulescope:000123")
    clock.now = 5.0
    meter.start(clock)
    assert ("u/js220/000123/s/stats/scnt", 20_000) in meter._driver.published
    for first, amps in ((0, 0.01), (20_000, 0.02), (60_000, 0.03)):
        meter._driver.function(meter._driver.topic, block(first, 20_000, 3.0, amps))
    samples = meter.read()
    assert [sample.t for sample in samples] == [pytest.approx(t) for t in (5.0, 5.02, 5.06)]
    assert [sample.watts for sample in samples] == [
        pytest.approx(watts) for watts in (0.03, 0.06, 0.09)
    ]
    assert [sample.lost for sample in samples] == [0, 0, 1]
    meter.stop()
    assert meter._driver.finalized and meter._driver.published[-1] == (
        "u/js220/000123/s/stats/ctrl",
        0,
    )


def test_joulescope_unplugged(joulescope, clock, monkeypatch):
    monkeypatch.setattr("motebench.measuring.instruments.makers._SILENCE_S", 0.01)
    meter = Joulescope("joulescope")
    meter.start(clock)
    with pytest.raises(InstrumentLost, match="unplugged"):
        meter.read()


@pytest.mark.parametrize(
    ("paths", "text", "error", "said"),
    [
        ((), "joulescope", SetupError, "no Joulescope is connected"),
        (("u/js220/1",), "joulescope:9", SetupError, "no Joulescope fits '9'"),
        (("u/js220/1", "u/js220/2"), "joulescope", InputError, "several Joulescopes"),
        (("u/js999/1",), "joulescope", SetupError, "an unknown model"),
    ],
)
def test_joulescope_is_not_there(joulescope, monkeypatch, paths, text, error, said):
    monkeypatch.setattr(Driver, "paths", paths)
    with pytest.raises(error, match=said):
        Joulescope(text)


# By hand


def test_by_hand(monkeypatch, clock):
    """0.01 Wh in 10 s are 3.6 W; what cannot be is asked again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("12.34Wh\nwhat?\n12.33Wh\n12.35Wh\n"))
    meter = ByHand("by-hand:0.01Wh")
    assert meter.info.resolution_j == pytest.approx(36)
    meter.start(clock)
    meter.read()
    clock.now = 10.0
    (sample,) = meter.read()
    assert sample.watts == pytest.approx(3.6)
    with pytest.raises(InstrumentLost, match="no reading was entered"):
        meter.read()


# Names


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("voltmeter", InputError, "unknown instrument 'voltmeter'"),
        ("by-hand", InputError, "the step of the meter's last digit"),
        ("by-hand:0Wh", InputError, "the step of the last digit is 0Wh"),
        ("by-hand:colour=red", InputError, "is not a setting of by-hand"),
        ("ina219:address=x", InputError, "address is 'x'"),
        ("ppk2", SetupError, "the driver of ppk2 is not installed"),
    ],
)
def test_names_that_cannot_be(monkeypatch, text, error, said):
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "ppk2_api" else name
    )
    with pytest.raises(error) as raised:
        open_instrument(text, None)
    assert said in str(raised.value)


@pytest.mark.parametrize("name", ["rapl", "battery", "hwmon"])
def test_every_instrument_of_this_machine_is_opened_by_its_name(name):
    with pytest.raises((InputError, SetupError)) as raised:
        open_instrument(f"{name}:there-is-none", None)
    assert "cannot be imported" not in str(raised.value)


def test_a_driver_that_lacks_a_package_of_its_own(monkeypatch):
    def lacks(name):
        raise ModuleNotFoundError("No module named 'Adafruit_GPIO'")

    monkeypatch.setattr("motebench.measuring.instruments.registry.missing", lambda driver: None)
    monkeypatch.setattr(
        "motebench.measuring.instruments.makers.importlib",
        types.SimpleNamespace(import_module=lacks),
    )
    with pytest.raises(SetupError, match="cannot be imported: No module named 'Adafruit_GPIO'"):
        open_instrument("ina219", None)


def test_replay_names_a_file():
    assert str(replayed("replay:a/b.jsonl")) == "a/b.jsonl"
    assert replayed("rapl") is None
    with pytest.raises(InputError, match="no recording is given"):
        replayed("replay")


def test_every_instrument_is_listed():
    rows = {row["instrument"]: row for row in as_document(listing())["instruments"]}
    assert list(rows) == [driver.name for driver in DRIVERS]
    assert rows["by-hand"]["usable"] is True
    for row in rows.values():
        assert row["usable"] is (row["missing"] is None)
