"""The run in which two implementations are compared, and the text of a comparison."""

import random
from dataclasses import replace

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.cli.text.comparison import show
from motebench.results.comparison import compare_stored
from motebench.results.selection import ResultFilter
from motebench.store import Store

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


def of(name):
    return replace(AES, implementation=name, provider=name)


def add_run(store, levels, rounds=20, drift=0.0):
    """A run of one case of each implementation at so many ns, with noise and a drift a round."""
    run = store.create_run(
        name=None,
        study_text="",
        settings={},
        environment={},
        seed=1,
        version="1",
        cases=[of(name) for name in levels],
    )
    rng = random.Random(1)
    for name, level in levels.items():
        for number in range(rounds):
            value = level * (1 + rng.uniform(-0.01, 0.01)) * (1 + drift * number * (level > 100))
            store.add_samples(run, of(name), [(TIME, Sample(number, value, 1, 0, 0.0))])
        store.finish_case(run, of(name), [])
    store.finish_run(run, "finished")
    return run


@pytest.fixture
def place(tmp_path):
    path = tmp_path / "motebench.db"
    with Store.open(path, create=True) as store:
        add_run(store, {"openssl": 100, "libgcrypt": 50})
        add_run(store, {"openssl": 100, "libgcrypt": 200})
        add_run(store, {"mote/ascon": 1000, "mote/xtea": 2000})
    return str(path)


def compared(place, a, b, run="latest"):
    return compare_stored(
        (a, b), run=run, stores=(place, place), selection=ResultFilter(), margin=None, across=False
    )


def test_implementations_are_looked_up_in_the_newest_run_that_has_both(place):
    found = compared(place, "openssl", "libgcrypt")
    assert {found.a.run.info.id, found.b.run.info.id} == {2}
    assert found.pairs[0].word == "slower"
    assert compared(place, "openssl", "libgcrypt", run="1").pairs[0].word == "faster"
    assert compared(place, "mote/xtea", "mote/ascon").a.run.info.id == 3


def test_a_run_that_is_named_is_the_only_one_that_is_looked_in(place):
    with pytest.raises(InputError, match="nor an implementation of run") as caught:
        compared(place, "openssl", "libgcrypt", run="3")
    assert caught.value.hint == "openssl is in run 2: add --run 2, or write 2:openssl"


def test_a_misspelt_implementation_gets_a_suggestion(place):
    with pytest.raises(InputError, match="'libgcryp'") as caught:
        compared(place, "openssl", "libgcryp")
    assert caught.value.hint == "did you mean 'libgcrypt'?"


def test_implementations_of_two_runs_are_named_with_these(place):
    with pytest.raises(InputError, match="no run has both 'openssl' and 'mote/ascon'") as caught:
        compared(place, "openssl", "mote/ascon")
    assert caught.value.hint == "write 2:openssl and 3:mote/ascon"


def test_a_row_says_how_many_pairs_are_behind_its_verdict(place, capsys):
    show(compared(place, "openssl", "libgcrypt"), None)
    text = capsys.readouterr().out
    head, row = (line.split() for line in text.splitlines()[4:6])
    assert head[-4:] == ["n", "verdict", "on", "B"] and row[-2:] == ["20", "slower"]
    assert "n: pairs, samples of the same round" in text
    assert "interval: 99 % for the ratio; ± in show is 95 % for one median alone" in text
    assert "*" not in text


def test_an_interval_that_dependence_made_wider_says_so(tmp_path, capsys):
    path = tmp_path / "drift.db"
    with Store.open(path, create=True) as store:
        add_run(store, {"openssl": 100, "libgcrypt": 101}, drift=0.02)
    show(compared(str(path), "openssl", "libgcrypt"), None)
    text = capsys.readouterr().out
    row = next(line for line in text.splitlines() if line.startswith("aes-128-cbc"))
    assert " * " in row
    assert (
        "* in 1 rows ratios depend on those before them, which widens the interval: at the worst "
        "20 are worth"
    ) in text


def test_numbers_are_aligned_to_the_right(place, capsys):
    show(compared(place, "openssl", "libgcrypt"), None)
    head, row = capsys.readouterr().out.splitlines()[4:6]
    for word, name in (("ns", "A"), ("20 ", "n ")):
        assert head.index(f" {name}") + 1 + len(name.strip()) == row.index(
            word, head.index(f" {name}") - 8
        ) + len(word.strip())
