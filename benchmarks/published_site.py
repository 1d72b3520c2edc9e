"""All reference results as a folder of pages: time of the processor, sizes, links.

    .venv/bin/python benchmarks/published_site.py [--site DIR]

Publishes into a new folder, or takes one that `motebench publish` wrote. Links drawn at random are
followed on the disk: each must lead to a file, and to an element of it if it names one. Ends with
1 if a limit is exceeded or a link is broken.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from common import machine, say, table

SEED, LINKS = 20261130, 100
MOST_SECONDS, MOST_BYTES = 600.0, 300_000
"""Limits: time of the processor, and bytes of a page."""
_LINK = re.compile(r'<a [^>]*?href="([^"]+)"')


def publish(folder: Path) -> float:
    """Write the site of all reference results; seconds of the processor."""
    call = [sys.executable, "-m", "motebench", "publish", str(folder), "--reference"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def links_of(page: Path) -> list[str]:
    """Addresses of the links of a page, but those of standards."""
    found = _LINK.findall(page.read_text(encoding="utf-8"))
    return [link.replace("&amp;", "&") for link in found if "://" not in link]


def broken(page: Path, link: str) -> str:
    """The reason why a link leads nowhere; empty if it leads somewhere."""
    parts = urlsplit(link)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return "no file"
    if parts.fragment and f'id="{parts.fragment}"' not in target.read_text(encoding="utf-8"):
        return "no such element"
    return ""


def main() -> int:
    """Publish, count, follow links, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, help="a published site, which is only looked at")
    options = parser.parse_args()
    head = machine()
    with tempfile.TemporaryDirectory() as temporary:
        site: Path = options.site or Path(temporary) / "site"
        seconds = None if options.site else publish(site)
        lines, wrong = judged(site.resolve(), seconds)
    print(f"{head}\n")
    print(table(("fact", "value", "limit"), lines))
    for line in wrong:
        say(line)
    return int(bool(wrong))


def judged(site: Path, seconds: float | None) -> tuple[list[list[str]], list[str]]:
    """The lines of the table, and what is wrong."""
    files = [path for path in site.rglob("*") if path.is_file()]
    pages = sorted(path for path in files if path.suffix == ".html")
    largest = max(pages, key=lambda path: path.stat().st_size)
    links = [(page, link) for page in pages for link in links_of(page)]
    drawn = random.Random(SEED).sample(links, LINKS)
    reasons = {(page, link): broken(page, link) for page, link in drawn}
    wrong = [f"{page}: {link}: {reason}" for (page, link), reason in reasons.items() if reason]
    size, name = largest.stat().st_size, largest.relative_to(site)
    if size > MOST_BYTES:
        wrong.append(f"{name} has {size} bytes")
    if seconds is not None and seconds > MOST_SECONDS:
        wrong.append(f"{seconds:.0f} s of the processor")
    anchors = sum("#" in link for _, link in drawn)
    time = [] if seconds is None else [["processor, s", f"{seconds:.0f}", f"{MOST_SECONDS:.0f}"]]
    return [
        *time,
        ["files", f"{len(files):,}", ""],
        ["pages", f"{len(pages):,}", ""],
        ["all files, MB", f"{sum(path.stat().st_size for path in files) / 1e6:.1f}", ""],
        [f"largest page, KB ({name})", f"{size / 1e3:.1f}", f"{MOST_BYTES / 1e3:.0f}"],
        ["links", f"{len(links):,}", ""],
        [f"links followed, {anchors} of them to an element", f"{LINKS}", ""],
        ["broken links", f"{sum(map(bool, reasons.values()))}", "0"],
    ], wrong


if __name__ == "__main__":
    raise SystemExit(main())
