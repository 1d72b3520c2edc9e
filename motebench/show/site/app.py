"""Requests and answers of the explorer: routes, formats, errors, and what keeps other sites out.

Every answer but that to an upload is read-only, and its pages run no script and use no style but
the files in ``FILES``.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from motebench.base.errors import (
    IncomparableError,
    InputError,
    MotebenchError,
    NotFoundError,
    StoreError,
    visible,
)
from motebench.base.process import TemporaryFolder
from motebench.documents import schema
from motebench.show.report import CHARTS, one_file
from motebench.show.site import VIEWS, Chooser, SiteQuery, SiteView, address
from motebench.show.site.pages import FILES, MAKERS, file_text, html
from motebench.show.site.upload import PATH, Inbox, RefusedError, entries, is_loopback
from motebench.show.site.views import Site, SitePage
from motebench.show.site.views.choice import choice_view, choose
from motebench.version import __version__

TYPES = {
    "html": "text/html",
    "json": "application/json",
    "csv": "text/csv",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "file": "text/html",
    "md": "text/markdown",
}
"""Formats of an answer."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
"""Headers of every answer."""
_LOCAL = ("localhost",)


class Guard:
    """Gate of every request: a host name that is this server's, and the headers of answers.

    A page of another site can give its own name the address of this machine (DNS rebinding); its
    requests then carry that name, and are refused.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], *, anywhere: bool) -> None:
        self._app, self._hosts, self._anywhere = app, hosts, anywhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and self._is_mine(hosts[0].decode("latin-1")):
            await self._app(scope, receive, guarded)
            return
        refusal = PlainTextResponse(
            "This server does not answer for that host name.\n", HTTPStatus.MISDIRECTED_REQUEST
        )
        await refusal(scope, receive, guarded)

    def _is_mine(self, host: str) -> bool:
        name = _host_name(host)
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts
        return self._anywhere or number.is_loopback or name in self._hosts


def _host_name(host: str) -> str:
    """The name or number of a Host header, without the port and brackets, in small letters."""
    text = host.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".")


def application(site: Site, host: str = "127.0.0.1", inbox: Inbox | None = None) -> ASGIApp:
    """The explorer of a store. ``host``: the address or name that it is served at; ``inbox``:
    takes runs from others, which without it is refused.
    """
    loopback = is_loopback(host)
    names = {*_LOCAL, host.lower()}
    if not loopback:
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    routes = [
        Route("/static/{name}", _file),
        Route("/api", _api_page),
        Route("/openapi.json", _openapi),
        Route(PATH, partial(_upload, inbox), methods=["GET", "POST"]),
    ]
    for name, make in MAKERS.items():
        paths = ("/", "/runs") if name == "runs" else (VIEWS[name].path,)
        routes += _routes(VIEWS[name], partial(make, site), paths)
    views = dict(VIEWS)
    if site.chooser is not None:
        views["choose"] = choice_view(site.chooser)
        make_choice = partial(_choose, site.chooser)
        routes += _routes(views["choose"], make_choice, (views["choose"].path,))
    handlers: dict[Any, Any] = {HTTPException: _http_error, Exception: _defect}
    pages = Starlette(routes=routes, exception_handlers=handlers)
    pages.state.views = views
    return Guard(pages, frozenset(names), anywhere=not loopback)


Make = Callable[[Mapping[str, str], SiteQuery], SitePage]


def _choose(chooser: Chooser, at: Mapping[str, str], query: SiteQuery) -> SitePage:
    del at
    return choose(chooser, query)


def _routes(view: SiteView, make: Make, paths: tuple[str, ...]) -> list[Route]:
    """The routes of a view: its paths, and the same with the ending of a format."""
    routes = []
    for path in paths:
        answer = partial(_answer, view, make)
        if path != "/":
            for form in view.files:
                routes.append(Route(f"{path}.{form}", partial(answer, form)))
        routes.append(Route(path, partial(answer, "")))
    return routes


def _answer(view: SiteView, make: Make, form: str, request: Request) -> Response:
    """A page in the format that is asked for, or what was wrong."""
    form = form or request.query_params.get("format") or "html"
    try:
        forms = ("html", *view.files)
        if form not in forms:
            unknown, form = form, "html"
            raise InputError(f"unknown format {unknown!r}", where="format", valid=", ".join(forms))
        query = SiteQuery.of(view, request.query_params.multi_items())
        short = address(request.url.path, query.values)
        by_htmx = "hx-request" in request.headers
        empty = any(not value for _, value in request.query_params.multi_items())
        if form == "html" and empty and not by_htmx:
            return RedirectResponse(short, HTTPStatus.SEE_OTHER)  # a form sends its empty fields
        page = make(request.path_params, query)
        if form != "html":
            if form not in page.files:
                raise NotFoundError(
                    f"this page has no {form}", where="format", valid=", ".join(page.files)
                )
            return _file_of(page, form, request)
        files = [form for form in view.files if form in page.files]
        answer = _page(
            page.template, page.title, request, files, query.values, page.status, **page.content
        )
        if by_htmx:
            answer.headers["hx-push-url"] = short
        return answer
    except MotebenchError as error:
        return _mistake(error, form, request)


def _file_of(page: SitePage, form: str, request: Request) -> Response:
    """A file of a page. An HTML file stands alone: style, scripts and data are in it."""
    if form != "file":
        return _text(page.files[form](), form)
    alone = one_file() if page.data is None else one_file(CHARTS, page.data())
    answer = _page(page.template, page.title, request, alone=alone, **page.content)
    answer.headers["content-disposition"] = 'attachment; filename="motebench.html"'
    return answer


async def _upload(inbox: Inbox | None, request: Request) -> Response:
    """The answer to a program that sends runs, or asks what it may send."""
    form = "html" if "text/html" in request.headers.get("accept", "") else "json"
    try:
        if inbox is None:
            raise RefusedError(
                "this server takes no runs",
                HTTPStatus.FORBIDDEN,
                hint="motebench serve --upload-token FILE takes them",
            )
        address = request.client.host if request.client is not None else ""
        headers = request.headers
        inbox.admit(address, headers.get("authorization", ""))
        if request.method != "POST":
            return _text(json.dumps(inbox.limits()) + "\n", "json")
        with TemporaryFolder() as folder:
            file = folder / "sent"
            kind, length = headers.get("content-type", ""), headers.get("content-length")
            await inbox.receive(address, kind, length, request.stream(), file)
            stored = await run_in_threadpool(inbox.take, file)
        return _text(json.dumps(entries(stored), ensure_ascii=False) + "\n", "json")
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)  # nobody reads it
    except MotebenchError as error:
        return _mistake(error, form, request)


def _text(text: str, form: str, status: int = HTTPStatus.OK) -> Response:
    # Nothing is kept: a run may go on, and a store change.
    headers = {"cache-control": "no-store"}
    return Response(text, status, headers, TYPES[form])


def _page(
    template: str,
    title: str,
    request: Request,
    files: Iterable[str] = (),
    shared: Mapping[str, str] | None = None,
    status: int = HTTPStatus.OK,
    **content: Any,
) -> Response:
    content |= {"status": int(status), "views": request.app.state.views}
    text = html(template, title, request.url.path, files, content, shared or {})
    return _text(text, "html", status)


def _status(error: MotebenchError) -> int:
    """The status of an answer that says what was wrong."""
    if isinstance(error, RefusedError):
        return error.status
    if isinstance(error, StoreError):
        passing = error.passing
        return HTTPStatus.SERVICE_UNAVAILABLE if passing else HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, IncomparableError):
        return HTTPStatus.CONFLICT
    if isinstance(error, NotFoundError):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.BAD_REQUEST if isinstance(error, InputError) else HTTPStatus.NOT_IMPLEMENTED


def _mistake(error: MotebenchError, form: str, request: Request) -> Response:
    answer = _told(error, form, request)
    if isinstance(error, RefusedError):
        if error.wait:
            answer.headers["retry-after"] = str(error.wait)
        if error.status == HTTPStatus.UNAUTHORIZED:
            answer.headers["www-authenticate"] = "Bearer"
    return answer


def _told(error: MotebenchError, form: str, request: Request) -> Response:
    status = _status(error)
    if form == "json":
        names = ("what", "where", "valid", "hint")
        entry = {name: getattr(error, name) for name in names}
        return _text(json.dumps({"error": entry}, ensure_ascii=False) + "\n", form, status)
    if form != "html":
        return PlainTextResponse(f"{error}\n", status)
    across = ""
    if isinstance(error, IncomparableError):
        across = address(request.url.path, {**request.query_params, "across": "yes"})
    title = "The store cannot be read" if isinstance(error, StoreError) else _phrase(status)
    return _page("message.html.j2", title, request, status=status, error=error, across=across)


def _phrase(status: int) -> str:
    return {
        HTTPStatus.NOT_FOUND: "There is no such page",
        HTTPStatus.CONFLICT: "Not comparable",
        HTTPStatus.BAD_REQUEST: "This address does not fit",
        HTTPStatus.METHOD_NOT_ALLOWED: "The explorer only reads",
    }.get(HTTPStatus(status), HTTPStatus(status).phrase)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = InputError(f"{_phrase(error.status_code)}: {visible(request.url.path)[:200]}")
    return _page(
        "message.html.j2",
        _phrase(error.status_code),
        request,
        status=error.status_code,
        error=problem,
        across="",
    )


def _defect(request: Request, error: Exception) -> Response:
    del error  # uvicorn prints it
    problem = InputError(
        "a defect in motebench; the terminal of `motebench serve` shows more",
        hint="please report it",
    )
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return _page("message.html.j2", "A defect", request, status=status, error=problem, across="")


def _file(request: Request) -> Response:
    """A file that pages load."""
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    text = file_text(name)
    return Response(text, headers={"cache-control": "no-cache"}, media_type=FILES[name])


# The description of the interface


def openapi(views: Mapping[str, SiteView] = VIEWS) -> dict[str, Any]:
    """The addresses with their parameters and documents, as OpenAPI 3.1."""
    paths = {}
    for name, view in views.items():
        in_path = [part[1:-1] for part in view.path.split("/") if part.startswith("{")]
        parameters = [
            {"name": part, "in": "path", "required": True, "schema": {"type": "string"}}
            for part in in_path
        ]
        parameters += [
            {
                "name": parameter,
                "in": "query",
                "description": view.meaning(parameter),
                "schema": {"type": "string"},
            }
            for parameter in (*view.parameters, "format")
        ]
        content = {
            "application/json": {"schema": {"$ref": f"#/components/schemas/{view.document}"}},
        }
        others = [form for form in ("html", *view.files) if form != "json"]
        content |= {TYPES[form]: {"schema": {"type": "string"}} for form in others}
        answers = {
            "200": {"description": view.about, "content": content},
            "400": {"description": "A parameter does not fit."},
            "404": {"description": "There is no such run or case."},
            "409": {"description": "Runs of different environments."},
            "500": {"description": "The store is damaged, or of a newer motebench."},
            "503": {"description": "The store is locked, or not there."},
        }
        paths[view.path] = {
            "get": {
                "operationId": name,
                "summary": view.about,
                "parameters": parameters,
                "responses": answers,
            }
        }
    documents = dict.fromkeys(view.document for view in views.values())
    return {
        "openapi": "3.1.0",
        "info": {"title": "motebench", "version": __version__},
        "paths": paths,
        "components": {"schemas": {name: schema(name) for name in documents}},
    }


def _openapi(request: Request) -> Response:
    described = openapi(request.app.state.views)
    return _text(json.dumps(described, ensure_ascii=False) + "\n", "json")


def _api_page(request: Request) -> Response:
    return _page("api.html.j2", "API", request)


# Serving


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there. InputError if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot listen at {host}:{port}: {reason}",
            where="--port",
            valid="an address of this machine, and a port that is free",
            hint="--port 0 takes any free port",
        ) from None


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Answer requests until the process is interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        limit_concurrency=64,
        timeout_keep_alive=5,
    )
    uvicorn.Server(config).run(sockets=[listening])
