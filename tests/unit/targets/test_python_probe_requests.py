"""Requests to probes/python: whatever comes is answered, times are raw, failures have a kind."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from motebench_probe import cbor, clocks, errors, frames, loop, memory, work
from motebench_probe.schemes import KEM, Adapter, Scheme
from motebench_probe.tasks import Chained, InPlace, Stream, Task, swallowing

from motebench.base.model import Operation
from motebench.targets.wire import replies


def turned(data: bytes) -> bytes:
    return bytes(byte ^ 0x55 for byte in data)


class Mill:
    """A library of one toy cipher whose steps do what a test wants."""

    def __init__(self) -> None:
        self.calls = 0
        self.on_call: Callable[[int], None] = lambda _: None
        self.opened: list[work.Job] = []

    def _step(self, data: bytes) -> bytes:
        self.calls += 1
        self.on_call(self.calls)
        return turned(data)

    def open_task(self, job: work.Job) -> Task:
        self.opened.append(job)
        if job.op == "encrypt":

            def begin(buffer: memoryview) -> Callable[[], None]:
                def step() -> None:
                    buffer[: len(job.data)] = self._step(bytes(buffer[: len(job.data)]))

                return step

            return InPlace(begin, job.data, slack=3)
        if job.op == "decrypt":
            return Chained(lambda: self._step, job.data)
        if job.op == "decrypt-message" and job.tag != b"good":
            raise errors.Rejected
        return Task(
            lambda: self._step(job.data),
            lambda out: (out, b"good" if job.op == "encrypt-message" else b""),
        )

    def open_stream(self, job: work.Job) -> Stream:
        self.opened.append(job)
        if job.op == "digest":
            return Stream(swallowing(self._step), lambda: b"digest")
        return Stream(self._step, bytes, lambda: b"good")

    def public_key(self, job: work.Job) -> bytes:
        return b"public " + job.key


OPS = ("encrypt", "decrypt", "encrypt-message", "decrypt-message")
SCHEMES = {
    "toy": Scheme("toy", "f", None, OPS, key=(4, 8), nonce=(0, 2), tag=(4, 4), block=4),
    "sum": Scheme("sum", "f", None, ("digest",)),
    "dice": Scheme("dice", "f", None, ("keygen",), stream=False),
}


@pytest.fixture
def mill() -> Mill:
    return Mill()


def adapter_of(mill: Any, schemes: dict[str, Scheme] = SCHEMES) -> Adapter:
    return Adapter("mill", lambda: "Mill 1.0", lambda: schemes, lambda _: mill)


def ask(mill: Any, do: str, schemes: dict[str, Scheme] = SCHEMES, **fields: Any) -> dict[str, Any]:
    payload = loop.answer(adapter_of(mill, schemes), {"id": 7, "do": do, **fields})
    assert payload is not None
    reply = cbor.loads(payload)
    assert reply["id"] == 7 and len(reply) == 2
    return reply


def done(mill: Any, do: str, **fields: Any) -> dict[str, Any]:
    return ask(mill, do, **fields)["ok"]


def refused(mill: Any, do: str, **fields: Any) -> tuple[str, str]:
    err = ask(mill, do, **fields)["err"]
    return err["kind"], err["text"]


TOY = {"scheme": "toy", "op": "encrypt-message", "key": b"keys", "data": b"some data"}


def test_hello_is_what_motebench_takes(mill: Mill) -> None:
    hello = replies.parse_hello(done(mill, "hello", proto=2))
    assert (hello.implementation, hello.version) == ("mill", "Mill 1.0")
    assert hello.probe.startswith("motebench-python ")
    assert "garbage collector off while timing" in hello.flags
    assert not hello.jit and hello.counter is None and hello.cpu is not None
    assert hello.loop is not None and hello.loop > 0
    assert hello.does == {"hello", "list", "compute", "measure", "measure-turns", "memory", "file"}


def test_list_is_what_motebench_takes_page_by_page(mill: Mill) -> None:
    many = {f"s{i}": Scheme(f"s{i}", "f", None, ("digest",)) for i in range(150)}
    names, start = [], 0
    while start is not None:
        offers, start = replies.parse_list(ask(mill, "list", many, **{"from": start})["ok"])
        names += [offer.scheme for offer in offers]
    assert names == list(many)
    assert replies.parse_list(ask(mill, "list", many, **{"from": 10**6})["ok"]) == ([], None)


def test_compute_gives_output_tag_and_crc_of_both(mill: Mill) -> None:
    reply = done(mill, "compute", **TOY)
    # CRC-32 of zlib, over output and tag.
    assert reply == {
        "out": turned(b"some data"),
        "tag": b"good",
        "crc": work.crc_of(turned(b"some data"), b"good"),
    }
    brief = done(mill, "compute", **TOY, brief=True)
    assert brief == {"len": 9, "tag": b"good", "crc": reply["crc"]}


def test_an_output_too_long_for_a_frame_comes_as_its_length(mill: Mill) -> None:
    reply = done(mill, "compute", **{**TOY, "data": b"", "fill": [1, frames.MAX_FRAME]})
    assert reply["len"] == frames.MAX_FRAME and "out" not in reply


def test_a_wrong_tag_is_rejected_without_output(mill: Mill) -> None:
    fields = {"scheme": "toy", "op": "decrypt-message", "key": b"keys", "data": b"x"}
    assert done(mill, "compute", **fields, tag=b"evil") == {"rejected": True}
    assert done(mill, "compute", **fields, tag=b"good")["out"] == turned(b"x")


class Sieve(Mill):
    """Decryption finds out that the tag is wrong while it is under way."""

    def open_task(self, job: work.Job) -> Task:
        def step() -> bytes:
            self.calls += 1
            if job.tag != b"good":
                raise errors.Rejected
            return turned(job.data)

        return Task(step)


def test_a_rejection_is_timed_where_it_is_expected() -> None:
    fields = {
        "scheme": "toy",
        "op": "decrypt-message",
        "key": b"keys",
        "data": b"x",
        "reject": True,
    }
    sieve = Sieve()
    reply = done(sieve, "measure", **fields, tag=b"evil", count=3, warm=1)
    assert len(reply["ticks"]) == 3 and (reply["len"], reply["crc"]) == (0, 0)
    assert sieve.calls == 1 + 1 + 3 + 1  # before, warm, timed, after
    kind, text = refused(sieve, "measure", **fields, tag=b"good")
    assert kind == errors.WRONG_ANSWER and "accepted" in text
    assert gc.isenabled()
    for more in ({"batch": 2}, {"warm": 2}, {"reject": 1}):
        kind, text = refused(sieve, "measure", **{**fields, "tag": b"evil", **more})
        assert kind == errors.BAD_REQUEST and text.startswith("reject")


def test_inverse_gives_the_input_back(mill: Mill) -> None:
    fields = {
        "scheme": "toy",
        "op": "decrypt-message",
        "key": b"keys",
        "inverse": True,
        "fill": [3, 100],
    }
    assert done(mill, "compute", **fields)["out"] == work.fill(3, 100)


def test_public_keys_are_asked_of_the_family(mill: Mill) -> None:
    assert (
        done(mill, "compute", scheme="dice", public=True, key=b"mine")["public"] == b"public mine"
    )


@pytest.mark.parametrize(
    ("change", "kind", "named"),
    [
        ({"scheme": 3}, "bad-request", "scheme"),
        ({"scheme": "none"}, "unsupported", "scheme"),
        ({"op": None}, "bad-request", "op"),
        ({"op": "digest"}, "unsupported", "op"),
        ({"key": "text"}, "bad-request", "key"),
        ({"key": b"toolongkey"}, "unsupported", "key"),
        ({"key": b""}, "unsupported", "key"),
        ({"nonce": b"123"}, "unsupported", "nonce"),
        ({"nonce": 4}, "bad-request", "nonce"),
        ({"aad": []}, "bad-request", "aad"),
        ({"tag_len": 3}, "unsupported", "tag_len"),
        ({"tag_len": -1}, "bad-request", "tag_len"),
        ({"op": "encrypt", "data": b"12345"}, "unsupported", "data"),
        ({"fill": [0, 4]}, "bad-request", "seed"),
        ({"fill": [1]}, "bad-request", "fill"),
        ({"fill": [1, 2**63]}, "too-big", "fill"),
        ({"fill": [1, True]}, "bad-request", "length"),
        ({"brief": 1}, "bad-request", "brief"),
        ({"inverse": True}, "bad-request", "inverse"),
    ],
)
def test_a_bad_field_is_named(mill: Mill, change: dict[str, Any], kind: str, named: str) -> None:
    said = refused(mill, "compute", **{**TOY, **change})
    assert said[0] == kind and said[1].startswith(f"{named}:"), said
    assert not mill.calls


@pytest.mark.parametrize(
    ("change", "kind", "named"),
    [
        ({"batch": 0}, "bad-request", "batch"),
        ({"count": 0}, "bad-request", "count"),
        ({"warm": -1}, "bad-request", "warm"),
        ({"batch": 1.5}, "bad-request", "batch"),
        ({"count": 10**6}, "too-big", "count"),
    ],
)
def test_a_bad_batch_is_named(mill: Mill, change: dict[str, Any], kind: str, named: str) -> None:
    said = refused(mill, "measure", **{**TOY, "batch": 1, "count": 1, "warm": 0, **change})
    assert said[0] == kind and said[1].startswith(f"{named}:"), said
    assert not mill.calls


@pytest.mark.parametrize(
    ("do", "kind"), [(None, "bad-request"), (4, "bad-request"), ("fly", "unsupported")]
)
def test_an_unknown_request(mill: Mill, do: Any, kind: str) -> None:
    assert refused(mill, do)[0] == kind


@pytest.mark.parametrize("number", [None, "1", -1, True, 1.0])
def test_a_request_that_nobody_could_match_is_not_answered(mill: Mill, number: Any) -> None:
    assert loop.answer(adapter_of(mill), {"id": number, "do": "hello"}) is None


KEYS = [
    "scheme",
    "op",
    "key",
    "nonce",
    "aad",
    "data",
    "fill",
    "tag",
    "inverse",
    "tag_len",
    "brief",
    "public",
    "batch",
    "count",
    "warm",
    "in",
    "out",
    "chunk",
    "cold",
    "sync",
    "from",
    "proto",
]
ANY = st.one_of(
    st.sampled_from(
        ["toy", "sum", "dice", *OPS, "digest", "keygen", "encrypt-file", "digest-file", "/absent/x"]
    ),
    st.integers(-2, 70),
    st.booleans(),
    st.binary(max_size=9),
    st.none(),
    st.text(max_size=3),
    st.lists(st.integers(0, 9), max_size=3),
    st.integers(2**60, 2**64 - 1),
)


@given(
    st.sampled_from(["hello", "list", "compute", "measure", "memory", "file"]),
    st.dictionaries(st.sampled_from(KEYS), ANY, max_size=8),
)
def test_any_request_has_one_reply_and_no_exception(do: str, fields: dict[str, Any]) -> None:
    reply = ask(Mill(), do, **fields)
    if "err" in reply:
        assert reply["err"]["kind"] in {
            "bad-request",
            "unsupported",
            "too-big",
            "error",
            "wrong-answer",
        }
        assert reply["err"]["text"]
    else:
        assert isinstance(reply["ok"], dict)


# Timing


def timed(mill: Mill, op: str = "encrypt-message", **fields: Any) -> dict[str, Any]:
    job = {**TOY, "op": op, "data": b"eight by", "batch": 5, "count": 3, "warm": 2, **fields}
    return done(mill, "measure", **job)


@pytest.mark.parametrize("op", ["encrypt", "decrypt", "encrypt-message"])
def test_a_measurement_does_as_many_iterations_as_asked(mill: Mill, op: str) -> None:
    timing = replies.parse_timing(timed(mill, op), 3, op)
    assert len(timing.ticks) == len(timing.cpu or ()) == 3
    # One before, those for warming, the batches, one after.
    assert mill.calls == 1 + 2 + 3 * 5 + 1
    tag = b"good" if op == "encrypt-message" else b""
    assert (timing.length, timing.crc) == (8, work.crc_of(turned(b"eight by"), tag))


def test_nothing_but_the_iterations_lies_between_the_readings(
    mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []
    mill.on_call = lambda _: log.append("step")

    def clock(name: str) -> Callable[[], int]:
        return lambda: log.append(name) or len(log)  # type: ignore[func-returns-value]

    monkeypatch.setattr(clocks, "wall", clock("wall"))
    monkeypatch.setattr(clocks, "cpu", clock("cpu"))
    reply = timed(mill, batch=3, count=2, warm=0)
    batch = ["cpu", "wall", "step", "step", "step", "wall", "cpu"]
    # The request, the first batch, the last batch and the reply have readings of their own.
    assert log == ["wall", "step", "wall", *batch, *batch, "wall", "step", "wall"]
    # The readings themselves: nothing is subtracted.
    assert reply["ticks"] == [4, 4] and reply["cpu"] == [6, 6]


def test_the_quicker_of_two_reference_loops_is_reported_where_it_is_asked_for(
    mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops = iter([7, 9, 8, 4])  # before and after each batch
    monkeypatch.setattr(clocks, "reference_loop", lambda: next(loops))
    assert timed(mill, count=2, reference_loop=True)["reference_loop"] == [7, 4]
    assert "reference_loop" not in timed(mill, count=2)
    assert refused(mill, "measure", **TOY, reference_loop=1) == (
        "bad-request",
        "reference_loop: not a boolean",
    )


def test_the_reference_loop_takes_time_by_the_clock_of_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readings = iter([100, 15_100])
    monkeypatch.setattr(clocks, "wall", lambda: next(readings))
    assert clocks.reference_loop() == 15_000


def test_a_measurement_says_what_the_request_does_beside_its_batches(
    mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operations of 0.5 s by a clock that nothing else moves: one before for checking, two for
    warming, one after.
    """
    now = [0]

    def passes(_: int) -> None:
        now[0] += 500_000_000

    mill.on_call = passes
    monkeypatch.setattr(clocks, "wall", lambda: now[0])
    timing = replies.parse_timing(timed(mill, batch=4, count=2, warm=2), 2, "encrypt")
    assert timing.ticks == (2_000_000_000, 2_000_000_000)
    assert (timing.before, timing.after) == (1_500_000_000, 500_000_000)
    timing = replies.parse_timing(timed(mill, batch=1, count=1, warm=0), 1, "encrypt")
    assert (timing.before, timing.ticks, timing.after) == (500_000_000, (500_000_000,), 500_000_000)


def test_the_garbage_collector_rests_while_the_clock_runs_and_only_then(mill: Mill) -> None:
    seen: list[bool] = []
    mill.on_call = lambda _: seen.append(gc.isenabled())
    timed(mill, batch=4, count=1, warm=0)
    assert seen == [True, False, False, False, False, True]
    assert gc.isenabled()


def test_the_garbage_collector_is_back_after_a_failure(mill: Mill) -> None:
    def fail(call: int) -> None:
        if call == 3:
            raise ValueError("broken")

    mill.on_call = fail
    assert refused(mill, "measure", **TOY, batch=4, count=1) == ("error", "ValueError: broken")
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("problem", "reply"),
    [
        (errors.Rejected(), {"ok": {"rejected": True}}),
        (
            MemoryError(),
            {"err": {"kind": "too-big", "text": "the interpreter has no memory for it"}},
        ),
        (
            NotImplementedError("no"),
            {"err": {"kind": "unsupported", "text": "NotImplementedError: no"}},
        ),
        (
            RuntimeError("x" * 9999),
            {"err": {"kind": "error", "text": ("RuntimeError: " + "x" * 9999)[:400]}},
        ),
    ],
)
def test_an_iteration_that_fails_fails_the_whole_request(
    mill: Mill, problem: Exception, reply: dict[str, Any]
) -> None:
    def fail(call: int) -> None:
        if call == 10:
            raise problem

    mill.on_call = fail
    assert ask(mill, "measure", **TOY, batch=5, count=3) == {"id": 7, **reply}


def test_an_output_that_changes_is_a_wrong_answer() -> None:
    outputs = iter([b"one", b"one", b"two"])
    fickle = SimpleNamespace(open_task=lambda _: Task(lambda: next(outputs)))
    assert refused(fickle, "measure", **TOY, batch=1, count=1)[0] == "wrong-answer"


def test_a_random_output_is_sent_to_be_checked() -> None:
    outputs = iter([b"one", b"two", b"three"])
    dice = SimpleNamespace(open_task=lambda _: Task(lambda: next(outputs)))
    reply = done(dice, "measure", scheme="dice", op="keygen", batch=1, count=1)
    assert reply["private"] == b"three" and reply["crc"] == work.crc_of(b"three", b"")


@pytest.mark.parametrize("op", ["encrypt", "decrypt"])
def test_each_batch_begins_with_the_input_and_each_iteration_with_what_the_last_put_out(
    mill: Mill, op: str
) -> None:
    seen: list[bytes] = []
    plain = mill._step
    mill._step = lambda data: seen.append(data) or plain(data)  # type: ignore[func-returns-value, method-assign]
    timed(mill, op, batch=3, count=2, warm=1)
    data, other = b"eight by", turned(b"eight by")
    assert seen == [data, data, data, other, data, data, other, data, data]


def test_buffers_in_place_are_aligned(mill: Mill) -> None:
    places = []

    def begin(buffer: memoryview) -> Callable[[], None]:
        import ctypes

        places.append(ctypes.addressof(ctypes.c_char.from_buffer(buffer)))
        return lambda: None

    for size in (1, 16, 100, 5000):
        work.once(InPlace(begin, bytes(size)))
    assert [place % 64 for place in places] == [0] * 4


# Memory


def test_memory_is_what_the_operation_adds(mill: Mill) -> None:
    """An operation known to need 48 MiB, after an input whose making must not count."""
    size = 48 << 20
    holder = SimpleNamespace(open_task=lambda _: Task(lambda: b"\1" * size, lambda _: (b"", b"")))
    got = replies.parse_memory(done(holder, "memory", **{**TOY, "data": b"", "fill": [1, 8 << 20]}))
    assert got.peak - got.floor == pytest.approx(size, rel=0.05)


def test_a_system_that_tells_no_memory(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "peak_resident", lambda: None)
    assert refused(mill, "memory", **TOY)[0] == "unsupported"


# Whole files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").write_bytes(bytes(range(256)) * 40)
    return tmp_path


def whole(folder: Path, op: str = "encrypt-file", **fields: Any) -> dict[str, Any]:
    paths = {"in": str(folder / "in"), "out": str(folder / "out")}
    return {"scheme": "toy", "op": op, "key": b"keys", **paths, "chunk": 1000, **fields}


def test_a_file_is_read_processed_and_written(mill: Mill, folder: Path) -> None:
    reply = replies.parse_file(done(mill, "file", **whole(folder, cold=True, sync=True)))
    assert (folder / "out").read_bytes() == turned((folder / "in").read_bytes())
    assert (reply.read, reply.written, reply.result) == (10240, 10240, b"good")
    assert mill.calls == 11 and mill.opened[0].total == 10240
    assert reply.elapsed > 0 and reply.peak > 0


def test_a_copy_needs_no_scheme(mill: Mill, folder: Path) -> None:
    fields = whole(folder, "copy-file")
    del fields["scheme"]
    assert done(mill, "file", **fields)["written"] == 10240
    assert (folder / "out").read_bytes() == (folder / "in").read_bytes()


def test_a_digest_writes_nothing(mill: Mill, folder: Path) -> None:
    reply = done(mill, "file", **{**whole(folder, "digest-file"), "scheme": "sum"})
    assert reply["result"] == b"digest" and reply["written"] == 0
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        ({"in": ""}, "bad-request", "in:"),
        ({"in": "/absent/file"}, "error", "/absent/file: No such file"),
        ({"in": "/dev/null"}, "bad-request", "in: not a regular file"),
        ({"in": "a\0b"}, "bad-request", "in:"),
        ({"out": "/absent/file"}, "error", "/absent/file: No such file"),
        ({"out": 3}, "bad-request", "out:"),
        ({"op": "shred-file"}, "unsupported", "op:"),
        ({"op": "sign-file"}, "unsupported", "op:"),
        ({"chunk": 0}, "bad-request", "chunk:"),
        ({"scheme": "dice", "op": "encrypt-file"}, "unsupported", "op:"),
    ],
)
def test_a_file_request_that_cannot_be_done(
    mill: Mill, folder: Path, change: dict[str, Any], kind: str, words: str
) -> None:
    said = refused(mill, "file", **{**whole(folder), **change})
    assert said[0] == kind and said[1].startswith(words), said
    assert not (folder / "out").exists()


def test_the_input_is_never_the_output(mill: Mill, folder: Path) -> None:
    before = (folder / "in").read_bytes()
    os.link(folder / "in", folder / "also")
    said = refused(mill, "file", **whole(folder, out=str(folder / "also")))
    assert said == ("bad-request", "out: the same file as the input")
    assert (folder / "in").read_bytes() == before


@pytest.mark.parametrize("problem", [errors.Rejected(), ValueError("broken"), MemoryError()])
def test_an_output_that_must_not_be_taken_for_one_is_removed(
    mill: Mill, folder: Path, problem: Exception
) -> None:
    def fail(call: int) -> None:
        if call == 5:
            raise problem

    mill.on_call = fail
    ask(mill, "file", **whole(folder))
    assert not (folder / "out").exists() and (folder / "in").exists()


def test_a_file_that_grows_meanwhile_is_an_error(mill: Mill, folder: Path) -> None:
    def grow(call: int) -> None:
        if call == 1:
            with (folder / "in").open("ab") as file:
                file.write(b"more")

    mill.on_call = grow
    kind, text = refused(mill, "file", **whole(folder))
    assert kind == "error" and text.startswith("in: grew or shrank")


# The loop


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    ends = (*os.pipe(), *os.pipe())
    yield ends
    for fd in ends:
        try:
            os.close(fd)
        except OSError:
            continue


def test_requests_are_answered_in_order_among_noise_until_the_end(
    mill: Mill, pipes: tuple[int, int, int, int]
) -> None:
    source, feed, replies, sink = pipes
    ask_for = [frames.encode(cbor.dumps({"id": i, "do": "list"})) for i in range(3)]
    os.write(feed, b"noise" + b"\xff\0garbage\0".join(ask_for) + b"\0cut off")
    os.close(feed)
    assert loop.serve(adapter_of(mill), source, sink) == 0
    got = list(frames.Receiver().feed(os.read(replies, 1 << 16)))
    assert [reply["id"] for reply in got] == [0, 1, 2]


def test_a_listener_that_is_gone_ends_the_probe(
    mill: Mill, pipes: tuple[int, int, int, int]
) -> None:
    source, feed, replies, sink = pipes
    os.close(replies)
    os.write(feed, frames.encode(cbor.dumps({"id": 1, "do": "list"})))
    assert loop.serve(adapter_of(mill), source, sink) == 1


def test_operations_are_named_as_in_motebench() -> None:
    from motebench_probe import schemes

    known = {operation.value for operation in Operation}
    for ops in (
        schemes.CIPHER,
        schemes.MESSAGES,
        schemes.DIGEST,
        schemes.MAC,
        schemes.SIGNATURE,
        schemes.AGREEMENT,
    ):
        assert set(ops) <= known


class ToyKem:
    """A family with a toy KEM: ciphertext and private key are what was drawn, the other output is
    its reverse.
    """

    def __init__(self) -> None:
        self.drawn = 0

    def open_task(self, job: work.Job) -> Task:
        if job.op == "decapsulate":
            return Task(lambda: job.ciphertext[::-1])
        return Task(lambda: self._draw(job), lambda drawn: (drawn, drawn[::-1]))

    def _draw(self, job: work.Job) -> bytes:
        self.drawn += 1
        return job.seed or b"drawn %d" % self.drawn

    def public_key(self, job: work.Job) -> bytes:
        return job.key[::-1]


KEMS = {
    name: Scheme(
        name,
        "f",
        None,
        KEM,
        key=(1, 9),
        stream=False,
        pair=(7, 7),
        outputs=(7, 7),
        seeds=name == "seeded",
    )
    for name in ("seeded", "drawing")
}


def kem(do: str, op: str = "", scheme: str = "seeded", **fields: Any) -> dict[str, Any]:
    return ask(ToyKem(), do, KEMS, scheme=scheme, op=op, **fields)


def test_a_kem_lists_sizes_and_whether_it_takes_seeds() -> None:
    offers, _ = replies.parse_list(kem("list")["ok"])
    assert {offer.scheme: (offer.pair, offer.outputs, offer.seeds) for offer in offers} == {
        "seeded": ((7, 7), (7, 7), True),
        "drawing": ((7, 7), (7, 7), False),
    }


def test_both_outputs_of_a_kem_have_their_names() -> None:
    answer = replies.parse_answer(
        kem("compute", "encapsulate", key=b"k", seed=b"secrets")["ok"], "encapsulate"
    )
    assert (answer.out, answer.secret, answer.crc) == (
        b"secrets",
        b"sterces",
        work.crc_of(b"secrets", b"sterces"),
    )
    answer = replies.parse_answer(kem("compute", "keygen")["ok"], "keygen")
    assert (answer.out, answer.public) == (b"drawn 1", b"1 nward")
    reply = kem("compute", "decapsulate", key=b"k", ciphertext=b"secrets", data=b"ignored")["ok"]
    assert reply == {"secret": b"sterces", "crc": work.crc_of(b"sterces", b"")}
    brief = kem("compute", "encapsulate", key=b"k", seed=b"secrets", brief=True)["ok"]
    assert brief == {"len": 7, "secret": b"sterces", "crc": work.crc_of(b"secrets", b"sterces")}
    assert kem("compute", key=b"key", public=True)["ok"]["public"] == b"yek"


def test_only_what_was_drawn_is_sent_and_may_change() -> None:
    reply = kem("measure", "encapsulate", key=b"k")["ok"]
    assert reply["ciphertext"] == reply["secret"][::-1] and reply["len"] == 7
    assert not {"ciphertext", "secret"} & set(
        kem("measure", "encapsulate", key=b"k", seed=b"secrets")["ok"]
    )


def test_a_seed_or_context_that_cannot_be_used_is_not_ignored(mill: Mill) -> None:
    assert kem("compute", "keygen", "drawing", seed=b"s")["err"]["kind"] == "unsupported"
    assert refused(mill, "compute", scheme="dice", op="keygen", seed=b"s")[0] == "unsupported"
    signer = {"pen": Scheme("pen", "f", None, ("sign",), key=(0, 9), stream=False)}
    err = ask(mill, "compute", signer, scheme="pen", op="sign", key=b"k", context=b"c")["err"]
    assert err["kind"] == "unsupported" and "context" in err["text"]


@pytest.mark.parametrize("curve", ["P-256", "Ed25519", "Curve25519"])
def test_a_new_pair_of_pycryptodome_has_its_public_point(curve: str) -> None:
    pytest.importorskip("Crypto")
    from motebench_probe.adapters.pycryptodome.pairs import new_pair

    # The library's own name for a point that was not computed yet; where it has no such name, it
    # computes it at once.
    assert getattr(new_pair(curve), "_point", True) is not None
