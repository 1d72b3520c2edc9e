"""Size of reports: bytes of the file, elements, height, time until they are ready, printed
pages.

    .venv/bin/python benchmarks/report_size.py report.html choice.html

Chromium opens each file from disk, at 1400x900 and as a telephone of 390x844. *Ready* is the time
from the start of loading until the first screen and the tables stand, *drawn* until all charts do.
Exit status 1 if a file has 1.5 MB or more, or 5,000 elements or more; times depend on the machine
and are not judged.
"""

from __future__ import annotations

import argparse
import base64
import re
import shutil
import time
from pathlib import Path
from typing import Any

from common import machine, say, table
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

MOST_BYTES = 1_500_000
MOST_ELEMENTS = 5_000
SCREENS = {"wide": (1400, 900), "narrow": (390, 844)}
_PAGE = re.compile(rb"/Type\s*/Page\b")
_WATCH = """
window.motebenchTimes = {};
new MutationObserver(() => {
  const { page, charts } = document.documentElement.dataset;
  if (page) window.motebenchTimes.page ??= performance.now();
  if (charts) window.motebenchTimes.charts ??= performance.now();
}).observe(document, {
    attributes: true, subtree: true, attributeFilter: ["data-page", "data-charts"],
});
"""


def main() -> int:
    """Open every file, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    files = parser.parse_args().files
    head, lines, heavy = machine(), [], False
    browser = _browser()
    try:
        for file in files:
            say(str(file))
            wide, narrow = (_open(browser, file, *size) for size in SCREENS.values())
            heavy |= file.stat().st_size >= MOST_BYTES or wide["elements"] >= MOST_ELEMENTS
            sizes = (f"{file.stat().st_size / 1e6:.2f}", f"{wide['elements']:,}")
            heights = (f"{wide['height']:,}", f"{narrow['height']:,}")
            seconds = (f"{wide['page'] / 1000:.2f}", f"{wide['charts'] / 1000:.2f}")
            lines.append([file.stem, *sizes, *heights, *seconds, str(_pages(browser))])
    finally:
        browser.quit()
    print(f"{head}\n")
    columns = (
        "report",
        "MB",
        "elements",
        "px at 1400",
        "px at 390",
        "ready, s",
        "drawn, s",
        "printed pages",
    )
    print(table(columns, lines))
    return int(heavy)


def _browser() -> webdriver.Chrome:
    options = Options()
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
    ):
        options.add_argument(flag)
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        raise SystemExit("Chromium is not installed: apt-get install chromium chromium-driver")
    options.binary_location = program
    browser = webdriver.Chrome(options=options, service=Service(driver))
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _WATCH})
    return browser


def _open(browser: webdriver.Chrome, file: Path, width: int, height: int) -> dict[str, Any]:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(file.resolve().as_uri())
    end = time.monotonic() + 60
    while not browser.execute_script("return window.motebenchTimes.charts"):
        if time.monotonic() > end:
            raise SystemExit(f"{file} is not drawn after a minute")
        time.sleep(0.05)
    found: dict[str, Any] = browser.execute_script(
        """return { elements: document.querySelectorAll("*").length, ...window.motebenchTimes,
          height: document.documentElement.scrollHeight };"""
    )
    return found


def _pages(browser: webdriver.Chrome) -> int:
    """Pages of the file that is open, printed on A4."""
    paper = {"printBackground": True, "paperWidth": 8.27, "paperHeight": 11.69}
    return len(
        _PAGE.findall(base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", paper)["data"]))
    )


if __name__ == "__main__":
    raise SystemExit(main())
