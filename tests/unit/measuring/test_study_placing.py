"""Studies asked of other targets than their files name."""

from __future__ import annotations

import pytest

from motebench.base.errors import InputError
from motebench.measuring.study.load import find_study, from_file
from motebench.measuring.study.question import on_targets


def question(name):
    return from_file(find_study(name))


def targets(asked):
    return [group.targets for group in asked.study.measure]


def test_machines_take_the_place_of_machines_and_boards_stay():
    study = question("lino-2022")
    board = ("sim:samd21g18a",)
    assert targets(study) == [board] * 4 + [("host",)] * 2
    assert (
        targets(on_targets(study, ["ssh:pi@pi3,emu:armv6"], "--target"))
        == [board] * 4 + [("ssh:pi@pi3", "emu:armv6")] * 2
    )
    mega = ("sim:atmega2560",)
    assert targets(on_targets(study, mega, "--target")) == [mega] * 4 + [("host",)] * 2
    both = on_targets(study, ["sim:atmega2560", "ssh:pi3"], "--target")
    assert targets(both) == [mega] * 4 + [("ssh:pi3",)] * 2
    assert on_targets(study, [], "--target") is study


def test_what_is_no_target_of_the_study_is_refused():
    with pytest.raises(
        InputError, match=r"no .*block of temirbekova-2024 can be measured on ssh:pi3"
    ) as caught:
        on_targets(question("temirbekova-2024"), ["ssh:pi3"], "--target")
    assert caught.value.where == "--target"
    with pytest.raises(InputError, match="unknown target 'nosuch'"):
        on_targets(question("quickstart"), ["nosuch"], "--target")


@pytest.mark.parametrize(
    "key", ["jose-2023", "pycrypto-boards-2020", "suryateja-2025", "lino-2022"]
)
def test_studies_of_papers_have_only_schemes_that_the_paper_evaluates(key):
    from motebench.catalog.published import papers

    evaluated = {scheme for row in papers()[key].evaluated for scheme in row.schemes}
    asked = {scheme for group in question(key).study.measure for scheme in group.schemes}
    assert asked - {scheme for scheme in asked if scheme.endswith("-eax")} <= evaluated
    unsaid = "names neither" if key == "lino-2022" else "not state"
    assert unsaid in question(key).study.description
