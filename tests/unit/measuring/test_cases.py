"""Expansion of studies to cases."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from motebench.base.model import Case, Failure, FailureKind, Kind, Operation, Scheme
from motebench.measuring.plan.cases import Skipped, UsualChoice, expand
from motebench.measuring.study.model import Study
from motebench.targets.wire.messages import Offer

CIPHER_OPS = frozenset({"key-setup", "encrypt", "decrypt", "encrypt-message"})


def offer(name: str, block: int = 1, ops: frozenset[str] = CIPHER_OPS) -> Offer:
    return Offer(name, ops, (16, 16), (0, 16), (0, 0), block, stream=True)


SCHEMES = {
    name: Scheme(name, "aes", Kind.CIPHER, mode=name[-3:], key_bytes=16)
    for name in ("aes-128-ecb", "aes-128-cbc", "aes-128-ctr", "aes-256-ctr")
} | {
    "sha256": Scheme("sha256", "sha2", Kind.HASH),
    "nobody-has": Scheme("nobody-has", "x", Kind.CIPHER),
    "ascon-aead128": Scheme("ascon-aead128", "ascon", Kind.AEAD),
}
OFFERS = {
    "host": {
        "one": {
            name: offer(name, 1 if "ctr" in name else 16)
            for name in SCHEMES
            if name.startswith("aes")
        }
        | {
            "sha256": offer("sha256", ops=frozenset({"digest"})),
            "ascon-aead128": offer("ascon-aead128"),
        },
        "two": {"aes-128-cbc": offer("aes-128-cbc", 16)},
    }
}


def expanded(**group: Any) -> list[Case | Failure | Skipped]:
    return list(
        expand(Study.model_validate({"measure": [group]}), SCHEMES, OFFERS, {"file.bin": 1000})
    )


def cases(**group: Any) -> list[Case]:
    return [item for item in expanded(**group) if isinstance(item, Case)]


def failures(**group: Any) -> list[Failure]:
    return [item for item in expanded(**group) if isinstance(item, Failure)]


def test_every_combination_once() -> None:
    got = cases(schemes=["aes-*-ctr"], operations=["encrypt", "decrypt"], sizes=[16, "1 KiB"])
    assert len(got) == len(set(got)) == 2 * 2 * 2
    assert {case.input_bytes for case in got} == {16, 1024}
    assert {case.implementation for case in got} == {"one"}


def test_additional_data_is_a_dimension_of_whole_messages_of_an_aead() -> None:
    got = cases(
        schemes=["ascon-aead128"],
        operations=["encrypt", "encrypt-message"],
        sizes=[0, 16],
        aad=[0, "8 B"],
    )
    assert [(case.operation.value, case.input_bytes, case.aad_bytes) for case in got] == [
        ("encrypt", 16, 0),
        ("encrypt-message", 0, 0),
        ("encrypt-message", 0, 8),
        ("encrypt-message", 16, 0),
        ("encrypt-message", 16, 8),
    ]
    assert len({case.id for case in got}) == len(got)
    assert (
        cases(schemes=["aes-128-cbc"], operations=["encrypt-message"], sizes=[16], aad=[8])[
            0
        ].aad_bytes
        == 0
    )


def test_empty_bulk_data_is_a_failure_where_it_was_named() -> None:
    (failure,) = failures(schemes=["aes-128-ctr"], operations=["encrypt"], sizes=[0])
    assert failure.kind is FailureKind.UNSUPPORTED and failure.message.startswith(
        "0 B cannot be timed"
    )


def test_an_operation_that_is_not_offered_is_answered_with_those_that_are() -> None:
    (failure,) = failures(schemes=["ascon-aead128"], operations=["encrypt-new-key"], sizes=[16])
    offered = "key-setup, encrypt, decrypt, encrypt-message"
    assert failure.message == f"one does not offer encrypt-new-key for it, but {offered}"


def test_overlapping_groups_give_a_case_once() -> None:
    group = {"schemes": ["aes-128-cbc"], "sizes": [16]}
    study = Study.model_validate({"measure": [group, {**group, "schemes": ["aes-*-cbc"]}]})
    got = [item for item in expand(study, SCHEMES, OFFERS, {}) if isinstance(item, Case)]
    assert len(got) == 4  # two implementations, encrypt and decrypt


def test_expansion_is_lazy() -> None:
    study = Study.model_validate(
        {"measure": [{"schemes": ["*"], "sizes": list(range(16, 100_000, 16))}]}
    )
    assert isinstance(next(iter(expand(study, SCHEMES, OFFERS, {}))), Case)


def test_the_default_operations_follow_the_kind() -> None:
    assert {case.operation for case in cases(schemes=["sha256"], sizes=[16])} == {Operation.DIGEST}
    assert {case.operation for case in cases(schemes=["aes-128-ctr"], sizes=[16])} == {
        Operation.ENCRYPT,
        Operation.DECRYPT,
    }


def test_unsized_operations_have_one_case() -> None:
    got = cases(schemes=["aes-128-ctr"], operations=["key-setup"], sizes=[16, 32, 64])
    assert [case.input_bytes for case in got] == [0]


def test_a_named_pair_that_does_not_exist_is_a_failure() -> None:
    (failure,) = failures(schemes=["aes-128-ctr"], implementations=["two"])
    assert failure.kind.value == "unsupported"
    assert failure.implementation == "two"


def test_lists_of_schemes_and_implementations_are_no_wish_for_every_pair() -> None:
    got = expanded(
        schemes=["aes-128-ctr", "aes-128-cbc"], implementations=["one", "two"], sizes=[16]
    )
    assert {(item.scheme, item.implementation) for item in got if isinstance(item, Case)} == {
        ("aes-128-ctr", "one"),
        ("aes-128-cbc", "one"),
        ("aes-128-cbc", "two"),
    }
    assert [(item.scheme, item.implementation) for item in got if isinstance(item, Skipped)] == [
        ("aes-128-ctr", "two")
    ]
    # Nobody in the list has the scheme: each that was named says so.
    none = failures(
        schemes=["nobody-has", "aes-128-cbc"], implementations=["one", "two"], sizes=[16]
    )
    assert [(item.scheme, item.implementation) for item in none] == [
        ("nobody-has", "one"),
        ("nobody-has", "two"),
    ]


def test_a_pattern_only_selects() -> None:
    got = expanded(schemes=["aes-*"], implementations=["two"], sizes=[16])
    assert not [item for item in got if isinstance(item, Failure)]
    assert {item.scheme for item in got if isinstance(item, Case)} == {"aes-128-cbc"}


def test_a_named_scheme_that_nobody_offers_is_a_failure() -> None:
    (failure,) = failures(schemes=["nobody-has"])
    assert failure.implementation == "*"


def test_a_size_that_does_not_fit_the_block_is_named_or_left_out() -> None:
    named = failures(
        schemes=["aes-128-cbc"], implementations=["one"], operations=["encrypt"], sizes=[100, 112]
    )
    assert [failure.input_bytes for failure in named] == [100]
    assert "encrypt-message" in named[0].message
    matched = expanded(
        schemes=["aes-128-*"], operations=["encrypt"], sizes=[100], implementations=["one"]
    )
    assert {type(item) for item in matched} == {Case, Skipped}
    assert {item.scheme for item in matched if isinstance(item, Case)} == {"aes-128-ctr"}


def test_an_operation_that_is_not_offered() -> None:
    (failure,) = failures(schemes=["aes-128-ctr"], operations=["decrypt-message"])
    assert "decrypt-message" in failure.message


def test_excludes_match_every_key() -> None:
    group = {
        "schemes": ["aes-128-*"],
        "implementations": ["one"],
        "operations": ["encrypt"],
        "sizes": [16, 32],
    }
    assert len(cases(**group)) == 6
    assert len(cases(**group, exclude=[{"schemes": ["*-ecb"]}])) == 4
    assert len(cases(**group, exclude=[{"schemes": ["*-ecb"], "sizes": [16]}])) == 5
    assert len(cases(**group, exclude=[{"operations": ["decrypt"]}])) == 6


def test_one_implementation_under_two_names() -> None:
    got = cases(
        schemes=["aes-128-ctr"],
        implementations=["a=one", "b=one"],
        operations=["encrypt"],
        sizes=[16],
    )
    assert [(case.implementation, case.provider) for case in got] == [("a", "one"), ("b", "one")]


def test_whole_files_bring_their_plain_copy() -> None:
    got = cases(
        schemes=["aes-128-cbc"], implementations=["one"], files=["file.bin"], file_sizes=["1 MB"]
    )
    assert [(case.scheme, case.operation.value, case.input_bytes, case.file) for case in got] == [
        ("copy", "copy-file", 1000, "file.bin"),
        ("copy", "copy-file", 10**6, "generated"),
        ("aes-128-cbc", "encrypt-file", 1000, "file.bin"),
        ("aes-128-cbc", "encrypt-file", 10**6, "generated"),
    ]


def test_the_plain_copy_is_done_by_who_was_chosen_for_it() -> None:
    study = Study.model_validate({"measure": [{"schemes": ["aes-128-cbc"], "files": ["file.bin"]}]})
    for copiers, expected in (({"host": "two"}, "two"), (None, "one")):
        got = [
            item
            for item in expand(study, SCHEMES, OFFERS, {"file.bin": 1000}, copiers)
            if isinstance(item, Case)
        ]
        assert [case.provider for case in got if case.scheme == "copy"] == [expected]


@pytest.mark.parametrize(
    "group",
    [
        {"schemes": []},
        {"schemes": ["x"], "sizes": ["1 M"]},
        {"schemes": ["x"], "file_sizes": [0]},
        {"schemes": ["x"], "aad": [-1]},
        {"schemes": ["x"], "aad": [16], "file_sizes": ["1 MB"]},
        {"schemes": ["x"], "operations": ["encrypt-file"]},
        {"schemes": ["x"], "operations": ["encrypt"], "file_sizes": ["1 MB"]},
        {"schemes": ["x"], "sizes": [1], "files": ["f"]},
        {"schemes": ["x"], "exclude": [{}]},
        {"schemes": ["x"], "shemes": ["x"]},
        {"schemes": ["x"], "operations": ["encript"]},
    ],
)
def test_what_makes_no_sense_is_refused(group: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Study.model_validate({"measure": [group]})


def usual(**group: Any) -> list[Case | Failure | Skipped]:
    habits = {"host": UsualChoice(("two",), (16, 100))}
    study = Study.model_validate({"measure": [group]})
    return list(expand(study, SCHEMES, OFFERS, {}, usual=habits))


def test_what_a_study_does_not_name_is_what_the_target_is_used_to() -> None:
    got = [
        item
        for item in usual(schemes=["aes-128-cbc"], operations=["encrypt-message"])
        if isinstance(item, Case)
    ]
    assert [(case.implementation, case.input_bytes) for case in got] == [("two", 16), ("two", 100)]
    named = usual(
        schemes=["aes-128-cbc"], implementations=["one"], operations=["encrypt-message"], sizes=[64]
    )
    assert [
        (case.implementation, case.input_bytes) for case in named if isinstance(case, Case)
    ] == [("one", 64)]


def test_a_scheme_that_no_usual_implementation_has_is_asked_of_all() -> None:
    got = usual(schemes=["sha256"])
    assert {item.implementation for item in got if isinstance(item, Case)} == {"one"}
    assert not [item for item in got if isinstance(item, Failure)]


def test_a_default_size_that_an_implementation_cannot_take_is_no_failure() -> None:
    got = usual(schemes=["aes-128-cbc"], implementations=["one"], operations=["encrypt"])
    assert [item.input_bytes for item in got if isinstance(item, Case)] == [16]
    (left,) = [item for item in got if not isinstance(item, Case)]
    assert isinstance(left, Skipped) and "100 B is not a multiple" in left.reason
    asked = usual(
        schemes=["aes-128-cbc"], implementations=["one"], operations=["encrypt"], sizes=[100]
    )
    assert [type(item) for item in asked] == [Failure]
