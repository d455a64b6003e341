"""Finds Chromium and prints a page with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MIN_VERSION = 131  # the first that numbers pages (margin boxes of @page) and prints folded answers
INSTALL_HINT = (
    "Chromium prints the PDF, and it was not found: install it (Debian, Ubuntu: apt install chromium; "
    "macOS: brew install --cask chromium), or set CHROMIUM=/path/to/chromium to a Chromium or Chrome."
)
QUIET_OPTIONS = (
    "--disable-gpu",
    "--disable-background-networking",  # the book needs no other host
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class ChromiumError(Exception):
    """Chromium was not found, or it did not print."""


def find_chromium() -> str:
    """Return the program that `CHROMIUM` names, or the first of the usual names on the path."""
    named = os.environ.get("CHROMIUM")
    for name in [named] if named else NAMES:
        if found := shutil.which(name):
            return found
    problem = f"CHROMIUM is {named}, which is not an executable program. " if named else ""
    raise ChromiumError(problem + INSTALL_HINT)


def print_page(page: Path, pdf: Path) -> None:
    """Print the file `page` to `pdf`."""
    program = find_chromium()
    sandbox = [] if os.name == "nt" or os.geteuid() else ["--no-sandbox"]  # root cannot use one
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        target = [f"--user-data-dir={profile}", f"--print-to-pdf={pdf.resolve()}", page.resolve().as_uri()]
        command = [program, "--headless", "--no-pdf-header-footer", *QUIET_OPTIONS, *sandbox, *target]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    if done.returncode or not pdf.is_file():
        raise ChromiumError(
            f"{program} printed nothing (version {MIN_VERSION} or newer is needed):\n{done.stderr[-2000:]}"
        )
