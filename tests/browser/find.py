"""Finds the browser of the tests, or gets one: `make test` runs this before it builds the book.

Looked for in this order: the environment variable CHROMIUM, the PATH, what Playwright has downloaded. Where
none of them starts, Playwright downloads its own; where that fails, root installs Debian's package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from chromium import NAMES, find_chromium  # book/pdf
from playwright.sync_api import sync_playwright

ADVICE = """No browser was found for the tests, and none could be installed. Do one of these, then try again:
  - install Chromium or Chrome so that `chromium` or `google-chrome` is on the PATH
  - say where one is: CHROMIUM=/path/to/chromium make test
  - with a network: python -m playwright install --with-deps chromium, with the Python of .venv"""


def run(*command: str) -> bool:
    """Check whether a command succeeds: a browser without its libraries does not."""
    try:
        return subprocess.run(command, stdout=sys.stderr, timeout=900, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def found() -> str | None:
    """Return the browser's path, if there is one; a browser that CHROMIUM names is taken, or nothing."""
    if os.environ.get("CHROMIUM"):
        return find_chromium()
    with sync_playwright() as playwright:
        candidates = [*filter(None, map(shutil.which, NAMES)), playwright.chromium.executable_path]
    return next((path for path in candidates if run(path, "--version")), None)


def browser() -> str:
    """Return the browser's path, or exit and say what to do."""
    if (path := found()) is None:
        raise SystemExit(ADVICE)
    return path


if __name__ == "__main__":
    if found() is None:
        run(sys.executable, "-m", "playwright", "install", "chromium")
    if found() is None and shutil.which("apt-get") and os.geteuid() == 0:
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        apt = ("apt-get", "-o", "DPkg::Lock::Timeout=600")
        run(*apt, "update")
        # Ubuntu's package of that name only points to a snap, which may not run.
        run(*apt, "install", "-y", "--no-install-recommends", "chromium")
    browser()
