"""Commits of folders of code, and their files that differ from the commit.

The folder may be hostile. The settings of a repository name programs that git runs (fsmonitor,
hooks, filters, transports for missing objects), so git never reads them here: it gets an empty
repository of our own, and reads only the objects of the other one. The contents of files are hashed
here, so they are those that are measured.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

from motebench.base.errors import MotebenchError, printable
from motebench.base.naming import EMULATED, SSH, plain
from motebench.base.paths import data_root, in_checkout
from motebench.targets.code.folder import SOURCES, CodeFolder, contents, path_text
from motebench.targets.setup.vendor.source import source_of
from motebench.version import __version__, built_from, common_folder, git_folder, head

NAMED = 20
"""Changed files that are named."""
_NATIVE = "+native"
_SECONDS = 10
_MOST_BYTES = 16 << 20
_LINK = "120000"
_OWN = (
    "motebench",
    "catalog",
    "studies",
    "core",
    "probes",
    "simulators",
    "tools/setup.sh",
    "constraints.txt",
)
"""Parts of a checkout that decide what is measured, and how."""
_KEPT = ("HOME", "XDG_CONFIG_HOME")
"""Variables that git needs to find the names that its user ignores everywhere."""
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class RevisionError(MotebenchError):
    """Reason why a commit, or the difference from it, is unknown."""


def code_revision(code: CodeFolder) -> dict[str, Any]:
    """Repository of a folder of code, its commit, and the files that differ from it:
    ``changed_files`` in number, ``changed`` by name. ``unknown`` names missing facts, and why.

    A file counts if its content is another one, if it is missing, and if the commit does not have
    it. What git ignores does not count, unless it is code.
    """
    folder = code.path.resolve()
    root = next(
        (place for place in (folder, *folder.parents) if os.path.lexists(place / ".git")), None
    )
    if root is None:
        return {"unknown": "it is in no git repository"}
    revision: dict[str, Any] = {"repository": path_text(str(root))}
    commit = head(root)
    if commit is None:
        return {**revision, "unknown": "the repository has no commit that can be read"}
    revision["commit"] = commit
    files = {folder / name: content for name, content in code.files.items()}
    files |= {path.resolve(): content for path, content in code.shared.items()}
    try:
        changed = _changed(
            root,
            commit,
            folder,
            {path: text for path, text in files.items() if root in path.parents},
        )
    except (RevisionError, OSError, ValueError) as error:
        return {
            **revision,
            "unknown": f"which files differ from the commit: {printable(str(error))[:200]}",
        }
    names = sorted(path_text(os.path.relpath(path, folder)) for path in changed)
    return {**revision, "changed_files": len(names), "changed": names[:NAMED]}


def _changed(root: Path, commit: str, folder: Path, files: Mapping[Path, bytes]) -> set[Path]:
    with tempfile.TemporaryDirectory(prefix="motebench-git-") as place:
        git = _OwnGit(Path(place), root, commit)
        beside = [path for path in files if folder not in path.parents]
        committed = git.tree([folder, *beside])
        new = files.keys() - committed.keys()
        changed = {
            path for path, entry in committed.items() if not _same(path, entry, files.get(path))
        }
        return changed | new - git.ignored(
            path for path in new if path.suffix not in (*SOURCES, ".h")
        )


def _same(path: Path, entry: tuple[str, str], content: bytes | None) -> bool:
    """True if a file is as the commit has it. ``entry``: its mode and hash there."""
    mode, hashed = entry
    if mode == _LINK:
        return path.is_symlink() and _hash(os.fsencode(path.readlink()), hashed) == hashed
    if content is None:
        return False
    # Git may have converted the ends of lines when it wrote the file.
    return hashed in (_hash(content, hashed), _hash(content.replace(b"\r\n", b"\n"), hashed))


def _hash(content: bytes, like: str) -> str:
    """The name of content in a repository whose names are as long as another one."""
    whole = b"blob %d\0%b" % (len(content), content)
    of_git = (
        hashlib.sha1(whole, usedforsecurity=False) if len(like) == 40 else hashlib.sha256(whole)
    )
    return of_git.hexdigest()


class _OwnGit:
    """Git in an empty repository of our own, with nothing of another repository but its objects."""

    def __init__(self, place: Path, root: Path, commit: str) -> None:
        program = shutil.which("git")
        if program is None:
            raise RevisionError("git is not installed")
        self._place, self._root, self._commit = place, root, commit
        common = common_folder(git_folder(root))
        named = len(commit) == 40
        form = "repositoryformatversion = 0\n" if named else "repositoryformatversion = 1\n"
        extension = "" if named else "[extensions]\n\tobjectformat = sha256\n"
        for name in ("refs", "objects", "info"):
            (place / name).mkdir()
        (place / "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
        (place / "config").write_text(
            f"[core]\n\tbare = false\n\t{form}{extension}", encoding="utf-8"
        )
        with suppress(OSError):
            (place / "info" / "exclude").write_bytes(
                contents(common / "info" / "exclude", _MOST_BYTES)
            )
        self._environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._environment |= _ENVIRONMENT | {
            "GIT_OBJECT_DIRECTORY": str((common / "objects").resolve())
        }
        self._line = [program, f"--git-dir={place}", f"--work-tree={root}"]

    def tree(self, paths: Sequence[Path]) -> dict[Path, tuple[str, str]]:
        """Mode and hash of the files of the commit: of the given files, and of those in the given
        folders.
        """
        # The whole tree has no name of its own there.
        names = [] if self._root in paths else [str(path.relative_to(self._root)) for path in paths]
        output = self._run("ls-tree", "-r", "-z", "--full-tree", self._commit, "--", *names)
        entries = {}
        for line in filter(None, output.split(b"\0")):
            facts, _, name = line.partition(b"\t")
            mode, kind, hashed = facts.decode("ascii").split(" ")
            if kind == "blob":
                entries[self._root / os.fsdecode(name)] = (mode, hashed)
        return entries

    def ignored(self, paths: Iterable[Path]) -> set[Path]:
        """Subset of these paths that the repository ignores."""
        names = b"\0".join(os.fsencode(path) for path in paths)
        if not names:
            return set()
        output = self._run("check-ignore", "-z", "--stdin", "--no-index", given=names, codes=(0, 1))
        return {Path(os.fsdecode(name)) for name in output.split(b"\0") if name}

    def _run(self, *arguments: str, given: bytes = b"", codes: Sequence[int] = (0,)) -> bytes:
        with (
            tempfile.TemporaryFile(dir=self._place) as stdin,
            tempfile.TemporaryFile(dir=self._place) as errors,
        ):
            stdin.write(given)
            stdin.seek(0)
            return _output(
                [*self._line, *arguments], self._place, self._environment, (stdin, errors), codes
            )


def _output(
    line: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    files: tuple[Any, Any],
    codes: Sequence[int],
) -> bytes:
    """Output of a program. RevisionError where it fails, takes too long, or prints too much.
    ``files``: for its input and its errors."""
    with subprocess.Popen(
        line,
        cwd=folder,
        env=dict(environment),
        stdin=files[0],
        stdout=subprocess.PIPE,
        stderr=files[1],
    ) as process:
        late = Timer(_SECONDS, process.kill)
        late.start()
        try:
            assert process.stdout is not None
            output = process.stdout.read(_MOST_BYTES + 1)
            if len(output) > _MOST_BYTES:
                process.kill()
                raise RevisionError(f"git printed more than {_MOST_BYTES >> 20} MiB")
            code = process.wait()
        finally:
            late.cancel()
    if code < 0:
        raise RevisionError(f"git did not answer within {_SECONDS} s")
    if code not in codes:
        files[1].seek(0)
        raise RevisionError(
            files[1].read(400).decode("utf-8", "replace").partition("\n")[0]
            or f"git ended with {code}"
        )
    return bytes(output)


def pinned_facts(target: str, implementation: str, version: str) -> dict[str, Any]:
    """Pinned archive, under ``source``, that a program is built from, if it names the version of
    it.
    """
    cross = target.startswith(EMULATED) or (target.startswith(SSH) and _NATIVE not in target)
    source = source_of(plain(implementation), cross=cross)
    if source is None or source.version not in version:
        return {}
    keys = ("library", "version", "registry", "package", "release", "file", "sha256")
    return {"source": {key: getattr(source, key) for key in keys}}


@cache
def own_revision() -> dict[str, Any]:
    """Version and commit of motebench itself, with the keys of `code_revision`; ``from``:
    ``checkout`` or ``wheel``.
    """
    if not in_checkout():
        wheel = built_from()
        revision: dict[str, Any] = {"version": __version__, "from": "wheel"}
        if wheel is None:
            return {**revision, "unknown": "the wheel records no commit"}
        changed = {} if wheel.changed is None else {"changed_files": wheel.changed}
        return {**revision, "commit": wheel.commit, **changed}
    root = data_root()
    revision, commit = {"version": __version__, "from": "checkout"}, head(root)
    if commit is None:
        return {**revision, "unknown": "it is in no git repository"}
    revision["commit"] = commit
    try:
        names = _own_changes(root)
    except (RevisionError, OSError) as error:
        return {
            **revision,
            "unknown": f"which files differ from the commit: {printable(str(error))[:200]}",
        }
    return {**revision, "changed_files": len(names), "changed": names[:NAMED]}


def _own_changes(root: Path) -> list[str]:
    """Files of this checkout that differ from its commit. Its code runs already: git may read its
    settings.
    """
    program = shutil.which("git")
    if program is None:
        raise RevisionError("git is not installed")
    settings = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    line = [
        program,
        "--no-optional-locks",
        *settings,
        "-C",
        str(root),
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
    ]
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as errors:
        environment = {**os.environ, "LC_ALL": "C"}
        output = _output([*line, "--", *_OWN], root, environment, (stdin, errors), (0,))
    return sorted(path_text(os.fsdecode(entry[3:])) for entry in output.split(b"\0") if entry)
