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
bench: $(READY) ## Measure time and memory, as ratios
	@$(PY) tests/bench.py

.venv/test.stamp: tests/requirements.txt assignments/requirements.txt $(READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt assignments/requirements.txt tests/requirements.txt
