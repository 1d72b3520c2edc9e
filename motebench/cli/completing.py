"""Completion of a command line: which names may stand where, and how each shell asks for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    split_arg_string,
)

PROGRAM = "motebench"
Words = Callable[[click.Context], Iterable[str]]


def _schemes(context: click.Context) -> Iterable[str]:
    del context
    from motebench.catalog import schemes

    return schemes()


def _implementations(context: click.Context) -> Iterable[str]:
    """Implementations of the targets that the line names; plain names first, variants after
    them.
    """
    from motebench.base.naming import SSH, is_variant
    from motebench.targets.registry import open_target, split_names

    given = context.params.get("targets") or context.params.get("target") or ("host",)
    # A board behind SSH is not called because somebody pressed Tab.
    names = [
        name
        for name in split_names([given] if isinstance(given, str) else given)
        if not name.startswith(SSH)
    ]
    names_found = dict.fromkeys(
        name for target in names for name in open_target(target).implementations()
    )
    return sorted(names_found, key=lambda name: (is_variant(name), name))


def _targets(context: click.Context) -> Iterable[str]:
    del context
    from motebench.targets.registry import target_names

    return target_names()


def _operations(context: click.Context) -> Iterable[str]:
    del context
    from motebench.base.model import Operation

    return [operation.value for operation in Operation]


def _metrics(context: click.Context) -> Iterable[str]:
    del context
    from motebench.base.units import METRICS

    return METRICS


def _formats(context: click.Context) -> Iterable[str]:
    del context
    from motebench.show.export import formats

    return formats()


def _runs(context: click.Context) -> Iterable[str]:
    from motebench.cli.options import DEFAULT_STORE
    from motebench.store import Store

    with Store.open(str(context.params.get("store") or DEFAULT_STORE), create=False) as store:
        infos, _ = store.survey()
        return [
            "latest",
            *dict.fromkeys(word for info in reversed(infos) for word in (info.name, str(info.id))),
        ]


def _runs_or_implementations(context: click.Context) -> Iterable[str]:
    """A side of a comparison: a run, or an implementation of the newest one."""
    from motebench.cli.options import DEFAULT_STORE
    from motebench.store import Store

    with Store.open(str(context.params.get("store") or DEFAULT_STORE), create=False) as store:
        run = store.load_run(str(context.params.get("run") or "latest"))
    return [*sorted({result.case.implementation for result in run.results}), *_runs(context)]


def _of_run(part: str, context: click.Context) -> Iterable[str]:
    """Values of a part of the cases in the run that the line names; of a group of runs, in the
    newest run.
    """
    from motebench.cli.options import DEFAULT_STORE
    from motebench.store import Store

    with Store.open(str(context.params.get("store") or DEFAULT_STORE), create=False) as store:
        names = {info.name for info in store.runs()}
        named = str(context.params.get("run") or "latest")
        run = store.load_run(named if named in names or named.isdigit() else "latest")
    return sorted({str(getattr(result.case, part)) for result in run.results})


def _studies(context: click.Context) -> Iterable[str]:
    del context
    from motebench.base.paths import studies_dir

    return sorted(path.stem for path in studies_dir().glob("*.toml"))


def _instruments(context: click.Context) -> Iterable[str]:
    del context
    from motebench.measuring.instruments.registry import listing

    return [
        name for row in listing().instruments for name in (row.here or row.instrument).split(", ")
    ]


def _policies(context: click.Context) -> Iterable[str]:
    del context
    from motebench.catalog.policies import choice

    return [policy.id for policy in choice().policies]


def _checklists(context: click.Context) -> Iterable[str]:
    del context
    from motebench.catalog.policies import checklists

    return checklists()


def _networks(context: click.Context) -> Iterable[str]:
    del context
    from motebench.catalog.radios import networks

    return [network.id for network in networks()]


def _papers(context: click.Context) -> Iterable[str]:
    del context
    from motebench.catalog import papers

    return papers()


def _protocols(context: click.Context) -> Iterable[str]:
    from motebench.catalog.protocols import every

    return every(context.params.get("own"))


def _entries(kind: str, context: click.Context) -> Iterable[str]:
    from motebench.catalog.parts import shelf

    return shelf(kind).all(context.params.get("own"))


def _described(context: click.Context) -> Iterable[str]:
    from motebench.catalog.parts import names

    return names(context.params.get("own"))


def _listed(context: click.Context) -> Iterable[str]:
    """Names of one kind of `motebench list`."""
    sources = {
        "schemes": _schemes,
        "targets": _targets,
        "implementations": _implementations,
        "studies": _studies,
        "runs": _runs,
        "papers": _papers,
        "protocols": _protocols,
    }
    kind = str(context.params.get("kind"))
    if kind in sources:
        return sources[kind](context)
    from motebench.catalog.parts import names

    return names(context.params.get("own"))


NAMES: dict[str, Words] = {
    "--scheme": _schemes,
    "--exclude": _schemes,
    "--mac": _schemes,
    "--implementation": _implementations,
    "--target": _targets,
    "--operation": _operations,
    "--metric": _metrics,
    "--format": _formats,
    "--run": _runs,
    "--results": _runs,
    "--resume": _runs,
    "run": _runs,
    "a": _runs_or_implementations,
    "b": _runs_or_implementations,
    **{
        f"{command} {part}s": partial(_of_run, part)
        for command in ("show", "compare", "export", "plot")
        for part in ("scheme", "implementation", "operation")
    },
    "--sort": _metrics,
    "study": _studies,
    "--instrument": _instruments,
    "--policy": _policies,
    "--network": _networks,
    "--paper": _papers,
    "--checklist": _checklists,
    "--with": partial(_entries, "element"),
    "--device": partial(_entries, "device"),
    "--radio": partial(_entries, "radio"),
    "--lorawan": partial(_entries, "region"),
    "--battery": partial(_entries, "battery"),
    "describe arguments": _described,
    "list names": _listed,
    "runs arguments": _runs,
    "protocol names": _protocols,
}
"""The names that an option or an argument takes; ``COMMAND ARGUMENT`` where arguments of one name
differ.
"""


_FILES = ("--store", "--store-b", "study")
"""Options and arguments that take a file, where click does not know it."""


def attach(command: click.Command) -> click.Command:
    """The command, with its options and arguments completed as `NAMES` says."""
    for parameter in command.params:
        keys = [
            f"{command.name} {parameter.name}",
            *(parameter.opts if isinstance(parameter, click.Option) else []),
        ]
        keys += [str(parameter.name)] if isinstance(parameter, click.Argument) else []
        names = next((NAMES[key] for key in keys if key in NAMES), None)
        files = any(key in _FILES for key in keys)
        if names or files:
            several = (
                getattr(parameter, "multiple", False)
                and isinstance(parameter, click.Option)
                and str(parameter.name) not in ("code", "kat", "files")
            )
            complete = partial(_complete, names, several, files)
            parameter.shell_complete = complete  # type: ignore[method-assign]
    return command


def _complete(
    candidates_of: Words | None, several: bool, files: bool, context: click.Context, incomplete: str
) -> list[CompletionItem[str]]:
    """Completions of ``incomplete``; of a list with commas, for its last entry. Empty where a
    look-up fails.
    """
    before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
    try:
        candidates = list(candidates_of(context)) if candidates_of else []
    except Exception:  # whoever presses Tab is in the middle of a line: no message can stand there
        candidates = []
    items = [
        CompletionItem(f"{before}{comma}{name}") for name in candidates if name.startswith(last)
    ]
    if not any(mark in last for mark in "@+"):
        items = [
            item for item in items if not any(mark in item.value[len(before) :] for mark in "@+")
        ] or items
    return items + ([CompletionItem(incomplete, type="file")] if files else [])


class Bash(BashComplete):
    """Bash ends words at ``:`` and ``=``, which names of targets contain: the whole line is read
    instead.
    """

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' kind value line
    COMPREPLY=()
    while read -r line; do
        kind=${line%%,*} value=${line#*,}
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
        %(complete_var)s=bash_complete "$1")
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def source(self) -> str:
        """Script of the shell, without click's check of the version of bash."""
        return ShellComplete.source(self)

    def get_completion_args(self) -> tuple[list[str], str]:
        """Words before the cursor, and the word at the cursor."""
        return split(os.environ.get("COMP_LINE", ""))

    def complete(self) -> str:
        """Line for each completion: its kind, and its part that bash takes for a word."""
        args, incomplete = self.get_completion_args()
        breaks = [mark for mark in os.environ.get("COMP_WORDBREAKS", "") if mark in ":="]
        kept_length = max((incomplete.rfind(mark) + 1 for mark in breaks), default=0)
        items = self.get_completions(args, incomplete)
        return "\n".join(
            f"{item.type},{item.value[kept_length if item.type == 'plain' else 0 :]}"
            for item in items
        )


def split(line: str) -> tuple[list[str], str]:
    """The words of a line without the first, and the last, unfinished one, which may be empty."""
    parts = split_arg_string(line)
    last = "" if not parts or line[-1:].isspace() else parts.pop()
    return parts[1:], last


class Fish(FishComplete):
    """Fish: a value may have commas in it."""

    source_template = """\
function %(complete_func)s
    for completion in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \
COMP_CWORD=(commandline -t) %(prog_name)s)
        set -l metadata (string split -m 1 "," $completion)
        switch $metadata[1]
            case dir
                __fish_complete_directories $metadata[2]
            case file
                __fish_complete_path $metadata[2]
            case plain
                echo $metadata[2]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Kind and value."""
        return f"{item.type},{item.value}"


SHELLS: dict[str, type[ShellComplete]] = {"bash": Bash, "zsh": ZshComplete, "fish": Fish}
VARIABLE = f"_{PROGRAM}_complete".upper()
"""Variable that a script sets to be given completions."""


def register() -> None:
    """Have click complete for these shells."""
    from click.shell_completion import add_completion_class

    for name, shell in SHELLS.items():
        add_completion_class(shell, name)
