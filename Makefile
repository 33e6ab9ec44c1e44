# Everything a newcomer needs. Each target sets up what it needs; a second call is instant.
#
#   make demo                 a sample benchmark on a small real model, live in the browser
#   make demo DEMO=--exit     the same, then stop
#   make test                 everything that CI runs

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SILENT:
# What was built and did not pass its check is not there.
.DELETE_ON_ERROR:
# What Python compiles is kept, whatever the surroundings say: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

VENV    := .venv
BIN     := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
EMBEDDINGS := $(VENV)/.embeddings
DEV     := $(VENV)/.dev
TESTED  := $(VENV)/.tested
MODULES := web/node_modules/.installed
SPA     := web/dist/index.html
# Where there is a make that can: what runs side by side is not printed mixed.
SYNC    := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
WORKERS := $(shell scripts/workers.sh)
PYTHONS := libs services cli tests tools benchmarks conftest.py
# Rooms whose prose the linter of language accepts. The aim is all of them.
PLAIN   := libs services cli tests tools benchmarks web/src web/bench web/e2e web/pictures

WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/dist/*' \
	-not -path '*/e2e/*' -not -path '*/pictures/*' -not -path '*/bench/*' -not -path '*/test-results/*' -not -path '*/playwright-report/*')
PAGES := $(wildcard *.md) $(shell find docs -name '*.md')

.PHONY: help demo up embeddings web dist test test-can-run lint format gen check-gen test-web test-python test-again test-e2e test-bare test-compose test-containers guard security audit chaos bench screens lock clean

help:  ## Show this list
	echo "llmbench: benchmark and judge language models. Targets:"
	grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 16 | sed 's/^/  make /'

demo: $(RUNTIME) $(SPA)  ## A sample benchmark on the built-in model (DEMO=--exit stops after it)
	exec $(BIN)/llmbench demo $(DEMO)

up: $(RUNTIME) $(SPA)  ## The platform at one URL, until Ctrl-C (UP=--no-model, …)
	exec $(BIN)/llmbench up $(UP)

embeddings: $(EMBEDDINGS)  ## An embedding model that runs here, for semantic_similarity and bert_score (110 MB)

web: $(SPA)  ## Build the web application and the documentation

dist: $(RUNTIME) $(SPA)  ## One wheel into dist/ that needs no make, git or Node: pipx install dist/*.whl
	rm -rf dist
	scripts/step.sh --usual 30 "dist: building the wheel" scripts/dist.sh dist
	ls dist/*.whl

test: test-can-run $(DEV) $(MODULES)  ## Everything that CI runs
	scripts/chromium.sh >/dev/null
	# check-gen writes the API client anew, which lint and test-web read: they wait for it.
	$(MAKE) --jobs 2 $(SYNC) guard check-gen
	$(MAKE) --jobs 2 $(SYNC) lint test-web
	status=0; \
	$(MAKE) --jobs 2 BY_LINE='| while IFS= read -r line; do echo "$$$$line"; done' LATER=--later test-python test-e2e || status=$$?; \
	$(MAKE) test-again || status=$$?; \
	$(BIN)/python -m tests.browser.verdict || status=$$?; \
	exit $$status

test-can-run:  # What no set-up brings is named before anything else
	command -v git >/dev/null || { echo "error: the tests ask git for the list of files. On Debian: apt install git" >&2; exit 1; }
	scripts/chromium.sh --early

lint: $(DEV) $(MODULES)  ## ruff, mypy, import-linter, oxlint, tsc
	echo "── lint"
	$(BIN)/ruff check $(PYTHONS)
	$(BIN)/ruff format --check $(PYTHONS)
	for room in libs/common services/* cli tests tools benchmarks; do echo "mypy $$room"; $(BIN)/mypy "$$room"; done
	$(BIN)/lint-imports
	$(BIN)/python -m tools.language $(PLAIN)
	scripts/with-node.sh npm --prefix web run --silent lint
	scripts/with-node.sh npm --prefix web run --silent typecheck

format: $(DEV)  ## Format the Python code
	$(BIN)/ruff check --fix $(PYTHONS)
	$(BIN)/ruff format $(PYTHONS)

gen: $(DEV) $(MODULES)  ## Write everything that is generated: OpenAPI, schemas, diagrams, API client
	scripts/with-node.sh $(BIN)/python -m tools.gen

check-gen: $(DEV) $(MODULES)  ## Fail when something generated is out of date
	echo "── generated files"
	scripts/with-node.sh $(BIN)/python -m tools.gen --check

test-web: $(MODULES)  ## Unit tests of the web application
	echo "── web: unit tests"
	scripts/with-node.sh npm --prefix web run --silent test

test-python: $(DEV) $(SPA)  ## Python tests, on real servers (PYTEST=… passes options)
	echo "── python: tests"
	scripts/in-memory.sh $(BIN)/python -m tests.retry_failed run $(TESTED) $(LATER) \
		--numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST) $(BY_LINE)

test-again: $(DEV)  # The Python tests that failed, alone; and the verdict on both times
	echo "── python: verdict"
	scripts/in-memory.sh $(BIN)/python -m tests.retry_failed again $(TESTED)

test-e2e: $(DEV) $(SPA)  ## Browser tests in a real Chromium
	echo "── web: browser tests"
	CHROMIUM_PATH="$$(scripts/chromium.sh)" scripts/in-memory.sh scripts/with-node.sh $(BIN)/python -m tests.browser

test-bare:  ## The README's commands in a container that has next to nothing (BASE=debian:12-slim)
	scripts/test-bare.sh

test-compose:  ## docker-compose.yml in use: built, killed, scaled, restarted, backed up and restored (needs Docker)
	scripts/test-compose.sh

test-containers:  ## The tests on servers again, on PostgreSQL and NATS in containers (needs Docker)
	scripts/test-containers.sh

guard: $(DEV)  ## Whether an item costs more CPU than it did (KEEP=1 keeps the new figure)
	echo "── guard: a short run beside a bare loop"
	scripts/in-memory.sh $(BIN)/python -m benchmarks.guard $(if $(KEEP),--keep)

security: $(DEV) $(SPA)  ## The long form of the tests of security, and an audit; the last line is JSON
	WORKERS=$(WORKERS) scripts/with-node.sh $(BIN)/python -m tests.security

audit: $(DEV) $(MODULES)  ## Ask the advisory databases about everything that runs
	scripts/with-node.sh $(BIN)/python -m tests.security.audit

chaos: $(DEV)  ## Break everything by seeded plans, and audit (SEEDS=300 FROM=1 JOBS=1 HAVING="suite groups queue")
	exec $(BIN)/python -m tests.chaos --seeds $(or $(SEEDS),20) --from $(or $(FROM),1) --jobs $(or $(JOBS),1) \
		$(and $(HAVING),--having $(HAVING))

bench: $(DEV) $(SPA)  ## Measure, and report (ONLY=<scenario>; ITEMS=100000 of growth)
	ITEMS="$(ITEMS)" CHROMIUM_PATH="$$(scripts/chromium.sh)" scripts/with-node.sh $(BIN)/python -m benchmarks $(ONLY)

screens: $(DEV) $(SPA)  ## Make the pictures of docs/screens anew
	CHROMIUM_PATH="$$(scripts/chromium.sh)" scripts/with-node.sh $(BIN)/python -m tools.screens

lock: $(DEV)  ## Resolve the dependencies of pyproject.toml anew
	scripts/lock.sh

clean:  ## Remove what was installed and built; data in .llmbench stays
	rm -rf $(VENV) web/node_modules web/dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	scripts/make-venv.sh $(VENV)

$(RUNTIME): $(VENV)/bin/python requirements-build.lock requirements.lock requirements-model.lock pyproject.toml
	scripts/install.sh $(VENV) "to run" 60 requirements-build.lock requirements.lock requirements-model.lock
	touch $@

$(EMBEDDINGS): requirements-embeddings.lock $(RUNTIME)
	scripts/install.sh $(VENV) "for embeddings" 15 requirements-embeddings.lock
	touch $@

$(DEV): requirements-dev.lock $(RUNTIME) $(EMBEDDINGS)
	scripts/install.sh $(VENV) "to check and test" 30 requirements-dev.lock
	touch $@

$(MODULES): web/package-lock.json web/package.json | $(VENV)/bin/python
	scripts/install-web.sh
	touch $@

$(SPA): $(MODULES) $(WEB_SOURCES) $(PAGES) pyproject.toml
	scripts/step.sh --usual 15 --hint "The messages above say what to change." "web: building the application" \
		scripts/with-node.sh npm --prefix web run --silent build
	touch $@
