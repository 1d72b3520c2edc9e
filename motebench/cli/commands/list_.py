"""``motebench list``: what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from motebench.cli.options import catalog_option, json_option, print_json, store_option

if TYPE_CHECKING:
    from motebench.catalog.quantities import Draw
    from motebench.targets.base import Target

Rows = list[dict[str, Any]]
WHAT = (
    "algorithms", "schemes", "implementations", "targets", "studies", "runs", "papers",
    "devices", "radios", "regions", "batteries",
)  # fmt: skip


@click.command("list")
@click.argument("what", type=click.Choice(WHAT))
@click.option("--scheme", "pattern", metavar="PATTERN", help="Only schemes that fit.")
@click.option("--implementation", metavar="NAME", help="Only schemes that this implementation offers here.")
@click.option("--paper", metavar="KEY", help="Only schemes that this paper evaluates, as it names them.")
@click.option("--available", is_flag=True, help="Only schemes that some implementation offers here.")
@catalog_option
@store_option
@json_option
def command(what: str, **options: Any) -> None:
    """List what there is: of the catalog, on this machine, in the store."""
    listing: dict[str, Callable[[dict[str, Any]], Rows]] = {
        "algorithms": _algorithms,
        "schemes": _schemes,
        "implementations": _implementations,
        "targets": _targets,
        "studies": _studies,
        "runs": _runs,
        "papers": _papers,
        "devices": _devices,
        "radios": _radios,
        "regions": _regions,
        "batteries": _batteries,
    }
    rows = listing[what](options)
    if options["as_json"]:
        print_json(rows)
        return
    from motebench.cli.text.rows import print_rows

    print_rows(rows)
    if not rows:
        click.echo(f"no {what}", err=True)


def _algorithms(options: dict[str, Any]) -> Rows:
    del options
    import datetime

    from motebench.catalog import algorithms

    today = datetime.datetime.now(datetime.UTC).date()
    rows = []
    for algorithm in algorithms().values():
        status = algorithm.status_on(today)
        rows.append(
            {
                "algorithm": algorithm.id,
                "name": algorithm.name,
                "kind": algorithm.kind.value,
                "structure": algorithm.structure.value if algorithm.structure else None,
                "block_bits": list(algorithm.block_bits or ()),
                "year": algorithm.year,
                "status": status.label if status else None,
            }
        )
    return rows


def _offered(named: str | None = None) -> dict[str, list[str]]:
    """scheme -> implementations that offer it on some target here: those that are built, and the one that is named."""
    from motebench.naming import is_variant
    from motebench.targets.choosing import EVERY, chosen
    from motebench.targets.registry import open_target, own_targets
    from motebench.wire.messages import ProbeFailure

    offered: dict[str, list[str]] = {}
    asked = [EVERY, *([named] if named else [])]
    here = [(target, name) for target in map(open_target, own_targets()) for name in chosen(target, asked)]
    for target, implementation in here:
        if is_variant(implementation):
            continue  # the same code with fewer instructions
        try:
            session = target.open(implementation)
        except ProbeFailure as failure:
            click.echo(f"motebench: {implementation}: {failure.message}", err=True)
            continue
        try:
            for scheme in session.offers():
                offered.setdefault(scheme, []).append(implementation)
        except ProbeFailure as failure:
            click.echo(f"motebench: {implementation}: {failure.message}", err=True)
        finally:
            session.close()
    return offered


def _papers(options: dict[str, Any]) -> Rows:
    del options
    from motebench.catalog import papers

    return [
        {"paper": item.key, "year": item.year, "platform": item.platform, "library": item.library, "title": item.title}
        for item in papers().values()
    ]


def _paper_schemes(key: str) -> Rows:
    """What a paper evaluates, with who can measure it here; a scheme that nobody can keeps its row."""
    from motebench.catalog import paper

    found = paper(key)
    offered = _offered()
    return [
        {
            "scheme": scheme,
            "as_published": " ".join(part for part in (entry.algorithm, entry.mode) if part),
            "implementations": offered.get(scheme, []),
            "used_by_the_paper": list(entry.used),
            "note": entry.note or None,
        }
        for entry in found.evaluated
        for scheme in entry.schemes
    ]


def _schemes(options: dict[str, Any]) -> Rows:
    if options["paper"]:
        return _paper_schemes(options["paper"])
    import datetime

    from motebench.catalog import label, match, schemes

    today = datetime.datetime.now(datetime.UTC).date()
    chosen = match(options["pattern"]) if options["pattern"] else list(schemes().values())
    wanted = options["implementation"]
    if wanted is not None:
        _known_implementation(wanted)
    offered = _offered(wanted)
    rows = []
    for scheme in chosen:
        here = offered.get(scheme.name, [])
        if (options["available"] and not here) or (wanted is not None and wanted not in here):
            continue
        rows.append(
            {
                "scheme": scheme.name,
                "kind": scheme.kind.value,
                "key_bits": scheme.key_bytes * 8 or None,
                "nonce_bits": scheme.nonce_bytes * 8 or None,
                "status": label(scheme, today),
                "implementations": here,
                "aliases": list(scheme.aliases),
            }
        )
    return rows


def _known_implementation(name: str) -> None:
    from motebench.targets.choosing import none_such, there
    from motebench.targets.registry import open_target

    target = open_target("host")
    if name not in there(target, [name]):
        raise none_such(name, target, where="--implementation")


def _implementations(options: dict[str, Any]) -> Rows:
    del options
    from motebench.targets.registry import open_target, own_targets

    rows: Rows = []
    for name in own_targets():
        target = open_target(name)
        ready = target.ready()
        rows += [_answered(target, implementation) for implementation in ready]
        unbuilt = {item: _UNBUILT for item in target.implementations() if item not in ready}
        if name == "host":
            unbuilt |= _unbuildable({*ready, *unbuilt})
        rows += [_row(item, name, problem=problem) for item, problem in sorted(unbuilt.items())]
    return rows


_UNBUILT = "not built yet: it is when you name it"


def _unbuildable(others: set[str]) -> dict[str, str]:
    """Implementations of this host whose probes need what is not here, and what that is."""
    from motebench.targets.building import known, lacking

    found = {name: lacking(name) for name in known() if name not in others}
    return {name: problem for name, problem in found.items() if problem}


def _row(implementation: str, target: str, **more: Any) -> dict[str, Any]:
    values = {"version": None, "schemes": None, "probe": None, "problem": None}
    return {"implementation": implementation, "target": target, **values, **more}


def _answered(target: Target, implementation: str) -> dict[str, Any]:
    """What a probe says of itself, or why it does not."""
    from motebench.wire.messages import ProbeFailure

    try:
        session = target.open(implementation)
        try:
            hello, offers = session.hello, session.offers()
        finally:
            session.close()
    except ProbeFailure as failure:
        return _row(implementation, target.name, problem=failure.message)
    return _row(implementation, target.name, version=hello.version, schemes=len(offers), probe=hello.probe)


def _targets(options: dict[str, Any]) -> Rows:
    del options
    from motebench.targets.registry import open_target, target_names

    return [
        {"target": name, "meaning": meaning, "implementations": _by_usual(open_target(name).implementations())}
        for name, meaning in target_names().items()
    ]


def _by_usual(implementations: list[str]) -> list[str]:
    """Without those by other compilers, each of which could stand behind every name."""
    from motebench.naming import COMPILER

    return [name for name in implementations if COMPILER not in name]


def _studies(options: dict[str, Any]) -> Rows:
    del options
    from motebench import toml
    from motebench.paths import studies_dir
    from motebench.study.model import Study

    rows = []
    for path in sorted(studies_dir().glob("*.toml")):
        study = toml.validate(toml.load(path), Study)
        rows.append({"study": path.stem, "title": study.title, "description": " ".join(study.description.split())})
    return rows


def _runs(options: dict[str, Any]) -> Rows:
    from motebench.store import Store

    with Store.open(options["store"], create=False) as store:
        found, unusable = store.survey()
        for problem in unusable:
            click.echo(f"motebench: {problem}: this run cannot be used", err=True)
        return [
            {
                "run": info.id,
                "name": info.name,
                "study": info.settings.get("study"),
                "started": info.started,
                "finished": info.finished,
                "status": info.status,
            }
            for info in found
        ]


def _devices(options: dict[str, Any]) -> Rows:
    from motebench.catalog.devices import devices
    from motebench.catalog.quantities import State
    from motebench.units import format_size

    rows = []
    for device in devices(options["own"]).values():
        draw = next(iter(device.draws(State.ACTIVE)), None)
        rows.append(
            {
                "device": device.id,
                "name": device.name,
                "architecture": device.architecture,
                "clock_mhz": device.clock_hz / 1e6,
                "flash": format_size(device.flash_bytes) if device.flash_bytes else None,
                "ram": format_size(device.ram_bytes),
                "active": _drawn(draw) if draw else None,
                "firmware": "yes" if device.mcu else None,
            }
        )
    return rows


def _drawn(draw: Draw) -> str:
    from motebench.units import format_value

    clock = f", {draw.clock_hz / 1e6:g} MHz" if draw.clock_hz else ""
    return f"{draw.of} {format_value(draw.typical, 'A')} at {draw.voltage:g} V{clock}"


def _radios(options: dict[str, Any]) -> Rows:
    from motebench.catalog.radios import RADIOS

    return [
        {
            "radio": radio.id,
            "name": radio.name,
            "spreading_factors": f"{min(radio.spreading_factors)} to {max(radio.spreading_factors)}",
            "bandwidths_khz": f"{min(radio.bandwidths_khz):g} to {max(radio.bandwidths_khz):g}",
            "transmit_dbm": [f"{draw.power_dbm:g}" for draw in radio.transmitting],
        }
        for radio in RADIOS.all(options["own"]).values()
    ]


def _regions(options: dict[str, Any]) -> Rows:
    from motebench.catalog.regions import REGIONS

    return [
        {
            "region": region.id,
            "name": region.name,
            "data_rates": [f"DR{rate.dr} {rate.words}" for rate in region.data_rates],
            "duty_cycle": f"{region.default_sub_band.duty_cycle * 100:g} %" if region.default_sub_band else None,
            "dwell_time_ms": region.dwell_time_ms,
        }
        for region in REGIONS.all(options["own"]).values()
    ]


def _batteries(options: dict[str, Any]) -> Rows:
    from motebench.catalog.batteries import BATTERIES

    return [
        {
            "battery": battery.id,
            "name": battery.name,
            "voltage_v": battery.voltage,
            "capacity_mah": round(battery.capacity.typical * 1000, 6),
            "lost_per_year": f"{battery.self_discharge.typical * 100:g} %",
        }
        for battery in BATTERIES.all(options["own"]).values()
    ]
