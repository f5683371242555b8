# Two commands: `make app` opens the app, `make test` runs the tests. Each sets up what it needs. `make test-slow` runs what
# `make test` leaves out: tests that start clusters, kill processes, install copies, run
# benchmarks, take whole journeys or put every page under axe.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501
PYTEST ?= -n 3 --dist loadgroup
# make test ONLY='-m needs_data': the tests of the data sets in MIVSPOOL_TU_URL and of ../shared/cases alone
ONLY ?= -m 'not slow'
export PYTHONWARNINGS ?= ignore::UserWarning:torch
# a test's processes start anew many hundred times, and read what was compiled once
unexport PYTHONDONTWRITEBYTECODE

# what reads SMILES on the static site; without npm or its registry the tests of it are skipped
RDKIT := build/rdkit-rdkit-2026.9.1.tgz

.PHONY: app test test-slow lint bench soak docs pins dist clean

app: $(VENV)/.app
	@echo "== opening the app at http://127.0.0.1:$(PORT) (Ctrl-C ends it)"
	$(BIN)/mivspool app --port $(PORT)

# one thread each: the tests run side by side
test test-slow: export OMP_NUM_THREADS ?= 1
test: $(VENV)/.dev $(RDKIT)
	@echo "== running the tests (about 9 minutes on two cores)"
	$(BIN)/python -m pytest $(PYTEST) $(ONLY)

test-slow: $(VENV)/.dev
	@echo "== running the slow tests (about 5 minutes on two cores)"
	$(BIN)/python -m pytest $(PYTEST) -m slow

lint: $(VENV)/.dev
	@echo "== checking style (ruff) and types (mypy)"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	@echo "== measuring against other libraries, side by side (an hour; nothing else may run), and docs/performance.md"
	$(BIN)/mivspool bench all --write docs/performance
	$(BIN)/python -m tools.performance
	$(BIN)/python -m tools.large

soak: $(VENV)/.dev
	@echo "== fuzzing, kills and load (long; results go to docs/soak.md)"
	$(BIN)/python -m tests.soak

docs: $(VENV)/.dev
	@echo "== the API reference from the docstrings (build/api/index.html), the pages of settings and formats, what docs/reproduction.md says was found, the figures of docs/performance.md and large.md, the handout's exercises, and the gallery's and README's pictures"
	$(BIN)/python tools/api.py
	$(BIN)/python tools/gallery.py
	$(BIN)/python -m tools.preview
	$(BIN)/python -m tools.links
	$(BIN)/python -m tools.settings
	$(BIN)/python -m tools.formats
	$(BIN)/python -m tools.streamlit_config
	$(BIN)/python -m tools.reproduction
	$(BIN)/python -m tools.performance
	$(BIN)/python -m tools.large
	$(BIN)/python -m tools.handout
	$(BIN)/python -m tools.screenshots
	$(BIN)/python -m tools.site

pins: $(VENV)/.dev
	$(BIN)/python tools/pin.py

dist: $(VENV)/.dev
	@echo "== building what is published (dist/): wheel, source archive, and a list of the app's packages as CycloneDX"
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-file dist/mivspool.cdx.json

$(RDKIT):
	@echo "== fetching RDKit's WebAssembly from npm's registry, for the tests of SMILES on the static site"
	@mkdir -p build
	-npm pack --silent --fetch-retries=0 --fetch-timeout=30000 --pack-destination=build @rdkit/rdkit@2026.9.1

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "MIVSPool needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@echo "== making a virtual environment in $(VENV)"
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: $(BIN)/python requirements.txt pyproject.toml setup.py
	@echo "== installing what the app needs (a few minutes the first time; PyTorch is large)"
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@echo "== compiling the loops (once)"
	$(BIN)/python -m mivspool.warm_up
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.txt
	@echo "== installing what the tests need"
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
