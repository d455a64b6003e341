"""What the tests in a browser share: one browser, the site on a server, and visits to it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.find import browser as find_browser
from tests.browser.visits import FLAGS, Visit, visiting
from tests.small_books import ROOT

Visitor = Callable[..., Visit]
PAGES = [*re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8")), "search"]


# Not for the whole session: while Playwright is open an event loop runs, and tests elsewhere start their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all of these tests."""
    path = find_browser()  # before Playwright is open: it asks Playwright, too
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves without a word on each request."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="package")
def served_site(site: Path) -> Iterator[str]:
    """The address of the book's site on a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        server.block_on_close = False  # a browser keeps connections open
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def visit(browser: Browser, served_site: str) -> Iterator[Visitor]:
    """Opens a page of the site, or an address, in a fresh context that is closed after the test."""
    with ExitStack() as stack:

        def visitor(name: str, **options: Any) -> Visit:
            url = name if "://" in name else f"{served_site}/{name}"
            return stack.enter_context(visiting(browser, url, **options))

        yield visitor
