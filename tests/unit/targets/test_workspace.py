"""User code is known where it is passed, and nowhere else."""

from __future__ import annotations

import pytest

from motebench import catalog
from motebench.base.errors import InputError
from motebench.base.model import Kind
from motebench.catalog.devices import programmable
from motebench.measuring.study.load import Options, from_options, from_text
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.targets.board.board import firmware_providers
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.registry import open_target

API = "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NPUBBYTES 12\n#define CRYPTO_ABYTES 8\n"


def folder(path):
    path.mkdir(parents=True)
    (path / "api.h").write_text(API)
    (path / "encrypt.c").write_text("int crypto_aead_encrypt(void);\n")
    return path


def asked(path):
    return from_options(Options(code=(str(path),), without_kat=True), Sampling(), WholeFile())


def test_user_code_adds_a_scheme_and_an_implementation_to_its_own_workspace_only(tmp_path):
    before = Workspace()
    after, code = add_code(before, GivenCode(folder(tmp_path / "mine"), unproved=True))
    assert (code.name, after.schemes.resolve("CODE-mine-aead").kind) == ("code/mine", Kind.AEAD)
    assert after.code_of("code/mine@O3") is code
    assert (
        list(after.schemes)[-1] == "code-mine-aead"
        and len(after.schemes) == len(before.schemes) + 1
    )
    assert before.code_of("code/mine") is None and "code-mine-aead" not in before.schemes
    assert "code-mine-aead" not in catalog.schemes()
    with pytest.raises(InputError, match="unknown scheme"):
        catalog.resolve("code-mine-aead")


def test_a_second_folder_of_the_same_name_is_told_apart_within_a_workspace(tmp_path):
    first, second = folder(tmp_path / "a" / "ref"), folder(tmp_path / "b" / "ref")
    workspace, _ = add_code(Workspace(), GivenCode(first, unproved=True))
    both, code = add_code(workspace, GivenCode(second, unproved=True))
    assert list(both.code) == ["code/ref", "code/b-ref"] and code.name == "code/b-ref"
    again, code = add_code(both, GivenCode(first, unproved=True))
    assert code.name == "code/ref" and len(again.code) == 2
    assert add_code(Workspace(), GivenCode(second, unproved=True))[1].name == "code/ref", (
        "nothing is left of other workspaces"
    )


def test_a_question_carries_the_code_that_its_names_stand_for(tmp_path):
    question = asked(folder(tmp_path / "mine"))
    (group,) = question.study.measure
    assert (group.implementations, group.schemes) == (("code/mine",), ("code-mine-aead",))
    stored = from_text(question.study.model_dump_json(), "stored")
    for known in (question.workspace, stored.workspace):
        assert known.code["code/mine"].schemes == {"aead": "code-mine-aead"}


def test_targets_offer_the_code_that_they_are_given(tmp_path):
    code = asked(folder(tmp_path / "mine")).workspace.code
    for name in ("host", "sim:atmega2560"):
        assert {"code/mine", "code/mine@O3"} <= set(open_target(name, code=code).implementations())
        assert "code/mine" not in open_target(name).implementations()
    assert "code/mine@O2" in firmware_providers(programmable()["atmega2560"], code)
