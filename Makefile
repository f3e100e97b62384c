# The two commands that everybody needs: `make` and `make test`. The others are named in `make help`.

SHELL := /bin/sh
.DELETE_ON_ERROR:

# The first Python that is new enough; `make PYTHON=/path/to/python3` takes another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
RUN := .venv/bin/python
CLASS := tests/submissions/class

CONTENT := $(shell find course questions challenges reference -type f -not -path '*/__pycache__/*' -not -path '*/node_modules/*')
GRADER := $(shell find grader $(CLASS) -type f -not -path '*/__pycache__/*' 2>/dev/null | sed 's/ /\\ /g')

.PHONY: all build grade test check lint types campaign screenshots bench audit lock clean help

all: results/grades.csv ## environment, build, grade the sample class, say where everything is
	@$(RUN) -m grader summary results
	@echo
	@echo "student handouts   build/student/      (open build/student/index.html)"
	@echo "for staff          build/staff/        (solutions, answer key, hidden cases)"
	@echo "for Gradescope     build/autograder.zip"
	@echo "marks of the class results/grades.csv, results/feedback/"

build: build/student/index.html ## the student handouts, the staff folder, autograder.zip

grade: results/grades.csv ## marks of the sample class

test: .venv/installed .venv/packages ## all tests but the long campaigns
	$(RUN) -m pytest -n auto -m "not campaign"

campaign: .venv/installed .venv/packages ## the long tests
	$(RUN) -m pytest -m campaign

check: lint types ## what CI checks before the tests
	$(RUN) -m course check

lint: .venv/installed
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check

types: .venv/installed
	$(RUN) -m mypy

bench: .venv/installed ## speed, as ratios
	$(RUN) -m grader bench

audit: .venv/installed ## do the cases catch every known mistake?
	$(RUN) -m grader audit

screenshots: build/student/index.html ## every section as a picture, in build/screenshots/
	$(RUN) -m tests.screenshots

lock: .venv/installed ## write requirements.lock from pyproject.toml
	$(RUN) -m uv pip compile --universal --all-extras --python-version 3.11 --no-header \
		--no-emit-index-url --no-emit-find-links --upgrade pyproject.toml -o requirements.lock

clean: ## remove what was made, except the environment
	rm -rf build results

help:
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

.venv/installed: requirements.lock pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "make: Python 3.11 or newer is needed; none was found (say which: make PYTHON=...)" >&2; exit 2; fi
	@$(PYTHON) -m venv .venv || { echo "make: the venv module is missing (Debian: apt install python3-venv)" >&2; exit 2; }
	$(RUN) -m pip install -qq --disable-pip-version-check --requirement requirements.lock
	$(RUN) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@# Else, where Python may not write bytecode, every start would compile the kit anew.
	$(RUN) -m compileall -q challenges course grader questions reference
	@touch $@

# What the page is bundled and checked with. Without npm the kit works, and says what it does without.
.venv/packages: .venv/installed course/theme/package-lock.json
	-@$(RUN) -m course.npm && touch $@

build/student/index.html: .venv/installed $(CONTENT)
	$(RUN) -m course build --out build

# Its own table of marks is left to `all`, which shows it every time.
results/grades.csv: build/student/index.html $(GRADER)
	$(RUN) -m grader grade $(CLASS) --out results > /dev/null
