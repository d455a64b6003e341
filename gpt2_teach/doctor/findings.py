"""Helpers for the doctor's checks: a line of the report, a child process, an install command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import gpt2_teach

PACKAGE_PARENT = Path(gpt2_teach.__file__).resolve().parents[1]  # the book's folder, or site-packages


class Finding(NamedTuple):
    """One line of the report."""

    state: Literal["ok", "note", "fault", "skip"]  # a note does not keep the chapters from running
    what: str
    advice: str = ""
    unusable: str = ""  # a package that is missing or does not work; checks that need it are skipped


def run_python(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str] | None:
    """Run Python in a child process; return None if it takes longer than `seconds`."""
    try:
        return subprocess.run(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONUTF8": "1"},
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def last_line(text: str) -> str:
    """Return the last line, which is the message in a traceback."""
    return text.strip().rpartition("\n")[2]


def is_book_folder(folder: Path) -> bool:
    """Return whether `folder` contains the book's requirements and project file."""
    return (folder / "requirements.txt").is_file() and (folder / "pyproject.toml").is_file()


def install_command(requirements: Iterable[str]) -> str:
    """Return a command that installs `requirements` or, in the book's folder, all pinned requirements."""
    if is_book_folder(PACKAGE_PARENT):
        return f"in the folder {PACKAGE_PARENT}: {sys.executable} -m pip install -r requirements.txt"
    return " ".join([sys.executable, "-m pip install", *(f"'{line}'" for line in requirements)])
