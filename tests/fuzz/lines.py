"""Hostile command lines over all commands and options, and the files around them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import click
from damages import DAMAGES
from folder import FIFO, Things, link, program, text
from liar import lies
from pieces import CATALOGS, CODES, DIGITS, KNOWN_ANSWERS, RECORDINGS, STUDIES, VECTORS

Arguments = tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """Command line. Streams: by name, ``closed``, ``gone`` (a pipe that nobody reads) or a path.

    changes: names of files that it may change. fresh: starts an interpreter of its own.
    """

    arguments: Arguments
    things: Things = ()
    streams: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    changes: tuple[str, ...] = ()
    fresh: bool = False
    kind: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """Name for readers: the special part of the line, shortened."""
        said = " ".join(
            each if len(each) < 60 else f"{each[:40]}...({len(each)})" for each in self.arguments
        )
        more = [*(f"{key}={value[:40]}" for key, value in (*self.streams, *self.environment))]
        files = [f"[{name}: {str(thing.what)[:60]}]" for name, thing in self.things]
        return " ".join([self.kind, said, *more, *files]).encode("unicode_escape").decode()[:300]


_QUICK = ("--fast", "--budget", "1s", "--quiet", "--store", "new.db")
_OPENSSL = ("--scheme", "sha256", "--implementation", "openssl")
_HERE = ("--store", "m.db")
_RECORDING = (("r.jsonl", text(RECORDINGS[0])),)
_THINGS: dict[str, Things] = {
    "meter": _RECORDING,
    "audit": (
        (
            "table.csv",
            text("cipher,size [B],time [ms],sd [ms],n\nAES,16,1.5,0.2,10\nDES,16,4.5,0.3,10\n"),
        ),
    ),
    "fleet": (
        (
            "fleet.toml",
            text('[board.a]\ntarget = "sim:atmega2560"\n\n[group]\nall-of-them = ["a"]\n'),
        ),
    ),
}
"""Files that a command needs, by command."""
BASES: dict[str, tuple[Arguments, ...]] = {
    "serve": (),  # it serves until it is ended
    "push": (("latest", "http://127.0.0.1:1", "--store", "m.db"), ("latest", "https://[::1]:1")),
    "publish": (),  # it writes a folder
    "airtime": (
        ("--sf", "12", "--bw", "125", "--payload", "51"),
        ("--lorawan", "EU868", "--dr", "0", "--app-payload", "12", "--scheme", "aes-128-gcm"),
        ("--lorawan", "EU868", "--dr", "0", "--app-payload", "ml-kem-512:ciphertext", "--fragment"),
    ),
    "audit": (("temirbekova-2024",), ("table.csv", "--json")),
    "battery": (
        ("--battery", "cr2032", "--every", "10min", "--device", "samd21g18a", "--cycles", "1000"),
        ("--battery", "cr2032", "--every", "10min", "--device", "samd21g18a", "--cycles",
        "1000", "--lorawan", "EU868",
         "--dr", "3", "--message", "16", "--scheme", "aes-128-gcm"),
    ),
    "choose": (
        ("--device", "samd21g18a", "--message", "16"),
        ("--device", "samd21g18a", "--message", "16", "--results", "first", *_HERE),
        ("--device", "samd21g18a", "--message", "16", "--lorawan", "EU868", "--dr", "3",
        "--every", "10min",
         "--battery", "cr2032"),
        ("--device", "samd21g18a", "--need", "signature", "--role", "verify", "--message", "16"),
        ("--device", "samd21g18a", "--need", "update", "--image", "100KiB", "--within",
        "5s", "--until", "2041"),
        ("--device", "samd21g18a", "--need", "kem", "--lorawan", "EU868", "--dr", "0",
        "--fragment"),
        ("--device", "samd21g18a", "--need", "agreement", "--with", "atecc608b"),
    ),
    "collection": (("pqm4", "--from", "folder", "--dry-run", "--jobs", "2"),),
    "compare": (("first", "second", *_HERE), ("first", "second", *_HERE, "--json")),
    "completion": (("bash",),),
    "cost": (("aes-128-gcm", "samd21g18a"), ("ml-dsa-44", "pico", "--operation", "verify",
    "--size", "24", "--json")),
    "coverage": (
        ("--target", "uno", "--scheme", "aes256", "--details"), ("--need", "kem", "--json",
        *_HERE), ("-f", "csv"),
    ),
    "describe": (("device", "samd21g18a"), ("samd21g18a",)),
    "doctor": (_HERE,),
    "protocol": (
        ("edhoc-suite0", "--fields"),
        ("oscore,dtls13-record", "--set", "payload=20", "--device", "samd21g18a",
        "--lorawan", "EU868", "--dr", "3",
         "--every", "10min", "--battery", "cr2032"),
    ),
    "energy": (("--device", "samd21g18a", "--cycles", "1000"),),
    "export": (("first", "-f", "csv", *_HERE), ("first", "-f", "json", "-o", "out.json", *_HERE)),
    "firmware": (("--target", "sim:samd21g18a", "--implementation", "mote/speck", "--scheme",
    "speck-64-128-ecb",
                  "-o", "out.elf"),),
    "fleet": (("boards", "fleet.toml"), ("boards", "fleet.toml", "--json"), ("worker",
    "fleet.toml", "--at", "lab")),
    "flash": (("--target", "serial:letter.txt", "--implementation", "mote/speck", "--scheme",
    "speck-64-128-ecb"),),
    "instruments": ((),),
    "gate": (("no-such-commit", "--code", "folder", "--scheme", "speck-64-128-ecb"),),
    "leak": (("--scheme", "aes-128-cbc", "--implementation", "openssl", "--samples", "20"),),
    "list": (("runs", *_HERE), ("schemes",), ("devices", "--json"), ("targets", "host")),
    "meter": (("--instrument", "replay:r.jsonl"), ("--instrument", "replay:r.jsonl", "--json")),
    "reference": (("show", "--scheme", "aes-128-cbc", "--target", "sim:samd21g18a"),
                  ("check", "--implementation", "none", "--target", "sim:samd21g18a"),
                  ("show", "--secret-flow", "--target", "sim:samd21g18a")),
    "replicate": (("no-such-paper", "--scale", "small", *_HERE),),
    "report": (("first", *_HERE), ("first", "-o", "out.html", *_HERE)),
    "run": ((*_OPENSSL, "--size", "16", "--dry-run"), (*_OPENSSL, "--size", "16", *_QUICK),
            (*_OPENSSL, "--size", "16", "--profile", "new", "--profile-base", "folder")),
    "runs": (("rm", "third", *_HERE, "--dry-run"), ("rename", "third", "fourth", *_HERE),
             ("note", "first", "a note", *_HERE), ("tag", "first", "kept", *_HERE),
             ("merge", "m.db", *_HERE),
             ("prune", "--keep-last", "1", *_HERE, "--dry-run")),
    "plot": (("first", *_HERE), ("first", *_HERE, "--by", "size", "-o", "out.svg")),
    "setup": (("--with", "none"), ("--compiler", "klang-0")),
    "show": (("first", *_HERE), ("first", *_HERE, "--json", "--samples")),
    "signing": (("--implementation", "none", "--scheme", "ml-dsa-44", "--messages", "10"),),
    "verify": (_OPENSSL,),
}  # fmt: skip
"""Valid command lines, by command; each hostile line adds or replaces one argument."""
READING = (
    ("show", "first", *_HERE),
    ("show", "latest", "--json", "--samples", *_HERE),
    ("list", "runs", *_HERE),
    ("report", "first", *_HERE),
    ("export", "first", "-f", "csv", *_HERE),
    ("compare", "first", "second", *_HERE),
    ("compare", "first", "second", "--json", *_HERE),
    ("doctor", *_HERE),
    ("run", "--resume", "third", *_HERE),
    ("doctor", *_HERE, "--repair", "whole.db"),
    ("run", *_OPENSSL, "--size", "16", "--dry-run", *_HERE),
    ("choose", "--device", "samd21g18a", "--message", "16", "--results", "first", *_HERE),
)
"""Command lines that read a store."""
ODD_VALUES = (
    "", " ", "-1", "0", "nan", "inf", "1e400", DIGITS, "18446744073709551616", "10000000000GiB",
    "1e-400", "0x10", "²",
    "\udcff", "caf\udce9", "x" * 100_000, "../../../../no/passwd", "/dev/zero", "/dev/full",
    "/dev/null", ".",
    "no/such",
    "loop", "fifo", "socket", "folder", "empty", "letter.txt", "m.db", "to-store", "nowhere",
    "huge", "full",
    "\x1b[2J", "*", "[", "**/**", "{}%s%n", "--json", "a,b,,", ",", "=", ":", "a=b=c",
    "replay:/dev/zero",
    "replay:fifo", "sim:", "sim:samd21g18a:", "serial:/dev/null", "serial:fifo", "serial:",
    "\u202e", "\ud83d\ude00",
    "latest", "first", "all", "none", "100%", "1/0", "1h1h", "10min", "3.3V", "sqlite://",
    "postgresql://x/y",
    "sqlite:///m.db?mode=rw", "file:m.db?mode=memory", ":memory:", "openssl", "sha256",
    "aes-128-gcm", "1,2,3", "host",
    "command", "life=0", "life=-1,flash=1", "a\nb", "a\tb",
)  # fmt: skip
_PATHS = (
    "out.html",
    "m.db",
    "to-store",
    "m.db-wal",
    "/dev/full",
    "/dev/null",
    "/dev/zero",
    "full",
    "folder",
    "loop",
    "no/such/out",
    "letter.txt",
    "empty",
    "socket",
    "nowhere",
    "/proc/version",
    "/proc/1/mem/x",
    "/sys/x",
    "",
    ".",
    "..",
    "\udcff.html",
    "x" * 300,
    "a/" * 3000 + "b",
    "r.jsonl",
    "/dev/stdout",
    "-",
    "caf\udce9.txt",
    "out\n.html",
    "/dev/fd/7",
    "//",
    "./m.db",
    "folder/../m.db",
)
WRITING = (
    ("report", "first", *_HERE, "-o"),
    ("export", "first", *_HERE, "-f", "csv", "-o"),
    ("report", "first", *_HERE, "--force", "-o"),
    ("export", "first", *_HERE, "-f", "latex", "--force", "-o"),
    ("choose", "--device", "samd21g18a", "--message", "16", "--report"),
    ("doctor", *_HERE, "--repair"),
    ("meter", "--instrument", "replay:r.jsonl", "--record"),
    (*("run", *_OPENSSL, "--size", "16", *_QUICK), "--report"),
    ("run", *_OPENSSL, "--size", "16", "--fast", "--budget", "1s", "--quiet", "--store"),
)
"""Command lines that write the file that comes next."""


def options() -> Iterator[Line]:
    """Every option of every command with every odd value; and every argument."""
    from motebench.cli.app import app

    context = click.Context(app)
    for command in app.list_commands(context):
        found = app.get_command(context, command)
        assert found is not None
        for base, parameter in itertools.product(BASES[command], found.params):
            if parameter.name in ("help", "repair"):
                continue
            things = _THINGS.get(command, ())
            may = (
                "new.db",
                "out.json",
                "out.html",
                "out.svg",
                "empty",
                *(("m.db",) if command in ("run", "runs") else ()),
            )
            line = partial(Line, things=things, kind="options", changes=may)
            if isinstance(parameter, click.Argument):
                place = [
                    each.name for each in found.params if isinstance(each, click.Argument)
                ].index(parameter.name)
                if len(base) > place and not base[place].startswith("-"):
                    yield from (
                        line((command, *base[:place], odd, *base[place + 1 :]))
                        for odd in ODD_VALUES
                    )
                continue
            name = parameter.opts[-1]
            if getattr(parameter, "is_flag", False):
                yield line((command, *base, name))
            elif name in base:
                at = base.index(name)
                yield from (
                    line((command, *base[: at + 1], odd, *base[at + 2 :])) for odd in ODD_VALUES
                )
            else:
                yield from (line((command, *base, name, odd)) for odd in ODD_VALUES)


def outputs() -> Iterator[Line]:
    """Everything that writes a file, with paths that should not be written."""
    for writing, path in itertools.product(WRITING, _PATHS):
        may = (
            "new.db",
            "empty",
            *(("letter.txt", "caf\udce9.txt", "r.jsonl") if "--force" in writing else ()),
        )
        may = (*may, "m.db") if writing[0] == "run" else may
        yield Line((*writing, path), _RECORDING, changes=may, kind="outputs")
    same = ("out.db", "out.html", "m.db")
    yield from (
        Line(
            (
                "run",
                *_OPENSSL,
                "--size",
                "16",
                "--fast",
                "--budget",
                "1s",
                "--store",
                one,
                "--report",
                one,
            ),
            changes=("out.db", "m.db"),
            kind="outputs",
        )
        for one in same
    )


_STREAMS = (
    *((("stdin", place),) for place in ("closed", "/dev/zero")),
    *((("stdout", place),) for place in ("closed", "gone", "/dev/full", "/dev/null")),
    *((("stderr", place),) for place in ("closed", "gone", "/dev/full")),
    (("stdout", "closed"), ("stderr", "closed")),
    (("stdin", "closed"), ("stdout", "closed"), ("stderr", "closed")),
    (("stdin", "closed"), ("stdout", "/dev/full"), ("stderr", "/dev/full")),
)
_AROUND = (
    *(
        (("LC_ALL", name), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0"))
        for name in ("C", "POSIX", "en_US.ISO-8859-1", "none", "C.UTF-8")
    ),
    *(
        (("PYTHONIOENCODING", name),)
        for name in ("ascii", "latin-1", "utf-16", "cp437", "ascii:strict")
    ),
    (("TERM", "dumb"), ("COLUMNS", "1")),
    (("COLUMNS", "-5"),),
    (("COLUMNS", "x"),),
    (("COLUMNS", "9" * 30),),
    (("HOME", "/nonexistent"), ("TMPDIR", "/nonexistent")),
    (("TMPDIR", "letter.txt"),),
    (("PATH", ""),),
    (("MOTEBENCH_STORE", "/dev/full"),),
    (("MOTEBENCH_STORE", "\udcff"),),
    (("MOTEBENCH_CATALOG", "m.db:/dev/zero"),),
    (("MOTEBENCH_CATALOG", "\udcff"),),
    (("MOTEBENCH_PROBES", "m.db:/dev/zero:\udcff"),),
    (("MOTEBENCH_COMPILERS", "\udcff"),),
    (("XDG_CACHE_HOME", "/dev/full"),),
    (("TZ", "x" * 5000),),
    (("NO_COLOR", "1"), ("LANG", "tr_TR.UTF-8")),
    (("PYTHONHASHSEED", "0"), ("LINES", "0")),
)
_ODD_NAME = (("caf\udce9.toml", text(STUDIES[0])), ("caf\udce9.json", text(VECTORS[0])))
_NAMED = (
    ("run", "caf\udce9.toml", "--dry-run"),
    ("verify", "--vectors", "caf\udce9.json", "--implementation", "openssl"),
    ("verify", "--vectors", "no\udce9.json"),
    ("show", "caf\udce9", *_HERE),
    ("list", "devices"),
)


def surroundings() -> Iterator[Line]:
    """Streams and locales as they should not be, around every command that works."""
    works = [
        (command, *base)
        for command, bases in BASES.items()
        for base in bases[-1:]
        if command != "firmware"
    ]
    for arguments in (
        *works,
        ("--help",),
        ("run", "--help"),
        ("--version",),
        ("nonsense",),
        *_NAMED,
    ):
        things = (*_RECORDING, *_ODD_NAME)
        made = partial(
            Line, arguments, things, changes=("new.db",), fresh=True, kind="surroundings"
        )
        yield from (made(streams=streams) for streams in _STREAMS)
        yield from (made(environment=around) for around in _AROUND)


def stores() -> Iterator[Line]:
    """Every damage, before everything that reads a store."""
    for damages, arguments in itertools.product(DAMAGES, READING):
        # What resumes a run may change it.
        may = (
            ("m.db", "m.db-wal", "m.db-shm")
            if "--resume" in arguments
            else ("m.db-wal", "m.db-shm")
        )
        yield Line(arguments, tuple(damages), changes=may, kind="stores")


def _lines_of(
    name: str, contents: tuple[str | bytes, ...], *calls: Arguments, kind: str
) -> Iterator[Line]:
    for content, arguments in itertools.product(contents, calls):
        yield Line(arguments, ((name, text(content)),), changes=("new.db",), kind=kind)


def files() -> Iterator[Line]:
    """Files of every kind that motebench reads, and everything that reads them."""
    yield from _lines_of(
        "s.toml",
        STUDIES,
        ("run", "s.toml", "--dry-run"),
        ("run", "s.toml", *_QUICK),
        kind="studies",
    )
    yield from _lines_of(
        "v.json",
        VECTORS,
        ("verify", "--vectors", "v.json", "--implementation", "openssl"),
        kind="vectors",
    )
    yield from _lines_of(
        "r.jsonl",
        RECORDINGS,
        ("meter", "--instrument", "replay:r.jsonl"),
        (
            "meter",
            "--instrument",
            "replay:r.jsonl",
            "--json",
            "--known-load",
            "100ohm",
            "--voltage",
            "3.3V",
        ),
        ("meter", "--instrument", "replay:r.jsonl", "--record", "again.jsonl"),
        kind="recordings",
    )
    for (name, content), arguments in itertools.product(
        CATALOGS,
        (
            ("list", "devices"),
            ("describe", "device", "mine", "--json"),
            ("list", "regions"),
            ("list", "batteries"),
            ("choose", "--device", "mine", "--message", "16"),
            ("airtime", "--sf", "12", "--bw", "125", "--payload", "51"),
            (
                "battery",
                "--battery",
                "mine",
                "--every",
                "10min",
                "--device",
                "samd21g18a",
                "--cycles",
                "1000",
            ),
            ("energy", "--device", "mine", "--cycles", "1000"),
            ("list", "protocols"),
            (
                "protocol",
                "mine",
                "--lorawan",
                "EU868",
                "--dr",
                "3",
                "--device",
                "samd21g18a",
                "--json",
            ),
        ),
    ):
        yield Line(
            (*arguments, "--catalog", "own"), ((f"own/{name}", text(content)),), kind="catalog"
        )


def codes() -> Iterator[Line]:
    """Folders of code, and known answers for one that is right."""
    calls = (
        ("verify", "--code", "code"),
        ("verify", "--code", "code", "--without-kat", "--json"),
        ("run", "--code", "code", *_QUICK),
        ("firmware", "--code", "code", "--target", "sim:samd21g18a", "-o", "o.elf"),
    )
    for things, arguments in itertools.product(CODES, calls):
        yield Line(arguments, tuple((f"code/{name}", thing) for name, thing in things), kind="code")
    for content in KNOWN_ANSWERS:
        things = (
            *((f"code/{name}", thing) for name, thing in CODES[0]),
            ("LWC_AEAD_KAT_128_128.txt", text(content)),
        )
        yield Line(
            ("verify", "--code", "code", "--kat", "LWC_AEAD_KAT_128_128.txt"), things, kind="code"
        )


def probes() -> Iterator[Line]:
    """Probes that lie: beside the others (by the environment), and as a build."""
    for how in lies():
        probe = (("probes/motebench-probe-liar", program(f"#!/bin/sh\nexec $LIAR {how}\n")),)
        liar = ("--scheme", "sha256", "--implementation", "liar", "--timeout", "2s")
        here = (("MOTEBENCH_PROBES", "probes"),)
        yield Line(("verify", *liar), probe, environment=here, kind="probes")
        yield Line(("run", *liar, "--size", "16", *_QUICK), probe, environment=here, kind="probes")
        yield Line(
            ("list", "schemes", "--implementation", "liar"), probe, environment=here, kind="probes"
        )
    odd: tuple[Things, ...] = (
        (("probes/motebench-probe-liar", FIFO),),
        (("probes/motebench-probe-liar", link("/dev/zero")),),
        (("probes/motebench-probe-liar", program("#!/no/such\n")),),
        (("probes/motebench-probe-liar", program("")),),
        (("probes/motebench-probe-caf\udce9", program("#!/bin/sh\n")),),
        (("probes/a\nb/motebench-probe-x\x1b[2J", program("#!/bin/sh\n")),),
    )
    for things, arguments in itertools.product(
        odd,
        (
            ("verify", "--implementation", "liar"),
            ("list", "implementations"),
            ("doctor",),
            ("list", "targets", "--json"),
            (
                "run",
                "--scheme",
                "sha256",
                "--size",
                "16",
                *_QUICK,
                "--implementation",
                "liar",
                "--alternate",
                "a=probes",
                "--alternate",
                "b=folder",
                "--runs",
                "2",
            ),
        ),
    ):
        yield Line(arguments, things, environment=(("MOTEBENCH_PROBES", "probes"),), kind="probes")


KINDS = (options, outputs, surroundings, stores, files, codes, probes)


def all_lines() -> list[Line]:
    """Every line there is, by kind."""
    return [line for kind in KINDS for line in kind()]


if __name__ == "__main__":
    counts: dict[str, int] = {}
    for each in all_lines():
        counts[each.kind] = counts.get(each.kind, 0) + 1
    print(json.dumps(counts))
