"""Options that several commands share, the types of their values, and the things they name:
targets, devices, links, code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from motebench.base.errors import AbsentError, InputError

if TYPE_CHECKING:
    from motebench.advise.radio.link import RadioLink
    from motebench.results.selection import ResultFilter
    from motebench.targets.code.workspace import Workspace

    FloatType = click.ParamType[float]
    IntType = click.ParamType[int]
    CoreType = click.ParamType[int | str]
    NameType = click.Choice[str]
else:  # older versions of click give these no types of values
    FloatType = IntType = CoreType = click.ParamType
    NameType = click.Choice

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_STORE = "motebench.db"


class Number(FloatType):
    """Finite number up to 10^18: neither ``nan`` nor ``inf`` is an amount.

    unit: what may stand behind it, in upper or lower case.
    """

    name = "number"
    _MOST = 1e18

    def __init__(self, unit: str = "") -> None:
        self._unit = unit

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse a number. InputError if the text is no number, or its magnitude exceeds 10^18."""
        del ctx
        text = str(value)
        if self._unit and text.casefold().endswith(self._unit.casefold()):
            text = text[: -len(self._unit)]
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not abs(number) <= self._MOST:
            raise InputError(
                f"{str(value)[:40]!r} is not a number",
                where=param.opts[-1] if param is not None else None,
                valid=f"a number in {self._unit}: 14"
                if self._unit
                else "a number up to 1e18: 50000, 2.5, 5e4",
            )
        return number


class Whole(IntType):
    """A whole number of 32 bits. The caller checks which values are valid."""

    name = "integer"
    _MOST = 2**31

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a number. A usage error if the text is no number, or too long."""
        try:
            number = int(value) if len(str(value)) < 20 else self._MOST
        except ValueError:
            number = self._MOST
        if not abs(number) < self._MOST:
            rate = str(value)[:2].casefold() in ("dr", "sf")
            expected = (
                "a whole number; a data rate is its number in the region: 3 for DR3"
                if rate
                else "a whole number"
            )
            self.fail(f"{str(value)[:40]!r} is not {expected}.", param, ctx)
        return number


class NamedChoice(NameType):
    """Choice of names. ``meant``: the valid names for other words, for hints."""

    def __init__(self, choices: Sequence[str], meant: Mapping[str, str]) -> None:
        super().__init__(choices)
        self.meant = meant


_NEEDS_MEANT = {
    **dict.fromkeys(("auth", "authentication", "integrity", "cmac", "hmac"), "mac"),
    **dict.fromkeys(
        ("encrypt", "confidentiality", "cipher", "storage"),
        "encryption; or with integrity: --need aead",
    ),
    **dict.fromkeys(
        ("keywrap", "key-wrap", "wrap", "kw"), "aead: AES key wrap (RFC 3394) is not covered"
    ),
    **dict.fromkeys(("digest", "checksum"), "hash"),
    **dict.fromkeys(("sign", "signing"), "signature"),
    **dict.fromkeys(("verify", "verification"), "signature --role verify"),
    **dict.fromkeys(
        ("ecdh", "dh", "key-exchange", "keyexchange", "key-agreement"),
        "agreement; post-quantum: --need kem",
    ),
    **dict.fromkeys(
        ("ota", "boot", "secure-boot", "firmware", "suit", "fota"), "update --image 100KiB"
    ),
    **dict.fromkeys(
        ("handshake", "tls", "dtls", "edhoc", "oscore", "join"),
        "agreement; a whole protocol: motebench protocol",
    ),
}
"""Needs by other words for them."""
NEED = NamedChoice(
    ["aead", "encryption", "mac", "hash", "signature", "agreement", "kem", "update", "connection"],
    _NEEDS_MEANT,
)
"""The protection that a message needs."""


ALL_CORES = "all"


class Core(CoreType):
    """The number of a core, or ``all``."""

    name = "core"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Parse the value; the error names the valid ones."""
        text = str(value).strip()
        if text == ALL_CORES:
            return text
        if not (text.isascii() and text.isdecimal() and len(text) <= 4):
            self.fail(f"{text[:40]!r} is neither the number of a core nor 'all'.", param, ctx)
        return int(text)


class Length(IntType):
    """Bytes, with the units of every other size: ``24``, ``24B``, ``1 KiB``; at most ``most`` of
    them.
    """

    name = "size"

    def __init__(self, most: int) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a size in bytes. InputError if the text is no size, or the size is too long."""
        del ctx
        from motebench.base.units import format_size, parse_size

        where = param.opts[-1] if param is not None else None
        size = parse_size(value, where=where)
        if size > self._most:
            raise InputError(
                f"{value} is too long", where=where, valid=f"0 B to {format_size(self._most)}"
            )
        return size


class Frequency(FloatType):
    """Hz, with the units of frequency; a number alone is in ``bare``."""

    name = "frequency"

    def __init__(self, bare: str = "Hz") -> None:
        self._bare = bare

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse a frequency in Hz. InputError if the text is no frequency."""
        del ctx
        from motebench.base.units import parse_frequency

        return float(
            parse_frequency(
                value, bare=self._bare, where=param.opts[-1] if param is not None else None
            )
        )


class RadioMessage(Length):
    """A length, or a key, signature or ciphertext of a scheme: ``ml-kem-512:ciphertext``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes. InputError for an unknown scheme, or a part that it does not have."""
        if ":" not in str(value):
            return super().convert(value, param, ctx)
        from motebench.base.naming import did_you_mean
        from motebench.catalog import resolve, sizes_of

        where = param.opts[-1] if param is not None else None
        name, _, part = (item.strip() for item in str(value).partition(":"))
        scheme = resolve(name)
        sizes = sizes_of(scheme)
        size = sizes.get(part.casefold())
        if size is None:
            raise InputError(
                f"{scheme.name} has no {part[:40]!r} of known length",
                where=where,
                valid=", ".join(
                    f"{scheme.name}:{item} ({size:,} B)" for item, size in sizes.items()
                )
                or "a scheme with public keys: ml-kem-512:ciphertext",
                hint=did_you_mean(part.casefold(), sizes),
            )
        return super().convert(size, param, ctx)


MESSAGE_BY_RADIO = RadioMessage(2**16)
"""Type of the size of a message by radio: more is no message of a device."""


def store_option(function: F) -> F:
    """``--store``: where results are kept."""
    return click.option(
        "--store",
        envvar="MOTEBENCH_STORE",
        default=DEFAULT_STORE,
        show_default=True,
        metavar="URL",
        help="The store of results: a file, or postgresql://USER@HOST/DATABASE. Also "
        "MOTEBENCH_STORE.",
    )(function)


def upload_token_option(help_text: str) -> Callable[[F], F]:
    """``--upload-token``: the file of the token of uploads, which is never an argument itself."""
    return click.option(
        "--upload-token",
        type=click.Path(),
        metavar="FILE",
        help=f"{help_text} FILE has the token in its first line; MOTEBENCH_UPLOAD_TOKEN may hold "
        "the token instead.",
    )


def _together(function: F, name: str, kind: Callable[..., object], names: Sequence[str]) -> F:
    """Function that gets one object under ``name`` instead of the options of these names."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        values = {option: options.pop(option) for option in names}
        return function(*arguments, **options, **{name: kind(**values)})

    return cast("F", call)


def case_options(function: F) -> F:
    """Operations, input sizes and additional data of the cases to measure."""
    options = (
        click.option(
            "--operation",
            "operations",
            multiple=True,
            metavar="NAME",
            help="Operations.  [default: by scheme]",
        ),
        click.option(
            "--size",
            "sizes",
            multiple=True,
            metavar="SIZE",
            help="Input sizes: 16, 1KiB (1024), 1kB (1000), ...",
        ),
        click.option(
            "--aad",
            multiple=True,
            metavar="SIZE",
            help="Sizes of additional data, for AEAD schemes.  [default: 0]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def own_code_options(function: F) -> F:
    """The same as one `OwnCode`: the argument ``own``."""
    return code_options(_together(function, "own", OwnCode, _CODE_OPTIONS))


def code_options(function: F) -> F:
    """Add ``--code`` and its related options."""
    options = (
        click.option(
            "--code",
            multiple=True,
            metavar="DIR",
            type=click.Path(),
            help="A folder of C and assembly with api.h; it runs in a sandbox if the system has "
            "one (doctor), else with your rights.",
        ),
        click.option(
            "--kat",
            multiple=True,
            metavar="FILE",
            type=click.Path(),
            help="Known answers of the code, LWC_*_KAT_*.txt or .rsp, if not in its folder.",
        ),
        click.option(
            "--code-flags", metavar="FLAGS", help="Additional flags for the compiler: -DFAST, -O2."
        ),
        click.option(
            "--without-kat",
            is_flag=True,
            help="Measure code without known answers; every result says so.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def json_option(function: F) -> F:
    """``--json``: machine-readable output."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document instead of a table."
    )(function)


def force_option(function: F) -> F:
    """``--force``: replace a file of another kind."""
    return click.option(
        "--force", is_flag=True, help="Replace a file of another kind; never a store."
    )(function)


def settings_options(function: F) -> F:
    """``--wait-states``, ``--no-cache``: the flash of simulated boards. ``--native``: who builds
    probes of Linux boards. They are one `BoardOptions`: the argument ``settings``."""
    function = _together(function, "settings", BoardOptions, ("wait_states", "no_cache", "native"))
    function = click.option(
        "--native",
        is_flag=True,
        help="Boards behind SSH build the probes with their own libraries.",
    )(function)
    function = click.option(
        "--no-cache",
        is_flag=True,
        help="Simulated boards: switch the cache of the flash off, where there is one.",
    )(function)
    return click.option(
        "--wait-states",
        type=click.Choice(["0", "1", "2", "3", "4"]),
        help="Simulated boards: wait states of the flash.",
    )(function)


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """The values of `settings_options`."""

    wait_states: str | None = None
    no_cache: bool = False
    native: bool = False

    def of(self, targets: Iterable[str]) -> tuple[str, ...]:
        """Targets with these settings, each as its own option or several with commas between."""
        from motebench.targets.registry import called_target, split_names
        from motebench.targets.settings import changed

        names = split_names(targets)
        if self.native:
            from motebench.targets.ssh.name import natively

            names = natively(names, "--native")
        wait_states = None if self.wait_states is None else int(self.wait_states)
        if wait_states is not None or self.no_cache:
            names = tuple(map(called_target, names))
        return changed(names or ["host"], wait_states, self.no_cache)


def catalog_option(function: F) -> F:
    """``--catalog``: a folder with a user's own devices, radios, regions and batteries."""
    return click.option(
        "--catalog",
        "own",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Own catalog files: devices/, radios/, lorawan/, batteries/. Also MOTEBENCH_CATALOG.",
    )(function)


def host_option(function: F) -> F:
    """``--device``: the device that the host was; ``host_device`` reads it."""
    return click.option(
        "--device",
        metavar="NAME",
        help="The host's device in the catalog, for modelled energy.",
    )(catalog_option(function))


def device_option(options: dict[str, Any], *, own_cycles: bool = False) -> Any:
    """``Device`` that ``--device`` names, at ``--clock`` and ``--voltage`` if the command has them;
    None without the option. InputError, with the valid names, for an unknown one.
    """
    from motebench.catalog.currents import operated
    from motebench.catalog.devices import DEVICES

    if not options["device"]:
        return None
    device = DEVICES.find(options["device"], options["own"], where="--device")
    return operated(device, options.get("clock"), volts_option(options), own_cycles=own_cycles)


def battery_option(options: dict[str, Any], device: Any) -> Any:
    """``Battery`` that ``--battery`` names, behind ``--converter`` if that is given; None without
    the option. InputError for an unknown name, or for parts that do not fit."""
    from motebench.catalog.parts import BATTERIES, behind, converter_of

    if not options["battery"]:
        refuse(("converter",), "this option needs --battery", hint="--battery cr2032 --every 10min")
        return None
    battery = BATTERIES.find(options["battery"], options["own"], where="--battery")
    if not options["converter"]:
        return battery
    converter = converter_of(options["converter"], options["own"])
    return behind(battery, converter, device, volts_option(options))


def volts_option(options: dict[str, Any]) -> float | None:
    """Volts of ``--voltage``; None without the option, or in a command without it."""
    from motebench.base.units import parse_quantity

    text = options.get("voltage")
    return None if text is None else parse_quantity(text, "V", where="--voltage")


def speed_options(function: F) -> F:
    """``--clock``, ``--voltage``: of the device, instead of those of its file."""
    function = click.option(
        "--voltage", metavar="VOLTAGE", help="Another supply of the device: 3.3V."
    )(function)
    return click.option(
        "--clock",
        type=Frequency(),
        metavar="FREQUENCY",
        help="Another clock of the device: 8MHz.",
    )(function)


def converter_option(function: F) -> F:
    """``--converter``: between battery and device."""
    return click.option(
        "--converter",
        metavar="CONVERTER",
        help="Between battery and device: tps62740; 90%,360nA; linear,1.6uA.",
    )(function)


def host_device(options: dict[str, Any]) -> Any:
    """The ``Device`` that ``--device`` names; None without. InputError where no energy can be
    modelled for it.
    """
    if options["device"] is None:
        return None
    from motebench.catalog.currents import active
    from motebench.catalog.devices import DEVICES

    device = DEVICES.find(options["device"], options["own"], where="--device")
    if active(device) is None:
        raise InputError(
            f"the file of {device.id} has no current for state active",
            where="--device",
            hint="add [[currents]] in a file of your own (--catalog, see "
            "docs/reference/catalog.md)",
        )
    return device


_CIPHER_OPTIONS = (
    click.option("--scheme", metavar="NAME", help="Encrypt the payload with this scheme first."),
    click.option(
        "--mac",
        metavar="NAME",
        help="With --scheme: add the tag of this MAC to an unauthenticated cipher.",
    ),
    click.option(
        "--nonce",
        type=click.Choice(["carried", "counter"]),
        default="carried",
        show_default=True,
        help="With --scheme: nonce sent, or derived from the frame counter.",
    ),
    click.option(
        "--padding",
        type=click.Choice(["pkcs7", "none"]),
        default="pkcs7",
        show_default=True,
        help="With --scheme: padding of modes that need whole blocks.",
    ),
    click.option(
        "--tag",
        "tag_bytes",
        type=Length(2**16),
        metavar="SIZE",
        help="With --scheme: a shorter tag.",
    ),
)


def refuse(
    names: Iterable[str], reason: str, *, valid: str | None = None, hint: str | None = None
) -> None:
    """InputError for the first of these options of the running command that is given on the command
    line.

    ``names``: of the parameters. ``reason``: why it cannot be used, with ``{option}`` for its name.
    """
    from click.core import ParameterSource

    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(
                (word for word in parameter.opts if word.startswith("--")), parameter.opts[0]
            )
            raise InputError(
                reason.replace("{option}", option), where=option, valid=valid, hint=hint
            )


def cipher_options(function: F) -> F:
    """Add ``--scheme`` and the options of message protection; ``protected`` reads them."""
    for option in reversed(_CIPHER_OPTIONS):
        function = option(function)
    return function


_PADDED = ("cbc", "ecb")
"""Modes that work on whole blocks."""


def protected(options: dict[str, Any], plaintext_bytes: int) -> Any:
    """The message under the scheme that the options name, as `Protected` of advise.radio; None
    without one.
    """
    if options["scheme"] is None:
        refuse(
            ("mac", "tag_bytes", "nonce", "padding"),
            "this option needs --scheme",
            hint="add --scheme NAME",
        )
        return None
    from motebench.advise.radio.message import Nonce, Padding, protect
    from motebench.catalog import resolve

    scheme = resolve(options["scheme"])
    if scheme.mode not in _PADDED:
        refuse(
            ("padding",),
            f"{scheme.name} does not pad: {{option}} has no effect",
            valid="a scheme in CBC or ECB mode",
        )
    return protect(
        scheme,
        plaintext_bytes,
        nonce=Nonce(options["nonce"]),
        padding=Padding(options["padding"]),
        tag_bytes=options["tag_bytes"],
        mac=resolve(options["mac"]) if options["mac"] else None,
    )


def command_line(longest: int = 2000) -> str:
    """Command line as a shell reads it; only its beginning where it is very long."""
    import shlex
    import sys

    from motebench.base.errors import visible

    line = visible(shlex.join(["motebench", *sys.argv[1:]]))
    return line if len(line) <= longest else f"{line[:longest]} ..."


def print_json(document: object, *, compact: bool = False) -> None:
    """A document on standard output as JSON; ``compact``: in one line, which is much faster where
    it is long.
    """
    import json
    import sys
    from dataclasses import is_dataclass

    from motebench.base.shapes import as_document
    from motebench.cli.streams import takes_unicode

    # An escape of JSON's own is read back everywhere; the marks that stand in for characters
    # elsewhere are not.
    escaped = not takes_unicode(sys.stdout)
    plain = as_document(document) if is_dataclass(document) else document
    click.echo(
        json.dumps(plain, indent=None if compact else 2, ensure_ascii=escaped, allow_nan=False)
    )


_OF_LORAWAN = ("dr", "network")
_OF_LINK = ("power", "transmissions")


def link_options(function: F) -> F:
    """Add ``--link`` and ``--radio``, beside the options of LoRaWAN."""
    options = (
        click.option(
            "--link",
            metavar="RADIO[:SETTINGS]",
            help="Another radio than LoRaWAN: ble:1m, thread, zigbee, 802154, lora:SF9BW125, "
            "fsk:50kbps, nbiot, ltem, wifi.",
        ),
        click.option(
            "--radio",
            metavar="NAME",
            help="A radio of the catalog.  [default: the device's, or a usual one]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def check_link(
    options: dict[str, Any], also: Sequence[str] = (), needed: Sequence[str] = ("dr",)
) -> None:
    """InputError if an option that means nothing without a radio is given without one, or a needed
    one is missing.

    ``also``: further options that mean nothing without it. ``needed``: those that ``--lorawan``
    needs; ``--link`` needs them without ``dr``.
    """
    lorawan, link = options["lorawan"], options["link"]
    if lorawan is not None and link is not None:
        raise InputError(
            "--lorawan and --link are mutually exclusive", where="--link", valid="one of the two"
        )
    if lorawan is None:
        refuse(_OF_LORAWAN, "this option needs --lorawan", hint="--lorawan EU868 --dr 3")
    if lorawan is None and link is None:
        refuse(
            (*_OF_LINK, *also),
            "this option needs --lorawan or --link",
            hint="--lorawan EU868 --dr 3, --link ble:1m, --link nbiot or another",
        )
        return
    required = [name for name in needed if lorawan is not None or name != "dr"]
    missing = [f"--{name}" for name in required if options[name] is None]
    if missing:
        option = "--lorawan" if lorawan is not None else "--link"
        example = "--dr 3" if missing == ["--dr"] else None
        raise InputError(f"{' and '.join(missing)} must be given with {option}", hint=example)


def asked_link(
    options: dict[str, Any],
    also: Sequence[str] = (),
    needed: Sequence[str] = ("dr",),
    *,
    fragment: bool,
) -> RadioLink | None:
    """The link of ``--lorawan`` or ``--link``, or None without them. InputError as for
    `check_link`.
    """
    check_link(options, also, needed)
    if options["lorawan"] is None and options["link"] is None:
        return None
    from motebench.advise.radio.links import LinkRequest, asked

    request = LinkRequest(
        device=device_option(options),
        radio=options["radio"],
        power_dbm=options["power"],
        transmissions=1.0 if options["transmissions"] is None else options["transmissions"],
        fragment=fragment,
        own=options["own"],
    )
    return asked(
        request,
        link=options["link"],
        lorawan=options["lorawan"],
        dr=options["dr"],
        network=options["network"],
    )


_FILTERS = ("schemes", "implementations", "operations", "sizes", "metrics", "sort")


def filter_options(function: F) -> F:
    """Filters of results, from ``--scheme`` to ``--metric``, and ``--sort``: one `ResultFilter`,
    the argument ``selection``."""
    function = _together(function, "selection", _selection, _FILTERS)
    options = (
        click.option(
            "--scheme", "schemes", multiple=True, metavar="PATTERN", help="Only these schemes."
        ),
        click.option(
            "--implementation",
            "implementations",
            multiple=True,
            metavar="PATTERN",
            help="Only these implementations.",
        ),
        click.option(
            "--operation",
            "operations",
            multiple=True,
            metavar="NAME",
            help="Only these operations.",
        ),
        click.option(
            "--size", "sizes", multiple=True, metavar="SIZE", help="Only these sizes of the input."
        ),
        click.option(
            "--metric",
            "metrics",
            multiple=True,
            metavar="NAME",
            help="Only these metrics: time, cycles, energy, ...",
        ),
        click.option(
            "--sort",
            metavar="METRIC",
            help="Order by this metric, the best first: time, energy, ...",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _selection(**options: Any) -> ResultFilter:
    from motebench.results.selection import ResultFilter

    return ResultFilter(**options)


def by_option(function: F) -> F:
    """``--by size``: the sizes of the input side by side."""
    return click.option(
        "--by",
        type=click.Choice(["size"]),
        help="A column for each size of the input.",
    )(function)


_SCHEMES_NAMED = 3
_CODE_OPTIONS = ("code", "kat", "code_flags", "without_kat")


@dataclass(frozen=True, slots=True)
class OwnCode:
    """The values of `own_code_options`."""

    code: tuple[str, ...] = ()
    kat: tuple[str, ...] = ()
    code_flags: str | None = None
    without_kat: bool = False

    def named(self, schemes: Sequence[str]) -> tuple[Workspace, tuple[str, ...], tuple[str, ...]]:
        """Workspace with this code, the names of these implementations, and their schemes.

        Without ``--code`` there are none.

        InputError as for a run.
        ``schemes``: what was asked, which says what the code computes if it is in the catalog.
        """
        from motebench.measuring.study.load import Options, from_options
        from motebench.measuring.study.model import Sampling, WholeFile
        from motebench.targets.code.workspace import Workspace

        if self == OwnCode():
            return Workspace(), (), ()
        spelling = Options(
            schemes=tuple(schemes),
            code=self.code,
            kat=self.kat,
            code_flags=self.code_flags,
            without_kat=self.without_kat,
        )
        question = from_options(spelling, Sampling(), WholeFile())
        (group,) = question.study.measure
        return question.workspace, group.implementations, group.schemes


def one_of(named: str | None, offered: Sequence[str], option: str) -> str:
    """Value of the option, or else the only one that the code offers. InputError without one, or
    with several.
    """
    if named is not None:
        return named
    if len(offered) == 1:
        return offered[0]
    problem = "the code has several: say which" if offered else "it is missing"
    raise InputError(
        problem, where=option, valid=", ".join(offered) or "a name, or --code with a folder"
    )


def implementation_of(
    named: str | None, offered: Sequence[str], target: str, schemes: Sequence[str]
) -> str:
    """The implementation that is given, or else the only one of the code. InputError if there is
    none, with those that offer the schemes on the target.

    ``schemes``: names and patterns of the catalog; none: any.
    """
    if named is not None or offered:
        return one_of(named, offered, "--implementation")
    from motebench.base.naming import split_list
    from motebench.catalog import match
    from motebench.targets.registry import offering, open_target

    chosen = [scheme for part in split_list(schemes) for scheme in match(part)]
    try:
        names = offering(open_target(target, where="--target"), chosen)
    except AbsentError:
        names = []  # what is missing in the command is said all the same
    shown = ", ".join(dict.fromkeys(scheme.name for scheme in chosen[:_SCHEMES_NAMED]))
    more = ", ..." if len(chosen) > _SCHEMES_NAMED else ""
    label = f"implementations of {shown}{more} on {target}: " if chosen else ""
    raise InputError(
        "no implementation is given",
        where="--implementation",
        valid=f"{label}{', '.join(names)}" if names else "a name",
        hint=f"--implementation {names[0]}" if names else "or --code with a folder of your own",
    )
