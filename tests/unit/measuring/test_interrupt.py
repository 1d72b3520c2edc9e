"""Ctrl-C that is swallowed somewhere still ends a run; other signals that ask for an end are taken
for it.
"""

from __future__ import annotations

import os
import signal
import threading

import pytest

from motebench.base import process
from motebench.base.process import ENDING, end_in_order
from motebench.measuring.run.context import Interrupt


@pytest.fixture(autouse=True)
def usual_handler():
    """The handler of a program in the foreground, however the tests were started."""
    before = {number: signal.getsignal(number) for number in ENDING}
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def ctrl_c(number=signal.SIGINT):
    os.kill(os.getpid(), number)
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
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
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


@pytest.mark.parametrize("number", ENDING)
def test_each_signal_that_asks_for_an_end_is_taken_for_ctrl_c(number):
    end_in_order()
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(number)
    interrupt = Interrupt()
    with interrupt.watched():
        with pytest.raises(KeyboardInterrupt):
            ctrl_c(number)
        assert interrupt.came
        with pytest.raises(KeyboardInterrupt):
            interrupt.check()
    assert signal.getsignal(number) is process.interrupt


def test_what_was_ignored_from_the_start_stays_ignored_but_for_sigquit():
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    end_in_order()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        ctrl_c(number)
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(signal.SIGQUIT)
