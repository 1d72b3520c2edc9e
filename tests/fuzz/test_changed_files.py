"""Many small changes to stores, studies, vectors, messages of probes and recordings, each within
this process.

Each kind is tried with `CASES` cases, in parts that run side by side. Whatever is read is right or
refused in words. A case is told by its kind and number: `carry_out(KIND, NUMBER)` does it once
more.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cbor2
import pytest
from calls import EXAMPLES
from mutation import ODD, content, data, text
from pieces import RECORDINGS, STUDIES
from result_documents import document
from stores import loosen, make
from test_files import HELLO, KAT, NIST, OWN, PARSERS, REPLY, WYCHEPROOF, framed, spelt

from motebench.base.errors import InputError, StoreError
from motebench.base.shapes import as_document
from motebench.catalog.vectors.files import load
from motebench.measuring.instruments import analysis, recording
from motebench.measuring.study.load import from_file
from motebench.store import Store, schema
from motebench.store.opening import look
from motebench.targets.code import answers
from motebench.targets.wire import messages
from motebench.targets.wire.frames import Receiver, decode

SEED = int(os.environ.get("MOTEBENCH_FUZZ_SEED", "1"))
CASES = EXAMPLES * 100 or 200
"""Cases of each kind."""
_PARTS = 8
_MOST_SECONDS = 30
_SHOWN, _EXAMINED = 50, 5
"""Every how many stores one is shown, or examined, in whole, which takes long."""
_CBOR_ODD = tuple(value for value in ODD if value != "\ud800")
_CELLS = (
    *(
        each
        for each in ODD
        if not isinstance(each, list | dict) and not (isinstance(each, int) and abs(each) >= 2**63)
    ),
    "9" * 400,
    "[" * 99,
)


class Bench:
    """Folder and store of all cases, made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "m.db"
        make(path, ("first",), 1)
        loosen(path)
        self.store = Store.open(path, create=False)
        self.raw: Any = self.store._opened.connection.connection.driver_connection
        self.raw.execute("PRAGMA synchronous = OFF")
        self.raw.execute("PRAGMA journal_mode = MEMORY")
        self.cells = [
            (table.name, column.name, row)
            for table in schema.METADATA.sorted_tables
            if table.name != "meta"
            for (row,) in self.raw.execute(f"SELECT rowid FROM {table.name}").fetchall()
            for column in table.columns
        ]

    def file(self, name: str, whole: str | bytes) -> Path:
        """A file of the folder."""
        path = self.folder / name
        path.write_bytes(
            whole.encode("utf-8", "surrogatepass") if isinstance(whole, str) else whole
        )
        return path


def _refused(
    read: Callable[[], Any], kinds: type[Exception] | tuple[type[Exception], ...] = InputError
) -> Any:
    try:
        return read()
    except kinds as error:
        said = str(error)
        assert 0 < len(said) < 10_000 and "\x1b" not in said, said
        return None


def stores(bench: Bench, chance: random.Random) -> None:
    """Other values in one or two cells of a store."""
    kept = []
    for table, column, row in chance.sample(bench.cells, chance.choice((1, 1, 2))):
        where = f"{table} WHERE rowid = ?"
        (old,) = bench.raw.execute(f'SELECT "{column}" FROM {where}', (row,)).fetchone()
        new = (
            text(chance, old)
            if isinstance(old, str) and chance.random() < 0.5
            else chance.choice(_CELLS)
        )
        if isinstance(new, str):
            new = new.encode("utf-8", "replace").decode()
        bench.raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (new, row))
        kept.append((table, column, row, old))
    try:
        bench.store.survey()
        run = _refused(lambda: bench.store.load_run("first"), (StoreError, InputError))
        for result in run.results if run else ():
            for series in result.series:
                assert all(math.isfinite(sample.raw) for sample in series.samples)
        if run and chance.randrange(_SHOWN) == 0:
            json.dumps(document(run, samples=True), allow_nan=False)
        if chance.randrange(_EXAMINED) == 0:
            _refused(
                lambda: look(bench.store._opened.connection, bench.store._opened.backend),
                StoreError,
            )
    finally:
        for table, column, row, old in reversed(kept):
            bench.raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (old, row))


_STUDY = {
    "title": "t",
    "sampling": {"preset": "fast", "budget": "1s", "precision": "1%", "min_samples": 12, "seed": 1},
    "whole_file": {"cache": "cold", "sync": True, "chunk": "64 KiB"},
    "measure": [
        {
            "schemes": ["sha256", "aes-*"],
            "implementations": ["openssl", "a=nettle"],
            "sizes": ["64 B", 16],
            "aad": [0],
            "operations": ["digest"],
            "targets": ["host"],
            "exclude": [{"schemes": ["md5"]}],
        }
    ],
}


def studies(bench: Bench, chance: random.Random) -> None:
    """Study files with other values, or other text."""
    if chance.random() < 0.5:
        changed = data(chance, _STUDY)
        pairs = changed.items() if isinstance(changed, dict) else {"x": changed}.items()
        whole = "\n".join(f"{key} = {spelt(part)}" for key, part in pairs)
    else:
        whole = text(chance, str(STUDIES[0]) + '[sampling]\nbudget = "1s"\nseed = 1\n')
    path = bench.file("s.toml", whole)
    _refused(lambda: from_file(path))


_VECTORS = tuple(json.dumps(each) for each in (OWN, WYCHEPROOF))


def vectors(bench: Bench, chance: random.Random) -> None:
    """Vector files of all formats, and known answers."""
    how = chance.randrange(4)
    if how == 0:
        whole: str | bytes = json.dumps(
            data(chance, chance.choice((OWN, WYCHEPROOF))), default=repr
        )
    elif how == 1:
        whole = text(chance, chance.choice(_VECTORS))
    elif how == 2:
        whole = text(chance, chance.choice((NIST, KAT, NIST * 3)))
    else:
        whole = content(chance, chance.choice((*_VECTORS, NIST, KAT)).encode())
    path = bench.file("CBC.rsp", whole)
    _refused(lambda: load(path))
    _refused(lambda: answers.kind_of(path))


def cbor(bench: Bench, chance: random.Random) -> None:
    """Replies of probes: other values, other payloads, other bytes on the line."""
    del bench
    how = chance.randrange(3)
    whole = chance.choice((HELLO, REPLY))
    try:
        payload = cbor2.dumps(data(chance, whole, _CBOR_ODD))
    except UnicodeEncodeError:
        return  # no text of CBOR
    if how == 1:
        payload = content(chance, payload)
    line = content(chance, framed(payload)) if how == 2 else framed(payload)
    found = decode(line)
    for parse in PARSERS if found is not None else ():
        try:
            parse(found)
        except messages.ProbeFailure as failure:
            assert 0 < len(failure.message) < 500 and failure.message.isprintable(), failure.message
    receiver = Receiver()
    at = chance.randrange(len(line) + 1)
    for part in (line[:at], line[at:], b"\0"):
        list(receiver.feed(part))


_LINES = [json.loads(line) for line in str(RECORDINGS[0]).splitlines()]
_LINES = [*_LINES[:1], *_LINES[1:302:10], *_LINES[301:]]


def recordings(bench: Bench, chance: random.Random) -> None:
    """Recordings with changed lines, and the values computed from them."""
    if chance.random() < 0.7:
        lines = data(chance, _LINES)
        written = [
            json.dumps(line, default=repr)
            for line in (lines if isinstance(lines, list) else [lines])
        ]
        whole: str | bytes = "\n".join(written)
    else:
        whole = content(chance, "\n".join(map(json.dumps, _LINES)).encode())
    path = bench.file("r.jsonl", whole)
    found = _refused(lambda: recording.load(path))
    if found is None:
        return
    assert all(math.isfinite(sample.t) and math.isfinite(sample.watts) for sample in found.samples)
    json.dumps(as_document(analysis.document(found, analysis.analyse(found))), allow_nan=False)
    _refused(lambda: analysis.known_load(found, 100.0, chance.choice((None, 3.3))))


KINDS = {each.__name__: each for each in (stores, studies, vectors, cbor, recordings)}


def carry_out(bench: Bench, kind: str, number: int) -> None:
    """The case of that number: the same for the same seed."""
    KINDS[kind](bench, random.Random(f"{SEED} {kind} {number}"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("cases"))
    yield made
    made.store.close()


def _too_slow(*_: object) -> None:
    raise AssertionError(f"more than {_MOST_SECONDS} s of processor time")


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_cases(bench: Bench, kind: str, part: int) -> None:
    old = signal.signal(signal.SIGPROF, _too_slow)
    try:
        with warnings.catch_warnings():
            # Numbers that overflow are no results.
            warnings.simplefilter("error", RuntimeWarning)
            numbers = range(part, CASES, _PARTS)
            assert len(numbers) >= CASES // _PARTS > 0
            for number in numbers:
                signal.setitimer(signal.ITIMER_PROF, _MOST_SECONDS)
                try:
                    carry_out(bench, kind, number)
                except BaseException as error:
                    error.add_note(f"case {number} of {kind}, seed {SEED}")
                    raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
