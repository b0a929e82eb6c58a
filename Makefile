# griotte: everything a fresh machine needs beyond Python 3.11 and make is installed into .venv

SHELL := /bin/sh
PY := .venv/bin/python
READY := .venv/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo format lint test test-all test-features test-arm test-pages site gallery mutants same table bench race clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY)  ## make .venv with griotte in it, and a C compiler where there is none

demo: $(READY)  ## run the demonstration
	@$(PY) examples/demo.py

format: $(READY)  ## write all Python as the formatter has it
	@$(PY) -c 'import ruff' 2>/dev/null || $(PY) -m pip install -q -e '.[dev]'
	@$(PY) -m ruff format --quiet src tests benchmarks examples docs/lab site

lint: $(READY)  ## look the code over and check its types; installs ruff, mypy and pyright
	@$(PY) -c 'import mypy, pyright, ruff' 2>/dev/null || $(PY) -m pip install -q -e '.[dev]'
	@$(PY) -m ruff format --check --quiet src tests benchmarks examples docs/lab site || { echo "expected files as make format leaves them; run it" >&2; exit 1; }
	@$(PY) -m ruff check src tests benchmarks examples docs/lab site
	@$(PY) -m mypy
	@$(PY) -m mypy --config-file tests/typing/mypy.ini tests/typing/example.py
	@$(PY) -m pyright --pythonpath $(PY) -p tests/typing

test: $(READY)  ## run the tests
	@$(PY) -m pytest -n 2 --dist worksteal

test-all: $(READY)  ## run the long ones as well
	@$(PY) -m pytest -n 2 --dist worksteal --all

# As a CPU without the others' features would: FEATURES=avx2 or portable. Here is what asks the CPU: kernels of each target, and all that is
# made for the target native. C for a machine that a test describes is the same with features hidden, and `make test` has run it: so of tests/codegen
# one file is here.
ASKS_THE_CPU := tests/machine tests/codegen/test_nests.py tests/runtime tests/engine/rewrites/test_parallel.py tests/tools/test_check.py \
  tests/tools/test_cli.py tests/test_docs.py tests/test_examples.py tests/compiler/test_tuning.py
test-features: $(READY)  ## run the tests that ask the CPU with features of it hidden: FEATURES=avx2
	@GRIOTTE_CPU=$(FEATURES) $(PY) -m pytest -n 2 --dist worksteal $(ASKS_THE_CPU)

# Kernels of Arm, compiled by cross compilers and run in an emulator. ARM_PYTHON=yes: then griotte itself in a CPython of Arm, some minutes more.
test-arm: $(READY)  ## run the tests of Arm in an emulator; installs it and cross compilers (Debian, as root)
	@tests/emulated/install
	@$(PY) -m pytest -n 2 --dist worksteal --all tests/emulated
	@[ -z "$(ARM_PYTHON)" ] || PYTHON=$(CURDIR)/$(PY) tests/emulated/cpython

test-pages: $(READY)  ## look at pages in a browser, light and dark, wide and narrow; installs chromium (Debian, as root)
	@tests/browser/install
	@$(PY) -m pytest tests/browser

mutants: $(READY)  ## plant 200 small faults, one at a time, and run the tests that should notice: MUTANTS="--jobs 8 --minutes 60"
	@$(PY) benchmarks/mutants.py $(MUTANTS)

site: $(READY)  ## build the documentation as a site, build/site/index.html; installs zensical
	@$(PY) -c 'import zensical, mkdocstrings' 2>/dev/null || $(PY) -m pip install -q -e '.[site]'
	@$(PY) site/build.py build/pages && cp site/zensical.toml build/zensical.toml
	@cd build && ../$(PY) -m zensical build --clean --strict
	@$(PY) site/build.py --finish build/site

GALLERY :=
gallery: $(READY)  ## write docs/gallery from measurements that are kept; GALLERY=--measure measures first
	@$(PY) benchmarks/gallery.py $(GALLERY)

BASE := HEAD
same: $(READY)  ## compare programs, costs and C with those of another commit: BASE=HEAD~1; SAME="--show 3" shows diffs
	@$(PY) benchmarks/same.py $(BASE) $(SAME)

table: $(READY)  ## make the table that comes with griotte anew, where the space or a machine became another
	@$(PY) benchmarks/shipped.py

bench: $(READY)  ## measure kernels against NumPy and others
	@$(PY) benchmarks/run.py

race: $(READY)  ## time kernels beside every rival at its best setting; installs the rivals; RACE=--publish writes the published tables
	@$(PY) benchmarks/race.py $(RACE)

clean:  ## remove what tests and builds leave; .venv stays
	@rm -rf build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
	@find src tests examples benchmarks docs/lab -name __pycache__ -type d -prune -exec rm -rf {} +

# PYTHON=... chooses the interpreter.  A .venv that failed half-way is removed, not reused.
$(READY): pyproject.toml
	@if ! $(PY) -c '' 2>/dev/null; then \
	  for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python; do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	    python=; \
	  done; \
	  if [ -z "$$python" ]; then \
	    echo "expected Python 3.11 or later on PATH, found none; install it, or run: make PYTHON=/path/to/python3.11" >&2; \
	    exit 1; \
	  fi; \
	  echo "making .venv with $$python"; \
	  if ! "$$python" -m venv --clear .venv; then \
	    rm -rf .venv; \
	    echo "expected $$python to make a virtual environment, found the error above; install its venv module (Debian: python3-venv)" >&2; \
	    exit 1; \
	  fi; \
	fi
	@extras=test,demo; \
	if [ -z "$$CC" ] && ! command -v gcc >/dev/null && ! command -v clang >/dev/null && ! command -v cc >/dev/null; then \
	  echo "no gcc, clang or cc on PATH: installing the compiler wheel as well (380 MB)"; \
	  extras=$$extras,zig; \
	fi; \
	echo "installing griotte[$$extras] into .venv"; \
	$(PY) -m pip install -q -e ".[$$extras]"
	@touch $@
