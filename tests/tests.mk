# The tests, the linters and the measurements.
#
#   ARGS="..."          also for pytest (-k tying), or what `make bench` shall measure (walk pages)
#   CHROMIUM=/path      also the browser for the tests, not one that is found or installed
#   UPGRADE=1           `make lock` takes the newest that the pins allow, not only what they ask for

.PHONY: test
test: $(TEST_READY) browser book lint ## Build the book, then check it, two tests at a time
	@$(PY) -m pytest -m 'not slow' -n 2 --dist loadfile $(ARGS)

.PHONY: test-all
test-all: test ## The same, then what takes longer
	@$(PY) -m pytest -m slow -n 2 --dist loadfile $(ARGS)

# Before the book is built, so that who has none is told at once.
.PHONY: browser
browser: $(TEST_READY)
	@PYTHONPATH=book/pdf $(PY) -m tests.browser.find

.PHONY: lint
lint: $(TEST_READY) ## Check style (ruff), imports (import-linter) and types (mypy)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --no-cache
	@$(PY) -m mypy

.PHONY: bench
bench: $(READY) ## Measure time, memory and weight, as ratios, into book/costs.yml
	@PYTHONPATH="book/_ext$${PYTHONPATH:+:$$PYTHONPATH}" $(PY) -m tests.bench $(ARGS)

# One version of everything, on every system and Python that we support. This needs uv alone, and no .venv: that would be
# installed by the very lock that is to be renewed.
ifdef ENV
UV := $(PY)
else
UV := _build/uv/bin/python
UV_READY := _build/uv/bin/uv
endif

.PHONY: lock
lock: $(UV_READY) ## Make requirements.lock from requirements.txt
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
