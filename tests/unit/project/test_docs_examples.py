"""Examples of the pages can be typed: command lines parse, studies are accepted, the tutorial's
adapter compiles.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
from docs_pages import PAGES, ROOT, commands, fences, page

from motebench.base.paths import studies_dir
from motebench.cli.app import app
from motebench.measuring.fleet.file import load as load_fleet
from motebench.measuring.study.load import Options, from_file, from_options
from motebench.measuring.study.model import Sampling, WholeFile
from motebench.targets.setup.needs import read_adapter

GROUP = click.Context(app)
_STOP = re.compile(r"^([|<>;&]|\d?>).*")
_STUDY = ("schemes", "implementations", "targets", "operations", "sizes", "file_sizes", "excludes")


def lines() -> list[tuple[Path, str]]:
    """Every line of a code block that calls motebench, without what sets variables before it."""
    found = []
    for path in PAGES:
        for line in commands(page(path)):
            line = re.sub(r"^([A-Z_]+=\S+ )+", "", line)
            # Lines of a synopsis have words in brackets, braces or capitals that stand for
            # something.
            if line.startswith("motebench ") and not re.search(r"[\[{]|\bFORMAT\b|\bA B$", line):
                found.append((path, line))
    return found


def words_of(line: str) -> list[str]:
    words = []
    for word in shlex.split(line, comments=True)[1:]:
        if _STOP.match(word):
            break
        words.append(word)
    return words


def parsed(line: str) -> click.Context:
    name, *arguments = words_of(line)
    command = app.get_command(GROUP, name)
    assert command is not None, f"there is no command {name}"
    return command.make_context(name, arguments, parent=GROUP)


def test_there_are_examples():
    pages = {str(path) for path, _ in lines()}
    assert {"README.md", "CONTRIBUTING.md", "docs/use/measure.md"} <= pages


@pytest.mark.parametrize(("path", "line"), lines(), ids=lambda value: str(value))
def test_command_lines_are_understood(path, line):
    parsed(line)


def runs() -> list[tuple[Path, str]]:
    return [(path, line) for path, line in lines() if line.startswith("motebench run ")]


@pytest.mark.parametrize(("path", "line"), runs(), ids=lambda value: str(value))
def test_questions_that_runs_ask_exist(path, line, tmp_path):
    params = parsed(line).params
    study = params["study"]
    if study is None:
        if params["resume"] is None:
            given = {key: tuple(params[key]) for key in _STUDY}
            if params["files"]:
                given["file_sizes"] = ("1 kB",)  # stands for the reader's own file
            spelt = Options(**given)
            boards = fleet_of(path, tmp_path) if params["fleet"] is not None else None
            assert from_options(spelt, Sampling(), WholeFile(), boards).study.measure
    elif study.endswith(".toml"):
        assert (ROOT / study).is_file() == (study != "my-study.toml"), (
            "which stands for the reader's own"
        )
    else:
        assert (studies_dir() / f"{study}.toml").is_file()


def fleet_of(path, folder):
    """The first fleet file that a page shows."""
    file = folder / "fleet.toml"
    file.write_text(next(body for body in fences(page(path), "toml") if "[board." in body))
    return load_fleet(file)


def toml_blocks() -> list[tuple[str, str]]:
    return [
        (f"{path} {number}", body)
        for path in PAGES
        for number, body in enumerate(fences(page(path), "toml"), start=1)
    ]


def test_studies_that_are_shown_are_accepted(tmp_path):
    studies = [(name, body) for name, body in toml_blocks() if "[[measure]]" in body]
    assert studies
    for name, body in studies:
        file = tmp_path / "study.toml"
        file.write_text(body)
        assert from_file(file).study.measure, name


EXAMPLE = ROOT / "tests" / "support" / "adapter_example"
"""Folder of the small adapter that CONTRIBUTING.md tells readers to copy."""


def test_contributing_names_the_example_of_an_adapter():
    assert EXAMPLE.relative_to(ROOT).as_posix() in page("CONTRIBUTING.md")


def test_adapter_toml_of_the_tutorial_is_accepted(tmp_path):
    file = tmp_path / "nettle" / "adapter.toml"
    file.parent.mkdir()
    file.write_text((EXAMPLE / "adapter.toml").read_text())
    assert read_adapter(file).debian == "nettle-dev"


# What the tutorial's adapter takes of Nettle 3, declared as its manual does
# (https://www.lysator.liu.se/~nisse/nettle/).
NETTLE = {
    "aes.h": """
        #include <stddef.h>
        #include <stdint.h>
        #define AES128_KEY_SIZE 16
        #define AES_BLOCK_SIZE 16
        struct aes128_ctx { uint32_t keys[44]; };
        void aes128_set_encrypt_key(struct aes128_ctx *ctx, const uint8_t *key);
        void aes128_set_decrypt_key(struct aes128_ctx *ctx, const uint8_t *key);
    """,
    "nettle-meta.h": """
        #include <stddef.h>
        #include <stdint.h>
        typedef void nettle_cipher_func(const void *ctx, size_t length, uint8_t *dst,
            const uint8_t *src);
        struct nettle_cipher { nettle_cipher_func *encrypt, *decrypt; };
        extern const struct nettle_cipher nettle_aes128;
    """,
    "cbc.h": """
        #include "nettle-meta.h"
        void cbc_encrypt(const void *ctx, nettle_cipher_func *f, size_t block_size, uint8_t *iv,
            size_t length,
                         uint8_t *dst, const uint8_t *src);
        void cbc_decrypt(const void *ctx, nettle_cipher_func *f, size_t block_size, uint8_t *iv,
            size_t length,
                         uint8_t *dst, const uint8_t *src);
    """,
    "sha2.h": """
        #include <stddef.h>
        #include <stdint.h>
        #define SHA256_DIGEST_SIZE 32
        struct sha256_ctx { uint32_t state[8]; };
        void sha256_init(struct sha256_ctx *ctx);
        void sha256_update(struct sha256_ctx *ctx, size_t length, const uint8_t *data);
        void sha256_digest(struct sha256_ctx *ctx, size_t length, uint8_t *digest);
    """,
    "version.h": "int nettle_version_major(void); int nettle_version_minor(void);",
}


def test_adapter_of_the_tutorial_compiles_against_the_contract(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "a C compiler is among what make setup installs"
    headers = tmp_path / "include" / "nettle"
    headers.mkdir(parents=True)
    for name, text in NETTLE.items():
        # Real headers guard themselves; #pragma once does it here.
        (headers / name).write_text(f"#pragma once\n{text}\n")
    flags = [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Werror",
        "-fsyntax-only",
    ]
    done = subprocess.run(
        [
            compiler,
            *flags,
            f"-I{ROOT / 'core'}",
            f"-I{ROOT / 'core' / 'include'}",
            f"-I{tmp_path / 'include'}",
            str(EXAMPLE / "adapter.c"),
        ],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_cmake_of_the_tutorial_calls_what_there_is():
    helper = (ROOT / "core" / "cmake" / "MotebenchAdapter.cmake").read_text()
    (call,) = re.findall(
        r"motebench_add_adapter\(([^)]*)\)", (EXAMPLE / "CMakeLists.txt").read_text()
    )
    keywords = re.findall(r"\b[A-Z]+\b(?=\s)", call)
    assert {"NAME", "SOURCES"} <= set(keywords)
    for keyword in keywords:
        assert re.search(rf"\b{keyword}\b", helper), keyword
