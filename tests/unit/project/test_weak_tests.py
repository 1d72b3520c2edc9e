"""Every test asserts something that can fail: a lint over the tests, and what it says of made-up
ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import weak_tests

TESTS = Path(__file__).parents[2]


def rules(folder: Path, text: str, support: str = "") -> list[tuple[int, str]]:
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    (folder / "helping.py").write_text(support, encoding="utf-8")
    return [(weakness.line, weakness.rule) for weakness in weak_tests.weaknesses(folder)]


def test_no_test_is_weak() -> None:
    reader = weak_tests.Folder(TESTS)
    assert len(reader.modules) > 200
    assert [str(weakness) for weakness in reader.weaknesses()] == []


@pytest.mark.parametrize(
    "body",
    [
        "    look()",
        "    with open('x') as file:\n        file.read()",
        "    mock.called_with(1)",
        "    for item in (1, 2):\n        look(item)",
        "    def inner():\n        assert 1",
    ],
)
def test_a_test_that_asserts_nothing(tmp_path: Path, body: str) -> None:
    assert rules(tmp_path, f"def test_it():\n{body}\n") == [(1, weak_tests.NOTHING)]


@pytest.mark.parametrize(
    "body",
    [
        "    for item in items():\n        assert item",
        "    for item in items():\n        for other in (1, 2):\n            assert item",
        "    for item in (1, 2):\n        for other in items(item):\n            assert item",
        "    while items():\n        assert 1",
        "    assert all(item for item in items())",
        "    assert not any(item for item in items())",
        "    assert all(item for item in (1, 2) if item > 2)",
        "    [helping.claims(item) for item in items()]",
        "    for item in range(LENGTH, 0):\n        assert item",
    ],
)
def test_a_test_that_asserts_only_in_a_loop_that_may_have_no_turn(
    tmp_path: Path, body: str
) -> None:
    support = "def claims(item):\n    assert item\n"
    ((_, rule),) = rules(tmp_path, f"import helping\nLENGTH = 2\ndef test_it():\n{body}\n", support)
    assert rule == weak_tests.LOOPED


@pytest.mark.parametrize(
    "claim",
    [
        "one or other",
        "one and (one or other)",
        "not one or other",
        "all(one or other for one in (1, 2))",
    ],
)
def test_an_assertion_that_either_of_two_claims_satisfies(tmp_path: Path, claim: str) -> None:
    assert rules(tmp_path, f"def test_it():\n    assert {claim}\n") == [(2, weak_tests.EITHER)]


@pytest.mark.parametrize(
    "body",
    [
        "    assert look() == (1 or 2)",
        "    with pytest.raises(ValueError):\n        look()",
        "    for item in (1, 2):\n        assert item",
        "    for item in NAMES:\n        assert item",
        "    for name, item in KEYS.items():\n        assert item",
        "    for item, other in zip(NAMES, range(LENGTH)):\n        assert item",
        "    assert len(items()) == 3\n    for item in items():\n        assert item",
        "    assert all(item for item in NAMES)",
        "    helping.claims(1)",
        "    claims(1)",
        "    Helper().claims()",
        "    checked(3)",
        "    mock.assert_called_with(1)",
        "    try:\n        look()\n    except ValueError:\n        assert 1",
    ],
)
def test_a_test_that_may_fail(tmp_path: Path, body: str) -> None:
    support = (
        "import pytest\n"
        "def claims(item):\n    assert item\n"
        "class Helper:\n    def claims(self):\n        claims(1)\n"
        "@pytest.fixture\ndef checked():\n    def look(item):\n        assert item\n    return "
        "look\n"
    )
    names = (
        "import helping\nfrom helping import claims, Helper\nLENGTH = 2\nNAMES = ['a', "
        "'b']\nKEYS = {'a': 1}\n"
    )
    assert rules(tmp_path, f"{names}def test_it(checked):\n{body}\n", support) == []
