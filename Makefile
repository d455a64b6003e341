# `make book` builds the site. `make` alone lists what there is.
#
#   PYTHON=python3.12   the Python that .venv is made with (pyproject.toml says which will do)
#   CPU_TORCH=1         take PyTorch's small CPU build where PyPI's is a CUDA build of gigabytes (Linux)
#   PUBLISH=1           refuse to build with a stand-in for the real GPT-2
#   ENV=/path/to/env    use that environment as it is, and install nothing
#   BOOK_URL=https://...  the address that the site will be published at, for canonical links and previews
#   BOOK_REPOSITORY=https://...  the repository that readers can open, for links to Binder and others; empty: none
#   BOOK_BRANCH=name    the branch there that holds what students may get, not `release`
#   CHROMIUM=/path      the browser for the PDF, not one that is found
#   ARGS="..."          further arguments for JupyterLab (--no-browser --allow-root)

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh
# Prose and code are UTF-8, whatever LANG says.
export PYTHONUTF8 := 1
# This environment's kernel, not one that happens to lie in the home folder.
export JUPYTER_PREFER_ENV_PATH := 1

ifdef PUBLISH
export GPT2_TEACH_REQUIRE_REAL := 1
endif

# Sphinx itself would fail on it, far from saying so.
ifneq '$(shell printf %s "$(SOURCE_DATE_EPOCH)" | tr -d 0-9)' ''
$(error SOURCE_DATE_EPOCH must be whole seconds since 1970, and is $(SOURCE_DATE_EPOCH))
endif

ifdef ENV
ifneq '$(shell test -x "$(ENV)/bin/python" && echo yes)' 'yes'
$(error ENV=$(ENV) is no environment: it has no bin/python)
endif
PY := "$(ENV)/bin/python"
else
PY := .venv/bin/python
READY := .venv/book.stamp
TEST_READY := .venv/test.stamp
COURSE_READY := .venv/course.stamp
# A .venv that was moved, or cut short, or whose Python is gone, is made anew although its stamps look fresh.
ifneq "$(shell test -x .venv/bin/python && test ! -e .venv/installing && cat .venv/folder 2>/dev/null)" "$(CURDIR)"
.PHONY: $(READY) $(TEST_READY) $(COURSE_READY)
endif
endif

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target text; do printf '%-18s%s\n' "$$target" "$$text"; done
	@echo; echo 'with, if wanted:'
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
links: book ## Ask every other site that the book links to whether the page is still there
	@$(PY) -P -c 'from jupyter_book.cli.main import main; main()' build --builder linkcheck .

.PHONY: lab
lab: $(READY) ## Open JupyterLab on the notebooks
	@$(PY) -m jupyterlab notebooks $(ARGS)

.PHONY: doctor
doctor: ## Say whether this machine can run the chapters, and what to do where it cannot
	@test -n '$(ENV)' || test -x .venv/bin/python || \
		echo 'Nothing is set up yet: make lab or make book does so, in .venv. Until then, $(PYTHON) as it is:'
	@$(if $(ENV),$(PY),$$(test -x .venv/bin/python && echo .venv/bin/python || echo $(PYTHON))) -m gpt2_teach.doctor

# For a machine that is set up for this book alone: Binder's and other images. Elsewhere .venv keeps things apart.
.PHONY: install
install: ## Install what the book needs into the Python that PYTHON names, not into .venv
	@$(CHECK_PYTHON)
	@$(PYTHON) -m pip install --disable-pip-version-check --no-cache-dir $(PIP_INDEX) -r requirements.txt

.PHONY: clean
clean: ## Remove what was built, and every cache; .venv stays
	rm -rf _build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# What only some of us need stands where it belongs: tests/tests.mk, assignments/assignments.mk, deploy/deploy.mk.
# A folder that students get has none of them.
include $(wildcard */*.mk)

# ---- the environment -------------------------------------------------------------------------------------

.venv/book.stamp: requirements.txt requirements.lock pyproject.toml
	@$(CHECK_PYTHON)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt

PYTHON_FLOOR := $(shell sed -n 's/^requires-python = ">=\([0-9.]*\)".*/\1/p' pyproject.toml)
NEEDS_PYTHON := This book needs Python $(PYTHON_FLOOR) or newer; say which: make book PYTHON=/path/to/python3

define CHECK_PYTHON
found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
	{ echo '$(PYTHON) does not run. $(NEEDS_PYTHON)' >&2; exit 1; }; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] < tuple(map(int, "$(PYTHON_FLOOR)".split("."))))' || \
	{ echo "$(PYTHON) is Python $$found. $(NEEDS_PYTHON)" >&2; exit 1; }; \
$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	{ echo '$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
endef

# Runs a command while no other make does so in this folder: the lock is on this very file and ends with the process.
LOCKED := $(PYTHON) -c 'import fcntl, signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); \
	lock = open("Makefile"); fcntl.flock(lock, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))'

# install STAMP FILE...: installs the requirement files; the stamp keeps a checksum of what was installed. Where an
# earlier run was cut short nobody knows what is missing: .venv is made anew, which pip's own cache makes quick.
define INSTALL
set -eu
stamp=$$1; shift
folder=$$(pwd -P)
# The linters' part of pyproject.toml changes nothing that is installed.
want=$$(sed '/^\[tool\.ruff/,$$d' pyproject.toml | cat - requirements.lock "$$@" | cksum)
whole() {
	[ ! -e .venv/installing ] && [ "$$(cat .venv/folder 2>/dev/null)" = "$$folder" ] && .venv/bin/python -c '' 2>/dev/null
}
if whole && [ "$$(cat $$stamp 2>/dev/null)" = "$$want" ]; then
	touch $$stamp
	exit 0
fi
if ! whole; then
	if [ -n "$$(ls -A .venv 2>/dev/null)" ] && [ ! -e .venv/folder ] && [ ! -e .venv/installing ]; then
		echo '.venv was not made by make, which leaves it alone: say ENV=.venv to use it as it is, or remove it' >&2
		exit 1
	fi
	echo 'Making .venv and downloading what the book needs, once: this takes some minutes.'
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
	# Where it only found no version that will do, nothing was changed, and .venv is as whole as it was.
	changed=$$(find .venv/bin .venv/lib/*/site-packages -newer .venv/installing \
		! -path '*/site-packages/pip/*' ! -path '*/site-packages/pip' ! -path '*__pycache__*') || changed='who knows'
	[ -n "$$changed" ] || rm .venv/installing
	exit 1
fi
rm .venv/installing
printf '%s\n' "$$want" > $$stamp
endef
export INSTALL

PIP_INDEX := $(if $(CPU_TORCH),--extra-index-url https://download.pytorch.org/whl/cpu)
