#!/usr/bin/env bash
# Writes the launchers of the Python probe into build/probes; the probe itself needs no build. Its libraries (the extra
# `probes` of pyproject.toml) are in .venv; this script installs the missing ones.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ -x .venv/bin/python ] && ! .venv/bin/python -c 'import Crypto, cryptography' 2>/dev/null; then
    if ! [ -e pyproject.toml ]; then # an installation: its environment is not ours to change
        echo "python probe: not built: install the wheel with its extra: pip install 'FILE.whl[probes]'" >&2
        exit 0
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt cryptography pycryptodome >&2
fi

launcher() {
    local path=build/probes/motebench-probe-$1
    mkdir -p build/probes
    cat >"$path.new" <<LAUNCHER
#!/bin/sh
# Made by probes/python/build.sh. MOTEBENCH_PYTHON: another interpreter, which must have the library itself.
root=\$(dirname "\$0")/../..
# -I: neither the user's packages nor the caller's folder; -B: nothing is written into the checkout
exec "\${MOTEBENCH_PYTHON:-\$root/.venv/bin/python}" -I -B "\$root/probes/python" $1
LAUNCHER
    chmod +x "$path.new"
    if cmp -s "$path.new" "$path"; then
        rm "$path.new"
    else
        mv -f "$path.new" "$path"
    fi
}

launcher pycryptodome
launcher cryptography
