"""What the tests in a browser share: one browser, the site on a server, and visits to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.find import browser as find_browser
from tests.browser.serving import served
from tests.browser.visits import FLAGS, Visit, visiting
from tests.small_books import ROOT

Visitor = Callable[..., Visit]
PAGES = [*re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8")), "search"]


# Not for the whole session: while Playwright is open an event loop runs, and tests elsewhere start their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all of these tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def served_site(site: Path) -> Iterator[str]:
    """The address of the book's site."""
    with served(site) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, served_site: str) -> Iterator[Visitor]:
    """Opens a page of the site, or an address, in a fresh context that is closed after the test."""
    with ExitStack() as stack:

        def visitor(name: str, **options: Any) -> Visit:
            url = name if "://" in name else f"{served_site}/{name}"
            opened: AbstractContextManager[Visit] = visiting(browser, url, **options)
            return stack.enter_context(opened)

        yield visitor
