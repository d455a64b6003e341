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

.PHONY: help book pdf links lab doctor install clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
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
ifneq "$(shell test -x .venv/bin/python && cat .venv/folder 2>/dev/null)" "$(CURDIR)"
.PHONY: $(READY) $(TEST_READY) $(COURSE_READY)
endif
endif

help: ## List the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target text; do printf '%-18s%s\n' "$$target" "$$text"; done
	@echo; echo 'Options:'
	@sed -n 's/^#   /  /p' $(MAKEFILE_LIST)

book: $(READY) | $(filter clean,$(MAKECMDGOALS)) ## Build the site to _build/html
	@mkdir -p _build/html
	@$(PY) -P -c 'from jupyter_book.cli.main import main; main()' build -W -n --keep-going .

pdf: book ## Print the built book to one PDF in _build/pdf, with Chromium
	@$(PY) book/pdf/make_pdf.py _build/html _build/pdf/shared-and-scaled.pdf

links: book ## Check the book's links to other sites
	@$(PY) -P -c 'from jupyter_book.cli.main import main; main()' build --builder linkcheck .

lab: $(READY) ## Open JupyterLab on the notebooks
	@$(PY) -m jupyterlab notebooks $(ARGS)

doctor: ## Check whether this machine can run the chapters, and explain how to fix problems
	@test -n '$(ENV)' || test -x .venv/bin/python || \
		echo 'Nothing is set up yet: run make lab or make book, which create .venv. Until then, this checks $(PYTHON):'
	@$(if $(ENV),$(PY),$$(test -x .venv/bin/python && echo .venv/bin/python || echo $(PYTHON))) -m gpt2_teach.doctor

# For images that are built for this book, such as Binder's. On other machines .venv keeps packages separate.
install: ## Install the book's packages into the Python given by PYTHON instead of .venv
	@$(CHECK_PYTHON)
	@$(PYTHON) -m pip install --disable-pip-version-check --no-cache-dir $(PIP_INDEX) -r requirements.txt

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

define CHECK_PYTHON
found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); \
[ "$${found#3.}" -ge $(PYTHON_FLOOR:3.%=%) ] 2>/dev/null || \
	{ echo "$(PYTHON) $${found:+is Python }$${found:-does not run}." \
		'This book needs Python $(PYTHON_FLOOR) or newer: make book PYTHON=/path/to/python3' >&2; exit 1; }
endef

# Runs a command while holding a lock on this file, so that only one make in this folder does so at a time. The lock
# ends with the process.
LOCKED := $(PYTHON) -c 'import fcntl, signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); \
	lock = open("Makefile"); fcntl.flock(lock, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))'

# install STAMP FILE...: installs the requirement files and stores their checksum in the stamp. While it installs,
# .venv/folder is empty. If that is what an earlier run has left, .venv is recreated, because what is missing is
# unknown; pip's cache makes this fast.
define INSTALL
set -eu
stamp=$$1; shift
# The linters' settings in pyproject.toml do not affect the installation.
checksum=$$(sed '/^\[tool\.ruff/,$$d' pyproject.toml | cat - requirements.lock "$$@" | cksum)
mark_complete() { printf '%s\n' "$$(pwd -P)" > .venv/folder; }
if [ "$$(cat .venv/folder 2>/dev/null)" = "$$(pwd -P)" ] && .venv/bin/python -c '' 2>/dev/null; then
	[ "$$(cat $$stamp 2>/dev/null)" != "$$checksum" ] || { touch $$stamp; exit 0; }
else
	if [ -e .venv ] && [ ! -e .venv/folder ]; then
		echo '.venv was not created by make: remove it, or set ENV=.venv to use it as it is' >&2
		exit 1
	fi
	echo 'Creating .venv and downloading packages; this takes a few minutes, but only once.'
	rm -rf .venv
	mkdir .venv
	: > .venv/folder
	$(PYTHON) -m venv .venv
fi
: > .venv/folder
for file; do set -- "$$@" -r "$$file"; shift; done
if ! .venv/bin/python -m pip install --disable-pip-version-check $(PIP_INDEX) "$$@"; then
	# If pip only failed to find a suitable version, it changed nothing, and .venv is still complete.
	[ -n "$$(find .venv -type f -newer .venv/folder ! -name '*.pyc')" ] || mark_complete
	exit 1
fi
printf '%s\n' "$$checksum" > $$stamp
mark_complete
endef
export INSTALL

PIP_INDEX := $(if $(CPU_TORCH),--extra-index-url https://download.pytorch.org/whl/cpu)
