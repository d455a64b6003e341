# `make book` builds the site. `make` alone lists the targets.
#
#   PYTHON=python3.12   the Python for .venv (pyproject.toml gives the versions that work)
#   CPU_TORCH=1         use PyTorch's small CPU build instead of PyPI's CUDA build of several gigabytes (Linux)
#   PUBLISH=1           fail rather than build with a stand-in for the real GPT-2
#   ENV=/path/to/env    use this environment as it is, and install nothing
#   BOOK_URL=https://...  the URL of the published site, for canonical links and previews
#   BOOK_REPOSITORY=https://...  the public repository, for links to Binder and others (empty: no links)
#   BOOK_BRANCH=name    the branch of that repository for students (default: release)
#   CHROMIUM=/path      the browser for the PDF (default: the first one found)
#   ARGS="..."          more arguments for JupyterLab (--no-browser --allow-root)

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh
# Prose and code are UTF-8, regardless of LANG.
export PYTHONUTF8 := 1
# Prefer this environment's kernel to one in the home folder.
export JUPYTER_PREFER_ENV_PATH := 1

ifdef PUBLISH
export GPT2_TEACH_REQUIRE_REAL := 1
endif

# Sphinx would fail with an unclear error.
ifneq '$(shell printf %s "$(SOURCE_DATE_EPOCH)" | tr -d 0-9)' ''
$(error SOURCE_DATE_EPOCH must be whole seconds since 1970, got $(SOURCE_DATE_EPOCH))
endif

ifdef ENV
ifneq '$(shell test -x "$(ENV)/bin/python" && echo yes)' 'yes'
$(error ENV=$(ENV) is not an environment: it has no bin/python)
endif
PY := "$(ENV)/bin/python"
else
PY := .venv/bin/python
READY := .venv/book.stamp
TEST_READY := .venv/test.stamp
COURSE_READY := .venv/course.stamp
# Recreate a .venv that was moved, is incomplete, or has lost its Python, although its stamps look up to date.
ifneq "$(shell test -x .venv/bin/python && test ! -e .venv/installing && cat .venv/folder 2>/dev/null)" "$(CURDIR)"
.PHONY: $(READY) $(TEST_READY) $(COURSE_READY)
endif
endif

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target text; do printf '%-18s%s\n' "$$target" "$$text"; done
	@echo; echo 'Options:'
	@sed -n 's/^#   /  /p' $(MAKEFILE_LIST)

.PHONY: book
book: $(READY) | $(filter clean,$(MAKECMDGOALS)) ## Build the site to _build/html
	@mkdir -p _build/html
	@$(PY) -P -c 'from jupyter_book.cli.main import main; main()' build -W -n --keep-going .

PDF := _build/pdf/shared-and-scaled.pdf

.PHONY: pdf
pdf: book ## Print the built book to one PDF in _build/pdf, with Chromium
	@$(PY) book/pdf/make_pdf.py _build/html $(PDF)

.PHONY: links
links: book ## Check the book's links to other sites
	@$(PY) -P -c 'from jupyter_book.cli.main import main; main()' build --builder linkcheck .

.PHONY: lab
lab: $(READY) ## Open JupyterLab on the notebooks
	@$(PY) -m jupyterlab notebooks $(ARGS)

.PHONY: doctor
doctor: ## Check whether this machine can run the chapters, and explain how to fix problems
	@test -n '$(ENV)' || test -x .venv/bin/python || \
		echo 'Nothing is set up yet: run make lab or make book, which create .venv. Until then, this checks $(PYTHON):'
	@$(if $(ENV),$(PY),$$(test -x .venv/bin/python && echo .venv/bin/python || echo $(PYTHON))) -m gpt2_teach.doctor

# For images that are built for this book, such as Binder's. On other machines .venv keeps packages separate.
.PHONY: install
install: ## Install the book's packages into the Python given by PYTHON instead of .venv
	@$(CHECK_PYTHON)
	@$(PYTHON) -m pip install --disable-pip-version-check --no-cache-dir $(PIP_INDEX) -r requirements.txt

.PHONY: clean
clean: ## Remove the build and all caches, but not .venv
	rm -rf _build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Targets for developers and instructors: tests/tests.mk, assignments/assignments.mk, deploy/deploy.mk. The folder
# for students does not contain these files.
include $(wildcard */*.mk)

# ---- the environment -------------------------------------------------------------------------------------

.venv/book.stamp: requirements.txt requirements.lock pyproject.toml
	@$(CHECK_PYTHON)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt

PYTHON_FLOOR := $(shell sed -n 's/^requires-python = ">=\([0-9.]*\)".*/\1/p' pyproject.toml)
NEEDS_PYTHON := This book needs Python $(PYTHON_FLOOR) or newer: make book PYTHON=/path/to/python3

define CHECK_PYTHON
found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
	{ echo '$(PYTHON) does not run. $(NEEDS_PYTHON)' >&2; exit 1; }; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] < tuple(map(int, "$(PYTHON_FLOOR)".split("."))))' || \
	{ echo "$(PYTHON) is Python $$found. $(NEEDS_PYTHON)" >&2; exit 1; }; \
$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	{ echo '$(PYTHON) cannot create virtual environments. On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
endef

# Runs a command while holding a lock on this file, so that only one make in this folder does so at a time. The lock
# ends with the process.
LOCKED := $(PYTHON) -c 'import fcntl, signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); \
	lock = open("Makefile"); fcntl.flock(lock, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))'

# install STAMP FILE...: installs the requirement files and stores their checksum in the stamp. If an earlier run was
# interrupted, .venv is recreated, because what is missing is unknown; pip's cache makes this fast.
define INSTALL
set -eu
stamp=$$1; shift
folder=$$(pwd -P)
# The linters' settings in pyproject.toml do not affect the installation.
checksum=$$(sed '/^\[tool\.ruff/,$$d' pyproject.toml | cat - requirements.lock "$$@" | cksum)
is_complete() {
	[ ! -e .venv/installing ] && [ "$$(cat .venv/folder 2>/dev/null)" = "$$folder" ] && .venv/bin/python -c '' 2>/dev/null
}
if is_complete && [ "$$(cat $$stamp 2>/dev/null)" = "$$checksum" ]; then
	touch $$stamp
	exit 0
fi
if ! is_complete; then
	if [ -n "$$(ls -A .venv 2>/dev/null)" ] && [ ! -e .venv/folder ] && [ ! -e .venv/installing ]; then
		echo '.venv was not created by make: remove it, or set ENV=.venv to use it as it is' >&2
		exit 1
	fi
	echo 'Creating .venv and downloading packages; this takes a few minutes, but only once.'
	rm -rf .venv
	mkdir .venv
	: > .venv/installing
	$(PYTHON) -m venv .venv
	printf '%s\n' "$$folder" > .venv/folder
fi
: > .venv/installing
rm -f $$stamp
for file; do set -- "$$@" -r "$$file"; shift; done
if ! .venv/bin/python -m pip install --disable-pip-version-check $(PIP_INDEX) "$$@"; then
	# If pip only failed to find a suitable version, it changed nothing, and .venv is still complete.
	changed=$$(find .venv/bin .venv/lib/*/site-packages -newer .venv/installing \
		! -path '*/site-packages/pip/*' ! -path '*/site-packages/pip' ! -path '*__pycache__*') || changed=unknown
	[ -n "$$changed" ] || rm .venv/installing
	exit 1
fi
rm .venv/installing
printf '%s\n' "$$checksum" > $$stamp
endef
export INSTALL

PIP_INDEX := $(if $(CPU_TORCH),--extra-index-url https://download.pytorch.org/whl/cpu)
