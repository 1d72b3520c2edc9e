"""The page of a replication, opened from disk in Chromium."""

from __future__ import annotations

import pytest

from motebench.publications.papers.document import document
from motebench.publications.papers.page import render
from tests.unit.publications.test_papers_replicate import replication

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [390, 1280])
def test_every_verdict_is_in_sight_and_nothing_is_asked_for(chromium, opened, tmp_path, width):
    path = tmp_path / "page.html"
    path.write_text(render(document([replication("jose-2023")])))
    page = opened(path)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.messages()
    page.requests()
    chromium.get(path.as_uri())
    assert page.messages() == [] and page.requests() == [path.as_uri()]
    assert page.js("return document.documentElement.scrollWidth") <= width
    places = page.js(
        """return [...document.querySelectorAll(".verdict, .claims b, .paged td, .cells td")]
          .filter((item) => item.checkVisibility())
          .map((item) => item.getBoundingClientRect())
          .map((place) => [place.left, place.right])"""
    )
    assert len(places) > 100
    assert all(0 <= left < right <= width for left, right in places)
