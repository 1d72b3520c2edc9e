# `make help` lists the targets. You install nothing by hand: tools/setup.sh does it.
.DEFAULT_GOAL := help
.PHONY: help setup run test test-all test-lowest lint format docs dist clean
MAKEFLAGS += --no-print-directory
PY := .venv/bin/python
PYTEST_ARGS ?=
# Files in their order: the slow ones of tests/integration come before tests/unit, so that both processes end together.
TWO_AT_ONCE = -n 2 --dist loadfile --no-loadscope-reorder
# BROWSER=no leaves out the tests that need Chromium.
BROWSER ?= yes
# How many fuzz tests `make test-all` runs: this many examples of each property, 100 times as many stores, studies,
# vectors, messages and recordings each, and 5 times as many command lines. FUZZ=2000 is the nightly form: 10^6 cases.
FUZZ ?= 200
# WITH=wolfssl,openssl4 also installs or builds optional libraries, now and at every later make; WITH=none removes them again.
WITH ?= $(MOTEBENCH_WITH)
export MOTEBENCH_WITH := $(WITH)
# The build for tests: sanitizers, and warnings as errors. MOTEBENCH_WITH in CMake's form.
CHECKED = -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMOTEBENCH_TESTS=ON -DMOTEBENCH_SANITIZE=ON -DCMAKE_C_FLAGS=-Werror \
	-DCMAKE_CXX_FLAGS=-Werror -DMOTEBENCH_WITH="$$(tr ' ' ';' < .setup/with)"

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: ## Install what is missing, build the probes: leaves .venv/bin/motebench (WITH=wolfssl,openssl4)
	@tools/setup.sh

run: ## Measure this machine with studies/quickstart.toml; writes report.html
	@tools/setup.sh quick
	@.venv/bin/motebench run studies/quickstart.toml --report report.html

test: ## All tests of C, Java and Python (PYTEST_ARGS=..., BROWSER=no, SKIPS=no: a skipped test fails)
	@tools/setup.sh $(if $(filter no,$(BROWSER)),tests,browser)
	@cmake -S core -B build/sanitize $(CHECKED) > .setup/sanitize.log 2>&1 || { cat .setup/sanitize.log; exit 1; }
	@cmake --build build/sanitize -j 2 > .setup/sanitize.log 2>&1 || { cat .setup/sanitize.log; exit 1; }
	@ctest --test-dir build/sanitize --output-on-failure --no-tests=error -j 2
	@cmake -S simulators -B build/sanitize-simulators $(CHECKED) > .setup/sanitize.log 2>&1 && \
		cmake --build build/sanitize-simulators -j 2 >> .setup/sanitize.log 2>&1 || { cat .setup/sanitize.log; exit 1; }
	@ctest --test-dir build/sanitize-simulators --output-on-failure --no-tests=error -j 2
	@probes/java/build.sh test
	@$(PY) -m pytest $(TWO_AT_ONCE) $(if $(filter no,$(BROWSER)),-m 'not browser') $(if $(filter no,$(SKIPS)),--no-skips) $(PYTEST_ARGS)

test-all: test ## make test, then the long tests: kills, full disks, fuzzing (FUZZ=200 examples each)
	@MOTEBENCH_LONG=1 $(PY) -m pytest $(TWO_AT_ONCE) -m long
	@MOTEBENCH_FUZZ=$(FUZZ) $(PY) -m pytest -n 2 --dist load tests/fuzz

test-lowest: setup ## Some unit tests with the lowest versions of packages that pyproject.toml allows
	@tools/lowest.sh $(PYTEST_ARGS)

lint: setup ## Linters, formatters, type checker, catalog check
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) tools/lint_c.py
	$(PY) -m mypy
	$(PY) -m motebench.catalog

format: setup ## Format the Python and C files
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(PY) tools/lint_c.py --format

docs: setup ## Generated parts of docs/, anew from the declarations
	$(PY) tools/reference.py

dist: ## sdist, wheels, list of parts and hashes, in dist/
	@tools/setup.sh quick
	@$(PY) -c 'import ziglang' 2>/dev/null || $(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt ziglang
	@$(PY) tools/build_dist.py

clean: ## Remove everything that was installed or built here; stores and reports stay
	rm -rf .venv .setup build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
