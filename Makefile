# Everything a newcomer needs: `make demo` and `make test` set themselves up.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt
SOURCES := pyproject.toml constraints.txt hatch_build.py
CORE := $(wildcard core/*.py core/include/*.h core/src/*.h core/src/*.c)
TEST_WORKERS ?= 2
# Workers whose linear algebra has threads of its own wait for each other, spinning.
PYTEST = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: help demo test test-fast browser check lint sanitize compilers evidence-quick bench soak docs interop clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.run $(VENV)/.core ## Set up, then plan an obstacle course and a falling tree: motions, plans, pictures and videos in out/
	$(BIN)/gambol demo

test: $(VENV)/.dev $(VENV)/.core browser ## Set up, then run the tests
	@echo "== Running the tests ($(TEST_WORKERS) workers; the first run compiles the numba kernels)"
	$(PYTEST)

test-fast: $(VENV)/.dev $(VENV)/.core ## Run the tests that take little time: within two minutes where kernels are compiled
	$(PYTEST) -m 'not slow'

browser: # Chromium for the tests of the viewer: installed where that needs no questions, else its tests are skipped
	@for name in "$${GAMBOL_CHROMIUM:-chromium}" chromium-browser google-chrome google-chrome-stable; do \
		command -v "$$name" >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "== Installing Chromium for the tests of the viewer"; \
		{ apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0; \
		why="apt-get could not install it"; \
	else why="install it, or name one in GAMBOL_CHROMIUM"; fi; \
	echo "== There is no Chromium: the tests of the viewer in a browser are skipped ($$why)"

check: lint test ## Lint, check types and layers, then run the tests

lint: $(VENV)/.dev
	@echo "== Checking style, types and layers"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

sanitize: $(VENV)/.dev ## Run the tests that call the core with one that watches its memory and its numbers
	$(BIN)/python core/sanitize.py

compilers: $(VENV)/.dev ## Hold the core by zig's compiler, and for another processor, against that of the system's compiler
	@test -x $(VENV)-zig/bin/python || { $(BIN)/python -m venv $(VENV)-zig; $(VENV)-zig/bin/pip install --quiet ziglang; }
	@command -v qemu-aarch64 > /dev/null || echo "== There is no qemu-aarch64: answers of another processor are left out"
	GAMBOL_ZIG="$(VENV)-zig/bin/python -m ziglang" $(BIN)/python -m pytest tests/core/test_compilers.py

evidence-quick: $(VENV)/.dev $(VENV)/.core ## Measure every published item at a size of seconds, and fail where a claim that must hold does not
	$(PYTEST) evidence/tests

bench: $(VENV)/.bench $(VENV)/.core ## Measure speed, as ratios in one run, and write docs/benchmarks.md
	$(BIN)/python -m evidence.benchmarks

soak: $(VENV)/.dev $(VENV)/.core ## Gather the long evidence (hours; resumable) into evidence/soak/results/
	$(BIN)/python -m evidence.soak

interop: $(VENV)/.dev ## Check exported files with the Khronos validator and with Blender (large downloads)
	@echo "== Writing files and giving them to the Khronos validator"
	$(BIN)/gambol demo
	npm install --prefix tools --no-package-lock --silent
	node tools/validate_gltf.mjs out/*.glb
	@echo "== Opening them in Blender, and Blender's in our readers"
	$(BIN)/python tools/check_blender.py $(if $(BLENDER_PYTHON),--blender-python $(BLENDER_PYTHON))

docs: $(VENV)/.docs ## Build the documentation site into site/ (the pages are readable as they are in docs/, too)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "== Look at it: $(BIN)/python -m http.server --directory site, then http://localhost:8000"

clean: ## Remove the environment, caches and output
	rm -rf $(VENV) out site build dist .pytest_cache .ruff_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environments: one stamp for running, one for developing, one for measuring, each with those before it; one for the site.
$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Gambol needs Python 3.11 or newer; none was found (set PYTHON=...)"; exit 2; }
	@echo "== Creating a virtual environment in $(VENV) with $$($(PYTHON) --version)"
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(SOURCES) | $(VENV)/bin/python
	@echo "== Installing Gambol and what it needs to run (about a minute)"
	$(PIP_INSTALL) --editable '.[crowds,pictures,usd]'
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(VENV)/bin/python
	@echo "== Installing Gambol and what its tests need (about two minutes)"
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.run $(VENV)/.docs

$(VENV)/.core: $(CORE) | $(VENV)/.run
	@$(BIN)/python core/build.py > /dev/null
	@touch $@

$(VENV)/.docs: $(SOURCES) | $(VENV)/bin/python
	@echo "== Installing what the documentation site needs"
	$(PIP_INSTALL) --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(SOURCES) | $(VENV)/bin/python
	@echo "== Installing what Gambol is measured beside"
	$(PIP_INSTALL) --editable '.[bench]'
	@touch $@ $(VENV)/.dev $(VENV)/.run $(VENV)/.docs
