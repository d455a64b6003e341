# The tests, the linters and the measurements.

.PHONY: test
test: $(TEST_READY) browser book lint ## Build the book, then check everything that takes less than 25 minutes
	@$(PY) -m pytest -m 'not slow' -n 2 --dist loadfile $(ARGS)

.PHONY: test-all
test-all: test ## The same, then what takes longer
	@$(PY) -m pytest -m slow $(ARGS)

# Before the book is built, so that who has none is told at once.
.PHONY: browser
browser: $(TEST_READY)
	@PYTHONPATH=book/pdf $(PY) -m tests.browser.find

.PHONY: lint
lint: $(TEST_READY) ## Check style (ruff) and types (mypy)
	@$(PY) -m ruff check .
	@$(PY) -m mypy

.PHONY: bench
bench: $(READY) ## Measure time, memory and weight, as ratios, into book/costs.yml
	@PYTHONPATH="book/_ext$${PYTHONPATH:+:$$PYTHONPATH}" $(PY) -m tests.bench $(ARGS)

# One version of everything, on every system and Python that we support. `make lock UPGRADE=1` takes the newest that the
# pins allow; without it only what they ask for changes.
.PHONY: lock
lock: $(TEST_READY) ## Make requirements.lock from requirements.txt
	@sed '/^-/d' requirements.txt | $(PY) -m uv pip compile --quiet --universal --python-version $(PYTHON_FLOOR) \
		$(if $(UPGRADE),--upgrade) --no-annotate --custom-compile-command 'make lock' - -o requirements.lock

.venv/test.stamp: tests/requirements.txt assignments/requirements.txt $(READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt assignments/requirements.txt tests/requirements.txt
