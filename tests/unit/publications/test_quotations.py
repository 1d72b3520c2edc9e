"""Quotations of the catalog against the papers' texts, where these are at hand.

The texts are not ours to ship: ``MOTEBENCH_PAPERS`` names a folder with ``<key>/paper.txt``;
without it, ``papers`` or ``shared/papers`` beside the checkout is taken.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from motebench.base.paths import catalog_dir
from motebench.catalog import papers

BESIDE = Path(__file__).resolve().parents[4]
FOLDERS = (
    Path(os.environ.get("MOTEBENCH_PAPERS", "")),
    BESIDE / "shared" / "papers",
    BESIDE / "papers",
)
SIGNS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2011": "-"}
)


def texts() -> dict[str, Path]:
    """The texts at hand by key of the paper."""
    folder = next((folder for folder in FOLDERS if str(folder) != "." and folder.is_dir()), None)
    paths = {key: folder / key / "paper.txt" for key in papers()} if folder else {}
    return {key: path for key, path in paths.items() if path.exists()}


def linear(text: str) -> str:
    """A text in one line: fractions as quotients, without marks of Markdown and LaTeX."""
    text = text.translate(SIGNS)
    text = re.sub(r"\\bar\{x\}", "mean", text)
    text = re.sub(r"\\(?:text|mathrm)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"([_^])\{([^{}]*)\}", r"\1\2", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{(\w+)\}", r"\1 / \2", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"\1 / (\2)", text)
    text = text.replace(r"\times", "x").replace(r"\geq", ">=").replace(r"\leftarrow", "")
    text = re.sub(r"[$\\]|</?\w+>|\*(?=\S)|(?<=\S)\*", "", text)
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(text.split()))


def missing(quote: str, text: str) -> str:
    """The first part of a quotation that does not follow the parts before it; empty if all stand in
    the text.
    """
    place = 0
    for part in re.split(r"\[\.\.\.\]|\[[^][]*:\]", linear(quote)):
        at = text.find(part.strip(), place)
        if at < 0:
            return part.strip()
        place = at + len(part.strip())
    return ""


def quotations(key: str) -> list[str]:
    folder = catalog_dir() / "papers" / key
    entries: list[dict[str, str]] = []
    for name, kind in (("statements.toml", "statement"), ("claims.toml", "claim")):
        if (folder / name).exists():
            entries += tomllib.loads((folder / name).read_text(encoding="utf-8")).get(kind, [])
    return [entry["quote"] for entry in entries if "quote" in entry]


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=[] if key in texts() else pytest.mark.absent)
        for key in sorted(papers())
    ],
)
def test_a_quotation_stands_in_the_text(key: str) -> None:
    text = linear(texts()[key].read_text(encoding="utf-8"))
    assert {quote: part for quote in quotations(key) if (part := missing(quote, text))} == {}


@pytest.mark.parametrize(
    ("quote", "absent"),
    [
        ("AES is fast", ""),
        ("AES [...] all files", ""),
        ("[AES:] is fast", ""),
        ("P = E / t and v = s / (t + u)", ""),
        ("all files [...] AES", "AES"),
        ("AES is the fastest", "AES is the fastest"),
    ],
)
def test_what_is_no_quotation_is_told(quote: str, absent: str) -> None:
    text = linear("*AES*  is fast for\nall files. $P = \\frac{E}{t}$ and $v = \\frac{s}{t + u}$")
    assert missing(quote, text) == absent
