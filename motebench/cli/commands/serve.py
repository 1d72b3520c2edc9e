"""``motebench serve``: all runs of a store as pages in a browser."""

from __future__ import annotations

import datetime
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from motebench.base.errors import InputError, SetupError
from motebench.base.naming import split_list
from motebench.cli.options import store_option, upload_token_option

if TYPE_CHECKING:
    from motebench.show.site import ChoiceAnswer, ChoiceField


@click.command("serve")
@store_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen at. Whoever reaches another one than this can read the store.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8642,
    show_default=True,
    help="The port; 0: any that is free.",
)
@upload_token_option("Take runs from `motebench push` of whoever has this token.")
@click.option("--open", "opens", is_flag=True, help="Open the first page in your browser.")
def command(store: str, host: str, port: int, opens: bool, upload_token: str | None) -> None:
    """Show all runs of a store in a browser: filters, results, comparisons.

    The pages only read. Without a token nothing can be sent. Ctrl-C ends the server.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise SetupError(
            f"pages need the packages of the extra 'serve', starlette and uvicorn; not found: "
            f"{error.name}",
            hint="pip install 'FILE.whl[serve]', or make setup in a checkout",
        ) from None
    from motebench.show.site.app import application, bound, serve
    from motebench.show.site.upload import Inbox, is_loopback, token_of
    from motebench.show.site.views import Site
    from motebench.store import Store

    token = token_of(upload_token)
    with Store.open(store, create=False):
        pass  # a mistake in the name is told here, not on a page
    if token is not None and not is_loopback(host):
        click.echo(
            f"motebench: {host} is not encrypted: a token that is sent to it from another machine "
            "can be read on the way. Put a proxy with a certificate before it.",
            err=True,
        )
    with bound(host, port) as listening:
        at, number = listening.getsockname()[:2]
        url = f"http://{f'[{at}]' if ':' in at else at}:{number}/"
        click.echo(f"{store} is at {url} (Ctrl-C ends it)", err=True)
        if opens:
            import webbrowser

            webbrowser.open(url)
        inbox = None if token is None else Inbox(store, token)
        site = Site(store, OptionsChooser(store))
        serve(application(site, host, inbox), listening)


_NOT_ASKED = ("details", "show", "form", "report", "force", "store", "own", "as_json")
"""Options of `motebench choose` about its output, and those that name files."""
_KEPT_ANSWERS = 100


class OptionsChooser:
    """`motebench choose` for a form: its options are the fields, its parser reads them, and its
    answers are the command's. Answers of today are kept.
    """

    def __init__(self, store: str) -> None:
        from motebench.cli.commands import choose

        self._store = store
        self._choose = choose
        self._answers: OrderedDict[tuple[object, ...], ChoiceAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self.fields: Sequence[ChoiceField] = tuple(self._fields())

    def _fields(self) -> Iterator[ChoiceField]:
        from motebench.show.site import ChoiceField

        for parameter in self._choose.command.params:
            if not isinstance(parameter, click.Option) or parameter.name in _NOT_ASKED:
                continue
            kind = parameter.type
            yield ChoiceField(
                name=parameter.opts[0].removeprefix("--"),
                about=parameter.help or "",
                example=parameter.metavar or "",
                choices=tuple(map(str, kind.choices)) if isinstance(kind, click.Choice) else (),
                flag=parameter.is_flag,
                several=parameter.multiple,
                usual=str(parameter.default) if isinstance(parameter.default, str) else "",
            )

    def answer(self, values: Mapping[str, str]) -> ChoiceAnswer:
        """The answer of these values of fields. MotebenchError for what cannot be asked."""
        today = datetime.datetime.now(datetime.UTC).date()
        key = (today, *sorted(values.items()))
        stored = "results" in values
        with self._lock:
            if key in self._answers and not stored:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = self._answer(values)
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > _KEPT_ANSWERS:
                self._answers.popitem(last=False)
        return answer

    def _answer(self, values: Mapping[str, str]) -> ChoiceAnswer:
        from motebench.show.site import ChoiceAnswer

        command = self._choose.command
        try:
            with command.make_context("choose", self._words(values)) as context:
                options = context.params
                if options["need"] == "connection":
                    entry = self._choose.connection(options)
                    return ChoiceAnswer(entry, tuple(_ways(entry.ways)))
                choice = self._choose.message_choice(options)
                return ChoiceAnswer(choice.entry, tuple(choice.rows()))
        except click.UsageError as error:
            parameter = getattr(error, "param", None)
            where = parameter.opts[0] if parameter is not None else None
            raise InputError(error.format_message().rstrip("."), where=where) from None

    def _words(self, values: Mapping[str, str]) -> list[str]:
        """The words of a command line. Each value stands behind ``=``, so that none is an
        option.
        """
        arguments = []
        for field in self.fields:
            value = values.get(field.name, "")
            if field.flag and value not in ("", "yes"):
                raise InputError(f"{value!r} is not yes", where=f"--{field.name}", valid="yes")
            if field.flag:
                arguments += [f"--{field.name}"] if value else []
            elif value:
                parts = split_list([value]) if field.several else [value]
                arguments += [f"--{field.name}={part}" for part in parts]
        return [*arguments, f"--store={self._store}"] if "results" in values else arguments


def _ways(ways: Sequence[object]) -> Iterator[dict[str, object]]:
    """One row for each way of a connection: its plain values, and the typical ones of intervals."""
    from motebench.base.shapes import as_document

    for way in ways:
        yield {
            name: value["typical"] if isinstance(value, dict) else value
            for name, value in as_document(way).items()
            if not isinstance(value, list)
        }
