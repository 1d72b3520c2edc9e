"""The explorer as a reader meets it: served to Chromium, by keyboard, at the width of a phone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.show.site.app import application, bound
from motebench.show.site.views import Site
from motebench.store import Store

pytestmark = pytest.mark.browser

SIZES = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
GCM = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl")
SHA = Case("sha256", "<b onmouseover=alert(1)>", Operation.DIGEST, 1024, "host", "x")
PATHS = (
    "/",
    "/results",
    "/runs/1",
    "/runs/1/cases/1",
    "/compare?a=1&b=2",
    "/diff?a=1&b=2",
    "/history?case=1",
    "/map",
    "/tradeoff",
    "/api",
    "/runs/9",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a store with two runs."""
    path: Path = tmp_path_factory.mktemp("site") / "m.db"
    with Store.open(path, create=True) as store:
        for name, level in (("one", 500.0), ("two", 900.0)):
            cases = [GCM, SHA] if name == "two" else [GCM]
            run = store.create_run(name, "", {"command": "x"}, {"host": {}}, 1, "0.1.0", cases)
            series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
            for case in cases:
                for number in range(12):
                    sample = Sample(number, level + number % 4)
                    store.add_samples(run, case, [(series, sample)])
                store.finish_case(run, case)
            store.finish_run(run, "finished")
            store.add_note(run, "<script>document.title = 'broken'</script>")
    with bound("127.0.0.1", 0) as listening:
        config = uvicorn.Config(application(Site(str(path))), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
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
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(address)


def wait(browser: webdriver.Chrome, script: str) -> Any:
    return WebDriverWait(browser, 300, 0.1).until(lambda shown: shown.execute_script(script))


@pytest.mark.parametrize("path", PATHS)
def test_a_page_asks_nobody_else_and_the_policy_blocks_nothing_of_it(
    chromium: webdriver.Chrome, address: str, path: str
) -> None:
    go(chromium, f"{address}{path}")
    wait(chromium, "return typeof htmx === 'object' && document.readyState === 'complete'")
    messages = [entry["message"] for entry in chromium.get_log("browser")]
    assert [text for text in messages if "404 (Not Found)" not in text] == []
    events = (json.loads(entry["message"])["message"] for entry in chromium.get_log("performance"))
    asked = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    # Chromium draws the sign of a date field itself, from data.
    others = [url for url in asked if not url.startswith((f"{address}/", "data:image/svg"))]
    assert asked and others == []
    assert chromium.title != "broken"


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("path", PATHS)
def test_a_page_never_scrolls_sideways(
    chromium: webdriver.Chrome, address: str, path: str, width: int
) -> None:
    go(chromium, f"{address}{path}", width)
    content, room = chromium.execute_script(SIZES)
    assert content <= room


def test_a_run_has_the_charts_of_its_report_and_links_to_its_cases(
    chromium: webdriver.Chrome, address: str
) -> None:
    go(chromium, f"{address}/runs/2")
    wait(chromium, "return document.documentElement.dataset.charts === 'ready'")
    drawn = "return document.querySelectorAll('[data-chart=ranking] .chart path').length"
    assert chromium.execute_script(drawn) > 2
    assert chromium.execute_script("return document.querySelectorAll('#all tbody tr').length") == 2
    chromium.execute_script("document.querySelector('#all tbody th a').click()")
    wait(chromium, "return location.pathname.startsWith('/runs/2/cases/')")
    assert "All metrics of this case" in chromium.page_source


def test_a_filter_by_keyboard_changes_table_and_address(
    chromium: webdriver.Chrome, address: str
) -> None:
    go(chromium, f"{address}/results")
    wait(chromium, "return typeof htmx === 'object'")
    rows = "return document.querySelectorAll('#found tbody tr').length"
    assert chromium.execute_script(rows) == 3
    ActionChains(chromium).send_keys("/").perform()
    wait(chromium, "return document.activeElement.name === 'q'")
    ActionChains(chromium).send_keys(Keys.TAB, "sha256").perform()
    wait(chromium, "return document.querySelectorAll('#found tbody tr').length === 1")
    wait(chromium, "return location.search === '?scheme=sha256&metric=time'")
    assert chromium.execute_script("return document.activeElement.name") == "scheme"
    files = chromium.execute_script(
        "return [...document.querySelectorAll('.file')].map(link => link.search)"
    )
    assert files == [f"?scheme=sha256&metric=time&format={form}" for form in ("csv", "json")]
    chromium.back()
    wait(chromium, "return document.querySelectorAll('#found tbody tr').length === 3")


def test_keys_go_to_views_and_the_theme_follows(chromium: webdriver.Chrome, address: str) -> None:
    go(chromium, f"{address}/", dark=True)
    colour = "return getComputedStyle(document.body).backgroundColor"
    assert chromium.execute_script(colour) == "rgb(18, 20, 23)"
    wait(chromium, "return document.readyState === 'complete'")
    ActionChains(chromium).send_keys("c").perform()
    wait(chromium, "return location.pathname === '/compare'")
