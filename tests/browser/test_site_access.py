"""The explorer for everybody: axe finds no violation, and a keyboard reaches every control."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import site_store
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from motebench.cli.commands.serve import OptionsChooser
from motebench.show.site.app import application, bound
from motebench.show.site.views import Site

pytestmark = pytest.mark.browser

VIEWS = (
    "/",
    "/?scheme=nothing",
    "/results?metric=cycles",
    "/results?metric=cycles&below=20000&sort=most",
    "/runs/12",
    "/runs/12/cases/72",
    "/compare",
    "/compare?a=1&b=12&metric=cycles",
    "/diff?a=1&b=12",
    "/changes",
    "/changes?from=2026-09-01&to=2026-09-30",
    "/changes?target=nothing",
    "/history",
    "/history?scheme=aes-128-gcm&implementation=openssl",
    "/map?metric=cycles",
    "/tradeoff",
    "/choose",
    "/choose?device=samd21g18a&message=64&scheme=aes-128-gcm",
    "/choose?device=nothing&message=64",
    "/api",
    "/runs/99",
)
STOPS = "a[href], button, input, select, summary, [tabindex='0']"
"""Elements that a keyboard must reach if they are shown."""
REACHABLE = f"""
return [...document.querySelectorAll("{STOPS}")].filter(
  (element) => element.checkVisibility() && !element.disabled).length"""
FOCUSED = """
const element = document.activeElement;
if (!element || element === document.body) return null;
window.seen = window.seen || new Set();
if (window.seen.has(element)) return "again";
window.seen.add(element);
return element.matches(":focus-visible") ? "new" : "hidden";
"""


def axe() -> str:
    """The script of axe-core, as its package for Python has it."""
    package = importlib.util.find_spec("axe_playwright_python")
    assert package is not None and package.submodule_search_locations, "install the extra dev"
    (folder,) = package.submodule_search_locations
    return (Path(folder) / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = str(site_store.make(tmp_path_factory.mktemp("access") / "m.db"))
    with bound("127.0.0.1", 0) as listening:
        pages = application(Site(path, OptionsChooser(path)))
        server = uvicorn.Server(uvicorn.Config(pages, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def go(browser: webdriver.Chrome, address: str, width: int = 1280, *, dark: bool = False) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [scheme]})
    browser.get(address)
    wait(browser, "return typeof htmx === 'object' && document.readyState === 'complete'")


def wait(browser: webdriver.Chrome, script: str) -> Any:
    return WebDriverWait(browser, 300, 0.1).until(lambda shown: shown.execute_script(script))


@pytest.mark.parametrize("path", VIEWS)
def test_axe_finds_no_violation(chromium: webdriver.Chrome, address: str, path: str) -> None:
    script = axe()
    problems = []
    for width in (1280, 390):
        for dark in (False, True):
            go(chromium, f"{address}{path}", width, dark=dark)
            chromium.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
            chromium.set_script_timeout(300)
            answer = chromium.execute_async_script(
                "const done = arguments[0]; axe.run(document).then(done);"
            )
            assert len(answer["passes"]) > 10
            problems += [
                (width, dark, entry["id"], node["target"], node["failureSummary"])
                for entry in answer["violations"]
                for node in entry["nodes"]
            ]
            content, room = chromium.execute_script(
                "return [document.documentElement.scrollWidth, "
                "document.documentElement.clientWidth]"
            )
            assert content <= room
    assert problems == []


@pytest.mark.parametrize("path", ["/map?metric=cycles", "/tradeoff", "/diff?a=1&b=12", "/choose"])
def test_a_keyboard_reaches_everything(chromium: webdriver.Chrome, address: str, path: str) -> None:
    go(chromium, f"{address}{path}")
    count = chromium.execute_script(REACHABLE)
    assert count > 10
    stops = []
    for _ in range(3 * count):
        ActionChains(chromium).send_keys(Keys.TAB).perform()
        state = chromium.execute_script(FOCUSED)
        if state == "new" or state == "hidden":
            stops.append(state)
        if state == "again" or (state is None and len(stops) >= count):
            break
    assert "hidden" not in stops
    assert len(stops) >= count


def test_a_field_of_choose_changes_the_decision_and_the_address(
    chromium: webdriver.Chrome, address: str
) -> None:
    go(chromium, f"{address}/choose?device=samd21g18a&message=64&scheme=aes-128-gcm")
    decision = "return document.querySelector('#found h2').textContent"
    assert "AES-128-GCM" in chromium.execute_script(decision)
    field = "document.querySelector('[name=scheme]')"
    chromium.execute_script(f"{field}.closest('details').open = true; {field}.select()")
    ActionChains(chromium).send_keys("aes-128-ccm", Keys.TAB).perform()
    wait(chromium, f"{decision}.includes('AES-128-CCM')")
    wait(chromium, "return location.search.includes('scheme=aes-128-ccm')")
    chromium.execute_script("document.querySelector('[name=device]').select()")
    ActionChains(chromium).send_keys("nothing", Keys.TAB).perform()
    wait(chromium, "return !!document.querySelector('#found [role=alert]')")
    assert "unknown device" in chromium.execute_script(
        "return document.querySelector('#found').textContent"
    )


def test_keys_are_listed_and_leave_fields_alone(chromium: webdriver.Chrome, address: str) -> None:
    go(chromium, f"{address}/map?metric=cycles")
    ActionChains(chromium).send_keys("?").perform()
    wait(chromium, "return document.getElementById('keys').open")
    rows = "return document.querySelectorAll('#keys dt').length"
    assert chromium.execute_script(rows) == 11
    ActionChains(chromium).send_keys(Keys.ESCAPE).perform()
    wait(chromium, "return !document.getElementById('keys').open")
    ActionChains(chromium).send_keys("/").perform()
    wait(chromium, "return document.activeElement.matches('form input')")
    ActionChains(chromium).send_keys("r?").perform()
    assert "r?" in chromium.execute_script("return document.activeElement.value")
    assert chromium.execute_script("return location.pathname") == "/map"
    assert chromium.execute_script("return document.getElementById('keys').open") is False
