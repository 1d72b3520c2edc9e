"""``motebench choose``: which cipher for this device, message, radio and battery, and why not the
others.

What it printed is remembered in the user's cache until a file of the catalog or of the code
changes, or a day ends: an answer depends on dates. Questions with ``--results`` or ``--report`` are
answered anew.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    NEED,
    Length,
    Number,
    Whole,
    asked_link,
    battery_option,
    catalog_option,
    check_link,
    converter_option,
    device_option,
    force_option,
    json_option,
    link_options,
    print_json,
    refuse,
    speed_options,
    store_option,
)

if TYPE_CHECKING:
    from motebench.api.answers import ChoiceResult, StoredRun
    from motebench.documents.choice import ConnectionEntry


@click.command("choose")
@click.option("--device", required=True, metavar="NAME", help="A device of the catalog.")
@speed_options
@click.option(
    "--message",
    type=Length(2**24),
    metavar="SIZE",
    help="Length of a message, before encryption, or to be signed.",
)
@click.option(
    "--image", type=Length(2**28), metavar="SIZE", help="With --need update: length of the image."
)
@click.option("--every", metavar="TIME", help="Time from one message to the next: 10min.")
@link_options
@click.option(
    "--lorawan", metavar="REGION", help="Send messages by LoRaWAN in this region; needs --dr."
)
@click.option(
    "--dr", type=Whole(), metavar="NUMBER", help="Number of the data rate in the region: 0 is DR0."
)
@click.option(
    "--power",
    type=Number("dBm"),
    metavar="DBM",
    help="Output power.  [default: the highest allowed]",
)
@click.option(
    "--transmissions",
    type=Number(),
    metavar="NUMBER",
    help="How often each frame is sent.  [default: 1]",
)
@click.option(
    "--network", metavar="NAME", help="The network whose own rules hold beside the region's: ttn."
)
@click.option(
    "--fragment",
    is_flag=True,
    help="Split a message that is too long for a frame.",
)
@click.option("--battery", metavar="NAME", help="A battery of the catalog.")
@converter_option
@click.option(
    "--sleep-current",
    metavar="CURRENT",
    help="Current of everything during sleep, instead of the catalog's.",
)
@click.option(
    "--need",
    type=NEED,
    default="aead",
    show_default=True,
    help="What the message or device needs.",
)
@click.option(
    "--credentials",
    metavar="LIST",
    help="With --need connection: psk, rpk, x509, c509.  [default: all]",
)
@click.option(
    "--handshake",
    metavar="TIME",
    help="With --need connection: time between handshakes: 30d, 1/month, message.  [default: 30d]",
)
@click.option(
    "--intermediates",
    type=Whole(),
    metavar="NUMBER",
    help="With --need connection: certificates beside the peer's own.  [default: 0]",
)
@click.option(
    "--secret-until",
    metavar="DATE",
    help="With --need connection: last day of secrecy of a record of today.",
)
@click.option(
    "--role",
    type=click.Choice(["sign", "verify", "encapsulate", "decapsulate"]),
    help="With --need signature or kem: what the device does.  [default: sign; encapsulate]",
)
@click.option(
    "--strength",
    type=click.IntRange(0, 1024),
    default=0,
    metavar="BITS",
    help="Least security strength.",
)
@click.option(
    "--policy",
    default="current",
    show_default=True,
    metavar="NAME",
    help="Which security status is admitted: current, nist, legacy, bsi, anssi, cnsa2.",
)
@click.option(
    "--until",
    metavar="DATE",
    help="Last day of service, a year or a date.",
)
@click.option(
    "--constant-time",
    is_flag=True,
    help="Only implementations whose claim of constant time stands.",
)
@click.option(
    "--include",
    type=click.Choice(["research"]),
    help="Also implementations that are not for products, such as mote/*.",
)
@click.option("--flash", metavar="SIZE", help="Most flash.  [default: the device's]")
@click.option("--ram", metavar="SIZE", help="Most RAM.  [default: the device's]")
@click.option(
    "--max-latency",
    "--within",
    metavar="TIME",
    help="Most processor time for a message, or for checking an update.",
)
@click.option(
    "--rank",
    metavar="ORDER",
    help="life, energy, latency, throughput, flash, ram; or weights: life=3,flash=1.  [default: "
    "life with a battery]",
)
@click.option(
    "--equal",
    metavar="PERCENT",
    help="Candidates at most this far apart are equal; none: only equal figures.  [default: 1%]",
)
@click.option(
    "--nonce",
    type=click.Choice(["carried", "counter"]),
    help="Nonce sent, or derived from the frame counter.  [default: counter with --lorawan]",
)
@click.option(
    "--tag",
    "tag_bytes",
    type=Length(2**16),
    metavar="SIZE",
    help="A shorter tag, if the scheme allows it.",
)
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="Only these schemes.")
@click.option(
    "--implementation",
    "implementations",
    multiple=True,
    metavar="PATTERN",
    help="Only these implementations.",
)
@click.option(
    "--has",
    "has",
    multiple=True,
    metavar="LIST",
    help="Code the product has already: lorawan,sha256,aes-128.",
)
@click.option(
    "--with", "element", metavar="NAME", help="A secure element on the board, such as atecc608b."
)
@click.option(
    "--element-off",
    is_flag=True,
    help="With --with: the element's supply is switched off between uses.",
)
@click.option(
    "--protect-key",
    is_flag=True,
    help="Only candidates of a secure element, whose key is not readable.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Also say which input decides, and where the first place changes.",
)
@click.option(
    "--checklist",
    metavar="NAME",
    help="Also list the provisions on cryptography: etsi-en-303-645, cra.",
)
@click.option(
    "--results",
    metavar="RUN",
    help="Take results of this stored run or group before reference results.",
)
@click.option(
    "--details", is_flag=True, help="All candidates with their reasons, instead of the decision."
)
@click.option(
    "--show",
    type=click.IntRange(0),
    help="With --details: how many candidates to print; 0 for all.  [default: 8]",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "md"]), default="text", show_default=True,
    help="The decision as text or Markdown.",
)  # fmt: skip
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write an HTML file with charts.",
)
@force_option
@store_option
@catalog_option
@json_option
def command(**options: Any) -> int:
    """Choose a cipher for a device: reject by limits and security status, rank the rest, and give
    reasons.

    Exit code 9 if no candidate keeps all limits.
    """
    if options["results"] is not None or options["report"] is not None:
        return _answer(options)
    memory = _AnswerMemory(sys.stdout, options)
    answer = memory.recall()
    if answer is None:
        printed = _PrintedText(sys.stdout)
        with redirect_stdout(printed):
            code = _answer(options)
        answer = (printed.getvalue(), code)
        memory.keep(*answer)
    click.echo(answer[0], nl=False)
    return answer[1]


def _answer(options: dict[str, Any]) -> int:
    """Print the answer; the exit code."""
    from motebench.base.files.access import FileKind, check
    from motebench.cli.text.choice import show, show_details
    from motebench.show.decision import markdown

    if options["need"] == "connection":
        return _show_connection(connection(options), options)
    if options["report"] is not None:
        check(options["report"], FileKind.HTML, force=options["force"], where="--report")
    choice = message_choice(options)
    if options["report"] is not None:
        path = choice.report(options["report"], force=options["force"])
        click.echo(f"motebench: wrote {path}", err=True)
    if options["as_json"]:
        print_json(choice.document(), compact=True)
    elif options["form"] == "md":
        short = choice.short
        click.echo(markdown(short.decision, short.notes), nl=False)
    elif options["details"] or options["show"] is not None:
        show_details(choice.entry, 8 if options["show"] is None else options["show"])
    else:
        show(choice.short)
    return ExitCode.NOTHING if choice.chosen is None else ExitCode.OK


def message_choice(options: dict[str, Any]) -> ChoiceResult:
    """The answer of the options, which are those of the command in its context, for any need but a
    connection. InputError for what cannot be asked.
    """
    from motebench.api.choosing import choose

    refuse(
        _OF_CONNECTION,
        "this option needs --need connection",
        hint="--need connection --message 40 --every 30min",
    )
    return choose(**_arguments(options))


class _PrintedText(io.StringIO):
    """Text that is printed later to ``stream``, as wide as that wants it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(newline="")
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream."""
        return self._stream.encoding

    def isatty(self) -> bool:
        """True for a terminal."""
        return self._stream.isatty()


class _AnswerMemory:
    """Answers of this version of all files, as they were printed. A file that is damaged, too long
    or of somebody else counts as empty."""

    def __init__(self, stream: TextIO, options: dict[str, Any]) -> None:
        """``stream``: where the answer is printed; its form is a part of the question."""
        import datetime
        import hashlib

        from motebench.base.paths import cache_folder, catalog_dir, own_catalogs
        from motebench.cli.text.layout import coloured, width_of

        own = [*own_catalogs(), *([options["own"]] if options["own"] else [])]
        today = datetime.datetime.now(datetime.UTC).date()
        state = [
            sys.version,
            today.isoformat(),
            *_files(Path(__file__).parents[2]),
            *_files(catalog_dir()),
            *(_stated(path) for folder in own for path in sorted(folder.glob("*/*.toml"))),
        ]
        form = [width_of(stream), coloured(stream), stream.encoding, sorted(options.items())]
        self._state = hashlib.sha256("\n".join(state).encode(errors="replace")).hexdigest()
        self._question = json.dumps(form, default=str)
        self._path = cache_folder() / "answers.json"

    def recall(self) -> tuple[str, int] | None:
        """The text of the answer and its exit code; None if it is not known."""
        entry = self._read().get(self._question)
        return None if entry is None else (entry["text"], entry["code"])

    def keep(self, text: str, code: int) -> None:
        """Keep an answer, the last ones first. A cache that cannot be written is no failure."""
        from motebench.base.files.access import replace

        answers = {self._question: {"text": text, "code": code}} | self._read()
        room = _LONGEST // 2
        newest = {}
        for question, entry in answers.items():
            room -= 6 * (len(question) + len(entry["text"]))
            if room < 0:
                break
            newest[question] = entry
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace(self._path, json.dumps({"state": self._state, "answers": newest}).encode())
        except OSError:
            return

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            status = self._path.stat()
            if status.st_size > _LONGEST or status.st_uid != os.getuid():
                return {}
            document = json.loads(self._path.read_text(encoding="utf-8"))
            if document["state"] != self._state:
                return {}
            answers = document["answers"]
            valid = all(
                isinstance(entry["text"], str) and entry["code"] in (ExitCode.OK, ExitCode.NOTHING)
                for entry in answers.values()
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}
        return answers if valid else {}


_LONGEST = 8 * 2**20
"""Bytes of a file of answers that is read; a longer one is not ours."""


def _files(folder: str | Path) -> Iterator[str]:
    """Every file of a folder as `_stated`, in order."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if not entry.is_dir():
            yield _stated(entry)
        elif entry.name != "__pycache__":
            yield from _files(entry.path)


def _stated(file: os.DirEntry[str] | Path) -> str:
    """The name of a file with its size and the time of its last change; without them if it is
    gone."""
    name = os.fspath(file)
    try:
        status = file.stat()
    except OSError:
        return name
    return f"{name} {status.st_size} {status.st_mtime_ns}"


_OF_CONNECTION = ("credentials", "handshake", "intermediates", "secret_until")
_NOT_OF_CONNECTION = (
    "image", "role", "strength", "constant_time", "include", "flash", "ram", "max_latency",
    "rank", "equal", "nonce", "tag_bytes", "schemes", "implementations", "has", "element",
    "element_off", "protect_key", "sensitivity", "checklist", "results", "store", "show", "report",
    "force", "fragment",
)  # fmt: skip
_PERIODS = {"day": "1d", "week": "7d", "month": "30d", "year": "365d"}


def connection(options: dict[str, Any]) -> ConnectionEntry:
    """The answer for a connection, which has a document of its own. InputError for what cannot be
    asked.
    """
    from motebench.advise.choice.connection import ConnectionRequest, connect
    from motebench.advise.choice.request import last_day
    from motebench.base.naming import split_list
    from motebench.base.units import parse_duration, parse_quantity
    from motebench.documents.choice import CREDENTIALS

    refuse(_NOT_OF_CONNECTION, "{option} has no meaning with --need connection")
    if options["battery"] is None:
        refuse(("sleep_current",), "this option needs --battery")
    missing = [f"--{name}" for name in ("message", "every") if options[name] is None]
    if missing:
        raise InputError(
            f"{' and '.join(missing)} must be given with --need connection",
            valid="--message 40 --every 30min",
        )
    every = parse_duration(options["every"], where="--every")
    sleep = options["sleep_current"]
    device = device_option(options)
    if device is None:
        raise AssertionError("--device is required")
    return connect(
        ConnectionRequest(
            device=device,
            message_bytes=options["message"],
            every_s=_positive(every, "--every"),
            handshake_every_s=_handshake(options["handshake"] or "30d", every),
            credentials=split_list([options["credentials"] or ""]) or CREDENTIALS,
            link=asked_link(options, ("radio",), fragment=True),
            battery=battery_option(options, device),
            sleep_amps=None
            if sleep is None
            else parse_quantity(sleep, "A", where="--sleep-current"),
            policy=options["policy"],
            until=last_day(options["until"]),
            secret_until=last_day(options["secret_until"], where="--secret-until"),
            intermediates=options["intermediates"] or 0,
        )
    )


def _show_connection(answer: ConnectionEntry, options: dict[str, Any]) -> int:
    """Print the answer for a connection; the exit code."""
    from motebench.cli.text.choice import show_connection
    from motebench.show.decision import markdown

    if options["as_json"]:
        print_json(answer, compact=True)
    elif options["form"] == "md":
        click.echo(markdown(answer.decision, answer.notes), nl=False)
    else:
        show_connection(answer, details=options["details"])
    return ExitCode.NOTHING if answer.chosen is None else ExitCode.OK


def _handshake(text: str, every_s: float) -> float:
    """Seconds from one handshake to the next: a time, ``1/month``, or ``message`` for one with
    every message. InputError for less than the time between messages.
    """
    from motebench.base.units import parse_duration

    plain = text.strip().casefold()
    if plain in ("message", "1/message"):
        return every_s
    count, slash, period = plain.partition("/")
    if slash and period in _PERIODS and count.isascii() and count.isdigit() and int(count):
        seconds = parse_duration(_PERIODS[period]) / int(count)
    else:
        seconds = parse_duration(text, where="--handshake")
    if seconds < every_s:
        raise InputError(
            "handshakes are more frequent than messages",
            where="--handshake",
            valid="message, or a longer time than --every",
        )
    return seconds


def _positive(seconds: float, where: str) -> float:
    if seconds > 0:
        return seconds
    raise InputError("this time must be more than 0", where=where, valid="30min")


_OWN = (
    "credentials",
    "handshake",
    "intermediates",
    "secret_until",
    "image",
    "include",
    "details",
    "show",
    "form",
    "report",
    "force",
    "store",
    "own",
    "as_json",
)
"""Options that no argument of `motebench.choose` has the name of."""


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `motebench.choose` that the options give; for the others its defaults
    hold.
    """
    length = _length(options)
    if options["battery"] is None:
        refuse(
            ("sleep_current", "converter"),
            "this option needs --battery",
            hint="--battery cr2032 --every 10min",
        )
    if options["need"] == "hash":
        refuse(
            ("nonce", "tag_bytes"), "nonces and tags belong to ciphers, and --need hash has none"
        )
    if options["results"] is None:
        refuse(
            ("store",),
            "this option needs --results: without it no store is read",
            hint="--results latest",
        )
    if options["report"] is None:
        refuse(("force",), "this option needs --report", hint="--report choice.html")
    check_link(options, ("radio", "fragment"))
    settled = {
        "message": length,
        "research": options["include"] == "research",
        "equal": _equal(options["equal"]),
        "results": _runs(options),
        "catalog": options["own"],
    }
    given = {name: value for name, value in options.items() if name not in _OWN}
    return {name: value for name, value in {**given, **settled}.items() if value is not None}


def _length(options: dict[str, Any]) -> int:
    """Bytes of the message, or of the image of an update; 0 where a need has neither."""
    need, message, image = options["need"], options["message"], options["image"]
    if need == "update":
        if message is not None:
            raise InputError(
                "an update has an image, no message", where="--message", valid="--image 100KiB"
            )
        if image is None:
            raise InputError("--image must be given with --need update", valid="--image 100KiB")
        return int(image)
    if image is not None:
        raise InputError(
            "this option needs --need update",
            where="--image",
            hint="--message is the length of a message",
        )
    if need in ("agreement", "kem"):
        if message is None:
            return 0
        raise InputError(
            f"--need {need} has no message: only keys and ciphertexts are sent",
            where="--message",
            valid="leave --message out",
            hint="--every is the time from one to the next",
        )
    if message is None:
        raise InputError("--message must be given", valid="--message 24")
    return int(message)


def _equal(text: str | None) -> float | None:
    from motebench.base.units import parse_percent

    if text is None or text.strip().casefold() == "none":
        return None if text is None else 0.0
    return parse_percent(text, where="--equal")


def _runs(options: dict[str, Any]) -> list[StoredRun] | None:
    if options["results"] is None:
        return None
    from motebench.api.answers import StoredRun
    from motebench.results.together import members
    from motebench.store import Store

    with Store.open(options["store"], create=False) as store:
        runs = members(store, options["results"]) or [store.load_run(options["results"])]
    return [StoredRun(run, options["store"]) for run in runs]
