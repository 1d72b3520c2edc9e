#!/usr/bin/env bash
# Runs tests with the lowest versions of packages that pyproject.toml allows, in an environment of their own: build/lowest.
# Needs .venv, which `make setup` makes. Further arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=build/lowest pins=constraints-lowest.txt index=${UV_DEFAULT_INDEX:-${PIP_INDEX_URL:-}}
tests=(
    tests/unit/base tests/unit/documents tests/unit/store/test_store.py tests/unit/store/test_store_checking.py
    tests/unit/stats/test_distributions.py tests/unit/stats/test_stats_describe.py
    tests/unit/stats/test_stats_uncertainty.py tests/unit/results/test_results.py tests/unit/show/test_plot.py
    tests/unit/show/test_report.py tests/unit/targets/test_wire.py tests/unit/targets/test_stream.py
    tests/unit/cli/test_help.py tests/unit/cli/test_table.py tests/unit/cli/test_mistakes.py
    tests/unit/project/test_exceptions.py
)

if ! cmp -s "$pins" "$folder/installed"; then
    rm -rf "$folder"
    .venv/bin/python -m venv "$folder"
    env ${index:+"UV_DEFAULT_INDEX=$index"} .venv/bin/uv pip install --quiet --python "$folder/bin/python" -r "$pins" ||
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$pins"
    cp "$pins" "$folder/installed"
fi
# Tests start motebench in other folders, too, and it is not installed here.
export PYTHONPATH=$PWD
exec "$folder/bin/python" -m pytest -n 2 --dist loadfile "${tests[@]}" "$@"
