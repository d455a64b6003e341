# Installs the packages that the hub's tests and a department's server need. See deploy/README.md.

.PHONY: hub-ready

HUB_PROXY := _build/hub/node_modules/.package-lock.json
ifndef ENV
HUB_READY := .venv/hub.stamp
endif

hub-ready: $(HUB_READY) $(HUB_PROXY) ## Install what the hub's tests need: JupyterHub, nbgrader, the proxy

# Only root on Linux can test a hub with one account per person; elsewhere its tests are skipped.
ifeq "$(shell uname -s) $(shell id -u)" "Linux 0"
test: hub-ready
endif

.venv/hub.stamp: deploy/requirements.txt assignments/requirements.txt $(TEST_READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt tests/requirements.txt $(filter %.txt,$^)

# Without npm, the hub's tests are skipped with a message.
$(HUB_PROXY): deploy/proxy/package-lock.json deploy/proxy/package.json
	@mkdir -p _build/hub
	@cp $^ _build/hub
	@command -v npm >/dev/null || ! command -v apt-get >/dev/null || \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y nodejs npm; } || true
	@if command -v npm >/dev/null; then npm ci --prefix _build/hub --no-audit --no-fund && touch $@; \
		else echo 'npm was not found and could not be installed: the tests of the hub will be skipped' >&2; fi
