"""Headless Chromium without a network, and reports to open in it."""

from __future__ import annotations

import json
import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from result_documents import read
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from motebench.show.report.page import write_page

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)
_LIMIT = 300.0
"""Seconds after which a page has not got where it should, however slow the machine is."""


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert program and driver, "install Chromium: apt-get install chromium chromium-driver"
    options = Options()
    options.binary_location = program
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


class Page:
    """Report open in the browser, with the browser's messages."""

    def __init__(self, browser: webdriver.Chrome, path: Path) -> None:
        self.browser = browser
        self.path = path

    def open(self, width: int = 1280, *, dark: bool = False) -> Page:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": "", "features": [scheme]}
        )
        self.messages()
        self.requests()
        self.browser.get(self.path.as_uri())
        self.wait("return document.documentElement.dataset.charts === 'ready'")
        return self

    def js(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, script: str) -> Any:
        return WebDriverWait(self.browser, _LIMIT, 0.1).until(
            lambda browser: browser.execute_script(script)
        )

    def point(self, mark: str, x: int = 0, y: int = 0) -> str:
        """Tooltip of a mark, which a script's expression gives; the pointer is beside its middle.
        Repeated until a tooltip shows: the page may move under the pointer while its charts load.
        """

        def told(browser: webdriver.Chrome) -> str:
            found = browser.execute_script(
                f"const mark = {mark}; mark.scrollIntoView({{ block: 'center', behavior: "
                "'instant' }); return mark;"
            )
            ActionChains(browser).move_by_offset(0, 0).move_to_element_with_offset(
                found, x, y
            ).perform()
            return browser.execute_script(
                "const tip = document.getElementById('tip'); return tip.hidden ? '' : "
                "tip.textContent"
            )

        return WebDriverWait(self.browser, _LIMIT, 0.5).until(told)

    def messages(self) -> list[str]:
        """Messages of the console since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses requested since the last call."""
        events = (
            json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")
        )
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def sample() -> dict[str, Any]:
    return runpy.run_path(str(Path(__file__).parents[1] / "support" / "report_sample.py"))


@pytest.fixture
def report(chromium: webdriver.Chrome, tmp_path: Path) -> Callable[[dict[str, Any]], Page]:
    return lambda document: Page(chromium, write_page(read(document), tmp_path / "report.html"))


@pytest.fixture
def opened(chromium: webdriver.Chrome) -> Callable[[Path], Page]:
    """A file as a page."""
    return lambda path: Page(chromium, path)


@pytest.fixture(scope="session")
def quickstart(
    chromium: webdriver.Chrome, sample: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Page:
    return Page(
        chromium,
        write_page(
            read(sample["sample_document"]()), tmp_path_factory.mktemp("report") / "report.html"
        ),
    )
