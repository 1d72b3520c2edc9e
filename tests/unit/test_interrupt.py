"""Ctrl-C that is swallowed somewhere still ends a run."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from motebench.runner.interrupt import Interrupt


@pytest.fixture(autouse=True)
def usual_handler():
    """That of a program in the foreground, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    signal.getsignal(signal.SIGINT)  # a few bytecodes, so that the handler has run


def test_a_swallowed_interrupt_is_raised_again_at_the_next_check():
    interrupt = Interrupt()
    with interrupt.watched():
        interrupt.check()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            interrupt.check()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_ignores_interrupts_goes_on_ignoring_them():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupt = Interrupt()
        with interrupt.watched():
            ctrl_c()
            interrupt.check()
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_without():
    ended = []

    def run():
        with Interrupt().watched():
            ended.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert ended == [signal.default_int_handler]
