# The hub: what its tests need, and what a department's server needs. deploy/README.md says how to use it.

HUB_PROXY := _build/hub/node_modules/.package-lock.json
ifndef ENV
HUB_READY := .venv/hub.stamp
endif

.PHONY: hub-ready
hub-ready: $(HUB_READY) $(HUB_PROXY) ## Install what a hub needs: JupyterHub, nbgrader, the proxy

# A hub that gives everybody an account of their own can only be tested by root, on Linux; others skip its tests.
ifeq "$(shell uname -s) $(shell id -u)" "Linux 0"
test: hub-ready
endif

.venv/hub.stamp: deploy/requirements.txt assignments/requirements.txt $(TEST_READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt tests/requirements.txt $(filter %.txt,$^)

# With no npm to be had the tests are skipped, and say so.
$(HUB_PROXY): deploy/proxy/package-lock.json deploy/proxy/package.json
	@mkdir -p _build/hub
	@cp $^ _build/hub
	@command -v npm >/dev/null || ! command -v apt-get >/dev/null || \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y nodejs npm; } || true
	@if command -v npm >/dev/null; then npm ci --prefix _build/hub --no-audit --no-fund && touch $@; \
		else echo 'No npm: the tests of the hub will be skipped' >&2; fi
