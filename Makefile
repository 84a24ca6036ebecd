# Every command does its own set-up on a machine that has Python 3.11 and make.
PYTHON ?= python3.11
ifeq ($(shell command -v $(PYTHON) 2>/dev/null),)
PYTHON := python3
endif
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TORCH := $(VENV)/.torch
BENCH := $(VENV)/.bench

.DEFAULT_GOAL := help
.PHONY: help setup demo test long soak bench check tour format clean

help: ## Show this
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(STAMP) ## Build .venv beside this file; again when the pins change

$(STAMP): constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV): about 170 MB of packages, a minute or two, once."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group dev -e ".[postgres]"
	@touch $@

demo: setup ## Try it: a Slack-like page with the bot in it, on this computer
	$(BIN)/python -m bot demo $(ARGS)

test: setup ## Run all tests, four files at a time (they mostly wait for real processes)
	$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder -m "not long" $(ARGS)

long: setup ## The tests that take long beside what they tell (crashes around jobs, waits of many seconds)
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m long $(ARGS)

N ?= 2000
RENTS ?= 200
soak: setup ## RENTS random rents (200) through faults and kills, then N random histories of releases (2000)
	GPUBOT_CHAOS_RENTS=$(RENTS) $(BIN)/python -m pytest -s --timeout 3600 tests/e2e/test_chaos.py
	$(BIN)/python -m tests.soak $(N) $(ARGS)

bench: setup $(BENCH) ## Measured ratios, each beside its peer; some of them: make bench ARGS="ack sweep"
	$(BIN)/python -m tests.bench $(ARGS)

$(BENCH): constraints.txt pyproject.toml
	@echo "Installing what is measured against: about 20 MB, once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group bench
	@touch $@

tour: setup $(TORCH) ## Walk three machines through their lives in a playground, and check every step
	$(BIN)/python -m bot tour $(ARGS)

$(TORCH): constraints.txt
	@echo "Installing PyTorch for the trial machines (the bot itself does without): 200 MB or more, once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch numpy
	@touch $@

check: setup ## Lint, formatting, types and the directions of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## Bring the code into the house's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## Remove what set-up and tests made
	rm -rf $(VENV) build/bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
