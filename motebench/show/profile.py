"""Profiles of simulated boards: the cycles of a case by function, as a table, as folded stacks and
as a flame graph, alone or beside an earlier profile.

All numbers are whole cycles, and their sum is the measured one. Folded stacks are the lines
``function;function cycles`` of flamegraph.pl (Gregg, *The Flame Graph*, ACM Queue 14(2), 2016),
which speedscope reads too. In a graph of two profiles, widths are those of the later one, and the
colour of a function is the difference of its own cycles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import chain, count
from pathlib import Path
from statistics import median
from zlib import crc32

from motebench.base.errors import InputError, printable
from motebench.base.files.access import FileKind, write
from motebench.base.model import Case, CaseResult, Run
from motebench.measuring.gate import at_usual_place, profile_of
from motebench.measuring.run.run import asked_of
from motebench.results.presentation.rows import PROFILED
from motebench.targets.board.board import CallPath, CallProfile
from motebench.targets.wire.messages import ProbeFailure

HARNESS = "(harness)"
"""Name of the probe's own cycles around the operation."""
_MOST_NAME, _MOST_NOTED = 180, 8
_ENDINGS = {FileKind.FOLDED: ".folded", FileKind.SVG: ".svg"}
Stacks = Mapping[CallPath, int]
"""Whole cycles by path of calls."""


def whole(profile: CallProfile) -> dict[CallPath, int]:
    """Whole cycles of each path, with those of the harness. Their sum is the rounded total: the
    largest fractions are rounded up.
    """
    cycles = {tuple(map(_plain, path)): count for path, count in profile.paths.items()}
    cycles[HARNESS,] = profile.harness
    floors = {path: int(count // 1) for path, count in cycles.items()}
    missing = round(sum(cycles.values())) - sum(floors.values())
    for path in sorted(cycles, key=lambda path: floors[path] - cycles[path])[: max(missing, 0)]:
        floors[path] += 1
    return {path: count for path, count in sorted(floors.items()) if count > 0}


def _plain(name: str) -> str:
    """Name of a function without characters that a line of folded stacks cannot hold."""
    return printable(name).replace(";", ":") or "?"


def folded(stacks: Stacks) -> str:
    """Stacks as folded lines."""
    return "".join(f"{';'.join(path)} {cycles}\n" for path, cycles in stacks.items())


def read_folded(path: Path) -> dict[CallPath, int]:
    """Stacks of a file of folded lines. InputError with its line."""
    stacks: dict[CallPath, int] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"it cannot be read: {error}", where=str(path)) from None
    for number, line in enumerate(lines, 1):
        names, _, cycles = line.rpartition(" ")
        if not names or not re.fullmatch(r"\d{1,18}", cycles, re.ASCII):
            raise InputError(
                f"line {number} is not of folded stacks",
                where=str(path),
                valid="FUNCTION;FUNCTION CYCLES",
            )
        called = tuple(map(_plain, names.split(";")))
        stacks[called] = stacks.get(called, 0) + int(cycles)
    return stacks


# The table


@dataclass(slots=True)
class FunctionCost:
    """Cycles of a function: its own, and with all that it calls."""

    own: int = 0
    total: int = 0


def by_function(stacks: Stacks) -> dict[str, FunctionCost]:
    """Cycles by function, the most own cycles first."""
    costs: dict[str, FunctionCost] = {}
    for path, cycles in stacks.items():
        for name in set(path):
            costs.setdefault(name, FunctionCost()).total += cycles
        costs[path[-1]].own += cycles
    return dict(sorted(costs.items(), key=lambda item: (-item[1].own, item[0])))


def profile_rows(stacks: Stacks) -> list[dict[str, str]]:
    """Rows of the table of one profile."""
    total = max(sum(stacks.values()), 1)
    return [
        {
            "function": name,
            "cycles": f"{cost.own:,}",
            "share": f"{100 * cost.own / total:.1f} %",
            "with what it calls": f"{cost.total:,}",
            "their share": f"{100 * cost.total / total:.1f} %",
        }
        for name, cost in by_function(stacks).items()
    ]


def difference_rows(before: Stacks, after: Stacks) -> list[dict[str, str]]:
    """Rows of the functions whose own cycles differ, the largest difference first."""
    sides = [by_function(stacks) for stacks in (before, after)]
    own = {
        name: tuple(side.get(name, FunctionCost()).own for side in sides)
        for name in chain.from_iterable(sides)
    }
    different = sorted(
        (-abs(later - earlier), name) for name, (earlier, later) in own.items() if earlier != later
    )
    return [
        {
            "function": name,
            "before": f"{own[name][0]:,}" if name in sides[0] else "-",
            "after": f"{own[name][1]:,}" if name in sides[1] else "-",
            "difference": f"{own[name][1] - own[name][0]:+,}",
        }
        for _, name in different
    ]


# The flame graph

_WIDTH, _SIDE, _ROW, _HEAD, _LETTER = 1200, 10, 19, 64, 7.3
"""Pixels: of the picture, at its sides, of a row, above the rows, of a letter."""
_NARROWEST, _DEEPEST = 0.4, 150
"""Frames that are narrower or deeper are left out."""
_HUES = (8, 22, 34, 46, 16, 28, 40, 52)
_STEPS = 4
"""Shades of red, and of blue."""


@dataclass(slots=True)
class _Frame:
    """Function in a path: own cycles after and before, those of all below it, and its callees."""

    own: int = 0
    before: int = 0
    total: int = 0
    total_before: int = 0
    called: dict[str, _Frame] = field(default_factory=dict)


def flame_graph(title: str, stacks: Stacks, before: Stacks | None = None) -> str:
    """Flame graph as an SVG that stands alone: the outermost function below, its callees above it.
    ``before``: an earlier profile, whose difference is in colours and titles.
    """
    root, shown = _tree(stacks, before or {}), before is not None
    most = max((abs(frame.own - frame.before) for frame in _all(root)), default=0) or 1
    scale = (_WIDTH - 2 * _SIDE) / max(root.total, 1)
    placed, left_out = _placed(root, scale)
    height = _HEAD + _ROW * (max((depth for depth, *_ in placed), default=0) + 1) + 12
    total = f"{root.total:,} cycles, simulated"
    if shown:
        total += f"; {root.total_before:,} before. Red: more cycles of its own; blue: fewer"
    if left_out:
        total += f"; {left_out:,} cycles in frames too narrow or too deep to draw"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{_xml(title)}">',
        f"<style>{_style()}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="title" x="{_SIDE}" y="24">{_xml(title)}</text>',
        f'<text x="{_SIDE}" y="46">{_xml(total)}</text>',
    ]
    for depth, left, name, frame in placed:
        description = f"{name}: {_words(frame, root, shown)}"
        kind = _shade(frame, most) if shown else f"h{crc32(name.encode()) % len(_HUES)}"
        width, top = frame.total * scale, height - 12 - _ROW * (depth + 1)
        parts.append(
            f'<g><title>{_xml(description)}</title><rect class="{kind}" x="{_SIDE + left:.2f}" '
            f'y="{top}" width="{max(width - 0.5, 0.3):.2f}" height="{_ROW - 1}" rx="2"/>'
        )
        letters = int((width - 6) / _LETTER)
        if letters >= 3:
            text = name if len(name) <= letters else f"{name[: letters - 1]}…"
            parts.append(f'<text x="{_SIDE + left + 3:.2f}" y="{top + 13}">{_xml(text)}</text>')
        parts.append("</g>")
    return "".join([*parts, "</svg>\n"])


def _tree(after: Stacks, before: Stacks) -> _Frame:
    root = _Frame()
    for path in chain(after, (path for path in before if path not in after)):
        cycles, earlier = after.get(path, 0), before.get(path, 0)
        frame = root
        frame.total, frame.total_before = frame.total + cycles, frame.total_before + earlier
        for name in path:
            frame = frame.called.setdefault(name, _Frame())
            frame.total, frame.total_before = frame.total + cycles, frame.total_before + earlier
        frame.own, frame.before = frame.own + cycles, frame.before + earlier
    return root


def _all(root: _Frame) -> Iterator[_Frame]:
    waiting = list(root.called.values())
    while waiting:
        frame = waiting.pop()
        yield frame
        waiting += frame.called.values()


def _placed(root: _Frame, scale: float) -> tuple[list[tuple[int, float, str, _Frame]], int]:
    """Frames to draw with depth and left edge, and the cycles of those that are left out."""
    placed: list[tuple[int, float, str, _Frame]] = []
    left_out = 0
    waiting = [(0, 0.0, root)]
    while waiting:
        depth, left, parent = waiting.pop()
        for name, frame in sorted(parent.called.items()):
            if frame.total * scale < _NARROWEST or depth >= _DEEPEST:
                left_out += frame.total
                continue
            placed.append((depth, left, name, frame))
            waiting.append((depth + 1, left, frame))
            left += frame.total * scale
    return placed, left_out


def _words(frame: _Frame, root: _Frame, compared: bool) -> str:
    share = 100 * frame.total / max(root.total, 1)
    description = f"{frame.total:,} cycles ({share:.1f} %), its own {frame.own:,}"
    if compared:
        description += (
            f"; difference {frame.total - frame.total_before:+,}, its own "
            f"{frame.own - frame.before:+,}"
        )
    return description


def _shade(frame: _Frame, most: int) -> str:
    difference = frame.own - frame.before
    if not difference:
        return "same"
    step = -(-abs(difference) * _STEPS // most)
    return f"{'more' if difference > 0 else 'less'}{step}"


def _style() -> str:
    """Colours of both schemes; text has a contrast of at least 4.5 on each."""

    def fills(light: bool) -> str:
        strong, weak = (72, 92) if light else (30, 22)
        rules = [
            f".h{at}{{fill:hsl({hue} 85% {76 if light else 25}%)}}" for at, hue in enumerate(_HUES)
        ]
        for step in range(1, _STEPS + 1):
            shade = weak + (strong - weak) * step // _STEPS
            rules += [f".more{step}{{fill:hsl(4 80% {shade}%)}}"]
            rules += [f".less{step}{{fill:hsl(212 80% {shade}%)}}"]
        ink, paper, same = (
            ("#1b1f24", "#ffffff", "#e3e6ea") if light else ("#f0f3f6", "#14181d", "#363c44")
        )
        rules += [f"text{{fill:{ink}}}.paper{{fill:{paper}}}.same{{fill:{same}}}"]
        return "".join(rules)

    base = "text{font:12px ui-monospace,Menlo,Consolas,monospace}.title{font-weight:600}"
    return f"{base}{fills(True)}@media(prefers-color-scheme:dark){{{fills(False)}}}"


def _xml(text: str) -> str:
    return escape(printable(text))


# The profiles of a run


@dataclass(frozen=True, slots=True)
class CaseProfile:
    """Profile of ``case``: its stacks, an earlier profile of it, and its files. ``problem``: the
    reason why there is none. ``notes``: remarks for readers.
    """

    case: Case
    stacks: Stacks = field(default_factory=dict)
    before: Stacks | None = None
    files: tuple[Path, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name of the case for readers."""
        return str(self.case)

    @property
    def note(self) -> str:
        """The largest functions in a line, which the run keeps for its pages."""
        total = max(sum(self.stacks.values()), 1)
        largest = list(by_function(self.stacks).items())[:_MOST_NOTED]
        return PROFILED + "; ".join(
            f"{name[:_MOST_NAME]} {100 * cost.own / total:.1f} %" for name, cost in largest
        )


def check_folders(folder: Path, before: Path | None) -> None:
    """InputError for a folder that profiles cannot be written to, and for one of an earlier run
    that has none.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is no folder", where="--profile", valid="a folder, new or not")
    if before is None:
        return
    if not any(before.glob(f"*{_ENDINGS[FileKind.FOLDED]}")):
        raise InputError(
            f"{before} has no profile",
            where="--profile-base",
            valid="a folder that --profile has written",
        )
    if before.resolve() == folder.resolve():
        raise InputError(
            "the earlier profile would be replaced",
            where="--profile",
            valid="another folder than --profile-base",
        )


def profiles_of(run: Run, folder: Path, before: Path | None) -> Iterator[CaseProfile]:
    """Profiles of the finished cases of a run, each written to ``folder`` as folded stacks and as a
    flame graph. ``before``: the folder of an earlier run.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be made: {error.strerror}", where="--profile", valid="a folder"
        ) from None
    workspace = asked_of(run)[0].workspace
    results = {result.case: result for result in run.results if result.finished}
    names: set[str] = set()
    for case in at_usual_place(results):
        try:
            stacks = whole(profile_of(workspace, case))
        except ProbeFailure as failure:
            yield CaseProfile(case, problem=failure.message)
            continue
        name = _file_name(case, names)
        names.add(name)
        earlier, notes = _earlier(before, name)
        files = tuple(folder / f"{name}{ending}" for ending in _ENDINGS.values())
        texts = (folded(stacks), flame_graph(str(case), stacks, earlier))
        for file, text, kind in zip(files, texts, _ENDINGS, strict=True):
            write(file, text, kind, force=None, where="--profile")
        notes += _unlike(results[case], sum(stacks.values()))
        yield CaseProfile(case, stacks, earlier, files, notes=notes)


def _earlier(folder: Path | None, name: str) -> tuple[Stacks | None, tuple[str, ...]]:
    if folder is None:
        return None, ()
    file = folder / f"{name}{_ENDINGS[FileKind.FOLDED]}"
    if not file.is_file():
        return None, (f"no earlier profile: there is no {file}",)
    return read_folded(file), ()


def _file_name(case: Case, taken: set[str]) -> str:
    """Name of the files of a case without its ending, in small letters as far as names are."""
    parts = (case.scheme, case.implementation, case.operation.value)
    sizes = (str(case.input_bytes), str(case.aad_bytes)) if case.operation.sized else ()
    plain = "_".join(
        re.sub(r"[^A-Za-z0-9.+@-]+", "-", part) for part in (*parts, *sizes, case.target)
    ).lstrip(".-")[:_MOST_NAME]
    names = chain([plain], (f"{plain}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def _unlike(result: CaseResult, total: int) -> tuple[str, ...]:
    """Remark if the measured cycles are not those of the profile."""
    values = [
        (sample.raw - series.overhead) * series.scale / sample.batch
        for series in result.series
        if series.metric == "cycles"
        for sample in series.samples
    ]
    if not values or round(measured := median(values)) == total:
        return ()
    return (
        f"{measured:,.0f} cycles are measured, {total:,} in the profile: the work or the caches "
        "differ from call to call, or the code has changed",
    )
