"""Finds the browser of the tests, or gets one: `make test` runs this before it builds the book.

Looked for in this order: the environment variable CHROMIUM, the PATH, what Playwright has downloaded. Where
none of them starts, Playwright downloads its own; where that fails, root installs Debian's package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from chromium import NAMES  # book/pdf
from playwright.sync_api import sync_playwright

ADVICE = """No browser was found for the tests, and none could be installed. Do one of these, then try again:
  - install Chromium or Chrome so that `chromium` or `google-chrome` is on the PATH
  - say where one is: CHROMIUM=/path/to/chromium make test
  - with a network: python -m playwright install --with-deps chromium, with the Python of .venv"""


def starts(path: str) -> bool:
    """Whether that is a browser with everything that it needs: one without its libraries fails here too."""
    try:
        version = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return version.returncode == 0


def candidates() -> Iterator[str]:
    """Where a browser may be, the preferred first."""
    yield from filter(None, map(shutil.which, NAMES))
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def found() -> str | None:
    """The browser's path, if there is one; a browser that CHROMIUM names is taken, or nothing."""
    named = os.environ.get("CHROMIUM")
    if named:
        path = shutil.which(named)
        if path is None or not starts(path):
            raise SystemExit(f"CHROMIUM={named} is no browser that starts")
        return path
    return next(filter(starts, candidates()), None)


def run(*command: str) -> bool:
    """Run a command that may fail; what it says is shown."""
    return subprocess.run(command, check=False, stdout=sys.stderr).returncode == 0


def install() -> None:
    """Try the ways to get a browser until one has worked."""
    sys.stderr.write("Getting a browser for the tests, once.\n")
    run(sys.executable, "-m", "playwright", "install", "chromium")
    if found() is None and shutil.which("apt-get") and os.geteuid() == 0:
        apt = ("apt-get", "-o", "DPkg::Lock::Timeout=600")
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        run(*apt, "update")
        # Ubuntu's package of that name only points to a snap: where that does not run, browser() says so.
        run(*apt, "install", "-y", "--no-install-recommends", "chromium")


def browser() -> str:
    """The browser's path; where there is none, an error that says what to do."""
    path = found()
    if path is None:
        raise SystemExit(ADVICE)
    return path


if __name__ == "__main__":
    if found() is None:
        install()
    browser()
