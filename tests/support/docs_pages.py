"""Reading the documentation: sections, tables, code, links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT)
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
)


@cache
def page(path: str | Path) -> str:
    """The text of a page, by its path in the checkout."""
    return (ROOT / path).read_text(encoding="utf-8")


REFERENCE = page("docs/reference/commands.md")


def section(text: str, heading: str) -> str:
    """Text under a heading, up to the next one of its level or above."""
    lines = text.splitlines()
    marks = [(index, re.match(r"(#+) (.*)", line)) for index, line in enumerate(lines)]
    heads = [(index, len(found[1]), found[2]) for index, found in marks if found]
    start, level = next((index, level) for index, level, title in heads if title == heading)
    end = next((index for index, depth, _ in heads if index > start and depth <= level), len(lines))
    return "\n".join(lines[start + 1 : end])


def cells(line: str) -> list[str]:
    """The cells of one row of a table."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def tables(text: str) -> list[list[dict[str, str]]]:
    """Every table as rows by column head."""
    found: list[list[dict[str, str]]] = []
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.M):
        head, rule, *rows = block.strip().splitlines()
        assert set(rule) <= set("|-: "), rule
        found.append([dict(zip(cells(head), cells(row), strict=True)) for row in rows])
    return found


def code(text: str) -> list[str]:
    """Texts between single backticks."""
    return re.findall(r"`([^`]+)`", text)


def words_of(text: str) -> list[str]:
    """Words of a page, without the signs of tables and lists."""
    return [word for word in text.split() if re.search(r"\w", word)]


def prose_words(text: str) -> list[str]:
    """The words of a page without code blocks and the addresses of links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"(?:^    .*\n?)+", "", text, flags=re.M)
    return words_of(re.sub(r"\]\([^)]*\)", "]", text))


def fences(text: str, language: str | None = None) -> list[str]:
    """Code blocks: fenced ones (all, or of one language), and without ``language`` also indented
    ones.
    """
    fenced = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
    found = [body for name, body in fenced if language in (None, name)]
    if language is None:
        rest = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        found += [
            re.sub("^    ", "", block, flags=re.M)
            for block in re.findall(r"(?:^    .*\n?)+", rest, re.M)
        ]
    return found


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    body = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    found: dict[str, int] = {}
    out = set()
    for title in re.findall(r"^#+ (.*)$", body, re.M):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        out.add(f"{slug}-{count}" if count else slug)
    return out


# Lines of other programs, by their first word.
_OTHERS = (
    "cmake",
    "ctest",
    "openssl",
    "apt-get",
    "sudo",
    "python",
    "pytest",
    "curl",
    "pdflatex",
    "bencher",
    "git",
)


def commands(text: str) -> list[str]:
    """Command lines in code blocks, continued lines joined, prompts and the path to .venv taken
    off.
    """
    found = []
    for block in fences(text):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            found.append(line.strip().removeprefix("$ ").removeprefix(".venv/bin/"))
    return found


def option_words(text: str) -> set[str]:
    """Words that look like long options, except on command lines of other programs."""
    for block in fences(text):
        for line in block.splitlines():
            command = line.strip().removeprefix("$ ").removeprefix(".venv/bin/")
            if command.startswith(_OTHERS) and "motebench" not in line:
                text = text.replace(line.strip(), "")
    return set(re.findall(r"(?<![\w`-])`?(--[a-z][a-z_-]*[a-z])", text))
