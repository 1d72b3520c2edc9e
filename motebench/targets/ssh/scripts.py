"""Scripts for the shell of a board: POSIX ``sh``, with the tools that BusyBox has.

Every text that goes into a script is motebench's own, or quoted. ``nonce`` marks our lines among
those of a login.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import join, quote

PREFIX = ".motebench-"
"""Prefix of a folder's name, followed by the host and the start of its system: folders of earlier
starts are left over. On a home that hosts share, folders of other hosts stay.
"""
_HEAD = (
    "umask 077; LC_ALL=C; export LC_ALL; "
    'PATH="$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"; export PATH\n'
)
_SPACE_KIB = "32768 4096"
"""Free memory of a folder in KiB that is looked for: first one with much, then one with enough."""
_WATCH_SECONDS, _MISSED = 60, 5

_KEEPER = """echo
trap '' PIPE
begun() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
end_all() {
  ls -l /proc/[0-9]*/exe /proc/[0-9]*/cwd 2>/dev/null | while IFS= read -r line; do
    case "$line" in *"/exe -> $1/"*|*"/cwd -> $1/"*)
      p=${line#*/proc/}; kill -KILL "${p%%/*}" 2>/dev/null ;; esac
  done
}
remove() {
  tries=0
  while [ -n "$1" ] && [ -d "$1" ] && [ $tries -lt 5 ]; do
    end_all "$1"; rm -rf -- "$1" 2>/dev/null; tries=$((tries + 1)); [ ! -d "$1" ] || sleep 1
  done
}
host=$(uname -n | cksum | cut -d' ' -f1)
boot=; read -r boot </proc/sys/kernel/random/boot_id
mine=@PREFIX@$host-${boot%%-*}-
places() { printf '%s\\n' /tmp /var/tmp "$XDG_RUNTIME_DIR" "$HOME/.cache" /dev/shm "$HOME"; }
not() { echo "$nonce not $1 $2"; }
places | while IFS= read -r p; do
  [ -d "$p" ] && for f in "$p/@PREFIX@$host"-*; do
    [ -d "$f" ] && [ ! -h "$f" ] && [ -O "$f" ] || continue
    case "$f" in */"$mine"*) ;; *) remove "$f"; continue ;; esac
    [ -f "$f/keeper" ] && read -r pid since <"$f/keeper" || continue
    case "$pid" in ''|*[!0-9]*) continue ;; esac
    [ "$since" = "$(begun "$pid")" ] || remove "$f"
  done
done
d=
for need in @SPACE@; do
  for p in /tmp /var/tmp "$XDG_RUNTIME_DIR" "$HOME/.cache" /dev/shm "$HOME"; do
    case "$p" in /*) ;; *) continue ;; esac
    [ -d "$p" ] || continue
    [ -w "$p" ] || { not writable "$p"; continue; }
    free=$(df -kP "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d' ' -f4)
    case "$free" in ''|*[!0-9]*) free=99999999 ;; esac
    [ "$free" -ge "$need" ] || { not room "$p"; continue; }
    d=$(mktemp -d "$p/${mine}XXXXXX" 2>/dev/null) || d=
    case "$d" in /*/"$mine"??????) ;; *) d=; not writable "$p"; continue ;; esac
    { echo "$$ $(begun $$)" >"$d/keeper" && mkdir "$d/run" "$d/empty" && chmod 500 "$d/empty" &&
      printf '#!/bin/sh\\nexit 7\\n' >"$d/try" && chmod 700 "$d/try"
    } 2>/dev/null || { not room "$p"; rm -rf "$d"; d=; continue; }
    "$d/try" 2>/dev/null
    [ $? = 7 ] && rm -f "$d/try" && break 2
    not executable "$p"; rm -rf "$d"; d=
  done
done
[ -n "$d" ] || { echo "$nonce none"; echo "$nonce ready"; exit; }
trap 'remove "$d"; exit 1' HUP INT TERM
(
  missed=0
  trap 'kill $s 2>/dev/null; exit' TERM
  while :; do
    sleep @WATCH@ & s=$!
    wait $s
    if [ -e "$d/beat" ]; then rm -f "$d/beat"; missed=0; else missed=$((missed + 1)); fi
    if [ $missed -ge @MISSED@ ] || ! kill -0 $$ 2>/dev/null; then
      trap '' TERM; remove "$d"; kill -KILL $$ 2>/dev/null; exit
    fi
  done
) </dev/null >/dev/null 2>&1 &
watch=$!
echo "$nonce folder $d"
echo "$nonce ready"
while read -r beat; do echo "$beat"; : 2>/dev/null >"$d/beat"; done
trap '' HUP INT TERM
kill $watch 2>/dev/null
remove "$d"
"""

_WAITER = """echo
echo "$nonce ready"
while read -r beat; do echo "$beat"; done
"""

FACTS = """echo "uname=$(uname -s -m)"
echo "release=$(uname -r)"
echo "cpus=$(grep -c ^processor /proc/cpuinfo)"
for t in gzip sha256sum cksum taskset; do command -v $t >/dev/null 2>&1 && echo "tool=$t"; done
echo cpuinfo
head -c 65536 /proc/cpuinfo 2>/dev/null || dd bs=1024 count=64 if=/proc/cpuinfo 2>/dev/null
"""


def keeper(nonce: str) -> str:
    """Script of the keeper: it removes folders of ended keepers, makes one, and removes it at the
    end. Its programs end with it, as do abandoned compilers in its folder.
    """
    values = {
        "PREFIX": PREFIX,
        "SPACE": _SPACE_KIB,
        "WATCH": str(_WATCH_SECONDS),
        "MISSED": str(_MISSED),
    }
    text = _KEEPER
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return f"{_HEAD}nonce={nonce}\n{text}"


def waiter(nonce: str) -> str:
    """Script of further connections: answers only."""
    return f"{_HEAD}nonce={nonce}\n{_WAITER}"


def marked(script: str, nonce: str) -> str:
    """A script whose output stands between two marks, the second of them with its exit status."""
    return f"{_HEAD}echo {nonce}\n(\n{script}\n)\nstatus=$?\necho {nonce} $status\n"


def receive(folder: str, name: str, size: int, *, packed: bool, by: str) -> str:
    """Keeps standard input as a program. ``packed``: by gzip. ``by``: the program that adds it
    up."""
    part, whole = quote(f"{folder}/{name}.part"), quote(f"{folder}/{name}")
    return (
        f"cd {quote(folder)} || exit 9\n"
        f"{'gzip -dc' if packed else 'cat'} 2>&1 >{part} || {{ cat >/dev/null; rm -f {part}; "
        "exit 8; }\n"
        f'[ "$(wc -c <{part})" -eq {size} ] || {{ rm -f {part}; exit 8; }}\n'
        f"chmod 700 {part} && {by} <{part} && mv {part} {whole}\n"
    )


def launch(
    folder: str,
    number: int,
    nonce: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    core: int | None = None,
    alone: bool = False,
) -> str:
    """Starts a program of the folder, on that core.

    Before it comes ``{nonce} PID`` on standard output, after it ``{nonce} end STATUS`` on standard
    error.
    """
    program = f"{folder}/{command[0]}"
    pinned = [] if core is None else ["taskset", "-c", str(core)]
    variables = [f"{name}={value}" for name, value in environment.items()]
    arguments = ["env", *(["-i"] if alone else []), *variables, *pinned, program, *command[1:]]
    run = quote(f"{folder}/run/{number}")
    inner = f'echo $$ >{run}; echo "$0 $$"; exec "$@"'
    return (
        f"{_HEAD}cd {quote(f'{folder}/empty' if alone else folder)} 2>/dev/null && [ -x "
        f"{quote(program)} ] ||\n"
        f"  {{ echo {nonce} gone; exit 1; }}\n"
        f"sh -c {quote(inner)} {nonce} {join(arguments)}\n"
        f"status=$?\nrm -f {run}\necho {nonce} end $status >&2\nexit $status\n"
    )


def end(folder: str, number: int) -> str:
    """Kills a program that `launch` started, if it still runs."""
    run = quote(f"{folder}/run/{number}")
    return (
        f"read -r pid <{run} || exit 0\n"
        f'case "$pid" in ""|*[!0-9]*) exit 0 ;; esac\n'
        f'case "$(readlink "/proc/$pid/exe" 2>/dev/null)" in {quote(folder)}/*) kill -KILL '
        '"$pid" ;; esac\n'
        f"rm -f {run}\n"
    )
