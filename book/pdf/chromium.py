"""Finds a Chromium and lets it print a page."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OLDEST = 131  # the first that numbers pages (margin boxes of @page) and prints folded answers
HOW = (
    "The PDF is printed by Chromium, and none was found: install it (Debian, Ubuntu: apt install chromium; "
    "macOS: brew install --cask chromium), or let CHROMIUM=/path/to/chromium name a Chromium or Chrome."
)
QUIET = (
    "--disable-gpu",
    "--disable-background-networking",  # the book asks nothing of any other host
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class ChromiumError(Exception):
    """There is none, or it did not print."""


def find() -> str:
    """The program that `CHROMIUM` names, else the first of the usual names on the path."""
    if named := os.environ.get("CHROMIUM"):
        if found := shutil.which(named):
            return found
        raise ChromiumError(f"CHROMIUM is {named}, which is no program that can be run. {HOW}")
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise ChromiumError(HOW)


def print_page(page: Path, pdf: Path) -> None:
    """Print the file `page` to `pdf`."""
    program, sandbox = find(), [] if os.name == "nt" or os.geteuid() else ["--no-sandbox"]  # root has none
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        target = [f"--user-data-dir={profile}", f"--print-to-pdf={pdf.resolve()}", page.resolve().as_uri()]
        command = [program, "--headless", "--no-pdf-header-footer", *QUIET, *sandbox, *target]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    if done.returncode or not pdf.is_file():
        raise ChromiumError(f"{program} (is it {OLDEST} or newer?) printed nothing:\n{done.stderr[-2000:]}")
