"""A visit: a page in a context of its own, which writes down what went wrong and lets nothing out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from chromium import QUIET_OPTIONS
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, Route, ViewportSize

# The sandbox needs rights that root in a container does not have.
FLAGS = ("--no-sandbox", "--disable-quic", *QUIET_OPTIONS)
DESK: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 320, "height": 640}
PAPER: ViewportSize = {"width": 718, "height": 1047}  # A4 less margins of 1 cm, at 96 pixels an inch


def none(faults: list[str]) -> None:
    """Fail if there are any, and show them all."""
    assert not faults, "\n".join(["", *faults])


@dataclass
class Visit:
    """A page, and what went wrong while it was open."""

    page: Page
    console: list[str] = field(default_factory=list)  # warnings and errors, answers of 400 and above
    errors: list[str] = field(default_factory=list)  # exceptions that no script caught
    foreign: list[str] = field(default_factory=list)  # requests to another host; they were refused

    @property
    def faults(self) -> list[str]:
        """All that went wrong."""
        return self.console + self.errors + self.foreign

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in {"warning", "error", "assert"}:
            self.console.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def check(self, response: Response) -> None:
        if response.status >= 400:
            self.console.append(f"{response.status}: {response.url}")

    def guard(self, route: Route) -> None:
        """Let a request through if it is to this machine."""
        address = urlsplit(route.request.url)
        if address.scheme in {"file", "data", "blob"} or address.hostname == "127.0.0.1":
            route.continue_()
        else:
            self.foreign.append(route.request.url)
            route.abort()


@contextmanager
def visiting(browser: Browser, url: str | None = None, **options: Any) -> Iterator[Visit]:
    """Open a page in a fresh context; `options` are those of Playwright's `new_context`."""
    with browser.new_context(**({"viewport": DESK, "reduced_motion": "reduce"} | options)) as context:
        context.set_default_timeout(15_000)
        visit = Visit(context.new_page())
        context.route("**/*", visit.guard)
        visit.page.on("console", visit.hear)
        visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
        visit.page.on("response", visit.check)
        if url is not None:
            visit.page.goto(url)
        yield visit
