# Tests, linters and measurements.
#
#   ARGS="..."          also options for pytest (-k tying), or groups for `make bench` (walk pages)
#   CHROMIUM=/path      also the browser for the tests (default: found or installed automatically)
#   UPGRADE=1           `make lock` takes the newest versions that the pins allow

.PHONY: test test-all browser lint bench lock

test: $(TEST_READY) browser ## Run the linters while the book is built, then the tests, two at a time
	@$(MAKE) --no-print-directory -j 2 book lint
	@$(PY) -m pytest -m 'not slow' -n 2 --dist loadfile $(ARGS)

test-all: test ## Run make test, then the slow tests
	@$(PY) -m pytest -m slow -n 2 --dist loadfile $(ARGS)

# Before the build, so that a missing browser is reported immediately.
browser: $(TEST_READY)
	@PYTHONPATH=book/pdf $(PY) -m tests.browser.find

lint: $(TEST_READY) ## Check style (ruff), imports (import-linter) and types (mypy)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --no-cache
	@$(PY) -m mypy

bench: $(READY) book ## Measure time, memory and page weight, and print a table
	@$(PY) -m tests.bench $(ARGS)

# The lock has one version of each package for all supported systems and Pythons. It needs only uv, because .venv may
# not be installable with the old lock.
ifdef ENV
UV := $(PY)
else
UV := _build/uv/bin/python
UV_READY := _build/uv/bin/uv
endif

lock: $(UV_READY) ## Update requirements.lock from requirements.txt
	@sed '/^-/d' requirements.txt | $(UV) -m uv pip compile --quiet --universal --python-version $(PYTHON_FLOOR) \
		$(if $(UPGRADE),--upgrade) --no-annotate --custom-compile-command 'make lock' - -o requirements.lock

_build/uv/bin/uv: tests/requirements.txt
	@$(CHECK_PYTHON)
	@$(PYTHON) -m venv --clear _build/uv
	@sed -n '/^uv==/p' tests/requirements.txt > _build/uv/requirements.txt
	@$(UV) -m pip install --disable-pip-version-check --quiet -r _build/uv/requirements.txt
	@touch $@

.venv/test.stamp: tests/requirements.txt assignments/requirements.txt $(READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt assignments/requirements.txt tests/requirements.txt
