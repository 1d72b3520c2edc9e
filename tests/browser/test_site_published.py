"""The explorer in a folder, opened from disk: searches, filters and comparison without a server."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import site_store
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.show.site.publish import of_store, publish
from motebench.store import Store

GCM = Case("aes-128-gcm", "openssl", Operation.ENCRYPT_MESSAGE, 16, "host", "openssl")
SHA = Case("sha256", "nettle", Operation.DIGEST, 1024, "host", "nettle")
FLASH = Series("flash_net", "B", 1.0, 0.0, "linker", Evidence.SIMULATED)
TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
SCRIPT = "<script>document.title='no'<"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    path = str(folder / "m.db")
    with Store.open(path, create=True) as store:
        for name, level in (("one", 500.0), ("two", 1000.0), (SCRIPT, 700.0)):
            run = store.create_run(name, "", {}, {"host": {"os": "Debian"}}, 1, "0.1.0", [GCM, SHA])
            for case in (GCM, SHA):
                for number in range(12):
                    sample = Sample(number, level + number % 3)
                    store.add_samples(run, case, [(TIME, sample), (FLASH, Sample(number, level))])
                store.finish_case(run, case)
            store.finish_run(run, "finished")
        store.set_tags(1, ["nightly"])
    publish(folder / "site of 1%", of_store(path, []))
    return folder / "site of 1%"


@pytest.fixture
def page(chromium: webdriver.Chrome, site: Path):  # type: ignore[no-untyped-def]
    """A function that opens a page and waits for its script."""
    chromium.get_log("browser")

    def opened(name: str) -> webdriver.Chrome:
        file, _, query = name.partition("?")
        chromium.get((site / file).as_uri() + (f"?{query}" if query else ""))
        script = "return document.documentElement.dataset.ready"
        WebDriverWait(chromium, 300).until(lambda _: chromium.execute_script(script))
        assert chromium.execute_script(script) == "yes"
        problems = [entry["message"] for entry in chromium.get_log("browser")]
        assert [text for text in problems if "favicon" not in text] == []
        return chromium

    return opened


def rows(browser: webdriver.Chrome) -> list[str]:
    return [row.text for row in browser.find_elements(By.CSS_SELECTOR, "#found tbody tr")]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("index.html", [SCRIPT, "two", "one"]),
        ("index.html?tag=nightly", ["one"]),
        ("index.html?q=TWO", ["two"]),
        ("index.html?scheme=sha*&implementation=nettle", [SCRIPT, "two", "one"]),
        ("index.html?scheme=sha*&implementation=openssl", []),
        ("index.html?since=2999-01-01", []),
        ("results.html?scheme=sha256&q=two", ["sha256"]),
        ("results.html?size=1KiB&q=two", ["sha256"]),
        ("results.html?operation=encrypt-message&run=1", ["aes-128-gcm"] * 3),
        ("results.html?scheme=none", []),
        ("results.html?sort=most", ["aes-128-gcm", "sha256"]),
        ("results.html?metric=flash_net&below=0.7kB&sort=least", ["aes-128-gcm", "sha256"]),
        ("results.html?below=0.6us", []),
        ("results.html?below=720&scheme=sha*", ["sha256"]),
        ("results.html?metric=flash_net&above=10ms", []),
        ("results.html?below=0.02min&scheme=sha*", ["sha256"]),
        ("changes.html?from=2999-01-01", []),
        ("changes.html?from=2026-03-02&to=2026-03-01", []),
    ],
)
def test_filters_work_from_disk(page, name: str, texts: list[str]) -> None:  # type: ignore[no-untyped-def]
    shown = rows(page(name))
    assert len(shown) == len(texts)
    for text, row in zip(texts, shown, strict=True):
        assert text in row


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("map.html?operation=digest", ["sha256 701 ns nettle"]),
        ("map.html?metric=flash_net&scheme=aes-*", ["aes-128-gcm 700 B openssl"]),
        ("map.html?metric=flash_net&operation=digest&q=two", ["sha256 1000 B nettle"]),
        ("tradeoff.html?operation=digest", ["sha256 nettle"]),
        ("tradeoff.html?operation=mac", []),
        ("history.html?scheme=none", []),
        ("history.html?target=host", ["aes-128-gcm openssl", "sha256 nettle"]),
    ],
)
def test_choices_of_views_of_many_runs_work_from_disk(page, name: str, cells: list[str]) -> None:  # type: ignore[no-untyped-def]
    shown = [" ".join(text.split()) for text in rows(page(name))]
    assert len(shown) == len(cells)
    assert all(text.startswith(start) for text, start in zip(sorted(shown), cells, strict=True))


def test_changes_of_a_period_are_found_from_disk(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    path = site_store.make(tmp_path / "m.db")
    publish(tmp_path / "site", of_store(str(path), ["month-08", "month-09"]))
    address = (tmp_path / "site" / "changes.html").as_uri()
    chromium.get(f"{address}?from=2026-09-01&to=2026-09-30&metric=cycles")
    script = "return document.documentElement.dataset.ready"
    WebDriverWait(chromium, 300).until(lambda _: chromium.execute_script(script))
    shown = rows(chromium)
    assert len(shown) == 5
    assert "mote/bi32" in shown[0] and "0.8889" in shown[0] and "2026-08-15, run 1" in shown[0]
    assert "mote/ascon" in shown[1] and "1.100" in shown[1]
    chromium.get(address)
    assert "2 slower, 1 faster" in chromium.find_element(By.TAG_NAME, "header").text


def test_one_case_leads_to_its_history(page, chromium: webdriver.Chrome) -> None:  # type: ignore[no-untyped-def]
    page("history.html?target=host")
    chromium.find_element(By.NAME, "scheme").send_keys("sha*")
    chromium.find_element(By.CSS_SELECTOR, "main form button").click()
    WebDriverWait(chromium, 300).until(lambda _: "/history/" in chromium.current_url)
    assert "sha256" in chromium.find_element(By.TAG_NAME, "h1").text
    assert len(rows(chromium)) == 4


def test_a_form_leads_to_a_short_address_of_its_page(page) -> None:  # type: ignore[no-untyped-def]
    browser = page("results.html")
    field = browser.find_element(By.CSS_SELECTOR, "form [name=scheme]")
    field.send_keys("sha256\n")
    WebDriverWait(browser, 300).until(lambda _: "scheme=sha256" in browser.current_url)
    assert browser.current_url.partition("?")[2] in ("scheme=sha256&metric=time",)
    script = "return document.documentElement.dataset.ready"
    WebDriverWait(browser, 300).until(lambda _: browser.execute_script(script))
    assert len(rows(browser)) == 3


def test_two_runs_are_compared_from_disk(page) -> None:  # type: ignore[no-untyped-def]
    browser = page("compare.html?a=1&b=2&metric=time")
    shown = rows(browser)
    assert len(shown) == 2 and all("1.998" in row for row in shown)
    link = browser.find_element(By.LINK_TEXT, "Verdicts on these two runs")
    link.click()
    WebDriverWait(browser, 300).until(lambda _: "compare/1-2.html" in browser.current_url)
    assert "slower" in browser.find_element(By.TAG_NAME, "main").text


def test_a_name_that_is_a_script_is_text(page) -> None:  # type: ignore[no-untyped-def]
    for name in ("index.html?q=script", "results.html?q=script", "runs/3.html"):
        browser = page(name)
        assert "no" not in browser.title.split() and SCRIPT in browser.page_source.replace(
            "&lt;", "<"
        ).replace("&gt;", ">")


def test_a_run_has_its_charts_and_links_to_its_cases(page) -> None:  # type: ignore[no-untyped-def]
    browser = page("runs/1.html")
    script = "return document.documentElement.dataset.charts === 'ready'"
    WebDriverWait(browser, 300).until(lambda _: browser.execute_script(script))
    browser.execute_script("document.querySelector('#all tbody th a').click()")
    WebDriverWait(browser, 300).until(lambda _: "/runs/1/" in browser.current_url)
    assert "All metrics of this case" in browser.find_element(By.TAG_NAME, "main").text


def test_keys_lead_to_views(page) -> None:  # type: ignore[no-untyped-def]
    browser = page("runs/1.html")
    browser.find_element(By.TAG_NAME, "body").send_keys("s")
    WebDriverWait(browser, 300).until(lambda _: browser.current_url.endswith("/results.html"))


def test_the_store_beside_the_pages_is_whole(site: Path) -> None:
    with sqlite3.connect(site / "store.db") as raw:
        assert raw.execute("SELECT count(*) FROM samples").fetchone() == (144,)
    raw.close()
