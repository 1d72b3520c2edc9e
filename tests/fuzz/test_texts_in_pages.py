"""Pages of runs with any names, titles and notes: published and served, they hold text and no
markup of others, and files stay in their folder.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

from calls import SLOW_EXAMPLES
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from motebench.base.errors import MotebenchError
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.show.site.app import application
from motebench.show.site.publish import file_of, of_store, publish
from motebench.show.site.views import Site
from motebench.store import Store

TIME = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
PIECES = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(2)>",
    "</title><base href=//evil>",
    "javascript:alert(3)",
    "../../x",
    "..\\..\\x",
    "{{ 7 * 7 }}",
    "\u2028</script>",
    "\u202egnp",
    "\x00",
    "\ud800",
    "\x1b[2J",
    "]]>",
    "%2e%2e%2f",
    "x" * 3000,
)
TEXTS = st.one_of(st.sampled_from(PIECES), st.text(max_size=30))
OURS = re.compile(
    r"(?:/|(?:\.\./)*)(?:static/[a-z.]+\.js|data/[a-z0-9-]+\.js|runs/\d+(?:\?format=js|\.js))"
)
"""Addresses of scripts, in `serve` and from disk."""
FOLLOWED = re.compile(
    r"href|xlink:href|src|srcset|action|formaction|data|poster|ping|cite|background|manifest|hx-.*"
)
"""Attributes whose addresses browsers or htmx follow; the value of a field is only text."""


class Markup(HTMLParser):
    """Scripts, handlers and addresses of a page that are not ours."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            address = (value or "").strip().lower()
            leads = FOLLOWED.fullmatch(name) and address.startswith(("javascript:", "//", "data:"))
            if name.startswith("on") or leads:
                self.foreign.append(f"{tag} {name}={value}")
        source = dict(attrs).get("src") or ""
        if tag in ("base", "img", "iframe", "object") or (
            tag == "script" and not OURS.fullmatch(source)
        ):
            self.foreign.append(f"{tag} {source}")


def check(text: str) -> None:
    """No markup of others is in a page."""
    page = Markup()
    page.feed(text)
    assert page.foreign == []
    assert "\x1b" not in text and "\x00" not in text


@settings(
    max_examples=SLOW_EXAMPLES or 3,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@example(names=("sha256", "openssl", "host", "a note", "\ud800", "s", "\ud800<script>"))
@example(names=("sha256", "openssl", "host", "javascript:alert(3)", "run", "s", "cpu"))
@given(names=st.tuples(*[TEXTS] * 7))
def test_any_text_stays_text(names: tuple[str, ...]) -> None:
    scheme, implementation, target, note, command, study, fact = names
    case = Case(scheme, implementation, Operation.DIGEST, 16, target, "x")
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        path = folder / "m.db"
        try:
            with Store.open(path, create=True) as store:
                facts = {"host": {"cpu_model": fact}}
                told = {"command": command, "study": study}
                for _ in range(2):
                    run = store.create_run(None, study, told, facts, 1, "0.1.0", [case])
                    store.add_samples(run, case, [(TIME, Sample(0, 5.0))])
                    store.finish_case(run, case, [note])
                    store.add_note(run, note)
                    store.finish_run(run, "finished")
        except (MotebenchError, UnicodeEncodeError):
            return  # such a text cannot be stored
        client = TestClient(application(Site(str(path))), base_url="http://127.0.0.1")
        views = ("/", "/results", "/runs/1", "/map", "/tradeoff", "/history", "/diff?a=1&b=2")
        of_two = ("/compare?a=1&b=2", "/changes", "/changes?from=2000-01-01")
        for address in (*views, *of_two, "/runs/1/cases/1"):
            answer = client.get(address)
            assert answer.status_code in (200, 400, 404, 409), (address, answer.text[:500])
            check(answer.text)
        sent = command.encode(errors="replace").decode()  # no address has half a surrogate pair
        values = {"from": note[:400], "target": sent[:400], "implementation": scheme[:400]}
        answer = client.get("/changes", params=values)
        assert answer.status_code in (200, 400)
        check(answer.text)
        answer = client.get("/", params={"q": note[:400], "scheme": scheme[:400]})
        assert answer.status_code in (200, 400)
        check(answer.text)
        try:
            publish(folder / "site", of_store(str(path), []))
        except MotebenchError:
            return  # a run that cannot be shown
        assert sorted(entry.name for entry in folder.iterdir()) == ["m.db", "site"]
        for page in (folder / "site").rglob("*.html"):
            check(page.read_text("utf-8"))
        for script in (folder / "site" / "data").iterdir():
            assert "<" not in script.read_text("utf-8")


@given(text=TEXTS, other=TEXTS)
def test_no_address_leads_out_of_the_folder(text: str, other: str) -> None:
    parts = (text, other)
    addresses = ["/runs/{}/cases/{}", "/history?case={}&metric={}", "/diff?a={}&b={}", "/{}?q={}"]
    addresses.append("/changes?from={}&format={}")
    for address in addresses:
        name = file_of(address.format(*parts).replace("[", "").replace("]", ""))
        path = (name or "").partition("?")[0]
        assert ".." not in path.split("/") and not path.startswith("/") and "\\" not in path
