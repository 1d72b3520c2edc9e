"""Recordings on disk, and recording an instrument that is there, is unplugged, or says what cannot
be.
"""

from __future__ import annotations

import json
import time

import pytest
from instrument_streams import Scripted, info, recording

from motebench.base.errors import InputError
from motebench.measuring.instruments.analysis import analyse, document
from motebench.measuring.instruments.base import Shape
from motebench.measuring.instruments.recorder import Placed, Recorder
from motebench.measuring.instruments.recording import BATCH, COMPLETE, IDLE, load, save

HEAD = {
    "motebench_recording": 1,
    "instrument": {"name": "a meter", "shape": "point", "rate_hz": 10},
    "columns": ["t_s", "volts", "amps"],
    "units": ["s", "V", "A"],
}


def write(path, *lines, head=None):
    rows = [HEAD if head is None else head, *lines]
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    )
    return path


def test_there_and_back(tmp_path):
    whole = recording(known=info(Shape.MEAN, 100.0, accuracy=0.01, offset_w=0.5, counts=True))
    save(whole, tmp_path / "r.jsonl")
    again = load(tmp_path / "r.jsonl")
    assert again == whole
    assert document(again, analyse(again)) == document(whole, analyse(whole))


def test_a_file_by_another_tool(tmp_path):
    path = write(tmp_path / "r", [0, 3.3, 0.01], [0.1, 3.3, 0.02], {"end": COMPLETE})
    found = load(path)
    assert [sample.watts for sample in found.samples] == [
        pytest.approx(0.033),
        pytest.approx(0.066),
    ]
    assert found.info.accuracy is None and found.ended == COMPLETE


def test_a_recording_that_was_cut_off(tmp_path):
    assert (
        load(write(tmp_path / "r", [0, 3.3, 0.01], "[0.1, 3.")).ended == "the last line is cut off"
    )
    assert load(write(tmp_path / "r", [0, 3.3, 0.01])).ended == "the recording has no end"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([1, 3.3], "r:3: has 2 values for 3 columns"),
        ([1, "3.3", 0.1], "r:3: volts is '3.3'"),
        ([1, 3.3, None], "r:3: the sample has no power"),
        ([0, 3.3, 0.1], "r:3: 0 s is not after 0.0 s"),
        ([1, 3e3, 1e6], "r:3: a power of 3e+09 W cannot be"),
        ("[1, NaN, 0.1]", "r:3: volts is nan"),
        ("[1, 3.3,", "r:3: is not JSON"),
        ("7", "r:3: '7' is neither an array nor an object"),
        ({"window": "lunch", "t0": 0, "t1": 1}, "r:3: unknown window 'lunch'"),
        ({"window": "idle", "t0": 1, "t1": 1}, "r:3: the window ends at 1.0 s and begins at 1.0 s"),
        ({"window": "idle", "t0": 1}, "r:3: the window has no times"),
        ({"window": "batch", "t0": 0, "t1": 1}, "r:3: iterations are None"),
        (
            {"window": "batch", "t0": 0, "t1": 1, "iterations": 1, "edge_s": -1},
            "r:3: edge_s of the window is -1",
        ),
        ({"something": 1}, "r:3: is not a sample, a window or an end"),
    ],
)
def test_wrong_lines_are_told_with_their_number(tmp_path, line, said):
    with pytest.raises(InputError) as raised:
        load(write(tmp_path / "r", [0, 3.3, 0.01], line, {"end": COMPLETE}))
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"motebench_recording": 2}, "is a recording of format 2"),
        ({"columns": ["t_s", "volts"], "units": ["s", "V"]}, "the columns do not give power"),
        ({"about": []}, "'about' is not an object"),
        ({"about": {"input_bytes": "16"}}, "input_bytes of 'about' is '16'"),
        ({"about": {"input_bytes": -1}}, "input_bytes of 'about' is -1"),
        ({"about": {"scheme": ["sha256"]}}, "scheme of 'about' is ['sha256']"),
        ({"columns": ["t_s", "joules"]}, "columns t_s, joules are unknown"),
        ({"units": ["s", "mV", "A"]}, "units ['s', 'mV', 'A'] do not match the columns"),
        ({"instrument": {"shape": "point"}}, "the instrument has no name"),
        ({"instrument": {"name": "x"}}, "the shape of the instrument is missing"),
        (
            {"instrument": {"name": "x", "shape": "point", "rate_hz": -1}},
            "rate_hz of the instrument is -1",
        ),
        (
            {"instrument": {"name": "x", "shape": "point", "colour": 1}},
            "the instrument has unknown keys",
        ),
        (
            {"instrument": {"name": "x", "shape": "point", "offset_w": "1"}},
            "offset_w of the instrument is '1'",
        ),
    ],
)
def test_wrong_heads(tmp_path, change, said):
    with pytest.raises(InputError) as raised:
        load(write(tmp_path / "r", head={**HEAD, **change}))
    assert f"r:1: {said}" in str(raised.value)


def test_no_recording_at_all(tmp_path):
    for content in (b"", b"\xff\xfe\x00", b"hello\n", b"[]\n"):
        (tmp_path / "r").write_bytes(content)
        with pytest.raises(InputError):
            load(tmp_path / "r")


# Recording


def test_a_recording_in_the_file_is_what_is_in_memory(tmp_path):
    instrument = Scripted(info(rate=200.0), lambda t: 1.0)
    recorder = Recorder(instrument, {"what": "test"}, tmp_path / "r")
    recorder.start()
    recorder.idle(IDLE, 0.05)
    with recorder.window(BATCH) as held:
        held.iterations, held.work_s, held.beside_s = 7, 0.25, 0.125
    recorder.batch(Placed(time.monotonic() - 0.02, time.monotonic(), 0.001, 0.01), 3)
    found = recorder.stop()
    assert instrument.stopped and found.ended == COMPLETE
    assert found.samples[-1].t > found.windows[-1].t1
    assert [(window.edge_s, window.work_s, window.beside_s) for window in found.windows[1:]] == [
        (0.0, 0.25, 0.125),
        (0.001, None, 0.0),
    ]
    again = load(tmp_path / "r")
    assert (again.samples, again.windows, again.about) == (
        found.samples,
        found.windows,
        {"what": "test"},
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, "it is unplugged"),
        (OSError(19, "No such device"), "does not answer any more: No such device"),
        (RuntimeError("gain"), "its driver failed: RuntimeError: gain"),
    ],
)
def test_unplugged_in_the_middle(tmp_path, error, said):
    """The wait ends at once, and what was read is in the file."""
    recorder = Recorder(
        Scripted(info(rate=200.0), lambda t: 1.0, lost_after=3, error=error), {}, tmp_path / "r"
    )
    recorder.start()
    recorder.idle(IDLE, 1000)
    assert recorder.lost == said
    assert recorder.stop().ended == said
    again = load(tmp_path / "r")
    assert len(again.samples) == 3 and again.ended == said
    assert analyse(again).gross is None


@pytest.mark.parametrize("watts", [float("nan"), float("inf"), 1e9])
def test_absurd_powers_end_it(watts):
    recorder = Recorder(Scripted(info(rate=200.0), lambda t: watts), {})
    recorder.start()
    assert "a power of" in recorder.stop().ended


def test_a_recording_is_never_written_over(tmp_path):
    (tmp_path / "r").write_text("precious")
    with pytest.raises(InputError, match="never written over"):
        Recorder(Scripted(info(), lambda t: 1.0), {}, tmp_path / "r")
    assert (tmp_path / "r").read_text() == "precious"


def test_interrupted(tmp_path):
    recorder = Recorder(Scripted(info(rate=200.0), lambda t: 1.0), {}, tmp_path / "r")
    recorder.start()
    recorder.stop("interrupted")
    assert load(tmp_path / "r").ended == "interrupted"
