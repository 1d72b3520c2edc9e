"""A signal that ends a run, anywhere in a transaction: the store can be used afterwards."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from motebench.base import process
from motebench.store.store import Store

_EVERY = 61
"""Step between the tried places of some 1,500 in a transaction."""


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, process.interrupt)
    yield
    signal.signal(signal.SIGINT, before)


class SignalAt:
    """Sends a signal at the ``place``-th line that the store or SQLAlchemy executes."""

    def __init__(self, place: int) -> None:
        self._left = place
        self.sent = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        del argument
        if not any(part in frame.f_code.co_filename for part in ("sqlalchemy", "motebench/store")):
            return None
        if event == "line":
            self._left -= 1
            if not self._left:
                self.sent = True
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return self


@pytest.mark.parametrize(
    "work",
    [
        lambda store, run: store.set_environment_end(run, {"end": 1}),
        lambda store, run: store.runs(),
    ],
    ids=["writing", "reading"],
)
def test_a_signal_anywhere_leaves_a_store_that_can_be_written(
    work: Callable[[Store, int], object], tmp_path: Path
):
    place, tried = 1, 0
    while True:
        with Store.open(tmp_path / f"{place}.db", create=True) as store:
            run = store.create_run(None, "", {}, {}, 1, "1", [])
            at, interrupted = SignalAt(place), False
            before = sys.gettrace()
            sys.settrace(at)
            try:
                work(store, run)
            except KeyboardInterrupt:
                interrupted = True
            finally:
                sys.settrace(before)
            assert interrupted == at.sent
            if not at.sent:
                break
            store.finish_run(run, "interrupted")
            assert store.runs()[0].status == "interrupted"
        place, tried = place + _EVERY, tried + 1
    assert tried > 10


def test_signals_wait_while_they_are_held():
    done = []
    with pytest.raises(KeyboardInterrupt), process.held():
        signal.raise_signal(signal.SIGINT)
        done.append(1)
    assert done == [1]
    with pytest.raises(KeyboardInterrupt), process.held() as hold:
        signal.raise_signal(signal.SIGINT)
        with hold.released():
            done.append(2)
    assert done == [1]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
